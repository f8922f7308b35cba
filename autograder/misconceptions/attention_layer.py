"""Wrong solutions of attention_layer, as students write them."""

from autograder.misconceptions import Misconception

MISCONCEPTIONS: list[Misconception] = [
    Misconception(
        "returns_string",
        "TestModule",
        "hands the text back to the caller and prints nothing",
        (('print("Hello World")', 'return "Hello World"'),),
    ),
    Misconception(
        "dunder_forward",
        "TestModule",
        "names the method __forward__, which PyTorch never calls",
        (("def forward", "def __forward__"),),
    ),
    Misconception(
        "overrides_call",
        "TestModule",
        "writes __call__ where forward should stand, past nn.Module's own",
        (("def forward", "def __call__"),),
    ),
    Misconception(
        "no_super",
        "TestModule",
        "never lets nn.Module prepare itself",
        (("super().__init__()", "pass"),),
    ),
    Misconception(
        "prints_in_init",
        "TestModule",
        "prints when the module is built, and not when it is called",
        (
            ('print("Hello World")', "pass"),
            ("super().__init__()", 'super().__init__()\n        print("Hello World")'),
        ),
    ),
    Misconception(
        "not_a_module",
        "TestModule",
        "an ordinary class that can be called, not an nn.Module",
        (("(nn.Module)", ""), ("def forward", "def __call__")),
    ),
    Misconception(
        "prints_in_both",
        "TestModule",
        "tries itself out in __init__, so that it prints there too",
        (("super().__init__()", "super().__init__()\n        self()"),),
    ),
    Misconception(
        "other_text",
        "TestModule",
        "prints the greeting with punctuation of its own",
        (('"Hello World"', '"Hello, World!"'),),
    ),
    Misconception(
        "takes_argument",
        "TestModule",
        "forward insists on an input",
        (("forward(self)", "forward(self, x: Tensor)"),),
    ),
    Misconception(
        "forgot_self",
        "TestModule",
        "forward is defined without self",
        (("forward(self)", "forward()"),),
    ),
    Misconception(
        "plain_tensor",
        "QueryKeyValue",
        "W_q and W_k are tensors, which PyTorch does not register",
        (
            ("W_q = nn.Parameter(torch.ones(dim_h, dim_k))", "W_q = torch.ones(dim_h, dim_k)"),
            ("W_k = nn.Parameter(torch.ones(dim_h, dim_k))", "W_k = torch.ones(dim_h, dim_k)"),
        ),
    ),
    Misconception(
        "buffer",
        "QueryKeyValue",
        "W_q and W_k are buffers: saved, but never trained",
        (
            ("self.W_q = nn.Parameter(", 'self.register_buffer("W_q", '),
            ("self.W_k = nn.Parameter(", 'self.register_buffer("W_k", '),
        ),
    ),
    Misconception(
        "only_wq",
        "QueryKeyValue",
        "W_q is a parameter, W_k only a tensor",
        (("W_k = nn.Parameter(torch.ones(dim_h, dim_k))", "W_k = torch.ones(dim_h, dim_k)"),),
    ),
    Misconception(
        "tied",
        "QueryKeyValue",
        "W_k is another name for W_q",
        (("W_k = nn.Parameter(torch.ones(dim_h, dim_k))", "W_k = self.W_q"),),
    ),
    Misconception(
        "order_kqv",
        "QueryKeyValue",
        "gives the keys before the queries",
        (("return queries, keys, values", "return keys, queries, values"),),
    ),
    Misconception(
        "order_qvk",
        "QueryKeyValue",
        "gives the values before the keys",
        (("return queries, keys, values", "return queries, values, keys"),),
    ),
    Misconception(
        "keys_use_wq",
        "QueryKeyValue",
        "multiplies by W_q for the keys too",
        (("X @ self.W_k", "X @ self.W_q"),),
    ),
    Misconception(
        "values_of_keys",
        "QueryKeyValue",
        "feeds the keys into the value layer in place of X",
        (("self.value(X)", "self.value(keys)"),),
    ),
    Misconception(
        "transposed_shape",
        "QueryKeyValue",
        "keeps W_q and W_k as nn.Linear does, (dim_k, dim_h), and transposes them",
        (
            (
                "W_q = nn.Parameter(torch.ones(dim_h, dim_k",
                "W_q = nn.Parameter(torch.ones(dim_k, dim_h",
            ),
            (
                "W_k = nn.Parameter(torch.ones(dim_h, dim_k",
                "W_k = nn.Parameter(torch.ones(dim_k, dim_h",
            ),
            ("X @ self.W_q", "X @ self.W_q.T"),
            ("X @ self.W_k", "X @ self.W_k.T"),
        ),
    ),
    Misconception(
        "no_bias",
        "QueryKeyValue",
        "the value layer has no bias",
        (("nn.Linear(dim_h, dim_k)", "nn.Linear(dim_h, dim_k, bias=False)"),),
    ),
    Misconception(
        "elementwise",
        "QueryKeyValue",
        "weights each feature by a row sum of the matrix, with no matrix product",
        (
            ("X @ self.W_q", "X * self.W_q.sum(dim=1)"),
            ("X @ self.W_k", "X * self.W_k.sum(dim=1)"),
        ),
    ),
    Misconception(
        "detached",
        "QueryKeyValue",
        "cuts the queries off from the gradient",
        (("X @ self.W_q", "(X @ self.W_q).detach()"),),
    ),
    Misconception(
        "all_linear",
        "QueryKeyValue",
        "lets nn.Linear make all three projections",
        (
            ("W_q = nn.Parameter(torch.ones(dim_h, dim_k))", "W_q = nn.Linear(dim_h, dim_k)"),
            ("W_k = nn.Parameter(torch.ones(dim_h, dim_k))", "W_k = nn.Linear(dim_h, dim_k)"),
            ("X @ self.W_q", "self.W_q(X)"),
            ("X @ self.W_k", "self.W_k(X)"),
        ),
    ),
    Misconception(
        "queries_use_wk",
        "QueryKeyValue",
        "multiplies by W_k for the queries too",
        (("X @ self.W_q", "X @ self.W_k"),),
    ),
    Misconception(
        "values_use_wk",
        "QueryKeyValue",
        "the values are the keys; the value layer lies idle",
        (("self.value(X)", "X @ self.W_k"),),
    ),
    Misconception(
        "sums_features",
        "QueryKeyValue",
        "adds the features up and looks at one row of the matrix only: right for all ones",
        (
            ("X @ self.W_q", "X.sum(dim=-1, keepdim=True) * self.W_q[0]"),
            ("X @ self.W_k", "X.sum(dim=-1, keepdim=True) * self.W_k[0]"),
        ),
    ),
    Misconception(
        "random_init",
        "QueryKeyValue",
        "W_q and W_k start as random numbers",
        (
            ("W_q = nn.Parameter(torch.ones", "W_q = nn.Parameter(torch.randn"),
            ("W_k = nn.Parameter(torch.ones", "W_k = nn.Parameter(torch.randn"),
        ),
    ),
    Misconception(
        "zeros_init",
        "QueryKeyValue",
        "W_q and W_k start as zeros",
        (
            ("W_q = nn.Parameter(torch.ones", "W_q = nn.Parameter(torch.zeros"),
            ("W_k = nn.Parameter(torch.ones", "W_k = nn.Parameter(torch.zeros"),
        ),
    ),
    Misconception(
        "dims_swapped",
        "QueryKeyValue",
        "makes W_q and W_k (dim_k, dim_h) and multiplies as if they were not",
        (
            (
                "W_q = nn.Parameter(torch.ones(dim_h, dim_k",
                "W_q = nn.Parameter(torch.ones(dim_k, dim_h",
            ),
            (
                "W_k = nn.Parameter(torch.ones(dim_h, dim_k",
                "W_k = nn.Parameter(torch.ones(dim_k, dim_h",
            ),
        ),
    ),
    Misconception(
        "value_dims_swapped",
        "QueryKeyValue",
        "the value layer leads from dim_k to dim_h",
        (("nn.Linear(dim_h, dim_k)", "nn.Linear(dim_k, dim_h)"),),
    ),
    Misconception(
        "hard_coded",
        "QueryKeyValue",
        "takes the sizes of the worked example for granted",
        (
            (
                "W_q = nn.Parameter(torch.ones(dim_h, dim_k))",
                "W_q = nn.Parameter(torch.ones(5, 3))",
            ),
            (
                "W_k = nn.Parameter(torch.ones(dim_h, dim_k))",
                "W_k = nn.Parameter(torch.ones(5, 3))",
            ),
            ("nn.Linear(dim_h, dim_k)", "nn.Linear(5, 3)"),
        ),
    ),
    Misconception(
        "frozen",
        "QueryKeyValue",
        "W_q and W_k are parameters that ask for no gradient",
        (
            (
                "W_q = nn.Parameter(torch.ones(dim_h, dim_k))",
                "W_q = nn.Parameter(torch.ones(dim_h, dim_k), requires_grad=False)",
            ),
            (
                "W_k = nn.Parameter(torch.ones(dim_h, dim_k))",
                "W_k = nn.Parameter(torch.ones(dim_h, dim_k), requires_grad=False)",
            ),
        ),
    ),
    Misconception(
        "parameter_data",
        "QueryKeyValue",
        "computes with the bare data of W_q and W_k, which no gradient reaches",
        (("X @ self.W_q", "X @ self.W_q.data"), ("X @ self.W_k", "X @ self.W_k.data")),
    ),
    Misconception(
        "value_in_forward",
        "QueryKeyValue",
        "makes a fresh value layer in every call",
        (
            ("self.value = nn.Linear(dim_h, dim_k)", "self.dim_h, self.dim_k = dim_h, dim_k"),
            ("self.value(X)", "nn.Linear(self.dim_h, self.dim_k)(X)"),
        ),
    ),
    Misconception(
        "other_names",
        "QueryKeyValue",
        "calls the matrices w_query and w_key",
        (
            ("self.W_q = ", "self.w_query = "),
            ("self.W_k = ", "self.w_key = "),
            ("X @ self.W_q", "X @ self.w_query"),
            ("X @ self.W_k", "X @ self.w_key"),
        ),
    ),
    Misconception(
        "unsqueezed",
        "QueryKeyValue",
        "gives the matrices a batch dimension, which a single sentence then grows too",
        (
            ("X @ self.W_q", "X @ self.W_q.unsqueeze(0)"),
            ("X @ self.W_k", "X @ self.W_k.unsqueeze(0)"),
        ),
    ),
    Misconception(
        "einsum_batch_only",
        "QueryKeyValue",
        "an einsum that knows three dimensions and no others",
        (
            ("X @ self.W_q", 'torch.einsum("bth,hk->btk", X, self.W_q)'),
            ("X @ self.W_k", 'torch.einsum("bth,hk->btk", X, self.W_k)'),
        ),
    ),
    Misconception(
        "squeezed",
        "QueryKeyValue",
        "squeezes X, so that dimensions of size 1 get lost",
        (("queries = X", "X = X.squeeze()\n        queries = X"),),
    ),
    Misconception(
        "scaled",
        "QueryKeyValue",
        "divides the queries by the root of dim_k before anyone asked for it",
        (("X @ self.W_q", "X @ self.W_q / math.sqrt(self.W_q.shape[1])"),),
    ),
    Misconception(
        "concatenated",
        "QueryKeyValue",
        "returns one long tensor where three were wanted",
        (("return queries, keys, values", "return torch.cat((queries, keys, values), dim=-1)"),),
    ),
    Misconception(
        "sqrt_2dk",
        "ScaledDotProduct",
        "the divisor is the root of 2 d_k, the notebook's slip",
        (("Q.shape[-1]", "2 * Q.shape[-1]"),),
    ),
    Misconception(
        "no_scale",
        "ScaledDotProduct",
        "leaves the scores as large as they are",
        ((" / math.sqrt(Q.shape[-1])", ""),),
    ),
    Misconception(
        "no_sqrt",
        "ScaledDotProduct",
        "the divisor is d_k itself, without the root",
        (("math.sqrt(Q.shape[-1])", "Q.shape[-1]"),),
    ),
    Misconception(
        "multiplied",
        "ScaledDotProduct",
        "makes the scores larger by the root of d_k, not smaller",
        (("/ math", "* math"),),
    ),
    Misconception(
        "scale_T",
        "ScaledDotProduct",
        "takes the root of the number of queries",
        (("Q.shape[-1]", "Q.shape[-2]"),),
    ),
    Misconception(
        "softmax_dim0",
        "ScaledDotProduct",
        "the softmax runs over dimension 0, in a batch from sequence to sequence",
        (("dim=-1", "dim=0"),),
    ),
    Misconception(
        "softmax_default",
        "ScaledDotProduct",
        "leaves it to nn.Softmax to guess a dimension",
        (("torch.softmax(", "nn.Softmax()("), (", dim=-1", "")),
    ),
    Misconception(
        "scale_after",
        "ScaledDotProduct",
        "divides the weights by the root of d_k, after the softmax",
        (("scores / math.sqrt(Q.shape[-1]), dim=-1)", "scores, dim=-1) / math.sqrt(Q.shape[-1])"),),
    ),
    Misconception(
        "swapped",
        "ScaledDotProduct",
        "multiplies the keys by the queries: scores with rows and columns exchanged",
        (("Q @ K.transpose", "K @ Q.transpose"),),
    ),
    Misconception(
        "bmm",
        "ScaledDotProduct",
        "uses torch.bmm, which accepts three dimensions only",
        (
            ("Q @ K.transpose(-2, -1)", "torch.bmm(Q, K.transpose(-2, -1))"),
            ("weights @ V", "torch.bmm(weights, V)"),
        ),
    ),
    Misconception(
        "returns_weights",
        "ScaledDotProduct",
        "stops at the weights, without the values",
        (("weights @ V", "weights"),),
    ),
    Misconception(
        "elementwise_v",
        "ScaledDotProduct",
        "multiplies each value by the sum of a row of weights",
        (("weights @ V", "weights.sum(dim=-1, keepdim=True) * V"),),
    ),
    Misconception(
        "naive_exp",
        "ScaledDotProduct",
        "a softmax by hand that overflows for large scores",
        (
            ("torch.softmax(", "torch.exp("),
            (", dim=-1", ""),
            ("return weights", "return weights / weights.sum(dim=-1, keepdim=True)"),
        ),
    ),
    Misconception(
        "detached",
        "ScaledDotProduct",
        "cuts the weights off from the gradient",
        (("weights @ V", "weights.detach() @ V"),),
    ),
    Misconception(
        "inplace",
        "ScaledDotProduct",
        "scales the caller's Q in its place",
        (
            ("scores / math.sqrt(Q.shape[-1])", "scores"),
            ("scores = ", "Q /= math.sqrt(Q.shape[-1])\n        scores = "),
        ),
    ),
    Misconception(
        "softmax_queries",
        "ScaledDotProduct",
        "the softmax runs over the queries: columns add up to 1",
        (("dim=-1", "dim=-2"),),
    ),
    Misconception(
        "softmax_dim1",
        "ScaledDotProduct",
        "the softmax runs over dimension 1, which is right for one sentence only",
        (("dim=-1", "dim=1"),),
    ),
    Misconception(
        "softmax_matrix",
        "ScaledDotProduct",
        "one softmax for the whole matrix of scores",
        (
            ("scores / math", "scores.flatten(-2) / math"),
            ("weights @ V", "weights.reshape(scores.shape) @ V"),
        ),
    ),
    Misconception(
        "softmax_twice",
        "ScaledDotProduct",
        "applies a second softmax to the weights",
        (("weights @ V", "torch.softmax(weights, dim=-1) @ V"),),
    ),
    Misconception(
        "no_softmax",
        "ScaledDotProduct",
        "uses the scaled scores themselves as weights",
        (("torch.softmax(", ""), (", dim=-1)", "")),
    ),
    Misconception(
        "log_softmax",
        "ScaledDotProduct",
        "takes the logarithms of the weights for the weights",
        (("torch.softmax", "torch.log_softmax"),),
    ),
    Misconception(
        "scale_shape_1",
        "ScaledDotProduct",
        "reads d_k from dimension 1, where a batch has its tokens",
        (("Q.shape[-1]", "Q.shape[1]"),),
    ),
    Misconception(
        "scale_dv",
        "ScaledDotProduct",
        "takes the root of the size of a value",
        (("Q.shape[-1]", "V.shape[-1]"),),
    ),
    Misconception(
        "reversed_dims",
        "ScaledDotProduct",
        "K.T, which turns around all dimensions of a batch",
        (("K.transpose(-2, -1)", "K.T"),),
    ),
    Misconception(
        "transpose_1_2",
        "ScaledDotProduct",
        "counts the dimensions to transpose from the front",
        (("(-2, -1)", "(1, 2)"),),
    ),
    Misconception(
        "weights_transposed",
        "ScaledDotProduct",
        "mixes the values by the columns of the weights",
        (("weights @ V", "weights.transpose(-2, -1) @ V"),),
    ),
    Misconception(
        "mixes_keys",
        "ScaledDotProduct",
        "averages the keys where the values belong",
        (("weights @ V", "weights @ K"),),
    ),
    Misconception(
        "causal",
        "ScaledDotProduct",
        "hides later keys from a query, which nobody asked for",
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
        "dropout",
        "ScaledDotProduct",
        "drops weights at random",
        (("weights @ V", "nn.functional.dropout(weights, 0.1) @ V"),),
    ),
    Misconception(
        "global_max",
        "ScaledDotProduct",
        "a softmax by hand that subtracts one maximum from all rows, so that some vanish",
        (
            (
                "torch.softmax(scores / math.sqrt(Q.shape[-1]), dim=-1)",
                "torch.exp(scores - scores.max())",
            ),
            ("weights = ", "scores = scores / math.sqrt(Q.shape[-1])\n        weights = "),
            ("return weights", "return weights / weights.sum(dim=-1, keepdim=True)"),
        ),
    ),
    Misconception(
        "clamped",
        "ScaledDotProduct",
        "cuts large scores off for fear of an overflow",
        (("scores / math", "scores.clamp(-50, 50) / math"),),
    ),
    Misconception(
        "returns_both",
        "ScaledDotProduct",
        "returns the weights along with the output",
        (("return weights @ V", "return weights @ V, weights"),),
    ),
    Misconception(
        "order_kqv",
        "AttentionHead",
        "exchanges queries and keys on the way to the dot product",
        (("(queries, keys, values)", "(keys, queries, values)"),),
    ),
    Misconception(
        "values_X",
        "AttentionHead",
        "averages the raw input and leaves the values unused",
        (("(queries, keys, values)", "(queries, keys, X)"),),
    ),
    Misconception(
        "no_return",
        "AttentionHead",
        "computes the result and does not return it",
        (("return self.", "self."),),
    ),
    Misconception(
        "new_in_forward",
        "AttentionHead",
        "makes a fresh QueryKeyValue in every call",
        (
            ("self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)", "self.sizes = dim_h, dim_k"),
            ("self.qkv_mechanism(X)", "QueryKeyValue(*self.sizes)(X)"),
        ),
    ),
    Misconception(
        "dims_swapped",
        "AttentionHead",
        "hands dim_k and dim_h to QueryKeyValue in the wrong order",
        (("QueryKeyValue(dim_h, dim_k)", "QueryKeyValue(dim_k, dim_h)"),),
    ),
    Misconception(
        "residual",
        "AttentionHead",
        "adds X to the result where the shapes allow it",
        (
            ("return self.", "attended = self."),
            (
                "(queries, keys, values)",
                (
                    "(queries, keys, values)\n"
                    "        return X + attended if attended.shape == X.shape else attended"
                ),
            ),
        ),
    ),
    Misconception(
        "applied_twice",
        "AttentionHead",
        "lets the result attend to itself once more",
        (
            ("return self.", "attended = self."),
            (
                "(queries, keys, values)",
                (
                    "(queries, keys, values)\n"
                    "        return self.scaled_dot_product(attended, attended, attended)"
                ),
            ),
        ),
    ),
    Misconception(
        "other_names",
        "AttentionHead",
        "calls the two parts attention and qkv",
        (
            ("self.scaled_dot_product = ", "self.attention = "),
            ("self.qkv_mechanism = ", "self.qkv = "),
            ("self.qkv_mechanism(", "self.qkv("),
            ("self.scaled_dot_product(", "self.attention("),
        ),
    ),
    Misconception(
        "no_super",
        "AttentionHead",
        "never lets nn.Module prepare itself",
        (("        super().__init__()\n", ""),),
    ),
    Misconception(
        "order_qvk",
        "AttentionHead",
        "exchanges keys and values on the way to the dot product",
        (("(queries, keys, values)", "(queries, values, keys)"),),
    ),
    Misconception(
        "queries_as_keys",
        "AttentionHead",
        "compares the queries with each other; the keys are not used",
        (("(queries, keys, values)", "(queries, queries, values)"),),
    ),
    Misconception(
        "keys_as_values",
        "AttentionHead",
        "averages the keys; the values are not used",
        (("(queries, keys, values)", "(queries, keys, keys)"),),
    ),
    Misconception(
        "scores_of_input",
        "AttentionHead",
        "compares the raw tokens and projects only the values",
        (("(queries, keys, values)", "(X, X, values)"),),
    ),
    Misconception(
        "dim_h_twice",
        "AttentionHead",
        "projects to dim_h and forgets dim_k",
        (("QueryKeyValue(dim_h, dim_k)", "QueryKeyValue(dim_h, dim_h)"),),
    ),
    Misconception(
        "scaled_twice",
        "AttentionHead",
        "divides the queries by the root of dim_k, which ScaledDotProduct does again",
        (("(queries, keys, values)", "(queries / math.sqrt(queries.shape[-1]), keys, values)"),),
    ),
    Misconception(
        "output_linear",
        "AttentionHead",
        "sends the result through a linear layer of its own",
        (
            ("dim_h, dim_k)\n", "dim_h, dim_k)\n        self.output = nn.Linear(dim_k, dim_k)\n"),
            ("return self.scaled_dot_product(", "return self.output(self.scaled_dot_product("),
            ("(queries, keys, values)", "(queries, keys, values))"),
        ),
    ),
    Misconception(
        "class_not_object",
        "AttentionHead",
        "keeps the class ScaledDotProduct, without making an object of it",
        (("ScaledDotProduct()", "ScaledDotProduct"),),
    ),
    Misconception(
        "no_grad",
        "AttentionHead",
        "computes queries, keys and values without gradients",
        (
            (
                "queries, keys, values =",
                "with torch.no_grad():\n            queries, keys, values =",
            ),
        ),
    ),
    Misconception(
        "batch_loop",
        "AttentionHead",
        "loops over the batch, which a single sentence does not have",
        (
            ("return self.", "return torch.stack([self."),
            ("(queries, keys, values)", "(*qkv) for qkv in zip(queries, keys, values)])"),
        ),
    ),
    Misconception(
        "adds_batch",
        "AttentionHead",
        "makes a single sentence a batch of one and leaves it so",
        (
            (
                "queries, keys, values = ",
                "X = X[None] if X.dim() == 2 else X\n        queries, keys, values = ",
            ),
        ),
    ),
    Misconception(
        "squeezed",
        "AttentionHead",
        "squeezes the result, so that dimensions of size 1 get lost",
        (("(queries, keys, values)", "(queries, keys, values).squeeze()"),),
    ),
    Misconception(
        "pooled",
        "AttentionHead",
        "averages the tokens to one vector for the whole sentence",
        (("(queries, keys, values)", "(queries, keys, values).mean(dim=-2)"),),
    ),
    Misconception(
        "no_activation",
        "FeedForwardLayer",
        "two linear layers with no bend between them",
        (("        x = self.activation(x)\n", ""),),
    ),
    Misconception(
        "gelu_tanh",
        "FeedForwardLayer",
        "GELU's tanh approximation",
        (("nn.GELU()", 'nn.GELU(approximate="tanh")'),),
    ),
    Misconception(
        "act_after",
        "FeedForwardLayer",
        "bends the result of the second layer, not of the first",
        (
            ("        x = self.activation(x)\n", ""),
            ("self.secondlayer(x)", "self.activation(self.secondlayer(x))"),
        ),
    ),
    Misconception(
        "no_bias",
        "FeedForwardLayer",
        "neither linear layer has a bias",
        (
            ("dim_h, dim_expanded)", "dim_h, dim_expanded, bias=False)"),
            ("dim_expanded, dim_h)", "dim_expanded, dim_h, bias=False)"),
        ),
    ),
    Misconception(
        "first_only",
        "FeedForwardLayer",
        "stops before the second layer, in the wide features",
        (("return self.secondlayer(x)", "return x"),),
    ),
    Misconception(
        "softmax_act",
        "FeedForwardLayer",
        "a softmax as activation",
        (("nn.GELU()", "nn.Softmax(dim=-1)"),),
    ),
    Misconception(
        "flatten",
        "FeedForwardLayer",
        "reshapes in the wrong order, so that features of several tokens get mixed",
        (("self.firstlayer(x)", "self.firstlayer(x.transpose(-2, -1).reshape(x.shape))"),),
    ),
    Misconception(
        "tied",
        "FeedForwardLayer",
        "the second layer borrows the first one's weight, transposed",
        (
            (
                "return self.secondlayer(x)",
                "return x @ self.firstlayer.weight + self.secondlayer.bias",
            ),
        ),
    ),
    Misconception(
        "relu",
        "FeedForwardLayer",
        "a ReLU as activation",
        (("nn.GELU()", "nn.ReLU()"),),
    ),
    Misconception(
        "silu",
        "FeedForwardLayer",
        "a SiLU, x times its sigmoid, as activation",
        (("nn.GELU()", "nn.SiLU()"),),
    ),
    Misconception(
        "quick_gelu",
        "FeedForwardLayer",
        "GELU's sigmoid approximation by hand",
        (("self.activation(x)", "x * torch.sigmoid(1.702 * x)"),),
    ),
    Misconception(
        "act_first",
        "FeedForwardLayer",
        "bends the input, before the first layer",
        (
            ("        x = self.activation(x)\n", ""),
            ("self.firstlayer(x)", "self.firstlayer(self.activation(x))"),
        ),
    ),
    Misconception(
        "act_twice",
        "FeedForwardLayer",
        "bends after both layers",
        (("self.secondlayer(x)", "self.activation(self.secondlayer(x))"),),
    ),
    Misconception(
        "residual",
        "FeedForwardLayer",
        "adds the input, which is the task of the layer around it",
        (
            ("x = self.firstlayer", "skip = x\n        x = self.firstlayer"),
            ("return ", "return skip + "),
        ),
    ),
    Misconception(
        "dropout",
        "FeedForwardLayer",
        "a dropout after the activation, which nobody asked for",
        (
            ("nn.GELU()", "nn.GELU()\n        self.dropout = nn.Dropout(0.1)"),
            ("self.activation(x)", "self.dropout(self.activation(x))"),
        ),
    ),
    Misconception(
        "norm_inside",
        "FeedForwardLayer",
        "normalises its input with a LayerNorm of its own",
        (
            ("nn.GELU()", "nn.GELU()\n        self.norm = nn.LayerNorm(dim_h)"),
            ("self.firstlayer(x)", "self.firstlayer(self.norm(x))"),
        ),
    ),
    Misconception(
        "dims_swapped",
        "FeedForwardLayer",
        "exchanges the sizes of both layers",
        (
            (
                "firstlayer = nn.Linear(dim_h, dim_expanded)",
                "firstlayer = nn.Linear(dim_expanded, dim_h)",
            ),
            (
                "secondlayer = nn.Linear(dim_expanded, dim_h)",
                "secondlayer = nn.Linear(dim_h, dim_expanded)",
            ),
        ),
    ),
    Misconception(
        "not_expanded",
        "FeedForwardLayer",
        "both layers keep dim_h features",
        (
            ("nn.Linear(dim_h, dim_expanded)", "nn.Linear(dim_h, dim_h)"),
            ("nn.Linear(dim_expanded, dim_h)", "nn.Linear(dim_h, dim_h)"),
        ),
    ),
    Misconception(
        "four_times",
        "FeedForwardLayer",
        "widens to four times dim_h, whatever dim_expanded says",
        (("super().__init__()", "super().__init__()\n        dim_expanded = 4 * dim_h"),),
    ),
    Misconception(
        "new_in_forward",
        "FeedForwardLayer",
        "makes a fresh second layer in every call",
        (
            (
                "self.secondlayer = nn.Linear(dim_expanded, dim_h)",
                "self.sizes = dim_expanded, dim_h",
            ),
            ("self.secondlayer(x)", "nn.Linear(*self.sizes)(x)"),
        ),
    ),
    Misconception(
        "other_names",
        "FeedForwardLayer",
        "calls the linear layers fc1 and fc2",
        (
            ("self.firstlayer = ", "self.fc1 = "),
            ("self.secondlayer = ", "self.fc2 = "),
            ("self.firstlayer(", "self.fc1("),
            ("self.secondlayer(", "self.fc2("),
        ),
    ),
    Misconception(
        "post_norm",
        "SimpleAttentionLayer",
        "post-norm: each norm stands after its sum, on the main path",
        (
            ("self.layernorm1(x)", "x"),
            ("self.layernorm2(y)", "y"),
            ("x + self.aggregation_step(h)", "self.layernorm1(x + self.aggregation_step(h))"),
            ("return y + self.ffl(h)", "return self.layernorm2(y + self.ffl(h))"),
        ),
    ),
    Misconception(
        "skip_from_norm",
        "SimpleAttentionLayer",
        "overwrites x by its norm and adds that to the attention branch",
        (("h = self.layernorm1(x)", "x = self.layernorm1(x)"), ("self.qkv(h)", "self.qkv(x)")),
    ),
    Misconception(
        "skip2_from_norm",
        "SimpleAttentionLayer",
        "overwrites y by its norm and adds that to the feed-forward branch",
        (("h = self.layernorm2(y)", "y = self.layernorm2(y)"), ("self.ffl(h)", "self.ffl(y)")),
    ),
    Misconception(
        "no_skip1",
        "SimpleAttentionLayer",
        "does not add x to the attention branch",
        (("y = x + self", "y = self"),),
    ),
    Misconception(
        "no_skip2",
        "SimpleAttentionLayer",
        "does not add y to the feed-forward branch",
        (("return y + self", "return self"),),
    ),
    Misconception(
        "no_aggregation",
        "SimpleAttentionLayer",
        "leaves the aggregation out where dim_k happens to be dim_h",
        (
            (
                "y = x + self.aggregation_step(h)",
                "y = x + (h if h.shape == x.shape else self.aggregation_step(h))",
            ),
        ),
    ),
    Misconception(
        "agg_after_skip",
        "SimpleAttentionLayer",
        "sends the sum with x through the aggregation where dim_k happens to be dim_h",
        (
            (
                "y = x + self.aggregation_step(h)",
                (
                    "if h.shape == x.shape:\n"
                    "            y = self.aggregation_step(x + h)\n"
                    "        else:\n"
                    "            y = x + self.aggregation_step(h)"
                ),
            ),
        ),
    ),
    Misconception(
        "ffn_first",
        "SimpleAttentionLayer",
        "the feed-forward branch comes first, attention second",
        (
            ("        h = self.layernorm2(y)\n        return y + self.ffl(h)", "        return y"),
            (
                "h = self.layernorm1",
                "x = x + self.ffl(self.layernorm2(x))\n        h = self.layernorm1",
            ),
        ),
    ),
    Misconception(
        "inplace_skip",
        "SimpleAttentionLayer",
        "adds the attention branch into the caller's x",
        (
            ("y = x + self", "x += self"),
            ("self.layernorm2(y)", "self.layernorm2(x)"),
            ("return y", "return x"),
        ),
    ),
    Misconception(
        "qkv_from_x",
        "SimpleAttentionLayer",
        "attention reads the raw x past the first norm",
        (("self.qkv(h)", "self.qkv(x)"),),
    ),
    Misconception(
        "module_of_sum",
        "SimpleAttentionLayer",
        "attention reads the sum of x and its norm",
        (("self.layernorm1(x)", "self.layernorm1(x) + x"),),
    ),
    Misconception(
        "ln_over_time",
        "SimpleAttentionLayer",
        "the first norm runs over the tokens, not over the features",
        (
            (
                "h = self.layernorm1(x)",
                (
                    "h = nn.functional.layer_norm(x.mT, x.shape[-2:-1]).mT\n"
                    "        h = h * self.layernorm1.weight + self.layernorm1.bias"
                ),
            ),
        ),
    ),
    Misconception(
        "skip_inside",
        "SimpleAttentionLayer",
        "adds the main path at the beginning of each branch and not at its end",
        (
            ("self.layernorm1(x)", "x + self.layernorm1(x)"),
            ("y = x + self", "y = self"),
            ("self.layernorm2(y)", "y + self.layernorm2(y)"),
            ("return y + self", "return self"),
        ),
    ),
    Misconception(
        "ffl_from_y",
        "SimpleAttentionLayer",
        "the feed-forward branch reads y past the second norm",
        (("self.ffl(h)", "self.ffl(y)"),),
    ),
    Misconception(
        "ffl_from_x",
        "SimpleAttentionLayer",
        "both branches leave from x, side by side",
        (("self.layernorm2(y)", "self.layernorm2(x)"),),
    ),
    Misconception(
        "ffl_from_branch",
        "SimpleAttentionLayer",
        "the feed-forward branch reads what attention found, without the main path",
        (
            ("y = x + self.aggregation_step(h)", "h = self.aggregation_step(h)\n        y = x + h"),
            ("self.layernorm2(y)", "self.layernorm2(h)"),
        ),
    ),
    Misconception(
        "skip2_from_x",
        "SimpleAttentionLayer",
        "adds the feed-forward branch to x, so that attention's part is lost",
        (("return y", "return x"),),
    ),
    Misconception(
        "x_added_twice",
        "SimpleAttentionLayer",
        "adds x once more at the end",
        (("return y", "return x + y"),),
    ),
    Misconception(
        "final_norm",
        "SimpleAttentionLayer",
        "normalises the result again with the second norm",
        (("return y + self.ffl(h)", "return self.layernorm2(y + self.ffl(h))"),),
    ),
    Misconception(
        "one_norm",
        "SimpleAttentionLayer",
        "uses the first norm in both branches",
        (("self.layernorm2(y)", "self.layernorm1(y)"),),
    ),
    Misconception(
        "norms_exchanged",
        "SimpleAttentionLayer",
        "layernorm2 stands in the first branch, layernorm1 in the second",
        (
            ("self.layernorm1(x)", "self.layernorm2(x)"),
            ("self.layernorm2(y)", "self.layernorm1(y)"),
        ),
    ),
    Misconception(
        "no_affine",
        "SimpleAttentionLayer",
        "the norms have no weight and no bias",
        (
            (
                "layernorm1 = nn.LayerNorm(dim_h",
                "layernorm1 = nn.LayerNorm(dim_h, elementwise_affine=False",
            ),
            (
                "layernorm2 = nn.LayerNorm(dim_h",
                "layernorm2 = nn.LayerNorm(dim_h, elementwise_affine=False",
            ),
        ),
    ),
    Misconception(
        "order_kqv",
        "SimpleAttentionLayer",
        "takes the first result of qkv for the keys",
        (("queries, keys, values = ", "keys, queries, values = "),),
    ),
    Misconception(
        "ffl_width",
        "SimpleAttentionLayer",
        "builds the feed-forward part without widening",
        (("FeedForwardLayer(dim_h, dim_expanded)", "FeedForwardLayer(dim_h, dim_h)"),),
    ),
    Misconception(
        "agg_no_bias",
        "SimpleAttentionLayer",
        "the aggregation has no bias",
        (("nn.Linear(dim_k, dim_h)", "nn.Linear(dim_k, dim_h, bias=False)"),),
    ),
    Misconception(
        "dropout",
        "SimpleAttentionLayer",
        "a dropout on the attention branch, which nobody asked for",
        (
            ("x + self.aggregation_step(h)", "x + self.dropout(self.aggregation_step(h))"),
            ("self.ffl = ", "self.dropout = nn.Dropout(0.1)\n        self.ffl = "),
        ),
    ),
]
