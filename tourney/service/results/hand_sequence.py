"""The hands of a game in the order of its sheet: what a hand lacks, when the game is over, and the score so far."""

from collections.abc import Sequence
from dataclasses import replace

from tourney.domain.events import Event
from tourney.domain.results import SheetHand
from tourney.rulebook import knock_sheets, rulesets, sheets
from tourney.service.results.sheets import Seats
from tourney.text.i18n import _, both, ngettext


class ContractSequence:
    """The hands of a contract game: contracts in a fixed order; everybody plays every hand."""

    def __init__(self, event: Event, seats: Seats) -> None:
        self.event, self.rules, self.seats = event, event.rules, seats
        self.contracts = tuple(contract for contract, _cards in rulesets.contracts(event.rules))

    def name(self, place: int) -> str:
        """Return the name of the hand at that place: its contract."""
        return self.contracts[place]

    def blank(self, place: int) -> SheetHand[int]:
        """Return the hand at that place with nothing written."""
        return SheetHand(self.contracts[place], {})

    def ended(self, hands: Sequence[SheetHand[int]]) -> bool:
        """Return whether all contracts are played."""
        return len(hands) == len(self.contracts)

    def missing(self, before: Sequence[SheetHand[int]], hand: SheetHand[int]) -> tuple[int, ...]:
        """Return the seats without points or cards."""
        seats = range(len(self.seats.players))
        return tuple(seat for seat in seats if seat not in hand.points and seat not in hand.left)

    def complete(self, before: Sequence[SheetHand[int]], hand: SheetHand[int]) -> bool:
        """Return whether everybody has points or cards."""
        return not self.missing(before, hand)

    def fault(self, before: Sequence[SheetHand[int]], hand: SheetHand[int]) -> str:
        """Return why the hand is impossible; empty if it is not. The other hands do not matter."""
        if not hand.points and not hand.left:
            return ""
        missing = self.missing(before, hand)
        return sheets.hand_fault(self.rules, self.seats.names, len(before) + 1, hand, missing)

    def similar_points(self, before: Sequence[SheetHand[int]], hand: SheetHand[int], seat: int) -> Sequence[int]:
        """Return the points that were probably meant instead of the seat's points."""
        missing = self.missing(before, hand)
        return sheets.suggested_points(self.rules, len(self.seats.players), len(before) + 1, hand, seat, missing)

    def score_lines(self, hands: Sequence[SheetHand[int]]) -> tuple[str, ...]:
        """Return one line with everybody's total."""
        if not hands:
            return ()
        size = len(self.seats.players)
        points = [sheets.hand_points(self.rules, size, number, hand) for number, hand in enumerate(hands, 1)]
        totals = map(sum, zip(*points, strict=True))
        listed = ", ".join(f"{name} {total}" for name, total in zip(self.seats.names, totals, strict=True))
        return (_("after {hand}: {totals}").format(hand=hands[-1].contract, totals=listed),)

    def stopped_line(self, hands: Sequence[SheetHand[int]]) -> str:
        """Return how many hands were not played."""
        number = len(self.contracts) - len(hands)
        return ngettext("{number} hand was not played", "{number} hands were not played", number).format(number=number)


