"""Systems and flows of small programs, whose inputs may be anything unless a bound is given."""

from __future__ import annotations

from pathlib import Path

from stateglass.explore.stretches import Flow, Phase, Seen, flow_of, sliced
from stateglass.operations.assembling import read
from stateglass.options import ExtractOptions
from stateglass.system import Mode, System, UndefinedBehaviour, build_system, default_function, undefined
from stateglass.unbounded.given import Posed, cells_needed, names_of, posed, read_given
from stateglass.unbounded.temporal.atoms import Words


def system_of(
    folder: Path,
    code: str,
    *functions: str,
    bounds: tuple[tuple[str, str], ...] = (),
    mode: Mode | None = None,
    init: str | None = None,
    undefined_is: str = "error",
) -> System:
    """The system of a program; without functions, that of its only entry."""
    file = folder / "code.c"
    file.write_text(code, encoding="utf-8")
    return system_in(file, *functions, bounds=bounds, mode=mode, init=init, undefined_is=undefined_is)


def system_in(
    file: Path,
    *functions: str,
    bounds: tuple[tuple[str, str], ...] = (),
    mode: Mode | None = None,
    init: str | None = None,
    undefined_is: str = "error",
) -> System:
    """The same of a file."""
    program = read(ExtractOptions(files=(str(file),))).program
    return build_system(
        program,
        functions or (default_function(program),),
        of_class=None,
        asked=None,
        plan=None,
        init=init,
        mode=mode,
        bounds=bounds,
        undefined=undefined(UndefinedBehaviour(undefined_is)),
        maps=None,
        open=True,
        name="",
    )


def flow_in(system: System, *, events: bool = False, watch: frozenset[str] = frozenset()) -> Flow:
    return sliced(flow_of(system, Seen(events=events, watch=watch)))


def flow_with(system: System, *texts: str) -> tuple[Flow, list[Posed]]:
    """A flow with all that predicates of a user speak of, and where they are asked."""
    given = read_given(texts, system)
    flow = flow_of(system, Seen(named=names_of(given)))
    flow = sliced(flow, cells_needed(flow, given))
    return flow, posed(flow, given, Words(system, inner=True))


def bad_rests(flow: Flow) -> frozenset[int]:
    return frozenset(rest.number for rest in flow.rests if rest.phase in (Phase.FAILED, Phase.LOST))
