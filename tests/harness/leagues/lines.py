"""Read and write the lines of league files; hashes are computed here, as the page of the guide says."""

import json
from hashlib import sha256
from pathlib import Path


def written(values: list[dict]) -> str:
    """Return the text of a file with these lines; hashes are computed here, as the page of the guide says."""
    lines, before = [], ""
    for value in values:
        value = value | ({"head": before} if "head" in value else {})
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        before = sha256(f"{before}\n{text}".encode()).hexdigest()
        lines.append(f"{before} {text}\n")
    return "".join(lines)


def values_of(path: Path) -> list[dict]:
    """Return the values of a file's lines."""
    return [json.loads(line.partition(" ")[2]) for line in path.read_text(encoding="utf-8").splitlines()]


def more_points(text: str) -> str:
    """Return the line of a block in which the last of the first game has 5 points more, in its first hand."""
    outcome = json.loads(text)
    seating, points = outcome[2][0][2:4]
    last = points.index(max(points))
    points[last] += 5
    totals = outcome[3][seating[last]]
    totals[1] += 5
    totals[6][0] += 5
    return json.dumps(outcome, separators=(",", ":"))
