"""Either the module or the notebook counts; damaged notebooks are read or refused."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any

import nbformat
import pytest
from conftest import of, points, written

from autograder.course import assignments, skeleton
from autograder.grading.grade import Grade, Outcome
from autograder.grading.grader import Grader
from autograder.kit.notebook import notebook
from autograder.submissions.finding import find

Texts = dict[str, str]
BASE, BUILT = "attention_layer", "multi_head"  # the second needs the first
MODULE, BOOK = ".py", ".ipynb"


def as_notebook(text: str, name: str = BASE) -> str:
    return nbformat.writes(notebook(text, name)) + "\n"


def put(folder: Path, text: str, *names: str) -> None:
    """Write the text of an assignment into files of these names, each in its form."""
    for path in (folder / name for name in names):
        made = as_notebook(text, path.stem) if path.suffix == BOOK else text
        path.write_text(made, encoding="utf-8")


def has_full_marks(grade: Grade) -> bool:
    return grade.status == "graded" and grade.points == grade.max_points > 0


# Which file counts


@pytest.mark.parametrize("begun", ["", MODULE, BOOK])
@pytest.mark.parametrize("there", [(MODULE,), (BOOK,), (MODULE, BOOK)])
def test_the_one_in_which_work_was_begun(
    there: tuple[str, ...], begun: str, tmp_path: Path, solutions: Texts
) -> None:
    for suffix in there:
        text = written(solutions[BASE]) if suffix == begun else skeleton(BASE)
        put(tmp_path, text, f"{BASE}{suffix}")
    [found] = find(tmp_path, None)
    expected = begun if begun in there else there[0]
    assert found.path == tmp_path / f"{BASE}{expected}"
    assert (found.assignment, found.name, found.problem) == (BASE, tmp_path.name, "")


@pytest.mark.parametrize("better", [MODULE, BOOK])
@pytest.mark.dear
def test_the_better_one_counts_where_both_were_begun(
    better: str, tmp_path: Path, solutions: Texts, grader: Grader
) -> None:
    """The message says how many points the other one would get."""
    other = BOOK if better == MODULE else MODULE
    put(tmp_path, written(solutions[BASE]), f"{BASE}{better}")
    wrong = written(solutions[BASE]).replace("math.sqrt(Q.shape[-1])", "math.sqrt(2 * Q.shape[-1])")
    put(tmp_path, wrong, f"{BASE}{other}")
    [found] = find(tmp_path, None)
    grade = grader.grade(found)
    assert has_full_marks(grade)
    assert Path(grade.path).name == f"{BASE}{better}"
    alone = grader.grade(find(tmp_path / f"{BASE}{other}", None)[0])
    full = points(BASE)
    assert grade.message == (
        f"Both {BASE}{better} and {BASE}{other} were edited: {BASE}{better} counts, with "
        f"{full:g}/{full:g}; {BASE}{other} would get {alone.points:g}/{full:g}."
    )
    assert 0 < alone.points < full


@pytest.mark.dear
def test_the_same_one_counts_for_one_exercise_as_for_all(
    tmp_path: Path, solutions: Texts, grader_of: Callable[..., Grader]
) -> None:
    """Even if the other one has this exercise right."""
    name, unwritten = "ScaledDotProduct", 'raise NotImplementedError("ScaledDotProduct'
    right = "return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1) @ V  #"
    put(tmp_path, written(solutions[BASE]).replace("math.sqrt(Q.shape[-1])", "2"), f"{BASE}.py")
    put(tmp_path, skeleton(BASE).replace(unwritten, right), f"{BASE}.ipynb")
    [found] = find(tmp_path, None)
    grades = [grader_of(one).grade(found) for one in ("", name)]
    assert [Path(one.path).name for one in grades] == [f"{BASE}.py"] * 2
    assert grades[0].message == grades[1].message != ""
    assert [one.name for one in grades[1].exercises] == [name]
    assert of(grades[1], name).outcome is Outcome.FAILED
    [other] = find(tmp_path / f"{BASE}.ipynb", None)
    assert of(grader_of(name).grade(other), name).outcome is Outcome.PASSED


def test_the_same_code_in_both_is_graded_once(
    tmp_path: Path, solutions: Texts, grader: Grader
) -> None:
    put(tmp_path, written(solutions[BASE]), f"{BASE}.py", f"{BASE}.ipynb")
    [found] = find(tmp_path, None)
    assert found.other is None
    grade = grader.grade(found)
    assert (has_full_marks(grade), grade.message) == (True, "")


UNCHANGED: dict[str, Callable[[str], str]] = {
    "comments and empty lines": lambda text: f"# mine\n\n{text}\n\n    # to do\n",
    "tabs": lambda text: text.replace("    ", "\t"),
    "spaces at the ends of lines": lambda text: text.replace("\n", "   \n"),
}


@pytest.mark.parametrize("name", UNCHANGED)
def test_what_is_no_work(name: str, tmp_path: Path, solutions: Texts) -> None:
    (tmp_path / f"{BASE}.py").write_text(UNCHANGED[name](skeleton(BASE)), encoding="utf-8")
    made = notebook(skeleton(BASE), BASE)
    made.cells.append(nbformat.v4.new_code_cell("%matplotlib inline\n\n!pip list\n# tried"))
    made.cells.append(nbformat.v4.new_markdown_cell("my notes"))
    for cell in made.cells:
        if "active-ipynb" in cell.metadata.get("tags", []):
            cell.source = "torch.manual_seed(2)"
    nbformat.write(made, tmp_path / f"{BASE}.ipynb")
    [found] = find(tmp_path, None)
    assert (found.path.suffix, found.problem) == (MODULE, "")
    put(tmp_path, solutions[BASE], f"{BASE}.ipynb")
    [found] = find(tmp_path, None)
    assert (found.path.suffix, found.problem) == (BOOK, "")


@pytest.mark.parametrize("damaged", [MODULE, BOOK])
def test_one_that_cannot_be_read_counts_as_begun(
    damaged: str, tmp_path: Path, solutions: Texts, grader: Grader
) -> None:
    """A file that cannot be read could be the edited one, so it is not ignored silently."""
    put(tmp_path, skeleton(BASE), f"{BASE}.py", f"{BASE}.ipynb")
    path = tmp_path / f"{BASE}{damaged}"
    path.write_bytes(b"\xe9")
    [found] = find(tmp_path, None)
    assert found.path == path
    assert found.problem.startswith(f"{path} ")
    put(tmp_path, solutions[BASE], f"{BASE}{MODULE if damaged == BOOK else BOOK}")
    [found] = find(tmp_path, None)
    grade = grader.grade(found)
    assert has_full_marks(grade)
    assert f"counts, since {path} " in grade.message


def test_a_class_of_notebooks(tmp_path: Path, solutions: Texts, grader: Grader) -> None:
    """Files that are named after students count in either form."""
    for name, text in (("anna", solutions[BASE]), ("ben", skeleton(BASE))):
        (tmp_path / f"{name}.ipynb").write_text(as_notebook(text), encoding="utf-8")
    (tmp_path / "cleo.py").write_text(solutions[BASE], encoding="utf-8")
    (tmp_path / "list.csv").write_text("anna, ben, cleo")
    grades = [grader.grade(submission) for submission in find(tmp_path, BASE)]
    assert [grade.submission for grade in grades] == ["anna", "ben", "cleo"]
    assert [has_full_marks(grade) for grade in grades] == [True, False, True]
    assert grades[1].points == 0
    [found] = find(tmp_path, None)
    assert found.problem.startswith(f"{tmp_path} holds no submission: expected ")
    assert found.problem.endswith(", give the assignment: --assignment NAME.")


# Modules of other assignments


@pytest.mark.parametrize("right", [MODULE, BOOK])
@pytest.mark.parametrize("suffix", [MODULE, BOOK])
def test_imports_come_from_the_one_that_was_written(
    right: str, suffix: str, tmp_path: Path, solutions: Texts, grader: Grader
) -> None:
    """The result is the same for the folder and for the file alone."""
    put(tmp_path, skeleton(BASE), f"{BASE}.py", f"{BASE}.ipynb")
    put(tmp_path, solutions[BASE], f"{BASE}{right}")
    put(tmp_path, skeleton(BUILT), f"{BUILT}.py", f"{BUILT}.ipynb")
    put(tmp_path, solutions[BUILT], f"{BUILT}{suffix}")
    for path in (tmp_path, tmp_path / f"{BUILT}{suffix}"):
        [found] = find(path, BUILT)
        assert found.path == tmp_path / f"{BUILT}{suffix}"
        assert has_full_marks(grader.grade(found))


def unclosed(text: str) -> str:
    """Return the text with a bracket of FeedForwardLayer that is not closed."""
    return text.replace("self.firstlayer = nn.Linear(", "self.firstlayer = nn.Linear((", 1)


def without_gelu(text: str) -> str:
    return text.replace("nn.GELU()", "nn.Tanh()")


def endless(text: str) -> str:
    return f"{text}\n\nwhile True:\n    pass\n"


@pytest.mark.parametrize("right", [MODULE, BOOK])
@pytest.mark.parametrize("suffix", [MODULE, BOOK])
@pytest.mark.parametrize("wrong", [unclosed, without_gelu, endless])
@pytest.mark.dear
def test_imports_come_from_the_better_one_where_both_were_written(
    wrong: Callable[[str], str],
    right: str,
    suffix: str,
    tmp_path: Path,
    solutions: Texts,
    grader: Grader,
) -> None:
    """Whichever form the exercise is written in, and in a class's folder too."""
    last = "transformer"
    own = tmp_path / "anna"
    own.mkdir()
    other = BOOK if right == MODULE else MODULE
    spoiled = wrong(solutions[BASE])
    assert spoiled != solutions[BASE]
    put(own, spoiled, f"{BASE}{other}")
    put(own, solutions[BASE], f"{BASE}{right}")
    put(own, solutions[BUILT], f"{BUILT}{suffix}")
    put(own, solutions[last], f"{last}{suffix}")
    for assignment in (BUILT, last):
        for folder in (own, tmp_path):
            [found] = find(folder, assignment)
            grade = grader.grade(found)
            assert has_full_marks(grade)
            assert all(one.outcome is Outcome.PASSED for one in grade.exercises)


