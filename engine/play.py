"""Games of bots: seat them, play, and write the record."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.actions import Action, Answer, Buy
from engine.bots import Bot, make_bot
from engine.build import pickle_by_fields
from engine.games.contract_game import ContractGame
from engine.games.knock_game import KnockGame
from engine.hand import Hand
from engine.records.record import HandRecord, Record, hand_record
from engine.rules import ENGINE_RULES, Rules
from engine.scoring import GameResult, HandResult
from engine.seeds import hash_seed


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that bots have played: its result and its record."""

    result: GameResult
    record: Record


pickle_by_fields(PlayedGame)


def play_game(rules: Rules, bots: Sequence[str], seed: str, names: Sequence[str] = (), stake: int = 0) -> PlayedGame:
    """Play all hands of a game with these bots in seat order, the first dealer first.

    The record has these `names`, by default the bots'; `stake` is for a knock game, in the smallest unit. Deals come
    from the seed, each bot's randomness from the hash of the text `SEED/bot/SEAT`: neither depends on the other,
    and no bot can compute a deal. Raises RulesError for a wrong number of players or an impossible stake, and
    EngineError for an unknown bot.
    """
    game = _game(rules, len(bots), seed, stake)
    seated = _seated(bots, seed)
    hands: list[HandRecord] = []
    while not game.over:
        hand = game.next_hand()
        actions: list[tuple[int, Action | Answer]] = []
        game.add_result(play_hand(hand, seated, actions))
        if isinstance(game, KnockGame):
            answer_offers(game, seated, actions)
        hands.append(hand_record(game.results[-1], hand.dealer, actions))
    result = game.result()
    record = Record(
        rules=rules.id,
        digest=rules.digest,
        engine_rules=ENGINE_RULES,
        players=tuple(names if names else bots),
        seed=seed,
        points=result.points,
        places=result.places,
        hands=tuple(hands),
        stake=game.pot.stake if isinstance(game, KnockGame) else None,
        money=result.money,
    )
    return PlayedGame(result, record)


def play_results(rules: Rules, bots: Sequence[str], seed: str, stake: int = 0) -> GameResult:
    """Return the result of the game that `play_game` plays, without a record of its actions.

    Arguments and errors are those of `play_game`.
    """
    game = _game(rules, len(bots), seed, stake)
    seated = _seated(bots, seed)
    while not game.over:
        game.add_result(play_hand(game.next_hand(), seated))
        if isinstance(game, KnockGame):
            answer_offers(game, seated)
    return game.result()


def _game(rules: Rules, players: int, seed: str, stake: int) -> ContractGame | KnockGame:
    return ContractGame(rules, players, seed) if rules.kind == "contract" else KnockGame(rules, players, seed, stake)


def _seated(bots: Sequence[str], seed: str) -> list[Bot]:
    """Return a bot of each name, in seat order."""
    return [make_bot(name, hash_seed(f"{seed}/bot/{seat}")) for seat, name in enumerate(bots)]


def answer_offers(
    game: KnockGame, bots: Sequence[Bot], actions: list[tuple[int, Action | Answer]] | None = None
) -> None:
    """Let the bots answer the offers after a knock hand; every buy is added to `actions`."""
    while (offer := game.offer) is not None:
        answer = bots[offer.seat].answer(offer)
        game.answer(answer)
        if actions is not None and isinstance(answer, Buy):
            actions.append((offer.seat, answer))


def play_hand(hand: Hand, bots: Sequence[Bot], actions: list[tuple[int, Action | Answer]] | None = None) -> HandResult:
    """Let the bots play the hand to its end; every action is added to `actions` with its seat."""
    seated = list(bots)
    while not hand.over:
        seat = hand.actor
        action = seated[seat].choose(hand.view(seat), hand.legal)
        hand.apply(action)
        if actions is not None:
            actions.append((seat, action))
    result = hand.result
    assert result is not None
    return result
