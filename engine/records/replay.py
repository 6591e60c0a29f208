"""Replay: a record played again. Every action must be legal, and the results must be those of the record."""

from engine.actions import BUY, DECLINE, PASS, Claim, parse_action
from engine.deal import Deal, check_players, deal_cards, pack_cards
from engine.errors import EngineError, RecordError
from engine.games.contract_game import Game
from engine.games.knock_game import KnockGame
from engine.hand import Hand
from engine.records.record import HandRecord, Record
from engine.rules import ENGINE_RULES, Rules, load_rules
from engine.scoring import GameResult, HandResult
from engine.state import Phase


def replay(record: Record, club_rules: Rules | None = None) -> GameResult:
    """Play the record again by `club_rules`, or by the built-in rules that it names, and return its result.

    Raises RecordError, with hand and step, if an action is illegal or the results differ from the record's.
    """
    rules = _rules(record, club_rules)
    result = _replay_contracts(rules, record) if rules.kind == "contract" else _replay_knocking(rules, record)
    for field, written, replayed in (
        ("totals", record.points, result.points),
        ("places", record.places, result.places),
        ("money", record.money, result.money),
    ):
        if written != replayed:
            raise RecordError(f"the record's {field} are {list(written)}; its hands give {list(replayed)}")
    return result


def _rules(record: Record, club_rules: Rules | None) -> Rules:
    """Return the rules of the record; RecordError unless it can be replayed by them."""
    if record.engine_rules != ENGINE_RULES:
        raise RecordError(
            f"the record was made by version {record.engine_rules} of the engine's rules, this is version "
            f"{ENGINE_RULES}; its stored outcome stands, but it cannot be replayed"
        )
    if not record.played:
        raise RecordError("the record has no actions: it keeps the scores of a game that people played")
    try:
        rules = load_rules(record.rules) if club_rules is None else club_rules
        check_players(rules, len(record.players))
    except EngineError as error:
        raise RecordError(str(error)) from None
    if not rules.named_by(record.digest):
        raise RecordError(f"the record was played by other rules of that name ({record.digest}, not {rules.digest})")
    if (record.stake is None) != (rules.kind == "contract"):
        raise RecordError("a knock game has a stake in its record, and no other game has one")
    return rules


# --- contract games -------------------------------------------------------------------------------------


def _replay_contracts(rules: Rules, record: Record) -> GameResult:
    if len(record.hands) != len(rules.contracts.hands.order):
        raise RecordError(
            f"the record has {len(record.hands)} hands; {rules.id} has {len(rules.contracts.hands.order)}"
        )
    game = Game(rules, len(record.players), record.seed or "", _deals(rules, record))
    for number, written in enumerate(record.hands, 1):
        hand = game.next_hand()
        _check_dealer(hand, written, number)
        result = replay_hand(hand, written, number)
        _check_result(result, written, number)
        game.add_result(result)
    return game.result()


def _deals(rules: Rules, record: Record) -> list[Deal]:
    """Return the deals of a record from its decks; empty if the record has a seed."""
    players = len(record.players)
    decks = _decks(rules, record)
    return [deal_cards(rules, players, deck, f"deck/{number}", number) for number, deck in enumerate(decks, 1)]


def _decks(rules: Rules, record: Record) -> list[tuple[int, ...]]:
    """Return the decks of a record, by hand; empty if the record has a seed, since then it needs none."""
    for number, hand in enumerate(record.hands, 1):
        if record.seed is not None:
            if hand.deck:
                raise RecordError(f"hand {number} has a deck, but the record has a seed; keep one of the two")
        elif sorted(hand.deck) != sorted(pack_cards(rules, len(record.players), number)):
            raise RecordError(f"hand {number}: without a seed it needs its deck, every card of the packs once")
    return [hand.deck for hand in record.hands] if record.seed is None else []


# --- the knock game -------------------------------------------------------------------------------------


