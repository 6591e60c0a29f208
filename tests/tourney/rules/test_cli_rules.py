"""Tests of `tourney rules check`, `layoff`, `score` and `arrange`, also as streams, against a second implementation."""

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.harness.clubs import club
from tests.harness.commands import Runner, run_process
from tourney.domain.errors import ExitCode

RANKS = "A23456789TJQK"
SUITS = "cdhs"
# Document 003, values of the cards left in hand.
VALUES = dict(zip(RANKS, (20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True))

EXCHANGE = "legal as an exchange for the joker, not laid off: "


def stream(verb: str, lines: list[str]) -> list[Any]:
    """Return the answers to cases on standard input, one for each line."""
    result = run_process("rules", verb, "oficial", "-", given="".join(line + "\n" for line in lines).encode())
    assert (result.code, result.err) == (0, "")
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert len(answers) == len(lines)
    return answers


# --- a second implementation, from the clauses of document 003 --------------------------------------------


def is_trio(cards: list[str]) -> bool:
    """Return whether these are three or more cards of one rank, with any number of jokers (003/1.7)."""
    return len(cards) >= 3 and len({card[0] for card in cards if card != "Jk"}) <= 1


def is_run(cards: list[str]) -> bool:
    """Return whether these are four or more cards of a suit in circular order, without adjacent jokers (003/1.7)."""
    if len(cards) < 4 or " ".join(cards).count("Jk Jk"):
        return False
    rows = ([(RANKS * 9)[start + place] + suit for place in range(len(cards))] for start in range(13) for suit in SUITS)
    return any(all(card in ("Jk", face) for card, face in zip(cards, row, strict=True)) for row in rows)


def is_contract(contract: str, melds: list[list[str]]) -> bool:
    """Return whether the melds are exactly those of the contract (003/1.8); a meld of both kinds counts as either."""
    if not contract or not melds:
        return not contract and not melds
    is_kind = {"T": is_trio, "E": is_run}
    return any(
        is_kind[kind](melds[0]) and is_contract(contract.replace(kind, "", 1), melds[1:]) for kind in set(contract)
    )


def fits(cards: list[str], card: str) -> set[str]:
    """Return the melds that the card makes of a trio, or at either end of a run (003/1.8)."""
    longer = {" ".join([*cards, card])} if is_trio(cards) and is_trio([*cards, card]) else set()
    if is_run(cards):
        longer |= {" ".join(longer_run) for longer_run in ([card, *cards], [*cards, card]) if is_run(longer_run)}
    return longer


def swaps(cards: list[str], card: str) -> set[str]:
    """Return the runs after the card replaces a joker, which goes to an end of that run or to another run (003/1.9)."""
    if card == "Jk" or not is_run(cards):
        return set()
    swapped: set[str] = set()
    for place, held in enumerate(cards):
        exchanged = [*cards[:place], card, *cards[place + 1 :]]
        if held == "Jk" and is_run(exchanged):
            swapped |= fits(exchanged, "Jk") | {" ".join(exchanged)}
    return swapped


def random_meld(chance: random.Random) -> list[str]:
    """Return a trio or a run with some jokers; sometimes a card is replaced or removed, or two are swapped."""
    suit, start = chance.choice(SUITS), chance.randrange(13)
    if chance.random() < 0.5:
        cards = [RANKS[start] + chance.choice(SUITS) for _ in range(chance.randint(3, 5))]
    else:
        cards = [(RANKS * 3)[start + place] + suit for place in range(chance.randint(4, 15))]
    for _ in range(chance.choice((0, 0, 1, 1, 2))):
        cards[chance.randrange(len(cards))] = "Jk"
    change = chance.randrange(8)
    if change == 0:
        cards[chance.randrange(len(cards))] = chance.choice(RANKS) + chance.choice(SUITS)
    elif change == 1:
        first, second = chance.sample(range(len(cards)), 2)
        cards[first], cards[second] = cards[second], cards[first]
    elif change == 2:
        cards.pop()
    return cards


# --- check, layoff, score ---------------------------------------------------------------------------------


def in_packs(melds: list[list[str]]) -> bool:
    """Return whether two packs (003/1.1) hold the cards other than jokers."""
    return max(Counter(card for meld in melds for card in meld if card != "Jk").values(), default=0) <= 2


def test_check_agrees_with_the_clauses_on_a_thousand_cases() -> None:
    chance = random.Random(3)
    cases: list[tuple[str, list[list[str]]]] = []
    for _ in range(1000):
        melds = [random_meld(chance) for _ in range(chance.choice((1, 1, 2, 3)))]
        likely = "".join("T" if is_trio(meld) else "E" for meld in melds)
        contract = likely if chance.random() < 0.8 else chance.choice(("T", "TT", "TE", "EE", "TTE"))
        cases.append((contract, melds))
    answers = stream("check", [f"{c}\t{' / '.join(map(' '.join, melds))}" for c, melds in cases])
    expected = [is_contract(contract, melds) if in_packs(melds) else None for contract, melds in cases]
    assert [answer.get("legal") for answer in answers] == expected
    assert 200 < sum(filter(None, expected)) < 800
    assert expected.count(None) > 20
    for answer in filter(lambda answer: "legal" in answer, answers):
        assert list(answer) == ["legal", "clause", "reason", "lay_down", "notes"]
        assert answer["lay_down"] == answer["legal"]
        assert (answer["clause"] is None) == answer["legal"]
        assert answer["reason"]


def test_layoff_agrees_with_the_clauses_on_a_thousand_cases() -> None:
    chance = random.Random(4)
    cases: list[tuple[list[str], str]] = []
    for _ in range(1000):
        meld = random_meld(chance)
        # Mostly a card that could continue the run at an end, or replace a joker in it, or repeat a natural card.
        index, natural = next(((index, card) for index, card in enumerate(meld) if card != "Jk"), (0, "7c"))
        targets = [-1, len(meld), index, *(joker for joker, card in enumerate(meld) if card == "Jk")]
        near = RANKS[(RANKS.index(natural[0]) - index + chance.choice(targets)) % 13]
        suit = natural[1]
        cases.append((meld, chance.choice(("Jk", near + suit, near + suit, near + suit))))
    answers = stream("layoff", [f"{' '.join(meld)}\t{card}" for meld, card in cases])
    laid_off = swapped = impossible = 0
    for (meld, card), answer in zip(cases, answers, strict=True):
        if not in_packs([meld, [card]]):
            impossible += list(answer) == ["error"]
            continue
        assert list(answer) == ["legal", "clause", "reason", "melds", "swaps"]
        assert set(answer["melds"]) == fits(meld, card), (meld, card)
        assert set(answer["swaps"]) == swaps(meld, card), (meld, card)
        assert answer["legal"] == bool(answer["melds"]) == (answer["clause"] is None)
        laid_off += bool(answer["melds"])
        swapped += bool(answer["swaps"])
    assert laid_off > 200
    assert swapped > 20
    assert impossible == sum(not in_packs([meld, [card]]) for meld, card in cases) > 5


def test_score_adds_up_the_values_of_the_document() -> None:
    chance = random.Random(5)
    pack = [rank + suit for rank in RANKS for suit in SUITS] + ["Jk"] * 3
    hands = [chance.sample(pack, chance.randrange(14)) for _ in range(200)]
    answers = stream("score", [" ".join(hand) for hand in hands])
    assert answers == [{"points": sum(50 if c == "Jk" else VALUES[c[0]] for c in hand)} for hand in hands]


CHECKS = [
    # contract, melds, legal, clause
    ("TT", "7h 7d 7c / 8h 8d Jk", True, None),
    ("tt", "7h 7d 7c / 10h 10d 10s", True, None),
    ("TET", "7h 7d 7c / 4s 5s 6s 7s / Jk Jk Jk", True, None),
    ("TTE", "4s 5s 6s 7s / 7h 7d 7c / Jk Jk Jk", True, None),
    ("E", "Qh Kh Ah 2h", True, None),
    ("E", " ".join(rank + "h" for rank in RANKS) + " Ah 2h", True, None),
    ("T", "7♥ 7♦ joker", True, None),
    ("TT", "7h 7d 7c", False, "003/1.3"),
    ("TT", "7h 7d 7c / 8h 8d 8c / 9h 9d 9c", False, "003/1.3"),
    ("TT", "7h 7d 7c / 4s 5s 6s 7s", False, "003/1.3"),
    ("E", "4s 5s 6s", False, "003/1.7"),
    ("E", "4s Jk Jk 7s", False, "003/1.7"),
    ("E", "4s 6s 5s 7s", False, "003/1.7"),
    ("T", "7h 7d 8c", False, "003/1.7"),
    ("T", "", False, "003/1.7"),
    ("TT", "7h 7d 7c / ", False, "003/1.7"),
]


@pytest.mark.parametrize(("contract", "melds", "legal", "clause"), CHECKS)
def test_check_names_the_clause_and_has_its_exit_code(
    run: Runner, contract: str, melds: str, legal: bool, clause: str | None
) -> None:
    result = run("rules", "check", "oficial", contract, melds, "--json")
    assert result.json["legal"] == legal
    assert result.json["clause"] == clause
    assert result.code == (ExitCode.DONE if legal else ExitCode.REFUSED)
    assert result.err == ""


LONGER = [
    # 002/1.8: exactly the cards of the contract are laid down. In zoliky a trio may have three or more (004/1.7), and
    # runs are as in 002 (5.11). Other rules allow longer melds.
    ("continental-rummy", "TT", "7h 7d 7c 7s / 8h 8d 8c", "002/1.8"),
    ("continental-rummy", "TE", "7h 7d 7c / 4s 5s 6s 7s 8s", "002/1.8"),
    ("continental-rummy", "TE", "7h 7d 7c / 4s 5s 6s 7s", None),
    ("zoliky", "TT", "7h 7d 7c / 8h 8d 8c 8s", None),
    ("zoliky", "TE", "7h 7d 7c 7s / 4s 5s 6s 7s", None),
    ("zoliky", "TE", "7h 7d 7c / 4s 5s 6s 7s 8s", "004/1.7, 5.11"),
    ("oficial", "TT", "7h 7d 7c 7s / 8h 8d 8c", None),
    ("fournier", "TT", "7h 7d 7c 7s / 8h 8d 8c", None),
    ("knock", "TT", "7h 7d 7c 7s / 8h 8d 8c", None),
]


@pytest.mark.parametrize(("rules", "contract", "melds", "clause"), LONGER)
def test_a_meld_longer_than_may_be_laid_down_is_refused_with_its_clause(
    run: Runner, rules: str, contract: str, melds: str, clause: str | None
) -> None:
    data = run("rules", "check", rules, contract, melds, "--json").json
    assert (data["legal"], data["clause"]) == (clause is None, clause)
    assert data["lay_down"] == (None if rules == "knock" else clause is None)


DISTINCT = [
    # 003/2.5 with 003/2.13: a meld that could be both kinds is the one that the contract needs, and only that.
    ("oficial+distinct+red-twos", "TE", "2h 2d 4h 2d / 5h 6h 7h 8h", None),
    ("oficial+distinct+red-twos", "TE", "2h 2d 4h 2d / 4c 4d 4s", None),
    ("oficial+distinct+red-twos", "TTE", "2h 2d 4h 2d / 4c 4d 4s / 9h 9d 9c", None),
    # Two trios would both be of fours.
    ("oficial+distinct+red-twos", "TT", "2h 2d 4h 2d / 4c 4d 4s", "003/2.5"),
    ("oficial+distinct+red-twos", "EE", "2h 2d 4h 2d / 5h 6h 7h 8h", "003/2.5"),
    ("oficial+distinct+red-twos", "EE", "2h 2d 4h 2d / 5s 6s 7s 8s", None),
    ("jokers", "TE", "Jk 5h Jk Jk / 7h 8h 9h Th", None),
    ("jokers", "EE", "Jk 5h Jk Jk / 7h 8h 9h Th", "003/2.5"),
    # A-35, 5.6: a trio of jokers has no rank.
    ("oficial+distinct", "TTT", "Jk Jk Jk / 7h 7d 7c / 8h 8d 8c", None),
    ("oficial+distinct", "TTT", "Jk Jk Jk / 7h 7d 7c / 7s 7d Jk", "003/2.5"),
]


@pytest.mark.parametrize(("rules", "contract", "melds", "clause"), DISTINCT)
def test_melds_are_distinct_if_one_reading_of_them_is(
    run: Runner, tmp_path: Path, rules: str, contract: str, melds: str, clause: str | None
) -> None:
    """The case `jokers` is a club that allows adjacent jokers: a card with three jokers is then a trio or a run."""
    if rules == "jokers":
        rules = club(tmp_path, "oficial+distinct", 'run.jokers_adjacent "allowed"')
    data = run("rules", "check", rules, contract, melds, "--json").json
    assert (data["legal"], data["clause"]) == (clause is None, clause)


@pytest.mark.parametrize(
    ("lay_off", "reason", "clause"),
    [
        ("any meld", "it fits", None),
        ("others' melds", "it fits, if the meld is another player's", None),
        ("own melds", "it fits, if the meld is one's own", None),
        ("none", "no card is laid off", "club"),
    ],
)
def test_a_club_decides_on_whose_melds_cards_are_laid_off(
    run: Runner, tmp_path: Path, lay_off: str, reason: str, clause: str | None
) -> None:
    file = club(tmp_path, "oficial", f'laying.lay_off "{lay_off}"')
    data = run("rules", "layoff", file, "7h 7d 7c", "7s", "--json").json
    assert (data["legal"], data["clause"], data["reason"]) == (clause is None, clause, reason)
    assert bool(data["melds"]) == data["legal"]


def test_a_run_out_of_order_is_shown_in_order(run: Runner) -> None:
    result = run("rules", "check", "oficial", "E", "Kh Jk 2h Qh 3h")
    assert result.out.endswith("in order it would be a run: Qh Kh Jk 2h 3h [003/1.7]\n")
    assert is_run(["Qh", "Kh", "Jk", "2h", "3h"])


ANSWERS = [
    (("check", "oficial", "TE", "7h 7d 7c / 4s 5s Jk 7s"), 0, "legal: one trio and one run\n"),
    (
        ("check", "oficial", "TT", "7h 7d 7c / 4s 5s 6s 7s"),
        1,
        "not legal: TT asks for two trios; here: one trio and one run [003/1.3]\n",
    ),
    (
        ("layoff", "oficial", "5h 6h Jk 8h", "9h"),
        0,
        "legal: it fits\n\nbecomes 5h 6h Jk 8h 9h\n",
    ),
    (
        ("layoff", "oficial", "5h 6h Jk 8h", "7h"),
        1,
        EXCHANGE + "7h continues neither end of the run 5h 6h Jk 8h [003/1.8]\n\n"
        "exchanged for the joker: Jk 5h 6h 7h 8h\nexchanged for the joker: 5h 6h 7h 8h Jk\n"
        "exchanged for the joker: 5h 6h 7h 8h\nthe joker then goes to another run of that player\n",
    ),
    (
        ("layoff", "oficial", "Jk 5h 6h Jk", "Jk"),
        1,
        "not legal: two jokers of a run may not stand side by side [003/1.7]\n",
    ),
    (
        ("layoff", "oficial", "Jk 6h 7h Jk 9h Jk", "8h"),
        1,
        EXCHANGE + "8h continues neither end of the run Jk 6h 7h Jk 9h Jk [003/1.8]\n\n"
        "exchanged for the joker: Jk 6h 7h 8h 9h Jk\nthe joker then goes to another run of that player\n",
    ),
    # 000/1.9, A-19: the joker goes to any other run, or to a trio.
    (
        ("layoff", "fournier", "5h 6h Jk 8h", "7h"),
        1,
        EXCHANGE + "7h continues neither end of the run 5h 6h Jk 8h [000/1.8]\n\n"
        "exchanged for the joker: 5h 6h 7h 8h\nthe joker then goes to another run or a trio\n",
    ),
    # 002/1.9: the example of the document, with a four.
    (
        ("layoff", "continental-rummy", "Ah 2h 3h Jk 5h", "4h"),
        1,
        EXCHANGE + "4h continues neither end of the run Ah 2h 3h Jk 5h [002/1.8]\n\n"
        "exchanged for the joker: Ah 2h 3h 4h 5h Jk\n",
    ),
    # 002/1.9: a joker at an end of the run may also go to another run; no card precedes the ace.
    (
        ("layoff", "continental-rummy", "Ah 2h 3h Jk", "4h"),
        1,
        EXCHANGE + "4h continues neither end of the run Ah 2h 3h Jk [002/1.8]\n\n"
        "exchanged for the joker: Ah 2h 3h 4h Jk\n"
        "exchanged for the joker: Ah 2h 3h 4h\nthe joker then goes to another run of that player\n",
    ),
    # 000/1.8 decides which cards fit, and A-17 only on whose melds they are laid off.
    (
        ("layoff", "fournier", "5h 6h 7h 8h", "Kd"),
        1,
        "not legal: Kd continues neither end of the run 5h 6h 7h 8h [000/1.8]\n",
    ),
    (("layoff", "fournier", "7h 7d 7c", "8h"), 1, "not legal: 8h is not of the rank of the trio 7h 7d 7c [000/1.8]\n"),
    (
        ("layoff", "continental-rummy", "Ah 2h 3h Jk 5h 6h 7h 8h 9h Th Jh Qh Kh", "4h"),
        1,
        "not legal: a run has at most 13 cards [A-14]\n",
    ),
    (
        ("layoff", "continental-rummy", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Jk", "Kh"),
        1,
        EXCHANGE + "a run has at most 13 cards [A-14]\n\n"
        "exchanged for the joker: Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh\n"
        "the joker then goes to another run of that player\n",
    ),
    (
        ("layoff", "zoliky", "5h 6h Jk 8h", "7h"),
        1,
        "not legal: 7h continues neither end of the run 5h 6h Jk 8h [004/1.8]\n",
    ),
    (("score", "oficial", "As Kd 7h Jk"), 0, f"{20 + 10 + 7 + 50} points\n"),
    (("score", "oficial", ""), 0, "0 points\n"),
    # 001/1.2: an ace left in hand counts 15, a joker 20; a run may have three cards.
    (("score", "knock", "As Kd 7h Jk"), 0, f"{15 + 10 + 7 + 20} points\n"),
    # 001/1.10: cards in melds do not count; the arrangement with the fewest points counts.
    (("score", "knock", "As 2s 3s Kd"), 0, "10 points\n"),
    (("score", "knock", "7h 7d 7c 7s 8s 9s Kd"), 0, "10 points\n"),
    (("score", "knock", "5h 6h Jk Kd"), 0, "10 points\n"),
    (("score", "knock", "As 2s 3s"), 0, "0 points\n"),
    (("check", "knock", "TE", "7h 7d Jk / As 2s 3s"), 0, "legal: one trio and one run\n"),
    # 001/1.8: after a knock the players add up the cards that they hold; nobody lays off.
    (("layoff", "knock", "5h 6h 7h", "8h"), 1, "not legal: nobody lays cards off in the knock game [001/1.8]\n"),
    (("layoff", "knock", "5h 6h 7h", "Kd"), 1, "not legal: nobody lays cards off in the knock game [001/1.8]\n"),
    (
        ("arrange", "knock", "TE", "7h 7d Jk As 2s 3s Ad"),
        0,
        "possible: 7d 7h Jk / As 2s 3s\n\nleft: Ad (15 points)\n",
    ),
    (
        ("arrange", "oficial", "TT", "7h 7d 7c Ks Kd Jk 2c"),
        0,
        "possible: 7c 7d 7h / Kd Ks Jk\n\nleft: 2c (2 points)\n",
    ),
]


@pytest.mark.parametrize(
    ("words", "code", "out"), ANSWERS, ids=lambda value: " ".join(value) if type(value) is tuple else ""
)
def test_answers_as_text(run: Runner, words: tuple[str, ...], code: int, out: str) -> None:
    """Compare the whole output; the answer of `layoff` also lists exchanges for jokers."""
    result = run("rules", *words)
    assert (result.code, result.out, result.err) == (code, out, "")


REFUSED = [
    (("check", "ofical", "T", "7h 7d 7c"), ExitCode.NOT_FOUND, "no rule set 'ofical'", "did you mean 'oficial'?"),
    (("check", "nothing-like-it", "T", "7h"), ExitCode.NOT_FOUND, "no rule set 'nothing-like-it'", "oficial"),
    (("show", "oficial+scald"), ExitCode.NOT_FOUND, "oficial has no variant 'scald'", "did you mean 'scaled'?"),
    (("check", "oficial", "XX", "7h 7d 7c"), ExitCode.USAGE, "“XX” is not a contract", "TT"),
    (("check", "oficial", "TTTTTT", "7h"), ExitCode.USAGE, "is not a contract", "TT"),
    (("check", "oficial", "", "7h"), ExitCode.USAGE, "is not a contract", "TT"),
    (("check", "oficial", "TT", "7h 7d 7c / 8h 1d"), ExitCode.USAGE, "'1d' is not a card (character 15)", "7h, Td"),
    (("layoff", "oficial", "7h 7d 7c", "7s 7d"), ExitCode.USAGE, "“7s 7d” is not one card", "7h, Td"),
    (("layoff", "oficial", "7h 7d 7c", ""), ExitCode.USAGE, "“” is not one card", "7h, Td"),
    (("arrange", "oficial", "T", "As As As"), ExitCode.REFUSED, "3 cards As; the packs hold 2", "take out"),
    (("arrange", "oficial", "T", " ".join(["Jk"] * 7)), ExitCode.REFUSED, "7 cards Jk; the packs hold 6", "take out"),
    (("score", "oficial", "7h 7h 7h"), ExitCode.REFUSED, "3 cards 7h; the packs hold 2", "take out"),
    (("score", "oficial", " ".join(["Jk"] * 7)), ExitCode.REFUSED, "7 cards Jk; the packs hold 6", "take out"),
    (("score", "knock", "7h 7h 7h"), ExitCode.REFUSED, "3 cards 7h; the packs hold 2", "take out"),
    (("layoff", "oficial", "7h 7h 7h", "7c"), ExitCode.REFUSED, "3 cards 7h; the packs hold 2", "take out"),
    (("layoff", "oficial", "7h 7h 7d", "7h"), ExitCode.REFUSED, "3 cards 7h; the packs hold 2", "take out"),
    (("layoff", "oficial", " ".join(["Jk"] * 6), "Jk"), ExitCode.REFUSED, "7 cards Jk; the packs hold 6", "take out"),
    (("score", "oficial", "Zz"), ExitCode.USAGE, "'Zz' is not a card", "7h, Td"),
    (("score", "oficial+no-jokers", "7h Jk"), ExitCode.USAGE, "the packs have no jokers [003/2.12]", "take out"),
    (("score", "knock", "7h " * 27), ExitCode.REFUSED, "27 cards", "one hand"),
    (("score", "knock", "7h " * 5), ExitCode.REFUSED, "5 cards 7h", "take out"),
    (("score", "oficial", "7h 2h*"), ExitCode.USAGE, "“2h*” is not a card: red twos are not wild", "without its star"),
    (("arrange", "fournier", "TT", "2d*"), ExitCode.USAGE, "red twos are not wild (character 3)", "without its star"),
    (("check", "knock", "T", "7h 7d 2h*"), ExitCode.USAGE, "red twos are not wild (character 9)", "without its star"),
    (("layoff", "oficial", "7h 7d 7c", "2♥*"), ExitCode.USAGE, "“2h*” is not a card", "without its star"),
    (("layoff", "zoliky", "7h 7d 2h*", "7s"), ExitCode.USAGE, "“2h*” is not a card", "without its star"),
    (("arrange", "oficial", "T", "As", "--players", "5"), ExitCode.USAGE, "played by 2 to 4, not by 5", "--players"),
    (("arrange", "oficial", "T", "As", "--players", "1"), ExitCode.USAGE, "played by 2 to 4, not by 1", "--players"),
]


@pytest.mark.parametrize(("words", "code", "message", "hint"), REFUSED, ids=lambda value: str(value)[:40])
def test_an_invalid_question_is_refused_in_one_line_with_a_hint(
    run: Runner, words: tuple[str, ...], code: int, message: str, hint: str
) -> None:
    result = run("rules", *words, "--json")
    assert (result.code, result.out) == (code, "")
    first, second, rest = result.err.split("\n")
    assert message in first
    assert second.startswith("hint: ")
    assert hint in second
    assert rest == ""


# --- arrange ----------------------------------------------------------------------------------------------


def hands() -> Iterator[tuple[str, list[str]]]:
    """Yield contracts and hands of two packs and six jokers, most of them with cards of two melds."""
    chance = random.Random(6)
    pack = [rank + suit for rank in RANKS for suit in SUITS] * 2 + ["Jk"] * 6
    for contract in ("T", "E", "TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE") * 12:
        from_melds = random_meld(chance)[:5] + random_meld(chance)[:5]
        hand = [card for card in from_melds if from_melds.count(card) <= 2]
        rest = list((Counter(pack) - Counter(hand)).elements())
        yield contract, hand + chance.sample(rest, chance.randrange(9))


def test_an_arrangement_uses_every_card_once_and_its_leftovers_add_up() -> None:
    cases = list(hands())
    answers = stream("arrange", [f"{contract}\t{' '.join(hand)}" for contract, hand in cases])
    possible = 0
    for (contract, hand), answer in zip(cases, answers, strict=True):
        assert list(answer) == ["possible", "melds", "left", "points", "missing", "outs"]
        left = answer["left"].split()
        assert Counter(hand) == Counter([card for meld in answer["melds"] for card in meld.split()] + left)
        assert answer["points"] == sum(50 if card == "Jk" else VALUES[card[0]] for card in left)
        assert answer["possible"] == (answer["missing"] == 0) == (not answer["outs"])
        if answer["possible"]:
            possible += 1
            assert is_contract(contract, [meld.split() for meld in answer["melds"]])
        else:
            assert answer["melds"] == []
    assert 20 < possible < 100


def test_the_outs_are_exactly_the_cards_that_reduce_the_missing_ones() -> None:
    chance = random.Random(7)
    pack = [rank + suit for rank in RANKS for suit in SUITS] * 2 + ["Jk"] * 6
    for contract, size in (("TT", 7), ("TE", 8)):
        hand = chance.sample(pack, size)
        (before,) = stream("arrange", [f"{contract}\t{' '.join(hand)}"])
        rest = Counter(pack) - Counter(hand)
        after = stream("arrange", [f"{contract}\t{' '.join([*hand, card])}" for card in rest])
        helpful = {
            card: rest[card] for card, answer in zip(rest, after, strict=True) if answer["missing"] < before["missing"]
        }
        assert before["outs"] == helpful
        assert {answer["missing"] for answer in after} <= {before["missing"], before["missing"] - 1}


TABLES = [
    # Packs and jokers by 000/1.1 and A-02, 002/1.1, A-01, 001/1.1; four players if the options name no number.
    ("oficial", "TT", (), 2, 6),
    ("fournier", "TT", (), 2, 4),
    ("fournier", "EEE", (), 3, 6),
    ("fournier", "EEE", ("--players", "5"), 4, 8),
    ("fournier+extended", "EEEE", ("--players", "3"), 3, 6),
    ("continental-rummy", "TT", (), 2, 2),
    ("zoliky", "TT", (), 2, 4),
    ("zoliky", "TT", ("--players", "6"), 3, 6),
    ("knock", "TT", (), 2, 4),
    ("knock", "TT", ("--players", "6"), 2, 6),
]


@pytest.mark.parametrize(("rules", "contract", "table", "packs", "jokers"), TABLES)
def test_a_hand_is_arranged_with_the_packs_of_its_table(
    run: Runner, rules: str, contract: str, table: tuple[str, ...], packs: int, jokers: int
) -> None:
    """A card in hand leaves one copy fewer among the outs; more copies than the packs hold are refused."""
    outs = run("rules", "arrange", rules, contract, "7h 7d Jk", *table, "--json").json["outs"]
    assert (outs["7h"], outs["Jk"]) == (packs - 1, jokers - 1)
    for card, held in (("7h", packs), ("Jk", jokers)):
        assert run("rules", "arrange", rules, contract, " ".join([card] * held), *table).code == ExitCode.DONE
        too_many = run("rules", "arrange", rules, contract, " ".join([card] * (held + 1)), *table)
        assert too_many.code == ExitCode.REFUSED
        assert f"the packs hold {held}" in too_many.err


def test_the_order_of_letters_in_a_contract_does_not_matter() -> None:
    hand = "7h 7d 7c 4s 5s 6s 7s Kh Kd Ks 2c"
    answers = stream("arrange", [f"{contract}\t{hand}" for contract in ("TTE", "TET", "ETT", "tte", " tEt ")])
    assert all(answer == answers[0] for answer in answers)
    assert (answers[0]["possible"], answers[0]["left"], answers[0]["points"]) == (True, "2c", 2)


def test_an_impossible_arrangement_is_an_answer_with_exit_code_0(run: Runner) -> None:
    """All cards are left over."""
    result = run("rules", "arrange", "oficial", "EE", "7h 8h", "--json")
    assert result.code == 0
    assert (result.json["possible"], result.json["melds"], result.json["points"]) == (False, [], 15)
    assert result.json["missing"] == 6


# --- the stream -------------------------------------------------------------------------------------------

ERROR = {"error"}
VERDICT = {"legal", "clause", "reason", "lay_down", "notes"}
LINES = [
    ("check", b"TT\t7h 7d 7c / 8h 8d 8c", VERDICT),
    ("check", b"", ERROR),
    ("check", b"TT", ERROR),
    ("check", b"TT\t7h 7d 7c\tmore", ERROR),
    ("check", b"TT\t", VERDICT),
    ("check", b"TX\t7h 7d 7c", ERROR),
    ("check", b"T\t7h 7d 7x", ERROR),
    ("check", b"T\t7\xff", ERROR),
    ("check", "T\t7♥ 7♦ 7♣".encode(), VERDICT),
    ("layoff", b"7h 7d 7c\t7s", {"legal", "clause", "reason", "melds", "swaps"}),
    ("layoff", b"7h 7d\t7s", {"legal", "clause", "reason", "melds", "swaps"}),
    ("layoff", b"\t7s", {"legal", "clause", "reason", "melds", "swaps"}),
    ("layoff", b"7h 7d 7c\t", ERROR),
    ("layoff", b"7h 7d 7c\t7s 7d", ERROR),
    ("layoff", b"", ERROR),
    ("arrange", b"T\t7h 7d 7c", {"possible", "melds", "left", "points", "missing", "outs"}),
    ("arrange", b"T\t", {"possible", "melds", "left", "points", "missing", "outs"}),
    ("arrange", b"T\tAs As As", ERROR),
    ("arrange", b" ", ERROR),
    ("score", b"", {"points"}),
    ("score", b"   ", {"points"}),
    ("score", b"7h Jk", {"points"}),
    ("score", b"7h,Jk", {"points"}),
    ("score", b"7h Zz", ERROR),
    ("score", b"7h\t8h", ERROR),
    ("score", b"\x00", ERROR),
]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("verb", ["check", "layoff", "arrange", "score"])
def test_every_line_has_exactly_one_line_of_json(verb: str, end: bytes) -> None:
    """Check blank and invalid lines too, after a byte order mark and with no line end after the last; exit code 0."""
    cases = [(line, keys) for name, line, keys in LINES if name == verb] * 2
    given = b"\xef\xbb\xbf" + end.join(line for line, _ in cases) + b"."
    result = run_process("rules", verb, "oficial", "-", given=given[:-1] + (b"" if cases[-1][0] else end))
    assert (result.code, result.err) == (0, "")
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert [set(answer) for answer in answers] == [keys for _, keys in cases]


def test_a_stream_without_lines_has_no_answers() -> None:
    assert run_process("rules", "score", "oficial", "-", given=b"").out == ""


def test_unknown_rules_are_refused_before_the_first_line() -> None:
    result = run_process("rules", "score", "oficil", "-", given=b"7h\n")
    assert (result.code, result.out) == (ExitCode.NOT_FOUND, "")


def test_each_answer_comes_before_the_next_question() -> None:
    """A program may write a line, read its answer and write the next."""
    command = [sys.executable, "-m", "tourney", "rules", "score", "oficial", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for card, points in (("7h", 7), ("Jk", 50), ("", 0)):
            process.stdin.write(card.encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == {"points": points}
        process.stdin.close()
        assert process.wait(10) == 0
