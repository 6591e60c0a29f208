"""Ratings that stream: checkpoints in the place of one cache a pool, and what counts of each round.

Both can be worked out again, so nothing of the old cache is taken over.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the new caches, empty."""
    op.drop_table("rating_cache")
    op.create_table(
        "rating_checkpoint",
        sa.Column("pool", sa.String(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("inputs", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("checksum", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("pool", "games", name=op.f("pk_rating_checkpoint")),
    )
    op.create_table(
        "rated_round",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("seats", sa.String(), nullable=False),
        sa.Column("scores", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("checksum", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("event", "round", name=op.f("pk_rated_round")),
    )
