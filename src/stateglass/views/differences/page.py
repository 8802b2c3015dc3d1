"""A difference as a chapter of an HTML page: the answer, the picture beside changed lines, verdicts, the evidence."""

from __future__ import annotations

from collections.abc import Sequence

from stateglass.evidence import ChangeGraph, Version
from stateglass.source import as_sentence
from stateglass.views.differences.drawing import IN_THE_DARK as CHANGES_IN_THE_DARK
from stateglass.views.differences.drawing import svg
from stateglass.views.differences.evidence import evidence, telling_title
from stateglass.views.differences.lines import changed_lines, source_changes
from stateglass.views.differences.text import Places, everywhere
from stateglass.views.differences.words import (
    HEADINGS,
    ChangedClaim,
    Shown,
    distinction_text,
    headline,
    notes,
    remark,
    verdict_word,
)
from stateglass.views.page import IN_THE_DARK, Chapter, page, picture_pane, sources_of
from stateglass.views.report_parts import Places as Names
from stateglass.views.report_parts import escaped, inline, items, section

_LEGEND = "Green is new, red and dashed is gone, grey was kept. States are those between calls, arrows are calls."
_WIDTH = 100


def difference_chapter(
    shown: Shown,
    graph: ChangeGraph,
    files: tuple[Sequence[str], Sequence[str]] = ((), ()),
    places: Places = everywhere,
    name: str = "",
    *,
    force: bool = False,
) -> Chapter:
    """`files` are those of both sides, `places` says where; of a picture that is too large there is only a word."""
    names = Names((), name)
    parts = [_answer(shown), '<div class="panes">', picture_pane(lambda: svg(graph, force=force), _LEGEND, names)]
    links = [("picture", "Picture")]
    sources = []
    for version, of_side in zip(Version, files, strict=True):
        with places(version):
            sources.append(sources_of(of_side))
    changed = list(changed_lines(*sources))
    if changed:
        parts.append(source_changes(changed, names))
        links.append(("source", "Source"))
    parts.append("</div>")
    if shown.difference.changes:
        rows = [
            f"<tr><td>{HEADINGS[c.became]}</td><td>{inline(c.text)}</td><td>{c.count:,}</td></tr>"
            for c in shown.difference.changes
        ]
        titles = "<th>What</th><th>Change</th><th>Steps</th>"
        parts.append(section(names.name("changes"), "Changes", titles, rows, len(rows)))
        links.append(("changes", "Changes"))
    for what, title, pairs in (("claims", "Claims", shown.claims), ("scenarios", "Scenarios", shown.scenarios)):
        if pairs:
            titles = "<th>Text</th><th>Before</th><th>After</th><th></th>"
            parts.append(section(names.name(what), title, titles, [_row(pair) for pair in pairs], len(pairs)))
            links.append((what, title))
    broken = {telling_title(pair, Version.NEW) for pair in shown.asked if pair.broken}
    runs = [_details(title, lines, is_open=title in broken) for title, lines in evidence(shown, places, _WIDTH)]
    if runs:
        parts.append(f'<section id="{names.name("evidence")}"><h2>Evidence</h2>{"".join(runs)}</section>')
        links.append(("evidence", "Evidence"))
    return Chapter(name, tuple(links), tuple(parts), (), {**IN_THE_DARK, **CHANGES_IN_THE_DARK})


def difference_page(shown: Shown, chapter: Chapter) -> str:
    """The page of a difference alone."""
    return page(f"From {shown.names[0]} to {shown.names[1]}", chapter)


def _answer(shown: Shown) -> str:
    difference = shown.difference
    look = {True: "whole", None: "partial", False: "findings"}[difference.equivalent]
    said = [*difference.states, *([] if difference.changes else [distinction_text(shown)]), *notes(shown)]
    for names, word in zip(difference.labels, ("new", "gone"), strict=True):
        if names:
            said.append(f"actions that are {word}: " + ", ".join(f"`{name}`" for name in names))
    said += [
        f"declared, and did not come true: {met.text}: {met.unmet}" for met in difference.expectations if met.unmet
    ]
    told = headline(shown)
    head = escaped(told[:1].upper() + told[1:])
    return (
        f'<section class="card {look}" aria-label="Answer"><p><strong>{head}</strong></p>'
        f"{items(inline(as_sentence(text)) for text in said if text)}</section>"
    )


def _row(pair: ChangedClaim) -> str:
    return (
        f"<tr><td><code>{escaped(pair.title)}</code></td><td>{verdict_word(pair.before)}</td>"
        f"<td>{verdict_word(pair.after)}</td><td>{escaped(remark(pair))}</td></tr>"
    )


def _details(title: str, lines: list[str], *, is_open: bool) -> str:
    """A run; one that goes wrong now is not folded away."""
    text = escaped("\n".join(lines))
    return f"<details{' open' if is_open else ''}><summary>{inline(title)}</summary><pre>{text}</pre></details>"
