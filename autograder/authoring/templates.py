"""The beginnings of the parts of an exercise, with a `TODO(Name): ` where its author has to write.

Placeholders: name, the exercise; slug, its name in the checks; const, its trial; number, its place
in the assignment; home, the assignment; order, the assignment's place in the course.
"""

from __future__ import annotations

from string import Template

ASSIGNMENT = Template("""\
# ---
# order: $order
# hours: TODO($home): say how long students need, as a number such as 1.5
# from: TODO($home): name the paper or the book that it is taken from
# ---

# %% [markdown]
# # TODO($home): write a title of a few words
#
# TODO($home): say what students build and why, and the rules for all exercises.

# %%
""")
PICTURE = Template("""\

# %% [markdown]
# ### Picture: TODO($home): say what it shows
#
# TODO($home): say what there is to see in it, and why.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
#
# fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
# # TODO($home): draw what students have built.
# plt.show()
""")
STATEMENT = Template("""\
# %% [markdown]
# ## Exercise $number: $name
#
# TODO($name): say what it computes and why, and what it must leave alone.
#
#     y = x
# <!-- $$$$ y = x $$$$ -->
#
# TODO($name): replace this formula, in plain text and in LaTeX.
#
# Shapes: `x (N, dim)` gives `(N, dim)`.
#
# To check by hand: TODO($name): give numbers small enough to compute on paper.


# %%
""")
CLASS = Template('''\
class $name(nn.Module):
    """TODO($name): say in a line what it does.

    x: (N, dim). Returns (N, dim).
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        # TODO: TODO($name): say in a few words what students make here.
        ### BEGIN SOLUTION
        # TODO($name): make the parameters of the reference.
        raise NotImplementedError
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        # TODO: TODO($name): say in a few words what students compute here.
        ### BEGIN SOLUTION
        # TODO($name): compute the result of the reference.
        raise NotImplementedError
        ### END SOLUTION
''')
FUNCTION = Template('''\
def $name(x: Tensor) -> Tensor:
    """TODO($name): say in a line what it does.

    x: (N, dim). Returns (N, dim).
    """
    # TODO: TODO($name): say in a few words what students compute here.
    ### BEGIN SOLUTION
    # TODO($name): compute the result of the reference.
    raise NotImplementedError
    ### END SOLUTION
''')
CELL_OF_CLASS = Template("""\


# %% tags=["active-ipynb"]
# y = $name(3)(torch.tensor([[1.0, 2, 3]]))
# assert y.shape == (1, 3), "expected the shape of x, (1, 3)"
# # TODO($name): assert the numbers that the statement gives to check by hand.
# print("$name: the visible checks of this cell pass")
""")
CELL_OF_FUNCTION = Template("""\


# %% tags=["active-ipynb"]
# y = $name(torch.tensor([[1.0, 2, 3]]))
# assert y.shape == (1, 3), "expected the shape of x, (1, 3)"
# # TODO($name): assert the numbers that the statement gives to check by hand.
# print("$name: the visible checks of this cell pass")
""")

