"""Wording and TOML text for messages, rules files and records."""


def plural(number: int, thing: str) -> str:
    """Return a number of things, as in `1 card` and `2 cards`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def toml_fault(error: ValueError | RecursionError) -> str:
    """Return why `tomllib` rejected a text: its own message, or ours for an error that comes from Python itself."""
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return "a number in it has too many digits" if type(error) is ValueError else str(error)


def toml_string(text: str) -> str:
    """Return the text as a TOML basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    chars = (f"\\u{ord(char):04X}" if ord(char) < 32 or ord(char) == 127 else char for char in escaped)
    return f'"{"".join(chars)}"'
