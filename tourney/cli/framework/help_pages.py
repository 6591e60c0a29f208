"""Help pages: a usage line, commands, arguments and options under plain headings, and examples to paste."""

import re
from collections.abc import Mapping, Sequence
from functools import reduce
from textwrap import fill
from typing import Any

from typer.core import TyperCommand, TyperGroup

from tourney.text.i18n import _, ngettext

Row = tuple[str, str]
"""A name as it is typed, and its help."""

COMMON = _("Common options")
"""The heading of the options that many commands have."""


def global_flags() -> dict[str, str]:
    """Return the flags that may stand anywhere in a command line, with their help."""
    return {
        "--wide": _("Show all columns of a table, however narrow the terminal."),
        "--verbose": _("Show more details, and where in the program an error arose."),
    }


def global_options() -> dict[str, str]:
    """Return everything that may stand anywhere in a command line, with its help."""
    return {"--lang LANG": _("The language of what is shown: en (English) or es (Spanish)."), **global_flags()}


class HelpLayout:
    """A mixin that lays out a help page; put it before Typer's class among the bases."""

    params: list[Any]
    help: str | None
    epilog: str | None

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write the usage line."""
        formatter.write_usage(ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), _("Usage: "))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the arguments, then the options that must be given: `[EVENT] --reason TEXT [OPTIONS]`."""
        arguments = [piece.strip("{}") for param in self.params for piece in param.get_usage_pieces(ctx)]
        required = [_name(param, ctx) for param in self.params if _is_option(param) and param.required]
        return [*arguments, *required, _("[OPTIONS]")]

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write the paragraphs of the help; one that begins with a blank is not wrapped."""
        for paragraph in (self.help or "").split("\n\n"):
            formatter.write_paragraph()
            if paragraph.startswith(" "):
                formatter.write(f"{paragraph}\n")
            else:
                _write(formatter, paragraph, "  ")

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options, under a heading of their own or the usual one."""
        sections: dict[str, list[Row]] = {}
        for param in sorted(self.params, key=_is_option):
            usual = _("Options") if _is_option(param) else _("Arguments")
            row = _name(param, ctx), " ".join(filter(None, (param.help, _note(param))))
            sections.setdefault(param.rich_help_panel or usual, []).append(row)
        own = {row[0] for rows in sections.values() for row in rows}
        rows = [*global_options().items(), ("-h, --help", _("Show this page."))]
        sections.setdefault(COMMON, []).extend(row for row in rows if row[0] not in own)
        write_sections(formatter, sections)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, which are not wrapped so that they can be pasted."""
        lines = self.examples(ctx)
        if lines:
            with formatter.section(ngettext("Example", "Examples", len(lines))):
                formatter.write("".join(f"  {line}\n" for line in lines))

    def examples(self, ctx: Any) -> list[str]:
        """Return the lines of the epilog."""
        return (self.epilog or "").splitlines()


class CommandPage(HelpLayout, TyperCommand):
    """A command; every line of its epilog is an example."""


class GroupPage(HelpLayout, TyperGroup):
    """A command with commands of its own, which are listed before its options."""

    commands: dict[str, Any]

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the placeholder `COMMAND ...`, in brackets if the command may be left out."""
        return [_("[COMMAND ...] [OPTIONS]") if self.invoke_without_command else _("COMMAND ...")]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, and the options if the group has any."""
        self.format_commands(ctx, formatter)
        if self.params:
            super().format_options(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each command with the first sentence of its help, under its heading."""
        sections: dict[str, list[Row]] = {}
        for name, command in self.commands.items():
            if not command.hidden:
                row = name, first_sentence(command.help or "")
                sections.setdefault(command.rich_help_panel or _("Commands"), []).append(row)
        write_sections(formatter, sections)

    def examples(self, ctx: Any) -> list[str]:
        """Return the lines of the epilog; without them, how to get help on one of the commands."""
        return super().examples(ctx) or [f"{ctx.command_path} {self.list_commands(ctx)[0]} -h"]


def write_sections(formatter: Any, sections: Mapping[str, Sequence[Row]]) -> None:
    """Write rows under their headings, with all help texts in one column."""
    width = max(len(name) for rows in sections.values() for name, _text in rows)
    for heading, rows in sections.items():
        with formatter.section(heading):
            for name, text in rows:
                _write(formatter, text, f"  {name:<{width}}  ")


def _write(formatter: Any, text: str, lead: str) -> None:
    """Write `lead` and the text beside it. Lines are not broken at hyphens, which options have."""
    indent = " " * len(lead)
    formatter.write(fill(text, formatter.width, initial_indent=lead, subsequent_indent=indent, break_on_hyphens=False))
    formatter.write("\n")


def first_sentence(text: str) -> str:
    """Return the first sentence of a help text."""
    return re.split(r"(?<=\.)\s", text, maxsplit=1)[0]


def _is_option(param: Any) -> bool:
    return bool(param.param_type_name == "option")


def _name(param: Any, ctx: Any) -> str:
    """Return the parameter as it is typed: `EVENT` or `--round R`, without the former names of an option."""
    name, _help = param.get_help_record(ctx)
    former = [option for option in param.opts[1:] if _is_option(param) and option.startswith("--")]
    return reduce(lambda shown, option: shown.replace(f", {option}", ""), former, str(name))


def _note(param: Any) -> str:
    """Return in brackets that an option must be given, or the value that a parameter has otherwise."""
    if param.required:
        return _("[required]") if _is_option(param) else ""
    is_shown = param.show_default and not isinstance(param.default, bool) and param.default not in (None, "")
    return _("[default: {value}]").format(value=param.default) if is_shown else ""
