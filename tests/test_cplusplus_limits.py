"""What of C++ is refused, in which words, and that the rest of a class works; and what ends a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.frontend import read_program
from stateglass.options import ExtractOptions
from stateglass.pipeline import extract
from stateglass.source import InputError
from tests.fuzz.agreement import run_machine

REFUSED = {
    "virtual base": (
        "struct V { int v = 1; }; struct D : virtual V {};",
        "int refused() { D d; return d.v; }",
        "it has a virtual base",
    ),
    "virtual base behind a pointer": (
        "struct V { int v = 1; }; struct D : virtual V {};",
        "int refused(D *d = nullptr) { return d ? d->v : 0; }",
        "virtual base",
    ),
    "coroutine": (
        "#include <coroutine>\nstruct Task { struct promise_type { Task get_return_object() { return {}; }"
        " std::suspend_never initial_suspend() { return {}; }"
        " std::suspend_never final_suspend() noexcept { return {}; }"
        " void return_void() {} void unhandled_exception() {} }; };",
        "Task refused() { co_return; }",
        "a coroutine",
    ),
    "assembly": (
        "",
        'int refused() { int r; asm("mrs %0, x" : "=r"(r)); return r; }',
        "inline assembly that has results",
    ),
    "array of objects from a function of the class": (
        "struct T { ~T() {} static void *operator new[](unsigned long n); };",
        "void refused() { delete[] new T[2]; }",
        "an `operator new[]` of the program for objects with destructors",
    ),
    "objects in an array of variable length": (
        "struct T { int v = 3; ~T() {} };",
        "int refused() { T t[n + 1]; return t[0].v; }",
        "an initialiser for an array of variable length",
    ),
    "pointer to a function of a second base": (
        "struct Z { virtual void q() {} int z; }; struct A { int x; int f(int n) { return n; } }; struct B : Z, A {};",
        "int refused() { int (A::*m)(int) = n ? &A::f : nullptr; int (B::*k)(int) = m; return k != nullptr; }",
        "a pointer to a function of a base that does not lie at the beginning",
    ),
    "vector": (
        "typedef int four __attribute__((vector_size(16)));",
        "int refused() { four f = {1, 2, 3, 4}; return f[n]; }",
        "variables of type four",
    ),
    "setjmp": ("#include <setjmp.h>\nstatic jmp_buf buffer;", "int refused() { return setjmp(buffer); }", "setjmp"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_function_is_left_out_with_its_reason_and_place_and_the_others_work(name: str, tmp_path: Path) -> None:
    before, function, reason = REFUSED[name]
    file = tmp_path / "machine.cpp"
    file.write_text(
        f"{before}\nclass Machine {{ int n = 0;\npublic: void step() {{ n = (n + 1) % 3; }}\n{function}\n}};\n"
    )
    extraction = extract(ExtractOptions((str(file),), of_class="Machine"))
    model = extraction.exploration.model
    assert {str(label) for label in model.labels} >= {"call(Machine.step)", "return(Machine.step)"}
    assert not any("refused" in str(label) for label in model.labels)
    (told,) = (text for text in model.origin.partial if "`Machine.refused`" in text)
    assert "is not called: not supported: " in told
    assert reason in told
    assert "machine.cpp:" in told


def test_what_a_module_exports_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "shapes.cpp"
    file.write_text("export module shapes;\nexport struct Shape { int area; };\n")
    with pytest.raises(InputError) as refused:
        read_program((str(file),))
    (problem,) = refused.value.diagnostics
    assert problem.message.startswith("modules are not supported")
    assert problem.span.line == 2


ENDS = {
    "noexcept is broken": "void f() noexcept { throw 1; } int main() { try { f(); } catch (...) {} return 0; }",
    "a condition of noexcept": "template <class T> void f(T) noexcept(sizeof(T) > 1) { throw 1; }"
    " int main() { try { f(1); } catch (...) {} return 0; }",
    "nobody catches": "int main() { throw 1; }",
    "nobody catches this type": "int main() { try { throw 1; } catch (long) {} return 0; }",
    "a destructor throws": "struct T { ~T() { throw 1; } }; int main() { try { T t; } catch (...) {} return 0; }",
    "two exceptions at once": "struct T { ~T() noexcept(false) { throw 1; } };"
    " int main() { try { T t; throw 2; } catch (...) {} return 0; }",
    "nothing to throw again": "int main() { throw; }",
    "an exception before main": "struct T { T() { throw 1; } } t; int main() { return 0; }",
    "std::terminate": "#include <exception>\nint main() { std::terminate(); }",
}


@pytest.mark.parametrize("name", ENDS)
def test_what_ends_the_program(name: str, tmp_path: Path) -> None:
    file = tmp_path / "end.cpp"
    file.write_text(ENDS[name])
    (end,) = run_machine(read_program((str(file),)).program)
    assert end.startswith("error(abort)")


def test_an_exception_that_a_condition_allows_is_caught(tmp_path: Path) -> None:
    file = tmp_path / "caught.cpp"
    text = "template <class T> void f(T) noexcept(sizeof(T) > 1) { throw 1; }"
    file.write_text(f"{text} int main() {{ try {{ f('c'); }} catch (...) {{ return 4; }} return 0; }}")
    assert run_machine(read_program((str(file),)).program) == ["exit(4)"]
