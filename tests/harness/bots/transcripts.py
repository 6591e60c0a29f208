"""Golden transcripts of the protocol: whole conversations between the referee and a program, in many situations.

`python -m tests.harness.bots.transcripts` writes `fixtures/protocol/` again; read what changed. In a transcript `>` are
the referee's lines, `<` the program's, and `!` says what the program did instead of answering.
"""

import runpy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.actions import Action, Answer, Decline
from engine.bots import Bot, make_bot
from engine.deal import deal
from engine.games.contract_game import game_result
from engine.games.knock_game import KnockGame, Offer
from engine.hand import Hand, Legal
from engine.rules import Rules, load_rules
from engine.scoring import GameResult, HandResult
from engine.state import Phase
from engine.view import View
from tourney.bots.events import TableEvents
from tourney.bots.faults import DIED, SLOW, UNREADABLE, BotFault
from tourney.bots.limits import Limits
from tourney.bots.protocol import words
from tourney.bots.protocol.dialect import WORDS
from tourney.bots.protocol.session import Failures, Session
from tourney.league.playing import fallback_action

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "fixtures" / "protocol"
STARTERS = ROOT / "tourney" / "bots" / "starters"
PROGRAM = "program"
"""The seat of the program whose conversation is written down."""
STARTER_HELLO = ("hello 1 NAME 0.1", "claims none", "takes none", "ready")
OTHER_HELLO = ("hello 1 other", "ready")
LATE, DEAD, LONG = "! no answer in time", "! ended with exit code 1", "! more than 4096 bytes"
SAID_INSTEAD = {
    LATE: BotFault(SLOW, ""),
    DEAD: BotFault(DIED, "ended with exit code 1"),
    LONG: BotFault(UNREADABLE, "an answer of more than 4096 bytes"),
}

Answering = Callable[[View | None, Sequence[str]], Sequence[str]]
"""Returns a program's lines, its answer last, from its view and the listed actions."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A conversation: who sits at the table, the deal, and how the program answers.

    `answers` is a bot's name, or `starter` for the program that `bot new` writes. `said` are lines that take the place
    of its first answers. The transcript has the expression `shows`.
    """

    name: str
    about: str
    shows: str
    answers: str = "starter"
    rules: str = "oficial"
    seats: tuple[str, ...] = ("greedy", PROGRAM, "random", "greedy")
    seed: str = "1"
    hands: tuple[int, ...] = (1,)
    hello: tuple[str, ...] = OTHER_HELLO
    said: tuple[tuple[str, ...], ...] = ()

    @property
    def by_starter(self) -> bool:
        """Return whether every answer is the starter's."""
        return self.answers == "starter" and not self.said

    @property
    def path(self) -> Path:
        """Return the file of the transcript."""
        return FOLDER / f"{self.name}.txt"


