"""Tests of regrading after a check was fixed: plan, apply, undo, and killed runs."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import Command, points, points_by_exercise
from course_in_nbgrader import decide, generate, grade_nothing, hand_in, job
from damaged_data import CONTENTS, KINDS, put_damaged
from nbgrader.api import Gradebook
from nbgrader.apps import AutogradeApp
from nbgrader.apps.api import NbGraderAPI
from nbgrader.plugins import LateSubmissionPlugin
from sqlalchemy.orm import Session

from autograder.nbgrader import journal, regrade
from autograder.nbgrader.application import application
from autograder.nbgrader.autograde import UNFINISHED, autograde
from autograder.nbgrader.commands import REPEATED
from autograder.nbgrader.effects import Change
from autograder.nbgrader.journal import CannotUndo
from autograder.nbgrader.places import places_of
from autograder.nbgrader.points import above_maximum
from autograder.nbgrader.preparing import KEPT
from autograder.nbgrader.regrade import apply, plan, recover, undo
from autograder.nbgrader.trouble import CannotRun

pytestmark = pytest.mark.dear

posix = pytest.mark.skipif(os.name != "posix", reason="has no such files, and no lock")
NAME = "running_averages"
STEPS = [(os, "rename"), (os, "replace"), (Session, "commit")]
FULL = {name: (most, most) for name, most in points_by_exercise(NAME).items()}
FIRST, (MOST, _) = next(iter(FULL.items()))
REST = points(NAME) - MOST  # of the other exercises
BEFORE = {"anna": MOST, "ben": 1.0, "cleo": 2.0}  # for the first exercise
AFTER = {"anna": MOST, "ben": MOST, "cleo": 1.5}


@pytest.fixture(scope="module")
def autograded(tmp_path_factory: pytest.TempPathFactory, built_course: Path) -> Path:
    """Make a course with three submissions autograded by an edition with a wrong check."""
    folder = shutil.copytree(built_course, tmp_path_factory.mktemp("regrade") / "course")
    app = application(folder)
    released = generate(app, NAME)
    for student in BEFORE:
        write(hand_in(app, student, released) / released.file, f"# {student}")
    with pytest.MonkeyPatch.context() as patched:
        in_edition(app, patched, "first", BEFORE)
        assert autograde(app, NAME, "*", force=False).graded == [*BEFORE]
    return folder


@pytest.fixture
def app(autograded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AutogradeApp:
    """Fix the check of that course."""
    made = application(shutil.copytree(autograded, tmp_path / "course"))
    in_edition(made, monkeypatch, "second", AFTER)
    return made


def write(path: Path, source: str) -> None:
    """Write something into the last cell, since equal submissions share a result."""
    notebook = nbformat.read(path, 4)
    notebook.cells[-1].source = source
    nbformat.write(notebook, path)


def in_edition(
    app: AutogradeApp, patched: pytest.MonkeyPatch, edition: str, scored: dict[str, float]
) -> None:
    """Set another edition with made-up results."""
    grade_nothing(patched)
    patched.setattr("autograder.nbgrader.intake.edition", lambda: edition)
    for student, got in scored.items():
        decide(app, job(app, student, NAME), {**FULL, FIRST: (got, MOST)})


def dump(app: AutogradeApp) -> list[str]:
    """Return the whole gradebook as text."""
    with sqlite3.connect(f"{app.coursedir.root}/gradebook.db") as database:
        return list(database.iterdump())


def scores(app: AutogradeApp) -> dict[str, float]:
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        found = gradebook.find_assignment(NAME).submissions
        return {one.student.id: one.score - REST for one in found}


def notebooks(app: AutogradeApp) -> dict[str, bytes]:
    places = places_of(app.coursedir)
    return {student: places.graded(student, NAME).read_bytes() for student in BEFORE}


def test_a_plan_says_who_gains_and_loses_and_why(app: AutogradeApp) -> None:
    before = dump(app), notebooks(app)
    planned = plan(app, NAME)
    why = "Is right: failed, now passed"
    assert planned.effect.changes == [
        Change("ben", FIRST, 1.0, MOST, why),
        Change("cleo", FIRST, 2.0, 1.5, ""),
    ]
    said = list(planned.lines())
    assert said[:2] == [f"ben  {FIRST}: 1 -> {MOST:g}", f"    {why}"]
    sums = f"1 gain {MOST - 1:g} points, 1 lose 0.5"
    assert said[-1] == f"{NAME}: {sums}; the feedback of 3 is rewritten"
    assert (dump(app), notebooks(app)) == before


def test_what_is_applied_can_be_undone(app: AutogradeApp) -> None:
    before = dump(app), notebooks(app)
    apply(app, plan(app, NAME))
    assert scores(app) == AFTER
    assert all(f"{FIRST}: {MOST:g}".encode() in n for s, n in notebooks(app).items() if s == "ben")
    assert not plan(app, NAME).effect.changes
    assert undo(app) == NAME
    assert (dump(app), notebooks(app)) == before
    with pytest.raises(CannotUndo, match="no regrade"):
        undo(app)


@pytest.fixture
def without_ben(autograded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AutogradeApp:
    """Fix the check, and let the grader fail on ben's work."""
    made = application(shutil.copytree(autograded, tmp_path / "course"))
    others = {student: got for student, got in AFTER.items() if student != "ben"}
    in_edition(made, monkeypatch, "second", others)
    return made


