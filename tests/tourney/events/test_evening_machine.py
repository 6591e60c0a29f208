"""Random evenings: after any changes, all that is shown equals what a second fold of the journal gives.

Hypothesis chooses changes of an organiser, possible and impossible ones; a refused change must leave the journal as it
was. After every change standings and ratings equal those of `second_fold`, nobody sits twice in a round, every total
adds up, and `db check` finds nothing. Editions with their corrections are rated again, too. What a constraint, a draw,
a player taken out, a penalty or a copied event does, or that it is refused, is predicted by `evening_changes`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test

from tests.harness import desk
from tests.harness.evening.checked_evening import CALLS, EVENTS, NEW, CheckedEvening
from tests.oracles import evening_changes
from tests.oracles.evening_changes import Asked
from tests.oracles.second_fold import Event as SecondEvent
from tests.oracles.second_fold import Spot, fold
from tourney.domain.events import Copied
from tourney.domain.people import Player
from tourney.domain.results import Length, SheetHand
from tourney.domain.rounds import Table
from tourney.domain.schedule import BrokenConstraint
from tourney.service.admin.journal import Redo, Undo
from tourney.service.admin.named_columns import WithDescription
from tourney.service.change import apply
from tourney.service.events import attendance, events
from tourney.service.events.attendance import CheckInPlayers, ReturnPlayers, WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.copy_event import CopyEvent
from tourney.service.events.events import EnterPlayers, FinishEvent, ReopenEvent, UseEvent, bot_seats
from tourney.service.events.settings import Changes, ChangeSettings
from tourney.service.lookup import AfterEvent, find_event
from tourney.service.players import ErasePlayer, ImportPlayers, MergePlayers, RegisterPlayers, RenamePlayer
from tourney.service.ratings.editions import PublishEdition
from tourney.service.results.entry import DropBegun, KeepAnswers, KeepPartialSheet
from tourney.service.results.flags import AnswerFlag, RaiseFlag
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.results.rulings import AddRuling, CancelRuling, Decision
from tourney.service.rounds import bot_tables, edit_round
from tourney.service.rounds.dissolve_table import DissolveTable
from tourney.service.rounds.draw_round import DrawRound, PublishRound
from tourney.service.rounds.edit_round import CancelRound, MovePlayer
from tourney.service.rounds.take_out import TakeOut
from tourney.storage.session import reading

CHANGES_AT_BEGINNING = 7
"""The number of changes with which every evening begins, which are not undone."""
CHANGES: tuple[Changes, ...] = (
    {"minimum": 0},
    {"minimum": 2},
    {"date": "2020-02-02"},
    {"date": ""},
    {"rounds": 2},
    {"rounds": 5},
    {"size": 4},
    {"checkin": "required"},
    {"checkin": "not asked"},
    {"seats": "drawn"},
    {"seats": "winner deals"},
    {"unfinished": "void"},
    {"unfinished": "penalty", "unfinished_points": 30},
    {"lang": "es"},
)
event_name = st.sampled_from(EVENTS)
number = st.integers(0, 1_000)
kinds = st.sampled_from(("apart", "never", "together"))
seldom = st.sampled_from((False, False, False, True))
closers = st.lists(st.integers(0, 3), min_size=7, max_size=7)
one_or_two = st.lists(number, min_size=1, max_size=2)
two_or_three = st.lists(number, min_size=2, max_size=3)
"""The places of entrants; the same one twice is a slip."""


def every(steps: int, offset: int = 0) -> Callable[["Evening"], bool]:
    """Return a precondition that holds in one of `steps` steps, for rules that would end an evening early."""
    return lambda self: self.steps % steps == offset


class Evening(CheckedEvening):
    """Two events, changed in random order."""

    # --- people ---------------------------------------------------------------------------------------------

    @precondition(every(4))
    @rule(count=st.integers(1, 2))
    def register(self, count: int) -> None:
        new = [f"P{self.names + offset}" for offset in range(1, count + 1)]
        self.names += count
        self.do("register", lambda: apply(self.db, RegisterPlayers(new)))

    @precondition(every(5, 2))
    @rule(ours=st.sampled_from(("name", "player")))
    def import_people(self, ours: str) -> None:
        """Register a person of a file, whose column has another name; the name is remembered or replaced."""
        self.names += 1
        file = self.folder / "people.csv"
        file.write_text(f"jugador\nP{self.names}\n", encoding="utf-8")
        change = WithDescription({"jugador": ours}, partial(ImportPlayers, file))
        self.do("import people", lambda: apply(self.db, change))

    @precondition(every(5))
    @rule(which=number)
    def rename(self, which: int) -> None:
        self.names += 1
        self.do("rename", lambda: apply(self.db, RenamePlayer(self._person(which).shown, f"P{self.names}")))

    @precondition(every(4, 1))
    @rule(which=number, other=number)
    def merge(self, which: int, other: int) -> None:
        self.do("merge", lambda: apply(self.db, MergePlayers(self._person(which).shown, self._person(other).shown)))

    @precondition(every(4, 3))
    @rule(which=number)
    def erase(self, which: int) -> None:
        self.do("erase", lambda: apply(self.db, ErasePlayer(self._person(which).shown)))

    # --- attendance -----------------------------------------------------------------------------------------

    @rule(name=event_name, which=number)
    def enter(self, name: str, which: int) -> None:
        self.do("enter", lambda: apply(self.db, EnterPlayers(name, [self._person(which).shown])))

    @precondition(every(5, 1))
    @rule(name=event_name)
    def enter_everybody(self, name: str) -> None:
        self.do("enter everybody", lambda: apply(self.db, EnterPlayers(name, everybody=True)))

    @precondition(every(4, 2))
    @rule(bots=st.integers(2, 4))
    def enter_bots(self, bots: int) -> None:
        self.do("enter bots", lambda: apply(self.db, EnterPlayers(EVENTS[0], bots=bot_seats(f"random:{bots}"))))

    @precondition(every(3))
    @rule(name=event_name, which=number, how=st.sampled_from(("withdrawn", "no-show")))
    def withdraw(self, name: str, which: int, how: attendance.Absence) -> None:
        self.do("withdraw", lambda: apply(self.db, WithdrawPlayers(name, [self._entrant(name, which)], "", how)))

    @rule(
        name=event_name, which=st.lists(number, min_size=1, max_size=2), how=st.sampled_from(("withdrawn", "no-show"))
    )
    def take_out(self, name: str, which: list[int], how: attendance.Absence) -> None:
        players, (event, before) = self._entrants(name, which), self._event(name)
        change = TakeOut(WithdrawPlayers(name, [player.shown for player in players], "", how))
        predicted = evening_changes.taken_out(before, [player.id for player in players], how)
        self.do("take out", lambda: apply(self.db, change), (event, predicted))

    @rule(name=event_name, which=number)
    def come_back(self, name: str, which: int) -> None:
        """Name event and player as at a command line: the event in the first word."""
        change = AfterEvent(None, [name, self._entrant(name, which)], ReturnPlayers)
        self.do("return", lambda: apply(self.db, change))

    @precondition(every(6, 4))
    @rule(name=event_name)
    def use(self, name: str) -> None:
        """Choose the current event, which is then meant by a change without one."""
        self.do("use", lambda: apply(self.db, UseEvent(name)))
        with reading(self.db) as reader:
            assert find_event(reader, None).settings.name == name

    @precondition(every(5, 2))
    @rule(name=event_name)
    def check_in(self, name: str) -> None:
        self.do("check in", lambda: apply(self.db, CheckInPlayers(name, everybody=True)))

    # --- constraints ----------------------------------------------------------------------------------------

    @rule(name=event_name, kind=kinds, which=two_or_three, clears=seldom)
    def constrain(self, name: str, kind: str, which: list[int], clears: bool) -> None:
        people = self._entrants(name, which)
        numbers = frozenset(person.id for person in people)
        asked = Asked([(kind, numbers, None)], clears=clears, typed_well=len(numbers) == len(people))
        change = ConstrainSeating(name, **{kind: [_typed(people)]}, replace=clears)
        self._constrain("constrain", name, change, asked)

    @rule(name=event_name, which=one_or_two, table=st.integers(1, 3))
    def need_table(self, name: str, which: list[int], table: int) -> None:
        people = self._entrants(name, which)
        asked = Asked([("table", frozenset([person.id]), table) for person in people])
        change = ConstrainSeating(name, tables=[f"{person.shown}={table}" for person in people])
        self._constrain("need a table", name, change, asked)

    @precondition(every(6, 5))
    @rule(name=event_name, remove=st.booleans())
    def keep_clubs_apart(self, name: str, remove: bool) -> None:
        club = any(entrant.club for entrant in events.show(self.db, name).entrants)
        asked = Asked(remove=frozenset()) if remove else Asked([("clubs apart", frozenset(), None)], has_club=club)
        change = ConstrainSeating(name, remove=["club"]) if remove else ConstrainSeating(name, ["club"])
        self._constrain("clubs apart", name, change, asked)

    @precondition(lambda self: any(event.constraints for event in self.world.events.values()))
    @rule(name=event_name, which=number, others=two_or_three)
    def remove_constraint(self, name: str, which: int, others: list[int]) -> None:
        """Remove the constraint on the players drawn: one that exists, the three pairs of a group, or none."""
        _number, event = self._event(name)
        named = [players for kind, players, _table in event.constraints if kind != "clubs apart"]
        named += [*evening_changes.together_groups(event), frozenset(each.id for each in self._entrants(name, others))]
        asked = Asked(remove=named[which % len(named)])
        people = [each for each in events.show(self.db, name).entrants if each.id in (asked.remove or ())]
        self._constrain("remove constraint", name, ConstrainSeating(name, remove=[_typed(people)]), asked)

    @precondition(every(5, 4))
    @rule(name=event_name)
    def clear_constraints(self, name: str) -> None:
        self._constrain("clear constraints", name, ConstrainSeating(name, replace=True), Asked(clears=True))

    def _constrain(self, verb: str, name: str, change: ConstrainSeating, asked: Asked) -> None:
        number, event = self._event(name)
        predicted = evening_changes.constrained(event, self.world.bots, asked)
        self.do(verb, lambda: apply(self.db, change), (number, predicted))

    # --- rounds ---------------------------------------------------------------------------------------------

    @precondition(lambda self: self._drawable())
    @rule(which=number, anyway=st.sampled_from((True, True, False)))
    def draw(self, which: int, anyway: bool) -> None:
        drawable = self._drawable()
        name = drawable[which % len(drawable)]
        event, before = self._event(name)
        predicted = evening_changes.drawn(before, self.world.bots, anyway)
        broken: list[BrokenConstraint] = []
        self.do(
            "draw",
            lambda: broken.extend(apply(self.db, DrawRound(name, anyway=anyway)).broken),
            (event, replace(predicted, holds=lambda after: predicted.holds(after) and _is_named(after, broken))),
        )

    @precondition(every(3, 1))
    @rule(name=event_name)
    def draw_draft(self, name: str) -> None:
        """Draw a round as a draft, after which no other is drawn until it is published or has a result."""
        self.do("draw a draft", lambda: apply(self.db, DrawRound(name, anyway=True, draft=True)))

    @precondition(lambda self: any(event.drafts() for event in self.world.events.values()))
    @rule()
    def publish_round(self) -> None:
        worlds = zip(EVENTS, self.world.events.values(), strict=False)
        name = next(name for name, event in worlds if event.drafts())
        self.do("publish a round", lambda: apply(self.db, PublishRound(name)))

    @precondition(lambda self: self._tables("open"))
    @rule(which=number, one=number, other=number, how=st.sampled_from((0, 0, 1, 2, 3)))
    def move(self, which: int, one: int, other: int, how: int) -> None:
        name, table = self._table(which, "open")
        moves = (
            edit_round.Swap(table.players[other % len(table.players)].shown),
            edit_round.ToTable(table.number),
            edit_round.ToTable(table.number, 1),
            edit_round.Out(),
        )
        self.do("move", lambda: apply(self.db, MovePlayer(name, self._entrant(name, one), moves[how], table.round)))

    @precondition(lambda self: self.steps % 3 == 1 and self._tables("open"))
    @rule(which=number)
    def dissolve(self, which: int) -> None:
        name, table = self._table(which, "open")
        self.do("dissolve", lambda: apply(self.db, DissolveTable(name, table.number, "too few", table.round)))

    @precondition(lambda self: self.steps % 3 == 0 and self._tables("open"))
    @rule(which=number)
    def cancel_round(self, which: int) -> None:
        name, _drawn = self._table(which, "open")
        self.do("cancel round", lambda: apply(self.db, CancelRound(name, "too early")))

    @precondition(lambda self: any(self._is_bots(name, spot) for name, spot in self._tables("open")))
    @rule()
    def play(self) -> None:
        self.do("play", lambda: bot_tables.play(self.db, bot_tables.BotTables(EVENTS[0])))

    def _is_bots(self, name: str, spot: Spot) -> bool:
        event = dict(zip(EVENTS, self.world.events.values(), strict=False))[name]
        return name == EVENTS[0] and self.world.bots.issuperset(event.tables[spot])

    # --- results and rulings --------------------------------------------------------------------------------

    # Two rules enter results, because Hypothesis leaves whole rules out of an evening and other rules need results.

    @precondition(lambda self: self._tables("open"))
    @rule(which=number, who=closers)
    def enter_whole(self, which: int, who: list[int]) -> None:
        self._enter(which, who, 7)

    @precondition(lambda self: self._tables("open"))
    @rule(which=number, who=closers, hands=st.sampled_from((7, 3, 1)))
    def enter_short(self, which: int, who: list[int], hands: int) -> None:
        self._enter(which, who, hands)

    def _enter(self, which: int, who: list[int], hands: int) -> None:
        name, table = self._table(which, "open")
        sheet = desk.hands([player.shown for player in table.players], who)[:hands]
        length: Length = "whole" if hands == 7 else "short"
        entered = EnterResult(name, table.round, table.number, sheet, length=length)
        self.do(f"enter {length}", lambda: apply(self.db, entered))

    @precondition(lambda self: self._tables("open"))
    @rule(which=number, who=closers, hands=st.sampled_from((1, 2, 4)))
    def keep_partial_sheet(self, which: int, who: list[int], hands: int) -> None:
        name, table = self._table(which, "open")
        sheet = desk.hands([player.shown for player in table.players], who)[:hands]
        self.do("partial sheet", lambda: apply(self.db, KeepPartialSheet(name, table.round, table.number, sheet)))

    @precondition(lambda self: self._tables("done"))
    @rule(which=number, who=closers)
    def correct(self, which: int, who: list[int]) -> None:
        name, table, sheet = self._corrected(which, who)
        self.do("correct", lambda: apply(self.db, CorrectResult(name, table.round, table.number, sheet, "slip")))

    @precondition(lambda self: self._tables("done"))
    @rule(which=number, who=closers)
    def correct_by_ruling(self, which: int, who: list[int]) -> None:
        name, table, sheet = self._corrected(which, who)
        decision = Decision("correction", "agreed", table.round, table.number)
        self.do("correct by ruling", lambda: apply(self.db, AddRuling(name, decision, sheet)))

    @precondition(lambda self: self._tables("done"))
    @rule(which=number, who=closers, drops=st.booleans())
    def begin_correction(self, which: int, who: list[int], drops: bool) -> None:
        """Begin a correction, which may be dropped; neither changes a result."""
        name, table, sheet = self._corrected(which, who)
        self.do("begin correction", lambda: apply(self.db, KeepAnswers(name, table, sheet, "correct")))
        if drops:
            self.do(
                "drop correction", lambda: apply(self.db, DropBegun(name, table.round, table.number, "slip", "correct"))
            )

    def _corrected(self, which: int, who: list[int]) -> tuple[str, Table, list[SheetHand[str]]]:
        name, table = self._table(which, "done")
        return name, table, desk.hands([player.shown for player in table.players], who)

    @precondition(lambda self: self._tables("done"))
    @rule(which=number)
    def void(self, which: int) -> None:
        name, table = self._table(which, "done")
        self.do("void", lambda: apply(self.db, VoidResult(name, table.round, table.number, "set aside")))

    @rule(name=event_name, which=number, points=st.integers(-60, 200), in_round=st.sampled_from((None, 1, 2, 9)))
    def penalise(self, name: str, which: int, points: int, in_round: int | None) -> None:
        player, (event, before) = self._entrants(name, [which])[0], self._event(name)
        decision = Decision("penalty", "rude", in_round, player=player.shown, points=points)
        predicted = evening_changes.penalised(before, player.id, points, in_round)
        self.do("penalise", lambda: apply(self.db, AddRuling(name, decision)), (event, predicted))

    @precondition(lambda self: any(event.rulings for event in self.world.events.values()))
    @rule(which=number)
    def cancel_ruling(self, which: int) -> None:
        worlds = zip(EVENTS, self.world.events.values(), strict=False)
        kept = [(name, ruling) for name, event in worlds for ruling in event.rulings]
        name, ruling = kept[which % len(kept)]
        number, event = self._event(name)
        predicted = evening_changes.ruling_cancelled(event, ruling)
        self.do("cancel ruling", lambda: apply(self.db, CancelRuling(name, ruling, "excused")), (number, predicted))

    @precondition(lambda self: self._tables("open"))
    @rule(which=number, seat=st.sampled_from((None, 0, 9)))
    def raise_flag(self, which: int, seat: int | None) -> None:
        name, table = self._table(which, "open")
        self.do("flag", lambda: apply(self.db, RaiseFlag(name, table.round, table.number, "who dealt?", seat)))

    @precondition(lambda self: any(event.flags for event in self.world.events.values()))
    @rule(which=number)
    def answer_flag(self, which: int) -> None:
        worlds = zip(EVENTS, self.world.events.values(), strict=False)
        flags = [(name, flag) for name, event in worlds for flag in event.flags]
        name, flag = flags[which % len(flags)]
        self.do("answer", lambda: apply(self.db, AnswerFlag(name, flag, f"seat {which % 4}")))

    # --- the event and the journal --------------------------------------------------------------------------

    @rule(name=event_name, changes=st.sampled_from(CHANGES))
    def change(self, name: str, changes: Changes) -> None:
        self.do("set", lambda: apply(self.db, ChangeSettings(name, changes)))

    @precondition(every(6, 1))
    @rule(name=event_name, what=st.sampled_from(("settings", "players", "both")))
    def copy(self, name: str, what: Copied) -> None:
        self.names += 1
        new = f"E{self.names}"
        predicted = evening_changes.copied(self._event(name)[1], what, new)
        self.do("copy", lambda: apply(self.db, CopyEvent(new, name, what)), (NEW, predicted))

    @precondition(every(4, 2))
    @rule(name=event_name, incomplete=st.booleans())
    def finish(self, name: str, incomplete: bool) -> None:
        self.do("finish", lambda: apply(self.db, FinishEvent(name, incomplete)))

    @precondition(lambda self: any(event.finished for event in self.world.events.values()))
    @rule(name=event_name)
    def reopen(self, name: str) -> None:
        self.do("reopen", lambda: apply(self.db, ReopenEvent(name, "a sheet was found")))

    @precondition(lambda self: any(event.played() for event in self.world.events.values()))
    @rule(today=st.booleans())
    def publish(self, today: bool) -> None:
        """Publish an edition; with the corrections that it lists, every earlier one is what would be published now."""
        day = datetime.now(UTC).date().isoformat() if today else "2020-02-02"
        self.do("publish", lambda: apply(self.db, PublishEdition("people", day)))
        if self.changed:
            assert fold(self.db).wrong_editions() == []

    # The changes at the beginning make people and events; without them every later change would be refused.
    @precondition(lambda self: self.steps % 2 == 0 and self._can_undo())
    @rule(times=st.sampled_from((1, 1, 2, 8)))
    def undo(self, times: int) -> None:
        for _time in range(times):
            if self._can_undo():
                self.do("undo", lambda: apply(self.db, Undo()))

    @precondition(lambda self: self.steps % 2 == 1 and self._can_undo())
    @rule(which=number)
    def undo_alone(self, which: int) -> None:
        """Undo one of the last changes by its number; it is refused where others rest on it."""
        standing = "SELECT act FROM step WHERE state = 'stands' AND act > ? ORDER BY act DESC LIMIT 8"
        numbers = [row[0] for row in desk.query(self.db, standing, CHANGES_AT_BEGINNING)]
        self.do("undo alone", lambda: apply(self.db, Undo(numbers[which % len(numbers)])))

    @precondition(lambda self: desk.query(self.db, "SELECT count(*) FROM undone") != [(0,)])
    @rule(times=st.sampled_from((1, 2, 8)))
    def redo(self, times: int) -> None:
        for _time in range(times):
            self.do("redo", lambda: apply(self.db, Redo()))

    def _can_undo(self) -> bool:
        standing = "SELECT count(*) FROM step JOIN act ON act.number = act WHERE state = 'stands'"
        return desk.query(self.db, f"{standing} AND kind <> 'player.erase'")[0][0] > CHANGES_AT_BEGINNING


def _typed(people: Sequence[Player]) -> str:
    return ",".join(person.shown for person in people)


def _is_named(event: SecondEvent, broken: Sequence[BrokenConstraint]) -> bool:
    """Return whether a draw has named all constraints that its round breaks, and no others; clubs may be beside."""
    apart, wrong = evening_changes.broken_by(event, max(spot[0] for spot in event.tables))
    named = {frozenset(player.id for player in each.players) for each in broken if each.kind == "apart"}
    clubs = any(kind == "clubs apart" for kind, _players, _table in event.constraints)
    tables = {(each.players[0].id, each.needed, each.table) for each in broken if each.kind == "table"}
    return tables == wrong and (named >= apart if clubs else named == apart)


def _run(runs: int, steps: int, number: int) -> None:
    """Play `runs` evenings of `steps` changes, chosen by the seed `number` and the sources; count them in CALLS."""
    profile = settings(
        max_examples=runs,
        stateful_step_count=steps,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate,),  # a shorter evening with the same fault would take minutes to find
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(seed(number)(Evening), settings=profile)


VERBS = """
    register, import people, rename, merge, erase, enter, enter bots, enter everybody, copy, withdraw, return, use,
    check in, draw, draw a draft, publish a round, move, dissolve, cancel round, play, enter whole, enter short,
    correct, correct by ruling, begin correction, drop correction, void, penalise, cancel ruling, set, finish, reopen,
    undo, redo, partial sheet, undo alone, publish, take out, constrain, need a table, clubs apart, remove constraint,
    clear constraints, flag, answer
