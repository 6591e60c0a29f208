"""Decisions of the organiser about a cut: a play-off hand, named players, and what follows from a later correction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import GONE, Event, with_stage
from tourney.domain.people import Player
from tourney.domain.results import SheetHand
from tourney.domain.rounds import PlayOff, Stage
from tourney.rulebook import rulesets, sheets
from tourney.service.lookup import ComparedChange, event_argument, find_entrants, find_open_event
from tourney.service.stages.advance import cut_to, names_of, play_off_hand
from tourney.service.stages.later import CutDifference, can_seat_again, difference, seats_left
from tourney.text.i18n import _, ngettext
from tourney.text.sanitize import quote_argument


@dataclass(frozen=True, slots=True)
class CutDecision:
    """A decision about a stage: the event after it, who plays in the stage now, who is new, and who no longer plays.

    `play_offs` are the play-off hands that are still to be played.
    """

    event: Event
    stage: Stage
    players: tuple[Player, ...]
    added: tuple[Player, ...] = ()
    removed: tuple[Player, ...] = ()
    play_offs: tuple[PlayOff, ...] = ()


@dataclass(frozen=True, slots=True)
class DecidePlayOff(ComparedChange[CutDecision]):
    """Enter how a play-off hand at the border of the next stage ended: its players, the best first.

    With their `points` these give the order. Each border has a hand of its own. Refused: NOT_FOUND, REFUSED without a
    next stage that has play-off hands, for others than the players of a hand, for points that are equal at the border,
    and for those that the hand cannot give.
    """

    event: str | None
    names: Sequence[str]
    points: Sequence[int] = ()

    def perform(self, store: storage.Store) -> CutDecision:
        """Return the stage with those who go through now."""
        event = find_open_event(store, self.event)
        stage = _next(event)
        if stage.ties != "play-off":
            message = _("there is no play-off hand for {stage}").format(stage=stage.name)
            raise TourneyError(ExitCode.REFUSED, message, _("ties at its border are decided as the plan says"))
        unplayed = without_play_off(event, stage)
        play_offs = cut_to(store, unplayed, unplayed.next_stage or stage).play_offs
        players = find_entrants(event, self.names)
        points = dict(zip(players, self.points, strict=False))
        _refuse_impossible(event, stage, points)
        _refuse_level(stage, _meant(stage, play_offs, players), points)
        changed = _played(stage, play_offs, sorted(players, key=lambda player: points.get(player, 0)), points)
        after = store.events.change(event, with_stage(event, stage, changed))
        decided = cut_to(store, after, changed)
        return CutDecision(after, changed, decided.through, play_offs=decided.play_offs)


def _meant(stage: Stage, play_offs: Sequence[PlayOff], players: Sequence[Player]) -> list[PlayOff]:
    """Return the play-off hands of exactly these players. Raises TourneyError REFUSED if there are none."""
    meant = [each for each in play_offs if set(each.players) <= set(players)]
    if meant and sorted(each.id for each in players) == sorted(one.id for each in meant for one in each.players):
        return meant
    message = _("the play-off hand for {stage} is between {names}")
    hint = _("name exactly these players, the best first")
    if len(play_offs) > 1:
        message = _("each play-off hand for {stage} is between others: {names}")
        hint = _("name exactly the players of one hand, the best first")
    names = "; ".join(names_of(each.players) for each in play_offs) or _("nobody")
    raise TourneyError(ExitCode.REFUSED, message.format(stage=stage.name, names=names), hint)


def _played(stage: Stage, play_offs: Sequence[PlayOff], order: Sequence[Player], points: Mapping[Player, int]) -> Stage:
    """Return the stage with how a hand ended, and with what was entered before of the other hands.

    The order counts within each hand; hands with points come first, since points are kept for the first players.
    """
    level = {player.id for each in play_offs for player in each.players} - {player.id for player in order}
    others = [each for each in zip_longest(stage.playoff, stage.playoff_points) if each[0] in level]
    pairs = sorted([*others, *((each.id, points.get(each)) for each in order)], key=lambda pair: pair[1] is None)
    kept = tuple(each for _number, each in pairs if each is not None)
    return replace(stage, playoff=tuple(number for number, _points in pairs), playoff_points=kept)


def _refuse_impossible(event: Event, stage: Stage, points: Mapping[Player, int]) -> None:
    """Raise TourneyError REFUSED for points that no sheet of the hand can have. The knock game has no such hand."""
    contract, most = play_off_hand(event, stage), rulesets.table_limits(event.rules)[1]
    places = {name: number for number, (name, _cards) in enumerate(rulesets.contracts(event.rules), 1)}
    size = min(len(points), most)
    for player, own in points.items() if contract in places else ():
        hand = SheetHand(contract, {0: own})
        fault = sheets.hand_fault(event.rules, [player.shown] * size, places[contract], hand, range(1, size))
        if fault:
            message = _("{hand}: {reason}").format(hand=contract, reason=fault)
            hint = _("look at the sheet again, or give only the names, the best first")
            raise TourneyError(ExitCode.REFUSED, message, hint)


def _refuse_level(stage: Stage, play_offs: Sequence[PlayOff], points: Mapping[Player, int]) -> None:
    """Raise TourneyError REFUSED if the last who would go through and the first who would not have equal points."""
    for each in play_offs if points else ():
        order = sorted(points[player] for player in each.players)
        if order[each.places - 1] == order[each.places]:
            message = _("two players of the play-off hand for {stage} are level again, with {points} points")
            hint = _("let them play another hand, and enter the order of all, the best first, without points")
            shown = message.format(stage=stage.name, points=order[each.places])
            raise TourneyError(ExitCode.REFUSED, shown, hint)


def without_play_off(event: Event, stage: Stage) -> Event:
    """Return the event as if the stage's play-off hand had not been played."""
    return replace(event, settings=with_stage(event, stage, replace(stage, playoff=(), playoff_points=())))


