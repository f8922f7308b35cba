"""An instructor's choice in course.toml: what is left out, points, texts; and what is refused."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from autograder import course
from autograder.checking.chosen import distributed
from autograder.checking.collect import Checks, collect
from autograder.course import place
from autograder.course.cells import COMMENT, cells
from autograder.course.declaration import parsed, written
from autograder.course.leaving_out import expanded, without
from autograder.course.statements import OPTIONAL, CannotLeaveOut
from autograder.errors import CourseError
from autograder.parsing import toml

OTHER = Path(__file__).with_name("other_course")
HEAD = 'title = "T"\nid = "i"\n'
Choose = Callable[[str], Path]


@pytest.fixture
def choose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Choose:
    """Return what makes a copy of the tiny course with a choice, and uses it in this process."""
    monkeypatch.setenv("AUTOGRADER_COURSE", "")  # so that it is as before after the test

    def made(chosen: str, *left: str) -> Path:
        folder = tmp_path / "mine" / "solutions"
        shutil.copytree(OTHER / "solutions", folder)
        (folder / "course.toml").write_text(f"{HEAD}{chosen}", encoding="utf-8")
        course.use(folder)
        return folder

    return made


@pytest.fixture
def taking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Choose:
    """Return what makes a course that has only what it takes over, and uses it."""
    monkeypatch.setenv("AUTOGRADER_COURSE", "")

    def made(chosen: str) -> Path:
        (tmp_path / "course.toml").write_text(f"{HEAD}{chosen}", encoding="utf-8")
        course.use(tmp_path)
        return tmp_path

    return made


def points(checks: Checks) -> dict[str, list[float]]:
    """Return the points of the checks of each exercise."""
    each = [one for home in checks.assignments for one in checks.exercises(home)]
    return {one.name: [check.check.points for check in checks.of(one)] for one in each}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("assignments = 1\n", ": assignments is no table. Write [assignments.NAME] above what "),
        ("exercises.A = 1\n", ": exercises.A is no table. Write [exercises.A]."),
        ("[exercises.A]\npints = 1\n", ": [exercises.A] has pints, which is not known. It has "),
        ("[assignments.a]\npoints = 1\n", ": [assignments.a] has points, which is not known. It "),
        ('[exercises.A]\nleave_out = "yes"\n', ": [exercises.A] has leave_out = 'yes'. Write true"),
        ("[assignments.a]\noptional = 1\n", ": [assignments.a] has optional = 1. Write true or "),
        ("[assignments.a]\nminutes = 0\n", ": [assignments.a] has minutes = 0. Write a whole "),
        ("[assignments.a]\nminutes = true\n", ": [assignments.a] has minutes = True. Write a "),
        ("[exercises.A]\npoints = -3\n", ": [exercises.A] has points = -3. Write a whole number "),
        ("[exercises.A]\npoints = 2.5\n", ": [exercises.A] has points = 2.5. Write a whole "),
        ("[exercises.A]\npoints = 1001\n", ": [exercises.A] has points = 1001. Write a whole "),
        ("[exercises.A]\npoints = { a = true }\n", ": [exercises.A] has points = {'a': True}. "),
        ("[exercises.A]\npoints = { a = 1e9 }\n", ": [exercises.A] has points = {'a': 10000000"),
        ("[exercises.A]\npoints = { a = -1 }\n", ": [exercises.A] has points = {'a': -1}. Write"),
        ("[exercises.A]\npoints = { a = inf }\n", ": [exercises.A] has points = {'a': inf}. "),
        (
            "[exercises.A]\npoints = 3\nleave_out = true\n",
            ": [exercises.A] has leave_out = true and more. Delete one of the two.",
        ),
        ('take_over = "a"\n', ": take_over is no list of assignments. Write take_over = ['…']."),
        ("take_over = [1]\n", ": take_over is no list of assignments. Write take_over = ['…']."),
        ('language = "../x"\n', ": language is '../x'. Write a code such as de or pt-BR."),
    ],
)
def test_a_choice_that_cannot_be_read(text: str, problem: str) -> None:
    with pytest.raises(CourseError) as refused:
        parsed(toml(f"{HEAD}{text}".encode()), Path("course.toml"))
    assert str(refused.value).startswith(f"course.toml{problem}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[assignments.power]\nminutes = 1\n", ": there is no assignment power. The course has p"),
        ("[assignments.powers]\nleave_out = true\n", " leaves out every assignment. Keep one."),
        ('take_over = ["powers2"]\n', ": powers2 cannot be taken over. The kit's course has att"),
        ("[exercises.Scale]\npoints = 3\n", ": there is no exercise Scale in the assignments of "),
        (
            "[exercises.geometric_mean]\npoints = 2\n",
            ": [exercises.geometric_mean] has points = 2, but 3 checks that give points. Write 3 ",
        ),
        (
            "[exercises.geometric_mean]\npoints = { mean = 2 }\n",
            ": [exercises.geometric_mean] has points for mean. geometric_mean has the checks mean_",
        ),
        (
            "[exercises.geometric_mean]\nleave_out = true\n"
            "[exercises.Polynomial]\nleave_out = true\n",
            " leaves out all exercises of powers. Write leave_out = true under [assignments.pow",
        ),
    ],
)
def test_a_choice_that_does_not_fit_the_course(text: str, problem: str, choose: Choose) -> None:
    path = choose(text) / "course.toml"
    with pytest.raises(CourseError) as refused:
        course.assignments()
        collect()
    assert str(refused.value).startswith(f"{path}{problem}")


def test_a_name_that_is_taken_over_and_there(choose: Choose) -> None:
    folder = choose('take_over = ["normalization"]\n')
    shutil.copytree(place.DEFAULT / "normalization", folder / "normalization")
    with pytest.raises(CourseError, match=r"normalization is taken over, and is in .*Delete one"):
        course.assignments()


def test_what_is_written_for_a_copy_is_read_the_same(choose: Choose) -> None:
    chosen = '[assignments.powers]\noptional = true\nminutes = 90\n[exercises."ü"]\nleave_out = '
    text = f'{HEAD}language = "de"\npayoff = "a \\"b\\" ü"\n{chosen}true\n[exercises.A]\n'
    found = parsed(toml(f"{text}points = {{ one = 2, two = 0.5 }}\n".encode()), Path("x"))
    assert parsed(toml(written(found).encode()), Path("x")) == found


def test_points_keep_their_sum_and_their_proportions() -> None:
    """Whatever is asked for; and the author's own points come out if their sum is."""
    for weights in itertools.product((0, 1, 2, 3, 6), repeat=3):
        if any(weights):
            count = sum(map(bool, weights))
            for total in range(count, 40):
                found = distributed(total, weights)
                assert sum(found) == total
                assert [bool(one) for one in found] == [bool(one) for one in weights]
            assert distributed(7 * sum(weights), weights) == [7 * one for one in weights]
    assert distributed(10, (1, 2, 1, 1, 1)) == [2, 3, 2, 2, 1]


