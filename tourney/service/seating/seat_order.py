"""The order of seats at the tables of a drawn round: balanced, drawn by card, or with the last winner dealing first.

The seating decides who sits at which table, and balances seats over the rounds. The first player of a table deals
first. An event may have the cards decide instead, or let a player who won their last game deal (001/1.11): a player's
games are the tables of the event's rounds at which they sat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.results import Outcome, Result
from tourney.domain.rounds import Round, Stage, Table
from tourney.rulebook.seat_draw import SeatDraw, draw_seats, who_deals
from tourney.seating.rng import seeded_rng, shuffled
from tourney.text.cards import shown_cards
from tourney.text.i18n import _, ngettext


def in_seat_order(event: Event, round_: Round, winners: Collection[int], by_hand: Collection[int]) -> Round:
    """Return the round with its tables' seats as the event orders them, but for tables seated `by_hand`.

    `winners` are the ids of the players who won their last game.
    """
    tables = tuple(
        table if table.number in by_hand else replace(table, players=_ordered(event, table, winners))
        for table in round_.tables
    )
    return replace(round_, tables=tables)


def _ordered(event: Event, table: Table, winners: Collection[int]) -> tuple[Player, ...]:
    stage = event.in_round(table.round)
    if stage is not None and stage.seats:
        return _in_stage_order(event, stage, table)
    if event.settings.seats == "drawn":
        return _by_card(event, table, table.players)
    if event.settings.seats == "winner deals":
        first = next((player for player in table.players if player.id in winners), table.players[0])
        return _dealt_by(first, table.players)
    return table.players


def _in_stage_order(event: Event, stage: Stage, table: Table) -> tuple[Player, ...]:
    """Return the players in the order in which they went through to the stage, or drawn by lot."""
    if stage.seats == "lot":
        rng = seeded_rng("seats", event.settings.seed, table.round, table.number)
        return tuple(shuffled(sorted(table.players, key=lambda player: player.id), rng))
    places = {number: place for place, number in enumerate(stage.players)}
    return tuple(sorted(table.players, key=lambda player: places.get(player.id, len(places))))


def _dealt_by(first: Player, players: tuple[Player, ...]) -> tuple[Player, ...]:
    """Return the players in the same order round the table, beginning with the first dealer."""
    place = players.index(first)
    return players[place:] + players[:place]


def _by_card(event: Event, table: Table, planned: tuple[Player, ...]) -> tuple[Player, ...]:
    players, draw = _draw(event, table)
    if draw.seated:
        return tuple(players[place] for place in draw.order)
    return _dealt_by(players[draw.order[0]], planned)


def _draw(event: Event, table: Table) -> tuple[tuple[Player, ...], SeatDraw]:
    """Return the table's players in the order of entry, in which they draw, and the draw."""
    places = {player.id: place for place, player in enumerate(event.entrants)}
    players = tuple(sorted(table.players, key=lambda player: (places.get(player.id, len(places)), player.id)))
    seed = f"{event.settings.seed}/{table.round}/{table.number}"
    return players, draw_seats(event.rules, len(players), seed)


def last_winners(rounds: Sequence[Round], results: Sequence[Result]) -> frozenset[int]:
    """Return the ids of the players who won the last game for which they were seated, where it has a result."""
    counting = {
        (result.table.round, result.table.number): result.outcome for result in results if result.state == "counts"
    }
    won: dict[int, bool] = {}
    for table in (table for round_ in rounds for table in round_.tables):
        outcome = counting.get((table.round, table.number))
        winner = None if outcome is None else _winner(outcome)
        won |= {player.id: seat == winner for seat, player in enumerate(table.players)}
    return frozenset(player for player, has_won in won.items() if has_won)


def _winner(outcome: Outcome) -> int:
    """Return the seat that deals next: the winner's; of several, that of the lower score (A-25)."""
    return min(range(len(outcome.places)), key=lambda seat: (outcome.places[seat], outcome.points[seat]))


def seats_of_round(reader: storage.Reader, event: Event, round_: Round) -> tuple[str, ...]:
    """Return lines on how the seats of a drawn round were ordered; none if they are balanced."""
    if event.settings.seats == "drawn":
        return tuple(_card_lines(event, round_, cards_drawn(reader, event, round_)))
    if event.settings.seats == "winner deals":
        earlier = [other for other in reader.rounds.of(event) if other.number < round_.number]
        winners = last_winners(earlier, reader.results.of(event, last=round_.number - 1))
        return tuple(_winner_lines(round_, winners))
    return ()


def cards_drawn(reader: storage.Reader, event: Event, round_: Round) -> dict[int, str]:
    """Return by table its players in seat order with the cards that they drew; only tables that are still as drawn."""
    if event.settings.seats != "drawn":
        return {}
    rounds, _plans = reader.rounds.as_drawn(event)
    first, then, how, _named = rounds[round_.number - 1]
    if how is None or then.settings.seats != "drawn":
        return {}
    by_card = {table.number: table.players for table in first.tables if table.number not in how.given}
    return {
        table.number: _cards_text(then, table)
        for table in round_.tables
        if by_card.get(table.number) == table.players and _by_card(then, table, table.players) == table.players
    }


def _cards_text(event: Event, table: Table) -> str:
    players, draw = _draw(event, table)
    cards = {player: shown_cards(" ".join(drawn)) for player, drawn in zip(players, draw.cards, strict=True)}
    return ", ".join(f"{player.shown} {cards[player]}".strip() for player in table.players)


def _card_lines(event: Event, round_: Round, drawn: Mapping[int, str]) -> Iterator[str]:
    """Yield who deals first by the rules, and a line for each table with the cards drawn there."""
    if drawn:
        yield who_deals(event.rules)
    for table, players in drawn.items():
        yield _("round {round}, table {table}: {players}").format(round=round_.number, table=table, players=players)


def _winner_lines(round_: Round, winners: Collection[int]) -> Iterator[str]:
    """Yield a line with the first dealers who won their last game."""
    dealing = [(table.players[0], table.number) for table in round_.tables if table.players]
    names = [
        _("{player} (table {table})").format(player=player.shown, table=number)
        for player, number in dealing
        if player.id in winners
    ]
    if names:
        text = ngettext(
            "round {number}: {players} deals first, having won their last game",
            "round {number}: {players} deal first, having won their last game",
            len(names),
        )
        yield text.format(number=round_.number, players=", ".join(names))
