"""Runs of designs as sequence diagrams: who says what to whom, and what changes beside whom."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from stateglass.assemblies.ccl import read_design
from stateglass.cli.exits import Exit
from stateglass.operations.designs import HowChecked, check_design
from stateglass.views.claims.mermaid import mermaid
from tests.cli.running import stateglass
from tests.views.test_designs import texts

PIPES: Final = """
enum Kind { GOOD, BAD };
environment hall() { service variable level(3); }
component Sender() {
    int seen = 0;
    sink synch go(consume Kind kind);
    source asynch out(Kind kind);
    source synch look(produce int value);
    threaded react S(go, out, look) {
        start -> on {}
        on -> looked { trigger ^go(k); guard k == BAD; action { ^out(k); ^look(); $go(); } }
        looked -> on { trigger $look(seen); }
        state looked {}
    }
}
component Taker() {
    Kind last = GOOD;
    sink asynch one(Kind kind);
    threaded react R(one) {
        start -> on {}
        on -> on { trigger ^one(last); action { $one(); if (last == BAD) { $one(); } } }
    }
}
assembly pipes(hall) {
    Sender s(); Taker t(); Taker u();
    s:out ~> t:one; s:out ~> u:one;
    s:look ~> level:read;
    expose { s:go };
}
"""
WHOLE: Final = """\
sequenceDiagram
  accTitle: a run
  participant L0 as the surroundings
  participant L1 as s
  participant L2 as t
  participant L3 as u
  participant L4 as level
  Note over L1: S.state = on
  Note over L2: R.state = on
  L0->>L1: ^go(BAD)
  L1-)L2: ^out(BAD)
  Note over L2: queue of R = [one(BAD)]
  L1-)L3: out(BAD)
  Note over L3: queue of R = [one(BAD)]
  L1->>L4: ^look|^read
  L4-->>L1: $look|$read(3)
  L1-->>L0: $go
  Note over L1: seen = 3, S.state = looked
  L2->>L2: ^one(BAD)
  Note over L2: queue of R = []
  Note over L2: last = BAD
"""
OVERFLOW: Final = """
component S() { source asynch out(); threaded react S(out) { start -> on {} on -> on { action ^out(); } state on {} } }
component R() {
    sink asynch one();
    threaded react R(one) { start -> on {} on -> on { trigger ^one(); } }
    annotate R {"comfort", const string full = "error"}
}
assembly both() { S s(); R r(); s:out ~> r:one; }
"""


def diagram(design: str, claim: str) -> str:
    (found,) = check_design(read_design(design), HowChecked(claims=(claim,)))
    (drawn,) = found.diagrams
    assert drawn is not None
    return mermaid(drawn, "a run")


def test_messages_go_between_instances_services_and_surroundings() -> None:
    assert diagram(PIPES, "G !([s.seen == 3] & [t.last == BAD])") == WHOLE


def test_errors_stand_where_they_happen() -> None:
    assert diagram(PIPES, "no-error").endswith("  L2->>L2: $one\n  L2-xL2: error(completion)\n")
    assert diagram(OVERFLOW, "no-error").endswith("  L0-)L1: ^out\n  L1-xL1: error(queue)\n")


def test_the_command_draws_them(tmp_path: Path) -> None:
    design, svg, page = tmp_path / "pipes.ccl", tmp_path / "run.svg", tmp_path / "run.html"
    design.write_text(PIPES, encoding="utf-8")
    said = stateglass("assembly", str(design), "--claim", "no-error", "-o", str(svg), "-o", str(page))
    assert said.status == Exit.FINDINGS
    assert {"the surroundings", "s", "t", "^go(BAD)", "queue of R = [one(BAD)]"} <= texts(
        svg.read_text(encoding="utf-8")
    )
    # Rows of the table and arrows of the picture go by the same numbers.
    text = page.read_text(encoding="utf-8")
    arrows, rows = (re.findall(pattern, text) for pattern in (r'id="(arrow\d+)"', r'data-arrow="(arrow\d+)"'))
    assert len(set(arrows)) == len(arrows) == 6
    assert set(arrows) <= set(rows)
    assert text.count("the surroundings</text>") == 1