_GREEDY: Final = ("greedy", PROGRAM, "greedy")
_HEADS_UP: Final = ("planner", PROGRAM)
_KNOCK: Final = ("greedy", PROGRAM, "greedy", "greedy")
_RANDOM: Final = ("random", PROGRAM, "random", "random")
SITUATIONS: Final = (
    Situation("01-starter", "A hand that the starter plays: it is asked only after its draws.", r"got"),
    Situation("02-two-hands", "Two hands: filters, totals, the end.", r"hand 2 TE", hands=(1, 2), seed="2"),
    Situation(
        "03-asked-everything", "A program without filters is asked for draws and claims.", r"ask claim", "greedy"
    ),
    Situation("04-claim", "A claim, with its penalty card.", r"see 2 claim\n> got", "planner", seed="2"),
    Situation("05-off", "A lay-down, and cards laid off.", r"see 2 down(.|\n)*see 2 off", "greedy", seed="20"),
    Situation(
        "06-low", "A card at the low end.", r"see 2 off .. 1 low", "random", seats=_GREEDY, seed="19", hands=(3,)
    ),
    Situation(
        "07-swap", "A card takes a joker's place.", r"see 2 swap", "random", seats=_GREEDY, seed="15", hands=(2,)
    ),
    Situation("08-move", "A joker moves.", r"see 2 move", "random", seats=_GREEDY, seed="18", hands=(3,)),
    Situation("09-back", "A lay-down is taken back.", r"see 2 back", "random", seats=_GREEDY, seed="14"),
    Situation("10-shuffled", "The discards become the stock.", r"shuffled", seats=_RANDOM, seed="10", hands=(7,)),
    Situation("11-dead-hand", "Nobody closes the hand.", r"closer none", seats=_RANDOM, seed="3", hands=(7,)),
    Situation("12-close", "All cards are laid.", r"see 2 close\n", "planner", seats=_HEADS_UP, seed="16"),
    Situation(
        "13-close-holding", "A few points held.", r"see 2 close .", "planner", "oficial+close5", _HEADS_UP, "20", (2,)
    ),
    Situation("14-red-twos", "Red twos are wild.", r"see 2 down.*2.\*", "planner", "oficial+red-twos", _HEADS_UP, "3"),
    Situation(
        "15-penalty-stock",
        "Six at a table, two stocks.",
        r"active 1 2 3 4 5 6",
        "planner",
        "fournier",
        (PROGRAM, *["planner"] * 5),
    ),
    Situation("16-two-players", "Two at a table; the starter deals.", r"dealer 1 turn 2", seats=(PROGRAM, "greedy")),
    Situation("17-knock", "The starter knocks.", r"closer 2 ending knock", "starter", "knock", _KNOCK, "4"),
    Situation("18-rummy", "Ten cards declared.", r"see 2 (rummy|color)", "greedy", "knock", _KNOCK, "23"),
    Situation("19-buy", "Points bought off.", r"see 2 buy", "greedy", "knock", _GREEDY, "1", (1, 2, 3, 4)),
    Situation("20-decline", "An offer declined.", r"ask offer", "starter", "knock", _KNOCK, "4", (1, 2, 3, 4)),
    Situation("21-text", "Answers as text, with blanks round them.", r"<   discard", "text"),
    Situation(
        "22-filters", "Filters that change with every answer.", r"< claims (.|\n)*< claims", "filters", hands=(4,)
    ),
    Situation("23-illegal", "A card not held, a number not listed.", r"fault illegal", said=(("discard Jk",), ("99",))),
    Situation(
        "24-unreadable", "No action, and an empty line.", r"fault unreadable", said=(("seven of hearts",), ("",))
    ),
    Situation("25-too-long", "An answer that is too long.", r"fault unreadable", said=((LONG,),)),
    Situation("26-slow", "The late answer is thrown away.", r"fault slow", said=((LATE,), ("1", "1"))),
    Situation("27-stalled", "Two questions without an answer.", r"(tourney 1(.|\n)*){2}", said=((LATE,), (LATE,))),
    Situation("28-died", "The program is started anew.", r"(tourney 1(.|\n)*){2}", said=(("1",), ("1",), (DEAD,))),
    Situation("29-out-of-starts", "It ends again and again.", r"(tourney 1(.|\n)*){4}", said=((DEAD,),) * 4),
    Situation("30-bad-filter", "A filter that cannot be read.", r"fault unreadable", said=(("claims 7x", "1"),)),
)


class Transcript:
    """A program that is not there: what it would hear is written down, what it says comes from a situation."""

    def __init__(self, situation: Situation) -> None:
        self.lines: list[str] = []
        self._hello = situation.hello if situation.answers != "starter" else STARTER_HELLO
        self._greeting: list[str] = []
        self.saying: list[str] = []

    def start(self) -> "Transcript":
        """Start the program, again and again the same."""
        self._greeting = list(self._hello)
        return self

    def send(self, text: str, deadline: float) -> None:
        """Write down what the program hears."""
        self.lines += [f"> {line}" for line in text.splitlines()]

    def receive(self, deadline: float) -> str:
        """Return what the program says next, or raise what becomes of it."""
        line = (self._greeting or self.saying).pop(0)
        if line in SAID_INSTEAD:
            self.lines.append(line)
            fault = SAID_INSTEAD[line]
            raise BotFault(fault.kind, str(fault))
        self.lines.append(f"< {line}")
        return line

    def leave(self, farewell: str) -> None:
        """Write down the farewell."""
        self.send(farewell, 0.0)

    def kill(self) -> None:
        """Do nothing: the next start is said by the greeting."""


