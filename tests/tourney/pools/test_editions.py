"""Editions of ratings: published by whole commands, compared with the package trueskill, and never changed."""

import csv
import io
import json
import random
import shlex
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from tests.harness import desk
from tests.harness.commands import Runner, done, refusal
from tests.oracles import second_fold
from tourney.domain.errors import TourneyError
from tourney.domain.events import EventSettings
from tourney.service import database, players
from tourney.service.change import Change, apply
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.events.settings import ChangeSettings
from tourney.service.players import MergePlayers, RegisterPlayers
from tourney.service.ratings.editions import PublishEdition, list_editions
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound

DATES = {"May": "2026-05-01", "June": "2026-06-01", "July": "2026-07-01"}
CLOSERS = ((0, 1, 2, 3, 0, 1, 2), (3, 3, 2, 1, 3, 3, 0))


def make_db(db: str) -> None:
    """Play an evening in May and one in June: eight people at two tables, two rounds; July is not drawn."""
    apply(db, RegisterPlayers(desk.NAMES))
    for name, day in DATES.items():
        apply(db, CreateEvent(EventSettings(name, "oficial", date=day, rounds=2, seed=name)))
        apply(db, EnterPlayers(name, desk.NAMES))
    for name in ("May", "June"):
        for _round in range(2):
            apply(db, DrawRound(name))
            _play(db, name)


def _play(db: str, event: str) -> None:
    """Enter the sheets of the newest round."""
    newest = rounds.show(db, event).rounds[-1]
    for table, closers in zip(newest.tables, CLOSERS, strict=True):
        names = [player.name for player in table.players]
        apply(db, EnterResult(event, table.round, table.number, desk.hands(names, closers)))


def _publish(run: Runner, as_of: str, *more: str) -> dict[str, Any]:
    return done(run("rating", "publish", "--as-of", as_of, *more, "--json")).json


def _edition(run: Runner, number: int, *more: str) -> dict[str, Any]:
    return done(run("rating", "edition", str(number), *more, "--json")).json


def _head(run: Runner) -> int:
    """Return the number of the last entry."""
    return done(run("log", "--json")).json[-1]["number"]


def _is_oracle(db: str, players: list[dict[str, Any]], as_of: str) -> bool:
    """Compare rows of JSON with the package trueskill, rated as of that day from the journal alone, to 1e-9."""
    rated = second_fold.fold(db).ratings("people", as_of)
    scores = {desk.NAMES[player - 1]: mu - 3 * sigma for player, (mu, sigma, _games, _wins) in rated.items()}
    assert {row["player"] for row in players} == scores.keys()
    for row in players:
        mu, sigma, games, _wins = rated[desk.NAMES.index(row["player"]) + 1]
        assert row["mu"] == pytest.approx(mu, abs=1e-9)
        assert row["sigma"] == pytest.approx(sigma, abs=1e-9)
        assert row["games"] == games
        assert row["rank"] == 1 + sum(score > scores[row["player"]] + 1e-9 for score in scores.values())
    return True


# --- what is published ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("as_of", "games"), [("31/5/2026", 4), ("2026-05-01", 4), ("1/6/2026", 8)])
def test_an_edition_has_the_ratings_as_of_its_day(db: str, run: Runner, as_of: str, games: int) -> None:
    """Two rounds of two tables an evening; mu and sigma are those of the package trueskill to 1e-9."""
    made = _publish(run, as_of)
    assert (made["edition"], made["games"], made["previous"], made["left"]) == (1, games, None, [])
    assert _is_oracle(db, made["players"], made["as_of"])
    listed = done(run("ratings", "--as-of", as_of, "--json")).json
    fields = ("rank", "player", "mu", "sigma", "games", "rank_low", "rank_high")
    assert [[row[name] for name in fields] for row in listed] == [
        [row[name] for name in fields] for row in made["players"]
    ]
    assert _edition(run, 1) == made
    assert "data consistent" in done(run("db", "check")).out


def test_the_entry_of_an_edition_has_numbers_of_players_and_no_floats(db: str, run: Runner) -> None:
    """The second fold reads the entry without our code: its text of mu is what trueskill gives."""
    _publish(run, "2026-05-31", "--top", "3")
    (published,) = second_fold.fold(db).editions
    assert [row["rank"] for row in published["rows"]] == [1, 2, 3]
    rated = second_fold.fold(db).ratings("people", "2026-05-31")
    for row in published["rows"]:
        assert float(row["mu"]) == pytest.approx(rated[row["player"]][0], abs=1e-9)
    text = json.dumps(published, ensure_ascii=False)
    assert not any(name in text for name in desk.NAMES)
    json.loads(text, parse_float=lambda number: pytest.fail(f"a float: {number}"))


