"""Rank players by their results: who has a rank, in which order, and notes on what was counted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tourney.domain.people import Player
from tourney.domain.results import Result, Ruling
from tourney.standings.placing import ALL_ENTERED, Ranked, RankedPlayer, RankingBasis, ranked
from tourney.standings.scales import MONEY, POINTS, Scale
from tourney.standings.standing import PlayerTally, Standing
from tourney.standings.tiebreaks.tiebreak import Contest
from tourney.text.i18n import _, ngettext


@dataclass(frozen=True, slots=True)
class _Note:
    """A remark under the standings; `concerns` has the numbers of the players whose reasons repeat it."""

    text: str
    concerns: frozenset[int]


def standings(
    entrants: Sequence[Player],
    results: Sequence[Result],
    minimum: int | None = None,
    basis: RankingBasis = ALL_ENTERED,
) -> tuple[tuple[Standing, ...], tuple[str, ...]]:
    """Return rows in order, and notes on how they were ranked.

    Last, without a rank, are players with fewer games than `minimum` (never more than the rounds played so far), or if
    it is None, than half of those rounds. Void tables count for nobody, and a note names them.
    """
    return explained(ranked(entrants, results, minimum, basis), results, basis.rulings)


def explained(
    order: Ranked, results: Sequence[Result], rulings: Sequence[Ruling]
) -> tuple[tuple[Standing, ...], tuple[str, ...]]:
    """Return the rows of this order with their reasons, and notes on how they were ranked."""
    tallies, per_game = [*(placed.tally for placed in order.placed), *order.below], order.contest.per_game
    rows = [each.tally.row(each.rank, _reason(order, each), per_game) for each in order.placed]
    rows += [tally.row(None, _with_penalties(_why_below(tally, order), tally), per_game) for tally in order.below]
    notes = (
        *_order_notes(tallies, order.contest),
        *_table_notes(results),
        *_ruling_notes(tallies, results, rulings),
    )
    noted = tuple(replace(row, notes=_notes_for(row.player, notes)) for row in rows)
    return noted, tuple(note.text for note in notes)


def _reason(order: Ranked, placed: RankedPlayer) -> str:
    """Return in a sentence why a player ranks below the one above, and the player's penalties."""
    return _with_penalties(why(order.contest, placed), placed.tally)


def why(contest: Contest, placed: RankedPlayer) -> str:
    """Return in one sentence why a player ranks below the one above, or leads."""
    scale, above = contest.scale, placed.above
    is_first = above is None or above.tally.band.order != placed.tally.band.order
    if above is not None and is_first and placed.tally.band.why:
        return placed.tally.band.why
    if above is None or is_first:
        return _(scale.leader_per_game if contest.per_game else scale.leader)
    gap = float(placed.tally.score(contest.per_game) - above.tally.score(contest.per_game))
    if gap:
        behind = scale.behind_per_game if contest.per_game else scale.behind
        return behind(abs(gap), above.tally.player.shown)
    for theirs, ours in zip(above.steps, placed.steps, strict=False):
        if theirs.value != ours.value:
            return ours.tie_break.why(above.tally, placed.tally, (theirs.value, ours.value), contest)
    return _("level with {above}, also by the tie-breaks: the rank is shared").format(above=above.tally.player.shown)


def _with_penalties(text: str, tally: PlayerTally) -> str:
    return "; ".join((text, *map(penalty_text, tally.penalties)))


def penalty_text(ruling: Ruling) -> str:
    """Return a penalty in words: `a penalty of 20 points in round 2: came late`."""
    points = abs(ruling.points)
    if ruling.points < 0:
        text = ngettext("{points} point taken off{place}: {why}", "{points} points taken off{place}: {why}", points)
    else:
        text = ngettext(
            "a penalty of {points} point{place}: {why}", "a penalty of {points} points{place}: {why}", points
        )
    return text.format(points=points, place=_place(ruling), why=ruling.text)


def uncounted_text(ruling: Ruling) -> str:
    """Return in words a penalty of an event with stages that does not count now, and why; "" for other rulings."""
    texts = {
        "waits": _("{player}: {penalty}. It waits until round {round} is drawn."),
        "not in stage": _("{player}: {penalty}. It does not count, as {player} does not play in that stage."),
    }
    if ruling.state not in texts or ruling.player is None:
        return ""
    values = {"player": ruling.player.shown, "penalty": penalty_text(ruling), "round": ruling.round}
    return texts[ruling.state].format(**values)


