"""Reports on rule sets, their differences, answers about cards, and records of games."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from itertools import groupby
from typing import Any, Final

from tourney.domain.rules import USUAL_RULES
from tourney.reports.render.report import Field, Fields, Report, Section, listing, named, record, table_section
from tourney.reports.results.results import outcome_data, sheet_table
from tourney.rulebook.answers import (
    Answer,
    ArrangementAnswer,
    Differences,
    Fit,
    Irregularity,
    Legality,
    Moment,
    NoAnswer,
    Points,
    RecordFile,
    Remedy,
    RuleDifference,
    RuleSetEntry,
    RulesPage,
    Sentence,
)
from tourney.rulebook.decisions import DECISIONS, OURS
from tourney.rulebook.engine_sentences import action_text
from tourney.rulebook.knock_sheets import ending_text
from tourney.rulebook.rule_sentences import FOR_PROGRAMS
from tourney.rulebook.rules_page import words_of
from tourney.text.i18n import _, fill, marked, ngettext, pgettext


def entry_fields() -> Fields[RuleSetEntry]:
    """Return the columns of the list of rule sets, in order."""
    return (
        Field("id", pgettext("column", "Rules"), lambda entry: entry.id),
        Field("document", _("Document"), lambda entry: entry.document, priority=3),
        Field("title", _("Title"), lambda entry: entry.title, cell=lambda entry: _(entry.title)),
        Field("family", _("Family"), lambda entry: entry.family, look="word"),
        Field(
            "players",
            _("Players"),
            lambda entry: {"least": entry.least, "most": entry.most},
            "right",
            cell=lambda entry: f"{entry.least}-{entry.most}",
        ),
        Field("variants", _("Variants"), lambda entry: list(entry.variants), "right", cell=lambda e: len(e.variants)),
    )


def in_one_line(entry: RuleSetEntry) -> str:
    """Return in a sentence how many play by a rule set, how long a game is, and what a joker counts."""
    text = _("{least} to {most} players at a table, {hands} hands; a joker counts {joker}.")
    if not entry.hands:
        text = _("{least} to {most} players at a table, the knock game; a joker counts {joker}.")
    elif entry.id == USUAL_RULES:
        text = _("The official rules: {least} to {most} players at a table, {hands} hands; a joker counts {joker}.")
    return text.format(least=entry.least, most=entry.most, hands=entry.hands, joker=entry.joker)


def page(rules: RulesPage, *, posted: bool = False) -> Report:
    """Report a rule set: hands, values, and sentences with their clauses; CSV has a row for each sentence.

    Where it is `posted` for players, it has neither references nor commands, unless its clauses are quoted.
    """
    entry = rules.entry
    quoted = bool(rules.origins)
    bare = posted and not quoted
    heading = _("{title} ({id}, document {document}), {least} to {most} players")
    title = (_("{title}, {least} to {most} players") if bare else heading).format(
        title=_(entry.title), id=entry.id, document=entry.document, least=entry.least, most=entry.most
    )
    sections = (*_hands(rules), _values(rules, bare), *_sentence_sections(rules, bare), *_variants(rules, bare))
    return listing(
        title,
        _sentence_fields(quoted),
        rules.sentences,
        data=page_data(rules),
        sections=sections,
        lines=(*(() if posted else _legend(rules)), *rules.origins),
        next_steps=() if quoted else (_("The words behind each reference: add `--quote`."),),
        layout="rules",
        paper=partial(page, rules, posted=True),
    )


def _sentence_fields(quoted: bool = False) -> Fields[Sentence]:
    fields: Fields[Sentence] = (
        Field("section", _("Section"), lambda sentence: sentence.section),
        Field("field", "", lambda sentence: sentence.field),
        Field("text", _("Rule"), lambda sentence: sentence.text),
        Field("clause", _("Clause"), lambda sentence: sentence.clause),
        Field("words", _("Own words"), lambda sentence: sentence.words),
    )
    return fields if quoted else fields[:-1]


def _legend(rules: RulesPage) -> Iterator[str]:
    """Yield what the marks mean, and what says what to do when a rule is broken; document 004 has a section on it."""
    yield _(
        "In brackets: document and section. Marks that begin with A- or 5. are decisions of this program where the "
        "documents are silent or contradict each other; “ours” are rules of its own."
    )
    if rules.entry.document == "004":
        yield _("When something goes wrong at a table: `tourney rules ruling` [004/1.12].")
    else:
        yield _("When something goes wrong at a table: `tourney rules ruling`.")


def _contract(rules: RulesPage, contract: str) -> str:
    """Return a contract's name on slips and at questions, and the document's where that is another: `TTE (TET)`."""
    written = rules.written.get(contract, contract)
    return contract if written == contract else f"{contract} ({written})"


def _hands(rules: RulesPage) -> Iterator[Section]:
    if rules.hands:
        fields: Fields[tuple[int, tuple[str, int]]] = (
            Field("hand", _("Hand"), lambda row: row[0], "right"),
            Field("contract", _("Contract"), lambda row: _contract(rules, row[1][0])),
            Field("melds", _("Melds"), lambda row: melds_text(row[1][0])),
            Field("cards", _("Cards dealt"), lambda row: row[1][1], "right"),
        )
        yield table_section(_("Hands"), fields, list(enumerate(rules.hands, 1)))


def melds_text(contract: str) -> str:
    """Return a contract in words, as `2 trios, 1 run`."""
    trios, runs = contract.count("T"), contract.count("E")
    parts = [ngettext("{number} trio", "{number} trios", trios).format(number=trios)] if trios else []
    parts += [ngettext("{number} run", "{number} runs", runs).format(number=runs)] if runs else []
    return ", ".join(parts)


_TITLES: Final = (marked("Continental, the knock game"), marked("Continental, Fournier"))
"""The titles that are ours: other rule sets have those of their documents."""

_CARD_NAMES: Final = {"Jk": marked("Joker"), "A": marked("Ace"), "T": "10", "2h 2d": marked("Red two")}
"""The names by which players call cards; other ranks are called as they are written."""


def _values(rules: RulesPage, bare: bool) -> Section:
    """Return the values, highest first; cards of one value share a row, and so do those that count their number.

    A `bare` page does not say which of them are decisions of this program.
    """
    heading = _("Loose card") if rules.entry.family == "knock" else _("Left in hand")
    columns: tuple[Field[Any], ...] = (Field("cards", heading), Field("points", _("Points"), align="right"))
    highest = [pair for _place, pair in sorted(enumerate(rules.values), key=lambda row: (-row[1][1], -row[0]))]
    shared = Counter(points for _card, points in highest)
    by_number = [str(points) if card == str(points) and shared[points] == 1 else "" for card, points in highest]
    told = [_("their number") if number else points for number, (_card, points) in zip(by_number, highest, strict=True)]
    grouped = groupby(zip(told, highest, strict=True), key=lambda row: row[0])
    rows = tuple((", ".join(_card_name(card) for _told, (card, _points) in group), points) for points, group in grouped)
    return Section(_("Values"), columns, rows, bullets=() if bare else tuple(_values_of_ours(rules.values_clause)))


def _values_of_ours(clause: str) -> list[str]:
    """Return a sentence that says which values of cards are this program's own decision; none if all are a document's.

    `clause` is the one of the values.
    """
    marks = ", ".join(mark for mark in clause.split(", ") if mark in DECISIONS)
    text = _("Values on which the document is silent are decisions of this program. [{marks}]")
    return [text.format(marks=marks)] if marks else []


def _card_name(card: str) -> str:
    return _(_CARD_NAMES.get(card, card))


def _sentence_sections(rules: RulesPage, bare: bool) -> Iterator[Section]:
    told = [sentence for sentence in rules.sentences if sentence.field not in FOR_PROGRAMS]
    for section, group in groupby(told, key=lambda sentence: sentence.section):
        yield Section(section, bullets=tuple(_bullet(sentence, bare) for sentence in group))


def _bullet(sentence: Sentence, bare: bool) -> str:
    return sentence.text if bare else f"{sentence.text} [{sentence.words or clause_text(sentence.clause)}]"


def clause_text(clause: str) -> str:
    """Return a clause as a page shows it; only the mark of a rule of our own is a word, in the reader's language."""
    return ", ".join(_(OURS) if reference == OURS else reference for reference in clause.split(", "))


