"""A table's sheet as people write it: `sheet.toml`, or one command-line option for each hand."""

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import DeclaredHand
from tourney.files.named import read_bytes, why_given_up
from tourney.text.i18n import _

MOST_BYTES = 1_000_000
ENDINGS = ("knock", "rummy", "color", "continental")
VOID = "void"
"""The first word of an option that says how a hand of the knock game ended; who ended it is named first."""
_FIELDS = ("contract", "closer", "dead", "at_once", "points", "left", "ending", "buys")
_KINDS = (
    ("closer", str, "a name"),
    ("dead", bool, "true or false"),
    ("at_once", bool, "true or false"),
    ("ending", str, "how it ended, such as knock"),
)
_PAIR = re.compile(r"\s*([^=]+?)\s*=\s*([^\s=]+)")
_MORE = re.compile(r"(?:^|\s)(jokers|buys)\s*=\s*((?:(?!\s(?:jokers|buys)\s*=).)+)$")
"""The options that may follow the points of a hand of the knock game."""
_POINTS = re.compile(r"[+-]? ?[0-9]{1,6}", re.ASCII)
_MINUS = str.maketrans("−–", "--")
# In a sheet file a minus that was set in type stands before a number, behind an equals sign.
_SET_MINUS = re.compile(r"(=\s*)[−–](?=[0-9])")


def contract_text(text: str) -> str:
    """Return a contract as it is kept, trios first: `tet` is `TTE`."""
    return "".join(sorted(text.strip().upper(), reverse=True))


def read_points(text: str) -> int | None:
    """Return points as people type them, with a minus of either kind; None for any other text."""
    plain = text.strip().translate(_MINUS)
    return int(plain.replace(" ", "")) if _POINTS.fullmatch(plain) else None


def read_sheet(path: str | os.PathLike[str]) -> tuple[DeclaredHand, ...]:
    """Return the hands of a sheet file. Raises TourneyError REFUSED naming file, hand and field."""
    name = os.fspath(path)
    document = _document(name)
    hands = document.get("hands")
    if not isinstance(hands, list) or not hands:
        raise _refusal(name, _("there are no hands"), _("each hand begins with a line [[hands]]"))
    strange = next((key for key in document if key != "hands"), None)
    if strange is not None:
        message = _("“{field}” is not a field of a sheet").format(field=strange[:40])
        raise _refusal(name, message, _("a sheet has [[hands]] and nothing else"))
    return tuple(_hand(name, number, fields) for number, fields in enumerate(hands, 1))


def read_flags(hands: Sequence[str], dead: Sequence[str] = ()) -> tuple[DeclaredHand, ...]:
    """Return the hands of `--hand "TT Ana=-10 Beñat=35"` and so on, and of `--dead TE`.

    In the knock game `--hand "knock Ana=5 Beñat=85 buys=Beñat"`, who ended the hand first and who bought at the end,
    commas between; `--hand "rummy Ana=-10 Beñat=35 jokers=3"`; or `--hand "void Ana=60 Beñat=35"`.

    Raises TourneyError USAGE for text of another form, naming points that are no number, and for a hand dead twice;
    REFUSED for a dead hand that has no points.
    """
    nobody = [contract_text(contract) for text in dead for contract in re.split(r"[\s,]+", text.strip()) if contract]
    twice = next((contract for contract in nobody if nobody.count(contract) > 1), None)
    if twice is not None:
        message = _("--dead names {hand} twice").format(hand=twice[:40])
        raise TourneyError(ExitCode.USAGE, message, _("name each hand that nobody closed once"))
    read = [_flag(text, nobody) for text in hands]
    without = [contract for contract in nobody if contract not in {hand.contract for hand in read}]
    if without:
        message = _("hand {hand} is marked dead but has no points").format(hand=without[0][:40])
        raise TourneyError(ExitCode.REFUSED, message, _("everybody counts in a dead hand: give its --hand too"))
    return tuple(read)


def _flag(text: str, dead: Sequence[str]) -> DeclaredHand:
    contract, _blank, rest = text.strip().partition(" ")
    if contract.lower() in (VOID, *ENDINGS):
        return _knock_flag(text, contract.lower(), rest)
    points = _pairs(rest)
    if points is None:
        hint = _('write the contract, then each player once with the points: --hand "TT Ana=-10 Beñat=35"')
        raise _unreadable(text, hint)
    contract = contract_text(contract)
    return DeclaredHand(contract, points, dead=contract in dead)


def _knock_flag(text: str, ending: str, rest: str) -> DeclaredHand:
    more: dict[str, str] = {}
    while (found := _MORE.search(rest)) and found[1] not in more:
        more[found[1]] = found[2]
        rest = rest[: found.start()]
    points, jokers = (None if found else _pairs(rest)), more.get("jokers", "").strip()
    if points is None or (jokers and (ending != "rummy" or not jokers.isdecimal())):
        hint = _('write how it ended, each player once, who ended it first: --hand "knock Ana=5 Beñat=85 buys=Beñat"')
        raise _unreadable(text, hint)
    buys = tuple(name.strip() for name in more["buys"].split(",")) if "buys" in more else ()
    if ending == VOID:
        return DeclaredHand("", points, dead=True, buys=buys)
    ending_text = f"rummy with {jokers} jokers" if jokers else ending
    return DeclaredHand("", points, closer=next(iter(points)), ending=ending_text, buys=buys)


