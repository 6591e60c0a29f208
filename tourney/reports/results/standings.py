"""Reports on standings, with sentences on how ties are broken, and on the players of the first three ranks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, Final

from tourney.domain.events import GONE, EntrantState, Placed
from tourney.reports.render.bars import sparkline
from tourney.reports.render.report import (
    Field,
    Fields,
    ListLine,
    Readers,
    Report,
    Section,
    listing,
    medal,
    record,
    table_section,
)
from tourney.standings.ranking import by_average_text
from tourney.standings.scales import MONEY, POINTS, shown
from tourney.standings.standing import Standing, StandingsTable
from tourney.standings.table_points import PRESETS, read_table_points
from tourney.standings.tiebreaks.registry import LISTS, TIE_BREAKS
from tourney.standings.tiebreaks.tiebreak import TieBreak
from tourney.text.i18n import _, ngettext, pgettext
from tourney.text.numbers import Number
from tourney.text.ranges import listed_tables


def tie_breaks() -> Report:
    """Report every tie-break with its key and explanation, and the published lists."""
    fields: Fields[TieBreak] = (
        Field("key", _("Key"), lambda each: each.key, priority=0),
        Field("name", "", lambda each: _(each.name)),
        Field("explanation", _("What decides"), lambda each: _(each.explanation), priority=0),
    )
    number = len(TIE_BREAKS)
    title = ngettext("{number} tie-break", "{number} tie-breaks", number).format(number=number)
    lists = tuple(_("The list {name}: {keys}.").format(name=name, keys=", ".join(keys)) for name, keys in LISTS.items())
    step = _("Choose some, in their order: `tourney event set --tie-breaks games-won,head-to-head,lot`.")
    return listing(title, fields, tuple(TIE_BREAKS.values()), lines=lists, next_steps=(step,))


def table_points() -> Report:
    """Report the lists of table points that have a name."""
    fields: Fields[tuple[str, Mapping[int, str]]] = (
        Field("name", _("Name"), lambda row: row[0], priority=0),
        *(_column(size) for size in (4, 3)),
        Field("lists", "", lambda row: PRESETS[row[0]]),
    )
    rows = tuple((name, _by_size(lists)) for name, lists in PRESETS.items())
    title = ngettext("{number} list of table points", "{number} lists of table points", len(rows))
    lines = (
        _(
            "A table of another size gives the first and the last place what the longest list gives them, and the "
            "places between in even steps."
        ),
    )
    step = _("Choose one, or give lists of your own: `tourney event set --table-points 7-5-3-1/7-4-1`.")
    return listing(title.format(number=len(rows)), fields, rows, lines=lines, next_steps=(step,))


def _column(size: int) -> Field[tuple[str, Mapping[int, str]]]:
    heading = _("Table of {size}").format(size=size)
    return Field(f"table_of_{size}", heading, lambda row: row[1][size], priority=0)


def _by_size(lists: str) -> Mapping[int, str]:
    """Return the text of each list by its number of places."""
    read = read_table_points(lists)
    return {
        len(read.lists[size]): text
        for size, text in zip(sorted(read.lists, reverse=True), lists.split("/"), strict=True)
    }


def tie_sentences(rows: Sequence[Standing]) -> Iterator[str]:
    """Yield for each ranked player who has the score of the one above why they rank as they do.

    Scores are compared as people see them: to two decimals.
    """
    for above, row in pairwise(rows):
        if row.rank is not None and shown(above.score) == shown(row.score):
            yield _("{player} – {why}.").format(player=row.player.shown, why=row.why)


def standing_fields(rows: Sequence[Standing] = ()) -> Fields[Standing]:
    """Return the columns of the standings of these rows, in order."""
    scores = [score for row in rows for score in row.by_round if score is not None]
    scale = (min(scores, default=0), max(scores, default=0))
    ranks_by = next((row.scale for row in rows), POINTS)
    own_column = ranks_by not in (POINTS, MONEY)
    priority, heading = (2, _(ranks_by.heading)) if own_column else (0, "")
    # Where games differ, they explain the scores per game.
    games = 1 if len({row.games for row in rows}) > 1 else 2
    prize = _("Prize") if any(row.prize is not None for row in rows) else ""
    whole = all(row.score == int(row.score) for row in rows)
    return (
        Field("rank", _("Rank"), lambda row: row.rank, "right", priority=0, look="rank", note=_unranked(rows)),
        Field("moved", _("Moved"), _moved, readers="people", look="moved", optional=True, priority=2),
        Field("player", _("Player"), lambda row: row.player.shown, priority=0),
        Field("points", _("Points"), lambda row: row.points, "right", priority=priority),
        Field(
            "score",
            heading,
            lambda row: row.score,
            "right",
            cell=lambda row: row.score if whole else float(row.score),
            priority=0,
        ),
        Field(
            "by_round",
            _("By round"),
            lambda row: sparkline(row.by_round, *scale) if len(row.by_round) > 1 else "",
            readers="people",
            priority=3,
            look="bar",
            note=_("By round: the points of each round; the higher the bar, the more points.")
            if ranks_by in (POINTS, MONEY)
            else _("By round: the score of each round; the higher the bar, the higher the score."),
        ),
        Field("hands_won", _("Hands won"), lambda row: row.hands_won, "right", priority=2),
        Field("games", _("Games"), lambda row: row.games, "right", priority=games),
        # If money ranks the players, points per game mean nothing.
        Field(
            "average",
            _("Per game"),
            lambda row: row.average,
            "right",
            2,
            cell=lambda row: row.average if row.money is None else "",
        ),
        Field(
            "money",
            _("Money"),
            lambda row: row.money,
            "right",
            cell=lambda row: "" if row.money is None else row.money,
            priority=0,
        ),
        Field("prize", prize, prize_value, "right", cell=prize_cell, priority=1),
        Field("penalty", _("Penalty"), lambda row: row.penalty, "right", optional=True),
        Field("short", _("Stopped"), lambda row: row.short, "right", optional=True, priority=2),
        Field("state", _("State"), lambda row: row.state, cell=_gone),
        Field("why", "", lambda row: row.why),
    )


def _unranked(rows: Sequence[Standing]) -> str:
    """Return what the dash in place of a rank means; nothing if everybody has a rank."""
    if all(row.rank is not None for row in rows):
        return ""
    return _("-: no game yet, or too few for a rank.")


def round_fields(rows: Sequence[Standing], readers: Readers) -> Iterator[Field[Standing]]:
    """Yield a column for each round, once there are two: what a player scored in it, nothing without a game."""
    rounds = max((len(row.by_round) for row in rows), default=0)
    for number in range(1, rounds + 1 if rounds > 1 else 1):
        heading = pgettext("the heading of a round's points, such as R1", "R{round}").format(round=number)
        yield Field(f"r{number}", heading, partial(_in_round, number=number), "right", None, readers, priority=3)


def _with_rounds(fields: Fields[Standing], rows: Sequence[Standing], readers: Readers) -> Iterator[Field[Standing]]:
    """Yield the fields with a column for each round in place of the bars."""
    for each in fields:
        yield from round_fields(rows, readers) if each.key == "by_round" else (each,)


def _in_round(row: Standing, *, number: int) -> float | str:
    scored = row.by_round[number - 1] if number <= len(row.by_round) else None
    if scored is None:
        return ""
    return int(scored) if scored == int(scored) else round(float(scored), 2)


def prize_value(row: Standing) -> float | None:
    """Return a player's prize as a number; None without one."""
    return None if row.prize is None else row.prize / 100


