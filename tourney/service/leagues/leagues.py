"""Leagues: beginning one, going on with it, and how it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from warnings import warn

from tourney import rulebook, storage
from tourney.domain.errors import ExitCode, TourneyError, TourneyWarning
from tourney.domain.leagues import Crew, Design, League, LeagueTable
from tourney.service.events.events import check_bot
from tourney.service.leagues.play import Progress, begun, going_on, play, table
from tourney.service.version import program_version
from tourney.text.i18n import _
from tourney.text.names import clean
from tourney.text.signals import held

BEGIN_HINT = _("begin a league with `tourney league run --bots greedy,random`, or name its file with --db")
COUPLES: tuple[Design, ...] = ("pairs", "replace")
"""The designs in whose games two bots alone sit together."""
MOST_BLOCKS = 1_000_000_000
"""More than anybody plays; block numbers and sums stay within what a database holds."""
ALONE = Crew()
"""This process plays by itself."""
STAKE = 100
"""What a knock game of a league is played for, where nothing else is said."""


def checked(wanted: League) -> League:
    """The league that is meant: rules by their own name, with their digest, and the stake of a knock game.

    Raises TourneyError NOT_FOUND for unknown bots or rules, USAGE for no bots, a certainty that is none or too many
    blocks, REFUSED for a seed that is no text, or a table or a stake that these rules do not have.
    """
    _refuse_no_league(wanted)
    rules = rulebook.resolve(wanted.rules)
    least, most = rulebook.table_limits(rules)
    if not least <= wanted.seats <= most:
        message = _("{rules} is played by {least} to {most} at a table, not by {seats}")
        message = message.format(rules=rules.id, least=least, most=most, seats=wanted.seats)
        raise TourneyError(ExitCode.REFUSED, message, _("give --seats another number"))
    stake = wanted.stake or (STAKE if rulebook.family(rules) == "knock" else 0)
    rulebook.check_stake(rules, stake)
    seed = clean(wanted.seed, _("seed"))
    return replace(wanted, rules=rules.id, rules_digest=rules.digest, rules_text=rules.text, stake=stake, seed=seed)


def _refuse_no_league(wanted: League) -> None:
    _refuse_unknown(wanted.bots)
    try:
        possible = wanted.certainty == "" or 0.5 < float(wanted.certainty) < 1.0
    except ValueError:
        possible = False
    if not possible:
        message = _("“{text}” is no probability of an order").format(text=wanted.certainty[:40])
        raise TourneyError(ExitCode.USAGE, message, _("give one above 0.5 and below 1, as 0.95"))
    if wanted.blocks > MOST_BLOCKS:
        message = _("nobody plays {blocks} blocks").format(blocks=wanted.blocks)
        raise TourneyError(ExitCode.USAGE, message, _("give at most {most}").format(most=MOST_BLOCKS))


def _refuse_unknown(bots: Sequence[str]) -> None:
    if not bots:
        raise TourneyError(ExitCode.USAGE, _("no bot is named"), _("name some, as --bots greedy,random"))
    for bot in bots:
        if ":" in bot:
            message = _("“{bot}” names no bot of a league").format(bot=bot[:40])
            raise TourneyError(ExitCode.USAGE, message, _("name a bot as often as it is to play, as greedy,greedy"))
        check_bot(bot)


def run(db: str | None, wanted: League, crew: Crew = ALONE, progress: Progress | None = None) -> LeagueTable:
    """Begin a league and play it to its end.

    Every block is kept as it is done, and follows from the league and its own number alone, whoever plays it. Raises
    TourneyError as `checked`, and INTERRUPTED, with the command that goes on, when it is broken off.
    """
    league = checked(wanted)
    # From here on an interrupt that would fall between two steps waits for the next of them.
    with held():
        with storage.writing(db) as store:
            number = store.new_league(league, program_version())
        return play(db, number, crew, progress)


def resume(
    db: str | None, number: int | None = None, crew: Crew = ALONE, progress: Progress | None = None
) -> LeagueTable:
    """Go on with a league, the newest one unless another is named; nothing is played of a finished one.

    Raises TourneyError NOT_FOUND if there is none, REFUSED if its rules are no longer those of this program, CONFLICT
    if a block ends otherwise than it did before, and INTERRUPTED as `run`.
    """
    with held():
        with going_on(db, number, crew), storage.reading(db, BEGIN_HINT) as reader:
            number = find_league(reader, number)
            refuse_other_rules(number, reader.leagues()[number])
            _warn_of_other_program(number, reader.league_program(number))
        return play(db, number, crew, progress)


def join(
    db: str | None,
    bots: Sequence[str],
    number: int | None = None,
    crew: Crew = ALONE,
    progress: Progress | None = None,
) -> LeagueTable:
    """Put bots into a league, the newest one unless another is named, and play what they miss: their own games.

    It is then the league that all of them would have begun. Raises TourneyError NOT_FOUND for an unknown league or bot,
    REFUSED if its games are not of two bots alone, and as `resume`.
    """
    _refuse_unknown(bots)
    with held():
        with storage.writing(db) as store:
            number = find_league(store, number)
            _refuse_joining(number, store.leagues()[number])
            store.join_league(number, bots)
        return play(db, number, crew, progress)


def would_join(db: str | None, bots: Sequence[str], number: int | None = None) -> tuple[LeagueTable, int]:
    """How the league stands that these bots would join, and the most games that would be played. Errors as `join`."""
    from tourney.league.playing import sittings

    _refuse_unknown(bots)
    now = status(db, number)
    _refuse_joining(now.number, now.league)
    together = replace(now.league, bots=(*now.league.bots, *bots))
    return now, now.league.blocks * len(sittings(together, 0)) - now.games


def _refuse_joining(number: int, league: League) -> None:
    refuse_other_rules(number, league)
    if league.design not in COUPLES or len(league.bots) < 2:
        message = _("nobody can join league {number}: in its games not two bots alone sit together")
        hint = _("only leagues of two bots or more, of the design `pairs` or `replace`, can be joined")
        raise TourneyError(ExitCode.REFUSED, message.format(number=number), hint)


def status(db: str | None, number: int | None = None) -> LeagueTable:
    """How a league stands, the newest one unless another is named. Raises TourneyError NOT_FOUND if there is none."""
    with storage.reading(db, BEGIN_HINT) as reader:
        number = find_league(reader, number)
        return table(reader, number, begun(reader, number)[0])


def find_league(reader: storage.Reader, number: int | None) -> int:
    """The number of that league, or of the newest. Raises TourneyError NOT_FOUND."""
    known = reader.leagues()
    if not known:
        raise TourneyError(ExitCode.NOT_FOUND, _("there is no league yet"), BEGIN_HINT)
    if number is None:
        return max(known)
    if number not in known:
        there = _("there are: {leagues}").format(leagues=", ".join(map(str, known)))
        raise TourneyError(ExitCode.NOT_FOUND, _("there is no league {number}").format(number=number), there)
    return number


def refuse_other_rules(number: int, league: League) -> None:
    """Raises TourneyError REFUSED if the rules that the league was begun with have changed since."""
    if not rulebook.is_current(league.rules_ref):
        message = _("the rules {rules} are no longer those that league {number} was begun with")
        message = message.format(rules=league.rules, number=number)
        raise TourneyError(ExitCode.REFUSED, message, _("use the version of tourney that the league began with"))


def _warn_of_other_program(number: int, began: str) -> None:
    if began != program_version():
        told = _("league {number} was begun by tourney {began}, this is {now}: its bots may play otherwise")
        warn(TourneyWarning(told.format(number=number, began=began, now=program_version())), stacklevel=2)
