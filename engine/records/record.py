"""Records: games as text, written and read.

A record is TOML. A game that the engine played has its seed and one short line per action (`2 discard 7h`: the seat,
from 1 in the order of play, and the action; passes are not written). A game of people has only the points of each
hand, or the cards left. A knock hand has its ending instead of a contract; buys follow the other actions of their hand
(`3 buy`), and the header has the stake and the money.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from engine.actions import Action, Answer, Decline, Pass
from engine.cards import cards_text, parse_cards
from engine.errors import NotationError, RecordError
from engine.scoring import ENDINGS, HandResult, KnockEnding
from engine.text import message, toml_fault, toml_string, toml_tables

FORMAT = 1
"""The version of the format; a record of another version is refused."""

Family = Literal["contract", "knock"]

UNSEEN = "??"
"""The text for a player's cards where only the points are known."""
_HEAD_NAME: Final = message("the head")


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One hand: its result and, if the engine refereed it, its actions as lines.

    Where the game has no seed, `deck` has the cards of the packs as shuffled and cut, top card first. In a game of
    people, `left` are by seat the cards left in hand (None: only points are known). A knock hand has no contract; its
    `ending`, `jokers` and `off` (the points bought off) are those of `HandResult`.
    """

    contract: str
    dealer: int
    points: tuple[int, ...]
    closer: int | None
    at_once: bool
    actions: tuple[str, ...] = ()
    deck: tuple[int, ...] = ()
    left: tuple[tuple[int, ...] | None, ...] = ()
    ending: KnockEnding | None = None
    jokers: int = 0
    off: tuple[int, ...] = ()

    @property
    def result(self) -> HandResult:
        """Return the hand's result."""
        return HandResult(self.contract, self.points, self.closer, self.at_once, self.ending, self.jokers, self.off)


@dataclass(frozen=True, slots=True)
class Record:
    """One game. Players are in seat order, the first dealer first; `seed` is None for games of people.

    Knock games have a `stake`, and by seat the `money` won or lost, both in the smallest unit.
    """

    rules: str
    digest: str
    engine_rules: int
    players: tuple[str, ...]
    seed: str | None
    points: tuple[int, ...]
    places: tuple[int, ...]
    hands: tuple[HandRecord, ...]
    stake: int | None = None
    money: tuple[int, ...] = ()

    @property
    def played(self) -> bool:
        """Return whether the record holds the game's actions, so that it can be replayed."""
        return any(hand.actions for hand in self.hands)


def hand_record(result: HandResult, dealer: int, actions: Sequence[tuple[int, Action | Answer]]) -> HandRecord:
    """Return the record of a hand that was played to its end; passes and declined offers are not written."""
    lines = tuple([f"{seat + 1} {action}" for seat, action in actions if not isinstance(action, Pass | Decline)])
    return HandRecord(
        contract=result.contract,
        dealer=dealer,
        points=result.points,
        closer=result.closer,
        at_once=result.at_once,
        actions=lines,
        ending=result.ending,
        jokers=result.jokers,
        off=result.off,
    )


# --- to text --------------------------------------------------------------------------------------------


def write(record: Record) -> str:
    """Return the record as TOML; `read` reads an equal record from it."""
    lines = [
        f"format = {FORMAT}",
        f"rules = {toml_string(record.rules)}",
        f'digest = "{record.digest}"',
        f"engine_rules = {record.engine_rules}",
        f"players = [{', '.join(map(toml_string, record.players))}]",
    ]
    if record.seed is not None:
        lines.append(f"seed = {toml_string(record.seed)}")
    lines += [f"points = {list(record.points)}", f"places = {list(record.places)}"]
    if record.stake is not None:
        lines += [f"stake = {record.stake}", f"money = {list(record.money)}"]
    for hand in record.hands:
        lines += _hand_lines(hand)
    return "\n".join(lines) + "\n"


def _hand_lines(hand: HandRecord) -> list[str]:
    lines = ["", "[[hands]]"]
    if hand.contract:
        lines.append(f'contract = "{hand.contract}"')
    lines += [f"dealer = {hand.dealer + 1}", f"points = {list(hand.points)}"]
    if hand.closer is None:
        lines.append("dead = true")
    else:
        lines.append(f"closer = {hand.closer + 1}")
    lines += _ending_lines(hand)
    if hand.left:
        cards = (f'"{UNSEEN if held is None else cards_text(held)}"' for held in hand.left)
        lines.append(f"left = [{', '.join(cards)}]")
    if hand.deck:
        lines.append(f'deck = "{cards_text(hand.deck)}"')
    if hand.actions:
        lines += ["acts = '''", *hand.actions, "'''"]
    return lines


def _ending_lines(hand: HandRecord) -> list[str]:
    """Return how the hand ended, in the fields of its family."""
    if hand.contract:
        return [] if hand.closer is None else [f"at_once = {str(hand.at_once).lower()}"]
    lines = [] if hand.ending is None else [f'ending = "{hand.ending}"']
    if hand.jokers:
        lines.append(f"jokers = {hand.jokers}")
    if hand.off:
        lines.append(f"off = {list(hand.off)}")
    return lines


# --- from text ------------------------------------------------------------------------------------------


