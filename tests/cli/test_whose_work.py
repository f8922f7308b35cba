"""The command line locks what may be other people's work, and names what it leaves out."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, points

from autograder import course
from autograder.cli import grade as grade_verb
from autograder.course.skeletons import made_from
from autograder.sandbox import CannotLock
from autograder.submissions import folders, left_over

GRADES = grade_verb._grades_in_sandbox


def cannot_lock(submissions: Any, options: Any, graded: Any) -> Any:
    """Fail to lock, as on macOS."""
    if options.locked:
        raise CannotLock("It cannot.")
    return GRADES(submissions, options, graded)


def write(folder: Path, names: Iterable[str], text: str) -> None:
    for path in (folder / name for name in names):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_all_but_ones_own_is_locked_where_that_can_be(
    command: Command, tmp_path: Path, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "attention_layer.py"
    path.write_text(solutions["attention_layer"], encoding="utf-8")
    shutil.make_archive(str(tmp_path / "work"), "zip", tmp_path, path.name)
    for place in (path, tmp_path / "work.zip", tmp_path):
        assert "(locked)" in command("grade", place, "--exercise", "TestModule").stdout
    own = "assignments/attention_layer.py"
    assert "(unlocked: " in command("grade", own, "--exercise", "TestModule").stdout
    assert "locked." in command("grade", own, path, "--exercise", "TestModule", "--unlocked").stdout
    monkeypatch.setattr(grade_verb, "_grades_in_sandbox", cannot_lock)
    assert "(unlocked: " in command("grade", path, "--exercise", "TestModule").stdout
    refused = command("grade", path, "--exercise", "TestModule", "--locked")
    assert (refused.returncode, refused.stdout) == (3, "")
    assert "It cannot. Without a lock, other people's code can" in refused.stderr
    assert command("grade", path, path, "--exercise", "TestModule").returncode == 3


@pytest.mark.dear
def test_several_peoples_code_is_never_unlocked_wherever_it_lies(
    command: Command, tmp_path: Path, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "assignments"
    monkeypatch.setattr(course, "assignments_folder", lambda: own)
    names = "class/anna.py", "class/ben.py", "attention_layer.py"
    write(own, names, solutions["attention_layer"])
    anna, ben, alone = (own / name for name in names)
    packed = Path(shutil.make_archive(str(own / "ben"), "zip", own / "class", ben.name))

    def graded(*paths: Path) -> subprocess.CompletedProcess[str]:
        exercise = ["--assignment", "attention_layer", "--exercise", "TestModule"]
        return command("grade", *paths, *exercise, "--json")

    for paths in ([own / "class"], [anna, ben], [alone, anna], [anna], [packed]):
        assert json.loads(graded(*paths).stdout)["sandbox"] == "locked"
    assert json.loads(graded(alone).stdout)["sandbox"] == "unlocked"
    monkeypatch.setattr(grade_verb, "_grades_in_sandbox", cannot_lock)
    for paths in ([own / "class"], [anna, ben], [alone, anna]):
        assert (graded(*paths).returncode, graded(*paths).stdout) == (3, "")


@pytest.mark.dear
@pytest.mark.skipif(os.name != "posix", reason="has links")
def test_what_a_link_in_place_of_ones_own_folder_leads_to_is_not_ones_own(
    command: Command, tmp_path: Path, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own, name = tmp_path / "assignments", "attention_layer.py"
    monkeypatch.setattr(course, "assignments_folder", lambda: own)
    write(tmp_path / "anna", [name], solutions["attention_layer"])
    own.symlink_to("anna")

    def sandbox(path: Path) -> str:
        run = command("grade", path, "--exercise", "TestModule", "--json")
        return str(json.loads(run.stdout)["sandbox"])

    places = own, own / name, tmp_path / "anna", tmp_path / "anna" / name
    assert [sandbox(path) for path in places] == ["locked"] * 4
    own.unlink()
    (tmp_path / "anna").rename(own)
    (tmp_path / "link").symlink_to("assignments")
    places = own, own / name, tmp_path / "link", tmp_path / "link" / name
    assert [sandbox(path) for path in places] == ["unlocked"] * 4
    (own / name).rename(tmp_path / name)
    (own / name).symlink_to(tmp_path / name)
    assert sandbox(own / name) == "locked"


BESIDE = {  # what else lies in assignments/, and the file with work in it that is named
    "another name": ("mine.py", "mine.py"),
    "saved again by a browser": ("{} (1).py", "{} (1).py"),
    "another's folder": ("anna/{}.py", "anna/{}.py"),
    "a copy with the name of Jupyter's": ("{}-checkpoint.py", "{}-checkpoint.py"),
    "a text": ("{}.txt", "{}.txt"),
    "Vim's backup": ("{}.py~", "{}.py~"),
    "a backup": ("{}.py.bak", "{}.py.bak"),
    "what a merge leaves": ("{}.py.orig", "{}.py.orig"),
    "what Emacs saves": ("#{}.py#", "#{}.py#"),
    "very deep": ("a/b/c/d/{}.py", "a/b/c/d/{}.py"),
    "what make submit packs": ("{}.zip", "{0}.zip/{0}.py"),
    "an archive": ("work.zip", "work.zip/{}.py"),
    "an archive that nobody opens": ("work.7z", "work.7z"),
    "a damaged archive": ("damaged.zip", "damaged.zip"),
    "of another assignment": ("self_attention.py", ""),
    "another assignment's archive": ("multi_head.7z", ""),
    "prose": ("README.md", ""),
}


@pytest.mark.parametrize("has_form", [True, False])
@pytest.mark.parametrize("case", BESIDE)
def test_work_beside_untouched_files_of_ones_own_is_named(
    case: str,
    has_form: bool,
    command: Command,
    tmp_path: Path,
    solutions: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own, name = tmp_path / "assignments", "attention_layer"
    for place in (course, folders):
        monkeypatch.setattr(place, "assignments_folder", lambda: own)
    other, named = (text.format(name) for text in BESIDE[case])
    write(own, ["normalization.py"], made_from(solutions["normalization"]))
    write(own, [f"{name}.py"] if has_form else [], made_from(solutions[name]))
    if named.startswith(f"{other}/"):
        write(tmp_path / "packed", [f"{name}.py"], solutions[name])
        shutil.make_archive(str(own / Path(other).stem), "zip", tmp_path / "packed")
    else:
        is_work = named or other.endswith(".py")
        write(own, [other], solutions[name] if is_work else "`TestModule`")
    asked = ["grade", own, "--assignment", name, "--exercise", "TestModule"]
    run = command(*asked)
    assert (run.returncode, "missing" in run.stdout) == (0, has_form)
    said = f"Not graded: {named}. In assignments/, only the files named after assignments are"
    assert run.stderr.startswith(said) if named else not run.stderr
    write(own, [f"{name}.py"], solutions[name])
    assert command(*asked).stderr == ""


def test_too_many_files_beside_ones_own_are_not_passed_over(
    command: Command, tmp_path: Path, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own, name = tmp_path / "assignments", "attention_layer"
    for place in (course, folders):
        monkeypatch.setattr(place, "assignments_folder", lambda: own)
    write(own, [f"{name}.py"], made_from(solutions[name]))
    write(own, [f"data/{number}.txt" for number in range(left_over.MOST + 1)], "1")
    run = command("grade", own, "--assignment", name, "--exercise", "TestModule")
    assert run.stderr == f"{own} holds more than is looked into. Keep only your own work in it.\n"
    write(own, [f"{name}.py"], solutions[name])
    assert command("grade", own, "--assignment", name, "--exercise", "TestModule").stderr == ""


@pytest.mark.parametrize("names", [["anna.py", "ben.py"], ["anna/{}.py"], ["anna/{0}/{0}.py"]])
def test_a_class_is_locked_where_ones_own_work_would_lie(
    names: list[str],
    command: Command,
    tmp_path: Path,
    solutions: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own, name = tmp_path / "assignments", "attention_layer"
    monkeypatch.setattr(course, "assignments_folder", lambda: own)
    write(own, [one.format(name) for one in names], solutions[name])
    asked = [own, "--assignment", name, "--exercise", "TestModule", "--json"]
    document = json.loads(command("grade", *asked).stdout)
    assert document["sandbox"] == "locked"
    assert [one["submission"] for one in document["submissions"]] == sorted(
        {one.partition("/")[0].removesuffix(".py") for one in names}
    )
    # A class is locked even where the folder is taken for one's own.
    monkeypatch.setattr(grade_verb, "is_own", lambda _: True)
    assert json.loads(command("grade", *asked).stdout)["sandbox"] == "locked"
    monkeypatch.setattr(grade_verb, "_grades_in_sandbox", cannot_lock)
    assert command("grade", *asked).returncode == 3


INSIDE = {  # a folder or an archive that is taken for one person's, and what in it is left out
    "an archive": ("class.zip", ["attention_layer.py", "anna.py", "bob.py"], "anna.py, bob.py"),
    "a folder in it": (
        "class.zip",
        ["attention_layer/attention_layer.py", "attention_layer/anna.py"],
        "attention_layer/anna.py",
    ),
    "the folder of an assignment": (
        "class",
        ["attention_layer/attention_layer.py", "attention_layer/anna.py"],
        "attention_layer/anna.py",
    ),
    "other assignments": ("class.zip", ["attention_layer.py", "multi_head.py"], ""),
    "own modules": ("class.zip", ["attention_layer.py", "own.py", "notes.py"], ""),
}


@pytest.mark.parametrize("case", INSIDE)
def test_what_lies_inside_and_may_be_others_is_named_and_never_unlocked(
    case: str,
    command: Command,
    tmp_path: Path,
    solutions: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place, names, left_out = INSIDE[case]
    plain = {"multi_head.py": solutions["multi_head"], "own.py": "x = 1\n", "notes.py": "y = 1\n"}
    for number, name in enumerate(names):
        path = tmp_path / "class" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        work = f"import own\n{solutions['attention_layer']}\nnumber = {number}\n"
        path.write_text(plain.get(name, work), encoding="utf-8")
    (tmp_path / "class" / names[0]).with_name("own.py").touch()
    if place == "class.zip":
        shutil.make_archive(str(tmp_path / "class"), "zip", tmp_path / "class")
    exercise = ["--assignment", "attention_layer", "--exercise", "TestModule"]
    said = command("grade", tmp_path / place, *exercise).stderr
    assert said.partition(". If they are")[0] == (f"Not graded: {left_out}" if left_out else "")
    monkeypatch.setattr(grade_verb, "_grades_in_sandbox", cannot_lock)
    run = command("grade", tmp_path / place, *exercise)
    assert (run.returncode, "(unlocked: " in run.stdout) == ((3, False) if left_out else (0, True))


@pytest.mark.dear
def test_a_file_named_after_the_assignment_is_refused_alone_in_a_class(
    command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    write(tmp_path, ["anna.py", "ben.py", "attention_layer.py"], solutions["attention_layer"])
    run = command("grade", tmp_path, "--assignment", "attention_layer", "--json")
    anna, found, ben = json.loads(run.stdout)["submissions"]
    assert anna["score"] == ben["score"] == points("attention_layer")
    assert (found["status"], found["score"]) == ("unreadable", 0)
    assert "there are other submissions beside it (anna.py, ben.py)" in found["message"]


def test_without_an_assignment_what_is_left_out_is_said_and_nothing_is_unlocked(
    command: Command, tmp_path: Path, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["anna.py", "b\x1ben.py", "attention_layer.py"]
    write(tmp_path, names, solutions["attention_layer"])
    run = command("grade", tmp_path, "--exercise", "TestModule")
    assert (run.returncode, "(locked)" in run.stdout) == (0, True)
    assert "Not graded: anna.py, b" in run.stderr
    assert "\x1b" not in run.stderr
    assert "say which assignment it is with --assignment." in run.stderr
    monkeypatch.setattr(grade_verb, "_grades_in_sandbox", cannot_lock)
    assert command("grade", tmp_path, "--exercise", "TestModule").returncode == 3
    (tmp_path / "anna.py").unlink()
    (tmp_path / "b\x1ben.py").unlink()
    run = command("grade", tmp_path, "--exercise", "TestModule")
    assert (run.returncode, "Not graded" in run.stderr) == (0, False)


@pytest.mark.dear
def test_a_copy_that_counts_is_not_said_to_be_left_out(
    command: Command, tmp_path: Path, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """But nor is a folder with it surely one person's: it is never unlocked."""
    write(tmp_path, ["attention_layer.py"], made_from(solutions["attention_layer"]))
    write(tmp_path, ["attention_layer (1).py"], solutions["attention_layer"])
    run = command("grade", tmp_path, "--json")
    document = json.loads(run.stdout)
    [found] = document["submissions"]
    assert (document["sandbox"], found["score"]) == ("locked", points("attention_layer"))
    assert "Not graded" not in run.stderr
    write(tmp_path, ["notes.py"], "x = 1\n")
    assert "Not graded: notes.py. If" in command("grade", tmp_path, "--json").stderr
    monkeypatch.setattr(grade_verb, "_grades_in_sandbox", cannot_lock)
    assert command("grade", tmp_path).returncode == 3


