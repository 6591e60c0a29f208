"""Make `fixtures/databases/0007.sql`, the season of a club, and `0007.json`, what commands print about it.

The program of commit ac1db33, installed in an environment of its own, made both files with

    old=/path/to/that/environment
    PYTHONPATH=$old/lib/python3.11/site-packages:. $old/bin/python -P -m \\
        tests.harness.record_database 0007 --commit ac1db33

They prove that databases of that program stay readable and give the same output. A newer program must not write them
again, so existing files are never replaced; a later schema is recorded under its own number.
"""

import argparse
import json
import random
import shlex
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from tests.harness.recorded import FIXTURES, answer, record, refuse_to_record, run, working_in

FOLDER: Final = FIXTURES / "databases"
CONTRACTS: Final = ("TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE")
POINTS: Final = (2, 7, 12, 18, 25, 33, 40, 41, 58, 64, 77, 95, 120)

PLAYERS: Final = """name,label,club
Ana,,Getxo
Beñat,,Getxo
Carmen,,Irun
Diego,,Irun
Elena,,
Félix,,
Gloria,,Getxo
Hugo,,
Inés,,
Javier,,
Koldo,,Irun
Lucía,,
Mateo,,
Nuria,,
Óscar,,
Pilar,,
Quique,,
Rosa,,
Sergio,,
Teresa,,
Unai,,
Vera,,
"""
CLUB_RULES: Final = """id = "getxo"
base = "oficial+claims3"
title = "House rules of the Getxo club"

[set]
"laying.first_turn" = { is = "forbidden", clause = "Getxo 2024" }
"""
TABLE_BY_HAND: Final = """round,table,seat,player
1,1,1,Ana
1,1,2,greedy-2
1,1,3,Gloria
1,1,4,greedy-1
"""

EVENTS: Final = ("Friday", "Saturday", "Old", "rated-swiss", "snake", "informative", "random", "Hand", "Getxo", "Money")
POOLS: Final = ("people", "bots", "joint", "f1", "races")
READING: Final = (
    *("event list", "player list", "player list --search ana", "player list --kind bot", "bot list", "rules list"),
    *("player show Ana", "player show greedy-1", "player show 'Diego Luis'"),
    *("log", "log Friday --last 30", "log Nowhere", "db check", "db path", "event show", "standings"),
    *(f"{command} {event}" for event in (*EVENTS, "Bots") for command in ("event show", "standings", "round show")),
    *(f"{command} {event}" for event in (*EVENTS, "Bots") for command in ("round verify", "round show --why")),
    *(f"{command} {event}" for event in EVENTS for command in ("result show", "ruling list", "log")),
    *("standings Friday --round 2", "standings Saturday --round 1", "standings Friday --why Ana"),
    *("standings Money --why Ana", "standings Friday --why Koldo", "standings Friday --format csv"),
    *("standings Money --format csv", "round show Friday --round 2", "round show Friday --by name"),
    *("round show Friday --round 2 --by table", "round show Friday --format csv", "round slips Friday"),
    *("round clock Friday --round 1", "round clock Saturday --round 2", "round slips Saturday --round 1 --table 2"),
    *("result show Friday --round 1", "result show Friday --round 1 --table 1", "result show Friday --format csv"),
    *("result show Friday --round 3 --table 1", "result show Money --round 1 --table 1", "result show Bots"),
    *("result show Friday --round 4 --table 2", "result show Bots --round 1 --table 1 --record"),
    *(f"{command} --pool {pool}" for pool in POOLS for command in ("ratings", "rating verify")),
    *("ratings --as-of 2026-10-09", "ratings --since 2026-10-09", "ratings --season 2026 --rules oficial"),
    *("ratings --games 5", "ratings --pool f1 --as-of 1950-07-01", "ratings --format csv", "rating pool"),
    *("rating show Ana", "rating show Unai", "rating show nino-farina --pool f1", "rating show greedy-1 --pool joint"),
    *("rating show Ana --as-of 2026-10-09", "rating history Ana", "rating history Ana --games 6"),
    *("rating history nino-farina --pool f1", "rating history greedy-1 --pool bots"),
    *("rating explain Ana", "rating explain Ana Friday --round 2", "rating explain Ana --game 1"),
    *("rating explain nino-farina --pool f1", "rating explain greedy-1 --pool joint"),
    *("rating predict Ana Carmen Elena --top 3", "rating predict nino-farina luigi-fagioli --pool f1"),
    *("rating quality Ana Carmen Elena Hugo", "rating quality nino-farina luigi-fagioli reg-parnell --pool f1"),
    *("rating whatif Friday", "rating whatif Friday --player Ana", "rating whatif Friday --pool people --place 3"),
    *("rating compare --pool f1", "rating noise", "rating noise --pool f1 --seed 2"),
    *("rating smooth Ana", "rating smooth nino-farina --pool f1"),
    *(f"league status {number}{level}" for number in (1, 2, 3) for level in ("", " --level 0.99")),
    *("league status 1 --format csv", "league resume 1 --workers 1", "league record 1 --block 2 --game 3"),
    *("league why greedy random --league 1", "league why planner greedy --league 1 --block 1"),
)
"""Commands that change nothing; `--json` is added to those without another format."""

