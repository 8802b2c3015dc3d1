"""`stateglass assembly DESIGN --against CODE`: does the code do what the component does?"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit, gravest
from stateglass.cli.frame import document, sizes, write_json
from stateglass.cli.implemented import Asked, GivenCode, asked_for
from stateglass.cli.progress import ProgressLine
from stateglass.cli.reflecting import STYLES, exit_of
from stateglass.cli.telling import say_diagnostics, say_granted, size_in_words
from stateglass.cli.trouble import json_error
from stateglass.evidence import ReflexionModel
from stateglass.formats.targets import check_different, is_stdout
from stateglass.model import Model
from stateglass.operations.agreeing import Agreement, Held, Simulated, agree, implemented
from stateglass.operations.assembling import read
from stateglass.operations.designs import HowChecked, load_design, oddities
from stateglass.operations.hypotheses import Hypothesis, Limits, Workers, processors
from stateglass.options import ExtractOptions
from stateglass.pipeline import extract, reflect_machine
from stateglass.program import Program
from stateglass.program.probes import Probe
from stateglass.reports import AgreementReport, HeldReport, RefusedDesign, SeveralAgreementsReport, SimulatedReport
from stateglass.source import Code, InputError, input_error
from stateglass.views.reflexion import (
    Part,
    check_outputs,
    conclusion,
    facts,
    table,
    together,
    wrapped,
    write_reflexion,
)
from stateglass.work import Progress


@final
@dataclass(frozen=True, slots=True)
class AgreementOptions:
    """What is asked for beside the designs and the code."""

    outputs: tuple[str, ...] = ()
    is_json: bool = False


@final
@dataclass(frozen=True, slots=True)
class _Answer:
    """What was found about one component."""

    name: str  # in the project
    files: tuple[str, ...]
    of_class: str | None
    found: Agreement


@final
@dataclass(frozen=True, slots=True)
class Files:
    """Code in files, and what can be asked of it; all questions together have one limit of time."""

    options: ExtractOptions
    progress: Progress
    end: float = math.inf  # the moment when no more time is left

    def program(self, probes: Sequence[Probe]) -> Program:
        return read(self.options, probes).program

    def reflected(self, hypothesis: Hypothesis) -> ReflexionModel:
        workers = Workers(processes=processors())
        found = reflect_machine(hypothesis, self.options, Limits(seconds=self._left()), self.progress, workers).model
        if found.interrupted:
            raise KeyboardInterrupt
        return found

    def model(
        self, functions: Sequence[str], init: str | None, bounds: Sequence[tuple[str, str]], *, few: bool = False
    ) -> Model:
        known = dict(self.options.bounds)
        more = tuple((name, values) for name, values in bounds if name not in known)
        asked = replace(self.options, init=init or self.options.init, bounds=(*self.options.bounds, *more))
        asked = replace(asked, timeout=self._left())
        if few:
            asked = replace(asked, max_states=1)
        others = {"several clients": asked.clients, "a label map": asked.labels, "an abstraction": asked.abstraction}
        for what, given in others.items():
            if given:
                message = f"the project file says of {what}, which is no part of a design"
                raise input_error(Code.USAGE, message, help="leave it out, or choose another system")
        if asked.of_class:
            asked = replace(asked, visible=tuple(functions))
        else:
            asked = replace(asked, functions=tuple(functions), mode="step")
        found = extract(asked, self.progress).exploration
        if found.interrupted:
            raise KeyboardInterrupt
        return found.model

    def _left(self) -> float:
        return max(0.0, min(self.options.timeout, self.end - time.monotonic()))


def hold(
    path: str | None, how: HowChecked, code: GivenCode, options: AgreementOptions, out: Console, err: Console
) -> Exit:
    _check_outputs(options)
    asked = asked_for(path, how.of, code)
    several = len(asked) > 1
    if several and options.outputs:
        help = f"choose one: {', '.join(f'--design {one.name}' for one in asked)}"
        raise input_error(Code.USAGE, f"-o is for one design, and there are {len(asked)}", help=help)
    answers: list[_Answer] = []
    refused: dict[str, InputError] = {}
    with ProgressLine(err) as progress:
        for one in asked:
            try:
                answers.append(_answer(one, how, progress, err))
            except InputError as error:
                # What is wrong with one of several says nothing about the others.
                if not several:
                    raise
                refused[one.name] = error
    for answer in answers:
        say_diagnostics(err, answer.found.warnings)
        _write(answer, options)
        if not options.is_json and not any(map(is_stdout, options.outputs)):
            _print(answer, out, titled=several)
        _conclude(answer.found, err)
    if options.is_json:
        write_json(out, "assembly", _several(answers, refused, options) if several else _report(answers[0], options))
    for name, problem in refused.items():
        err.line(f"{err.styled(name, Style.BOLD)} was not looked at:")
        say_diagnostics(err, problem.diagnostics)
    return gravest([*(exit for a in answers for exit in _exits(a.found)), *(Exit.BAD_INPUT for _ in refused)])


def _check_outputs(options: AgreementOptions) -> None:
    """What cannot be written is told before the work, not after it."""
    if any(map(is_stdout, options.outputs)) and options.is_json:
        help = "give the picture a file name, or leave out --format json"
        raise input_error(Code.USAGE, "standard output cannot carry both a picture and a JSON report", help=help)
    check_different(options.outputs)
    check_outputs(options.outputs)


def _answer(one: Asked, how: HowChecked, progress: ProgressLine, err: Console) -> _Answer:
    begin = time.monotonic()
    design = load_design(one.path)
    component = implemented(design, one.of)
    asked, warnings = one.code()
    asked = replace(asked, max_states=how.most_states or asked.max_states, timeout=how.seconds or asked.timeout)
    end = begin + asked.timeout
    say_diagnostics(err, (*oddities(design, ()), *warnings))
    manner = replace(how.manner, max_states=asked.max_states, timeout=asked.timeout, end=end)
    found = agree(
        design,
        component,
        one.meanings,
        Files(asked, progress, end),
        of_class=asked.of_class or "",
        bounds=how.bounds,
        manner=manner,
        progress=progress,
    )
    return _Answer(one.name, asked.files, asked.of_class, found)


def _write(answer: _Answer, options: AgreementOptions) -> None:
    held = answer.found.held
    parts = [Part(one.handler.reaction.name, f"^{one.handler.pin.name}", one.model) for one in held if one.model]
    unclear = [f"^{one.handler.pin.name}: {one.unclear}" for one in held if one.model is None]
    what = answer.of_class or " and ".join(os.path.basename(file) for file in answer.files)
    whole = together(parts, answer.found.component, what)
    whole = replace(whole, inconclusive=(*whole.inconclusive, *unclear))
    content = document("assembly", _report(answer, options))
    # A picture may be refused; by then the rest is safe.
    for output in sorted(options.outputs, key=lambda name: name.endswith((".svg", ".png"))):
        write_reflexion(whole, content, output)


def _exits(found: Agreement) -> Iterator[Exit]:
    for held in found.held:
        yield Exit.INCONCLUSIVE if held.model is None else exit_of(held.model)
    related = found.simulated.related
    yield Exit.INCONCLUSIVE if related is None else Exit.OK if related else Exit.FINDINGS


# ---- text


def _print(answer: _Answer, out: Console, *, titled: bool) -> None:
    found = answer.found
    if titled:
        out.line(out.styled(f"{answer.name}:", Style.BOLD))
    for held in found.held:
        out.line(out.styled(f"{held.handler.title}:", Style.BOLD))
        for line in _held(held, out):
            out.line(line)
    for text in _simulated(found, out):
        out.line(text)


def _held(held: Held, out: Console) -> Iterator[str]:
    if held.model is None:
        word = out.styled("inconclusive", Style.WARNING)
        yield from (line.replace("inconclusive", word, 1) for line in _lines(f"inconclusive: {held.unclear}", out))
    else:
        yield from table(held.model, out.width, lambda text, result: out.styled(text, STYLES[result]))


def _lines(text: str, out: Console) -> list[str]:
    return wrapped(text, out.width, "", "  ")


def _simulated(found: Agreement, out: Console) -> Iterator[str]:
    simulated, name = found.simulated, found.component
    if simulated.related is None:
        yield from _lines(f"whether {name} can do all that the code does is inconclusive: {simulated.reason}", out)
    elif simulated.related:
        yield from _lines(f"{name} weakly simulates the code: it can do all that the code does", out)
    elif not simulated.run:
        yield from _lines(f"{name} does not weakly simulate the code: {simulated.reason}", out)
    else:
        yield from _lines(f"{name} does not weakly simulate the code, which can do this:", out)
        width = max(len(word) for word, _ in simulated.run)
        for number, (word, meaning) in enumerate(simulated.run, 1):
            yield f"  {number:4}  {word.ljust(width)}  {meaning if meaning != word else ''}".rstrip()
        yield from _lines(_instead(simulated, name), out)


def _instead(simulated: Simulated, name: str) -> str:
    allowed = " or ".join(f"`{label}`" for label in simulated.allowed) or "nothing any more"
    if simulated.ending:
        return f"and is then where {simulated.ending}; {name} can do {allowed} there"
    return f"in place of the last step, {name} can do {allowed}"


def _conclude(found: Agreement, err: Console) -> None:
    granted: dict[str, None] = {}
    for held in found.held:
        if held.model is None:
            continue
        headline, *more = conclusion(held.model)
        # A function by itself leaves states alone that others leave.
        for text in (headline, *(one for one in more if one.startswith("other:"))):
            err.line("\n".join(wrapped(text, err.width, "", "  ")))
        for reason in held.model.inconclusive:
            err.line("\n".join(wrapped(f"inconclusive: {reason}", err.width, "", "  ")))
        granted |= dict.fromkeys((*held.model.bounds, *held.model.assumptions))
    simulated = found.simulated
    if simulated.code is not None and simulated.design is not None:
        code, design = size_in_words(simulated.code), size_in_words(simulated.design)
        err.paragraph(f"{found.component}: {design}; the code: {code}", "  ")
        granted |= dict.fromkeys(map(str, simulated.code.origin.assumptions))
    say_granted(err, list(granted))


# ---- JSON


def _report(answer: _Answer, options: AgreementOptions) -> AgreementReport:
    return {**_facts(answer), "outputs": list(options.outputs)}


def _facts(answer: _Answer) -> AgreementReport:
    report: AgreementReport = {
        "component": answer.found.component,
        "code": list(answer.files),
        "functions": [_held_report(held) for held in answer.found.held],
        "simulation": _simulated_report(answer.found.simulated),
    }
    if answer.name:
        report["design"] = answer.name
    return report


def _several(
    answers: Sequence[_Answer], refused: Mapping[str, InputError], options: AgreementOptions
) -> SeveralAgreementsReport:
    left_out: list[RefusedDesign] = [
        {"design": name, "errors": [json_error(d) for d in error.diagnostics]} for name, error in refused.items()
    ]
    return {"designs": [*map(_facts, answers), *left_out], "outputs": list(options.outputs)}


def _held_report(held: Held) -> HeldReport:
    return {
        "pin": held.handler.pin.name,
        "function": held.handler.function,
        "unclear": held.unclear or None,
        "reflexion": None if held.model is None else facts(held.model),
    }


def _simulated_report(found: Simulated) -> SimulatedReport:
    return {
        "simulates": found.related,
        "reason": found.reason or None,
        "run": [{"design": word, "code": meaning} for word, meaning in found.run],
        "ending": found.ending or None,
        "instead": list(found.allowed),
        "models": [sizes(model) for model in (found.design, found.code) if model is not None],
    }
