"""Maps in the project file: names of files, or the entries themselves, and what is said when they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.options import Project
from stateglass.options.reading import parse_project
from stateglass.source import Diagnostic, InputError, Severity

HEAD = "schema = 1\n[system.main]\n"


def read(text: str) -> Project:
    project, warnings = parse_project(Path("stateglass.toml"), text)
    assert all("not used" in w.message for w in warnings)
    return project


def problems(text: str) -> list[Diagnostic]:
    with pytest.raises(InputError) as error:
        parse_project(Path("stateglass.toml"), text)
    return [d for d in error.value.diagnostics if d.severity is Severity.ERROR]


def test_maps_are_files_by_name() -> None:
    [system] = read(HEAD + 'abstraction = "fsm.am"\nlabels = "fsm.lm"\n').systems
    assert system.abstraction == "fsm.am"
    assert system.labels == "fsm.lm"


def test_maps_are_tables_and_lists() -> None:
    text = HEAD + 'labels = ["exit == 0 => accept", "watch (main:ch == 97) => \'a"]\n'
    text += '[system.main.abstraction]\n"main::state" = "part(0, 1, 2)"\nlog.used = "int"\n"getc()" = "top"\n'
    [system] = read(text).systems
    assert system.abstraction == (("main::state", "part(0, 1, 2)"), ("log.used", "int"), ("getc()", "top"))
    assert system.labels == ("exit == 0 => accept", "watch (main:ch == 97) => 'a")


def test_one_abstraction_for_all_systems_gives_way_to_their_own() -> None:
    text = (
        'schema = 1\n[abstraction]\nx = "int"\n[system.a]\n[system.b]\nabstraction = "b.am"\n[system.c.abstraction]\n'
    )
    assert [s.abstraction for s in read(text).systems] == [(("x", "int"),), "b.am", ()]


def test_a_system_without_maps_has_none() -> None:
    [system] = read(HEAD).systems
    assert system.abstraction is None
    assert system.labels is None


@pytest.mark.parametrize(
    ("line", "message", "place"),
    [
        ("abstraction = 3", "should be the name of a map or a table, not a whole number", "3:15"),
        ('abstraction = ""', "`abstraction` is empty", "3:15"),
        ("labels = 3", "`labels` should be a list of texts", "3:10"),
        ("labels = [3]", "element 1 of `labels` should be a text", "3:11"),
        ('labels = ["exit => a", "exti => b"]', "rule 2: `exti` stands where", "3:25"),
        ('labels = ["watch (x => b"]', "`=>` stands where", "3:21"),
        ('abstraction = { x = "prat(1)" }', "`x`: there is no abstraction `prat`", "3:22"),
        ('abstraction = { x = "part(2, 1)" }', "1 follows 2", "3:30"),
        ("abstraction = { x = 3 }", "the abstraction of `x` should be a text", "3:21"),
        ('abstraction = { "x y" = "int" }', "`y` stands where", "3:"),
        ('abstraction = { "x()[1]" = "int" }', "stands where", "3:"),
        ('abstraction = { "f.x" = "int", f.x = "int" }', "`f.x` is declared twice", "3:"),
    ],
)
def test_mistakes_are_shown_where_they_are(line: str, message: str, place: str) -> None:
    [diagnostic] = problems(f"{HEAD}{line}\n")
    assert message in diagnostic.message
    assert str(diagnostic.span).startswith(f"stateglass.toml:{place}")


def test_all_mistakes_are_told_at_once() -> None:
    text = f'{HEAD}labels = ["exi", "exit => a("]\nabstraction = {{ x = "i", y = "mod(0)" }}\n'
    assert len(problems(text)) == 4
