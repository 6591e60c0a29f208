"""Parts that all pages of the desk share: surroundings, a change that a form makes, and why one was refused."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from tourney.domain.errors import DoubtWarning, ExitCode, TourneyError
from tourney.domain.status import Status
from tourney.reports.impact import with_cuts, with_moves
from tourney.reports.render.report import Report
from tourney.service.change import Change
from tourney.service.directory import names_in_full
from tourney.service.events.codes import journal_code
from tourney.service.impact import preview
from tourney.service.results.flags import open_calls
from tourney.service.rounds.draw_round import waiting_for_results
from tourney.service.stages.watched_change import apply_watched
from tourney.service.web.as_seen import AsSeen, marks_of
from tourney.text.i18n import _, commands_in, for_terminal
from tourney.web.answers import Answer, Moved, View, hint_of, page_hint, status_of
from tourney.web.forms import Done, key_of
from tourney.web.page import Asked, Page
from tourney.web.pages.desk.chapters import HOME, chapter_of, links, page_of, tools
from tourney.web.render import Link, Shown, report_view, sentences
from tourney.web.server import answering_form

Outcome = TypeVar("Outcome")
Refused = TourneyError | None
Answering = Callable[[Asked], Answer]

DONE: Final = "done"
"""The field of a query that has the key of a form, to show what it did."""
Button = tuple[Callable[[], Change[Any]], Callable[[Any], Report], str | Callable[[Any], str]]
"""The change that a button makes, its report, and the page that shows it."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A message above a page of the desk: what was done, or why it was not, and links to what helps."""

    title: str
    sentences: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Surroundings of a page of the desk.

    `seen` says which state a form was filled in for, `event` is the event that it is about ("": none), and `marks` has
    the marks of what forms are about. `calls` are the calls of tables that have no answer yet. `tools` are links of its
    head.
    """

    links: Sequence[Link]
    tools: Sequence[Link]
    chapter: str
    seen: str
    event: str
    message: Notice | None
    marks: Mapping[str, str]
    calls: int = 0


def page(path: str, answer: Answering, *query: str) -> Page:
    """Return the line of a page of the desk that is read."""
    return Page(path, _answering(answer), "desk", query=(DONE, *query))


def form(path: str, answer: Answering) -> Page:
    """Return the line of a form of the desk, which names events and people as its page has written them."""

    def named_in_full(asked: Asked) -> Answer:
        with names_in_full(), answering_form(asked.field("event")):
            return answer(asked)

    return Page(path, _answering(named_in_full), "desk", "POST")


def for_event(answer: Answering) -> Answering:
    """Return the function of a page that needs an event: without one it leads to where one is made or chosen."""

    def chosen(asked: Asked) -> Answer:
        return Moved("/desk/events") if asked.server.event_if_any() is None else answer(asked)

    return chosen


def view(
    asked: Asked,
    template: str,
    title: str,
    values: Mapping[str, Any] | None = None,
    refused: Refused = None,
    *,
    about: Collection[str] = (),
) -> View:
    """Return a page of the desk; one that shows why a form was refused keeps what was typed, and stays as it is.

    `about` is what its forms are about, as `marks_of` takes it. Its template asks `sent` for what was typed in a field.
    """
    message = _done(asked) if refused is None else refusal(refused)
    event = asked.server.event_if_any()
    name = event.settings.name if event else ""
    marks = marks_of(asked.db, name, about)
    calls = len(open_calls(asked.db, name)) if event else 0
    around = Surroundings(links(), tools(), chapter_of(asked.url), _seen(asked.db), name, message, marks, calls)
    status = 200 if refused is None else status_of(refused)
    return View(
        f"desk/{template}",
        title,
        {"desk": around, "home": HOME, "sent": asked.field, **(values or {})},
        status,
        live=refused is None,
    )


def draw_text(asked: Asked, found: Status) -> str:
    """Return the text of the button that draws the next round at once; "" where the desk has to decide first."""
    draws = [command for command in found.next if command.words[1:3] == ("round", "draw")]
    if not draws or found.event is None or waiting_for_results(asked.db, found.event.settings.name).tables:
        return ""
    return draws[0].button or draws[0].why


def submit(
    asked: Asked,
    change: Callable[[], Change[Outcome]],
    report: Callable[[Outcome], Report],
    to: str | Callable[[Outcome], str],
    again: Callable[[Asked, Refused], Answer],
    more: Sequence[Link] = (),
) -> Answer:
    """Make the change of a form, and go to the page `to`, which shows its report; if it is refused, `again` says why.

    A form that is sent twice counts once, and one of an older page is refused if somebody has changed meanwhile what it
    is about. `change` may refuse the fields of the form, too; `more` are links beside the report.
    """
    key = key_of(asked.visitor.name.encode(), asked.url.encode(), asked.body)
    forms = asked.server.forms
    try:
        done = forms.sent_again(key)
        if done is None:
            with _doubted() as doubts:
                made = apply_watched(asked.db, as_seen(asked, change()), by=asked.visitor.name)
            shown = with_cuts(report(made.outcome), made.cuts)
            path = to if isinstance(to, str) else to(made.outcome)
            steps = tuple(step for step in shown.next_steps if not for_terminal(step))
            helpful = tuple(link for cut in made.cuts for line in cut.lines for link in _pages_in(line))
            offered = tuple(dict.fromkeys((link.path, link.text) for link in (*helpful, *more)))
            done = Done(shown.title, (*sentences(shown), *doubts, *steps), path, datetime.now(UTC), offered)
            forms.keep(key, done)
    except TourneyError as error:
        return again(asked, error)
    return Moved(_with_key(done.to, key))


def press(
    asked: Asked,
    again: Callable[[Asked, Refused], Answer],
    buttons: Mapping[str, Button],
    more: Sequence[Link] = (),
) -> Answer:
    """Do what the button says that was pressed, as `submit` does. Raises TourneyError USAGE for another button."""
    if asked.field("do") not in buttons:
        raise unknown_button()
    return submit(asked, *buttons[asked.field("do")], again, more)


def unknown_button() -> TourneyError:
    """Return the refusal of a form with a button that no page has."""
    return TourneyError(ExitCode.USAGE, _("this page cannot be used in this way"), _("load the page again"))


def did(asked: Asked, title: str, said: tuple[str, ...], to: str) -> Moved:
    """Go to a page, and say there what was done, each time that it was asked for."""
    key = key_of(asked.url.encode(), asked.body, datetime.now(UTC).isoformat().encode())
    asked.server.forms.keep(key, Done(title, said, to, datetime.now(UTC)))
    return Moved(_with_key(to, key))


def as_seen(asked: Asked, change: Change[Outcome]) -> Change[Outcome]:
    """Return the change of a form, which is refused if what the form is about is not as its page showed it."""
    about = asked.field("about")
    return AsSeen(asked.field("event"), about, asked.field("mark"), change) if about.strip() else change


@contextmanager
def _doubted() -> Iterator[list[str]]:
    """Yield a list that has, when the block has ended, the doubts about the change made in it.

    The terminal of the desk's computer gets all warnings as before.
    """
    doubts = list[str]()
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        yield doubts
    for each in given:
        warnings.warn(each.message, stacklevel=2)
    doubts += [each.message.doubt for each in given if isinstance(each.message, DoubtWarning)]


def previewed(asked: Asked, change: Change[Outcome], report: Callable[[Outcome], Report], title: str = "") -> Shown:
    """Return what a change would do and move in standings and ratings. Raises TourneyError as it does.

    The title of a change's report says what was done; a preview has one that says what will be.
    """
    found = preview(asked.db, change, by=asked.visitor.name)
    shown = report_view(with_cuts(with_moves(report(found.outcome), found.moves), found.cuts))
    return replace(shown, title=title or _("After this change"))


def event_name(asked: Asked) -> str:
    """Return the event that a form is about, or else the one that is served."""
    return asked.field("event") or asked.server.event().settings.name


def whole_number(asked: Asked, name: str, *, below_zero: bool = False) -> int | None:
    """Return the number in a field of a form; None if it is empty. Raises TourneyError USAGE for other text."""
    text = asked.field(name).strip()
    if not text:
        return None
    digits = text.removeprefix("-") if below_zero else text
    if digits.isascii() and digits.isdecimal() and len(digits) <= 6:
        return int(text)
    message = _("“{text}” is not a whole number").format(text=text[:40])
    raise TourneyError(ExitCode.USAGE, message, _("write it in digits, such as 75"))


def typed_field(asked: Asked, name: str, present: str) -> str:
    """Return what a field shows: what was typed into it, or else the present value, whatever an older page had."""
    return asked.field(name) if name in asked.form and asked.field(name) != _was(asked, name, present) else present


def changed_fields(asked: Asked, present: Mapping[str, str], labels: Mapping[str, str]) -> tuple[str, ...]:
    """Return the fields of a form that differ from what its page showed: what others have changed meanwhile stays.

    Raises TourneyError CONFLICT if somebody else has changed one of them to something else.
    """
    was = {name: _was(asked, name, value) for name, value in present.items()}
    changed = tuple(name for name in present if name in asked.form and asked.field(name) != was[name])
    for name in changed:
        if present[name] not in (was[name], asked.field(name)):
            message = _("somebody else has changed “{field}” meanwhile, to “{value}”")
            message = message.format(field=labels[name], value=present[name])
            raise TourneyError(ExitCode.CONFLICT, message, _("save it again if yours is right"))
    return changed


def _was(asked: Asked, name: str, present: str) -> str:
    """Return the value of a field when its page was made."""
    return asked.form.get(f"was-{name}", (present,))[0]


def refusal(error: TourneyError) -> Notice:
    """Return why something was refused, with links to the pages that do what the hint says in commands."""
    hint = page_hint(error)
    return Notice(error.message, (hint,) if hint else (), tuple(_pages_in(hint_of(error))), refused=True)


def _pages_in(hint: str) -> Iterator[Link]:
    named = {chapter.path: chapter.text for chapter in links()}
    for command in commands_in(hint):
        with suppress(ValueError):  # of a command that is cut or has one quotation mark
            path = page_of(shlex.split(command))
            if path:
                yield Link(path, named.get(chapter_of(path), path))


def _answering(answer: Answering) -> Answering:
    """Return the function of a page whose refusals keep the surroundings of the desk."""

    def answered(asked: Asked) -> Answer:
        try:
            return answer(asked)
        except TourneyError as error:
            return view(asked, "refused.html", _("Desk"), refused=error)

    return answered


def _done(asked: Asked) -> Notice | None:
    """Return what the form did that led to this page."""
    done = asked.server.forms.news(asked.query.get(DONE, ""))
    if done is None:
        return None
    return Notice(done.title, done.sentences, tuple(Link(path, text) for path, text in done.links))


def _with_key(path: str, key: str) -> str:
    place, _mark, fragment = path.partition("#")
    query = f"{place}{'&' if '?' in place else '?'}{DONE}={key}"
    return f"{query}#{fragment}" if fragment else query


def _seen(db: str | None) -> str:
    try:
        return journal_code(db)
    except TourneyError:
        return ""
