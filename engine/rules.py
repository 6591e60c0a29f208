"""What a rules document says, as frozen data.

A rule set is a TOML file in `engine/rulesets/`. Each of its fields is written
`name = { is = VALUE, clause = "003/1.6" }`, or with `silent = "A-09"` where the document says nothing and
we decided. A name such as `oficial+scaled` is a rule set with its variants laid over it.
"""

import hashlib
import json
import tomllib
import types
import typing
from dataclasses import dataclass, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import Any, Literal

from engine.cards import JOKER
from engine.errors import RulesError, UnknownRules

ENGINE_RULES = 1
"""Version of the engine's reading of the rules; a record made under another one may not replay."""


@dataclass(frozen=True, slots=True)
class Players:
    """How many may sit at one table."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Table:
    """Seats, dealer and cut."""

    direction: Literal["anticlockwise", "clockwise"]
    seat_draw: Literal["high card", "none"]
    draw_ace: Literal["low", "high"]
    first_dealer: Literal["high card", "low card", "random"]
    cut: Literal["next", "previous", "none"]


@dataclass(frozen=True, slots=True)
class Pack:
    """Packs as `(up to so many players, from this hand on, packs)`; jokers as `(up to players, number)`."""

    packs: tuple[tuple[int, int, int], ...]
    jokers: tuple[tuple[int, int], ...]
    jokers_counted: Literal["per pack", "in all"]


@dataclass(frozen=True, slots=True)
class Trio:
    """The shape of a trio; `naturals` is how many cards must not be jokers."""

    least: int
    most: int | None
    naturals: int


@dataclass(frozen=True, slots=True)
class Run:
    """The shape of a run; `ace` says whether it goes round the corner or stands at an end only."""

    least: int
    most: int | None
    naturals: int
    ace: Literal["round", "ends"]
    jokers_adjacent: Literal["allowed", "forbidden"]


@dataclass(frozen=True, slots=True)
class Values:
    """Points of the cards left in hand: thirteen ranks from the ace to the king, and the joker."""

    ranks: tuple[int, ...]
    joker: int


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands of a game in order, as `(contract, cards dealt)`."""

    order: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Stock:
    """Stocks, first upcard, and how often the discards may become a new stock."""

    stocks: int
    upcard: Literal["any", "no joker", "none"]
    shuffles: int


@dataclass(frozen=True, slots=True)
class Claim:
    """Taking the discard out of turn."""

    who: Literal["anyone", "nobody"]
    own_discard: Literal["allowed", "forbidden"]
    when_down: Literal["allowed", "forbidden"]
    limit: int | None
    penalty: Literal["stock", "penalty stock", "none"]


@dataclass(frozen=True, slots=True)
class Laying:
    """Laying down, taking back and laying off."""

    longer_melds: Literal["allowed", "forbidden"]
    distinct: Literal["no", "yes"]
    taking_back: Literal["same turn", "never"]
    lay_off: Literal["any meld", "own melds", "none"]


@dataclass(frozen=True, slots=True)
class Jokers:
    """What may be done with the jokers of runs that lie on the table."""

    swap: Literal["any run", "own runs", "none"]
    freed: Literal["runs of that owner", "any other run"]
    move: Literal["runs of that owner", "own runs", "none"]


@dataclass(frozen=True, slots=True)
class Closing:
    """Going out; `held` is the most points one may still hold, if any."""

    held: int | None
    only_same_turn: Literal["no", "every hand", "last hand"]
    last_discard: Literal["allowed", "forbidden"]
    all_placed: Literal["allowed", "forbidden"]


@dataclass(frozen=True, slots=True)
class Bonus:
    """What the closer writes down: `earlier` if he was down before, `same_turn` if not."""

    earlier: int
    same_turn: int
    same_turn_by_contract: tuple[tuple[str, int], ...]
    all_placed: int | None


@dataclass(frozen=True, slots=True)
class Ending:
    """Who wins a tie, and what a dead hand costs."""

    tie: Literal["recent hand", "shared"]
    dead_hand: Literal["everybody counts"]


@dataclass(frozen=True, slots=True)
class Contracts:
    """The family of rule sets in which each hand has its contract."""

    hands: Hands
    stock: Stock
    claim: Claim
    laying: Laying
    jokers: Jokers
    closing: Closing
    bonus: Bonus
    ending: Ending


@dataclass(frozen=True, slots=True)
class Knocking:
    """The family of the knock game: no contracts, no melds on the table, money."""

    deal: int
    knock_at: int
    closer_ace: int
    rummy: int
    color: int
    eliminated_above: int
    buy_above: int
    split_within: int
    bonus_knock: int
    bonus_rummy: int
    bonus_color: int
    bonus_per: int


