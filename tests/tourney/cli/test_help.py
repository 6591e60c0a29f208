"""Tests of the help pages: headings, sentences, examples, and the commands and options that there are."""

import re
import shlex
from pathlib import Path

import pytest

from tests.harness.commands import Runner, all_commands
from tourney.cli.framework import app
from tourney.cli.framework.help_pages import first_sentence, global_options
from tourney.domain.results import SheetHand
from tourney.files.sheet_toml import read_sheet

COMMANDS = dict(all_commands())
# The commands that exist; in the first line those without a verb.
PROMISED = """
    demo guide status standings ratings serve site desk undo redo log doctor
    player add list show rename publish merge erase import
    event new list show use set enter constrain checkin withdraw return finish reopen delete import
    event export presets rehearse simulate cut tie-breaks table-points
    season new set add remove delete list show standings
    round draw publish show move substitute dissolve cancel verify clock slips play
    print slips wall signs standings certificates season ratings rules
    result enter correct void show flag flags answer | ruling add penalty list cancel
    rating show history explain import pool pool/set verify predict quality compare noise whatif smooth peaks
    rating publish editions edition fame calibration
    rating source source/list source/remove alias alias/list alias/add alias/remove
    bot list new check replay
    league run list test resume join status record log why pilot part merge export import book
    record verify replay show
    seating plan judge advise
    club set show | db path check backup restore upgrade mirror mirror/add mirror/remove mirror/list
    rules list show diff check layoff arrange score ruling
"""


def promised() -> set[tuple[str, ...]]:
    """Return the words of every command in PROMISED."""
    without_verb, *rest = PROMISED.strip().split("\n")
    paths = {(word,) for word in without_verb.split()}
    for part in "|".join(rest).split("|"):
        noun, *verbs = part.split()
        paths |= {(noun,)} | {(noun, *verb.split("/")) for verb in verbs}
    return paths


def test_event_wish_is_a_hidden_alias_of_event_constrain() -> None:
    event = app.root().get_command(None, "event")
    alias, command = event.commands["wish"], event.commands["constrain"]
    assert alias.hidden
    assert [param.opts for param in alias.params] == [param.opts for param in command.params]


def test_the_command_line_has_the_promised_commands_and_no_others() -> None:
    assert set(COMMANDS) - {()} == promised()


def pages(*, groups: bool) -> list[tuple[str, ...]]:
    """Return the words of all groups, or of all commands that are not groups."""
    return [path for path, command in COMMANDS.items() if hasattr(command, "commands") == groups]


def typed(path: tuple[str, ...]) -> str:
    """Return the words of a command as they are typed."""
    return " ".join(("tourney", *path))


def test_every_noun_stands_under_exactly_one_heading(run: Runner) -> None:
    """The page lists every noun once, under the heading that it has in the table; the demo is the first."""
    names = [name for group in app.headings().values() for name in group]
    assert sorted(names) == sorted({path[0] for path in promised()})
    assert names[0] == "demo"
    page = run("-h").out
    for heading, group in app.headings().items():
        _before, _heading, section = page.partition(f"\n{heading}:\n")
        listed = re.findall(r"^  ([a-z]+) ", section.partition("\n\n")[0], re.MULTILINE)
        assert listed == list(group)


@pytest.mark.parametrize("path", pages(groups=True), ids=typed)
def test_a_page_lists_every_command_once_with_its_first_sentence(run: Runner, path: tuple[str, ...]) -> None:
    page = " ".join(run(*path, "-h").out.split())
    for words, command in COMMANDS.items():
        if words[:-1] == path and words != path:
            sentence = re.match(r".*?\.(?=\s|$)", " ".join(command.help.split()))
            assert sentence
            assert page.count(f" {words[-1]} {sentence[0]}") == 1


SENTENCE = re.compile(r"[A-Z].*[.]", re.DOTALL)
INSIDERS = re.compile(
    r"\b(entrants?|journal|certificate|digest|stdin|stdout|traceback|head|unless set|metavar)\b", re.IGNORECASE
)
"""Insiders' words, and phrases that `[default: …]` replaces."""


