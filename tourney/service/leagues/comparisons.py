"""Records of a league's games, comparisons of two bots with the same cards, and pilot runs, which keep nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from math import isfinite
from typing import Final
from warnings import warn

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError, TourneyWarning
from tourney.domain.league_tables import LeagueComparison, LeagueDivergence, LeaguePilot, SeatLog
from tourney.domain.leagues import Design, League, PlaySettings
from tourney.league import blocks, divergence, pilot, playing, workers
from tourney.rulebook import rulesets
from tourney.service.bots import NO_CONSENT, Consent, permitted, prove_walls
from tourney.service.leagues.league_file import is_record_of
from tourney.service.leagues.leagues import START_HINT, check_unchanged, find_league, is_paired, proved
from tourney.text.i18n import _
from tourney.text.numbers import Number
from tourney.text.progress import Progress, no_progress

DESIGNS: Final[tuple[Design, ...]] = ("fresh", "rotations", "pairs", "replace")
"""The designs tried, each compared with the first."""
MIN_GAP: Final = 0.001
"""The smallest gap accepted, in points a hand: no league is long enough for less."""
MIN_BLOCKS: Final = 30
"""The minimum number of blocks of a design, for a usable estimate of the spread."""


def run_pilot(
    league: League, gap: float, games: int = 200, processes: int = 1, progress: Progress = no_progress
) -> LeaguePilot:
    """Return how many hands each design needs to separate a `gap` (points a hand) with the league's certainty.

    Each design plays blocks of at least `games` games; the league's own design and length do not matter. Raises
    TourneyError as `leagues.checked`, USAGE for an impossible gap or certainty or fewer than two bots, and REFUSED if a
    worker dies.
    """
    league = proved(None, league)
    _check_pilot(league, gap)
    try:
        pilots = _play_designs(league, games, processes, progress)
    except workers.WorkerDied as error:
        message = _("worker processes died again and again at block {block}").format(block=error.block + 1)
        raise TourneyError(ExitCode.REFUSED, message, _("try --workers 1")) from error
    certainty = float(league.certainty)
    needs = pilot.design_needs(
        pilots, league.entrants, gap, certainty, "highest" if _counts_money(league) else "lowest"
    )
    return LeaguePilot(league, gap, certainty, pilot.POWER, needs)


def _check_pilot(league: League, gap: float) -> None:
    if not (isfinite(gap) and gap >= MIN_GAP):
        message = _("a gap of {gap} points a hand is impossible").format(gap=Number(gap))
        raise TourneyError(
            ExitCode.USAGE, message, _("give {least} or more, such as 0.5").format(least=Number(MIN_GAP))
        )
    if not league.certainty:
        raise TourneyError(ExitCode.USAGE, _("a pilot needs a certainty"), _("give one from 0.5 to 1, such as 0.95"))
    if len(league.bots) < 2:
        raise TourneyError(ExitCode.USAGE, _("a pilot needs two bots or more"), _("name another one with --bots"))


def _counts_money(league: League) -> bool:
    return rulesets.family(league.rules_ref) == "knock"


def _play_designs(league: League, games: int, processes: int, progress: Progress) -> dict[Design, pilot.PilotBlocks]:
    leagues = {design: replace(league, design=design) for design in DESIGNS}
    lengths = {design: _blocks_for(leagues[design], games) for design in DESIGNS}
    counter = _counter(progress, sum(lengths.values()))
    return {design: _play_pilot(leagues[design], lengths[design], processes, counter) for design in DESIGNS}


def _blocks_for(league: League, games: int) -> int:
    """Return the number of blocks that have at least `games` games, and at least MIN_BLOCKS."""
    return max(MIN_BLOCKS, -(-games // len(playing.block_games(league, 0))))


def _counter(progress: Progress, total: int) -> Iterator[int]:
    """Count the blocks and report each to `progress`."""
    for done in count(1):
        progress(done, total)
        yield done


def _play_pilot(league: League, length: int, processes: int, counter: Iterator[int]) -> pilot.PilotBlocks:
    """Play the league's first blocks and return their mean points (or money) a hand."""
    hands, rows, money = 0, {}, _counts_money(league)
    for block in workers.play_blocks(league, iter(range(length)), PlaySettings(min(processes, length)), lambda: False):
        outcome = blocks.read_block(block.text)
        hands += outcome.hands
        rows[outcome.number] = [(totals.money if money else totals.points) / totals.hands for totals in outcome.totals]
        next(counter)
    return pilot.PilotBlocks(hands, [rows[number] for number in range(length)])


