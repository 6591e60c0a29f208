"""Tests of drawn seeds: 128 fresh bits for each league and each event of bots, the hash before and the seed after."""

import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.bots.own_bots import PASSES, write_bot
from tests.harness.commands import Ran, Runner
from tourney import storage
from tourney.domain.errors import ExitCode
from tourney.domain.events import Event
from tourney.domain.leagues import League
from tourney.service import bots, database
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.leagues import leagues
from tourney.service.rounds import bot_tables

LEAGUE = ("league", "run", "--bots", "greedy,random", "--blocks", "1", "--seats", "2", "--json")
SHA256 = re.compile(r"SHA-256 of the seed from which all deals (?:of bots from outside )?follow:\s([0-9a-f]{64})\s")
SEED = re.compile("[0-9a-f]{32}")


@pytest.fixture
def folder(folder: Path) -> Path:
    """An author's folder with a class, from which commands are given."""
    write_bot(folder, source=PASSES)
    return folder


def begun(run: Runner, db: str, *words: str, name: str = "Bots", bots: str = "mine.py:Mine:2,random:2") -> Ran:
    """Create an event, enter bots, draw a round; return what entering showed."""
    made = run("event", "new", name, "--rounds", "1", *words, "--db", db)
    assert made.code == 0, made.err
    entered = run("event", "enter", name, "--bots", bots, "--db", db)
    assert run("round", "draw", name, "--db", db).code == 0
    return entered


def records(db: str) -> list[str]:
    return [text for (text,) in desk.query(db, "SELECT text FROM record")]


def published(text: str) -> str:
    """Return the hash of a seed in the text."""
    found = SHA256.search(text)
    assert found is not None, text
    return found[1]


def test_two_leagues_draw_fresh_seeds_and_publish_their_hashes_first(folder: Path, run: Runner) -> None:
    """The hash shown before is the SHA-256 of the 128 bits shown after."""
    seeds = []
    for _league in range(2):
        played = run(*LEAGUE, "--db", "club.db")
        seeds.append(played.json["seed"])
        digest = sha256(seeds[-1].encode()).hexdigest()
        assert SEED.fullmatch(seeds[-1])
        assert published(played.err) == played.json["seed_sha256"] == digest
    assert seeds[0] != seeds[1]


def test_the_hash_of_a_league_is_shown_before_its_first_deal(tmp_path: Path) -> None:
    """Nothing is in the database then, and nothing at all is shown where the seed was given."""
    db, before = str(tmp_path / "club.db"), []
    league = League(("greedy", "random"), "oficial", 2, "", 1)
    ended = leagues.run(db, league, tell=lambda line: before.append((line, Path(db).exists())))
    assert [(published(f"{line}\n"), there) for line, there in before] == [
        (sha256(ended.league.seed.encode()).hexdigest(), False)
    ]
    leagues.run(db, League(("greedy", "random"), "oficial", 2, "1", 1), tell=lambda line: before.append((line, True)))
    assert len(before) == 1


def test_a_seed_is_a_drawn_one_only_in_the_league_for_which_it_was_drawn(folder: Path, run: Runner) -> None:
    """A seed of the same form that somebody gave, or that came with a file, is known: no bot behind a wall joins."""
    league = League(("greedy", "random"), "oficial", 2, "", 1, isolation="sandbox")
    for seed, known in (("", False), ("0123456789abcdef" * 2, True)):
        begun = leagues.checked(replace(league, seed=seed))
        begun = begun.with_given_seed() if seed else begun
        apply("club.db", leagues.StartLeague(begun))
        with desk.refused(ExitCode.REFUSED, "the deals of the league are known") if known else nullcontext():
            leagues.preview_join("club.db", leagues.Joining(["mine.py:Mine"]))
    export = run("league", "export", "1", "--output", "a.league", "--db", "club.db")
    assert export.code == 0, export.err
    assert run("league", "import", "a.league", "--db", "other.db").code == 0
    with desk.refused(ExitCode.REFUSED, "the deals of the league are known"):
        leagues.preview_join("other.db", leagues.Joining(["mine.py:Mine"]))


def test_a_league_with_a_given_seed_says_so_whatever_its_form(folder: Path, run: Runner) -> None:
    played = run(*LEAGUE, "--seed", "0123456789abcdef" * 2, "--db", "club.db")
    assert (played.code, SHA256.search(played.err)) == (0, None)
    refused = run("league", "join", "--bots", "mine.py:Mine", "--db", "club.db")
    assert "the deals of the league are known" in refused.err


