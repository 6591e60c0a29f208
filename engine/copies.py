"""Copying and pickling of frozen values, which a compiled class does not bring with it."""

import copyreg
from dataclasses import fields
from typing import Any


def copied_by_fields(*kinds: type) -> None:
    """Lets values of these frozen dataclasses be copied and pickled: each is made again from its fields."""
    for kind in kinds:
        copyreg.pickle(kind, _made_again)


def _made_again(value: Any) -> tuple[type, tuple[Any, ...]]:
    kind = type(value)
    return kind, tuple(getattr(value, field.name) for field in fields(kind))
