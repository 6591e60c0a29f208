"""An evening in Chromium: people at a desk, phones at the tables and a projector, who use the pages as they stand.

With SCREENS in the environment, pictures of the pages at each step are kept in the folder that it names.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.harness.web.process import Program
from tests.harness.web.watched import PHONE, TABLET, WALL, visitor
from tourney.domain.results import SheetHand


@dataclass
class Screens:
    """Pictures of pages, numbered in the order in which they were taken."""

    folder: str | None = field(default_factory=lambda: os.environ.get("SCREENS"))
    taken: int = 0

    def keep(self, page: Page, name: str) -> None:
        """Keep a picture of the whole page, if there is a folder for them."""
        if self.folder:
            self.taken += 1
            page.screenshot(path=Path(self.folder, f"{self.taken:02}-{name}.png"), full_page=True)


@dataclass
class Club:
    """The people of an evening: each has a browser of their own, and none asks another host."""

    browser: Browser
    server: Program
    screens: Screens = field(default_factory=Screens)
    phones: dict[str, "Phone"] = field(default_factory=dict)
    _open: ExitStack = field(default_factory=ExitStack)

    def visitor(self, size: tuple[int, int]) -> BrowserContext:
        """Open the browser of somebody new."""
        hosts = {urlsplit(address).netloc for address in (*self.server.addresses, self.server.here)}
        return self._open.enter_context(visitor(self.browser, hosts, size))

    def desk(self, name: str) -> "Desk":
        """Sign a desk in by the address that the command has shown, and say who works there."""
        page = self.visitor(TABLET).new_page()
        page.goto(self.server.sign_in)
        page.locator("main button").click()
        page.wait_for_url("**/desk")
        desk = Desk(page, self.server, self.screens)
        desk.open("/desk")
        page.locator("#name").fill(name)
        desk.press("Keep this name")
        return desk

    def projector(self) -> Page:
        """Open the projector's page."""
        page = self.visitor(WALL).new_page()
        page.goto(f"{self.server.here}/screen")
        return page

    def phone(self, name: str) -> "Phone":
        """Return the phone of a player, which is theirs for the evening."""
        if name not in self.phones:
            self.phones[name] = Phone(name, self.visitor(PHONE), self.screens)
        return self.phones[name]

    def at_table(self, names: Sequence[str]) -> list["Phone"]:
        """Return the phones of two players of a table, of those who have one if possible."""
        first = sorted(names, key=lambda name: name not in self.phones)
        return [self.phone(name) for name in first[:2]]


@contextmanager
def club(browser: Browser, server: Program) -> Iterator[Club]:
    """Gather the people of an evening, and assert in the end that no page of theirs did what none may do."""
    people = Club(browser, server)
    with people._open:
        yield people


