"""Provide what every command shares: the application, options, output and errors."""
