"""Wrong solutions of self_attention, as students write them."""

from autograder.misconceptions import Misconception

MISCONCEPTIONS: list[Misconception] = [
    Misconception(
        "no_softmax",
        "context_vector",
        "takes the raw scores for the weights",
        (("torch.softmax(scores, dim=-1)", "scores"),),
    ),
    Misconception(
        "hard_coded",
        "context_vector",
        "always answers for token 2, whatever i is",
        (("inputs[i]", "inputs[2]"),),
    ),
    Misconception(
        "elementwise_scores",
        "context_vector",
        "multiplies the sums of the features in place of the features",
        (("inputs @ query", "inputs.sum(dim=-1) * query.sum()"),),
    ),
    Misconception(
        "scaled",
        "context_vector",
        "divides the scores by sqrt(d), which comes later",
        (("inputs @ query", "inputs @ query / math.sqrt(inputs.shape[-1])"),),
    ),
    Misconception(
        "skip_self",
        "context_vector",
        "leaves the token itself out of its context",
        (("weights @ inputs", "weights @ inputs - weights[i] * query"),),
    ),
    Misconception(
        "naive_exp",
        "context_vector",
        "writes the softmax by hand; exp overflows for large scores",
        (("torch.softmax(scores, dim=-1)", "scores.exp() / scores.exp().sum()"),),
    ),
    Misconception(
        "softmax_context",
        "context_vector",
        "sends the context through a softmax too",
        (("weights @ inputs", "torch.softmax(weights @ inputs, dim=-1)"),),
    ),
    Misconception(
        "float32_empty",
        "context_vector",
        "fills scores and context into tensors of the default type (float32 only)",
        (
            (
                "scores = inputs @ query",
                (
                    "scores = torch.empty(len(inputs))\n"
                    "    for j, token in enumerate(inputs):\n"
                    "        scores[j] = torch.dot(token, query)"
                ),
            ),
            (
                "context = weights @ inputs",
                (
                    "context = torch.zeros(query.shape)\n"
                    "    for weight, token in zip(weights, inputs, strict=True):\n"
                    "        context += weight * token"
                ),
            ),
        ),
    ),
    Misconception(
        "sum_norm",
        "context_vector",
        "divides the scores by their sum in place of a softmax",
        (("torch.softmax(scores, dim=-1)", "scores / scores.sum()"),),
    ),
    Misconception(
        "counts_from_one",
        "context_vector",
        "takes i for a number that counts from 1",
        (("inputs[i]", "inputs[i - 1]"),),
    ),
    Misconception(
        "order_weights_first",
        "context_vector",
        "returns the weights before the scores",
        (("return scores, weights", "return weights, scores"),),
    ),
    Misconception(
        "context_only",
        "context_vector",
        "returns the context and nothing else",
        (("return scores, weights, context", "return context"),),
    ),
    Misconception(
        "dictionary",
        "context_vector",
        "returns a dictionary in place of three tensors",
        (
            (
                "return scores, weights, context",
                'return {"scores": scores, "weights": weights, "context": context}',
            ),
        ),
    ),
    Misconception(
        "keeps_a_dimension",
        "context_vector",
        "keeps the query as a matrix of one row, so that all results are matrices",
        (
            ("inputs[i]", "inputs[i : i + 1]"),
            ("inputs @ query", "query @ inputs.T"),
        ),
    ),
    Misconception(
        "only_the_past",
        "context_vector",
        "looks at tokens 0 to i only",
        (("scores = inputs @", "inputs = inputs[: i + 1]\n    scores = inputs @"),),
    ),
    Misconception(
        "cosine",
        "context_vector",
        "compares directions only: divides by the lengths of both tokens",
        (("inputs @ query", "torch.cosine_similarity(inputs, query, dim=-1)"),),
    ),
    Misconception(
        "sigmoid",
        "context_vector",
        "weights each token by a sigmoid, so that the weights do not add up to 1",
        (("torch.softmax(scores, dim=-1)", "torch.sigmoid(scores)"),),
    ),
    Misconception(
        "log_softmax",
        "context_vector",
        "takes the logarithms of the weights for the weights",
        (("torch.softmax(", "torch.log_softmax("),),
    ),
    Misconception(
        "softmax_twice",
        "context_vector",
        "sends the weights through the softmax again before mixing",
        (("weights @ inputs", "torch.softmax(weights, dim=-1) @ inputs"),),
    ),
    Misconception(
        "best_only",
        "context_vector",
        "takes the token with the largest weight and mixes nothing",
        (("weights @ inputs", "inputs[weights.argmax()]"),),
    ),
    Misconception(
        "plain_mean",
        "context_vector",
        "averages the weighted tokens: divides by T once more",
        (("weights @ inputs", "(weights[:, None] * inputs).mean(dim=0)"),),
    ),
    Misconception(
        "mixes_with_scores",
        "context_vector",
        "makes weights, but mixes the tokens with the scores",
        (("weights @ inputs", "scores @ inputs"),),
    ),
    Misconception(
        "own_share",
        "context_vector",
        "returns the weighted query, not the sum over all tokens",
        (("weights @ inputs", "weights[i] * query"),),
    ),
    Misconception(
        "no_sum",
        "context_vector",
        "weights the tokens, but does not add them up",
        (("weights @ inputs", "weights[:, None] * inputs"),),
    ),
    Misconception(
        "weights_in_place",
        "context_vector",
        "multiplies the weights into the caller's own table",
        (
            (
                "context = weights @ inputs",
                "inputs *= weights.detach()[:, None]\n    context = inputs.sum(dim=0)",
            ),
        ),
    ),
    Misconception(
        "distance",
        "context_vector",
        "measures how far tokens are apart, not how well they fit",
        (("inputs @ query", "(inputs - query).square().sum(dim=-1)"),),
    ),
    Misconception(
        "numbers_in_a_list",
        "context_vector",
        "collects the scores as plain numbers, which no gradient passes",
        (
            (
                "inputs @ query",
                "torch.tensor([(x @ query).item() for x in inputs], dtype=inputs.dtype)",
            ),
        ),
    ),
    Misconception(
        "query_detached",
        "context_vector",
        "cuts the query off from the gradient",
        (("inputs[i]", "inputs[i].detach()"),),
    ),
    Misconception(
        "first_six",
        "context_vector",
        "goes over six tokens, as many as the example has",
        (("inputs @ query", "torch.stack([inputs[j] @ query for j in range(6)])"),),
    ),
    Misconception(
        "softmax_dim0",
        "simple_self_attention",
        "softmax over the queries: the columns add up to 1",
        (("dim=-1", "dim=0"),),
    ),
    Misconception(
        "no_softmax",
        "simple_self_attention",
        "takes the raw scores for the weights",
        (("torch.softmax(scores, dim=-1)", "scores"),),
    ),
    Misconception(
        "sum_norm",
        "simple_self_attention",
        "divides each row by its sum in place of a softmax",
        (("torch.softmax(scores, dim=-1)", "scores / scores.sum(dim=-1, keepdim=True)"),),
    ),
    Misconception(
        "scaled",
        "simple_self_attention",
        "divides the scores by sqrt(d), which comes later",
        (("inputs @ inputs.T", "inputs @ inputs.T / math.sqrt(inputs.shape[-1])"),),
    ),
    Misconception(
        "flat_softmax",
        "simple_self_attention",
        "one softmax over the whole matrix",
        (
            (
                "torch.softmax(scores, dim=-1)",
                "torch.softmax(scores.flatten(), dim=0).view_as(scores)",
            ),
        ),
    ),
    Misconception(
        "naive_exp",
        "simple_self_attention",
        "writes the softmax by hand; exp overflows for large scores",
        (
            (
                "torch.softmax(scores, dim=-1)",
                "scores.exp() / scores.exp().sum(dim=-1, keepdim=True)",
            ),
        ),
    ),
    Misconception(
        "naive_exp_common_max",
        "simple_self_attention",
        "subtracts the largest score of the whole matrix: rows far below it become 0/0",
        (
            ("torch.softmax(scores, dim=-1)", "(scores - scores.max()).exp()"),
            (
                "context = ",
                "weights = weights / weights.sum(dim=-1, keepdim=True)\n    context = ",
            ),
        ),
    ),
    Misconception(
        "feature_gram",
        "simple_self_attention",
        "compares features with features: inputs.T comes first",
        (("inputs @ inputs.T", "inputs.T @ inputs"), ("weights @ inputs", "inputs @ weights")),
    ),
    Misconception(
        "loop_inside",
        "simple_self_attention",
        "goes over the queries one by one",
        (("inputs @ inputs.T", "torch.stack([inputs @ query for query in inputs])"),),
    ),
    Misconception(
        "loop_softmax",
        "simple_self_attention",
        "sends the rows through the softmax one by one",
        (
            (
                "torch.softmax(scores, dim=-1)",
                "torch.stack([torch.softmax(row, dim=0) for row in scores])",
            ),
        ),
    ),
    Misconception(
        "loop_mixtures",
        "simple_self_attention",
        "mixes the tokens for one query after the other",
        (("weights @ inputs", "torch.stack([row @ inputs for row in weights])"),),
    ),
    Misconception(
        "loop_over_keys",
        "simple_self_attention",
        "adds up the weighted tokens in a loop over the keys",
        (
            (
                "weights @ inputs",
                (
                    "sum((weights[:, j, None] * inputs[j] for j in range(len(inputs))),"
                    " torch.zeros_like(inputs))"
                ),
            ),
        ),
    ),
    Misconception(
        "scores_for_weights",
        "simple_self_attention",
        "returns the scores in place of the weights",
        (("return weights", "return scores"),),
    ),
    Misconception(
        "order_context_first",
        "simple_self_attention",
        "returns the context before the weights",
        (("return weights, context", "return context, weights"),),
    ),
    Misconception(
        "three_results",
        "simple_self_attention",
        "returns the scores as well, as in the exercise before",
        (("return weights", "return scores, weights"),),
    ),
    Misconception(
        "mixes_with_scores",
        "simple_self_attention",
        "makes weights, but mixes the tokens with the scores",
        (("weights @ inputs", "scores @ inputs"),),
    ),
    Misconception(
        "weights_transposed",
        "simple_self_attention",
        "mixes with the columns of the weights",
        (("weights @ inputs", "weights.T @ inputs"),),
    ),
    Misconception(
        "softmax_context",
        "simple_self_attention",
        "sends the context through a softmax too",
        (("weights @ inputs", "torch.softmax(weights @ inputs, dim=-1)"),),
    ),
    Misconception(
        "softmax_twice",
        "simple_self_attention",
        "sends the scores through two softmaxes",
        (("torch.softmax(scores, dim=-1)", "scores.softmax(dim=-1).softmax(dim=-1)"),),
    ),
    Misconception(
        "causal",
        "simple_self_attention",
        "hides the later tokens, which nobody asked for",
        (
            (
                "torch.softmax(scores, dim=-1)",
                (
                    "torch.softmax(scores.masked_fill("
                    "torch.ones_like(scores).triu(1).bool(), -torch.inf), dim=-1)"
                ),
            ),
        ),
    ),
    Misconception(
        "skip_self",
        "simple_self_attention",
        "sets the weight of each token for itself to 0",
        (("weights @ inputs", "(weights - weights.diag().diag()) @ inputs"),),
    ),
    Misconception(
        "cosine",
        "simple_self_attention",
        "compares directions only: brings all tokens to length 1 first",
        (
            (
                "inputs @ inputs.T",
                "nn.functional.normalize(inputs, dim=-1) @ nn.functional.normalize(inputs).T",
            ),
        ),
    ),
    Misconception(
        "normalised_in_place",
        "simple_self_attention",
        "subtracts each token's mean from the caller's own table",
        (
            (
                "scores = inputs",
                (
                    "with torch.no_grad():\n"
                    "        inputs -= inputs.mean(dim=-1, keepdim=True)\n"
                    "    scores = inputs"
                ),
            ),
        ),
    ),
    Misconception(
        "elementwise",
        "simple_self_attention",
        "multiplies the sums of the features in place of a matrix product",
        (("inputs @ inputs.T", "inputs.sum(dim=-1, keepdim=True) * inputs.sum(dim=-1)"),),
    ),
    Misconception(
        "best_only",
        "simple_self_attention",
        "copies for each query the token with the largest weight",
        (("weights @ inputs", "inputs[weights.argmax(dim=-1)]"),),
    ),
    Misconception(
        "residual",
        "simple_self_attention",
        "adds each token to its context",
        (("weights @ inputs", "inputs + weights @ inputs"),),
    ),
    Misconception(
        "weights_detached",
        "simple_self_attention",
        "takes the weights for constants: no gradient passes through them",
        (("torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=-1).detach()"),),
    ),
    Misconception(
        "scores_rounded",
        "simple_self_attention",
        "rounds the weights to four digits, as they are printed",
        (
            (
                "torch.softmax(scores, dim=-1)",
                "(torch.softmax(scores, dim=-1) * 1e4).round() / 1e4",
            ),
        ),
    ),
    Misconception(
        "float32_weights",
        "simple_self_attention",
        "keeps the weights in the default type (float32 only)",
        (
            ("torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=-1).float()"),
            ("weights @ inputs", "weights @ inputs.float()"),
        ),
    ),
    Misconception(
        "scale_d_in",
        "SelfAttention",
        "divides by the root of d_in, the size of x, not of the keys",
        (("math.sqrt(keys.shape[-1])", "math.sqrt(x.shape[-1])"),),
    ),
    Misconception(
        "scale_multiplied",
        "SelfAttention",
        "multiplies by sqrt(d_out)",
        (("/ math.sqrt", "* math.sqrt"),),
    ),
    Misconception(
        "scale_after",
        "SelfAttention",
        "divides the weights, after the softmax",
        (
            (" / math.sqrt(keys.shape[-1])", ""),
            (
                "torch.softmax(scores, dim=-1)",
                "torch.softmax(scores, dim=-1) / math.sqrt(keys.shape[-1])",
            ),
        ),
    ),
    Misconception(
        "no_values",
        "SelfAttention",
        "mixes the tokens themselves, without values",
        (("weights @ values", "weights @ x"),),
    ),
    Misconception(
        "values_are_keys",
        "SelfAttention",
        "mixes the keys; the values lie idle",
        (("weights @ values", "weights @ keys"),),
    ),
    Misconception(
        "plain_tensor",
        "SelfAttention",
        "the three matrices are tensors, which PyTorch does not register",
        (
            (
                "W_query = nn.Parameter(torch.rand(d_in, d_out))",
                "W_query = torch.rand(d_in, d_out)",
            ),
            ("W_key = nn.Parameter(torch.rand(d_in, d_out))", "W_key = torch.rand(d_in, d_out)"),
            (
                "W_value = nn.Parameter(torch.rand(d_in, d_out))",
                "W_value = torch.rand(d_in, d_out)",
            ),
        ),
    ),
    Misconception(
        "transposed_shape",
        "SelfAttention",
        "keeps the matrices as nn.Linear does, (d_out, d_in), and transposes them",
        (
            (
                "W_query = nn.Parameter(torch.rand(d_in, d_out",
                "W_query = nn.Parameter(torch.rand(d_out, d_in",
            ),
            (
                "W_key = nn.Parameter(torch.rand(d_in, d_out",
                "W_key = nn.Parameter(torch.rand(d_out, d_in",
            ),
            (
                "W_value = nn.Parameter(torch.rand(d_in, d_out",
                "W_value = nn.Parameter(torch.rand(d_out, d_in",
            ),
            ("x @ self.W_query", "x @ self.W_query.T"),
            ("x @ self.W_key", "x @ self.W_key.T"),
            ("x @ self.W_value", "x @ self.W_value.T"),
        ),
    ),
    Misconception(
        "dims_swapped",
        "SelfAttention",
        "makes the matrices (d_out, d_in) and multiplies as if they were not",
        (
            (
                "W_query = nn.Parameter(torch.rand(d_in, d_out",
                "W_query = nn.Parameter(torch.rand(d_out, d_in",
            ),
            (
                "W_key = nn.Parameter(torch.rand(d_in, d_out",
                "W_key = nn.Parameter(torch.rand(d_out, d_in",
            ),
            (
                "W_value = nn.Parameter(torch.rand(d_in, d_out",
                "W_value = nn.Parameter(torch.rand(d_out, d_in",
            ),
        ),
    ),
    Misconception(
        "no_super",
        "SelfAttention",
        "never lets nn.Module prepare itself",
        (("super().__init__()", "pass"),),
    ),
    Misconception(
        "weights_in_forward",
        "SelfAttention",
        "makes a fresh random W_query in every call",
        (("x @ self.W_query", "x @ torch.rand_like(self.W_query)"),),
    ),
    Misconception(
        "data_used",
        "SelfAttention",
        "computes with the bare data of W_query, which no gradient reaches",
        (("x @ self.W_query", "x @ self.W_query.data"),),
    ),
    Misconception(
        "no_scale",
        "SelfAttention",
        "does not scale the scores",
        ((" / math.sqrt(keys.shape[-1])", ""),),
    ),
    Misconception(
        "no_root",
        "SelfAttention",
        "divides by d_out, not by its root",
        (("math.sqrt(keys.shape[-1])", "keys.shape[-1]"),),
    ),
    Misconception(
        "scale_twice_d",
        "SelfAttention",
        "divides by sqrt(2 * d_out)",
        (("math.sqrt(keys.shape[-1])", "math.sqrt(2 * keys.shape[-1])"),),
    ),
    Misconception(
        "scale_tokens",
        "SelfAttention",
        "divides by the root of the number of tokens",
        (("math.sqrt(keys.shape[-1])", "math.sqrt(keys.shape[0])"),),
    ),
    Misconception(
        "scale_of_the_example",
        "SelfAttention",
        "divides by sqrt(2), right for the d_out of the example only",
        (("math.sqrt(keys.shape[-1])", "math.sqrt(2)"),),
    ),
    Misconception(
        "softmax_dim0",
        "SelfAttention",
        "softmax over the queries: the columns add up to 1",
        (("dim=-1", "dim=0"),),
    ),
    Misconception(
        "no_softmax",
        "SelfAttention",
        "mixes the values with the raw scores",
        (("torch.softmax(scores, dim=-1)", "scores"),),
    ),
    Misconception(
        "qk_swapped",
        "SelfAttention",
        "keys by queries: each token is asked by its keys",
        (("queries @ keys.T", "keys @ queries.T"),),
    ),
    Misconception(
        "queries_twice",
        "SelfAttention",
        "compares queries with queries; W_key lies idle",
        (("queries @ keys.T", "queries @ queries.T"),),
    ),
    Misconception(
        "naive_exp",
        "SelfAttention",
        "writes the softmax by hand; exp overflows for large scores",
        (
            (
                "torch.softmax(scores, dim=-1)",
                "scores.exp() / scores.exp().sum(dim=-1, keepdim=True)",
            ),
        ),
    ),
    Misconception(
        "order",
        "SelfAttention",
        "creates W_key before W_query: the same seed gives other numbers",
        (
            ("self.W_query = nn", "first = nn"),
            (
                "self.W_key = nn.Parameter(torch.rand(d_in, d_out))",
                (
                    "self.W_query = nn.Parameter(torch.rand(d_in, d_out))\n"
                    "        self.W_key = first"
                ),
            ),
        ),
    ),
    Misconception(
        "randn",
        "SelfAttention",
        "starts from normally distributed numbers: torch.randn",
        (
            ("W_query = nn.Parameter(torch.rand(", "W_query = nn.Parameter(torch.randn("),
            ("W_key = nn.Parameter(torch.rand(", "W_key = nn.Parameter(torch.randn("),
            ("W_value = nn.Parameter(torch.rand(", "W_value = nn.Parameter(torch.randn("),
        ),
    ),
    Misconception(
        "ones",
        "SelfAttention",
        "starts from ones, so that queries, keys and values are alike",
        (
            ("W_query = nn.Parameter(torch.rand(", "W_query = nn.Parameter(torch.ones("),
            ("W_key = nn.Parameter(torch.rand(", "W_key = nn.Parameter(torch.ones("),
            ("W_value = nn.Parameter(torch.rand(", "W_value = nn.Parameter(torch.ones("),
        ),
    ),
    Misconception(
        "seeds_itself",
        "SelfAttention",
        "sets the seed of the table in __init__: each module starts alike",
        (("super().__init__()", "super().__init__()\n        torch.manual_seed(123)"),),
    ),
    Misconception(
        "tied",
        "SelfAttention",
        "W_key is another name for W_query",
        (("W_key = nn.Parameter(torch.rand(d_in, d_out))", "W_key = self.W_query"),),
    ),
    Misconception(
        "buffer",
        "SelfAttention",
        "W_value is a buffer: saved, but never trained",
        (("self.W_value = nn.Parameter(", 'self.register_buffer("W_value", '),),
    ),
    Misconception(
        "frozen",
        "SelfAttention",
        "W_key is a parameter that asks for no gradient",
        (
            (
                "W_key = nn.Parameter(torch.rand(d_in, d_out))",
                "W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)",
            ),
        ),
    ),
    Misconception(
        "linear",
        "SelfAttention",
        "lets nn.Linear make the projections, as the next exercise does",
        (
            (
                "W_query = nn.Parameter(torch.rand(d_in, d_out))",
                "W_query = nn.Linear(d_in, d_out, bias=False)",
            ),
            (
                "W_key = nn.Parameter(torch.rand(d_in, d_out))",
                "W_key = nn.Linear(d_in, d_out, bias=False)",
            ),
            (
                "W_value = nn.Parameter(torch.rand(d_in, d_out))",
                "W_value = nn.Linear(d_in, d_out, bias=False)",
            ),
            ("x @ self.W_query", "self.W_query(x)"),
            ("x @ self.W_key", "self.W_key(x)"),
            ("x @ self.W_value", "self.W_value(x)"),
        ),
    ),
    Misconception(
        "other_names",
        "SelfAttention",
        "calls the matrices W_q, W_k and W_v",
        (
            ("self.W_query = ", "self.W_q = "),
            ("self.W_key = ", "self.W_k = "),
            ("self.W_value = ", "self.W_v = "),
            ("x @ self.W_query", "x @ self.W_q"),
            ("x @ self.W_key", "x @ self.W_k"),
            ("x @ self.W_value", "x @ self.W_v"),
        ),
    ),
    Misconception(
        "hard_coded",
        "SelfAttention",
        "takes the sizes of the example for granted",
        (
            (
                "W_query = nn.Parameter(torch.rand(d_in, d_out",
                "W_query = nn.Parameter(torch.rand(3, 2",
            ),
            ("W_key = nn.Parameter(torch.rand(d_in, d_out", "W_key = nn.Parameter(torch.rand(3, 2"),
            (
                "W_value = nn.Parameter(torch.rand(d_in, d_out",
                "W_value = nn.Parameter(torch.rand(3, 2",
            ),
        ),
    ),
    Misconception(
        "returns_weights_too",
        "SelfAttention",
        "returns the weights as well",
        (("return weights @ values", "return weights, weights @ values"),),
    ),
    Misconception(
        "causal",
        "SelfAttention",
        "hides the later tokens, which nobody asked for",
        (
            (
                "torch.softmax(scores, dim=-1)",
                (
                    "torch.softmax(scores.masked_fill("
                    "torch.ones_like(scores).triu(1).bool(), -torch.inf), dim=-1)"
                ),
            ),
        ),
    ),
    Misconception(
        "no_scale",
        "SelfAttentionV2",
        "does not scale the scores",
        ((" / math.sqrt(keys.shape[-1])", ""),),
    ),
    Misconception(
        "softmax_dim1",
        "SelfAttentionV2",
        "softmax over dimension 1: right for a sentence, wrong for a batch",
        (("dim=-1", "dim=1"),),
    ),
    Misconception(
        "one_linear",
        "SelfAttentionV2",
        "one linear layer serves for queries, keys and values",
        (
            ("W_key = nn.Linear(d_in, d_out, bias=qkv_bias)", "W_key = self.W_query"),
            ("W_value = nn.Linear(d_in, d_out, bias=qkv_bias)", "W_value = self.W_query"),
        ),
    ),
    Misconception(
        "qk_swapped",
        "SelfAttentionV2",
        "keys by queries: each token is asked by its keys",
        (("queries @ keys.transpose(", "keys @ queries.transpose("),),
    ),
    Misconception(
        "relu",
        "SelfAttentionV2",
        "a relu behind each projection",
        (
            ("self.W_query(x)", "self.W_query(x).relu()"),
            ("self.W_key(x)", "self.W_key(x).relu()"),
            ("self.W_value(x)", "self.W_value(x).relu()"),
        ),
    ),
    Misconception(
        "order",
        "SelfAttentionV2",
        "creates the layers in the order key, query, value: the same seed gives other numbers",
        (
            ("self.W_query = nn", "first = nn"),
            (
                "self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)",
                (
                    "self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)\n"
                    "        self.W_key = first"
                ),
            ),
        ),
    ),
    Misconception(
        "all_transposed",
        "SelfAttentionV2",
        "keys.T, which turns all dimensions of a batch around",
        (("keys.transpose(-2, -1)", "keys.T"),),
    ),
    Misconception(
        "transpose_0_1",
        "SelfAttentionV2",
        "exchanges dimensions 0 and 1: those of a batch are its sentences and tokens",
        (("transpose(-2, -1)", "transpose(0, 1)"),),
    ),
    Misconception(
        "transpose_1_2",
        "SelfAttentionV2",
        "exchanges dimensions 1 and 2, so that a single sentence fails",
        (("transpose(-2, -1)", "transpose(1, 2)"),),
    ),
    Misconception(
        "scale_shape_1",
        "SelfAttentionV2",
        "divides by sqrt(keys.shape[1]), which is T for a batch",
        (("keys.shape[-1]", "keys.shape[1]"),),
    ),
    Misconception(
        "scale_d_in",
        "SelfAttentionV2",
        "divides by the root of d_in, the size of x, not of the keys",
        (("keys.shape[-1]", "x.shape[-1]"),),
    ),
    Misconception(
        "scale_in_int",
        "SelfAttentionV2",
        "rounds the root down to a whole number",
        (("math.sqrt(keys.shape[-1])", "math.isqrt(keys.shape[-1])"),),
    ),
    Misconception(
        "softmax_default",
        "SelfAttentionV2",
        "leaves the dimension of nn.Softmax to PyTorch, which picks the batch",
        (
            ("weights = torch.softmax(", "weights = nn.Softmax()("),
            (", dim=-1)", ")"),
        ),
    ),
    Misconception(
        "softmax_dim0",
        "SelfAttentionV2",
        "softmax over dimension 0",
        (("dim=-1", "dim=0"),),
    ),
    Misconception(
        "softmax_queries",
        "SelfAttentionV2",
        "softmax over the queries: the columns add up to 1",
        (("dim=-1", "dim=-2"),),
    ),
    Misconception(
        "naive_exp",
        "SelfAttentionV2",
        "writes the softmax by hand; exp overflows for large scores",
        (
            (
                "torch.softmax(scores / math.sqrt(keys.shape[-1]), dim=-1)",
                "torch.exp(scores / math.sqrt(keys.shape[-1]))",
            ),
            ("weights @ values", "weights / weights.sum(dim=-1, keepdim=True) @ values"),
        ),
    ),
    Misconception(
        "batch_flattened",
        "SelfAttentionV2",
        "strings all sentences of a batch into one, where each token sees all",
        (
            (
                "queries = ",
                "shape = x.shape[:-1]\n        x = x.flatten(0, -2)\n        queries = ",
            ),
            ("return weights @ values", "return (weights @ values).unflatten(0, shape)"),
        ),
    ),
    Misconception(
        "batch_always",
        "SelfAttentionV2",
        "gives a single sentence a batch dimension and does not take it away",
        (
            (
                "queries = ",
                "x = x if x.dim() == 3 else x.unsqueeze(0)\n        queries = ",
            ),
        ),
    ),
    Misconception(
        "squeezed",
        "SelfAttentionV2",
        "squeezes the result: a batch of one, or one token, loses a dimension",
        (("return weights @ values", "return (weights @ values).squeeze()"),),
    ),
    Misconception(
        "first_sentence_scores",
        "SelfAttentionV2",
        "takes the weights of a batch from its first sentence",
        (
            (
                "return weights @ values",
                "return (weights if x.dim() == 2 else weights[:1]) @ values",
            ),
        ),
    ),
    Misconception(
        "bias_always",
        "SelfAttentionV2",
        "forgets qkv_bias: nn.Linear has a bias by default",
        (
            ("W_query = nn.Linear(d_in, d_out, bias=qkv_bias)", "W_query = nn.Linear(d_in, d_out)"),
            ("W_key = nn.Linear(d_in, d_out, bias=qkv_bias)", "W_key = nn.Linear(d_in, d_out)"),
            ("W_value = nn.Linear(d_in, d_out, bias=qkv_bias)", "W_value = nn.Linear(d_in, d_out)"),
        ),
    ),
    Misconception(
        "bias_never",
        "SelfAttentionV2",
        "no layer has a bias, whatever qkv_bias says",
        (
            (
                "W_query = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_query = nn.Linear(d_in, d_out, False)",
            ),
            (
                "W_key = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_key = nn.Linear(d_in, d_out, False)",
            ),
            (
                "W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_value = nn.Linear(d_in, d_out, False)",
            ),
        ),
    ),
    Misconception(
        "bias_not_on_values",
        "SelfAttentionV2",
        "the layer of the values never has a bias",
        (
            (
                "W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_value = nn.Linear(d_in, d_out, bias=False)",
            ),
        ),
    ),
    Misconception(
        "bias_by_default",
        "SelfAttentionV2",
        "has a bias unless told otherwise",
        (("qkv_bias: bool = False", "qkv_bias: bool = True"),),
    ),
    Misconception(
        "bias_without_default",
        "SelfAttentionV2",
        "insists on being told about the bias",
        (("qkv_bias: bool = False", "qkv_bias: bool"),),
    ),
    Misconception(
        "unknown_argument",
        "SelfAttentionV2",
        "calls the argument of nn.Linear qkv_bias, which it does not know",
        (("W_query = nn.Linear(d_in, d_out, bias=", "W_query = nn.Linear(d_in, d_out, qkv_bias="),),
    ),
    Misconception(
        "dims_swapped",
        "SelfAttentionV2",
        "makes layers that lead from d_out to d_in",
        (
            ("W_query = nn.Linear(d_in, d_out", "W_query = nn.Linear(d_out, d_in"),
            ("W_key = nn.Linear(d_in, d_out", "W_key = nn.Linear(d_out, d_in"),
            ("W_value = nn.Linear(d_in, d_out", "W_value = nn.Linear(d_out, d_in"),
        ),
    ),
    Misconception(
        "no_values",
        "SelfAttentionV2",
        "mixes the tokens themselves, without values",
        (("weights @ values", "weights @ x"),),
    ),
    Misconception(
        "layers_in_forward",
        "SelfAttentionV2",
        "makes a fresh layer for the values in every call",
        (("self.W_value(x)", "nn.Linear(x.shape[-1], keys.shape[-1]).to(x)(x)"),),
    ),
    Misconception(
        "values_detached",
        "SelfAttentionV2",
        "cuts the values off from the gradient",
        (("self.W_value(x)", "self.W_value(x).detach()"),),
    ),
    Misconception(
        "rand_weights",
        "SelfAttentionV2",
        "starts from torch.rand, as SelfAttention does, not as nn.Linear does",
        (
            (
                "self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                (
                    "self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)\n"
                    "        for layer in (self.W_query, self.W_key, self.W_value):\n"
                    "            nn.init.uniform_(layer.weight)"
                ),
            ),
        ),
    ),
    Misconception(
        "output_layer",
        "SelfAttentionV2",
        "adds an output layer, which nobody asked for",
        (
            ("self.W_value = ", "self.W_out = nn.Linear(d_out, d_out)\n        self.W_value = "),
            ("return weights @ values", "return self.W_out(weights @ values)"),
        ),
    ),
    Misconception(
        "dropout",
        "SelfAttentionV2",
        "drops weights, which nobody asked for yet",
        (("return weights @", "return nn.functional.dropout(weights, 0.1) @"),),
    ),
]
