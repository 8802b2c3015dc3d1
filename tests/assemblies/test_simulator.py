"""The simulator does what the page about meaning says, on designs small enough to know the answer."""

from __future__ import annotations

import pytest

from stateglass.check.deciding import decide
from stateglass.design import Component, Constant, Design, Reaction, Repeat, Service, State, Transition
from stateglass.logic.reading import read_claim
from stateglass.model import TAU, Model
from tests.assemblies.designs import (
    BOOL,
    annotation,
    arrow,
    assembled,
    assign,
    begin,
    block,
    data,
    end,
    integer,
    operation,
    result,
    sink,
    source,
    state,
    store,
    value,
)
from tests.assemblies.exploring import model
from tests.assemblies.systems import NoBound, of_assembly, of_component


def words(of: Model, length: int) -> set[str]:
    """What can be seen: the sequences of labels up to a length; a `!` where nothing at all can follow."""
    steps: dict[int, list[tuple[str, int]]] = {}
    for origin, action, target in zip(of.sources, of.actions, of.targets, strict=True):
        steps.setdefault(int(origin), []).append((of.labels[action], int(target)))
    found, seen, work = set[str](), set[tuple[int, tuple[str, ...]]](), [(of.initial, tuple[str, ...]())]
    while work:
        at, word = work.pop()
        if (at, word) in seen:
            continue
        seen.add((at, word))
        if not steps.get(at):
            found.add(" ".join((*word, "!")))
        elif len(word) == length:
            found.add(" ".join(word))
        for label, target in steps.get(at, []):
            if label == TAU or len(word) < length:
                work.append((target, word if label == TAU else (*word, label)))
    return found


def seen(design: Design, length: int, *, of_sinks: bool = True) -> set[str]:
    """What can be seen of the assembly on one side of its connections."""
    system = of_assembly(design, "whole") if design.assemblies else of_component(design, design.components[0].name)
    return words(model(system, shown=lambda event: event.is_sink is of_sinks, watched=False), length)


def reacting(
    name: str, *transitions: Transition, pins: str, states: tuple[State, ...] = (), threaded: bool = True
) -> Reaction:
    return Reaction(name, threaded, tuple(pins.split()), (), states, transitions)


def sending(*pins: str, times: str = "") -> Component:
    """A component that sends on each pin once."""
    doing = reacting(
        "R", arrow("start", "sent"), pins=" ".join(pins), states=(state("sent", block(*map(begin, pins))),)
    )
    return Component("Sending", (), (), tuple(map(source, pins)), (doing,))


VERDICTS = {
    "G([data >= 0])": "holds",
    "G([data <= max])": "holds",
    "G([data <= 3])": "violated",
    "G([data == max] & ^incr => F([data == 0]))": "holds",
    "G([data == max] & ^decr => F([data == 0]))": "violated",
    "G([data < 0])": "violated",
    "G([S.state == four] => [data <= 5])": "holds",
    "no-deadlock": "holds",
}


def test_claims_on_the_store() -> None:
    whole = model(of_component(store(), "store"))
    assert {text: decide(read_claim(text), whole).verdict.value for text in VERDICTS} == VERDICTS


def test_what_the_store_does_not_expect_is_discarded() -> None:
    assert {word for word in seen(store(), 2) if not word.startswith("^init")} == {"^incr $incr", "^decr $decr"}
    assert "^incr $incr ^init $init" in seen(store(), 4)


def test_an_interaction_that_is_discarded_produces_nothing() -> None:
    deaf = Component(
        "Deaf", (), (), (sink("ask", result("x"), synch=True),), (reacting("R", arrow("start", "s"), pins="ask"),)
    )
    assert seen(Design("", (), (deaf,)), 3) == {"^ask $ask(0) ^ask"}


