"""Letter by letter, one line at each call."""

from torch import nn


class TestModule(nn.Module):
    def forward(self):
        for letter in "Hello World":
            print(letter, end="", flush=True)
        print()
