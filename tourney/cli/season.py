"""`tourney season`: several events that count together."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import AsOf, OneSeason
from tourney.cli.framework.request import Posted, Reading, Writing
from tourney.cli.framework.settings import settings_group
from tourney.domain.seasons import SEASON_SETTINGS
from tourney.reports import seasons as reports
from tourney.service.seasons import seasons as service
from tourney.service.seasons import seasons as standings_service
from tourney.service.seasons.settings import PRESETS
from tourney.text.i18n import _, either

app = noun()

MAKE = _("Make a season")
SEE = _("See what there is")

Season = Annotated[str, typer.Argument(metavar="SEASON", help=_("The season's name."))]
Events = Annotated[list[str], typer.Argument(metavar="NAME...", help=_("The names of events."))]


CLEARABLE = tuple(name for name, setting in SEASON_SETTINGS.items() if setting.clearable)

# Settings and their choices are known only at run time.
if TYPE_CHECKING:
    Clearable = str
    Preset = str
    SomeSettings = Any
else:
    Clearable = Literal[CLEARABLE]
    Preset = Literal[tuple(PRESETS)]
    SomeSettings = settings_group(SEASON_SETTINGS, lambda name: SEASON_SETTINGS[name].choices)


@app.command(
    heading=MAKE,
    help=_("Create a season. Without options each event gives 1 point for each player ranked behind, and all count."),
    epilog=_(
        'tourney season new "Autumn 2026" --best 4\n'
        'tourney season new League --by "table points" --table-points 7-5-3-1\n'
        "tourney season new Europe --preset ema"
    ),
)
def new(
    settings: SomeSettings,
    request: Writing,
    name: Annotated[str, typer.Argument(metavar="NAME", help=_("The season's name; several words need quotes."))],
    preset: Annotated[
        Preset | None,
        typer.Option(
            metavar="PRESET",
            help=_(
                "Settings that go together: best (the best 4 by place points), table points (7-5-3-1), or ema, the "
                "European mahjong ranking. Other options go before them."
            ),
        ),
    ] = None,
) -> None:
    request.submit(service.CreateSeason(name, vars(settings), preset), reports.created)


@app.command(
    "set",
    heading=MAKE,
    help=_("Change settings of a season. Its standings follow at once."),
    epilog=_('tourney season set "Autumn 2026" --best 5 --minimum 3\ntourney season set "Autumn 2026" --clear best'),
)
def set_(
    settings: SomeSettings,
    request: Writing,
    season: OneSeason = None,
    name: Annotated[str | None, typer.Option(metavar="NEW", help=_("The season's new name."))] = None,
    clear: Annotated[
        Clearable | None,
        typer.Option(
            metavar="SETTING",
            help=_("A setting that gets its default value back: {settings}.").format(settings=either(CLEARABLE)),
        ),
    ] = None,
) -> None:
    changes: Mapping[str, Any] = {"name": name, **vars(settings)}
    request.submit(service.ChangeSeason(season, changes, (clear,) if clear else ()), reports.changed, _("Settings"))


@app.command(
    heading=MAKE,
    help=_("Count events in a season, those still to be played too."),
    epilog=_(
        'tourney season add "Autumn 2026" "Friday 20" "Friday 27"\n'
        'tourney season add "Autumn 2026" Final --final --weight 2\n'
        "tourney season add Europe Lisbon --days 2 --countries 7"
    ),
)
def add(
    request: Writing,
    season: Season,
    events: Events,
    weight: Annotated[
        str, typer.Option(metavar="N", help=_("How much the results of these events count, such as 1, 1.5 or 2."))
    ] = "1",
    final: Annotated[bool, typer.Option("--final", help=_("They are finals, for which there may be a bonus."))] = False,
    days: Annotated[int, typer.Option(metavar="N", help=_("The days of play, for `--weights ema`."))] = 1,
    countries: Annotated[
        int, typer.Option(metavar="N", help=_("The countries from which players came, for `--weights ema`."))
    ] = 1,
    qualification: Annotated[
        bool, typer.Option("--qualification", help=_("Players had to qualify, for `--weights ema`."))
    ] = False,
) -> None:
    change = service.CountEvents(season, events, weight, final, days, countries, qualification)
    request.submit(change, reports.added)


@app.command(
    heading=MAKE,
    help=_("Let events no longer count in a season; the events themselves stay."),
    epilog=_('tourney season remove "Autumn 2026" "Friday 20"'),
)
def remove(request: Writing, season: Season, events: Events) -> None:
    request.submit(service.RemoveEvents(season, events), reports.removed)


@app.command(
    heading=MAKE,
    help=_("Delete a season; its events stay."),
    epilog=_('tourney season delete "Autumn 2026"'),
)
def delete(request: Writing, season: Season) -> None:
    request.submit(service.DeleteSeason(season), reports.deleted)


@app.command("list", heading=SEE, help=_("List all seasons."), epilog=_("tourney season list"))
def list_(request: Reading) -> None:
    request.show(lambda: reports.seasons(service.listing(request.db)))


@app.command(
    "show",
    heading=SEE,
    help=_("Show a season: its settings, and the events that count."),
    epilog=_('tourney season show "Autumn 2026"'),
)
def show_(request: Reading, season: OneSeason = None) -> None:
    request.show(lambda: reports.page(service.show(request.db, season)))


@app.command(
    heading=SEE,
    help=_("Show who leads in a season, worked out from the results of its events. Every rank can be explained."),
    epilog=_(
        "tourney season standings\n"
        'tourney season standings "Autumn 2026" --why Ana\n'
        "tourney season standings --as-of 2026-10-31"
    ),
)
def standings(
    request: Posted,
    season: OneSeason = None,
    why: Annotated[str | None, typer.Option(metavar="PLAYER", help=_("Explain the rank of this player."))] = None,
    as_of: AsOf = None,
) -> None:
    table = standings_service.standings(request.db, season, as_of)
    row = None if why is None else standings_service.row_of(table, why)
    request.show(lambda: reports.standings(table) if row is None else reports.why(table, row))
