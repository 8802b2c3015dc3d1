"""The headers of the C++ library can be read alone and all together, by each standard."""

from __future__ import annotations

from typing import Final

import pytest

from stateglass.frontend.building.flags import compiler_flags
from stateglass.frontend.clang import libclang
from stateglass.frontend.linking.library import CPLUSPLUS_FOLDER
from stateglass.source import Severity

HEADERS: Final = sorted(path.name for path in CPLUSPLUS_FOLDER.iterdir() if path.is_file())
STANDARDS: Final = ["c++11", "c++17", "gnu++20"]


def errors(headers: list[str], standard: str) -> list[str]:
    flags = compiler_flags((f"-std={standard}",), None, cplusplus=True)
    text = "".join(f"#include <{header}>\n" for header in headers) + "int i;\n"
    _, problems = libclang.parse("includes.cpp", flags, text)
    return [str(p) for p in problems if p.severity is Severity.ERROR]


def test_each_header_stands_alone() -> None:
    found = {header: errors([header, header], "gnu++20") for header in HEADERS}
    assert {header: problems for header, problems in found.items() if problems} == {}


@pytest.mark.parametrize("standard", STANDARDS)
def test_all_headers_go_together(standard: str) -> None:
    assert errors(HEADERS, standard) == []
    assert errors(HEADERS[::-1], standard) == []


def test_what_is_not_there_is_missing_by_name() -> None:
    flags = compiler_flags(("-std=gnu++20",), None, cplusplus=True)
    text = "#include <vector>\nvoid f(std::vector<int> v) { v.no_such_function(); std::no_such_type x; }\n"
    _, problems = libclang.parse("missing.cpp", flags, text)
    messages = [p.message for p in problems if p.severity is Severity.ERROR]
    assert any("no_such_function" in m for m in messages)
    assert any("no_such_type" in m for m in messages)


def test_old_standards_are_read_as_the_first_that_shows_what_is_not_copied() -> None:
    assert "-std=c++17" in compiler_flags(("-std=c++11",), None, cplusplus=True)
    assert "-std=gnu++17" in compiler_flags(("-std=gnu++98",), None, cplusplus=True)
    assert "-std=c++20" in compiler_flags(("-std=c++20",), None, cplusplus=True)
    assert "-std=c11" in compiler_flags(("-std=c11",), None)
