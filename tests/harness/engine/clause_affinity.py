"""Measure how closely a clause and a mutant are related: by the labels that both name and the words that both use.

Tests of a clause that fail when an unrelated rule is broken show little. So the mutants are ordered for each clause:
first those whose field or function names the clause's section or our decision, and of these those that share the most
words with it.
"""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.rules.reading import FOR_READERS
from tests.harness.engine import mutants

CLAUSES = Path(__file__).resolve().parents[2] / "engine" / "clauses"
LABEL = re.compile(
    r"(?:(\d{3})/)?(?<![\d.])([12]\.\d{1,2})(?![\d.])|(A-\d{1,2}[a-z]?)|(?:section|SILENT\.md,) (5\.\d{1,2})"
)
FIELD = re.compile(r'"([a-z]+\.[a-z_]+)"')
STOP_WORDS = {
    *("the", "a", "of", "is", "and", "or", "in", "to", "it", "that", "one", "his", "with", "not", "no"),
    *("for", "on", "as", "at", "by", "be", "may", "who", "none", "engine", "other", "from", "all", "are", "this"),
}
NEAR = 10
"""A shared section or decision counts as this many shared words."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a clause or a mutant: its document (empty: all), the labels it names, and its words."""

    document: str
    labels: frozenset[str]
    words: frozenset[str]

    def affinity(self, other: "Subject") -> int:
        """Return how closely the subjects are related, in shared words; 0 for different documents."""
        if self.document and other.document and self.document != other.document:
            return 0
        shared = len(self.words & other.words)
        return (NEAR if self.labels & other.labels else 0) + shared


def words(text: str) -> frozenset[str]:
    """Return the words of a text that carry meaning, without their endings."""
    all_words = re.findall(r"[a-z]{3,}", text.lower().replace("_", " "))
    return frozenset(re.sub(r"(?<=...)(ing|ed|es|s|e)$", "", word) for word in all_words if word not in STOP_WORDS)


def _labels(text: str, document: str) -> frozenset[str]:
    return frozenset(
        section if section else decision or f"section {our_section}"
        for named, section, decision, our_section in LABEL.findall(text)
        if not (named and document and named != document)
    )


@cache
def clauses() -> Mapping[str, Subject]:
    """Return the subject of every clause of the five lists."""
    subjects: dict[str, Subject] = {}
    for file in sorted(CLAUSES.glob("document-*.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        for clause, entry in {**table["clauses"], **table.get("silent", {})}.items():
            document, section, slug = clause.split("/")
            decision, text = (entry["silent"], entry["says"]) if isinstance(entry, dict) else ("", entry)
            named = _labels(decision, document) | {section}
            subjects[clause] = Subject(document, named, words(f"{slug.replace('-', ' ')} {text}"))
    return subjects


def of_file(file: str) -> Iterator[tuple[str, Subject]]:
    """Yield the mutants of a rule set's file, each with the subject of its field or variant."""
    table = tomllib.loads((mutants.RULESETS / file).read_text(encoding="utf-8"))
    document = table["document"]
    for mutant in mutants.file_mutants(file):
        path = mutant.split(" ")[1]
        if path.startswith("+"):
            variant = table["variants"][path[1:]]
            yield mutant, Subject(document, _labels(str(variant), document), words(f"{path} {variant}"))
        else:
            group, field = path.split(".")
            entry = table[group][field]
            named = _labels(f"{entry.get('clause', '')} {entry.get('silent', '')}", document)
            yield mutant, Subject(document, named, words(f"{path} {entry['is']}"))


def of_module(module: str) -> Iterator[tuple[str, Subject]]:
    """Yield the mutants of an engine module, each with the subject of its function's source text."""
    text = (mutants.ENGINE.parent / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
    sources = dict(_functions(ast.parse(text), text, ""))
    fields = _fields()
    for mutant in mutants.module_mutants(module):
        function = mutant.split(" ")[1]
        source = sources[function]
        named = _labels(source, "").union(*(fields.get(field, frozenset()) for field in FIELD.findall(source)))
        yield mutant, Subject("", named, words(f"{function} {source}"))


@cache
def _fields() -> Mapping[str, frozenset[str]]:
    """Return the labels that each field names in any rule set."""
    labels_of_field: dict[str, frozenset[str]] = {}
    for file in mutants.RULESETS.glob("*.toml"):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        for group, fields in table.items():
            if isinstance(fields, dict) and group not in ("variants", *FOR_READERS):
                for field, entry in fields.items():
                    path = f"{group}.{field}"
                    named = _labels(f"{entry.get('clause', '')} {entry.get('silent', '')}", table["document"])
                    labels_of_field[path] = labels_of_field.get(path, frozenset()) | named
    return labels_of_field


def _functions(tree: ast.AST, text: str, inside: str) -> Iterator[tuple[str, str]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            name = f"{inside}.{node.name}".strip(".")
            yield name, ast.get_source_segment(text, node) or ""
            yield from _functions(node, text, name)
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, text, node.name)
