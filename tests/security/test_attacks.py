"""Behind the whole lock, hostile submissions gain, learn and leave nothing; without a layer of it,
that is no longer so."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace

import pytest
from attacks import run
from attacks.watching import courses
from attacks.watching.ablation import ALL, CHOICES, ablated
from attacks.watching.attack import CORPUS, Attack, corpus
from attacks.watching.canaries import planted
from attacks.watching.classes import HONEST, ClassWatch, hand_ins
from attacks.watching.traces import GROWTH, Traces, adopt_orphans
from attacks.watching.watch import HURRIED, IN_A_HURRY, LIMITS, Result, Watch
from conftest import sampled

from autograder.grading.grade import Grade
from autograder.grading.grader import Grader
from autograder.sandbox import open_sandbox

pytestmark = pytest.mark.skipif(
    not shutil.which("bwrap"), reason="hostile submissions are graded locked only: needs bubblewrap"
)
ATTACKS = {attack.name: attack for attack in corpus()}
HAND_INS = hand_ins()
STOPPED_BY = {  # by layer, attacks that nothing else stops
    ALL: ("answer_solution_by_path",),
    "namespaces": ("kernel_tells",),
    "limits": ("memory_bomb",),
    "landlock": ("file_system",),
    "seccomp": (
        "process_fork",
        "tell_attributes",
        "tell_by_waking",
        "tell_clock_of_a_process",
        "tell_file_locks",
        "tell_free_memory",
    ),
}
NOTICED = {  # where nothing is locked: what is said of an attack begins so
    "process_fork": "BREACH forked 40",
    "answer_solution_by_path": "gained 6 points",
    "answer_files": "BREACH read",
    "file_left": "left the file ",
    "process_daemon": "left ",
}


@pytest.fixture(scope="module", autouse=True)
def orphans() -> Iterator[None]:
    """What attacks leave behind is found among this process's own."""
    adopt_orphans(True)
    yield
    adopt_orphans(False)


@pytest.fixture(scope="module")
def locked() -> Iterator[Watch]:
    with planted() as canaries, open_sandbox(LIMITS, locked=True) as sandbox:
        yield Watch(sandbox, canaries)


@pytest.fixture(scope="module")
def unlocked() -> Iterator[Watch]:
    with planted() as canaries, open_sandbox(LIMITS) as sandbox:
        yield Watch(sandbox, canaries)


@pytest.fixture(scope="module")
def hurried() -> Iterator[Watch]:
    with planted() as canaries, open_sandbox(HURRIED, locked=True) as sandbox:
        yield Watch(sandbox, canaries)


@pytest.mark.parametrize("attack", sampled(ATTACKS.values(), lambda attack: attack.name, each=5))
def test_an_attack_gains_learns_and_leaves_nothing(
    attack: Attack, request: pytest.FixtureRequest
) -> None:
    watch = request.getfixturevalue("hurried" if attack.kind in IN_A_HURRY else "locked")
    result = watch.result(attack)
    assert (result.gained, result.issues) == (0, ())


@pytest.fixture(scope="module")
def classes() -> Iterator[ClassWatch]:
    with open_sandbox(HURRIED, locked=True) as sandbox:
        yield ClassWatch(sandbox)


@pytest.mark.parametrize("name", sampled(HAND_INS))
def test_a_hostile_file_changes_nothing_for_others(name: str, classes: ClassWatch) -> None:
    assert classes.issues(HAND_INS[name]) == []


@pytest.mark.dear
def test_a_hostile_submission_to_a_course_changes_nothing_for_others() -> None:
    submitted = courses.submissions()
    assert len(submitted) >= 14
    found = courses.issues(submitted)
    assert found.keys() == {courses.COURSE, *submitted}
    assert {name: issues for name, issues in found.items() if issues} == {}


@pytest.mark.dear
def test_what_nbgraders_own_collecting_lets_in_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.nbgrader.configuration._collect", lambda _: None)
    chosen = ("link_in_the_exchange", "time_that_is_a_link", "pipe_in_the_exchange")
    submitted = courses.submissions()
    found = courses.issues({name: submitted[name] for name in chosen})
    assert "gained 12 points" in found["link_in_the_exchange"]
    assert "feedback contains the solution" in found["link_in_the_exchange"]
    assert found["time_that_is_a_link"] == ["submitted contains the solution"]
    ended = "collect running_averages ended in a traceback"
    assert found[courses.COURSE] == [ended, *(f"{n} has no grade or no feedback" for n in HONEST)]


