"""Whether code binds the name of an exercise decides who may import it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from own_files import BASE, put

from autograder.course import DEFINED, assignments, exercises, program, skeleton
from autograder.submissions import choosing, files
from autograder.submissions.bindings import binds, binds_unseen
from autograder.submissions.finding import find
from autograder.submissions.whose import left_out

NAMES = {"Head", "mean"}
BINDING = [
    "class Head: pass", "def mean(x): pass", "async def mean(x): pass", "if a:\n  class Head: pass",
    "Head = A", "a, mean = 1, f", "(a, [b, *mean]) = f", "a = mean = f", "mean: object = f",
    "if a: mean = f", "a = 1; mean = f", "(\n  mean\n) = f", "mean \\\n = f", "mean += f",
    "print(mean := f)", "for mean in [f]: pass", "for a, (b, mean) in c:\n  pass",
    "[0 for mean in f]",
    "import layers as Head", "from m import f as mean", "from m import (\n a,\n f as mean,\n)",
    "with f() as mean: pass", "with f() as (a, Head): pass", "except E as mean: pass",
    "def f():\n  global mean\n  exec(a)", "match a:\n  case Head: pass", "case {'a': mean}: pass",
    "globals()['Head'] = A", "setattr(m, 'mean', f)", "vars().update({'mean': f})",
    "globals().update(mean=f)",
    "exec('class Head: pass')", "exec('''\ndef mean(): pass\n''')", "x = (Head", "Head)",
]  # fmt: skip
USING = [
    "from heads import Head", "from heads import (\n  A,\n  Head,\n)",
    "import heads\nheads.Head(3)",
    "import Head", "x = Head(3)", "x = {Head: mean}", "f(mean=3)",
    "def f(x: Head = None) -> Head: pass",
    "x: Head = None", "if x == Head: y = 3", "for x in mean: y = 3", "x = [a for a in mean(b)]",
    "table[Head] = 3", "f(Head).x = 3", "Head.size = 3", "x = mean", "# Head = 3", "'Head = 3'",
    "'''\nHead = 3\n'''", "assert mean(x) == 3", "x.mean = 3", "return mean", "Heads = mean_of = 3",
    "print('Head')", "__all__ = ['Head']", "isinstance(x, Head) and f(a=3)", "class A(Head): pass",
    "@mean\ndef f(): pass", "with mean(x) as y: pass", "x = lambda: mean", "x = f(a=Head)",
]  # fmt: skip


@pytest.mark.parametrize("text", BINDING)
def test_a_binding_is_found(text: str) -> None:
    assert binds(text, NAMES)
    assert binds(f"x = 'it\\'s'\n{text}  # a comment\ny = 1\n", NAMES)


@pytest.mark.parametrize("text", USING)
def test_a_use_is_no_binding(text: str) -> None:
    assert not binds(text, NAMES)
    assert not binds(f"x = 'it\\'s'\n{text}  # Head = 3\ny = 1\n", NAMES)


UNSEEN = [
    "globals()['me' + 'an'] = f", "for n in a:\n  globals()[f'me{n}'] = f", "vars()['%s' % n] = f",
    "globals()[names[0]] = f", "globals().update({n: f for n in a})", "globals() |= a",
    "g = globals()\ng['me' + 'an'] = f", "exec(T % n)", "if a: exec(T)", "exec('x' + a)",
    "exec(f'{a} = 3')",
    "setattr(sys.modules[__name__], n, f)", "m = sys.modules[__name__]\nsetattr(m, n, f)",
    "sys.modules[__name__].mean = f", "sys.modules[__name__].__dict__[n] = f",
    "def __getattr__(name):\n  return f", "def \\\n  f(): globals()[a \\\n + b] = f",
]  # fmt: skip
SEEN = [
    "globals()['x'] = f", "print(globals()[n](x))", "globals()[n](x); y[0] = 3", "model.exec(x)",
    "def exec(x): pass", "'exec(x)'", "# exec(x)", "if globals()[n] == f: pass", "eval(x)",
    "class A:\n  def __getattr__(self, name): pass", "setattr(x, n, f)", "vars(x).update(y)",
    "sys.modules[__name__] == m", "sys.modules['torch'].x", "self.__dict__.update(x)",
    "print(locals())", "model.eval()", "exec('x = 3')", "exec('x = 3', a)",
]  # fmt: skip


@pytest.mark.parametrize("text", UNSEEN)
def test_code_that_binds_unseen_names_is_found(text: str) -> None:
    assert binds_unseen(text)
    assert binds_unseen(f"x = 'it\\'s'\n{text}  # a comment\ny = 1\n")


@pytest.mark.parametrize("text", [*SEEN, *USING, *map(skeleton, assignments())])
def test_code_whose_names_are_seen_binds_none_unseen(text: str) -> None:
    assert not binds_unseen(text)
    assert not binds_unseen(f"x = 'it\\'s'\n{text}  # exec(x)\ny = 1\n")


def test_names_are_compared_as_python_reads_them() -> None:
    assert binds("def m\N{FULLWIDTH LATIN SMALL LETTER E}an(x): pass", NAMES)
    assert binds("class \N{MATHEMATICAL BOLD CAPITAL H}ead: pass", NAMES)


DEEP = (
    "(",
    "(\n",
    "a+",
    "-",
    "not ",
    "a.",
    "f(",
    "'''\\",
    "'\\",
    '"""\\',
    "if a:\n ",
    "Head,",
    "for ",
    "globals()[",
)


