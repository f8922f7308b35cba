"""Parameters with other names are matched by their shape, or not at all."""

from __future__ import annotations

import itertools
from random import Random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from autograder.client import Layout, Packing, layouts
from autograder.client.layout import MOST, MOST_NAMES, Shapes
from autograder.cpu_limit import cpu_limit


def test_a_tensor_without_numbers_is_not_rearranged() -> None:
    """A tensor without numbers takes no bytes, but an order of its rows would take gigabytes."""

    def order(size: int, heads: int) -> Tensor:
        raise AssertionError(f"the order of {size} rows")

    packing = Packing("it is packed", orders={"weight": (0, order)})
    huge = {"weight": torch.empty(1 << 40, 0), "own.weight": torch.empty(1 << 40, 0)}
    found = packing.inward(huge)
    assert {name: tensor.shape for name, tensor in found.items()} == {
        name: tensor.shape for name, tensor in huge.items()
    }


def places(want: Shapes, have: Shapes) -> list[dict[str, tuple[str, bool]]]:
    """Return the layouts as dictionaries."""
    return [dict(layout.places) for layout in layouts(want, have)]


def alike(names: str, shape: tuple[int, ...] = (4, 7)) -> Shapes:
    """Return parameters of one shape, each with one letter as its name."""
    return dict.fromkeys(names, shape)


def test_the_same_names_need_no_places() -> None:
    assert places({"W": (2, 3), "b": (3,)}, {"b": (3,), "W": (2, 3)}) == [{}]


def test_what_is_too_many_is_left_alone() -> None:
    assert places({"W": (2, 3)}, {"more": (2, 3), "W": (2, 3)}) == [{}]


def test_a_renamed_parameter_is_found_by_its_shape() -> None:
    found = places({"W": (2, 3), "b": (3,)}, {"weight": (2, 3), "bias": (3,)})
    assert found == [{"W": ("weight", False), "b": ("bias", False)}]


def test_a_name_that_agrees_stays_even_if_its_shape_fits_elsewhere() -> None:
    assert places(alike("ab"), alike("ax")) == [{"b": ("x", False)}]


def test_a_name_that_agrees_with_another_shape_is_looked_for() -> None:
    found = places({"a": (2,), "b": (3,)}, {"a": (3,), "b": (2,)})
    assert found == [{"a": ("b", False), "b": ("a", False)}]


def test_several_of_one_shape_are_tried_in_order_of_registration() -> None:
    found = places(alike("abc"), alike("xyz"))
    orders = ["".join(own for own, _ in layout.values()) for layout in found]
    assert orders == ["".join(order) for order in itertools.permutations("xyz")]
    assert all(list(layout) == ["a", "b", "c"] for layout in found)


def test_one_of_too_many_is_chosen() -> None:
    assert [layout["a"][0] for layout in places(alike("a"), alike("xyz"))] == ["x", "y", "z"]


def test_shapes_are_not_mixed() -> None:
    want = {**alike("ab"), **alike("cd", (4,))}
    have = {**alike("yx", (4,)), **alike("wv")}
    found = places(want, have)
    assert found[0] == {
        "a": ("w", False), "b": ("v", False), "c": ("y", False), "d": ("x", False),
    }  # fmt: skip
    assert len(found) == 4


def test_a_matrix_may_be_transposed() -> None:
    found = places({"W": (2, 3), "b": (3,)}, {"V": (3, 2), "b": (3,)})
    assert found == [{"W": ("V", True)}]


def test_a_matrix_under_its_own_name_may_be_transposed() -> None:
    assert places({"W": (2, 3)}, {"W": (3, 2)}) == [{"W": ("W", True)}]


def test_a_matrix_is_transposed_only_where_nothing_else_fits() -> None:
    assert places({"W": (2, 3)}, {"A": (3, 2), "B": (2, 3)}) == [{"W": ("B", False)}]
    assert places({"W": (3, 3)}, {"V": (3, 3)}) == [{"W": ("V", False)}]


@pytest.mark.parametrize(
    "want, have",
    [
        ({"a": (2, 3)}, {}),
        ({"a": (2, 3)}, {"x": (2, 4)}),
        ({"a": (2, 3)}, {"x": (2, 3, 1)}),
        ({"a": (2, 3)}, {"x": (6,)}),
        (alike("ab"), alike("x")),
        (alike("ab"), alike("a")),
        ({"a": (2, 3), "b": (3, 2)}, {"x": (2, 3)}),
    ],
)
def test_impossible(want: Shapes, have: Shapes) -> None:
    assert places(want, have) == []


@pytest.mark.parametrize("shape", [(2, 3, 4), (2, 3, 4, 5)])
def test_only_matrices_are_transposed(shape: tuple[int, ...]) -> None:
    assert places({"a": shape}, {"x": shape[::-1]}) == []