@dataclass(frozen=True, slots=True)
class NamePlayers(ComparedChange[CutDecision]):
    """Name the players of the next stage, where the plan says that the organiser does.

    Refused: NOT_FOUND, and REFUSED if the next stage takes its players by results, if somebody is named twice, or if
    fewer are named than the smallest table has.
    """

    event: str | None
    names: Sequence[str]

    def perform(self, store: storage.Store) -> CutDecision:
        """Return the stage with the named players."""
        event = find_open_event(store, self.event)
        stage = _next(event)
        if stage.take != "named":
            message = _("the players of {stage} follow from the results").format(stage=stage.name)
            hint = _("see them with `tourney standings{event}`").format(event=event_argument(event))
            raise TourneyError(ExitCode.REFUSED, message, hint)
        players = tuple(find_entrants(event, self.names))
        _refuse_names(event, stage, players)
        changed = replace(stage, named=tuple(player.id for player in players))
        return CutDecision(store.events.change(event, with_stage(event, stage, changed)), changed, players)


def _refuse_names(event: Event, stage: Stage, players: Sequence[Player]) -> None:
    """Raise TourneyError REFUSED if somebody is named twice for a stage or has left, or too few are named."""
    twice = next((player for player in players if players.count(player) > 1), None)
    if twice is not None:
        message = _("{player} is named twice for {stage}").format(player=twice.shown, stage=stage.name)
        raise TourneyError(ExitCode.REFUSED, message, _("name each player once"))
    left = event.in_state(*GONE)
    gone = next((player for player in players if player in left), None)
    if gone is not None:
        message = _("{name} has left the event").format(name=gone.shown)
        hint = _("name somebody who is here, or first: `tourney event return{event} {player}`")
        named = {"event": event_argument(event), "player": quote_argument(gone.shown)}
        raise TourneyError(ExitCode.REFUSED, message, hint.format(**named))
    least, _most = rulesets.table_limits(event.rules)
    if len(players) < least:
        message = ngettext(
            "{number} player is named for {stage}, and the smallest table has {least}",
            "{number} players are named for {stage}, and the smallest table has {least}",
            len(players),
        ).format(number=len(players), stage=stage.name, least=least)
        raise TourneyError(ExitCode.REFUSED, message, _("name all who play in it, in one command"))


@dataclass(frozen=True, slots=True)
class KeepCut(ComparedChange[CutDecision]):
    """Leave a stage as it is, although later corrections would let others go through.

    Refused: NOT_FOUND, REFUSED if the results still give the players of the stage.
    """

    event: str | None = None

    def perform(self, store: storage.Store) -> CutDecision:
        """Return the stage as it is."""
        event = find_open_event(store, self.event)
        found = _difference(store, event)
        changed = replace(found.stage, by_rule=tuple(player.id for player in found.by_results))
        after = store.events.change(event, with_stage(event, found.stage, changed))
        return CutDecision(after, changed, _players(after, changed))


@dataclass(frozen=True, slots=True)
class AddSeats(ComparedChange[CutDecision]):
    """Let entrants play in the stage that was begun last, from the next round on or where they are moved to a table.

    Without names these are the players whom later corrections let through. Refused: NOT_FOUND, REFUSED if nobody would
    be added, if the stage has no seat left for them, or in the first stage, in which everybody plays.
    """

    event: str | None = None
    names: Sequence[str] = ()

    def perform(self, store: storage.Store) -> CutDecision:
        """Return the stage with the players who are new in it."""
        event = find_open_event(store, self.event)
        stage = _later_stage(event)
        found = difference(store, event)
        wanted = find_entrants(event, self.names) if self.names else () if found is None else found.coming
        added = tuple(player for player in wanted if player.id not in stage.players)
        if not added:
            message = _("nobody is added to {stage}").format(stage=stage.name)
            raise TourneyError(ExitCode.REFUSED, message, _("name players who do not play in it"))
        refuse_full(store, event, stage, len(added))
        return _changed(store, event, stage, added)


