"""What messages share: numbers of things, and why a text was given up."""


def counted(number: int, thing: str) -> str:
    """As `1 card` and `2 cards`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def why_given_up(error: ValueError | RecursionError) -> str:
    """Why `tomllib` gave a text up: in its own words, or in ours where Python itself has stopped it."""
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return "a number in it has too many digits" if type(error) is ValueError else str(error)
