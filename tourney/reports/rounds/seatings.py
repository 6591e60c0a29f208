"""Reports of seatings without an event: the tables, and their quality."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from tourney.reports.render.report import Cell, Field, Fields, Report, Section, named, table_section
from tourney.seating.quality.bounds import Certificate
from tourney.seating.quality.metrics import Criterion, Worst, meetings
from tourney.service.rounds.seating_report import quality_text, repeats_text
from tourney.service.seating.plans import NamedSeating
from tourney.text.i18n import _, fill, ngettext
from tourney.text.typed_words import explained

Names = Sequence[str]


def planned(seating: NamedSeating) -> Report:
    """Report the rounds, seat 1 dealing first, and the certificate; CSV has a row for each player and round."""
    columns: tuple[Field[Any], ...] = (
        Field("round", _("Round"), align="right"),
        Field("table", _("Table"), align="right"),
        Field("seat", _("Seat"), align="right"),
        Field("player", _("Player")),
    )
    rounds = (_round(seating, number) for number in range(len(seating.rounds)))
    data = {**_rounds_data(seating), **certificate_data(seating.certificate, seating.names)}
    sections = (*rounds, quality(seating.certificate, seating.names))
    return Report(_title(seating), columns, tuple(_rows(seating)), seating.notes, data, sections=sections)


def judged(seating: NamedSeating) -> Report:
    """Report the certificate of a seating made elsewhere; CSV has a row for each criterion."""
    section = quality(seating.certificate, seating.names)
    data = certificate_data(seating.certificate, seating.names)
    title = f"{seating.source}: {_title(seating)}"
    return Report(title, section.columns, section.rows, seating.notes, data, sections=(section,))


def in_brief(seating: NamedSeating) -> Iterator[str]:
    """Yield how good the rounds so far are, in sentences for the players: which pairs meet again, and who got what."""
    certificate = seating.certificate
    again = sum(number > 1 for number in meetings(seating.rounds).values())
    if again:
        yield ngettext(
            "{pairs} pair of players meets more than once in the rounds drawn so far.",
            "{pairs} pairs of players meet more than once in the rounds drawn so far.",
            again,
        ).format(pairs=again)
    else:
        yield _("No two players meet more than once in the rounds drawn so far.")
    if again and certificate.proven and certificate.holds_for == "fewest repeats":
        yield _("Fewer are not possible at these tables.")
    yield from _shares(certificate)
    yield from _constraint_lines(certificate)


def _shares(certificate: Certificate) -> Iterator[str]:
    """Yield how evenly first deals, smaller tables and byes are shared."""
    most = {worst.criterion: worst.count for worst in certificate.worst}
    yield ngettext(
        "Nobody deals first more than once.", "Nobody deals first more than {number} times.", most["first deals"]
    ).format(number=most["first deals"])
    if most["short tables"]:
        yield ngettext(
            "Nobody is at a smaller table more than once.",
            "Nobody is at a smaller table more than {number} times.",
            most["short tables"],
        ).format(number=most["short tables"])
    if most["sitting out"]:
        yield ngettext(
            "Nobody has more than one bye.", "Nobody has more than {number} byes.", most["sitting out"]
        ).format(number=most["sitting out"])


def _title(seating: NamedSeating) -> str:
    players, rounds = seating.certificate.players, len(seating.rounds)
    return _("{players}, {rounds}, {repeats}").format(
        players=ngettext("{number} player", "{number} players", players).format(number=players),
        rounds=ngettext("{number} round", "{number} rounds", rounds).format(number=rounds),
        repeats=repeats_text(seating.certificate.judgement.repeats),
    )


def _round(seating: NamedSeating, number: int) -> Section:
    tables = seating.rounds[number]
    widest = max(map(len, tables))
    seats: Iterator[Field[Any]] = (
        Field(f"seat_{seat}", _("Seat {number}").format(number=seat), priority=0) for seat in range(1, widest + 1)
    )
    columns = (Field("table", _("Table"), align="right", priority=0), *seats)
    rows: list[tuple[Cell, ...]] = [
        (at, *(seating.names[player] for player in table), *[""] * (widest - len(table)))
        for at, table in zip(seating.numbers[number], tables, strict=True)
    ]
    out = ", ".join(seating.names[player] for player in seating.sitting_out[number])
    bullets = (_("byes: {names}").format(names=out),) if out else ()
    return Section(_("Round {number}").format(number=number + 1), columns, tuple(rows), bullets)


def _rows(seating: NamedSeating) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each player and round, as `seating judge` reads it; byes have neither table nor seat."""
    for number, tables in enumerate(seating.rounds):
        for at, table in zip(seating.numbers[number], tables, strict=True):
            yield from ((number + 1, at, seat, seating.names[player]) for seat, player in enumerate(table, 1))
        yield from ((number + 1, "", "", seating.names[player]) for player in seating.sitting_out[number])


