"""Rules files, read from TOML into frozen values, with errors that name the field, and written again."""

import hashlib
import json
import re
import types
import typing
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from typing import Annotated, Any, Final, Literal

from engine.errors import RulesError, UnknownRules
from engine.rules.consistency import inconsistencies
from engine.rules.values import (
    Between,
    CardValues,
    ClubWord,
    Contracts,
    Knocking,
    Pack,
    Players,
    Rules,
    Run,
    Source,
    TableRules,
    Trio,
)
from engine.text import message, toml_fault, toml_string, toml_tables

COMMON: dict[str, type] = {
    "players": Players,
    "table": TableRules,
    "pack": Pack,
    "trio": Trio,
    "run": Run,
    "values": CardValues,
}
_FAMILY_CLASSES: dict[str, type[Contracts] | type[Knocking]] = {"contract": Contracts, "knock": Knocking}
FAMILY: dict[str, dict[str, type]] = {
    kind: {field.name: typing.get_type_hints(family)[field.name] for field in fields(family)}
    for kind, family in _FAMILY_CLASSES.items()
}
BY_CONTRACT = ("hands.order", "bonus.same_turn_by_contract")
"""The fields that are lists of rows, each of which begins with a contract."""
HEAD = ("id", "kind", "document", "title")
FOR_READERS = ("page", "unwritten", "written")
"""The tables of a rule set's file that no game needs: clauses of sentences, and how contracts are written."""
MAX_WORDS = 60
"""The most words of its own that a club may have."""
MAX_WORD: Final = 30
"""The most letters of such a word, with its blanks and hyphens."""
_LETTERS = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)*")
EARLIER = ("former", "narrower")
"""The digests of earlier rules of a rule set, which may stand in its head."""
_VARIANT = ("set", "before", "after", "refuses")
_WORD_EXAMPLE = message(
    "a word is written {example}", example='trio = "tercia", or trio = { word = "tercia", gender = "f" }'
)
_FIELD_EXAMPLE = message("a field is written {example}", example='claim.limit = { is = 3, clause = "Getxo 2024" }')


def parse_rules(text: str, file: str, variants: tuple[str, ...] = ()) -> Rules:
    """Return the rule set of a file's text with `variants` applied, in the order in which the file has them.

    Raises RulesError, naming file and field, for anything missing, unknown, of the wrong type, out of range or
    inconsistent.
    """
    table = read_toml(text, file)
    for key in HEAD:
        if not isinstance(table.get(key), str):
            raise RulesError("{file}: '{key}' is missing or not text", file=file, key=key)
    if table["kind"] not in FAMILY:
        raise RulesError(
            "{file}: kind is '{table}'; it must be one of {families}",
            file=file,
            table=table["kind"][:20],
            families=", ".join(FAMILY),
        )
    variant_tables = table.pop("variants", {})
    chosen = _select_variants(table["id"], variant_tables, variants)
    for name in chosen:
        _apply_variant(file, table, name, variant_tables[name])
    if chosen:
        forget_earlier(table)
    return build_rules(file, table, "+".join((table["id"], *chosen)))


def forget_earlier(table: dict[str, Any]) -> None:
    """Remove the digests of earlier rules from a table that is about to be changed: it is other rules then."""
    for key in EARLIER:
        table.pop(key, None)


def read_toml(text: str, file: str) -> dict[str, Any]:
    """Return the file's tables; RulesError for text that is not TOML."""
    try:
        return toml_tables(text)
    except (ValueError, RecursionError) as error:  # also raised for a number too long, or nesting too deep, for tomllib
        raise RulesError("{file}: {fault}", file=file, fault=toml_fault(error, text)) from None


def suggestion(name: str, known: Iterable[str], likeness: float, otherwise: str) -> str:
    """Return a hint with the known name that is closest to this one; `otherwise` if none is alike."""
    close = get_close_matches(name, list(known), 1, likeness)
    return message("did you mean '{close}'?", close=close[0]) if close else otherwise


