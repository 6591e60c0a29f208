"""The base that all tables share."""

from sqlalchemy import MetaData
from sqlalchemy.orm import registry
from sqlmodel import SQLModel

NAMING = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}


class Base(SQLModel, registry=registry(metadata=MetaData(naming_convention=NAMING))):
    """The base of our models, with a registry of its own, so that models of other programs do not mix in."""
