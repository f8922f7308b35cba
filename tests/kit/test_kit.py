"""Tests of the students' kit: it needs nothing else, grades like the course, leaks no answer."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import contents, run_in, sampled, written
from damaged_data import put_damaged
from given_away import leaks, needles

from autograder.audit.corpus import cases
from autograder.checking.collect import Checks
from autograder.course import assignments, exercises, root
from autograder.course.misconceptions import misconceptions
from autograder.kit import build as release
from autograder.kit.recording import Recorded
from autograder.runtime import wire
from autograder.submissions.source_text import FORMS

Texts = dict[str, str]
Given = tuple[Path, list[dict[str, Any]]]
OF_EACH = 5  # mistakes of an assignment that are graded in both copies


def graded(folder: Path, *paths: str | Path) -> list[dict[str, Any]]:
    """Return the grades that the copy of the course in a folder gives to submissions."""
    run = run_in(folder, "-m", "autograder", "grade", *paths, "--json")
    assert run.returncode == 0, run.stderr
    found: list[dict[str, Any]] = json.loads(run.stdout)["submissions"]
    return found


@pytest.fixture(scope="module")
def first_grades(built_kit: Path, tmp_path_factory: pytest.TempPathFactory) -> Given:
    """Return a copy and its grades of its own assignments and of a module that reports its path."""
    kit = shutil.copytree(built_kit, tmp_path_factory.mktemp("given") / "kit")
    asking = kit / f"{assignments()[0]}.py"
    asking.write_text("import sys\nraise RuntimeError(sys._getframe(1).f_code.co_filename)\n")
    return kit, graded(kit, "assignments", asking.name, "--unlocked")


@pytest.mark.dear
def test_it_runs_its_own_code(first_grades: Given) -> None:
    """The grader and the process with the student's code import the kit, not this project."""
    kit, [*_, grade] = first_grades
    run = run_in(kit, "-c", "import autograder; print(autograder.__file__)")
    assert run.stdout == f"{kit / 'autograder' / '__init__.py'}\n"
    assert f"RuntimeError: {kit / 'autograder' / 'runtime'}" in grade["message"]


@pytest.mark.dear
def test_the_original_assignments_are_graded_as_missing(
    first_grades: Given, checks: Checks
) -> None:
    _, [*grades, _] = first_grades
    assert [grade["assignment"] for grade in grades] == list(assignments())
    for grade in grades:
        assert (grade["status"], grade["message"], grade["score"]) == ("graded", "", 0)
        exercises = [e.name for e in checks.exercises(grade["assignment"])]
        assert [e["name"] for e in grade["exercises"]] == exercises
        assert {e["status"] for e in grade["exercises"]} == {"missing"}


@pytest.mark.dear
def test_right_work_gets_all_visible_points(kit: Path, checks: Checks, solutions: Texts) -> None:
    for name in assignments():
        path = kit / "assignments" / f"{name}.py"
        path.write_text(written(solutions[name]), encoding="utf-8")
    run = run_in(kit, "-m", "autograder", "grade", "assignments", "--strict")
    points = sum(c.check.points for c in checks.collected if c.visible)
    score = r" Score: (\d+)/\1, (\d+)/\2 optional for visible checks "
    how = r"\(unlocked: with your own rights\) Everything passes\."
    found = re.search(score + how, " ".join(run.stdout.split()))
    assert found and int(found[1]) + int(found[2]) == points
    assert run.returncode == 0


@pytest.mark.dear
def test_a_deleted_file_is_reported(kit: Path) -> None:
    """Its points still count in the kit's own folder, but not in a submission."""
    gone = assignments()[0]
    before = graded(kit, "assignments")
    for suffix in FORMS:
        (kit / "assignments" / f"{gone}{suffix}").unlink()
    first, *others = graded(kit, "assignments")
    assert (first["assignment"], first["status"]) == (gone, "unreadable")
    assert first["message"] == (
        f"assignments has neither {gone}.py nor {gone}.ipynb any more. Bring one back from your "
        "copy of the kit."
    )
    assert first["max_score"] == before[0]["max_score"] > 0
    assert [grade["assignment"] for grade in others] == list(assignments()[1:])
    handed_in = shutil.copytree(kit / "assignments", kit / "elsewhere")
    assert [g["assignment"] for g in graded(kit, handed_in)] == list(assignments()[1:])


