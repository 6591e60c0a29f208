"""Random play of the knock game: everything checked at every state, money after every hand and every act."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random

import pytest

from engine.actions import BUY, DECLINE, DRAW_DISCARD, Action, Answer, Discard, parse_action, parse_answer
from engine.bots import make_bot
from engine.cards import FACES, JOKER, Faces, cards_text
from engine.deal import Deal, pack_cards
from engine.errors import IllegalAction, NotationError
from engine.hand import Hand
from engine.knock_game import KnockGame
from engine.play import play_game, play_hand
from engine.record import hand_record, read, write
from engine.replay import replay, replay_hand
from engine.scoring import HandResult
from tests.engine import brute_knock
from tests.engine.knock_table import KNOCK, balanced
from tests.engine.table import snapshot

VERBS = ("stock", "take", "discard", "knock", "rummy", "color", "continental")
OUTCOMES = ("knock", "rummy", "color", "continental", "void")
REFUSALS = (
    "one knocks with 5 points or less",
    "one knocks instead of drawing",
    "not every card is in a lay",
    "the cards of a color are of one suit",
    "a continental is 10 cards",
    "before the draw one declares without a discard",
    "after the draw one declares with a discard",
    "is not in the hand",
    "there is no discard",
    "the card of this turn has been drawn",
    "a turn begins with a draw",
    "after the draw one discards",
)
SEEN = 200
"""How often each kind of thing must have happened, in the long run; in the short one a tenth of it."""


def everything() -> list[Action]:
    """Every act that could be written in the knock game, and some of the other family."""
    plain = ["stock", "take", "knock", "claim", "pass", "close", "rummy", "color", "continental"]
    cards = [cards_text([face]) for face in range(FACES)]
    texts = plain + [f"{verb} {card}" for verb in ("discard", "rummy", "color", "continental") for card in cards]
    return [parse_action(text) for text in texts]


EVERYTHING = everything()


@dataclass
class Harness:
    """Plays hands and counts what happened."""

    rng: Random
    seen: Counter[str] = field(default_factory=Counter)

    def play(self, hand: Hand, fresh: Hand) -> None:
        """Plays the hand, and the record of it on the fresh copy."""
        acts: list[tuple[int, Action]] = []
        while not hand.over:
            listed = self.check_listing(hand)
            if self.rng.random() < (0.3 if not hand.view(0).pile else 0.03):
                self.check_two_roads(hand, listed)
            if self.rng.random() < 0.05:
                self.check_hidden(hand, listed)
            act = self.choose(listed)
            acts.append((hand.actor, act))
            self.seen[str(act).split()[0]] += 1
            hand.apply(act)
        result = hand.result
        assert result is not None
        self.seen[result.ending or "void"] += 1
        self.check_result(hand, result)
        assert replay_hand(fresh, hand_record(result, hand.dealer, acts), 1) == result
        assert snapshot(fresh) == snapshot(hand)

    def check_listing(self, hand: Hand) -> list[Action]:
        """The state is sound, something is legal, and what is listed is unique and survives its text."""
        assert hand.faults() == []
        listed = list(hand.legal)
        assert listed
        texts = [str(act) for act in listed]
        assert len(set(texts)) == len(texts)
        assert [parse_action(text) for text in texts] == listed
        return listed

    def check_two_roads(self, hand: Hand, listed: list[Action]) -> None:
        """Of every act that could be written, those are legal that are listed; the others change nothing."""
        before = snapshot(hand)
        assert {act for act in EVERYTHING if hand.is_legal(act)} == set(listed)
        for act in (DRAW_DISCARD, *self.rng.sample(EVERYTHING, 20)):
            why = hand.why_not(act)
            if why is not None:
                self.seen[next((stem for stem in REFUSALS if stem in why.reason), why.reason)] += 1
                with pytest.raises(IllegalAction) as caught:
                    hand.apply(act)
                assert str(caught.value) == f"{why.reason} [{why.clause}]"
                assert why.clause.startswith(("001/1.", "A-"))
        assert snapshot(hand) == before
        twin = hand.clone()
        twin.apply(self.rng.choice(listed))
        assert snapshot(hand) == before

    def check_hidden(self, hand: Hand, listed: list[Action]) -> None:
        """With the cards that a seat has not seen exchanged among themselves, its view and its acts are the same."""
        for seat in range(len(hand.view(0).sizes)):
            other = hand.clone()
            hide(other, seat, self.rng)
            assert other.view(seat) == hand.view(seat)
            if seat == hand.actor:
                assert list(other.legal) == listed

    def choose(self, listed: list[Action]) -> Action:
        """Each kind equally likely, but a hand is seldom ended, so that it may last."""
        ends = [act for act in listed if not isinstance(act, Discard) and str(act) not in ("stock", "take")]
        if ends and self.rng.random() < 0.3:
            kind = self.rng.choice(sorted({str(act).split()[0] for act in ends}))
            return self.rng.choice([act for act in ends if str(act).split()[0] == kind])
        return self.rng.choice([act for act in listed if act not in ends])

    def check_result(self, hand: Hand, result: HandResult) -> None:
        """The points are those of the second program."""
        state = hand._state
        for seat, cards in enumerate(state.hands):
            text = cards_text(cards.cards())
            if seat != result.closer:
                assert result.points[seat] == brute_knock.least(text), text
            elif result.ending == "knock":
                assert result.points[seat] == brute_knock.least(text, 1) <= 5, text
            else:
                assert result.points[seat] == {"rummy": -10, "color": -25, "continental": 0}[str(result.ending)]
                assert result.jokers == (text.split().count("Jk") if result.ending == "rummy" else 0)
                if result.ending == "rummy":
                    assert brute_knock.least(text) == 0, text


def hide(hand: Hand, seat: int, rng: Random) -> None:
    """Exchanges, in this copy, all cards that the seat has not seen."""
    state = hand._state
    unseen = [*state.stock, *state.pile[:-1]]
    sizes: dict[int, int] = {}
    for other, cards in enumerate(state.hands):
        if other != seat:
            rest = cards.copy()
            for face in state.known[other]:
                rest.remove(face)
            sizes[other] = len(rest)
            unseen += rest.cards()
    rng.shuffle(unseen)
    for other, size in sizes.items():
        state.hands[other] = Faces([*state.known[other], *unseen[:size]])
        del unseen[:size]
    state.stock, state.pile[:-1] = unseen[: len(state.stock)], unseen[len(state.stock) :]


def built(rng: Random, players: int) -> Deal:
    """A deal with hands that are nearly a color, a straight, ten of a kind or a rummy."""
    cards = pack_cards(KNOCK, players, 1)
    rng.shuffle(cards)
    held: list[tuple[int, ...]] = []
    for _ in range(players):
        chosen = likely(rng, cards)[: 10 - rng.randrange(3)]
        for face in chosen:
            cards.remove(face)
        while len(chosen) < 10:
            chosen.append(cards.pop())
        held.append(tuple(chosen))
    rng.shuffle(cards)
    return Deal(1, "", players - 1, tuple(held), None, tuple(cards), f"built {rng.random()}")


def likely(rng: Random, cards: list[int]) -> list[int]:
    """At most ten of the cards that have one thing in common."""
    suit, rank, low = 13 * rng.randrange(4), rng.randrange(13), rng.randrange(4)
    kind = rng.choice(("color", "straight", "rank", "lays", "any"))
    if kind == "color":
        found = [face for face in cards if suit <= face < suit + 13 or face == JOKER]
    elif kind == "straight":
        found = list(dict.fromkeys(face for face in cards if suit + low <= face < suit + low + 10))
        found += [face for face in cards if face == JOKER]
    elif kind == "rank":
        found = [face for face in cards if face == JOKER or face % 13 == rank]
    elif kind == "lays":
        found = [face for face in cards if face != JOKER and face % 13 in (rank, (rank + 3) % 13, (rank + 6) % 13)]
    else:
        found = cards
    return found[:10]


def shortened(hand: Hand, size: int) -> Hand:
    """The same hand late: all but so many cards of its stock lie discarded, and both shuffles are done."""
    state = hand._state
    state.pile, state.stock, state.shuffles = state.stock[:-size], state.stock[-size:], 2
    return hand


def run(hands: int, seed: str) -> Counter[str]:
    """Plays so many hands, most of them built, some of them late; counts what happened."""
    harness = Harness(Random(seed))
    for number in range(hands):
        players = 2 + number % 5
        if number % 50 == 0:
            game = KnockGame(KNOCK, players, f"{seed}/{number}")
            harness.play(game.next_hand(), game.next_hand())
        elif number % 4 == 1:
            game, size = KnockGame(KNOCK, players, f"{seed}/{number}"), 1 + number % 7
            harness.play(shortened(game.next_hand(), size), shortened(game.next_hand(), size))
        else:
            deal, size = built(harness.rng, players), 8 + number % 20
            fresh = number % 3 == 0
            first, second = Hand(KNOCK, deal), Hand(KNOCK, deal)
            harness.play(*((first, second) if fresh else (shortened(first, size), shortened(second, size))))
    return harness.seen


def enough(seen: Counter[str], least: int) -> None:
    """Everything that may happen has happened so often."""
    short = {name: seen[name] for name in (*VERBS, *OUTCOMES, *REFUSALS) if seen[name] < least}
    assert not short, short


def test_random_play_keeps_every_promise() -> None:
    """A tenth of the long run."""
    enough(run(500, "short"), SEEN // 10)


@pytest.mark.soak
def test_random_play_keeps_every_promise_in_the_long_run() -> None:
    enough(run(8_000, "long"), SEEN)


# --- games ----------------------------------------------------------------------------------------------

MIXES = ("random", "greedy", "greedy,random")


def play_out(game: KnockGame, bots: str) -> Counter[str]:
    """Plays the game with these bots; after every hand and every answer the money is whole."""
    names = bots.split(",")
    seated = [make_bot(names[seat % len(names)], f"{game.seed}/{seat}") for seat in range(game.players)]
    seen: Counter[str] = Counter()
    while not game.over:
        acts: list[tuple[int, Action | Answer]] = []
        in_play = game.active
        game.keep(play_hand(game.next_hand(), seated, acts))
        assert balanced(game)
        assert {seat for seat, _act in acts} <= set(in_play)
        while game.offer is not None:
            offer = game.offer
            assert 80 < offer.scores[offer.seat] <= 100
            answer = seated[offer.seat].answer(offer)
            seen[str(answer)] += 1
            game.answer(answer)
            assert balanced(game)
    return seen


def games(number: int, seed: str) -> Counter[str]:
    """Plays so many games of every mix and size; counts what happened."""
    seen: Counter[str] = Counter()
    for count in range(number):
        game = KnockGame(KNOCK, 2 + count % 5, f"{seed}/{count}", 50)
        seen += play_out(game, MIXES[count % 3])
        result = game.result()
        assert game.money.pot == 0
        assert sum(result.money) == 0
        assert sorted(place == 1 for place in result.places).count(True) == len(game.winners) in (1, 2, 3)
        seen["split"] += len(game.winners) > 1
        seen["all out"] += not game.active
        seen["hands"] += len(result.hands)
    return seen


def test_money_is_whole_after_every_hand_and_every_act() -> None:
    seen = games(60, "money")
    assert min(seen["buy"], seen["decline"], seen["split"]) >= 5
    assert seen["hands"] >= 250


@pytest.mark.soak
def test_money_is_whole_through_two_thousand_games() -> None:
    seen = games(2_000, "long money")
    assert min(seen["buy"], seen["decline"], seen["split"], seen["all out"]) >= 20


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("bots", MIXES)
def test_a_game_of_bots_replays_from_its_record(players: int, bots: str) -> None:
    """The record's text read back gives the same points, places and money, and the same seed the same game."""
    names = (bots.split(",") * 6)[:players]
    played = play_game(KNOCK, names, f"replay {players}", stake=50)
    assert read(write(played.record)) == played.record
    assert replay(played.record) == played.result
    assert play_game(KNOCK, names, f"replay {players}", stake=50) == played


