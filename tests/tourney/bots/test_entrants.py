"""Entrants by their texts: built-in bots with parameters, Python classes, entrants files, and refusals of all these."""

import sys
from hashlib import sha256
from pathlib import Path

import pytest

from engine.bots import canonical_bot, make_bot, read_bot
from engine.bots.planner import ABILITIES, PlannerBot
from engine.errors import EngineError
from engine.games.contract_game import ContractGame
from engine.rules import load_rules
from tests.harness import desk
from tests.harness.bots.own_bots import MINE, write_bot
from tourney.bots import play
from tourney.bots.python_class import load_class
from tourney.bots.roster import Roster, check_files, entrants_of, read_roster
from tourney.domain.errors import ExitCode
from tourney.domain.leagues import OutsideBot


def digest(text: str) -> str:
    """Return the SHA-256 of a text."""
    return sha256(text.encode()).hexdigest()


CANONICAL = {
    "planner": "planner",
    "planner?guarding=on": "planner",
    "planner?guarding=off": "planner?guarding=off",
    "planner?guarding=no&buying=false": "planner?buying=off&guarding=off",
    "planner?counting=off&guarding=TRUE": "planner?counting=off",
}


@pytest.mark.parametrize("text", CANONICAL)
def test_parameters_have_one_text_without_defaults(text: str) -> None:
    assert canonical_bot(text) == CANONICAL[text]
    assert read_roster([text], Path()) == Roster((CANONICAL[text],))


def test_a_parameter_leaves_out_an_ability() -> None:
    """Four abilities on or off decide as the same bot made by hand, in a whole hand."""
    rules = load_rules("oficial")
    for text, missing in (
        ("planner?guarding=off", {"guarding"}),
        ("planner?buying=off&counting=off", {"buying", "counting"}),
    ):
        hand = ContractGame(rules, 3, "abilities").next_hand()
        named = [make_bot(text, "x") for _ in range(3)]
        made = [PlannerBot(frozenset(ABILITIES - missing)) for _ in range(3)]
        while not hand.over:
            seat = hand.actor
            action = named[seat].choose(hand.view(seat), hand.legal)
            assert action == made[seat].choose(hand.view(seat), hand.legal)
            hand.apply(action)


WRONG_PARAMETERS = {
    "planner?speed=3": "parameters are: buying=on, counting=on, guarding=on",
    "greedy?guarding=off": "this bot has none",
    "planner?guarding": "no value",
    "planner?guarding=maybe": "on or off",
    "planner?guarding=off&guarding=on": "twice",
    "planner?": "",
    "planner?=": "parameters are",
}


@pytest.mark.parametrize("text", [text for text in WRONG_PARAMETERS if WRONG_PARAMETERS[text]])
def test_other_parameters_are_refused_with_the_list(text: str) -> None:
    with pytest.raises(EngineError, match=WRONG_PARAMETERS[text]):
        read_bot(text)
    with desk.refused(ExitCode.USAGE, WRONG_PARAMETERS[text], "?name=value"):
        read_roster([text], Path())


def test_a_class_of_a_file_is_named_by_its_path_and_known_by_its_digest(tmp_path: Path) -> None:
    write_bot(tmp_path / "bots")
    (mine, strong) = read_roster(["bots/mine.py:Mine", "bots/mine.py:Mine?care=3"], tmp_path).outside
    files = (("bots/mine.py", digest(MINE)),)
    assert mine == OutsideBot("bots/mine.py:Mine", "bots/mine.py:Mine", str(tmp_path), files)
    assert strong.name == "bots/mine.py:Mine?care=3"
    assert mine.identity != strong.identity


def test_an_absolute_path_is_no_part_of_name_and_identity(tmp_path: Path) -> None:
    """Two machines have the same file in other folders."""
    found = []
    for machine in ("one", "two"):
        file = write_bot(tmp_path / machine)
        (bot,) = read_roster([f"{file}:Mine"], tmp_path / "elsewhere").outside
        found.append(bot)
    assert found[0].identity == found[1].identity
    assert found[0].name == "mine.py:Mine"
    assert all(entrants_of(found).values())


def test_a_class_of_a_module_in_the_folder_or_installed_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bot(tmp_path / "here" / "pack", "strong.py")
    write_bot(tmp_path / "here" / "pack", "__init__.py", "")
    write_bot(tmp_path / "there", "installed_bot_of_test.py")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "there")])
    roster = read_roster(["pack.strong:Mine", "installed_bot_of_test:Mine"], tmp_path / "here", isolation="trusted")
    assert [bot.files for bot in roster.outside] == [
        (("pack/strong.py", digest(MINE)),),
        (("installed_bot_of_test.py", digest(MINE)),),
    ]
    assert set(entrants_of(roster.outside, "trusted")) == set(roster.bots)
    check_files(roster.outside)


