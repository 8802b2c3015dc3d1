"""`stateglass compare`: whether two models are related, and if not, why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import click

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit
from stateglass.cli.frame import (
    Frame,
    OutputFormat,
    Verb,
    common_options,
    sizes,
    split_names,
    write_json,
)
from stateglass.cli.outputs import input_name
from stateglass.cli.progress import ProgressLine
from stateglass.cli.telling import wrapped
from stateglass.formats import STDIO, read_model
from stateglass.logic import Formula, fitting, in_english, in_mcrl2, size
from stateglass.model import Model, Relation
from stateglass.operations.comparing import (
    MOST_CASES,
    NAMES_OF_RELATIONS,
    SECONDS_TO_EXPLAIN,
    Comparison,
    Side,
    Traces,
    compare_models,
)
from stateglass.reports import CompareReport
from stateglass.source import Code, input_error, printable

# What is said of related and of unrelated models; {0} and {1} are their names.
_SENTENCES = {
    "strong": ("{0} and {1} are strongly bisimilar", "{0} and {1} are not strongly bisimilar"),
    "branching": ("{0} and {1} are branching bisimilar", "{0} and {1} are not branching bisimilar"),
    "dpbranching": (
        "{0} and {1} are branching bisimilar, endless silence included",
        "{0} and {1} are not branching bisimilar, endless silence included",
    ),
    "weak": ("{0} and {1} are weakly bisimilar", "{0} and {1} are not weakly bisimilar"),
    "dpweak": (
        "{0} and {1} are weakly bisimilar, endless silence included",
        "{0} and {1} are not weakly bisimilar, endless silence included",
    ),
    "trace": ("{0} and {1} have the same traces", "{0} and {1} do not have the same traces"),
    "weaktrace": ("{0} and {1} have the same weak traces", "{0} and {1} do not have the same weak traces"),
    "simulation": ("{1} simulates {0}", "{1} does not simulate {0}"),
    "weaksimulation": ("{1} weakly simulates {0}", "{1} does not weakly simulate {0}"),
    "traceinclusion": ("every trace of {0} is one of {1}", "not every trace of {0} is one of {1}"),
    "weaktraceinclusion": ("every weak trace of {0} is one of {1}", "not every weak trace of {0} is one of {1}"),
    "failures": ("{0} refines {1} in stable failures", "{0} does not refine {1} in stable failures"),
}
assert set(_SENTENCES) == set(NAMES_OF_RELATIONS)
_ONE_WAY = frozenset({"simulation", "weaksimulation", "traceinclusion", "weaktraceinclusion", "failures"})
_NO_RELATIONS = frozenset({"peephole"})
# Lines for each of trace, formula and words, so that together they fit on a screen.
_MOST_LINES = 6
# A step of a path with the dot after it (arguments and quoted labels as they are), or what else has no space in it.
_PIECE = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[A-Za-z_0-9\']+\([^()]*\)|[^ ."])+?(?:[. ]+|$|(?=[<\[]))')


@final
@dataclass(frozen=True, slots=True)
class CompareOptions:
    """The options of `compare`."""

    by: str
    keep: tuple[str, ...] = ()
    format: OutputFormat = OutputFormat.TEXT
    from_format: str | None = None
    most_cases: int = MOST_CASES
    seconds_to_explain: float = SECONDS_TO_EXPLAIN


def run_compare(paths: tuple[str, str], options: CompareOptions, out: Console, err: Console) -> Exit:
    if paths == (STDIO, STDIO):
        raise input_error(Code.USAGE, "standard input can be only one of the two models")
    names = _names(paths)
    with ProgressLine(err) as progress:
        progress("reading")
        a, b = (read_model(path, options.from_format) for path in paths)
        found = compare_models(
            a, b, options.by, options.keep, names, options.most_cases, progress, options.seconds_to_explain
        )
    if options.format is OutputFormat.JSON:
        write_json(out, "compare", _report(found, (a, b), paths, options))
    else:
        for line in _text(found, names, options, out):
            out.line(line)
    for note in _notes(found, (a, b), names, options):
        err.paragraph(f"{err.styled('note', Style.NOTE)}: {note}", "  ")
    if found.interrupted:
        err.paragraph(
            err.styled("interrupted", Style.WARNING) + ": the answer stands, the search for reasons was cut short", "  "
        )
        return Exit.INTERRUPTED
    if found.related is None:
        return Exit.INCONCLUSIVE
    return Exit.OK if found.related else Exit.FINDINGS


def _notes(
    found: Comparison, models: tuple[Model, Model], names: tuple[str, str], options: CompareOptions
) -> Iterator[str]:
    """What the answer says of the code. That a model is partial is part of the answer already."""
    answer = "that they are related" if found.related else "a difference"
    for position, (model, name) in enumerate(zip(models, names, strict=True)):
        relation = model.origin.relation
        if relation is Relation.OVER:
            what = f"{name} is an over-approximation, which can do more than its code may be able to"
            if found.related and options.by in _ONE_WAY and position == 0 and options.by != "failures":
                yield f"{what}; what it never does, the code never does, so that this holds of its code too"
            else:
                yield f"{what}: {answer} is a statement about the models, and need not be true of the code"
        elif relation is Relation.UNDER and not model.partial:
            yield f"{name} is an under-approximation: {answer} is a statement about the models"


def _names(paths: tuple[str, str]) -> tuple[str, str]:
    one, other = map(input_name, paths)
    return (one, other) if one != other else (f"{one} (first)", f"{other} (second)")


def _report(
    found: Comparison, models: tuple[Model, Model], paths: tuple[str, str], options: CompareOptions
) -> CompareReport:
    trace, claim = found.trace, found.claim
    return {
        "equivalent": found.related,
        "by": options.by,
        "keep": list(options.keep),
        "reason": found.reason or None,
        "models": [{"path": path, **sizes(model)} for path, model in zip(paths, models, strict=True)],
        "traces": found.traces.value if found.related is False else None,
        "trace": None if trace is None else list(trace.labels),
        "trace_of": None if trace is None else trace.of.name.lower(),
        "trace_ending": None if trace is None else trace.ending or None,
        "refused": None if trace is None or trace.refused is None else list(trace.refused),
        "formula": None if claim is None else in_mcrl2(claim.formula),
        "formula_true_of": None if claim is None else claim.true_of.name.lower(),
        "formula_in_words": None if claim is None else in_english(claim.formula),
        "without_formula": found.without_claim or None,
    }


def _text(found: Comparison, names: tuple[str, str], options: CompareOptions, out: Console) -> list[str]:
    related, unrelated = (sentence.format(*names) for sentence in _SENTENCES[options.by])
    if found.related is None:
        first, *rest = wrapped(f"inconclusive: {found.reason}", out.width)
        return [first.replace("inconclusive", out.styled("inconclusive", Style.WARNING), 1), *rest]
    if found.related:
        return wrapped(related, out.width)
    return [
        *wrapped(unrelated, out.width),
        *_trace_text(found, names, options, out),
        *_claim_text(found, names, out),
    ]


def _trace_text(found: Comparison, names: tuple[str, str], options: CompareOptions, out: Console) -> list[str]:
    one_way = options.by in _ONE_WAY
    trace = found.trace
    if trace is None:
        if found.traces is not Traces.SAME:
            return wrapped("whether a trace tells them apart was not found out", out.width)
        word = "trace" if options.by in ("strong", "simulation") else "weak trace"
        text = f"every {word} of {names[0]} is one of {names[1]}" if one_way else f"they have the same {word}s"
        return wrapped(text + ": the difference is in the choices on the way", out.width)
    doing = _doing(trace.labels, out)
    name = names[trace.of.value]
    if trace.refused is not None:
        after = f"after {doing}" if doing else "at the start"
        refused = " and ".join(f"`{label}`" for label in trace.refused)
        text = f"{after}, only {name} can come to rest" + (f" and refuse {refused}" if refused else "")
    elif trace.ending:
        text = f"only {name} can " + (f"do {doing} and then be where" if doing else "begin where") + f" {trace.ending}"
    else:
        text = f"only {name} can do {doing}"
    return wrapped(text, out.width)


def _doing(labels: tuple[str, ...], out: Console) -> str:
    """The labels, or as many of the first as fit."""
    shown = [f"`{label}`" for label in labels]
    count = len(shown)
    while count > 1 and len(wrapped(", ".join(shown[:count]), out.width)) >= _MOST_LINES:
        count = min(count - 1, count * 9 // 10)
    return ", ".join(shown[:count]) + (f", and {len(shown) - count:,} more" if count < len(shown) else "")


def _claim_text(found: Comparison, names: tuple[str, str], out: Console) -> list[str]:
    claim = found.claim
    if claim is None:
        return wrapped(f"there is no formula to show: {found.without_claim}", out.width)
    one, other = names if claim.true_of is Side.FIRST else (names[1], names[0])

    def formula_lines(formula: Formula) -> list[str]:
        return folded(in_mcrl2(formula), out.width)

    def word_lines(formula: Formula) -> list[str]:
        return wrapped(f"in words: of {one} it is true, and of {other} not, that {in_english(formula)}.", out.width)

    formula = fitting(claim.formula, lambda part: len(formula_lines(part)) <= _MOST_LINES)
    words = fitting(claim.formula, lambda part: len(word_lines(part)) <= _MOST_LINES)
    head = f"true of {one}, false of {other}"
    if formula is not claim.formula:
        head += f" (the beginning; `--format json` has all {size(claim.formula):,} operators)"
    return [*wrapped(head + ":", out.width), *formula_lines(formula), *word_lines(words)]


def folded(formula: str, width: int) -> list[str]:
    """The formula in lines, broken between the steps of a path or at spaces, and never within a label."""
    lines = [" " * 4]
    for piece in _PIECE.findall(printable(formula)):
        if len(lines[-1]) + len(piece.rstrip()) > width and lines[-1].strip():
            lines.append(" " * 6)
        lines[-1] += piece
    return [line.rstrip() for line in lines]


@final
class _RelationName(click.Choice[str]):
    """The name of a relation, or of what people take for one, which is answered with a word about it."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return value if value in _NO_RELATIONS else super().convert(value, param, ctx)


