"""Commands about leagues and bots."""
