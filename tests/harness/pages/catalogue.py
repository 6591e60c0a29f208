"""The catalogue of translations: `python -m tests.harness.pages.catalogue` brings it up to date with the sources.

All sentences of sources and templates are extracted into `tourney/locale/tourney.pot`, each translation gets the new
ones (untranslated, without guesses), loses those that are gone, and is compiled. Entries are in alphabetical order and
name no lines, so that two changes seldom conflict. Where they do, `python -m tests.harness.pages.catalogue --resolve`
makes the catalogue of both sides' translations, and the sources, of which the conflicts must be resolved before, say
which sentences stay.

Every translation is read once by somebody whose language it is, who asks only what sounds wrong or is not what players
say. `--unread` prints the entries that wait for that, by the file that shows them; `--read` records that all of these
were read, in a comment of each entry. The comment has a digest of sentence and translation: who changes one of them
makes the entry unread.
"""

import ast
import hashlib
import importlib.util
import io
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, get_args

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from tourney.bots.isolation.levels import LEVELS
from tourney.domain.events import SETTINGS
from tourney.domain.leagues import Design
from tourney.domain.seasons import SEASON_SETTINGS
from tourney.seating.formats import FORMATS
from tourney.text.i18n import CONTEXT

ROOT = Path(__file__).resolve().parents[3]
LOCALE = ROOT / "tourney" / "locale"
TEMPLATE = LOCALE / "tourney.pot"
WORDS_SHOWN = "tourney/text/typed_words.py"
"""The module that shows words of settings with their meaning."""
TEXT = "text"
PACKAGES = ("engine", "tourney")
CALLS = {"_": 1, "ngettext": 2, "marked": 1, "message": 1}
"""The functions whose texts are sentences, and the number of texts."""
IN_TEMPLATES = {"_": 1, "ngettext": 2, "pgettext": 2}
"""The functions whose texts are sentences in a template, and the number of texts."""
VALUES: dict[str, tuple[str, ...]] = {
    "Setting": (TEXT, TEXT, "metavar", "least", "most", "unset"),
    "Refusal": ("clause", TEXT),
    "Problem": ("hand", "seat", TEXT),
    "fail": ("seat", TEXT),
    "impossible": ("path", TEXT),
    "SeatingError": (TEXT,),
    "Bound": ("repeats", TEXT),
    "Format": ("name", TEXT),
    "irregularity": ("kind", TEXT),
    "moment": ("id", TEXT),
    "Remedy": (TEXT,),
    **dict.fromkeys(
        ("RatingError", "EngineError", "NotationError", "RulesError", "UnknownRules", "RecordError"), (TEXT, TEXT)
    ),
}
"""Values and errors of layers below the translation, by their arguments: TEXT where a sentence is, shown translated."""
NAMED = ("heading", "help", "unset", "reason", "hint")
"""The arguments with sentences, where they are given by name."""


def translations() -> list[Path]:
    """Return the catalogue of each language."""
    return sorted(LOCALE.glob("*/LC_MESSAGES/tourney.po"))


def template() -> Catalog:
    """Return the sentences of the sources."""
    catalogue = Catalog(project="tourney", charset="utf-8")
    for file, message in sorted(sentences(), key=lambda found: str(found[1])):
        catalogue.add(message, locations=[(file, 0)])
    return catalogue


def sentences() -> Iterator[tuple[str, str | tuple[str, ...]]]:
    """Yield the file and the text of every sentence; the text is a pair if there is a plural form."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            tree = ast.parse(path.read_bytes())
            constants = named_texts(tree)
            for node in ast.walk(tree):
                if isinstance(node, ast.Call):
                    file = path.relative_to(ROOT).as_posix()
                    yield from ((file, text) for text in texts_of(node, constants))
                    if getattr(node.func, "id", "") == "pgettext" and all(map(list, map(literals, node.args))):
                        yield file, CONTEXT.join(next(literals(argument)) for argument in node.args)

    for path in templates():
        yield from ((path.relative_to(ROOT).as_posix(), text) for text in sentences_of(path.read_bytes()))
    yield from ((WORDS_SHOWN, CONTEXT.join(word)) for word in typed_words())


def typed_words() -> dict[tuple[str, str], None]:
    """Return each word that people type for a setting behind the setting, which is its context."""
    chosen = [
        (name, choice)
        for settings in (SETTINGS, SEASON_SETTINGS)
        for name, setting in settings.items()
        for choice in setting.choices
    ]
    others = {"format": FORMATS, "design": get_args(Design), "isolation": LEVELS}
    return dict.fromkeys([*chosen, *((setting, word) for setting, words in others.items() for word in words)])


def templates() -> list[Path]:
    """Return the templates of web pages and of paper."""
    return sorted((ROOT / "tourney").rglob("*.html"))


def sentences_of(template: bytes) -> Iterator[str | tuple[str, ...]]:
    """Yield the sentences of a template as `sentences` has them."""
    options = {"silent": "false"}
    for _line, function, found, _comments in babel_extract(io.BytesIO(template), tuple(IN_TEMPLATES), (), options):
        if isinstance(found, str):
            yield found
        else:
            forms = tuple(text for text in found if text is not None)
            yield CONTEXT.join(forms) if function == "pgettext" else forms


def named_texts(tree: ast.Module) -> dict[str, str]:
    """Return the texts that are constants of a module, by name."""
    return {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }


def texts_of(call: ast.Call, constants: Mapping[str, str]) -> Iterator[str | tuple[str, ...]]:
    """Yield the sentences in a call of a function, or of a value's class."""
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    number = CALLS.get(name) if isinstance(call.func, ast.Name) and call.args else None
    if number == 1:
        yield from literals(call.args[0])
    elif number is not None and (forms := tuple(text for form in call.args[:number] for text in literals(form))):
        yield forms
    for kind, argument in zip(VALUES.get(name, ()), call.args, strict=False):
        if kind == TEXT:
            yield from literals(argument, constants)
    for word in call.keywords if name in VALUES else ():
        if word.arg in NAMED:
            yield from literals(word.value, constants)
    if name == "plural" and call.args:
        thing = next(literals(call.args[1]), "")
        yield f"{{number}} {thing}", f"{{number}} {thing}s"


