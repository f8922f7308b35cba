"""One sentence for each problem: what happened, where, what to do."""

from __future__ import annotations

import re

from autograder.client import Problem
from autograder.grading.fitting import SAID, cut
from autograder.sandbox import Limits

ARGUMENTS = re.compile(  # as Python counts them when they are too many
    r"takes (?P<takes>\d+) positional arguments? but (?P<given>\d+) w(?:as|ere) given"
)
CATEGORIES = {
    "absent": "not there",
    "unwritten": "not written",
    "not_a_class": "not a class",
    "not_a_function": "not a function",
    "signature": "cannot be built",
    "not_a_module": "not an nn.Module",
    "no_super": "does not call super().__init__()",
    "names": "wrong parameters",
    "unsuited": "uses another exercise otherwise",
    "not_there": "uses a package that is not there",
    "raised": "raised an error",
    "syntax": "syntax error",
    "exit": "ended the program",
    "timeout": "timed out",
    "killed": "timed out",
    "memory": "ran out of memory",
    "crashed": "crashed",
    "left": "ended the program",
    "garbled": "no sensible reply",
    "spent": "not asked, for want of time",
}


def category(problem: Problem) -> str:
    """The fixed phrase for a problem, which gives nothing away."""
    return CATEGORIES[problem.kind]


def sentence(problem: Problem, limits: Limits) -> str:
    """What a student reads about a problem."""
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
            return f"{problem.text}. A class of this kind begins: class Name(nn.Module)."
        case "names":
            return f"The reference's numbers cannot be loaded: {_names(problem)}."
        case "not_there":
            name = _one_line(problem.text)
            return f"It uses {name}, which the grader does not have{place}. Write it with PyTorch."
        case "syntax":
            return f"Python cannot read the file: {problem.text}{place}."
        case "exit":
            return f"It ends the program (sys.exit){place}. A module leaves that to its user."
        case "timeout":
            return f"{capital(problem.text)}{place}. Is there an endless loop?"
        case "killed":
            return f"{capital(problem.text)}, and could not be interrupted."
        case "memory":
            return f"It asks for more memory than there is ({limits.memory >> 30} GB){place}."
        case "spent":
            return (
                f"Not asked: this work has used up its {limits.budget:g} s, or its "
                f"{limits.questions} questions."
            )
        case "crashed" | "left" | "garbled":
            return f"{capital(problem.text)}."
    text = _one_line(problem.text)
    hint = " Does its def lack an argument, self perhaps?" if _is_one_too_many(problem) else ""
    return f"It raises {problem.type}{': ' if text else ''}{text}{place}.{hint}"


def traceback(problem: Problem) -> list[str]:
    """The student's own lines on the way to an exception; none where one line says it all."""
    if problem.kind != "raised" or len(problem.frames) < 2:
        return []
    return [f"{frame.file}, line {frame.line}: {frame.code}" for frame in problem.frames]


def _is_one_too_many(problem: Problem) -> bool:
    """Was a function called with one argument more than it takes? So it is without a self."""
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


def _one_line(text: str) -> str:
    return cut(" ".join(text.split()).rstrip("."), SAID)


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def failed(failure: Exception) -> str:
    """Say in a sentence that the grader itself has failed, and why."""
    said = f": {cut(str(failure), SAID)}" if str(failure) else ""
    return f"The grader failed ({type(failure).__name__}{said})."
