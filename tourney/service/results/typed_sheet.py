"""A sheet as a form has it: the fields of its hands, read by the prompts of the dialogue, with their faults.

The desk's form has all hands of a sheet, a phone's the hand that comes after those it has typed. In a game of contracts
the hands do not depend on each other, so that each is checked whatever the others have; in the knock game a hand is
checked once those before it are complete.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.results import Length, SheetHand
from tourney.domain.rounds import Table
from tourney.files.sheet_toml import read_points
from tourney.rulebook import knock_sheets, rulesets, sheets
from tourney.service.lookup import same_rules, with_rules_of_round
from tourney.service.results.dialogue import is_answered, questions
from tourney.service.results.hand_sequence import HandSequence, KnockSequence, hand_sequence
from tourney.service.results.prompt import Answer, AskAgain, Lines, Prompt, in_words, numbered_players, possible
from tourney.service.results.results import find_event_table
from tourney.service.results.sheet_draft import SheetDraft, is_begun
from tourney.service.results.sheets import Seats, seats_of
from tourney.text.cards import Alphabet, prompt_alphabet, typing_cards, written_cards
from tourney.text.i18n import _

NOBODY: Final = "-"
"""The answer of a hand that nobody closed: as its closer, or in the knock game as its ending."""

_OF_EACH_PLAYER: Final = frozenset({"points", "buy"})
"""The fields of which each player has one, such as `points-2` of the player in seat 2."""

Answers = Mapping[str, str]
"""The answers of one hand by field, such as `closer` and `points-2`."""
Kept = Collection[tuple[int, str, str]]
"""The unusual answers that are right all the same: the place of the hand (from 0), the field and the answer."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A field without an answer (`missing`), or with one that is not accepted, and why; without a field the hand's.

    `suggested` is the answer that was probably meant ("" for none), `readings` are points that may have been meant, and
    `may_keep` says that the answer counts if it is given once more.
    """

    field: str
    text: str
    suggested: str = ""
    readings: tuple[int, ...] = ()
    may_keep: bool = False
    missing: bool = False


@dataclass(frozen=True, slots=True)
class CheckedHand:
    """A hand of a form: its name, what was read of it, its faults, and notes on how answers were read.

    `seats` have points in it. `closings` are the points that the closer of a hand with a contract can have, those after
    an earlier lay-down first; `turn_score` is the closer's for closing in one turn, None where that is not a question.
    `asked` are the fields of the buys that were offered after it. A hand without any answer is `blank`.
    """

    name: str
    read: SheetHand[int]
    seats: tuple[int, ...]
    faults: tuple[Fault, ...] = ()
    notes: Lines = ()
    closings: tuple[int, ...] = ()
    turn_score: int | None = None
    asked: tuple[tuple[str, str], ...] = ()
    blank: bool = False

    @property
    def complete(self) -> bool:
        """Return whether the hand can be entered."""
        return not self.blank and not self.faults


@dataclass(frozen=True, slots=True)
class CheckedForm:
    """A sheet of a form. `scores` say how the game stands after the complete hands at its beginning.

    It is `complete` if it can be entered, as a whole game or as one that was stopped; the game is `over` if no hand
    comes after the complete ones.
    """

    event: Event
    table: Table
    hands: tuple[CheckedHand, ...]
    scores: Lines = ()
    length: Length = "whole"
    complete: bool = False
    over: bool = False

    @property
    def first(self) -> tuple[SheetHand[int], ...]:
        """Return the complete hands at the beginning of the sheet."""
        return tuple(hand.read for hand in self.hands[: self.gap])

    @property
    def kept(self) -> tuple[SheetHand[int], ...]:
        """Return the hands that a partial sheet keeps: the complete ones at its beginning, and the next if begun."""
        return (*self.first, *(hand.read for hand in self.hands[self.gap : self.gap + 1] if is_begun(hand.read)))

    @property
    def lost(self) -> tuple[str, ...]:
        """Return the names of the hands of which a partial sheet cannot keep everything that was typed."""
        number = len(self.kept)
        unread = [hand for hand in self.hands[:number] if any(not fault.missing for fault in hand.faults)]
        return tuple(hand.name for hand in (*unread, *self.hands[number:]) if not hand.blank)

    @property
    def gap(self) -> int:
        """Return the place of the first hand that is not complete."""
        gaps = (place for place, hand in enumerate(self.hands) if not hand.complete)
        return next(gaps, len(self.hands))


def check_sheet(
    db: str | None,
    place: tuple[str | None, int, int],
    answers: Sequence[Answers],
    kept: Kept = (),
    length: Length = "whole",
) -> CheckedForm:
    """Return a table's sheet as `checked_sheet` does; `place` has event, round and table.

    Raises TourneyError NOT_FOUND for an unknown event, round or table.
    """
    with storage.reading(db) as reader:
        event, table = find_event_table(reader, *place)
    same_rules(event)
    return checked_sheet(event, table, answers, kept, length)


def checked_sheet(
    event: Event,
    table: Table,
    hands: Sequence[Answers | SheetHand[int]],
    kept: Kept = (),
    length: Length = "whole",
) -> CheckedForm:
    """Return the hands of a table's sheet in order: as the answers of a form have them, or as they were read before.

    The fields of a hand are `closer`, `at_once`, `ending`, `jokers`, `points-SEAT` and `buy-SEAT`, with seats from 1;
    `closer` is a seat or NOBODY, and an empty `at_once` is no. In a game of contracts the closer may have points, and
    is found by them if `closer` is empty. Cards are in the letters of the event's language.
    """
    form = _KnockForm if rulesets.family(event.rules) == "knock" else _ContractForm
    with typing_cards(prompt_alphabet(event.settings.lang)):
        return form(event, table, hands, kept).checked(length)


def answers_of(event: Event, hands: Sequence[SheetHand[int]]) -> tuple[Answers, ...]:
    """Return hands as the answers of a form."""
    alphabet = prompt_alphabet(event.settings.lang)
    found = [dict(_answers(event, hand, alphabet)) for hand in hands]
    if rulesets.family(event.rules) == "knock":
        return tuple(found)
    by_contract = {hand.contract: answers for hand, answers in zip(hands, found, strict=True)}
    return tuple(by_contract.get(contract, {}) for contract, _cards in rulesets.contracts(event.rules))


def _answers(event: Event, hand: SheetHand[int], letters: Alphabet) -> Iterator[tuple[str, str]]:
    turn = sheets.turn_score(event.rules, hand.contract)
    knock = rulesets.family(event.rules) == "knock"
    yield "ending" if knock else "closer", NOBODY if hand.dead else hand.ending.partition(" ")[0] if knock else ""
    if hand.closer is not None:
        yield "closer", str(hand.closer + 1)
    if (jokers := knock_sheets.rummy_jokers(hand.ending)) is not None:
        yield "jokers", str(jokers)
    for seat, points in hand.points.items():
        if turn is None or seat != hand.closer:
            yield f"points-{seat + 1}", str(points)
        elif points == turn:
            yield "at_once", "y"
        elif points == 0:
            yield f"points-{seat + 1}", "0"
    yield from ((f"points-{seat + 1}", written_cards(cards, letters)) for seat, cards in hand.left.items())
    yield from ((f"buy-{seat + 1}", "y") for seat in hand.buys)
    yield from ((f"buy-{seat + 1}", "n") for seat in hand.declined)


def reseated_answers(answers: Answers, before: Sequence[int], now: Sequence[int]) -> dict[str, str]:
    """Return the answers of a hand by the seats that people have `now`, instead of those that they had `before`.

    People have their numbers; the answers of somebody who does not sit there now are lost.
    """
    if before == now:
        return dict(answers)
    seats = {str(seat): str(now.index(number) + 1) for seat, number in enumerate(before, 1) if number in now}
    found = dict[str, str]()
    for name, value in answers.items():
        kind, dash, seat = name.partition("-")
        if name == "closer" and value != NOBODY:
            found[name] = seats.get(value, "")
        elif not dash:
            found[name] = value
        elif seat in seats:
            found[f"{kind}-{seats[seat]}"] = value
    return found


class _Form:
    """The fields of a sheet while they are checked."""

    def __init__(self, event: Event, table: Table, hands: Sequence[Answers | SheetHand[int]], kept: Kept) -> None:
        event = with_rules_of_round(event, table.round)
        self.event, self.table, self.typed, self.kept = event, table, hands, kept
        self.seats: Seats = seats_of(event, table)
        self.sequence: HandSequence = hand_sequence(event, self.seats)

    def checked(self, length: Length) -> CheckedForm:
        """Return the sheet."""
        hands = list(self.hands())
        gap = next((place for place, hand in enumerate(hands) if not hand.complete), len(hands))
        first = [hand.read for hand in hands[:gap]]
        is_stopped = length == "short" and gap > 0 and all(hand.blank for hand in hands[gap:])
        if is_stopped:
            hands[gap:] = [replace(hand, faults=()) for hand in hands[gap:]]
        is_over = self.sequence.ended(first)
        is_complete = is_stopped or (length == "whole" and is_over and gap == len(hands))
        scores = self.sequence.score_lines(first)
        return CheckedForm(self.event, self.table, tuple(hands), scores, length, is_complete, is_over)

    def hands(self) -> Iterator[CheckedHand]:
        """Yield each hand of the form, checked."""
        raise NotImplementedError

    def prepared(self, hand: str, answers: Answers) -> tuple[Answers, list[Fault]]:
        """Return the answers as the prompts read them, and faults that are no question of theirs."""
        return answers, []

    def hand(self, place: int, before: Sequence[SheetHand[int]], seats: Sequence[int]) -> CheckedHand:
        """Return the hand at that place, after those before it."""
        draft = SheetDraft(self.sequence)
        draft.hands, draft.current = list(before), self.sequence.blank(place)
        name, typed = draft.hand_name, self.typed[place] if place < len(self.typed) else {}
        rules = self.event.rules
        closings, turn_score = sheets.closings(rules, name), sheets.turn_score(rules, name)
        blank = CheckedHand(name, draft.current, tuple(seats), closings=closings, turn_score=turn_score)
        if isinstance(typed, SheetHand):
            return replace(blank, read=typed, faults=tuple(self._faults_of(name, before, typed)))
        answers = {field: " ".join(text.split()) for field, text in typed.items()}
        if not any(answers.values()):
            first, _seat = next(questions(draft))
            return replace(blank, faults=(Fault(first.field, missing_text(first.field), missing=True),), blank=True)
        prepared, faults = self.prepared(name, answers)
        reading = _Reading(draft, prepared, faults, {kept[1:] for kept in self.kept if kept[0] == place})
        reading.read_all()
        read = draft.hands[place] if len(draft.hands) > place else draft.current
        return replace(blank, read=read, faults=tuple(reading.faults), notes=reading.notes, asked=tuple(reading.offers))

    def _faults_of(self, name: str, before: Sequence[SheetHand[int]], hand: SheetHand[int]) -> Iterator[Fault]:
        """Yield why a hand that was read before is not possible after those before it."""
        fault = self.sequence.fault(before, hand)
        if not fault and not self.sequence.complete(before, hand):
            fault = _("an answer is missing now")
        if fault:
            yield Fault("", _("{hand} must be asked again: {fault}").format(hand=name, fault=fault))


class _ContractForm(_Form):
    """The form of a game of contracts, which has all its hands."""

    def hands(self) -> Iterator[CheckedHand]:
        """Yield each hand; those before it are only counted."""
        seats = range(len(self.seats.players))
        for place in range(len(rulesets.contracts(self.event.rules))):
            yield self.hand(place, [self.sequence.blank(earlier) for earlier in range(place)], seats)

    def prepared(self, hand: str, answers: Answers) -> tuple[Answers, list[Fault]]:
        """Return the answers with the closer that the points name, and the closer's own points as `at_once`."""
        scores = sheets.closings(self.event.rules, hand)
        closer, wish = answers.get("closer", ""), answers.get("at_once", "")
        if not closer:
            closer, unclear = self._closer_by_points(scores, answers)
            if unclear:
                return answers, [Fault("closer", unclear)]
        if closer in ("", NOBODY):
            return {**answers, "closer": closer}, []
        field = f"points-{closer}"
        possible_scores = scores[1:] if wish == "y" and len(scores) > 1 else scores
        own = answers.get(field, "")
        if own and read_points(own) not in possible_scores:
            text = _("type {scores}").format(scores=in_words(possible_scores))
            return {**answers, "closer": closer, "at_once": ""}, [Fault(field, text)]
        if not own:
            own = wish or ("" if sheets.turn_score(self.event.rules, hand) is None else "n")
        return {**answers, "closer": closer, "at_once": own}, []

    def _closer_by_points(self, scores: Sequence[int], answers: Answers) -> tuple[str, str]:
        """Return the only seat (from 1) with the points of a closer, or why it is not clear who closed."""
        points = [answers.get(f"points-{seat}", "") for seat in range(1, len(self.seats.players) + 1)]
        found = [seat for seat, typed in enumerate(points, 1) if read_points(typed) in scores]
        if len(found) == 1:
            return str(found[0]), ""
        if found:
            text = _("{number} players have {scores}: choose who closed")
            return "", text.format(number=len(found), scores=in_words(scores))
        if all(points):
            text = _("nobody has {scores}: choose who closed, or that nobody did")
            return "", text.format(scores=in_words(scores))
        return "", ""


