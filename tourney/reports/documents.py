"""Documents that are taken along: printed, saved as a spreadsheet or posted. Each is declared once, in `DOCUMENTS`.

The commands of `tourney print` and the desk's pages for paper, spreadsheets and messages follow from that table. A
document imports its reports and services when it is made, as a command makes one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, signature
from typing import Any, Final, Literal

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rankings import ALL_GAMES, WHOLE_RANKING, RankingChoice, RatingFilter
from tourney.reports import events, seasons
from tourney.reports import rules as rules_report
from tourney.reports.coded import coded_report
from tourney.reports.ratings import first_players, ranking_lists
from tourney.reports.ratings import ratings as ratings_report
from tourney.reports.render.report import Field, Fields, Report, listing
from tourney.reports.results import results, standings
from tourney.reports.results.standings import prize_cell, prize_value
from tourney.reports.rounds import rounds as rounds_report
from tourney.reports.rounds import slips
from tourney.service import rules as service_rules
from tourney.service.events.codes import CodeOf, event_code, journal_code, journal_code_if_any
from tourney.service.ratings import player_history
from tourney.service.ratings import ranking_lists as service_lists
from tourney.service.ratings import ratings as service_ratings
from tourney.service.results import results as service_results
from tourney.service.rounds import rounds as service_rounds
from tourney.service.seasons import seasons as service_seasons
from tourney.service.stages import shown
from tourney.standings.scales import MONEY, POINTS
from tourney.standings.standing import Standing, StandingsTable
from tourney.text.i18n import _, marked, pgettext
from tourney.text.numbers import ordinal

TO_WRITE = " "
"""A cell to be written in by hand; a column of empty cells would not be shown."""


def certificates(table: StandingsTable, top: int) -> Report:
    """Report the players with the ranks 1 to `top`, with their clubs. Raises TourneyError REFUSED if there are none."""
    winners = [row for row in table.rows if row.rank is not None and row.rank <= top]
    if not winners:
        message = _("nobody has a rank in {event} yet").format(event=table.event.settings.name)
        raise TourneyError(ExitCode.REFUSED, message, _("`tourney status` says which results are missing"))
    return listing(table.event.settings.name, _fields(table), winners, layout="certificates")


def _fields(table: StandingsTable) -> Fields[Standing]:
    settings = table.event.settings
    return (
        Field("event", _("Event"), lambda row: settings.name),
        Field("rank", pgettext("on a certificate", "Rank"), lambda row: row.rank, "right", readers="programs"),
        Field("place", _("Place"), lambda row: _place(row.rank or 0), readers="people"),
        Field("player", _("Player"), lambda row: row.player.shown),
        Field("club", _("Club"), lambda row: row.player.club),
        Field("points", _("Points"), lambda row: row.points, "right"),
        Field("score", _(table.rows[0].scale.heading), lambda row: row.score, "right", cell=_score, optional=True),
        Field("hands_won", _("Hands won"), lambda row: row.hands_won, "right"),
        Field("games", _("Games"), lambda row: row.games, "right"),
        Field("money", _("Money"), lambda row: row.money, "right", cell=_money),
        Field("prize", _("Prize"), prize_value, "right", cell=prize_cell, optional=True),
        Field(
            "date", _("Date"), lambda row: settings.date, cell=lambda row: settings.date or TO_WRITE, look="long date"
        ),
        Field(
            "organiser",
            _("Organised by"),
            lambda row: settings.organiser,
            cell=lambda row: settings.organiser or TO_WRITE,
        ),
        Field("signature", _("Signature"), lambda row: TO_WRITE, readers="people"),
    )


def _place(rank: int) -> str:
    """Return a rank as a certificate says it: 1st place."""
    texts = {1: _("{rank}st place"), 2: _("{rank}nd place"), 3: _("{rank}rd place")}
    return ordinal(rank, texts, _("{rank}th place")).format(rank=rank)


def _score(row: Standing) -> str | float:
    """Return what ranks, where it is neither the points nor the money, which have columns of their own."""
    return "" if row.scale in (POINTS, MONEY) else row.score


def _money(row: Standing) -> str | int:
    return "" if row.money is None else row.money


DocumentForm = Literal["paper", "spreadsheet", "message", "programs"]
"""The forms of a document; programs read the JSON of one for paper."""
DeskList = Literal["round", "signs", "event", "club", "season"]
"""The lists of the desk's page for paper: each round's, signs without a code, the event's, the club's, a season's."""


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """The content of a document: the function that reads it, the report of what was read, and the code of its state."""

    read: Callable[[], Any]
    report: Callable[[Any], Report]
    code: CodeOf

    def handed_out(self) -> Report:
        """Return the report, with bots without their folders."""
        with storage.as_handed_out():
            state = self.read()
        return self.report(state)

    def coded(self, db: str | None) -> tuple[Report, str | None]:
        """Return the report with its code, and the language in which its event prints, as `coded_report` does."""
        return coded_report(db, self.read, self.report, self.code)


