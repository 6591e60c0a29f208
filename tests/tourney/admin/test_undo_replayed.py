"""Undo of an earlier change, compared with the evening in which that change was never made.

Where `undo NUMBER` takes a change back, everything that is shown must be what the other commands give by themselves.
Where it refuses, taking the change back all the same must give something else, or fail.
"""

import random
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial as bound
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from tests.harness import desk
from tests.harness import replayed as on
from tests.harness.replayed import Command, Evening
from tourney.domain.errors import ExitCode, TourneyError
from tourney.service import database
from tourney.service.admin.journal import Redo, Undo, ordered_by
from tourney.service.change import apply
from tourney.storage.session import writing


class RandomEvening:
    """Makes random commands of two events, and keeps those that are not refused, with the number of their entry."""

    def __init__(self, db: str, seed: int) -> None:
        self.evening, self.rng = Evening(db), random.Random(seed)
        self.commands: list[Command] = []
        self.numbers: list[int] = []
        for command in (
            on.register(9),
            on.create("Rot", "rotation", rounds=3, date=on.DAY),
            on.create("Swi", "swiss", short="sit out", date="2026-06-01"),
            on.enter("Rot", *range(8)),
            on.enter("Swi", *range(8)),
        ):
            assert self.add(command)

    def add(self, command: Command) -> bool:
        """Make a command; keep it unless it is refused, or changes nothing."""
        before = on.head(self.evening.db)
        if not on.make(self.evening, command) or on.head(self.evening.db) == before:
            return False
        self.commands.append(command)
        self.numbers.append(before + 1)
        return True

    def step(self) -> None:
        """Make a command that is not refused."""
        while not self.add(self._command()):
            pass

    def _command(self) -> Command:
        rng = self.rng
        event, in_round, table, who = rng.choice(("Rot", "Swi")), rng.randint(1, 3), rng.randint(1, 2), rng.randrange(9)
        closers = [rng.randrange(4) for _hand in range(7)]
        people = len(self.evening.names)
        common: tuple[Callable[[], Command], ...] = (
            bound(on.draw, event),
            bound(on.result, event, in_round, table, closers),
            bound(on.result, event, in_round, table, closers),
            bound(on.partial, event, in_round, table, rng.randint(1, 3)),
            bound(on.withdraw, event, who),
            bound(on.come_back, event, who),
        )
        others: tuple[Callable[[], Command], ...] = (
            bound(on.register, 1),
            bound(on.rename, rng.randrange(people), f"N{len(self.commands)}"),
            bound(on.merge, rng.randrange(people), rng.randrange(people)),
            bound(on.create, rng.choice(("New", f"E{len(self.commands)}")), "random"),
            bound(on.use, event),
            bound(on.settings, event, rounds=rng.randint(2, 6)),
            bound(on.settings, event, minutes=rng.randint(30, 90)),
            bound(on.settings, event, minimum=rng.randint(0, 2)),
            bound(on.settings, "New", name=f"Old {len(self.commands)}"),
            bound(on.enter, event, rng.randrange(people)),
            bound(on.apart, event, *rng.sample(range(8), 2)),
            bound(on.cancel, event),
            bound(on.swap, event, in_round, 1, 2),
            bound(on.move_out, event, in_round, table),
            bound(on.move_in, event, in_round, table, who),
            bound(on.dissolve, event, in_round, table),
            bound(on.clock, event, in_round, None, rng.choice(("start", "stop", "set"))),
            bound(on.drop, event, in_round, table),
            bound(on.correct, event, in_round, table, closers),
            bound(on.void, event, in_round, table),
            bound(on.result, event, in_round, table, closers, 3),
            bound(on.penalty, event, who, rng.randint(1, 90)),
            bound(on.finish, event),
            bound(on.reopen, event),
            bound(on.reopen, event),
            bound(on.publish, rng.choice((None, 3))),
            bound(on.draw, event, draft=True),
            bound(on.publish_round, event),
            bound(on.flag, event, in_round, table, f"flag {len(self.commands)}"),
            bound(on.answer, event, f"flag {rng.randrange(40)}"),
            bound(on.settings, event, date=rng.choice((on.DAY, "2026-06-01"))),
        )
        return rng.choice(common if rng.random() < 0.5 else others)()


