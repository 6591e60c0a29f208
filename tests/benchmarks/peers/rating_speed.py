"""Print the processor seconds of rating made games, and a digest of the ratings: `PYTHON -P FILE SIZE GAMES`.

Any Python that has some version of tourney can run this file.
"""

import hashlib
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3]))

from tests.benchmarks.harness.histories import history
from tourney.ratings.fold import Fold
from tourney.ratings.parameters import Parameters

size, number = map(int, sys.argv[1:])
games = list(history(size, number, size))
fold = Fold(Parameters())
begin = time.process_time()
for players, places in games:
    fold.add(players, places)
spent = time.process_time() - begin
skills = [(name, rating.mu, rating.sigma) for name, rating in fold.checkpoint().ratings.items()]
sys.stdout.write(f"{spent!r} {hashlib.sha256(repr(skills).encode()).hexdigest()}\n")
