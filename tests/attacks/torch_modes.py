"""Leaves PyTorch in other modes: a default device, a function mode that never ends, no gradients.

exercise: ScaledDotProduct
safe: the modes end with the process
"""

import torch
from torch import nn
from torch.overrides import TorchFunctionMode


class Zeros(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        found = func(*args, **(kwargs or {}))
        return found * 0 if isinstance(found, torch.Tensor) and found.dim() else found


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        torch.set_default_dtype(torch.float16)
        torch.set_grad_enabled(False)
        torch.default_generator.manual_seed(1)
        torch.nn.modules.module.register_module_forward_hook(lambda *_: torch.zeros(1))
        Zeros().__enter__()
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
