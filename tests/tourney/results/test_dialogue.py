"""Tests of the dialogue that asks for a sheet, without a terminal and without a database."""

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
# The seated players as indexes of NAMES, in seat order: Beñat (entrant 3), Elena (6), Bea (2).
SEATS = (2, 5, 1)


def event(rules: str = "oficial", **settings: object) -> Event:
    people = tuple(Player(number, name) for number, name in enumerate(NAMES, 1))
    event_settings = EventSettings("Friday", rules, **settings)
    return Event(1, event_settings, rulesets.resolve(rules), people, ("entered",) * len(people))


def new_dialogue(*hands: SheetHand, rules: str = "oficial", **settings: object) -> SheetDialogue:
    """Return the dialogue for a table of SEATS; `hands` are already kept."""
    friday = event(rules, **settings)
    return SheetDialogue(friday, Table(1, 4, tuple(friday.entrants[place] for place in SEATS)), hands)


def type_lines(dialogue: SheetDialogue, *lines: str) -> str:
    """Type these lines; return the replies to the last one and the next question."""
    replies: tuple[str, ...] = ()
    for line in lines:
        assert dialogue.state == "asking"
        replies = dialogue.answer(line)
    return "\n".join((*replies, dialogue.question))


WHOLE = [
    ("1", "n", "40", "50"),
    ("elena", "y", "17", "20"),
    ("-", "30", "41", "22"),
    ("3", "", "Kh 7d", "9"),
    ("BEN", "no", "10", "11"),
    ("Bea", "-10", "12", "13"),
    ("1", "0", "14", "15"),
]
"""The answers for each hand: who closed, whether in one turn, then the other players' points in seat order."""
# The points of each hand in seat order (003/1.2, 1.10): a king and a seven are 17 points, closing in one turn is -10.
POINTS = [(0, 40, 50), (17, -10, 20), (30, 41, 22), (17, 9, 0), (0, 10, 11), (12, 13, -10), (0, 14, 15)]


def after_hands(hands: int) -> SheetDialogue:
    """Return the dialogue after the first `hands` hands are typed."""
    dialogue = new_dialogue()
    for lines in WHOLE[:hands]:
        type_lines(dialogue, *lines)
    return dialogue


def test_questions_come_in_the_order_of_the_sheet() -> None:
    """For each contract the closer is asked first, then the other players' points in seat order."""
    dialogue = new_dialogue()
    asked = []
    for lines in WHOLE[:3]:
        for line in lines:
            asked.append(dialogue.question.split("?")[0].strip())
            type_lines(dialogue, line)
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
    """Compare with the sums of POINTS."""
    dialogue = after_hands(hands - 1)
    totals = type_lines(dialogue, *WHOLE[hands - 1]).split("\n")[0]
    beñat, elena, bea = map(sum, zip(*POINTS[:hands], strict=True))
    assert totals == f"after {CONTRACTS[hands - 1]}: Beñat {beñat}, Elena {elena}, Bea {bea}"


CLOSERS = {
    "by the seat": ("1", "Beñat"),
    "by a seat that is also the number of an entrant at another seat": ("2", "Elena"),
    "by name without accents and case": ("BENAT", "Beñat"),
    "by the beginning of a name": ("e", "Elena"),
    "by a whole name with which another begins": ("bea", "Bea"),
}


@pytest.mark.parametrize("name", CLOSERS)
def test_the_closer_is_found_by_seat_or_name(name: str) -> None:
    line, player = CLOSERS[name]
    assert f"did {player} lay down" in type_lines(new_dialogue(), line)


def test_a_digit_is_always_a_seat_and_the_seats_are_shown_beside_the_names() -> None:
    """Bea is entrant 2 and sits at 3, Elena is entrant 6 and sits at 2; the seats are shown before each hand."""
    seats = "1 Beñat   2 Elena   3 Bea"
    dialogue = new_dialogue()
    assert seats in dialogue.greeting
    for digit, player in (("1", "Beñat"), ("2", "Elena"), ("3", "Bea")):
        assert type_lines(dialogue, digit).startswith(f"seat {digit}: {player}\n")
        type_lines(dialogue, "b")
    assert "seat" not in type_lines(dialogue, "Bea")
    assert seats in type_lines(dialogue, "", "30", "40").splitlines()
    assert f"this table has no seat 6: {seats}" in type_lines(dialogue, "6")


