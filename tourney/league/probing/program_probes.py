"""Probes for programs: how they start, listen, answer and end, as the page of the protocol requires."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Final

from tourney.bots.faults import DIED, SLOW, UNREADABLE, BotFault
from tourney.bots.process import LEAVE_SECONDS, Child
from tourney.bots.program import Program, started
from tourney.bots.protocol import words
from tourney.bots.protocol.asking import FILTERS, read_hello
from tourney.domain.league_tables import Remark
from tourney.league.probing.conversation import Conversation, FullQuestion, conversation, pieces, with_strangers
from tourney.league.probing.probe import Probe, Subject, failed, noted, remark
from tourney.text.i18n import marked
from tourney.text.numbers import Number

QUIET_SECONDS: Final = 0.1
"""The time for which a program is listened to that has nothing to say."""
PATIENT_SECONDS: Final = 1
"""The time after which a program should have ended by all means."""
PAUSE_SECONDS: Final = 1
STRANGER: Final = "weather fine 21 7h Jk"
LONG_STRANGER: Final = "news " + "word " * 2000


@contextmanager
def _started(subject: Subject) -> Iterator[Child]:
    """Start the program for the length of the block, and kill it then."""
    child = started(_program(subject))
    try:
        yield child
    finally:
        child.kill()


@contextmanager
def _greeted(subject: Subject) -> Iterator[Child]:
    """Start and greet the program for the length of the block."""
    with _started(subject) as child:
        _greet(subject, child, [words.GREETING])
        yield child


def _program(subject: Subject) -> Program:
    assert isinstance(subject.entrant, Program)
    return subject.entrant


def _greet(subject: Subject, child: Child, parts: Sequence[str]) -> words.Hello:
    deadline = monotonic() + _program(subject).limits.start
    for part in parts:
        child.send(part, deadline)
    return read_hello(child, deadline)


def _answer(subject: Subject, child: Child, question: FullQuestion, parts: Sequence[str] = ()) -> Remark:
    """Return the program's answer as an action. Raises BotFault for a late, unreadable or illegal one."""
    subject.check_time()
    limits = _program(subject).limits
    deadline = monotonic() + limits.action + limits.bank
    for part in parts or [question.text]:
        child.send(part, deadline)
    line = child.receive(deadline)
    while line.partition(" ")[0] in FILTERS:
        words.read_filter(line.partition(" ")[2])
        line = child.receive(deadline)
    return remark("{action}", action=str(question.read(line)))


def _check_quiet(child: Child) -> None:
    """Raise a Finding if the program says something that nobody asked for, or has ended."""
    try:
        line = child.receive(monotonic() + QUIET_SECONDS)
    except BotFault as fault:
        if fault.kind is not SLOW:
            raise
        if child.unended:
            raise BotFault(UNREADABLE, child.unended) from None
        return
    raise failed(marked("it says “{line}” without being asked"), line=line[:80])


def _check_ends(child: Child) -> Remark:
    """Return how long the program needs to end. Raises a Finding if it does not, or too late."""
    started = monotonic()
    while not child.gone:
        if monotonic() > started + PATIENT_SECONDS:
            raise failed(marked("it has not ended after {seconds} s"), seconds=PATIENT_SECONDS)
        sleep(LEAVE_SECONDS / 50)
    seconds = monotonic() - started
    if seconds > LEAVE_SECONDS:
        message = marked("it needs {time} s to end; after {limit} s a league kills it")
        raise noted(message, time=_seconds(seconds), limit=_seconds(LEAVE_SECONDS))
    return remark(marked("{seconds} s"), seconds=_seconds(seconds))


def _seconds(seconds: float) -> Number:
    return Number(round(seconds, 3))


def _talk(subject: Subject) -> Conversation:
    """Return a conversation of a family of rules that the program plays."""
    plays_contracts = subject.hello is None or "contract" in subject.hello.families
    return conversation("oficial" if plays_contracts else "knock")


# --- the start ----------------------------------------------------------------------------------------------


