"""Tests of entering, correcting and voiding results; impossible sheets are refused and change nothing."""

import tomllib
from functools import partial
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.effort import effort
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.results import SheetHand
from tourney.files.sheet_toml import read_flags, read_points, read_sheet
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.impact import preview
from tourney.service.players import RegisterPlayers
from tourney.service.results import results, standings
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.rounds import bot_tables, rounds
from tourney.service.rounds.draw_round import DrawRound

FOUR = ("Ana", "Beñat", "Carmen", "Diego")


make_db = desk.make_drawn


def _totals(sheet: list[SheetHand[str]]) -> dict[str, int]:
    return {name: sum(hand.points[name] for hand in sheet) for name in FOUR}


def test_a_sheet_gives_totals_hands_and_standings(db: str) -> None:
    """Points on the sheet are by name; the result, `show` and the standings agree."""
    sheet = desk.hands(FOUR)
    result = apply(db, EnterResult(None, 1, 1, sheet)).result
    names = [player.name for player in result.table.players]
    assert dict(zip(names, result.outcome.points, strict=True)) == _totals(sheet)
    assert dict(zip(names, result.outcome.hands_won, strict=True)) == dict(zip(FOUR, (2, 2, 2, 1), strict=True))
    assert results.show(db) == results.show(db, "friday", 1) == results.show(db, None, 1, 1) == (result,)
    assert {row.player.name: row.points for row in standings.standings(db).rows} == _totals(sheet)
    assert rounds.show(db).done == {(1, 1)}
    assert database.check(db).problems == ()


def test_names_on_a_sheet_are_found_without_accents_and_case(db: str) -> None:
    typed = [
        SheetHand(hand.contract, {name.upper().replace("Ñ", "N"): points for name, points in hand.points.items()})
        for hand in desk.hands(FOUR)
    ]
    assert apply(db, EnterResult(None, 1, 1, typed)).result.outcome.hands_won


def test_cards_left_count_by_the_rules(db: str) -> None:
    """A king counts 10, a seven 7, a joker 50 and an ace 20 (003/1.2)."""
    sheet = desk.hands(FOUR)
    first = sheet[0]
    points = {name: first.points[name] for name in ("Ana", "Carmen", "Diego")}
    sheet[0] = SheetHand("TT", points, left={"Beñat": "Kh 7d Jk As"})
    result = apply(db, EnterResult(None, 1, 1, sheet)).result
    seat = [player.name for player in result.table.players].index("Beñat")
    assert result.outcome.hands[0].points[seat] == 10 + 7 + 50 + 20


def test_a_dead_hand_has_no_closer(db: str) -> None:
    """Everybody's points count, and nobody has won the hand."""
    sheet = desk.hands(FOUR)
    sheet[1] = SheetHand("TE", dict.fromkeys(FOUR, 40), dead=True)
    hand = apply(db, EnterResult(None, 1, 1, sheet)).result.outcome.hands[1]
    assert (hand.closer, hand.points) == (None, (40, 40, 40, 40))


def test_a_second_result_for_a_table_is_refused(db: str) -> None:
    """The hint is to correct the result."""
    apply(db, EnterResult(None, 1, 1, desk.hands(FOUR)))
    with desk.refused(ExitCode.CONFLICT, "table 1 of round 1 of Friday", "result correct"):
        apply(db, EnterResult(None, 1, 1, desk.hands(FOUR)))


def test_a_correction_replaces_the_result(db: str) -> None:
    """The correction needs a reason and a result to correct; the journal keeps both entries."""
    with desk.refused(ExitCode.NOT_FOUND, "no result"):
        apply(db, CorrectResult(None, 1, 1, desk.hands(FOUR), "slip"))
    apply(db, EnterResult(None, 1, 1, desk.hands(FOUR)))
    other = desk.hands(FOUR, range(7, 0, -1))
    with desk.refused(ExitCode.REFUSED, "reason"):
        apply(db, CorrectResult(None, 1, 1, other, " "))
    corrected = apply(db, CorrectResult(None, 1, 1, other, "Ana and Diego exchanged")).result
    assert results.show(db) == (corrected,)
    assert corrected.reason == "Ana and Diego exchanged"
    assert {row.player.name: row.points for row in standings.standings(db).rows} == _totals(other)
    assert desk.query(db, "SELECT count(*) FROM act WHERE kind LIKE 'result.%'") == [(2,)]
    assert database.check(db).problems == ()


