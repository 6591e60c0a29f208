"""The table of a season: the results of every player, which of them count, and the ranking."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from tourney.domain.people import Player
from tourney.domain.seasons import CountedEvent, Season, SeasonSettings
from tourney.standings.placing import Ranked
from tourney.standings.scales import Score, shown
from tourney.standings.seasons.results import RESULTS, Placing, ResultKind, placings, rounded
from tourney.standings.seasons.totals import TOTALS, Totals, Weighted
from tourney.standings.seasons.weights import WEIGHTS, faded
from tourney.text.i18n import _, marked, ngettext


@dataclass(frozen=True, slots=True)
class SeasonEvent:
    """An event of a season: its name and day, what its weight is made of, and the order of its players."""

    name: str
    day: str
    counted: CountedEvent
    order: Ranked


@dataclass(frozen=True, slots=True)
class SeasonResult:
    """A player's result in an event: its value and weight, and whether it counts.

    `faded` is the part of the weight that its age has left.
    """

    event: SeasonEvent
    placing: Placing
    value: Score
    weight: Score
    faded: Fraction
    counts: bool = True


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A row of a season: `rank` is None below the minimum of events.

    `results` are in the order of the events. The best `totalled` of them make the total; `left_out` are those that do
    not count, as they compete, the best first.
    """

    rank: int | None
    player: Player
    score: Score
    results: tuple[SeasonResult, ...]
    why: str = ""
    left_out: tuple[Score, ...] = ()
    totalled: int = 0

    @property
    def counting(self) -> int:
        """Return how many results count."""
        return sum(result.counts for result in self.results)


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """The standings of a season as of a day ("": no event has a date)."""

    season: Season
    as_of: str
    events: tuple[SeasonEvent, ...]
    rows: tuple[SeasonRow, ...]


def season_table(
    season: Season, events: Sequence[SeasonEvent], as_of: str, by_name: Callable[[str], Any]
) -> SeasonTable:
    """Return the standings of a season from the orders of its events; equal players are sorted `by_name`.

    Events later than `as_of` do not count.
    """
    settings = season.settings
    held = [event for event in events if not (as_of and event.day > as_of)]
    rows = [_row(player, results, settings, len(held)) for player, results in _results(settings, held, as_of).items()]
    rows.sort(key=lambda row: (by_name(row.player.shown), row.player.id))
    ranked = [row for row in rows if len(row.results) >= settings.minimum]
    below = [row for row in rows if len(row.results) < settings.minimum]
    return SeasonTable(season, as_of, tuple(held), (*_ranked(ranked, settings), *_below(below, settings)))


def result_kind(settings: SeasonSettings) -> ResultKind:
    """Return the kind of result by which a season ranks."""
    return RESULTS[settings.by]


def season_totals(settings: SeasonSettings) -> Totals:
    """Return the way in which a season totals results."""
    return TOTALS[settings.totals or result_kind(settings).usual_totals]


def _results(
    settings: SeasonSettings, events: Sequence[SeasonEvent], as_of: str
) -> Mapping[Player, list[SeasonResult]]:
    """Return each player's results that have a weight left."""
    kind, rule = result_kind(settings), WEIGHTS[settings.weights]
    found: dict[Player, list[SeasonResult]] = defaultdict(list)
    for event in events:
        left = faded(settings.decay, event.day, as_of)
        # All of an event have its weight, which is worked out once: fractions are slow.
        weight = _plain(rule.weight(event.counted, len(event.order.placed)) * left)
        bonus = settings.final_bonus if event.counted.final else 0
        gain = bonus if kind.most_wins else -bonus
        for placing in placings(event.order) if left else ():
            value = rounded(kind.value(placing, settings), settings.rounding)
            result = SeasonResult(event, placing, _plain(value + gain if gain else value), weight, left)
            found[placing.tally.player].append(result)
    return found


def _row(player: Player, results: Sequence[SeasonResult], settings: SeasonSettings, held: int) -> SeasonRow:
    """Return a player's row without a rank, of all `held` events."""
    best_first, totals = _best_first(results, settings), season_totals(settings)
    totalled = best_first[: _most(settings, held)]
    most = totals.most(len(totalled))
    counting = {id(result) for result in totalled[:most]}
    marked_results = tuple(each if id(each) in counting else replace(each, counts=False) for each in results)
    total = totals.total([_weighted(each) for each in totalled])
    left_out = tuple(totals.merit(_weighted(each)) for each in best_first[min(most, len(totalled)) :])
    return SeasonRow(None, player, _plain(total), marked_results, left_out=left_out, totalled=len(totalled))