def test_greedy_is_better_than_random() -> None:
    """Of sixty games with two seats each, greedy has the pot alone in nearly all."""
    won = Counter()
    for number in range(60):
        names = ("greedy", "random", "greedy", "random")
        result = play_game(KNOCK, names, f"better {number}", stake=50).result
        won.update({names[seat] for seat in range(4) if result.places[seat] == 1})
    assert won["greedy"] >= 55


def test_greedy_buys_while_the_price_is_an_even_share_of_the_pot() -> None:
    """Four play: at 50 of 200 it buys; at 100 of 250 it does not."""
    bot = make_bot("greedy", "1")
    game = KnockGame(KNOCK, 4, "1", 50)
    game.keep(HandResult("", (10, 20, 30, 90), None))
    assert game.offer is not None
    assert bot.answer(game.offer) == BUY
    game.answer(BUY)
    game.keep(HandResult("", (0, 0, 0, 70), None))
    assert game.offer is not None
    assert (game.offer.price, game.offer.pot) == (100, 250)
    assert bot.answer(game.offer) == DECLINE


@pytest.mark.parametrize("answer", [BUY, DECLINE])
def test_answers_survive_their_text(answer: Answer) -> None:
    assert parse_answer(str(answer)) == answer


@pytest.mark.parametrize("text", ["", "buys", "buy 7h", "knock"])
def test_what_is_no_answer(text: str) -> None:
    with pytest.raises(NotationError, match="is no answer to an offer"):
        parse_answer(text)
