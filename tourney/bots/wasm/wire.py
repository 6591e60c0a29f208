"""The lines between the program and the launcher of modules; everything else is what the module hears and says.

To the launcher: `!new NUMBER SEED` begins an instance, `!go` ends what it is to hear for now, `!end` ends it. From the
launcher: `!begun NUMBER`; `=FUEL TEXT`, a line of the module with what it has spent since it heard something;
`!waits N`, when it reads on after what `N` times `!go` has ended; `!out`, when its fuel is used up; `!ended TEXT`, when
it has ended; and `!late`, when it has used up its processor time, and the launcher ends with it. `!sync` is answered by
`!synced` when no instance runs, and all of its standard error is written.
"""

from typing import Final

NEW: Final = "!new"
GO: Final = "!go"
END: Final = "!end"
SYNC: Final = "!sync"
SYNCED: Final = "!synced"
BEGUN: Final = "!begun"
WAITS: Final = "!waits"
OUT: Final = "!out"
ENDED: Final = "!ended"
LATE: Final = "!late"
SAID: Final = "="
MOST_SAID: Final = 8192
"""The most bytes that a module may say before it reads on; what is beyond is thrown away."""
MAGIC: Final = b"\0asm"
"""The first bytes of every WebAssembly module."""
