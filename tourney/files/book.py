"""Books: files with a fixed list of deals for leagues, a seed on each line, as records have them."""

from collections.abc import Iterable, Iterator
from typing import Final

from tourney.files.named import Path, read_bytes, refusal
from tourney.text.i18n import _

MAX_DEALS: Final = 10_000
"""The most deals of a book: a league keeps them all with its settings."""
MAX_SEED: Final = 200
"""The most characters of a seed."""
MAX_BYTES: Final = 4_000_000
COMMENT: Final = "#"


def read_book(path: Path) -> tuple[str, ...]:
    """Return the seeds of a book's deals, in order; blank lines and those that begin with # are left out.

    Raises TourneyError as `read_bytes`, and REFUSED, with the number of the line, for a line that is no seed or is
    there twice.
    """
    hint = _("write a book with `tourney league book --deals 100 --output book.txt`")
    data = read_bytes(path, MAX_BYTES, hint)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refusal(path, line, _("it is not text in UTF-8"), hint) from None
    lines: dict[str, int] = {}
    for number, seed in _seeds(text):
        problem = _problem(seed, lines)
        if problem:
            raise refusal(path, number, problem, hint)
        lines[seed] = number
    if not lines:
        raise refusal(path, 0, _("there is no deal in it"), hint)
    return tuple(lines)


def _seeds(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line that has a seed."""
    for number, line in enumerate(text.split("\n"), 1):
        seed = line.strip()
        if seed and not seed.startswith(COMMENT):
            yield number, seed


def _problem(seed: str, lines: dict[str, int]) -> str:
    """Return why the text cannot be the next seed after these; '' if it can."""
    if len(seed) > MAX_SEED:
        return _("the seed has more than {most} characters").format(most=MAX_SEED)
    if not seed.isprintable():
        return _("the seed has characters that cannot be printed")
    if seed in lines:
        return _("the deal of line {line} is there a second time").format(line=lines[seed])
    if len(lines) == MAX_DEALS:
        return _("a book has at most {most} deals").format(most=MAX_DEALS)
    return ""


def book_text(seeds: Iterable[str]) -> str:
    """Return the text of a book's file, of which `read_book` is the inverse."""
    deals = list(seeds)
    return "".join(f"{line}\n" for line in (f"{COMMENT} deals: {len(deals)}", *deals))