def test_an_edition_says_who_moved_since_the_one_before(db: str, run: Runner) -> None:
    """The moves are the differences of the ranks of the two editions; who is not in the first is new, or has left."""
    first, second = _publish(run, "2026-05-31", "--top", "5"), _publish(run, "2026-06-30", "--top", "6")
    before = {row["player"]: row["rank"] for row in first["players"]}
    now = {row["player"]: row["rank"] for row in second["players"]}
    page = done(run("rating", "edition")).out
    moves = set()
    for row in second["players"]:
        rank = before.get(row["player"])
        gained = None if rank is None else rank - row["rank"]
        assert row["before"] == rank
        moves.add(row["moved"])
        assert row["moved"] == ("new" if gained is None else "same" if gained == 0 else "up" if gained > 0 else "down")
        sign = {"new": "new", "same": "=", "up": f"↑{gained}", "down": f"↓{abs(gained or 0)}"}[row["moved"]]
        line = next(line for line in page.splitlines() if row["player"] in line)
        assert line.split()[:3] == [str(row["rank"]), sign, row["player"]]
    assert len(moves) >= 3
    gone = [{"player": name, "rank": rank} for name, rank in before.items() if name not in now]
    assert second["left"] == gone
    assert all(f"{each['player']}, who was {each['rank']}." in page for each in gone)


def test_editions_are_listed_and_shown_in_every_form(db: str, run: Runner) -> None:
    first, _second = _publish(run, "2026-05-31"), _publish(run, "2026-06-30")
    assert [line.split()[0] for line in done(run("rating", "editions")).out.splitlines()[3:5]] == ["1", "2"]
    listed = done(run("rating", "editions", "--json")).json
    assert [(each["edition"], each["as_of"], each["games"]) for each in listed] == [
        (1, "2026-05-31", 4),
        (2, "2026-06-30", 8),
    ]
    rows = list(csv.DictReader(io.StringIO(done(run("rating", "edition", "1", "--format", "csv")).out)))
    assert [(row["player"], float(row["mu"])) for row in rows] == [
        (row["player"], row["mu"]) for row in first["players"]
    ]
    assert "| Rank |" in done(run("rating", "edition", "--format", "markdown")).out
    message = done(run("rating", "edition", "--format", "message")).out
    assert max(map(cell_len, message.splitlines())) <= 32
    assert all(name in message for name in desk.NAMES)
    assert message.rstrip().endswith(_edition(run, 2)["code"])
    assert "edition 2 of the pool people published, as of 2026-06-30: 8 players" in done(run("log", "--wide")).out


# --- what is corrected ----------------------------------------------------------------------------------

CAUSES = {
    "a corrected sheet": "result correct May --round 1 --table 1 --reason 'a slip' SHEET",
    "a void result": "result void May --round 2 --table 2 --reason 'five players'",
    "an evening moved to another month": "event set May --date 2026-06-15",
}


def _given(db: str, command: str) -> list[str]:
    """Return the words of a command; SHEET is one on which the last seat wins and the first comes last."""
    names = [player.name for player in rounds.show(db, "May").rounds[0].tables[0].players]
    hands = [" ".join(f"{name}={30 - 10 * seat}" for seat, name in enumerate(names)) for _contract in desk.CONTRACTS]
    sheet = [f"--hand={contract} {hand}" for contract, hand in zip(desk.CONTRACTS, hands, strict=True)]
    return [word for given in shlex.split(command) for word in (sheet if given == "SHEET" else [given])]


@pytest.mark.parametrize("cause", CAUSES)
def test_the_next_edition_lists_what_a_correction_changes_in_the_ones_before(db: str, run: Runner, cause: str) -> None:
    """The package trueskill rates edition 1 as it would be now; editions already published stay as they are."""
    first, second = _publish(run, "2026-05-01"), _publish(run, "2026-06-10")
    done(run(*_given(db, CAUSES[cause])))
    changed = _head(run)
    third = _publish(run, "2026-06-30")
    assert [each["edition"] for each in third["corrections"]] == [1, 2]
    for was, correction in zip((first, second), third["corrections"], strict=True):
        assert correction["changes"] == [changed]
        rows = {row["player"]: row for row in was["players"]}
        for row in correction["players"]:
            old = rows.pop(row["player"])
            assert row["before"] == {name: old[name] for name in row["before"]}
            if row["after"] is not None:
                rows[row["player"]] = {"player": row["player"], **row["after"]}
        assert _is_oracle(db, list(rows.values()), was["as_of"])
    assert _edition(run, 1) == {**first, "corrected_in": [3]}
    assert _edition(run, 2) == {**second, "corrected_in": [3]}
    assert _publish(run, "2026-07-02")["corrections"] == []
    page = done(run("rating", "edition", "3")).out
    assert "Edition 1 would now be different" in page
    assert f"By change {changed}, which `tourney log` shows." in page
    assert "Edition 3 corrects this one: see `tourney rating edition 3`." in done(run("rating", "edition", "1")).out
    assert "data consistent" in done(run("db", "check")).out


