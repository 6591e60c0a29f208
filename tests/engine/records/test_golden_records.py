"""Check the golden records: a game for each rule set and variant, with comments that are checked against the game.

The hands of a record are dealt from decks arranged by hand. Its comments state which actions are refused at a step,
and add up the points of the cards left in each hand; both are compared with the engine.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from engine.cards import cards_text, parse_cards
from engine.deal import deal_cards
from engine.errors import RecordError
from engine.hand import Hand
from engine.records.record import Record, read, write
from engine.records.replay import replay, replay_hand
from engine.rules import Rules, all_rules, load_rules, variants_of
from tests.harness.engine.rule_texts import changed_rules

RECORDS = Path(__file__).parents[3] / "fixtures" / "records"
GOLDEN = sorted(path.stem for path in RECORDS.glob("*.toml"))
COMMENTED = [name for name in GOLDEN if name not in ("oficial", "knock")]
"""The records whose comments have this form; two others have tests of their own."""

SUM = re.compile(r"^# (\w+) holds ([^:]+): ([\d +]+) = (\d+)$", re.M)
NOT_ALLOWED = re.compile(r"^# (Refused|Not offered) before step (\d+): (.+) \[([^\]]+)\]$", re.M)


def text_of(name: str) -> str:
    return (RECORDS / f"{name}.toml").read_text(encoding="utf-8")


def record_of(name: str) -> Record:
    return read(text_of(name))


def comments(name: str) -> list[str]:
    """Return the text before each hand, which has its comments."""
    return text_of(name).split("[[hands]]")[:-1]


def dealt(rules: Rules, record: Record, number: int) -> Hand:
    """Return hand `number` of the record (from 1) before its first action."""
    deck = record.hands[number - 1].deck
    return Hand(rules, deal_cards(rules, len(record.players), deck, f"deck/{number}", number))


def failure(record: Record, rules: Rules) -> str:
    """Return the error of replaying the record under `rules`; empty if it replays."""
    try:
        replay(replace(record, digest=rules.digest), rules)
    except RecordError as error:
        return str(error)
    return ""


@dataclass(frozen=True)
class NotAllowed:
    """A comment that at a step of a hand an action is refused, or that its seat is not asked."""

    name: str
    kind: str
    number: int
    step: int
    line: str
    clause: str

    def refusal(self, rules: Rules) -> str:
        """Return the message with which `rules` refuse the action at the step; empty if they allow it."""
        record = record_of(self.name)
        written = record.hands[self.number - 1]
        lines = (*written.actions[: self.step - 1], self.line)
        try:
            replay_hand(dealt(rules, record, self.number), written, self.number, lines)
        except RecordError as error:
            return "" if "stops before its end" in str(error) else str(error)
        return ""


def not_allowed() -> Iterator[NotAllowed]:
    for name in COMMENTED:
        for number, text in enumerate(comments(name), 1):
            for kind, step, line, clause in NOT_ALLOWED.findall(text):
                yield NotAllowed(name, kind, number, int(step), line, clause)


COMMENTS = list(not_allowed())


def test_every_rule_set_and_every_variant_has_a_record() -> None:
    variants = {f"{base}+{name}" for base in all_rules() for name in variants_of(base)}
    assert set(GOLDEN) == set(all_rules()) | variants


@pytest.mark.parametrize("name", GOLDEN)
def test_a_record_replays_to_its_points_and_places(name: str) -> None:
    record = record_of(name)
    assert record.rules == name
    result = replay(record)
    assert (result.points, result.places) == (record.points, record.places)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_record_without_its_comments_is_what_the_writer_writes(name: str) -> None:
    plain = "".join(line for line in text_of(name).splitlines(keepends=True) if not line.startswith("#"))
    assert plain == write(record_of(name))


# --- the sums ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMENTED)
def test_the_sums_in_comments_are_the_cards_and_points_of_the_players(name: str) -> None:
    """Check a sum for each player but the closer, with an addend for each card in the player's hand after replay."""
    record, rules = record_of(name), load_rules(name)
    for number, (text, written) in enumerate(zip(comments(name), record.hands, strict=True), 1):
        hand = dealt(rules, record, number)
        replay_hand(hand, written, number)
        sums = SUM.findall(text)
        others = [player for seat, player in enumerate(record.players) if seat != written.closer]
        assert sorted(player for player, *_ in sums) == sorted(others)
        for player, cards, addends, total in sums:
            seat = record.players.index(player)
            values = [int(value) for value in addends.split(" + ")]
            assert sum(values) == int(total) == written.points[seat]
            assert len(values) == len(parse_cards(cards))
            assert sorted(parse_cards(cards)) == sorted(hand.view(seat).hand.cards()), f"hand {number}: {player}"


