"""Mutations of what people type and of files: damaged, absurdly large, of another kind, or of another alphabet."""

import re
from collections.abc import Callable
from random import Random
from typing import Final

from tourney.cli.framework.app import MAX_WORD

LONG: Final = 40_000
"""The characters of a very long text: about what a paste by mistake has."""
LONGEST: Final = MAX_WORD - 20
"""The characters of a text that is read although it is long."""
MANY: Final = 10_000
"""The names of a very long list."""

NUMBERS: Final = (
    *(
        "0",
        "-1",
        "-0",
        "+1",
        "1.5",
        "1,5",
        "1e9",
        "1e400",
        "nan",
        "inf",
        "-inf",
        "0x10",
        "1_000",
        "٣",
        "²",
        "１２",
        "½",
    ),
    *(str(2**31), str(2**63), str(2**64), str(-(2**63) - 1), "9" * 400, "1" * 5_000, "0" * LONG, "9" * LONG),
)
STRANGE: Final = (
    *("", " ", "\t", "\n", "\r\n", "\x00", "\x1b[2J\x1b[31m", "\x07", "\x7f", "\x85", "\u2028", "\ufeff", "\udcff"),
    *(
        "\u202e",
        "\u200b",
        "e\u0301",
        "e" + "\u0301" * 2_000,
        "👩‍👩‍👧‍👦",
        "İ",
        "ß",
        "ﬁ",
        "Ａｎａ",
        "アナ",
        "\U0010ffff",
        "\ud800",
    ),
    *("-", "--", "---", "-x", "-h", "--no-such-option", "--=", "=", "@", "*", ".", "..", "/", "//", "~", "~nobody"),
    *("NULL", "None", "true", "[]", "{}", "%s%n", "{0}", "{name}", "'; DROP TABLE act; --", '"', "'", "`", "“", "\\"),
)
STRUCTURES: Final = (
    "a,b\n1,2\n",
    "name\nAna\n",
    '[[hands]]\ncontract = "TT"\n',
    '{"rounds": [[["Ana"]]]}',
    "PK\x03\x04\x14\x00\x08\x08",
    "SQLite format 3\x00",
    "a=b=c,d=e",
    ",,,,",
    "Ana=1 Ana=1",
    "T" * 100,
    "As " * 200,
)
_REPEATED: Final = ("x", "x ", "a.", "a,", "=", "[", "(", "{", '"', "\\", "-", "TT ", "As ", "1=", "9", "é", "\u0301")
_MANY_NAMES: Final = ",".join(f"Name{number}" for number in range(MANY))

Mutation = Callable[[Random, str], str]


