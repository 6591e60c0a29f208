"""Tests of the dialogue that asks for a knock sheet, without a terminal and without a database."""

from random import Random

import pytest

from tests.tourney.results.test_dialogue import type_lines
from tourney.domain.events import Event, EventSettings
from tourney.domain.people import Player
from tourney.domain.results import Outcome, SheetHand
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


def new_dialogue(*hands: SheetHand, players: int = 3) -> SheetDialogue:
    """Return the dialogue for one table of `players`; `hands` are already kept."""
    friday = event(players)
    return SheetDialogue(friday, Table(1, 4, friday.entrants), hands)


# The game of the golden record in tests/engine, whose comments explain the points, as it is typed.
GOLDEN = [
    ("knock", "carla", "1", "37", "9s Ts Js Qs 4d 4s 7h 2d 6s As"),
    ("rummy ana", "3", "56", "59", "y"),
    ("col", "2", "26", "63"),
    ("k ana", "2", "52"),
    ("continental", "Beñat", "16"),
]


def after_hands(hands: int) -> SheetDialogue:
    """Return the dialogue after the first `hands` hands are typed."""
    dialogue = new_dialogue()
    for lines in GOLDEN[:hands]:
        type_lines(dialogue, *lines)
    return dialogue


def test_the_ending_is_asked_first_and_players_who_are_out_are_not_asked() -> None:
    dialogue = new_dialogue()
    asked = []
    for lines in GOLDEN:
        for line in lines:
            asked.append(dialogue.question.partition("[")[0].rstrip())
            type_lines(dialogue, line)
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
"""Totals and pot, added up by hand. The pot has three stakes of 50, and from each hand one payer's bonus: 10 for the
knock (160); 20 + 3 × 10 for the rummy, and 50 for the buy (260); 40 for the color (300); 10 from the only payer (310).
"""


@pytest.mark.parametrize("number", range(1, 6))
def test_totals_players_who_are_out_and_the_pot_are_shown_after_every_hand(number: int) -> None:
    dialogue = after_hands(number - 1)
    totals = type_lines(dialogue, *GOLDEN[number - 1]).split("\n")
    assert totals[0] == TOTALS[number - 1]
    game_over = [line for line in totals if line.startswith("the game is over")]
    assert game_over == (["the game is over, the pot goes to Beñat: continental in hand 5"] if number == 5 else [])


def test_a_misspelt_name_after_an_ending_is_suggested_with_the_ending() -> None:
    dialogue = new_dialogue()
    reply = type_lines(dialogue, "kn Carlla")
    assert "did you mean Carla? Enter takes Carla" in reply
    assert reply.endswith("hand 1: how did it end? [knock Carla] ")
    assert type_lines(dialogue, "") == "hand 1: Carla knocked with how many points? "


def test_a_player_who_is_out_cannot_end_a_hand() -> None:
    assert type_lines(after_hands(3), "knock carla") == "Carla: is out of the game\nhand 4: how did it end? "


def test_buys_are_offered_in_turn_order_to_the_players_who_may_buy() -> None:
    """Ana dealt, so the order is Beñat, Carla, Diego, Ana. Diego has the second lowest score and would gain nothing."""
    dialogue = new_dialogue(players=4)
    assert "does Beñat pay 50 to go from 90 down to 85?" in type_lines(dialogue, "-", "30", "90", "95", "85")
    assert "does Carla pay 50 to go from 95 down to 85?" in type_lines(dialogue, "y")
    assert "Ana 30, Beñat 85, Carla 95, Diego 85; the pot: 250" in type_lines(dialogue, "")
    # Beñat deals the second hand, so Carla is asked first. Beñat's second buy costs double (001/1.11).
    assert "does Beñat pay 100 to go from 95 down to 85?" in type_lines(dialogue, "knock ana", "0", "10", "0", "0", "n")


def test_back_goes_through_buys_jokers_and_endings() -> None:
    """The earlier answers are shown in brackets, and empty lines keep them."""
    dialogue = new_dialogue(players=4)
    type_lines(dialogue, "rummy ana", "3", "90", "95", "85", "y")
    assert dialogue.question.startswith("hand 1: does Carla pay")
    assert type_lines(dialogue, "b").endswith("Beñat pay 50 to go from 90 down to 85? (y/n) [y] ")
    for asked in ("hand 1, Diego: [85] ", "hand 1, Carla: [95] ", "hand 1, Beñat: [90] "):
        assert type_lines(dialogue, "b") == asked
    assert type_lines(dialogue, "b") == "hand 1: how many jokers among the ten cards? [3] "
    assert type_lines(dialogue, "b") == "hand 1: whose rummy? [Ana] "
    assert type_lines(dialogue, "b") == "hand 1: how did it end? [rummy] "
    type_lines(dialogue, "", "", "", "", "", "")
    assert type_lines(dialogue, "") == type_lines(resumed(dialogue)), "empty lines lead to the same question"


