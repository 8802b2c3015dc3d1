"""What our C++ library does not have keeps single functions from being understood, and is never a wrong answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.frontend import Reading, read_program
from stateglass.frontend.clang.lacking import HEADERS
from stateglass.frontend.linking.library import CPLUSPLUS_FOLDER
from stateglass.program import Unsupported
from stateglass.source import InputError

LACKING = """
#include <regex>
#include <vector>
class Filter {
    std::vector<int> seen;
public:
    bool fits(const char *text) { std::regex form("a+"); return std::regex_match(text, form); }
    int count() { return static_cast<int>(seen.size()); }
    int last() { return seen.no_such_function(); }
};
"""


def read(folder: Path, text: str) -> Reading:
    file = folder / "lacking.cpp"
    file.write_text(text, encoding="utf-8")
    return read_program((str(file),))


def reasons(reading: Reading, function: str) -> list[str]:
    blocks = reading.program.functions[function].blocks
    return [s.reason for b in blocks for s in b.statements if isinstance(s, Unsupported)]


def test_functions_with_something_that_is_not_there_are_not_understood(tmp_path: Path) -> None:
    reading = read(tmp_path, LACKING)
    assert "no member named 'regex' in namespace 'std'" in reasons(reading, "Filter.fits")[0]
    assert "no_such_function" in reasons(reading, "Filter.last")[0]
    assert reasons(reading, "Filter.count") == []
    assert [(a.subject, a.text) for a in reading.assumptions] == [
        ("regex", "it was not found: it is taken to be empty")
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#include <regex>\n#include <vector>\nstruct S { std::regex form; };\n", "no type named 'regex'"),
        ("#include <vector>\nvoid f() { std::vector<int> v; v.no_such_function(); }\nint g() { return x; }\n", "'x'"),
        ("#include <no_such_header>\n", "'no_such_header' file not found"),
    ],
)
def test_what_is_wrong_elsewhere_is_an_error(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        read(tmp_path, text)
    assert any(said in d.message for d in raised.value.diagnostics)


def test_headers_are_there_or_known_not_to_be() -> None:
    assert HEADERS.isdisjoint(path.name for path in CPLUSPLUS_FOLDER.iterdir())
