"""What a program uses and does not define comes from the library, and nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest
from clang.cindex import CursorKind

from stateglass.explore.machine import Machine
from stateglass.explore.pauses import Failing, Returning
from stateglass.frontend import Reading, read_program
from stateglass.frontend.clang import libclang
from stateglass.frontend.linking.library import library_flags
from stateglass.frontend.linking.library_index import library_files
from stateglass.frontend.lowering.types import is_internal
from stateglass.program import Unsupported
from stateglass.program.callgraph import statements_of
from stateglass.source import LIBRARY, InputError
from stateglass.system import build_system, default_function, guess_system
from stateglass.values import Concrete


def reading(folder: Path, *texts: str, target: str | None = None, flags: tuple[str, ...] = ()) -> Reading:
    files = []
    for number, text in enumerate(texts):
        path = folder / f"file{number}.c"
        path.write_text(text, encoding="utf-8")
        files.append(str(path))
    return read_program(tuple(files), flags, target)


def result_of(found: Reading, function: str = "f") -> int:
    pause = Machine(found.program, Concrete()).start(function, [])
    assert isinstance(pause, Returning), pause
    assert isinstance(pause.value, int)
    return pause.value


@pytest.mark.parametrize("name", library_files())
def test_a_file_defines_the_one_name_it_is_called_by(name: str) -> None:
    unit, _ = libclang.parse(str(library_files()[name]), library_flags(()))
    defined = []
    for cursor in unit.cursor.get_children():
        is_function = cursor.kind is CursorKind.FUNCTION_DECL and cursor.is_definition()
        is_variable = cursor.kind is CursorKind.VAR_DECL and cursor.location.file.name == unit.spelling
        if (is_function or is_variable) and not is_internal(cursor):
            defined.append(cursor.spelling)
    assert defined == [name]


def test_names_are_unique() -> None:
    names = [path.stem for path in libclang.LIBRARY_FOLDER.glob("*/*.c")]
    assert sorted(names) == sorted(library_files())


def test_everything_in_the_library_is_supported(tmp_path: Path) -> None:
    headers = ["string", "stdlib", "ctype", "inttypes", "endian", "netinet/in", "signal", "errno", "stdio", "getopt"]
    headers += ["assert", "unistd", "math", "stateglass/exceptions", "stateglass/parts"]
    text = "#define _GNU_SOURCE\n" + "".join(f"#include <{h}.h>\n" for h in headers)
    text += (
        "void __VERIFIER_assert(int); void __VERIFIER_assume(int);\nvoid __VERIFIER_error(void), reach_error(void);\n"
        "void assume_abort_if_not(int), __VERIFIER_nondet_memory(void *, size_t);\n"
    )
    addresses = ", ".join(f"(void *)&{name}" for name in library_files())
    program = reading(tmp_path, text + f"void *all[] = {{{addresses}}};\n").program
    taken = {name for name, function in program.functions.items() if function.span.in_library}
    taken |= {name for name, variable in program.variables.items() if variable.defined and not variable.unsupported}
    assert [name for name in library_files() if name not in taken] == []
    trouble = {
        f.name: s.reason
        for f in program.functions.values()
        for s in statements_of(f.blocks)
        if isinstance(s, Unsupported)
    }
    # What the library says itself that it cannot do.
    assert set(trouble) == {"__stateglass_read_real", "put_argument", "round_to"}


def test_only_what_is_used_is_taken(tmp_path: Path) -> None:
    found = reading(tmp_path, '#include <string.h>\nint f(void) { return (int)strlen("four"); }')
    assert list(found.program.functions) == ["f", "strlen"]
    assert found.program.functions["strlen"].span.file == LIBRARY + "string/strlen.c"
    assert result_of(found) == 4


def test_what_the_library_uses_is_taken_too(tmp_path: Path) -> None:
    found = reading(tmp_path, '#include <stdlib.h>\nint f(void) { return (int)strtol("0x20", 0, 0); }')
    assert set(found.program.functions) == {"f", "strtol", "__stateglass_read_number", "value_of"}
    assert found.program.variables["errno"].defined
    assert result_of(found) == 32


def test_the_users_own_definition_wins(tmp_path: Path) -> None:
    own = "#include <string.h>\nsize_t strlen(const char *s) { return 77; }\n"
    user = '#include <string.h>\nint f(void) { char b[9]; strcpy(b, "ab"); return (int)strlen(b) + b[1]; }'
    found = reading(tmp_path, own, user)
    assert not found.program.functions["strlen"].span.in_library
    assert found.program.functions["strcpy"].span.in_library
    assert result_of(found) == 77 + ord("b")


def test_the_users_own_errno_and_malloc_win(tmp_path: Path) -> None:
    text = """
        #include <stdlib.h>
        #include <string.h>
        int errno;
        static char pool[8];
        void *malloc(size_t n) { return pool; }
        int f(void) { strtol("1", 0, 99); strdup("a"); return errno; }
    """
    found = reading(tmp_path, text)
    assert not found.program.functions["malloc"].span.in_library
    assert not found.program.variables["errno"].span.in_library


def test_a_static_function_of_the_same_name_is_another_one(tmp_path: Path) -> None:
    own = "static int atoi(const char *s) { return 5; }\nint g(void) { return atoi(0); }"
    user = '#include <stdlib.h>\nint g(void);\nint f(void) { return 10 * g() + atoi("3"); }'
    assert result_of(reading(tmp_path, own, user)) == 53
    helper = "static int value_of(int n) { return n; }\nstatic int malloc(int n) { return n + 1; }\n"
    text = '#include <string.h>\nint h(void);\nint f(void) { return h() + (int)strspn("aab", "a"); }'
    assert result_of(reading(tmp_path, helper + "int h(void) { return value_of(1) + malloc(1); }", text)) == 5


def test_a_static_name_stays_when_the_library_needs_it(tmp_path: Path) -> None:
    own = "static int malloc(int n) { return n + 1; }\nint g(void) { return malloc(1); }"
    user = '#include <string.h>\nint g(void);\nint f(void) { char *p = 0; if (g() == 3) p = strdup("a"); return g(); }'
    found = reading(tmp_path, own, user)
    assert not found.program.functions["malloc"].span.in_library
    assert found.program.functions["malloc@library"].span.in_library
    assert result_of(found) == 2


def test_something_else_of_the_same_name_is_no_library_function(tmp_path: Path) -> None:
    found = reading(tmp_path, "struct s { int i; };\nint div(struct s *p);\nint f(struct s *p) { return div(p); }")
    assert list(found.program.functions) == ["f"]
    assert list(found.program.declarations) == ["div"]
    found = reading(tmp_path, "extern long errno;\nextern int stdin;\nint f(void) { return (int)errno + stdin; }")
    assert [v.name for v in found.program.variables.values() if not v.defined] == ["errno", "stdin"]
    assert result_of(found) == 0


def test_a_function_without_prototype_is_taken(tmp_path: Path) -> None:
    found = reading(tmp_path, 'int atoi();\nint f(void) { return atoi("12"); }')
    assert result_of(found) == 12


def test_functions_of_the_library_are_not_offered(tmp_path: Path) -> None:
    found = reading(tmp_path, '#include <string.h>\nint f(void) { return (int)strlen("four"); }')
    assert found.program.files == tuple(n for n in found.program.files if not n.startswith(LIBRARY))
    assert found.program.own_functions == ["f"]
    assert default_function(found.program) == "f"
    assert guess_system(found.program, (), None, None, {}).functions == ("f",)
    with pytest.raises(InputError, match="`strlen` is a function of the C library"):
        build_system(found.program, ("strlen",))


def test_flags_for_the_program_do_not_reach_the_library(tmp_path: Path) -> None:
    text = '#include <string.h>\nint f(void) { return (int)strlen("\\xff"); }'
    flags = ("-Dn=oops", "-D", "size_t=oops_t", "-funsigned-char", "-std=c99", "-include", "stddef.h")
    assert library_flags(flags)[-1] == "-funsigned-char"
    assert not any("oops" in f or "stddef.h" in f for f in library_flags(flags))
    assert result_of(reading(tmp_path, text, flags=("-Dn=oops", "-funsigned-char"))) == 1


@pytest.mark.parametrize("target", ["avr", "msp430", "arm-none-eabi", "i386", "powerpc-none-eabi"])
def test_the_library_runs_for_every_target(tmp_path: Path, target: str) -> None:
    text = """
        #include <stdlib.h>
        #include <string.h>
        #include <arpa/inet.h>
        int f(void) {
            char b[12];
            unsigned char wire[2];
            uint16_t port = htons(0x1234);
            memset(b, 0, sizeof b);
            strcat(strcpy(b, "-12"), "34");
            wire[0] = *(unsigned char *)&port;
            return atoi(b) + wire[0] + (int)strlen(b);
        }
    """
    assert result_of(reading(tmp_path, text, target=target)) == -1234 + 0x12 + 5


@pytest.mark.parametrize("call", ["assert(n == 2)", "__VERIFIER_assert(n == 2)", "reach_error()", "__VERIFIER_error()"])
def test_failed_assertions(tmp_path: Path, call: str) -> None:
    text = "#include <assert.h>\nvoid __VERIFIER_assert(int); void reach_error(void); void __VERIFIER_error(void);\n"
    found = reading(tmp_path, text + f"int f(void) {{ int n = 1; {call}; return n; }}")
    pause = Machine(found.program, Concrete()).start("f", [])
    assert isinstance(pause, Failing)
    assert pause.kind == "assertion"


@pytest.mark.parametrize("name", ["reach_error", "__VERIFIER_error"])
@pytest.mark.parametrize("body", ["", "abort();", "for (;;);", "if (n) assert(0);", "exit(1);"])
def test_what_must_not_be_called_fails_whatever_it_does(tmp_path: Path, name: str, body: str) -> None:
    text = f"#include <assert.h>\n#include <stdlib.h>\nint n;\nvoid {name}(void) {{ {body} }}\n"
    found = reading(tmp_path, text + f"int f(void) {{ {name}(); return 0; }}")
    pause = Machine(found.program, Concrete()).start("f", [])
    assert isinstance(pause, Failing)
    assert (pause.kind, pause.span.line) == ("assertion", 4)


def test_what_must_not_be_called_fails_where_it_says_so(tmp_path: Path) -> None:
    text = "#include <assert.h>\nint n;\nvoid reach_error(void) {\n n++;\n assert(0);\n}\n"
    found = reading(tmp_path, text + "int f(void) { reach_error(); return 0; }")
    pause = Machine(found.program, Concrete()).start("f", [])
    assert isinstance(pause, Failing)
    assert (pause.kind, pause.span.line) == ("assertion", 5)


def test_no_assertion_with_ndebug(tmp_path: Path) -> None:
    text = '#define NDEBUG\n#include <assert.h>\nint f(void) { assert(0); return 3; }\nstatic_assert(1, "");\n'
    assert result_of(reading(tmp_path, text)) == 3


@pytest.mark.parametrize(
    ("code", "chosen"),
    [
        ("static int get(void) { return 1; }\nint f(void) { return get(); }", "f"),
        ("static int get(void) { return 1; }", "get"),
        ("static int get(void);\nint get(void) { return 1; }\nint f(void) { return get(); }", "f"),
        ("static int get(void) { return 1; }\nint main(void) { return get(); }\nint f(void) { return 1; }", "main"),
        ("static int get(void) { return 1; }\nstatic int f(void) { return get(); }", None),
        ("int get(void) { return 1; }\nint f(void) { return get(); }", None),
    ],
)
def test_the_function_that_others_can_call_is_taken_if_there_is_one(
    tmp_path: Path, code: str, chosen: str | None
) -> None:
    found = reading(tmp_path, code)
    if chosen is not None:
        assert default_function(found.program) == chosen
        return
    with pytest.raises(InputError, match="say which function the environment calls"):
        default_function(found.program)