class _KnockForm(_Form):
    """The form of a knock game, which has a blank hand after the others until the pot is won."""

    def hands(self) -> Iterator[CheckedHand]:
        """Yield each hand, judged by those before it; those after an incomplete one are not read yet."""
        assert isinstance(self.sequence, KnockSequence)
        before = list[SheetHand[int]]()
        while not self.sequence.ended(before):
            hand = self.hand(len(before), before, self.sequence.standing(before).active)
            yield hand
            if not hand.complete:
                break
            before.append(hand.read)
        seats, is_over = tuple(range(len(self.seats.players))), self.sequence.ended(before)
        note = _("this hand is read once those before it are complete")
        if is_over:
            note = _("the game is over before this hand: it must be empty")
        for place in range(len(before) + (not is_over), len(self.typed)):
            typed = self.typed[place]
            is_blank = not isinstance(typed, SheetHand) and not any(typed.values())
            faults = () if is_blank or not is_over else (Fault("", note),)
            name, read = self.sequence.name(place), self.sequence.blank(place)
            yield CheckedHand(name, read, seats, faults, (note,), blank=is_blank)


class _Reading:
    """The answers of one hand while the prompts read them; `kept` are those that are right although unusual."""

    def __init__(
        self, draft: SheetDraft, answers: Answers, faults: Sequence[Fault], kept: Collection[tuple[str, str]]
    ) -> None:
        self._draft, self._answers, self._kept = draft, answers, kept
        self._closings = sheets.closings(draft.event.rules, draft.hand_name)
        self._passed = {fault.field for fault in faults if fault.field == "closer"}
        self._closers_points = bool(faults)
        self.faults, self.notes, self.offers = list(faults), Lines(), list[tuple[str, str]]()

    def read_all(self) -> None:
        """Read one answer after another; after a fault in the points of a player, those of the others are read."""
        place = len(self._draft.hands)
        while len(self._draft.hands) == place and "closer" not in self._passed:
            question = next(filter(self._is_open, questions(self._draft)), None)
            if question is None or not self._read(*question):
                break
        if "closer" in self._passed and self._closings:
            self._read_points()

    def _is_open(self, question: tuple[Prompt, int]) -> bool:
        return not is_answered(self._draft, question) and field_of(*question) not in self._passed

    def _read(self, prompt: Prompt, seat: int) -> bool:
        """Read the answer to one question; return whether others can be read after it."""
        field = field_of(prompt, seat)
        if prompt.field == "buy":
            if self.faults:
                return False
            self.offers.append((field, prompt.text(self._draft, seat)))
        answer = self._answer(prompt, seat)
        if answer is None:
            self._passed.add(field)
            return prompt.field in ("points", "at_once")
        self.notes = (*self.notes, *answer.lines)
        self._draft.write(answer.hand)
        return True

    def _read_points(self) -> None:
        """Note what is wrong with points while nobody has closed: none are missing, and a closer's are right."""
        draft, blank = self._draft, self._draft.current
        draft.current = replace(blank, dead=True)
        for prompt, seat in [question for question in questions(draft) if question[0].field == "points"]:
            typed = self._answers.get(field_of(prompt, seat), "")
            if typed and read_points(typed) not in self._closings and (answer := self._answer(prompt, seat)):
                draft.current = answer.hand
        draft.current = blank

    def _answer(self, prompt: Prompt, seat: int) -> Answer | None:
        """Return what a question is answered with; None, with a fault, for what is not accepted."""
        typed = self._answers.get(field_of(prompt, seat), "")
        try:
            return self._accepted(prompt, seat, typed)
        except AskAgain as again:
            self._note_fault(prompt, seat, typed, again)
            self._draft.doubted, self._draft.suggested = None, ""
            return None

    def _accepted(self, prompt: Prompt, seat: int, typed: str) -> Answer:
        draft = self._draft
        if not typed:
            raise AskAgain(missing_text(prompt.field))
        if prompt.field == "closer" and typed != NOBODY:
            return self._closed_by(typed)
        if (field_of(prompt, seat), typed) in self._kept:
            draft.doubted, draft.suggested = read_points(typed), typed
        return prompt.read(draft, seat, typed)

    def _closed_by(self, typed: str) -> Answer:
        """Return the hand with its closer, whose seat a form sends, and the closer's points if there is no choice.

        A name is not read, because a player may be called as a seat.
        """
        seats = {str(number): number - 1 for number in range(1, len(self._draft.seats.players) + 1)}
        if typed not in seats:
            text = _("this table has no seat {text}: {players}")
            raise AskAgain(text.format(text=typed[:40], players=numbered_players(self._draft.seats)))
        closer = seats[typed]
        points = {closer: self._closings[0]} if len(self._closings) == 1 else {}
        return possible(self._draft, replace(self._draft.current, closer=closer, points=points))

    def _note_fault(self, prompt: Prompt, seat: int, typed: str, again: AskAgain) -> None:
        draft, field = self._draft, field_of(prompt, seat)
        if prompt.field == "at_once" and not typed:
            # The closer's points say it; what is wrong with them was found before.
            if self._closers_points:
                return
            field = f"points-{seat + 1}"
        may_keep = bool(typed) and (draft.doubted is not None or draft.suggested == typed)
        suggested = "" if may_keep else draft.suggested
        self.faults.append(Fault(field, again.brief, suggested, again.readings, may_keep, missing=not typed))


def field_of(prompt: Prompt, seat: int) -> str:
    """Return the field that answers a question."""
    return f"{prompt.field}-{seat + 1}" if prompt.field in _OF_EACH_PLAYER else prompt.field


def missing_text(field: str) -> str:
    """Return what to say where an answer is missing."""
    return _("please answer this") if field == "buy" else _("this is still missing")
