"""LayerNorm written out with biased variance and the layer's own eps: what nn.LayerNorm does."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

class QueryKeyValue(nn.Module):
    def __init__(self, dim_h: int, dim_k: int):
        super().__init__()
        self.W_q, self.W_k = nn.ParameterList([torch.ones(dim_h, dim_k), torch.ones(dim_h, dim_k)])
        self.value = nn.Linear(dim_h, dim_k)

    def forward(self, X: Tensor):
        return F.linear(X, self.W_q.mT), F.linear(X, self.W_k.mT), self.value(X)

class ScaledDotProduct(nn.Module):
    def forward(self, Q: Tensor, K: Tensor, V: Tensor) -> Tensor:
        return F.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1) @ V

class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h: int, dim_expanded: int):
        super().__init__()
        self.firstlayer, self.activation = nn.Linear(dim_h, dim_expanded), nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x: Tensor) -> Tensor:
        return self.secondlayer(self.activation(self.firstlayer(x)))

def normed(x: Tensor, norm: nn.LayerNorm) -> Tensor:
    var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return torch.addcmul(norm.bias, (x - mean) * torch.rsqrt(var + norm.eps), norm.weight)

class SimpleAttentionLayer(nn.Module):
    def __init__(self, dim_h: int, dim_k: int, dim_expanded: int):
        super().__init__()
        self.qkv, self.dot_product_attn = QueryKeyValue(dim_h, dim_k), ScaledDotProduct()
        self.aggregation_step = nn.Linear(dim_k, dim_h)
        self.layernorm1, self.layernorm2 = nn.LayerNorm(dim_h), nn.LayerNorm(dim_h)
        self.ffl = FeedForwardLayer(dim_h, dim_expanded)

    def forward(self, x: Tensor) -> Tensor:
        y = x + self.aggregation_step(self.dot_product_attn(*self.qkv(normed(x, self.layernorm1))))
        return torch.add(y, self.ffl(normed(y, self.layernorm2)))