def _greeting(subject: Subject) -> Remark:
    started = monotonic()
    with _started(subject) as child:
        subject.hello = _greet(subject, child, [words.GREETING])
    hello, seconds = subject.hello, _seconds(monotonic() - started)
    message = marked("{name} {version} is ready after {time} s")
    return remark(message, name=hello.name, version=hello.version, time=seconds)


def _greeting_in_pieces(subject: Subject) -> Remark:
    with _started(subject) as child:
        parts = list(words.GREETING)
        deadline = monotonic() + _program(subject).limits.start
        child.send(parts[0], deadline)
        sleep(QUIET_SECONDS)
        _greet(subject, child, parts[1:])
    return Remark()


def _quiet_when_ready(subject: Subject) -> Remark:
    with _greeted(subject) as child:
        _check_quiet(child)
    return Remark()


def _quiet_before_question(subject: Subject) -> Remark:
    """The rules and the hand are told, and nothing is asked."""
    question = _talk(subject).questions[0]
    told, _ask, asked = question.text.partition("\nask ")
    with _greeted(subject) as child:
        child.send(f"{told}\n", monotonic() + _program(subject).limits.start)
        _check_quiet(child)
        _answer(subject, child, question, [f"ask {asked}"])
    return Remark()


# --- questions ----------------------------------------------------------------------------------------------


def _one_line(subject: Subject) -> Remark:
    with _greeted(subject) as child:
        answer = _answer(subject, child, _talk(subject).questions[0])
        _check_quiet(child)
    return answer


def _sent(changed: Callable[[str], Sequence[str]]) -> Callable[[Subject], Remark]:
    """Return a probe that tells the first question in another way."""

    def run(subject: Subject) -> Remark:
        question = _talk(subject).questions[0]
        with _greeted(subject) as child:
            answer = _answer(subject, child, question, changed(question.text))
            _check_quiet(child)
        return answer

    return run


def _long_stranger(text: str) -> Sequence[str]:
    told, _ask, asked = text.partition("\nask ")
    return [f"{told}\n{LONG_STRANGER}\nask {asked}"]


def _after_fault(subject: Subject) -> Remark:
    first, second = _talk(subject).questions[:2]
    with _greeted(subject) as child:
        _answer(subject, child, first)
        return _answer(subject, child, second)


def _pause(subject: Subject) -> Remark:
    first, second = _talk(subject).questions[:2]
    with _greeted(subject) as child:
        _answer(subject, child, first)
        sleep(PAUSE_SECONDS)
        return _answer(subject, child, second)


def _whole_hand(subject: Subject) -> Remark:
    talk = _talk(subject)
    with _greeted(subject) as child:
        for question in talk.questions:
            _answer(subject, child, question)
        child.send(talk.ending, monotonic() + _program(subject).limits.action)
        _check_quiet(child)
    return remark(marked("questions: {n}"), n=len(talk.questions))


def _two_at_once(subject: Subject) -> Remark:
    with _greeted(subject) as child, _greeted(subject) as other:
        for question in _talk(subject).questions[:3]:
            _answer(subject, child, question)
            _answer(subject, other, question)
    return Remark()


def _started_anew(subject: Subject) -> Remark:
    """Ended in the middle of a hand, the program is told the hand from its beginning and goes on."""
    first, second, third = _talk(subject).questions[:3]
    with _greeted(subject) as child:
        _answer(subject, child, first)
    told = "".join(text.partition("\nask ")[0] + "\n" for text in (first.text, second.text, third.text))
    ask = "ask " + third.text.partition("\nask ")[2]
    without_faults = "".join(line for line in told.splitlines(keepends=True) if not line.startswith("fault "))
    with _greeted(subject) as child:
        return _answer(subject, child, third, [without_faults + ask])


