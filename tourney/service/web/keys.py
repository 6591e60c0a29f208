"""Keys to pages as they are kept: a random text by its SHA-256, one that people type by scrypt with a salt.

Codes and PINs are so short that somebody with the database's file could try them all; scrypt makes each try cost 20 ms
and 8 MB. Rows of versions before schema 0012 have the SHA-256 of salt and digits, and are still read.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Final

from tourney import storage
from tourney.domain.submissions import AccessKind

TOKEN_BYTES: Final = 16
SCRYPT: Final = "scrypt:"
"""The beginning of the salts with which keys are hashed by scrypt."""
COST: Final = 2**13


def new_token() -> str:
    """Return a random text of 128 bits."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_salt() -> str:
    """Return a salt for keys that people type."""
    return f"{SCRYPT}{secrets.token_hex(TOKEN_BYTES)}"


def hashed(salt: str, key: str) -> str:
    """Return the hash of a key, 64 hexadecimal digits."""
    typed = f"{salt}{key}".encode(errors="surrogatepass")
    if not salt.startswith(SCRYPT):
        return hashlib.sha256(typed).hexdigest()
    return hashlib.scrypt(typed, salt=salt.encode(), n=COST, r=8, p=1, dklen=32).hex()


def token_of_code(salt: str, digits: str) -> str:
    """Return the random text of 128 bits to which a code leads, the same for everybody who types the code."""
    return hashed(salt, f"token {digits}")[: 2 * TOKEN_BYTES]


def is_key(row: storage.KeptAccess, key: str) -> bool:
    """Return whether that is the key of a row that has not ended."""
    return row.ended is None and secrets.compare_digest(row.hash, hashed(row.salt, key))


def row_of_code(rows: Sequence[storage.KeptAccess], kind: AccessKind, digits: str) -> storage.KeptAccess | None:
    """Return the row of a typed code among those of this kind that have not ended; each salt is hashed once."""
    codes = [row for row in rows if row.kind == kind and row.salt and row.ended is None]
    hashes = {salt: hashed(salt, digits) for salt in {row.salt for row in codes}}
    return next((row for row in codes if secrets.compare_digest(row.hash, hashes[row.salt])), None)
