"""Tests of the campaigns: each in small every night, and what they say where nothing was tried."""

import os
from pathlib import Path

import pytest

from tests.campaigns import __main__ as campaigns
from tests.campaigns import hostile_bots
from tests.campaigns.campaign import Campaign, LackingError, Result

PARTS = {
    "killed": 0.03,
    "lost-power": 0.05,
    "damaged": 0.03,
    "forged": 0.3,
    "writers": 0.03,
    "full-disk": 0.1,
    "refused": 0.1,
    "set-clock": 0.1,
    "long-life": 0.02,
    "mutated-inputs": 0.02,
    "hostile-bots": 0.05,
    "machines": 0.04,
    "attacks": 0.03,
}


def test_every_campaign_runs_every_night() -> None:
    assert PARTS.keys() == campaigns.CAMPAIGNS.keys()


@pytest.mark.soak
@pytest.mark.parametrize("name", PARTS)
def test_a_campaign_in_small_keeps_its_promise(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    if name == "full-disk" and os.geteuid() != 0:
        pytest.skip("only root can mount a small file system")
    assert campaigns.main([name, "--part", str(PARTS[name])]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("words", [["nonsense"], ["writers", "--part", "0"], ["writers", "--part", "2"]])
def test_a_campaign_that_does_not_exist_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        campaigns.main(words)
    assert ended.value.code == 2
    assert "error: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("results", "code"),
    [
        ([Result(5, "well")], 0),
        ([Result(5, "well"), Result(5, "ill", ("case 3",))], 1),
        ([Result(0, "nothing")], 1),
    ],
)
def test_only_what_was_tried_without_a_fault_is_a_pass(
    results: list[Result], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(campaigns, "CAMPAIGNS", {"x": Campaign("x", lambda _part, _seed: results)})
    assert campaigns.main([]) == code
    assert capsys.readouterr().out.count("| x |") == len(results)


def test_a_machine_that_lacks_something_is_no_pass(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_part: float, _seed: int) -> list[Result]:
        raise LackingError("no disk")

    monkeypatch.setattr(campaigns, "CAMPAIGNS", {"x": Campaign("x", run)})
    assert campaigns.main([]) == 3
    assert capsys.readouterr() == ("", "error: x was not tried: no disk\n")


LACKING = {
    "bubblewrap": ("BUBBLEWRAP", Path("/nowhere/bwrap")),
    "wasmtime": ("find_spec", lambda _name: None),
    "a compiler for WebAssembly": ("_compiles", lambda: False),
}


@pytest.mark.parametrize("lacking", LACKING)
def test_hostile_bots_are_not_tried_where_a_wall_is_missing(
    lacking: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for part, (name, value) in LACKING.items():
        found = {"BUBBLEWRAP": Path("/"), "find_spec": lambda _name: True, "_compiles": lambda: True}[name]
        monkeypatch.setattr(hostile_bots, name, value if part == lacking else found)
    assert campaigns.main(["hostile-bots"]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: hostile-bots was not tried: {lacking} is needed")
    assert err.count("\n") == 1