@pytest.mark.parametrize("path", COMMANDS, ids=typed)
def test_every_help_text_is_sentences_that_a_newcomer_knows(path: tuple[str, ...]) -> None:
    command = COMMANDS[path]
    texts = [command.help, *(param.help for param in command.params), *global_options().values()]
    for text in texts:
        assert text
        assert SENTENCE.fullmatch(text), text
        assert not INSIDERS.search(text), text


@pytest.mark.parametrize("path", COMMANDS, ids=typed)
def test_an_option_has_a_short_name_for_its_value_and_names_every_choice(path: tuple[str, ...]) -> None:
    """A list of choices in place of the name would leave no room for the help."""
    for param in COMMANDS[path].params:
        if not getattr(param, "is_flag", False):
            assert re.fullmatch(r"(\[EVENT\] ([A-Z]+ )*)?\[?[A-Z]+([:=,][A-Z]+)*(,?\.\.\.)?\]?", param.metavar or ""), (
                param.name
            )
        for choice in getattr(param.type, "choices", ()):
            assert re.search(rf"\b{re.escape(choice)}\b", param.help), f"{param.name}: {choice}"


@pytest.mark.parametrize("path", pages(groups=False), ids=typed)
def test_a_page_has_each_argument_and_option_with_its_help_and_default_once(
    run: Runner, monkeypatch: pytest.MonkeyPatch, path: tuple[str, ...]
) -> None:
    """Check a page of 50 columns: nothing is left out, cut or too wide."""
    monkeypatch.setenv("COLUMNS", "50")
    page, _heading, _examples = run(*path, "-h").out.partition("\nExample")
    assert max(len(line) for line in page.splitlines()) <= 50
    text = " ".join(page.split())
    rows = {"--help": "Show this page."} | global_options()
    for param in COMMANDS[path].params:
        name = param.opts[0] if param.param_type_name == "option" else param.metavar
        is_number = isinstance(param.default, int | float) and not isinstance(param.default, bool)
        has_default = param.show_default and (is_number or bool(param.default))
        note = f" [default: {param.default}]" if has_default and not param.required else ""
        note = " [required]" if param.required and name.startswith("--") else note
        value = f" {param.metavar}" if name.startswith("--") and param.metavar else ""
        rows[name + value] = " ".join(param.help.split()) + note
    for name, sentence in rows.items():
        assert text.count(f"{name} {sentence}") == 1, name
    assert text.count("[default: ") == sum("[default: " in sentence for sentence in rows.values())


EXAMPLES = [(path, line) for path in pages(groups=False) for line in (COMMANDS[path].epilog or "").splitlines()]


@pytest.mark.parametrize(("path", "line"), EXAMPLES, ids=[line for _path, line in EXAMPLES])
def test_an_example_is_a_command_line_of_its_page(path: tuple[str, ...], line: str) -> None:
    """Check that the command takes these arguments and options; `> file` is the shell's."""
    words = shlex.split(line.partition(" > ")[0])
    assert words[: len(path) + 1] == ["tourney", *path]
    COMMANDS[path].make_context(typed(path), words[len(path) + 1 :])


def test_the_examples_of_the_first_page_are_commands() -> None:
    for line in COMMANDS[()].epilog.splitlines():
        assert tuple(line.removesuffix(" -h").split()[1:]) in COMMANDS


def test_the_sheet_file_of_the_help_can_be_read(run: Runner, tmp_path: Path) -> None:
    lines = [line for line in run("result", "-h").out.splitlines() if line.startswith("    ") and "=" in line]
    (tmp_path / "sheet.toml").write_text("\n".join(["[[hands]]", *lines]), encoding="utf-8")
    (hand,) = read_sheet(tmp_path / "sheet.toml").hands
    assert hand == SheetHand("TT", {"Ana": -10, "Beñat": 35, "Carmen": 17}, "Ana", at_once=True)


def test_every_command_that_must_be_given_something_has_an_example() -> None:
    for path in pages(groups=False):
        assert path == ("demo",) or COMMANDS[path].epilog, path


