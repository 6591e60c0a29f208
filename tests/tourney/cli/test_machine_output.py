"""Tests that machine output is stable: today's program prints what the program of commit ac1db33 printed.

`fixtures/contract` has commands of every kind and their recorded answers. `fixtures/databases/0007.sql` is a database
that the older program wrote, and `0007.json` has the answers it gave with it. Exit codes, JSON with the order of its
keys, CSV with its header and lines of JSON must be equal, except the fields that are listed here.
"""

import copy
from collections.abc import Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from tests.harness import recorded
from tests.harness.recorded import (
    CONTRACT,
    OLD_DATABASE,
    SCENES,
    LooseKeys,
    answer,
    differences,
    load,
    play,
    recording,
    working_in,
)

SENTENCES: Mapping[str, frozenset[str]] = {
    # Sentences for people, and rounding: only the type of a field, and whether it is empty, must be equal.
    "": frozenset({"why", "said"}),  # why a rank or a number of repeats; what an entry changed
    "standings": frozenset({"steps"}),  # the arithmetic of a rank
    "bot list": frozenset({"does"}),  # how a bot plays
    "undo": frozenset({"stays", "halves"}),  # which changes cannot be undone; partial sheets
    "redo": frozenset({"halves"}),
    "event finish": frozenset({"missing"}),  # what a finished event lacks
    "rules check": frozenset({"reason", "error"}),
    "rules layoff": frozenset({"reason", "error"}),
    "rules arrange": frozenset({"error"}),
    "rules score": frozenset({"error"}),
    "rules show": frozenset({"section", "text"}),  # the page for players
    "rules diff": frozenset({"section", "text"}),
    "rules ruling": frozenset({"title", "found", "steps"}),  # the arbiter's instructions
    "rating verify": frozenset({"mu", "sigma", "mu_player", "sigma_player"}),  # rounding alone decides them
    # Intervals hold the rank and cover where skills lie close, which those recorded did not.
    "ratings": frozenset({"rank_low", "rank_high"}),
    "rating show": frozenset({"rank_low", "rank_high"}),
    "rating edition": frozenset({"rank_low", "rank_high"}),
    # The fit has absence since, Elo a falling K, and the order of the predictors follows from their losses.
    "rating compare": frozenset({"loss", "accuracy", "behind", "error", "beta", "tau", "draw", "k", "absence"}),
    # The package that smoothed then mixed up the players of a table of three or more not listed by place.
    "rating smooth": frozenset({"smoothed_mu", "smoothed_sigma"}),
}
CORRECTED: Mapping[str, tuple[int, str, str]] = {
    # Table 4 has no result: the state is that at the draw of round 3 (entry 26), and entry 23 is the withdrawal.
    "standings Friday --round 2": (3, "state", "withdrawn"),
}
"""Values that were wrong when they were recorded: the row, the field, and what the journal says."""
CELLS: Mapping[str, frozenset[str]] = {
    # Cells of CSV that have the word shown in the table, while JSON has a fixed value.
    "round show": frozenset({"state"}),
    "round verify": frozenset({"state", "how"}),
    "record show": frozenset({"closer"}),
    "record replay": frozenset({"closer"}),
    "seating advise": frozenset({"remark"}),
}
ADDED: Mapping[str, frozenset[str]] = {
    # Fields that came later: a reader of the recorded ones passes over them.
    "rules show": frozenset({"variant_rules"}),  # each variant in a sentence
    "rules diff": frozenset({"about"}),  # the rule that a difference is about
    "rules check": frozenset({"lay_down", "notes"}),  # whether one meld may be laid down so; too many copies
    "event": frozenset(
        {
            "phone_pins",  # whether phones need the PIN for every seat
            *("deals_seed", "deals_sha256"),  # the seed of the bots' deals once the event has ended, and its hash
            *("seats", "lang", "scoring", "table_points", "totals", "tie_breaks", "fee", "pot", "prizes"),
            *("substitutes", "organiser"),
        }
    ),  # who deals first; the language of what is printed; what a game scores, and what decides among equals
    "print certificates": frozenset({"organiser"}),  # the club
    "standings": frozenset({"score", "prize", "steps"}),  # what ranks; a prize; the arithmetic of `--why`
    "player erase": frozenset({"pools", "mirrors", "changes", "settings"}),  # the places that still have the name
    "player merge": frozenset({"published"}),  # what rankings show of the player from then on
    "db restore": frozenset({"published"}),  # people shown again as at the time of the backup
    "player show": frozenset({"published"}),  # the name that rankings show
    "event checkin": frozenset({"left"}),  # the tables out of which players were taken
    "event withdraw": frozenset({"left"}),
    "event return": frozenset({"left"}),
    "event finish": frozenset({"first"}),  # who has won
    "event import": frozenset({"more"}),  # the changes that are new in an event that came back
    "log": frozenset({"by", "hands"}),  # who made an entry; the numbers of the hands of a result's sheet
    "undo": frozenset({"by", "goes"}),
    "redo": frozenset({"by", "goes"}),
    "ruling": frozenset({"by", "cancelled_by", "score", "prize"}),
    "league": frozenset(  # faults by kind and their cost; how bots are kept away; what modules spend
        {
            "seed_sha256",  # the hash of a seed before its league ends
            *("fault_cost", "isolation", "faults_by_kind", "fuel", "fuel_median", "fuel_p99", "fuel_max"),
            *("faults_illegal", "faults_unreadable", "faults_slow", "faults_stalled", "faults_died"),
        }
    ),
    "round draw": frozenset({"broken"}),  # constraints that the round breaks
    "round show": frozenset({"broken"}),
    "event constrain": frozenset({"broken"}),
    "event wish": frozenset({"broken"}),
    "status": frozenset({"draft", "flags"}),  # whether the newest round is one; what tables ask
    "result": frozenset({"score", "prize"}),  # what ranks, before and after
    "result show": frozenset({"by", "cancelled_by", "history"}),  # those of its rulings, and of its sheet
    "rules ruling": frozenset({"sources"}),  # the source of each step
    "rating import": frozenset(
        {"source", "file", "file_players", "replaced", "spellings", "backwards", "backward_source", "moves"}
    ),  # what a file replaces
    "rating pool": frozenset({"unit"}),  # whether games or hands are rated
    # Further parameters that are fitted; how many evenings a ranking needs.
    "rating compare": frozenset({"absence", "k_first", "k_games", "scale", "evenings", "evening"}),
    "rating verify": frozenset({"differing", "shown"}),  # where the two programs differ; how far a rating shown is off
}
SENTENCES_SINCE: frozenset[str] = frozenset(
    # The sentences of a page of rules that it did not have then, by field; the others stay, in their order.
    {
        "players.range",
        "players.alone",
        "pack.joker",
        "pack.spanish",
        "table.shuffle",
        "table.one_by_one",
        "table.dealer_last",
        "trio.suits",
        "run.laps",
        "claim.once",
        "claim.none_left",
        "claim.counted",
        "stock.lap",
        "laying.shown",
        "laying.undone",
        "laying.at_once",
        "laying.kept",
        "jokers.no_place",
        "jokers.forward",
        "closing.held",
        "ending.held",
        "ending.sheet",
        "hand.stock",
        "hand.least",
        "hand.undercut",
        "hand.choice",
        "bonuses.ten",
        "bonuses.two",
        "bonuses.continental",
        "bonuses.out",
        "bonuses.last_hand",
        "survival.jokers_stay",
        "survival.buy_order",
        "survival.prices",
        "survival.split_two",
        "survival.odd",
        "survival.places",
    }
)
LONGER = frozenset({"rules ruling"})
"""Lists to whose end rows have been added: further kinds of irregularity."""
VARYING: Mapping[str, frozenset[str]] = {
    # Fields whose values differ with every run: where both programs ran the command, only their place must be equal.
    "log": frozenset({"time"}),  # when an entry was made
    "undo": frozenset({"time"}),
    "redo": frozenset({"time"}),
    "round clock": frozenset({"started"}),  # a time of day
    "round verify": frozenset({"program"}),  # the program that drew the round: its version and that of its seating
    "seating plan": frozenset({"version"}),  # likewise
    "db check": frozenset({"head"}),  # the hash of the journal, which has times and random ids in it
    "db backup": frozenset({"head"}),
    "db upgrade": frozenset({"before", "after"}),  # the number of the schema
    "db restore": frozenset({"head", "kept"}),  # and the name of a file, with a time in it
    "player erase": frozenset({"backups"}),  # file names with a time
}


