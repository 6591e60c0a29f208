"""The verifier in `oracles/verify_event.py`, which knows the guide alone: honest files pass, others are named.

The files are the one that the guide shows and what these tests change in it. Its standings follow by hand: Ana has 37
points, Beñat 35, and Carmen 101 and a penalty of 20.
"""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import tourney.guide
from tests.oracles.verify_event import fold, main, verify

PAGE = (Path(tourney.guide.__path__[0]) / "event-file.md").read_text(encoding="utf-8")
SHOWN = PAGE.partition("```text friday.event\n")[2].partition("```")[0]
LINES = SHOWN.splitlines()
CODE = "72f52c8bc9706212"


def chained(values: Sequence[Any]) -> str:
    """Return a file with these values, its hashes and its end as the guide says: what a careful forger would do."""
    digits, head, text = "", "", ""
    for value in values:
        if "head" in value:
            value = value | {"head": head, "entries": sum("kind" in each for each in values)}
        line = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        digits = hashlib.sha256(f"{digits}\n{line}".encode()).hexdigest()
        head = digits if "kind" in value else head
        text += f"{digits} {line}\n"
    return text


def values() -> list[Any]:
    return [json.loads(line.partition(" ")[2]) for line in LINES]


def payload(at: int, **changes: Any) -> list[Any]:
    """Return the values with other ones in the payload of line `at`, counted from 1."""
    changed = values()
    changed[at - 1]["payload"] |= changes
    return changed


def hand(seat: int, points: int) -> list[Any]:
    """Return the values with other points of a seat in the first hand."""
    hands = values()[4]["payload"]["hands"]
    hands[0]["points"][seat] = points
    return payload(5, hands=hands)


def without(*numbers: int) -> list[Any]:
    return [value for number, value in enumerate(values(), 1) if number not in numbers]


def rows(text: str) -> list[tuple[Any, ...]]:
    faults, entries, names = verify(text.encode())
    assert faults == []
    return [row[:4] for row in fold(entries, {}).standings(names)]


def test_the_file_of_the_guide_agrees_with_what_the_guide_says() -> None:
    assert chained(values()) == SHOWN
    assert rows(SHOWN) == [(1, "Beñat", 1, 35), (2, "Ana", 1, 37), (3, "Carmen", 1, 121)]


def test_a_code_in_the_middle_is_found_with_its_standings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After the fourth entry the sheet is entered, and the penalty is not there yet."""
    (tmp_path / "friday.event").write_text(SHOWN, encoding="utf-8")
    assert main([str(tmp_path / "friday.event"), LINES[4][:16]]) == 0
    now, then = capsys.readouterr().out.split(f"Code {LINES[4][:16]}, entry 4, result.enter")
    assert now.startswith(f"Code {CODE}, entry 7, ruling.add")
    assert "Carmen: 121 in 1 games, penalty 20" in now
    assert "Carmen: 101 in 1 games, penalty 0" in then


def test_a_code_that_no_entry_has_is_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The digits of header, people and end are no codes."""
    (tmp_path / "friday.event").write_text(SHOWN, encoding="utf-8")
    for code in ("0" * 16, LINES[0][:16], LINES[8][:16], LINES[-1][:16]):
        assert main([str(tmp_path / "friday.event"), code]) == 1
        assert f"no entry has the code {code}" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["none.event"], ["a", "b", "c"], ["a", "72f5"], ["a", CODE.upper()]])
def test_a_wrong_call_exits_with_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