def _compare(tmp_path: Path, seed: int, steps: int, most: int) -> Counter[str]:
    """Play an evening, and take each command back alone, at most `most` of those on which nothing rests.

    Return how many were taken back, and how many refused.
    """
    played = RandomEvening(str(tmp_path / f"{seed}.db"), seed)
    for _step in range(steps):
        played.step()
    counts: Counter[str] = Counter()
    candidates = list(range(5, len(played.commands)))
    played.rng.shuffle(candidates)
    for index in candidates:
        if counts["taken back"] == most:
            break
        undone = str(shutil.copy(played.evening.db, tmp_path / "undone.db"))
        if refusal := _refusal(undone, played.numbers[index]):
            assert "rest on it" in refusal or "rests on it" in refusal
            counts["refused"] += 1
            continue
        counts["taken back"] += 1
        again = Evening(str(tmp_path / f"{seed}-{index}.db"))
        assert on.replay(again, played.commands, index) == [], (seed, index)
        _equal_without(undone, again, played.numbers)
        for _undone in (index, *again.unneeded):
            apply(undone, Redo())
        assert on.state(undone) == on.state(played.evening.db)
    return counts


def _equal_without(undone: str, again: Evening, numbers: Sequence[int]) -> None:
    """Compare a database in which a change was taken back with its replay.

    Changes that the replay did not need are taken back too: only what rested on the first could rest on them.
    """
    for unneeded in again.unneeded:
        apply(undone, Undo(numbers[unneeded]))
    assert on.state(undone) == on.state(again.db)
    assert database.check(undone).problems == ()


def _refusal(db: str, number: int) -> str:
    """Undo a change; return the refusal, "" if there is none."""
    try:
        apply(db, Undo(number))
    except TourneyError as refusal:
        return refusal.message if refusal.code is ExitCode.REFUSED else repr(refusal)
    return ""


def test_an_earlier_change_is_taken_back_as_if_it_had_never_been_made(tmp_path: Path) -> None:
    """Two of the changes of a random evening are left out of a replay; all that is shown is then equal."""
    counts = _compare(tmp_path, 3, 15, 2)
    assert counts["taken back"] == 2


def test_a_setting_that_was_changed_and_put_back_can_be_taken_back_like_the_change(tmp_path: Path) -> None:
    """A replay without the change finds nothing to put back."""
    commands = (on.create("Fri", "random"), on.settings("Fri", date=on.DAY), on.settings("Fri", date=""))
    db, again = str(tmp_path / "club.db"), Evening(str(tmp_path / "again.db"))
    numbers = _made(db, commands)
    apply(db, Undo(numbers[1]))
    assert on.replay(again, commands, 1) == []
    assert again.unneeded == [2]
    _equal_without(db, again, numbers)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 22))
def test_every_earlier_change_is_taken_back_as_if_it_had_never_been_made(tmp_path: Path, seed: int) -> None:
    """A dozen evenings of 40 changes: every change on which nothing rests is left out of a replay."""
    counts = _compare(tmp_path, seed, 40, 40)
    assert counts["taken back"] >= 5
    assert counts["refused"] >= 5


# --- refused, with reason ---------------------------------------------------------------------------------------

# Draws at random are quick, and rest on no results.
EIGHT = (on.register(9), on.create("Fri", "random"), on.enter("Fri", *range(8)))
DRAWN = (*EIGHT, on.draw("Fri"))
SWISS = (on.register(9), on.create("Fri", "swiss"), on.enter("Fri", *range(8)), on.draw("Fri"))
NINE = (on.register(9), on.create("Fri", "random"), on.enter("Fri", *range(9)), on.draw("Fri"))
DATED = (on.register(9), on.create("Fri", "random", date=on.DAY), on.enter("Fri", *range(8)), on.draw("Fri"))
TWELVE = (on.register(12), on.create("Fri", "random"), on.enter("Fri", *range(12)), on.draw("Fri"))
ROTATION = (
    on.register(8),
    on.create("Fri", "rotation", rounds=2),
    on.enter("Fri", *range(8)),
    on.draw("Fri"),
)
SHEETS = (on.result("Fri", 1, 1), on.result("Fri", 1, 2))

