"""Whatever is wrong with what the user gives: a clear message for each mistake, exit status 2, never a traceback."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from stateglass.cli.exits import Exit
from stateglass.frontend import read_program
from stateglass.frontend.building.files import MOST_BYTES
from stateglass.source import InputError
from tests.cli.running import stateglass

CODE = """typedef enum { IDLE, BUSY } mode;
mode now;
int read_level(void);

void step(int speed, unsigned char gain, mode m) {
    if (read_level() > speed + gain)
        now = m;
}

void reset(void) {
    now = IDLE;
}
"""


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    """A folder of the test's own as the current one: no project file lies above it."""
    (here / "motor.c").write_text(CODE, encoding="utf-8")
    return here


def refused(*argv: str, out: str = "") -> str:
    """What is said about a command line that must be refused."""
    ran = stateglass(*argv)
    assert ran.status is Exit.BAD_INPUT, ran.err
    assert ran.out == out
    assert "Traceback" not in ran.err
    assert ran.err.endswith("\n")
    return ran.err


def refused_extract(*options: str, function: str = "reset") -> str:
    return refused("extract", "motor.c", "--function", function, *options)


# ---- files


def test_missing_file() -> None:
    assert refused("extract", "missing.c") == "missing.c: error[file]: there is no such file\n"


def test_every_file_that_cannot_be_read_is_named(here: Path) -> None:
    (here / "folder.c").mkdir()
    (here / "binary.c").write_bytes(b"\x7fELF\x02\0\0")
    (here / "empty.c").write_text(" \n\t\n")
    said = refused("extract", "folder.c", "binary.c", "empty.c", "missing.c", "motor.c")
    assert said == (
        "folder.c: error[file]: this is a folder, not a C file\n"
        "  help: name the files in it\n"
        "binary.c: error[file]: this is a binary file, not C source\n"
        "empty.c: error[file]: the file is empty\n"
        "missing.c: error[file]: there is no such file\n"
    )


def test_file_without_permission(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "motor.c").chmod(0)
    if os.access(here / "motor.c", os.R_OK):  # the administrator may read everything

        def forbidden(path: Path, mode: str) -> NoReturn:
            raise PermissionError(13, "Permission denied", str(path))

        monkeypatch.setattr(Path, "open", forbidden)
    assert "motor.c: error[file]: the file cannot be read: Permission denied" in refused_extract()


def test_file_that_is_too_large(here: Path) -> None:
    with (here / "huge.c").open("wb") as file:
        file.truncate(33 << 20)
    said = refused("extract", "huge.c")
    assert said == f"huge.c: error[too-large]: the file has 34,603,008 bytes; the limit is {MOST_BYTES >> 20} MiB\n"


def test_a_file_without_an_end() -> None:
    said = refused("extract", "/dev/zero")
    assert said == "/dev/zero: error[too-large]: the file does not end; the limit is 32 MiB\n"


def test_a_file_name_that_clang_cannot_be_told() -> None:
    name = os.fsdecode(b"caf\xe9.c")
    Path(name).write_text("int x;", encoding="utf-8")
    with pytest.raises(InputError, match="the name of the file is not in UTF-8"):
        read_program((name,))


def test_a_variable_that_is_too_large(here: Path) -> None:
    (here / "large.c").write_text("char all[1ull << 40];\nint first(void) { return all[0]; }\n", encoding="utf-8")
    said = refused("extract", "large.c")
    assert "large.c:1:1: error[too-large]: `all` has 1,099,511,627,776 elements; the most is 1,048,576\n" in said


def test_brackets_nested_too_deep(here: Path) -> None:
    (here / "deep.c").write_text(f"int f(void) {{ return {'(' * 3000}1{')' * 3000}; }}\n", encoding="utf-8")
    assert "error[syntax]: bracket nesting level exceeded maximum" in refused("extract", "deep.c")


def test_code_nested_too_deep_is_not_supported(here: Path) -> None:
    usual = sys.getrecursionlimit()
    chain = "".join(f"if (x == {n}) return {n}; else " for n in range(2000))
    (here / "chain.c").write_text(f"int f(int x) {{ {chain} return 0; }}\n", encoding="utf-8")
    try:
        sys.setrecursionlimit(1000)
        ran = stateglass("extract", "chain.c", "--bound", "f.x={0, 1999}")
    finally:
        sys.setrecursionlimit(usual)
    assert ran.status is Exit.INCONCLUSIVE
    assert "not supported: code that is nested as deep as this (chain.c:1:1)" in ran.err


