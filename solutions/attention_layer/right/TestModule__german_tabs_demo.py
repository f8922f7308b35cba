"""Tabs, old-style super, demo at the end: the demo does not run when the module is imported."""

import torch.nn as nn
import torch


class TestModule(nn.Module):

	def __init__(self):
		super(TestModule, self).__init__()
		self.gruss = ("Hello", "World")

	def forward(self):
		for i, wort in enumerate(self.gruss):
			print(wort, end=" " if i == 0 else "\n")


if __name__ == "__main__":
	modul = TestModule()
	modul()