@pytest.mark.parametrize("name", COMMENTED)
def test_the_cards_in_a_commented_hand_are_those_dealt(name: str) -> None:
    for number, text in enumerate(comments(name), 1):
        hand = dealt(load_rules(name), record_of(name), number)
        for player, cards in re.findall(r"^#   (\w+): (.+)$", text, re.M):
            seat = record_of(name).players.index(player)
            assert sorted(cards.split()) == sorted(cards_text(hand.view(seat).hand.cards()).split())


# --- refused actions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("comment", COMMENTS, ids=lambda comment: f"{comment.name}-{comment.number}-{comment.step}")
def test_an_action_that_a_comment_calls_refused_is_refused_with_its_clause(comment: NotAllowed) -> None:
    sentence = comment.refusal(load_rules(comment.name))
    assert f"step {comment.step}: " in sentence
    assert ("it is seat" if comment.kind == "Not offered" else f"[{comment.clause}]") in sentence


# --- each record shows its rules --------------------------------------------------------------------------

FORBIDDING = ("only-minus10", "last-minus10", "distinct", "claims3", "no-own-claim", "no-joker-discard")
"""Variants that only forbid: without them the game is the same, and the refused actions of comments are legal."""

UNDER_THE_BASE = {
    "oficial+close5": r"hand 1 \(TT\), step 7: nobody may close with cards in the hand",
    "oficial+scaled": r"hand 2 \(TE\): it replays to \[-10, 70\], .* not \[-20, 70\]",
    "oficial+minus50": r"hand 2 \(TE\): it replays to \[-10, 70\], .* not \[-50, 70\]",
    "oficial+all-placed50": r"hand 1 \(TT\): it replays to \[44, 0\], .* not \[44, -50\]",
    "oficial+round-values": r"hand 1 \(TT\): it replays to \[51, -10\], .* not \[55, -10\]",
    "oficial+no-joker-upcard": r"hand 1 \(TT\), step 3: 6h is not in the hand",
    "oficial+no-jokers": "hand 1: without a seed it needs its deck",
    "oficial+two-jokers": "hand 1: without a seed it needs its deck",
    "oficial+red-twos": r"hand 2 \(TE\), step 2: red twos are not wild",
    "oficial+super": "the record has 12 hands; oficial has 7",
    "oficial+openers": "the record has 9 hands; oficial has 7",
    "fournier+extended": "the record has 12 hands; fournier has 7",
}
"""The error when the game of a variant is replayed under the rules without it."""


def test_every_variant_either_forbids_or_fails_under_the_base() -> None:
    assert {name for name in GOLDEN if "+" in name} == {*UNDER_THE_BASE, *(f"oficial+{name}" for name in FORBIDDING)}


@pytest.mark.parametrize(("name", "message"), UNDER_THE_BASE.items(), ids=UNDER_THE_BASE)
def test_without_its_variant_a_record_does_not_replay(name: str, message: str) -> None:
    assert re.search(message, failure(record_of(name), load_rules(name.partition("+")[0])))


