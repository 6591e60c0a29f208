"""Tests of the commands log, undo and redo."""

import gc
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.effort import effort
from tests.harness.long_history import long_history
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.pools import Pool
from tourney.domain.results import Outcome, Ruling
from tourney.domain.rounds import Round, Table
from tourney.domain.rules import RulesRef
from tourney.service import players
from tourney.service.admin import journal
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.service.impact import preview
from tourney.service.players import ErasePlayer, MergePlayers, RegisterPlayers, RenamePlayer
from tourney.service.results import results, standings
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage.journal import kinds
from tourney.storage.journal.kinds import KINDS, Change
from tourney.storage.journal.undo import REVERSALS
from tourney.storage.person_names import NewPerson
from tourney.storage.session import writing


def sentences(db: str, event: str | None = None) -> list[str]:
    """Return the sentences of the log, oldest first."""
    return [line.said for line in journal.log(db, event).lines]


def content(db: str) -> dict[str, list[tuple]]:
    """Return the rows of the index tables, which leave out the journal, people's names and caches."""
    journal = {"act", "head", "step", "undone", "trace", "counter", "seal", "person", "alembic_version"}
    left_out = {*journal, "rated_round", "rating_checkpoint"}
    return {name: desk.query(db, f'SELECT * FROM "{name}"') for name in desk.tables(db) if name not in left_out}


def test_every_kind_of_entry_has_a_sentence() -> None:
    """Undo and redo have none: they repeat the sentence of the change."""
    own = {name for name, kind in KINDS.items() if kind.said or kind.sentence.__func__ is not Change.sentence.__func__}
    assert own == set(KINDS)
    assert own.isdisjoint(REVERSALS)


def _outcome(*points: int) -> Outcome:
    return Outcome((), points, (0,) * len(points), tuple(range(1, len(points) + 1)))


