"""Tests of handing in: the files that are packed, and the message where none can be packed."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from conftest import contents, run_in, written

from autograder.checking.collect import Checks
from autograder.course import DEFINED, assignments, skeleton
from autograder.grading.grade import Outcome
from autograder.grading.grader import Grader
from autograder.kit.hand_in import CannotHandIn, pack
from autograder.kit.notebook import notebook
from autograder.report.writing import CannotWrite
from autograder.sandbox import Sandbox
from autograder.submissions.finding import find
from autograder.submissions.source_text import read_source

Texts = dict[str, str]
BASE, BUILT = "attention_layer", "multi_head"  # the second is built from the first
FIRST = assignments()[0]


def given(name: str) -> str:
    """Return a notebook as students get it."""
    return nbformat.writes(notebook(skeleton(name), name)) + "\n"


def run_notebook(text: str, name: str) -> str:
    """Return a notebook with this code, as it is saved after a run."""
    made = notebook(text, name)
    for number, cell in enumerate(c for c in made.cells if c.cell_type == "code"):
        cell.execution_count = number + 1
        cell.outputs = [nbformat.v4.new_output("stream", text=f"shown by cell {number}\n")]
    return nbformat.writes(made)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a student's folder in which nothing is begun."""
    path = tmp_path / "assignments"
    path.mkdir()
    for name in assignments():
        (path / f"{name}.py").write_text(skeleton(name), encoding="utf-8")
        (path / f"{name}.ipynb").write_text(given(name), encoding="utf-8")
    return path


def write(folder: Path, name: str, solutions: Texts, suffix: str = ".py") -> None:
    """Write every exercise of an assignment, in its module or its notebook."""
    text = written(solutions[name])
    text = text if suffix == ".py" else run_notebook(text, name)
    (folder / f"{name}{suffix}").write_text(text, encoding="utf-8")


