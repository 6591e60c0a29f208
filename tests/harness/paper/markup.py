"""Read HTML as a tree of elements, and refuse what is not well nested."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

EMPTY = frozenset({"br", "col", "hr", "img", "input", "link", "meta"})
"""Elements without content, which have no end tag."""


@dataclass
class Element:
    """An element with its attributes, its own text and that of the elements in it, in order."""

    tag: str
    attributes: dict[str, str]
    parts: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text of the element and of all in it, with single blanks."""
        return " ".join(self._raw().split())

    def _raw(self) -> str:
        return "".join(part if isinstance(part, str) else part._raw() for part in self.parts)

    @property
    def elements(self) -> Iterator[Element]:
        """All elements in this one, in the order in which they begin."""
        for part in self.parts:
            if isinstance(part, Element):
                yield part
                yield from part.elements

    def all(self, tag: str, **attributes: str) -> list[Element]:
        """Return the elements of this name; `class_` is one of an element's classes."""
        return [each for each in self.elements if each.tag == tag and each._has(attributes)]

    def _has(self, attributes: dict[str, str]) -> bool:
        own = dict(attributes)
        name = own.pop("class_", None)
        if name is not None and name not in self.attributes.get("class", "").split():
            return False
        return all(self.attributes.get(key) == value for key, value in own.items())


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("document", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].parts.append(element)
        if tag not in EMPTY:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, f"</{tag}> ends an element that is not the newest"

    def handle_data(self, data: str) -> None:
        self.open[-1].parts.append(data)


def document(text: str) -> Element:
    """Return the tree of an HTML file; every element that begins must end."""
    assert text.startswith("<!DOCTYPE html>\n")
    reader = _Reader()
    reader.feed(text)
    reader.close()
    (root,) = reader.open
    return root


def rows(table: Element) -> list[list[str]]:
    """Return the texts of a table's body, row by row."""
    return [
        [cell.text for cell in row.elements if cell.tag in ("td", "th")]
        for body in table.all("tbody")
        for row in body.all("tr")
    ]
