"""Tests of merging a student's text, or notebook, with that of a corrected kit."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from autograder.kit import merging_notebooks
from autograder.kit.merging import CannotUpdate, assert_defined_once, merge

MERGED = {  # base, mine, new, merged; "" where they cannot be merged
    "apart": ("a b c", "A b c", "a b C", "A b C"),
    "the same": ("a b c", "a B c", "a B c", "a B c"),
    "next line": ("a b c", "a B c", "A b c", "A B c"),
    "next line, below": ("a b c", "A b c", "a B c", "A B c"),
    "added below": ("a b", "a B", "a b c", "a B c"),
    "added above": ("a b", "A b", "0 a b", "0 A b"),
    "two for one": ("a b c", "a B1 B2 c", "A b c", "A B1 B2 c"),
    "the same line": ("a b c", "a B c", "a X c", ""),
    "more than the same": ("a b c", "a B c", "A X c", ""),
    "two additions": ("a c", "a x c", "a y c", ""),
    "one deleted": ("a b c", "a c", "a X c", ""),
}


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("name", MERGED)
def test_merging(name: str, end: str) -> None:
    base, mine, new, merged = (text.replace(" ", "\n") + end for text in MERGED[name])
    if merged != end:
        assert merge(base, mine, new, "x.py") == merge(base, new, mine, "x.py") == merged
        return
    with pytest.raises(CannotUpdate, match=r"x\.py: around line \d+ the new kit changes"):
        merge(base, mine, new, "x.py")


# Stubs that are alike

HEAD = "class Head:\n    def forward(self):\n"
TODO, OTHER = "        # TODO: attend.\n", "        # TODO: sum up.\n"
STUB = '        raise NotImplementedError("Head is not written yet")\n'
WEIGHTS = f"\n    def weights(self):\n        # TODO: weigh.\n{STUB}"
CODE = "        scores = self.scores()\n        return scores\n"
ALIKE = {  # what follows HEAD in the new kit, and in the merged text; "" where it cannot be merged
    "a method is added": (f"{TODO}{STUB}{WEIGHTS}", f"{TODO}{CODE}{WEIGHTS}"),
    "with a decorator": (
        f"{TODO}{STUB}\n    @property{WEIGHTS}",
        f"{TODO}{CODE}\n    @property{WEIGHTS}",
    ),
    "with another TODO": (f"{OTHER}{STUB}{WEIGHTS}", f"{OTHER}{CODE}{WEIGHTS}"),
    "with one TODO more": (f"{TODO}{OTHER}{STUB}{WEIGHTS}", f"{TODO}{OTHER}{CODE}{WEIGHTS}"),
    "and the stub is given": (f"        return 1\n{WEIGHTS}", ""),
    "a stub is divided": (f"{TODO}{STUB}{OTHER}{STUB}", ""),
    "with other TODOs": (f"{OTHER}{STUB}{OTHER}{STUB}", ""),
}


@pytest.mark.parametrize("rest", ["", "\n\n# %%\nassert Head().forward() == 1\n" + "# end\n" * 9])
@pytest.mark.parametrize("name", ALIKE)
def test_code_stays_in_its_method(name: str, rest: str) -> None:
    """All stubs of a class are alike, so a merge could put the code in place of another one."""
    base, mine = f"{HEAD}{TODO}{STUB}{rest}", f"{HEAD}{TODO}{CODE}{rest}"
    new, merged = (f"{HEAD}{text}{rest}" for text in ALIKE[name])
    if ALIKE[name][1]:
        assert merge(base, mine, new, "x.py") == merged
        return
    with pytest.raises(CannotUpdate, match=r"x\.py: around line \d+ the new kit changes"):
        merge(base, mine, new, "x.py")


def test_no_method_is_defined_twice() -> None:
    """The kit's stub below would replace the student's method."""
    mine, new = f"{HEAD}{CODE}\n    def weights(self):\n{CODE}", f"{HEAD}{STUB}{WEIGHTS}"
    with pytest.raises(CannotUpdate, match=r"^x\.py: Head\.weights would be defined twice"):
        assert_defined_once(mine, new, f"{mine}{WEIGHTS}", "x.py")
    others = f"\n\nclass Other:{WEIGHTS}"
    assert_defined_once(mine, f"{HEAD}{STUB}{others}", f"{mine}{others}", "x.py")


# Cells of a notebook


def test_notes_stay_with_their_text() -> None:
    """Texts are counted, so one that the new kit adds has the id of the one that it precedes."""
    given = ["## Exercise 1: weights", "The weights of each row sum to one.", "Write it."]
    corrected = [given[0], "Below is a picture:", "The weights of each row sum to 1.", given[2]]
    old, new = (
        nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_markdown_cell(s, id=f"weights-{i}") for i, s in enumerate(texts)]
        )
        for texts in (given, corrected)
    )
    own = nbformat.from_dict(old)
    own.cells[1] = nbformat.from_dict({**old.cells[1], "source": f"{given[1]}\n\nAsk about it!"})
    base, mine, fresh = (nbformat.writes(book) for book in (old, own, new))
    made = nbformat.reads(
        merging_notebooks.merged(base, mine, fresh, Path("a.ipynb")), as_version=4
    )
    found = [cell.source for cell in made.cells]
    assert f"{given[1]}\n\nAsk about it!" in found
    assert [source for source in found if "Ask" not in source] == corrected
    assert len({cell.id for cell in made.cells}) == len(found)
