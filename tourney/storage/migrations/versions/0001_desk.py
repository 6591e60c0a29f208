"""The first schema: journal, players, events, rounds, results, pools."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables, those first that others refer to."""
    _journal()
    _players()
    _events()
    _rounds()
    _results()
    _pools()


def _journal() -> None:
    op.create_table(
        "act",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("time", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_act")),
        sa.UniqueConstraint("id", name=op.f("uq_act_id")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_act_number")),
        sa.CheckConstraint("length(id) = 32", name=op.f("ck_act_id")),
        sa.CheckConstraint("length(hash) = 64", name=op.f("ck_act_hash")),
    )
    op.create_table(
        "head",
        sa.Column("one", sa.Integer(), nullable=False),
        sa.Column("acts", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("one", name=op.f("pk_head")),
        sa.CheckConstraint("one = 1", name=op.f("ck_head_one")),
        sa.CheckConstraint("acts >= 1", name=op.f("ck_head_acts")),
        sa.ForeignKeyConstraint(["acts"], ["act.number"], name=op.f("fk_head_acts")),
    )


def _players() -> None:
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("bot", sa.String(), nullable=True),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("bot", name=op.f("uq_player_bot")),
        sa.CheckConstraint("kind IN ('person', 'bot')", name=op.f("ck_player_kind")),
        sa.CheckConstraint("(kind = 'bot') = (bot IS NOT NULL)", name=op.f("ck_player_bot")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_player_act")),
    )
    op.create_table(
        "person",
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("club", sa.String(), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("checksum", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_person")),
        sa.UniqueConstraint("folded", name=op.f("uq_person_folded")),
        sa.CheckConstraint("name <> ''", name=op.f("ck_person_name")),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_person_player")),
    )


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
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
        sa.UniqueConstraint("folded", name=op.f("uq_event_folded")),
        sa.CheckConstraint("name <> ''", name=op.f("ck_event_name")),
        sa.CheckConstraint("rounds >= 1", name=op.f("ck_event_rounds")),
        sa.CheckConstraint("size >= 2", name=op.f("ck_event_size")),
        sa.CheckConstraint("short IN ('short tables', 'sit out')", name=op.f("ck_event_short")),
        sa.CheckConstraint("minimum IS NULL OR minimum >= 0", name=op.f("ck_event_minimum")),
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
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("event", "number", name=op.f("pk_entrant")),
        sa.UniqueConstraint("event", "player", name=op.f("uq_entrant_event_player")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_entrant_number")),
        sa.ForeignKeyConstraint(["event"], ["event.id"], name=op.f("fk_entrant_event")),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_entrant_player")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_entrant_act")),
    )


def _rounds() -> None:
    op.create_table(
        "round",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("event", "number", name=op.f("pk_round")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_round_number")),
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
        "record",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_record")),
        sa.CheckConstraint("length(digest) = 64", name=op.f("ck_record_digest")),
    )
    op.create_table(
        "result",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("table_number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("record", sa.String(), nullable=True),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("event", "round", "table_number", name=op.f("pk_result")),
        sa.ForeignKeyConstraint(
            ["event", "round"], ["round.event", "round.number"], name=op.f("fk_result_event_round")
        ),
        sa.CheckConstraint("state IN ('counts', 'void')", name=op.f("ck_result_state")),
        sa.CheckConstraint("state = 'counts' OR record IS NULL", name=op.f("ck_result_record")),
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


def _pools() -> None:
    op.create_table(
        "pool",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("mu", sa.String(), nullable=False),
        sa.Column("sigma", sa.String(), nullable=False),
        sa.Column("beta", sa.String(), nullable=False),
        sa.Column("tau", sa.String(), nullable=False),
        sa.Column("draw", sa.String(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pool")),
        sa.UniqueConstraint("folded", name=op.f("uq_pool_folded")),
        sa.CheckConstraint("kind IN ('joint', 'imported')", name=op.f("ck_pool_kind")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_pool_act")),
    )
    op.create_table(
        "pool_import",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pool", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pool_import")),
        sa.CheckConstraint("games >= 0", name=op.f("ck_pool_import_games")),
        sa.CheckConstraint("rows >= 0", name=op.f("ck_pool_import_rows")),
        sa.ForeignKeyConstraint(["pool"], ["pool.id"], name=op.f("fk_pool_import_pool")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_pool_import_act")),
    )
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
        sa.ForeignKeyConstraint(["pool_import"], ["pool_import.id"], name=op.f("fk_pool_result_pool_import")),
    )
    op.create_table(
        "rating_cache",
        sa.Column("pool", sa.String(), nullable=False),
        sa.Column("inputs", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("checksum", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("pool", name=op.f("pk_rating_cache")),
    )