# For each case the commands, the index of the one to take back, and the kinds of the entries that rest on it.
RESTING: dict[str, tuple[tuple[Command, ...], int, set[str]]] = {
    "people who are entered": (EIGHT, 0, {"event.enter"}),
    "players who are seated": (DRAWN, 2, {"round.draw"}),
    "one player who is seated": ((*EIGHT, on.enter("Fri", 8), on.draw("Fri")), 3, {"round.draw"}),
    "a draw with results": ((*DRAWN, *SHEETS), 3, {"result.enter"}),
    "a draw with a partial sheet": ((*DRAWN, on.partial("Fri", 1, 1)), 3, {"result.partial"}),
    "a draw with a clock": ((*DRAWN, on.clock("Fri", 1, 45)), 3, {"round.clock"}),
    "a draft that was published": ((*EIGHT, on.draw("Fri", draft=True), on.publish_round("Fri")), 3, {"round.publish"}),
    "the publishing of a round before the next": (
        (*EIGHT, on.draw("Fri", draft=True), on.publish_round("Fri"), on.draw("Fri")),
        4,
        {"round.draw"},
    ),
    "a result of a draft before the next round": (
        (*EIGHT, on.draw("Fri", draft=True), on.result("Fri", 1, 1), on.draw("Fri")),
        4,
        {"round.draw"},
    ),
    "a draw with a flag": ((*DRAWN, on.flag("Fri", 1, 1)), 3, {"flag.raise"}),
    "a flag that was answered": ((*DRAWN, on.flag("Fri", 1, 1), on.answer("Fri")), 4, {"flag.answer"}),
    "a clock that was set": ((*DRAWN, on.clock("Fri", 1, 45), on.clock("Fri", 1, 50, "set")), 4, {"round.clock"}),
    "minutes that a clock took": (
        (*EIGHT, on.settings("Fri", minutes=50), on.draw("Fri"), on.clock("Fri", 1)),
        3,
        {"round.clock"},
    ),
    "a result by which a Swiss round is drawn": ((*SWISS, *SHEETS, on.draw("Fri")), 4, {"round.draw"}),
    "a penalty by which a Swiss round is drawn": (
        (*SWISS, *SHEETS, on.penalty("Fri", 0, 500), on.draw("Fri")),
        6,
        {"round.draw"},
    ),
    "constraints of which others were added": (
        (*EIGHT, on.apart("Fri", 0, 1), on.apart("Fri", 2, 3)),
        3,
        {"event.wish"},
    ),
    "a player whom constraints name": ((*EIGHT, on.enter("Fri", 8), on.apart("Fri", 7, 8)), 3, {"event.wish"}),
    "constraints of a draw": ((*EIGHT, on.apart("Fri", 0, 1), on.draw("Fri")), 3, {"round.draw"}),
    "players who never meet, before a move": (
        (*DRAWN, on.never("Fri", 0, 5), on.never("Fri", 0, 2), on.withdraw("Fri", 0)),
        4,
        {"event.wish"},
    ),
    "constraints removed before a move that would break them": (
        (*DRAWN, on.never("Fri", 0, 2), on.unconstrained("Fri"), on.swap("Fri", 1, 1, 2)),
        5,
        {"round.move"},
    ),
    "a result whose winner deals in the next round": (
        (*EIGHT, on.settings("Fri", seats="winner deals"), on.draw("Fri"), *SHEETS, on.draw("Fri")),
        5,
        {"round.draw"},
    ),
    "the size of the tables of a draw": ((*EIGHT, on.settings("Fri", size=3), on.draw("Fri")), 3, {"round.draw"}),
    "the rounds that allowed a draw": (
        (*EIGHT, on.settings("Fri", rounds=1), on.settings("Fri", rounds=2), on.draw("Fri"), on.draw("Fri")),
        4,
        {"round.draw"},
    ),
    "a swap of players who played": (
        (*DRAWN, on.swap("Fri", 1, 1, 2), on.result("Fri", 1, 2)),
        4,
        {"result.enter"},
    ),
    "a swap before another": (
        (*DRAWN, on.swap("Fri", 1, 1, 2), on.move_out("Fri", 1, 1)),
        4,
        {"round.move"},
    ),
    "a void result whose players were moved": (
        (*DRAWN, on.result("Fri", 1, 1), on.void("Fri", 1, 1), on.swap("Fri", 1, 1, 2)),
        5,
        {"round.move"},
    ),
    "a table dissolved, with a later result": (
        (*NINE, on.dissolve("Fri", 1, 3), on.result("Fri", 1, 1)),
        4,
        {"result.enter"},
    ),
    "a round cancelled and drawn again": (
        (*DRAWN, on.withdraw("Fri", 0), on.cancel("Fri"), on.draw("Fri")),
        5,
        {"round.draw"},
    ),
    "a result that was corrected": (
        (*DRAWN, on.result("Fri", 1, 1), on.correct("Fri", 1, 1, (1, 2, 3, 0, 1, 2, 3))),
        4,
        {"result.correct"},
    ),
    "a hand of a sheet before the next": (
        (*DRAWN, on.partial("Fri", 1, 1, 1), on.drop("Fri", 1, 1)),
        4,
        {"result.drop"},
    ),
    "a penalty that was cancelled": (
        (*EIGHT, on.penalty("Fri", 0), on.cancel_penalty("Fri")),
        3,
        {"ruling.cancel"},
    ),
    "an entrant with a penalty": ((*EIGHT, on.enter("Fri", 8), on.penalty("Fri", 8)), 3, {"ruling.add"}),
    "a withdrawal that was taken back": (
        (*EIGHT, on.withdraw("Fri", 0), on.come_back("Fri", 0)),
        3,
        {"event.return"},
    ),
    "a result that the end of an event needs": (
        (*EIGHT, on.settings("Fri", rounds=1), on.draw("Fri"), *SHEETS, on.finish("Fri", incomplete=False)),
        5,
        {"event.finish"},
    ),
    "a name of an event that another has": (
        (*EIGHT, on.settings("Fri", name="Old"), on.create("Fri", "random")),
        3,
        {"event.new"},
    ),
    "a name that another person has": (
        (on.register(2), on.rename(0, "Zoe"), on.register(1), on.rename(2, "P0")),
        1,
        {"player.rename"},
    ),
    "a name of an event that another has, after the person of its number was renamed": (
        (*EIGHT, on.settings("Fri", name="Old"), on.rename(0, "Zoe"), on.create("Fri", "random")),
        3,
        {"event.new"},
    ),
    "a name that another person has, after the event of their number was made": (
        (on.register(2), on.rename(0, "Zoe"), on.create("Fri", "random"), on.register(1), on.rename(2, "P0")),
        1,
        {"player.rename"},
    ),
    "a merger before another": (
        (on.register(10), on.create("Fri", "random"), on.enter("Fri", *range(1, 9)), on.merge(9, 8), on.merge(0, 9)),
        3,
        {"player.merge"},
    ),
    "a merger before a draw": (
        (*EIGHT, on.enter("Fri", 8), on.register(1), on.merge(9, 8), on.draw("Fri")),
        5,
        {"round.draw"},
    ),
    "a result that an edition counts": ((*DATED, *SHEETS, on.publish()), 4, {"rating.publish"}),
    "a date by which an edition counts": (
        (*DRAWN, *SHEETS, on.settings("Fri", date=on.DAY), on.publish()),
        6,
        {"rating.publish"},
    ),
    "a merger before an edition": (
        (*DATED, *SHEETS, on.merge(8, 0), on.publish()),
        6,
        {"rating.publish"},
    ),
    "an edition before another": (
        (*DATED, *SHEETS, on.publish(), on.publish(3)),
        6,
        {"rating.publish"},
    ),
    "a correction that an edition lists": (
        (*DATED, *SHEETS, on.publish(), on.void("Fri", 1, 1), on.publish()),
        7,
        {"rating.publish"},
    ),
    "points that need a penalty": (
        (
            *EIGHT,
            on.settings("Fri", unfinished="penalty", unfinished_points=20),
            on.settings("Fri", unfinished_points=30),
        ),
        3,
        {"event.set"},
    ),
    "a setting by which a short game counted": (
        (*EIGHT, on.settings("Fri", unfinished="void"), on.draw("Fri"), on.result("Fri", 1, 1, range(7), 3)),
        3,
        {"result.enter"},
    ),
}