def _unreadable(text: str, hint: str) -> TourneyError:
    message = _("--hand “{text}” cannot be read").format(text=text[:80])
    strange = next((pair[2] for pair in _PAIR.finditer(text) if _is_odd(pair[1], pair[2])), None)
    if strange is not None:
        message = _("{message}: {points} are not points").format(message=message, points=strange[:40])
        hint = _("points are whole numbers of up to six digits, as -10 or 35")
    return TourneyError(ExitCode.USAGE, message, hint)


def _is_odd(name: str, points: str) -> bool:
    """Return whether what follows a player's name resembles a number but cannot be read as points."""
    return name.split()[-1] not in ("jokers", "buys") and points[-1].isdecimal() and read_points(points) is None


def _pairs(rest: str) -> dict[str, int] | None:
    """Return players with their points, each once; None for text of another form."""
    points: dict[str, int] = {}
    end = 0
    for pair in _PAIR.finditer(rest):
        number = read_points(pair[2])
        if pair.start() != end or number is None or pair[1] in points:
            break
        points[pair[1]] = number
        end = pair.end()
    return points if points and not rest[end:].strip() else None


def _document(name: str) -> dict[str, Any]:
    import tomllib

    raw = read_bytes(name, MOST_BYTES, _("name the sheet's file; a sheet has a few lines for each hand"))
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        return tomllib.loads(_SET_MINUS.sub(r"\1-", text))
    except UnicodeDecodeError:
        raise _refusal(name, _("the file is not UTF-8 text"), _("save it as UTF-8")) from None
    except (ValueError, RecursionError) as error:
        raise _refusal(name, why_given_up(error), _("a sheet is TOML, as the README shows")) from None


def _hand(name: str, number: int, fields: object) -> DeclaredHand:
    if not isinstance(fields, dict) or not _has_a_name(fields):
        message = _("hand {number} has no contract").format(number=number)
        hint = _('each hand has a line such as contract = "TT", or in the knock game ending = "knock"')
        raise _refusal(name, message, hint)
    contract = contract_text(fields.get("contract", ""))
    called = contract[:40] or str(number)
    strange = next((key for key in fields if key not in _FIELDS), None)
    if strange is not None:
        message = _("hand {hand} has a field “{field}”").format(hand=called, field=strange[:40])
        raise _refusal(name, message, _("a hand has: {fields}").format(fields=", ".join(_FIELDS)))
    for key, kind, wanted in _KINDS:
        if key in fields and not isinstance(fields[key], kind):
            raise _wrong(name, called, key, _(wanted))
    return DeclaredHand(
        contract=contract,
        points=_numbers(name, called, fields.get("points", {})),
        closer=fields.get("closer"),
        # The sheet says so if it was in one turn, or leaves it to the bonus among the points.
        at_once=fields.get("at_once"),
        dead=fields.get("dead", False),
        left=_texts(name, called, fields.get("left", {})),
        ending=fields.get("ending", ""),
        buys=_names(name, called, fields.get("buys", [])),
    )


def _has_a_name(fields: Mapping[str, object]) -> bool:
    """Return whether a hand is identified: by its contract, or in the knock game by its ending."""
    if "contract" in fields:
        return isinstance(fields["contract"], str)
    return "ending" in fields or fields.get("dead") is True


def _numbers(name: str, contract: str, value: object) -> Mapping[str, int]:
    good = isinstance(value, dict) and all(type(points) is int for points in value.values())
    if not isinstance(value, dict) or not good:
        raise _wrong(name, contract, "points", _('players with whole numbers: { "Ana" = -10, "Carla" = 12 }'))
    return value


def _texts(name: str, contract: str, value: object) -> Mapping[str, str]:
    good = isinstance(value, dict) and all(isinstance(cards, str) for cards in value.values())
    if not isinstance(value, dict) or not good:
        raise _wrong(name, contract, "left", _('players with cards: { "Beñat" = "Kh 7d" }'))
    return value


def _names(name: str, contract: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(player, str) for player in value):
        raise _wrong(name, contract, "buys", _('a list of players: ["Carla"]'))
    return tuple(value)


def _wrong(name: str, contract: str, field: str, wanted: str) -> TourneyError:
    message = _("hand {hand}: the field {field} has the wrong type").format(hand=contract[:40], field=field)
    return _refusal(name, message, _("give {wanted}").format(wanted=wanted))


def _refusal(name: str, message: str, hint: str) -> TourneyError:
    return TourneyError(ExitCode.REFUSED, f"{name}: {message}", hint)
