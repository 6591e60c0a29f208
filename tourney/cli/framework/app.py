"""The application: its nouns, loaded lazily, and one handler for all errors."""

import sys
import warnings
from importlib import import_module
from typing import Annotated, Any, Self, TextIO

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from tourney.text.i18n import _
from tourney.text.signals import ENDINGS, ignore, listening

_SETTINGS = {"help_option_names": ["-h", "--help"]}


def nouns() -> dict[str, tuple[str, str]]:
    """Return the module of every noun under `tourney.cli`, and its sentence of help.

    The noun is the module's `app`; another name follows the module after a colon.
    """
    return {
        "demo": ("admin.demo", _("A small tournament from registration to ratings, shown as it goes.")),
        "player": ("people.player", _("Players: register people, find them, rename, merge and erase them.")),
        "event": (
            "events.event",
            _("Events: create one, enter players, let them come and go, change settings, finish it."),
        ),
        "round": ("rounds.round", _("Rounds: draw one, show it, change it, time it, play its bot tables.")),
        "result": ("results.result", _("Results: enter a table's sheet, correct it, void it, show it.")),
        "ruling": (
            "results.ruling",
            _("Rulings: an arbiter's penalties, redeals, corrections and notes; cancel one."),
        ),
        "standings": ("results.standings", _("The standings of an event, and the reason for every rank.")),
        "ratings": ("ratings.ratings", _("The ratings of a pool.")),
        "rating": ("ratings.rating", _("Ratings: pools, imported results, forecasts, and how far to trust them.")),
        "bot": ("leagues.league:bot_app", _("Bots: players made of code.")),
        "league": ("leagues.league", _("Leagues: bots against bots, until it is certain which is better.")),
        "seating": ("rounds.seating", _("Seatings without an event: plan one, judge one, compare options.")),
        "record": ("rules.rules:record_app", _("Records: games as text that can be replayed.")),
        "db": ("admin.database", _("The database file: where it is, whether it is sound, backups, upgrades.")),
        "undo": ("admin.journal:undo_app", _("Undo the newest change.")),
        "redo": ("admin.journal:redo_app", _("Redo the change undone last.")),
        "log": ("admin.journal:log_app", _("Show what changed, newest last.")),
        "doctor": (
            "admin.database:doctor_app",
            _("Check everything that an evening depends on: program, computer, database."),
        ),
        "rules": ("rules.rules", _("Rule sets: read them, and check melds, lay-offs, hands and points.")),
    }


class Verbs(TyperGroup):
    """The verbs of a noun; an unknown one is refused with the nearest name."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0]
        verbs = self.list_commands(ctx)
        if name not in verbs:
            raise _unknown(ctx.command_path, name, verbs)
        return name, self.get_command(ctx, name), args[1:]

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except TyperException as error:
            # An option without its argument does not say which command it belongs to.
            if getattr(error, "ctx", ctx) is None:
                vars(error)["ctx"] = ctx
            raise

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args and not self.invoke_without_command:
            raise _lacking(ctx.command_path, self.list_commands(ctx))
        return super().parse_args(ctx, args)


class Nouns(Verbs):
    """The top level, which imports a noun's module only when that noun is used."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(nouns())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        app = _loaded(cmd_name)
        # A noun with a single verb is still a group.
        command = typer.main.get_group(app) if app.info.cls is Verbs else typer.main.get_command(app)
        command.name = cmd_name
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, sentence) for name, (_module, sentence) in nouns().items()])


def _loaded(name: str) -> typer.Typer:
    """Return a noun's application. Raises TourneyError INTERRUPTED if its import, which takes long, is interrupted."""
    try:
        module, _colon, attribute = nouns()[name][0].partition(":")
        app: typer.Typer = getattr(import_module(f"tourney.cli.{module}"), attribute or "app")
        return app
    except KeyboardInterrupt:
        from tourney.domain.errors import ExitCode, TourneyError

        ignore()
        message, hint = _("interrupted before anything was done"), _("give the same command again")
        raise TourneyError(ExitCode.INTERRUPTED, message, hint) from None


def _unknown(path: str, name: str, names: list[str]) -> Exception:
    from difflib import get_close_matches

    from tourney.domain.errors import ExitCode, TourneyError

    close = get_close_matches(name, names, 1, 0.5)
    hint = (
        _("did you mean `{path} {name}`?").format(path=path, name=close[0])
        if close
        else _("there are: {names}").format(names=", ".join(names))
    )
    return TourneyError(ExitCode.USAGE, _("`{path}` has no “{name}”").format(path=path, name=name), hint)


def _lacking(path: str, verbs: list[str]) -> Exception:
    from tourney.domain.errors import ExitCode, TourneyError

    return TourneyError(
        ExitCode.USAGE,
        _("`{path}` needs a verb: {names}").format(path=path, names=", ".join(verbs)),
        _("`{path} -h` says what each does").format(path=path),
    )


def _version(requested: bool) -> None:
    if not requested:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("tourney-continental")
    except PackageNotFoundError:
        number = _("(not installed)")
    typer.echo(f"tourney {number}")
    raise typer.Exit


def _start(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help=_("Show the version and exit."))
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            help=_("Show tracebacks of errors, and details such as the journal's head; may stand anywhere."),
        ),
    ] = False,
) -> None:
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def root() -> TyperGroup:
    """Return the whole command line as one command, without importing its nouns."""
    app = typer.Typer(cls=Nouns, rich_markup_mode=None, add_completion=False, context_settings=_SETTINGS)
    app.callback(
        invoke_without_command=True,
        help=_("Run club evenings and bot events of Continental, the rummy of seven contracts."),
        epilog=_("`tourney demo` shows a small tournament; `tourney NOUN -h` explains a noun."),
    )(_start)
    return typer.main.get_group(app)


class Guard:
    """A context in which every error becomes one line on standard error and the exit code `code`."""

    def __init__(self, verbose: bool) -> None:
        self.code = 0
        self._verbose = verbose

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if error is None or isinstance(error, SystemExit):
            return False
        ignore()
        from tourney.cli.framework.errors import report

        self.code = report(error, "with traceback" if self._verbose else "one line")
        return True


def main(args: list[str]) -> int:
    """Run a command line and return the exit code. Every error becomes one line on standard error."""
    words, verbose = _without_verbose(args)
    _speak_utf8(sys.stdout)
    _speak_utf8(sys.stderr)
    with listening(*ENDINGS), Guard(verbose) as guard, warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = _warn
        guard.code = _run_in_detail(words) if verbose else _run(words)
        if sys.stdout is not None:
            sys.stdout.flush()
    return guard.code


def _run(words: list[str]) -> int:
    command = root()
    try:
        with command.make_context("tourney", words) as ctx:
            command.invoke(ctx)
    except typer.Exit as leaving:
        return leaving.exit_code
    return 0


def _run_in_detail(words: list[str]) -> int:
    from tourney.cli.framework.output import detailed

    with detailed():
        return _run(words)


def _warn(message: Warning | str, category: type[Warning], *_where: Any, **_more: Any) -> None:
    """Show a warning as one line on standard error."""
    from tourney.cli.framework.output import note

    note(_("warning: {message}").format(message=message))


def _without_verbose(args: list[str]) -> tuple[list[str], bool]:
    """Return the words without `--verbose`, which may be anywhere before a bare `--`, and whether it was there."""
    end = args.index("--") if "--" in args else len(args)
    words = [word for word in args[:end] if word != "--verbose"] + args[end:]
    return words, len(words) < len(args)


def _speak_utf8(stream: TextIO | None) -> None:
    """Make output UTF-8 with plain line ends in every locale; a lone surrogate is escaped."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
