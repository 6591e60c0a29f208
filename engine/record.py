"""A game as text and back, and its replay.

A record is TOML. A game that the engine played has its seed and one short line per act (`2 discard 7h`: the
seat, from 1 in the order of play, and the act; a seat that does not claim is not written). A game of people
has the points of each hand only, or the cards left. There is no repair: what does not replay to its own
scores is refused.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.actions import PASS, Action, Claim, Pass, parse_action
from engine.cards import cards_text, parse_cards
from engine.deal import Deal, check_players, deal_cards, pack_cards
from engine.errors import EngineError, NotationError, RecordError
from engine.game import Game, GameResult
from engine.hand import Hand
from engine.rules import ENGINE_RULES, Rules, load_rules
from engine.scoring import HandResult
from engine.state import Phase

FORMAT = 1
"""Version of the text; a record of a later one is refused."""


UNSEEN = "??"
"""What stands for the cards of a player whose points alone are known."""


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One hand: what it gave and, if the engine refereed it, its acts as lines.

    `deck` is the pack as shuffled and cut, from its top, where the game has no seed. `left` are the cards
    that stayed in the hands of people, by seat, where they were written down (None: points only).
    """

    contract: str
    dealer: int
    points: tuple[int, ...]
    closer: int | None
    at_once: bool
    acts: tuple[str, ...] = ()
    deck: tuple[int, ...] = ()
    left: tuple[tuple[int, ...] | None, ...] = ()

    @property
    def result(self) -> HandResult:
        """What the hand gave."""
        return HandResult(self.contract, self.points, self.closer, self.at_once)


@dataclass(frozen=True, slots=True)
class Record:
    """One game. Players stand in seat order, the first dealer first; `seed` is None for games of people."""

    rules: str
    digest: str
    engine_rules: int
    players: tuple[str, ...]
    seed: str | None
    points: tuple[int, ...]
    places: tuple[int, ...]
    hands: tuple[HandRecord, ...]

    @property
    def played(self) -> bool:
        """Whether it holds the acts of the game, so that it can be replayed."""
        return any(hand.acts for hand in self.hands)


def hand_record(result: HandResult, dealer: int, acts: Sequence[tuple[int, Action]]) -> HandRecord:
    """The record of a hand that was played to its end."""
    lines = tuple([f"{seat + 1} {act}" for seat, act in acts if not isinstance(act, Pass)])
    return HandRecord(result.contract, dealer, result.points, result.closer, result.at_once, lines)


# --- to text --------------------------------------------------------------------------------------------


def write(record: Record) -> str:
    """The record as TOML; `read` gives it back equal."""
    lines = [
        f"format = {FORMAT}",
        f"rules = {_quoted(record.rules)}",
        f'digest = "{record.digest}"',
        f"engine_rules = {record.engine_rules}",
        f"players = [{', '.join(map(_quoted, record.players))}]",
    ]
    if record.seed is not None:
        lines.append(f"seed = {_quoted(record.seed)}")
    lines += [f"points = {list(record.points)}", f"places = {list(record.places)}"]
    for hand in record.hands:
        lines += _hand_lines(hand)
    return "\n".join(lines) + "\n"


def _hand_lines(hand: HandRecord) -> list[str]:
    lines = ["", "[[hands]]", f'contract = "{hand.contract}"', f"dealer = {hand.dealer + 1}"]
    lines.append(f"points = {list(hand.points)}")
    if hand.closer is None:
        lines.append("dead = true")
    else:
        lines += [f"closer = {hand.closer + 1}", f"at_once = {str(hand.at_once).lower()}"]
    if hand.left:
        cards = (f'"{UNSEEN if held is None else cards_text(held)}"' for held in hand.left)
        lines.append(f"left = [{', '.join(cards)}]")
    if hand.deck:
        lines.append(f'deck = "{cards_text(hand.deck)}"')
    if hand.acts:
        lines += ["acts = '''", *hand.acts, "'''"]
    return lines


