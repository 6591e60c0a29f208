"""A whole sheet as a form has it: the fields of all its hands, read by the prompts of the dialogue, with their faults.

In a game of contracts the hands do not depend on each other, so that each is checked whatever the others have; in the
knock game a hand is checked once those before it are complete.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.results import DeclaredHand, Length, SheetHand
from tourney.domain.rounds import Table
from tourney.files.sheet_toml import read_points
from tourney.rulebook import knock_sheets, rulesets, sheets
from tourney.service.lookup import find_event, find_table, same_rules
from tourney.service.results.hand_sequence import HandSequence, KnockSequence, hand_sequence
from tourney.service.results.prompt import HAND, Answer, AskAgain, Lines, Prompt, in_words, possible
from tourney.service.results.prompts import PROMPTS
from tourney.service.results.sheet_draft import SheetDraft
from tourney.service.results.sheets import Seats, declared, seats_of
from tourney.service.results.typed_hand import Fault, field_of, unanswered
from tourney.service.stage_view import with_rules_of_round
from tourney.text.cards import Alphabet, prompt_alphabet, typing_cards, written_cards
from tourney.text.i18n import _

NOBODY: Final = "-"
"""The answer of a hand that nobody closed: as its closer, or in the knock game as its ending."""

Answers = Mapping[str, str]
"""The answers of one hand by field, such as `closer` and `points-2`."""
Kept = Collection[tuple[int, str, str]]
"""The unusual answers that are right all the same: the place of the hand (from 0), the field and the answer."""


@dataclass(frozen=True, slots=True)
class CheckedHand:
    """A hand of a form: its name, what was read of it, its faults, and notes on how answers were read.

    `seats` have points in it. `turn_score` is what its closer has for closing in one turn, None where that is not a
    question; `asked` are the fields of the buys that were offered after it. A hand without any answer is `blank`.
    """

    name: str
    read: SheetHand
    seats: tuple[int, ...]
    faults: tuple[Fault, ...] = ()
    notes: Lines = ()
    turn_score: int | None = None
    asked: tuple[tuple[str, str], ...] = ()
    blank: bool = False

    @property
    def complete(self) -> bool:
        """Return whether the hand can be entered."""
        return not self.blank and not self.faults


@dataclass(frozen=True, slots=True)
class CheckedSheet:
    """A sheet of a form. `scores` say how the game stands after the complete hands at its beginning.

    It is `complete` if it can be entered, as a whole game or as one that was stopped.
    """

    event: Event
    table: Table
    hands: tuple[CheckedHand, ...]
    scores: Lines = ()
    length: Length = "whole"
    complete: bool = False

    @property
    def first(self) -> tuple[DeclaredHand, ...]:
        """Return the complete hands at the beginning of the sheet."""
        return self._declared(self.hands[: self._gap])

    @property
    def kept(self) -> tuple[DeclaredHand, ...]:
        """Return the hands that a partial sheet keeps: the complete ones at its beginning, and the next if begun."""
        begun = [hand for hand in self.hands[self._gap : self._gap + 1] if _is_begun(hand.read)]
        return (*self.first, *self._declared(begun))

    @property
    def lost(self) -> tuple[str, ...]:
        """Return the names of the hands of which a partial sheet cannot keep everything that was typed."""
        number = len(self.kept)
        unread = [hand for hand in self.hands[:number] if any(not fault.missing for fault in hand.faults)]
        return tuple(hand.name for hand in (*unread, *self.hands[number:]) if not hand.blank)

    @property
    def _gap(self) -> int:
        gaps = (place for place, hand in enumerate(self.hands) if not hand.complete)
        return next(gaps, len(self.hands))

    def _declared(self, hands: Sequence[CheckedHand]) -> tuple[DeclaredHand, ...]:
        return declared(seats_of(self.event, self.table), [hand.read for hand in hands])


def check_sheet(
    db: str | None,
    event_name: str | None,
    round_number: int,
    table_number: int,
    answers: Sequence[Answers],
    kept: Kept = (),
    length: Length = "whole",
    letters: Alphabet | None = None,
) -> CheckedSheet:
    """Return the hands of a table's sheet as the answers of a form have them, hand by hand in order.

    The fields of a hand are those of `typed_hand`, but `closer` is a seat (from 1) or NOBODY, and an empty `at_once` is
    no. In a game of contracts the closer may have points, too, and is found by them if `closer` is empty. Cards are in
    these `letters`, if not in those of the event's language. Raises TourneyError NOT_FOUND for an unknown event, round
    or table.
    """
    with storage.reading(db) as reader:
        event = find_event(reader, event_name)
        table = find_table(event, reader.rounds(event), round_number, table_number)
    same_rules(event)
    form = _KnockForm if rulesets.family(event.rules) == "knock" else _ContractForm
    with typing_cards(letters or prompt_alphabet(event.settings.lang)):
        return form(event, table, answers, kept, letters).checked(length)


def answers_of(event: Event, hands: Sequence[SheetHand], letters: Alphabet | None = None) -> tuple[Answers, ...]:
    """Return hands as the answers of a form."""
    alphabet = letters or prompt_alphabet(event.settings.lang)
    found = [dict(_answers(event, hand, alphabet)) for hand in hands]
    if rulesets.family(event.rules) == "knock":
        return tuple(found)
    by_contract = {hand.contract: answers for hand, answers in zip(hands, found, strict=True)}
    return tuple(by_contract.get(contract, {}) for contract, _cards in rulesets.contracts(event.rules))


def _answers(event: Event, hand: SheetHand, letters: Alphabet) -> Iterator[tuple[str, str]]:
    turn = turn_score(event, hand.contract)
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
    yield from ((f"points-{seat + 1}", written_cards(cards, letters)) for seat, cards in hand.left.items())
    yield from ((f"buy-{seat + 1}", "y") for seat in hand.buys)
    yield from ((f"buy-{seat + 1}", "n") for seat in hand.declined)


def turn_score(event: Event, contract: str) -> int | None:
    """Return the score for closing a hand in one turn, if that for closing later is another one; otherwise None."""
    if rulesets.family(event.rules) == "knock":
        return None
    scores = sheets.closer_points(event.rules, contract)
    return list(scores)[1] if list(scores.values()) == [(False,), (True,)] else None


def _is_begun(hand: SheetHand) -> bool:
    return hand.closer is not None or hand.dead or hand.ending != ""


class _Form:
    """The fields of a sheet while they are checked."""

    def __init__(
        self, event: Event, table: Table, answers: Sequence[Answers], kept: Kept, letters: Alphabet | None
    ) -> None:
        event = with_rules_of_round(event, table.round)
        self.event, self.table, self.kept, self.letters = event, table, kept, letters
        self.answers = [{field: " ".join(text.split()) for field, text in hand.items()} for hand in answers]
        self.seats: Seats = seats_of(event, table)
        self.sequence: HandSequence = hand_sequence(event, self.seats)
        self.prompts = PROMPTS[rulesets.family(event.rules)]

    def checked(self, length: Length) -> CheckedSheet:
        """Return the sheet."""
        hands = list(self.hands())
        gap = next((place for place, hand in enumerate(hands) if not hand.complete), len(hands))
        first = [hand.read for hand in hands[:gap]]
        is_stopped = length == "short" and gap > 0 and all(hand.blank for hand in hands[gap:])
        if is_stopped:
            hands[gap:] = [replace(hand, faults=()) for hand in hands[gap:]]
        is_complete = is_stopped or (length == "whole" and self.sequence.ended(first))
        scores = self.sequence.score_lines(first)
        return CheckedSheet(self.event, self.table, tuple(hands), scores, length, is_complete)

    def hands(self) -> Iterator[CheckedHand]:
        """Yield each hand of the form, checked."""
        raise NotImplementedError

    def prepared(self, hand: str, answers: Answers) -> tuple[Answers, list[Fault]]:
        """Return the answers as the prompts read them, and faults that are no question of theirs."""
        return answers, []

    def hand(self, place: int, before: Sequence[SheetHand], seats: Sequence[int]) -> CheckedHand:
        """Return the hand at that place, after those before it."""
        draft = SheetDraft(self.sequence, (), self.letters)
        draft.hands, draft.current = list(before), self.sequence.blank(place)
        name, answers = draft.hand_name, self.answers[place] if place < len(self.answers) else {}
        turn = turn_score(self.event, name)
        if not any(answers.values()):
            prompt = self.prompts[0]
            missing = Fault(prompt.field, prompt.text(draft, HAND), missing=True)
            return CheckedHand(name, draft.current, tuple(seats), (missing,), turn_score=turn, blank=True)
        prepared, faults = self.prepared(name, answers)
        reading = _Reading(draft, self.prompts, prepared, faults, {kept[1:] for kept in self.kept if kept[0] == place})
        reading.read_all()
        read = draft.hands[place] if len(draft.hands) > place else draft.current
        return CheckedHand(name, read, tuple(seats), tuple(reading.faults), reading.notes, turn, tuple(reading.offers))


class _ContractForm(_Form):
    """The form of a game of contracts, which has all its hands."""

    def hands(self) -> Iterator[CheckedHand]:
        """Yield each hand; those before it are only counted."""
        seats = range(len(self.seats.players))
        for place in range(len(rulesets.contracts(self.event.rules))):
            yield self.hand(place, [self.sequence.blank(earlier) for earlier in range(place)], seats)

    def prepared(self, hand: str, answers: Answers) -> tuple[Answers, list[Fault]]:
        """Return the answers with the closer that the points name, and the closer's own points as `at_once`."""
        scores = tuple(sheets.closer_points(self.event.rules, hand))
        closer = answers.get("closer", "")
        if not closer:
            closer, unclear = self._closer_by_points(scores, answers)
            if unclear:
                return answers, [Fault("closer", unclear)]
        if closer in ("", NOBODY):
            return {**answers, "closer": closer}, []
        field, in_one_turn = f"points-{closer}", bool(answers.get("at_once"))
        possible_scores = scores[1:] if in_one_turn and len(scores) > 1 else scores
        own = answers.get(field, "")
        if own and read_points(own) not in possible_scores:
            text = _("type {scores}").format(scores=in_words(possible_scores))
            return {**answers, "closer": closer, "at_once": ""}, [Fault(field, text)]
        if not own and turn_score(self.event, hand) is not None:
            own = "y" if in_one_turn else "n"
        return {**answers, "closer": closer, "at_once": own}, []

    def _closer_by_points(self, scores: Sequence[int], answers: Answers) -> tuple[str, str]:
        """Return the only seat with the points of a closer, or why it is not clear who closed."""
        return closer_by_points(scores, [answers.get(f"points-{seat}", "") for seat in _numbers(self.seats)])


