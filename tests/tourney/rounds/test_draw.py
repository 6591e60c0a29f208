"""Draws while people come and go, and Swiss rounds of a real event."""

import json
import random
import shutil
import time
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.results import HandScore, Outcome
from tourney.domain.rounds import Round
from tourney.service import standings
from tourney.service.change import apply
from tourney.service.events.attendance import CheckInPlayers, ReturnPlayers, WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import CreateEvent, EnterPlayers, FinishEvent, UseEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.impact import preview
from tourney.service.people.players import RegisterPlayers
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.rounds import DrawRound
from tourney.storage.session import writing


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "club.db")


def club(db: str, people: int, **settings: object) -> list[str]:
    """An event of so many people, P1 and so on."""
    names = [f"P{number}" for number in range(1, people + 1)]
    apply(db, RegisterPlayers(names))
    apply(db, CreateEvent(EventSettings("Friday", "oficial", **settings)))
    apply(db, EnterPlayers("Friday", names))
    return names


def draw(db: str) -> Round:
    return apply(db, DrawRound()).rounds[0]


def seated(round_: Round) -> list[str]:
    return sorted(player.name for table in round_.tables for player in table.players)


def sit_out(round_: Round) -> list[str]:
    return sorted(player.name for player in round_.sitting_out)


def play(db: str, round_: Round, chance: random.Random) -> None:
    """Seven hands at every table, closed by anybody."""
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
    """Eight people, all 35 ways to seat them at two tables: fewest repeats (a third meeting counts five), then nearest,
    in four rounds."""
    chance = random.Random("swiss evening")
    club(db, 8, format="swiss", rounds=4, seed="a")
    met: Counter[frozenset[str]] = Counter()
    for _round in range(4):
        order = [row.player.name for row in standings.standings(db).rows]
        round_ = draw(db)
        assert seated(round_) == sorted(order)
        if round_.number > 1:

            def worth(table: Sequence[str], order: list[str] = order) -> tuple[int, int]:
                pairs = list(combinations(table, 2))
                near = sum(abs(order.index(left) - order.index(right)) for left, right in pairs)
                return sum((0, 1, 5)[min(met[frozenset(pair)], 2)] for pair in pairs), near

            def total(tables: Sequence[Sequence[str]]) -> tuple[int, ...]:
                return tuple(map(sum, zip(*map(worth, tables), strict=True)))

            ways = [(half, tuple(set(order) - set(half))) for half in combinations(order, 4)]
            assert total([[player.name for player in table.players] for table in round_.tables]) == min(
                map(total, ways)
            )
        for table in round_.tables:
            met.update(frozenset(pair) for pair in combinations([player.name for player in table.players], 2))
        play(db, round_, chance)


def test_the_first_swiss_round_follows_the_seed(db: str) -> None:
    """Another seed, other tables; the same seed, the same."""
    club(db, 16, format="swiss", seed="a")
    for name, seed in (("same", "a"), ("other", "b")):
        apply(db, CreateEvent(EventSettings(name, "oficial", format="swiss", seed=seed)))
        apply(db, EnterPlayers(name, [f"P{number}" for number in range(1, 17)]))
    first, same, other = (
        [{player.name for player in table.players} for table in apply(db, DrawRound(name)).rounds[0].tables]
        for name in ("Friday", "same", "other")
    )
    assert first == same
    assert first != other


@pytest.mark.parametrize("needed", [None, 1, 6])
@pytest.mark.parametrize("seed", ["0", "1"])
def test_before_any_result_first_seats_and_short_tables_are_level_also_where_a_table_is_needed(
    db: str, seed: str, needed: int | None
) -> None:
    """Draw two rounds for 22 people at four tables of four and two of three, without standings.

    12 can deal first and 12 sit at a table of three without anybody doing so twice, and nobody meets again. P5 has the
    table needed.
    """
    club(db, 22, format="swiss", rounds=2, seed=seed)
    if needed:
        apply(db, ConstrainSeating(None, tables=[f"P5={needed}"]))
    tables = [table for _round in range(2) for table in draw(db).tables]
    assert len({table.players[0] for table in tables}) == 12
    assert len({player for table in tables if len(table.players) == 3 for player in table.players}) == 12
    assert repeats(rounds.show(db).rounds) == 0
    there = {table.number for table in tables if "P5" in [player.name for player in table.players]}
    assert needed is None or there == {needed}