def test_a_correction_that_changes_nothing_is_refused(db: str) -> None:
    sheet = desk.hands([player.name for player in rounds.show(db).rounds[0].tables[0].players])
    apply(db, EnterResult(None, 1, 1, sheet))
    with desk.refused(ExitCode.REFUSED, "nothing changed: the sheet of table 1 of round 1", "is the same"):
        apply(db, CorrectResult(None, 1, 1, sheet, "looked twice"))


def test_a_void_result_counts_for_nothing_until_a_sheet_is_entered(db: str) -> None:
    """Check that a void result is shown with its reason, and cannot be voided again."""
    apply(db, EnterResult(None, 1, 1, desk.hands(FOUR)))
    void = apply(db, VoidResult(None, 1, 1, "a pack lacked a card"))
    assert results.show(db) == (void,)
    assert (void.state, void.reason, void.outcome.hands) == ("void", "a pack lacked a card", ())
    assert {row.rank for row in standings.standings(db).rows} == {None}
    with desk.refused(ExitCode.REFUSED, "void already"):
        apply(db, VoidResult(None, 1, 1, "again"))
    apply(db, EnterResult(None, 1, 1, desk.hands(FOUR)))
    assert {row.games for row in standings.standings(db).rows} == {1}
    assert database.check(db).problems == ()


def test_a_void_table_of_bots_is_shown_as_void_and_played_again(tmp_path: Path) -> None:
    """The table has no result that counts until it is played again; the same seed gives the same game."""
    db = str(tmp_path / "bots.db")
    desk.event(db, 0, "greedy:2", rounds=1, size=2)
    apply(db, DrawRound())
    (first,) = bot_tables.play(db).results
    apply(db, VoidResult(None, 1, 1, "a fault in the bot"))
    assert rounds.show(db).void == {(1, 1)}
    (again,) = bot_tables.play(db).results
    assert again.outcome == first.outcome
    assert results.show(db)[0].state == "counts"
    assert rounds.show(db).void == frozenset()


@pytest.mark.parametrize("verb", ["enter", "correct", "void"])
def test_a_dry_run_returns_the_result_and_keeps_nothing(db: str, verb: str) -> None:
    """Check entering, correcting and voiding."""
    change = {
        "enter": EnterResult(None, 1, 1, desk.hands(FOUR)),
        "correct": CorrectResult(None, 1, 1, desk.hands(FOUR, range(1, 8)), "slip"),
        "void": VoidResult(None, 1, 1, "set aside"),
    }[verb]
    if verb != "enter":
        apply(db, EnterResult(None, 1, 1, desk.hands(FOUR)))
    before = desk.query(db, "SELECT hash FROM head")
    dry = preview(db, change).outcome
    assert desk.query(db, "SELECT hash FROM head") == before
    assert apply(db, change) == dry


def test_the_record_of_a_sheet_has_its_points(db: str) -> None:
    """The record of a game of people has the names and the points of each hand."""
    result = apply(db, EnterResult(None, 1, 1, desk.hands(FOUR))).result
    record = tomllib.loads(results.record(db, None, 1, 1))
    assert record["players"] == [player.shown for player in result.table.players]
    assert tuple(tuple(hand["points"]) for hand in record["hands"]) == tuple(
        hand.points for hand in result.outcome.hands
    )


BAD = {
    "sheet-hand-missing.toml": ("TTE", "missing"),
    "sheet-hand-twice.toml": ("TE", "twice"),
    "sheet-out-of-order.toml": ("TE", "out of order"),
    "sheet-unknown-hand.toml": ("TTTT",),
    "sheet-stranger.toml": ("TE", "Zuriñe", "seated at this table"),
    "sheet-player-missing.toml": ("TE", "Diego"),
    "sheet-two-closers.toml": ("TT",),
    "sheet-no-closer.toml": ("TT", "dead"),
    "sheet-one-point.toml": ("TT", "Beñat"),
    "sheet-negative.toml": ("TT", "Ana", "-30"),
    "sheet-unknown-field.toml": ("sheet-unknown-field.toml", "TE", "winner"),
    "sheet-points-as-text.toml": ("sheet-points-as-text.toml", "TE", "points"),
    "sheet-dead-as-text.toml": ("sheet-dead-as-text.toml", "TE", "dead"),
    "sheet-no-contract.toml": ("sheet-no-contract.toml", "hand 3"),
    "sheet-no-hands.toml": ("sheet-no-hands.toml", "[[hands]]"),
    "sheet-no-toml.toml": ("sheet-no-toml.toml", "line 1"),
    "sheet-name-of-many-parts.toml": ("sheet-name-of-many-parts.toml", "more than 100 parts"),
    "sheet-not-utf8.toml": ("sheet-not-utf8.toml", "UTF-8"),
}


