"""Tests of events under a club's own rules, which the event keeps, and of events of the first version."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import EventSettings
from tourney.domain.rules import RulesRef
from tourney.rulebook import rulesets
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.events import CreateEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.lookup import same_rules
from tourney.service.results import standings
from tourney.service.results.results import EnterResult
from tourney.service.rounds import bot_tables, rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage.session import writing

FRIDAYS = """
id = "getxo"
base = "oficial+scaled"
title = "Getxo's Fridays"

[set]
"values.joker" = { is = 30, clause = "Getxo 2024" }
"hands.order" = { is = [["TT", 7], ["EEE", 13]], clause = "Getxo 2024" }
"""
FIRST_DIGEST = "a48a4ccc1ce0692c"
"""The digest that the first version of the program stored with the official rules."""


@pytest.fixture
def fridays(tmp_path: Path) -> Path:
    file = tmp_path / "getxo.toml"
    file.write_text(FRIDAYS, encoding="utf-8")
    return file


def event_of(db: str, rules: str) -> str:
    """Create an event of four bots and four people under these rules, draw its first round and return its name."""
    desk.event(db, 4, "greedy:4")
    with writing(db) as store:
        original = store.events.get(1)
        resolved = rulesets.resolve(rules)
        created = store.events.new(replace(original.settings, name="Ours", rules=resolved.id), resolved)
        store.events.enter(created, original.entrants)
    apply(db, DrawRound("Ours"))
    return "Ours"


def test_the_event_keeps_the_whole_rules(db: str, fridays: Path) -> None:
    """The rules have the id in the club's file; an event keeps them when the file is lost."""
    created = apply(db, CreateEvent(EventSettings("Ours", str(fridays))))
    fridays.unlink()
    kept = events.show(db, "Ours")
    assert kept == created
    assert (kept.settings.rules, kept.rules.id) == ("getxo", "getxo")
    assert rulesets.contracts(kept.rules) == (("TT", 7), ("EEE", 13))
    assert rulesets.is_current(kept.rules)
    same_rules(kept)


def test_a_built_in_rule_set_is_kept_by_its_id_alone(db: str) -> None:
    """Check that variants are kept in the order of the rule set's file, whatever order was given."""
    created = apply(db, CreateEvent(EventSettings("Ours", "oficial+claims3+scaled+close5")))
    assert created.rules == RulesRef(created.settings.rules, created.rules.digest)
    assert created.settings.rules == "oficial+close5+scaled+claims3"


def test_bots_and_people_play_by_the_club_s_rules(db: str, fridays: Path) -> None:
    """The club plays two hands; laying down and closing EEE in one turn scores -70; a joker counts 30."""
    name = event_of(db, str(fridays))
    fridays.unlink()
    (played,) = bot_tables.play(db, bot_tables.BotTables(name)).results
    assert [hand.contract for hand in played.outcome.hands] == ["TT", "EEE"]
    table = next(table for table in rounds.show(db, name).rounds[0].tables if table.players[0].kind == "person")
    names = [player.name for player in table.players]
    sheet = [
        desk.SheetHand("TT", {names[0]: -10, names[1]: 30, names[2]: 20}, left={names[3]: "Jk Jk"}),
        desk.SheetHand("EEE", {names[1]: -70, names[0]: 30, names[2]: 20, names[3]: 10}),
    ]
    entered = apply(db, EnterResult(name, table.round, table.number, sheet)).result
    assert entered.outcome.points == (20, -40, 40, 70)
    assert {row.player.name for row in standings.standings(db, name).rows} >= set(names)


def test_a_sheet_that_the_club_s_rules_do_not_allow_is_refused(db: str, fridays: Path) -> None:
    """The closer of EEE has -10, the bonus of other hands, which the club's rules do not give there."""
    name = event_of(db, str(fridays))
    table = next(table for table in rounds.show(db, name).rounds[0].tables if table.players[0].kind == "person")
    names = [player.name for player in table.players]
    points = dict(zip(names, (-10, 20, 20, 20), strict=True))
    with pytest.raises(TourneyError, match=r"EEE, .*the closer scores 0 or -70"):
        apply(
            db,
            EnterResult(name, table.round, table.number, [desk.SheetHand("TT", points), desk.SheetHand("EEE", points)]),
        )


def test_settings_change_under_the_club_s_rules(db: str, fridays: Path) -> None:
    """The change is checked against the rules that the event keeps, although their file is gone."""
    apply(db, CreateEvent(EventSettings("Ours", str(fridays))))
    fridays.unlink()
    assert apply(db, ChangeSettings("Ours", {"rounds": 4})).event.settings.rounds == 4


def test_a_record_of_the_club_s_rules_is_verified_with_their_file(
    db: str, fridays: Path, tmp_path: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the file the rules are unknown; with a changed file the record is refused."""
    monkeypatch.setenv("TOURNEY_DB", db)
    name = event_of(db, str(fridays))
    (played,) = bot_tables.play(db, bot_tables.BotTables(name)).results
    record = tmp_path / "record.toml"
    table_options = ("--round", "1", "--table", str(played.table.number))
    record.write_text(run("result", "show", name, *table_options, "--record").out, encoding="utf-8")
    assert run("record", "verify", str(record), "--rules", str(fridays), "--json").json["replays"] is True
    assert "no rule set 'getxo'" in run("record", "verify", str(record)).err
    fridays.write_text(FRIDAYS.replace("30", "40"), encoding="utf-8")
    refused = run("record", "verify", str(record), "--rules", str(fridays))
    assert (refused.code, "played by other rules of that name" in refused.err) == (ExitCode.REFUSED, True)


@pytest.mark.parametrize(("digest", "same"), [(FIRST_DIGEST, True), ("0" * 16, False)])
def test_events_of_the_first_version_can_be_played_on(db: str, digest: str, same: bool) -> None:
    """The digest of the official rules in the first version is accepted, although they have more fields now; any
    other digest is refused.
    """
    desk.event(db, 0, "greedy:4")
    with writing(db) as store:
        original = store.events.get(1)
        old = store.events.new(replace(original.settings, name="Old"), RulesRef("oficial", digest))
        store.events.enter(old, original.entrants)
    apply(db, DrawRound("Old"))
    if same:
        assert len(bot_tables.play(db, bot_tables.BotTables("Old")).results) == 1
    else:
        with pytest.raises(TourneyError, match="no longer those that Old was created with"):
            bot_tables.play(db, bot_tables.BotTables("Old"))
