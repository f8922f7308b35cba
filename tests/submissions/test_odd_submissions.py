"""Unusual files are read if their meaning is clear, else refused without harm to others.

Nothing is run here: what is found is the code that was written, or a sentence.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import written
from nbformat.v4 import new_code_cell, new_notebook

from autograder.classroom.grading_jobs import submission
from autograder.course import skeleton
from autograder.kit.notebook import notebook
from autograder.nbgrader.intake import Folders
from autograder.submissions import ids
from autograder.submissions.canvas import by_own_name
from autograder.submissions.finding import find, find_each
from autograder.submissions.names import downloaded
from autograder.submissions.source_text import code_lines

NAME, OTHER = "attention_layer", "multi_head"
DEFINES = {NAME: "ScaledDotProduct", OTHER: "MultiHead"}
WORKED = ("class ScaledDotProduct(nn.Module):", "weights @ V")  # occur in the student's code


@dataclass
class StudentFiles:
    """A student's code as a module and as a notebook, and the class's folder."""

    folder: Path
    text: str

    @property
    def book(self) -> dict[str, Any]:
        made: dict[str, Any] = json.loads(nbformat.writes(notebook(self.text, NAME)))
        return made

    @property
    def data(self) -> bytes:
        return json.dumps(self.book).encode()

    def put(self, name: str, data: bytes | str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())


def of_one_cell(code: str) -> str:
    """Return a notebook with one cell."""
    return nbformat.writes(new_notebook(cells=[new_code_cell(code)]))


Case = Callable[[StudentFiles], None]


def file(name: str, change: Callable[[StudentFiles], bytes | str] | None = None) -> Case:
    """Return a case with this file in the class's folder, by default the notebook or module."""

    def make(work: StudentFiles) -> None:
        own = work.text if ".py" in name.lower() else work.data
        work.put(name, change(work) if change else own)

    return make


def book(change: Callable[[dict[str, Any]], Any], name: str = f"anna/{NAME}.ipynb") -> Case:
    """Return a case with a changed notebook."""

    def make(work: StudentFiles) -> None:
        made = work.book
        change(made)
        work.put(name, json.dumps(made))

    return make


def zipped(*names: str, inner: bool = False) -> Callable[[StudentFiles], bytes]:
    """Return what makes an archive with the code under each of these names."""

    def make(work: StudentFiles) -> bytes:
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w") as archive:
            for name in names:
                data = work.data if name.lower().endswith(".ipynb") else work.text.encode()
                junk = any(part in name for part in ("__MACOSX", ".DS_Store", "desktop", ".txt"))
                archive.writestr(zipfile.ZipInfo(name), b"\0\5\x16\7" if junk else data)
        return _zip({"inner.zip": target.getvalue()}) if inner else target.getvalue()

    return make