class _Player:
    """Gives the program its lines before each question, from the situation or from the bot that answers for it."""

    def __init__(self, situation: Situation, rules: Rules) -> None:
        self._said = list(situation.said)
        self._kind = situation.answers
        bot = self._kind if self._kind in ("random", "greedy", "planner") else "greedy"
        self._bot: Bot = make_bot(bot, f"{situation.seed}/program")
        self._starter = runpy.run_path(str(STARTERS / "bot.py"))["choose"]

    def lines(self, view: View, legal: Legal) -> list[str]:
        """Return what the program would say to a question."""
        if self._said and not (self._kind == "starter" and view.phase is not Phase.PLAY):
            return list(self._said.pop(0))
        listed = words.listed(legal)
        texts = [words.action_text(action) for action in listed]
        if self._kind == "starter":
            return [str(self._starter(texts))]
        action = self._bot.choose(view, legal)
        if self._kind == "text":
            text = str(action)
            return [f"  {text} "]
        filters = []
        if self._kind == "filters":
            held = " ".join(words.card_text(face) for face in view.hand.distinct()[:3])
            filters = [f"claims {held}", "takes none" if view.number % 2 else f"takes {held}"]
        return [*filters, str(texts.index(str(action)) + 1) if str(action) in texts else str(action)]

    def offered(self, offer: Offer) -> list[str]:
        """Return what the program would say to an offer."""
        return ["2" if self._kind == "starter" or isinstance(self._bot.answer(offer), Decline) else "buy"]


def transcript(situation: Situation) -> str:
    """Return the whole conversation as text."""
    rules = load_rules(situation.rules)
    program = Transcript(situation)
    at = situation.seats.index(PROGRAM)
    stake = 100 if rules.kind == "knock" else 0
    game = WORDS.game(rules, len(situation.seats), at, "8f3c52ab91", stake)
    session = Session(program.start, Limits(), Failures(), rules, game)
    table = _Table(situation, rules, session, program)
    session.game_ends(table.play())
    return "\n".join([f"# {situation.about}", *program.lines]) + "\n"


class _Table:
    def __init__(self, situation: Situation, rules: Rules, session: Session, program: Transcript) -> None:
        self._situation, self._rules, self._session, self._program = situation, rules, session, program
        self._at = situation.seats.index(PROGRAM)
        self._player = _Player(situation, rules)
        self._others = [make_bot(name if name != PROGRAM else "greedy", name) for name in situation.seats]

    def play(self) -> GameResult:
        """Play the hands of the situation."""
        situation, rules, players = self._situation, self._rules, len(self._situation.seats)
        if rules.kind == "knock":
            return self._play_knock(KnockGame(rules, players, situation.seed, 100))
        results = [
            self._play(Hand(rules, deal(rules, players, situation.seed, number)), []) for number in situation.hands
        ]
        return game_result(rules, players, results)

    def _play_knock(self, game: KnockGame) -> GameResult:
        for _hand in self._situation.hands:
            if not game.over:
                actions: list[tuple[int, Action | Answer]] = []
                game.add_result(self._play(game.next_hand(), actions))
                while game.offer is not None:
                    seat, offer = game.offer.seat, game.offer
                    answer = self._answer(offer) if seat == self._at else self._others[seat].answer(offer)
                    game.answer(answer)
                    actions.append((seat, answer))
        if not game.over:
            game.stop()
        return game.result()

    def _answer(self, offer: Offer) -> Answer:
        self._program.saying = self._player.offered(offer)
        return self._session.answer(offer)

    def _play(self, hand: Hand, actions: list[tuple[int, Action | Answer]]) -> HandResult:
        self._session.hand_begins(hand.view(self._at), TableEvents(hand.view(self._at), actions))
        while not hand.over:
            seat = hand.actor
            action = self._decide(hand) if seat == self._at else self._others[seat].choose(hand.view(seat), hand.legal)
            hand.apply(action)
            actions.append((seat, action))
        assert hand.result is not None
        self._session.hand_ends(hand.result)
        return hand.result

    def _decide(self, hand: Hand) -> Action:
        """Let the program decide; what it would have said is forgotten where its filters answer for it."""
        view = hand.view(self._at)
        self._program.saying = self._player.lines(view, hand.legal)
        try:
            return self._session.choose(view, hand.legal)
        except BotFault:
            return fallback_action(hand.legal)


def main() -> None:
    """Write all transcripts."""
    FOLDER.mkdir(exist_ok=True)
    for situation in SITUATIONS:
        situation.path.write_text(transcript(situation), encoding="utf-8")


if __name__ == "__main__":
    main()