def _plain(value: Score) -> Score:
    """Return a whole number as such: it is compared many times faster than a fraction."""
    return value.numerator if value.denominator == 1 else value


def _best_first(results: Sequence[SeasonResult], settings: SeasonSettings) -> list[SeasonResult]:
    merit, sign = season_totals(settings).merit, -1 if result_kind(settings).most_wins else 1
    return sorted(results, key=lambda result: sign * merit(_weighted(result)))


def _weighted(result: SeasonResult) -> Weighted:
    return result.value, result.weight


def _most(settings: SeasonSettings, held: int) -> int:
    """Return how many results of a player may count: of `held` events the worst, missed ones too, are left out."""
    if settings.best is not None:
        return settings.best
    return held if settings.drop is None else max(1, held - settings.drop)


Key = tuple[Score, tuple[Score, ...]]
"""A sort key: the score, then the results that do not count."""


def _ranked(rows: Sequence[SeasonRow], settings: SeasonSettings) -> Iterator[SeasonRow]:
    """Yield the rows with ranks: by score, then by the best results that do not count."""
    keys = {row.player.id: _key(row, settings) for row in rows}
    rank, above = 1, None
    for key, group in groupby(sorted(rows, key=lambda row: keys[row.player.id]), key=lambda row: keys[row.player.id]):
        level = list(group)
        for row in level:
            yield replace(row, rank=rank, why=_why(row, above, key, keys, settings))
            above = row
        rank += len(level)


def _key(row: SeasonRow, settings: SeasonSettings) -> Key:
    """Return a sort key: the score, and then the best, the second best … of the results that do not count."""
    sign = -1 if result_kind(settings).most_wins else 1
    # Whoever has no further result ranks last, which a value behind all others says.
    further = (*(sign * value for value in row.left_out), 10**9)
    return sign * row.score, further


def _why(
    row: SeasonRow,
    above: SeasonRow | None,
    key: Key,
    keys: Mapping[int, Key],
    settings: SeasonSettings,
) -> str:
    """Return in one sentence why a player ranks below the one above, or leads."""
    if above is None:
        return _(LEADER_BY_MOST if result_kind(settings).most_wins else LEADER_BY_FEWEST)
    if gap := abs(float(row.score - above.score)):
        return _("{gap} behind {above}").format(gap=shown(gap), above=above.player.shown)
    if key != keys[above.player.id]:
        return _("level with {above}, whose best result that does not count is better").format(above=above.player.shown)
    return _("level with {above}, also in the results that do not count: the rank is shared").format(
        above=above.player.shown
    )


LEADER_BY_MOST = marked("highest score")
LEADER_BY_FEWEST = marked("lowest score")


def _below(rows: Sequence[SeasonRow], settings: SeasonSettings) -> Iterator[SeasonRow]:
    for row in rows:
        text = ngettext(
            "{events} of the {needed} event needed for a rank",
            "{events} of the {needed} events needed for a rank",
            settings.minimum,
        ).format(events=len(row.results), needed=settings.minimum)
        yield replace(row, why=text)


def steps(table: SeasonTable, row: SeasonRow) -> tuple[str, ...]:
    """Return the arithmetic of a row, a sentence for each event and for the total."""
    settings = table.season.settings
    totalled = [_weighted(each) for each in _best_first(row.results, settings)[: row.totalled]]
    return (*(_result_step(each, settings) for each in row.results), *season_totals(settings).working(totalled))


def _result_step(result: SeasonResult, settings: SeasonSettings) -> str:
    """Return what an event gave: `Friday 20: rank 3 of 16: … = 866.67, rounded 867; weight 2; does not count`."""
    kind, event = result_kind(settings), result.event
    exact = kind.value(result.placing, settings)
    parts = [_("{working}: {value}").format(working=kind.working(result.placing, settings), value=shown(exact))]
    if (kept := rounded(exact, settings.rounding)) != exact:
        parts.append(_("counted as {value}").format(value=shown(kept)))
    if result.value != kept:
        parts.append(_("with the bonus for finals {value}").format(value=shown(result.value)))
    if result.weight != 1:
        parts.append(WEIGHTS[settings.weights].working(event.counted, result.placing.players))
    if result.faded != 1:
        percent = shown(100 * result.faded)
        parts.append(_("of which {percent} % are left after that time").format(percent=percent))
    if not result.counts:
        parts.append(_("does not count"))
    return _("{event}: {parts}").format(event=event.name, parts="; ".join(parts))