def _flip(rng: Random, text: str) -> str:
    """Flip a bit of the text's bytes."""
    return flipped(rng, text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogateescape")


def _without(rng: Random, text: str) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + text[place + 1 :]


def _with_strange(rng: Random, text: str) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + rng.choice(STRANGE) + text[place:]


def _swapped(rng: Random, text: str) -> str:
    letters = list(text)
    rng.shuffle(letters)
    return "".join(letters)


def _other_number(rng: Random, text: str) -> str:
    """Replace a number of the text; the whole text where it has none."""
    found = list(re.finditer(r"-?\d+", text))
    if not found:
        return rng.choice(NUMBERS)
    place = rng.choice(found)
    return text[: place.start()] + rng.choice(NUMBERS) + text[place.end() :]


def _repeated(rng: Random, text: str) -> str:
    return rng.choice((text * 2, f"{text} {text}", f"{text},{text}", f"{text}={text}", f"{text}\n{text}"))


def _huge(rng: Random, text: str) -> str:
    """Return a text as long as an argument may be, or longer than that."""
    piece = rng.choice((*_REPEATED, f"{text} "))
    length = rng.choice((LONGEST, LONGEST, LONG))
    return rng.choice(((piece * (length // len(piece)))[:length], _MANY_NAMES[:length]))


MUTATIONS: Final[tuple[Mutation, ...]] = (
    _flip,
    _without,
    _with_strange,
    _swapped,
    _other_number,
    _repeated,
    lambda rng, _text: rng.choice(NUMBERS),
    lambda rng, _text: rng.choice(STRANGE),
    lambda rng, _text: rng.choice(STRUCTURES),
    _huge,
    lambda rng, text: text.upper(),
)


def mutated(rng: Random, text: str) -> str:
    """Return what a person might type in place of the text."""
    return rng.choice(MUTATIONS)(rng, text)


def flipped(rng: Random, data: bytes) -> bytes:
    """Flip a bit; an empty text stays empty."""
    if not data:
        return data
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :]


def _line_twice(rng: Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    place = rng.randrange(len(lines))
    return b"".join([*lines[: place + 1], lines[place], *lines[place + 1 :]])


def _line_lost(rng: Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    place = rng.randrange(len(lines))
    return b"".join([*lines[:place], *lines[place + 1 :]])


def _text_mutated(rng: Random, data: bytes) -> bytes:
    """Mutate a line of the text."""
    lines = data.decode("utf-8", "surrogateescape").splitlines() or [""]
    place = rng.randrange(len(lines))
    lines[place] = mutated(rng, lines[place])
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _word_mutated(rng: Random, data: bytes) -> bytes:
    """Mutate a word of the text."""
    words = re.split(r"(\w+)", data.decode("utf-8", "surrogateescape"))
    place = rng.randrange(len(words))
    words[place] = mutated(rng, words[place])
    return "".join(words).encode("utf-8", "surrogatepass")


_CONTENTS: Final = (
    b"",
    b"\n" * 1_000,
    b"\x00" * 100,
    b"PK\x03\x04" + bytes(200),
    b"\x1f\x8b" + bytes(200),
    b"\xff\xfe" + "name\nAna\n".encode("utf-16-le"),
    b"\xff" * 100,
    b"[" * LONG,
    b'{"a":' * (LONG // 5),
    b"{" * LONG,
    b"a = " + b"[" * LONG,
    b"a = " + b"{ b = " * (LONG // 6),
    b"." * LONG + b" = 1",
    b".".join([b"a"] * (LONG // 2)) + b" = 1\n",
    b"[" + b".".join([b"a"] * (LONG // 2)) + b"]\n",
    b"[[" + b".".join([b"a"] * (LONG // 2)) + b"]]\n",
    b"hands = [ " + b"{ points = { " + b".".join([b"a"] * (LONG // 2)) + b" = 1 } } ]\n",
    b'a = "' + b"\\u0041" * (LONG // 6) + b'"\n',
    b'"""' * (LONG // 3),
    b"1" * LONG,
    b"a = " + b"1" * LONG,
    b'{"rounds": ' + b"9" * LONG + b"}",
    b"a,b,c\n" + b'"' * LONG,
    b"," * LONG,
    b"name\n" + b"x" * LONG,
    b"name\n" + b"".join(b"Name %d\n" % number for number in range(MANY)),
    b"round,table,seat,player\n" + b"".join(b"1,%d,1,Ana\n" % number for number in range(MANY)),
    b"seq,player,rank\n" + b"".join(b"%d,Ana,1\n" % number for number in range(MANY)),
)

FILE_MUTATIONS: Final[tuple[Callable[[Random, bytes], bytes], ...]] = (
    flipped,
    lambda rng, data: data[: rng.randrange(len(data) + 1)],
    lambda rng, data: data[rng.randrange(len(data) + 1) :],
    lambda _rng, data: b"\xef\xbb\xbf" * 2 + data,
    lambda _rng, data: data.decode("utf-8", "replace").encode("utf-16"),
    lambda _rng, data: data.decode("utf-8", "replace").encode("cp1252", "replace"),
    lambda _rng, data: data.replace(b"\n", b"\r"),
    lambda _rng, data: data.replace(b'"', b"'"),
    lambda _rng, data: data.replace(b",", b";"),
    lambda rng, data: data[: (place := rng.randrange(len(data) + 1))] + rng.randbytes(8) + data[place:],
    lambda rng, data: data + data,
    _line_twice,
    _line_lost,
    _text_mutated,
    _word_mutated,
    _word_mutated,
    lambda rng, _data: rng.choice(_CONTENTS),
)


def mutated_file(rng: Random, data: bytes) -> bytes:
    """Return the content of a file that was damaged, cut off or mistaken for another."""
    return rng.choice(FILE_MUTATIONS)(rng, data)
