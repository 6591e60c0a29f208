"""One hand of a sheet as a page has it: its fields are read by the prompts of the dialogue, with the same checks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.results import DeclaredHand
from tourney.domain.rounds import Table
from tourney.files.sheet_toml import ENDINGS, read_points
from tourney.rulebook import knock_sheets, rulesets, sheets
from tourney.service.lookup import find_event, find_table, same_rules
from tourney.service.results.hand_sequence import KnockSequence, hand_sequence
from tourney.service.results.prompt import AskAgain, Lines, Prompt
from tourney.service.results.prompts import PROMPTS
from tourney.service.results.sheet_draft import SheetDraft
from tourney.service.results.sheets import declared, seated, seats_of
from tourney.service.stage_view import with_rules_of_round
from tourney.text.cards import Alphabet, prompt_alphabet, written_cards
from tourney.text.i18n import _

_OF_EACH_PLAYER: Final = frozenset({"points", "buy"})
"""The fields of which each player has one, such as `points-2` of the player in seat 2."""


@dataclass(frozen=True, slots=True)
class Question:
    """The field that is asked for next, and the question; `default` is the answer to offer, "" for none."""

    field: str
    text: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A field without an answer (`missing`), or with one that is not accepted, and why; the rest as in `TypedHand`."""

    field: str
    text: str
    suggested: str = ""
    readings: tuple[int, ...] = ()
    may_keep: bool = False
    missing: bool = False


@dataclass(frozen=True, slots=True)
class TypedHand:
    """A hand as its fields say, after the hands before it.

    `name` is the hand's, and `place` how many hands come before it; `hand` is what was read of it; `question` is what
    it still lacks, None once it is complete. If an answer is not accepted, `question` is its field, `fault` says why,
    `suggested` is the answer that was probably meant ("" for none), `readings` are points that may have been meant, and
    `may_keep` says that the answer counts if it is given once more. `notes` say how answers were read, `scores` how the
    game stands after the complete hands. The game is `over` if no hand comes after these. `further` are faults in the
    points after the field in question, as far as they can be judged without its answer.
    """

    name: str
    hand: DeclaredHand | None
    question: Question | None
    fault: str = ""
    suggested: str = ""
    readings: tuple[int, ...] = ()
    may_keep: bool = False
    notes: Lines = ()
    scores: Lines = ()
    over: bool = False
    place: int = 0
    further: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class HandForm:
    """The fields of a hand before anything is typed, for a page that shows them all.

    `seats` (from 0) are those in the game. `closings` are the points among which the closer of a hand with a contract
    has theirs, those after an earlier lay-down first; `endings` are the ways in which a hand of the knock game ends.
    `letters` are those in which cards are typed.
    """

    name: str
    seats: tuple[int, ...]
    closings: tuple[int, ...]
    endings: tuple[str, ...]
    letters: Alphabet


def hand_form(event: Event, table: Table, before: Sequence[DeclaredHand]) -> HandForm:
    """Return the fields of the hand that comes after those `before` it, which are possible and not the whole game."""
    event = with_rules_of_round(event, table.round)
    sequence = hand_sequence(event, seats_of(event, table))
    if not isinstance(sequence, KnockSequence):
        return _contract_form(event, table, sequence.name(len(before)))
    active = sequence.standing(seated(event, table, before)).active
    return HandForm(sequence.name(len(before)), active, (), ENDINGS, prompt_alphabet(event.settings.lang))


def later_forms(event: Event, table: Table, number: int) -> tuple[HandForm, ...]:
    """Return the fields of the hands after the first `number`; none in the knock game, where they depend on these."""
    event = with_rules_of_round(event, table.round)
    contracts = [] if rulesets.family(event.rules) == "knock" else rulesets.contracts(event.rules)[number:]
    return tuple(_contract_form(event, table, contract) for contract, _cards in contracts)


def _contract_form(event: Event, table: Table, contract: str) -> HandForm:
    seats, closings = range(len(table.players)), sheets.closer_points(event.rules, contract)
    return HandForm(contract, tuple(seats), tuple(closings), (), prompt_alphabet(event.settings.lang))


