"""Drawn rounds, drawn a second time from what stood before each: the same seat by seat, whatever has come since."""

import json
import random
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.rounds import Drawing, Round, Table
from tourney.domain.schedule import VerifiedDraw
from tourney.seating.model import seating_number
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events.attendance import ReturnPlayers, WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.people.players import ErasePlayer, MergePlayers, RegisterPlayers, RenamePlayer
from tourney.service.results import rulings
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.results.rulings import AddRuling
from tourney.service.rounds import edit_round, rounds, verify_draw
from tourney.service.rounds.edit_round import CancelRound, MovePlayer
from tourney.service.rounds.rounds import DrawRound
from tourney.service.version import seating_version
from tourney.storage.session import writing

NAMES = [f"P{number:02}" for number in range(1, 15)]


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "club.db")


def club(db: str, people: int = 12, **wanted: object) -> None:
    apply(db, RegisterPlayers(NAMES))
    apply(db, CreateEvent(EventSettings("Friday", "oficial", **wanted)))
    apply(db, EnterPlayers("Friday", NAMES[:people]))
    apply(db, UseEvent("Friday"))


def draw_and_play(db: str, chance: random.Random) -> None:
    for table in apply(db, DrawRound()).rounds[0].tables:
        names = [player.name for player in table.players]
        apply(
            db, EnterResult(None, table.round, table.number, desk.hands(names, [chance.randrange(4) for _ in range(7)]))
        )


def states(what: VerifiedDraw) -> list[tuple[int, str, int]]:
    return [(one.number, one.state, one.edited) for one in what.rounds]


@pytest.mark.parametrize("format", ["rotation", "swiss", "rated swiss", "snake", "random", "informative"])
def test_every_round_of_a_lively_evening_comes_out_again(db: str, format: str) -> None:
    """People leave, come late, come back; results are corrected after the draws they decided; names are erased."""
    chance = random.Random(format)
    club(db, 12, format=format, rounds=6, short="sit out", seed="x")
    draw_and_play(db, chance)
    apply(db, WithdrawPlayers(None, ["P03"]))
    draw_and_play(db, chance)
    apply(db, EnterPlayers(None, ["P13", "P14"]))
    apply(db, ConstrainSeating(None, ["P01,P02"]))
    draw_and_play(db, chance)
    apply(db, ReturnPlayers(None, ["P03"]))
    draw_and_play(db, chance)
    first = rounds.show(db, None, 1).rounds[0].tables[0]
    apply(db, CorrectResult(None, 1, 1, desk.hands([p.name for p in first.players], [3] * 7), "read wrongly"))
    apply(db, VoidResult(None, 2, 1, "a pack lacked a card"))
    apply(db, RenamePlayer("P05", "Someone"))
    apply(db, ErasePlayer("P06"))
    apply(db, ChangeSettings(None, {"rounds": 7, "size": 3}))
    found = verify_draw.verify(db)
    assert states(found) == [(number, "the same", 0) for number in range(1, 5)]
    assert found.agree


def test_edited_cancelled_and_undone_rounds_are_verified(db: str, tmp_path: Path) -> None:
    """Round 1 is edited twice, round 2 undone and drawn again partly by hand, round 3 cancelled and drawn again."""
    club(db, 12, rounds=4)
    tables = apply(db, DrawRound()).rounds[0].tables
    one, other = tables[0].players[0].name, tables[1].players[0].name
    for _time in range(2):
        apply(db, MovePlayer("Friday", one, edit_round.Swap(other)))
    apply(db, DrawRound())
    apply(db, Undo())
    file = tmp_path / "round2.json"
    file.write_text(
        json.dumps({"rounds": [[["P01", "P02", "P03", "P04"]]], "sitting_out": [["P05"]]}), encoding="utf-8"
    )
    apply(db, DrawRound(None, file))
    apply(db, DrawRound())
    apply(db, CancelRound(None, "too early"))
    apply(db, WithdrawPlayers(None, ["P09"]))
    apply(db, DrawRound())
    found = verify_draw.verify(db)
    assert states(found) == [(1, "the same", 2), (2, "the same", 0), (3, "the same", 0)]
    assert [one.given for one in found.rounds] == [(), (1,), ()]


