"""Check the language and the layout of the sources, as far as a test can.

`.github/CONTRIBUTING.md` has the rules of language, `.github/GLOSSARY.md` the words. This module lists names and
sentences that were in the sources once and must not return.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from tests.harness.pages.catalogue import IN_TEMPLATES

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("engine", "tourney")
ALL = (*PRODUCT, "tests")

COINED_WORDS = """
    loom looms weave weaving woven heed heeding heeded untangle untangled tangle foresight sore sores telling told mend
    mended mending harmless dullness rewinding redrawing certifying wishing
"""
"""Words that no name of a module, a class or a function may contain: nobody knew what they meant."""

RETIRED_MODULES = """
    ahead arc_search arcs arrange attempts bases by_hand careers certifying chance chosen colour coming contenders
    course courses drop duels every fillings findings folding guess hopes joining least lots making nearby nonsense
    open_sheet outlook pace parts presence prospects reach resting rises sealed seals search_habits search_memory
    search_trials several slip spreads story student tallies terms thinking threads trials trying turns two_rounds
    uneven views walls way wish_words wishes worth
"""
"""Ordinary words that must not name a module: they did not say what it holds."""

RETIRED_CLASSES = "Course Stretch Tops Watch Worth"
"""Names that no class may have, for the same reason."""

PRONOUNS = (
    "The same|Those|These|This|That|It|Its|They|Their|Theirs|Them|What|Which|Who|Whose|Whom|Whether|How|He|His|She|Her"
)
OPENING = re.compile(rf"({PRONOUNS})\b")

RETIRED_SENTENCES = tuple(
    re.compile(pattern)
    for pattern in (
        r"\bacts?\b",
        r"\b[Mm]end(s|ed|ing)?\b",
        r"do(es)? not fill tables",
        r"come out even",
        r"[Ll]east games",
        r"\bbell\b",
        r"time is up",
        r"turns at short",
        r"[Nn]obody meets twice",
        r"repeat meeting",
        r"^(Stay|Come|Leave)$",
        r"\bthere sits?\b",
        r"\bis no (whole )?(number|date|card|seat|face)\b",
        r"\b(not )?to meet\b",
        r"without a name mean",
        r"wait for their sheet",
        r"[Hh]alf a sheet",
        r"\bset aside\b",
        r"^Tell\b",
        r"^Also where",
        r"\bwish(es|ed)?\b",
        r"\b(heed|whom|wherefore|dear|sore|told)\b",
        r"\b(goes|go|gone|went) on\b",
        r"\bcomes? to\b",
        r"as well as can be",
        r"\b(he|his|him)\b",
    )
)
"""Patterns that no sentence shown to people may match."""

JINJA = re.compile(r"\{([{%#]).*?[}%#]\}", re.DOTALL)
"""An instruction of a template."""
SHOWN_ATTRIBUTE = re.compile(r"\b(?:aria-label|placeholder|title|alt|data-text)=\"[^\"]*[^\W\d_]{2}[^\"]*")
"""An attribute with words that people see or hear."""
NOT_SHOWN = re.compile(r"<style>.*?</style>|<[^>]*>|&\w+;", re.DOTALL)
"""The parts of a template that are not texts."""

MOST_MODULES = 20
MOST_LINES = 600
MOST_PARAMETERS = 6
"""Of a function outside the command line, where each parameter is an option of a command."""
MORE_PARAMETERS = {"engine.view.View.__init__": "a dataclass would generate it, but a compiled one is slower"}
"""Functions with more parameters, and why."""


@cache
def sources(folders: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the Python files of these folders, in order."""
    return tuple(sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py")))


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def location(path: Path, line: int) -> str:
    """Return path and line of a finding in the form that editors open."""
    return f"{path.relative_to(ROOT).as_posix()}:{line}"


def names(path: Path) -> Iterator[tuple[str, str, int]]:
    """Yield kind, name and line of the module and of every class and function in it."""
    yield "module", path.parent.name if path.stem == "__init__" else path.stem, 1
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ClassDef):
            yield "class", node.name, node.lineno
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield "function", node.name, node.lineno


def words(name: str) -> set[str]:
    """Return the words of a name in snake case or camel case, in lower case."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def retired_names() -> list[str]:
    """Return the modules, classes and functions that have a retired name."""
    retired = {"module": set(RETIRED_MODULES.split()), "class": set(RETIRED_CLASSES.split()), "function": set()}
    coined = set(COINED_WORDS.split())
    return [
        f"{location(path, line)}: {kind} {name}"
        for path in sources(PRODUCT)
        for kind, name, line in names(path)
        if name.strip("_") in retired[kind] or words(name) & coined
    ]


def docstrings(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the docstrings of a file with their lines, also those below constants and fields."""
    for node in ast.walk(tree(path)):
        for statement in getattr(node, "body", ()) if not isinstance(node, ast.Lambda | ast.IfExp) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                text = statement.value.value
                if isinstance(text, str):
                    yield text.strip(), statement.lineno


