"""Checks the content of a project file against the rules of its keys; collects errors and warnings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, cast, final

from stateglass.options.claims import ClaimText
from stateglass.options.maps import AbstractionSetting, MapSettings
from stateglass.options.positions import KeyPath, Positions, flat, inside
from stateglass.options.project import (
    SCHEMA,
    DesignOptions,
    HypothesisOptions,
    LimitOptions,
    MeaningText,
    Project,
    ScenarioSettings,
    SourceOptions,
    SystemOptions,
)
from stateglass.options.values import (
    ANSWER_RULE,
    CALLBACK_RULE,
    CLAIM_RULE,
    CLIENT_RULES,
    CLIENTS_RULE,
    DESIGN_RULES,
    HYPOTHESIS_RULES,
    MEANING_RULE,
    MEMBER_RULE,
    OPTION_RULES,
    PROCESS_RULES,
    SCENARIO_RULES,
    SHARED_RULE,
    SOURCE_RULES,
    SYSTEM_RULES,
    THROWN_RULE,
    Rule,
    Texts,
    complaints,
    described,
    printable,
    texts,
)
from stateglass.source import Code, Diagnostic, InputError, Severity, Span, Words, suggestion
from stateglass.system.bounds import is_input_name, parse_bound
from stateglass.system.namespace import GLOBAL

Table = dict[str, object]

TOP_KEYS: Final = (
    "schema",
    "source",
    "system",
    "process",
    "options",
    "abstraction",
    "hypothesis",
    "claims",
    "scenarios",
    "design",
)
SYSTEM_TABLES: Final = (
    "bounds",
    "members",
    "categories",
    "can_throw",
    "callbacks",
    "clients",
    "answers",
    "shared",
    "abstraction",
    "labels",
)


@final
class Validation:
    """One project file being checked."""

    def __init__(self, positions: Positions) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._positions = positions
        self._maps = MapSettings(positions, self.diagnostics)

    def project(self, path: Path, table: Table) -> Project:
        """The project as far as it is valid; `diagnostics` says what is not."""
        self._keys((), table, TOP_KEYS, frozenset())
        self._schema(table)
        source = self._settings(("source",), self._table(("source",), table), SOURCE_RULES, frozenset())
        options = self._settings(("options",), self._table(("options",), table), OPTION_RULES, frozenset())
        scenarios = self._settings(("scenarios",), self._table(("scenarios",), table), SCENARIO_RULES, frozenset())
        # Each value was checked against the rule of its field; what failed is left out.
        return Project(
            path,
            SourceOptions(**source),
            tuple(self._systems(self._table(("system",), table), self._maps.abstraction((), table))),
            LimitOptions(**options),
            tuple(self._hypotheses(self._table(("hypothesis",), table))),
            tuple(self._claims(self._table(("claims",), table))),
            tuple(self._processes(self._table(("process",), table))),
            ScenarioSettings(**scenarios),
            tuple(self._designs(self._table(("design",), table), self._table(("system",), table))),
        )

    def _schema(self, table: Table) -> None:
        schema = table.get("schema")
        if "schema" not in table:
            self._error(
                "`schema` is missing", Span.at(self._positions.file, 1), f"begin the file with `schema = {SCHEMA}`"
            )
        elif not isinstance(schema, int) or isinstance(schema, bool):
            self._error(f"`schema` should be {SCHEMA}, not {described(schema)}", self._positions.value(("schema",)))
        elif schema != SCHEMA:
            message = f"this version of Stateglass reads `schema = {SCHEMA}` and no other"
            self._error(message, self._positions.value(("schema",)))

    def _systems(self, table: Table, shared: AbstractionSetting) -> Iterator[SystemOptions]:
        for name, value in table.items():
            path: KeyPath = ("system", name)
            if not isinstance(value, dict):
                hint = f"give the system a name: `[system.main]` and `{printable(name)}` below it"
                expected = "`[system]` holds one table for each system"
                self._error(f"{expected}, not `{printable(name)}`", self._positions.key(path), hint)
                continue
            if not name.strip() or not name.isprintable():
                self._error("a system needs a name", self._positions.key(path), "write it as in `[system.main]`")
            rest = {key: v for key, v in value.items() if key not in SYSTEM_TABLES}
            settings = self._settings(path, rest, SYSTEM_RULES, frozenset(), others=SYSTEM_TABLES)
            bounds = tuple(self._bounds((*path, "bounds"), self._table((*path, "bounds"), value)))
            # What the file says for all systems goes for those that say nothing themselves.
            abstraction = self._maps.abstraction(path, value) if "abstraction" in value else shared
            labels = self._maps.labels(path, value)
            settings["members"] = tuple(self._named(path, "members", value, MEMBER_RULE))
            settings["categories"] = tuple(self._named(path, "categories", value, MEMBER_RULE))
            settings["can_throw"] = tuple(self._named(path, "can_throw", value, THROWN_RULE))
            settings["callbacks"] = tuple(self._named(path, "callbacks", value, CALLBACK_RULE))
            settings["answers"] = tuple(self._named(path, "answers", value, ANSWER_RULE))
            settings["shared"] = tuple(self._named(path, "shared", value, SHARED_RULE))
            settings["clients"] = tuple(self._clients((*path, "clients"), value.get("clients", {})))
            places = tuple(self._places(path, value))
            yield SystemOptions(name, bounds=bounds, abstraction=abstraction, labels=labels, places=places, **settings)

    def _places(self, path: KeyPath, system: Table) -> Iterator[tuple[str, Span]]:
        """Where the texts about threads stand, and predicates."""
        for key in ("threads", "events", "predicates"):
            given = system.get(key)
            where: KeyPath = (*path, key)
            for number, text in enumerate(texts(given)):
                span = self._positions.value(where if isinstance(given, str) else (*where, number))
                yield text, inside(span, text)
        for key in ("answers", "shared"):
            table = system.get(key)
            for name, said, at in flat((*path, key), table) if isinstance(table, dict) else ():
                if isinstance(said, str):
                    yield f"{name}={said}", self._positions.key(at)

    def _named(self, path: KeyPath, key: str, system: Table, rule: Rule) -> Iterator[str]:
        """The texts of a table whose keys are names of parts or of functions: `NAME=TEXT`."""
        table = self._table((*path, key), system)
        for name, value, where in flat((*path, key), table):
            found = complaints(rule, value)
            for complaint in found:
                self._error(f"`{printable(name)}` {complaint.message}", self._positions.value(where), complaint.help)
            if not is_input_name(name) and name != GLOBAL:
                self._error(f"`{printable(name)}` is not the name of a part", self._positions.key(where))
            elif not found:
                yield from (f"{name}={text}" for text in texts(value))

    def _clients(self, path: KeyPath, value: object) -> Iterator[str]:
        """Clients as a list of names, or as a table with what each of them does."""
        if not isinstance(value, dict):
            for complaint in (found := complaints(CLIENTS_RULE, value)):
                where: KeyPath = path if complaint.index is None else (*path, complaint.index)
                help = complaint.help or "write `[system.NAME.clients.ui]` to say what a client does"
                self._error(f"`clients` {complaint.message}", self._positions.value(where), help)
            for index, name in enumerate(() if found else texts(value)):
                if self._is_client(name, self._positions.value((*path, index))):
                    yield name
            return
        for name, client in value.items():
            if not self._is_client(name, self._positions.key((*path, name))):
                continue
            if not isinstance(client, dict):
                hint = f"write `[{_header((*path, name))}]`, and what it does below it"
                self._error(f"`{printable(name)}` should be a table", self._positions.key((*path, name)), hint)
                continue
            settings = self._settings((*path, name), client, CLIENT_RULES, frozenset())
            yield name
            for key, said in settings.items():
                yield from (f"{name}.{key}={text}" for text in texts(said))

    def _is_client(self, name: str, span: Span) -> bool:
        if not name.isidentifier():
            self._error(f"`{printable(name)}` cannot be the name of a client", span, "it is one word, as in `panel`")
        return name.isidentifier()

    def _processes(self, table: Table) -> Iterator[tuple[str, str]]:
        for name, value in table.items():
            path: KeyPath = ("process", name)
            if not isinstance(value, dict):
                expected = "`[process]` holds one table for each process"
                hint = f"give it a name: `[process.Door]` and `{printable(name)}` below it"
                self._error(f"{expected}, not `{printable(name)}`", self._positions.key(path), hint)
                continue
            settings = self._settings(path, value, PROCESS_RULES, frozenset())
            if "fsp" not in value:
                help = 'write `fsp = "DOOR = (call(open) -> return(open) -> DOOR)."`'
                self._error("`fsp` is missing", self._positions.key(path), help)
            elif "fsp" in settings:
                yield name, settings["fsp"]

    def _hypotheses(self, table: Table) -> Iterator[HypothesisOptions]:
        for name, value in table.items():
            path: KeyPath = ("hypothesis", name)
            if not isinstance(value, dict):
                expected = "`[hypothesis]` holds one table for each hypothesis"
                hint = f"give it a name: `[hypothesis.main]` and `{printable(name)}` below it"
                self._error(f"{expected}, not `{printable(name)}`", self._positions.key(path), hint)
                continue
            settings = self._settings(path, value, HYPOTHESIS_RULES, frozenset())
            if "file" not in value:
                self._error("`file` is missing", self._positions.key(path), 'write `file = "timer.machine"`')
            elif "file" in settings:
                yield HypothesisOptions(name, **settings)

    def _designs(self, table: Table, systems: Table) -> Iterator[DesignOptions]:
        for name, value in table.items():
            path: KeyPath = ("design", name)
            if not isinstance(value, dict):
                expected = "`[design]` holds one table for each component that code implements"
                hint = f"give it a name: `[design.main]` and `{printable(name)}` below it"
                self._error(f"{expected}, not `{printable(name)}`", self._positions.key(path), hint)
                continue
            rest = {key: v for key, v in value.items() if key != "map"}
            settings = self._settings(path, rest, DESIGN_RULES, frozenset(), others=("map",))
            settings["of_class"] = settings.pop("class", None)
            meanings = tuple(self._meanings((*path, "map"), self._table((*path, "map"), value)))
            system = settings.get("system")
            if system is not None and system not in systems:
                span = inside(self._positions.value((*path, "system")), system)
                message = f"there is no system `{printable(system)}`"
                self._error(message, span, suggestion(system, systems), Code.UNKNOWN_NAME)
            if "file" not in value:
                self._error("`file` is missing", self._positions.key(path), 'write `file = "shelf.ccl"`')
            elif "file" in settings:
                yield DesignOptions(name, map=meanings, **settings)

    def _meanings(self, path: KeyPath, table: Table) -> Iterator[MeaningText]:
        for name, value, where in flat(path, table):
            span = self._positions.value(where)
            found = complaints(MEANING_RULE, value)
            for complaint in found:
                self._error(f"`{printable(name)}` {complaint.message}", span, complaint.help)
            if isinstance(value, str) and not found:
                yield MeaningText(name, Words(value, inside(span, value)), self._positions.key(where))

    def _claims(self, table: Table) -> Iterator[ClaimText]:
        for name, value in table.items():
            path: KeyPath = ("claims", name)
            for complaint in complaints(CLAIM_RULE, value):
                self._error(f"`{printable(name)}` {complaint.message}", self._positions.value(path), complaint.help)
            if not name.strip() or not name.isprintable():
                self._error("a claim needs a name", self._positions.key(path), f"write it as in {CLAIM_RULE.example}")
            if isinstance(value, str):
                yield ClaimText(Words(value, inside(self._positions.value(path), value)), name)

    def _bounds(self, path: KeyPath, table: Table) -> Iterator[tuple[str, str]]:
        seen: dict[str, Span] = {}
        for name, value, where in flat(path, table):
            key, span, shown = self._positions.key(where), self._positions.value(where), printable(name)
            if not is_input_name(name):
                hint = 'names are "f.x" (parameter), "f()" (what f returns), "x" (global), "f::x" (static local)'
                self._error(f"`{shown}` is not the name of an input", key, hint, Code.BOUND)
            if name in seen:
                self._error(f"`{shown}` has a second bound", key, f"the first is at {seen[name]}", Code.BOUND)
            seen[name] = key
            if not isinstance(value, str):
                message = f"the bound of `{shown}` should be a text, not {described(value)}"
                self._error(message, span, 'write it as in "0..10"', Code.BOUND)
                continue
            try:
                parse_bound(value, inside(span, value))
            except InputError as error:
                self.diagnostics += error.diagnostics
            else:
                yield name, value

    def _settings(
        self,
        path: KeyPath,
        table: Table,
        rules: dict[str, Rule],
        unused: frozenset[str],
        others: tuple[str, ...] = (),
    ) -> dict[str, Any]:
        """The valid ones among the settings of a table, in the form that the dataclasses hold."""
        self._keys(path, table, (*rules, *others), unused)
        settings: dict[str, Any] = {}
        for key, rule in rules.items():
            if key not in table:
                continue
            found = complaints(rule, table[key])
            for complaint in found:
                where: KeyPath = (*path, key) if complaint.index is None else (*path, key, complaint.index)
                shown = f"`{key}`" if complaint.index is None else f"element {complaint.index + 1} of `{key}`"
                self._error(f"{shown} {complaint.message}", self._positions.value(where), complaint.help)
            if not found:
                settings[key] = texts(table[key]) if isinstance(rule, Texts) else table[key]
        return settings

    def _keys(self, path: KeyPath, table: Table, known: tuple[str, ...], unused: frozenset[str]) -> None:
        for key in table:
            span = self._positions.key((*path, key))
            if key in unused:
                message = f"`{key}` is not used by this version of Stateglass"
                self.diagnostics.append(Diagnostic(Code.PROJECT, message, span, Severity.WARNING))
            elif key not in known:
                place = f"in `[{_header(path)}]`" if path else "at the top of a project file"
                self._error(f"there is no key `{printable(key)}` {place}", span, suggestion(key, known))

    def _table(self, path: KeyPath, parent: Table) -> Table:
        key = cast(str, path[-1])
        value = parent.get(key, {})
        if isinstance(value, dict):
            return value
        self._error(
            f"`{key}` should be a table, not {described(value)}",
            self._positions.key(path),
            f"write `[{_header(path)}]`",
        )
        return {}

    def _error(self, message: str, span: Span, help: str = "", code: Code = Code.PROJECT) -> None:
        self.diagnostics.append(Diagnostic(code, message, span, help=help))


def _header(path: KeyPath) -> str:
    return printable(".".join(str(p) for p in path))
