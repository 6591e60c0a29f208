"""Single games of a league: their records, and why one bot did better than another with the same cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import League, LeagueParting, LeagueReason
from tourney.service.leagues.leagues import BEGIN_HINT, COUPLES, find_league, refuse_other_rules
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.league.values import BlockOutcome


def record(db: str | None, number: int | None, block: int, game: int) -> str:
    """The record of a game (block and game from 1) as text, played again if it was not kept.

    Raises TourneyError NOT_FOUND for an unknown league, block or game; REFUSED where it is not kept and this program no
    longer plays the block as it was.
    """
    with storage.reading(db, BEGIN_HINT) as reader:
        number = find_league(reader, number)
        league, outcome = reader.leagues()[number], _outcome(reader, number, block)
        if not 1 <= game <= len(outcome.games):
            message = _("block {block} has no game {game}").format(block=block, game=game)
            hint = _("games are 1 to {games}").format(games=len(outcome.games))
            raise TourneyError(ExitCode.NOT_FOUND, message, hint)
        kept = reader.blocks(number).record(block - 1, game - 1)
    return kept if kept is not None else _records(number, league, outcome)[game - 1]


def why(db: str | None, better: str, worse: str, number: int | None = None, block: int | None = None) -> LeagueReason:
    """Where two entrants decided otherwise with the same cards, hand by hand, and the points that it moved.

    They are compared in one block (from 1): unless it is named, in the one where the first did best beside the second.
    Raises TourneyError NOT_FOUND for an unknown league, entrant or block, and REFUSED if in its games not two entrants
    alone sit together, or as `record`.
    """
    with storage.reading(db, BEGIN_HINT) as reader:
        number = find_league(reader, number)
        league = reader.leagues()[number]
        pair = _entrant(league, better), _entrant(league, worse)
        _refuse_others(number, league, pair)
        outcome = _outcome(reader, number, block) if block is not None else _best(reader, number, pair)
        theirs = [at for at, game in enumerate(outcome.games) if set(game.seating) == set(pair)]
        kept = [reader.blocks(number).record(outcome.number, at) for at in theirs]
    records = [text for text in kept if text is not None]
    if len(records) < len(theirs):
        whole = _records(number, league, outcome)
        records = [whole[at] for at in theirs]
    seated = [pair.index(entrant) for entrant in outcome.games[theirs[0]].seating]
    return LeagueReason(number, outcome.number + 1, better, worse, tuple(_partings(records, seated)))


def _entrant(league: League, name: str) -> int:
    """The number of the entrant of that name."""
    if name not in league.entrants:
        hint = _("there are: {bots}").format(bots=", ".join(league.entrants))
        raise TourneyError(ExitCode.NOT_FOUND, _("“{name}” is not in the league").format(name=name[:40]), hint)
    return league.entrants.index(name)


def _refuse_others(number: int, league: League, pair: tuple[int, int]) -> None:
    if pair[0] == pair[1]:
        message = _("{bot} cannot be compared with itself").format(bot=league.entrants[pair[0]])
        raise TourneyError(ExitCode.USAGE, message, _("name two"))
    if league.design not in COUPLES:
        message = _("in the games of league {number} not two bots alone sit together").format(number=number)
        raise TourneyError(ExitCode.REFUSED, message, _("begin a league of the design `pairs` or `replace`"))


def _blocks(reader: storage.Reader, number: int) -> Iterator[BlockOutcome]:
    from tourney.league.values import read_block

    return (read_block(text) for _block, text in reader.blocks(number).texts())


def _outcome(reader: storage.Reader, number: int, block: int) -> BlockOutcome:
    found = next((one for one in _blocks(reader, number) if one.number == block - 1), None)
    if found is None:
        message = _("block {block} of league {number} has not been played").format(block=block, number=number)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("see `tourney league status`"))
    return found


def _best(reader: storage.Reader, number: int, pair: tuple[int, int]) -> BlockOutcome:
    """The block in which the first of the pair did best beside the second."""
    best = max(_blocks(reader, number), key=lambda block: _gain(block, pair), default=None)
    if best is None:
        message = _("no block of league {number} has been played").format(number=number)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("go on with `tourney league resume`"))
    return best


def _gain(block: BlockOutcome, pair: tuple[int, int]) -> int:
    """By how many points the first was better than the second where they sat together; by how much money, if any."""
    gain = 0
    for game in block.games:
        if set(game.seating) == set(pair):
            worth = game.money or tuple(-points for points in game.points)
            gain += sum(one if entrant == pair[0] else -one for one, entrant in zip(worth, game.seating, strict=True))
    return gain


def _records(number: int, league: League, outcome: BlockOutcome) -> list[str]:
    """The records of the block, played again. Raises TourneyError REFUSED if it ends otherwise."""
    from tourney.league.playing import play_block
    from tourney.rulebook.rulesets import rules_of

    refuse_other_rules(number, league)
    again = play_block(replace(league, records="all"), rules_of(league.rules_ref), outcome.number)
    if again.outcome != outcome:
        message = _("block {block} of league {number} ends otherwise when it is played again")
        hint = _("its bots are another version; `--records all` keeps what they played")
        raise TourneyError(ExitCode.REFUSED, message.format(block=outcome.number + 1, number=number), hint)
    return [text for _game, text in again.records]


def _partings(records: Sequence[str], seated: Sequence[int]) -> Iterator[LeagueParting]:
    """The hands of two games of a pair that went different ways; `seated` says who of them sat where in the first."""
    from tourney.league.divergence import partings_of_texts

    for part in partings_of_texts(*records):
        first = seated[part.seat]
        points = part.points[first][part.seat], part.points[1 - first][part.seat]
        acts = part.acts[first], part.acts[1 - first]
        yield LeagueParting(part.hand, part.contract, part.step, part.seat + 1, *acts, *points)
