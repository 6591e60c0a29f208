"""Rule sets by name: the built-in ones with their variants, and the files of clubs, which change one of them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from engine.errors import RulesError, UnknownRules
from engine.rules.reading import (
    build_rules,
    find_field,
    forget_earlier,
    parse_rules,
    read_toml,
    suggestion,
    write_rules,
)
from engine.rules.values import Rules
from engine.text import message

CLUB_KEYS = ("id", "base", "title", "set", "words")
"""The keys of a club's own file."""
MAX_BYTES = 1_000_000
"""The maximum size of a club's file in bytes; the built-in files have 3,000 to 6,000."""


def all_rules() -> tuple[str, ...]:
    """Return the ids of the built-in rule sets, the default first."""
    folder = resources.files("engine") / "rulesets"
    names = sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return tuple(sorted(names, key=lambda name: name != "oficial"))


def load_rules(name: str) -> Rules:
    """Return a built-in rule set by name, with variants after plus signs, or a club's own by the path of a .toml file.

    Raises UnknownRules if there is none, RulesError for variants that contradict each other and for a file with
    impossible values.
    """
    return _read_club_file(Path(name)) if name.endswith(".toml") else named_rules(name)


def named_rules(name: str) -> Rules:
    """Return a built-in rule set as `load_rules`: a name from a file of others never means a file here."""
    return _built_in(name.strip())


@cache
def variants_of(base: str) -> tuple[str, ...]:
    """Return the variants of a built-in rule set, in the order of its file."""
    return tuple(read_toml(_text(base), f"{base}.toml").get("variants", {}))


def page_clauses(document: str) -> Mapping[str, str]:
    """Map each sentence of a document's rules page that no rules field decides to its clause.

    The clauses stand under `[page]` in the rule set's file; its variants and the club rules based on it use them too.
    """
    return _of_document(document, "page")


def unwritten(document: str) -> Mapping[str, str]:
    """Map each sentence that no rules field decides, and that a document's page lacks, to the reason."""
    return _of_document(document, "unwritten")


def written_contracts(document: str) -> Mapping[str, str]:
    """Map each contract that a document writes otherwise than we do, such as TTE, to what it writes, such as TET."""
    return _of_document(document, "written")


