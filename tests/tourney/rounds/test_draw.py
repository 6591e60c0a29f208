"""Tests of draws while players arrive and leave, and of Swiss rounds."""

import json
import random
import shutil
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.effort import effort
from tests.harness.slow import slow
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.results import HandScore, Outcome
from tourney.domain.rounds import Round
from tourney.service.change import apply
from tourney.service.events.attendance import CheckInPlayers, ReturnPlayers, WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent, bot_seats
from tourney.service.events.settings import ChangeSettings
from tourney.service.impact import preview
from tourney.service.players import RegisterPlayers
from tourney.service.results import standings
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage.journal import kinds
from tourney.storage.session import writing


def create_event(db: str, people: int, **settings: object) -> list[str]:
    """Create an event of players P1, P2 and so on; return their names."""
    names = [f"P{number}" for number in range(1, people + 1)]
    desk.people_in(db, names, **settings)
    return names


def draw(db: str) -> Round:
    return apply(db, DrawRound(anyway=True)).rounds[0]


def seated(round_: Round) -> list[str]:
    return sorted(player.name for table in round_.tables for player in table.players)


def byes(round_: Round) -> list[str]:
    return sorted(player.name for player in round_.sitting_out)


def play(db: str, round_: Round, chance: random.Random) -> None:
    """Enter seven hands for every table, closed by random players."""
    for table in round_.tables:
        names = [player.name for player in table.players]
        apply(
            db,
            EnterResult(None, round_.number, table.number, desk.hands(names, [chance.randrange(4) for _ in range(7)])),
        )


def repeats(drawn: Sequence[Round]) -> int:
    met = Counter(
        frozenset(pair)
        for round_ in drawn
        for table in round_.tables
        for pair in combinations([player.name for player in table.players], 2)
    )
    return sum(met.values()) - len(met)


def test_a_swiss_round_is_the_best_by_the_standings(db: str) -> None:
    """Of the 35 ways to seat eight players at two tables, the draw has the fewest repeats (a third meeting counts as
    five), then the opponents nearest in the standings; checked in four rounds."""
    chance = random.Random("swiss evening")
    create_event(db, 8, format="swiss", rounds=4, seed="a")
    met: Counter[frozenset[str]] = Counter()
    for _round in range(4):
        order = [row.player.name for row in standings.standings(db).rows]
        round_ = draw(db)
        assert seated(round_) == sorted(order)
        if round_.number > 1:

            def table_cost(table: Sequence[str], order: list[str] = order) -> tuple[int, int]:
                pairs = list(combinations(table, 2))
                distance = sum(abs(order.index(player) - order.index(opponent)) for player, opponent in pairs)
                return sum((0, 1, 5)[min(met[frozenset(pair)], 2)] for pair in pairs), distance

            def cost(tables: Sequence[Sequence[str]]) -> tuple[int, ...]:
                return tuple(map(sum, zip(*map(table_cost, tables), strict=True)))

            ways = [(half, tuple(set(order) - set(half))) for half in combinations(order, 4)]
            assert cost([[player.name for player in table.players] for table in round_.tables]) == min(map(cost, ways))
        for table in round_.tables:
            met.update(frozenset(pair) for pair in combinations([player.name for player in table.players], 2))
        play(db, round_, chance)


def test_the_first_swiss_round_follows_the_seed(db: str) -> None:
    """Two events with one seed have the same tables; another seed gives others."""
    create_event(db, 16, format="swiss", seed="a")
    for name, seed in (("same", "a"), ("other", "b")):
        apply(db, CreateEvent(EventSettings(name, "oficial", format="swiss", seed=seed)))
        apply(db, EnterPlayers(name, [f"P{number}" for number in range(1, 17)]))
    first, same, other = (
        [
            {player.name for player in table.players}
            for table in apply(db, DrawRound(name, anyway=True)).rounds[0].tables
        ]
        for name in ("Friday", "same", "other")
    )
    assert first == same
    assert first != other


