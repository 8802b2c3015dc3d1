"""`stateglass diff`: what became of a behaviour between two versions."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from enum import Enum, unique
from typing import Final, final

import click

from stateglass.answers.checking import Checked
from stateglass.cli.asking import claims_asked, claims_options
from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit, gravest
from stateglass.cli.frame import Frame, Verb, color_option, sizes, split_names, write_json
from stateglass.cli.progress import ProgressLine
from stateglass.cli.sides import Answers, Asked, Given, Source, answers, given, read_sides, renamed_claims
from stateglass.cli.subject import both_sides_options
from stateglass.cli.telling import say_diagnostics, say_granted, say_partial, size_in_words
from stateglass.evidence import ChangeGraph, Difference, Verdict, Version
from stateglass.formats.targets import check_different, check_folder, extension, is_stdout
from stateglass.logic.claims import Claim
from stateglass.logic.sentences import sentence
from stateglass.model import Relation
from stateglass.operations.comparing import NAMES_OF_RELATIONS
from stateglass.operations.differing import DEFAULT_RELATION, differ, graph_of
from stateglass.operations.expecting import ChangedClaim as ExpectedClaim
from stateglass.operations.expecting import Expectation, expectations_in
from stateglass.options.recorded import recorded
from stateglass.source import Code, InputError, input_error, suggestion
from stateglass.views.claims.cards import Card
from stateglass.views.differences.facts import difference_facts
from stateglass.views.differences.markdown import markdown
from stateglass.views.differences.text import difference_lines
from stateglass.views.differences.words import ChangedClaim, Shown, notes, verdict_word
from stateglass.views.differences.writing import OUTPUTS, write_difference

_STYLES: Final = {
    Verdict.HOLDS: Style.BOLD,
    Verdict.VIOLATED: Style.ERROR,
    Verdict.INCONCLUSIVE: Style.WARNING,
    Verdict.VACUOUS: Style.WARNING,
}
assert set(_STYLES) == set(Verdict)


@final
@unique
class DiffFormat(Enum):
    """The `--format` option of this command."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


@final
@dataclass(frozen=True, slots=True)
class DiffOptions:
    """The options of `diff` beside those that say what is extracted."""

    by: str = DEFAULT_RELATION
    keep: tuple[str, ...] | None = None
    expect: str | None = None
    claims: tuple[str, ...] = ()
    claims_file: str | None = None
    outputs: tuple[str, ...] = ()
    format: DiffFormat = DiffFormat.TEXT
    force: bool = False


def diff(texts: tuple[str, str], asked: Asked, options: DiffOptions, out: Console, err: Console) -> Exit:
    _check_outputs(options)
    expectations = () if options.expect is None else expectations_in(options.expect)
    with ExitStack() as open_until:
        with ProgressLine(err) as progress:
            sides = given(texts, asked.from_format)
            sources = read_sides(sides, asked, expectations, open_until, progress)
            claims = _claims(sides, sources, asked, options)
            names = (sources[0].name, sources[1].name)
            models = [source.model for source in sources]
            found = differ(models[0], models[1], options.by, options.keep, expectations, names, progress)
            found, pairs, interrupted = _with_claims(found, claims, sources, expectations, progress)
        shown = Shown(names, found, pairs)

        def place(version: Version) -> AbstractContextManager[None]:
            return sources[0 if version is Version.OLD else 1].entered()

        def graph() -> ChangeGraph:
            return graph_of(models[0], models[1], options.keep, expectations)

        for source in sources:
            say_diagnostics(err, source.warnings)
        facts = difference_facts(
            shown,
            [{"name": source.name, **sizes(source.model)} for source in sources],
            options.outputs,
        )
        for output in options.outputs:
            write_difference(shown, graph, facts, output, place, force=options.force)
        match options.format:
            case DiffFormat.JSON:
                write_json(out, "diff", facts)
            case DiffFormat.MARKDOWN:
                out.write(markdown(shown, place))
            case DiffFormat.TEXT:
                for line in difference_lines(
                    shown, out.width, lambda text, verdict: out.styled(text, _STYLES[verdict]), place
                ):
                    out.line(line)
        _conclude(shown, sources, err)
    if found.interrupted or interrupted:
        err.line(err.styled("interrupted", Style.WARNING) + ": what is said stands, more was to come")
        return Exit.INTERRUPTED
    return gravest(_exits(shown))