def test_a_database_that_cannot_be_written_is_refused_before_any_hash_is_shown(folder: Path, run: Runner) -> None:
    (folder / "club.db").write_text("a text of somebody's")
    refused = run(*LEAGUE, "--db", "club.db")
    assert (refused.code, refused.out) == (ExitCode.STORAGE, "")
    assert SHA256.search(refused.err) is None


def test_two_events_draw_fresh_seeds_and_publish_their_hashes_first(folder: Path, run: Runner) -> None:
    """The hash is shown when a bot enters and before the first deal; the seed, which makes each deal, at the end."""
    seeds = []
    for db in ("one.db", "two.db"):
        digest = published(begun(run, db).out)
        assert published(run("event", "show", "--db", db).out) == digest
        played = run("round", "play", "--json", "--db", db)
        assert (published(played.err), played.json["deals_sha256"], played.json["deals_seed"]) == (digest, digest, None)
        ended = run("event", "finish", "--json", "--db", db).json
        seeds.append(ended["deals_seed"])
        assert SEED.fullmatch(seeds[-1])
        assert sha256(seeds[-1].encode()).hexdigest() == digest
        deal = sha256(f"{seeds[-1]}/round/1/table/1".encode()).hexdigest()
        (record,) = records(db)
        assert deal in record
        assert seeds[-1] not in record
        assert seeds[-1] in run("event", "show", "--db", db).out
        assert database.check(db).problems == ()
    assert seeds[0] != seeds[1]


def test_the_hash_of_an_event_is_shown_before_its_first_deal(folder: Path, run: Runner) -> None:
    begun(run, "club.db")
    before: list[list[str]] = []
    bot_tables.play("club.db", tell=lambda _line: before.append(records("club.db")))
    assert before == [[]]
    assert len(records("club.db")) == 1


def given_with_the_name(run: Runner, db: str) -> str:
    return begun(run, db, "--seed", "Bots").out


def given_as_the_default(run: Runner, db: str) -> str:
    return begun(run, db, "--seed", "1").out


def given_later(run: Runner, db: str) -> str:
    run("event", "new", "Bots", "--rounds", "1", "--db", db)
    assert run("event", "set", "Bots", "--seed", "1", "--db", db).code == 0
    entered = run("event", "enter", "Bots", "--bots", "mine.py:Mine:2,random:2", "--db", db)
    run("round", "draw", "Bots", "--db", db)
    return entered.out


def given_to_a_copy(run: Runner, db: str) -> str:
    run("event", "new", "Before", "--rounds", "1", "--db", db)
    return begun(run, db, "--from", "Before", "--seed", "1").out


def given_in_a_plan(run: Runner, db: str) -> str:
    Path("plan.toml").write_text('seed = "1"\n[[stages]]\nname = "All"\nrounds = 1\n', encoding="utf-8")
    run("event", "new", "Bots", "--plan", "plan.toml", "--db", db)
    entered = run("event", "enter", "Bots", "--bots", "mine.py:Mine:2,random:2", "--db", db)
    run("round", "draw", "Bots", "--db", db)
    return entered.out


GIVEN: dict[str, Callable[[Runner, str], str]] = {
    "the default": given_as_the_default,
    "the event's name": given_with_the_name,
    "later": given_later,
    "to a copy": given_to_a_copy,
    "in a plan": given_in_a_plan,
}


@pytest.mark.parametrize("way", GIVEN)
def test_a_seed_that_somebody_gives_is_the_seed_of_the_deals(way: str, folder: Path, run: Runner) -> None:
    """Also where it is the one that an event without a seed is drawn by: the same seed gives the same games."""
    games = []
    for db in ("one.db", "two.db"):
        assert SHA256.search(GIVEN[way](run, db)) is None
        played = run("round", "play", "Bots", "--db", db)
        assert (played.code, SHA256.search(played.err)) == (0, None), played.err
        games.append(records(db))
    assert games[0] == games[1] != []