def answers_of(event: Event, table: Table, hand: DeclaredHand) -> dict[str, str]:
    """Return a hand as the answers that `typed_hand` reads as that hand."""
    (written,) = seated(event, table, [hand])
    letters = prompt_alphabet(event.settings.lang)
    cards = {seat: written_cards(left, letters) for seat, left in written.left.items()}
    numbers = {seat: str(points) for seat, points in written.points.items()} | cards
    answers = {f"points-{seat + 1}": text for seat, text in numbers.items()}
    buys = {
        f"buy-{seat + 1}": _("y") if seat in written.buys else _("n") for seat in (*written.buys, *written.declined)
    }
    jokers = knock_sheets.rummy_jokers(written.ending)
    named = {
        "ending": written.ending.partition(" ")[0] or ("-" if written.dead else ""),
        "closer": "-" if written.dead else "" if written.closer is None else str(written.closer + 1),
        "jokers": "" if jokers is None else str(jokers),
        "at_once": "" if written.closer is None or written.ending else numbers.get(written.closer, ""),
    }
    return {field: text for field, text in {**named, **answers, **buys}.items() if text}


def check_hand(
    db: str | None,
    event_name: str,
    round_number: int,
    table_number: int,
    before: Sequence[DeclaredHand],
    answers: Mapping[str, str],
    kept: Collection[str] = (),
    letters: Alphabet | None = None,
) -> TypedHand:
    """Return a hand of a table as `typed_hand` does.

    Raises TourneyError NOT_FOUND for an unknown event, round or table, REFUSED for names of nobody at the table.
    """
    with storage.reading(db) as reader:
        event = find_event(reader, event_name)
        table = find_table(event, reader.rounds(event), round_number, table_number)
    same_rules(event)
    return typed_hand(event, table, before, answers, kept, letters)


def typed_hand(
    event: Event,
    table: Table,
    before: Sequence[DeclaredHand],
    answers: Mapping[str, str],
    kept: Collection[str] = (),
    letters: Alphabet | None = None,
) -> TypedHand:
    """Return the hand after those `before` it as `answers` has it by field, judged as the dialogue judges typed lines.

    The fields are `closer`, `at_once`, `ending`, `jokers`, `points-SEAT` and `buy-SEAT`, with seats from 1; fields that
    the hand does not ask for are passed over. `kept` are those whose unusual answer is right all the same. Without
    answers the hand is blank: its first question begins it. `letters` are those of cards, if not the event's language
    chooses them.
    """
    event = with_rules_of_round(event, table.round)
    draft = SheetDraft(hand_sequence(event, seats_of(event, table)), seated(event, table, before), letters)
    if len(draft.hands) < len(before):
        return _impossible_before(draft, before)
    prompts = PROMPTS[rulesets.family(event.rules)]
    place, notes = len(draft.hands), Lines()
    while len(draft.hands) == place and not draft.over:
        prompt, seat = next(unanswered(draft, prompts))
        field = field_of(prompt, seat)
        typed = " ".join(answers.get(field, "").split())
        if not typed:
            lacking = _lacking(draft, prompt, seat, notes=notes)
            return replace(lacking, further=_further(draft, field, answers, kept))
        if field in kept:
            draft.doubted, draft.suggested = read_points(typed), typed
        try:
            answer = prompt.read(draft, seat, typed)
        except AskAgain as again:
            may_keep = draft.doubted is not None or draft.suggested == typed
            suggested = "" if may_keep else draft.suggested
            lacking = _lacking(draft, prompt, seat, again, suggested, may_keep=may_keep, notes=notes)
            return replace(lacking, further=_further(draft, field, answers, kept))
        notes = (*notes, *answer.lines)
        draft.write(answer.hand)
    return _complete(draft, place, notes)


