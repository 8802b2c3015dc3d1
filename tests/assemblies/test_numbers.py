"""Numbers have the types that C gives them by how they are written."""

from __future__ import annotations

import pytest

from stateglass.assemblies.ccl import read_design
from stateglass.assemblies.computing import Typed, computed
from stateglass.assemblies.syntax.actions import ActionReader
from stateglass.assemblies.syntax.grammar import Within, parse_alone
from stateglass.design import Constant, Expression, Name, names_in
from stateglass.evidence import Verdict
from stateglass.operations.designs import HowChecked, check_design
from stateglass.source.notation import Text

TEXT = """
component c() {{
    long n = {first};
    unsigned int all = 4294967295;
    bool done = false;
    sink asynch go();
    threaded react R(go) {{
        start -> on {{}}
        on -> off {{ trigger ^go(); action {{ n = {value}; done = true; }} }}
        state off {{}}
    }}
}}
"""


def verdict(value: str, claim: str, first: str = "0") -> Verdict:
    (found,) = check_design(read_design(TEXT.format(value=value, first=first)), HowChecked(claims=(claim,)))
    return found.checked[0].answer.verdict


def expression(written: str) -> Expression:
    text = Text(written, "<test>")
    tree = parse_alone(text, Within.CONDITION)
    assert tree is not None
    assert not text.problems
    return ActionReader(text).expression(next(child for child in tree.children if not isinstance(child, str)))


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("~0xFFFFFFFF", 0),
        ("~4294967295", -4294967296),
        ("-1 < 1u", 0),
        ("-1 < 1ul", 0),
        ("-1 < 1L", 1),
        ("0 - 1u", 4294967295),
        ("all + 1u", 0),
        ("all + 1l", 4294967296),
        ("037777777777 + 1", 0),
        ("'a' - 98", -1),
    ],
)
def test_what_is_written_is_computed_as_in_c(value: str, meant: int) -> None:
    assert verdict(value, f"G([done] => [n == {meant}])") is Verdict.HOLDS
    if "all" not in value:
        assert verdict("n", f"G([n == {meant}])", first=value) is Verdict.HOLDS


@pytest.mark.parametrize(
    ("text", "value", "type"),
    [
        ("", 2147483647, "int"),
        ("", 2147483648, "long"),
        ("0x7FFFFFFF", 2**31 - 1, "int"),
        ("0x80000000", 2**31, "unsigned int"),
        ("0x80000000l", 2**31, "long"),
        ("1u", 1, "unsigned int"),
        ("1LU", 1, "unsigned long"),
        ("4294967296u", 2**32, "unsigned long"),
        ("0", 0, "int"),
        ("true", 1, "int"),
        ("'u'", ord("u"), "int"),
        ("0xFFFFFFFFFFFFFFFF", 2**64 - 1, "unsigned long"),
    ],
)
def test_types(text: str, value: int, type: str) -> None:
    assert Constant(value, text=text).type == type


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("x - y", 2**32 - 1),
        ("c - 1", -1),
        ("c << 3", 0),
        ("-l / 2", 0),
        ("1 || 1 / 0", 1),
        ("-7 % 3", -1),
        ("x > -1", 0),
        ("u > -1", 1),
    ],
)
def test_values_have_the_types_of_their_variables(written: str, value: int) -> None:
    values = {
        Name("x"): Typed(0, "unsigned int"),
        Name("y"): Typed(1, "bool"),
        Name("c"): Typed(0, "unsigned char"),
        Name("l"): Typed(1, "long"),
        Name("u"): Typed(0, "unsigned short"),
    }
    plain = {Name(name.name): known for name, known in values.items()}
    found = expression(written)
    assert computed(found, {name: plain[Name(name.name)] for name in names_in(found)}) == value


@pytest.mark.parametrize(
    "written", ["2147483647 + 1", "1 / 0", "1 << 32", "-1 << 1", "(-2147483647 - 1) % -1", "1 << -1"]
)
def test_what_c_leaves_undefined_has_no_value(written: str) -> None:
    with pytest.raises(ArithmeticError):
        computed(expression(written), {})