def _zip(files: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()


def tarred(work: StudentFiles) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as archive:
        entry = tarfile.TarInfo(f"abgabe/{NAME}.ipynb")
        entry.size = len(work.data)
        archive.addfile(entry, io.BytesIO(work.data))
    return target.getvalue()


def cell(source: str, **more: Any) -> dict[str, Any]:
    own = {"cell_type": "code", "metadata": {}, "source": source}
    return {**own, "outputs": [], "execution_count": None, **more}


def with_cell(source: str, **more: Any) -> Case:
    return book(lambda made: made["cells"].insert(1, cell(source, **more)))


def of_magic(magic: str) -> Case:
    """Return a case in which a magic begins each code cell."""

    def change(made: dict[str, Any]) -> None:
        for one in made["cells"]:
            if one["cell_type"] == "code":
                one["source"] = [f"{magic}\n", *one["source"]]

    return book(change)


def script(work: StudentFiles, mark: str = "# In[{}]:\n\n\n", head: str = "") -> str:
    """Return the script that a program makes from the notebook's code cells."""
    codes = ["".join(one["source"]) for one in work.book["cells"] if one["cell_type"] == "code"]
    cells = [mark.format(number) + code for number, code in enumerate(codes, 1)]
    return f"#!/usr/bin/env python\n# coding: utf-8\n\n{head}" + "\n\n\n".join(cells) + "\n"


NBCONVERT = "get_ipython().run_line_magic('matplotlib', 'inline')\nget_ipython().system('pip x')\n"


def writing(place: str) -> Case:
    """Return a case with a notebook whose cell writes the module."""

    def make(work: StudentFiles) -> None:
        cells = [cell(f"%%writefile {place}\n{work.text}"), cell("!ls")]
        work.put(f"anna/{NAME}.ipynb", json.dumps({"nbformat": 4, "cells": cells}))

    return make


FINE: dict[str, Case] = {
    "a module": file(f"anna/{NAME}.py"),
    "a notebook": file(f"anna/{NAME}.ipynb"),
    "an ending in capitals": file(f"anna/{NAME}.IPYNB"),
    "a module with its ending in capitals": file(f"anna/{NAME}.PY"),
    "an archive with its ending in capitals": file("anna.ZIP", zipped(f"{NAME}.ipynb")),
    "a name in capitals": file("anna/Attention_Layer.ipynb"),
    "a second download": file(f"anna/{NAME} (1).ipynb"),
    "a copy of Jupyter's": file(f"anna/{NAME}-Copy1.ipynb"),
    "a copy of Google's": file(f"anna/Copy of {NAME}.ipynb"),
    "a copy in German": file(f"anna/Kopie von {NAME}.ipynb"),
    "a name behind it": file(f"anna/{NAME}_anna.py"),
    "a name in front of it": file(f"anna/anna_{NAME}.py"),
    "spaces": file("anna/attention layer.py"),
    "hyphens": file("anna/attention-layer.py"),
    "another name": file("anna/loesung.py"),
    "an ending too much": file(f"anna/{NAME}.ipynb.txt"),
    "an ending of a browser": file(f"anna/{NAME}.ipynb.json"),
    "one folder deeper": file(f"anna/abgabe/{NAME}.ipynb"),
    "three folders deeper": file(f"anna/a/b/c/{NAME}.ipynb"),
    "in a folder of its name": file(f"anna/{NAME}/{NAME}.py"),
    "a folder of another alphabet": file(f"anna/\u00dcbung \u0431/{NAME}.py"),
    "for Canvas": file(f"doejane_LATE_12345_678910_{NAME}-2.ipynb"),
    "for Canvas in time": file(f"doejane_12345_678910_{NAME}.ipynb"),
    "for Moodle": file(f"Jane Doe_12345_assignsubmission_file_{NAME}.ipynb"),
    "for Moodle in a folder": file(f"Jane Doe_12345_assignsubmission_file_/{NAME}.ipynb"),
    "zip": file("anna.zip", zipped(f"{NAME}.ipynb")),
    "zip with a folder": file("anna.zip", zipped(f"a/b/{NAME}.ipynb")),
    "zip of a Mac": file("anna.zip", zipped(f"a/{NAME}.py", f"__MACOSX/a/._{NAME}.py")),
    "zip with what systems add": file(
        "anna.zip", zipped(f"a/{NAME}.py", "a/.DS_Store", "a/desktop.ini", f"a/._{NAME}.py")
    ),
    "zip with checkpoints": file(
        "anna.zip", zipped(f"{NAME}.ipynb", f".ipynb_checkpoints/{NAME}-checkpoint.ipynb")
    ),
    "zip of Windows": file("anna.zip", zipped(f"abgabe\\{NAME}.ipynb")),
    "zip in a zip": file("anna.zip", zipped(f"a/{NAME}.ipynb", inner=True)),
    "zip in a folder": file("anna/upload.zip", zipped(f"a/{NAME}.ipynb")),
    "zip with another name in it": file("anna.zip", zipped("abgabe/final.ipynb", "readme.txt")),
    "zip with a copy in it": file("anna.zip", zipped(f"{NAME} (2).ipynb")),
    "tar.gz": file("anna.tar.gz", tarred),
    "UTF-16": file(f"anna/{NAME}.py", lambda work: work.text.encode("utf-16")),
    "a notebook in UTF-16": file(f"anna/{NAME}.ipynb", lambda w: w.data.decode().encode("utf-16")),
    "CRLF": file(f"anna/{NAME}.py", lambda work: work.text.replace("\n", "\r\n")),
    "form feeds": file(f"anna/{NAME}.py", lambda w: w.text.replace("\nclass", "\n\f\nclass")),
    "a byte order mark in the middle": file(
        f"anna/{NAME}.py", lambda work: work.text.replace("class Sca", "\ufeffclass Sca")
    ),
    "a NUL behind": file(f"anna/{NAME}.ipynb", lambda work: work.data + b"\0"),
    "an empty line behind": file(f"anna/{NAME}.ipynb", lambda work: work.data + b"\r\n\n"),
    "a bracket behind": file(f"anna/{NAME}.ipynb", lambda work: work.data + b"\n}"),
    "words behind": file(f"anna/{NAME}.ipynb", lambda work: work.data + b"\nSent from my phone"),
    "a notebook named .py": file(f"anna/{NAME}.py", lambda work: work.data),
    "a text that is null": book(lambda made: made["cells"].append(cell("x") | {"source": None})),
    "metadata that is null": book(
        lambda made: made["cells"].append(cell("x = 1") | {"metadata": None})
    ),
    "no kind": book(lambda made: made["cells"].insert(0, {"source": "x", "metadata": {}})),
    "a cell that is null": book(lambda made: made["cells"].append(None)),
    "a version to come": book(lambda made: made.update(nbformat_minor=99)),
    "no version": book(lambda made: [made.pop("nbformat"), made.pop("nbformat_minor")]),
    "attachments": with_cell("x = 1", attachments={"a.png": {"image/png": "A" * 100_000}}),
    "30 MB of pictures": with_cell("x = 1", outputs=[{"data": {"image/png": "A" * 30_000_000}}]),
    "widgets": book(lambda made: made["metadata"].update(widgets={"state": ["{"] * 5000})),
    "a kernel for R": book(lambda made: made["metadata"].update(kernelspec={"language": "R"})),
    "%%time": of_magic("%%time"),
    "%%capture": of_magic("%%capture out"),
    "!pip": of_magic("!pip install einops"),
    "%load_ext": of_magic("%load_ext autoreload\n%autoreload 2"),
    "an empty block": with_cell("if True:\n    !pip install einops\nelse:\n    %cd x"),
    "the module written by a cell": writing(f"{NAME}.py"),
    "a module in quotes written by a cell": writing(f'"{NAME}.py"'),
    "a module written beside the notebook": writing(f"./{NAME}.py"),
    "a module written in Colab": writing(f"/content/{NAME}.py"),
    "a script of nbconvert": file(f"anna/{NAME}.py", lambda work: script(work, head=NBCONVERT)),
    "a script of VS Code": file(f"anna/{NAME}.py", lambda work: script(work, "# %%\n")),
    "a script of Spyder": file(f"anna/{NAME}.py", lambda work: script(work, "#%%\n")),
    "a script of Colab": file(f"anna/{NAME}.py", lambda work: script(work, "", "!pip install x\n")),
    "beside a skeleton": lambda work: [
        file(f"anna/{NAME}.ipynb")(work),
        file(f"anna/{NAME}.py", lambda _: skeleton(NAME))(work),
    ][0],
    "a copy beside a skeleton's folder": lambda work: [
        file(f"anna/{NAME}.py")(work),
        file(f"anna/old/{NAME}.py", lambda _: skeleton(NAME))(work),
    ][0],
    "beside another assignment": lambda work: [
        file(f"anna/a/{NAME}.py")(work),
        file(f"anna/b/{OTHER}.py", lambda _: skeleton(OTHER))(work),
    ][0],
}


@pytest.mark.parametrize("name", FINE)
def test_what_is_clear_is_read(name: str, tmp_path: Path, solutions: dict[str, str]) -> None:
    """The code is the student's, except for commands that only Jupyter understands."""
    work = StudentFiles(tmp_path / "class", written(solutions[NAME]))
    FINE[name](work)
    [found] = find(tmp_path / "class", NAME)
    assert found.problem == ""
    assert found.stem == NAME
    assert found.other is None
    lines = code_lines(found.texts[found.stem])
    assert all(any(part in line for line in lines) for part in WORKED)
    own = set(code_lines(work.text))
    assert set(lines) >= own
    assert len(set(lines) - own) < 5  # none of the kit's own cells


CONFLICT = "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> theirs\n"
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
PAGE = "<!DOCTYPE html>\n<html><head><title>Sign in to GitHub</title></head></html>"
DRIVE = '{"url": "https://docs.google.com/open?id=1", "doc_id": "1", "email": "a@b.c"}'
REFUSED: dict[str, tuple[Case, str]] = {
    "7z": (file("anna.7z", lambda _: b"7z\xbc\xaf\x27\x1c"), "of an unsupported kind. Pack it"),
    "rar": (file("anna.rar", lambda _: b"Rar!\x1a"), "of an unsupported kind. Pack it as .zip"),
    "rar in a folder": (file("anna/work.rar", lambda _: b"Rar!\x1a"), "Pack it as .zip."),
    "a zip that is none": (file("anna.zip", lambda _: b"Rar!\x1a"), "cannot be read as an archive"),
    "a PDF": (file("anna/work.pdf", lambda _: b"%PDF-1.7"), "is not what is graded. Hand in"),
    "a zip named .ipynb": (file(f"anna/{NAME}.ipynb", zipped("a")), "is really a zip archive."),
    "a PDF named .ipynb": (file(f"anna/{NAME}.ipynb", lambda _: "%PDF-1.7"), "is really a PDF."),
    "a Word document named .py": (
        file(f"anna/{NAME}.py", lambda _: _zip({"word/document.xml": b""})),
        "is really a Word document. Hand in the module (.py) itself",
    ),
    "a 7z named .ipynb": (
        file(f"anna/{NAME}.ipynb", lambda _: b"7z\xbc\xaf\x27\x1c"),
        "is really an archive (7z).",
    ),
    "a page named .ipynb": (file(f"anna/{NAME}.ipynb", lambda _: PAGE), "is a web page, not the"),
    "a page named .py": (file(f"anna/{NAME}.py", lambda _: f"\n{PAGE}"), "is a web page, not the"),
    "a page": (file("anna/page.html", lambda _: PAGE), "is not what is graded. Hand in the noteb"),
    "Git LFS": (file(f"anna/{NAME}.ipynb", lambda _: LFS), "is only a pointer of Git LFS. Fetch"),
    "a merge conflict": (
        file(f"anna/{NAME}.py", lambda work: f"import math\n{CONFLICT}{work.text}"),
        "has a merge conflict in it (line 2). Keep one of the versions",
    ),
    "a merge conflict in a notebook": (
        file(f"anna/{NAME}.ipynb", lambda work: CONFLICT.encode() + work.data),
        "has a merge conflict in it (line 1).",
    ),
    "an empty module": (file(f"anna/{NAME}.py", lambda _: b""), "is empty: nothing was saved"),
    "an empty notebook": (file(f"anna/{NAME}.ipynb", lambda _: b"\n"), "is empty: nothing was"),
    "zeros": (file(f"anna/{NAME}.py", lambda _: bytes(5000)), "contains NUL bytes only"),
    "half a download": (file(f"anna/{NAME}.ipynb.crdownload"), "is not completely downloaded."),
    "half a download of Firefox": (file(f"anna/{NAME}.ipynb.part"), "is not completely downloaded"),
    "a shortcut": (file("anna/work.gdoc", lambda _: DRIVE), "is only a shortcut. Download"),
    "a shortcut named .ipynb": (
        file(f"anna/{NAME}.ipynb", lambda _: DRIVE),
        "is only a shortcut to Google Drive.",
    ),
    "a checkpoint": (file(f"anna/{NAME}-checkpoint.ipynb"), "is a checkpoint, which Jupyter saves"),
    "other JSON": (file(f"anna/{NAME}.ipynb", lambda _: '{"a": 1}'), "(it has no list of cells)"),
    "Python named .ipynb": (
        file(f"anna/{NAME}.ipynb", lambda work: work.text),
        "is Python text, not a notebook. Name it .py",
    ),
    "two notebooks in one": (
        file(f"anna/{NAME}.ipynb", lambda work: work.data * 2),
        "(something follows its end)",
    ),
    "two of other names": (
        lambda work: [
            file("anna/a.py")(work),
            file("anna/b.py", lambda work: f"{work.text}x = 1\n")(work),
        ][0],
        "holds several files (a.py, b.py). Name the one that counts",
    ),
    "two versions": (
        lambda work: [
            file(f"anna/{NAME} (1).py")(work),
            file(f"anna/{NAME} (2).py", lambda work: f"{work.text}\nx = 1\n")(work),
        ][0],
        "holds several files (attention_layer (1).py, attention_layer (2).py). Name the one",
    ),
    "two folders": (
        lambda work: [
            file(f"anna/a/{NAME}.py")(work),
            file(f"anna/b/{NAME}.py", lambda work: f"{work.text}\nx = 1\n")(work),
        ][0],
        "Keep the one that counts.",
    ),
    "a link out": (lambda work: link(work), "is a link, not a file. Hand in the file itself."),
    "nothing but a list": (file("anna/names.csv", lambda _: "a"), "holds no submission: expected"),
}


def link(work: StudentFiles) -> None:
    work.put("anna/x.txt", "")
    (work.folder / "anna" / f"{NAME}.py").symlink_to("/etc/passwd")


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_clear_is_refused_in_a_sentence(
    name: str, tmp_path: Path, solutions: dict[str, str]
) -> None:
    case, sentence = REFUSED[name]
    work = StudentFiles(tmp_path / "class", written(solutions[NAME]))
    file(f"ben/{NAME}.py")(work)
    case(work)
    found = {one.name: one for one in find(tmp_path / "class", NAME)}
    assert found["ben"].problem == ""
    assert sentence in found["anna"].problem
    assert found["anna"].problem.startswith(str(tmp_path / "class" / "anna"))
    assert found["anna"].problem.endswith(".")
    assert "\n" not in found["anna"].problem
    assert found["anna"].texts == {}


# Folders as nbgrader keeps them


@pytest.mark.parametrize("assignment", [NAME, None])
def test_the_folders_of_nbgrader(
    assignment: str | None, tmp_path: Path, solutions: dict[str, str]
) -> None:
    work = StudentFiles(tmp_path / "submitted", written(solutions[NAME]))
    for name in ("alice", "ben"):
        file(f"{name}/{NAME}/{NAME}.ipynb")(work)
        file(f"{name}/{NAME}/timestamp.txt", lambda _: "2026-01-01 00:00:00 UTC")(work)
    work.put(f"alice/{OTHER}/{OTHER}.py", written(solutions[OTHER]))
    found = find(tmp_path / "submitted", assignment)
    expected = [("alice", NAME), ("ben", NAME)]
    expected += [] if assignment else [("alice", OTHER)]
    assert [(one.name, one.assignment) for one in found] == expected
    assert all(one.problem == "" for one in found)
    own = find(tmp_path / "submitted" / "alice", assignment)
    assert [one.assignment for one in own] == ([NAME] if assignment else [NAME, OTHER])
    [built] = find(tmp_path / "submitted" / "alice", OTHER)
    assert [*built.texts] == [OTHER, NAME]  # of the same student


@pytest.mark.parametrize("own", ["mine.py", "mi ne.ipynb", "mine.zip", "in/mine.py", "no.pdf"])
@pytest.mark.parametrize("other", [f"{OTHER}.py", "mine.py", "mine.zip", f"{NAME}.py"])
def test_each_assignment_is_graded_from_its_own_folder(
    own: str, other: str, tmp_path: Path, solutions: dict[str, str]
) -> None:
    """Whatever its files and those in other assignments' folders are called, as in autograde."""
    work = StudentFiles(tmp_path / "submitted", written(solutions[NAME]))
    later = StudentFiles(work.folder, written(solutions[OTHER]))
    make: dict[str, Callable[[StudentFiles], bytes | str]] = {
        ".zip": zipped("mine.py"),
        ".pdf": lambda _: "%PDF",
    }
    file(f"anna/{NAME}/{own}", make.get(Path(own).suffix))(work)
    file(f"ben/{NAME}/{NAME}.py")(work)
    for student in ("anna", "ben"):
        file(f"{student}/{OTHER}/{other}", make.get(Path(other).suffix))(later)
    found = {(one.name, one.assignment or ""): one for one in find(work.folder, None)}
    assert [*found] == [("anna", NAME), ("ben", NAME), ("anna", OTHER), ("ben", OTHER)]
    for (student, assignment), one in found.items():
        [named] = [named for named in find(work.folder, assignment) if named.name == student]
        alone = {one.assignment: one for one in find(work.folder / student, None)}
        assert one == named == alone[assignment]
        assert one.origin == work.folder / student
        job = Folders(work.folder).job(student, assignment)
        assert bool(one.problem) is bool(job.refused)
        none = [("anna", NAME)] * (own == "no.pdf")
        none += [(who, OTHER) for who in ("anna", "ben") if other == f"{NAME}.py"]
        assert bool(one.problem) is ((student, assignment) in none)
        if not one.problem:
            assert work.folder / student / assignment in one.path.parents
            assert {*submission(job).texts} == {*one.texts}
            code = code_lines(one.texts[one.stem])
            assert any(f"class {DEFINES[assignment]}" in line for line in code)


def test_what_a_student_has_no_folder_for_is_absent(
    tmp_path: Path, solutions: dict[str, str]
) -> None:
    work = StudentFiles(tmp_path / "submitted", written(solutions[NAME]))
    file(f"anna/{NAME}/work.py")(work)
    file(f"ben/{OTHER}/{NAME}.py")(work)
    file(f"ben/{OTHER}/work.py")(work)
    found = [(one.name, one.assignment) for one in find(work.folder, None)]
    assert found == [("anna", NAME), ("ben", OTHER)]
    _, ben = find(work.folder, NAME)
    said = f"{work.folder / 'ben'} has a folder {OTHER}, but none for {NAME}: nothing was handed in"
    assert ben.problem.startswith(said)


def test_files_beside_the_folders_of_assignments_are_the_students_own(
    tmp_path: Path, solutions: dict[str, str]
) -> None:
    """A module can be imported; a file of the right name counts, also beside an empty folder."""
    text = written(solutions[NAME]).replace("import math\n", "import math, own\n")
    work = StudentFiles(tmp_path / "class", text)
    file(f"anna/{NAME}/{NAME}.py")(work)
    work.put("anna/own.py", "x = 1\n")
    file(f"ben/{NAME}.py")(work)
    work.put(f"ben/{NAME}/{NAME}.py", "x = 1\n")
    file("cleo/work.py")(work)
    work.put(f"cleo/{NAME}/weights.csv", "1")
    anna, ben, cleo = find(work.folder, NAME)
    assert {*anna.texts} == {NAME, "own.py"}
    assert [one.path.relative_to(work.folder).as_posix() for one in (ben, cleo)] == [
        f"ben/{NAME}.py",
        "cleo/work.py",
    ]


def test_a_link_in_place_of_an_assignments_folder_is_not_followed(
    tmp_path: Path, solutions: dict[str, str]
) -> None:
    work = StudentFiles(tmp_path / "submitted", written(solutions[NAME]))
    file(f"anna/{NAME}/{NAME}.py")(work)
    work.put(f"ben/{OTHER}/{OTHER}.py", written(solutions[OTHER]))
    (work.folder / "ben" / NAME).symlink_to(work.folder / "anna" / NAME)
    found = {(one.name, one.assignment): one for one in find(work.folder, None)}
    assert "is a link, not a folder" in found["ben", NAME].problem
    assert {*found["ben", OTHER].texts} == {OTHER}


@contextlib.contextmanager
def closed(folder: Path, mode: int) -> Iterator[None]:
    """Give a folder a mode, and be a user who is bound by it."""
    folder.chmod(mode)
    user = os.geteuid()
    try:
        os.seteuid(user or 65534)
        yield
    finally:
        os.seteuid(user)
        folder.chmod(0o755)


@pytest.mark.parametrize("place", [f"ben/work.zip/{NAME}.py", f"ben/{NAME}.zip/own.py"])
def test_a_folder_that_can_be_listed_but_not_entered_is_told(
    place: str, solutions: dict[str, str]
) -> None:
    """A folder that can be listed but not entered refuses its own student alone."""
    with tempfile.TemporaryDirectory() as room:
        Path(room).chmod(0o755)
        work = StudentFiles(Path(room) / "class", written(solutions[NAME]))
        for name in (f"anna/{NAME}.py", place):
            work.put(name, written(solutions[NAME]))
        work.put(f"ben/{NAME}.py", skeleton(NAME))
        folder = (work.folder / place).parent
        with closed(folder, 0o444):
            found = {one.name: one for one in find(work.folder, NAME)}
    assert found["anna"].problem == ""
    assert f"{folder}/" in found["ben"].problem


CLOSED = [  # a folder of mallory's, and its mode: it cannot be entered, listed, or both
    (folder, mode)
    for folder in ("mallory", f"mallory/{NAME}")
    for mode in (0, 0o111, 0o333, 0o444, 0o666)
]


@pytest.mark.parametrize(("folder", "mode"), CLOSED)
def test_a_closed_folder_is_told_in_one_sentence_however_it_is_graded(
    folder: str, mode: int, solutions: dict[str, str]
) -> None:
    """A closed folder refuses its own student alone, and no student is left out."""
    people = ["anna", "mallory", "zoe"]
    with tempfile.TemporaryDirectory() as room:
        Path(room).chmod(0o755)
        work = StudentFiles(Path(room) / "submitted", written(solutions[NAME]))
        for student in people:
            work.put(f"{student}/{NAME}/{NAME}.py", work.text)
        with closed(work.folder / folder, mode):
            course = Folders(work.folder)
            students, misplaced = course.students(NAME), course.misplaced(NAME)
            refused = [course.job(student, NAME).refused for student in people]
            found = [
                find(work.folder, NAME),
                sorted(find(work.folder, None), key=lambda one: one.name),
                find_each([work.folder / student for student in people], NAME),
                find_each([work.folder / student for student in people], None),
            ]
            near = find_each([work.folder / student / NAME for student in people], NAME)
    said = f"{folder} cannot be read: Permission denied."
    assert (students, misplaced, refused) == (people, [], ["", said, ""])
    for each in found:
        assert [one.problem for one in each] == ["", f"{work.folder}/{said}", ""]
    assert [bool(one.problem) for one in near] == [False, True, False]
    assert near[1].problem.startswith(f"{work.folder}/mallory")
    assert near[1].problem.endswith(" cannot be read: Permission denied.")


@pytest.mark.parametrize("mode", [0, 0o111, 0o333, 0o444, 0o666])
def test_what_may_lie_in_a_closed_folder_is_not_passed_over(
    mode: int, solutions: dict[str, str]
) -> None:
    """Nobody knows for which assignment it is."""
    with tempfile.TemporaryDirectory() as room:
        Path(room).chmod(0o755)
        work = StudentFiles(Path(room) / "submitted", written(solutions[NAME]))
        work.put(f"anna/{NAME}/{NAME}.py", work.text)
        work.put(f"mallory/{NAME}.py", work.text)
        with closed(work.folder / "mallory", mode):
            course = Folders(work.folder)
            assert course.students(NAME) == ["anna", "mallory"]
            assert course.misplaced(NAME) == []
            said = course.job("mallory", NAME).refused
            assert said == "mallory cannot be read: Permission denied."
            assert f"{work.folder}/{said}" in [one.problem for one in find(work.folder, NAME)]


@pytest.mark.parametrize("mode", [0, 0o111, 0o333, 0o444, 0o666])
@pytest.mark.parametrize("counts", ["as released", "nothing", "own work"])
def test_a_closed_folder_may_hold_the_work(
    counts: str, mode: int, solutions: dict[str, str]
) -> None:
    """Where nothing else holds it, nobody gets 0 points without a word about that folder."""
    with tempfile.TemporaryDirectory() as room:
        Path(room).chmod(0o755)
        work = StudentFiles(Path(room) / "submitted", written(solutions[NAME]))
        work.put(f"mallory/{NAME}/work/{NAME}.py", work.text)
        if counts != "nothing":
            text = work.text if counts == "own work" else skeleton(NAME)
            work.put(f"mallory/{NAME}/{NAME}.py", text)
        with closed(work.folder / "mallory" / NAME / "work", mode):
            [found] = find(work.folder, NAME)
            refused = Folders(work.folder).job("mallory", NAME).refused
    for said in (found.problem, refused):
        if counts == "own work":
            assert said == ""
        else:
            assert f"mallory/{NAME}/work" in said
            assert said.endswith(" cannot be read: Permission denied.")


def test_files_of_canvas_belong_to_whom_they_name(
    tmp_path: Path, solutions: dict[str, str]
) -> None:
    work = StudentFiles(
        tmp_path, written(solutions[NAME]).replace("import math\n", "import math, own\n")
    )
    for who, number in (("doejane", 1), ("roejohn", 2)):
        file(f"{who}_{number}_10{number}_{NAME}-1.py")(work)
    work.put("doejane_LATE_1_103_own.py", "x = 1\n")
    jane, john = find(tmp_path, NAME)
    assert (jane.name, [*jane.texts]) == ("doejane_1", [NAME, "own.py"])
    assert (john.name, [*john.texts]) == ("roejohn_2", [NAME])


ALIKE = {  # what else a student hands in to Canvas, whose names differ in a number at the end
    "pages": (f"{NAME}.py", {"plot-1.pdf": "%PDF", "plot-2.pdf": "%PDF"}),
    "notebooks": (f"{NAME}.py", {"notes-1.ipynb": "{}", "notes-2.ipynb": "{}"}),
    "pages of the work": (f"{NAME}.py", {f"{NAME}-1.html": "<p>", f"{NAME}.html": "<p>"}),
    "modules": ("work.py", {"lab-1.py": "x = 1\n", "lab-2.py": "x = 2\n", "lab.py": "x = 3\n"}),
    "with the work": ("work-1.py", {"work.py": "x = 1\n"}),
}


@pytest.mark.parametrize("case", ALIKE)
def test_files_of_canvas_that_differ_in_a_number_are_several(
    case: str, tmp_path: Path, solutions: dict[str, str]
) -> None:
    name, others = ALIKE[case]
    work = StudentFiles(tmp_path, written(solutions[NAME]))
    file(f"dora_103_9021_{name}")(work)
    for number, (other, text) in enumerate(others.items(), 9022):
        work.put(f"dora_103_{number}_{other}", text)
    file(f"roejohn_2_9001_{NAME}.py")(work)
    dora, john = find(tmp_path, NAME)
    assert (dora.name, dora.problem, dora.path.name) == ("dora_103", "", f"dora_103_9021_{name}")
    assert (john.name, john.problem) == ("roejohn_2", "")


LAB = "scale = 2\n"
NAMES_IT = {  # code that names lab-1.py, or lab.py, and what the student must have called the file
    "%run": ("lab-1.py", "get_ipython().run_line_magic('run', 'lab-1.py')\n", "lab-1.py"),
    "%run of a notebook": ("lab-1.ipynb", "%run ./lab-1.ipynb\n", "lab-1.ipynb"),
    "its name": ("lab-1.py", "import importlib\nimportlib.import_module('lab-1')\n", "lab-1.py"),
    "its text": ("lab-1.py", "exec(open('lab-1.py').read())\n", "lab-1.py"),
    "import": ("lab-1.py", "import lab\n", "lab.py"),
    "import, and a difference": (
        "lab-1.py",
        "import lab\nn = len(dir(lab))\nn = lab-1\n",
        "lab.py",
    ),
    "import, and a comment": ("lab-1.py", "from lab import *  # lab-1\n", "lab.py"),
    "a comment alone": ("lab-1.py", "# as in lab-1\nx = 1\n", "lab.py"),
    "a longer name": ("lab-1.py", "%run my-lab-1.py\n%run lab-12.py\n", "lab.py"),
}


@pytest.mark.parametrize("case", NAMES_IT)
def test_a_file_of_canvas_has_the_name_that_code_gives_it(case: str, tmp_path: Path) -> None:
    own, code, expected = NAMES_IT[case]
    main, beside = tmp_path / "anna_101_9001_my.ipynb", tmp_path / f"anna_101_9002_{own}"
    main.write_text(of_one_cell(code))
    beside.write_text(of_one_cell(LAB) if own.endswith(".ipynb") else LAB)
    assert {*by_own_name([main, beside], NAME)} == {"my.ipynb", expected}


@pytest.mark.parametrize("own", ["lab-1.py", "lab-1.ipynb"])
def test_work_finds_a_file_that_it_runs_by_a_number_at_the_end(
    own: str, tmp_path: Path, solutions: dict[str, str]
) -> None:
    work = StudentFiles(tmp_path, written(solutions[NAME]))
    work.put(f"dora_103_9021_{own}", of_one_cell(LAB) if own.endswith(".ipynb") else LAB)
    work.put("dora_103_9022_my.ipynb", of_one_cell(f"%run {own}\n{work.text}"))
    file(f"roejohn_2_9001_{NAME}.py")(work)
    dora, _ = find(tmp_path, NAME)
    assert (dora.problem, [*dora.texts]) == ("", [NAME, own])


def test_files_of_canvas_that_may_both_be_the_work_are_refused(
    tmp_path: Path, solutions: dict[str, str]
) -> None:
    work = StudentFiles(tmp_path, written(solutions[NAME]))
    file(f"dora_103_9021_{NAME}.py")(work)
    work.put(f"dora_103_9022_{NAME}-1.py", "x = 1\n")
    file(f"roejohn_2_9001_{NAME}.py")(work)
    dora, john = find(tmp_path, NAME)
    assert "belong to the same student. Keep the one that counts." in dora.problem
    assert john.problem == ""


def test_a_name_with_a_number_costs_no_classmate(tmp_path: Path, solutions: dict[str, str]) -> None:
    """What Canvas calls grayann_101_102_9002_x.py is of grayann_101, or of 102 with that name."""
    work = StudentFiles(tmp_path, written(solutions[NAME]))
    file("grayann_101_9001_my.py")(work)
    work.put("grayann_101_102_9002_x.py", work.text + "y = 1\n")
    file("dora_103_9021_my.py")(work)
    work.put("dora_103_9022_2026_notes.py", "x = 1\n")
    dora, gray, other = find(tmp_path, NAME)
    assert (dora.name, dora.problem) == ("dora_103", "")
    assert (gray.name, gray.problem) == ("grayann_101", "")
    assert gray.path.name == "grayann_101_9001_my.py"
    assert (other.name, other.problem) == ("grayann_101_102_9002_x", "")


@pytest.mark.parametrize(
    ("name", "student", "own"),
    [
        ("dev_anna_101_9001_work.py", "dev_anna_101", "work.py"),
        ("dev_anna_LATE_101_9001_1_2000_work-2.py", "dev_anna_101", "1_2000_work.py"),
        ("van__der_lee_late_101_9001_work.py", "van__der_lee_101", "work.py"),
        ("anna_late_101_9001_work.py", "anna_101", "work.py"),
        ("anna_101_9001_1_2000_work.py", "anna_101", "1_2000_work.py"),
        ("anon_a1B2c_9001_work.py", "anon_a1B2c", "work.py"),
        ("anon_a1B2c_9002_1_2000_own.py", "anon_a1B2c", "1_2000_own.py"),
        ("LATE_anon_a1B2c_9001_work.py", "anon_a1B2c", "work.py"),
        ("anon_12345_9001_work.py", "anon_12345", "work.py"),
        ("anna_101_text.html", "anna_101", "text.html"),
        ("anna_101_9001_text.html", "anna_101", "text.html"),
        ("van__der_lee_LATE_101_link.html", "van__der_lee_101", "link.html"),
        ("LATE_anon_a1B2c_text.html", "anon_a1B2c", "text.html"),
        ("anna_12_LATE_101_9001_work.py", "anna_12_101", "work.py"),
        ("dev_anna_12_late_101_link.html", "dev_anna_12_101", "link.html"),
        ("_101_9001_work.py", "101", "work.py"),
        ("_LATE_101_9001_work-1.py", "101", "work.py"),
        ("_101_text.html", "101", "text.html"),
    ],
)
def test_names_of_canvas_name_the_student_and_the_file(name: str, student: str, own: str) -> None:
    assert downloaded(name) == (student, own)


@pytest.mark.parametrize(
    "name",
    [
        "dev_anna_2026_11_26_work.py",
        "team_a_3_1_anna.py",
        "anon_two_3_work.py",
        "my-own_work_101_9001_x.py",
        "anna_b_work.py",
        "running_averages_1_2_anna.py",
        "week_1_anna_101_9001_work.py",
        "anna_text.html",
        "anna_101_context.html",
        "week_1_anna_101_text.html",
        "week_1_late_anna_101_9001_work.py",
        "_1_2_work.py",
    ],
)
def test_longer_names_that_are_not_of_canvas_name_nobody(name: str) -> None:
    assert downloaded(name) == ("", name)


@pytest.mark.parametrize("who", ["dev_anna_101", "anon_a1B2c"])
def test_all_files_of_a_student_from_canvas_are_in_one_row(
    who: str, tmp_path: Path, solutions: dict[str, str]
) -> None:
    text = written(solutions[NAME]).replace("import math\n", "import math, own\n")
    work = StudentFiles(tmp_path, text)
    work.put(f"{who}_9001_{NAME}.py", text)
    work.put(f"{who}_9002_own.py", "x = 1\n")
    work.put(f"dev_ben_102_9003_{NAME}.py", work.text)
    rows = {one.name: [*one.texts] for one in find(tmp_path, NAME)}
    assert rows[who] == [NAME, "own.py"]
    assert [*rows] == sorted((who, "dev_ben_102"))


@pytest.mark.parametrize("who", ["jose\u0301", "\u0915\u094d\u0937\u093f\u0924\u093f\u091c"])
def test_accents_and_vowel_signs_belong_to_a_name_that_canvas_writes(
    who: str, tmp_path: Path, solutions: dict[str, str]
) -> None:
    text = written(solutions[NAME]).replace("import math\n", "import math, own\n")
    work = StudentFiles(tmp_path, text)
    work.put(f"{who}_1_101_{NAME}.py", text)
    work.put(f"{who}_LATE_1_102_own.py", "x = 1\n")
    [found] = find(tmp_path, NAME)
    assert (found.name, [*found.texts]) == (ids.checked(f"{who}_1"), [NAME, "own.py"])


def test_a_name_as_a_website_makes_it_costs_nobody_else_a_grade(
    tmp_path: Path, solutions: dict[str, str]
) -> None:
    """An entry that is called like the student counts, and the other one is another student's."""
    work = StudentFiles(tmp_path, written(solutions[NAME]))
    work.put(f"team_1/{NAME}.py", work.text)
    work.put("team_1_2_final.py", "x = 1\n")
    team, other = find(tmp_path, NAME)
    assert (team.name, team.problem, [*team.texts]) == ("team_1", "", [NAME])
    assert (other.name, other.problem) == ("team_1_2_final", "")


@pytest.mark.dear
def test_a_file_named_after_an_assignment_is_refused_in_a_class_of_any_size(
    tmp_path: Path, solutions: dict[str, str]
) -> None:
    for number in range(3100):
        (tmp_path / f"a{number}.docx").touch()
    (tmp_path / f"{NAME}.py").write_text(solutions[NAME], encoding="utf-8")
    [found] = [one for one in find(tmp_path, NAME) if one.name == NAME]
    assert "is named after an assignment, not after its student" in found.problem


def test_pages_beside_submissions_cost_nothing(tmp_path: Path, solutions: dict[str, str]) -> None:
    """The grader may have written its own pages into the class's folder."""
    work = StudentFiles(tmp_path, written(solutions[NAME]))
    work.put(f"anna/{NAME}.py", work.text)
    work.put("ben.py", work.text)
    for name in ("anna.html", "ben.html", "ben.pdf", "cleo.html", "cleo.docx"):
        work.put(name, "<html></html>")
    anna, ben, cleo = find(tmp_path, NAME)
    assert (anna.problem, ben.problem) == ("", "")
    assert "is not what is graded" in cleo.problem
