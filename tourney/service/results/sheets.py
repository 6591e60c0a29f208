"""A table's sheet as people write it: its names are matched to seats, its hands put in order and judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.results import Hands, Length, Outcome, SheetHand
from tourney.domain.rounds import Table
from tourney.rulebook import knock_sheets, rulesets, sheets
from tourney.service.lookup import event_argument, same_rules, with_rules_of_round
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
        return self._named(text, self.numbers, lambda name: f" {folded}" in f" {name}")

    def meant_by(self, text: str) -> tuple[int, ...]:
        """Return the seats that a person at the table may mean: by the whole name, the seat, or the start of a name."""
        folded = fold(text)
        return self._named(text, range(1, len(self.players) + 1), lambda name: name.startswith(folded))

    def similar_to(self, text: str) -> int | None:
        """Return the seat whose name, or its first word, is nearest to the text; None if none is near."""
        spellings: dict[str, int] = {}
        for seat, player in enumerate(self.players):
            name = fold(player.name)
            spellings |= {name: seat, name.partition(" ")[0]: seat}
        near = similar(text, spellings, cutoff=65)
        return spellings[near[0]] if near else None

    def _named(self, text: str, numbers: Sequence[int], begins: Callable[[str], bool]) -> tuple[int, ...]:
        """Return the seats that meet the first criterion met by any seat; `begins` judges folded names."""
        folded = fold(text)
        criteria: tuple[Callable[[int], bool], ...] = (
            lambda seat: self.players[seat].shown == text,
            lambda seat: fold(self.players[seat].shown) == folded,
            lambda seat: fold(self.players[seat].name) == folded,
            lambda seat: str(numbers[seat]) == folded,
            lambda seat: folded != "" and begins(fold(self.players[seat].shown)),
        )
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


def seated(event: Event, at: Table, hands: Hands, before: Sequence[Player] = ()) -> tuple[SheetHand[int], ...]:
    """Return the hands by seat, where names are matched to the players.

    Hands by seat were typed when those `before` sat there in this order; without them the seats are those of now.
    Raises TourneyError REFUSED for a name of nobody, or of several, at the table, and for a player with points twice;
    CONFLICT if other people sit there now.
    """
    now = {player.id: seat for seat, player in enumerate(at.players)}
    typed = [player.id for player in before or at.players]
    if set(typed) != set(now):
        message = _("other players sit at {place} now").format(place=place(event, at))
        hint = _("see them with `tourney round show{event}`, and start again").format(event=event_argument(event))
        raise TourneyError(ExitCode.CONFLICT, message, hint)
    matching = _Matching(event, at, [now[number] for number in typed])
    return tuple(matching.seated(hand, number) for number, hand in enumerate(hands, 1))


def with_partial_sheet(
    reader: storage.Reader, event: Event, at: Table, hands: Sequence[SheetHand[int]]
) -> tuple[SheetHand[int], ...]:
    """Return the hands together with the complete ones of the table's partial sheet, in the order of the contracts.

    A new hand replaces the kept one. In the knock game, where hands have no contract, nothing is added.
    """
    rules = with_rules_of_round(event, at.round).rules
    order = [contract for contract, _cards in rulesets.contracts(rules)]
    spot, named = (at.round, at.number), {hand.contract for hand in hands}
    kept = [
        hand
        for draft in reader.results.partial_sheets(event)
        if (draft.round, draft.table) == spot
        for hand in draft.hands
    ]
    rest = [hand for hand in kept if hand.contract in order and hand.contract not in named and _is_whole(at, hand)]
    if not rest:
        return tuple(hands)
    places = {contract: place for place, contract in enumerate(order)}
    return tuple(sorted((*hands, *rest), key=lambda hand: places.get(hand.contract, len(order))))


def _is_whole(at: Table, hand: SheetHand[int]) -> bool:
    return len(hand.points) + len(hand.left) == len(at.players)


def written(event: Event, outcome: Outcome) -> tuple[SheetHand[int], ...]:
    """Return the hands of an outcome as the hands of a sheet."""
    if rulesets.family(event.rules) == "knock":
        return knock_sheets.knock_hands(event.rules, outcome)
    return tuple(
        SheetHand(hand.contract, dict(enumerate(hand.points)), hand.closer, dead=hand.closer is None)
        for hand in outcome.hands
    )


def judge(event: Event, at: Table, hands: Sequence[SheetHand[int]], length: Length = "whole") -> Outcome:
    """Return the outcome of the sheet, with the event's penalty for hands that were not played.

    Raises TourneyError REFUSED, naming hand and player, for an impossible sheet.
    """
    same_rules(event)
    outcome = _checked(event, at, hands, length)
    if not outcome.short or event.settings.unfinished != "penalty":
        return outcome
    penalty = event.settings.unfinished_points * outcome.short
    points = tuple(points + penalty for points in outcome.points)
    return replace(outcome, points=points, extra=(penalty,) * len(points))


def _checked(event: Event, at: Table, hands: Sequence[SheetHand[int]], length: Length) -> Outcome:
    """Return the outcome of the hands alone. Raises TourneyError REFUSED for an impossible sheet."""
    event = with_rules_of_round(event, at.round)
    if rulesets.family(event.rules) == "knock":
        _refuse_contracts(hands)
    else:
        _refuse_missing(at, hands)
    return sheets.check_sheet(event.rules, seats_of(event, at).names, hands, length, event.settings.stake)


def first_hands(event: Event, at: Table, hands: Sequence[SheetHand[int]]) -> tuple[SheetHand[int], ...]:
    """Return the first hands of a sheet with closers; knock hands note that all other seats declined to buy.

    Raises TourneyError REFUSED, naming hand and player, for impossible hands.
    """
    outcome = _checked(event, at, hands, "short")
    if rulesets.family(event.rules) == "contract":
        pairs = zip(hands, outcome.hands, strict=True)
        return tuple(replace(hand, closer=score.closer) for hand, score in pairs)
    seats = range(len(at.players))
    return tuple(replace(hand, declined=tuple(seat for seat in seats if seat not in hand.buys)) for hand in hands)


def _refuse_contracts(hands: Sequence[SheetHand[int]]) -> None:
    """Raise TourneyError REFUSED for a hand of a knock game that has a contract."""
    for number, hand in enumerate(hands, 1):
        if hand.contract:
            message = _("hand {number} has the contract {contract}; the knock game has none").format(
                number=number, contract=hand.contract[:40]
            )
            hint = _("write how it ended: knock, rummy, color or continental")
            raise TourneyError(ExitCode.REFUSED, message, hint)


def _refuse_missing(at: Table, hands: Sequence[SheetHand[int]]) -> None:
    """Raise TourneyError REFUSED unless everybody has points or cards in every hand."""
    for hand in hands:
        for seat, player in enumerate(at.players):
            if seat not in hand.points and seat not in hand.left:
                message = _("{hand}: the points of {player} are missing")
                message = message.format(hand=hand.contract, player=player.shown)
                raise TourneyError(ExitCode.REFUSED, message, _("give every player points or cards in every hand"))


class _Matching:
    """A table whose players are matched to those of a sheet's hands; `seats` are the present ones of seats as typed."""

    def __init__(self, event: Event, at: Table, seats: Sequence[int]) -> None:
        self._event, self._at, self._now, self._seats = event, at, seats, seats_of(event, at)

    def seated(self, hand: SheetHand[int] | SheetHand[str], number: int) -> SheetHand[int]:
        """Return the hand of that number by seat."""
        label = hand.contract or _("hand {number}").format(number=number)
        seat = partial(self._seat, label)
        given = [(player, seat(player)) for player in (*hand.points, *hand.left)]
        seen = [found for _player, found in given]
        twice = next((player for place, (player, found) in enumerate(given) if found in seen[:place]), None)
        if twice is not None:
            message = _("{hand}: {name} has points or cards twice").format(hand=label, name=twice)
            raise TourneyError(ExitCode.REFUSED, message, _("give either points or the cards left, once"))
        points = {seat(player): points for player, points in hand.points.items()}
        left = {seat(player): cards for player, cards in hand.left.items()}
        closer = None if hand.closer is None else seat(hand.closer)
        buys, declined = (tuple(map(seat, players)) for players in (hand.buys, hand.declined))
        return SheetHand(hand.contract, points, closer, hand.at_once, hand.dead, left, hand.ending, buys, declined)

    def _seat(self, hand: str, player: int | str) -> int:
        if isinstance(player, int):
            return self._now[player]
        found = self._seats.named_by(player)
        if len(found) == 1:
            return found[0]
        if found:
            message = _("{hand}: “{name}” may be {several}").format(
                hand=hand, name=player[:80], several=either(self._seats.names[seat] for seat in found)
            )
            raise TourneyError(ExitCode.REFUSED, message, _("write the name with its label, or the entrant's number"))
        message = _("{hand}: nobody called “{name}” sits at {place}").format(
            hand=hand, name=player[:80], place=place(self._event, self._at)
        )
        hint = _("seated at this table: {players}").format(players=", ".join(self._seats.names))
        near = self._seats.similar_to(player)
        if near is not None:
            hint = _("did you mean {near}? {hint}").format(near=self._seats.names[near], hint=hint)
        raise TourneyError(ExitCode.REFUSED, message, hint)
