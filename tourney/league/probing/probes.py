"""All probes of a bot, in their order, whole games of it, and the check that runs them within a minute."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Final, TypeVar

from engine.actions import DECLINE, Action, Answer
from engine.bots import Bot, make_bot
from engine.games.contract_game import ContractGame
from engine.games.knock_game import KnockGame, Offer
from engine.hand import Legal
from engine.play import answer_offers, play_hand
from engine.rules import Rules, load_rules
from engine.seeds import hash_seed
from engine.view import View
from tourney.bots.entrant import Entrant, NewSeat
from tourney.bots.events import TableEvents
from tourney.bots.faults import SLOW, STALLED, BotFault, IllegalChoice
from tourney.bots.process import end_leaving
from tourney.bots.program import Program
from tourney.bots.seated import SeatedBot, TurnLimit
from tourney.domain.errors import TourneyError
from tourney.domain.league_tables import ProbeResult, ProbeVerdict, Remark
from tourney.league.playing import fallback_action
from tourney.league.probing.probe import (
    SEED,
    Probe,
    ProbeFinding,
    Subject,
    ask,
    failed,
    fault_remark,
    noted,
    remark,
    skipped,
)
from tourney.league.probing.program_probes import GREETING, PROGRAM_PROBES
from tourney.league.probing.situations import SITUATIONS, STAKE, Actions, Situation, position_of
from tourney.league.time_limits import OutOfTime, ThinkingClock, thinking_clock
from tourney.text.i18n import marked
from tourney.text.numbers import Number
from tourney.text.progress import Progress, no_progress
from tourney.text.signals import is_from_person

PROBED: Final = ""
"""A seat of the bot that is probed."""

Decision = TypeVar("Decision")


@dataclass(slots=True)
class ProbedGame:
    """The play of a bot in a game: the hands that were finished, its questions, longest answer, actions and faults."""

    hands: int = 0
    asked: int = 0
    slowest: float = 0.0
    actions: list[str] = field(default_factory=list)
    faults: list[Remark] = field(default_factory=list)
    is_whole: bool = False


class _Watched:
    """A bot whose answers are timed and judged, and for whose faults the fallback acts."""

    def __init__(self, bot: SeatedBot, played: ProbedGame, clock: ThinkingClock, until: float) -> None:
        self.bot, self._turns, self._played, self._clock, self._until = bot, TurnLimit(bot), played, clock, until
        self._is_out = False

    def choose(self, view: View, legal: Legal) -> Action:
        """Return the bot's action, or that of the fallback."""
        action = self._timed(lambda: self._judged(view, legal)) or fallback_action(legal)
        self._played.actions.append(str(action))
        return action

    def _judged(self, view: View, legal: Legal) -> Action:
        action = self._turns.choose(view, legal)
        refused = legal.why_not(action)
        if refused is not None:
            raise IllegalChoice(str(action), refused)
        return action

    def answer(self, offer: Offer) -> Answer:
        """Return the bot's answer, or that of the fallback."""
        return self._timed(lambda: self.bot.answer(offer)) or DECLINE

    def tell(self, about: Callable[[SeatedBot], None]) -> None:
        """Tell the bot what it need not answer."""
        self._timed(lambda: about(self.bot))

    def _timed(self, decide: Callable[[], Decision]) -> Decision | None:
        """Return the decision; None for a fault, for a bot that had one without an end, and when the time is over."""
        if self._is_out or monotonic() > self._until:
            return None
        before, started = self.bot.asked, monotonic()
        try:
            with self._clock.thinking():
                return decide()
        except BaseException as error:
            if is_from_person(error):
                raise
            self._is_out = isinstance(error, OutOfTime)
            self._played.faults.append(fault_remark(error))
            return None
        finally:
            self._played.asked += self.bot.asked - before
            if before:  # the first question waits for the program's start
                self._played.slowest = max(self._played.slowest, monotonic() - started)