def _begin(db: str, commands: tuple[Command, ...], without: int) -> tuple[Evening, int]:
    """Copy a database in which the first commands were made once, if none of them is left out; return their number."""
    for first in (DRAWN, SWISS, EIGHT):
        if commands[: len(first)] == first and without >= len(first):
            desk.copied(db, _make_first, first)
            return Evening(db, [f"P{number}" for number in range(9)]), len(first)
    return Evening(db), 0


def _make_first(db: str, commands: tuple[Command, ...]) -> None:
    assert on.replay(Evening(db), commands) == []


def _made(db: str, commands: tuple[Command, ...]) -> list[int]:
    """Make the commands; return the number of the first entry of each. Each of the first commands has one entry."""
    evening, made = _begin(db, commands, len(commands))
    numbers = list(range(1, made + 1))
    for command in commands[made:]:
        numbers.append(on.head(db) + 1)
        assert on.make(evening, command), len(numbers)
    return numbers


def _replayed(db: str, commands: tuple[Command, ...], without: int) -> list[int]:
    """Make all commands but one; return the indexes of those that were refused, or not needed."""
    evening, made = _begin(db, commands, without)
    refused = on.replay(evening, commands[made:], without - made)
    return [made + index for index in (*refused, *evening.unneeded)]


def _forced(db: str, number: int) -> object:
    """Undo a command although others rest on it; return what is shown then, or the problem."""
    try:
        with writing(db) as store:
            store.undo(number)
        return database.check(db).problems or on.state(db)
    except (DBAPIError, TourneyError, ValueError) as problem:
        return problem


