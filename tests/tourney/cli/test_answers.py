"""Tests of answers and numbers as people type them."""

import re
import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import typer

from tests.harness import desk
from tests.harness.commands import Runner, all_commands
from tourney.cli.framework import questions
from tourney.domain.errors import ExitCode
from tourney.domain.leagues import League
from tourney.service.change import apply
from tourney.service.leagues import leagues
from tourney.service.rounds.draw_round import DrawRound
from tourney.text.typed_words import read_decimal, read_yes_or_no

ANSWERS = {
    True: ("y", "Y", "yes", "YES", "s", "S", "sí", "si", "Sí", " SÍ ", "si\u0301"),
    False: ("n", "N", "no", "NO", " No "),
    None: ("", "x", "ye", "yess", "ok", "nein", "0", "1", "y n"),
}


@pytest.mark.parametrize(("answer", "typed"), [(answer, typed) for answer, words in ANSWERS.items() for typed in words])
def test_yes_and_no_are_read_in_english_and_spanish(answer: bool | None, typed: str) -> None:
    """The words are those of issue 16; an accent may be composed or not."""
    assert read_yes_or_no(typed) is answer


DECIMALS = {
    "0.95": 0.95,
    "0,95": 0.95,
    ",5": 0.5,
    ".5": 0.5,
    "2,": 2.0,
    " 12 ": 12.0,
    "-0,5": -0.5,
    "−0,5": -0.5,
    "+1.25": 1.25,
    "1,234": 1.234,
    "1.234": 1.234,
    "1e-3": 0.001,
    "2,5E1": 25.0,
}


@pytest.mark.parametrize("text", DECIMALS)
def test_decimals_have_a_point_or_a_comma(text: str) -> None:
    assert read_decimal(text) == DECIMALS[text]


@pytest.mark.parametrize("text", ["", ",", "1.234,5", "1,234.5", "1 000", "1e999", "nan", "inf", "0x1", "1,2,3", "5%"])
def test_other_text_is_not_a_decimal(text: str) -> None:
    assert read_decimal(text) is None


NUMBERS = {"float", "decimal"}
OPTIONS = [
    pytest.param(option, id=" ".join((*path, option.opts[0])))
    for path, command in all_commands()
    for option in command.params
    if option.type.name in NUMBERS
]


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_for_a_decimal_takes_a_comma(option: Any) -> None:
    """The parameters are all options of all commands whose type is a decimal number."""
    assert option.type.convert("0,75", option, None) == option.type.convert("0.75", option, None) == 0.75
    with pytest.raises(typer.BadParameter):
        option.type.convert("1.234,5", option, None)


@pytest.mark.parametrize(
    "words",
    [
        "rating pool set people --beta 2,5 --draw 0,01",
        'rating pool --open --parameters "beta=2,5 draw=0,01"',
        "seating advise --players 12 --hours 3,5",
    ],
)
def test_a_number_with_a_comma_is_the_number_with_a_point(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = []
    for name, line in (("comma", words), ("point", re.sub(r"(\d),(\d)", r"\1.\2", words))):
        monkeypatch.setenv("TOURNEY_DB", str(tmp_path / f"{name}.db"))
        runs.append(Runner(capsys)(*shlex.split(line), "--json"))
    assert runs[0] == runs[1]
    assert (runs[0].code, runs[0].err) == (0, "")


def test_a_certainty_with_a_comma_is_kept_with_a_point() -> None:
    league = leagues.checked(League(("greedy", "random"), "oficial", 4, "1", 100, certainty="0,95"))
    assert league.certainty == "0.95"


def test_points_stay_whole_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`1.234` is neither a thousand points nor one point: it is refused, and the message says what points are."""
    db = str(tmp_path / "club.db")
    desk.event(db, 4, rounds=1)
    apply(db, DrawRound())
    for number in ("1.234", "12,5"):
        words = ("result", "enter", "--round", "1", "--table", "1", "--half", "--hand", f"TT 1={number} 2=0 3=5 4=5")
        refused = Runner(capsys)(*words, "--db", db)
        assert (refused.code, refused.out) == (ExitCode.USAGE, "")
        assert f"{number} are not points" in refused.err
        assert "points are whole numbers" in refused.err


def answered(monkeypatch: pytest.MonkeyPatch, *lines: str) -> bool:
    """Return what `confirm` returns to somebody who types these lines, and then ends the input."""
    typed = [*(f"{line}\n" for line in lines), ""]
    monkeypatch.setattr(questions, "read_typed_line", lambda terminal: typed.pop(0))
    return questions.confirm("Take back the draw of round 2?")


@pytest.mark.parametrize(
    ("lines", "answer"),
    [(("sí",), True), (("n",), False), (("",), False), ((), False), (("what", "Y"), True), (("what",), False)],
    ids=["yes", "no", "Enter", "the end of input", "asked again", "the end of input after another word"],
)
def test_a_question_is_asked_until_it_is_answered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: tuple[str, ...], answer: bool
) -> None:
    assert answered(monkeypatch, *lines) is answer
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("Take back the draw of round 2? (y/n) [n] ")
    assert ("type y or n" in captured.err) == ("what" in lines)


@pytest.mark.parametrize("key", [None, KeyboardInterrupt, OSError], ids=["Ctrl-D", "Ctrl-C", "a closed terminal"])
def test_what_follows_a_question_without_an_answer_begins_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], key: type[BaseException] | None
) -> None:
    """No key of these ends a line, and "nothing was entered" stood behind the question."""

    def pressed(_terminal: object) -> str:
        if key is not None:
            raise key
        return ""

    monkeypatch.setattr(questions, "read_typed_line", pressed)
    with pytest.raises(KeyboardInterrupt) if key is KeyboardInterrupt else nullcontext():
        assert questions.ask("TT: who closed? ") is None
    assert capsys.readouterr().err == "TT: who closed? \n"
