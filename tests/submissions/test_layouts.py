"""Who has handed in what: the layouts of folders that instructors grade, and the finder's answer.

A stands for attention_layer and M for multi_head, whose files import it. `a.zip[b,c]` is an archive
that holds b and c, `a.zip[]` a damaged one, and a name that ends with / is an empty folder. An
answer names the person, the assignment, the file that counts, and after + the file from which a
multi_head imports attention_layer; after ! a part of the sentence that refuses it.
"""

from __future__ import annotations

import re
import sys
import zipfile
from pathlib import Path

import pytest
from own_files import in_form

from autograder.submissions.finding import find, find_each
from autograder.submissions.submission import Submission
from autograder.submissions.whose import left_out

NAMES = {"A": "attention_layer", "M": "multi_head"}
MARK = re.compile("PLACE = .?'([^'\\\\]+)")
NAMED = "is named after an assignment, not after its student"
NOTHING = "holds no submission"
CANVAS, MOODLE = "{}_12_34_", "{}_12_assignsubmission_file_"
Layout = tuple[str, str, str, list[str], str]  # folder, what is in it, asked, answers, left out

CLASSES: list[Layout] = [
    ("class", "anna/A.py ben/A.ipynb", "A", ["anna A anna/A.py", "ben A ben/A.ipynb"], ""),
    ("class", "anna.py ben.ipynb", "A", ["anna A anna.py", "ben A ben.ipynb"], ""),
    ("class", "anna.zip[A.py] ben.zip[w/A.py]", "A",
     ["anna A anna.zip/A.py", "ben A ben.zip/w/A.py"], ""),
    ("class", "anna/A/A.py ben/A/A.py", "A", ["anna A anna/A/A.py", "ben A ben/A/A.py"], ""),
    ("class", "anna/A/A.py ben/A/A.py", "", ["anna A anna/A/A.py", "ben A ben/A/A.py"], ""),
    ("class", "anna/A/A.py anna/M/M.py ben/M/M.py", "",
     ["anna A anna/A/A.py", "anna M anna/M/M.py+anna/A/A.py", "ben M ben/M/M.py"], ""),
    ("class", "anna/A/A.py anna/M/M.py ben/M/M.py", "M",
     ["anna M anna/M/M.py+anna/A/A.py", "ben M ben/M/M.py"], ""),
    ("class", "anna/A/A.py anna/M/M.py ben/M/M.py", "A",
     ["anna A anna/A/A.py", "ben A !nothing was handed in"], ""),
    ("class", "anna/A.zip[A.py] ben/A.zip[A.py]", "A",
     ["anna A anna/A.zip/A.py", "ben A ben/A.zip/A.py"], ""),
    ("class", "anna/A.zip[A.py] anna/M.zip[M.py]", "M",
     ["anna M anna/M.zip/M.py+anna/A.zip/A.py"], ""),
    ("class", "anna/A.zip[A.py] anna/M.py", "M", ["anna M anna/M.py+anna/A.zip/A.py"], ""),
    ("class", "anna/A.py anna/M/M.py", "M", ["anna M anna/M/M.py+anna/A.py"], ""),
    ("class", "anna_12_34_A.py ben_13_35_A.zip[A.py]", "A",
     ["anna_12 A anna_12_34_A.py", "ben_13 A ben_13_35_A.zip/A.py"], ""),
    ("class", "anna_12_assignsubmission_file_/A.py", "A",
     ["anna_12 A anna_12_assignsubmission_file_/A.py"], ""),
    ("class", "anna_12_assignsubmission_file/A.py ben_13_assignsubmission_file/A.py", "A",
     ["anna_12 A anna_12_assignsubmission_file/A.py",
      "ben_13 A ben_13_assignsubmission_file/A.py"], ""),
    ("class", "anna/work.py", "A", ["anna A anna/work.py"], ""),
    ("class", "anna/A_(1).py ben/A.py", "A", ["anna A anna/A_(1).py", "ben A ben/A.py"], ""),
    ("class", "anna/A.py ben/", "A", ["anna A anna/A.py", f"ben A !{NOTHING}"], ""),
    ("class", "anna/A.py list.csv notes.txt", "A", ["anna A anna/A.py"], ""),
    ("class", "anna/A.py emil.txt", "A", ["anna A anna/A.py", "emil A !of its name"], ""),
    ("class", "anna.py emil.txt emil.md", "A", ["anna A anna.py", "emil A !emil.md is not"], ""),
    ("class", "anna/A.py emil", "A", ["anna A anna/A.py", "emil A !of its name"], ""),
    ("class", "anna/A/A.py emil.md", "", ["anna A anna/A/A.py", "emil ? !of its name"], ""),
    ("class", "anna/A.py anna.txt ben.zip[A.py] ben.py.bak", "A",
     ["anna A anna/A.py", "ben A ben.zip/A.py"], ""),
    ("class", "anna_12_34_A.py ben_13_35_A.txt", "A",
     ["anna_12 A anna_12_34_A.py", "ben_13 A !of its name"], ""),
    ("class", "anna/A.py ben/1/2/3/4/A.py", "A",
     ["anna A anna/A.py", "ben A !more than 3 folders deep"], ""),
    ("class", "anna/A/A.py ben/1/2/3/4/A.py", "",
     ["anna A anna/A/A.py", "ben ? !more than 3 folders deep"], ""),
    ("class", "anna/w.zip[A.py] anna/w.pdf anna/page.html ben.py", "A",
     ["anna A anna/w.zip/A.py", "ben A ben.py"], ""),
    ("class", "anna/A.py ben.pdf", "A", ["anna A anna/A.py", "ben A !not what is graded"], ""),
    ("class", "anna/A.py .git/A.py __pycache__/ venv/A.py", "A", ["anna A anna/A.py"], ""),
    ("class", "anna/A.py anna.zip[A.py] ben.py", "A",
     ["anna A !belong to the same student", "ben A ben.py"], ""),
    ("class", "anna/A.py ANNA.zip[A.py]", "A", ["ANNA A ANNA.zip/A.py", "anna A anna/A.py"], ""),
    ("class", "anna/A.py ben.zip[]", "A", ["anna A anna/A.py", "ben A !cannot be read"], ""),
    ("class", "anna.zip[B/w.py,M.py] ben/A.py", "A",
     ["anna A anna.zip/B/w.py", "ben A ben/A.py"], ""),
    ("class", "anna/A.py ben/A.py", "", [f"class ? !{NOTHING}"], ""),
    ("class", "anna/A/work.py", "", ["anna A anna/A/work.py"], ""),
    ("class", "anna/A/A.py anna/A.zip[A.py]", "", ["anna A anna/A/A.py"], ""),
    ("class", "anna/A/A.py ben/A.py", "", ["anna A anna/A/A.py", "ben A ben/A.py"], ""),
    ("class", "anna/A/A.py ben/M.zip[M.py]", "",
     ["anna A anna/A/A.py", "ben M ben/M.zip/M.py"], ""),
    ("class", "anna/A/A.py ben/A/", "", ["anna A anna/A/A.py", f"ben A !{NOTHING}"], ""),
    ("class", "anna/A/A.py ben.zip[A.py]", "", ["anna A anna/A/A.py", "ben A ben.zip/A.py"], ""),
    ("class", "anna/A/A.py ben.zip[]", "", ["anna A anna/A/A.py", "ben ? !cannot be read"], ""),
    ("class", "anna/A/A.py ben/", "", ["anna A anna/A/A.py", f"ben ? !{NOTHING}"], ""),
    ("class", "anna/A/A.py ben/w.zip[A.py]", "", ["anna A anna/A/A.py", "ben ? !"], ""),
    ("class", "anna/A/A.py ben.py", "", ["anna A anna/A/A.py", "ben ? ben.py"], ""),
]  # fmt: skip

