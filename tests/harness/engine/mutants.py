"""Make mutants: a rule set's file with one field or variant changed, or a product module with one place changed.

A mutant has a name that stays valid when lines move: `fournier.toml run.most none`, `oficial.toml +scaled off`, or
`engine.contract.turn refuse_claim 2 not`, the change `not` at the third place of the function where it can be made.
"""

import ast
import importlib.util
import re
import sys
import tomllib
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

ENGINE = Path(__file__).resolve().parents[3] / "engine"
RULESETS = ENGINE / "rulesets"


# --- rules files ----------------------------------------------------------------------------------------


def file_mutants(file: str) -> Iterator[str]:
    """Yield the names of a rules file's mutants: each field with each other value, and each variant without effect."""
    from engine.rules.reading import COMMON, FAMILY

    table = tomllib.loads((RULESETS / file).read_text(encoding="utf-8"))
    groups = {**COMMON, **FAMILY[table["kind"]]}
    for group, kind in groups.items():
        for field, hint in typing.get_type_hints(kind, include_extras=False).items():
            for value in _other_values(hint, table[group][field]["is"]):
                yield f"{file} {group}.{field} {_toml(value)}"
    for variant in table.get("variants", {}):
        yield f"{file} +{variant} off"


def _other_values(hint: Any, value: Any) -> list[Any]:
    """Return other values of the type `hint`, near the given value."""
    origin, options = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return [other for other in options if other != value]
    if value == "none":
        return [1, 3, 5, -50]
    if isinstance(value, int):
        return [value + 1, value - 1, *(["none"] if type(None) in options else [])]
    return _other_lists(value)


