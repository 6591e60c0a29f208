"""How many tables an event has.

The table is made anew and empty; it indexes the journal, which fills it again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Give events a column for the number of tables."""
    op.drop_table("event")
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
        sa.Column("tables", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("rules_text", sa.String(), nullable=False),
        sa.Column("wishes", sa.String(), nullable=False),
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
        sa.CheckConstraint("tables IS NULL OR tables >= 1", name=op.f("ck_event_tables")),
        sa.CheckConstraint("state IN ('open', 'finished')", name=op.f("ck_event_state")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_event_act")),
    )