def test_an_enum_without_definition(here: Path) -> None:
    (here / "enum.c").write_text("enum e;\nvoid f(enum e *p) { }\n", encoding="utf-8")
    assert "no bound can say which values these take: `f.p`" in refused("extract", "enum.c")


def test_file_name_with_a_zero_byte() -> None:
    assert "control character" in refused("extract", "a\0b.c")


@pytest.mark.parametrize("command", ["doctor", "init"])
def test_other_commands_refuse_files_alike(command: str) -> None:
    assert refused(command, "missing.c") == "missing.c: error[file]: there is no such file\n"


# ---- C


def test_all_syntax_errors_are_shown_with_a_caret(here: Path) -> None:
    (here / "first.c").write_text("int f(void) {\n\treturn x;\n}\n\nint g(void) { return 1 }\n")
    (here / "second.c").write_text('#include "nowhere.h"\nint h;\n')
    said = refused("extract", "first.c", "second.c")
    assert said == (
        "first.c:2:9: error[syntax]: use of undeclared identifier 'x'\n"
        "    2 |     return x;\n"
        "      |            ^\n"
        "first.c:5:23: error[syntax]: expected ';' after return statement\n"
        "    5 | int g(void) { return 1 }\n"
        "      |                       ^\n"
        "second.c:1:10: error[syntax]: 'nowhere.h' file not found\n"
        '    1 | #include "nowhere.h"\n'
        "      |          ^\n"
        "  help: name its folder with -I (`stateglass doctor` looks for it nearby),\n"
        "        or go on without it: --missing-headers assume\n"
    )


def test_no_model_is_written_for_code_with_errors(here: Path) -> None:
    (here / "bad.c").write_text("int f(void) { return x; }\n")
    refused("extract", "bad.c", "-o", "bad.sg")
    assert not (here / "bad.sg").exists()


def test_nested_functions_are_no_c(here: Path) -> None:
    (here / "nested.c").write_text("int f(void) {\n    int g(void) { return 1; }\n    return g();\n}\n")
    assert "nested.c:2:17: error[syntax]: function definition is not allowed here" in refused("extract", "nested.c")


def test_everything_that_is_defined_twice(here: Path) -> None:
    (here / "one.c").write_text("int f(void) { return 1; }\nint x = 1;\n")
    (here / "two.c").write_text("int f(void) { return 2; }\nint x = 2;\n")
    said = refused("extract", "one.c", "two.c")
    assert "two.c:1:1: error[link]: `f` is defined twice\n" in said
    assert "  help: the other definition is at one.c:1:1\n" in said
    assert "two.c:2:1: error[link]: `x` is defined twice\n" in said


def test_a_file_with_nothing_to_call(here: Path) -> None:
    (here / "data.c").write_text("int x;\n")
    assert "there is no function with a body in data.c" in refused("extract", "data.c")


# ---- names


def test_unknown_functions_with_suggestions() -> None:
    assert refused_extract("--function", "tick", "--init", "rest", function="stpe") == (
        "error[unknown-name]: there is no function `stpe`\n"
        "  help: did you mean `step`?\n"
        "error[unknown-name]: there is no function `tick`\n"
        "  help: there is `reset`, `step`\n"
        "error[unknown-name]: there is no function `rest`\n"
        "  help: did you mean `reset`?\n"
    )


def test_function_without_a_body() -> None:
    said = refused_extract(function="read_level")
    assert said.startswith("motor.c:3:1: error[unknown-name]: the function `read_level` is declared but has no body\n")


@pytest.mark.parametrize("more", [("--function", "reset"), ("--init", "reset")])
def test_function_named_twice(more: tuple[str, str]) -> None:
    assert refused_extract(*more) == "error[usage]: the function `reset` is named twice\n"


def test_no_function_named() -> None:
    assert refused("extract", "motor.c") == (
        "error[usage]: say which function the environment calls\n"
        "  help: add --function NAME; there is `step`, `reset`\n"
    )


def test_no_class_named() -> None:
    code = "struct Gate { ~Gate() {} void open() { up = true; } bool up = false; };\nvoid use() { Gate g; g.open(); }\n"
    Path("gate.cpp").write_text(code + "void other() { use(); }\n")
    assert refused("extract", "gate.cpp") == (
        "error[usage]: say which class or function is looked at\n"
        "  help: add --class NAME; there is `Gate`\n"
        "        or --function NAME; there is `use`, `other`\n"
    )