def test_a_package_declares_bots_by_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the metadata of a distribution stands for an installed package."""
    write_bot(tmp_path, "declared_bot_of_test.py")
    info = tmp_path / "declared_bot_of_test-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: declared-bot-of-test\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[tourney.bots]\nclubbot = declared_bot_of_test:Mine\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    roster = read_roster(["clubbot?bold=on", "greedy"], Path(), isolation="trusted")
    assert roster.bots == ("clubbot?bold=on", "greedy")
    assert roster.outside[0].files == (("declared_bot_of_test.py", digest(MINE)),)
    assert play(["clubbot", "greedy"], seed="x").hands == 7


def test_two_versions_in_two_folders_have_helpers_of_their_own(tmp_path: Path) -> None:
    """Both import a module `helper`, one of them only while it plays; neither sees that of the other."""
    source = "from tourney.bots import Bot\n{first}\nclass Mine(Bot):\n    def said(self):\n"
    source += "        {late}\n        return {said}\n"
    for version in ("v1", "v2"):
        write_bot(tmp_path / version, "helper.py", f"import more\nTEXT = '{version}' + more.TEXT\n")
        write_bot(tmp_path / version, "more.py", f"TEXT = 'more of {version}'\n")
    write_bot(tmp_path / "v1", "mine.py", source.format(first="import helper", late="pass", said="helper.TEXT"))
    write_bot(tmp_path / "v2", "mine.py", source.format(first="", late="from helper import TEXT", said="TEXT"))
    bots = [load_class("mine.py:Mine", tmp_path / version) for version in ("v1", "v2")]
    assert [bot().said() for bot in bots] == ["v1more of v1", "v2more of v2"]  # type: ignore[attr-defined]


def test_files_named_as_our_modules_disturb_no_class(tmp_path: Path) -> None:
    """The standard library's `random` is found, and the author's own `engine` where the author imports it."""
    for name in ("random.py", "tourney.py", "statistics.py"):
        write_bot(tmp_path, name, "raise ImportError('the file of the author')\n")
    write_bot(tmp_path, "engine.py", "POWER = 3\n")
    write_bot(tmp_path, "mine.py", "import engine\nassert engine.POWER == 3\n" + MINE)
    assert play([f"{tmp_path}/mine.py:Mine", "greedy"]).hands == 7


def test_a_changed_file_is_loaded_anew(tmp_path: Path) -> None:
    write_bot(tmp_path, "mine.py", "from tourney.bots import Bot\nclass Mine(Bot):\n    version = 1\n")
    first = load_class("mine.py:Mine", tmp_path)
    write_bot(tmp_path, "mine.py", "from tourney.bots import Bot\nclass Mine(Bot):\n    version = 2\n")
    assert [first.version, load_class("mine.py:Mine", tmp_path).version] == [1, 2]  # type: ignore[attr-defined]


REFUSED = {
    "no file": ("gone.py:Mine", ExitCode.NOT_FOUND, "no file", "path"),
    "no module": ("nowhere.bots:Mine", ExitCode.NOT_FOUND, "no module", "mine.py:Mine"),
    "no class": ("mine.py:Min", ExitCode.NOT_FOUND, "no class “Min”", "mine.py:Mine"),
    "not a bot": ("mine.py:NoBot", ExitCode.USAGE, "not a bot", "tourney.bots"),
    "unknown parameter": ("mine.py:Mine?speed=1", ExitCode.USAGE, "care=2, bold=off", "mine.py:Mine?"),
    "no number": ("mine.py:Mine?care=much", ExitCode.USAGE, "is a number", "mine.py:Mine?"),
    "a file alone": ("mine.py", ExitCode.NOT_FOUND, "no bot “mine.py”", "mine.py:Mine"),
    "no bot": ("nobody", ExitCode.NOT_FOUND, "no bot “nobody”", "greedy"),
    "error in the file": ("broken.py:Mine", ExitCode.USAGE, "broken.py, line 3: ZeroDivisionError", "python"),
    "missing package": ("missing.py:Mine", ExitCode.USAGE, "missing.py, line 1: ModuleNotFoundError", "python"),
    "no Python": ("syntax.py:Mine", ExitCode.USAGE, "syntax.py, line 2: SyntaxError", "python"),
    "file that exits": ("exits.py:Mine", ExitCode.USAGE, "exits.py, line 2: SystemExit", "python"),
    "error in a helper": ("helped.py:Mine", ExitCode.USAGE, "broken.py, line 3", "python"),
}
FILES = {
    "mine.py": MINE,
    "broken.py": "\n\n1 / 0\n",
    "missing.py": "import no_such_package_anywhere\n",
    "syntax.py": "\nclass Mine(:\n",
    "exits.py": "import sys\nsys.exit('good bye')\n",
    "helped.py": "import broken\n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_class_that_cannot_play_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    text, code, message, hint = REFUSED[name]
    for file, source in FILES.items():
        write_bot(tmp_path, file, source)
    with desk.refused(code, message, hint):
        read_roster([text], tmp_path)


FIELD = """
[[bot]]
name = "bold"
entrant = "mine.py:Mine"
parameters = { bold = true, care = 5 }
files = ["mine.py", "weights.bin"]
limits = { action = 0.5 }

