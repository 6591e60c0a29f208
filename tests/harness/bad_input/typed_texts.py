"""Mutated texts, given to each reader of what people type at a prompt, in an option or in a page's field."""

import traceback
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Final

from engine.actions import parse_action, parse_answer
from engine.bots import read_bot
from engine.cards import parse_cards
from tests.harness.bad_input.judged import Judged, judged
from tests.harness.bad_input.mutations import mutated
from tourney.bots.protocol import words
from tourney.bots.roster import read_roster
from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.sheet_toml import read_flags, read_points
from tourney.ratings.parameters import parse_parameters
from tourney.service import rules
from tourney.service.events.codes import read_code
from tourney.service.leagues.exchange import read_share
from tourney.service.people_file import person_name
from tourney.service.ratings.rating_filter import parse_filter
from tourney.standings.prizes import read_amount, read_prizes
from tourney.standings.seasons.results import read_places
from tourney.standings.seasons.weights import read_decay, read_weight
from tourney.standings.table_points import read_table_points
from tourney.standings.tiebreaks.registry import read_tie_breaks
from tourney.text.cards import read_cards
from tourney.text.dates import read_date
from tourney.text.pasted_list import readings
from tourney.text.typed_words import read_decimal, read_keyword, read_yes_or_no


def _saying(read: Callable[[str], object]) -> Callable[[str], object]:
    """Return a reader whose ValueErrors are refusals, as far as the program raises them itself."""

    def reading(text: str) -> object:
        try:
            return read(text)
        except ValueError as error:
            line = traceback.extract_tb(error.__traceback__)[-1].line or ""
            if line.startswith("raise "):
                raise TourneyError(ExitCode.USAGE, str(error)) from None
            raise

    return reading


MELDS: Final = ("7h 7d 7c / 4s 5s 6s", "7h 7d 7c / 9h 9d 9c", "7h 7d 7c", "4s 5s 6s 7s *")
CARDS: Final = ("As 2s 3s 4s 7h 7d 7c Kd", "Kh 7d", "Jk", "*")
ACTIONS: Final = (
    "stock",
    "take",
    "pass",
    "claim",
    "discard 7h",
    "down 7h 7d 7c / 4s 5s 6s",
    "off 7s 1 low",
    "close Kd",
)
READERS: Final[dict[str, tuple[Callable[[str], object], Sequence[str]]]] = {
    "cards": (parse_cards, CARDS),
    "cards in Spanish letters": (lambda text: read_cards(text, "es"), ("Ap 2c 10d Kt", "comodín")),
    "melds": (lambda text: rules.answer(rules.check, "oficial", {"CONTRACT": "TE", "MELDS": text}), MELDS),
    "a contract": (lambda text: rules.answer(rules.check, "oficial", {"CONTRACT": text, "MELDS": MELDS[0]}), ("TE",)),
    "lay-offs": (lambda text: rules.answer(rules.lay_off, "oficial", {"MELD": text, "CARD": "8s"}), MELDS[2:]),
    "a card": (lambda text: rules.answer(rules.lay_off, "oficial", {"MELD": MELDS[2], "CARD": text}), ("8s", "Jk")),
    "a hand": (lambda text: rules.answer(rules.arrange, "oficial", {"CONTRACT": "TE", "CARDS": text}), CARDS),
    "points of cards": (lambda text: rules.answer(rules.score, "knock", {"CARDS": text}), CARDS),
    "an action": (parse_action, ACTIONS),
    "an answer to an offer": (parse_answer, ("buy", "decline")),
    "a filter": (words.read_filter, ("all", "none", "As Jk")),
    "a built-in bot": (read_bot, ("greedy", "planner?guarding=off")),
    "bots": (lambda text: read_roster(text.split(","), Path()), ("greedy,random", "planner?guarding=off,greedy")),
    "a sheet's hand": (lambda text: read_flags([text]), ("TT Ana=0 Beñat=20", "knock Ana=5 Beñat=85 buys=Beñat")),
    "dead hands": (lambda text: read_flags([], [text]), ("TT,TE",)),
    "points": (read_points, ("-10", "35")),
    "a parameter": (parse_parameters, ("tau=0 beta=4", "mu=25")),
    "a code": (read_code, ("72f52c8bc9706212",)),
    "names": (
        readings,
        ("1. Ana\n2. Beñat", "Ruiz, Ana\nGil, Luis", "Ana\tx@y.org\nLuis\tz@y.org", "[1/2, 9:31] Ana: no"),
    ),
    "a part": (read_share, ("3/8",)),
    "a name": (person_name, ("Ana", "María José")),
    "a day": (read_date, ("2026-11-20", "20/11/2026", "20 de noviembre de 2026")),
    "days": (lambda text: parse_filter(text, text), ("2026-11-20",)),
    "an amount": (_saying(read_amount), ("12,50",)),
    "prizes": (_saying(read_prizes), ("50 30 20",)),
    "places": (_saying(read_places), ("25 18 15",)),
    "a weight": (_saying(read_weight), ("1.5",)),
    "a decay": (_saying(read_decay), ("0.9",)),
    "table points": (_saying(read_table_points), ("4:7,5,3,1 3:6,3,1", "5 3 1")),
    "tie-breaks": (_saying(read_tie_breaks), ("hands,wins",)),
    "a decimal": (read_decimal, ("0,95",)),
    "a keyword": (read_keyword, ("back", "atrás")),
    "yes or no": (read_yes_or_no, ("yes", "sí")),
}
"""Readers of each kind of text, and texts that a person would type."""


def tried(_folder: Path, number: int, seed: int) -> Iterator[Judged]:
    """Give so many mutated texts to the readers in turn; yield what became of each."""
    for turn, (name, (read, samples)) in enumerate(islice(cycle(READERS.items()), number)):
        rng = Random(f"{seed} typed texts {turn}")
        text = mutated(rng, rng.choice(samples))
        yield judged(f"typed texts {seed} {turn}: {name}", lambda read=read, text=text: read(text))