def forbidden_differences(line: str, recorded_answer: Any, current_answer: Any, work: str = "") -> list[str]:
    """Return the forbidden differences between today's answer to a command and the recorded one.

    With `work` "anew" both programs ran the command, so that the fields of VARYING may differ; without, today's
    program has only read what the older one wrote.
    """
    if line.startswith(("rules show ", "rules diff ")):
        current_answer = _as_then(current_answer)
    if line.startswith("rating compare"):
        recorded_answer, current_answer = _by_predictor(recorded_answer), _by_predictor(current_answer)
    if line in CORRECTED:
        at, key, value = CORRECTED[line]
        recorded_answer = copy.deepcopy(recorded_answer)
        recorded_answer["json"][at][key] = value
    sentences = (SENTENCES, CELLS) if "csv" in recorded_answer else (SENTENCES,)
    varying = set(_keys(VARYING, line)) if work == "anew" else set()
    if line in LONGER:
        current_answer = current_answer | {"json": current_answer["json"][: len(recorded_answer["json"])]}
    allowed = LooseKeys({key for table in sentences for key in _keys(table, line)}, varying, set(_keys(ADDED, line)))
    return [f"`{line}`{difference}" for difference in differences(recorded_answer, current_answer, allowed)]


def _by_predictor(answer_: Any) -> Any:
    """Return the answer with its predictors in the order of their names."""
    predictors = sorted(answer_["json"]["predictors"], key=lambda row: str(row["predictor"]))
    return answer_ | {"json": answer_["json"] | {"predictors": predictors}}


