"""Processes that do what memory does, in place of parts and variables of generated classes: nobody sees it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stateglass.explore import explore
from stateglass.operations.assembling import assemble, read
from stateglass.operations.composing import Transformation, transform_model
from stateglass.options import ExtractOptions
from stateglass.reduce import Equivalence
from stateglass.relate.answers import Related
from stateglass.relate.compare import compare
from stateglass.work import silent

PLACES = ("p.x", "p.y", "q.x", "g", "p.deep.z", "p.row[i]", "which(a).x", "own")
VALUES = st.recursive(
    st.sampled_from([*PLACES, "a", "true", "false", "flip()", "p.row[1]"]),
    lambda inner: st.one_of(
        inner.map(lambda e: f"!{e}"),
        st.tuples(inner, st.sampled_from(["&&", "||", "&", "|", "^", "!=", "=="]), inner).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"
        ),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} ? {t[1]} : {t[2]})"),
        st.tuples(st.sampled_from(PLACES[:4]), inner).map(lambda t: f"({t[0]} = {t[1]})"),
    ),
    max_leaves=5,
)
TARGETS = st.sampled_from(PLACES)
SIMPLE = st.one_of(
    st.tuples(TARGETS, VALUES).map(lambda t: f"{t[0]} = {t[1]};"),
    st.tuples(TARGETS, st.sampled_from(["^=", "|=", "&="]), VALUES).map(lambda t: f"{t[0]} {t[1]} {t[2]};"),
    VALUES.map(lambda e: f"if ({e}) return p.x;"),
    st.just("i = !i;"),
)
STATEMENTS = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.tuples(VALUES, st.lists(inner, max_size=2).map(" ".join), inner).map(
            lambda t: f"if ({t[0]}) {{ {t[1]} }} else {{ {t[2]} }}"
        ),
        st.tuples(VALUES, inner).map(lambda t: f"for (int n = 0; n < 2 && {t[0]}; n++) {{ {t[1]} }}"),
        st.tuples(VALUES, inner, inner).map(lambda t: f"switch ({t[0]}) {{ case 0: {t[1]} break; default: {t[2]} }}"),
    ),
    max_leaves=4,
)
CODE = """
bool g = false;
struct Deep {{ bool z = false; }};
struct Base {{ bool x = false; }};
struct Part : Base {{ bool y = false; Deep deep; bool row[2] = {{false, false}}; }};
class Subject {{
    Part p, q;
    bool own = false;
    Part &which(bool first) {{ return first ? p : q; }}
    bool flip() {{ own = !own; p.y = own; return g; }}
public:
    bool first(bool a) {{ int i = 0; {} return {}; }}
    bool third() {{ return g || p.x; }}
    bool second(bool a) {{ int i = 1; {} return {}; }}
}};
"""
FIELDS = ("x", "y", "deep.z", "row[0]", "row[1]")
PART = "PART = {}.".format(
    "AT"
    + "[false]" * len(FIELDS)
    + ",\nAT"
    + "".join(f"[v{n}:bool]" for n in range(len(FIELDS)))
    + " = ("
    + " | ".join(
        f"load({name}, v{n}) -> AT{''.join(f'[v{m}]' for m in range(len(FIELDS)))}"
        f" | store({name}, w:bool) -> AT{''.join('[w]' if m == n else f'[v{m}]' for m in range(len(FIELDS)))}"
        for n, name in enumerate(FIELDS)
    )
    + ")"
)
GLOBAL = "GLOBAL = AT[false], AT[v:bool] = (load(::g, v) -> AT[v] | store(::g, w:bool) -> AT[w])."
BODY = st.lists(STATEMENTS, min_size=1, max_size=4).map(" ".join)


@given(BODY, VALUES, BODY, VALUES)
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_memory_and_processes_for_it_are_alike(
    tmp_path: Path, first: str, result: str, second: str, other: str
) -> None:
    file = tmp_path / "code.cpp"
    file.write_text(CODE.format(first, result, second, other), encoding="utf-8")
    code = ExtractOptions(files=(str(file),), of_class="Subject")
    processes = (f"Part={PART}", f"Global={GLOBAL}")
    standing = replace(code, members=("p=process Part", "::g=process Global"), processes=processes)
    reading = read(code)
    models = [explore(assemble(reading, options)).model for options in (code, standing)]
    assert not any(m.partial for m in models)
    seen, _ = transform_model(models[1], Transformation(hide=("load(*", "store(*")))
    answer = compare(models[0], seen, Equivalence.WEAKTRACE, progress=silent)
    assert isinstance(answer, Related), file.read_text(encoding="utf-8")
