"""`stateglass assembly`: do claims hold of a component design, and what goes wrong if they do not?"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, final

import click

from stateglass.answers.checking import Checked
from stateglass.cli.answered import EXITS, CheckFormat, answers_format_option, print_answers
from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit, gravest
from stateglass.cli.frame import Frame, Verb, color_option, document, sizes
from stateglass.cli.progress import ProgressLine
from stateglass.cli.telling import say_diagnostics, say_granted, size_in_words
from stateglass.design import Design
from stateglass.evidence import Verdict
from stateglass.logic.sentences import sentence
from stateglass.model import Model
from stateglass.operations.designs import (
    ENGINES,
    CheckedDesign,
    HowChecked,
    check_design,
    chosen,
    load_design,
    oddities,
    refuse_writing_back,
    with_results,
    written_down,
)
from stateglass.reports import CheckReport
from stateglass.source import Code, counted, input_error
from stateglass.views.claims.cards import Card
from stateglass.views.claims.facts import verdict_facts
from stateglass.views.claims.sequence import Sequence as Diagram
from stateglass.views.claims.writing import check_outputs, write_claims
from stateglass.views.designs.assembly import assembly_picture
from stateglass.views.designs.statechart import statechart_picture

if TYPE_CHECKING:
    from stateglass.cli.implemented import GivenCode


@final
@dataclass(frozen=True, slots=True)
class AssemblyOptions:
    """The options of `assembly`."""

    how: HowChecked = field(default_factory=HowChecked)
    emitted: str | None = None
    written_back: str | None = None
    drawn: str | None = None
    outputs: tuple[str, ...] = ()
    format: CheckFormat = CheckFormat.TEXT


def assembly(path: str, options: AssemblyOptions, out: Console, err: Console) -> Exit:
    check_outputs(options.outputs)
    if options.written_back is not None:
        refuse_writing_back(path)
    design = load_design(path)
    if options.drawn is not None:
        _draw(design, options.drawn)
    wirings = chosen(design, options.how.of)
    say_diagnostics(err, oddities(design, wirings))
    if options.emitted is not None:
        _emit(design, options.how, options.emitted)
    with ProgressLine(err) as progress:
        found = check_design(design, options.how, progress)
    cards = [_card(*each) for one in found for each in zip_longest(one.checked, one.diagrams)]
    report: CheckReport = {"verdicts": [verdict_facts(card) for card in cards], "outputs": list(options.outputs)}
    looked_at = [model for one in found if (model := _largest(one)) is not None and one.interpretation is not None]
    if looked_at:
        report["model"] = sizes(max(looked_at, key=lambda model: model.states))
    for output in options.outputs:
        problem = write_claims(cards, document("assembly", report), output, f"Claims on {path}")
        if problem:
            err.paragraph(f"{err.styled('note', Style.NOTE)}: {problem}", "  ")
    if options.written_back is not None:
        _write(options.written_back, with_results(path, design, found))
    print_answers(cards, report, options.format, out, "assembly")
    for one in found:
        _conclude(one, err)
    if any(one.interrupted for one in found):
        err.line(err.styled("interrupted", Style.WARNING) + f": {counted(len(cards), 'claim')} answered")
        return Exit.INTERRUPTED
    return gravest(EXITS[card.answer.verdict] for card in cards) if cards else Exit.NOTHING_TO_CHECK


def _card(checked: Checked, diagram: Diagram | None) -> Card:
    claim, asked = checked.claim, checked.asked or checked.model
    return Card(claim.title, claim.text, sentence(claim), checked.answer, checked.model, asked, diagram=diagram)


def _largest(found: CheckedDesign) -> Model | None:
    """The largest model on the way to an answer."""
    models = [checked.asked or checked.model for checked in found.checked]
    return max(models, key=lambda model: model.states, default=None)


def _conclude(found: CheckedDesign, err: Console) -> None:
    """Says on standard error what was looked at, and what the answers take for granted."""
    verdicts = [checked.answer.verdict for checked in found.checked]
    counts = ", ".join(f"{verdict.value} {verdicts.count(verdict)}" for verdict in Verdict if verdict in verdicts)
    largest = _largest(found)
    size = "" if largest is None or found.interpretation is None else f" on up to {size_in_words(largest)}"
    err.paragraph(f"{found.wiring.name}: {counted(len(verdicts), 'claim')}{size}: {counts or 'no answer'}", "  ")
    say_granted(err, found.assumptions)


def _emit(design: Design, how: HowChecked, folder: str) -> None:
    """The programs as files, of several each in a folder of its own."""
    programs = written_down(design, how)
    if not programs:
        message = "no component has a reaction: there is no program to write"
        raise input_error(Code.USAGE, message, help="leave out --emit-cfa")
    for program, files in programs.items():
        into = folder if len(programs) == 1 else os.path.join(folder, program)
        _make(into)
        for name, text in files.items():
            _write(os.path.join(into, name), text)


def _draw(design: Design, folder: str) -> None:
    """A picture of each assembly and of each statechart."""
    _make(folder)
    for one in design.assemblies:
        _write(os.path.join(folder, f"{one.name}.svg"), assembly_picture(design, one))
    for component in design.components:
        for reaction in component.reactions:
            _write(
                os.path.join(folder, f"{component.name}.{reaction.name}.svg"), statechart_picture(component, reaction)
            )


def _make(folder: str) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise input_error(Code.FILE, f"the folder `{folder}` cannot be made: {error.strerror}") from None


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise input_error(Code.FILE, f"`{path}` cannot be written: {error.strerror}") from None


@click.command(
    cls=Verb,
    examples=[
        "stateglass assembly store.ccl",
        "stateglass assembly cell.ccl --of cell --queue 3",
        "stateglass assembly cell.ccl --claim 'G(p.^close => F p.$close)' --format json",
        "stateglass assembly store.ccl --emit-cfa cfa --draw pictures",
        "stateglass assembly store.ccl --against store.c",
        "stateglass assembly --design shelf -o shelf.html",
    ],
    exits={
        Exit.OK: "all claims hold, or the code agrees",
        Exit.FINDINGS: "one is violated or vacuous, or it does not",
        Exit.INCONCLUSIVE: "something is not decided",
        Exit.NOTHING_TO_CHECK: "there is no component",
    },
)
@click.argument("file", metavar="[FILE]", required=False)
@click.option(
    "--of",
    "of",
    multiple=True,
    metavar="NAME",
    help="An assembly, or a component by itself; may be repeated. Default: all assemblies, or if there are none, all"
    " components.",
)
@click.option(
    "--claim",
    "claims",
    multiple=True,
    metavar="TEXT",
    help="A claim in place of those of the design; may be repeated.",
)
@click.option(
    "--queue", "room", type=click.IntRange(min=1, max=64), metavar="N", help="Room for N messages in every queue."
)
@click.option(
    "--bound",
    "bounds",
    multiple=True,
    metavar="NAME=SPEC",
    help="Values: p.close.force (data of a pin), p.level (a variable that several threads use). SPEC: 0..10, {1, 5}.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default=ENGINES[0],
    help="Who decides: explicit (all states), predicate (an abstraction that refines itself), or auto (default):"
    " whoever can.",
)
@click.option(
    "--scheduler",
    type=click.Choice(["any", "fixed-priority"]),
    default="any",
    help="Which threads go on: any (the default), or only those with the highest priority of all that can.",
)
@click.option("--max-states", type=click.IntRange(min=1), metavar="N", help="Stop at N states. Default: 1,000,000.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    metavar="SECONDS",
    help="Stop after so many seconds. Default: 300.",
)
@click.option("--emit-cfa", "emitted", metavar="DIR", help="Write the C and FSP program that the design becomes.")
@click.option("--draw", "drawn", metavar="DIR", help="Draw each assembly and each statechart as SVG.")
@click.option("--write-back", "written", metavar="OUT", help="Write the design with the verdicts beside its claims.")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="OUT",
    help="Write the answers (.json .sarif .xml .html) or a run (.svg and .mmd: sequence diagrams, .itf.json); of code,"
    " where it agrees (.json .svg .png .dot .html); may be repeated.",
)
@answers_format_option
@click.option(
    "--against",
    "against",
    multiple=True,
    metavar="CODE",
    help="Hold a component against the C or C++ files that implement it, in place of checking claims; may be repeated.",
)
@click.option("--class", "of_class", metavar="C", help="With --against: the class that implements it.")
@click.option(
    "--map",
    "meanings",
    multiple=True,
    metavar="NAME=TEXT",
    help="With --against: which function a pin is, or which C expression a state or a variable is; may be repeated."
    ' Annotations for "code" and the project file say the same.',
)
@click.option("--design", metavar="NAME", help="Without FILE: a design of the project file. Default: all that it has.")
@click.option("--system", metavar="S", help="With code: a system of the project file.")
@click.option(
    "--project",
    metavar="FILE",
    type=click.Path(),
    help="With code: the project file. Default: the nearest stateglass.toml.",
)
@color_option
@click.pass_obj
def command(
    frame: Frame,
    file: str | None,
    of: tuple[str, ...],
    claims: tuple[str, ...],
    room: int | None,
    bounds: tuple[str, ...],
    engine: str,
    scheduler: str,
    max_states: int | None,
    timeout: float | None,
    emitted: str | None,
    drawn: str | None,
    written: str | None,
    outputs: tuple[str, ...],
    format: str,
    against: tuple[str, ...],
    of_class: str | None,
    meanings: tuple[str, ...],
    design: str | None,
    system: str | None,
    project: str | None,
) -> Exit:
    """Say whether the claims hold that the component design in FILE makes, and whether it can deadlock.

    FILE is CCL: components with pins and statecharts, and assemblies of them. Each claim that is annotated is checked,
    of an assembly also those of its components. Answers are in the words of the design.
    Without FILE, the designs of the project file are held against the code that implements them.
    """
    how = HowChecked(of, claims, _bounds(bounds), room, engine, max_states, timeout, scheduler == "fixed-priority")
    code = {"--class": of_class, "--map": meanings, "--design": design, "--system": system, "--project": project}
    if file is not None and design is not None:
        raise input_error(Code.USAGE, "--design and a FILE are given", help="leave out one of them")
    if against or file is None:
        others = {
            "--claim": claims,
            "--emit-cfa": emitted,
            "--draw": drawn,
            "--write-back": written,
            "--queue": room,
            "--engine": engine != ENGINES[0],
            "--scheduler": scheduler != "any",
        }
        _refuse(others, beside="--against" if file is not None else "")
        from stateglass.cli.implemented import GivenCode

        given = GivenCode(against, of_class, meanings, design, system, project)
        return _hold(file, how, given, outputs, CheckFormat(format), frame)
    for option, value in code.items():
        if value:
            raise input_error(Code.USAGE, f"{option} is about code", help="name the code with --against")
    return assembly(
        file, AssemblyOptions(how, emitted, written, drawn, outputs, CheckFormat(format)), frame.out, frame.err
    )


def _hold(
    file: str | None,
    how: HowChecked,
    code: GivenCode,
    outputs: tuple[str, ...],
    format: CheckFormat,
    frame: Frame,
) -> Exit:
    # Claims are checked without what this needs.
    from stateglass.cli.agreeing import AgreementOptions, hold

    if format not in (CheckFormat.JSON, CheckFormat.TEXT):
        message = f"what is held against code is not told as {format.value}"
        raise input_error(Code.USAGE, message, help="choose text or json")
    return hold(file, how, code, AgreementOptions(outputs, format is CheckFormat.JSON), frame.out, frame.err)


def _refuse(others: Mapping[str, object], *, beside: str) -> None:
    """Options that say nothing beside another one, or without a FILE."""
    given = [name for name, value in others.items() if value]
    if given and beside:
        raise input_error(Code.USAGE, f"{beside} and {given[0]} are given", help="ask one after the other")
    if given:
        raise input_error(Code.USAGE, f"{given[0]} is given, and no design", help="name the .ccl file")


def _bounds(texts: Sequence[str]) -> dict[str, str]:
    found = {}
    for text in texts:
        name, equals, spec = text.partition("=")
        if not equals or not name.strip() or not spec.strip():
            raise input_error(Code.USAGE, f"`{text}` is no bound", help="write `--bound p.close.force=0..3`")
        found[name.strip()] = spec.strip()
    return found
