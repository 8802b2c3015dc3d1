"""The parts of the HTML report: each turns an aspect of a model into HTML that can be read without a script."""

from __future__ import annotations

import html
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import final

from stateglass.evidence import Step
from stateglass.formats.valuations import changing
from stateglass.model import STABLE, Model, Relation, is_error
from stateglass.source import Span, as_sentence, counted
from stateglass.views.summary import errors_reached, relation_text
from stateglass.views.ways import Way, noteworthy_ways

MOST_ROWS = 2000
"""A table with more rows than this is cut; model files have them all."""
MOST_STILL = 12
"""The same for variables that never change."""

_QUOTED = re.compile("`([^`]*)`")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


@final
@dataclass(frozen=True, slots=True)
class Places:
    """Which lines a chapter shows, and under which names: before all of them stands that of the chapter."""

    files: tuple[str, ...]
    chapter: str = ""

    def name(self, of: str) -> str:
        return self.chapter + of

    def anchor(self, span: Span | None) -> str | None:
        if span is None or not span.line or span.file not in self.files:
            return None
        return self.line(span.file, span.line)

    def line(self, file: str, line: int) -> str:
        return self.name(f"line-{self.files.index(file)}-{line}")

    def link(self, span: Span | None) -> str:
        """A place as text, and as a link where its line is on the page."""
        if span is None:
            return ""
        text = escaped(f"{span.file}:{span.line}" if span.line else span.file)
        anchor = self.anchor(span)
        return f'<a href="#{anchor}">{text}</a>' if anchor else text

    def data(self, span: Span | None) -> str:
        anchor = self.anchor(span)
        return f' data-line="{anchor}"' if anchor else ""


def escaped(text: str) -> str:
    """Text as HTML, also within quotes; characters that HTML has no place for are replaced."""
    return html.escape(_UNPRINTABLE.sub("\ufffd", text), quote=True)


def inline(text: str) -> str:
    """A sentence as HTML; what stands in back quotes is code."""
    return _QUOTED.sub(r"<code>\1</code>", escaped(text))


def card(model: Model) -> str:
    """What the model is to the code, its size, and all that it rests on."""
    origin = model.origin
    word, _, meaning = relation_text(model).partition(": ")
    errors = errors_reached(model)
    facts = [
        ("States", f"{model.states:,}"),
        ("Transitions", f"{model.transitions:,}"),
        (
            "Possible errors" if origin.relation is Relation.OVER else "Errors",
            ", ".join(f'<code class="alarm">{escaped(e)}</code>' for e in errors) or "none",
        ),
        ("Deadlocks", f"{len(model.deadlocks):,}" if len(model.deadlocks) else "none"),
    ]
    if origin.subject:
        facts.insert(0, ("Code", f"<code>{escaped(origin.subject)}</code>"))
    moving = {p.name for p in changing(model)} | {STABLE}
    still = [
        f"<code>{escaped(p.name)} = {escaped(p.text(0))}</code>" for p in model.propositions if p.name not in moving
    ]
    if still:
        facts.append(("Never changes", ", ".join(still[:MOST_STILL]) + (", …" if len(still) > MOST_STILL else "")))
    listed = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts)
    why = items(f"<strong>Not seen:</strong> {inline(reason)}" for reason in origin.partial)
    bounds = items(f"<code>{escaped(name)}</code> takes <code>{escaped(text)}</code>" for name, text in origin.bounds)
    assumed = items(f"<code>{escaped(a.subject)}</code>: {inline(a.text)}" for a in origin.assumptions)
    look = "partial" if model.partial else "findings" if errors or len(model.deadlocks) else "whole"
    history = items(escaped(step) for step in origin.history)
    return (
        f'<section class="card {look}" aria-label="What this model is">'
        f"<p><strong>{as_sentence(word)}</strong> {as_sentence(meaning)}</p>{why}<dl>{listed}</dl>"
        + "".join(
            f"<h3>{title}</h3>{text}"
            for title, text in (("Bounds", bounds), ("Assumptions", assumed), ("What was done to it since", history))
            if text
        )
        + "</section>"
    )


def ways_section(model: Model, places: Places) -> str:
    """The shortest way to each kind of error and to a deadlock."""
    ways = "".join(_way(way, places) for way in noteworthy_ways(model))
    return f'<div id="{places.name("ways")}">{ways}</div>' if ways else ""