def test_points_are_those_of_the_course(choose: Choose) -> None:
    choose("[exercises.geometric_mean]\npoints = 10\n[exercises.Polynomial]\n"
           "points = { polynomial_parameters = 0.5 }\n")  # fmt: skip
    found = points(collect())
    assert found["geometric_mean"] == [4, 3, 3]
    assert found["Polynomial"][0] == 0.5
    assert sum(found["Polynomial"]) == 3.5  # as before, but for a half


def test_an_exercise_that_is_left_out_is_gone(choose: Choose) -> None:
    choose("[exercises.geometric_mean]\nleave_out = true\n")
    assert [*points(collect())] == ["Polynomial"]
    assert course.exercises() == {"Polynomial"}
    assert "geometric_mean" in course.solution("powers")  # as references need it
    for text in (course.statement("powers"), course.skeleton("powers")):
        assert "geometric_mean" not in text
        assert "### Picture: a parabola" in text
    assert course.given() == set()


def test_one_assignment_is_taken_over_beside_own_ones(choose: Choose) -> None:
    choose('take_over = ["normalization"]\n')
    assert course.assignments() == ("powers", "normalization")
    assert [*points(collect())] == ["geometric_mean", "Polynomial", "BatchNorm1d", "LayerNorm1d"]


def test_what_others_are_built_on_is_given(taking: Choose) -> None:
    """Of an assignment that is not there, with all that its code reads."""
    taking('take_over = ["multi_head"]\n')
    checks = collect()
    [listed, _] = checks.exercises("multi_head")
    assert (listed.name, listed.needs) == ("MultiHeadList", ())
    text = course.statement("multi_head")
    assert "attention_layer" not in text.replace("one attention layer", "")
    assert course.given() == {"AttentionHead", "QueryKeyValue", "ScaledDotProduct"}
    namespace: dict[str, object] = {}
    exec(compile(text, "multi_head.py", "exec"), namespace)
    assert "AttentionHead" in namespace
    assert "### BEGIN SOLUTION" not in text.partition("## Exercise 1")[0]
    assert "TODO" not in text.partition("## Exercise 1")[0]


def test_what_is_given_imports_what_is_asked_for(taking: Choose) -> None:
    taking('take_over = ["attention_layer", "multi_head"]\n'
           "[exercises.AttentionHead]\nleave_out = true\n")  # fmt: skip
    text = course.statement("multi_head")
    assert "from attention_layer import QueryKeyValue, ScaledDotProduct  # your own" in text
    assert "class AttentionHead" in text
    assert "class QueryKeyValue" not in text
    assert "AttentionHead" not in course.statement("attention_layer")