def pronouns() -> list[str]:
    """Return the docstrings that begin with a pronoun, which has nothing before it to refer to."""
    return [
        f"{location(path, line)}: {text.splitlines()[0]}"
        for path in sources(ALL)
        for text, line in docstrings(path)
        if OPENING.match(text)
    ]


def translatable(path: Path) -> Iterator[ast.expr]:
    """Yield the text arguments of a file's calls of `_` and `ngettext`."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "ngettext"):
            yield from node.args[: 1 if node.func.id == "_" else 2]


def retired_sentences() -> list[str]:
    """Return the translatable strings that match a retired pattern."""
    return [
        f"{location(path, part.lineno)}: {part.value}"
        for path in sources(PRODUCT)
        for argument in translatable(path)
        for part in ast.walk(argument)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
        if any(sentence.search(part.value) for sentence in RETIRED_SENTENCES)
    ]


def untranslatable() -> list[str]:
    """Return the translatable texts that are put together before they can be translated."""
    return [
        f"{location(path, part.lineno)}: {ast.unparse(argument)[:80]}"
        for path in sources(PRODUCT)
        for argument in translatable(path)
        for part in ast.walk(argument)
        if isinstance(part, ast.JoinedStr) or (isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add | ast.Mod))
    ]


def templates() -> list[Path]:
    """Return the templates of pages, in order."""
    return sorted(path for folder in PRODUCT for path in (ROOT / folder).rglob("*.html"))


def translated(path: Path) -> Iterator[nodes.Call]:
    """Yield the calls of functions that translate in a template."""
    found = Environment(extensions=["jinja2.ext.i18n"]).parse(path.read_text(encoding="utf-8"))
    for call in found.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in IN_TEMPLATES:
            yield call


def retired_sentences_of_templates() -> list[str]:
    """Return the sentences of templates that match a retired pattern."""
    return [
        f"{location(path, text.lineno)}: {text.value}"
        for path in templates()
        for call in translated(path)
        for text in call.find_all(nodes.Const)
        if isinstance(text.value, str) and any(sentence.search(text.value) for sentence in RETIRED_SENTENCES)
    ]


def unextracted() -> list[str]:
    """Return the calls of templates that translate something else than a text, which no catalogue would have."""
    return [
        location(path, call.lineno)
        for path in templates()
        for call in translated(path)
        for name in [call.node.name]
        if not all(
            isinstance(text, nodes.Const) and isinstance(text.value, str) for text in call.args[: IN_TEMPLATES[name]]
        )
        or len(call.args) < IN_TEMPLATES[name]
    ]


def untranslated_words() -> list[str]:
    """Return the words that a template shows as they are written there."""
    faults = []
    for path in templates():
        text = JINJA.sub("", path.read_text(encoding="utf-8"))
        faults += [f"{path}: {found[0]}" for found in SHOWN_ATTRIBUTE.finditer(text)]
        faults += [f"{path}: {found[0]}" for found in re.finditer(r"[^\W\d_]{2,}", NOT_SHOWN.sub("", text))]
    return faults


@cache
def modules() -> dict[str, Path]:
    """Return the product's modules by their dotted names."""
    return {module_name(path): path for path in sources(PRODUCT)}


def module_name(path: Path) -> str:
    """Return the dotted name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(name: str) -> set[str]:
    """Return the product's modules that a module imports, also for types only and inside functions."""
    found = set()
    for node in ast.walk(tree(modules()[name])):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name} imports relatively"
            source = str(node.module)
            found |= {full if (full := f"{source}.{alias.name}") in modules() else source for alias in node.names}
    return {module for module in found if module in modules()} - {name}


def circles() -> list[str]:
    """Return the circular imports: sets of modules that import each other, directly or not."""
    return [" <-> ".join(sorted(circle)) for circle in components({name: imported(name) for name in modules()})]


def components(graph: dict[str, set[str]]) -> list[set[str]]:
    """Return the strongly connected components of more than one node, by Kosaraju's two searches."""
    order = postorder(graph, graph)
    reverse: dict[str, set[str]] = defaultdict(set)
    for node, targets in graph.items():
        for target in targets:
            reverse[target].add(node)
    seen: set[str] = set()
    found = []
    for node in reversed(order):
        if node not in seen:
            component = set(postorder({node: reverse[node]}, reverse, seen))
            seen |= component
            found.append(component)
    return [component for component in found if len(component) > 1]


