"""Take root's rights over files from a program that a test starts: a locked folder is then locked for root too.

Changing to another user instead would make unreadable what only root may read, such as the program's own folder.
"""

import ctypes
import os
import sys

_VERSION_3 = 0x20080522
"""The version of capabilities with 64 bits, of linux/capability.h."""


def obey_permissions() -> None:
    """Give up every capability of this process on Linux; elsewhere become `nobody`. Do nothing if not root."""
    if os.name != "posix" or os.geteuid() != 0:
        return
    if sys.platform != "linux":
        os.setuid(65534)
        return
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    none = (ctypes.c_uint32 * 6)()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.capset(header, none) != 0:
        raise OSError(ctypes.get_errno(), "capset")
