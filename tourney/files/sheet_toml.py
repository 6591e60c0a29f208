"""Read a table's sheet as people write it: `sheet.toml`, or one command-line option for each hand."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import SheetHand
from tourney.files.named import read_bytes, read_failure, shown, toml_tables
from tourney.text.cards import ALPHABETS, Alphabet, read_cards, spanish_card
from tourney.text.i18n import _, marked

MAX_BYTES = 1_000_000
ENDINGS = ("knock", "rummy", "color", "continental")
VOID = "void"
"""The first word of the option for a hand of the knock game that nobody ended; otherwise it is one of ENDINGS."""
FIELDS = ("contract", "closer", "dead", "at_once", "points", "left", "ending", "buys")
_FIELD_TYPES = (
    ("closer", str, marked("a name")),
    ("dead", bool, marked("true or false")),
    ("at_once", bool, marked("true or false")),
    ("ending", str, marked("the ending, such as knock")),
)
EXAMPLES = (
    'points = { "Íñigo" = 64, "Ana" = -10 }',
    'contract = "TT"',
    'closer = "Íñigo"',
    "dead = true",
    "at_once = true",
    'left = { "Íñigo" = "Kh 7d" }',
    'ending = "knock"',
    'buys = ["Íñigo"]',
)
"""Lines of a sheet; a name with an accent or a space needs quotes, numbers are whole, and yes is true."""
_TOML_PLACE = re.compile(
    r"(?P<twice>^(?:Cannot (?:overwrite|declare|mutate)|Duplicate).*)?"
    r"\(at (?:line (?P<line>[0-9]+), column [0-9]+|end of document)\)$"
)
"""A message of `tomllib`: whether something is there twice, and where it stopped reading."""
MAX_HAND = 2000
"""The most characters of an option `--hand`; eight players with long names have half of them."""
_PAIR = re.compile(r"\s*+([^=\s][^=]*+)=\s*([^\s=]+)")
"""A name, which may end with blanks, and its points. Nothing is read twice, however long the text is."""
_NAMELESS = re.compile(r"(?:^|=\s*[^\s=]+\s)\s*(=\s*[^\s=]*)")
"""An equals sign with no name before it."""
_SUFFIX = re.compile(r"(?:^|\s)(jokers|buys)\s*=\s*((?:(?!\s(?:jokers|buys)\s*=).)+)$")
"""The options that may follow the points of a hand of the knock game."""
_POINTS = re.compile(r"[+-]? ?[0-9]{1,6}", re.ASCII)
_MINUS = str.maketrans("−–", "--")
# A typographic minus in a sheet file, between an equals sign and a number.
_TYPESET_MINUS = re.compile(r"(=\s*)[−–](?=[0-9])")


def contract_text(text: str) -> str:
    """Return a contract as it is kept, trios first: `tet` is `TTE`; other text is no contract, and stays."""
    plain = text.strip().upper()
    return "".join(sorted(plain, reverse=True)) if set(plain) <= {"T", "E"} else plain


def read_points(text: str) -> int | None:
    """Return points as people type them, with a minus of either kind; None for any other text."""
    plain = text.strip().translate(_MINUS)
    return int(plain.replace(" ", "")) if _POINTS.fullmatch(plain) else None


@dataclass(frozen=True, slots=True)
class WrittenSheet:
    """The hands of a sheet, and the letters in which its cards were written; None if nobody said which: English."""

    hands: tuple[SheetHand[str], ...]
    letters: Alphabet | None = None


def read_sheet(path: str | os.PathLike[str], letters: Alphabet | None = None) -> WrittenSheet:
    """Return the sheet of a file, its cards read in these letters, or in those that it names itself.

    Raises TourneyError REFUSED naming file, hand and field, USAGE for other letters than the file names.
    """
    name = os.fspath(path)
    document = _document(name)
    hands = document.get("hands")
    if not isinstance(hands, list) or not hands:
        raise _refusal(name, _("there are no hands"), _("each hand begins with a line [[hands]]"))
    unknown = next((key for key in document if key not in ("hands", "cards")), None)
    if unknown is not None:
        message = _("“{field}” is not a field of a sheet").format(field=unknown[:40])
        raise _refusal(name, message, _("a sheet has [[hands]] and nothing else"))
    letters = _letters(name, document, letters)
    read = (_hand(name, number, fields) for number, fields in enumerate(hands, 1))
    return WrittenSheet(tuple(replace(hand, left=_in_english(name, hand, letters or "en")) for hand in read), letters)


def _letters(name: str, document: Mapping[str, object], asked: Alphabet | None) -> Alphabet | None:
    """Return the letters of a sheet's cards: those asked for, or else those that it names."""
    if "cards" not in document:
        return asked
    named = next((each for each in ALPHABETS if each == document["cards"]), None)
    if named is None:
        message = _("“cards” says in which letters cards are written, en or es")
        raise _refusal(name, message, _('write cards = "es" for p c d t, the Spanish letters of the suits'))
    if asked not in (None, named):
        message = _('{file} has cards = "{named}", and --cards says {asked}')
        message = message.format(file=name, named=named, asked=asked)
        raise TourneyError(ExitCode.USAGE, message, _("leave out --cards, or change that line of the file"))
    return named


