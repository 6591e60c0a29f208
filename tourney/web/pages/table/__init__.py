"""The pages of a table on a phone: its sheet, its flags, and the code that opens them."""

from __future__ import annotations

from collections.abc import Callable

from tourney.web.answers import Answer
from tourney.web.page import Asked, Method, Page
from tourney.web.pages.table import code, seats, sheet
from tourney.web.pages.table.shown import closed


def _of_a_table(path: str, answer: Callable[[Asked], Answer], method: Method = "GET") -> Page:
    return Page(f"/t/{{token}}{path}", answer, "table", method, ("cards",), closed=closed)


PAGES = (
    Page("/s/{sign}", code.scan, private=True),
    Page("/code", code.ask, private=True),
    Page("/code", code.enter, method="POST"),
    _of_a_table("", sheet.show),
    _of_a_table("/who", seats.who),
    _of_a_table("/who", seats.choose, "POST"),
    _of_a_table("/leave", seats.leave, "POST"),
    _of_a_table("/hands/{number}", sheet.hand),
    _of_a_table("/hands/{number}", sheet.keep, "POST"),
    _of_a_table("/stop", sheet.stop, "POST"),
    _of_a_table("/copy", sheet.copy, "POST"),
    _of_a_table("/send", sheet.send, "POST"),
    _of_a_table("/sheets/{id}", sheet.other_sheet),
    _of_a_table("/confirm", sheet.confirm, "POST"),
    _of_a_table("/flags", sheet.raise_flag, "POST"),
)