def _quoted(text: str) -> str:
    """A TOML basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return (
        '"' + "".join(f"\\u{ord(char):04X}" if ord(char) < 32 or ord(char) == 127 else char for char in escaped) + '"'
    )


# --- from text ------------------------------------------------------------------------------------------


def read(text: str) -> Record:
    """The record that the text says; RecordError naming the field for anything else."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number or a nesting too big for the reader
        raise RecordError(f"this is no record: {error}") from None
    number = _field(table, "format", int, "the head")
    if number != FORMAT:
        raise RecordError(f"this record has format {number}; this program reads format {FORMAT}")
    _no_others(table, _HEAD, "the head")
    players = _list(table, "players", str, "the head")
    hands = table.get("hands")
    if not isinstance(hands, list) or not all(isinstance(hand, dict) for hand in hands):
        raise RecordError("the record has no hands")
    seed = table.get("seed")
    if seed is not None and not isinstance(seed, str):
        raise RecordError("field 'seed' in the head is no text")
    record = Record(
        rules=_field(table, "rules", str, "the head"),
        digest=_field(table, "digest", str, "the head"),
        engine_rules=_field(table, "engine_rules", int, "the head"),
        players=players,
        seed=seed,
        points=_list(table, "points", int, "the head", len(players)),
        places=_list(table, "places", int, "the head", len(players)),
        hands=tuple(_read_hand(hand, place, len(players)) for place, hand in enumerate(hands, 1)),
    )
    if not record.played:
        _add_up(record)
    return record


def _add_up(record: Record) -> None:
    """RecordError unless the hands of a game of people give its totals: nothing replays it, so nothing else tells."""
    found = [sum(hand.points[seat] for hand in record.hands) for seat in range(len(record.players))]
    if record.hands and found != list(record.points):
        raise RecordError(f"the record's totals are {list(record.points)}; its hands give {found}")


def _read_hand(table: dict[str, Any], place: int, players: int) -> HandRecord:
    where = f"hand {place}"
    _no_others(table, _HAND, where)
    dead = _field(table, "dead", bool, where) if "dead" in table else False
    if dead and ("closer" in table or "at_once" in table):
        raise RecordError(f"{where} is marked dead, but says who closed it")
    closer = None if dead else _seat(table, "closer", where, players)
    if "left" in table and "acts" in table:
        raise RecordError(f"{where} has acts, which say what cards are left; 'left' is for games of people")
    left = _list(table, "left", str, where, players) if "left" in table else ()
    acts = _field(table, "acts", str, where) if "acts" in table else ""
    deck = _field(table, "deck", str, where) if "deck" in table else ""
    try:
        cards = parse_cards(deck)
        held = tuple(None if text == UNSEEN else parse_cards(text) for text in left)
    except NotationError as error:
        raise RecordError(f"{where}: {error}") from None
    return HandRecord(
        contract=_field(table, "contract", str, where),
        dealer=_seat(table, "dealer", where, players),
        points=_list(table, "points", int, where, players),
        closer=closer,
        at_once=False if dead else _field(table, "at_once", bool, where),
        acts=tuple(line for line in acts.split("\n") if line),
        deck=cards,
        left=held,
    )


_HEAD = frozenset(("format", "rules", "digest", "engine_rules", "players", "seed", "points", "places", "hands"))
_HAND = frozenset(("contract", "dealer", "points", "dead", "closer", "at_once", "left", "deck", "acts"))


def _no_others(table: dict[str, Any], known: frozenset[str], where: str) -> None:
    for name in table:
        if name not in known:
            raise RecordError(f"field '{name[:20]}' in {where} is unknown")


def _field(table: dict[str, Any], name: str, kind: type, where: str) -> Any:
    value = table.get(name)
    if type(value) is not kind:
        raise RecordError(f"field '{name}' in {where} is missing or of the wrong type")
    return value


def _list(table: dict[str, Any], name: str, kind: type, where: str, length: int | None = None) -> Any:
    value = table.get(name)
    if not isinstance(value, list) or any(type(item) is not kind for item in value):
        raise RecordError(f"field '{name}' in {where} is missing or of the wrong type")
    if length is not None and len(value) != length:
        raise RecordError(f"field '{name}' in {where} has {len(value)} entries for {length} players")
    return tuple(value)


