"""Questions about cards, answered by the rules: is this a contract, does this card fit, how many points is this.

Each raises TourneyError USAGE for text that is not a card or a contract, and REFUSED for more copies of a card than the
packs hold.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from engine import melds as shapes
from engine.cards import JOKER, card_text, cards_text, held_face, parse_cards
from engine.contract.laying import refuse_alike, refuse_longer
from engine.errors import NotationError, RulesError
from engine.melds import RUN, TRIO, Kind, Refusal
from engine.rules import Rules
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rules import RulesRef
from tourney.rulebook.answers import ArrangementAnswer, Fit, JokerSwap, Legality, Points
from tourney.rulebook.engine_sentences import translated
from tourney.rulebook.rule_sentences import FREED
from tourney.rulebook.rulesets import rules_of
from tourney.text.cards import shown_cards, spanish_card, spanish_letters, typed_alphabet
from tourney.text.i18n import _, both, marked, ngettext

Cards = tuple[int, ...]
USUAL_TABLE = 4
"""The number of players at a table if none is given."""
MOST_HELD = 26
"""The most cards of a knock hand in a question: twice as many as are ever held, and still searched quickly."""
FITS = {
    "any meld": marked("it fits"),
    "others' melds": marked("it fits, if the meld is another player's"),
    "own melds": marked("it fits, if the meld is one's own"),
}
"""The answer for a card that fits, by the value of `laying.lay_off`."""


def check(ref: RulesRef, contract: str, melds: str) -> Legality:
    """Return whether the melds, groups of cards between slashes in any order, are exactly the contract.

    The contract of a single meld, `T` or `E`, asks only whether that is a meld; `lay_down` says whether it may be laid
    down so. More jokers than the packs hold are a note.
    """
    rules = rules_of(ref)
    contract = contract_of(contract)
    groups = _groups(rules, melds)
    laying = _refuse_laying(rules, contract, groups)
    refusal = _refuse_meld(rules, contract, groups) if len(contract) == 1 else laying
    notes = _too_many_jokers(rules, contract, [face for group in groups for face in group])
    lay_down = None if rules.kind == "knock" else laying is None
    if refusal is not None:
        return Legality(False, refusal.clause, translated(refusal.reason), lay_down, notes)
    if lay_down is False and laying is not None:
        notes = (
            _("not to be laid down so: {reason} [{clause}]").format(
                reason=translated(laying.reason), clause=laying.clause
            ),
            *notes,
        )
    return Legality(True, None, _kinds_text(contract.count(TRIO), contract.count(RUN)), lay_down, notes)


def _refuse_laying(rules: Rules, contract: str, groups: list[Cards]) -> Refusal | None:
    """Return why these groups may not be laid down as the contract; None if they may."""
    return (
        _first_fault(rules, contract, groups)
        or _first_too_long(rules, contract, groups)
        or _contract_fault(rules, contract, [_layable(rules, group) for group in groups])
        or _laying_fault(rules, contract, groups)
    )


def _refuse_meld(rules: Rules, kind: str, groups: list[Cards]) -> Refusal | None:
    """Return why these groups are not a single meld of that kind, of whatever length; None if they are."""
    return _first_fault(rules, kind, groups) or _contract_fault(
        rules, kind, [shapes.kinds(rules, group) for group in groups]
    )


def _too_many_jokers(rules: Rules, contract: str, cards: list[int]) -> tuple[str, ...]:
    """Return a note if there are more jokers here than ever with that contract, where the rules have jokers.

    Raises TourneyError as `_refuse_impossible` does.
    """
    held = tuple(held_face(face) for face in cards)
    _refuse_impossible(rules, tuple(face for face in held if face != JOKER), contract)
    beyond = _beyond(held, *_supply(rules, contract))
    return tuple(_copies_text(face, copies, most) for face, copies, most in beyond)


def _refuse_impossible(rules: Rules, cards: Cards, contract: str = "") -> None:
    """Raise TourneyError REFUSED for more copies of a card than the packs ever hold, with that contract if any."""
    _refuse_too_many(cards, *_supply(rules, contract))


def _supply(rules: Rules, contract: str) -> tuple[int, int]:
    """Return the most packs and jokers ever in play; where the rules have no jokers, as many jokers as anybody says.

    That there are none is another refusal, which names its clause.
    """
    from engine.solver import supply

    packs, jokers = supply(rules, contract)
    return packs, jokers or sys.maxsize


def lay_off(ref: RulesRef, meld: str, card: str) -> Fit:
    """Return whether the card may be laid off on the meld, which is read as a trio and as a run if it can be both.

    The question does not name the meld's owner; the reason does, if the owner matters.
    """
    rules = rules_of(ref)
    cards = _cards(rules, meld)
    face = _one_card(rules, card)
    _refuse_impossible(rules, tuple(map(held_face, (*cards, face))))
    kinds = shapes.kinds(rules, cards)
    if not kinds or (JOKER in (*cards, face) and not _has_jokers(rules)):
        fault = _fault(rules, _likely_kind(cards, (TRIO, RUN)), cards) if not kinds else _no_jokers(rules)
        return Fit(False, fault.clause, translated(fault.reason))
    readings = [shapes.Meld(kind, shapes.roles(rules, kind, cards)) for kind in kinds]
    longer = dict.fromkeys(str(result) for reading in readings for result in shapes.fits(rules, reading, face))
    swaps = _swaps(rules, readings, face)
    refusal = _no_lay_offs(rules) or (None if longer else _misfit(rules, readings[-1], face))
    if refusal is None:
        return Fit(True, None, _(FITS[rules.contracts.laying.lay_off]), tuple(longer), swaps)
    return Fit(False, refusal.clause, translated(refusal.reason), (), swaps)


def _no_lay_offs(rules: Rules) -> Refusal | None:
    """Return why no card is laid off at all: in the knock game (001/1.8), or where the rules say so; None otherwise."""
    if rules.kind == "knock":
        return Refusal(rules.section("1.8"), _("nobody lays cards off in the knock game"))
    if rules.contracts.laying.lay_off == "none":
        return Refusal(rules.clause("laying.lay_off"), _("no card is laid off"))
    return None


def _swaps(rules: Rules, readings: list[shapes.Meld], face: int) -> tuple[JokerSwap, ...]:
    """Return the exchanges for a joker: first those after which the joker stays in the run, then those that free it."""
    staying = dict.fromkeys(str(run_) for meld in readings for run_ in shapes.swaps(rules, meld, face))
    leaving = dict.fromkeys(str(run_) for meld in readings for run_ in shapes.left_by_joker(rules, meld, face))
    goes_to = _(FREED[rules.contracts.jokers.freed]) if leaving else None
    return (*(JokerSwap(run) for run in staying), *(JokerSwap(run, goes_to) for run in leaving))


def arrange(ref: RulesRef, contract: str, cards: str, players: int | None = None) -> ArrangementAnswer:
    """Return the cheapest way to lay the contract with the packs of its hand, at a table of `players` players.

    `players` is four by default, or the nearest number that the rules allow. Raises TourneyError REFUSED for cards that
    those packs do not hold, USAGE for a number of players that the rules do not allow.
    """
    from engine import solver
    from engine.cards import Faces

    rules = rules_of(ref)
    contract = contract_of(contract)
    held = _held(rules, cards)
    packs, jokers = _packs(rules, contract, _players(rules, players))
    _refuse_too_many(held, packs, jokers)
    hand = Faces(held)
    try:
        missing = solver.distance(rules, contract, hand, packs, jokers)
    except RulesError as error:
        raise TourneyError(
            ExitCode.REFUSED, translated(error), _("ask for a contract that the packs can give")
        ) from error
    outs = solver.outs(rules, contract, hand, packs, jokers) if missing else {}
    helping: dict[str, int] = {card_text(face): copies for face, copies in outs.items()}
    best = solver.best(rules, contract, hand)
    if best is None:
        points = sum(rules.points(face) for face in held)
        return ArrangementAnswer(False, (), cards_text(hand.cards()), points, missing, helping)
    melds = tuple(str(meld) for meld in best.melds)
    return ArrangementAnswer(True, melds, cards_text(best.left), best.points, 0, {})


def score(ref: RulesRef, cards: str) -> Points:
    """Return the points of cards left in a hand; in the knock game, of those that are in no meld (001/1.2)."""
    rules = rules_of(ref)
    held = _held(rules, cards)
    if JOKER in held and not _has_jokers(rules):
        refusal = _no_jokers(rules)
        message = f"{translated(refusal.reason)} [{refusal.clause}]"
        raise TourneyError(ExitCode.USAGE, message, _("take out the joker, or name the rules by which you play"))
    if rules.kind == "knock" and len(held) > MOST_HELD:
        message = _("{held} cards; nobody ever holds more than {most}").format(held=len(held), most=MOST_HELD)
        raise TourneyError(ExitCode.REFUSED, message, _("give the cards of one hand"))
    _refuse_impossible(rules, held)
    if rules.kind == "knock":
        return Points(_deadwood(rules, held))
    return Points(sum(rules.points(face) for face in held), rules.clause("values.ranks"))


def _deadwood(rules: Rules, cards: Cards) -> int:
    """Return the least deadwood of a caught hand."""
    from engine.cards import Faces
    from engine.solver.deadwood import least_deadwood

    return least_deadwood(rules, Faces(cards), rules.values.ranks[0])


def contract_of(text: str) -> str:
    """Return the contract, trios first: `TET` becomes `TTE`. Raises TourneyError USAGE for other text."""
    letters = text.strip().upper()
    if not 1 <= len(letters) <= 5 or set(letters) - {TRIO, RUN}:
        message = _("“{text}” is not a contract").format(text=_short(text))
        raise TourneyError(ExitCode.USAGE, message, _("write T for a trio and E for a run, as in TT or TEE"))
    return TRIO * letters.count(TRIO) + RUN * letters.count(RUN)


def _short(text: str) -> str:
    return text if len(text) <= 20 else text[:20] + "…"


def _cards(rules: Rules, text: str, column: int = 1) -> Cards:
    try:
        cards = parse_cards(text, column=column)
    except NotationError as error:
        message, _found, hint = translated(error.reason).partition("; ")
        if spanish_card([text]):
            hint = _("write cards as 7h, Td, As or Jk; --cards es reads Spanish letters, p c d t")
        raise _card_error(message, error.column, hint) from error
    wild = [face for face in cards if face > JOKER]
    if wild and rules.pack.wild_twos == "none":
        message = _("“{card}” is not a card: red twos are not wild").format(card=shown_cards(card_text(wild[0])))
        raise _card_error(message, column + text.index("*"), _("write the two without its star"))
    return cards


def _card_error(message: str, column: int, hint: str) -> TourneyError:
    with_column = _("{message} (character {column})").format(message=message, column=column)
    return TourneyError(ExitCode.USAGE, with_column, hint)


def _held(rules: Rules, text: str) -> Cards:
    """Return the cards as they are in a hand, where a two is not marked wild."""
    return tuple(held_face(face) for face in _cards(rules, text))


def _one_card(rules: Rules, text: str) -> int:
    cards = _cards(rules, text)
    if len(cards) != 1:
        message = _("“{text}” is not one card").format(text=shown_cards(_short(cards_text(cards))))
        hint = _("write a card as 7h, Td, As or Jk") if typed_alphabet() == "en" else spanish_letters()
        raise TourneyError(ExitCode.USAGE, message, hint)
    return cards[0]


def _groups(rules: Rules, text: str) -> list[Cards]:
    groups: list[Cards] = []
    column = 1
    for part in text.split("/"):
        groups.append(_cards(rules, part, column))
        column += len(part) + 1
    return groups


def _first_fault(rules: Rules, contract: str, groups: list[Cards]) -> Refusal | None:
    """Return why the first group that is not a meld fails, judged as the kind that it most resembles; or None."""
    asked: tuple[Kind, ...] = tuple(kind for kind in (TRIO, RUN) if kind in contract)
    if any(JOKER in cards for cards in groups) and not _has_jokers(rules):
        return _no_jokers(rules)
    for cards in groups:
        if not shapes.kinds(rules, cards):
            return _fault(rules, _likely_kind(cards, asked), cards)
    return None


def _has_jokers(rules: Rules) -> bool:
    return any(number for _players, number in rules.pack.jokers)


def _no_jokers(rules: Rules) -> Refusal:
    return Refusal(rules.clause("pack.jokers"), _("the packs have no jokers"))


def _first_too_long(rules: Rules, contract: str, groups: list[Cards]) -> Refusal | None:
    """Return why the first meld that is too long to be laid down is refused; None if none is too long."""
    for cards in groups:
        kinds = shapes.kinds(rules, cards)
        asked = [kind for kind in kinds if kind in contract] or kinds
        if not set(asked) & set(_layable(rules, cards)):
            return refuse_longer(rules, shapes.Meld(asked[0], cards))
    return None


def _layable(rules: Rules, cards: Cards) -> tuple[Kind, ...]:
    """Return the kinds of meld that the group may be laid down as; in the knock game, which has no lay-downs, any."""
    kinds = shapes.kinds(rules, cards)
    if rules.kind == "knock":
        return kinds
    return tuple(kind for kind in kinds if refuse_longer(rules, shapes.Meld(kind, cards)) is None)


def _fault(rules: Rules, kind: Kind, cards: Cards) -> Refusal:
    refusal = shapes.fault(rules, kind, cards)
    assert refusal is not None
    if not cards:
        return Refusal(refusal.clause, _("a group without cards is not a meld"))
    ordered = _in_order(rules, cards) if kind == RUN else None
    if ordered is None:
        return refusal
    text = _("{reason}; in order it would be a run: {cards}")
    reason = text.format(reason=translated(refusal.reason), cards=shown_cards(cards_text(ordered)))
    return Refusal(refusal.clause, reason)


def _likely_kind(cards: Cards, asked: tuple[Kind, ...]) -> Kind:
    """Return the kind of meld that these cards were most likely meant to be."""
    if len(asked) == 1:
        return asked[0]
    naturals = [face for face in cards if face != JOKER]
    one_rank = len({face % 13 for face in naturals}) <= 1
    one_suit = len({face // 13 for face in naturals}) <= 1
    return RUN if not one_rank and (one_suit or len(cards) > 3) else TRIO


def _in_order(rules: Rules, cards: Cards) -> Cards | None:
    """Return the cards ordered as a run, jokers in the gaps and then at the ends; None if they make no run."""
    naturals = [face for face in cards if face != JOKER]
    for start in dict.fromkeys(face % 13 for face in naturals):
        row = sorted(naturals, key=lambda face: (face % 13 - start) % 13)
        filled = _gaps_filled(row, len(cards) - len(naturals))
        for candidate in filled:
            if shapes.is_meld(rules, RUN, candidate):
                return candidate
    return None


def _gaps_filled(row: list[int], jokers: int) -> list[Cards]:
    """Return the row with a joker in every gap, once for each way to put the other jokers at its ends."""
    filled = row[:1]
    for last, face in pairwise(row):
        gap = (face - last - 1) % 13
        filled += [JOKER] * gap + [face]
        jokers -= gap
    if jokers < 0:
        return []
    return [(*[JOKER] * low, *filled, *[JOKER] * (jokers - low)) for low in range(jokers + 1)]


def _contract_fault(rules: Rules, contract: str, kinds: list[tuple[Kind, ...]]) -> Refusal | None:
    """Return why groups of these kinds are not the contract; a group that can be both kinds counts as either."""
    trios = sum(kind == (TRIO,) for kind in kinds)
    runs = sum(kind == (RUN,) for kind in kinds)
    asked_trios, asked_runs = contract.count(TRIO), contract.count(RUN)
    if len(kinds) == len(contract) and trios <= asked_trios and runs <= asked_runs:
        return None
    reason = _("{contract} asks for {asked}; here: {given}").format(
        contract=contract,
        asked=_kinds_text(asked_trios, asked_runs),
        given=_kinds_text(len(kinds) - runs, runs),
    )
    # The knock game has no contracts: the clause is then that of the trio.
    return Refusal(rules.clause("hands.order" if "hands.order" in rules.sources else "trio.least"), reason)


def _laying_fault(rules: Rules, contract: str, groups: list[Cards]) -> Refusal | None:
    """Return why a variant does not allow these melds together; one allowed reading of the groups is enough."""
    if rules.kind == "knock":
        return None
    refusals = [refuse_alike(rules, reading) for reading in _readings(rules, contract, groups)]
    return None if None in refusals else refusals[0]


def _readings(rules: Rules, contract: str, groups: list[Cards]) -> Iterator[tuple[shapes.Meld, ...]]:
    """Yield the groups as melds of the contract, red twos in their roles, in every possible reading."""
    for kinds in product(*(_layable(rules, cards) for cards in groups)):
        if kinds.count(TRIO) == contract.count(TRIO):
            pairs = zip(kinds, groups, strict=True)
            yield tuple(shapes.Meld(kind, shapes.roles(rules, kind, cards)) for kind, cards in pairs)


_TRIOS = (marked("one trio"), marked("two trios"), marked("three trios"), marked("four trios"), marked("five trios"))
_RUNS = (marked("one run"), marked("two runs"), marked("three runs"), marked("four runs"), marked("five runs"))


def _kinds_text(trios: int, runs: int) -> str:
    """Return the number of melds in words, such as `two trios and one run`."""
    parts: list[str] = []
    if trios:
        many = ngettext("{number} trio", "{number} trios", trios).format(number=trios)
        parts.append(_(_TRIOS[trios - 1]) if trios <= len(_TRIOS) else many)
    if runs:
        many = ngettext("{number} run", "{number} runs", runs).format(number=runs)
        parts.append(_(_RUNS[runs - 1]) if runs <= len(_RUNS) else many)
    return both(parts)


def _misfit(rules: Rules, meld: shapes.Meld, face: int) -> Refusal:
    """Return why the card does not fit on the meld."""
    if meld.kind == TRIO:
        return _trio_misfit(rules, meld, face)
    if rules.run.most is not None and len(meld.cards) >= rules.run.most:
        reason = _("a run has at most {most} cards").format(most=rules.run.most)
        return Refusal(rules.clause("run.most"), reason)
    if face == JOKER:
        return Refusal(rules.clause("run.jokers_adjacent"), _("two jokers of a run may not stand side by side"))
    ends = (shapes.run_face(meld.cards, -1), shapes.run_face(meld.cards, len(meld.cards)))
    if face in ends:
        return Refusal(rules.clause("run.ace"), _("a run does not wrap around"))
    reason = _("{card} continues neither end of the run {meld}").format(
        card=shown_cards(card_text(face)), meld=shown_cards(str(meld))
    )
    return Refusal(rules.section("1.8"), reason)


def _trio_misfit(rules: Rules, meld: shapes.Meld, face: int) -> Refusal:
    if rules.trio.most is not None and len(meld.cards) >= rules.trio.most:
        reason = _("a trio has at most {most} cards").format(most=rules.trio.most)
        return Refusal(rules.clause("trio.most"), reason)
    reason = _("{card} is not of the rank of the trio {meld}").format(
        card=shown_cards(card_text(face)), meld=shown_cards(str(meld))
    )
    return Refusal(rules.section("1.8"), reason)


def _players(rules: Rules, players: int | None) -> int:
    """Return the players at the table. Raises TourneyError USAGE for a number that the rules do not allow."""
    least, most = rules.players.least, rules.players.most
    if players is None:
        return min(max(USUAL_TABLE, least), most)
    if not least <= players <= most:
        message = _("{rules} is played by {least} to {most}, not by {players}").format(
            rules=rules.id, least=least, most=most, players=players
        )
        raise TourneyError(ExitCode.USAGE, message, _("give one of these numbers with --players"))
    return players


def _packs(rules: Rules, contract: str, players: int) -> tuple[int, int]:
    """Return the numbers of packs and of jokers in the hand with that contract; if no hand has it, in the first."""
    names = [contract_of(name) for name, _dealt in rules.contracts.hands.order] if rules.kind == "contract" else []
    number = names.index(contract) + 1 if contract in names else 1
    return rules.packs(players, number), rules.jokers(players, number)


def _refuse_too_many(cards: Cards, packs: int, jokers: int) -> None:
    """Raise TourneyError REFUSED for more copies of a card than there are packs, or more than `jokers` jokers."""
    for face, held, most in _beyond(cards, packs, jokers):
        message = _copies_text(face, held, most)
        raise TourneyError(ExitCode.REFUSED, message, _("take out the cards that cannot be there"))


def _beyond(cards: Sequence[int], packs: int, jokers: int) -> Iterator[tuple[int, int, int]]:
    """Yield each card of which there are more copies than the packs hold: the card, its copies, and the most."""
    for face, held in Counter(cards).items():
        most = jokers if face == JOKER else packs
        if held > most:
            yield face, held, most


def _copies_text(face: int, held: int, most: int) -> str:
    text = ngettext("{held} card {card}; the packs hold {most}", "{held} cards {card}; the packs hold {most}", held)
    return text.format(held=held, card=shown_cards(card_text(face)), most=most)
