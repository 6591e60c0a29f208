"""Tests of the desk's chapter on events: created, copied, chosen, changed, finished and opened again."""

import re
from datetime import date, datetime
from pathlib import Path

import pytest
from httpx import Response

from tests.harness import desk
from tests.harness.slow import half_slow
from tests.harness.web.asking import ORIGIN, TestClient, client, press
from tests.harness.web.markup import Markup
from tests.tourney.web.desk.test_people import refused, send
from tourney.domain.club import Club
from tourney.domain.errors import ExitCode
from tourney.domain.events import SETTINGS, EventSettings
from tourney.service.admin import club
from tourney.service.admin.club import SetClub
from tourney.service.admin.journal import log
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent, listing
from tourney.service.events.events import show as show_event
from tourney.service.events.settings import ChangeSettings, choices
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.seasons.seasons import CountEvents, CreateSeason
from tourney.service.web import access
from tourney.web.pages.desk.settings import OPTIONS

NEW = "/desk/events/new"
CLUB = "/desk/events/club"
KEEP = "Keep name and colour"
CREATE = "Create the event"


def form_of(text: str, button: str) -> dict[str, str]:
    """Return every field of the first form with this button, or of the first form at all, as a browser sends it."""
    found = (form for form in Markup(text).forms if not button or ("do", button) in form.buttons)
    return next(found).values


def test_the_first_event_is_created_at_the_desk_and_players_are_enrolled_next(tmp_path: Path) -> None:
    db = str(tmp_path / "new.db")
    access.sign_in_token(db)
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        answer = press(pages, NEW, CREATE, {"name": "Viernes", "rounds": "4"})
        assert answer.headers["location"].startswith("/desk/people/enrol?")
        assert "new event: Viernes" in pages.get(answer.headers["location"]).text
        assert "Viernes" in pages.get("/").text
    (event,) = listing(db)
    assert (event.settings.rounds, event.settings.rules, event.settings.size) == (4, "oficial", 4)


def test_a_newcomer_reads_of_an_event_first_and_not_of_a_backup(tmp_path: Path) -> None:
    db = str(tmp_path / "new.db")
    access.sign_in_token(db)
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        assert "backup" not in pages.get("/desk").text
        press(pages, NEW, CREATE)
        assert "There is no backup yet." in pages.get("/desk").text


def test_the_card_offers_every_setting_but_the_seed_with_the_value_that_the_command_has(pages: TestClient) -> None:
    form = form_of(pages.get(NEW).text, "")
    asked = SETTINGS.keys() - {"seed"}
    assert SETTINGS.keys() & form.keys() == asked
    usual = {name: "" if setting.default is None else str(setting.default) for name, setting in SETTINGS.items()}
    # The desk is in English here, and so is what its event prints.
    assert {name for name in asked if form[name] != usual[name]} == {"date", "lang"}
    assert form["lang"] == "en"


def test_two_evenings_have_the_names_of_their_days_as_seeds(db: str, pages: TestClient) -> None:
    for _each in range(2):
        press(pages, NEW, CREATE)
    first, second = listing(db)[1:]
    assert second.settings.name == f"{first.settings.name} (2)"
    assert {event.settings.seed for event in (first, second)} == {first.settings.name, second.settings.name}
    assert first.settings.deals == ""


@pytest.mark.parametrize(("language", "named"), [("en", "Friday 27 November"), ("es", "Viernes 27 de noviembre")])
def test_a_proposed_name_follows_the_date_and_a_typed_one_stays(
    db: str, pages: TestClient, language: str, named: str
) -> None:
    pages.get(f"{NEW}?lang={language}")
    form = form_of(pages.get(NEW).text, "")
    for name in (form["name"], "Club night"):
        pages.post(NEW, data={**form, "date": "2026-11-27", "name": name}, headers=ORIGIN)
    assert [event.settings.name for event in listing(db)] == ["Friday", named, "Club night"]


def test_the_list_of_events_comes_first_and_one_button_creates(db: str, pages: TestClient) -> None:
    apply(db, ChangeSettings("Friday", {"date": "2026-11-27"}))
    text = pages.get("/desk/events").text
    assert text.count(f'href="{NEW}"') == 1
    assert "27 November 2026 · 8 players" in text
    assert "2026-11-27" not in text
    assert not [form for form in Markup(text).forms if "name" in form.values]
    card = Markup(pages.get(NEW).text).forms[0]
    assert [name for name, _value in card.fields].count("name") == 1
    assert card.texts.keys() == {CREATE}