@pytest.mark.parametrize(
    ("file", "help"),
    [
        ("motor.c", "a model is made of code by `stateglass extract motor.c -o model.sg`"),
        ("design.ccl", "`stateglass assembly` reads it"),
        ("motor.machine", "`stateglass reflect` reads it"),
    ],
)
def test_a_file_that_is_no_model(file: str, help: str) -> None:
    assert refused("info", file) == f"error[usage]: `{file}` is no model\n  help: {help}\n"


# ---- bounds


def test_all_missing_bounds_at_once_with_what_to_paste() -> None:
    assert refused_extract(function="step") == (
        "error[missing-bound]: 3 inputs need a bound:"
        " `step.speed` (int32), `step.gain` (uint8), `read_level()` (int32)\n"
        "  help: say which values they take, on the command line:\n"
        "            --bound 'step.speed=-10..10' \\\n"
        "            --bound 'step.gain=0..10' \\\n"
        "            --bound 'read_level()=-10..10'\n"
        "        or in stateglass.toml:\n"
        "            [system.main.bounds]\n"
        '            "step.speed" = "-10..10"\n'
        '            "step.gain" = "0..10"\n'
        '            "read_level()" = "-10..10"\n'
    )


def test_what_no_bound_can_be_given_for(here: Path) -> None:
    (here / "pointer.c").write_text("int f(int **p) { return **p; }\n")
    said = refused("extract", "pointer.c")
    assert said.startswith("error[missing-bound]: no bound can say which values these take: `f.p` (int32 * *)\n")


WINDOW = """struct window { short y, x, top, left, width, height, colour, flags, depth; };
struct window screen;
int put(struct window *where);
int clear(struct window *where);
int f(void) { return put(&screen) + clear(&screen); }
"""


def test_structures_with_many_members_are_asked_for_as_a_whole(here: Path) -> None:
    (here / "window.c").write_text(WINDOW)
    said = refused("extract", "window.c")
    assert "4 inputs need a bound: `put()` (int32), `clear()` (int32), `put.where` (window), `clear.where` (wi" in said
    assert "--bound 'put.where=list 0 of {0}'" in said
    assert "`put.where` and `clear.where` are what functions without a body write there: `list 0 of {0}` is" in said
    assert said.endswith(
        "        each of the 9 members behind `put.where` may have a bound, too: --bound 'put.where.y=-10..10'\n"
    )
    one = refused("extract", "window.c", "--bound", "put.where.depth=0..3")
    assert "`put.where.y` (int16), " in one
    assert "`clear.where` (window)" in one


def test_what_is_offered_for_a_structure_can_be_used(here: Path) -> None:
    (here / "pair.c").write_text(
        "struct p { int a, b; };\nint get(struct p *p);\nint f(void) {struct p p; return get(&p);}\n"
    )
    said = refused("extract", "pair.c", "--bound", "get()=0")
    assert "`get.p` is what `get`, which has no body, writes there: `list 0 of {0}` is nothing" in said
    fine = stateglass("extract", "pair.c", "--bound", "get()=0", "--bound", "get.p=list 0 of {0}", "-o", "p.sg")
    assert fine.status is Exit.OK
    assert "get: it has no body: it writes nothing through `p`" in fine.err
    said = refused("extract", "pair.c", "--bound", "get()=0", "--bound", "get.p=3")
    assert "its parts have bounds of their own: `get.p.a`, `get.p.b`; `list 0 of {0}` says that nothing is" in said


def test_what_is_left_of_a_member_of_a_union_can_have_a_bound(here: Path) -> None:
    (here / "union.c").write_text(
        "union u { char letter; int number; };\nint get(union u *u);\nint f(void) { union u u; return get(&u); }\n"
    )
    said = refused("extract", "union.c", "--bound", "get()=0")
    bounds = re.findall(r"--bound '(.*?)'", said)
    assert bounds == ["get.u.letter=-10..10", "get.u.number@8=0..10"]
    asked = [f"--bound={b}" for b in ("get()=0", *bounds)]
    assert stateglass("extract", "union.c", *asked, "-o", "u.sg").status is Exit.OK


