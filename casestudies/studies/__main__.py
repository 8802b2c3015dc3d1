"""Obtains the sources, runs the commands of the pages, compares: `python -m casestudies.studies`."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from casestudies.studies import SOURCES, STUDIES, Study, obtain, prepare
from tests.sessions import NeedsCompiler, run_document
from tests.transcript import install_program


def run_study(study: Study, sources: Path, update: bool, out: TextIO) -> bool | None:
    """Whether a page says what its commands print; None if its sources cannot be had."""
    began = time.monotonic()
    lacking = obtain(study, sources)
    with tempfile.TemporaryDirectory(prefix="stateglass-study-") as scratch:
        folder = Path(scratch) / study.name
        lacking = lacking or prepare(study, sources, folder)
        if lacking:
            print(f"{study.name}: skipped: {lacking}", file=out)
            return None
        install_program(folder)
        try:
            ran = run_document(study.page, study.page.name, folder, is_rewritten=update)
        except NeedsCompiler as needed:
            print(f"{study.name}: skipped: {needed}", file=out)
            return None
    seconds = time.monotonic() - began
    if update:
        study.page.write_text(ran.text, encoding="utf-8")
    for difference in ran.wrong:
        print(difference, file=out)
    said = f"{len(ran.wrong)} commands print something else" if ran.wrong else "as its page says"
    print(f"{study.name}: {said}{', rewritten' if update and ran.wrong else ''} ({seconds:.0f} s)", file=out)
    return update or not ran.wrong


def main(arguments: Sequence[str] | None = None, out: TextIO = sys.stdout) -> int:
    parser = argparse.ArgumentParser(prog="python -m casestudies.studies", description=__doc__)
    names = [study.name for study in STUDIES]
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these studies: {', '.join(names)}")
    parser.add_argument("--sources", type=Path, default=SOURCES, help="where packages are kept")
    parser.add_argument("--update", action="store_true", help="rewrite the pages")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.names if name not in names]
    if unknown:
        parser.error(f"there is no study {', '.join(unknown)}; there is {', '.join(names)}")
    chosen = [study for study in STUDIES if not given.names or study.name in given.names]
    answers = [run_study(study, given.sources, given.update, out) for study in chosen]
    return 1 if False in answers else 0


if __name__ == "__main__":
    sys.exit(main())
