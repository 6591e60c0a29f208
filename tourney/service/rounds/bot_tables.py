"""Play the tables of bots in an event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Final
from warnings import warn

from tourney import storage
from tourney.bots import roster
from tourney.domain.errors import TourneyError, TourneyWarning
from tourney.domain.events import Event
from tourney.domain.leagues import OutsideBot
from tourney.domain.people import bot_of_seat
from tourney.domain.results import Play, Result
from tourney.domain.rounds import Table
from tourney.league import playing
from tourney.rulebook import records, rulesets
from tourney.rulebook.fault_sentences import fault_text
from tourney.service import database
from tourney.service.bots import (
    NO_CONSENT,
    Consent,
    keeps_secrets,
    lacks_deals,
    permitted_bots,
    prove_walls,
    with_deals,
)
from tourney.service.change import Change, Outcome, apply
from tourney.service.impact import preview
from tourney.service.lookup import nothing_drawn, refuse_finished, same_rules, with_rules_of_round
from tourney.service.rounds.rounds import show
from tourney.text.i18n import _
from tourney.text.progress import Progress, Tell, no_news, no_progress


@dataclass(frozen=True, slots=True)
class BotTables:
    """The tables of bots only in an event, in all drawn rounds or in one, and the consent to their bots."""

    event: str | None = None
    round: int | None = None
    consent: Consent = NO_CONSENT


EVERY_TABLE: Final = BotTables()


def play(
    db: str | None,
    wanted: BotTables = EVERY_TABLE,
    progress: Progress = no_progress,
    dry_run: bool = False,
    by: str = "",
    tell: Tell = no_news,
) -> Play:
    """Play the tables without a result, or with a void one, as the change of `by`.

    Each result is kept as soon as it is played, so that an interrupt loses nothing. A table's deals depend only on the
    event's seed, the round and the table; those of bots from outside on a seed that was drawn if nobody gave one, and
    on how often the table was played before, as records show its cards. `tell` gets that seed's hash before the first
    deal. The game of a table that is changed meanwhile is not kept.
    Raises TourneyError NOT_FOUND, and REFUSED if nothing is drawn, the event is finished, its rules are not those of
    this program, or a file of a bot from outside is not as it was when the bot entered; nothing is played then.
    """
    schedule = show(db, wanted.event, wanted.round)
    refuse_finished(schedule.event)
    if not schedule.rounds:
        raise nothing_drawn(schedule.event)
    same_rules(schedule.event)
    finished = schedule.done - schedule.void
    open_tables = [
        table for round_ in schedule.rounds for table in round_.tables if (table.round, table.number) not in finished
    ]
    of_bots = [table for table in open_tables if _is_bots_only(table)]
    waiting = tuple(table for table in open_tables if not _is_bots_only(table))
    outside = _bots_here(db, schedule.event, of_bots, wanted.consent)
    event = _with_deals(db, schedule.event, tuple(outside.values()), dry_run, by)
    if outside and event.settings.drawn_deals:
        tell(storage.deals_hash(event.settings))
    results: list[Result] = []
    games = _games(db, event, of_bots, outside, wanted.consent.isolation)
    for count, (table, game) in enumerate(games, 1):
        if _made(db, _KeepBotTable(event, table, game), dry_run, by):
            results.append(Result(event.settings.name, table, game.outcome, records.record_digest(game.record)))
        progress(count, len(of_bots))
    return Play(event, tuple(results), waiting)


def _made(db: str | None, change: Change[Outcome], dry_run: bool, by: str) -> Outcome:
    """Return the outcome of the change, which a dry run takes back."""
    return preview(db, change, by=by).outcome if dry_run else apply(db, change, by=by)


def table_seed(event: Event, table: Table, outside: bool = False, before: int = 0) -> str:
    """Return the seed of the deals of a bots' table: of a drawn seed a hash, since records show it before the end.

    `before` says how often the table was played already: its records have shown the cards of those games.
    """
    drawn = event.settings.drawn_deals if outside else ""
    seed = f"{drawn or event.settings.seed}/round/{table.round}/table/{table.number}"
    again = f"/again/{before}" if before else ""
    return sha256(f"{seed}{again}".encode()).hexdigest() if drawn else seed


def _with_deals(db: str | None, event: Event, outside: Sequence[OutsideBot], dry_run: bool, by: str) -> Event:
    """Return the event with a seed for the deals of these bots; an older event, or one from elsewhere, gets one now."""
    with storage.reading(db) as reader:
        if not outside or not lacks_deals(event, reader):
            return event
    return _made(db, _DrawDeals(event, outside), dry_run, by)


@dataclass(frozen=True, slots=True)
class _DrawDeals(Change[Event]):
    """Draw the seed from which the deals of an event's bots from outside follow."""

    event: Event
    outside: Sequence[OutsideBot]

    def perform(self, store: storage.Store) -> Event:
        """Return the event with its seed, which another process may have drawn meanwhile."""
        return with_deals(store, store.events.get(self.event.id), self.outside)