WRITING: Final = (
    "result enter Friday --round 4 --table 2 --hand 'TTT Ana=0 Hugo=20 Diego Luis=33'"
    " --hand 'TTE Hugo=-10 Ana=12 Diego Luis=7' --hand 'TEE Diego Luis=0 Ana=41 Hugo=18'"
    " --hand 'EEE Ana=0 Hugo=2 Diego Luis=4'",
    "result show Friday --round 4 --table 2",
    "ruling add Friday --kind penalty --player Hugo --points 40 --reason 'a phone' --dry-run",
    "ruling cancel Friday 1 --reason 'it was settled'",
    "event reopen Saturday --reason 'one more round'",
    "event set Saturday --rounds 4 --minutes 50",
    "event withdraw Saturday Ana --reason ill",
    "round draw Saturday",
    "event finish Friday",
    "event enter Getxo Rosa --dry-run",
    "event enter Getxo Rosa",
    "round draw Getxo",
    "round move Getxo Rosa --out",
    "player rename Rosa --club Irun",
    "player merge Vera Unai",
    "rating pool set races --beta 6 --dry-run",
    "rating pool set people --mu 30",
    *["undo"] * 16,
    *["redo"] * 9,
    "standings Friday",
    "ratings",
    "db check",
)
"""Commands that continue the season, to be run in order; one of them is refused."""


class Club:
    """The folder of a club, with its files and its database, and the commands that write them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._rng = random.Random("sheets of 0007")

    def do(self, *lines: str) -> str:
        """Run command lines that must succeed, and return the output of the last one."""
        output = ""
        for line in lines:
            ran = run(*shlex.split(line))
            if ran.code:
                raise SystemExit(f"tourney {line}: exit code {ran.code}\n{ran.err}")
            output = ran.out
        return output

    def write(self, name: str, text: str) -> None:
        """Write a file in the folder."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def play(self, event: str, rounds: int = 1) -> None:
        """Draw rounds and enter a sheet for every table."""
        for _round in range(rounds):
            self.do(f"round draw {event}")
            self.enter(event)

    def enter(self, event: str, *, skipped: tuple[int, ...] = ()) -> None:
        """Enter a sheet for each table of the newest round where people sit, except the `skipped` tables."""
        rounds = self.rounds(event)
        for table, names in enumerate(rounds[-1], 1):
            if table not in skipped and not all(name[-1].isdigit() for name in names):
                self.sheet(event, len(rounds), table, "result enter")

    def sheet(self, event: str, number: int, table: int, command: str, *options: str, hands: int = 7) -> None:
        """Run a command with a random sheet of the table in the round `number`."""
        names = self.rounds(event)[number - 1][table - 1]
        self.write("sheet.toml", "\n".join(self._hands(names, hands)))
        self.do(" ".join((command, event, f"--round {number} --table {table} --file sheet.toml", *options)))

    def rounds(self, event: str) -> list[list[list[str]]]:
        """Return the seating of an event: rounds, tables, names in seat order."""
        rounds: list[list[list[str]]] = json.loads(self.do(f"round show {event} --json"))["rounds"]
        return rounds

    def _hands(self, names: list[str], hands: int) -> Iterator[str]:
        for contract in CONTRACTS[:hands]:
            closer = self._rng.choice([*names, ""])
            at_once = bool(closer) and self._rng.random() < 0.2
            points = {name: self._rng.choice(POINTS) for name in names}
            if closer:
                points[closer] = -10 if at_once else 0
            cells = ", ".join(f'"{name}" = {number}' for name, number in points.items())
            end = f'closer = "{closer}"\nat_once = {str(at_once).lower()}' if closer else "dead = true"
            yield f'[[hands]]\ncontract = "{contract}"\n{end}\npoints = {{ {cells} }}'