def test_the_log_describes_every_kind_of_change_in_a_sentence(db: str) -> None:
    """One change of every kind is made and compared with a sentence written by hand."""
    with writing(db) as store:
        ana, benat, carmen, diego = store.people.add_persons([NewPerson(name, "", "") for name in desk.NAMES[:4]])
        (twin,) = store.people.add_persons([NewPerson("Anna", "", "")])
        store.people.add_bots(["greedy-1"])
        event = store.events.new(EventSettings("Friday", "oficial", rounds=3, size=4), RulesRef("oficial", "digest"))
        event = store.events.change(event, replace(event.settings, rounds=4, minimum=None, minutes=45))
        store.write(kinds.events.EventUsed(event))
        event = store.events.enter(event, (ana, benat, carmen, diego))
        store.changed(kinds.people.PlayersCheckedIn(event, (ana, benat)))
        store.changed(kinds.people.PlayersWithdrawn.of(event, (diego,), "withdrawn", "ill"))
        store.changed(kinds.people.PlayersWithdrawn.of(event, (carmen,), "no-show", ""))
        event = store.changed(kinds.people.PlayersReturned.back(event, (diego,)))
        first = Round(1, (Table(1, 1, (benat, ana, carmen)),), (diego,))
        store.rounds.draw(event, first)
        store.write(
            kinds.rounds.TablesMoved.of(
                event, replace(first, tables=(Table(1, 1, (benat, ana, diego)),), sitting_out=()), note="Diego is here"
            )
        )
        store.write(kinds.rounds.ClockSet(event, 1, "2026-11-20T20:14:00.000000Z", 45))
        store.write(kinds.rounds.ClockSet(event, 1, "", 0))
        table = Table(1, 1, (benat, ana, diego))
        store.write(kinds.results.SheetDiscarded(event, table.round, table.number, ("TT", "TE"), "another table's"))
        store.write(kinds.results.ResultEntered.of(event, table, replace(_outcome(55, 30, -10), short=2)))
        store.write(kinds.results.ResultCorrected.of(event, table, _outcome(45, 30, -10), "a slip"))
        store.add(kinds.results.RulingAdded.of(event, Ruling(0, "Friday", "penalty", "a phone", 1, 1, ana, points=20)))
        store.add(
            kinds.results.RulingAdded.of(event, Ruling(0, "Friday", "redeal", "an ace too many", 1, 1, hand="TE"))
        )
        store.add(kinds.results.RulingAdded.of(event, Ruling(0, "Friday", "note", "noise")))
        store.write(kinds.results.RulingCancelled(event, 1, "it was the clock"))
        store.write(kinds.results.ResultVoided(event, table.round, table.number, "set aside"))
        store.write(kinds.rounds.RoundCancelled(event, 1, "all home"))
        store.changed(kinds.events.EventFinished(event))
        store.changed(kinds.events.EventReopened(event, "one more round"))
        store.add(kinds.pools.PoolOpened.of(Pool("races", "imported", "25", "8", "4", "0", "0.1")))
        store.pools.import_games(1, [(("Eva", "Noa"), (1, 2))], "races.csv")
        store.pools.import_games(1, [(("Noa", "Eva"), (1, 2))], "races.csv")
        store.write(kinds.pools.AliasSet(1, 2, 1))
        store.write(kinds.pools.AliasSet(1, 2, 0))
        store.write(kinds.pools.FilesRemoved(1, [file.number for file in store.pools.imported_files(1).files]))
        store.people.publish(ana, "other name", "A.")
        store.people.publish(ana, "nothing", "")
        store.people.publish(ana, "name", "")
        store.people.rename(twin, "Ane", "Getxo", "")
        store.events.merge(ana, twin)
        store.people.erase(carmen)
    clock = datetime.fromisoformat("2026-11-20T20:14:00+00:00").astimezone()
    assert sentences(db) == [
        "registered: Ana, Beñat, erased-3, Diego",
        "registered: Ana",
        "registered: greedy-1",
        "created: Friday, oficial, rotation, 3 rounds",
        "settings: rounds → 4, minutes per round → 45",
        "current event: Friday",
        "entered: Ana, Beñat, erased-3, Diego",
        "checked in: Ana, Beñat",
        "Diego withdrew: ill",
        "erased-3 did not come",
        "Diego came back",
        "round 1 drawn: 1 table; byes: Diego",
        "round 1: Diego sits elsewhere now; without a seat now: erased-3: Diego is here",
        f"round 1 lasts 45 minutes from {clock:%H:%M}",
        "round 1: clock removed",
        "partial sheet of table 1 of round 1 discarded, TT TE: another table's",
        "table 1 of round 1: Beñat 55, Ana 30, Diego -10 (2 hands not played)",
        "table 1 of round 1 corrected, a slip: Beñat 55 → 45, Ana 30, Diego -10",
        "decision 1: penalty of 20 points for Ana, at table 1 of round 1: a phone",
        "decision 2: hand TE dealt again, at table 1 of round 1: an ace too many",
        "decision 3: a note: noise",
        "decision 1 cancelled: it was the clock",
        "table 1 of round 1 made void: set aside",
        "round 1 cancelled: all home",
        "finished",
        "reopened: one more round",
        "pool opened: races",
        "imported into pool races: 1 game",
        "imported again into pool races, from races.csv: 1 game",
        "pool races: an alias added",
        "pool races: an alias removed",
        "1 imported file removed from pool races",
        "rankings show Ana under another name",
        "rankings do not show Ana",
        "rankings show Ana by name",
        "renamed: player 5, now Ana",
        "merged: Ane (Getxo) is Ana",
        "erased: the name of player 3",
    ]
    undone = apply(db, Undo())
    assert undone.line.said == "registered: Ana, Beñat, erased-3, Diego, and 36 more changes"


def test_an_undone_or_redone_renaming_shows_the_current_name(db: str) -> None:
    """The current name is the former one after undo and the new one after redo."""
    apply(db, RegisterPlayers(["Anna"]))
    apply(db, RenamePlayer("Anna", "Ane"))
    assert apply(db, Undo()).line.said == "renamed: player 1, now Anna"
    assert apply(db, Redo()).line.said == "renamed: player 1, now Ane"
    apply(db, Undo())
    assert apply(db, Undo()).line.said == "registered: Anna"
    assert apply(db, Redo()).line.said == "registered: Anna"