def _games(
    db: str | None, event: Event, tables: Sequence[Table], outside: Mapping[str, OutsideBot], isolation: str
) -> Iterator[tuple[Table, records.BotGame]]:
    """Yield each table with its game, as it is played."""
    with storage.reading(db) as reader:
        before = reader.results.records_kept(event) if outside else {}
    for table in tables:
        yield table, _game(event, table, outside, isolation, before.get((table.round, table.number), 0))


def _game(
    event: Event, table: Table, outside: Mapping[str, OutsideBot], isolation: str, before: int
) -> records.BotGame:
    """Return the table's game, played by the engine, or as leagues play if a bot from outside sits there."""
    rules = with_rules_of_round(event, table.round).rules
    names = [player.name for player in table.players]
    bots = [bot_of_seat(player) for player in table.players]
    own = [outside[bot] for bot in dict.fromkeys(bots) if bot in outside]
    seed, stake = table_seed(event, table, bool(own), before), event.settings.stake
    if not own:
        return records.play_table(rules, bots, names, seed, stake)

    entrants = roster.entrants_of(own, isolation)
    played = playing.play_table(rulesets.rules_of(rules), bots, names, seed, stake, entrants)
    for fault in played.faults:
        message = _("round {round}, table {table}, {bot}: {fault}").format(
            round=table.round, table=table.number, bot=names[fault.entrant], fault=fault_text(fault.what)
        )
        warn(TourneyWarning(message), stacklevel=2)
    return records.bot_game(played.result, played.record)


def _bots_here(db: str | None, event: Event, tables: Sequence[Table], consent: Consent) -> dict[str, OutsideBot]:
    """Return the bots from outside at these tables, by name.

    Raises TourneyError NOT_FOUND or REFUSED, with what to do, for one whose file is gone or has changed, or whose level
    of isolation does not hold here.
    """
    with storage.reading(db) as reader:
        known = reader.events.bots(event.id)
    seated = dict.fromkeys(bot_of_seat(player) for table in tables for player in table.players)
    bots = permitted_bots([known[bot] for bot in seated if bot in known], consent.isolation, consent)
    games = {(with_rules_of_round(event, table.round).rules, len(table.players)) for table in tables}
    with _hint_to_put_back():
        roster.check_files(bots)
    prove_walls(db, bots, consent.isolation)
    with _hint_to_put_back():
        for rules, size in games if bots else ():
            roster.check_entrants(bots, rulesets.rules_of(rules), size, consent.isolation)
    if event.settings.deals == event.settings.seed and keeps_secrets(bots, consent.isolation):
        message = _("the seed {seed} was given, so it is public, and with it all cards: give the next event none")
        warn(TourneyWarning(message.format(seed=event.settings.seed)), stacklevel=2)
    return {bot.name: bot for bot in bots}


@contextmanager
def _hint_to_put_back() -> Iterator[None]:
    """Give errors about the files of bots a hint on what to do in an event."""
    try:
        yield
    except TourneyError as error:
        hint = _(
            "put it back as it was, and give the command in the folder where you entered the bot; or take the bot out "
            "with `tourney event withdraw --out`"
        )
        raise TourneyError(error.code, error.message, hint) from None


@dataclass(frozen=True, slots=True)
class _KeepBotTable(Change[bool]):
    """Keep the result of a table that bots have played."""

    event: Event
    table: Table
    game: records.BotGame

    def perform(self, store: storage.Store) -> bool:
        """Return whether the table has the same seats as before; a result entered meanwhile is not replaced."""
        if not _is_unchanged(store, self.event, self.table):
            return False
        if _lacks_result(store, self.event, self.table):
            record = store.results.keep_record(self.game.record) if self.game.record else ""
            store.write(storage.kinds.results.ResultEntered.of(self.event, self.table, self.game.outcome, record))
        database.backup_when_finished(store, self.event, self.table.round)
        return True


def _is_unchanged(reader: storage.Reader, event: Event, table: Table) -> bool:
    """Return whether the table has the same seats as before: a round may change while its tables are played."""
    return any(table in round_.tables for round_ in reader.rounds.of(event))


def _lacks_result(reader: storage.Reader, event: Event, table: Table) -> bool:
    """Return whether the table still lacks a result; another process may have played the same game from its seed."""
    return (table.round, table.number) not in reader.results.counting(event.id)


def _is_bots_only(table: Table) -> bool:
    return all(player.kind == "bot" for player in table.players)