@cache
def _of_document(document: str, key: str) -> Mapping[str, str]:
    """Return the table of that key in the file of the rule set of a document; empty if there is none."""
    for base in all_rules():
        table = read_toml(_text(base), f"{base}.toml")
        if table["document"] == document:
            found: dict[str, str] = table.get(key, {})
            return found
    return {}


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of a built-in rule set: its name, its fields, their clause, and the variants that it refuses."""

    name: str
    fields: tuple[str, ...]
    clause: str
    refuses: tuple[str, ...]


@cache
def listed_variants(base: str) -> tuple[Variant, ...]:
    """Return the variants of a built-in rule set, in the order of its file."""
    table = read_toml(_text(base), f"{base}.toml").get("variants", {})
    return tuple(_variant(name, entry) for name, entry in table.items())


def _variant(name: str, table: dict[str, Any]) -> Variant:
    fields = {path: field for part in ("set", "before", "after") for path, field in table.get(part, {}).items()}
    clauses = dict.fromkeys(field["clause"] if "clause" in field else field["silent"] for field in fields.values())
    return Variant(name, tuple(fields), ", ".join(clauses), tuple(table.get("refuses", ())))


@cache
def _built_in(name: str) -> Rules:
    base, *variants = name.split("+")
    return parse_rules(_text(base), f"{base}.toml", tuple(variants))


def _text(base: str) -> str:
    """Return the text of a built-in rule set; UnknownRules, suggesting the closest name, if there is none."""
    if base not in all_rules():
        hint = suggestion(base, all_rules(), 0.5, message("there are: {known}", known=", ".join(all_rules())))
        raise UnknownRules("no rule set '{base}'", hint, base=base[:40])
    return (resources.files("engine") / "rulesets" / f"{base}.toml").read_text(encoding="utf-8")


def _read_club_file(path: Path) -> Rules:
    if path.exists() and not path.is_file():
        # Not a regular file: reading a pipe or a device may never end.
        raise RulesError("{path} cannot be read: this is not a file", "give the path of a club's own rules", path=path)
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise RulesError(
                "{name}: the file is too large: the limit is {most} bytes",
                "is it the right file?",
                name=path.name,
                most=MAX_BYTES,
            )
        text = raw.decode("utf-8-sig")
    except FileNotFoundError:
        raise UnknownRules("there is no file {path}", "give the path of a club's own rules", path=path) from None
    except UnicodeDecodeError as error:
        raise RulesError(
            "{name}: byte {start} is not UTF-8", "save the file as UTF-8", name=path.name, start=error.start
        ) from None
    except OSError as error:
        raise RulesError("{path} cannot be read: {strerror}", path=path, strerror=error.strerror) from None
    return club_rules(text, path.name)


def club_rules(text: str, file: str) -> Rules:
    """Return a club's own rules: `id`, `base` (as in `oficial+scaled`), `title`, and the fields that it changes.

    A field is written `"claim.limit" = { is = 3, clause = "Getxo 2024" }` under `[set]`, a word of the club's own
    `trio = "tercia"` under `[words]`. Raises RulesError naming file and field.
    """
    table = read_toml(text, file)
    unknown = sorted(set(table) - set(CLUB_KEYS))
    if unknown:
        raise RulesError(
            "{file}: unknown entry '{unknown}'",
            message("it may have: {known}", known=", ".join(CLUB_KEYS)),
            file=file,
            unknown=unknown[0][:40],
        )
    for key in ("id", "base", "title"):
        if not isinstance(table.get(key), str):
            raise RulesError("{file}: '{key}' is missing or not text", file=file, key=key)
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", table["id"]):
        raise RulesError(
            "{file}: 'id' is '{table}'",
            "use lowercase letters, digits and hyphens, at most 40",
            file=file,
            table=table["id"][:40],
        )
    if table["id"] in all_rules():
        raise RulesError(
            "{file}: 'id' is '{table}', the id of a built-in rule set",
            "give your rules another name",
            file=file,
            table=table["id"],
        )
    return _resolve_club_rules(file, table)


def _resolve_club_rules(file: str, table: dict[str, Any]) -> Rules:
    try:
        base = _built_in(table["base"].strip())
    except RulesError as error:
        raise RulesError("{file}: 'base': {reason}", error.hint, file=file, reason=error.reason) from None
    resolved = read_toml(write_rules(base), file)
    forget_earlier(resolved)
    resolved |= {"id": table["id"], "title": table["title"], "words": table.get("words", {})}
    changes = table.get("set", {})
    if not isinstance(changes, dict):
        raise RulesError("{file}: 'set' is not a table of fields", file=file)
    for path, entry in _flatten(file, changes).items():
        group, name = find_field(file, resolved, path, "'set'")
        group[name] = entry
    return build_rules(file, resolved, table["id"])


def _flatten(file: str, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the changes by path, as in `claim.limit`, from nested or flat keys; RulesError for a path set twice."""
    flat: dict[str, Any] = {}
    for name, entry in changes.items():
        is_nested = "." not in name and isinstance(entry, dict) and "is" not in entry
        by_path = {f"{name}.{field}": value for field, value in entry.items()} if is_nested else {name: entry}
        twice = sorted(set(by_path) & set(flat))
        if twice:
            raise RulesError(
                "{file}: 'set' sets '{twice}' twice", "remove one of the two", file=file, twice=twice[0][:60]
            )
        flat |= by_path
    return flat


def with_hands(rules: Rules, contracts: Sequence[str]) -> Rules:
    """Return the rules of a game that has only these hands, with the packs that each has in the whole game.

    Raises RulesError for contracts that the rules lack or have in another order, and for none.
    """
    order = [contract for contract, _dealt in rules.contracts.hands.order]
    places = [order.index(contract) + 1 for contract in contracts if contract in order]
    if not contracts or len(places) < len(contracts) or places != sorted(set(places)):
        raise RulesError(
            "{rules} has no hands {hands} in this order",
            message("its hands are {order}", order=" ".join(order)),
            rules=rules.id,
            hands=" ".join(contracts)[:80],
        )
    hands = replace(rules.contracts.hands, order=tuple(rules.contracts.hands.order[place - 1] for place in places))
    sizes = sorted({most for most, _hand, _packs in rules.pack.packs})
    packs = tuple((most, hand, rules.packs(most, place)) for most in sizes for hand, place in enumerate(places, 1))
    changed = replace(
        rules,
        former=(),
        narrower=(),
        pack=replace(rules.pack, packs=packs),
        play=replace(rules.contracts, hands=hands),
    )
    return parse_rules(write_rules(changed), rules.id)