@pytest.mark.parametrize(("format", "people"), [("random", 13), ("random", 14), ("rated swiss", 16), ("snake", 16)])
def test_rounds_drawn_one_by_one_leave_first_deals_and_short_tables_level(db: str, format: str, people: int) -> None:
    """Over four rounds at four tables: each of 16 people deals first once, each of 13 or 14 once or twice; and by lot
    nobody has two turns at a table of three more than another, after any of the rounds."""
    club(db, people, format=format, rounds=4)
    dealt, short = Counter[str](), Counter[str]()
    for number in range(4):
        round_ = draw(db)
        dealt.update(table.players[0].name for table in round_.tables)
        short.update(player.name for table in round_.tables if len(table.players) == 3 for player in table.players)
        turns = [short[name] for name in seated(round_)]
        assert max(turns) - min(turns) <= 1
        counts = [dealt[name] for name in seated(round_)]
        assert max(counts) - min(counts) <= 1 or (people < 16 and number < 3)


def test_a_late_entrant_of_a_swiss_event_sits_with_those_who_stand_last(db: str) -> None:
    """The late entrant has no game yet, and no opponents."""
    club(db, 7, format="swiss", rounds=3)
    play(db, draw(db), random.Random(1))
    apply(db, RegisterPlayers(["Late"]))
    apply(db, EnterPlayers("Friday", ["Late"]))
    second = draw(db)
    assert "Late" in {player.name for player in second.tables[-1].players}


@pytest.mark.parametrize(
    ("format", "seed"), [("rotation", 0), ("rotation", 1), *(("swiss", seed) for seed in range(4))]
)
def test_turns_to_sit_out_stay_fair_while_people_come_and_go(db: str, format: str, seed: int) -> None:
    """Seven rounds with full tables only: of those present all evening nobody has two byes before all have one."""
    chance = random.Random(f"outs {seed}")
    names = club(db, 9 + seed, format=format, rounds=7, short="sit out", seed=str(seed))
    here, stayed, turns = list(names), set(names), Counter[str]()
    for number in range(7):
        round_ = draw(db)
        assert sorted(seated(round_) + sit_out(round_)) == sorted(here)
        assert len(round_.sitting_out) == len(here) % 4
        turns.update(sit_out(round_))
        counts = [turns[name] for name in stayed]
        assert max(counts) - min(counts) <= 1
        if number % 3 == 0:
            gone = chance.choice([name for name in here if name in stayed])
            apply(db, WithdrawPlayers(None, [gone]))
            here.remove(gone)
            stayed.remove(gone)
        elif number % 3 == 1:
            apply(db, RegisterPlayers([f"Late {number}"]))
            apply(db, EnterPlayers("Friday", [f"Late {number}"]))
            here.append(f"Late {number}")
        else:
            back = chance.choice([name for name in names if name not in here])
            apply(db, ReturnPlayers(None, [back]))
            here.append(back)


def test_withdrawn_players_are_not_drawn_until_they_return(db: str) -> None:
    """Rounds drawn before stay."""
    names = club(db, 8, rounds=4)
    first = draw(db)
    apply(db, WithdrawPlayers(None, ["P3"]))
    apply(db, WithdrawPlayers(None, ["P4"], absence="no-show"))
    assert seated(draw(db)) == sorted(set(names) - {"P3", "P4"})
    apply(db, ReturnPlayers(None, ["P3"]))
    assert seated(draw(db)) == sorted(set(names) - {"P4"})
    assert rounds.show(db).rounds[0] == first


@pytest.mark.parametrize(("people", "number"), [(24, 6), (28, 7)])
def test_a_withdrawal_from_a_plan_without_repeats_brings_none(db: str, people: int, number: int) -> None:
    """The coming rounds lose a player and nothing else, round after round."""
    club(db, people, rounds=number, seed="plan")
    apply(db, CreateEvent(EventSettings("Whole", "oficial", rounds=number, seed="plan")))
    apply(db, EnterPlayers("Whole", [f"P{count}" for count in range(1, people + 1)]))
    whole = [apply(db, DrawRound("Whole")).rounds[0] for _round in range(number)]
    apply(db, UseEvent("Friday"))
    drawn = [draw(db), draw(db)]
    apply(db, WithdrawPlayers(None, ["P5"]))
    drawn += [draw(db) for _round in range(number - 2)]
    assert repeats(drawn) == repeats(whole) == 0
    for planned, round_ in zip(whole[2:], drawn[2:], strict=True):
        without = {frozenset(p.name for p in table.players) - {"P5"} for table in planned.tables}
        assert {frozenset(p.name for p in table.players) for table in round_.tables} == without


