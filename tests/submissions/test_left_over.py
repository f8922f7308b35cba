"""Files as they were released hide no work, in whatever form that lies beside them."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from own_files import as_notebook

from autograder.course import root, skeleton, solution
from autograder.nbgrader.intake import Folders
from autograder.submissions.finding import find, find_each
from autograder.submissions.kinds import IGNORED

NAME = "running_averages"
WORK = solution(NAME)
BOOK = as_notebook(WORK)
WRITES = json.dumps(
    {
        "cells": [
            {"cell_type": "code", "source": f"%%writefile avg.py\n{WORK}", "metadata": {}},
            {"cell_type": "code", "source": "from avg import *", "metadata": {}},
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)
GUIDE = (root() / "autograder" / "INSTRUCTORS.md").read_text(encoding="utf-8")
AS_RELEASED = "is as it was released, and"
HIDDEN: dict[str, tuple[bytes, str]] = {  # beside an untouched file -> why it is refused
    "my.txt": (WORK.encode(), "may hold the work"),
    "my.json": (BOOK.encode(), "may hold the work"),
    "lambda.txt": (b"running_mean_loop = lambda x: x\n", "may hold the work"),
    "my.py": (b"# \xe9\n" + WORK.encode(), "is not UTF-8 text"),
    "utf16.txt": (WORK.encode("utf-16"), "may hold the work"),
    "my.ipynb": (BOOK[: len(BOOK) // 2].encode(), "cannot be read as a notebook"),
    "text.ipynb": (WORK.encode(), "is Python text, not a notebook"),
    "short.ipynb": (BOOK[:40].encode(), "cannot be read as a notebook"),
    "empty.ipynb": (b"", "is empty: nothing was saved in it"),
    "page.ipynb": (b"<!doctype html><title>Sign in</title>", "is a web page"),
    "doc.ipynb": (b"PK\x03\x04 word/", "is really a Word document"),
    "multi_head.py": (WORK.encode(), "may hold the work"),
    "work.7z": (b"7z", "is an archive of an unsupported kind"),
    "work": (b"PK\x03\x04", "is an archive of an unsupported kind"),
    "work.tar.zst": (b"\x28\xb5\x2f\xfd", "is an archive of an unsupported kind"),
    "work.tar.lz": (b"0" * 257 + b"ustar", "is an archive of an unsupported kind"),
    f"{NAME}.ipynb.crdownload": (BOOK.encode(), "is not completely downloaded"),
    "a/b/c/d/deep.py": (WORK.encode(), "lies more than 3 folders deep"),
    "a/b/c/d/deep.zip": (b"PK", "lies more than 3 folders deep"),
    f"a/b/c/d/{NAME}.py": (WORK.encode(), "lies more than 3 folders deep"),
}
NO_WORK = {
    "notes.txt": b"call running_mean_loop",
    "notes.ipynb": as_notebook("x = 1").encode(),
    "report.pdf": b"%PDF",
    "report.docx": b"PK\x03\x04",
    "weights.pt": b"PK\x03\x04",
    "multi_head.py": b"from attention_layer import *\n",
    f"old/{NAME}.py": skeleton(NAME).encode(),
    "README.md": b"`running_mean_loop`",
    "copy.py": f'ME = "anna"\n{skeleton(NAME)}'.encode(),
    "test_mine.py": b"from running_averages import running_mean_loop\n",
}


def put(folder: Path, name: str, data: bytes) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


@pytest.fixture
def anna(tmp_path: Path) -> Path:
    """Return the folder of a student of a class, with a file as it was released."""
    put(tmp_path / "ben", f"{NAME}.py", WORK.encode())
    put(tmp_path / "anna", f"{NAME}.py", skeleton(NAME).encode())
    return tmp_path / "anna"


@pytest.mark.parametrize("name", HIDDEN)
def test_work_that_does_not_count_is_named(name: str, anna: Path) -> None:
    data, sentence = HIDDEN[name]
    put(anna, name, data)
    found, other = find(anna.parent, NAME)
    assert sentence in found.problem and name in found.problem
    assert not found.texts and not other.problem


@pytest.mark.parametrize("name", ["my.txt", "my.json", "lambda.txt", "work.7z", "work.tar.zst"])
def test_work_that_is_alone_is_named(name: str, tmp_path: Path) -> None:
    """In a class's folder, and for nbgrader."""
    data, sentence = HIDDEN[name]
    put(tmp_path / "class" / "ben", f"{NAME}.py", WORK.encode())
    for place in (tmp_path / "class" / "anna", tmp_path / "submitted" / "anna" / NAME):
        put(place, name, data)
    found, _ = find(tmp_path / "class", NAME)
    job = Folders(tmp_path / "submitted").job("anna", NAME)
    for problem in (found.problem, job.refused):
        assert sentence in problem and name in problem and "holds no submission" not in problem


