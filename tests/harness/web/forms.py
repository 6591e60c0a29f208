"""Fill in and submit the forms of a page as a browser does: every field is sent with the value that it shows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

from httpx import Response

from tests.harness.web.asking import ORIGIN, TestClient


@dataclass
class Form:
    """A form of a page: where it goes, its fields with their values, its ticks, and its buttons by their text."""

    action: str
    values: dict[str, str] = field(default_factory=dict)
    ticks: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    buttons: dict[str, tuple[str, str]] = field(default_factory=dict)


class _Reader(HTMLParser):
    """The forms of a page in their order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._select = ""
        self._button: tuple[str, str] | None = None
        self._text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            assert given.get("method", "get") in ("post", "get")
            self._form = Form(given["action"])
            self.forms.append(self._form)
        if self._form is None:
            return
        name, value = given.get("name", ""), given.get("value", "")
        if tag == "input" and given.get("type") in ("checkbox", "radio"):
            self._form.ticks[name] = value
            if "checked" in given:
                self._form.values[name] = value
        elif tag in ("input", "textarea"):
            self._form.values[name] = value
        elif tag == "select":
            self._select = name
        elif tag == "option":
            self._form.choices.setdefault(self._select, []).append(value)
            if "selected" in given or self._select not in self._form.values:
                self._form.values[self._select] = value
        elif tag == "button":
            self._button, self._text = (name, value), ""

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        if tag == "button" and self._form is not None and self._button is not None:
            self._form.buttons.setdefault(" ".join(self._text.split()), self._button)


def forms(text: str) -> list[Form]:
    """Return the forms of a page."""
    return _Reader(text).forms


def press(
    pages: TestClient, path: str, button: str, typed: Mapping[str, str] | None = None, action: str = "", shown: str = ""
) -> Response:
    """Load a page, fill in the form that has this button, and press it; an empty value takes a tick away.

    `action` names the form where several have such a button. `shown` is the page's text if it is loaded already.
    """
    text = shown or pages.get(path).text
    form = next(form for form in forms(text) if button in form.buttons and action in form.action)
    name, value = form.buttons[button]
    unknown = set(typed or ()) - set(form.values) - set(form.ticks)
    assert not unknown, f"the form has no field {unknown}"
    values = {**form.values, **(typed or {})}
    values = {key: text for key, text in values.items() if text or key not in form.ticks}
    return pages.post(form.action, data={**values, **({name: value} if name else {})}, headers=ORIGIN)
