"""The file of a league: its settings, and any of its blocks, each checked, with faults and records, as lines of JSON.

A file need not have all blocks: each block is sound by itself, with the settings from which it follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from os import PathLike
from typing import Any, Final, TypeVar, get_args

from tourney import storage
from tourney.domain.errors import TourneyError
from tourney.domain.leagues import (
    MOST_BOTS,
    MOST_ENTRANT,
    MOST_FAULT_COST,
    Design,
    KeptRecords,
    League,
    LeagueFault,
    PlayedBlock,
    public_names,
)
from tourney.files.bounded_lines import BoundedLines
from tourney.league import blocks, playing
from tourney.rulebook.records import open_record
from tourney.service.chained_lines import MALFORMED, ChainedFile, ChainedLine
from tourney.text.i18n import _


def is_of(league: League, block: PlayedBlock, first_entrant: int = 0) -> bool:
    """Return whether a block has the games that the league plays under its number, and totals that follow from them.

    Of a block for bots that joined, only the games with an entrant from `first_entrant` on are there.
    """
    try:
        outcome = blocks.read_block(block.text)
        games = playing.block_games(league, block.number) if block.number < league.blocks else ()
        planned = [game for game in games if max(game.seating) >= first_entrant]
        sound = blocks.write_block(outcome) == block.text and outcome.number == block.number
        return sound and blocks.follows_from(outcome, planned) and _has_sound_extras(league, block, outcome)
    except MALFORMED:
        return False


def _has_sound_extras(league: League, block: PlayedBlock, outcome: blocks.BlockOutcome) -> bool:
    """Return whether faults and records belong to games and entrants of the block, each record to one game."""
    if not block.faults and not block.records:
        return True
    games, entrants = range(len(outcome.games)), range(len(league.bots))
    recorded = [game for game, _text in block.records]
    return (
        all(fault.game in games and fault.entrant in entrants and fault.hand >= 0 for fault in block.faults)
        and all(game in games and is_record_of(league, outcome, game, text) for game, text in block.records)
        and len(set(recorded)) == len(recorded)
    )


def is_record_of(league: League, outcome: blocks.BlockOutcome, game: int, text: str) -> bool:
    """Return whether a text is the record of that game (from 0) of a league's block."""
    try:
        page = open_record(text)
    except (*MALFORMED, TourneyError):
        return False
    played = outcome.games[game]
    names, seed = (
        [league.entrants[entrant] for entrant in played.seating],
        playing.seed_of_deal(league, outcome.number, played.deal),
    )
    read = page.rules_digest, [*page.players], page.seed, page.outcome.points
    return read == (league.rules_digest, names, seed, played.points)


FORMAT: Final = "tourney league"
VERSION: Final = 1
MOST_BYTES: Final = 1_000_000_000_000
"""The most bytes of a file: 10⁸ hands take three thousand millions, with records a hundred times as many."""
MOST_RECORDS: Final = 100_000_000
"""The most characters of the records that are held: those of 5,000 games."""
MOST_NUMBER: Final = 10**9
"""The highest number of a block, or of a hand."""
_RECORD: Final = 100
"""The characters for which a record counts besides its own."""
_TEXTS: Final = ("rules", "seed", "design", "certainty", "records", "rules_digest", "rules_text", "isolation")
_NUMBERS: Final = ("seats", "blocks", "stake", "fault_cost")

Parsed = TypeVar("Parsed")
Shown = TypeVar("Shown")


def file_lines(league: League, program: str, blocks: Iterator[PlayedBlock]) -> Iterator[str]:
    """Yield the lines of a league's file: header, settings, blocks in their order with their records, and the end."""
    line = ChainedLine.after("", {"format": FORMAT, "version": VERSION})
    yield _written(line)
    line = ChainedLine.after(line.hash, {"league": storage.league_payload(without_folders(league)), "program": program})
    yield _written(line)
    count = 0
    for block in blocks:
        count += 1
        for value in _values(block):
            line = ChainedLine.after(line.hash, value)
            yield _written(line)
    yield _written(ChainedLine.after(line.hash, {"blocks": count, "head": line.hash}))


