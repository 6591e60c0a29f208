"""The fields of one hand as a page shows them: what may be chosen, what was typed, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from tourney.service.results.typed_sheet import NOBODY, Answers, CheckedHand, answers_of
from tourney.text.cards import alphabet_text, prompt_alphabet, unbroken_suits
from tourney.text.i18n import _
from tourney.web.pages.field_view import FieldView, endings
from tourney.web.pages.table.opened import Opened

BUY = "buy-"


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand with all its fields; `kept` are those whose unusual answer is right.

    `players` are the numbers of those who sit at the table, in the order of the seats that the fields name. `was` is
    the mark of the hand as it was typed before.
    """

    place: int
    name: str
    title: str
    action: str
    fields: tuple[FieldView, ...]
    kept: tuple[str, ...]
    hides_closer: bool
    letters: str
    players: tuple[int, ...]
    was: str
    fault: str = ""

    def id(self, field: FieldView, value: str = "") -> str:
        """Return the id of a field, or of its choice of that value: it names the player, whatever seat they have."""
        people = {str(seat): f"p{number}" for seat, number in enumerate(self.players, 1)}
        kind, _dash, seat = field.name.partition("-")
        parts = (f"h{self.place}", kind, people.get(seat, ""), people.get(value, value) if kind == "closer" else value)
        return "-".join(filter(None, parts))

    @property
    def closer(self) -> str:
        """Return the seat of the closer as far as it is known."""
        return next((field.value for field in self.fields if field.name == "closer"), "")

    @property
    def questions(self) -> tuple[FieldView, ...]:
        """Return the fields that are no player's: how the hand ended."""
        return tuple(field for field in self.fields if not field.name.startswith(("points-", BUY)))

    @property
    def points(self) -> tuple[FieldView, ...]:
        """Return the fields in which points or cards are typed."""
        return tuple(field for field in self.fields if field.name.startswith("points-"))


def hand_view(at: Opened, place: int, answers: Answers, hand: CheckedHand, kept: Collection[str] = ()) -> HandView:
    """Return the hand at that place as it was checked, with its answers."""
    fields = tuple(field.judged(hand.faults) for field in _fields(at, hand, answers))
    names = {field.name for field in fields}
    return HandView(
        place,
        hand.name,
        _title(at, place, hand),
        f"{at.home}/hands/{place + 1}",
        fields,
        tuple(kept),
        not at.is_knock,
        unbroken_suits(alphabet_text(prompt_alphabet(at.at.event.settings.lang))),
        at.numbers,
        at.was(place),
        next((fault.text for fault in hand.faults if fault.field not in names), ""),
    )


def blank_view(at: Opened, place: int) -> HandView:
    """Return the hand at that place before anything is typed."""
    return hand_view(at, place, {}, replace(at.typed.hands[place], faults=()))


def later_views(at: Opened, place: int) -> list[HandView]:
    """Return the hands after that place, blank, for a phone that loses its network and cannot load them.

    In the knock game there are none, because they depend on the hand at that place.
    """
    later = () if at.is_knock else range(place + 1, len(at.typed.hands))
    return [blank_view(at, number) for number in later]


def _title(at: Opened, place: int, hand: CheckedHand) -> str:
    """Return the heading of a hand: its number and its contract, or its number in the knock game."""
    if at.is_knock:
        return hand.name
    last = len(at.typed.hands)
    return _("Hand {number} of {last}: {contract}").format(number=place + 1, last=last, contract=hand.name)


def typed_answers(at: Opened, place: int) -> Answers:
    """Return the answers of a hand that was typed before, as its fields show them."""
    return answers_of(at.at.event, at.hands)[place]


def _fields(at: Opened, hand: CheckedHand, answers: Answers) -> Iterator[FieldView]:
    names = at.names
    closers = [(str(seat + 1), names[seat]) for seat in hand.seats]
    if at.is_knock:
        yield _chosen("ending", _("How did it end?"), [*endings(), (NOBODY, _("nobody ended it"))], answers)
        yield _chosen("closer", _("Who ended it?"), closers, answers)
        yield FieldView("jokers", _("Jokers among the ten cards (only for rummy)"), answers.get("jokers", ""))
    else:
        yield _chosen("closer", _("Who closed?"), [*closers, (NOBODY, _("nobody (dead hand)"))], answers)
        if len(hand.closings) > 1:
            yield _at_once(hand, answers)
    for seat in hand.seats:
        name = f"points-{seat + 1}"
        yield FieldView(name, names[seat], answers.get(name, ""), seat=seat + 1)
    for name, text in hand.asked:
        yield _chosen(name, text, [("n", _("No")), ("y", _("Yes"))], answers, int(name.removeprefix(BUY)))


def _at_once(hand: CheckedHand, answers: Answers) -> FieldView:
    """Return the question for the closer's points, which is whether they closed in one turn if there are but two."""
    late, *others = hand.closings
    own = answers.get(f"points-{answers.get('closer', '')}", str(late))
    answers = {"at_once": own, **answers}
    if hand.turn_score is not None and answers["at_once"] == "y":
        answers["at_once"] = str(hand.turn_score)
    if len(others) == 1:
        choices = [(str(late), _("No")), (str(others[0]), _("Yes, for {points}").format(points=others[0]))]
        return _chosen("at_once", _("Laid down and closed in one turn?"), choices, answers)
    choices = [(str(points), str(points)) for points in hand.closings]
    return _chosen("at_once", _("Closed for how many points?"), choices, answers)


def _chosen(name: str, label: str, choices: list[tuple[str, str]], answers: Answers, seat: int = 0) -> FieldView:
    return FieldView(name, label, answers.get(name, ""), tuple(choices), seat)
