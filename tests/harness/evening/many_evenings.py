"""Seasons of many evenings, for measuring: written to the database without the checks of a sheet."""

import random
from collections.abc import Sequence

from tests.harness.crowd import sheet_outcome
from tourney.domain.events import EventSettings
from tourney.domain.people import Player
from tourney.domain.rounds import Round, Table
from tourney.domain.rules import RulesRef
from tourney.domain.seasons import CountedEvent, SeasonSettings
from tourney.storage.journal import kinds
from tourney.storage.person_names import NewPerson
from tourney.storage.session import writing

ROUNDS = 4
"""The rounds of an evening."""
POINTS = range(3, 140)
"""The points of a hand as they occur, so that ties are as rare as in clubs."""


def make_seasons(db: str, seasons: int, evenings: int, players: int) -> None:
    """Create so many seasons, each of its own evenings of the same players; the best half of the results counts."""
    chance = random.Random(1)
    with writing(db) as store:
        store.people.add_persons([NewPerson(f"Player {number:02}", "", "") for number in range(players)])
        people = list(store.people.players())
    for number in range(1, seasons + 1):
        events = [_evening(db, f"S{number} E{evening}", evening, people, chance) for evening in range(evenings)]
        with writing(db) as store:
            settings, names = SeasonSettings(f"Season {number}", best=max(1, evenings // 2)), store.events.names()
            season = store.seasons.get(store.add(kinds.seasons.SeasonMade.of(settings)))
            counted, titles = [CountedEvent(event) for event in events], [names[event] for event in events]
            store.write(kinds.seasons.EventsCounted.adding(season, counted, titles))


def _evening(db: str, name: str, evening: int, people: Sequence[Player], chance: random.Random) -> int:
    """Create an evening with all results; return its number."""
    with writing(db) as store:
        day = f"2026-{1 + evening // 28:02}-{1 + evening % 28:02}"
        settings = EventSettings(name, "oficial", rounds=ROUNDS, date=day)
        event = store.events.enter(store.events.new(settings, RulesRef("oficial", "digest")), list(people))
        for number in range(1, ROUNDS + 1):
            order = chance.sample(list(people), len(people))
            tables = tuple(Table(number, 1 + at // 4, tuple(order[at : at + 4])) for at in range(0, len(people), 4))
            store.rounds.draw(event, Round(number, tables, ()))
            for table in tables:
                store.write(kinds.results.ResultEntered.of(event, table, sheet_outcome(chance, points=POINTS)))
        return event.id
