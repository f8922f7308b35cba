"""`python -m autograder export FORMAT`: write grades in the format of another system."""

from __future__ import annotations

import argparse
import sys

from autograder.gradebooks import formats
from autograder.gradebooks.exported import write
from autograder.grading.fitting import printable
from autograder.report.codes import FAILED, OK
from autograder.report.streams import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a subcommand for each format."""
    verbs = parser.add_subparsers(dest="format", required=True, metavar="FORMAT")
    for name in formats.names():
        found = formats.find(name)
        found.add_arguments(verbs.add_parser(name, help=found.HELP))


def run(options: argparse.Namespace) -> int:
    """Write the files of a format. Returns the exit code. Raises UsageError, CannotWrite."""
    exported = formats.find(options.format).export(options)
    write(exported.files)
    for remark in exported.remarks:
        print(printable(remark), file=sys.stderr)
    for file in exported.files:
        say(f"wrote {file.path}\n")
    return FAILED if exported.needs_staff else OK
