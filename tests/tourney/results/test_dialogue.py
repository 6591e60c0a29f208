"""A sheet by question and answer, without a terminal and without a database."""

from random import Random

import pytest

from tourney.domain.events import Event, EventSettings
from tourney.domain.people import Player
from tourney.domain.results import PartialSheetSummary, SheetHand
from tourney.domain.rounds import Table
from tourney.domain.rules import RulesRef
from tourney.domain.schedule import WaitingTables
from tourney.rulebook import rulesets, sheets
from tourney.service.results.dialogue import SheetDialogue, TableDialogue
from tourney.service.results.sheets import written

CONTRACTS = ("TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE")
NAMES = ("Ana", "Bea", "Beñat", "Carmen", "Diego", "Elena")
# Who sits there, in seat order, by his place among the entrants from 0: Beñat 3, Elena 6, Bea 2.
SEATS = (2, 5, 1)


def event(rules: str = "oficial", **settings: object) -> Event:
    people = tuple(Player(number, name) for number, name in enumerate(NAMES, 1))
    made = EventSettings("Friday", rules, **settings)
    return Event(1, made, rulesets.resolve(rules), people, ("entered",) * len(people))


def entry(*hands: SheetHand, rules: str = "oficial", **settings: object) -> SheetDialogue:
    friday = event(rules, **settings)
    return SheetDialogue(friday, Table(1, 4, tuple(friday.entrants[place] for place in SEATS)), hands)


def typed(dialogue: SheetDialogue, *lines: str) -> str:
    """Return what the dialogue says after the last of these lines, and what it asks then."""
    replies: tuple[str, ...] = ()
    for line in lines:
        assert dialogue.state == "asking"
        replies = dialogue.answer(line)
    return "\n".join((*replies, dialogue.question))


WHOLE = [
    ("3", "n", "40", "50"),
    ("elena", "y", "17", "20"),
    ("-", "30", "41", "22"),
    ("2", "", "Kh 7d", "9"),
    ("BEN", "no", "10", "11"),
    ("Bea", "-10", "12", "13"),
    ("1", "0", "14", "15"),
]
"""The lines of a sheet: who closed, whether at once, then the others in seat order (Beñat, Elena, Bea)."""
# By hand, in seat order; 003/1.2 and 1.10: a king and a seven are 17 points, closing in one turn is -10.
POINTS = [(0, 40, 50), (17, -10, 20), (30, 41, 22), (17, 9, 0), (0, 10, 11), (12, 13, -10), (0, 14, 15)]


def begun(hands: int) -> SheetDialogue:
    """A sheet with so many hands typed."""
    dialogue = entry()
    for lines in WHOLE[:hands]:
        typed(dialogue, *lines)
    return dialogue


def test_a_whole_sheet_is_typed_hand_by_hand() -> None:
    dialogue = begun(7)
    outcome = dialogue.outcome
    assert outcome is not None
    assert [hand.points for hand in outcome.hands] == POINTS
    assert outcome.points == tuple(map(sum, zip(*POINTS, strict=True)))
    assert [hand.closer for hand in outcome.hands] == [0, 1, None, 2, 0, 2, 0]
    assert [hand.at_once for hand in outcome.hands] == [False, True, False, False, False, True, False]
    assert typed(dialogue, "y") == dialogue.question
    assert (dialogue.state, dialogue.draft.length) == ("entered", "whole")


def test_questions_come_in_the_order_of_the_sheet() -> None:
    """Contract by contract, who closed first, then everybody else in seat order."""
    dialogue = entry()
    asked = []
    for lines in WHOLE[:3]:
        for line in lines:
            asked.append(dialogue.question.split("?")[0].strip())
            typed(dialogue, line)
    assert asked == [
        "TT: who closed",
        "TT: did Beñat lay down and close in one turn, for -10",
        "TT, Elena:",
        "TT, Bea:",
        "TE: who closed",
        "TE: did Elena lay down and close in one turn, for -10",
        "TE, Beñat:",
        "TE, Bea:",
        "EE: who closed",
        "EE, Beñat:",
        "EE, Elena:",
        "EE, Bea:",
    ]