@pytest.mark.parametrize("name", NO_WORK)
def test_what_is_no_work_is_no_reason(name: str, anna: Path) -> None:
    put(anna, name, NO_WORK[name])
    assert [one.problem for one in find(anna.parent, NAME)] == ["", ""]


@pytest.mark.parametrize("name", HIDDEN)
def test_nothing_is_refused_where_there_is_work(name: str, anna: Path) -> None:
    put(anna, f"{NAME}.py", WORK.encode())
    if "/" not in name:  # else it may be meant
        put(anna, name, HIDDEN[name][0])
    assert [one.problem for one in find(anna.parent, NAME)] == ["", ""]


ADDED = (  # by programs
    f".{NAME}.py",
    f".ipynb_checkpoints/{NAME}-checkpoint.py",
    f".git/{NAME}.py",
    f"__MACOSX/{NAME}.py",
    f"__pycache__/{NAME}.py",
    f"node_modules/{NAME}.py",
    f"old/site-packages/{NAME}.py",
    f"venv/{NAME}.py",
    f"$RECYCLE.BIN/{NAME}.py",
    "desktop.ini",
    "Thumbs.db",
)


@pytest.mark.parametrize("name", ADDED)
def test_what_programs_add_is_not_looked_into(name: str, tmp_path: Path) -> None:
    """In a folder, an archive and nbgrader: it is as if only the untouched file was there."""
    put(tmp_path / "class", "ben.py", WORK.encode())
    with zipfile.ZipFile(tmp_path / "class" / "cleo.zip", "w") as packed:
        for one, data in {f"{NAME}.py": skeleton(NAME).encode(), name: WORK.encode()}.items():
            put(tmp_path / "class" / "anna", one, data)
            put(tmp_path / "submitted" / "anna" / NAME, one, data)
            packed.writestr(one, data)
    assert [one.problem for one in find(tmp_path / "class", NAME)] == ["", "", ""]
    job = Folders(tmp_path / "submitted").job("anna", NAME)
    assert not job.refused and [*job.files] == [f"{NAME}.py"]


def test_the_guide_names_all_that_programs_add() -> None:
    [said] = re.findall(r"^Not looked into are (.*?)\. Work", GUIDE, re.MULTILINE | re.DOTALL)
    named = re.findall(r"`([^`]+)`", said)
    tops = {part for name in ADDED for part in name.split("/") if IGNORED.fullmatch(part)}
    assert {*named} == {top for top in tops if top not in (f".{NAME}.py", ".git")}
    for pattern in IGNORED.pattern.split("|"):
        assert any(re.fullmatch(pattern, name) for name in named), pattern