@pytest.mark.parametrize("unit", DEEP)
def test_deep_code_is_read_all_the_same(unit: str) -> None:
    text = unit * (150_000 // len(unit))
    assert binds(f"{text}\nHead = 3", NAMES) in (True, False)
    assert binds(f"Head = 3\n{text}", NAMES)
    assert not binds_unseen(text) and binds_unseen(f"exec(x)\n{text}")


@pytest.mark.parametrize(
    "how",
    ["a, AttentionHead = 1, F", "import layers as AttentionHead", "globals()['AttentionHead'] = F"],
)
def test_anothers_submission_is_not_imported_however_it_binds(how: str, tmp_path: Path) -> None:
    put(tmp_path, {f"{BASE}.py": "from ben import *\n", "ben.py": f"{how}\n"})
    [found] = find(tmp_path / f"{BASE}.py", BASE)
    assert "ben.py defines an exercise" in str(found.texts["ben.py"])
    assert left_out(tmp_path) == ["ben.py"]


def test_a_helper_that_uses_an_exercise_is_imported(tmp_path: Path) -> None:
    helper = f"from {BASE} import AttentionHead\n\n\ndef two():\n    return AttentionHead(2, 2)\n"
    put(tmp_path, {f"{BASE}.py": "import helper\n", "helper.py": helper})
    [found] = find(tmp_path / f"{BASE}.py", BASE)
    assert found.texts["helper.py"] == [["helper.py", helper]]
    assert left_out(tmp_path) == []


@pytest.mark.parametrize("name", sorted({*DEFINED.findall(skeleton(program()))} - exercises()))
def test_a_helper_that_defines_what_is_no_exercise_is_imported(name: str, tmp_path: Path) -> None:
    """Skeletons define more: functions that train a model, or the parts of an exercise."""
    helper = f"class {name}:\n    pass\n"
    put(tmp_path, {f"{BASE}.py": "import helper\n", "helper.py": helper})
    [found] = find(tmp_path / f"{BASE}.py", BASE)
    assert found.texts["helper.py"] == [["helper.py", helper]]
    assert left_out(tmp_path) == []


def test_what_imports_what_is_looked_for_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never_ends(*_: object) -> list[str]:
        end = time.process_time() + 20
        while time.process_time() < end:
            pass
        raise AssertionError("It was not ended.")

    put(tmp_path, {f"{BASE}.py": "import helper\n", "helper.py": "x = 1\n"})
    monkeypatch.setattr(choosing, "own_modules", never_ends)
    monkeypatch.setattr(files, "SECONDS", 0.1)
    assert left_out(tmp_path) == ["helper.py"]
