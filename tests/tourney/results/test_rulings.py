"""Tests of rulings: penalties, corrections, redeals and notes, their cancelling, and impossible rulings."""

import warnings

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.people import Player
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.events import EnterPlayers, FinishEvent
from tourney.service.players import ErasePlayer, MergePlayers, RegisterPlayers
from tourney.service.ratings import ratings
from tourney.service.results import results, rulings, standings
from tourney.service.results.results import EnterResult, VoidResult
from tourney.service.results.rulings import AddRuling, CancelRuling, Decision
from tourney.service.rounds import rounds
from tourney.storage.session import writing


def make_db(db: str) -> None:
    """Draw a round of eight players at two tables and enter the result of table 1."""
    desk.make_drawn(db, 8)
    apply(db, EnterResult(None, 1, 1, desk.hands([player.shown for player in _table(db, 1)])))


def _table(db: str, number: int) -> tuple[Player, ...]:
    return rounds.show(db).rounds[0].tables[number - 1].players


def _points(db: str) -> dict[str, int]:
    return {row.player.name: row.points for row in standings.standings(db).rows}


def test_a_penalty_counts_in_the_standings_and_not_in_the_result(db: str) -> None:
    """The winner of the table loses the lead; places and ratings do not change."""
    leader = standings.standings(db).rows[0].player
    before = _points(db), ratings.ratings(db).rows, results.show(db)
    ruling = apply(db, AddRuling(None, Decision("penalty", "came late", 1, 1, leader.name, points=500)))
    assert (ruling.number, ruling.player, ruling.points) == (1, leader, 500)
    assert _points(db) == before[0] | {leader.name: before[0][leader.name] + 500}
    assert standings.standings(db).rows[0].player != leader
    assert (ratings.ratings(db).rows, results.show(db)) == before[1:]
    assert database.check(db).problems == ()


def test_penalties_count_in_the_standings_from_their_round_on(db: str) -> None:
    """The standings after round 1 include the penalties of round 1 and those without a round."""
    name = _table(db, 1)[0].name
    before = _points(db)[name]
    apply(db, AddRuling(None, Decision("penalty", "in a coming round", 2, player=name, points=7)))
    apply(db, AddRuling(None, Decision("penalty", "all evening", player=name, points=30)))
    apply(db, AddRuling(None, Decision("penalty", "partly withdrawn", 1, player=name, points=-1)))
    assert _points(db)[name] == before + 36
    first = {row.player.name: row.points for row in standings.standings(db, None, 1).rows}
    assert first[name] == before + 29


def test_a_cancelled_penalty_no_longer_counts_and_stays_in_the_list(db: str) -> None:
    name = _table(db, 1)[0].name
    before = _points(db)
    apply(db, AddRuling(None, Decision("note", "a pack was marked")))
    apply(db, AddRuling(None, Decision("penalty", "came late", player=name, points=20)))
    cancelled = apply(db, CancelRuling(None, 2, "the tram was late"))
    assert _points(db) == before
    assert [(ruling.number, ruling.state, ruling.why_cancelled) for ruling in rulings.listing(db).rulings] == [
        (1, "stands", ""),
        (2, "cancelled", "the tram was late"),
    ]
    assert rulings.listing(db).rulings[1] == cancelled
    with desk.refused(ExitCode.REFUSED, "decision 2 of Friday is cancelled already"):
        apply(db, CancelRuling(None, 2, "again"))
    with desk.refused(ExitCode.NOT_FOUND, "no decision 3", "ruling list"):
        apply(db, CancelRuling(None, 3, "x"))
    assert apply(db, AddRuling(None, Decision("note", "the next one"))).number == 3


def test_a_correction_changes_the_sheet_and_is_undone_with_it(db: str) -> None:
    """One undo reverts the correction and its ruling; places and ratings follow the sheet both times."""
    before = _points(db), ratings.ratings(db).rows, results.show(db)
    names = [player.shown for player in _table(db, 1)]
    sheet = desk.hands(names, [3] * 7)
    ruling = apply(db, AddRuling(None, Decision("correction", "hands were exchanged", 1, 1), sheet))
    assert (ruling.number, results.show(db, None, 1, 1)[0].reason) == (1, "hands were exchanged")
    assert _points(db)[names[3]] == 0
    assert "corrected by a ruling: hands were exchanged" in " ".join(standings.standings(db).notes)
    with writing(db) as store:
        assert [entry.kind for entry in store.undo()] == ["result.correct", "ruling.add"]
    assert (_points(db), ratings.ratings(db).rows, results.show(db)) == before
    assert rulings.listing(db).rulings == ()


