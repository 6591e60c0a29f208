"""The names that a club's own files have for our columns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class ColumnNames:
    """The columns that a club's own headers stand for, by the header without accents and case.

    Those `given` in a command count before the columns' own names, those `remembered` only where these are missing.
    `used` has the headers of the file that were needed, as they stand there.
    """

    given: Mapping[str, str] = field(default_factory=dict)
    remembered: Mapping[str, str] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)


NO_NAMES: Final = ColumnNames()