def test_an_exercise_on_which_its_neighbours_are_built_is_given(taking: Choose) -> None:
    taking('take_over = ["attention_layer"]\n[exercises.QueryKeyValue]\nleave_out = true\n')
    text = course.skeleton("attention_layer")
    section = text.partition("## Exercise 2: QueryKeyValue")[2].partition("## Exercise 3")[0]
    assert "**This one is given**" in section
    assert "self.W_q = nn.Parameter" in section
    assert "raise NotImplementedError" not in section
    assert "the visible checks of this cell" not in section
    assert 'raise NotImplementedError("AttentionHead is not written yet")' in text


BUILT_ON = """
# %% [markdown]
# ## Exercise 3: Twice


# %%
def Twice(x: Tensor) -> Tensor:
    # TODO: take the mean twice.
    ### BEGIN SOLUTION
    return 2 * geometric_mean(x)
    ### END SOLUTION


# %% [markdown]
# ## Exercise 4: Logarithms


# %%
def Logarithms(x: Tensor) -> Tensor:
    ### BEGIN SOLUTION
    logarithms = torch.log(x)
    return torch.exp(logarithms.mean(dim=-1))
    ### END SOLUTION
"""


def built_on(folder: Path, uses: str) -> None:
    """Add an exercise that is built on geometric_mean, and one that is answered by its code."""
    module, checks = (folder / "powers" / f"{kind}powers.py" for kind in ("", "test_"))
    module.write_text(f"{module.read_text()}{BUILT_ON}", encoding="utf-8")
    text = checks.read_text().replace('("geometric_mean")', f'("geometric_mean"{uses})')
    text = text.replace("geometric_mean = ", 'other = Exercise("Logarithms")\ngeometric_mean = ')
    more = 'twice = Exercise("Twice", needs=(geometric_mean,))\n'
    for name in ("twice", "other"):
        more += f'\n\n@{name}.check(points=1)\ndef test_{name}() -> None:\n    """Is right"""\n'
    checks.write_text(f"{text}\n\n{more}", encoding="utf-8")


LEFT = "[exercises.geometric_mean]\nleave_out = true\n"


def test_code_that_holds_an_answer_is_not_given(choose: Choose) -> None:
    built_on(choose(LEFT), "")
    with pytest.raises(CannotLeaveOut, match=r"answers Logarithms. Leave out Logarithms too, or"):
        course.statement("powers")


def test_code_that_an_author_calls_the_whole_of_an_answer_is_not_given(choose: Choose) -> None:
    folder = choose(LEFT)
    built_on(folder, ", may_use=(other,)")
    module = folder / "powers" / "powers.py"
    text = module.read_text().replace("return torch.exp(log", "return torch.exp( log", 1)
    module.write_text(text)
    course.statement("powers")  # in other words
    with pytest.raises(CourseError, match=r"leaves out geometric_mean, on which Twice is built"):
        collect()


def test_what_is_given_is_fine_where_it_answers_nothing(choose: Choose) -> None:
    built_on(choose(f"{LEFT}[exercises.Logarithms]\nleave_out = true\n"), ", may_use=(other,)")
    assert [*points(collect())] == ["Polynomial", "Twice"]
    assert course.given() == {"geometric_mean"}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("from powers import (geometric_mean)", "'from powers import geometric_mean' imports what"),
        ("import powers", "'import powers' imports what is left out: powers. Write from … import"),
    ],
)
def test_what_is_imported_in_another_way(line: str, problem: str) -> None:
    text = f"# %%\n{line}\n"
    solution = {"powers": "# %%\ndef geometric_mean(x):\n    return x\n"}.get
    with pytest.raises(CourseError) as refused:
        expanded(text, solution, lambda _: ())
    assert str(refused.value).startswith(problem)
    assert expanded(text, solution, lambda _: ("geometric_mean",)) == (text, "")


def test_a_cell_that_is_no_python(choose: Choose) -> None:
    module = choose(LEFT) / "powers" / "powers.py"
    text = module.read_text().replace("# import matplotlib", "# %matplotlib inline\n# import mat")
    module.write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match=r"begins with '%matplotlib inline' cannot be read as Py"):
        course.statement("powers")


def test_limits_are_said(choose: Choose) -> None:
    choose("[assignments.powers]\noptional = true\nminutes = 90\n")
    text = course.skeleton("powers")
    assert "# **This assignment is optional**: its points are extra.\n" in text
    assert "# **You have 90 minutes**, from when you begin to read.\n" in text


