"""The program of a design as files: C, FSP with predicates and claims, and a project file that runs it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from stateglass.assemblies.interpretation.expressions import initial_value
from stateglass.assemblies.interpretation.interpreting import Interpretation
from stateglass.assemblies.interpretation.seeds import LISTENING, event_conditions, is_listening
from stateglass.assemblies.interpretation.translating import Asked
from stateglass.logic import temporal
from stateglass.logic.notation import formula_text

_PLAIN: Final = re.compile(r"[\w-]+")


def cfa_files(program: Interpretation, claims: Sequence[Asked]) -> dict[str, str]:
    """Texts by the names of files. Who asks twice has one claim there."""
    name = program.wiring.name
    claims = list({one.claim.title: one for one in claims}.values())
    return {
        f"{name}.c": program.text,
        f"{name}.spec": "".join(f"{line}\n" for line in _spec(program, claims)),
        "stateglass.toml": "".join(f"{line}\n" for line in _project(program, claims)),
    }


def _spec(program: Interpretation, claims: Sequence[Asked]) -> Iterator[str]:
    threads = [text for text in program.asked.threads if not text.startswith("process ")]
    processes = [text.removeprefix("process ") for text in program.asked.threads if text.startswith("process ")]
    formulas = [asked for asked in claims if isinstance(asked.translated.content, temporal.Formula)]
    named = [(f"{_last(asked)}{number}", asked) for number, asked in enumerate(formulas)]
    yield f"cprog my_prog = {', '.join([*threads, *processes])} {{"
    initial = " && ".join(_initial(program, threads))
    for number, (name, _) in enumerate(named):
        yield f"   abstract abs{number}, {{ {initial or '1'} }}, {name};"
    yield "}"
    for name, asked in named:
        yield ""
        yield f"// {_last(asked)}: {' '.join(asked.claim.text.split())}"
        yield f"{name} : {_formula(program, asked, threads)};"
    for thread in threads:
        yield ""
        yield from _thread(program, thread)
    for function, process, text in _answers(program):
        yield ""
        yield f"cproc {function} {{"
        yield f"   abstract {{ abs, 1, {process} }};"
        yield "}"
        yield text
    for process in processes:
        yield ""
        yield program.asked.processes[process]


def _last(asked: Asked) -> str:
    """The name that a claim has where it is made."""
    name = asked.claim.title.rpartition(".")[2]
    return re.sub(r"\W", "_", name) if asked.claim.name else "Claim"


def _initial(program: Interpretation, threads: Sequence[str]) -> Iterator[str]:
    for variable in program.variables.values():
        if variable.name not in program.unused:
            value = initial_value(program.wiring, variable.unit, variable.declared)
            yield f"{_owned(program, variable.name, threads)} == {value}"


def _owned(program: Interpretation, name: str, threads: Sequence[str]) -> str:
    """`P0::store_data`: the variable of a thread, by its number; what several use belongs to the first of them."""
    users = program.users.get(name, ())
    return f"P{threads.index(users[0]) if users else 0}::{name.rpartition('::')[2]}"


def _formula(program: Interpretation, asked: Asked, threads: Sequence[str]) -> str:
    content = asked.translated.content
    assert isinstance(content, temporal.Formula)
    text = formula_text(content)
    names = sorted(program.users, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<![\w:]){re.escape(name)}(?!\w)" for name in names) or r"(?!)")
    # Events are no variables, and have other names.
    return pattern.sub(lambda found: _owned(program, found[0], threads), text)


def _thread(program: Interpretation, thread: str) -> Iterator[str]:
    """A thread with the conditions that its control depends on."""
    carrier = program.threads[thread]
    yield f"cproc {thread} {{"
    if not carrier.outside:
        states = program.states[carrier.role][1]
        yield f"   predicate {', '.join(f'(currState == {number})' for number in range(1, len(states)))};"
    if events := event_conditions(program, thread):
        yield f"   predicate {', '.join(f'({text})' for text in events)};"
    if is_listening(program, thread):
        yield f"   predicate ({LISTENING});"
    yield "}"


def _answers(program: Interpretation) -> Iterator[tuple[str, str, str]]:
    """Functions, the processes that answer them, and the texts of these."""
    known = {}
    for text in program.asked.answers:
        function, _, process = text.partition("=process ")
        known[function] = process
        yield function, process, program.asked.processes[process]
    for event in program.events.values():
        function = f"fsp_{event.name}"
        if event.mark == "^" and not event.parameters and function not in known:
            process = event.name[0].upper() + event.name[1:].replace("_", "", 1)
            yield function, process, f"{process} = ({event.name} -> return {{}} -> STOP)."


def _project(program: Interpretation, claims: Sequence[Asked]) -> Iterator[str]:
    asked = program.asked
    name = program.wiring.name
    yield "schema = 1"
    yield ""
    yield "[source]"
    yield f'files = ["{name}.c"]'
    yield ""
    yield f"[system.{name}]"
    yield f"threads = {_list(asked.threads)}"
    if asked.events:
        yield f"events = {_list(asked.events)}"
    tables: list[tuple[str, Mapping[str, str]]] = [
        ("answers", _pairs(asked.answers)),
        ("shared", _pairs(asked.shared)),
        ("bounds", dict(program.bounds)),
    ]
    for table, rows in tables:
        if rows:
            yield ""
            yield f"[system.{name}.{table}]"
            yield from (f"{_key(key)} = {_text(value)}" for key, value in rows.items())
    for process, text in asked.processes.items():
        yield ""
        yield f"[process.{process}]"
        yield f'fsp = """\n{text}"""'
    yield ""
    yield "[claims]"
    for one in claims:
        content = one.translated.content
        text = formula_text(content) if isinstance(content, temporal.Formula) else one.claim.text
        language = f"{one.claim.language.value}: " if isinstance(content, temporal.Formula) else ""
        yield f"{_key(one.claim.title)} = {_text(language.replace('english: ', 'ltl: ') + text)}"


def _pairs(texts: Sequence[str]) -> dict[str, str]:
    return {name: value for name, _, value in (text.partition("=") for text in texts)}


def _list(texts: Sequence[str]) -> str:
    return "[" + ", ".join(_text(text) for text in texts) + "]"


def _key(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else _text(name)


def _text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'
