"""`stateglass reflect`: is the machine in your head the one in the code?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, final

import click

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit
from stateglass.cli.frame import SCHEMA_VERSION, Frame, OutputFormat, Verb, common_options, split_names, write_json
from stateglass.cli.hypotheses import read_hypothesis, sorted_out
from stateglass.cli.progress import ProgressLine
from stateglass.cli.subject import reflected_options
from stateglass.evidence import ReflexionModel, Result
from stateglass.formats import STDIO
from stateglass.pipeline import (
    Limits,
    Reflection,
    hypothesis_over,
    reflect_machine,
    settings,
    source_files,
    undefined_limits,
)
from stateglass.source import Code, input_error, render_diagnostic
from stateglass.views.reflexion import check_outputs, conclusion, facts, table, write_reflexion

_STYLES: Final = {
    Result.CONVERGENCE: Style.BOLD,
    Result.PARTIAL: Style.NOTE,
    Result.DIVERGENCE: Style.ERROR,
    Result.ABSENCE: Style.WARNING,
    Result.INCONCLUSIVE: Style.WARNING,
}
assert set(_STYLES) == set(Result)


@final
@dataclass(frozen=True, slots=True)
class ReflectOptions:
    """The options of `reflect` beside those that say how code is read."""

    states: tuple[str, ...] = ()
    counter: str | None = None
    limits: Limits = field(default_factory=Limits)
    outputs: tuple[str, ...] = ()
    force: bool = False
    format: OutputFormat = OutputFormat.TEXT


def reflect(
    cli: dict[str, object], system: str | None, project: str | None, options: ReflectOptions, out: Console, err: Console
) -> Exit:
    if STDIO in options.outputs and options.format is OutputFormat.JSON:
        help = "give the picture a file name, or leave out --format json"
        raise input_error(Code.USAGE, "standard output cannot carry both a picture and JSON", help=help)
    check_outputs(options.outputs)
    with ProgressLine(err) as progress:
        reflection = _reflected(cli, system, project, options, progress)
    for warning in reflection.warnings:
        err.line(render_diagnostic(warning))
    _write(reflection.model, options)
    _print(reflection.model, options, out)
    _conclude(reflection.model, err)
    return exit_of(reflection.model)


def _reflected(
    cli: dict[str, object], system: str | None, project: str | None, options: ReflectOptions, progress: ProgressLine
) -> Reflection:
    files = cli.get("files")
    given = sorted_out([str(f) for f in files] if isinstance(files, tuple | list) else [])
    if not given.is_hypothesis:
        return _over_variables(cli, system, project, options, progress)
    for name, value in (("--states", options.states), ("--counter", options.counter), ("--function", cli["functions"])):
        if value:
            message = f"{name} is given, and a machine that says so itself"
            raise input_error(Code.USAGE, message, help="leave out one of them")
    hypothesis, warnings = read_hypothesis(given)
    asked = {**cli, "files": given.code or source_files(hypothesis), "functions": (hypothesis.function,)}
    found, more = settings(asked, system, project)
    reflection = reflect_machine(hypothesis, found, undefined_limits(found, options.limits), progress)
    return Reflection(reflection.model, hypothesis, (*warnings, *more, *reflection.warnings))


def _over_variables(
    cli: dict[str, object], system: str | None, project: str | None, options: ReflectOptions, progress: ProgressLine
) -> Reflection:
    if bool(options.states) == bool(options.counter):
        both = bool(options.states)
        message = "both --states and --counter are given" if both else "neither a machine nor states are given"
        help = "name a .machine file, or variables with --states; `stateglass scan` lists candidates"
        raise input_error(Code.USAGE, message, help="ask one after the other" if both else help)
    counter = _counter(options.counter)
    found, warnings = settings(cli, system, project)
    hypothesis = hypothesis_over(found, options.states, counter, progress)
    reflection = reflect_machine(hypothesis, found, undefined_limits(found, options.limits), progress)
    return Reflection(reflection.model, hypothesis, (*warnings, *reflection.warnings))


def _counter(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    name, equals, maximum = text.partition("=")
    if not equals or not name.strip() or not maximum.strip():
        raise input_error(Code.USAGE, f"`{text}` is no counter and its maximum", help="--counter VARIABLE=MAXIMUM")
    return name.strip(), maximum.strip()


def exit_of(model: ReflexionModel) -> Exit:
    results = {r for edge in model.edges for r in edge.results}
    if results & {Result.DIVERGENCE, Result.ABSENCE, Result.PARTIAL}:
        return Exit.FINDINGS
    return Exit.INCONCLUSIVE if Result.INCONCLUSIVE in results or model.inconclusive else Exit.OK


# ---- output


def _write(model: ReflexionModel, options: ReflectOptions) -> None:
    content = {"schema_version": SCHEMA_VERSION, "command": "reflect", **facts(model)}
    # A picture may be refused; by then the rest is safe.
    for output in sorted(options.outputs, key=lambda name: name.endswith((".svg", ".png"))):
        write_reflexion(model, content, output, force=options.force)


def _print(model: ReflexionModel, options: ReflectOptions, out: Console) -> None:
    if options.format is OutputFormat.JSON:
        write_json(out, "reflect", {**facts(model), "outputs": list(options.outputs)})
    elif STDIO not in options.outputs:
        for line in table(model, out.width, lambda text, result: out.styled(text, _STYLES[result])):
            out.line(line)


def _conclude(model: ReflexionModel, err: Console) -> None:
    for text in conclusion(model):
        err.paragraph(text, "  ")
    for reason in model.inconclusive:
        err.paragraph(f"{err.styled('inconclusive', Style.WARNING)}: {reason}", "  ")
    if model.bounds or model.assumptions:
        err.line("it takes for granted:")
        for text in (*model.bounds, *model.assumptions):
            err.paragraph(f"  {text}", "    ")


@click.command(
    cls=Verb,
    examples=[
        "stateglass reflect timer.machine -o timer.html",
        "stateglass reflect design.mmd names.machine",
        "stateglass reflect motor.c --function step --states mode,fault -o motor.svg",
        "stateglass reflect pump.c --function tick --counter retries=MAX_RETRIES",
    ],
)
@reflected_options
@click.option("--states", multiple=True, metavar="NAMES", help="Take the ranges of these variables as the states.")
@click.option("--counter", metavar="VARIABLE=MAX", help="Take the ranges of a counter as the states.")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="OUT",
    help="Write a picture (.svg .png .dot), a page with the source beside it (.html) or .json; may be repeated;"
    " - is a picture on stdout.",
)
@click.option(
    "--conditions",
    type=click.FloatRange(0),
    default=Limits().condition_seconds,
    metavar="SECONDS",
    help="How long to look for the conditions of transitions; 0 looks for none. Default: 10.",
)
@click.option(
    "--unroll",
    type=click.IntRange(1),
    default=Limits().unroll,
    metavar="N",
    help="Run loops up to N times. Default: 64.",
)
@click.option(
    "--solver-timeout",
    type=click.FloatRange(0.001),
    default=Limits().solver_seconds,
    metavar="SECONDS",
    help="How long one question to the solver may take. Default: 10.",
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
    outputs: tuple[str, ...],
    conditions: float,
    unroll: int,
    solver_timeout: float,
    force: bool,
) -> Exit:
    """Hold the state machine of a .machine file against the function that it is about.

    Each transition is a convergence (both have it), a partial convergence (the condition is not enough), a divergence
    (only the code has it) or an absence (only the machine has it). A diagram (.mmd .puml .scxml .dot) is a machine too,
    with a .machine file that says what its names mean. Without a machine, --states or --counter make one from ranges of
    variables, and all transitions between them are found.
    """
    limits = Limits(unroll, solver_timeout, conditions)
    options = ReflectOptions(split_names(states), counter, limits, outputs, force, frame.format)
    return reflect(subject, system, project, options, frame.out, frame.err)