def chain() -> tuple[Component, ...]:
    """A thread asks an adder, which asks a doubler: neither of these has a thread."""
    asks = Component(
        "Asks", (), (integer("answer"),), (source("ask", data("x"), result("y"), synch=True),),
        (
            reacting(
                "R",
                arrow("start", "asked"),
                arrow("asked", "done", "$ask(answer)", guard=operation("answer", ">", 6)),
                pins="ask",
                states=(state("asked", begin("ask", 3)),),
            ),
        ),
    )  # fmt: skip
    adds = Component(
        "Adds", (), (integer("sum"),),
        (sink("in", data("x"), result("y"), synch=True), source("out", data("x"), result("y"), synch=True)),
        (
            reacting(
                "A",
                arrow("start", "idle"),
                arrow("idle", "asked", "^in(sum)", begin("out", operation("sum", "+", 1))),
                arrow("asked", "idle", "$out(twice)", end("in", operation("twice", "-", 1))),
                pins="in out",
                threaded=False,
            ),
        ),
    )  # fmt: skip
    doubles = Component(
        "Doubles", (), (), (sink("in", data("x"), result("y"), synch=True),),
        (
            reacting(
                "D",
                arrow("start", "idle"),
                arrow("idle", "idle", "^in(x)", end("in", operation("x", "*", 2))),
                pins="in",
                threaded=False,
            ),
        ),
    )  # fmt: skip
    return asks, adds, doubles


def test_calls_through_reactions_without_threads() -> None:
    one = assembled(chain(), "a: Asks, b: Adds, c: Doubles", "a:ask ~> b:in", "b:out ~> c:in")
    assert seen(one, 9) == {"b.^in(3) c.^in(4) c.$in(8) b.$in(7) !"}
    assert seen(one, 9, of_sinks=False) == {"a.^ask(3) b.^out(4) b.$out(8) a.$ask(7) !"}
    ends = model(of_assembly(one, "whole"))
    assert [ends.valuation(int(dead)) for dead in ends.deadlocks] == [
        {"a.answer": "7", "b.sum": "3", "a.R.state": "done", "b.A.state": "idle", "c.D.state": "idle"}
    ]


def test_callers_of_one_reaction_take_turns() -> None:
    two = assembled(chain(), "a: Asks, o: Asks, b: Adds, c: Doubles", "a:ask ~> b:in", "o:ask ~> b:in", "b:out ~> c:in")
    once = "b.^in(3) c.^in(4) c.$in(8) b.$in(7)"
    assert seen(two, 9) == {f"{once} {once} !"}
    assert {word.split()[0] for word in seen(two, 9, of_sinks=False)} == {"a.^ask(3)", "o.^ask(3)"}


def test_who_calls_in_a_circle_waits_for_ever() -> None:
    around = assembled(chain()[:2], "a: Asks, b: Adds, c: Adds", "a:ask ~> b:in", "b:out ~> c:in", "c:out ~> b:in")
    assert seen(around, 9) == {"b.^in(3) c.^in(4) !"}


def test_a_reaction_that_rests_without_completing_lets_its_caller_wait() -> None:
    silent = Component(
        "Silent", (), (), (sink("in", synch=True), sink("late", synch=True)),
        (
            reacting(
                "U",
                arrow("start", "s"),
                arrow("s", "s", "^in"),
                arrow("s", "s", "^late", end("in")),
                pins="in late",
                threaded=False,
            ),
        ),
    )  # fmt: skip
    calls = Component(
        "Calls", (), (), (source("out", synch=True),),
        (reacting("R", arrow("start", "s"), pins="out", states=(state("s", begin("out")),)),),
    )  # fmt: skip
    design = assembled((silent, calls), "s: Silent, a: Calls, b: Calls", "a:out ~> s:in", "b:out ~> s:late")
    assert seen(design, 4) == {"s.^in s.^late error(completion) !", "s.^late error(completion) !"}
    threads = Component(
        silent.name, (), (), silent.pins, (reacting("U", *silent.reactions[0].transitions, pins="in late"),)
    )
    design = assembled((threads, calls), "s: Silent, a: Calls, b: Calls", "a:out ~> s:in", "b:out ~> s:late")
    assert seen(design, 4) == {"s.^in s.^late s.$in !", "s.^late error(completion) !"}