def _same_again(subject: Subject) -> Remark:
    """Return how many answers of two programs with the same seed were compared."""
    questions = _talk(subject).questions
    answers = []
    for _time in range(2):
        with _greeted(subject) as child:
            answers.append([_answer(subject, child, question) for question in questions])
    differing = sum(first != second for first, second in zip(*answers, strict=True))
    if differing:
        message = marked("with the same seed it answers differently: {n} of {all}")
        raise noted(message, n=differing, all=len(questions))
    return remark(marked("questions: {n}"), n=len(questions))


def _errors(subject: Subject) -> Remark:
    """Return how much of the standard error there is."""
    with _greeted(subject) as child:
        for question in _talk(subject).questions:
            _answer(subject, child, question)
        size, limit = len(child.stderr.encode()), _program(subject).limits.stderr
    if size >= limit:
        raise noted(marked("more than {limit} bytes in one hand; only the end is kept"), limit=limit)
    return remark(marked("bytes: {n}"), n=size)


# --- the end ------------------------------------------------------------------------------------------------


def _ends(questions: int, *, says_bye: bool, has_end: bool) -> Callable[[Subject], Remark]:
    """Return a probe of the end after so many questions, with `bye`, with the end of the input, or with both."""

    def run(subject: Subject) -> Remark:
        with _greeted(subject) as child:
            for question in _talk(subject).questions[:questions]:
                _answer(subject, child, question)
            if says_bye:
                child.send(words.FAREWELL, monotonic() + LEAVE_SECONDS)
            if has_end:
                child.close_input()
            return _check_ends(child)

    return run


def _bye_after_question(subject: Subject) -> Remark:
    """The program reads `bye` with the question that it still has to answer."""
    question = _talk(subject).questions[0]
    with _greeted(subject) as child:
        try:
            _answer(subject, child, question, [question.text + words.FAREWELL])
        except BotFault as fault:
            if fault.kind is not DIED:
                raise
        return _check_ends(child)


GREETING: Final = Probe("greeting", marked("it starts, answers the greeting and is ready"), _greeting)
"""The probe that is first, and without which no other makes sense."""
PROGRAM_PROBES: Final = (
    Probe("greeting-in-pieces", marked("a greeting that comes letter by letter"), _greeting_in_pieces),
    Probe("quiet-when-ready", marked("it is quiet once it is ready"), _quiet_when_ready),
    Probe("quiet-before-question", marked("it is quiet while it reads rules and cards"), _quiet_before_question),
    Probe("one-line", marked("one line for an answer, and no more"), _one_line),
    Probe("question-in-pieces", marked("a question that comes in small pieces"), _sent(lambda text: pieces(text, 7))),
    Probe("unknown-lines", marked("lines with unknown words"), _sent(lambda text: [with_strangers(text, STRANGER)])),
    Probe("unknown-long-line", marked("a long line with an unknown word"), _sent(_long_stranger)),
    Probe("after-fault", marked("a fault, and another action instead of its own"), _after_fault),
    Probe("whole-hand", marked("every question of a hand, and its result"), _whole_hand),
    Probe("pause", marked("a second of silence"), _pause),
    Probe("two-at-once", marked("the program twice at one table"), _two_at_once),
    Probe("started-anew", marked("a restart in the middle of a hand"), _started_anew),
    Probe("same-again", marked("the same seed gives the same play"), _same_again),
    Probe("standard-error", marked("what it writes to the standard error"), _errors),
    Probe("bye-at-once", marked("`bye` right after the greeting"), _ends(0, says_bye=True, has_end=False)),
    Probe("bye-in-hand", marked("`bye` in the middle of a hand"), _ends(2, says_bye=True, has_end=False)),
    Probe("bye-after-question", marked("`bye` right after a question"), _bye_after_question),
    Probe("end-at-once", marked("the end of the input after the greeting"), _ends(0, says_bye=False, has_end=True)),
    Probe("end-in-hand", marked("the end of the input in a hand"), _ends(2, says_bye=False, has_end=True)),
    Probe("bye-and-end", marked("`bye`, and the end of the input"), _ends(1, says_bye=True, has_end=True)),
)
"""The probes for programs, in their order."""