@pytest.mark.parametrize("hands", range(1, 8))
def test_running_totals_are_shown_after_every_hand(hands: int) -> None:
    """Added up here, by hand."""
    dialogue = begun(hands - 1)
    totals = typed(dialogue, *WHOLE[hands - 1]).split("\n")[0]
    beñat, elena, bea = map(sum, zip(*POINTS[:hands], strict=True))
    assert totals == f"after {CONTRACTS[hands - 1]}: Beñat {beñat}, Elena {elena}, Bea {bea}"


CLOSERS = {
    "by the entrant's number": ("6", "Elena"),
    "by a seat that is nobody's number": ("1", "Beñat"),
    "by a number before a seat": ("2", "Bea"),
    "by name without accents and case": ("BENAT", "Beñat"),
    "by the beginning of a name": ("e", "Elena"),
    "by the whole name though another begins with it": ("bea", "Bea"),
}


@pytest.mark.parametrize("name", CLOSERS)
def test_who_closed_is_found(name: str) -> None:
    line, player = CLOSERS[name]
    assert f"did {player} lay down" in typed(entry(), line)


def test_a_number_says_who_was_taken() -> None:
    """An entrant's, or else a seat's: 1 is no entrant's there, and seat 1 is Beñat's. A name needs no word."""
    dialogue = entry()
    number, player = str(dialogue.seats.numbers[1]), dialogue.seats.names[1]
    assert "seat 1: Beñat" in typed(entry(), "1")
    assert f"entrant {number}: {player}" in typed(entry(), number)
    assert "entrant" not in typed(entry(), player)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("be", ("“be” may be Beñat or Bea", "TT: who closed?")),
        ("Zoe", ("nobody called “Zoe” sits here", "3 Beñat", "6 Elena", "2 Bea")),
        ("4", ("nobody called “4” sits here",)),
        ("", ("type the number",)),
        ("end", ("no hand is entered yet",)),
    ],
    ids=["two people", "a stranger", "a number of nobody there", "nothing", "the end before the first hand"],
)
def test_who_closed_is_asked_again(line: str, words: tuple[str, ...]) -> None:
    """Nothing is written down."""
    dialogue = entry()
    reply = typed(dialogue, line)
    for word in words:
        assert word in reply
    assert dialogue.draft.kept == ()