def test_an_event_from_before_draws_its_seed_at_the_first_table(
    folder: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Versions before this one drew none when a bot entered. A dry run draws none that is kept."""
    with monkeypatch.context() as before:
        before.setattr(events, "with_deals", lambda _store, event, _outside: event)
        assert SHA256.search(begun(run, "club.db").out) is None
    tried = published(run("round", "play", "--dry-run", "--db", "club.db").err)
    assert SHA256.search(run("event", "show", "--db", "club.db").out) is None
    digest = published(run("round", "play", "--db", "club.db").err)
    assert digest == published(run("event", "show", "--db", "club.db").out) != tried
    assert digest == published(run("log", "--db", "club.db").out)


def test_an_event_file_carries_the_seed_and_says_so(folder: Path, run: Runner) -> None:
    """Imported elsewhere, the event deals other cards, since its seed is known; once it has ended nobody is warned."""
    begun(run, "club.db")
    exported = run("event", "export", "Bots", "--output", "bots.event", "--db", "club.db")
    assert "gives away all cards" in exported.err
    assert run("event", "import", "bots.event", "--db", "other.db").code == 0
    for db in ("club.db", "other.db"):
        assert run("round", "play", "Bots", "--db", db).code == 0
    assert [] != records("club.db") != records("other.db")
    assert run("event", "finish", "Bots", "--db", "club.db").code == 0
    assert run("event", "export", "Bots", "--output", "ended.event", "--db", "club.db").err == ""


def restored(run: Runner) -> None:
    assert run("db", "backup", "b.db", "--db", "club.db").code == 0
    assert run("round", "play", "--db", "club.db").code == 0
    assert run("db", "restore", "b.db", "--db", "club.db").code == 0


def made_of_a_mirror(run: Runner) -> None:
    Path("stick").mkdir()
    assert run("db", "mirror", "add", "stick", "--db", "club.db").code == 0
    for file in Path().glob("club.db*"):
        file.unlink()
    assert run("db", "restore", "--mirror", "stick", "--db", "club.db").code == 0


def finished_and_reopened(run: Runner) -> None:
    assert run("event", "finish", "--anyway", "--db", "club.db").code == 0
    assert run("event", "reopen", "--reason", "again", "--db", "club.db").code == 0


def finished_by_another_user(run: Runner) -> None:
    """Drawn seeds are in the folder of the user, and those that an event has shown in its journal."""
    with pytest.MonkeyPatch.context() as other:
        other.setenv("XDG_DATA_HOME", str(Path("other").absolute()))
        other.setattr(bots, "_named_now", set())
        finished_and_reopened(run)


def finished_and_undone(run: Runner) -> None:
    assert run("event", "finish", "--anyway", "--db", "club.db").code == 0
    assert run("undo", "--db", "club.db").code == 0


def brought_in_again(run: Runner) -> None:
    assert run("event", "export", "--output", "a.event", "--db", "club.db").code == 0
    assert run("event", "import", "a.event", "--db", "other.db").code == 0
    assert run("event", "set", "--organiser", "Cup", "--db", "other.db").code == 0
    assert run("event", "export", "--output", "b.event", "--db", "other.db").code == 0
    assert run("event", "import", "b.event", "--db", "club.db").code == 0


WAYS_TO_KNOW: dict[str, Callable[[Runner], None]] = {
    "a backup restored": restored,
    "a mirror restored": made_of_a_mirror,
    "an event finished and reopened": finished_and_reopened,
    "an event finished and reopened by another user": finished_by_another_user,
    "an event finished and undone": finished_and_undone,
    "an own event that was elsewhere": brought_in_again,
}


@pytest.mark.parametrize("way", WAYS_TO_KNOW)
def test_deals_whose_seed_or_cards_were_shown_get_a_new_seed(way: str, folder: Path, run: Runner) -> None:
    """A backup may lack what a record has shown since, a file has the seed, and the end of an event shows it."""
    digest = published(begun(run, "club.db").out)
    WAYS_TO_KNOW[way](run)
    played = run("round", "play", "--db", "club.db")
    assert published(played.err) != digest
    seeds = [re.search(r"^seed = .*$", text, re.MULTILINE) for text in records("club.db")]
    assert len({found[0] for found in seeds if found}) == len(seeds) == 1
    assert published(run("event", "show", "--db", "club.db").out) == published(played.err)


def test_a_backup_that_lacks_nothing_leaves_the_seed(folder: Path, run: Runner) -> None:
    digest = published(begun(run, "club.db").out)
    assert run("db", "backup", "b.db", "--db", "club.db").code == 0
    for words in (("--dry-run",), ()):
        assert run("db", "restore", "b.db", *words, "--db", "club.db").code == 0
    assert published(run("round", "play", "--db", "club.db").err) == digest


WAYS_TO_FORGET: dict[str, tuple[str, ...]] = {
    "a backup restored": ("db", "restore", "b.db"),
    "an own event that was elsewhere": ("event", "import", "b.event"),
}


@pytest.mark.parametrize("way", WAYS_TO_FORGET)
def test_nothing_is_restored_while_the_list_of_drawn_seeds_cannot_be_changed(
    way: str, folder: Path, run: Runner
) -> None:
    """A second name of the list, as snapshots make them, kept a seed that was shown: the same cards came again."""
    digest = published(begun(run, "club.db").out)
    assert run("db", "backup", "b.db", "--db", "club.db").code == 0
    if way == "a backup restored":
        assert run("event", "finish", "--anyway", "--db", "club.db").code == 0
    else:
        assert run("event", "export", "--output", "a.event", "--db", "club.db").code == 0
        assert run("event", "import", "a.event", "--db", "other.db").code == 0
        assert run("event", "set", "--organiser", "Cup", "--db", "other.db").code == 0
        assert run("event", "export", "--output", "b.event", "--db", "other.db").code == 0
    before = Path("club.db").read_bytes()
    snapshot = Path("snapshot")
    snapshot.hardlink_to(storage.trusted_bots_file())
    refused = run(*WAYS_TO_FORGET[way], "--db", "club.db")
    assert (refused.code, "trusted-bots: the file cannot be written" in refused.err) == (ExitCode.STORAGE, True)
    assert Path("club.db").read_bytes() == before
    snapshot.unlink()
    assert run(*WAYS_TO_FORGET[way], "--db", "club.db").code == 0
    assert published(run("round", "play", "--db", "club.db").err) != digest


@pytest.mark.parametrize("way", ["restored", "imported"])
def test_no_bot_behind_a_wall_joins_a_league_that_was_elsewhere(way: str, folder: Path, run: Runner) -> None:
    """The end of the league may have shown the seed before, and the file of the league has the seed."""
    played = run(*LEAGUE, "--isolation", "sandbox", "--db", "club.db")
    assert played.code == 0, played.err
    assert run("db", "backup", "b.db", "--db", "club.db").code == 0
    if way == "restored":
        assert run("player", "add", "Ana", "--db", "club.db").code == 0
        assert run("db", "restore", "b.db", "--db", "club.db").code == 0
    else:
        assert run("league", "export", "--output", "a.league", "--db", "club.db").code == 0
        desk.tamper("club.db", "DELETE FROM league_block", "DELETE FROM league_record", "DELETE FROM league_seal")
        assert run("league", "import", "a.league", "--db", "club.db").code == 0
    desk.tamper("club.db", "DELETE FROM league_block", "DELETE FROM league_record", "DELETE FROM league_seal")
    with desk.refused(ExitCode.REFUSED, "the deals of the league are known"):
        leagues.preview_join("club.db", leagues.Joining(["mine.py:Mine"]))


def joined_by_a_built_in_bot() -> None:
    leagues.run("club.db", JOINABLE)
    apply("club.db", leagues.JoinLeague(leagues.roster_of(["planner"])))


def ended_and_joined_by_another_user() -> None:
    begun = checked_with_drawn_seed()
    with pytest.MonkeyPatch.context() as other:
        other.setenv("XDG_DATA_HOME", str(Path("other").absolute()))
        other.setattr(bots, "_named_now", set())
        leagues.resume("club.db", begun)
        apply("club.db", leagues.JoinLeague(leagues.roster_of(["planner"])))


def of_a_book() -> None:
    apply("club.db", leagues.StartLeague(leagues.checked(replace(JOINABLE, book=("book0", "book1")))))


def checked_with_drawn_seed() -> int:
    return apply("club.db", leagues.StartLeague(leagues.checked(JOINABLE)))


def put_back_as_it_was() -> None:
    checked_with_drawn_seed()
    before = Path("club.db").read_bytes()
    leagues.resume("club.db")
    Path("club.db").write_bytes(before)


JOINABLE = League(("greedy", "random"), "oficial", 2, "", 1, isolation="sandbox")


@pytest.mark.parametrize(
    "opened", [joined_by_a_built_in_bot, ended_and_joined_by_another_user, put_back_as_it_was, of_a_book]
)
def test_no_bot_behind_a_wall_joins_a_league_whose_deals_are_known(opened: Callable[[], None], folder: Path) -> None:
    """The end showed the seed, and the league is open again; a book is known to its author."""
    opened()
    assert leagues.status("club.db").verdict == "open"
    for join in (leagues.preview_join, leagues.join):
        with desk.refused(ExitCode.REFUSED, "the deals of the league are known"):
            join("club.db", leagues.Joining(["mine.py:Mine"]))


def test_a_seed_was_not_drawn_by_another_database_at_the_same_path(folder: Path, run: Runner) -> None:
    """Next season's database begins at event 1 again, and a stranger's event may bring a seed of the last one."""
    before = published(begun(run, "club.db", name="One").out)
    (seed,) = [event.settings.deals for event in all_events("club.db")]
    Path("club.db").rename("archived.db")
    begun(run, "club.db", name="Two")
    with storage.writing("club.db") as store:
        (event,) = store.events.all()
        store.events.change(event, replace(event.settings, deals=seed))
    played = run("round", "play", "Two", "--db", "club.db")
    assert published(played.err) != before == sha256(seed.encode()).hexdigest()


def all_events(db: str) -> Sequence[Event]:
    """Return the events of a database."""
    with storage.reading(db) as reader:
        return reader.events.all()


def test_a_copied_event_draws_a_seed_of_its_own(folder: Path, run: Runner) -> None:
    first = published(begun(run, "club.db").out)
    assert run("event", "new", "Again", "--from", "Bots", "--db", "club.db").code == 0
    assert published(run("event", "show", "Again", "--db", "club.db").out) != first


def test_seeds_are_drawn_by_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bit is the operating system's: 16 bytes of it, as hexadecimal digits."""
    asked: list[int] = []

    def some(count: int) -> bytes:
        asked.append(count)
        return bytes(range(count))

    monkeypatch.setattr("secrets.token_bytes", some)
    assert (bots.drawn_seed(), asked) == (bytes(range(16)).hex(), [16])


@pytest.mark.parametrize("how", ["event file", "database"])
def test_the_deals_of_an_event_from_elsewhere_are_drawn_again(
    folder: Path, run: Runner, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The maker of a file knows the seed that came with it, and could write a bot that knows all cards."""
    before = published(begun(run, "club.db").out)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data of another user"))
    monkeypatch.setattr(bots, "_named_now", set())
    if how == "event file":
        assert run("event", "export", "Bots", "--output", "bots.event", "--db", "club.db").code == 0
        assert run("event", "import", "bots.event", "--db", "other.db").code == 0
    db = "other.db" if how == "event file" else "club.db"
    played = run("round", "play", "--trust-bots", "--db", db)
    assert played.code == 0, played.err
    assert published(played.err) != before
    shown = published(run("event", "show", "--db", db).out)
    assert shown == published(played.err)
    assert published(run("round", "play", "--db", db).err or played.err) == shown
    deal = sha256(f"{run('event', 'finish', '--json', '--db', db).json['deals_seed']}/round/1/table/1".encode())
    assert deal.hexdigest() in records(db)[0]


def test_a_seed_that_an_event_has_shown_is_no_secret_of_another_one(folder: Path, run: Runner) -> None:
    """A stranger's event may take the seed that was published at the end of an event of this user."""
    begun(run, "club.db", name="One")
    assert run("round", "play", "One", "--db", "club.db").code == 0
    shown = run("event", "finish", "One", "--json", "--db", "club.db").json["deals_seed"]
    before = published(begun(run, "club.db", name="Two").out)
    with storage.writing("club.db") as store:
        event = next(each for each in store.events.all() if each.settings.name == "Two")
        store.events.change(event, replace(event.settings, deals=shown))
    played = run("round", "play", "Two", "--db", "club.db")
    assert played.code == 0, played.err
    assert published(played.err) not in (before, sha256(shown.encode()).hexdigest())


def test_a_league_of_a_database_from_elsewhere_has_a_known_seed(
    folder: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = League(("greedy", "random"), "oficial", 2, "", 1, isolation="sandbox")
    apply("club.db", leagues.StartLeague(leagues.checked(league)))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data of another user"))
    monkeypatch.setattr(bots, "_named_now", set())
    with desk.refused(ExitCode.REFUSED, "the deals of the league are known"):
        leagues.preview_join("club.db", leagues.Joining(["mine.py:Mine"]))
