"""The generator keeps its promises: same program for a seed, no undefined behaviour, every part of C it declares."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.generator import FEATURES, WIDE_FEATURES, Generated, generate, generate_wide
from tests.generator.gcc import SANITIZERS, GccError, gcc_available, run_many, run_with_gcc
from tests.generator.shrink import shrink, well_defined

SEEDS = range(16)
BOTH = pytest.mark.parametrize("make", [generate, generate_wide], ids=["core", "wide"])
needs_gcc = pytest.mark.skipif(not gcc_available(), reason="gcc is not installed")


@BOTH
def test_a_seed_gives_the_same_program(make: Callable[[int], Generated]) -> None:
    assert [make(seed).files for seed in range(5)] == [make(seed).files for seed in range(5)]
    assert make(1).files != make(2).files


@BOTH
def test_a_seed_gives_the_same_program_in_another_process(make: Callable[[int], Generated]) -> None:
    name = make.__name__
    script = f"from tests.generator import {name}; print(repr([{name}(s).files for s in range(3)]))"
    texts = []
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(__file__).parents[2])}
        command = [sys.executable, "-c", script]
        texts.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert texts[0] == texts[1] == repr([make(seed).files for seed in range(3)]) + "\n"


def test_every_declared_feature_occurs() -> None:
    seen: set[str] = set()
    for seed in range(200):
        seen |= generate(seed, size=40).features
    assert [f for f in FEATURES if f not in seen] == []
    assert not seen & set(WIDE_FEATURES)


def test_every_wide_feature_occurs() -> None:
    seen: set[str] = set()
    for seed in range(200):
        seen |= generate_wide(seed, size=40).features
    assert [f for f in (*FEATURES, *WIDE_FEATURES) if f not in seen] == []


@pytest.mark.parametrize("size", [0, 1, 10, 200])
def test_any_size_can_be_asked_for(size: int) -> None:
    assert all("main" in generate(seed, size).files["part0.c"] for seed in range(5))


@needs_gcc
@BOTH
def test_programs_have_one_meaning(make: Callable[[int], Generated]) -> None:
    """Sanitizers find nothing, and optimisation changes nothing."""
    programs = [make(seed).files for seed in SEEDS]
    plain = run_many(programs, ("-O0", "-Wall"))
    optimised = run_many(programs, ("-O2", "-Werror=sequence-point", "-Werror=maybe-uninitialized"))
    sanitized = run_many(programs, SANITIZERS)
    for seed, a, b, c in zip(SEEDS, plain, optimised, sanitized, strict=True):
        assert not isinstance(a, GccError), f"seed {seed}: {a}"
        assert a == b == c, f"seed {seed}: {b if isinstance(b, GccError) else c}"


@needs_gcc
def test_a_trace_ends_with_the_status(tmp_path: Path) -> None:
    source = "void observe(long long value);\nint main(void) { observe(-7); observe(1LL << 40); return 3; }\n"
    assert run_with_gcc({"a.c": source}, tmp_path) == [
        "call(observe, -7)",
        "call(observe, 1099511627776)",
        "exit(3)",
    ]


@needs_gcc
def test_gcc_errors_are_reported(tmp_path: Path) -> None:
    with pytest.raises(GccError, match="error"):
        run_with_gcc({"a.c": "int main(void) { return x; }\n"}, tmp_path)
    with pytest.raises(GccError, match="overflow"):
        run_with_gcc({"a.c": "int main(int c, char **v) { return 0x7fffffff + c; }\n"}, tmp_path, SANITIZERS)


@needs_gcc
def test_shrinking_keeps_the_failure_and_little_else() -> None:
    program = dict(generate(3).files)
    assert any(" switch (" in text for text in program.values())

    def still_fails(files: dict[str, str]) -> bool:
        text = "".join(files.values())
        return "switch (" in text and "main(" in text and text.count("{") == text.count("}")

    small = shrink(program, still_fails, max_checks=3000)
    assert sum(map(len, small.values())) < 200
    assert well_defined(program)


@needs_gcc
@pytest.mark.parametrize(
    "source",
    [
        "void observe();\nint main(void) { observe(1); return 0; }\n",
        "void observe(long long value);\nint main(void) { int x; observe(x); return 0; }\n",
        "void observe(long long value);\nint main(void) { int a[2] = {0}, i = 2; observe(a[i]); return 0; }\n",
        "void observe(long long value);\nint main(void) { int i = 2; i = i++ + 1; observe(i); return 0; }\n",
    ],
    ids=["no prototype", "uninitialised", "out of bounds", "unsequenced"],
)
def test_undefined_programs_are_not_well_defined(source: str) -> None:
    assert not well_defined({"a.c": source})


@needs_gcc
def test_files_that_disagree_are_not_well_defined() -> None:
    main = "int f(int a, int b);\nint main(void) { return f(1, 2); }\n"
    assert not well_defined({"a.c": main, "b.c": "int f(int a);\nint f(int a) { return a; }\n"})
    assert well_defined({"a.c": main, "b.c": "int f(int a, int b);\nint f(int a, int b) { return a - b + 1; }\n"})