@pytest.mark.dear
def test_it_gives_the_same_points_as_the_course(
    full_kit: Path, tmp_path: Path, checks: Checks, solutions: Texts
) -> None:
    """Compare the points of each visible check, on references and mistakes of all assignments."""
    submissions = {}
    for name in assignments():
        submissions[f"{name}-right"] = name, solutions[name]
        mistakes = misconceptions(name)
        few = mistakes[:: math.ceil(len(mistakes) / OF_EACH)]
        few += [m for m in mistakes if m.mistake.endswith("another layout of the weights")][:2]
        for mistake in few:
            submissions[f"{name}-{mistake.exercise}-{mistake.id}"] = (
                name,
                mistake.source(solutions[name]),
            )
    assert len(submissions) >= 30 + len(assignments())
    for label, (name, text) in submissions.items():
        (tmp_path / label).mkdir()
        for other, right in (solutions | {name: text}).items():
            (tmp_path / label / f"{other}.py").write_text(right, encoding="utf-8")
    paths = [tmp_path / label / f"{name}.py" for label, (name, _) in submissions.items()]
    theirs, ours = graded(full_kit, *paths), graded(root(), *paths)
    full = {
        label for label, g in zip(submissions, theirs, strict=True) if g["score"] == g["max_score"]
    }
    assert {label for label in submissions if label.endswith("-right")} <= full
    assert len(submissions) - len(full) >= 20  # some mistakes are seen by hidden checks only
    assert [points(grade) for grade in theirs] == [points(grade) for grade in ours]
    pairs = [(named(grade), named(other)) for grade, other in zip(ours, theirs, strict=True)]
    known = [pair for pair in pairs if pair[0]]
    assert len(known) >= 20
    assert all(not kit or here <= kit for here, kit in known)  # with fewer checks more may fit
    assert sum(bool(kit) for _, kit in known) >= 0.8 * len(known)
    names = {name for grade in theirs for name in points(grade)}
    assert len(names) == sum(c.visible for c in checks.collected)
    outcomes = {c["status"] for g in theirs for e in g["exercises"] for c in e["checks"]}
    assert outcomes <= {"passed", "failed", "missing", "blocked"}


@pytest.mark.dear
def test_a_mistake_costs_no_more_points_than_in_the_course(
    built_kit: Path, tmp_path: Path, checks: Checks, solutions: Texts
) -> None:
    """Substitutes find what the reference was asked recorded, also while a model is trained."""
    needed = {one.name for home in assignments() for e in checks.exercises(home) for one in e.needs}
    wrong = {m.exercise: (name, m) for name in assignments() for m in misconceptions(name)}
    for exercise in needed:
        name, mistake = wrong[exercise]
        (tmp_path / exercise).mkdir()
        for other, right in (solutions | {name: mistake.source(solutions[name])}).items():
            (tmp_path / exercise / f"{other}.py").write_text(right, encoding="utf-8")
    paths = [tmp_path / exercise for exercise in sorted(needed)]
    theirs, ours = graded(built_kit, *paths), graded(root(), *paths)
    lost = {
        (grade["path"], *check): (there, here[check])
        for grade, other in zip(theirs, ours, strict=True)
        for here in [points(other)]
        for check, there in points(grade).items()
        if there < here[check]
    }
    assert lost == {}


@pytest.mark.dear
def test_a_mistake_that_only_a_hidden_check_tells_from_another_has_its_phrase(
    full_kit: Path, tmp_path: Path, solutions: Texts
) -> None:
    [mistake] = [m for m in misconceptions("normalization") if m.id == "batch_stats_in_eval"]
    path = tmp_path / "normalization.py"
    path.write_text(mistake.source(solutions["normalization"]), encoding="utf-8")
    run = run_in(full_kit, "-m", "autograder", "grade", path, "--exercise", mistake.exercise)
    assert f"Probably: {mistake.mistake}." in " ".join(run.stdout.split())


def named(grade: dict[str, Any]) -> set[str]:
    """Return the misconceptions that a grade names."""
    return {f"{e['name']} {m}" for e in grade["exercises"] for m in e["misconceptions"]}


def points(grade: dict[str, Any]) -> dict[tuple[str, str], float]:
    """Return the points of each visible check by exercise and name."""
    return {
        (exercise["name"], check["name"]): check["points"]
        for exercise in grade["exercises"]
        for check in exercise["checks"]
        if check["visible"]
    }


# Files and texts that must not be in it


