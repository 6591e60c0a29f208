"""Tests of the report on the quality of an event's seating: noted at every draw, and shown on request."""

from itertools import combinations

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.evening import weekend
from tests.oracles.recount import burdens, together
from tourney.domain.errors import ExitCode
from tourney.domain.rounds import Round, Table
from tourney.seating.build import build
from tourney.seating.constraints import Violations
from tourney.seating.model import Task
from tourney.seating.quality.bounds import certify
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import UseEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.rounds import seating_report
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.version import seating_version
from tourney.storage.session import writing


def make_db(db: str) -> None:
    """Create an event of eight players and three rounds at tables of four."""
    desk.event(db, 8, rounds=3)


def test_each_draw_but_the_first_notes_the_repeats_and_their_proven_minimum(db: str) -> None:
    """By exhaustive search eight players at two tables have at least 4 repeats in two rounds, and in three rounds 12 if
    nobody meets three times."""
    notes = [apply(db, DrawRound()).notes[number:] for number in range(3)]
    assert notes[0] == ()
    assert notes[1] == ("Rounds 1 to 2: players meet again 4 times, and less often is not possible at these tables.",)
    only = "and less often only if some of them meet a third time"
    assert notes[2] == (f"Rounds 1 to 3: players meet again 12 times, {only}.",)


def test_a_seating_without_repeats_is_reported(new_db: str) -> None:
    """Four players at tables of two have three rounds without a repeat."""
    desk.event(new_db, 4, rounds=3, size=2)
    notes = [apply(new_db, DrawRound()).notes[-1:] for _round in range(3)]
    assert notes[2] == ("Rounds 1 to 3: no two players meet twice.",)


def test_the_certificate_counts_the_rounds_as_they_were_drawn(db: str) -> None:
    """Repeats are recounted from the drawn tables by name; a player who has left is no longer one of the players."""
    drawn = [apply(db, DrawRound(anyway=True)).rounds[0] for _round in range(2)]
    withdrawn = drawn[0].tables[0].players[0].name
    apply(db, WithdrawPlayers("Friday", [withdrawn]))
    seating = seating_report.of_event(db)
    pairs = [
        frozenset(pair)
        for round_ in drawn
        for table in round_.tables
        for pair in combinations([player.name for player in table.players], 2)
    ]
    assert seating.certificate.judgement.repeats == len(pairs) - len(set(pairs))
    assert seating.certificate.players == 7
    assert seating.names[-1] == withdrawn
    assert {seating.names[player] for table in seating.rounds[0] for player in table} == set(desk.NAMES[:8])


def test_constraints_that_cannot_be_kept_are_reported(new_db: str, run: Runner) -> None:
    """Four of eight leave, and the others share the only table: the two to keep apart meet in each of two rounds."""
    desk.event(new_db, 8, rounds=2)
    apply(new_db, ConstrainSeating("Friday", ["Ana,Beñat"]))
    apply(new_db, WithdrawPlayers("Friday", desk.NAMES[4:8]))
    for _round in range(2):
        apply(new_db, DrawRound(anyway=True))
    assert seating_report.of_event(new_db).certificate.violations == Violations(apart=2, together=0, tables=0)
    assert "Broken constraints: 2 meetings of two to keep apart." in run("round", "show", "--why", "--db", new_db).out


def test_an_event_without_a_drawn_round_cannot_be_judged(db: str) -> None:
    with desk.refused(ExitCode.REFUSED, "no round of Friday is drawn", "round draw"):
        seating_report.of_event(db)


def test_round_show_why_reports_the_quality_of_the_seating(db: str, run: Runner) -> None:
    """The report is that of `seating judge`, about all rounds; it goes with neither `--round` nor `--by`."""
    apply(db, UseEvent("Friday"))
    for _round in range(2):
        apply(db, DrawRound(anyway=True))
    result = run("round", "show", "--why", "--db", db)
    assert result.code == 0
    assert result.out.startswith("Friday: 8 players, 2 rounds, 4 repeats\n")
    assert run("round", "show", "--why", "--db", db, "--json").json["repeats"] == 4
    for other in (("--round", "1"), ("--by", "name")):
        refused = run("round", "show", "--why", *other, "--db", db)
        assert (refused.code, refused.out) == (ExitCode.USAGE, "")
        assert "it goes with neither --round nor --by" in refused.err