def _variants(rules: RulesPage, bare: bool) -> Iterator[Section]:
    heading = _("Variants, if all players agree before the game")
    if rules.variants and bare:
        yield Section(heading, bullets=tuple(each.text for each in rules.variants))
    elif rules.variants:
        bullets = tuple(f"{each.id} – {each.text} [{each.words or each.clause}]" for each in rules.variants)
        yield Section(heading, bullets=(*bullets, *_combined(rules)))


def _combined(rules: RulesPage) -> Iterator[str]:
    """Yield how variants are combined, which of them cannot be, and which bonus counts where two meet."""
    names = [variant.id for variant in rules.variants]
    text = _("Name one after a plus sign, as in {rules}; several combine.") if names[1:] else _("Its name: {rules}.")
    yield text.format(rules=f"{rules.entry.id}+{names[0]}")
    pairs = dict.fromkeys(frozenset((each.id, other)) for each in rules.variants for other in each.refuses)
    if pairs:
        listed = ", ".join(_("{one} and {other}").format(one=one, other=other) for one, other in map(sorted, pairs))
        yield _cited(rules, _("Not together: {pairs}.").format(pairs=listed), "5.10")
    if "all-placed50" in names:
        text = _(
            "Where two bonuses meet, as in all-placed50+scaled, they do not add up: the one that is better for the "
            "closer counts."
        )
        yield _cited(rules, text, "A-32")


