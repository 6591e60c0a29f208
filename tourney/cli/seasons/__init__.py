"""Commands about seasons."""