def packed(path: Path) -> dict[str, bytes]:
    """Return the contents of an archive by name."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


# Contents of archives


def test_only_what_was_begun(folder: Path, tmp_path: Path, solutions: Texts) -> None:
    write(folder, FIRST, solutions)
    made = pack(folder, tmp_path / "hand-in", None).archives
    assert made == [tmp_path / "hand-in" / f"{FIRST}.zip"]
    assert packed(made[0]) == {f"{FIRST}.py": (folder / f"{FIRST}.py").read_bytes()}


def test_a_notebook_without_its_outputs(folder: Path, tmp_path: Path, solutions: Texts) -> None:
    write(folder, FIRST, solutions, ".ipynb")
    [made] = pack(folder, tmp_path / "hand-in", FIRST).archives
    [(name, data)] = packed(made).items()
    assert name == f"{FIRST}.ipynb"
    assert b"shown by" in (folder / name).read_bytes()
    assert nbformat.reads(data.decode(), as_version=4) == notebook(written(solutions[FIRST]), FIRST)


def test_what_it_is_built_from_goes_along(folder: Path, tmp_path: Path, solutions: Texts) -> None:
    write(folder, BASE, solutions, ".ipynb")
    write(folder, BUILT, solutions)
    made = pack(folder, tmp_path / "hand-in", None).archives
    assert [path.name for path in made] == [f"{n}.zip" for n in assignments() if n in (BASE, BUILT)]
    for path in made:
        assert packed(path).keys() == {f"{BASE}.ipynb", f"{BUILT}.py"}


def test_one_by_name(folder: Path, tmp_path: Path, solutions: Texts) -> None:
    for name in assignments():
        write(folder, name, solutions)
    [made] = pack(folder, tmp_path / "hand-in", BUILT).archives
    assert made == tmp_path / "hand-in" / f"{BUILT}.zip"
    assert list(contents(tmp_path / "hand-in")) == [f"{BUILT}.zip"]


def test_the_same_work_gives_the_same_bytes(folder: Path, tmp_path: Path, solutions: Texts) -> None:
    """Cells without ids get no random ones, and an older archive is replaced."""
    write(folder, BUILT, solutions)
    nameless = json.loads(run_notebook(written(solutions[BASE]), BASE))
    for cell in nameless["cells"]:
        del cell["id"]
    (folder / f"{BASE}.ipynb").write_text(json.dumps(nameless), encoding="utf-8")
    for target in ("one", "two"):
        pack(folder, tmp_path / target, None)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    (tmp_path / "one" / f"{BUILT}.zip").write_bytes(b"an older one")
    pack(folder, tmp_path / "one", BUILT)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def old_version(text: str) -> bytes:
    return nbformat.writes(nbformat.reads(text, as_version=3), version=3).encode()


def half_a_character(text: str) -> bytes:
    made = json.loads(text)
    made["cells"][1]["source"] = ["# \ud800\n"]
    return json.dumps(made).encode()


UNUSUAL: dict[str, Callable[[str], bytes]] = {
    "BOM": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "version 3": old_version,
    "half a character": half_a_character,
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_notebooks_are_packed(
    name: str, folder: Path, tmp_path: Path, solutions: Texts
) -> None:
    path = folder / f"{FIRST}.ipynb"
    path.write_bytes(UNUSUAL[name](run_notebook(written(solutions[FIRST]), FIRST)))
    [made] = pack(folder, tmp_path / "hand-in", FIRST).archives
    data = packed(made)[path.name]
    assert b"shown by" not in data
    (tmp_path / path.name).write_bytes(data)
    assert read_source(tmp_path / path.name) == read_source(path)


def test_pictures_are_handed_in(folder: Path, tmp_path: Path, solutions: Texts) -> None:
    path = folder / f"{FIRST}.ipynb"
    made = notebook(written(solutions[FIRST]), FIRST)
    for cell in made.cells:
        if cell.cell_type == "markdown":
            cell.attachments = {"sketch.png": {"image/png": "A" * 1_000_000}}
    path.write_text(nbformat.writes(made), encoding="utf-8")
    data = packed(pack(folder, tmp_path / "hand-in", FIRST).archives[0])[path.name]
    assert nbformat.reads(data.decode(), as_version=4).cells == made.cells
    (tmp_path / path.name).write_bytes(data)
    assert read_source(tmp_path / path.name) == read_source(path)


@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
@pytest.mark.parametrize("other", ["", "another assignment is begun"])
def test_a_file_of_another_name_is_not_forgotten(
    other: str, suffix: str, folder: Path, tmp_path: Path, solutions: Texts
) -> None:
    write(folder, FIRST, solutions, suffix)
    own = (folder / f"{FIRST}{suffix}").rename(folder / f"{FIRST} (1){suffix}")
    (folder / f"{FIRST}{suffix}").write_text(
        skeleton(FIRST) if suffix == ".py" else given(FIRST), encoding="utf-8"
    )
    mine = "from multi_head import MultiHead\n\n\ndef train():\n    pass\n"
    (folder / "mine.py").write_text(mine, encoding="utf-8")
    (folder / "notes.ipynb").write_text("not a notebook", encoding="utf-8")
    name = DEFINED.findall(skeleton(FIRST))[0]
    sentence = (
        f"{own} defines {name}, but only {FIRST}{suffix} is handed in. If it is your work, rename "
        "it."
    )
    if other:
        write(folder, BASE, solutions)
        assert pack(folder, tmp_path / "hand-in", None).left_out == [sentence]
    else:
        with pytest.raises(CannotHandIn) as refusal:
            pack(folder, tmp_path / "hand-in", None)
        nothing = f"No assignment in {folder} has been begun: there is nothing to hand in."
        assert str(refusal.value) == f"{nothing} {sentence}"


@pytest.mark.parametrize("other", ["", "another assignment is begun"])
@pytest.mark.parametrize("name", [f"{FIRST}.py", "mine.py"])
def test_work_in_a_folder_is_not_forgotten(
    name: str, other: str, folder: Path, tmp_path: Path, solutions: Texts
) -> None:
    """Copies in which nothing is written are not told."""
    (folder / "mine").mkdir()
    (folder / "mine" / name).write_text(solutions[FIRST], encoding="utf-8")
    (folder / "mine" / f"{BASE}.py").write_text(skeleton(BASE), encoding="utf-8")
    if other:
        write(folder, BUILT, solutions)
        [said] = pack(folder, tmp_path / "hand-in", None).left_out
    else:
        with pytest.raises(CannotHandIn) as refusal:
            pack(folder, tmp_path / "hand-in", None)
        said = str(refusal.value)
    assert f"{folder / 'mine' / name} defines" in said
    assert f"If it is your work, move it to {folder}." in said


def test_a_module_in_a_folder_is_packed_or_told(
    folder: Path, tmp_path: Path, solutions: Texts
) -> None:
    """One that defines an exercise and is imported is handed in, so nothing is to be moved."""
    (folder / "mine").mkdir()
    (folder / "mine" / "early.py").write_text(solutions[FIRST], encoding="utf-8")
    write(folder, FIRST, {FIRST: f"from mine import early\n{solutions[FIRST]}"})
    made = pack(folder, tmp_path / "hand-in", FIRST)
    assert packed(made.archives[0]).keys() == {f"{FIRST}.py", "mine/early.py"}
    assert made.left_out == []


def test_a_module_that_cannot_be_read_is_left_out(
    folder: Path, tmp_path: Path, solutions: Texts
) -> None:
    """Its import may be optional: `make grade` does not mind it."""
    imports = "import small\ntry:\n    import big\nexcept ImportError:\n    pass\n"
    write(folder, FIRST, {FIRST: f"{imports}{solutions[FIRST]}"})
    (folder / "small.py").write_text("", encoding="utf-8")
    (folder / "big.py").write_text(f"DATA = {'1' * 300_000!r}\n", encoding="utf-8")
    made = pack(folder, tmp_path / "hand-in", FIRST)
    assert packed(made.archives[0]).keys() == {f"{FIRST}.py", "small.py"}
    [reason] = made.left_out
    assert "big.py" in reason and "200 kB" in reason


@pytest.mark.parametrize("data", ["{}", '{"cells": null}', "[]", '{"worksheets": 1}', "", "{"])
def test_a_notebook_that_is_none_is_left_out(
    data: str, folder: Path, tmp_path: Path, solutions: Texts
) -> None:
    made = notebook(written(solutions[FIRST]), FIRST)
    made.cells.insert(2, nbformat.v4.new_code_cell("%run mine.ipynb"))
    nbformat.write(made, folder / f"{FIRST}.ipynb")
    (folder / "mine.ipynb").write_text(data, encoding="utf-8")
    handed_in = pack(folder, tmp_path / "hand-in", FIRST)
    assert packed(handed_in.archives[0]).keys() == {f"{FIRST}.ipynb"}
    [reason] = handed_in.left_out
    assert reason.startswith(f"{folder / 'mine.ipynb'} cannot be read as a notebook (")


@pytest.mark.skipif(sys.platform != "linux", reason="such names exist only on Linux")
def test_a_module_whose_name_is_not_utf_8_is_left_out(
    folder: Path, tmp_path: Path, solutions: Texts
) -> None:
    write(folder, FIRST, {FIRST: f"import helpers\n{solutions[FIRST]}"})
    path = folder / "helpers-\udce9.py"
    path.write_text("", encoding="utf-8")
    made = pack(folder, tmp_path / "hand-in", FIRST)
    assert packed(made.archives[0]).keys() == {f"{FIRST}.py"}
    assert made.left_out == [f"{path} has a name that is not UTF-8. Rename it."]


@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
@pytest.mark.dear
def test_it_grades_the_same(
    suffix: str,
    folder: Path,
    tmp_path: Path,
    solutions: Texts,
    checks: Checks,
    sandbox: Sandbox,
) -> None:
    """The submission has a mistake, and builds on an assignment in the other format."""
    other = ".ipynb" if suffix == ".py" else ".py"
    write(folder, BASE, {BASE: solutions[BASE].replace("math.sqrt(", "(2 * ")}, other)
    write(folder, BUILT, solutions, suffix)
    grader = Grader(checks, sandbox, frozenset())
    for path in pack(folder, tmp_path / "hand-in", None).archives:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(tmp_path / path.stem)
        places = folder, tmp_path / path.stem
        before, after = (grader.grade(find(place, path.stem)[0]) for place in places)
        assert before.exercises == after.exercises
        assert after.points > 0
        assert any(e.outcome is not Outcome.PASSED for e in after.exercises)


# Refusals


def missing(folder: Path, solutions: Texts) -> None:
    write(folder, BUILT, solutions)
    for suffix in (".py", ".ipynb"):
        (folder / f"{BASE}{suffix}").unlink()


def unreadable(suffix: str, data: bytes) -> Callable[[Path, Texts], None]:
    def spoil(folder: Path, solutions: Texts) -> None:
        write(folder, BUILT, solutions)
        (folder / f"{BASE}{suffix}").write_bytes(data)

    return spoil


BIG = b'{"pictures": "' + b"x" * 30_000_000 + b'"}'
REFUSED: dict[str, tuple[Callable[[Path, Texts], None], str]] = {
    "nothing": (
        lambda *_: None,
        "No assignment in {} has been begun: there is nothing to hand in.",
    ),
    "missing": (
        missing,
        "{}/attention_layer.py is missing. Restore it from your copy of the kit",
    ),
    "not UTF-8": (unreadable(".py", b"\xe9"), "{}/attention_layer.py is not UTF-8 text (line 1)."),
    "NUL": (unreadable(".py", b"\0"), "{}/attention_layer.py contains NUL bytes"),
    "damaged": (
        unreadable(".ipynb", b"{"),
        "{}/attention_layer.ipynb cannot be read as a notebook",
    ),
    "empty": (unreadable(".ipynb", b""), "{}/attention_layer.ipynb is empty: nothing was saved"),
    "big": (unreadable(".ipynb", BIG), "{}/attention_layer.ipynb cannot be read as a notebook (it"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_sentence_says_why_nothing_is_packed(
    name: str, folder: Path, tmp_path: Path, solutions: Texts
) -> None:
    spoil, sentence = REFUSED[name]
    spoil(folder, solutions)
    before = contents(tmp_path)
    with pytest.raises(CannotHandIn) as refusal:
        pack(folder, tmp_path / "hand-in", None)
    assert str(refusal.value).startswith(sentence.format(folder))
    assert "\n" not in str(refusal.value)
    assert contents(tmp_path) == before


def test_one_that_was_not_begun(folder: Path, tmp_path: Path, solutions: Texts) -> None:
    """Comments and demonstrations do not count as work."""
    write(folder, BUILT, solutions)
    module = folder / f"{BASE}.py"
    module.write_text(f"# mine\n\n{skeleton(BASE)}\n\n# to do\n", encoding="utf-8")
    made = notebook(skeleton(BASE), BASE)
    for cell in made.cells:
        if cell.cell_type == "markdown" or "active-ipynb" in cell.metadata.get("tags", []):
            cell.source += "\nx = 1"
    nbformat.write(made, folder / f"{BASE}.ipynb")
    with pytest.raises(CannotHandIn) as refusal:
        pack(folder, tmp_path / "hand-in", BASE)
    assert str(refusal.value).startswith(
        "In attention_layer.py and attention_layer.ipynb nothing is written yet"
    )
    assert not (tmp_path / "hand-in").exists()
    module.unlink()
    with pytest.raises(CannotHandIn) as refusal:
        pack(folder, tmp_path / "hand-in", BASE)
    assert str(refusal.value).startswith("In attention_layer.ipynb nothing is written yet")


# The command line


def submit(kit: Path, *arguments: str) -> tuple[int, str, str]:
    run = run_in(kit, "-m", "autograder", "submit", *arguments)
    return run.returncode, run.stdout, run.stderr


@pytest.mark.dear
def test_the_command_packs(kit: Path, solutions: Texts) -> None:
    for name in (BASE, BUILT):
        write(kit / "assignments", name, solutions)
    names = [name for name in assignments() if name in (BASE, BUILT)]
    lines = [f"packed {Path('hand-in') / name}.zip\n" for name in names]
    assert submit(kit) == (0, "".join(lines), "")
    assert list(contents(kit / "hand-in")) == sorted(f"{name}.zip" for name in names)
    assert submit(kit, BUILT) == (0, f"packed {Path('hand-in') / BUILT}.zip\n", "")


@pytest.mark.dear
def test_an_archive_from_before_is_told_as_long_as_it_differs(kit: Path, solutions: Texts) -> None:
    """An outdated archive is named but not changed: it may be the only copy of that work."""
    for name in (BASE, BUILT):
        write(kit / "assignments", name, solutions)
    submit(kit)
    before = (kit / "hand-in" / f"{BASE}.zip").read_bytes()
    with (kit / "assignments" / f"{BASE}.py").open("a") as module:
        module.write("# more\n")
    packed = f"packed {Path('hand-in') / BUILT}.zip\n"
    told = f"{BASE}.zip is from before your last changes: make submit ASSIGNMENT={BASE}\n"
    for _ in range(2):
        assert submit(kit, BUILT) == (0, f"{packed}not current: {told}", "")
        assert (kit / "hand-in" / f"{BASE}.zip").read_bytes() == before
    assert submit(kit, BASE)[1] == packed.replace(BUILT, BASE)
    (kit / "hand-in" / f"{FIRST}.zip").write_text("damaged")
    told = f"{FIRST}.zip holds what you once had: nothing of {FIRST} is written now.\n"
    assert submit(kit, BUILT)[1] == f"{packed}not current: {told}"
    path = kit / "hand-in" / f"{FIRST}.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("é.py", "")
    path.write_bytes(path.read_bytes().replace("é".encode(), b"\xff\xff"))
    assert submit(kit, BUILT) == (0, f"{packed}not current: {told}", "")


@pytest.mark.dear
def test_the_command_refuses_in_a_sentence(kit: Path) -> None:
    code, out, error = submit(kit)
    assert (code, out) == (4, "")
    assert error.endswith("has been begun: there is nothing to hand in.\n")
    code, out, error = submit(kit, BASE)
    assert (code, out, error.count("\n")) == (4, "", 1)
    code, out, error = submit(kit, "nonsense")
    assert (code, out) == (4, "")
    assert "invalid choice: 'nonsense'" in error
    assert not (kit / "hand-in").exists()


def test_a_disk_that_is_full_leaves_the_older_archive(
    folder: Path, tmp_path: Path, solutions: Texts, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, BASE, solutions)
    [archive] = pack(folder, tmp_path / "hand-in", None).archives
    before = contents(tmp_path)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("autograder.whole_file.os.fsync", full)
    with pytest.raises(CannotWrite) as raised:
        pack(folder, tmp_path / "hand-in", None)
    assert str(raised.value) == (
        f"{archive} cannot be written: No space left on device. Free some space, then repeat the "
        "command."
    )
    assert contents(tmp_path) == before


def test_a_folder_that_cannot_be_made(
    folder: Path, tmp_path: Path, solutions: Texts, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, BASE, solutions)

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refused)
    with pytest.raises(CannotWrite) as raised:
        pack(folder, tmp_path / "hand-in", None)
    assert str(raised.value) == (
        f"{tmp_path / 'hand-in'} cannot be written: Permission denied. Change that, or use another "
        "place, then repeat the command."
    )


def test_a_file_in_place_of_the_folder(folder: Path, tmp_path: Path, solutions: Texts) -> None:
    write(folder, BASE, solutions)
    (tmp_path / "hand-in").write_text("mine")
    with pytest.raises(CannotHandIn) as raised:
        pack(folder, tmp_path / "hand-in", None)
    said = f"{tmp_path / 'hand-in'} is a file, where the folder must be: move it away."
    assert str(raised.value) == said
    assert (tmp_path / "hand-in").read_text() == "mine"
