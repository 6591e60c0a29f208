"""The check of a rules file for values that are of the right type, but that no game can have together."""

from collections.abc import Iterator, Sequence

from engine.rules.values import Contracts, Knocking, Rules
from engine.text import message, plural

Fault = tuple[str, str]
"""A field's path, and what is wrong with its value."""


def impossible(path: str, reason: str, /, **values: object) -> Fault:
    """Return the fault of a field, its reason a template with these values."""
    return path, message(reason, **values)


def inconsistencies(rules: Rules) -> Iterator[Fault]:
    """Yield every impossible value as path and reason, the most basic first."""
    yield from _common(rules)
    if isinstance(rules.play, Contracts):
        yield from _hands(rules, rules.play)
        yield from _closing(rules.play)
        yield from _stocks(rules.play)
        yield from _cards(rules, rules.play)
    else:
        yield from _knocking(rules, rules.play)


def _common(rules: Rules) -> Iterator[Fault]:
    if len(rules.values.ranks) != 13:
        yield impossible(
            "values.ranks", "has {ranks} values; it needs thirteen, one for each rank", ranks=len(rules.values.ranks)
        )
    if rules.players.least > rules.players.most:
        yield impossible(
            "players.least",
            "is {least}, above players.most, which is {most}",
            least=rules.players.least,
            most=rules.players.most,
        )
    if rules.run.naturals < 1:
        yield impossible(
            "run.naturals",
            "is {naturals}; a run needs at least 1, which gives it its suit",
            naturals=rules.run.naturals,
        )
    for name, shape in (("trio", rules.trio), ("run", rules.run)):
        if shape.most is not None and shape.most < shape.least:
            yield impossible(
                f"{name}.most",
                "is {most}, below {name}.least, which is {least}",
                most=shape.most,
                name=name,
                least=shape.least,
            )
        if shape.naturals > shape.least:
            yield impossible(
                f"{name}.naturals",
                "is {naturals}, above {name}.least, which is {least}",
                naturals=shape.naturals,
                name=name,
                least=shape.least,
            )
    packs, jokers = rules.pack.packs, rules.pack.jokers
    by_hand = [
        message("up to {players} players from hand {hand} on", players=most, hand=hand) for most, hand, _ in packs
    ]
    yield from _rows_twice("pack.packs", by_hand)
    yield from _rows_twice("pack.jokers", [message("up to {players} players", players=row[0]) for row in jokers])
    if not any(most >= rules.players.most and hand == 1 for most, hand, _packs in rules.pack.packs):
        yield impossible("pack.packs", "has no packs for {most} players in hand 1", most=rules.players.most)
    if rules.pack.wild_twos == "red" and not any(jokers for _most, jokers in rules.pack.jokers):
        yield impossible("pack.wild_twos", "is 'red', but pack.jokers has none; red twos are wild besides jokers")
    if not any(most >= rules.players.most for most, _jokers in rules.pack.jokers):
        yield impossible("pack.jokers", "has no jokers for {most} players", most=rules.players.most)


def _rows_twice(path: str, places: Sequence[str]) -> Iterator[Fault]:
    """Yield a fault for rows that apply to the same tables and hands; `places` says, for each row, which."""
    for place in dict.fromkeys(places):
        if places.count(place) > 1:
            yield impossible(path, "has {count} rows for tables {place}", count=places.count(place), place=place)


def _hands(rules: Rules, play: Contracts) -> Iterator[Fault]:
    """Yield a fault for `trio.naturals` above 1, for the number of hands, and for impossible or repeated contracts.

    A contract has one to five letters T and E, and takes no more cards than are dealt and drawn first.
    """
    if rules.trio.naturals > 1:  # the solver lends a trio one natural at most
        yield impossible(
            "trio.naturals",
            "is {naturals}; where contracts are laid, a trio needs 1 or 0",
            naturals=rules.trio.naturals,
        )
    order = play.hands.order
    if not 1 <= len(order) <= 20:
        yield impossible("hands.order", "has {hands}; a game has from 1 to 20", hands=plural(len(order), "hand"))
    for path, rows in (("hands.order", order), ("bonus.same_turn_by_contract", play.bonus.same_turn_by_contract)):
        for contract, _number in rows:
            if not 1 <= len(contract) <= 5 or set(contract) - {"T", "E"}:
                yield impossible(
                    path,
                    "has a contract '{contract}'; contracts are one to five letters T and E",
                    contract=contract[:20],
                )
            if [name for name, _ in rows].count(contract) > 1:
                yield impossible(path, "has {contract} twice", contract=contract)
    for contract, dealt in order:
        least = sum(rules.trio.least if kind == "T" else rules.run.least for kind in contract)
        if dealt + 1 < least:
            yield impossible(
                "hands.order",
                "deals {cards} for {contract}, which takes {least}; deal at least {least_2}",
                cards=plural(dealt, "card"),
                contract=contract,
                least=least,
                least_2=least - 1,
            )
        if play.laying.distinct == "yes" and contract.count("E") > 4:
            yield impossible(
                "laying.distinct", "is 'yes', but {contract} has more runs than there are suits", contract=contract
            )


