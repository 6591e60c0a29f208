"""Tests of standings against a second implementation, and of the tie rule of 003/1.10 by cases."""

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cmp_to_key

import pytest

from tourney.domain.people import Player
from tourney.domain.results import HandScore, Outcome, Result, Ruling
from tourney.domain.rounds import Table
from tourney.standings.placing import RankingBasis
from tourney.standings.ranking import standings
from tourney.text.i18n import speaking

CONTRACTS = ("TT", "TE", "EE")
PEOPLE = tuple(Player(number, name) for number, name in enumerate(("Ana", "Beñat", "Carmen", "Diego", "Eva"), 1))


def _result(round_number: int, number: int, players: Sequence[Player], hands: Sequence[tuple[int | None, list[int]]]):
    """Return the result of a table whose `hands` have a closing seat and points by seat."""
    scores = tuple(
        HandScore(contract, tuple(points), closer, False)
        for contract, (closer, points) in zip(CONTRACTS[: len(hands)], hands, strict=True)
    )
    totals = tuple(sum(points[seat] for _closer, points in hands) for seat in range(len(players)))
    won = tuple(sum(closer == seat for closer, _points in hands) for seat in range(len(players)))
    places = tuple(1 + sum(other < total for other in totals) for total in totals)
    return Result("x", Table(round_number, number, tuple(players)), Outcome(scores, totals, won, places))


def _random_event(chance: random.Random) -> tuple[list[Player], list[Result]]:
    """Return players and results with small numbers, so that ties are common; some tables have no result."""
    people = [Player(number, f"P{number}") for number in range(1, chance.randint(4, 9))]
    results = []
    for round_number in range(1, chance.randint(2, 5)):
        order = chance.sample(people, len(people))
        for number, start in enumerate(range(0, len(order) - 1, 3), 1):
            seated = order[start : start + 3]
            if len(seated) < 2 or chance.random() < 0.15:
                continue
            hands = []
            for _contract in CONTRACTS:
                closer = None if chance.random() < 0.1 else chance.randrange(len(seated))
                points = [0 if seat == closer else chance.choice((2, 2, 3)) for seat in range(len(seated))]
                hands.append((closer, points))
            results.append(_result(round_number, number, seated, hands))
    return people, results


def _random_rulings(chance: random.Random, people: Sequence[Player]) -> list[Ruling]:
    """Return no rulings for half of the events, else penalties of both signs, cancelled ones and notes."""
    return [
        Ruling(
            number,
            "x",
            chance.choice(("penalty", "penalty", "note")),
            "late",
            player=chance.choice(people),
            points=chance.choice((-1, 1, 2)),
            state=chance.choice(("stands", "stands", "cancelled")),
        )
        for number in range(1, chance.choice((1, 5)))
    ]


def _second_count(
    people: Sequence[Player], results: Sequence[Result], rulings: Sequence[Ruling]
) -> list[tuple[int | None, str]]:
    """Return rank and name of each player, comparing two at a time, hand by hand back through the whole event."""

    def results_of(player: Player) -> list[Result]:
        return [result for result in results if player in result.table.players]

    def won(player: Player, round_number: int, hand: int) -> bool:
        return any(
            result.table.round == round_number
            and result.outcome.hands[hand].closer == result.table.players.index(player)
            for result in results_of(player)
        )

    def average(player: Player) -> Fraction:
        points = [result.outcome.points[result.table.players.index(player)] for result in results_of(player)]
        return Fraction(sum(points) + _penalty(rulings, player), len(points))

    def compare(player: Player, other: Player) -> int:
        if average(player) != average(other):
            return -1 if average(player) < average(other) else 1
        for round_number in range(9, 0, -1):
            for hand in range(len(CONTRACTS) - 1, -1, -1):
                player_won, other_won = won(player, round_number, hand), won(other, round_number, hand)
                if player_won != other_won:
                    return -1 if player_won else 1
        return 0

    played = len({result.table.round for result in results})
    ranking = [player for player in people if results_of(player) and 2 * len(results_of(player)) >= played]
    ranking.sort(key=cmp_to_key(compare))
    rows: list[tuple[int | None, str]] = [
        (1 + sum(compare(other, player) < 0 for other in ranking), player.name) for player in ranking
    ]
    return rows + [(None, player.name) for player in people if player not in ranking]


