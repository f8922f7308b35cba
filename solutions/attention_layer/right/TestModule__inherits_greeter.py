"""forward is inherited from a class of one's own and prints at import: building prints nothing."""

import torch.nn as nn

print("module loaded")


class Greeter(nn.Module):
    words: tuple[str, ...] = ()

    def forward(self, *unused, **also_unused) -> None:
        print(*self.words)


class TestModule(Greeter):
    words = ("Hello", "World")
