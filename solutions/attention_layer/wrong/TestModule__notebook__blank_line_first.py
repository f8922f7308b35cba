"""Prints an empty line before the words."""

from torch import nn


class TestModule(nn.Module):
    def forward(self):
        print("\nHello World")
