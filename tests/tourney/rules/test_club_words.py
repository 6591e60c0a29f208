"""Tests of a club's own words in Spanish sentences: articles and adjectives agree, and no word hides another term."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tests.harness.pages import catalogue
from tourney.domain.errors import ExitCode
from tourney.domain.rules import RulesRef
from tourney.rulebook.rulesets import resolve, rules_of
from tourney.text import i18n
from tourney.text.club_words import TERMS, ClubNoun, own_noun, rewording
from tourney.text.i18n import _, speaking_as_asked

MEXICO = {
    "trio": own_noun("tercia"),
    "run": own_noun("corrida"),
    "joker": own_noun("mono"),
    "stock": own_noun("baceta"),
    "suit": own_noun("pinta"),
    "meld": own_noun("juego"),
    "pot": own_noun("polla"),
}


def club(folder: Path, words: str) -> str:
    """Write a club's own rules with the words; return the file's path."""
    file = folder / "mexico.toml"
    file.write_text(f'id = "mexico"\nbase = "oficial"\ntitle = "Club de México"\n[words]\n{words}\n', encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("sentence", "reworded"),
    [
        ("Un trío son 3 o más cartas.", "Una tercia son 3 o más cartas."),
        ("Los tríos de una mano, el del trío y al trío", "Las tercias de una mano, el de la tercia y a la tercia"),
        (
            "otro trío, ningún trío, varios tríos, ese mismo trío",
            "otra tercia, ninguna tercia, varias tercias, esa misma tercia",
        ),
        ("en sus propias escaleras", "en sus propias corridas"),
        ("El mazo está vacío; la superior del mazo", "La baceta está vacía; la superior de la baceta"),
        ("cartas del mismo palo, de palos distintos", "cartas de la misma pinta, de pintas distintas"),
        ("Comodines: 3; los propios comodines", "Monos: 3; los propios monos"),
        ("en cualquiera de las combinaciones; combinaciones nuevas", "en cualquiera de los juegos; juegos nuevos"),
        ("Es una combinación de la mesa; a la combinación", "Es un juego de la mesa; al juego"),
        ("se lleva el bote, el resto del bote", "se lleva la polla, el resto de la polla"),
        ("`tourney rules check oficial trío` y un trío", "`tourney rules check oficial trío` y una tercia"),
        ("El que reparte baraja. Un triunfo, el palomar.", "El que reparte baraja. Un triunfo, el palomar."),
        ("{number} tríos, {number} escalera", "{number} tercias, {number} corrida"),
    ],
)
def test_articles_and_adjectives_agree_with_the_word(sentence: str, reworded: str) -> None:
    assert rewording(MEXICO)(sentence) == reworded


@pytest.mark.parametrize(
    ("word", "plural", "feminine"),
    [
        ("tercia", "tercias", True),
        ("corrida", "corridas", True),
        ("mono", "monos", False),
        ("comodín", "comodines", False),
        ("escalón", "escalones", False),
        ("unidad", "unidades", True),
        ("reunión", "reuniones", True),
        ("pez", "peces", True),
        ("café", "cafés", False),
    ],
)
def test_plural_and_gender_are_those_of_spanish_unless_the_club_says_otherwise(
    word: str, plural: str, feminine: bool
) -> None:
    """Nouns on -a, -ión, -dad, -tad and -ez are taken for feminine."""
    assert own_noun(word) == ClubNoun(word, plural, feminine)
    assert own_noun(word, "x", "f" if not feminine else "m") == ClubNoun(word, "x", not feminine)


@cache
def spanish() -> tuple[str, ...]:
    """Return every Spanish sentence."""
    messages = [message for path in catalogue.translations() for message in catalogue.read(path) if message.id]
    return tuple(text for message in messages for text in catalogue.texts(message.string))


MASCULINE = (
    "el los un unos del al este ese estos esos aquel aquellos algún ningún primer segundo tercer cuarto otro otros "
    "mismo mismos nuevo nuevos mucho muchos poco pocos cuántos dichos nuestros varios ambos todos"
)
FEMININE = (
    "la las una unas esta esa estas esas aquella aquellas alguna ninguna primera segunda tercera cuarta otra otras "
    "misma mismas nueva nuevas mucha muchas poca pocas cuántas dichas nuestras varias ambas todas"
)


@pytest.mark.parametrize("term", TERMS)
def test_no_sentence_keeps_an_article_of_the_other_gender(term: str) -> None:
    """Every sentence of the catalogue with a term, whose word is of the other gender, is as it would be written."""
    noun = TERMS[term]
    own = ClubNoun("zurrio", "zurrios", False) if noun.feminine else ClubNoun("zurria", "zurrias", True)
    reword, wrong = rewording({term: own}), (FEMININE if noun.feminine else MASCULINE).replace(" ", "|")
    reworded = [(sentence, reword(sentence)) for sentence in spanish()]
    reworded = [(sentence, changed) for sentence, changed in reworded if sentence != changed]
    assert reworded
    faults = re.compile(rf"\b(?:{wrong}) (?:{own.one}|{own.many})\b|\b(?:{noun.one}|{noun.many})\b", re.IGNORECASE)
    assert [changed for _sentence, changed in reworded if faults.search(re.sub("`[^`]*`", "", changed))] == []
    pronouns = re.compile(r"\b(?:en|de|con|por|a) (?:él|ella|ellos|ellas)\b")
    assert [changed for _sentence, changed in reworded if pronouns.search(changed)] == []


def test_no_sentence_shows_a_noun_that_the_club_replaces() -> None:
    """All terms replaced at once, over the whole catalogue; words between backquotes are commands."""
    own = {term: ClubNoun(f"zur{at}", f"zur{at}s", not noun.feminine) for at, (term, noun) in enumerate(TERMS.items())}
    reword = rewording(own)
    nouns = re.compile(rf"\b(?:{'|'.join(f'{noun.many}|{noun.one}' for noun in TERMS.values())})\b", re.IGNORECASE)
    plain = [re.sub("`[^`]*`", "", sentence) for sentence in spanish()]
    assert sum(1 for sentence in plain if nouns.search(sentence)) > 100
    assert [sentence for sentence in plain if nouns.search(reword(sentence))] == []


def test_a_page_and_an_answer_speak_as_the_club_does_and_the_next_command_does_not(run: Runner, tmp_path: Path) -> None:
    file = club(tmp_path, 'trio = "tercia"\nrun = { word = "corrida", gender = "f" }')
    page = run("--lang", "es", "rules", "show", file).out
    assert "Una tercia son 3 o más cartas del mismo número o letra. [003/1.7]" in page
    assert "2 tercias, 1 corrida" in page
    assert not re.search(r"\btríos?\b|\bescaleras?\b", page)
    answer = run("--lang", "es", "rules", "check", file, "TE", "7h 7d Jk / 4s 5s Jk 7s").out
    assert "una tercia y una corrida" in answer
    assert (
        "un trío y una escalera" in run("--lang", "es", "rules", "check", "oficial", "TE", "7h 7d Jk / 4s 5s Jk 7s").out
    )
    assert "A trio is 3 or more cards" in run("rules", "show", file).out


def test_a_word_with_two_meanings_is_the_word_of_the_club_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words with a context in the catalogue kept the usual noun."""
    catalogued = {"of melds|trio": "trío"}

    class Catalogue:
        def gettext(self, entry: str) -> str:
            return catalogued.get(entry, entry)

    monkeypatch.setattr(i18n, "_catalogue", lambda language: Catalogue())
    with speaking_as_asked("es"):
        i18n.use_words(rewording(MEXICO))
        assert (i18n.pgettext("of melds", "trio"), i18n.pgettext("of a hand", "trio")) == ("tercia", "trio")