@dataclass
class Desk:
    """A desk in a browser."""

    page: Page
    server: Program
    screens: Screens

    def open(self, path: str) -> None:
        """Open a page of the desk."""
        home = self.page.wait_for_function("globalThis.deskPath").json_value()
        self.page.goto(urljoin(self.page.url, home + path.removeprefix("/desk")))

    def press(self, name: str | re.Pattern[str], *, within: Locator | None = None) -> None:
        """Press the first button with this text, and wait for the page that follows."""
        with self.page.expect_navigation():
            (within or self.page).get_by_role("button", name=name).first.click()

    def done(self, text: str | re.Pattern[str]) -> None:
        """Wait until the desk says that something was done."""
        expect(self.page.locator(".message")).to_contain_text(text)
        expect(self.page.locator(".message.refused")).to_have_count(0)

    def create(self, event: str, **settings: str) -> None:
        """Create an event with these settings, whose players check in."""
        self.open("/desk/events/new")
        self.page.locator("#new-name").fill(event)
        self.page.get_by_text("More settings").click()
        for name, value in settings.items():
            self.page.locator(f"input[name={name}]").fill(value)
        self.page.locator("select[name=checkin]").select_option("required")
        self.press("Create the event")
        self.done(event)

    def enrol(self, names: Sequence[str], **meant: str) -> None:
        """Enrol players by pasting their names; `meant` says for a name whom it means."""
        self.open("/desk/people/enrol")
        self.page.locator("#names").fill("\n".join([*names, *meant]))
        self.press("Check the names")
        for name, player in meant.items():
            self.page.get_by_role("group", name=name, exact=True).get_by_label(re.compile(player)).first.check()
        self.screens.keep(self.page, "enrol")
        self.press("Enter these players")
        self.done("")

    def check_in(self, *names: str) -> None:
        """Tap the buttons of players who have come."""
        self.open("/desk/people?show=missing")
        for name in names:
            self.page.get_by_role("button", name=f"Check in: {name}").first.click()
            expect(self.page.get_by_role("button", name=f"Check in: {name}")).to_have_count(0)

    def all_here(self) -> None:
        """Check in everybody else at once."""
        self.open("/desk/people")
        self.page.get_by_text("All at once").click()
        self.press("Everybody who has not left is here")
        self.done("")

    def draw(self, number: int) -> None:
        """Draw a round, which is a draft then."""
        self.open("/desk/rounds")
        self.press(f"Draw round {number}")
        expect(self.page.get_by_text("This is a draft")).to_be_visible()
        self.screens.keep(self.page, f"draft-{number}")

    def publish(self) -> None:
        """Look at the quality of the draft, and publish it."""
        self.page.get_by_role("link", name="How good this seating is").click()
        self.page.get_by_role("link", name="Rounds").last.click()
        self.press("Publish the round")
        self.done("is published")

    def addresses(self) -> dict[int, str]:
        """Show the addresses of the tables of the newest round, as their QR codes have them."""
        self.open("/desk/paper/phones")
        self.press("Show the addresses and codes")
        rows = self.page.get_by_role("table", name="Signs for the tables").locator("tbody tr")
        expect(rows.first).to_be_visible()
        self.screens.keep(self.page, "addresses")
        cells = [row.locator("th, td").all_inner_texts() for row in rows.all()]
        return {int(texts[0]): texts[-1].strip() for texts in cells}

    def enter(self, number: int, table: int, names: Sequence[str], hands: Sequence[SheetHand[str]]) -> None:
        """Type the sheet of a table from paper, and enter it."""
        self.open(f"/desk/results/{number}/{table}/enter")
        for fieldset, hand in zip(self.page.locator("form.sheet-form fieldset").all(), hands, strict=True):
            for name in names:
                fieldset.get_by_label(name, exact=True).fill(str(hand.points[name]))
        self.screens.keep(self.page, "typed")
        self.press("Enter")
        self.done("")

    def take(self, number: int, table: int, player: str) -> None:
        """Take the sheet of one player where two do not agree."""
        self.open(f"/desk/results/{number}/{table}")
        self.screens.keep(self.page, "disagreement")
        section = self.page.locator("section.sheet-action").filter(
            has=self.page.get_by_role("heading", name=re.compile(rf"^{player} "))
        )
        section.locator('form[action$="/take"] button').click()
        self.done("")

    def dissolve(self, table: int) -> None:
        """Dissolve a table, after a look at what becomes of its players."""
        self.open("/desk/rounds")
        self.page.get_by_text("Change this round").click()
        self.page.locator("#table").select_option(str(table))
        self.press("Dissolve this table")
        self.screens.keep(self.page, "dissolve")
        self.page.locator("input[name=reason]").fill("a player is missing")
        self.press("Dissolve the table")
        self.done("dissolved")

    def undo_and_put_back(self) -> None:
        """Undo the last change after a look at what that does, and think better of it."""
        self.open("/desk/undo")
        self.screens.keep(self.page, "undo")
        self.page.locator("button[value=undo]").click()
        self.done("undone")
        self.open("/desk/undo")
        self.page.locator("button[value=redo]").click()
        self.done("put back")

    def answer_flag(self, text: str, answer: str) -> None:
        """Answer what a table has asked."""
        self.open("/desk/rulings")
        asked = self.page.locator("form").filter(has=self.page.get_by_role("button", name="Answer")).first
        expect(self.page.get_by_text(text).first).to_be_visible()
        asked.locator("input:not([type=hidden]), textarea").first.fill(answer)
        self.press("Answer", within=asked)
        self.done("")

    def finish(self) -> None:
        """Finish the event."""
        self.open("/desk/events/finish")
        self.screens.keep(self.page, "finish")
        self.press("Finish the event")
        self.done("finished")


