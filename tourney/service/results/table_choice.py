"""Which table's sheet is to be entered, by question and answer; no input, no output."""

from tourney.domain.schedule import WaitingTables
from tourney.service.partial_sheets import names_text
from tourney.service.results.dialogue import Now
from tourney.text.i18n import _


class TableChoice:
    """One of the tables that wait for a sheet; `chosen` is its number once one is.

    An empty line takes the one in brackets: the first of which half is entered, or the first of all.
    """

    def __init__(self, waiting: WaitingTables) -> None:
        self.now: Now = "asking"
        self.chosen: int | None = None
        self._waiting = waiting
        self._half = {sheet.table.number: sheet.hands for sheet in waiting.half}
        numbers = [table.number for table in waiting.tables]
        self._offered = next((number for number in numbers if number in self._half), numbers[0])

    @property
    def greeting(self) -> tuple[str, ...]:
        """The tables that wait."""
        title = _("{event}, round {round}: these tables wait for their sheet").format(
            event=self._waiting.event.settings.name, round=self._waiting.round
        )
        return (title, *(self._line(table.number) for table in self._waiting.tables))

    @property
    def asks(self) -> str:
        """The question, to be shown without a line end."""
        return _("Which table? [{table}]").format(table=self._offered) + " "

    def answer(self, text: str) -> tuple[str, ...]:
        """Take a typed line; the lines to show before the question is asked again."""
        word = text.strip().casefold()
        if word == "q":
            self.now = "left"
        elif word == "?":
            return (_("type a table's number; q leaves"), *self.greeting)
        elif (word or str(self._offered)) in {str(table.number) for table in self._waiting.tables}:
            self.chosen, self.now = int(word or self._offered), "entered"
        else:
            message = _("no table {table} waits for a sheet; these do: {tables}")
            tables = " ".join(str(table.number) for table in self._waiting.tables)
            return (message.format(table=word[:20], tables=tables),)
        return ()

    def _line(self, number: int) -> str:
        table = next(table for table in self._waiting.tables if table.number == number)
        names = ", ".join(player.shown for player in table.players)
        line = f"{number:>3}  {names}"
        if number not in self._half:
            return line
        return _("{line} (half entered: {hands})").format(line=line, hands=names_text(self._half[number]))
