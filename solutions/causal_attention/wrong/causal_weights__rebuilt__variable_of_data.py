"""Old-fashioned code with Variable and .data: the masked scores lose their gradient on the way."""

import numpy as np
import torch
import torch.nn.functional as F
from torch.autograd import Variable


def causal_weights(queries, keys):
    d_k = queries.size(-1)
    scores = torch.matmul(queries, keys.transpose(-2, -1)) / np.sqrt(d_k)
    attn = Variable(scores.data.clone())
    subsequent = torch.ones(attn.size(-2), attn.size(-1)).triu(1).type_as(queries).byte()
    attn.masked_fill_(subsequent > 0, float("-inf"))
    return F.softmax(attn, dim=-1)