def own(folder: Path, name: str, text: str) -> Path:
    """Write a text of the instructor's own."""
    path = folder / "texts" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "heading", ["", "## Exercise 1: geometric_mean\n\n", "## Mine 9: geometric_mean\n\n"]
)
def test_a_text_is_replaced(heading: str, choose: Choose) -> None:
    own(choose(""), "geometric_mean.md", f"{heading}Mine.\n\n    a = b\n")
    text = course.skeleton("powers")
    first = heading.strip() or "## Exercise 1: geometric_mean"
    assert f"# %% [markdown]\n# {first}\n#\n# Mine.\n#\n#     a = b\n\n\n# %%\ndef geom" in text
    assert "The n-th root" not in text
    assert "A polynomial whose" in text


def test_an_introduction_and_the_readme_are_replaced(choose: Choose) -> None:
    folder = choose("")
    assert course.readme() is None
    own(folder, "README.md", "# Mine\n\n$5\n")
    own(folder, "powers.md", "# Powers of mine\n\nBegin.\n")
    assert course.readme() == "# Mine\n\n$5\n"
    text = course.skeleton("powers")
    assert "# # Powers of mine\n#\n# Begin.\n\n# %%\nimport torch" in text


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("mean.md", "x", ": the course asks for nothing called mean. Name the file after an ex"),
        ("geometric_mean.md", "a\n## b\nc", " has more texts for geometric_mean than its stateme"),
        ("geometric_mean.md", "## Mean\n", " must hold one text for geometric_mean. Write it wi"),
        (
            "geometric_mean.md",
            "a\n## B 2: Polynomial\n",
            " must hold one text for geometric_mean. ",
        ),
        ("geometric_mean.md", "a\n%% b", ": the line '%% b' would begin a cell. Indent it."),
        ("geometric_mean.md", "", " must hold one text for geometric_mean. Write it without a h"),
    ],
)
def test_a_text_that_cannot_replace_one(name: str, text: str, problem: str, choose: Choose) -> None:
    path = own(choose(""), name, text)
    with pytest.raises(CourseError) as refused:
        course.statement("powers")
    assert str(refused.value).startswith(f"{path}{problem}")


GERMAN = """\
# Mittelwerte

Zwei Übungen.

## Übung 2: Polynomial

Ein Polynom.

### Bild: eine Parabel

Unten.
"""


@pytest.mark.parametrize("where", ["texts", "powers"])
def test_statements_in_another_language(where: str, choose: Choose) -> None:
    """What is not translated stays, and is listed; names, code and checks stay too."""
    folder = choose('language = "de"\n')
    english = course.solution("powers")
    (folder / where).mkdir(exist_ok=True)
    (folder / where / "powers.de.md").write_text(GERMAN, encoding="utf-8")
    text = course.statement("powers")
    assert "# # Mittelwerte\n#\n# Zwei Übungen.\n\n# %%\nimport" in text
    assert "# ## Übung 2: Polynomial\n#\n# Ein Polynom.\n\n\n# %%\nclass" in text
    assert "# ### Bild: eine Parabel\n#\n# Unten.\n\n# %% tags" in text
    assert "## Exercise 1: geometric_mean" in text
    code = [[line for line in one.splitlines() if line[:1] != "#"] for one in (text, english)]
    assert code[0] == code[1]
    assert course.untranslated() == ["powers.de.md has no text for: geometric_mean."]
    assert points(collect()).keys() == {"geometric_mean", "Polynomial"}


def test_without_a_translation_all_is_listed(choose: Choose) -> None:
    choose('language = "fr"\n')
    assert course.statement("powers") == course.solution("powers")
    assert course.untranslated() == [
        "powers.fr.md has no text for: Means and powers; geometric_mean; Polynomial; Picture: a "
        "parabola."
    ]


def test_the_kits_own_course_is_as_its_authors_have_it() -> None:
    for name in course.assignments():
        assert course.statement(name).replace(OPTIONAL, "", 1) == course.solution(name)
    assert course.sources() == course.assignments()
    assert course.given() == set()


@pytest.mark.dear
@pytest.mark.filterwarnings("ignore")  # of matplotlib
@pytest.mark.parametrize("name", course.assignments())
def test_what_remains_runs_as_a_notebook(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever exercise is left out: pictures find what they draw, and what they draw it with."""
    monkeypatch.setenv("MPLBACKEND", "agg")
    for other in course.assignments():  # from which it may import
        monkeypatch.syspath_prepend(place.DEFAULT / other)
    checks = collect()
    own = [exercise.name for exercise in checks.exercises(name)]
    for gone in own if len(own) > 1 else ():
        text, _ = without(course.solution(name), own, {*own} - {gone})
        assert f"{gone}: the visible checks" not in text
        assert all(f"{one}: the visible checks" in text for one in {*own} - {gone})
        namespace: dict[str, object] = {}
        for cell in cells(text, own):
            code = COMMENT.sub("", cell.rest) if cell.is_demonstration else cell.rest
            if not cell.is_text:
                exec(compile(code, f"{name} without {gone}", "exec"), namespace)
        plt.close("all")