def _in_english(name: str, hand: SheetHand[str], alphabet: Alphabet) -> Mapping[str, str]:
    """Return the cards left in a hand with the engine's letters. Raises TourneyError REFUSED for what is no card."""
    spanish = spanish_card(hand.left.values()) if alphabet == "en" else None
    if spanish is not None:
        message = _("hand {hand}: “{card}” is not a card with English letters")
        message = message.format(hand=_label(hand), card=spanish)
        raise _refusal(name, message, _('for Spanish letters, p c d t, give --cards es or write cards = "es" into it'))
    try:
        return {player: read_cards(cards, alphabet) for player, cards in hand.left.items()}
    except TourneyError as error:
        message = _("hand {hand}: {fault}").format(hand=_label(hand), fault=error.message)
        raise _refusal(name, message, error.hint) from error


def _label(hand: SheetHand[str]) -> str:
    return hand.contract[:40] or hand.ending[:40]


def read_flags(hands: Sequence[str], dead: Sequence[str] = ()) -> tuple[SheetHand[str], ...]:
    """Return the hands of options such as `--hand "TT Ana=-10 Beñat=35"` and `--dead TE`.

    In the knock game they are `--hand "knock Ana=5 Beñat=85 buys=Beñat"`, which names first who ended the hand and
    last, separated by commas, who bought; `--hand "rummy Ana=-10 Beñat=35 jokers=3"`; or `--hand "void Ana=60
    Beñat=35"`.

    Raises TourneyError USAGE for text of another form, naming points that are not a number, and for a hand that is dead
    twice; REFUSED for a dead hand that has no points.
    """
    dead_contracts = [
        contract_text(contract) for text in dead for contract in re.split(r"[\s,]+", text.strip()) if contract
    ]
    twice = next((contract for contract in dead_contracts if dead_contracts.count(contract) > 1), None)
    if twice is not None:
        message = _("--dead names {hand} twice").format(hand=twice[:40])
        raise TourneyError(ExitCode.USAGE, message, _("name each hand that nobody closed once"))
    read = [_flag(text, dead_contracts) for text in hands]
    without_points = [contract for contract in dead_contracts if contract not in {hand.contract for hand in read}]
    if without_points:
        message = _("hand {hand} is marked dead but has no points").format(hand=without_points[0][:40])
        raise TourneyError(ExitCode.REFUSED, message, _("everybody counts in a dead hand: give its --hand too"))
    return tuple(read)


def _flag(text: str, dead: Sequence[str]) -> SheetHand[str]:
    if len(text) > MAX_HAND:
        raise _unreadable(text[:MAX_HAND], _("a hand has at most {most} characters").format(most=MAX_HAND))
    contract, _blank, rest = text.strip().partition(" ")
    if contract.lower() in (VOID, *ENDINGS):
        return _knock_flag(text, contract.lower(), rest)
    points = _pairs(rest)
    if points is None:
        hint = _('write the contract, then each player once with the points: --hand "TT Ana=-10 Beñat=35"')
        raise _unreadable(text, hint)
    contract = contract_text(contract)
    return SheetHand(contract, points, dead=contract in dead)


def _knock_flag(text: str, ending: str, rest: str) -> SheetHand[str]:
    suffixes: dict[str, str] = {}
    while (found := _SUFFIX.search(rest)) and found[1] not in suffixes:
        suffixes[found[1]] = found[2]
        rest = rest[: found.start()]
    points, jokers = (None if found else _pairs(rest)), suffixes.get("jokers", "").strip()
    if points is None or (jokers and (ending != "rummy" or not jokers.isdecimal())):
        hint = _('write how it ended, each player once, who ended it first: --hand "knock Ana=5 Beñat=85 buys=Beñat"')
        raise _unreadable(text, hint)
    buys = tuple(name.strip() for name in suffixes["buys"].split(",")) if "buys" in suffixes else ()
    if ending == VOID:
        return SheetHand("", points, dead=True, buys=buys)
    ending_text = f"rummy with {jokers} jokers" if jokers else ending
    return SheetHand("", points, closer=next(iter(points)), ending=ending_text, buys=buys)


def _unreadable(text: str, hint: str) -> TourneyError:
    message = _("--hand “{text}” cannot be read").format(text=text[:80])
    nameless = _NAMELESS.search(text.partition(" ")[2])
    if nameless is not None:
        message = _("{message}: there is no name before {points}").format(message=message, points=nameless[1][:40])
        return TourneyError(ExitCode.USAGE, message, hint)
    odd = next((pair[2] for pair in _in_turn(text) if _is_odd(pair[1], pair[2])), None)
    if odd is not None:
        message = _("{message}: {points} are not points").format(message=message, points=odd[:40])
        hint = _("points are whole numbers of up to six digits, as -10 or 35")
    return TourneyError(ExitCode.USAGE, message, hint)