@dataclass(frozen=True, slots=True)
class PaperForm:
    """A document's command of `tourney print`, and its links on the desk's page for paper.

    In the texts of links `{round}`, `{season}` and `{standings}`, the standings after a round, are filled in.
    """

    heading: str
    help: str
    example: str
    links: Mapping[DeskList, str]


@dataclass(frozen=True, slots=True)
class SpreadsheetForm:
    """A document as a workbook or CSV: its heading at the desk, and the function that names its file."""

    heading: str
    called: Callable[[], str]


@dataclass(frozen=True, slots=True)
class MessageForm:
    """A document as a text to post: its heading at the desk; one that `needs_round` is missing before the first."""

    heading: str
    needs_round: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """A document: the word of its command and address, what it shows, and its forms.

    `source` takes a database, by name what the document can be asked for, for which `tourney.cli.printing` has options,
    and the `form` if forms differ.
    """

    name: str
    source: Callable[..., DocumentSource]
    paper: PaperForm | None = None
    spreadsheet: SpreadsheetForm | None = None
    message: MessageForm | None = None

    @property
    def asks(self) -> Mapping[str, Parameter]:
        """Return what the document can be asked for, by name."""
        return {name: each for name, each in signature(self.source).parameters.items() if name != "db"}

    def of(self, db: str | None, form: DocumentForm = "paper", **asked: Any) -> DocumentSource:
        """Return what the document shows in a form, of what it can be asked for."""
        given = {**asked, "form": form}
        return self.source(db, **{name: given[name] for name in self.asks if name in given})


def _slips(
    db: str | None, event: str | None = None, number: int | None = None, table: int | None = None
) -> DocumentSource:
    return DocumentSource(partial(service_rounds.slips, db, event, number, table), slips.slips, event_code(event))


def _wall(db: str | None, event: str | None = None, number: int | None = None) -> DocumentSource:
    return _schedule(db, event, "newest" if number is None else number, slips.wall)


def signs(db: str | None, event: str | None = None, number: int | None = None) -> DocumentSource:
    """Return the signs for the tables of a round, by default the newest."""

    return _schedule(db, event, "newest" if number is None else number, slips.signs)


def _seating(db: str | None, event: str | None = None, which: Literal["played"] | None = None) -> DocumentSource:
    return _schedule(db, event, which, rounds_report.schedule)


def _schedule(db: str | None, event: str | None, which: Any, report: Callable[[Any], Report]) -> DocumentSource:
    return DocumentSource(partial(service_rounds.show, db, event, which), report, event_code(event))


def _standings(
    db: str | None,
    event: str | None = None,
    after: int | None = None,
    stage: str | None = None,
    form: DocumentForm = "paper",
) -> DocumentSource:
    by_round: Literal["people", "everybody"] = "everybody" if form == "spreadsheet" else "people"
    return _ranked(db, event, partial(standings.standings, by_round=by_round), after, stage)


def _certificates(db: str | None, event: str | None = None, top: int = 3) -> DocumentSource:
    return _ranked(db, event, partial(certificates, top=top))


def _summary(db: str | None, event: str | None = None) -> DocumentSource:
    return _ranked(db, event, events.summary)


def _ranked(db: str | None, event: str | None, report: Callable[[Any], Report], *which: Any) -> DocumentSource:
    return DocumentSource(partial(shown.standings, db, event, *which), report, event_code(event))


def _results(db: str | None, event: str | None = None) -> DocumentSource:
    return DocumentSource(partial(service_results.show, db, event), results.results, event_code(event))


def ratings(
    db: str | None,
    pool: str = "people",
    games: RatingFilter = ALL_GAMES,
    listed: RankingChoice = WHOLE_RANKING,
    form: DocumentForm = "paper",
) -> DocumentSource:
    """Return the ratings of a pool, or the ranking that is chosen; paper has pictures of its first players."""

    if not listed.lists_all:
        select = partial(service_lists.ranking_list, db, pool, games, listed.selection, listed.by, listed.moved_since)
        source = DocumentSource(select, ranking_lists.ranking_list, journal_code)
    else:
        read = partial(service_ratings.ratings, db, pool, listed.by)
        if games != ALL_GAMES:
            read = partial(service_ratings.filtered_ratings, db, pool, games, listed.by)
        source = DocumentSource(read, ratings_report.ratings, journal_code)
    return _with_pictures(source, db, pool, games) if form == "paper" else source