def without_paths(value: Shown, league: League) -> Shown:
    """Return a league, its table or a part of it for everybody: no text has a folder of a bot from outside."""
    names = public_names(league.bots)
    for name in sorted(names, key=len, reverse=True):  # another one may be a part of it
        value = _replaced(value, name, names[name]) if names[name] != name else value
    for bot in league.outside:
        value = _replaced(value, f"{bot.folder}/", "") if bot.folder else value
    return value


def _replaced(value: Any, before: str, after: str) -> Any:
    """Return a value with another part of all texts in it."""
    if isinstance(value, str):
        return value.replace(before, after)
    if isinstance(value, LeagueFault):  # of an earlier version, which kept whole paths
        value = value._replace(what=playing.without_places(value.what))
    if isinstance(value, tuple):
        parts = [_replaced(each, before, after) for each in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {each.name: _replaced(getattr(value, each.name), before, after) for each in fields(value)}
        return replace(value, **changed)
    return value


def without_folders(league: League) -> League:
    """Return the league without what is of one computer only: the folders of its bots, and who drew its seed."""
    return replace(league, seed_given=False, outside=tuple([replace(bot, folder="") for bot in league.outside]))


def _written(line: ChainedLine) -> str:
    return f"{line.hash} {line.text}\n"


def _values(block: PlayedBlock) -> Iterator[dict[str, Any]]:
    """Yield a block's own value, and those of its records; block and game count from 1, as everywhere for people."""
    faults = [list(fault) for fault in block.faults]
    yield {"block": block.number + 1, "text": block.text} | ({"faults": faults} if faults else {})
    for game, text in block.records:
        yield {"game": game + 1, "record": text}


class LeagueFile:
    """A league's file, read line by line: first the settings, then the blocks.

    Raises TourneyError NOT_FOUND for a missing file, REFUSED, with the number of the line, for any other problem.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        hint = _("write it again with `tourney league export`, or finish it with `tourney league part`")
        self._lines = BoundedLines(path, hint, MOST_BYTES)
        other = _("this is not the file of a league")
        hint = _("`tourney league export` writes such files")
        version = _("the file has version {version} of league files, and this program reads version {known}")
        self._values = ChainedFile(self._lines, FORMAT, VERSION, other, hint, version).read()
        self._line, self._ended, self._before, self._head = 0, False, "", ""
        self._held = 0
        self.league, self.program = self._settings()

    def blocks(self) -> Iterator[tuple[int, PlayedBlock]]:
        """Yield the blocks with the numbers of their lines; the end of the file is checked, too."""
        found: tuple[int, PlayedBlock] | None = None
        records: list[tuple[int, str]] = []
        count = 0
        for value in self._rest():
            if "record" in value and found is not None:
                records.append(self._record(value))
                continue
            if found is not None:
                yield found
            records = []
            found, count = self._next(value, count, records)
        if not self._ended:
            raise self._cut_off()

    def _record(self, value: dict[str, Any]) -> tuple[int, str]:
        """Return a record of a block. Raises TourneyError REFUSED for more text than the records of a block have."""
        game, text = self._parsed(_record, value)
        self._held += len(text) + _RECORD
        if self._held > MOST_RECORDS:
            message = _("the records of this block have more than {most} characters").format(most=MOST_RECORDS)
            raise self.refusal(self._line, message)
        return game, text

    def _next(
        self, value: dict[str, Any], count: int, records: list[tuple[int, str]]
    ) -> tuple[tuple[int, PlayedBlock] | None, int]:
        """Return the block that a line begins, whose records follow, and how many there are; no block at the end."""
        self._held = 0
        if "head" not in value:
            return (self._line, self._parsed(_block, value)._replace(records=records)), count + 1
        if value != {"blocks": count, "head": self._before}:
            raise self.unwritten(self._line)
        self._ended = True
        return None, count

    def _settings(self) -> tuple[League, str]:
        value = next(self._rest(), None)
        if value is None:
            raise self._cut_off()
        return self._parsed(_settings, value)

    def _cut_off(self) -> TourneyError:
        return self._lines.refusal(_("the file ends after line {line}, before its end").format(line=self._line))

    def _rest(self) -> Iterator[dict[str, Any]]:
        """Yield the values of the lines; none follows the end."""
        for line, digest, _text, value in self._values:
            self._line, self._before, self._head = line, self._head, digest
            if self._ended:
                raise self.refusal(line, _("it follows the end"))
            if line > 1:
                yield value

    def _parsed(self, parse: Callable[[dict[str, Any]], Parsed], value: dict[str, Any]) -> Parsed:
        try:
            return parse(value)
        except MALFORMED:
            raise self.unwritten(self._line) from None

    def refusal(self, line: int, message: str) -> TourneyError:
        """Return the error for a line."""
        return self._lines.refusal(message, line)

    def unwritten(self, line: int) -> TourneyError:
        """Return the error for a line that is sound, and that this program does not write."""
        return self.refusal(line, _("no program writes such a line here"))


def _settings(value: dict[str, Any]) -> tuple[League, str]:
    """Return the league of a line, and the program that began it. Raises one of MALFORMED for another line."""
    if not storage.are_bots(value["league"].get("outside", ())):
        raise ValueError("not bots")
    league = storage.league_of(value["league"])
    if not isinstance(value["program"], str) or set(value) != {"league", "program"}:
        raise ValueError("not settings")
    if storage.canonical_json(storage.league_payload(league)) != storage.canonical_json(value["league"]):
        raise ValueError("other settings")
    wrong = [name for name in _TEXTS if not isinstance(getattr(league, name), str)]
    wrong += [name for name in _NUMBERS if type(getattr(league, name)) is not int]
    texts = (
        *league.bots,
        *league.book,
        *(part for bot in league.outside for part in (bot.name, bot.entrant, bot.runtime)),
    )
    if league.design not in get_args(Design) or league.records not in get_args(KeptRecords):
        raise ValueError("another design, or other records")
    if wrong or not 0 < len(league.bots) <= MOST_BOTS or not all(isinstance(text, str) for text in texts):
        raise ValueError("not of their types")
    short = (*texts, value["program"], *(getattr(league, name) for name in _TEXTS if name != "rules_text"))
    if max(map(len, short)) > MOST_ENTRANT:
        raise ValueError("too long a text")
    if not 0 <= league.fault_cost <= MOST_FAULT_COST:
        raise ValueError("no possible cost of a fault")
    return league, value["program"]


def _block(value: dict[str, Any]) -> PlayedBlock:
    """Return the block of a line. Raises one of MALFORMED for another line."""
    faults = tuple(LeagueFault(*fault) for fault in value.get("faults", ()))
    numbers = [value["block"], *(number for fault in faults for number in fault[:3])]
    texts = [value["text"], *(text for fault in faults for text in fault[3:])]
    if not set(value) <= {"block", "text", "faults"} or not all(type(number) is int for number in numbers):
        raise ValueError("not a block")
    if not all(isinstance(text, str) for text in texts) or value["block"] < 1:
        raise ValueError("not a block")
    if max(map(len, texts[1:]), default=0) > playing.MOST_TRACE or max(numbers) > MOST_NUMBER:
        raise ValueError("too long a text, or too large a number")
    return PlayedBlock(value["block"] - 1, value["text"], faults)


def _record(value: dict[str, Any]) -> tuple[int, str]:
    """Return game (from 0) and text of a record. Raises one of MALFORMED for another line."""
    if set(value) != {"game", "record"} or type(value["game"]) is not int or not isinstance(value["record"], str):
        raise ValueError("not a record")
    return value["game"] - 1, value["record"]