def test_the_price_of_even_smaller_tables_is_shown_for_an_event(new_db: str, run: Runner) -> None:
    """Thirteen over four rounds: without a repeat somebody sits at a table of three 3 times and somebody never.

    Even turns are 12 × 4 / 13, so 3 or 4, and the seating found for them has some repeats.
    """
    weekend.with_stages(new_db, 13, rounds=4, size=4)
    for _round in range(4):
        apply(new_db, DrawRound(anyway=True))
    report = run("round", "show", "--why", "--json", "--db", new_db).json
    assert report["repeats"] == 0
    even = build(Task(13, (4, 3, 3, 3), 4, "no third meeting")).level
    assert even is not None
    assert even > 0
    out = " ".join(run("round", "show", "--why", "--db", new_db).out.split())
    assert (
        f"Rounds at a smaller table differ by 3 between players: the best even seating found has {even} repeats." in out
    )


def test_the_report_names_each_method_seed_and_version_once(db: str, run: Runner) -> None:
    """A rotation and a Swiss round have the event's seed; an imported round has no method, seed or version."""
    apply(db, UseEvent("Friday"))
    apply(db, DrawRound())
    apply(db, ChangeSettings(None, {"format": "swiss"}))
    apply(db, DrawRound(anyway=True))
    report = run("round", "show", "--why", "--json", "--db", db).json
    assert (report["method"], report["seed"], report["version"]) == ("rotation, swiss", "1", seating_version())
    assert (
        f"Made by tourney {seating_version()} with the seed 1: rotation, swiss."
        in run("round", "show", "--why", "--db", db).out
    )
    with writing(db) as store:
        event = store.events.get(1)
        store.rounds.draw(event, Round(3, (Table(3, 1, event.entrants[:4]), Table(3, 2, event.entrants[4:]))))
    imported = run("round", "show", "--why", "--json", "--db", db).json
    assert (imported["method"], imported["seed"], imported["version"]) == ("", "", "")


def test_repeats_above_the_bound_are_not_called_unavoidable() -> None:
    """Nine players at tables of three have two repeats in two rounds, and need have none."""
    rounds = [[(0, 1, 2), (3, 4, 5), (6, 7, 8)], [(0, 1, 3), (2, 4, 6), (5, 7, 8)]]
    found = certify(rounds, 9)
    assert seating_report.quality_text(found) == "2 repeats; fewer may be possible"
    assert seating_report.meetings_text(found) == "players meet again 2 times, and less often may be possible"


@pytest.mark.parametrize("format", ["rotation", "swiss", "snake", "random", "informative"])
def test_every_figure_of_the_report_agrees_with_a_recount_of_the_shown_tables(
    new_db: str, run: Runner, format: str
) -> None:
    """Seven players, two of them to keep apart, sit at tables of four and three; the recount uses no product code."""
    desk.event(new_db, 7, rounds=3, format=format)
    apply(new_db, ConstrainSeating("Friday", ["Ana,Beñat"]))
    for _round in range(3):
        apply(new_db, DrawRound("Friday", anyway=True))
    names = [*desk.NAMES[:7]]
    shown = [
        [[*map(names.index, table)] for table in tables]
        for tables in run("round", "show", "--json", "--db", new_db).json["rounds"]
    ]
    report = run("round", "show", "--why", "--json", "--db", new_db).json
    recounted = burdens(shown, 7) | {"wishes": [together(shown, 0, 1)] * 2 + [0] * 5}
    for criterion, counts in recounted.items():
        worst = report["worst"][criterion]
        assert (worst["count"], worst["least"], worst["sharing"]) == (
            max(counts),
            min(counts),
            counts.count(max(counts)),
        )
    pairs = [together(shown, player, opponent) for player, opponent in combinations(range(7), 2)]
    assert report["repeats"] == sum(count - 1 for count in pairs if count)
    assert (report["most_meetings"], report["unmet"]) == (max(pairs), pairs.count(0))
    assert report["strangers"] == sum(recounted["strangers"]) / 2
    assert report["revisits"] == sum(recounted["tables revisited"])
    assert report["seat_spread"] == max(recounted["seats"])
    spreads = {"dealer_spread": "first deals", "short_spread": "short tables", "outs_spread": "sitting out"}
    assert {name: report[name] for name in spreads} == {
        name: max(recounted[of]) - min(recounted[of]) for name, of in spreads.items()
    }
    assert report["broken"] == {"apart": together(shown, 0, 1), "together": 0, "tables": 0}
    assert report["bound"] <= report["repeats"]