@pytest.mark.parametrize(
    ("typed", "player"),
    [("Benta", "Beñat"), ("Elna", "Elena"), ("elenna", "Elena"), ("veñat", "Beñat"), ("Eñat", "Beñat")],
)
@pytest.mark.parametrize("yes", ["", "y", "sí"])
def test_a_misspelt_name_is_suggested_and_taken_once_it_is_confirmed(typed: str, player: str, yes: str) -> None:
    dialogue = new_dialogue()
    reply = type_lines(dialogue, typed)
    assert f"nobody called “{typed}” sits here; did you mean {player}? Enter takes {player}" in reply
    assert reply.endswith(f"TT: who closed? [{player}] ")
    assert dialogue.draft.kept == ()
    assert f"did {player} lay down" in type_lines(dialogue, yes)


def test_a_suggested_name_can_be_declined() -> None:
    """After no, an empty line takes nobody; another name can be typed at once, too."""
    dialogue = new_dialogue()
    assert type_lines(dialogue, "Benta", "no").endswith("TT: who closed? ")
    assert type_lines(dialogue, "").endswith("TT: who closed? ")
    assert "did Bea lay down" in type_lines(dialogue, "Benta", "bea")


ROWS = {
    "the closer has 0": ("0 40 50", 0, (0, 40, 50)),
    "the closer closed in one turn": ("17 -10 20", 1, (17, -10, 20)),
    "a typographic minus": ("17 −10 20", 1, (17, -10, 20)),
    "nobody closed": ("- 30 41 22", None, (30, 41, 22)),
}


@pytest.mark.parametrize("name", ROWS)
def test_all_points_of_a_hand_can_be_typed_in_one_line(name: str) -> None:
    """The closer is the only player with a score that only a closer has (003/1.10); a dash and a blank mean nobody."""
    line, closer, points = ROWS[name]
    dialogue = new_dialogue()
    assert type_lines(dialogue, line).endswith("TE: who closed? ")
    assert dialogue.draft.hands == [
        SheetHand("TT", dict(enumerate(points)), closer, dead=closer is None),
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("0 40", "type 3 numbers, one for each of: 1 Beñat   2 Elena   3 Bea"),
        ("0 40 50 60", "type 3 numbers"),
        ("30 40 50", "nobody has 0 or -10; if nobody closed, type a dash and a blank before the points"),
        ("Elena 30 0 50", "type only the points, as whole numbers in seat order, or only who closed: 1 Beñat"),
        ("30 0 2.5", "type only the points, as whole numbers"),
        ("30 0 2,5", "type only the points, as whole numbers"),
        ("0 0 50", "2 players have 0 or -10, so it is not clear who closed"),
        ("0 1 50", "Elena: no cards of these packs add up to 1"),
        ("- 0 41 22", "Beñat: has 0 points, but in a dead hand everybody holds cards"),
    ],
    ids=["few", "many", "no closer", "name", "point", "comma", "two closers", "impossible", "0 points in a dead hand"],
)
def test_a_line_of_points_that_is_not_possible_is_asked_again(line: str, words: str) -> None:
    dialogue = new_dialogue()
    reply = type_lines(dialogue, line)
    assert words in reply
    assert reply.endswith("TT: who closed? ")
    assert dialogue.draft.kept == ()


def test_a_line_of_points_answers_whether_the_closer_closed_in_one_turn() -> None:
    """Whoever has typed who closed may then type all points, as on the line before; the closer's decide."""
    dialogue = new_dialogue()
    assert type_lines(dialogue, "elena", "30 -10 50").endswith("TE: who closed? ")
    assert dialogue.draft.hands == [SheetHand("TT", {0: 30, 1: -10, 2: 50}, 1)]


@pytest.mark.parametrize("line", ["0 30 50", "- 30 41 22"])
def test_a_line_of_points_with_another_closer_than_the_one_named_is_asked_again(line: str) -> None:
    dialogue = new_dialogue()
    reply = type_lines(dialogue, "elena", line)
    assert "in this line Elena did not close; b goes back to who closed" in reply
    assert "did Elena lay down and close in one turn" in reply
    assert dialogue.draft.hands == []


