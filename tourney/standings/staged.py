"""Standings of an event with stages: each stage is ranked by itself, and finalists stand above those who are out."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, repeat
from typing import Any

from tourney.domain.events import GONE, EntrantState, Event, EventSettings, stage_settings
from tourney.domain.people import Player
from tourney.domain.results import Result, Ruling, RulingState
from tourney.domain.rounds import Round, Stage, Table, stage_at
from tourney.seating.formats import FORMATS, RankedBy
from tourney.standings.arithmetic import arithmetic
from tourney.standings.lives import lives_lost
from tourney.standings.placing import Ranked, RankedPlayer
from tourney.standings.ranking import explained
from tourney.standings.scales import POINTS, Score
from tourney.standings.standing import NO_BAND, Band, PlayerTally, Standing
from tourney.standings.substitutes import CountedResults
from tourney.text.i18n import _, ngettext


@dataclass(frozen=True, slots=True)
class StageContest:
    """The part of an event that is ranked by itself: who plays in a stage, and the games that count there.

    `carried` has what players bring along, by number; `bands` what ranks them before their scores. `settings` are those
    of the event in the stage, and `minimum` is as for `standings`.
    """

    settings: EventSettings
    players: tuple[Player, ...]
    states: tuple[EntrantState, ...]
    results: tuple[Result, ...]
    rulings: tuple[Ruling, ...]
    carried: Mapping[int, Score]
    bands: Mapping[int, Band]
    minimum: int | None = None


Uncounted = Collection[tuple[int, int]]
"""Seats that count for nobody, by round and player."""
Rank = Callable[[StageContest], Ranked]
"""The order of a contest."""


@dataclass(frozen=True, slots=True)
class StageTable:
    """The standings of one stage: its index, what was played, and the order of its players."""

    at: int
    stage: Stage
    contest: StageContest
    order: Ranked

    @property
    def rows(self) -> tuple[Standing, ...]:
        """Return the rows in order."""
        return self.explained()[0]

    def explained(self) -> tuple[tuple[Standing, ...], tuple[str, ...]]:
        """Return the rows in order with their reasons, and notes on how they were ranked."""
        rows, notes = explained(self.order, self.contest.results, self.contest.rulings)
        return tuple(replace(row, stage=self.stage.name) for row in rows), notes


def stage_tables(
    event: Event, results: CountedResults, rulings: Sequence[Ruling], rank: Rank, *, undivided: bool = False
) -> tuple[StageTable, ...]:
    """Return the standings of each stage that was begun, in order.

    Those who play in the stage after it stand above the others, unless the tables are `undivided`: they then show
    each stage as it was when the next one had not begun.
    """
    tables: list[StageTable] = []
    for at, stage in enumerate(event.settings.stages):
        if stage.begun:
            contest = _contest(event, at, results, rulings, tables, undivided=undivided)
            tables.append(StageTable(at, stage, contest, rank(contest)))
    return tuple(tables)


def stages_after(event: Event, last: int) -> Event:
    """Return the event with its stages as they were after round `last`: no later one has begun."""
    stages = tuple(
        replace(stage, first=0, players=(), by_rule=(), playoff=(), playoff_points=()) if stage.first > last else stage
        for stage in event.settings.stages
    )
    return replace(event, settings=replace(event.settings, stages=stages))


def groups_of(event: Event, rounds: Sequence[Round]) -> dict[int, int]:
    """Return the group of each player of the last stage if it has groups: the number of the table they sat at last."""
    stage = event.stage
    if stage is None or not FORMATS[stage.format].ordered_once:
        return {}
    drawn = [table for each in rounds if each.number >= stage.first and not each.draft for table in each.tables]
    return {player.id: table.number for table in drawn for player in table.players}


def contest_of(event: Event, results: CountedResults, rulings: Sequence[Ruling]) -> StageContest | None:
    """Return the contest of the stage that was begun last; None if more than the points of its games ranks there."""
    at = max(number for number, stage in enumerate(event.settings.stages) if stage.begun)
    stage = event.settings.stages[at]
    if FORMATS[stage.format].ranked_by != "nothing" or stage.carry in ("half", "place points"):
        return None
    return _contest(event, at, results, rulings, ())


def combined(tables: Sequence[StageTable]) -> tuple[tuple[Standing, ...], tuple[str, ...]]:
    """Return all rows: those of the last stage first, then of the stage before those who do not play in it."""
    rows: list[Standing] = []
    notes: list[str] = []
    for table in reversed(tables):
        own, said = table.explained()
        notes += said if len(tables) == 1 else [_noted(table, note) for note in said]
        done = {row.player.id for row in rows}
        remaining = [row for row in _placed(table, own) if row.player.id not in done]
        places = _places([row.rank for row in remaining], len(rows))
        rows += [replace(row, rank=place) for row, place in zip(remaining, places, strict=True)]
        rows = [_with_earlier(row, own) for row in rows]
    return tuple(rows), tuple(dict.fromkeys((*_order_note(tables), *notes)))


def combined_order(tables: Sequence[StageTable]) -> Ranked:
    """Return the players in the order of `combined`, without sentences; the contest is that of the last stage."""
    placed: list[RankedPlayer] = []
    below: list[PlayerTally] = []
    for table in reversed(tables):
        done = {each.tally.player.id for each in placed} | {tally.player.id for tally in below}
        own = [each for each in table.order.placed if each.tally.player.id not in done]
        places = _places([each.rank for each in own], len(done))
        placed += [replace(each, rank=place) for each, place in zip(own, places, strict=True) if place is not None]
        below += [tally for tally in table.order.below if tally.player.id not in done]
    return replace(tables[-1].order, placed=tuple(placed), below=tuple(below))


def arithmetic_of(tables: Sequence[StageTable], player: Player) -> Sequence[str]:
    """Return the steps that lead to a player's rank in each of their stages, the last stage first.

    The tables are `undivided`.
    """
    steps: list[str] = []
    for table in reversed(tables):
        if player in table.contest.players:
            own = (*arithmetic(table.order, player), *_leaving(table, player))
            steps += own if len(tables) == 1 else [_noted(table, step) for step in own]
    return steps


def _leaving(table: StageTable, player: Player) -> Iterator[str]:
    """Yield that a player left before the end of a stage, which ranks below all who stayed in it."""
    if table.order.contest.tallies[player.id].band.order[:1] == (1,):
        yield _("left before the end of the stage, which ranks below all who stayed")


def _placed(table: StageTable, rows: Sequence[Standing]) -> Sequence[Standing]:
    """Return the rows of a stage; before its first result, in the order in which the players go through."""
    if table.at == 0 or any(row.games for row in rows):
        return rows
    places = {number: place for place, number in enumerate(table.stage.players, 1)}
    ordered = sorted(rows, key=lambda row: (row.state in GONE, places.get(row.player.id, len(places) + 1)))
    why = _("No result of {stage} counts yet: the order is from the stage before").format(stage=table.stage.name)
    return [replace(row, rank=place, why=why) for place, row in enumerate(ordered, 1)]


def _order_note(tables: Sequence[StageTable]) -> Iterator[str]:
    if len(tables) > 1:
        yield _("Points are from each player's last stage; a later stage ranks above an earlier one.")


def _noted(table: StageTable, note: str) -> str:
    return _("{stage}: {note}").format(stage=table.stage.name, note=note)


def _places(ranks: Sequence[int | None], above: int) -> list[int | None]:
    """Return the ranks of players below so many others, from their ranks in a list that had others among them."""
    ranked = [rank for rank in ranks if rank is not None]
    return [None if rank is None else above + 1 + sum(own < rank for own in ranked) for rank in ranks]


def _with_earlier(row: Standing, rows: Sequence[Standing]) -> Standing:
    """Return the row with the rounds of an earlier stage."""
    earlier = next((each for each in rows if each.player == row.player), row)
    if earlier is row or len(earlier.by_round) == 0:
        return row
    played = {number: score for number, score in enumerate(earlier.by_round) if score is not None}
    length = max(len(row.by_round), len(earlier.by_round))
    both = [row.by_round[at] if at < len(row.by_round) else None for at in range(length)]
    return replace(row, by_round=tuple(played.get(at) if score is None else score for at, score in enumerate(both)))


def _contest(
    event: Event,
    at: int,
    results: CountedResults,
    rulings: Sequence[Ruling],
    before: Sequence[StageTable],
    *,
    undivided: bool = False,
) -> StageContest:
    stages, stage = event.settings.stages, event.settings.stages[at]
    played = tuple(each for each in results.results if stage_at(stages, each.table.round) == at)
    counted = tuple(
        each for each in results.results if _counts_from(stages, at) <= stage_at(stages, each.table.round) <= at
    )
    players = _members(event, at, played)
    states = dict(zip((player.id for player in event.entrants), event.states, strict=False))
    return StageContest(
        stage_settings(event.settings, stage),
        players,
        tuple(states.get(player.id, "entered") for player in players),
        counted,
        tuple(_rulings_of(event, at, rulings)),
        _carried(stage, before),
        _bands(event, at, players, played, results.uncounted, undivided=undivided),
        0 if FORMATS[stage.format].lives else event.settings.minimum,
    )


def _members(event: Event, at: int, played: Sequence[Result]) -> tuple[Player, ...]:
    """Return who plays in a stage, in the order of entry, with everybody who has sat at a table of it."""
    named = set(event.settings.stages[at].players)
    if at == 0 and not named:
        return event.entrants
    seated = {player.id for result in played for player in result.table.players}
    return tuple(player for player in event.entrants if player.id in named | seated)


def first_counted(event: Event) -> Stage:
    """Return the first stage whose games count in the stage that was begun last."""
    stages = event.settings.stages
    at = max(number for number, stage in enumerate(stages) if stage.begun)
    return stages[_counts_from(stages, at)]


def _counts_from(stages: Sequence[Stage], at: int) -> int:
    """Return the first stage whose games count in the stage `at`: all points may be carried over, several times."""
    while at and stages[at].carry == "all":
        at -= 1
    return at


def _rulings_of(event: Event, at: int, rulings: Sequence[Ruling]) -> Iterator[Ruling]:
    """Yield the rulings that count in a stage: its own, and those of the stages whose games count there."""
    first = _counts_from(event.settings.stages, at)
    return (ruling for ruling in rulings if first <= _stage_of(event, ruling) <= at)


def _stage_of(event: Event, ruling: Ruling) -> int:
    """Return the stage that a ruling belongs to: without a round, the last one that its player plays in."""
    stages = event.settings.stages
    if ruling.round is not None:
        return stage_at(stages, ruling.round)
    begun = (each for each, stage in enumerate(stages) if stage.begun)
    return max((each for each in begun if ruling.player is None or _plays(event, each, ruling.player)), default=0)


def rulings_now(event: Event, drawn: int, played: Sequence[Table], rulings: Sequence[Ruling]) -> tuple[Ruling, ...]:
    """Return the rulings, with their state where a penalty does not count after `drawn` rounds.

    A penalty keeps its round, and so its stage: it waits while the round is not drawn, such as after its cancelling.
    `played` are the tables with a result.
    """
    return tuple(replace(each, state=_state_now(event, drawn, played, each)) for each in rulings)


def _state_now(event: Event, drawn: int, played: Sequence[Table], ruling: Ruling) -> RulingState:
    if ruling.kind != "penalty" or ruling.state != "stands" or ruling.round is None or ruling.player is None:
        return ruling.state
    if ruling.round > drawn:
        return "waits"
    stages, at = event.settings.stages, _stage_of(event, ruling)
    seats = (ruling.player in table.players for table in played if stage_at(stages, table.round) == at)
    return "stands" if _plays(event, at, ruling.player) or any(seats) else "not in stage"


def counted_as_points(event: Event, tables: Sequence[StageTable], rulings: Sequence[Ruling]) -> list[Ruling]:
    """Return the penalties of players of a stage in which points rank, each in the stage that it belongs to."""
    by_points = [table for table in tables if table.order.contest.scale is POINTS]
    members = {table.at: {player.id for player in table.contest.players} for table in by_points}
    return [each for each in rulings if each.player and each.player.id in members.get(_stage_of(event, each), ())]


def _plays(event: Event, at: int, player: Player) -> bool:
    players = event.settings.stages[at].players
    return not players or player.id in players


def _carried(stage: Stage, before: Sequence[StageTable]) -> dict[int, Score]:
    """Return what the players of a stage bring along; halves of whole numbers are rounded down.

    Where scores per game ranked, everybody brings along as much as their mean gives over all games of the stage before.
    Players beyond the last of the place points have that one: no points would be the best where the fewest win.
    """
    if stage.carry == "place points":
        points = chain(stage.carry_points, repeat(stage.carry_points[-1]))
        return dict(zip(stage.players, points, strict=False))
    if stage.carry != "half" or not before:
        return {}
    contest = before[-1].order.contest
    return {number: _half(tally, per_game=contest.per_game) for number, tally in contest.tallies.items()}


def _half(tally: PlayerTally, *, per_game: bool) -> Score:
    total = tally.score(per_game=True) * tally.full if per_game and tally.games else tally.total
    return total // 2 if isinstance(tally.total, int) else Fraction(total) / 2


def _bands(
    event: Event, at: int, members: Sequence[Player], played: Sequence[Result], uncounted: Uncounted, *, undivided: bool
) -> Mapping[int, Band]:
    """Return what ranks the players of a stage before their points."""
    stages, stage = event.settings.stages, event.settings.stages[at]
    later = stages[at + 1] if at + 1 < len(stages) and stages[at + 1].begun else None
    own = _OWN_BANDS[FORMATS[stage.format].ranked_by](stage, played, uncounted)
    bands = {player.id: own.get(player.id, NO_BAND) for player in members}
    levels = dict.fromkeys(_gone(event, stage, later, played, uncounted), Band((1,), _("has left")))
    if later is not None and not undivided:
        out = Band((1,), _("does not play in {stage}").format(stage=later.name))
        left = Band((2,), _("has left"))
        levels = {player: left if player in levels else out for player in bands if player not in later.players}
    return {player: _within(levels.get(player), band) for player, band in bands.items()}


def _within(level: Band | None, band: Band) -> Band:
    """Return the band of a player on a level of its own, None for the first level."""
    return Band((0, *band.order), band.why) if level is None else Band((*level.order, *band.order), level.why)


def _gone(
    event: Event, stage: Stage, later: Stage | None, played: Sequence[Result], uncounted: Uncounted
) -> frozenset[int]:
    """Return the players who left before the end of the stage: who had neither all its games nor one in its last round.

    In a knock-out, who had lost all lives has played to the end.
    """
    rounds = stage.rounds if later is None else later.first - stage.first
    counted = [result for result in played if result.state == "counts"]
    games = [player.id for result in counted for player in result.table.players]
    stayed = {
        player.id
        for result in counted
        if result.table.round == stage.first - 1 + rounds
        for player in result.table.players
    }
    lives = lives_lost(played, uncounted) if stage.lives else {}
    out = frozenset(player for player, (lost, _last) in lives.items() if lost >= stage.lives)
    left = {player.id for player in event.in_state(*GONE) if games.count(player.id) < rounds}
    return frozenset(left - stayed - out)


def _by_nothing(_stage: Stage, _played: Sequence[Result], _uncounted: Uncounted) -> dict[int, Band]:
    return {}


def _by_lives(stage: Stage, played: Sequence[Result], uncounted: Uncounted) -> dict[int, Band]:
    """Return the bands of a knock-out: by lives lost, and those who are out by the round that they reached."""
    bands = {}
    for player, (lost, last) in lives_lost(played, uncounted).items():
        if lost < stage.lives:
            why = ngettext("has lost {number} life", "has lost {number} lives", lost).format(number=lost)
            bands[player] = Band((0, lost), why)
        else:
            bands[player] = Band((1, -last), _("out since round {round}").format(round=last))
    return bands


def _by_last_table(_stage: Stage, played: Sequence[Result], uncounted: Uncounted) -> dict[int, Band]:
    """Return the bands of a ladder: by the table of the last round, and the place at it."""
    last = max((result.table.round for result in played if result.state == "counts"), default=0)
    bands: dict[int, Band] = {}
    for result in played:
        if result.table.round == last and result.state == "counts":
            for player, place in zip(result.table.players, result.outcome.places, strict=True):
                if (last, player.id) in uncounted:
                    continue
                why = _("place {place} at table {table} in round {round}")
                text = why.format(place=place, table=result.table.number, round=last)
                bands[player.id] = Band((result.table.number, place), text)
    seated = {player.id for result in played for player in result.table.players}
    absent = Band((10**6, 0), _("did not play in round {round}").format(round=last))
    return {**dict.fromkeys(seated, absent), **bands}


_OWN_BANDS: Mapping[RankedBy, Callable[[Stage, Sequence[Result], Uncounted], dict[int, Band]]] = {
    "nothing": _by_nothing,
    "lives": _by_lives,
    "last table": _by_last_table,
}


def level(row: Standing) -> Any:
    """Return what the row is ranked by before tie-breaks; rows that are level have equal values."""
    return row.band, row.score