def _cited(rules: RulesPage, text: str, mark: str) -> str:
    """Return a sentence with the mark of the decision that it follows, or with its words if the page quotes them."""
    return f"{text} [{words_of(mark, '') if rules.origins else mark}]"


def page_data(rules: RulesPage) -> dict[str, Any]:
    """Return a rule set as JSON data."""
    fields = _sentence_fields(bool(rules.origins))
    names = ("id", "text", "clause", "refuses", *(("words",) if rules.origins else ()))
    return {
        **record(entry_fields(), rules.entry),
        **named(rules, "digest", "packs", "jokers"),
        "hands": [{"contract": contract, "deal": dealt} for contract, dealt in rules.hands],
        "values": dict(rules.values),
        "sentences": [record(fields, sentence) for sentence in rules.sentences],
        "variant_rules": [named(variant, *names) for variant in rules.variants],
    }


def differences(compared: Differences) -> Report:
    """Report how two rule sets differ: what each says, section by section, rules about one thing together."""
    title = fill(_("{one} and {other}"), one=compared.one, other=compared.other)
    fields: Fields[RuleDifference] = (
        Field("section", _("Section"), lambda row: row.section),
        Field("field", _("Field"), lambda row: row.field),
        Field("one", compared.one, lambda row: _sentence_data(row.one), cell=lambda row: _quoted(row.one)),
        Field("other", compared.other, lambda row: _sentence_data(row.other), cell=lambda row: _quoted(row.other)),
        Field("about", "", lambda row: row.about),
    )
    sections = tuple(
        Section(heading, bullets=tuple(bullet for rows in about for bullet in _both(compared, rows)))
        for heading, about in groupby(_by_subject(compared), key=lambda rows: rows[0].section)
    )
    lines = () if compared.rows else (_("No differences."),)
    return listing(title, fields, compared.rows, lines=lines, sections=sections)


def _by_subject(compared: Differences) -> list[list[RuleDifference]]:
    """Return the differences in groups about one thing each, section by section, each where the first of it stands."""
    groups: dict[str, list[RuleDifference]] = {}
    for row in compared.rows:
        groups.setdefault(row.about, []).append(row)
    sections = list(dict.fromkeys(row.section for row in compared.rows))
    return sorted(groups.values(), key=lambda rows: sections.index(rows[0].section))


def _sentence_data(sentence: Sentence | None) -> dict[str, Any] | None:
    return None if sentence is None else record(_sentence_fields(), sentence)


def _quoted(sentence: Sentence | None) -> str:
    return "" if sentence is None else f"{sentence.text} [{sentence.clause}]"


def _both(compared: Differences, rows: list[RuleDifference]) -> Iterator[str]:
    for name, told in ((compared.one, [row.one for row in rows]), (compared.other, [row.other for row in rows])):
        yield f"{name}: {' '.join(filter(None, map(_quoted, told))) or _('says nothing about it.')}"


