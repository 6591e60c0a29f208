"""Find the wrong rules that are a clause's own: those of fields and functions that name it and share its words.

A clause that fails when some other rule is broken shows little. So for each clause the mutants are ordered: first
those whose place names the clause's section or our decision, and of these the ones that share most words with it.
"""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.harness.engine import mutants

CLAUSES = Path(__file__).resolve().parents[2] / "engine" / "clauses"
LABEL = re.compile(r"(?:(\d{3})/)?(?<![\d.])([12]\.\d{1,2})(?![\d.])|(A-\d{1,2}[a-z]?)|section (5\.\d{1,2})")
FIELD = re.compile(r'"([a-z]+\.[a-z_]+)"')
EMPTY = frozenset({"the", "a", "of", "is", "and", "or", "in", "to", "it", "that", "one", "his", "with", "not", "no"})
EMPTY |= {"for", "on", "as", "at", "by", "be", "may", "who", "none", "engine", "other", "from", "all", "are", "this"}
NEAR = 10
"""The weight of a shared section or decision, in shared words."""


@dataclass(frozen=True, slots=True)
class Place:
    """The subject of a clause or a mutant: its document (empty: all), the labels it names, and its words."""

    document: str
    labels: frozenset[str]
    words: frozenset[str]

    def affinity(self, other: "Place") -> int:
        """Return how closely the two are related; 0 if nothing that could be named connects them."""
        if self.document and other.document and self.document != other.document:
            return 0
        shared = len(self.words & other.words)
        return (NEAR if self.labels & other.labels else 0) + shared


def words(text: str) -> frozenset[str]:
    """Return the words of a text, without endings, that carry meaning."""
    found = re.findall(r"[a-z]{3,}", text.lower().replace("_", " "))
    return frozenset(re.sub(r"(?<=...)(ing|ed|es|s|e)$", "", word) for word in found if word not in EMPTY)


def _labels(text: str, document: str) -> frozenset[str]:
    return frozenset(
        part if part else decision or f"section {ours}"
        for named, part, decision, ours in LABEL.findall(text)
        if not (named and document and named != document)
    )


@cache
def clauses() -> Mapping[str, Place]:
    """Return every clause of the five lists."""
    found: dict[str, Place] = {}
    for file in sorted(CLAUSES.glob("document-*.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        for clause, says in {**table["clauses"], **table.get("silent", {})}.items():
            document, section, slug = clause.split("/")
            decision, text = (says["silent"], says["says"]) if isinstance(says, dict) else ("", says)
            named = _labels(decision, document) | {section}
            found[clause] = Place(document, named, words(f"{slug.replace('-', ' ')} {text}"))
    return found


def of_file(file: str) -> Iterator[tuple[str, Place]]:
    """Yield the mutants of a rule set's file, each with the clause of its field or the sections of its variant."""
    table = tomllib.loads((mutants.RULESETS / file).read_text(encoding="utf-8"))
    document = table["document"]
    for mutant in mutants.file_mutants(file):
        what = mutant.split(" ")[1]
        if what.startswith("+"):
            variant = table["variants"][what[1:]]
            yield mutant, Place(document, _labels(str(variant), document), words(f"{what} {variant}"))
        else:
            group, field = what.split(".")
            entry = table[group][field]
            named = _labels(f"{entry.get('clause', '')} {entry.get('silent', '')}", document)
            yield mutant, Place(document, named, words(f"{what} {entry['is']}"))


def of_module(module: str) -> Iterator[tuple[str, Place]]:
    """Yield the mutants of an engine module, each with what its function names: sections, decisions, fields, words."""
    text = (mutants.ENGINE.parent / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
    sources = dict(_functions(ast.parse(text), text, ""))
    fields = _fields()
    for mutant in mutants.module_mutants(module):
        function = mutant.split(" ")[1]
        source = sources[function]
        named = _labels(source, "").union(*(fields.get(field, frozenset()) for field in FIELD.findall(source)))
        yield mutant, Place("", named, words(f"{function} {source}"))


@cache
def _fields() -> Mapping[str, frozenset[str]]:
    """Return the labels of each field over all rule sets."""
    found: dict[str, frozenset[str]] = {}
    for file in mutants.RULESETS.glob("*.toml"):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        for group, fields in table.items():
            if isinstance(fields, dict) and group not in ("variants", "page"):
                for field, entry in fields.items():
                    path = f"{group}.{field}"
                    named = _labels(f"{entry.get('clause', '')} {entry.get('silent', '')}", table["document"])
                    found[path] = found.get(path, frozenset()) | named
    return found


def _functions(tree: ast.AST, text: str, inside: str) -> Iterator[tuple[str, str]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            name = f"{inside}.{node.name}".strip(".")
            yield name, ast.get_source_segment(text, node) or ""
            yield from _functions(node, text, name)
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, text, node.name)
