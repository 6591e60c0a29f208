"""A table's sheet as people write it: its names are matched to seats, its hands put in order and judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.results import DeclaredHand, Length, Outcome, SheetHand
from tourney.domain.rounds import Table
from tourney.rulebook import knock_sheets, rulesets, sheets
from tourney.service.lookup import same_rules
from tourney.service.stage_view import with_rules_of_round
from tourney.text.i18n import _, either
from tourney.text.names import fold
from tourney.text.similar import similar


@dataclass(frozen=True, slots=True)
class Seats:
    """The players of a table in seat order, with their numbers as entrants."""

    players: tuple[Player, ...]
    numbers: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the players' names as they are shown."""
        return tuple(player.shown for player in self.players)

    def named_by(self, text: str) -> tuple[int, ...]:
        """Return the seats that the text may name: by the name, with or without label, the number, or a beginning."""
        folded = fold(text)
        criteria = (
            lambda seat: self.players[seat].shown == text,
            lambda seat: fold(self.players[seat].shown) == folded,
            lambda seat: fold(self.players[seat].name) == folded,
            lambda seat: str(self.numbers[seat]) == folded,
            lambda seat: self._begins(seat, folded),
        )
        return self._first(criteria)

    def meant_by(self, text: str) -> tuple[int, ...]:
        """Return the seats that a person at the table may mean: by the whole name, the seat, or the start of a name."""
        folded = fold(text)
        criteria = (
            lambda seat: self.players[seat].shown == text,
            lambda seat: fold(self.players[seat].shown) == folded,
            lambda seat: fold(self.players[seat].name) == folded,
            lambda seat: str(seat + 1) == folded,
            lambda seat: folded != "" and fold(self.players[seat].shown).startswith(folded),
        )
        return self._first(criteria)

    def similar_to(self, text: str) -> int | None:
        """Return the seat whose name, or its first word, is nearest to the text; None if none is near."""
        spellings: dict[str, int] = {}
        for seat, player in enumerate(self.players):
            name = fold(player.name)
            spellings |= {name: seat, name.partition(" ")[0]: seat}
        near = similar(text, spellings, cutoff=65)
        return spellings[near[0]] if near else None

    def _begins(self, seat: int, folded: str) -> bool:
        """Return whether the seat's name, or another word of it, begins with the folded text."""
        return folded != "" and f" {folded}" in f" {fold(self.players[seat].shown)}"

    def _first(self, criteria: Sequence[Callable[[int], bool]]) -> tuple[int, ...]:
        """Return the seats that meet the first criterion met by any seat."""
        found = (tuple(filter(criterion, range(len(self.players)))) for criterion in criteria)
        return next((seats for seats in found if seats), ())


def seats_of(event: Event, at: Table) -> Seats:
    """Return the seats of a table of the event."""
    places = {player.id: number for number, player in enumerate(event.entrants, 1)}
    return Seats(at.players, tuple(places.get(player.id, 0) for player in at.players))


def place(event: Event, at: Table) -> str:
    """Return the table's number, round and event in words, for messages."""
    return _("table {table} of round {round} of {event}").format(
        table=at.number, round=at.round, event=event.settings.name
    )


def seated(event: Event, at: Table, hands: Sequence[DeclaredHand]) -> tuple[SheetHand, ...]:
    """Return the hands by seat. Raises TourneyError REFUSED for a name of nobody, or of several, at the table."""
    seats = seats_of(event, at)
    return tuple(_Line(event, at, seats, hand).seated() for hand in hands)


def declared(seats: Seats, hands: Sequence[SheetHand]) -> tuple[DeclaredHand, ...]:
    """Return the hands with the players' names."""
    keys = seats.names
    return tuple(
        DeclaredHand(
            hand.contract,
            {keys[seat]: points for seat, points in hand.points.items()},
            None if hand.closer is None else keys[hand.closer],
            hand.at_once,
            hand.dead,
            {keys[seat]: cards for seat, cards in hand.left.items()},
            hand.ending,
            tuple(keys[seat] for seat in hand.buys),
            tuple(keys[seat] for seat in hand.declined),
        )
        for hand in hands
    )