@pytest.mark.dear
def test_what_cannot_be_read_in_an_earlier_file_is_wrong_there_and_not_missing(
    tmp_path: Path, solutions: Texts, grader: Grader
) -> None:
    """As within one file: what uses it is judged with a correct one, and keeps its points."""
    put(tmp_path, unclosed(solutions[BASE]), f"{BASE}.py")
    put(tmp_path, solutions["transformer"], "transformer.py")
    [found] = find(tmp_path, "transformer")
    [last] = grader.grade(found).exercises
    assert (last.outcome, last.points) == (Outcome.BLOCKED, last.max_points)


@pytest.mark.dear
def test_what_stands_above_an_endless_line_of_an_earlier_file_is_imported(
    tmp_path: Path, solutions: Texts, grader: Grader
) -> None:
    put(tmp_path, endless(solutions[BASE]), f"{BASE}.py")
    put(tmp_path, solutions[BUILT], f"{BUILT}.py")
    [found] = find(tmp_path, BUILT)
    grade = grader.grade(found)
    assert has_full_marks(grade)
    assert grade.message.startswith(f"Not finished after 2 s ({BASE}.py, line ")


@pytest.mark.parametrize("name", [f"{BASE} (1).py", f"{BASE}-Copy1.ipynb"])
def test_imports_come_from_a_copy_that_counts(
    name: str, tmp_path: Path, solutions: Texts, grader: Grader
) -> None:
    """It counts for its own assignment where the file of the exact name holds no work."""
    put(tmp_path, skeleton(BASE), f"{BASE}.py", f"{BASE}.ipynb")
    put(tmp_path, solutions[BASE], name)
    put(tmp_path, solutions[BUILT], f"{BUILT}.py")
    found = {one.assignment: one for one in find(tmp_path, None)}
    assert found[BASE].path.name == name
    assert has_full_marks(grader.grade(found[BUILT]))


