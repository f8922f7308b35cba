"""The plug-ins in place of nbgrader's Execute and SaveAutoGrades."""

from __future__ import annotations

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader import utils
from nbgrader.api import Gradebook, SubmittedNotebook
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.classroom.results import Feedback, Result
from autograder.grading.grade import ExerciseGrade
from autograder.nbgrader import MARK
from autograder.nbgrader.exporter import SubmissionExporter
from autograder.nbgrader.rebuild import MODULE, as_code, replace_note
from autograder.report.comments import COMMENT, Comments, as_html

NO_COMMENTS = Comments()
NO_RESULT = "The grader has no result, so a person must look. Nobody has lost points by it."
OTHER_POINTS = "{} has {:g} points in the gradebook and {:g} by its checks. Run make regrade."


class Engine(NbGraderPreprocessor):
    """Preprocessor that writes the result of each exercise into its graded cell, as an output.

    The last output is a plain number of points, which nbgrader's determine_grade reads.
    """

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        assert isinstance(self.parent, SubmissionExporter), "Autograde.exporter_class is another"
        assert self.parent.run, "a run begins with Autograde"
        job, result = self.parent.run.graded(resources["nbgrader"]["student"])
        open_ = write(nb, result, job.content, self.parent.run.comments)
        resources["nbgrader"]["needs_staff"] = open_
        resources["nbgrader"]["refused"] = why_refused(result)
        return nb, resources


def why_refused(result: Result | None) -> str:
    """Return why nothing of a submission could be graded; "" if it was graded."""
    return result.grade.message if result and result.grade.status == "unreadable" else ""


def write(
    nb: NotebookNode, result: Result | None, content: str = "", comments: Comments = NO_COMMENTS
) -> set[str]:
    """Write outputs into the graded cells of a notebook. content: Job.content.

    Returns the ids of cells without a result, which a person must grade.
    """
    exercises = {one.name: one for one in result.grade.exercises} if result else {}
    open_ = {}
    for cell in filter(utils.is_grade, nb.cells):
        name, points = cell.metadata.nbgrader.grade_id, float(cell.metadata.nbgrader.points)
        exercise = exercises.get(name)
        if result and exercise and exercise.max_points == points:
            cell.outputs = _outputs(exercise, result.feedback[name], comments.of(exercise))
        else:
            open_[name] = _why_open(exercise, points)
            cell.outputs = [new_output("stream", name="stdout", text=f"{open_[name]}\n")]
    nb.metadata[MARK] = {
        "digest": result.digest if result else "",
        "content": content,
        "sandbox": result.grade.sandbox if result else "",
        "status": result.grade.status if result else "",
        "comments": comments.mark(result.grade) if result else "",
    }
    replace_note(nb, next(iter(open_.values()), _note(result)))
    return set(open_)


def _outputs(exercise: ExerciseGrade, feedback: Feedback, comment: str) -> list[NotebookNode]:
    """Return the feedback, with the comment of an instructor, and the points for nbgrader."""
    shown = {"text/html": feedback.html, "text/plain": feedback.text}
    if comment:
        shown["text/html"] += as_html(comment)
        shown["text/plain"] += f"\n{COMMENT} {comment}"
    # Pages show an empty div for the value: the points are in the feedback.
    value = {"text/html": "<div></div>", "text/plain": repr(float(exercise.points))}
    return [new_output("display_data", shown), new_output("execute_result", value)]


def _why_open(exercise: ExerciseGrade | None, points: float) -> str:
    """Return why a person must grade a cell. points: its points in the notebook."""
    if exercise is None:
        return NO_RESULT
    return OTHER_POINTS.format(exercise.name, points, exercise.max_points)


def _note(result: Result | None) -> str:
    """Return the note on the whole submission, in Markdown."""
    refused = "**Nothing of it could be graded:** " if why_refused(result) else ""
    message = as_code(result.grade.message) if result and result.grade.message else ""
    unlocked = " Graded unlocked." if result and not result.grade.locked else ""
    return f"{refused}{message}{unlocked}".strip()


class SaveGrades(NbGraderPreprocessor):
    """Preprocessor that writes the points of a notebook into the gradebook, all or none."""

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        assert isinstance(self.parent, SubmissionExporter), "Autograde.exporter_class is another"
        assert self.parent.run, "a run begins with Autograde"
        of = resources["nbgrader"]
        with Gradebook(of["db_url"]) as gradebook:
            kept = gradebook.find_submission_notebook(
                of["notebook"], of["assignment"], of["student"]
            )
            record(kept, nb, of["needs_staff"], of["refused"])
            if not self.parent.run.has_time(of["student"]):
                # nbgrader keeps the time of the earlier submission, and the formgrader, which
                # compares times, would ask for autograding forever.
                kept.assignment.timestamp = None
            gradebook.db.commit()
        return nb, resources


def record(kept: SubmittedNotebook, nb: NotebookNode, open_: set[str], refused: str) -> None:
    """Set scores and comments in the gradebook from a graded notebook; manual ones stay.

    open_: the cells that a person must grade. refused: why nothing could be graded, or "". In that
    case the first cell needs manual grading too, so that nobody takes the zero for a grade.
    """
    grades = {grade.name: grade for grade in kept.grades}
    comments = {comment.name: comment for comment in kept.comments}
    needs_person = bool(refused)
    reason = f"Refused: {as_code(refused)}" if refused else None  # comments are Markdown
    as_module = any(cell.get("id") == MODULE for cell in nb.cells)  # it contains the answers
    for cell in nb.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if utils.is_grade(cell):
            grade = grades[name]
            given, _ = utils.determine_grade(cell)
            grade.auto_score = None if name in open_ else given
            # A manual score stays, and its cell is marked to be looked at again.
            manual = grade.manual_score is not None
            grade.needs_manual_grade = manual or needs_person or grade.auto_score is None
            needs_person = False
        elif utils.is_solution(cell):
            untouched = cell.metadata.nbgrader.checksum == utils.compute_checksum(cell)
            empty = "No response." if untouched and not as_module else None
            comments[name].auto_comment, reason = reason if refused else empty, None