def _select_variants(rules_id: str, known: dict[str, Any], names: tuple[str, ...]) -> list[str]:
    """Return `names` in the order of `known`, the file's variants.

    Raises UnknownRules for an unknown name, RulesError for variants that are named twice or contradict each other.
    """
    for place, name in enumerate(names):
        if name not in known:
            hint = suggestion(name, known, 0.5, message("it has: {known}", known=", ".join(known) or message("none")))
            raise UnknownRules("{rules_id} has no variant '{name}'", hint, rules_id=rules_id, name=name[:40])
        if name in names[:place]:
            raise RulesError("variant '{name}' is named twice", name=name)
        for other in known[name].get("refuses", []):
            if other in names:
                raise RulesError(
                    "variants '{name}' and '{other}' contradict each other",
                    "name one of the two",
                    name=name,
                    other=other,
                )
    return [name for name in known if name in names]


def _apply_variant(file: str, table: dict[str, Any], name: str, change: dict[str, Any]) -> None:
    unknown = sorted(set(change) - set(_VARIANT))
    if unknown:
        raise RulesError(
            "{file}: variant '{name}' has an unknown entry '{unknown}'",
            file=file,
            name=name[:40],
            unknown=unknown[0][:40],
        )
    for path, entry in change.get("set", {}).items():
        group, field = find_field(file, table, path, message("variant '{name}'", name=name))
        group[field] = entry
    for side in ("before", "after"):
        for path, entry in change.get(side, {}).items():
            group, field = find_field(file, table, path, message("variant '{name}'", name=name))
            group[field] = _extend_list(
                message("{file}: field '{path}'", file=file, path=path), group[field], side, entry
            )


def find_field(file: str, table: dict[str, Any], path: str, setter: str) -> tuple[dict[str, Any], str]:
    """Return the table of a field and its name there; RulesError, suggesting the closest field, if there is none."""
    group, _, name = path.partition(".")
    if isinstance(table.get(group), dict) and name in table[group]:
        return table[group], name
    paths = [f"{group}.{name}" for group, rows in table.items() if isinstance(rows, dict) for name in rows]
    hint = suggestion(path, paths, 0.6, message("`tourney rules show` lists the fields"))
    raise RulesError(
        "{file}: {setter} sets '{path}', which is not a field", hint, file=file, setter=setter, path=path[:60]
    )


def _extend_list(label: str, entry: Any, side: str, more: Any) -> dict[str, Any]:
    """Return a list field with a variant's rows added on one `side`, and with both clauses as its source."""
    if not all(isinstance(field, dict) and isinstance(field.get("is"), list) for field in (entry, more)):
        raise RulesError("{label} is not a list, so nothing can be added to it", label=label)
    first, last = (more, entry) if side == "before" else (entry, more)
    clauses = [str(field.get("clause", field.get("silent"))) for field in (first, last)]
    source = "clause" if "clause" in entry else "silent"
    return {"is": [*first["is"], *last["is"]], source: ", ".join(clauses)}


def build_rules(file: str, table: dict[str, Any], rules_id: str) -> Rules:
    """Return the rule set `rules_id` from the tables of a file; RulesError as in `parse_rules`."""
    groups = {**COMMON, **FAMILY[table["kind"]]}
    unknown = sorted(set(table) - set(groups) - set(HEAD) - {*EARLIER, *FOR_READERS, "words"})
    if unknown:
        raise RulesError("{file}: unknown table '{unknown}'", file=file, unknown=unknown[0])
    sources: dict[str, Source] = {}
    parts: dict[str, Any] = {}
    digested: dict[str, Any] = {"kind": table["kind"]}
    for name, kind in groups.items():
        if not isinstance(table.get(name), dict):
            raise RulesError("{file}: table '{name}' is missing", file=file, name=name)
        parts[name], digested[name] = _group(file, name, kind, table[name], sources)
    play = _FAMILY_CLASSES[table["kind"]](**{name: parts.pop(name) for name in FAMILY[table["kind"]]})
    rules = Rules(
        id=rules_id,
        play=play,
        sources=sources,
        digest=hashlib.sha256(json.dumps(digested, sort_keys=True).encode()).hexdigest()[:16],
        **{key: convert(f"{file}: '{key}'", tuple[str, ...], table.get(key, [])) for key in EARLIER},
        **{key: table[key] for key in HEAD if key != "id"},
        words=_words(file, table.get("words", {})),
        **parts,
    )
    for path, reason in inconsistencies(rules):
        raise RulesError("{file}: field '{path}' {reason}", file=file, path=path, reason=reason)
    return rules


