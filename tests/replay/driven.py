"""Random runs of the reference semantics, and drivers for them."""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, final

from stateglass.answers.scripts import Scripting
from stateglass.explore import Manner
from stateglass.explore.retracing import Retracing, Run, Taken
from stateglass.operations.assembling import assemble, read
from stateglass.options import ExtractOptions
from stateglass.replay.driving.driver import Driver
from stateglass.replay.driving.failures import Outcome
from stateglass.replay.driving.running import Compiling, Workshop
from stateglass.replay.driving.script import Fails, Script
from stateglass.system import System
from stateglass.system.concrete import concretised

GCC: Final = next((name for name in ("gcc", "cc") if shutil.which(name)), None)
CLANG: Final = next(
    (name for name in ("clang", *(f"clang-{n}" for n in range(25, 11, -1))) if shutil.which(name)), None
)


@final
@dataclass(frozen=True, slots=True)
class Subject:
    """Code to be driven, and the flags of its files."""

    system: System
    flags: tuple[tuple[str, ...], ...]

    def walk(self, seed: int, length: int, watch: tuple[str, ...] = ()) -> Script:
        """A random run as a script."""
        retracing = Retracing(self.system, Manner(watch=frozenset(watch)))
        chance, state, taken = random.Random(seed), retracing.first, list[Taken]()
        while len(taken) < length:
            steps = list(retracing.steps(state))
            if not steps:
                break
            step = chance.choice(steps)
            taken.append(Taken(state, step))
            state = step.state
        scripting = Scripting(self.system, retracing, watch, every_step=False)
        return scripting.script(Run(retracing.first, tuple(taken)))

    def drive(
        self, script: Script, folder: Path, files: list[str] | None = None, *, compiler: str | None = None
    ) -> Outcome:
        """Compiles and runs a script, on other files if they are given."""
        paths = files or [str(Path(file).resolve()) for file in self.system.program.files]
        driver = Driver(self.system, script, paths)
        workshop = Workshop(folder, Compiling(compiler, self.flags))
        workshop.build(driver)
        return workshop.run(driver, 20)


def subject(options: ExtractOptions) -> Subject:
    reading = read(options)
    system = assemble(reading, options)
    flags = tuple(use.for_this_machine() for use in reading.surroundings.files)
    return Subject(system if system.abstractions is None else concretised(system), flags)


def written(folder: Path, code: str, function: str = "step", **others: object) -> Subject:
    """A function of a file of its own."""
    file = folder / "code.c"
    file.write_text(code, encoding="utf-8")
    return subject(replace(ExtractOptions(files=(str(file),), functions=(function,)), **others))  # type: ignore[arg-type]


def positions(script: Script, kind: type) -> list[int]:
    return [n for n, item in enumerate(script.items) if isinstance(item.what, kind)]


def failing_run(found: Subject) -> Script:
    """Some run that ends with an error."""
    return next(s for seed in range(200) if positions(s := found.walk(seed, 12), Fails))
