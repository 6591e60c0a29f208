"""The lines of the protocol as values and text; no pipes here. The page `protocol.md` of the guide describes them.

Cards and actions are written as in records. Seats, melds, hands and listed actions count from 1 in the text.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from engine.actions import Action, Answer, Discard, DrawStock, LayDown, parse_action, parse_answer
from engine.cards import card_text, cards_text, parse_cards
from engine.errors import NotationError
from engine.games.knock_game import Offer
from engine.hand import Legal
from engine.rules import Rules
from engine.scoring import GameResult, HandResult
from engine.state import Phase
from engine.view import View
from tourney.bots.faults import ILLEGAL, UNREADABLE, BotFault, FaultKind, IllegalChoice, cut

VERSION: Final = 1
"""The version of the protocol; a program of another version is refused."""
GREETING: Final = f"tourney {VERSION}\n"
FAREWELL: Final = "bye\n"
LISTED_LAY_DOWNS: Final = 50
"""The most lay-downs that an ask lists; others, and longer ones, may be answered as text."""
PHASES: Final = {Phase.DRAW: "draw", Phase.CLAIM: "claim", Phase.PLAY: "play"}
FAMILIES: Final = ("contract", "knock")

Item = TypeVar("Item")

Filter = frozenset[int] | None
"""The faces about which a bot wants to be asked; None: all."""

_DISCARD_TEXTS: Final = tuple(f"discard {card_text(face)}" for face in range(53))


@dataclass(frozen=True, slots=True)
class Hello:
    """A program's answer to the greeting: its name, what it can play, and what it wants to be asked."""

    name: str
    version: str = ""
    families: tuple[str, ...] = FAMILIES
    least: int = 2
    most: int = 12
    claims: Filter = None
    takes: Filter = None


class HelloReader:
    """A reader of the lines from `hello` to `ready`; each line may stand once, in any order."""

    def __init__(self) -> None:
        self.hello: Hello | None = None
        self._said: dict[str, str] = {}

    def add(self, line: str) -> bool:
        """Read a line; return whether it was the last one. BotFault for a line that does not belong here."""
        word, _blank, rest = line.strip().partition(" ")
        if not self._said and word != "hello":
            raise BotFault(UNREADABLE, f"a program answers `hello {VERSION} NAME`, not “{cut(line)}”")
        if word in self._said or word not in ("hello", "families", "seats", "claims", "takes", "ready"):
            raise BotFault(UNREADABLE, f"“{cut(line)}” does not belong between hello and ready")
        self._said[word] = rest
        if word == "ready":
            self.hello = self._read()
        return word == "ready"

    def _read(self) -> Hello:
        number, name, version = (*self._said["hello"].split(None, 2), "", "", "")[:3]
        if number != str(VERSION):
            raise BotFault(UNREADABLE, f"the program speaks version {cut(number) or 'none'}, not {VERSION}")
        families = tuple(self._said.get("families", " ".join(FAMILIES)).split())
        if not families or not set(families) <= set(FAMILIES):
            raise BotFault(UNREADABLE, f"families are of: {', '.join(FAMILIES)}")
        least, most = _seats(self._said.get("seats", "2 12"))
        claims, takes = (read_filter(self._said.get(word, "all")) for word in ("claims", "takes"))
        return Hello(cut(name), cut(version), families, least, most, claims, takes)


def _seats(text: str) -> tuple[int, int]:
    numbers = [int(word) for word in text.split() if word.isascii() and word.isdigit() and len(word) < 4]
    if len(numbers) != 2 or len(text.split()) != 2 or numbers[0] > numbers[1]:
        raise BotFault(UNREADABLE, "seats are two numbers, the fewest and the most")
    return numbers[0], numbers[1]


def read_filter(text: str) -> Filter:
    """Return the filter of `all`, `none` or cards; BotFault for any other text."""
    if text.strip() == "all":
        return None
    if text.strip() == "none":
        return frozenset()
    try:
        return frozenset(parse_cards(text))
    except NotationError as error:
        raise BotFault(UNREADABLE, error.reason) from None


# --- the referee's lines ------------------------------------------------------------------------------------


def rules_lines(rules: Rules) -> str:
    """Return the rules: their name, and a line for every field."""
    lines = [f"rules {rules.id} {rules.kind} {rules.digest}"]
    for path in rules.sources:
        table, _dot, name = path.partition(".")
        holder = getattr(rules.play, table, None) or getattr(rules, table)
        lines.append(f"rule {path} {_rule_value(getattr(holder, name))}")
    return _text(lines)


