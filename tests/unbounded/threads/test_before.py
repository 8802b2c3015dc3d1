"""What runs once before all threads, and leaves them pointers to what they both use."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from stateglass.source import InputError
from stateglass.unbounded.engines import Engine
from tests.unbounded.threads.asking import Case, setting_of, verdict

HEAD = "#include <assert.h>\n#include <stdlib.h>\n"
LED = Case(HEAD, ("left", "right"))
USES = "void left(void) { *p = 1; } void right(void) { assert(*p == 0); }"


@pytest.mark.parametrize(
    ("set", "uses", "what"),
    [
        ("p = &x;", USES, "the variable `x`"),
        ("p = &x;", "void left(void) { x = 1; } void right(void) { assert(*p == 0); }", "the variable `x`"),
        ("p = malloc(sizeof *p); *p = 0;", USES, "memory that it allocates"),
        ("p = malloc(sizeof *p);", "void left(void) { free(p); } void right(void) { free(p); }", "that it allocates"),
    ],
)
def test_what_threads_both_use_by_pointers_that_were_set_before_is_not_known(
    set: str, uses: str, what: str, tmp_path: Path
) -> None:
    begins = f"static int x; static int *p; __attribute__((constructor)) static void init(void) {{ {set} }}"
    with pytest.raises(InputError, match=what):
        verdict(replace(LED, code=f"{HEAD}{begins} {uses}"), "no-error", tmp_path)


def test_what_nobody_changes_may_be_used_by_all(tmp_path: Path) -> None:
    code = """
    static int x, sum; static const int *p;
    __attribute__((constructor)) static void init(void) { x = 3; p = &x; }
    void left(void) { sum = *p; }
    void right(void) { assert(*p == 3); }
    """
    assert verdict(replace(LED, code=HEAD + code), "no-error", tmp_path) == "holds"


def test_a_pointer_is_not_shared_since_what_it_leads_to_would_be_too(tmp_path: Path) -> None:
    code = """
    int *now; void (*what)(void); static void none(void) { }
    void left(void) { int own = 5; now = &own; own = 7; own = 5; now = 0; what = none; }
    void right(void) { int *seen = now; if (seen) assert(*seen == 5); if (what) what(); }
    """
    case = replace(LED, code=HEAD + code, shared=("now=direct", "what=direct"))
    with pytest.raises(InputError) as error:
        setting_of(case, tmp_path)
    assert [p.message.partition(",")[0] for p in error.value.diagnostics] == ["`now` is shared"]


@pytest.mark.parametrize(("claim", "expected"), [("F a", "holds"), ("G !a", "violated"), ("G !b", "violated")])
def test_claims_about_events_are_known_where_something_runs_before(claim: str, expected: str, tmp_path: Path) -> None:
    code = """
    extern void a(void), b(void); static int n;
    __attribute__((constructor)) static void init(void) { n = 3; }
    void left(void) { if (n == 3) a(); } void right(void) { a(); b(); }
    """
    case = replace(LED, code=code, events=("a", "b"))
    assert verdict(case, claim, tmp_path, Engine.PREDICATE) == expected
    assert verdict(case, claim, tmp_path, Engine.EXPLICIT) == expected


@pytest.mark.parametrize("shared", [(), ("v=direct",)])
def test_a_variable_that_each_thread_has_is_not_taken_for_one_that_they_share(
    shared: tuple[str, ...], tmp_path: Path
) -> None:
    code = "_Thread_local int v; void left(void) { v = 1; assert(v == 1); } void right(void) { v = 2; }"
    with pytest.raises(InputError, match="each thread has a `v` of its own"):
        verdict(replace(LED, code=HEAD + code, shared=shared), "no-error", tmp_path)
    alone = "static _Thread_local int v = 1; void left(void) { assert(v == 1); } void right(void) { }"
    assert verdict(replace(LED, code=HEAD + alone), "no-error", tmp_path) == "holds"
    set_before = f"{alone} __attribute__((constructor)) static void init(void) {{ v = 2; }}"
    with pytest.raises(InputError, match="of which each thread has one"):
        verdict(replace(LED, code=HEAD + set_before), "no-error", tmp_path)
