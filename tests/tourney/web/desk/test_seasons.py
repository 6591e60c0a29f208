"""Tests of seasons at the desk: made from a preset, with events that count, and without them again."""

from html import unescape

import pytest

from tests.harness import desk
from tests.harness.web.asking import TestClient, press
from tests.tourney.web.desk.test_people import refused
from tourney.service.change import apply
from tourney.service.events.import_sheets import ImportSheets
from tourney.service.seasons import seasons, settings
from tourney.service.seasons.seasons import standings
from tourney.web.pages.desk import seasons as desk_seasons

SEASONS = "/desk/events/seasons"


def make_db(db: str) -> None:
    """The path of a database with two evenings of equal sheets, Friday and Saturday."""
    desk.make_evening(db)
    apply(db, ImportSheets("Saturday", desk.CLUB / "score-sheets.csv", "oficial"))


def counted(db: str) -> list[tuple[str, str, bool]]:
    """Return the events of the only season, with their weights, and whether they are finals."""
    (season,) = seasons.listing(db)
    return [(season.events[each.event], each.weight, each.final) for each in season.season.counted]


def test_a_season_is_made_and_counts_events_that_leave_it_again(db: str, pages: TestClient) -> None:
    """With weights 1 and 2 the leader of two equal evenings has three times the place points of one."""
    assert f'href="{SEASONS}"' in pages.get("/desk/events").text
    made = press(pages, SEASONS, "Create the season", {"name": "Autumn", "preset": "best", "minimum": "1"})
    assert "new season: Autumn" in unescape(pages.get(made.headers["location"]).text)
    press(pages, SEASONS, "Count this event", {"counted": "Friday"})
    once = standings(db).rows[0]
    press(pages, SEASONS, "Count this event", {"counted": "Saturday", "weight": "2", "final": "1"})
    assert counted(db) == [("Friday", "1", False), ("Saturday", "2", True)]
    twice = standings(db).rows[0]
    assert (twice.player, twice.score) == (once.player, 3 * once.score)
    assert once.player.shown in unescape(pages.get("/seasons/1").text)
    press(pages, SEASONS, "No longer count this event", {"counted": "Friday"})
    assert [name for name, *_rest in counted(db)] == ["Saturday"]
    press(pages, SEASONS, "Delete the season")
    assert seasons.listing(db) == ()


def test_presets_are_those_of_the_command(pages: TestClient, db: str) -> None:
    known = settings.PRESETS
    assert set(desk_seasons.PRESETS) - {""} == set(known)
    press(pages, SEASONS, "Create the season", {"name": "Autumn", "preset": "ema"})
    (season,) = seasons.listing(db)
    assert {name: getattr(season.season.settings, name) for name in known["ema"]} == known["ema"]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"do": "create", "name": ""}, "the name is empty"),
        ({"do": "create", "name": "B", "preset": "best", "drop": "1"}, "contradict"),
        ({"do": "create", "name": "B", "best": "x"}, "not a whole number"),
        ({"do": "create", "name": "B", "preset": "fide"}, "there is no preset"),
        ({"do": "add", "season": "Autumn", "counted": "Friday", "weight": "0"}, "would not count"),
        ({"do": "add", "season": "Autumn", "counted": "Nothing"}, "no event is called"),
        ({"do": "add", "season": "Summer", "counted": "Friday"}, "no season is called"),
        ({"do": "nonsense"}, ""),
    ],
)
def test_what_no_season_can_be_is_refused_on_the_page(
    pages: TestClient, db: str, typed: dict[str, str], words: str
) -> None:
    press(pages, SEASONS, "Create the season", {"name": "Autumn"})
    before = seasons.listing(db)
    text = unescape(refused(pages, SEASONS, **typed))
    assert words in text
    assert "--" not in text
    assert seasons.listing(db) == before
