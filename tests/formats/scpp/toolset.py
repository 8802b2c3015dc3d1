"""The mCRL2 toolset, if it is installed: the transition system of a specification."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Final

from stateglass.formats import read_model
from stateglass.model import Model
from tests.formats.scpp.labels import action, names_in

INSTALLED: Final = shutil.which("mcrl22lps") is not None and shutil.which("lps2lts") is not None


def model_by_toolset(text: bytes, folder: Path) -> Model:
    """What `lps2lts` finds, with the labels that our models have."""
    source, linear, found = (folder / name for name in ("s.mcrl2", "s.lps", "s.aut"))
    source.write_bytes(text)
    subprocess.run(["mcrl22lps", str(source), str(linear)], check=True, capture_output=True)
    subprocess.run(["lps2lts", str(linear), str(found)], check=True, capture_output=True)
    model = read_model(str(found))
    names = names_in(text.decode())
    return replace(model, labels=tuple(action(label, names) for label in model.labels))
