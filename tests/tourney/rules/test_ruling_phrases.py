"""Tests that `rules ruling` finds the kind of irregularity by what players type, in English and Spanish.

The phrases are written as people at a table would say them, not with the words of the program.
"""

import pytest

from tourney.rulebook.ruling_search import kinds_meant

ENGLISH = {
    "play-out-of-turn": (
        "she played before it was her turn",
        "someone went out of turn",
        "he drew a card when it wasn't his go",
        "we skipped a player by mistake",
        "Luis played twice in a row",
    ),
    "illegal-draw": (
        "I looked at the top card of the stock without drawing it",
        "he took two cards from the stock instead of one",
        "peeked at the next card in the deck",
        "picked up a card from the stock that I wasn't allowed to take",
    ),
    "exposed-card": (
        "the top card of the stock got flipped over",
        "a card in the draw pile is face up",
        "the stock fell over and a card is showing",
        "the next card of the deck turned over by accident",
    ),
    "incorrect-hand": (
        "I was dealt eight cards instead of seven",
        "the dealer gave me one card too many",
        "one player only got six cards in the deal",
        "they dealt me a card short",
    ),
    "imperfect-pack": (
        "there is a card missing from the pack",
        "the deck has an extra ace of spades",
        "we found a duplicate card in the pack",
        "a card from another deck is mixed in",
    ),
    "superfluous-cards": (
        "one card in the run does not belong there",
        "there's a wrong card in a trio on the table",
        "laid off a six on a run where it doesn't fit",
        "the seven doesn't go in that sequence",
    ),
    "scoring-error": (
        "we added up the points wrong",
        "the total on the score sheet is wrong",
        "wrote down the wrong score for Ana",
        "points were given to the wrong player",
    ),
    "wrong-lay-down": (
        "I laid down the wrong melds",
        "he went down without a valid run",
        "she put down two trios but the contract was a trio and a run",
        "can I take my cards back after going down",
        "I want to take back my lay-down",
        "he laid off a card without being down",
    ),
    "false-close": (
        "he said he was out but he wasn't",
        "she closed with a card still in her hand",
        "went out illegally",
        "false close",
        "he knocked with too many points",
    ),
    "wrong-claim": (
        "he claimed a discard that was already covered",
        "I forgot to claim the discard",
        "two players want the same discard",
        "too late to claim it, the next player had discarded",
        "she claimed a card when it was not allowed",
    ),
    "forgotten-penalty-card": (
        "he claimed the discard but didn't take the penalty card",
        "forgot the penalty card",
        "she never drew her extra card after the claim",
        "took the card out of turn without paying the penalty card",
    ),
    "wrong-count": (
        "I have one card too many",
        "someone is a card short in the middle of the hand",
        "he forgot to discard",
        "she has nine cards and should have eight",
        "he lied about how many cards he has left",
    ),
    "misdeal": (
        "misdeal",
        "the wrong player dealt",
        "a card turned face up while dealing",
        "forgot to cut the cards before dealing",
        "they dealt in the wrong direction",
    ),
    "shown-card": (
        "showed a card",
        "he dropped a card face up on the table",
        "I put the wrong card on the discard pile, can I change it",
        "she wants to take back her discard",
        "the others saw my hand",
    ),
    "disputed-score": (
        "we disagree about the points",
        "two players dispute the score",
        "they argue over whether it is minus ten",
        "the players don't agree on the result of the hand",
    ),
    "wrong-joker": (
        "he moved a joker that he wasn't allowed to move",
        "two jokers next to each other in a run",
        "took the joker into his hand",
        "swapped the joker for the wrong card",
    ),
    "pile-searched": (
        "she looked through the discard pile",
        "someone is going through the discards",
        "spread the discard pile to see what was thrown",
        "he peeked under the top discard",
    ),
}
SPANISH = {
    "play-out-of-turn": (
        "ha jugado sin tocarle",
        "jugó fuera de turno",
        "nos hemos saltado a Pilar",
        "robó antes de que le tocara",
        "me he adelantado a mi turno",
    ),
    "illegal-draw": (
        "miró la carta de arriba del mazo",
        "cogí dos cartas del montón en vez de una",
        "ha visto una carta del mazo que no le correspondía",
        "se llevó dos cartas del mazo pegadas",
    ),
    "exposed-card": (
        "se ha dado la vuelta la carta de arriba del mazo",
        "hay una carta boca arriba en el montón",
        "se cayó el mazo y se ve una carta",
        "una carta del mazo se ha destapado sin querer",
    ),
    "incorrect-hand": (
        "me han dado una carta de menos",
        "el que reparte me dio ocho en vez de siete",
        "me repartieron una carta de más",
        "a Luis le han repartido solo seis cartas",
    ),
    "imperfect-pack": (
        "falta una carta en la baraja",
        "hay una carta repetida en la baraja",
        "la baraja está incompleta",
        "se ha colado una carta de otra baraja",
    ),
    "superfluous-cards": (
        "en esa escalera sobra una carta",
        "ha colocado un seis donde no va",
        "hay una carta que no pega en el trío",
        "colocó una carta que no encajaba",
    ),
    "scoring-error": (
        "hemos sumado mal los puntos",
        "el anotador apuntó mal la puntuación",
        "le pusieron los puntos a otro",
        "nos equivocamos en la suma",
    ),
    "wrong-lay-down": (
        "me he bajado mal",
        "se bajó con una escalera que no era",
        "me quiero subir",
        "se abatió con un trío de menos",
        "bajó dos tríos y tocaba trío y escalera",
        "colocó cartas sin haberse bajado",
    ),
    "false-close": (
        "cerró en falso",
        "dijo que cerraba y le quedaba una carta",
        "se ha ido sin poder",
        "ha cerrado mal",
    ),
    "wrong-claim": (
        "robó de contra una carta pisada",
        "se me olvidó pedir la carta de contra",
        "dos quieren la misma carta del pozo",
        "cogió de contra y no podía",
        "quería robar de contra pero el siguiente ya se había descartado",
    ),
    "forgotten-penalty-card": (
        "no ha cogido la carta de castigo",
        "se olvidó del castigo",
        "robó de contra sin llevarse la carta del mazo",
        "falta la carta de castigo",
    ),
    "wrong-count": (
        "me sobra una carta",
        "tengo una carta de menos a mitad de la mano",
        "se le ha olvidado descartarse",
        "mintió sobre cuántas cartas le quedaban",
        "lleva diez cartas y debería tener nueve",
    ),
    "misdeal": (
        "se vio una carta al repartir",
        "repartió el que no era",
        "no se cortó antes de repartir",
        "han dado mal las cartas",
        "repartieron en el sentido equivocado",
    ),
    "shown-card": (
        "ha enseñado una carta",
        "se me cayó una carta de la mano y la vieron todos",
        "quiere cambiar la carta que ha soltado",
        "carta en la mesa, presa",
        "me equivoqué de carta al descartarme",
    ),
    "disputed-score": (
        "no nos ponemos de acuerdo con los puntos",
        "discuten la puntuación de la mano",
        "reclama que no son 40 puntos",
        "uno dice que son -10 y otro que son 0",
        "no está conforme con la suma",
    ),
    "wrong-joker": (
        "movió un comodín que no se podía",
        "hay dos comodines seguidos en la escalera",
        "cambió el jóker y se lo quedó en la mano",
        "sacó el mono de un trío",
    ),
    "pile-searched": (
        "ha mirado las cartas del pozo",
        "está rebuscando en el pozo",
        "levantó los descartes para ver qué había",
        "mira debajo de la primera carta del pozo",
    ),
}
# Words with the mistakes of a quick hand, and the kind's own name in other spellings.
MISSPELT = {
    "play-out-of-turn": ("fuera de trno", "jugo fuera de turnno"),
    "illegal-draw": ("ilegal-draw", "illegal draw"),
    "misdeal": ("misdeel", "mis-deal", "MISDEAL"),
    "false-close": ("fals close", "cerro en flaso", "flase-close", "ha cerado mal"),
    "wrong-lay-down": ("me e vajado mal", "layed down the worng melds", "wrong lay down"),
    "wrong-claim": ("claimd a coverd discard", "rovo de contra una carta pisda"),
    "forgotten-penalty-card": ("forgoten penalty card", "olvido la carta de castgo"),
    "wrong-joker": ("movio un comodn que no podia", "two jokres side by side"),
    "disputed-score": ("dispued score", "discuten la puntuacon"),
    "pile-searched": ("rebuscndo en el pozo",),
    "shown-card": ("enseno una carta", "shwed a card"),
}
# What people type in the wrong place, and words that irregularities share.
MEANT_OTHERWISE = (
    *("what time is dinner", "who won last week", "how many points is an ace worth", "how do I register a player"),
    *("when does the next round start", "can I sit next to Ana", "the clock stopped", "who deals first"),
    *("what is a trio", "draw the next round", "how many cards are dealt in the third hand", "the light went out"),
    *("a player came late", "print the standings", "hello", "asdfghjkl", "cards", "error", "table 3", "joker"),
    *("print the score sheet", "the wrong table", "Ana and Luis want to play together", "my hand hurts", "rules"),
    *("a qué hora se cena", "quién reparte", "cuánto vale un as", "cómo se inscribe un jugador", "mesa 3"),
    *("cuándo empieza la ronda", "quién ganó la semana pasada", "qué es un trío", "cuántas cartas se reparten"),
    *("hace frío", "se ha ido la luz", "un jugador llega tarde", "no encuentro mi mesa", "mi silla está rota"),
    *("imprimir la clasificación", "quién va ganando", "me duele la mano", "la baraja es nueva", "carta", "comodín"),
    *("mal", "quiero jugar con Ana", "cuántos puntos lleva Pilar", "dar de baja a Luis", "contra", "----", "?"),
)


def table(phrases: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(kind, phrase) for kind, said in phrases.items() for phrase in said]


@pytest.mark.parametrize(("kind", "phrase"), [*table(ENGLISH), *table(SPANISH), *table(MISSPELT)])
def test_what_players_say_finds_its_kind_first(kind: str, phrase: str) -> None:
    assert kinds_meant(phrase)[:1] == [kind]


@pytest.mark.parametrize("phrase", MEANT_OTHERWISE)
def test_what_means_no_irregularity_finds_none(phrase: str) -> None:
    assert kinds_meant(phrase) == []


@pytest.mark.parametrize("phrases", [ENGLISH, SPANISH], ids=["english", "spanish"])
def test_sixty_phrases_in_each_language_find_seventeen_kinds(phrases: dict[str, tuple[str, ...]]) -> None:
    assert len(phrases) == 17
    assert len(table(phrases)) >= 60
