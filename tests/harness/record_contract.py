"""Make `fixtures/contract/answers.json`: what the commands of `commands.toml` beside it answer programs.

It was made by the program of commit ac1db33, installed in an environment of its own, with

    old=/path/to/that/environment
    PYTHONPATH=$old/lib/python3.11/site-packages:. $old/bin/python -P -m tests.harness.record_contract --commit ac1db33

What programs read is a contract: that an answer has changed is a fault, and recording it anew is not its correction.
A file that is there is never replaced; for commands that are added later, remove it and record it whole, with the same
old program where that has them.
"""

import argparse
import shlex
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.harness.recorded import FIXTURES, answered, record, refuse_to_record, run, settled, words_of

FOLDER: Final = FIXTURES / "contract"
ANSWERS: Final = FOLDER / "answers.json"
SCENES: Final[dict[str, Any]] = {
    scene["name"]: scene for scene in tomllib.loads((FOLDER / "commands.toml").read_text(encoding="utf-8"))["scenes"]
}


def play(name: str, folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Run the commands of a scene in that folder, which is current; give each with its answer."""
    scene = SCENES[name]
    for file, text in scene.get("files", {}).items():
        (folder / file).write_text(text, encoding="utf-8")
    for command in scene["commands"]:
        known = {"line": command} if isinstance(command, str) else command
        words, form = words_of(known["line"])
        if "shown" in known:
            words, form = shlex.split(known["line"]), "shown"
        ran = run(*words, stdin=known.get("stdin", ""))
        if "keep" in known:
            (folder / known["keep"]).write_text(ran.out, encoding="utf-8")
        yield known["line"], answered(ran, form, folder)


def main() -> None:
    """Record the answers to every scene, if nothing is recorded yet."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--commit", required=True, help="the commit of the program")
    given = arguments.parse_args()
    refuse_to_record(ANSWERS)
    recorded = []
    for name in SCENES:
        with tempfile.TemporaryDirectory() as made, settled(Path(made)) as folder:
            recorded += [[name, line, answer] for line, answer in play(name, folder)]
    record(ANSWERS, given.commit, recorded)


if __name__ == "__main__":
    main()