def _penalty(rulings: Sequence[Ruling], player: Player) -> int:
    """Return the sum of the player's penalties that are not cancelled."""
    points = [
        ruling.points
        for ruling in rulings
        if ruling.player == player and (ruling.kind, ruling.state) == ("penalty", "stands")
    ]
    return sum(points)


def test_a_second_implementation_gives_the_same_ranks_in_400_random_events() -> None:
    """Each special case occurs in 20 events or more: points per game, penalties, ties, shared ranks, too few games."""
    chance = random.Random(3)
    occurred = {"shared": 0, "unequal": 0, "below": 0, "tied": 0, "penalties": 0}
    for _event in range(400):
        people, results = _random_event(chance)
        rulings = _random_rulings(chance, people)
        rows, notes = standings(people, results, basis=RankingBasis(rulings=rulings))
        assert sorted((row.rank is None, row.rank or 0, row.player.name) for row in rows) == sorted(
            (rank is None, rank or 0, name) for rank, name in _second_count(people, results, rulings)
        )
        ranks = [row.rank for row in rows if row.rank is not None]
        assert ranks == sorted(ranks)
        occurred["shared"] += len(ranks) != len(set(ranks))
        occurred["unequal"] += any("points per game" in note for note in notes)
        occurred["below"] += any(row.rank is None and row.games for row in rows)
        occurred["penalties"] += [row.player for row in rows] != [row.player for row in standings(people, results)[0]]
        occurred["tied"] += any("more recent hand" in row.why for row in rows)
    assert min(occurred.values()) >= 20, occurred


def test_totals_hands_and_games_are_those_of_the_results() -> None:
    """Each is a sum over the player's tables; the points include the penalties that are not cancelled."""
    chance = random.Random(11)
    people, results = _random_event(chance)
    rulings = [*_random_rulings(chance, people), Ruling(9, "x", "penalty", "rude", player=people[0], points=50)]
    rows, _notes = standings(people, results, basis=RankingBasis(rulings=rulings))
    for row in rows:
        outcomes = [
            (result.outcome, result.table.players.index(row.player))
            for result in results
            if row.player in result.table.players
        ]
        assert row.penalty == _penalty(rulings, row.player)
        assert row.points == sum(outcome.points[seat] for outcome, seat in outcomes) + row.penalty
        assert row.hands_won == sum(outcome.hands_won[seat] for outcome, seat in outcomes)
        assert row.games == len(outcomes)
        assert row.average == (row.points / row.games if row.games else 0)


ANA, BENAT, CARMEN, DIEGO, EVA = PEOPLE
TIES = {
    "the more recent round decides": (
        [
            _result(1, 1, [ANA, BENAT], [(0, [0, 5]), (0, [0, 5])]),
            _result(2, 1, [ANA, BENAT], [(1, [5, 0]), (1, [5, 0])]),
        ],
        [("Beñat", 1), ("Ana", 2)],
    ),
    "the later hand of a round decides": (
        [_result(1, 1, [ANA, BENAT], [(1, [5, 0]), (0, [0, 5])])],
        [("Ana", 1), ("Beñat", 2)],
    ),
    "hands of one round at two tables are equally recent, then the next most recent": (
        [
            _result(1, 1, [ANA, CARMEN], [(1, [5, 0]), (0, [0, 9])]),
            _result(1, 2, [BENAT, DIEGO], [(0, [0, 9]), (0, [5, 5])]),
        ],
        [("Beñat", 1), ("Ana", 2), ("Carmen", 3), ("Diego", 4)],
    ),
    "equal in every hand: the rank is shared, and the next one is left out": (
        [
            _result(1, 1, [ANA, CARMEN], [(0, [0, 5]), (0, [0, 5])]),
            _result(1, 2, [BENAT, DIEGO], [(0, [0, 5]), (0, [0, 5])]),
        ],
        [("Ana", 1), ("Beñat", 1), ("Carmen", 3), ("Diego", 3)],
    ),
    "nobody won a hand: the rank is shared": (
        [_result(1, 1, [ANA, BENAT], [(None, [5, 5]), (None, [6, 6])])],
        [("Ana", 1), ("Beñat", 1)],
    ),
}