def rule_sets(entries: tuple[RuleSetEntry, ...]) -> Report:
    """Report the rule sets, the default first."""
    return listing(_("Rule sets"), entry_fields(), entries)


def irregularities(kinds: tuple[Irregularity, ...], phrase: str = "") -> Report:
    """Report kinds of irregularity, all or those that `phrase` may mean, and the moments that have their own steps."""
    hint = _("The steps: `tourney rules ruling KIND`, or for one moment with `--found`; KIND may be what happened.")
    title = _("Irregularities like “{phrase}”").format(phrase=phrase) if phrase else _("Irregularities")
    return listing(title, _irregularity_fields(), kinds, next_steps=(hint,))


def _irregularity_fields() -> Fields[Irregularity]:
    return (
        Field("kind", _("Kind"), lambda irregularity: irregularity.kind),
        Field("title", _("What happened"), lambda irregularity: _(irregularity.title)),
        Field(
            "moments",
            pgettext("of an irregularity", "Found"),
            lambda irregularity: list(map(_moment, irregularity.moments)),
            cell=_moment_ids,
        ),
    )


def _moment_ids(irregularity: Irregularity) -> str:
    return " ".join(moment.id for moment in irregularity.moments)


def _moment(moment: Moment) -> dict[str, Any]:
    return {
        "id": moment.id,
        "found": _(moment.found),
        "steps": [_(step.text) for step in moment.steps],
        "clause": moment.clause,
        "sources": [step.source for step in moment.steps],
    }


def ruling(irregularity: Irregularity, notes: tuple[str, ...], phrase: str = "", *, sources: bool = True) -> Report:
    """Report the steps of an irregularity, moment by moment, each with its source; `phrase` is what it was found by.

    Without `sources` a page shows the steps alone, and no `notes`, which are about the sources.
    """
    fields: Fields[tuple[Moment, int, Remedy]] = (
        Field("found", pgettext("of an irregularity", "Found"), lambda row: _(row[0].found)),
        Field("step", _("Step"), lambda row: row[1], "right"),
        Field("text", _("What to do"), lambda row: _(row[2].text)),
        Field("clause", _("Clause"), lambda row: row[0].clause),
        Field("source", _("Source"), lambda row: row[2].source),
    )
    rows = [(moment, number, step) for moment in irregularity.moments for number, step in enumerate(moment.steps, 1)]
    sections = tuple(
        Section(
            _(moment.found),
            bullets=tuple(_sourced(step) if sources else _(step.text) for step in moment.steps),
        )
        for moment in irregularity.moments
    )
    data = record(_irregularity_fields(), irregularity)
    hint = _("Found for “{phrase}”; `tourney rules ruling` lists all kinds.").format(phrase=phrase)
    steps = (hint,) if phrase else ()
    title = _(irregularity.title)
    return listing(title, fields, rows, notes=notes if sources else (), data=data, sections=sections, next_steps=steps)


def _sourced(step: Remedy) -> str:
    source = ", ".join(_("house ruling") if part == OURS else part for part in step.source.split(", "))
    return f"{_(step.text)} [{source}]" if source else _(step.text)


def answer(given: Answer) -> Report:
    """Report an answer in words, and as JSON."""
    return Report(_answer_title(given), data=answer_data(given), lines=tuple(_answer_lines(given)), cards=True)


def _answer_title(given: Answer) -> str:
    if isinstance(given, Legality | Fit):
        return _legality(given)
    if isinstance(given, ArrangementAnswer):
        return _arranged(given)
    return ngettext("{points} point", "{points} points", given.points).format(points=given.points)


def _answer_lines(given: Answer) -> list[str]:
    if isinstance(given, Legality):
        return list(given.notes)
    if isinstance(given, Fit):
        return _fit_lines(given)
    if isinstance(given, Points):
        return _values_of_ours(given.clause)
    return _arranged_lines(given)


def answer_data(given: Answer | NoAnswer) -> dict[str, Any]:
    """Return an answer as JSON data; the order of its keys is part of the interface."""
    if isinstance(given, Points):
        return named(given, "points")
    swaps = {"swaps": [swap.run for swap in given.swaps]} if isinstance(given, Fit) else {}
    return asdict(given) | swaps