@pytest.mark.parametrize("needed", [None, 1, 6])
@pytest.mark.parametrize("seed", ["0", *slow(["1"])])
def test_before_any_result_first_deals_and_short_tables_are_level_also_with_a_table_constraint(
    db: str, seed: str, needed: int | None
) -> None:
    """Draw two rounds for 22 people at four tables of four and two of three, without standings.

    Twelve players deal first and twelve sit at a table of three, nobody twice, and there are no repeats. P5 sits at the
    table that the constraint names.
    """
    create_event(db, 22, format="swiss", rounds=2, seed=seed)
    if needed:
        apply(db, ConstrainSeating(None, tables=[f"P5={needed}"]))
    tables = [table for _round in range(2) for table in draw(db).tables]
    assert len({table.players[0] for table in tables}) == 12
    assert len({player for table in tables if len(table.players) == 3 for player in table.players}) == 12
    assert repeats(rounds.show(db).rounds) == 0
    tables_of_p5 = {table.number for table in tables if "P5" in [player.name for player in table.players]}
    assert needed is None or tables_of_p5 == {needed}


@pytest.mark.parametrize(("format", "people"), [("random", 13), ("random", 14), ("rated swiss", 16), ("snake", 16)])
def test_rounds_drawn_one_by_one_leave_first_deals_and_short_tables_level(db: str, format: str, people: int) -> None:
    """In four rounds at four tables each of 16 players deals first once, each of 13 or 14 once or twice; after every
    round the numbers of rounds at a table of three differ by one at most."""
    create_event(db, people, format=format, rounds=4)
    dealt, short = Counter[str](), Counter[str]()
    for number in range(4):
        round_ = draw(db)
        dealt.update(table.players[0].name for table in round_.tables)
        short.update(player.name for table in round_.tables if len(table.players) == 3 for player in table.players)
        short_counts = [short[name] for name in seated(round_)]
        assert max(short_counts) - min(short_counts) <= 1
        deal_counts = [dealt[name] for name in seated(round_)]
        assert max(deal_counts) - min(deal_counts) <= 1 or (people < 16 and number < 3)


def test_a_late_entrant_of_a_swiss_event_sits_at_the_last_table(db: str) -> None:
    """A player without a game is last in the standings."""
    create_event(db, 7, format="swiss", rounds=3)
    play(db, draw(db), random.Random(1))
    apply(db, RegisterPlayers(["Late"]))
    apply(db, EnterPlayers("Friday", ["Late"]))
    second = draw(db)
    assert "Late" in {player.name for player in second.tables[-1].players}


@pytest.mark.parametrize(
    ("format", "seed"),
    [("swiss", 3), *slow([("rotation", 0), ("rotation", 1), *(("swiss", seed) for seed in range(3))])],
)
def test_byes_stay_fair_while_players_arrive_and_leave(db: str, format: str, seed: int) -> None:
    """In seven rounds of full tables the byes of the players present throughout differ by one at most."""
    chance = random.Random(f"outs {seed}")
    names = create_event(db, 9 + seed, format=format, rounds=7, short="sit out", seed=str(seed))
    present, stayed, bye_counts = list(names), set(names), Counter[str]()
    for number in range(7):
        round_ = draw(db)
        assert sorted(seated(round_) + byes(round_)) == sorted(present)
        assert len(round_.sitting_out) == len(present) % 4
        bye_counts.update(byes(round_))
        counts = [bye_counts[name] for name in stayed]
        assert max(counts) - min(counts) <= 1
        if number % 3 == 0:
            leaving = chance.choice([name for name in present if name in stayed])
            apply(db, WithdrawPlayers(None, [leaving]))
            present.remove(leaving)
            stayed.remove(leaving)
        elif number % 3 == 1:
            apply(db, RegisterPlayers([f"Late {number}"]))
            apply(db, EnterPlayers("Friday", [f"Late {number}"]))
            present.append(f"Late {number}")
        else:
            returning = chance.choice([name for name in names if name not in present])
            apply(db, ReturnPlayers(None, [returning]))
            present.append(returning)


@pytest.mark.parametrize(("people", "number"), [(24, 6), (28, 7)])
def test_a_withdrawal_from_a_plan_without_repeats_causes_none(db: str, people: int, number: int) -> None:
    """Each coming round loses the player and is otherwise as planned."""
    create_event(db, people, rounds=number, seed="plan")
    apply(db, CreateEvent(EventSettings("Whole", "oficial", rounds=number, seed="plan")))
    apply(db, EnterPlayers("Whole", [f"P{count}" for count in range(1, people + 1)]))
    whole = [apply(db, DrawRound("Whole", anyway=True)).rounds[0] for _round in range(number)]
    apply(db, UseEvent("Friday"))
    drawn = [draw(db), draw(db)]
    apply(db, WithdrawPlayers(None, ["P5"]))
    drawn += [draw(db) for _round in range(number - 2)]
    assert repeats(drawn) == repeats(whole) == 0
    for planned, round_ in zip(whole[2:], drawn[2:], strict=True):
        without = {frozenset(p.name for p in table.players) - {"P5"} for table in planned.tables}
        assert {frozenset(p.name for p in table.players) for table in round_.tables} == without