def test_each_rule_set_has_a_sentence_and_ours_is_first_and_chosen(pages: TestClient) -> None:
    text = pages.get(NEW).text
    official, *others = re.findall(r'name="rules" value="([^"]+)"( checked)?>.*?class="why">([^<]+)', text)
    assert official == (
        *("oficial", " checked"),
        "The official rules: 2 to 4 players at a table, 7 hands; a joker counts 50.",
    )
    assert ("knock", "", "2 to 6 players at a table, the knock game; a joker counts 20.") in others
    assert len(others) == 4


def test_a_preset_has_the_same_card_without_what_its_stages_give(db: str, pages: TestClient) -> None:
    form = form_of(pages.get(f"{NEW}?preset=season-evening").text, "")
    assert form.keys().isdisjoint({"rounds", "format", "seed"})
    assert form["table_points"] == "ifpa"
    press(pages, f"{NEW}?preset=season-evening", CREATE, {"minutes": "50", "rules": "fournier"})
    made = listing(db)[-1].settings
    assert (made.rules, made.minutes, made.scoring, made.seed) == ("fournier", 50, "table points", made.name)
    assert [stage.rounds for stage in made.stages] == [SETTINGS["rounds"].default]


@pytest.mark.parametrize(
    ("language", "preset", "rules", "question", "words"),
    [
        (
            *("en", "Swiss rounds and a final", "Continental, the knock game", "before the draw?"),
            "2 for each player beaten, adjusted to the size of the table",
        ),
        (
            *("es", "Rondas suizas y final", "Continental, la modalidad knock", "¿comprobar quién ha venido?"),
            "2 por cada jugador superado, según el tamaño de la mesa",
        ),
    ],
)
def test_presets_rules_and_settings_are_in_words_and_send_what_commands_take(
    pages: TestClient, language: str, preset: str, rules: str, question: str, words: str
) -> None:
    pages.get(f"{NEW}?lang={language}")
    shown = pages.get(NEW).text
    assert f'href="?preset=swiss-final">{preset}</a>' in shown
    assert f'value="knock"> <span dir="auto">{rules} <' in shown
    assert f'<option value="neuberg">{words}</option>' in shown
    assert question in shown
    assert "swiss-final:" not in shown


def test_every_option_of_a_setting_has_words_of_its_own() -> None:
    """A new option would have no words. Options of a few settings are words already, and a format explains itself."""
    named = {name for name in SETTINGS if choices(name)} - {"format", "lang"}
    assert {name: set(choices(name)) for name in named} == {name: set(words) for name, words in OPTIONS.items()}


def test_rules_are_chosen_from_a_list_and_variants_typed(db: str, pages: TestClient) -> None:
    form = form_of(pages.get(NEW).text, "")
    assert (form["rules"], form["variants"]) == ("oficial", "")
    for name, fields in {"Knock": {"rules": "knock"}, "Varied": {"variants": "oficial+claims3"}}.items():
        send(pages, NEW, **{**form, **fields, "name": name})
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
    form = form_of(pages.get(NEW).text, "")
    text = refused(pages, NEW, **{**form, "name": "Saturday", "minutes": "77", field: value})
    assert message in text
    assert form_of(text, "")["minutes"] == "77"
    assert len(listing(db)) == 1


def test_the_next_evening_is_like_an_earlier_one(db: str, pages: TestClient) -> None:
    apply(db, ChangeSettings("Friday", {"rounds": 4, "minutes": 50, "organiser": "Getxo", "date": "2099-01-02"}))
    assert f'href="{NEW}?like=Friday"' in pages.get("/desk/events/look?name=Friday").text
    answer = press(pages, f"{NEW}?like=Friday", CREATE, {"organiser": ""})
    assert "from Friday" in pages.get(answer.headers["location"]).text
    copied = show_event(db, "Friday 9 January")
    assert (copied.settings.rounds, copied.settings.minutes, len(copied.entrants)) == (4, 50, 8)
    assert (copied.settings.date, copied.settings.organiser) == ("2099-01-09", None)


