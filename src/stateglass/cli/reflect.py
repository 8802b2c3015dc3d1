"""`stateglass reflect`: is the machine in your head the one in the code?"""

from __future__ import annotations

import click

from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, Verb, common_options, split_names
from stateglass.cli.subject import reflected_options


@click.command(
    cls=Verb,
    examples=[
        "stateglass reflect timer.machine -o timer.html",
        "stateglass reflect design.mmd names.machine",
        "stateglass reflect motor.c --function step --states mode,fault -o motor.svg",
        "stateglass reflect pump.c --counter tries=MAX --reachable-from 'tries == 0'",
        "stateglass reflect pump.machine --suggest -o corrected.machine",
    ],
    exits={
        Exit.OK: "every transition converges, and there are no others",
        Exit.FINDINGS: "a divergence, absence or partial convergence; also with --states, where all is found",
        Exit.INCONCLUSIVE: "a transition could not be decided",
    },
)
@reflected_options
@click.option("--states", multiple=True, metavar="NAMES", help="Take the ranges of these variables as the states.")
@click.option("--counter", metavar="VARIABLE=MAX", help="Take the ranges of a counter as the states.")
@click.option(
    "--reachable-from",
    "start",
    metavar="CONDITION",
    help="With --states or --counter: only what can be reached from states in which this may hold.",
)
@click.option(
    "--hypothesis",
    metavar="NAME",
    help="A hypothesis of the project file. Default, if no file is given: all of them.",
)
@click.option("--suggest", is_flag=True, help="Print the machine as the code has it, or write it with -o X.machine.")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="OUT",
    help="Write a picture (.svg .png .dot), a page with the source beside it (.html), .json, or with --suggest a"
    " .machine; may be repeated; - is a picture on stdout.",
)
@click.option(
    "--conditions",
    type=click.IntRange(0),
    metavar="N",
    help="Ask the solver up to N questions to find the conditions of transitions; 0 looks for none. Default: 10,000.",
)
@click.option(
    "--unroll",
    type=click.IntRange(1),
    metavar="N",
    help="Run loops up to N times. Default: 64.",
)
@click.option(
    "--solver-effort",
    type=click.IntRange(1),
    metavar="N",
    help="How hard one question to the solver may be, the same on every machine. Default: 25,000, some seconds.",
)
@click.option(
    "--timeout",
    "seconds",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Leave undecided what is not known after so many seconds. Default: no limit.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Processes for large work; the answer is the same for any number. Default: one for each processor.",
)
@click.option("--force", is_flag=True, help="Draw a machine even if it is too large for a readable picture.")
@common_options
@click.pass_obj
def command(
    frame: Frame,
    subject: dict[str, object],
    system: str | None,
    project: str | None,
    states: tuple[str, ...],
    counter: str | None,
    start: str | None,
    hypothesis: str | None,
    suggest: bool,
    outputs: tuple[str, ...],
    conditions: int | None,
    unroll: int | None,
    solver_effort: int | None,
    seconds: float | None,
    jobs: int | None,
    force: bool,
) -> Exit:
    """Hold the state machine of a .machine file against the function that it is about.

    Each transition is a convergence (both have it), a partial convergence (the condition is not enough), a divergence
    (only the code has it) or an absence (only the machine has it). A diagram (.mmd .puml .scxml .dot) is a machine too,
    with a .machine file that says what its names mean. Without a machine, --states or --counter make one from ranges of
    variables, and all transitions between them are found.
    """
    # Help is shown without what the work needs.
    from stateglass.cli.reflecting import ReflectOptions, limits_of, reflect

    limits = limits_of(unroll, solver_effort, conditions, seconds)
    options = ReflectOptions(
        split_names(states), counter, start, hypothesis, suggest, limits, jobs, outputs, force, frame.format
    )
    return reflect(subject, system, project, options, frame)
