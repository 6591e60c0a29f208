"""Single games of a league: their records, and comparisons of two bots with the same cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from warnings import warn

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError, TourneyWarning
from tourney.domain.leagues import League, LeagueComparison, LeagueDivergence, SeatLog
from tourney.service.leagues.leagues import START_HINT, check_unchanged, find_league, is_paired
from tourney.service.proved_isolation import prove_walls
from tourney.service.trusted_bots import NO_CONSENT, Consent, permitted
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.league.blocks import BlockOutcome


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
    from tourney.league.blocks import read_block
    from tourney.league.conversations import play_logged
    from tourney.rulebook.rulesets import rules_of

    with storage.reading(db, START_HINT) as reader:
        number = find_league(reader, number)
        league, outcome = reader.leagues.all()[number], _outcome(reader, number, block)
    _check_game(outcome, block, game)
    league = permitted(league, consent)
    check_unchanged(number, league)
    prove_walls(db, league.outside, league.isolation)
    played, logs = play_logged(league, rules_of(league.rules_ref), outcome.number, game - 1)
    if not logs:
        message = _("no program plays in game {game} of block {block}").format(game=game, block=block)
        raise TourneyError(ExitCode.REFUSED, message, _("`tourney league record` has the game itself"))
    if read_block(played.text) != outcome:
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


def _check_game(outcome: BlockOutcome, block: int, game: int) -> None:
    if not 1 <= game <= len(outcome.games):
        message = _("block {block} has no game {game}").format(block=block, game=game)
        hint = _("games are 1 to {games}").format(games=len(outcome.games))
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)


def _blocks(reader: storage.Reader, number: int) -> Iterator[BlockOutcome]:
    from tourney.league.blocks import read_block

    return (read_block(text) for _block, text in reader.leagues.blocks(number).texts())


def _outcome(reader: storage.Reader, number: int, block: int) -> BlockOutcome:
    outcome = next((outcome for outcome in _blocks(reader, number) if outcome.number == block - 1), None)
    if outcome is None:
        message = _("block {block} of league {number} has not been played").format(block=block, number=number)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("see `tourney league status`"))
    return outcome


def _best_block(reader: storage.Reader, number: int, pair: tuple[int, int]) -> BlockOutcome:
    """Return the block in which the first of the pair did best against the second."""
    best = max(_blocks(reader, number), key=lambda block: _lead(block, pair), default=None)
    if best is None:
        message = _("no block of league {number} has been played").format(number=number)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("continue with `tourney league resume`"))
    return best


def _lead(block: BlockOutcome, pair: tuple[int, int]) -> int:
    """Return the points (or money) by which the first of the pair was better in the games against the second."""
    lead = 0
    for game in block.games:
        if set(game.seating) == set(pair):
            values = game.money or tuple(-points for points in game.points)
            seats = zip(values, game.seating, strict=True)
            lead += sum(value if entrant == pair[0] else -value for value, entrant in seats)
    return lead


def _replayed_records(
    db: str | None, number: int, league: League, outcome: BlockOutcome, consent: Consent
) -> list[str]:
    """Return the records of the block, played again. Raises TourneyError REFUSED if it ends differently."""
    from tourney.league.blocks import read_block
    from tourney.league.playing import play_block
    from tourney.rulebook.rulesets import rules_of

    league = permitted(league, consent)
    check_unchanged(number, league)
    prove_walls(db, league.outside, league.isolation)
    replayed = play_block(replace(league, records="all"), rules_of(league.rules_ref), outcome.number)
    if read_block(replayed.text) != outcome:
        message = _("block {block} of league {number} ends differently when it is played again")
        hint = _("its bots are of another version; `--records all` keeps the games as played")
        raise TourneyError(ExitCode.REFUSED, message.format(block=outcome.number + 1, number=number), hint)
    return [text for _game, text in replayed.records]


def _divergences(records: Sequence[str], sides: Sequence[int]) -> Iterator[LeagueDivergence]:
    """Yield the hands in which two games of a pair differ.

    `sides[seat]` is 0 if the first entrant of the pair sits there in the first game, 1 if the second does.
    """
    from tourney.league.divergence import divergences_in_texts

    for found in divergences_in_texts(*records):
        seat, first = found.seat, sides[found.seat]
        points = found.points[first][seat], found.points[1 - first][seat]
        actions = found.actions[first], found.actions[1 - first]
        yield LeagueDivergence(found.hand, found.contract, found.step, seat + 1, *actions, *points)
