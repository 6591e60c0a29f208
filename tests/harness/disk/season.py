"""A club's season in commands: between them they make entries of every kind, backups, mirrors and files.

Each is typed in the folder that `prepare` has made. `{sheet R T}` stands for a file with a sheet of table T of round R.
"""

import re
import shlex
import shutil
from datetime import UTC, datetime
from pathlib import Path

from tests.harness import desk, older
from tourney.service.rounds import rounds

LINES = """
player add Ana Beñat Carmen Diego Elena Félix Gloria Hugo
db mirror add stick
player import people.csv --column jugador=player
player rename Irene --name "Irene Luz"
player publish "Irene Luz" --not
player merge Ana Anna
player erase Gonzalo --yes
event new Friday --rules oficial --rounds 4 --size 4 --seed 7 --substitutes absent --checkin required
event use Friday
event set Friday --minutes 45
event enter Friday Ana Beñat Carmen Diego Elena Félix Gloria Hugo
event constrain Friday --apart Ana,Beñat
event checkin Friday --all
round draw Friday --draft
round publish Friday
round move Friday Ana --with Carmen
round substitute Friday Diego "Irene Luz"
round clock --start
result enter --round 1 --table 1 --half {hands 1 1}
result enter --round 1 --table 1 --file {sheet 1 1}
result enter --round 1 --table 2 --file {sheet 1 2}
result correct --round 1 --table 2 --reason slip --file {sheet 1 2 2}
result flag Friday 1 1 a bent card
result answer Friday 1 a new pack
ruling penalty Ana 20 came late
ruling add --kind note --reason noise
ruling cancel 1 --reason "they were not"
event withdraw Friday Hugo --reason ill
event return Friday Hugo
round draw Friday
result enter --round 2 --table 1 --half {hands 2 1}
result void --round 2 --table 1 --reason "set aside"
result void --round 1 --table 2 --reason "set aside"
undo
round dissolve Friday --table 2
round cancel Friday --round 2 --reason "all home"
undo
redo
round draw Friday
db backup
db backup stick
event finish Friday --anyway
event reopen --reason "one more round"
event export Friday --output friday.event
event import club.event --name Club --yes
player import players.csv
event import Sheets --sheets sheets.csv --rules oficial --yes
club set --name Club --colour red
season new Year --best 2
season set Year --best 3
season add Year Friday Sheets
season remove Year Sheets
season new Gone
season delete Gone
event new Mistake
event delete Mistake
rating pool --open
rating pool set people --tau 0.1
rating import races.csv --pool races
rating pool set races --tau 0.1
rating import more.csv --pool races
rating alias add Iñaki Iker --pool races
rating alias remove Iñaki --pool races
rating source remove more.csv --pool races
rating publish --as-of {today}
ratings
league run --bots random,random --rules oficial --blocks 1 --seed 7 --seats 2 --workers 1
league join --bots greedy --workers 1
print wall Friday --output wall.html
site Friday pages
status
player list
event show Friday
round show Friday
result show Friday
standings Friday
season standings Year
rating history Eva --pool races
league status
log
doctor
player erase Elena --yes
db restore {backup}
db restore --mirror
db upgrade --db old.db
db mirror list
player add Walburga
db mirror remove stick
db check
"""


def prepare(folder: Path) -> None:
    """Make the folder in which the lines are typed."""
    (folder / "stick").mkdir(parents=True)
    made = desk.evening(folder / "made.db")
    older.older(made, folder / "old.db", "0009")
    Path(made).unlink()
    shutil.copy(desk.CLUB / "score-sheets.csv", folder / "sheets.csv")
    shutil.copy(desk.CLUB / "players.csv", folder / "players.csv")
    shutil.copy(desk.CLUB / "friday.event", folder / "club.event")
    (folder / "people.csv").write_text("jugador,club\nIrene,Getxo\nAnna,\nGonzalo,\n", encoding="utf-8")
    (folder / "races.csv").write_text("seq,player,rank\n1,Eva,1\n1,Iker,2\n2,Iker,1\n2,Eva,2\n", encoding="utf-8")
    (folder / "more.csv").write_text("seq,player,rank\n3,Eva,1\n3,Iñaki,2\n", encoding="utf-8")


def lines() -> list[str]:
    """Return the lines in their order."""
    return LINES.strip().splitlines()


def words(line: str, folder: Path) -> list[str]:
    """Return the words of a line; files of sheets are written into the folder."""
    if "{backup}" in line:
        line = line.replace("{backup}", min(path.name for path in (folder / "tourney-backups").glob("*[0-9].db")))
    line = line.replace("{today}", f"{datetime.now(UTC).date()}")
    return shlex.split(re.sub(r"\{(sheet|hands) (\d) (\d)( \d)?\}", lambda found: _sheet(found, folder), line))


def _sheet(found: re.Match[str], folder: Path) -> str:
    number, table = int(found[2]), int(found[3])
    drawn = rounds.show(str(folder / "club.db"), "Friday", number).rounds[0]
    names = [player.name for player in drawn.tables[table - 1].players]
    closers = range(int(found[4] or 0), 9)
    hands = desk.hands(names, list(closers)[:7])
    if found[1] == "hands":
        return shlex.join(
            word
            for hand in hands[:2]
            for word in (
                "--hand",
                " ".join([hand.contract, *(f"{who}={points}" for who, points in hand.points.items())]),
            )
        )
    file = folder / f"sheet-{number}-{table}{(found[4] or '').strip()}.toml"
    file.write_text(desk.sheet_text(hands), encoding="utf-8")
    return file.name