def _other_lists(rows: list[Any]) -> list[Any]:
    """Return the list without its last row, with its last two rows exchanged, and with each number plus one."""
    changed: list[Any] = [rows[:-1]] if len(rows) > 1 else []
    if len(rows) > 1 and rows[-1] != rows[-2]:
        changed.append([*rows[:-2], rows[-1], rows[-2]])
    for index, row in enumerate(rows):
        if isinstance(row, int):
            changed.append([*rows[:index], row + 1, *rows[index + 1 :]])
        elif isinstance(row, list):
            for column, number in enumerate(row):
                if isinstance(number, int):
                    changed.append([*rows[:index], [*row[:column], number + 1, *row[column + 1 :]], *rows[index + 1 :]])
    return changed


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ",".join(map(_toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def mutated_file(name: str) -> str:
    """Return the text of the mutated rules file."""
    file, path, value = name.split(" ", 2)
    text = (RULESETS / file).read_text(encoding="utf-8")
    if path.startswith("+"):
        return _without_effect(text, path[1:])
    return with_field(text, path, value)


def with_field(text: str, path: str, value: str) -> str:
    """Return the text of a rules file with the field at `path` (`run.most`) changed to `value`, as TOML text."""
    group, field = path.split(".")
    head, tail = text.split(f"[{group}]", 1)
    row = rf"(?m)^({field} = \{{ is = ).*?(, (?:clause|silent) = )"
    tail, count = re.subn(row, lambda match: match[1] + value + match[2], tail, count=1)
    assert count == 1, f"no field {path}"
    return f"{head}[{group}]{tail}"


def _without_effect(text: str, variant: str) -> str:
    """Return the text of the file with the variant's changes removed."""
    parts = re.split(r"(?m)^(?=\[)", text)
    name = re.escape(variant)
    kept = [part for part in parts if not re.match(rf"\[variants\.{name}\.(set|before|after)\]", part)]
    assert len(kept) < len(parts), f"no variant {variant}"
    if not any(re.match(rf"\[variants\.{name}\]", part) for part in kept):
        kept.append(f"\n[variants.{variant}]\n")
    return "".join(kept)


# --- modules --------------------------------------------------------------------------------------------

_REPLACEMENTS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
CHANGES = ("compared", "not", "andor", "number", "gone", "swapped")
"""The changes: another comparison, a negated condition, `and` for `or` or back, a number plus one, no statement, and
two statements of a function in the other order."""


@dataclass
class _Changer(ast.NodeTransformer):
    """Make one change in one function; with place -1 only count in `seen` the places where it could be made."""

    function: str
    change: str
    place: int
    inside: str = ""
    seen: int = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        before, self.inside = self.inside, f"{self.inside}.{node.name}".strip(".")
        node.body = self._in_another_order([self.visit(part) for part in node.body])
        self.inside = before
        return node

    def _in_another_order(self, body: list[ast.stmt]) -> list[ast.stmt]:
        for first in range(len(body) - 1):
            if self._is_named_place("swapped"):
                return [*body[:first], body[first + 1], body[first], *body[first + 2 :]]
        return body

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        before, self.inside = self.inside, node.name
        node.body = [self.visit(part) for part in node.body]
        self.inside = before
        return node

    def _is_named_place(self, change: str) -> bool:
        """Count a place where the change could be made; return whether it is the one that the mutant names."""
        if change != self.change or self.inside != self.function:
            return False
        self.seen += 1
        return self.seen - 1 == self.place

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if self._is_named_place("compared"):
            node.ops = [_REPLACEMENTS[type(node.ops[0])](), *node.ops[1:]]
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if self._is_named_place("not"):
            node.test = ast.UnaryOp(ast.Not(), node.test)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        if self._is_named_place("andor"):
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int and self._is_named_place("number"):
            return ast.copy_location(ast.Constant(node.value + 1), node)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return node if isinstance(node.value, ast.Constant) else self._without_statement(node)

    def _without_statement(self, node: ast.stmt) -> ast.AST:
        self.generic_visit(node)
        return ast.copy_location(ast.Pass(), node) if self._is_named_place("gone") else node

    visit_Assign = visit_AugAssign = visit_Raise = _without_statement  # noqa: N815 - the names are those of ast.NodeTransformer


def module_mutants(module: str) -> Iterator[str]:
    """Yield the names of a module's mutants, function by function."""
    tree = ast.parse(_source(module).read_text(encoding="utf-8"))
    for function in _functions(tree, ""):
        for change in CHANGES:
            counter = _Changer(function, change, -1)
            counter.visit(ast.parse(_source(module).read_text(encoding="utf-8")))
            yield from (f"{module} {function} {place} {change}" for place in range(counter.seen))


def _functions(tree: ast.AST, inside: str) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            name = f"{inside}.{node.name}".strip(".")
            yield name
            yield from _functions(node, name)
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, node.name)


def _source(module: str) -> Path:
    return ENGINE.parent / f"{module.replace('.', '/')}.py"


class MutatedModule(MetaPathFinder, Loader):
    """Import the mutated module in place of the real one; must be the first of `sys.meta_path`."""

    def __init__(self, name: str) -> None:
        self.module, function, place, change = name.split(" ")
        changer = _Changer(function, change, int(place))
        tree = changer.visit(ast.parse(_source(self.module).read_text(encoding="utf-8")))
        assert changer.seen > int(place), f"no such place: {name}"
        self._code = compile(ast.fix_missing_locations(tree), str(_source(self.module)), "exec")

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if fullname != self.module:
            return None
        return importlib.util.spec_from_file_location(fullname, _source(fullname), loader=self)

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(self._code, module.__dict__)


# --- application -----------------------------------------------------------------------------------------


def apply(name: str) -> None:
    """Make the engine of this process the mutant; a mutated module must not have been imported."""
    if not name.split(" ")[0].endswith(".toml"):
        mutated = MutatedModule(name)
        assert mutated.module not in sys.modules, f"{mutated.module} is imported already"
        sys.meta_path.insert(0, mutated)
        return
    from engine.rules import loading

    text, base, real = mutated_file(name), name.split(" ")[0].removesuffix(".toml"), loading._text
    loading._text = lambda asked: text if asked == base else real(asked)
