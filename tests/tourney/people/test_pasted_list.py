"""Tests of how pasted lists of names are read: what people send, what is understood, and what is left out."""

from random import Random

import pytest

from tests.harness.bad_input.mutations import mutated
from tests.harness.effort import growth
from tourney.text.pasted_list import COLUMNS, MESSAGES, MOST_NAMES, PEOPLE, SURNAME_FIRST, readings

CHAT = """\
[27/11, 20:31] Koldo: me apunto
23:15 - Javier: yo voy
27/11/26, 20:40 - Los mensajes están cifrados de extremo a extremo.
[20:41, 27/11/2026] ~ Nerea Etxea: Yo también
\u200e[27/11/26, 8:42:10\u202fPM] Ana García: no puedo :(
[27/11, 20:43] +34 612 345 678: voy
[27/11, 20:50] Koldo: llevo cartas
Total: 9
"""
MAIL = """\
From: Pilar <pilar@club.org>
Subject: Viernes

Hola a todos,
este viernes jugamos otra vez en el local, a las ocho.
Vienen:
1. Koldo Ruiz
2. Miren Etxea <miren@club.org>

Un saludo,
www.club.org
"""
CONTENTS = """\
Contents
1. Introduction ........ 3
1.2 Rules of play 17
2. How to score . . . . 21
"""

