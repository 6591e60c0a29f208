"""Tests of what rankings show of a person: their name, another one, or nothing, in ratings, editions and pages."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode, TourneyError
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events.pasted_names import EnrolPlayers
from tourney.service.people.players import MergePlayers, PublishPlayer, RegisterPlayers


@pytest.fixture
def db(run: Runner, tmp_path: Path) -> str:
    """The path of an evening whose ratings are published as an edition."""
    path = desk.evening(tmp_path / "club.db")
    assert run("rating", "publish", "--as-of", datetime.now(UTC).date().isoformat(), "--db", path).code == 0
    return path


READ = {
    "ratings": ("ratings",),
    "a selection": ("ratings", "--min-games", "1"),
    "a part": ("ratings", "--games", "100"),
    "as a message": ("ratings", "--format", "message"),
    "an earlier edition": ("rating", "edition", "1"),
    "editions": ("rating", "editions"),
    "print": ("print", "ratings", "--output", "-"),
}


def shown(run: Runner, db: str, words: tuple[str, ...], tmp_path: Path) -> str:
    """Return what a command shows, or writes into its file."""
    if words[0] != "print":
        return run(*words, "--db", db).out
    page = tmp_path / "page.html"
    run("print", "ratings", "--output", str(page), "--force", "--db", db)
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("words", READ.values(), ids=READ)
def test_rankings_and_editions_show_what_the_player_wants(
    run: Runner, db: str, tmp_path: Path, words: tuple[str, ...]
) -> None:
    before = shown(run, db, words, tmp_path)
    first = run("ratings", "--db", db, "--json").json[0]["player"]
    assert first in before
    assert run("player", "publish", first, "--as", "Zorro", "--db", db).code == 0
    renamed = shown(run, db, words, tmp_path)
    assert first not in renamed
    assert "Zorro" in renamed
    run("player", "publish", first, "--not", "--db", db)
    hidden = shown(run, db, words, tmp_path)
    assert first not in hidden
    assert "Zorro" not in hidden
    run("player", "publish", first, "--by-name", "--db", db)
    assert first in shown(run, db, words, tmp_path)


def test_a_hidden_player_keeps_the_rank_which_nobody_else_gets(run: Runner, db: str) -> None:
    before = {row["player"]: row["rank"] for row in run("ratings", "--db", db, "--json").json}
    first = next(iter(before))
    run("player", "publish", first, "--not", "--db", db)
    after = {row["player"]: row["rank"] for row in run("ratings", "--db", db, "--json").json}
    assert after == {player: rank for player, rank in before.items() if player != first}
    assert "1 player is not published." in run("ratings", "--db", db).out
    assert run("player", "show", first, "--db", db, "--json").json["published"] is None


def test_the_site_of_a_pool_has_no_trace_of_a_hidden_name(run: Runner, db: str, tmp_path: Path) -> None:
    """Neither the names of files nor opponents, head to head, name the player."""
    names = [row["player"] for row in run("ratings", "--db", db, "--json").json]
    run("player", "publish", names[0], "--not", "--db", db)
    run("player", "publish", names[1], "--as", "Zorro", "--db", db)
    assert run("site", "--pool", "people", str(tmp_path / "site"), "--db", db).code == 0
    pages = list((tmp_path / "site").rglob("*.html"))
    texts = "".join(path.read_text(encoding="utf-8") + path.name for path in pages)
    assert "Zorro" in texts
    assert names[2] in texts
    assert [name for name in names[:2] if name in texts] == []


def test_another_name_is_erased_with_the_person(run: Runner, db: str, tmp_path: Path) -> None:
    name = run("ratings", "--db", db, "--json").json[0]["player"]
    run("player", "publish", name, "--as", "Zorro", "--db", db)
    assert database.check(db).problems == ()
    run("player", "erase", name, "--yes", "--db", db)
    assert "Zorro" not in run("ratings", "--db", db).out
    assert b"Zorro" not in Path(db).read_bytes()
    assert database.check(db).problems == ()


WAYS_IN = {
    "add": ("player", "add", "zorro"),
    "import": ("player", "import", "zorro.csv"),
    "enter": ("event", "enter", "Friday", "ZORRO", "--add"),
    "enter from a file": ("event", "enter", "Friday", "--file", "zorro.csv", "--add"),
    "rename": ("player", "rename", "Beñat", "--name", "Zorro"),
    "without a label": ("player", "rename", "Zorro (Getxo)", "--label", ""),
    "event import": ("event", "import", "sunday.event"),
}


@pytest.mark.parametrize("words", WAYS_IN.values(), ids=WAYS_IN)
def test_nobody_gets_a_name_under_which_rankings_show_somebody_else(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """The attack: rankings show Ana as Zorro. The page of a new player Zorro was hers, and the new player had none."""
    monkeypatch.chdir(tmp_path)
    db, other = str(tmp_path / "club.db"), str(tmp_path / "other.db")
    desk.event(db, 4)
    run("player", "publish", "Ana", "--as", "Zorro", "--db", db)
    run("player", "add", "Zorro", "--label", "Getxo", "--db", db)
    (tmp_path / "zorro.csv").write_text("name\nZórro\n", encoding="utf-8")
    for made in (("player", "add", "Zorro"), ("event", "new", "Sunday"), ("event", "enter", "Zorro")):
        assert run(*made, "--db", other).code == 0
    assert run("event", "export", "Sunday", "--output", "sunday.event", "--db", other).code == 0
    before = run("player", "list", "--db", db).out
    refused = run(*words, "--db", db)
    assert (refused.code, "rankings show Ana as" in refused.err) == (ExitCode.CONFLICT, True), refused.err
    assert run("player", "list", "--db", db).out == before
    run("player", "publish", "Ana", "--by-name", "--db", db)
    assert run(*words, "--db", db).code == 0


def test_a_desk_enrols_nobody_under_a_name_of_rankings_and_a_merged_one_frees_it(run: Runner, tmp_path: Path) -> None:
    """Whoever has the name in rankings may also be called so."""
    db = str(tmp_path / "club.db")
    desk.event(db, 4)
    apply(db, PublishPlayer("Ana", "other name", "Zorro"))
    with pytest.raises(TourneyError, match="rankings show Ana as Zorro"):
        apply(db, EnrolPlayers("Friday", (), ["Zorro"]))
    assert run("player", "rename", "Ana", "--name", "Zorro", "--db", db).code == 0
    run("player", "rename", "Zorro", "--name", "Ana", "--db", db)
    apply(db, RegisterPlayers(["Ana María"]))
    apply(db, MergePlayers("Ana María", "Ana"))
    apply(db, EnrolPlayers("Friday", (), ["Zorro"]))
    with pytest.raises(TourneyError, match="another player is called Zorro"):
        apply(db, PublishPlayer("Ana María", "other name", "Zorro"))


def test_the_setting_is_undone_and_redone(run: Runner, db: str) -> None:
    name = run("ratings", "--db", db, "--json").json[0]["player"]
    run("player", "publish", name, "--not", "--db", db)
    for word, there in (("undo", True), ("redo", False), ("undo", True)):
        run(word, "--db", db)
        assert (name in run("ratings", "--db", db).out) is there
        assert database.check(db).problems == ()


def test_what_cannot_be_is_refused_with_what_to_do(run: Runner, db: str) -> None:
    names = [row["player"] for row in run("ratings", "--db", db, "--json").json]
    cases = (
        ((names[0],), ExitCode.USAGE, "player publish Ana --not"),
        ((names[0], "--not", "--by-name"), ExitCode.USAGE, "player publish Ana --not"),
        ((names[0], "--as", names[1].upper()), ExitCode.CONFLICT, "a name that nobody else has"),
        ((names[0], "--by-name"), ExitCode.REFUSED, "tourney player show"),
        (("Nobody", "--not"), ExitCode.NOT_FOUND, "hint"),
    )
    for words, code, hint in cases:
        refused = run("player", "publish", *words, "--db", db)
        assert (refused.code, hint in refused.err) == (code, True), words


def test_a_restore_says_of_whom_rankings_show_something_else_again(run: Runner, tmp_path: Path) -> None:
    """Ana and Carmen asked after the backup, Beñat before it; Diego has come since."""
    db = str(tmp_path / "wishes.db")
    assert run("player", "add", "Ana", "Beñat", "Carmen", "--db", db).code == 0
    assert run("player", "publish", "Beñat", "--not", "--db", db).code == 0
    backup = run("db", "backup", "--json", "--db", db).json["path"]
    assert run("player", "add", "Diego", "--db", db).code == 0
    for wish in (["Ana", "--not"], ["Carmen", "--as", "Zorro"], ["Diego", "--not"]):
        assert run("player", "publish", *wish, "--db", db).code == 0
    words = "What rankings show of Ana, Carmen is as it was then: set it again with `tourney player publish`."
    for more in (["--dry-run"], []):
        assert words in run("db", "restore", backup, *more, "--db", db).out.replace("\n", " ")
    assert "What rankings show" not in run("db", "restore", backup, "--db", db).out
