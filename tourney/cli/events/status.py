"""`tourney status`: where an evening stands, and which commands come next."""

from tourney.cli.framework.commands import single
from tourney.cli.framework.options import EventName
from tourney.cli.framework.request import PlainReading
from tourney.reports import status as reports
from tourney.service.events import status as service
from tourney.text.i18n import _

app = single()


@app.command(
    help=_(
        "The time left, the tables without a result, who is missing, and the changes since the last backup. At a "
        "terminal `tourney` alone does the same, once there is a database."
    ),
    epilog=_("tourney status\ntourney status Friday --json"),
)
def status(request: PlainReading, event: EventName = None) -> None:
    request.show(reports.status(service.status(request.db, event)))
