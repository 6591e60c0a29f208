"""The fields of one hand as a page shows them: what may be chosen, what was typed, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from tourney.domain.results import DeclaredHand
from tourney.rulebook.knock_sheets import ending_text
from tourney.service.results.typed_hand import Fault, HandForm, TypedHand, answers_of, hand_form, later_forms
from tourney.text.cards import alphabet_text, unbroken_suits
from tourney.text.i18n import _
from tourney.web.pages.table.opened import Opened

BUY = "buy-"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several answers to a question."""

    value: str
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class FieldView:
    """A field: its name, its label, its choices or (without them) its text, and what is wrong with it.

    `seat` counts from 1 where each player has the field, and is 0 otherwise. `readings` are answers that may have been
    meant; `may_keep` says that the answer counts if it is given once more.
    """

    name: str
    label: str
    value: str = ""
    choices: tuple[Choice, ...] = ()
    seat: int = 0
    fault: str = ""
    readings: tuple[str, ...] = ()
    may_keep: bool = False


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand with all its fields; `kept` are those whose unusual answer is right."""

    place: int
    name: str
    title: str
    action: str
    fields: tuple[FieldView, ...]
    kept: tuple[str, ...]
    hides_closer: bool
    letters: str
    fault: str = ""

    @property
    def points(self) -> tuple[FieldView, ...]:
        """Return the fields in which points or cards are typed."""
        return tuple(field for field in self.fields if field.name.startswith("points-"))


def hand_view(
    at: Opened,
    place: int,
    answers: Mapping[str, str],
    read: TypedHand | None = None,
    kept: Collection[str] = (),
) -> HandView:
    """Return the hand at that place with its answers; `read` is what the service says of them."""
    return _view(at, place, hand_form(at.at.event, at.at.table, at.hands[:place]), answers, read, kept)


def later_views(at: Opened, place: int) -> list[HandView]:
    """Return the hands after that place, blank, for a phone that loses its network and cannot load them."""
    forms = later_forms(at.at.event, at.at.table, place + 1)
    return [_view(at, number, form, {}) for number, form in enumerate(forms, place + 1)]


def _view(
    at: Opened,
    place: int,
    form: HandForm,
    answers: Mapping[str, str],
    read: TypedHand | None = None,
    kept: Collection[str] = (),
) -> HandView:
    fields = tuple(_with_fault(field, read) for field in _fields(form, at.names, answers, read))
    fault = ""
    if read is not None and read.question is not None and read.question.field not in {field.name for field in fields}:
        fault = read.fault or read.question.text
    is_contract = not form.endings
    return HandView(
        place,
        form.name,
        _title(at, place, form),
        f"{at.home}/hands/{place + 1}",
        fields,
        tuple(kept),
        is_contract,
        unbroken_suits(alphabet_text(form.letters)),
        fault,
    )


def _title(at: Opened, place: int, form: HandForm) -> str:
    """Return the heading of a hand: its number and its contract, or its number in the knock game."""
    if form.endings:
        return form.name
    last = place + 1 + len(later_forms(at.at.event, at.at.table, place + 1))
    return _("Hand {number} of {last}: {contract}").format(number=place + 1, last=last, contract=form.name)


def typed_answers(at: Opened, hand: DeclaredHand) -> dict[str, str]:
    """Return the answers of a hand that was typed before, as its fields show them."""
    return answers_of(at.at.event, at.at.table, hand)


def _fields(
    form: HandForm, names: list[str], answers: Mapping[str, str], read: TypedHand | None
) -> Iterator[FieldView]:
    if form.endings:
        endings = [(ending, ending_text(ending)) for ending in form.endings]
        yield _chosen("ending", _("How did it end?"), [*endings, ("-", _("nobody ended it"))], answers)
        closers = [(str(seat + 1), names[seat]) for seat in form.seats]
        yield _chosen("closer", _("Who ended it?"), closers, answers)
        yield FieldView("jokers", _("Jokers among the ten cards (only for rummy)"), answers.get("jokers", ""))
    else:
        closers = [(str(seat + 1), names[seat]) for seat in form.seats]
        yield _chosen("closer", _("Who closed?"), [*closers, ("-", _("nobody (dead hand)"))], answers)
        if len(form.closings) > 1:
            yield _at_once(form, answers)
    for seat in form.seats:
        name = f"points-{seat + 1}"
        yield FieldView(name, names[seat], answers.get(name, ""), seat=seat + 1)
    asked = read.question.field if read is not None and read.question is not None else ""
    for seat in form.seats:
        name = f"{BUY}{seat + 1}"
        if name in (asked, *answers):
            label = _("Does {player} buy points off?").format(player=names[seat])
            if read is not None and read.question is not None and name == asked:
                label = read.question.text
            yield _chosen(name, label, [(_("n"), _("No")), (_("y"), _("Yes"))], answers, seat + 1)


def _at_once(form: HandForm, answers: Mapping[str, str]) -> FieldView:
    """Return the question for the closer's points, which is whether they closed in one turn if there are but two."""
    late, *others = form.closings
    answers = {"at_once": str(late), **answers}
    if len(others) == 1:
        choices = [(str(late), _("No")), (str(others[0]), _("Yes, for {points}").format(points=others[0]))]
        return _chosen("at_once", _("Laid down and closed in one turn?"), choices, answers)
    choices = [(str(points), str(points)) for points in form.closings]
    return _chosen("at_once", _("Closed for how many points?"), choices, answers)


def _chosen(
    name: str, label: str, choices: list[tuple[str, str]], answers: Mapping[str, str], seat: int = 0
) -> FieldView:
    value = answers.get(name, "")
    return FieldView(name, label, value, tuple(Choice(each, text, each == value) for each, text in choices), seat)


def _with_fault(field: FieldView, read: TypedHand | None) -> FieldView:
    """Return the field with what is wrong with it."""
    found = next((fault for fault in _faults(read) if fault.field == field.name), None)
    if found is None:
        return field
    readings = tuple(map(str, found.readings)) or ((found.suggested,) if found.suggested else ())
    text = found.text or (_("this is still missing") if not field.name.startswith(BUY) else _("please answer this"))
    return replace(field, fault=text, readings=readings, may_keep=found.may_keep)


def _faults(read: TypedHand | None) -> Iterator[Fault]:
    """Yield the fault of the field in question, then those of others."""
    if read is not None and read.question is not None:
        yield Fault(read.question.field, read.fault, read.suggested, read.readings, read.may_keep)
        yield from read.further
