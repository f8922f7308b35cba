"""The file of equivalent mutants: what it may say, and what is wrong in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course import place
from autograder.mutants.equivalents import (
    Equivalent,
    MalformedEquivalents,
    equivalents,
    read,
)
from autograder.mutants.making import mutants

FILE = """
[order]
reason = "A sum."
[order.Head]
0123456789 = "reference: return y + x"
0123456789-1 = "reference: return y + x"
operators = ["detached"]
said = ["hidden scores are -1e9"]
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "equivalents.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_reads_ids_and_rules(tmp_path: Path) -> None:
    found = list(read(written(tmp_path, FILE)))
    assert [(one.kind, one.value) for one in found] == [
        ("id", "0123456789"),
        ("id", "0123456789-1"),
        ("operators", "detached"),
        ("said", "hidden scores are -1e9"),
    ]
    assert {(one.exercise, one.reason) for one in found} == {("Head", "A sum.")}


def test_no_file_is_no_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(place.VARIABLE, str(tmp_path))
    assert equivalents("made") == []


def test_an_entry_is_of_its_exercise_only() -> None:
    [mutant, *_] = mutants("f", "f/reference", "def f(x):\n    return x - 1\n", ())
    own = Equivalent("f", "id", mutant.id, "", "")
    assert own.is_of(mutant)
    assert not Equivalent("g", "id", mutant.id, "", "").is_of(mutant)
    assert Equivalent("f", "operators", mutant.operator, "", "").is_of(mutant)
    assert Equivalent("f", "said", mutant.said, "", "").is_of(mutant)
    assert not Equivalent("f", "said", mutant.operator, "", "").is_of(mutant)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[a", "cannot be read as TOML"),
        ("a = 1", '[a] has no reason. Write reason = "…".'),
        ("[a]\n[a.Head]\n0123456789 = 'x'", '[a] has no reason. Write reason = "…".'),
        ("[a]\nreason = ' '", '[a] has no reason. Write reason = "…".'),
        ("[a]\nreason = 'r'", "[a] is true of no mutant. Name one, or delete it."),
        ("[a]\nreason = 'r'\nHead = 1", "[a.Head] is no table of mutants. Give it an id"),
        ("[a]\nreason = 'r'\n[a.Head]", "[a.Head] is no table of mutants. Give it an id"),
        (
            "[a]\nreason = 'r'\n[a.Head]\nsaid = 'x'",
            '[a.Head] has said, no list. Write said = ["…"].',
        ),
        (
            "[a]\nreason = 'r'\n[a.Head]\noperators = ['x']",
            "[a.Head] has the operator x, which is not known: other axis, ",
        ),
        ("[a]\nreason = 'r'\n[a.Head]\nabc = 'x'", "[a.Head] has abc, which is not known. Write"),
        ("[a]\nreason = 'r'\n[a.Head]\n0123456789 = 1", "has 0123456789, which is not known."),
        (
            FILE + "[b]\nreason = 'r'\n[b.Head]\n0123456789 = 'x'",
            "[b.Head] has 0123456789, which is in [order.Head] too. Delete one.",
        ),
    ],
)
def test_names_what_is_wrong(text: str, said: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(MalformedEquivalents) as refused:
        list(read(path))
    assert str(refused.value).startswith(str(path))
    assert said in str(refused.value)
