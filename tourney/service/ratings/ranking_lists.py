"""Rankings that a club publishes, who moved since a day, and the hall of fame of a pool."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.player_history import HallOfFame, HighestScore, Rivalry, Streak
from tourney.domain.pools import Pool
from tourney.domain.rankings import (
    BY_SCORE,
    ListedRow,
    Movement,
    RankingList,
    RankingQuantity,
    RatingFilter,
    RatingRow,
    RatingsTable,
    Selection,
    Verdict,
    Why,
)
from tourney.ratings.readings import ranked
from tourney.service.lookup import iso_date
from tourney.service.ratings.open_pool import OpenPool, from_pool
from tourney.service.ratings.pools import open_history, shown_names, unpublished
from tourney.service.ratings.rating_filter import filtered_fold, filtered_games, readings
from tourney.service.ratings.ratings import hidden_note
from tourney.service.ratings.records import Records, records
from tourney.text.dates import shown_dates
from tourney.text.i18n import _
from tourney.text.names import fold, name_order

RECORDS = 10
"""The most records of a kind."""
MIN_STREAK = 2
MIN_MEETINGS = 5
"""The fewest games of two rivals."""


def hall_of_fame(db: str | None, pool: str = "people") -> HallOfFame:
    """Return the records of a pool. Raises TourneyError NOT_FOUND for an unknown pool, and as `records` does."""
    return from_pool(db, pool, _hall_of_fame)


def _hall_of_fame(opened: OpenPool) -> HallOfFame:
    pool, found = opened.pool, records(opened)
    names, hidden = shown_names(opened.reader, pool), unpublished(opened.reader, pool)
    shown = {key: names.get(key, key) for key in found.players if key not in hidden}
    game = _Games(opened)
    peaks = [
        HighestScore(shown[key], score, number, game.day(*at), game.name(*at))
        for key, (score, number, *at) in ((key, found.players[key].best) for key in shown)
    ]
    streaks = [
        Streak(shown[key], length, game.day(*ends[:2]), game.day(*ends[2:4]), lasting=found.players[key].lasting)
        for key, (length, *ends) in ((key, found.players[key].longest) for key in shown)
        if length >= MIN_STREAK
    ]
    peaks.sort(key=lambda peak: (-peak.score, peak.player))
    streaks.sort(key=lambda streak: (-streak.games, streak.last, streak.player))
    rivals = sorted(
        _rivalries(found, shown), key=lambda each: (-each.games, abs(each.ahead - each.behind), each.player, each.rival)
    )
    return HallOfFame(pool, tuple(peaks[:RECORDS]), tuple(streaks[:RECORDS]), tuple(rivals[:RECORDS]))


class _Games:
    """The days and events of a pool's games, by their event or file and their number in it."""

    def __init__(self, opened: OpenPool) -> None:
        pool, self._history = opened.pool, opened.history
        self._events = {} if pool.kind == "imported" else opened.reader.events.names()
        self._batches = {batch.of: batch for batch in opened.history.batches(pool.kind)}

    def day(self, of: int, number: int) -> str:
        """Return the day (ISO) of a game; "" if it is not known."""
        return self._history.day(self._batches[of], number)

    def name(self, of: int, number: int) -> str:
        """Return the event of a game, or the name that its file gives it."""
        return self._events.get(of) or self._history.name(self._batches[of], number)


def _rivalries(found: Records, shown: Mapping[str, str]) -> Iterator[Rivalry]:
    """Yield the pairs who met often enough, and of whom neither is ahead by more than chance explains.

    Of n games between equals the lead has a standard deviation of √n at most.
    """
    for met in found.met(MIN_MEETINGS):
        lead = met.ahead - met.behind
        if met.player in shown and met.rival in shown and lead * lead <= met.games:
            player, rival = shown[met.player], shown[met.rival]
            if player < rival:
                yield Rivalry(player, rival, met.games, met.ahead, met.behind)
            elif rival < player:
                yield Rivalry(rival, player, met.games, met.behind, met.ahead)