@pytest.mark.parametrize("count", [2, 4, 5, 7])
def test_no_more_than_most(count: int) -> None:
    found = places(alike("abcdefgh"[:count]), alike("stuvwxyz"[:count]))
    assert len(found) == min(MOST, len(list(itertools.permutations(range(count)))))
    assert all(len({own for own, _ in layout.values()}) == count for layout in found)


@pytest.mark.parametrize("count", [8, 12])
def test_many_of_one_shape(count: int) -> None:
    """A list of heads may have another name, e.g. four heads with three matrices each."""
    want = alike("abcdefghijkl"[:count])
    have = alike("ABCDEFGHIJKL"[:count])
    found = places(want, have)
    assert found[:1] == [{name: (name.upper(), False) for name in want}]
    assert len(found) == MOST


@pytest.mark.parametrize(
    "want, have",
    [
        (alike("abcdefghijkl"), alike("ABCDEFGHIJK")),
        ({**alike("abcdefghijkl"), **alike("xy", (2,))}, {**alike("ABCDEFGHIJKL"), "X": (2,)}),
        ({**alike("abcdef", (2, 3)), **alike("uvwxyz", (3, 2))}, alike("ABCDEFGHIJK", (3, 2))),
    ],
)
def test_one_too_few_among_many(want: Shapes, have: Shapes) -> None:
    """A missing parameter is found at once, before all orders of the others are tried."""
    with cpu_limit(2.0):
        assert places(want, have) == []