@pytest.mark.parametrize("case", TIES)
def test_ties_go_to_the_more_recent_winner_of_a_hand(case: str) -> None:
    """The rule of 003/1.10 is applied to the whole event; hands of one round are compared by their number."""
    results, expected = TIES[case]
    seated = {player for result in results for player in result.table.players}
    rows, _notes = standings([player for player in PEOPLE if player in seated], results)
    assert [(row.player.name, row.rank) for row in rows] == expected


def _three_rounds() -> list[Result]:
    hands = [(0, [0, 10])]
    return [
        _result(1, 1, [ANA, BENAT], hands),
        _result(2, 1, [ANA, BENAT], [(0, [0, 30])]),
        _result(3, 1, [ANA, CARMEN], [(1, [40, 0])]),
    ]


@pytest.mark.parametrize(
    ("minimum", "ranked"),
    [(None, ["Ana", "Beñat"]), (1, ["Carmen", "Ana", "Beñat"]), (2, ["Ana", "Beñat"]), (3, ["Ana"]), (9, ["Ana"])],
)
def test_players_below_the_minimum_are_listed_last_without_a_rank(minimum: int | None, ranked: list[str]) -> None:
    """The minimum is half the rounds unless set, and never more than the rounds played."""
    rows, _notes = standings([ANA, BENAT, CARMEN, EVA], _three_rounds(), minimum)
    assert [row.player.name for row in rows if row.rank is not None] == ranked
    assert [row.rank for row in rows[: len(ranked)]] == list(range(1, len(ranked) + 1))
    assert rows[-1].player == EVA
    assert rows[-1].why == "no game yet"


def test_unequal_games_are_ranked_by_points_per_game_with_a_note() -> None:
    """Carmen with 0 points in one game is ahead of Ana with 40 in three."""
    rows, notes = standings([ANA, BENAT, CARMEN], _three_rounds(), 1)
    assert [(row.player.name, row.points, row.games) for row in rows] == [
        ("Carmen", 0, 1),
        ("Ana", 40, 3),
        ("Beñat", 40, 2),
    ]
    assert notes == ("Not everybody has played the same number of games: points per game decide.",)


WHY = [
    ("Ana", "fewest points"),
    ("Beñat", "level with Ana, who won the more recent hand (round 1, TE)"),
    ("Carmen", "1 point more than Beñat"),
    ("Diego", "7 points more than Carmen"),
]


def test_each_row_gives_the_reason_for_its_rank() -> None:
    """The reason compares the player with the one above."""
    results = [_result(1, 1, [ANA, BENAT, CARMEN, DIEGO], [(1, [8, 0, 4, 8]), (0, [0, 8, 5, 8])])]
    rows, _notes = standings([ANA, BENAT, CARMEN, DIEGO], results)
    assert [(row.player.name, row.why) for row in rows] == WHY


def test_a_void_result_counts_for_nothing() -> None:
    """A void result adds neither points nor a game; an event with only void results has no results yet."""
    counted = _result(1, 1, [ANA, BENAT], [(0, [0, 5])])
    void = Result("x", Table(2, 1, (ANA, BENAT)), Outcome((), (), (), ()), state="void", reason="set aside")
    message = "Table 1 of round 2 is void (set aside): it counts for nobody."
    rows, notes = standings([ANA, BENAT], [counted, void])
    assert tuple(replace(row, notes=()) for row in rows) == standings([ANA, BENAT], [counted])[0]
    assert notes == (message,)
    rows, notes = standings([ANA, BENAT], [void])
    assert [row.rank for row in rows] == [None, None]
    assert notes == ("No results yet.", message)


