"""Replay: a record played again. Every action must be legal, and the results must be those of the record."""

from collections.abc import Iterator

from engine.actions import BUY, CLAIM, DECLINE, PASS, Action, Claim, parse_action
from engine.deal import Deal, check_players, deal_cards, pack_cards
from engine.errors import EngineError, RecordError
from engine.games.contract_game import ContractGame
from engine.games.knock_game import KnockGame
from engine.hand import Hand
from engine.records.record import HandRecord, Record
from engine.rules import ENGINE_RULES, Rules, named_rules
from engine.scoring import GameResult, HandResult
from engine.state import Phase
from engine.text import message, plural


def replay(record: Record, club_rules: Rules | None = None) -> GameResult:
    """Play the record again by `club_rules`, or by the built-in rules that it names, and return its result.

    Raises RecordError, with hand and step, if an action is illegal or the results differ from the record's.
    """
    rules = _rules(record, club_rules)
    if rules.kind == "contract" and len(record.hands) != len(rules.contracts.hands.order):
        raise RecordError(
            "the record has {hands} hands; {rules} has {order}",
            hands=len(record.hands),
            rules=rules.id,
            order=len(rules.contracts.hands.order),
        )
    game = begin(record, rules)
    _play_hands(game, record)
    result = game.result()
    for field, written, replayed in (
        ("totals", record.points, result.points),
        ("places", record.places, result.places),
        ("money", record.money, result.money),
    ):
        if written != replayed:
            raise RecordError(
                "the record's {field} are {written}; its hands give {replayed}",
                field=field,
                written=list(written),
                replayed=list(replayed),
            )
    return result


def begin(record: Record, club_rules: Rules | None = None) -> ContractGame | KnockGame:
    """Return the game of a record before its first hand. Raises RecordError if it cannot be replayed."""
    rules = _rules(record, club_rules)
    if rules.kind == "contract":
        return ContractGame(rules, len(record.players), record.seed or "", _deals(rules, record))
    try:
        return KnockGame(rules, len(record.players), record.seed or "", record.stake or 0, _decks(rules, record))
    except EngineError as error:
        raise RecordError(str(error)) from None


def actions(hand: Hand, written: HandRecord) -> Iterator[Action]:
    """Yield the actions of a recorded hand with the passes, which records leave out; whoever iterates applies them.

    The record is one that `replay` has accepted.
    """
    lines = iter(written.actions)
    line = next(lines, "")
    while not hand.over:
        seat, _blank, text = line.partition(" ")
        if hand.phase == Phase.CLAIM and (seat != str(hand.actor + 1) or text != str(CLAIM)):
            yield PASS
        else:
            yield parse_action(text)
            line = next(lines, "")


def _rules(record: Record, club_rules: Rules | None) -> Rules:
    """Return the rules of the record; RecordError unless it can be replayed by them."""
    if record.engine_rules != ENGINE_RULES:
        raise RecordError(
            "the record was made by version {version} of the engine's rules, this is version {current}; its stored "
            "outcome stands, but it cannot be replayed",
            version=record.engine_rules,
            current=ENGINE_RULES,
        )
    if not record.played:
        raise RecordError("the record has no actions: it keeps the scores of a game that people played")
    try:
        rules = named_rules(record.rules) if club_rules is None else club_rules
        check_players(rules, len(record.players))
    except EngineError as error:
        raise RecordError(str(error)) from None
    if not rules.named_by(record.digest):
        raise RecordError(
            "the record was played by other rules of that name ({digest}, not {digest_2})",
            digest=record.digest,
            digest_2=rules.digest,
        )
    if (record.stake is None) != (rules.kind == "contract"):
        raise RecordError("a knock game has a stake in its record, and no other game has one")
    return rules


def _play_hands(game: ContractGame | KnockGame, record: Record) -> None:
    """Play the hands of a record; in a knock game each is followed by its buys."""
    for number, written in enumerate(record.hands, 1):
        if game.over:
            raise RecordError(
                "the record has {hands} hands; the game is over after hand {number}",
                hands=len(record.hands),
                number=number - 1,
            )
        hand = game.next_hand()
        _check_dealer(hand, written, number)
        bought = buys(written) if isinstance(game, KnockGame) else []
        lines = written.actions[: len(written.actions) - len(bought)]
        game.add_result(replay_hand(hand, written, number, lines))
        if isinstance(game, KnockGame):
            _replay_buys(game, written, number, bought)
        _check_result(game.results[-1], written, number)
    if not game.over:
        raise RecordError("the record has {hands} hands; the game is not over after them", hands=len(record.hands))


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
                raise RecordError(
                    "hand {number} has a deck, but the record has a seed; keep one of the two", number=number
                )
        elif sorted(hand.deck) != sorted(pack_cards(rules, len(record.players), number)):
            raise RecordError(
                "hand {number}: without a seed it needs its deck, every card of the packs once", number=number
            )
    return [hand.deck for hand in record.hands] if record.seed is None else []


def buys(written: HandRecord) -> list[str]:
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
        raise RecordError(
            "{where}, step {step}: '{lines}' answers no offer",
            step,
            where=_name(written, number),
            step=step,
            lines=lines[0][:20],
        )


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
                raise RecordError(
                    "{where}: it is seat {actor}'s turn, not {seat_text}'s",
                    step,
                    where=where,
                    actor=hand.actor + 1,
                    seat_text=seat_text[:9],
                )
            hand.apply(action)
        except RecordError:
            raise
        except EngineError as error:
            raise RecordError("{where}: {error}", step, where=where, error=error) from None
    while hand.phase == Phase.CLAIM:
        hand.apply(PASS)
    result = hand.result
    if result is None:
        raise RecordError("{where} stops before its end", len(lines), where=_name(written, number))
    return result


def _check_dealer(hand: Hand, written: HandRecord, number: int) -> None:
    if written.dealer != hand.dealer:
        raise RecordError(
            "{where}: seat {dealer} deals, not {dealer_2}",
            where=_name(written, number),
            dealer=hand.dealer + 1,
            dealer_2=written.dealer + 1,
        )


def _check_result(replayed: HandResult, written: HandRecord, number: int) -> None:
    if replayed != written.result:
        raise RecordError(
            "{where}: it replays to {outcome}, not {outcome_2}",
            where=_name(written, number),
            outcome=_describe(replayed),
            outcome_2=_describe(written.result),
        )


def _name(written: HandRecord, number: int) -> str:
    return (
        message("hand {number} ({contract})", number=number, contract=written.contract)
        if written.contract
        else message("hand {number}", number=number)
    )


def _describe(result: HandResult) -> str:
    points, seat = list(result.points), (result.closer or 0) + 1
    if result.closer is None:
        text = message("{points}, a dead hand", points=points)
    elif result.at_once:
        text = message("{points}, closed by seat {seat} at once", points=points, seat=seat)
    elif result.ending is None:
        text = message("{points}, closed by seat {seat}", points=points, seat=seat)
    elif result.jokers:
        named = plural(result.jokers, "joker")
        ending = result.ending
        text = message(
            "{points}, closed by seat {seat} with a {ending} of {jokers}",
            points=points,
            ending=ending,
            jokers=named,
            seat=seat,
        )
    else:
        text = message(
            "{points}, closed by seat {seat} with a {ending}", points=points, ending=result.ending, seat=seat
        )
    return message("{outcome}, {off} bought off", outcome=text, off=list(result.off)) if result.off else text
