"""Whether a design is sound: names, types, wiring, claims."""

from __future__ import annotations

from stateglass.assemblies.validation.annotations import check_annotations
from stateglass.assemblies.validation.components import check_components
from stateglass.assemblies.validation.findings import Findings
from stateglass.assemblies.validation.wiring import check_wiring
from stateglass.design import Design
from stateglass.source import Diagnostic

__all__ = ["problems_of", "warnings_of"]


def problems_of(design: Design) -> tuple[Diagnostic, ...]:
    """What is wrong with a design, in the order of the text."""
    return _sorted(_findings(design).errors)


def warnings_of(design: Design) -> tuple[Diagnostic, ...]:
    """What is odd about a sound design: pins that nobody handles or is connected to, states that are never entered."""
    return _sorted(_findings(design).warnings)


def _findings(design: Design) -> Findings:
    found = Findings()
    check_components(found, design)
    check_wiring(found, design)
    check_annotations(found, design)
    return found


def _sorted(diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(diagnostics, key=lambda d: (d.span, d.message)))
