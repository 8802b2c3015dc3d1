"""What calls an object: parts that call it back before they have ended, several clients, and processes for both."""

from __future__ import annotations

import functools
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.rooms import ROOT
from stateglass.frontend import Reading
from stateglass.logic.reading.claim import read_claim
from stateglass.model import Model, parsed
from stateglass.operations.assembling import assemble, read
from stateglass.operations.composing import Transformation, transform_model
from stateglass.options import ExtractOptions
from stateglass.options.settings import settings
from stateglass.pipeline import check_program, extract
from stateglass.reduce import Equivalence
from stateglass.relate.answers import Related
from stateglass.relate.compare import compare
from stateglass.source import InputError
from stateglass.system.clients import Client, read_clients
from stateglass.work import silent
from tests.cli.running import stateglass

HOIST = str(ROOT / "examples" / "hoist" / "stateglass.toml")


@functools.cache
def read_hoist() -> Reading:
    return read(hoist())


def extracted(options: ExtractOptions) -> Model:
    return extract(options).exploration.model


def written(folder: Path, code: str, **asked: Any) -> ExtractOptions:
    file = folder / "code.cpp"
    file.write_text(code, encoding="utf-8")
    return ExtractOptions(files=(str(file),), **asked)


def hoist(**asked: Any) -> ExtractOptions:
    options, _ = settings({}, None, HOIST)
    return replace(options, **asked)


def verdict(options: ExtractOptions, text: str) -> str:
    (checked,) = check_program(options, [read_claim(text)]).checking.checked
    return str(checked.answer.verdict.value)


def edges_of(model: Model) -> dict[int, list[tuple[str, int]]]:
    """The labels and targets of each state's transitions."""
    found: dict[int, list[tuple[str, int]]] = {}
    for source, action, target in zip(model.sources, model.actions, model.targets, strict=True):
        found.setdefault(int(source), []).append((model.labels[action], int(target)))
    return found


def are_related(one: Model, other: Model, by: Equivalence) -> bool:
    return isinstance(compare(one, other, by, progress=silent), Related)


# ---- calls back


def test_a_motor_that_reports_before_it_has_started_is_forgotten() -> None:
    options, repaired = hoist(), hoist(flags=("-DREPAIRED",))
    claim = "ltl: G(call(Hoist.arrived) => F([stable && state == AtEnd]))"
    assert verdict(options, claim) == "violated"
    assert verdict(repaired, claim) == "holds"
    # Without a bound on how often it reports, it may go on reporting for ever.
    assert verdict(replace(repaired, callback_limit=None), claim) == "violated"


COUNTED = """
struct Bell { void ring(); };
struct Door {
    Bell bell;
    int heard = 0;
    void knock() { bell.ring(); heard = 0; }
    void echo(int by) { heard += by; }
};
"""


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_limit_bounds_how_often_one_call_is_followed_by_calls_back(limit: int, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"of_class": "Door", "callbacks": ("bell.ring=echo",), "visible": ("knock",)}
    options = written(tmp_path, COUNTED, bounds=(("echo.by", "1"),), callback_limit=limit, **asked)
    model = extracted(options)
    (heard,) = (p for p in model.propositions if p.name == "heard")
    assert {int(v) for v in heard.values} == set(range(limit + 1))
    assert not model.partial


NESTED = """
struct Bell { void ring(); };
struct Door {
    Bell bell;
    int depth = 0, deepest = 0;
    void knock() {
        depth++;
        if (depth > deepest) deepest = depth;
        bell.ring();
        depth--;
    }
};
"""


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_calls_back_nest_as_deep_as_is_said(depth: int, tmp_path: Path) -> None:
    options = written(tmp_path, NESTED, of_class="Door", callbacks=("bell.ring=knock",), callback_depth=depth)
    model = extracted(options)
    (deepest,) = (p for p in model.propositions if p.name == "deepest")
    assert max(int(v) for v in deepest.values) == depth + 1
    assert not model.partial
    ledger = [a.text for a in model.origin.assumptions if a.subject == "bell.ring"]
    assert any(f"nest at most {depth} deep" in text for text in ledger)


