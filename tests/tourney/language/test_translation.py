"""Tests that all sentences go through gettext, so that another language needs only a catalogue."""

import ast
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import tourney
from tourney.text import i18n
from tourney.text.i18n import ngettext
from tourney.text.sanitize import quote_argument, sanitize

PACKAGE = Path(tourney.__file__).parent
SHOWN = sorted(
    path for room in ("cli", "files", "reports", "rulebook", "service") for path in (PACKAGE / room).rglob("*.py")
)


def compiled_catalogue(sentences: dict[str, str]) -> bytes:
    """Return a catalogue as msgfmt writes it: two tables of lengths and offsets, then the texts, each ended by NUL."""
    head = {"": "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n != 1;\n"}
    pairs = sorted({**head, **sentences}.items())
    count, begin = len(pairs), 28 + 16 * len(pairs)
    tables, texts = b"", b""
    for column in (0, 1):
        for pair in pairs:
            raw = pair[column].encode()
            tables += struct.pack("<II", len(raw), begin + len(texts))
            texts += raw + b"\0"
    return struct.pack("<7I", 0x950412DE, 0, count, 28, 28 + 8 * count, 0, begin) + tables + texts


@pytest.fixture
def spanish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use a Spanish catalogue of two sentences."""
    folder = tmp_path / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    plural = {"{number} player\0{number} players": "{number} jugador\0{number} jugadores"}
    (folder / "tourney.mo").write_bytes(compiled_catalogue({"interrupted": "interrumpido", **plural}))
    monkeypatch.setattr(i18n, "LOCALE", str(tmp_path))
    i18n._read.cache_clear()
    i18n._catalogue.cache_clear()
    with i18n.speaking("es"):
        yield
    i18n._read.cache_clear()
    i18n._catalogue.cache_clear()


@pytest.mark.usefixtures("spanish")
def test_a_catalogue_translates_sentences_and_plurals() -> None:
    from tourney.reports.people import counted

    assert i18n._("interrupted") == "interrumpido"
    assert [counted(number) for number in (0, 1, 2)] == ["0 jugadores", "1 jugador", "2 jugadores"]
    assert i18n._("a sentence that nobody has translated") == "a sentence that nobody has translated"


def test_without_a_catalogue_sentences_are_english() -> None:
    assert ngettext("{n} game", "{n} games", 1) == "{n} game"
    assert ngettext("{n} game", "{n} games", 0) == "{n} games"


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_every_sentence_that_people_see_is_passed_to_gettext(path: Path) -> None:
    """Check that errors, reports and help have no text of several words outside a call of gettext."""
    arguments = [node.lineno for call in calls(path) for node in call.args if is_sentence(node)]
    keywords = [
        node.value.lineno
        for call in calls(path)
        for node in call.keywords
        if node.arg != "look" and is_sentence(node.value)
    ]
    assert [*arguments, *keywords] == []


def test_the_search_finds_the_calls_and_sentences_outside_gettext(tmp_path: Path) -> None:
    assert sum(1 for path in SHOWN for _call in calls(path)) > 100
    fake = tmp_path / "fake.py"
    fake.write_text('TourneyError(1, f"no {x} here", hint="look again"); Report(_("all well"))', encoding="utf-8")
    outside_gettext = [
        call for call in calls(fake) if any(map(is_sentence, [*call.args, *(word.value for word in call.keywords)]))
    ]
    assert len(outside_gettext) == 1


def calls(path: Path) -> Iterator[ast.Call]:
    """Yield the calls of a module whose texts people read."""
    names = {"TourneyError", "Report", "Field", "Option", "Argument", "command", "callback", "Typer", "_lines"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in names:
                yield node


def is_sentence(node: ast.expr) -> bool:
    """Return whether the node is a text of several words, plain or an f-string."""
    if isinstance(node, ast.JoinedStr):
        return any(is_sentence(part) for part in node.values)
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip()


def test_a_name_with_blanks_is_quoted() -> None:
    assert (quote_argument("Friday"), quote_argument("Friday 20")) == ("Friday", '"Friday 20"')


@pytest.mark.parametrize(
    "name",
    ["Ana", "Ana María", "O'Hara", 'Ana "la"', "$HOME", "`id`", "a;b", "a&b", "*", "~", "a\\b", "¡hola!", "(x)", ""],
)
def test_a_quoted_name_reaches_a_program_unchanged(name: str) -> None:
    """A shell hands the argument on as it was."""
    printed = subprocess.run(
        ["sh", "-c", f"printf %s {quote_argument(name)}"], capture_output=True, text=True, check=True
    )
    assert printed.stdout == name


@pytest.mark.parametrize(
    ("template", "commands"),
    [
        ("see it with `tourney standings {name}`", ("tourney standings {name}",)),
        ("{name}: `{command}`", ("tourney undo",)),
        ("give {name} with --round", ()),
        ("{name} is here", None),
        ("did you mean {name}? Otherwise {hint}", ("tourney log {name}",)),
    ],
)
@pytest.mark.parametrize("name", ["Ana", "Hugo D`Or", "Bo --x", "`tourney undo`"])
def test_no_name_decides_whether_a_sentence_is_for_a_terminal(
    template: str, commands: tuple[str, ...] | None, name: str
) -> None:
    """The template decides, or another sentence in it; a name neither makes a command nor breaks one."""
    hint = i18n._("see it with `tourney log {name}`").format(name=name)
    said = i18n.fill(i18n._(template), name=name, hint=hint, command="tourney undo")
    assert i18n.for_terminal(said) is (commands is not None)
    assert i18n.commands_in(said) == tuple(each.format(name=name) for each in commands or ())


def test_control_characters_are_spelled_out() -> None:
    assert sanitize("a\x1b[31mb\nc\u202e") == "a\\x1b[31mb\\x0ac\\u202e"
    assert sanitize("\u200e\u200f\u061c\u200b\ufeff\U000e0041\xad") == (
        "\\u200e\\u200f\\u061c\\u200b\\ufeff\\U000e0041\\xad"
    )
    assert sanitize("Beñat 王 ♠ 1\xa0000") == "Beñat 王 ♠ 1\xa0000"


def test_a_word_with_two_meanings_has_two_translations() -> None:
    """A mirror is `completo`, a table `completa`; English has the word alone."""
    with i18n.speaking("es"):
        assert (i18n.pgettext("of a mirror", "complete"), i18n._("complete")) == ("completo", "completa")
        assert i18n.pgettext("of nothing known", "complete") == "complete"
    with i18n.speaking("en"):
        assert i18n.pgettext("of a mirror", "complete") == "complete"
