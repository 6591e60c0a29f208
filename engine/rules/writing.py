"""Writing a rule set as the text of a rules file."""

from dataclasses import fields
from typing import Any

from engine.rules.values import Rules
from engine.text import toml_string

_GROUPS = ("players", "table", "pack", "trio", "run", "values")


def write_rules(rules: Rules) -> str:
    """Return the whole text of the rule set, variants applied; `parse_rules` gives it back equal."""
    lines = [f"{key} = {toml_string(getattr(rules, key))}" for key in ("id", "kind", "document", "title")]
    if rules.former:
        lines.append(f"former = {_value(rules.former)}")
    for name, group in _tables(rules).items():
        lines += ["", f"[{name}]", *(_field(rules, name, field.name, group) for field in fields(group))]
    return "\n".join(lines) + "\n"


def _tables(rules: Rules) -> dict[str, Any]:
    """Return the dataclasses of the file's tables, by name."""
    tables: dict[str, Any] = {name: getattr(rules, name) for name in _GROUPS}
    return tables | {field.name: getattr(rules.play, field.name) for field in fields(rules.play)}


def _field(rules: Rules, group: str, name: str, owner: Any) -> str:
    source = rules.sources[f"{group}.{name}"]
    kind = "silent" if source.silent else "clause"
    return f"{name} = {{ is = {_value(getattr(owner, name))}, {kind} = {toml_string(source.clause)} }}"


def _value(value: Any) -> str:
    if value is None:
        return '"none"'
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    return toml_string(value) if isinstance(value, str) else str(value)
