"""The application: its nouns, loaded lazily, and one handler for all errors."""

import gc
import sys
import warnings
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from importlib import import_module
from typing import Annotated, Any, Final, NamedTuple, Self

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from tourney.cli.framework.help_pages import COMMON, GroupPage, global_flags, write_sections
from tourney.cli.framework.language import without_language
from tourney.text.encoding import prepare
from tourney.text.i18n import _, complaint, either, speaking_as_asked
from tourney.text.signals import ENDINGS, ignore, listening

MAX_WORD = 10_000
"""The most characters of an argument: some searches in it take time with the square of its length."""
_SETTINGS = {"help_option_names": ["-h", "--help"]}


class Noun(NamedTuple):
    """A command of the top level: its module under `tourney.cli`, and the first sentence of its help.

    The command is the module's `app`; another name follows the module after a colon.
    """

    module: str
    sentence: str


def headings() -> dict[str, dict[str, Noun]]:
    """Return the nouns under their headings, in the order in which a newcomer needs them."""
    return {
        _("Start here"): {
            "demo": Noun("admin.demo", _("Watch a small tournament, from registration to ratings.")),
            "guide": Noun("admin.guide", _("Read about everything that the program does, with examples.")),
        },
        _("Club evening"): {
            "status": Noun("events.status", _("Show how far an evening is, and which commands come next.")),
            "player": Noun("player", _("Register people; find, rename, merge or erase them.")),
            "event": Noun(
                "events.event",
                _("Set up an event, enter players on time or late, let them leave, and finish it."),
            ),
            "round": Noun(
                "rounds.round", _("Draw who sits where in a round, post the tables, change them, and time the round.")
            ),
            "result": Noun("results.result", _("Enter the score sheet of a table; correct one that was wrong.")),
            "standings": Noun("results.standings", _("Show or print the standings of an event: who leads, and why.")),
            "print": Noun("printing", _("Make pages for a printer: slips, seatings, standings, signs, certificates.")),
            "desk": Noun(
                "web.serving:desk_app", _("Run an evening in the browser: players, rounds, results, with no command.")
            ),
            "serve": Noun("web.serving:serve_app", _("Show an evening on phones and on a projector, as web pages.")),
            "site": Noun("web.site", _("Write the pages of an event, or a ranking, as files for any web host.")),
            "season": Noun("season", _("Count several events as a season: the best results, weights, and who leads.")),
            "ruling": Noun("results.ruling", _("Enter an arbiter's decision, such as a penalty, or cancel it.")),
            "club": Noun("admin.club", _("Give pages and paper your club's name, colour and logo.")),
            "seating": Noun("rounds.seating", _("Plan who sits where without an event, or judge a plan.")),
        },
        _("Rankings"): {
            "ratings": Noun("ratings.ratings", _("Show who leads over all events, or over a season, by rating.")),
            "rating": Noun(
                "ratings.rating", _("Explain one player's rating, forecast games, and rate results from elsewhere.")
            ),
        },
        _("Bots"): {
            "bot": Noun("leagues.bot", _("List the built-in bots, start one of your own, and try it out.")),
            "league": Noun("leagues.league", _("Let bots play each other until it is certain which is better.")),
            "record": Noun("rules:record_app", _("Read a game recorded card by card, and play it again.")),
        },
        _("Rules"): {
            "rules": Noun("rules", _("Read the rules, and ask about melds, points and irregularities.")),
        },
        _("Upkeep"): {
            "undo": Noun("admin.journal:undo_app", _("Take back the newest change.")),
            "redo": Noun("admin.journal:redo_app", _("Make the last undone change again.")),
            "log": Noun("admin.journal:log_app", _("List all changes, the newest last.")),
            "doctor": Noun("admin.database:doctor_app", _("Check that program, computer and database are in order.")),
            "db": Noun("admin.database", _("Find, check, back up or restore the database, the file with all data.")),
        },
    }


def nouns() -> dict[str, Noun]:
    """Return all nouns by name."""
    return {name: noun for group in headings().values() for name, noun in group.items()}