def given(db: str, tables: Sequence[Sequence[str]]) -> DrawRound:
    """Return the drawing of the next round with these tables."""
    file = Path(db).with_name("tables.json")
    file.write_text(json.dumps({"rounds": [tables]}), encoding="utf-8")
    return DrawRound(None, file)


def test_a_table_given_by_hand_does_not_come_again_as_it_was_planned(db: str) -> None:
    """Give a table of round 4 of five for round 3.

    Nobody meets again, and the changed tables are named; not all upcoming tables change.
    """
    club(db, 22, rounds=5, seed="plan")
    drawn = [draw(db), draw(db)]
    whole = str(Path(db).with_name("whole.db"))
    shutil.copy(db, whole)
    fourth = [draw(whole), draw(whole)][1]
    early = [player.name for player in fourth.tables[0].players]
    changes = preview(db, given(db, [early])).outcome.ahead
    assert changes is not None
    assert set(early) in [{player.name for player in change.before} for change in changes if change.round == 4]
    assert len(changes) < 12
    drawn.append(apply(db, given(db, [early])).rounds[0])
    drawn += [draw(db), draw(db)]
    assert repeats(drawn) == 0


def test_a_rotation_after_rounds_by_hand_is_planned_around_them(db: str) -> None:
    """22 people who sat by hand once do not meet again in four more rounds; four bots, at one table, always do."""
    names = club(db, 22, rounds=5, format="manual")
    apply(db, EnterPlayers("Friday", [], bots="random:4"))
    random.Random("by hand").shuffle(names)
    tables = [names[:3], names[3:6], *(names[at : at + 4] for at in range(6, 22, 4))]
    drawn = [*apply(db, given(db, tables)).rounds]
    apply(db, ChangeSettings(None, {"format": "rotation"}))
    drawn += [draw(db) for _round in range(4)]
    assert repeats(drawn) == 4 * 6


def test_where_check_in_is_required_the_absent_are_noted_and_not_seated(db: str) -> None:
    """Names, and what to do when nobody is there."""
    club(db, 8, checkin="required")
    with desk.refused(ExitCode.REFUSED, "Friday cannot be seated", "tourney event checkin"):
        apply(db, DrawRound())
    apply(db, CheckInPlayers(None, ["1", "2", "3", "4", "5"]))
    drawn = apply(db, DrawRound())
    assert seated(drawn.rounds[0]) == ["P1", "P2", "P3", "P4", "P5"]
    assert drawn.notes == ("Not seated, because not checked in: P6, P7, P8.",)


def test_a_finished_event_is_not_drawn(db: str) -> None:
    """A finished event can be reopened."""
    club(db, 4, rounds=2)
    play(db, draw(db), random.Random(2))
    apply(db, FinishEvent("Friday", incomplete=True))
    with desk.refused(ExitCode.REFUSED, "Friday is finished", "reopen"):
        apply(db, DrawRound())


def keep(db: str, round_: Round, chance: random.Random) -> None:
    """A result for every table of the round in one transaction."""
    with writing(db) as store:
        event = store.event(1)
        for table in round_.tables:
            points = tuple(chance.sample(range(10, 200), len(table.players)))
            order = sorted(points)
            hands = tuple(HandScore(contract, points, None, False) for contract in desk.CONTRACTS)
            places = tuple(1 + order.index(each) for each in points)
            total = tuple(7 * each for each in points)
            store.keep_result(event, table, Outcome(hands, total, (0,) * len(points), places))


@pytest.mark.parametrize("format", ["rotation", "swiss"])
def test_two_hundred_players_are_seated_eight_times_without_a_repeat_and_without_waiting(db: str, format: str) -> None:
    """With a withdrawal and a late entry; the last draw takes at most six times as long as the first, and 4 s."""
    chance = random.Random("big")
    club(db, 200, format=format, rounds=8)
    seconds, drawn = [], []
    for number in range(8):
        start = time.process_time()
        drawn.append(draw(db))
        seconds.append(time.process_time() - start)
        keep(db, drawn[-1], chance)
        if number == 3:
            apply(db, WithdrawPlayers(None, ["P7"]))
            apply(db, RegisterPlayers(["Late"]))
            apply(db, EnterPlayers("Friday", ["Late"]))
    assert repeats(drawn) == 0
    assert len(seated(drawn[-1])) == 200
    assert min(seconds[-2:]) < max(6 * min(seconds[:3]), 1)
    assert max(seconds) < 4
