"""All probes of a bot, in their order, and the check that runs them within a minute."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Final

from engine.rules import load_rules
from tourney.bots.entrant import Entrant
from tourney.bots.faults import SLOW, STALLED, BotFault
from tourney.bots.process import end_leaving
from tourney.bots.program import Program
from tourney.domain.errors import TourneyError
from tourney.domain.leagues import ProbeResult, ProbeVerdict, Remark
from tourney.domain.progress import Progress, no_progress
from tourney.league.probing.asking import ask
from tourney.league.probing.games import PROBED, play
from tourney.league.probing.probe import Probe, ProbeFinding, Subject, failed, fault_remark, noted, remark, skipped
from tourney.league.probing.program_probes import GREETING, PROGRAM_PROBES
from tourney.league.probing.situations import SITUATIONS, Situation, position_of
from tourney.league.time_limits import OutOfTime, thinking_clock
from tourney.text.i18n import marked
from tourney.text.numbers import Number
from tourney.text.signals import is_from_person

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
