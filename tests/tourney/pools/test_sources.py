"""Tests of the sources of imported pools: replaced, removed, and with names that are one player."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from tests.harness.commands import Ran, Runner
from tests.harness.recorded import OLD_DATABASE, load
from tourney.domain.errors import ExitCode
from tourney.service import database
from tourney.service.ratings import ratings

Games = Sequence[Mapping[str, int]]
"""The place of each player, game by game."""
FIRST: Games = ({"Ana": 1, "Leo": 2, "Eva": 3}, {"Leo": 1, "Ana": 2}, {"Eva": 1, "Leo": 1, "Noa": 3})
WRONG: Games = ({"Ana": 1, "Leo": 2, "Eva": 3}, {"Leoo": 1, "Ana": 2}, {"Eva": 1, "Leo": 1, "Noa": 3})
SECOND: Games = ({"Noa": 1, "Ana": 2}, {"Ana": 1, "Iker": 2, "Eva": 2})


@pytest.fixture
def do(run: Runner, tmp_path: Path) -> Callable[..., Ran]:
    """Run a command on the database of this test; games become a results file of the name before them."""

    def command(*words: object, db: str = "club") -> Ran:
        texts = [_file(tmp_path, *word) if isinstance(word, tuple) else str(word) for word in words]
        return run("rating", *texts, "--db", str(tmp_path / f"{db}.db"))

    return command


def _file(folder: Path, name: str, games: Games) -> str:
    rows = [f"{seq},{name},{place}\n" for seq, game in enumerate(games) for name, place in game.items()]
    (folder / name).write_text("seq,player,rank\n" + "".join(rows), encoding="utf-8")
    return str(folder / name)


def dated(path: str) -> str:
    """Give all games of a file the day 2026-01-05."""
    text = Path(path).read_text("utf-8").replace("\n", ",2026-01-05\n")
    Path(path).write_text(text.replace("rank,2026-01-05", "rank,date", 1), encoding="utf-8")
    return path


def rated(folder: Path, db: str = "club", pool: str = "p") -> dict[str, tuple[float, float, int, int]]:
    """Return what is rated of each player: to the last bit, as floats are compared."""
    table = ratings.ratings(os.fspath(folder / f"{db}.db"), pool)
    return {row.player: (row.mu, row.sigma, row.games, row.wins) for row in table.rows}


def test_a_corrected_file_gives_the_ratings_of_the_corrected_file_alone(do: Callable[..., Ran], tmp_path: Path) -> None:
    do("import", ("a.csv", WRONG), "--pool", "p")
    again = do("import", ("a.csv", FIRST), "--pool", "p")
    assert again.code == 0
    assert "games as before 2, new or changed 1, gone or changed 1." in " ".join(again.out.split())
    assert "Players who are no longer in it: Leoo." in again.out
    do("import", ("a.csv", FIRST), "--pool", "p", db="alone")
    assert rated(tmp_path) == rated(tmp_path, "alone")
    assert database.check(os.fspath(tmp_path / "club.db")).problems == ()


def test_a_source_that_is_replaced_keeps_its_place_in_the_order(do: Callable[..., Ran], tmp_path: Path) -> None:
    for file in (("a.csv", WRONG), ("b.csv", SECOND), ("a.csv", FIRST)):
        do("import", file, "--pool", "p")
    for file in (("a.csv", FIRST), ("b.csv", SECOND)):
        do("import", file, "--pool", "p", db="anew")
    assert rated(tmp_path) == rated(tmp_path, "anew")
    assert [row["source"] for row in do("source", "list", "--pool", "p", "--json").json] == ["a.csv", "b.csv"]


def test_a_dry_run_shows_what_a_replaced_source_would_change_and_keeps_all(
    do: Callable[..., Ran], tmp_path: Path
) -> None:
    do("import", ("a.csv", WRONG), "--pool", "p")
    before = rated(tmp_path)
    tried = do("import", ("a.csv", FIRST), "--pool", "p", "--dry-run")
    assert "Leoo" in tried.out
    assert "What moves in the ratings: p" in tried.out
    assert rated(tmp_path) == before


def test_a_source_can_have_a_name_of_its_own(do: Callable[..., Ran], tmp_path: Path) -> None:
    do("import", ("a.csv", WRONG), "--pool", "p", "--source", "Spring")
    replaced = do("import", ("b.csv", FIRST), "--pool", "p", "--source", "spring", "--json").json["replaced"]
    assert replaced == {"same": 2, "new": 1, "gone": 1, "players_new": [], "players_gone": ["Leoo"]}
    assert len(do("source", "list", "--pool", "p", "--json").json) == 1


def test_a_source_is_removed_and_comes_back(run: Runner, do: Callable[..., Ran], tmp_path: Path) -> None:
    do("import", ("a.csv", FIRST), "--pool", "p")
    alone = rated(tmp_path)
    do("import", ("b.csv", SECOND), "--pool", "p")
    both = rated(tmp_path)
    assert "removed the source b.csv from the pool p: 2 games" in do("source", "remove", "B.csv", "--pool", "p").out
    assert rated(tmp_path) == alone
    run("undo", "--db", str(tmp_path / "club.db"))
    assert rated(tmp_path) == both
    run("redo", "--db", str(tmp_path / "club.db"))
    assert rated(tmp_path) == alone
    assert database.check(os.fspath(tmp_path / "club.db")).problems == ()


def test_an_import_that_was_replaced_is_taken_back_only_after_the_later_one(
    run: Runner, do: Callable[..., Ran], tmp_path: Path
) -> None:
    do("import", ("a.csv", WRONG), "--pool", "p")
    wrong = rated(tmp_path)
    do("import", ("a.csv", FIRST), "--pool", "p")
    refused = run("undo", "2", "--db", str(tmp_path / "club.db"))
    assert refused.code == ExitCode.REFUSED
    assert "1 later change rests on it" in refused.err
    assert run("undo", "--db", str(tmp_path / "club.db")).code == 0
    assert rated(tmp_path) == wrong


def test_a_file_is_not_imported_twice_unless_its_days_or_names_differ(
    run: Runner, do: Callable[..., Ran], tmp_path: Path
) -> None:
    do("import", ("a.csv", FIRST), "--pool", "p")
    for words in ((), ("--source", "other")):
        refused = do("import", ("a.csv", FIRST), "--pool", "p", *words)
        assert (refused.code, "from the source a.csv" in refused.err) == (ExitCode.CONFLICT, True)
    assert do("import", dated(str(tmp_path / "a.csv")), "--pool", "p").code == 0
    assert do("source", "list", "--pool", "p", "--json").json[0]["first"] == "2026-01-05"


def test_earlier_imports_are_one_source(run: Runner, tmp_path: Path) -> None:
    """The database was written before sources had names."""
    db = os.fspath(tmp_path / "old.db")
    load(OLD_DATABASE, Path(db))
    run("db", "upgrade", "--db", db)
    (source,) = run("rating", "source", "list", "--pool", "f1", "--db", db, "--json").json
    assert source["source"] == "earlier"
    file = dated(_file(tmp_path, "new.csv", FIRST))
    assert run("rating", "import", file, "--pool", "f1", "--source", "earlier", "--db", db).code == 0
    assert set(rated(tmp_path, "old", "f1")) == {"Ana", "Leo", "Eva", "Noa"}
    assert database.check(db).problems == ()


def test_names_that_differ_in_case_accents_or_spaces_are_one_player(do: Callable[..., Ran], tmp_path: Path) -> None:
    """The first spelling is kept, also across sources."""
    do("import", ("a.csv", [{"Inés Gil": 1, "Leo": 2}, {"ines  gil": 2, "LEO": 1}]), "--pool", "p")
    last = do("import", ("b.csv", [{"INES GIL": 1, "Eva": 2}]), "--pool", "p", "--json").json
    assert last["spellings"] == [{"name": "INES GIL", "player": "Inés Gil"}]
    assert {player: games for player, (_mu, _sigma, games, _wins) in rated(tmp_path).items()} == {
        "Inés Gil": 3,
        "Leo": 2,
        "Eva": 1,
    }


def test_an_import_names_its_file_and_counts_its_players_and_those_of_the_pool(do: Callable[..., Ran]) -> None:
    """Ana, Leo, Eva and Noa are in the first file, and Iker in place of Leo in the second."""
    first = do("import", ("a.csv", FIRST), "--pool", "p")
    assert first.out.startswith("imported 3 games of 4 players from a.csv into the pool p, which now has 4 players")
    second = do("import", ("b.csv", SECOND), "--pool", "p", "--source", "autumn")
    assert second.out.startswith("imported 2 games of 4 players from b.csv into the pool p, which now has 5 players")


def test_two_spellings_in_one_game_are_refused_with_the_line(do: Callable[..., Ran]) -> None:
    refused = do("import", ("a.csv", [{"Ana": 1, "Leo": 2}, {"Ana": 1, "ANA": 2}]), "--pool", "p")
    assert refused.code == ExitCode.REFUSED
    assert "a.csv, line 5: 'Ana' and 'ANA' are one player, who appears twice in game 1" in refused.err
    assert "hint: write two players" in refused.err


@pytest.mark.parametrize(
    ("name", "message"),
    [("An\u200ba", "(U+200B)"), ("An\x1ba", "(U+001B)"), ("x" * 81, "has 81 characters")],
    ids=["nothing that is seen", "a control character", "too long"],
)
def test_a_name_that_no_player_can_have_is_refused_with_its_line(
    do: Callable[..., Ran], name: str, message: str
) -> None:
    """An invisible character would make two players of one name."""
    refused = do("import", ("a.csv", [{"Ana": 1, "Leo": 2}, {"Leo": 1, name: 2}]), "--pool", "p")
    assert (refused.code, "a.csv, line 5: the name " in refused.err) == (ExitCode.REFUSED, True)
    assert message in refused.err


def test_a_line_end_in_a_name_is_a_blank(do: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        'seq,rank,player\n1,1,"Ana\nGil"\n1,2,Leo\n2,1,Ana  Gil\n2,2,Leo\n', encoding="utf-8"
    )
    assert do("import", tmp_path / "a.csv", "--pool", "p").code == 0
    assert {name: row[2] for name, row in rated(tmp_path).items()} == {"Ana Gil": 2, "Leo": 2}


def test_an_alias_is_known_in_any_spelling_when_its_only_file_is_imported_again(
    do: Callable[..., Ran], tmp_path: Path
) -> None:
    """The first file has Leoo, who is Leo, and the corrected one writes both in capitals."""
    do("import", ("a.csv", [{"Leo": 1, "Ana": 2}, {"Leoo": 1, "Ana": 2}]), "--pool", "p")
    assert do("alias", "add", "Leoo", "Leo", "--pool", "p").code == 0
    assert do("import", ("a.csv", [{"LEO": 2, "Ana": 1}, {"LEOO": 1, "Ana": 2}]), "--pool", "p").code == 0
    do("import", ("a.csv", [{"Leo": 2, "Ana": 1}, {"Leo": 1, "Ana": 2}]), "--pool", "p", db="alone")
    assert rated(tmp_path) == rated(tmp_path, "alone")


def test_another_name_of_a_player_is_no_newcomer(do: Callable[..., Ran]) -> None:
    do("import", ("a.csv", WRONG), "--pool", "p")
    do("alias", "add", "Leoo", "Leo", "--pool", "p")
    refused = do("predict", "Ana", "--newcomer", "LEOO", "--pool", "p")
    assert (refused.code, "LEOO is no newcomer in this pool" in refused.err) == (ExitCode.REFUSED, True)


def test_an_alias_gives_the_ratings_of_files_that_have_the_player(
    run: Runner, do: Callable[..., Ran], tmp_path: Path
) -> None:
    """Later files count for the player, too, until the alias is removed."""
    do("import", ("a.csv", WRONG), "--pool", "p")
    assert do("alias", "add", "Leoo", "Leo", "--pool", "p").code == 0
    do("import", ("b.csv", [{"leoo": 1, "Ana": 2}]), "--pool", "p")
    do("import", ("a.csv", FIRST), "--pool", "p", db="anew")
    do("import", ("b.csv", [{"Leo": 1, "Ana": 2}]), "--pool", "p", db="anew")
    assert rated(tmp_path) == rated(tmp_path, "anew")
    for word in ("undo", "undo", "redo", "redo"):
        run(word, "--db", str(tmp_path / "club.db"))
        assert database.check(os.fspath(tmp_path / "club.db")).problems == ()
    assert rated(tmp_path) == rated(tmp_path, "anew")
    assert do("alias", "list", "--pool", "p", "--json").json == [{"alias": "Leoo", "player": "Leo"}]
    assert do("alias", "remove", "leoo", "--pool", "p").code == 0
    assert "Leoo" in rated(tmp_path)
    assert do("alias", "list", "--pool", "p", "--json").json == []


def test_an_alias_of_somebody_who_played_against_the_player_is_refused(do: Callable[..., Ran]) -> None:
    do("import", ("a.csv", FIRST), "--pool", "p")
    refused = do("alias", "add", "Ana", "Leo", "--pool", "p")
    assert (refused.code, "both played in game 1 of the source a.csv" in refused.err) == (ExitCode.REFUSED, True)
    do("alias", "add", "Noa", "Ana", "--pool", "p")
    refused = do("import", ("b.csv", SECOND), "--pool", "p")
    assert (refused.code, "'Noa' and 'Ana' are one player" in refused.err) == (ExitCode.REFUSED, True)


BAD = {
    "a source of another pool": (("source", "remove", "a.csv", "--pool", "q"), "it is in the pool p: give --pool p"),
    "no such source": (("source", "remove", "c.csv", "--pool", "p"), "did you mean"),
    "a pool of events": (("source", "list", "--pool", "people"), "name the pool of a results file with --pool"),
    "an unknown name": (("alias", "add", "Xavi", "Leo", "--pool", "p"), "see who is in it"),
    "one name twice": (("alias", "add", "Leo", "leo", "--pool", "p"), "name each player once"),
    "no alias": (("alias", "remove", "Leo", "--pool", "p"), "tourney rating alias list --pool p"),
}


@pytest.mark.parametrize(("words", "hint"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_refused_with_what_to_do(do: Callable[..., Ran], words: tuple[str, ...], hint: str) -> None:
    do("import", ("a.csv", FIRST), "--pool", "p")
    do("import", ("b.csv", SECOND), "--pool", "q")
    refused = do(*words)
    assert refused.code in (ExitCode.REFUSED, ExitCode.NOT_FOUND, ExitCode.USAGE)
    assert "hint: " in refused.err
    assert hint in refused.err


def test_editions_keep_their_names_when_a_source_is_replaced(do: Callable[..., Ran], tmp_path: Path) -> None:
    """The corrected file names Ana first, the other one Leo: numbers by today's files alone would swap them."""
    do("import", dated(_file(tmp_path, "a.csv", [{"Leo": 1, "Ana": 2}])), "--pool", "p")
    do("publish", "--pool", "p", "--as-of", "2026-01-31")
    do("import", dated(_file(tmp_path, "a.csv", [{"Ana": 1, "Leo": 2}])), "--pool", "p")
    assert [row["player"] for row in do("edition", "1", "--pool", "p", "--json").json["players"]] == ["Leo", "Ana"]
    do("publish", "--pool", "p", "--as-of", "2026-01-31")
    second = do("edition", "2", "--pool", "p", "--json").json
    assert [row["player"] for row in second["players"]] == ["Ana", "Leo"]
    assert [each["edition"] for each in second["corrections"]] == [1]


