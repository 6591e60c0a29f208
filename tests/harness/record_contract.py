"""Make `fixtures/contract/answers.json`: the machine-readable output of the commands of `commands.toml` beside it.

The program of commit ac1db33, installed in an environment of its own, made the file with

    old=/path/to/that/environment
    PYTHONPATH=$old/lib/python3.11/site-packages:. $old/bin/python -P -m tests.harness.record_contract --commit ac1db33

Machine-readable output is a contract: a changed answer is a fault, and recording it again does not correct it. An
existing file is never replaced. After adding commands, remove it and record everything, with the same old program if
that has these commands.
"""

import argparse
import shlex
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.harness.recorded import FIXTURES, answer_of, record, refuse_to_record, run, words_of, working_in

FOLDER: Final = FIXTURES / "contract"
ANSWERS: Final = FOLDER / "answers.json"
SCENES: Final[dict[str, Any]] = {
    scene["name"]: scene for scene in tomllib.loads((FOLDER / "commands.toml").read_text(encoding="utf-8"))["scenes"]
}


def play(name: str, folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Run the commands of a scene in `folder`, the current one; yield each command line with its answer."""
    scene = SCENES[name]
    for file, text in scene.get("files", {}).items():
        (folder / file).write_text(text, encoding="utf-8")
    for command in scene["commands"]:
        options = {"line": command} if isinstance(command, str) else command
        words, form = words_of(options["line"])
        if "shown" in options:
            words, form = shlex.split(options["line"]), "shown"
        ran = run(*words, stdin=options.get("stdin", ""))
        if "keep" in options:
            (folder / options["keep"]).write_text(ran.out, encoding="utf-8")
        yield options["line"], answer_of(ran, form, folder)


def main() -> None:
    """Record the answers of every scene, if nothing is recorded yet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commit", required=True, help="the commit of the program")
    arguments = parser.parse_args()
    refuse_to_record(ANSWERS)
    recorded = []
    for name in SCENES:
        with tempfile.TemporaryDirectory() as temporary, working_in(Path(temporary)) as folder:
            recorded += [[name, line, answer] for line, answer in play(name, folder)]
    record(ANSWERS, arguments.commit, recorded)


if __name__ == "__main__":
    main()
