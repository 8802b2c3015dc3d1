"""The programs of `examples/` with a verdict in their first comment, and inputs that break those that are wrong."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from scripts.rooms import ROOT

FOLDERS: Final = ("handshake", "drivers")
VERDICT: Final = re.compile(r"^ \* verdict: (holds|violated)$", re.MULTILINE)
OUTSIDE: Final = re.compile(r"^((?:unsigned|int|void)(?: \w+)*) (\w+)\(([^)]*)\);", re.MULTILINE)

_SERVER_FIRST: Final = (3, 1, 0, 0)  # retries; hello, no special cipher, a new session
_CLIENT_FIRST: Final = (10, 5, 1, 1)  # patience; hello is sent and flushed, and answered
# What functions without bodies return, in the order of the calls.
BREAKING: Final[dict[str, Sequence[int]]] = {
    "server_2": (3, 1, 0, 1, 1, 1),
    # A whole handshake with a certificate, then one without, until the client's key is there.
    "server_4": (*_SERVER_FIRST, *[1] * 7, 0, *[1] * 10, 0, 0, 1, 1, 0, 1, 1, 1, -1),
    "server_6": (*_SERVER_FIRST, -1, 1),
    "server_8": (3, -1, -1, -1),
    "client_2": (*_CLIENT_FIRST, 0, 0, 1, 0, 0, 1),
    "client_4": (*_CLIENT_FIRST, 0, 0, 1, 0, 1, 1, 0, 5),
    "client_6": (*_CLIENT_FIRST, 3, 1, 1, 0, 5),
    "client_8": (10, -1, 5, -1, 2**32 - 2),
    "backoff_wrong": (2**32 - 1, *[0] * 33),
    "comments_wrong": (*[ord("a")] * 16, ord(" ")),
    "references_wrong": [1] * 16 + [3],
    "request_wrong": [1, -1] * 3,
    "ring_wrong": (2, 7, 2, 7, 2, 7, 3),
    "two_locks_wrong": (1, *[0] * 11, 1),
    "window_wrong": (0xFFFD, 1, 1, 1, 1, 2, 100, 3),
}


@final
@dataclass(frozen=True, slots=True)
class Known:
    """A program and what is true of the assertions in it."""

    path: Path
    holds: bool

    @property
    def name(self) -> str:
        return self.path.stem

    def __str__(self) -> str:
        return self.name


def programs() -> tuple[Known, ...]:
    """All of them, in a fixed order."""
    found = []
    for folder in FOLDERS:
        for path in sorted((ROOT / "examples" / folder).glob("*.c")):
            verdict = VERDICT.search(path.read_text(encoding="utf-8"))
            if verdict is None:
                raise ValueError(f"{path.name} does not say what its verdict is")
            found.append(Known(path, verdict[1] == "holds"))
    return tuple(found)


def outcome(known: Known, values: Sequence[int], folder: Path) -> str:
    """What the compiled program says of itself on standard error, if functions without bodies return these values.

    It ends when there are no more of them.
    """
    text = known.path.read_text(encoding="utf-8")
    for name in re.findall(r'#include "(\w+\.h)"', text):
        text += (known.path.parent / name).read_text(encoding="utf-8")
    stubs = [
        "#include <stdlib.h>",
        f"static const long long values[] = {{{', '.join(map(str, values))}}};",
        "static unsigned next;",
        "static long long draw(void)",
        "{ if (next == sizeof values / sizeof *values) exit(0); return values[next++]; }",
    ]
    for kind, name, parameters in OUTSIDE.findall(text):
        body = "" if kind == "void" else f"return ({kind})draw();"
        stubs.append(f"{kind} {name}({parameters}) {{ {body} }}")
    (folder / "stubs.c").write_text("\n".join(stubs) + "\n", encoding="utf-8")
    program = folder / known.name
    sanitizer = ("-fsanitize=undefined,address", "-fno-sanitize-recover=all")
    files = (str(known.path), str(folder / "stubs.c"))
    subprocess.run(["gcc", "-w", *sanitizer, *files, "-o", str(program)], check=True, timeout=60)
    ran = subprocess.run([str(program)], capture_output=True, text=True, timeout=20, check=False)
    return ran.stderr
