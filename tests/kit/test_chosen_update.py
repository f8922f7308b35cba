"""A new kit that asks for less: what students have written stays in their files."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest
from test_update import FORMS, Texts, form, refused, write

from autograder.course.leaving_out import without
from autograder.course.skeletons import made_from
from autograder.kit.update import update

NAME = "attention_layer"
GONE, GIVEN = "TestModule", "QueryKeyValue"


@pytest.fixture
def new(built_kit: Path, tmp_path: Path, solutions: Texts) -> Path:
    """Return a kit that leaves out one exercise, and another one on which others are built."""
    made = Path(shutil.copytree(built_kit, tmp_path / "new"))
    names = [
        node.name
        for node in ast.parse(solutions[NAME]).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    ]
    text = made_from(without(solutions[NAME], names, {*names} - {GONE, GIVEN})[0])
    for suffix in FORMS:
        for place in ("assignments", "autograder/recorded"):
            form(text, made / place / f"{NAME}{suffix}")
    with (made / "autograder" / "recorded" / "course.toml").open("a", encoding="utf-8") as file:
        file.writelines(f"\n[exercises.{name}]\nleave_out = true\n" for name in (GONE, GIVEN))
    return made


@pytest.mark.parametrize("suffix", FORMS)
def test_what_was_written_stays(suffix: str, kit: Path, new: Path, solutions: Texts) -> None:
    def change(text: str) -> str:
        text = text.replace('print("Hello World")', 'print("Hello" + " World")')
        return text.replace("X @ self.W_q", "(X @ self.W_q)")

    write(kit, suffix, solutions, change)
    mine = kit / "assignments" / f"{NAME}{suffix}"
    update(new, kit)
    text = mine.read_text(encoding="utf-8").replace('\\"', '"')
    assert 'print("Hello" + " World")' in text
    assert "(X @ self.W_q)" in text
    assert "self.scaled_dot_product = " in text
    assert "NotImplementedError" not in text
    assert f"{GONE}: the visible checks" not in text
    assert "**This one is given**" in text
    update(new, kit)  # and nothing more happens
    assert mine.read_text(encoding="utf-8").replace('\\"', '"') == text


@pytest.mark.parametrize("suffix", FORMS)
def test_what_was_not_begun_is_the_new_kits(suffix: str, kit: Path, new: Path) -> None:
    update(new, kit)
    path = f"assignments/{NAME}{suffix}"
    assert (kit / path).read_bytes() == (new / path).read_bytes()


def test_a_declaration_that_cannot_be_read(kit: Path, new: Path) -> None:
    declaration = new / "autograder" / "recorded" / "course.toml"
    declaration.write_text("[exercises", encoding="utf-8")
    assert f"{declaration} is damaged. Unpack that kit again." in refused(new, kit)


def test_an_assignment_that_is_left_out_stays(kit: Path, new: Path, solutions: Texts) -> None:
    write(kit, ".py", solutions)
    for suffix in FORMS:
        for place in ("assignments", "autograder/recorded"):
            (new / place / f"normalization{suffix}").unlink()
    before = (kit / "assignments" / "normalization.py").read_bytes()
    update(new, kit)
    assert (kit / "assignments" / "normalization.py").read_bytes() == before
