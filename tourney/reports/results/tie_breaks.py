"""Reports on what an event can choose for its scoring: tie-breaks, and lists of table points."""

from collections.abc import Mapping

from tourney.reports.render.report import Field, Fields, Report, listing
from tourney.standings.table_points import PRESETS, read_table_points
from tourney.standings.tiebreaks.registry import LISTS, TIE_BREAKS
from tourney.standings.tiebreaks.tiebreak import TieBreak
from tourney.text.i18n import _, ngettext


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
