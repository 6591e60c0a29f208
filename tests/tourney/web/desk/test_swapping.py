"""Tests of a draft in which two tapped names change places, and of the draw in one tap."""

import re
from itertools import combinations

from tests.harness import desk
from tests.harness.web.asking import ORIGIN, TestClient, press
from tests.tourney.web.desk.test_rounds import drawn, enter_all, seats
from tourney.service.change import apply
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import Meetings, MovePlayer, Out

PATH = "/desk/rounds"


def make_db(db: str) -> None:
    """The path of a database with an event of nine people whose first round is played."""
    desk.event(db, 9, rounds=3)
    apply(db, DrawRound("Friday"))
    enter_all(db)


def met_before(db: str) -> set[frozenset[str]]:
    """Return the pairs of names that sat at one table in round 1."""
    return {
        frozenset(pair) for table in drawn(db)[0].tables for pair in combinations([p.name for p in table.players], 2)
    }


def meet_again(db: str) -> int:
    """Return how many pairs of the newest round sat at one table in round 1, counted by name."""
    tables = [[player.name for player in table.players] for table in drawn(db)[-1].tables]
    return sum(frozenset(pair) in met_before(db) for names in tables for pair in combinations(names, 2))


def names_on(text: str) -> dict[str, str]:
    """Return the numbers of the players of a draft's cards, by name."""
    found = re.findall(r'id="s(\d+)"[^>]*><span dir="auto">([^<]*)<', text)
    return {name: number for number, name in found}


def test_the_first_page_draws_in_one_tap_and_the_draft_is_published_in_another(db: str, pages: TestClient) -> None:
    """The button led to a page with the same button: three clicks."""
    answer = press(pages, "/desk", "Draw round 2")
    assert (answer.status_code, [round_.draft for round_ in drawn(db)]) == (303, [False, True])
    press(pages, answer.headers["location"], "Publish the round")
    assert [round_.draft for round_ in drawn(db)] == [False, False]


def test_the_first_page_does_not_draw_where_results_are_missing(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    assert 'value="draw"' not in pages.get("/desk").text


def test_two_tapped_names_of_a_draft_change_places(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday", draft=True))
    before = seats(db)
    first, second = (table.players[0].name for table in drawn(db)[-1].tables[:2])
    numbers = names_on(pages.get(PATH).text)
    assert set(numbers) == {player.name for player in drawn(db)[-1].sitting_out} | set(before)
    chosen = f"{PATH}?chosen={numbers[first]}"
    text = pages.get(chosen).text
    assert re.search(rf'id="s{numbers[first]}" class="chosen"[^>]*aria-current="true"', text)
    answer = press(pages, chosen, f"{second}{mark(text, second)}")
    after = pages.get(answer.headers["location"]).text
    assert f"{first} and {second} have changed places" in after
    assert (seats(db)[first], seats(db)[second]) == (before[second], before[first])


def mark(text: str, name: str) -> str:
    """Return what follows a name on its button, as the button's text has it."""
    button = re.search(rf'<button id="s\d+"[^>]*><span dir="auto">{name}</span>(.*?)</button>', text, re.DOTALL)
    assert button is not None
    return re.sub(r"<[^>]*>", "", button[1])


def test_a_draft_marks_who_meets_again_and_what_each_swap_would_change(db: str, pages: TestClient) -> None:
    """The marks are those that a count of the pairs by name gives."""
    apply(db, DrawRound("Friday", draft=True))
    newest, text = drawn(db)[-1], pages.get(PATH).text
    again = {
        name for name, words in re.findall(r'<span dir="auto">(\w+)</span> <small class="again" title="([^"]*)"', text)
    }
    tables = [[player.name for player in table.players] for table in newest.tables]
    assert again == {
        name for names in tables for name in names if any({name, other} in met_before(db) for other in names)
    }
    first = newest.tables[0].players[0]
    numbers, before = names_on(text), meet_again(db)
    text = pages.get(f"{PATH}?chosen={numbers[first.name]}").text
    changes = {
        name: int(found[1]) if (found := re.search(r"([+-]\d+)", mark(text, name))) else 0
        for name in numbers
        if name != first.name
    }
    for other in (player for table in newest.tables[1:] for player in table.players):
        swapped = [
            [other.name if name == first.name else first.name if name == other.name else name for name in names]
            for names in tables
        ]
        after = sum(frozenset(pair) in met_before(db) for names in swapped for pair in combinations(names, 2))
        assert changes[other.name] == after - before
        assert Meetings(drawn(db)[:1]).after_swap(newest, first, other) == after - before


def test_who_has_a_bye_takes_a_tapped_seat(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday", draft=True))
    apply(db, MovePlayer("Friday", drawn(db)[-1].tables[0].players[0].name, Out()))
    (out,), first = drawn(db)[-1].sitting_out, drawn(db)[-1].tables[0].players[0]
    numbers = names_on(pages.get(PATH).text)
    form = swap(pages, numbers[out.name])
    pages.post(PATH, data={**form, "other": first.shown}, headers=ORIGIN)
    assert [player.name for player in drawn(db)[-1].sitting_out] == [first.name]


def swap(pages: TestClient, chosen: str) -> dict[str, str]:
    """Return the hidden fields of a draft's form once a player is chosen."""
    form = re.search(r'<form[^>]*class="draft">.*?</form>', pages.get(f"{PATH}?chosen={chosen}").text, re.DOTALL)
    assert form is not None
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[0]))


def test_a_swap_of_an_older_draft_or_of_nobody_is_refused(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday", draft=True))
    numbers = names_on(pages.get(PATH).text)
    first, second = (table.players[0].shown for table in drawn(db)[-1].tables[:2])
    form = swap(pages, numbers[first])
    before = seats(db)
    for other in ("", "0", "99", "x", first):
        assert pages.post(PATH, data={**form, "other": other}, headers=ORIGIN).status_code in (400, 404, 409)
    assert seats(db) == before
    pages.post(PATH, data={**form, "other": second}, headers=ORIGIN)
    stale = pages.post(PATH, data={**form, "other": drawn(db)[-1].tables[0].players[1].shown}, headers=ORIGIN)
    assert stale.status_code == 409


def test_a_published_round_has_no_swap_by_tapping(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    assert 'class="draft"' not in pages.get(PATH).text