@click.command(
    cls=Verb,
    examples=[
        "stateglass compare old.sg new.sg --by branching",
        "stateglass compare implementation.aut specification.aut --by failures",
        "stateglass compare a.sg b.sg --by strong --keep mode --format json",
    ],
    exits={
        Exit.OK: "related",
        Exit.FINDINGS: "not related",
        Exit.INCONCLUSIVE: "a model is partial, or the search too large",
    },
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--by",
    required=True,
    type=_RelationName(NAMES_OF_RELATIONS),
    metavar="RELATION",
    help="The relation: one of those above.",
)
@click.option("--keep", multiple=True, metavar="P,…", help="Propositions that count, too; both models must have them.")
@click.option(
    "--max-cases",
    type=click.IntRange(min=1),
    default=MOST_CASES,
    metavar="N",
    help=f"Leave the question open when a search comes to more than N cases. Default: {MOST_CASES:,}.",
)
@click.option(
    "--explain",
    "seconds",
    type=click.FloatRange(min=0),
    default=SECONDS_TO_EXPLAIN,
    metavar="SECONDS",
    help="How long to look for the reasons of a difference when it is known that there is one. "
    f"Default: {SECONDS_TO_EXPLAIN:g}.",
)
@click.option("--from", "from_format", metavar="FORMAT", help="The format of both models, if their names do not tell.")
@common_options
@click.pass_obj
def command(
    frame: Frame,
    first: str,
    second: str,
    by: str,
    keep: tuple[str, ...],
    max_cases: int,
    seconds: float,
    from_format: str | None,
) -> Exit:
    """Say whether the models A and B are related, and if not, why.

    Equivalent: strong, branching, dpbranching, weak, dpweak (bisimulations), trace, weaktrace. One-way, where A does no
    more than B could: simulation, weaksimulation, traceinclusion, weaktraceinclusion, failures. weak… and …branching
    look past silent steps, dp… sees endless silence.

    A difference comes with a shortest trace (of very large models, with a short one), if traces differ, and with a
    formula that is true of one model and false of the other.
    """
    options = CompareOptions(by, split_names(keep), frame.format, from_format, max_cases, seconds)
    return run_compare((first, second), options, frame.out, frame.err)
