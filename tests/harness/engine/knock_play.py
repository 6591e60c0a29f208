"""Random play of knock hands: check everything at every state, and count what happened."""

from dataclasses import dataclass
from random import Random

from engine.actions import Action, Declare, Discard, Knock, parse_action
from engine.cards import FACES, JOKER, cards_text
from engine.deal import Deal, pack_cards
from engine.games.knock_game import KnockGame
from engine.hand import Hand
from engine.scoring import HandResult
from tests.harness.engine.attempted_actions import NO_CARD
from tests.harness.engine.checked_play import CheckedPlay
from tests.harness.engine.knock_positions import KNOCK
from tests.oracles.engine import brute_knock

MAX_TURNS = 10
"""The turns after which play of a hand stops: by then players only draw and discard."""
DECLARED = ("rummy", "color", "continental")


def everything() -> list[Action]:
    """Return every action of the knock game, and some of contract games, that a text can name."""
    plain = ["stock", "take", "knock", "claim", "pass", "close", *DECLARED]
    cards = [cards_text([face]) for face in range(FACES)]
    texts = plain + [f"{verb} {card}" for verb in ("discard", *DECLARED) for card in cards]
    return [parse_action(text) for text in texts]


EVERYTHING = everything()


@dataclass
class KnockHarness(CheckedPlay):
    """Play knock hands to their end or for `MAX_TURNS` turns."""

    def begin(self, hand: Hand) -> None:
        """Choose when play stops."""
        self.last_turn = hand._state.turns + MAX_TURNS

    def stops(self, hand: Hand) -> bool:
        """Return whether the hand is over or its turns are up."""
        return hand.over or hand._state.turns >= self.last_turn

    def check_now_and_then(self, hand: Hand, listed: list[Action]) -> None:
        """Make, in a random part of the states, the checks that take too long to make in all."""
        if self.rng.random() < 0.01:
            assert {action for action in EVERYTHING if hand.is_legal(action)} == set(listed)
        if not hand.view(0).pile or self.rng.random() < 0.15:
            self.check_refusals(hand, attempts(self.rng, hand))
        if self.rng.random() < 0.04:
            self.check_hidden(hand)

    def choose(self, hand: Hand, listed: list[Action]) -> Action:
        """Return an action: an ending in most states that allow one, and of the endings mostly a continental."""
        endings = [action for action in listed if isinstance(action, Declare | Knock)]
        continentals = [action for action in endings if str(action).startswith("continental")]
        if continentals and self.rng.random() < 0.8:
            return self.rng.choice(continentals)
        if endings and self.rng.random() < 0.85:
            kind = self.rng.choice(sorted({str(action).split()[0] for action in endings}))
            return self.rng.choice([action for action in endings if str(action).split()[0] == kind])
        return self.rng.choice([action for action in listed if action not in endings])

    def do(self, hand: Hand, action: Action) -> None:
        """Apply the action; count shuffles."""
        view, after = self.apply(hand, action, 0.3)
        self.seen["reshuffle for a draw"] += after.shuffles - view.shuffles

    def finish(self, hand: Hand, result: HandResult, last: Action) -> None:
        """Check that after the end nothing is legal, and that the result is that of the second program."""
        assert list(hand.legal) == []
        self.check_refusals(hand, attempts(self.rng, hand))
        self.check_hidden(hand)
        self.seen["phase OVER"] += 1
        self.seen[f"{result.ending} ends" if result.ending else "void"] += 1
        self.check_result(hand, result)

    def check_result(self, hand: Hand, result: HandResult) -> None:
        """Check the points of the closer and of one random player, since the second program is slow."""
        players = len(result.points)
        for seat in {result.closer, self.rng.randrange(players)} - {None}:
            text = cards_text(hand._state.hands[seat].cards())
            if seat != result.closer:
                assert result.points[seat] == brute_knock.least_deadwood(text), text
            elif result.ending == "knock":
                assert result.points[seat] == brute_knock.least_deadwood(text, 1) <= 5, text
            else:
                assert result.points[seat] == {"rummy": -10, "color": -25, "continental": 0}[str(result.ending)]
                assert result.jokers == (text.split().count("Jk") if result.ending == "rummy" else 0)
                assert result.ending != "rummy" or brute_knock.least_deadwood(text) == 0, text