BODY = ('raise NotImplementedError("running_mean_loop is not written yet")', "return x")
RELEASED = {f"{NAME}.py": skeleton(NAME)}
TEXT = {"my.txt": WORK}
# What a student hands in, of which all that would count is without work: files by their names, and
# those in archives.
WITHOUT_WORK: dict[str, tuple[dict[str, str], dict[str, dict[str, str]]]] = {
    "another archive": ({}, {f"{NAME}.zip": RELEASED, "work.zip": {"my.py": WORK}}),
    "a longer name": ({}, {f"{NAME}.zip": RELEASED, f"{NAME}_final.zip": {f"{NAME}.py": WORK}}),
    "beside an archive": (TEXT, {f"{NAME}.zip": RELEASED}),
    "beside any archive": ({f"a/b/c/d/{NAME}.py": WORK}, {"kit.zip": RELEASED}),
    "another's archive": (RELEASED | TEXT, {"multi_head.zip": {"multi_head.py": "x = 1"}}),
    "another's folder": (RELEASED | TEXT | {"multi_head/multi_head.py": "x = 1"}, {}),
    "outside": ({f"{NAME}/{NAME}.py": skeleton(NAME)} | TEXT, {}),
    "inside": (RELEASED | {f"{NAME}/my.txt": WORK, "multi_head/x.py": "x = 1"}, {}),
    "a helper": ({"helpers.py": "x = 1\n"} | TEXT, {}),
    "tests": ({"test_it.py": f"import {NAME}\n"} | TEXT, {}),
    "a folder named so": (RELEASED | {f"my.py/{NAME}.py": WORK}, {}),
    "very deep": (RELEASED | {f"{'a/' * 12}{NAME}.py": WORK}, {}),
}


@pytest.mark.parametrize("case", WITHOUT_WORK)
def test_all_that_was_handed_in_is_looked_into(case: str, tmp_path: Path) -> None:
    """Whatever part of it counts, in a class's folder and at several paths, and for nbgrader."""
    files, archives = WITHOUT_WORK[case]
    put(tmp_path / "ben", f"{NAME}.py", WORK.encode())
    for name, text in files.items():
        put(tmp_path / "anna", name, text.encode())
    for name, inside in archives.items():
        (tmp_path / "anna").mkdir(exist_ok=True)
        with zipfile.ZipFile(tmp_path / "anna" / name, "w") as packed:
            for one, text in inside.items():
                packed.writestr(one, text)
    calls = [find(tmp_path, NAME), find_each([tmp_path / "anna", tmp_path / "ben"], NAME)]
    for anna, ben in calls:
        assert not anna.texts and not ben.problem
        assert re.search("(is as it was released|holds no work), and ", anna.problem)
    assert not any(one.texts for one in find(tmp_path / "anna", None) if one.assignment == NAME)
    (tmp_path / "submitted" / "anna").mkdir(parents=True)
    (tmp_path / "anna").rename(tmp_path / "submitted" / "anna" / NAME)
    job = Folders(tmp_path / "submitted").job("anna", NAME)
    assert job.refused or WORK.encode() in job.files.values()


UNWRITTEN: dict[str, str] = {  # files of the assignment's name that hold no work themselves
    "released": skeleton(NAME),
    "no cells": "# Only a comment",
    "mentioned": f"{skeleton(NAME)}# see my.py\nx = 1\n",
    "in prose": f'{skeleton(NAME)}"""from my notes"""\n',
    "no docstrings": re.sub('(?s)""".*?"""', "''", skeleton(NAME)),
    "no types": skeleton(NAME).replace(": Tensor", ""),
    "pass": re.sub("raise .*", "pass", skeleton(NAME)),
    "narrow": skeleton(NAME).replace("    ", "  "),
    "twice": (skeleton(NAME) * 2).replace("# %% tags", "# tags"),  # without cells of the kit
    "a name": f'ME = "anna"\n{skeleton(NAME)}\nprint(ME)\n',
    "one import": "import torch",
    "an import of the work": f"{skeleton(NAME)}import my\n",
    "only an import of the work": "import my\nmy.running_mean_loop(1)\n",
    "an import that is replaced": f"from my import *\n{skeleton(NAME)}",
    "an import of a part": "from my import running_mean_loop\n",
}


