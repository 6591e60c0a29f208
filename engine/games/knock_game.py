"""A knock game: its hands until one player is left, its totals, buys and pot, its places and the reason for each.

A finished hand is followed by bonuses, scores, eliminations, buys, and the end of the game or a split of the pot
(engine/SILENT.md, 5.12), in this order.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.actions import Buy, Decline
from engine.deal import Deal, check_players, shuffled_pack
from engine.hand import Hand
from engine.knock.pot import Payment, award_pot, bonus_owed, bonus_payments, buy, buy_price, collect_antes, pay
from engine.melds import Refusal
from engine.rules import Rules
from engine.scoring import GameResult, HandResult
from engine.text import message, plural


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer to buy points off after a hand: the price goes into the pot, the total becomes `to` (001/1.11).

    `scores` are the totals by seat, `active` the seats still in the game.
    """

    rules: Rules
    seat: int
    price: int
    to: int
    scores: tuple[int, ...]
    active: tuple[int, ...]
    pot: int


class KnockGame:
    """The hands that one group plays until one is left; seat 0 deals the first.

    Deals come from the seed, or from `decks` if given: the shuffled cards of each hand, top card first. `results`,
    `dealers` and `payments` (the bonuses) have one item per hand. `no_offer` gives, by seat, why it may not buy after
    the last hand. `winners` are the seats that have won the pot, empty until then; the first deals in the next game.
    """

    def __init__(
        self, rules: Rules, players: int, seed: str, stake: int = 0, decks: Sequence[Sequence[int]] = ()
    ) -> None:
        check_players(rules, players)
        self.rules = rules
        self.players = players
        self.seed = seed
        self.pot = collect_antes(rules, players, stake)
        self.results: list[HandResult] = []
        self.dealers: list[int] = []
        self.payments: list[tuple[Payment, ...]] = []
        self.winners: tuple[int, ...] = ()
        self.dealer = 0
        self.offer: Offer | None = None
        self.no_offer: dict[int, Refusal] = {}
        self._decks = tuple(decks)
        self._out_in_hand = [0] * players  # the hand that eliminated each seat; 0 while it is in the game
        self._active_at_hand_start = tuple(range(players))
        self._to_ask: list[int] = []

    @property
    def over(self) -> bool:
        """Return whether the game is over: the pot has been won."""
        return bool(self.winners)

    @property
    def totals(self) -> tuple[int, ...]:
        """Return the points so far by seat, less those bought off."""
        return tuple(
            sum(hand.points[seat] - (hand.off[seat] if hand.off else 0) for hand in self.results)
            for seat in range(self.players)
        )

    @property
    def active(self) -> tuple[int, ...]:
        """Return the seats still in the game."""
        return tuple(seat for seat in range(self.players) if not self._out_in_hand[seat])

    def next_hand(self) -> Hand:
        """Return the next hand, dealt to all seats still in the game; the deal passes to the left (001/1.4)."""
        number = len(self.results) + 1
        hand_seed = f"{self.seed}/hand/{number}"
        decks = self._decks
        cards = decks[number - 1] if decks else shuffled_pack(self.rules, self.players, hand_seed, number)
        return Hand(self.rules, self._dealt(number, cards, hand_seed), self.totals)

    def _dealt(self, number: int, cards: Sequence[int], seed: str) -> Deal:
        """Return the deal of these cards to the seats still in the game, one at a time, the dealer last (001/1.4)."""
        active, players = self.active, self.players
        order = [seat for seat in self._seats_left_of(self.dealer) if seat in active]
        dealt = self.rules.knocking.hand.deal * len(order)
        held = [
            tuple(cards[order.index(seat) : dealt : len(order)]) if seat in order else () for seat in range(players)
        ]
        return Deal(number, "", self.dealer, tuple(held), None, tuple(cards[dealt:]), seed)

    def add_result(self, result: HandResult) -> None:
        """Add a finished hand to the score sheet and make the first offer, or end the game, or pass the deal."""
        self._active_at_hand_start = self.active
        self.dealers.append(self.dealer)
        self.payments.append(self._bonuses(result))
        self.pot = pay(self.pot, self.payments[-1])
        self.results.append(result)
        limit = self.rules.knocking.survival.eliminated_above
        for seat in self._active_at_hand_start:
            if self.totals[seat] > limit:
                self._out_in_hand[seat] = len(self.results)
        self.no_offer = {}
        self._to_ask = self._seats_left_of(self.dealer)
        self._next_offer()

    def answer(self, action: Buy | Decline) -> None:
        """Apply the answer to the offer; then make the next offer, by the totals after this answer."""
        offer = self.offer
        assert offer is not None
        if isinstance(action, Buy):
            self.pot = buy(self.rules, self.pot, offer.seat)
            self._write_off(offer.seat, offer.scores[offer.seat] - offer.to)
        self._next_offer()

    def stop(self) -> None:
        """End the game now, as when time expires: the lowest total of the seats still in wins the pot [A-25b]."""
        self.offer = None
        self._finish(self._lowest(self.active))

    def result(self) -> GameResult:
        """Return the result of the hands played so far; `money` is what each seat has won or lost."""
        won = tuple(sum(hand.closer == seat for hand in self.results) for seat in range(self.players))
        keys = [self._rank(seat) for seat in range(self.players)]
        places = tuple(1 + sum(other < key for other in keys) for key in keys)
        why = tuple(self._why(seat) for seat in range(self.players))
        return GameResult(tuple(self.results), self.totals, won, places, why, self.pot.net)

    def _seats_left_of(self, seat: int) -> list[int]:
        """Return all seats in turn order after `seat`, which is last."""
        return [(seat + step) % self.players for step in range(1, self.players + 1)]

    def _bonuses(self, result: HandResult) -> tuple[Payment, ...]:
        """Return the bonuses that the other players of the hand owe, eliminated ones included (001/1.11)."""
        if result.ending is None or result.closer is None:
            return ()
        amount = bonus_owed(self.rules, self.pot.stake, result.ending, result.jokers)
        payers = [seat for seat in self._seats_left_of(result.closer) if seat in self.active and seat != result.closer]
        return bonus_payments(self.rules, amount, result.closer, payers, self.totals)

    def _write_off(self, seat: int, points: int) -> None:
        """Record in the last hand that the seat has bought off these points."""
        last = self.results[-1]
        off = list(last.off or (0,) * self.players)
        off[seat] = points
        self.results[-1] = replace(last, off=tuple(off))

    def _next_offer(self) -> None:
        """Make the next offer; if there is none, end the game or pass the deal."""
        self.offer = None
        while self._to_ask and self.offer is None:
            seat = self._to_ask.pop(0)
            refusal = self._refuse_buy(seat)
            if refusal is None:
                self.offer = self._offer_to(seat)
            else:
                self.no_offer[seat] = refusal
        if self.offer is None:
            self._end_or_pass_deal()

    def _refuse_buy(self, seat: int) -> Refusal | None:
        """Return why the seat may not buy points off after the last hand (001/1.11)."""
        survival, clause = self.rules.knocking.survival, self.rules.clause
        total = self.totals[seat]
        if seat not in self.active:
            return Refusal(
                clause("survival.eliminated_above"), message("is out of the game, with {total} points", total=total)
            )
        if self.results[-1].ending == "continental":
            return Refusal(clause("survival.buy_above"), "may not buy after a continental")
        if len(self._active_at_hand_start) == 2:
            return Refusal(clause("survival.buy_others"), "may not buy in a hand that began heads-up")
        if len(self.active) - 1 < survival.buy_others:
            return Refusal(
                clause("survival.buy_others"),
                message("may buy only while {buy_others} others are in the game", buy_others=survival.buy_others),
            )
        if total <= survival.buy_above:
            return Refusal(
                clause("survival.buy_above"),
                message("may buy above {buy_above} points, and has {total}", buy_above=survival.buy_above, total=total),
            )
        if total <= self._second_lowest():
            return Refusal("A-25c", message("has nothing to gain: {total} is the second lowest score", total=total))
        return None

    def _second_lowest(self) -> int:
        """Return the second lowest total of the seats still in; a buyer, who has more, does not change it [A-25c]."""
        return sorted(self.totals[seat] for seat in self.active)[1]

    def _offer_to(self, seat: int) -> Offer:
        price = buy_price(self.rules, self.pot, seat)
        return Offer(self.rules, seat, price, self._second_lowest(), self.totals, self.active, self.pot.amount)

    def _end_or_pass_deal(self) -> None:
        """Award or split the pot if the game is over; otherwise pass the deal (001/1.11)."""
        survival, active, last = self.rules.knocking.survival, self.active, self.results[-1]
        if last.ending == "continental" and last.closer is not None:
            self._finish((last.closer,))
        elif self._splits():
            self._finish(self._by_score(self._active_at_hand_start if self.players == 2 else active))
        elif len(active) == 1:
            self._finish(active)
        elif not active:
            all_out = (
                self._active_at_hand_start if survival.all_out == "split" else self._lowest(self._active_at_hand_start)
            )
            self._finish(self._by_score(all_out))
        elif len(self.results) >= survival.most_hands:
            self.stop()
        else:
            self.dealer = next(seat for seat in self._seats_left_of(self.dealer) if seat in active)

    def _splits(self) -> bool:
        """Return whether two split the pot [A-25]: the last two of three or more, or both of two once one is out."""
        survival, active = self.rules.knocking.survival, self.active
        last_two = active if self.players > 2 else self._active_at_hand_start
        if survival.split_when == "never" or len(last_two) != 2 or (self.players == 2 and len(active) == 2):
            return False
        first, second = (self.totals[seat] for seat in last_two)
        return abs(first - second) <= survival.split_within

    def _lowest(self, seats: Sequence[int]) -> tuple[int, ...]:
        """Return those of the seats that have the lowest total."""
        least = min(self.totals[seat] for seat in seats)
        return self._by_score([seat for seat in seats if self.totals[seat] == least])

    def _by_score(self, seats: Sequence[int]) -> tuple[int, ...]:
        """Return the seats by total, lowest first, then from the dealer's left; the first gets the odd unit [A-25]."""
        order = [seat for seat in self._seats_left_of(self.dealer) if seat in seats]
        return tuple(sorted(order, key=lambda seat: self.totals[seat]))

    def _finish(self, winners: Sequence[int]) -> None:
        self.winners = tuple(winners)
        self.pot = award_pot(self.pot, self.winners)

    def _rank(self, seat: int) -> tuple[int, int, int]:
        """Return the sort key of places: winners, then seats still in, then those out later; then the total."""
        if seat in self.winners:
            return (0, 0, 0)
        return (1, -(self._out_in_hand[seat] or len(self.results) + 1), self.totals[seat])

    def _why(self, seat: int) -> str:
        """Return what decided the place of a seat, as text."""
        points = plural(self.totals[seat], "point")
        last = self.results[-1] if self.results else None
        if seat in self.winners and last is not None and last.ending == "continental":
            return message("continental in hand {results}", results=len(self.results))
        if seat in self.winners and len(self.winners) > 1:
            return message("{points}, the pot is split", points=points)
        if self._out_in_hand[seat]:
            out = self._out_in_hand[seat]
            if seat in self.winners:
                return message(
                    "{points}, out in hand {hand}, the lowest of all who went out in that hand", points=points, hand=out
                )
            return message("{points}, out in hand {hand}", points=points, hand=out)
        if seat in self.winners and len(self.active) == 1:
            return message("{points}, the last one in the game", points=points)
        if seat in self.winners:
            return message("{points}, the lowest when the game was stopped", points=points)
        return message("{points}, still in the game", points=points)
