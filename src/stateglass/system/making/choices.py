"""What the user says of objects that are handed in: which there are, and what stands for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import final

from stateglass.source import Code, Diagnostic, InputError
from stateglass.system.parts import PartChoice, read_choice


@final
@dataclass(frozen=True, slots=True)
class Choices:
    """What stands for objects, by their names, and the objects of each category."""

    members: Mapping[str, PartChoice] = field(default_factory=dict)
    categories: Mapping[str, Mapping[str, PartChoice]] = field(default_factory=dict)

    def of(self, name: str) -> PartChoice | None:
        for category in self.categories.values():
            if name in category:
                return category[name]
        return self.members.get(name)


def read_categories(texts: Iterable[str], processes: tuple[str, ...]) -> dict[str, dict[str, PartChoice]]:
    """`sensors.a=code Thermo` and the like."""
    found: dict[str, dict[str, PartChoice]] = {}
    problems: list[Diagnostic] = []
    owners: dict[str, str] = {}
    for text in texts:
        name, equals, said = (part.strip() for part in text.partition("="))
        category, dot, object = name.partition(".")
        if not (equals and dot and category.isidentifier() and object.isidentifier()):
            help = "an object of a category is written as in sensors.a=code Thermo"
            problems.append(Diagnostic(Code.USAGE, f"`{text}` does not say what an object of a category is", help=help))
            continue
        if owners.setdefault(object, category) != category:
            message = f"`{object}` is in two categories, `{owners[object]}` and `{category}`"
            problems.append(Diagnostic(Code.USAGE, message, help="give one of the objects another name"))
        try:
            found.setdefault(category, {})[object] = read_choice(text, said, processes)
        except InputError as error:
            problems += error.diagnostics
    if problems:
        raise InputError(problems)
    return found