@pytest.mark.parametrize("ending", [".py", ".ipynb"])
@pytest.mark.parametrize("case", UNWRITTEN)
def test_the_only_file_with_work_counts(case: str, ending: str, tmp_path: Path) -> None:
    text = UNWRITTEN[case]
    place = tmp_path / "submitted" / "anna" / NAME
    put(place, f"{NAME}{ending}", (text if ending == ".py" else as_notebook(text)).encode())
    put(place, "my.py", WORK.encode())
    [found] = find(tmp_path / "submitted", NAME)
    assert (found.path, found.problem) == (place / "my.py", "")
    assert Folders(tmp_path / "submitted").job("anna", NAME).files == {f"{NAME}.py": WORK.encode()}
    (place / "my.py").rename(place / "my.txt")
    [found] = find(tmp_path / "submitted", NAME)
    assert "my.txt may hold the work." in found.problem


@pytest.mark.parametrize("ending", [".py", ".ipynb"])
def test_a_definition_that_replaces_the_work_is_named(ending: str, anna: Path) -> None:
    text = f"{WORK}\n{skeleton(NAME)}".replace("# %% tags", "# tags")  # without cells of the kit
    (anna / f"{NAME}.py").unlink()
    put(anna, f"{NAME}{ending}", (text if ending == ".py" else as_notebook(text)).encode())
    problem = find(anna.parent, NAME)[0].problem
    assert f"{NAME}{ending} defines running_mean_loop twice, and the later definition" in problem


STYLES: dict[str, str] = {
    "one of them": skeleton(NAME).replace(*BODY, 1),
    "at the end": f"{skeleton(NAME)}\n\ndef running_mean_loop(x):\n    return x\n",
    "assigned": f"{skeleton(NAME)}\nrunning_mean_loop = lambda x: x\n",
    "imported": skeleton(NAME) + "from old import *\n",
    "imported over lines": skeleton(NAME) + "from old import (\n    running_mean_loop,\n)\n",
    "run": skeleton(NAME) + "exec(open('old.py').read())\n",
}


@pytest.mark.parametrize("style", STYLES)
def test_work_in_any_style_is_graded_whatever_is_beside_it(style: str, anna: Path) -> None:
    put(anna, f"{NAME}.py", STYLES[style].encode())
    put(anna, "old.py", WORK.encode())
    assert [one.problem for one in find(anna.parent, NAME)] == ["", ""]


def test_other_assignments_are_no_reason(anna: Path) -> None:
    """Files of other assignments refuse nobody, even if they cannot be read."""
    put(anna, f"{NAME}/{NAME}.py", (anna / f"{NAME}.py").read_bytes())
    (anna / f"{NAME}.py").unlink()
    put(anna, "multi_head/multi_head.ipynb", b"{")
    put(anna, "multi_head/more.ipynb", b"{")
    put(anna, "multi_head/work.7z", b"7z")
    put(anna, "self_attention.zip", b"PK")
    put(anna, "self_attention.tar.bz2", b"BZh")
    put(anna, "multi_head.ipynb.crdownload", b"{")
    put(anna, "lib/__init__.py", b"")
    assert [one.problem for one in find(anna.parent, NAME)] == ["", ""]


def test_a_damaged_archive_beside_the_folder_of_an_assignment_is_named(tmp_path: Path) -> None:
    put(tmp_path / "anna" / NAME, f"{NAME}.py", skeleton(NAME).encode())
    put(tmp_path / "anna", "work.zip", b"PK")
    [found] = find(tmp_path, NAME)
    assert "work.zip" in found.problem


@pytest.mark.parametrize("kind", ["raw", "markdown", "tagged"])
def test_work_in_a_cell_that_is_not_graded_is_named(kind: str, anna: Path) -> None:
    cell = {"cell_type": "code" if kind == "tagged" else kind, "source": WORK, "metadata": {}}
    if kind == "tagged":
        cell["metadata"] = {"tags": ["active-ipynb"]}
    book = json.loads(as_notebook(skeleton(NAME)))
    book["cells"].append(cell)
    put(anna, f"{NAME}.ipynb", json.dumps(book).encode())
    (anna / f"{NAME}.py").unlink()
    problem = find(anna.parent, NAME)[0].problem
    assert f"and cell {len(book['cells'])} may hold the work, but is not graded" in problem


