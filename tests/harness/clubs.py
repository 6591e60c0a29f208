"""Make files of a club's own rules."""

from pathlib import Path


def club(folder: Path, base: str, *fields: str) -> str:
    """Write a club's own rules: a base and some fields, each as `path value`; return the file's path."""
    file = folder / "club.toml"
    lines = [f'"{field.partition(" ")[0]}" = {{ is = {field.partition(" ")[2]}, clause = "club" }}' for field in fields]
    file.write_text("\n".join(['id = "club"', f'base = "{base}"', 'title = "Club"', "[set]", *lines]), encoding="utf-8")
    return str(file)