ONE_PERSON: list[Layout] = [
    ("anna", "A.py M.py", "", ["anna A A.py", "anna M M.py+A.py"], ""),
    ("anna", "A.py M.py", "A", ["anna A A.py"], ""),
    ("anna", "A.ipynb M.py", "M", ["anna M M.py+A.ipynb"], ""),
    ("anna", "A/A.py M/M.py", "", ["anna A A/A.py", "anna M M/M.py+A/A.py"], ""),
    ("anna", "A/A.py M/M.py", "M", ["anna M M/M.py+A/A.py"], ""),
    ("anna", "A/A/A.py", "", ["anna A A/A/A.py"], ""),
    ("submitted", "A/A.py", "", ["submitted A A/A.py"], ""),
    ("submitted", "A/A.py M/M.py", "", ["submitted A A/A.py", "submitted M M/M.py+A/A.py"], ""),
    ("anna", "A.zip[A.py]", "", ["anna A A.zip/A.py"], ""),
    ("anna", "A.zip[A.py]", "A", ["anna A A.zip/A.py"], ""),
    ("anna", "A.zip[A.py] M.zip[M.py]", "", ["anna A A.zip/A.py", "anna M M.zip/M.py+A.zip/A.py"],
     ""),
    ("anna", "A.zip[A.py] M.zip[M.py]", "M", ["anna M M.zip/M.py+A.zip/A.py"], ""),
    ("anna", "A.zip[A.py,M.py] M.zip[A.py,M.py]", "",
     ["anna A A.zip/A.py", "anna M M.zip/M.py+M.zip/A.py"], ""),
    ("anna", "A.zip[A.py] M.py", "", ["anna A A.zip/A.py", "anna M M.py+A.zip/A.py"], ""),
    ("anna", "A.zip[A.py] A/A.py", "", ["anna A A/A.py"], ""),
    ("anna", "A.zip[A.py] A/A.py", "A", ["anna A A/A.py"], ""),
    ("anna", "A.zip[A.py] A.py", "A", ["anna A A.py"], ""),
    ("anna", "A.zip[]", "", ["anna A !cannot be read"], ""),
    ("anna", "A.zip[] M.zip[M.py]", "", ["anna A !cannot be read", "anna M M.zip/M.py"], ""),
    ("anna", "A.py M/M.py", "", ["anna A A.py", "anna M M/M.py+A.py"], ""),
    ("anna", "A.py M/M.py", "M", ["anna M M/M.py+A.py"], ""),
    ("anna", "A.ipynb A.html", "", ["anna A A.ipynb"], ""),
    ("anna", "A.ipynb A.html A.pdf", "A", ["anna A A.ipynb"], ""),
    ("anna", "A.html", "A", ["anna A !not what is graded"], ""),
    ("anna", "A.py old/A.py", "", ["anna A A.py"], "old"),
    ("anna", "A/A.py old/A/A.py", "", ["anna A A/A.py"], "old"),
    ("anna", "M/M.py old/A.py", "", ["anna M M/M.py"], "old"),
    ("anna", "A.zip[anna/A.py,ben/A.py]", "", ["anna A !several files"], ""),
    ("anna", "w/A.py", "", [f"anna ? !{NOTHING}"], ""),
    ("anna", "list.csv", "", [f"anna ? !{NOTHING}"], ""),
    ("anna", "list.csv", "A", [f"anna A !{NOTHING}"], ""),
]  # fmt: skip