FAULTS = {
    "points of no cards": (("3", "n", "1"), ("Elena: no cards of these packs add up to 1", "did you mean 2?")),
    "a second closer": (("3", "n", "0"), ("2 players closed",)),
    "a bonus of another": (("3", "n", "-35"), ("did you mean 35?",)),
    "no whole number": (("3", "n", "12,5"), ("“12,5” is not a whole number", "Kh 7d")),
    "no card": (("3", "n", "Kx"), ("'Kx' is not a card",)),
    "nothing": (("3", "n", ""), ("type the points",)),
    "a third ace of spades": (("3", "n", "As", "As As"), ("Bea: As is left once too often; the packs hold 2",)),
    "too many points together": (("3", "n", "900", "", "400"), ("points together",)),
    "no points in a dead hand": (("-", "0"), ("Beñat: has 0 points, but in a dead hand everybody holds cards",)),
    "another answer than yes or no": (("3", "maybe"), ("type y or n",)),
    "a bonus that is none": (("3", "-20"), ("type y or n",)),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_mistake_is_reported_at_once_and_asked_again(name: str) -> None:
    lines, words = FAULTS[name]
    dialogue = entry()
    typed(dialogue, *lines[:-1])
    before = dialogue.draft.kept, dialogue.question.split("[")[0].strip()
    reply = typed(dialogue, lines[-1])
    for word in words:
        assert word in reply, reply
    assert (dialogue.draft.kept, dialogue.question.split("[")[0].strip()) == before


def test_unusual_points_are_questioned_once() -> None:
    """105 for 15 in the first hand; an empty line or the same number keeps them."""
    for keeping in ("", "105"):
        dialogue = entry()
        reply = typed(dialogue, "3", "n", "105")
        assert "did you mean 15, 10 or 5? Enter keeps 105" in reply
        assert dialogue.question == "TT, Elena: [105] "
        assert typed(dialogue, keeping) == "TT, Bea: "
        assert dialogue.draft.current.points[1] == 105
    dialogue = entry()
    assert typed(dialogue, "3", "n", "105", "15") == "TT, Bea: "
    assert dialogue.draft.current.points[1] == 15


def test_other_unusual_points_are_questioned_too() -> None:
    dialogue = entry()
    assert "did you mean 100?" in typed(dialogue, "3", "n", "105", "1000")
    assert typed(dialogue, "") == "TT, Bea: "
    assert dialogue.draft.current.points[1] == 1000


def test_the_same_points_are_asked_about_once_though_one_goes_back() -> None:
    dialogue = entry()
    typed(dialogue, "3", "n", "105", "")
    assert typed(dialogue, "b") == "TT, Elena: [105] "
    assert typed(dialogue, "") == "TT, Bea: "


def test_back_goes_a_question_and_then_a_hand() -> None:
    """Check that the earlier answer stands in brackets."""
    dialogue = begun(1)
    typed(dialogue, "6", "y", "17")
    assert typed(dialogue, "b") == "TE, Beñat: [17] "
    assert typed(dialogue, "b").endswith("for -10? (y/n) [y] ")
    assert typed(dialogue, "b") == "TE: who closed? [Elena] "
    assert typed(dialogue, "b") == "TT: who closed? [Beñat] "
    assert typed(dialogue, "b") == "this is the first question; q leaves\nTT: who closed? [Beñat] "


def test_a_hand_gone_back_to_is_kept_by_empty_lines_and_later_hands_stay() -> None:
    dialogue = begun(4)
    before = dialogue.draft.complete
    typed(dialogue, "b", "b", "b")
    assert dialogue.question == "TE: who closed? [Elena] "
    assert dialogue.draft.complete == before
    typed(dialogue, "", "", "", "")
    assert dialogue.draft.complete == before
    assert dialogue.question == "TTE: who closed? "


def test_a_hand_gone_back_to_is_changed_alone() -> None:
    dialogue = begun(4)
    before = dialogue.draft.complete
    typed(dialogue, "b", "b", "b", "2", "n", "33", "44")
    assert dialogue.draft.complete == (before[0], SheetHand("TE", {2: 0, 0: 33, 1: 44}, 2), *before[2:])
    assert dialogue.question == "TTE: who closed? "


def test_another_closer_leaves_no_old_points_behind() -> None:
    """The old closer's bonus is not offered as points of that player."""
    dialogue = begun(2)
    typed(dialogue, "b", "2", "n")
    assert dialogue.question == "TE, Beñat: [17] "
    typed(dialogue, "")
    assert dialogue.question == "TE, Elena: "


def test_a_hand_to_fix_is_named_when_the_sheet_is_confirmed() -> None:
    """The sheet is shown again afterwards."""
    dialogue = begun(7)
    typed(dialogue, "tet")
    assert dialogue.outcome is None
    typed(dialogue, "", "", "99", "")
    assert dialogue.outcome is not None
    assert dialogue.outcome.hands[4].points == (0, 99, 11)
    assert [hand.points for hand in dialogue.outcome.hands if hand.contract != "TTE"] == POINTS[:4] + POINTS[5:]
    assert "type y to enter it, or the hand to fix: TT TE EE TTT TTE TEE EEE" in typed(dialogue, "TTTT")
    assert typed(dialogue, "n") == "EEE: who closed? [Beñat] "


def test_a_game_is_stopped_before_a_hand() -> None:
    """The hands before it are the sheet; naming the next one continues the game."""
    dialogue = begun(3)
    assert typed(dialogue, "end").startswith("4 hands were not played\n")
    assert dialogue.outcome is not None
    assert (dialogue.outcome.short, dialogue.outcome.points) == (4, tuple(map(sum, zip(*POINTS[:3], strict=True))))
    assert typed(dialogue, "TTT") == "TTT: who closed? "
    assert dialogue.draft.length == "whole"
    typed(dialogue, *WHOLE[3], "end", "y")
    assert (dialogue.state, dialogue.draft.length, len(dialogue.draft.hands)) == ("entered", "short", 4)


def test_a_hand_of_a_short_sheet_is_changed_and_the_sheet_stays_short() -> None:
    """By its name, or by going back."""
    dialogue = begun(3)
    typed(dialogue, "end", "TE", "", "", "18", "")
    assert dialogue.outcome is not None
    assert (dialogue.outcome.short, dialogue.outcome.hands[1].points) == (4, (18, -10, 20))
    assert typed(dialogue, "b") == "EE: who closed? [-] "
    typed(dialogue, "", "", "", "")
    assert dialogue.outcome is not None
    assert dialogue.outcome.short == 4


def test_a_hand_that_was_not_played_is_taken_away_from_a_whole_sheet() -> None:
    """`end` at its first question drops that hand and later ones."""
    dialogue = begun(7)
    typed(dialogue, "TTE", "end")
    assert dialogue.outcome is not None
    assert [hand.points for hand in dialogue.outcome.hands] == POINTS[:4]


def test_two_people_of_one_name_are_distinguished_by_number_or_label() -> None:
    people = (Player(1, "Ana", label="Getxo"), Player(2, "Ana", label="Bilbo"))
    friday = Event(1, EventSettings("Friday", "oficial"), rulesets.resolve("oficial"), people, ("entered",) * 2)
    dialogue = SheetDialogue(friday, Table(1, 1, people))
    assert "“Ana” may be Ana (Getxo) or Ana (Bilbo); type more of the name" in typed(dialogue, "Ana")
    assert "did Ana (Bilbo) lay down" in typed(dialogue, "ana (b")
    assert "did Ana (Getxo) lay down" in typed(dialogue, "b", "1")


def test_unplayed_hands_cost_what_the_event_says() -> None:
    """30 for each of four hands, for everybody."""
    dialogue = entry(unfinished="penalty", unfinished_points=30)
    for lines in (*WHOLE[:3], ("end",)):
        typed(dialogue, *lines)
    assert dialogue.outcome is not None
    assert dialogue.outcome.extra == (120, 120, 120)
    assert dialogue.outcome.points == tuple(sum(hand) + 120 for hand in zip(*POINTS[:3], strict=True))


@pytest.mark.parametrize("lines", range(1, 4 * 3))
def test_what_is_kept_takes_up_the_sheet_where_it_was_left(lines: int) -> None:
    """After every single line: the same question comes next, and the same sheet in the end."""
    flat = [line for hand in WHOLE for line in hand]
    first = entry()
    typed(first, *flat[:lines])
    first.answer("q")
    assert first.state == "left"
    again = entry(*first.draft.kept)
    assert again.question == first.question
    assert any("continuing at" in line for line in again.greeting) == bool(first.draft.kept)
    typed(again, *flat[lines:])
    assert again.outcome is not None
    assert [hand.points for hand in again.outcome.hands] == POINTS


def test_a_sheet_to_correct_begins_at_its_end() -> None:
    """Every hand can be named, and is kept by empty lines."""
    outcome = begun(7).outcome
    assert outcome is not None
    dialogue = entry(*written(event(), outcome))
    assert dialogue.outcome == outcome
    typed(dialogue, "EE", "", "31", "", "")
    assert dialogue.outcome is not None
    assert dialogue.outcome.hands[2].points == (31, 41, 22)


@pytest.mark.parametrize("lines", [(), ("3",), ("3", "n"), tuple(line for hand in WHOLE for line in hand)])
def test_help_is_there_at_every_question_and_changes_nothing(lines: tuple[str, ...]) -> None:
    dialogue = entry()
    typed(dialogue, *lines)
    before = dialogue.question
    reply = typed(dialogue, "?")
    assert reply.endswith("\n" + before)
    assert len(reply) > len(before) + 40


def test_a_bonus_for_placing_all_is_asked_as_a_number() -> None:
    """Three things may be written by who closed: 0, -10, or -50 (variant 8)."""
    dialogue = entry(rules="oficial+all-placed50")
    assert typed(dialogue, "Beñat") == "TT: Beñat closed, for 0, -10 or -50? [0] "
    assert typed(dialogue, "y").startswith("type 0, -10 or -50")
    assert typed(dialogue, "−50") == "TT, Elena: "
    assert dialogue.draft.current.points == {0: -50}


def test_nothing_is_asked_where_one_can_close_in_one_turn_only() -> None:
    """Variant 4a: -10, whoever closes."""
    dialogue = entry(rules="oficial+only-minus10")
    assert typed(dialogue, "Beñat") == "TT, Elena: "
    assert dialogue.draft.current.points == {0: -10}


KEYS = (
    "3",
    "6",
    "bea",
    "-",
    "y",
    "n",
    "",
    "b",
    "?",
    "0",
    "-10",
    "15",
    "41",
    "105",
    "1",
    "Kh 7d",
    "As As As",
    "end",
    "TT",
)
"""The answers that people type, fitting and not."""


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_typed_the_hands_are_sound_and_nothing_is_lost(seed: int) -> None:
    """No line takes a hand away, but `end`; what is kept can always be taken up again."""
    rng, dialogue = Random(seed), entry()
    for _ in range(150):
        before = dialogue.draft.complete
        line = rng.choice(KEYS)
        dialogue.answer(line)
        after = dialogue.draft.complete
        assert line == "end" or len(after) >= len(before)
        assert [hand.contract for hand in after] == list(CONTRACTS[: len(after)])
        if dialogue.state != "asking":
            break
        again = entry(*dialogue.draft.kept)
        assert again.draft.complete == after
        assert again.question
    if after:
        names = [player.name for player in dialogue.table.players]
        assert sheets.check_sheet(RulesRef("oficial"), names, after, "short").short == 7 - len(after)


# --- which table -----------------------------------------------------------------------------------------------

TABLES = tuple(Table(2, number, (Player(1, f"Ana {number}"), Player(2, f"Bea {number}"))) for number in (3, 5, 11))


def choice(*half: int) -> TableDialogue:
    event = Event(1, EventSettings("Friday", "oficial"), RulesRef("oficial"))
    halves = tuple(PartialSheetSummary("Friday", table, ("TT", "TE")) for table in TABLES if table.number in half)
    return TableDialogue(WaitingTables(event, 2, TABLES, halves))


def test_every_table_without_a_result_is_listed_with_its_players_and_its_partial_sheet() -> None:
    assert choice(5).greeting == (
        "Friday, round 2: tables without a result",
        "  3  Ana 3, Bea 3",
        "  5  Ana 5, Bea 5 (partial sheet: TT TE)",
        " 11  Ana 11, Bea 11",
    )


@pytest.mark.parametrize(
    ("half", "line", "chosen"),
    [((), "", 3), ((5,), "", 5), ((11, 5), "", 5), ((5,), "3", 3), ((), " 11 ", 11)],
    ids=["the first", "the half entered one", "the first half entered one", "a number", "a number with blanks"],
)
def test_a_table_is_chosen(half: tuple[int, ...], line: str, chosen: int) -> None:
    dialogue = choice(*half)
    assert dialogue.answer(line) == ()
    assert (dialogue.state, dialogue.chosen) == ("entered", chosen)


@pytest.mark.parametrize("line", ["4", "1", "x", "3 5", "-3", "03"])
def test_another_answer_is_asked_again(line: str) -> None:
    dialogue = choice()
    (reply,) = dialogue.answer(line)
    assert reply.endswith("choose one of: 3 5 11")
    assert (dialogue.state, dialogue.chosen) == ("asking", None)


def test_help_lists_the_tables_and_q_leaves() -> None:
    dialogue = choice()
    assert dialogue.answer("?")[1:] == dialogue.greeting
    assert dialogue.answer("Q") == ()
    assert (dialogue.state, dialogue.chosen) == ("left", None)
