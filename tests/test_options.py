"""The project file and the settings that come out of file, environment and command line."""

from __future__ import annotations

import contextlib
import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stateglass.options import (
    ExtractOptions,
    HypothesisOptions,
    LimitOptions,
    Project,
    SourceOptions,
    SystemOptions,
    find_project,
    merge,
    origins,
    read_project,
    write_project,
)
from stateglass.options.claims import claims_in
from stateglass.options.positions import find_positions
from stateglass.source import Code, InputError, Severity, render_diagnostics

FULL = """\
schema = 1

[source]
files = ["src/a.c", "b.c"]
compile_commands = "build"
flags = ["-O2"]
target = "arm-none-eabi"
include = ["inc"]
define = ["SIZE=4"]

[system.door]
subject = ["open", "close"]
init = "reset"
mode = "step"
[system.door.bounds]
"open.x" = "0..10"
close.y = '{"a"}'

[system.main]
subject = "main"

[options]
ub = "wrap"
volatile = "memory"
max_states = 5000
timeout = 2.5
steps = "all"
max_depth = 8
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "stateglass.toml"


def written(file: Path, text: str | bytes) -> Path:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def complaints(file: Path) -> str:
    with pytest.raises(InputError) as error:
        read_project(file)
    return render_diagnostics(error.value.diagnostics)


def test_everything_that_a_project_file_can_say(file: Path) -> None:
    project, warnings = read_project(written(file, FULL))
    assert warnings == ()
    assert project == Project(
        file,
        SourceOptions(("src/a.c", "b.c"), "build", ("-O2",), "arm-none-eabi", ("inc",), ("SIZE=4",)),
        (
            SystemOptions("door", ("open", "close"), "reset", "step", (("open.x", "0..10"), ("close.y", '{"a"}'))),
            SystemOptions("main", ("main",)),
        ),
        LimitOptions("wrap", (), "memory", "all", 5000, 2.5, 8),
    )


def test_line_ends_and_a_byte_order_mark_of_other_systems_are_read(file: Path) -> None:
    text = b"\xef\xbb\xbf" + FULL.replace("\n", "\r\n").encode()
    assert read_project(written(file, text))[0].options.max_depth == 8


def test_all_mistakes_are_reported_at_once_with_their_lines(file: Path) -> None:
    mistakes = """\
