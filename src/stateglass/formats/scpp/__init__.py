"""A system as an mCRL2 specification: code as SCPP terms, the process equation that steps them, and what is around it.

The form is that of van Spaendonck, Semi-automatic extraction of formal models from object oriented code: terms are
data, a process takes them one after the other, and the top interface, stubs and processes run beside it, composed with
`comm` and `allow`. Terms are those of basic blocks; what each of them does is in `semantics.mcrl2`.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import Final, final

from stateglass.formats.files import utf8
from stateglass.formats.marks import one_line_json
from stateglass.formats.scpp.code import Code, code_of
from stateglass.formats.scpp.interface import Values, entry_lines, loans_of, refusals, top_interface
from stateglass.formats.scpp.names import Names, Sort
from stateglass.formats.scpp.parts import Parts
from stateglass.formats.scpp.subject import start_lines, subject_lines
from stateglass.formats.scpp.terms import DROPPED, UNSUPPORTED, Reasons
from stateglass.formats.scpp.text import Section, truth
from stateglass.program.faults import FaultKind
from stateglass.source import Code as DiagnosticCode
from stateglass.source import Diagnostic, InputError, Severity
from stateglass.system import System

__all__ = ["Specification", "specification"]

_IN_LABELS: Final = (Sort.PROCESS, Sort.FUNCTION, Sort.MEMBER, Sort.ENUMERATOR, Sort.EXCEPTION, Sort.EVENT)
_MEMORY: Final = "memory is used as something else than it was written as"
_MAPS: Final = """\
map
  get_prog: Body # Nat -> List(Scpp);
  parameters: Body -> List(Param);
  lends, is_outside: Body -> Bool;
  outside: Body -> ID_f;
  body: ID_f -> Body;
  given: ID_f # List(V) -> List(V);
  loans: ID_f -> List(Loan);
  is_visible, throws_terminates: ID_f -> Bool;
  owner: ID_f -> ID_p;
  shown_result: ID_f -> Shown;
  shown_arguments: ID_f -> List(Shown);
  writings: ID_f -> List(Writing);
  handed_to: ID_f -> List(Nat);
  gap: ID_f -> Nat;
  thrower: ID_f # ID_t -> Body;
  callee: State -> ID_f;
  is_field: ID_m -> Bool;
  field_position: ID_m -> Int;
  field_type: ID_m -> T;
  field_shown: ID_m -> Shown;
  constants: ID_x -> Store;
  exception_type: ID_x -> ID_t;
  thrown, subject_variable: ID_x;
  subject: ID_p;
  value_of: ID_e -> Int;
  named: ID_n # Int -> V;
  reported: Kind -> Bool;
  first_store: Store;
  start: State;
  size, low, high: T -> Int;
  is_signed: T -> Bool;
  modulus: T -> Pos;
  pointer_size: Int;
  overflow_wraps, shift_wraps, minds_alignment, throws_at_all: Bool;"""
_ACTIONS: Final = """\
act
  call_func_t, call_func_b, call_func: ID_p # ID_f # List(V) # List(LRA);
  return_func_t, return_func_b, return_func: ID_p # ID_f # V # List(LRA);
  throw_func_t, throw_func_b, throw_func: ID_p # ID_f # ID_t;
  load_t, load_b, load_comm: ID_p # ID_m # V;
  store_t, store_b, store_comm: ID_p # ID_m # V;
  event_t, event_b, event: ID_v;
  error_t, error_b, error: Kind;
  not_supported: Nat;
  exit_program: V;"""
_COMPOSITION: Final = """\
init
  allow({{call_func, return_func, throw_func, load_comm, store_comm, event, error, not_supported, exit_program}},
  comm({{call_func_t | call_func_b -> call_func,
        return_func_t | return_func_b -> return_func,
        throw_func_t | throw_func_b -> throw_func,
        load_t | load_b -> load_comm,
        store_t | store_b -> store_comm,
        event_t | event_b -> event,
        error_t | error_b -> error}},
    {processes}));"""


@final
@dataclass(frozen=True, slots=True)
class Specification:
    """The text, and what of the code could not be said in it."""

    text: bytes
    gaps: tuple[Diagnostic, ...]


def specification(system: System, *, constructs: bool) -> Specification:
    """The system as text. What has no place in a specification is an `InputError`; code that has no terms is told.

    `constructs`: others see how the object is made, because there is something to choose or to call.
    """
    problems = refusals(system)
    if problems:
        raise InputError(problems)
    names, reasons = Names(), Reasons()
    values = Values(system.program, names)
    code = code_of(system, loans_of(system), names, values, reasons)
    parts = Parts(system, code.externals, names, values, reasons)
    subject = names.of(Sort.PROCESS, system.subject)
    entries = entry_lines(system, names, values)
    outside = parts.lines()
    top = top_interface(system, names, values, constructs=constructs)
    beside = [*parts.stubs(), *parts.running()]
    if parts.problems:
        raise InputError(parts.problems)
    data = [*code.lines, *entries, *_hidden_entries(system, code, names), *outside, *_settings(system, subject)]
    data += start_lines(system, code, names, values, constructs=constructs)
    # By now it is known which enumerations and members there are.
    data += [*values.lines(), *_no_fields(names, code)]
    processes = [*top, *subject_lines(system, code, names), *beside]
    above = "Constructing" if constructs else "TopInterface"
    below = "C(first_store)" if constructs or system.init is None else "P(start)"
    running = " || ".join([above, below, *parts.processes])
    sections = [
        *_head(system, names, reasons),
        *_sorts(names, code),
        *_text_of_semantics(),
        "",
        "% ---- The program",
        "",
        _MAPS,
        *(f"  {name}: ID_x;" for name, _ in names.all(Sort.VARIABLE)),
        "var",
        "  vs: List(V);",
        "  n: Int;",
        "  y: Bool;",
        "  st: State;",
        "eqn",
        "  callee(st) = outside(called_out(st));",
        *data,
        "",
        "% ---- The subject, and what is around it",
        "",
        _ACTIONS,
        "proc",
        *processes,
        _COMPOSITION.format(processes=running),
    ]
    gaps = tuple(
        Diagnostic(DiagnosticCode.UNSUPPORTED, f"not in the specification: {reason}", span, Severity.WARNING)
        for reason, span in reasons.gaps
    )
    return Specification(utf8("\n".join(sections) + "\n"), gaps)


def _head(system: System, names: Names, reasons: Reasons) -> Section:
    lines = [f"% {system.subject} as an mCRL2 specification: its code as SCPP terms, and what is around it."]
    lines += [f"% It takes for granted: {one_line_json(str(assumption))}" for assumption in system.assumptions]
    lines += [f"% It is partial: {one_line_json(reason)}" for reason in system.left_out]
    lines.append(f"% not_supported(0): {one_line_json(_MEMORY)}")
    numbered = sorted({**reasons.gaps, **reasons.known}.items(), key=lambda item: item[1])
    lines += [
        f"% not_supported({number}): {one_line_json(f'{reason} ({span})')}" for (reason, span), number in numbered
    ]
    for sort in _IN_LABELS:
        lines += [f"% {name} is {one_line_json(text)}" for name, text in names.all(sort)]
    return [*lines, ""]


def _sorts(names: Names, code: Code) -> Section:
    lines = ["sort"]
    for sort in (s for s in Sort if s is not Sort.VARIABLE):
        # A sort is not empty; no value of one that nobody needs ever appears.
        members = [name for name, _ in names.all(sort)] or [f"{sort.prefix}none"]
        lines.append(f"  {sort.sort} = struct {' | '.join(members)};")
    lines.append(f"  T = struct {' | '.join(['boolean?is_boolean', 'pointer?is_pointer', *code.types])};")
    kinds = [*(f"k_{kind.value}" for kind in FaultKind), UNSUPPORTED, DROPPED]
    return [*lines, f"  Kind = struct {' | '.join(kinds)};", ""]


def _text_of_semantics() -> Section:
    return (files(__package__) / "semantics.mcrl2").read_text(encoding="utf-8").rstrip("\n").split("\n")


def _settings(system: System, subject: str) -> Section:
    undefined = system.undefined
    reported = [f"  reported(k_{kind.value}) = {truth(kind in undefined.reported)};" for kind in FaultKind]
    return [
        f"  subject = {subject};",
        f"  pointer_size = {system.program.target.pointer_size};",
        f"  overflow_wraps = {truth(FaultKind.OVERFLOW in undefined.wraps)};",
        f"  shift_wraps = {truth(FaultKind.SHIFT in undefined.wraps)};",
        f"  minds_alignment = {truth(FaultKind.ALIGNMENT not in undefined.tolerated)};",
        *reported,
        f"  reported({UNSUPPORTED}) = false;",
        f"  reported({DROPPED}) = false;",
    ]


def _hidden_entries(system: System, code: Code, names: Names) -> Section:
    """Functions that others do not call."""
    called = {e.function for e in (*system.entries, *([system.init] if system.init is not None else []))}
    others = [n for n in code.externals if n not in called]
    return [f"  is_visible({names.of(Sort.FUNCTION, name)}) = false;" for name in others]


def _no_fields(names: Names, code: Code) -> Section:
    """Names that go with arguments alone."""
    fields = [line for line in code.lines if line.startswith("  is_field(")]
    return [f"  is_field({m}) = false;" for m, _ in names.all(Sort.MEMBER) if f"  is_field({m}) = true;" not in fields]
