"""A sheet's file that is not TOML: the line that cannot be read, and how such a line is written."""

import tomllib
from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode, TourneyError
from tourney.files import sheet_toml
from tourney.files.sheet_toml import read_sheet
from tourney.text.i18n import speaking

START = '[[hands]]\ncontract = "TT"\n'
POINTS = 'points = { "Íñigo" = 64, "Ana" = -10 }'
MISREAD = {
    "a name without quotes": ("points = { Íñigo = 3, Ana = 0 }\n", 3, POINTS),
    "a Spanish word for true": ("at_once = sí\npoints = { Ana = 0 }\n", 3, "at_once = true"),
    "a fraction": ("closer = 'Ana'\npoints = { Ana = 64,5 }\n", 4, POINTS),
    "a word without quotes": ("closer = Ana\n", 3, 'closer = "Íñigo"'),
    "a bracket left out": ("[[hands\n", 3, "[[hands]]"),
    "a brace left out, at the end": ("points = { Ana = 0", 3, POINTS),
    "a name on a line of its own": ("[hands.points]\nÍñigo = 3\n", 4, POINTS),
}


@pytest.mark.parametrize("case", MISREAD)
def test_the_line_that_cannot_be_read_is_shown_and_how_to_write_it(tmp_path: Path, case: str) -> None:
    rest, line, example = MISREAD[case]
    file = tmp_path / "sheet.toml"
    file.write_text(START + rest, encoding="utf-8")
    written = (START + rest).splitlines()[line - 1]
    with speaking("es"), pytest.raises(TourneyError) as caught:
        read_sheet(file)
    assert caught.value.code == ExitCode.REFUSED
    assert caught.value.message == f"{file}: la línea {line} no se entiende: “{written}”"
    assert f"escríbela así: {example}; " in caught.value.hint
    assert "`tourney guide club-evening`" in caught.value.hint


@pytest.mark.parametrize(
    ("repeated", "line"), [('contract = "TE"\n', 3), ("points = { Ana = 1, Ana = 2 }\n", 3)], ids=["field", "player"]
)
def test_what_stands_there_twice_is_said_to(tmp_path: Path, repeated: str, line: int) -> None:
    file = tmp_path / "sheet.toml"
    file.write_text(f"{START}{repeated}dead = true\n", encoding="utf-8")
    with desk.refused(ExitCode.REFUSED, f"line {line} says something twice: “{repeated.strip()}”"):
        read_sheet(file)


@pytest.mark.parametrize("example", sheet_toml.EXAMPLES)
def test_every_line_shown_as_an_example_can_be_read(example: str) -> None:
    assert set(tomllib.loads(example)) <= set(sheet_toml.FIELDS)