def _replay_knocking(rules: Rules, record: Record) -> GameResult:
    decks = _decks(rules, record)
    try:
        game = KnockGame(rules, len(record.players), record.seed or "", record.stake or 0, decks)
    except EngineError as error:
        raise RecordError(str(error)) from None
    for number, written in enumerate(record.hands, 1):
        if game.over:
            raise RecordError(f"the record has {len(record.hands)} hands; the game is over after hand {number - 1}")
        hand = game.next_hand()
        _check_dealer(hand, written, number)
        buys = _buys(written)
        actions = len(written.actions) - len(buys)
        game.add_result(replay_hand(hand, written, number, written.actions[:actions]))
        _replay_buys(game, written, number, buys)
        _check_result(game.results[-1], written, number)
    if not game.over:
        raise RecordError(f"the record has {len(record.hands)} hands; the game is not over after them")
    return game.result()


def _buys(written: HandRecord) -> list[str]:
    """Return the buys of a hand: the lines that follow its actions."""
    lines = list(written.actions)
    first = next((at for at, line in enumerate(lines) if line.endswith(f" {BUY}")), len(lines))
    return lines[first:]


def _replay_buys(game: KnockGame, written: HandRecord, number: int, lines: list[str]) -> None:
    """Answer the offers after a hand by `lines`, its buys; RecordError for a buy without an offer."""
    step = len(written.actions) - len(lines) + 1
    while game.offer is not None:
        is_buy = lines[:1] == [f"{game.offer.seat + 1} {BUY}"]
        if is_buy:
            lines = lines[1:]
            step += 1
        game.answer(BUY if is_buy else DECLINE)
    if lines:
        raise RecordError(f"{_name(written, number)}, step {step}: '{lines[0][:20]}' answers no offer", step)


# --- one hand -------------------------------------------------------------------------------------------


def replay_hand(hand: Hand, written: HandRecord, number: int, lines: tuple[str, ...] | None = None) -> HandResult:
    """Play the lines of a hand, by default all actions of `written`, and return its result.

    Raises RecordError, naming hand and step, where an action is not legal.
    """
    lines = written.actions if lines is None else lines
    for step, line in enumerate(lines, 1):
        where = f"{_name(written, number)}, step {step}"
        seat_text, _, text = line.partition(" ")
        try:
            action = parse_action(text, step)
            while hand.phase == Phase.CLAIM and not (isinstance(action, Claim) and seat_text == str(hand.actor + 1)):
                hand.apply(PASS)
            if seat_text != str(hand.actor + 1):
                raise RecordError(f"{where}: it is seat {hand.actor + 1}'s turn, not {seat_text[:9]}'s", step)
            hand.apply(action)
        except RecordError:
            raise
        except EngineError as error:
            raise RecordError(f"{where}: {error}", step) from None
    while hand.phase == Phase.CLAIM:
        hand.apply(PASS)
    result = hand.result
    if result is None:
        raise RecordError(f"{_name(written, number)} stops before its end", len(lines))
    return result


def _check_dealer(hand: Hand, written: HandRecord, number: int) -> None:
    if written.dealer != hand.dealer:
        raise RecordError(f"{_name(written, number)}: seat {hand.dealer + 1} deals, not {written.dealer + 1}")


def _check_result(replayed: HandResult, written: HandRecord, number: int) -> None:
    if replayed != written.result:
        raise RecordError(
            f"{_name(written, number)}: it replays to {_describe(replayed)}, not {_describe(written.result)}"
        )


def _name(written: HandRecord, number: int) -> str:
    return f"hand {number} ({written.contract})" if written.contract else f"hand {number}"


def _describe(result: HandResult) -> str:
    who = "a dead hand" if result.closer is None else f"closed by seat {result.closer + 1}"
    how = " at once" if result.at_once else "" if result.ending is None else f" with a {result.ending}"
    jokers = f" of {result.jokers} jokers" if result.jokers else ""
    off = f", {list(result.off)} bought off" if result.off else ""
    return f"{list(result.points)}, {who}{how}{jokers}{off}"