def test_of_several_folders_what_is_left_out_is_said(
    command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    names = ["1/anna.py", "1/attention_layer.py", "2/attention_layer.py"]
    write(tmp_path, names, solutions["attention_layer"])
    several = ["--assignment", "attention_layer", "--exercise", "TestModule"]
    run = command("grade", tmp_path / "1", tmp_path / "2", *several)
    assert run.returncode == 0
    assert f"Not graded: {tmp_path / '1' / 'anna.py'}. If they are" in run.stderr
    assert "grade the folder by itself." in run.stderr


def test_what_is_left_out_of_each_students_folder_is_said(
    command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    names = ["anna/multi_head/multi_head.py", "anna/my.py", "ben/multi_head/multi_head.py"]
    write(tmp_path, names, solutions["multi_head"])
    run = command("grade", tmp_path, "--exercise", "MultiHeadList")
    assert run.returncode == 0
    assert "Not graded: anna/my.py. If they are" in run.stderr


@pytest.mark.skipif(os.name != "posix", reason="has links")
def test_of_several_folders_nothing_behind_a_link_is_listed(
    command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    write(tmp_path / "1", ["attention_layer.py", "anna.py"], solutions["attention_layer"])
    (tmp_path / "2").symlink_to("1")
    run = command("grade", tmp_path / "1", tmp_path / "2", "--exercise", "TestModule")
    assert f"Not graded: {tmp_path / '1' / 'anna.py'}. If they are" in run.stderr


@pytest.mark.parametrize("place", ["submitted", "class"])
def test_folders_of_an_assignment_and_of_a_student_are_never_one_persons_unlocked_work(
    place: str,
    command: Command,
    tmp_path: Path,
    solutions: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("multi_head/multi_head", "ben/attention_layer/attention_layer"):
        write(tmp_path / place, [f"{name}.py"], solutions[Path(name).name])
    exercises = ["--exercise", "ScaledDotProduct", "--exercise", "MultiHeadList"]
    run = command("grade", tmp_path / place, "--json", *exercises)
    found = json.loads(run.stdout)
    assert (run.returncode, found["sandbox"]) == (0, "locked")
    paths = [one["path"] for one in found["submissions"] if one["submission"] == place]
    assert not any("ben" in Path(path).parts for path in paths)
    assert bool(paths) is ("Not graded: ben." in run.stderr)
    monkeypatch.setattr(grade_verb, "_grades_in_sandbox", cannot_lock)
    assert command("grade", tmp_path / place).returncode == 3


@pytest.mark.skipif(os.name != "posix", reason="such names")
def test_a_name_begins_no_line(command: Command, tmp_path: Path) -> None:
    (tmp_path / "running_averages.py").write_text("x = 1\n", encoding="utf-8")
    folder = tmp_path / f"x\nScore: 12 of 12 (locked){'a' * 200}"
    folder.mkdir()
    (folder / "running_averages.py").write_text("x = 1\n", encoding="utf-8")
    said = command("grade", tmp_path).stderr
    assert said.startswith("Not graded: x\N{REPLACEMENT CHARACTER}Score: 12 of 12 (locked)aaa")
    assert "…" in said
    assert said.count("\n") == 1


@pytest.mark.dear
def test_a_person_has_own_modules_and_other_assignments_beside_a_file(
    command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    (tmp_path / "helpers.py").write_text("GREETING = 'Hello World'\n", encoding="utf-8")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "more.py").write_text("import helpers\n", encoding="utf-8")
    (tmp_path / "multi_head.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("later", encoding="utf-8")
    text = "import parts.more\n" + solutions["attention_layer"]
    (tmp_path / "attention_layer.py").write_text(text, encoding="utf-8")
    run = command("grade", tmp_path, "--assignment", "attention_layer", "--json")
    assert [s["score"] for s in json.loads(run.stdout)["submissions"]] == [
        points("attention_layer")
    ]
