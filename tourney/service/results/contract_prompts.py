"""The questions of a hand with a contract: who closed, whether in one turn, and the points of the others."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from tourney.files.sheet_toml import read_points
from tourney.rulebook import sheets
from tourney.service.results.prompt import (
    DEAD,
    HAND,
    POINTS,
    Answer,
    AskAgain,
    Prompt,
    in_words,
    numbered_players,
    or_suggested,
    possible,
    previous_closer,
    previous_points,
    read_player,
    read_points_or_cards,
    seat_read,
    similar_points,
)
from tourney.service.results.sheet_draft import SheetDraft, without
from tourney.text.i18n import _, marked
from tourney.text.typed_words import read_yes_or_no

_CLOSER_HELP: Final = (
    marked(
        "type the seat, which is the number before a name, or the beginning of the name; - if nobody closed the hand"
    ),
    marked("or type all points in seat order: 0 35 17 20; if nobody closed, after a dash and a blank: - 40 35 17 20"),
    marked("end: the game was stopped before this hand; b: back; q: leave, all hands are kept"),
)
_ROW = re.compile(r"(?P<dead>[-−–] +)?(?P<points>[-−–+]?\d+(?: [-−–+]?\d+)+)", re.ASCII)
"""All points of a hand in one line, after a dash and a blank if nobody closed it."""
_ALMOST_ROW = re.compile(r".*[\d.,][ ,;/]{1,3}[-−–+]?[\d.,]{1,12}", re.ASCII)
"""Several numbers in one line, after a name or with decimals: not a name, and not yet all points."""

_SEPARATED = re.compile(r"(?P<dead>[-−–] +)?[-−–+]?\d+(?: ?[,;/] ?[-−–+]?\d+){2,}", re.ASCII)
"""All points of a hand with other signs than blanks between them."""


def _with_blanks(typed: str) -> str:
    """Return a line of points with blanks between them, whatever was typed there; any other line as it is."""
    return re.sub(" ?[,;/] ?", " ", typed) if _SEPARATED.fullmatch(typed) else typed


# --- who closed --------------------------------------------------------------------------------------------------


def _read_closer(draft: SheetDraft, seat: int, typed: str) -> Answer:
    """Read a player, a dash for nobody, or all points; if the closer can have only one score, write it too."""
    typed = _with_blanks(or_suggested(draft, typed))
    if typed in DEAD:
        return Answer(replace(draft.blank(), dead=True))
    if not typed:
        raise AskAgain(*map(_, _CLOSER_HELP))
    row = _ROW.fullmatch(typed)
    if row:
        _refuse_next_row(draft, typed)
        return _read_row(draft, typed, row["dead"] is not None, row["points"].split())
    if _ALMOST_ROW.fullmatch(typed):
        text = _("type only the points, as whole numbers in seat order, or only who closed: {players}")
        raise AskAgain(text.format(players=numbered_players(draft.seats)))
    closer, scores = read_player(draft, typed), _closer_scores(draft)
    points = {closer: scores[0]} if len(scores) == 1 else {}
    return Answer(replace(draft.blank(), closer=closer, points=points), seat_read(draft.seats, typed, closer))


def _read_row(draft: SheetDraft, typed: str, dead: bool, words: Sequence[str]) -> Answer:
    """Read everybody's points in seat order; the closer is the only player with a closer's score."""
    points = {seat: number for seat, word in enumerate(words) if (number := read_points(word)) is not None}
    if len(points) != len(words) or len(points) != len(draft.seats.players):
        text = _("type {number} numbers, one for each of: {players}")
        raise AskAgain(text.format(number=len(draft.seats.players), players=numbered_players(draft.seats)))
    closers = [] if dead else [seat for seat, number in points.items() if number in _closer_scores(draft)]
    if len(closers) != 1 and not dead:
        raise AskAgain(_unclear(draft, len(closers)))
    hand = replace(draft.blank(), closer=closers[0] if closers else None, dead=dead, points=points)
    answer = possible(draft, hand)
    _doubt_row(draft, typed, points.values())
    return answer


def _unclear(draft: SheetDraft, closers: int) -> str:
    """Return why a line of points with this number of closers does not say who closed."""
    scores = in_words(_closer_scores(draft))
    if not closers:
        return _("nobody has {scores}; if nobody closed, type a dash and a blank before the points").format(
            scores=scores
        )
    text = _(
        "{number} players have {scores}, so it is not clear who closed; a dash before the points means that nobody did"
    )
    return text.format(number=closers, scores=scores)


def _doubt_row(draft: SheetDraft, typed: str, points: Iterable[int]) -> None:
    """Raise AskAgain for unusual points, unless the row was questioned before."""
    most = sheets.most_expected(draft.event.rules, len(draft.seats.players), draft.hand_number)
    unusual = [number for number in points if number > most]
    if unusual and typed != draft.suggested:
        draft.suggested = typed
        text = _("{points} points are unusual in {hand}: are they right? Enter keeps them")
        question = _are_unusual(draft, max(unusual), _("are they right?"))
        raise AskAgain(text.format(points=max(unusual), hand=draft.hand_name), brief=question)


def _refuse_next_row(draft: SheetDraft, typed: str) -> None:
    """Raise AskAgain for a line that changes more of the one in doubt than its unusual points: the next hand's."""
    doubted, row = (_ROW.fullmatch(each) for each in (draft.suggested, typed))
    if doubted is None or row is None or typed == draft.suggested:
        return
    before, after = doubted["points"].split(), row["points"].split()
    most = sheets.most_expected(draft.event.rules, len(draft.seats.players), draft.hand_number)
    usual = [place for place, word in enumerate(before) if (read_points(word) or 0) <= most]
    if len(before) == len(after) and all(before[place] == after[place] for place in usual):
        return
    text = _("“{typed}” was not read: first say whether {row} is right in {hand}; Enter keeps it, b goes back")
    raise AskAgain(text.format(typed=typed, hand=draft.hand_name, row=draft.suggested))