schema = 2
[source]
file = ["a.c"]
flags = ["-O2", 3]
[system.motor]
subject = 4
mode = "stepp"
[system.motor.bounds]
"step.x" = "0..q"
step.y = "10..0"
"3" = 4
[options]
timeout = -1
ub = true
max_states = "many"
max_dept = 3
"""
    shown = complaints(written(file, mistakes))
    expected = [
        (1, 10, "this version of Stateglass reads `schema = 1` and no other"),
        (3, 1, "there is no key `file` in `[source]`"),
        (4, 17, "element 2 of `flags` should be a text, not a whole number"),
        (6, 11, "`subject` should be a text or a list of texts, not a whole number"),
        (7, 8, '`mode` should be "run" or "step"'),
        (9, 16, "`q` stands where a number should"),
        (10, 11, "the range is empty"),
        (11, 1, "`3` is not the name of an input"),
        (11, 7, "the bound of `3` should be a text, not a whole number"),
        (13, 11, "`timeout` is out of range"),
        (14, 6, '`ub` should be "error" or "wrap" or "ignore", not `true`'),
        (15, 14, "`max_states` should be a whole number, not a text"),
        (16, 1, "there is no key `max_dept` in `[options]`"),
    ]
    found = [line for line in shown.splitlines() if ": error[" in line]
    assert len(found) == len(expected)
    for line, (number, column, message) in zip(found, expected, strict=True):
        assert line.startswith(f"{file}:{number}:{column}: ")
        assert message in line
    for hint in ("`files`", "`step`", "`max_depth`"):
        assert f"did you mean {hint}" in shown


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "`schema` is missing"),
        ("schema = true", "`schema` should be 1, not `true`"),
        ("schema = 1\nsource = 3", "`source` should be a table, not a whole number"),
        ("schema = 1\n[[system]]\nx = 1", "`system` should be a table, not a list"),
        ('schema = 1\n[system]\nsubject = "f"', "give the system a name: `[system.main]`"),
        ('schema = 1\n[system." "]\nsubject = "f"', "a system needs a name"),
        ("schema = 1\n[system.a]\nbounds = 3", "`bounds` should be a table"),
        ('schema = 1\n[system.a.bounds]\n"f.x" = "1"\nf.x = "2"', "`f.x` has a second bound"),
        ("schema = 1\n[system.a.bounds]\nf = {}", "should be a text, not a table"),
        ('schema = 1\n[source]\nfiles = "a.c"', "`files` should be a list of texts, not a text"),
        ('schema = 1\n[source]\nfiles = ["a\\u0000.c"]', "control character"),
        ('schema = 1\n[source]\ntarget = ""', "`target` is empty"),
        ("schema = 1\n[source]\ntarget = 2020-01-01", "not a date or time"),
        ("schema = 1\n[options]\nmax_states = 0", "from 1 to 2147483647"),
        ("schema = 1\n[options]\nmax_states = true", "should be a whole number, not `true`"),
        ("schema = 1\n[options]\ntimeout = inf", "`timeout` is out of range"),
        ("schema = 1\n[options]\ntimeout = nan", "`timeout` is out of range"),
        ('schema = 1\n[options]\nub = "warp"', "did you mean `wrap`?"),
        (f"schema = 0x{'f' * 9000}", "reads `schema = 1` and no other"),
        (f"schema = 1\n[options]\ntimeout = 0x{'f' * 9000}", "`timeout` is out of range"),
        (f"schema = 1\n[options]\nmax_depth = 0x{'f' * 9000}", "`max_depth` is out of range"),
        ("schema = 1\n[optoins]\n", "did you mean `options`"),
        ('schema = 1\n[system.a]\nclients = "ui"', "`clients` should be a list of texts, not a text"),
        ('schema = 1\n[system.a]\nclients = ["u i"]', "`u i` cannot be the name of a client"),
        ("schema = 1\n[system.a]\nclients = { ui = 3 }", "write `[system.a.clients.ui]`"),
        ("schema = 1\n[system.a.clients.ui]\nvisibel = 3", "did you mean `visible`"),
        ('schema = 1\n[system.a.clients."u.i"]\n', "`u.i` cannot be the name of a client"),
        ('schema = 1\n[system.a.callbacks]\n"motor.start" = 3', "`motor.start` should be a text or a list of texts"),
        ("schema = 1\n[system.a]\ncallback_depth = 0", "from 1 to 2147483647"),
        ('schema = 1\n[system.a]\ncallback_limit = "1"', "`callback_limit` should be a whole number, not a text"),
        ("schema = 1\nx : 2", ":2:3: error[project]: this is not TOML: expected '=' after a key"),
        ("schema = ", ":1:10: error[project]: this is not TOML: invalid value"),
        ("a = " + "9" * 5000, "this is not TOML"),
        ("a = " + "[" * 100000, "nested too deeply"),
        ("a" + ".a" * 50000 + " = 1", "more than 32 parts"),
    ],
)
def test_mistakes(file: Path, text: str, message: str) -> None:
    assert message in complaints(written(file, text))


def test_files_of_scenarios(file: Path) -> None:
    text = """\
schema = 1
[scenarios]
file = "lift.scenarios"
files = ["more.scenarios"]
"""
    project, warnings = read_project(written(file, text))
    assert project.scenarios.all == ("lift.scenarios", "more.scenarios")
    assert not warnings
    assert "`fil`" in complaints(written(file, text.replace("file =", "fil =")))


def test_what_is_said_about_a_class(file: Path) -> None:
    text = """\
