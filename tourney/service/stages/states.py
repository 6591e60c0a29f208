"""Players who are sure to go through to the next stage, who may, and who cannot, after every sheet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney import storage
from tourney.domain.events import GONE, Event
from tourney.domain.people import Player
from tourney.domain.results import Outcome, Result
from tourney.domain.rounds import Round, Stage, Table
from tourney.rulebook import rulesets, sheets
from tourney.seating.formats import FORMATS
from tourney.service.lookup import in_stage, with_rules_of_round
from tourney.service.results.standings import as_counted, rank_after, scoring_of_stage, tables_of_stages
from tourney.service.stages.advance import cut_to, is_over
from tourney.standings.chances import Basis, EndGame, chances
from tourney.standings.cut_states import CutState, PointSpan, Remaining, Runner, Ties, cut_states
from tourney.standings.cuts import places
from tourney.standings.scales import POINTS
from tourney.standings.scoring import USUAL
from tourney.standings.staged import StageTable, first_counted
from tourney.standings.standing import Standing
from tourney.standings.substitutes import CountedResults

NOBODY: Final = Player(0, "")
"""The player of a seat that counts for nobody."""


@dataclass(frozen=True, slots=True)
class StageProspect:
    """The prospect of a player to go through to the next stage; `chance` is None where it is not computed."""

    state: CutState
    chance: float | None = None


def prospects_of(reader: storage.Reader, event: Event) -> dict[int, StageProspect]:
    """Return by player's number who goes through to the next stage; empty if there is none, or all play in it."""
    stage, current = event.next_stage, event.stage
    if stage is None or current is None or stage.take in ("all", "named"):
        return {}
    rounds = reader.rounds.of(event)
    waiting = reader.results.waiting(event, rounds)
    if not waiting and is_over(reader, event, len(rounds)):
        return _decided(reader, event, stage)
    table = tables_of_stages(reader, event)[-1]
    rows = table.rows
    counts = scoring_of_stage(event, current).scale is POINTS and FORMATS[current.format].ranked_by == "nothing"
    if not counts or stage.take == "better than":
        return {row.player.id: StageProspect("out" if row.state in GONE else "open") for row in rows}
    results = as_counted(reader, event, reader.results.of(event))
    return _Outlook(reader, event, current, stage, table, rows, rounds, waiting, results).prospects()


def _decided(reader: storage.Reader, event: Event, stage: Stage) -> dict[int, StageProspect]:
    """Return who goes through now that the stage is over; a play-off hand leaves its players open."""
    decided = cut_to(reader, event, stage)
    rows = tables_of_stages(reader, event)[-1].rows
    through = {player.id: StageProspect("sure", 1.0) for player in decided.through}
    level = {
        player.id: StageProspect("open", each.places / len(each.players))
        for each in decided.play_offs
        for player in each.players
    }
    return {**{row.player.id: StageProspect("out", 0.0) for row in rows}, **level, **through}