def test_an_evening_like_one_of_long_ago_is_on_its_next_weekday_and_keeps_its_rules(
    db: str, pages: TestClient, tmp_path: Path
) -> None:
    own = tmp_path / "getxo.toml"
    own.write_text('id = "getxo"\nbase = "oficial"\ntitle = "Getxo"\n', encoding="utf-8")
    apply(db, CreateEvent(EventSettings("Ours", str(own), date="2020-01-03")))
    own.unlink()
    press(pages, f"{NEW}?like=Ours", CREATE)
    made = listing(db)[-1]
    assert made.rules == show_event(db, "Ours").rules
    today, day = datetime.now().astimezone().date(), date.fromisoformat(made.settings.date)
    assert (day.strftime("%A"), (day - today).days in range(7)) == ("Friday", True)


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
    assert "Friday lacks 2 rounds" in refused(pages, "/desk/events/finish", do="finish")
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
    answer = press(pages, f"{NEW}?preset=swiss-final", CREATE, {"name": "Final"})
    text = pages.get(answer.headers["location"]).text
    assert "The desk runs Friday now" in text
    assert show_event(db).settings.name == "Friday"


def test_an_event_without_players_begins_with_their_names(db: str, pages: TestClient) -> None:
    apply(db, CreateEvent(EventSettings("Saturday", "oficial", rounds=2)))
    apply(db, UseEvent("Friday"))
    for name, path in (("Saturday", "/desk/people/enrol"), ("Friday", "/desk")):
        form = form_of(pages.get("/desk/events").text, "use")
        answer = pages.post("/desk/events", data={**form, "name": name, "do": "use", "sure": "yes"}, headers=ORIGIN)
        assert answer.headers["location"].partition("?")[0] == path


def test_the_question_about_another_event_leads_without_its_name_to_all_events(pages: TestClient) -> None:
    answer = pages.get("/desk/events/use")
    assert (answer.status_code, answer.headers["location"]) == (303, "/desk/events")


def send_logo(pages: TestClient, content: bytes) -> Response:
    return pages.post(f"{CLUB}/logo", files={"file": ("logo.png", content)}, headers=ORIGIN)


def test_the_club_gets_its_name_colour_and_logo_at_the_desk_and_the_logo_is_taken_away(
    pages: TestClient, db: str
) -> None:
    for path in ("/desk/events", "/desk/events/settings"):
        assert f'href="{CLUB}"' in pages.get(path).text
    press(pages, CLUB, KEEP, {"name": "Club Ribadesella", "colour": "teal"})
    assert club.show(db) == Club("Club Ribadesella", "teal")
    press(pages, CLUB, KEEP, {"own": "#1F4E9E"})
    assert club.show(db) == Club("Club Ribadesella", "#1f4e9e")
    press(pages, CLUB, KEEP, {"colour": "red"})
    assert club.show(db) == Club("Club Ribadesella", "red")
    assert send_logo(pages, desk.LOGO).status_code == 303
    assert club.show(db).logo == desk.LOGO
    assert 'class="shown"><span class="logo">' in pages.get(CLUB).text
    assert "no file is chosen" in send_logo(pages, b"").text
    assert club.show(db).logo == desk.LOGO
    press(pages, CLUB, "Take the logo away")
    assert club.show(db) == Club("Club Ribadesella", "red")


@pytest.mark.parametrize(
    "content", [b"<svg onload='x()'/>", desk.LOGO[:-1], desk.LOGO + bytes(70_000)], ids=["svg", "cut", "long"]
)
def test_a_file_that_is_no_logo_is_refused_and_nothing_of_it_is_shown(
    pages: TestClient, db: str, content: bytes
) -> None:
    answer = send_logo(pages, content)
    assert answer.status_code == 400
    assert "the logo is not a whole PNG picture of this size" in answer.text
    assert "onload" not in answer.text
    assert club.show(db) == Club()


def test_a_colour_of_another_desk_is_not_overwritten_unseen(pages: TestClient, db: str) -> None:
    page = pages.get(CLUB).text
    apply(db, SetClub(colour="blue"))
    answer = press(pages, CLUB, KEEP, {"name": "Club", "colour": "red"}, shown=page)
    assert answer.status_code == 409
    assert club.show(db) == Club(colour="blue")
    assert press(pages, CLUB, KEEP, {"name": "Club"}, shown=page).status_code == 303
    assert club.show(db) == Club("Club", "blue")
