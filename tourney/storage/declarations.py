"""The statements that versions of tourney have declared their tables with; a file with another statement is refused.

They are kept as digests: to build the declarations of the present version alone would double the start of a command.
"""

import re
from hashlib import sha256

DECLARED = """
01a12d63064e0666ecf487bc93f0bc3e 07b1260cb40826bebf1833ffb06209f3 08b246aee13624d950b1ba6637fa3cd5
0b44e43b934c68243ae1d80597f61cb7 10ec6cf9af252025d87deeca256e9b1c 1194490a1dcec5d735f411f74d2785fc
119a02eafcff1374ed279891c42eaa4f 125c44f50ba618e25bb8661cf7550ad5 1eeb73f2ccf870a985ae882191ea31bc
210ad58d7d986431e564aaf0bef43c07 235c6df3dee371a1a873016fa332fd2d 25124420c37c98b30ca73d447551ff05
30b3ee12c13b8d0b0f8b45ede27cb315 31b3cfff9a1d5b7135fb27b86ebcdae1 368b2848b95ba5fd82afedd295bc1066
46db4eb8cf0e119225b77e87fd53aa0f 4c45e1afd485e2aa9ace5f7d1ef189c9 513aff716ca603a67c9a9bdf15cc1dbc
5932e92eaea90cec3896f4110b600713 5f2b9061f7a3f8d375a6db58cd737238 699ceb945ac114b767ff47feff086b25
789fceac0d4cbd5f5bfa383ae93aac50 7a90b55f9e5a9e54031f0d2e7254fb9e 7aa6bb1ea25bf4253baaff75e7f79ecd
7da8861b358665af4a8d7d89f149b04b 7e5723b443afcb17aa659362ff58aa2a 88e2476176c20509914674c1f117fa0e
8a18ce753df32e26f1858a1021f8cbcc 8d89bb1ac5f7852ffbfe09b2470365c2 96e23626ac95c9a04afb43ddf82aebba
975c94ba0babe49770fd2f43b21dbfc8 991651a1ef62c30fb9a30d41fb371fa8 9ada8d7b7122905e72477d27507181ef
9f9692fa4601992dc58db46487beb866 a1ea19d93867ad03b74466bddc85571b a6a0f32c9e54d51eb6915462023559ac
b5714de49553d4d3833d19e2c6552936 b5b66ff1c8e1335948b61dd086478232 bbc0eb40ff7f18df56d30cab5cdeb16f
bd6713b2be412e0faba3d625f093a3bc c240b56cc6b4f28cc964d5e3298a0f9e c66491811fd57b65d19df94c5ef63d24
c739087a1c60d67e153e36e9e40e5d40 c8f36f71a0c50db7a7e2f2e460b37b61 d33d1a7b6ec7f530cc6ba26f7f3f2ae5
d36efa3ab643637cc0d076f7d89075da d3ce427edbd06a2e19d824763c8769c8 d5421916838dd300ae2c5e2f53a30cbb
d57573f05733fbb2fa42dd0b224f200c d632f159263b4d5a026b3c21ca483b25 e0ab4fc6a0c76efaa681448fb42b3fac
e1704ab7aaadabf7e22f2779de18f072 e38ac4401033336b188c339b864aec50 ec124691f57717dea2dfc6f207b5942c
ee6921ec6e7e09c3e4e7b909549b9415 ef0a04af96e315bb94919a4f3c8bfc99 f7279fd144c697ccfbe7bedd04a8b8e0
f8f784f3d2502df4fb1c508629567d64 fda1568b814062d4bff763375556a00b
"""
"""The digests of the statements of all versions, which `python -m tests.harness.declarations` writes."""


def uniform(statement: str) -> str:
    """Return a statement in uniform spacing, which differs between versions."""
    return re.sub(r"\s*([(),])\s*|\s+", lambda found: found[1] or " ", statement.strip(), flags=re.ASCII)


def digest(name: str, statement: str) -> str:
    """Return the digest of a statement under a name of the schema."""
    return sha256(f"{name}: {uniform(statement)}".encode(errors="replace")).hexdigest()[:32]


def is_ours(name: object, statement: object) -> bool:
    """Return whether a version of tourney, or SQLite itself, has declared this statement under this name."""
    return digest(str(name), str(statement)) in DECLARED
