"""`stateglass check`: do claims hold, and what goes wrong if they do not?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import final

import click

from stateglass.answers.checking import Checked, Checking, check_claims, refuse_unknown_words
from stateglass.answers.confirming import lines_run
from stateglass.cli.answered import EXITS, CheckFormat, answers_format_option, answers_output_option, print_answers
from stateglass.cli.asking import (
    claims_asked,
    claims_options,
    is_model,
    misspelt_names,
    refuse_options_of_extraction,
)
from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit, gravest
from stateglass.cli.frame import Frame, Verb, color_option, document, from_option, sizes
from stateglass.cli.progress import ProgressLine
from stateglass.cli.subject import checked_options, files_in
from stateglass.cli.telling import say_diagnostics, say_granted, say_partial, size_in_words
from stateglass.evidence import Verdict
from stateglass.formats import read_model
from stateglass.formats.targets import check_different
from stateglass.logic.sentences import sentence
from stateglass.model import Relation
from stateglass.options import ExtractOptions
from stateglass.options.recorded import recorded
from stateglass.reports import CheckReport
from stateglass.source import Diagnostic, InputError, counted
from stateglass.views.claims.cards import Card
from stateglass.views.claims.facts import verdict_facts
from stateglass.views.claims.page import claims_chapter, sources_shown
from stateglass.views.claims.writing import check_outputs, write_claims
from stateglass.views.page import sources_of
from stateglass.views.summary import relation_text


@final
@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The options of `check` beside those that say what is extracted."""

    claims: tuple[str, ...] = ()
    claims_file: str | None = None
    later: int = 0
    outputs: tuple[str, ...] = ()
    format: CheckFormat = CheckFormat.TEXT
    from_format: str | None = None


@final
@dataclass(frozen=True, slots=True)
class _Answered:
    """What came out: the answers, what a replay needs, and what is worth saying."""

    checking: Checking
    settings: ExtractOptions | None = None  # of code
    warnings: tuple[Diagnostic, ...] = ()
    notes: tuple[str, ...] = ()


def check(cli: dict[str, object], system: str | None, project: str | None, options: CheckOptions, frame: Frame) -> Exit:
    out, err = frame.out, frame.err
    names = files_in(cli)
    try:
        with ProgressLine(err) as progress:
            if is_model(names, options.from_format):
                answered = _on_model(names[0], cli, project, options, progress)
            else:
                answered = _on_code(cli, system, project, options, progress)
    except InputError as error:
        problems = (*error.diagnostics, *misspelt_names(error, options.claims, cli, project))
        raise InputError(dict.fromkeys(problems)) from None
    if answered is None:
        err.paragraph("nothing to check: no claim is given; add --claim, or list claims in the project file", "  ")
        print_answers([], {"verdicts": [], "outputs": []}, options.format, out)
        return Exit.NOTHING_TO_CHECK
    say_diagnostics(err, answered.warnings)
    checking = answered.checking
    cards = [_card(checked, answered.settings) for checked in checking.checked]
    report: CheckReport = {"verdicts": [verdict_facts(card) for card in cards]}
    if not checking.is_open:
        report["model"] = sizes(checking.model)
    frame.keep(lambda name: claims_chapter(cards, sources_of(sources_shown(cards)), name))
    for output in options.outputs:
        problem = write_claims(
            cards, document("check", report), output, f"Claims on {checking.model.origin.subject or names[0]}"
        )
        if problem:
            err.paragraph(f"{err.styled('note', Style.NOTE)}: {problem}", "  ")
    report["outputs"] = list(options.outputs)
    print_answers(cards, report, options.format, out)
    _conclude(checking, cards, answered.notes, err)
    if checking.interrupted:
        # Of the claim that an engine was at, it is told how far it came.
        count = len(cards) - checking.unfinished
        err.line(err.styled("interrupted", Style.WARNING) + f": {counted(count, 'claim')} answered")
        return Exit.INTERRUPTED
    return gravest(EXITS[card.answer.verdict] for card in cards)


@contextmanager
def _all_at_once(problems: Sequence[Diagnostic]) -> Iterator[None]:
    """Tells problems that are known together with those that come up."""
    try:
        yield
    except InputError as error:
        raise InputError((*problems, *error.diagnostics)) from None
    if problems:
        raise InputError(problems)


def _early_problems(claims: Sequence[Diagnostic], outputs: Sequence[str]) -> list[Diagnostic]:
    """What can be found wrong before the work begins."""
    found = list(claims)
    for look in (check_different, check_outputs):
        try:
            look(outputs)
        except InputError as error:
            found += error.diagnostics
    return found


