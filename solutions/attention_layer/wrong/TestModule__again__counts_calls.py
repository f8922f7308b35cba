"""Prints from the second call on which call it is."""

from torch import nn


class TestModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self):
        self.calls += 1
        print("Hello World" if self.calls == 1 else f"Hello World {self.calls}")