def _is_odd(name: str, points: str) -> bool:
    """Return whether what follows a player's name resembles a number but cannot be read as points."""
    return name.split()[-1] not in ("jokers", "buys") and points[-1].isdecimal() and read_points(points) is None


def _pairs(rest: str) -> dict[str, int] | None:
    """Return players with their points, each once; None for text of another form."""
    points: dict[str, int] = {}
    end = 0
    for pair in _in_turn(rest):
        name, number = pair[1].rstrip(), read_points(pair[2])
        if number is None or name in points:
            break
        points[name] = number
        end = pair.end()
    return points if points and not rest[end:].strip() else None


def _in_turn(text: str) -> Iterator[re.Match[str]]:
    """Yield names with points, each directly after the one before it."""
    end = 0
    while pair := _PAIR.match(text, end):
        yield pair
        end = pair.end()


def _document(name: str) -> dict[str, Any]:
    raw = read_bytes(name, MAX_BYTES, _("name the sheet's file; a sheet has a few lines for each hand"))
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        return toml_tables(_TYPESET_MINUS.sub(r"\1-", text))
    except UnicodeDecodeError:
        raise _refusal(name, _("the file is not UTF-8 text"), _("save it as UTF-8")) from None
    except (ValueError, RecursionError) as error:
        raise _misread(name, error, text) from None


def _misread(name: str, error: ValueError | RecursionError, text: str) -> TourneyError:
    """Return the refusal of text that is not TOML: its line, and how such a line is written."""
    found = _TOML_PLACE.search(str(error)) if isinstance(error, ValueError) else None
    if found is None:
        return _refusal(name, read_failure(error), _example_hint(""))
    lines = text.rstrip().split("\n")
    number = min(int(found["line"] or len(lines)), len(lines))
    message = (
        _("line {line} says something twice: “{text}”") if found["twice"] else _("line {line} cannot be read: “{text}”")
    )
    line = lines[number - 1].strip()
    return _refusal(name, message.format(line=number, text=shown(line, 60)), _example_hint(line))


def _example_hint(line: str) -> str:
    """Return how a line of a sheet is written that begins as this one."""
    example = next(
        (example for example in EXAMPLES if example.startswith(f"{line.partition('=')[0].strip()} = ")), None
    )
    hint = _("write such a line as {example}; `tourney guide club-evening` has a whole sheet")
    return hint.format(example=example or ("[[hands]]" if line.startswith("[") else EXAMPLES[0]))


def _hand(name: str, number: int, fields: object) -> SheetHand[str]:
    if not isinstance(fields, dict) or not _has_a_name(fields):
        message = _("hand {number} has no contract").format(number=number)
        hint = _('each hand has a line such as contract = "TT", or in the knock game ending = "knock"')
        raise _refusal(name, message, hint)
    contract = contract_text(fields.get("contract", ""))
    label = contract[:40] or str(number)
    unknown = next((key for key in fields if key not in FIELDS), None)
    if unknown is not None:
        message = _("hand {hand} has a field “{field}”").format(hand=label, field=unknown[:40])
        raise _refusal(name, message, _("a hand has: {fields}").format(fields=", ".join(FIELDS)))
    for key, kind, expected in _FIELD_TYPES:
        if key in fields and not isinstance(fields[key], kind):
            raise _wrong_type(name, label, key, _(expected))
    return SheetHand(
        contract=contract,
        points=_by_player(name, label, "points", fields.get("points", {}), int),
        closer=fields.get("closer"),
        # Without the field, the bonus among the points says whether the closer did it in one turn.
        at_once=fields.get("at_once"),
        dead=fields.get("dead", False),
        left=_by_player(name, label, "left", fields.get("left", {}), str),
        ending=fields.get("ending", ""),
        buys=_names(name, label, fields.get("buys", [])),
    )


def _has_a_name(fields: Mapping[str, object]) -> bool:
    """Return whether a hand is identified: by its contract, or in the knock game by its ending."""
    if "contract" in fields:
        return isinstance(fields["contract"], str)
    return "ending" in fields or fields.get("dead") is True


def _by_player(name: str, contract: str, field: str, value: object, kind: type) -> Mapping[str, Any]:
    """Return a field that has a value of that type for each player. Raises TourneyError REFUSED for another one."""
    if isinstance(value, dict) and all(type(each) is kind for each in value.values()):
        return value
    expected = _('players with cards: { "Beñat" = "Kh 7d" }')
    if kind is int:
        expected = _('players with whole numbers: { "Ana" = -10, "Carla" = 12 }')
    raise _wrong_type(name, contract, field, expected)


def _names(name: str, contract: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(player, str) for player in value):
        raise _wrong_type(name, contract, "buys", _('a list of players: ["Carla"]'))
    return tuple(value)


def _wrong_type(name: str, contract: str, field: str, expected: str) -> TourneyError:
    message = _("hand {hand}: the field {field} has the wrong type").format(hand=contract[:40], field=field)
    return _refusal(name, message, _("give {expected}").format(expected=expected))


def _refusal(name: str, message: str, hint: str) -> TourneyError:
    return TourneyError(ExitCode.REFUSED, f"{name}: {message}", hint)
