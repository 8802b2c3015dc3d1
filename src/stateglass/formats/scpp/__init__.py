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
from stateglass.formats.scpp.code import Code, Section, code_of, declared_types
from stateglass.formats.scpp.interface import Values, entry_lines, loans_of, refusals, top_interface, truth
from stateglass.formats.scpp.names import Names, Sort
from stateglass.formats.scpp.parts import Parts
from stateglass.formats.scpp.terms import DROPPED, Reasons
from stateglass.program.callgraph import reachable
from stateglass.program.exceptions import DROP_THROWN
from stateglass.program.faults import FaultKind
from stateglass.source import Diagnostic, InputError, Severity
from stateglass.source import Code as DiagnosticCode
from stateglass.system import Choice, Entry, Mode, System

__all__ = ["Specification", "specification"]

_UNSUPPORTED: Final = "k_unsupported"
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


def specification(system: System) -> Specification:
    """The system as text. What has no place in a specification is an `InputError`; code that has no terms is told."""
    problems = refusals(system)
    if problems:
        raise InputError(problems)
    names, reasons = Names(), Reasons()
    values = Values(system.program, names)
    code = code_of(system, loans_of(system), names, reasons)
    constructs = system.init is not None and not _is_silent(system, system.init)
    parts = Parts(system, code.externals, names, values, reasons)
    subject = names.of(Sort.PROCESS, system.subject)
    entries = entry_lines(system, names, values)
    outside = parts.lines()
    top = top_interface(system, names, values, constructs=constructs)
    beside = [*parts.stubs(), *parts.running()]
    if parts.problems:
        raise InputError(parts.problems)
    data = [*code.lines, *entries, *_hidden_entries(system, code, names), *outside, *_fields(system, names, values)]
    data += [*_settings(system, subject), *values.lines()]
    processes = [*top, *_subject(system, code, names), *beside]
    running = " || ".join(["Constructing" if constructs else "TopInterface", _first(system, code, names), *parts.processes])
    sections = [
        *_head(system, names, reasons),
        *_sorts(names),
        *_text_of_semantics(),
        "",
        "% ---- The program",
        "",
        _MAPS,
        *([f"  {', '.join(types)}: T;"] if (types := declared_types(code)) else []),
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


def _is_silent(system: System, init: Entry) -> bool:
    """Whether nobody sees how the object is made: there is one way to do it, and nothing outside is called."""
    chosen = [a for a in init.arguments if isinstance(a, Choice) and len(a.values) != 1]
    return not chosen and not reachable(system.program, (init.function,)).externals


def _head(system: System, names: Names, reasons: Reasons) -> Section:
    lines = [f"% {system.subject} as an mCRL2 specification: its code as SCPP terms, and what is around it."]
    lines += [f"% It takes for granted: {one_line_json(str(assumption))}" for assumption in system.assumptions]
    lines += [f"% It is partial: {one_line_json(reason)}" for reason in system.left_out]
    lines.append(f"% not_supported(0): {one_line_json(_MEMORY)}")
    numbered = sorted({**reasons.gaps, **reasons.known}.items(), key=lambda item: item[1])
    lines += [f"% not_supported({number}): {one_line_json(f'{reason} ({span})')}" for (reason, span), number in numbered]
    for sort in Sort:
        lines += [f"% {name} is {one_line_json(text)}" for name, text in names.all(sort)]
    return [*lines, ""]


def _sorts(names: Names) -> Section:
    lines = ["sort"]
    for sort in (s for s in Sort if s is not Sort.VARIABLE):
        # A sort is not empty; no value of one that nobody needs ever appears.
        members = [name for name, _ in names.all(sort)] or [f"{sort.prefix}none"]
        lines.append(f"  {sort.sort} = struct {' | '.join(members)};")
    kinds = [*(f"k_{kind.value}" for kind in FaultKind), _UNSUPPORTED, DROPPED]
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
        f"  reported({_UNSUPPORTED}) = false;",
        f"  reported({DROPPED}) = false;",
    ]


def _hidden_entries(system: System, code: Code, names: Names) -> Section:
    """Functions that others do not call."""
    called = {e.function for e in (*system.entries, *([system.init] if system.init is not None else []))}
    others = [n for n in code.externals if n not in called]
    return [f"  is_visible({names.of(Sort.FUNCTION, name)}) = false;" for name in others]


def _fields(system: System, names: Names, values: Values) -> Section:
    """The variables of the subject that everybody may look at."""
    lines: Section = []
    fields = system.object.fields if system.object is not None else ()
    for field in fields:
        x = names.of(Sort.MEMBER, field.name)
        lines += [
            f"  is_field({x}) = true;",
            f"  field_position({x}) = {field.position // 8};",
            f"  field_type({x}) = {'boolean' if str(field.type) == 'bool' else field.type};",
            f"  field_shown({x}) = {values.shown_as(field.type)};",
        ]
    if fields and system.object is not None:
        lines.append(f"  subject_variable = {names.of(Sort.VARIABLE, system.object.variable)};")
    known = {field.name for field in fields}
    return lines + [f"  is_field({x}) = false;" for x, text in names.all(Sort.MEMBER) if text not in known]


