"""WebAssembly modules as bots: a launcher runs them without clock, chance or files, and counts what they spend."""
