"""The table of notations is true: it has every format with its extensions, and comments are what it says."""

from __future__ import annotations

import pytest

from scripts.rooms import ROOT
from stateglass.formats import FORMATS, Format, read_model

PAGE = (ROOT / "docs" / "notations.md").read_text(encoding="utf-8")
COMMENTED = {
    "dot": ('# a\n// b\ndigraph d { /* c */\n"A b" -> B [label="go"]; }\n', ("#", "//", "/* */")),
    "mermaid": ('%% a\nstateDiagram-v2\n state "A b" as a\n [*] --> a %% b\n a --> B : go\n', ("%%",)),
    "plantuml": (
        "@startuml\n' a\n/' b '/\nstate \"A b\" as a\n[*] --> a\na --> B : go\n@enduml\n",
        ("'", "/' '/"),
    ),
    "scxml": (
        "<!-- a --><scxml xmlns='http://www.w3.org/2005/07/scxml' initial='a'><state id='a'>"
        "<transition event='go' target='b'/></state><state id='b'/></scxml>",
        ("<!-- -->",),
    ),
}


def row(name: str) -> list[str]:
    """The cells of a format in the table."""
    [line] = [line for line in PAGE.splitlines() if line.startswith(f"| `{name}` |")]
    return [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda format: format.name)
def test_every_format_has_a_row(format: Format) -> None:
    _, extensions, read, *_ = row(format.name)
    assert extensions.replace("`", "").split() == list(format.extensions)
    assert read == ("yes" if format.reads else "no")


@pytest.mark.parametrize("name", COMMENTED)
def test_comments_are_read_over(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    text, signs = COMMENTED[name]
    path = tmp_path_factory.mktemp("notation") / f"model{FORMATS[name].extensions[0]}"
    path.write_text(text, encoding="utf-8")
    model = read_model(str(path))
    assert (model.states, model.transitions) == (2, 1)
    assert all(f"`{sign}`" in row(name)[4] for sign in signs)
