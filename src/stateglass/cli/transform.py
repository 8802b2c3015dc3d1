"""`stateglass transform`: hides, renames and restricts actions, drops states and propositions."""

from __future__ import annotations

import click

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, Verb, common_options, from_option, split_names
from stateglass.cli.outputs import input_name
from stateglass.cli.progress import ProgressLine
from stateglass.cli.written import Destination, output_options, put
from stateglass.formats import read_model
from stateglass.operations.composing import Transformation, edits_in, transform_model
from stateglass.source import Code, input_error


def run_transform(
    path: str, wanted: Transformation, to: Destination, from_format: str | None, out: Console, err: Console
) -> Exit:
    if wanted == Transformation():
        help = "use --statechart, --edits, --interface, --hide, --rename, --only, --reachable or --project"
        raise input_error(Code.USAGE, "nothing is to be done", help=help)
    to.check()
    with ProgressLine(err) as progress:
        progress("reading")
        whole = read_model(path, from_format)
        progress("transforming", states=whole.states, transitions=whole.transitions)
        model, idle = transform_model(whole, wanted)
    for text in idle:
        err.paragraph(f"{err.styled('note', Style.NOTE)}: `{text}` matches no label", "  ")
    return put(model, input_name(path), "transform", to, out, err)


@click.command(
    cls=Verb,
    examples=[
        "stateglass transform valve.sg --hide 'call(log*' --hide 'return(log*' -o q.sg",
        r"stateglass transform valve.sg --rename 're:call\((\w+).*\)=\1' -o names.aut",
        "stateglass transform valve.sg --only 'call(open)' --reachable -o open.sg",
        "stateglass transform gate.sg --interface -o seen.sg",
        "stateglass transform diagram.puml --statechart -o diagram.sg",
        "stateglass transform lift.sg --edits service.edits -o service.sg",
    ],
)
@click.argument("model")
@click.option(
    "--statechart",
    is_flag=True,
    help="Read labels as `trigger / effect; effect`, and let states ignore triggers that they have no arrow for.",
)
@click.option(
    "--edits",
    metavar="FILE",
    help="Add or delete variables and steps, or start elsewhere, as FILE says.",
)
@click.option(
    "--interface",
    is_flag=True,
    help="Make everything silent but what is said between the subject and those who call it.",
)
@click.option("--hide", multiple=True, metavar="PATTERN", help="Make these actions silent; may be repeated.")
@click.option("--rename", multiple=True, metavar="OLD=NEW", help="Give actions another label; may be repeated.")
@click.option(
    "--only", multiple=True, metavar="PATTERN", help="Leave out all other actions but silent steps; may be repeated."
)
@click.option("--reachable", is_flag=True, help="Leave out states that cannot be reached.")
@click.option("--project", multiple=True, metavar="P,…", help="Leave out all other propositions.")
@output_options
@from_option
@common_options
@click.pass_obj
def command(
    frame: Frame,
    model: str,
    statechart: bool,
    edits: str | None,
    interface: bool,
    hide: tuple[str, ...],
    rename: tuple[str, ...],
    only: tuple[str, ...],
    reachable: bool,
    project: tuple[str, ...],
    output: str | None,
    to_format: str | None,
    from_format: str | None,
) -> Exit:
    """Hide, rename or restrict the actions of MODEL, or leave out states or propositions.

    A pattern is a label, or has * and ? in it (those of the label itself are written \\* and \\?), or is re: and a
    regular expression for a whole label. NEW may then refer to the groups of OLD as \\1, \\2; an = within OLD is
    written \\=. All patterns look at the labels as they are in MODEL, or as --statechart takes them apart; that two
    give one label different names is an error.
    """
    projected = split_names(project) if project else None
    changes = () if edits is None else edits_in(edits)
    wanted = Transformation(hide, rename, only, reachable, projected, interface, statechart, changes)
    to = Destination(output, to_format, frame.format)
    return run_transform(model, wanted, to, from_format, frame.out, frame.err)