SYNONYMS: Sequence[frozenset[str]] = tuple(
    frozenset(words.split())
    for words in (
        "show list view display see print ls",
        "draw new create make begin start",
        "add register enter join import",
        "set edit change rename correct move fix",
        "cancel remove delete erase void drop rm",
        "withdraw leave remove drop",
        "return reopen resume back",
        "checkin arrive present attend",
        "finish end close stop done",
        "clock timer time start bell",
        "dissolve split break close",
        "constrain wish apart together",
        "path where locate",
    )
)
"""Groups of verbs that people take for one another, of which an unknown verb suggests those that its noun has."""

MEANT: Final[Mapping[str, tuple[str, ...]]] = {
    "event late": ("event enter", "event checkin"),
    "event playoff": ("event cut",),
    "event prizes": ("event set --prizes",),
    "next": ("status",),
    "player find": ("player list",),
    "playoff": ("event cut",),
    "rank": ("standings", "ratings"),
    "ranking": ("standings", "ratings"),
    "round out": ("event withdraw", "round move"),
    "round swap": ("round move",),
    "why": ("standings --why", "rating show"),
}
"""Commands under the words by which people look for them elsewhere."""


class Verbs(GroupPage):
    """The verbs of a noun; an unknown one is refused with its synonyms, or the nearest name."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0]
        if name not in self.list_commands(ctx):
            path = ctx.command_path
            program, _blank, noun = path.partition(" ")
            meant = [f"{program} {command}" for command in MEANT.get(f"{noun} {name}".strip(), ())]
            raise _unknown(path, name, meant or [f"{path} {command}" for command in self.near(ctx, name)])
        return name, self.get_command(ctx, name), args[1:]

    def near(self, ctx: Any, name: str) -> list[str]:
        """Return the names that may be meant by an unknown one: its synonyms, or else the nearest, also in Spanish."""
        from tourney.text.command_words import SURE, spanish_words
        from tourney.text.similar import similar

        known = self.list_commands(ctx)
        alike = frozenset().union(*(group for group in SYNONYMS if name in group))
        spanish = spanish_words(ctx.command_path.partition(" ")[2])
        meant = [spanish[word] for word in similar(name, spanish, cutoff=SURE)]
        return [verb for verb in known if verb in alike] or meant or similar(name, known)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except TyperException as error:
            # Typer's error for an option without a value lacks its context.
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
        command.help = "\n\n".join(filter(None, (nouns()[cmd_name].sentence, command.help)))
        return command

    def near(self, ctx: Any, name: str) -> list[str]:
        """Return the nearest noun, and every verb that has this name: `draw` is `round draw`."""
        groups = {noun: getattr(self.get_command(ctx, noun), "commands", {}) for noun in nouns()}
        return super().near(ctx, name) + [f"{noun} {name}" for noun, verbs in groups.items() if name in verbs]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        rows = {
            heading: [(name, noun.sentence) for name, noun in group.items()] for heading, group in headings().items()
        }
        write_sections(formatter, rows)


def _loaded(name: str) -> typer.Typer:
    """Return a noun's application. Raises TourneyError INTERRUPTED if its import, which takes long, is interrupted."""
    try:
        module, _colon, attribute = nouns()[name].module.partition(":")
        app: typer.Typer = getattr(import_module(f"tourney.cli.{module}"), attribute or "app")
        gc.freeze()
        gc.enable()
        return app
    except KeyboardInterrupt:
        from tourney.domain.errors import ExitCode, TourneyError

        ignore()
        message, hint = _("interrupted before anything was done"), _("give the same command again")
        raise TourneyError(ExitCode.INTERRUPTED, message, hint) from None


def _unknown(path: str, name: str, near: list[str]) -> Exception:
    from tourney.domain.errors import ExitCode, TourneyError

    hint = _("`{path} -h` lists the commands").format(path=path)
    if near:
        hint = _("did you mean {commands}?").format(commands=either(f"`{command}`" for command in dict.fromkeys(near)))
    return TourneyError(ExitCode.USAGE, _("`{path}` has no “{name}”").format(path=path, name=name), hint)


