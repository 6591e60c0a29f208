"""The rules: their list, a page of each, and answers to questions about cards."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from tourney.domain.errors import TourneyError
from tourney.rulebook import irregularities as mishaps
from tourney.rulebook import queries, rules_diff, rules_page
from tourney.rulebook.answers import Answer, NoAnswer
from tourney.rulebook.rulesets import rules_of
from tourney.text.i18n import _

Question = Callable[..., Answer]

listing = rules_page.listing
page = rules_page.page
diff = rules_diff.diff
check = queries.check
lay_off = queries.lay_off
arrange = queries.arrange
score = queries.score
irregularities = mishaps.irregularities
ruling = mishaps.ruling


def answers(
    question: Question, rules_id: str, fields: Sequence[str], lines: Iterable[bytes], first: Sequence[str] = ()
) -> Iterator[Answer | NoAnswer]:
    """One answer to every line, as it comes; `fields` names what a line holds between tabs.

    Where `first` fields were given beforehand, a line may hold the others alone.

    Raises TourneyError NOT_FOUND before the first line where there are no such rules.
    """
    rules_of(rules_id)
    return (_answer(question, rules_id, fields, number, line, first) for number, line in enumerate(lines))


def _answer(
    question: Question, rules_id: str, fields: Sequence[str], number: int, line: bytes, first: Sequence[str]
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
        return question(rules_id, *given)
    except TourneyError as error:
        return NoAnswer(error.message)
