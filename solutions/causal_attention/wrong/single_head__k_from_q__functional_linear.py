"""F.linear with the layers' own tensors; by copy and paste the keys get the matrix of q_proj."""

import torch
import torch.nn.functional as F


def single_head(x, q_proj, k_proj, v_proj):
    xq = F.linear(x, q_proj.weight, q_proj.bias)
    xk = F.linear(x, q_proj.weight, q_proj.bias)
    xv = F.linear(x, v_proj.weight, v_proj.bias)
    att = torch.matmul(xq, xk.mT).mul(xk.size(2) ** -0.5)
    lower = torch.ones_like(att).tril().bool()
    att = torch.softmax(torch.where(lower, att, torch.finfo(att.dtype).min), dim=2)
    return att, torch.matmul(att, xv)