LENT = """
struct Bell { void ring(); };
struct Door {
    Bell bell;
    int knock(int &times, int code[2]) { bell.ring(); return times + code[0]; }
};
"""


def test_what_a_call_was_lent_is_not_taken_by_a_call_back(tmp_path: Path) -> None:
    bounds = (("knock.times", "1..2"), ("knock.code", "list 2 of {10, 20}"))
    options = written(tmp_path, LENT, of_class="Door", callbacks=("bell.ring=knock",), bounds=bounds)
    model = extracted(replace(options, callback_depth=2))
    assert not model.partial
    open_calls: dict[int, list[str]] = {model.initial: []}
    todo = [model.initial]
    edges = edges_of(model)
    seen_depths = set()
    while todo:
        state = todo.pop()
        for label, target in edges.get(state, []):
            stack = list(open_calls[state])
            action = parsed(label)
            if label.startswith("call(Door.knock"):
                stack.append(label)
                seen_depths.add(len(stack))
            elif label.startswith("return(Door.knock"):
                called = parsed(stack.pop())
                times = int(called.arguments[0].partition("=")[2])
                first = int(called.arguments[1].partition("{")[2].partition(",")[0])
                assert int(action.arguments[0]) == times + first
            if target not in open_calls:
                open_calls[target] = stack
                todo.append(target)
    assert seen_depths == {1, 2, 3}


ROOM = """
struct Two { int a, b; Two(int x) : a(x), b(x) {} Two(const Two &o) : a(o.a), b(o.b) {} };
struct Bell { void ring(); };
struct Door {
    Bell bell;
    Two knock(int v) { Two made(v); bell.ring(); return made; }
};
"""


def test_an_object_that_is_returned_is_not_overwritten_by_a_call_back(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"of_class": "Door", "callbacks": ("bell.ring=knock",), "bounds": (("knock.v", "1..2"),)}
    labels = set(extracted(written(tmp_path, ROOM, **asked)).labels)
    assert {"return(Door.knock, {.a=1, .b=1})", "return(Door.knock, {.a=2, .b=2})"} == {
        label for label in labels if label.startswith("return(Door.knock")
    }


THROWING = """
struct Jammed {};
struct Motor { void start(); };
struct Gate {
    Motor motor;
    int jams = 0;
    bool open() { try { motor.start(); } catch (const Jammed &) { return false; } return true; }
    void jam() { if (jams < 2) jams++; throw Jammed(); }
};
"""


def test_whoever_calls_back_catches_what_is_thrown(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"of_class": "Gate", "callbacks": ("motor.start=jam",), "visible": ("open",)}
    model = extracted(written(tmp_path, THROWING, **asked))
    assert "throw(Gate.jam, Jammed)" in model.labels
    assert "return(Gate.open, true)" in model.labels
    assert "return(Gate.open, false)" not in model.labels


def test_a_call_back_within_a_handler_leaves_its_exception_alone(tmp_path: Path) -> None:
    code = THROWING.replace("{ return false; }", "{ motor.start(); throw; }")
    asked: dict[str, Any] = {
        "of_class": "Gate",
        "callbacks": ("motor.start=jam",),
        "can_throw": ("motor.start=Jammed",),
    }
    model = extracted(written(tmp_path, code, visible=("open",), **asked))
    assert "throw(Gate.open, Jammed)" in model.labels
    assert not model.partial
    assert not any(label.startswith("error") for label in model.labels)


def test_a_constructor_is_called_back_before_it_has_ended(tmp_path: Path) -> None:
    code = """
struct Bell { void ring(); };
struct Door { Bell bell; int opened; Door() { bell.ring(); opened = 0; } int open() { return opened++; } };
"""
    model = extracted(written(tmp_path, code, of_class="Door", callbacks=("bell.ring=open",)))
    assert "error(uninitialised)" in model.labels


IN_C = """
void start_timer(void);
static int ticks;
void expired(int by) { ticks += by; }
int arm(void) { ticks = 0; start_timer(); return ticks; }
"""