@pytest.mark.parametrize("name", RESTING)
def test_a_change_on_which_others_rest_is_refused(name: str, db: str) -> None:
    commands, index, kinds = RESTING[name]
    number = _made(db, commands)[index]
    with desk.refused(ExitCode.REFUSED, f"change {number} cannot be taken back alone", "on it"):
        apply(db, Undo(number))
    with writing(db) as store:
        resting = store.journal.resting_on(store.journal.undo_of(number).entries, ordered_by)
    assert {entry.kind for entry in resting} >= kinds


def _would_break(name: str, tmp_path: Path) -> bool:
    """Return whether a command taken back all the same fails, damages the index or gives what no replay gives."""
    commands, index, _kinds = RESTING[name]
    forced, again = str(tmp_path / "forced.db"), str(tmp_path / "again.db")
    number = _made(forced, commands)[index]
    return bool(_replayed(again, commands, index)) or _forced(forced, number) != on.state(again)


@pytest.mark.parametrize("name", ["one player who is seated", "constraints of which others were added"])
def test_a_refused_change_taken_back_all_the_same_would_break_a_later_one(name: str, tmp_path: Path) -> None:
    assert _would_break(name, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", RESTING)
def test_every_refused_change_taken_back_all_the_same_would_break_a_later_one(name: str, tmp_path: Path) -> None:
    assert _would_break(name, tmp_path)


# For each case the commands, and the index of the one that is taken back alone.
ALONE: dict[str, tuple[tuple[Command, ...], int]] = {
    "a result beside another": ((*DRAWN, *SHEETS), 4),
    "a result of a rotation before the next round": (
        (*ROTATION, *SHEETS, on.draw("Fri")),
        4,
    ),
    "a swap at other tables than a later result": (
        (*TWELVE, on.swap("Fri", 1, 1, 2), on.result("Fri", 1, 3)),
        4,
    ),
    "one of two late players": ((*DRAWN, on.enter("Fri", 8), on.register(1), on.enter("Fri", 9), *SHEETS), 4),
    "one of two penalties": ((*EIGHT, on.penalty("Fri", 0), on.penalty("Fri", 1, 30)), 3),
    "one of two settings": ((*EIGHT, on.settings("Fri", minutes=50), on.settings("Fri", rounds=3)), 3),
    "a withdrawal before another": ((*EIGHT, on.withdraw("Fri", 0), on.withdraw("Fri", 1), *SHEETS[:0]), 3),
    "a name that nobody took": ((on.register(2), on.rename(0, "Zoe"), on.register(1)), 1),
    "a merger after which nothing changed there": (
        (*EIGHT, on.register(1), on.merge(9, 8), on.create("Sat", "random")),
        4,
    ),
    "the current event": ((*EIGHT, on.use("Fri"), on.create("Sat", "random"), on.use("Sat")), 3),
    "a clock of another round": ((*DRAWN, on.clock("Fri", 1, 45), on.draw("Fri"), on.clock("Fri", 2, 50)), 4),
    "a result after the day of an edition": (
        (
            *(*DATED, *SHEETS),
            *(on.create("Sat", "random"), on.enter("Sat", 0, 1, 2, 3), on.draw("Sat")),
            *(on.result("Sat", 1, 1), on.publish()),
        ),
        9,
    ),
    "an event beside another": ((on.create("Fri", "random"), on.create("Sat", "random")), 0),
}


QUICK = {
    "a swap at other tables than a later result",
    "one of two late players",
    "a merger after which nothing changed there",
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in ALONE]
)
def test_a_change_on_which_nothing_rests_is_taken_back_alone(name: str, tmp_path: Path) -> None:
    commands, index = ALONE[name]
    db, again = str(tmp_path / "club.db"), str(tmp_path / "again.db")
    numbers = _made(db, commands)
    apply(db, Undo(numbers[index]))
    assert _replayed(again, commands, index) == []
    assert on.state(db) == on.state(again)
    assert database.check(db).problems == ()