def _lacking(path: str, verbs: list[str]) -> Exception:
    from tourney.domain.errors import ExitCode, TourneyError

    return TourneyError(
        ExitCode.USAGE,
        _("`{path}` needs a command after it: {names}").format(path=path, names=", ".join(verbs)),
        _("`{path} -h` explains them").format(path=path),
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
        bool,
        typer.Option(
            "--version",
            callback=_version,
            is_eager=True,
            rich_help_panel=COMMON,
            help=_("Show the version of the program and exit."),
        ),
    ] = False,
) -> None:
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def _alone() -> list[str]:
    """Return the command that `tourney` alone means: the status at a terminal, if there is a database."""
    return ["status"] if sys.stdout.isatty() and _has_database() else []


def _has_database() -> bool:
    """Return whether there is a database where commands look for one."""
    from tourney.domain.errors import TourneyError
    from tourney.storage.location import locate

    try:
        return locate(None).exists()
    except TourneyError:
        return False


def root() -> TyperGroup:
    """Return the whole command line as one command, without importing its nouns."""
    app = typer.Typer(cls=Nouns, rich_markup_mode=None, add_completion=False, context_settings=_SETTINGS)
    app.callback(
        invoke_without_command=True,
        help=_(
            "Run club evenings of Continental, the rummy of seven contracts; rank its players; let bots play it in "
            "leagues.\n\n"
            "With --dry-run a change is only shown, not made, and `tourney undo` takes back the newest one. With "
            "--format a table is printed as CSV, JSON or Markdown."
        ),
        epilog=_("tourney demo\ntourney event -h\ntourney event new -h"),
    )(_start)
    return typer.main.get_group(app)


class ErrorGuard:
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
    words, flags = _without_flags(args)
    prepare(sys.stdout)
    prepare(sys.stderr)
    with listening(*ENDINGS), ErrorGuard("--verbose" in flags) as guard, warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = _warn
        words, asked = without_language(words)
        with speaking_as_asked(asked):
            _warn_of_language(asked)
            guard.code = _run_with(flags, words) if flags else _run(words)
        if sys.stdout is not None:
            sys.stdout.flush()
    return guard.code


def _refuse_long(words: list[str]) -> None:
    """Raise TourneyError USAGE for a word so long that reading it would take longer than refusing it."""
    for word in words:
        if len(word) > MAX_WORD:
            from tourney.domain.errors import ExitCode, TourneyError

            message = _("an argument of {length} characters is too long: “{start}…”")
            message = message.format(length=len(word), start=word[:40])
            hint = _("an argument has at most {most} characters; longer lists go into a file").format(most=MAX_WORD)
            raise TourneyError(ExitCode.USAGE, message, hint)


def _run(words: list[str]) -> int:
    _refuse_long(words)
    command = root()
    try:
        with command.make_context("tourney", words or _alone()) as ctx:
            command.invoke(ctx)
    except typer.Exit as leaving:
        return leaving.exit_code
    return 0


def _run_with(flags: set[str], words: list[str]) -> int:
    """Run the words with the output that the flags ask for."""
    from tourney.cli.framework.output import detailed, wide

    contexts = {"--wide": wide, "--verbose": detailed}
    with ExitStack() as stack:
        for flag in flags:
            stack.enter_context(contexts[flag]())
        return _run(words)


def _warn_of_language(asked: str | None) -> None:
    """Say in one line that a language was asked for and cannot be had."""
    line = complaint(asked)
    if line:
        _warn(line, UserWarning)


def _warn(message: Warning | str, category: type[Warning], *_where: Any, **_more: Any) -> None:
    """Show a warning or a notice as one line on standard error."""
    from tourney.cli.framework.output import note
    from tourney.domain.errors import TourneyNotice

    note(str(message) if issubclass(category, TourneyNotice) else _("warning: {message}").format(message=message))


def _without_flags(args: list[str]) -> tuple[list[str], set[str]]:
    """Return the words without the global flags, which may be anywhere before a bare `--`, and the flags given."""
    end = args.index("--") if "--" in args else len(args)
    flags = global_flags().keys() & args[:end]
    return [word for word in args[:end] if word not in flags] + args[end:], flags