@dataclass
class Phone:
    """A player's phone, with the sheet of their table."""

    name: str
    context: BrowserContext
    screens: Screens
    page: Page = field(init=False)

    def __post_init__(self) -> None:
        self.page = self.context.new_page()

    @property
    def heading(self) -> Locator:
        """The heading of what the phone asks for."""
        return self.page.locator("#hand h2, #hand-name").first

    def scan(self, address: str) -> None:
        """Open the address of the table's sign; a phone that does not know yet whose it is asks."""
        self.page.goto(address)
        button = self.page.locator("form.who").get_by_role("button", name=self.name, exact=True)
        if button.count():
            button.click()
        expect(self.page.locator(".me")).to_contain_text(self.name)

    def keep(self, number: int, names: Sequence[str], hand: SheetHand[str], **typed: str) -> None:
        """Type a hand, from 1, and keep it on the phone; whoever has 0 points has closed it, after a lay-down.

        `typed` are fields that are typed otherwise.
        """
        form = self.page.locator(f"form[data-hand='{number - 1}']")
        closer = next(seat for seat, name in enumerate(names, 1) if hand.points[name] == 0)
        form.locator("input[name=at_once][value='0']").check()
        for seat, name in enumerate(names, 1):
            if seat != closer:
                points = typed.get(f"points-{seat}", str(hand.points[name]))
                form.locator(f"input[name=points-{seat}]").fill(points)
        form.locator(f".closers button[value='{closer}']").click()

    def type_hand(self, number: int, names: Sequence[str], hand: SheetHand[str]) -> None:
        """Type a hand, and wait until the server has it."""
        self.keep(number, names, hand)
        self.expect_hand(number + 1)

    def expect_hand(self, number: int) -> None:
        """Wait until the phone asks for this hand, or to look at the whole sheet after the last one."""
        text = f"Hand {number} of 7" if number <= 7 else "Is everything right?"
        expect(self.heading).to_contain_text(text)

    def type_sheet(self, names: Sequence[str], hands: Sequence[SheetHand[str]], start: int = 1) -> None:
        """Type the hands of a sheet from this one on."""
        for number, hand in enumerate(hands[start - 1 :], start):
            self.type_hand(number, names, hand)

    def mistype(self, number: int, names: Sequence[str], hand: SheetHand[str], wrong: str, meant: int) -> None:
        """Type a hand with a number that cannot be, and take the one that the phone proposes."""
        loser = next(seat for seat, name in enumerate(names, 1) if hand.points[name] == meant)
        self.keep(number, names, hand, **{f"points-{loser}": wrong})
        fault = self.page.locator(".line").filter(has=self.page.locator(f"input[name=points-{loser}]"))
        expect(fault.locator(".fault")).to_be_visible()
        self.screens.keep(self.page, "did-you-mean")
        fault.get_by_role("button", name=str(meant), exact=True).click()
        self.expect_hand(number + 1)

    def send(self) -> None:
        """Send the whole sheet."""
        self.page.get_by_role("button", name="Send the sheet").click()
        expect(self.heading).to_contain_text(re.compile("Sent|do not agree"))

    def confirm(self, address: str) -> None:
        """Scan the table's sign, and confirm the sheet that another player has sent."""
        self.scan(address)
        self.page.get_by_role("button", name="It is right: confirm it").click()
        self.expect_result()

    def expect_result(self) -> None:
        """Wait until the phone shows the table's result."""
        expect(self.heading).to_contain_text("The result of this table")

    def call_desk(self, text: str) -> None:
        """Say that something is wrong."""
        self.page.locator("summary").filter(has_text="Call the director").click()
        self.page.get_by_label("What is it?").fill(text)
        self.page.get_by_role("button", name="Call the director").click()
        expect(self.page.locator("ul.flags")).to_contain_text(text)

    def sleep(self) -> None:
        """Lock the phone: its page is frozen, and its stream is silent."""
        self._state("frozen")

    def wake(self) -> None:
        """Unlock the phone."""
        self._state("active")

    def _state(self, state: str) -> None:
        session = self.context.new_cdp_session(self.page)
        session.send("Page.setWebLifecycleState", {"state": state})
        session.detach()
