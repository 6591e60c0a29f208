"""The base of all tables, and the names of their constraints."""

from sqlalchemy import MetaData
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

NAMING = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}


class Base(SQLModel, registry=registry(metadata=MetaData(naming_convention=NAMING))):
    """The base of our models, with a registry of its own, apart from the models of other programs."""


class AtTable(Base):
    """The key of rows about a table of a round."""

    event: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    table_number: int = Field(primary_key=True)


METADATA = Base.metadata