def _seat(table: dict[str, Any], name: str, where: str, players: int) -> int:
    seat: int = _field(table, name, int, where)
    if not 1 <= seat <= players:
        raise RecordError(f"field '{name}' in {where} is {seat}, which is no seat")
    return seat - 1


# --- replay ---------------------------------------------------------------------------------------------


def replay(record: Record) -> GameResult:
    """Plays the record again and returns its outcome.

    Raises RecordError, naming hand and step, where it does not replay to its own scores.
    """
    rules = _rules(record)
    if len(record.hands) != len(rules.contracts.hands.order):
        raise RecordError(
            f"the record has {len(record.hands)} hands; {rules.id} has {len(rules.contracts.hands.order)}"
        )
    game = Game(rules, len(record.players), record.seed or "", _deals(rules, record))
    for number, hand in enumerate(record.hands, 1):
        dealt = game.next_hand()
        if hand.dealer != dealt.dealer:
            raise RecordError(f"hand {number} ({hand.contract}): seat {dealt.dealer + 1} deals, not {hand.dealer + 1}")
        found = replay_hand(dealt, hand, number)
        if found != hand.result:
            raise RecordError(
                f"hand {number} ({hand.contract}): it replays to {_said(found)}, not {_said(hand.result)}"
            )
        game.keep(found)
    result = game.result()
    if result.points != record.points:
        raise RecordError(f"the record's totals are {list(record.points)}; its hands give {list(result.points)}")
    if result.places != record.places:
        raise RecordError(f"the record's places are {list(record.places)}; its hands give {list(result.places)}")
    return result


def _rules(record: Record) -> Rules:
    if record.engine_rules != ENGINE_RULES:
        raise RecordError(
            f"the record was made by version {record.engine_rules} of the engine's rules, this is version "
            f"{ENGINE_RULES}; its stored outcome stands, but it cannot be replayed"
        )
    if not record.played:
        raise RecordError("the record has no acts: it keeps the scores of a game that people played")
    try:
        rules = load_rules(record.rules)
        check_players(rules, len(record.players))
    except EngineError as error:
        raise RecordError(str(error)) from None
    if not rules.named_by(record.digest):
        raise RecordError(f"the record was played by other rules of that name ({record.digest}, not {rules.digest})")
    return rules


def _deals(rules: Rules, record: Record) -> list[Deal]:
    """The deals of a record without a seed, from its decks; with a seed there is nothing to say about decks."""
    if record.seed is not None:
        for number, hand in enumerate(record.hands, 1):
            if hand.deck:
                raise RecordError(f"hand {number} has a deck, but the record has a seed; one of the two is wanted")
        return []
    players = len(record.players)
    deals: list[Deal] = []
    for number, hand in enumerate(record.hands, 1):
        if sorted(hand.deck) != sorted(pack_cards(rules, players, number)):
            raise RecordError(f"hand {number}: without a seed it needs its deck, every card of the packs once")
        deals.append(deal_cards(rules, players, hand.deck, f"deck/{number}", number))
    return deals


def replay_hand(hand: Hand, written: HandRecord, number: int) -> HandResult:
    """Plays the lines of a hand; RecordError naming hand and step where one is not legal."""
    for step, line in enumerate(written.acts, 1):
        where = f"hand {number} ({written.contract}), step {step}"
        seat_text, _, text = line.partition(" ")
        try:
            act = parse_action(text, step)
            while hand.phase == Phase.CLAIM and not (isinstance(act, Claim) and seat_text == str(hand.actor + 1)):
                hand.apply(PASS)
            if seat_text != str(hand.actor + 1):
                raise RecordError(f"{where}: it is seat {hand.actor + 1}'s turn, not {seat_text[:9]}'s", step)
            hand.apply(act)
        except RecordError:
            raise
        except EngineError as error:
            raise RecordError(f"{where}: {error}", step) from None
    while hand.phase == Phase.CLAIM:
        hand.apply(PASS)
    result = hand.result
    if result is None:
        raise RecordError(f"hand {number} ({written.contract}) stops before its end", len(written.acts))
    return result


def _said(result: HandResult) -> str:
    who = "a dead hand" if result.closer is None else f"closed by seat {result.closer + 1}"
    return f"{list(result.points)}, {who}{' at once' if result.at_once else ''}"
