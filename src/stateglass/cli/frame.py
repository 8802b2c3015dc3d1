"""What every command shares: its output streams, its common options, and the look of its help and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, final

import click

from stateglass.cli.console import Color, Console
from stateglass.cli.exits import Exit

if TYPE_CHECKING:  # the model brings numpy, and help must come at once
    from stateglass.model import Model
    from stateglass.reports import Sizes
    from stateglass.views.page import Chapter

SCHEMA_VERSION = 1

AnyCommand = TypeVar("AnyCommand", bound=Callable[..., Any])


@final
@unique
class OutputFormat(Enum):
    """The `--format` option: for a person or for a program."""

    TEXT = "text"
    JSON = "json"


ChapterOf: TypeAlias = "Callable[[str], Chapter]"
"""Makes what a command answers a chapter of a page, under a name that no other chapter has."""
Keep: TypeAlias = Callable[[ChapterOf], None]


def forget(chapter: ChapterOf) -> None:
    """For whoever makes no page of several answers."""


@final
@dataclass(frozen=True, slots=True)
class Frame:
    """The surroundings a command runs in; click hands it to the command as the context's object."""

    out: Console
    err: Console
    format: OutputFormat = OutputFormat.TEXT
    keep: Keep = forget


def common_options(command: AnyCommand) -> AnyCommand:
    """`--format` and `--color`. Their values reach the command in its `Frame`: errors need them before parsing ends."""
    formats = [format.value for format in OutputFormat]
    format_option = click.option(
        "--format",
        type=click.Choice(formats),
        expose_value=False,
        help="What standard output is for: a person (text, the default) or a program (json).",
    )
    return format_option(color_option(command))


def color_option(command: AnyCommand) -> AnyCommand:
    """`--color` alone, for a command that has more formats than others."""
    option = click.option(
        "--color",
        type=click.Choice([color.value for color in Color]),
        expose_value=False,
        help="Colour text. The default, auto, heeds NO_COLOR, FORCE_COLOR and whether it is a terminal.",
    )
    return option(command)


def from_option(command: AnyCommand) -> AnyCommand:
    """`--from`: the format of the model that is read, if its name does not tell."""
    option = click.option(
        "--from", "from_format", metavar="FORMAT", help="The format of MODEL, if its name does not tell."
    )
    return option(command)


HELPFUL: Final = {"help_option_names": ["-h", "--help"]}
"""How every command is asked for help: said of each, since click keeps the option of whoever asks first."""


@final
class Verb(click.Command):
    """A command whose help ends in what its exit status tells, and in examples."""

    def __init__(
        self, *args: Any, examples: Sequence[str] = (), exits: Mapping[Exit, str] | None = None, **kwargs: Any
    ) -> None:
        """`exits` are the answers it may give; trouble has the same status with every command."""
        super().__init__(*args, **{"context_settings": HELPFUL, **kwargs})
        self.examples = tuple(examples)
        self.exits = {Exit.OK: "done"} if exits is None else dict(exits)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if len(self.exits) > 1:
            with formatter.section("Exit status"):
                formatter.write_dl([(str(exit.value), meaning) for exit, meaning in self.exits.items()])
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(" " * formatter.current_indent + example + "\n")


def document(command: str, report: Mapping[str, object]) -> dict[str, object]:
    """A report with the version of its shape and the command that wrote it; `reports` has the shapes."""
    return {"schema_version": SCHEMA_VERSION, "command": command, **report}


def write_json(out: Console, command: str, report: Mapping[str, object]) -> None:
    """One JSON object on standard output."""
    out.line(json.dumps(document(command, report), indent=2, ensure_ascii=False))


def sizes(model: Model) -> Sizes:
    """What a report says about a model in passing; `info` says more under the same names."""
    return {
        "states": model.states,
        "transitions": model.transitions,
        "partial": model.partial,
        "partial_reasons": list(model.origin.partial),
        "relation": model.origin.relation.value,
    }


def split_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """`--keep a,b --keep c` as one list."""
    return tuple(name.strip() for part in names for name in part.split(",") if name.strip())
