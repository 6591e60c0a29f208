"""Reports on games of two bots with the same cards, and on the hands that a league needs."""

from operator import attrgetter

from tourney.domain.leagues import DesignNeed, LeagueComparison, LeagueDivergence, LeaguePilot
from tourney.reports.leagues.fields import figure
from tourney.reports.render.report import Field, Fields, Readers, Report, listing, named, record
from tourney.rulebook.engine_sentences import action_text
from tourney.text.i18n import _
from tourney.text.numbers import Number
from tourney.text.typed_words import explained


def _action(key: str, bot: str) -> Field[LeagueDivergence]:
    """Return the column with a bot's actions, which JSON has as they are recorded."""
    action = attrgetter(key)
    return Field(key, bot, action, cell=lambda hand: action_text(action(hand)), priority=0, look="cards")


def comparison(compared: LeagueComparison) -> Report:
    """Report where two bots first decided differently in each hand, and how many points that moved."""
    fields: Fields[LeagueDivergence] = (
        figure("hand", _("Hand")),
        Field("contract", _("Contract"), attrgetter("contract"), priority=4),
        figure("step", _("Step"), priority=3),
        figure("seat", _("Seat"), priority=3),
        _action("better_act", compared.better),
        _action("worse_act", compared.worse),
        figure("better_points", _("Points of {bot}").format(bot=compared.better)),
        figure("worse_points", _("Points of {bot}").format(bot=compared.worse)),
        figure("moved", _("Gain"), priority=0),
    )
    title = _("{better} and {worse} with the same cards: block {block} of league {number}").format(
        better=compared.better, worse=compared.worse, block=compared.block, number=compared.number
    )
    line = _(
        "The first action of each hand that differs, the points of its seat, and the gain of {better}: {moved} in all."
    )
    if not compared.hands:
        line = _("They decided alike in every hand.")
    data = {
        "league": compared.number,
        **named(compared, "block", "better", "worse"),
        "hands": [record(fields, hand) for hand in compared.hands],
    }
    lines = (line.format(better=compared.better, moved=sum(hand.moved for hand in compared.hands)),)
    return listing(title, fields, compared.hands, data=data, lines=lines)


def pilot(pilot_run: LeaguePilot) -> Report:
    """Report the designs side by side: the results of their pilot blocks, and the hands that they need."""
    readers: Readers = "everybody" if len(pilot_run.league.bots) > 2 else "programs"
    fields: Fields[DesignNeed] = (
        Field("design", _("Design"), attrgetter("design"), cell=lambda need: explained("design", need.design)),
        figure("played", _("Hands played")),
        Field("better", _("Better"), attrgetter("better"), readers=readers),
        Field("worse", _("Worse"), attrgetter("worse"), readers=readers),
        figure("gap", _("Gap"), 2),
        figure("error", _("Error"), 2),
        figure("spread", _("Spread"), 1),
        figure("hands", _("Hands needed")),
        figure("fewer", _("Worth"), 2),
        figure("fewer_low", _("From"), 2),
        figure("fewer_high", _("To"), 2),
    )
    league = pilot_run.league
    data = {
        "bots": list(league.entrants),
        **named(league, "rules", "seats", "seed"),
        **named(pilot_run, "gap", "certainty", "power"),
        "designs": [record(fields, need) for need in pilot_run.needs],
    }
    return listing(_pilot_title(pilot_run), fields, pilot_run.needs, data=data, lines=_pilot_lines(pilot_run))


def _pilot_title(pilot_run: LeaguePilot) -> str:
    league = pilot_run.league
    unit = _("money") if league.stake else _("points")
    return _("Hands to separate {gap:g} {unit} a hand: {bots}, {rules}, {seats} at a table").format(
        gap=Number(pilot_run.gap), unit=unit, bots=", ".join(league.entrants), rules=league.rules, seats=league.seats
    )


def _pilot_lines(pilot_run: LeaguePilot) -> tuple[str, ...]:
    needed = _("Hands needed: to show such a true gap with {certainty:g} % certainty in {power:g} of 100 leagues.")
    worth = _("Worth: of a hand, in hands of the design {first}; From and To are its 95 % interval.")
    several = _("Better, worse: the pair of these bots that needs most hands.")
    return (
        needed.format(certainty=Number(100 * pilot_run.certainty), power=Number(100 * pilot_run.power)),
        *((several,) if len(pilot_run.league.bots) > 2 else ()),
        _("Gap: the difference found here, against the opponents that each design gives the bots; Error: of that gap."),
        _("Spread: the standard deviation of the differences in blocks."),
        worth.format(first=pilot_run.needs[0].design),
    )
