"""Names of people and events as text: how they are stored, and how they are matched without accents."""

import os
import unicodedata
from pathlib import Path
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.composed import compose, composed, decomposed
from tourney.text.i18n import _
from tourney.text.sanitize import sanitize

MAX_LENGTH = 80
_MOST_LINKS: Final = 40
"""The links that the kernel follows on the way to a file."""

# Letters that Unicode does not decompose, each with the letters that people type instead.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "’": "'"}
)
# Control, format, surrogate, private and unassigned characters, line and paragraph separators.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters, marks and signs that are drawn as nothing: fillers, joiners, Braille's blank, a note with no head, an object.
# Together with the categories and `_astray` they are Unicode's Default_Ignorable_Code_Point, and more.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U0001d159")


def clean(text: str, noun: str = "name", *, where: str = "") -> str:
    """Return the text as it is stored: composed (NFC), trimmed, single blanks inside, accents as typed.

    `noun` and `where` name the text and its place in the message. Raises TourneyError REFUSED for text that is empty,
    longer than 80 characters or contains invisible characters.
    """
    place = f"{where}: " if where else ""
    kept = " ".join(compose(text, place).split())
    if not kept:
        hint = _("write 1 to {most} characters").format(most=MAX_LENGTH)
        raise TourneyError(ExitCode.REFUSED, place + _("the {noun} is empty").format(noun=noun), hint)
    if len(kept) > MAX_LENGTH:
        message = _("the {noun} “{start}…” has {number} characters").format(
            noun=noun, start=kept[:20], number=len(kept)
        )
        raise TourneyError(ExitCode.REFUSED, place + message, _("use at most {most}").format(most=MAX_LENGTH))
    _refuse_with(_INVISIBLE, kept, noun, place, _BLANK)
    if not fold(kept):
        message = _("the {noun} has accents or other marks only").format(noun=noun)
        raise TourneyError(ExitCode.REFUSED, place + message, _("type it again with its letters"))
    return kept


def optional(text: str, noun: str, *, where: str = "") -> str:
    """Return the text as `clean` does; text that is blank gives an empty text."""
    return clean(text, noun, where=where) if text.strip() else ""


def refuse_halves(text: str, *, where: str = "") -> None:
    """Raise TourneyError REFUSED for text with half of a character, as a wrong byte becomes: it cannot be stored."""
    _refuse_with(frozenset({"Cs"}), text, _("text"), where and f"{where}: ")


def _refuse_with(
    categories: frozenset[str], text: str, noun: str, place: str, chars: frozenset[str] = frozenset()
) -> None:
    """Raise TourneyError REFUSED for text with one of these characters, or one of these Unicode categories."""
    hidden = (char for char in text if char in chars or unicodedata.category(char) in categories)
    refused = next(hidden, None) or (_astray(text) if chars and not text.isascii() else None)
    if refused is not None:
        message = _("the {noun} contains an invisible character (U+{code:04X})").format(noun=noun, code=ord(refused))
        raise TourneyError(ExitCode.REFUSED, place + message, _("type it again without that character"))


def _astray(text: str) -> str | None:
    """Return the first mark that the letter before it never takes, so that no font draws it; None if there is none.

    These are vowel signs and selectors, which have no combining class, behind a letter of another script. Emoji and
    Chinese characters have selectors, and Indic, Thai or Khmer letters the marks of their own script.
    """
    base = " "
    for char in text:
        if unicodedata.category(char) not in ("Mn", "Me"):
            base = char
        elif not unicodedata.combining(char) and unicodedata.category(char) == "Mn" and (base.isalpha() or base == " "):
            mark, letter = (unicodedata.name(each, "").partition(" ")[0] for each in (char, base))
            if mark != letter and (mark, letter) != ("VARIATION", "CJK"):
                return char
    return None


def refuse_unnamed(path: str | os.PathLike[str]) -> None:
    """Raise TourneyError USAGE if the path of a file is empty, or has the character that no file name has."""
    name = os.fspath(path)
    if not name.strip():
        raise TourneyError(ExitCode.USAGE, _("the path of the file is empty"), _("name a file"))
    if "\0" in name or not is_encodable(name):
        message = _("the path of the file contains a zero character or half of one")
        raise TourneyError(ExitCode.USAGE, message, _("type it again"))


def is_encodable(name: str) -> bool:
    """Return whether a file can have this name: half of a surrogate pair cannot be written."""
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return False
    return True


def name_order(name: str) -> tuple[str, str]:
    """Return the key by which lists of names are sorted for people: accents and case aside, and ñ after n.

    That is the order of Spanish lists, `Nadia, Nuria, Ñico, Óscar`; names that differ only in accents or case follow
    each other in the order of their characters. Add an id to the key where two people may have one name.
    """
    shown = composed(name)
    # The tilde comes after all letters.
    return fold(shown.replace("ñ", "n~").replace("Ñ", "n~")), shown


def fold(text: str) -> str:
    """Return the text without accents and case, for comparing: `Beñat` and `BENAT` fold to `benat`."""
    if text.isascii():
        return " ".join(text.lower().split())  # nothing else changes, and a long list of names is read sooner
    parts = decomposed(text.casefold().translate(_PLAIN))
    base_letters = "".join(char for char in parts if not unicodedata.combining(char))
    return " ".join(base_letters.casefold().split())


def written_at(path: Path | str) -> str:
    """Return the real path of an output. Raises TourneyError REFUSED for a link of another user on the way to it.

    The kernel follows such links in some folders only, and only when a path is opened as it was named.
    """
    real, waiting, links = os.sep, os.path.join(os.getcwd(), os.fspath(path)).split(os.sep)[::-1], 0
    while waiting and os.name != "nt":
        part = waiting.pop()
        real = os.path.dirname(real) if part == ".." else os.path.join(real, part) if part not in ("", ".") else real
        if os.path.islink(real):
            if links == _MOST_LINKS or os.lstat(real).st_uid not in (os.geteuid(), 0):
                message = _("{file} is a link of another user, or one of too many links").format(
                    file=sanitize(real[:200])
                )
                raise TourneyError(ExitCode.REFUSED, message, _("name another file or folder"))
            target, links = os.readlink(real), links + 1
            waiting += target.split(os.sep)[::-1]
            real = os.sep if target.startswith(os.sep) else os.path.dirname(real)
    return os.path.realpath(path) if os.name == "nt" else real