ACCENTS = ("Zoe", "Félix", "élise", "Élena", "Ana")


def test_tied_players_are_listed_by_name_without_accents_and_case() -> None:
    """Ranked or not, É and é are sorted as e."""
    people = [Player(number, name) for number, name in enumerate(ACCENTS, 1)]
    level = [_result(1, 1, people, [(None, [5] * 5)])]
    for results in (level, []):
        assert [row.player.name for row in standings(people, results)[0]] == ["Ana", "Élena", "élise", "Félix", "Zoe"]


@pytest.mark.parametrize("language", ["en", "es"])
def test_tied_players_are_listed_in_spanish_order_in_every_language(language: str) -> None:
    """ñ is a letter after n; one order for all, so that a file has the same rows everywhere."""
    people = [Player(number, name) for number, name in enumerate(("Óscar", "Ñico", "Nuria", "Beñat", "Benita"), 1)]
    level = [_result(1, 1, people, [(None, [5] * 5)])]
    with speaking(language):
        for results in (level, []):
            listed = [row.player.name for row in standings(people, results)[0]]
            assert listed == ["Benita", "Beñat", "Nuria", "Ñico", "Óscar"]


def test_a_row_has_the_notes_that_concern_it_and_no_others() -> None:
    """A row has the notes on the order and on the player's tables; penalties are in its reason."""
    whole = _result(1, 1, [ANA, BENAT], [(0, [0, 5])])
    short = _result(1, 2, [CARMEN, DIEGO], [(0, [0, 7])])
    late = _result(2, 1, [ANA, CARMEN], [(0, [0, 9])])
    short = replace(short, outcome=replace(short.outcome, short=1))
    void = Result("x", Table(2, 2, (BENAT, DIEGO)), Outcome((), (), (), ()), state="void", reason="unfinished")
    rulings = [LATE, replace(LATE, kind="correction", player=None, text="a slip")]
    rows, notes = standings(
        [ANA, BENAT, CARMEN, DIEGO], [whole, short, late, void], basis=RankingBasis(rulings=rulings)
    )
    order = "Not everybody has played the same number of games: points per game decide."
    cut = "Table 2 of round 1 was stopped early: 1 hand was not played."
    voided = "Table 2 of round 2 is void (unfinished): it counts for nobody."
    corrected = "Table 2 of round 1 was corrected by a ruling: a slip."
    penalty = "Ana: a penalty of 6 points in round 1 at table 2: came late."
    assert sorted(notes) == sorted((order, cut, voided, penalty, corrected))
    assert {row.player.name: set(row.notes) for row in rows} == {
        "Ana": {order},
        "Beñat": {order, voided},
        "Carmen": {order, cut, corrected},
        "Diego": {order, cut, voided, corrected},
    }


NEEDED = [
    (None, "1 of the 2 games needed for a rank: half the rounds played so far"),
    (2, "1 of the 2 games needed for a rank"),
    (3, "1 of the 3 games needed for a rank"),
    (4, "1 of the 3 games needed for a rank so far; the event asks for 4 in the end"),
]


@pytest.mark.parametrize(("minimum", "why"), NEEDED, ids=str)
def test_players_without_a_rank_see_how_many_games_are_needed(minimum: int | None, why: str) -> None:
    """Carmen has played one of three rounds; without a setting two games are needed."""
    rows, _notes = standings([ANA, BENAT, CARMEN], _three_rounds(), minimum)
    assert {row.player.name: row.why for row in rows}["Carmen"] == why


