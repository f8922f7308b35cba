"""The command line prints to the right stream and ends with the right exit code."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, points, sampled

from autograder import course
from autograder.checking.collect import Checks
from autograder.cli import grade as grade_verb
from autograder.course import assignments, root
from autograder.course.skeletons import made_from
from autograder.sandbox import CannotLock
from autograder.submissions import folders

GRADES = grade_verb._grades_in_sandbox


def test_grade_of_the_solutions(process: Command, checks: Checks) -> None:
    run = process("grade", "solutions")
    assert run.returncode == 0
    full = f"{points():g}/{points():g}"
    assert re.search(rf"\nScore: {full} \((un)?locked\)\n$", run.stdout)
    assert run.stdout.count("passed") == len(checks.homes())
    names = assignments()
    assert run.stderr.splitlines()[0] == f"graded 1/{len(names)}  {names[0]}"
    assert run.stderr.splitlines()[-1] == f"graded {len(names)}/{len(names)}  {names[-1]}"


def test_grade_of_the_skeletons(command: Command, checks: Checks) -> None:
    run = command("grade", "assignments", "--strict")
    assert run.returncode == 1
    assert run.stdout.count("missing") == len(checks.homes())
    exercise, home = next(iter(checks.homes().items()))
    last = f"Next: write {exercise} in assignments/{home}.py\n"
    assert run.stdout.endswith(last)


def test_strict_with_full_marks(command: Command) -> None:
    assert command("grade", "solutions/multi_head/multi_head.py", "--strict").returncode == 0


@pytest.mark.dear
def test_one_exercise(command: Command) -> None:
    run = command("grade", "solutions", "--exercise", "ScaledDotProduct")
    assert run.returncode == 0
    assert "ScaledDotProduct         passed      6/6" in run.stdout
    assert "QueryKeyValue" not in run.stdout
    assert run.stdout.endswith("\nScore: 6/6 (locked)\n")


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


def test_several_peoples_code_is_never_unlocked_wherever_it_lies(
    command: Command, tmp_path: Path, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "assignments"
    monkeypatch.setattr(course, "assignments_folder", lambda: own)
    (own / "class").mkdir(parents=True)
    names = "class/anna.py", "class/ben.py", "attention_layer.py"
    anna, ben, alone = (own / name for name in names)
    for path in (anna, ben, alone):
        path.write_text(solutions["attention_layer"], encoding="utf-8")
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


BESIDE = {
    "another name": ("mine.py", True),
    "saved again by a browser": ("{} (1).py", True),
    "another's folder": ("anna/{}.py", True),
    "Jupyter's checkpoint": ("{}-checkpoint.py", False),
    "named after another assignment": ("multi_head.py", False),
}


@pytest.mark.parametrize("case", BESIDE)
def test_work_beside_untouched_files_of_ones_own_is_named(
    case: str,
    command: Command,
    tmp_path: Path,
    solutions: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own, name = tmp_path / "assignments", "attention_layer"
    for place in (course, folders):
        monkeypatch.setattr(place, "assignments_folder", lambda: own)
    other, is_named = BESIDE[case]
    (own / "anna").mkdir(parents=True)
    (own / f"{name}.py").write_text(made_from(solutions[name]), encoding="utf-8")
    (own / other.format(name)).write_text(solutions[name], encoding="utf-8")
    asked = ["grade", own, "--assignment", name, "--exercise", "TestModule"]
    run = command(*asked)
    assert (run.returncode, "missing" in run.stdout) == (0, True)
    said = f"Not graded: {other.format(name)}. In assignments/, only the files named after"
    assert run.stderr.startswith(said) if is_named else not run.stderr
    (own / f"{name}.py").write_text(solutions[name], encoding="utf-8")
    assert command(*asked).stderr == ""


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
    for path in (own / one.format(name) for one in names):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(solutions[name], encoding="utf-8")
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


def cannot_lock(submissions: Any, options: Any, graded: Any) -> Any:
    """Fail to lock, as on macOS."""
    if options.locked:
        raise CannotLock("It cannot.")
    return GRADES(submissions, options, graded)


def test_a_file_named_after_the_assignment_is_refused_alone_in_a_class(
    command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    for name in ("anna", "ben", "attention_layer"):
        (tmp_path / f"{name}.py").write_text(solutions["attention_layer"], encoding="utf-8")
    run = command("grade", tmp_path, "--assignment", "attention_layer", "--json")
    anna, found, ben = json.loads(run.stdout)["submissions"]
    assert anna["score"] == ben["score"] == points("attention_layer")
    assert (found["status"], found["score"]) == ("unreadable", 0)
    assert "there are other submissions beside it (anna.py, ben.py)" in found["message"]


def test_without_an_assignment_what_is_left_out_is_said_and_nothing_is_unlocked(
    command: Command, tmp_path: Path, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("anna", "b\x1ben", "attention_layer"):
        (tmp_path / f"{name}.py").write_text(solutions["attention_layer"], encoding="utf-8")
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


def test_of_several_folders_what_is_left_out_is_said(
    command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    for name in ("1/anna.py", "1/attention_layer.py", "2/attention_layer.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(solutions["attention_layer"], encoding="utf-8")
    several = ["--assignment", "attention_layer", "--exercise", "TestModule"]
    run = command("grade", tmp_path / "1", tmp_path / "2", *several)
    assert run.returncode == 0
    assert f"Not graded: {tmp_path / '1' / 'anna.py'}. If they are" in run.stderr
    assert "grade the folder by itself." in run.stderr


def test_what_is_left_out_of_each_students_folder_is_said(
    command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    for name in ("anna/multi_head/multi_head", "anna/my", "ben/multi_head/multi_head"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.py").write_text(solutions["multi_head"], encoding="utf-8")
    run = command("grade", tmp_path, "--exercise", "MultiHeadList")
    assert run.returncode == 0
    assert "Not graded: anna/my.py. If they are" in run.stderr


@pytest.mark.skipif(os.name != "posix", reason="has links")
def test_of_several_folders_nothing_behind_a_link_is_listed(
    command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    (tmp_path / "1").mkdir()
    for name in ("attention_layer", "anna"):
        (tmp_path / "1" / f"{name}.py").write_text(solutions["attention_layer"], encoding="utf-8")
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
        path = tmp_path / place / f"{name}.py"
        path.parent.mkdir(parents=True)
        path.write_text(solutions[path.stem], encoding="utf-8")
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


@pytest.mark.skipif(os.name != "posix", reason="has links")
@pytest.mark.parametrize(("name", "code"), [("loop", 0), ("a" * 300, 4), ("loop/x.py", 4)])
def test_a_path_that_cannot_be_followed_costs_no_other(
    name: str, code: int, command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    """A shell's CLASS/* names broken links too; what is not there at all was mistyped."""
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "running_averages.py").write_text(solutions["running_averages"])
    run = command("grade", tmp_path / name, tmp_path / "running_averages.py", "--json")
    assert "Traceback" not in run.stderr
    odd, other = json.loads(run.stdout)["submissions"]
    found = run.returncode, odd["status"], other["score"]
    assert found == (code, "unreadable", other["max_score"])


