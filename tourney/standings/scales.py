"""Scales: what a game scores for each of its players. A new scale is one entry of `SCALES`.

A scale depends on the outcome of one table alone. What players score at their tables is added up, or divided by their
games, as the event's `totals` say.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Protocol

from tourney.domain.events import EventSettings
from tourney.domain.results import Outcome
from tourney.standings.table_points import TablePoints, read_table_points
from tourney.text.i18n import _, marked, ngettext
from tourney.text.numbers import Number

Score = int | Fraction
TABLE_POINTS: Final = "table points"
"""The only scoring with lists of its own."""


class Gap(Protocol):
    """A sentence that says by how much a player is behind another."""

    def __call__(self, gap: float, above: str) -> str:
        """Return the sentence; `gap` is above 0."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale by which games score for each seat, and the words for it.

    `score` gives a score for each seat, `working` says how that of one seat comes about; `most_wins` says that the
    highest total ranks first. `heading` stands over the scores and `note` under the standings. `leader` and `behind`
    are for totals, `leader_per_game` and `behind_per_game` for means; `adds_up` says that games are added up even where
    their numbers differ.
    """

    name: str
    heading: str
    note: str
    score: Callable[[Outcome], Sequence[Score]]
    working: Callable[[Outcome, int], str]
    most_wins: bool
    leader: str
    leader_per_game: str
    behind: Gap
    behind_per_game: Gap
    adds_up: bool = False

    def better(self, score: Score) -> Score:
        """Return the score as a sort key: the better one is smaller."""
        return -score if self.most_wins else score


def shown(score: float | Fraction) -> str:
    """Return a score for people, with two decimals at most."""
    return str(int(score)) if score == int(score) else f"{Number(round(float(score), 2))}".removesuffix(".0")


def shared_by_place(places: Sequence[int], of_place: Sequence[Score]) -> list[Fraction]:
    """Return what these places of a table give to each seat; tied seats share what their places give together."""
    taken = {place: places.count(place) for place in places}
    shares: dict[int, Fraction] = {}
    first = 0
    for place in sorted(taken):
        shares[place] = Fraction(sum(of_place[first : first + taken[place]])) / taken[place]
        first += taken[place]
    return [shares[place] for place in places]


# --- points, and the money of the knock game -------------------------------------------------------------


def _behind_in_points(gap: float, above: str) -> str:
    points = int(gap)
    text = ngettext("{points} point more than {above}", "{points} points more than {above}", points)
    return text.format(points=points, above=above)


def _behind_in_points_per_game(gap: float, above: str) -> str:
    return _("{gap} points per game more than {above}").format(gap=f"{Number(gap):.2f}", above=above)


def _behind_in_money(gap: float, above: str) -> str:
    return _("{money} less money than {above}").format(money=shown(gap), above=above)


def _behind_in_money_per_game(gap: float, above: str) -> str:
    return _("{money} less money per game than {above}").format(money=f"{Number(gap):.2f}", above=above)


POINTS: Final = Scale(
    "points",
    marked("Points"),
    "",
    lambda outcome: outcome.points,
    lambda outcome, seat: shown(outcome.points[seat]),
    False,
    marked("fewest points"),
    marked("fewest points per game"),
    _behind_in_points,
    _behind_in_points_per_game,
)
MONEY: Final = Scale(
    "points",
    marked("Money"),
    "",
    lambda outcome: outcome.money or (0,) * len(outcome.points),
    lambda outcome, seat: shown(outcome.money[seat] if outcome.money else 0),
    True,
    marked("most money"),
    marked("most money per game"),
    _behind_in_money,
    _behind_in_money_per_game,
    adds_up=True,
)
"""In the knock game money takes the place of points."""

# --- scores that make tables of different sizes comparable -----------------------------------------------


def _counted(gap: float) -> int:
    """Return the number by which a sentence chooses between singular and plural: 1 for exactly 1."""
    return 1 if gap == 1 else 2


def _behind_in_table_points(gap: float, above: str) -> str:
    text = ngettext("{gap} table point fewer than {above}", "{gap} table points fewer than {above}", _counted(gap))
    return text.format(gap=shown(gap), above=above)


def _behind_in_table_points_per_game(gap: float, above: str) -> str:
    text = ngettext(
        "{gap} table point per game fewer than {above}", "{gap} table points per game fewer than {above}", _counted(gap)
    )
    return text.format(gap=shown(gap), above=above)


def _behind_in_place_points(gap: float, above: str) -> str:
    text = ngettext("{gap} place point fewer than {above}", "{gap} place points fewer than {above}", _counted(gap))
    return text.format(gap=shown(gap), above=above)


def _behind_in_place_points_per_game(gap: float, above: str) -> str:
    text = ngettext(
        "{gap} place point per game fewer than {above}", "{gap} place points per game fewer than {above}", _counted(gap)
    )
    return text.format(gap=shown(gap), above=above)


def _behind_in_match_points(gap: float, above: str) -> str:
    text = ngettext("{gap} match point fewer than {above}", "{gap} match points fewer than {above}", _counted(gap))
    return text.format(gap=shown(gap), above=above)


def _behind_in_match_points_per_game(gap: float, above: str) -> str:
    text = ngettext(
        "{gap} match point per game fewer than {above}", "{gap} match points per game fewer than {above}", _counted(gap)
    )
    return text.format(gap=shown(gap), above=above)


def _behind_in_shares(gap: float, above: str) -> str:
    text = ngettext(
        "{gap} percentage point more than {above}", "{gap} percentage points more than {above}", _counted(gap)
    )
    return text.format(gap=shown(gap), above=above)


def _behind_in_shares_per_game(gap: float, above: str) -> str:
    text = ngettext(
        "{gap} percentage point per game more than {above}",
        "{gap} percentage points per game more than {above}",
        _counted(gap),
    )
    return text.format(gap=shown(gap), above=above)


def table_points(settings: EventSettings) -> Scale:
    """Return the scale of the event's table points."""
    lists = read_table_points(settings.table_points or "")
    return Scale(
        TABLE_POINTS,
        marked("Table points"),
        marked("Table points rank: each table size has its own list, and tied players share what their places give."),
        lambda outcome: _table_points(outcome, lists),
        lambda outcome, seat: _by_place(outcome, seat, _table_points(outcome, lists)[seat]),
        True,
        marked("most table points"),
        marked("most table points per game"),
        _behind_in_table_points,
        _behind_in_table_points_per_game,
    )