def test_an_impossible_correction_keeps_nothing(db: str) -> None:
    """A correction of a table without a result, and a sheet that the engine refuses, leave no ruling."""
    names = [player.shown for player in _table(db, 1)]
    with desk.refused(ExitCode.NOT_FOUND, "no result"):
        apply(db, AddRuling(None, Decision("correction", "x", 1, 2), desk.hands(names)))
    with desk.refused(ExitCode.REFUSED, "hand"):
        apply(db, AddRuling(None, Decision("correction", "x", 1, 1), desk.hands(names)[:6]))
    assert rulings.listing(db).rulings == ()


@pytest.mark.parametrize("state", ["short", "void"])
def test_a_hand_that_was_not_played_cannot_have_a_redeal(db: str, state: str) -> None:
    """The last hands of a short game, and all hands of a void table, were not played; a note may name any hand."""
    sheet = desk.hands([player.shown for player in _table(db, 2)])
    apply(db, EnterResult(None, 1, 2, sheet[:3], length="short"))
    assert apply(db, AddRuling(None, Decision("redeal", "a card lay open", 1, 2, hand="EE"))).hand == "EE"
    message = "played were TT TE EE"
    if state == "void":
        apply(db, VoidResult(None, 1, 2, "a card was missing"))
        message = "void"
    with desk.refused(ExitCode.REFUSED, "hand TTT was not played at table 2 of round 1", message):
        apply(db, AddRuling(None, Decision("redeal", "a card lay open", 1, 2, hand="TTT")))
    apply(db, AddRuling(None, Decision("note", "the bell rang", 1, 2, hand="TTT")))


def test_a_redeal_names_its_hand_and_a_note_may_name_anything(db: str) -> None:
    ruling = apply(db, AddRuling(None, Decision("redeal", "a card lay open", 1, 2, hand="tte")))
    assert (ruling.hand, ruling.points, ruling.player) == ("TTE", 0, None)
    noted = apply(db, AddRuling(None, Decision("note", "slow", 1, 2, str(_entrant(db, _table(db, 2)[1])), "EEE")))
    assert (noted.player, noted.hand) == (_table(db, 2)[1], "EEE")
    assert rulings.listing(db).rulings == (ruling, noted)


def _entrant(db: str, player: Player) -> int:
    """Return the entrant number of the player."""
    return events.show(db).entrants.index(player) + 1


