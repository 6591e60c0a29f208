"""Every frozen value of the engine and the ratings can be copied and pickled, in the plain and the compiled build."""

import copy
import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

import engine
import tourney.ratings
from engine.actions import LayDown, parse_action, parse_answer
from engine.build import Build
from engine.cards import Faces, parse_cards
from engine.deal import deal
from engine.errors import EngineError, IllegalAction, NotationError, RecordError, RulesError, UnknownRules
from engine.games.knock_game import Offer
from engine.knock.pot import POT, Payment, collect_antes
from engine.melds import Meld, Refusal
from engine.play import play_game
from engine.rules import Rules, load_rules
from engine.rules.loading import listed_variants
from engine.rules.values import Between, ClubWord
from engine.sheets.contract_sheet import ContractSheet, DeclaredHand, check_sheet
from engine.sheets.knock_sheet import DeclaredKnockHand, check_knock_sheet
from engine.solver import Arrangement, Plan, best, plan
from engine.solver.deadwood import deadwood
from engine.view import View
from tests.harness.engine.positions import OFICIAL, position
from tourney.files.results import FileGame
from tourney.ratings.backtest_values import BacktestScore, EloParameters, Results
from tourney.ratings.learning import Evening, Variation
from tourney.ratings.model import newcomer
from tourney.ratings.parameters import Parameters

ACTIONS = (
    "stock | take | claim | pass | down T: 7h 7d 7c / E: 2s 3s 4s Jk | back | off 8h 1 | swap 5h 1.2 "
    "to 2 low | move 1 low to 1 | discard 7h | close | close 7h | knock | rummy 7h"
)
HAND_WRITTEN = (Arrangement, LayDown, Meld, Plan, View)
"""Values whose classes are written by hand, not dataclasses; in plain Python they can be changed."""
INTERNAL = {"MinimalRun"}
"""Classes of values that stay inside the solver's tables."""

COPIES: dict[str, Callable[[Any], Any]] = {"copy": copy.copy, "deepcopy": copy.deepcopy} | {
    f"pickle-{protocol}": lambda value, protocol=protocol: pickle.loads(pickle.dumps(value, protocol))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
}


def frozen_classes() -> Iterator[type]:
    """Yield every public frozen class of the engine and the ratings."""
    for package in (engine, tourney.ratings):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("._compile"):
                yield from _frozen_in(importlib.import_module(module.name))


def _frozen_in(module: Any) -> Iterator[type]:
    for name, cls in inspect.getmembers(module, inspect.isclass):
        is_public = cls.__module__ == module.__name__ and not name.startswith("_") and name not in INTERNAL
        if is_public and (cls in HAND_WRITTEN or (is_dataclass(cls) and cls.__dataclass_params__.frozen)):
            yield cls


def samples() -> Iterator[Any]:
    """Yield values that contain at least one value of each frozen class."""
    knock = load_rules("knock")
    yield from (parse_action(text) for text in ACTIONS.split(" | "))
    yield from (parse_answer("buy"), parse_answer("decline"))
    yield from (Build("plain", (), "asked"), Between(2, 12), OFICIAL, knock, load_rules("oficial+claims3+scaled"))
    yield from (ClubWord("trio", "tercia", gender="f"), listed_variants("oficial"))
    yield from _of_a_hand()
    cards = Faces(parse_cards("7h 7d 7c 2s 3s 4s 5s Jk"))
    yield from (best(OFICIAL, "TE", cards), plan(OFICIAL, "TEE", cards), deadwood(knock, cards, 1))
    yield from (
        collect_antes(knock, 3, 100),
        Payment(0, POT, 100),
        Offer(knock, 1, 200, 60, (20, 60, 40), (0, 1, 2), 300),
    )
    yield from (play_game(knock, ("greedy", "random"), "values", stake=100), Refusal("003/1.6", "not now"))
    yield from _of_sheets(knock)
    yield from (Parameters(), EloParameters(), newcomer("Ana", Parameters()))
    yield FileGame(1, "1", "2026-11-21", "Monaco", (2, 3), ("x", "y"), (1, 1))
    yield from (
        BacktestScore((1, 3), (0.5, 1.5), 2.5),
        Results(((0, 1), (1, 0))),
        Evening(8, 4, 3, 7),
        Variation(1.5, 6.0),
    )


def _of_a_hand() -> Iterator[Any]:
    """Yield a deal, views of a hand, and the undo point of its lay-down."""
    yield deal(OFICIAL, 4, "values")
    hand = position("TT", ["7h 7d 7c Ks Kd Kc 2c 3d 4h 9s", "2d 3c"], stock="5d 6d")
    for action in ("stock", "pass", "down T: 7c 7d 7h / T: Kc Kd Ks"):
        hand.apply(parse_action(action))
    yield from (hand.view(0), hand.view(1), hand._state.undo_point, hand.legal.position())


def _of_sheets(knock: Rules) -> Iterator[Any]:
    """Yield sheets as written down and as checked."""
    declared = DeclaredHand("TT", {0: -10, 1: 35, 2: 17}, 0, True)
    yield from (declared, ContractSheet(3, (declared,)), check_sheet(OFICIAL, ContractSheet(3, (declared,)), "short"))
    yield check_sheet(OFICIAL, ContractSheet(3, (DeclaredHand("TT", {0: 0, 1: 0, 2: 1}),)), "short")
    knocked = DeclaredKnockHand("knock", {0: 3, 1: 20, 2: 30}, 0)
    yield from (knocked, check_knock_sheet(knock, 3, [knocked], length="short"))


def values_in(value: Any) -> Iterator[Any]:
    """Yield the value and every frozen value inside it."""
    if isinstance(value, HAND_WRITTEN):
        yield value
        for part in value.__reduce__()[1]:
            yield from values_in(part)
    elif is_dataclass(value):
        yield value
        for field in fields(value):
            yield from values_in(getattr(value, field.name))
    elif isinstance(value, Mapping):
        yield from values_in(tuple(value.values()))
    elif isinstance(value, tuple):
        for part in value:
            yield from values_in(part)


SAMPLES: dict[type, Any] = {type(value): value for sample in samples() for value in values_in(sample)}
CLASSES = {f"{cls.__module__}.{cls.__name__}": cls for cls in frozen_classes()}
ERRORS = [
    EngineError("refused"),
    NotationError("'Zz' is not a card", 3, 5),
    IllegalAction("the hand is over", "003/1.10"),
    RulesError("no such field", "the fields are: a, b"),
    UnknownRules("no rule set 'x'", "did you mean 'y'?"),
    RecordError("the points do not add up", 4),
]


@pytest.mark.parametrize("name", CLASSES)
def test_copies_and_pickles_of_every_frozen_value_are_equal_to_it(name: str) -> None:
    value = SAMPLES[CLASSES[name]]
    for method, make_copy in COPIES.items():
        duplicate = make_copy(value)
        assert type(duplicate) is type(value), method
        assert duplicate == value, method
        assert str(duplicate) == str(value), method


@pytest.mark.parametrize("name", [name for name, cls in CLASSES.items() if cls not in HAND_WRITTEN])
def test_a_frozen_value_stays_frozen(name: str) -> None:
    cls = CLASSES[name]
    for field in fields(cls):
        with pytest.raises(AttributeError):
            setattr(SAMPLES[cls], field.name, None)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_copies_and_pickles_of_every_error_have_its_type_text_and_fields(error: EngineError) -> None:
    """Worker processes send their errors pickled."""
    for method, make_copy in COPIES.items():
        duplicate = make_copy(error)
        assert (type(duplicate), str(duplicate), vars(duplicate)) == (type(error), str(error), vars(error)), method