def test_two_rule_sets_are_compared_in_the_words_of_the_club(run: Runner, tmp_path: Path) -> None:
    """Otherwise every sentence with a trio would be a difference."""
    file = club(tmp_path, 'trio = "tercia"')
    assert run("--lang", "es", "rules", "diff", "oficial", file, "--json").json == []


def test_each_side_of_a_comparison_speaks_in_its_own_words(run: Runner, tmp_path: Path) -> None:
    """The club's word stood on both sides, also on that of a rule set which does not have it."""
    file = club(tmp_path, 'trio = "tercia"')
    for one, other, own in (("fournier", file, "other"), (file, "fournier", "one")):
        rows = run("--lang", "es", "rules", "diff", one, other, "--json").json
        said = {side: " ".join(row[side]["text"] for row in rows if row[side]) for side in ("one", "other")}
        theirs = said.pop(own)
        (usual,) = said.values()
        assert re.search(r"\btercias?\b", theirs)
        assert not re.search(r"\btríos?\b", theirs)
        assert re.search(r"\btríos?\b", usual)
        assert not re.search(r"\btercias?\b", usual)


def test_two_rule_sets_of_one_club_are_headed_in_its_words(run: Runner, tmp_path: Path) -> None:
    """Combinaciones is a heading of the page, and a term; between rule sets of other words it stays the program's."""
    file = club(tmp_path, 'meld = "jugada"')
    variant = tmp_path / "variant.toml"
    changed = '[set]\nrun.least = { is = 3, clause = "Acta 4" }\n'
    variant.write_text(Path(file).read_text(encoding="utf-8") + changed, encoding="utf-8")
    for one, heading in ((file, "Jugadas"), ("oficial", "Combinaciones")):
        rows = run("--lang", "es", "rules", "diff", one, str(variant), "--json").json
        assert heading in {row["section"] for row in rows}


