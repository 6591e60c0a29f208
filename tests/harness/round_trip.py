"""Export events, import them into an empty database, and compare all that both databases show."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.oracles.verify_event import fold, verify
from tourney.domain.database import LogLine
from tourney.domain.events import EventSettings
from tourney.domain.people import Player
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Round
from tourney.service import database
from tourney.service.admin import journal
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.event_file import exported
from tourney.service.events.events import CreateEvent
from tourney.service.events.import_event import ImportEvent
from tourney.service.lookup import find_event
from tourney.service.players import RegisterPlayers
from tourney.service.results.standings import table_of
from tourney.storage.session import reading

_NUMBERED = re.compile(r"\b(erased-|player )\d+")


def there_and_back(db: str, folder: Path, name: str, known: Sequence[str] = ()) -> str:
    """Export an event, import it into a new database in `folder`, and check that nothing differs; return the file.

    People of the names `known` are registered there before, and an event is created.
    """
    text = exported(db, name).text
    file, other = folder / f"{name}.event", str(folder / f"{name}.db")
    file.write_text(text, encoding="utf-8")
    if known:
        apply(other, RegisterPlayers(known))
        apply(other, CreateEvent(EventSettings("Before", "oficial")))
    apply(other, ImportEvent(file))
    assert exported(other, name).text == text
    here, there = shown(db, name), shown(other, name)
    assert verified(text) == {
        (rank, who, games, points if money is None else money, penalty)
        for rank, who, points, penalty, games, _, money, _ in here["standings"]
    }
    for part, value in here.items():
        assert there[part] == value, part
    assert database.check(other).problems == ()
    return text


def names_of(db: str) -> list[str]:
    """Return the names of the events of a database."""
    return [event.settings.name for event in events.listing(db)]


def verified(text: str) -> set[tuple[Any, ...]]:
    """Return rank, name, games, points or money, and penalty of all, as the verifier computes them from the file."""
    faults, entries, names = verify(text.encode())
    assert faults == [], faults
    rows = fold(entries, {}).standings(names)
    return {(rank, re.sub(r"^person \d+$", "erased-N", name), *rest) for rank, name, *rest in rows}


def shown(db: str, name: str) -> dict[str, Any]:
    """Return what a database shows of an event, without the numbers that journal and people have there."""
    with reading(db) as reader:
        event = find_event(reader, name)
        rows = table_of(reader, event).rows
        sheets = [
            (each.round, each.table, list(map(_hand, each.hands))) for each in reader.results.partial_sheets(event)
        ]
        results = [
            (each.table.round, each.table.number, each.outcome, each.state, each.reason, each.record_digest)
            for each in reader.results.of(event)
        ]
        rulings = [
            (each.number, each.kind, each.text, each.points, each.state, each.why_cancelled, each.by, each.cancelled_by)
            for each in reader.results.signed_rulings(event)
        ]
        constraints = [(each.kind, _names(each.players), each.table) for each in event.constraints]
        drawn = [_round(each) for each in reader.rounds.of(event)]
    # Which event is the current one is not part of any.
    about = [line for line in journal.log(db, name).lines if ": current event:" not in f": {line.said}"]
    lines = [_line(line) for line in about if line.kind != "event.import"]
    return {
        "settings": (event.settings, event.rules, event.state, event.states, _names(event.entrants), constraints),
        # Erased people are called after their numbers, by which equal rows are ordered.
        "standings": {
            (row.rank, _name(row.player), row.points, row.penalty, row.games, row.hands_won, row.money, row.state)
            for row in rows
        },
        "rounds": drawn,
        "results": results,
        "rulings": rulings,
        "sheets": sheets,
        "log": lines,
    }


def _name(player: Player) -> str:
    return _plain(player.shown)


def _names(players: tuple[Player, ...]) -> list[str]:
    return list(map(_name, players))


def _plain(text: str) -> str:
    return _NUMBERED.sub(r"\1N", text)


def _hand(hand: SheetHand[str]) -> str:
    points, left = (dict(sorted(each.items())) for each in (hand.points, hand.left))
    return _plain(repr(replace(hand, points=points, left=left)))


def _round(drawn: Round) -> tuple[Any, ...]:
    return [(at.number, _names(at.players)) for at in drawn.tables], _names(drawn.sitting_out), drawn.clock


def _line(line: LogLine) -> tuple[str, ...]:
    """Return a line of the log; of an undone command, entries that are not part of the event may come first."""
    # A move names the players in the order of their numbers.
    text = " ".join(sorted(re.findall(r"[^ ,:]+", line.said))) if line.kind == "round.move" else line.said
    said = ("", "") if line.kind in ("undo", "redo") else (line.event, _plain(text))
    if line.state == "undone":
        # If only undone entries name a person, the file does not say whether they were erased or never registered.
        said = (said[0], said[1].replace("erased-N", "player N"))
    return line.time, line.kind, *said, line.state, line.by
