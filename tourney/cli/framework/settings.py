"""Options for settings that the domain declares, such as those of events and of seasons."""

from collections.abc import Callable, Mapping
from dataclasses import make_dataclass
from typing import Annotated, Any, Literal

import typer

from tourney.domain.events import Setting
from tourney.text.i18n import _


def setting_option(setting: Setting, **words: str) -> Any:
    """Return the option of a setting; `words` are those that its help leaves open."""
    return typer.Option(metavar=setting.metavar, min=setting.least, help=_(setting.help).format(**words))


def settings_group(
    settings: Mapping[str, Setting],
    choices: Callable[[str], tuple[str, ...]],
    unset: Mapping[str, Any] | None = None,
    **words: str,
) -> type:
    """Return a group of options, one for every setting, with the values from which each is chosen.

    Their defaults are in `unset`, or None.
    """
    options: list[tuple[str, Any, Any]] = []
    for name, setting in settings.items():
        allowed = choices(name)
        kind: Any = Literal[allowed] if allowed else str if setting.least is None else int
        options.append((name, Annotated[kind | None, setting_option(setting, **words)], (unset or {}).get(name)))
    return make_dataclass("Settings", options)
