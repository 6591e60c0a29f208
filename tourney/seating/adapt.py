"""A planned round made to fit other entrants with as few moves as its sizes allow."""

from collections.abc import Sequence, Set


def adapt(tables: Sequence[Sequence[int]], sizes: Sequence[int], out: Set[int], players: int) -> list[list[int]]:
    """The round with players 0..players-1 but those who sit out, at tables of these sizes, largest first.

    Who leaves a table that became too large, and newcomers, fill the gaps that others left.
    """
    playing = {player for player in range(players) if player not in out}
    kept = sorted(([player for player in table if player in playing] for table in tables), key=len, reverse=True)
    kept.extend([] for _ in range(len(sizes) - len(kept)))
    fitted = [table[:size] for table, size in zip(kept, sizes, strict=False)]
    seated = {player for table in fitted for player in table}
    waiting = sorted(playing - seated)
    for table, size in zip(fitted, sizes, strict=True):
        while len(table) < size:
            table.append(waiting.pop())
    return fitted