def _place(ruling: Ruling) -> str:
    if ruling.round is None:
        return ""
    if ruling.table is None:
        return _(" in round {round}").format(round=ruling.round)
    return _(" in round {round} at table {table}").format(round=ruling.round, table=ruling.table)


def _why_below(tally: PlayerTally, order: Ranked) -> str:
    needed, minimum = order.needed, order.minimum
    if tally.games == 0:
        return _("no game yet")
    lack = ngettext(
        "{games} of the {needed} game needed for a rank", "{games} of the {needed} games needed for a rank", needed
    ).format(games=tally.games, needed=needed)
    if minimum is None:
        return _("{lack}: half the rounds played so far").format(lack=lack)
    if minimum > needed:
        return _("{lack} so far; the event asks for {minimum} in the end").format(lack=lack, minimum=minimum)
    return lack


def _notes_for(player: Player, notes: Sequence[_Note]) -> tuple[str, ...]:
    return tuple(note.text for note in notes if player.id in note.concerns)


def _order_notes(tallies: Sequence[PlayerTally], contest: Contest) -> Iterator[_Note]:
    """Yield notes on how everybody is ranked."""
    everybody = frozenset(tally.player.id for tally in tallies)
    if not any(tally.games for tally in tallies):
        yield _Note(_("No results yet."), everybody)
        return
    if contest.scale.note:
        yield _Note(_(contest.scale.note), everybody)
    if contest.per_game:
        yield _Note(per_game_text(contest), everybody)
    if any(tally.penalties for tally in tallies) and contest.scale is not POINTS:
        yield _Note(_penalty_note(contest.scale), everybody)


def per_game_text(contest: Contest) -> str:
    """Return the sentence for an order by scores per game."""
    games = {tally.games for tally in contest.tallies.values() if tally.games}
    return by_average_text(contest.scale, even=len(games) == 1)


def by_average_text(scale: Scale, *, even: bool = False) -> str:
    """Return the sentence for an order by scores per game; `even` says that all have played as many games."""
    if even:
        return _("Scores per game decide.")
    if scale is POINTS:
        return _("Not everybody has played the same number of games: points per game decide.")
    return _("Not everybody has played the same number of games: scores per game decide.")


def _penalty_note(scale: Scale) -> str:
    if scale is MONEY:
        return _("Money ranks here: the points of a penalty are taken off the money.")
    return _("The points of a penalty count against what ranks here, and in no single game.")


def _table_notes(results: Sequence[Result]) -> Iterator[_Note]:
    """Yield notes on tables that are void, or whose game ended early."""
    for result in results:
        if result.state == "void":
            text = _("Table {table} of round {round} is void ({why}): it counts for nobody.").format(
                table=result.table.number, round=result.table.round, why=result.reason
            )
            yield _Note(text, _seated(result))
        elif result.outcome.short:
            yield _Note(_short_text(result), _seated(result))


def _seated(result: Result) -> frozenset[int]:
    return frozenset(player.id for player in result.table.players)


def _ruling_notes(
    tallies: Sequence[PlayerTally], results: Sequence[Result], rulings: Sequence[Ruling]
) -> Iterator[_Note]:
    """Yield notes on penalties, which the reason of the player concerned already has, and on corrections."""
    for tally in tallies:
        for ruling in tally.penalties:
            text = _("{player}: {penalty}.").format(player=tally.player.shown, penalty=penalty_text(ruling))
            yield _Note(text, frozenset())
    seated = {(result.table.round, result.table.number): _seated(result) for result in results}
    for ruling in rulings:
        if ruling.kind == "correction" and ruling.state == "stands":
            text = _("Table {table} of round {round} was corrected by a ruling: {why}.").format(
                table=ruling.table, round=ruling.round, why=ruling.text
            )
            yield _Note(text, seated.get((ruling.round or 0, ruling.table or 0), frozenset()))


def _short_text(result: Result) -> str:
    if result.outcome.money:
        return _("Table {table} of round {round} was stopped before its end: the lowest score had the pot.").format(
            table=result.table.number, round=result.table.round
        )
    hands = result.outcome.short
    return ngettext(
        "Table {table} of round {round} was stopped early: {hands} hand was not played.",
        "Table {table} of round {round} was stopped early: {hands} hands were not played.",
        hands,
    ).format(table=result.table.number, round=result.table.round, hands=hands)
