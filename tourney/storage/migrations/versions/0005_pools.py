"""Pools of people and bots with parameters of their own, and how fast sigma grows with the calendar.

The table is made anew and empty; it indexes the journal, which fills it again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Give pools a column for absence, and let people and bots have a row."""
    op.drop_table("pool")
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
        sa.Column("absence", sa.String(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pool")),
        sa.UniqueConstraint("folded", name=op.f("uq_pool_folded")),
        sa.CheckConstraint("kind IN ('people', 'bots', 'joint', 'imported')", name=op.f("ck_pool_kind")),
        sa.ForeignKeyConstraint(["act"], ["act.number"], name=op.f("fk_pool_act")),
    )
