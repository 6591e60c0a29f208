"""Leagues of bots: what each plays, and blocks, faults and records beside the journal."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, empty."""
    op.create_table(
        "league",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("bots", sa.String(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
        sa.Column("rules_digest", sa.String(), nullable=False),
        sa.Column("rules_text", sa.String(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("blocks", sa.Integer(), nullable=False),
        sa.Column("design", sa.String(), nullable=False),
        sa.Column("certainty", sa.String(), nullable=False),
        sa.Column("records", sa.String(), nullable=False),
        sa.Column("stake", sa.Integer(), nullable=False),
        sa.Column("program", sa.String(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league")),
        sa.CheckConstraint("seats >= 2", name=op.f("ck_league_seats")),
        sa.CheckConstraint("blocks >= 1", name=op.f("ck_league_blocks")),
        sa.CheckConstraint("stake >= 0", name=op.f("ck_league_stake")),
        sa.CheckConstraint("design IN ('pairs', 'replace', 'rotations', 'fresh')", name=op.f("ck_league_design")),
        sa.CheckConstraint("records IN ('none', 'sampled', 'all')", name=op.f("ck_league_records")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_league_act")),
    )
    op.create_table(
        "league_block",
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("entrants", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("league", "entrants", "block", name=op.f("pk_league_block")),
        sa.CheckConstraint("length(hash) = 64", name=op.f("ck_league_block_hash")),
    )
    op.create_table(
        "league_fault",
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("entrants", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("hand", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("trace", sa.String(), nullable=False),
        sa.Column("checksum", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("league", "entrants", "block", "place", name=op.f("pk_league_fault")),
    )
    op.create_table(
        "league_record",
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("entrants", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("packed", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("league", "entrants", "block", "game", name=op.f("pk_league_record")),
        sa.CheckConstraint("length(digest) = 64", name=op.f("ck_league_record_digest")),
    )
    op.create_table(
        "league_seal",
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("entrants", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("total", sa.String(), nullable=False),
        sa.Column("checksum", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("league", "entrants", "what", name=op.f("pk_league_seal")),
        sa.CheckConstraint("what IN ('block', 'fault', 'record')", name=op.f("ck_league_seal_what")),
    )
