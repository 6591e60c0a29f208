"""Tests of what rankings show of a person: their name, another one, or nothing, in ratings, editions and pages."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports import people as people_report
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events.pasted_names import EnrolPlayers
from tourney.service.impact import preview
from tourney.service.players import MergePlayers, PublishPlayer, RegisterPlayers


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


def test_a_desk_enrols_nobody_under_a_name_of_rankings_before_its_holder_is_shown_by_name(
    run: Runner, tmp_path: Path
) -> None:
    """The person of that name in rankings may also be called so, and a merger takes the name along."""
    db = str(tmp_path / "club.db")
    desk.event(db, 4)
    apply(db, PublishPlayer("Ana", "other name", "Zorro"))
    with pytest.raises(TourneyError, match="rankings show Ana as Zorro"):
        apply(db, EnrolPlayers("Friday", (), ["Zorro"]))
    assert run("player", "rename", "Ana", "--name", "Zorro", "--db", db).code == 0
    run("player", "rename", "Zorro", "--name", "Ana", "--db", db)
    apply(db, RegisterPlayers(["Ana María"]))
    apply(db, MergePlayers("Ana María", "Ana"))
    with pytest.raises(TourneyError, match="rankings show Ana María as Zorro"):
        apply(db, EnrolPlayers("Friday", (), ["Zorro"]))
    apply(db, PublishPlayer("Ana María", "name"))
    apply(db, EnrolPlayers("Friday", (), ["Zorro"]))
    with pytest.raises(TourneyError, match="another player is called Zorro"):
        apply(db, PublishPlayer("Ana María", "other name", "Zorro"))


BY_NAME, HIDDEN, ZORRO, FOX = "--by-name", "--not", "--as=Zorro", "--as=Fox"
MERGERS = {
    "hidden and merged away": ((), (HIDDEN,), None),
    "hidden and kept": ((HIDDEN,), (), None),
    "another name, merged away": ((), (ZORRO,), "Zorro"),
    "another name, kept": ((ZORRO,), (), "Zorro"),
    "hidden is stricter": ((ZORRO,), (HIDDEN,), None),
    "also where it is kept": ((HIDDEN,), (ZORRO,), None),
    "of two names the name of the kept registration": ((FOX,), (ZORRO,), "Fox"),
    "by name again before": ((), (HIDDEN, BY_NAME), "Ana"),
    "nothing said": ((), (), "Ana"),
}


@pytest.mark.parametrize(("keep", "gone", "expected"), MERGERS.values(), ids=MERGERS)
def test_a_merger_keeps_the_stricter_wish_and_says_so(
    run: Runner, tmp_path: Path, keep: tuple[str, ...], gone: tuple[str, ...], expected: str | None
) -> None:
    """The attack: Ana María was not to be shown, was merged into Ana, and rankings showed all her games by name."""
    db = str(tmp_path / "club.db")
    run("player", "add", "Ana", "Ana María", "Beñat", "--db", db)
    for name, wishes in (("Ana", keep), ("Ana María", gone)):
        for wish in wishes:
            assert run("player", "publish", name, wish, "--db", db).code == 0
    for more in (("--dry-run",), ()):
        merged = run("player", "merge", "Ana", "Ana María", "--db", db, *more)
        assert ("one of the two registrations asked for that" in merged.out) is (expected != "Ana")
    assert run("player", "show", "Ana", "--db", db, "--json").json["published"] == expected
    if expected not in (None, "Ana"):
        assert run("player", "add", expected, "--db", db).code == ExitCode.CONFLICT
    run("player", "publish", "Ana", BY_NAME, "--db", db)
    assert run("player", "show", "Ana", "--db", db, "--json").json["published"] == "Ana"
    assert database.check(db).problems == ()


def test_a_merger_that_is_undone_gives_everybody_their_own_wish_back(run: Runner, tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    run("player", "add", "Ana", "Ana María", "--db", db)
    run("player", "publish", "Ana María", HIDDEN, "--db", db)
    run("player", "merge", "Ana", "Ana María", "--db", db)
    run("undo", "--db", db)
    found = [run("player", "show", name, "--db", db, "--json").json["published"] for name in ("Ana", "Ana María")]
    assert found == ["Ana", None]


def test_an_earlier_edition_shows_a_merged_player_as_the_merged_one_wishes(run: Runner, db: str) -> None:
    first = run("ratings", "--db", db, "--json").json[0]["player"]
    run("player", "add", "Nadia", "--db", db)
    run("player", "merge", "Nadia", first, "--db", db)
    run("player", "publish", "Nadia", "--not", "--db", db)
    assert first not in run("rating", "edition", "1", "--db", db).out


def test_the_desk_says_in_its_preview_what_rankings_show_after_a_merger(db: str) -> None:
    apply(db, RegisterPlayers(["Ana María"]))
    apply(db, PublishPlayer("Ana", "nothing"))
    change = MergePlayers("Ana María", "Ana")
    assert people_report.merged(preview(db, change).outcome).notes == (
        "Rankings do not show Ana María: one of the two registrations asked for that.",
    )


ROADS = {
    "by name, then the name is given": (
        (("publish", "Ana", ZORRO), ("publish", "Ana", BY_NAME), ("add", "Zorro")),
        3,
    ),
    "by name, then the name is another's in rankings": (
        (("publish", "Ana", ZORRO), ("publish", "Ana", BY_NAME), ("publish", "Carmen", ZORRO)),
        3,
    ),
    "renamed away": (
        (("rename", "Beñat", "--name", "Zorro"), ("rename", "Zorro", "--name", "Beñat"), ("publish", "Ana", ZORRO)),
        3,
    ),
    "merged away": (
        (("rename", "Beñat", "--name", "Zorro"), ("merge", "Carmen", "Zorro"), ("publish", "Ana", ZORRO)),
        3,
    ),
    "another name that a merger has left behind": (
        (
            *(("publish", "Ana", FOX), ("publish", "Beñat", ZORRO), ("merge", "Ana", "Beñat")),
            ("add", "Zorro"),
        ),
        2,
    ),
}


@pytest.mark.parametrize(("changes", "undone"), ROADS.values(), ids=ROADS)
def test_no_undo_gives_two_people_one_name_in_rankings(
    run: Runner, tmp_path: Path, changes: tuple[tuple[str, ...], ...], undone: int
) -> None:
    """The attack: a change freed a name, somebody else took it, and the change was undone by its number."""
    db = str(tmp_path / "club.db")
    run("player", "add", "Ana", "Beñat", "Carmen", "--db", db)
    for words in changes:
        assert run("player", *words, "--db", db).code == 0, words
    before = run("log", "--db", db, "--json").out
    refused = run("undo", str(undone), "--db", db)
    assert refused.code in (ExitCode.CONFLICT, ExitCode.REFUSED), refused.out
    assert "Zorro" in refused.err
    assert run("log", "--db", db, "--json").out == before


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


@pytest.mark.parametrize("format", ["snake", "rated swiss", "informative"])
def test_a_draw_by_ratings_is_the_same_whatever_rankings_show(run: Runner, db: str, format: str) -> None:
    """Everybody who has played is rated: one under another name, one not at all."""
    first, second = (row["player"] for row in run("ratings", "--db", db, "--json").json[:2])
    drawn = []
    for event, wishes in (("Before", ()), ("After", ((first, "--as", "Zorro"), (second, "--not")))):
        for wish in wishes:
            assert run("player", "publish", *wish, "--db", db).code == 0
        assert run("event", "new", event, "--format", format, "--seed", "9", "--db", db).code == 0
        assert run("event", "enter", event, "--all", "--db", db).code == 0
        ran = run("round", "draw", event, "--json", "--db", db)
        assert ran.code == 0, ran.err
        drawn.append(ran.json)
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("name", ["–", "—", "-", "−", "– –", "﹣"])
def test_nobody_is_called_as_the_sign_of_a_hidden_person(run: Runner, db: str, name: str) -> None:
    first = run("ratings", "--db", db, "--json").json[0]["player"]
    for words in (("add", "--", name), ("rename", first, "--name", name), ("publish", first, "--as", name)):
        refused = run("player", *words[:1], "--db", db, *words[1:])
        assert refused.code == ExitCode.REFUSED, (words, refused.out)
        assert "kept for people hidden in rankings" in " ".join(refused.err.split())