_SPAN: Final = re.compile(r"([1-9][0-9]{0,3})\s*([dmy])", re.ASCII | re.IGNORECASE)
_MONTHS: Final = {"m": 1, "y": 12}


def ranking_list(
    db: str | None,
    pool: str,
    rating_filter: RatingFilter,
    selection: Selection,
    by: RankingQuantity = BY_SCORE,
    moved_since: str = "",
) -> RankingList:
    """Return the ranking of the players of a pool that are selected, from the games that pass the filter.

    With `moved_since` (a day), ranks are compared with those of the same selection on that day. Raises TourneyError as
    `filtered_games` does; REFUSED for what is no day or span, for games without a date where days are asked for, a day
    of comparison after the last game, and a club of an imported pool or of nobody.
    """
    day = iso_date(moved_since)
    with storage.reading(db) as reader:
        opened = OpenPool(reader, *open_history(reader, pool))
        found = opened.pool
        clubs = _clubs(reader, found, selection)
        now = _Snapshot(opened, rating_filter, selection, by, dated=bool(day))
        rows = now.rows(clubs)
        if day:
            _refuse_later(day, now)
            earlier = replace(rating_filter, until=day, day=day)
            then = _Snapshot(opened, earlier, selection, by, dated=True)
            rows = {key: replace(row, movement=_movement(key, row, then, now)) for key, row in rows.items()}
        names, hidden = shown_names(reader, found), unpublished(reader, found)
        listed = [
            replace(each, row=replace(each.row, player=names.get(key, key)))
            for key, each in rows.items()
            if key not in hidden
        ]
        notes = hidden_note(len(hidden & rows.keys()))
        table = RatingsTable(
            found, tuple(each.row for each in listed), notes, reader.journal.head()[1], (), rating_filter, by
        )

    def order(each: ListedRow) -> tuple[object, ...]:
        value = by.of(each.row.mu, each.row.sigma)
        return each.rank is None, each.rank or 0, -value, name_order(each.row.player)

    listed.sort(key=order)
    return RankingList(table, selection, tuple(listed), now.active_since, day)


@dataclass(frozen=True, slots=True)
class _Played:
    """The last day on which each player has played, and the last of all."""

    days: Mapping[str, str]
    last: str


class _Snapshot:
    """The ranking of a selection from the games of a filter, by the keys of players."""

    def __init__(
        self, opened: OpenPool, rating_filter: RatingFilter, selection: Selection, by: RankingQuantity, *, dated: bool
    ) -> None:
        reader, pool, history = opened.reader, opened.pool, opened.history
        fold = filtered_fold(reader, pool, history, rating_filter)
        self.own, reading, _day = readings(reader, pool, history, rating_filter, fold)
        self._selection, self._by = selection, by
        needed = dated or bool(selection.active_since or selection.active)
        self.played = _played(reader, pool, history, rating_filter) if needed else _Played({}, "")
        self.active_since = _active_since(selection, rating_filter.day or self.played.last)
        eligible = {key: rating for key, rating in self.own.items() if self._verdict(key) == "listed"}
        cautious = {key: reading[key] for key in eligible}
        self._ranked = {row.player: (row, interval) for row, interval in ranked(eligible, cautious, by)}

    def rank(self, key: str) -> int | None:
        """Return the rank of a player; None for one who is not ranked."""
        return self._ranked[key][0].rank if key in self._ranked else None

    def rows(self, clubs: Mapping[str, str] | None) -> dict[str, ListedRow]:
        """Return the row of every player; `clubs` has the clubs by key if they matter."""
        everybody = {row.player: row for row, _interval in ranked(self.own, self.own, self._by)}
        return {key: self._row(key, row, clubs) for key, row in everybody.items()}

    def _row(self, key: str, row: RatingRow, clubs: Mapping[str, str] | None) -> ListedRow:
        last = self.played.days.get(key, "")
        if key not in self._ranked:
            return ListedRow(row, None, None, self._verdict(key), last)
        found, interval = self._ranked[key]
        verdict: Verdict = "listed"
        if clubs is not None and fold(clubs.get(key, "")) != fold(self._selection.club):
            verdict = "other club"
        elif self._selection.top is not None and found.rank > self._selection.top:
            verdict = "below top"
        return ListedRow(found, found.rank, interval, verdict, last)

    def _verdict(self, key: str) -> Verdict:
        if self.own[key].games < self._selection.min_games:
            return "few games"
        return "inactive" if self.played.days.get(key, "") < self.active_since else "listed"