def _words(file: str, table: Any) -> tuple[ClubWord, ...]:
    """Return a club's own words; RulesError for anything but a word, or a table of `word`, `plural` and `gender`."""
    if not isinstance(table, dict) or len(table) > MAX_WORDS:
        raise RulesError("{file}: 'words' is not a table of at most {most} words", file=file, most=MAX_WORDS)
    return tuple(_word(f"{file}: word '{term[:40]}'", term, entry) for term, entry in table.items())


def _word(where: str, term: str, entry: Any) -> ClubWord:
    parts = {"word": entry} if isinstance(entry, str) else entry
    if not isinstance(parts, dict) or "word" not in parts or set(parts) - {"word", "plural", "gender"}:
        raise RulesError("{where} is not a word", _WORD_EXAMPLE, where=where)
    if not all(isinstance(text, str) and text for text in parts.values()) or parts.get("gender", "m") not in ("m", "f"):
        raise RulesError("{where} is not a word", _WORD_EXAMPLE, where=where)
    for text in (parts["word"], parts.get("plural", "x")):
        # The word is put into sentences: anything else would be filled in, or drawn, there.
        if len(text) > MAX_WORD or not _LETTERS.fullmatch(text):
            problem = message(
                "{where} is not at most {most} letters: '{word}'", where=where, word=text[:40], most=MAX_WORD
            )
            raise RulesError(problem, _WORD_EXAMPLE)
    return ClubWord(term, **parts)


def _group(
    file: str, name: str, kind: type, table: dict[str, Any], sources: dict[str, Source]
) -> tuple[Any, dict[str, Any]]:
    """Return a table as its dataclass, and the values that the digest covers; add its fields' sources to `sources`."""
    assert is_dataclass(kind)
    hints = typing.get_type_hints(kind, include_extras=True)
    unknown = sorted(set(table) - set(hints))
    if unknown:
        raise RulesError("{file}: unknown field '{name}.{unknown}'", file=file, name=name, unknown=unknown[0])
    values: dict[str, Any] = {}
    digested: dict[str, Any] = {}
    for field, hint in hints.items():
        path = f"{name}.{field}"
        if field not in table:
            raise RulesError("{file}: field '{path}' is missing", file=file, path=path)
        entry = table[field]
        if not isinstance(entry, dict) or "is" not in entry:
            raise RulesError(
                "{file}: field '{path}' is {entry}; it must have a value and its clause",
                _FIELD_EXAMPLE,
                file=file,
                path=path,
                entry=_shown(entry),
            )
        sources[path] = _source(message("{file}: field '{path}'", file=file, path=path), entry)
        digested[field] = _normalised_rows(entry["is"]) if path in BY_CONTRACT else entry["is"]
        values[field] = convert(message("{file}: field '{path}'", file=file, path=path), hint, digested[field])
    return kind(**values), digested


def _normalised_rows(rows: Any) -> Any:
    """Return rows with the T of each contract first: document 003 writes TET and ETE for TTE and TEE."""
    if not isinstance(rows, list):
        return rows
    named = [isinstance(row, list) and bool(row) and isinstance(row[0], str) for row in rows]
    pairs = zip(rows, named, strict=True)
    return [[_normalised_contract(row[0]), *row[1:]] if has_contract else row for row, has_contract in pairs]


def _normalised_contract(contract: str) -> str:
    return contract if set(contract) - {"T", "E"} else "".join(sorted(contract, reverse=True))


def _source(where: str, entry: dict[str, Any]) -> Source:
    """Return the source of a field: exactly one of `clause` and `silent`."""
    given = {key: entry[key] for key in ("clause", "silent") if key in entry}
    if len(given) != 1 or set(entry) != {"is", *given} or not all(isinstance(text, str) for text in given.values()):
        raise RulesError(
            "{where} must name its clause or, if the document is silent, the ambiguity", _FIELD_EXAMPLE, where=where
        )
    ((key, clause),) = given.items()
    return Source(clause, key == "silent")


