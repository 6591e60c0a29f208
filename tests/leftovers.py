"""End what a run of tests leaves behind, however it ends: all files of a run and its programs belong to one folder.

A process of its own waits for the end of the run, which may be killed. Its input is a pipe that nobody writes to, and
that ends with the run. It then ends every program whose variables, command or folder name the folder of the run.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from time import monotonic, sleep

OWN_SECONDS = 2.0
"""The time that programs of a run have to end by themselves: some end others, and remove what these have made."""

_waiting: list["subprocess.Popen[bytes]"] = []
"""The process that waits for the end of this run: without this reference its pipe would end."""


def temporary_folder(parent: str | None) -> str:
    """Make the folder for the temporary files of this run and its programs, which ends with the run."""
    folder = tempfile.mkdtemp(prefix="tests-", dir=parent)
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = [sys.executable, "-I", __file__, folder]
    # Neither Ctrl-C nor a closed terminal reaches another group; in another session it would be an orphan of bots.
    _waiting.append(subprocess.Popen(command, stdin=subprocess.PIPE, cwd=os.sep, process_group=0, **silent))
    return folder


def main(folder: str) -> None:
    """Wait for the end of the run, then end its programs and delete its folder."""
    import psutil

    def belongs(process: psutil.Process) -> bool:
        with suppress(psutil.Error):
            words = " ".join((*process.environ().values(), *process.cmdline(), process.cwd()))
            return folder in words and process.pid != os.getpid() and process.status() != psutil.STATUS_ZOMBIE
        return False

    sys.stdin.buffer.read()
    until = monotonic() + OWN_SECONDS
    while processes := list(filter(belongs, psutil.process_iter())):
        for process in processes if monotonic() > until else ():
            with suppress(psutil.Error):
                process.kill()
        sleep(0.02)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1])
