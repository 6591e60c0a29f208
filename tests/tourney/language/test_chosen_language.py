"""Tests of the language of the program: who chooses it, and what happens where it cannot be had."""

import os
from pathlib import Path

import pytest

from tests.harness.commands import Runner, run_process
from tourney.cli.framework.language import without_language
from tourney.domain.errors import ExitCode, TourneyError
from tourney.text import i18n

NONE: dict[str, str] = dict.fromkeys((i18n.VARIABLE, *i18n.SYSTEM), "")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "en"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "es_MX"}, "es"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "es_AR.UTF-8"}, "es"),
        ({"LC_MESSAGES": "es_AR.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LC_ALL": "en_GB.UTF-8", "LANGUAGE": "es"}, "es"),
        ({"LANGUAGE": "fr:es:en"}, "es"),
        ({"LANGUAGE": "fr:de"}, "en"),
        ({"LANGUAGE": "en", "TOURNEY_LANG": "es"}, "es"),
        ({"LANG": "es_ES.UTF-8", "TOURNEY_LANG": "en"}, "en"),
        ({"LANG": "es_ES.UTF-8", "TOURNEY_LANG": "fr"}, "en"),
        ({"TOURNEY_LANG": "ES-mx"}, "es"),
    ],
    ids=str,
)
def test_our_variable_comes_before_those_of_the_system(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: str
) -> None:
    """The order of the system's variables is that of GNU gettext's manual, section 2.3.2."""
    for name, value in (NONE | environment).items():
        monkeypatch.setenv(name, value)
    assert i18n.preferred() == expected


@pytest.mark.parametrize(
    "words",
    [
        ("--lang", "es", "-h"),
        ("-h", "--lang", "es"),
        ("-h", "--lang=es"),
        ("--lang", "en", "-h", "--lang", "ES"),
    ],
    ids=" ".join,
)
def test_the_command_line_chooses_the_language_wherever_it_names_it(words: tuple[str, ...]) -> None:
    """The help of options is read when the module is imported, and so in the language that was chosen before."""
    page = run_process(*words, env={"TOURNEY_LANG": "en"})
    assert page.code == 0
    assert "Muestra la versión del programa y termina." in page.out
    assert "Show the version" not in page.out


def test_a_word_after_two_dashes_is_no_language() -> None:
    assert without_language(["a", "--", "--lang", "es"]) == (["a", "--", "--lang", "es"], None)
    assert without_language(["--lang=en", "a", "--lang", "es", "b", "--"]) == (["a", "b", "--"], "es")


@pytest.mark.parametrize(
    "words", [("--lang", "fr"), ("--lang=fr",), ("--lang", ""), ("--lang",), ("--lang", "--", "es")]
)
def test_a_language_that_we_lack_is_refused_in_one_line(run: Runner, words: tuple[str, ...]) -> None:
    result = run("rules", "list", *words)
    assert (result.code, result.out) == (ExitCode.USAGE, "")
    error, hint = result.err.splitlines()
    assert error in ("error: tourney has no sentences in “fr”", "error: --lang needs a value after it")
    assert hint == "hint: --lang en or --lang es"


def test_a_refused_language_is_shortened() -> None:
    with pytest.raises(TourneyError, match="“" + "x" * 40 + "”"):
        without_language(["--lang", "x" * 1000])


def test_a_variable_that_names_a_language_that_we_lack_is_one_line_and_english(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOURNEY_LANG", "fr")
    result = run("rules", "list")
    assert result.code == 0
    assert result.err == "warning: TOURNEY_LANG is “fr”, a language that tourney lacks: it has en or es\n"
    assert "Rule sets" in result.out
    assert run("rules", "list", "--lang", "en").err == ""


def test_a_system_in_a_language_that_we_lack_is_english_without_a_word() -> None:
    result = run_process("rules", "list", env={**NONE, "LANG": "fr_FR.UTF-8"})
    assert (result.code, result.err) == (0, "")
    assert "Rule sets" in result.out


@pytest.mark.parametrize(
    "damage",
    [None, b"", b"\xde\x12\x04\x95", b"no catalogue at all, but a text", b"\xde\x12\x04\x95" + b"\xff" * 400],
    ids=["missing", "empty", "cut short", "text", "offsets outside"],
)
def test_a_broken_catalogue_is_one_line_and_english(
    run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, damage: bytes | None
) -> None:
    file = tmp_path / "es" / "LC_MESSAGES" / "tourney.mo"
    file.parent.mkdir(parents=True)
    if damage is not None:
        file.write_bytes(damage)
    monkeypatch.setattr(i18n, "LOCALE", str(tmp_path))
    i18n._read.cache_clear()
    i18n._catalogue.cache_clear()
    result = run("rules", "list", "--lang", "es")
    i18n._read.cache_clear()
    i18n._catalogue.cache_clear()
    assert result.code == 0
    assert "Rule sets" in result.out
    assert result.err == f"warning: the sentences in “es” cannot be read from {file}: install tourney again\n"


def test_a_page_of_another_language_ends_with_its_block() -> None:
    """Sentences of a table are made when it is shown, in the language of that moment."""
    with i18n.speaking("es"):
        assert i18n.language() == "es"
        with i18n.speaking("en"):
            assert i18n._("interrupted") == "interrupted"
        assert i18n._("interrupted") == "interrumpido"
    assert i18n._("interrupted") == "interrupted"


def test_processes_that_are_started_speak_the_language_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from tourney.cli.framework.language import choose

    monkeypatch.setenv("TOURNEY_LANG", "en")
    choose(["status", "--lang", "es"])
    assert os.environ["TOURNEY_LANG"] == "es"
    monkeypatch.setenv("TOURNEY_LANG", "en")
    choose([])
    assert i18n.language() == "en"
