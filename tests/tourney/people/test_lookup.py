"""Tests of finding entrants by number or name."""

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.domain.events import Event, EventSettings
from tourney.domain.people import Player
from tourney.domain.rules import RulesRef
from tourney.service.lookup import find_entrant

ENTRANTS = (Player(7, "Ana"), Player(3, "Beñat"), Player(9, "Ana", label="Getxo"), Player(4, "42"), Player(5, "Eva"))
EVENT = Event(1, EventSettings("Friday", "oficial"), RulesRef("oficial"), ENTRANTS)


@pytest.mark.parametrize(
    ("text", "player"),
    [("1", 7), (" 2 ", 3), ("02", 3), ("5", 5), ("benat", 3), ("Ana (getxo)", 9), ("42", 4), ("٣", 9)],
)
def test_an_entrant_is_found_by_short_number_or_name(text: str, player: int) -> None:
    """Short numbers count the entrants from 1; a name that is a number has precedence."""
    assert find_entrant(EVENT, text).id == player


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0", ("Friday has no entrant 0", "from 1 to 5")),
        ("6", ("Friday has no entrant 6",)),
        ("9" * 50, ("has no entrant 99999",)),
        ("-1", ("nobody is called “-1”",)),
        ("Beñit", ("nobody is called “Beñit”", "did you mean Beñat?")),
        ("ana", ("Ana, Ana (Getxo)",)),
        ("", ("nobody is called “”",)),
    ],
)
def test_an_unknown_entrant_is_refused_with_a_hint(text: str, words: tuple[str, ...]) -> None:
    """Check that the refusal names the possible numbers or a similar name."""
    with desk.refused(ExitCode.NOT_FOUND, *words):
        find_entrant(EVENT, text)