def _played(reader: storage.Reader, pool: Pool, history: storage.History, rating_filter: RatingFilter) -> _Played:
    """Return the last day of each player. Raises TourneyError REFUSED for games without a date."""
    days: dict[str, str] = {}
    for game in filtered_games(reader, pool, history, rating_filter):
        day = history.day(game.batch, game.number)
        if not day:
            message = _("not all games of {pool} have a date in their file").format(pool=pool.name)
            raise TourneyError(ExitCode.REFUSED, message, _("leave out the options that ask for days"))
        for player in game.players:
            days[player] = max(day, days.get(player, ""))
    return _Played(days, max(days.values(), default=""))


def _active_since(selection: Selection, last: str) -> str:
    """Return the day since which active players have played; "" if any day will do."""
    if selection.active_since and selection.active:
        message = _("--active and --active-since contradict each other")
        raise TourneyError(ExitCode.USAGE, message, _("give only one of the two options"))
    if not selection.active:
        return iso_date(selection.active_since)
    span = _SPAN.fullmatch(selection.active.strip())
    if span is None:
        message = _("“{text}” is no span of time").format(text=selection.active[:40])
        raise TourneyError(ExitCode.REFUSED, message, _("write it as 12m (months), 90d (days) or 2y (years)"))
    return _before(date.fromisoformat(last), int(span[1]), span[2].lower()).isoformat() if last else ""


def _before(day: date, number: int, unit: str) -> date:
    """Return the day that many days, months or years before; the last of a month that is too short."""
    if unit == "d":
        return day - timedelta(days=min(number, day.toordinal() - 1))
    months = max(12, day.year * 12 + day.month - 1 - number * _MONTHS[unit])
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _clubs(reader: storage.Reader, pool: Pool, selection: Selection) -> Mapping[str, str] | None:
    """Return the clubs by key if a club is selected. Raises TourneyError REFUSED for one that nobody belongs to."""
    if not selection.club:
        return None
    if pool.kind == "imported":
        message = _("the players of {pool} come from files, which do not say the club").format(pool=pool.name)
        raise TourneyError(ExitCode.REFUSED, message, _("leave --club out"))
    clubs = {str(player.id): player.club for player in reader.people.players()}
    if fold(selection.club) not in {fold(club) for club in clubs.values()}:
        message = _("nobody belongs to the club “{club}”").format(club=selection.club[:80])
        raise TourneyError(ExitCode.NOT_FOUND, message, _("see the clubs with `tourney player list`"))
    return clubs


def _refuse_later(day: str, now: _Snapshot) -> None:
    if day >= now.played.last:
        message = _("no game of this ranking was played after {day}").format(day=shown_dates(day))
        raise TourneyError(ExitCode.REFUSED, message, _("compare with an earlier day"))


def _movement(key: str, row: ListedRow, then: _Snapshot, now: _Snapshot) -> Movement:
    before = then.own.get(key)
    games = row.row.games - (before.games if before is not None else 0)
    return Movement(then.rank(key), games, _why(key, then, now, games))


def _why(key: str, then: _Snapshot, now: _Snapshot, games: int) -> Why:
    if then.rank(key) == now.rank(key):
        return ""
    if games:
        return "games"
    grown = key in then.own and now.own[key].sigma > then.own[key].sigma
    return "absence" if grown or now.rank(key) is None else "others"
