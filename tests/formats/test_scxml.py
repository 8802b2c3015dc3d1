"""SCXML: machines of others, what is left out and said, what is refused, and hostile documents."""

from __future__ import annotations

import pytest

from stateglass.formats import dot, losses, scxml
from stateglass.model import ModelBuilder
from stateglass.source import Code, InputError
from tests.formats.strategies import edges

TRAFFIC = b"""<?xml version="1.0" encoding="UTF-8"?>
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="green" name="light">
  <datamodel><data id="count" expr="0"/></datamodel>
  <state id="green">
    <onentry><log expr="'green'"/><assign location="count" expr="count + 1"/></onentry>
    <transition event="timer.end button" target="red"/>
    <transition cond="count &gt; 9" target="off"/>
  </state>
  <state id="red">
    <transition event="timer.end" cond="count &lt; 9" target="green"><raise event="go"/></transition>
    <transition event="tick"/>
  </state>
  <final id="off"/>
</scxml>
"""


def test_a_machine_of_others() -> None:
    model = scxml.parse(TRAFFIC, "light.scxml")
    names = [model.valuation(state)["state"] for state in range(model.states)]
    assert names == ["green", "red", "off"]
    assert edges(model) == {
        (0, "timer.end", 1),
        (0, "button", 1),
        (0, "[count > 9]", 2),
        (1, "timer.end [count < 9]", 0),
        (1, "tick", 1),
    }
    assert [state for state in range(3) if model.is_terminal(state)] == [2]
    assert model.origin.history == ("read from SCXML without: 1 × `datamodel`, 1 × `onentry`, 1 × `raise`",)


def test_the_text_is_exact() -> None:
    model = dot.parse(b'digraph { a -> b [label="go"]; a -> b [label="f(1, <2>)"]; b -> a }', "m.dot")
    assert scxml.serialise(model).decode().split("\n")[2:-2] == [
        '  <state id="a">',
        '    <transition event="go" target="b"/>',
        '    <transition event="f_x28_1_x2c__x20__x3c_2_x3e__x29_" stateglass:label="f(1, &lt;2&gt;)" target="b"/>',
        "  </state>",
        '  <state id="b">',
        '    <transition target="a"/>',
        "  </state>",
    ]


def test_nondeterminism_is_said() -> None:
    builder = ModelBuilder()
    builder.add(0, "a", 0)
    builder.add(0, "a", 1)
    message = "an interpreter of `scxml` takes only the first of several transitions with one label"
    assert losses(builder.build(2), "scxml") == [message]


def wrapped(body: str, attributes: str = "") -> bytes:
    return f'<scxml xmlns="http://www.w3.org/2005/07/scxml"{attributes}>\n{body}\n</scxml>'.encode()


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (wrapped('<state id="a"><state id="b"/></state>'), 2, "a state inside a state is not understood"),
        (wrapped('<parallel id="a"><state id="b"/></parallel>'), 2, "a parallel state is not understood"),
        (wrapped('<state id="a"><history id="h"/></state>'), 2, "a history state is not understood"),
        (wrapped('<state id="a"/>\n<state id="a"/>'), 3, "there are two states `a`"),
        (wrapped('<state id="a"><transition target="b c"/></state>'), 2,
         "a transition to several states is not understood"),
        (wrapped('<state id="a"><transition target="b"/></state>'), 2, "there is no state `b`"),
        (wrapped('<state id="a"/>', ' initial="b"'), 1, "the initial state `b` is not there"),
        (wrapped(""), 1, "the machine has no states"),
        (b"<html/>", 1, "expected `<scxml>`, found `<html>`"),
        (b"", 1, "not well-formed XML: no element found"),
        (b"<scxml>\n<state></scxml>", 2, "not well-formed XML: mismatched tag"),
        (b'<?xml version="1.0" encoding="klingon"?><scxml/>', 1, "the encoding `klingon` is not read"),
        (b"<scxml>" + b"<a>" * 100, 1, "elements are nested more than 50 deep"),
    ],
)  # fmt: skip
def test_what_is_refused(data: bytes, line: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        scxml.parse(data, "m.scxml")
    assert (caught.value.diagnostics[0].span.line, caught.value.diagnostics[0].message) == (line, message)


@pytest.mark.parametrize(
    "declaration",
    [
        b'<!DOCTYPE scxml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
        b'<!DOCTYPE scxml SYSTEM "http://127.0.0.1:1/x.dtd">',
        b'<!DOCTYPE scxml [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    ],
)
def test_entities_and_foreign_documents_are_not_touched(declaration: bytes) -> None:
    with pytest.raises(InputError) as caught:
        scxml.parse(declaration + b'<scxml><state id="a"/></scxml>', "m.scxml")
    assert [(d.code, d.message) for d in caught.value.diagnostics] == [
        (Code.UNSUPPORTED, "a document type is not read")
    ]