def season(club: Club) -> None:
    """Create the database of a season by commands."""
    club.write("players.csv", PLAYERS)
    club.do("player import players.csv", "player add Anna --label visitor", "player add Xabier Yolanda --club Bilbao")
    _friday(club)
    _saturday(club)
    _other_formats(club)
    _imported(club)
    _leagues(club)
    club.do("player rename Diego --name 'Diego Luis' --label tall", "player merge Ana Anna", "player erase Sergio")
    club.do("undo", "redo", "player add Zoe", "undo")


def _friday(club: Club) -> None:
    """Play an evening of people and bots with every kind of change."""
    club.do(
        "event new Friday --rules oficial --format rotation --rounds 3 --size 4 --seed seven --date 2026-10-02"
        " --minutes 60 --unfinished penalty --unfinished-points 30",
        "event use Friday",
        "event enter Friday Ana Beñat Carmen Diego Elena Félix Gloria Hugo Javier --bots greedy:2",
        "event wish Friday --table Hugo=2",
        "round draw",
        "round clock --start",
    )
    club.enter("Friday")
    club.do("event enter Friday Koldo", "round draw")
    tables = club.rounds("Friday")[1]
    club.do(shlex.join(("round", "move", "Friday", tables[0][1], "--with", tables[1][2])))
    club.enter("Friday")
    club.sheet("Friday", 1, 1, "result correct", "--reason 'two rows exchanged'")
    club.do("result void Friday --round 2 --table 1 --reason 'wrong deck'")
    club.sheet("Friday", 2, 1, "result enter")
    club.do(
        "event withdraw Friday Gloria --reason 'a train to catch'",
        "event withdraw Friday Félix --no-show",
        "event set Friday --rounds 4 --minimum 2 --clear minutes",
        "round draw",
        "event return Friday Gloria",
    )
    club.enter("Friday", skipped=(1,))
    club.sheet("Friday", 3, 1, "result enter", "--short", hands=4)
    club.do(
        "ruling add Friday --kind penalty --player Ana --points 20 --reason 'late twice' --round 3",
        "ruling add Friday --kind redeal --round 1 --table 1 --hand TTE --reason 'a card face up'",
        "ruling add Friday --kind note --reason 'a borrowed table' --round 2 --table 2",
        "ruling add Friday --kind penalty --player Hugo --points -5 --reason 'a mistake of ours'",
        "ruling cancel Friday 4 --reason 'it was none'",
    )
    club.sheet("Friday", 2, 2, "ruling add", "--kind correction --reason 'misread'")
    club.do("round draw", "round cancel --reason 'the bus is late'", "round draw")
    club.sheet("Friday", 4, 1, "result enter")
    club.sheet("Friday", 4, 2, "result enter", "--half", hands=3)
    club.do("undo", "undo", "redo", "redo", "round play Friday --round 1")


def _saturday(club: Club) -> None:
    """Play a Swiss evening that is finished, reopened and finished again."""
    club.do(
        "event new Saturday --format swiss --rounds 3 --size 4 --seed 3 --date 2026-10-10 --checkin required"
        " --short 'sit out' --tables 3",
        "event enter Saturday Ana Beñat Carmen Diego Elena Félix Gloria Hugo Inés Javier Koldo Lucía Mateo Nuria",
        "event wish Saturday --apart club",
        "event wish Saturday --apart Elena,Félix --apart Mateo,Nuria --together Ana,Carmen",
        "event checkin Saturday --all",
    )
    club.play("Saturday", 2)
    club.do("round clock Saturday --start --minutes 45", "event set Saturday --size 3 --clear tables")
    club.play("Saturday")
    club.do("event finish Saturday", "event reopen Saturday --reason 'a penalty was forgotten'")
    club.do("ruling add Saturday --kind penalty --player Mateo --points 10 --reason 'a phone'", "event finish Saturday")


