"""Check records: a game written and read, its replay, and texts that are refused."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from engine.cards import parse_card, parse_cards
from engine.deal import deal
from engine.errors import RecordError
from engine.play import play_game
from engine.records.record import HandRecord, Record, read, write
from engine.records.replay import replay
from engine.rules import ENGINE_RULES
from engine.text import toml_tables
from tests.harness.engine.positions import CONTRACTS, OFICIAL
from tests.oracles.engine.deals_and_points import shuffled, value

FIXTURES = Path(__file__).parents[3] / "fixtures"
GOLDEN = (FIXTURES / "records" / "oficial.toml").read_text(encoding="utf-8")

FAULTS = {
    # file: the message of the refusal, and the step that it names (None: any)
    "not-toml": ("this is not a record: .*line 3", 0),
    "name-of-many-parts": ("this is not a record: a name in it has more than 100 parts", 0),
    "later-format": ("format 2; this program reads format 1", 0),
    "no-format": ("'format' in the head is missing", 0),
    "no-hands": ("has no hands", 0),
    "points-only": ("the record has no actions", 0),
    "points-missing-seat": ("'points' in hand 1 has 2 entries for 3 players", 0),
    "points-as-text": ("'points' in hand 1 .*wrong type", 0),
    "closer-no-seat": ("'closer' in hand 1 is 4, which is not a seat", 0),
    "dead-with-closer": ("hand 1 is marked dead, but has a closer", 0),
    "no-closer": ("'closer' in hand 1 is missing", 0),
    "unknown-field": ("'winner' in the head is unknown", 0),
    "unknown-field-of-hand": ("'buys' in hand 1 is unknown", 0),
    "deck-no-card": ("hand 1: '7x' is not a card", 0),
    "unknown-rules": ("no rule set 'oficiel'; did you mean 'oficial'", 0),
    "other-digest": ("other rules of that name", 0),
    "older-engine": ("version 0 of the engine's rules.*stored outcome stands", 0),
    "one-player": ("2 to 4 players at a table, not 1", 0),
    "hand-missing": ("has 6 hands; oficial has 7", 0),
    "hand-too-many": ("has 8 hands; oficial has 7", 0),
    "no-seed-no-deck": ("hand 1: without a seed it needs its deck", 0),
    "seed-and-deck": ("hand 1 has a deck, but the record has a seed", 0),
    "other-seed": (r"hand 1 \(TT\), step \d+: ", None),
    "wrong-dealer": (r"hand 1 \(TT\): seat 1 deals, not 2", 0),
    "wrong-contract": (r"hand 1 \(TE\): it replays to", 0),
    "wrong-points": (r"hand 1 \(TT\): it replays to \[44, 0, 93\].*not \[44, 0, 92\]", 0),
    "wrong-closer": (r"hand 1 \(TT\): it replays to .*closed by seat 2, not .*closed by seat 3", 0),
    "wrong-at-once": (r"hand 1 \(TT\): it replays to", 0),
    "marked-dead": (r"hand 1 \(TT\): it replays to .*not .*a dead hand", 0),
    "not-an-act": (r"hand 1 \(TT\), step 6: 'throw' is not an action", 6),
    "no-card": (r"hand 1 \(TT\), step 6: '9x' is not a card", 6),
    "card-not-held": (r"hand 1 \(TT\), step 6: 9h is not in the hand \[003/1.5\]", 6),
    "illegal-lay-down": (r"hand 1 \(TT\), step 3: .*one rank.*\[003/1.7\]", 3),
    "illegal-lay-off": (r"hand 1 \(TT\), step 12: .*does not fit.*\[003/1.8\]", 12),
    "knock-when-down": (r"hand 1 \(TT\), step 6: .*nobody knocks or declares.*\[003/1.10\]", 6),
    "rummy-when-down": (r"hand 1 \(TT\), step 6: .*nobody knocks or declares.*\[003/1.10\]", 6),
    "wrong-turn": (r"hand 1 \(TT\), step 7: it is seat 3's turn, not 1's", 7),
    "claim-covered": (r"hand 1 \(TT\), step 8: it is seat 3's turn, not 1's", 8),
    "no-seat": (r"hand 1 \(TT\), step 1: ", 1),
    "stops-early": (r"hand 1 \(TT\) stops before its end", 12),
    "goes-on": (r"hand 1 \(TT\), step 14: the hand is over", 14),
    "wrong-total": ("totals are", 0),
    "wrong-places": ("places are", 0),
}


def test_the_golden_record_has_every_kind_of_action() -> None:
    """Check that it has all actions but passes, which are not written."""
    verbs = {line.split()[1] for hand in read(GOLDEN).hands for line in hand.actions}
    assert verbs == {"stock", "take", "claim", "down", "back", "off", "swap", "move", "discard", "close"}


# --- a second reader ---------------------------------------------------------------------------------------


class Reader:
    """Follow the lines of a hand with piles of cards and without rules, to know the cards of each seat at its end."""

    def __init__(self, record: Record, number: int) -> None:
        dealt = deal(OFICIAL, len(record.players), record.seed or "", number)
        self.hands = [list(cards) for cards in dealt.hands]
        self.before = [list(cards) for cards in self.hands]
        self.stock, self.pile, self.seed, self.shuffles = list(dealt.stock), [dealt.upcard], dealt.seed, 0
        self.turn, self.turn_down, self.turns = dealt.leader, [-1] * len(self.hands), 0

    def draw(self, seat: int, keep: int) -> None:
        """Give the seat the top card of the stock; an empty one is made from all discards but the top `keep`."""
        if not self.stock:
            discards = self.pile[: len(self.pile) - keep]
            self.pile = self.pile[len(discards) :]
            self.shuffles += 1
            self.stock = shuffled(f"{self.seed}/shuffle/{self.shuffles}", discards)[::-1]
        self.hands[seat].append(self.stock.pop(0))

    def follow(self, line: str) -> None:
        """Move the cards of a line; a card that is not where the line says is an error."""
        seat, verb, *words = line.split()
        index = int(seat) - 1
        if verb == "stock":
            self.draw(index, 1)
        elif verb in ("take", "claim"):
            self.hands[index].append(self.pile.pop())
            if verb == "claim":
                self.draw(index, 0)
        elif verb == "down":
            self.before[index], self.turn_down[index] = list(self.hands[index]), self.turns
            for card in re.findall(r"(?:[A2-9TJQK][cdhs]|Jk)\b", " ".join(words)):
                self.hands[index].remove(parse_card(card))
        elif verb == "back":
            self.hands[index], self.turn_down[index] = self.before[index], -1
        elif verb in ("off", "swap", "discard"):
            self.hands[index].remove(parse_card(words[0]))
        if verb == "discard":
            self.pile.append(parse_card(words[0]))
            self.turns += len(self.hands[index]) > 0

    def points(self) -> tuple[tuple[int, ...], int | None, bool]:
        """Return the points by seat, the closer, and whether the closer laid down in the closing turn."""
        closer = next((seat for seat, cards in enumerate(self.hands) if not cards), None)
        at_once = closer is not None and self.turn_down[closer] == self.turns
        points_of_seats = [sum(map(value, cards)) for cards in self.hands]
        if closer is not None:
            points_of_seats[closer] = -10 if at_once else 0
        return tuple(points_of_seats), closer, at_once


@pytest.mark.parametrize("seed", [None, *(f"reader {number}" for number in range(12))])
def test_a_reader_without_rules_counts_the_points_of_the_record(seed: str | None) -> None:
    """Check that following the cards from the deal to the last line gives the points of every hand."""
    record = read(GOLDEN) if seed is None else play_game(OFICIAL, ["greedy"] * 4, seed).record
    total = [0] * len(record.players)
    for number, hand in enumerate(record.hands, 1):
        reader = Reader(record, number)
        for line in hand.actions:
            reader.follow(line)
        assert reader.points() == (hand.points, hand.closer, hand.at_once)
        total = [so_far + more for so_far, more in zip(total, hand.points, strict=True)]
    assert tuple(total) == record.points


# --- to text and back ----------------------------------------------------------------------------------


NAMES = ['Ana "la rápida"', "Beñat\\", "tab\there", "\x7f\x00 line\nbreak", "日本 🂡", "'''", ""]


def test_any_names_and_seeds_are_written_and_read_back() -> None:
    """Check quotes, backslashes, control characters and other scripts."""
    for first, second in zip(NAMES, reversed(NAMES), strict=True):
        record = play_game(OFICIAL, ["random"] * 2, f"{first}/{second}", [first, second]).record
        assert read(write(record)) == record
        assert replay(read(write(record))).points == record.points


def test_a_record_with_decks_needs_no_seed() -> None:
    """Check that a record with the deck of each hand replays, and that a deck without its last card is refused."""
    played = play_game(OFICIAL, ["greedy"] * 3, "decks").record
    decks = []
    for number in range(1, 8):
        dealt = deal(OFICIAL, 3, "decks", number)
        order = [(dealt.dealer + 1 + place) % 3 for place in range(3)]
        flat = [dealt.hands[seat][turn] for turn in range(len(dealt.hands[0])) for seat in order]
        decks.append((*flat, dealt.upcard, *dealt.stock))
    hands = tuple(replace(hand, deck=deck) for hand, deck in zip(played.hands, decks, strict=True))
    record = replace(played, seed=None, hands=hands)
    assert read(write(record)) == record
    assert replay(record).points == played.points
    incomplete = replace(record, hands=(replace(hands[0], deck=hands[0].deck[:-1]), *hands[1:]))
    with pytest.raises(RecordError, match="hand 1: without a seed it needs its deck"):
        replay(incomplete)


def record_of_people(left: bool) -> Record:
    """Return the record of a game that people played, with points only or with the cards left too."""
    held = tuple(parse_cards(text) for text in ("Kh 7d", "As", "Jk 2c"))
    counted = tuple(sum(map(value, cards)) for cards in held)
    hands = []
    for number, contract in enumerate(CONTRACTS):
        closer = number % 3
        points = tuple(0 if seat == closer else counted[seat] for seat in range(3))
        cards = tuple(None if seat == closer else held[seat] for seat in range(3)) if left else ()
        hands.append(HandRecord(contract, number % 3, points, closer, False, left=cards))
    total = tuple(sum(hand.points[seat] for hand in hands) for seat in range(3))
    return Record(
        OFICIAL.id, OFICIAL.digest, ENGINE_RULES, ("Ana", "Beñat", "Carla"), None, total, (1, 2, 3), tuple(hands)
    )


@pytest.mark.parametrize("left", [False, True])
def test_a_game_of_people_has_a_record_that_cannot_be_replayed(left: bool) -> None:
    """Check that the record is written and read back, and that its replay is refused for lack of actions."""
    record = record_of_people(left)
    assert not record.played
    assert read(write(record)) == record
    with pytest.raises(RecordError, match="no actions: it keeps the scores of a game that people played"):
        replay(record)


# --- faults --------------------------------------------------------------------------------------------


def test_every_faulty_file_is_in_the_table() -> None:
    """Check that files and table have the same names."""
    files = {file.stem.removeprefix("record-") for file in (FIXTURES / "bad").glob("record-*.toml")}
    assert files - {"not-utf8"} == set(
        FAULTS
    )  # `read` is given text; the command line refuses bytes that are not UTF-8


@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_record_is_refused_by_hand_and_step(name: str) -> None:
    """Check that each file is refused in one line with the fault of its name and the step."""
    message, step = FAULTS[name]
    file = FIXTURES / "bad" / f"record-{name}.toml"
    with pytest.raises(RecordError, match=message) as caught:
        replay(read(file.read_text(encoding="utf-8")))
    assert "\n" not in str(caught.value)
    assert caught.value.step > 0 if step is None else caught.value.step == step


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        "[" * 5000,
        "format = 1" + "0" * 5000,
        "format = true",
        "format = 1.0",
        "hands = 3",
        "format = 1979-05-27",
    ],
    ids=["empty", "zero", "deep", "long number", "boolean", "float", "no table", "date"],
)
def test_a_text_that_is_not_a_record_is_refused_in_one_line(text: str) -> None:
    """Check that every text raises RecordError and no other error."""
    with pytest.raises(RecordError) as caught:
        read(text)
    assert "\n" not in str(caught.value)


def test_a_missing_line_is_noticed() -> None:
    """Check that the golden record without any one line does not replay."""
    record = read(GOLDEN)
    for place, hand in enumerate(record.hands):
        for step in range(len(hand.actions)):
            if hand.actions[step].endswith("back") or hand.actions[step + 1 : step + 2] == (
                f"{hand.actions[step][0]} back",
            ):
                continue  # a lay-down and its taking back, before the same lay-down, change nothing
            if hand.actions[step - 1].endswith("back") or " move " in hand.actions[step]:
                continue  # a joker's move changes no points if no card is laid off beside it
            shorter = replace(hand, actions=(*hand.actions[:step], *hand.actions[step + 1 :]))
            changed = replace(record, hands=(*record.hands[:place], shorter, *record.hands[place + 1 :]))
            with pytest.raises(RecordError, match=f"hand {place + 1} "):
                replay(changed)


LONG = ".".join(["a"] * 200)
DISGUISES = {
    "equals signs in quotes": ".".join(['"="'] * 200) + " = 1",
    "brackets in quotes": "[" + ".".join(["'],{'"] * 200) + "]",
    "blanks between": LONG.replace(".", " \t. ") + " = 1",
    "behind a text that ends with a quote": f'x = {{y = """a"""", {LONG} = 1}}',
    "behind a literal that ends with a quote": f"x = {{y = '''a'''', {LONG} = 1}}",
    "behind an escaped quote": f'x = {{y = "\\"", {LONG} = 1}}',
    "behind a separator of lines that TOML does not know": f"x = 'a\u2028'\n{LONG} = 1",
}


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_name_of_many_parts_is_found_in_every_disguise(disguise: str) -> None:
    """tomllib reads each of them, in time and memory that grow with the square of the parts."""
    text = DISGUISES[disguise]
    assert tomllib.loads(text)
    with pytest.raises(ValueError, match="more than 100 parts"):
        toml_tables(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a = 1\n" * 200_000, "longer than 1048576 characters"),
        ("\n".join(f"k{number}.{'.'.join(['a'] * 90)} = 1" for number in range(1200)), "100000 parts in all"),
    ],
    ids=["characters", "parts"],
)
def test_a_text_of_too_much_is_not_read(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        toml_tables(text)


def test_dots_in_texts_numbers_and_comments_are_no_parts_of_names() -> None:
    dots = "." * 300
    text = f'a = "{dots}{LONG}"\nb = 1.5 # {LONG}\n[c.d]\ne = """\n{LONG}\n""""\n'
    assert toml_tables(text) == {"a": dots + LONG, "b": 1.5, "c": {"d": {"e": f'{LONG}\n"'}}}
