"""The rules: pages, questions about cards, and records of games."""