def _are_unusual(draft: SheetDraft, points: int, question: str) -> str:
    text = _("{points} points are unusual in {hand}: {question}")
    return text.format(points=points, hand=draft.hand_name, question=question)


_CLOSER = Prompt(
    field="closer",
    text=lambda draft, seat: _("{hand}: who closed?").format(hand=draft.hand_name),
    answered=lambda draft, seat: draft.current.closer is not None or draft.current.dead,
    default=previous_closer,
    read=_read_closer,
    help=_CLOSER_HELP,
)

# --- whether in one turn -----------------------------------------------------------------------------------------


def _closer_scores(draft: SheetDraft) -> tuple[int, ...]:
    """Return the points that the closer of the hand may have, those after an earlier lay-down first."""
    return sheets.closings(draft.event.rules, draft.hand_name)


def _is_yes_or_no(draft: SheetDraft) -> bool:
    """Return whether there are two scores, one for closing in one turn and one for any other closing."""
    return sheets.turn_score(draft.event.rules, draft.hand_name) is not None


def _closer_to_score(draft: SheetDraft) -> Sequence[int]:
    """Return the closer's seat if several scores are possible; otherwise no seat."""
    closer = draft.current.closer
    return () if closer is None or len(_closer_scores(draft)) == 1 else (closer,)


def _closing_text(draft: SheetDraft, seat: int) -> str:
    scores, player = _closer_scores(draft), draft.seats.names[seat]
    if _is_yes_or_no(draft):
        text = _("{hand}: did {player} lay down and close in one turn, for {points}? (y/n)")
        return text.format(hand=draft.hand_name, player=player, points=scores[1])
    text = _("{hand}: {player} closed, for {scores}?")
    return text.format(hand=draft.hand_name, player=player, scores=in_words(scores))


def _previous_closing(draft: SheetDraft, seat: int) -> str:
    """Return a line of points that was questioned, or else the previous answer."""
    if draft.suggested:
        return draft.suggested
    scores = _closer_scores(draft)
    before = scores[0] if draft.previous is None else draft.previous.points.get(seat, scores[0])
    points = before if before in scores else scores[0]
    if not _is_yes_or_no(draft):
        return str(points)
    return _("n") if points == scores[0] else _("y")