@dataclass(frozen=True, slots=True)
class _Outlook:
    """The games that can still be played in the `current` stage before the cut to `stage`."""

    reader: storage.Reader
    event: Event
    current: Stage
    stage: Stage
    table: StageTable
    rows: Sequence[Standing]
    rounds: Sequence[Round]
    waiting: Sequence[Table]
    counts: CountedResults

    def prospects(self) -> dict[int, StageProspect]:
        found: dict[int, StageProspect] = {}
        played = self._played()
        size = in_stage(self.reader, self.event).settings.size
        basis = Basis(played, size, self.event.settings.seed, self._ranks)
        for runners, quota in self._lists():
            states = cut_states(runners, self.remaining, quota)
            share = chances(runners, self.remaining, quota, basis) if played else {}
            for runner in runners:
                found[runner.id] = _prospect(states[runner.id], share.get(runner.id))
        return {row.player.id: found.get(row.player.id, StageProspect("out", 0.0)) for row in self.rows}

    @property
    def remaining(self) -> Remaining:
        """The games that remain; those of earlier rounds are taken as rounds to come."""
        newest = max((table.round for table in self.waiting), default=len(self.rounds))
        earlier = len({table.round for table in self.waiting} - {newest})
        tables = tuple(tuple(self._counting(table)) for table in self.waiting if table.round == newest)
        rounds, listed = self.current.rounds, self.stage.ties == "list"
        return Remaining(newest, tables, self.undrawn + earlier, self._spans(), self._ties(), rounds, listed)

    def _counting(self, table: Table) -> Iterator[int]:
        """Yield the numbers of the players for whom the seats of a table count; 0 for a seat that counts for nobody."""
        yield from (0 if player is None else player.id for player in self.counts.players(table))

    def _ties(self) -> Ties:
        """Return how players with equal points are told apart, as far as that can be foreseen."""
        if self.stage.ties == "together":
            return "together"
        first = next(iter(scoring_of_stage(self.event, self.current).tie_breaks), None)
        return "recent" if self.stage.ties == "list" and first is not None and first.key == USUAL else "doubt"

    @property
    def undrawn(self) -> int:
        """The number of rounds of the stage that are not drawn."""
        return self.current.first - 1 + self.current.rounds - len(self.rounds)

    def _spans(self) -> tuple[PointSpan, ...]:
        rules = with_rules_of_round(self.event, self.current.first).rules
        most = rulesets.table_limits(rules)[1]
        return tuple(PointSpan(*span) for span in sheets.hand_spans(rules, most))

    def _lists(self) -> Iterator[tuple[list[Runner], int]]:
        """Yield the lists from which players go through, each with its places."""
        runners = [self._runner(row) for row in self.rows if self._can_rank(row)]
        if self.stage.take != "of each table":
            rows = [row for row in self.rows if row.state not in GONE and self._can_rank(row)]
            least, _most = rulesets.table_limits(self.event.rules)
            yield runners, places(self.stage, rows, least, len(rows))
            return
        by_id = {runner.id: runner for runner in runners}
        for table in self._groups():
            yield [by_id[player.id] for player in table.players if player.id in by_id], self.stage.number

    def _groups(self) -> Sequence[Table]:
        """Return the tables of the last round, where they are known: none of a stage whose tables change."""
        stay = FORMATS[self.current.format].ordered_once
        return self.rounds[-1].tables if self.rounds and (stay or not self.undrawn) else ()

    def _can_rank(self, row: Standing) -> bool:
        """Return whether the player can still have enough games for a rank."""
        open_games = sum(row.player.id in self._counting(table) for table in self.waiting)
        return row.games + open_games + self.undrawn >= self._needed

    @property
    def _needed(self) -> int:
        minimum = self.event.settings.minimum
        return -(-self.current.rounds // 2) if minimum is None else min(minimum, self.current.rounds)

    def _runner(self, row: Standing) -> Runner:
        rank = row.rank if self.stage.ties == "list" else None
        plays = row.state not in GONE
        return Runner(row.player.id, row.points, row.games, self._won(row), plays, int(row.carried), rank)

    def _won(self, row: Standing) -> tuple[tuple[int, int], ...]:
        """Return the hands that a player has won in the stage, the most recent one first."""
        won = [
            (result.table.round, place)
            for result in self._results()
            if row.player in result.table.players and (result.table.round, row.player.id) not in self.counts.uncounted
            for place, hand in enumerate(result.outcome.hands)
            if hand.closer == result.table.players.index(row.player)
        ]
        return tuple(sorted(won, reverse=True))

    def _results(self) -> list[Result]:
        counting = (each for each in self.counts.results if each.state == "counts")
        first = first_counted(self.event).first
        return [each for each in counting if each.table.round >= first]

    def _played(self) -> Mapping[int, Sequence[Outcome]]:
        games: dict[int, list[Outcome]] = defaultdict(list)
        for result in self._results():
            games[len(result.table.players)].append(result.outcome)
        return games

    def _ranks(self, ending: Sequence[EndGame]) -> dict[int, int]:
        """Return the ranks of the stage after these games."""
        by_id = {player.id: player for player in self.event.entrants}
        results = (
            Result("", Table(game.round, number, tuple(by_id.get(each, NOBODY) for each in game.players)), game.outcome)
            for number, game in enumerate(ending, 1)
        )
        order = rank_after(self.event, self.table, self.counts, results)
        return {placed.tally.player.id: placed.rank for placed in order.placed}


def _prospect(state: CutState, chance: float | None) -> StageProspect:
    return StageProspect(state, {"sure": 1.0, "open": chance, "out": 0.0}[state])


def with_prospects(rows: Sequence[Standing], found: Mapping[int, StageProspect]) -> tuple[Standing, ...]:
    """Return the rows with who goes through."""
    return tuple(
        replace(row, cut=found[row.player.id].state, chance=found[row.player.id].chance)
        if row.player.id in found
        else row
        for row in rows
    )
