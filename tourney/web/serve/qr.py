"""QR codes of addresses."""

from io import StringIO

import segno


def terminal_code(address: str) -> str:
    """Return the code as lines of block characters, for a dark terminal as for a light one."""
    text = StringIO()
    segno.make(address, error="m", micro=False).terminal(text, border=2, compact=True)
    return text.getvalue()
