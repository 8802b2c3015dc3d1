"""What a variable may hold before a call: constants of other files, pointers of every kind, functions, unions."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.evidence import Edge, ReflexionModel, Result
from stateglass.operations.hypotheses import Limits, load_machine, source_files
from stateglass.options.settings import new_settings
from stateglass.pipeline import reflect_machine

AB = "  state A: s == 0\n  state B: s == 1\n"
YES = (Result.CONVERGENCE,)
NO = (Result.ABSENCE,)


def reflected(folder: Path, code: str, machine: str, function: str = "f") -> ReflexionModel:
    (folder / "a.c").write_text(code, encoding="utf-8")
    (folder / "m.machine").write_text(f'machine M of {function} in "a.c"\n{machine}', encoding="utf-8")
    hypothesis = load_machine(str(folder / "m.machine"))
    options = new_settings({"files": source_files(hypothesis)})
    return reflect_machine(hypothesis, options, Limits(unroll=8, questions=0)).model


def edge(model: ReflexionModel, source: str, target: str) -> Edge:
    [found] = [e for e in model.edges if (e.source, e.target) == (source, target)]
    return found


def pairs(model: ReflexionModel) -> set[tuple[str, str]]:
    return {(e.source, e.target) for e in model.edges if e.in_code}


def before(found: Edge) -> dict[str, str]:
    assert found.witness is not None
    return dict(found.witness.before)


# ---- constants


def test_a_constant_of_another_file_may_have_any_value(tmp_path: Path) -> None:
    code = "extern const int lim; int s; void f(void) { if (s < lim) s++; }"
    machine = "  assume s >= 0 && s < 100\n  state A: s < 50\n  state B: s >= 50\n  A -> B when s == 49 && lim > 49\n"
    model = reflected(tmp_path, code, machine)
    assert edge(model, "A", "B").results == YES
    assert before(edge(model, "A", "B"))["s"] == "49"
    assert int(before(edge(model, "A", "B"))["lim"]) > 49


def test_a_constant_of_another_file_may_be_spoken_of(tmp_path: Path) -> None:
    code = "extern const int lim; int s; void f(void) { if (s == lim) s = 1; }"
    model = reflected(tmp_path, code, "  assume lim == 0\n" + AB + "  A -> B\n")
    assert edge(model, "A", "B").results == YES
    assert not any(not s.satisfiable for s in model.states)


def test_a_constant_of_this_file_has_its_value(tmp_path: Path) -> None:
    code = "static const int lim = 3; int s; void f(void) { if (lim == 4) s = 1; }"
    assert edge(reflected(tmp_path, code, AB + "  A -> B\n"), "A", "B").results == NO


UNKNOWN_STARTS = {
    "a type that is not known": (
        "typedef int v4 __attribute__((vector_size(16))); struct Q { v4 v; int k; }; int s;\n"
        "struct Q x = {{1}, 3}; const struct Q c = {{1}, 3}; void f(void) { if (x.k == 5 && c.k == 7) s = 1; }"
    ),
    "an address as a number": (
        "int s; const unsigned long c = (unsigned long)&s + 3; unsigned long x = (unsigned long)&s;\n"
        "void f(void) { if (c && x) s = 1; }"
    ),
}


@pytest.mark.parametrize("code", UNKNOWN_STARTS.values(), ids=UNKNOWN_STARTS.keys())
def test_a_start_that_is_not_known_does_not_matter(code: str, tmp_path: Path) -> None:
    assert edge(reflected(tmp_path, code, AB + "  A -> B\n"), "A", "B").results == YES


def test_a_pointer_to_a_fixed_address(tmp_path: Path) -> None:
    code = "int s; int *q = (int *)0x40001000; void f(void) { if (q && q != &s && *q == 3) s = 1; }"
    assert edge(reflected(tmp_path, code, AB + "  A -> B\n"), "A", "B").results == YES
    code = "int s; int *const q = (int *)0x40001000; void f(void) { if (*q == 3) s = 1; }"
    assert edge(reflected(tmp_path, code, AB + "  A -> B\n"), "A", "B").results == (Result.INCONCLUSIVE,)


# ---- pointers to what the program has


POINTERS = {
    "a member": "struct { int a, s; } x; int *q; \n#define s x.s\nvoid f(void) { if (q && *q == 0) *q = 1; }",
    "a member that its start says": (
        "struct { int a, s; } x; int *q = &x.s;\n#define s x.s\nvoid f(void) { if (q && *q == 0) *q = 1; }"
    ),
    "a member of an element of a member": (
        "struct { char c; struct { char d; int v[2]; } sub[2]; } x[2]; int *q;\n"
        "#define s x[1].sub[1].v[1]\nvoid f(void) { if (q && *q == 0) *q = 1; }"
    ),
    "anything": "int s; void *q = &s; void f(void) { int *i = q; if (i && *i == 0) *i = 1; }",
    "anything, later": (
        "int s; void *q; void init(void) { q = &s; } void f(void) { int *i = q; if (i && *i == 0) *i = 1; }"
    ),
    "anything, by way of another pointer": (
        "int s; int *r; void *q; void init(void) { q = r; } void f(void) { int *i = q; if (i && *i == 0) *i = 1; }"
    ),
    "bytes of something": ("int s; unsigned char *q = (unsigned char *)&s; void f(void) { if (q && s == 0) *q = 1; }"),
    "a place in an array": (
        "struct { int head; char data[4]; } ring; char *w;\n#define s ring.data[3]\n"
        "void f(void) { if (w) { if (*w == 0) *w = 1; } }"
    ),
    "a union": "union { int s; char c[4]; } x; int *q;\n#define s x.s\nvoid f(void) { if (q && *q == 0) *q = 1; }",
}


@pytest.mark.parametrize("code", POINTERS.values(), ids=POINTERS.keys())
def test_a_pointer_may_lead_to(code: str, tmp_path: Path) -> None:
    model = reflected(tmp_path, code, AB + "  A -> B\n")
    assert edge(model, "A", "B").results == YES
    assert model.inconclusive == ()


def test_a_pointer_may_be_assumed_to_lead_into_a_member(tmp_path: Path) -> None:
    code = "struct S { int a, b; } x; int *q = &x.b; void f(void) { if (*q == 0) *q = 1; }"
    machine = "  assume q == &x.b\n  state A: x.b == 0\n  state B: x.b == 1\n  A -> B\n  B -> B\n"
    model = reflected(tmp_path, code, machine)
    assert {e.results for e in model.edges if e.is_claimed} == {YES}
    assert pairs(model) == {("A", "B"), ("B", "B"), ("other", "other")}


def test_one_behind_the_last_element_has_an_address_too(tmp_path: Path) -> None:
    code = "int s, buf[4]; int *e = buf + 4, *w; void f(void) { if (w && w == buf + 4) { w = buf; s = 1; } }"
    model = reflected(tmp_path, code, AB + "  A -> B\n")
    assert edge(model, "A", "B").results == YES
    found = edge(model, "A", "B").witness
    assert found is not None
    assert dict(found.before)["w"] == "&buf[4]"
    assert dict(found.after)["w"] == "&buf[0]"


def test_what_may_not_be_written_is_no_target_of_a_pointer_that_writes(tmp_path: Path) -> None:
    code = "const int k = 3; int s; int *q; void f(void) { if (q && *q == 3 && q != &s) s = 1; }"
    model = reflected(tmp_path, code, AB + "  A -> B\n")
    assert edge(model, "A", "B").results == NO


def test_a_place_among_too_many_is_not_decided(tmp_path: Path) -> None:
    code = "char buf[1000]; char *q; int s; void f(void) { if (q && *q == 5) s = 1; }"
    model = reflected(tmp_path, code, AB + "  A -> A when s == 3\n  B -> A\n")
    assert edge(model, "B", "A").results == (Result.INCONCLUSIVE,)
    assert any("nothing is known of what `q` leads to" in r for r in model.inconclusive)


# ---- pointers to what the program does not have


OWN = {
    "no object of its type": "struct N { int v; }; struct N *q; int s; void f(void) { if (q && q->v == 3) s = 1; }",
    "it comes from a caller": (
        "int s, other; int *q; void init(int *given) { q = given; }\n"
        "void f(void) { if (q && q != &s && q != &other && *q == 3) s = 1; }"
    ),
    "it comes from a caller by way of a variable": (
        "int s; int *q; void init(int *given) { int *p = 0; if (given) p = given; q = p; }\n"
        "void f(void) { if (q && q != &s && *q == 3) s = 1; }"
    ),
    "it comes with a record": (
        "struct R { int *q; } r; int s; void init(struct R *given) { r = *given; }\n"
        "void f(void) { if (r.q && r.q != &s && *r.q == 3) s = 1; }"
    ),
    "a function without a body returns it": (
        "int s; int *q, *make(void); void init(void) { q = make(); }\n"
        "void f(void) { if (q && q != &s && *q == 3) s = 1; }"
    ),
    "it is another file's": "int s; extern int *q; void f(void) { if (q && q != &s && *q == 3) s = 1; }",
    "it is a member of a parameter's object": (
        "struct N { int v; struct N *next; }; int s;\n"
        "void f(struct N *n) { if (n->next && n->v == 1 && n->next->v == 2) s = 1; }"
    ),
    "the second of a list": (
        "struct N { int v; struct N *next; }; struct N *q; int s;\n"
        "void f(void) { if (q && q->next && q->v == 1 && q->next->v == 2) s = 1; }"
    ),
    "a parameter that leads to anything": (
        "struct N { int v; }; int s; void f(void *given) { struct N *n = given; if (n->v == 3) s = 1; }"
    ),
    "a pointer that a parameter hides": (
        "struct N { int v; } *q; int s; static int look(void) { return q && q->v == 3; }\n"
        "void f(struct N *q) { if (look() && q->v == 4) s = 1; }"
    ),
}


@pytest.mark.parametrize("code", OWN.values(), ids=OWN.keys())
def test_a_pointer_may_lead_to_an_object_of_its_own(code: str, tmp_path: Path) -> None:
    model = reflected(tmp_path, code, AB + "  A -> B\n")
    assert edge(model, "A", "B").results == YES
    assert any("an object of its own" in text for text in model.assumptions)


def test_a_pointer_that_only_this_program_sets_leads_to_what_it_has(tmp_path: Path) -> None:
    code = (
        "static int x[2], s; static int *q; static int *pick(int n) { return &x[n]; }\n"
        "void choose(int n) { q = n ? pick(1) : pick(0); }\n"
        "void f(void) { if (q && q != &x[0] && q != &x[1] && q != &s) s = 1; }"
    )
    assert edge(reflected(tmp_path, code, AB + "  A -> B\n"), "A", "B").results == NO


def test_the_third_of_a_list_is_not_decided(tmp_path: Path) -> None:
    code = (
        "struct N { int v; struct N *next; }; struct N *q; int s;\n"
        "void f(void) { if (q && q->v == 1 && q->next && q->next->v == 2 && q->next->next && q->next->next->v == 3)\n"
        "  s = 1; }"
    )
    model = reflected(tmp_path, code, AB + "  A -> B\n")
    assert edge(model, "A", "B").results == (Result.INCONCLUSIVE,)
    assert any("`q->next->next`" in reason for reason in model.inconclusive)


def test_nothing_is_known_of_what_has_no_type(tmp_path: Path) -> None:
    code = "void *q; int s; void f(int n) { if (q) s = n ? *(int *)q == 3 : *(char *)q == 3; }"
    model = reflected(tmp_path, code, AB + "  A -> B\n")
    assert edge(model, "A", "B").results == (Result.INCONCLUSIVE,)
    assert any("nothing is known of what `q` leads to" in reason for reason in model.inconclusive)


def test_an_object_that_is_shared_with_a_parameter(tmp_path: Path) -> None:
    code = "struct N { int v; }; struct N *q; int s; void f(struct N *n) { n->v = 0; if (q && q->v == 1) s = n == q; }"
    model = reflected(tmp_path, code, "  state A: s == 0\n  state B: s == 1\n  A -> B\n")
    assert edge(model, "A", "B").results == NO  # what the parameter leads to holds 0
    shared = "struct N { int v; }; struct N *q; int s; void f(struct N *n) { if (q == n) s = 1; }"
    assert edge(reflected(tmp_path, shared, AB + "  A -> B\n"), "A", "B").results == YES


# ---- functions


def test_a_function_of_another_file_is_none_of_this_one(tmp_path: Path) -> None:
    code = "extern void (*hook)(void); int s; void other(void); void f(void) { s = s == 0; if (hook) hook(); }"
    model = reflected(tmp_path, code, AB + "  A -> B\n  B -> A\n")
    assert pairs(model) >= {("A", "B"), ("B", "A")}
    assert model.inconclusive == ()
    assert edge(model, "A", "B").results == YES
    assert model.assumptions == (
        "`hook` is null or leads to a function that is not known",
        "`*hook` has no body: it returns and changes nothing",
    )


def test_only_functions_that_are_pointed_to_are_called(tmp_path: Path) -> None:
    code = (
        "int s; static void (*hook)(void); static void on(void) { s = 1; } void out(void);\n"
        "void never(void) { s = 5; }\n"
        "void init(int n) { hook = n ? on : out; } void f(void) { if (hook) hook(); }"
    )
    model = reflected(tmp_path, code, "  assume s == 0 || s == 1\n" + AB)
    assert pairs(model) == {("A", "A"), ("A", "B"), ("B", "B")}
    assert "`hook` is null or points to one of on, out" in model.assumptions
    assert before(edge(model, "A", "B"))["hook"] == "on"


def test_an_unknown_function_returns_anything_and_writes_through_its_arguments(tmp_path: Path) -> None:
    code = "extern int (*hook)(int *); int s; void f(void) { if (hook && hook(&s) == 3 && s == 7) s = 1; }"
    model = reflected(tmp_path, code, AB + "  A -> B\n")
    assert edge(model, "A", "B").results == YES
    assert before(edge(model, "A", "B"))["hook"] == "a function that is not known"


# ---- what functions without a body do


def test_every_function_without_a_body_is_in_the_ledger(tmp_path: Path) -> None:
    code = (
        "void plain(void); int get(void); void fill(int *p); int both(const int *a, int *p); void unused(void);\n"
        "void stop(void) __attribute__((noreturn)); void later(void (*call)(void)); volatile int port;\n"
        "int s; void f(void) { plain(); if (get()) fill(&s); if (both(&s, &s)) stop(); later(plain); s = port; }"
    )
    assert reflected(tmp_path, code, AB).assumptions == (
        "`plain` has no body: it returns and changes nothing",
        "`get` has no body: it returns any value and changes nothing",
        "`fill` has no body: it sets all of what `p` points to, to any value, and changes nothing else",
        "`both` has no body: it returns any value, it sets all of what `p` points to, to any value, "
        "and changes nothing else",
        "`stop` has no body: a call of it ends the program",
        "`later` has no body: it returns and changes nothing",
        "`later` has no body: it does not call `call`",
        "each read of `port` gives any value of its type",
    )


# ---- what is shown


def test_pointers_are_shown_before_and_after(tmp_path: Path) -> None:
    code = (
        "struct P { int a, b; } pool[2]; struct P *act;\n"
        "void f(void) { if (act == &pool[0]) act = &pool[1]; else if (act == &pool[1]) act = &pool[0]; else act = 0; }"
    )
    machine = "  state A: act == &pool[0]\n  state B: act == &pool[1]\n"
    model = reflected(tmp_path, code, machine)
    shown = {
        pair: (e.witness.before, e.witness.after)
        for e in model.edges
        if e.witness is not None and (pair := (e.source, e.target))
    }
    assert shown == {
        ("A", "B"): ((("act", "&pool[0]"),), (("act", "&pool[1]"),)),
        ("B", "A"): ((("act", "&pool[1]"),), (("act", "&pool[0]"),)),
        ("other", "other"): ((("act", "null"),), ()),
    }


def test_the_pointer_that_a_state_looks_through_is_shown(tmp_path: Path) -> None:
    code = "int x, y, *p; void f(void) { if (p) *p = 1 - *p; }"
    model = reflected(tmp_path, code, "  assume p == &x\n  state A: *p == 0\n  state B: *p == 1\n  A -> B\n")
    assert before(edge(model, "A", "B"))["p"] == "&x"


def test_pointers_are_shown_as_what_their_types_see(tmp_path: Path) -> None:
    code = (
        "struct In { int v; }; struct Out { struct In in; int w; } o; struct Out *po; struct In *pi; int *pv;\n"
        "const char *text; int s; void f(void) {\n"
        '  if (po == &o && pi == &o.in && pv == &o.in.v && text) { s = 1; text = "on"; } else text = "off"; }'
    )
    model = reflected(tmp_path, code, "  assume s == 0\n" + AB)
    found = edge(model, "A", "B").witness
    assert found is not None
    values = dict(found.before)
    assert (values["po"], values["pi"], values["pv"]) == ("&o", "&o.in", "&o.in.v")
    assert dict(found.after).get("text", '"on"') == '"on"'
    assert any('"on", "off"' in text or '"off", "on"' in text for text in model.assumptions)


def test_unions_are_shown_by_the_members_that_the_code_uses(tmp_path: Path) -> None:
    code = (
        "union { int i; unsigned char by[4]; float unused; } u; struct { int k; union { int x; int y; }; } v;\n"
        "void f(void) { if (u.i == 7) { u.i = 256; v.y = 3; } else if (u.by[1] == 1) u.by[1] = 0; }"
    )
    machine = "  assume v.y == 0\n  state A: u.i == 7\n  state B: u.i == 256\n  state C: u.i == 0\n"
    found = edge(reflected(tmp_path, code, machine), "A", "B").witness
    assert found is not None
    assert dict(found.before)["u.i"] == "7"
    assert dict(found.after) == {"u.i": "256", "u.by[0]": "0", "u.by[1]": "1", "v.y": "3"}
    back = edge(reflected(tmp_path, code, machine), "B", "C").witness
    assert back is not None
    assert dict(back.after) == {"u.i": "0", "u.by[1]": "0"}


def test_members_of_a_parameter_are_shown(tmp_path: Path) -> None:
    code = (
        "struct R { char c; int n; _Bool on; int *p; }; int s;\n"
        "void f(struct R r) { if (r.n == 2 && r.on && !r.p) s = 1; }"
    )
    model = reflected(tmp_path, code, "  assume s == 0\n" + AB)
    values = before(edge(model, "A", "B"))
    assert {n: v for n, v in values.items() if n != "r.c"} == {"s": "0", "r.n": "2", "r.on": "true", "r.p": "null"}


# ---- parameters


def taken(model: ReflexionModel) -> tuple[str, ...]:
    return tuple(text for text in model.assumptions if text.startswith("`"))


NULL_ASKED = {
    "a branch": ("int s; void f(int *p) { if (p) return; s = 1; }", AB),
    "a comparison": ("int s; void f(int *p) { if (p == (void *)0) s = 1; }", AB),
    "a truth value": ("int s; void f(int *p) { _Bool b = p; s = !b; }", AB),
    "a copy": ("int s; void f(int *p) { const int *q = p; while (!q) { s = 1; return; } }", AB),
    "a function": ("static int no(const void *q) { return !q; } int s; void f(int *p) { s = no(p); }", AB),
    "an assumption": ("int s; void f(int *p) { s = p == 0; }", "  assume !p\n" + AB),
    "a condition": ("int s; void f(int *p) { s = 1; }", AB + "  A -> B when !p\n"),
}


@pytest.mark.parametrize(("code", "machine"), NULL_ASKED.values(), ids=NULL_ASKED.keys())
def test_a_parameter_may_be_null_where_it_is_compared_with_null(code: str, machine: str, tmp_path: Path) -> None:
    model = reflected(tmp_path, code, machine + ("" if "->" in machine else "  A -> B when !p\n"))
    assert edge(model, "A", "B").results[0] is Result.CONVERGENCE
    assert taken(model) == ("`p` is null or points to an object of its own",)


def test_a_parameter_that_is_not_compared_is_not_null(tmp_path: Path) -> None:
    model = reflected(tmp_path, "int s; void f(int *p) { int *q = p + 0; if (*p && *q) s = 1; }", AB)
    assert not any(e.target == "error" for e in model.edges)
    assert taken(model) == ("`p` is not null: it points to an object of its own",)


def test_nothing_is_told_of_an_object_that_is_not_given(tmp_path: Path) -> None:
    code = "struct S { int v; } ; int s; void f(struct S *p) { if (!p) s = 1; else if (p->v) s = 2; }"
    model = reflected(tmp_path, code, AB)
    assert before(edge(model, "A", "B")) == {"s": "0", "p": "null"}
    assert before(edge(model, "A", "other"))["p"] == "an object of its own"


def test_a_state_of_an_object_that_is_not_given_is_another(tmp_path: Path) -> None:
    code = "struct S { int v; }; void f(struct S *p) { if (p) p->v = 1; }"
    model = reflected(tmp_path, code, "  state A: p->v != 1\n  state B: p->v == 1\n  A -> B\n  B -> B\n")
    assert model.warnings == ()
    assert pairs(model) == {("A", "B"), ("B", "B"), ("other", "other")}
    assert model.uncovered == (("p", "null"),)
    again = reflected(tmp_path, code, "  assume p\n  state A: p->v != 1\n  state B: p->v == 1\n  A -> B\n  B -> B\n")
    assert pairs(again) == {("A", "B"), ("B", "B")}


SEVERAL = {
    "an index": ("if (n >= 2 && p[1] == 7) s = 1;", 16),
    "an index that is not known": ("if (n >= 0 && n < 12 && p[n] == 7) s = 1;", 16),
    "a far index": ("if (p[99] == 7) s = 1;", 100),
    "a limit": ("if (n >= 0 && n < 40 && p[n] == 7) s = 1;", 41),
    "a step": ("p++; if (*p == 7) s = 1;", 16),
    "a copy that is moved": ("const unsigned char *q = p; q += 3; if (*q == 7) s = 1;", 16),
    "a function": ("s = at(p, 5) == 7;", 16),
    "bytes": ("if (((const unsigned char *)(const void *)p)[9] == 7) s = 1;", 16),
    "a value is no length": ("if (p[1] == 200) s = 1;", 16),
}


@pytest.mark.parametrize(("body", "count"), SEVERAL.values(), ids=SEVERAL.keys())
def test_a_parameter_that_is_moved_leads_to_several_objects(body: str, count: int, tmp_path: Path) -> None:
    at = "static int at(const unsigned char *q, int i) { return q[i]; }\n"
    code = f"int s; {at}void f(const unsigned char *p, int n) {{ {body} }}"
    model = reflected(tmp_path, code, AB + "  A -> B\n")
    assert edge(model, "A", "B").results == YES
    assert ("A", "error") not in pairs(model)
    assert taken(model) == (f"`p` is not null: it points to the first of {count} objects of its own",)


def test_bytes_of_a_structure_are_parts_of_one(tmp_path: Path) -> None:
    code = (
        "#include <string.h>\nstruct S { short a, b; }; int s;\n"
        "void f(struct S *p, int *q) { memset(p, 0, sizeof *p); q[0] = 1; s = p->b == 0; }"
    )
    model = reflected(tmp_path, code, AB + "  A -> B\n")
    assert edge(model, "A", "B").results == YES
    assert all("an object of its own" in text for text in taken(model))


SAME = {
    "the code": ("int s; void f(int *a, int *b) { *a = 1; *b = 2; if (a == b) s = *a - 1; }", "a == b"),
    "a condition": ("int s; void f(int *a, int *b) { *a = 1; *b = 2; if (*a == 2) s = 1; }", "a == b"),
    "a member": ("struct S { int u, v; }; int s; void f(int *a, struct S *b) { if (a == &b->v) s = 1; }", "a == &b->v"),
    "a variable": ("int s, x; void f(int *a) { if (a == &x) s = 1; }", "a == &x"),
    "an element": ("int s, x[3]; void f(int *a) { if (a == x + 2) s = 1; }", "a == &x[2]"),
    "a pointer": ("int s; int *x; void f(int *a) { if (a == x) s = 1; }", "a == x"),
    "behind it": (
        "int s; void f(int *a, int *b) { if (a[0] && b[1] && b == a + 2) s = 1; }",
        "b == a + 2 && *a && b[1]",
    ),
    "before it": (
        "int s; void f(int *a, int *b) { if (b[0] && a[1] && a == b + 2) s = 1; }",
        "a == b + 2 && *b && a[1]",
    ),
}


@pytest.mark.parametrize(("code", "when"), SAME.values(), ids=SAME.keys())
def test_pointers_that_are_compared_may_lead_to_the_same(code: str, when: str, tmp_path: Path) -> None:
    model = reflected(tmp_path, code, AB + f"  assume s != 2\n  A -> B when {when}\n")
    assert edge(model, "A", "B").results == YES
    assert not any("do not point to the same" in text for text in model.assumptions)


def test_pointers_that_are_not_compared_lead_to_different_objects(tmp_path: Path) -> None:
    code = "int s; void f(int *a, char *c, int *b) { *a = 1; *b = 2; *c = 3; if (*a == 2) s = 1; }"
    model = reflected(tmp_path, code, AB + "  A -> B\n")
    assert edge(model, "A", "B").results == NO
    assert "`a` and `b` do not point to the same object" in model.assumptions


def test_a_pointer_leads_to_what_a_parameter_has_only_if_that_does(tmp_path: Path) -> None:
    code = (
        "struct N { int v; struct N *next; }; static struct N *head; int s;\n"
        "void f(struct N *n) { if (!n) { if (head && head->v == 5) s = 1; return; } n->next = head; head = n; }"
    )
    model = reflected(tmp_path, code, AB + "  A -> B when !n && head && head->v == 5\n")
    found = before(edge(model, "A", "B"))
    assert edge(model, "A", "B").results == YES
    assert (found["n"], found["head"], found["head->v"]) == ("null", "an object of its own", "5")


def test_calls_that_are_computed_tell_the_same_of_what_is_given(tmp_path: Path) -> None:
    code = (
        "struct S { int v; }; int s, g;\n"
        "void f(struct S *a, struct S *b) { if (!a) s = 1; else if (a == b) s = a->v; else s = b->v + g; }"
    )
    machine = "".join(f"  state S{n}: s == {n}\n" for n in range(4))
    (tmp_path / "a.c").write_text(code, encoding="utf-8")
    (tmp_path / "m.machine").write_text(f'machine M of f in "a.c"\n{machine}', encoding="utf-8")
    hypothesis = load_machine(str(tmp_path / "m.machine"))
    options = new_settings({"files": source_files(hypothesis)})
    few, all_of_them = (
        reflect_machine(hypothesis, options, Limits(questions=0, confirmed=n)).model.edges for n in (1, 64)
    )
    assert few == all_of_them
    assert any(("a", "null") in e.witness.before for e in few if e.witness is not None)


def test_a_constant_whose_const_is_cast_away(tmp_path: Path) -> None:
    """It is where the pointer may lead, beside the variables of its type."""
    code = (
        "struct ops { int k; }; static const struct ops table = { 1 }; static struct ops other; int s;"
        "static struct ops *ops = (struct ops *)&table; void set(void) { ops = &other; }"
        "void f(void) { if (ops == &table) s = ops->k; }"
    )
    found = edge(reflected(tmp_path, code, f"{AB}  A -> B when ops == &table\n"), "A", "B")
    assert found.results == YES
    assert before(found)["ops"] == "&table"
