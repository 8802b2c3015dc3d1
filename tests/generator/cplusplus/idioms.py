"""Writes uses of the patterns in `idioms.h`, one of those in `idioms.uses` at a time."""

from pathlib import Path
from typing import Final

from tests.generator.cplusplus.expressions import small
from tests.generator.cplusplus.world import Context

_FOLDER: Final = Path(__file__).parent
PATTERNS: Final = (_FOLDER / "idioms.h").read_text(encoding="utf-8")


def _uses() -> list[str]:
    parts = (_FOLDER / "idioms.uses").read_text(encoding="utf-8").split("\n\n")
    return [" ".join(part.split()) for part in parts if part.strip() and not part.startswith("//")]


USES: Final = _uses()


def idiom(ctx: Context) -> None:
    """One of the patterns; `Q` stands for a number."""
    ctx.note("patterns")
    value = ctx.fresh("q")
    ctx.write(f"const int {value} = {small(ctx)};")
    text = ctx.dice.choice(USES).replace("Q", value).replace("again", f"{value}_again")
    ctx.write(text)
