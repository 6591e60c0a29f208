"""`tourney event presets`, `rehearse`, `simulate` and `cut`: events with stages."""

import re
from typing import Annotated, Final

import typer

from tourney.cli.framework.commands import Commands
from tourney.cli.framework.options import EventName, RulesName, seed_text
from tourney.cli.framework.progress import bar
from tourney.cli.framework.request import PlainReading, Reading, Writing
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rules import USUAL_RULES
from tourney.reports import rehearsal
from tourney.reports import stages as reports
from tourney.service.admin import rehearsal as service_rehearsal
from tourney.service.seating import constraint_text
from tourney.service.stages import cut_changes, simulation
from tourney.service.stages import presets as kept
from tourney.text.i18n import _

app = Commands()

_PLAYED: Final = re.compile(r"(?P<name>.+?)(?:=(?P<points>-?[0-9]{1,6}))?", re.ASCII | re.DOTALL)
"""A player of a play-off hand, with the points or without."""

STAGES = _("From stage to stage")

PresetOption = Annotated[
    str | None,
    typer.Option("--preset", metavar="ID", help=_("A plan with stages that clubs play often; see `event presets`.")),
]
PlanOption = Annotated[
    str | None,
    typer.Option("--plan", metavar="FILE", help=_("The file of a plan with stages; see `tourney guide plans`.")),
]
Seed = Annotated[
    str,
    typer.Option(parser=seed_text, metavar="TEXT", help=_("Any text: all that happens follows from it.")),
]


def refuse_together(given: bool, first: str, second: str) -> None:
    """Raise TourneyError USAGE if the second option is given, which the first rules out."""
    if given:
        message = _("{first} and {second} do not go together").format(first=first, second=second)
        raise TourneyError(ExitCode.USAGE, message, _("leave out {second}").format(second=second))


@app.command(
    "presets",
    heading=STAGES,
    help=_("List the presets: plans of events with stages that clubs play often."),
    epilog=_("tourney event presets"),
)
def presets(request: Reading) -> None:
    request.show(lambda: reports.presets(tuple(kept.PRESETS.values())))


@app.command(
    heading=STAGES,
    help=_(
        "Play a whole event with invented players, in a database of its own: some come late, some leave. Shows what is "
        "asked and how long it takes; the event does not change."
    ),
    epilog=_(
        "tourney event rehearse Weekend\n"
        "tourney event rehearse --preset groups --players 23\n"
        "tourney event rehearse --plan weekend.toml --seed 2"
    ),
)
def rehearse(
    request: PlainReading,
    event: EventName = None,
    preset: PresetOption = None,
    plan: PlanOption = None,
    players: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=2, max=400, help=_("The number of players; if left out, as many as have entered, or 32.")
        ),
    ] = None,
    seed: Seed = "1",
    calm: Annotated[bool, typer.Option("--calm", help=_("Nobody comes late, and nobody leaves."))] = False,
) -> None:
    if preset is not None or plan is not None:
        option = "--plan" if preset is None else "--preset"
        refuse_together(event is not None, option, _("the name of an event"))
    asked = service_rehearsal.RehearsalRequest(event, preset, plan, players, seed, not calm)
    request.show(lambda: rehearsal.rehearsal(service_rehearsal.rehearsed(request.db, asked)))


@app.command(
    heading=STAGES,
    help=_(
        "Compare presets by simulated tournaments: how often the best player wins, repeats, hours. Skills spread as in "
        "a pool of ratings."
    ),
    epilog=_(
        "tourney event simulate --players 32\ntourney event simulate --players 24 --preset swiss-final --preset groups"
    ),
)
def simulate(
    request: Reading,
    players: Annotated[int, typer.Option(metavar="N", min=4, max=400, help=_("The number of players."))] = 32,
    runs: Annotated[
        int, typer.Option(metavar="N", min=10, max=100_000, help=_("How many tournaments to simulate for each preset."))
    ] = 200,
    preset: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help=_("A preset to simulate; may be repeated. If left out, all that fit.")),
    ] = None,
    seed: Seed = "1",
    rules: RulesName = USUAL_RULES,
    pool: Annotated[
        str | None, typer.Option(metavar="POOL", help=_("The pool that the skills fit; if left out, people."))
    ] = None,
    spread: Annotated[
        float | None,
        typer.Option(
            metavar="S", min=0, max=10, help=_("The standard deviation of skills, in units of a game's chance.")
        ),
    ] = None,
) -> None:
    asked = simulation.SimulationRequest(players, runs, seed, tuple(preset or ()), rules, spread, pool)
    with bar(_("simulating")) as progress:
        found = simulation.simulate(request.db, asked, progress)
    request.show(lambda: rehearsal.simulation(found))


@app.command(
    "cut",
    heading=STAGES,
    help=_("Decide who plays in a stage, where the results alone do not: one option says what to do."),
    epilog=_(
        "tourney event cut Weekend --playoff Ana=0,Beñat=25\n"
        "tourney event cut Weekend --replace\n"
        "tourney event cut Weekend --keep"
    ),
)
def cut(
    request: Writing,
    event: EventName = None,
    playoff: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help=_(
                "How the play-off hand at the border ended: its players, the best first; or with their points, such as "
                "Ana=0,Beñat=25, which are kept."
            ),
        ),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help=_("The players of the next stage, where its plan lets you name them.")),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help=_("Let the next in line play for those who have left the stage."))
    ] = False,
    add: Annotated[
        bool, typer.Option("--add", help=_("Add a seat for each player who would go through by a correction."))
    ] = False,
    also: Annotated[
        str | None, typer.Option(metavar="NAMES", help=_("Add these players to the stage, whatever their results."))
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help=_("Leave the stage as it is, although a correction changes the results."))
    ] = False,
) -> None:
    changes = (
        None if playoff is None else _play_off(event, playoff),
        None if players is None else cut_changes.NamePlayers(event, constraint_text.names_in("--players", players)),
        cut_changes.ReplacePlayers(event) if replace else None,
        cut_changes.AddSeats(event) if add else None,
        None if also is None else cut_changes.AddSeats(event, constraint_text.names_in("--also", also)),
        cut_changes.KeepCut(event) if keep else None,
    )
    chosen = [change for change in changes if change is not None]
    if len(chosen) != 1:
        message = _("say what to decide: --playoff, --players, --replace, --add, --also or --keep")
        if chosen:
            message = _("only one option can say what to decide, and {number} are given").format(number=len(chosen))
        raise TourneyError(ExitCode.USAGE, message, _("`tourney status` says what is open"))
    request.submit(chosen[0], reports.decided)


def _play_off(event: str | None, text: str) -> "cut_changes.DecidePlayOff":
    """Return the change for names in order, or for names with points. Raises TourneyError USAGE for a mixture."""
    parts = [_PLAYED.fullmatch(name) for name in constraint_text.names_in("--playoff", text)]
    names = [part["name"] for part in parts if part is not None]
    points = [int(part["points"]) for part in parts if part is not None and part["points"] is not None]
    if points and len(points) != len(names):
        without = next(part["name"] for part in parts if part is not None and part["points"] is None)
        message = _("{player} has no points, and other players of the play-off hand have some").format(player=without)
        raise TourneyError(
            ExitCode.USAGE, message, _("give the points of all players, or only their names, the best first")
        )
    return cut_changes.DecidePlayOff(event, names, points)
