"""Tests of mergers among substitutes, deletions and undo by number, in random order: each is made or refused."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.harness import desk
from tests.harness.slow import slow
from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import Change, apply
from tourney.service.database import check
from tourney.service.events.events import DeleteEvent
from tourney.service.players import MergePlayers, PublishPlayer, RegisterPlayers
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound
from tourney.service.rounds.substitute import NameSubstitute

REFUSALS = {ExitCode.REFUSED, ExitCode.CONFLICT, ExitCode.NOT_FOUND, ExitCode.USAGE}
CHANGES: dict[str, Callable[[Random, list[str], int], Change]] = {
    "merge": lambda random, people, _number: MergePlayers(*random.sample(people, 2)),
    "substitute": lambda random, people, _number: NameSubstitute(
        "Friday", random.sample(people, random.choice((1, 2)))
    ),
    "undo a number": lambda random, _people, number: Undo(random.randint(max(1, number - 12), number)),
    "undo": lambda _random, _people, _number: Undo(),
    "redo": lambda _random, _people, _number: Redo(),
    "delete": lambda _random, _people, _number: DeleteEvent("Friday"),
    "draw": lambda _random, _people, _number: DrawRound("Friday"),
    "cancel": lambda _random, _people, _number: CancelRound("Friday", reason="again"),
    "hide": lambda random, people, _number: PublishPlayer(random.choice(people), "nothing"),
    "register": lambda random, _people, number: RegisterPlayers([f"P{number}{random.randint(0, 99)}"]),
}
OFTEN = (4, 4, 5, 2, 1, 1, 2, 1, 1, 1)


@pytest.mark.parametrize("seed", [1, *slow(range(2, 60))])
def test_no_order_of_changes_leaves_what_cannot_be_read(seed: int, tmp_path: Path) -> None:
    """A merger and an undo were called damage of the database, though nothing was damaged."""
    random, db = Random(seed), str(tmp_path / "club.db")
    desk.event(db, 8, rounds=3)
    apply(db, RegisterPlayers([f"P{number}" for number in range(6)]))
    apply(db, DrawRound("Friday"))
    made = 0
    for _step in range(40):
        with storage.reading(db) as reader:
            people = [player.shown for player in reader.people.players()]
            number = len(list(reader.journal.entries()))
        (kind,) = random.choices(list(CHANGES), OFTEN)
        try:
            apply(db, CHANGES[kind](random, people, number))
            made += 1
        except TourneyError as error:
            if error.code not in REFUSALS:
                raise
        _read_everything(db)
    assert made > 8
    assert check(db).problems == ()


def _read_everything(db: str) -> None:
    """Read who plays where in every event. Raises TourneyError STORAGE if something refers to what is not there."""
    with storage.reading(db) as reader:
        for number in reader.events.names():
            event = reader.events.get(number)
            for drawn in reader.rounds.of(event):
                playing = [player.id for at in drawn.tables for player in at.players]
                playing += [
                    each.substitute.id for each in reader.rounds.substitutions(event) if each.round == drawn.number
                ]
                assert len(playing) == len(set(playing)), "one person plays twice in a round"
            reader.rounds.as_drawn(event)