def convert(where: str, hint: Any, value: Any) -> Any:
    """Return the TOML value converted to the type `hint`; "none" becomes None for an optional type.

    Raises RulesError for a value of another type, or outside the range or the choices that the type gives.
    """
    origin, options = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        return _check_range(where, options[1], convert(where, options[0], value))
    if origin is Literal:
        if any(type(value) is type(option) and value == option for option in options):
            return value
        raise RulesError(
            "{where} is {value}; it must be one of {options}",
            where=where,
            value=_shown(value),
            options=", ".join(map(repr, options)),
        )
    if origin in (types.UnionType, typing.Union):
        return None if value == "none" else _convert_optional(where, options[0], value)
    if origin is tuple:
        if not isinstance(value, list) or (options[-1] is not Ellipsis and len(options) != len(value)):
            raise RulesError("{where} has a list of the wrong shape: {value}", where=where, value=_shown(value))
        inner = [options[0]] * len(value) if options[-1] is Ellipsis else list(options)
        return tuple(convert(where, kind, item) for kind, item in zip(inner, value, strict=True))
    if type(value) is not hint:
        raise RulesError(
            "{where} is {value}; it must be {kind}",
            where=where,
            value=_shown(value),
            kind=_TYPE_NAMES.get(hint, hint.__name__),
        )
    return value


def _convert_optional(where: str, hint: Any, value: Any) -> Any:
    try:
        return convert(where, hint, value)
    except RulesError as error:
        raise RulesError("{reason}, or 'none'", error.hint, reason=error.reason) from None


_TYPE_NAMES = {int: message("a whole number"), str: message("a text")}


def _check_range(where: str, limits: Between, value: int) -> int:
    if limits.least <= value <= limits.most:
        return value
    raise RulesError(
        "{where} is {value}; it must be from {least} to {most}",
        where=where,
        value=_shown(value),
        least=limits.least,
        most=limits.most,
    )


def _shown(value: Any) -> str:
    """Return the value as text for messages, cut off after 60 characters."""
    try:
        text = repr(value)
    except ValueError:  # a number of more digits than Python writes
        return message("a number far too big")
    return text if len(text) <= 60 else text[:60] + "…"


def write_rules(rules: Rules) -> str:
    """Return the rule set as the text of a rules file; `parse_rules` reads an equal rule set from it."""
    lines = [f"{key} = {toml_string(getattr(rules, key))}" for key in ("id", "kind", "document", "title")]
    lines += [f"{key} = {_value(getattr(rules, key))}" for key in EARLIER if getattr(rules, key)]
    for name, table in _tables(rules).items():
        lines += ["", f"[{name}]", *(_field(rules, name, field.name, table) for field in fields(table))]
    if rules.words:
        lines += ["", "[words]", *map(_written_word, rules.words)]
    return "\n".join(lines) + "\n"


def _written_word(word: ClubWord) -> str:
    """Return the line of a club's own word, with the parts that its file has."""
    parts = {"word": word.word, "plural": word.plural, "gender": word.gender}
    listed = ", ".join(f"{name} = {toml_string(text)}" for name, text in parts.items() if text)
    return f"{toml_string(word.term)} = {{ {listed} }}"


def _tables(rules: Rules) -> dict[str, Any]:
    """Return the dataclasses of the file's tables, by name."""
    tables: dict[str, Any] = {name: getattr(rules, name) for name in COMMON}
    return tables | {field.name: getattr(rules.play, field.name) for field in fields(rules.play)}


def _field(rules: Rules, table_name: str, name: str, table: Any) -> str:
    """Return the line of a field: its name, value and source."""
    source = rules.sources[f"{table_name}.{name}"]
    key = "silent" if source.silent else "clause"
    return f"{name} = {{ is = {_value(getattr(table, name))}, {key} = {toml_string(source.clause)} }}"


def _value(value: Any) -> str:
    """Return a field's value as TOML."""
    if value is None:
        return '"none"'
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    return toml_string(value) if isinstance(value, str) else str(value)
