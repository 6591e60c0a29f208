"""Report on advice: tables and rounds to choose, compared with others, and why."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tourney.reports.people import counted
from tourney.reports.render.report import Field, Fields, Report, listing, table_section
from tourney.seating.advice import Drawback, Option
from tourney.service.rounds.seating_report import repeats_text
from tourney.service.seating.advice import Advised
from tourney.text.i18n import _, ngettext
from tourney.text.sanitize import quote_argument


def advised(answer: Advised) -> Report:
    """Report the choice and its reasons, other tables over as many rounds, and the same tables over other rounds."""
    advice = answer.advice
    options = [
        (option, _remark(answer, option, drawback))
        for option, drawback in zip(advice.options, advice.drawbacks, strict=True)
    ]
    around = [(option, _around(option, advice.chosen)) for option in advice.around]
    sections = (
        table_section(_("Tables"), _fields(), options, tuple(_reasons(answer))),
        table_section(_("The same tables"), _fields()[1:], around, tuple(_rounds_without_repeats(answer))),
    )
    rounds = advice.chosen.rounds
    title = _("{players}, {rules}: tables {tables}; {rounds}").format(
        players=counted(answer.request.players),
        rules=answer.request.rules,
        tables=tables_text(advice.chosen.sizes),
        rounds=ngettext("{number} round", "{number} rounds", rounds).format(number=rounds),
    )
    return listing(
        title,
        _fields(),
        (*options, *around),
        data=_data(answer),
        next_steps=(_next(answer),),
        sections=sections,
    )


def _fields() -> Fields[tuple[Option, str]]:
    """Return the columns of an option with a remark."""
    return (
        Field("tables", _("Tables"), lambda row: tables_text(row[0].sizes)),
        Field("rounds", _("Rounds"), lambda row: row[0].rounds, "right"),
        Field("repeats", _("Repeats"), lambda row: row[0].repeats, "right"),
        Field("short_turns", _("Short"), lambda row: row[0].shorts, "right"),
        Field("sitting_out", _("Out"), lambda row: row[0].byes, "right"),
        Field("hours", _("Hours"), lambda row: None if row[0].minutes is None else row[0].minutes / 60, "right", 1),
        Field("remark", _("Remark"), lambda row: row[1]),
    )


def tables_text(sizes: Sequence[int]) -> str:
    """Return tables by their sizes: `4 of 4, 2 of 3`."""
    number_of = Counter(sizes)
    return ", ".join(_("{number} of {size}").format(number=number, size=size) for size, number in number_of.items())


def _remark(answer: Advised, option: Option, drawback: Drawback | None) -> str:
    if option is answer.advice.chosen:
        return _("chosen")
    words = {
        "more sitting out": _("more byes"),
        "more tables of two": _("tables of two"),
        "fewer rounds": _("fewer rounds fit"),
        "more repeats": _("more repeats"),
        "another size": _("not tables of {size}").format(size=answer.size),
        "more short tables": _("more smaller tables"),
    }
    return _("no worse") if drawback is None else words[drawback]


def _around(option: Option, chosen: Option) -> str:
    more = option.repeats - chosen.repeats
    if more == 0:
        return _("equally many repeats")
    text = ngettext("{number} more repeat", "{number} more repeats", more)
    if more < 0:
        text = ngettext("{number} repeat fewer", "{number} repeats fewer", -more)
    return text.format(number=abs(more))


def _reasons(answer: Advised) -> Iterator[str]:
    """Yield the advantages of the chosen tables, and what was compared in which order."""
    chosen = answer.advice.chosen
    parts = [_out(chosen.byes // chosen.rounds), repeats_text(chosen.repeats)]
    if chosen.shorts:
        most = chosen.shorts_most
        text = ngettext(
            "nobody plays more than {most} round at a smaller table",
            "nobody plays more than {most} rounds at a smaller table",
            most,
        )
        parts.append(text.format(most=most))
    yield _("Chosen: {reasons}.").format(reasons=", ".join(parts))
    yield _(
        "Compared in this order: no byes; no tables of two; all the rounds wanted; few repeats, less than one a player "
        "counting as none; tables of {size}; few rounds at a smaller table."
    ).format(size=answer.size)
    yield _("Repeats are from brief searches; the search for an event's own plan is longer.")
    yield _("Short: rounds of players at a smaller table; out: byes; totals over all players.")


def _out(number: int) -> str:
    if number == 0:
        return _("no byes")
    return ngettext("{number} bye in each round", "{number} byes in each round", number).format(number=number)


def _rounds_without_repeats(answer: Advised) -> Iterator[str]:
    """Yield up to how many rounds there are no repeats, and how long games last."""
    options = (answer.advice.chosen, *answer.advice.around)
    without = max((option.rounds for option in options if option.repeats == 0), default=0)
    if without:
        text = ngettext("No repeats in {rounds} round.", "No repeats up to {rounds} rounds.", without)
        yield text.format(rounds=without)
    if answer.game_length is not None:
        yield _length_line(answer)


def _length_line(answer: Advised) -> str:
    game_length = answer.game_length
    if game_length is None or game_length.minutes is None:
        return _("The length of such games is unknown: give it with --minutes.")
    minutes = f"{game_length.minutes * answer.size:.0f}"
    if game_length.tables:
        timed = ngettext(
            "Hours exclude breaks: {tables} table timed here gives {minutes} minutes for a table of {size}.",
            "Hours exclude breaks: {tables} tables timed here give {minutes} minutes for a table of {size}.",
            game_length.tables,
        )
        return timed.format(tables=game_length.tables, minutes=minutes, size=answer.size)
    text = _(
        "Hours exclude breaks: es.wikipedia gives seven hands of four players 35 to 60 minutes, which makes {minutes} "
        "for a table of {size}; rounds with a clock are timed for later advice."
    )
    return text.format(minutes=minutes, size=answer.size)


def _next(answer: Advised) -> str:
    chosen = answer.advice.chosen
    short = "" if chosen.remainder == "short tables" else f" --short {quote_argument(chosen.remainder)}"
    return _("Create it: `tourney event new {name} --rules {rules} --rounds {rounds} --size {size}{short}`").format(
        name=answer.name,
        rules=quote_argument(answer.request.rules),
        rounds=chosen.rounds,
        size=chosen.size,
        short=short,
    )


def _data(answer: Advised) -> dict[str, Any]:
    """Return the advice as JSON data; `minutes` are of all rounds, `minutes_per_player` of one game."""
    advice, game_length = answer.advice, answer.game_length
    drawbacks = zip(advice.options, advice.drawbacks, strict=True)
    return {
        "players": answer.request.players,
        "rules": answer.request.rules,
        "chosen": _option_data(advice.chosen),
        "options": [{**_option_data(option), "drawback": drawback} for option, drawback in drawbacks],
        "rounds": [_option_data(option) for option in advice.around],
        "minutes_per_player": None if game_length is None else game_length.minutes,
        "tables_timed": 0 if game_length is None else game_length.tables,
    }


def _option_data(option: Option) -> dict[str, Any]:
    return {
        "size": option.size,
        "short": option.remainder,
        "sizes": list(option.sizes),
        "rounds": option.rounds,
        "repeats": option.repeats,
        "short_turns": option.shorts,
        "sitting_out": option.byes,
        "minutes": option.minutes,
    }
