"""The table of commands: all that `stateglass --help` needs to know, so that it imports none of them."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    import click


@final
@dataclass(frozen=True, slots=True)
class Entry:
    """A command: its name, the module of this room whose `command` carries it out, and its line in the overview."""

    name: str
    module: str
    help: str

    def command(self) -> click.Command:
        """Imports the command."""
        found: click.Command = importlib.import_module(f"stateglass.cli.{self.module}").command
        return found


COMMANDS = (
    Entry("demo", "demo", "The whole tour on a bundled example, in seconds."),
    Entry("doctor", "doctor", "Say what was found: compiler, headers, flags, and what of a file is not supported."),
    Entry("init", "init", "Write a project file with what was found and guessed in a source file."),
    Entry("scan", "scan", "List the variables that may be the state of a function."),
    Entry("reflect", "reflect", "Hold a state machine that somebody believes in against C code."),
    Entry("abstraction", "abstraction", "Propose an abstraction map for code."),
    Entry("extract", "extract", "Extract a behaviour model from C or C++ code."),
    Entry("specify", "specify", "Write what would be explored as an mCRL2 specification."),
    Entry("check", "check", "Say whether claims hold of code or a model, and if not, show a run."),
    Entry("assembly", "assembly", "Say whether claims hold of a component design, and draw it."),
    Entry("scenario", "scenario", "Say whether stories of causes and effects are true of code or a model, with runs."),
    Entry("replay", "replay", "Run the real code along evidence: confirm or refute it."),
    Entry("info", "info", "Tell the size, labels, deadlocks and livelocks of a model."),
    Entry("reduce", "reduce", "Make a model smaller without changing what it does."),
    Entry("compare", "compare", "Say whether two models are related, and if not, why."),
    Entry("diff", "diff", "Say what became of a behaviour between two versions of code or models."),
    Entry("compose", "compose", "Make one model of several that run in parallel."),
    Entry("transform", "transform", "Hide, rename or restrict the actions of a model; drop states or propositions."),
    Entry("monitor", "monitor", "Say where a recorded run leaves a model."),
    Entry("convert", "convert", "Convert a model from one file format to another."),
    Entry("draw", "draw", "Draw a model as a picture."),
    Entry("config", "config", "Show the settings in force and where each comes from."),
)
assert len({entry.name for entry in COMMANDS}) == len(COMMANDS)


def entry(name: str) -> Entry | None:
    return next((e for e in COMMANDS if e.name == name), None)