def _legality(given: Legality | Fit) -> str:
    if given.legal:
        return _("legal: {reason}").format(reason=given.reason)
    text = _("not legal: {reason} [{clause}]")
    if isinstance(given, Fit) and given.swaps:
        text = _("legal as an exchange for the joker, not laid off: {reason} [{clause}]")
    return text.format(reason=given.reason, clause=given.clause)


def _fit_lines(given: Fit) -> list[str]:
    lines = [_("becomes {meld}").format(meld=meld) for meld in given.melds]
    for swap in given.swaps:
        lines.append(_("exchanged for the joker: {meld}").format(meld=swap.run))
        if swap.joker_goes_to is not None:
            lines.append(_("the joker then goes to {place}").format(place=swap.joker_goes_to))
    return lines


def _arranged(given: ArrangementAnswer) -> str:
    if given.possible:
        return _("possible: {melds}").format(melds=" / ".join(given.melds))
    text = ngettext("not possible: {missing} card short", "not possible: {missing} cards short", given.missing)
    return text.format(missing=given.missing)


def _arranged_lines(given: ArrangementAnswer) -> list[str]:
    text = ngettext("left: {left} ({points} point)", "left: {left} ({points} points)", given.points)
    lines = [text.format(left=given.left or _("nothing"), points=given.points)]
    if given.outs:
        listed = ", ".join(f"{card} ({copies})" for card, copies in given.outs.items())
        lines.append(_("cards that help, with the copies unseen: {outs}").format(outs=listed))
    return lines


def record_page(file: RecordFile) -> Report:
    """Report a game hand by hand, as its record says."""
    game = file.page
    title = _("A game of {rules}: {players}").format(rules=game.rules, players=", ".join(game.players))
    acts = sum(len(lines) for lines in game.acts)
    lines = (
        _source(game.seed, acts),
        ngettext("{number} action", "{number} actions", acts).format(number=acts),
        _("record: {digest}").format(digest=file.digest),
    )
    return Report(title, *sheet_table(game.players, game.outcome), data=record_data(file), lines=lines)


def _source(seed: str | None, acts: int) -> str:
    """Return a line that says what the hands were dealt from."""
    if seed is not None:
        return _("seed: {seed}").format(seed=seed)
    return _("the record has its decks") if acts else _("points only: people played it")


def record_hand(file: RecordFile, number: int) -> Report:
    """Report the actions of hand `number` (from 1), in order."""
    game = file.page
    fields: Fields[tuple[int, str, str]] = (
        Field("step", _("Step"), lambda row: row[0], "right"),
        Field("player", _("Player"), lambda row: row[1]),
        Field("act", _("Action"), lambda row: row[2], cell=lambda row: action_text(row[2]), priority=0, look="cards"),
    )
    rows = tuple(
        (step, game.players[int(seat) - 1] if seat.isdigit() and 0 < int(seat) <= len(game.players) else seat, act)
        for step, line in enumerate(game.acts[number - 1], 1)
        for seat, _blank, act in [line.partition(" ")]
    )
    played, dealer = game.outcome.hands[number - 1], game.players[game.dealers[number - 1]]
    name = played.contract or ending_text(played.ending) or pgettext("of a hand", "void")
    title = _("Hand {number} ({contract}), dealt by {dealer}").format(number=number, contract=name, dealer=dealer)
    return listing(title, fields, rows)


def record_verified(file: RecordFile) -> Report:
    """Report that the record replays to its own scores."""
    totals = zip(file.page.players, file.page.outcome.points, strict=True)
    listed = ", ".join(f"{name} {points}" for name, points in totals)
    title = _("{path}: replays to its own scores: {totals}").format(path=file.path, totals=listed)
    return Report(title, data={"replays": True, **record_data(file)})


def record_data(file: RecordFile) -> dict[str, Any]:
    """Return a record as JSON data."""
    game = file.page
    return {
        **named(game, "rules", "rules_digest", "engine_rules", "seed"),
        "record_digest": file.digest,
        **outcome_data(game.players, game.outcome),
    }
