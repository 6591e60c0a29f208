"""Tests of files that no reader can parse: nested too deep, with huge numbers, or not text."""

from pathlib import Path

import pytest

from tests.harness.commands import Runner

DEEP = 50_000
DIGITS = 10_000
READERS = {
    "seating": ("seating", "judge", "FILE"),
    "rules": ("rules", "show", "FILE"),
    "record": ("record", "verify", "FILE"),
    "sheet": ("result", "enter", "Friday", "--round", "1", "--table", "1", "--file", "FILE"),
}
TEXTS = {"json": {"deep": "[" * DEEP, "long": f'{{"rounds": [[[{"9" * DIGITS}]]]}}'}}
TEXTS["toml"] = {"deep": f"a = {'[' * DEEP}", "long": f"a = {'9' * DIGITS}"}
MESSAGES = {"deep": "it is nested too deep", "long": "a number in it has too many digits"}


@pytest.mark.parametrize("case", MESSAGES)
@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_python_cannot_parse_is_refused_with_our_message(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, reader: str, case: str
) -> None:
    """A file is refused before the table of its sheet is looked up, so that no event is needed."""
    kind = "json" if reader == "seating" else "toml"
    file = tmp_path / f"odd.{kind}"
    file.write_text(TEXTS[kind][case])
    result = Runner(capsys)(*(str(file) if word == "FILE" else word for word in READERS[reader]))
    error, hint, rest = result.err.split("\n")
    assert (result.code, result.out, rest) == (1, "", "")
    assert file.name in error
    assert error.endswith(MESSAGES[case])
    assert hint.startswith("hint: ")


ROWS = {
    "seating": ("seating judge FILE", "round,table,seat,player\n{round},1,1,Ana\n{round},1,2,Bea\n"),
    "score sheets": (
        "event import E --rules oficial --sheets FILE",
        "round,table,seat,player,TT,TE,EE,TTT,TTE,TEE,EEE\n{round},1,1,Ana,0,0,0,0,0,0,0\n",
    ),
}


@pytest.mark.parametrize("reader", ROWS)
@pytest.mark.parametrize("number", ["100000", "99999999999"])
def test_too_large_a_number_of_a_round_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: str, number: str
) -> None:
    """The numbers are just above the maximum of 99999 and far above it."""
    monkeypatch.setenv("TOURNEY_DB", str(tmp_path / "club.db"))
    command, text = ROWS[reader]
    file = tmp_path / "odd.csv"
    file.write_text(text.format(round=number))
    result = Runner(capsys)(*command.replace("FILE", str(file)).split())
    assert (result.code, result.out) == (1, "")
    assert f"line 2: round “{number}” is too large; 99999 is the most" in result.err


@pytest.mark.parametrize("name", ["odd.json", "odd.csv"])
def test_a_seating_that_is_not_utf_8_is_refused_with_both_formats(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    """One file has arbitrary bytes, the other one UTF-16, which Windows writes when output is redirected."""
    file = tmp_path / name
    for odd in (bytes(range(256)), '{"rounds": []}'.encode("utf-16")):
        file.write_bytes(odd)
        output = Runner(capsys)("seating", "judge", str(file)).err
        assert f"{name}: this is not UTF-8 text" in output
        assert "hint: save it as UTF-8; a seating is JSON" in output
        assert "or CSV" in output
