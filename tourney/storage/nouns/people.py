"""Read and write people, bots' seats, and their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Row, select

from tourney.domain.leagues import public_names
from tourney.domain.people import Player, PublishedAs, bot_of_seat
from tourney.storage import person_names
from tourney.storage import rows as values
from tourney.storage.journal import kinds, payloads
from tourney.storage.journal.checksums import Rows
from tourney.storage.journal.entries import Payload
from tourney.storage.nouns.transaction import Transaction
from tourney.storage.nouns.writing import Writing
from tourney.storage.person_names import NewPerson
from tourney.storage.tables import table


class PeopleReader:
    """Queries of people and of bots' seats; these have the names that everybody may see if they are read `for_all`."""

    def __init__(self, transaction: Transaction, *, for_all: bool = False) -> None:
        self._transaction = transaction
        self._for_all = for_all
        self._living: tuple[Rows, dict[int, Player]] = ([], {})
        self._merged: tuple[Rows, dict[int, int]] = ([], {})

    def players(self) -> tuple[Player, ...]:
        """Return all players and seats of bots in the order of registration, except those merged into another."""
        return tuple(self.by_number().values())

    def gone(self) -> tuple[Player, ...]:
        """Return the players merged into another, each under the last name before the merger."""
        return tuple(
            self._with_names([row for row in self._transaction.rows("players")["player"] if row.merged is not None])
        )

    def merged(self) -> Mapping[int, int]:
        """Return which player was merged into which, by number; remembered as long as their rows."""
        rows = self._transaction.rows("players")["player"]
        if rows is not self._merged[0]:
            self._merged = rows, {each.id: each.merged for each in rows if each.merged is not None}
        return self._merged[1]

    def published(self) -> dict[int, str | None]:
        """Return the other names of people in rankings, by number; None for a person whom rankings do not show.

        A player merged into another is shown as that one.
        """
        changes = (kinds.people.PlayerPublished, kinds.people.PlayersMerged)
        wishes = kinds.people.wishes(self._transaction.of_kinds(changes, "players"))
        found = dict(self._published(wishes))
        kept = {gone: payloads.survivor(gone, self.merged()) for gone in self.merged()}
        return found | {gone: found[keep] for gone, keep in kept.items() if keep in found}

    def _published(self, wishes: Mapping[int, Payload]) -> Iterator[tuple[int, str | None]]:
        """Yield who is not shown in rankings, and who is shown under another name, by number."""
        texts, merged = table("person"), self.merged()
        for number, wish in wishes.items():
            if number in merged or wish["published"] == "name":
                continue
            where = (texts.c.player == wish["player"], texts.c.version == wish.get("version"))
            row = self._transaction.first(select(texts.c.name).where(*where))
            if wish["published"] == "nothing":
                yield number, None
            elif row is not None and row.name:  # the name of somebody who was erased is empty
                yield number, row.name

    def former_names(self, player: Player) -> frozenset[str]:
        """Return every name that the player, or anybody merged into them, has or had, in rankings too."""
        return person_names.former(self._transaction.connection, player.id)

    def by_number(self) -> dict[int, Player]:
        """Return the players who were not merged into another, by number; remembered as long as their rows are equal.

        A row has the version of the name and whether it was erased, so equal rows have equal names.
        """
        rows = self._transaction.rows("players")["player"]
        if rows is not self._living[0] and rows != self._living[0]:
            called = self._with_names([row for row in rows if row.merged is None])
            self._living = rows, values.Known({player.id: player for player in called})
        return self._living[1]

    def _with_names(self, rows: Sequence[Row[Any]]) -> Iterator[Player]:
        """Yield these players with their names."""
        persons = table("person")
        texts = {(row.player, row.version): row for row in self._transaction.connection.execute(select(persons))}
        of = values.player  # looked up once: its module may be one that loads when it is used
        found = (of(row, texts.get((row.id, row.version))) for row in rows)
        return self._in_public(found) if self._for_all else found

    def _in_public(self, players: Iterable[Player]) -> Iterator[Player]:
        """Yield these players, seats of bots under the names that everybody may see; two bots have two names."""
        seats = (values.player(row, None) for row in self._transaction.rows("players")["player"] if row.kind == "bot")
        names = public_names(map(bot_of_seat, seats))
        for player in players:
            bot = bot_of_seat(player) if player.kind == "bot" else ""
            yield replace(player, name=names[bot] + player.name.removeprefix(bot)) if bot else player


class PeopleStore(PeopleReader):
    """Reads and writes people."""

    _transaction: Writing

    def add_persons(self, new: Sequence[NewPerson]) -> tuple[Player, ...]:
        """Register people; their names are kept outside the journal."""
        first = self._transaction.next("player")
        added = [
            Player(first + index, person.name, "person", person.label, person.club) for index, person in enumerate(new)
        ]
        person_names.write(
            self._transaction.connection, [(player.id, 1, person) for player, person in zip(added, new, strict=True)]
        )
        self._transaction.write(kinds.people.PlayersAdded([{"id": player.id, "kind": "person"} for player in added]))
        return tuple(added)

    def add_bots(self, names: Sequence[str]) -> tuple[Player, ...]:
        """Register bots' seats, such as `greedy-1`."""
        first = self._transaction.next("player")
        added = [Player(first + index, name, "bot") for index, name in enumerate(names)]
        self._transaction.write(
            kinds.people.PlayersAdded([{"id": player.id, "kind": "bot", "bot": player.name} for player in added])
        )
        return tuple(added)

    def rename(self, player: Player, name: str, label: str, club: str) -> Player:
        """Give a person another name, label or club; the former one is kept for undo."""
        version = person_names.next_version(self._transaction.connection, player.id)
        person_names.write(self._transaction.connection, [(player.id, version, NewPerson(name, label, club))])
        self._transaction.write(kinds.people.PlayerRenamed(player, version))
        return replace(player, name=name, label=label, club=club)

    def publish(self, player: Player, published: PublishedAs, name: str) -> None:
        """Set how rankings show a person; another name is kept where their names are, so that erasing reaches it."""
        version = None
        if published == "other name":
            version = person_names.next_version(self._transaction.connection, player.id)
            person_names.write(self._transaction.connection, [(player.id, version, NewPerson(name, "", ""))])
        self._transaction.write(kinds.people.PlayerPublished(player, published, version))

    def erase(self, player: Player) -> tuple[int, ...]:
        """Erase every name of a person and of players merged into them; return the players' numbers.

        Undo does not bring the names back.
        """
        numbers = person_names.with_merged(self._transaction.connection, player.id)
        self.erase_names(numbers)
        return numbers

    def erase_names(self, numbers: Sequence[int]) -> None:
        """Erase the names of the players with these numbers."""
        for number in numbers:
            person_names.erase(self._transaction.connection, number)
            self._transaction.write(kinds.people.PlayerErased(number))