@pytest.mark.parametrize("path", COMMANDS, ids=typed)
def test_h_and_help_print_the_same_page_of_eighty_columns(run: Runner, path: tuple[str, ...]) -> None:
    short, long = run(*path, "-h"), run(*path, "--help")
    assert short == long
    assert short.code == 0
    assert short.err == ""
    assert short.out.startswith(f"Usage: {typed(path)} ")
    assert max(len(line) for line in short.out.splitlines()) <= 80


def test_the_usage_line_shows_what_must_be_given(run: Runner) -> None:
    first = {path: run(*path.split(), "-h").out.partition("\n")[0] for path in ("event reopen", "event enter", "event")}
    assert first == {
        "event reopen": "Usage: tourney event reopen [EVENT] --reason TEXT [OPTIONS]",
        "event enter": "Usage: tourney event enter [EVENT] [PLAYER...] [OPTIONS]",
        "event": "Usage: tourney event COMMAND ...",
    }


def test_without_a_command_the_help_is_shown(run: Runner) -> None:
    assert run() == run("--help")


WHAT_PEOPLE_LOOK_FOR = [
    ("late", "event", "enter"),
    ("leave", "event", "withdraw"),
    ("wrong", "result", "correct"),
    ("print", "standings", ""),
    ("season", "ratings", ""),
    ("post", "round", "show"),
    ("penalty", "ruling", "add"),
    ("take back", "undo", ""),
    ("back up", "db", "backup"),
]


@pytest.mark.parametrize(("words", "noun", "verb"), WHAT_PEOPLE_LOOK_FOR, ids=[row[0] for row in WHAT_PEOPLE_LOOK_FOR])
def test_an_organiser_finds_the_command_by_their_own_words(words: str, noun: str, verb: str) -> None:
    """The first page leads to the noun, and the page of the noun to the verb."""
    assert words in app.nouns()[noun].sentence.lower()
    if verb:
        assert words in first_sentence(COMMANDS[noun, verb].help).lower()


def test_changes_have_a_dry_run_and_listings_a_format() -> None:
    """Changes have `--dry-run`, listings `--format`, `--json` and `--output`; what opens the database has `--db`."""
    changes = (
        "player add/player import/event new/event use/event enter/event constrain/event import/round draw/round play"
    )
    changes += "/round publish/round move/round dissolve/round cancel/round clock"
    changes += "/result enter/result correct/result void/rating import/rating publish/db upgrade/db restore/undo/redo"
    changes += (
        "/player rename/player merge/player erase/player publish/event set/event cut/event checkin/event withdraw"
    )
    changes += "/event return/event finish/event delete"
    changes += "/result flag/result answer/league join/event reopen/ruling add/ruling cancel/rating pool set"
    changes += "/rating source remove/rating alias add/rating alias remove"
    listings = (
        "player list/event list/ruling list/round draw/round publish/round show/round slips/round play/round verify"
    )
    listings += "/result show/standings/ratings/bot list/event presets/event simulate"
    listings += "/rating show/rating history/rating explain"
    listings += "/rating predict/rating quality/rating compare/rating noise/rating whatif/rating smooth/rating peaks"
    listings += "/rating editions/rating edition/rating fame/rating calibration"
    listings += "/rating source list/rating alias list"
    listings += "/rules list/rules show/record show/record replay/db check/doctor/log/guide"
    listings += "/seating plan/seating judge/seating advise/league run/league test/league join/league resume"
    listings += "/league list/league status/league why/league pilot/league merge"
    for path in changes.split("/"):
        assert "--dry-run" in options(path), path
    for path in listings.split("/"):
        assert {"--format", "--json", "--output", "--force"} <= options(path), path
    stored = ("player", "event", "round", "result", "ruling", "rating", "league", "db")
    for path, command in COMMANDS.items():
        groups = (("db", "mirror"), ("rating", "source"), ("rating", "alias"))
        if len(path) > 1 and path[0] in stored and path not in (("league", "pilot"), ("league", "part"), *groups):
            assert "--db" in options(" ".join(path)), path
        if path and not hasattr(command, "commands") and path not in (("demo",), ("serve",), ("desk",)):
            assert "--json" in options(" ".join(path)), path


def options(path: str) -> set[str]:
    """Return the options of a command, such as "player add"."""
    return {option for param in COMMANDS[tuple(path.split())].params for option in param.opts}