def gate(full: str, room: int) -> Design:
    """A thread sends three messages to one that cannot take them before it is let."""
    numbers = Component(
        "Numbers", (), (), (source("out", data("n")), source("go", synch=True)),
        (
            reacting(
                "R",
                arrow("start", "s", "", *(begin("out", number) for number in (1, 2, 3))),
                arrow("s", "t", "", begin("go")),
                pins="out go",
            ),
        ),
    )  # fmt: skip
    takes = Component(
        "Takes", (), (), (sink("in", data("n")), sink("go", synch=True), source("hold", synch=True)),
        (
            reacting(
                "T",
                arrow("start", "held", "", begin("hold")),
                arrow("held", "held", "^in(n)", end("in")),
                arrow("held", "held", "^go", end("go")),
                pins="in go hold",
            ),
        ),
    )  # fmt: skip
    # It holds until whoever sends has called `go` of it, which it does not take either before it is done with `hold`.
    never = Component(
        "Never", (), (), (sink("hold", synch=True), sink("go", synch=True)),
        (
            reacting(
                "N",
                arrow("start", "s"),
                arrow("s", "s", "^hold"),
                arrow("s", "s", "^go", end("go"), end("hold")),
                pins="hold go",
            ),
        ),
    )  # fmt: skip
    notes = (annotation("Takes", "T", "full", full), annotation("Takes", "T", "queue", room))
    return assembled(
        (numbers, takes, never), "n: Numbers, t: Takes, w: Never",
        "n:out ~> t:in", "n:go ~> w:go", "t:hold ~> w:hold", annotations=notes,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("full", "room", "known"),
    [
        ("block", 3, "n.^out(1) n.^out(2) n.^out(3) t.^in(1) t.^in(2) t.^in(3) !"),
        ("block", 2, "n.^out(1) n.^out(2) !"),
        ("discard", 2, "n.^out(1) n.^out(2) n.^out(3) t.^in(1) t.^in(2) !"),
        ("error", 2, "n.^out(1) n.^out(2) n.^out(3) error(queue) !"),
    ],
)
def test_queues_that_are_full(full: str, room: int, known: str) -> None:
    system = of_assembly(gate(full, room), "whole")
    whole = model(system, shown=lambda event: event.mark == "^" and event.pin in ("out", "in"), watched=False)
    after_the_first = {word for word in words(whole, 8) if "w" not in word}
    assert known in after_the_first


def test_the_most_urgent_message_is_delivered_first() -> None:
    takes = Component(
        "Takes", (), (), (sink("slow"), sink("fast"), sink("go", synch=True)),
        (reacting("T", arrow("start", "s"), pins="slow fast go"),),
    )  # fmt: skip
    sends = sending("slow", "fast")
    wired = ("a:slow ~> t:slow", "a:fast ~> t:fast")
    in_turn = assembled((sends, takes), "a: Sending, t: Takes", *wired)
    assert "t.^fast t.$fast t.^slow t.$slow !" not in seen(in_turn, 5)
    notes = (annotation("Takes", "fast", "priority", 1), annotation("Takes", "slow", "priority", 2))
    urgent = assembled((sends, takes), "a: Sending, t: Takes", *wired, annotations=notes)
    assert seen(urgent, 5) == {"t.^fast t.$fast t.^slow t.$slow !", "t.^slow t.$slow t.^fast t.$fast !"}