@pytest.mark.parametrize(
    ("name", "spec", "said"),
    [
        ("step.sped", "0..3", "there is no input `step.sped` to give a bound for\n  help: did you mean `step.speed`"),
        ("reset()", "0..3", "there is no input `reset()` to give a bound for\n  help: `reset` has a body"),
        ("step.gain", "0..300", "300 cannot be a value of `step.gain`, which is `uint8`\n  help: it holds 0..255"),
        ("step.gain", "-1", "-1 cannot be a value of `step.gain`, which is `uint8`"),
        ("step.m", "IDEL", "`IDEL` is not in `enum mode`, the type of `step.m`\n  help: did you mean `IDLE`?"),
        ("step.speed", "0.5", "step.speed"),
        ("step.speed", '{"on", "off"}', "step.speed"),
        ("step.speed", "5..1", "step.speed"),
        ("step.speed", "0..", "step.speed"),
        ("step.speed", "", "`step.speed`: the bound is empty"),
        ("step.speed", "0..3 step 0", "step.speed"),
        ("step.speed", "0..99999999999999999999", "step.speed"),
        ("step.speed", "(((((", "step.speed"),
        ("", "0..3", "name"),
    ],
)
def test_bounds_that_do_not_fit(name: str, spec: str, said: str) -> None:
    fine = {"step.speed": "0..1", "step.gain": "0..1", "read_level()": "0..1", name: spec}
    options = [f"--bound={n}={s}" for n, s in fine.items()]
    answer = refused_extract(*options, function="step")
    assert answer.startswith("error[")
    assert said in answer


def test_several_wrong_bounds_are_all_reported() -> None:
    answer = refused_extract(
        "--bound=step.speed=nonsense", "--bound=step.gain=256", "--bound=step.x=1", "--bound=step.m=7", function="step"
    )
    for word in ("`nonsense`", "256", "`step.x`", "`read_level()`"):
        assert word in answer


def test_misspelt_bounds_do_not_ask_for_others_that_nobody_needs(here: Path) -> None:
    (here / "plain.c").write_text("int f(int a, int b) { return a & b; }\n")
    said = refused("check", "plain.c", "--bound", "f.c=1", "--bound", "g()=1")
    assert "there is no input `f.c`" in said
    assert "there is no input `g()`" in said
    assert "missing-bound" not in said
    assert "missing-bound" in refused("check", "plain.c", "--engine", "explicit", "--bound", "f.c=1")


def test_too_many_values_and_combinations() -> None:
    rest = ("--bound=step.gain=0..255", "--bound=read_level()=0")
    said = refused_extract("--bound=step.speed=0..2000000000", *rest, function="step")
    assert "`step.speed` would take 2000000001 values; the most is 65536" in said
    said = refused_extract("--bound=step.speed=0..20000", *rest, function="step")
    assert "`step` would be called with 10,240,512 combinations of arguments" in said


def test_too_many_ways_in_which_a_function_without_a_body_returns(here: Path) -> None:
    (here / "fill.c").write_text(
        "struct s { int a, b; };\nvoid fill(struct s *p);\nvoid f(void) { struct s s; fill(&s); }\n"
    )
    said = refused("extract", "fill.c", "--bound=fill.p.a=0..9999", "--bound=fill.p.b=0..9999")
    assert said.startswith("fill.c:2:1: error[bound]: `fill` could return in 100,000,000 ways\n")


def test_advice_names_the_system_of_the_project_file(here: Path) -> None:
    (here / "stateglass.toml").write_text('schema = 1\n[system.drive]\nsubject = "step"\n')
    assert "[system.drive.bounds]" in refused("extract", "motor.c")


def test_following_the_advice_is_enough(here: Path) -> None:
    said = refused_extract(function="step")
    advice = said[said.index("[system.main.bounds]") :]
    (here / "stateglass.toml").write_text("schema = 1\n" + "\n".join(line.strip() for line in advice.splitlines()))
    assert stateglass("extract", "motor.c", "--function", "step").status is Exit.OK


# ---- the project file


def test_a_project_file_with_five_mistakes(here: Path) -> None:
    (here / "stateglass.toml").write_text(
        "schema = 1\n"
        "[source]\n"
        'fils = ["motor.c"]\n'
        "[system.main]\n"
        "subject = 5\n"
        'mode = "stepp"\n'
        "[system.main.bounds]\n"
        '"step.speed" = 3\n'
        "[optoins]\n"
        "max_states = 9\n"
    )
    said = refused("extract")
    assert said.count("error[") == 5
    for place, words in (
        ("3:1", "there is no key `fils` in `[source]`"),
        ("5:11", "`subject`"),
        ("6:8", '`mode` should be "run" or "step"'),
        ("8:16", "the bound of `step.speed` should be a text"),
        ("9:2", "there is no key `optoins`"),
    ):
        line = next(text for text in said.splitlines() if text.startswith(f"stateglass.toml:{place}: error["))
        assert words in line
    for suggestion in ("did you mean `files`", "did you mean `step`?", "did you mean `options`?"):
        assert suggestion in said