@dataclass(frozen=True, slots=True)
class ReplacePlayers(ComparedChange[CutDecision]):
    """Let the next players go through in place of those who have left a stage.

    Refused: NOT_FOUND, REFUSED if nobody has left the stage, nobody is next, or nothing is left to play in it.
    """

    event: str | None = None

    def perform(self, store: storage.Store) -> CutDecision:
        """Return the stage with the players who are new in it, and those who have left."""
        event = find_open_event(store, self.event)
        stage = _later_stage(event)
        present = {player.id for player in event.playing}
        gone = tuple(player for player in _players(event, stage) if player.id not in present)
        following = next_in_line(store, event, stage)[: len(gone)]
        if not following:
            message = _("nobody has left {stage}") if not gone else _("nobody is next for {stage}")
            hint = _("see the standings with `tourney standings{event}`").format(event=event_argument(event))
            raise TourneyError(ExitCode.REFUSED, message.format(stage=stage.name), hint)
        refuse_full(store, event, stage, 1)
        return _changed(store, event, stage, following[: seats_left(store, event)], gone)


def refuse_full(reader: storage.Reader, event: Event, stage: Stage, players: int, moved: Player | None = None) -> None:
    """Raise TourneyError REFUSED if the stage has no seats left for so many players, such as one who is moved."""
    seats, named = seats_left(reader, event), event_argument(event)
    if seats is None or players <= seats:
        return
    if moved is None:
        message = _("no seat is left in {stage}").format(stage=stage.name)
    else:
        message = _("{name} does not play in {stage}, where no seat is left")
        message = message.format(name=moved.shown, stage=stage.name)
    if can_seat_again(reader, event, stage):
        hint = _("seat it again: `tourney round cancel{event} --reason TEXT`, then `tourney round draw{event}`")
    else:
        hint = _("its tables are full, or no round is left to draw: see them with `tourney round show{event}`")
    raise TourneyError(ExitCode.REFUSED, message, hint.format(event=named))


def next_in_line(reader: storage.Reader, event: Event, stage: Stage) -> tuple[Player, ...]:
    """Return the present players who would go through next to a stage, the best first."""
    by_results = cut_to(reader, event, stage).through
    return tuple(player for player in by_results if player.id not in stage.players)


def _changed(
    store: storage.Store,
    event: Event,
    stage: Stage,
    added: tuple[Player, ...],
    removed: tuple[Player, ...] = (),
) -> CutDecision:
    out = {player.id for player in removed}
    players = tuple(number for number in stage.players if number not in out)
    changed = replace(stage, players=(*players, *(player.id for player in added)))
    after = store.events.change(event, with_stage(event, stage, changed))
    by_results = cut_to(store, after, changed).through
    settled = replace(changed, by_rule=tuple(player.id for player in by_results))
    after = store.events.change(after, with_stage(after, changed, settled))
    return CutDecision(after, settled, _players(after, settled), added, removed)


def _players(event: Event, stage: Stage) -> tuple[Player, ...]:
    by_number = {player.id: player for player in event.entrants}
    return tuple(by_number[number] for number in stage.players)


def _next(event: Event) -> Stage:
    """Return the next stage. Raises TourneyError REFUSED if there is none."""
    if event.next_stage is None:
        message = _("{event} has no further stage").format(event=event.settings.name)
        hint = _("see its stages with `tourney event show{event}`").format(event=event_argument(event))
        raise TourneyError(ExitCode.REFUSED, message, hint)
    return event.next_stage


def _later_stage(event: Event) -> Stage:
    """Return the stage that was begun last. Raises TourneyError REFUSED in the first one, and without stages."""
    if event.stage is None or event.stage.first == 1:
        message = _("no stage of {event} has begun for which players go through").format(event=event.settings.name)
        hint = _("it begins when its first round is drawn: `tourney round draw{event}`")
        raise TourneyError(ExitCode.REFUSED, message, hint.format(event=event_argument(event)))
    return event.stage


def _difference(reader: storage.Reader, event: Event) -> CutDifference:
    """Return what later corrections have changed. Raises TourneyError REFUSED if nothing has."""
    stage = _later_stage(event)
    found = difference(reader, event)
    if found is None:
        message = _("the results still give the players of {stage}").format(stage=stage.name)
        hint = _("see them with `tourney standings{event}`").format(event=event_argument(event))
        raise TourneyError(ExitCode.REFUSED, message, hint)
    return found
