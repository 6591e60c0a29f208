"""Names as people type them: found exactly, by number or by their beginning; similar ones are only suggested."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from itertools import takewhile
from typing import NoReturn

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.people import Player
from tourney.text.composed import composed
from tourney.text.i18n import _, either, fill
from tourney.text.names import fold
from tourney.text.ranges import listed
from tourney.text.similar import similar, similar_places

MOST_SUGGESTED = 3

_WORD = re.compile(r"[ (-]+")
"""The characters before a further word of a folded name, or before its label."""


class Names:
    """Names with their places, from 0, and what people may type for them.

    Text means the first of these that there is: the name exactly as stored; the name without accents and case, with its
    label or without; a number in `numbers`; the beginning of a name; the beginning of another word of a name.
    """

    def __init__(
        self, shown: Sequence[str], bare: Sequence[str] = (), numbers: Mapping[int, int] | None = None
    ) -> None:
        self._shown, self._bare_names, self._numbers = shown, bare or shown, numbers or {}
        self._exact = {name: place for place, name in enumerate(shown)}

    # Computed only on demand: most names are typed as they are stored, and folding many names takes long.
    @cached_property
    def _folded(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self._folded_names)}

    @cached_property
    def _folded_names(self) -> list[str]:
        return [fold(name) for name in self._shown]

    @cached_property
    def _bare(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        names = zip(self._bare_names, self._shown, self._folded_names, strict=True)
        for place, (bare, shown, folded) in enumerate(names):
            found[folded if bare == shown else fold(bare)].append(place)
        return found

    @cached_property
    def _beginnings(self) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
        """The folded names, and their ends from each further word, sorted, with their places."""
        names = sorted(self._folded.items())
        return names, sorted((name[at.end() :], place) for name, place in names for at in _WORD.finditer(name))

    @cached_property
    def _spellings(self) -> tuple[list[str], list[int]]:
        """The names and their words, each with a place, for the search of similar ones."""
        spellings: dict[str, int] = {}
        for name, place in self._folded.items():
            spellings.setdefault(name, place)
            for word in name.split():
                spellings.setdefault(word, place)
        return list(spellings), list(spellings.values())

    def exact(self, text: str) -> Sequence[int]:
        """Return the places of the names that are this text, accents and case aside; several if only labels differ."""
        tidy, folded = tidied(text), fold(text)
        if tidy in self._exact:
            return [self._exact[tidy]]
        several = self._bare.get(folded, [])
        if len(several) > 1 or folded not in self._folded:
            return several
        return [self._folded[folded]]

    def meant(self, text: str) -> Sequence[int]:
        """Return the places that the text means; several if it is ambiguous, none if it is unknown."""
        if _in_full.get():
            return self.exact(text)
        return self.exact(text) or self.numbered(text) or self._begun(fold(text))

    def place(self, text: str) -> int | None:
        """Return the place of the name, with its label, that is this text, accents and case aside."""
        return self._folded.get(fold(text))

    def similar(self, text: str) -> Sequence[int]:
        """Return the places of names that a misspelt text may mean, the most similar first."""
        names, places = self._spellings
        found = similar_places(fold(text), names, MOST_SUGGESTED)
        return list(dict.fromkeys(places[at] for at in found))

    def numbered(self, text: str) -> Sequence[int]:
        """Return the place of the name that has this number; none if no name has."""
        number = text.strip()
        place = self._numbers.get(int(number)) if number.isdecimal() and len(number) < 10 else None
        return [] if place is None else [place]

    def _begun(self, text: str) -> Sequence[int]:
        found = (_starting_with(text, names) for names in self._beginnings) if text else iter(())
        return next(filter(None, found), [])


_in_full: ContextVar[bool] = ContextVar("in_full", default=False)


@contextmanager
def names_in_full() -> Iterator[None]:
    """Let texts mean only the names that they are in full during the block: a page has written them, not a person."""
    before = _in_full.set(True)
    try:
        yield
    finally:
        _in_full.reset(before)


def tidied(text: str) -> str:
    """Return the text composed (NFC) and with single blanks, as names are stored."""
    return composed(" ".join(text.split()))


def _starting_with(text: str, names: Sequence[tuple[str, int]]) -> list[int]:
    """Return the places of the sorted names that begin with the text."""
    following = (names[at] for at in range(bisect_left(names, (text, -1)), len(names)))
    begun = takewhile(lambda name: name[0].startswith(text), following)
    return list(dict.fromkeys(place for _name, place in begun))


class UnknownName(TourneyError):
    """A typed name that means nobody, or may mean several; `candidates` are the names that are meant or similar."""

    def __init__(self, name: str, message: str, hint: str, candidates: Sequence[str]) -> None:
        super().__init__(ExitCode.NOT_FOUND, message, hint)
        self.name, self.candidates = name, tuple(candidates)


class Directory:
    """Players by the names that people type, as `Names` says, and by the numbers that a `command` lists.

    If several players have a name, the one without a label is found only by the name exactly as it is stored: `Ana` is
    Ana, but `ana` may also be Ana (Getxo).
    """

    def __init__(
        self, players: Iterable[Player], numbers: Mapping[int, Player] | None = None, command: str = ""
    ) -> None:
        self._players, self._command = tuple(players), command
        places = {player.id: place for place, player in enumerate(self._players)} if numbers else {}
        numbered = {number: places[player.id] for number, player in (numbers or {}).items()}
        shown = [player.shown for player in self._players]
        self._names = Names(shown, [player.name for player in self._players], numbered)

    @classmethod
    def registered(cls, players: Iterable[Player]) -> Directory:
        """Return the directory of registered players with the numbers of `player list`."""
        everybody = tuple(players)
        return cls(everybody, {player.id: player for player in everybody}, "tourney player list")

    def known(self, name: str) -> Player | None:
        """Return the player with this name and label, accents and case aside."""
        place = self._names.place(name)
        return None if place is None else self._players[place]

    def has_number(self, text: str) -> bool:
        """Return whether the text is the number of a player, and nobody's name."""
        return bool(self._names.numbered(text)) and not self._names.exact(text)

    def is_name(self, name: str) -> bool:
        """Return whether somebody has this name, accents and case aside."""
        return bool(self._names.exact(name))

    def means(self, name: str) -> bool:
        """Return whether the name means somebody, or one of several."""
        return bool(self._names.meant(name))

    def find(self, name: str, hint: str) -> Player:
        """Return the player that `name` means. Raises UnknownName, with a hint, for none or several."""
        found = self._names.meant(name)
        return self._players[found[0]] if len(found) == 1 else self._refuse(name, hint, found)

    def find_exactly(self, name: str, hint: str) -> Player:
        """Return the player of this name; a number or a beginning is only suggested. Raises UnknownName."""
        found = self._names.exact(name)
        return self._players[found[0]] if len(found) == 1 else self._refuse(name, hint, found)

    def _refuse(self, name: str, hint: str, found: Sequence[int]) -> NoReturn:
        shown = tidied(name)[:80]
        if found:
            several = [self._players[place].shown for place in found]
            message = _("“{name}” may be {several}").format(name=shown, several=listed(several))
            raise UnknownName(shown, message, self._more(name), several)
        if self._command and name.strip().isdecimal() and not self._names.numbered(name):
            message = _("nobody is called “{name}” or has this number").format(name=shown)
            raise UnknownName(shown, message, _("see the numbers with `{command}`").format(command=self._command), ())
        near = self._names.meant(name) or self._names.similar(name)
        candidates = [self._players[place].shown for place in near]
        message = _("nobody is called “{name}”").format(name=shown)
        raise UnknownName(shown, message, with_suggestion(candidates, hint), candidates)

    def _more(self, name: str) -> str:
        """Return the hint for a name that several players have, or that begins several names."""
        if self._names.exact(name):
            return _("write the name with its label, or exactly as shown here")
        if not self._command:
            return _("write more of the name")
        return _("write more of the name, or its number from `{command}`").format(command=self._command)