schema = 1
[system.hall]
subject = "Hall"
members = { door = "process Door", lamps = "stub" }
visible = "enter"
throws_terminates = ["leave"]
can_throw = { "lamps[0].on" = ["Broken", "int"] }
[process.Door]
fsp = "DOOR = (a -> DOOR)."
"""
    project, warnings = read_project(written(file, text))
    assert not warnings
    (system,) = project.systems
    assert system.members == ("door=process Door", "lamps=stub")
    assert system.can_throw == ("lamps[0].on=Broken", "lamps[0].on=int")
    assert (system.visible, system.throws_terminates) == (("enter",), ("leave",))
    options = merge(project, None, {"members": ("door=stub",)}, {})
    assert options.members == ("door=process Door", "lamps=stub", "door=stub")
    assert options.processes == ("Door=DOOR = (a -> DOOR).",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[system.a]\nmembers = 3", "`members` should be a table"),
        ("[system.a]\nmembers = { x = 3 }", "`x` should be a text"),
        ("[system.a]\ncan_throw = { x = 3 }", "`x` should be a text or a list of texts"),
        ("[process]\nfsp = 'A = STOP.'", "`[process]` holds one table for each process"),
        ("[process.A]\n", "`fsp` is missing"),
        ("[process.A]\nfps = 'A = STOP.'", "did you mean `fsp`"),
    ],
)
def test_mistakes_about_a_class(file: Path, text: str, message: str) -> None:
    assert message in complaints(written(file, f"schema = 1\n{text}\n"))


def test_claims_have_names_texts_and_places(file: Path) -> None:
    project, warnings = read_project(written(file, 'schema = 1\n[claims]\nlevel = "G([x < 3])"\n"a.b" = "no-error"\n'))
    assert not warnings
    assert [(c.name, c.words.text, c.words.span.start.line, c.words.span.start.column) for c in project.claims] == [
        ("level", "G([x < 3])", 3, 10),
        ("a.b", "no-error", 4, 10),
    ]


@pytest.mark.parametrize(
    ("claims", "message"),
    [("level = 3", ":3:9: error[project]: `level` should be a text"), ('level = " "', "`level` is empty")],
)
def test_mistakes_in_claims(file: Path, claims: str, message: str) -> None:
    assert message in complaints(written(file, f"schema = 1\n[claims]\n{claims}\n"))


def test_a_file_of_claims() -> None:
    text = "# comment\nno-error\n\nup = G([x == 3] =>\n   F(down))  \n\nx = y => z\n"
    found = claims_in("c.claims", text)
    assert [(c.name, c.words.text) for c in found] == [
        ("", "no-error"),
        ("up", "G([x == 3] =>\n   F(down))"),
        ("x", "y => z"),
    ]
    assert [str(c.words.span) for c in found] == ["c.claims:2:1", "c.claims:4:6", "c.claims:7:5"]
    assert str(found[1].words.part(20, 21)) == "c.claims:5:7"


def test_comments_and_odd_names_in_a_file_of_claims() -> None:
    text = """\
no-error  # always
"the way back" = G([c == '#'] =>  # a sign
  F "a # b" & F `c # d`) # end
   # alone
e#f happens
"call(up)" => F x
"""
    found = claims_in("c.claims", text)
    assert [(c.name, c.words.text) for c in found] == [
        ("", "no-error"),
        ("the way back", "G([c == '#'] =>  \n  F \"a # b\" & F `c # d`)"),
        ("", "e#f happens"),
        ("", '"call(up)" => F x'),
    ]
    assert str(found[1].words.span) == "c.claims:2:18"


@pytest.mark.parametrize(
    ("text", "message"),
    [(" x", "there is none before it"), ("a =", "says nothing"), ("a = x\na = y", "two claims `a`")],
)
def test_mistakes_in_a_file_of_claims(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        claims_in("c.claims", text)


def test_all_mistakes_in_a_file_of_claims_are_told() -> None:
    with pytest.raises(InputError) as caught:
        claims_in("c.claims", " x\na =\nb: y\nb = z\n")
    assert [str(d.span) for d in caught.value.diagnostics] == ["c.claims:1:1", "c.claims:2:4", "c.claims:4:1"]


def test_a_name_may_stand_before_a_colon() -> None:
    found = claims_in("c.claims", "up: G p\nltl: G p\nmu: true\nsafe: ctl: AG p\n::g U p\n")
    assert [(c.name, c.words.text) for c in found] == [
        ("up", "G p"),
        ("", "ltl: G p"),
        ("", "mu: true"),
        ("safe", "ctl: AG p"),
        ("", "::g U p"),
    ]


@given(st.text())
def test_any_text_is_a_file_of_claims_or_an_error(text: str) -> None:
    with contextlib.suppress(InputError):
        for claim in claims_in("c.claims", text):
            assert claim.words.text.strip()


def test_hypotheses(file: Path) -> None:
    text = """\
