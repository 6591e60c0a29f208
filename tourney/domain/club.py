"""The club that uses a database: its name, its colour and its logo, and what these may be."""

import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Final

MOST_NAME: Final = 80
"""The most characters of the name."""
MOST_BYTES: Final = 64 * 1024
"""The most bytes of a logo."""
MOST_SIDE: Final = 1024
"""The most pixels of a side of a logo."""
COLOURS: Final[Mapping[str, str]] = {
    "green": "#0b5d44",
    "blue": "#1f4e9e",
    "red": "#b3261e",
    "orange": "#b35309",
    "purple": "#6b35a8",
    "teal": "#0b6b73",
    "brown": "#6f4518",
    "black": "#2b2f33",
}
"""The colours that have a name."""
BY_DAY, BY_NIGHT = 4.5, 7.0
"""The least contrast of text by the Web Content Accessibility Guidelines: by day of rule 1.4.3, by night of 1.4.6."""
LIGHT, DARK = (0xFD, 0xE5, 0xE2), (0x3A, 0x1A, 0x17)
"""The papers of our pages, by day and by night, with the least contrast to their letters."""
_HEX: Final = re.compile(r"#[0-9a-f]{6}", re.ASCII)

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Club:
    """A club's name, its colour by name or as `#rrggbb`, and its logo as PNG; each is empty if it is not set."""

    name: str = ""
    colour: str = ""
    logo: bytes = b""

    @property
    def accents(self) -> tuple[str, str]:
        """Return the colour as it is read on light and on dark paper. Raises ValueError without a colour."""
        colour = COLOURS.get(self.colour, self.colour)
        red, green, blue = bytes.fromhex(colour.removeprefix("#"))
        own = (red, green, blue)
        return _readable(own, (0, 0, 0), LIGHT, BY_DAY), _readable(own, (255, 255, 255), DARK, BY_NIGHT)

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height of the logo in pixels."""
        width, height = _SIDES.unpack_from(self.logo, 16)
        return width, height


NO_CLUB: Final = Club()


def is_colour(text: str) -> bool:
    """Return whether a text is the name of a colour or `#rrggbb` in small letters."""
    return text in COLOURS or _HEX.fullmatch(text) is not None


def _readable(colour: Rgb, towards: Rgb, paper: Rgb, least: float) -> str:
    """Return the colour, mixed with black or white until it can be read on the paper."""
    shares = (share / 50 for share in range(51))
    mixed = (_mixed(colour, towards, share) for share in shares)
    red, green, blue = next(each for each in mixed if contrast(each, paper) >= least)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _mixed(colour: Rgb, towards: Rgb, share: float) -> Rgb:
    red, green, blue = (round(one + (other - one) * share) for one, other in zip(colour, towards, strict=True))
    return red, green, blue


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio)."""
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Rgb) -> float:
    parts = (part / 255 for part in colour)
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