def find_all(find: Callable[[str], Player], names: Iterable[str]) -> list[Player]:
    """Return the players that `find` returns for the names.

    Raises UnknownName, for several wrong names one that names them all in at most 500 characters.
    """
    found, wrong = [], []
    for name in names:
        try:
            found.append(find(name))
        except UnknownName as error:
            wrong.append(error)
    if len(wrong) == 1:
        raise wrong[0]
    if wrong:
        raise _together(wrong)
    return found


def _together(wrong: Sequence[UnknownName]) -> UnknownName:
    """Return one refusal of several names, each with the names that it may mean."""
    texts = []
    for error in wrong:
        near = either(error.candidates[:MOST_SUGGESTED]) if error.candidates else ""
        text = _("“{name}” ({near}?)") if near else _("“{name}”")
        texts.append(text.format(name=error.name[:40], near=near[:80]))
    message = _("{number} names mean nobody, or more than one: {names}").format(
        number=len(wrong), names=listed(texts, len(texts))
    )
    hint = wrong[-1].hint if not wrong[-1].candidates else _("write each name as a list shows it, or its number")
    return UnknownName(wrong[0].name, message, hint, wrong[0].candidates)


def near_miss(name: str, known: Iterable[str], hint: str, cutoff: float = 60) -> str:
    """Return the hint, preceded by the most similar known name if there is one (accents and case aside)."""
    return with_suggestion(similar(name, known, cutoff=cutoff), hint)


def with_suggestion(near: Sequence[str], hint: str) -> str:
    """Return the hint, preceded by a question for the names that may be meant, if there are any."""
    if not near:
        return hint
    names = either(near[:MOST_SUGGESTED]) if len(near) <= MOST_SUGGESTED else listed(near, MOST_SUGGESTED)
    return fill(_("did you mean {near}? Otherwise {hint}"), near=names, hint=hint)
