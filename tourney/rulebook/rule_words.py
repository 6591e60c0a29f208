"""The parts of which tables of rule sentences are made."""

from typing import Any, Final

from tourney.text.i18n import marked

OTHER: Final = object()
"""Stands for every value that has no sentence of its own; the sentence shows it as {value}."""

Words = dict[Any, str]
"""The sentence for each value of a field; empty where there is nothing to say."""

Sentences = dict[str, Words | str]
"""The sentences of fields: one for each value, or the same for all of them."""

SHUFFLES: Final[Words] = {
    0: marked("When the stock is empty and a card is wanted, the hand is dead."),
    1: marked(
        "When the stock is empty, the discards but the top one are shuffled, once a hand; after that the hand is dead."
    ),
    OTHER: marked(
        "When the stock is empty, the discards but the top one are shuffled, at most {value} times a hand; after that "
        "the hand is dead."
    ),
}