NAMED_AFTER_ASSIGNMENTS: list[Layout] = [
    ("class", "anna/A.py A.zip[A.py]", "A", ["anna A anna/A.py", f"A A !{NAMED}"], ""),
    ("class", "anna.zip[A.py] A.zip[A.py]", "A", ["anna A anna.zip/A.py", f"A A !{NAMED}"], ""),
    ("class", "anna.py A.zip[A.py]", "A", ["anna A anna.py", f"A A !{NAMED}"], ""),
    ("class", "anna/A.py M.zip[M.py]", "A", ["anna A anna/A.py", f"M A !{NAMED}"], ""),
    ("class", "anna/A.py A.pdf", "A", ["anna A anna/A.py", f"A A !{NAMED}"], ""),
    ("class", "anna/A.py A.py", "A", ["anna A anna/A.py", f"A A !{NAMED}"], ""),
    ("class", "anna/A.py M/M.py", "A", ["anna A anna/A.py", f"M A !{NAMED}"], ""),
    ("class", "anna/A.py A-/M.py A-/A.py", "A", ["anna A anna/A.py", f"A- A !{NAMED}"], ""),
    ("class", "anna/A.py ATTENTION_LAYER/ben.py", "A",
     ["anna A anna/A.py", f"ATTENTION_LAYER A !{NAMED}"], ""),
    ("class", "A-/ben.py", "A", ["A- A A-/ben.py"], ""),
    ("class", "anna/A.py A.zip[A.py]", "", [f"class ? !{NOTHING}"], ""),
    ("class", "anna/A/A.py A.zip[A.py]", "", ["anna A anna/A/A.py", f"A ? !{NAMED}"], ""),
    ("class", "anna/A/A.py M/A/A.py", "", ["anna A anna/A/A.py", "M A M/A/A.py"], ""),
    ("class", "anna/A/A.py M/A/A.py", "A", ["anna A anna/A/A.py", "M A M/A/A.py"], ""),
    ("submitted", "A/A/A.py", "", ["A A A/A/A.py"], ""),
    ("submitted", "A/A/A.py", "A", ["A A A/A/A.py"], ""),
    ("submitted", "A/A/A.py A/M/M.py", "", ["A A A/A/A.py", "A M A/M/M.py+A/A/A.py"], ""),
    ("submitted", "M/M.py ben/A/A.py", "", ["ben A ben/A/A.py", f"M ? !{NAMED}"], ""),
    ("submitted", "M/M.py ben/A/A.py", "A", ["ben A ben/A/A.py", f"M A !{NAMED}"], ""),
    ("submitted", "M/M.py ben/A/A.py", "M", ["ben M !nothing was handed in", f"M M !{NAMED}"], ""),
    ("submitted", "A.py ben/A/A.py", "", ["ben A ben/A/A.py", f"A ? !{NAMED}"], ""),
    ("class", "M/M.py ben/A/A.py", "", ["class M M/M.py"], "ben"),
    ("class", "M/M.py ben/ben.py", "", ["class M M/M.py"], "ben"),
    ("class", "M/M.py ben.zip[A.py]", "", ["class M M/M.py"], "ben.zip"),
    ("class", "M/M.py ben/w.zip[A.py]", "", ["class M M/M.py"], "ben"),
    ("class", "M.py ben/A/A.py", "", ["class M M.py"], "ben"),
    ("class", "M/M.py ben/1/2/3/4/A.py", "", ["class M M/M.py"], "ben"),
    ("class", "M/M.py ben/1/2/3/4/A.py", "A", [f"M A !{NAMED}", "ben A !folders deep"], ""),
]  # fmt: skip


