"""The arithmetic behind a rank, step by step, in sentences: games, penalties, the sum, and the tie-breaks."""

from collections.abc import Iterator, Sequence
from typing import Final

from tourney.domain.people import Player
from tourney.standings.placing import Ranked, RankedPlayer, TieStep
from tourney.standings.scales import POINTS, Score, shown
from tourney.standings.standing import PlayerTally, ScoredGame
from tourney.standings.tiebreaks.tiebreak import Contest
from tourney.text.i18n import _, both, ngettext
from tourney.text.numbers import Number

MOST_NAMED: Final = 8
"""The most players who are named as level with another one: nobody reads a sentence with the names of thirty."""


def arithmetic(order: Ranked, player: Player) -> tuple[str, ...]:
    """Return the steps that lead to the player's rank, the games first; empty for somebody without a game."""
    tally = order.contest.tallies[player.id]
    if not tally.games:
        return ()
    placed = next((each for each in order.placed if each.tally is tally), None)
    ties = () if placed is None else _tie_breaks(order.placed, placed, order.contest)
    return (*_played(tally, order.contest), *ties)


def _played(tally: PlayerTally, contest: Contest) -> Iterator[str]:
    if tally.scale is not POINTS:
        yield from (_game(game, tally) for game in tally.played)
    yield _sum(tally)
    if contest.per_game and tally.carried and tally.games < tally.full:
        text = ngettext(
            "{carried} carried over {full} games, and {total} in {games} game: {mean} per game",
            "{carried} carried over {full} games, and {total} in {games} games: {mean} per game",
            tally.games,
        )
        mean = f"{Number(tally.score(per_game=True)):.2f}"
        own = shown(tally.total - tally.carried)
        yield text.format(carried=shown(tally.carried), full=tally.full, total=own, games=tally.games, mean=mean)
    elif contest.per_game:
        text = ngettext(
            "{total} in {games} game: {mean} per game", "{total} in {games} games: {mean} per game", tally.games
        )
        mean = f"{Number(tally.score(per_game=True)):.2f}"
        yield text.format(total=shown(tally.total), games=tally.games, mean=mean)


def _game(game: ScoredGame, tally: PlayerTally) -> str:
    """Return what a game scored and how: `round 1, table 2: place 2 of 4 gives 5`."""
    table = game.result.table
    return _("round {round}, table {table}: {working}").format(
        round=table.round, table=table.number, working=tally.scale.working(game.result.outcome, game.seat)
    )


def _sum(tally: PlayerTally) -> str:
    """Return the sum of what was carried over, the games and the penalties: `points: 20 + 35 + 7 (penalty) = 62`."""
    carried = [_("{points} (carried over)").format(points=_term(tally.carried))] if tally.carried else []
    games = " + ".join((*carried, *(_term(game.score) for game in tally.played)))
    penalties = "".join(_penalty(tally, ruling.points) for ruling in tally.penalties)
    if len(tally.played) == 1 and not penalties and not carried:
        return _("{heading}: {total}").format(heading=_(tally.scale.heading), total=shown(tally.total))
    return _("{heading}: {sum} = {total}").format(
        heading=_(tally.scale.heading), sum=games + penalties, total=shown(tally.total)
    )


def _term(score: Score) -> str:
    """Return a score as it stands in a sum: negative ones in brackets."""
    return f"({shown(score)})" if score < 0 else shown(score)


def _penalty(tally: PlayerTally, points: int) -> str:
    """Return a penalty as a term of the sum, which makes it worse unless it is negative."""
    sign = "-" if (points > 0) == tally.scale.most_wins else "+"
    return " {sign} {term}".format(sign=sign, term=_("{points} (penalty)").format(points=abs(points)))


def _tie_breaks(everybody: Sequence[RankedPlayer], placed: RankedPlayer, contest: Contest) -> Iterator[str]:
    """Yield for each tie-break that was asked with whom the player was level, and all values; of many their number."""
    ranked_by = placed.tally.band.order, placed.tally.score(contest.per_game)
    level = [each for each in everybody if (each.tally.band.order, each.tally.score(contest.per_game)) == ranked_by]
    for number, step in enumerate(placed.steps):
        others = [each for each in level if each is not placed]
        separates = any(each.steps[number].value != step.value for each in others)
        yield _tie_text(step, separates=separates, many=len(others) > MOST_NAMED).format(
            others=len(others),
            players=both([each.tally.player.shown for each in others]),
            number=number + 1,
            name=_(step.tie_break.name),
            value=step.tie_break.text(step.value),
            values=", ".join(_value(each, number) for each in others),
        )
        level = [each for each in level if each.steps[number].value == step.value]


def _tie_text(step: TieStep, *, separates: bool, many: bool) -> str:
    """Return the sentence on a tie-break; one that does not separate players has one value for all, or none at all."""
    if separates and many:
        return _("level with {others} others; tie-break {number}, {name}: {value}")
    if separates:
        return _("level with {players}; tie-break {number}, {name}: {value}, against {values}")
    if step.value == []:
        text = _("level with {players}; tie-break {number}, {name}, does not separate them")
        return _("level with {others} others; tie-break {number}, {name}, does not separate them") if many else text
    if many:
        return _("level with {others} others; tie-break {number}, {name}, does not separate them: {value} each")
    return _("level with {players}; tie-break {number}, {name}, does not separate them: {value} each")


def _value(other: RankedPlayer, number: int) -> str:
    step = other.steps[number]
    return _("{value} ({player})").format(value=step.tie_break.text(step.value), player=other.tally.player.shown)
