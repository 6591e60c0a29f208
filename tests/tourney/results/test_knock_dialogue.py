"""The knock game's sheet by question and answer, without a terminal and without a database."""

from random import Random

import pytest

from tourney.domain.events import Event, EventSettings
from tourney.domain.people import Player
from tourney.domain.results import Outcome
from tourney.domain.rounds import Table
from tourney.domain.rules import RulesRef
from tourney.rulebook import records, rulesets
from tourney.service.results.dialogue import SheetDialogue
from tourney.service.results.sheets import written

NAMES = ("Ana", "Beñat", "Carla", "Diego")
STAKE = 50


def event(players: int = 3) -> Event:
    people = tuple(Player(number, name) for number, name in enumerate(NAMES[:players], 1))
    settings = EventSettings("Friday", "knock", stake=STAKE)
    return Event(1, settings, rulesets.resolve("knock"), people, ("entered",) * players)


def entry(*hands: object, players: int = 3) -> SheetDialogue:
    friday = event(players)
    return SheetDialogue(friday, Table(1, 4, friday.entrants), hands)  # type: ignore[arg-type]


def typed(dialogue: SheetDialogue, *lines: str) -> str:
    """Return what the dialogue says after the last of these lines, and what it asks then."""
    replies: tuple[str, ...] = ()
    for line in lines:
        assert dialogue.state == "asking"
        replies = dialogue.answer(line)
    return "\n".join((*replies, dialogue.question))


# The game of the golden record (tests/engine, worked out there in comments), as people would type it.
GOLDEN = [
    ("knock", "carla", "1", "37", "9s Ts Js Qs 4d 4s 7h 2d 6s As"),
    ("rummy ana", "3", "56", "59", "y"),
    ("col", "2", "26", "63"),
    ("k ana", "2", "52"),
    ("continental", "Beñat", "16"),
]


def begun(hands: int) -> SheetDialogue:
    """A sheet with so many hands typed."""
    dialogue = entry()
    for lines in GOLDEN[:hands]:
        typed(dialogue, *lines)
    return dialogue


def test_a_whole_game_is_typed_and_ends_by_itself() -> None:
    """Points, places and money are those that the golden record works out by hand."""
    dialogue = begun(5)
    assert dialogue.outcome is not None
    assert (dialogue.outcome.points, dialogue.outcome.places, dialogue.outcome.money) == (
        (71, 87, 123),
        (2, 1, 3),
        (-50, 180, -130),
    )
    assert dialogue.question == "Is the sheet correct? (y, or the hand to fix, such as hand 5) "
    typed(dialogue, "y")
    assert (dialogue.state, dialogue.draft.length) == ("entered", "whole")


def test_who_ended_the_hand_comes_first_and_who_is_out_is_not_asked() -> None:
    dialogue = entry()
    asked = []
    for lines in GOLDEN:
        for line in lines:
            asked.append(dialogue.question.partition("[")[0].rstrip())
            typed(dialogue, line)
    assert asked == [
        "hand 1: how did it end?",
        "hand 1: who knocked?",
        "hand 1: Carla knocked with how many points?",
        "hand 1, Ana:",
        "hand 1, Beñat:",
        "hand 2: how did it end?",
        "hand 2: how many jokers among the ten cards?",
        "hand 2, Beñat:",
        "hand 2, Carla:",
        "hand 2: does Beñat pay 50 to go from 94 down to 60? (y/n)",
        "hand 3: how did it end?",
        "hand 3: whose color?",
        "hand 3, Ana:",
        "hand 3, Carla:",
        "hand 4: how did it end?",
        "hand 4: Ana knocked with how many points?",
        "hand 4, Beñat:",
        "hand 5: how did it end?",
        "hand 5: whose continental?",
        "hand 5, Ana:",
    ]


TOTALS = [
    "after hand 1: Ana 37, Beñat 38, Carla 1; the pot: 160",
    "after hand 2: Ana 27, Beñat 60, Carla 60; the pot: 260",
    "after hand 3: Ana 53, Beñat 35, Carla 123 (out); the pot: 300",
    "after hand 4: Ana 55, Beñat 87, Carla 123 (out); the pot: 310",
    "after hand 5: Ana 71, Beñat 87, Carla 123 (out)",
]
"""Added up by hand. Three stakes of 50, and a payer's bonus into the pot: 10 for the knock (160); 20 + 3 × 10 for the
rummy, and the buy of 50 (260); 40 for the color (300); heads-up the only payer's 10 (310)."""


