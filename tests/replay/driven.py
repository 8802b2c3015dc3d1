"""Random runs of the reference semantics, and drivers for them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import final

from stateglass.explore.retracing import Retracing, Run, Taken
from stateglass.operations.concrete import concretised
from stateglass.operations.scripts import Scripting
from stateglass.options import ExtractOptions
from stateglass.pipeline import assemble, read
from stateglass.replay.driving.driver import Driver
from stateglass.replay.driving.running import Compiling, Outcome, build, find_compiler, run, write_files
from stateglass.replay.driving.script import Script
from stateglass.system import System


@final
@dataclass(frozen=True, slots=True)
class Subject:
    """Code to be driven, and the flags of its files."""

    system: System
    flags: tuple[tuple[str, ...], ...]

    def walk(self, seed: int, length: int, watch: tuple[str, ...] = ()) -> Script:
        """A random run as a script."""
        retracing = Retracing(self.system, 64, watch=watch)
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

    def drive(self, script: Script, folder: Path, files: list[str] | None = None) -> Outcome:
        """Compiles and runs a script, on other files if they are given."""
        paths = files or [str(Path(file).resolve()) for file in self.system.program.files]
        driver = Driver(self.system, script, paths)
        write_files(folder, driver.texts())
        build(driver, folder, Compiling(find_compiler(None), self.flags))
        return run(folder, 20, may_hang=False)


def subject(options: ExtractOptions) -> Subject:
    reading = read(options)
    system = assemble(reading, options)
    flags = tuple(use.for_this_machine() for use in reading.surroundings.files)
    return Subject(system if system.abstractions is None else concretised(system), flags)
