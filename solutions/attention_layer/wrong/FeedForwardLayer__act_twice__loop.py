"""Italian names and a loop over the two layers, which bends after each of them, the last too."""

from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.activation = nn.GELU(approximate="none")
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        uscita = x
        for strato in [self.firstlayer, self.secondlayer]:
            uscita = self.activation(strato(uscita))
        return uscita
