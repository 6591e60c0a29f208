"""One table of hands for the three faces of a sheet's reader: the prompt, the desk's form and a phone.

Every face makes the same hand of the same answers, or says the same at the same field. What one face has alone (names
and lines with all points, who closed left out) has its own tests, or names its faces here.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from random import Random
from typing import NamedTuple

import pytest

from tests.harness import desk
from tests.harness.web.asking import TestClient, client
from tests.harness.web.markup import Markup
from tests.harness.web.phone import Phone
from tourney.domain.errors import ExitCode
from tourney.domain.people import Player
from tourney.domain.results import SheetHand
from tourney.service.results import entry
from tourney.service.results.dialogue import SheetDialogue, is_answered, questions
from tourney.service.results.sheets import judge, seated
from tourney.service.results.typed_sheet import check_sheet, field_of
from tourney.service.web import access, submissions

Fields = Mapping[str, str]
AT = (None, 1, 1)


class Read(NamedTuple):
    """The hands that a face has read, and what it says at which field of the first one that it does not accept."""

    hands: tuple[SheetHand[int], ...]
    faults: Mapping[str, str]


@dataclass(frozen=True)
class Club:
    """A database with an event of which a round is drawn, its pages, and the key of table 1."""

    db: str
    pages: TestClient
    token: str


def at_the_prompt(club: Club, hands: Sequence[Fields], kept: Collection[str] = ()) -> Read:
    """Type the answers as lines; what is right although unusual is typed again."""
    dialogue = entry.begin(club.db, *AT)
    for fields in hands:
        number = len(dialogue.draft.hands)
        while len(dialogue.draft.hands) == number:
            asked = next(_open(dialogue))
            name = field_of(*asked)
            said = dialogue.answer(fields.get(name, ""))
            if name in kept and asked in _open(dialogue):
                said = dialogue.answer(fields[name])
            if len(dialogue.draft.hands) == number and asked in _open(dialogue):
                return Read(tuple(dialogue.draft.hands), {name: " ".join(said)})
    return Read(tuple(dialogue.draft.hands), {})


def _open(dialogue: SheetDialogue) -> Iterator[tuple[object, int]]:
    return (question for question in questions(dialogue.draft) if not is_answered(dialogue.draft, question))


def in_a_form(club: Club, hands: Sequence[Fields], kept: Collection[str] = ()) -> Read:
    """Send the answers in the form of the desk."""
    right = {(place, name, fields.get(name, "")) for place, fields in enumerate(hands) for name in kept}
    sheet = check_sheet(club.db, AT, hands, right)
    wrong = [hand for hand in sheet.hands[: len(hands)] if not hand.complete]
    return Read(sheet.first, {fault.field: fault.text for hand in wrong[:1] for fault in hand.faults})


def on_a_phone(club: Club, hands: Sequence[Fields], kept: Collection[str] = ()) -> Read:
    """Send the answers hand by hand from a new phone, each of them twice as where an answer of the server was lost."""
    phone, faults = Phone(club.pages, club.token, 1), dict[str, str]()
    for number, fields in enumerate(hands, 1):
        first, answer = (phone.type_hand(number, {**fields, "keep": list(kept)}) for _time in range(2))
        assert first.status_code == answer.status_code, Markup(answer.text).texts
        if answer.status_code != 303:
            found = re.findall(r'id="(h\d+-[\w-]+)-fault"><span[^>]*>([^<]*)', answer.text)
            elements = [values for _tag, values in Markup(answer.text).elements]
            names = {each.get("id"): each.get("name", each.get("data-field", "")) for each in elements}
            faults = {names[of]: unescape(text) for of, text in found}
            break
    sheets = submissions.sheets_of_table(club.db, "Friday", 1, 1).sheets
    typed = next((sheet.hands for sheet in sheets if sheet.device == phone.device), ())
    phone.post("/leave")
    return Read(typed, faults)


FACES = {"the prompt": at_the_prompt, "a form": in_a_form, "a phone": on_a_phone}
FORMS = ("a form", "a phone")


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """An event by the rules of contracts, with four players at a table."""
    db = desk.drawn(tmp_path_factory.mktemp("four") / "club.db")
    with client(db, entry=True) as pages:
        yield Club(db, pages, access.grant_tables(db, None)[0].token)


@pytest.fixture(scope="module")
def knock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """An event by the rules of the knock game, with three players at a table and a stake of 50."""
    db = desk.drawn(tmp_path_factory.mktemp("knock") / "club.db", 3, rules="knock", size=3, stake=50)
    with client(db, entry=True) as pages:
        yield Club(db, pages, access.grant_tables(db, None)[0].token)


@dataclass(frozen=True)
class Case:
    """Answers of a hand, and the hand or the words at each field; `kept` are right although unusual."""

    fields: Fields
    hand: SheetHand[int] | None = None
    said: Fields = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    faces: tuple[str, ...] = tuple(FACES)


USUAL = {"closer": "1", "points-2": "35", "points-3": "17", "points-4": "20"}
FIRST = SheetHand("TT", {0: 0, 1: 35, 2: 17, 3: 20}, 0)
DEAD = {"closer": "-", "points-1": "40", "points-2": "35", "points-3": "17", "points-4": "20"}
KNOCK = {"ending": "knock", "closer": "1", "points-1": "5", "points-2": "30", "points-3": "40"}

HANDS = {
    "a closer who had laid down before": Case(USUAL, FIRST),
    "a closer in one turn": Case(USUAL | {"at_once": "y"}, replace(FIRST, points={**FIRST.points, 0: -10})),
    "a closer with a bonus": Case(USUAL | {"at_once": "−10"}, replace(FIRST, points={**FIRST.points, 0: -10})),
    "a hand that nobody closed": Case(DEAD, SheetHand("TT", {**FIRST.points, 0: 40}, dead=True)),
    "cards that are left": Case(
        USUAL | {"points-2": "Kh 7d"}, SheetHand("TT", {0: 0, 2: 17, 3: 20}, 0, left={1: "Kh 7d"})
    ),
    "points with a sign and blanks": Case(USUAL | {"points-2": " +35 "}, FIRST),
    "unusual points that are right": Case(
        USUAL | {"points-2": "105"}, replace(FIRST, points={**FIRST.points, 1: 105}), kept=("points-2",)
    ),
    "a closer by 0 points": Case(
        {"points-1": "30", "points-2": "0", "points-3": "17", "points-4": "20"},
        SheetHand("TT", {0: 30, 1: 0, 2: 17, 3: 20}, 1),
        faces=FORMS,
    ),
    "a closer by a bonus": Case(
        {"points-1": "30", "points-2": "-10", "points-3": "17", "points-4": "20"},
        SheetHand("TT", {0: 30, 1: -10, 2: 17, 3: 20}, 1),
        faces=FORMS,
    ),
    "a closer with points in their field": Case(
        USUAL | {"points-1": "-10"}, replace(FIRST, points={**FIRST.points, 0: -10}), faces=("a form",)
    ),
}
"""Hands by the rules of contracts: closing scores 0, or -10 in one turn (003/1.10)."""

FAULTS = {
    "an unusual number": Case(
        USUAL | {"points-2": "105"}, said={"points-2": "105 points are unusual in TT: did you mean 15, 10 or 5?"}
    ),
    "other unusual points than those that are right": Case(
        USUAL | {"points-2": "105", "points-3": "190"}, said={"points-3": "unusual in TT"}, kept=("points-2",)
    ),
    "points that no cards have": Case(
        USUAL | {"points-3": "1"}, said={"points-3": "no cards of these packs add up to 1"}
    ),
    "points that were meant": Case(USUAL | {"points-3": "1"}, said={"points-3": "did you mean 2?"}),
    "a fraction": Case(USUAL | {"points-2": "12,5"}, said={"points-2": "“12,5” is not a whole number"}),
    "a point": Case(USUAL | {"points-3": "17.5"}, said={"points-3": "“17.5” is not a whole number"}),
    "a letter for a digit": Case(
        USUAL | {"points-2": "3o"}, said={"points-2": "“3o” is not a number; did you mean 30?"}
    ),
    "not a card": Case(USUAL | {"points-2": "Kx"}, said={"points-2": "'Kx' is not a card"}),
    "words": Case(USUAL | {"points-4": "lots"}, said={"points-4": "lots"}),
    "a second closer": Case(USUAL | {"points-2": "0"}, said={"points-2": "2 players closed"}),
    "a bonus for another player": Case(USUAL | {"points-2": "-35"}, said={"points-2": "did you mean 35?"}),
    "a third ace of spades": Case(
        USUAL | {"points-2": "As", "points-3": "As As"},
        said={"points-3": "As is left once too often; the packs hold 2"},
    ),
    "too many points together": Case(
        USUAL | {"points-2": "900", "points-3": "400"}, said={"points-3": "points together"}, kept=("points-2",)
    ),
    "0 points in a dead hand": Case(
        DEAD | {"points-1": "0"}, said={"points-1": "has 0 points, but in a dead hand everybody holds cards"}
    ),
    "neither yes nor no": Case(USUAL | {"at_once": "maybe"}, said={"at_once": "type y or n"}),
    "a bonus that there is not": Case(USUAL | {"at_once": "-20"}, said={"at_once": "type y or n"}),
    "a seat that is not there": Case(USUAL | {"closer": "9"}, said={"closer": "this table has no seat 9"}),
    "nothing typed": Case(USUAL | {"points-2": ""}, said={"points-2": "this is still missing"}, faces=FORMS),
    "nothing typed for two players": Case(
        {"closer": "1", "points-3": "17"},
        said={"points-2": "this is still missing", "points-4": "this is still missing"},
        faces=FORMS,
    ),
    "no closer and points missing": Case(
        {"points-3": "17", "points-2": "x"}, said={"closer": "this is still missing", "points-2": "x"}, faces=FORMS
    ),
    "two closers by their points": Case(
        {"points-1": "0", "points-2": "0", "points-3": "17", "points-4": "20"},
        said={"closer": "2 players have 0 or -10: choose who closed"},
        faces=FORMS,
    ),
    "no closer by their points": Case(
        DEAD | {"closer": ""},
        said={"closer": "nobody has 0 or -10: choose who closed, or that nobody did"},
        faces=FORMS,
    ),
    "three mistakes": Case(
        USUAL | {"points-2": "3o", "points-3": "", "points-4": "1"},
        said={"points-2": "3o", "points-3": "this is still missing", "points-4": "no cards of these packs add up to 1"},
        faces=FORMS,
    ),
    "a closer with points of a hand": Case(USUAL | {"points-1": "5"}, said={"points-1": "type 0 or -10"}, faces=FORMS),
    "one turn and 0 points": Case(
        USUAL | {"at_once": "y", "points-1": "0"}, said={"points-1": "type -10"}, faces=("a form",)
    ),
}

KNOCK_FAULTS = {
    "an unknown ending": Case({"ending": "zap"}, said={"ending": "type knock, rummy, color or continental"}),
    "an ambiguous ending": Case({"ending": "co"}, said={"ending": "“co” may be color or continental"}),
    "a seat that is not there": Case(KNOCK | {"closer": "9"}, said={"closer": "this table has no seat 9: 1 "}),
    "a knock with too many points": Case(
        KNOCK | {"points-1": "6"}, said={"points-1": "has 6 points; a player knocks with 0 to 5"}
    ),
    "points that no deadwood has": Case(
        KNOCK | {"points-2": "1"}, said={"points-2": "no hand leaves 1 point of deadwood"}
    ),
    "a doubled digit": Case(KNOCK | {"points-1": "55"}, said={"points-1": "did you mean 5?"}),
    "a fraction": Case(KNOCK | {"points-2": "4,5"}, said={"points-2": "“4,5” is not a whole number"}),
    "not a card": Case(KNOCK | {"points-2": "Kx"}, said={"points-2": "'Kx' is not a card"}),
    "a third ace of spades": Case(
        KNOCK | {"points-2": "As As As"}, said={"points-2": "As is left once too often; the packs hold 2"}
    ),
    "too many jokers": Case(
        KNOCK | {"ending": "rummy", "jokers": "5"},
        said={"jokers": "cannot have 5 jokers; only 4 can be in that hand"},
    ),
    "jokers in words": Case(
        KNOCK | {"ending": "rummy", "jokers": "two"}, said={"jokers": "“two” is not a number of jokers"}
    ),
    "neither yes nor no": Case(
        {"ending": "-", "points-1": "60", "points-2": "85", "points-3": "90", "buy-3": "maybe", "buy-2": "maybe"},
        said={"buy-3": "type y or n"},
    ),
}


def cases(table: Mapping[str, Case]) -> list[object]:
    """Return each case of a table with each of its faces."""
    return [pytest.param(name, face, id=f"{name}, {face}") for name, case in table.items() for face in case.faces]


@pytest.mark.parametrize(("name", "face"), cases(HANDS))
def test_every_face_reads_the_same_hand(four: Club, name: str, face: str) -> None:
    case = HANDS[name]
    assert FACES[face](four, [case.fields], case.kept) == ((case.hand,), {})


@pytest.mark.parametrize(("name", "face"), cases(FAULTS))
def test_every_face_says_the_same_of_a_mistake_at_its_field(four: Club, name: str, face: str) -> None:
    _assert_said(FACES[face](four, [FAULTS[name].fields], FAULTS[name].kept), FAULTS[name])


@pytest.mark.parametrize(("name", "face"), cases(KNOCK_FAULTS))
def test_every_face_says_the_same_of_a_mistake_in_the_knock_game(knock: Club, name: str, face: str) -> None:
    _assert_said(FACES[face](knock, [KNOCK_FAULTS[name].fields]), KNOCK_FAULTS[name])


def _assert_said(read: Read, case: Case) -> None:
    assert read.hands == ()
    assert list(read.faults)[: len(case.said)] == list(case.said) or read.faults.keys() >= case.said.keys()
    for name, words in case.said.items():
        assert words in read.faults[name], read


WHOLE = [
    {"closer": "1", "points-2": "40", "points-3": "50", "points-4": "30"},
    {"closer": "2", "at_once": "y", "points-1": "17", "points-3": "20", "points-4": "40"},
    {"closer": "-", "points-1": "30", "points-2": "41", "points-3": "22", "points-4": "9"},
    {"closer": "3", "points-1": "Kh 7d", "points-2": "9", "points-4": "12"},
    {"closer": "1", "at_once": "n", "points-2": "10", "points-3": "11", "points-4": "12"},
    {"closer": "3", "at_once": "-10", "points-1": "12", "points-2": "13", "points-4": "14"},
    {"closer": "1", "at_once": "0", "points-2": "14", "points-3": "15", "points-4": "16"},
]
TOTALS = (0 + 17 + 30 + 17 + 0 + 12 + 0, 40 - 10 + 41 + 9 + 10 + 13 + 14, 50 + 20 + 22 + 0 + 11 - 10 + 15, 133)
"""The sums of WHOLE by seat: a king and a seven are 17 points (003/1.2)."""

GOLDEN = [
    {
        "ending": "knock",
        "closer": "3",
        "points-3": "1",
        "points-1": "37",
        "points-2": "9s Ts Js Qs 4d 4s 7h 2d 6s As",
    },
    {"ending": "rummy", "closer": "1", "jokers": "3", "points-2": "56", "points-3": "59", "buy-2": "y"},
    {"ending": "color", "closer": "2", "points-1": "26", "points-3": "63"},
    {"ending": "knock", "closer": "1", "points-1": "2", "points-2": "52"},
    {"ending": "continental", "closer": "2", "points-1": "16"},
]
"""The game of the golden record in tests/engine, whose comments explain the points."""


@pytest.mark.parametrize("face", FACES)
def test_every_face_reads_a_whole_game_of_contracts(four: Club, face: str) -> None:
    read = FACES[face](four, WHOLE)
    dialogue = entry.begin(four.db, *AT)
    assert (read.faults, judge(dialogue.event, dialogue.table, read.hands).points) == ({}, TOTALS)


@pytest.mark.parametrize("face", FACES)
def test_every_face_reads_a_whole_knock_game(knock: Club, face: str) -> None:
    """Points, places and winnings are those of the golden record."""
    read = FACES[face](knock, GOLDEN)
    dialogue = entry.begin(knock.db, *AT)
    outcome = judge(dialogue.event, dialogue.table, read.hands)
    assert (read.faults, outcome.points, outcome.places) == ({}, (71, 87, 123), (2, 1, 3))
    assert outcome.money == (-50, 180, -130)


@pytest.mark.parametrize("face", FORMS)
def test_a_form_asks_who_buys_after_the_points(knock: Club, face: str) -> None:
    """The prompt asks it as the next question."""
    read = FACES[face](knock, [GOLDEN[0], {**GOLDEN[1], "buy-2": ""}])
    assert (len(read.hands), read.faults) == (1, {"buy-2": "please answer this"})


def test_hands_by_seat_follow_the_players_who_sat_there(four: Club) -> None:
    """Seats may be exchanged while a sheet is typed; where other people sit by now it is refused."""
    dialogue = entry.begin(four.db, *AT)
    event, table = dialogue.event, dialogue.table
    (moved,) = seated(event, table, [FIRST], table.players[::-1])
    assert (moved.points, moved.closer) == ({3: 0, 2: 35, 1: 17, 0: 20}, 3)
    with desk.refused(ExitCode.CONFLICT, "other players sit at"):
        seated(event, table, [FIRST], (*table.players[:3], Player(99, "Zoe")))


def test_random_answers_are_accepted_and_refused_alike_at_the_prompt_and_in_a_form(four: Club) -> None:
    """Of 200 hands some are complete and some not; a phone reads by the function of the form."""
    rng, complete = Random(5), 0
    for _time in range(200):
        seats = [f"points-{seat}" for seat in range(1, 5)]
        choices = ["0", "1", "17", "20", "30", "35", "105", "-10", "Kh 7d", "As As As", "12,5"]
        fields = {name: rng.choice(choices) for name in seats} | {"closer": rng.choice(["1", "3", "-"])}
        if fields["closer"] != "-":
            del fields[f"points-{fields['closer']}"]
            fields["at_once"] = rng.choice("yn")
        typed, sent = at_the_prompt(four, [fields]), in_a_form(four, [fields])
        assert typed.hands == sent.hands, fields
        for name, said in typed.faults.items():
            assert sent.faults[name].removesuffix("?") in said, fields
        complete += len(typed.hands)
    assert 10 < complete < 190