@pytest.mark.parametrize("force", [False, True])
def test_an_earlier_grade_stays_until_there_is_a_new_one(
    force: bool, without_ben: AutogradeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = without_ben
    before = notebooks(app)["ben"]
    found = autograde(app, NAME, "*", force=force)
    assert scores(app) == {**AFTER, "ben": BEFORE["ben"]}
    assert notebooks(app)["ben"] == before
    assert (found.graded, found.refused, found.staff) == (["anna", "cleo"], {}, {"ben": KEPT})
    assert " ".join(found.lines()).count("ben") == 1
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        assert not gradebook.find_submission(NAME, "ben").needs_manual_grade
    in_edition(app, monkeypatch, "second", AFTER)
    assert not autograde(app, NAME, "*", force=False).staff
    assert scores(app) == AFTER


def test_the_formgrader_too_keeps_an_earlier_grade_and_says_so(without_ben: AutogradeApp) -> None:
    app = without_ben
    done = NbGraderAPI(app.coursedir, parent=app).autograde(NAME, "ben")
    assert done["success"]
    assert f"ben {KEPT}" in done["log"]
    assert scores(app) == BEFORE


def test_an_earlier_grade_of_other_work_does_not_stay(without_ben: AutogradeApp) -> None:
    """A person must look at what was handed in since."""
    app = without_ben
    write(places_of(app.coursedir).submitted / "ben" / NAME / f"{NAME}.ipynb", "# another")
    assert {*autograde(app, NAME, "*", force=False).staff.values()} == {UNFINISHED}
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        assert gradebook.find_submission(NAME, "ben").needs_manual_grade


def test_what_people_have_decided_stays(app: AutogradeApp) -> None:
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        grade = gradebook.find_grade(FIRST, NAME, NAME, "ben")
        grade.manual_score, grade.extra_credit = 2.5, 0.5
        comment = gradebook.find_comment(f"{FIRST}-answer", NAME, NAME, "ben")
        comment.manual_comment = "Nearly."
        gradebook.db.commit()
    before = dump(app)
    apply(app, plan(app, NAME))
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        grade = gradebook.find_grade(FIRST, NAME, NAME, "ben")
        assert (grade.auto_score, grade.manual_score, grade.extra_credit) == (MOST, 2.5, 0.5)
        assert grade.needs_manual_grade
        comment = gradebook.find_comment(f"{FIRST}-answer", NAME, NAME, "ben")
        assert comment.manual_comment == "Nearly."
    undo(app)
    assert dump(app) == before


@pytest.mark.parametrize("column", ["auto_score", "manual_score", "extra_credit"])
@pytest.mark.parametrize("earlier", [None, 2.5])
def test_what_was_changed_since_is_not_undone(
    column: str, earlier: float | None, app: AutogradeApp
) -> None:
    def put(value: float | None) -> None:
        with Gradebook(app.coursedir.db_url, "attention") as gradebook:
            setattr(gradebook.find_grade(FIRST, NAME, NAME, "ben"), column, value)
            gradebook.db.commit()

    if column != "auto_score":
        put(earlier)
    apply(app, plan(app, NAME))
    put(0.5)
    before = dump(app), notebooks(app)
    with pytest.raises(CannotUndo, match=rf"ben, {FIRST}: {column} is 0\.5"):
        undo(app)
    assert (dump(app), notebooks(app)) == before


def test_who_handed_in_anew_is_left_to_autograde(app: AutogradeApp) -> None:
    write(places_of(app.coursedir).submitted / "ben" / NAME / f"{NAME}.ipynb", "# another")
    planned = plan(app, NAME)
    assert planned.unchanged == {"ben": regrade.CHANGED}
    assert {change.student for change in planned.effect.changes} == {"cleo"}


@pytest.mark.parametrize("is_check_undone", [True, False])
def test_undo_says_whose_points_are_above_the_maximum(
    is_check_undone: bool, app: AutogradeApp, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A student is named who was autograded before the undo, when the exercise gave more points."""

    def decide_all(edition: str, most: float) -> None:
        in_edition(app, monkeypatch, edition, {})
        for student in BEFORE:
            decide(app, job(app, student, NAME), {**FULL, FIRST: (most, most)})

    def above() -> str:
        return above_maximum(app.coursedir, NAME)

    write(places_of(app.coursedir).submitted / "ben" / NAME / f"{NAME}.ipynb", "# another")
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        gradebook.find_grade(FIRST, NAME, NAME, "cleo").manual_score = MOST + 1
        gradebook.db.commit()
    decide_all("third", MOST + 2)
    apply(app, plan(app, NAME))
    assert autograde(app, NAME, "ben", force=False).graded == ["ben"]
    assert not above()
    done = command("nbgrader", "undo", "--course", app.coursedir.root)
    assert done.stdout.splitlines() == [
        f"The last regrade of {NAME} was undone.",
        "Points above the maximum, from autograde after the regrade: ben. Run make regrade "
        f"ASSIGNMENT={NAME}, which corrects them.",
        REPEATED,
    ]
    assert above() == done.stdout.splitlines()[1]
    if is_check_undone:
        decide_all("fourth", MOST)
    apply(app, plan(app, NAME))
    assert not above()
    assert scores(app)["ben"] == (MOST if is_check_undone else MOST + 2)


# Killed processes and a full disk


def killed_at(app: AutogradeApp, step: int, do: Callable[[AutogradeApp], object]) -> bool:
    """Run a command in a process that kills itself before its nth rename or commit.

    Returns False if it came to its end before that.
    """
    child = os.fork()
    if child == 0:
        count = itertools.count(1)
        for place, name in STEPS:
            setattr(place, name, counted(getattr(place, name), count, step))
        try:
            do(application(Path(app.coursedir.root)))  # with a connection of its own
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def counted(call: Callable[..., Any], count: Iterator[int], last: int) -> Callable[..., Any]:
    """Return a wrapper that kills the process at the last of the calls that share a counter."""

    def call_or_die(*arguments: Any) -> Any:
        if next(count) == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*arguments)

    return call_or_die


def state(app: AutogradeApp) -> tuple[list[str], dict[str, bytes]]:
    return dump(app), notebooks(app)


def regrade_all(app: AutogradeApp) -> None:
    apply(app, plan(app, NAME))


@pytest.mark.dear
@posix
def test_a_killed_regrade_is_finished_or_forgotten_and_undone_by_one_undo(
    app: AutogradeApp,
) -> None:
    """The process is killed before each of its steps."""
    before = state(app)
    regrade_all(app)
    after = state(app)
    undo(app)
    said = set()
    for step in itertools.count(1):
        if not killed_at(app, step, regrade_all):
            break
        said.add(recover(app))
        assert state(app) in (before, after), step
        assert recover(app) == "", step
        regrade_all(app)
        assert state(app) == after, step
        assert not plan(app, NAME).results
        undo(app)
        assert state(app) == before, step
        with pytest.raises(CannotUndo, match="no regrade"):
            undo(app)
    assert step > len(BEFORE)
    had = f"A regrade of {NAME}"
    dropped = f"{had} was interrupted before anything changed."
    assert said == {"", dropped, f"{had} was interrupted; it is finished now."}


@pytest.mark.dear
@posix
def test_a_killed_undo_is_finished(app: AutogradeApp) -> None:
    before = state(app)
    for step in itertools.count(1):
        regrade_all(app)
        after = state(app)
        if not killed_at(app, step, undo):
            break
        recover(app)
        assert state(app) in (before, after), step
        if state(app) == after:
            undo(app)
        assert state(app) == before, step
    assert step > len(BEFORE)


@posix
@pytest.mark.dear
def test_undo_takes_back_a_regrade_that_was_killed(app: AutogradeApp) -> None:
    """Stop before recovery, when the gradebook has changed and no notebook has."""
    before, step = state(app), itertools.count(1)
    while scores(app) != AFTER:
        assert killed_at(app, next(step), regrade_all)
    assert notebooks(app) == before[1]
    undo(app)
    assert state(app) == before


def test_where_the_disk_is_full_it_is_one_sentence_and_can_go_on(
    app: AutogradeApp, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(app)
    folder = app.coursedir.root
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        done = command("nbgrader", "regrade", NAME, "--course", folder)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("No space left on device: ")
    assert len(done.stderr.splitlines()) == 1
    assert state(app) == before
    assert not [*places_of(app.coursedir).regrades.iterdir()]
    done = command("nbgrader", "regrade", NAME, "--course", folder)
    assert done.stdout.endswith("It is done; make undo takes it back.\n")
    assert scores(app) == AFTER


def full(_: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device", "grades.json")


def test_an_undo_goes_on_though_a_student_was_removed(app: AutogradeApp) -> None:
    """An undo that was killed in the middle is finished without the rows of a removed student."""
    regrade_all(app)
    [folder] = places_of(app.coursedir).regrades.iterdir()
    (folder / "state").write_text("undoing", encoding="ascii")
    with Gradebook(app.coursedir.db_url) as gradebook:
        gradebook.remove_student("anna")
    assert "is finished now" in recover(app)
    assert not folder.exists()


@pytest.mark.parametrize("lost", ["journal.json", "before/0", "after/1"])
def test_a_damaged_journal_is_one_sentence(lost: str, app: AutogradeApp, command: Command) -> None:
    regrade_all(app)
    [folder] = places_of(app.coursedir).regrades.iterdir()
    (folder / "state").write_text("applying", encoding="ascii")
    (folder / lost).unlink()
    before = state(app)
    for arguments in (("undo",), ("regrade", NAME), ("autograde", NAME)):
        done = command("nbgrader", *arguments, "--course", app.coursedir.root)
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr.startswith(f"{folder} is damaged: ")
        assert "Move that folder out of the course" in done.stderr
    assert state(app) == before


@posix
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_lies_in_a_journal_is_one_sentence(kind: str, app: AutogradeApp) -> None:
    regrade_all(app)
    places = places_of(app.coursedir)
    [whole] = places.regrades.iterdir()
    for number, name in enumerate(("journal.json", "state", "before/0"), 2):
        if (name, kind) == ("state", "no file") or (name == "before/0" and kind in CONTENTS):
            continue  # it never began; a copy of a file may have any contents
        folder = shutil.copytree(whole, places.regrades / str(number))
        put_damaged(folder / name, kind)
        with pytest.raises(CannotRun, match=rf"{number} is damaged: .* Move that folder out"):
            journal.last(places)


@posix
def test_what_became_a_pipe_since_is_not_undone(app: AutogradeApp) -> None:
    regrade_all(app)
    put_damaged(places_of(app.coursedir).graded("anna", NAME), "a named pipe")
    with pytest.raises(CannotUndo, match=r"autograded/anna/.* was written again"):
        undo(app)


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_lies_in_the_place_of_an_autograded_notebook_it_is_left_to_autograde(
    kind: str, app: AutogradeApp
) -> None:
    put_damaged(places_of(app.coursedir).graded("anna", NAME), kind)
    planned = plan(app, NAME)
    assert planned.unchanged["anna"] == regrade.NOT_YET
    assert [*planned.results] == ["ben", "cleo"]


def test_who_has_a_notebook_that_nbgrader_cannot_read_is_left_alone(app: AutogradeApp) -> None:
    path = places_of(app.coursedir).graded("anna", NAME)
    path.write_bytes(path.read_bytes().replace(b'"nbformat": 4', b'"nbformat": "four"'))
    planned = plan(app, NAME)
    assert planned.unchanged["anna"] == regrade.DAMAGED
    assert [*planned.effect.totals] == ["ben", "cleo"]


def test_what_was_autograded_since_is_not_undone(app: AutogradeApp) -> None:
    """The points do not change."""
    regrade_all(app)
    path = places_of(app.coursedir).graded("anna", NAME)
    path.write_bytes(path.read_bytes() + b" ")
    before = state(app)
    with pytest.raises(CannotUndo, match=r"autograded/anna/.* was written again"):
        undo(app)
    assert state(app) == before


# The preview matches the changes


def test_the_preview_counts_no_row_behind_a_manual_score(app: AutogradeApp) -> None:
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        gradebook.find_grade(FIRST, NAME, NAME, "ben").manual_score = 2.5
        gradebook.db.commit()
    said = list(plan(app, NAME).lines())
    assert said[0] == f"ben  {FIRST}: 1 -> {MOST:g}; the manual score stays: 2.5"
    assert said[-1].startswith(f"{NAME}: 0 gain 0 points, 1 lose 0.5; ")


class Tenth(LateSubmissionPlugin):  # type: ignore[misc]
    """An instructor's plug-in: each day costs a tenth of the score."""

    def late_submission_penalty(self, _: str, score: float, seconds: float) -> float:
        return round(score * 0.1 * seconds / 86400, 3)


def test_the_preview_says_what_comes_where_being_late_costs(app: AutogradeApp) -> None:
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate="2026-01-01 10:00:00")
        for days, student in enumerate(("ben", "cleo"), 2):
            at = f"2026-01-{days:02d} 10:00:00"
            gradebook.update_or_create_submission(NAME, student, timestamp=at)
    app.config.AssignLatePenalties.plugin_class = Tenth
    planned = plan(app, NAME)
    said = list(planned.lines())
    assert f"ben  penalty for being late: 0 -> {points(NAME) / 10:g}" in said
    gains = [0.9 * points(NAME) - (REST + 1), 0.8 * (REST + 1.5) - (REST + 2)]
    more, less = ([g for g in gains if (g > 0) is gained] for gained in (True, False))
    counts = f"{len(more)} gain {sum(more):g} points, {len(less)} lose {-sum(less):g}; "
    assert said[-1].startswith(f"{NAME}: {counts}")
    apply(app, planned)
    after = {student: total for student, (_, total) in planned.effect.totals.items()}
    assert totals(app) == pytest.approx(after)


def totals(app: AutogradeApp) -> dict[str, float]:
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        found = gradebook.find_assignment(NAME).submissions
        return {one.student.id: one.score - one.late_submission_penalty for one in found}


def test_the_penalty_for_being_late_follows_the_points(
    app: AutogradeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate="2026-01-01 10:00:00")
        gradebook.update_or_create_submission(NAME, "ben", timestamp="2026-01-02 10:00:00")
    app.config.LateSubmissionPlugin.penalty_method = "zero"
    before = dump(app)
    apply(app, plan(app, NAME))
    with Gradebook(app.coursedir.db_url, "attention") as gradebook:
        kept = gradebook.find_submission_notebook(NAME, NAME, "ben")
        assert kept.late_submission_penalty == kept.score == points(NAME)
    undo(app)
    assert dump(app) == before
