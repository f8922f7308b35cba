"""A comment for a group reaches each student in it, and nobody else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Command, GradeText

from autograder.report import as_html, as_json
from autograder.report.comments import Comments, MalformedComments, read
from autograder.report.comments import as_html as shown

BASE = "attention_layer"
EXERCISE, GROUP = "ScaledDotProduct", "half_outside"
WRONG = ("math.sqrt(Q.shape[-1])", "(2 * Q.shape[-1])")
TEXT = "Read **line** 3 <b>again</b>.\nThen ask me."


@pytest.mark.dear
def test_a_comment_is_on_the_pages_of_its_group(
    command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    right, folder = solutions[BASE], tmp_path / "class"
    folder.mkdir()
    assert WRONG[0] in right
    (folder / "anna.py").write_text(right, encoding="utf-8")
    (folder / "ben.py").write_text(right.replace(*WRONG), encoding="utf-8")
    file = tmp_path / "comments.toml"
    text = f"[{EXERCISE}]\n{GROUP} = {json.dumps(TEXT)}\nhalf_inside = 'x'\n"
    file.write_text(text, encoding="utf-8-sig")
    asked = ("--assignment", BASE, "--json", "--html", tmp_path / "pages", "--comments", file)
    run = command("grade", folder, *asked)
    assert run.returncode == 0, run.stderr
    assert "names no such group: half_inside of ScaledDotProduct.\n" in run.stderr
    anna, ben = json.loads(run.stdout)["submissions"]
    assert {one["comment"] for one in anna["exercises"]} == {""}
    assert {one["name"]: one["comment"] for one in ben["exercises"] if one["comment"]} == {
        EXERCISE: TEXT
    }
    page = (tmp_path / "pages" / "ben.html").read_text("utf-8")
    assert "&lt;b&gt;again&lt;/b&gt;.\nThen ask me." in page
    assert "instructor" not in (tmp_path / "pages" / "anna.html").read_text("utf-8")


@pytest.mark.dear
def test_what_did_not_fail_has_no_comment(grade_text: GradeText, solutions: dict[str, str]) -> None:
    comments = Comments({EXERCISE: {GROUP: TEXT, "": TEXT}})
    right = grade_text(solutions[BASE], named=True)
    wrong = grade_text(solutions[BASE].replace(*WRONG), named=True)
    assert comments.on(right) == {}
    assert comments.mark(right) == ""
    assert comments.on(wrong) == {EXERCISE: TEXT}
    assert comments.mark(wrong) != Comments({EXERCISE: {GROUP: "other"}}).mark(wrong) != ""
    assert TEXT not in as_json.submission(wrong)
    assert "instructor" not in as_html.page(wrong, 1)


def test_a_comment_is_text_in_html() -> None:
    expected = "Read **line** 3 &lt;b&gt;again&lt;/b&gt;.<br>Then ask me."
    assert shown(TEXT) == f"<div><strong>From your instructor:</strong> {expected}</div>"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[ScaledDotProduct", "cannot be read as TOML"),
        ("[Nowhere]\na = 'b'", "there is no exercise Nowhere. There are: .*ScaledDotProduct"),
        ("ScaledDotProduct = 1", "ScaledDotProduct has something that is no text"),
        ("[ScaledDotProduct]\na = 1", "ScaledDotProduct has something that is no text"),
        ("[ScaledDotProduct]\na = ' '", "ScaledDotProduct has something that is no text"),
    ],
)
def test_what_is_no_file_of_comments_is_refused(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "comments.toml"
    file.write_text(text)
    with pytest.raises(MalformedComments, match=said) as refused:
        read(file)
    assert str(file) in str(refused.value)
    with pytest.raises(MalformedComments, match="There is no file"):
        read(tmp_path / "none.toml")