def _on_model(
    path: str, cli: dict[str, object], project: str | None, options: CheckOptions, progress: ProgressLine
) -> _Answered | None:
    refuse_options_of_extraction(path, cli)
    claims, unread = claims_asked(options.claims, options.claims_file, cli, project, default=False)
    problems = _early_problems(unread, options.outputs)
    if not claims and not problems:
        return None
    progress("reading")
    with _all_at_once(problems):
        model = read_model(path, options.from_format)
        if problems:
            refuse_unknown_words(claims, model)
    return _Answered(check_claims(model, claims, later=options.later, progress=progress))


def _on_code(
    cli: dict[str, object], system: str | None, project: str | None, options: CheckOptions, progress: ProgressLine
) -> _Answered | None:
    # Imported on use: a model is checked without what reads code.
    from stateglass.options.settings import settings
    from stateglass.pipeline import check_program

    chosen, warnings = settings(cli, system, project)
    claims, unread = claims_asked(options.claims, options.claims_file, cli, project, default=True)
    problems = _early_problems(unread, options.outputs)
    with _all_at_once(problems):
        if problems:
            # Which names there are is known from the first state on.
            check_program(replace(chosen, max_states=1), claims, progress=progress)
    found = check_program(chosen, claims, options.later, progress)
    return _Answered(found.checking, chosen, (*warnings, *found.warnings), found.notes)


def _card(checked: Checked, settings: ExtractOptions | None) -> Card:
    claim = checked.claim
    subject = {} if settings is None else recorded(settings, checked.watch)
    asked = checked.asked or checked.model
    lines = partial(lines_run, checked.answer, checked.model, checked.code)
    return Card(
        claim.title,
        claim.text,
        sentence(claim),
        checked.answer,
        checked.model,
        asked,
        subject,
        lines_run=lines,
    )


# ---- output


def _conclude(checking: Checking, cards: list[Card], notes: tuple[str, ...], err: Console) -> None:
    """Says on standard error what was looked at, and what the answers take for granted."""
    model = checking.model
    verdicts = [card.answer.verdict for card in cards]
    counts = [f"{verdict.value} {verdicts.count(verdict)}" for verdict in Verdict if verdict in verdicts]
    subject = f"{model.origin.subject}: " if model.origin.subject else ""
    # Claims that see other variables have a model of their own.
    several = f"{checking.models} models of up to " if checking.models > 1 else ""
    answers = ", ".join(counts) or "no answer"
    looked_at = "for all values of inputs without bounds" if checking.is_open else f"on {several}{size_in_words(model)}"
    err.paragraph(f"{subject}{counted(len(cards), 'claim')} {looked_at}: {answers}", "  ")
    if model.origin.relation is Relation.OVER:
        err.paragraph(relation_text(model), "  ")
    say_granted(err, model.origin.assumptions)
    for note in notes:
        err.paragraph(f"{err.styled('note', Style.WARNING)}: {note}", "  ")
    partial = dict.fromkeys(reason for asked in (model, *(c.origin for c in cards)) for reason in asked.origin.partial)
    say_partial(err, tuple(partial))


@click.command(
    cls=Verb,
    examples=[
        "stateglass check log.c --function put --bound put.v=0..1",
        "stateglass check lock.c --claim 'G(call(open) => F [locked == 0])'",
        "stateglass check motor.sg --claim 'ctl: AG EF [speed == 0]' -o path.svg",
        "stateglass check --claims motor.claims --format junit > report.xml",
        "stateglass check lock.c --claim no-deadlock --next",
        "stateglass check retry.c --engine spacer --timeout 60",
    ],
    exits={
        Exit.OK: "all claims hold",
        Exit.FINDINGS: "one is violated or vacuous",
        Exit.INCONCLUSIVE: "one is not decided",
        Exit.NOTHING_TO_CHECK: "no claim",
    },
)
@checked_options
@claims_options
@click.option(
    "--next",
    "later",
    type=click.IntRange(min=0),
    is_flag=False,
    flag_value=1,
    default=0,
    metavar="[N]",
    help="Show another run: the Nth (default: 1st) after the first that avoids the states of those before it.",
)
@answers_output_option
@from_option
@answers_format_option
@color_option
@click.pass_obj
def command(
    frame: Frame,
    subject: dict[str, object],
    system: str | None,
    project: str | None,
    claims: tuple[str, ...],
    claims_file: str | None,
    later: int,
    outputs: tuple[str, ...],
    from_format: str | None,
    format: str,
) -> Exit:
    """Say whether claims hold of the code in FILES, or of a model, and if not, show a run.

    FILES are C or C++ files, with options as `extract` has them, or one model. A claim is a formula (LTL or CTL, `mu:`
    in front of one of the mu-calculus), a sentence such as "`close` follows `open`", or no-error, no-deadlock,
    no-livelock, no-unreachable. Without a claim, those of the project file are checked, else no-error of code.

    Every run that is shown has been executed again step by step. Of C, runs that violate something are also done by the
    compiled code, if there is a compiler.
    """
    options = CheckOptions(claims, claims_file, later, outputs, CheckFormat(format), from_format)
    return check(subject, system, project, options, frame)