LATE = Ruling(1, "x", "penalty", "came late", round=1, table=2, player=ANA, points=6)
PENALTIES = {
    "a penalty costs the lead": (
        [LATE],
        [("Beñat", 1), ("Ana", 2)],
        "Ana: a penalty of 6 points in round 1 at table 2",
    ),
    "points taken off win the lead": (
        [replace(LATE, player=BENAT, points=-6, round=None, table=None)],
        [("Beñat", 1), ("Ana", 2)],
        "Beñat: 6 points taken off: came late.",
    ),
    "after a penalty to equal points the more recent hand decides": (
        [replace(LATE, points=5, table=None)],
        [("Ana", 1), ("Beñat", 2)],
        "Ana: a penalty of 5 points in round 1: came late.",
    ),
    "a cancelled penalty does not count": ([replace(LATE, state="cancelled")], [("Ana", 1), ("Beñat", 2)], ""),
    "a note does not count": ([replace(LATE, kind="note")], [("Ana", 1), ("Beñat", 2)], ""),
    "a correction is noted": (
        [replace(LATE, kind="correction", player=None)],
        [("Ana", 1), ("Beñat", 2)],
        "Table 2 of round 1 was corrected by a ruling: came late.",
    ),
}


@pytest.mark.parametrize("case", PENALTIES)
def test_rulings_count_in_the_points_and_have_a_note(case: str) -> None:
    """Ana leads with 0 points to 5; the note names player, points, table and reason."""
    rulings, ranks, note = PENALTIES[case]
    rows, notes = standings(
        [ANA, BENAT], [_result(1, 1, [ANA, BENAT], [(0, [0, 5])])], basis=RankingBasis(rulings=rulings)
    )
    assert [(row.player.name, row.rank) for row in rows] == ranks
    assert notes == (() if not note else notes)
    assert note in " ".join(notes)


def test_the_reason_of_a_row_names_the_penalties() -> None:
    """The reason, shown by `--why`, names each of two penalties."""
    rows, _notes = standings(
        [ANA, BENAT], [_result(1, 1, [ANA, BENAT], [(0, [0, 5])])], basis=RankingBasis(rulings=[LATE, LATE])
    )
    assert rows[1].why == "7 points more than Beñat" + 2 * "; a penalty of 6 points in round 1 at table 2: came late"


def test_withdrawn_players_are_listed_only_with_a_game_or_a_penalty() -> None:
    """A withdrawn player with a game keeps their rank; one with only a penalty is listed without a rank."""
    results = [_result(1, 1, [ANA, BENAT], [(0, [0, 5])])]
    states = ("withdrawn", "entered", "withdrawn", "no-show")
    rows, _notes = standings([ANA, BENAT, CARMEN, DIEGO], results, basis=RankingBasis(states=states))
    assert [(row.player.name, row.rank, row.state) for row in rows] == [
        ("Ana", 1, "withdrawn"),
        ("Beñat", 2, "entered"),
    ]
    rows, _notes = standings(
        [ANA, BENAT, CARMEN, DIEGO], results, basis=RankingBasis(states=states, rulings=[replace(LATE, player=DIEGO)])
    )
    assert [(row.player.name, row.rank, row.points) for row in rows[2:]] == [("Diego", None, 6)]


def test_short_games_are_counted_by_player_and_noted() -> None:
    """The note says how many hands were not played, and where."""
    whole = _result(1, 1, [ANA, BENAT], [(0, [0, 5])])
    other = _result(1, 2, [CARMEN, DIEGO], [(0, [0, 7])])
    rows, notes = standings(
        [ANA, BENAT, CARMEN, DIEGO], [whole, replace(other, outcome=replace(other.outcome, short=2))]
    )
    assert [(row.player.name, row.short) for row in rows] == [("Ana", 0), ("Carmen", 1), ("Beñat", 0), ("Diego", 1)]
    assert notes == ("Table 2 of round 1 was stopped early: 2 hands were not played.",)