def _read_closing(draft: SheetDraft, seat: int, typed: str) -> Answer:
    scores, yes_or_no, typed = _closer_scores(draft), _is_yes_or_no(draft), _with_blanks(typed)
    if _ROW.fullmatch(typed):
        return _read_row_of(draft, seat, typed)
    points, yes = read_points(typed), read_yes_or_no(typed)
    if yes_or_no and yes is not None:
        points = scores[yes]
    if points not in scores:
        raise AskAgain(_("type y or n") if yes_or_no else _("type {scores}").format(scores=in_words(scores)))
    return Answer(replace(draft.current, points={seat: points}))


def _read_row_of(draft: SheetDraft, closer: int, typed: str) -> Answer:
    """Read everybody's points where only the closer's are asked for; the line has to say the same closer."""
    answer = _read_closer(draft, HAND, typed)
    if answer.hand.closer != closer:
        text = _("in this line {player} did not close; b goes back to who closed")
        raise AskAgain(text.format(player=draft.seats.names[closer]))
    return answer


_CLOSED_AT_ONCE = Prompt(
    field="at_once",
    seats=_closer_to_score,
    text=_closing_text,
    answered=lambda draft, seat: seat not in draft.missing,
    default=_previous_closing,
    read=_read_closing,
    clear=lambda draft, seat: without(draft.current, seat),
    help=(marked("y if the closer had not laid down before that turn; an empty line is n"),),
)

# --- points or cards ---------------------------------------------------------------------------------------------


def _doubted_or_previous(draft: SheetDraft, seat: int) -> str:
    """Return the doubted points, or else the previous ones, without those of a previous closer (0 or a bonus)."""
    if draft.doubted is not None:
        return str(draft.doubted)
    default = previous_points(draft, seat)
    points = read_points(default)
    return default if points is None or points > 0 else ""


def _read_usual_points(draft: SheetDraft, seat: int, typed: str) -> Answer:
    """Read points or cards, and question unusual points once."""
    answer = read_points_or_cards(draft, seat, typed)
    points = answer.hand.points.get(seat, 0)
    before = None if draft.previous is None else draft.previous.points.get(seat)
    most = sheets.most_expected(draft.event.rules, len(draft.seats.players), draft.hand_number)
    if points in (draft.doubted, before):
        return answer
    if points <= most:
        _ask_about_another(draft, answer, seat)
        return answer
    draft.doubted = points
    readings = similar_points(draft, answer.hand, seat)
    question = _("did you mean {readings}?").format(readings=in_words(readings)) if readings else _("are they right?")
    text = _("{points} points are unusual in {hand}: {question} Enter keeps {points}").format(
        points=points, hand=draft.hand_name, question=question
    )
    raise AskAgain(text, brief=_are_unusual(draft, points, question), readings=readings)


def _ask_about_another(draft: SheetDraft, answer: Answer, seat: int) -> None:
    """Raise AskAgain for points that hardly correct those in doubt, and are rather the next player's."""
    doubted, points = draft.doubted, answer.hand.points.get(seat)
    if doubted is None or points is None:
        return
    hand = replace(answer.hand, points={**answer.hand.points, seat: doubted})
    if points not in similar_points(draft, hand, seat):
        draft.doubted = points
        text = _("has {player} {points} points, and not {doubted}? Enter takes {points}")
        raise AskAgain(text.format(player=draft.seats.names[seat], points=points, doubted=doubted))


_CONTRACT_POINTS = replace(
    POINTS,
    seats=lambda draft: [seat for seat in range(len(draft.seats.players)) if seat != draft.current.closer],
    default=_doubted_or_previous,
    read=_read_usual_points,
)

PROMPTS: Final = (_CLOSER, _CLOSED_AT_ONCE, _CONTRACT_POINTS)
"""The prompts in the order in which they are asked."""
