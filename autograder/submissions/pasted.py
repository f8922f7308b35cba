"""Take off what IPython takes off a pasted cell: the common indent, and prompts."""

from __future__ import annotations

import re
from textwrap import dedent

from autograder.submissions.continuing import Lines

PYTHON = re.compile(r"[ \t]*>>>[ \t]?")
PYTHON_GOES_ON = re.compile(r"[ \t]*(?:>>>|\.\.\.)[ \t]?")
IPYTHON = re.compile(r"(?:(?:\[nav\]|\[ins\])? )?In \[\d+\]: |[ \t]*\.{3,}: ?")


def as_code(cell: str) -> str:
    """Return a cell without indent and prompts; lines keep their numbers."""
    lines = dedent(cell).split("\n")
    if ">>>" in cell:
        lines = _without_prompts_of_python(lines)
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if any(IPYTHON.match(line) for line in lines[first : first + 2]):
        lines = [IPYTHON.sub("", line, count=1) if IPYTHON.match(line) else line for line in lines]
    return "\n".join(lines)


def _without_prompts_of_python(lines: list[str]) -> list[str]:
    """Take off `>>>` and `...`, but not in strings that begin in a line without a prompt."""
    code: list[str] = []
    state = Lines()
    had_prompt = is_pasted = False
    for line in lines:
        prompt = PYTHON_GOES_ON.match(line) if not state.quote or had_prompt else None
        is_pasted = is_pasted or bool(prompt and PYTHON.match(line))
        had_prompt = bool(prompt) or (had_prompt and bool(state.quote))
        code.append(line[prompt.end() :] if prompt else line)
        state.read(code[-1])
    return dedent("\n".join(code)).split("\n") if is_pasted else lines