[[bot]]
name = "plain"
entrant = "mine.py:Mine"

[[bot]]
name = "careless"
entrant = "planner"
parameters = { guarding = false }

[[bot]]
entrant = "greedy"
"""


def test_an_entrants_file_names_bots_with_parameters_files_and_limits(tmp_path: Path) -> None:
    write_bot(tmp_path / "field")
    write_bot(tmp_path / "field", "field.toml", FIELD)
    write_bot(tmp_path / "field", "weights.bin", "1 2 3")
    roster = read_roster(["@field/field.toml", "random"], tmp_path)
    assert roster.bots == ("bold", "plain", "careless", "greedy", "random")
    bold, plain, careless = roster.outside
    folder = str(tmp_path / "field")
    mine, weights = ("mine.py", digest(MINE)), ("weights.bin", digest("1 2 3"))
    assert bold == OutsideBot("bold", "mine.py:Mine?care=5&bold=on", folder, (mine, weights), (("action", 0.5),))
    assert plain == OutsideBot("plain", "mine.py:Mine", folder, (mine,))
    assert careless == OutsideBot("careless", "planner?guarding=off")
    write_bot(tmp_path / "field", "weights.bin", "1 2 4")
    with desk.refused(ExitCode.REFUSED, "bold has changed", "weights.bin"):
        check_files(roster.outside)


WRONG_FILES = {
    "no TOML": ("[[bot]\n", "line 1"),
    "no bots": ("x = 1\n", "[[bot]]"),
    "empty": ("", "[[bot]]"),
    "unknown key": ('[[bot]]\nentrant = "greedy"\nspeed = 3\n', "unknown key “speed”"),
    "no entrant": ('[[bot]]\nname = "x"\n', "no entrant"),
    "unknown limit": ('[[bot]]\nentrant = "greedy"\nlimits = { seconds = 3 }\n', "unknown limit “seconds”"),
    "limit of 0": ('[[bot]]\nentrant = "greedy"\nlimits = { action = 0 }\n', "number above 0"),
    "limit without end": ('[[bot]]\nentrant = "greedy"\nlimits = { memory = inf }\n', "number above 0"),
    "parameters as text": ('[[bot]]\nentrant = "planner"\nparameters = "x"\n', "parameters of bot 1"),
    "an endless limit": ('[[bot]]\nentrant = "cmd:cat"\nlimits = { memory = inf }\n', "number above 0"),
    "a limit that is no number": ('[[bot]]\nentrant = "cmd:cat"\nlimits = { fuel = nan }\n', "number above 0"),
    "an endless parameter": ('[[bot]]\nentrant = "planner"\nparameters = { x = 1e999 }\n', "parameters of bot 1"),
    "a command of 400,000 words": (f'[[bot]]\nentrant = "cmd:{"a " * 400_000}"\n', "more than 10000 characters"),
    "a list of parameters": (
        f'[[bot]]\nentrant = "greedy"\nparameters = {{ {", ".join(f"a{n} = 1" for n in range(3_000))} }}\n',
        "more than 10000 characters",
    ),
    "files as text": ('[[bot]]\nentrant = "planner"\nfiles = "x"\n', "list of texts"),
    "two of one name": (
        '[[bot]]\nname = "x"\nentrant = "greedy"\n[[bot]]\nname = "x"\nentrant = "random"\n',
        "two bots are called “x”",
    ),
}


@pytest.mark.parametrize("name", WRONG_FILES)
def test_an_entrants_file_of_another_form_is_refused(name: str, tmp_path: Path) -> None:
    text, message = WRONG_FILES[name]
    write_bot(tmp_path, "field.toml", text)
    with desk.refused(ExitCode.USAGE, message):
        read_roster(["@field.toml"], tmp_path)


def test_a_missing_entrants_file_is_refused(tmp_path: Path) -> None:
    with desk.refused(ExitCode.NOT_FOUND, "field.toml"):
        read_roster(["@field.toml"], tmp_path)


def test_a_name_of_a_built_in_bot_is_not_given_to_another(tmp_path: Path) -> None:
    write_bot(tmp_path, "field.toml", '[[bot]]\nname = "greedy"\nentrant = "random"\n[[bot]]\nentrant = "greedy"\n')
    with desk.refused(ExitCode.USAGE, "“greedy”"):
        read_roster(["@field.toml"], tmp_path)
