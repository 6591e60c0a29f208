"""Numbers of things in messages."""


def counted(number: int, thing: str) -> str:
    """As `1 card` and `2 cards`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
