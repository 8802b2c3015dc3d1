"""Whether a design is sound: names, types, wiring, claims."""

from __future__ import annotations

from stateglass.assemblies.validation.annotations import check_annotations
from stateglass.assemblies.validation.components import check_components
from stateglass.assemblies.validation.findings import Findings
from stateglass.assemblies.validation.gaps import Gaps
from stateglass.assemblies.validation.wiring import check_wiring
from stateglass.design import Design
from stateglass.source import Diagnostic

__all__ = ["Gaps", "problems_of", "warnings_of"]


def problems_of(design: Design, gaps: Gaps | None = None) -> tuple[Diagnostic, ...]:
    """What is wrong with a design, in the order of the text; `gaps` are what it does not have because of mistakes."""
    return _sorted(_findings(design, gaps or Gaps()).errors)


def warnings_of(design: Design) -> tuple[Diagnostic, ...]:
    """What is odd about a sound design: pins that nobody handles or is connected to, states that are never entered."""
    return _sorted(_findings(design, Gaps()).warnings)


def _findings(design: Design, gaps: Gaps) -> Findings:
    found = Findings(gaps)
    check_components(found, design)
    check_wiring(found, design)
    check_annotations(found, design)
    return found


def _sorted(diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(diagnostics, key=lambda d: (d.span, d.message)))
