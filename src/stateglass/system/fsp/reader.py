"""Reads the notation of processes; all that is wrong with a text is said at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stateglass.source import NOWHERE, Code, Diagnostic, InputError, Span, input_error, suggestion
from stateglass.source.notation import Text, Token
from stateglass.system.fsp.grammar import SyntaxTree, parse_definition
from stateglass.system.fsp.nodes import At, Process
from stateglass.system.fsp.tokens import tokens_of
from stateglass.system.fsp.trees import TreeReader
from stateglass.system.fsp.validator import validate

MOST_CHARACTERS: Final = 1 << 20
MOST_PROBLEMS: Final = 20

_OPENING: Final = frozenset({"OPEN", "OPEN_INDEX", "BEGIN"})
_CLOSING: Final = frozenset({"CLOSE", "CLOSE_INDEX", "END"})


def read_process(text: str, name: str = "", *, file: str = "", span: Span = NOWHERE) -> Process:
    """The process in a text; of several, the one that is called `name`.

    A text that is no `file` of its own may stand at a `span` of one; messages say then whose text it is by `name`.
    """
    found = read_processes(text, name, file=file, span=span)
    if len(found) == 1:
        return found[0]
    for process in found:
        if process.name == name:
            return process
    names = [process.name for process in found]
    where = span if span != NOWHERE else Span.at(file) if file else NOWHERE
    if not name:
        help = "name one of them: " + ", ".join(f"`{n}`" for n in names)
        raise input_error(Code.PROCESS, f"there are {len(names)} processes here, where one is asked for", where, help)
    message = f"there are {len(names)} processes here, and none is called `{name}`"
    raise input_error(Code.PROCESS, message, where, suggestion(name, names))


def read_processes(text: str, name: str = "", *, file: str = "", span: Span = NOWHERE) -> tuple[Process, ...]:
    """All processes in a text, each of which ends with a full stop."""
    label = f"the process `{name}`: " if name and not file else ""
    if len(text) > MOST_CHARACTERS:
        message = f"{label}at most {MOST_CHARACTERS:,} characters are read"
        raise input_error(Code.TOO_LARGE, message, Span.at(file) if file else span)
    source = Text(text, file, label, span, Code.PROCESS)
    tokens = tokens_of(source)
    processes = [_process(source, definitions) for definitions in _definitions(tokens)]
    if tokens and tokens[-1].kind not in ("DOT", "COMMA"):
        end = tokens[-1].end
        source.problem("`.` is missing behind the last definition", end, end + 1)
    if not processes and not source.problems:
        source.problem("there is no process here", 0, 1, "one is `DOOR = (call(open) -> return(open) -> DOOR).`")
    seen: set[str] = set()
    for process in (p for p in processes if p is not None):
        if process.name in seen:
            source.problem(f"there are two processes `{process.name}`", *process.definitions[0].at)
        seen.add(process.name)
    if source.problems:
        raise InputError(_limited(source.all_problems()))
    return tuple(p for p in processes if p is not None)


_Written = tuple[list[Token], int]
"""The tokens of a definition, and where it ends."""


def _definitions(tokens: Sequence[Token]) -> list[list[_Written]]:
    """The tokens cut at full stops into processes, and these at commas into definitions."""
    processes: list[list[_Written]] = []
    definitions: list[_Written] = []
    current: list[Token] = []
    depth, in_head = 0, True
    for number, token in enumerate(tokens):
        depth += (token.kind in _OPENING) - (token.kind in _CLOSING)
        in_head = in_head and not (token.kind == "ASSIGN" and depth == 0)
        outside = depth <= 0 or (not in_head and _begins(tokens, number + 1))
        ends = token.kind == "DOT" or (token.kind == "COMMA" and outside)
        if not ends:
            current.append(token)
            continue
        definitions.append((current, token.start))
        current, depth, in_head = [], 0, True
        if token.kind == "DOT":
            processes.append(definitions)
            definitions = []
    if current or definitions:
        definitions.append((current, tokens[-1].end))
        processes.append(definitions)
    return processes


def _begins(tokens: Sequence[Token], at: int) -> bool:
    """Whether a definition begins here, even if brackets before it were not closed."""
    return [t.kind for t in tokens[at : at + 2]] == ["NAME", "ASSIGN"]


def _process(text: Text, written: Sequence[_Written]) -> Process | None:
    trees = [parse_definition(text, tokens, end) for tokens, end in written]
    whole = [tree for tree in trees if tree is not None]
    if len(whole) < len(trees):
        # Names in the definitions that could not be read are unknown: to say more would be guessing.
        return None
    before = len(text.problems)
    reader = TreeReader(text)
    parameters = reader.parameters(whole[0])
    for tree in whole[1:]:
        _refuse_parameters(text, reader, tree)
    scope = frozenset(p.name for p in parameters)
    definitions = tuple(reader.definition(tree, scope) for tree in whole)

    def note(message: str, at: At, help: str) -> None:
        text.problem(message, *at, help)

    def warn(message: str, at: At, help: str) -> None:
        reader.warnings.append((message, at, help))

    if len(text.problems) == before:
        validate(parameters, definitions, note, warn)
    warnings = tuple(text.warning(message, *at, help) for message, at, help in sorted(reader.warnings))
    return Process(parameters, definitions, tuple(sorted(warnings, key=lambda d: d.span)), text)


def _refuse_parameters(text: Text, reader: TreeReader, tree: SyntaxTree) -> None:
    for parameter in reader.parameters(tree):
        message = f"only the first definition of a process has parameters like `{parameter.name}`"
        text.problem(message, *parameter.at, f"write `[{parameter.name}:0..3]` behind the name of this one")


def _limited(problems: list[Diagnostic]) -> list[Diagnostic]:
    if len(problems) <= MOST_PROBLEMS:
        return problems
    more = len(problems) - MOST_PROBLEMS
    return [*problems[:MOST_PROBLEMS], Diagnostic(Code.PROCESS, f"… and {more} more problems", problems[-1].span)]
