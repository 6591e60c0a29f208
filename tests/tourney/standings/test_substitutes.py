"""Tests of substitutes: who their results count for, in standings and in ratings, and how long they hold."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney import storage
from tourney.domain.errors import ExitCode
from tourney.service.admin import journal
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.database import check
from tourney.service.events.attendance import ReturnPlayers
from tourney.service.events.settings import ChangeSettings
from tourney.service.players import MergePlayers, RegisterPlayers
from tourney.service.results import standings
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound, MovePlayer, Swap
from tourney.service.rounds.substitute import NameSubstitute


def club(path: Path, setting: str = "absent") -> str:
    """Create an event of four with two rounds; in the first Eva plays for Ana, and both have results.

    Ana's seat closes every hand of round 1, and Beñat's every hand of round 2.
    """
    return desk.copied(path, _make, setting)


def _make(db: str, setting: str) -> None:
    desk.event(db, 4, rounds=3, substitutes=setting)
    apply(db, RegisterPlayers(["Eva"]))
    for number, closer in ((1, "Ana"), (2, "Beñat")):
        (drawn,) = apply(db, DrawRound()).rounds
        if number == 1:
            apply(db, NameSubstitute(None, ["Ana", "Eva"]))
        names = [player.shown for player in drawn.tables[0].players]
        apply(db, EnterResult(None, number, 1, desk.hands(names, [names.index(closer)] * 7)))


def games(db: str) -> dict[str, int]:
    return {row.player.shown: row.games for row in standings.standings(db).rows}


def rated(run: Runner, db: str) -> dict[str, tuple[int, int]]:
    """Return games and wins of everybody in the ratings."""
    return {row["player"]: (row["games"], row["wins"]) for row in run("ratings", "--json", "--db", db).json}


COUNTS = {
    # games in the standings, and games and wins in the ratings
    "absent": ({"Ana": 2, "Beñat": 2}, {"Ana": (2, 1), "Beñat": (2, 1)}, "that seat counts for Ana."),
    "substitute": (
        {"Ana": 1, "Eva": 1, "Beñat": 2},
        {"Ana": (1, 0), "Eva": (1, 1), "Beñat": (2, 1)},
        "that seat counts for Eva.",
    ),
    "nobody": ({"Ana": 1, "Beñat": 2}, {"Ana": (1, 0), "Beñat": (2, 1)}, "that seat counts for nobody."),
}


@pytest.mark.parametrize("setting", COUNTS)
def test_a_result_counts_for_whom_the_event_says_in_standings_and_ratings(
    setting: str, run: Runner, tmp_path: Path
) -> None:
    """Eva closes all hands of round 1 on Ana's seat; the others have all their games."""
    db = club(tmp_path / "club.db", setting)
    in_standings, in_ratings, words = COUNTS[setting]
    others = {"Carmen": 2, "Diego": 2}
    assert games(db) == {**in_standings, **others}
    found = rated(run, db)
    assert {name: found[name] for name in in_ratings} == in_ratings
    assert {name: found[name][0] for name in others} == others
    assert ("Eva" in found) == (setting == "substitute")
    assert any(words in note for note in standings.standings(db).notes)
    assert check(db).problems == ()


def test_the_setting_can_change_afterwards_and_everything_follows(run: Runner, tmp_path: Path) -> None:
    """The ratings are read each time, so that a stale cache would be seen."""
    db = club(tmp_path / "club.db", "absent")
    for setting in ("nobody", "substitute", "absent", "nobody"):
        rated(run, db)
        apply(db, ChangeSettings(None, {"substitutes": setting}))
        in_standings, in_ratings, _words = COUNTS[setting]
        assert {name: games(db)[name] for name in in_standings} == in_standings
        found = rated(run, db)
        assert {name: found[name] for name in in_ratings} == in_ratings
    assert run("undo", "--db", db).code == 0
    assert games(db)["Ana"] == 2
    assert rated(run, db)["Ana"] == (2, 1)


def test_a_substitute_is_not_seated_in_the_next_round(tmp_path: Path) -> None:
    db = club(tmp_path / "club.db")
    (drawn,) = apply(db, DrawRound()).rounds
    assert "Eva" not in {player.shown for table in drawn.tables for player in table.players}


def test_a_substitute_is_called_so_everywhere_and_counts_as_no_entrant(run: Runner, tmp_path: Path) -> None:
    """Eva, whose game counts for herself, is in no list of those who have left; earlier standings say so, too."""
    db = club(tmp_path / "club.db", "substitute")

    def shown(*words: str) -> str:
        return run(*words, "--db", db).out

    for round_ in ((), ("--round", "1")):
        rows = run("standings", *round_, "--json", "--db", db).json
        assert {row["state"] for row in rows if row["player"] == "Eva"} == {"substitute"}
        (row,) = [line for line in shown("standings", *round_, "--format", "csv").splitlines() if ",Eva," in line]
        assert ("substitute" in row.split(","), "withdrawn" in row) == (True, False)
        assert "sustituto" in shown("standings", *round_, "--lang", "es")
    event = run("event", "show", "--json", "--db", db).json
    assert (event["entrants"], event["states"]) == (["Ana", "Beñat", "Carmen", "Diego"], ["entered"] * 4)
    assert event["only_substitutes"] == ["Eva"]
    for words in (("standings",), ("event", "show"), ("status",)):
        assert ("withdrawn" in shown(*words).lower(), "Eva" in shown(*words)) == (False, words != ("status",))
    assert "4 entrants and 1 substitute\n" in shown("event", "show")
    assert ",4,open" in shown("event", "list", "--format", "csv")
    assert "substitutes: Eva; with `tourney event return Eva` they play, too" in shown("event", "enter", "Eva")


