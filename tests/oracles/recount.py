"""Count the burdens of a seating (what players may mind) from their definitions, without the program.

`rounds` holds rounds, tables and players in seat order; players are numbers from 0.
"""


def together(rounds, player, other) -> int:
    """Return how often two players sit at one table."""
    return sum(player in table and other in table for tables in rounds for table in tables)


def burdens(rounds, players) -> dict[str, list[int]]:
    """Return the count of every burden for each player, by the names that the program's report has for them."""
    everybody = range(players)
    seats = [[table.index(p) for tables in rounds for table in tables if p in table] for p in everybody]
    width = max(len(table) for tables in rounds for table in tables)
    places = [[t for tables in rounds for t, table in enumerate(tables) if p in table] for p in everybody]
    opponents = [{q for q in everybody if q != p and together(rounds, p, q)} for p in everybody]
    return {
        "repeat meetings": [sum(max(0, together(rounds, p, q) - 1) for q in everybody if q != p) for p in everybody],
        "seats": [max(map(row.count, range(width))) - min(map(row.count, range(width))) for row in seats],
        "first deals": [row.count(0) for row in seats],
        "short tables": [
            sum(p in table and len(table) < max(map(len, tables)) for tables in rounds for table in tables)
            for p in everybody
        ],
        "sitting out": [len(rounds) - len(row) for row in seats],
        "tables revisited": [len(row) - len(set(row)) for row in places],
        "strangers": [
            sum(q != p and q not in opponents[p] and not opponents[p] & opponents[q] for q in everybody)
            for p in everybody
        ],
    }
