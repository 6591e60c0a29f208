"""Rounds: drawing them, showing them, and playing their tables of bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tourney import games
from tourney.domain import Event, ExitCode, Mode, Play, Player, Result, Round, Schedule, Table, TourneyError
from tourney.service.lookup import find_event, find_round
from tourney.text import _, ngettext

Progress = Callable[[int, int], None]
"""Told after each table: how many are done, of how many."""
Seats = tuple[tuple[int, ...], ...]


def draw(db: str | None, event: str | None = None, mode: Mode = "save") -> Schedule:
    """Draw the event's next round, the rotation planned for all of them; those drawn before stay as they are.

    The schedule has that round alone. Raises TourneyError NOT_FOUND for an unknown event, REFUSED if all
    rounds are drawn or the entrants cannot be seated.
    """
    from tourney.storage import writing

    with writing(db, mode) as store:
        found = find_event(store, event)
        drawn = store.rounds(found)
        if len(drawn) >= found.settings.rounds:
            message = _("all {rounds} rounds of {event} are drawn").format(
                rounds=found.settings.rounds, event=found.settings.name
            )
            raise TourneyError(ExitCode.REFUSED, message, _("see them with `tourney round show`"))
        following = _next_round(found, drawn)
        store.draw(found, following)
        done = store.finished(found.id)
        return Schedule(found, (following,), frozenset(), tuple(_unfinished(drawn, done)))


def show(db: str | None, event: str | None = None, round_number: int | None = None) -> Schedule:
    """The drawn rounds of an event, or one of them. Raises TourneyError NOT_FOUND."""
    from tourney.storage import reading

    with reading(db) as reader:
        found = find_event(reader, event)
        rounds = reader.rounds(found)
        if round_number is not None:
            rounds = (find_round(found, rounds, round_number),)
        return Schedule(found, rounds, reader.finished(found.id), void=reader.void(found.id))


def play(
    db: str | None,
    event: str | None = None,
    round_number: int | None = None,
    progress: Progress | None = None,
    mode: Mode = "save",
) -> Play:
    """Play the tables of bots alone that have no result, or a void one, in all drawn rounds or in one.

    Each table is kept as soon as it is played, so that nothing played is lost when interrupted. A table's
    deals follow from the event's seed, the round and the table alone. Raises TourneyError NOT_FOUND, and
    REFUSED if nothing is drawn or the event's rules are not those of this program.
    """
    schedule = show(db, event, round_number)
    if not schedule.rounds:
        message = _("no round of {event} is drawn").format(event=schedule.event.settings.name)
        raise TourneyError(ExitCode.REFUSED, message, _("draw one with `tourney round draw`"))
    same_rules(schedule.event)
    open_tables = [
        table
        for one in schedule.rounds
        for table in one.tables
        if (one.number, table.number) not in schedule.done - schedule.void
    ]
    of_bots = [table for table in open_tables if _bots_alone(table)]
    waiting = tuple(table for table in open_tables if not _bots_alone(table))
    results = tuple(_played(db, schedule.event, of_bots, progress, mode))
    return Play(schedule.event, results, waiting)


def same_rules(event: Event) -> None:
    """Raises TourneyError REFUSED if the rules that the event was made with have changed since."""
    if games.rules_digest(event.settings.rules) != event.rules_digest:
        message = _("the rules {rules} are no longer those that {event} was made with").format(
            rules=event.settings.rules, event=event.settings.name
        )
        raise TourneyError(ExitCode.REFUSED, message, _("use the version of tourney that the event began with"))


def table_seed(event: Event, table: Table) -> str:
    """What the deals of a bots' table follow from."""
    return f"{event.settings.seed}/round/{table.round}/table/{table.number}"


def _played(
    db: str | None, event: Event, tables: Sequence[Table], progress: Progress | None, mode: Mode
) -> Iterator[Result]:
    from tourney.storage import writing

    for count, table in enumerate(tables, 1):
        names = [player.name for player in table.players]
        kinds = [name.rpartition("-")[0] for name in names]
        game = games.play_table(event.settings.rules, kinds, names, table_seed(event, table))
        with writing(db, mode) as store:
            # Somebody else may have played it meanwhile; the same seed has given the same game.
            spot = (table.round, table.number)
            if spot not in store.finished(event.id) or spot in store.void(event.id):
                store.keep_result(event, table, game.outcome, record=game.record)
        if progress is not None:
            progress(count, len(tables))
        yield Result(event.settings.name, table, game.outcome, games.record_digest(game.record))


def _bots_alone(table: Table) -> bool:
    return all(player.kind == "bot" for player in table.players)


def _unfinished(drawn: Sequence[Round], done: frozenset[tuple[int, int]]) -> Iterator[str]:
    for one in drawn:
        missing = sum((one.number, table.number) not in done for table in one.tables)
        if missing:
            yield ngettext(
                "Round {round} still lacks the result of {count} table.",
                "Round {round} still lacks the results of {count} tables.",
                missing,
            ).format(round=one.number, count=missing)


def _next_round(event: Event, drawn: Sequence[Round]) -> Round:
    tables: list[tuple[Player, ...]] = []
    out: list[Player] = []
    for group in _groups(event):
        seated, resting = _next_of_group(event, group, drawn)
        tables += seated
        out += resting
    number = len(drawn) + 1
    numbered = tuple(Table(number, index, players) for index, players in enumerate(tables, 1))
    return Round(number, numbered, tuple(out))


def _groups(event: Event) -> list[tuple[Player, ...]]:
    """People and bots apart, so that the engine can play the bots' tables; together where one group is too small."""
    least, _most = games.table_limits(event.settings.rules)
    people = tuple(player for player in event.entrants if player.kind == "person")
    bots = tuple(player for player in event.entrants if player.kind == "bot")
    if len(people) >= least and len(bots) >= least:
        return [people, bots]
    return [event.entrants]


def _next_of_group(
    event: Event, group: Sequence[Player], drawn: Sequence[Round]
) -> tuple[list[tuple[Player, ...]], list[Player]]:
    from tourney.seating import plan

    settings = event.settings
    least, _most = games.table_limits(settings.rules)
    try:
        seating = plan(
            len(group),
            settings.size,
            settings.rounds,
            settings.seed,
            least=least,
            short=settings.short,
            played=tuple(_met(group, one) for one in drawn),
            # The bare minimum of repeats may keep one couple together all evening.
            aim="no third meeting",
        )
    except ValueError as error:
        message = _("{event} cannot be seated: {why}").format(event=settings.name, why=error)
        raise TourneyError(ExitCode.REFUSED, message, _("enter players with `tourney event enter`")) from None
    tables = [tuple(group[number] for number in table) for table in seating.rounds[len(drawn)]]
    return tables, [group[number] for number in seating.sitting_out[len(drawn)]]


def _met(group: Sequence[Player], drawn: Round) -> Seats:
    """The round as the group's numbers; people of another group at its tables are left out."""
    numbers = {player.id: number for number, player in enumerate(group)}
    tables = (tuple(numbers[player.id] for player in table.players if player.id in numbers) for table in drawn.tables)
    return tuple(table for table in tables if len(table) > 1)