def test_a_correction_shows_the_totals_that_counted_before(db: str) -> None:
    """The totals of an undone correction or of a void sheet are not shown."""
    with writing(db) as store:
        ana, benat = store.people.add_persons([NewPerson(name, "", "") for name in ("Ana", "Beñat")])
        event = store.events.enter(
            store.events.new(EventSettings("Friday", "oficial"), RulesRef("oficial", "digest")), (ana, benat)
        )
        table = Table(1, 1, (ana, benat))
        store.rounds.draw(event, Round(1, (table,)))
        store.write(kinds.results.ResultEntered.of(event, table, _outcome(160, 20)))
    for points in ((165, 20), (170, 30)):
        with writing(db) as store:
            store.write(kinds.results.ResultCorrected.of(event, table, _outcome(*points), "a slip"))
        apply(db, Undo())
    with writing(db) as store:
        store.write(kinds.results.ResultVoided(event, table.round, table.number, "set aside"))
        store.write(kinds.results.ResultCorrected.of(event, table, _outcome(0, 9), "found"))
    corrections = [line for line in sentences(db) if line.startswith("table 1 of round 1 corrected")]
    assert corrections == [
        "table 1 of round 1 corrected, a slip: Ana 160 → 165, Beñat 20",
        "table 1 of round 1 corrected, a slip: Ana 160 → 170, Beñat 20 → 30",
        "table 1 of round 1 corrected, found: Ana 0, Beñat 9",
    ]


def test_players_who_change_seats_at_one_table_are_named(db: str) -> None:
    """Two of the three players exchange their seats, and only they are named."""
    with writing(db) as store:
        people = store.people.add_persons([NewPerson(name, "", "") for name in ("Ana", "Beñat", "Carmen")])
        event = store.events.enter(
            store.events.new(EventSettings("Friday", "oficial"), RulesRef("oficial", "digest")), people
        )
        store.rounds.draw(event, Round(1, (Table(1, 1, tuple(people)),)))
        store.write(
            kinds.rounds.TablesMoved.of(event, Round(1, (Table(1, 1, (people[2], people[1], people[0])),)), note="")
        )
    assert sentences(db)[-1] == "round 1: Ana, Carmen sit elsewhere now"


def test_the_log_names_thirty_people_and_counts_the_rest(db: str) -> None:
    names = [f"P{number:02}" for number in range(1, 33)]
    for registered in (names[:30], names):
        with writing(db) as store:
            store.people.add_persons([NewPerson(f"{name} {len(registered)}", "", "") for name in registered])
    thirty, more = sentences(db)
    assert thirty == "registered: " + ", ".join(f"{name} 30" for name in names[:30])
    assert more == "registered: " + ", ".join(f"{name} 32" for name in names[:30]) + " and 2 more"


def test_a_merge_names_both_players_until_a_name_is_erased(db: str) -> None:
    """The merge is also undone, and the remaining player is merged into a third one."""
    apply(db, RegisterPlayers(["Ana", "Anna", "Ane"]))
    apply(db, MergePlayers("Ana", "Anna"))
    apply(db, MergePlayers("Ane", "Ana"))
    apply(db, Undo())
    assert sentences(db)[1:] == ["merged: Anna is Ana", "merged: Ana is Ane", "undone: merged: Ana is Ane"]
    apply(db, Redo())
    assert sentences(db)[1:] == [
        "merged: Anna is Ana",
        "merged: Ana is Ane",
        "undone: merged: Ana is Ane",
        "put back: merged: Ana is Ane",
    ]
    apply(db, ErasePlayer("Ane"))
    assert sentences(db)[1] == "merged: erased-2 is erased-1"


@pytest.mark.parametrize(("minutes", "message"), [(1, "1 minute"), (2, "2 minutes")])
def test_the_log_uses_the_singular_for_one_minute(db: str, minutes: int, message: str) -> None:
    desk.event(db)
    apply(db, DrawRound())
    with writing(db) as store:
        store.write(kinds.rounds.ClockSet(store.events.get(1), 1, "2026-11-20T20:14:00.000000Z", minutes))
    assert f"round 1 lasts {message} from " in sentences(db)[-1]


