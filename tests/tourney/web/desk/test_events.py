"""Tests of the desk's chapter on events: created, copied, chosen, changed, finished and opened again."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.slow import half_slow
from tests.harness.web.asking import ORIGIN, TestClient, client
from tests.harness.web.markup import Markup
from tests.tourney.web.desk.test_people import refused, send
from tourney.domain.errors import ExitCode
from tourney.domain.events import SETTINGS
from tourney.service.admin.journal import log
from tourney.service.change import apply
from tourney.service.events.events import EnterPlayers, UseEvent, listing
from tourney.service.events.events import show as show_event
from tourney.service.events.settings import ChangeSettings
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.seasons.seasons import CountEvents, CreateSeason
from tourney.service.web import access


def form_of(text: str, button: str) -> dict[str, str]:
    """Return every field of the first form with this button, or of the first form at all, as a browser sends it."""
    found = (form for form in Markup(text).forms if not button or ("do", button) in form.buttons)
    return next(found).values


def test_the_first_event_is_created_at_the_desk_and_players_are_enrolled_next(tmp_path: Path) -> None:
    db = str(tmp_path / "new.db")
    access.sign_in_token(db)
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        form = form_of(pages.get("/desk/events").text, "create")
        answer = pages.post(
            "/desk/events", data={**form, "name": "Viernes", "rounds": "3", "do": "create"}, headers=ORIGIN
        )
        assert answer.headers["location"].startswith("/desk/people/enrol?")
        assert "new event: Viernes" in pages.get(answer.headers["location"]).text
        assert "Viernes" in pages.get("/").text
    (event,) = listing(db)
    assert (event.settings.rounds, event.settings.rules, event.settings.size) == (3, "oficial", 4)


def test_the_form_offers_every_setting_with_the_value_that_the_command_has(pages: TestClient) -> None:
    form = form_of(pages.get("/desk/events").text, "create")
    assert form.keys() >= SETTINGS.keys()
    usual = {name: "" if setting.default is None else str(setting.default) for name, setting in SETTINGS.items()}
    differs = {name for name in SETTINGS if form[name] != usual[name]}
    # The desk is in English here, and so is what its event prints.
    assert differs == {"seed", "date", "lang"}
    assert form["lang"] == "en"
    assert form["seed"] == form["name"]


@pytest.mark.parametrize(
    ("language", "preset", "rules", "question"),
    [
        ("en", "Swiss rounds and a final: four Swiss", "Continental, the knock game", "before the draw?"),
        ("es", "Rondas suizas y final: cuatro", "Continental, la modalidad knock", "¿comprobar quién ha venido?"),
    ],
)
def test_presets_rules_and_check_in_are_in_words_and_send_what_commands_take(
    pages: TestClient, language: str, preset: str, rules: str, question: str
) -> None:
    pages.get(f"/desk/events?lang={language}")
    shown = pages.get("/desk/events").text
    assert f'<option value="swiss-final">{preset}' in shown
    assert f'<option value="knock">{rules}</option>' in shown
    assert question in shown
    assert "swiss-final:" not in shown


def test_rules_are_chosen_from_a_list_and_variants_typed(db: str, pages: TestClient) -> None:
    form = form_of(pages.get("/desk/events").text, "create")
    assert (form["rules"], form["variants"]) == ("oficial", "")
    for name, fields in {"Knock": {"rules": "knock"}, "Varied": {"variants": "oficial+claims3"}}.items():
        send(pages, "/desk/events", **{**form, **fields, "name": name, "do": "create"})
    assert {event.settings.name: event.settings.rules for event in listing(db)} == {
        "Friday": "oficial",
        "Knock": "knock",
        "Varied": "oficial+claims3",
    }


@pytest.mark.parametrize(
    ("field", "value", "message"),
    half_slow(
        [
            ("name", "", "the name is empty"),
            ("name", "friday", "there is an event called Friday already"),
            ("rules", "nonsense", "nonsense"),
            ("rules", "/etc/passwd.toml", "a club&#39;s own rules are a file"),
            ("rounds", "x", "“x” is not a whole number"),
            ("rounds", "0", "rounds"),
            ("rounds", "99999", "rounds"),
            ("format", "nonsense", "format"),
            ("date", "yesterday", "“yesterday” is not a date"),
        ]
    ),
)
def test_an_event_that_cannot_be_is_refused_and_what_was_typed_stays(
    db: str, pages: TestClient, field: str, value: str, message: str
) -> None:
    form = form_of(pages.get("/desk/events").text, "create")
    text = refused(pages, "/desk/events", **{**form, "name": "Saturday", "minutes": "77", field: value, "do": "create"})
    assert message in text
    assert form_of(text, "create")["minutes"] == "77"
    assert len(listing(db)) == 1


def test_the_next_evening_is_like_an_earlier_one(db: str, pages: TestClient) -> None:
    apply(db, ChangeSettings("Friday", {"rounds": 3, "minutes": 50}))
    assert "from Friday" in send(pages, "/desk/events", name="Next Friday", source="Friday", do="copy")
    copied = show_event(db, "Next Friday")
    assert (copied.settings.rounds, copied.settings.minutes, len(copied.entrants)) == (3, 50, 8)


def test_the_desk_chooses_which_event_it_runs_whatever_the_server_was_started_for(db: str) -> None:
    desk.event(db, 0, "greedy:4", name="Saturday")
    with client(db, "Friday", address="127.0.0.1", signed_in=True) as pages:
        assert "Friday" in pages.get("/").text
        send(pages, "/desk/events", name="Saturday", do="use")
        assert "Saturday" in pages.get("/").text
        assert "Friday" not in pages.get("/").text
        refused(pages, "/desk/events", name="Monday", do="use")


def test_a_form_changes_the_event_for_which_it_was_filled_in(db: str, pages: TestClient) -> None:
    """Another desk may have chosen another event since."""
    form = form_of(pages.get("/desk/people/enrol").text, "look")
    desk.event(db, 0, "greedy:4", name="Saturday")
    apply(db, EnterPlayers("Saturday", ["Ana"]))
    apply(db, UseEvent("Saturday"))
    pages.post("/desk/people/enrol", data={**form, "choice0": "new:Wilma", "do": "enter"}, headers=ORIGIN)
    assert "Wilma" in {player.name for player in show_event(db, "Friday").entrants}
    assert "Wilma" not in {player.name for player in show_event(db, "Saturday").entrants}


def test_settings_are_changed_and_emptied_together(db: str, pages: TestClient) -> None:
    apply(db, ChangeSettings("Friday", {"minutes": 50, "tables": 7, "date": "2026-11-20"}))
    form = form_of(pages.get("/desk/events/settings").text, "")
    assert (form["minutes"], form["tables"]) == ("50", "7")
    text = send(pages, "/desk/events/settings", **{**form, "minutes": "", "tables": "", "rounds": "6"})
    assert "settings changed" in text
    after = show_event(db, "Friday").settings
    assert (after.minutes, after.tables, after.rounds, after.date) == (None, None, 6, "2026-11-20")


def test_a_penalty_that_is_given_up_takes_its_points_along(db: str, pages: TestClient) -> None:
    apply(db, ChangeSettings("Friday", {"unfinished": "penalty", "unfinished_points": 50}))
    form = form_of(pages.get("/desk/events/settings").text, "")
    assert form["unfinished_points"] == "50"
    send(pages, "/desk/events/settings", **{**form, "unfinished": "void"})
    after = show_event(db, "Friday").settings
    assert (after.unfinished, after.unfinished_points) == ("void", 0)


def test_settings_that_stay_as_they_are_are_no_change(db: str, pages: TestClient) -> None:
    before = len(log(db).lines)
    form = form_of(pages.get("/desk/events/settings").text, "")
    assert "nothing about Friday would change" in refused(pages, "/desk/events/settings", **form)
    assert len(log(db).lines) == before


def test_a_command_empties_one_setting_and_a_page_some(db: str) -> None:
    apply(db, ChangeSettings("Friday", {"minutes": 50, "tables": 7}))
    apply(db, ChangeSettings("Friday", {}, "minutes"))
    assert (show_event(db).settings.minutes, show_event(db).settings.tables) == (None, 7)
    with desk.refused(ExitCode.USAGE, "tables"):
        apply(db, ChangeSettings("Friday", {"tables": 8}, ["minutes", "tables"]))


def test_an_event_is_finished_after_what_it_lacks_was_shown_and_opened_again_with_a_reason(
    db: str, pages: TestClient
) -> None:
    apply(db, DrawRound("Friday"))
    text = pages.get("/desk/events/finish").text
    assert "It lacks" in text
    assert show_event(db).state == "open"
    # One click is not enough: what is missing is ticked.
    assert "Friday lacks 4 rounds" in refused(pages, "/desk/events/finish", do="finish")
    assert show_event(db).state == "open"
    assert "finished: Friday" in send(pages, "/desk/events/finish", do="finish", anyway="yes")
    refused(pages, "/desk/events/finish", do="reopen", reason=" ")
    assert "reopened: Friday" in send(pages, "/desk/events/finish", do="reopen", reason="a sheet was wrong")
    assert show_event(db).state == "open"


def test_an_event_is_deleted_after_what_goes_with_it_was_shown_and_undo_brings_it_back(
    db: str, pages: TestClient
) -> None:
    apply(db, DrawRound("Friday"))
    before = show_event(db)
    assert 'href="/desk/events/delete"' in pages.get("/desk/events").text
    assert "It had 8 players, 1 round, 0 results and 0 rulings." in pages.get("/desk/events/delete").text
    assert listing(db) == (before,)
    text = send(pages, "/desk/events/delete", event="Friday", do="delete")
    assert "deleted: Friday" in text
    assert 'href="/desk/undo"' in text
    assert listing(db) == ()
    assert pages.get("/desk/events/delete").headers["location"] == "/desk/events"
    send(pages, "/desk/undo", **form_of(pages.get("/desk/undo").text, "undo"), do="undo")
    assert show_event(db) == before


def test_an_event_that_counts_in_a_season_is_not_deleted(db: str, pages: TestClient) -> None:
    apply(db, CreateSeason("Autumn"))
    apply(db, CountEvents("Autumn", ["Friday"]))
    text = pages.get("/desk/events/delete").text
    assert "Friday counts in the season Autumn" in text
    assert 'href="/desk/events/seasons"' in text
    assert 'value="delete"' not in text
    refused(pages, "/desk/events/delete", event="Friday", do="delete")
    assert len(listing(db)) == 1


def test_a_button_that_is_not_there_does_nothing(db: str, pages: TestClient) -> None:
    before = len(log(db).lines)
    refused(pages, "/desk/events", do="drop")
    assert len(log(db).lines) == before


def test_another_event_is_looked_at_without_a_switch_and_a_switch_in_the_middle_of_a_round_asks(
    db: str, pages: TestClient
) -> None:
    desk.event(db, 0, "greedy:4", name="Saturday")
    apply(db, UseEvent("Friday"))
    apply(db, DrawRound("Friday"))
    looked = pages.get("/desk/events/look?name=Saturday").text
    assert "projector and phones stay with Friday" in looked
    assert "/desk/paper/print/certificates?event=Saturday" in looked
    assert "Saturday" in pages.get("/desk/paper/print/standings?event=Saturday").text
    form = form_of(pages.get("/desk/events").text, "use")
    asked = pages.post("/desk/events", data={**form, "name": "Saturday", "do": "use"}, headers=ORIGIN)
    assert show_event(db).settings.name == "Friday"
    assert "Friday is not finished" in pages.get(asked.headers["location"]).text
    send(pages, "/desk/events", asked.headers["location"], do="use")
    assert show_event(db).settings.name == "Saturday"


def test_an_event_from_a_preset_that_does_not_run_yet_asks_whether_it_is_to_run(db: str, pages: TestClient) -> None:
    apply(db, DrawRound("Friday"))
    text = send(pages, "/desk/events", name="Final", preset="swiss-final", do="preset")
    assert "The desk runs Friday now" in text
    assert show_event(db).settings.name == "Friday"