def test_imports_without_what_they_come_from(
    tmp_path: Path, solutions: Texts, grader: Grader
) -> None:
    for spoil in (lambda path: path.write_bytes(b"{"), Path.unlink):
        put(tmp_path, solutions[BUILT], f"{BUILT}.ipynb")
        put(tmp_path, solutions[BASE], f"{BASE}.ipynb")
        spoil(tmp_path / f"{BASE}.ipynb")
        [found] = find(tmp_path, BUILT)
        grade = grader.grade(found)
        assert of(grade, "MultiHeadList").waits_for == "AttentionHead"
        assert grade.message == (
            f"AttentionHead is part of {BASE}, of which there is no file with work that can be "
            f"read: put your {BASE}.py or {BASE}.ipynb beside {BUILT}.ipynb, or mend what is there."
        )
        assert of(grade, "MultiHeadAttention").outcome is Outcome.PASSED


# Notebooks in practice


@pytest.mark.parametrize("name", assignments())
def test_the_reference_in_the_notebook_gets_full_marks(
    name: str, tmp_path: Path, solutions: Texts, grader: Grader
) -> None:
    for other in assignments():
        put(tmp_path, written(solutions[other]), f"{other}.ipynb")
    [found] = find(tmp_path, name)
    grade = grader.grade(found)
    assert found.path.suffix == BOOK
    assert {e.name: e.outcome for e in grade.exercises} == {
        e.name: Outcome.PASSED for e in grade.exercises
    }
    assert has_full_marks(grade)