schema = 1
[hypothesis.timer]
file = "timer.machine"
[hypothesis.motor]
file = "motor.mmd"
mapping = "names.machine"
"""
    project, warnings = read_project(written(file, text))
    assert warnings == ()
    assert project.hypotheses == (
        HypothesisOptions("timer", "timer.machine"),
        HypothesisOptions("motor", "motor.mmd", "names.machine"),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[hypothesis]\nfile = "x.machine"', "`[hypothesis]` holds one table for each hypothesis, not `file`"),
        ('[hypothesis.x]\nmapping = "x.machine"', "`file` is missing"),
        ("[hypothesis.x]\nfile = 3", "`file` should be a text, not a whole number"),
        ('[hypothesis.x]\nfile = "x.machine"\nfiel = 1', "there is no key `fiel` in `[hypothesis.x]`"),
        ("hypothesis = 3", "`hypothesis` should be a table, not a whole number"),
    ],
)
def test_mistakes_in_hypotheses(file: Path, text: str, message: str) -> None:
    assert message in complaints(written(file, f"schema = 1\n{text}\n"))


def test_files_that_cannot_be_read(tmp_path: Path, file: Path) -> None:
    assert "there is no such file" in complaints(tmp_path / "none.toml")
    assert "is a folder" in complaints(tmp_path)
    assert "cannot be read" in complaints(Path("a\0b"))
    assert "cannot be read" in complaints(tmp_path / ("x" * 5000))
    assert ":2:1: error[project]: byte 0xFF is not UTF-8" in complaints(written(file, b"schema = 1\n\xff"))
    assert "a project file has at most 1 MiB" in complaints(written(file, b"#" * (1 << 20) + b"\n"))
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in complaints(tmp_path / "pipe")


def test_the_nearest_project_file_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    outer = written(tmp_path / "stateglass.toml", "schema = 1")
    assert find_project(inner / "x.c") == outer
    nearer = written(tmp_path / "a" / "stateglass.toml", "schema = 1")
    assert find_project(inner / "x.c") == nearer
    assert find_project(inner) == nearer
    assert find_project(tmp_path) == outer
    monkeypatch.chdir(inner)
    assert find_project(Path("x.c")) == Path("../stateglass.toml")
    assert find_project(Path()) == Path("../stateglass.toml")


def test_a_folder_of_that_name_is_no_project_file(tmp_path: Path) -> None:
    (tmp_path / "stateglass.toml").mkdir()
    assert find_project(tmp_path) != tmp_path / "stateglass.toml"


TEXTS = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=12).filter(
    lambda t: bool(t.strip())
)
LISTS = st.lists(TEXTS, max_size=3).map(tuple)
BOUNDS = st.sampled_from(["0..10", "bool", '{"on", "off"}', "'a'..'z'", "{OFF, ON}", '"it\'s"'])


@given(
    st.builds(SourceOptions, LISTS, st.none(), LISTS, st.none() | TEXTS, LISTS, LISTS),
    TEXTS.filter(str.isprintable),
    st.lists(TEXTS, max_size=3),
    st.none() | TEXTS,
    st.sampled_from([None, "run", "step"]),
    st.dictionaries(st.from_regex(r"[a-z]{1,4}(\.[a-z]|\(\))?", fullmatch=True), st.tuples(BOUNDS, st.text())),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_written_project_reads_back(
    tmp_path: Path,
    source: SourceOptions,
    system: str,
    functions: list[str],
    init: str | None,
    mode: str | None,
    bounds: dict[str, tuple[str, str]],
) -> None:
    rows = [(name, spec, comment) for name, (spec, comment) in bounds.items()]
    text = write_project(source, system, functions, init, mode, rows)
    project, warnings = read_project(written(tmp_path / "stateglass.toml", text))
    assert warnings == ()
    assert project.source == source
    pairs = tuple((name, spec) for name, spec, _ in rows)
    assert project.systems == (SystemOptions(system, tuple(functions), init, mode, pairs),)


def test_a_project_is_written_for_people() -> None:
    text = write_project(
        SourceOptions(("motor.c",)), "main", ["step"], "init", "step", [("step.x", "-10..10", "int32")]
    )
    lines = text.splitlines()
    assert "[system.main]" in lines
    assert 'subject = "step"                        # the functions that run' in lines
    assert '"step.x" = "-10..10"                    # int32' in lines
    optional = "\n".join(line.removeprefix("# ") for line in lines[2:] if line.startswith("# "))
    assert set(tomllib.loads(optional)) == {"include", "define", "flags", "options"}


@pytest.mark.parametrize("name", ["a\ud800.c", "a\n.c", ""])
def test_what_no_project_file_can_hold_is_not_written(name: str) -> None:
    with pytest.raises(InputError):
        write_project(SourceOptions((name,)), "main", ["step"])


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda t: t.encode("utf-8", "surrogatepass")))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_give_a_project_or_an_input_error(tmp_path: Path, data: bytes) -> None:
    outcome(written(tmp_path / "stateglass.toml", data))


KEYS = st.sampled_from(
    [
        "schema",
        "source",
        "files",
        "flags",
        "system",
        "main",
        "subject",
        "mode",
        "bounds",
        "options",
        "timeout",
        "ub",
        "x",
        "",
    ]
)
LEAVES = st.sampled_from(
    [
        "1",
        "0",
        "-3",
        "true",
        "inf",
        "nan",
        "1.5",
        '"run"',
        '"0..3"',
        "'''a\n''b'''",
        '"""x\\"""\ny"""',
        '"\\u0000"',
        "1979-05-27",
    ]
)
LITERALS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda v: "[" + ", # c ]\n ".join(v) + "\n]"),
        st.dictionaries(KEYS, inner, max_size=3).map(
            lambda d: "{ " + ", ".join(f'"{k}" = {v}' for k, v in d.items() if "\n" not in v or "'" in v) + " }"
        ),
    ),
    max_leaves=5,
)
HEADERS = st.lists(KEYS, min_size=1, max_size=3).map(lambda keys: "[" + " . ".join(f'"{k}"' for k in keys) + "]")
PAIRS = st.tuples(st.lists(KEYS, min_size=1, max_size=2), LITERALS).map(
    lambda p: ".".join(k or "''" for k in p[0]) + f" = {p[1]} # comment = ["
)


