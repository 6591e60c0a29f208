"""Tests of `--format message`: short lines for a messenger, with medals, byes named, and a code in the last line."""

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.reports.render.message import WIDTH, message_text
from tourney.reports.render.report import ListLine, Report, medal
from tourney.service.change import apply
from tourney.service.events.codes import coded
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.players import RegisterPlayers
from tourney.service.results.results import EnterResult
from tourney.service.results.rulings import AddRuling, Decision
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound

CODE = re.compile(r"code [0-9a-f]{16}")


def columns(line: str) -> int:
    """Return the columns of a line by the tables of Unicode: two for a wide letter or an emoji, none for an accent."""
    wide = {"W": 2, "F": 2}
    return sum(0 if unicodedata.combining(char) else wide.get(unicodedata.east_asian_width(char), 1) for char in line)


@pytest.fixture
def club(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """The command line in a folder with the evening of the club."""
    monkeypatch.setenv("TOURNEY_DB", desk.evening(tmp_path / "club.db"))
    monkeypatch.chdir(tmp_path)
    return Runner(capsys)


def lines(club: Runner, *command: str) -> list[str]:
    """Return the lines of a message above its code, each of them checked."""
    done = club(*command, "--format", "message")
    assert (done.code, done.err) == (0, "")
    *shown, code = done.out.splitlines()
    assert CODE.fullmatch(code)
    assert all(columns(line) <= 32 for line in (*shown, code))
    return shown


def test_the_standings_have_a_medal_or_rank_the_name_and_the_points(club: Runner) -> None:
    """The points are those of the JSON, which other tests compare with a second fold."""
    rows = club("standings", "--json").json
    medals = ["🥇", "🥈", "🥉", *(f"{rank}." for rank in range(4, len(rows) + 1))]
    expected = [f"{lead} {row['player']} · {row['points']}" for lead, row in zip(medals, rows, strict=True)]
    assert lines(club, "standings") == ["🏆 Friday", "", *expected, ""]
    assert lines(club, "standings", "--round", "1")[1] == "after round 1"


def test_the_seating_names_every_seat_of_every_table_and_who_has_a_bye(club: Runner) -> None:
    club("event", "new", "Saturday", "--short", "sit out", "--rounds", "1")
    club("event", "enter", "Saturday", "--all")
    club("event", "withdraw", "Saturday", "Ana")
    club("round", "draw", "Saturday")
    drawn = club("round", "show", "Saturday", "--json").json
    expected = ["🃏 Saturday", "Round 1"]
    for number, table in enumerate(drawn["rounds"][0], 1):
        expected += ["", f"Table {number}", *(f"{seat}. {name}" for seat, name in enumerate(table, 1))]
    byes = drawn["sitting_out"][0]
    assert len(byes) == 1
    shown = lines(club, "round", "show", "Saturday")
    assert shown == [*expected, "", f"Bye: {byes[0]}", "", "Seat 1 deals first.", ""]
    by_name = lines(club, "round", "show", "Saturday", "--by", "name")
    table, seats = next((number, seats) for number, seats in enumerate(drawn["rounds"][0], 1) if "Carmen" in seats)
    assert f"• Carmen · table {table}, seat {seats.index('Carmen') + 1}" in by_name


def test_ratings_and_the_summary_of_an_evening_are_messages_too(club: Runner) -> None:
    rows = club("ratings", "--json").json
    assert lines(club, "ratings")[2] == f"🥇 {rows[0]['player']} · {rows[0]['score']:.2f}"
    assert any(line.endswith("?") for line in lines(club, "ratings")) == any(row["provisional"] for row in rows)
    standings = club("standings", "--json").json
    most = max(row["hands_won"] for row in standings)
    winners = [row["player"] for row in standings if row["hands_won"] == most]
    shown = lines(club, "event", "show")
    rounds = max(row["games"] for row in standings)
    assert shown[:3] == ["🏆 Friday", f"{len(standings)} players, {rounds} rounds", ""]
    assert [line.split()[1] for line in shown[3:6]] == [row["player"] for row in standings[:3]]
    assert f"Most hands won: {', '.join(winners)} ({most})" in " ".join(" ".join(shown).split())


def test_the_best_round_is_the_one_with_the_fewest_points_on_the_sheets(club: Runner) -> None:
    """By hand: Ana has 0 + 59 + 0 + 0 + 31 + 154 + 100 points in round 1; the sheets of all eight are added here."""
    rows = (desk.CLUB / "score-sheets.csv").read_text(encoding="utf-8").splitlines()[1:]
    totals = {(row.split(",")[0], row.split(",")[3]): sum(map(int, row.split(",")[4:11])) for row in rows}
    best = min(totals.values())
    names = [name for (_round, name), total in totals.items() if total == best]
    assert f"Best round: {', '.join(names)} ({best})" in " ".join(lines(club, "event", "show"))


@pytest.fixture
def uneven(club: Runner, tmp_path: Path) -> tuple[Runner, list[str], list[str]]:
    """The command line with Saturday's eight, who is at table 1 and who at table 2.

    Table 1 has played round 1, of which each seat after the first has 60 points more than the one before; table 2 was
    stopped after two hands with 0 and 20, 30, 40 points each. Seat 2 of table 1 has a penalty.
    """
    db = str(tmp_path / "club.db")
    apply(db, CreateEvent(EventSettings("Saturday", "oficial", rounds=2)))
    apply(db, EnterPlayers("Saturday", desk.NAMES[:8]))
    apply(db, DrawRound("Saturday"))
    first, second = (
        [player.name for player in table.players] for table in rounds.show(db, "Saturday").rounds[0].tables
    )
    apply(db, EnterResult("Saturday", 1, 1, desk.hands(first, [0] * 7)))
    apply(db, EnterResult("Saturday", 1, 2, desk.hands(second, [0] * 7)[:2], length="short"))
    apply(db, AddRuling("Saturday", Decision("penalty", "came late", player=first[1], points=20)))
    return club, first, second


def test_a_message_says_who_has_a_penalty_and_whose_game_was_stopped(
    uneven: tuple[Runner, list[str], list[str]],
) -> None:
    """Seat 2 of table 1 has 7 hands of 30 points (20 and 10 for the seat), and 20; table 2 has two such hands."""
    club, first, second = uneven
    shown = " ".join(lines(club, "standings", "Saturday"))
    assert f"{first[1]} · 230 (penalty 20)" in shown
    assert f"{first[2]} · 280" in shown
    assert f"{second[0]} · 0 (stopped game)" in shown


def test_a_stopped_game_is_no_best_round(uneven: tuple[Runner, list[str], list[str]]) -> None:
    """Seat 1 of both tables has 0 points: one in seven hands, the other in two; so has 0 of table 1 alone."""
    club, first, _second = uneven
    assert f"Best round: {first[0]} (0)" in " ".join(lines(club, "event", "show", "Saturday"))


def test_a_message_has_points_per_game_where_they_decide(
    uneven: tuple[Runner, list[str], list[str]], tmp_path: Path
) -> None:
    """Whoever has played twice has half their points per game."""
    club, _first, _second = uneven
    db = str(tmp_path / "club.db")
    apply(db, DrawRound("Saturday", anyway=True))
    table = rounds.show(db, "Saturday").rounds[1].tables[0]
    apply(db, EnterResult("Saturday", 2, 1, desk.hands([player.name for player in table.players], [0] * 7)))
    rows = {row["player"]: row for row in club("standings", "Saturday", "--json").json}
    for command in ("standings", "event show"):
        shown = " ".join(" ".join(lines(club, *command.split(), "Saturday")).split())
        assert "Not everybody has played the same number of games: points per game decide." in shown
    shown = " ".join(lines(club, "standings", "Saturday"))
    for player in table.players:
        assert f"{player.name} · {rows[player.name]['points']} ({rows[player.name]['points'] / 2:.2f}" in shown


def test_a_blank_line_stands_before_each_round_but_the_first(club: Runner) -> None:
    shown = lines(club, "round", "show", "--all")
    heads = [at for at, line in enumerate(shown) if line.startswith("Round ")]
    assert heads[0] == 1
    assert [shown[at - 1] for at in heads[1:]] == [""] * (len(heads) - 1)
    assert len(heads) > 1


def test_an_evening_without_a_result_says_so(club: Runner) -> None:
    club("event", "new", "Saturday")
    assert lines(club, "event", "show", "Saturday")[1:] == ["No result is in yet.", ""]
    assert lines(club, "round", "show", "Saturday")[1:] == ["No round is drawn.", ""]


@pytest.mark.parametrize(
    "command", ["player list", "round draw", "event list", "log", "rules list", "round show --why"]
)
def test_other_commands_refuse_a_message_and_name_those_that_have_one(
    club: Runner, tmp_path: Path, command: str
) -> None:
    """Before anything is changed: `round draw` draws nothing."""
    before = desk.query(str(tmp_path / "club.db"), "SELECT hash FROM head")
    done = club(*command.split(), "--format", "message")
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    for name in ("`standings`", "`round show`", "`ratings`", "`event show`"):
        assert name in done.err
    assert desk.query(str(tmp_path / "club.db"), "SELECT hash FROM head") == before


def test_a_message_may_go_to_a_file(club: Runner, tmp_path: Path) -> None:
    shown = club("standings", "--format", "message").out
    assert club("standings", "--format", "message", "--output", "post.txt").code == 0
    assert (tmp_path / "post.txt").read_text(encoding="utf-8") == shown


def test_the_code_is_the_beginning_of_the_last_hash_of_the_journal(club: Runner, tmp_path: Path) -> None:
    last = desk.query(str(tmp_path / "club.db"), "SELECT hash FROM act ORDER BY rowid DESC LIMIT 1")[0][0]
    assert club("ratings", "--format", "message").out.splitlines()[-1] == f"code {last[:16]}"


def test_a_change_between_report_and_code_is_read_again(club: Runner, tmp_path: Path) -> None:
    """The first reading is overtaken by another desk, so the state is read twice and has the later code."""
    db = str(tmp_path / "club.db")
    codes = []

    def read() -> int:
        if not codes:
            codes.append("overtaken")
            apply(db, RegisterPlayers(["Zoe"]))
        return desk.query(db, "SELECT count(*) FROM act")[0][0]

    def code_of(path: str | None) -> str:
        assert path == db
        return str(desk.query(db, "SELECT count(*) FROM act")[0][0])

    state, code = coded(db, read, code_of)
    assert str(state) == code


def test_equal_ranks_share_a_medal() -> None:
    assert [medal(rank) for rank in (1, 1, 3, 4, None)] == ["🥇", "🥇", "🥉", "4.", "–"]


SHOWN = {
    "a short name": (["Ana"], ["1. Ana · 375"]),
    "a long name": (["María de los Ángeles Etxeberria"], ["1. María de los Ángeles E… · 375"]),
    "a long name with a label": (["María de los Ángeles (Getxo)"], ["1. María de los Á… (Getxo) · 375"]),
    "two that would look the same": (
        ["María de los Ángeles Etxeberria", "María de los Ángeles Etxebarria"],
        ["1. María de los Ángeles", "   Etxeberria · 375", "1. María de los Ángeles", "   Etxebarria · 375"],
    ),
    "wide letters": (["王" * 20], ["1. " + "王" * 11 + "… · 375"]),
}


@pytest.mark.parametrize("case", SHOWN)
def test_long_names_are_shortened_but_stay_apart(case: str) -> None:
    """A line has 32 columns: 3 for `1. `, 6 for ` · 375`, and so 23 for the name."""
    names, expected = SHOWN[case]
    report = Report("", message=lambda: [ListLine("1.", name, " · 375") for name in names])
    assert message_text(report).splitlines() == expected


name = st.text("aeñGW王Ａ🥇é\u0301 ()*-", min_size=1, max_size=80)


@given(st.lists(name, min_size=1, max_size=6, unique=True), st.integers(-(10**12), 10**12), name)
def test_no_line_is_longer_than_a_messenger_shows(names: list[str], points: int, sentence: str) -> None:
    report = Report("", message=lambda: [sentence, *(ListLine("🥇", each, f" · {points} (gone)") for each in names)])
    shown = message_text(report).splitlines()
    assert all(columns(line) <= WIDTH for line in shown)
    assert sum(line.startswith("🥇") for line in shown) >= len(names)


def test_the_code_of_an_event_changes_with_that_event_alone(club: Runner) -> None:
    """All messages of one state have one code; what happens in another event does not concern it."""

    def codes() -> set[str]:
        shown = (club(*words, "Friday", "--format", "message").out for words in (("standings",), ("round", "show")))
        return {text.splitlines()[-1] for text in (*shown, club("event", "show", "Friday", "--format", "message").out)}

    before = codes()
    assert len(before) == 1
    club("event", "new", "Saturday")
    assert codes() == before
    club("ruling", "penalty", "Ana", "20", "came late", "--event", "Friday")
    assert len(codes()) == 1
    assert codes() != before