def _create_event_with_result(db: str) -> None:
    """Create an event with one table and its result."""
    desk.event(db, 3, size=3, rounds=2)
    (table,) = apply(db, DrawRound()).rounds[0].tables
    apply(db, EnterResult(None, 1, 1, desk.hands([player.name for player in table.players])))


def test_a_dry_run_of_undo_changes_nothing_and_shows_what_moves(db: str) -> None:
    """Undoing the only result would remove all players' points, ranks and ratings."""
    _create_event_with_result(db)
    before = desk.query(db, "SELECT number, text FROM act"), content(db)
    points = {row.player.name: row.points for row in standings.standings(db).rows}
    previewed = preview(db, Undo())
    assert previewed.moves is not None
    assert previewed.outcome.line.said.startswith("table 1 of round 1: ")
    assert (desk.query(db, "SELECT number, text FROM act"), content(db)) == before
    moved = {standing.before.player.name: standing.before.points for standing in previewed.moves.standings}
    assert moved == points
    assert all(standing.after.points == 0 for standing in previewed.moves.standings)
    assert {rating.before.player for rating in previewed.moves.ratings} == set(points)


def test_undo_skips_an_erasure_and_says_so(db: str) -> None:
    """The registration is undone and redone; the name stays erased."""
    apply(db, RegisterPlayers(["Ana", "Beñat"]))
    apply(db, ErasePlayer("Ana"))
    undone = apply(db, Undo())
    assert undone.stays == ("erased: the name of player 1",)
    assert players.listing(db) == ()
    assert apply(db, Redo()).stays == ()
    assert [player.shown for player in players.listing(db)] == ["Beñat", "erased-1"]


def test_the_log_shows_each_result_with_the_players_of_its_time(db: str) -> None:
    """Check that a later result is not shown with an undone seating."""
    with writing(db) as store:
        ana, benat, carmen = store.people.add_persons([NewPerson(name, "", "") for name in ("Ana", "Beñat", "Carmen")])
        event = store.events.enter(
            store.events.new(EventSettings("Friday", "oficial"), RulesRef("oficial", "digest")), (ana, benat, carmen)
        )
    first, second = Table(1, 1, (ana, benat)), Table(1, 1, (carmen, benat))
    with writing(db) as store:
        store.rounds.draw(event, Round(1, (first,), (carmen,)))
    with writing(db) as store:
        store.write(kinds.rounds.TablesMoved.of(event, Round(1, (second,), (ana,)), note=""))
    apply(db, Undo())
    with writing(db) as store:
        store.write(kinds.results.ResultEntered.of(event, first, _outcome(10, 20)))
    apply(db, Undo())
    apply(db, Undo())
    with writing(db) as store:
        store.rounds.draw(event, Round(1, (second,), (ana,)))
    with writing(db) as store:
        store.write(kinds.results.ResultEntered.of(event, second, _outcome(7, 8)))
    assert sentences(db)[3:] == [
        "round 1 drawn: 1 table; byes: Carmen",
        "round 1: Carmen sits elsewhere now; without a seat now: Ana",
        "undone: round 1: Carmen sits elsewhere now; without a seat now: Ana",
        "table 1 of round 1: Ana 10, Beñat 20",
        "undone: table 1 of round 1: Ana 10, Beñat 20",
        "undone: round 1 drawn: 1 table; byes: Carmen",
        "round 1 drawn: 1 table; byes: Ana",
        "table 1 of round 1: Carmen 7, Beñat 8",
    ]


def test_the_log_of_an_event_has_only_changes_that_concern_it(db: str) -> None:
    """Check that it has changes of the event, merges of its entrants, and the undo and redo of both, each with the
    name that the event had at the time.
    """
    desk.event(db, 2, name="Friday")
    with writing(db) as store:
        other = store.events.new(EventSettings("Saturday", "oficial"), RulesRef("oficial", "digest"))
        store.events.change(other, replace(other.settings, name="Sunday"))
    apply(db, Undo())
    apply(db, Redo())
    with writing(db) as store:
        ana, benat = store.people.players()
        store.events.merge(ana, benat)
    assert [line.number for line in journal.log(db, "Friday").lines] == [2, 3, 8]
    sunday = journal.log(db, "Sunday").lines
    assert [line.number for line in sunday] == [4, 5, 6, 7]
    assert [line.event for line in sunday] == ["Saturday", "Sunday", "Saturday", "Saturday"]
    assert [line.state for line in sunday] == ["stands", "stands", "takes back", "puts back"]


