"""Tests of the hostile modules of the proof: each is stopped here, and gets through where nothing stops it."""

from pathlib import Path

import pytest
import wasmtime

from tourney.bots.wasm import engine as engines
from tourney.bots.wasm import proof
from tourney.bots.wasm.proof_run import prove_modules


def test_no_hostile_module_gets_through(tmp_path: Path) -> None:
    journal = tmp_path / "club.db"
    journal.write_text("journal")
    found = dict(proof.tried(str(journal), str(journal)))
    assert len(found) >= 24
    assert [name for name, through in found.items() if through] == [proof.CONTROL]


def test_the_proof_before_a_league_tries_every_module_and_the_walls_of_the_launcher(tmp_path: Path) -> None:
    journal = tmp_path / "club.db"
    journal.write_text("journal")
    assert prove_modules(str(journal), ()) == ()


OPEN_ELSEWHERE = ("free calls", "a large table", "two memories", "exceptions", "objects")


@pytest.mark.parametrize("name", OPEN_ELSEWHERE)
def test_the_hostile_modules_get_through_an_engine_with_everything(name: str) -> None:
    """The engine's calls are free, and it knows proposals beyond WebAssembly 2.0."""
    config = wasmtime.Config()
    for proposal in engines.NOT_STANDARD:
        if proposal != "stack_switching":  # not on every machine
            setattr(config, f"wasm_{proposal}", True)
    engine = wasmtime.Engine(config)
    store, linker, said = wasmtime.Store(engine), wasmtime.Linker(engine), []
    loaded = wasmtime.Module(engine, proof.probes("journal", "bot")[name])
    for wanted in loaded.imports:
        assert wanted.name is not None
        assert isinstance(wanted.type, wasmtime.FuncType)
        answer = said.append if wanted.name == "fd_write" else None
        linker.define_func(
            wanted.module, wanted.name, wanted.type, lambda *given, answer=answer: answer(given) or 0 if answer else 0
        )
    start = linker.instantiate(store, loaded).exports(store)["_start"]
    assert isinstance(start, wasmtime.Func)
    start(store)
    assert len(said) == 1


GET_THROUGH = ("journal", "another bot", "processes", "folders", "writing", "environment", "clock")


@pytest.mark.parametrize("name", GET_THROUGH)
def test_the_hostile_modules_get_through_where_a_host_lets_them(name: str, tmp_path: Path) -> None:
    """All modules, with the engine's own system, with folders, environment and clock."""
    (tmp_path / "club.db").write_text("journal")
    engine, wasi = wasmtime.Engine(), wasmtime.WasiConfig()
    wasi.preopen_dir("/" if name == "processes" else str(tmp_path), "/")
    wasi.env = [("SECRET", "1")]
    output = tmp_path / "output"
    wasi.stdout_file = str(output)
    store, linker = wasmtime.Store(engine), wasmtime.Linker(engine)
    store.set_wasi(wasi)
    linker.define_wasi()
    text = proof.probes("club.db", "club.db")[name]
    instance = linker.instantiate(store, wasmtime.Module(engine, text))
    start = instance.exports(store)["_start"]
    assert isinstance(start, wasmtime.Func)
    start(store)
    assert output.read_text().startswith("open\n")


def test_every_hostile_module_is_a_module() -> None:
    """A mistake in its text would be refused, too, and look like a wall."""
    for name, text in proof.probes("journal", "bot").items():
        assert wasmtime.wat2wasm(text).startswith(b"\0asm"), name
