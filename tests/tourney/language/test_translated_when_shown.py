"""Tests that a sentence is translated when it is shown, not when its module is imported.

A page may have another language than the start of the program. Help is the exception: it is in the language of the
command line, which is known before a command is imported.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

import tourney
from tests.harness.pages.catalogue import templates

PACKAGE = Path(tourney.__file__).parent
COMMANDS = PACKAGE / "cli"
MODULES = sorted(PACKAGE.rglob("*.py"))
TRANSLATING = {"_", "ngettext", "pgettext"}
"""The functions that choose a language."""
HELP = {"command", "callback", "noun", "Option", "Argument", "_option", "_number"}
"""The calls that make help pages."""
HEADINGS = {"COMMON", "LAYOUT"}
"""Constants of help that a function uses: it makes a help page."""
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def named(node: ast.AST) -> str:
    """Return the name of the function that a call or a decorator names."""
    node = node.func if isinstance(node, ast.Call) else node
    return getattr(node, "id", getattr(node, "attr", ""))


def at_import(node: ast.AST) -> list[ast.AST]:
    """Return a node and those below it that run when its module is imported: of a function, all but its body."""
    found = [node]
    for part in found:
        if isinstance(part, FUNCTION):
            found += [*part.decorator_list, part.args]
        elif isinstance(part, ast.Lambda):
            found.append(part.args)
        else:
            found += ast.iter_child_nodes(part)
    return found


def calls(nodes: list[ast.AST], names: set[str]) -> list[ast.Call]:
    """Return the calls of functions with these names."""
    return [node for node in nodes if isinstance(node, ast.Call) and named(node) in names]


def constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield the constants of a module that are a sentence, with their values."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and named(node.value) in TRANSLATING:
            yield from ((named(target), node.value) for target in node.targets)


def faults(tree: ast.Module, help_pages: bool) -> list[str]:
    """Return what a module translates too early; `help_pages` for one of the command line, which may do so for help."""
    nodes = at_import(tree)
    early = calls(nodes, TRANSLATING)
    helping = dict(constants(tree)) if help_pages else {}
    if help_pages:
        fine = {id(node) for call in calls(nodes, HELP) for node in at_import(call)} | set(map(id, helping.values()))
        early = [call for call in early if id(call) not in fine]
    imported = set(nodes)
    inside = [node for node in ast.walk(tree) if node not in imported]
    used = {node.id for node in inside if isinstance(node, ast.Name)} if helping else set()
    cached = [
        node.name
        for node in (*nodes, *inside)
        if isinstance(node, FUNCTION)
        and {"cache", "lru_cache"} & set(map(named, node.decorator_list))
        and calls(list(ast.walk(node)), TRANSLATING)
    ]
    return [*(f"line {call.lineno}" for call in early), *sorted(used & set(helping) - HEADINGS), *cached]


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if b"import _" in path.read_bytes() or b"gettext" in path.read_bytes()],
    ids=lambda path: path.relative_to(PACKAGE).as_posix(),
)
def test_a_module_translates_nothing_at_import_but_help(path: Path) -> None:
    """A sentence would keep the language of the start; so would one that a function keeps for later calls."""
    assert faults(ast.parse(path.read_bytes()), path.is_relative_to(COMMANDS)) == []


def kept(template: str) -> list[int]:
    """Return the lines on which a template sets a name to a translation outside of its blocks and macros.

    Such a name is kept from the first import of the template on.
    """
    tree = Environment(extensions=["jinja2.ext.i18n"]).parse(template)
    early = nodes.Template([node for node in tree.body if not isinstance(node, nodes.Block | nodes.Macro)])
    names = [name for each in early.find_all((nodes.Assign, nodes.AssignBlock)) for name in each.find_all(nodes.Name)]
    return [name.lineno for name in names if name.name in TRANSLATING]


@pytest.mark.parametrize("path", templates(), ids=lambda path: path.name)
def test_a_template_translates_nothing_when_it_is_imported(path: Path) -> None:
    assert kept(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("{% set a = _('b') %}", [1]),
        ("{% if true %}\n{% set a = pgettext('a', 'b') %}{% endif %}", [2]),
        ("{% set a %}{{ _('b') }}{% endset %}", [1]),
        ("{% macro a() %}{% set b = _('c') %}{{ b }}{% endmacro %}", []),
        ("{% block a %}{% set b = _('c') %}{{ b }}{% endblock %}", []),
        ("{{ _('a') }}", []),
    ],
)
def test_a_translation_that_a_template_keeps_is_found(template: str, found: list[int]) -> None:
    assert kept(template) == found


@pytest.mark.slow
def test_no_function_that_runs_at_import_translates() -> None:
    """The language is chosen when the first sentence is translated: all modules but those of commands leave it open."""
    names = [
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        for path in MODULES
        if not path.is_relative_to(COMMANDS) and path.name != "__main__.py"
    ]
    program = f"import importlib; [*map(importlib.import_module, {names})]; from tourney.text import i18n; "
    shown = subprocess.run(
        [sys.executable, "-c", f"{program}print(i18n._spoken)"], capture_output=True, text=True, check=True
    )
    assert shown.stdout == "[]\n"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("X = _('a')", ["line 1"]),
        ("X = {'b': [ngettext('a', 'c', 2)]}", ["line 1"]),
        ("class A:\n    x: str = pgettext('a', 'b')", ["line 2"]),
        ("def f(x=_('a')): pass", ["line 1"]),
        ("f = lambda x=_('a'): x", ["line 1"]),
        ("@cache\ndef f(): return _('a')", ["f"]),
        ("def f(): return _('a')\ng = lambda: _('a')", []),
        ("X = marked('a')", []),
    ],
)
def test_each_early_translation_is_found(source: str, found: list[str]) -> None:
    assert faults(ast.parse(source), help_pages=False) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("@app.command(help=_('a'))\ndef f(x=typer.Option(help=_('b'))): pass", []),
        ("X = _('a')\n@app.command(help=X)\ndef f(): pass", []),
        ("X = _('a')\ndef f(): return X", ["X"]),
        ("X = {'b': _('a')}", ["line 1"]),
    ],
)
def test_help_may_be_translated_at_import_and_nothing_else_of_a_command(source: str, found: list[str]) -> None:
    assert faults(ast.parse(source), help_pages=True) == found
