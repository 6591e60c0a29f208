"""Built-in bots as entrants: under a name of their own, they are seated as those from outside."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.actions import Action, Answer
from engine.bots import BOTS, canonical_bot, make_bot
from engine.bots import Bot as EngineBot
from engine.bots.parameters import split_bot
from engine.errors import EngineError
from engine.games.knock_game import Offer
from engine.hand import Legal
from engine.rules import Rules
from engine.scoring import GameResult, HandResult
from engine.view import View
from tourney.bots.entrant import NewSeat, Sit
from tourney.bots.events import TableEvents
from tourney.bots.files.own_files import OwnFile
from tourney.bots.isolation.levels import TRUSTED, Level
from tourney.bots.python_class import declared, parameters_hint
from tourney.bots.seated import SeatedBot
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import OutsideBot
from tourney.rulebook.engine_sentences import translated
from tourney.text.i18n import _
from tourney.text.similar import similar


class BuiltInSeat:
    """A built-in bot at its seat; it decides by views alone, and need not be told anything."""

    def __init__(self, bot: EngineBot) -> None:
        self._bot = bot
        self.asked = 0
        self.fuel: Sequence[int] = ()

    def hand_begins(self, view: View, table: TableEvents) -> None:
        """Do nothing."""

    def hear(self, view: View) -> None:
        """Do nothing."""

    def choose(self, view: View, legal: Legal) -> Action:
        """Return the bot's action."""
        self.asked += 1
        return self._bot.choose(view, legal)

    def answer(self, offer: Offer) -> Answer:
        """Return whether the bot buys."""
        self.asked += 1
        return self._bot.answer(offer)

    def hand_ends(self, result: HandResult) -> None:
        """Do nothing."""

    def game_ends(self, result: GameResult) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class BuiltInEntrant:
    """A built-in bot with its parameters, as text."""

    text: str

    def check(self, rules: Rules, seats: int) -> None:
        """Accept everything: built-in bots play all rules."""

    def block(self) -> Sit:
        """Return what makes a bot for each seat of each game."""
        return self.seat

    def seat(self, seating: NewSeat) -> SeatedBot:
        """Return a new bot at its seat."""
        return BuiltInSeat(make_bot(self.text, seating.seed))


class BuiltIn:
    """The kind of entrants that are built in: every text that no other kind recognises."""

    levels: tuple[Level, ...] = (TRUSTED,)

    def recognises(self, text: str) -> bool:
        """Return whether the text is no other kind's."""
        return True

    def canonical(self, text: str, folder: Path, files: Sequence[Path] = (), level: Level = TRUSTED) -> str:
        """Return the bot's name with those of its parameters that are not the defaults."""
        name = split_bot(text)[0]
        if name not in BOTS:
            raise TourneyError(ExitCode.NOT_FOUND, _("there is no bot “{kind}”").format(kind=name[:40]), _known(name))
        try:
            return canonical_bot(text)
        except EngineError as error:
            message = _("{bot}: {problem}").format(bot=name, problem=translated(error))
            raise TourneyError(ExitCode.USAGE, message, parameters_hint(name)) from None

    def files(self, text: str, folder: Path) -> tuple[OwnFile, ...]:
        """Return no file."""
        return ()

    def walled(self, bot: OutsideBot, level: Level) -> None:
        """Return nothing: a built-in bot has no wall."""

    def read(self, bot: OutsideBot, level: Level) -> BuiltInEntrant:
        """Return the bot."""
        return BuiltInEntrant(self.canonical(bot.entrant, Path(bot.folder)))


BUILT_IN = BuiltIn()


def has_built_in_name(text: str) -> bool:
    """Return whether a text begins with the name of a built-in bot."""
    return split_bot(text)[0] in BOTS


def is_built_in(text: str) -> bool:
    """Return whether a text is a built-in bot as leagues write it. Raises TourneyError for wrong parameters."""
    return has_built_in_name(text) and canonical_bot(text) == text


def _known(name: str) -> str:
    """Return the bots that there are, after one with a similar name."""
    if name.endswith(".py"):
        return _("name its class too, as in {file}:Mine").format(file=name)
    names = [*BOTS, *declared()]
    hint = _("there are: {bots}").format(bots=", ".join(names))
    near = similar(name, names)
    return _("did you mean {near}? Otherwise {hint}").format(near=near[0], hint=hint) if near else hint
