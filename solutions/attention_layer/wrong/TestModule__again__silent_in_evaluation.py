"""In evaluation it prints nothing."""

from torch import nn


class TestModule(nn.Module):
    def forward(self):
        if self.training:
            print("Hello World")
