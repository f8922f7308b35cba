"""The course: its folder, its assignments and their declarations, its secret."""

from autograder.course.editions import edition, fingerprint
from autograder.course.place import (
    RECORDED,
    Declaration,
    NoCourse,
    assignments_folder,
    check_files,
    corpus,
    declared,
    folder,
    is_default,
    is_students_copy,
    recorded_file,
    root,
    solution_file,
    text_of,
    use,
)
from autograder.course.secrecy import secret, secret_stamp
from autograder.course.source_lines import source_lines
from autograder.course.texts import (
    DEFINED,
    HEADER,
    about,
    assignments,
    inputs,
    notebook_skeleton,
    skeleton,
    solution,
)

__all__ = [
    "DEFINED",
    "HEADER",
    "RECORDED",
    "Declaration",
    "NoCourse",
    "about",
    "assignments",
    "assignments_folder",
    "check_files",
    "corpus",
    "declared",
    "edition",
    "fingerprint",
    "folder",
    "inputs",
    "is_default",
    "is_students_copy",
    "notebook_skeleton",
    "recorded_file",
    "root",
    "secret",
    "secret_stamp",
    "skeleton",
    "solution",
    "solution_file",
    "source_lines",
    "text_of",
    "use",
]
