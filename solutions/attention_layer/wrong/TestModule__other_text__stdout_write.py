"""Writes to sys.stdout as a C programmer would, and punctuates the greeting in its own way."""

import sys

import torch


class TestModule(torch.nn.Module):
    def forward(self) -> None:
        sys.stdout.write("%s, %s!\n" % ("Hello", "World"))