@pytest.mark.parametrize("name", BAD)
def test_the_refusal_of_a_bad_sheet_names_hand_and_player_and_nothing_is_kept(db: str, name: str) -> None:
    """Check a file for each fault."""
    before = Path(db).read_bytes()
    with desk.refused(ExitCode.REFUSED, *BAD[name]):
        apply(db, EnterResult(None, 1, 1, read_sheet(desk.BAD / name).hands))
    assert Path(db).read_bytes() == before


def test_every_bad_sheet_is_tested() -> None:
    """Every fixture of a bad sheet is a case of BAD."""
    assert {path.name for path in desk.BAD.iterdir() if path.name.startswith("sheet-")} == set(BAD)


def test_a_missing_or_too_large_file_is_refused(tmp_path: Path) -> None:
    """A file of ten megabytes is refused before it is read."""
    with desk.refused(ExitCode.NOT_FOUND, "none.toml"):
        read_sheet(tmp_path / "none.toml")
    large = tmp_path / "large.toml"
    large.write_text('x = "' + "y" * 10_000_000 + '"', encoding="utf-8")
    with desk.refused(ExitCode.REFUSED, "large.toml", "too large"):
        read_sheet(large)


def test_every_field_of_a_sheet_is_read(tmp_path: Path) -> None:
    file = tmp_path / "sheet.toml"
    file.write_text(
        '[[hands]]\ncontract = "tet"\ncloser = "Ana"\nat_once = true\npoints = { "Ana" = -10, "Carla" = 12 }\n'
        'left = { "Beñat" = "Kh 7d" }\n[[hands]]\ncontract = "TE"\ndead = true\npoints = { "Ana" = 3 }\n',
        encoding="utf-8",
    )
    assert read_sheet(file).hands == (
        SheetHand("TTE", {"Ana": -10, "Carla": 12}, "Ana", True, False, {"Beñat": "Kh 7d"}),
        SheetHand("TE", {"Ana": 3}, None, None, True),
    )


def test_a_sheet_from_a_word_processor_is_read(tmp_path: Path) -> None:
    """The file has a byte order mark, Windows line ends and typographic minus signs; names keep theirs."""
    file = tmp_path / "sheet.toml"
    text = '[[hands]]\r\ncontract = "TT"\r\npoints = { "Ana" = −10, "Eva −1" =–0, "Zoe"=12 }\r\n'
    file.write_bytes(text.encode("utf-8-sig"))
    assert read_sheet(file).hands == (SheetHand("TT", {"Ana": -10, "Eva −1": 0, "Zoe": 12}),)


POINTS = {
    "0": 0,
    " 35 ": 35,
    "+7": 7,
    "-10": -10,
    "−10": -10,
    "–10": -10,
    "- 10": -10,
    "12,5": None,
    "12.0": None,
    "1 0": None,
    "--10": None,
    "1234567": None,
    "١٢": None,
    "Kh": None,
    "": None,
}


@pytest.mark.parametrize("text", POINTS)
def test_points_are_whole_numbers_with_any_minus_sign(text: str) -> None:
    """Arabic digits and numbers of seven digits are refused."""
    assert read_points(text) == POINTS[text]


FLAGS = [
    ("TT Ana=-10 Beñat=35", ("TT", {"Ana": -10, "Beñat": 35})),
    ("  ete   José María=0   Ana=+7 ", ("TEE", {"José María": 0, "Ana": 7})),
    ("EEE Ana = 5 Zoe = 0", ("EEE", {"Ana": 5, "Zoe": 0})),
    ("TT 3=-10 12=35", ("TT", {"3": -10, "12": 35})),
    ("TT Ana=−10 Beñat=–0", ("TT", {"Ana": -10, "Beñat": 0})),
]


@pytest.mark.parametrize(("text", "hand"), FLAGS)
def test_a_hand_is_read_from_one_option(text: str, hand: tuple[str, dict[str, int]]) -> None:
    """The contract comes first, then names with points; names may contain blanks."""
    assert read_flags([text]) == (SheetHand(*hand),)


@pytest.mark.parametrize("text", ["", "TT", "TT Ana", "TT Ana=", "TT =3", "TT Ana=x", "TT Ana=1 Ana=2", "TT Ana=1 Zoe"])
def test_an_invalid_hand_option_is_refused(text: str) -> None:
    """The refusal says how to write `--hand`."""
    with desk.refused(ExitCode.USAGE, "--hand"):
        read_flags([text])


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("TT 1=0 2=99999999999999999999", "99999999999999999999"),
        ("TT Ana=0 José María=1e3", "1e3"),
        ("knock Ana=5 Beñat=8.5 buys=Beñat", "8.5"),
    ],
)
def test_the_refusal_names_the_number_that_cannot_be_read(text: str, number: str) -> None:
    """The refusal says that points are whole numbers."""
    with desk.refused(ExitCode.USAGE, f"{number} are not points", "whole numbers"):
        read_flags([text])