def postorder(starts: Iterable[str], graph: dict[str, set[str]], skipped: Iterable[str] = ()) -> list[str]:
    """Return the nodes reached from `starts`, without `skipped`, in the postorder of a depth-first search."""
    seen, order = set(skipped), []

    def visit(node: str) -> None:
        seen.add(node)
        for target in sorted(graph.get(node, ())):
            if target not in seen:
                visit(target)
        order.append(node)

    for start in starts:
        if start not in seen:
            visit(start)
    return order


def crowded_folders() -> list[str]:
    """Return the folders with more than MOST_MODULES modules."""
    crowds: dict[Path, int] = defaultdict(int)
    for path in sources(ALL):
        crowds[path.parent] += 1
    return [
        f"{folder.relative_to(ROOT).as_posix()}: {count}" for folder, count in crowds.items() if count > MOST_MODULES
    ]


def long_files() -> list[str]:
    """Return the files with more than MOST_LINES lines."""
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources(ALL)}
    return [f"{path.relative_to(ROOT).as_posix()}: {length}" for path, length in lengths.items() if length > MOST_LINES]


def functions(node: ast.AST, name: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef, bool]]:
    """Yield the functions inside a node of that name with their dotted names, and whether they are methods."""
    for child in ast.iter_child_nodes(node):
        is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
        inner = f"{name}.{child.name}" if is_function or isinstance(child, ast.ClassDef) else name
        if is_function:
            yield inner, child, isinstance(node, ast.ClassDef)
        yield from functions(child, inner)


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef, is_method: bool) -> int:
    """Return how many parameters a function has; the object or class of a method is not counted."""
    given = function.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    counted = [each.arg for each in named if each is not None]
    return len(counted) - (is_method and counted[:1] in (["self"], ["cls"]))


def many_parameters() -> list[str]:
    """Return the functions with more than MOST_PARAMETERS parameters that are not exceptions."""
    return [
        f"{location(path, function.lineno)}: {name}"
        for module, path in modules().items()
        if not module.startswith("tourney.cli.")
        for name, function, is_method in functions(tree(path), module)
        if parameters(function, is_method) > MOST_PARAMETERS and name not in MORE_PARAMETERS
    ]


def unexplained() -> list[str]:
    """Return the lines that silence a linter or the type checker and do not say why."""
    explained = re.compile(r"# (noqa: [\w, ]+ -+|type: ignore\[[\w, -]+\] +#) \S")
    return [
        location(path, number)
        for path in sources(PRODUCT)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search("# (noqa|type: ignore)", line) and not explained.search(line)
    ]


CHECKS = {
    # The name and the text of a file in which the check must find one fault.
    retired_names: ("engine/solver/runs.py", "class OpenLoom: pass"),
    pronouns: ("tests/harness/desk.py", '"""Whether it is one."""'),
    retired_sentences: ("tourney/reports/log.py", 'title = _("66 acts")'),
    untranslatable: ("tourney/reports/log.py", 'title = ngettext("one", f"{number}", number)'),
    retired_sentences_of_templates: ("tourney/web/templates/log.html", '<p>{{ _("66 acts") }}</p>'),
    unextracted: ("tourney/web/templates/log.html", '<p>{{ _("a" ~ "b") }} {{ _("c") }}</p>'),
    untranslated_words: ("tourney/web/templates/log.html", '<p class="now">changes {{ _("changes") }}</p>'),
    circles: ("tourney/reports/log.py", "def show():\n    from tourney.reports import log2"),
    many_parameters: ("tourney/web/log.py", "class Log:\n    def show(self, a, b, c, d, /, e, *more, f=1): ..."),
    unexplained: ("engine/cards.py", "x = 1  # noqa: E501"),
    crowded_folders: ("engine/cards.py", ""),
    long_files: ("engine/cards.py", "\n" * (MOST_LINES + 1)),
}


@pytest.fixture
def other_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield an empty folder that the checks read in place of the sources."""
    cached = (sources, tree, modules)
    for function in cached:
        function.cache_clear()
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    yield tmp_path
    for function in cached:
        function.cache_clear()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_check_finds_no_fault_in_the_sources(check: Callable[[], list[str]]) -> None:
    if not (ROOT / "engine").is_dir():
        pytest.skip("the sources are not beside the tests")
    faults = check()
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_check_finds_a_fault_that_is_put_in(check: Callable[[], list[str]], other_tree: Path) -> None:
    name, text = CHECKS[check]
    crowded = {f"engine/cards{number}.py": "" for number in range(MOST_MODULES)} if check is crowded_folders else {}
    importing_back = {"tourney/reports/log2.py": "import tourney.reports.log"} if check is circles else {}
    for path, content in ({name: text} | crowded | importing_back).items():
        (other_tree / path).parent.mkdir(parents=True, exist_ok=True)
        (other_tree / path).write_text(content, encoding="utf-8")
    assert len(check()) == 1
