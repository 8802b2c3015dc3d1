"""The subject as processes: between calls, while it is processing one, and while it waits for a call of its own."""

from __future__ import annotations

from stateglass.formats.scpp.code import Code
from stateglass.formats.scpp.interface import Values, only_arguments
from stateglass.formats.scpp.names import Names, Sort
from stateglass.formats.scpp.terms import UNSUPPORTED
from stateglass.formats.scpp.text import Section, listed
from stateglass.program.exceptions import DROP_THROWN
from stateglass.system import Mode, System


def start_lines(system: System, code: Code, names: Names, values: Values, *, constructs: bool) -> Section:
    """The store before anything has run, and the state in which the constructor begins."""
    lines = [f"  first_store = {code.start};"]
    if system.init is not None and not constructs:
        name = names.of(Sort.FUNCTION, system.init.name)
        given, lent = only_arguments(system, system.init, names, values)
        lines.append(f"  start = silently(started({name}, {listed(given)}, {listed(lent)}, first_store));")
    return lines


def subject_lines(system: System, code: Code, names: Names) -> Section:
    """`C`, `P` and `W`: the subject between calls, processing one, and waiting for a call of its own."""

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
            "        call_func_t(owner(callee(st)), callee(st),",
            "                    show_all(shown_arguments(callee(st)), arguments(st)), []) . W(st)",
            "    + (is_calling(st) && gap(callee(st)) != 0) -> not_supported(gap(callee(st))) . delta",
        ]
    lines += [
        *_leaving(system, code, names),
        "    + (is_failed(st) && reported(kind(st))) -> error(kind(st)) . delta",
        f"    + (is_failed(st) && kind(st) == {UNSUPPORTED}) -> not_supported(0) . delta",
        "    + (is_stuck(st)) -> not_supported(reason(st)) . delta",
        "    + (is_exited(st)) -> exit_program(status(st)) . delta",
        *beside("P(st)"),
        "    ;",
    ]
    if code.externals:
        lines += [
            "  W(st: State) =",
            "      sum v: V, ls: List(LRA) . return_func_t(owner(callee(st)), callee(st), v, ls) .",
            "        P(resumed(",
            "          handed(handed_to(callee(st)), arguments(st),",
            "                 written(writings(callee(st)), arguments(st), ls, running(memory(st), stack(st)))),",
            "          target(st), content_of(v)))",
            "    + sum t: ID_t . throw_func_t(owner(callee(st)), callee(st), t) .",
            "        P(opened(thrower(callee(st), t), arguments(st), target(st), memory(st), stack(st)))",
            *beside("W(st)"),
            "    ;",
        ]
    return lines


def _leaving(system: System, code: Code, names: Names) -> Section:
    """What happens when a function of the subject ends that somebody else has called."""
    made = f"forgotten(loans({names.of(Sort.FUNCTION, system.init.name)}), memory(st))" if system.init else "memory(st)"
    lines = [f"    + (is_leaving(st) && is_quiet(stack(st))) -> tau . C({made})"]
    drop = names.of(Sort.BODY, DROP_THROWN) if code.throws else ""
    for entry in (*system.entries, *([system.init] if system.init is not None else [])):
        f = names.of(Sort.FUNCTION, entry.name)
        once = system.mode is Mode.RUN and entry is not system.init
        is_left = f"is_leaving(st) && stack(st) == external({f})"
        if once and entry.function == "main":
            lines.append(f"    + ({is_left}) -> exit_program(value(st)) . delta")
            continue
        lines += [
            f"    + ({is_left} && !is_thrown(memory(st))) ->",
            f"        return_func_b(subject, {f}, show(shown_result({f}), value(st)),",
            f"                      behind(loans({f}), memory(st))) .",
            f"        {'delta' if once else f'C(forgotten(loans({f}), memory(st)))'}",
        ]
        if code.throws:
            lines += [
                f"    + ({is_left} && is_thrown(memory(st))) ->",
                f"        throw_func_b(subject, {f}, type_thrown(memory(st))) . "
                + ("delta" if once or entry.throws_end else f"P(dropping(forgotten(loans({f}), memory(st)), {drop}))"),
            ]
    return lines