def with_cells(*sources: str, first: bool = True) -> Callable[[str], bytes]:
    """Return a change that adds code cells, before the others or after them."""

    def change(text: str) -> bytes:
        made = nbformat.reads(text, as_version=4)
        more = [nbformat.v4.new_code_cell(source) for source in sources]
        made.cells = more + made.cells if first else made.cells + more
        return nbformat.writes(made).encode()

    return change


def in_cell(old: str, new: str) -> Callable[[str], bytes]:
    """Return a change that replaces a passage of the code."""

    def change(text: str) -> bytes:
        made = nbformat.reads(text, as_version=4)
        [cell] = [c for c in made.cells if c.cell_type == "code" and old in c.source]
        cell.source = cell.source.replace(old, new, 1)
        return nbformat.writes(made).encode()

    return change


def changed(change: Callable[[dict[str, Any]], object]) -> Callable[[str], bytes]:
    """Return a change of the notebook's JSON."""

    def result(text: str) -> bytes:
        made = json.loads(text)
        change(made)
        return json.dumps(made).encode()

    return result


def nameless(made: dict[str, Any]) -> None:
    for cell in made["cells"]:
        del cell["id"]


def old_version(text: str) -> bytes:
    return nbformat.writes(nbformat.reads(text, as_version=3), version=3).encode()


IMPORT = "import math\n"
MINOR = '"nbformat_minor": 5'


def each_cell(change: Callable[[str], str]) -> Callable[[str], bytes]:
    """Return what changes each of a notebook's code cells that defines a class."""

    def edit(made: dict[str, Any]) -> None:
        for cell in made["cells"]:
            if cell["cell_type"] == "code" and "class " in "".join(cell["source"]):
                cell["source"] = change("".join(cell["source"]))

    return changed(edit)


def guarded(source: list[str]) -> list[str]:
    """Return a cell's lines as a block that Jupyter runs."""
    indented = [f"    {line}" if line.strip() else line for line in source]
    return ["if __name__ == '__main__':  # in Jupyter\n", *indented]


