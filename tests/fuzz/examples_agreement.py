"""All questions about the examples in `tests/agreement`, asked of all engines.

The exit status is 1 if one of them contradicts what looking at all states says; what is not decided is counted.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.agreement.questions import predicates
from tests.agreement.rows import NOT_ASSERTED, abstract_differences, asserted_differences, differences, in_c, linear
from tests.test_examples import model_of

AT_ONCE = 6
"""So many claims share the time that an engine has."""


def main() -> int:
    failed = 0
    for folder in in_c():
        claims, seen, wrong = linear(folder), Counter[str](), list[str]()
        with tempfile.TemporaryDirectory() as scratch:
            for first in range(0, len(claims), AT_ONCE):
                found, problems = differences(folder, claims[first : first + AT_ONCE])
                seen.update(f"predicate {one.value}" for one in found)
                wrong += problems
            found, problems = abstract_differences(folder, Path(scratch) / "proposed.am", claims)
            seen.update(f"abstract {one.value}" for one in found)
            wrong += problems
            for number, condition in enumerate([] if folder.name in NOT_ASSERTED else predicates(model_of(folder))):
                by_engine, problems = asserted_differences(folder, Path(scratch) / str(number), condition)
                seen.update(f"{engine.value} {verdict.value}" for engine, verdict in by_engine.items())
                wrong += problems
        failed += bool(wrong)
        print(f"{folder.name}: {dict(sorted(seen.items()))}", flush=True)
        for what in wrong:
            print(f"{folder.name}: {what}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