@dataclass(frozen=True, slots=True)
class Source:
    """Where a field stands: a clause of a document, or the ambiguity that we decided."""

    clause: str
    silent: bool


@dataclass(frozen=True, slots=True)
class Rules:
    """One rule set, its variants laid over it.

    `sources` gives the source of every field by its path, as in `claim.limit`. `digest` is taken over the
    values alone and names the exact rules.
    """

    id: str
    kind: Literal["contract", "knock"]
    document: str
    title: str
    players: Players
    table: Table
    pack: Pack
    trio: Trio
    run: Run
    values: Values
    play: Contracts | Knocking
    sources: dict[str, Source]
    digest: str

    def packs(self, players: int, hand: int = 1) -> int:
        """Packs in play in that hand (hands count from 1)."""
        fitting = [row for row in self.pack.packs if row[0] >= players and row[1] <= hand]
        if not fitting:
            raise RulesError(f"{self.id} has no packs for {players} players")
        return min(fitting, key=lambda row: (row[0], -row[1]))[2]

    def jokers(self, players: int, hand: int = 1) -> int:
        """Jokers in play in that hand."""
        for most, number in sorted(self.pack.jokers):
            if players <= most:
                return number * self.packs(players, hand) if self.pack.jokers_counted == "per pack" else number
        raise RulesError(f"{self.id} has no jokers for {players} players")

    def points(self, face: int) -> int:
        """What a card counts that is left in a hand."""
        return self.values.joker if face == JOKER else self.values.ranks[face % 13]

    @property
    def contracts(self) -> Contracts:
        """The contract family's part; RulesError for the knock game."""
        if not isinstance(self.play, Contracts):
            raise RulesError(f"{self.id} has no contracts")
        return self.play

    def clause(self, path: str) -> str:
        """The clause behind a field, as in `clause("claim.limit")`."""
        return self.sources[path].clause


_COMMON: dict[str, type] = {
    "players": Players,
    "table": Table,
    "pack": Pack,
    "trio": Trio,
    "run": Run,
    "values": Values,
}
_FAMILY: dict[str, dict[str, type]] = {
    "contract": {field.name: typing.get_type_hints(Contracts)[field.name] for field in fields(Contracts)},
    "knock": {"knocking": Knocking},
}
_HEAD = ("id", "kind", "document", "title")


def all_rules() -> tuple[str, ...]:
    """The ids of the built-in rule sets, the default first."""
    folder = resources.files("engine") / "rulesets"
    names = sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return tuple(sorted(names, key=lambda name: name != "oficial"))


@cache
def load_rules(name: str) -> Rules:
    """The rule set of that name, variants after plus signs; RulesError if there is none."""
    base, *variants = name.strip().split("+")
    if base not in all_rules():
        close = get_close_matches(base, all_rules(), 1, 0.5)
        hint = f"did you mean '{close[0]}'?" if close else f"there are: {', '.join(all_rules())}"
        raise UnknownRules(f"no rule set '{base}'", hint)
    text = (resources.files("engine") / "rulesets" / f"{base}.toml").read_text(encoding="utf-8")
    return parse_rules(text, f"{base}.toml", tuple(variants))