def with_partial_sheet(
    reader: storage.Reader, event: Event, at: Table, hands: Sequence[DeclaredHand]
) -> tuple[DeclaredHand, ...]:
    """Return the hands together with the complete ones of the table's partial sheet, in the order of the contracts.

    A new hand replaces the kept one. In the knock game, where hands have no contract, nothing is added.
    """
    rules = with_rules_of_round(event, at.round).rules
    order = [contract for contract, _cards in rulesets.contracts(rules)]
    spot, named = (at.round, at.number), {hand.contract for hand in hands}
    kept = [
        hand for draft in reader.partial_sheets(event) if (draft.round, draft.table) == spot for hand in draft.hands
    ]
    rest = [hand for hand in kept if hand.contract in order and hand.contract not in named and _is_whole(at, hand)]
    if not rest:
        return tuple(hands)
    places = {contract: place for place, contract in enumerate(order)}
    return tuple(sorted((*hands, *rest), key=lambda hand: places.get(hand.contract, len(order))))


def _is_whole(at: Table, hand: DeclaredHand) -> bool:
    return len(hand.points) + len(hand.left) == len(at.players)


def written(event: Event, outcome: Outcome) -> tuple[SheetHand, ...]:
    """Return the hands of an outcome as the hands of a sheet."""
    if rulesets.family(event.rules) == "knock":
        return knock_sheets.knock_hands(event.rules, outcome)
    return tuple(
        SheetHand(hand.contract, dict(enumerate(hand.points)), hand.closer, dead=hand.closer is None)
        for hand in outcome.hands
    )


def declared_hands(event: Event, table: Table, outcome: Outcome) -> tuple[DeclaredHand, ...]:
    """Return the hands of an outcome with the players' names."""
    return declared(seats_of(event, table), written(event, outcome))


def judge(event: Event, at: Table, hands: Sequence[DeclaredHand], length: Length = "whole") -> Outcome:
    """Return the outcome of the sheet, with the event's penalty for hands that were not played.

    Raises TourneyError REFUSED, naming hand and player, for an impossible sheet.
    """
    same_rules(event)
    _sheet, outcome = _checked(event, at, hands, length)
    if not outcome.short or event.settings.unfinished != "penalty":
        return outcome
    penalty = event.settings.unfinished_points * outcome.short
    points = tuple(points + penalty for points in outcome.points)
    return replace(outcome, points=points, extra=(penalty,) * len(points))


def _checked(
    event: Event, at: Table, hands: Sequence[DeclaredHand], length: Length
) -> tuple[tuple[SheetHand, ...], Outcome]:
    """Return the sheet by seat, and its outcome. Raises TourneyError REFUSED for an impossible sheet."""
    event = with_rules_of_round(event, at.round)
    if rulesets.family(event.rules) == "knock":
        sheet = seated(event, at, numbered(hands))
    else:
        check_order(event, hands, length)
        sheet = seated(event, at, hands)
        for hand in sheet:
            refuse_missing(at, hand)
    names = [player.shown for player in at.players]
    return sheet, sheets.check_sheet(event.rules, names, sheet, length, event.settings.stake)


def first_hands(event: Event, at: Table, hands: Sequence[DeclaredHand]) -> tuple[SheetHand, ...]:
    """Return the first hands of a sheet by seat, with closers; knock hands note that all other seats declined to buy.

    Raises TourneyError REFUSED, naming hand and player, for impossible hands.
    """
    sheet, outcome = _checked(event, at, hands, "short")
    if rulesets.family(event.rules) == "contract":
        pairs = zip(sheet, outcome.hands, strict=True)
        return tuple(replace(hand, closer=score.closer) for hand, score in pairs)
    seats = range(len(at.players))
    return tuple(
        replace(hand, contract="", declined=tuple(seat for seat in seats if seat not in hand.buys)) for hand in sheet
    )


def numbered(hands: Sequence[DeclaredHand]) -> tuple[DeclaredHand, ...]:
    """Return the hands of a knock game, which have no contracts, named `hand 1` and so on for messages.

    Raises TourneyError REFUSED for a hand with a contract.
    """
    for number, hand in enumerate(hands, 1):
        if hand.contract:
            message = _("hand {number} has the contract {contract}; the knock game has none").format(
                number=number, contract=hand.contract[:40]
            )
            hint = _("write how it ended: knock, rummy, color or continental")
            raise TourneyError(ExitCode.REFUSED, message, hint)
    named = ((hand, _("hand {number}").format(number=number)) for number, hand in enumerate(hands, 1))
    return tuple(replace(hand, contract=name) for hand, name in named)


