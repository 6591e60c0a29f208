"""Settings of an event as the fields of a form: those of a new one, and those of an event that can change."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tourney import storage
from tourney.domain.events import SETTINGS, EventChange
from tourney.reports import events as report
from tourney.seating.formats import FORMATS
from tourney.service.change import Change
from tourney.service.events.settings import ChangeSettings, choices
from tourney.service.lookup import find_event
from tourney.text.i18n import LANGUAGES, _, for_terminal, marked, pgettext
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import (
    Refused,
    changed_fields,
    event_name,
    for_event,
    form,
    page,
    submit,
    typed_field,
    view,
    whole_number,
)

PATH: Final = "/desk/events/settings"
FIRST: Final = ("date", "rounds", "minutes", "checkin")
"""The settings that most events need; the others are folded away."""
_LABELS: Final[Mapping[str, str]] = {
    "checkin": marked("Check who is here before the draw?"),
    "lang": marked("language of what is printed"),
    "minimum": marked("games that a player needs for a rank"),
    "minutes": marked("minutes for a round"),
    "phone_pins": marked("When does a phone need a PIN?"),
    "scoring": marked("What does a game score?"),
    "seats": marked("Who deals first?"),
    "seed": marked("word for the draws"),
    "short": marked("If players do not fill all tables"),
    "stake": marked("stake of the knock game, in cents"),
    "substitutes": marked("Whose result is it if somebody plays for another?"),
    "totals": marked("How are games added up?"),
    "unfinished": marked("If a game is not finished in time"),
}
"""Labels of settings in the words of clubs; the others have the heading that commands show."""
_WHY: Final[Mapping[str, str]] = {
    "date": "",
    "minimum": marked("If left out, half the rounds."),
    "minutes": marked("If left out, there is no limit."),
    "organiser": marked("Certificates and printed pages say it."),
    "rounds": "",
    "seed": marked("The same word and the same players give the same seats again."),
    "size": "",
    "stake": marked("Each player pays this into the pot."),
}
"""The help of these settings here, "" for none."""
OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "checkin": {"required": marked("Yes"), "not asked": marked("No")},
    "phone_pins": {"seat taken": marked("for a seat that another phone has"), "always": marked("always")},
    "scoring": {
        "points": marked("its points"),
        "table points": marked("points for the place at the table"),
        "place points": marked("1 for each player beaten, as many as at a full table"),
        "share": marked("a part of the points of the table"),
        "neuberg": marked("2 for each player beaten, adjusted to the size of the table"),
    },
    "seats": {
        "balanced": marked("everybody equally often"),
        "drawn": marked("the player with the highest card"),
        "winner deals": marked("the winner of the last game"),
    },
    "short": {"short tables": marked("some tables have fewer players"), "sit out": marked("some sit out a round")},
    "substitutes": {
        "absent": marked("the absent player's"),
        "substitute": marked("the substitute's"),
        "nobody": marked("nobody's"),
    },
    "totals": {
        "automatic": marked("the sum; if some have played more games, the average"),
        "sum": marked("always the sum"),
        "per game": marked("always the average"),
    },
    "unfinished": {
        "count hands": marked("the hands that were played count"),
        "void": marked("the game does not count"),
        "penalty": marked("each hand that was not played costs points"),
    },
}
"""Options in words: nobody types them here."""


@dataclass(frozen=True, slots=True)
class SettingInput:
    """A field of the form: its name, label and value, and what it can be.

    `was` is the value that the event has; `options` are values with their texts.
    """

    name: str
    label: str
    value: str
    is_number: bool = False
    is_date: bool = False
    options: tuple[tuple[str, str], ...] = ()
    placeholder: str = ""
    why: str = ""
    was: str = ""


def inputs(
    asked: Asked, settings: Mapping[str, Any], without: Collection[str] = ()
) -> tuple[list[SettingInput], list[SettingInput]]:
    """Return the fields of the form, those that most need and the others, with what was typed or these settings."""
    fields = {field.name: field for field in _inputs(asked, settings) if field.name not in without}
    first = [fields[name] for name in FIRST if name in fields]
    return first, [field for name, field in fields.items() if name not in FIRST]


def _inputs(asked: Asked, settings: Mapping[str, Any]) -> Iterator[SettingInput]:
    for name, setting in SETTINGS.items():
        was, why, unset = _text(settings[name]), _why(name), _(setting.unset) if setting.unset else ""
        text, is_number = typed_field(asked, name, was), setting.least is not None
        shown = SettingInput(name, _label(name), text, is_number, name == "date", was=was)
        if options := choices(name):
            blank = [("", unset or _unset(name))] if setting.clearable else []
            yield replace(shown, options=(*blank, *((option, _shown(name, option)) for option in options)))
        else:
            # What can be chosen explains itself, and some sentences explain an option of a command by another one.
            yield replace(shown, placeholder=unset, why="" if for_terminal(why) else why)


def _text(value: object) -> str:
    """Return the value of a setting as its field has it."""
    return "" if value is None else str(value)


def _label(name: str) -> str:
    """Return what a setting is called."""
    return _(_LABELS.get(name, SETTINGS[name].heading))


def _why(name: str) -> str:
    """Return the help of a setting; "" where its name is enough."""
    text = _WHY.get(name, SETTINGS[name].help)
    return _(text) if text else ""


def _unset(name: str) -> str:
    """Return what a setting is that nobody has chosen."""
    return _("as the rules say") if name == "seats" else pgettext("of a setting", "not set")


def _shown(name: str, option: str) -> str:
    """Return an option as it is chosen: nobody types it here, so the reader's language is enough."""
    if name == "lang":
        return LANGUAGES.get(option, option)
    if name in OPTIONS:
        return _(OPTIONS[name][option])
    word = pgettext(name, option)
    return f"{word}: {_(FORMATS[option].summary)}" if name == "format" else word