def play(
    entrant: Entrant, bots: Sequence[str], rules: str, seed: str, clock: ThinkingClock, until: float = float("inf")
) -> ProbedGame:
    """Play a game in which the bot has the seats that are PROBED; after the time `until` it is asked no more."""
    ref, played = load_rules(rules), ProbedGame()
    watched = dict(_watched(entrant, bots, ref, played, clock, until))
    game = ContractGame(ref, len(bots), seed) if ref.kind == "contract" else KnockGame(ref, len(bots), seed, STAKE)
    seats: list[Bot] = [
        watched[seat] if name == PROBED else make_bot(name, hash_seed(f"{seed}/bot/{seat}"))
        for seat, name in enumerate(bots)
    ]
    try:
        while not game.over and monotonic() < until:
            _play_next_hand(game, seats, watched)
            played.hands += 1
        if game.over:
            played.is_whole, result = monotonic() < until, game.result()
            for one in watched.values():
                one.tell(lambda bot: bot.game_ends(result))
    finally:
        for one in watched.values():
            one.bot.close()
    return played


def _watched(
    entrant: Entrant, bots: Sequence[str], rules: Rules, played: ProbedGame, clock: ThinkingClock, until: float
) -> list[tuple[int, _Watched]]:
    """Return the seats of the probed bot."""
    sit, stake = entrant.block(), STAKE if rules.kind == "knock" else 0
    seatings = [NewSeat(rules, len(bots), seat, f"{SEED}{seat}", stake) for seat in range(len(bots))]
    return [(one.seat, _Watched(sit(one), played, clock, until)) for one in seatings if bots[one.seat] == PROBED]


def _play_next_hand(game: ContractGame | KnockGame, seats: Sequence[Bot], watched: Mapping[int, _Watched]) -> None:
    hand, actions = game.next_hand(), Actions()
    table = TableEvents(hand.view(0), actions)
    for seat, one in watched.items():
        one.bot.hand_begins(hand.view(seat), table)
    result = play_hand(hand, seats, actions)
    game.add_result(result)
    for one in watched.values():
        one.tell(lambda bot: bot.hand_ends(result))
    if isinstance(game, KnockGame):
        answer_offers(game, seats, actions)


MOST_SECONDS: Final = 50.0
"""The time after which no probe is begun."""
BANK_SECONDS: Final = 3.0
"""The bank of a program that is probed: with the one of a game a single question could use up all the time."""
PATIENCE: Final = 5.0
"""The seconds that a bot in Python has for a decision."""
MOST_UNANSWERED: Final = 3
"""The most probes without an answer; one more would find what these have found."""
ASKED_OFTEN: Final = 40
"""The questions a hand up to which a league with programs is quick."""


def check(
    entrant: Entrant, progress: Progress = no_progress, only: Sequence[str] = ()
) -> tuple[tuple[ProbeResult, ...], int]:
    """Return what the probes find, all of them or those of the names `only`, within a minute; and how many are left.

    A program that does not answer the greeting is probed no further.

    Raises whatever loading the rules raises; a bot's own errors are findings.
    """
    program = isinstance(entrant, Program)
    patience = PATIENCE
    if isinstance(entrant, Program):
        limits = replace(entrant.limits, bank=min(entrant.limits.bank, BANK_SECONDS))
        entrant = replace(entrant, limits=limits)
        patience = limits.start + limits.action + limits.bank
    probes = [probe for probe in _probes(program) if not only or probe.name in only or probe is GREETING]
    results: list[ProbeResult] = []
    try:
        with thinking_clock(patience) as clock:
            subject = Subject(entrant, clock, monotonic() + MOST_SECONDS)
            for done, probe in enumerate(probes):
                results.append(_result(subject, probe))
                progress(done + 1, len(probes))
                if probe is GREETING and subject.hello is None:
                    break
    finally:
        end_leaving(at_once=True)
    return tuple(results), len(probes) - len(results)