def test_unusual_points_in_a_line_after_the_closer_are_kept_by_enter() -> None:
    dialogue = new_dialogue()
    reply = type_lines(dialogue, "elena", "105 0 20")
    assert reply.endswith("(y/n) [105 0 20] ")
    assert type_lines(dialogue, "").endswith("TE: who closed? ")
    assert dialogue.draft.hands == [SheetHand("TT", {0: 105, 1: 0, 2: 20}, 1)]


def test_unusual_points_in_a_line_are_questioned_once() -> None:
    dialogue = new_dialogue()
    reply = type_lines(dialogue, "0 105 20")
    assert "105 points are unusual in TT: are they right? Enter keeps them" in reply
    assert reply.endswith("TT: who closed? [0 105 20] ")
    assert type_lines(dialogue, "").endswith("TE: who closed? ")
    assert dialogue.draft.hands[0].points == {0: 0, 1: 105, 2: 20}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("be", ("“be” may be Beñat or Bea", "TT: who closed?")),
        ("Zoe", ("nobody called “Zoe” sits here", "1 Beñat", "2 Elena", "3 Bea")),
        ("4", ("this table has no seat 4",)),
        ("", ("type the seat",)),
        ("end", ("no hand is entered yet",)),
    ],
    ids=["two people", "an unknown name", "an unknown number", "an empty line", "the end before the first hand"],
)
def test_the_closer_is_asked_again_after_an_invalid_answer(line: str, words: tuple[str, ...]) -> None:
    """The draft stays empty."""
    dialogue = new_dialogue()
    reply = type_lines(dialogue, line)
    for word in words:
        assert word in reply
    assert dialogue.draft.kept == ()


def test_unusual_points_are_questioned_once() -> None:
    """The dialogue asks about 105 in the first hand; an empty line or the same number keeps it."""
    for answer in ("", "105"):
        dialogue = new_dialogue()
        reply = type_lines(dialogue, "1", "n", "105")
        assert "did you mean 15, 10 or 5? Enter keeps 105" in reply
        assert dialogue.question == "TT, Elena: [105] "
        assert type_lines(dialogue, answer) == "TT, Bea: "
        assert dialogue.draft.current.points[1] == 105
    dialogue = new_dialogue()
    assert type_lines(dialogue, "1", "n", "105", "15") == "TT, Bea: "
    assert dialogue.draft.current.points[1] == 15


def test_confirmed_points_are_not_questioned_again_after_going_back() -> None:
    dialogue = new_dialogue()
    type_lines(dialogue, "1", "n", "105", "")
    assert type_lines(dialogue, "b") == "TT, Elena: [105] "
    assert type_lines(dialogue, "") == "TT, Bea: "


def test_back_goes_to_the_previous_question_and_hand() -> None:
    """The earlier answer is shown in brackets."""
    dialogue = after_hands(1)
    type_lines(dialogue, "2", "y", "17")
    assert type_lines(dialogue, "b") == "TE, Beñat: [17] "
    assert type_lines(dialogue, "b").endswith("for -10? (y/n) [y] ")
    assert type_lines(dialogue, "b") == "TE: who closed? [Elena] "
    assert type_lines(dialogue, "b") == "TT: who closed? [Beñat] "
    dialogue.answer("b")
    assert dialogue.state == "back", "before the first question a table is chosen"


def test_empty_lines_keep_an_earlier_hand_and_the_hands_after_it() -> None:
    dialogue = after_hands(4)
    before = dialogue.draft.complete
    type_lines(dialogue, "b", "b", "b")
    assert dialogue.question == "TE: who closed? [Elena] "
    assert dialogue.draft.complete == before
    type_lines(dialogue, "", "", "", "")
    assert dialogue.draft.complete == before
    assert dialogue.question == "TTE: who closed? "


def test_changing_an_earlier_hand_changes_no_other() -> None:
    dialogue = after_hands(4)
    before = dialogue.draft.complete
    type_lines(dialogue, "b", "b", "b", "3", "n", "33", "44")
    assert dialogue.draft.complete == (before[0], SheetHand("TE", {2: 0, 0: 33, 1: 44}, 2), *before[2:])
    assert dialogue.question == "TTE: who closed? "