def prize_cell(row: Standing) -> str | float:
    """Return a player's prize for a table: empty without one."""
    return "" if row.prize is None else row.prize / 100


def stage_fields() -> Fields[Standing]:
    """Return the columns that the standings of an event with stages have, too."""
    return (
        Field("stage", _("Stage"), lambda row: row.stage, optional=True, priority=1, look="part"),
        Field("carried", _("Carried over"), lambda row: row.carried, "right", optional=True, priority=2),
        Field("cut", _("Goes through"), lambda row: row.cut, cell=cut_text, optional=True, priority=0),
        Field("chance", "", lambda row: row.chance),
    )


def cut_text(row: Standing) -> str:
    """Return whether a player goes through to the next stage: sure, out, or the chance in per cent."""
    if row.cut is None or (row.cut == "open" and row.chance is None):
        return "" if row.cut is None else pgettext("who goes through", "open")
    if row.cut == "open":
        # Neither sure nor out: not shown as 100 % or 0 %.
        share = min(round(100 * (row.chance or 0)), 99)
        return _("{share} %").format(share=share) if share else _("< 1 %")
    return {"sure": pgettext("who goes through", "sure"), "out": pgettext("who goes through", "out")}[row.cut]


def _moved(row: Standing) -> str:
    """Return the ranks that a player has risen or fallen: `↑2`, `↓1`, `=`."""
    if row.moved is None:
        return ""
    return f"↑{row.moved}" if row.moved > 0 else f"↓{-row.moved}" if row.moved < 0 else "="


