"""Answers into files; the name tells the kind."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from stateglass.evidence import Path
from stateglass.formats.files import utf8, write_bytes
from stateglass.formats.targets import STDIO, check_folder
from stateglass.source import Code, input_error, printable
from stateglass.views.claims.cards import Card, shown_first
from stateglass.views.claims.itf import itf
from stateglass.views.claims.junit import junit
from stateglass.views.claims.mermaid import mermaid
from stateglass.views.claims.page import claims_page, sources_shown
from stateglass.views.claims.sarif import sarif
from stateglass.views.claims.svg import svg
from stateglass.views.page import sources_of

# The longer endings first: a trace is JSON, too.
OF_A_RUN: Final = (".itf.json", ".mmd", ".svg")
OF_ALL: Final = (".sarif", ".json", ".html", ".xml")


def check_outputs(outputs: Sequence[str]) -> None:
    """What cannot be written is told before the work."""
    for output in outputs:
        if not kind_of(output):
            known = ", ".join((*OF_A_RUN, *OF_ALL))
            if output == STDIO:
                raise input_error(Code.USAGE, "standard output carries the answer itself", help="--format says how")
            help = f"files of these kinds are written: {known}"
            raise input_error(Code.USAGE, f"`{output}` does not tell what it is to be", help=help)
        check_folder(output)


def kind_of(output: str) -> str:
    """The ending of a name that tells the kind; empty if there is none."""
    return next((kind for kind in (*OF_A_RUN, *OF_ALL) if output.lower().endswith(kind)), "")


def write_claims(cards: Sequence[Card], facts: Mapping[str, object], output: str, title: str) -> str:
    """Writes one file, whole or not at all; what is missing in it that somebody might expect, if something is.

    `facts` is what a `.json` has.
    """
    kind = kind_of(output)
    if kind in OF_A_RUN:
        card = shown_first(cards)
        if card is None or card.path is None:
            return f"`{output}` is not written: no answer has a run to show"
        write_bytes(output, utf8(_of_a_run(kind, card, card.path)))
        return _left_out(output, card, cards)
    match kind:
        case ".json":
            text = json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
        case ".sarif":
            text = json.dumps(sarif(cards), indent=2, ensure_ascii=False) + "\n"
        case ".xml":
            text = junit(cards)
        case ".html":
            text = claims_page(cards, sources_of(sources_shown(cards)), title)
        case _:
            raise ValueError(output)
    write_bytes(output, utf8(text))
    return ""


def _left_out(output: str, shown: Card, cards: Sequence[Card]) -> str:
    """Other runs that are as worth seeing as the one in a file for a single run."""
    runs = sum(card.path is not None and card.is_finding is shown.is_finding for card in cards)
    if runs == 1:
        return ""
    return (
        f"`{output}` has the first of {runs} runs, that of `{printable(shown.title)}`; .html and .json have all of them"
    )


def _of_a_run(kind: str, card: Card, path: Path) -> str:
    match kind:
        case ".itf.json":
            return json.dumps(itf(card, path), indent=2, ensure_ascii=False) + "\n"
        case ".mmd":
            return mermaid(card.drawn(path), card.title)
        case ".svg":
            return svg(card.drawn(path), card.title)
        case _:
            raise ValueError(kind)
