"""Commands of the web pages."""
