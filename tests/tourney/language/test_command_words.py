"""Spanish words typed as commands and pages of the guide: the English one is suggested, and nothing is run."""

import pytest

from tests.harness.commands import Runner, all_commands
from tourney.domain.errors import ExitCode
from tourney.service.admin import guide
from tourney.text.command_words import spanish_words
from tourney.text.i18n import speaking

COMMANDS = {" ".join(path) for path, _command in all_commands()}
SUGGESTED = {
    "sorteo": "tourney round draw",
    "sortea": "tourney round draw",
    "torneo nuevo": "tourney event",
    "event nuevo": "tourney event new",
    "jugador": "tourney player",
    "clasificación": "tourney standings",
    "clasificacion": "tourney standings",
    "ayuda": "tourney -h",
    "help": "tourney -h",
    "event ayuda": "tourney event -h",
    "print lista": "tourney print wall",
    "player lista": "tourney player list",
    "copia": "tourney db backup",
    "standing": "tourney standings",
}


@pytest.mark.parametrize("typed", SUGGESTED)
def test_a_spanish_word_suggests_the_english_command(capsys: pytest.CaptureFixture[str], typed: str) -> None:
    """The nearest English word of `sorteo` is `redo`, which changes the event."""
    done = Runner(capsys)(*typed.split(), "--lang", "es")
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    assert done.err.splitlines()[1].endswith(f": ¿querías decir `{SUGGESTED[typed]}`?")


def test_a_page_of_the_guide_is_found_by_its_spanish_name(capsys: pytest.CaptureFixture[str]) -> None:
    done = Runner(capsys)("guide", "velada", "--lang", "es")
    assert done.code == ExitCode.NOT_FOUND
    assert "¿querías decir club-evening?" in done.err


def test_every_page_of_the_guide_and_every_noun_has_a_spanish_word() -> None:
    with speaking("es"):
        pages = {page.name for page in guide.pages()}
    assert set(spanish_words("guide").values()) == {*pages, "-h"}
    nouns = {command for command in COMMANDS if command and " " not in command}
    assert nouns <= set(spanish_words("").values())


@pytest.mark.parametrize("noun", sorted({"", *(path.rpartition(" ")[0] for path in COMMANDS)}))
def test_every_suggested_command_exists_and_no_word_is_a_command(noun: str) -> None:
    verbs = {path.removeprefix(f"{noun} ") for path in COMMANDS if path.startswith(f"{noun} ")} if noun else COMMANDS
    words = spanish_words(noun)
    assert set(words.values()) <= {*verbs, "-h"}
    assert not words.keys() & verbs
