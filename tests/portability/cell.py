"""Grade what is known to be right or wrong in this environment: one cell of `make matrix`.

    python tests/portability/cell.py [--short] RESULT [OTHER]

It prints one line, and what is not as recorded: the solutions have all points and the skeletons
none; of a sample, right solutions have all points, wrong ones do not, and mistakes have their
names. RESULT gets the points and names as JSON; those in OTHER, of another environment, must be the
same. --short: a smaller sample. Exits with 1 if something is not as recorded.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import torch

from autograder import course
from autograder.audit.corpus import Case, Kind, cases
from autograder.checking.collect import collect
from autograder.diagnosis.naming import namer
from autograder.grading.grade import ExerciseGrade
from autograder.grading.grader import Grader
from autograder.sandbox import Limits, Sandbox, open_sandbox
from autograder.submissions.finding import Submission

# How many cases of each exercise are graded, by kind.
SAMPLE = {Kind.EQUIVALENT: 2, Kind.MISCONCEPTION: 2, Kind.MISTAKE: 2, Kind.UNSEEN: 1}
SHORT = {Kind.MISCONCEPTION: 1}
NEWER = ("enable_gqa",)  # code that needs a newer PyTorch than the oldest one that the kit needs


def grade_all(result: Path, sample: Mapping[Kind, int], other: Path | None = None) -> list[str]:
    """Grade everything, and write the points and names. Returns what is not as recorded."""
    most = sum(collected.check.points for collected in collect().collected)
    folders = {course.folder(): most, course.assignments_folder(): 0}
    totals = {folder: total(folder) for folder in folders}
    wrong = [
        f"{folder.name}/ has {totals[folder]:g} of {most:g} points"
        for folder, expected in folders.items()
        if totals[folder] != expected
    ]
    found: dict[str, list[object]] = {}
    with open_sandbox(Limits()) as sandbox:
        for case, grade in graded(sample, sandbox):
            names = sorted({name for one in grade.diagnoses if not one.seen for name in one.ids})
            found[case.name] = [grade.points, names]
            wrong += [f"{case.name} {what}" for what in _unlike(case, grade, names)]
    result.write_text(json.dumps(found, indent=1), encoding="utf-8")
    expected = json.loads(other.read_text(encoding="utf-8")) if other else found
    wrong += [
        f"{name}: {found.get(name)}, and {expected.get(name)} in {other}"
        for name in sorted({*found, *expected})
        if found.get(name) != expected.get(name)
    ]
    print(
        f"Python {platform.python_version()}, torch {torch.__version__}: solutions, skeletons "
        f"{'/'.join(f'{points:g}' for points in totals.values())} of {most:g} points, "
        f"{len(found)} of a sample, {len(wrong)} not as recorded"
    )
    return wrong


def total(folder: Path) -> float:
    """Return the points of a folder, by the command line."""
    command = [sys.executable, "-m", "autograder", "grade", "--unlocked", "--json", str(folder)]
    run = subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=course.root())
    return float(sum(one["score"] for one in json.loads(run.stdout)["submissions"]))


def graded(sample: Mapping[Kind, int], sandbox: Sandbox) -> Iterator[tuple[Case, ExerciseGrade]]:
    """Grade some cases of each exercise, the same everywhere."""
    checks = collect()
    solutions = {name: course.statement(name) for name in course.assignments()}
    for exercise, home in checks.homes().items():
        grader = Grader(checks, sandbox, frozenset([exercise]), diagnosing=namer)
        found = [one for one in cases(home, exercise) if not any(n in one.text for n in NEWER)]
        found.sort(key=lambda case: zlib.crc32(case.name.encode()))
        for kind, count in sample.items():
            for case in [one for one in found if one.kind is kind][:count]:
                # The files in right/ and wrong/ need no other assignments.
                texts = solutions if kind is Kind.MISCONCEPTION else {}
                texts = texts | {home: case.text}
                submission = Submission("sample", Path(f"{home}.py"), home, texts)
                [own] = (e for e in grader.grade(submission).exercises if e.name == exercise)
                yield case, own


def _unlike(case: Case, grade: ExerciseGrade, names: list[str]) -> Iterator[str]:
    """Yield how a grade differs from what is recorded.

    A mistake in other people's code may have no name, but no false one.
    """
    if (grade.points == grade.max_points) != (case.kind is Kind.EQUIVALENT):
        yield f"has {grade.points:g} of {grade.max_points:g} points"
    known = {mistake.partition("/")[2] for mistake in case.mistakes}
    if known and not known <= {*names} and (names or case.kind is Kind.MISCONCEPTION):
        yield f"is named {', '.join(names) or 'not at all'}"


def main(arguments: list[str]) -> int:
    """Run the command. Returns the exit code."""
    places = [Path(one) for one in arguments if one != "--short"]
    wrong = grade_all(places[0], SHORT if "--short" in arguments else SAMPLE, *places[1:])
    for line in wrong:
        print(f"  {line}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
