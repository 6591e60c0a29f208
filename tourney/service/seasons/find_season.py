"""Find seasons by the names and numbers that people type."""

from __future__ import annotations

from collections.abc import Sequence

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.seasons import Season
from tourney.service.directory import Names, with_suggestion
from tourney.text.i18n import _
from tourney.text.names import fold
from tourney.text.ranges import listed
from tourney.text.sanitize import quote_argument


def find_season(reader: storage.Reader, name: str | None) -> Season:
    """Return the season that the text means, as `Names` says; without a text the only one.

    Numbers are those of `season list`. Raises TourneyError NOT_FOUND, suggesting similar names.
    """
    seasons = reader.seasons.all()
    if name is None:
        return _only(seasons)
    shown = [season.settings.name for season in seasons]
    known = Names(shown, numbers={season.id: place for place, season in enumerate(seasons)})
    found = known.meant(name)
    if len(found) == 1:
        return seasons[found[0]]
    if found:
        message = _("“{name}” may be {several}").format(name=name[:80], several=listed(shown[each] for each in found))
        hint = _("write more of the name, or its number from `tourney season list`")
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)
    hint = _("create it with `tourney season new`, or see `tourney season list`")
    near = with_suggestion([shown[place] for place in known.similar(name)], hint)
    raise TourneyError(ExitCode.NOT_FOUND, _("no season is called “{name}”").format(name=name[:80]), near)


def numbered_season(reader: storage.Reader, number: int) -> Season:
    """Return the season of this number, as `season list` shows it. Raises TourneyError NOT_FOUND."""
    for season in reader.seasons.all():
        if season.id == number:
            return season
    message = _("there is no season {number}").format(number=number)
    raise TourneyError(ExitCode.NOT_FOUND, message, _("see the seasons with `tourney season list`"))


def _only(seasons: Sequence[Season]) -> Season:
    if len(seasons) == 1:
        return seasons[0]
    if not seasons:
        hint = _("create one with `tourney season new NAME`")
        raise TourneyError(ExitCode.NOT_FOUND, _("there is no season yet"), hint)
    message = _("no season is named, and there are {seasons}")
    names = listed(season.settings.name for season in seasons)
    hint = _("name one, as in `tourney season standings {season}`")
    first = quote_argument(seasons[-1].settings.name)
    raise TourneyError(ExitCode.NOT_FOUND, message.format(seasons=names), hint.format(season=first))


def refuse_taken(reader: storage.Reader, name: str, but: int | None = None) -> None:
    """Raise TourneyError CONFLICT if a season other than number `but` has this name, accents and case aside."""
    for season in reader.seasons.all():
        if season.id != but and fold(season.settings.name) == fold(name):
            message = _("there is a season called {name} already").format(name=season.settings.name)
            raise TourneyError(ExitCode.CONFLICT, message, _("give it another name, such as one with its year"))
