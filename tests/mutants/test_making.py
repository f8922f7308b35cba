"""Mutants of a solution: of which code, with which ids, and none that is right."""

from __future__ import annotations

import ast
from dataclasses import replace

from autograder.mutants.making import Mutant, definitions, mutants

HEAD = '''
"""Text."""
import torch

SIZE = 3


def helper(x):
    return x * SIZE


def other(x):
    return x * 2


def unused(x):
    return x * 3


def head(x):
    """x * 4."""
    # x * 5
    return helper(x) + other(x)


assert head(1) == 2
'''


def made(text: str = HEAD, share: int = 1) -> list[Mutant]:
    return list(mutants("head", "head/reference", text, {"other"}, share))


def test_only_the_exercise_and_what_it_uses_is_changed() -> None:
    tree = ast.parse(HEAD)
    names = [getattr(node, "name", "SIZE") for node in definitions(tree, "head", {"other"})]
    assert names == ["SIZE", "helper", "head"]
    assert {one.where for one in made()} == {"helper", "head"}
    kept = "def other(x):\n    return x * 2\n\n\ndef unused(x):\n    return x * 3\n"
    for one in made():
        assert kept in one.text and one.text.endswith("assert head(1) == 2\n")
        assert one.text != HEAD


def test_each_text_is_made_once_and_none_is_the_source() -> None:
    found = made("def head(x, y):\n    return x @ y.transpose(0, 1)\n")
    assert len({one.text for one in found}) == len(found) == len({one.id for one in found}) > 3
    assert not any("y.transpose(1, 0)" in one.text for one in found)


def test_ids_survive_changes_elsewhere() -> None:
    ids = {(one.where, one.id) for one in made()}
    for text in (
        HEAD.replace("# x * 5", "# another remark\n    # of two lines"),
        HEAD.replace("return x * 3", "return 7"),
        HEAD.replace("import torch", "import torch\nimport math"),
        HEAD.replace("helper(x) + other(x)", "helper( x )  +  other( x )"),
    ):
        assert {(one.where, one.id) for one in made(text)} == ids
    elsewhere = made(HEAD.replace("x * SIZE", "x / SIZE"))
    of_head = {one for one in ids if one[0] == "head"}
    assert {(m.where, m.id) for m in elsewhere if m.where == "head"} == of_head
    assert {(m.where, m.id) for m in elsewhere if m.where == "helper"}.isdisjoint(ids)


def test_two_changes_of_one_kind_have_ids_of_their_own() -> None:
    text = "def head(x):\n    y = x[0]\n    y = x[0]\n    return y\n"
    found = [one for one in made(text) if one.after == ("y = x[1]",)]
    assert [one.line for one in found] == [2, 3]
    assert found[1].id == f"{found[0].id}-1"


def test_labels_fit_into_a_line() -> None:
    [one, *_] = made()
    long = replace(one, after=("return " + "x" * 100,))
    assert len(long.label) == 60 and long.label.endswith("…")
    assert replace(one, before=("x += 1",), after=("pass",)).label == "reference: without x += 1"


def test_a_sample_is_drawn_by_the_ids() -> None:
    every, sample = {one.id for one in made()}, {one.id for one in made(share=3)}
    assert sample < every
    assert sample == {one for one in every if int(one[:8], 16) % 3 == 0}


def test_other_letters_and_tabs() -> None:
    text = "def head(größe):\n\tif größe:\n\t\tgröße = größe + 1\n\treturn 'äöü', größe\n"
    for one in made(text):
        ast.parse(one.text)
    assert "\t\tgröße = größe - 1\n" in "".join(one.text for one in made(text))
