"""Packs and jokers in words: how many at which table, and from which hand on."""

from engine.rules import Rules
from tourney.text.i18n import _


def packs_text(rules: Rules) -> str:
    """As `Packs of 52 cards: 2.`, or `Packs of 52 cards. With 2 to 4 players: 2; from hand 3 on: 3. With …`."""
    told = {tables: _growing(rules, tables[1]) for tables in _tables(rules, {row[0] for row in rules.pack.packs})}
    return _told(_("Packs of 52 cards"), told)


def jokers_text(rules: Rules) -> str:
    """As `Jokers: 3 in each pack.`, or `Jokers. With 2 to 4 players: 4 in all. With 5 players: 5 in all.`"""
    each = _("{jokers} in each pack") if rules.pack.jokers_counted == "per pack" else _("{jokers} in all")
    number = dict(sorted(rules.pack.jokers, reverse=True))
    tables = _tables(rules, set(number))
    return _told(_("Jokers"), {(low, most): each.format(jokers=_of(number, most)) for low, most in tables})


def _of(number: dict[int, int], players: int) -> int:
    """The entry of the smallest table that has room for so many."""
    return number[min(most for most in number if most >= players)]


def _tables(rules: Rules, bounds: set[int]) -> list[tuple[int, int]]:
    """The sizes of tables from the least to the most players, cut behind each of the bounds."""
    least, most = rules.players.least, rules.players.most
    tops = sorted({min(bound, most) for bound in bounds if bound >= least})
    lows = [least, *(top + 1 for top in tops)]
    return list(zip(lows, tops, strict=False))


def _growing(rules: Rules, players: int) -> str:
    """As `2; from hand 3 on: 3`: the packs of so many players, hand by hand."""
    starts = sorted({hand for _most, hand, _packs in rules.pack.packs})
    packs = [(hand, rules.packs(players, hand)) for hand in starts]
    changes = [row for before, row in zip([(0, 0), *packs], packs, strict=False) if row[1] != before[1]]
    later = [_("from hand {hand} on: {packs}").format(hand=hand, packs=number) for hand, number in changes[1:]]
    return "; ".join([str(changes[0][1]), *later])


def _told(what: str, told: dict[tuple[int, int], str]) -> str:
    """One sentence if all tables are alike, otherwise one for each."""
    if len(set(told.values())) == 1:
        return _("{what}: {number}.").format(what=what, number=next(iter(told.values())))
    each = _("With {players} players: {number}.")
    return " ".join(
        [f"{what}.", *(each.format(players=_span(*sizes), number=number) for sizes, number in told.items())]
    )


def _span(low: int, most: int) -> str:
    return str(most) if low == most else _("{low} to {most}").format(low=low, most=most)