def _table_points(outcome: Outcome, lists: TablePoints) -> Sequence[Fraction]:
    return shared_by_place(outcome.places, lists.at(len(outcome.places)))


def _by_place(outcome: Outcome, seat: int, score: Score) -> str:
    """Return what a place gives: `place 2 of 4 gives 5`."""
    place, size = outcome.places[seat], len(outcome.places)
    sharing = outcome.places.count(place)
    if sharing == 1:
        text = _("place {place} of {size} gives {score}")
        if _by_recent_hand(outcome, seat):
            text = _("place {place} of {size} by the most recent hand won gives {score}")
        return text.format(place=place, size=size, score=shown(score))
    text = _("place {place} of {size}, shared by {sharing}, gives each {score}")
    return text.format(place=place, size=size, sharing=sharing, score=shown(score))


def _by_recent_hand(outcome: Outcome, seat: int) -> bool:
    """Return whether the rules ranked a seat apart from another with equal points, which only the hands won can do."""
    if outcome.money:
        return False
    own = outcome.points[seat], outcome.places[seat]
    pairs = zip(outcome.points, outcome.places, strict=True)
    return any(points == own[0] and place != own[1] for points, place in pairs)


def place_points(settings: EventSettings) -> Scale:
    """Return the scale of place points: a point for each player beaten, at every table as many as at a full one."""
    return Scale(
        "place points",
        marked("Place points"),
        marked(
            "Place points rank: one for each player beaten at the table, half for a tie; at tables of other sizes the "
            "winner has as many as at a full one."
        ),
        lambda outcome: _place_points(outcome, settings.size),
        lambda outcome, seat: _beaten(outcome, seat, settings.size),
        True,
        marked("most place points"),
        marked("most place points per game"),
        _behind_in_place_points,
        _behind_in_place_points_per_game,
    )


def _place_points(outcome: Outcome, full: int) -> Sequence[Fraction]:
    size = len(outcome.places)
    if size < 2:
        return [Fraction(full - 1)] * size
    return [beaten * Fraction(full - 1, 2 * (size - 1)) for beaten in twice_beaten(outcome)]


def _beaten(outcome: Outcome, seat: int, full: int) -> str:
    """Return how place points come about: `1.5 of 2 players beaten, × 3 / 2 = 2.25`."""
    size, score = len(outcome.places), _place_points(outcome, full)[seat]
    beaten = shown(Fraction(twice_beaten(outcome)[seat], 2))
    if size == full:
        return _("{beaten} of {others} players beaten").format(beaten=beaten, others=size - 1)
    text = _("{beaten} of {others} players beaten, × {full} / {others} = {score}")
    return text.format(beaten=beaten, others=size - 1, full=full - 1, score=shown(score))