def _probes(program: bool) -> Iterator[Probe]:
    if program:
        yield GREETING
        yield from PROGRAM_PROBES
    for situation in SITUATIONS:
        yield Probe(situation.name, situation.about, partial(_situation, situation))
    yield from GAMES


def _result(subject: Subject, probe: Probe) -> ProbeResult:
    """Return what the probe finds."""
    verdict: ProbeVerdict = "passed"
    try:
        _check_time(subject)
        detail = probe.run(subject)
    except TourneyError:
        raise
    except ProbeFinding as finding:
        verdict, detail = finding.verdict, finding.detail
    except BaseException as error:
        if is_from_person(error):
            raise
        verdict, detail = "failed", fault_remark(error)
        is_late = isinstance(error, BotFault) and error.kind in (SLOW, STALLED)
        subject.unanswered += is_late or isinstance(error, OutOfTime)
    return ProbeResult(probe.name, probe.about, verdict, detail)


def _check_time(subject: Subject) -> None:
    """Raise a Finding if there is no time left, or no hope."""
    if subject.unanswered >= MOST_UNANSWERED:
        raise skipped(marked("it has failed to answer {n} times"), n=subject.unanswered)
    subject.check_time()


# --- probes for all bots ------------------------------------------------------------------------------------


def _situation(situation: Situation, subject: Subject) -> Remark:
    """Return the action that the bot chooses."""
    position = position_of(situation)
    subject.skip_unless_plays(position.rules, position.players)
    with subject.clock.thinking():
        asked = ask(subject.entrant, position)
    if asked.action is None:
        return remark(marked("not asked: its filters answer"))
    return remark("{action}", action=str(asked.action))


def _game(bots: tuple[str, ...], rules: str, subject: Subject) -> Remark:
    """Return how the bot plays a whole game."""
    subject.skip_unless_plays(load_rules(rules), len(bots))
    played = play(subject.entrant, bots, rules, "1", subject.clock, subject.until)
    if played.faults:
        raise failed(marked("faults: {n}; the first: {fault}"), n=len(played.faults), fault=played.faults[0])
    a_hand = played.asked / max(1, played.hands * bots.count(PROBED))
    often = isinstance(subject.entrant, Program) and a_hand > ASKED_OFTEN
    values = {
        "hands": played.hands,
        "asked": Number(round(a_hand, 1)),
        "seconds": Number(round(played.slowest, 3)),
    }
    if not played.is_whole:
        raise noted(marked("no time is left for the whole game; hands: {hands}"), **values)
    if often:
        raise noted(marked("questions a hand: {asked}; with `claims` and `takes` it is asked less"), **values)
    return remark(marked("hands: {hands}; questions a hand: {asked}; the slowest answer: {seconds} s"), **values)


def _same_game(subject: Subject) -> Remark:
    """Return whether two games with one seed are the same."""
    bots = (PROBED, "greedy")
    subject.skip_unless_plays(load_rules("oficial"), len(bots))
    first, second = (play(subject.entrant, bots, "oficial", "2", subject.clock, subject.until) for _time in range(2))
    if first.is_whole and second.is_whole and first.actions != second.actions:
        raise noted(marked("two games with the same seed differ: on another machine a league will have another hash"))
    return Remark()


GAMES: Final = (
    Probe("game-of-two", marked("a game of two"), partial(_game, (PROBED, "greedy"), "oficial")),
    Probe("game-of-four", marked("a game of four"), partial(_game, ("random", PROBED, "greedy", "greedy"), "oficial")),
    Probe("both-seats", marked("a game against itself"), partial(_game, (PROBED, PROBED), "oficial")),
    Probe(
        "knock-game", marked("a game of three in the knock game"), partial(_game, ("greedy", "random", PROBED), "knock")
    ),
    Probe("same-game", marked("the same seed gives the same game"), _same_game),
)
"""Whole games, the last of the probes: they take the longest."""
