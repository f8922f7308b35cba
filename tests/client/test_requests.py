"""Requests of substitutes come from untrusted code: only well-formed ones are read."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from autograder.client.reference_server import (
    LARGEST,
    MOST_NUMBERS,
    RequestRefused,
    read_request,
)
from autograder.runtime.consultations import (
    CallRequest,
    GradientRequest,
    MakeRequest,
    Request,
    request_data,
)
from autograder.runtime.wire import decode, encode

X = torch.arange(6.0).reshape(2, 3)
RANDOM = torch.default_generator.get_state()
MADE = "Doubling", [3, 0.5, True], {"bias": False}, RANDOM
CALLED = *MADE, [X], {"inner.weight": X}, True, "inner"
REQUESTS: list[Request] = [
    MakeRequest(*MADE),
    CallRequest(*CALLED),
    GradientRequest(*CALLED, [X, X]),
    CallRequest(
        "head", [{"input": 0}, 3], {"to": {"linear": [1, 2]}}, RANDOM, [X, X, X], {}, True, ""
    ),
]
LARGE = torch.zeros(MOST_NUMBERS + 1)
EMPTY = torch.zeros(MOST_NUMBERS + 1, 0)


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: type(request).__name__)
def test_a_request_is_read_as_it_was_made(request_: Request) -> None:
    data = decode(encode(request_data(request_)), untrusted=True)
    read = read_request({**data, "more": 5})
    assert type(read) is type(request_)
    assert repr(read) == repr(request_)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"do": "train"}, "another kind"),
        ({"do": None}, "another kind"),
        ({"do": ["call"]}, "another kind"),
        ({"of": 5}, "another kind"),
        ({"arguments": {"size": 3}}, "another kind"),
        ({"arguments": None}, "another kind"),
        ({"named": [3]}, "another kind"),
        ({"arguments": [{"input": 0.5}]}, "an argument of"),
        ({"arguments": [{"input": 0, "more": 1}]}, "an argument of"),
        ({"arguments": [{"linear": []}]}, "an argument of"),
        ({"arguments": [{"linear": [0, 1, 2]}]}, "an argument of"),
        ({"named": {"size": {"linear": [X]}}}, "an argument of"),
        ({"arguments": [LARGEST + 1]}, f"an argument of {LARGEST + 1}"),
        ({"arguments": [10**4000]}, "an argument of"),
        ({"arguments": ["3"]}, "an argument of 3"),
        ({"arguments": [[3]]}, "an argument of"),
        ({"named": {"size": None}}, "an argument of None"),
        ({"named": {"size": X}}, "an argument of"),
        ({"random": None}, "random numbers"),
        ({"random": RANDOM[:-1]}, "random numbers"),
        ({"random": RANDOM.to(torch.int16)}, "random numbers"),
        ({"inputs": None}, "another kind"),
        ({"inputs": X}, "another kind"),
        ({"inputs": ["x"]}, "small tensor"),
        ({"inputs": [[X]]}, "small tensor"),
        ({"inputs": [X, LARGE]}, "small tensor"),
        ({"inputs": [EMPTY]}, "small tensor"),
        ({"parameters": [X]}, "another kind"),
        ({"parameters": {"inner.weight": 3}}, "small tensor"),
        ({"parameters": {"inner.weight": LARGE}}, "small tensor"),
        ({"training": 1}, "another kind"),
        ({"training": None}, "another kind"),
        ({"part": None}, "another kind"),
        ({"part": ["inner"]}, "another kind"),
        ({"gradients": None}, "another kind"),
        ({"gradients": X}, "another kind"),
        ({"gradients": [None]}, "small tensor"),
        ({"gradients": [LARGE]}, "small tensor"),
    ],
)
def test_what_no_substitute_asks_is_refused(changes: dict[str, Any], problem: str) -> None:
    data = request_data(GradientRequest(*CALLED, [X, X]))
    with pytest.raises(RequestRefused, match=problem):
        read_request({**data, **changes})


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: type(request).__name__)
def test_a_request_without_one_of_its_fields_is_refused(request_: Request) -> None:
    data = request_data(request_)
    for name in data:
        with pytest.raises(RequestRefused):
            read_request({key: value for key, value in data.items() if key != name})