def test_substitutes_and_a_deleted_event_are_among_the_changes_of_a_correction(db: str, run: Runner) -> None:
    """A setting that moves games to substitutes is not taken back alone once an edition counts them."""
    apply(db, RegisterPlayers(["Newcomer"]))
    absent = rounds.show(db, "May").rounds[0].tables[0].players[0].name
    changes = []
    for number, command in enumerate(
        (
            "event set May --substitutes substitute",
            f"round substitute May '{absent}' Newcomer --round 1",
            "event set May --substitutes absent",
            "event delete May",
        )
    ):
        _publish(run, f"2026-07-0{number + 1}")
        done(run(*shlex.split(command)))
        changes.append(_head(run))
    _publish(run, "2026-07-09")
    corrections = [_edition(run, number)["corrections"] for number in (3, 4, 5)]
    assert [[each["changes"] for each in listed][-1] for listed in corrections] == [[change] for change in changes[1:]]
    refused = run("undo", str(changes[0]), "--yes")
    assert refused.code != 0


def test_a_correction_of_a_correction_is_listed_from_the_rows_corrected_before(db: str, run: Runner) -> None:
    """Edition 1 is listed again, from what edition 2 said of it to what it was at first."""
    _publish(run, "2026-05-31")
    done(run("event", "set", "May", "--date", "2026-06-15"))
    refused = run("rating", "publish", "--as-of", "2026-05-31")
    assert "no game of the pool people was played up to 2026-05-31" in refused.err
    (there,) = _publish(run, "2026-06-10")["corrections"]
    done(run("event", "set", "May", "--date", "2026-05-01"))
    back = next(each for each in _publish(run, "2026-06-10")["corrections"] if each["edition"] == 1)
    turned = [{"player": row["player"], "before": row["after"], "after": row["before"]} for row in there["players"]]
    assert sorted(back["players"], key=str) == sorted(turned, key=str)
    assert second_fold.fold(db).wrong_editions() == []


def test_a_result_that_comes_late_corrects_the_editions_after_its_day(db: str, run: Runner) -> None:
    """July's date is moved to April, so that its games come before edition 1, and only after that they are played."""
    first = _publish(run, "2026-05-31")
    done(run("event", "set", "July", "--date", "2026-04-01"))
    before = _head(run) + 1
    apply(db, DrawRound("July"))
    _play(db, "July")
    second = _publish(run, "2026-05-31")
    (correction,) = second["corrections"]
    assert correction["changes"] == [before - 1, before + 1, before + 2]
    assert second["games"] == first["games"] + 2
    assert _is_oracle(db, second["players"], "2026-05-31")


def test_a_merged_person_corrects_the_editions_that_list_both(db: str, run: Runner) -> None:
    """Iker plays once instead of Ana, who was Iker all along: her games and his are those of one person."""
    done(run("player", "add", "Iker"))
    done(run("event", "new", "April", "--rules", "oficial", "--date", "2026-04-01", "--rounds", "1"))
    done(run("event", "enter", "--event", "April", "Iker", "Beñat", "Carmen", "Diego"))
    apply(db, DrawRound("April"))
    names = [player.name for player in rounds.show(db, "April").rounds[0].tables[0].players]
    apply(db, EnterResult("April", 1, 1, desk.hands(names)))
    first = _publish(run, "2026-05-31")
    done(run("player", "merge", "Ana", "Iker"))
    merged = _head(run)
    (correction,) = (second := _publish(run, "2026-05-31"))["corrections"]
    assert correction["changes"] == [merged]
    gone = next(row for row in correction["players"] if row["after"] is None)
    assert gone["player"] == "Iker"
    assert len(second["players"]) == len(first["players"]) - 1
    assert _is_oracle(db, second["players"], "2026-05-31")
    assert {row["player"] for row in _edition(run, 1)["players"]} == {*desk.NAMES, "Iker"}
    ana = next(row for row in second["players"] if row["player"] == "Ana")
    ranks = {row["player"]: row["rank"] for row in first["players"]}
    assert ana["before"] == min(ranks["Ana"], ranks["Iker"])


