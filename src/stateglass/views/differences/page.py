"""A difference as one HTML page: the answer, the changes beside their picture, verdicts, and the evidence."""

from __future__ import annotations

import re

from stateglass.evidence import ChangeGraph
from stateglass.source import as_sentence
from stateglass.views.differences.drawing import IN_THE_DARK as CHANGES_IN_THE_DARK
from stateglass.views.differences.drawing import svg
from stateglass.views.differences.evidence import evidence
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
from stateglass.views.page import IN_THE_DARK, page, picture_pane
from stateglass.views.report_parts import escaped, items, section

_LEGEND = "Green is new, red and dashed is gone, grey was kept. States are those between calls, arrows are calls."
_WIDTH = 100
_QUOTED = re.compile("`([^`]*)`")


def difference_page(shown: Shown, graph: ChangeGraph, places: Places = everywhere, *, force: bool = False) -> str:
    """The page; a picture that would be too large is left out with a word about it."""
    parts = [_answer(shown), picture_pane(lambda: svg(graph, force=force), _LEGEND)]
    links = [("picture", "Picture")]
    if shown.difference.changes:
        rows = [
            f"<tr><td>{HEADINGS[c.became]}</td><td>{_inline(c.text)}</td><td>{c.count:,}</td></tr>"
            for c in shown.difference.changes
        ]
        titles = "<th>what</th><th>change</th><th>steps</th>"
        parts.append(section("changes", "Changes", titles, rows, len(rows)))
        links.append(("changes", "Changes"))
    for name, title, pairs in (("claims", "Claims", shown.claims), ("scenarios", "Scenarios", shown.scenarios)):
        if pairs:
            titles = "<th>text</th><th>before</th><th>after</th><th></th>"
            parts.append(section(name, title, titles, [_row(pair) for pair in pairs], len(pairs)))
            links.append((name, title))
    runs = [_details(title, lines) for title, lines in evidence(shown, places, _WIDTH)]
    if runs:
        parts += ['<section id="evidence"><h2>Evidence</h2>', *runs, "</section>"]
        links.append(("evidence", "Evidence"))
    title = f"From {shown.names[0]} to {shown.names[1]}"
    return page(title, links, parts, {**IN_THE_DARK, **CHANGES_IN_THE_DARK})


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
    return (
        f'<section class="card {look}" aria-label="Answer"><p><strong>{escaped(headline(shown))}</strong></p>'
        f"{items(_inline(as_sentence(text)) for text in said if text)}</section>"
    )


def _row(pair: ChangedClaim) -> str:
    return (
        f"<tr><td><code>{escaped(pair.title)}</code></td><td>{verdict_word(pair.before)}</td>"
        f"<td>{verdict_word(pair.after)}</td><td>{escaped(remark(pair))}</td></tr>"
    )


def _details(title: str, lines: list[str]) -> str:
    text = escaped("\n".join(lines))
    return f"<details><summary>{_inline(title)}</summary><pre>{text}</pre></details>"


def _inline(text: str) -> str:
    return _QUOTED.sub(r"<code>\1</code>", escaped(text))
