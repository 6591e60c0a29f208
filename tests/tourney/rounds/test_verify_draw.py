"""Tests of `round verify`: each round is drawn again from the entries before it and must have the same seats."""

import json
import random
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.slow import slow
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Drawing, Round, Table
from tourney.domain.schedule import VerifiedDraw
from tourney.seating.model import seating_number
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events.attendance import ReturnPlayers, WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.players import ErasePlayer, MergePlayers, RegisterPlayers, RenamePlayer
from tourney.service.results import rulings
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.results.rulings import AddRuling
from tourney.service.results.standings import standings
from tourney.service.rounds import draw_round, edit_round, rounds
from tourney.service.rounds.draw_round import DrawRound, ordering_of
from tourney.service.rounds.edit_round import CancelRound, MovePlayer
from tourney.service.version import seating_version
from tourney.storage.session import reading, writing

NAMES = [f"P{number:02}" for number in range(1, 15)]


def create_event(db: str, people: int = 12, **settings: object) -> None:
    """Create an event of the first `people` of NAMES, and register all of them."""
    desk.people_in(db, NAMES, people, **settings)
    apply(db, UseEvent("Friday"))


def draw_and_play(db: str, chance: random.Random) -> None:
    for table in apply(db, DrawRound()).rounds[0].tables:
        names = [player.name for player in table.players]
        apply(
            db, EnterResult(None, table.round, table.number, desk.hands(names, [chance.randrange(4) for _ in range(7)]))
        )


def states(verified: VerifiedDraw) -> list[tuple[int, str, int]]:
    """Return the number, the state and the number of edits of each round."""
    return [(round_.number, round_.state, round_.edited) for round_ in verified.rounds]


@pytest.mark.parametrize("people", [8, *slow([12])])
@pytest.mark.parametrize("format", ["swiss", "random", *slow(["rotation", "rated swiss", "snake", "informative"])])
def test_every_round_is_verified_after_many_changes(db: str, format: str, people: int) -> None:
    """Players leave, enter late and return; results are corrected after the draws that used them; names are erased."""
    chance = random.Random(format)
    create_event(db, people, format=format, rounds=6, short="sit out", seed="x")
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
    verified = draw_round.verify(db)
    assert states(verified) == [(number, "the same", 0) for number in range(1, 5)]
    assert verified.agree


@pytest.mark.slow
def test_edited_cancelled_and_undone_rounds_are_verified(db: str, tmp_path: Path) -> None:
    """Round 1 is edited twice, round 2 undone and drawn again from a file, round 3 cancelled and drawn again."""
    create_event(db, 12, rounds=4)
    tables = apply(db, DrawRound()).rounds[0].tables
    player, other = tables[0].players[0].name, tables[1].players[0].name
    for _time in range(2):
        apply(db, MovePlayer("Friday", player, edit_round.Swap(other)))
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
    verified = draw_round.verify(db)
    assert states(verified) == [(1, "the same", 2), (2, "the same", 0), (3, "the same", 0)]
    assert [round_.given for round_ in verified.rounds] == [(), (1,), ()]


@pytest.mark.parametrize("merged", ["P05", "P01"], ids=["bye in the file", "seat in the file"])
def test_a_drawn_player_may_be_merged_into_another_registration(db: str, tmp_path: Path, merged: str) -> None:
    """After the merge another round is drawn, and both rounds are verified."""
    create_event(db, 13, rounds=3)
    file = tmp_path / "round1.json"
    file.write_text(json.dumps({"rounds": [[["P01", "P02", "P03"]]], "sitting_out": [["P05"]]}), encoding="utf-8")
    apply(db, DrawRound(None, file))
    apply(db, EnterPlayers(None, ["P14"]))
    apply(db, MergePlayers("P14", merged))
    apply(db, DrawRound())
    assert states(draw_round.verify(db)) == [(1, "the same", 0), (2, "the same", 0)]


def test_imported_rounds_are_not_verified(tmp_path: Path) -> None:
    db = desk.evening(tmp_path / "club.db")
    assert {round_.state for round_ in draw_round.verify(db, "Friday").rounds} == {"brought in"}