CASES: list[tuple[str, str, str, list[str], list[str]]] = [
    ("one a line", "Ana\nBeñat", PEOPLE, ["Ana", "Beñat"], []),
    ("between marks", "Ana, Beñat; Carmen\tDiego", PEOPLE, ["Ana", "Beñat", "Carmen", "Diego"], []),
    ("numbers", "1. Ana\n2) Beñat\n3 - Carmen\n4.- Diego\n5º Elena\n6\ufe0f\u20e3 Félix\n#7 Gloria\n8 Hugo", PEOPLE,
     ["Ana", "Beñat", "Carmen", "Diego", "Elena", "Félix", "Gloria", "Hugo"], []),
    ("bullets and ticks", "- Ana\n• Beñat\n✅ Carmen\n* Diego\n[x] Elena\n[ ] Félix\nGloria 👍", PEOPLE,
     ["Ana", "Beñat", "Carmen", "Diego", "Elena", "Félix", "Gloria"], []),
    ("empty places", "7\n12.\n--\nAna", PEOPLE, ["Ana"], []),
    ("names with marks of their own", 'Ana (Getxo)\nO\'Neill\nJosé "Pepe" Ruiz\nM.ª Ángeles\nJ. R. Gil', PEOPLE,
     ["Ana (Getxo)", "O'Neill", 'José "Pepe" Ruiz', "M.ª Ángeles", "J. R. Gil"], []),
    ("long names", "María del Carmen de la Fuente y García\nJuan de Dios", PEOPLE,
     ["María del Carmen de la Fuente y García", "Juan de Dios"], []),
    ("a heading", "Lista viernes:\nAna\nBeñat", PEOPLE, ["Ana", "Beñat"], ["Lista viernes:"]),
    ("a heading in the line", "Jugadores: Ana, Beñat", PEOPLE, ["Ana", "Beñat"], ["Jugadores:"]),
    ("heads without a colon", "Nº Nombre\nMesa 1\nAna", PEOPLE, ["Ana"], ["Nº Nombre", "Mesa 1"]),
    ("sums", "Ana\nTotal: 9\nSomos 9\n9 jugadores\nTotal 12 players", PEOPLE, ["Ana"],
     ["Total: 9", "Somos 9", "9 jugadores", "Total 12 players"]),
    ("addresses", "Ana <ana@x.org>, Beñat <b@y.org>\ncarmen@z.org\nDiego diego@z.org", PEOPLE,
     ["Ana", "Beñat", "Diego"], ["<ana@x.org>", "<b@y.org>", "carmen@z.org", "diego@z.org"]),
    ("heads of a mail", 'To: "García, Ana" <ana@x.org>; "Ruiz, Luis" <luis@x.org>', PEOPLE, ["Ana García", "Luis Ruiz"],
     ["To:", "<ana@x.org>", "<luis@x.org>"]),
    ("answers", "Ana: sí\nBeñat: me apunto\nCarmen +1", PEOPLE, ["Ana", "Beñat", "Carmen"], []),
    ("answers behind a dash", "Ana - sí\nBeñat – quizá\n3 - Carmen -> mesa 1", PEOPLE, ["Ana", "Beñat", "Carmen"], []),
    ("players by number", "Player 1\nPlayer 2\nplayers:\nViernes 28", PEOPLE, ["Player 1", "Player 2"],
     ["players:", "Viernes 28"]),
    ("an end of a mail", "Sarah\n\nBest,\nSent from my iPhone", PEOPLE, ["Sarah"], ["Best,", "Sent from my iPhone"]),
    ("surname first", "García López, Ana\n2. Pérez, José Luis\nEtxea, Miren", SURNAME_FIRST,
     ["Ana García López", "José Luis Pérez", "Miren Etxea"], []),
    ("surname first under a head", "Apellidos, Nombre\nGarcía López, Ana\nPérez, Luis\nTotal: 2", f"{COLUMNS} 2 1",
     ["Ana García López", "Luis Pérez"], ["Apellidos Nombre", "Total: 2"]),
    ("one comma among others", "Pérez, José\nLuis\nWilma\nZoe", PEOPLE, ["Pérez", "José", "Luis", "Wilma", "Zoe"], []),
    ("columns with heads", "Nombre\tApellidos\tE-mail\nAna\tGarcía\tana@x.org\nLuis\tPérez\tluis@x.org",
     f"{COLUMNS} 1 2", ["Ana García", "Luis Pérez"], ["Nombre Apellidos E-mail", "ana@x.org", "luis@x.org"]),
    ("one column of names", "1\tAna García\t612345678\n2\tLuis Pérez\t612345679\n\tTotal\t2", f"{COLUMNS} 2",
     ["Ana García", "Luis Pérez"], ["Total 2"]),
    ("surname first in a column", "Ruiz, Ana\ta@x.org\nGil, Luis\tl@x.org", f"{COLUMNS} 1", ["Ana Ruiz", "Luis Gil"],
     ["a@x.org", "l@x.org"]),
    ("a file with commas", "name,e-mail\nAna García,a@x.org\nLuis Gil,l@x.org", f"{COLUMNS} 1",
     ["Ana García", "Luis Gil"], ["name e-mail", "a@x.org", "l@x.org"]),
    ("answers of a form", "Marca temporal\tNombre y apellidos\tCorreo\tComentarios\n"
     "27/11/2026 20:31\tAna García\ta@x.org\tllego tarde\n"
     "27/11/2026 20:40\tLuis Gil\tl@x.org\t", f"{COLUMNS} 2", ["Ana García", "Luis Gil"],
     ["Marca temporal Nombre y apellidos Correo Comentarios", "a@x.org", "l@x.org"]),
    ("a table between strokes", "| Nombre | Club |\n|---|---|\n| Ana | Getxo |\n| Luis | Bilbao |", f"{COLUMNS} 1",
     ["Ana", "Luis"], ["Nombre Club"]),
    ("a list below a message", "[27/11, 20:31] Koldo: Viernes:\nAna\nLuis\n[27/11, 20:33] Miren: yo", MESSAGES,
     ["Koldo", "Miren", "Ana", "Luis"], []),
    ("messages", CHAT, MESSAGES, ["Koldo", "Javier", "Nerea Etxea", "Ana García"],
     ["27/11/26, 20:40 - Los mensajes están cifrados de extremo a extremo.", "Total: 9", "+34 612 345 678"]),
    ("a list in a message", "[27/11, 20:31] Koldo: Lista viernes:\n1. Ana\n2. Beñat\n\nhasta luego", MESSAGES,
     ["Koldo", "Ana", "Beñat"], []),
    ("messages of Telegram", "Koldo, [27 Nov 2026 20:31:05]\nme apunto\nAna, [27 Nov 2026 20:32:11]:\nyo también",
     MESSAGES, ["Koldo", "Ana"], []),
    ("times without a message", "20:30 Ana\n21:00 Beñat", PEOPLE, ["Ana", "Beñat"], []),
    ("a mail", MAIL, PEOPLE, ["Koldo Ruiz", "Miren Etxea"],
     ["From: Pilar <pilar@club.org>", "Subject: Viernes", "Hola a todos,",
      "este viernes jugamos otra vez en el local, a las ocho.", "Vienen:", "<miren@club.org>", "Un saludo,",
      "www.club.org"]),
    ("a table of contents", CONTENTS, PEOPLE, [], CONTENTS.strip().splitlines()),
    ("nothing", " \n\n--", PEOPLE, [], []),
    ("a sentence", "Nos vemos el viernes a las ocho en el bar.\nAna", PEOPLE, ["Ana"],
     ["Nos vemos el viernes a las ocho en el bar."]),
]  # fmt: skip
"""Texts that are pasted, the way to read each, the names in it, and what is left out."""


