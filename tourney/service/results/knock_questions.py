"""The questions of a hand of the knock game: how it ended, who ended it, what everybody was left with, who buys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tourney import rulebook
from tourney.domain.events import Event
from tourney.domain.results import SheetHand
from tourney.files.sheet_toml import ENDINGS, VOID
from tourney.service.results.hand_sequence import KnockCourse
from tourney.service.results.questions import DEAD, HandQuestions, Kind, Lines, Question, Way, help_points, yes_or_no
from tourney.service.results.sheet_draft import OpenSheet, without
from tourney.service.results.sheets import Seats
from tourney.text.i18n import _, either, ngettext
from tourney.text.names import fold


class KnockQuestions(HandQuestions):
    """The closer's own points first, then the others in seat order; buys in turn order from the dealer's left."""

    def __init__(self, event: Event, seats: Seats, sheet: OpenSheet) -> None:
        super().__init__(event, seats, sheet)
        self._course = KnockCourse(event, seats.names)

    @property
    def ways(self) -> Mapping[Kind, Way]:
        """How each kind of question is put."""
        return {
            "ending": Way(self._ask_ending, self._offered_ending, self._take_ending, _help_ending),
            "closer": Way(self._ask_closer, self._offered_closer, self._take_closer, _help_closer),
            "jokers": Way(self._ask_jokers, self._offered_jokers, self._take_jokers, _help_jokers),
            "points": Way(self.ask_points, self._offered_points, self._take_points, help_points),
            "buy": Way(self._ask_buy, self._offered_buy, self._take_buy, _help_buy),
        }

    def answered(self) -> list[Question]:
        """The questions that have an answer, in their order."""
        hand = self.sheet.begun
        given = [Question("ending")] if hand.ending or hand.dead else []
        if hand.closer is not None:
            given.append(Question("closer"))
        if rulebook.rummy_jokers(hand.ending) is not None:
            given.append(Question("jokers"))
        given += [Question("points", seat) for seat in self._seats_asked() if seat not in self.sheet.waiting]
        return given + [Question("buy", seat) for seat in self._from_left({*hand.buys, *hand.declined})]

    def next(self) -> Question:
        """The first question that has no answer."""
        hand = self.sheet.begun
        if not hand.ending and not hand.dead:
            return Question("ending")
        if hand.closer is None and not hand.dead:
            return Question("closer")
        if hand.ending == "rummy":
            return Question("jokers")
        missing = [seat for seat in self._seats_asked() if seat in self.sheet.waiting]
        return Question("points", missing[0]) if missing else Question("buy", self._offer().seat)

    def rest(self, question: Question) -> SheetHand:
        """The hand without the answer to its last answered question."""
        hand = self.sheet.begun
        match question.kind:
            case "points":
                return without(hand, question.seat)
            case "buy":
                buys, declined = ([s for s in seats if s != question.seat] for seats in (hand.buys, hand.declined))
                return replace(hand, buys=tuple(buys), declined=tuple(declined))
            case "jokers":
                return replace(hand, ending="rummy")
            case "closer":
                return replace(hand, closer=None)
        return self.sheet.blank()

    def write(self, hand: SheetHand) -> Lines:
        """Put down what is known of the hand in question; the totals, and what that does to the hands behind it."""
        lines = super().write(hand)
        if not lines:
            return ()
        if self.sheet.left_out:
            number = self.sheet.left_out
            left_out = ngettext("{number} hand behind it is left out", "{number} hands behind it are left out", number)
            return (*lines, left_out.format(number=number))
        if self.sheet.offered is not None:
            fault = self._course.fault(self.sheet.hands, self.sheet.offered) or _("something is missing there now")
            return (*lines, _("{hand} must be asked again: {fault}").format(hand=self.sheet.name, fault=fault))
        return lines

    def totals(self) -> Lines:
        """Everybody's points, who is out, the pot; and who has it once the game is over."""
        if not self.sheet.hands:
            return ()
        now = self._course.standing(self.sheet.hands)
        said = ", ".join(
            (_("{name} {points}") if seat in now.active else _("{name} {points} (out)")).format(
                name=name, points=points
            )
            for seat, (name, points) in enumerate(zip(self.seats.names, now.totals, strict=True))
        )
        hand = self._course.name(len(self.sheet.hands) - 1)
        if not now.winners:
            return (_("after {hand}: {totals}; the pot: {pot}").format(hand=hand, totals=said, pot=now.pot),)
        winners = _(" and ").join(self.seats.names[seat] for seat in now.winners)
        over = _("the game is over, the pot goes to {winners}: {why}").format(winners=winners, why=now.why[0])
        return (_("after {hand}: {totals}").format(hand=hand, totals=said), over)

    def stopped(self) -> str:
        """Who has the pot of a game that is stopped."""
        hand = self._course.name(len(self.sheet.hands) - 1)
        return _("the game is stopped after {hand}: the lowest score has the pot").format(hand=hand)

    def faulty(self, hand: SheetHand) -> str:
        """Why the hand, as far as it is written, cannot be; empty if it can."""
        return self._course.fault(self.sheet.hands, hand)

    def meant(self, hand: SheetHand, seat: int) -> Sequence[int]:
        """Points that may have been meant at that seat instead."""
        before = self.sheet.hands
        waiting = self._course.waiting(before, hand)
        return rulebook.knock_meant(self.event.rules, self.seats.names, before, hand, seat, waiting)

    def _seats_asked(self) -> list[int]:
        """Whose points are asked for, in the order of asking: the one who knocked first."""
        hand = self.sheet.begun
        there = self._course.waiting(self.sheet.hands, replace(hand, points={}, left={}))
        return sorted(there, key=lambda seat: (seat != hand.closer, seat))

    def _from_left(self, seats: set[int]) -> list[int]:
        """In turn order from the dealer's left, as buys are offered."""
        dealer, players = self._after().dealer, len(self.seats.players)
        return sorted(seats, key=lambda seat: (seat - dealer - 1) % players)

    def _after(self) -> rulebook.KnockStanding:
        """The game as it would be with the hand in question, if that has all its points."""
        hands = self.sheet.hands
        whole = not self.sheet.waiting and (self.sheet.begun.dead or self.sheet.begun.closer is not None)
        return self._course.standing([*hands, self.sheet.begun] if whole else hands)

    def _offer(self) -> rulebook.BuyOffer:
        offer = self._course.offer(self.sheet.hands, self.sheet.begun)
        assert offer is not None, "a hand that lacks nothing is not in question"
        return offer

    # --- how it ended ---------------------------------------------------------------------------------------

    def _ask_ending(self, question: Question) -> str:
        return _("{hand}: how did it end?").format(hand=self.sheet.name)

    def _offered_ending(self, question: Question) -> str:
        offered = self.sheet.offered
        if offered is None:
            return ""
        return "-" if offered.dead else offered.ending.partition(" ")[0]

    def _take_ending(self, question: Question, typed: str) -> Lines:
        """The ending alone, or with who ended the hand behind it."""
        if typed in DEAD or fold(typed) == VOID:
            return self.write(replace(self.sheet.blank(), dead=True))
        word, _blank, name = typed.partition(" ")
        found = [ending for ending in ENDINGS if ending.startswith(fold(word))] if word else []
        if len(found) == 1:
            hand = replace(self.sheet.blank(), ending=found[0])
            return self._ended_by(hand, name) if name else self.write(hand)
        if not found:
            return _help_ending()
        several = either(found)
        return (_("“{text}” may be {several}; type more of the word").format(text=typed[:40], several=several),)

    # --- who ended it ---------------------------------------------------------------------------------------

    def _ask_closer(self, question: Question) -> str:
        ending = self.sheet.begun.ending
        asked = _("{hand}: who knocked?") if ending == "knock" else _("{hand}: whose {ending}?")
        return asked.format(hand=self.sheet.name, ending=ending)

    def _offered_closer(self, question: Question) -> str:
        offered = self.sheet.offered
        return "" if offered is None or offered.closer is None else self.seats.names[offered.closer]

    def _take_closer(self, question: Question, typed: str) -> Lines:
        return self._ended_by(self.sheet.begun, typed) if typed else _help_closer()

    def _ended_by(self, hand: SheetHand, typed: str) -> Lines:
        found = self.who(typed)
        if isinstance(found, str):
            return (found,)
        ended = replace(hand, closer=found)
        fault = self.faulty(ended)
        return (fault,) if fault else (*self.taken(typed, found), *self.write(ended))

    # --- the jokers of a rummy ------------------------------------------------------------------------------

    def _ask_jokers(self, question: Question) -> str:
        return _("{hand}: how many jokers among the ten cards?").format(hand=self.sheet.name)

    def _offered_jokers(self, question: Question) -> str:
        before = None if self.sheet.offered is None else rulebook.rummy_jokers(self.sheet.offered.ending)
        return str(before or 0)

    def _take_jokers(self, question: Question, typed: str) -> Lines:
        if not typed.isdecimal() or len(typed) > 2:
            return (_("“{text}” is no number of jokers").format(text=typed[:40]),)
        hand = replace(self.sheet.begun, ending=rulebook.rummy(int(typed)))
        fault = self.faulty(hand)
        return (fault,) if fault else self.write(hand)

    # --- points or cards ------------------------------------------------------------------------------------

    def ask_points(self, question: Question) -> str:
        """A player's points; those of the one who knocked are his own count, in which aces are 1 (001/1.2)."""
        hand = self.sheet.begun
        if hand.ending == "knock" and question.seat == hand.closer:
            player = self.seats.names[question.seat]
            return _("{hand}: {player} knocked with how many points?").format(hand=self.sheet.name, player=player)
        return super().ask_points(question)

    def _offered_points(self, question: Question) -> str:
        """What stood there before, unless it counted otherwise: as the points of who ended the hand."""
        offered, now = self.sheet.offered, self.sheet.begun
        if offered is None:
            return ""
        before, after = (question.seat == hand.closer and hand.ending for hand in (offered, now))
        return super().offered_points(question) if before == after else ""

    def _take_points(self, question: Question, typed: str) -> Lines:
        hand = self.points_typed(typed, question.seat)
        return (hand,) if isinstance(hand, str) else self.write(hand)

    # --- buys -----------------------------------------------------------------------------------------------

    def _ask_buy(self, question: Question) -> str:
        offer = self._offer()
        asked = _("{hand}: does {player} pay {price} to come from {score} down to {to}? (y/n)")
        player = self.seats.names[offer.seat]
        return asked.format(hand=self.sheet.name, player=player, price=offer.price, score=offer.score, to=offer.to)

    def _offered_buy(self, question: Question) -> str:
        offered = self.sheet.offered
        return _("y") if offered is not None and question.seat in offered.buys else _("n")

    def _take_buy(self, question: Question, typed: str) -> Lines:
        hand, seat = self.sheet.begun, question.seat
        match yes_or_no(fold(typed)):
            case "yes":
                return self.write(replace(hand, buys=(*hand.buys, seat)))
            case "no":
                return self.write(replace(hand, declined=(*hand.declined, seat)))
        return (_("type y or n"),)


def _help_ending() -> Lines:
    return (
        _("type knock, rummy, color or continental, or how it begins; - if nobody ended the hand"),
        _("who ended it may stand behind: knock Ana"),
        _("end: the game was stopped before this hand; b: back; q: leave, all hands are kept"),
    )


def _help_closer() -> Lines:
    return (_("type the number in front of a name, a seat, or how the name begins"),)


def _help_jokers() -> Lines:
    return (_("with three jokers or more everybody pays a knock's bonus for each of them besides"),)


def _help_buy() -> Lines:
    return (_("y if the player bought points off after this hand; an empty line is n"),)
