"""Presets: plans of events that clubs play often, each with the numbers of players for which it was rehearsed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import SETTINGS
from tourney.domain.rounds import Stage
from tourney.domain.rules import RulesRef
from tourney.rulebook import rulesets
from tourney.text.i18n import _, marked
from tourney.text.names import fold
from tourney.text.similar import similar

SHORT_GAME: Final = ("TTE", "TEE", "EEE")
"""The hands of a qualifying game that plays hands 5 to 7."""
EVENING_ROUNDS: Final[int] = SETTINGS["rounds"].default
"""The rounds of an evening without a final, as an event has them for which no number is given."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A plan with an id: in English its name and what it is, the fewest and most players, its stages and settings."""

    id: str
    name: str
    summary: str
    least: int
    most: int
    stages: tuple[Stage, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)


_FINAL: Final = Stage(marked("Final"), 1, take="best", number=4, ties="list", tables=1, seats="rank", format="rotation")
PRESETS: Final[Mapping[str, Preset]] = {
    preset.id: preset
    for preset in (
        Preset(
            "club-evening",
            marked("Club evening"),
            marked("everybody plays every round; nobody is out"),
            4,
            64,
            (Stage(marked("Evening"), EVENING_ROUNDS),),
        ),
        Preset(
            "swiss-final",
            marked("Swiss rounds and a final"),
            marked("four Swiss rounds, and a final table of the four best, who begin at zero"),
            8,
            64,
            (Stage(marked("Qualifying"), 4, "swiss"), _FINAL),
        ),
        Preset(
            "groups",
            marked("Groups and finals"),
            marked("groups of four play hands 5 to 7 three times; the winners play twice, and the four best the final"),
            20,
            64,
            (
                Stage(marked("Groups"), 3, "groups", hands=SHORT_GAME),
                Stage(marked("Semi-final"), 2, "groups", take="of each table", number=1, ties="list"),
                _FINAL,
            ),
        ),
        Preset(
            "knock-out",
            marked("Knock-out"),
            marked("the last at each table loses one of two lives; the four who are left play a final"),
            8,
            64,
            (Stage(marked("Knock-out"), 20, "knock-out", lives=2, until=4), _FINAL),
        ),
        Preset(
            "ladder",
            marked("Ladder"),
            marked("six rounds; the winner of a table moves up, the last one down; the top table ranks first"),
            8,
            64,
            (Stage(marked("Ladder"), 6, "ladder"),),
        ),
        Preset(
            "catan",
            marked("As at Catan championships"),
            marked(
                "three games ranked by wins, the best 16 at four tables, and their winners in the final, seated by rank"
            ),
            20,
            64,
            (
                Stage(marked("Qualifying"), 3, "random", table_points="winner only", tie_breaks="catan"),
                Stage(marked("Semi-final"), 1, "groups", take="best", number=16, ties="list", seats="rank"),
                replace(_FINAL, take="of each table", number=1),
            ),
        ),
        Preset(
            "season-evening",
            marked("Evening of a season"),
            marked("everybody plays every round for table points, 7-5-3-1, which a season adds up"),
            4,
            64,
            (Stage(marked("Evening"), EVENING_ROUNDS),),
            {"table_points": "ifpa"},
        ),
    )
}
"""All presets by id."""


def find_preset(text: str) -> Preset:
    """Return the preset of that id. Raises TourneyError NOT_FOUND with the nearest id."""
    found = PRESETS.get(fold(text).replace(" ", "-"))
    if found is None:
        near = similar(text, PRESETS)
        hint = _("did you mean {preset}?").format(preset=near[0]) if near else _("see `tourney event presets`")
        raise TourneyError(ExitCode.NOT_FOUND, _("no preset is called “{name}”").format(name=text[:80]), hint)
    return found


def stages_of(preset: Preset, rules: RulesRef) -> tuple[Stage, ...]:
    """Return the stages of a preset with names in the reader's language; rules without its hands play whole games."""
    known = [contract for contract, _cards in rulesets.contracts(rules)]
    return tuple(
        replace(
            stage,
            name=stage_name(stage.name),
            hands=stage.hands if all(hand in known for hand in stage.hands) else (),
        )
        for stage in preset.stages
    )


def stage_name(name: str) -> str:
    """Return the name of a preset's stage in the reader's language."""
    return _(name)