def test_the_log_shows_local_time_the_state_in_words_and_the_last_lines(db: str, run: Runner) -> None:
    apply(db, RegisterPlayers(["Ana"]))
    apply(db, RegisterPlayers(["Beñat"]))
    apply(db, Undo())
    (time,) = desk.query(db, "SELECT time FROM act WHERE number = 2")[0]
    local = datetime.fromisoformat(time).astimezone().strftime("%Y-%m-%d %H:%M")
    result = run("log", "--db", db, "--last", "2", "--format", "csv")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "number,time,event,said,state,by"
    assert lines[1] == f"2,{local},,registered: player 2,undone,tourney"
    assert lines[2].endswith(",,undone: registered: player 2,,tourney")
    rows = run("log", "--db", db, "--json").json
    assert [row["kind"] for row in rows] == ["player.add", "player.add", "undo"]
    assert rows[1] == {
        "number": 2,
        "time": time,
        "kind": "player.add",
        "event": "",
        "said": "registered: player 2",
        "state": "undone",
        "by": "tourney",
        "hands": [],
    }
    assert "journal head" in run("log", "--verbose", "--db", db).out


def test_undo_and_redo_print_the_sentence_of_the_change(db: str, run: Runner) -> None:
    _create_event_with_result(db)
    (time,) = desk.query(db, "SELECT time FROM act ORDER BY number DESC LIMIT 1")[0]
    local = datetime.fromisoformat(time).astimezone().strftime("%H:%M")
    totals = ", ".join(
        f"{player.name} {points}"
        for player, points in zip(results.show(db)[0].table.players, results.show(db)[0].outcome.points, strict=True)
    )
    sentence = f"table 1 of round 1: {totals} (Friday, {local})"
    assert run("undo", "--db", db, "--dry-run").out.startswith(f"dry run: nothing was saved. undone: {sentence}\n")
    assert run("undo", "--db", db).out == f"undone: {sentence}\n"
    assert results.show(db) == ()
    assert run("redo", "--db", db).out == f"put back: {sentence}\n"
    assert len(results.show(db)) == 1


def test_undo_without_anything_to_undo_is_refused(db: str, run: Runner) -> None:
    assert run("undo", "--db", db).code == ExitCode.REFUSED
    assert not Path(db).exists()
    assert run("redo", "--db", db, "--json").out == ""


def test_the_newest_lines_of_the_log_are_those_of_the_whole_log(tmp_path: Path) -> None:
    """Only the entries that the newest lines refer to are read, and every line must still be the same."""
    db = desk.everything(tmp_path / "club.db")
    for change in (Undo(), RegisterPlayers(["Irati"]), Undo(), Redo(), Undo()):
        apply(db, change)
    whole = journal.log(db).lines
    for last in range(1, len(whole) + 2):
        assert journal.log(db, None, last).lines == whole[-last:]
    friday = journal.log(db, "Friday").lines
    assert journal.log(db, "Friday", 3).lines == friday[-3:]


@pytest.mark.slow
def test_undo_and_the_newest_lines_do_not_grow_with_the_rest_of_the_database(tmp_path: Path) -> None:
    """With 3,000 results in other events the bound is 1.5 times the effort with 100, and 4 million passes."""
    efforts: dict[str, list[float]] = {}
    for name, nights in (("small", 1), ("large", 30)):
        db = str(tmp_path / f"{name}.db")
        long_history(db, nights, 5, 80)
        for _time in range(2):
            apply(db, RegisterPlayers(["Irati"]))
            gc.collect()  # what earlier tests left is not measured
            efforts[name] = [effort(partial(journal.log, db, None, 5)), effort(partial(apply, db, Undo()))]
    for small, large in zip(*efforts.values(), strict=True):
        assert large <= 1.5 * small + 4
