"""Nouns and their commands; a command takes a group of options as one value."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, TypeVar, get_args, get_origin

import typer

from tourney.cli.framework.app import Verbs
from tourney.cli.framework.help_pages import CommandPage

Command = TypeVar("Command", bound=Callable[..., None])


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
    """
    parameters = signature(command).parameters.values()
    groups = [group for parameter in parameters for group in _groups(parameter)]
    taken = {group.parameter for group in groups}
    own = [parameter for parameter in parameters if parameter.name not in taken]
    shown = [*own, *(option for group in groups for option in group.options)]

    def run(**given: Any) -> None:
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
