"""Tests of books: leagues that play a fixed list of deals, and the files of such lists."""

import tomllib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Ran, Runner
from tourney.domain.errors import ExitCode
from tourney.files import book
from tourney.files.book import book_text, read_book

RUN = ("league", "run", "--bots", "greedy,random", "--seats", "2", "--workers", "1")

Club = Callable[..., Ran]


@pytest.fixture
def club(run: Runner, tmp_path: Path) -> Club:
    """A function that runs a command with one database."""
    return lambda *words: run(*words, "--db", str(tmp_path / "club.db"))


@pytest.fixture
def three(tmp_path: Path) -> str:
    """The path of a book of three deals."""
    path = tmp_path / "book.txt"
    path.write_text("# three deals\n\nfirst\n  second one \r\nñandú\n", encoding="utf-8")
    return str(path)


def test_blank_lines_and_comments_are_left_out(three: str) -> None:
    assert read_book(three) == ("first", "second one", "ñandú")


def test_a_book_that_is_written_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text(book_text(["a", "b"]), encoding="utf-8")
    assert read_book(tmp_path / "b.txt") == ("a", "b")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"a\n\nb\na\n", ("line 4", "the deal of line 1 is there a second time"), id="a deal twice"),
        pytest.param(b"a\nb\xff\n", ("line 2", "not text in UTF-8"), id="not UTF-8"),
        pytest.param(b"a\nb\x07c\n", ("line 2", "cannot be printed"), id="a bell"),
        pytest.param(b"a\n" + b"x" * 201 + b"\n", ("line 2", "200 characters"), id="a long seed"),
        pytest.param(b"# nothing\n\n", ("there is no deal in it",), id="no deal"),
        pytest.param(b"", ("there is no deal in it",), id="empty"),
        pytest.param(b"1\n2\n3\n4\n", ("line 4", "at most 3 deals"), id="too many deals"),
    ],
)
def test_a_bad_line_is_refused_by_its_number(
    tmp_path: Path, content: bytes, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book, "MAX_DEALS", 3)
    (tmp_path / "b.txt").write_bytes(content)
    with desk.refused(ExitCode.REFUSED, "b.txt", *words, "tourney league book"):
        read_book(tmp_path / "b.txt")


def test_each_block_plays_the_next_deal_of_the_book(club: Club, three: str) -> None:
    """The records of a block have the seed of its deal, by which they are dealt."""
    data = club(*RUN, "--book", three, "--records", "all", "--json").json
    assert (data["blocks"], data["of_blocks"], data["deals"]) == (3, 3, 3)
    assert data["book"] == sha256("first\nsecond one\nñandú\n".encode()).hexdigest()
    seeds = [
        tomllib.loads(club("league", "record", "--block", block, "--game", game).out)["seed"]
        for block in "123"
        for game in "12"
    ]
    assert seeds == ["first", "first", "second one", "second one", "ñandú", "ñandú"]


def test_designs_with_several_deals_take_several_for_a_block(club: Club, three: str) -> None:
    """In `fresh`, two bots at a table of two play two deals a block: a book of three is enough for one."""
    data = club(*RUN, "--book", three, "--design", "fresh", "--json").json
    assert (data["blocks"], data["games"]) == (1, 2)


def test_a_book_belongs_to_the_identity_of_a_league(club: Club, three: str, tmp_path: Path) -> None:
    """Neither the name of the file nor comments count, each deal does."""
    other, changed = tmp_path / "other.txt", tmp_path / "changed.txt"
    other.write_text("first\nsecond one\nñandú\n", encoding="utf-8")
    changed.write_text("first\nsecond one\nllama\n", encoding="utf-8")
    hashes = [
        club(*RUN, "--seed", "1", "--book", str(file), "--blocks", "1", "--json").json["hash"]
        for file in (three, other, changed)
    ]
    assert hashes[0] == hashes[1]
    assert hashes[2] != hashes[0]
    assert club(*RUN, "--seed", "1", "--blocks", "1", "--json").json["hash"] not in hashes


def test_the_file_of_a_book_may_be_gone_when_the_league_is_resumed(club: Club, three: str) -> None:
    ended = club(*RUN, "--book", three).out
    Path(three).unlink()
    assert club("league", "resume", "--workers", "1").out == ended
    assert club("league", "why", "greedy", "random").code == 0


def test_more_blocks_than_deals_are_refused(club: Club, three: str) -> None:
    result = club(*RUN, "--book", three, "--blocks", "4")
    assert (result.code, result.out) == (ExitCode.USAGE, "")
    assert "the book has 3 deals, and 4 blocks of 1 need 4" in result.err
    assert "--blocks 3" in result.err


def test_a_book_of_a_league_has_the_deals_that_it_played(club: Club, run: Runner, tmp_path: Path) -> None:
    """Other bots then play the same cards: greedy has the same hands against random as in the first league."""
    first = club(*RUN, "--blocks", "3", "--seed", "7", "--json").json
    file = str(tmp_path / "played.txt")
    assert club("league", "book", "--output", file).code == 0
    again = club(*RUN, "--book", file, "--seed", "7", "--json").json
    assert again["hash"] != first["hash"]
    assert again["bots"] == first["bots"]
    assert club("league", "book", "1", "--block", "3", "--block", "1").out.splitlines()[1:] == [
        read_book(file)[2],
        read_book(file)[0],
    ]


def test_new_deals_are_those_of_a_league_of_this_seed(club: Club, run: Runner) -> None:
    club(*RUN, "--blocks", "2", "--seed", "s")
    assert run("league", "book", "--deals", "2", "--seed", "s").out == club("league", "book", "1").out


@pytest.mark.parametrize(
    ("words", "code", "word"),
    [
        pytest.param(("1", "--block", "9"), ExitCode.NOT_FOUND, "block 9 of league 1 has not been played", id="block"),
        pytest.param(("1", "--deals", "3"), ExitCode.USAGE, "--deals", id="both"),
        pytest.param(("--deals", "10001"), ExitCode.REFUSED, "10000 deals", id="too many"),
    ],
)
def test_an_impossible_book_is_refused_in_one_line(club: Club, words: tuple[str, ...], code: int, word: str) -> None:
    club(*RUN, "--blocks", "1")
    result = club("league", "book", *words)
    assert (result.code, result.out) == (code, "")
    assert word in result.err
    assert result.err.count("\n") == 2