def test_an_event_keeps_the_words(tmp_path: Path) -> None:
    """The text that an event stores has the words, and another gender than the ending's."""
    with speaking_as_asked("es"):
        ref = resolve(club(tmp_path, 'joker = { word = "mona", gender = "m", plural = "monas" }'))
    with speaking_as_asked("es"):
        assert _("A joker stands for any card.") == "El comodín sustituye a cualquier carta."
        rules = rules_of(RulesRef(ref.id, ref.digest, ref.text))
        assert _("A joker stands for any card.") == "El mona sustituye a cualquier carta."
    assert [(word.term, word.word, word.gender) for word in rules.words] == [("joker", "mona", "m")]
    assert ref.digest == resolve("oficial").digest


REFUSED = [
    ('trio = "escalera"', "“escalera” for “trio” hides another term"),
    ('trio = "manos"', "“manos” for “trio” hides another term"),
    ('run = { word = "corrida", plural = "rondas" }', "“rondas” for “run” hides another term"),
    ('trio = "juego"\nmeld = "juego"', "“juego” for “trio” hides another term"),
    ('joker = "carta loca"', "“carta loca” for “joker” hides another term"),
    ('evening = "noche"', "“evening” is no term that has a word of its own"),
    ('trio = "3 iguales"', "word 'trio' is not at most 30 letters: '3 iguales'"),
    ('trio = "{x}"', "word 'trio' is not at most 30 letters: '{x}'"),
    ('trio = { word = "terna", plural = "{x!r:>300000000}" }', "word 'trio' is not at most 30 letters"),
    ('trio = ""', "word 'trio' is not a word"),
    ("trio = 3", "word 'trio' is not a word"),
    ('trio = { gender = "f" }', "word 'trio' is not a word"),
    ('trio = { word = "tercia", gender = "x" }', "word 'trio' is not a word"),
    ("\n".join(f'w{number} = "a"' for number in range(61)), "'words' is not a table of at most 60 words"),
]


@pytest.mark.parametrize(("words", "says"), REFUSED)
def test_a_word_that_hides_a_term_or_is_none_is_refused(run: Runner, tmp_path: Path, words: str, says: str) -> None:
    result = run("rules", "show", club(tmp_path, words))
    assert (result.code, result.out) == (ExitCode.REFUSED, "")
    assert says in result.err
    assert "hint: " in result.err
