"""How processes go on: by hand on small ones, and on random ones against a second meaning of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from stateglass.source import Code, InputError
from stateglass.system.fsp import Action, Kind, Name, Process, State, Truth, Whole, offers, read_process, start, steps
from stateglass.system.fsp.nodes import Reference, Term
from stateglass.system.fsp.running import everything
from tests.system.fsp.processes import FAILED, next_terms, processes

LOCK = """
LOCK(TRIES = 2) = OPEN[0],
OPEN[failed:0..TRIES] = (
    call(lock) -> (return(lock, true) -> LOCKED | when (failed < TRIES) return(lock, false) -> OPEN[failed + 1])
  | load(failures, failed) -> OPEN[failed]),
LOCKED = (call(unlock) -> return(unlock) -> OPEN[0] | call(lock) -> throw(lock, AlreadyLocked) -> ERROR).
"""


def call(name: str, *values: int) -> Action:
    return Action(Kind.CALL, name, tuple(map(Whole, values)))


def after(state: State, action: Action) -> State:
    (found,) = offers(state, action)
    return found


def own(state: State) -> dict[str, State]:
    return {str(action): then for action, then in steps(state)}


def test_a_lock() -> None:
    first = start(read_process(LOCK))
    assert own(first).keys() == {"load(failures, 0)"}
    assert own(first)["load(failures, 0)"] == first
    assert offers(first, call("unlock")) == ()
    assert offers(first, call("lock", 1)) == ()
    locking = after(first, call("lock"))
    assert list(own(locking)) == ["return(lock, true)", "return(lock, false)"]
    once = own(locking)["return(lock, false)"]
    twice = own(after(once, call("lock")))["return(lock, false)"]
    assert own(twice).keys() == {"load(failures, 2)"}
    assert own(after(twice, call("lock"))).keys() == {"return(lock, true)"}
    locked = own(locking)["return(lock, true)"]
    assert own(locked) == {}
    assert own(after(locked, call("unlock"))) == {"return(unlock)": first}
    wrong = own(after(locked, call("lock")))["throw(lock, AlreadyLocked)"]
    assert wrong.failed
    assert steps(wrong) == ()
    assert offers(wrong, call("lock")) == ()


def test_states_do_not_depend_on_who_started_the_process() -> None:
    process = read_process(LOCK)
    one, other = start(process), start(process)
    assert one == other
    assert hash(one) == hash(other)
    assert after(one, call("lock")) == after(other, call("lock")) != one


def test_states_that_go_on_alike_at_the_same_term_are_one() -> None:
    first = start(read_process("P = (call(f, v:0..3) -> return(f) -> P)."))
    assert after(first, call("f", 1)) == after(first, call("f", 2))
    kept = start(read_process("P = (call(f, v:0..3) -> return(f, v) -> P)."))
    assert after(kept, call("f", 1)) != after(kept, call("f", 2))


def test_parameters_may_be_given() -> None:
    process = read_process(LOCK)
    strict = start(process, {"TRIES": Whole(0)})
    assert own(after(strict, call("lock"))).keys() == {"return(lock, true)"}
    with pytest.raises(InputError) as caught:
        start(process, {"TRYS": Whole(0), "TRIES": Truth(True)})
    assert [(d.code, d.message) for d in caught.value.diagnostics] == [
        (Code.PROCESS, "`LOCK` has no parameter `TRYS`"),
        (Code.PROCESS, "the parameter `TRIES` of `LOCK` is a number: it cannot be true"),
    ]


def test_a_choice_between_equal_actions() -> None:
    first = start(read_process("P = (call(f) -> return(f, 1) -> P | call(f) -> return(f, 2) -> P)."))
    assert [own(state).keys() for state in offers(first, call("f"))] == [{"return(f, 1)"}, {"return(f, 2)"}]


def test_values_of_one_sort_are_none_of_another() -> None:
    first = start(read_process("P = (call(f, 1) -> P | call(g, true) -> P)."))
    assert offers(first, Action(Kind.CALL, "f", (Truth(True),))) == ()
    assert offers(first, Action(Kind.CALL, "g", (Whole(1),))) == ()
    assert offers(first, Action(Kind.CALL, "g", (Truth(True),))) == (first,)


def test_who_does_what() -> None:
    text = """P = (call(f) -> P | return(f) -> P | throw(f, E) -> P | load(x, 1) -> P | store(x, 1) -> P | e -> P
      | call(subject.f) -> P | return(subject.f) -> P | throw(subject.f, E) -> P | load(subject.x, 1) -> P
      | store(subject.x, 1) -> P)."""
    state = start(read_process(text))
    assert list(own(state)) == [
        "return(f)", "throw(f, E)", "load(x, 1)", "e", "call(subject.f)", "store(subject.x, 1)",
    ]  # fmt: skip
    assert [str(a) for a, _ in everything(state) if not a.chosen_by_process] == [
        "call(f)", "store(x, 1)", "return(subject.f)", "throw(subject.f, E)", "load(subject.x, 1)",
    ]  # fmt: skip


def test_later_ranges_depend_on_earlier_values() -> None:
    state = start(read_process("P = (call(f, a:0..2, b:0..a) -> P | e(c:1..2, d:c..2) -> P)."))
    assert [bool(offers(state, call("f", a, b))) for a, b in ((2, 2), (1, 2), (0, 0), (3, 0))] == [1, 0, 1, 0]
    assert list(own(state)) == ["e(1, 1)", "e(1, 2)", "e(2, 2)"]


def test_arithmetic_is_that_of_c() -> None:
    texts = {"-7 / 2": -3, "7 / -2": -3, "-7 % 2": -1, "7 % -2": 1, "2 + 3 * 4": 14, "-(1 - 3) - 1": 1, "0x1F": 31}
    for text, value in texts.items():
        assert list(own(start(read_process(f"P = (e({text}) -> P).")))) == [f"e({value})"]
    conditions = ["1 < 2 && !(2 <= 1)", "false || 3 >= 3", "RED != GREEN", '"a" == "a"', "1 + 1 == 2", "1 < 2 == true"]
    for condition in conditions:
        assert own(start(read_process(f"P = (when ({condition}) e -> P)."))), condition


def test_what_has_no_value_is_an_error_of_the_process() -> None:
    reasons = {
        "P = (call(f, v:0..1) -> return(f, 1 / v) -> P).": "1 / 0 has no value",
        "P = (call(f, v:0..1) -> Q[v - 1]), Q[i:0..1] = (e(i) -> P).": "Q[-1]: `i` is out of its range",
        "P = (call(f, v:0..1) -> (when (2 % v == 0) e -> P | a -> P)).": "2 % 0 has no value",
        "P = (call(f, v:0..1) -> (when (v == 0) ERROR | a -> P)).": "the process is at `ERROR`",
    }
    for text, reason in reasons.items():
        first = start(read_process(text))
        assert after(first, call("f", 0)).failed == reason
        assert not after(first, call("f", 1)).failed
    lazy = start(read_process("P = (call(f, v:0..1) -> (when (v != 0 && 2 / v > 1) e -> P | a -> P))."))
    assert own(after(lazy, call("f", 0))).keys() == {"a"}


def test_what_has_no_value_while_an_action_is_matched() -> None:
    first = start(read_process("P = (call(f, v:0..1, 1 / v) -> P)."))
    assert [state.failed for state in offers(first, call("f", 0, 1))] == ["1 / 0 has no value"]
    assert offers(first, call("f", 1, 1)) == (first,)
    assert [(str(action), then.failed) for action, then in everything(first)] == [("tau", "1 / 0 has no value")]


def test_ranges_for_others_to_choose_from_may_be_large() -> None:
    state = start(read_process("P = (call(f, v:0..1000000000000) -> P)."))
    assert offers(state, call("f", 10**12)) == (state,)
    assert offers(state, call("f", 10**12 + 1)) == ()
    with pytest.raises(InputError, match="more than 65,536 actions to choose from"):
        start(read_process("P = (return(f, v:0..1000000000000) -> P)."))


def test_names_are_values() -> None:
    state = start(read_process("P = (call(paint, c:{RED, GREEN}) -> return(paint, c == RED) -> P)."))
    assert own(after(state, Action(Kind.CALL, "paint", (Name("RED"),)))).keys() == {"return(paint, true)"}
    assert offers(state, Action(Kind.CALL, "paint", (Name("BLUE"),))) == ()


@settings(max_examples=100, deadline=None)
@given(processes())
def test_random_processes_mean_what_putting_in_values_gives(process: Process) -> None:
    pairs: list[tuple[State, Term]] = [(start(process), Reference(process.name))]
    for _ in range(4):
        later: list[tuple[State, Term]] = []
        for state, term in pairs[:30]:
            found, expected = everything(state), next_terms(process, term)
            if isinstance(expected, str):
                assert expected == FAILED
                assert state.failed or any(then.failed for _, then in found)
                continue
            assert not state.failed
            texts = [f"{a.kind.value} {a.name} {', '.join(map(str, a.values))}" for a, _ in found]
            assert set(texts) == {text for text, _ in expected}
            later += _paired(texts, [then for _, then in found], expected)
        pairs = later


def _paired(texts: list[str], states: list[State], expected: list[tuple[str, Term]]) -> list[tuple[State, Term]]:
    """What follows the same action on both sides, where there is one such action."""
    return [
        (state, term)
        for text, state in zip(texts, states, strict=True)
        for other, term in expected
        if text == other and texts.count(text) == 1 == [t for t, _ in expected].count(text)
    ]


@settings(max_examples=60, deadline=None)
@given(processes())
def test_accepted_actions_and_own_steps_are_all_there_is(process: Process) -> None:
    todo = [start(process)]
    for state in todo:
        for action, then in _everything(state):
            assert then in offers(state, action)
            assert ((action, then) in steps(state)) == action.chosen_by_process
            if len(todo) < 20:
                todo.append(then)


def _everything(state: State) -> tuple[tuple[Action, State], ...]:
    try:
        return everything(state)
    except InputError:
        return ()
