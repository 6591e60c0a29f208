"""Golden records: a game for every rule set and for every variant that changes the play."""

import re
from pathlib import Path

import pytest

from engine.record import Record, read, write
from engine.replay import replay
from engine.rules import all_rules, load_rules, variants_of

RECORDS = Path(__file__).parents[2] / "fixtures" / "records"
POINTS_ALONE = {"scaled", "minus50", "all-placed50", "round-values"}
"""The variants that change what is written down, and nothing at the table."""
GOLDEN = sorted(path.stem for path in RECORDS.glob("*.toml"))


def record_of(name: str) -> Record:
    return read((RECORDS / f"{name}.toml").read_text(encoding="utf-8"))


def acts(record: Record) -> str:
    return "\n".join(line for hand in record.hands for line in hand.acts)


def test_every_rule_set_and_every_variant_that_changes_the_play_has_its_record() -> None:
    wanted = set(all_rules())
    for base in all_rules():
        wanted |= {f"{base}+{name}" for name in variants_of(base) if name not in POINTS_ALONE}
    assert set(GOLDEN) == wanted


@pytest.mark.parametrize("name", GOLDEN)
def test_it_replays_to_what_it_says(name: str) -> None:
    record = record_of(name)
    result = replay(record)
    assert (record.rules, record.digest) == (name, load_rules(name).digest) or name == "oficial"
    assert (result.points, result.places) == (record.points, record.places)


@pytest.mark.parametrize("name", GOLDEN)
def test_without_its_comments_it_is_what_the_writer_writes(name: str) -> None:
    text = (RECORDS / f"{name}.toml").read_text(encoding="utf-8")
    plain = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    assert re.sub(r"\n{2,}", "\n\n", plain).strip() == write(record_of(name)).strip()
    assert text.startswith(f"# A game of `{name}`")
    assert text.count("\n# Hand ") == len(record_of(name).hands)


# What the acts of the game must show, and what they must not: by the clause of each variant.
SHOWN = {
    "fournier": (r"swap \S+ \S+ to|claim", r"\bmove\b"),
    "fournier+extended": (r"swap", r"\bmove\b"),
    "continental-rummy": (r"swap", None),
    "zoliky": (r"off", r"claim|swap|move"),
    "oficial+close5": (r"close \w\w", None),
    "oficial+red-twos": (r"2[dh]\*", None),
    "oficial+no-jokers": (r"down", r"Jk"),
    "oficial+two-jokers": (r"swap", None),
    "oficial+no-own-claim": (r"claim", None),
}


@pytest.mark.parametrize(("name", "shown"), SHOWN.items(), ids=SHOWN)
def test_it_shows_what_the_rules_are_about(name: str, shown: tuple[str, str | None]) -> None:
    there, never = shown
    assert re.search(there, acts(record_of(name)))
    assert never is None or not re.search(never, acts(record_of(name)))


def test_nobody_claims_a_fourth_time() -> None:
    """Three times in a hand somebody does."""
    record = record_of("oficial+claims3")
    claims = [sum(line == f"{seat} claim" for line in hand.acts) for hand in record.hands for seat in (1, 2, 3)]
    assert max(claims) == 3


@pytest.mark.parametrize(("name", "hands"), [("oficial+only-minus10", range(7)), ("oficial+last-minus10", (6,))])
def test_who_closes_has_laid_down_in_that_turn(name: str, hands: range | tuple[int, ...]) -> None:
    """Or nobody closes."""
    for number in hands:
        hand = record_of(name).hands[number]
        assert hand.at_once == (hand.closer is not None)
