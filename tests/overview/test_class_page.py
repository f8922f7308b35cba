"""A class of known work is shown as it is: from its folder, and from the document of its grades."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from browser import CHROMIUM
from conftest import Command

from autograder.course import root
from autograder.course.misconceptions import misconceptions

BASE = "attention_layer"
# How many students of a class of 300 hand in what: right work, and these mistakes.
SHARES = {
    "": 152,
    "order_qvk": 40,
    "half_outside": 31,
    "values_of_keys": 24,
    "no_affine": 18,
    "no_grad": 14,
    "last_token": 9,
    "quick_gelu": 7,
    "no_scale": 5,
}


def write_class(folder: Path, right: str, shares: dict[str, int]) -> dict[str, list[str]]:
    """Write a class in random order. Returns the students by what is wrong with their work."""
    known = {one.id: one for one in misconceptions(BASE)}
    texts = {key: known[key].source(right) if key else right for key in shares}
    drawn = [key for key, count in shares.items() for _ in range(count)]
    random.Random(1).shuffle(drawn)
    folder.mkdir()
    students: dict[str, list[str]] = {key: [] for key in shares}
    for number, key in enumerate(drawn):
        name = f"student{number:03}"
        (folder / f"{name}.py").write_text(f"{texts[key]}\n# {number}\n", encoding="utf-8")
        students[key].append(name)
    return students


def shown(page: Path) -> list[tuple[str, str, list[str]]]:
    """Return the groups of a page's JSON: exercise, key, students."""
    groups = json.loads((page.parent / "class.json").read_text("utf-8"))["groups"]
    return [(one["exercise"], one["key"], one["students"]) for one in groups]


def assert_equal_to_the_shares(page: Path, students: dict[str, list[str]]) -> None:
    """Check the page of a class of known work against what was written."""
    exercises = {one.id: one.exercise for one in misconceptions(BASE)}
    sizes = {key: len(those) for key, those in students.items() if key}
    groups = shown(page)
    assert [len(those) for _, _, those in groups] == sorted(sizes.values(), reverse=True)
    for exercise, key, those in groups:
        [meant] = [one for one in students if one in key.split("+")]
        assert (exercise, those) == (exercises[meant], students[meant])
    read = json.loads((page.parent / "class.json").read_text("utf-8"))
    total = sum(map(len, students.values()))
    failed = Counter(exercises[key] for key in sizes for _ in students[key])
    for one in read["exercises"]:
        assert sum(one["counts"].values()) == total
        assert one["counts"]["failed"] == failed[one["name"]]
    text = page.read_text("utf-8")
    assert text.count('<div class="panel">') == len(groups)
    assert "<script" not in text
    assert "http" not in text.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")


@pytest.mark.dear
def test_a_class_is_shown_as_it_is(
    command: Command, process: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    shares = {"": 3, "order_qvk": 2, "half_outside": 1}
    students = write_class(tmp_path / "class", solutions[BASE], shares)
    asked = (tmp_path / "class", "--assignment", BASE, "--out", tmp_path / "out")
    run = command("class", *asked)
    assert run.returncode == 0, run.stderr
    page = tmp_path / "out" / BASE / "class.html"
    assert "wrote " in run.stderr
    assert_equal_to_the_shares(page, students)
    written = {path.name: path.read_bytes() for path in page.parent.iterdir()}
    graded = command("grade", tmp_path / "class", "--assignment", BASE, "--json")
    (tmp_path / "grades.json").write_text(graded.stdout, encoding="utf-8")
    again = process("class", tmp_path / "grades.json", "--out", tmp_path / "again")
    assert again.returncode == 0, again.stderr
    there = (tmp_path / "again" / BASE).iterdir()
    assert {path.name: path.read_bytes() for path in there} == written


@pytest.mark.dear
def test_a_class_of_300_is_shown_as_it_is(tmp_path: Path, solutions: dict[str, str]) -> None:
    students = write_class(tmp_path / "class", solutions[BASE], SHARES)
    asked = [str(tmp_path / "class"), f"--assignment={BASE}", f"--out={tmp_path / 'out'}"]
    subprocess.run([sys.executable, "-m", "autograder", "class", *asked], cwd=root(), check=True)
    assert_equal_to_the_shares(tmp_path / "out" / BASE / "class.html", students)


@pytest.mark.dear
@pytest.mark.skipif(not CHROMIUM, reason="needs a browser")
@pytest.mark.parametrize("width", [320, 1280])
def test_a_page_is_as_wide_as_the_window(
    width: int, command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    from playwright.sync_api import sync_playwright

    write_class(tmp_path / "class", solutions[BASE], {"": 1, "order_qvk": 2})
    command("class", tmp_path / "class", "--assignment", BASE, "--out", tmp_path / "out")
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.goto((tmp_path / "out" / BASE / "class.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.locator("svg").count() > 1
        browser.close()


def test_what_is_no_class_is_refused_in_a_sentence(command: Command, tmp_path: Path) -> None:
    (tmp_path / "grades.json").write_text("{}")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").touch()
    for asked, said in {
        (str(tmp_path / "none.json"),): "There is no file",
        (str(tmp_path / "grades.json"),): "is not what python -m autograder grade --json writes",
        (): "Say which assignment of nbgrader's course: make class ASSIGNMENT=name",
        (str(tmp_path), "--out", str(tmp_path / "out")): "holds mine.txt",
        (str(tmp_path / "out" / "mine.txt"),): "is no class: name its folder, or NAME.json",
    }.items():
        run = command("class", *asked)
        assert run.returncode == 4, asked
        assert said in run.stderr
        assert run.stderr.count("\n") == 1


def test_outputs_of_one_place_are_refused(command: Command, tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    asked = ("--html", tmp_path / "out", "--overview", tmp_path / "out")
    run = command("grade", tmp_path / "class", *asked)
    assert (run.returncode, "--html and --overview both name" in run.stderr) == (4, True)
    assert not (tmp_path / "out").exists()