def test_functions_of_a_program_in_c_are_called_back(tmp_path: Path) -> None:
    file = tmp_path / "timer.c"
    file.write_text(IN_C, encoding="utf-8")
    options = ExtractOptions(files=(str(file),), functions=("arm",), bounds=(("expired.by", "1..2"),))
    model = extracted(replace(options, callbacks=("start_timer=expired",), callback_limit=1))
    assert {label for label in model.labels if label.startswith("return(arm")} == {
        "return(arm, 0)",
        "return(arm, 1)",
        "return(arm, 2)",
    }
    process = """TIMER = (call(start_timer) -> call(subject.expired, 5) -> return(subject.expired)
        -> return(start_timer) -> TIMER)."""
    asked: dict[str, Any] = {"members": ("::start_timer=process Timer",), "processes": (f"Timer={process}",)}
    model = extracted(replace(options, bounds=(), **asked))
    assert {label for label in model.labels if label.startswith("return(arm")} == {"return(arm, 5)"}
    with pytest.raises(InputError, match="`callbacks`: there is no function `expires`"):
        extract(replace(options, callbacks=("start_timer=expires",)))


# ---- processes

MOTOR = """
MOTOR = (call(start) -> (return(start) -> RUNNING
                        | tau -> call(subject.arrived) -> call(stop) -> return(stop)
                              -> return(subject.arrived) -> return(start) -> MOTOR)),
RUNNING = (call(subject.arrived) -> call(stop) -> return(stop) -> return(subject.arrived) -> MOTOR).
"""
DRIVEN: dict[str, Any] = {
    "members": ("motor=process Motor",),
    "processes": (f"Motor={MOTOR}",),
    "callbacks": (),
    "callback_limit": None,
}
CODE = """
bool at_end();
class Hoist;
class Motor {
    Hoist *hoist;
    bool running = false;
public:
    Motor(Hoist *owner) : hoist(owner) {}
    void start();
    void stop() noexcept {}
    void tick();
};
class Hoist {
    enum class State { Resting, Moving, AtEnd };
    Motor motor;
    State state = State::Resting;
public:
    Hoist() : motor(this) {}
    bool drive() { if (state != State::Resting) return false; motor.start(); state = State::Moving; return true; }
    void arrived() { motor.stop(); state = State::AtEnd; }
    bool back() { if (state != State::AtEnd) return false; state = State::Resting; return true; }
    void tick() { motor.tick(); }
};
void Motor::start() { if (at_end()) hoist->arrived(); else running = true; }
void Motor::tick() { if (running) { running = false; hoist->arrived(); } }
"""


def test_a_process_that_calls_back_does_what_code_does(tmp_path: Path) -> None:
    process = extracted(hoist(**DRIVEN))
    assert not process.partial
    code = extracted(written(tmp_path, CODE, of_class="Hoist", visible=("drive", "back", "tick")))
    seen, _ = transform_model(process, Transformation(hide=("*motor*", "*arrived*")))
    done, _ = transform_model(code, Transformation(hide=("*at_end*", "*tick*")))
    assert are_related(seen, done, Equivalence.WEAKTRACE)


def test_a_stub_that_calls_back_once_at_most_does_what_code_does(tmp_path: Path) -> None:
    seen, _ = transform_model(extracted(hoist()), Transformation(hide=("*motor*", "*arrived*")))
    code = extracted(written(tmp_path, CODE, of_class="Hoist", visible=("drive", "back")))
    done, _ = transform_model(code, Transformation(hide=("*at_end*",)))
    assert are_related(seen, done, Equivalence.WEAKTRACE)
    repaired, _ = transform_model(
        extracted(hoist(flags=("-DREPAIRED",))), Transformation(hide=("*motor*", "*arrived*"))
    )
    assert not are_related(repaired, done, Equivalence.WEAKTRACE)


UNWINDING = """
struct Jammed {};
struct Motor { void stop(); };
struct Guard { Motor &motor; ~Guard() { motor.stop(); } };
struct Gate {
    Motor motor;
    bool open() { Guard guard{motor}; throw Jammed(); }
    int count() { return 1; }
    void fail() { throw 3; }
};
"""


