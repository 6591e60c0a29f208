"""A rule set as a page fit for a club's wall, and how two rule sets differ."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from tourney.reports.render.report import Column, Field, Fields, Report, Section, record
from tourney.rulebook.answers import Difference, Differences, Entry, Page, Sentence
from tourney.text.i18n import _, ngettext

# A table for spreadsheets has a row for each sentence.
_COLUMNS = (Column("section", _("Section")), Column("text", _("Rule")), Column("clause", _("Clause")))


def entry_fields() -> Fields[Entry]:
    """Return the columns of the list of rule sets, in order."""
    return (
        Field("id", _("Rules"), lambda entry: entry.id),
        Field("document", _("Document"), lambda entry: entry.document),
        Field("title", _("Title"), lambda entry: entry.title),
        Field("family", _("Family"), lambda entry: entry.family),
        Field("players", _("Players"), _players, "right", cell=lambda entry: f"{entry.least}-{entry.most}"),
        Field("variants", _("Variants"), lambda entry: list(entry.variants), "right", cell=lambda e: len(e.variants)),
    )


def _players(entry: Entry) -> dict[str, int]:
    return {"least": entry.least, "most": entry.most}


def page(rules: Page) -> Report:
    """Return a rule set: its hands, its values, its sentences with their clauses."""
    entry = rules.entry
    head = _("{title} ({id}, document {document}), {least} to {most} players").format(
        title=entry.title, id=entry.id, document=entry.document, least=entry.least, most=entry.most
    )
    rows = tuple((one.section, one.text, one.clause) for one in rules.sentences)
    sections = (*_hands(rules), _values(rules), *_spoken(rules.sentences), *_variants(entry))
    return Report(head, _COLUMNS, rows, data=page_data(rules), sections=sections, lines=tuple(_legend(entry)))


def _legend(entry: Entry) -> Iterator[str]:
    """Return what the marks mean, and where a document says more than a page of rules holds."""
    yield _(
        "In brackets: document and section. Marks that begin with A- or 5. are decisions of this program where the "
        "documents are silent or contradict each other; “ours” are rules of its own."
    )
    if entry.document == "004":
        yield _("When something goes wrong at a table: `tourney rules ruling` [004/1.12].")


def _hands(rules: Page) -> Iterator[Section]:
    if rules.hands:
        columns = (
            Column("hand", _("Hand"), "right"),
            Column("contract", _("Contract")),
            Column("melds", _("Melds")),
            Column("cards", _("Cards dealt"), "right"),
        )
        rows = enumerate(rules.hands, 1)
        yield Section(_("Hands"), columns, tuple((place, name, _melds(name), dealt) for place, (name, dealt) in rows))


def _melds(contract: str) -> str:
    """Return a contract in words, as `2 trios, 1 run`."""
    trios, runs = contract.count("T"), contract.count("E")
    parts = [ngettext("{number} trio", "{number} trios", trios).format(number=trios)] if trios else []
    parts += [ngettext("{number} run", "{number} runs", runs).format(number=runs)] if runs else []
    return ", ".join(parts)


def _values(rules: Page) -> Section:
    """Return the values, highest first, cards of one value in one row."""
    columns = (Column("cards", _("Left in hand")), Column("points", _("Points"), "right"))
    highest = sorted(rules.values, key=lambda pair: -pair[1])
    grouped = groupby(highest, key=lambda pair: pair[1])
    rows = tuple((" ".join(card for card, _points in there), points) for points, there in grouped)
    return Section(_("Values"), columns, rows)


def _spoken(sentences: tuple[Sentence, ...]) -> Iterator[Section]:
    for section, there in groupby(sentences, key=lambda one: one.section):
        yield Section(section, points=tuple(f"{one.text} [{one.clause}]" for one in there))


def _variants(entry: Entry) -> Iterator[Section]:
    if entry.variants:
        text = _("Append to the name, as in {id}+{first}: {variants}.")
        point = text.format(id=entry.id, first=entry.variants[0], variants=", ".join(entry.variants))
        yield Section(_("Variants"), points=(point,))


def page_data(rules: Page) -> dict[str, Any]:
    """Return a rule set for programs."""
    return {
        **record(entry_fields(), rules.entry),
        "digest": rules.digest,
        "packs": rules.packs,
        "jokers": rules.jokers,
        "hands": [{"contract": contract, "deal": dealt} for contract, dealt in rules.hands],
        "values": dict(rules.values),
        "sentences": [_sentence(one) for one in rules.sentences],
    }


def _sentence(one: Sentence | None) -> dict[str, str] | None:
    if one is None:
        return None
    return {"section": one.section, "field": one.field, "text": one.text, "clause": one.clause}


def differences(found: Differences) -> Report:
    """Return how two rule sets differ: what each says, section by section."""
    title = _("{one} and {other}").format(one=found.one, other=found.other)
    columns = (
        Column("section", _("Section")),
        Column("field", _("Field")),
        Column("one", found.one),
        Column("other", found.other),
    )
    rows = tuple((row.section, row.field, _quoted(row.one), _quoted(row.other)) for row in found.rows)
    sections = tuple(
        Section(heading, points=tuple(point for row in rows_there for point in _both(found, row)))
        for heading, rows_there in groupby(found.rows, key=lambda row: row.section)
    )
    data = [
        {"section": row.section, "field": row.field, "one": _sentence(row.one), "other": _sentence(row.other)}
        for row in found.rows
    ]
    lines = () if rows else (_("No differences."),)
    return Report(title, columns, rows, data=data, lines=lines, sections=sections)


def _quoted(one: Sentence | None) -> str:
    return "" if one is None else f"{one.text} [{one.clause}]"


def _both(found: Differences, row: Difference) -> Iterator[str]:
    for name, sentence in ((found.one, row.one), (found.other, row.other)):
        yield f"{name}: {_quoted(sentence) or _('says nothing about it.')}"
