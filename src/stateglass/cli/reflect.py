"""`stateglass reflect`: is the machine in your head the one in the code?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, final

import click

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, split_names, write_json
from stateglass.cli.progress import ProgressLine
from stateglass.cli.subject import reflected_options
from stateglass.evidence import Condition, Edge, ReflexionModel, Result, StateFound, Witness
from stateglass.pipeline import Limits, Reflection, reflect_machine, reflect_states, settings, undefined_limits
from stateglass.source import Code, input_error, render_diagnostic
from stateglass.views.summary import counted

MACHINES: Final = (".machine",)
_STYLES: Final = {
    Result.CONVERGENCE: Style.BOLD,
    Result.PARTIAL: Style.BOLD,
    Result.DIVERGENCE: Style.ERROR,
    Result.ABSENCE: Style.WARNING,
    Result.INCONCLUSIVE: Style.WARNING,
}
# Told apart without colour too.
_MARKS: Final = {
    Result.CONVERGENCE: "=",
    Result.PARTIAL: "~",
    Result.DIVERGENCE: "+",
    Result.ABSENCE: "-",
    Result.INCONCLUSIVE: "?",
}
MOST_LINES: Final = 12


@final
@dataclass(frozen=True, slots=True)
class ReflectOptions:
    """The options of `reflect` beside those that say how code is read."""

    states: tuple[str, ...] = ()
    counter: str | None = None
    unroll: int | None = None
    solver_timeout: float = 10.0
    format: OutputFormat = OutputFormat.TEXT


def reflect(
    cli: dict[str, object], system: str | None, project: str | None, options: ReflectOptions, out: Console, err: Console
) -> Exit:
    reflection = _reflected(cli, system, project, options, err)
    for warning in reflection.warnings:
        err.line(render_diagnostic(warning))
    model = reflection.model
    if options.format is OutputFormat.JSON:
        write_json(out, "reflect", facts(model))
    else:
        _tell(model, out)
    _conclude(model, err)
    return exit_of(model)


def _reflected(
    cli: dict[str, object], system: str | None, project: str | None, options: ReflectOptions, err: Console
) -> Reflection:
    files = cli.get("files")
    given = [str(f) for f in files] if isinstance(files, tuple | list) else []
    machines = [f for f in given if f.endswith(MACHINES)]
    with ProgressLine(err) as progress:
        if machines:
            if len(machines) > 1 or options.states or options.counter:
                wrong = "a machine is given, and states too" if len(machines) == 1 else "more than one machine is given"
                raise input_error(Code.USAGE, wrong, help="ask one after the other")
            rest = tuple(f for f in given if f not in machines)
            found, _ = settings({**cli, "files": rest}, system, project)
            limits = undefined_limits(found, options.unroll, options.solver_timeout)
            return reflect_machine(machines[0], found, limits, progress)
        if not options.states and not options.counter:
            raise input_error(
                Code.USAGE,
                "neither a machine nor states are given",
                help="name a .machine file, or variables with --states; `stateglass scan` lists candidates",
            )
        found, _ = settings(cli, system, project)
        limits = undefined_limits(found, options.unroll, options.solver_timeout)
        return reflect_states(found, options.states, _counter(options.counter), limits, progress)


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


# ---- for programs


def facts(model: ReflexionModel) -> dict[str, object]:
    """The reflexion model with the keys that scripts rely on."""
    return {
        "machine": model.machine,
        "function": model.function,
        "states": [_state(s) for s in model.states],
        "edges": [_edge(e) for e in model.edges],
        "consistency": {
            "uncovered": None if model.uncovered is None else dict(model.uncovered),
            "unsatisfiable": [s.name for s in model.states if not s.satisfiable],
            "warnings": [d.message for d in model.warnings],
        },
        "bounds": list(model.bounds),
        "assumptions": list(model.assumptions),
        "inconclusive": list(model.inconclusive),
    }


def _state(state: StateFound) -> dict[str, object]:
    return {
        "name": state.name,
        "condition": state.condition or None,
        "parent": state.parent,
        "initial": state.initial,
        "reachable": state.reachable,
        "trap": state.is_trap,
        "entered": state.is_entered,
        "satisfiable": state.satisfiable,
    }


def _edge(edge: Edge) -> dict[str, object]:
    return {
        "source": edge.source,
        "target": edge.target,
        "results": [r.value for r in edge.results],
        "claimed": edge.claimed,
        "condition": _condition(edge.condition),
        "witness": _witness(edge.witness),
        "elsewhere": None if edge.elsewhere is None else {"target": edge.elsewhere[0], **_shown(edge.elsewhere[1])},
        "beyond": _witness(edge.beyond),
        "reason": edge.reason or None,
    }


def _condition(condition: Condition | None) -> dict[str, object] | None:
    if condition is None:
        return None
    return {"text": condition.text, "exact": condition.exact, "note": condition.note or None}


def _witness(witness: Witness | None) -> dict[str, object] | None:
    return None if witness is None else _shown(witness)


def _shown(witness: Witness) -> dict[str, object]:
    return {
        "before": dict(witness.before),
        "after": dict(witness.after),
        "lines": [{"file": file, "line": line} for file, line in witness.lines],
        "error": witness.error or None,
    }


# ---- for people


def _tell(model: ReflexionModel, out: Console) -> None:
    names = {n for e in model.edges for n in (e.source, e.target)}
    width = min(max((len(n) for n in names), default=0), max(12, (out.width - 30) // 2))
    for edge in model.edges:
        results = " + ".join(out.styled(r.value, _STYLES[r]) for r in edge.results)
        marks = "".join(_MARKS[r] for r in edge.results).ljust(2)
        out.line(f"{marks} {_cut(edge.source, width)} -> {_cut(edge.target, width)}  {results}")
        for line in _details(edge):
            out.paragraph(f"     {line}", "       ")


def _cut(name: str, width: int) -> str:
    return name.ljust(width) if len(name) <= width else name[: width - 1] + "…"


def _details(edge: Edge) -> Iterable[str]:
    if edge.claimed is not None:
        yield f"claimed when {edge.claimed}"
    if edge.condition is not None:
        yield f"taken when {edge.condition.text}{f' ({edge.condition.note})' if edge.condition.note else ''}"
    if edge.witness is not None and edge.results != (Result.CONVERGENCE,):
        yield f"a call that takes it: {_call(edge.witness)}"
    if edge.elsewhere is not None:
        yield f"but the condition also leads to {edge.elsewhere[0]}: {_call(edge.elsewhere[1])}"
    if edge.beyond is not None:
        yield f"and it is taken when the condition does not hold: {_call(edge.beyond)}"
    if edge.reason:
        yield f"not decided: {edge.reason}"


def _call(witness: Witness) -> str:
    before = ", ".join(f"{name} = {value}" for name, value in witness.before) or "always"
    after = ", ".join(f"{name} = {value}" for name, value in witness.after) or "nothing changes"
    if witness.error:
        after = f"error({witness.error}) at {witness.span}"
    return f"{before} ⟶ {after}{_lines(witness)}"


def _lines(witness: Witness) -> str:
    if not witness.lines:
        return ""
    numbers = [str(line) for _, line in witness.lines[:MOST_LINES]]
    more = "…" if len(witness.lines) > MOST_LINES else ""
    return f" (line{'s' * (len(numbers) > 1)} {', '.join(numbers)}{more})"


def _conclude(model: ReflexionModel, err: Console) -> None:
    counts = {r: sum(r in e.results for e in model.edges) for r in Result}
    found = ", ".join(counted(n, r.value) for r, n in counts.items() if n)
    leaves = [s for s in model.states if s.satisfiable]
    err.paragraph(f"{model.machine} of {model.function}: {counted(len(leaves), 'state')}; {found or 'no transition'}", "  ")
    if model.uncovered is not None:
        example = ", ".join(f"{n} = {v}" for n, v in model.uncovered)
        err.paragraph(f"other: what no state covers, {example} for example", "  ")
    for text, states in _remarks(model.states):
        err.paragraph(f"{text}: {', '.join(states)}", "  ")
    for reason in model.inconclusive:
        err.paragraph(f"{err.styled('inconclusive', Style.WARNING)}: {reason}", "  ")
    if model.bounds or model.assumptions:
        err.line("it takes for granted:")
        for text in (*model.bounds, *model.assumptions):
            err.paragraph(f"  {text}", "    ")


def _remarks(states: Sequence[StateFound]) -> Iterable[tuple[str, list[str]]]:
    traps = [s.name for s in states if s.is_trap]
    if traps:
        yield "entered and never left", traps
    unreachable = [s.name for s in states if s.reachable is False]
    if unreachable:
        yield "cannot be reached from the initial state", unreachable
    lonely = [s.name for s in states if not s.is_entered and s.satisfiable and not s.initial]
    if lonely:
        yield "entered from no other state", lonely


@click.command(
    cls=Verb,
    examples=[
        "stateglass reflect timer.machine",
        "stateglass reflect motor.c --function step --states mode,fault",
        "stateglass reflect pump.c --function tick --counter retries=MAX_RETRIES",
    ],
)
@reflected_options
@click.option("--states", multiple=True, metavar="NAMES", help="Take the ranges of these variables as the states.")
@click.option("--counter", metavar="VARIABLE=MAX", help="Take the ranges of a counter as the states.")
@click.option("--unroll", type=click.IntRange(1), metavar="N", help="Run loops up to N times. Default: 64.")
@click.option(
    "--solver-timeout",
    type=click.FloatRange(0.001),
    default=10.0,
    metavar="SECONDS",
    help="How long one question to the solver may take. Default: 10.",
)
@common_options
@click.pass_obj
def command(
    frame: Frame,
    subject: dict[str, object],
    system: str | None,
    project: str | None,
    states: tuple[str, ...],
    counter: str | None,
    unroll: int | None,
    solver_timeout: float,
) -> Exit:
    """Hold the state machine of a .machine file against the function that it is about.

    Each transition is a convergence (both have it), a partial convergence (the condition is not enough), a divergence
    (only the code has it) or an absence (only the machine has it). Without a machine, --states or --counter make one
    from ranges of variables, and all transitions between them are found.
    """
    options = ReflectOptions(split_names(states), counter, unroll, solver_timeout, frame.format)
    return reflect(subject, system, project, options, frame.out, frame.err)