@pytest.mark.parametrize(
    ("text", "way", "names", "left_out"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_a_pasted_list_is_read_as_people_mean_it(text: str, way: str, names: list[str], left_out: list[str]) -> None:
    found = readings(text).ways[0]
    assert [each.name for each in found.people] == names
    assert sorted(found.left_out) == sorted(left_out)
    assert found.key == way


def test_what_a_sender_wrote_stays_with_the_name_and_a_no_is_doubtful() -> None:
    found = {each.name: (each.said, each.doubtful) for each in readings(CHAT).ways[0].people}
    assert found == {
        "Koldo": ("me apunto · llevo cartas", False),
        "Javier": ("yo voy", False),
        "Nerea Etxea": ("Yo también", False),
        "Ana García": ("no puedo :(", True),
    }


def test_words_that_may_be_no_name_are_doubtful() -> None:
    found = {
        each.name: each.doubtful
        for each in readings("Ana García\nana garcía lópez\nSee friday evening\nZoe 3").ways[0].people
    }
    assert found == {"Ana García": False, "ana garcía lópez": False, "See friday evening": True, "Zoe 3": True}


@pytest.mark.parametrize(
    ("text", "asks", "ways"),
    [
        ("García\tAna\nGil\tLuis", True, [["Ana García", "Luis Gil"], ["García Ana", "Gil Luis"], ["García", "Gil"],
                                         ["Ana", "Luis"], ["García", "Ana", "Gil", "Luis"]]),
        ("Ana, Beñat\nCarmen, Diego", True, [["Beñat Ana", "Diego Carmen"], ["Ana", "Beñat", "Carmen", "Diego"]]),
        ("García Gil, Ana\nGil, Luis", False, [["Ana García Gil", "Luis Gil"], ["García Gil", "Ana", "Gil", "Luis"]]),
        ("Ana\nBeñat", False, [["Ana", "Beñat"]]),
    ],
)  # fmt: skip
def test_the_desk_is_asked_only_where_a_list_may_be_read_in_several_ways(
    text: str, asks: bool, ways: list[list[str]]
) -> None:
    found = readings(text)
    assert (found.asks, [[each.name for each in way.people] for way in found.ways]) == (asks, ways)


@pytest.mark.parametrize(("line", "ways"), [("García{n}\tAna{n}\n", 5), ("García{n}, Ana{n}\n", 2)])
def test_a_list_of_too_many_names_is_read_in_one_way_only(line: str, ways: int) -> None:
    """Eight readings of 5,000 rows kept the desk busy for seconds, before it refused their number."""
    for number, expected in ((MOST_NAMES, ways), (MOST_NAMES + 1, 1)):
        found = readings("".join(line.format(n=chr(192 + n % 20) + chr(224 + n // 20)) for n in range(number)))
        assert (len(found.ways), len(found.ways[0].people) >= number) == (expected, True)


def test_whatever_is_pasted_is_read_into_names_that_have_letters() -> None:
    """A mark with a comma in it, as before “, Ana”, ended in an error."""
    for seed in range(400):
        text = mutated(Random(f"pasted {seed}"), CASES[seed % len(CASES)][1])
        for way in readings(text).ways:
            assert [name.name for name in way.people if not any(map(str.isalpha, name.name))] == []
    assert [each.name for each in readings(", Ana\nLuis").ways[0].people] == ["Ana", "Luis"]


@pytest.mark.parametrize("piece", ['"', "a@", ". ", "1:11 ", "[1/1, 1:11] a", "a, b\n", "a\tb\n", "x" * 9, "+1", "…"])
def test_a_long_text_of_one_kind_is_read_in_time_that_grows_with_it(piece: str) -> None:
    """A pattern that begins again at each character would take the square of it."""
    assert growth(lambda size: lambda: readings(piece * size), 4_000) < 3