def _first(system: System, code: Code, names: Names) -> str:
    init = system.init
    if init is None:
        return f"C({code.start})"
    if not _is_silent(system, init):
        return f"C({code.start})"
    name, body = names.of(Sort.FUNCTION, init.function), names.of(Sort.BODY, init.function)
    frame = f"frame({body}, 0, get_prog({body}, 0), nowhere, bound(parameters({body}), given({name}, []), 0))"
    return f"P(running({code.start}, push({frame}, quiet)))"


def _subject(system: System, code: Code, names: Names) -> Section:
    """The subject between calls, `C`, while it is processing one, `P`, and while it waits for a call of its own, `W`."""

    def beside(then: str) -> Section:
        """What processes do of their own accord, which nobody sees any more once the subject has ended."""
        if not system.processes:
            return []
        return [f"    + sum e: ID_v . event_t(e) . {then}", "    + sum k: Kind . error_t(k) . delta"]

    lines = [
        "  C(g: Store) =",
        "      sum f: ID_f, vs: List(V), ls: List(LRA) . (is_visible(f)) ->",
        "        call_func_b(subject, f, vs, ls) . P(started(f, vs, ls, g))",
    ]
    if system.object is not None and system.object.fields:
        cell = "at(static(subject_variable), field_position(m))"
        lines += [
            f"    + sum m: ID_m . (is_field(m) && !is_VoidType(find({cell}, size(field_type(m)), g))) ->",
            f"        load_b(subject, m, show(field_shown(m), find({cell}, size(field_type(m)), g))) . C(g)",
            "    + sum m: ID_m, v: V . (is_field(m)) -> store_b(subject, m, v) .",
            f"        C(write(bind({cell}, size(field_type(m)), content_of(v)), g))",
        ]
    lines += [*beside("C(g)"), "    ;", "  P(st: State) =", "      (is_running(st)) -> tau . P(advanced(st))"]
    if code.externals:
        lines += [
            "    + (is_calling(st) && gap(callee(st)) == 0) ->",
            "        call_func_t(owner(callee(st)), callee(st), show(shown_arguments(callee(st)), arguments(st)), []) .",
            "        W(st)",
            "    + (is_calling(st) && gap(callee(st)) != 0) -> not_supported(gap(callee(st))) . delta",
        ]
    lines += [
        *_leaving(system, code, names),
        "    + (is_failed(st) && reported(kind(st))) -> error(kind(st)) . delta",
        f"    + (is_failed(st) && kind(st) == {_UNSUPPORTED}) -> not_supported(0) . delta",
        "    + (is_stuck(st)) -> not_supported(reason(st)) . delta",
        "    + (is_exited(st)) -> exit_program(status(st)) . delta",
        *beside("P(st)"),
        "    ;",
    ]
    if code.externals:
        lines += [
            "  W(st: State) =",
            "      sum v: V, ls: List(LRA) . return_func_t(owner(callee(st)), callee(st), v, ls) .",
            "        P(resumed(written(writings(callee(st)), arguments(st), ls, running(memory(st), stack(st))),",
            "                  target(st), content_of(v)))",
            "    + sum t: ID_t . throw_func_t(owner(callee(st)), callee(st), t) .",
            "        P(opened(thrower(callee(st), t), arguments(st), target(st), memory(st), stack(st)))",
            *beside("W(st)"),
            "    ;",
        ]
    return lines


def _leaving(system: System, code: Code, names: Names) -> Section:
    """What happens when a function of the subject ends that somebody else has called."""
    lines = ["    + (is_leaving(st) && is_quiet(stack(st))) -> tau . C(memory(st))"]
    drop = f"P(dropping(memory(st), {names.of(Sort.BODY, DROP_THROWN)}))" if code.throws else ""
    for entry in (*system.entries, *([system.init] if system.init is not None else [])):
        f = names.of(Sort.FUNCTION, entry.function)
        once = system.mode is Mode.RUN and entry is not system.init
        is_left = f"is_leaving(st) && stack(st) == external({f})"
        if once and entry.function == "main":
            lines.append(f"    + ({is_left}) -> exit_program(value(st)) . delta")
            continue
        lines += [
            f"    + ({is_left} && !is_thrown(memory(st))) ->",
            f"        return_func_b(subject, {f}, show(shown_result({f}), value(st)), behind(loans({f}), memory(st))) .",
            f"        {'delta' if once else f'C(forgotten(loans({f}), memory(st)))'}",
        ]
        if code.throws:
            lines += [
                f"    + ({is_left} && is_thrown(memory(st))) ->",
                f"        throw_func_b(subject, {f}, type_thrown(memory(st))) . "
                + ("delta" if once or entry.throws_end else drop),
            ]
    return lines