def named(text: str) -> str:
    """Write out the names of assignments."""
    return re.sub(r"(?<![A-Za-z])[AM](?![A-Za-z])", lambda found: NAMES[found[0]], text)


def code(name: str, place: str) -> str:
    start = "import attention_layer\n" if Path(name).stem == NAMES["M"] else ""
    return f"{start}PLACE = {place!r}\nclass ScaledDotProduct:\n    place = PLACE\n"


def content(name: str, place: str) -> str:
    if name.endswith(".csv") or name == "notes.txt":
        return "anna, ben"
    text = code(name, place)
    return in_form(name, text)


def make(folder: Path, layout: str) -> None:
    folder.mkdir()
    for one in named(layout).split():
        name, packs, inner = one.partition("[")
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            path.mkdir(exist_ok=True)
        elif inner == "]":
            path.write_text("PK", encoding="utf-8")
        elif packs:
            with zipfile.ZipFile(path, "w") as archive:
                for each in inner.removesuffix("]").split(","):
                    archive.writestr(each, content(each, f"{name}/{each}"))
        else:
            path.write_text(content(name, name), encoding="utf-8")


def answer(found: Submission, folder: Path) -> str:
    start = f"{found.name} {found.assignment or '?'} "
    if found.problem:
        assert not found.texts
        return f"{start}!{found.problem}"
    own = found.path.relative_to(folder).as_posix()
    is_using = found.assignment == NAMES["M"] and NAMES["A"] in found.texts
    sources = MARK.findall(str(found.texts[NAMES["A"]])) if is_using else []
    return start + "+".join([own, *sources])


def assert_agree(found: list[str], expected: list[str]) -> None:
    for got, wanted in zip(found, expected, strict=True):
        start, refused, part = wanted.partition("!")
        assert (got.startswith(start + refused) and part in got) if refused else got == wanted


@pytest.mark.parametrize(
    ("folder", "layout", "asked", "expected", "left"),
    [*CLASSES, *ONE_PERSON, *NAMED_AFTER_ASSIGNMENTS],
)
def test_whose_work_is_found(
    folder: str, layout: str, asked: str, expected: list[str], left: str, tmp_path: Path
) -> None:
    place = tmp_path / folder
    make(place, layout)
    found = [answer(one, place) for one in find(place, named(asked) or None)]
    assert_agree(sorted(found), sorted(map(named, expected)))
    if not asked:
        assert left_out(place) == left.split()