def record(db: str | None, number: int | None, block: int, game: int, consent: Consent = NO_CONSENT) -> str:
    """Return the record of a game (block and game from 1) as text; if it was not kept, the block is played again.

    Raises TourneyError NOT_FOUND for an unknown league, block or game; REFUSED where the record was not kept and this
    program no longer plays the block as it was.
    """
    with storage.reading(db, START_HINT) as reader:
        number = find_league(reader, number)
        league, outcome = reader.leagues.all()[number], _outcome(reader, number, block)
        _check_game(outcome, block, game)
        kept = reader.leagues.blocks(number).record(block - 1, game - 1)
    return kept if kept is not None else _replayed_records(db, number, league, outcome, consent)[game - 1]


def conversation(
    db: str | None, number: int | None, block: int, game: int, consent: Consent = NO_CONSENT
) -> tuple[SeatLog, ...]:
    """Return the conversations with the programs in a game (block and game from 1), which is played again for that.

    Raises TourneyError NOT_FOUND for an unknown league, block or game, REFUSED where no program plays in the game or
    its bots have changed. Warns if the block ends otherwise than before.
    """
    with storage.reading(db, START_HINT) as reader:
        number = find_league(reader, number)
        league, outcome = reader.leagues.all()[number], _outcome(reader, number, block)
    _check_game(outcome, block, game)
    league = permitted(league, consent)
    check_unchanged(number, league)
    prove_walls(db, league.outside, league.isolation)
    played, logs = playing.play_logged(league, rulesets.rules_of(league.rules_ref), outcome.number, game - 1)
    if not logs:
        message = _("no program plays in game {game} of block {block}").format(game=game, block=block)
        raise TourneyError(ExitCode.REFUSED, message, _("`tourney league record` has the game itself"))
    if blocks.read_block(played.text) != outcome:
        message = _("block {block} of league {number} ends differently when it is played again")
        warn(TourneyWarning(message.format(block=block, number=number)), stacklevel=2)
    return logs


def compare(
    db: str | None,
    better: str,
    worse: str,
    number: int | None = None,
    block: int | None = None,
    consent: Consent = NO_CONSENT,
) -> LeagueComparison:
    """Return, hand by hand, the first decision in which two entrants differed with the same cards, and their points.

    The entrants are compared in one block (from 1): by default the one in which `better` did best against `worse`.
    Raises TourneyError NOT_FOUND for an unknown league, entrant or block, USAGE for the same entrant twice, REFUSED if
    the league's games are not between two entrants, and as `record` does.
    """
    with storage.reading(db, START_HINT) as reader:
        number = find_league(reader, number)
        league = reader.leagues.all()[number]
        pair = _entrant(league, better), _entrant(league, worse)
        _check_comparable(number, league, pair)
        outcome = _outcome(reader, number, block) if block is not None else _best_block(reader, number, pair)
        pair_games = [place for place, game in enumerate(outcome.games) if set(game.seating) == set(pair)]
        kept = [reader.leagues.blocks(number).record(outcome.number, game) for game in pair_games]
    records = [text for text in kept if text is not None]
    if any(not is_record_of(league, outcome, *each) for each in zip(pair_games, records, strict=False)):
        message = _("the records of block {block} of league {number} are not of its games")
        hint = _("import the league again from a file of the computer that played it")
        raise TourneyError(ExitCode.REFUSED, message.format(block=outcome.number + 1, number=number), hint)
    if len(records) < len(pair_games):
        replayed = _replayed_records(db, number, league, outcome, consent)
        records = [replayed[game] for game in pair_games]
    sides = [pair.index(entrant) for entrant in outcome.games[pair_games[0]].seating]
    return LeagueComparison(number, outcome.number + 1, better, worse, tuple(_divergences(records, sides)))


