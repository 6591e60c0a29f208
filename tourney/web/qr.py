"""QR codes of addresses."""

from io import StringIO

from markupsafe import Markup

# Each function imports segno itself: the static site does without it.


def terminal_code(address: str) -> str:
    """Return the code as lines of block characters, for a dark terminal as for a light one."""
    import segno

    text = StringIO()
    segno.make(address, error="m", micro=False).terminal(text, border=2, compact=True)
    return text.getvalue()


def svg_code(address: str) -> Markup:
    """Return the code as SVG for paper, with the quiet zone that scanners need, and no size of its own."""
    import segno

    drawn = segno.make(address, error="m", micro=False)
    # The address is in the pattern, so that nothing of it is text here.
    return Markup(drawn.svg_inline(border=4, omitsize=True, light="#fff"))