@pytest.mark.parametrize("gone", ["P05", "P01"], ids=["rested by hand", "seated by hand"])
def test_a_drawn_player_may_be_merged_into_another_registration(db: str, tmp_path: Path, gone: str) -> None:
    """The rounds after are drawn, and all come out again."""
    club(db, 13, rounds=3)
    file = tmp_path / "round1.json"
    file.write_text(json.dumps({"rounds": [[["P01", "P02", "P03"]]], "sitting_out": [["P05"]]}), encoding="utf-8")
    apply(db, DrawRound(None, file))
    apply(db, EnterPlayers(None, ["P14"]))
    apply(db, MergePlayers("P14", gone))
    apply(db, DrawRound())
    assert states(verify_draw.verify(db)) == [(1, "the same", 0), (2, "the same", 0)]


def test_an_evening_that_was_brought_in_was_not_drawn_here(tmp_path: Path) -> None:
    db = desk.evening(tmp_path / "club.db")
    assert {one.state for one in verify_draw.verify(db, "Friday").rounds} == {"brought in"}


def test_a_round_drawn_otherwise_is_found(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Check a round drawn in the order of entry, as another version might have; the next round follows from it.

    The report says that this proves nothing, which version drew it, which this is, and what was compared.
    """
    club(db, 8, rounds=2)
    with writing(db) as store:
        event = store.event(1)
        tables = (Table(1, 1, event.entrants[:4]), Table(1, 2, event.entrants[4:8]))
        store.draw(event, Round(1, tables), Drawing("0.0.9"))
    apply(db, DrawRound())
    found = verify_draw.verify(db)
    assert states(found) == [(1, "other", 0), (2, "the same", 0)]
    ran = Runner(capsys)("round", "verify", "--db", db)
    assert ran.code == ExitCode.REFUSED
    output = " ".join(ran.out.split())
    assert (
        f"Drawn by tourney 0.0.9, which may seat differently from this version, {seating_version()}: round 1. That"
        in output
    )
    assert "Compared: seats and byes as the round was drawn" in output
    assert "this version of the seating" not in output
    assert ran.err == ""


def test_a_round_that_this_very_program_drew_otherwise_points_at_the_database(
    db: str, capsys: pytest.CaptureFixture[str]
) -> None:
    club(db, 8, rounds=2)
    with writing(db) as store:
        event = store.event(1)
        tables = (Table(1, 1, event.entrants[:4]), Table(1, 2, event.entrants[4:8]))
        store.draw(event, Round(1, tables), Drawing(seating_version()))
    ran = Runner(capsys)("round", "verify", "--db", db)
    assert ran.code == ExitCode.REFUSED
    output = " ".join(ran.out.split())
    assert "Drawn by this version of the seating, and different now: round 1." in output
    assert "`tourney db check`" in output


def test_the_program_that_had_a_digest_for_its_seating_has_the_first_seating() -> None:
    """`0.1.0+seating.cfdef106` is what ac1db33 wrote beside its draws."""
    assert seating_number("0.1.0+seating.cfdef106") == seating_number("0.2.0+seating.1") == "1"
    assert seating_number("0.2.0+seating.2") != "1"
    assert seating_number("0.0.9") == ""


def test_without_a_round_there_is_nothing_to_draw_again(db: str) -> None:
    club(db)
    with desk.refused(ExitCode.REFUSED, "no round of Friday is drawn", "round draw"):
        verify_draw.verify(db)


def test_a_ruling_of_today_does_not_move_a_swiss_round_of_yesterday(db: str) -> None:
    """A penalty after round 2 changes the standings, and not what round 2 was drawn by."""
    chance = random.Random("penalty")
    club(db, 12, format="swiss", rounds=4)
    draw_and_play(db, chance)
    draw_and_play(db, chance)
    apply(db, AddRuling(None, rulings.Decision("penalty", "a phone at the table", player="P01", points=500)))
    assert states(verify_draw.verify(db)) == [(1, "the same", 0), (2, "the same", 0)]
