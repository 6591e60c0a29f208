"""Text for people: translation, names, and how interrupts reach a command."""