def draw_from_file(db: str, tables: Sequence[Sequence[str]]) -> DrawRound:
    """Return the draw of the next round from a file with these tables."""
    file = Path(db).with_name("tables.json")
    file.write_text(json.dumps({"rounds": [tables]}), encoding="utf-8")
    return DrawRound(None, file)


@pytest.mark.slow
def test_players_of_a_given_table_do_not_meet_again_as_planned(db: str) -> None:
    """Draw round 3 of five from a file that holds a table planned for round 4.

    There are no repeats, and the changed tables are named; not all coming tables change.
    """
    create_event(db, 22, rounds=5, seed="plan")
    drawn = [draw(db), draw(db)]
    whole = str(Path(db).with_name("whole.db"))
    shutil.copy(db, whole)
    fourth = [draw(whole), draw(whole)][1]
    early = [player.name for player in fourth.tables[0].players]
    changes = preview(db, draw_from_file(db, [early])).outcome.ahead
    assert changes is not None
    assert set(early) in [{player.name for player in change.before} for change in changes if change.round == 4]
    assert len(changes) < 12
    drawn.append(apply(db, draw_from_file(db, [early])).rounds[0])
    drawn += [draw(db), draw(db)]
    assert repeats(drawn) == 0


def test_a_rotation_after_a_manual_round_is_planned_around_it(db: str) -> None:
    """22 people of a manual round do not meet again in four more rounds; four bots share a table in all five."""
    names = create_event(db, 22, rounds=5, format="manual")
    apply(db, EnterPlayers("Friday", [], bots=bot_seats("random:4")))
    random.Random("by hand").shuffle(names)
    tables = [names[:3], names[3:6], *(names[at : at + 4] for at in range(6, 22, 4))]
    drawn = [*apply(db, draw_from_file(db, tables)).rounds]
    apply(db, ChangeSettings(None, {"format": "rotation"}))
    drawn += [draw(db) for _round in range(4)]
    assert repeats(drawn) == 4 * 6


def test_where_check_in_is_required_the_absent_are_noted_and_not_seated(db: str) -> None:
    """The note names the absent; where nobody is checked in, the refusal says how to check in."""
    create_event(db, 8, checkin="required")
    with desk.refused(ExitCode.REFUSED, "Friday cannot be seated", "tourney event checkin"):
        apply(db, DrawRound())
    apply(db, CheckInPlayers(None, ["1", "2", "3", "4", "5"]))
    drawn = apply(db, DrawRound())
    assert seated(drawn.rounds[0]) == ["P1", "P2", "P3", "P4", "P5"]
    assert drawn.notes == ("Not seated, because not checked in: P6, P7, P8.",)


def store_results(db: str, round_: Round, chance: random.Random) -> None:
    """Store a random result for every table of the round, in one transaction and without checks."""
    with writing(db) as store:
        event = store.events.get(1)
        for table in round_.tables:
            points = tuple(chance.sample(range(10, 200), len(table.players)))
            order = sorted(points)
            hands = tuple(HandScore(contract, points, None, False) for contract in desk.CONTRACTS)
            places = tuple(1 + order.index(total) for total in points)
            totals = tuple(7 * of_hand for of_hand in points)
            store.write(
                kinds.results.ResultEntered.of(event, table, Outcome(hands, totals, (0,) * len(points), places))
            )


@pytest.mark.parametrize("format", ["rotation", *slow(["swiss"])])
def test_two_hundred_players_are_seated_quickly_for_eight_rounds_without_a_repeat(db: str, format: str) -> None:
    """One player leaves and one enters late. The last draws take six times as long as the first ones at most."""
    chance = random.Random("big")
    create_event(db, 200, format=format, rounds=8)
    efforts, drawn = [], []
    for number in range(8):
        efforts.append(effort(lambda: drawn.append(draw(db))))
        store_results(db, drawn[-1], chance)
        if number == 3:
            apply(db, WithdrawPlayers(None, ["P7"]))
            apply(db, RegisterPlayers(["Late"]))
            apply(db, EnterPlayers("Friday", ["Late"]))
    assert repeats(drawn) == 0
    assert len(seated(drawn[-1])) == 200
    assert min(efforts[-2:]) < max(6 * min(efforts[:3]), 85)
    assert max(efforts) < 340
