"""A real evening: names in versions, states, clocks, rulings, half sheets; undoing; seals.

Tables that index the journal are made anew and empty: the program folds the journal into them afterwards.
"""

import hashlib
import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

INDEX = ("hand_score", "hand", "score", "result", "sitting_out", "seat", "round", "entrant", "current_event", "event")


def upgrade() -> None:
    """Keep the texts beside the journal, and make what follows from it anew."""
    for name in (*INDEX, "player"):
        op.drop_table(name)
    _history()
    _players()
    _persons()
    _events()
    _rounds()
    _results()
    _rulings()
    _imports()


def _history() -> None:
    op.create_table(
        "step",
        sa.Column("act", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("act", name=op.f("pk_step")),
        sa.CheckConstraint("state IN ('stands', 'undone', 'takes back', 'puts back')", name=op.f("ck_step_state")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_step_act")),
        sa.ForeignKeyConstraint(["batch"], ["act.number"], name=op.f("fk_step_batch")),
    )
    op.create_table(
        "trace",
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("part", "event", "round", "act", name=op.f("pk_trace")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_trace_act")),
    )
    op.create_table(
        "undone",
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("place", name=op.f("pk_undone")),
        sa.ForeignKeyConstraint(["batch"], ["act.number"], name=op.f("fk_undone_batch")),
    )
    op.create_table(
        "counter",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "event", name=op.f("pk_counter")),
    )
    op.create_table(
        "seal",
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("part", "event", "round", name=op.f("pk_seal")),
        sa.CheckConstraint("length(digest) = 64", name=op.f("ck_seal_digest")),
    )


def _players() -> None:
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("bot", sa.String(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("erased", sa.Integer(), nullable=False),
        sa.Column("merged", sa.Integer(), nullable=True),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("bot", name=op.f("uq_player_bot")),
        sa.CheckConstraint("kind IN ('person', 'bot')", name=op.f("ck_player_kind")),
        sa.CheckConstraint("(kind = 'bot') = (bot IS NOT NULL)", name=op.f("ck_player_bot")),
        sa.CheckConstraint("erased IN (0, 1)", name=op.f("ck_player_erased")),
        sa.ForeignKeyConstraint(["merged"], ["player.id"], name=op.f("fk_player_merged")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_player_act")),
    )


def _persons() -> None:
    texts = op.get_bind().execute(sa.text("SELECT * FROM person ORDER BY player")).mappings().all()
    op.drop_table("person")
    op.create_table(
        "person",
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("club", sa.String(), nullable=False),
        sa.Column("folded", sa.String(), nullable=True),
        sa.Column("checksum", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("player", "version", name=op.f("pk_person")),
        sa.UniqueConstraint("folded", name=op.f("uq_person_folded")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_person_version")),
    )
    persons = sa.table("person", *map(sa.column, ("player", "version", "name", "label", "club", "folded", "checksum")))
    op.bulk_insert(persons, [_first_version(dict(row)) for row in texts])


def _first_version(row: dict[str, Any]) -> dict[str, Any]:
    """The text as the first version; one that was not sound before keeps its checksum, and is found as it was."""
    text = [row["name"], row["label"], row["club"]]
    sound = _checksum([row["player"], *text]) == row["checksum"]
    return {**row, "version": 1, "checksum": _checksum([row["player"], 1, *text]) if sound else row["checksum"]}


def _checksum(fields: list[Any]) -> str:
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _events() -> None:
    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
        sa.Column("rules_digest", sa.String(), nullable=False),
        sa.Column("format", sa.String(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("short", sa.String(), nullable=False),
        sa.Column("minimum", sa.Integer(), nullable=True),
        sa.Column("date", sa.String(), nullable=False),
        sa.Column("checkin", sa.String(), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=True),
        sa.Column("unfinished", sa.String(), nullable=False),
        sa.Column("unfinished_points", sa.Integer(), nullable=False),
        sa.Column("stake", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("rules_text", sa.String(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
        sa.UniqueConstraint("folded", name=op.f("uq_event_folded")),
        sa.CheckConstraint("name <> ''", name=op.f("ck_event_name")),
        sa.CheckConstraint("rounds >= 1", name=op.f("ck_event_rounds")),
        sa.CheckConstraint("size >= 2", name=op.f("ck_event_size")),
        sa.CheckConstraint("short IN ('short tables', 'sit out')", name=op.f("ck_event_short")),
        sa.CheckConstraint("minimum IS NULL OR minimum >= 0", name=op.f("ck_event_minimum")),
        sa.CheckConstraint("checkin IN ('not asked', 'required')", name=op.f("ck_event_checkin")),
        sa.CheckConstraint("minutes IS NULL OR minutes >= 1", name=op.f("ck_event_minutes")),
        sa.CheckConstraint("unfinished IN ('count hands', 'void', 'penalty')", name=op.f("ck_event_unfinished")),
        sa.CheckConstraint("stake >= 0", name=op.f("ck_event_stake")),
        sa.CheckConstraint("state IN ('open', 'finished')", name=op.f("ck_event_state")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_event_act")),
    )
    op.create_table(
        "current_event",
        sa.Column("one", sa.Integer(), nullable=False),
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("one", name=op.f("pk_current_event")),
        sa.CheckConstraint("one = 1", name=op.f("ck_current_event_one")),
        sa.ForeignKeyConstraint(["event"], ["event.id"], name=op.f("fk_current_event_event")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_current_event_act")),
    )
    op.create_table(
        "entrant",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("event", "number", name=op.f("pk_entrant")),
        sa.UniqueConstraint("event", "player", name=op.f("uq_entrant_event_player")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_entrant_number")),
        sa.CheckConstraint("state IN ('entered', 'checked in', 'withdrawn', 'no-show')", name=op.f("ck_entrant_state")),
        sa.ForeignKeyConstraint(["event"], ["event.id"], name=op.f("fk_entrant_event")),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_entrant_player")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_entrant_act")),
    )


def _rounds() -> None:
    op.create_table(
        "round",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("started", sa.String(), nullable=True),
        sa.Column("minutes", sa.Integer(), nullable=True),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("event", "number", name=op.f("pk_round")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_round_number")),
        sa.CheckConstraint("minutes >= 1", name=op.f("ck_round_minutes")),
        sa.CheckConstraint("(started IS NULL) = (minutes IS NULL)", name=op.f("ck_round_clock")),
        sa.ForeignKeyConstraint(["event"], ["event.id"], name=op.f("fk_round_event")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_round_act")),
    )
    op.create_table(
        "seat",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("table_number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("event", "round", "table_number", "seat", name=op.f("pk_seat")),
        sa.UniqueConstraint("event", "round", "player", name=op.f("uq_seat_event_round_player")),
        sa.ForeignKeyConstraint(["event", "round"], ["round.event", "round.number"], name=op.f("fk_seat_event_round")),
        sa.ForeignKeyConstraint(
            ["event", "player"], ["entrant.event", "entrant.player"], name=op.f("fk_seat_event_player")
        ),
        sa.CheckConstraint("table_number >= 1", name=op.f("ck_seat_table_number")),
        sa.CheckConstraint("seat >= 0", name=op.f("ck_seat_seat")),
    )
    op.create_table(
        "sitting_out",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("event", "round", "player", name=op.f("pk_sitting_out")),
        sa.ForeignKeyConstraint(
            ["event", "round"], ["round.event", "round.number"], name=op.f("fk_sitting_out_event_round")
        ),
        sa.ForeignKeyConstraint(
            ["event", "player"], ["entrant.event", "entrant.player"], name=op.f("fk_sitting_out_event_player")
        ),
    )


def _results() -> None:
    op.create_table(
        "result",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("table_number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("short", sa.Integer(), nullable=False),
        sa.Column("record", sa.String(), nullable=True),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("event", "round", "table_number", name=op.f("pk_result")),
        sa.ForeignKeyConstraint(
            ["event", "round"], ["round.event", "round.number"], name=op.f("fk_result_event_round")
        ),
        sa.CheckConstraint("state IN ('counts', 'void')", name=op.f("ck_result_state")),
        sa.CheckConstraint("state = 'counts' OR record IS NULL", name=op.f("ck_result_record")),
        sa.CheckConstraint("short >= 0", name=op.f("ck_result_short")),
        sa.ForeignKeyConstraint(["record"], ["record.digest"], name=op.f("fk_result_record")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_result_act")),
    )
    op.create_table(
        "score",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("table_number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("hands_won", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("extra", sa.Integer(), nullable=True),
        sa.Column("money", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("event", "round", "table_number", "seat", name=op.f("pk_score")),
        sa.ForeignKeyConstraint(
            ["event", "round", "table_number"],
            ["result.event", "result.round", "result.table_number"],
            name=op.f("fk_score_event_round_table_number"),
        ),
        sa.ForeignKeyConstraint(
            ["event", "round", "table_number", "seat"],
            ["seat.event", "seat.round", "seat.table_number", "seat.seat"],
            name=op.f("fk_score_event_round_table_number_seat"),
        ),
        sa.CheckConstraint("hands_won >= 0", name=op.f("ck_score_hands_won")),
        sa.CheckConstraint("place >= 1", name=op.f("ck_score_place")),
    )
    op.create_table(
        "hand",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("table_number", sa.Integer(), nullable=False),
        sa.Column("hand", sa.Integer(), nullable=False),
        sa.Column("contract", sa.String(), nullable=False),
        sa.Column("closer", sa.Integer(), nullable=True),
        sa.Column("at_once", sa.Integer(), nullable=False),
        sa.Column("ending", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("event", "round", "table_number", "hand", name=op.f("pk_hand")),
        sa.ForeignKeyConstraint(
            ["event", "round", "table_number"],
            ["result.event", "result.round", "result.table_number"],
            name=op.f("fk_hand_event_round_table_number"),
        ),
        sa.ForeignKeyConstraint(
            ["event", "round", "table_number", "closer"],
            ["seat.event", "seat.round", "seat.table_number", "seat.seat"],
            name=op.f("fk_hand_event_round_table_number_closer"),
        ),
        sa.CheckConstraint("hand >= 0", name=op.f("ck_hand_hand")),
        sa.CheckConstraint("at_once IN (0, 1)", name=op.f("ck_hand_at_once")),
        sa.CheckConstraint("closer IS NOT NULL OR at_once = 0", name=op.f("ck_hand_closer")),
    )
    op.create_table(
        "hand_score",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("table_number", sa.Integer(), nullable=False),
        sa.Column("hand", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("off", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("event", "round", "table_number", "hand", "seat", name=op.f("pk_hand_score")),
        sa.ForeignKeyConstraint(
            ["event", "round", "table_number", "hand"],
            ["hand.event", "hand.round", "hand.table_number", "hand.hand"],
            name=op.f("fk_hand_score_event_round_table_number_hand"),
        ),
        sa.ForeignKeyConstraint(
            ["event", "round", "table_number", "seat"],
            ["seat.event", "seat.round", "seat.table_number", "seat.seat"],
            name=op.f("fk_hand_score_event_round_table_number_seat"),
        ),
    )


def _rulings() -> None:
    op.create_table(
        "ruling",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("table_number", sa.Integer(), nullable=True),
        sa.Column("player", sa.Integer(), nullable=True),
        sa.Column("hand", sa.String(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("why_cancelled", sa.String(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("event", "number", name=op.f("pk_ruling")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_ruling_number")),
        sa.CheckConstraint("kind IN ('penalty', 'redeal', 'correction', 'note')", name=op.f("ck_ruling_kind")),
        sa.CheckConstraint("state IN ('stands', 'cancelled')", name=op.f("ck_ruling_state")),
        sa.ForeignKeyConstraint(["event"], ["event.id"], name=op.f("fk_ruling_event")),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_ruling_player")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_ruling_act")),
    )
    op.create_table(
        "draft",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("table_number", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("event", "round", "table_number", name=op.f("pk_draft")),
    )


def _imports() -> None:
    op.rename_table("pool_result", "pool_result_before")
    op.create_table(
        "pool_result",
        sa.Column("pool_import", sa.Integer(), nullable=False),
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("pool_import", "row", name=op.f("pk_pool_result")),
        sa.UniqueConstraint("pool_import", "game", "name", name=op.f("uq_pool_result_pool_import_game_name")),
        sa.CheckConstraint("place >= 1", name=op.f("ck_pool_result_place")),
    )
    op.execute("INSERT INTO pool_result SELECT pool_import, row, game, name, place FROM pool_result_before")
    op.drop_table("pool_result_before")
