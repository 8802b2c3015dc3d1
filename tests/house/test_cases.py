"""The golden-case harness itself: comparing, rewriting, complaining."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases import load_cases
from tests.markdown import blocks, fenced

TEXT = "A valve.\n\n```c\nint x;\n```\n\nIts model:\n\n```model\nold\n```\n"


def write(folder: Path, text: str = TEXT) -> Path:
    path = folder / "valve.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_case_gives_its_paragraph_and_blocks(tmp_path: Path) -> None:
    write(tmp_path)
    [case] = load_cases(tmp_path)
    assert case.name == "valve"
    assert case.specified.startswith("A valve.")
    assert case.block("c") == "int x;\n"
    assert case.get("options") is None
    with pytest.raises(AssertionError, match="no ```options block"):
        case.block("options")


def test_a_difference_is_shown_and_rewritten_on_request(tmp_path: Path) -> None:
    path = write(tmp_path)
    [case] = load_cases(tmp_path)
    case.check("model", "old", update=False)
    with pytest.raises(AssertionError, match=r"(?s)-old.*\+new.*--update-cases"):
        case.check("model", "new", update=False)
    case.check("model", "new", update=True)
    case.check("states", "added ```\n```\n", update=True)
    assert path.read_text(encoding="utf-8").startswith(TEXT.replace("old", "new"))
    [case] = load_cases(tmp_path)
    case.check("model", "new", update=False)
    case.check("states", "added ```\n```\n", update=False)


def test_a_case_must_say_what_it_specifies_and_use_a_tag_once(tmp_path: Path) -> None:
    write(tmp_path, "```c\n```\n")
    with pytest.raises(AssertionError, match="a paragraph"):
        load_cases(tmp_path)
    write(tmp_path, "Twice.\n\n```c\n```\n\n```c\n```\n")
    with pytest.raises(AssertionError, match="used twice"):
        load_cases(tmp_path)


def test_a_folder_without_cases_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="no cases"):
        load_cases(tmp_path)


@pytest.mark.parametrize("body", ["", "x\n", "```\ninner\n```\n", "````\n"])
def test_a_new_block_can_hold_any_text(body: str) -> None:
    [block] = blocks(fenced("t", body))
    assert (block.tag, block.body) == ("t", body)