@pytest.mark.parametrize("kind", ["reference", "hidden check", "mistake", "secret"])
def test_nothing_is_given_away(kind: str, built_kit: Path) -> None:
    assert len(needles(kind)) >= (1 if kind == "secret" else 40)
    assert leaks(built_kit, needles(kind)) == []


@pytest.mark.dear
def test_nothing_of_any_mistake_is_given_away(full_kit: Path) -> None:
    kinds = ("reference", "hidden check", "mistake", "secret")
    assert leaks(full_kit, {line for kind in kinds for line in needles(kind)}) == []


GRADING = """
import json, pathlib, sys
from autograder.checking.collect import collect
from autograder.grading.grader import Grader
from autograder.sandbox import Limits, open_sandbox
from autograder.submissions.finding import Submission

solutions, assignment, exercise, given = json.loads(pathlib.Path(sys.argv[1]).read_text())
errors = []
with open_sandbox(Limits()) as sandbox:
    grader = Grader(collect(), sandbox, frozenset([exercise]))
    for name, text in given.items():
        texts = {**solutions, assignment: text}
        submission = Submission("", pathlib.Path(f"{assignment}.py"), assignment, texts)
        [graded] = grader.grade(submission).exercises
        errors += [name] if graded.outcome == "error" else []
print(json.dumps(errors))
"""


@pytest.mark.dear
@pytest.mark.parametrize("exercise", sampled(sorted(exercises())))
def test_the_recording_answers_what_checks_ask_of_any_work(
    exercise: str, full_kit: Path, tmp_path: Path, checks: Checks, solutions: Texts
) -> None:
    """A check may ask the reference something else where work is wrong in a way of its own."""
    home = checks.homes()[exercise]
    given = {case.name: case.text for case in cases(home, exercise)}
    asked = tmp_path / "asked.json"
    asked.write_text(json.dumps([solutions, home, exercise, given]))
    run = run_in(full_kit, "-c", GRADING, asked)
    assert (run.returncode, run.stdout) == (0, "[]\n"), run.stderr


def in_text(path: Path, line: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"# {line}\n")


def in_notebook(path: Path, line: str) -> None:
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(f"x = 1\n    {line}", id="planted"))
    nbformat.write(notebook, path)


def in_recording(path: Path, line: str) -> None:
    path.write_bytes(wire.encode([*wire.decode(path.read_bytes()), ["00", {"note": line}, ""]]))


PLANTED: dict[str, Callable[[Path, str], None]] = {
    "README.md": in_text,
    "assignments/attention_layer.py": in_text,
    "autograder/recorded/checks/test_attention_layer.py": in_text,
    "autograder/recorded/attention_layer.ipynb": in_notebook,
    "autograder/recorded/attention_layer.replies": in_recording,
}


@pytest.mark.dear
@pytest.mark.parametrize("kind", ["reference", "hidden check", "mistake", "secret"])
def test_the_search_finds_what_is_given_away(kind: str, kit: Path) -> None:
    """Prefer a line with quotation marks, which JSON writes differently."""
    line = max(needles(kind), key=lambda line: ('"' in line, line))
    for name, plant in PLANTED.items():
        plant(kit / name, line)
    assert {name for name, _ in leaks(kit, {line})} == set(PLANTED)


OF_INSTRUCTORS = (
    "INSTRUCTORS.md",
    "audit",
    "classroom",
    "course/secret_file.py",
    "diagnosis/live",
    "downloads",
    "kit/build.py",
    "kit/recording.py",
    "nbgrader",
)


def test_no_file_is_the_instructors(built_kit: Path) -> None:
    for name in OF_INSTRUCTORS:
        assert (root() / "autograder" / name).exists(), name
        assert not (built_kit / "autograder" / name).exists(), name
    names = [Path(name) for name in contents(built_kit)]
    tops = {"README.md", "LICENSE", "Makefile", "pyproject.toml", ".gitignore"}
    assert {path.parts[0] for path in names} == tops | {"assignments", "autograder", "tests"}


# Other commands for students


@pytest.mark.dear
def test_its_own_tests_pass(kit: Path) -> None:
    run = run_in(kit, "-m", "pytest", "-q", "-p", "no:xdist")
    assert run.returncode == 0, run.stdout
    assert re.search(r"^\d+ passed in", run.stdout, re.MULTILINE)


UV = """#!/bin/sh
# It makes an environment of the packages that the tests themselves have.
test "$1" = venv || exit 0
for folder; do :; done
mkdir -p "$folder/bin"
printf '#!/bin/sh\\nexec "%s" "$@"\\n' "$PYTHON" > "$folder/bin/python"
chmod +x "$folder/bin/python"
"""