def test_a_new_event_says_that_a_substitute_only_played_for_others(run: Runner, tmp_path: Path) -> None:
    db = club(tmp_path / "club.db")
    ran = run("event", "new", "Next", "--from", "Friday", "--db", db)
    assert "left out, because they only played for others: Eva" in ran.out
    assert "never came" not in ran.out
    assert run("event", "new", "Third", "--from", "Friday", "--json", "--db", db).json["left_out"] == ["Eva"]


def test_a_substitute_who_comes_back_plays_as_an_entrant_and_earlier_standings_stay(tmp_path: Path) -> None:
    """In round 3 Eva sits down herself; after round 1 she was a substitute."""
    db = club(tmp_path / "club.db", "substitute")
    apply(db, ReturnPlayers(None, ["Eva"]))
    (drawn,) = apply(db, DrawRound()).rounds
    for table in drawn.tables:
        apply(db, EnterResult(None, 3, table.number, desk.hands([player.shown for player in table.players])))
    for last, state in ((1, "substitute"), (3, "entered")):
        rows = standings.standings(db, round_number=last).rows
        assert [row.state for row in rows if row.player.shown == "Eva"] == [state]


def test_nobody_plays_for_the_player_any_longer_after_the_command_or_an_undo(run: Runner, tmp_path: Path) -> None:
    db = club(tmp_path / "club.db", "nobody")
    assert games(db)["Ana"] == 1
    ran = run("round", "substitute", "Ana", "--round", "1", "--db", db)
    assert "nobody plays for Ana any longer in round 1 at table 1" in ran.out
    assert games(db)["Ana"] == 2
    assert run("undo", "--db", db).code == 0
    assert games(db)["Ana"] == 1
    assert check(db).problems == ()


def test_a_round_that_is_drawn_again_has_no_substitutes(tmp_path: Path) -> None:
    db = desk.drawn(tmp_path / "club.db")
    apply(db, RegisterPlayers(["Eva"]))
    apply(db, ChangeSettings(None, {"substitutes": "nobody"}))
    apply(db, NameSubstitute(None, ["Ana", "Eva"]))
    apply(db, CancelRound(None, "again"))
    (drawn,) = apply(db, DrawRound()).rounds
    names = [player.shown for player in drawn.tables[0].players]
    apply(db, EnterResult(None, 1, 1, desk.hands(names)))
    assert games(db)["Ana"] == 1
    assert not any("Eva" in note for note in standings.standings(db).notes)


def test_a_substitute_gets_no_seat_of_their_own_in_the_round(tmp_path: Path) -> None:
    """The attack: one result of such a round made the ratings of all events unreadable."""
    db = desk.drawn(tmp_path / "club.db", 8)
    other = next(player.name for player in rounds.show(db).rounds[0].tables[1].players if player.name != "Ana")
    apply(db, RegisterPlayers(["Eva"]))
    apply(db, NameSubstitute(None, ["Ana", "Eva"]))
    apply(db, ReturnPlayers(None, ["Eva"]))
    with desk.refused(ExitCode.REFUSED, "Eva plays for Ana in round 1 already", "tourney round substitute Ana"):
        apply(db, MovePlayer(None, "Eva", Swap(other)))
    apply(db, NameSubstitute(None, ["Ana"]))
    ended = journal.log(db).lines[-1].number
    apply(db, MovePlayer(None, "Eva", Swap(other)))
    with desk.refused(ExitCode.REFUSED, "1 later change rests on it"):
        apply(db, Undo(number=ended))


def test_an_event_file_takes_its_substitutes_along(run: Runner, tmp_path: Path) -> None:
    db, other = club(tmp_path / "club.db", "substitute"), str(tmp_path / "other.db")
    file = str(tmp_path / "friday.event")
    assert run("event", "export", "Friday", "--output", file, "--db", db).code == 0
    assert run("event", "import", file, "--yes", "--db", other).code == 0
    assert games(other) == games(db)
    assert rated(run, other) == rated(run, db)
    assert check(other).problems == ()


def test_a_merged_substitute_has_the_name_that_stays(tmp_path: Path) -> None:
    db = club(tmp_path / "club.db", "substitute")
    apply(db, RegisterPlayers(["Eva María"]))
    apply(db, MergePlayers("Eva María", "Eva"))
    assert games(db)["Eva María"] == 1


