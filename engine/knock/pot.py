"""The money of the knock game: the pot, and what each player has paid and received.

Amounts are integers in the smallest unit. At any moment the pot and all that was received are all that was paid.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.build import pickle_by_fields
from engine.errors import RulesError
from engine.rules import Rules
from engine.scoring import KnockEnding

POT = -1
"""Stands for the pot where a seat receives a payment."""


@dataclass(frozen=True, slots=True)
class Payment:
    """An amount from one seat to another, or to the POT."""

    payer: int
    receiver: int
    amount: int


@dataclass(frozen=True, slots=True)
class Pot:
    """The pot, and by seat what each has paid (antes, bonuses, buys) and received, and how often it has bought."""

    stake: int
    amount: int
    paid: tuple[int, ...]
    received: tuple[int, ...]
    buys: tuple[int, ...]

    @property
    def net(self) -> tuple[int, ...]:
        """What each seat has won or lost so far; with the pot that adds up to nothing."""
        return tuple(got - gave for got, gave in zip(self.received, self.paid, strict=True))


pickle_by_fields(Payment, Pot)


def check_stake(rules: Rules, stake: int) -> None:
    """RulesError for a stake below nothing, or one whose bonuses are no whole units [A-23]."""
    bonuses = rules.knocking.bonuses
    whole = f"a multiple of {bonuses.of_stake} always does"
    if stake < 0:
        raise RulesError(f"a stake of {stake} is less than nothing", whole)
    for ending, amount in (("knock", bonuses.knock), ("rummy", bonuses.rummy), ("color", bonuses.color)):
        if stake * amount % bonuses.of_stake:
            share = f"{stake * amount}/{bonuses.of_stake}"
            raise RulesError(f"a stake of {stake} makes the bonus of a {ending} {share}, no whole number", whole)


def collect_antes(rules: Rules, players: int, stake: int) -> Pot:
    """Everybody puts the stake into the pot (001/1.11); RulesError as `check_stake` says."""
    check_stake(rules, stake)
    nothing = (0,) * players
    return Pot(stake, stake * players, (stake,) * players, nothing, nothing)


def bonus_owed(rules: Rules, stake: int, ending: KnockEnding, jokers: int = 0) -> int:
    """What each player owes when a hand ends so: in proportion to the stake [A-23], nothing for a continental.

    A rummy with many jokers among its ten cards brings a knock's bonus for each of them besides (001/1.11).
    """
    bonuses = rules.knocking.bonuses
    if ending == "continental":
        return 0
    share = {"knock": bonuses.knock, "rummy": bonuses.rummy, "color": bonuses.color}[ending]
    if ending == "rummy" and jokers >= bonuses.jokers_from:
        share += bonuses.knock * jokers
    return stake * share // bonuses.of_stake


def bonus_payments(
    rules: Rules, amount: int, closer: int, payers: Sequence[int], scores: Sequence[int]
) -> tuple[Payment, ...]:
    """Who pays whom: all the closer, except one who pays into the pot [A-24]. Heads-up the only payer does.

    `payers` stand in turn order from the closer's left, `scores` are those before the hand. All owe the same, so
    that nobody's balance depends on who it is that pays into the pot.
    """
    if rules.knocking.bonuses.pot_payer == "lowest score":
        chosen = min(payers, key=lambda seat: scores[seat])
    else:
        chosen = payers[0]
    return tuple(Payment(seat, POT if seat == chosen else closer, amount) for seat in payers if amount)


def pay(pot: Pot, payments: Sequence[Payment]) -> Pot:
    """The money after these payments."""
    amount, paid, received = pot.amount, list(pot.paid), list(pot.received)
    for payment in payments:
        paid[payment.payer] += payment.amount
        if payment.receiver == POT:
            amount += payment.amount
        else:
            received[payment.receiver] += payment.amount
    return replace(pot, amount=amount, paid=tuple(paid), received=tuple(received))


def buy_price(rules: Rules, pot: Pot, seat: int) -> int:
    """What the next buy costs that seat: the stake, doubled for every time that it has bought (001/1.11)."""
    times: int = rules.knocking.survival.buy_factor ** pot.buys[seat]
    return pot.stake * times


def buy(rules: Rules, pot: Pot, seat: int) -> Pot:
    """The money after the seat has paid its price into the pot."""
    buys = tuple(count + (other == seat) for other, count in enumerate(pot.buys))
    return replace(pay(pot, [Payment(seat, POT, buy_price(rules, pot, seat))]), buys=buys)


def award_pot(pot: Pot, winners: Sequence[int]) -> Pot:
    """The pot goes to the winners in equal parts, units that do not divide to the first of them [A-25]."""
    part, odd = divmod(pot.amount, len(winners))
    received = list(pot.received)
    for seat in winners:
        received[seat] += part
    received[winners[0]] += odd
    return replace(pot, amount=0, received=tuple(received))