@pytest.mark.parametrize("variant", FORBIDDING)
def test_without_its_variant_a_refused_action_is_allowed(variant: str) -> None:
    refused = [comment for comment in COMMENTS if comment.name == f"oficial+{variant}"]
    assert refused
    for comment in refused:
        assert comment.refusal(load_rules("oficial")) == ""


CHANGED_RULES = [
    ("fournier", "pack.packs", "[[8, 1, 2]]", "hand 3: without a seed it needs its deck"),
    ("fournier", "claim.penalty", '"stock"', r"hand 1 \(TT\): it replays to "),
    ("fournier", "jokers.freed", '"any other run"', r"hand 2 \(TE\), step 3: a joker from a run goes to a run"),
    ("fournier", "run.ace", '"ends"', r"hand 3 \(EE\), step 2: "),
    ("fournier", "run.jokers_adjacent", '"forbidden"', r"hand 3 \(EE\), step 2: two jokers"),
    ("fournier", "bonus.same_turn", "-10", r"hand 1 \(TT\): .* not \[115, 0\]"),
    ("continental-rummy", "claim.who", '"nobody"', r"hand 1 \(TT\), step 2: "),
    ("continental-rummy", "jokers.swap", '"none"', r"hand 2 \(TE\), step 4: "),
    ("continental-rummy", "jokers.move", '"none"', r"hand 3 \(EE\), step 4: "),
    ("continental-rummy", "bonus.same_turn", "0", r"hand 1 \(TT\): .* not \[\d+, -10\]"),
    ("zoliky", "laying.distinct", '"yes"', r"hand 1 \(TT\), step 2: "),
    ("zoliky", "laying.lay_off", '"none"', r"hand 1 \(TT\), step 3: "),
    ("zoliky", "pack.jokers", "[[8, 3]]", "hand 1: without a seed it needs its deck"),
]


@pytest.mark.parametrize(
    ("name", "path", "value", "message"), CHANGED_RULES, ids=[f"{row[0]}-{row[1]}" for row in CHANGED_RULES]
)
def test_with_a_rule_changed_the_record_does_not_replay(name: str, path: str, value: str, message: str) -> None:
    assert re.search(message, failure(record_of(name), changed_rules(name, {path: value})))


LIFTED = [
    ("fournier", {"trio.naturals": "0"}, "1 down T: Jk Jk Jk / T: 5c 5d 5h / T: 9c 9d 9h"),
    ("fournier", {"jokers.freed": '"runs of that owner"'}, "1 swap 7h 2.3 to 2"),
    ("continental-rummy", {"laying.longer_melds": '"allowed"'}, "2 down T: 7c 7d 7h 7s / T: 8c 8d 8h"),
    ("continental-rummy", {"laying.longer_melds": '"allowed"', "run.least": "3"}, "2 move 1 to 2"),
    ("continental-rummy", {"run.ace": '"round"'}, "2 down T: 4c 4d 4h / T: 6c 6d 6h / E: Qs Ks As 2s"),
    ("zoliky", {"claim.who": '"anyone"'}, "1 claim"),
    ("zoliky", {"jokers.swap": '"own runs"'}, "1 swap 7d 2.3 to 2"),
]
"""For each action that a rule set refuses in its record, the fields with which it would be allowed."""


def test_every_refused_action_of_a_rule_set_has_a_rule_to_lift() -> None:
    refused = sorted((comment.name, comment.line) for comment in COMMENTS if "+" not in comment.name)
    assert refused == sorted((name, line) for name, _changes, line in LIFTED)


@pytest.mark.parametrize(("name", "changes", "line"), LIFTED, ids=[f"{row[0]}-{[*row[1]][-1]}" for row in LIFTED])
def test_with_its_rule_lifted_a_refused_action_is_allowed(name: str, changes: dict[str, str], line: str) -> None:
    (comment,) = [entry for entry in COMMENTS if (entry.name, entry.line) == (name, line)]
    assert comment.refusal(changed_rules(name, changes)) == ""