@pytest.mark.parametrize(
    "commands",
    [
        ("result void May --round 1 --table 1 --reason x", "undo"),
        ("rating pool set people --beta 5",),
        ("result void June --round 1 --table 1 --reason x",),
        ("player rename Ana --name Anne",),
    ],
    ids=["taken back again", "other parameters", "an evening after the edition", "another name"],
)
def test_what_leaves_the_counted_games_as_they_were_corrects_nothing(
    db: str, run: Runner, commands: tuple[str, ...]
) -> None:
    _publish(run, "2026-05-31")
    for command in commands:
        assert run(*shlex.split(command)).code == 0
    assert _publish(run, "2026-06-30")["corrections"] == []


def _random_season(db: str, seed: int, steps: int) -> tuple[int, int]:
    """Correct, void, enter, move and merge at random, and publish in between; return editions and corrections."""
    rng, corrections = random.Random(seed), 0
    apply(db, RegisterPlayers(["Irene"]))
    for _step in range(steps):
        with suppress(TourneyError):
            apply(db, _change(db, rng))
        with suppress(TourneyError):
            shown = apply(db, PublishEdition("people", rng.choice(DAYS)))
            corrections += len(shown.edition.corrections)
            assert second_fold.fold(db).wrong_editions() == []
    return len(list_editions(db)), corrections


DAYS = ("2026-04-30", "2026-05-31", "2026-05-31", "2026-06-30")


def _change(db: str, rng: random.Random) -> Change[Any]:
    """Return a random change of what editions count; it may be refused."""
    event, in_round, table = rng.choice(("May", "June")), rng.randint(1, 2), rng.randint(1, 2)
    seats = rounds.show(db, event, in_round).rounds[0].tables[table - 1].players
    sheet = desk.hands([player.name for player in seats], [rng.randrange(4) for _hand in range(7)])
    keep, gone = rng.sample([player.shown for player in players.listing(db)], 2)
    changes: list[Change[Any]] = [
        CorrectResult(event, in_round, table, sheet, "a slip"),
        EnterResult(event, in_round, table, sheet),
        VoidResult(event, in_round, table, "five players"),
        ChangeSettings(event, {"date": rng.choice(("2026-04-15", "2026-05-01", "2026-06-01"))}),
        MergePlayers(keep, gone),
    ]
    return rng.choice(changes)


def test_editions_with_their_corrections_are_what_would_be_published_now(db: str) -> None:
    editions, corrections = _random_season(db, 3, 6)
    assert min(editions, corrections) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 30))
def test_twenty_random_seasons_with_editions_are_rated_again(db: str, seed: int) -> None:
    editions, corrections = _random_season(db, seed, 30)
    assert min(editions, corrections) >= 2
    assert database.check(db).problems == ()


# --- what is refused ------------------------------------------------------------------------------------

