"""The cut: who goes through to the next stage of an event, decided when its first round is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import GONE, HERE, Event, with_stage, without_round
from tourney.domain.people import Player
from tourney.domain.rounds import PlayOff, Round, Stage, Table
from tourney.rulebook import rulesets
from tourney.service.lookup import event_argument, in_stage
from tourney.service.results.standings import tables_of_stages
from tourney.service.stages import plan_check
from tourney.standings.cuts import Cut, cut
from tourney.standings.scales import shown
from tourney.standings.staged import first_counted
from tourney.standings.standing import Standing
from tourney.standings.tiebreaks.lot import lot
from tourney.text.i18n import _, ngettext
from tourney.text.ranges import listed, listed_tables


def is_over(reader: storage.Reader, event: Event, drawn: int) -> bool:
    """Return whether the stage that was begun last is over after so many drawn rounds.

    A knock-out is over as soon as few enough players have a life left.
    """
    stage = event.stage
    if stage is None or drawn < stage.first:
        return False
    return drawn >= stage.first - 1 + stage.rounds or (stage.lives > 0 and _few_left(reader, event, stage))


def _few_left(reader: storage.Reader, event: Event, stage: Stage) -> bool:
    return len(in_stage(reader, event).playing) <= stage.until


def cut_to(reader: storage.Reader, event: Event, stage: Stage, *, with_left: bool = False) -> Cut:
    """Return who goes through to a stage by the results as they are now.

    For a stage that has begun these are the results of the stage before it. `with_left` takes players, too, who have
    left since they played that stage to its end.
    """
    if stage.take == "named":
        return Cut(_named(event, stage))
    at = event.settings.stages.index(stage)
    table = tables_of_stages(reader, event, undivided=True)[at - 1]
    last = _last_tables(reader.rounds.of(event), stage.first or None)
    least, _most = rulesets.table_limits(event.rules)
    takes_all = event.settings.stages[at - 1].lives or stage.take == "all"
    ranked = [row for row in table.rows if takes_all or row.rank is not None]
    stayed = [row for row in ranked if not _left_early(row)]
    here = [row for row in ranked if row.state not in GONE]
    played = len(stayed) if stage.begun else len(here)
    return cut(stage, stayed if with_left else here, last, lots_of(event), least, played)


def lots_of(event: Event) -> dict[int, int]:
    """Return the lots of the entrants by number of player; the lower one goes first."""
    return {player.id: lot(event.settings.seed, number) for number, player in enumerate(event.entrants, 1)}


def _named(event: Event, stage: Stage) -> tuple[Player, ...]:
    """Return the named players of a stage who have not left: also those who did not play in the stage before."""
    here = {player.id: player for player in event.in_state(*HERE)}
    return tuple(here[number] for number in stage.named if number in here)


def _left_early(row: Standing) -> bool:
    """Return whether the player left before the end of the stage, and so stands below all who stayed."""
    return row.state in GONE and row.band[:1] == (1,)


def _last_tables(rounds: Sequence[Round], first: int | None) -> tuple[Table, ...]:
    """Return the tables of the last round before round `first`, of all rounds if that is None."""
    before = [each for each in rounds if first is None or each.number < first]
    return before[-1].tables if before else ()


def begin_next(store: storage.Store, event: Event, rounds: Sequence[Round]) -> tuple[Event, Cut | None]:
    """Begin the next stage if the one begun last is over; return the event, and who goes through if it was begun.

    Raises TourneyError REFUSED, saying what to do, while a result is missing, a tie at the border waits for its
    play-off hand, the players are not named yet, or too few or too many go through.
    """
    stage = event.next_stage
    if stage is None or not is_over(store, event, len(rounds)):
        return event, None
    _refuse_missing(store, event, stage, rounds)
    decided = cut_to(store, event, stage)
    refuse_undecided(event, stage, decided)
    numbers = tuple(player.id for player in decided.through)
    _refuse_few(event, stage, len(numbers))
    plan_check.refuse_unseated(event, stage, len(numbers))
    begun = replace(stage, first=len(rounds) + 1, players=numbers, by_rule=numbers)
    return store.events.change(event, with_stage(event, stage, begun)), decided


def end_stage(store: storage.Store, event: Event, cancelled: int) -> Event:
    """Let a stage whose first round was cancelled begin anew with the next draw; return the event."""
    before = without_round(event, cancelled)
    return event if before == event else store.events.change(event, before.settings)


def cut_notes(reader: storage.Reader, event: Event, cut: Cut) -> Iterator[str]:
    """Yield notes on who goes through to the stage that has just begun, what the lot decided, and what is carried."""
    stage = event.stage
    assert stage is not None, "a stage has begun"
    names = ", ".join(player.shown for player in cut.through)
    yield _("Players of {stage}: {names}.").format(stage=stage.name, names=names)
    if cut.by_lot:
        text = _("Nothing separates {names} at the border: the lot has decided.")
        yield text.format(names=names_of(cut.by_lot))
    yield from _carried(reader, event, stage)


def _carried(reader: storage.Reader, event: Event, stage: Stage) -> Iterator[str]:
    """Yield how much each player of a stage that has just begun brings along, and how it was counted."""
    if stage.carry == "nothing":
        return
    before, table = tables_of_stages(reader, event, undivided=True)[-2:]
    contest = before.order.contest
    texts = {
        "all": _("All points and games so far count in {stage}: {points}."),
        "half": _("Carried over to {stage} is half the points: {points}."),
        "place points": _("Carried over to {stage} by rank: {points}."),
    }
    text, first = texts[stage.carry], first_counted(event)
    if stage.carry == "all" and first.carry != "nothing":
        text = _(
            "Points and games since the beginning of {first}, without those brought along, count in {stage}: {points}."
        )
    if stage.carry == "half" and contest.per_game:
        text = _("Carried over to {stage} is half the points per game, times {games}: {points}.")
    tallies = table.order.contest.tallies
    brought = {number: tally.total if stage.carry == "all" else tally.carried for number, tally in tallies.items()}
    names = {player.id: player.shown for player in event.entrants}
    points = [f"{names[number]} {shown(brought[number])}" for number in stage.players]
    games = max((tally.games for tally in contest.tallies.values()), default=0)
    yield text.format(stage=stage.name, points=listed(points, 12), games=games, first=first.name)


def _refuse_missing(reader: storage.Reader, event: Event, stage: Stage, rounds: Sequence[Round]) -> None:
    tables = reader.results.waiting(event, rounds)
    if not tables:
        return
    text = ngettext(
        "{stage} of {event} begins when every result is in; missing: {tables}",
        "{stage} of {event} begins when all results are in; missing: {tables}",
        len(tables),
    )
    message = text.format(
        stage=stage.name,
        event=event.settings.name,
        tables=listed_tables((table.round, table.number) for table in tables),
    )
    hint = _(
        "enter them with `tourney result enter`, or make a table that cannot be played void: `tourney result void`"
    )
    raise TourneyError(ExitCode.REFUSED, message, hint)


def refuse_undecided(event: Event, stage: Stage, decided: Cut) -> None:
    """Raise TourneyError REFUSED if a play-off hand is still to be played, or nobody is named for the stage."""
    named = event_argument(event)
    if decided.undecided:
        message = "; ".join(_level_text(stage, each) for each in decided.play_offs)
        hint = _(
            "`tourney status` says who sits where; then enter how it ended: `tourney event cut{event} --playoff "
            "FIRST=0,SECOND=25`"
        ).format(event=named)
        raise TourneyError(ExitCode.REFUSED, message, hint)
    if stage.take == "named" and not decided.through:
        message = _("nobody is named yet for {stage} of {event}").format(stage=stage.name, event=event.settings.name)
        hint = _("name the players with `tourney event cut{event} --players NAMES`").format(event=named)
        raise TourneyError(ExitCode.REFUSED, message, hint)


def _level_text(stage: Stage, play_off: PlayOff) -> str:
    text = ngettext(
        "{names} are level at the border of {stage} and play one hand for {places} place",
        "{names} are level at the border of {stage} and play one hand for {places} places",
        play_off.places,
    )
    return text.format(names=names_of(play_off.players), stage=stage.name, places=play_off.places)


def names_of(players: Sequence[Player]) -> str:
    """Return the names of players as a list in one line."""
    return listed([player.shown for player in players], 12)


def play_off_hand(event: Event, stage: Stage) -> str:
    """Return the hand that is played: the last of a game of the stage before; "" where games have no fixed hands."""
    stages = event.settings.stages
    before = next((each for each, following in pairwise(stages) if following == stage), None)
    if before is not None and before.hands:
        return before.hands[-1]
    hands = rulesets.contracts(event.rules)
    return hands[-1][0] if hands else ""


def _refuse_few(event: Event, stage: Stage, players: int) -> None:
    least, _most = rulesets.table_limits(event.rules)
    if players < least:
        message = ngettext(
            "{number} player goes through to {stage}, and the smallest table has {least}",
            "{number} players go through to {stage}, and the smallest table has {least}",
            players,
        ).format(number=players, stage=stage.name, least=least)
        hint = _("change the plan with `tourney event set{event} --plan FILE`, or finish the event").format(
            event=event_argument(event)
        )
        raise TourneyError(ExitCode.REFUSED, message, hint)