PATHS: list[tuple[str, str, str, list[str]]] = [  # what there is, the paths, asked, answers
    ("anna/A.py ben/A.py", "anna ben", "A", ["anna A anna/A.py", "ben A ben/A.py"]),
    ("anna/A.py ben/A.py", "anna ben", "", ["anna A anna/A.py", "ben A ben/A.py"]),
    ("anna/A.py ben/A.py", "anna/A.py ben/A.py", "A", ["anna A anna/A.py", "ben A ben/A.py"]),
    ("anna.zip[A.py] ben.py", "anna.zip ben.py", "A", ["anna A anna.zip/A.py", "ben A ben.py"]),
    ("anna/A.zip[A.py] ben/A.zip[A.py]", "anna/A.zip ben/A.zip", "A",
     ["anna A anna/A.zip/A.py", "ben A ben/A.zip/A.py"]),
    ("anna/A.py ben.py", "anna ben.py anna ../class/ben.py", "A",
     ["anna A anna/A.py", "ben A ben.py"]),
    ("anna/A.py", "anna anna", "", ["anna A anna/A.py"]),
    ("ben/A.py A-/anna.py", "ben A-", "A", ["ben A ben/A.py", f"A- A !{NAMED}"]),
    ("anna/A.py ben.py A.zip[A.py]", "A.zip anna ben.py", "A",
     [f"A A !{NAMED}", "anna A anna/A.py", "ben A ben.py"]),
    ("anna.py A.py", "A.py anna.py", "A", [f"A A !{NAMED}", "anna A anna.py"]),
    ("anna.py M/M.py", "M anna.py", "A", [f"M A !{NAMED}", "anna A anna.py"]),
    ("anna/A/A.py M/A/A.py", "M anna", "A", ["M A M/A/A.py", "anna A anna/A/A.py"]),
    ("anna.py", "A.py anna.py", "A", ["class A !There is no file", "anna A anna.py"]),
    ("1/anna.py 1/ben.py 2/cleo/A.py 2/dora/A.py", "1 2", "A",
     ["1 A !grade this folder by itself", "2 A !holds several files"]),
    ("anna.py mallory/anna.py mallory/own.py", "anna.py mallory", "A",
     ["anna A anna.py", "mallory A !holds several files"]),
    ("anna.py cara/x.py cara/y.py", "cara", "A", ["x A cara/x.py", "y A cara/y.py"]),
    ("A/anna.py A/ben.py M/anna.py", "A", "A", ["anna A A/anna.py", "ben A A/ben.py"]),
    ("A/anna.py A/A.py M/anna.py", "A", "A", ["anna A A/anna.py", f"A A !{NAMED}"]),
    ("A/anna/A.py A/ben/A.py M/anna/M.py", "A", "A",
     ["anna A A/anna/A.py", "ben A A/ben/A.py"]),
    ("s/anna/M/M.py s/anna/A/A.py", "s/anna/M", "", ["anna M s/anna/M/M.py+s/anna/A/A.py"]),
    ("s/anna/A/A.py", "s/anna/A", "A", ["anna A s/anna/A/A.py"]),
    ("s/anna/M/M.py s/anna/A/A.py", "s/anna/M", "M", ["anna M s/anna/M/M.py+s/anna/A/A.py"]),
    ("a/M.py a/A.py b/M.py b/A.py", "a/M.py b/M.py", "M",
     ["a M a/M.py+a/A.py", "b M b/M.py+b/A.py"]),
    ("s/anna/M/M.py s/anna/A/A.py s/ben/A/A.py s/ben/M/M.py", "s/anna/M s/ben/M", "M",
     ["anna M s/anna/M/M.py+s/anna/A/A.py",
      "ben M s/ben/M/M.py+s/ben/A/A.py"]),
    ("ben/A.py mallory/ben.py mallory/own.py", "ben mallory", "A",
     ["ben A ben/A.py", "mallory A !holds several files"]),
    ("anna/homework/A.py ben/A.py ben/helper.py", "anna ben", "A",
     ["anna A anna/homework/A.py", "ben A ben/A.py"]),
    ("A/A.py M/M.py", "A M", "", ["class A A/A.py", "class M M/M.py+A/A.py"]),
    ("A.py M.py", "A.py M.py", "", ["class A A.py", "class M M.py+A.py"]),
    ("A/A.py A/anna.py", "A/A.py A/anna.py", "", [f"A ? !{NAMED}", "anna ? A/anna.py"]),
    ("b/A/A.py b/M/M.py anna.py", "b/M/M.py anna.py", "",
     ["b M b/M/M.py+b/A/A.py", "anna ? anna.py"]),
    ("A.py M.py ben.py", "M.py ben.py", "", ["class M M.py", "ben ? ben.py"]),
    ("anna/A/A.py m/anna/A/A.py", "anna m", "", ["anna A anna/A/A.py", "m A m/anna/A/A.py"]),
    ("m/A/A/A.py n/A/A.py", "m/A n/A", "A", ["m A m/A/A/A.py", "n A n/A/A.py"]),
    ("m/A/A/A.py n.py", "m/A n.py", "A", ["m A m/A/A/A.py", "n A n.py"]),
    ("A/A/A.py n/A/A.py", "A n", "A", ["A A A/A/A.py", "n A n/A/A.py"]),
    ("submitted/anna/A/A.py submitted/anna/A/more.ipynb", "submitted/anna/A", "A",
     ["anna A submitted/anna/A/A.py"]),
    ("submitted/anna/A/hw.py submitted/anna/A/helper.py", "submitted/anna/A", "",
     ["anna A !several"]),
    ("ben.py/A.py ben.zip/A.py", "ben.py ben.zip", "A",
     ["ben.py A ben.py/A.py", "ben.zip A ben.zip/A.py"]),
    ("r/anna/A/w.zip[A.py] r/ben/A/A_ben.py r/c/A/", "r/anna/A r/ben/A r/c/A", "",
     ["anna A r/anna/A/w.zip/A.py", "ben A r/ben/A/A_ben.py", f"c A !{NOTHING}"]),
    ("submitted/anna/A/A.py ben/A/A.py", "submitted ben", "",
     ["submitted ? !is a whole class", "ben A ben/A/A.py"]),
]  # fmt: skip