def test_changing_the_closer_discards_the_points_of_the_old_one() -> None:
    """The old closer's bonus is not offered as their points."""
    dialogue = after_hands(2)
    type_lines(dialogue, "b", "3", "n")
    assert dialogue.question == "TE, Beñat: [17] "
    type_lines(dialogue, "")
    assert dialogue.question == "TE, Elena: "


def test_a_hand_can_be_fixed_when_the_sheet_is_confirmed() -> None:
    """Naming a contract asks for that hand again; then the sheet is to be confirmed again."""
    dialogue = after_hands(7)
    type_lines(dialogue, "tet")
    assert dialogue.outcome is None
    type_lines(dialogue, "", "", "99", "")
    assert dialogue.outcome is not None
    assert dialogue.outcome.hands[4].points == (0, 99, 11)
    assert [hand.points for hand in dialogue.outcome.hands if hand.contract != "TTE"] == POINTS[:4] + POINTS[5:]
    assert "type y to enter it, or the hand to fix: TT TE EE TTT TTE TEE EEE" in type_lines(dialogue, "TTTT")


@pytest.mark.parametrize(
    ("answer", "asked"),
    [("", "EEE: who closed? [Beñat] "), ("TT", "TT: who closed? [Beñat] "), ("3", "EE: who closed? [-] ")],
    ids=["Enter", "a contract", "a number"],
)
def test_no_opens_a_correction_of_any_hand_and_loses_nothing(answer: str, asked: str) -> None:
    """`b` closes the correction again; Enter takes the hand in brackets, and keeps each answer of that hand."""
    dialogue = after_hands(7)
    before = dialogue.outcome
    confirmation = dialogue.question
    assert confirmation == "Is the sheet correct? (y/n, or a hand) [y] "
    assert type_lines(dialogue, "n") == (
        "The sheet is open for correction, hand by hand: Enter keeps an answer, and nothing is lost.\n"
        "Which hand is wrong? TT TE EE TTT TTE TEE EEE [EEE] "
    )
    assert type_lines(dialogue, "b") == confirmation
    for line in ("n", "TTTT", "?"):
        reply = type_lines(dialogue, line)
    assert reply.startswith("type the hand to fix: TT TE EE TTT TTE TEE EEE; b goes back to the sheet\n")
    assert type_lines(dialogue, answer) == asked
    while dialogue.outcome is None:
        dialogue.answer("")
    assert dialogue.outcome == before
    type_lines(dialogue, "")
    assert dialogue.state == "entered", "an empty line takes the y in brackets"


def test_a_correction_of_a_result_is_confirmed_only_in_words() -> None:
    """An empty line would enter a correction that may change nothing."""
    friday = event()
    outcome = after_hands(7).outcome
    assert outcome is not None
    table = Table(1, 4, tuple(friday.entrants[place] for place in SEATS))
    dialogue = SheetDialogue(friday, table, written(friday, outcome), "correct")
    assert type_lines(dialogue, "") == (
        "type y to enter it, or the hand to fix: TT TE EE TTT TTE TEE EEE\nIs the sheet correct? (y/n, or a hand) "
    )
    assert "this is the first question" in type_lines(dialogue, "TT", "b")
    assert dialogue.state == "asking"


def test_end_makes_the_sheet_that_of_a_short_game() -> None:
    """The typed hands are the sheet; naming the next hand continues the game."""
    dialogue = after_hands(3)
    assert type_lines(dialogue, "end").startswith("4 hands were not played\n")
    assert dialogue.outcome is not None
    assert (dialogue.outcome.short, dialogue.outcome.points) == (4, tuple(map(sum, zip(*POINTS[:3], strict=True))))
    assert type_lines(dialogue, "TTT") == "TTT: who closed? "
    assert dialogue.draft.length == "whole"
    type_lines(dialogue, *WHOLE[3], "end", "y")
    assert (dialogue.state, dialogue.draft.length, len(dialogue.draft.hands)) == ("entered", "short", 4)