def _with_pictures(source: DocumentSource, db: str | None, pool: str, games: RatingFilter) -> DocumentSource:

    def read() -> tuple[Any, Any]:
        return source.read(), player_history.player_histories(db, pool, rating_filter=games)

    def report(state: tuple[Any, Any]) -> Report:
        found, histories = state
        return first_players.with_pictures(source.report(found), getattr(found, "listed", found), histories)

    return DocumentSource(read, report, source.code)


def _season(db: str | None, season: str | int | None = None, as_of: str | None = None) -> DocumentSource:
    if isinstance(season, int):
        return DocumentSource(partial(service_seasons.numbered, db, season), seasons.on_paper, journal_code)
    return DocumentSource(partial(service_seasons.standings, db, season, as_of), seasons.on_paper, journal_code)


def _rules(db: str | None, rules: str = "oficial", of_event: str | None = None) -> DocumentSource:
    code = journal_code_if_any if of_event is None else event_code(of_event)
    return DocumentSource(partial(service_rules.page_for, db, rules, of_event), rules_report.page, code)


DOCUMENTS: Final = (
    Document(
        "slips",
        _slips,
        PaperForm(
            marked("A round"),
            marked("Make score slips, one for each table of a round, to fill in and sign. Two or more fit a page."),
            marked("tourney print slips Friday --output slips.html"),
            {"round": marked("Score slips")},
        ),
    ),
    Document(
        "wall",
        _wall,
        PaperForm(
            marked("A round"),
            marked("Make the seating of a round for a wall, by name and by table, in type to be read from two metres."),
            marked("tourney print wall Friday --output wall.html"),
            {"round": marked("Seating for the wall")},
        ),
    ),
    Document(
        "signs",
        signs,
        PaperForm(
            marked("A round"),
            marked("Make a sign for each table of a round: its number, as large as a page, and who sits there."),
            marked("tourney print signs Friday --output signs.html"),
            {"signs": marked("Signs for the tables")},
        ),
    ),
    Document(
        "seating", partial(_seating, which="played"), message=MessageForm(marked("Who sits where"), needs_round=True)
    ),
    Document(
        "standings",
        _standings,
        PaperForm(
            marked("An event"),
            marked("Make the standings of an event for paper."),
            marked("tourney print standings Friday --output standings.html"),
            {"round": "{standings}", "event": marked("Standings")},
        ),
        SpreadsheetForm(marked("Standings"), lambda: pgettext("name of a file", "standings")),
        MessageForm(marked("Standings")),
    ),
    Document(
        "seating",
        _seating,
        spreadsheet=SpreadsheetForm(marked("Seating of all rounds"), lambda: pgettext("name of a file", "seating")),
    ),
    Document(
        "certificates",
        _certificates,
        PaperForm(
            marked("An event"),
            marked("Make certificates for the winners of an event, one on each page."),
            marked("tourney print certificates Friday --top 3 --output certificates.html"),
            {"event": marked("Certificates for the winners")},
        ),
    ),
    Document(
        "results",
        _results,
        spreadsheet=SpreadsheetForm(marked("Results"), lambda: pgettext("name of a file", "results")),
    ),
    Document("summary", _summary, message=MessageForm(marked("How the evening went"))),
    Document(
        "ratings",
        ratings,
        PaperForm(
            marked("The club"),
            marked("Make the ratings of a pool for paper."),
            marked("tourney print ratings --season 2026 --output ratings.html"),
            {"club": marked("Ratings")},
        ),
    ),
    Document(
        "season",
        _season,
        PaperForm(
            marked("The club"),
            marked("Make the standings of a season for paper, with the events that count."),
            marked('tourney print season "Autumn 2026" --output season.html'),
            {"season": marked("Season {season}")},
        ),
    ),
    Document(
        "rules",
        _rules,
        PaperForm(
            marked("The club"),
            marked("Make the rules for paper; every sentence names the clause of the document it comes from."),
            marked(
                "tourney print rules oficial --output rules.html\n"
                "tourney print rules --event Friday --output rules.html"
            ),
            {"event": marked("The rules of this event")},
        ),
    ),
)
"""All documents, in the order in which help and desk list them."""
PRINTED: Final = {each.name: (each, each.paper) for each in DOCUMENTS if each.paper}
"""The documents for a printer, by name."""
SPREADSHEETS: Final = {each.name: (each, each.spreadsheet) for each in DOCUMENTS if each.spreadsheet}
"""The documents that are spreadsheets, by name."""
MESSAGES: Final = {each.name: (each, each.message) for each in DOCUMENTS if each.message}
"""The documents to post, by name."""
