"""Check records of the knock game: a golden record that replays, and records that are refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import RecordError
from engine.records.record import read, write
from engine.records.replay import replay

RECORDS = Path(__file__).parents[3] / "fixtures" / "records"
GOLDEN = (RECORDS / "knock.toml").read_text(encoding="utf-8")
OFICIAL = (RECORDS / "oficial.toml").read_text(encoding="utf-8")


def test_the_golden_record_replays_to_the_results_in_its_comments() -> None:
    record = read(GOLDEN)
    result = replay(record)
    assert (result.points, result.places, result.money) == ((71, 87, 123), (2, 1, 3), (-50, 180, -130))
    assert [hand.points for hand in result.hands] == [(37, 38, 1), (-10, 56, 59), (26, -25, 63), (2, 52, 0), (16, 0, 0)]
    assert [hand.off for hand in result.hands] == [(), (0, 34, 0), (), (), ()]
    assert [hand.jokers for hand in result.hands] == [0, 3, 0, 0, 0]


def test_the_golden_record_has_every_kind_of_action_and_ending() -> None:
    record = read(GOLDEN)
    verbs = {line.split()[1] for hand in record.hands for line in hand.actions}
    assert verbs == {"stock", "take", "discard", "knock", "rummy", "color", "continental", "buy"}
    assert [hand.ending for hand in record.hands] == ["knock", "rummy", "color", "knock", "continental"]


LAST_HAND = GOLDEN.rindex("# Hand 5")


@pytest.mark.parametrize(
    ("old", "new", "says", "step"),
    [
        ("points = [71, 87, 123]", "points = [71, 87, 124]", r"totals are \[71, 87, 124\]; its hands give", 0),
        ("places = [2, 1, 3]", "places = [1, 2, 3]", r"places are \[1, 2, 3\]; its hands give \[2, 1, 3\]", 0),
        ("money = [-50, 180, -130]", "money = [-50, 170, -120]", r"money are .*; its hands give \[-50, 180, -130\]", 0),
        ("money = [-50, 180, -130]", "money = [-50, 180]", "'money' in the head has 2 entries for 3 players", 0),
        ("stake = 50", "stake = 52", "a stake of 52 makes the bonus of a knock 520/50, not a whole number", 0),
        ("stake = 50", "stake = '50'", "'stake' in the head is missing or of the wrong type", 0),
        ("stake = 50\nmoney = [-50, 180, -130]\n", "", "'off' in hand 2 is unknown|'ending' in hand 1 is unknown", 0),
        ('ending = "color"', 'ending = "colour"', "'ending' in hand 3 is 'colour'; it must be one of knock", 0),
        ('ending = "color"', 'ending = "rummy"', "hand 3: it replays to .*with a color, not .*with a rummy", 0),
        ("jokers = 3", "jokers = 2", "hand 2: it replays to .*of 3 jokers.*not .*of 2 jokers", 0),
        ("off = [0, 34, 0]", "off = [0, 33, 0]", r"hand 2: it replays to .*\[0, 34, 0\] bought off", 0),
        ("off = [0, 34, 0]\n", "", r"hand 2: it replays to .*\[0, 34, 0\] bought off, not", 0),
        ("2 buy\n", "", r"hand 2: it replays to .*rummy of 3 jokers, not .*bought off", 0),
        ("2 buy\n", "1 buy\n", "hand 2, step 5: '1 buy' answers no offer", 5),
        ("2 buy\n", "2 buy\n2 buy\n", "hand 2, step 6: '2 buy' answers no offer", 6),
        ("1 knock\n", "1 knock\n2 buy\n", "hand 4, step 8: '2 buy' answers no offer", 8),
        ("3 knock\n", "2 knock\n", "hand 1, step 9: it is seat 3's turn, not 2's", 9),
        ("3 knock\n", "", "hand 1 stops before its end", 8),
        ("1 rummy 2c", "1 rummy 5h", r"hand 2, step 4: not every card is in a meld \[001/1.10\]", 4),
        (
            "2 color\n",
            "2 color 2d\n",
            r"hand 3, step 3: before the draw a player declares without a discard.*\[A-30\]",
            3,
        ),
        ("2 color\n", "2 blue\n", "hand 3, step 3: 'blue' is not an action", 3),
        ("1 stock\n1 discard 6c", "1 take\n1 discard 6c", r"hand 3, step 1: there is no discard.*\[001/1.5\]", 1),
        ("dealer = 3", "dealer = 1", "hand 3: seat 3 deals, not 1", 0),
        ('deck = "Qh 7c', 'deck = "Qh Qh', "hand 1: without a seed it needs its deck", 0),
    ],
)
def test_a_record_that_does_not_replay_to_its_own_game_is_refused(old: str, new: str, says: str, step: int) -> None:
    assert GOLDEN.count(old) >= 1
    with pytest.raises(RecordError, match=says) as caught:
        replay(read(GOLDEN.replace(old, new, 1)))
    assert caught.value.step == step


def test_the_record_of_an_unfinished_game_is_refused() -> None:
    with pytest.raises(RecordError, match="has 4 hands; the game is not over after them"):
        replay(read(GOLDEN[:LAST_HAND]))


def test_a_hand_after_the_end_of_the_game_is_refused() -> None:
    with pytest.raises(RecordError, match="has 6 hands; the game is over after hand 5"):
        replay(read(GOLDEN + "\n" + GOLDEN[LAST_HAND:]))


def test_a_stake_belongs_to_the_knock_game_only() -> None:
    """A contract record with a stake is refused, and so is a knock record without one."""
    with pytest.raises(RecordError, match="'contract' in hand 1 is unknown"):
        read(OFICIAL.replace("places = [2, 1, 3]", "places = [2, 1, 3]\nstake = 50\nmoney = [0, 0, 0]"))
    without_stake = replace(read(OFICIAL), rules="knock", digest=read(GOLDEN).digest)
    with pytest.raises(RecordError, match="has a stake in its record, and no other game has one"):
        replay(without_stake)


def test_a_record_without_actions_must_add_up() -> None:
    """Without actions and decks the totals must be the points of the hands less those bought off."""
    lines = [line for line in GOLDEN.splitlines() if not line.startswith(("#", "deck", "acts", "'''"))]
    plain = "\n".join(line for line in lines if not line[:1].isdigit()) + "\n"
    record = read(plain)
    assert not record.played
    assert read(write(record)) == record
    with pytest.raises(RecordError, match=r"totals are \[71, 87, 123\]; its hands give \[71, 88, 123\]"):
        read(plain.replace("off = [0, 34, 0]", "off = [0, 33, 0]"))
