"""Leagues: start, resume, join and show them; the built-in bots."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Final
from warnings import warn

from tourney import storage
from tourney.bots import roster
from tourney.domain.errors import ExitCode, TourneyError, TourneyWarning
from tourney.domain.league_tables import LeagueTable, ListedLeague
from tourney.domain.leagues import Design, League, OutsideBot, PlaySettings
from tourney.domain.rules import RulesRef
from tourney.league import designs, playing, statistics, tally, workers
from tourney.rulebook import records, rulesets
from tourney.service.bots import (
    NO_CONSENT,
    Consent,
    drawn_seed,
    is_drawn_here,
    is_guessable,
    keeps_secrets,
    least_level,
    permitted,
    placed,
    prove_wall,
    prove_walls,
    remember_seed,
    trust,
)
from tourney.service.change import Change, apply
from tourney.service.leagues.cluster.machines import with_machines
from tourney.service.leagues.executors import scheduler
from tourney.service.leagues.play import Progress, league_table, load_tally, play, report_interrupt
from tourney.service.version import program_version
from tourney.text.i18n import _, marked
from tourney.text.names import clean
from tourney.text.progress import Tell, no_news
from tourney.text.signals import deferred
from tourney.text.typed_words import read_decimal

DEFAULT_BLOCKS: Final = 100
"""The blocks of a league, unless a number is given."""
MAX_BLOCKS_UNTIL_SURE: Final = 100_000
"""The most blocks of a league that ends as soon as it has an answer, unless a number is given."""
MAX_BLOCKS: Final = 1_000_000_000
"""The most blocks of a league: their numbers and sums fit into database integers."""
MOST_GAP: Final = 1_000_000.0
"""The largest gap of a test, in either direction."""


def with_length(league: League) -> League:
    """Return the league with its number of blocks; 0 stands for the usual one, or for all that its book is enough for.

    Raises TourneyError USAGE for an impossible certainty, too many blocks, or more than the book has deals for.
    """
    certainty = read_decimal(league.certainty)
    if league.certainty and (certainty is None or not 0.5 < certainty < 1.0):
        message = _("“{text}” is not a possible certainty").format(text=league.certainty[:40])
        raise TourneyError(ExitCode.USAGE, message, _("give one above 0.5 and below 1, such as 0.95"))
    if league.blocks > MAX_BLOCKS:
        message = _("{blocks} blocks are too many").format(blocks=league.blocks)
        raise TourneyError(ExitCode.USAGE, message, _("give at most {most}").format(most=MAX_BLOCKS))
    if league.book:
        return replace(league, blocks=_blocks_of_book(league))
    usual = MAX_BLOCKS_UNTIL_SURE if league.certainty or league.test else DEFAULT_BLOCKS
    return replace(league, blocks=league.blocks or usual)


def _blocks_of_book(league: League) -> int:
    """Return the number of blocks: as many as asked for, or as the book has deals for."""
    deals = playing.deals_of_block(league)
    most = len(league.book) // deals
    if not most or league.blocks > most:
        wanted = max(1, league.blocks)
        message = _("the book has {deals} deals, and {blocks} blocks of {each} need {needed}").format(
            deals=len(league.book), blocks=wanted, each=deals, needed=wanted * deals
        )
        hint = (
            _("give at most --blocks {most}, or a longer book").format(most=most) if most else _("give a longer book")
        )
        raise TourneyError(ExitCode.USAGE, message, hint)
    return league.blocks or most


def check_test(league: League) -> None:
    """Raise TourneyError USAGE for a test that is none: of other than two bots, or with impossible numbers."""
    test = league.test
    if test is None:
        return

    if len(league.bots) != 2:
        message = _("a test is of two bots, not of {n}").format(n=len(league.bots))
        raise TourneyError(ExitCode.USAGE, message, _("name the new bot and the old one"))
    if not (isfinite(test.low) and isfinite(test.high) and -MOST_GAP <= test.low < test.high <= MOST_GAP):
        message = _("{low},{high} are not two possible gaps").format(low=f"{test.low:g}", high=f"{test.high:g}")
        raise TourneyError(ExitCode.USAGE, message, _("give the smaller one first, such as --sprt 0,1"))
    for name, error in (("--alpha", test.alpha), ("--beta", test.beta)):
        if not 0.0 < error < 0.5:
            message = _("{error} is not a possible error for {option}").format(error=f"{error:g}", option=name)
            raise TourneyError(ExitCode.USAGE, message, _("give one above 0 and below 0.5, such as 0.05"))
    if league.blocks < statistics.FIRST_LOOK:
        message = _("a test needs {least} blocks at least, not {blocks}").format(
            least=statistics.FIRST_LOOK, blocks=league.blocks
        )
        raise TourneyError(ExitCode.USAGE, message, _("give a larger number with --blocks, or none"))


START_HINT = marked("start a league with `tourney league run --bots greedy,random`, or name its file with --db")
_COUNTED = re.compile(r".+:[0-9]+")
"""A bot with a number, as events take them."""
ONE_WORKER = PlaySettings()
"""Settings without worker processes: this process plays all games."""
DEFAULT_STAKE = 100
"""The stake of a knock game in a league, unless another is given."""


@dataclass(frozen=True, slots=True)
class StartLeague(Change[int]):
    """Start a league as `checked` returned it; the outcome is its number. No bot runs in the transaction."""

    league: League

    def perform(self, store: storage.Store) -> int:
        """Keep the league in the journal."""
        number = store.add(storage.kinds.leagues.LeagueStarted.of(self.league, program_version()))
        if self.league.hides_deals and not store.dry_run:
            remember_seed(self.league.seed, store, f"league {number}")
        return number


@dataclass(frozen=True, slots=True)
class Joining:
    """The texts that name bots which are to join a league, the newest one unless another is named."""

    bots: Sequence[str]
    number: int | None = None


@dataclass(frozen=True, slots=True)
class JoinLeague(Change[int]):
    """Add bots to a league as `roster_of` returned them; the outcome is its number. No bot runs in the transaction.

    They play at the level of the league or at `isolation`, the stronger one. Raises TourneyError NOT_FOUND for an
    unknown league, USAGE for the name of another bot in it, REFUSED if the league cannot be joined.
    """

    joining: roster.Roster
    number: int | None = None
    isolation: str = ""

    def perform(self, store: storage.Store) -> int:
        """Keep the new bots in the journal."""
        number = find_league(store, self.number)
        league = store.leagues.all()[number]
        league = replace(league, isolation=least_level(league, self.isolation))
        _check_joinable(number, league)
        _check_joining(league, self.joining, deals_known=_are_deals_known(store, number, league))
        known = {bot.name for bot in league.outside}
        outside = [bot for bot in self.joining.outside if bot.name not in known]
        store.leagues.join(number, self.joining.bots, outside, _has_ended(store, number))
        return number


def proved(db: str | None, league: League) -> League:
    """Return the league as `checked` does; none of its bots runs before the wall that is to hold it is proved.

    Raises TourneyError as `checked`, and REFUSED where a wall does not hold.
    """
    return checked(league, partial(prove_wall, db))


def checked(league: League, prove: roster.Prover | None = None) -> League:
    """Return the league with its rules resolved, and its length and the stake of a knock game if they are 0.

    Raises TourneyError NOT_FOUND for unknown bots or rules, USAGE for no bots, an impossible certainty or test, or too
    many blocks, REFUSED for a seed that is not text, or a table size or stake that the rules do not allow.
    """
    named = roster_of(league.bots, league.outside, league.isolation, prove)
    league = replace(league, bots=named.bots, outside=named.outside)
    if prove is not None and league.outside:
        roster.prove_each(league.outside, league.isolation, prove)
    rules = rulesets.resolve(league.rules)
    league = by_rules(league, rules)
    _check_entrants(league, rules)
    return replace(league, rules=rules.id, rules_digest=rules.digest, rules_text=rules.text)


def by_rules(league: League, rules: RulesRef) -> League:
    """Return the league with its length, and the stake of a knock game if it is 0. Raises TourneyError as `checked`."""
    league = with_length(league)
    check_test(league)
    league = replace(league, certainty=league.certainty.strip().replace(",", "."))
    smallest, largest = rulesets.table_limits(rules)
    if not smallest <= league.seats <= largest:
        message = _("{rules} is played by {smallest} to {largest} at a table, not by {seats}")
        message = message.format(rules=rules.id, smallest=smallest, largest=largest, seats=league.seats)
        raise TourneyError(ExitCode.REFUSED, message, _("give another number with --seats"))
    stake = league.stake or (DEFAULT_STAKE if rulesets.family(rules) == "knock" else 0)
    rulesets.check_stake(rules, stake)
    return replace(league, stake=stake, seed=clean(league.seed or drawn_seed(), _("seed")))


def _warn_of_guessable_seed(league: League) -> None:
    shortest = min(league.book or (league.seed,), key=len)
    if is_guessable(shortest) and keeps_secrets(league.outside, league.isolation):
        message = _("the seed {seed} can be guessed, and with it all cards: give a longer one, or none")
        warn(TourneyWarning(message.format(seed=shortest)), stacklevel=2)


def roster_of(
    bots: Sequence[str], known: Sequence[OutsideBot] = (), isolation: str = "", prove: roster.Prover | None = None
) -> roster.Roster:
    """Return the bots of these texts, `known` ones by their names. Raises TourneyError if one cannot be meant."""
    if not any(bots):
        raise TourneyError(ExitCode.USAGE, _("no bots are named"), _("name some, such as --bots greedy,random"))
    for bot in bots:
        if not bot:
            message = _("a bot's name is empty: there is a comma too many")
            raise TourneyError(ExitCode.USAGE, message, _("name bots with one comma between two, as in greedy,random"))
        if _COUNTED.fullmatch(bot):
            message = _("“{bot}” does not name a league bot").format(bot=bot[:40])
            hint = _("name a bot as many times as it is to play, such as greedy,greedy")
            raise TourneyError(ExitCode.USAGE, message, hint)
    return roster.read_roster(bots, Path.cwd(), known, isolation, prove or roster.unproved)


def _are_deals_known(reader: storage.Reader, number: int, league: League) -> bool:
    """Return whether a bot that joins a league may know its deals.

    It may if the seed was not drawn here or a book has the deals, and once the league has ended: a bot that joins opens
    it again.
    """
    if not league.hides_deals or _has_ended(reader, number) or reader.leagues.has_shown_its_seed(number):
        return True
    return not is_drawn_here(league.seed, reader, f"league {number}")


def _has_ended(reader: storage.Reader, number: int) -> bool:
    return load_tally(reader, number)[0].verdict != "open"


def _check_deals(league: League, joining: roster.Roster) -> None:
    """Warn of bots from outside that may know the deals. Raises TourneyError REFUSED if they are not to know them."""
    if not joining.outside:
        return
    message = _("the deals of the league are known: bots that join may have been written for them")
    if keeps_secrets(joining.outside, league.isolation):
        hint = _("start a new league with all of the bots, without --seed and --book")
        raise TourneyError(ExitCode.REFUSED, message, hint)
    warn(TourneyWarning(message), stacklevel=2)


def _joining(db: str | None, league: League, bots: Sequence[str], *, deals_known: bool) -> roster.Roster:
    """Return the bots that join a league; none runs before the wall that is to hold it is proved.

    Raises TourneyError as `_check_joining`, and REFUSED where a wall does not hold.
    """
    prove = partial(prove_wall, db)
    joining = roster_of(bots, isolation=league.isolation, prove=prove)
    if joining.outside:
        roster.prove_each(joining.outside, league.isolation, prove)
    _check_joining(league, joining, deals_known=deals_known)
    _check_entrants(replace(league, outside=joining.outside), league.rules_ref)
    return joining


def _check_joining(league: League, joining: roster.Roster, *, deals_known: bool) -> None:
    """Raise TourneyError USAGE for the name of another bot in the league, REFUSED for a bot that may know the seed."""
    for bot in joining.outside:
        others = [known for known in league.outside if known.name == bot.name and bot not in (known, *placed([known]))]
        if others:
            message = _("the league has another bot called “{name}”").format(name=bot.name)
            raise TourneyError(ExitCode.USAGE, message, _("give the new one a name of its own in an entrants file"))
    if deals_known:
        _check_deals(league, joining)


def _check_entrants(league: League, rules: RulesRef) -> None:
    """Raise TourneyError if a bot from outside cannot play the league."""
    if league.outside:
        roster.check_entrants(league.outside, rulesets.rules_of(rules), league.seats, league.isolation)


def warm_up(settings: PlaySettings) -> None:
    """Let the server of worker processes load what plays, while this process does something else."""
    if settings.processes > 1:
        workers.start_server()


def run(
    db: str | None,
    league: League,
    settings: PlaySettings = ONE_WORKER,
    progress: Progress | None = None,
    *,
    by: str = "",
    tell: Tell = no_news,
) -> LeagueTable:
    """Start a league, as the change of `by`, and play it to its end; `tell` gets the hash of a drawn seed before.

    Every block is kept when it is done, and depends on the league and its own number alone. Raises TourneyError as
    `checked`, and INTERRUPTED, with the command that resumes the league, when it is interrupted.
    """
    warm_up(settings)
    begun = proved(db, league)
    league = begun.with_given_seed() if league.seed else begun
    trust(league.outside, league.isolation)
    _warn_of_guessable_seed(league)

    # This loads what knows SQL while the server of the workers loads what plays, and refuses what cannot be written.
    with storage.writing(db, dry_run=True):
        pass
    if league.hides_deals:
        tell(_("SHA-256 of the seed from which all deals follow: {digest}").format(digest=league.seed_digest))
    # From here on an interrupt waits until it can be answered with the number of the league.
    with (
        scheduler(settings.on, settings.trust_users) as network,
        deferred(),
        workers.head_start(league, settings, range(league.blocks)),
    ):
        return play(db, apply(db, StartLeague(league), by=by), settings, progress, network, Consent(league.isolation))


def resume(
    db: str | None,
    number: int | None = None,
    settings: PlaySettings = ONE_WORKER,
    progress: Progress | None = None,
    consent: Consent = NO_CONSENT,
) -> LeagueTable:
    """Resume a league, the newest one unless another is named; a finished one plays nothing more.

    Raises TourneyError NOT_FOUND if there is none, REFUSED if its rules are no longer those of this program or its bots
    are not trusted, CONFLICT if a block ends differently than before, and INTERRUPTED as `run`.
    """
    with scheduler(settings.on, settings.trust_users) as network, deferred():
        warm_up(settings)
        with report_interrupt(db, number, settings), storage.reading(db, START_HINT) as reader:
            number = find_league(reader, number)
            league = permitted(reader.leagues.all()[number], consent)
            check_unchanged(number, league)
            prove_walls(db, league.outside, league.isolation)
            _warn_of_other_program(number, reader.leagues.program(number))
        return play(db, number, settings, progress, network, consent)


def join(
    db: str | None,
    request: Joining,
    settings: PlaySettings = ONE_WORKER,
    progress: Progress | None = None,
    *,
    by: str = "",
    consent: Consent = NO_CONSENT,
) -> LeagueTable:
    """Add bots to a league, and play the games that they need.

    The league is then the one that all its bots would have started together. Raises TourneyError as `JoinLeague` and
    `resume`.
    """
    with scheduler(settings.on, settings.trust_users) as network, deferred():
        warm_up(settings)
        with storage.reading(db, START_HINT) as reader:
            number = find_league(reader, request.number)
            league = permitted(reader.leagues.all()[number], consent)
            deals_known = _are_deals_known(reader, number, league)
        _check_joinable(number, league)
        prove_walls(db, league.outside, league.isolation)
        joining = _joining(db, league, request.bots, deals_known=deals_known)
        trust(joining.outside, league.isolation)
        apply(db, JoinLeague(joining, number, league.isolation), by=by)
        return play(db, number, settings, progress, network, consent)


def preview_join(db: str | None, request: Joining, consent: Consent = NO_CONSENT) -> tuple[LeagueTable, int]:
    """Return the table of the league that the bots would join, and the maximum number of games to be played.

    Raises TourneyError as `join`.
    """
    table = status(db, request.number)
    league = permitted(table.league, consent)
    _check_joinable(table.number, league)
    prove_walls(db, league.outside, league.isolation)
    with storage.reading(db) as reader:
        deals_known = _are_deals_known(reader, table.number, table.league)
    joining = _joining(db, league, request.bots, deals_known=deals_known)
    together = replace(league, bots=(*league.bots, *joining.bots))
    return table, table.league.blocks * len(playing.block_games(together, 0)) - table.games


def _check_joinable(number: int, league: League) -> None:
    check_unchanged(number, league)
    if league.test is not None:
        message = _("league {number} cannot be joined: it tests two bots").format(number=number)
        raise TourneyError(ExitCode.REFUSED, message, _("start another league with `tourney league run`"))
    if not is_paired(league.design) or len(league.bots) < 2:
        message = _("league {number} cannot be joined: its games are not between two bots alone")
        hint = _("only leagues of two bots or more, of the design `pairs`, `replace` or `gauntlet`, can be joined")
        raise TourneyError(ExitCode.REFUSED, message.format(number=number), hint)


def is_paired(design: Design) -> bool:
    """Return whether the games of a design are between two bots alone."""
    return designs.DESIGNS[design].paired


def status(db: str | None, number: int | None = None) -> LeagueTable:
    """Return the table of a league, the newest one unless another is named. Raises TourneyError NOT_FOUND."""
    with storage.reading(db, START_HINT) as reader:
        number = find_league(reader, number)
        return with_machines(db, league_table(reader, number, load_tally(reader, number)[0]))


def known(db: str | None) -> Mapping[int, League]:
    """Return the leagues by their numbers, without how they stand."""
    with storage.reading(db) as reader:
        return reader.leagues.all()


def listed(db: str | None) -> tuple[ListedLeague, ...]:
    """Return all leagues in the order in which they were begun here."""
    with storage.reading(db, START_HINT) as reader:
        return tuple([_listed(reader, number, league) for number, league in reader.leagues.all().items()])


def _listed(reader: storage.Reader, number: int, league: League) -> ListedLeague:
    """Return a league as it is listed; only the state of one that may end early needs a look into its blocks."""
    blocks = reader.leagues.blocks(number).count()
    if league.certainty or league.test is not None:
        return ListedLeague(number, league, blocks, load_tally(reader, number)[0].verdict)
    return ListedLeague(number, league, blocks, "played" if blocks == league.blocks else "open")


def find_league(reader: storage.Reader, number: int | None) -> int:
    """Return `number` if such a league exists, or for None the newest league. Raises TourneyError NOT_FOUND."""
    known = reader.leagues.all()
    if not known:
        raise TourneyError(ExitCode.NOT_FOUND, _("there is no league yet"), _(START_HINT))
    if number is None:
        return max(known)
    if number not in known:
        hint = _("there are: {leagues}").format(leagues=", ".join(map(str, known)))
        raise TourneyError(ExitCode.NOT_FOUND, _("there is no league {number}").format(number=number), hint)
    return number


def check_unchanged(number: int, league: League) -> None:
    """Refuse a league whose rules, or a file of whose bots, have changed since it started.

    Raises TourneyError REFUSED, and NOT_FOUND for a file that is gone.
    """
    if not rulesets.is_same(league.rules_ref):
        message = _("the rules {rules} have changed since league {number} started")
        message = message.format(rules=league.rules, number=number)
        raise TourneyError(ExitCode.REFUSED, message, _("use the version of tourney that started the league"))
    if league.outside:
        roster.check_files(league.outside)


def _warn_of_other_program(number: int, version: str) -> None:
    if version != program_version():
        message = _("league {number} was started by tourney {before}, this is {now}: its bots may play differently")
        warn(TourneyWarning(message.format(number=number, before=version, now=program_version())), stacklevel=2)


def checked_level(level: float) -> float:
    """Return the confidence level if it is at least 0.5 and below 1. Raises TourneyError USAGE otherwise."""
    if not 0.5 <= level < 1.0:
        message = _("{level} is not a confidence level").format(level=level)
        raise TourneyError(ExitCode.USAGE, message, _("give one from 0.5 to below 1, such as 0.99"))
    return level


def at_level(table: LeagueTable, level: float) -> LeagueTable:
    """Return the table with intervals at this confidence level, which `checked_level` has accepted."""
    return tally.at_level(table, level)


def builtin_bots() -> dict[str, str]:
    """Return the descriptions of the built-in bots by name, weakest first."""
    return records.bot_descriptions()
