"""`tourney site`: write the pages of an event, a pool or a season as files for any web host."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import single
from tourney.cli.framework.options import EventOption
from tourney.cli.framework.request import PlainReading
from tourney.cli.ratings.options import Listed
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports import admin
from tourney.service import lookup
from tourney.text.i18n import _, fill

app = single()


@app.command(
    help=_(
        "The standings, who sits where, all tables and a page for each player, as files that any web host can show, "
        "and that open from a stick. They have no clock and no script, and the same event always makes the same "
        "files. A site that was written there before is replaced."
    ),
    epilog=_(
        "tourney site Friday friday-pages\n"
        "tourney site --pool people ranking-pages --min-games 10 --active 12m\n"
        'tourney site --season "Autumn 2026" season-pages'
    ),
)
def site(
    listed: Listed,
    request: PlainReading,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar=_("[EVENT] FOLDER"),
            help=_("The event, if it is not the current one, and the folder, which is made if it is missing."),
        ),
    ],
    event: EventOption = None,
    pool: Annotated[
        str | None, typer.Option("--pool", metavar="POOL", help=_("Write the ratings of a pool instead of an event."))
    ] = None,
    season: Annotated[
        str | None,
        typer.Option("--season", metavar="SEASON", help=_("Write the standings of a season instead of an event.")),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help=_("Write into a folder that has other files; they stay."))
    ] = False,
) -> None:
    from tourney.files.site_folder import SiteFolder
    from tourney.web.pages import site as pages

    named, folder = _meant(request.db, words, event, pool, season)
    if pool is None and listed != Listed():
        message = _("options that choose players are for the site of a pool")
        raise TourneyError(ExitCode.USAGE, message, _("name the pool with `--pool`, or leave out these options"))
    target = SiteFolder(folder, force)
    target.refuse()
    if pool is not None:
        files = pages.pool_site(request.db, pool, listed.choice)
    elif season is not None:
        files = pages.season_site(request.db, season)
    else:
        files = pages.event_site(request.db, named)
    target.write(files)
    request.show(lambda: admin.written(folder, files))


def _meant(
    db: str | None, words: list[str], event: str | None, pool: str | None, season: str | None
) -> tuple[str | None, str]:
    """Return the event that is named, if one is, and the folder.

    Raises TourneyError USAGE for too many words, for two of event, pool and season, and for a single word that is an
    event's name: then the folder is missing, or the event.
    """
    from tourney.text.sanitize import quote_argument

    *first, folder = words
    if len(words) > 2:
        message = _("too many words: “{words}”").format(words=" ".join(words)[:80])
        raise TourneyError(ExitCode.USAGE, message, _('a name of several words needs quotes, such as "Ana María"'))
    named = bool(first) or event is not None
    if (pool is not None) + (season is not None) + named > 1:
        message = _("a site shows one event, one pool or one season, and you named more than one")
        raise TourneyError(ExitCode.USAGE, message, _("name only one: the event, --pool or --season"))
    if first and event is not None:
        message = fill(_("two events are named: {event} and {first}"), event=event[:40], first=first[0][:40])
        raise TourneyError(ExitCode.USAGE, message, _("name one of them, first or with --event"))
    if not named and pool is None and season is None and lookup.is_event(db, folder):
        message = _("“{name}” is an event, and no folder is named").format(name=folder[:80])
        command = f"tourney site {quote_argument(folder)} {quote_argument(f'{folder}-pages')}"
        other = f"tourney site {quote_argument(f'./{folder}')}"
        hint = _("`{command}`; or `{other}` if the folder is meant, for the current event")
        raise TourneyError(ExitCode.USAGE, message, hint.format(command=command, other=other))
    return next(iter(first), event), folder