def _rule_value(value: object) -> str:
    if value is None or value == ():
        return "none"
    if not isinstance(value, tuple):
        return str(value)
    separator = ", " if value and isinstance(value[0], tuple) else " "
    return separator.join([_rule_value(item) for item in value])


def game_line(players: int, seat: int, seed: str, stake: int = 0) -> str:
    """Return the line that begins a game; `seed` is for the bot's own random numbers."""
    return f"game players {players} seat {seat + 1} seed {seed}{f' stake {stake}' if stake else ''}\n"


def hand_lines(view: View) -> str:
    """Return the lines that begin a hand, as the seat of the view sees it."""
    active = [seat + 1 for seat, size in enumerate(view.sizes) if size]
    lines = [
        f"hand {view.number} {view.contract or 'none'} dealer {view.dealer + 1} turn {view.turn + 1}",
        f"active {_numbers(active)}",
        f"totals {_numbers(view.totals)}",
        f"cards {cards_text(view.hand.cards())}",
    ]
    if view.top is not None:
        lines.append(f"top {card_text(view.top)}")
    return _text(lines)


def see_line(seat: int, action: Action | Answer) -> str:
    """Return the line of an action that everybody sees, as a record has it."""
    return f"see {seat + 1} {action_text(action)}\n"


def got_line(faces: Sequence[int]) -> str:
    """Return the line of the cards that the seat took face down."""
    return f"got {cards_text(faces)}\n" if faces else ""


SHUFFLED: Final = "shuffled\n"
"""The line of discards that become the stock."""


def ask_lines(phase: str, actions: Sequence[Action] | Sequence[Answer]) -> str:
    """Return a question with its numbered actions."""
    numbered = [f"{number} {action_text(action)}" for number, action in enumerate(actions, 1)]
    return _text([f"ask {phase} {len(actions)}", *numbered])


def offer_line(offer: Offer) -> str:
    """Return the line that an ask for an answer to an offer follows."""
    return f"offer price {offer.price} to {offer.to} pot {offer.pot} totals {_numbers(offer.scores)}\n"


def fault_line(kind: FaultKind, text: str) -> str:
    """Return the line that tells a bot of its fault; the fallback's action follows as `see`."""
    return f"fault {kind.name} {cut(text)}\n"


def result_line(result: HandResult) -> str:
    """Return the line that ends a hand."""
    closer = "none" if result.closer is None else str(result.closer + 1)
    ending = f" ending {result.ending}" if result.ending else ""
    return f"result closer {closer}{ending} points {_numbers(result.points)}\n"


def end_line(result: GameResult) -> str:
    """Return the line that ends a game."""
    money = f" money {_numbers(result.money)}" if result.money else ""
    return f"end points {_numbers(result.points)} places {_numbers(result.places)}{money}\n"


def action_text(action: Action | Answer) -> str:
    """Return the action as records write it."""
    if isinstance(action, Discard):
        return _DISCARD_TEXTS[action.face]
    return "stock" if isinstance(action, DrawStock) else str(action)


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"


# --- a bot's lines ------------------------------------------------------------------------------------------


def listed(legal: Legal) -> list[Action]:
    """Return the actions that an ask lists, in their order: all but lay-downs beyond the first LISTED_LAY_DOWNS."""
    actions: list[Action] = []
    lay_downs = 0
    for action in legal:
        if isinstance(action, LayDown):
            lay_downs += 1
            if lay_downs > LISTED_LAY_DOWNS:
                break
        actions.append(action)
    return actions


def read_action(line: str, actions: Sequence[Action], legal: Legal) -> Action:
    """Return the action that the answer means: a number of the list, or its text.

    Raises BotFault for an illegal action, or for a line that is none.
    """
    text = line.strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return _numbered(int(text), actions)
    try:
        action = parse_action(text)
    except NotationError as error:
        raise BotFault(UNREADABLE, error.reason) from None
    refused = None if action in actions else legal.refusal_to_apply(action)
    if refused is not None:
        raise IllegalChoice(text, refused)
    return action


def read_offer_answer(line: str, answers: Sequence[Answer]) -> Answer:
    """Return the answer to an offer; BotFault for a line that is none."""
    text = line.strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return _numbered(int(text), answers)
    try:
        return parse_answer(text)
    except NotationError as error:
        raise BotFault(UNREADABLE, error.reason) from None


def _numbered(number: int, items: Sequence[Item]) -> Item:
    if not 1 <= number <= len(items):
        raise BotFault(ILLEGAL, f"there is no action {number}; the list has {len(items)}")
    return items[number - 1]
