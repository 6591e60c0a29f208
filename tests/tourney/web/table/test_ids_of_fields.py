"""Test of all templates: the id of a field names what the field is about, because live.js keeps what is typed by it."""

import re
from collections.abc import Iterator

import pytest

from tests.test_language import ROOT, templates

KEPT = re.compile(r"<(?:input|select|textarea|details)\b[^>]*?\bid=\"(?P<id>(?:\{\{.*?\}\}|[^\"])*)\"")
"""Elements whose values, or whose being open, live.js keeps by their ids when it loads a page again."""
PLACE = re.compile(r"\{\{[^}]*\b(?:loop|index\w*|place|position|seat(?!\.id)(?:\.number)?)\b[^}]*\}\}")
PASSED_ON = re.compile(r"(?:\{%-? *set \w+ = |~ *)loop\.(?:rev)?index0?")
"""A place that another part of the template, or a macro, may use for an id."""


def placed(text: str) -> Iterator[str]:
    """Yield the ids of a template that count or name places, and places that it passes on."""
    yield from (found["id"] for found in KEPT.finditer(text) if PLACE.search(found["id"]))
    yield from PASSED_ON.findall(text)


def test_no_field_is_named_by_a_place() -> None:
    """A reason that was typed for one phone's sheet went to another phone's, which had its place by then."""
    assert {
        str(path.relative_to(ROOT)): found for path in templates() if (found := list(placed(path.read_text("utf-8"))))
    } == {}


@pytest.mark.parametrize(
    "text",
    [
        '<details id="refuse{{ loop.index }}">',
        '{{ with_reason("refuse", _("Refuse this sheet"), "why" ~ loop.index, "") }}',
        "{% set number = loop.index %}",
        '<input id="pin-{{ seat.number }}" name="pin">',
        '<label class="option"><input type="radio" id="pin-{{ seat }}" name="seat">',
        '<input type="radio" id="{{ id }}-{{ loop.index }}" name="{{ field.name }}">',
    ],
)
def test_the_ids_of_before_are_found(text: str) -> None:
    assert len(list(placed(text))) == 1