def standing_data(row: Standing) -> dict[str, Any]:
    """Return a row as JSON data."""
    return record((*standing_fields(), *(stage_fields() if row.stage else ())), row)


def standings(table: StandingsTable, *, by_round: Readers | None = None) -> Report:
    """Report ranks, points, hands won and games; other columns are shown if some player has a value.

    With `by_round` every round has a column of its own for these readers, as on paper and on web pages.
    """
    staged = (*stage_fields(), *_group_field(table)) if table.event.settings.stages else ()
    fields = _with_deciding((*standing_fields(table.rows), *staged), table)
    report = listing(
        _title(table),
        tuple(_with_rounds(fields, table.rows, by_round)) if by_round else fields,
        table.rows,
        dimmed=_is_dimmed,
        notes=table.notes,
        lines=(*_won(table), *_waiting(table), *tie_sentences(table.rows)),
        details=(head_line(table.head),),
        message=partial(_message, table),
    )
    return _with_groups(report, table)


def deciding(table: StandingsTable) -> str:
    """Return the key of the column whose numbers rank the players."""
    scale = next((row.scale for row in table.rows), POINTS)
    if scale is POINTS:
        return "average" if table.per_game else "points"
    return "money" if scale is MONEY else "score"


def _with_deciding(fields: Fields[Standing], table: StandingsTable) -> Fields[Standing]:
    """Return the fields, of which the one that ranks the players looks so."""
    key = deciding(table)
    return [replace(each, look="score") if each.key == key else each for each in fields]


def _group_field(table: StandingsTable) -> Iterator[Field[Standing]]:
    """Yield the group of each player for programs and spreadsheets, if there are groups; people see a table of each."""
    if table.group_of:
        yield Field("group", _("Group"), lambda row: table.group_of.get(row.player.id), "right", readers="programs")


def _is_dimmed(row: Standing) -> bool:
    return row.rank is None or bool(_gone(row))


def _with_groups(report: Report, table: StandingsTable) -> Report:
    """Return the report with a table of each group, if there are groups."""
    groups = tuple(_groups(table))
    return replace(report, sections=(*report.as_sections(_("All players")), *groups)) if groups else report


_OF_GROUP: Final = ("rank", "player", "points", "score", "games", "average", "penalty", "state", "cut")
"""The columns of the table of a group."""
_BRIEF: Final = ("rank", "moved", "player", "points", "score", "money", "penalty", "state", "cut")
"""The columns of the standings after an earlier round."""


def standings_then(table: StandingsTable) -> Report:
    """Report the standings after an earlier round in brief: who was where, with how many points."""
    keys = (*_BRIEF, "average") if table.per_game else _BRIEF
    fields = [
        each for each in _with_deciding((*standing_fields(table.rows), *stage_fields()), table) if each.key in keys
    ]
    report = listing(_title(table), fields, table.rows, notes=table.notes, dimmed=_is_dimmed)
    return _with_groups(report, table)


def _groups(table: StandingsTable) -> Iterator[Section]:
    """Yield the table of each group, with the ranks within it."""
    for number in sorted(set(table.group_of.values())):
        own = [row for row in table.rows if table.group_of.get(row.player.id) == number]
        ranks = [row.rank for row in own if row.rank is not None]
        rows = [row if row.rank is None else replace(row, rank=1 + sum(r < row.rank for r in ranks)) for row in own]
        fields = [
            each for each in _with_deciding((*standing_fields(rows), *stage_fields()), table) if each.key in _OF_GROUP
        ]
        yield table_section(_("Group {number}").format(number=number), fields, rows)


def _message(table: StandingsTable) -> Iterator[ListLine | str]:
    """Yield the standings for a messenger."""
    yield f"🏆 {table.event.settings.name}"
    if table.round is not None:
        yield _("after round {round}").format(round=table.round)
    elif is_final(table):
        yield _("Final standings")
    yield ""
    yield from ranked_entries(table.rows, table.per_game)
    for line in how_ranked(table):
        yield from ("", line)
    for line in _waiting(table):
        yield from ("", line)


def how_ranked(table: StandingsTable) -> Iterator[str]:
    """Yield sentences on what ranks, where it is not simply points or money."""
    scale = next((row.scale for row in table.rows), POINTS)
    if scale.note:
        yield _(scale.note)
    if table.per_game:
        yield by_average_text(scale, even=len({row.games for row in table.rows if row.games}) == 1)