def test_a_call_back_while_the_stack_is_unwound_has_exceptions_of_its_own(tmp_path: Path) -> None:
    callbacks = ("motor.stop=count", "motor.stop=fail")
    model = extracted(written(tmp_path, UNWINDING, of_class="Gate", visible=("open",), callbacks=callbacks))
    ends = {label for label in model.labels if label.startswith(("return(Gate", "throw(Gate"))}
    assert ends == {"return(Gate.count, 1)", "throw(Gate.fail, int)", "throw(Gate.open, Jammed)"}
    assert not model.partial


def test_what_a_process_is_at_is_part_of_the_states() -> None:
    process = hoist(**DRIVEN)
    assert verdict(process, "G([stable && motor == RUNNING] => [state == Moving])") == "holds"
    assert verdict(process, "G([stable && motor == MOTOR] => ![state == Moving])") == "violated"


def test_a_process_that_nests_too_deep_makes_the_model_partial(tmp_path: Path) -> None:
    process = "BELL = (call(ring) -> call(subject.knock) -> BELL | return(subject.knock) -> return(ring) -> BELL)."
    asked: dict[str, Any] = {"of_class": "Door", "members": ("bell=process Bell",), "processes": (f"Bell={process}",)}
    model = extracted(written(tmp_path, NESTED, **asked))
    assert any("callback_depth" in reason for reason in model.origin.partial)


FIELDS = """
struct Lamp { void flash(); };
struct Panel { Lamp lamp; bool lit = false; int level = 0; void press() { lamp.flash(); level = lit ? 2 : 1; } };
"""


def test_a_process_uses_the_public_variables_of_its_subject(tmp_path: Path) -> None:
    process = """LAMP = (call(flash) -> load(subject.level, v:0..2) -> (when (v == 0) store(subject.lit, true) -> ON
                        | when (v > 0) ON)), ON = (return(flash) -> LAMP)."""
    asked: dict[str, Any] = {"of_class": "Panel", "members": ("lamp=process Lamp",), "processes": (f"Lamp={process}",)}
    model = extracted(written(tmp_path, FIELDS, visible=("press",), **asked))
    assert "store(Panel.lit, true)" in model.labels
    (level,) = (p for p in model.propositions if p.name == "level")
    assert {int(v) for v in level.values} == {0, 2}


LOGGED = """
#include <string>
struct Log { void put(const char *line); void add(const std::string &line); };
struct Door { Log log; void open(bool wide) { log.put(wide ? "wide\\n" : "ajar"); log.add("it is \\"open\\""); } };
"""


def test_a_process_tells_texts_apart(tmp_path: Path) -> None:
    process = r"""LOG = (call(put, "wide\n") -> return(put) -> ADD | call(put, "ajar") -> return(put) -> ADD),
        ADD = (call(add, "it is \"open\"") -> return(add) -> LOG)."""
    asked: dict[str, Any] = {"of_class": "Door", "members": ("log=process Log",), "processes": (f"Log={process}",)}
    options = written(tmp_path, LOGGED, **asked)
    assert verdict(options, "no-deadlock") == "holds"
    other = process.replace("ajar", "shut")
    assert verdict(replace(options, processes=(f"Log={other}",)), "no-deadlock") == "violated"


# ---- clients


def test_calls_of_clients_interleave_between_calls_only(tmp_path: Path) -> None:
    options = hoist(clients=("ui.visible=drive", "remote.visible=drive", "remote.visible=back"), callbacks=())
    model = extracted(options)
    called = {label for label in model.labels if "Hoist." in label and label.startswith("call")}
    assert called == {"call(ui.Hoist.drive)", "call(remote.Hoist.drive)", "call(remote.Hoist.back)"}
    (stable,) = (p for p in model.propositions if p.name == "stable")
    for state, following in edges_of(model).items():
        assert stable.values[state] or called.isdisjoint(label for label, _ in following)
    # Each return is that of the client who called.
    assert verdict(options, 'G(call(ui.Hoist.drive) => !"return(remote.*" W "return(ui.Hoist.drive, *)")') == "holds"


def test_without_their_names_two_clients_do_what_one_does() -> None:
    one, two = extracted(hoist()), extracted(hoist(clients=("ui", "remote")))
    anonymous = transform_model(two, Transformation(rename=("re:(.*)\\((ui|remote)\\.(.*)=\\1(\\3",)))[0]
    assert set(anonymous.labels) == set(one.labels)
    assert are_related(one, anonymous, Equivalence.STRONG)