# --- a logo is a PNG picture, of which nothing is kept but what draws it (ISO/IEC 15948) ------------------------------

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_SIDES: Final = Struct(">II")
_HEADER: Final = Struct(">IIBBBBB")
_CHANNELS: Final[Mapping[int, tuple[int, str]]] = {
    0: (1, "1 2 4 8 16"),
    2: (3, "8 16"),
    3: (1, "1 2 4 8"),
    4: (2, "8 16"),
    6: (4, "8 16"),
}
"""The channels of each type of colour, and the bits that a channel may have."""
_STEPS: Final = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""The passes of an interlaced picture: the first column and row, and the steps to the next ones."""
_TRANSPARENT: Final[Mapping[int, Sequence[int]]] = {0: (2,), 2: (6,), 4: (), 6: ()}
"""The lengths of what says the transparent colour, by type of colour; a palette has a byte for each colour at most."""
_DRAWN: Final = re.compile(rb"IHDR(PLTE)?(tRNS)?(IDAT)+IEND")
"""The kinds of chunks that draw a picture, in their order; the others are left out."""


def plain_png(content: bytes) -> bytes:
    """Return a picture without the chunks that do not draw it.

    Raises ValueError for what is not a whole picture of at most MOST_BYTES, and MOST_SIDE pixels a side.
    """
    kept = [(kind, data) for kind, data in _chunks(content) if kind in (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")]
    if _DRAWN.fullmatch(b"".join(kind for kind, _data in kept)) is None or kept[-1][1]:
        raise ValueError("chunks")
    room = _room(kept[0][1], {kind: len(data) for kind, data in kept})
    if not _is_packed(b"".join(data for kind, data in kept if kind == b"IDAT"), room):
        raise ValueError("rows")
    return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in kept)


def _is_packed(content: bytes, room: int) -> bool:
    """Return whether the content, unpacked, has exactly so many bytes; no more of it is unpacked."""
    unpacked = zlib.decompressobj()
    try:
        rows = unpacked.decompress(content, room + 1)
    except zlib.error:
        return False
    return len(rows) == room and unpacked.eof and not unpacked.unused_data


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield kind and data of each chunk, up to the end of the file."""
    if not content.startswith(_SIGNATURE) or len(content) > MOST_BYTES:
        raise ValueError("signature")
    at = len(_SIGNATURE)
    while at < len(content):
        length = int.from_bytes(content[at : at + 4])
        kind, data = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        at += 12 + length
        if content[at - 12 - length : at] != _chunk(kind, data) or len(data) != length:
            raise ValueError("chunk")
        yield kind, data


def _chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)


def _room(header: bytes, lengths: Mapping[bytes, int]) -> int:
    """Return the bytes of all rows of a picture of this header, with the kind of filter that begins each."""
    if len(header) != _HEADER.size:
        raise ValueError("header")
    width, height, depth, colour, *methods, interlaced = _HEADER.unpack(header)
    channels, depths = _CHANNELS.get(colour, (0, ""))
    palette = lengths.get(b"PLTE", 0)
    if not (0 < width <= MOST_SIDE and 0 < height <= MOST_SIDE) or str(depth) not in depths.split() or any(methods):
        raise ValueError("header")
    if palette % 3 or palette > 3 * 256 or interlaced > 1 or (colour == 3) > bool(palette):
        raise ValueError("header")
    if b"tRNS" in lengths and lengths[b"tRNS"] not in _TRANSPARENT.get(colour, range(1, palette // 3 + 1)):
        raise ValueError("header")
    steps = _STEPS if interlaced else ((0, 0, 1, 1),)
    sizes = [(-((left - width) // right), -((top - height) // down)) for left, top, right, down in steps]
    return sum(rows * (1 + (columns * channels * depth + 7) // 8) for columns, rows in sizes if columns > 0)


# --- the values as an entry of the journal has them ------------------------------------------------------------------

_SOUND: Final[Mapping[str, Callable[[str], bool]]] = {
    "name": lambda text: len(text) <= MOST_NAME and text.isprintable() and text == text.strip(),
    "colour": lambda text: not text or is_colour(text),
    "logo": lambda text: not text or _is_logo(text),
}


def _is_logo(text: str) -> bool:
    try:
        content = b64decode(text, validate=True)
        return logo_text(content) == text and plain_png(content) == content
    except ValueError:
        return False


def logo_text(logo: bytes) -> str:
    """Return a logo as an entry has it."""
    return b64encode(logo).decode()


def are_values(values: Mapping[str, object]) -> bool:
    """Return whether these are values of a club, as an entry has them: what is empty is taken away."""
    return all(name in _SOUND and type(text) is str and _SOUND[name](text) for name, text in values.items())


def club_of(values: Mapping[str, str]) -> Club:
    """Return the club that has these values."""
    return Club(values.get("name", ""), values.get("colour", ""), b64decode(values.get("logo", "")))
