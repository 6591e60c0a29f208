"""The sandbox that tests use, and the mark of tests that need it."""

import os
from pathlib import Path
from typing import Final

import pytest

from tourney.bots.isolation import seccomp
from tourney.bots.isolation.sandbox import Bubblewrap

BWRAP: Final = Path("/usr/bin/bwrap")
KIND: Final = seccomp.machine() or ""
BUBBLEWRAP: Final = Bubblewrap(str(BWRAP), KIND)
SPARED: Final = not BWRAP.exists() and os.environ.get("EXPECTED_SANDBOX") != "bubblewrap"
"""True where bubblewrap may be missing: it need not be there, and .ci/nightly, which installs it, says that it is."""
SANDBOXED = pytest.mark.skipif(SPARED, reason="no bubblewrap")