def _rounds_data(seating: NamedSeating) -> dict[str, Any]:
    names = seating.names
    return {
        "rounds": [[[names[player] for player in table] for table in tables] for tables in seating.rounds],
        "sitting_out": [[names[player] for player in out] for out in seating.sitting_out],
    }


def certificate_data(certificate: Certificate, names: Names) -> dict[str, Any]:
    """Return a certificate as JSON data: players by name, `count` and `least` as `Worst` has them."""
    judgement = certificate.judgement
    pair = judgement.worst_pair if judgement.most_meetings > 1 else None
    return {
        "players": certificate.players,
        "repeats": judgement.repeats,
        "bound": certificate.bound.repeats,
        "why": certificate.bound.why,
        "holds_for": certificate.holds_for,
        "most_meetings": judgement.most_meetings,
        "worst_pair": None if pair is None else [names[player] for player in pair],
        **named(judgement, "seat_spread", "seat_most", "dealer_spread"),
        "short_spread": judgement.smaller_table_spread,
        "outs_spread": judgement.byes_spread,
        **named(judgement, "revisits", "unmet", "strangers"),
        "worst": {worst.criterion: _worst_data(worst, names) for worst in certificate.worst},
        "broken": asdict(certificate.violations),
        **named(certificate, "method", "seed", "version"),
    }


def _worst_data(worst: Worst, names: Names) -> dict[str, Any]:
    player = None if worst.player is None else names[worst.player]
    return {"player": player, "count": worst.count, "sharing": worst.sharing, "least": worst.least}


def quality(certificate: Certificate, names: Names) -> Section:
    """Return who is treated worst by each criterion, and the seating's result beside the best possible."""
    fields: Fields[Worst] = (
        Field("respect", _("Criterion"), lambda worst: _criterion(worst.criterion), priority=0),
        Field("most", _("Most"), lambda worst: worst.count, "right", priority=0),
        Field("player", _("Who"), lambda worst: _who(worst, names), priority=0),
        Field("least", _("Least"), lambda worst: worst.least, "right"),
    )
    bullets = (*_legend(), *certificate_lines(certificate, names))
    return table_section(_("Quality"), fields, certificate.worst, bullets)


def _legend() -> tuple[str, ...]:
    return (
        _("Most: the worst-treated player; least: the best-treated."),
        _(
            "Unevenness of seats: how often a player has their most frequent seat, minus how often their rarest. "
            "Smaller tables have fewer seats than the largest of their round."
        ),
    )


def _criterion(criterion: Criterion) -> str:
    return {
        "repeat meetings": _("repeats"),
        "seats": _("unevenness of seats"),
        "first deals": _("first deals"),
        "short tables": _("rounds at a smaller table"),
        "sitting out": _("byes"),
        "tables revisited": _("returns to a table number"),
        "strangers": _("players without a common opponent"),
        "wishes": _("broken constraints"),
    }[criterion]