def test_an_option_that_is_no_hand_but_a_long_list_of_names_is_refused_at_once() -> None:
    """Reading it took time with the square of its length: more than 5 s for 40,000 characters."""
    names = ",".join(f"Name{number}" for number in range(6000))

    def refused(text: str) -> None:
        with desk.refused(ExitCode.USAGE, "--hand “", "cannot be read", "at most 2000 characters"):
            read_flags([text])

    for text in (names, f"TT {names}", f"TT {names.replace(',', ' ')}"):
        assert effort(partial(refused, text)) < 28


@pytest.mark.parametrize("dead", [["TT", "tt"], ["TT,TT"]])
def test_a_hand_cannot_be_marked_dead_twice(dead: list[str]) -> None:
    with desk.refused(ExitCode.USAGE, "--dead names TT twice"):
        read_flags(["TT Ana=1"], dead)


KNOCK_FLAGS = {
    "knock Ana=5 Beñat=85 buys=Beñat": ("knock", {"Ana": 5, "Beñat": 85}, ("Beñat",)),
    "Rummy Ana=-10 José María=35 jokers=3 buys=José María, 2": (
        "rummy with 3 jokers",
        {"Ana": -10, "José María": 35},
        ("José María", "2"),
    ),
    "rummy Ana=-10 Zoe=85 buys=Zoe jokers=1": ("rummy with 1 jokers", {"Ana": -10, "Zoe": 85}, ("Zoe",)),
    "void Ana=60 Zoe=85": ("", {"Ana": 60, "Zoe": 85}, ()),
}


@pytest.mark.parametrize("text", KNOCK_FLAGS)
def test_a_hand_of_the_knock_game_is_read_from_one_option(text: str) -> None:
    """The option has the ending, the points (first of the player who ended the hand), then jokers and buys."""
    ending, points, buys = KNOCK_FLAGS[text]
    (hand,) = read_flags([text])
    assert (hand.ending, hand.points, hand.buys, hand.contract) == (ending, points, buys, "")
    assert (hand.closer, hand.dead) == (("Ana", False) if ending else (None, True))


@pytest.mark.parametrize(
    "text",
    [
        "knock",
        "knock Ana=5 Zoe=3 buys=",
        "knock buys=Ana",
        "knock Ana=5 Zoe=3 jokers=3",
        "rummy Ana=-10 Zoe=3 jokers=x",
        "void Ana=90 Zoe=95 buys=Ana buys=Zoe",
    ],
)
def test_an_invalid_knock_hand_option_is_refused(text: str) -> None:
    """The refusal shows the form of the option with `buys`."""
    with desk.refused(ExitCode.USAGE, "--hand", "buys=Beñat"):
        read_flags([text])


def test_dead_hands_are_marked_by_their_own_option() -> None:
    """The option may be repeated or list several hands; each of them must have points."""
    hands = read_flags(["TT Ana=1", "TE Ana=2", "EE Ana=3"], ["te", "EE"])
    assert [hand.dead for hand in hands] == [False, True, True]
    assert [hand.dead for hand in read_flags(["TT Ana=1", "TE Ana=2"], ["TT,TE"])] == [True, True]
    with desk.refused(ExitCode.REFUSED, "EEE"):
        read_flags(["TT Ana=1"], ["EEE"])


def test_two_players_of_one_name_at_a_table_are_distinguished_by_their_labels(tmp_path: Path) -> None:
    """The name without a label is refused."""
    db = str(tmp_path / "two.db")
    apply(db, RegisterPlayers(["Ana"], label="Getxo"))
    apply(db, RegisterPlayers(["Ana"], label="Bilbo"))
    apply(db, CreateEvent(EventSettings("Friday", "oficial")))
    apply(db, EnterPlayers("Friday", ["Ana (Getxo)", "ana (bilbo)"]))
    apply(db, DrawRound())
    with desk.refused(ExitCode.REFUSED, "“Ana”", "Ana (Getxo)"):
        apply(db, EnterResult(None, 1, 1, desk.hands(["Ana", "Ana (Bilbo)"])))
    assert apply(db, EnterResult(None, 1, 1, desk.hands(["Ana (Getxo)", "Ana (Bilbo)"]))).result.outcome.points