def attempts(rng: Random, hand: Hand) -> list[Action]:
    """Return a few actions of every kind, legal or not."""
    held = hand.view(hand.actor).hand.cards() or (JOKER,)
    texts = ["stock", "take", "knock", *DECLARED, rng.choice(("claim", "pass", "close"))]
    texts += [f"{verb} {cards_text([rng.choice(held)])}" for verb in DECLARED]
    texts.append(f"discard {cards_text([rng.randrange(FACES)])}")
    return [*map(parse_action, texts), Discard(NO_CARD)]


def built_deal(rng: Random, players: int) -> Deal:
    """Return a deal with hands that are nearly a color, a continental, ten of a rank or a rummy."""
    cards = pack_cards(KNOCK, players, 1)
    rng.shuffle(cards)
    held: list[tuple[int, ...]] = []
    for _ in range(players):
        chosen = related_cards(rng, cards)[: 10 - rng.choice((0, 0, 0, 1))]
        for face in chosen:
            cards.remove(face)
        while len(chosen) < 10:
            chosen.append(cards.pop())
        held.append(tuple(chosen))
    rng.shuffle(cards)
    return Deal(1, "", players - 1, tuple(held), None, tuple(cards), f"built {rng.random()}")


def related_cards(rng: Random, cards: list[int]) -> list[int]:
    """Return at most ten of the cards: of a suit, a continental run, a rank, or three ranks."""
    suit, rank, low = 13 * rng.randrange(4), rng.randrange(13), rng.randrange(4)
    kind = rng.choice(("color", "color", "color", "run", "run", "rank", "rank", "ranks", "ranks", "ranks"))
    if kind == "color":
        related = [face for face in cards if suit <= face < suit + 13 or face == JOKER]
    elif kind == "run":
        related = list(dict.fromkeys(face for face in cards if suit + low <= face < suit + low + 10))
        related += [face for face in cards if face == JOKER]
    elif kind == "rank":
        related = [face for face in cards if face == JOKER or face % 13 == rank]
    elif kind == "ranks":
        related = [face for face in cards if face != JOKER and face % 13 in (rank, (rank + 3) % 13, (rank + 6) % 13)]
    else:
        related = cards
    return related[:10]


def made_late(rng: Random, hand: Hand) -> Hand:
    """Make the hand a late one, with one to three cards in its stock and up to two shuffles done; return it."""
    state, size = hand._state, rng.choice((1, 1, 1, 2, 3))
    state.pile, state.stock, state.shuffles = state.stock[:-size], state.stock[-size:], rng.choice((0, 1, 2))
    return hand


def some_hand(seed: str, number: int) -> Hand:
    """Return hand `number` of the series `seed`: as dealt, or built, and often late."""
    rng, players = Random(f"{seed}/{number}"), 2 + number % 5
    kind = rng.random()
    if kind < 0.15:
        return KnockGame(KNOCK, players, f"{seed}/{number}").next_hand()
    if kind < 0.4:
        return made_late(rng, KnockGame(KNOCK, players, f"{seed}/{number}").next_hand())
    hand = Hand(KNOCK, built_deal(rng, players))
    return hand if kind < 0.7 else made_late(rng, hand)


def run(actions: int, seed: str) -> KnockHarness:
    """Play hands until at least `actions` actions are taken; return the harness with its counts."""
    harness, number = KnockHarness(Random(seed)), 0
    while harness.actions < actions:
        harness.play(some_hand(seed, number))
        number += 1
    return harness
