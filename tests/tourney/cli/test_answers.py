"""Tests of answers and numbers as people type them."""

import pytest

from tourney.cli.framework import questions
from tourney.text.answers import read_decimal, read_yes_or_no

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
}


@pytest.mark.parametrize("text", DECIMALS)
def test_decimals_have_a_point_or_a_comma(text: str) -> None:
    assert read_decimal(text) == DECIMALS[text]


@pytest.mark.parametrize("text", ["", ",", "1.234,5", "1,234.5", "1 000", "1e3", "nan", "inf", "0x1", "1,2,3", "5%"])
def test_other_text_is_not_a_decimal(text: str) -> None:
    assert read_decimal(text) is None


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