ENDING = """
struct Gone {};
struct Door { int count = 0; int open(bool fail) { if (fail) throw Gone(); count = 1 - count; return count; } };
"""


def test_a_client_that_gets_an_exception_calls_no_more_and_the_others_do(tmp_path: Path) -> None:
    options = written(tmp_path, ENDING, of_class="Door")
    clients = ("ui", "ui.throws_terminates=open", "remote")
    asked = replace(options, clients=clients)
    after = 'G("throw(ui.Door.open, Gone)" => G !"call(ui.*")'
    assert verdict(asked, after) == "holds"
    assert verdict(asked, after.replace("ui.", "remote.")) == "violated"
    assert verdict(asked, "no-deadlock") == "holds"
    both = replace(asked, clients=(*clients, "remote.throws_terminates=open"))
    assert verdict(both, after.replace("ui.", "remote.")) == "holds"
    # When nobody is left, that is an end and no deadlock.
    assert verdict(both, "no-deadlock") == "holds"
    ends = extracted(both).terminal
    assert ends is not None
    assert ends.any()


def test_a_client_follows_a_process(tmp_path: Path) -> None:
    process = "UI = (call(subject.open, false) -> return(subject.open, v:0..1) -> UI)."
    asked: dict[str, Any] = {"of_class": "Door", "clients": ("ui.process=Ui",), "processes": (f"Ui={process}",)}
    model = extracted(written(tmp_path, ENDING, **asked))
    assert set(model.labels) == {
        "call(ui.Door.open, false)",
        "return(ui.Door.open, 0)",
        "return(ui.Door.open, 1)",
        # Everybody may look at what is public.
        "load(Door.count, 0)",
        "load(Door.count, 1)",
    }


def test_a_process_catches_what_it_is_ready_for(tmp_path: Path) -> None:
    process = "UI = (call(subject.open, true) -> throw(subject.open, Gone) -> UI)."
    asked: dict[str, Any] = {"of_class": "Door", "clients": ("ui.process=Ui",)}
    ready = written(tmp_path, ENDING, processes=(f"Ui={process}",), **asked)
    assert verdict(ready, "no-deadlock") == "holds"
    unready = process.replace("throw(subject.open, Gone)", "return(subject.open, 0)")
    assert verdict(replace(ready, processes=(f"Ui={unready}",)), "no-deadlock") == "violated"
    other = process.replace("Gone", "Gon")
    with pytest.raises(InputError, match="no exception is a `Gon` here"):
        extract(replace(ready, processes=(f"Ui={other}",)))


def test_a_process_does_not_change_constants(tmp_path: Path) -> None:
    code = FIELDS.replace("int level = 0;", "const int level = 0;").replace("level = lit ? 2 : 1;", "")
    process = "LAMP = (call(flash) -> store(subject.level, 1) -> return(flash) -> LAMP)."
    asked: dict[str, Any] = {"of_class": "Panel", "members": ("lamp=process Lamp",), "processes": (f"Lamp={process}",)}
    with pytest.raises(InputError, match=r"`subject\.level` is constant"):
        extract(written(tmp_path, code, visible=("press",), **asked))


# ---- the compiled code

