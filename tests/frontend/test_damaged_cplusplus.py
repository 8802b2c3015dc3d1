"""Damaged C++ files are read, or refused in words: never anything else."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from stateglass.frontend import read_program
from stateglass.source import InputError
from tests.generator.cplusplus import generate_cplusplus

SEEDS = 6
DAMAGES = 4
SIZE = 6


def _damaged(text: str, dice: random.Random) -> str:
    """The text cut off, or with words left out, doubled or exchanged."""
    if dice.random() < 0.3:
        return text[: dice.randrange(len(text))]
    words = re.findall(r"\w+|\s+|[^\w\s]", text)
    for _ in range(dice.randrange(1, 4)):
        one, other = dice.randrange(len(words)), dice.randrange(len(words))
        match dice.randrange(3):
            case 0:
                words[one] = ""
            case 1:
                words[one] += " " + words[one]
            case _:
                words[one], words[other] = words[other], words[one]
    return "".join(words)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_damaged_file_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    text = generate_cplusplus(seed, SIZE).files["program.cpp"]
    for number in range(DAMAGES):
        path = tmp_path / f"damaged{number}.cpp"
        path.write_text(_damaged(text, dice), encoding="utf-8")
        try:
            read_program((str(path),))
        except InputError as refusal:
            assert refusal.diagnostics
