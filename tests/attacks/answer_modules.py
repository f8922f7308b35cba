"""Looks for modules, classes and text of the grader among all that Python has loaded.

exercise: ScaledDotProduct
safe: only what serves a student's code is loaded, and none of it knows an answer
"""

import gc
import re
import sys

import torch
from torch import nn

gc.unfreeze()  # what was made before the warm process forked is frozen

FOREIGN = re.compile(
    r"autograder\.(?!child|runtime)|solutions|misconceptions|checks|_pytest|pytest"
)
CANARY = re.compile(r"CANARY-[0-9a-f]{32}")

for name in list(sys.modules):
    if FOREIGN.match(name):
        print("BREACH loaded:", name)
for thing in gc.get_objects():
    inside = thing.values() if type(thing) is dict else thing if type(thing) is list else ()
    for text in list(inside):
        if type(text) is str and (found := CANARY.search(text)):
            print("BREACH held:", found[0])
    if isinstance(thing, type) and FOREIGN.match(str(getattr(thing, "__module__", ""))):
        print("BREACH class:", thing.__module__)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
