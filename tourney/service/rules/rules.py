"""The rules: their list, a page of each, and answers to questions about cards."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from tourney.domain.errors import TourneyError
from tourney.domain.rules import RulesRef
from tourney.rulebook import irregularities as mishaps
from tourney.rulebook import queries, rules_page
from tourney.rulebook.answers import Answer, Differences, Irregularity, NoAnswer, Page
from tourney.rulebook.rulesets import resolve
from tourney.text.i18n import _

Question = Callable[..., Answer]

listing = rules_page.listing
check = queries.check
lay_off = queries.lay_off
arrange = queries.arrange
score = queries.score
irregularities = mishaps.irregularities


def page(rules: str) -> Page:
    """Return the page of a rule set, by its name or a club's file. Raises TourneyError as `resolve` does."""
    return rules_page.page(resolve(rules))


def diff(rules: str, other: str) -> Differences:
    """Return every rule in which two rule sets differ. Raises TourneyError as `resolve` does."""
    return rules_page.diff(resolve(rules), resolve(other))


def ruling(kind: str, found: str | None = None, rules: str = "oficial") -> tuple[Irregularity, str]:
    """Return the steps for an irregularity, at every moment or at the one given, and a note on their source.

    Raises TourneyError NOT_FOUND for an unknown kind, moment or rule set.
    """
    return mishaps.ruling(resolve(rules), kind, found)


def answer(question: Question, rules: str, fields: Sequence[str]) -> Answer:
    """Return the answer to one question about cards. Raises TourneyError as the question and `resolve` do."""
    return question(resolve(rules), *fields)


def answers(
    question: Question, rules: str, fields: Sequence[str], lines: Iterable[bytes], first: Sequence[str] = ()
) -> Iterator[Answer | NoAnswer]:
    """Yield one answer to every line as it is read; `fields` names what a line holds between tabs.

    Fields given in `first` may be left out of the lines. Raises TourneyError NOT_FOUND before the first line where
    there are no such rules.
    """
    ref = resolve(rules)
    return (_answer(question, ref, fields, number, line, first) for number, line in enumerate(lines))


def _answer(
    question: Question, ref: RulesRef, fields: Sequence[str], number: int, line: bytes, first: Sequence[str]
) -> Answer | NoAnswer:
    try:
        # A byte order mark may stand before the first line of a file that a spreadsheet saved.
        text = line.decode("utf-8-sig" if number == 0 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        return NoAnswer(_("the line is not UTF-8"))
    given = text.split("\t")
    if len(given) == len(fields) - len(first):
        given = [*first, *given]
    if len(given) != len(fields):
        asked = _("the line must hold {fields}, tabs between; here: {given}")
        return NoAnswer(asked.format(fields=", ".join(fields), given=len(given)))
    try:
        return question(ref, *given)
    except TourneyError as error:
        return NoAnswer(error.message)