REFUSED = {
    "the same edition": ("--as-of 2026-05-31", 4, "edition 1 of the pool people is the same already"),
    "a day before the last edition": ("--as-of 2026-05-30", 1, "2026-05-30 is before edition 1 of the pool people"),
    "a day to come": ("--as-of 2999-01-01", 1, "2999-01-01 is still to come"),
    "a pool without games": ("--pool bots --as-of 2026-05-31", 1, "no game of the pool bots was played up to"),
    "an unknown pool": ("--pool bot --as-of 2026-05-31", 3, "there is no pool “bot”"),
    "no date": ("--as-of soon", 1, "“soon” is not a date"),
    "an empty date": ("--as-of ''", 1, "the day of the edition is missing"),
    "no day": ("", 2, "--as-of is missing"),
    "no rank": ("--as-of 2026-06-30 --top 0", 2, "--top"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_edition_is_refused_in_one_line_and_nothing_is_written(db: str, run: Runner, case: str) -> None:
    _publish(run, "2026-05-31")
    before = _head(run)
    options, code, words = REFUSED[case]
    ran = run("rating", "publish", *shlex.split(options))
    error, _hint = refusal(ran, code)
    assert words in error
    assert _head(run) == before


def test_an_edition_that_is_not_there_is_refused(db: str, run: Runner) -> None:
    none = run("rating", "edition")
    assert (none.code, "the pool people has no edition yet" in none.err) == (3, True)
    assert "tourney rating publish --as-of" in none.err
    _publish(run, "2026-05-31")
    assert run("rating", "edition", "2").err.splitlines()[0].endswith("the pool people has no edition 2")


# --- undo and erasure -----------------------------------------------------------------------------------


def test_a_result_that_an_edition_counts_is_not_taken_back_alone(db: str, run: Runner) -> None:
    """The edition as of May rests on every result of May, and on none of June."""
    entries = [line for line in done(run("log", "--json")).json if line["kind"] == "result.enter"]
    may, june = (next(line["number"] for line in entries if line["event"] == name) for name in ("May", "June"))
    _publish(run, "2026-05-31")
    edition = _head(run)
    refused = run("undo", str(may))
    assert refused.code == 1
    assert f"{edition} edition 1 of the pool people published" in refused.err
    done(run("undo", str(june)))
    done(run("undo", str(edition)))
    done(run("undo", str(may), "--yes"))
    assert done(run("rating", "editions", "--json")).json == []


@pytest.mark.parametrize(
    "earlier", ["result void May --round 1 --table 1 --reason x", "event set June --date 2026-05-09"]
)
def test_the_second_edition_rests_on_the_first_and_on_what_it_corrects(db: str, run: Runner, earlier: str) -> None:
    _publish(run, "2026-05-31")
    first = _head(run)
    done(run(*shlex.split(earlier)))
    _publish(run, "2026-05-31")
    for number in (first, first + 1):
        refused = run("undo", str(number))
        assert f"{first + 2} edition 2 of the pool people published" in refused.err


def test_the_number_of_an_edition_that_was_taken_back_is_not_given_again(db: str, run: Runner) -> None:
    """An edition that was posted must not be mistaken for another table of the same number."""
    _publish(run, "2026-05-31")
    done(run("undo"))
    assert _publish(run, "2026-06-30")["edition"] == 2
    assert _edition(run, 2)["previous"] is None
    assert "data consistent" in done(run("db", "check")).out


def test_erasing_a_person_reaches_the_editions(db: str, run: Runner) -> None:
    _publish(run, "2026-05-31")
    assert run("player", "erase", "Hugo").code == 0
    shown = done(run("rating", "edition", "1")).out
    assert "Hugo" not in shown
    assert "erased-8" in shown
    assert not any("Hugo" in text for (text,) in desk.query(db, "SELECT text FROM act"))


# --- pools of files -------------------------------------------------------------------------------------


def test_an_edition_of_an_imported_pool_keeps_its_names_out_of_the_journal(
    db: str, run: Runner, tmp_path: Path
) -> None:
    """A file that is imported later and has games of before is a correction, by the number of its import."""
    file = tmp_path / "races.csv"
    file.write_text("seq,player,rank,date\n1,Eva,1,2026-01-01\n1,Iker,2,2026-01-01\n", encoding="utf-8")
    assert run("rating", "import", str(file), "--pool", "races").code == 0
    first = _publish(run, "2026-01-31", "--pool", "races")
    assert [(row["rank"], row["player"]) for row in first["players"]] == [(1, "Eva"), (2, "Iker")]
    file.write_text("seq,player,rank,date\n1,Noa,1,2026-01-02\n1,Eva,2,2026-01-02\n", encoding="utf-8")
    assert run("rating", "import", str(file), "--pool", "races").code == 0
    imported = _head(run)
    second = _publish(run, "2026-02-28", "--pool", "races")
    assert [each["changes"] for each in second["corrections"]] == [[imported]]
    assert "Noa" in {row["player"] for row in second["corrections"][0]["players"]}
    assert _edition(run, 1, "--pool", "races") == {**first, "corrected_in": [2]}
    assert not any("Eva" in text for (text,) in desk.query(db, "SELECT text FROM act"))
    assert (
        "--pool races"
        in done(run("rating", "edition", "1", "--pool", "races")).err
        + run("rating", "edition", "1", "--pool", "races").out
    )


def test_a_pool_whose_games_have_no_date_has_no_edition(db: str, run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "races.csv"
    file.write_text("seq,player,rank\n1,Eva,1\n1,Iker,2\n", encoding="utf-8")
    assert run("rating", "import", str(file), "--pool", "races").code == 0
    ran = run("rating", "publish", "--pool", "races", "--as-of", "2026-01-31")
    assert (ran.code, "not all games of races have a date" in ran.err) == (1, True)
