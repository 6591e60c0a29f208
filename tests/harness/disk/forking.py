"""Fork commands on request: each line of standard input is an order, each line of standard output the answer to one.

An order starts a command, and is answered with the number of its process, or waits for one, and is answered with its
exit code. Modules that a command had to import are imported here afterwards, for the next.
"""

import importlib
import json
import os
import sys
import warnings
from contextlib import suppress
from ctypes import CDLL, c_char_p, c_int, c_long
from pathlib import Path
from typing import Any

from tests.harness.commands import all_commands
from tests.harness.unprivileged import obey_permissions
from tourney import cli


def main() -> None:
    """Answer every order, until there are no more."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    list(all_commands())
    for line in sys.stdin:
        order = json.loads(line)
        answers.write(f"{_waited(order) if 'wait' in order else _started(order)}\n")
        answers.flush()


def _started(order: dict[str, Any]) -> int:
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        code = _run(order)
    finally:
        os._exit(code)


def _run(order: dict[str, Any]) -> int:
    known, output = set(sys.modules), order["output"]
    for stream, name in ((0, os.devnull), (1, f"{output}.out"), (2, f"{output}.err")):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT, 0o644), stream)
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(stream, mode) for stream, mode in enumerate(("r", "w", "w")))
    os.chdir(order["folder"])
    os.environ |= {"TOURNEY_DB": f"{order['folder']}/club.db", "XDG_DATA_HOME": order["home"], **order["shim"]}
    _arm(order["shim"])
    if order["obeys"]:
        obey_permissions()
    warnings.resetwarnings()
    sys.argv = ["tourney", *order["words"]]
    try:
        cli.run()
    except SystemExit as ended:
        code = int(ended.code or 0)
    sys.stdout.flush()
    sys.stderr.flush()
    new = "\n".join(set(sys.modules) - known)
    Path(f"{output}.modules").write_text(new, encoding="utf-8")
    return code


def _arm(shim: dict[str, str]) -> None:
    loaded = CDLL(None)
    loaded.shim_set.argtypes = [c_char_p, c_char_p, c_long, c_int, c_long]
    folder, log, kill, when, clock = (shim[f"SHIM_{name}"] for name in ("ROOT", "LOG", "KILL", "HOW", "CLOCK"))
    loaded.shim_set(folder.encode(), log.encode(), int(kill), int(when), int(clock))


def _waited(order: dict[str, Any]) -> int:
    _pid, status = os.waitpid(order["wait"], 0)
    modules = Path(f"{order['output']}.modules")
    if modules.exists():
        for name in modules.read_text(encoding="utf-8").split():
            with suppress(ImportError):
                importlib.import_module(name)
        modules.unlink()
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    main()