CHECKS = Template('''\
"""Checks of $home."""

from __future__ import annotations
''')
DECLARATION = Template("""\
# TODO($name): add needs=(...) or may_use=(...) if other exercises matter to it.
$slug = Exercise("$name")
""")
CHECKS_OF_CLASS = Template('''\
# $name


def ${slug}_inputs(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Draw the inputs of two calls; the first argument is the number of features."""
    # TODO($name): draw inputs of the stated shapes, no two sizes equal.
    dim = arguments[0]
    return {"An input": (draw.normal(5, dim),), "A single row": (draw.normal(1, dim),)}


# TODO($name): give the arguments it is built with, and a condition=.
$const = Trial("$name", (7,), ${slug}_inputs)


@$slug.check(points=1)
def test_${slug}_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives the numbers of the statement"""
    # TODO($name): take numbers of the statement, .with_weights() too.
    numbers = given(The_numbers_of_the_statement=(torch.tensor([[1.0, 2, 3]]).double(),))
    by_hand = $const.sized(3, inputs=numbers)
    compare.agrees(submission, reference, draw, by_hand)


@$slug.check(points=2)
def test_${slug}_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference"""
    compare.agrees(submission, reference, draw, $const)


# BEGIN HIDDEN TESTS
@$slug.check(points=1, symptom="other inputs")
def test_${slug}_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    # TODO($name): try sizes that no visible check tries, and large numbers.
    elsewhere = $const.sized(draw.size(33, 67))
    compare.agrees_strided(submission, reference, draw, elsewhere)


# END HIDDEN TESTS
@$slug.check(points=1)
def test_${slug}_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach the input and the parameters"""
    compare.gradients_agree(submission, reference, draw, $const)


@$slug.check(points=1)
def test_${slug}_parameters(submission: Client, reference: Client) -> None:
    """Has the parameters of the statement"""
    # TODO($name): delete this check if there are none.
    parts.has_parameters(submission, reference, $const)


@$slug.check(points=1)
def test_${slug}_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a module: arguments, batches, state_dict, device"""
    behaviour.of_module(submission, reference, draw, $const)
''')
CHECKS_OF_FUNCTION = Template('''\
# $name


def ${slug}_inputs(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Draw the inputs of two calls."""
    # TODO($name): draw inputs of the stated shapes, no two sizes equal.
    return {"An input": (draw.normal(5, 7),), "A single row": (draw.normal(1, 4),)}


# TODO($name): add .with_condition() with a condition of tolerance.py.
$const = Trial.function("$name", ${slug}_inputs)


@$slug.check(points=1)
def test_${slug}_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives the numbers of the statement"""
    # TODO($name): take the numbers of the statement.
    numbers = given(The_numbers_of_the_statement=(torch.tensor([[1.0, 2, 3]]).double(),))
    compare.agrees(submission, reference, draw, $const.on(numbers))


@$slug.check(points=2)
def test_${slug}_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference"""
    compare.agrees(submission, reference, draw, $const)


# BEGIN HIDDEN TESTS
def ${slug}_elsewhere(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Draw the inputs of a hidden call."""
    # TODO($name): try sizes that no visible check tries, and large numbers.
    return {"A large input": (draw.normal(2, draw.size(33, 67)),)}


@$slug.check(points=1, symptom="other inputs")
def test_${slug}_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    elsewhere = $const.on(${slug}_elsewhere)
    compare.agrees_strided(submission, reference, draw, elsewhere)


# END HIDDEN TESTS
@$slug.check(points=1)
def test_${slug}_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a function: arguments, batches, device"""
    behaviour.of_function(submission, reference, draw, $const)
''')

PROMISES = "# What the statement asks for, and the checks that see it.\n"
PROMISE = Template("""\
[[promise]]
sentence = "TODO($name): quote a sentence of the statement word for word. Repeat for others."
checks = [
$checks]
""")
MISCONCEPTION = Template("""\
[$table]
look = "TODO($name): say where to look, and what there is to see."
think = "TODO($name): ask the question that this raises."
nearly = "TODO($name): say nearly the answer, but not the line to write."
[$table.$name.$id]
mistake = "TODO($name): say what the mistake does, in words that students know."
edits = $edits
""")
FIRST = "first_mistake"  # id of the misconception that a new exercise has until one is written
FIRST_EDITS = Template(
    "[{ find = 'TODO($name): quote code of the reference.', replace = 'the mistake' }]"
)
RIGHT = Template('''\
"""TODO($name): write an unusual right solution, say how it works, and name the file after it."""

import torch
from torch import nn


$code''')
WRONG = Template('''\
"""TODO($name): write a mistake as others would, say what is wrong, and name the file after it."""

import torch
from torch import nn


$code''')
CODE_OF_CLASS = Template("""\
class $name(nn.Module):
    def __init__(self, dim):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        raise NotImplementedError
""")
CODE_OF_FUNCTION = Template("""\
def $name(x):
    raise NotImplementedError
""")