def _check_outputs(options: DiffOptions) -> None:
    """What cannot be written is told before the work, not after it."""
    check_different(options.outputs)
    for output in options.outputs:
        if is_stdout(output):
            help = "--format json and --format markdown print them"
            raise input_error(Code.USAGE, "pictures and pages are written to files", help=help)
        if extension(output) not in OUTPUTS:
            help = suggestion(extension(output), OUTPUTS)
            raise input_error(Code.USAGE, f"`{output}`: a difference is written as {', '.join(OUTPUTS)}", help=help)
        check_folder(output)


def _claims(
    sides: tuple[Given, Given], sources: tuple[Source, Source], asked: Asked, options: DiffOptions
) -> list[Claim]:
    """The claims that are asked about: those of the new side's project; of code, that there is no error."""
    new = 1 if sources[1].options is not None else 0
    code = any(source.options is not None for source in sources)
    files = tuple(sides[new].files) or tuple(f for f in (sides[new].folder,) if f is not None)
    with sources[new].entered():
        claims, unread = claims_asked(
            options.claims, options.claims_file, {"files": files}, asked.project, default=code
        )
    if unread:
        raise InputError(unread)
    return claims


def _with_claims(
    found: Difference,
    claims: Sequence[Claim],
    sources: tuple[Source, Source],
    expectations: Sequence[Expectation],
    progress: ProgressLine,
) -> tuple[Difference, tuple[ChangedClaim, ...], bool]:
    """Verdicts before and after, and what was declared of them."""
    sets = [renamed_claims(claims, expectations, old=old) for old in (True, False)]
    told = [answers(source, own, progress) for source, own in zip(sources, sets, strict=True)]
    nowhere = [title for title in told[0].refused if title in told[1].refused]
    if nowhere:
        raise input_error(Code.CLAIM, f"the claim `{nowhere[0]}` is about neither side: {told[1].refused[nowhere[0]]}")
    declared = {e.claim: e.verdict for e in expectations if isinstance(e, ExpectedClaim)}
    pairs = tuple(_pair(own, told, sources, declared) for own in sets[1])
    met = tuple(
        replace(met, unmet=_claim_unmet(e, pairs)) if isinstance(e, ExpectedClaim) else met
        for e, met in zip(expectations, found.expectations, strict=True)
    )
    return replace(found, expectations=met), pairs, any(answer.interrupted for answer in told)


def _pair(
    claim: Claim, told: Sequence[Answers], sources: tuple[Source, Source], declared: dict[str, Verdict]
) -> ChangedClaim:
    cards = [_card(t.checked.get(claim.title), source) for t, source in zip(told, sources, strict=True)]
    reasons = [t.refused.get(claim.title, "") for t in told]
    why = next((f"not asked of the {w} side: {r}" for w, r in zip(("old", "new"), reasons, strict=True) if r), "")
    after = cards[1]
    expected = after is not None and declared.get(claim.title) is after.answer.verdict
    return ChangedClaim(claim.title, claim.text, cards[0], cards[1], why, expected)


def _card(checked: Checked | None, source: Source) -> Card | None:
    if checked is None:
        return None
    claim = checked.claim
    # A replay compiles working files, and a revision is none.
    own = source.options if source.checkout is None else None
    subject = {} if own is None else recorded(own, checked.watch)
    return Card(
        claim.title, claim.text, sentence(claim), checked.answer, checked.model, checked.asked or checked.model, subject
    )


def _claim_unmet(expected: ExpectedClaim, pairs: Sequence[ChangedClaim]) -> str:
    pair = next((pair for pair in pairs if expected.claim in (pair.title, pair.text)), None)
    if pair is None:
        hint = suggestion(expected.claim, [pair.title for pair in pairs])
        return f"there is no claim `{expected.claim}`" + (f"; {hint}" if hint else "")
    before, after = verdict_word(pair.before), verdict_word(pair.after)
    if after == expected.verdict.value:
        return f"it was {after} before, too" if before == after else ""
    return f"it is {after}"


