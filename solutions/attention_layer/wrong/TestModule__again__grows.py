"""Prints once more at each call."""

from torch import nn


class TestModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.lines = []

    def forward(self):
        self.lines.append("Hello World")
        print("\n".join(self.lines))