def _as_then(value: Any) -> Any:
    """Return the answer without the sentences that a page of rules has had since."""
    if isinstance(value, dict):
        return {key: _as_then(entry) for key, entry in value.items()}
    if isinstance(value, list):
        rows = [row for row in value if not (isinstance(row, dict) and row.get("field") in SENTENCES_SINCE)]
        return [_as_then(row) for row in rows]
    return value


def _keys(table: Mapping[str, frozenset[str]], line: str) -> Iterator[str]:
    for start, keys in table.items():
        if f"{line} ".startswith(f"{start} ".lstrip()):
            yield from keys


def test_only_the_listed_sentences_may_be_new_on_a_page_of_rules() -> None:
    """A sentence that is gone, or a new one that is not listed, is a difference."""
    old = [{"field": "claim.limit", "text": "No limit."}, {"field": "claim.owes", "text": "No discard."}]
    new = {"field": "claim.once", "text": "Once."}
    assert forbidden_differences("rules show oficial", {"json": old}, {"json": [old[0], new, old[1]]}) == []
    for now in ([old[0], new], [*old, {"field": "claim.more", "text": "More."}], [old[1], old[0]]):
        assert forbidden_differences("rules show oficial", {"json": old}, {"json": now}) != []


@pytest.mark.parametrize(
    ("recorded_answer", "current_answer"),
    [
        ({"rank": 1, "player": "Ana"}, {"player": "Ana", "rank": 1}),
        ({"rank": 1}, {"rank": 1, "player": "Ana"}),
        ([1, 2], [1]),
        ({"rank": 1}, {"rank": 1.0}),
        ({"mu": 25.0}, {"mu": 25.000000000000004 if recorded.EXACT else 25.01}),
        ({"does": "any legal action"}, {"does": ""}),
        ({"exit": 0}, {"exit": 1}),
    ],
)
def test_a_difference_is_found(recorded_answer: Any, current_answer: Any) -> None:
    assert forbidden_differences("bot list", recorded_answer, recorded_answer) == []
    assert len(forbidden_differences("bot list", recorded_answer, current_answer)) == 1


def test_only_the_keys_that_a_command_is_known_to_have_added_may_be_new() -> None:
    """The recorded keys stay, in their order; a new one is in ADDED."""
    old = {"legal": True, "clause": None, "reason": "two trios"}
    assert forbidden_differences("rules check oficial TT", old, {**old, "lay_down": True, "notes": []}) == []
    for new in ({**old, "lay": True}, {"lay_down": True, "clause": None, "reason": "two trios"}):
        assert len(forbidden_differences("rules check oficial TT", old, new)) == 1
    assert len(forbidden_differences("rules layoff oficial", old, {**old, "lay_down": True})) == 1


ANSWERS = recording(CONTRACT / "answers.json")


def test_the_contract_has_a_refusal_of_every_exit_code() -> None:
    """Exit code 130, for an interrupt, is not recorded, because it needs a second program."""
    assert {answered["exit"] for _scene, _line, answered in ANSWERS} == {0, 1, 2, 3, 4, 5}
    assert all(answered.get("error", True) for _scene, _line, answered in ANSWERS)


