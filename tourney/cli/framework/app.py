"""The frame around every command: nouns found lazily, one handler for everything that goes wrong."""

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
    """Return the room under `tourney.cli` and the sentence of help of every noun; the module is `ROOM.NOUN`."""
    return {
        "demo": ("admin", _("A small tournament from registration to ratings, shown as it goes.")),
        "player": ("people", _("Players: register people, find them, rename, merge and erase them.")),
        "event": ("events", _("Events: begin one, enter players who come and go, change it, finish it.")),
        "round": ("rounds", _("Rounds: seat one, show it, mend it, time it, let the engine play its tables of bots.")),
        "result": ("results", _("Results: enter a table's sheet, correct it, make it void, show it.")),
        "ruling": ("results", _("Rulings: an arbiter's penalties, redeals, corrections and notes; cancel one.")),
        "standings": ("results", _("The standings of an event, and why they are so.")),
        "ratings": ("ratings", _("The ratings of a pool.")),
        "rating": (
            "ratings",
            _("Ratings: pools and files of results, what they foretell, how far they are to be trusted."),
        ),
        "bot": ("leagues", _("Bots: players made of code.")),
        "league": ("leagues", _("Leagues: bots against bots, until it is sure which is better.")),
        "seating": ("rounds", _("Seatings without an event: plan one, judge one, compare what could be.")),
        "record": ("rules", _("Records: games as text, that can be played again.")),
        "db": ("admin", _("The database file: where it is, whether it is sound, copies of it, newer versions.")),
        "undo": ("admin", _("Take the newest act back.")),
        "redo": ("admin", _("Put back what was undone last.")),
        "log": ("admin", _("The evening's story: every act in a sentence.")),
        "doctor": ("admin", _("Is everything well that an evening rests on: program, computer, database.")),
        "rules": ("rules", _("The rule sets: read them, ask them about melds, lay-offs, hands and points.")),
    }


class Verbs(TyperGroup):
    """A noun's verbs; an unknown one is refused with the nearest."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0]
        known = self.list_commands(ctx)
        if name not in known:
            raise _unknown(ctx.command_path, name, known)
        return name, self.get_command(ctx, name), args[1:]

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except TyperException as error:
            # An option that lacks its argument does not say of which command it is.
            if getattr(error, "ctx", ctx) is None:
                vars(error)["ctx"] = ctx
            raise

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args and not self.invoke_without_command:
            raise _lacking(ctx.command_path, self.list_commands(ctx))
        return super().parse_args(ctx, args)


class Nouns(Verbs):
    """The top level: imports a noun's module only when that noun is used."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(nouns())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        app: typer.Typer = _loaded(cmd_name).app
        # A noun with one verb so far is a noun all the same.
        made = typer.main.get_group(app) if app.info.cls is Verbs else typer.main.get_command(app)
        made.name = cmd_name
        return made

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, sentence) for name, (_room, sentence) in nouns().items()])


def _loaded(name: str) -> Any:
    """The module of a noun. An interrupt meanwhile, which takes the longest of a start, is told as TourneyError."""
    try:
        return import_module(f"tourney.cli.{nouns()[name][0]}.{name}")
    except KeyboardInterrupt:
        from tourney.domain.errors import ExitCode, TourneyError

        ignore()
        message, hint = _("interrupted before anything was done"), _("give the same command again")
        raise TourneyError(ExitCode.INTERRUPTED, message, hint) from None


def noun(name: str) -> typer.Typer:
    """A noun of `nouns`, still empty: its module adds the verbs."""
    return typer.Typer(cls=Verbs, help=nouns()[name][1], rich_markup_mode=None, add_completion=False)


def command() -> typer.Typer:
    """An empty noun that is itself one command."""
    return typer.Typer(rich_markup_mode=None, add_completion=False)


def _unknown(path: str, name: str, known: list[str]) -> Exception:
    from difflib import get_close_matches

    from tourney.domain.errors import ExitCode, TourneyError

    close = get_close_matches(name, known, 1, 0.5)
    hint = (
        _("did you mean `{path} {name}`?").format(path=path, name=close[0])
        if close
        else _("there are: {names}").format(names=", ".join(known))
    )
    return TourneyError(ExitCode.USAGE, _("`{path}` has no “{name}”").format(path=path, name=name), hint)


def _lacking(path: str, known: list[str]) -> Exception:
    from tourney.domain.errors import ExitCode, TourneyError

    return TourneyError(
        ExitCode.USAGE,
        _("`{path}` needs a verb: {names}").format(path=path, names=", ".join(known)),
        _("`{path} -h` says what each does").format(path=path),
    )


def _version(wanted: bool) -> None:
    if not wanted:
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
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help=_("Show the version and exit.")),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help=_("Show tracebacks of what goes wrong; may stand anywhere."))
    ] = False,
) -> None:
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def root() -> TyperGroup:
    """The whole command line as one command, its nouns not yet imported."""
    app = typer.Typer(cls=Nouns, rich_markup_mode=None, add_completion=False, context_settings=_SETTINGS)
    app.callback(
        invoke_without_command=True,
        help=_("Run club evenings and bot events of Continental, the rummy of seven contracts."),
        epilog=_("`tourney demo` shows a small tournament; `tourney NOUN -h` explains a noun."),
    )(_start)
    return typer.main.get_group(app)


class Guard:
    """Whatever is raised inside becomes one line on standard error and the exit code `code`."""

    def __init__(self, verbose: bool) -> None:
        self.code = 0
        self._verbose = verbose

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if error is None or isinstance(error, SystemExit):
            return False
        ignore()
        from tourney.cli.framework.errors import told

        self.code = told(error, "with traceback" if self._verbose else "one line")
        return True


def main(args: list[str]) -> int:
    """Obeys these words; returns the exit code. Whatever goes wrong becomes one line on standard error."""
    words, verbose = _without_verbose(args)
    _speak_utf8(sys.stdout)
    _speak_utf8(sys.stderr)
    with listening(*ENDINGS), Guard(verbose) as guard, warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = _warn
        guard.code = _obey(words)
        if sys.stdout is not None:
            sys.stdout.flush()
    return guard.code


def _obey(words: list[str]) -> int:
    command = root()
    try:
        with command.make_context("tourney", words) as ctx:
            command.invoke(ctx)
    except typer.Exit as leaving:
        return leaving.exit_code
    return 0


def _warn(message: Warning | str, category: type[Warning], *_where: Any, **_more: Any) -> None:
    """A warning is one line on standard error; the act itself is done."""
    from tourney.cli.framework.output import note

    note(_("warning: {message}").format(message=message))


def _without_verbose(args: list[str]) -> tuple[list[str], bool]:
    """The words without `--verbose`, which may stand anywhere before a bare `--`, and whether it stood."""
    end = args.index("--") if "--" in args else len(args)
    words = [word for word in args[:end] if word != "--verbose"] + args[end:]
    return words, len(words) < len(args)


def _speak_utf8(stream: TextIO | None) -> None:
    """Output is UTF-8 with plain line ends whatever the locale, and a stray surrogate cannot stop it."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