def _entrant(league: League, name: str) -> int:
    if name not in league.entrants:
        hint = _("there are: {bots}").format(bots=", ".join(league.entrants))
        raise TourneyError(ExitCode.NOT_FOUND, _("“{name}” is not in the league").format(name=name[:40]), hint)
    return league.entrants.index(name)


def _check_comparable(number: int, league: League, pair: tuple[int, int]) -> None:
    if pair[0] == pair[1]:
        message = _("{bot} cannot be compared with itself").format(bot=league.entrants[pair[0]])
        raise TourneyError(ExitCode.USAGE, message, _("name two different bots"))
    if not is_paired(league.design):
        message = _("the games of league {number} are not between two bots alone").format(number=number)
        raise TourneyError(ExitCode.REFUSED, message, _("start a league of the design `pairs` or `replace`"))


def _check_game(outcome: blocks.BlockOutcome, block: int, game: int) -> None:
    if not 1 <= game <= len(outcome.games):
        message = _("block {block} has no game {game}").format(block=block, game=game)
        hint = _("games are 1 to {games}").format(games=len(outcome.games))
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)


def _blocks(reader: storage.Reader, number: int) -> Iterator[blocks.BlockOutcome]:
    return (blocks.read_block(text) for _block, text in reader.leagues.blocks(number).texts())


def _outcome(reader: storage.Reader, number: int, block: int) -> blocks.BlockOutcome:
    outcome = next((outcome for outcome in _blocks(reader, number) if outcome.number == block - 1), None)
    if outcome is None:
        message = _("block {block} of league {number} has not been played").format(block=block, number=number)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("see `tourney league status`"))
    return outcome


def _best_block(reader: storage.Reader, number: int, pair: tuple[int, int]) -> blocks.BlockOutcome:
    """Return the block in which the first of the pair did best against the second."""
    best = max(_blocks(reader, number), key=lambda block: _lead(block, pair), default=None)
    if best is None:
        message = _("no block of league {number} has been played").format(number=number)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("continue with `tourney league resume`"))
    return best


def _lead(block: blocks.BlockOutcome, pair: tuple[int, int]) -> int:
    """Return the points (or money) by which the first of the pair was better in the games against the second."""
    lead = 0
    for game in block.games:
        if set(game.seating) == set(pair):
            values = game.money or tuple(-points for points in game.points)
            seats = zip(values, game.seating, strict=True)
            lead += sum(value if entrant == pair[0] else -value for value, entrant in seats)
    return lead


def _replayed_records(
    db: str | None, number: int, league: League, outcome: blocks.BlockOutcome, consent: Consent
) -> list[str]:
    """Return the records of the block, played again. Raises TourneyError REFUSED if it ends differently."""
    league = permitted(league, consent)
    check_unchanged(number, league)
    prove_walls(db, league.outside, league.isolation)
    replayed = playing.play_block(replace(league, records="all"), rulesets.rules_of(league.rules_ref), outcome.number)
    if blocks.read_block(replayed.text) != outcome:
        message = _("block {block} of league {number} ends differently when it is played again")
        hint = _("its bots are of another version; `--records all` keeps the games as played")
        raise TourneyError(ExitCode.REFUSED, message.format(block=outcome.number + 1, number=number), hint)
    return [text for _game, text in replayed.records]


def _divergences(records: Sequence[str], sides: Sequence[int]) -> Iterator[LeagueDivergence]:
    """Yield the hands in which two games of a pair differ.

    `sides[seat]` is 0 if the first entrant of the pair sits there in the first game, 1 if the second does.
    """
    for found in divergence.divergences_in_texts(*records):
        seat, first = found.seat, sides[found.seat]
        points = found.points[first][seat], found.points[1 - first][seat]
        actions = found.actions[first], found.actions[1 - first]
        yield LeagueDivergence(found.hand, found.contract, found.step, seat + 1, *actions, *points)