CHAIN = "its digits do not follow"
TAMPERED: dict[str, tuple[Callable[[], str], str]] = {
    "a changed point": (lambda: SHOWN.replace("[25,0,31]", "[24,0,31]"), f"line 5: {CHAIN}"),
    "a changed name": (lambda: SHOWN.replace("Beñat", "Beñut"), f"line 10: {CHAIN}"),
    "a removed line": (lambda: "".join(f"{line}\n" for line in LINES if line != LINES[7]), f"line 8: {CHAIN}"),
    "reordered lines": (
        lambda: "".join(f"{line}\n" for line in (*LINES[:5], LINES[7], *LINES[5:7], *LINES[8:])),
        f"line 6: {CHAIN}",
    ),
    "cut off between lines": (lambda: "".join(f"{line}\n" for line in LINES[:8]), "line 8: the file has not one end"),
    "cut off in a line": (lambda: SHOWN[:-1], "line 12: it does not end with a line feed"),
    "Windows line ends": (lambda: SHOWN.replace("\n", "\r\n"), "line 1: it is not 64 digits"),
    "a blank in the JSON": (lambda: SHOWN.replace('"format":', '"format": ', 1), "line 1: it is not 64 digits"),
    "a key twice": (lambda: SHOWN.replace('{"format":', '{"format":1,"format":', 1), "line 1: it is not 64 digits"),
    "a fraction": (lambda: SHOWN.replace('"seed":"1"', '"seed":1.5'), "line 2: it is not 64 digits"),
    "a wrong sum": (lambda: chained(hand(0, 24)), "line 5: seat 0 has 35 points and 1 hands won, but by its hands 34"),
    "hands of another": (lambda: chained(payload(5, hands_won=[2, 0, 0])), "line 5: seat 0 has 35 points and 2"),
    "a wrong place": (lambda: chained(payload(5, places=[2, 1, 3])), "line 5: the places [2, 1, 3] do not follow"),
    "a seat too few": (
        lambda: chained(payload(4, tables=[{"table": 1, "players": [2, 1]}])),
        "line 5: the result has not as many seats as the table",
    ),
    "no draw": (lambda: chained(without(4)), "line 4: round 1 has no table 1"),
    "no entrants": (lambda: chained(without(3)), "line 3: somebody is seated twice, or not entered"),
    "a result twice": (
        lambda: chained([*values()[:5], values()[4] | {"id": "a" * 32, "batch": "a" * 32}, *values()[5:]]),
        "line 6: the table has a result already",
    ),
    "a result corrected that does not stand": (
        lambda: chained([*values()[:6], values()[4] | {"id": "a" * 32, "batch": "a" * 32, "kind": "result.correct"}]),
        "line 7: the table has no result",
    ),
    "an undo of nothing": (
        lambda: chained(payload(6, batch="f" * 32)),
        "line 6: the batch that it names is none to undo",
    ),
    "an undo of the event": (
        lambda: chained(payload(6, batch="1".rjust(32, "0"))),
        "line 6: the batch that it names is none to undo",
    ),
    "a redo of what stands": (lambda: chained(without(6)), "line 6: the batch that it names is none to redo"),
    "a ruling cancelled that is not there": (
        lambda: chained([*values()[:7], values()[7] | {"kind": "ruling.cancel"}, *values()[8:]]),
        "line 8: ruling 1 is not there",
    ),
    "a person missing": (
        lambda: chained([*values()[:10], values()[11] | {"people": 2}]),
        "line 11: an entrant is not among the people",
    ),
    "a kind of later versions": (
        lambda: chained([*values()[:7], values()[7] | {"kind": "event.guess"}, *values()[8:]]),
        "line 8: event.guess is not a kind of entry",
    ),
    "text for points": (lambda: chained(payload(8, points="many")), "its values are not such as the page describes"),
    "an id twice": (
        lambda: chained([*values()[:7], values()[7] | {"id": "5".rjust(32, "0")}, *values()[8:]]),
        "line 8: its id is not new",
    ),
    "another version": (lambda: chained([values()[0] | {"version": 2}, *values()[1:]]), "line 1: the file has not one"),
    "nothing": (lambda: "", "line 1: the file has not one header"),
}


@pytest.mark.parametrize(("make", "fault"), TAMPERED.values(), ids=TAMPERED)
def test_tampering_is_named(make: Callable[[], str], fault: str) -> None:
    faults, _, _ = verify(make().encode())
    assert any(fault in each for each in faults), faults
    assert all(re.match(r"line \d+: \S.*\Z", each) for each in faults)


def test_an_undone_result_counts_for_nobody() -> None:
    """Without the line of its redo the sheet does not stand; Carmen's penalty does, and nobody has a rank."""
    assert rows(chained(without(7))) == [(None, "Ana", 0, 0), (None, "Beñat", 0, 0), (None, "Carmen", 0, 20)]


def test_a_void_result_counts_for_nobody_and_a_cancelled_penalty_no_longer() -> None:
    voided = {"event": 1, "round": 1, "table": 1, "reason": ""}
    cancelled = {"event": 1, "ruling": 1, "reason": ""}
    more = [
        values()[7] | {"id": digit * 32, "batch": "a" * 32, "kind": kind, "payload": what}
        for digit, kind, what in (("a", "result.void", voided), ("b", "ruling.cancel", cancelled))
    ]
    assert rows(chained([*values()[:8], *more, *values()[8:]])) == [
        (None, "Ana", 0, 0),
        (None, "Beñat", 0, 0),
        (None, "Carmen", 0, 0),
    ]


def test_equal_points_share_a_place_or_the_closer_of_the_more_recent_hand_is_ahead() -> None:
    """With 27 points of Beñat in the first hand, he and Ana have 37: Ana closed the first hand, Beñat the second."""
    tied = hand(0, 27)[4]["payload"] | {"points": [37, 37, 101]}
    for places, right in (([1, 1, 3], True), ([1, 2, 3], True), ([2, 1, 3], False)):
        faults, _, _ = verify(chained(payload(5, **tied | {"places": places})).encode())
        assert (faults == []) is right