RUNS = {
    "nested": (NESTED, 'callbacks = { "bell.ring" = "knock" }\ncallback_depth = 2\n', "", "G([deepest < 3])"),
    "lent": (
        LENT,
        'callbacks = { "bell.ring" = "knock" }\n',
        '"knock.times" = "1..2"\n"knock.code" = "list 2 of {10, 20}"\n',
        'G("return(Door.knock, 11*" => G !"return(Door.knock, 22*")',
    ),
    "thrown": (THROWING, 'visible = "open"\ncallbacks = { "motor.start" = "jam" }\n', "", "G([jams < 2])"),
    "unwound": (
        UNWINDING,
        'visible = "open"\ncallbacks = { "motor.stop" = ["count", "fail"] }\n',
        "",
        'G("throw(Gate.fail, int)" => G !"throw(Gate.open, *")',
    ),
}


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
@pytest.mark.parametrize("name", RUNS)
def test_the_compiled_code_is_called_back_as_a_run_says(name: str, tmp_path: Path) -> None:
    code, system, bounds, claim = RUNS[name]
    (tmp_path / "code.cpp").write_text(code, encoding="utf-8")
    subject = "Gate" if "Gate" in code else "Door"
    project = f'schema = 1\n[source]\nfiles = ["code.cpp"]\n[system.main]\nsubject = "{subject}"\n{system}'
    project += f"[system.main.bounds]\n{bounds}"
    (tmp_path / "stateglass.toml").write_text(project, encoding="utf-8")
    evidence = str(tmp_path / "evidence.json")
    checked = stateglass("check", "--project", str(tmp_path / "stateglass.toml"), "--claim", claim, "-o", evidence)
    assert int(checked.status) == 1, checked.err
    replayed = stateglass("replay", evidence)
    assert int(replayed.status) == 0, replayed.out + replayed.err


# ---- mistakes


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"callbacks": ("motor.strat=arrived",)}, ["no function `motor.strat` without a body", "`motor.start`"]),
        ({"callbacks": ("motor.start=arived",)}, ["`Hoist` has no public function `arived`", "`arrived`"]),
        ({"clients": ("ui.visible=drives",)}, ["`visible`: `Hoist` has no public function `drives`", "`drive`"]),
        ({"clients": ("motor",)}, ["a client cannot be called `motor`"]),
        ({"clients": ("1",)}, ["`1` cannot be the name of a client"]),
        ({"clients": ("ui.process=Ui",)}, ["there is no process `Ui`"]),
        ({"clients": ("ui.sees=drive",)}, ["`ui.sees=drive` does not say what a client does", "`throws_terminates`"]),
        (
            {"clients": ("ui.process=P", "ui.visible=drive"), "processes": ("P=P = (call(subject.drive) -> P).",)},
            ["the client `ui` follows a process"],
        ),
        (
            {"clients": ("ui.process=P",), "processes": ("P=P = (call(subject.drives) -> P).",)},
            ["there is no function `subject.drives`", "`subject.drive`"],
        ),
        (
            {"clients": ("ui.process=P",), "processes": ("P=P = (call(drive) -> return(drive) -> P).",)},
            ["there is no function `drive` of this process", "`subject.drive`"],
        ),
        # All at once: what is wrong with functions, with exceptions and with processes.
        (
            {
                "callbacks": ("motor.strat=arrived",),
                "can_throw": ("motor.go=Failure",),
                "clients": ("ui.process=P",),
                "processes": ("P=P = (call(subject.drives) -> P).",),
            },
            ["`motor.strat`", "`motor.go`", "`subject.drives`"],
        ),
    ],
)
def test_what_is_wrong_is_told(asked: dict[str, tuple[str, ...]], expected: list[str]) -> None:
    with pytest.raises(InputError) as raised:
        assemble(read_hoist(), hoist(**asked))
    told = "\n".join(f"{d.message} {d.help}" for d in raised.value.diagnostics)
    for text in expected:
        assert text in told


WORDS = st.sampled_from(
    ["ui", "remote", ".", "=", "visible", "throws_terminates", "process", "open", "Ui", " ", "é", ""]
)


@given(st.lists(st.lists(WORDS, max_size=6).map("".join) | st.text(max_size=12), max_size=4))
def test_what_is_said_of_clients_is_understood_or_refused(texts: list[str]) -> None:
    try:
        found = read_clients(texts, ("Ui",))
    except InputError as error:
        assert error.diagnostics
        return
    for client in found:
        said = [f"{client.name}.visible={v}" for v in client.visible]
        said += [f"{client.name}.throws_terminates={v}" for v in client.throws_terminates]
        said += [f"{client.name}.process={client.process}"] if client.process else []
        assert read_clients([client.name, *said], ("Ui",)) == (client,)


def test_what_is_said_of_a_client_is_kept_together() -> None:
    found = read_clients(["ui.visible=open", "remote", "ui.visible=close"], ())
    assert found == (Client("ui", ("open", "close")), Client("remote"))
