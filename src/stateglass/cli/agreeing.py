"""`stateglass assembly DESIGN --against CODE`: does the code do what the component does?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit, gravest
from stateglass.cli.frame import document, sizes, write_json
from stateglass.cli.progress import ProgressLine
from stateglass.cli.reflecting import STYLES, exit_of
from stateglass.cli.telling import say_diagnostics, say_granted, size_in_words
from stateglass.evidence import ReflexionModel
from stateglass.formats.files import utf8, write_bytes
from stateglass.model import Model
from stateglass.operations.agreeing import Agreement, Held, Meaning, Simulated, agree, given_meaning, implemented
from stateglass.operations.designs import HowChecked, load_design, oddities
from stateglass.operations.hypotheses import Hypothesis, Limits, Workers, processors
from stateglass.options import ExtractOptions
from stateglass.options.settings import settings
from stateglass.pipeline import extract, read, reflect_machine
from stateglass.program import Program
from stateglass.program.probes import Probe
from stateglass.reports import AgreementReport, HeldReport, SimulatedReport
from stateglass.source import Code, Diagnostic, InputError, input_error
from stateglass.views.reflexion import conclusion, facts, table, wrapped
from stateglass.work import Progress

_NOT_FOR_CLASSES: Final = "functions of a class are not held against the statechart one by one"


@final
@dataclass(frozen=True, slots=True)
class AgreementOptions:
    """What is asked for."""

    files: tuple[str, ...]
    of_class: str | None = None
    meanings: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    is_json: bool = False


@final
@dataclass(frozen=True, slots=True)
class Files:
    """Code in files, and what can be asked of it."""

    options: ExtractOptions
    progress: Progress

    def program(self, probes: Sequence[Probe]) -> Program:
        return read(self.options, probes).program

    def reflected(self, hypothesis: Hypothesis) -> ReflexionModel:
        workers = Workers(processes=processors())
        found = reflect_machine(hypothesis, self.options, Limits(), self.progress, workers).model
        if found.interrupted:
            raise KeyboardInterrupt
        return found

    def model(self, functions: Sequence[str], init: str | None, bounds: Sequence[tuple[str, str]]) -> Model:
        known = dict(self.options.bounds)
        more = tuple((name, values) for name, values in bounds if name not in known)
        asked = replace(self.options, init=init or self.options.init, bounds=(*self.options.bounds, *more))
        if asked.of_class:
            asked = replace(asked, visible=tuple(functions))
        else:
            asked = replace(asked, functions=tuple(functions))
        found = extract(asked, self.progress).exploration
        if found.interrupted:
            raise KeyboardInterrupt
        return found.model


def hold(path: str, how: HowChecked, options: AgreementOptions, out: Console, err: Console) -> Exit:
    wrong = [output for output in options.outputs if not output.endswith(".json")]
    if wrong:
        raise input_error(Code.USAGE, f"`{wrong[0]}`: with --against, answers are written as .json")
    design = load_design(path)
    component = implemented(design, how.of)
    given = _meanings(options.meanings)
    asked, warnings = settings({"files": options.files, "of_class": options.of_class}, None, None)
    asked = replace(asked, max_states=how.manner.max_states, timeout=how.manner.timeout)
    say_diagnostics(err, (*oddities(design, ()), *warnings))
    with ProgressLine(err) as progress:
        code = Files(asked, progress)
        of_class = options.of_class or ""
        found = agree(
            design, component, given, code, of_class=of_class, bounds=dict(how.bounds), manner=how.manner,
            progress=progress,
        )  # fmt: skip
    say_diagnostics(err, found.warnings)
    report = _report(found, options)
    for output in options.outputs:
        write_bytes(output, utf8(json.dumps(document("assembly", report), indent=2, ensure_ascii=False) + "\n"))
    if options.is_json:
        write_json(out, "assembly", report)
    else:
        _print(found, out)
    _conclude(found, err)
    return gravest(_exits(found))


def _meanings(texts: Sequence[str]) -> list[Meaning]:
    problems: list[Diagnostic] = []
    found = []
    for text in texts:
        try:
            found.append(given_meaning(text))
        except InputError as error:
            problems += error.diagnostics
    if problems:
        raise InputError(problems)
    return found


def _exits(found: Agreement) -> Iterator[Exit]:
    for held in found.held:
        yield Exit.INCONCLUSIVE if held.model is None else exit_of(held.model)
    related = found.simulated.related
    yield Exit.INCONCLUSIVE if related is None else Exit.OK if related else Exit.FINDINGS


# ---- text


def _print(found: Agreement, out: Console) -> None:
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
    if found.of_class:
        err.paragraph(_NOT_FOR_CLASSES, "  ")
    simulated = found.simulated
    if simulated.code is not None and simulated.design is not None:
        code, design = size_in_words(simulated.code), size_in_words(simulated.design)
        err.paragraph(f"{found.component}: {design}; the code: {code}", "  ")
        granted |= dict.fromkeys(map(str, simulated.code.origin.assumptions))
    say_granted(err, list(granted))


# ---- JSON


def _report(found: Agreement, options: AgreementOptions) -> AgreementReport:
    return {
        "component": found.component,
        "code": list(options.files),
        "functions": [_held_report(held) for held in found.held],
        "simulation": _simulated_report(found.simulated),
        "outputs": list(options.outputs),
    }


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
