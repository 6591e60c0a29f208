"""Run a case of bad input again: `python -m tests.harness.bad_input SEED TURN [dialogue]`, on a database of its own."""

import os
import sys
import tempfile
from itertools import islice
from pathlib import Path

from tests.harness import desk
from tests.harness.bad_input.cases import cases, dialogues
from tests.harness.bad_input.running import answer, command_of, faults

if __name__ == "__main__":
    seed, turn = map(int, sys.argv[1:3])
    chosen = dialogues if sys.argv[3:] else cases
    case = next(islice(chosen(seed, turn + 1), turn, None))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TOURNEY_DB"] = desk.everything(Path(folder) / "club.db")
        os.chdir(folder)
        Path("kept.db").write_bytes(Path("club.db").read_bytes())
        found = answer(case, Path(folder))
        os.chdir("/")
    shown = (command_of(case), case.files, case.typed, found, *faults(case, found))
    sys.stdout.write("".join(f"{part}\n" for part in shown))
