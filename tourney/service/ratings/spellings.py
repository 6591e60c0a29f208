"""Spellings of names in results files, and what differs between the games of a source and those it replaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final

from tourney import storage
from tourney.domain.errors import TourneyError
from tourney.domain.pools import SourceChanges
from tourney.files.named import refusal, shown
from tourney.text.i18n import _
from tourney.text.names import clean, fold

if TYPE_CHECKING:
    from os import PathLike

    from tourney.files.results import FileGame

Comparable = tuple[tuple[str, ...], tuple[int, ...], str, str]
"""A game as two versions of a source are compared: players, places, day and name."""


MOST_NAMES: Final = 200_000
"""The most names of a source: each takes some 1,500 bytes until its games are rated."""


class Spellings:
    """The first spelling of each name: names that differ only in case, accents or spaces are one player's.

    Names that are `known` keep their spelling, and so do those of `aliases`, which gives the player for each other
    name.
    """

    def __init__(self, known: Iterable[str], aliases: Mapping[str, str]) -> None:
        self._kept = {name: name for name in chain(known, *aliases.items())}
        self._first: dict[str, str] = {}
        for name in self._kept:
            self._first.setdefault(fold(name), name)
        self._aliases = aliases
        self._rated: set[str] = set()

    @property
    def players(self) -> int:
        """Return the number of players of the games so far, names of one player counted once."""
        return len(self._rated)

    @property
    def others(self) -> tuple[tuple[str, str], ...]:
        """Return the names that were taken for another spelling, each with the spelling that is kept."""
        return tuple((name, kept) for name, kept in self._kept.items() if name != kept)

    def games(self, path: str | PathLike[str], games: Iterable[FileGame]) -> Iterator[FileGame]:
        """Yield the games with the spellings that are kept.

        Raises TourneyError REFUSED, with file and line, for a game with two names of one player, and for a name that
        no player can have: too long, or with invisible characters.
        """
        kept, seen = self._kept, self._rated
        for game in games:
            players = tuple([kept.get(name) or self._keep(path, game, name) for name in game.players])
            # The file has no player twice under one spelling.
            if players != game.players or self._aliases:
                rated = [self._aliases.get(name, name) for name in players]
                if len(set(rated)) < len(rated):
                    raise _twice(path, game, rated)
                seen.update(rated)
                yield game._replace(players=players)
            else:
                seen.update(players)
                yield game

    def _keep(self, path: str | PathLike[str], game: FileGame, name: str) -> str:
        try:
            cleaned = clean(name, _("name"))
        except TourneyError as error:
            raise refusal(path, game.lines[game.players.index(name)], error.message, error.hint) from None
        if len(self._kept) >= MOST_NAMES:
            message = _("the pool would have more than {most} names").format(most=MOST_NAMES)
            raise refusal(path, game.lines[0], message, _("check that the column of players has names"))
        kept = self._kept[name] = self._first.setdefault(fold(name), cleaned)
        return kept


def _twice(path: str | PathLike[str], game: FileGame, rated: Sequence[str]) -> Exception:
    place = next(place for place, name in enumerate(rated) if name in rated[:place])
    names = game.players[rated.index(rated[place])], game.players[place]
    message = _("'{one}' and '{other}' are one player, who appears twice in game {game}").format(
        one=shown(names[0]), other=shown(names[1]), game=shown(game.seq)
    )
    hint = _("write two players so that they differ in more than case, accents or spaces, or remove one of the rows")
    if fold(names[0]) != fold(names[1]):
        hint = _("if they are two players, separate them with `tourney rating alias remove`; otherwise remove a row")
    return refusal(path, game.lines[place], message, hint)


def comparable(history: storage.History, batches: Iterable[storage.GameBatch]) -> list[Comparable]:
    """Return the games of these batches for comparison."""
    return [
        (tuple(players), tuple(places), history.day(batch, number), history.name(batch, number))
        for batch in batches
        for number, (players, places) in history.numbered(batch)
    ]


def changes(before: Sequence[Comparable], after: Sequence[Comparable]) -> SourceChanges:
    """Return how the games of a source differ from those before; equal games count as often as they are there."""
    old, new = Counter(before), Counter(after)
    same = (old & new).total()
    names, others = (dict.fromkeys(name for game in games for name in game[0]) for games in (before, after))
    return SourceChanges(
        same,
        len(after) - same,
        len(before) - same,
        tuple(name for name in others if name not in names),
        tuple(name for name in names if name not in others),
    )