@pytest.mark.parametrize("content", [b"schema = [", b"\xff\xfe", b"schema = 99\n", b"", b"schema = 1\nschema = 1\n"])
def test_project_files_that_make_no_sense(here: Path, content: bytes) -> None:
    (here / "stateglass.toml").write_bytes(content)
    assert "stateglass.toml" in refused("extract")


def test_unknown_project_and_system() -> None:
    assert "no.toml: error[file]: there is no such file" in refused_extract("--project", "no.toml")
    assert "there is no system `platform`" in refused_extract("--system", "platform")


# ---- the command line


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--frobnicate",), "there is no option `--frobnicate`"),
        (("--mode", "walk"), "is no value of `--mode`"),
        (("--ub", "hope"), "is no value of `--ub`"),
        (("--max-states", "0"), "--max-states is out of range"),
        (("--max-states", "many"), "invalid value for '--max-states'"),
        (("--timeout", "-1"), "--timeout is out of range"),
        (("--timeout", "nan"), "--timeout is out of range"),
        (("--max-depth", "0"), "--max-depth is out of range"),
        (("--bound", "now"), "`now` has no `=` between name and bound"),
        (("--target", "nonsense-unknown"), "--target=nonsense-unknown"),
        (("-o", "model.xyz"), "`model.xyz` has the unknown extension `.xyz`"),
        (("-o", "model", "--to", "xyz"), "xyz"),
        (("-o", "no/such/folder/model.sg"), "no/such/folder/model.sg"),
        (("-o", "no/such/folder/model.svg"), "no/such/folder/model.svg"),
    ],
)
def test_options_that_make_no_sense(options: tuple[str, ...], said: str) -> None:
    assert said in refused_extract(*options)


def test_a_flag_that_clang_does_not_know_is_dropped_and_said() -> None:
    ran = stateglass("extract", "motor.c", "--function", "reset", "--flag=-fno-such-thing")
    assert ran.status is Exit.OK
    assert ran.err.startswith("warning[flag]: clang does not know `-fno-such-thing`: dropped\n")


def test_nothing_to_extract_from() -> None:
    assert refused("extract").startswith("error[usage]: no C file is given\n")


# ---- models


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cut.sg", b"PK\x03\x04"),
        ("text.sg", b"not an archive"),
        ("empty.aut", b""),
        ("header.aut", b"des (0, 1, 2)\n"),
        ("range.aut", b'des (0, 1, 2)\n(0, "a", 7)\n'),
        ("list.json", b"[]"),
        ("cut.json", b'{"schema_version": 1'),
        ("deep.json", b"[" * 100_000),
        ("cut.dot", b"digraph {"),
        ("word.mmd", b"hello"),
        ("binary.aut", bytes(range(256))),
    ],
)
@pytest.mark.parametrize("command", [("info",), ("draw", "-o", "x.svg"), ("convert",)])
def test_malformed_models(here: Path, name: str, content: bytes, command: tuple[str, ...]) -> None:
    (here / name).write_bytes(content)
    verb, *options = command
    said = refused(verb, name, *(["x.json"] if verb == "convert" else []), *options)
    assert name in said
    assert not (here / "x.svg").exists()
    assert not (here / "x.json").exists()


def test_models_that_are_not_there(here: Path) -> None:
    (here / "folder.sg").mkdir()
    for name in ("missing.sg", "folder.sg", "motor.c", "missing"):
        assert name in refused("info", name)


@pytest.mark.parametrize(
    "argv",
    [
        "info gone.sg",
        "check gone --from sg --claim no-deadlock",
        "check gone.c",
        "check motor.c --function reset --claims gone",
        "scenario motor.c --function reset gone.scenarios",
        "replay gone",
        "monitor gone.sg log",
        "assembly gone.ccl",
        "reflect gone.machine",
        "diff gone.sg other.sg",
        "compare --by strong gone.sg other.sg",
        "compose gone.sg other.sg -o out.sg",
        "transform other.sg --edits gone -o out.sg",
        "extract motor.c --function reset --abstraction gone",
        "draw gone.sg -o out.svg",
        "scan gone.c",
    ],
)
def test_a_file_that_is_missing_is_told_in_the_same_words(argv: str, here: Path) -> None:
    for other in ("other.sg", "log"):
        (here / other).touch()
    name = next(word for word in argv.split() if word.startswith("gone"))
    assert refused(*argv.split()).startswith(f"{name}: error[file]: there is no such file\n")