def _way(way: Way, places: Places) -> str:
    numbered = enumerate(zip(way.transitions, way.steps, strict=True), 1)
    rows = "".join(_way_row(number, transition, step, places) for number, (transition, step) in numbered)
    return (
        f'<section class="way"><h2>How it gets to <code>{escaped(way.title)}</code></h2>'
        f"<p>A shortest way from the initial state, {counted(len(way.steps), 'step')}.</p>"
        '<div class="scroll"><table><thead><tr><th>Step</th><th>What happens</th><th>What changes</th><th>State</th>'
        f"<th>Line</th></tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def _way_row(number: int, transition: int, step: Step, places: Places) -> str:
    alarm = ' class="alarm"' if is_error(step.action) else ""
    changes = ", ".join(f"<code>{escaped(name)} = {escaped(value)}</code>" for name, value in step.changes)
    return (
        f'<tr data-transition="{transition}"{places.data(step.span)}><td class="number">{number}</td>'
        f"<td><code{alarm}>{escaped(step.action)}</code></td><td>{changes}</td>"
        f"<td>{_state_link(step.target, places)}</td><td>{places.link(step.span)}</td></tr>"
    )


def listing(sources: Mapping[str, str], used: Container[str], places: Places) -> str:
    """The source with numbered lines; those that something on the page points to, by their anchors, are marked."""
    box = '<div class="scroll" tabindex="0" role="group" aria-label="Source">'
    parts = [f'<section id="{places.name("source")}" class="pane source"><h2>Source</h2>{box}']
    for file, text in sources.items():
        parts.append(f'<h3>{escaped(file)}</h3><ol class="code">')
        # Only these end a line for a compiler; `splitlines` knows more.
        for number, line in enumerate(re.split(r"\r\n|\r|\n", text.removesuffix("\n")), 1):
            anchor = places.line(file, number)
            mark = ' class="used"' if anchor in used else ""
            parts.append(f'<li id="{anchor}"{mark}><code>{escaped(line) or " "}</code></li>')
        parts.append("</ol>")
    return "".join(parts) + "</div></section>"


def state_rows(model: Model, places: Places) -> str:
    shown = changing(model)
    stable = model.proposition(STABLE)
    head = "".join(f"<th><code>{escaped(p.name)}</code></th>" for p in shown)
    rows = []
    for state in range(min(model.states, MOST_ROWS)):
        span = model.span_of_state(state)
        values = "".join(f"<td><code>{escaped(p.text(state))}</code></td>" for p in shown)
        remarks = ", ".join(_remarks(model, state, stable is None or stable.text(state) == "true"))
        rows.append(
            f'<tr id="{places.name(f"row-{state}")}" data-state="{state}"{places.data(span)}>'
            f'<td class="number">{_state_link(state, places)}</td>'
            f"{values}<td>{remarks}</td><td>{places.link(span)}</td></tr>"
        )
    titles = f"<th>State</th>{head}<th>What it is</th><th>Line</th>"
    return section(places.name("states"), "States", titles, rows, model.states)


def _remarks(model: Model, state: int, stable: bool) -> Iterable[str]:
    if state == model.initial:
        yield "<strong>initial</strong>"
    if model.terminal is not None and model.terminal[state]:
        yield "<strong>end</strong>"
    elif state in model.deadlocks:
        yield "<strong>deadlock</strong>"
    elif model.unexplored is not None and model.unexplored[state]:
        yield "<strong>not explored</strong>"
    elif not stable:
        yield "within a call"


def transition_rows(model: Model, places: Places) -> str:
    rows = []
    for transition in range(min(model.transitions, MOST_ROWS)):
        source, target = int(model.sources[transition]), int(model.targets[transition])
        span = model.span_of_transition(transition)
        rows.append(
            f'<tr data-transition="{transition}" data-from="{source}" data-to="{target}"{places.data(span)}>'
            f"<td>{_state_link(source, places)}</td>"
            f"<td><code>{escaped(model.labels[model.actions[transition]])}</code></td>"
            f"<td>{_state_link(target, places)}</td><td>{places.link(span)}</td></tr>"
        )
    titles = "<th>From</th><th>What happens</th><th>To</th><th>Line</th>"
    return section(places.name("transitions"), "Transitions", titles, rows, model.transitions)


def section(name: str, title: str, titles: str, rows: list[str], count: int) -> str:
    """A table, cut at `MOST_ROWS`; `titles` and `rows` are HTML."""
    rest = f"<p>The first {MOST_ROWS:,} of {count:,}; a model file has them all.</p>" if count > MOST_ROWS else ""
    table = f"<table><thead><tr>{titles}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<section id="{name}"><h2>{title}</h2>{rest}<div class="scroll">{table}</div></section>'


def _state_link(state: int, places: Places) -> str:
    return f'<a href="#{places.name(f"row-{state}")}">{state}</a>' if state < MOST_ROWS else str(state)


def items(texts: Iterable[str]) -> str:
    """A list of HTML texts; nothing if there is none."""
    found = "".join(f"<li>{text}</li>" for text in texts)
    return f"<ul>{found}</ul>" if found else ""