@pytest.mark.skipif(os.name != "posix", reason="has links")
@pytest.mark.parametrize("name", ["loop", "a" * 300])
def test_a_course_that_cannot_be_followed(name: str, command: Command, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    run = command("--course", tmp_path / name, "grade", "assignments")
    assert (run.returncode, run.stdout) == (4, "")
    assert "is not a course" in run.stderr


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


@pytest.mark.dear
def test_json_alone_is_on_stdout(command: Command) -> None:
    run = command("grade", "solutions", "assignments", "--json")
    data = json.loads(run.stdout)
    found = [(s["submission"], s["assignment"], s["score"]) for s in data["submissions"]]
    names = list(assignments())
    assert [row[:2] for row in found] == [
        *(("solutions", name) for name in names),
        *(("assignments", name) for name in names),
    ]
    assert sum(row[2] for row in found) == points()
    assert {row[2] for row in found[len(names) :]} == {0.0}
    assert run.stderr.count("graded ") == 2 * len(names)


@pytest.mark.dear
def test_several_paths_give_a_line_each(command: Command) -> None:
    run = command("grade", "solutions", "assignments/multi_head.py")
    full = {name: f"{points(name):g}" for name in assignments()}
    assert [line.split() for line in run.stdout.splitlines()] == [
        *(["solutions", name, "graded", f"{most}/{most}"] for name, most in full.items()),
        ["assignments", "multi_head", "graded", f"0/{full['multi_head']}"],
        ["Graded", "locked."],
    ]


def test_assignment_is_found_by_what_a_module_defines(
    command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    for name, assignment in (("s01", "attention_layer"), ("s02", "multi_head")):
        (tmp_path / f"{name}.py").write_text(solutions[assignment], encoding="utf-8")
    (tmp_path / "s03.py").write_text("x = 1\n", encoding="utf-8")
    run = command("grade", *sorted(tmp_path.glob("*.py")), "--json")
    found = json.loads(run.stdout)["submissions"]
    assert [s["assignment"] for s in found] == ["attention_layer", "multi_head", None]
    assert [s["status"] for s in found] == ["graded", "graded", "unreadable"]
    assert "defines none of the exercises" in found[2]["message"]
    assert run.returncode == 0


def test_folder_of_a_class(command: Command, tmp_path: Path, solutions: dict[str, str]) -> None:
    (tmp_path / "anna.py").write_text(solutions["attention_layer"], encoding="utf-8")
    (tmp_path / "ben.py").write_text(made_from(solutions["attention_layer"]), encoding="utf-8")
    run = command("grade", tmp_path, "--assignment", "attention_layer", "--json")
    found = json.loads(run.stdout)["submissions"]
    full = points("attention_layer")
    assert [(s["submission"], s["score"]) for s in found] == [("anna", full), ("ben", 0.0)]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["grade"], "the following arguments are required: path"),
        (["grade", "solutions", "--exercise", "Scaled"], "There is no exercise Scaled."),
        (
            ["grade", "solutions", "--exercise", "scaledDotProducts"],
            "There is no exercise scaledDotProducts. Was ScaledDotProduct meant?",
        ),
        (
            ["grade", "solutions", "--exercise", "multi_head"],
            "It is an assignment, with MultiHeadList, MultiHeadAttention.",
        ),
        (
            ["grade", "solutions/multi_head/multi_head.py", "--exercise", "LayerNorm1d"],
            "There is no submission of normalization, which would have LayerNorm1d",
        ),
        (["grade", "solutions", "--assignment", "x"], "invalid choice: 'x'"),
        (["mark"], "invalid choice: 'mark'"),
        ([], "the following arguments are required: VERB"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(
    command: Command, arguments: list[str], sentence: str
) -> None:
    run = command(*arguments)
    assert run.returncode == 4
    assert sentence in run.stderr
    assert run.stdout == ""
    assert "Traceback" not in run.stderr


@pytest.mark.dear
def test_a_failing_sandbox_is_exit_code_3() -> None:
    """In a Python without torch, a sentence says what is missing, and nothing is graded."""
    program = (
        "import sys; from autograder.cli import main as m; from autograder.sandbox import child; "
        "child.sys = type('sys', (), {'executable': '/bin/false', 'platform': sys.platform}); "
        "sys.exit(m.main(['grade', 'solutions/multi_head/multi_head.py', '--unlocked']))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=root(), capture_output=True, text=True, check=False
    )
    assert run.returncode == 3
    assert "the process for students' code does not work" in run.stdout + run.stderr


@pytest.mark.parametrize(
    ("settings", "colour"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
    ids=["a terminal", "NO_COLOR", "a dumb terminal"],
)
def test_colour_is_for_terminals_that_want_it(
    settings: dict[str, str], colour: bool, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pseudo-terminal stands for the terminal."""
    pty = pytest.importorskip("pty")
    for name, value in {"TERM": "xterm", **settings}.items():
        monkeypatch.setenv(name, value)
    ours, theirs = pty.openpty()
    with open(theirs, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        command("grade", "assignments/multi_head.py")
        print("THE END", file=terminal, flush=True)
        read = b""
        while b"THE END" not in read:  # the output comes in pieces
            read += os.read(ours, 1 << 16)
    os.close(ours)
    shown = read.decode()
    assert "MultiHeadList" in shown
    assert ("\x1b[36m" in shown) is colour
    assert colour or "\x1b" not in shown


def test_who_reads_the_output_may_leave(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with open(theirs, "w", encoding="utf-8") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        run = command("grade", "assignments/multi_head.py", "--strict")
    assert run.returncode == 1
    assert "Traceback" not in run.stderr


def test_make_lists_its_targets() -> None:
    run = subprocess.run(["make"], cwd=root(), capture_output=True, text=True, check=True)
    assert max(map(len, run.stdout.splitlines())) <= 80
    for target in ("setup", "grade", "test", "assignments", "bench"):
        assert f"make {target} " in run.stdout


# Terminals and files with other encodings


def in_encoding(encoding: str, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "autograder", *map(str, arguments)],
        cwd=root(),
        env=os.environ | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        timeout=120,
        check=False,
    )


@pytest.mark.dear
@pytest.mark.parametrize("encoding", sampled(["cp1252", "ascii", "latin-1", "utf-16"]))
def test_every_encoding_shows_a_grade(encoding: str) -> None:
    """Output of Windows that goes into a file, for example, is encoded as cp1252."""
    done = in_encoding(encoding, "grade", f"assignments/{assignments()[0]}.py")
    assert done.returncode == 0, done.stderr
    assert "Score: 0/" in done.stdout.decode(encoding)
    assert b"Traceback" not in done.stderr
    assert in_encoding(encoding, "grade", "nowhere\N{SNOWMAN}").returncode == 4


def test_json_is_utf_8_in_every_encoding(tmp_path: Path) -> None:
    file = tmp_path / f"{assignments()[0]}.py"
    file.write_text("raise ValueError('\N{SNOWMAN}')\n", encoding="utf-8")
    done = in_encoding("ascii", "grade", file, "--json")
    [found] = json.loads(done.stdout.decode("utf-8"))["submissions"]
    assert "\N{SNOWMAN}" in found["message"]


@pytest.mark.dear
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have UTF-8 names")
@pytest.mark.parametrize("more", [[], ["-X", "utf8=0"]], ids=str)
def test_no_locale_costs_points(more: list[str], tmp_path: Path, solutions: dict[str, str]) -> None:
    name = assignments()[0]
    file = os.fsencode(tmp_path) + "/José.py".encode()
    with open(file, "w", encoding="utf-8") as written:
        written.write(solutions[name])
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    asked = ["grade", str(tmp_path), "--assignment", name, "--json", "--unlocked"]
    run = subprocess.run(
        [sys.executable, *more, "-m", "autograder", *asked],
        cwd=root(),
        env=os.environ | ascii_only,
        capture_output=True,
        timeout=120,
        check=False,
    )
    if more:
        assert (run.returncode, run.stdout) == (3, b"")
        assert b"This locale cannot read names" in run.stderr
    else:
        [found] = json.loads(run.stdout)["submissions"]
        assert (found["submission"], found["score"]) == ("José", points(name))


def in_folder(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Call a command of this kit where a shell stands in another folder."""
    return subprocess.run(
        [sys.executable, "-m", "autograder", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(root())},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.dear
def test_inside_a_class_its_files_are_no_modules_of_the_grader(
    tmp_path: Path, solutions: dict[str, str]
) -> None:
    name = assignments()[0]
    (tmp_path / "anna.py").write_text(solutions[name], encoding="utf-8")
    for module in ("torch", "argparse", "signal", "typing"):
        (tmp_path / f"{module}.py").write_text("open('was here', 'w')\n", encoding="utf-8")
    run = in_folder(tmp_path, "grade", ".", "--assignment", name, "--json", "--unlocked")
    found = {s["submission"]: s["score"] for s in json.loads(run.stdout)["submissions"]}
    assert found.pop("anna") == points(name)
    assert found == dict.fromkeys(("argparse", "signal", "torch", "typing"), 0.0)
    assert not (tmp_path / "was here").exists()


def test_inside_a_class_python_takes_a_file_there_for_the_grader(tmp_path: Path) -> None:
    """SECURITY.md says that it may: nothing of the grader runs before."""
    (tmp_path / "autograder.py").write_text("print('anyone')\n", encoding="utf-8")
    assert in_folder(tmp_path, "grade", ".").stdout == "anyone\n"


@pytest.mark.parametrize("option", ["--unlocked", "--unl", "--locked"])
def test_an_option_that_is_a_files_name_is_refused(option: str, tmp_path: Path) -> None:
    """A shell's * would put it there, and the code of a class would run unlocked."""
    (tmp_path / option).mkdir()
    (tmp_path / "anna.py").write_text("x = 1\n", encoding="utf-8")
    run = in_folder(tmp_path, "grade", *sorted(os.listdir(tmp_path)))
    assert (run.returncode, run.stdout) == (4, "")
    assert run.stderr.startswith(f"{option} is an option, and there is a file of that name here")
    run = in_folder(tmp_path, "grade", "--", *sorted(os.listdir(tmp_path)))
    assert (run.returncode, "Graded locked." in run.stdout) == (0, True)


def test_an_empty_path_is_no_path(command: Command, tmp_path: Path) -> None:
    """An empty path, of an unset variable, would mean the current folder and all that is in it."""
    for arguments in ([""], ["assignments", "--html", ""], ["assignments", "--csv", ""]):
        run = command("grade", *arguments)
        assert (run.returncode, run.stdout) == (4, "")
        assert run.stderr.endswith("the path is empty\n")
    same = tmp_path / "same"
    run = command("grade", "assignments", "--html", same, "--csv", same)
    assert (run.returncode, run.stdout) == (4, "")
    assert run.stderr == f"--html and --csv both name {same}. Name two places.\n"
    assert not same.exists()
