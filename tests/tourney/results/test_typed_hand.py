"""Tests of hands whose fields a page has: they are read, refused and doubted exactly as typed lines in the dialogue."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from tests.harness import desk
from tests.tourney.results import test_dialogue as contract
from tests.tourney.results import test_knock_dialogue as knock
from tourney.domain.errors import ExitCode
from tourney.domain.results import DeclaredHand
from tourney.service.change import apply
from tourney.service.results.dialogue import SheetDialogue
from tourney.service.results.sheets import declared, judge
from tourney.service.results.typed_hand import (
    TypedHand,
    answers_of,
    check_hand,
    hand_form,
    later_forms,
    typed_hand,
)
from tourney.service.rounds.draw_round import DrawRound

# The golden game of the knock dialogue as fields; its points and winnings stand in that test.
KNOCK_FIELDS = [
    {
        "ending": "knock",
        "closer": "carla",
        "points-3": "1",
        "points-1": "37",
        "points-2": "9s Ts Js Qs 4d 4s 7h 2d 6s As",
    },
    {"ending": "rummy", "closer": "1", "jokers": "3", "points-2": "56", "points-3": "59", "buy-2": "y"},
    {"ending": "col", "closer": "2", "points-1": "26", "points-3": "63"},
    {"ending": "knock", "closer": "1", "points-1": "2", "points-2": "52"},
    {"ending": "continental", "closer": "Beñat", "points-1": "16"},
]


def test_a_hand_is_written_as_the_answers_that_make_it() -> None:
    """Both families; a page shows a hand that was typed before in this way."""
    dialogue = contract.after_hands(7)
    hands = declared(dialogue.seats, dialogue.draft.hands)
    for number, hand in enumerate(hands):
        answers = answers_of(dialogue.event, dialogue.table, hand)
        assert _by_contract(hands[:number], answers).hand.points == hand.points
    game = knock.after_hands(5)
    hands = declared(game.seats, game.draft.hands)
    for number, hand in enumerate(hands):
        answers = answers_of(game.event, game.table, hand)
        assert typed_hand(game.event, game.table, hands[:number], answers).hand == hand


def test_the_fields_of_a_blank_hand_are_those_of_its_family() -> None:
    """The closer of a hand of oficial has 0, or −10 in one turn; three players of the golden game play to its end."""
    dialogue = contract.new_dialogue()
    form = hand_form(dialogue.event, dialogue.table, ())
    assert (form.name, form.seats, form.closings, form.endings) == ("TT", (0, 1, 2), (0, -10), ())
    later = later_forms(dialogue.event, dialogue.table, 5)
    assert [each.name for each in later] == ["TEE", "EEE"]
    game = knock.after_hands(2)
    form = hand_form(game.event, game.table, declared(game.seats, game.draft.hands))
    assert (form.name, form.seats, form.closings) == ("hand 3", (0, 1, 2), ())
    assert form.endings == ("knock", "rummy", "color", "continental")
    assert later_forms(game.event, game.table, 2) == ()


def _fields(lines: Sequence[str]) -> dict[str, str]:
    """Return the answers of a hand with a contract, as `WHOLE` and `FAULTS` have them, by field."""
    closer, *rest = lines
    fields, dead = {"closer": closer}, closer == "-"
    seats = {"1": 1, "BEN": 1, "elena": 2, "3": 3, "Bea": 3}
    others = [seat for seat in (1, 2, 3) if dead or seat != seats.get(closer)]
    if rest and not dead:
        fields["at_once"] = rest.pop(0) or "n"
    return fields | {f"points-{seat}": line for seat, line in zip(others, rest, strict=False)}


def _by_contract(before: Sequence[DeclaredHand], fields: dict[str, str], **rest: object) -> TypedHand:
    dialogue = contract.new_dialogue()
    return typed_hand(dialogue.event, dialogue.table, before, fields, **rest)


def test_a_whole_sheet_of_contracts_is_read_field_by_field() -> None:
    """The hands, and the lines on how the game stands, are those of the dialogue; after the last the game is over."""
    hands: list[DeclaredHand] = []
    for number, lines in enumerate(contract.WHOLE, 1):
        read = _by_contract(hands, _fields(lines))
        assert (read.name, read.question, read.fault) == (contract.CONTRACTS[number - 1], None, "")
        hands.append(read.hand)
        dialogue = contract.after_hands(number)
        assert read.scores == dialogue.draft.sequence.score_lines(dialogue.draft.hands)
        assert read.over == (number == 7)
    dialogue = contract.after_hands(7)
    assert tuple(hands) == declared(dialogue.seats, dialogue.draft.hands)
    assert [hand.points for hand in judge(dialogue.event, dialogue.table, hands).hands] == contract.POINTS
    after = _by_contract(hands, {})
    assert (after.hand, after.question, after.over) == (None, None, True)


def test_a_whole_knock_game_is_read_field_by_field() -> None:
    """Points, places and winnings are those of the golden record; who may buy is asked as in the dialogue."""
    dialogue, hands = knock.new_dialogue(), list[DeclaredHand]()
    for fields in KNOCK_FIELDS:
        read = typed_hand(dialogue.event, dialogue.table, hands, fields)
        assert (read.question, read.fault) == (None, ""), read
        hands.append(read.hand)
    outcome = judge(dialogue.event, dialogue.table, hands)
    assert (outcome.points, outcome.places, outcome.money) == ((71, 87, 123), (2, 1, 3), (-50, 180, -130))
    assert read.over
    asked = typed_hand(dialogue.event, dialogue.table, hands[:1], KNOCK_FIELDS[1] | {"buy-2": ""}).question
    assert (asked.field, asked.default) == ("buy-2", "n")
    assert "does Beñat pay" in asked.text


@pytest.mark.parametrize("name", [name for name in contract.FAULTS if name != "an empty line"])
def test_a_mistake_is_the_one_that_the_dialogue_reports(name: str) -> None:
    """The fault stands at its field; points that were meant are offered as numbers, too.

    An empty line of the dialogue keeps the points that it doubted before.
    """
    lines, words = contract.FAULTS[name]
    fields = _fields([line for line in lines if line])
    read = _by_contract((), fields, kept=["points-2"] if "" in lines else ())
    assert read.fault in contract.type_lines(contract.new_dialogue(), *lines)
    assert read.question.field == list(fields)[-1]
    assert all(word in read.fault for word in words if word != "Kh 7d" or "whole number" in read.fault)
    assert (read.readings != ()) == ("did you mean" in read.fault)


def test_unusual_points_are_doubted_and_may_be_kept() -> None:
    """The dialogue doubts 105 in the first hand, and offers 15, 10 or 5."""
    fields = {"closer": "1", "at_once": "n", "points-2": "105", "points-3": "20"}
    read = _by_contract((), fields)
    assert read.fault == "105 points are unusual in TT: did you mean 15, 10 or 5?"
    assert (read.readings, read.may_keep, read.question.field) == ((15, 10, 5), True, "points-2")
    kept = _by_contract((), fields, kept=["points-2"])
    assert (kept.question, kept.hand.points) == (None, {"Beñat": 0, "Elena": 105, "Bea": 20})
    row = _by_contract((), {"closer": "0 105 20"})
    assert (row.fault, row.may_keep) == ("105 points are unusual in TT: are they right?", True)
    assert _by_contract((), {"closer": "0 105 20"}, kept=["closer"]).hand.points == kept.hand.points
    other = _by_contract((), fields | {"points-2": "1000"}, kept=["points-3"])
    assert other.may_keep, "only the field that was doubted is kept"


def test_a_misspelt_name_is_suggested() -> None:
    read = _by_contract((), {"closer": "elnea"})
    assert (read.suggested, read.may_keep) == ("Elena", False)
    assert read.fault == "nobody called “elnea” sits here; did you mean Elena?"
    assert _by_contract((), {"closer": read.suggested}).question.field == "at_once"


def test_a_hand_without_answers_asks_its_first_question() -> None:
    """A field that the hand does not ask for is passed over."""
    read = _by_contract((), {"points-1": "12", "colour": "red"})
    assert (read.name, read.question.field, read.question.text) == ("TT", "closer", "TT: who closed?")
    assert (read.fault, read.scores, read.over) == ("", (), False)


def test_an_earlier_hand_that_is_impossible_is_named() -> None:
    """No cards add up to 1 point."""
    first = _by_contract((), _fields(contract.WHOLE[0])).hand
    wrong = DeclaredHand("TT", {**first.points, "Elena": 1}, first.closer)
    read = _by_contract((wrong,), _fields(contract.WHOLE[1]))
    assert read.name == "TT"
    assert "TT must be asked again" in read.fault
    assert "no cards of these packs add up to 1" in read.fault


def _typed(dialogue: SheetDialogue, lines: Sequence[str]) -> tuple[tuple[DeclaredHand, ...], str]:
    """Type the lines of a hand until one is not accepted; return the complete hands and the last reply."""
    reply = ""
    for line in lines:
        before, reply = dialogue.question, contract.type_lines(dialogue, line)
        if dialogue.question.split("[")[0].strip() == before.split("[")[0].strip():
            return declared(dialogue.seats, dialogue.draft.hands), reply
    return declared(dialogue.seats, dialogue.draft.hands), ""


def test_random_answers_are_accepted_and_refused_as_in_the_dialogue() -> None:
    """Of 300 hands some are complete and some not; both ways agree on each."""
    rng, complete = Random(5), 0
    for _time in range(300):
        closer = rng.choice(["1", "3", "Bea", "elena", "-"])
        points = [
            rng.choice(["0", "1", "2", "17", "35", "105", "-10", "Kh 7d", "As As As", "12,5"]) for _seat in range(3)
        ]
        lines = [closer, *([] if closer == "-" else [rng.choice("yn")]), *points[: 3 if closer == "-" else 2]]
        hands, reply = _typed(contract.new_dialogue(), lines)
        read = _by_contract((), _fields(lines))
        assert (read.question is None) == (len(hands) == 1), (lines, read)
        if hands:
            assert hands == (read.hand,)
            complete += 1
        else:
            assert read.fault
            assert read.fault.removesuffix("?") in reply, (read.fault, reply)
    assert 30 < complete < 270


def test_the_hand_of_a_table_in_a_database_is_checked(tmp_path: Path) -> None:
    """Names of others are refused as in a sheet's file."""
    db = str(tmp_path / "club.db")
    desk.event(db, 3, size=3)
    (table,) = apply(db, DrawRound()).rounds[0].tables
    read = check_hand(db, "Friday", 1, 1, (), {"closer": "1", "at_once": "n", "points-2": "17"})
    assert (read.question.field, read.question.text) == ("points-3", f"TT, {table.players[2].name}:")
    with desk.refused(ExitCode.REFUSED, "nobody called “Zoe”"):
        check_hand(db, "Friday", 1, 1, [DeclaredHand("TT", {"Zoe": 1})], {})
    with desk.refused(ExitCode.NOT_FOUND, "no table 2"):
        check_hand(db, "Friday", 1, 2, (), {})
