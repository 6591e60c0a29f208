"""Words in pasted lists that are no names, in English and Spanish: of headings, sums, greetings and sentences."""

import re
from collections.abc import Sequence
from typing import Final

from tourney.text.names import fold


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FIRST: Final = _words("nombre nombres name first given forename")
_SURNAME: Final = _words("apellido apellidos surname last family")
_PLAYER: Final = _words(
    "jugador jugadora jugadores jugadoras player players participante participantes participant participants"
)
_OF_HEADERS: Final = _words(
    "no n nº # num numero number y and de of names full completo email e-mail mail correo electronico telefono tel "
    "movil phone mobile club equipo team ciudad city puntos points total pos posicion rank place edad age pagado paid "
    "cuota fee asiste viene comes notas notes observaciones fecha date marca temporal timestamp"
)
_HEADINGS: Final = _words(
    "contents indice agenda orden index lista listado list mesa table ronda round grupo group inscritos inscritas "
    "apuntados apuntadas asistentes confirmados confirmadas van vienen titulares reservas suplentes attendees entries "
    "para to cc cco bcc jugadores jugadoras players participantes participants lunes martes miercoles jueves viernes "
    "sabado monday tuesday wednesday thursday friday saturday sunday"
)
_PARTICLES: Final = _words("de del la las los y e i da das do dos van von der den el di le ten ter bin al")
_OF_SENTENCES: Final = _words(
    "en que con por para como cuando este esta esto estos yo me te nos os se lo hay es son un una vamos gracias "
    "the on at to in for with we you is are this that our your please it of if when how be will"
)
_MAIL: Final = re.compile(r"(?:from|de|date|fecha|sent|enviado(?: el)?|subject|asunto|re|rv|fwd?|reply-to)\s*:")
_SUM: Final = re.compile(
    r"(?:sub)?total\b|suma\b|(?:somos|seremos|en total|in all|we are)\b.*\d|"
    r"\d+\s+(?:jugador|persona|player|people|inscrit|apuntad|en total|in all)"
)
_GREETING: Final = re.compile(
    r"(?:hola|buenas|buenos dias|hello|hi|hey|dear|querid[oa]s?|estimad[oa]s?|saludos|un saludo|abrazos?|un abrazo|"
    r"gracias|thanks|thank you|regards|(?:best|kind) regards|best,|cheers|kaixo|agur|egun on|gabon|"
    r"sent from my|enviado desde mi)(?!\w)"
)
_NO: Final = re.compile(r"(?:no|not|can'?t|cannot|imposible|tampoco|nope|ez)\b")


def is_other(line: str, bare: str) -> bool:
    """Return whether a line has no names: it is a heading, a sum, a greeting, a head of a letter or a sentence.

    `bare` is the line without the mark before it.
    """
    folded, plain = fold(line), fold(bare)
    begins = _MAIL.match(plain) or _SUM.match(folded) or _SUM.match(plain) or _GREETING.match(plain)
    if begins or is_header(re.split(r"[\s,;/|]+", plain)):
        return True
    is_sentence = is_prose(bare) or (bare[:1].isupper() and len(_low(bare)) > 1)
    return (bare.rstrip()[-1:] in tuple(".!?…") and is_sentence) or (
        is_heading(bare) and ":" not in bare and not re.search(r"[,;\t]", bare)
    )


def is_heading(text: str) -> bool:
    """Return whether a text begins as a heading does that names may follow, such as “Lista viernes” or “Players”."""
    words = fold(text).split()
    return bool(words) and len(words) < _MANY and words[0] in _HEADINGS


_MANY: Final = 6
"""The words of a line that is too long for a heading."""


def is_header(cells: Sequence[str], share: float = 1) -> bool:
    """Return whether the cells of a row, or the words of a line, are heads of columns, at least this share of them."""
    words = [[word.strip(".:()") for word in re.split(r"[\s/]+", fold(cell)) if word] for cell in cells if cell]
    known = _FIRST | _SURNAME | _PLAYER
    heads = [each for each in words if all(word in known | _OF_HEADERS for word in each)]
    return any(not known.isdisjoint(each) for each in heads) and len(heads) >= share * len(words)


def named_columns(header: Sequence[str]) -> tuple[int, ...]:
    """Return the columns, from 0, that have the names by their heads, the first name before the surname."""
    words = [set(re.split(r"[\s/,.:()]+", fold(cell))) for cell in header]
    surnames = [at for at, each in enumerate(words) if each & _SURNAME and not each & (_FIRST - {"name"})]
    firsts = [at for at, each in enumerate(words) if each & (_FIRST | _PLAYER) and at not in surnames]
    return (*firsts[:1], *surnames[:1])


def counted(name: str) -> int:
    """Return the number of words without those that join the parts of a name, such as “de la”."""
    return sum(fold(word) not in _PARTICLES for word in name.split())


def is_prose(name: str) -> bool:
    """Return whether a text has a word of sentences, and so is no name."""
    return any(word in _OF_SENTENCES for word in name.split())


def is_doubtful(name: str) -> bool:
    """Return whether a text may be something else than a name: it has a number, or words in small letters."""
    return any(map(str.isdigit, name)) or (name[:1].isupper() and len(_low(name)) > 1)


def _low(text: str) -> list[str]:
    return [word for word in text.split() if word[0].islower() and fold(word.strip(",.;:!?")) not in _PARTICLES]


def says_no(said: str) -> bool:
    """Return whether an answer has a word that says no."""
    return bool(re.search(rf"\b{_NO.pattern}", fold(said)))


def is_no(said: str) -> bool:
    """Return whether an answer says no, or asks something, or leads to a list."""
    return says_no(said) or said.endswith(("?", ":"))
