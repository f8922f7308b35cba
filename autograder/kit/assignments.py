"""Write assignments/: the modules and notebooks that students fill in, and an overview."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat

from autograder.checking.collect import Checks, collect
from autograder.course import (
    about,
    assignments,
    assignments_folder,
    declared,
    notebook_skeleton,
    skeleton,
)
from autograder.kit.notebook import notebook

# `Makefile: ;` keeps make from making this file by the rule for everything.
MAKEFILE = """\
# What make does in the folder above, it does here too.
# What is typed may be the name of a stranger's file: it is passed on as it stands.
typed := $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name)))
$(foreach name,$(typed),$(eval override $(name) := $$(value $(name))))
.DEFAULT_GOAL := help
Makefile: ;
# A path that is typed here begins here.
%:
	@$(if $(filter SUBMISSION-grade KIT-update,$(typed:%=%-$@)),AUTOGRADER_FROM=assignments) \\
		$(MAKE) --no-print-directory -C .. $@
"""
TITLE = re.compile(r"^# # (.+)$", re.MULTILINE)
INTRODUCTION = """\
Work through the assignments from the top. Write each one in its module (`.py`) or in its
notebook (`.ipynb`), as you like: `make grade` grades the file that you have edited.

Points are for all checks. Those that can be seen give the points in the column *visible*; the
hidden ones are run when you hand in.
"""


def write_all() -> list[Path]:
    """Write every module and notebook under assignments/, and what is beside them.

    Returns the paths.
    """
    written = texts()
    folder = assignments_folder()
    folder.mkdir(exist_ok=True)
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return [folder / name for name in written]


def texts() -> dict[str, str]:
    """Return the contents of assignments/ by file name."""
    made = {}
    for name in assignments():
        made[f"{name}.py"] = skeleton(name)
        made[f"{name}.ipynb"] = nbformat.writes(notebook(notebook_skeleton(name), name)) + "\n"
    return {**made, "README.md": course_map(collect()), "Makefile": MAKEFILE}


def course_map(checks: Checks) -> str:
    """Return the README of the assignments: prerequisites, hours, points and source of each."""
    course = declared()
    totals = {True: 0.0, False: 0.0}  # of optional assignments, and of the others
    rows = [
        "|   | assignment | builds on | hours | points | visible | taken from |",
        "|---|---|---|---|---|---|---|",
    ]
    lists = []
    for number, name in enumerate(assignments(), 1):
        text = skeleton(name)
        title, facts = TITLE.search(text), about(text)
        exercises = checks.exercises(name)
        homes = {checks.home(need): None for e in exercises for need in e.needs}
        needs = ", ".join(f"`{home}`" for home in homes if home != name) or "nothing"
        own = [check for exercise in exercises for check in checks.of(exercise)]
        points = sum(check.check.points for check in own)
        visible = sum(check.check.points for check in own if check.visible)
        is_optional = name in course.optional()
        totals[is_optional] += points
        about_it = (title[1] if title else "") + " (optional)" * is_optional
        limit = f", at most {course.minutes(name)} minutes" * bool(course.minutes(name))
        rows.append(
            f"| {number} | [`{name}`]({name}.py) {about_it} | {needs} "
            f"| {facts.get('hours', '')}{limit} | {points:g} | {visible:g} "
            f"| {facts.get('from', '')} |"
        )
        lists.append(f"{number}. `{name}`: " + ", ".join(f"`{e.name}`" for e in exercises))
    heading = [f"# {course.title}", "", *([course.introduction, ""] if course.introduction else [])]
    extra = [f"\n{totals[False]:g} points in all; optional assignments give {totals[True]:g} more."]
    rows += extra if totals[True] else []
    order = ["The exercises, in the order of writing them:", ""]
    return "\n".join([*heading, INTRODUCTION, *rows, "", *order, *lists, ""])
