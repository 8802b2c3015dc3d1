"""The work of `stateglass reflect`: from what is asked to what is printed and written."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, final

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit, gravest
from stateglass.cli.frame import Frame, OutputFormat, document, write_json
from stateglass.cli.hypotheses import MACHINE, Given, of_project, read_hypothesis, read_instead, sorted_out
from stateglass.cli.progress import ProgressLine
from stateglass.cli.subject import files_in
from stateglass.cli.telling import say_diagnostics
from stateglass.cli.trouble import json_error
from stateglass.evidence import ReflexionModel, Result
from stateglass.formats import STDIO
from stateglass.formats.files import utf8, write_bytes
from stateglass.formats.targets import check_different, is_stdout
from stateglass.operations.hypotheses import Hypothesis, Limits, Workers, all_problems, processors, source_files
from stateglass.operations.proposing import hypothesis_over
from stateglass.options import ExtractOptions
from stateglass.options.settings import settings
from stateglass.pipeline import Reflection, reflect_machine, suggest
from stateglass.reports import ReflectReport, RefusedHypothesis, SeveralReflectReport
from stateglass.source import Code, Diagnostic, InputError, Severity, input_error
from stateglass.views.page import Chapter, sources_of
from stateglass.views.reflexion import check_outputs, conclusion, facts, table, wrapped, write_reflexion
from stateglass.views.reflexion.page import files_of, reflexion_chapter

STYLES: Final = {
    Result.CONVERGENCE: Style.GOOD,
    Result.PARTIAL: Style.NOTE,
    Result.DIVERGENCE: Style.ERROR,
    Result.ABSENCE: Style.WARNING,
    Result.INCONCLUSIVE: Style.WARNING,
}
assert set(STYLES) == set(Result)


@final
@dataclass(frozen=True, slots=True)
class ReflectOptions:
    """The options of `reflect` beside those that say how code is read."""

    states: tuple[str, ...] = ()
    counter: str | None = None
    start: str | None = None
    hypothesis: str | None = None
    suggest: bool = False
    limits: Limits = field(default_factory=Limits)
    jobs: int | None = None  # None: one for each processor
    outputs: tuple[str, ...] = ()
    force: bool = False
    format: OutputFormat = OutputFormat.TEXT


@final
@dataclass(frozen=True, slots=True)
class _Asked:
    """A hypothesis, and how the code it is about is read."""

    hypothesis: Hypothesis
    settings: ExtractOptions
    limits: Limits
    warnings: tuple[Diagnostic, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class _Answer:
    """What came out for one hypothesis; `name` is that of the project, if it has one."""

    name: str
    reflection: Reflection
    suggestion: str | None
    exit: Exit


def reflect(
    cli: dict[str, object], system: str | None, project: str | None, options: ReflectOptions, frame: Frame
) -> Exit:
    out, err = frame.out, frame.err
    _check(options)
    answers: list[_Answer] = []
    refused: dict[str, InputError] = {}
    asked = _asked(cli, system, project, options)
    several, interrupted = len(asked) > 1, False
    with ProgressLine(err) as progress:
        for name, ask in asked.items():
            try:
                answers.append(_answer(name, ask(), options, progress))
            except InputError as error:
                # What is wrong with one of several says nothing about the others.
                if not several:
                    raise
                refused[name] = error
            except KeyboardInterrupt:
                if not answers:
                    raise
                interrupted = True
            if interrupted or (answers and answers[-1].exit is Exit.INTERRUPTED):
                break
    if options.format is OutputFormat.JSON:
        write_json(out, "reflect", _report(answers, refused, options) if several else _only_report(answers[0], options))
    for answer in answers:
        say_diagnostics(err, answer.reflection.warnings)
        frame.keep(partial(_chapter, answer.reflection.model))
        _write(answer, options)
        if options.format is OutputFormat.TEXT:
            _print(answer, options, out, titled=several)
        _conclude(answer.reflection.model, err)
    for name, problem in refused.items():
        err.line(f"{err.styled(name, Style.BOLD)} was not looked at:")
        say_diagnostics(err, problem.diagnostics)
    exits = [*(answer.exit for answer in answers), *(Exit.BAD_INPUT for _ in refused)]
    if not interrupted and Exit.INTERRUPTED not in exits:
        return gravest(exits)
    err.line(err.styled("interrupted", Style.WARNING) + ": this is what was known")
    return Exit.INTERRUPTED


def _chapter(model: ReflexionModel, name: str) -> Chapter:
    return reflexion_chapter(model, sources_of(files_of(model)), name)


def limits_of(unroll: int | None, effort: int | None, questions: int | None, seconds: float | None) -> Limits:
    """The limits that are given; the others are as usual."""
    usual = Limits()
    return Limits(
        usual.unroll if unroll is None else unroll,
        usual.effort if effort is None else effort,
        usual.questions if questions is None else questions,
        seconds,
    )


def _check(options: ReflectOptions) -> None:
    """What cannot be done is told before the work, not after it."""
    if any(map(is_stdout, options.outputs)) and (options.format is OutputFormat.JSON or options.suggest):
        other = "JSON" if options.format is OutputFormat.JSON else "a suggestion"
        help = "give the picture a file name"
        raise input_error(Code.USAGE, f"standard output cannot carry both a picture and {other}", help=help)
    check_different(options.outputs)
    check_outputs(options.outputs, (MACHINE,))
    written = [output for output in options.outputs if output.endswith(MACHINE)]
    if written and not options.suggest:
        help = "add --suggest for the machine as the code has it"
        raise input_error(Code.USAGE, f"`{written[0]}`: a machine is only written as a suggestion", help=help)


def _asked(
    cli: dict[str, object], system: str | None, project: str | None, options: ReflectOptions
) -> dict[str, Callable[[], _Asked]]:
    """What is asked for: one hypothesis under no name, or those of the project file; each is read when it is called."""
    ranges = bool(options.states or options.counter)
    given = sorted_out(files_in(cli), may_be_read=not ranges and options.hypothesis is None)
    if ranges and not given.is_hypothesis and options.hypothesis is None:
        return {"": lambda: _over_variables(cli, system, project, options)}
    for name, value in (
        ("--states", options.states),
        ("--counter", options.counter),
        ("--function", cli["functions"]),
        ("--reachable-from", options.start),
    ):
        if value and (given.is_hypothesis or options.hypothesis is not None):
            message = f"{name} is given, and a machine, which says so itself"
            raise input_error(Code.USAGE, message, help="leave out one of them")
    if given.is_hypothesis and options.hypothesis is None:
        return {"": lambda: _of_files(given, cli, system, project, options)}
    if given.is_hypothesis or (given.code and options.hypothesis is None):
        message = "neither a machine nor states are given"
        help = "name a .machine file, or variables with --states; `stateglass scan` lists candidates"
        if options.hypothesis is not None:
            message, help = "--hypothesis is given, and a machine", "leave out one of them"
        raise input_error(Code.USAGE, message, help=help)
    path, found = of_project(cli, project, options.hypothesis)
    if len(found) > 1 and options.outputs:
        help = f"choose one: {', '.join(f'--hypothesis {name}' for name in found)}"
        raise input_error(Code.USAGE, f"-o is for one hypothesis, and there are {len(found)}", help=help)
    return {
        name: partial(_of_files, replace(one, code=given.code), cli, system, path, options)
        for name, one in found.items()
    }


def _of_files(
    given: Given, cli: dict[str, object], system: str | None, project: str | None, options: ReflectOptions
) -> _Asked:
    loaded = read_hypothesis(given)
    hypothesis = loaded.hypothesis
    if loaded.problems and not hypothesis.function:
        # There is no code to ask about the rest.
        raise InputError(loaded.problems)
    asked = {**cli, "files": given.code or source_files(hypothesis), "functions": (hypothesis.function,)}
    found, more = settings(asked, system, project)
    instead = read_instead(given.code, hypothesis)
    if loaded.problems:
        raise InputError([*instead, *all_problems(loaded, found)])
    warnings = (*loaded.warnings, *instead, *more)
    return _Asked(hypothesis, found, options.limits, warnings)


def _over_variables(cli: dict[str, object], system: str | None, project: str | None, options: ReflectOptions) -> _Asked:
    if options.states and options.counter:
        raise input_error(Code.USAGE, "both --states and --counter are given", help="ask one after the other")
    counter = _counter(options.counter)
    found, warnings = settings(cli, system, project)
    hypothesis = hypothesis_over(found, options.states, counter, options.start)
    return _Asked(hypothesis, found, options.limits, warnings)


def _answer(name: str, asked: _Asked, options: ReflectOptions, progress: ProgressLine) -> _Answer:
    workers = Workers(processes=processors() if options.jobs is None else options.jobs)
    try:
        reflection = reflect_machine(asked.hypothesis, asked.settings, asked.limits, progress, workers)
    except InputError as error:
        notes = [w for w in asked.warnings if w.severity is Severity.NOTE]
        raise InputError([*notes, *error.diagnostics]) from None
    reflection = Reflection(reflection.model, asked.hypothesis, (*asked.warnings, *reflection.warnings))
    exit = exit_of(reflection.model)
    if not options.suggest or exit is Exit.INTERRUPTED:
        return _Answer(name, reflection, None, exit)
    machine = next((output for output in options.outputs if output.endswith(MACHINE)), None)
    try:
        found = suggest(reflection, asked.settings, asked.limits, progress, workers)
    except KeyboardInterrupt:
        return _Answer(name, reflection, None, Exit.INTERRUPTED)
    return _Answer(name, reflection, found.text(_named(asked, machine)), exit)


def _named(asked: _Asked, output: str | None) -> tuple[str, ...]:
    """The files of the code as a machine names them: as seen from where it stands, or as they were."""
    if output is None and asked.hypothesis.span.file:
        return asked.hypothesis.files
    folder = os.path.dirname(output or "") or os.curdir
    # What came from standard input can only be given there again.
    return tuple(os.path.relpath(file, folder) for file in asked.settings.files if file != STDIO)


def _counter(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    name, equals, maximum = text.partition("=")
    if not equals or not name.strip() or not maximum.strip():
        raise input_error(Code.USAGE, f"`{text}` is no counter and its maximum", help="--counter VARIABLE=MAXIMUM")
    return name.strip(), maximum.strip()


def exit_of(model: ReflexionModel) -> Exit:
    if model.interrupted:
        return Exit.INTERRUPTED
    results = {r for edge in model.edges for r in edge.results}
    if results & {Result.DIVERGENCE, Result.ABSENCE, Result.PARTIAL}:
        return Exit.FINDINGS
    return Exit.INCONCLUSIVE if Result.INCONCLUSIVE in results or model.inconclusive else Exit.OK


# ---- output


def _facts(answer: _Answer) -> ReflectReport:
    report = facts(answer.reflection.model)
    if answer.name:
        report["hypothesis"] = answer.name
    if answer.suggestion is not None:
        report["suggestion"] = answer.suggestion
    return report


def _only_report(answer: _Answer, options: ReflectOptions) -> ReflectReport:
    return {**_facts(answer), "outputs": list(options.outputs)}


def _report(
    answers: Sequence[_Answer], refused: Mapping[str, InputError], options: ReflectOptions
) -> SeveralReflectReport:
    left_out: list[RefusedHypothesis] = [
        {"hypothesis": name, "errors": [json_error(d) for d in error.diagnostics]} for name, error in refused.items()
    ]
    return {"hypotheses": [*map(_facts, answers), *left_out], "outputs": list(options.outputs)}


def _write(answer: _Answer, options: ReflectOptions) -> None:
    content = document("reflect", _facts(answer))
    # A picture may be refused; by then the rest is safe.
    for output in sorted(options.outputs, key=lambda name: name.endswith((".svg", ".png"))):
        if output.endswith(MACHINE):
            if answer.suggestion is not None:
                write_bytes(output, utf8(answer.suggestion))
        else:
            write_reflexion(answer.reflection.model, content, output, force=options.force)


def _print(answer: _Answer, options: ReflectOptions, out: Console, *, titled: bool) -> None:
    if answer.suggestion is not None:
        if not any(output.endswith(MACHINE) for output in options.outputs):
            out.write(answer.suggestion)
    elif not any(map(is_stdout, options.outputs)):
        if titled:
            out.line(out.styled(f"{answer.name}:", Style.BOLD))
        model = answer.reflection.model
        for line in table(model, out.width, lambda text, result: out.styled(text, STYLES[result])):
            out.line(line)


def _conclude(model: ReflexionModel, err: Console) -> None:
    for text in conclusion(model):
        err.line("\n".join(wrapped(text, err.width, "", "  ")))
    for reason in model.inconclusive:
        said = "\n".join(wrapped(f"inconclusive: {reason}", err.width, "", "  "))
        err.line(said.replace("inconclusive", err.styled("inconclusive", Style.WARNING), 1))
    if model.bounds or model.assumptions:
        err.line("it takes for granted:")
        for text in (*model.bounds, *model.assumptions):
            err.line("\n".join(wrapped(text, err.width, "  ", "    ")))
