"""Whether an act is kept, or only tried."""

from typing import Literal

Mode = Literal["save", "dry run"]
