"""Say each problem in one sentence: what happened, where, what to do."""

from __future__ import annotations

import errno
import re
from itertools import groupby
from pathlib import Path

from autograder.client import Loaded, Problem
from autograder.grading.fitting import SAID, cut
from autograder.grading.grade import Grade
from autograder.sandbox import Limits
from autograder.submissions.kinds import RESOLVE
from autograder.submissions.own_modules import RESERVED

ARGUMENTS = re.compile(  # Python's message about too many arguments
    r"takes (?P<takes>\d+) positional arguments? but (?P<given>\d+) w(?:as|ere) given"
)
CONFLICT = "<" * 7  # begins the first version
SELF = " Is an argument missing in its def, perhaps self?"
NO_FILE = f"[Errno {errno.ENOENT}]"  # in the text of an error, maybe one that led to this one
NO_DATA = (
    " Your code is graded with its modules and notebooks, but without other files: write the data "
    "that it reads into the code."
)
OF_IPYTHON = re.compile(r"name '(_{1,3}|_i{1,3}|_i?\d+|_[io]h|In|Out)' is not defined")
NO_OUTPUT = (
    " What other cells put out (_, Out) and their texts (In) are not there when code is graded: "
    "give the value a name, and use that."
)
AS_MODULE = "Begin the class with: class Name(nn.Module)."
AS_PLAIN = "A call runs this method: rename forward to __call__."
CATEGORIES = {
    "absent": "not there",
    "unwritten": "not written",
    "not_a_class": "not a class",
    "not_a_function": "not a function",
    "signature": "cannot be built",
    "not_a_module": "not an nn.Module",
    "no_call": "has no __call__",
    "no_super": "does not call super().__init__()",
    "names": "wrong parameters",
    "attributes": "wrong parameters",
    "unsuited": "uses another exercise otherwise",
    "not_there": "uses a package that is not there",
    "raised": "raised an error",
    "syntax": "syntax error",
    "exit": "ended the program",
    "timeout": "timed out",
    "killed": "timed out",
    "memory": "ran out of memory",
    "crashed": "crashed",
    "sigkill": "crashed",
    "left": "ended the program",
    "garbled": "no sensible reply",
    "spent": "not asked: the budget is used up",
}


def category(problem: Problem) -> str:
    """Return the fixed phrase for a problem, which reveals nothing about a check's inputs."""
    return CATEGORIES[problem.kind]


def sentence(problem: Problem, limits: Limits, is_plain: bool = False) -> str:
    """Return the sentence about a problem that a student reads.

    is_plain: whether the exercise asks for a plain class, not for a module.
    """
    place = _place(problem)
    match problem.kind:
        case "absent":
            return f"{capital(problem.text)}: the file does not define it."
        case "unwritten":
            return f"Not written yet{place}."
        case "not_a_class" | "not_a_function" | "no_super" | "unsuited":
            return f"{problem.text}."
        case "signature":
            return f"{problem.text}. Compare __init__ with the statement."
        case "not_a_module":
            return f"{problem.text}. {AS_MODULE}"
        case "no_call":
            return f"{problem.text}. {AS_PLAIN if is_plain else AS_MODULE}"
        case "names" if is_plain:
            return f"{_tensors(problem)}."
        case "names":
            return f"The reference's numbers cannot be loaded: {_names(problem)}."
        case "not_there":
            name = _one_line(problem.text)
            return f"It uses {name}, which the grader does not have{place}. Write it with PyTorch."
        case "syntax" if problem.frames and problem.frames[-1].code.startswith(CONFLICT):
            return f"There is a merge conflict{place}. {RESOLVE}"
        case "syntax":
            return f"Python cannot read the file: {problem.text}{place}."
        case "exit":
            return f"It ends the program (sys.exit){place}. Remove that call."
        case "timeout":
            return f"{capital(problem.text)}{place}. Is there an endless loop?"
        case "killed":
            return f"{capital(problem.text)}, and could not be interrupted."
        case "sigkill":
            return (
                f"{capital(problem.text)} twice: by the code itself, or because this machine has "
                "too little memory."
            )
        case "memory":
            return f"It asks for more memory than there is ({limits.memory >> 30} GB){place}."
        case "spent":
            return (
                f"Not run: the submission has used up its {limits.budget:g} s, its "
                f"{limits.questions} questions, or the {limits.received >> 20} MB for its replies."
            )
        case "crashed" | "left" | "garbled":
            return f"{capital(problem.text)}."
    text = _one_line(problem.text)
    return f"It raises {problem.type}{': ' if text else ''}{text}{place}.{_hint(problem)}"


