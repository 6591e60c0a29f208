"""Tests that JSON, CSV and exit codes are the same in Spanish, but for fields of JSON with sentences for people."""

from pathlib import Path
from typing import Any

import pytest

from tests.harness.recorded import SCENES, LooseKeys, differences, play, working_in
from tests.harness.slow import slow
from tests.tourney.cli.test_machine_output import SENTENCES, VARYING, _keys
from tourney.text.i18n import speaking

QUICK = "the knock game"


def differing(line: str, ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """Return the differences of two answers to a command that are not of times, or of sentences in JSON."""
    sentences = () if "csv" in ours else set(_keys(SENTENCES, line))
    loose = LooseKeys(sentences, {"time", *_keys(VARYING, line)})
    return [f"`{line}`{difference}" for difference in differences(ours, theirs, loose)]


def without_error(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the answer without whether its refusal has the English words before message and hint."""
    return {key: value for key, value in answer.items() if key != "error"}


@pytest.mark.parametrize("name", [QUICK, *slow(name for name in SCENES if name != QUICK)])
def test_a_scene_has_the_same_answers_in_both_languages(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sentences in JSON may differ; keys, headers, order, numbers, names, words of CSV and exit codes may not."""
    answers = []
    for language in ("en", "es"):
        (tmp_path / language).mkdir()
        # A command line that starts chooses the language of the process, which is forgotten at the end of the block.
        with speaking(language), working_in(tmp_path / language) as folder:
            monkeypatch.setenv("TOURNEY_LANG", language)
            answers.append([(line, without_error(answer)) for line, answer in play(name, folder)])
    english, spanish = answers
    assert len(english) == len(spanish)
    found = [
        text
        for (line, ours), (_line, theirs) in zip(english, spanish, strict=True)
        for text in differing(line, ours, theirs)
    ]
    assert not found, "\n".join(found)
