"""Tests of updating to a corrected kit: the student's work stays, and no failure loses any."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from conftest import contents, run_in, sampled, written
from nbformat import NotebookNode

from autograder.course import assignments, notebook_skeleton, root, skeleton, statement
from autograder.course.formulas import as_text
from autograder.kit.merging import CannotUpdate
from autograder.kit.notebook import notebook
from autograder.kit.replacing import MARK, TAKEN
from autograder.kit.update import update
from autograder.report.writing import CannotWrite

Texts = dict[str, str]
Change = Callable[[str], str]
FORMS = (".py", ".ipynb")
EXTRA = '''

# %% [markdown]
# ## Exercise 99: extra
#
# One more.


# %%
def extra() -> int:
    """Give the number 1."""
    # TODO: return 1.
    raise NotImplementedError("extra is not written yet")
'''


@functools.cache
def as_notebook(text: str, name: str) -> str:
    return nbformat.writes(notebook(text, name)) + "\n"


def form(text: str, path: Path) -> None:
    """Write the text of an assignment as the module or the notebook that a path is named after."""
    text = as_notebook(text, path.stem) if path.suffix == ".ipynb" else as_text(text)
    path.write_text(text, encoding="utf-8", newline="\n")


def cells(path: Path) -> list[NotebookNode]:
    found: list[NotebookNode] = nbformat.read(path, as_version=4).cells
    return found


def sources(path: Path) -> list[str]:
    """Return the text of a module, or the ids and texts of a notebook's cells."""
    if path.suffix == ".py":
        return [path.read_text(encoding="utf-8")]
    return [f"{cell.id}: {cell.source}" for cell in cells(path)]


@pytest.fixture
def new(built_kit: Path, tmp_path: Path) -> Path:
    """Return the kit to which a student's copy is updated."""
    return Path(shutil.copytree(built_kit, tmp_path / "new"))


def correct(kit: Path, change: Change) -> None:
    """Change the original files of every assignment of a kit."""
    for name in assignments():
        for place in ("assignments", "autograder/recorded"):
            for suffix in FORMS:
                form(change(notebook_skeleton(name)), kit / place / f"{name}{suffix}")


@pytest.fixture
def solutions() -> Texts:
    """Return the text of each solution, with all that students read there."""
    return {name: statement(name) for name in assignments()}


def write(kit: Path, suffix: str, solutions: Texts, change: Change = str) -> None:
    """Write every exercise in the modules or in the notebooks of a copy."""
    for name in assignments():
        form(change(written(solutions[name])), kit / "assignments" / f"{name}{suffix}")


def once(old: str, new: str) -> Change:
    """Return a change that replaces the first occurrence of a passage, which must exist."""

    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


def current(copy: Path) -> dict[str, bytes]:
    """Return the contents of a copy without its backups."""
    found = contents(copy)
    return {name: data for name, data in found.items() if not name.startswith("backups/")}


# Work that is kept

CHANGES: dict[str, Change] = {
    "statement": once("\n# # ", "\n# # Corrected: "),
    "every line of the statement": lambda text: text.replace("\n# ", "\n#  "),
    "a TODO": lambda text: text.replace("# TODO: ", "# TODO, at last: "),
    "exercise at the end": lambda text: text + EXTRA,
    "exercise in front": once(
        "# %% [markdown]\n# ## ", f"{EXTRA.strip()}\n\n\n# %% [markdown]\n# ## "
    ),
    "renamed cells": once("\n# ## Exercise 1: ", "\n# ## Exercise 1: The first, "),
    "header": once("# ---\n", "# ---\n# level: easy\n"),
    "import": once("\nimport torch\n", "\nimport cmath\nimport torch\n"),
    "nothing": str,
}

HEADER = "header.ipynb"  # notebooks have no such header


@pytest.mark.dear
@pytest.mark.parametrize("suffix", FORMS)
@pytest.mark.parametrize("what", sampled(CHANGES))
def test_what_was_written_survives(
    what: str, suffix: str, kit: Path, new: Path, solutions: Texts
) -> None:
    """Each file is as if the student had written the same into the new kit's file."""
    correct(new, CHANGES[what])
    write(kit, suffix, solutions)
    said = update(new, kit).files
    write(new, suffix, solutions, CHANGES[what])  # as it should be
    for name in assignments():
        for path in (kit / "assignments" / f"{name}{other}" for other in FORMS):
            assert sources(path) == sources(new / "assignments" / path.name)
        changed = CHANGES[what](skeleton(name)) != skeleton(name) and what + suffix != HEADER
        kept = "new, with your changes" if changed else "as it was"
        assert f"{name}{suffix}: {kept}" in said
    assert current(kit).keys() == contents(new).keys()
    assert contents(kit / "autograder") == contents(new / "autograder")


@pytest.mark.dear
def test_files_that_were_not_begun_are_replaced(kit: Path, new: Path) -> None:
    """A deleted file, and a notebook that was only saved in another layout, count as not begun."""
    correct(new, CHANGES["statement"])
    path = kit / "assignments" / f"{assignments()[0]}.ipynb"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8"))), encoding="utf-8")
    (kit / "assignments" / f"{assignments()[-1]}.py").unlink()
    assert {line.split(": ")[1] for line in update(new, kit).files} == {"new"}
    assert current(kit) == contents(new)