@pytest.mark.parametrize("same_shape", [1, 4, MOST_NAMES])
def test_a_reply_of_many_long_names(same_shape: int) -> None:
    """A hostile child sends the names, so comparing them takes bounded time."""
    drawn = Random(same_shape)
    want, have = (
        {"".join(drawn.choices("ab", k=500)) + f"_{i}": (i // same_shape,) for i in range(count)}
        for count in (MOST_NAMES, MOST_NAMES)
    )
    with cpu_limit(2.0):
        assert places(want, have)
        assert not places(want, {**have, "one more": (1,)})


@pytest.mark.parametrize(("between", "count"), [(".", 290), (".", 14), ("_", 14), ("a1", 120)])
def test_a_reply_of_names_with_many_parts(between: str, count: int) -> None:
    def name(i: int) -> str:
        return between.join(["1"] * count) + f".{i}"

    layout = Layout({f"a.{name(i)}": (f"b.{name(i)}", False) for i in range(MOST_NAMES)})
    with cpu_limit(2.0):
        assert len(layout.inward({f"c.{name(i)}": None for i in range(1000)})) == 1000


def test_a_list_of_heads_of_another_name() -> None:
    """In MultiHeadList with three heads, the orders of several shapes multiply."""
    head = {"W_q": (7, 4), "W_k": (7, 4), "value.weight": (4, 7), "value.bias": (4,)}
    want, have = (
        {f"{name}.{i}.{part}": shape for i in range(3) for part, shape in head.items()}
        for name in ("heads", "list")
    )
    found = places(want, have)
    same = {name: (name.replace("heads", "list"), False) for name in want}
    assert found[:1] == [same]


# Outward and inward

shapes = st.lists(st.sampled_from([(2, 3), (3, 2), (2, 2), (3,), ()]), max_size=5)


@pytest.mark.dear
@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(shapes, st.randoms(use_true_random=False))
def test_outward_and_inward_are_inverse(chosen: list[tuple[int, ...]], random: Random) -> None:
    """Layouts of renamed, shuffled and partly transposed parameters are invertible."""
    want = {f"p{i}": shape for i, shape in enumerate(chosen)}
    renamed = [(f"q{i}", shape) for i, shape in enumerate(chosen)]
    random.shuffle(renamed)
    have = {name: shape[::-1] if random.random() < 0.3 else shape for name, shape in renamed}
    weights = {name: torch.randn(shape) for name, shape in want.items()}
    for layout in layouts(want, have):
        outward = layout.outward(weights)
        assert {name: tuple(t.shape) for name, t in outward.items()} == have
        assert equal(layout.inward(outward), weights)


def equal(a: dict[str, Tensor], b: dict[str, Tensor]) -> bool:
    return a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a)


def test_outward_stores_transposed_matrices_densely() -> None:
    placed = Layout({"W": ("V", True)}).outward({"W": torch.arange(6.0).reshape(2, 3)})
    assert placed["V"].tolist() == [[0, 3], [1, 4], [2, 5]]
    assert placed["V"].is_contiguous()


def test_inward_leaves_what_is_missing_or_too_many() -> None:
    layout = Layout({"W": ("V", True), "b": ("c", False)})
    more = torch.ones(1)
    assert layout.inward({"V": None, "c": None, "more": more}) == {
        "W": None, "b": None, "more": more,
    }  # fmt: skip


@pytest.mark.parametrize("order", ["Wx", "xW"])
def test_inward_prefers_the_place_to_the_name(order: str) -> None:
    """A parameter with the name of a reference parameter that is mapped elsewhere is ignored."""
    have: Shapes = {name: {"W": (5,), "x": (2,)}[name] for name in order}
    (layout,) = layouts({"W": (2,)}, have)
    numbers = {name: torch.zeros(shape) for name, shape in have.items()}
    found = layout.inward(numbers)
    assert found["W"] is numbers["x"]


def test_likeness_of_names_comes_before_their_order() -> None:
    have: Shapes = dict.fromkeys(("W.key", "W.query", "W.value"), (2, 2))
    first = places(dict.fromkeys(("W_query", "W_key", "W_value"), (2, 2)), have)[0]
    assert {name: own for name, (own, _) in first.items()} == {
        "W_query": "W.query",
        "W_key": "W.key",
        "W_value": "W.value",
    }


@pytest.mark.parametrize(
    "name, own",
    [
        ("blocks.3.attn.to_out.weight", "blocks.3.attn.to_out.0.weight"),
        ("blocks.0.attn.to_out.bias", "blocks.0.attn.to_out.0.bias"),
        ("blocks.1.attn.to_qkv.weight", "blocks.1.attn.to_qkv.weight"),
        ("ln.bias", "ln.bias"),
    ],
)
def test_another_block_keeps_its_parameters_likewise(name: str, own: str) -> None:
    want: Shapes = {"blocks.0.attn.to_out.weight": (4, 5), "ln.weight": (3,)}
    have: Shapes = {"blocks.0.attn.to_out.0.weight": (4, 5), "ln.weight": (3,)}
    (layout,) = layouts(want, have)
    number = torch.zeros(2)
    assert [*layout.outward({name: number})] == [own]
    assert [*layout.inward({own: number})] == [name]


HEADS = {"heads.0.W": (2, 3), "heads.1.W": (2, 3), "norm1.weight": (3,), "norm2.weight": (4,)}
OTHER_HEADS = {  # the names of heads 0 and 1 -> of heads 2 and 11
    ("head0.W", "head1.W"): ("head2.W", "head11.W"),
    ("head_1.W", "head_2.W"): ("head_3.W", "head_12.W"),
    ("heads.head_0.W", "heads.head_1.W"): ("heads.head_2.W", "heads.head_11.W"),
    ("layer1.head0.W", "layer1.head1.W"): ("layer1.head2.W", "layer1.head11.W"),
    ("W0", "W1"): ("W2", "W11"),
    ("w.1.of.1", "w.2.of.1"): ("w.3.of.1", "w.12.of.1"),
}


@pytest.mark.parametrize("own", OTHER_HEADS, ids=str)
def test_another_head_is_counted_likewise(own: tuple[str, str]) -> None:
    have: Shapes = dict.fromkeys(own, (2, 3)) | {"norm1.weight": (3,), "norm2.weight": (4,)}
    layout = next(one for one in layouts(HEADS, have) if one.places["heads.0.W"][0] == own[0])
    number = torch.zeros(2)
    for name, expected in zip(("heads.2.W", "heads.11.W"), OTHER_HEADS[own], strict=True):
        assert [*layout.outward({name: number})] == [expected]
        assert [*layout.inward({expected: number})] == [name]


@pytest.mark.parametrize("more", ["head9999999.W", "head.W", "heads2.W", "head².W", "x.head2.W"])
def test_a_name_that_is_not_counted_likewise_is_kept(more: str) -> None:
    have: Shapes = {"head0.W": (2, 3), "head1.W": (2, 3)}
    layout = next(iter(layouts({"heads.0.W": (2, 3), "heads.1.W": (2, 3)}, have)))
    assert [*layout.inward({more: torch.zeros(2)})] == [more]


def test_a_number_in_a_word_of_the_reference_is_no_count() -> None:
    """The second norm of another block is not the first one with another number."""
    want: Shapes = {"blocks.0.ln1.weight": (3,), "blocks.0.ln2.weight": (4,)}
    have: Shapes = {"blocks.0.norm1.weight": (3,), "blocks.0.ln2.weight": (4,)}
    (layout,) = layouts(want, have)
    number = torch.zeros(2)
    for name, own in (("1.ln1", "1.norm1"), ("1.ln2", "1.ln2")):
        assert [*layout.outward({f"blocks.{name}.bias": number})] == [f"blocks.{own}.bias"]
        assert [*layout.inward({f"blocks.{own}.bias": number})] == [f"blocks.{name}.bias"]
    have = {"blocks.0.a1.weight": (3,), "blocks.0.b9.weight": (4,)}
    (layout,) = layouts(want, have)
    for name, own in (("1.ln1", "1.a1"), ("1.ln2", "1.b9")):
        assert [*layout.outward({f"blocks.{name}.bias": number})] == [f"blocks.{own}.bias"]
        assert [*layout.inward({f"blocks.{own}.bias": number})] == [f"blocks.{name}.bias"]
