"""The settings of an extraction as evidence carries them, so that the same can be had again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from stateglass.options.merge import RULES, ExtractOptions, merge
from stateglass.source import Code, InputError, Span, input_error, suggestion

WATCH: Final = "watch"


def recorded(options: ExtractOptions, watch: frozenset[str]) -> dict[str, object]:
    """The settings that differ from the default ones, and the variables whose momentary values are seen."""
    default = ExtractOptions()
    changed = {name: value for name in RULES if (value := getattr(options, name)) != getattr(default, name)}
    return {**changed, **({WATCH: sorted(watch)} if watch else {})}


def recorded_settings(subject: Mapping[str, Any], file: str) -> tuple[ExtractOptions, frozenset[str]]:
    """The settings again; what is wrong with them is told."""
    for key in subject:
        if key not in RULES and key != WATCH:
            help = suggestion(key, [*RULES, WATCH])
            raise input_error(Code.UNKNOWN_NAME, f"`subject` has the unknown key `{key}`", Span.at(file), help)
    if not subject.get("files"):
        help = "replay needs evidence on C files, as `stateglass check FILE.c … -o evidence.json` writes it"
        raise input_error(Code.USAGE, "this evidence is not about code", Span.at(file), help)
    given = {name: tuple(v) if isinstance(v, list) else v for name, v in subject.items() if name != WATCH}
    given["bounds"] = tuple(f"{name}={spec}" for name, spec in _pairs("bounds", given.get("bounds", ()), file))
    # Maps within a project file are no files.
    maps = {name: given.pop(name) for name in ("abstraction", "labels") if isinstance(given.get(name), tuple)}
    watch = subject.get(WATCH, [])
    if not isinstance(watch, list) or not all(isinstance(name, str) for name in watch):
        raise _wrong(WATCH, file)
    options = merge(None, None, given, {})
    if "abstraction" in maps:
        options = replace(options, abstraction=_pairs("abstraction", maps["abstraction"], file))
    if "labels" in maps:
        options = replace(options, labels=_rules(maps["labels"], file))
    return options, frozenset(watch)


def _pairs(key: str, value: Any, file: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, tuple) or not all(_is_pair(pair) for pair in value):
        raise _wrong(key, file)
    return tuple((first, second) for first, second in value)


def _rules(value: tuple[Any, ...], file: str) -> tuple[str, ...]:
    if not all(isinstance(rule, str) for rule in value):
        raise _wrong("labels", file)
    return value


def _is_pair(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(text, str) for text in value)


def _wrong(key: str, file: str) -> InputError:
    return input_error(Code.SYNTAX, f"`{key}` of `subject` is not as `stateglass check` writes it", Span.at(file))
