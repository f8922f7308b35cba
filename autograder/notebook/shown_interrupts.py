"""Show of an interrupt the student's lines, and not those of the kit that it has reached."""

from __future__ import annotations

import os
from types import FrameType
from typing import Any

from autograder.course.place import ENGINE


def end_interrupts_in_cells(shell: Any) -> None:
    """Let an interrupt show the student's lines, and not those of the kit that it has reached.

    shell: IPython's. Where it handles interrupts in a way of its own already, nothing changes.
    """

    def show(shell: Any, kind: type, error: BaseException, trace: Any, tb_offset: Any) -> None:
        last = trace
        while last.tb_next and not _is_ours(last.tb_next.tb_frame):
            last = last.tb_next
        last.tb_next = None
        shell.showtraceback((kind, error, trace), running_compiled_code=True)

    if not shell.custom_exceptions:
        shell.set_custom_exc((KeyboardInterrupt,), show)


def _is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(f"{ENGINE}{os.sep}")