def given(asked: Asked) -> dict[str, Any]:
    """Return the settings of the form; empty ones have their usual value.

    Raises TourneyError USAGE for text where a number belongs.
    """
    return {
        name: whole_number(asked, name) if setting.least is not None else asked.field(name)
        for name, setting in SETTINGS.items()
        if asked.field(name).strip()
    }


def settings(asked: Asked, refused: Refused = None) -> View:
    """Show the settings of the event, to be changed."""
    event = asked.server.event()
    present = {name: getattr(event.settings, name) for name in SETTINGS}
    first, more = inputs(asked, present)
    values = {
        "name": typed_field(asked, "name", event.settings.name),
        "was_name": event.settings.name,
        "first": first,
        "more": more,
    }
    return view(asked, "settings.html", _("Settings"), values, refused)


def change(asked: Asked) -> Answer:
    """Change the settings of the event."""
    return submit(asked, lambda: _change(asked), report.changed, PATH, settings)


def _change(asked: Asked) -> Change[EventChange]:
    """Return the change of what differs from the settings that the form's page had."""
    with storage.reading(asked.db) as reader:
        present = find_event(reader, event_name(asked)).settings
    texts = {name: _text(getattr(present, name)) for name in ("name", *SETTINGS)}
    labels = {"name": _("Name"), **{name: _label(name) for name in SETTINGS}}
    typed, changed = given(asked), changed_fields(asked, texts, labels)
    changes = {name: value for name, value in typed.items() if name in changed and value != getattr(present, name)}
    emptied = [
        name
        for name, setting in SETTINGS.items()
        if name in changed and name not in typed and getattr(present, name) != setting.default
    ]
    if "name" in changed:
        changes["name"] = asked.field("name")
    return ChangeSettings(event_name(asked), changes, emptied)


PAGES = (
    page(PATH, for_event(settings)),
    form(PATH, for_event(change)),
)
