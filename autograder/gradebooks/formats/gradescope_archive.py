"""The archive that Gradescope builds an autograder's image from.

Format: Gradescope's autograder specifications: a zip with `setup.sh`, which runs once while the
image is built, and `run_autograder`, which runs for each submission. The rest is the whole course:
engine, solutions and the course secret.
"""

from __future__ import annotations

import argparse
import io
import shlex
import zipfile
from collections.abc import Iterator
from pathlib import Path

from autograder import course
from autograder.course import place, secret_file
from autograder.gradebooks.exported import Exported, ExportedFile
from autograder.report.writing import named_path
from autograder.submissions.reports import GENERATOR

HELP = "the archive for Gradescope's autograder, of one assignment"
MARK = f"# {GENERATOR}: setup.sh"
STAMP = (1980, 1, 1, 0, 0, 0)  # a fixed time, so that equal files give equal archives
READABLE, EXECUTABLE, SECRET = 0o644, 0o755, 0o600
ENGINE_FILES = ("LICENSE", "Makefile", "README.md", "pyproject.toml")
LEFT_OUT = ("__pycache__", "build", "venv")  # and whatever begins with a dot
OTHER_COURSE = "course"  # the folder of a course that is not the kit's own
SETUP = f"""#!/bin/sh
{MARK}
# Runs once, as root and with a network, while Gradescope builds the image.
set -e
cd "${{AUTOGRADER_PREFIX:-/autograder}}/source"
apt-get update
apt-get install -y --no-install-recommends bubblewrap libseccomp2 python3 python3-venv
python3 autograder/environment.py .venv export
"""
RUN = """#!/bin/sh
# {generator}: run_autograder
# Runs for each submission, and needs no network.
cd "${{AUTOGRADER_PREFIX:-/autograder}}/source" &&
    exec .venv/bin/python -m autograder.gradebooks.harness {arguments}
"""
KEEP = (
    "{} has the solutions and the course secret in it. Upload it to Gradescope, and give it to no "
    "student."
)
UNLOCKED = (
    "Where Gradescope's container cannot lock in students' code, it runs unlocked: it can then "
    "read the solutions, the hidden checks and the secret, and write its own results.json. Use "
    "this archive only if you trust all students."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this format to its parser."""
    parser.add_argument("--assignment", choices=course.assignments(), required=True, metavar="NAME")
    parser.add_argument(
        "--out", type=named_path, required=True, metavar="FILE", help="the archive to write"
    )
    parser.add_argument(
        "--unlocked",
        action="store_true",
        help="where the container cannot lock in students' code, run it all the same: it can then "
        "read the solutions and write its own score",
    )


def export(options: argparse.Namespace) -> Exported:
    """Return the archive. Raises NoSecret."""
    course.secret()
    arguments = ["--assignment", options.assignment]
    if not place.is_default():
        arguments += ["--course", f"{OTHER_COURSE}/{place.folder().name}"]
    if options.unlocked:
        arguments.append("--unlocked")
    run = RUN.format(generator=GENERATOR, arguments=shlex.join(arguments))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        # The first one is not compressed: it has the mark of the archive.
        _add(archive, "setup.sh", SETUP.encode(), EXECUTABLE, zipfile.ZIP_STORED)
        _add(archive, "run_autograder", run.encode(), EXECUTABLE)
        for name, path in _files():
            mode = SECRET if path.name == secret_file.NAME else READABLE
            _add(archive, name, path.read_bytes(), mode)
    said = [KEEP.format(options.out)]
    said += [UNLOCKED] if options.unlocked else []
    said += [secret_file.warning()] if secret_file.is_default() else []
    return Exported((ExportedFile(options.out, made.getvalue(), MARK),), tuple(said))


def _files() -> Iterator[tuple[str, Path]]:
    """Yield the files of engine and course, with their names in the archive."""
    kit, folder = place.ENGINE.parent, place.folder()
    for name in ENGINE_FILES:
        yield name, kit / name
    prefix = "" if place.is_default() else f"{OTHER_COURSE}/"
    tops = [(place.ENGINE, place.ENGINE.name), (folder, f"{prefix}{folder.name}")]
    if course.declared().take_over:
        tops.append((place.DEFAULT, place.DEFAULT.name))
    for top, name in tops:
        for path in sorted(top.rglob("*")):
            inside = path.relative_to(top)
            if (
                path.is_file()
                and not path.is_symlink()
                and not any(map(_is_left_out, inside.parts))
            ):
                yield f"{name}/{inside.as_posix()}", path
    if not secret_file.is_default():
        yield f"{prefix}{secret_file.NAME}", secret_file.file()


def _is_left_out(name: str) -> bool:
    return name.startswith(".") or name in LEFT_OUT or name.endswith((".pyc", ".egg-info"))


def _add(
    archive: zipfile.ZipFile,
    name: str,
    content: bytes,
    mode: int,
    compression: int = zipfile.ZIP_DEFLATED,
) -> None:
    file = zipfile.ZipInfo(name, STAMP)
    file.external_attr = mode << 16
    archive.writestr(file, content, compression)
