"""Read a page as a browser does: its elements, texts and forms, and what a hostile text would have added."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

MARK = "zzxss"
"""The element, attribute and function of hostile texts; where a page has one, a text was not escaped."""
SUM = "{{1337*7331}}", "9801547"
"""A sum that a template would work out, and its result."""


@dataclass
class Form:
    """A form of a page: where it is sent and how, and its fields with the values that they have."""

    action: str
    method: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    """The names and values of its buttons, of which one is sent."""
    texts: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The names and values of its buttons by their texts; a button without a name sends nothing."""
    ticks: dict[str, str] = field(default_factory=dict)
    """The values of its boxes to tick."""

    @property
    def values(self) -> dict[str, str]:
        """The values of its fields by name."""
        return dict(self.fields)

    def filled(self, **values: str) -> dict[str, list[str]]:
        """Return its fields with these values in place of their own."""
        filled: dict[str, list[str]] = {}
        for name, value in self.fields:
            filled.setdefault(name, []).append(value)
        return {**filled, **{name: [value] for name, value in values.items()}}


class Markup(HTMLParser):
    """The elements of a page in order with their attributes, its texts, and its forms."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._area = self._select = self._text = ""
        self._button = ("", "")
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element, and what it means for the form around it."""
        values = {name: value or "" for name, value in attrs}
        self.elements.append((tag, values))
        name = values.get("name", "")
        if tag == "form":
            self._form = Form(values.get("action", ""), values.get("method", "get").upper())
            self.forms.append(self._form)
        if self._form is None or "disabled" in values:
            return
        if tag == "input" and name:
            self._keep_input(self._form, name, values)
        elif tag == "button":
            self._button, self._text = (name, values.get("value", "")), ""
            self._form.buttons += [self._button] if name else []
        elif tag == "textarea":
            self._form.fields.append((name, ""))
            self._area = name
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            known = [at for at, _value in self._form.fields]
            if self._select not in known or "selected" in values:
                self._form.fields = [pair for pair in self._form.fields if pair[0] != self._select]
                self._form.fields.append((self._select, values.get("value", "")))

    @staticmethod
    def _keep_input(form: Form, name: str, values: dict[str, str]) -> None:
        kind = values.get("type", "text")
        if kind == "submit":
            form.buttons.append((name, values.get("value", "")))
            return
        value = values.get("value", "on" if kind in ("checkbox", "radio") else "")
        if kind in ("checkbox", "radio"):
            form.ticks[name] = value
        if kind not in ("checkbox", "radio") or "checked" in values:
            form.fields.append((name, value))

    def handle_endtag(self, tag: str) -> None:
        """Leave a form, a button or a field."""
        if tag == "button" and self._form is not None:
            self._form.texts.setdefault(" ".join(self._text.split()), self._button)
        if tag == "form":
            self._form = None
        elif tag == "textarea":
            self._area = ""
        elif tag == "select":
            self._select = ""

    def handle_data(self, data: str) -> None:
        """Keep a text; that of a text area is its value."""
        self._text += data
        if self._form is not None and self._area:
            name, value = self._form.fields.pop()
            self._form.fields.append((name, value + data))
        if data.strip():
            self.texts.append(data.strip())

    @property
    def shape(self) -> list[tuple[str, tuple[str, ...]]]:
        """The elements with the names of their attributes, which no name of a player may change."""
        return [(tag, tuple(values)) for tag, values in self.elements]

    def links(self) -> Iterator[str]:
        """Yield the addresses that the page names."""
        for _tag, values in self.elements:
            yield from (values[name] for name in ("href", "src", "action", "formaction") if name in values)


LOGO = "data:image/png;base64,"


def escapes(text: str, *, styled: bool = False) -> list[str]:
    """Return what a page has that only a text which was not escaped can have brought in, and addresses of others.

    Pages for paper are `styled`: they have styles of their own, which their policy names, and the club's logo in them.
    """
    page = Markup(text)
    found = [tag for tag, _values in page.elements if MARK in tag]
    found += [
        f"<{tag} {name}>" for tag, values in page.elements for name in values if name.startswith("on") or MARK in name
    ]
    found += [f"<{tag} style>" for tag, values in page.elements if "style" in values and not styled]
    found += [
        f"script {values}" for tag, values in page.elements if tag == "script" and not is_ours(values.get("src", ""))
    ]
    found += [link for link in page.links() if not (is_ours(link) or (styled and link.startswith(LOGO)))]
    if SUM[1] in text:
        found.append("a template that was evaluated")
    return found


def is_ours(link: str) -> bool:
    """Return whether an address is of this server, or an icon without content."""
    return link == "data:," or (link.startswith(("/", "?", "#")) and not link.startswith("//"))
