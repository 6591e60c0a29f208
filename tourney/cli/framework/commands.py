"""Nouns and their commands; a command takes a group of options as one value."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, Final, TypeVar, get_args, get_origin

import typer
from typer.models import ArgumentInfo

from tourney.cli.framework.app import Verbs
from tourney.cli.framework.help_pages import CommandPage
from tourney.cli.framework.options import AlsoOption
from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _
from tourney.text.names import fold

_CONTEXT: Final = "context_of_twins"

Command = TypeVar("Command", bound=Callable[..., None])


class Missing(typer.BadParameter):
    """A parameter that is not given: `param_type` tells it from a refused value, as in Typer's error."""

    param_type: str | None = None


class Commands(typer.Typer):
    """An application whose commands may have groups of options."""

    def command(self, name: str | None = None, heading: str = "", **settings: Any) -> Callable[[Command], Command]:
        """Return a decorator that adds a command, listed on the page of its noun under `heading` if there is one."""
        register = super().command(name, cls=CommandPage, rich_help_panel=heading, **settings)

        def add(command: Command) -> Command:
            register(ungrouped(command))
            return command

        return add


def noun(details: str = "") -> Commands:
    """Return an application for a noun without verbs, which its module adds; `details` follow its sentence."""
    return Commands(cls=Verbs, help=details, rich_markup_mode=None, add_completion=False)


def single() -> Commands:
    """Return an application for a noun that is itself one command."""
    return Commands(rich_markup_mode=None, add_completion=False)


@dataclass(frozen=True, slots=True)
class _Group:
    """A parameter that takes a group: its name, the group's dataclass, and the fields that become options."""

    parameter: str
    kind: Callable[..., Any]
    options: tuple[Parameter, ...]


def ungrouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with each option of its groups as a separate parameter, after its other parameters.

    A group is a dataclass whose fields are annotated as options; `Annotated[Group, "a", "b"]` takes only these two.
    An argument marked with `AlsoOption` gets its option, too.
    """
    parameters = signature(command).parameters.values()
    groups = [group for parameter in parameters for group in _groups(parameter)]
    twins = [twin for parameter in parameters for twin in _twins(parameter)]
    taken = {group.parameter for group in groups}
    optional = {twin.argument for twin in twins}
    own = [
        parameter.replace(
            kind=Parameter.KEYWORD_ONLY, default=None if parameter.name in optional else parameter.default
        )
        for parameter in parameters
        if parameter.name not in taken
    ]
    shown = [*own, *(twin.option for twin in twins), *(option for group in groups for option in group.options)]

    if twins:
        shown.append(Parameter(_CONTEXT, Parameter.KEYWORD_ONLY, annotation=typer.Context))

    def run(**given: Any) -> None:
        context = given.pop(_CONTEXT, None)
        for twin in twins:
            given[twin.argument] = twin.value(context, given[twin.argument], given.pop(twin.option.name))
        for group in groups:
            options = {option.name: given.pop(option.name) for option in group.options}
            given[group.parameter] = group.kind(**options)
        command(**given)

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    vars(run)["__signature__"] = Signature(shown)
    return run


def _groups(parameter: Parameter) -> list[_Group]:
    annotation = parameter.annotation
    kind, *names = get_args(annotation) if get_origin(annotation) is Annotated else [annotation]
    if not hasattr(kind, "__dataclass_fields__"):
        return []
    options = [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=field.type)
        for field in fields(kind)
        if not names or field.name in names
    ]
    return [_Group(parameter.name, kind, tuple(options))]


@dataclass(frozen=True, slots=True)
class _Twin:
    """An argument by name, whether one of both must be given, and the option that stands for it."""

    argument: str
    required: bool
    option: Parameter

    def value(self, context: Any, argument: str | None, option: str | None) -> str | None:
        """Return the text that is given.

        Raises TourneyError USAGE if both are and differ, accents and case aside, Missing if one must be given.
        """
        if argument is not None and option is not None and fold(argument) != fold(option):
            message = _("“{first}” and “{second}” contradict each other")
            named = message.format(first=argument[:40], second=option[:40])
            raise TourneyError(ExitCode.USAGE, named, _("give only one of the two"))
        if argument is None and option is None and self.required:
            param = next(param for param in context.command.params if param.name == self.argument)
            raise Missing("", ctx=context, param=param)
        return argument if option is None else option


def _twins(parameter: Parameter) -> list[_Twin]:
    annotation = parameter.annotation
    kind, *marks = get_args(annotation) if get_origin(annotation) is Annotated else [annotation]
    metavar = next((mark.metavar for mark in marks if isinstance(mark, ArgumentInfo)), None) or ""
    options = [_option(mark.name, metavar, kind) for mark in marks if isinstance(mark, AlsoOption)]
    return [_Twin(parameter.name, parameter.default is Parameter.empty, option) for option in options]


def _option(name: str, metavar: str, kind: Any) -> Parameter:
    """Return the option `name` that stands for the argument `metavar`."""
    info = typer.Option(name, metavar=metavar, help=_("{name}, given as an option.").format(name=metavar))
    plain = name.removeprefix("--").replace("-", "_")
    return Parameter(f"{plain}_option", Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, info])
