"""What a package's own build would have put beside its sources: settings as headers, and paths as flags."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from casestudies.catalogue import Package

AUTOCONF: Final = "autoconf.h"
_SET: Final = re.compile(r"^CONFIG_(\w+)=(.*)$")
_NOT_SET: Final = re.compile(r"^# CONFIG_(\w+) is not set$")


def configure(package: Package, source: Path, generated: Path) -> tuple[str, ...]:
    """Write the headers that the package needs into `generated`, and give the flags for its files."""
    headers = dict(package.headers)
    if package.kconfig:
        settings = (source / package.kconfig).read_text(encoding="utf-8", errors="replace")
        headers[AUTOCONF] = autoconf(settings)
    folders: dict[Path, None] = {}
    for name, text in headers.items():
        path = generated / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        folders[path.parent] = None
    folders |= dict.fromkeys(source / folder for folder in package.include)
    return (*(f"-I{folder}" for folder in folders), *package.flags)


def autoconf(settings: str) -> str:
    """The header for settings in the notation of Kconfig, with the macros that busybox's code asks.

    `ENABLE_X` is 1 or 0, and `IF_X(…)`, `IF_NOT_X(…)` are their arguments or nothing.
    """
    lines: list[str] = []
    for line in settings.splitlines():
        if (found := _SET.match(line)) is not None:
            name, value = found.groups()
            lines += _macros(name, "1" if value == "y" else value, on=True)
        elif (found := _NOT_SET.match(line)) is not None:
            lines += _macros(found.group(1), None, on=False)
    return "\n".join(lines) + "\n"


def _macros(name: str, value: str | None, on: bool) -> list[str]:
    kept, dropped = ("IF_", "IF_NOT_") if on else ("IF_NOT_", "IF_")
    return [
        f"#define CONFIG_{name} {value}" if value is not None else f"#undef CONFIG_{name}",
        f"#define ENABLE_{name} {int(on)}",
        f"#define {kept}{name}(...) __VA_ARGS__",
        f"#define {dropped}{name}(...)",
    ]