@given(st.lists(HEADERS | PAIRS, max_size=6).map("\n".join))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
def test_any_toml_gives_a_project_or_an_input_error_and_has_its_positions(tmp_path: Path, text: str) -> None:
    outcome(written(tmp_path / "stateglass.toml", text))
    try:
        table = tomllib.loads(text)
    except ValueError:
        return
    positions = find_positions("p", text)
    pending: list[tuple[tuple[str | int, ...], object]] = [((key,), value) for key, value in table.items()]
    while pending:
        path, value = pending.pop()
        if not isinstance(path[-1], int):
            assert path in positions.keys
        if isinstance(value, dict):
            pending += [((*path, key), inner) for key, inner in value.items()]
        else:
            span = positions.values[path]
            assert span.start < span.end
        if isinstance(value, list):
            pending += [((*path, index), inner) for index, inner in enumerate(value)]


OF_SYSTEMS = st.sampled_from(
    ["callbacks", "callback_depth", "clients", "members", "can_throw", "visible", "ui", "::", "x"]
)
SAID = st.recursive(
    LEAVES | st.sampled_from(['"stub"', '"process P"', "2", '["ui", "remote"]']),
    lambda inner: st.dictionaries(OF_SYSTEMS, inner, max_size=3).map(
        lambda d: "{ " + ", ".join(f'"{k}" = {v}' for k, v in d.items() if "\n" not in v or "'" in v) + " }"
    ),
    max_leaves=4,
)


