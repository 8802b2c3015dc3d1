"""Options and settings of the whole test suite."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import settings

from tests.shapes import check_shape

# The suite gives the same answer every time; `make fuzz` is where chance has its place.
settings.register_profile("house", derandomize=True, deadline=None, database=None)
settings.load_profile("house")

# Thousands of tests and what they import live to the end: to look through them for cycles again and again costs a tenth
# of the time. The program does the same.
gc.set_threshold(100_000)

# A shell has Ctrl-C ignored in the background, and started programs inherit that: tests of it need to hear it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-cases",
        action="store_true",
        help="rewrite what golden cases and the documents' examples expect, instead of comparing",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--update-cases") and config.getoption("numprocesses", default=None):
        raise pytest.UsageError("--update-cases rewrites files and must not run in several processes: leave out -n")


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


@pytest.fixture
def update_cases(pytestconfig: pytest.Config) -> bool:
    """Whether expectations are to be rewritten."""
    return bool(pytestconfig.getoption("--update-cases"))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own as the current one: files go by short names, and no project file lies above it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session", autouse=True)
def reports_have_their_shape() -> Iterator[None]:
    """Holds every report that a test makes a command print against the published schema of that command."""
    from stateglass.cli import frame

    make = frame.document

    def checked(command: str, report: Mapping[str, object]) -> dict[str, object]:
        whole = make(command, report)
        if command:
            check_shape(command, whole)
        return whole

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frame, "document", checked)
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Shows what tests noted with `record_property("note", …)`, in whichever process they ran."""
    reports = [report for found in terminalreporter.stats.values() for report in found]
    notes = {value for report in reports for name, value in getattr(report, "user_properties", ()) if name == "note"}
    for note in sorted(notes):
        terminalreporter.write_line(note)
