"""Report on the calibration of a pool."""

from collections.abc import Callable

from tourney.domain.rankings import Calibration, CalibrationBin
from tourney.reports.render.report import Field, Fields, Report, listing
from tourney.text.i18n import _, ngettext


def calibration(found: Calibration) -> Report:
    """Report how often favourites finished ahead, by how likely that was."""
    fields: Fields[CalibrationBin] = (
        Field("low", _("From %"), lambda each: each.low, "right", cell=lambda each: round(100 * each.low), priority=0),
        Field("high", _("to %"), lambda each: each.high, "right", cell=lambda each: round(100 * each.high), priority=0),
        Field("pairs", _("Pairs"), lambda each: each.pairs, "right"),
        Field("predicted", _("Predicted %"), lambda each: each.predicted, "right", 1, cell=_percent("predicted")),
        Field("happened", _("Happened %"), lambda each: each.happened, "right", 1, cell=_percent("happened")),
        Field("error", "±", lambda each: each.error, "right", 1, cell=_percent("error")),
    )
    text = ngettext(
        "Calibration of the pool {pool}, {number} game", "Calibration of the pool {pool}, {number} games", found.games
    )
    notes = (
        _("Of two players who had both played before, how often the favourite finished ahead; a tie counts half."),
    )
    return listing(text.format(pool=found.pool.name, number=found.games), fields, found.bins, notes=notes)


def _percent(name: str) -> Callable[[CalibrationBin], float]:
    return lambda each: 100 * float(getattr(each, name))