def _further(draft: SheetDraft, asked: str, answers: Mapping[str, str], kept: Collection[str]) -> tuple[Fault, ...]:
    """Return the faults in the points of a hand whose field `asked` lacks a right answer; the draft is used up.

    Where it is open who closed, nobody's points are missing, and the points of a closer are right.
    """
    if not (asked == "closer" or asked.startswith("points-")) or draft.current.ending:
        return ()
    scores = set[int]()
    if asked == "closer":
        scores.update(sheets.closer_points(draft.event.rules, draft.hand_name))
        draft.current = replace(draft.current, dead=True)
    found = list[Fault]()
    place, passed = len(draft.hands), {asked}
    while len(draft.hands) == place:
        prompts = PROMPTS[rulesets.family(draft.event.rules)]
        question = next((each for each in unanswered(draft, prompts) if field_of(*each) not in passed), None)
        if question is None or question[0].field != "points":
            break
        field = field_of(*question)
        passed.add(field)
        typed = " ".join(answers.get(field, "").split())
        if typed and read_points(typed) not in scores and field not in kept:
            found += _faults_of(draft, *question, typed)
        elif not typed and not scores:
            found.append(Fault(field, "", missing=True))
    return tuple(found)


def _faults_of(draft: SheetDraft, prompt: Prompt, seat: int, typed: str) -> Iterator[Fault]:
    """Write the points of a seat into the draft, or yield what is wrong with them."""
    draft.doubted, draft.suggested = None, ""
    try:
        draft.write(prompt.read(draft, seat, typed).hand)
    except AskAgain as again:
        may_keep = draft.doubted is not None or draft.suggested == typed
        suggested = "" if may_keep else draft.suggested
        yield Fault(field_of(prompt, seat), again.brief, suggested, again.readings, may_keep)


def unanswered(draft: SheetDraft, prompts: Sequence[Prompt]) -> Iterator[tuple[Prompt, int]]:
    """Yield the questions that the hand in question does not answer, each with its seat."""
    for prompt in prompts:
        for seat in prompt.seats(draft):
            if not prompt.answered(draft, seat):
                yield prompt, seat


def field_of(prompt: Prompt, seat: int) -> str:
    """Return the field that answers a question."""
    return f"{prompt.field}-{seat + 1}" if prompt.field in _OF_EACH_PLAYER else prompt.field


def _lacking(
    draft: SheetDraft,
    prompt: Prompt,
    seat: int,
    again: AskAgain | None = None,
    suggested: str = "",
    *,
    may_keep: bool = False,
    notes: Lines = (),
) -> TypedHand:
    """Return a hand that lacks an answer, or has one that is not accepted."""
    default = "" if again is not None else prompt.default(draft, seat)
    return TypedHand(
        draft.hand_name,
        declared(draft.seats, [draft.current])[0],
        Question(field_of(prompt, seat), prompt.text(draft, seat), default),
        "" if again is None else again.brief,
        suggested,
        () if again is None else again.readings,
        may_keep,
        notes,
        draft.sequence.score_lines(draft.hands),
        place=len(draft.hands),
    )


def _complete(draft: SheetDraft, place: int, notes: Lines) -> TypedHand:
    """Return a complete hand; none where the game was over before it."""
    hand = declared(draft.seats, draft.hands[place:])
    scores = draft.sequence.score_lines(draft.hands)
    name = draft.hand_names[place] if hand else ""
    return TypedHand(name, hand[0] if hand else None, None, notes=notes, scores=scores, over=draft.over, place=place)


def _impossible_before(draft: SheetDraft, before: Sequence[DeclaredHand]) -> TypedHand:
    """Return the first of the earlier hands that is impossible or incomplete, or that came after the game's end."""
    if draft.over:
        return _complete(draft, len(draft.hands), ())
    hand = seated(draft.event, Table(0, 0, draft.seats.players), before)[len(draft.hands)]
    fault = draft.fault(hand) or _("an answer is missing now")
    text = _("{hand} must be asked again: {fault}").format(hand=draft.hand_name, fault=fault)
    scores = draft.sequence.score_lines(draft.hands)
    place = len(draft.hands)
    return TypedHand(draft.hand_name, before[place], Question("", text), text, scores=scores, place=place)
