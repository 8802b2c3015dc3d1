"""`stateglass monitor`: where a recorded run leaves a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never, final

import click

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, from_option, sizes, write_json
from stateglass.cli.outputs import input_name
from stateglass.cli.progress import ProgressLine
from stateglass.cli.telling import wrapped
from stateglass.formats import STDIO, read_model
from stateglass.formats.files import stream
from stateglass.formats.valuations import changing
from stateglass.model import STABLE, Model, Relation
from stateglass.operations.monitoring import (
    LOG_FORMATS,
    MATCHES,
    LogOptions,
    LogVerdict,
    Monitoring,
    Outcome,
    Shortfall,
    monitor_log,
)
from stateglass.reports import MonitoredState, MonitorReport
from stateglass.source import Code, counted, input_error, printable
from stateglass.views.summary import cut

_MOST_ALLOWED = 8
_MOST_UNKNOWN = 8
_MOST_PROCESSES = 8
# In larger models it takes too long to find out which propositions tell states apart.
_MOST_STATES_LOOKED_AT = 20_000
_EXITS = {
    LogVerdict.ACCEPTED: Exit.OK,
    LogVerdict.LEFT: Exit.FINDINGS,
    LogVerdict.OPEN: Exit.INCONCLUSIVE,
    LogVerdict.EMPTY: Exit.NOTHING_TO_CHECK,
    LogVerdict.INTERRUPTED: Exit.INTERRUPTED,
}
assert set(_EXITS) == set(LogVerdict)


@final
@dataclass(frozen=True, slots=True)
class MonitorOptions:
    """The options of `monitor`."""

    log: LogOptions
    format: OutputFormat = OutputFormat.TEXT
    from_format: str | None = None


def monitor(path: str, log: str, options: MonitorOptions, out: Console, err: Console) -> Exit:
    if path == log == STDIO:
        raise input_error(Code.USAGE, "standard input can be only one of the model and the log")
    with ProgressLine(err) as progress:
        progress("reading")
        model = read_model(path, options.from_format)
        name = input_name(log)
        with stream(log) as lines:
            found = monitor_log(model, lines, "<stdin>" if log == STDIO else log, options.log, progress)
    if options.format is OutputFormat.JSON:
        write_json(out, "monitor", _report(found, model, options))
    else:
        for line in _text(found, model, name, options, out):
            out.line(line)
    _notes(found, model, options, err)
    return _EXITS[found.outcome.verdict]


def _report(found: Monitoring, model: Model, options: MonitorOptions) -> MonitorReport:
    outcome, course = found.outcome, found.outcome.course
    accepted = {LogVerdict.ACCEPTED: True, LogVerdict.LEFT: False}.get(outcome.verdict)
    return {
        "accepted": accepted,
        "line": outcome.line,
        "event": outcome.event or None,
        "reason": _reason(outcome, model) if accepted is None else None,
        "missing": None if outcome.shortfall is None else outcome.shortfall.value,
        "help": outcome.advice or None,
        "allowed": list(course.allowed),
        "may_end": course.may_end,
        "possible_states": course.all_states,
        "states": [_state(model, state) for state in course.states],
        "recent": [{"line": line, "event": event} for line, event in course.recent],
        "events": course.events,
        "last_line": course.line or None,
        "skipped_lines": found.skipped,
        "unknown": dict(course.unknown),
        "processes": list(found.processes),
        "complete": options.log.complete,
        "relation": model.origin.relation.value,
        "model": sizes(model),
    }


def _state(model: Model, state: int) -> MonitoredState:
    span = model.span_of_state(state)
    return {
        "state": state,
        "values": model.valuation(state),
        "file": None if span is None else span.file,
        "source_line": None if span is None else span.line,
    }


def _reason(outcome: Outcome, model: Model) -> str:
    match outcome.verdict:
        case LogVerdict.OPEN:
            return f"the model is partial ({_why_partial(model)}), and the answer depends on what is missing"
        case LogVerdict.EMPTY:
            return "the log has no event that the model knows"
        case LogVerdict.INTERRUPTED:
            return "interrupted"
        case LogVerdict.ACCEPTED | LogVerdict.LEFT:
            return ""
        case _:
            assert_never(outcome.verdict)


def _why_partial(model: Model) -> str:
    return "; ".join(model.origin.partial) or "some of its states were not explored"


def _text(found: Monitoring, model: Model, name: str, options: MonitorOptions, out: Console) -> list[str]:
    outcome, course = found.outcome, found.outcome.course
    events = counted(course.events, "event")
    match outcome.verdict:
        case LogVerdict.ACCEPTED:
            run = "a complete run" if options.log.complete else "a run"
            return wrapped(f"{name} is {run} of the model: {events}", out.width)
        case LogVerdict.EMPTY:
            return wrapped(f"nothing to check: {_reason(outcome, model).replace('the log', name)}", out.width)
        case LogVerdict.INTERRUPTED:
            return wrapped(f"up to line {course.line}, {name} is a run of the model: {events}", out.width)
        case LogVerdict.LEFT:
            return [*wrapped(_departure(outcome, name), out.width), *_around(outcome, model, out)]
        case LogVerdict.OPEN:
            known = _departure(outcome, name).replace("leaves the model", "leaves what is known of the model")
            said = f"inconclusive: {_reason(outcome, model)}"
            return [*wrapped(said, out.width), *wrapped(known, out.width), *_around(outcome, model, out)]
        case _:
            assert_never(outcome.verdict)


def _departure(outcome: Outcome, name: str) -> str:
    if outcome.shortfall is Shortfall.END:
        at = "" if outcome.line is None else f" after line {outcome.line}"
        return f"{name} leaves the model at its end{at}: the model cannot end there"
    said = f"{name} leaves the model at line {outcome.line}"
    return said + (": the model has no such action" if outcome.shortfall is Shortfall.LABEL else "")


def _around(outcome: Outcome, model: Model, out: Console) -> list[str]:
    """The last events, what would have been possible, and where the model may be."""
    course = outcome.course
    rows = list(course.recent)
    if outcome.line is not None and outcome.shortfall is not Shortfall.END:
        rows.append((outcome.line, outcome.event))
    digits = max((len(str(line)) for line, _ in rows), default=0)
    lines = []
    for number, (line, event) in enumerate(rows):
        refused = outcome.shortfall is not Shortfall.END and number == len(rows) - 1
        lines.append(cut(f"{'>' if refused else ' '} {line:>{digits}} | {event}", out.width))
    if outcome.advice:
        lines += wrapped(f"help: {outcome.advice}", out.width)
    lines += wrapped(_possible(course.allowed, course.may_end), out.width)
    described = [_described(model, state) for state in course.states]
    if course.all_states == 1:
        return [*lines, cut(f"the model is in {described[0]}", out.width)]
    among = ", among them" if course.all_states > len(described) else ""
    lines.append(f"the model may be in {counted(course.all_states, 'state')}{among}:")
    return [*lines, *(cut(f"  {state}", out.width) for state in described)]


def _possible(allowed: tuple[str, ...], may_end: bool) -> str:
    shown = [f"`{label}`" for label in allowed[:_MOST_ALLOWED]]
    if len(allowed) > _MOST_ALLOWED:
        shown.append(f"{len(allowed) - _MOST_ALLOWED:,} more")
    if may_end:
        shown.append("the end")
    return "possible instead: " + (", ".join(shown) if shown else "nothing")


def _described(model: Model, state: int) -> str:
    small = model.states <= _MOST_STATES_LOOKED_AT
    columns = changing(model) if small else [p for p in model.propositions if p.name != STABLE]
    span = model.span_of_state(state)
    parts = [f"state {state}", *([] if span is None else [f"at {span}"])]
    return "  ".join([*parts, *(f"{p.name} = {p.text(state)}" for p in columns)])


def _notes(found: Monitoring, model: Model, options: MonitorOptions, err: Console) -> None:
    outcome = found.outcome
    word = err.styled("note", Style.NOTE)
    unknown = outcome.course.unknown
    if unknown:
        number = counted(sum(count for _, count in unknown), "event")
        names = [f"{printable(name)} ({count:,})" for name, count in unknown[:_MOST_UNKNOWN]]
        more = f", and {len(unknown) - _MOST_UNKNOWN:,} other names" if len(unknown) > _MOST_UNKNOWN else ""
        err.paragraph(f"{word}: {number} that the model does not know left out: {', '.join(names)}{more}", "  ")
    if outcome.shortfall is Shortfall.LABEL and not unknown:
        err.paragraph(f"{word}: --ignore-unknown leaves out events that the model has no action for", "  ")
    if outcome.shortfall is Shortfall.LABEL and options.log.format == "plain" and ") = " in outcome.event:
        err.paragraph(f"{word}: this looks like output of strace, which is read with --log-format strace", "  ")
    if len(found.processes) > 1 and options.log.process is None:
        some = ", ".join(map(str, found.processes[:_MOST_PROCESSES]))
        more = ", …" if len(found.processes) > _MOST_PROCESSES else ""
        err.paragraph(f"{word}: the log has several processes, taken as one; --pid N looks at one: {some}{more}", "  ")
    if outcome.verdict is LogVerdict.ACCEPTED and model.origin.relation is Relation.OVER:
        err.paragraph(f"{word}: the model is an abstraction, which allows more than the code may be able to do", "  ")
    # Of a partial model only what does not depend on the missing part is said to be left.
    if outcome.verdict is LogVerdict.LEFT and model.origin.relation is Relation.UNDER and not model.partial:
        err.paragraph(f"{word}: the model does not show all of the behaviour: the code may be able to do this", "  ")


@click.command(
    cls=Verb,
    examples=[
        "stateglass monitor lock.sg run.log",
        "stateglass monitor daemon.sg trace.txt --log-format strace --ignore-unknown",
        "tail -f a.log | stateglass monitor a.sg - --event '(\\w+)' --map x='call(f)'",
    ],
    exits={
        Exit.OK: "a run of the model",
        Exit.FINDINGS: "it leaves the model",
        Exit.INCONCLUSIVE: "the model is partial",
        Exit.NOTHING_TO_CHECK: "no event in it",
    },
)
@click.argument("model")
@click.argument("log")
@click.option("--log-format", type=click.Choice(LOG_FORMATS), default="plain", help="What LOG is. Default: plain.")
@click.option("--event", metavar="REGEX", help="Where the event stands in a line; other lines are skipped.")
@click.option("--map", "mappings", multiple=True, metavar="EVENT=ACTION", help="What an event is called in MODEL.")
@click.option(
    "--match",
    type=click.Choice(MATCHES),
    help="What of an event must agree with a label. Default: text; for strace, name.",
)
@click.option("--hide", multiple=True, metavar="PATTERN", help="Actions of MODEL that LOG does not record.")
@click.option("--pid", type=click.IntRange(min=1), metavar="N", help="Only this process of a log of strace.")
@click.option("--ignore-unknown", is_flag=True, help="Leave out events that MODEL has no action for.")
@click.option("--complete", is_flag=True, help="Also ask that the log ends where MODEL may end.")
@from_option
@common_options
@click.pass_obj
def command(
    frame: Frame,
    model: str,
    log: str,
    log_format: str,
    event: str | None,
    mappings: tuple[str, ...],
    match: str | None,
    hide: tuple[str, ...],
    pid: int | None,
    ignore_unknown: bool,
    complete: bool,
    from_format: str | None,
) -> Exit:
    """Say whether the recorded run LOG is one of MODEL, and if not, at which line it leaves it.

    LOG has one action per line, or is output of strace; - is standard input, followed as it comes. Silent steps of
    MODEL may happen anywhere in between. In EVENT, * stands for any text; an empty ACTION leaves the event out. PATTERN
    is a label, or has * and ? in it, or is re: and a regular expression.
    """
    wanted = LogOptions(log_format, hide, match, mappings, event, pid, ignore_unknown, complete)
    return monitor(model, log, MonitorOptions(wanted, frame.format, from_format), frame.out, frame.err)