"""


def _verbs_called_less_than(times: int) -> dict[str, int]:
    verbs = [verb.strip() for verb in VERBS.split(",")]
    return {verb: CALLS[verb] for verb in verbs if CALLS[verb] < times}


def test_dozens_of_changes_of_an_evening() -> None:
    """Play an evening of 50 changes; at least 15 changes are not refused."""
    CALLS.clear()
    _run(1, 50, 0)
    assert sum(CALLS.values()) - CALLS["refused"] >= 15, CALLS


def _run_until_each_verb_was_called(times: int, evenings: int, more: int, most: int, first: int = 0) -> None:
    """Play evenings of 50 changes, then `more` at a time up to `most`, until every verb was called so many times.

    The changes that are drawn depend on the seeds, of which `first` is the first, and on every constant in the sources.
    """
    CALLS.clear()
    _run(evenings, 50, first)
    for number in range(1, 1 + (most - evenings) // more):
        if _verbs_called_less_than(times):
            _run(more, 50, first + number)
    assert _verbs_called_less_than(times) == {}, CALLS


@pytest.mark.soak
def test_a_thousand_changes_of_an_evening() -> None:
    """At least 300 changes are not refused."""
    _run_until_each_verb_was_called(1, evenings=20, more=5, most=80)
    assert sum(CALLS.values()) - CALLS["refused"] >= 300, CALLS


@pytest.mark.soak
@pytest.mark.parametrize("quarter", range(4))
def test_twenty_thousand_changes_of_an_evening(quarter: int) -> None:
    """Four tests of 5,000 changes, which may run at once, and of more where a verb is rarely drawn."""
    _run_until_each_verb_was_called(5, evenings=100, more=5, most=300, first=100 * quarter)