def test_changing_a_hand_of_a_short_sheet_leaves_it_short() -> None:
    """The hand is reached by its name, then by going back."""
    dialogue = after_hands(3)
    type_lines(dialogue, "end", "TE", "", "", "18", "")
    assert dialogue.outcome is not None
    assert (dialogue.outcome.short, dialogue.outcome.hands[1].points) == (4, (18, -10, 20))
    assert type_lines(dialogue, "b") == "EE: who closed? [-] "
    type_lines(dialogue, "", "", "", "")
    assert dialogue.outcome is not None
    assert dialogue.outcome.short == 4


def test_end_at_an_earlier_hand_drops_it_and_the_hands_after_it() -> None:
    """A whole sheet becomes short when `end` is typed at the first question of TTE."""
    dialogue = after_hands(7)
    type_lines(dialogue, "TTE", "end")
    assert dialogue.outcome is not None
    assert [hand.points for hand in dialogue.outcome.hands] == POINTS[:4]


def test_two_players_of_one_name_are_distinguished_by_number_or_label() -> None:
    people = (Player(1, "Ana", label="Getxo"), Player(2, "Ana", label="Bilbo"))
    friday = Event(1, EventSettings("Friday", "oficial"), rulesets.resolve("oficial"), people, ("entered",) * 2)
    dialogue = SheetDialogue(friday, Table(1, 1, people))
    assert "“Ana” may be Ana (Getxo) or Ana (Bilbo); type more of the name" in type_lines(dialogue, "Ana")
    assert "did Ana (Bilbo) lay down" in type_lines(dialogue, "ana (b")
    assert "did Ana (Getxo) lay down" in type_lines(dialogue, "b", "1")


def test_unplayed_hands_cost_the_points_set_in_the_event() -> None:
    """Four hands at 30 points add 120 to every total."""
    dialogue = new_dialogue(unfinished="penalty", unfinished_points=30)
    for lines in (*WHOLE[:3], ("end",)):
        type_lines(dialogue, *lines)
    assert dialogue.outcome is not None
    assert dialogue.outcome.extra == (120, 120, 120)
    assert dialogue.outcome.points == tuple(sum(hand) + 120 for hand in zip(*POINTS[:3], strict=True))


@pytest.mark.parametrize("lines", range(1, 4 * 3))
def test_a_kept_sheet_continues_where_it_was_left(lines: int) -> None:
    """After each number of lines the resumed dialogue asks the same question, and ends with the same sheet."""
    flat = [line for hand in WHOLE for line in hand]
    first = new_dialogue()
    type_lines(first, *flat[:lines])
    first.answer("q")
    assert first.state == "left"
    resumed = new_dialogue(*first.draft.kept)
    assert resumed.question == first.question
    assert any("continuing at" in line for line in resumed.greeting) == bool(first.draft.kept)
    type_lines(resumed, *flat[lines:])
    assert resumed.outcome is not None
    assert [hand.points for hand in resumed.outcome.hands] == POINTS


def test_a_correction_begins_at_the_confirmation() -> None:
    """A hand is named to change it, and empty lines keep its other answers."""
    outcome = after_hands(7).outcome
    assert outcome is not None
    dialogue = new_dialogue(*written(event(), outcome))
    assert dialogue.outcome == outcome
    type_lines(dialogue, "EE", "", "31", "", "")
    assert dialogue.outcome is not None
    assert dialogue.outcome.hands[2].points == (31, 41, 22)


@pytest.mark.parametrize("lines", [(), ("1",), ("1", "n"), tuple(line for hand in WHOLE for line in hand)])
def test_help_is_available_at_every_question_and_changes_nothing(lines: tuple[str, ...]) -> None:
    dialogue = new_dialogue()
    type_lines(dialogue, *lines)
    before = dialogue.question
    reply = type_lines(dialogue, "?")
    assert reply.endswith("\n" + before)
    assert len(reply) > len(before) + 40


def test_a_closer_with_three_possible_scores_is_asked_for_the_number() -> None:
    """With variant 8 the closer has 0, -10 or -50 points."""
    dialogue = new_dialogue(rules="oficial+all-placed50")
    assert type_lines(dialogue, "Beñat") == "TT: Beñat closed, for 0, -10 or -50? [0] "
    assert type_lines(dialogue, "y").startswith("type 0, -10 or -50")
    assert type_lines(dialogue, "−50") == "TT, Elena: "
    assert dialogue.draft.current.points == {0: -50}