IMPOSSIBLE = {
    "a penalty for nobody": (ExitCode.USAGE, Decision("penalty", "x", points=5), ("needs --player", "--points")),
    "a penalty without points": (ExitCode.USAGE, Decision("penalty", "x", player="Ana"), ("needs --points",)),
    "a penalty in a hand": (
        ExitCode.USAGE,
        Decision("penalty", "x", player="Ana", points=5, hand="TT"),
        ("takes no --hand",),
    ),
    "a table without a round": (
        ExitCode.USAGE,
        Decision("penalty", "x", table=1, player="Ana", points=5),
        ("needs --round",),
    ),
    "a redeal without a hand": (ExitCode.USAGE, Decision("redeal", "x", 1, 1), ("needs --hand",)),
    "a redeal with points": (
        ExitCode.USAGE,
        Decision("redeal", "x", 1, 1, hand="TT", points=5),
        ("takes no --points",),
    ),
    "a correction without a sheet": (ExitCode.USAGE, Decision("correction", "x", 1, 1), ("sheet", "--file")),
    "a penalty of 0 points": (
        ExitCode.REFUSED,
        Decision("penalty", "x", player="Ana", points=0),
        ("0 points", "--kind note"),
    ),
    "too many points": (ExitCode.REFUSED, Decision("penalty", "x", player="Ana", points=-100_001), ("100000",)),
    "no reason": (ExitCode.REFUSED, Decision("note", " "), ("reason is empty",)),
    "no such hand": (ExitCode.REFUSED, Decision("redeal", "x", 1, 1, hand="TTTT"), ("TTTT", "TT TE EE")),
    "no such round": (ExitCode.NOT_FOUND, Decision("note", "x", 3), ("no round 3", "1 to 2")),
    "a round not drawn": (ExitCode.NOT_FOUND, Decision("note", "x", 2, 1), ("round 2", "not drawn")),
    "no such table": (ExitCode.NOT_FOUND, Decision("note", "x", 1, 3), ("no table 3",)),
    "no such player": (
        ExitCode.NOT_FOUND,
        Decision("penalty", "x", player="Zuriñe", points=5),
        ("nobody is called “Zuriñe”",),
    ),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_an_impossible_ruling_is_refused_and_nothing_is_kept(db: str, case: str) -> None:
    code, decision, words = IMPOSSIBLE[case]
    before = desk.query(db, "SELECT hash FROM head")
    with desk.refused(code, *words):
        apply(db, AddRuling(None, decision))
    assert desk.query(db, "SELECT hash FROM head") == before


def test_a_ruling_at_a_table_cannot_name_a_player_of_another(db: str) -> None:
    elsewhere = _table(db, 2)[0]
    with desk.refused(ExitCode.REFUSED, elsewhere.shown, "table 1 of round 1", "seated at this table"):
        apply(db, AddRuling(None, Decision("penalty", "x", 1, 1, elsewhere.shown, points=5)))


def test_a_finished_event_refuses_rulings_and_their_cancellation(db: str) -> None:
    apply(db, AddRuling(None, Decision("note", "x")))
    apply(db, FinishEvent(None, incomplete=True))
    for change in (
        AddRuling(None, Decision("note", "y")),
        CancelRuling(None, 1, "y"),
        AddRuling(None, Decision("correction", "y", 1, 1), desk.hands(desk.NAMES[:4])),
    ):
        with desk.refused(ExitCode.REFUSED, "Friday is finished"):
            apply(db, change)


def test_a_penalty_follows_a_merged_and_then_an_erased_player(db: str) -> None:
    """The penalty of Iris counts for Ana after the merge, and for the nameless player after the erasure."""
    apply(db, RegisterPlayers(["Iris"]))
    apply(db, EnterPlayers(None, ["Iris"]))
    apply(db, AddRuling(None, Decision("penalty", "rude", player="Iris", points=20)))
    before = _points(db)["Ana"]
    apply(db, MergePlayers("Ana", "Iris"))
    assert _points(db)["Ana"] == before + 20
    erased = apply(db, ErasePlayer("Ana")).after
    assert _points(db)[erased.name] == before + 20
    assert rulings.listing(db).rulings[0].player == erased
    assert database.check(db).problems == ()


PENALTIES = {
    "three words": (("Ana", "20", "late"), "Ana: a penalty of 20 points: late"),
    "a reason of several words": (("Ana", "20", "came", "late"), "Ana: a penalty of 20 points: came late"),
    "the event first": (("Friday", "Ana", "20", "late"), "Ana: a penalty of 20 points: late"),
    "by number": (("1", "20", "late", "--round", "1"), "Ana: a penalty of 20 points in round 1: late"),
}


@pytest.mark.parametrize("case", PENALTIES)
def test_a_penalty_is_added_in_few_words(run: Runner, db: str, case: str) -> None:
    words, text = PENALTIES[case]
    assert text in " ".join(run("ruling", "penalty", *words, "--db", db).out.split())
    assert [row.penalty for row in standings.standings(db).rows if row.player.name == "Ana"] == [20]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("Ana", "20"), "a penalty needs a player, points and a reason"),
        (("Friday", "Ana", "20"), "a penalty needs a player, points and a reason"),
        (("Ana", "María", "20", "late"), "POINTS cannot be “María”"),
        (("Ana", "9" * 10, "late"), "POINTS cannot be"),
        (("Ana", "2.5", "late"), "POINTS cannot be “2.5”"),
    ],
)
def test_a_penalty_of_other_words_is_refused(run: Runner, db: str, words: tuple[str, ...], message: str) -> None:
    refused = run("ruling", "penalty", *words, "--db", db)
    assert (refused.code, message in refused.err) == (ExitCode.USAGE, True)


@pytest.mark.parametrize(("points", "is_doubted"), [(20_000, True), (-20_000, True), (500, False), (20, False)])
def test_a_penalty_beyond_a_very_bad_game_is_doubted_and_counts(db: str, points: int, is_doubted: bool) -> None:
    name = _table(db, 1)[0].name
    decision = Decision("penalty", "came late", 1, 1, name, points=points)
    with warnings.catch_warnings(record=True) as doubts:
        warnings.simplefilter("always")
        assert apply(db, AddRuling(None, decision)).points == points
    assert [str(each.message) for each in doubts if f"{name}: {points} points are unusual" in str(each.message)] == [
        str(each.message) for each in doubts
    ]
    assert bool(doubts) == is_doubted