def resumed(dialogue: SheetDialogue) -> SheetDialogue:
    """Return another dialogue that continues from the kept answers."""
    return new_dialogue(*dialogue.draft.kept, players=len(dialogue.seats.players))


@pytest.mark.parametrize("lines", range(1, 7))
def test_a_partial_hand_continues_where_it_was_left(lines: int) -> None:
    """A player who has answered about a buy is not asked again."""
    dialogue = new_dialogue(players=4)
    type_lines(dialogue, *("-", "30", "90", "95", "85", "n", "y")[:lines])
    assert resumed(dialogue).question == dialogue.question
    assert resumed(dialogue).draft.kept == dialogue.draft.kept


def test_in_a_stopped_game_the_lowest_score_gets_the_pot() -> None:
    """After two hands Ana leads with 27 points and gets the pot of 260 and a bonus of 50, less the 60 paid."""
    dialogue = after_hands(2)
    assert type_lines(dialogue, "end").startswith("the game was stopped after hand 2: the lowest score gets the pot\n")
    assert dialogue.outcome is not None
    assert (dialogue.outcome.short, dialogue.outcome.money) == (1, (250, -160, -90))
    assert type_lines(dialogue, "hand 3") == "hand 3: how did it end? "
    type_lines(dialogue, *GOLDEN[2], "end", "y")
    assert (dialogue.state, dialogue.draft.length, len(dialogue.draft.hands)) == ("entered", "short", 3)


@pytest.mark.parametrize("index", range(5))
def test_empty_lines_keep_an_earlier_hand_and_the_hands_after_it(index: int) -> None:
    dialogue = after_hands(5)
    before = dialogue.outcome
    type_lines(dialogue, str(index + 1))
    assert dialogue.question.startswith(f"hand {index + 1}: how did it end? [")
    while dialogue.outcome is None:
        type_lines(dialogue, "")
    assert dialogue.outcome == before


def test_a_later_hand_that_contradicts_a_change_is_asked_again() -> None:
    """With 103 points in hand 2 Carla is out, so Beñat may not buy (001/1.11) and is out in hand 4."""
    dialogue = after_hands(5)
    reply = type_lines(dialogue, "hand 2", "", "", "", "", "103")
    assert "hand 3 must be asked again: Carla: is out of the game\n" in reply
    assert reply.endswith("hand 3: how did it end? [color] ")
    assert len(dialogue.draft.complete) == 5
    assert "1 later hand is left out" in type_lines(dialogue, "", "", "")
    assert dialogue.outcome is not None
    assert dialogue.outcome.points == (37 - 10 + 26 + 2, 38 + 56 - 25 + 52, 1 + 103)


def test_a_change_that_ends_the_game_drops_later_hands_until_it_is_reverted() -> None:
    dialogue = after_hands(5)
    reply = type_lines(dialogue, "hand 1", "continental", "carla", "37", "38")
    assert "4 later hands are left out" in reply
    assert dialogue.outcome is not None
    assert dialogue.outcome.money == (-50, -50, 100)
    type_lines(dialogue, "1", *GOLDEN[0])
    assert dialogue.outcome is not None
    assert dialogue.outcome.money == (-50, 180, -130)


def played(seed: int, players: int) -> Outcome:
    """Return the outcome of a game played by bots, as the engine computes it."""
    bots = ["greedy" if seat % 2 else "random" for seat in range(players)]
    return records.play_table(RulesRef("knock"), bots, NAMES[:players], f"prompts {seed}", STAKE).outcome


def type_game(dialogue: SheetDialogue, outcome: Outcome) -> None:
    """Answer every question from the outcome."""
    while not dialogue.draft.over:
        hand = outcome.hands[len(dialogue.draft.hands)]
        asked = dialogue.question
        seat = next((index for index, name in enumerate(dialogue.seats.names) if name in asked), -1)
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
        type_lines(dialogue, line)


@pytest.mark.parametrize("seed", range(8))
def test_a_typed_game_of_bots_has_the_outcome_of_the_engine(seed: int) -> None:
    players = Random(seed).choice((2, 3, 4))
    outcome = played(seed, players)
    dialogue = new_dialogue(players=players)
    type_game(dialogue, outcome)
    entered = dialogue.outcome
    assert entered is not None
    assert (entered.points, entered.places, entered.money) == (outcome.points, outcome.places, outcome.money)
    correction = new_dialogue(*written(event(players), outcome), players=players)
    assert correction.outcome == entered, "a correction begins at the confirmation"
