"""Rule sets: resolved from a name or a club's own file, and loaded again from the reference that an event stores."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rules import Family, RulesRef
from tourney.rulebook.engine_sentences import translated
from tourney.text.club_words import TERMS, ClubNoun, hidden, own_noun, rewording
from tourney.text.i18n import _, use_words

if TYPE_CHECKING:
    from engine.rules import Rules

MAX_STAKE = 1_000_000_000_000
"""The highest stake: more than anybody plays for, yet its sums fit into a column of the database."""


def resolve(name: str) -> RulesRef:
    """Return the rule set of that name, with variants after plus signs, or of a club's file whose name ends in .toml.

    Raises TourneyError: NOT_FOUND if there is none, REFUSED for variants that contradict each other and for
    a file that says something impossible.
    """
    from engine.rules import load_rules, write_rules

    rules = _loaded(lambda: load_rules(name))
    _check_words(name, rules)
    _speak_as_club(rules)
    return RulesRef(rules.id, rules.digest, write_rules(rules) if name.endswith(".toml") else "")


def rules_of(ref: RulesRef) -> Rules:
    """Return the engine's rules, and use the club's own words from now on, if they have any.

    Raises TourneyError as `resolve` does for rules that this version no longer reads.
    """
    from engine.rules import named_rules

    rules = _loaded(lambda: _parsed(ref.text) if ref.text else named_rules(ref.id))
    _speak_as_club(rules)
    return rules


def _own_nouns(rules: Rules) -> dict[str, ClubNoun]:
    return {word.term: own_noun(word.word, word.plural, word.gender) for word in rules.words}


def _speak_as_club(rules: Rules) -> None:
    """Use the club's own words, but for those that this version does not know or cannot tell from others."""
    reword = own_words(rules)
    if reword:
        use_words(reword)


def own_words(rules: Rules) -> Callable[[str], str] | None:
    """Return what puts the club's own words into a Spanish sentence; None if the rules have none."""
    nouns = _own_nouns(rules)
    unclear = {term for term, _word in hidden(nouns)}
    clear = {term: noun for term, noun in nouns.items() if term in TERMS and term not in unclear}
    return rewording(clear) if clear else None


def _check_words(name: str, rules: Rules) -> None:
    """Raise TourneyError REFUSED for a word for no term, and one that hides another term."""
    nouns = _own_nouns(rules)
    for term in nouns:
        if term not in TERMS:
            message = _("{file}: “{term}” is no term that has a word of its own").format(file=name, term=term[:40])
            raise TourneyError(ExitCode.REFUSED, message, _("terms: {terms}").format(terms=", ".join(TERMS)))
    for term, word in hidden(nouns):
        message = _("{file}: “{word}” for “{term}” hides another term").format(file=name, word=word, term=term)
        raise TourneyError(ExitCode.REFUSED, message, _("choose a word that the program does not use otherwise"))


def is_current(ref: RulesRef) -> bool:
    """Return whether the games by the rules of that digest are games by the rules of this version.

    Raises TourneyError as `rules_of` does.
    """
    return rules_of(ref).named_by(ref.digest)


def is_same(ref: RulesRef) -> bool:
    """Return whether the digest of `ref` is that of its rules, so that bots play as they did; TourneyError as above."""
    return rules_of(ref).same_as(ref.digest)


def contracts(ref: RulesRef) -> tuple[tuple[str, int], ...]:
    """Return the hands of a game in order, as (contract, cards dealt); empty where a game has any number of hands."""
    rules = rules_of(ref)
    return rules.contracts.hands.order if rules.kind == "contract" else ()


@cache
def with_hands(ref: RulesRef, hands: tuple[str, ...]) -> RulesRef:
    """Return the rules of a game that has only these hands.

    Raises TourneyError REFUSED for hands that the rules lack or play in another order, and for the knock game.
    """
    from engine.rules import with_hands, write_rules

    rules = _loaded(lambda: with_hands(rules_of(ref), hands))
    return RulesRef(rules.id, rules.digest, write_rules(rules))


def table_limits(ref: RulesRef) -> tuple[int, int]:
    """Return the fewest and the most players at a table."""
    players = rules_of(ref).players
    return players.least, players.most


def family(ref: RulesRef) -> Family:
    """Return the family of the game: `contract` if each hand has its contract, `knock` if players knock."""
    return rules_of(ref).kind


def check_stake(ref: RulesRef, stake: int) -> None:
    """Raise TourneyError REFUSED for a stake that these rules do not allow, or one above MAX_STAKE."""
    from engine.errors import RulesError
    from engine.knock.pot import check_stake as judge

    rules = rules_of(ref)
    if rules.kind == "contract":
        if stake:
            message = _("{rules} is not played for money").format(rules=rules.id)
            raise TourneyError(ExitCode.REFUSED, message, _("leave the stake out"))
        return
    if stake > MAX_STAKE:
        message = _("a stake of {stake} is too high").format(stake=stake)
        raise TourneyError(ExitCode.REFUSED, message, _("give at most {most}").format(most=MAX_STAKE))
    try:
        judge(rules, stake)
    except RulesError as error:
        raise TourneyError(ExitCode.REFUSED, translated(error.reason), translated(error.hint)) from None


@cache
def _parsed(text: str) -> Rules:
    from engine.rules import parse_rules

    return parse_rules(text, "the event's own rules")


def _loaded(load: Callable[[], Rules]) -> Rules:
    """Return the rules that `load` returns; raise the engine's errors as TourneyError."""
    from engine.errors import RulesError, UnknownRules

    try:
        return load()
    except UnknownRules as error:
        hint = translated(error.hint) or _("see `tourney rules list`")
        raise TourneyError(ExitCode.NOT_FOUND, translated(error.reason), hint) from error
    except RulesError as error:
        hint = translated(error.hint) or _("`tourney rules show --json` names the field of each rule")
        raise TourneyError(ExitCode.REFUSED, translated(error.reason), hint) from error