class KnockSequence:
    """The hands of a knock game, until the pot is won: players are eliminated, and may buy points off after a hand."""

    def __init__(self, event: Event, seats: Seats) -> None:
        self.event, self.rules, self.seats = event, event.rules, seats
        self._standings: dict[tuple[int, ...], tuple[Sequence[SheetHand[int]], knock_sheets.KnockStanding]] = {}

    def name(self, place: int) -> str:
        """Return the hand's number in words."""
        return _("hand {number}").format(number=place + 1)

    def blank(self, place: int) -> SheetHand[int]:
        """Return a hand with nothing written, which has no contract."""
        return SheetHand("", {})

    def ended(self, hands: Sequence[SheetHand[int]]) -> bool:
        """Return whether somebody has won the pot."""
        return self.standing(hands).winners != ()

    def missing(self, before: Sequence[SheetHand[int]], hand: SheetHand[int]) -> tuple[int, ...]:
        """Return the seats in the game without points; the closer needs none if the ending is not a knock."""
        given = {*hand.points, *hand.left} | (set() if hand.ending in ("", "knock") else {hand.closer})
        return tuple(seat for seat in self.standing(before).active if seat not in given)

    def complete(self, before: Sequence[SheetHand[int]], hand: SheetHand[int]) -> bool:
        """Return whether the hand has an ending, everybody's points, and an answer to every buy offered."""
        ended = hand.dead or hand.closer is not None
        return ended and not self.missing(before, hand) and self.offer(before, hand) is None

    def fault(self, before: Sequence[SheetHand[int]], hand: SheetHand[int]) -> str:
        """Return why the hand is impossible after the hands before it; empty if it is not."""
        if hand.closer is None and not hand.dead:
            return ""
        missing = self.missing(before, hand)
        return knock_sheets.knock_fault(self.rules, self.seats.names, before, hand, missing)

    def similar_points(self, before: Sequence[SheetHand[int]], hand: SheetHand[int], seat: int) -> Sequence[int]:
        """Return the points that were probably meant instead of the seat's points, and are possible."""
        missing = self.missing(before, hand)
        return knock_sheets.suggested_knock_points(self.rules, self.seats.names, before, hand, seat, missing)

    def score_lines(self, hands: Sequence[SheetHand[int]]) -> tuple[str, ...]:
        """Return lines with everybody's points, who is out, and the pot; at the end of the game also its winner."""
        if not hands:
            return ()
        now = self.standing(hands)
        active, out = _("{name} {points}"), _("{name} {points} (out)")
        totals = zip(self.seats.names, now.totals, strict=True)
        listed = ", ".join(
            (active if seat in now.active else out).format(name=name, points=points)
            for seat, (name, points) in enumerate(totals)
        )
        hand = self.name(len(hands) - 1)
        if not now.winners:
            return (_("after {hand}: {totals}; the pot: {pot}").format(hand=hand, totals=listed, pot=now.pot),)
        winners = both(self.seats.names[seat] for seat in now.winners)
        won = _("the game is over, the pot goes to {winners}: {why}").format(winners=winners, why=now.why[0])
        return (_("after {hand}: {totals}").format(hand=hand, totals=listed), won)

    def stopped_line(self, hands: Sequence[SheetHand[int]]) -> str:
        """Return a line that says who gets the pot of a stopped game."""
        hand = self.name(len(hands) - 1)
        return _("the game was stopped after {hand}: the lowest score gets the pot").format(hand=hand)

    def offer(self, before: Sequence[SheetHand[int]], hand: SheetHand[int]) -> knock_sheets.BuyOffer | None:
        """Return the next buy to be offered after the hand, which has everybody's points; None if there is none."""
        hands, size = (*before, hand), len(self.seats.players)
        return knock_sheets.knock_standing(self.rules, size, hands, self.event.settings.stake, "open").offer

    def standing(self, hands: Sequence[SheetHand[int]]) -> knock_sheets.KnockStanding:
        """Return the state of the game after these hands, which is asked for often and played only once."""
        key = tuple(map(id, hands))
        if key not in self._standings:
            size, stake = len(self.seats.players), self.event.settings.stake
            # The hands are kept, too: the ids of objects that are gone are given to others.
            self._standings[key] = tuple(hands), knock_sheets.knock_standing(self.rules, size, hands, stake)
        return self._standings[key][1]

    def in_turn_order(self, hands: Sequence[SheetHand[int]], seats: set[int]) -> list[int]:
        """Return the seats in the order in which buys are offered: from the left of the last hand's dealer."""
        dealer, size = self.standing(hands).dealer, len(self.seats.players)
        return sorted(seats, key=lambda seat: (seat - dealer - 1) % size)

    def asked(self, before: Sequence[SheetHand[int]], hand: SheetHand[int]) -> list[int]:
        """Return the seats whose points are asked for; the player who knocked comes first."""
        seats = self.missing(before, replace(hand, points={}, left={}))
        return sorted(seats, key=lambda seat: (seat != hand.closer, seat))


HandSequence = ContractSequence | KnockSequence
"""The hands of either family. A hand is judged after those `before` it; places and seats count from 0."""


def hand_sequence(event: Event, seats: Seats) -> HandSequence:
    """Return the hand sequence of a game at these seats, by the family of the event's rules."""
    return (KnockSequence if rulesets.family(event.rules) == "knock" else ContractSequence)(event, seats)