def parse_rules(text: str, file: str, variants: tuple[str, ...] = ()) -> Rules:
    """The rule set that a file's text says, those variants laid over it.

    Raises RulesError naming file and field for anything missing, unknown or of the wrong type.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"{file}: {error}") from None
    for key in _HEAD:
        if not isinstance(table.get(key), str):
            raise RulesError(f"{file}: '{key}' is missing or no text")
    if table["kind"] not in _FAMILY:
        raise RulesError(f"{file}: kind is '{table['kind']}'; it must be one of {', '.join(_FAMILY)}")
    known = table.pop("variants", {})
    for change in _changes(file, table["id"], known, variants):
        _overlay(file, table, change)
    return _build(file, table, "+".join((table["id"], *variants)))


def _changes(file: str, rules_id: str, known: dict[str, Any], names: tuple[str, ...]) -> list[dict[str, Any]]:
    for place, name in enumerate(names):
        if name not in known:
            close = get_close_matches(name, list(known), 1, 0.5)
            hint = f"did you mean '{close[0]}'?" if close else f"it has: {', '.join(known) or 'none'}"
            raise UnknownRules(f"{rules_id} has no variant '{name}'", hint)
        if name in names[:place]:
            raise RulesError(f"variant '{name}' is named twice")
        for other in known[name].get("refuses", []):
            if other in names:
                raise RulesError(f"variants '{name}' and '{other}' contradict each other")
    return [known[name].get("set", {}) for name in names]


def _overlay(file: str, table: dict[str, Any], change: dict[str, Any]) -> None:
    for path, value in change.items():
        group, _, name = path.partition(".")
        if not isinstance(table.get(group), dict) or name not in table[group]:
            raise RulesError(f"{file}: a variant sets '{path}', which is no field")
        table[group][name] = value


def _build(file: str, table: dict[str, Any], rules_id: str) -> Rules:
    groups = {**_COMMON, **_FAMILY[table["kind"]]}
    unknown = sorted(set(table) - set(groups) - set(_HEAD))
    if unknown:
        raise RulesError(f"{file}: unknown table '{unknown[0]}'")
    sources: dict[str, Source] = {}
    parts: dict[str, Any] = {}
    plain: dict[str, Any] = {"kind": table["kind"]}
    for name, kind in groups.items():
        if not isinstance(table.get(name), dict):
            raise RulesError(f"{file}: table '{name}' is missing")
        parts[name], plain[name] = _group(file, name, kind, table[name], sources)
    play = Contracts(**{name: parts.pop(name) for name in _FAMILY["contract"]}) if table["kind"] == "contract" else None
    digest = hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:16]
    head = {key: table[key] for key in _HEAD if key != "id"}
    rules = Rules(
        id=rules_id,
        play=play if play is not None else parts.pop("knocking"),
        sources=sources,
        digest=digest,
        **head,
        **parts,
    )
    _refuse_nonsense(file, rules)
    return rules


def _refuse_nonsense(file: str, rules: Rules) -> None:
    """RulesError naming the field for a value of the right type that no game can have."""
    wrong: list[tuple[str, str]] = []
    if len(rules.values.ranks) != 13:
        wrong.append(("values.ranks", f"has {len(rules.values.ranks)} values; the ranks are thirteen"))
    if not 2 <= rules.players.least <= rules.players.most:
        wrong.append(("players.least", f"is {rules.players.least}; it must be from 2 to players.most"))
    if isinstance(rules.play, Contracts):
        for contract, size in rules.play.hands.order:
            if not contract or set(contract) - {"T", "E"}:
                wrong.append(("hands.order", f"has a contract '{contract}'; contracts are of T and E"))
            if size < 1:
                wrong.append(("hands.order", f"deals {size} cards for {contract}"))
    for path, reason in wrong[:1]:
        raise RulesError(f"{file}: field '{path}' {reason}")


def _group(
    file: str, name: str, kind: type, table: dict[str, Any], sources: dict[str, Source]
) -> tuple[Any, dict[str, Any]]:
    assert is_dataclass(kind)
    hints = typing.get_type_hints(kind)
    unknown = sorted(set(table) - set(hints))
    if unknown:
        raise RulesError(f"{file}: unknown field '{name}.{unknown[0]}'")
    values: dict[str, Any] = {}
    plain: dict[str, Any] = {}
    for field, hint in hints.items():
        path = f"{name}.{field}"
        entry = table.get(field)
        if not isinstance(entry, dict) or "is" not in entry:
            raise RulesError(f"{file}: field '{path}' is missing")
        source = {key: entry[key] for key in ("clause", "silent") if key in entry}
        if (
            len(source) != 1
            or set(entry) != {"is", *source}
            or not all(isinstance(text, str) for text in source.values())
        ):
            raise RulesError(f"{file}: field '{path}' must name its clause, or say which ambiguity is silent")
        ((which, clause),) = source.items()
        sources[path] = Source(clause, which == "silent")
        plain[field] = entry["is"]
        values[field] = _typed(f"{file}: field '{path}'", hint, entry["is"])
    return kind(**values), plain


def _typed(where: str, hint: Any, value: Any) -> Any:
    """The TOML value as the field's type; optional numbers are written "none"."""
    origin, options = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        if value in options:
            return value
        raise RulesError(f"{where} is {value!r}; it must be one of {', '.join(map(repr, options))}")
    if origin is types.UnionType:
        return None if value == "none" else _typed(where, options[0], value)
    if origin is tuple:
        if not isinstance(value, list) or (options[-1] is not Ellipsis and len(options) != len(value)):
            raise RulesError(f"{where} has a list of the wrong shape: {value!r}")
        inner = [options[0]] * len(value) if options[-1] is Ellipsis else list(options)
        return tuple(_typed(where, kind, item) for kind, item in zip(inner, value, strict=True))
    if type(value) is not hint:
        raise RulesError(f"{where} is {value!r}; it must be of type {hint.__name__}")
    return value
