"""Wrong solutions of multi_head, as students write them."""

from autograder.misconceptions import Misconception

MISCONCEPTIONS: list[Misconception] = [
    Misconception(
        "same_head",
        "MultiHeadList",
        "makes one head and lists it nr_heads times",
        (
            (
                "[AttentionHead(dim_h, dim_k) for _ in range(nr_heads)]",
                "[AttentionHead(dim_h, dim_k)] * nr_heads",
            ),
        ),
    ),
    Misconception(
        "cat_time",
        "MultiHeadList",
        "appends the heads' tokens to each other and reshapes",
        (("dim=-1)", "dim=-2).reshape(*x.shape[:-1], -1)"),),
    ),
    Misconception(
        "interleaved",
        "MultiHeadList",
        "features of different heads alternate",
        (("torch.cat", "torch.stack"), ("dim=-1)", "dim=-1).flatten(-2)")),
    ),
    Misconception(
        "chained",
        "MultiHeadList",
        "a head reads what the head before it gave, made as wide as x with zeros",
        (
            (
                "side_by_side = torch.cat([head(x) for head in self.heads], dim=-1)",
                (
                    "outputs, previous = [], x\n"
                    "        for head in self.heads:\n"
                    "            outputs.append(head(previous))\n"
                    "            missing = x.shape[-1] - outputs[-1].shape[-1]\n"
                    "            previous = nn.functional.pad(outputs[-1], (0, missing))\n"
                    "        side_by_side = torch.cat(outputs, dim=-1)"
                ),
            ),
        ),
    ),
    Misconception(
        "first_only",
        "MultiHeadList",
        "asks head 0 every time",
        (("head(x) for head in self.heads", "self.heads[0](x) for _ in self.heads"),),
    ),
    Misconception(
        "per_token_mean",
        "MultiHeadList",
        "puts copies of the heads' average side by side",
        (
            (
                "side_by_side = torch.cat([head(x) for head in self.heads], dim=-1)",
                (
                    "mean = torch.stack([head(x) for head in self.heads]).mean(dim=0)\n"
                    "        side_by_side = torch.cat([mean] * len(self.heads), dim=-1)"
                ),
            ),
        ),
    ),
    Misconception(
        "skip",
        "MultiHeadList",
        "adds its input to the result",
        (("return self", "return x + self"),),
    ),
    Misconception(
        "plain_list",
        "MultiHeadList",
        "keeps the heads in a Python list, where PyTorch does not see them",
        (("nn.ModuleList([", "["), ("range(nr_heads)])", "range(nr_heads)]")),
    ),
    Misconception(
        "new_in_forward",
        "MultiHeadList",
        "makes fresh heads in every call",
        (
            (
                "heads = nn.ModuleList([AttentionHead(dim_h, dim_k) for _ in range(nr_heads)])",
                "sizes, self.nr_heads = (dim_h, dim_k), nr_heads",
            ),
            (
                "head(x) for head in self.heads",
                "AttentionHead(*self.sizes)(x) for _ in range(self.nr_heads)",
            ),
        ),
    ),
    Misconception(
        "stack_reshape",
        "MultiHeadList",
        "stacks the heads in front and reshapes across sequences and tokens",
        (("torch.cat", "torch.stack"), (", dim=-1)", ").reshape(*x.shape[:-1], -1)")),
    ),
    Misconception(
        "cat_dim1",
        "MultiHeadList",
        "concatenates along dimension 1, which fits one sentence only",
        (("dim=-1", "dim=1"),),
    ),
    Misconception(
        "cat_dim2",
        "MultiHeadList",
        "concatenates along dimension 2, which one sentence does not have",
        (("dim=-1", "dim=2"),),
    ),
    Misconception(
        "summed",
        "MultiHeadList",
        "adds the heads up and aggregates dim_k features",
        (
            ("nr_heads * dim_k", "dim_k"),
            (
                "torch.cat([head(x) for head in self.heads], dim=-1)",
                "sum(head(x) for head in self.heads)",
            ),
        ),
    ),
    Misconception(
        "aggregated_each",
        "MultiHeadList",
        "aggregates each head by the same small layer and adds up",
        (
            ("nr_heads * dim_k", "dim_k"),
            (
                "torch.cat([head(x) for head in self.heads], dim=-1)",
                "[self.aggregation_step(head(x)) for head in self.heads]",
            ),
            ("self.aggregation_step(side_by_side)", "sum(side_by_side)"),
        ),
    ),
    Misconception(
        "dim_k_divided",
        "MultiHeadList",
        "takes dim_k for the size of all heads together",
        (("super().__init__()", "super().__init__()\n        dim_k = dim_k // nr_heads"),),
    ),
    Misconception(
        "dims_swapped",
        "MultiHeadList",
        "hands dim_k and dim_h to the heads in the wrong order",
        (("AttentionHead(dim_h, dim_k)", "AttentionHead(dim_k, dim_h)"),),
    ),
    Misconception(
        "no_aggregation",
        "MultiHeadList",
        "returns the heads side by side as they are",
        (("self.aggregation_step(side_by_side)", "side_by_side"),),
    ),
    Misconception(
        "to_dim_k",
        "MultiHeadList",
        "the aggregation leads to dim_k features, not back to dim_h",
        (("nn.Linear(nr_heads * dim_k, dim_h)", "nn.Linear(nr_heads * dim_k, dim_k)"),),
    ),
    Misconception(
        "no_bias",
        "MultiHeadList",
        "the aggregation has no bias",
        (("* dim_k, dim_h)", "* dim_k, dim_h, bias=False)"),),
    ),
    Misconception(
        "reversed",
        "MultiHeadList",
        "puts each new head in front of the others, so that the last comes first",
        (
            (
                "side_by_side = torch.cat([head(x) for head in self.heads], dim=-1)",
                (
                    "side_by_side = self.heads[0](x)\n"
                    "        for head in self.heads[1:]:\n"
                    "            side_by_side = torch.cat([head(x), side_by_side], dim=-1)"
                ),
            ),
        ),
    ),
    Misconception(
        "activation",
        "MultiHeadList",
        "a GELU between the heads and the aggregation",
        (("(side_by_side)", "(nn.functional.gelu(side_by_side))"),),
    ),
    Misconception(
        "no_super",
        "MultiHeadList",
        "never lets nn.Module prepare itself",
        (("        super().__init__()\n", ""),),
    ),
    Misconception(
        "merge_dh",
        "MultiHeadAttention",
        "merges the heads with their features alternating",
        (("-> b n (h d)", "-> b n (d h)"),),
    ),
    Misconception(
        "split_merge_dh",
        "MultiHeadAttention",
        "lets the heads' features alternate throughout: another layout of the weights",
        (("b n (h d) ->", "b n (d h) ->"), ("-> b n (h d)", "-> b n (d h)")),
    ),
    Misconception(
        "view_split",
        "MultiHeadAttention",
        "reshapes straight to (B, H, T, d), which mixes tokens and heads",
        (
            (
                'rearrange(t, "b n (h d) -> b h n d", h=self.nr_heads)',
                "t.reshape(x.shape[0], self.nr_heads, x.shape[1], -1)",
            ),
        ),
    ),
    Misconception(
        "order_kqv",
        "MultiHeadAttention",
        "takes the first third for the keys, the second for the queries",
        (("q, k, v = (", "k, q, v = ("),),
    ),
    Misconception(
        "order_qvk",
        "MultiHeadAttention",
        "takes the second third for the values, the last for the keys",
        (("q, k, v = (", "q, v, k = ("),),
    ),
    Misconception(
        "per_head_chunk",
        "MultiHeadAttention",
        "gives each head its queries, keys and values in one run of to_qkv's features",
        (
            (
                "(h d) -> b h n d",
                "(h qkv d) -> qkv b h n d",
            ),
            ("rearrange(t, ", "rearrange(self.to_qkv(x), "),
            ("h=self.nr_heads)", "h=self.nr_heads, qkv=3)"),
            ("            for t in self.to_qkv(x).chunk(3, dim=-1)\n", ""),
        ),
    ),
    Misconception(
        "scale_dim_input",
        "MultiHeadAttention",
        "scales by the size of the input, not of a head",
        (("dim_head**-scale_factor", "dim_input**-scale_factor"),),
    ),
    Misconception(
        "scale_ignored",
        "MultiHeadAttention",
        "always divides by the root, whatever scale_factor says",
        (("dim_head**-scale_factor", "dim_head**-0.5"),),
    ),
    Misconception(
        "out_no_bias",
        "MultiHeadAttention",
        "to_out has no bias",
        (("dim_head, dim_input)", "dim_head, dim_input, bias=False)"),),
    ),
    Misconception(
        "dropout_never",
        "MultiHeadAttention",
        "makes a dropout and does not apply it",
        (("self.dropout(scores.softmax(dim=-1))", "scores.softmax(dim=-1)"),),
    ),
    Misconception(
        "batch_in_heads",
        "MultiHeadAttention",
        "folds the heads into the batch in one order and unfolds them in the other",
        (
            (
                'rearrange(out, "b h n d -> b n (h d)")',
                'rearrange(out.flatten(0, 1), "(h b) n d -> b n (h d)", h=self.nr_heads)',
            ),
        ),
    ),
    Misconception(
        "causal",
        "MultiHeadAttention",
        "hides later tokens, which nobody asked for",
        (
            (
                "weights = ",
                (
                    "future = torch.ones_like(scores, dtype=torch.bool).triu(1)\n"
                    '        scores = scores.masked_fill(future, float("-inf"))\n'
                    "        weights = "
                ),
            ),
        ),
    ),
    Misconception(
        "split_dh",
        "MultiHeadAttention",
        "splits into heads with their features alternating",
        (("b n (h d) ->", "b n (d h) ->"),),
    ),
    Misconception(
        "view_merge",
        "MultiHeadAttention",
        "reshapes straight back to (B, T, H d), which mixes tokens and heads",
        (('rearrange(out, "b h n d -> b n (h d)")', "out.reshape(*x.shape[:2], -1)"),),
    ),
    Misconception(
        "packed_dkh",
        "MultiHeadAttention",
        "unpacks to_qkv as (d qkv h), as a well-known tutorial does",
        (
            ("(h d) -> b h n d", "(d qkv h) -> qkv b h n d"),
            ("rearrange(t, ", "rearrange(self.to_qkv(x), "),
            ("h=self.nr_heads)", "h=self.nr_heads, qkv=3)"),
            ("            for t in self.to_qkv(x).chunk(3, dim=-1)\n", ""),
        ),
    ),
    Misconception(
        "token_first",
        "MultiHeadAttention",
        "takes the batch for the tokens, as nn.MultiheadAttention does by default",
        (("b n (h d) ->", "n b (h d) ->"), ("-> b n (h d)", "-> n b (h d)")),
    ),
    Misconception(
        "qkv_bias",
        "MultiHeadAttention",
        "to_qkv has a bias",
        ((", bias=False", ""),),
    ),
    Misconception(
        "no_scale",
        "MultiHeadAttention",
        "leaves the scores as large as they are",
        ((", q, k) * self.scale", ", q, k)"),),
    ),
    Misconception(
        "scale_inverted",
        "MultiHeadAttention",
        "multiplies by the power by which it should divide",
        (("dim_head**-scale_factor", "dim_head**scale_factor"),),
    ),
    Misconception(
        "scale_is_factor",
        "MultiHeadAttention",
        "multiplies the scores by scale_factor itself",
        (("dim_head**-scale_factor", "scale_factor"),),
    ),
    Misconception(
        "scale_inner",
        "MultiHeadAttention",
        "scales by the size of all heads together",
        (("dim_head**-scale_factor", "(nr_heads * dim_head) ** -scale_factor"),),
    ),
    Misconception(
        "scale_after",
        "MultiHeadAttention",
        "scales the weights, after the softmax",
        (
            (", q, k) * self.scale", ", q, k)"),
            ("scores.softmax(dim=-1)", "scores.softmax(dim=-1) * self.scale"),
        ),
    ),
    Misconception(
        "softmax_heads",
        "MultiHeadAttention",
        "the softmax runs over the heads",
        (("softmax(dim=-1)", "softmax(dim=1)"),),
    ),
    Misconception(
        "softmax_queries",
        "MultiHeadAttention",
        "the softmax runs over the queries: columns add up to 1",
        (("softmax(dim=-1)", "softmax(dim=-2)"),),
    ),
    Misconception(
        "no_softmax",
        "MultiHeadAttention",
        "uses the scaled scores themselves as weights",
        (("scores.softmax(dim=-1)", "scores"),),
    ),
    Misconception(
        "weights_transposed",
        "MultiHeadAttention",
        "mixes the values by the columns of the weights",
        (("b h i j, b h j d -> b h i d", "b h j i, b h j d -> b h i d"),),
    ),
    Misconception(
        "dropout_on_scores",
        "MultiHeadAttention",
        "the dropout falls on the scores, before the softmax",
        (("self.dropout(scores.softmax(dim=-1))", "self.dropout(scores).softmax(dim=-1)"),),
    ),
    Misconception(
        "dropout_on_output",
        "MultiHeadAttention",
        "the dropout falls on the mixtures, not on the weights",
        (
            ("self.dropout(scores.softmax(dim=-1))", "scores.softmax(dim=-1)"),
            ("self.to_out(rearrange(out,", "self.to_out(rearrange(self.dropout(out),"),
        ),
    ),
    Misconception(
        "dropout_twice",
        "MultiHeadAttention",
        "the dropout falls on the result as well as on the weights",
        (("return self.to_out(", "return self.dropout(self.to_out("), ('(h d)"))', '(h d)")))')),
    ),
    Misconception(
        "dropout_in_eval",
        "MultiHeadAttention",
        "a functional dropout that does not know of eval()",
        (
            ("self.dropout = nn.Dropout(dropout_p)", "self.dropout_p = dropout_p"),
            (
                "self.dropout(scores.softmax(dim=-1))",
                "nn.functional.dropout(scores.softmax(dim=-1), self.dropout_p)",
            ),
        ),
    ),
    Misconception(
        "dropout_default",
        "MultiHeadAttention",
        "nn.Dropout without dropout_p drops half",
        (("nn.Dropout(dropout_p)", "nn.Dropout()"),),
    ),
    Misconception(
        "dropout_keeps",
        "MultiHeadAttention",
        "takes dropout_p for the share that is kept",
        (("nn.Dropout(dropout_p)", "nn.Dropout(1 - dropout_p)"),),
    ),
    Misconception(
        "no_to_out",
        "MultiHeadAttention",
        "returns the heads side by side without to_out",
        (("self.to_out(rearrange", "rearrange"), ('(h d)"))', '(h d)")')),
    ),
    Misconception(
        "skip",
        "MultiHeadAttention",
        "adds its input to the result",
        (("return self", "return x + self"),),
    ),
    Misconception(
        "dim_head_ignored",
        "MultiHeadAttention",
        "divides dim_input among the heads, whatever dim_head says",
        (("super().__init__()", "super().__init__()\n        dim_head = dim_input // nr_heads"),),
    ),
    Misconception(
        "eight_heads",
        "MultiHeadAttention",
        "splits into the default number of heads, whatever nr_heads says",
        (("h=self.nr_heads", "h=8"),),
    ),
    Misconception(
        "detached",
        "MultiHeadAttention",
        "cuts the weights off from the gradient",
        (("weights, v)", "weights.detach(), v)"),),
    ),
    Misconception(
        "no_super",
        "MultiHeadAttention",
        "never lets nn.Module prepare itself",
        (("        super().__init__()\n", ""),),
    ),
]