CHANGES = {
    "an attribute": "TestModule.forward = lambda self: print(1)",
    "setattr": "setattr(TestModule, 'forward', print)",
    "a decorator": "@add_to_class(TestModule)\ndef forward(self):\n    return 1",
    "from earlier": "from self_attention import TestModule",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_class_that_is_changed_afterwards_is_work(change: str, tmp_path: Path) -> None:
    name = "attention_layer"
    put(tmp_path / "anna", f"{name}.py", f"{skeleton(name)}\n{CHANGES[change]}\n".encode())
    put(tmp_path / "anna", "old.py", solution(name).encode())
    put(tmp_path, "ben.py", solution(name).encode())
    assert [one.problem for one in find(tmp_path, name)] == ["", ""]


def test_what_is_only_mentioned_is_not_imported(tmp_path: Path) -> None:
    """Of two that may be meant neither counts, although one says the other's name."""
    put(tmp_path / "anna", "v1.py", b"# the final version is elsewhere\n" + WORK.encode())
    put(tmp_path / "anna", "final.py", f"{WORK}x = 1\n".encode())
    put(tmp_path, "ben.py", WORK.encode())
    assert "holds several files (final.py, v1.py)" in find(tmp_path, NAME)[0].problem


@pytest.mark.parametrize("name", ["my.py", "my.zip", "work"])
def test_a_link_beside_an_untouched_file_is_named(name: str, anna: Path) -> None:
    (anna / name).symlink_to(anna.parent / "nowhere")
    assert f"{name} is a link" in find(anna.parent, NAME)[0].problem


def test_a_notebook_that_writes_its_module_counts(anna: Path) -> None:
    put(anna, "lab.ipynb", WRITES.encode())
    put(anna, "old.txt", WORK.encode())
    found = find(anna.parent, NAME)[0]
    assert not found.problem and found.path.name == "lab.ipynb"


@pytest.mark.parametrize("name", ["my.txt", "my.json", "work.7z"])
def test_a_file_of_another_kind_beside_a_students_own(name: str, tmp_path: Path) -> None:
    """In a class's folder with a file for each student, or in a download."""
    own, _, ending = name.partition(".")
    for start, beside in (("", ""), ("_12_34_running_averages", "_12_35_x")):
        folder = tmp_path / f"class{len(beside)}"
        put(folder, "ben.py", WORK.encode())
        put(folder, f"{own}{start}.py", skeleton(NAME).encode())
        put(folder, f"{own}{beside}.{ending}", HIDDEN[name][0])
        found = {one.name: one.problem for one in find(folder, NAME)}
        assert len(found) == 2 and not found.pop("ben")
        assert AS_RELEASED in "".join(found.values())


@pytest.mark.parametrize("beside", ["12_34_notes.ipynb", "12_34_running_averages.ipynb"])
def test_an_archive_in_a_download_is_opened(beside: str, tmp_path: Path) -> None:
    untouched = as_notebook(skeleton(NAME)) if NAME in beside else as_notebook("print(1)")
    put(tmp_path, f"anna_{beside}", untouched.encode())
    put(tmp_path, "ben_13_36_running_averages.py", WORK.encode())
    with zipfile.ZipFile(tmp_path / "anna_12_35_running_averages.zip", "w") as packed:
        packed.writestr(f"{NAME}.py", WORK)
    found = find(tmp_path, NAME)
    assert [one.problem for one in found] == ["", ""]
    assert found[0].path.parts[-2:] == ("anna_12_35_running_averages.zip", f"{NAME}.py")


@pytest.mark.parametrize("name", ["my.txt", "a/b/c/d/e/my.json", "work.7z", "my.py"])
@pytest.mark.parametrize("beside", [True, False])
def test_work_that_does_not_count_in_an_archive_is_named(
    name: str, beside: bool, anna: Path
) -> None:
    """In one beside an untouched file, or that holds an untouched file."""
    data, sentence = HIDDEN.get(name, HIDDEN["my.json"])
    with zipfile.ZipFile(anna / "work.zip", "w") as packed:
        packed.writestr(f"more/{name}", data)
        packed.writestr("more/README.md", "`running_mean_loop`")
        if not beside:
            packed.writestr(f"{NAME}.py", skeleton(NAME))
    if not beside:
        (anna / f"{NAME}.py").unlink()
    problem = find(anna.parent, NAME)[0].problem
    assert AS_RELEASED in problem and sentence in problem and f"work.zip/more/{name}" in problem


@pytest.mark.parametrize("inner", ["damaged", "two levels", "too many"])
def test_an_archive_that_is_not_opened_is_named(inner: str, anna: Path) -> None:
    """Whether it is damaged, in an archive in an archive, or one of many."""
    names = [f"{i}.zip" for i in range(20 if inner == "too many" else 1)]
    with zipfile.ZipFile(anna / "work.zip", "w") as packed:
        packed.writestr("notes.py", "x = 1\n")
        for name in names:
            packed.writestr(name, zipped(zipped(b"PK")) if inner == "two levels" else b"PK")
    problem = find(anna.parent, NAME)[0].problem
    assert AS_RELEASED in problem and ".zip is not opened. Hand in what is in it." in problem


@pytest.mark.parametrize("inner", ["inner.zip", f"in/{NAME}.txt", f"{NAME}.ipynb", "my.py"])
def test_what_is_in_an_archive_in_an_archive_is_named_with_both(inner: str, anna: Path) -> None:
    """Without the ending of one of them, it is no path that a student could find."""
    data = {"my.py": b"# \xe9\n" + WORK.encode(), f"in/{NAME}.txt": WORK.encode()}
    put(anna, "hw.zip", zipped(zipped(data.get(inner, b"PK"), inner), "hw/all.zip"))
    assert f"{anna}/hw.zip/hw/all.zip/{inner} " in find(anna.parent, NAME)[0].problem


def zipped(data: bytes, name: str = "inner.zip") -> bytes:
    """Return an archive that holds an archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        packed.writestr(name, data)
    return made.getvalue()


@pytest.mark.parametrize("name", ["{}.txt", "{}.zip"])
def test_too_many_files_beside_an_untouched_one_are_not_passed_over(name: str, anna: Path) -> None:
    with zipfile.ZipFile(anna / name.format(0), "w") as packed:
        packed.writestr("notes.txt", "x")
    for i in range(1, 11 if name == "{}.zip" else 1001):
        put(anna, name.format(i), (anna / name.format(0)).read_bytes())
    assert "holds more than is looked into" in find(anna.parent, NAME)[0].problem


@pytest.mark.parametrize("data", [b"\xff", b"{"])
@pytest.mark.parametrize("name", ["multi_head.py", "multi_head.ipynb", "__init__.py"])
@pytest.mark.parametrize("made", ["canvas_1_10{}_{}", "Anna B_1{}_assignsubmission_file_{}"])
def test_a_downloaded_file_is_judged_by_the_name_that_its_student_gave_it(
    made: str, name: str, data: bytes, tmp_path: Path
) -> None:
    """A downloaded file of another assignment, or __init__.py, is no reason to refuse."""
    number = "{}" if made.startswith("canvas") else "2"
    for count, (one, text) in enumerate([(f"{NAME}.py", skeleton(NAME).encode()), (name, data)]):
        put(tmp_path, made.format(number.format(count), one), text)
    [found] = find(tmp_path, NAME)
    assert not found.problem
    put(tmp_path, made.format(number.format(2), "mine.ipynb"), b"{")
    [found] = find(tmp_path, NAME)
    assert "mine.ipynb cannot be read as a notebook" in found.problem


def test_a_line_break_in_a_downloaded_name_makes_no_second_student(tmp_path: Path) -> None:
    for made in ("anna_1_{}_{}", "Ben C_1{}_assignsubmission_file_{}"):
        number = 2 if "Ben" in made else 23
        put(tmp_path, made.format(number, f"{NAME}.py"), WORK.encode())
        put(tmp_path, made.format(number, "x\n.py"), b"x = 1\n")
    rows = [(one.name, one.problem) for one in find(tmp_path, NAME)]
    assert sorted(rows) == [("Ben C_12", ""), ("anna_1", "")]
