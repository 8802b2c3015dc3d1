"""`stateglass reduce`: a smaller model that is equivalent, by one of several equivalences."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import final

import click

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit
from stateglass.cli.frame import (
    SCHEMA_VERSION,
    Frame,
    OutputFormat,
    Verb,
    common_options,
    from_option,
    split_names,
    write_json,
)
from stateglass.cli.outputs import check_outputs
from stateglass.cli.progress import ProgressLine
from stateglass.cli.telling import say_lost, say_partial, size_in_words
from stateglass.cli.written import Destination, output_options
from stateglass.formats import read_model, write_model
from stateglass.formats.files import write_bytes
from stateglass.formats.targets import check_different, check_folder, is_stdout
from stateglass.model import Model
from stateglass.model.model import Ints
from stateglass.operations.reducing import EQUIVALENCES, MOST_TRACE_STATES, Reduction, reduce_model
from stateglass.reports import ClassesFile, ReduceReport
from stateglass.source import Code, input_error, printable
from stateglass.views.classes import class_table, values_within
from stateglass.views.summary import summarise
from stateglass.views.terminal import state_table

MOST_NAMED = 8


@final
@dataclass(frozen=True, slots=True)
class ReduceOptions:
    """The options of `reduce`."""

    by: str
    to: Destination
    keep: tuple[str, ...] = ()
    from_format: str | None = None
    classes: str | None = None
    most_states: int = MOST_TRACE_STATES
    valuations: bool = False


def run_reduce(path: str, options: ReduceOptions, out: Console, err: Console) -> Exit:
    _check_outputs(options)
    lost: list[str] = []
    with ProgressLine(err) as progress:
        progress("reading")
        model = read_model(path, options.from_format)
        reduction = reduce_model(model, options.by, options.keep, options.most_states, progress)
        reduced = reduction.model
        if options.classes is not None:
            _write_classes(model, reduction, options.classes)
        if options.to.output is not None:
            progress("writing", states=reduced.states, transitions=reduced.transitions)
            lost = write_model(reduced, options.to.output, options.to.to_format)
    if options.to.format is OutputFormat.JSON:
        write_json(out, "reduce", _facts(model, reduction, options))
    elif options.valuations:
        out.line(class_table(model, _members(reduction), reduced.initial, out.width).rstrip("\n"))
    elif options.to.output is None and (options.classes is None or not is_stdout(options.classes)):
        out.line(state_table(reduced, out.width).rstrip("\n"))
    _report(model, reduction, options, lost, err)
    return Exit.OK


def _check_outputs(options: ReduceOptions) -> None:
    """What cannot be written is told before the work, not after it."""
    options.to.check()
    check_outputs([options.classes], options.to.format, "the classes")
    check_different(path for path in (options.to.output, options.classes) if path is not None)
    if options.classes is not None:
        check_folder(options.classes)


def _facts(model: Model, reduction: Reduction, options: ReduceOptions) -> ReduceReport:
    return {
        **summarise(reduction.model),
        "by": options.by,
        "keep": list(options.keep),
        "original": {"states": model.states, "transitions": model.transitions},
        "dropped": list(reduction.dropped),
        "outputs": [] if options.to.output is None else [options.to.output],
    }


def _report(model: Model, reduction: Reduction, options: ReduceOptions, lost: list[str], err: Console) -> None:
    err.paragraph(f"{options.by}: {size_in_words(model)} reduced to {size_in_words(reduction.model)}", "  ")
    if reduction.dropped:
        names = printable(", ".join(reduction.dropped[:MOST_NAMED]))
        more = f" and {len(reduction.dropped) - MOST_NAMED} more" if len(reduction.dropped) > MOST_NAMED else ""
        word = err.styled("lost", Style.WARNING)
        err.paragraph(
            f"{word}: states with different values are one now: {names}{more}; --keep NAME tells them apart", "  "
        )
    say_lost(err, lost)
    say_partial(err, reduction.model.origin.partial)


def _members(reduction: Reduction) -> tuple[Ints, ...]:
    if reduction.classes is None:
        raise input_error(Code.USAGE, "there are no classes to write", help=reduction.no_classes)
    return reduction.members


def _write_classes(model: Model, reduction: Reduction, path: str) -> None:
    members = _members(reduction)
    content: ClassesFile = {
        "schema_version": SCHEMA_VERSION,
        "classes": [states.tolist() for states in members],
        "values": [values_within(model, states) for states in members],
    }
    write_bytes(path, (json.dumps(content) + "\n").encode())


@click.command(
    cls=Verb,
    examples=[
        "stateglass reduce valve.sg --by branching -o small.sg",
        "stateglass reduce valve.aut --by weaktrace -o - --to aut",
        "stateglass reduce valve.sg --by strong --keep open --classes c.json -o s.sg",
        "stateglass reduce valve.sg --by dpbranching --keep stable --valuations",
    ],
)
@click.argument("model")
@click.option("--by", required=True, type=click.Choice(EQUIVALENCES), help="What is to stay the same.")
@click.option(
    "--keep",
    multiple=True,
    metavar="P,…",
    help="Propositions that tell states apart; may be repeated. Default: only actions do.",
)
@output_options
@from_option
@click.option("--classes", metavar="FILE", help="Write which states of MODEL each new state stands for, as JSON.")
@click.option("--valuations", is_flag=True, help="List which values the variables have in the states that are one now.")
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    metavar="N",
    default=MOST_TRACE_STATES,
    help=f"Give up when the deterministic model that trace and weaktrace need has more than N states. "
    f"Default: {MOST_TRACE_STATES:,}.",
)
@common_options
@click.pass_obj
def command(
    frame: Frame,
    model: str,
    by: str,
    keep: tuple[str, ...],
    output: str | None,
    from_format: str | None,
    to_format: str | None,
    classes: str | None,
    valuations: bool,
    max_states: int,
) -> Exit:
    """Make MODEL smaller without changing what it does, as far as the equivalence --by can see.

    peephole skips states that take one silent step; strong, branching, dpbranching, weak and dpweak are bisimulations
    (dp: endless silence is kept); trace and weaktrace keep only the sequences of actions. Normal ends and states that
    were not explored are always told apart from others.
    """
    to = Destination(output, to_format, frame.format)
    options = ReduceOptions(by, to, split_names(keep), from_format, classes, max_states, valuations)
    return run_reduce(model, options, frame.out, frame.err)