def read(text: str) -> Record:
    """Return the record in the text; RecordError, naming the field, for any other text."""
    try:
        table = toml_tables(text)
    except (ValueError, RecursionError) as error:  # also raised for a number too long, or nesting too deep, for tomllib
        raise RecordError("this is not a record: {fault}", fault=toml_fault(error, text)) from None
    number = _field(table, "format", int, _HEAD_NAME)
    if number != FORMAT:
        raise RecordError(
            "this record has format {number}; this program reads format {ours}", number=number, ours=FORMAT
        )
    family: Family = "knock" if "stake" in table else "contract"
    _refuse_unknown(table, _HEAD[family], _HEAD_NAME)
    players = _list(table, "players", str, _HEAD_NAME)
    hands = table.get("hands")
    if not isinstance(hands, list) or not all(isinstance(hand, dict) for hand in hands):
        raise RecordError("the record has no hands")
    seed = table.get("seed")
    if seed is not None and not isinstance(seed, str):
        raise RecordError("field 'seed' in the head is not text")
    record = Record(
        rules=_field(table, "rules", str, _HEAD_NAME),
        digest=_field(table, "digest", str, _HEAD_NAME),
        engine_rules=_field(table, "engine_rules", int, _HEAD_NAME),
        players=players,
        seed=seed,
        points=_list(table, "points", int, _HEAD_NAME, len(players)),
        places=_list(table, "places", int, _HEAD_NAME, len(players)),
        hands=tuple(_read_hand(hand, at, len(players), family) for at, hand in enumerate(hands, 1)),
        stake=_field(table, "stake", int, _HEAD_NAME) if family == "knock" else None,
        money=_list(table, "money", int, _HEAD_NAME, len(players)) if family == "knock" else (),
    )
    if not record.played:
        _check_totals(record)
    return record


def _check_totals(record: Record) -> None:
    """Raise RecordError unless the hands of a game of people, which no replay checks, give its totals."""
    totals = [sum(hand.points[seat] for hand in record.hands) for seat in range(len(record.players))]
    off = [sum(hand.off[seat] for hand in record.hands if hand.off) for seat in range(len(record.players))]
    totals_left = [total - bought for total, bought in zip(totals, off, strict=True)]
    if record.hands and totals_left != list(record.points):
        raise RecordError(
            "the record's totals are {points}; its hands give {totals_left}",
            points=list(record.points),
            totals_left=totals_left,
        )


def _read_hand(table: dict[str, Any], number: int, players: int, family: Family) -> HandRecord:
    where = message("hand {number}", number=number)
    _refuse_unknown(table, _HAND[family], where)
    dead = _field(table, "dead", bool, where) if "dead" in table else False
    if dead and any(name in table for name in ("closer", "at_once", "ending")):
        raise RecordError("{where} is marked dead, but has a closer, at_once or an ending", where=where)
    closer = None if dead else _seat(table, "closer", where, players)
    if "left" in table and "acts" in table:
        raise RecordError(
            "{where} has actions, which show what cards are left; 'left' is for games of people", where=where
        )
    left = _list(table, "left", str, where, players) if "left" in table else ()
    actions = _field(table, "acts", str, where) if "acts" in table else ""
    deck = _field(table, "deck", str, where) if "deck" in table else ""
    try:
        cards = parse_cards(deck)
        held = tuple(None if text == UNSEEN else parse_cards(text) for text in left)
    except NotationError as error:
        raise RecordError("{where}: {error}", where=where, error=error) from None
    return HandRecord(
        contract=_field(table, "contract", str, where) if family == "contract" else "",
        dealer=_seat(table, "dealer", where, players),
        points=_list(table, "points", int, where, players),
        closer=closer,
        at_once=False if dead or family == "knock" else _field(table, "at_once", bool, where),
        actions=tuple(line for line in actions.split("\n") if line),
        deck=cards,
        left=held,
        ending=None if dead or family == "contract" else _ending(table, where),
        jokers=_field(table, "jokers", int, where) if "jokers" in table else 0,
        off=_list(table, "off", int, where, players) if "off" in table else (),
    )


def _ending(table: dict[str, Any], where: str) -> KnockEnding:
    text = _field(table, "ending", str, where)
    for ending in ENDINGS:
        if text == ending:
            return ending
    raise RecordError(
        "field 'ending' in {where} is '{text}'; it must be one of {endings}",
        where=where,
        text=text[:20],
        endings=", ".join(ENDINGS),
    )


_BOTH_HEADS = frozenset(("format", "rules", "digest", "engine_rules", "players", "seed", "points", "places", "hands"))
_HEAD: dict[Family, frozenset[str]] = {"contract": _BOTH_HEADS, "knock": _BOTH_HEADS | {"stake", "money"}}
_BOTH_HANDS = frozenset(("dealer", "points", "dead", "closer", "left", "deck", "acts"))
_HAND: dict[Family, frozenset[str]] = {
    "contract": _BOTH_HANDS | {"contract", "at_once"},
    "knock": _BOTH_HANDS | {"ending", "jokers", "off"},
}


def _refuse_unknown(table: dict[str, Any], allowed: frozenset[str], where: str) -> None:
    for name in table:
        if name not in allowed:
            raise RecordError("field '{name}' in {where} is unknown", name=name[:20], where=where)


def _field(table: dict[str, Any], name: str, kind: type, where: str) -> Any:
    value = table.get(name)
    if type(value) is not kind:
        raise RecordError("field '{name}' in {where} is missing or of the wrong type", name=name, where=where)
    return value


def _list(table: dict[str, Any], name: str, kind: type, where: str, length: int | None = None) -> Any:
    value = table.get(name)
    if not isinstance(value, list) or any(type(item) is not kind for item in value):
        raise RecordError("field '{name}' in {where} is missing or of the wrong type", name=name, where=where)
    if length is not None and len(value) != length:
        raise RecordError(
            "field '{name}' in {where} has {value} entries for {length} players",
            name=name,
            where=where,
            value=len(value),
            length=length,
        )
    return tuple(value)


def _seat(table: dict[str, Any], name: str, where: str, players: int) -> int:
    seat: int = _field(table, name, int, where)
    if not 1 <= seat <= players:
        raise RecordError("field '{name}' in {where} is {seat}, which is not a seat", name=name, where=where, seat=seat)
    return seat - 1