def check_order(event: Event, hands: Sequence[DeclaredHand], length: Length) -> None:
    """Raise TourneyError REFUSED unless the hands are the game's in order, or its first ones if it was stopped."""
    order = [contract for contract, _cards in rulesets.contracts(event.rules)]
    given = [hand.contract for hand in hands]
    if given == order or (length == "short" and given and given == order[: len(given)]):
        return
    hint = _("the hands are {contracts}, in this order").format(contracts=" ".join(order))
    if "" in given:
        message = _("hand {number} has no contract").format(number=given.index("") + 1)
        raise TourneyError(ExitCode.REFUSED, message, hint)
    unknown = next((contract for contract in given if contract not in order), None)
    if unknown is not None:
        raise TourneyError(ExitCode.REFUSED, _("there is no hand {hand}").format(hand=unknown[:40]), hint)
    repeated = next((contract for contract in given if given.count(contract) > 1), None)
    if repeated is not None:
        raise TourneyError(ExitCode.REFUSED, _("hand {hand} appears twice").format(hand=repeated), hint)
    if given == order[: len(given)]:
        hint = _("{hint}; if the game ended before it, add --stopped").format(hint=hint)
    last = order.index(given[-1]) if given and length == "short" else len(order)
    missing = [contract for contract in order[:last] if contract not in given]
    if missing:
        raise TourneyError(ExitCode.REFUSED, _("hand {hand} is missing").format(hand=missing[0]), hint)
    misplaced = next(contract for contract, expected in zip(given, order, strict=False) if contract != expected)
    raise TourneyError(ExitCode.REFUSED, _("hand {hand} is out of order").format(hand=misplaced), hint)


def refuse_missing(at: Table, hand: SheetHand) -> None:
    """Raise TourneyError REFUSED unless everybody has points or cards in the hand."""
    for seat, player in enumerate(at.players):
        if seat not in hand.points and seat not in hand.left:
            message = _("{hand}: the points of {player} are missing").format(hand=hand.contract, player=player.shown)
            raise TourneyError(ExitCode.REFUSED, message, _("give every player points or cards in every hand"))


class _Line:
    """One hand of a sheet whose players are being matched to seats."""

    def __init__(self, event: Event, at: Table, seats: Seats, hand: DeclaredHand) -> None:
        self._event, self._at, self._seats, self._hand = event, at, seats, hand

    def seated(self) -> SheetHand:
        """Return the hand by seat."""
        hand = self._hand
        points = {self._seat(name): number for name, number in hand.points.items()}
        left = {self._seat(name): cards for name, cards in hand.left.items()}
        if len(points) + len(left) < len(hand.points) + len(hand.left) or points.keys() & left.keys():
            raise self._refused_twice()
        closer = None if hand.closer is None else self._seat(hand.closer)
        buys, declined = (tuple(self._seat(name) for name in names) for names in (hand.buys, hand.declined))
        return SheetHand(hand.contract, points, closer, hand.at_once, hand.dead, left, hand.ending, buys, declined)

    def _seat(self, name: str) -> int:
        found = self._seats.named_by(name)
        if len(found) == 1:
            return found[0]
        if found:
            message = _("{hand}: “{name}” may be {several}").format(
                hand=self._hand.contract, name=name[:80], several=either(self._seats.names[seat] for seat in found)
            )
            raise TourneyError(ExitCode.REFUSED, message, _("write the name with its label, or the entrant's number"))
        message = _("{hand}: nobody called “{name}” sits at {place}").format(
            hand=self._hand.contract, name=name[:80], place=place(self._event, self._at)
        )
        hint = _("seated at this table: {players}").format(players=", ".join(self._seats.names))
        near = self._seats.similar_to(name)
        if near is not None:
            hint = _("did you mean {near}? {hint}").format(near=self._seats.names[near], hint=hint)
        raise TourneyError(ExitCode.REFUSED, message, hint)

    def _refused_twice(self) -> TourneyError:
        seen: set[int] = set()
        for name in (*self._hand.points, *self._hand.left):
            if (seat := self._seat(name)) in seen:
                break
            seen.add(seat)
        message = _("{hand}: {name} has points or cards twice").format(hand=self._hand.contract, name=name)
        return TourneyError(ExitCode.REFUSED, message, _("give either points or the cards left, once"))