def _other_formats(club: Club) -> None:
    """Play events of the other formats, by a club's own rules, for money, and of bots alone."""
    entrants = "Ana Beñat Carmen Diego Elena Félix Gloria Hugo"
    for day, form, rounds in ((12, "rated swiss", 2), (13, "informative", 2), (14, "snake", 1), (15, "random", 1)):
        name = form.replace(" ", "-")
        club.do(f"event new {name} --format '{form}' --rounds {rounds} --seed 5 --date 2026-10-{day}")
        club.do(f"event enter {name} {entrants}")
        club.play(name, rounds)
        club.do(f"event finish {name}")
    club.write("hand.csv", TABLE_BY_HAND)
    club.do("event new Hand --format manual --rounds 1 --date 2026-10-17")
    club.do(f"event enter Hand {entrants} --bots greedy:2", "round draw Hand --file hand.csv")
    club.enter("Hand")
    club.write("getxo.toml", CLUB_RULES)
    club.do("event new Getxo --rules getxo.toml --rounds 2 --size 3 --date 2026-10-18")
    club.do("event enter Getxo Óscar Pilar Anna")
    club.play("Getxo")
    club.do("event new Money --rules knock --stake 50 --size 3 --rounds 2 --date 2026-10-19")
    club.do("event enter Money Ana Beñat Carmen", "round draw Money")
    hands = ("knock Carmen=1 Ana=37 Beñat=38", "rummy Ana=-10 Beñat=56 Carmen=59 jokers=3 buys=Beñat")
    hands += ("color Beñat=-25 Ana=26 Carmen=63", "knock Ana=2 Beñat=52", "continental Beñat=0 Ana=16")
    club.do("result enter Money --round 1 --table 1 " + " ".join(f"--hand '{hand}'" for hand in hands))
    club.do("event new Bots --rounds 2 --size 3 --seed 9 --date 2026-10-20")
    club.do("event enter Bots --bots greedy:1,random:2", "round draw Bots", "round play Bots")


def _imported(club: Club) -> None:
    """Import an evening and two results files, and set the parameters of pools."""
    for name, source, max_rows in (("sheets.csv", "club/score-sheets.csv", 12), ("f1.csv", "formula1.csv", 149)):
        header, *rows = (FIXTURES / source).read_text(encoding="utf-8").splitlines()
        club.write(name, "\n".join([header, *rows[:max_rows]]) + "\n")
    club.write("races.csv", "seq,date,racer,rank\n1,2026-01-03,Eva,1\n1,2026-01-03,Iker,2\n2,2026-02-03,Iker,1\n")
    with (club.folder / "races.csv").open("a", encoding="utf-8") as file:
        file.write("2,2026-02-03,Eva,2\n2,2026-02-03,Noa,2\n")
    club.do(
        "event import Old --sheets sheets.csv --rules oficial --date 2026-09-18",
        "rating import f1.csv --pool f1 --parameters 'beta=5 tau=0.1'",
        "rating import races.csv --pool races --column player=racer",
        "rating pool --open",
        "rating pool set f1 --absence 1.5 --dry-run",
        "rating pool set f1 --absence 1.5",
        "rating pool set people --beta 4.5 --draw 0.02",
    )


def _leagues(club: Club) -> None:
    """Play a league that another bot joins, and two leagues of other designs and rules."""
    club.do(
        "league run --bots greedy,random --seats 2 --blocks 2 --seed 7 --records all --workers 1",
        "league join 1 --bots planner --workers 1",
        "league run --bots greedy,random --rules knock --seats 3 --design rotations --blocks 3 --stake 30 --workers 1",
        "league run --bots greedy,greedy,random --seats 3 --design fresh --until-sure 0.6 --blocks 12 --workers 1",
    )


def dump(db: Path) -> str:
    """Return a database as SQL."""
    with closing(sqlite3.connect(db)) as connection:
        return "".join(f"{statement}\n" for statement in connection.iterdump())


def load(sql: Path, db: Path) -> None:
    """Create a database from a dump."""
    with closing(sqlite3.connect(db)) as connection:
        connection.executescript(sql.read_text(encoding="utf-8"))


def main() -> None:
    """Record a season and the output of commands under the number of the schema, if nothing is recorded under it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="the number of the schema")
    parser.add_argument("--commit", required=True, help="the commit of the program")
    arguments = parser.parse_args()
    sql, answers = FOLDER / f"{arguments.name}.sql", FOLDER / f"{arguments.name}.json"
    refuse_to_record(sql, answers)
    with tempfile.TemporaryDirectory() as temporary, working_in(Path(temporary)) as folder:
        season(Club(folder))
        sql.write_text(dump(folder / "club.db"), encoding="utf-8")
    with tempfile.TemporaryDirectory() as temporary, working_in(Path(temporary)) as folder:
        load(sql, folder / "club.db")
        recorded = [(line, answer(line, folder)) for line in (*READING, *WRITING)]
    record(answers, arguments.commit, recorded)


if __name__ == "__main__":
    main()
