"""German names and tabs; mul_ and add_ in place under no_grad, after the result is computed."""

import torch


class BatchNorm1d:

	def __init__(self, dim, eps=0.00001, momentum=1e-1):
		self.eps = eps
		self.momentum = momentum
		self.training = True
		self.gamma = torch.ones((dim,), requires_grad=True)
		self.beta = torch.zeros((dim,), requires_grad=True)
		self.running_mean = torch.zeros((dim,))
		self.running_var = torch.ones((dim,))

	def parameters(self):
		return [self.gamma, self.beta]

	def __call__(self, x):
		if self.training:
			mittelwert, streuung = x.mean(axis=0), x.var(axis=0, unbiased=True)
		else:
			mittelwert, streuung = self.running_mean, self.running_var
		ergebnis = self.beta + (x - mittelwert) / (streuung + self.eps).sqrt() * self.gamma
		if self.training:
			with torch.no_grad():
				for laufend, neu in (self.running_mean, mittelwert), (self.running_var, streuung):
					laufend.mul_(1 - self.momentum).add_(neu, alpha=self.momentum)
		return ergebnis
