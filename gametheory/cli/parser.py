"""The parser: click commands made of what `commands` lists, help in groups, mistakes in one line."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click
from click.shell_completion import shell_complete

from ..version import __version__
from .commands import COMMANDS, SECTIONS, Command
from .options import COMPLETE, GROUPS, PROGRAM, Argument, Option, Options

WIDTH = 80
INDENT = 22
"""How wide the names of options are in --help."""

class Asked(click.Command):
    """One command, with its options in groups and examples under them."""

    def __init__(self, what: Command) -> None:
        self.what = what
        params: list[click.Parameter] = [_argument(one, what.variables) for one in what.all_arguments()]
        super().__init__(
            what.name, params=[*params, *map(_option, what.all_options())], help=what.about, short_help=what.about,
            callback=self._run, context_settings={"ignore_unknown_options": what.variables, "max_content_width": WIDTH},
        )  # fmt: skip

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as wrong:
            wrong.ctx = ctx
            raise

    def _run(self, **typed: Any) -> int:
        for argument in self.what.all_arguments():
            if argument.joined:
                typed[argument.name] = " ".join(typed[argument.name])
            elif argument.many:
                typed[argument.name] = list(typed[argument.name])
        if typed.get("untrusted"):
            from ..store.apart import untrusted

            typed["tables"] = untrusted(typed["tables"])
        if self.what.variables:
            first = self.what.all_arguments()[0].name
            typed[first], typed["variables"] = _variables(typed[first])
        return self.what.run(Options(**typed))

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        what = self.what
        words = " ".join(argument.meta for argument in what.all_arguments())
        formatter.write(f"{PROGRAM} {what.name} {words} [OPTIONS]".replace("  ", " ") + "\n\n")
        formatter.write(f"  {what.about[0].upper()}{what.about[1:]}.\n")
        _write_rows(formatter, "", [(argument.meta, argument.about) for argument in what.all_arguments()])
        for group in GROUPS:
            rows = [(_said(option), _about(option)) for option in what.all_options() if option.group == group]
            _write_rows(formatter, group, rows)
        _write_heading(formatter, "Examples")
        for example in what.examples:
            formatter.write(f"  {example}\n")


class All(click.Group):
    """All commands, in sections."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(f"{PROGRAM} COMMAND ...\n\n")
        formatter.write("  Should I play to maximise my score or my chance to win? Exact answers.\n")
        for section in SECTIONS:
            _write_rows(formatter, section, [(one.name, one.about) for one in COMMANDS if one.section == section])
        _write_heading(formatter, "Examples")
        formatter.write(f"  {PROGRAM} moves biscuits d6:6x12 d8:1 d10:1 d12:1\n  {PROGRAM} COMMAND --help\n")

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0]
        if name not in self.commands and not name.startswith("-"):
            near = difflib.get_close_matches(name, self.commands, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else "name one of them"
            raise click.UsageError(f"there is no command {name!r}: {hint}", ctx)
        return super().resolve_command(ctx, args)


def build() -> All:
    """Return the parser of all commands."""
    version = click.Option(
        ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="say the version"
    )
    return All(PROGRAM, commands=[Asked(what) for what in COMMANDS], params=[version], no_args_is_help=False)


def run(given: Sequence[str] | None) -> int:
    """Read what was typed and run it; raise ValueError with one line for what was typed wrong."""
    root = build()
    if COMPLETE in os.environ:
        return shell_complete(root, {}, PROGRAM, COMPLETE, os.environ[COMPLETE])
    try:
        with root.make_context(PROGRAM, list(sys.argv[1:] if given is None else given)) as ctx:
            status = root.invoke(ctx)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.UsageError as wrong:
        _refuse(wrong)
    return status if isinstance(status, int) else 0


def _refuse(wrong: click.UsageError) -> NoReturn:
    """Say in one line what was typed wrong, and which --help tells more."""
    message = wrong.message if isinstance(wrong, click.NoSuchOption) else wrong.format_message()
    message = message.rstrip(".").replace("\n", " ")
    if isinstance(wrong, click.NoSuchOption) and wrong.possibilities:
        message += f", did you mean {wrong.possibilities[0]!r}?"
    message = message[:1].lower() + message[1:]
    where = wrong.ctx.command_path if wrong.ctx is not None else PROGRAM
    raise ValueError(f"{message}; see {where} --help") from None


def _show_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        click.echo(f"{PROGRAM} {__version__}")
        ctx.exit()


# From what is listed to what click reads.


def _argument(one: Argument, raw: bool) -> click.Argument:
    complete = one.complete
    return click.Argument(
        [one.name], nargs=-1 if one.many else 1, required=one.required, metavar=one.meta.rstrip("."),
        type=click.UNPROCESSED if raw else click.STRING,
        shell_complete=None if complete is None else lambda ctx, _, typed: complete(ctx, typed),
    )  # fmt: skip


def _option(one: Option) -> click.Option:
    names = [one.dest, f"--{one.name}", *([one.short] if one.short else [])]
    if not one.meta:
        return click.Option(names, is_flag=True, default=False)
    default = {} if one.default is None else {"default": one.default}
    return click.Option(
        names, type=one.type, required=one.required, metavar=one.meta,
        shell_complete=lambda ctx, _, typed: _complete(one, ctx, typed), **default,
    )  # fmt: skip


def _complete(one: Option, ctx: click.Context, typed: str) -> list[Any]:
    if one.choices:
        return [word for word in one.choices if word.startswith(typed)]
    return one.complete(ctx, typed) if one.complete else []


def _variables(typed: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Part the variables of a sweep, such as --n 1..16, from the games; refuse one without values."""
    rest, games, found = list(typed), [], {}
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if not word.startswith("-"):
            games.append(word)
        elif not name.startswith("--") or not (value or (rest and not equals)):
            raise click.UsageError(f"no such option {name!r}", click.get_current_context())
        else:
            found[name[2:]] = value or rest.pop(0)
    if not games:
        raise click.UsageError("missing argument 'GAME'", click.get_current_context())
    return games, found


# Help.


def _said(one: Option) -> str:
    return f"{one.short + ', ' if one.short else ''}--{one.name} {one.meta}".rstrip()


def _about(one: Option) -> str:
    notes = []
    if one.choices:
        notes.append("({})".format(", ".join(one.choices)))
    if one.required:
        notes.append("(needed)")
    if one.default is not None and one.meta:
        notes.append(f"[{one.default}]")
    return " ".join([one.about, *notes])


def _write_heading(formatter: click.HelpFormatter, heading: str) -> None:
    formatter.write("\n" + (click.style(heading, bold=True) + "\n" if heading else ""))


def _write_rows(formatter: click.HelpFormatter, heading: str, rows: Sequence[tuple[str, str]]) -> None:
    if rows:
        _write_heading(formatter, heading)
        formatter.indent()
        formatter.width = min(WIDTH, int(os.environ.get("COLUMNS") or WIDTH))
        formatter.write_dl(rows, col_max=INDENT)
        formatter.dedent()
