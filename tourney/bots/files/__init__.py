"""The files of bots from outside: which may be read, and copies of them behind walls."""
