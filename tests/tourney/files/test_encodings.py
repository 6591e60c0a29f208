"""Tests of encodings, separators and line ends: lists of names as programs of many kinds save them."""

from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.effort import growth
from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.description import Description
from tourney.files.encodings import readings
from tourney.files.rows import read_rows

make_db = desk.make_everything

WEST = ["Beñat Núñez", "Íñigo Peña", "Hélène Lefèvre", "Jürgen Müller", "François", "Åsa Björn", "João Conceição"]
DOS = ["Beñat Núñez", "Ramón Agüero", "Hélène Lefèvre", "Jürgen Müller", "François", "Åsa Björn"]
POLISH = ["Łukasz Śliwa", "Wałęsa", "Żółć", "Michał", "Gołąb"]
CZECH = ["Jiří Dvořák", "Šimek", "Růžička", "Tomáš Černý", "Němec"]
TURKISH = ["Yıldız Güneş", "Çağlar", "Işık", "Özgür", "Şahin Ağaoğlu"]
LISTS: dict[str, Sequence[str]] = {
    "utf-8": [*WEST, *POLISH, *TURKISH],
    "utf-8-sig": [*WEST, *POLISH, *TURKISH],
    "utf-16": [*WEST, *POLISH, *TURKISH],
    "utf-16-le": WEST,
    "utf-16-be": WEST,
    "cp1252": WEST,
    "iso8859-1": WEST,
    "iso8859-15": [*WEST, "Šimek Œuvre"],
    "mac_roman": WEST,
    "cp850": WEST,
    "cp437": DOS,
    "cp1250": POLISH,
    "iso8859-2": CZECH,
    "cp1254": TURKISH,
}
"""Names for each encoding; only UTF has all letters."""


@pytest.mark.parametrize("encoding", LISTS)
def test_names_are_read_in_every_encoding_separator_and_line_end(tmp_path: Path, encoding: str) -> None:
    """Nothing is said of the file; the names are those that were written."""
    names = LISTS[encoding]
    for separator, ending in product(",;\t|", ("\n", "\r\n", "\r")):
        rows = [("name", "club"), *((name, "Getxo") for name in names)]
        path = tmp_path / "people.txt"
        path.write_bytes(ending.join(separator.join(row) for row in rows).encode(encoding))
        assert [row.values["name"] for row in read_rows(path, ("name",))] == list(names), (separator, ending)


ONE = [
    ("mac_roman", "Beñat", None),
    ("mac_roman", "Núñez", "mac_roman"),
    ("cp850", "Beñat", "cp850"),
    ("cp437", "Muñoz", "cp850"),
    ("cp1252", "Beñat", "cp1252"),
    ("cp1252", "O’Brien", "cp1252"),
    ("cp1250", "Wałęsa", "cp1250"),
]


@pytest.mark.parametrize(("encoding", "name", "found"), ONE)
def test_one_name_is_enough_or_is_asked_about(encoding: str, name: str, found: str | None) -> None:
    """One word may be one in several encodings; then none is preferred (None)."""
    read = readings([name.encode(encoding)])
    assert (read[0].encoding if len(read) == 1 else None) == found
    assert name in [word for reading in read for word in reading.words]


def test_an_encoding_that_was_found_is_said_and_can_be_given(run: Runner, db: str, tmp_path: Path) -> None:
    """The import of old names says how it read them; a list of one name is read by `--encoding`."""
    path = tmp_path / "people.csv"
    path.write_bytes("name\nBeñat Núñez\nÍñigo Peña\nRaúl\n".encode("mac_roman"))
    assert "read as mac_roman, for example “Beñat”" in run("player", "import", str(path), "--db", db).out
    path.write_bytes("name\nXabier Ibáñez\nBeñat\n".encode("mac_roman"))
    given = run("player", "import", str(path), "--encoding", "mac", "--db", db)
    assert given.code == ExitCode.DONE, given.err
    assert "Beñat" in run("player", "list", "--db", db).out


@pytest.mark.parametrize("name", ["klingon", "idna", "punycode", "unicode_escape", "hex", "rot13", "utf-7"])
def test_an_encoding_that_is_not_of_texts_is_refused(tmp_path: Path, name: str) -> None:
    """Python knows encodings that are not of texts; they are refused like a name that nobody knows."""
    path = tmp_path / "people.csv"
    path.write_bytes(b"name\nAna\n")
    with pytest.raises(TourneyError, match="there is no encoding") as caught:
        list(read_rows(path, ("name",), described=Description(encoding=name)))
    assert caught.value.code == ExitCode.USAGE


WORDS: dict[str, Callable[[int], bytes]] = {
    "a word of capitals": lambda size: b"\xc4" * size,
    "a word of small letters": lambda size: b"\xe4" * size,
    "a word of signs": lambda size: b"\x80" * size,
    "a word of both cases": lambda size: b"\xc4\xe4" * (size // 2),
    "many words": lambda size: b" ".join(b"\xc4" + b"%d" % at for at in range(size // 8)),
    "many long words": lambda size: b" ".join(b"\xc4" * (size // 20 + at) for at in range(20)),
}


@pytest.mark.parametrize("kind", WORDS)
def test_an_encoding_is_found_in_time_in_proportion_to_the_text(kind: str) -> None:
    """The attack: 8 kB of one letter took nine seconds, as each capital asked whether the whole word has capitals."""
    assert growth(lambda size: lambda: readings([WORDS[kind](size)]), 4_000) < 3
