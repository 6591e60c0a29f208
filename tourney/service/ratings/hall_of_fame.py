"""The hall of fame of a pool: the highest scores ever, the longest runs of games won, and the closest rivals."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from tourney.domain.player_history import HallOfFame, Peak, PlayerHistory, Rivalry, Streak
from tourney.domain.rankings import Pool
from tourney.service.ratings.player_history import player_histories
from tourney.service.ratings.pools import UNPUBLISHED, pool_called

RECORDS = 10
"""The most records of a kind."""
MIN_STREAK = 2
MIN_MEETINGS = 5
"""The fewest games of two rivals."""


def hall_of_fame(db: str | None, pool: str = "people") -> HallOfFame:
    """Return the records of a pool. Raises TourneyError as `player_histories` does."""
    histories = list(player_histories(db, pool).values())
    peaks = sorted(map(_peak, histories), key=lambda peak: (-peak.score, peak.player))
    streaks = sorted(
        (streak for streak in map(_streak, histories) if streak.games >= MIN_STREAK),
        key=lambda streak: (-streak.games, streak.last, streak.player),
    )
    rivals = sorted(_rivalries(histories), key=lambda each: (-each.games, abs(each.ahead - each.behind), each.player))
    found: Pool = histories[0].pool if histories else pool_called(db, pool)
    return HallOfFame(found, tuple(peaks[:RECORDS]), tuple(streaks[:RECORDS]), tuple(rivals[:RECORDS]))


def _peak(history: PlayerHistory) -> Peak:
    """Return the first game after which the score was the highest."""
    best = max(history.games, key=lambda game: game.score)
    return Peak(history.player, best.score, best.number, best.day, best.event)


def _streak(history: PlayerHistory) -> Streak:
    """Return the longest run of games won, the first of those equally long."""
    runs = [list(games) for won, games in groupby(history.games, key=lambda game: game.place == 1) if won]
    longest = max(runs, key=len, default=[])
    if not longest:
        return Streak(history.player, 0, "", "", lasting=False)
    lasting = longest[-1].number == history.games[-1].number
    return Streak(history.player, len(longest), longest[0].day, longest[-1].day, lasting)


def _rivalries(histories: list[PlayerHistory]) -> Iterator[Rivalry]:
    """Yield the pairs who met often enough, and of whom neither is ahead by more than chance explains.

    Of n games between equals the lead has a standard deviation of √n at most.
    """
    for history in histories:
        for opponent in history.opponents:
            lead = opponent.ahead - opponent.behind
            once = history.player < opponent.player and opponent.player != UNPUBLISHED
            if once and opponent.games >= MIN_MEETINGS and lead * lead <= opponent.games:
                yield Rivalry(history.player, opponent.player, opponent.games, opponent.ahead, opponent.behind)