def test_erasing_a_person_names_the_pool_of_a_source_that_was_removed(
    run: Runner, do: Callable[..., Ran], tmp_path: Path
) -> None:
    """The rows of a removed source stay, so that its removal can be undone."""
    do("import", ("a.csv", FIRST), "--pool", "p")
    do("source", "remove", "a.csv", "--pool", "p")
    run("player", "add", "Noa", "--db", str(tmp_path / "club.db"))
    assert run("player", "erase", "Noa", "--yes", "--db", str(tmp_path / "club.db"), "--json").json["pools"] == ["p"]


def test_days_that_run_backwards_are_reported(do: Callable[..., Ran], tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    days = ("2026-01-05", "2026-01-07", "2026-01-06")
    rows = [f"{seq},{day},{name},{place}\n" for seq, day in enumerate(days) for place, name in ((1, "Ana"), (2, "Leo"))]
    file.write_text("seq,date,player,rank\n" + "".join(rows), encoding="utf-8")
    ran = do("import", file, "--pool", "p", "--json")
    assert ran.json["backwards"] == {"line": 6, "day": "2026-01-06", "before": "2026-01-07"}
    assert "The days run backwards: line 6" in do("import", file, "--pool", "q").out


def test_days_that_run_backwards_between_sources_are_reported(do: Callable[..., Ran], tmp_path: Path) -> None:
    """The second file has a game of the day before the only game of the first."""
    for name, day in (("1951.csv", "1951-05-27"), ("1950.csv", "1950-05-13"), ("1952.csv", "1952-05-18")):
        players = {"1951.csv": "Ana Leo", "1950.csv": "Leo Ana", "1952.csv": "Ana Eva"}[name].split()
        (tmp_path / name).write_text(
            f"seq,date,player,rank\n1,{day},{players[0]},1\n1,{day},{players[1]},2\n", encoding="utf-8"
        )
    assert do("import", tmp_path / "1951.csv", "--pool", "p", "--json").json["backward_source"] is None
    ran = do("import", tmp_path / "1950.csv", "--pool", "p")
    assert "1950.csv has a game of 1950-05-13, and is rated after 1951.csv" in " ".join(ran.out.split())
    assert do("import", tmp_path / "1952.csv", "--pool", "p", "--json").json["backward_source"] is None
    (tmp_path / "1951.csv").write_text(
        "seq,date,player,rank\n1,1951-05-28,Ana,1\n1,1951-05-28,Leo,2\n", encoding="utf-8"
    )
    again = do("import", tmp_path / "1951.csv", "--pool", "p", "--json").json["backward_source"]
    assert again == {"source": "1950.csv", "day": "1950-05-13", "earlier": "1951.csv", "before": "1951-05-28"}


def test_a_file_with_both_names_of_an_alias_in_one_game_names_what_separates_them(do: Callable[..., Ran]) -> None:
    do("import", ("a.csv", WRONG), "--pool", "p")
    do("import", ("b.csv", ({"Iker": 1, "Ana": 2},)), "--pool", "p")
    assert do("alias", "add", "Noa", "Iker", "--pool", "p").code == ExitCode.DONE
    clash = do("import", ("c.csv", ({"Noa": 1, "Iker": 2},)), "--pool", "p")
    assert clash.code == ExitCode.REFUSED
    assert "hint: if they are two players, separate them with `tourney rating alias remove`" in clash.err


def test_a_player_is_found_by_an_alias(do: Callable[..., Ran]) -> None:
    do("import", ("a.csv", WRONG), "--pool", "p")
    do("alias", "add", "Leoo", "Leo", "--pool", "p")
    by_alias, by_name = (do("history", name, "--pool", "p", "--json") for name in ("LEOO", "Leo"))
    assert by_alias.code == ExitCode.DONE
    assert by_alias.json == by_name.json
    assert do("predict", "Leoo", "Ana", "--pool", "p").code == ExitCode.DONE