FINE: dict[str, Callable[[str], bytes]] = {
    "BOM": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "version 3": old_version,
    "cells without names": changed(nameless),
    "version 4.0": lambda text: changed(nameless)(text.replace(MINOR, f"{MINOR[:-1]}0")),
    "cells in one string": changed(
        lambda made: [c.update(source="".join(c["source"])) for c in made["cells"]]
    ),
    "an empty cell": with_cells("", "\n\n", "# only a comment"),
    "%": in_cell(IMPORT, f"%matplotlib inline\n%pip install x\n  %time y = 1\n{IMPORT}"),
    "!": in_cell(IMPORT, f"!pip install einops\n{IMPORT}"),
    "?": in_cell(IMPORT, f"?print\n{IMPORT}print?\nmath.pi??\n"),
    "= !": in_cell(IMPORT, f"{IMPORT}files = !ls -l\na, b = %timeit -o 1\n"),
    "%%time": in_cell(IMPORT, f"%%time\n{IMPORT}"),
    "%%capture": in_cell(IMPORT, f"%%capture --no-stderr\n{IMPORT}"),
    "%%bash": with_cells("%%bash\nls -la | grep 'x\nfor i in *; do", "%%html\n<b>"),
    "%%bash below empty lines": with_cells("\n \n%%bash\nls 'x"),
    "remainder": with_cells("x = (7\n     % 4)\nassert x == 3"),
    "remainder of a name": with_cells("n = 4\nx = [7\n     %n, '(']\nassert x == [3, '(']"),
    "not equal": with_cells("x = (1  # (\n     != 2)\ny = 1 \\\n  !=2\nassert x and y"),
    "a text": with_cells('x = """It\'s\n!\n%s"""\nassert "#" not in x'),
    "a command behind a text": with_cells("x = 'it\\'s'; y = f'{[x]}'\n!ls (\n%cd '\nassert y"),
    "a command of two lines": with_cells("!ls \\\n  -l\nx = 1"),
    "all of it guarded": changed(
        lambda made: [
            cell.update(source="".join(guarded(cell["source"])))
            for cell in made["cells"]
            if cell["cell_type"] == "code" and "class " in "".join(cell["source"])
        ]
    ),
    "guarded imports": in_cell(IMPORT, "if __name__ == '__main__':\n    import math\nroot = 1\n"),
    "pasted with an indent": each_cell(lambda cell: indent(cell, "  ")),
    "pasted from Python": each_cell(lambda cell: ">>> " + cell.replace("\n", "\n... ")),
    "pasted from IPython": each_cell(lambda cell: "In [3]: " + cell.replace("\n", "\n   ...: ")),
    "the same key twice": lambda text: text.replace(MINOR, f"{MINOR}, {MINOR}").encode(),
    "a guarded trial": with_cells('if __name__ == "__main__":\n    raise SystemExit', first=False),
    "a demonstration that raises": changed(
        lambda made: [
            cell.update(source="raise SystemExit")
            for cell in made["cells"]
            if "active-ipynb" in cell["metadata"].get("tags", [])
        ]
    ),
}


def on_disk(grader: Grader, path: Path, data: bytes) -> Grade:
    """Grade a file with this content."""
    path.write_bytes(data)
    [submission] = find(path, None)
    return grader.grade(submission)


@pytest.mark.parametrize("name", FINE)
def test_unusual_notebooks_are_read(
    name: str,
    grader: Grader,
    tmp_path: Path,
    solutions: Texts,
    recwarn: pytest.WarningsRecorder,
) -> None:
    text = as_notebook(written(solutions[BASE]))
    data = FINE[name](text)
    assert data != text.encode()
    grade = on_disk(grader, tmp_path / f"{BASE}.ipynb", data)
    assert (grade.status, grade.message) == ("graded", "")
    assert has_full_marks(grade)
    assert [str(warning.message) for warning in recwarn] == []


