"""The columns that tables hide for lack of room at a terminal of 80 columns, in any language.

`python -m tests.harness.pages.columns LANGUAGE PART …` runs the commands of these parts in a process of its own, since
help texts keep the language of the start, and prints the keys of the columns that each command hides as JSON. With the
pseudo-language this shows whether longer sentences cost a table a column that matters: headings are never divided, so
that a longer language may lose those that are less important.
"""

import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from tests.harness.pages import pseudo
from tests.harness.pages.pseudo import Shown, printed


def scenes(folder: Path) -> Iterator[Shown]:
    """Yield the commands of which programs read the output, with what people see; each scene has its own database."""
    from tests.harness.recorded import FIXTURES, SCENES

    for number, (name, scene) in enumerate(SCENES.items()):
        place = folder / str(number)
        place.mkdir()
        for file, text in scene.get("files", {}).items():
            (place / file).write_text(text, encoding="utf-8")
        for command in scene["commands"]:
            options = {"line": command} if isinstance(command, str) else command
            words = [word.replace("FIXTURES", str(FIXTURES)) for word in shlex.split(options["line"])]
            text = printed(words, str(place / "club.db"), place, options.get("stdin", ""))
            if "keep" in options:
                (place / options["keep"]).write_text(text, encoding="utf-8")
            yield Shown(f"{name}: {options['line']}", text, frozenset())


PARTS: Final = {"documented": pseudo.documented, "scenes": scenes}


def hidden(part: str, least: int) -> list[tuple[str, list[str]]]:
    """Return every command of a part with the keys of the columns up to priority `least` that its tables hide."""
    from tourney.reports.render import page

    keys: list[str] = []
    tell_hidden = page._hidden

    def keeping(columns: Sequence[Any], medium: page.Medium) -> Any:
        keys.extend(column.key for column in columns if column.priority <= least)
        return tell_hidden(columns, medium)

    vars(page)["_hidden"] = keeping
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for shown in PARTS[part](Path(folder)):
            found.append((shown.command, list(keys)))
            keys.clear()
    return found


def run(language: str, part: str) -> list[tuple[str, list[str]]]:
    """Return the commands of a part with the columns that they hide in a language, from a process of its own."""
    words = [sys.executable, "-m", "tests.harness.pages.columns", language, part]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return [(command, keys) for command, keys in json.loads(done.stdout)]


if __name__ == "__main__":
    least = 9
    if sys.argv[1] == pseudo.LANGUAGE:
        pseudo.install()
        least = 1
    else:
        from tourney.text.i18n import speak

        speak(sys.argv[1])
    sys.stdout.write(json.dumps(hidden(sys.argv[2], least), ensure_ascii=False))
