"""Check the rules files that the loader accepts, and those that it refuses by file and field."""

import re
from dataclasses import FrozenInstanceError

import pytest

from engine.cards import parse_cards
from engine.errors import RulesError
from engine.melds import RUN, TRIO, Kind, fault
from engine.rules import all_rules, load_rules, parse_rules
from tests.harness.engine.positions import OFICIAL, changed
from tests.harness.engine.rule_texts import OFICIAL_TEXT


def test_the_official_rules_are_the_first_rule_set() -> None:
    """Check that the default rule set is listed first, loaded once and frozen."""
    assert all_rules()[0] == "oficial"
    assert load_rules("oficial") is load_rules("oficial")
    assert (OFICIAL.id, OFICIAL.kind, OFICIAL.document) == ("oficial", "contract", "003")
    with pytest.raises(FrozenInstanceError):
        OFICIAL.id = "other"


def test_the_digest_is_of_the_values_alone() -> None:
    """Another title, clause or comment does not change the digest; another value does."""
    prose = OFICIAL_TEXT.replace("Reglamento oficial del", "El").replace('"003/1.10"', '"003/9"') + "\n# a remark\n"
    assert parse_rules(prose, "prose").digest == OFICIAL.digest
    digests = {OFICIAL.digest, changed("players.most", "3").digest, changed("bonus.same_turn", "-50").digest}
    digests |= {changed("claim.limit", "3").digest, changed("hands.order", '[["TT", 7]]').digest}
    assert len(digests) == 5


def refused(text: str) -> str:
    """Return the message that refuses the text, after checking that it is one line and names the file."""
    with pytest.raises(RulesError) as caught:
        parse_rules(text, "club.toml")
    assert "\n" not in str(caught.value)
    assert "club.toml" in str(caught.value)
    return str(caught.value)


FIELDS = sorted(OFICIAL.sources)


@pytest.mark.parametrize("path", FIELDS)
def test_a_missing_field_is_named(path: str) -> None:
    """Leave out each field of the file."""
    group, name = path.split(".")
    head, tail = OFICIAL_TEXT.split(f"[{group}]", 1)
    tail = re.sub(rf"(?m)^{name} = .*\n", "", tail, count=1)
    assert f"'{path}' is missing" in refused(f"{head}[{group}]{tail}")


@pytest.mark.parametrize("path", FIELDS)
@pytest.mark.parametrize("value", ["true", "1.5", '"nonsense"', "{ a = 1 }", "[[[1]]]"])
def test_a_field_of_the_wrong_type_is_named(path: str, value: str) -> None:
    """Give each field values of types that no field has."""
    with pytest.raises(RulesError, match=re.escape(f"'{path}'")):
        changed(path, value)


@pytest.mark.parametrize("group", sorted({path.split(".")[0] for path in FIELDS}))
def test_a_missing_or_unknown_table_is_named(group: str) -> None:
    """A table under another name is unknown, or the one without it missing; an unknown field is named too."""
    assert re.search(r"unknown table|is missing", refused(OFICIAL_TEXT.replace(f"[{group}]", "[other]")))
    assert f"unknown field '{group}.more'" in refused(
        OFICIAL_TEXT.replace(f"[{group}]", f'[{group}]\nmore = {{ is = 1, clause = "003/1.1" }}')
    )


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('id = "oficial"\n', "", "'id' is missing"),
        ('kind = "contract"', 'kind = "bridge"', "kind is 'bridge'"),
        ('kind = "contract"', 'kind = "knock"', "unknown table"),
        ('kind = "contract"', "kind = 1", "'kind' is missing or not text"),
        ("[players]", "[players", "club.toml"),
        (', clause = "003/1.6" }', " }", "must name its clause"),
        ('silent = "A-09" }', 'silent = "A-09", clause = "003/1.5" }', "must name its clause"),
        ('silent = "A-09" }', 'silent = "A-09", note = "x" }', "must name its clause"),
    ],
)
def test_other_faults_of_a_file_are_refused(old: str, new: str, says: str) -> None:
    """Check faults of the header, the family, the syntax and the source of a field."""
    assert old in OFICIAL_TEXT
    assert says in refused(OFICIAL_TEXT.replace(old, new, 1))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("oficiel", "did you mean 'oficial'"),
        ("bridge-of-sighs", "there are: oficial"),
        ("", "no rule set"),
        ("oficial+nonsense", "no variant 'nonsense'"),
        ("../oficial", "no rule set"),
    ],
)
def test_an_unknown_name_gets_a_hint(name: str, says: str) -> None:
    """The message suggests the closest name, or lists the names."""
    with pytest.raises(RulesError, match=re.escape(says)):
        load_rules(name)