def test_states_inside_states_are_left_and_entered_in_order() -> None:
    def says(name: str) -> State:
        inside = {"b": "a", "c": "b", "d": "c", "e": "b"}.get(name)
        return state(name, begin("say", value(ord(name))), begin("say", value(-ord(name))), inside=inside)

    nested = reacting(
        "R",
        arrow("start", "a"),
        arrow("d", "e", "^go"),
        arrow("b", "b", "^again", begin("say", 0)),
        arrow("a", "d", "^down"),
        arrow("e", "f", "^go"),
        pins="say go again down",
        states=tuple(map(says, "abcdef")),
    )
    pins = (source("say", data("n")), sink("go"), sink("again"), sink("down"))
    design = Design("", (), (Component("Nested", (), (), pins, (nested,)),))

    def said(*events: str) -> set[str]:
        allowed = {"^go", "^again", "^down"}
        found = words(model(of_component(design, "Nested"), shown=lambda event: event.mark == "^"), 16)
        texts = [[(w[5:-1] if "say" in w else w) for w in word.split()] for word in found]
        shown = set()
        for text in texts:
            asked = [w for w in text if w in allowed]
            if asked[: len(events)] == list(events):
                cut = [i for i, w in enumerate(text) if w in allowed]
                upto = text[: cut[len(events)]] if len(cut) > len(events) else text
                shown.add(" ".join(_letter(w) for w in upto))
        return shown

    assert said("^go") == {"+a +b +c +d ^go -d -c +e"}
    assert said("^go", "^go") == {"+a +b +c +d ^go -d -c +e ^go -e -b -a +f"}
    assert said("^again") == {"+a +b +c +d ^again -d -c -b . +b +c +d"}
    assert said("^down") == {"+a +b +c +d ^down -d -c -b -a +a +b +c +d"}


def _letter(word: str) -> str:
    if word.startswith("^"):
        return word
    number = int(word)
    return "." if number == 0 else ("+" if number > 0 else "-") + chr(abs(number))


def test_variables_that_several_threads_use_are_read_and_written_step_by_step() -> None:
    counts = operation("n", "+", 1)
    reactions = tuple(reacting(name, arrow("start", "s", "", assign("n", counts)), pins="") for name in "PQ")
    both = Component("Both", (), (integer("n"),), (), reactions)
    whole = model(of_component(Design("", (), (both,)), "Both"))
    assert {whole.valuation(int(dead))["n"] for dead in whole.deadlocks} == {"1", "2"}


def test_surroundings_give_any_data_that_they_may() -> None:
    echo = Component(
        "Echo", (), (), (sink("in", data("flag", BOOL), data("n")),), (reacting("R", arrow("start", "s"), pins="in"),)
    )
    with pytest.raises(NoBound, match=r"Echo:in\(n\)"):
        of_component(Design("", (), (echo,)), "Echo")
    bounded = Design("", (), (echo,), (), (), (annotation("Echo", "in", "values", "n: 1..2"),))
    assert seen(bounded, 1) == {"^in(0, 1)", "^in(0, 2)", "^in(1, 1)", "^in(1, 2)"}


def test_services() -> None:
    keeps = Component(
        "Keeps", (), (),
        (sink("tick"), source("get", result("value"), synch=True), source("set", data("value"), synch=True)),
        (
            reacting(
                "R",
                arrow("start", "s"),
                arrow("s", "got", "^tick", begin("get"), end("tick")),
                arrow("got", "s", "$get(n)", begin("set", operation(operation("n", "+", 1), "%", 3))),
                pins="tick get set",
            ),
        ),
    )  # fmt: skip
    around = (Service("clock", "timer"), Service("level", "variable", (Constant(1),)))
    design = assembled(
        (keeps,), "k: Keeps", "clock:tick ~> k:tick", "k:get ~> level:read", "k:set ~> level:write", services=around
    )
    once = "k.^tick level.^read level.$read({0}) k.$tick level.^write({1}) level.$write"
    assert seen(design, 12) == {" ".join((once.format(1, 2), once.format(2, 0)))}


def test_a_loop_in_an_action_and_what_is_undefined() -> None:
    three = Repeat(operation("i", "<", 3), block(assign("i", operation("i", "+", 1)), begin("say", "i")))
    doing = reacting(
        "R", arrow("start", "s", "", three, assign("i", operation(1, "/", operation("i", "-", 3)))), pins="say"
    )
    design = Design("", (), (Component("Loops", (), (integer("i"),), (source("say", data("n")),), (doing,)),))
    assert seen(design, 9, of_sinks=False) == {"^say(1) ^say(2) ^say(3) error(division) !"}