TROUBLED: dict[str, tuple[Callable[[str], bytes], str]] = {
    "a cell that raises": (
        with_cells("x = 1", "y = x / 0"),
        "It raises ZeroDivisionError: division by zero (attention_layer.ipynb, cell 2, line 1: "
        "`y = x / 0`). All other cells were graded.",
    ),
    "a cell at the end that raises": (
        with_cells("ScaledDotProduct()(1, 2, 3)", first=False),
        "It raises AttributeError: 'int' object has no attribute 'transpose' ",
    ),
    "a syntax error": (
        with_cells("def f(:\n    pass"),
        "Python cannot read the file: invalid syntax (attention_layer.ipynb, cell 1, line 1: "
        "`def f(:`). All statements that Python can read were graded.",
    ),
    "a merge conflict": (
        with_cells("<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> other"),
        "There is a merge conflict (attention_layer.ipynb, cell 1, line 1: `<<<<<<< HEAD`). Keep "
        "one of the versions, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>. "
        "All statements that Python can read were graded.",
    ),
    "input": (
        with_cells("n = int(input('How many heads? '))"),
        "It raises EOFError: EOF when reading a line (attention_layer.ipynb, cell 1, line 1: ",
    ),
    "exit": (
        with_cells("import sys\nsys.exit()"),
        "It ends the program (sys.exit) (attention_layer.ipynb, cell 1, line 2: `sys.exit()`).",
    ),
    "half a character": (
        changed(lambda made: made["cells"].append(nbformat.v4.new_code_cell("x = '\ud800'"))),
        "It raises UnicodeEncodeError: ",
    ),
}