def _who(worst: Worst, names: Names) -> str:
    if worst.player is None:
        return _("everybody")
    if worst.sharing == 1:
        return names[worst.player]
    others = worst.sharing - 1
    return ngettext("{name} and {number} other", "{name} and {number} others", others).format(
        name=names[worst.player], number=others
    )


def certificate_lines(certificate: Certificate, names: Names) -> Iterator[str]:
    """Yield the seating's result, sentence by sentence."""
    judgement = certificate.judgement
    text = _("Result: {quality} ({why}).") if certificate.bound.repeats else _("Result: {quality}.")
    why = _(certificate.bound.template).format(**certificate.bound.values)
    yield text.format(quality=quality_text(certificate), why=why)
    if judgement.most_meetings > 1 and judgement.worst_pair is not None:
        first, second = (names[player] for player in judgement.worst_pair)
        text = _("Most often together: {one} and {other}, in {number} rounds.")
        yield fill(text, one=first, other=second, number=judgement.most_meetings)
    yield ngettext(
        "Nobody has the same seat twice.",
        "Nobody has the same seat more than {number} times.",
        judgement.seat_most,
    ).format(number=judgement.seat_most)
    yield from _uneven(certificate)
    if judgement.unmet:
        text = ngettext(
            "{unmet} pair never meets; without an opponent in common: {strangers}.",
            "{unmet} pairs never meet; without an opponent in common: {strangers}.",
            judgement.unmet,
        )
        yield text.format(unmet=judgement.unmet, strangers=judgement.strangers)
    else:
        yield _("Everybody meets everybody.")
    yield from _constraint_lines(certificate)
    yield _made(certificate)


def _uneven(certificate: Certificate) -> Iterator[str]:
    """Yield why rounds at a smaller table are uneven, if they are and levelling was tried."""
    if certificate.judgement.smaller_table_spread > 1 and certificate.level is not None:
        yield _(
            "Rounds at a smaller table differ by {spread} between players: the best even seating found has {repeats}."
        ).format(spread=certificate.judgement.smaller_table_spread, repeats=repeats_text(certificate.level))


def _made(certificate: Certificate) -> str:
    """Return what is needed to make the seating again."""
    if not certificate.version:
        return _("Unknown: the maker, the method and the seed.")
    by = _("Made by tourney {version} with the seed {seed}").format(version=certificate.version, seed=certificate.seed)
    how = _method(certificate.method)
    return _("{by}: {method}.").format(by=by, method=how) if how else f"{by}."


def _method(method: str) -> str:
    """Return how rounds were made, in words; the formats of an event are explained."""
    words: dict[str, str] = {
        "one table": _("everybody sits at one table"),
        "round robin": _("a round robin of pairs"),
        "cyclic multiples": _("a cyclic design of multiples"),
        "field multiples": _("a design of multiples in a finite field"),
        "columns by search": _("a design whose columns a search found"),
        "base round": _("a cyclic design from base rounds"),
        "dropped players": _("a truncated design"),
        "exchanged players": _("a search"),
    }
    return words.get(method) or ", ".join(explained("format", each) for each in method.split(", "))


def _constraint_lines(certificate: Certificate) -> Iterator[str]:
    """Yield which constraints are broken; nothing if there are no constraints."""
    if not any(worst.criterion == "wishes" for worst in certificate.worst):
        return
    violations = certificate.violations
    meetings = ngettext(
        "{number} meeting of two to keep apart", "{number} meetings of two to keep apart", violations.apart
    )
    pairs = ngettext("{number} pair not seated together", "{number} pairs not seated together", violations.together)
    rounds = ngettext("{number} round at the wrong table", "{number} rounds at the wrong table", violations.tables)
    counted = ((meetings, violations.apart), (pairs, violations.together), (rounds, violations.tables))
    parts = [text.format(number=number) for text, number in counted if number]
    yield (
        _("Broken constraints: {violations}.").format(violations=", ".join(parts))
        if parts
        else _("All constraints are kept.")
    )
