"""Rules for people: rule sets listed, shown and compared, questions about cards, irregularities, and game records."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import starmap
from typing import Final, TypeVar

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rules import USUAL_RULES
from tourney.files.named import read_bytes
from tourney.rulebook import irregularities as mishaps
from tourney.rulebook import queries, rules_page
from tourney.rulebook.answers import Answer, Differences, Irregularity, NoAnswer, RecordFile, RulesPage
from tourney.rulebook.records import open_record, record_digest, replay_record
from tourney.rulebook.rulesets import resolve
from tourney.service.lookup import find_event
from tourney.text.cards import Alphabet, read_cards
from tourney.text.i18n import _

Question = Callable[..., Answer]

listing = rules_page.listing
check = queries.check
lay_off = queries.lay_off
arrange = queries.arrange
score = queries.score
irregularities = mishaps.irregularities


def page(rules: str, quoted: bool = False) -> RulesPage:
    """Return the page of a rule set, by its name or a club's file; if `quoted`, with the words of every clause.

    Raises TourneyError as `resolve` does.
    """
    return rules_page.page(resolve(rules), quoted)


def page_for(db: str | None, rules: str, event: str | None, quoted: bool = False) -> RulesPage:
    """Return the page of a rule set, or of the rules that an event keeps.

    Raises TourneyError USAGE where both are named, and as `resolve` and `find_event` do.
    """
    if event is None:
        return page(rules, quoted)
    if rules != USUAL_RULES:
        message = _("an event has rules of its own: {rules} and --event do not go together").format(rules=rules[:40])
        raise TourneyError(ExitCode.USAGE, message, _("leave out one of them"))
    with storage.reading(db) as reader:
        kept = find_event(reader, event).rules
    return rules_page.page(kept, quoted)


def diff(rules: str, other: str) -> Differences:
    """Return every rule in which two rule sets differ. Raises TourneyError as `resolve` does."""
    return rules_page.diff(resolve(rules), resolve(other))


def ruling(kind: str, found: str | None = None, rules: str = USUAL_RULES) -> tuple[Irregularity, tuple[str, ...]]:
    """Return the steps for an irregularity, found at any moment or at the moment `found`, and notes on their sources.

    Raises TourneyError NOT_FOUND for an unknown kind, moment or rule set.
    """
    return mishaps.ruling(resolve(rules), kind, found)


def ruling_in_event(db: str | None, event: str, kind: str) -> tuple[Irregularity, tuple[str, ...]]:
    """Return the steps for an irregularity by the rules that an event keeps, and notes on their sources.

    Raises TourneyError NOT_FOUND for an unknown event or kind.
    """
    with storage.reading(db) as reader:
        kept = find_event(reader, event).rules
    return mishaps.ruling(kept, kind, None)


CARDS: Final = frozenset({"MELDS", "MELD", "CARD", "CARDS"})
"""The fields of questions that hold cards."""


def answer(question: Question, rules: str, fields: Mapping[str, str], alphabet: Alphabet = "en") -> Answer:
    """Return the answer to one question about cards, of which each field has a name.

    Cards are read in the alphabet. Raises TourneyError as the question, `read_cards` and `resolve` do.
    """
    ref = resolve(rules)
    return question(ref, *_in_english(fields.keys(), fields.values(), alphabet))


def _in_english(names: Iterable[str], given: Iterable[str], alphabet: Alphabet) -> Iterator[str]:
    """Yield the values of fields, cards with the engine's letters."""
    for name, value in zip(names, given, strict=True):
        yield read_cards(value, alphabet) if name in CARDS else value


def answers(
    question: Question,
    rules: str,
    fields: Sequence[str],
    lines: Iterable[bytes],
    first: Sequence[str] = (),
    alphabet: Alphabet = "en",
) -> Iterator[Answer | NoAnswer]:
    """Yield one answer to each line as it is read; `fields` are the names of a line's fields, which tabs separate.

    A line may leave out the first fields, whose values are then `first`; cards are read in the
    alphabet. Raises TourneyError NOT_FOUND before the first line for unknown rules.
    """
    ref = resolve(rules)

    def answered(number: int, line: bytes) -> Answer | NoAnswer:
        try:
            # A byte order mark may stand before the first line of a file that a spreadsheet saved.
            text = line.decode("utf-8-sig" if number == 0 else "utf-8").rstrip("\r\n")
            return question(ref, *_in_english(fields, _values(text, fields, first), alphabet))
        except UnicodeDecodeError:
            return NoAnswer(_("the line is not UTF-8"))
        except TourneyError as error:
            return NoAnswer(error.message)

    return starmap(answered, enumerate(lines))


def _values(line: str, fields: Sequence[str], first: Sequence[str]) -> Sequence[str]:
    """Return the values of a line's fields. Raises TourneyError REFUSED for a line with too few or too many."""
    given = line.split("\t")
    if len(given) == len(fields) - len(first):
        given = [*first, *given]
    if len(given) != len(fields):
        message = _("the line must hold {fields}, tabs between; here: {given}")
        raise TourneyError(ExitCode.REFUSED, message.format(fields=", ".join(fields), given=len(given)))
    return given


Value = TypeVar("Value")

MAX_BYTES = 4_000_000
"""The maximum size of a record; a game of seven hands takes about 20,000 bytes. TOML takes 100 times its size."""


def show(path: str) -> RecordFile:
    """Return the contents of a record file. Raises TourneyError NOT_FOUND, and REFUSED for text that is no record."""
    text = record_text(path)
    return RecordFile(path, record_digest(text), naming(path, open_record, text))


def replay(path: str, rules: str | None = None) -> RecordFile:
    """Replay every action of a record, by the rules that it names or by `rules`, and return it with the outcome.

    Raises TourneyError REFUSED, naming hand and step, if an action is illegal or the scores differ from the record's.
    """
    text = record_text(path)
    page = naming(path, open_record, text)
    ref = None if rules is None else resolve(rules)
    outcome = naming(path, lambda record: replay_record(record, ref), text)
    return RecordFile(path, record_digest(text), replace(page, outcome=outcome))


def naming(path: str, verb: Callable[[str], Value], text: str) -> Value:
    """Return the verb's value for the text; add the file to the verb's refusals."""
    try:
        return verb(text)
    except TourneyError as error:
        raise TourneyError(error.code, f"{path}: {error.message}", error.hint) from error


def record_text(path: str) -> str:
    """Return the text of a record file. Raises TourneyError NOT_FOUND, and REFUSED for text that is not UTF-8."""
    hint = _("check the name; `tourney result show --record` prints a record")
    raw = read_bytes(path, MAX_BYTES, hint)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        message = _("{path}: this is no record: byte {place} is not UTF-8").format(path=path, place=error.start)
        raise TourneyError(ExitCode.REFUSED, message, hint) from error