def _numbers(seats: Seats) -> range:
    """Return the seats by number, from 1."""
    return range(1, len(seats.players) + 1)


def closer_by_points(scores: Sequence[int], points: Sequence[str]) -> tuple[str, str]:
    """Return the only seat (from 1) with the points of a closer, or why it is not clear who closed.

    `scores` are the points that a closer can have, `points` what was typed for each seat.
    """
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
        before = list[SheetHand]()
        while not self.sequence.ended(before):
            hand = self.hand(len(before), before, self.sequence.standing(before).active)
            yield hand
            if not hand.complete:
                break
            before.append(hand.read)
        seats = tuple(range(len(self.seats.players)))
        for place in range(len(before) + (not self.sequence.ended(before)), len(self.answers)):
            note = _("this hand is read once those before it are complete")
            if self.sequence.ended(before):
                note = _("the game is over before this hand: it must be empty")
            is_blank = not any(self.answers[place].values())
            yield CheckedHand(self.sequence.name(place), self.sequence.blank(place), seats, (), (note,), blank=is_blank)


class _Reading:
    """The answers of one hand while the prompts read them; `kept` are those that are right although unusual."""

    def __init__(
        self,
        draft: SheetDraft,
        prompts: Sequence[Prompt],
        answers: Answers,
        faults: Sequence[Fault],
        kept: Collection[tuple[str, str]],
    ) -> None:
        self._draft, self._prompts, self._answers, self._kept = draft, prompts, answers, kept
        self._passed = {"closer"} if any(fault.field == "closer" for fault in faults) else set[str]()
        self._closers_points = bool(faults)
        self.faults, self.notes, self.offers = list(faults), Lines(), list[tuple[str, str]]()

    def read_all(self) -> None:
        """Read one answer after another; after a fault in the points of a player, those of the others are read."""
        place = len(self._draft.hands)
        while len(self._draft.hands) == place and "closer" not in self._passed:
            asked = unanswered(self._draft, self._prompts)
            question = next((each for each in asked if field_of(*each) not in self._passed), None)
            if question is None or not self._read(*question):
                break

    def _read(self, prompt: Prompt, seat: int) -> bool:
        """Read the answer to one question; return whether others can be read after it."""
        field = field_of(prompt, seat)
        typed = self._answers.get(field, "")
        if prompt.field == "buy":
            if self.faults:
                return False
            self.offers.append((field, prompt.text(self._draft, seat)))
        try:
            answer = self._answer(prompt, seat, field, typed)
        except AskAgain as again:
            self._note_fault(prompt, seat, typed, again)
            self._draft.doubted, self._draft.suggested = None, ""
            self._passed.add(field)
            return prompt.field in ("points", "at_once")
        self.notes = (*self.notes, *answer.lines)
        self._draft.write(answer.hand)
        return True

    def _answer(self, prompt: Prompt, seat: int, field: str, typed: str) -> Answer:
        draft = self._draft
        if prompt.field == "closer" and typed != NOBODY:
            seats = {str(number): number - 1 for number in _numbers(draft.seats)}
            if typed not in seats:
                raise AskAgain(prompt.text(draft, seat))
            return self._closed_by(seats[typed])
        if not typed:
            raise AskAgain(_missing(draft, prompt, seat))
        if (field, typed) in self._kept:
            draft.doubted, draft.suggested = read_points(typed), typed
        return prompt.read(draft, seat, typed)

    def _closed_by(self, closer: int) -> Answer:
        """Return the hand with its closer, and the closer's points if there is no choice."""
        draft = self._draft
        scores = tuple(sheets.closer_points(draft.event.rules, draft.hand_name)) if draft.current.contract else ()
        points = {closer: scores[0]} if len(scores) == 1 else {}
        return possible(draft, replace(draft.current, closer=closer, points=points))

    def _note_fault(self, prompt: Prompt, seat: int, typed: str, again: AskAgain) -> None:
        draft, field = self._draft, field_of(prompt, seat)
        if prompt.field == "at_once":
            # The closer's points say it; what is wrong with them was found before.
            if self._closers_points:
                return
            field = f"points-{seat + 1}"
        may_keep = bool(typed) and (draft.doubted is not None or draft.suggested == typed)
        suggested = "" if may_keep else draft.suggested
        self.faults.append(Fault(field, again.brief, suggested, again.readings, may_keep, missing=not typed))


def _missing(draft: SheetDraft, prompt: Prompt, seat: int) -> str:
    """Return what to say where an answer is missing."""
    if prompt.field != "points":
        return prompt.text(draft, seat)
    player = draft.seats.names[seat]
    return _("{hand}: the points of {player} are missing").format(hand=draft.hand_name, player=player)
