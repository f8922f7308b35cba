"""Wrong solutions of causal_attention, as students write them."""

from autograder.misconceptions import Misconception

MISCONCEPTIONS: list[Misconception] = [
    Misconception(
        "mask_tril",
        "causal_weights",
        "masks the past in place of the future",
        ((".triu(diagonal=1)", ".tril(diagonal=-1)"),),
    ),
    Misconception(
        "fill_tiny",
        "causal_weights",
        "fills the future with -1e-9, which is next to 0, where -1e9 was meant",
        (("-torch.inf", "-1e-9"),),
    ),
    Misconception(
        "fill_minus10",
        "causal_weights",
        "fills the future with -10, which other scores reach too",
        (("-torch.inf", "-10.0"),),
    ),
    Misconception(
        "fill_minus20",
        "causal_weights",
        "fills the future with -20, which leaves it a share of 1e-9",
        (("-torch.inf", "-20.0"),),
    ),
    Misconception(
        "fill_minus100",
        "causal_weights",
        "fills the future with -100: enough, until all other scores of a row are lower",
        (("-torch.inf", "-100.0"),),
    ),
    Misconception(
        "fill_smallest",
        "causal_weights",
        "fills the future with the smallest of all scores",
        (("-torch.inf", "scores.min().item()"),),
    ),
    Misconception(
        "renorm_wrong_dim",
        "causal_weights",
        "masks after the softmax and then makes the columns add up to 1",
        (
            ("return torch.softmax(scores", "weights = torch.softmax(scores"),
            (
                ".masked_fill(future, -torch.inf), dim=-1)",
                ", dim=-1).masked_fill(future, 0)\n"
                "    return weights / weights.sum(dim=-2, keepdim=True)",
            ),
        ),
    ),
    Misconception(
        "mask_after",
        "causal_weights",
        "masks after the softmax: the share of the future is lost",
        (("scores.masked_fill(future, -torch.inf), dim=-1)", "scores, dim=-1) * ~future"),),
    ),
    Misconception(
        "multiply_scores",
        "causal_weights",
        "multiplies the scores by the mask: those of the future become 0, an ordinary score",
        (("scores.masked_fill(future, -torch.inf)", "scores * ~future"),),
    ),
    Misconception(
        "mul_inf",
        "causal_weights",
        "adds the mask times -inf; where the mask is 0, this is nan",
        (("scores.masked_fill(future, -torch.inf)", "scores + future * -torch.inf"),),
    ),
    Misconception(
        "plus_inf",
        "causal_weights",
        "fills the future with +inf",
        (("-torch.inf", "torch.inf"),),
    ),
    Misconception(
        "no_mask",
        "causal_weights",
        "makes a mask and throws the masked scores away",
        (
            (
                "return torch.softmax(scores.masked_fill(future, -torch.inf),",
                "scores.masked_fill(future, -torch.inf)\n    return torch.softmax(scores,",
            ),
        ),
    ),
    Misconception(
        "swap",
        "causal_weights",
        "multiplies the keys by the queries: rows belong to keys",
        (("queries @ keys.transpose", "keys @ queries.transpose"),),
    ),
    Misconception(
        "naive_exp",
        "causal_weights",
        "a softmax by hand that overflows for large scores",
        (
            ("return torch.softmax(", "weights = torch.exp("),
            (", dim=-1)", ")\n    return weights / weights.sum(dim=-1, keepdim=True)"),
        ),
    ),
    Misconception(
        "diagonal_hidden",
        "causal_weights",
        "masks the diagonal too: token 0 has nobody to look at",
        (("diagonal=1", "diagonal=0"),),
    ),
    Misconception(
        "sees_next",
        "causal_weights",
        "masks from the second diagonal on: every token sees the next one",
        (("diagonal=1", "diagonal=2"),),
    ),
    Misconception(
        "softmax_queries",
        "causal_weights",
        "the softmax runs over the queries: columns add up to 1",
        (("dim=-1)", "dim=-2)"),),
    ),
    Misconception(
        "softmax_dim1",
        "causal_weights",
        "the softmax runs over dimension 1, which is right without a batch only",
        (("dim=-1)", "dim=1)"),),
    ),
    Misconception(
        "softmax_matrix",
        "causal_weights",
        "one softmax for the whole matrix of scores",
        (
            ("return torch.softmax(scores", "flat = torch.softmax(scores"),
            ("-torch.inf), dim=-1)", "-torch.inf).flatten(-2), dim=-1)\n    return flat"),
            ("return flat", "return flat.reshape(scores.shape)"),
        ),
    ),
    Misconception(
        "no_scale",
        "causal_weights",
        "leaves the scores as large as they are",
        ((" / math.sqrt(d)", ""),),
    ),
    Misconception(
        "no_sqrt",
        "causal_weights",
        "the divisor is d itself, without the root",
        (("math.sqrt(d)", "d"),),
    ),
    Misconception(
        "scale_T",
        "causal_weights",
        "takes the root of the number of tokens",
        (("math.sqrt(d)", "math.sqrt(T)"),),
    ),
    Misconception(
        "sqrt_2d",
        "causal_weights",
        "the divisor is the root of 2 d",
        (("math.sqrt(d)", "math.sqrt(2 * d)"),),
    ),
    Misconception(
        "multiplied",
        "causal_weights",
        "makes the scores larger by the root of d, not smaller",
        (("/ math.sqrt(d)", "* math.sqrt(d)"),),
    ),
    Misconception(
        "scale_after",
        "causal_weights",
        "divides the weights by the root of d, after the softmax",
        ((" / math.sqrt(d)", ""), ("dim=-1)", "dim=-1) / math.sqrt(d)")),
    ),
    Misconception(
        "one_sentence",
        "causal_weights",
        "transposes with .T, which knows two dimensions",
        (("keys.transpose(-2, -1)", "keys.T"),),
    ),
    Misconception(
        "transpose_12",
        "causal_weights",
        "transposes dimensions 1 and 2, which is right for three dimensions only",
        (("keys.transpose(-2, -1)", "keys.transpose(1, 2)"),),
    ),
    Misconception(
        "sizes_from_front",
        "causal_weights",
        "reads the number of tokens as size 1, which is right for three dimensions only",
        (("T, d = queries.shape[-2:]", "T, d = queries.shape[1], queries.shape[-1]"),),
    ),
    Misconception(
        "hard_coded",
        "causal_weights",
        "takes the six tokens of the printed table for granted",
        (("torch.ones(T, T,", "torch.ones(6, 6,"),),
    ),
    Misconception(
        "detached",
        "causal_weights",
        "cuts the keys off from the gradient",
        (("keys.transpose", "keys.detach().transpose"),),
    ),
    Misconception(
        "rebuilt",
        "causal_weights",
        "copies the masked scores into a new tensor, which cuts the gradient",
        (
            (
                "scores.masked_fill(future, -torch.inf)",
                "torch.tensor(scores.masked_fill(future, -torch.inf).tolist(), "
                "dtype=scores.dtype, device=scores.device)",
            ),
        ),
    ),
    Misconception(
        "inplace",
        "causal_weights",
        "scales the caller's queries in their place",
        (
            (" / math.sqrt(d)", ""),
            ("scores = ", "queries /= math.sqrt(d)\n    scores = "),
        ),
    ),
    Misconception(
        "cpu_mask",
        "causal_weights",
        "makes the mask on the CPU, wherever the scores are",
        ((", device=queries.device", ""),),
    ),
    Misconception(
        "rounded",
        "causal_weights",
        "rounds the weights to the four digits that the table prints",
        (("dim=-1)", "dim=-1).round(decimals=4)"),),
    ),
    Misconception(
        "in_half",
        "causal_weights",
        "computes the softmax in float16",
        (
            (
                "scores.masked_fill(future, -torch.inf), dim=-1)",
                "scores.half().masked_fill(future, -torch.inf), dim=-1).to(scores.dtype)",
            ),
        ),
    ),
    Misconception(
        "in_float32",
        "causal_weights",
        "computes the softmax in float32, whatever it is given (float32 only)",
        (("-torch.inf), dim=-1)", "-torch.inf), dim=-1, dtype=torch.float32)"),),
    ),
    Misconception(
        "scale_C",
        "single_head",
        "takes the root of C, the features of a token, not of the head",
        (("q.shape[-1]", "x.shape[-1]"),),
    ),
    Misconception(
        "scale_sign",
        "single_head",
        "multiplies by the root of d: ** 0.5 where ** -0.5 was meant",
        (("/ math.sqrt(q.shape[-1])", "* q.shape[-1] ** 0.5"),),
    ),
    Misconception(
        "scale_T",
        "single_head",
        "takes the root of the number of tokens",
        (("q.shape[-1]", "q.shape[-2]"),),
    ),
    Misconception(
        "no_scale",
        "single_head",
        "leaves the scores undivided, as some notebooks do",
        ((" / math.sqrt(q.shape[-1])", ""),),
    ),
    Misconception(
        "scale_hard_coded",
        "single_head",
        "divides by 4, the root of the notebooks' 16",
        (("math.sqrt(q.shape[-1])", "4"),),
    ),
    Misconception(
        "softmax_then_scale",
        "single_head",
        "divides the weights by the root of d, after the softmax",
        (
            (" / math.sqrt(q.shape[-1])", ""),
            ("-torch.inf), dim=-1)", "-torch.inf), dim=-1) / math.sqrt(q.shape[-1])"),
        ),
    ),
    Misconception(
        "aggregate_x",
        "single_head",
        "mixes the tokens themselves, not their values",
        (("weights @ v", "weights @ x"),),
    ),
    Misconception(
        "v_from_k",
        "single_head",
        "makes the values with k_proj; v_proj lies idle",
        (("v_proj(x)", "k_proj(x)"),),
    ),
    Misconception(
        "k_from_q",
        "single_head",
        "makes the keys with q_proj; k_proj lies idle",
        (("k_proj(x)", "q_proj(x)"),),
    ),
    Misconception(
        "swap",
        "single_head",
        "lets k_proj make the queries and q_proj the keys",
        (("q_proj(x), k_proj(x)", "k_proj(x), q_proj(x)"),),
    ),
    Misconception(
        "v_of_k",
        "single_head",
        "makes the values out of the keys, which needs C = d",
        (("v_proj(x)", "v_proj(k_proj(x))"),),
    ),
    Misconception(
        "new_layers",
        "single_head",
        "makes layers of its own and does not use those it is given",
        (
            (
                "q, k, v = q_proj(x), k_proj(x), v_proj(x)",
                "sizes, like = (x.shape[-1], q_proj.out_features), q_proj.weight\n"
                "    q, k, v = (nn.Linear(*sizes, bias=False).to(like)(x) for _ in range(3))",
            ),
        ),
    ),
    Misconception(
        "cpu_tril",
        "single_head",
        "makes the mask on the CPU, wherever x is",
        (
            (
                "torch.ones_like(scores, dtype=torch.bool)",
                "torch.ones(*scores.shape[-2:], dtype=torch.bool)",
            ),
        ),
    ),
    Misconception(
        "relu_scores",
        "single_head",
        "sets negative scores to 0 before the softmax",
        (("scores.masked_fill", "scores.relu().masked_fill"),),
    ),
    Misconception(
        "relu_masked",
        "single_head",
        "a relu after the mask, which makes 0 of -inf too",
        (("-torch.inf), dim", "-torch.inf).relu(), dim"),),
    ),
    Misconception(
        "no_mask",
        "single_head",
        "forgets the mask: every token sees the whole sequence",
        (("scores.masked_fill(future, -torch.inf)", "scores"),),
    ),
    Misconception(
        "mask_after",
        "single_head",
        "masks after the softmax: the share of the future is lost",
        (("scores.masked_fill(future, -torch.inf), dim=-1)", "scores, dim=-1).tril()"),),
    ),
    Misconception(
        "mask_triu",
        "single_head",
        "masks the past in place of the future",
        ((".triu(diagonal=1)", ".tril(diagonal=-1)"),),
    ),
    Misconception(
        "diagonal_hidden",
        "single_head",
        "masks the diagonal too: token 0 has nobody to look at",
        ((".triu(diagonal=1)", ".triu()"),),
    ),
    Misconception(
        "sees_next",
        "single_head",
        "masks from the second diagonal on: every token sees the next one",
        (("diagonal=1", "diagonal=2"),),
    ),
    Misconception(
        "multiply_scores",
        "single_head",
        "multiplies the scores by the mask: those of the future become 0, an ordinary score",
        (("scores.masked_fill(future, -torch.inf)", "scores.tril()"),),
    ),
    Misconception(
        "fill_tiny",
        "single_head",
        "fills the future with -1e-9, which is next to 0, where -1e9 was meant",
        (("-torch.inf", "-1e-9"),),
    ),
    Misconception(
        "fill_minus10",
        "single_head",
        "fills the future with -10, which other scores reach too",
        (("-torch.inf", "-10.0"),),
    ),
    Misconception(
        "fill_minus20",
        "single_head",
        "fills the future with -20, which leaves it a share of 1e-9",
        (("-torch.inf", "-20.0"),),
    ),
    Misconception(
        "fill_minus100",
        "single_head",
        "fills the future with -100: enough, until all other scores of a row are lower",
        (("-torch.inf", "-100.0"),),
    ),
    Misconception(
        "softmax_dim1",
        "single_head",
        "the softmax runs over the queries: columns add up to 1",
        (("dim=-1)", "dim=1)"),),
    ),
    Misconception(
        "batch_softmax",
        "single_head",
        "leaves it to nn.Softmax to guess a dimension: it takes the batch",
        (("torch.softmax(", "nn.Softmax()("), (", dim=-1)", ")")),
    ),
    Misconception(
        "naive_exp",
        "single_head",
        "a softmax by hand that overflows for large scores",
        (
            ("torch.softmax(", "torch.exp("),
            (", dim=-1)", ")\n    weights = weights / weights.sum(dim=-1, keepdim=True)"),
        ),
    ),
    Misconception(
        "out_first",
        "single_head",
        "returns the mixtures before the weights",
        (("return weights, weights @ v", "return weights @ v, weights"),),
    ),
    Misconception(
        "only_out",
        "single_head",
        "returns the mixtures alone",
        (("return weights, weights @ v", "return weights @ v"),),
    ),
    Misconception(
        "returns_scores",
        "single_head",
        "returns the masked scores in place of the weights",
        (
            (
                "return weights, weights @ v",
                "return scores.masked_fill(future, -torch.inf), weights @ v",
            ),
        ),
    ),
    Misconception(
        "weights_transposed",
        "single_head",
        "mixes with the transposed weights: tokens hand out where they should gather",
        (("weights @ v", "weights.transpose(-2, -1) @ v"),),
    ),
    Misconception(
        "first_sequence",
        "single_head",
        "weights all sequences as the first one",
        (("return weights,", "weights = weights[:1].expand_as(scores)\n    return weights,"),),
    ),
    Misconception(
        "batch_mean",
        "single_head",
        "averages the scores of the batch, so that sequences influence each other",
        (("scores.masked_fill", "scores.mean(0, keepdim=True).expand_as(scores).masked_fill"),),
    ),
    Misconception(
        "transposes_batch",
        "single_head",
        "exchanges batch and tokens of the keys, which fits only where B = T = d",
        (("k.transpose(-2, -1)", "k.transpose(0, 1)"),),
    ),
    Misconception(
        "weights_detached",
        "single_head",
        "cuts the weights off from the gradient: queries and keys never learn",
        (("weights @ v", "weights.detach() @ v"),),
    ),
    Misconception(
        "weights_returned_detached",
        "single_head",
        "returns the weights without their gradient",
        (("return weights,", "return weights.detach(),"),),
    ),
    Misconception(
        "x_detached",
        "single_head",
        "makes the values of a detached x: no gradient reaches x through them",
        (("v_proj(x)", "v_proj(x.detach())"),),
    ),
    Misconception(
        "inplace",
        "single_head",
        "scales the caller's x in its place, after the keys and values are made",
        (
            (
                "q, k, v = q_proj(x), k_proj(x), v_proj(x)",
                "k, v = k_proj(x), v_proj(x)\n    x /= math.sqrt(k.shape[-1])\n    q = q_proj(x)",
            ),
            (" / math.sqrt(q.shape[-1])", ""),
        ),
    ),
    Misconception(
        "centred_inplace",
        "single_head",
        "subtracts from each token its mean, in the caller's x",
        (("q, k, v = q_proj", "x -= x.mean(dim=-1, keepdim=True)\n    q, k, v = q_proj"),),
    ),
    Misconception(
        "mask_attr",
        "CausalAttention",
        "the mask is a plain attribute: it stays behind when the module is moved",
        (('self.register_buffer("mask", may_look)', "self.mask = may_look"),),
    ),
    Misconception(
        "mask_parameter",
        "CausalAttention",
        "the mask is a parameter, counted among the weights that are trained",
        (
            (
                'self.register_buffer("mask", may_look)',
                "self.mask = nn.Parameter(may_look.float())",
            ),
            ("~self.mask[:T, :T]", "self.mask[:T, :T] == 0"),
        ),
    ),
    Misconception(
        "not_trimmed",
        "CausalAttention",
        "the mask is not cut to the sequence",
        (("self.mask[:T, :T]", "self.mask"),),
    ),
    Misconception(
        "trimmed_for_good",
        "CausalAttention",
        "cuts the stored mask itself, so that a longer sequence fails afterwards",
        (
            ("T = x.shape[1]", "T = x.shape[1]\n        self.mask = self.mask[:T, :T]"),
            ("~self.mask[:T, :T]", "~self.mask"),
        ),
    ),
    Misconception(
        "cut_bottom_left",
        "CausalAttention",
        "takes the last rows and the first columns: right at full length only",
        (("self.mask[:T, :T]", "self.mask[-T:, :T]"),),
    ),
    Misconception(
        "cut_top_right",
        "CausalAttention",
        "takes the first rows and the last columns: right at full length only",
        (("self.mask[:T, :T]", "self.mask[:T, -T:]"),),
    ),
    Misconception(
        "mask_of_d_in",
        "CausalAttention",
        "makes the mask as large as a token has features",
        (("torch.ones(context_length, context_length,", "torch.ones(d_in, d_in,"),),
    ),
    Misconception(
        "T_from_d",
        "CausalAttention",
        "takes the number of features for the number of tokens",
        (("T = x.shape[1]", "T = x.shape[-1]"),),
    ),
    Misconception(
        "T_from_batch",
        "CausalAttention",
        "takes the number of sequences for the number of tokens",
        (("T = x.shape[1]", "T = x.shape[0]"),),
    ),
    Misconception(
        "cpu_mask",
        "CausalAttention",
        "makes the mask anew in forward, on the CPU, wherever x is",
        (
            (
                "~self.mask[:T, :T]",
                "torch.ones(T, T, dtype=torch.bool).triu(diagonal=1)",
            ),
            ('\n        self.register_buffer("mask", may_look)', ""),
        ),
    ),
    Misconception(
        "no_mask",
        "CausalAttention",
        "registers the mask and does not use it",
        (("scores.masked_fill(~self.mask[:T, :T], -torch.inf)", "scores"),),
    ),
    Misconception(
        "mask_lost",
        "CausalAttention",
        "goes on with the scores that are not masked",
        (("torch.softmax(masked,", "torch.softmax(scores,"),),
    ),
    Misconception(
        "mask_after",
        "CausalAttention",
        "masks the weights after the softmax: the share of the future is lost",
        (
            ("masked = scores.masked_fill(~self.mask[:T, :T], -torch.inf)", "masked = scores"),
            ("return weights @", "return (weights * self.mask[:T, :T]) @"),
        ),
    ),
    Misconception(
        "mask_inverted",
        "CausalAttention",
        "masks what may be seen, and shows the future",
        (("~self.mask", "self.mask"),),
    ),
    Misconception(
        "mask_triu",
        "CausalAttention",
        "lets every token look at itself and at the future",
        ((".tril()", ".triu()"),),
    ),
    Misconception(
        "diagonal_hidden",
        "CausalAttention",
        "masks the diagonal too: token 0 has nobody to look at",
        ((".tril()", ".tril(diagonal=-1)"),),
    ),
    Misconception(
        "sees_next",
        "CausalAttention",
        "lets every token see the next one",
        ((".tril()", ".tril(diagonal=1)"),),
    ),
    Misconception(
        "multiply_scores",
        "CausalAttention",
        "multiplies the scores by the mask: those of the future become 0, an ordinary score",
        (("scores.masked_fill(~self.mask[:T, :T], -torch.inf)", "scores * self.mask[:T, :T]"),),
    ),
    Misconception(
        "fill_tiny",
        "CausalAttention",
        "fills the future with -1e-9, which is next to 0, where -1e9 was meant",
        (("-torch.inf", "-1e-9"),),
    ),
    Misconception(
        "fill_minus10",
        "CausalAttention",
        "fills the future with -10, which other scores reach too",
        (("-torch.inf", "-10.0"),),
    ),
    Misconception(
        "fill_minus20",
        "CausalAttention",
        "fills the future with -20, which leaves it a share of 1e-9",
        (("-torch.inf", "-20.0"),),
    ),
    Misconception(
        "fill_minus100",
        "CausalAttention",
        "fills the future with -100: enough, until all other scores of a row are lower",
        (("-torch.inf", "-100.0"),),
    ),
    Misconception(
        "dropout_scores",
        "CausalAttention",
        "the dropout falls on the scores, before the softmax: a dropped score is 0, not -inf",
        (
            ("self.dropout(torch.softmax(masked, dim=-1))", "torch.softmax(masked, dim=-1)"),
            ("scores.masked_fill", "self.dropout(scores).masked_fill"),
        ),
    ),
    Misconception(
        "dropout_masked",
        "CausalAttention",
        "the dropout falls on the masked scores, where 0 times -inf is nan",
        (
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "torch.softmax(self.dropout(masked), dim=-1)",
            ),
        ),
    ),
    Misconception(
        "dropout_as_mask",
        "CausalAttention",
        "dropped keys are masked with -inf before the softmax, so that rows still add up to 1",
        (
            ("self.dropout(torch.softmax(masked, dim=-1))", "torch.softmax(masked, dim=-1)"),
            (
                "weights = torch",
                "dropped = self.dropout(torch.ones_like(scores)) == 0\n"
                "        dropped = dropped & ~torch.eye(T, dtype=torch.bool, device=x.device)\n"
                "        masked = masked.masked_fill(dropped, -torch.inf)\n"
                "        weights = torch",
            ),
        ),
    ),
    Misconception(
        "dropout_output",
        "CausalAttention",
        "the dropout falls on the mixtures, not on the weights",
        (
            ("self.dropout(torch.softmax(masked, dim=-1))", "torch.softmax(masked, dim=-1)"),
            ("return weights @ values", "return self.dropout(weights @ values)"),
        ),
    ),
    Misconception(
        "dropout_values",
        "CausalAttention",
        "the dropout falls on the values, for all queries at once",
        (
            ("self.dropout(torch.softmax(masked, dim=-1))", "torch.softmax(masked, dim=-1)"),
            ("weights @ values", "weights @ self.dropout(values)"),
        ),
    ),
    Misconception(
        "dropout_x",
        "CausalAttention",
        "the dropout falls on the input",
        (
            ("self.dropout(torch.softmax(masked, dim=-1))", "torch.softmax(masked, dim=-1)"),
            ("T = x.shape[1]", "T = x.shape[1]\n        x = self.dropout(x)"),
        ),
    ),
    Misconception(
        "dropout_twice",
        "CausalAttention",
        "the dropout falls on the mixtures as well as on the weights",
        (("return weights @ values", "return self.dropout(weights @ values)"),),
    ),
    Misconception(
        "dropout_never",
        "CausalAttention",
        "makes a dropout and does not apply it",
        (("self.dropout(torch.softmax(masked, dim=-1))", "torch.softmax(masked, dim=-1)"),),
    ),
    Misconception(
        "dropout_lost",
        "CausalAttention",
        "applies the dropout and goes on with the weights as they were",
        (
            (
                "weights = self.dropout(torch.softmax(masked, dim=-1))",
                "weights = torch.softmax(masked, dim=-1)\n        self.dropout(weights)",
            ),
        ),
    ),
    Misconception(
        "dropout_inverted",
        "CausalAttention",
        "takes dropout for the share that is kept",
        (("nn.Dropout(dropout)", "nn.Dropout(1 - dropout)"),),
    ),
    Misconception(
        "dropout_default",
        "CausalAttention",
        "nn.Dropout without its argument drops half",
        (("nn.Dropout(dropout)", "nn.Dropout()"),),
    ),
    Misconception(
        "dropout_hard_coded",
        "CausalAttention",
        "nn.Dropout gets the 0.0 of the printed table",
        (("nn.Dropout(dropout)", "nn.Dropout(0.0)"),),
    ),
    Misconception(
        "dropout_renorm",
        "CausalAttention",
        "makes the rows add up to 1 again after the dropout",
        (
            (
                "return weights @ values",
                "weights = weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-9)\n"
                "        return weights @ values",
            ),
        ),
    ),
    Misconception(
        "dropout_unscaled",
        "CausalAttention",
        "drops weights by hand and does not divide the others by 1 - dropout",
        (
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "torch.softmax(masked, dim=-1)\n"
                "        if self.training:\n"
                "            weights = weights * (torch.rand_like(weights) >= self.dropout.p)",
            ),
        ),
    ),
    Misconception(
        "dropout_one_row",
        "CausalAttention",
        "drops the same keys for all queries of a sequence",
        (
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "torch.softmax(masked, dim=-1) * self.dropout(torch.ones_like(scores[:, :1]))",
            ),
        ),
    ),
    Misconception(
        "dropout_whole_queries",
        "CausalAttention",
        "drops all weights of a query or none",
        (
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "torch.softmax(masked, dim=-1) * self.dropout(torch.ones_like(scores[:, :, :1]))",
            ),
        ),
    ),
    Misconception(
        "dropout_one_mask",
        "CausalAttention",
        "drops the same weights in all sequences of the batch",
        (
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "torch.softmax(masked, dim=-1) * self.dropout(torch.ones_like(scores[:1]))",
            ),
        ),
    ),
    Misconception(
        "dropout_drawn_once",
        "CausalAttention",
        "draws in __init__ which weights are dropped, and drops the same ones ever after",
        (
            (
                'self.register_buffer("mask", may_look)',
                'self.register_buffer("mask", may_look)\n'
                "        self.kept = torch.rand(context_length, context_length) >= dropout",
            ),
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "torch.softmax(masked, dim=-1)\n"
                "        if self.training:\n"
                "            kept = self.kept[:T, :T].to(weights)\n"
                "            weights = weights * kept / (1 - self.dropout.p)",
            ),
        ),
    ),
    Misconception(
        "dropout_in_eval",
        "CausalAttention",
        "a functional dropout that does not know of eval()",
        (
            ("self.dropout(torch", "nn.functional.dropout(torch"),
            ("dim=-1))", "dim=-1), self.dropout.p)"),
        ),
    ),
    Misconception(
        "sdpa_in_eval",
        "CausalAttention",
        "PyTorch's own attention, which drops whenever dropout_p is given, in eval() too",
        (
            (
                "return weights @ values",
                "return nn.functional.scaled_dot_product_attention(\n"
                "            queries, keys, values, dropout_p=self.dropout.p, is_causal=True\n"
                "        )",
            ),
        ),
    ),
    Misconception(
        "dropout_in_forward",
        "CausalAttention",
        "makes a new nn.Dropout in every call, which is always in training",
        (
            ("self.dropout = nn.Dropout(dropout)", "self.p = dropout"),
            ("self.dropout(torch", "nn.Dropout(self.p)(torch"),
        ),
    ),
    Misconception(
        "batch_transpose",
        "CausalAttention",
        "exchanges batch and tokens of the keys",
        (("keys.transpose(-2, -1)", "keys.transpose(0, 1)"),),
    ),
    Misconception(
        "one_sentence",
        "CausalAttention",
        "transposes with .T, which on a batch turns all dimensions round",
        (("keys.transpose(-2, -1)", "keys.T"),),
    ),
    Misconception(
        "softmax_dim1",
        "CausalAttention",
        "the softmax runs over the queries: columns add up to 1",
        (("dim=-1))", "dim=1))"),),
    ),
    Misconception(
        "batch_softmax",
        "CausalAttention",
        "the softmax runs over the batch",
        (("dim=-1))", "dim=0))"),),
    ),
    Misconception(
        "no_scale",
        "CausalAttention",
        "leaves the scores undivided",
        ((" / math.sqrt(keys.shape[-1])", ""),),
    ),
    Misconception(
        "scale_T",
        "CausalAttention",
        "takes the root of keys.shape[1], which in a batch is the number of tokens",
        (("keys.shape[-1]", "keys.shape[1]"),),
    ),
    Misconception(
        "scale_d_in",
        "CausalAttention",
        "takes the root of d_in, the features of a token",
        (("keys.shape[-1]", "x.shape[-1]"),),
    ),
    Misconception(
        "scale_context",
        "CausalAttention",
        "takes the root of context_length",
        (("math.sqrt(keys.shape[-1])", "math.sqrt(self.mask.shape[0])"),),
    ),
    Misconception(
        "swap",
        "CausalAttention",
        "multiplies the keys by the queries: rows belong to keys",
        (("queries @ keys.transpose", "keys @ queries.transpose"),),
    ),
    Misconception(
        "mixes_x",
        "CausalAttention",
        "mixes the tokens themselves, not their values",
        (("weights @ values", "weights @ x"),),
    ),
    Misconception(
        "naive_exp",
        "CausalAttention",
        "a softmax by hand that overflows for large scores",
        (
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "self.dropout(masked.exp() / masked.exp().sum(dim=-1, keepdim=True))",
            ),
        ),
    ),
    Misconception(
        "no_super",
        "CausalAttention",
        "never lets nn.Module prepare itself",
        (("super().__init__()", "pass"),),
    ),
    Misconception(
        "bias_always",
        "CausalAttention",
        "leaves out the argument bias, so that all layers have one",
        (
            ("self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)", "self.W_query = QUERY"),
            ("self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)", "self.W_key = KEY"),
            ("nn.Linear(d_in, d_out, bias=qkv_bias)", "nn.Linear(d_in, d_out)"),
            ("QUERY", "nn.Linear(d_in, d_out)"),
            ("KEY", "nn.Linear(d_in, d_out)"),
        ),
    ),
    Misconception(
        "bias_never",
        "CausalAttention",
        "writes bias=False and does not ask qkv_bias",
        (
            (
                "self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_query = nn.Linear(d_in, d_out, bias=False)",
            ),
            (
                "self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_key = nn.Linear(d_in, d_out, bias=False)",
            ),
            (
                "self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_value = nn.Linear(d_in, d_out, bias=False)",
            ),
        ),
    ),
    Misconception(
        "bias_of_value_only",
        "CausalAttention",
        "gives a bias to the value layer only",
        (
            (
                "self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_query = nn.Linear(d_in, d_out, bias=False)",
            ),
            (
                "self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_key = nn.Linear(d_in, d_out, bias=False)",
            ),
        ),
    ),
    Misconception(
        "bias_default_true",
        "CausalAttention",
        "layers have a bias unless one says no",
        (("qkv_bias: bool = False", "qkv_bias: bool = True"),),
    ),
    Misconception(
        "dims_swapped",
        "CausalAttention",
        "the value layer leads from d_out to d_in",
        (("self.W_value = nn.Linear(d_in, d_out,", "self.W_value = nn.Linear(d_out, d_in,"),),
    ),
    Misconception(
        "other_names",
        "CausalAttention",
        "calls the value layer W_values",
        (
            ("self.W_value = ", "self.W_values = "),
            ("self.W_value(x)", "self.W_values(x)"),
        ),
    ),
    Misconception(
        "plain_parameters",
        "CausalAttention",
        "W_query is an nn.Parameter, not a layer",
        (
            (
                "self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_query = nn.Parameter(torch.rand(d_in, d_out))",
            ),
            ("self.W_query(x)", "x @ self.W_query"),
        ),
    ),
    Misconception(
        "tied",
        "CausalAttention",
        "W_key is another name for W_query",
        (("self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)", "self.W_key = self.W_query"),),
    ),
    Misconception(
        "layers_in_forward",
        "CausalAttention",
        "makes a new value layer in every call, which is never trained",
        (("self.W_value(x)", "nn.Linear(*self.W_value.weight.shape[::-1]).to(x)(x)"),),
    ),
    Misconception(
        "weights_detached",
        "CausalAttention",
        "cuts the weights off from the gradient: queries and keys never learn",
        (("weights @ values", "weights.detach() @ values"),),
    ),
    Misconception(
        "inplace",
        "CausalAttention",
        "scales the caller's x in its place, after the keys and values are made",
        (
            (
                "queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)",
                "keys, values = self.W_key(x), self.W_value(x)\n"
                "        x /= math.sqrt(keys.shape[-1])\n"
                "        queries = self.W_query(x)",
            ),
            ("(-2, -1) / math.sqrt(keys.shape[-1])", "(-2, -1)"),
        ),
    ),
    Misconception(
        "centred_inplace",
        "CausalAttention",
        "subtracts from each token its mean, in the caller's x",
        (("T = x.shape[1]", "x -= x.mean(dim=-1, keepdim=True)\n        T = x.shape[1]"),),
    ),
    Misconception(
        "first_sequence",
        "CausalAttention",
        "weights all sequences as the first one",
        (("weights @ values", "weights[0] @ values"),),
    ),
    Misconception(
        "returns_tuple",
        "CausalAttention",
        "returns the weights too",
        (("return weights @ values", "return weights @ values, weights"),),
    ),
    Misconception(
        "squeezed",
        "CausalAttention",
        "squeezes the result, so that a batch of one loses its dimension",
        (("return weights @ values", "return (weights @ values).squeeze()"),),
    ),
]