@given(st.dictionaries(OF_SYSTEMS, SAID, max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
def test_whatever_is_said_of_a_system_is_understood_or_refused(tmp_path: Path, said: dict[str, str]) -> None:
    text = "\n".join(["schema = 1", "[system.main]", *(f'"{key}" = {value}' for key, value in said.items())])
    outcome(written(tmp_path / "stateglass.toml", text))


def test_what_clients_do_is_read(file: Path) -> None:
    text = """\
schema = 1
[system.list]
clients = ["ui", "remote"]
[system.table.clients.ui]
visible = ["open", "close"]
throws_terminates = "open"
[system.table.clients.remote]
process = "Remote"
[system.table.callbacks]
"motor.start" = ["stopped", "jammed"]
"""
    project, _ = read_project(written(file, text))
    first, second = project.systems
    assert first.clients == ("ui", "remote")
    assert second.clients == (
        "ui",
        "ui.visible=open",
        "ui.visible=close",
        "ui.throws_terminates=open",
        "remote",
        "remote.process=Remote",
    )
    assert second.callbacks == ("motor.start=stopped", "motor.start=jammed")


def outcome(file: Path) -> None:
    try:
        project, warnings = read_project(file)
    except InputError as error:
        assert any(d.severity is Severity.ERROR for d in error.diagnostics)
        render_diagnostics(error.diagnostics).encode()
    else:
        assert project.path == file
        assert all(w.severity is Severity.WARNING for w in warnings)


def test_positions_of_keys_that_are_written_in_different_ways() -> None:
    text = 'a.b = [1, "x", {c = 2}]\n["d".e]\nf = """\n""\\"""" # no\ng = \'\'\n[[h]]\ni = 1\n'
    positions = find_positions("p", text)
    assert {path: (s.start.line, s.start.column) for path, s in positions.keys.items()} == {
        ("a",): (1, 1),
        ("a", "b"): (1, 3),
        ("a", "b", 2, "c"): (1, 17),
        ("d",): (2, 2),
        ("d", "e"): (2, 6),
        ("d", "e", "f"): (3, 1),
        ("d", "e", "g"): (5, 1),
        ("h",): (6, 3),
        ("h", "i"): (7, 1),
    }
    assert str(positions.value(("a", "b", 1))) == "p:1:11"
    assert positions.value(("d", "e", "f")).end.line == 4
    assert str(positions.key(("nowhere", "at", "all"))) == "p:1"
    assert str(positions.key(("d", "e", "missing"))) == "p:2:6"


def test_defaults_are_finite() -> None:
    options = merge(None, None, {}, {})
    assert options == ExtractOptions()
    assert (options.max_states, options.timeout, options.max_depth) == (1_000_000, 300.0, 64)


def test_command_line_before_environment_before_file_before_default(file: Path) -> None:
    project, _ = read_project(written(file, FULL))
    environment = {"STATEGLASS_MAX_STATES": "77", "STATEGLASS_TIMEOUT": " 9.5 "}
    assert merge(project, "main", {}, {}).max_states == 5000
    assert merge(project, "main", {}, environment).max_states == 77
    assert merge(project, "main", {}, environment).timeout == 9.5
    assert merge(project, "main", {"max_states": 3, "timeout": 1}, environment).max_states == 3
    assert merge(project, "main", {"ub": None, "files": ()}, {}).ub == "wrap"
    assert merge(project, "main", {"ub": "ignore"}, {}).ub == "ignore"
    assert merge(project, "main", {"max_states": 3}, {"STATEGLASS_MAX_STATES": "x"}).max_states == 3
    assert merge(None, None, {}, {"STATEGLASS_TIMEOUT": ""}).timeout == 300.0


def test_the_environment_of_the_process_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATEGLASS_MAX_STATES", "12")
    assert merge(None, None, {}).max_states == 12


def test_paths_of_the_file_are_seen_from_the_current_folder(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(file, FULL)
    folder = file.parent / "src"
    folder.mkdir()
    monkeypatch.chdir(folder)
    project, _ = read_project(Path("../stateglass.toml"))
    options = merge(project, "door", {"flags": ["-O0"]}, {})
    assert options.files == ("../src/a.c", "../b.c")
    assert options.flags == ("-I../inc", "-DSIZE=4", "-O2", "-O0")
    assert options.compile_commands == "../build"
    assert merge(project, "door", {"files": ["x.c"]}, {}).files == ("x.c",)


def test_bounds_of_the_command_line_go_before_those_of_the_file_name_by_name(file: Path) -> None:
    project, _ = read_project(written(file, FULL))
    options = merge(project, "door", {"bounds": ["open.x = 3", "z=bool", "z=bool"]}, {})
    assert options.bounds == (("open.x", "3"), ("close.y", '{"a"}'), ("z", "bool"))
    assert options.functions == ("open", "close")
    assert (options.init, options.mode) == ("reset", "step")


def test_which_system_is_meant(file: Path) -> None:
    project, _ = read_project(written(file, FULL))
    with pytest.raises(InputError) as error:
        merge(project, None, {}, {})
    assert "--system door or --system main" in render_diagnostics(error.value.diagnostics)
    assert merge(project, None, {"functions": ["close", "open"]}, {}).init == "reset"
    assert merge(project, None, {"functions": ["other"]}, {}).bounds == ()
    assert merge(project, "door", {"functions": ["other"]}, {}).init == "reset"
    alone = Project(file, systems=(SystemOptions("only", ("f",)),))
    assert merge(alone, None, {}, {}).functions == ("f",)
    open_to_all = Project(file, systems=(SystemOptions("main", bounds=(("f.x", "0..1"),)),))
    assert merge(open_to_all, None, {"functions": ["f"]}, {}).bounds == (("f.x", "0..1"),)
    assert [merge(p, None, {}, {}).system for p in (None, alone, open_to_all)] == ["main", "only", "main"]


def test_all_wrong_settings_are_reported_at_once(file: Path) -> None:
    project, _ = read_project(written(file, FULL))
    cli: dict[str, object] = {"ub": "warp", "bounds": ["x", "y=..", "a=1", "a=2"], "max_depth": 0, "functions": [""]}
    with pytest.raises(InputError) as error:
        merge(project, "dor", cli, {"STATEGLASS_MAX_STATES": "1e6", "STATEGLASS_TIMEOUT": "0"})
    shown = render_diagnostics(error.value.diagnostics)
    for said in (
        "there is no system `dor`",
        "did you mean `door`?",
        "STATEGLASS_MAX_STATES, `1e6`, should be a whole number",
        "STATEGLASS_TIMEOUT, `0`, is out of range",
        "did you mean `wrap`?",
        "`x` has no `=`",
        "`y`: `..` stands where",
        "`a` has two bounds: `1` and `2`",
        "--max-depth is out of range",
        "--function is empty",
    ):
        assert said in shown
    assert Code.UNKNOWN_NAME in {d.code for d in error.value.diagnostics}
    with pytest.raises(InputError) as error:
        merge(None, "door", {}, {})
    assert "there is no project file" in render_diagnostics(error.value.diagnostics)


def test_a_setting_that_does_not_exist_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="max_stats"):
        merge(None, None, {"max_stats": 3}, {})


def test_origins(file: Path) -> None:
    project, _ = read_project(written(file, FULL))
    rows = origins(project, "door", {"flags": ("-O0",), "bounds": ("z=1",)}, {"STATEGLASS_TIMEOUT": "5"})
    found = {name: (value, origin) for name, value, origin in rows}
    here = str(file)
    assert found["ub"] == ("wrap", here)
    assert found["timeout"] == (5.0, "environment variable STATEGLASS_TIMEOUT")
    assert found["bounds.open.x"] == ("0..10", here)
    assert found["bounds.z"] == ("1", "command line")
    assert found["flags"][1] == f"{here} and command line"
    shown = {*ExtractOptions.__slots__, "subject"} - {"bounds", "functions", "of_class", "places"}
    assert {n: o for n, _, o in origins(None, None, {}, {})} == dict.fromkeys(shown, "default")
    assert origins(project, None, {}, {})
