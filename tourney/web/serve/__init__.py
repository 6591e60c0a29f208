"""How the pages come into the hall: which address, a QR code of it, a test of it, and the server's life."""