def literals(node: ast.expr | None, constants: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """Yield the texts that an expression has as literals: one, or those between which a condition chooses."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*literals(node.body, constants), *literals(node.orelse, constants))
    elif isinstance(node, ast.Name) and node.id in constants:
        yield constants[node.id]


def written(catalogue: Catalog) -> bytes:
    """Return the text of a catalogue file, without what changes from day to day."""
    stream = io.BytesIO()
    write_po(stream, catalogue, width=0, sort_output=True, include_lineno=False, ignore_obsolete=True)
    dated = (b'"POT-Creation-Date', b'"PO-Revision-Date', b'"Generated-By', b'"Last-Translator', b'"Report-Msgid')
    return b"".join(line for line in stream.getvalue().splitlines(keepends=True) if not line.startswith(dated))


def read(path: Path) -> Catalog:
    """Return the catalogue in a file."""
    with path.open("rb") as file:
        return read_po(file, locale=None if path == TEMPLATE else path.parts[-3])


def updated(path: Path, current: Catalog) -> Catalog:
    """Return a translation with exactly the sentences of the template."""
    catalogue = read(path)
    catalogue.update(current, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    for message in catalogue:
        message.user_comments = [note for note in message.user_comments if note == reading(message)]
    return catalogue


def reading(message: Message) -> str:
    """Return the comment that records a reading of an entry as it is now."""
    content = "\0".join((*texts(message.id), *texts(message.string)))
    return f"read {hashlib.sha256(content.encode()).hexdigest()[:8]}"


def unread(catalogue: Catalog) -> list[Message]:
    """Return the translated entries whose reading is not recorded, by the file that shows them."""
    waiting = (message for message in catalogue if message.id and all(texts(message.string)))
    return sorted(
        (message for message in waiting if reading(message) not in message.user_comments),
        key=lambda message: (message.locations, texts(message.id)),
    )


def to_read(catalogue: Catalog) -> str:
    """Return the unread entries as text, the sentence above its translation."""
    return "".join(
        "\n".join((f"# {file}", *texts(message.id), *texts(message.string), "\n"))
        for message in unread(catalogue)
        for file, _line in message.locations[:1]
    )


def record_reading(path: Path) -> None:
    """Record that every translated entry of a catalogue was read."""
    catalogue = read(path)
    for message in unread(catalogue):
        message.user_comments = [reading(message)]
    path.write_bytes(written(catalogue))


def hook() -> ModuleType:
    """Return the module of the build hook, which compiles catalogues and is not installed."""
    spec = importlib.util.spec_from_file_location("hook", ROOT / "engine" / "_compile.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def resolve(path: Path) -> None:
    """Write the translations of both sides of a merge, if the file is in conflict."""
    if _git("ls-files", "--unmerged", str(path)):
        base, ours, theirs = (read_po(io.BytesIO(_side(path, number)), locale=path.parts[-3]) for number in (1, 2, 3))
        path.write_bytes(written(merged(base, ours, theirs)))


def merged(base: Catalog, ours: Catalog, theirs: Catalog) -> Catalog:
    """Return our catalogue with the translations and readings that are changed in theirs, whose changes count first."""
    for message in theirs:
        before = base.get(message.id, message.context) if message.id else message
        is_changed = before is None or _translation(before) != _translation(message)
        if is_changed and any(texts(message.string)):
            ours.delete(message.id, message.context)
            ours.add(message.id, message.string, message.locations, message.flags, (), message.user_comments)
    return ours


def _translation(message: Message) -> tuple[object, ...]:
    return message.string, message.user_comments


def _side(path: Path, number: int) -> bytes:
    """Return the file as git keeps it on one side of a conflict."""
    return _git("show", f":{number}:{path.relative_to(ROOT).as_posix()}")


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout


def main(conflicting: bool) -> None:
    """Extract, update and compile, and print how many sentences wait for a translation."""
    if conflicting:
        for path in translations():
            resolve(path)
    current = template()
    TEMPLATE.write_bytes(written(current))
    for path in translations():
        path.write_bytes(written(updated(path, current)))
        catalogue = read(path)
        waiting = sum(1 for message in catalogue if message.id and not all(texts(message.string)))
        counts = f"{len(current)} sentences, {waiting} without a translation, {len(unread(catalogue))} not read"
        sys.stdout.write(f"{path.parts[-3]}: {counts}\n")
    hook().write_catalogues(ROOT, ROOT)


def texts(string: Any) -> tuple[str, ...]:
    """Return the forms of a message or of its translation."""
    return (string,) if isinstance(string, str) else tuple(string)


if __name__ == "__main__":
    if "--unread" in sys.argv[1:]:
        sys.stdout.writelines(to_read(read(path)) for path in translations())
    else:
        if "--read" in sys.argv[1:]:
            for path in translations():
                record_reading(path)
        main("--resolve" in sys.argv[1:])
