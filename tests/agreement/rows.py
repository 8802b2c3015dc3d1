"""Each way to decide a claim on an example, and whether it agrees with looking at all states."""

from __future__ import annotations

import functools
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from stateglass.evidence import Verdict
from stateglass.logic.reading import read_claim
from stateglass.model import Model
from stateglass.operations.proposing import propose
from stateglass.options import ExtractOptions
from stateglass.options.settings import settings
from stateglass.pipeline import check_program, extract
from stateglass.unbounded.engines import Engine
from tests.agreement.questions import Question, about_events, about_states
from tests.test_examples import EXAMPLES, FOLDERS, model_of

SECONDS: Final = 10.0
NOT_ASSERTED: Final = frozenset({"event_log", "motor", "thermostat"})
"""Examples that no assertion can be put into: one has an error already, one is handed its data, one reads a sensor."""
ALSO: Final = ("suspension/suspension.toml", "hoist/hoist.toml", "adapter/adapter.toml", "lift/stateglass.toml")
"""Project files of other names, or with models that nobody would look at."""
EXPLICIT: Final = Engine.EXPLICIT
ENGINES: Final = (Engine.PREDICATE, Engine.SPACER, Engine.BMC)
"""Those that do not look at each state."""


@functools.cache
def options_of(folder: Path) -> ExtractOptions:
    return settings({}, None, str(folder / "stateglass.toml"))[0]


def in_c() -> list[Path]:
    """Examples that engines of all kinds know: programs in C whose values nobody has abstracted."""
    known = []
    for folder in FOLDERS:
        options = options_of(folder)
        if options.abstraction is None and all(file.endswith(".c") for file in options.files):
            known.append(folder)
    return known


def whole() -> dict[str, Callable[[], Model]]:
    """What makes the models of all systems in the project files of the examples, by name."""
    found: dict[str, Callable[[], Model]] = {folder.name: partial(model_of, folder) for folder in FOLDERS}
    for name in ALSO:
        file = EXAMPLES / name
        for system in tomllib.loads(file.read_text(encoding="utf-8"))["system"]:
            found[f"{file.parent.name}/{system}"] = partial(_extracted, str(file), system)
    return found


def _extracted(file: str, system: str) -> Model:
    return extract(settings({}, system, file)[0]).exploration.model


def questions_about(model: Model) -> list[Question]:
    return [*about_states(model), *about_events(model)]


def linear(folder: Path) -> list[str]:
    return [
        question.same[0] for question in questions_about(model_of(folder)) if not question.same[0].startswith("ctl")
    ]


def verdicts(options: ExtractOptions, claims: Sequence[str]) -> list[Verdict]:
    read = [read_claim(text) for text in claims]
    return [one.answer.verdict for one in check_program(options, read).checking.checked]


def differences(folder: Path, claims: Sequence[str]) -> tuple[list[Verdict], list[str]]:
    """What predicate abstraction says of linear claims, and where that is not what looking at all states says."""
    options = options_of(folder)
    exact = verdicts(replace(options, engine=EXPLICIT.value), claims)
    found = verdicts(replace(options, engine=Engine.PREDICATE.value, timeout=SECONDS), claims)
    return found, list(_contradictions(claims, exact, found, Engine.PREDICATE.value))


def asserted_differences(folder: Path, where: Path, condition: str) -> tuple[dict[Engine, Verdict], list[str]]:
    """The same for all engines, of a condition that is to hold after no call: an assertion in the program says so."""
    options = options_of(folder)
    (exact,) = verdicts(options, [f"G([stable] => ![{condition}])"])
    copied = where / folder.name
    shutil.copytree(folder, copied)
    files = tuple(str(copied / Path(file).name) for file in options.files)
    with Path(files[0]).open("a", encoding="utf-8") as file:
        file.write(f"\n#include <assert.h>\nvoid looked_at(void) {{ assert(!({condition})); }}\n")
    asked = replace(options, files=files, functions=(*options.functions, "looked_at"), timeout=SECONDS)
    found = {engine: verdicts(replace(asked, engine=engine.value), ["no-error"])[0] for engine in (EXPLICIT, *ENGINES)}
    wrong = (one for e, v in found.items() for one in _contradictions([condition], [exact], [v], e.value))
    return found, list(wrong)


def abstract_differences(folder: Path, map_file: Path, claims: Sequence[str]) -> tuple[list[Verdict], list[str]]:
    """The same for a model of abstract values, as the proposed map has them: claims it can ask are asked."""
    options = replace(options_of(folder), engine=EXPLICIT.value)
    map_file.write_text(str(propose(options)), encoding="utf-8")
    abstract = replace(options, abstraction=str(map_file))
    model = extract(abstract).exploration.model
    # An enumerator of a variable about which nothing is known is met nowhere, and refused.
    met = {name for own in model.propositions for _, name in own.names} | {"true", "false"}
    asked = [text for text in claims if all(w.isdecimal() or w in met for w in re.findall(r"== (\w+)", text))]
    exact, found = verdicts(options, asked), verdicts(abstract, asked)
    return found, list(_contradictions(asked, exact, found, "abstract"))


def _contradictions(
    claims: Sequence[str], exact: Sequence[Verdict], found: Sequence[Verdict], way: str
) -> Iterator[str]:
    for text, one, other in zip(claims, exact, found, strict=True):
        if other is not Verdict.INCONCLUSIVE and one is not other:
            yield f"{text}: {one.value}, but {way} says {other.value}"