@pytest.mark.parametrize(("layout", "paths", "asked", "expected"), PATHS)
def test_several_paths_in_one_call(
    layout: str, paths: str, asked: str, expected: list[str], tmp_path: Path
) -> None:
    place = tmp_path / "class"
    make(place, layout)
    named_paths = [place / one for one in named(paths).split()]
    assert_agree(
        [answer(one, place) for one in find_each(named_paths, named(asked) or None)],
        [*map(named, expected)],
    )


PAIRS = [
    "anna.py anna.ipynb", "anna.py anna.zip[A.py]", "anna.zip[A.py] anna/A.py", "anna.tgz anna.zip",
    "jos\xe9.py jose\u0301.py", "jos\xe9/A.py jose\u0301/A/A.py", "jos\xe9.py jose\u0301.ipynb",
    "anna.py anna.pdf", "anna/A.py anna.ipynb.html", "ANNA.py anna.py", "anna.py.py anna.py",
    "anna.pdf anna.docx",
]  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="file systems that compose accents")
@pytest.mark.parametrize("pair", PAIRS)
def test_the_paths_of_a_class_give_what_its_folder_gives(pair: str, tmp_path: Path) -> None:
    """No two rows have the same id."""
    place = tmp_path / "class"
    make(place, f"{pair} ben.py zoe/A.py")
    of_folder = sorted(find(place, named("A")), key=lambda one: one.origin or one.path)
    of_paths = find_each(sorted(place.iterdir()), named("A"))
    assert [answer(one, place) for one in of_paths] == [answer(one, place) for one in of_folder]
    assert [one.problem for one in of_paths] == [one.problem for one in of_folder]
    assert len({one.name for one in of_paths}) == len(of_paths)


@pytest.mark.parametrize("assignment", [None, named("A")])
def test_of_several_paths_a_link_is_refused(assignment: str | None, tmp_path: Path) -> None:
    """A link may lead to another student's work; whoever names the link alone may grade it."""
    place = tmp_path / "class"
    make(place, "ben/A.py")
    (place / "anna").symlink_to(place / "ben")
    found = find_each([place / "anna", place / "ben"], assignment)
    assert ["is a link" in one.problem for one in found] == [True, False]
    assert find(place / "anna", assignment)[0].texts


@pytest.mark.parametrize("asked", [None, named("A")])
@pytest.mark.parametrize("inner", ["A.py", "A", "A/A.py"])
def test_of_several_paths_a_link_on_the_way_is_refused(
    inner: str, asked: str | None, tmp_path: Path
) -> None:
    """What lies above all paths is the grader's own, and may be a link."""
    make(tmp_path / "there", "ben/A.py" if inner == "A.py" else "ben/A/A.py")
    place = tmp_path / "class"
    place.symlink_to(tmp_path / "there")
    (place / "anna").symlink_to("ben")
    anna, ben = find_each([place / "anna" / named(inner), place / "ben" / named(inner)], asked)
    assert anna.problem == f"{place / 'anna'} is a link. Hand in the file or the folder itself."
    assert (anna.name, anna.texts) == ("anna", {})
    assert (ben.problem, ben.name) == ("", "ben")
