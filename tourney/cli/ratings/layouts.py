"""The options that describe a results file of any layout."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.description import Best, Decimals, FileLayout, Order, Twice, Unfinished, Wide
from tourney.text.i18n import _

LAYOUT = _("A file of another layout")
_AS_GIVEN = ("one_game", "day", "order", "score", "best", "decimals", "unfinished", "twice")
"""The options that a layout has under the same name, as they are given."""


def _option(help_text: str, metavar: str, *names: str) -> typer.models.OptionInfo:
    found: typer.models.OptionInfo = typer.Option(*names, metavar=metavar, help=help_text, rich_help_panel=LAYOUT)
    return found


@dataclass(frozen=True, slots=True)
class LayoutOptions:
    """The options that say what the columns of a results file are, and how its ranks are read."""

    game: Annotated[
        str, _option(_("The column whose value tells the games apart, or several: `season,episode`."), "COLUMNS")
    ] = ""
    one_game: Annotated[bool, typer.Option("--one-game", help=_("The file is one game."), rich_help_panel=LAYOUT)] = (
        False
    )
    day: Annotated[str, _option(_("The day of a file that is one game."), "DATE", "--date")] = ""
    order: Annotated[
        Order | None,
        _option(_("The order of the games: file, newest-first, date or number."), "ORDER"),
    ] = None
    score: Annotated[str, _option(_("The column of scores from which the ranks follow; see --best."), "COLUMN")] = ""
    best: Annotated[
        Best | None, _option(_("Which score is the best: high (points), or low (times, strokes)."), "WHICH")
    ] = None
    decimals: Annotated[
        Decimals | None, _option(_("The sign that begins decimals of scores: point or comma."), "SIGN")
    ] = None
    across: Annotated[
        Wide | None,
        _option(
            _("A wide table, whose columns are games (each row a player), players or places (each row a game)."), "WHAT"
        ),
    ] = None
    cells: Annotated[
        str,
        _option(_("The columns of a wide table that are games, players or places: R1,R2 or R1:R9."), "COLUMNS"),
    ] = ""
    unfinished: Annotated[
        Unfinished | None,
        _option(
            _("How players without a place (DNF, -, nothing) count: in the last place, or out of the game."),
            "WHAT",
        ),
    ] = None
    rank: Annotated[
        list[str] | None,
        _option(_("The place that a word means: Winner=1, Jury=last or Guest=out. May be repeated."), "WORD=PLACE"),
    ] = None
    twice: Annotated[
        Twice | None,
        _option(_("Which row counts if a player is in a game twice: the best or the first."), "WHICH"),
    ] = None
    only: Annotated[
        list[str] | None, _option(_("Read only rows with this value in a column. May be repeated."), "COLUMN=VALUE")
    ] = None
    save_as: Annotated[str, _option(_("Save this description of a file under a name."), "NAME")] = ""
    saved: Annotated[str, _option(_("Read the file by the description of that name."), "NAME", "--as")] = ""

    def layout(self, columns: Mapping[str, str]) -> FileLayout:
        """Return the layout; `columns` has headers by the fields that they stand for."""
        ranks, only = _pairs(self.rank, "--rank Winner=1"), _pairs(self.only, "--only round=Final")
        wrong = next((rank for rank in ranks.values() if rank not in ("last", "out") and not rank.isdecimal()), None)
        if wrong is not None:
            message = _("--rank: “{rank}” is neither a place nor last or out").format(rank=wrong[:40])
            raise TourneyError(ExitCode.USAGE, message, _("as in `--rank Winner=1`"))
        if self.day and not self.one_game:
            message = _("--date goes only with --one-game")
            raise TourneyError(ExitCode.USAGE, message, _("name the column of dates with `--column NAME=date`"))
        return FileLayout(
            **{name: getattr(self, name) for name in _AS_GIVEN},
            game=_names(self.game),
            wide=self.across,
            cells=_names(self.cells),
            ranks=ranks,
            only=only,
            columns=columns,
        )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _pairs(texts: Sequence[str] | None, example: str) -> dict[str, str]:
    """Return texts such as `Winner=1` as pairs. Raises TourneyError USAGE for a text of another form."""
    pairs = [text.rpartition("=") for text in texts or ()]
    for (before, _sign, after), text in zip(pairs, texts or (), strict=True):
        if not (before.strip() and after.strip()):
            message = _("“{text}” has no equals sign between two words").format(text=text[:40])
            raise TourneyError(ExitCode.USAGE, message, _("as in `{example}`").format(example=example))
    return {before.strip(): after.strip() for before, _sign, after in pairs}
