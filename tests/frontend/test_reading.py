"""Files are read with the flags of their project; headers that are missing are told, or assumed to be empty."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from stateglass.frontend import MissingHeaders, Reading, read_program
from stateglass.frontend.building.flags import flags_of
from stateglass.frontend.clang import libclang
from stateglass.program import Call
from stateglass.program.made import Made, MadePiece
from stateglass.source import InputError, render_diagnostics

pytestmark = pytest.mark.usefixtures("here")


def compiled(here: Path, **commands: str) -> tuple[str, ...]:
    """Writes a database with a command for each file, and gives the names of the files."""
    entries = [{"directory": str(here), "command": line, "file": f"{name}.c"} for name, line in commands.items()]
    (here / "compile_commands.json").write_text(json.dumps(entries))
    return tuple(f"{name}.c" for name in commands)


def said(reading: Reading) -> list[str]:
    return [d.message for d in reading.warnings]


def refusal(*files: str, **options: object) -> str:
    with pytest.raises(InputError) as error:
        read_program(files, **options)  # type: ignore[arg-type]
    return render_diagnostics(error.value.diagnostics)


def test_each_file_has_its_own_flags(here: Path) -> None:
    (here / "inc").mkdir()
    (here / "inc" / "size.h").write_text("#define SIZE 3\n")
    (here / "a.c").write_text('#include "size.h"\nint a[SIZE];\n')
    (here / "b.c").write_text("int b[SIZE];\n")
    files = compiled(here, a="gcc -Iinc -c a.c", b="gcc -DSIZE=5 -c b.c")
    reading = read_program(files)
    assert [str(reading.program.variables[name].type) for name in "ab"] == ["int32[3]", "int32[5]"]
    assert [f.origin for f in reading.surroundings.files] == ["compile_commands.json"] * 2
    assert reading.surroundings.files[1].shown == ("-std=gnu17", "-DSIZE=5")


def test_the_options_come_behind_the_database(here: Path) -> None:
    (here / "a.c").write_text("int a[SIZE];\n")
    files = compiled(here, a="gcc -DSIZE=5 a.c")
    assert str(read_program(files, ("-USIZE", "-DSIZE=7")).program.variables["a"].type) == "int32[7]"


def test_warnings_that_gcc_makes_errors_are_none(here: Path) -> None:
    (here / "a.c").write_text("int f(int x) { int unused; if (x = 1) return g(); }\n")
    read_program(compiled(here, a="gcc -Wall -Wextra -Werror -pedantic-errors -c a.c"))


def test_flags_that_only_gcc_knows_are_dropped_and_those_of_the_target_kept(here: Path) -> None:
    (here / "a.c").write_text("long f(void) { return sizeof(long); }\n")
    files = compiled(
        here,
        a="arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"
        " -mno-such-thing -fno-such-thing -fno-conserve-things a.c",
    )
    reading = read_program(files)
    [use] = reading.surroundings.files
    assert use.shown[-4:] == ("-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16")
    assert set(use.dropped) == {"-mno-such-thing", "-fno-such-thing", "-fno-conserve-things"}
    assert "clang does not know `-mno-such-thing`: dropped" in said(reading)
    assert (use.target, use.compiler) == ("arm-none-eabi", "arm-none-eabi-gcc")
    assert reading.program.target.pointer_size == 4


def test_a_flag_of_another_machine_asks_for_that_machine(here: Path) -> None:
    (here / "a.c").write_text("int i;\n")
    [warning] = read_program(("a.c",), ("-mmcu=atmega8",)).warnings
    assert "--target" in warning.help
    assert not read_program(("a.c",), ("-mmcu=atmega8",), "avr").warnings
    [warning] = read_program(("a.c",), ("-fno-such-thing",)).warnings
    assert not warning.help


def test_flags_for_another_machine_are_dropped_one_by_one(here: Path) -> None:
    (here / "a.c").write_text("int i;\n")
    [use] = read_program(compiled(here, a="gcc -mcpu=cortex-m4 -O2 -funsigned-char a.c")).surroundings.files
    assert use.shown == ("-std=gnu17", "-O2", "-funsigned-char")
    assert use.dropped == ("-mcpu=cortex-m4",)


def test_the_target_that_is_named_goes_before_the_flags_and_those_before_the_compiler(here: Path) -> None:
    (here / "a.c").write_text("int i;\n")
    files = compiled(here, a="arm-none-eabi-gcc --target=msp430 a.c")
    assert read_program(files).program.target.triple == "msp430"
    assert read_program(files, ("--target=avr",)).program.target.triple == "avr"
    assert read_program(files, target="i386").program.target.triple == "i386"


def test_a_machine_that_clang_does_not_know(here: Path) -> None:
    (here / "a.c").write_text("int i;\n")
    reading = read_program(compiled(here, a="zx81-none-elf-gcc a.c"))
    assert reading.program.target.triple == "host"
    assert said(reading) == ["clang does not know the machine of `zx81-none-elf-gcc`: the code is read for this one"]


def test_files_for_different_machines_are_refused(here: Path) -> None:
    (here / "a.c").write_text("int i;\n")
    (here / "b.c").write_text("int j;\n")
    text = refusal(*compiled(here, a="arm-none-eabi-gcc a.c", b="avr-gcc b.c"))
    assert "`b.c` is for avr with 16-bit pointers and 16-bit int, but `a.c` for arm-none-eabi" in text


def test_response_files_are_said(here: Path) -> None:
    (here / "a.c").write_text("int i;\n")
    assert said(read_program(compiled(here, a="gcc @x a.c"))) == [
        "`@x` in the command for `a.c` is not followed: it holds flags"
    ]


def test_flags_are_asked_about_once_for_many_files(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"f{i}" for i in range(20)]
    for name in names:
        (here / f"{name}.c").write_text("int x;\n")
    files = compiled(here, **{name: f"gcc -D{name} -fwrapv {name}.c" for name in names})
    asked: list[str] = []
    parse = libclang.parse

    def noting(path: str, flags: Sequence[str], text: str | None = None) -> object:
        asked.append(path)
        return parse(path, flags, text)

    monkeypatch.setattr(libclang, "parse", noting)
    flags_of(files, (), None, None)
    assert len(asked) <= 1


# ---- headers that are not there

MISSING = '#include "board.h"\n#include <vendor/hal.h>\nint n;\nvoid tick(void) { if (n < 2) n += hal_read(); }\n'


def test_all_missing_headers_are_told_and_nothing_that_follows_from_them(here: Path) -> None:
    (here / "a.c").write_text(MISSING + "board_t b;\n")
    (here / "b.c").write_text('#include "other.h"\n')
    text = refusal("a.c", "b.c")
    assert [line for line in text.splitlines() if "error" in line] == [
        "a.c:1:10: error[syntax]: 'board.h' file not found",
        "a.c:2:10: error[syntax]: 'vendor/hal.h' file not found",
        "b.c:1:10: error[syntax]: 'other.h' file not found",
    ]
    assert "--missing-headers assume" in text


def test_missing_headers_are_empty_if_asked_for(here: Path) -> None:
    (here / "a.c").write_text(MISSING)
    reading = read_program(("a.c",), ("-include", "forced.h"), missing_headers=MissingHeaders.ASSUME)
    assert [(h.name, str(h.span)) for h in reading.missing_headers] == [
        ("forced.h", "?"),
        ("board.h", "a.c:1:10"),
        ("vendor/hal.h", "a.c:2:10"),
    ]
    assert [str(a) for a in reading.assumptions] == [
        f"{name}: it was not found: it is taken to be empty" for name in ("forced.h", "board.h", "vendor/hal.h")
    ]
    assert list(reading.program.declarations) == ["hal_read"]
    assert reading.warnings == ()


def test_what_an_assumed_header_would_have_declared_is_an_error_that_says_so(here: Path) -> None:
    (here / "a.c").write_text(MISSING + "board_t b;\nint f(void) { return GPIO; }\n")
    text = refusal("a.c", missing_headers=MissingHeaders.ASSUME)
    assert "a.c:5:1: error[syntax]: unknown type name 'board_t'" in text
    assert "a.c:6:22: error[syntax]: use of undeclared identifier 'GPIO'" in text
    help = "perhaps it is declared in `board.h`, `vendor/hal.h`, which were not found and are taken to be empty"
    assert text.count(help) == 1  # once for both
    assert "file not found" not in text


def test_more_missing_headers_than_errors_are_shown(here: Path) -> None:
    (here / "a.c").write_text("".join(f'#include "h{i}.h"\n' for i in range(150)) + "int n;\n")
    reading = read_program(("a.c",), missing_headers=MissingHeaders.ASSUME)
    assert len(reading.missing_headers) == 150


def test_a_header_that_is_asked_after_is_not_missing(here: Path) -> None:
    (here / "a.c").write_text("#if __has_include(<no.h>)\n#include <no.h>\n#endif\nint n;\n")
    assert read_program(("a.c",), missing_headers=MissingHeaders.ASSUME).missing_headers == ()


# ---- leaving out what is wrong


def test_files_with_errors_can_be_left_out(here: Path) -> None:
    (here / "good.c").write_text("int f(void) { return 1; }\n")
    (here / "bad.c").write_text("int g(void) { return x; }\n")
    reading = read_program(("bad.c", "good.c"), leave_out_bad=True)
    assert reading.program.files == ("good.c",)
    assert reading.left_out == ("bad.c",)
    assert [d.message for d in reading.errors] == ["use of undeclared identifier 'x'"]


def test_files_that_do_not_fit_together_can_be_left_out(here: Path) -> None:
    (here / "a.c").write_text("int f(void) { return 1; }\n")
    (here / "b.c").write_text("int f(void) { return 2; }\n")
    reading = read_program(("a.c", "b.c"), leave_out_bad=True)
    assert reading.left_out == ("a.c", "b.c")
    assert reading.program.files == ()
    assert [d.message for d in reading.errors] == ["`f` is defined twice"]


# ---- functions that are declared otherwise than they are defined


def test_a_result_of_another_width_is_refused_with_both_places(here: Path) -> None:
    (here / "a.c").write_text("long big(void);\nint f(void) { return big(); }\n")
    (here / "b.c").write_text("int big(void) { return 1; }\n")
    text = refusal("a.c", "b.c")
    assert "a.c:2:22: error[link]: `big` gives int64 where it is called and int32 where it is defined" in text
    assert "the definition is at b.c:1:1" in text


def test_an_argument_of_another_width_is_said(here: Path) -> None:
    (here / "a.c").write_text(
        "int narrow(int), wide(int), same(int);\nint f(void) { return narrow(1) + wide(2) + same(3); }\n"
    )
    (here / "b.c").write_text(
        "int narrow(short n) { return n; }\nint wide(long n) { return n; }\nint same(unsigned n) { return n; }\n"
    )
    assert [w.message for w in read_program(("a.c", "b.c")).warnings] == [
        "`narrow` is given int32 for `n` here and takes int16 where it is defined",
        "`wide` is given int32 for `n` here and takes int64 where it is defined",
    ]


# ---- attributes


@pytest.mark.parametrize("flags", [(), ("-w",), ("-Wno-attributes",)])
def test_another_byte_order_in_a_record_is_refused(here: Path, flags: tuple[str, ...]) -> None:
    (here / "a.c").write_text('struct __attribute__((scalar_storage_order("big-endian"))) s { int x; } s;\n')
    text = refusal("a.c", flags=flags)
    assert "a.c:1:23: error[unsupported]: the attribute `scalar_storage_order` is not supported" in text


def test_attributes_about_the_code_that_is_made_are_not_mentioned(here: Path) -> None:
    (here / "a.c").write_text("__attribute__((noclone, optimize(0))) int f(void) { return 1; }\n")
    assert read_program(("a.c",), flags=("-Wall",)).warnings == ()


BEHIND = """
extern "C" int memcmp(const void *, const void *, unsigned long);
struct made_T { int v; made_T() : v(seed) {} };
made_T made_t;
int made_f(int x) { return twice(x) + memcmp("a", "b", 1); }
"""


def test_text_behind_a_file_is_added_to_what_is_read(here: Path) -> None:
    (here / "a.cpp").write_text("int first();\nint seed = first();\nint twice(int x) { return 2 * x; }\n")
    # Another function goes by the name of one of the library, which nobody uses before.
    other = "static int memcmp(int x) { return x + 1; }\nint first() { return memcmp(4); }\nint last = first();\n"
    (here / "b.cpp").write_text(other)
    plain = read_program(("a.cpp", "b.cpp"))
    functions = list(plain.program.functions)
    pieces = (MadePiece("good", BEHIND), MadePiece("bad", "int made_g() { return nothing; }\n"))
    for _ in range(2):
        made = plain.with_made(Made("a.cpp", pieces))
        assert made.refused == {"bad": "use of undeclared identifier 'nothing'"}
        # What was there is the same, in the same order; the rest belongs to its file.
        assert [name for name in made.program.functions if name in functions] == functions
        assert all(made.program.functions[name] == plain.program.functions[name] for name in functions)
        own = [name for name in made.program.variables if not name.startswith("string#")]
        assert own == ["seed", "%made_t", "last"]
        assert made.program.constructors == ("start of a.cpp", "start of a.cpp, then", "start of b.cpp")
        blocks = made.program.functions["%made_f"].blocks
        assert [s.callee for b in blocks for s in b.statements if isinstance(s, Call)] == ["twice", "memcmp@library"]
        assert list(made.program.classes) == ["%made_T"]
    assert list(plain.program.functions) == functions
    assert not plain.program.classes