@pytest.mark.parametrize("name", TROUBLED)
def test_a_cell_in_trouble_costs_the_others_nothing(
    name: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    change, sentence = TROUBLED[name]
    data = change(as_notebook(written(solutions[BASE])))
    grade = on_disk(grader, tmp_path / f"{BASE}.ipynb", data)
    assert grade.message.startswith(sentence)
    assert grade.message.endswith(" were graded.")
    assert "\n" not in grade.message
    assert has_full_marks(grade)


def test_an_exercise_in_a_cell_with_a_syntax_error(
    grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    change = in_cell("class FeedForwardLayer(", "class FeedForwardLayer((")
    data = change(as_notebook(written(solutions[BASE])))
    grade = on_disk(grader, tmp_path / f"{BASE}.ipynb", data)
    assert grade.message.startswith("Python cannot read the file: ")
    assert of(grade, "FeedForwardLayer").points == 0
    assert of(grade, "AttentionHead").outcome is Outcome.PASSED
    assert of(grade, "SimpleAttentionLayer").waits_for == "FeedForwardLayer"


NOT_ONE = "cannot be read as a notebook ("
CLEAR = "has {} MB; a notebook may have 150 MB. Clear its outputs."
DAMAGED: dict[str, tuple[Callable[[str], bytes], str]] = {
    "not JSON": (lambda text: b"print('hello')\n", NOT_ONE),
    "cut off": (lambda text: text.encode()[:5000], NOT_ONE),
    "half a merge conflict": (lambda text: f"<<<<<<< HEAD\n{text}".encode(), NOT_ONE),
    "another JSON": (lambda text: b'{"name": "x"}', NOT_ONE),
    "a list": (lambda text: b"[1, 2]", NOT_ONE),
    "two lists of cells": (
        lambda text: text.replace(MINOR, f'{MINOR}, "cells": []').encode(),
        "cannot be read as a notebook (an object has a key twice, with different values).",
    ),
    "a number": (lambda text: b"7", NOT_ONE),
    "no cells": (changed(lambda made: made.pop("cells")), NOT_ONE),
    "cells by name": (changed(lambda made: made.update(cells={"a": 1})), NOT_ONE),
    "a cell that is a text": (changed(lambda made: made["cells"].append("x = 1")), NOT_ONE),
    "a source that is a number": (
        changed(lambda made: [c.update(source=5) for c in made["cells"]]),
        NOT_ONE,
    ),
    "of the future": (changed(lambda made: made.update(nbformat=9)), NOT_ONE),
    "nested without end": (lambda text: b"[" * 100_000, NOT_ONE),
    "NUL": (with_cells("x = '\0'"), "contains NUL bytes, which no code has. Delete them, and"),
    "151 MB of outputs": (lambda text: text.encode() + b" " * 151_000_000, CLEAR.format("151.0")),
    "30 MB of metadata": (
        changed(lambda made: made["metadata"].update(pictures="x" * 30_000_000)),
        "cannot be read as a notebook (it has too much text that is no output).",
    ),
    "pasted data": (
        with_cells("x = [\n" + "    1.0,\n" * 30_000 + "]"),
        "has more than 200 kB of code. Take out pasted data.",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_notebook_is_refused_in_a_sentence(
    name: str,
    grader: Grader,
    tmp_path: Path,
    solutions: Texts,
    capfd: pytest.CaptureFixture[str],
) -> None:
    change, sentence = DAMAGED[name]
    path = tmp_path / f"{BASE}.ipynb"
    grade = on_disk(grader, path, change(as_notebook(written(solutions[BASE]))))
    assert grade.status == "unreadable"
    assert grade.message.startswith(f"{path} {sentence}")
    assert grade.message.endswith(".")
    assert "\n" not in grade.message
    assert len(grade.message) < len(str(path)) + 200
    assert (grade.points, grade.assignment) == (0, BASE)
    assert capfd.readouterr() == ("", "")


def test_a_notebook_without_any_cell_is_not_written(grader: Grader, tmp_path: Path) -> None:
    data = changed(lambda made: made["cells"].clear())(as_notebook(skeleton(BASE)))
    grade = on_disk(grader, tmp_path / f"{BASE}.ipynb", data)
    assert (grade.status, grade.points) == ("graded", 0)
    assert {exercise.outcome for exercise in grade.exercises} <= {Outcome.MISSING, Outcome.BLOCKED}


@pytest.mark.dear
def test_outputs_within_the_limit_do_not_matter(
    grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    made = notebook(written(solutions[BASE]), BASE)
    shown = nbformat.v4.new_output("display_data", {"image/png": "x" * 99_000_000})
    [cell, *_] = [cell for cell in made.cells if cell.cell_type == "code"]
    cell.outputs = [shown]
    data = nbformat.writes(made).encode()
    assert has_full_marks(on_disk(grader, tmp_path / f"{BASE}.ipynb", data))


@pytest.mark.parametrize(
    "command",
    [
        "%run ./attention_layer.ipynb",
        "%run ../attention_layer/attention_layer.ipynb",
        "%run attention_layer.ipynb  # my own",
        "name = 'attention_layer'\n%run {name}.ipynb",
        "if True:\n    %run attention_layer.ipynb",
    ],
)
def test_an_earlier_notebook_can_be_run(
    command: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """Statements name this way for those who have written the earlier assignment in a notebook."""
    line = "from attention_layer import AttentionHead"
    [imported] = [one for one in solutions["multi_head"].split("\n") if one.startswith(line)]
    text = written(solutions["multi_head"]).replace(imported, command)
    put(tmp_path, written(solutions[BASE]), f"{BASE}.ipynb")
    put(tmp_path, text, "multi_head.ipynb")
    [_, found] = find(tmp_path, None)
    assert has_full_marks(grader.grade(found))


@pytest.mark.parametrize("name", ["hw5.ipynb", "attention_layer (1).ipynb", f"{BASE}.ipynb"])
def test_an_earlier_notebook_can_be_run_in_an_archive(
    name: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """Under another name too, and where the module still lies as it was released."""
    put(tmp_path, skeleton(BASE), f"{BASE}.py")
    text = written(solutions["multi_head"]).replace(
        "from attention_layer import AttentionHead", f'%run "{name}"'
    )
    put(tmp_path, text, "multi_head.ipynb")
    (tmp_path / name).write_text(as_notebook(written(solutions[BASE])), encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "anna.zip", "w") as archive:
        for path in [*tmp_path.glob("*.ipynb"), tmp_path / f"{BASE}.py"]:
            archive.write(path, path.name)
    [found] = find(tmp_path / "anna.zip", "multi_head")
    assert has_full_marks(grader.grade(found))
