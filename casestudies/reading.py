"""Reads the files of the catalogue and tells how much of them is understood: `python -m casestudies.reading`."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO, final

from casestudies import report
from casestudies.catalogue import CATALOGUE, Package, chosen, read_catalogue
from casestudies.configuring import configure
from casestudies.fetching import fetch
from casestudies.measuring import Measurement, decode
from casestudies.report import Row
from stateglass.source import InputError, render_diagnostics

MOST_SECONDS: Final = 300
MOST_REASONS: Final = 15
ROOT: Final = Path(__file__).parent.parent


@final
@dataclass(frozen=True, slots=True)
class Study:
    """One file to be read, with its flags; or why it cannot be."""

    package: str
    file: str
    path: Path | None
    flags: tuple[str, ...] = ()
    skipped: str = ""


def studies(
    packages: Sequence[Package], folders: dict[str, Path | None], why: dict[str, str], scratch: Path
) -> list[Study]:
    """The files of all packages; headers that they need are generated below `scratch`."""
    found: list[Study] = []
    for number, package in enumerate(packages):
        source = folders[package.name]
        if source is None:
            found += [Study(package.name, file, None, skipped=why[package.name]) for file in package.files]
            continue
        try:
            flags = configure(package, source, scratch / str(number))
        except OSError as error:
            reason = f"{package.kconfig} cannot be read: {error.strerror}"
            found += [Study(package.name, file, None, skipped=reason) for file in package.files]
            continue
        for file in package.files:
            path = source / file
            if path.is_file():
                found.append(Study(package.name, file, path, flags))
            else:
                found.append(Study(package.name, file, None, skipped="not part of this version"))
    return found


def read(study: Study) -> Row:
    """Read one file in a process of its own."""
    if study.path is None:
        return Row(study.package, study.file, None, study.skipped)
    words = [sys.executable, "-m", "casestudies.measuring", str(study.path), *study.flags]
    crash = ""
    try:
        result = subprocess.run(
            words, cwd=ROOT, capture_output=True, text=True, errors="replace", timeout=MOST_SECONDS, check=False
        )
        if result.returncode == 0:
            return Row(study.package, study.file, decode(result.stdout))
        last = result.stderr.strip().splitlines()[-1:] or [""]
        crash = f"the process ended with status {result.returncode} {last[0]}".rstrip()
    except subprocess.TimeoutExpired:
        crash = f"not done after {MOST_SECONDS} s"
    return Row(study.package, study.file, Measurement(0, 0.0, crash=crash))


def run(packages: Sequence[Package], folder: Path, jobs: int, out: TextIO, every: bool = False) -> int:
    """Obtain, read and tell; 0 if all is well or there is nothing to read, 1 if not."""
    fetched = fetch(dict.fromkeys(p.name for p in packages), folder)
    why = {f.package: f.reason for f in fetched}
    with tempfile.TemporaryDirectory() as scratch:
        todo = studies(packages, {f.package: f.folder for f in fetched}, why, Path(scratch))
        with ThreadPoolExecutor(jobs) as pool:
            rows = list(pool.map(read, todo))
    sums = report.total(rows)
    if not sums.files:
        for reason in dict.fromkeys(row.skipped for row in rows):
            print(f"skipped: {reason}", file=out)
        print("nothing was read: no source package could be obtained", file=out)
        return 0
    lines = [*report.table(rows), "", *report.totals(sums), "", "reasons for refusal, by functions and initial values:"]
    lines += list(report.reasons(rows, MOST_REASONS)) or ["    0  none"]
    if every:
        lines += ["", *report.every_refusal(rows)]
    print("\n".join(lines), file=out)
    return 0 if sums.good else 1


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m casestudies.reading", description=__doc__)
    parser.add_argument("--packages", nargs="+", default=[], metavar="NAME", help="only these (default: all)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="files read at the same time (default: 2)")
    parser.add_argument("--sources", type=Path, metavar="FOLDER", help="where packages are kept for another time")
    parser.add_argument("--catalogue", type=Path, default=CATALOGUE, metavar="FILE", help="another list of files")
    parser.add_argument("--refusals", action="store_true", help="list every refusal with its place")
    options = parser.parse_args(arguments)
    if options.jobs < 1:
        parser.error("--jobs must be at least 1")
    try:
        packages = chosen(read_catalogue(options.catalogue), tuple(options.packages))
    except InputError as error:
        print(render_diagnostics(error.diagnostics), file=sys.stderr)
        return 2
    if options.sources is not None:
        return run(packages, options.sources.resolve(), options.jobs, sys.stdout, options.refusals)
    with tempfile.TemporaryDirectory() as folder:
        return run(packages, Path(folder), options.jobs, sys.stdout, options.refusals)


if __name__ == "__main__":
    sys.exit(main())