def test_the_closer_s_points_are_not_asked_where_only_one_score_is_possible() -> None:
    """With variant 4a the closer always has -10."""
    dialogue = new_dialogue(rules="oficial+only-minus10")
    assert type_lines(dialogue, "Beñat") == "TT, Elena: "
    assert dialogue.draft.current.points == {0: -10}


KEYS = (
    *("3", "6", "bea", "-", "y", "n", "", "b", "?", "0", "-10", "15", "41", "105", "1"),
    *("Kh 7d", "As As As", "end", "TT"),
)
"""Answers that fit some question, and answers that fit none."""


@pytest.mark.parametrize("seed", range(40))
def test_random_answers_never_lose_a_hand_and_leave_a_valid_sheet(seed: int) -> None:
    """Only `end` removes hands, and the kept answers can always be resumed."""
    rng, dialogue = Random(seed), new_dialogue()
    for _ in range(150):
        before = dialogue.draft.complete
        line = rng.choice(KEYS)
        dialogue.answer(line)
        after = dialogue.draft.complete
        assert line == "end" or len(after) >= len(before)
        assert [hand.contract for hand in after] == list(CONTRACTS[: len(after)])
        if dialogue.state != "asking":
            break
        resumed = new_dialogue(*dialogue.draft.kept)
        assert resumed.draft.complete == after
        assert resumed.question
    if after:
        names = [player.name for player in dialogue.table.players]
        assert sheets.check_sheet(RulesRef("oficial"), names, after, "short").short == 7 - len(after)


# --- which table -----------------------------------------------------------------------------------------------

TABLES = tuple(Table(2, number, (Player(1, f"Ana {number}"), Player(2, f"Bea {number}"))) for number in (3, 5, 11))


def table_dialogue(*with_partial_sheet: int) -> TableDialogue:
    """Return the dialogue that asks for a table; the tables of these numbers have partial sheets."""
    event = Event(1, EventSettings("Friday", "oficial"), RulesRef("oficial"))
    partial_sheets = tuple(
        PartialSheetSummary("Friday", table, ("TT", "TE")) for table in TABLES if table.number in with_partial_sheet
    )
    return TableDialogue(WaitingTables(event, 2, TABLES, partial_sheets))


def test_every_table_without_a_result_is_listed_with_its_players_and_its_partial_sheet() -> None:
    assert table_dialogue(5).greeting == (
        "Friday, round 2: tables without a result",
        "  3  Ana 3, Bea 3",
        "  5  Ana 5, Bea 5 (partial sheet: TT TE)",
        " 11  Ana 11, Bea 11",
    )


@pytest.mark.parametrize(
    ("with_partial_sheet", "line", "chosen"),
    [((), "", 3), ((5,), "", 5), ((11, 5), "", 5), ((5,), "3", 3), ((), " 11 ", 11)],
    ids=["first", "partial sheet", "first partial sheet", "number", "number with blanks"],
)
def test_a_table_is_chosen(with_partial_sheet: tuple[int, ...], line: str, chosen: int) -> None:
    """An empty line chooses the first partial sheet, or else the first table."""
    dialogue = table_dialogue(*with_partial_sheet)
    assert dialogue.answer(line) == ()
    assert (dialogue.state, dialogue.chosen) == ("entered", chosen)


@pytest.mark.parametrize("line", ["4", "1", "x", "3 5", "-3", "03"])
def test_the_table_is_asked_again_after_an_invalid_answer(line: str) -> None:
    dialogue = table_dialogue()
    (reply,) = dialogue.answer(line)
    assert reply.endswith("choose one of: 3 5 11")
    assert (dialogue.state, dialogue.chosen) == ("asking", None)


def test_help_lists_the_tables_and_q_leaves() -> None:
    dialogue = table_dialogue()
    assert dialogue.answer("?")[1:] == dialogue.greeting
    assert dialogue.answer("Q") == ()
    assert (dialogue.state, dialogue.chosen) == ("left", None)
