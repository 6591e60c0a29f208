"""Players of a pool by what people type, rated or not yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.people import Player, PlayerKind
from tourney.domain.rankings import Pool
from tourney.service.lookup import Directory
from tourney.service.ratings.rating_cache import folded
from tourney.service.ratings.ratings import find_pool, history_of
from tourney.text.i18n import _
from tourney.text.sanitize import quote_argument

if TYPE_CHECKING:
    from tourney.ratings.fold import Fold
    from tourney.ratings.model import Rating

MOST = 64
"""Players of one game."""


def contenders(reader: storage.Reader, pool: str, names: Sequence[str]) -> tuple[Pool, list[Rating]]:
    """The pool, and the ratings of these players of one game, by the names they are shown by; newcomers' too.

    Raises TourneyError NOT_FOUND for an unknown pool or player, USAGE for fewer than two players, more than MOST, or
    one named twice.
    """
    if not 2 <= len(names) <= MOST:
        message = _("a game has 2 to {most} players, not {number}").format(most=MOST, number=len(names))
        raise TourneyError(ExitCode.USAGE, message, _("name them all, one after the other"))
    number, found = find_pool(reader, pool)
    fold = folded(reader, found, history_of(reader, number, found)).fold
    keys = keys_of(reader, found, fold, names)
    return found, [replace(fold.rating(key, fold.day), player=shown) for key, shown in keys.items()]


def keys_of(reader: storage.Reader, pool: Pool, fold: Fold, names: Sequence[str]) -> dict[str, str]:
    """What the players of a pool are called in its history, each with the name he is shown by, in the order named.

    Whoever may play in the pool is known, rated or not. Raises TourneyError NOT_FOUND for others, USAGE for one who
    is named twice.
    """
    known = _known(reader, pool, fold)
    directory = Directory(known.values())
    ids = {player.id: key for key, player in known.items()}
    hint = _("see who is in it with `tourney ratings --pool {pool}`").format(pool=quote_argument(pool.name))
    keys: dict[str, str] = {}
    for name in names:
        player = directory.find(name, hint)
        if ids[player.id] in keys:
            message = _("{player} is named twice").format(player=player.shown)
            raise TourneyError(ExitCode.USAGE, message, _("name each player once"))
        keys[ids[player.id]] = player.shown
    return keys


def _known(reader: storage.Reader, pool: Pool, fold: Fold) -> Mapping[str, Player]:
    """Everybody who may play in the pool, by what he is called in its history."""
    if pool.kind == "imported":
        return {name: Player(number, name) for number, name in enumerate(fold.checkpoint().ratings)}
    kinds: dict[str, tuple[PlayerKind, ...]] = {"people": ("person",), "bots": ("bot",), "joint": ("person", "bot")}
    return {str(player.id): player for player in reader.players() if player.kind in kinds[pool.kind]}