def test_a_round_that_another_version_drew_differently_is_found(db: str, run: Runner) -> None:
    """Store a round in the order of entry, as another version might draw it; the next round follows from it.

    The report names the version that drew the round, this version, and what was compared; it does not blame the draw.
    """
    create_event(db, 8, rounds=2)
    with writing(db) as store:
        event = store.events.get(1)
        tables = (Table(1, 1, event.entrants[:4]), Table(1, 2, event.entrants[4:8]))
        store.rounds.draw(event, Round(1, tables), Drawing("0.0.9"))
    apply(db, DrawRound())
    assert states(draw_round.verify(db)) == [(1, "other", 0), (2, "the same", 0)]
    ran = run("round", "verify", "--db", db)
    assert ran.code == ExitCode.REFUSED
    output = " ".join(ran.out.split())
    assert (
        f"Drawn by tourney 0.0.9, which may seat differently from this version, {seating_version()}: round 1. That"
        in output
    )
    assert "Compared: seats and byes as the round was drawn" in output
    assert "this version of the seating" not in output
    assert ran.err == ""


def test_a_round_that_this_version_drew_differently_points_at_the_database(db: str, run: Runner) -> None:
    create_event(db, 8, rounds=2)
    with writing(db) as store:
        event = store.events.get(1)
        tables = (Table(1, 1, event.entrants[:4]), Table(1, 2, event.entrants[4:8]))
        store.rounds.draw(event, Round(1, tables), Drawing(seating_version()))
    ran = run("round", "verify", "--db", db)
    assert ran.code == ExitCode.REFUSED
    output = " ".join(ran.out.split())
    assert "Drawn by this version of the seating, and different now: round 1." in output
    assert "`tourney db check`" in output


def test_equal_players_are_drawn_in_the_order_of_every_earlier_program(db: str) -> None:
    """Folded names decided among equals when older Swiss rounds were drawn; shown, ñ comes after n."""
    names = ("Benita", "Beñat", "Nuria", "Óscar")
    apply(db, RegisterPlayers(names))
    apply(db, CreateEvent(EventSettings("Swiss", "oficial", format="swiss", rounds=2)))
    apply(db, EnterPlayers("Swiss", names))
    apply(db, DrawRound())
    apply(
        db,
        EnterResult(None, 1, 1, [SheetHand(each, dict.fromkeys(names, 50), dead=True) for each in desk.CONTRACTS]),
    )
    with reading(db) as reader:
        drawn = [player.name for player in ordering_of(reader, reader.events.get(1)).players]
    assert drawn == ["Beñat", "Benita", "Nuria", "Óscar"]
    assert [row.player.name for row in standings(db).rows] == ["Benita", "Beñat", "Nuria", "Óscar"]


def test_a_version_with_a_digest_counts_as_seating_version_1() -> None:
    """`0.1.0+seating.cfdef106` is the version that commit ac1db33 stored with its draws."""
    assert seating_number("0.1.0+seating.cfdef106") == seating_number("0.2.0+seating.1") == "1"
    assert seating_number("0.2.0+seating.2") != "1"
    assert seating_number("0.0.9") == ""


def test_an_event_without_a_drawn_round_cannot_be_verified(db: str) -> None:
    create_event(db)
    with desk.refused(ExitCode.REFUSED, "no round of Friday is drawn", "round draw"):
        draw_round.verify(db)


def test_a_later_ruling_does_not_change_an_earlier_swiss_round(db: str) -> None:
    """A penalty after round 2 changes the standings now, but not those by which round 2 was drawn."""
    chance = random.Random("penalty")
    create_event(db, 12, format="swiss", rounds=4)
    draw_and_play(db, chance)
    draw_and_play(db, chance)
    apply(db, AddRuling(None, rulings.Decision("penalty", "a phone at the table", player="P01", points=500)))
    assert states(draw_round.verify(db)) == [(1, "the same", 0), (2, "the same", 0)]