def _exits(shown: Shown) -> list[Exit]:
    """Everything that decides about the status; declared changes do not."""
    found = shown.difference
    exits = [{True: Exit.OK, False: Exit.FINDINGS, None: Exit.INCONCLUSIVE}[found.equivalent]]
    exits += [Exit.FINDINGS for pair in shown.asked if pair.changed and not pair.expected]
    exits += [Exit.INCONCLUSIVE for pair in shown.asked if pair.lost]
    exits += [Exit.FINDINGS] * shown.unmet
    return exits


def _conclude(shown: Shown, sources: tuple[Source, Source], err: Console) -> None:
    """Says on standard error what was compared, and what the answer takes for granted."""
    for source in sources:
        err.paragraph(f"{source.name}: {size_in_words(source.model)}", "  ")
    for note in notes(shown):
        err.paragraph(f"{err.styled('note', Style.NOTE)}: {note}", "  ")
    for source in sources:
        if source.model.origin.relation is Relation.OVER:
            what = f"{source.name} is an over-approximation, which can do more than its code may be able to"
            err.paragraph(f"{err.styled('note', Style.NOTE)}: {what}: the answer is one about the models", "  ")
        say_partial(err, source.model.origin.partial)
    assumptions = dict.fromkeys(a for source in sources for a in source.model.origin.assumptions)
    say_granted(err, list(assumptions))


@click.command(
    cls=Verb,
    examples=[
        "stateglass diff old.c new.c --function step --bound step.x=0..3",
        "stateglass diff HEAD~1:src/lock.c src/lock.c --function open",
        "stateglass diff --system door HEAD~1 . -o change.html",
        "stateglass diff main HEAD --format markdown > comment.md",
        "stateglass diff old.sg new.sg --expect change.expect",
    ],
    exits={
        Exit.OK: "no behaviour change, but for what was declared",
        Exit.FINDINGS: "behaviour or a verdict changed, or a declared change did not come",
        Exit.INCONCLUSIVE: "a model is partial, or the search too large",
    },
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@both_sides_options
@click.option(
    "--by",
    default=DEFAULT_RELATION,
    type=click.Choice(NAMES_OF_RELATIONS),
    metavar="RELATION",
    help=f"What counts as the same, as `compare` has it. Default: {DEFAULT_RELATION}.",
)
@click.option(
    "--keep",
    multiple=True,
    metavar="P,…",
    help="Variables whose values between calls count. Default: all that both sides have.",
)
@click.option("--actions-only", is_flag=True, help="No values count, only what is called and what comes back.")
@click.option("--expect", metavar="FILE", type=click.Path(), help="Declared changes: only what goes beyond is told.")
@claims_options
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="OUT",
    help="Write a picture (.svg .png), a page (.html), a comment (.md) or the facts (.json); may be repeated.",
)
@click.option("--force", is_flag=True, help="Draw a picture even if it is too large to be readable.")
@click.option("--from", "from_format", metavar="FORMAT", help="The format of both models, if their names do not tell.")
@click.option(
    "--format",
    type=click.Choice([format.value for format in DiffFormat]),
    default=DiffFormat.TEXT.value,
    help="What standard output is: text (the default), json or markdown.",
)
@color_option
@click.pass_obj
def command(
    frame: Frame,
    old: str,
    new: str,
    subject: dict[str, object],
    system: str | None,
    project: str | None,
    by: str,
    keep: tuple[str, ...],
    actions_only: bool,
    expect: str | None,
    claims: tuple[str, ...],
    claims_file: str | None,
    outputs: tuple[str, ...],
    force: bool,
    from_format: str | None,
    format: str,
) -> Exit:
    """Say what became of a behaviour between OLD and NEW: what appeared, vanished or has another outcome.

    Each is a model, a C or C++ file (several: a.c,b.c), a file at a revision of git (HEAD~1:lock.c), a folder with a
    project file, or a revision alone: the same files, or the same project, as they were. Both sides are extracted with
    the same options, those of `extract`.

    What counts are actions, and the values between calls of variables that both sides have: code that does the same
    in another way is no change. Every claim of the project, or given here, is answered for both sides.
    """
    if keep and actions_only:
        raise input_error(Code.USAGE, "--keep says which values count, and --actions-only that none do")
    kept = () if actions_only else split_names(keep) or None
    options = DiffOptions(by, kept, expect, claims, claims_file, outputs, DiffFormat(format), force)
    return diff((old, new), Asked(subject, system, project, from_format), options, frame.out, frame.err)