@pytest.mark.dear
def test_make_attacks_grades_all_that_is_hostile(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one = {"corpus": [ATTACKS["torch_nan"]], "hand_ins": {"loop": HAND_INS["loop_of_links"]}}
    for name, chosen in one.items():
        monkeypatch.setattr(run, name, lambda chosen=chosen: chosen)
    late = {"late": courses.submissions()["time_of_many_digits"]}
    monkeypatch.setattr(courses, "submissions", lambda: late)
    monkeypatch.setattr(run, "CHOICES", ["limits"])
    assert run.main([]) == run.OK
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    told = {line[0]: line[-1] for line in lines if line}
    assert [told[name] for name in ("torch_nan", "loop", "late")] == ["none"] * 3
    assert [line[1:4] for line in lines if line[:1] == ["limits"]] == [
        ["the", "self-test", "refuses:"]
    ]


@pytest.mark.parametrize("where", ["in_the_locked_sandbox", "of_hand_ins", "of_submissions"])
def test_an_issue_anywhere_is_the_exit_code(
    where: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    result = Result(ATTACKS["torch_nan"], 0.0, 1.0, ("is heard of",))
    found = {"in_the_locked_sandbox": [result]}.get(where, {"one": ["is heard of"]})
    for name in ("in_the_locked_sandbox", "of_hand_ins", "of_submissions"):
        nothing: object = [] if name == "in_the_locked_sandbox" else {}
        monkeypatch.setattr(run, name, lambda _, told=found if name == where else nothing: told)
    assert run.main(["torch_nan"]) == run.ISSUES
    assert "is heard of" in capsys.readouterr().out


@pytest.mark.dear
@pytest.mark.parametrize("layer", CHOICES)
def test_every_layer_is_needed(layer: str) -> None:
    """Without it the self-test refuses; and if it did not, an attack would succeed. What others
    have open is closed in other places as well."""
    named = STOPPED_BY.get(layer, ())
    row = ablated(
        layer, [ATTACKS[name] for name in named] or [ATTACKS["torch_nan"]], lambda _: None
    )
    assert any(lack.startswith(layer) or layer == ALL for lack in row.refused)
    assert row.succeed == named


@pytest.mark.dear
@pytest.mark.parametrize("name", sampled(NOTICED))
def test_what_an_attack_does_is_noticed(name: str, unlocked: Watch) -> None:
    issues = unlocked.result(ATTACKS[name]).issues
    assert any(issue.startswith(NOTICED[name]) for issue in issues), issues


@pytest.mark.dear
def test_what_becomes_of_the_grader_is_noticed(
    unlocked: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    attack = ATTACKS["torch_nan"]
    assert unlocked.result(attack).issues == ()
    monkeypatch.setattr("attacks.watching.watch.MORE", -LIMITS.budget - 1.0)
    [issue] = unlocked.result(attack).issues
    assert issue.startswith("took ")
    broken = Grade("s", "s.py", None, "needs_staff", (), "\x1b[2J")
    monkeypatch.setattr(Grader, "grade", lambda *_: broken)
    issues = ", ".join(unlocked.result(attack).issues)
    assert "needs staff" in issues
    assert "characters that do not print: '\\x1b'" in issues
    assert "an honest submission after it got 0/0" in issues
    monkeypatch.setattr(unlocked, "_of_grade", lambda _: 1 / 0)
    assert "the grader raised ZeroDivisionError" in ", ".join(unlocked.result(attack).issues)


def test_memory_that_stays_is_noticed() -> None:
    before = Traces(frozenset(), frozenset(), memory=1 << 30)
    assert replace(before, memory=(1 << 30) + GROWTH).left_since(before) == []
    grown = replace(before, memory=(1 << 30) + GROWTH + (1 << 20))
    assert grown.left_since(before) == ["the grader's memory grew by 49 MB"]


def test_every_file_of_the_corpus_is_an_attack() -> None:
    files = {path.stem for path in CORPUS.glob("*.py")} - {"__init__", "run"}
    assert files == ATTACKS.keys()
    assert len(files) >= 190
    assert len(HAND_INS) >= 26
