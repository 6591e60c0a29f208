"""Serving: which address the pages have in the hall, its QR code, a test of it, and the life of the server."""