def twice_beaten(outcome: Outcome) -> Sequence[int]:
    """Return for each seat two for every player beaten and one for every tie: match points, as bridge counts them."""
    return [
        sum(2 if other > place else 1 for other in outcome.places if other >= place) - 1 for place in outcome.places
    ]


def neuberg(settings: EventSettings) -> Scale:
    """Return the scale of match points by Neuberg's formula."""
    return Scale(
        "neuberg",
        marked("Match points"),
        marked(
            "Match points rank: two for each player beaten at the table, one for a tie; at tables of other sizes they "
            "are adjusted to a full one by Neuberg's formula."
        ),
        lambda outcome: [
            adjusted(points, len(outcome.places), settings.size) for points in map(Fraction, twice_beaten(outcome))
        ],
        lambda outcome, seat: _by_neuberg(outcome, seat, settings.size),
        True,
        marked("most match points"),
        marked("most match points per game"),
        _behind_in_match_points,
        _behind_in_match_points_per_game,
    )


def _by_neuberg(outcome: Outcome, seat: int, full: int) -> str:
    """Return how match points come about: `(4 + 1) × 4 / 3 − 1 = 5.67`."""
    points, size = twice_beaten(outcome)[seat], len(outcome.places)
    if size == full:
        return shown(points)
    score = shown(adjusted(Fraction(points), size, full))
    return _("({points} + 1) × {full} / {size} − 1 = {score}").format(points=points, full=full, size=size, score=score)


def adjusted(points: Fraction, size: int, full: int) -> Fraction:
    """Return match points among `size` results as those among `full` results: (points + 1) · full / size − 1.

    Source: the formula of Gérard Neuberg, as in the English Bridge Union's White Book.
    """
    return (points + 1) * Fraction(full, size) - 1


def share(settings: EventSettings) -> Scale:
    """Return the scale of shares of the table's points, in per cent."""
    return Scale(
        "share",
        marked("Share"),
        marked(
            "Shares rank: each player's part of the points of their table, in per cent, adjusted to a full table. The "
            "smallest ranks first."
        ),
        lambda outcome: [100 * part for part in shares(outcome, settings.size)],
        lambda outcome, seat: _part(outcome, seat, settings.size),
        False,
        marked("smallest shares"),
        marked("smallest share per game"),
        _behind_in_shares,
        _behind_in_shares_per_game,
    )


def shares(outcome: Outcome, full: int) -> Sequence[Fraction]:
    """Return each seat's part of the table's points, times the table's size over the size of a full table.

    So the mean is the same at every table: at a smaller one it is as if an average player sat at each seat that is
    missing (Catan's world championships count a table of three in this way). Points count from 0, or from the lowest
    score of the table if that is negative; if all have as many, their parts are equal.
    """
    lowest = min(0, *outcome.points)
    counted = [points - lowest for points in outcome.points]
    whole, size = sum(counted), len(counted)
    if whole == 0:
        return [Fraction(1, full)] * size
    return [Fraction(points * size, whole * full) for points in counted]


def _part(outcome: Outcome, seat: int, full: int) -> str:
    """Return how a share comes about: `20 of 80 points: 25 %`."""
    lowest, size = min(0, *outcome.points), len(outcome.points)
    values = {
        "points": outcome.points[seat] - lowest,
        "whole": sum(outcome.points) - lowest * size,
        "score": shown(100 * shares(outcome, full)[seat]),
    }
    if size == full:
        text = _("{points} of {whole} points: {score} %")
    else:
        text = _("{points} of {whole} points, × {size} / {full}: {score} %")
    counted = text.format(size=size, full=full, **values)
    return _("counted from {lowest}, {share}").format(lowest=lowest, share=counted) if lowest else counted


@dataclass(frozen=True, slots=True)
class ScaleKind:
    """A scale that an event can choose: how it is made from the event's settings, and whether it needs points."""

    name: str
    make: Callable[[EventSettings], Scale]
    needs_points: bool = False


SCALES: Final[Mapping[str, ScaleKind]] = {
    kind.name: kind
    for kind in (
        ScaleKind("points", lambda settings: POINTS),
        ScaleKind(TABLE_POINTS, table_points),
        ScaleKind("place points", place_points),
        ScaleKind("share", share, needs_points=True),
        ScaleKind("neuberg", neuberg),
    )
}