@pytest.mark.parametrize("number", range(1, 6))
def test_after_every_hand_stand_the_totals_who_is_out_and_the_pot(number: int) -> None:
    dialogue = begun(number - 1)
    totals = typed(dialogue, *GOLDEN[number - 1]).split("\n")
    assert totals[0] == TOTALS[number - 1]
    over = [line for line in totals if line.startswith("the game is over")]
    assert over == (["the game is over, the pot goes to Beñat: continental in hand 5"] if number == 5 else [])


MISTAKES = {
    "no ending": (("zap",), "type knock, rummy, color or continental"),
    "two endings": (("co",), "“co” may be color or continental"),
    "nobody of that name": (("knock", "zoe"), "nobody called “zoe” sits here: 1 Ana   2 Beñat   3 Carla"),
    "nobody of that name behind the ending": (("knock zoe",), "nobody called “zoe” sits here"),
    "a knock with too much": (("knock ana", "6"), "Ana: has 6 points; a player knocks with 0 to 5"),
    "a point nobody can be left with": (("knock ana", "5", "1"), "Beñat: no hand leaves 1 point of deadwood"),
    "a doubled digit": (("knock ana", "55"), "did you mean 5?"),
    "no number": (("knock ana", "5", "4,5"), "“4,5” is not a whole number"),
    "no card": (("knock ana", "5", "Kx"), "'Kx' is not a card"),
    "a third ace of spades": (("knock ana", "5", "As As As"), "As is left once too often; the packs hold 2"),
    "five jokers of four": (("rummy ana", "5"), "cannot have 5 jokers; only 4 can be in that hand"),
    "jokers in words": (("rummy ana", "two"), "“two” is not a number of jokers"),
    "neither yes nor no": (("-", "60", "70", "85", "maybe"), "type y or n"),
    "the bell before the first hand": (("end",), "no hand is entered yet"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_reported_at_once_and_asked_again(name: str) -> None:
    lines, says = MISTAKES[name]
    dialogue = entry()
    typed(dialogue, *lines[:-1])
    before = dialogue.draft.kept, dialogue.question
    reply = typed(dialogue, lines[-1])
    assert says in reply
    assert (dialogue.draft.kept, dialogue.question) == before


def test_who_is_out_ends_no_hand() -> None:
    assert typed(begun(3), "knock carla") == "Carla: is out of the game\nhand 4: how did it end? "


def test_buys_are_offered_in_turn_order_and_only_to_who_may() -> None:
    """Ana dealt: Beñat, Carla, Diego, then Ana. The second lowest score is Diego's 85, so that a buy gains nothing."""
    dialogue = entry(players=4)
    assert "does Beñat pay 50 to go from 90 down to 85?" in typed(dialogue, "-", "30", "90", "95", "85")
    assert "does Carla pay 50 to go from 95 down to 85?" in typed(dialogue, "y")
    assert "Ana 30, Beñat 85, Carla 95, Diego 85; the pot: 250" in typed(dialogue, "")
    # Beñat deals the second hand, so that Carla is asked first. Beñat's second buy costs double (001/1.11).
    assert "does Beñat pay 100 to go from 95 down to 85?" in typed(dialogue, "knock ana", "0", "10", "0", "0", "n")


def test_back_goes_through_buys_jokers_and_endings() -> None:
    """Check that the earlier answer stands in brackets, even after several steps."""
    dialogue = entry(players=4)
    typed(dialogue, "rummy ana", "3", "90", "95", "85", "y")
    assert dialogue.question.startswith("hand 1: does Carla pay")
    assert typed(dialogue, "b").endswith("Beñat pay 50 to go from 90 down to 85? (y/n) [y] ")
    for asked in ("hand 1, Diego: [85] ", "hand 1, Carla: [95] ", "hand 1, Beñat: [90] "):
        assert typed(dialogue, "b") == asked
    assert typed(dialogue, "b") == "hand 1: how many jokers among the ten cards? [3] "
    assert typed(dialogue, "b") == "hand 1: whose rummy? [Ana] "
    assert typed(dialogue, "b") == "hand 1: how did it end? [rummy] "
    typed(dialogue, "", "", "", "", "", "")
    assert typed(dialogue, "") == typed(begun_again(dialogue)), "empty lines come to the same question"


def begun_again(dialogue: SheetDialogue) -> SheetDialogue:
    """Return another dialogue that resumes from the answers kept."""
    return entry(*dialogue.draft.kept, players=len(dialogue.seats.players))


@pytest.mark.parametrize("lines", range(1, 7))
def test_a_partial_hand_continues_where_it_was_left(lines: int) -> None:
    """Buys too: who was asked already is not asked again."""
    dialogue = entry(players=4)
    typed(dialogue, *("-", "30", "90", "95", "85", "n", "y")[:lines])
    assert begun_again(dialogue).question == dialogue.question
    assert begun_again(dialogue).draft.kept == dialogue.draft.kept


def test_of_a_stopped_game_the_lowest_score_gets_the_pot() -> None:
    """After two hands Ana has 27 points: 260, and a bonus of 50, less the 60 that she paid."""
    dialogue = begun(2)
    assert typed(dialogue, "end").startswith("the game was stopped after hand 2: the lowest score gets the pot\n")
    assert dialogue.outcome is not None
    assert (dialogue.outcome.short, dialogue.outcome.money) == (1, (250, -160, -90))
    assert typed(dialogue, "hand 3") == "hand 3: how did it end? "
    typed(dialogue, *GOLDEN[2], "end", "y")
    assert (dialogue.state, dialogue.draft.length, len(dialogue.draft.hands)) == ("entered", "short", 3)


@pytest.mark.parametrize("place", range(5))
def test_a_hand_gone_back_to_is_kept_by_empty_lines_and_later_hands_stay(place: int) -> None:
    dialogue = begun(5)
    before = dialogue.outcome
    typed(dialogue, str(place + 1))
    assert dialogue.question.startswith(f"hand {place + 1}: how did it end? [")
    while dialogue.outcome is None:
        typed(dialogue, "")
    assert dialogue.outcome == before


def test_a_change_that_a_later_hand_contradicts_asks_for_that_hand_again() -> None:
    """With 103 points in the second hand Carla is out, Beñat may not buy (001/1.11), and goes out in the fourth."""
    dialogue = begun(5)
    reply = typed(dialogue, "hand 2", "", "", "", "", "103")
    assert "hand 3 must be asked again: Carla: is out of the game\nhand 3: how did it end? [color] " in reply
    assert len(dialogue.draft.complete) == 5
    assert "1 later hand is left out" in typed(dialogue, "", "", "")
    assert dialogue.outcome is not None
    assert dialogue.outcome.points == (37 - 10 + 26 + 2, 38 + 56 - 25 + 52, 1 + 103)


def test_a_change_that_ends_the_game_drops_later_hands_and_gives_them_back() -> None:
    dialogue = begun(5)
    reply = typed(dialogue, "hand 1", "continental", "carla", "37", "38")
    assert "4 later hands are left out" in reply
    assert dialogue.outcome is not None
    assert dialogue.outcome.money == (-50, -50, 100)
    typed(dialogue, "1", *GOLDEN[0])
    assert dialogue.outcome is not None
    assert dialogue.outcome.money == (-50, 180, -130)


def played(seed: int, players: int) -> Outcome:
    """A game that bots play: the engine's own outcome, which no sheet has gone through."""
    bots = ["greedy" if seat % 2 else "random" for seat in range(players)]
    return records.play_table(RulesRef("knock"), bots, NAMES[:players], f"prompts {seed}", STAKE).outcome


def type_game(dialogue: SheetDialogue, outcome: Outcome) -> None:
    """Answers every question from the outcome."""
    while not dialogue.draft.over:
        hand = outcome.hands[len(dialogue.draft.hands)]
        asked = dialogue.question
        seat = next((place for place, name in enumerate(dialogue.seats.names) if name in asked), -1)
        if "how did it end" in asked:
            line = hand.ending.partition(" ")[0] or "-"
        elif "who knocked" in asked or "whose" in asked:
            line = dialogue.seats.names[hand.closer or 0]
        elif "jokers" in asked:
            line = hand.ending.split()[2] if " " in hand.ending else ""
        elif "does" in asked:
            line = "y" if hand.off and hand.off[seat] else ""
        else:
            line = str(hand.points[seat])
        typed(dialogue, line)


@pytest.mark.parametrize("seed", range(8))
def test_a_game_of_bots_that_is_typed_gives_what_the_engine_played(seed: int) -> None:
    players = Random(seed).choice((2, 3, 4))
    outcome = played(seed, players)
    dialogue = entry(players=players)
    type_game(dialogue, outcome)
    found = dialogue.outcome
    assert found is not None
    assert (found.points, found.places, found.money) == (outcome.points, outcome.places, outcome.money)
    again = entry(*written(event(players), outcome), players=players)
    assert again.outcome == found, "a sheet to correct begins at its end"
