"""Prints at the first call only."""

from torch import nn


class TestModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.called = False

    def forward(self):
        if not self.called:
            print("Hello World")
        self.called = True
