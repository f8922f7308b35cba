"""German names and small helpers; it notes mean and variance before it asks for the mode."""

import torch


class BatchNorm1d:
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.training = True
        self.eps = eps
        self.momentum = momentum
        self.gamma, self.beta = torch.ones(dim), torch.zeros(dim)
        self.running_mean, self.running_var = torch.zeros(dim), torch.ones(dim)

    def merken(self, mittel, streuung):
        anteil = self.momentum
        self.running_mean = self.running_mean + anteil * (mittel.detach() - self.running_mean)
        self.running_var = self.running_var + anteil * (streuung.detach() - self.running_var)

    def __call__(self, tabelle):
        mittel = tabelle.mean(0)
        streuung = tabelle.var(0)
        self.merken(mittel, streuung)
        if not self.training:
            mittel, streuung = self.running_mean, self.running_var
        return self.beta + self.gamma * ((tabelle - mittel) / (streuung + self.eps) ** 0.5)

    def parameters(self):
        return [self.gamma, self.beta]
