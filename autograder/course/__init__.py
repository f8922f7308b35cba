"""The course: its folder, its assignments and their declarations, its secret."""

from autograder.course.declaration import Declaration
from autograder.course.editions import edition, fingerprint
from autograder.course.place import (
    RECORDED,
    NoCourse,
    assignments_folder,
    check_files,
    check_folders,
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
from autograder.course.replaced import readme
from autograder.course.secrecy import secret, secret_stamp
from autograder.course.statements import (
    given,
    inputs,
    notebook_skeleton,
    program,
    skeleton,
    statement,
    untranslated,
)
from autograder.course.texts import (
    DEFINED,
    HEADER,
    about,
    assignments,
    exercises,
    solution,
    sources,
)
from autograder.runtime.source_lines import source_lines

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
    "check_folders",
    "corpus",
    "declared",
    "edition",
    "exercises",
    "fingerprint",
    "folder",
    "given",
    "inputs",
    "is_default",
    "is_students_copy",
    "notebook_skeleton",
    "program",
    "readme",
    "recorded_file",
    "root",
    "secret",
    "secret_stamp",
    "skeleton",
    "solution",
    "solution_file",
    "source_lines",
    "sources",
    "statement",
    "text_of",
    "untranslated",
    "use",
]
