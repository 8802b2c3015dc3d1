"""The lines that changed between two versions, as a page shows them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stateglass.evidence import Became
from stateglass.views.differences import lines as module
from stateglass.views.differences.lines import changed_lines, source_changes
from stateglass.views.report_parts import Places
from tests.views.test_report import HOSTILE, Outline

TEXTS = st.lists(st.sampled_from("abc"), max_size=12)


@given(old=TEXTS, new=TEXTS)
def test_both_versions_can_be_read_out_of_them(old: list[str], new: list[str]) -> None:
    files = list(changed_lines({"a.c": "\n".join(old)}, {"b.c": "\n".join(new)}))
    assert len(files) == ("\n".join(old) != "\n".join(new))
    for file in files:
        for line in (line for group in file.groups for line in group):
            assert (line.old == 0) is (line.became is Became.APPEARED)
            assert (line.new == 0) is (line.became is Became.VANISHED)
            assert not line.old or old[line.old - 1] == line.text
            assert not line.new or new[line.new - 1] == line.text
        numbers = [{getattr(line, side) for group in file.groups for line in group} for side in ("old", "new")]
        kept = [
            [text for n, text in enumerate(texts, 1) if n not in shown]
            for texts, shown in zip((old, new), numbers, strict=True)
        ]
        assert kept[0] == kept[1]


def test_files_of_several_are_told_apart_by_name() -> None:
    old, new = {"a.c": "1\n", "b.c": "2\n"}, {"a.c": "1\n", "c.c": "3\n"}
    found = {
        file.names: [(line.became, line.text) for group in file.groups for line in group]
        for file in changed_lines(old, new)
    }
    assert found == {("b.c", "b.c"): [(Became.VANISHED, "2")], ("c.c", "c.c"): [(Became.APPEARED, "3")]}


def test_any_text_is_only_text_and_too_much_is_said() -> None:
    files = list(changed_lines({HOSTILE: "a"}, {HOSTILE: HOSTILE}))
    outline = Outline(source_changes(files, Places((), "x-")))
    assert "script" not in outline.tags
    assert outline.ids == ["x-source"]
    long = "\n" * module.MOST_LINES
    (file,) = changed_lines({"a.c": long}, {"a.c": long + "x"})
    assert not file.groups
    assert "too many lines" in source_changes([file], Places(()))
