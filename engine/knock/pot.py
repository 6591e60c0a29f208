"""The pot of the knock game, and what each player has paid and received.

Amounts are integers in the smallest unit. The pot plus all amounts received always equals all amounts paid.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.build import pickle_by_fields
from engine.errors import RulesError
from engine.rules import Rules
from engine.scoring import KnockEnding
from engine.text import message

POT = -1
"""The receiver of a payment into the pot."""


@dataclass(frozen=True, slots=True)
class Payment:
    """An amount from one seat to another, or to the POT."""

    payer: int
    receiver: int
    amount: int


@dataclass(frozen=True, slots=True)
class Pot:
    """The pot: stake, amount, and by seat the amounts paid and received and the number of buys."""

    stake: int
    amount: int
    paid: tuple[int, ...]
    received: tuple[int, ...]
    buys: tuple[int, ...]

    @property
    def net(self) -> tuple[int, ...]:
        """Return the balance of each seat so far, negative for a loss; balances and pot add up to zero."""
        return tuple(received - paid for received, paid in zip(self.received, self.paid, strict=True))


pickle_by_fields(Payment, Pot)


def check_stake(rules: Rules, stake: int) -> None:
    """Raise RulesError for a negative stake, or one whose bonuses are not whole units [A-23]."""
    bonuses = rules.knocking.bonuses
    hint = message("a multiple of {of_stake} always works", of_stake=bonuses.of_stake)
    if stake < 0:
        raise RulesError("a stake of {stake} is negative", hint, stake=stake)
    for ending, amount in (("knock", bonuses.knock), ("rummy", bonuses.rummy), ("color", bonuses.color)):
        if stake * amount % bonuses.of_stake:
            share = f"{stake * amount}/{bonuses.of_stake}"
            raise RulesError(
                "a stake of {stake} makes the bonus of a {ending} {share}, not a whole number",
                hint,
                stake=stake,
                ending=ending,
                share=share,
            )


def collect_antes(rules: Rules, players: int, stake: int) -> Pot:
    """Return the pot after everybody has put in the stake (001/1.11); RulesError as in `check_stake`."""
    check_stake(rules, stake)
    nothing = (0,) * players
    return Pot(stake, stake * players, (stake,) * players, nothing, nothing)


def bonus_owed(rules: Rules, stake: int, ending: KnockEnding, jokers: int = 0) -> int:
    """Return what each player owes after this ending, in proportion to the stake [A-23]; 0 for a continental.

    A rummy with `jokers_from` jokers or more among its ten cards also brings a knock's bonus for each (001/1.11).
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
    """Return the payments of a bonus: one of the payers pays the pot [A-24], all others pay the closer.

    `payers` are in turn order from the closer's left, `scores` are those before the hand. All owe the same amount, so
    nobody's balance depends on who pays the pot.
    """
    if rules.knocking.bonuses.pot_payer == "lowest score":
        pot_payer = min(payers, key=lambda seat: scores[seat])
    else:
        pot_payer = payers[0]
    return tuple(Payment(seat, POT if seat == pot_payer else closer, amount) for seat in payers if amount)


def pay(pot: Pot, payments: Sequence[Payment]) -> Pot:
    """Return the pot after these payments."""
    amount, paid, received = pot.amount, list(pot.paid), list(pot.received)
    for payment in payments:
        paid[payment.payer] += payment.amount
        if payment.receiver == POT:
            amount += payment.amount
        else:
            received[payment.receiver] += payment.amount
    return replace(pot, amount=amount, paid=tuple(paid), received=tuple(received))


def buy_price(rules: Rules, pot: Pot, seat: int) -> int:
    """Return the price of the seat's next buy: the stake, times `buy_factor` for each earlier buy (001/1.11)."""
    multiple: int = rules.knocking.survival.buy_factor ** pot.buys[seat]
    return pot.stake * multiple


def buy(rules: Rules, pot: Pot, seat: int) -> Pot:
    """Return the pot after the seat has paid its price into it."""
    buys = tuple(count + (other == seat) for other, count in enumerate(pot.buys))
    return replace(pay(pot, [Payment(seat, POT, buy_price(rules, pot, seat))]), buys=buys)


def award_pot(pot: Pot, winners: Sequence[int]) -> Pot:
    """Return the pot, paid out equally to the winners; units that do not divide go to the first of them [A-25]."""
    share, remainder = divmod(pot.amount, len(winners))
    received = list(pot.received)
    for seat in winners:
        received[seat] += share
    received[winners[0]] += remainder
    return replace(pot, amount=0, received=tuple(received))
