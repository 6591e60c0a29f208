"""`tourney db`: the database file. `tourney doctor`: everything that an evening depends on."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import noun, single
from tourney.cli.framework.request import PlainReading, Reading, Writing
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports import admin as reports
from tourney.reports.render.report import Report
from tourney.service import database as service
from tourney.service.admin.diagnostics import examine
from tourney.service.events.codes import find_code, read_code
from tourney.text.i18n import _, language

mirror_app = noun(_("Mirror every change to a stick or another disk, from which the database can be completed."))


@mirror_app.command(
    help=_(
        "Mirror every change to a folder from now on. All changes so far are written there first. A change is saved "
        "there before it is reported; while the stick is away, changes are kept in the database, and written when it "
        "is back."
    ),
    epilog=_("tourney db mirror add /media/stick"),
)
def add(
    request: PlainReading,
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help=_("A folder on a stick or on another disk."))],
) -> None:
    added = service.add_mirror(request.db, folder)
    request.show(reports.mirror(added, one_disk=service.on_one_disk(request.db, added.path)))


@mirror_app.command(
    help=_("Stop mirroring to a folder, which need not be there. Its files stay as they are."),
    epilog=_("tourney db mirror remove\ntourney db mirror remove /media/stick"),
)
def remove(
    request: PlainReading,
    folder: Annotated[
        str | None, typer.Argument(metavar="FOLDER", help=_("The mirror's folder; if left out, the only mirror's."))
    ] = None,
) -> None:
    request.show(reports.mirror_removed(service.remove_mirror(request.db, folder)))


@mirror_app.command(
    "list",
    help=_(
        "List the mirrors. Each that is there is completed, and every line of it checked. Exit code 1 if one is "
        "damaged or has changes that the database lacks."
    ),
    epilog=_("tourney db mirror list"),
)
def list_(request: Reading) -> None:
    states = service.list_mirrors(request.db)
    is_well = all(state.state in ("complete", "away") for state in states)
    request.show(lambda: reports.mirrors(service.list_mirrors(request.db)), good=is_well)


app, doctor_app = noun(), single()
app.add_typer(mirror_app, name="mirror")


@app.command(
    help=_(
        "Show where the database is. It is the file given by --db; otherwise the one named by the environment variable "
        "TOURNEY_DB; otherwise tourney.db in your data folder."
    ),
    epilog=_("tourney db path"),
)
def path(request: PlainReading) -> None:
    request.show(reports.place(service.path(request.db)))


@app.command(
    help=_(
        "Check that no data is damaged. All changes since the first are made again, and the outcome is compared with "
        "what is stored. Exit code 1 if anything differs. With a printed code it also finds the change after which "
        "that was the code; a database that was changed and made consistent again has no such change, exit code 3."
    ),
    epilog=_("tourney db check\ntourney db check --head 5860f1c2a94be07d"),
)
def check(
    request: Reading,
    head: Annotated[
        str | None,
        typer.Option(
            "--head", metavar="CODE", help=_("A code from a printed page, a message, an edition or a mirror.")
        ),
    ] = None,
) -> None:
    wanted = None if head is None else read_code(head)
    spoken, checked = language(), service.check(request.db)
    code = None if wanted is None or checked.problems else find_code(request.db, wanted)

    def report() -> Report:
        """Return the report; problems are sentences, so that CSV for a reader of another language needs them again."""
        return reports.check(checked if language() == spoken else service.check(request.db), code)

    request.show(report, good=not checked.problems)


@app.command(
    help=_("Convert a database of an older version of tourney. A backup is made and checked first."),
    epilog=_("tourney db upgrade"),
)
def upgrade(request: Writing) -> None:
    request.show(reports.upgrade(service.upgrade(request.db, request.dry_run)))


@app.command(
    help=_(
        "Back up the database: make a copy, and check it. At the end of every round the changes are also backed up as "
        "text in the folder tourney-backups, which takes no longer as the database grows."
    ),
    epilog=_("tourney db backup\ntourney db backup /media/stick"),
)
def backup(
    request: PlainReading,
    to: Annotated[
        str | None,
        typer.Argument(
            metavar="TO",
            help=_("A new file, or a folder; if left out, the folder tourney-backups next to the database."),
        ),
    ] = None,
) -> None:
    request.show(reports.backup(service.backup(request.db, to)))


@app.command(
    help=_(
        "Replace the database by a backup. The present database is copied first. With --mirror it is completed by the "
        "changes that a mirror has, or made of them where there is none."
    ),
    epilog=_(
        "tourney db restore tourney-2026-11-20.db --dry-run\n"
        "tourney db restore club.db-backup.txt --db club.db\n"
        "tourney db restore --mirror\n"
        "tourney db restore --mirror /media/stick --db new.db"
    ),
)
def restore(
    request: Writing,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="FROM",
            help=_(
                "The backup: a copy or the text after rounds, as a path or a name in the folder tourney-backups. With "
                "--mirror the mirror: its folder or file; if left out, this database's own mirror."
            ),
        ),
    ] = None,
    mirror: Annotated[bool, typer.Option("--mirror", help=_("Take the changes from a mirror."))] = False,
) -> None:
    if mirror:
        completed = service.restore_mirror(request.db, source, request.dry_run, request.by)
        changes = service.mirrored_changes(completed.source, completed.common)
        request.show(reports.completed(completed, changes))
        return
    if source is None:
        message = _("name a backup, or a mirror with --mirror")
        raise TourneyError(ExitCode.USAGE, message, _("`tourney db restore -h` explains it"))
    request.show(reports.restored(service.restore(request.db, source, request.dry_run, request.by)))


@doctor_app.command(help=_("Exit code 1 if anything is wrong; a warning is not wrong."), epilog=_("tourney doctor"))
def doctor(request: Reading) -> None:
    findings = examine(request.db)
    is_well = all(finding.state != "bad" for finding in findings)
    request.show(lambda: reports.doctor(examine(request.db)), good=is_well)