def ranked_entries(rows: Iterable[Standing], by_average: bool) -> Iterator[ListLine]:
    """Yield each row as it stands in a message: a medal or the rank, the player, and the score."""
    return (ListLine(medal(row.rank), row.player.shown, _behind(row, by_average)) for row in rows)


def _behind(row: Standing, by_average: bool) -> str:
    """Return what stands behind the name in a message: points, money or score, and what explains the rank."""
    score = str(row.points) if row.scale is POINTS else shown(row.score)
    reasons = (
        f"{Number(row.average):.2f}" if by_average and row.games and row.scale is POINTS else "",
        _("penalty {points}").format(points=row.penalty) if row.penalty else "",
        _("stopped game") if row.short else "",
        _("prize {amount}").format(amount=f"{Number(row.prize / 100):.2f}") if row.prize else "",
        _gone(row),
    )
    return f" · {score} ({', '.join(filter(None, reasons))})" if any(reasons) else f" · {score}"


def _waiting(table: StandingsTable) -> Iterator[str]:
    """Yield a line that names the tables without a result, round by round; nothing before the first result."""
    if table.waiting and any(row.games for row in table.rows):
        text = ngettext("A result is not in yet: {tables}.", "Results are not in yet: {tables}.", len(table.waiting))
        yield text.format(tables=listed_tables((each.round, each.number) for each in table.waiting))


def _gone(row: Standing) -> str:
    return state_word(row.state) if row.state in GONE else ""


def state_word(state: EntrantState) -> str:
    """Return an entrant's state in the reader's language."""
    words: dict[EntrantState, str] = {
        "entered": _("entered"),
        "checked in": _("checked in"),
        "withdrawn": _("withdrawn"),
        "no-show": _("no-show"),
        "removed": _("entered by mistake"),
        "substitute": _("substitute"),
    }
    return words[state]


def is_final(table: StandingsTable) -> bool:
    """Return whether nothing in these standings changes any more, unless the event is opened again."""
    return table.round is None and table.event.state == "finished"


def _won(table: StandingsTable) -> Iterator[str]:
    if is_final(table):
        yield from winner_lines([row for row in table.rows if row.games])


def _title(table: StandingsTable) -> str:
    name = table.event.settings.name
    if is_final(table):
        return _("Final standings of {event}").format(event=name)
    if table.round is None:
        return _("Standings of {event}").format(event=name)
    return _("Standings of {event} after round {round}").format(event=name, round=table.round)


def head_line(head: str) -> str:
    """Return a line with the journal's head, which reveals a truncated journal."""
    return _("journal head {head}").format(head=head[:16])


def why(table: StandingsTable, row: Standing) -> Report:
    """Report step by step why the player has this rank, with the notes that concern the player or the whole order."""
    rank = _("no rank") if row.rank is None else _("rank {rank}").format(rank=row.rank)
    title = _("{player}: {rank} in {event}").format(player=row.player.shown, rank=rank, event=table.event.settings.name)
    arithmetic = table.arithmetic(row.player)
    data = {**standing_data(row), "steps": list(arithmetic)}
    lines = (*arithmetic, row.why)
    return Report(title, notes=row.notes, data=data, lines=lines, message=lambda: (title, row.why))


def podium_fields(first: Sequence[Placed]) -> Fields[Placed]:
    """Return the columns of these players, under the headings of the standings."""
    heading = next((placed.heading for placed in first), POINTS.heading)
    uneven = len({placed.games for placed in first}) > 1 and heading == POINTS.heading
    return (
        Field("rank", _("Rank"), lambda placed: placed.rank, "right", look="rank"),
        Field("player", _("Player"), lambda placed: placed.player.shown, priority=0),
        Field("score", _(heading), lambda placed: placed.score, "right", priority=0),
        Field("games", _("Games") if uneven else "", lambda placed: placed.games, "right", priority=2),
        Field("average", _("Per game") if uneven else "", lambda placed: placed.average, "right", 2),
    )


def winner_lines(first: Sequence[Placed | Standing]) -> Iterator[str]:
    """Yield a sentence that names who has won, if anybody has a rank."""
    winners = [placed.player.shown for placed in first if placed.rank == 1]
    if winners:
        text = ngettext("The winner is {names}.", "The winners are {names}.", len(winners))
        yield text.format(names=", ".join(winners))