def _closing(play: Contracts) -> Iterator[Fault]:
    """Yield a fault if both ways of closing are forbidden, or if `closing.all_placed` is but has a bonus."""
    closing = play.closing
    if closing.all_placed == "forbidden" and closing.last_discard == "forbidden":
        yield impossible(
            "closing.all_placed", "is 'forbidden', and so is closing.last_discard; one of the two ends a hand"
        )
    if closing.all_placed == "forbidden" and play.bonus.all_placed is not None:
        yield impossible(
            "bonus.all_placed",
            "is {all_placed}, but closing.all_placed is 'forbidden'",
            all_placed=play.bonus.all_placed,
        )


def _stocks(play: Contracts) -> Iterator[Fault]:
    stock = play.stock
    if (stock.stocks == 2) != (stock.penalty_share is not None):
        share = "none" if stock.penalty_share is None else stock.penalty_share
        reason = message(
            "is {share} with stock.stocks {stocks}; two stocks need a share, and one has none",
            share=share,
            stocks=stock.stocks,
        )
        yield "stock.penalty_share", reason
    if play.claim.penalty == "penalty stock" and stock.stocks == 1:
        yield impossible("claim.penalty", "is 'penalty stock', but stock.stocks is 1")


def _cards(rules: Rules, play: Contracts) -> Iterator[Fault]:
    """Yield a fault unless the packs hold, in every hand, the cards dealt, an upcard and a card to draw."""
    for players in range(rules.players.least, rules.players.most + 1):
        for number, (contract, dealt) in enumerate(play.hands.order, 1):
            cards = 52 * rules.packs(players, number) + rules.jokers(players, number)
            needed = players * dealt + 2
            if needed > cards:
                yield impossible(
                    "players.most",
                    "is {most}, too many for the packs: {contract} deals {cards} to each of {players} players, "
                    "and the packs have {cards_2}",
                    most=rules.players.most,
                    contract=contract,
                    cards=plural(dealt, "card"),
                    players=players,
                    cards_2=cards,
                )
                return


def _knocking(rules: Rules, play: Knocking) -> Iterator[Fault]:
    """Yield a fault for a value that the knock game excludes, a deal too large for the packs, or bounds in disorder."""
    for name, shape in (("trio", rules.trio), ("run", rules.run)):
        if shape.most is not None:
            yield impossible(f"{name}.most", "is {most}; in the knock game it must be 'none'", most=shape.most)
        if shape.naturals < 1:
            yield impossible(
                f"{name}.naturals", "is {naturals}; in the knock game it must be 1 or more", naturals=shape.naturals
            )
    if rules.run.ace != "ends":
        yield impossible("run.ace", "is '{ace}'; in the knock game it must be 'ends'", ace=rules.run.ace)
    if rules.run.jokers_adjacent != "allowed":
        yield impossible(
            "run.jokers_adjacent",
            "is '{jokers_adjacent}'; in the knock game it must be 'allowed'",
            jokers_adjacent=rules.run.jokers_adjacent,
        )
    if rules.pack.wild_twos != "none":
        yield impossible(
            "pack.wild_twos", "is '{wild_twos}'; in the knock game it must be 'none'", wild_twos=rules.pack.wild_twos
        )
    if play.hand.deal > 12:
        yield impossible("hand.deal", "is {deal}; in the knock game it is at most 12", deal=play.hand.deal)
    for players in range(rules.players.least, rules.players.most + 1):
        cards = 52 * rules.packs(players) + rules.jokers(players)
        if players * play.hand.deal + 2 > cards:
            yield impossible(
                "hand.deal",
                "is {deal}, more than the packs' {cards} cards allow {players} players",
                deal=play.hand.deal,
                cards=cards,
                players=players,
            )
            return
    if play.survival.buy_above > play.survival.eliminated_above:
        yield impossible(
            "survival.buy_above", "is {buy_above}, above survival.eliminated_above", buy_above=play.survival.buy_above
        )