@pytest.mark.parametrize("name", SCENES)
def test_today_s_answers_equal_the_recorded_ones(name: str, tmp_path: Path) -> None:
    recorded_answers = [(line, answered) for scene, line, answered in ANSWERS if scene == name]
    with working_in(tmp_path) as folder:
        current_answers = list(play(name, folder))
    assert [line for line, _answer in current_answers] == [line for line, _answer in recorded_answers]
    current_answers = _without_partial_sheets(current_answers)
    both = zip(recorded_answers, current_answers, strict=True)
    found_differences = [
        text for (line, old), (_line, new) in both for text in forbidden_differences(line, old, new, "anew")
    ]
    assert not found_differences, "\n".join(found_differences)


def _without_partial_sheets(answers: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Return the answers as if partial sheets were no entries, as in the older program: the others' numbers are less.

    One scene keeps partial sheets and shows the log.
    """
    logs = (answered["json"] for line, answered in answers if line.startswith("log ") and "json" in answered)
    added = {row["number"] for rows in logs for row in rows if row["kind"] == "result.partial"}
    if not added:
        return answers

    def numbered(number: int) -> int:
        return number - sum(other < number for other in added)

    def changed(line: str, given: Any) -> Any:
        if line.startswith("log "):
            return [row | {"number": numbered(row["number"])} for row in given if row["number"] not in added]
        if line in ("undo", "redo"):
            return given | {"line": given["line"] | {"number": numbered(given["line"]["number"])}}
        return given | {"acts": numbered(given["acts"])}

    numbering = ("log ", "undo", "redo", "db check")
    return [
        (line, answered | {"json": changed(line, answered["json"])} if line.startswith(numbering) else answered)
        for line, answered in answers
    ]


OLD = recording(OLD_DATABASE.with_suffix(".json"))
READ = dict(takewhile(lambda answered: not answered[0].startswith("result enter"), OLD))
"""The answers of the commands that change nothing; the others continue the season, in order."""
FORMATS = {"rotation", "swiss", "rated swiss", "snake", "random", "informative", "manual"}
KINDS = {
    *(f"player.{verb}" for verb in ("add", "rename", "merge", "erase")),
    *(f"event.{verb}" for verb in ("new", "set", "use", "enter", "wish", "checkin", "withdraw", "return")),
    *(f"event.{verb}" for verb in ("finish", "reopen")),
    *(f"round.{verb}" for verb in ("draw", "move", "cancel", "clock")),
    *(f"result.{verb}" for verb in ("enter", "correct", "void")),
    *("ruling.add", "ruling.cancel", "pool.new", "pool.set", "rating.import", "league.new", "league.join"),
    *("undo", "redo"),
}


def upgraded(folder: Path) -> Path:
    """Load the old database into `club.db` of the folder, upgrade it, and return the folder."""
    load(OLD_DATABASE, folder / "club.db")
    assert answer("db upgrade", folder)["exit"] == 0
    return folder


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the upgraded database, which tests only read."""
    with working_in(tmp_path_factory.mktemp("old")) as folder:
        yield upgraded(folder)


def test_the_old_database_is_sound_and_has_every_kind_of_entry() -> None:
    """The older program's own check found no problem, and it drew every round again alike, in all formats."""
    assert {entry["kind"] for entry in READ["log"]["json"]} == KINDS
    assert {event["format"] for event in READ["event list"]["json"]} == FORMATS
    assert READ["db check"]["json"]["problems"] == []
    drawn = {line: answered["json"] for line, answered in READ.items() if line.startswith("round verify")}
    assert [row["state"] for row in drawn.pop("round verify Old")] == ["brought in"]
    assert [row["state"] for rows in drawn.values() for row in rows] == ["the same"] * 17


@pytest.mark.parametrize("line", READ)
def test_reading_the_old_database_gives_the_recorded_answers(line: str, old: Path) -> None:
    assert forbidden_differences(line, READ[line], answer(line, old)) == []


def test_changing_the_old_database_gives_the_recorded_answers(tmp_path: Path) -> None:
    """A partial sheet is completed, rounds are drawn, and changes of both programs are undone and redone."""
    with working_in(tmp_path) as folder:
        upgraded(folder)
        for line, recorded_answer in OLD[len(READ) :]:
            assert forbidden_differences(line, recorded_answer, answer(line, folder), "anew") == []
