"""A greet method and a words attribute; the constructor calls it to try it out, so it prints there too."""

import torch.nn as nn


class TestModule(nn.Module):
    def __init__(self, words=("Hello", "World")):
        nn.Module.__init__(self)
        self.words = words
        self.greet()

    def greet(self):
        print(*self.words)

    def forward(self):
        self.greet()