REFUSED = [
    (["Ana"], None, ExitCode.NOT_FOUND, "nobody plays for Ana in round 2"),
    (["Ana", "Beñat"], None, ExitCode.REFUSED, "Beñat plays in round 2 already"),
    (["Eva", "Ana"], None, ExitCode.REFUSED, "Eva has no seat in round 2"),
    (["Beñat", "Eva"], 1, ExitCode.REFUSED, "Eva plays in round 1 already"),
    (["Ana", "Nobody"], None, ExitCode.NOT_FOUND, "nobody is called “Nobody”"),
    (["Ana", "Eva"], 9, ExitCode.NOT_FOUND, "9"),
    (["Ana", "Eva", "Beñat"], None, ExitCode.USAGE, "a substitution has an absent player and a substitute"),
]


@pytest.mark.parametrize(("names", "number", "code", "words"), REFUSED, ids=str)
def test_impossible_substitutes_are_refused(
    names: list[str], number: int | None, code: ExitCode, words: str, tmp_path: Path
) -> None:
    db = club(tmp_path / "club.db")
    with desk.refused(code, words):
        apply(db, NameSubstitute(None, names, number))


CHAINS = {
    "the substitute": (("Eva L", "Eva"), ("Eva M", "Eva L"), ("Ana", "Eva M")),
    "the one who is absent": (("Ana P", "Ana"), ("Ana Q", "Ana P"), ("Ana Q", "Eva")),
}


@pytest.mark.parametrize("who", CHAINS)
def test_a_substitution_follows_mergers_one_after_the_other(who: str, tmp_path: Path) -> None:
    """The second merger of one person was called damage of the database."""
    db = club(tmp_path / "club.db", "substitute")
    apply(db, RegisterPlayers(["Eva L", "Eva M", "Ana P", "Ana Q"]))
    first, second, (absent, substitute) = CHAINS[who]
    apply(db, MergePlayers(*first))
    apply(db, MergePlayers(*second))
    with storage.reading(db) as reader:
        (found,) = reader.rounds.substitutions(reader.events.get(1))
    assert (found.absent.shown, found.substitute.shown) == (absent, substitute)
    assert check(db).problems == ()


@pytest.mark.parametrize(("keep", "gone"), [("Beñat", "Eva"), ("Eva", "Beñat")])
def test_who_plays_for_somebody_is_not_merged_with_who_sits_in_that_round(keep: str, gone: str, tmp_path: Path) -> None:
    """One person played at two places of one round."""
    db = club(tmp_path / "club.db")
    with desk.refused(ExitCode.REFUSED, keep, gone, "round 1 of Friday"):
        apply(db, MergePlayers(keep, gone))


@pytest.mark.parametrize(("keep", "gone"), [("Ana", "Eva"), ("Eva", "Ana")])
def test_who_is_merged_with_their_own_substitute_has_played_themselves(keep: str, gone: str, tmp_path: Path) -> None:
    db = club(tmp_path / "club.db", "substitute")
    apply(db, MergePlayers(keep, gone))
    with storage.reading(db) as reader:
        assert reader.rounds.substitutions(reader.events.get(1)) == ()
    assert games(db)[keep] == 2
    assert check(db).problems == ()


def test_two_substitutes_of_one_round_are_not_merged(tmp_path: Path) -> None:
    db = club(tmp_path / "club.db")
    apply(db, RegisterPlayers(["Fran"]))
    apply(db, NameSubstitute(None, ["Carmen", "Fran"], 1))
    with desk.refused(ExitCode.REFUSED, "Eva", "Fran", "round 1 of Friday"):
        apply(db, MergePlayers("Eva", "Fran"))


def test_a_substitute_is_not_put_back_once_they_are_somebody_with_a_seat(tmp_path: Path) -> None:
    """Nobody plays for Ana any longer; Eva is Beñat, who has a seat; that nobody plays is then not taken back alone."""
    db = club(tmp_path / "club.db")
    apply(db, NameSubstitute(None, ["Ana"], 1))
    with storage.reading(db) as reader:
        number = len(list(reader.journal.entries()))
    apply(db, MergePlayers("Beñat", "Eva"))
    with desk.refused(ExitCode.REFUSED, "merged"):
        apply(db, Undo(number))
    assert check(db).problems == ()


def test_who_substitutes_again_stays_an_entrant_when_the_first_time_is_undone(tmp_path: Path) -> None:
    """Eva was entered with her first seat: the undo took her out, and the event's file was refused elsewhere."""
    db = str(tmp_path / "club.db")
    desk.event(db, 4)
    apply(db, RegisterPlayers(["Eva"]))
    apply(db, DrawRound())
    apply(db, NameSubstitute(None, ["Ana", "Eva"]))
    number = journal.log(db).lines[-1].number
    apply(db, NameSubstitute(None, ["Ana"]))
    apply(db, NameSubstitute(None, ["Beñat", "Eva"]))
    with desk.refused(ExitCode.REFUSED, "Eva plays for Beñat"):
        apply(db, Undo(number))