@pytest.mark.dear
def test_a_changed_check_leaves_files_alone(kit: Path, new: Path) -> None:
    """No byte changes, whatever editor wrote the files, also in a second update."""
    check = new / "autograder" / "recorded" / "checks" / f"test_{assignments()[0]}.py"
    check.write_text(check.read_text(encoding="utf-8") + "# corrected\n", encoding="utf-8")
    module, book = (kit / "assignments" / f"{assignments()[0]}{suffix}" for suffix in FORMS)
    module.write_bytes(b"\xef\xbb\xbf" + module.read_bytes().replace(b"\n", b"\r\n") + b"# mine")
    book.write_bytes(b"{damaged")
    before = contents(kit / "assignments")
    for _ in range(2):
        assert {line.split(": ")[1] for line in update(new, kit).files} == {"as it was"}
        assert contents(kit / "assignments") == before
        assert contents(kit / "autograder") == contents(new / "autograder")


@pytest.mark.dear
def test_files_of_other_editors_are_merged(kit: Path, new: Path, solutions: Texts) -> None:
    name = assignments()[0]
    correct(new, CHANGES["a TODO"])
    path = kit / "assignments" / f"{name}.py"
    text = written(solutions[name]).rstrip("\n").replace("\n", "\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    update(new, kit)
    right = CHANGES["a TODO"](written(solutions[name])).rstrip("\n").replace("\n", "\r\n")
    assert path.read_bytes() == b"\xef\xbb\xbf" + right.encode()


@pytest.mark.dear
def test_own_cells_stay_after_the_same_cells(kit: Path, new: Path) -> None:
    name = assignments()[0]
    path = kit / "assignments" / f"{name}.ipynb"
    own = nbformat.read(path, as_version=4)
    count = len(own.cells)
    for i in range(count, -1, -1):
        own.cells.insert(i, nbformat.v4.new_code_cell(f"mine = {i}"))
    nbformat.write(own, path)
    correct(new, CHANGES["exercise at the end"])
    given = sources(new / "assignments" / path.name)
    update(new, kit)
    merged = [cell.source for cell in cells(path)]
    assert [given[0].split(": ", 1)[1], "mine = 1"] == merged[1:3]
    assert [source for source in merged if source.startswith("mine")] == [
        f"mine = {i}" for i in range(count + 1)
    ]
    assert [f"{c.id}: {c.source}" for c in cells(path) if "mine" not in c.source] == given


@pytest.mark.dear
@pytest.mark.parametrize("lost", ["every id", "the ids of written cells"])
def test_cells_are_found_without_their_ids(
    lost: str, kit: Path, new: Path, solutions: Texts
) -> None:
    """Colab saves cells without ids; a cell that is cut and pasted gets another id."""
    write(kit, ".ipynb", solutions)
    for name in assignments():
        path = kit / "assignments" / f"{name}.ipynb"
        own = nbformat.read(path, as_version=4)
        for number, cell in enumerate(own.cells):
            if lost == "every id":
                del cell["id"]
            elif cell.source.startswith(("class ", "def ")):
                cell.id = f"pasted-{number}"
        own.nbformat_minor = 4 if lost == "every id" else 5
        nbformat.write(own, path)
    correct(new, CHANGES["statement"])
    update(new, kit)
    write(new, ".ipynb", solutions, CHANGES["statement"])
    for name in assignments():
        both = [sources(copy / "assignments" / f"{name}.ipynb") for copy in (kit, new)]
        assert both[0] == both[1]


def test_other_files_stay(kit: Path, new: Path) -> None:
    correct(new, CHANGES["statement"])
    (new / "LICENSE").write_text("another")
    others = {"own.txt", ".venv/bin/python", "hand-in/x.zip", "assignments/notes/mine.txt"}
    others |= {"tests/test_mine.py", "backups/multi_head-1.py"}
    for name in others:
        (kit / name).parent.mkdir(parents=True, exist_ok=True)
        (kit / name).write_text("mine")
    update(new, kit)
    after = {name: data for name, data in contents(kit).items() if "backups/update-1/" not in name}
    assert {name for name, data in after.items() if data == b"mine"} == others
    assert after["LICENSE"] == b"another"
    extra = {name for name in after.keys() - contents(new).keys() if not name.endswith("/")}
    assert extra == others


# What is the student's own in a notebook


def solved(kit: Path, solutions: Texts) -> tuple[Path, NotebookNode]:
    """Return the first notebook of a copy, in which every exercise is written."""
    path = kit / "assignments" / f"{assignments()[0]}.ipynb"
    form(written(solutions[path.stem]), path)
    return path, nbformat.read(path, as_version=4)


def exercises(book: NotebookNode) -> list[int]:
    """Return the indices of the cells that students fill in."""
    found = [i for i, cell in enumerate(book.cells) if cell.cell_type == "code"]
    return [i for i in found if re.match("class |def ", book.cells[i].source)]


def paste_pictures(book: NotebookNode) -> None:
    for number, cell in enumerate(book.cells):
        if cell.cell_type == "markdown":
            cell.attachments = {f"{number}.png": {"image/png": "iVBORw0KGgo="}}


def run_cells(book: NotebookNode) -> None:
    book.metadata.language_info.version = "3.11.7"
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.execution_count = 7
            cell.outputs = [nbformat.v4.new_output("stream", text="trained for 3 h")]


def tag_cells(book: NotebookNode) -> None:
    for cell in book.cells:
        cell.metadata.tags = [*cell.metadata.get("tags", []), "mine"]
        cell.metadata.vscode = {"languageId": "python"}
        cell.metadata.pop("jupyter", None)  # the student has unfolded it


def choose_kernel(book: NotebookNode) -> None:
    book.metadata.kernelspec = {"name": "mine", "display_name": "Mine", "language": "python"}
    book.metadata.colab = {"provenance": []}


def copy_a_cell(book: NotebookNode) -> None:
    copied = nbformat.from_dict({**book.cells[exercises(book)[0]], "id": "copied"})
    book.cells.append(copied)


def join_cells(book: NotebookNode) -> None:
    first, second, *_ = exercises(book)
    book.cells[first].source += f"\n\n{book.cells.pop(second).source}"


def split_a_cell(book: NotebookNode) -> None:
    [first, *_] = exercises(book)
    above, below = book.cells[first].source.split("\n", 1)
    book.cells[first].source = f"{above}\n    pass"
    book.cells.insert(first + 1, nbformat.v4.new_code_cell(below, id="below"))


def delete_statements(book: NotebookNode) -> None:
    title, *others = book.cells
    book.cells = [title, *(cell for cell in others if cell.cell_type == "code")]


def make_raw(book: NotebookNode) -> None:
    book.cells = [
        nbformat.v4.new_raw_cell(cell.source, id=cell.id, metadata=cell.metadata)
        for cell in book.cells
    ]


OWN: dict[str, Callable[[NotebookNode], None]] = {
    "pictures": paste_pictures,
    "outputs": run_cells,
    "tags": tag_cells,
    "kernel": choose_kernel,
    "a copy of a cell": copy_a_cell,
    "joined cells": join_cells,
    "a split cell": split_a_cell,
    "moved cells": lambda book: book.cells.reverse(),
    "no statements": delete_statements,
    "raw cells": make_raw,
}


@pytest.mark.parametrize("what", OWN)
def test_nothing_in_a_notebook_is_lost(what: str, kit: Path, new: Path, solutions: Texts) -> None:
    """The merged notebook is the student's with the corrected line, and nothing else changes."""
    path, book = solved(kit, solutions)
    [title, *_] = book.cells
    OWN[what](book)
    nbformat.write(book, path)
    correct(new, CHANGES["statement"])
    update(new, kit)
    [title] = [cell for cell in book.cells if cell.id == title.id]
    title.source = f"# Corrected: {title.source.removeprefix('# ')}"
    assert nbformat.read(path, as_version=4) == book


def test_cells_with_one_id_are_all_kept(kit: Path, new: Path, solutions: Texts) -> None:
    """A merge in git, or another program, may leave such cells behind."""
    path, book = solved(kit, solutions)
    own = [nbformat.v4.new_code_cell(f"mine = {i}", id=book.cells[0].id) for i in range(3)]
    path.write_text(json.dumps({**book, "cells": [*book.cells, *own]}), encoding="utf-8")
    correct(new, CHANGES["statement"])
    update(new, kit)
    after = cells(path)
    assert [cell.source for cell in after[-3:]] == ["mine = 0", "mine = 1", "mine = 2"]
    assert after[0].id == book.cells[0].id
    assert len({cell.id for cell in after}) == len(after)


@pytest.mark.dear
@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_ends_in_cells(end: str, kit: Path, new: Path, solutions: Texts) -> None:
    path, book = solved(kit, solutions)
    for cell in book.cells:
        cell.source = cell.source.replace("\n", end)
    path.write_text(json.dumps(book), encoding="utf-8")
    correct(new, CHANGES["a TODO"])
    update(new, kit)
    write(new, ".ipynb", solutions, CHANGES["a TODO"])
    assert sources(path) == sources(new / "assignments" / path.name)


def test_cells_without_outputs(kit: Path, new: Path, solutions: Texts) -> None:
    """Programs that make notebooks, and students with a text editor, may leave them out."""
    path, book = solved(kit, solutions)
    for cell in book.cells:
        if cell.cell_type == "code":
            del cell["outputs"], cell["execution_count"]
    path.write_text(json.dumps(book), encoding="utf-8")
    correct(new, CHANGES["statement"])
    update(new, kit)
    write(new, ".ipynb", solutions, CHANGES["statement"])
    assert cells(path) == cells(new / "assignments" / path.name)


def test_the_kits_tags_come_back(kit: Path, new: Path, solutions: Texts) -> None:
    """Another program may lose them; without them, the kit's own cells would be graded."""
    path, book = solved(kit, solutions)
    before = [cell.metadata.get("tags", []) for cell in book.cells]
    for cell in book.cells:
        cell.metadata = nbformat.from_dict({"id": "abc"})
    nbformat.write(book, path)
    correct(new, CHANGES["statement"])
    update(new, kit)
    assert [cell.metadata.get("tags", []) for cell in cells(path)] == before
    assert {cell.metadata.id for cell in cells(path)} == {"abc"}


def test_a_deleted_cell_comes_back_if_it_is_corrected(kit: Path, new: Path) -> None:
    path = kit / "assignments" / f"{assignments()[0]}.ipynb"
    book = nbformat.read(path, as_version=4)
    del book.cells[0], book.cells[5:]
    nbformat.write(book, path)
    correct(new, CHANGES["statement"])
    update(new, kit)
    first, *others = cells(path)
    assert first.source.startswith("# Corrected: ")
    assert others == book.cells


@pytest.mark.parametrize("suffix", FORMS)
def test_no_name_is_defined_twice(suffix: str, kit: Path, new: Path) -> None:
    """The kit's definition would replace the student's."""
    correct(new, CHANGES["exercise at the end"])
    path = kit / "assignments" / f"{assignments()[0]}{suffix}"
    if suffix == ".py":
        text = path.read_text(encoding="utf-8")
        path.write_text(f"def extra():\n    return 2\n\n\n{text}", encoding="utf-8")
    else:
        book = nbformat.read(path, as_version=4)
        book.cells.insert(3, nbformat.v4.new_code_cell("def extra():\n    return 2"))
        nbformat.write(book, path)
    assert refused(new, kit) == (
        f"{path}: extra would be defined twice, once by you and once by the new kit. If it is an "
        "exercise, write it where the kit has it, in a cell of its own; otherwise rename yours. "
        "Then update again. Nothing was updated."
    )


def test_a_corrected_cell_that_was_joined_with_another(
    kit: Path, new: Path, solutions: Texts
) -> None:
    path, book = solved(kit, solutions)
    join_cells(book)
    nbformat.write(book, path)
    correct(new, CHANGES["a TODO"])
    assert " would be defined twice, once by you and once by the new kit." in refused(new, kit)


# Copies of what was replaced


@pytest.mark.dear
def test_what_is_replaced_is_in_the_backups(kit: Path, new: Path, solutions: Texts) -> None:
    write(kit, ".ipynb", solutions)
    (kit / "README.md").write_text("my notes")
    for number, change in enumerate(("statement", "a TODO"), 1):
        before = contents(kit)
        correct(new, CHANGES[change])
        backup = update(new, kit).backup
        assert backup == kit / "backups" / f"update-{number}"
        after, kept = contents(kit), contents(backup)
        assert all(data in (after.get(name), kept.get(name)) for name, data in before.items())
        assert f"assignments/{assignments()[0]}.ipynb" in kept
        assert "LICENSE" not in kept
        assert not [*kit.glob("update-*")]


def test_a_file_keeps_its_permissions(kit: Path, new: Path) -> None:
    correct(new, CHANGES["statement"])
    path = kit / "assignments" / f"{assignments()[0]}.py"
    path.write_bytes(path.read_bytes() + b"# mine\n")
    path.chmod(0o400)
    update(new, kit)
    assert path.stat().st_mode & 0o777 == 0o400
    assert path.read_bytes().endswith(b"# mine\n")


def test_make_sees_that_other_packages_may_be_needed(kit: Path, new: Path) -> None:
    """The new kit may be older than the environment, which make compares with these two files."""
    stated = ("pyproject.toml", "autograder/constraints.txt")
    for name in stated:
        (new / name).write_text("another")
        os.utime(new / name, (1e9, 1e9))
    ready = kit / ".venv" / ".ready"
    ready.parent.mkdir()
    ready.touch()
    update(new, kit)
    for name in stated:
        assert (kit / name).read_text() == "another"
        assert (kit / name).stat().st_mtime_ns >= ready.stat().st_mtime_ns


@pytest.mark.dear
def test_a_new_kit_may_be_read_only(kit: Path, new: Path) -> None:
    """Nobody but root could move its folders, or update what came from it again."""
    paths = [*new.rglob("*")]
    for path in paths:
        path.chmod(path.stat().st_mode & ~0o222)
    update(new, kit)
    for path in paths:
        path.chmod(path.stat().st_mode | 0o200)
        assert (kit / path.relative_to(new)).stat().st_mode & 0o200
    assert current(kit) == contents(new)


@pytest.mark.dear
def test_a_deleted_folder_comes_back(kit: Path, new: Path) -> None:
    for name in ("assignments", "tests"):
        shutil.rmtree(kit / name)
    update(new, kit)
    assert current(kit) == contents(new)


def test_a_linked_folder_stays_a_link(kit: Path, new: Path, tmp_path: Path) -> None:
    (kit / "assignments").rename(tmp_path / "elsewhere")
    (kit / "assignments").symlink_to(tmp_path / "elsewhere")
    correct(new, CHANGES["statement"])
    update(new, kit)
    assert (kit / "assignments").is_symlink()
    assert contents(tmp_path / "elsewhere") == contents(new / "assignments")


# Refusals


def refused(new: Path, kit: Path) -> str:
    """Return the message with which an update is refused; assert that no byte changed."""
    before = contents(kit)
    with pytest.raises((CannotUpdate, CannotWrite)) as refusal:
        update(new, kit)
    assert contents(kit) == before
    return str(refusal.value)


@pytest.mark.parametrize("suffix", FORMS)
def test_both_changed_the_same_lines(suffix: str, kit: Path, new: Path, solutions: Texts) -> None:
    correct(new, lambda text: text.replace(" is not written yet", " is still to be written"))
    write(kit, suffix, solutions)
    path = kit / "assignments" / f"{min(assignments())}{suffix}"
    sentence = refused(new, kit)
    assert sentence.startswith(str(path))
    place = r", cell \S+: around line \d+ the" if suffix == ".ipynb" else r": around line \d+ the"
    assert re.match(
        place + " new kit changes the same lines as you did", sentence[len(str(path)) :]
    )


def test_a_cell_with_work_is_dropped(kit: Path, new: Path, solutions: Texts) -> None:
    write(kit, ".ipynb", solutions)
    name = assignments()[0]
    for place in ("assignments", "autograder/recorded"):
        path = new / place / f"{name}.ipynb"
        fewer = nbformat.read(path, as_version=4)
        [dropped, *_] = [c for c in fewer.cells if "raise NotImplementedError" in c.source]
        fewer.cells.remove(dropped)
        nbformat.write(fewer, path)
    assert f"{name}.ipynb: you wrote in cell {dropped.id}, which the new kit" in refused(new, kit)


@pytest.mark.parametrize(
    ("suffix", "data", "sentence"),
    [
        (".py", b"# \xe9\n", "is not UTF-8 text (line 1). Save it as UTF-8."),
        (".py", b"# coding: latin-1\n# \xe9\n", "is not UTF-8 text. Save it as UTF-8."),
        (".ipynb", b"{damaged", "cannot be read as a notebook"),
        (".ipynb", b"", "is empty: nothing was saved in it"),
        (
            ".ipynb",
            b'{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "outputs": [1]}]}',
            "cannot be read as a notebook",
        ),
    ],
)
def test_work_that_cannot_be_read(
    suffix: str, data: bytes, sentence: str, kit: Path, new: Path
) -> None:
    correct(new, CHANGES["statement"])
    path = kit / "assignments" / f"{assignments()[0]}{suffix}"
    path.write_bytes(data)
    said = refused(new, kit)
    assert said.startswith(f"{path} {sentence}")
    assert said.endswith("Nothing was updated.")


@pytest.mark.parametrize("suffix", FORMS)
@pytest.mark.parametrize("case", ["new assignment", "lost original"])
def test_an_own_file_in_the_way(case: str, suffix: str, kit: Path, new: Path) -> None:
    """Without a common original, nothing says which of the two texts belongs in the file."""
    path = kit / "assignments" / f"extra{suffix}"
    if case == "new assignment":
        for place in ("assignments", "autograder/recorded"):
            form(notebook_skeleton(assignments()[0]), new / place / path.name)
    else:
        path = path.with_name(f"{assignments()[0]}{suffix}")
        (kit / "autograder" / "recorded" / path.name).unlink()
    path.write_text("# three weeks of work\n")
    recorded = kit / "autograder" / "recorded" / path.name
    said = refused(new, kit)
    if suffix == ".py":
        assert said == (
            f"{path} is in the way of the new kit's file of that name, and {recorded}, with which "
            "the two could be merged, does not exist. Rename your file, update again, and copy "
            "into the new one what belongs there. Nothing was updated."
        )
    path.rename(path.with_stem("mine"))
    update(new, kit)
    assert path.with_stem("mine").read_text() == "# three weeks of work\n"
    assert path.read_bytes() == (new / "assignments" / path.name).read_bytes()
    recorded.unlink()
    update(new, kit)  # the file is there already, so nothing is in the way


@pytest.mark.parametrize("target", ["mine.txt", "nowhere"])
def test_a_link_is_not_written_through(target: str, kit: Path, new: Path) -> None:
    correct(new, CHANGES["statement"])
    (kit / "mine.txt").write_text("mine")
    path = kit / "assignments" / f"{assignments()[0]}.py"
    path.unlink()
    path.symlink_to(kit / target)
    with pytest.raises(CannotUpdate, match=r"is a link\. Put the file itself in its place\."):
        update(new, kit)
    assert path.is_symlink()
    assert not (kit / "nowhere").exists()


@pytest.mark.dear
def test_half_a_character_cannot_be_saved(kit: Path, new: Path) -> None:
    correct(new, CHANGES["statement"])
    path = kit / "assignments" / f"{assignments()[0]}.ipynb"
    own = nbformat.read(path, as_version=4)
    own.cells.append(nbformat.v4.new_code_cell("x = '\ud800'"))
    path.write_text(json.dumps(own), encoding="utf-8")
    assert refused(new, kit).endswith("surrogates not allowed. Everything is as it was.")


def test_a_folder_that_is_not_a_new_kit(
    kit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    for other in (tmp_path / "empty", root(), kit / "LICENSE", tmp_path / "nowhere"):
        assert refused(other, kit) == (
            f"{other} is not a copy of the kit: it has no folder autograder/recorded."
        )
    (tmp_path / "link").symlink_to(kit, target_is_directory=True)
    monkeypatch.chdir(kit)
    for itself in (kit, Path("."), tmp_path / "link"):
        assert refused(itself, kit) == (
            f"{itself} is this copy itself. Unpack the new kit somewhere else."
        )


@pytest.mark.parametrize("suffix", FORMS)
def test_a_new_kit_that_was_changed_by_hand(suffix: str, kit: Path, new: Path) -> None:
    path = new / "assignments" / f"{assignments()[-1]}{suffix}"
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert refused(new, kit) == (
        f"{path} is not as it was released: somebody has edited it. Unpack the new kit again, and "
        "update from that copy. Nothing was updated."
    )
    path.unlink()
    update(new, kit)


@pytest.mark.parametrize("missing", TAKEN[:-1])
def test_a_new_kit_that_is_not_whole(missing: str, kit: Path, new: Path) -> None:
    gone = new / missing
    shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
    assert refused(new, kit).endswith(". Everything is as it was.")


@pytest.mark.parametrize(
    "sentence", ["is damaged: it is not UTF-8 text.", "is damaged: it is a folder, not a file."]
)
@pytest.mark.parametrize("whose", ["kit", "new"])
def test_originals_that_cannot_be_read(whose: str, sentence: str, kit: Path, new: Path) -> None:
    correct(new, CHANGES["statement"])
    place = kit if whose == "kit" else new
    path = place / "autograder" / "recorded" / f"{assignments()[0]}.py"
    path.unlink()
    path.write_bytes(b"\xff") if "UTF-8" in sentence else path.mkdir()
    said = refused(new, kit)
    assert said.startswith(f"{path} {sentence}")
    assert said.endswith("Nothing was updated.")


# Failures on the way


@pytest.mark.parametrize("place", ["mkdtemp", "copy", "mkdir", "makedirs"])
def test_a_disk_that_is_full_is_told_in_a_sentence(
    place: str, kit: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object, **named: object) -> None:
        if "checks" in str(given) or place in ("mkdtemp", "copy"):
            raise OSError(28, "No space left on device")
        made(*given, **named)

    where = {"mkdtemp": tempfile, "copy": shutil, "mkdir": Path, "makedirs": os}[place]
    made = getattr(where, place)
    if place == "mkdir":
        monkeypatch.setattr(Path, "mkdir", lambda path, **named: full("checks"))
    else:
        monkeypatch.setattr(where, place, full)
    said = refused(new, kit)
    assert re.match(rf"{re.escape(str(kit))}(/backups)? cannot be written: ", said)
    assert "No space left on device" in said
    assert len(said) < 1000


@pytest.mark.dear
@pytest.mark.parametrize("problem", [OSError("the disk is full"), KeyboardInterrupt()], ids=repr)
@pytest.mark.parametrize("step", sampled(range(2 * len(TAKEN) + 1), each=3))
def test_a_failure_in_the_middle(
    step: int, problem: BaseException, kit: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever file cannot be moved, all is as before, and the update can be repeated."""
    for name in TAKEN[:-1]:  # files that are the same are not moved
        (new / name).write_text("another")
    (kit / "own.txt").write_text("mine")
    before = contents(kit)
    rename, calls = Path.rename, iter(range(1000))

    def failing(path: Path, target: Path) -> Path:
        if next(calls) == step:
            raise problem
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises((CannotWrite, KeyboardInterrupt)) as raised:
        update(new, kit)
    if isinstance(problem, OSError):
        assert str(raised.value).startswith(f"{kit} cannot be written: the disk is full. ")
        assert str(raised.value).endswith(" Everything is as it was.")
    assert next(calls) > step
    assert contents(kit) == before
    update(new, kit)
    assert current(kit) == contents(new) | {"own.txt": b"mine"}


@pytest.mark.dear
def test_a_failure_adds_no_file(kit: Path, new: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LICENSE", "tests/test_kit.py", "assignments/README.md"):
        (kit / name).unlink()
    (kit / "tests").rmdir()
    rename = Path.rename

    def failing(path: Path, target: Path) -> Path:
        if target == kit / "assignments" / "README.md":
            raise PermissionError(13, "Permission denied", str(path))
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)
    assert "Permission denied" in refused(new, kit)
    monkeypatch.undo()
    update(new, kit)
    assert current(kit) == contents(new)


def test_work_that_cannot_be_put_back_is_not_thrown_away(
    kit: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the disk fails for good, the files that were moved aside stay there."""
    correct(new, CHANGES["statement"])
    path = kit / "assignments" / f"{assignments()[0]}.py"
    path.write_text(path.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    work = path.read_bytes()
    rename, is_gone = Path.rename, False

    def failing(path_: Path, target: Path) -> Path:
        nonlocal is_gone
        is_gone = is_gone or target == path
        if is_gone:
            raise OSError("the disk is gone")
        return rename(path_, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(CannotUpdate, match="the disk is gone") as raised:
        update(new, kit)
    [aside] = kit.glob("update-*")
    told, _, left = str(raised.value).partition(f" from {aside / 'old'} to its place in {kit}: ")
    assert told.endswith(": the disk is gone. Move each of these")
    assert left.startswith("assignments/")
    assert left.endswith(f"assignments/{path.name}.")
    assert all((aside / "old" / name).exists() for name in left.rstrip(".").split(", "))
    assert (aside / "old" / "assignments" / path.name).read_bytes() == work


class Killed(BaseException):
    """Stands for a signal that ends the process."""


def kill_at(monkeypatch: pytest.MonkeyPatch, is_time: Callable[[Path], bool]) -> None:
    """Let no file be moved any more from the time at which `is_time(target)` is first true."""
    rename, killed = Path.rename, False

    def dying(path: Path, target: Path) -> Path:
        nonlocal killed
        killed = killed or is_time(target)
        if killed:
            raise Killed
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", dying)


@pytest.mark.dear
@pytest.mark.parametrize("step", sampled(range(1, 2 * len(TAKEN) + 1), each=3))
def test_an_update_that_was_killed_is_undone(
    step: int, kit: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever file was the last one to be moved, the next update puts all of them back."""
    for name in TAKEN[:-1]:  # files that are the same are not moved
        (new / name).write_text("another")
    (kit / "assignments" / "own.txt").write_text("mine")
    before, calls = contents(kit), iter(range(1000))
    kill_at(monkeypatch, lambda target: next(calls) == step)
    with pytest.raises(Killed):
        update(new, kit)
    monkeypatch.undo()
    with pytest.raises(CannotUpdate, match=r"^An earlier update was interrupted, and is undone"):
        update(new, kit)
    assert current(kit) == before
    update(new, kit)
    assert current(kit) == contents(new) | {"assignments/own.txt": b"mine"}


@pytest.mark.dear
@pytest.mark.parametrize("step", range(1, 5))
def test_what_an_update_had_added_when_it_was_killed_is_taken_away(
    step: int, kit: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that a killed update had added go to backups/, since they may have been edited.

    Before the next update, all other files are as they were.
    """
    for name in ("assignments/README.md", "LICENSE", "README.md"):
        (kit / name).unlink()
    shutil.rmtree(kit / "tests")
    before = contents(kit)
    calls = iter(range(1000))
    kill_at(monkeypatch, lambda target: next(calls) == step)
    with pytest.raises(Killed):
        update(new, kit)
    monkeypatch.undo()
    added = contents(kit).keys() - before.keys()
    added = {name for name in added if not name.startswith("update-")}
    assert added
    with pytest.raises(CannotUpdate, match=r"^An earlier update was interrupted, and is undone"):
        update(new, kit)
    assert current(kit) == before
    backup = contents(kit / "backups" / "interrupted-1")
    assert {*backup} - {"assignments/"} == added
    assert not [*kit.glob("update-*")]
    update(new, kit)
    assert current(kit) == contents(new)


@pytest.mark.dear
@pytest.mark.parametrize("when", ["while it copied", "before it copied", "when all was done"])
def test_what_an_update_that_was_killed_has_left_is_removed(
    when: str, kit: Path, new: Path, tmp_path: Path
) -> None:
    aside, own = kit / "update-8c_xy1z9", kit / "update-plans"
    shutil.copytree(new, aside / "new")
    (aside / MARK).touch()
    if when == "before it copied":
        shutil.rmtree(aside / "new")
    if when == "when all was done":
        (aside / "added").write_text("LICENSE\n")
    else:
        (aside / "old").mkdir()
    own.mkdir()
    (own / "new").mkdir()
    (own / "mine.txt").write_text("mine")
    update(new, kit)
    assert [*kit.glob("update-*")] == [own]
    assert (own / "mine.txt").read_text() == "mine"
    shutil.rmtree(own)
    assert current(kit) == contents(new)


@pytest.mark.parametrize("marked", [False, True])
def test_a_folder_that_is_named_like_one_of_an_update_stays(
    marked: bool, kit: Path, new: Path
) -> None:
    """The new kit may be unpacked in one, even in one that an update has left."""
    place, notes = kit / "update-2", kit / "update-notes"
    place.mkdir()
    new.rename(place / "new")
    if marked:
        (place / MARK).touch()
    (notes / "old").mkdir(parents=True)
    (notes / "old" / "mine.txt").write_text("mine")
    unpacked = contents(place)
    update(place / "new", kit)
    assert (notes / "old" / "mine.txt").read_text() == "mine"
    assert not (kit / "mine.txt").exists()
    assert contents(place) == unpacked
    assert {*kit.glob("update-*")} == {place, notes}


@pytest.mark.parametrize("moved", [False, True])
def test_two_updates_do_not_work_at_a_time(
    moved: bool, kit: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one refuses, whether the first one still copies or already moves files."""
    (new / "README.md").write_text("another")
    seen: list[str] = []

    def begin_another(*_: object) -> None:
        before = contents(kit)
        with monkeypatch.context() as undone:
            undone.setattr(Path, "rename", rename)
            with pytest.raises(CannotUpdate, match=r"^Another update of this copy is at work\."):
                update(new, kit)
        assert contents(kit) == before
        seen.append("refused")

    rename = Path.rename

    def renaming(path: Path, target: Path) -> Path:
        is_new = target == kit / "README.md"
        if is_new == moved and not seen:
            begin_another()
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", renaming)
    update(new, kit)
    assert seen == ["refused"]
    assert current(kit) == contents(new)


def test_an_old_file_comes_back_though_the_new_one_cannot_be_moved_away(
    kit: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in TAKEN[:-1]:
        (new / name).write_text("another")
    before, rename = contents(kit), Path.rename

    def renaming(path: Path, target: Path) -> Path:
        if target.parent.name == "backups" or (
            path == kit / "README.md" and "/new/" in str(target)
        ):
            raise PermissionError("it is in use")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", renaming)
    with pytest.raises((CannotUpdate, CannotWrite)):
        update(new, kit)
    assert current(kit) == before


def test_the_engine_that_can_undo_an_update_is_replaced_last(
    kit: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    correct(new, CHANGES["statement"])
    for name in TAKEN[:-1]:
        (new / name).write_text("another")
    kill_at(monkeypatch, lambda target: target.name == "autograder")
    with pytest.raises(Killed):
        update(new, kit)
    assert (kit / "autograder" / "__main__.py").exists()
    rest = {name: data for name, data in contents(new).items() if "autograder/" not in name}
    assert rest.items() <= current(kit).items()


def test_work_after_an_interrupted_update_is_kept(
    kit: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work since an interrupted update is kept in backups/, even if undoing it is interrupted."""
    correct(new, CHANGES["statement"])
    path = kit / "assignments" / f"{assignments()[0]}.py"
    before = contents(kit)
    kill_at(monkeypatch, lambda target: target.parent == kit / "backups")
    with pytest.raises(Killed):
        update(new, kit)
    monkeypatch.undo()
    path.write_bytes(path.read_bytes() + b"# since then")
    kill_at(monkeypatch, lambda target: target == path)
    with pytest.raises(Killed):
        update(new, kit)
    monkeypatch.undo()
    with pytest.raises(CannotUpdate) as raised:
        update(new, kit)
    assert current(kit) == before
    [backup] = [one for one in kit.glob("backups/*") if (one / "assignments" / path.name).exists()]
    assert (backup / "assignments" / path.name).read_bytes().endswith(b"# since then")
    folders = " and ".join(map(str, sorted(kit.glob("backups/interrupted-*"))))
    assert f" What stood in their place is in {folders}: " in str(raised.value)
    assert str(raised.value).startswith("An earlier update was interrupted, and is undone now: ")
    assert str(raised.value).endswith(" Update again.")


def test_a_folder_of_work_since_an_interrupted_update_is_named_once(
    kit: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (new / "README.md").write_text("another")
    path = kit / "README.md"
    for _ in range(2):  # the update, and the first undoing of it
        kill_at(monkeypatch, lambda target: target == path)
        with pytest.raises(Killed):
            update(new, kit)
        monkeypatch.undo()
    path.write_text("since then")
    with pytest.raises(CannotUpdate) as raised:
        update(new, kit)
    folder = kit / "backups" / "interrupted-1"
    assert f" What stood in their place is in {folder}: " in str(raised.value)


# The command line


@pytest.mark.dear
def test_the_command_updates(kit: Path, new: Path) -> None:
    correct(new, CHANGES["statement"])
    run = run_in(kit, "-m", "autograder", "update", new)
    assert (run.returncode, run.stderr) == (0, "")
    lines = [f"{name}{suffix}: new" for name in sorted(assignments()) for suffix in FORMS[::-1]]
    assert run.stdout.splitlines() == [*lines, "What was replaced is in backups/update-1."]
    assert current(kit) == contents(new)


@pytest.mark.dear
@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ("", "Say where the new kit is: make update KIT=path/to/its/folder."),
        (
            "nowhere",
            "There is no folder nowhere. Say where the new kit is: "
            "make update KIT=path/to/its/folder.",
        ),
        ("tests", "tests is not a copy of the kit: it has no folder autograder/recorded."),
        (".", ". is this copy itself. Unpack the new kit somewhere else."),
    ],
)
def test_the_command_refuses_in_a_sentence(other: str, sentence: str, kit: Path) -> None:
    run = run_in(kit, "-m", "autograder", "update", other)
    assert (run.returncode, run.stdout, run.stderr) == (4, "", f"{sentence}\n")


def test_the_whole_course_is_not_updated(built_kit: Path) -> None:
    run = run_in(root(), "-m", "autograder", "update", built_kit)
    assert (run.returncode, run.stdout) == (4, "")
    assert run.stderr.startswith("This is the whole course, not a student's copy")