@pytest.mark.dear
def test_a_fresh_copy_sets_itself_up(kit: Path, tmp_path: Path) -> None:
    """Nothing is downloaded: a script takes the place of uv."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "uv").write_text(UV, encoding="utf-8")
    (tools / "uv").chmod(0o755)
    own = {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "PYTHON": sys.executable}
    run = subprocess.run(
        ["make", "grade", "EX=running_mean_loop"],
        cwd=kit,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
    )
    assert (kit / ".venv/.ready").is_file(), run.stderr
    assert "running_mean_loop" in run.stdout, run.stderr


def test_its_makefile_is_for_students(kit: Path) -> None:
    run = subprocess.run(["make"], cwd=kit, capture_output=True, text=True, check=True)
    listed = re.findall(r"^  make (\w+) +\S", run.stdout, re.MULTILINE)
    assert listed == [
        "help",
        "setup",
        "grade",
        "watch",
        "next",
        "lab",
        "run",
        "submit",
        "update",
        "doctor",
        "test",
    ]
    text = (kit / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([\w$(){}.]+):(?!=)", text, re.MULTILINE)
    assert [name for name in targets if name.isalpha()] == listed
    assert "nstructor" not in text


@pytest.mark.parametrize(
    "verb", ["assignments", "release", "intake", "nbgrader", "exercise", "mistake", "audit"]
)
def test_it_has_no_verbs_for_instructors(verb: str, kit: Path) -> None:
    run = run_in(kit, "-m", "autograder", verb)
    assert run.returncode == 4
    assert f"invalid choice: '{verb}'" in run.stderr


# Damaged files


@pytest.mark.dear
@pytest.mark.parametrize("ending", sampled(["replies", "traces"]))
def test_a_damaged_recording_is_one_sentence(ending: str, kit: Path) -> None:
    path = kit / "autograder" / "recorded" / f"running_averages.{ending}"
    put_damaged(path, "too deep")
    own = kit / "assignments" / "running_averages.py"
    own.write_text(own.read_text().replace("raise NotImplementedError", "return x #"))
    run = run_in(kit, "-m", "autograder", "grade", "assignments", "--exercise", "running_mean_loop")
    assert (run.returncode, run.stderr) == (3, "")
    said = " ".join(run.stdout.split())
    assert f"{path.name} is damaged: the message" in said
    assert "call make update KIT=path, with the path of its folder" in said


# Building it


@pytest.mark.dear
def test_building_it_again_gives_the_same(full_kit: Path, tmp_path: Path) -> None:
    """The second build runs in a process with another hash seed."""
    build = "import sys, pathlib; from autograder.kit import build as kit; "
    build += "kit.build(pathlib.Path(sys.argv[1]))"
    environment = {**os.environ, "PYTHONHASHSEED": "20170612"}
    arguments = [sys.executable, "-c", build, str(tmp_path / "again")]
    subprocess.run(arguments, cwd=root(), env=environment, check=True)
    assert contents(full_kit) == contents(tmp_path / "again")


def test_an_earlier_kit_is_replaced(
    kit: Path, built_kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "recorded", lambda name: Recorded(b"recorded", b"recorded"))
    (kit / "only in the earlier kit").write_text("gone")
    release.build(kit)
    assert contents(kit).keys() == contents(built_kit).keys()
    assert list(kit.parent.iterdir()) == [kit]


FAILURES = {"texts": 0, "recorded": 0, "rename": 1, "second rename": 2}  # the rename that fails


@pytest.mark.parametrize("failing", sampled(FAILURES, each=2))
def test_a_build_that_fails_changes_nothing(
    failing: str, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (kit / "own.txt").write_text("still here")
    before = contents(kit.parent)
    rename, calls = Path.rename, iter(range(1, 10))

    def fail(*arguments: object) -> None:
        raise OSError("the disk is full")

    def renamed(path: Path, to: Path) -> Path:
        if next(calls) == FAILURES[failing]:
            raise OSError("the disk is full")
        return rename(path, to)

    if FAILURES[failing]:
        monkeypatch.setattr(release, "recorded", lambda name: Recorded(b"", b""))
        monkeypatch.setattr(Path, "rename", renamed)
    else:
        monkeypatch.setattr(release, failing, fail)
    with pytest.raises(OSError, match="the disk is full"):
        release.build(kit)
    assert contents(kit.parent) == before
