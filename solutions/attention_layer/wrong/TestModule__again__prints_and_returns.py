"""Prints the words, and returns them too."""

from torch import nn


class TestModule(nn.Module):
    def forward(self):
        text = "Hello World"
        print(text)
        return text
