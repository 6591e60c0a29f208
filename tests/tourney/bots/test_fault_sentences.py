"""Tests of faults in the reader's language: every sentence in which the program says a fault has a translation."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
import tourney
from tourney.domain.leagues import FAULT_KINDS
from tourney.rulebook.fault_sentences import KINDS, REASONS, SENTENCES, fault_text
from tourney.text.i18n import speaking

ROOT = Path(tourney.__file__).parent


def said_sentences() -> Iterator[tuple[str, str]]:
    """Yield the place and the fixed words of every sentence that the sources give to BotFault."""
    for file in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "BotFault":
                sentence = node.args[1]
                if isinstance(sentence, ast.Constant | ast.JoinedStr):
                    yield f"{file.name}:{node.lineno}", template(sentence)


def template(sentence: ast.expr) -> str:
    """Return a sentence with {} for each value in it."""
    if isinstance(sentence, ast.Constant):
        return str(sentence.value)
    assert isinstance(sentence, ast.JoinedStr)
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in sentence.values)


def test_every_sentence_of_the_sources_is_known() -> None:
    """Left out are the engine's sentences on illegal actions and those that begin with another sentence."""
    known = {re.sub(r"\{\w+\}", "{}", sentence) for sentence in SENTENCES}
    found = dict(said_sentences())
    others = {"{}: {} [{}]", "{}{}", "{}, nor to an earlier question{}"}
    assert len(found) > 20
    versions = {place: re.sub("hello 1 ", "hello {} ", text) for place, text in found.items()}
    assert {place: text for place, text in versions.items() if text not in known | others} == {}


ENGINE = Path(engine.__file__).parent
JUDGING = (
    "contract/jokers",
    "contract/laying",
    "contract/turn",
    "knock/turn",
    "melds",
)
"""The modules of the engine that say why an action is refused."""


def reasons_with_values() -> Iterator[str]:
    """Yield the templates with values in which the engine says why an action is refused."""
    for name in JUDGING:
        for node in ast.walk(ast.parse((ENGINE / f"{name}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("message", "marked"):
                first = node.args[0]
                if isinstance(first, ast.Constant) and "{" in first.value:
                    yield first.value


def test_every_reason_of_the_engine_that_holds_values_is_known() -> None:
    assert set(reasons_with_values()) == set(REASONS)


def test_the_kinds_are_those_that_are_counted() -> None:
    assert tuple(kind.partition("|")[2] for kind in KINDS) == FAULT_KINDS


@pytest.mark.parametrize(
    ("kept", "spanish"),
    [
        pytest.param("died: ended with exit code 0", "caída: ha terminado con el código de salida 0", id="exit"),
        pytest.param(
            "died: ended with exit code 1: IndexError: x",
            "caída: ha terminado con el código de salida 1: IndexError: x",
            id="last words",
        ),
        pytest.param(
            "slow: no answer within 2 s: “se” has no line feed at its end",
            "lenta: no hay respuesta en 2 s: a “se” le falta el salto de línea final",
            id="late",
        ),
        pytest.param(
            "stalled: no answer within 0.5 s, nor to an earlier question",
            "sin respuesta: no hay respuesta en 0.5 s, ni a una pregunta anterior",
            id="owed",
        ),
        pytest.param(
            "illegal: there is no action 9; the list has 3",
            "ilegal: no existe la jugada 9; la lista tiene 3",
            id="number",
        ),
        pytest.param(
            "illegal: discard 7h: a card has already been drawn in this turn [003/1.5]",
            "ilegal: descarta 7h: en este turno ya se ha robado una carta [003/1.5]",
            id="reason",
        ),
        pytest.param(
            "illegal: down 7h 8h 9h / Kc Kd: a trio has at least 3 cards: Kc Kd [003/1.3]",
            "ilegal: se baja con 7h 8h 9h / Kc Kd: un trío tiene al menos 3 cartas: K♣ K♦ [003/1.3]",
            id="reason in a reason",
        ),
        pytest.param(
            "illegal: close 4c: the cards kept count 12 points; a player closes with 5 or less [001/1.12]",
            "ilegal: cierra con 4c: las cartas que quedan suman 12 puntos; un jugador cierra con 5 o menos [001/1.12]",
            id="values",
        ),
        pytest.param("unreadable: down: 4c: x [y]", "ilegible: down: 4c: x [y]", id="like an action"),
        pytest.param(
            "illegal: take: a sentence of nobody [x]", "ilegal: del pozo: a sentence of nobody [x]", id="unknown reason"
        ),
        pytest.param("unreadable: what it likes", "ilegible: what it likes", id="of the bot"),
        pytest.param("ValueError: no answer in time", "ValueError: no answer in time", id="an error"),
        pytest.param("", "", id="none"),
    ],
)
def test_a_fault_is_shown_in_the_readers_language(kept: str, spanish: str) -> None:
    assert fault_text(kept) == kept
    with speaking("es"):
        assert fault_text(kept) == spanish