def unsuited(problem: Problem) -> str:
    """Return why a check cannot be passed yet: no correct exercise can stand in for a wrong one."""
    wrong = _one_line(problem.where) or "that"
    return (
        f"The missing points can be given only once {wrong} passes: no correct one can "
        f"stand in for yours, since {_one_line(problem.text)}."
    )


def traceback(problem: Problem) -> list[str]:
    """Return the student's own lines on the way to an exception; none if there is only one.

    A line that called itself, as a comprehension or a recursive function does, is one.
    """
    lines = [frame for frame, _ in groupby(problem.frames)]
    if problem.kind != "raised" or len(lines) < 2:
        return []
    return [f"{frame.file}, line {frame.line}: {frame.code}" for frame in lines]


def _hint(problem: Problem) -> str:
    """Return what to do about some exceptions, or ""."""
    if problem.type == "NameError" and OF_IPYTHON.match(problem.text):
        return NO_OUTPUT
    if NO_FILE in problem.text:
        return NO_DATA
    return SELF if _lacks_self(problem) else ""


def _lacks_self(problem: Problem) -> bool:
    """Return whether a function got one argument too many, as a method without self does."""
    found = ARGUMENTS.search(problem.text) if problem.type == "TypeError" else None
    return found is not None and int(found["given"]) == int(found["takes"]) + 1


def _place(problem: Problem) -> str:
    if not problem.frames:
        return ""
    last = problem.frames[-1]
    return f" ({last.file}, line {last.line}: `{last.code}`)" if last.code else ""


def _names(problem: Problem) -> str:
    have, want = problem.have or {}, problem.want or {}
    for name, shape in want.items():
        if have.get(name) != shape:
            got = (
                f"yours has shape {have[name]}" if name in have else f"yours are: {', '.join(have)}"
            )
            return f"expected a parameter {name} of shape {shape}; {got if have else 'yours: none'}"
    return "the parameters do not match"


def _tensors(problem: Problem) -> str:
    """Say which tensor of a plain object is missing or has another shape."""
    have, want = problem.have or {}, problem.want or {}
    for name, shape in want.items():
        if name not in have:
            return f"There is no tensor {name}; yours to train: {', '.join(have) or 'none'}"
        if have[name] != shape:
            return f"{name}: expected shape {shape}, got {have[name]}"
    return "The tensors do not match"


def _one_line(text: str) -> str:
    return cut(" ".join(text.split()).rstrip("."), SAID)


def capital(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def failed(failure: Exception) -> str:
    """Return a sentence that says that the grader itself failed, and why."""
    said = f": {cut(str(failure), SAID)}" if str(failure) else ""
    return f"The grader failed ({type(failure).__name__}{said})."


def both(best: Grade, other: Grade) -> str:
    """Return the message about a module and a notebook of which the better one counts, if any."""
    counts, name = (one.path.rpartition("/")[2] for one in (best, other))
    if best.status == other.status == "unreadable":
        said = f"Neither {counts} nor {name} can be graded"
        reason, more = (one.message.removeprefix(f"{one.path} ") for one in (best, other))
        if reason == more != best.message:
            return f"{said}: each {reason}"
        return " ".join([f"{said}.", *dict.fromkeys([best.message, other.message])])
    said = f"Both {counts} and {name} were edited: {counts} counts"
    if other.status == "unreadable":
        said += f", since {other.message}"
    else:
        points = [f"{one.points:g}/{one.max_points:g}" for one in (best, other)]
        said += f", with {points[0]}; {name} would get {points[1]}."
    return f"{said} {best.message}".strip()


def not_beside(exercise: str, assignment: str, name: str) -> str:
    """Return a sentence about an earlier exercise of which there is no file."""
    return (
        f"{exercise} is part of {assignment}, of which there is no file with work that can be "
        f"read: put your {assignment}.py or {assignment}.ipynb beside {name}, or mend "
        "what is there."
    )


def no_exercise(path: Path, loaded: Loaded) -> str:
    """Return two sentences about a submission of which no name tells the assignment."""
    stopped = f" {loaded.problem.type}: {loaded.problem.text}." if loaded.problem else ""
    return (
        f"{path} defines none of the exercises, so it is not clear which assignment it is."
        f"{stopped} Name it after the assignment, or say which with --assignment."
    )


def without(packages: tuple[str, ...]) -> str:
    """Return a sentence that says which packages are missing, or ""."""
    if not packages:
        return ""
    *others, last = packages
    named = f"{', '.join(others)} and {last}" if others else last
    text = (
        f"The grader runs without {named}: a line that uses {'them' if others else 'it'} does "
        "nothing, and costs points only where an exercise needs its result. Modules of your own "
        "count if they lie beside this file, in a folder of yours or in one .zip."
    )
    reserved = [name for name in packages if name in RESERVED]
    return f"{text} None can be called {reserved[0]}: rename it." if reserved else text
