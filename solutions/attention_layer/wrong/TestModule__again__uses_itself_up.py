"""Can be called once: then its words are gone."""

from torch import nn


class TestModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = ["Hello World"]

    def forward(self):
        print(self.words.pop())