VARIANTS = (
    OFICIAL_TEXT
    + """
[variants.steps.set]
"bonus.same_turn_by_contract" = { is = [["TT", -10], ["TE", -20]], clause = "003/2.6" }
[variants.flat]
refuses = ["steps"]
[variants.flat.set]
"bonus.same_turn" = { is = -50, clause = "003/2.7" }
[variants.broken.set]
"bonus.nothing" = { is = 1, clause = "003/2" }
"""
)


def test_a_variant_sets_its_fields() -> None:
    """A field that a variant sets has its value and source; the id names the variants."""
    found = parse_rules(VARIANTS, "club.toml", ("steps",))
    assert (found.id, found.contracts.bonus.same_turn_by_contract) == ("oficial+steps", (("TT", -10), ("TE", -20)))
    assert found.clause("bonus.same_turn_by_contract") == "003/2.6"
    assert found.digest != OFICIAL.digest == parse_rules(VARIANTS, "club.toml").digest


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (("flat", "steps"), "contradict each other"),
        (("steps", "flat"), "contradict each other"),
        (("steps", "steps"), "named twice"),
        (("step",), "did you mean 'steps'"),
        (("broken",), "which is not a field"),
    ],
)
def test_variants_that_cannot_be_applied_are_refused(names: tuple[str, ...], says: str) -> None:
    """Check contradictions in either order, a repeated variant, an unknown one, and one that sets an unknown field."""
    with pytest.raises(RulesError, match=says):
        parse_rules(VARIANTS, "club.toml", names)


SCHEDULE = [(4, 1, 2, 4), (4, 2, 2, 4), (4, 3, 3, 6), (5, 2, 2, 4), (8, 3, 3, 6), (8, 5, 4, 8), (5, 7, 4, 8)]


@pytest.mark.parametrize(("players", "hand", "packs", "jokers"), SCHEDULE)
def test_packs_and_jokers_follow_the_schedule_of_the_file(players: int, hand: int, packs: int, jokers: int) -> None:
    """Document 000: two packs, three from hand 3, and for five players or more four from hand 5."""
    schedule = "[[4, 1, 2], [4, 3, 3], [8, 1, 2], [8, 3, 3], [8, 5, 4]]"
    text = OFICIAL_TEXT.replace("[[4, 1, 2]]", schedule).replace("[[4, 3]]", "[[8, 2]]")
    rules = parse_rules(text, "club.toml")
    assert (rules.packs(players, hand), rules.jokers(players, hand)) == (packs, jokers)


def test_packs_and_jokers_for_too_many_players_are_refused() -> None:
    """The file has packs and jokers for four players, not for five."""
    with pytest.raises(RulesError, match="no packs for 5 players"):
        OFICIAL.packs(5)
    with pytest.raises(RulesError, match="no jokers for 5 players"):
        OFICIAL.jokers(5)


@pytest.mark.parametrize(
    ("kind", "field", "cards", "message"),
    [
        (TRIO, "trio.naturals", "Jk Jk Jk", "a trio needs 1 card other than jokers: Jk Jk Jk"),
        (RUN, "run.naturals", "7h Jk Jk Jk", "a run needs 2 cards other than jokers: 7h Jk Jk Jk"),
        (RUN, "", "Jk Jk Jk Jk", "a run needs 1 card other than jokers: Jk Jk Jk Jk"),
    ],
)
def test_refusals_of_melds_use_singular_and_plural(kind: Kind, field: str, cards: str, message: str) -> None:
    """Check "1 card" and "2 cards" in the reasons."""
    values = {"trio.naturals": "1", "run.naturals": "2"}
    rules = changed(field, values[field]) if field else OFICIAL
    refusal = fault(rules, kind, parse_cards(cards))
    assert refusal is not None
    assert refusal.reason == message
