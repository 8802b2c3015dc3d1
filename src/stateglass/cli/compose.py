"""`stateglass compose`: one model of several that run in parallel."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import final

import click

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, Verb, common_options, split_names
from stateglass.cli.progress import ProgressLine
from stateglass.cli.written import Destination, output_options, put
from stateglass.formats import STDIO, read_model
from stateglass.operations.composing import MOST_COMPOSED_STATES, compose_models, never_done
from stateglass.source import Code, input_error, printable

_SHOWN = 10


@final
@dataclass(frozen=True, slots=True)
class ComposeOptions:
    """The options of `compose`; None for what was not given."""

    to: Destination
    shared: tuple[str, ...] | None = None
    communications: tuple[str, ...] = ()
    allowed: tuple[str, ...] | None = None
    most_states: int = MOST_COMPOSED_STATES
    from_format: str | None = None


def run_compose(paths: tuple[str, ...], options: ComposeOptions, out: Console, err: Console) -> Exit:
    _check(paths, options)
    options.to.check()
    names = component_names(paths)
    with ProgressLine(err) as progress:
        progress("reading")
        models = [read_model(path, options.from_format) for path in paths]
        model = compose_models(
            models,
            names,
            options.shared,
            options.communications,
            options.allowed,
            options.most_states,
            progress,
        )
    status = put(model, " || ".join(names), "compose", options.to, out, err)
    idle = never_done(model)
    if idle:
        shown = printable(", ".join(f"`{label}`" for label in idle[:_SHOWN]))
        more = f" and {len(idle) - _SHOWN} more" if len(idle) > _SHOWN else ""
        err.paragraph(f"{err.styled('note', Style.NOTE)}: never happens: {shown}{more}", "  ")
    cut = model.partial and not any(component.partial for component in models)
    return Exit.INCONCLUSIVE if cut else status


def component_names(paths: tuple[str, ...]) -> list[str]:
    """Short names for what the components bring along: file names without extension, numbered if they are the same."""
    names: list[str] = []
    for path in paths:
        stem = "stdin" if path == STDIO else os.path.basename(path).partition(".")[0] or "model"
        name, number = stem, 1
        while name in names:
            number += 1
            name = f"{stem}_{number}"
        names.append(name)
    return names


def _check(paths: tuple[str, ...], options: ComposeOptions) -> None:
    if len(paths) < 2:
        raise input_error(Code.USAGE, "there is nothing to compose", help="name two models or more")
    if paths.count(STDIO) > 1:
        raise input_error(Code.USAGE, "standard input can be only one of the models")
    if options.shared is not None and (options.communications or options.allowed is not None):
        help = "--sync names labels that are taken together; --comm and --allow are mCRL2's way to say who moves"
        raise input_error(Code.USAGE, "--sync and --interleave do not go with --comm and --allow", help=help)


@click.command(
    cls=Verb,
    examples=[
        "stateglass compose machine.sg user.sg -o both.sg",
        "stateglass compose a.sg b.sg --sync 'start*' -o both.sg",
        "stateglass compose s.aut r.aut --comm 'snd|rcv->pass' --allow pass -o both.aut",
    ],
    exits={
        Exit.OK: "done",
        Exit.INCONCLUSIVE: "the search was cut short at --max-states",
    },
)
@click.argument("models", nargs=-1, required=True, metavar="A B...")
@click.option(
    "--sync", "shared", multiple=True, metavar="PATTERN", help="Take only these labels together; may be repeated."
)
@click.option("--interleave", is_flag=True, help="Take no labels together: each component moves alone.")
@click.option(
    "--comm",
    "communications",
    multiple=True,
    metavar="a|b->c",
    help="Actions a and b with equal arguments, done by two components at once, are c; may be repeated.",
)
@click.option(
    "--allow", "allowed", multiple=True, metavar="X,…", help="Only these actions, or a|b at once, may happen."
)
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    default=MOST_COMPOSED_STATES,
    metavar="N",
    help=f"Cut the search short at N states: the model is partial then. Default: {MOST_COMPOSED_STATES:,}.",
)
@output_options
@click.option("--from", "from_format", metavar="FORMAT", help="The format of the models, if their names do not tell.")
@common_options
@click.pass_obj
def command(
    frame: Frame,
    models: tuple[str, ...],
    shared: tuple[str, ...],
    interleave: bool,
    communications: tuple[str, ...],
    allowed: tuple[str, ...],
    max_states: int,
    output: str | None,
    to_format: str | None,
    from_format: str | None,
) -> Exit:
    """Make one model of the models A, B and so on that run in parallel.

    An action is taken by all components whose alphabet has it, at once; silent steps are taken alone. With --comm or
    --allow, components move alone or at once as in mCRL2. A pattern is a label, or has * and ? in it, or is re: and a
    regular expression. Propositions get the name of their component: a file name without its extension.
    """
    if interleave and shared:
        raise input_error(Code.USAGE, "--interleave means that nothing is taken together, and --sync names something")
    options = ComposeOptions(
        Destination(output, to_format, frame.format),
        () if interleave else shared or None,
        communications,
        split_names(allowed) if allowed else None,
        max_states,
        from_format,
    )
    return run_compose(models, options, frame.out, frame.err)
