"""Wrong solutions of transformer, as students write them."""

from autograder.misconceptions import Misconception

MISCONCEPTIONS: list[Misconception] = [
    Misconception(
        "pos_one_based",
        "TinyTransformer",
        "counts positions from 1, so that row 0 is never used",
        (("torch.arange(idx.shape[1], device", "torch.arange(1, idx.shape[1] + 1, device"),),
    ),
    Misconception(
        "pos_by_token",
        "TinyTransformer",
        "looks up positions by the numbers of the tokens",
        (("self.position_embedding(positions)", "self.position_embedding(idx)"),),
    ),
    Misconception(
        "no_mask",
        "TinyTransformer",
        "hides nothing: every token sees the whole sequence",
        (("scores.masked_fill(later, -math.inf).softmax", "scores.softmax"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "blocks_list",
        "TinyTransformer",
        "keeps the blocks in a Python list, where PyTorch does not see them",
        (
            ("nn.ModuleList([", "["),
            ("range(n_layers)])", "range(n_layers)]"),
        ),
    ),
    Misconception(
        "softmax_out",
        "TinyTransformer",
        "returns probabilities, not logits",
        (("self.head(self.ln_f(x))", "self.head(self.ln_f(x)).softmax(dim=-1)"),),
    ),
    Misconception(
        "pooled",
        "TinyTransformer",
        "averages over all positions: one prediction for the whole sequence",
        (("self.head(self.ln_f(x))", "self.head(self.ln_f(x).mean(dim=1))"),),
    ),
    Misconception(
        "last_block_only",
        "TinyTransformer",
        "gives the embeddings to every block, so that only the last one counts",
        (
            ("x = self.token", "embedded = self.token"),
            ("x = block(x)", "x = block(embedded)"),
        ),
    ),
    Misconception(
        "merge_view",
        "TinyTransformer",
        "reshapes straight back to (B, T, dim_h), which mixes tokens and heads",
        (('rearrange(weights @ v, "b h n d -> b n (h d)")', "(weights @ v).reshape(x.shape)"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "cpu_pos",
        "TinyTransformer",
        "makes the positions on the CPU, wherever idx is",
        ((", device=idx.device", ""),),
    ),
    Misconception(
        "tied_untold",
        "TinyTransformer",
        "the head shares its weight with token_embedding",
        (
            (
                "self.head = nn.Linear(dim_h, vocab_size)",
                (
                    "self.head = nn.Linear(dim_h, vocab_size)\n"
                    "        self.head.weight = self.token_embedding.weight"
                ),
            ),
        ),
    ),
    Misconception(
        "shifted_tokens",
        "TinyTransformer",
        "shifts the tokens to the right inside the model",
        (("positions = ", ("idx = nn.functional.pad(idx[:, :-1], (1, 0))\n        positions = ")),),
    ),
    Misconception(
        "no_positions",
        "TinyTransformer",
        "makes position_embedding and does not add it",
        ((" + self.position_embedding(positions)", ""),),
    ),
    Misconception(
        "multiplied",
        "TinyTransformer",
        "multiplies the two embeddings",
        (("(idx) + self", "(idx) * self"),),
    ),
    Misconception(
        "concatenated",
        "TinyTransformer",
        "puts the two embeddings side by side, each of half the width",
        (
            ("nn.Embedding(vocab_size, dim_h)", "nn.Embedding(vocab_size, dim_h // 2)"),
            ("nn.Embedding(block_size, dim_h)", "nn.Embedding(block_size, dim_h - dim_h // 2)"),
            (
                "x = self.token_embedding(idx) + self.position_embedding(positions)",
                (
                    "p = self.position_embedding(positions).expand(*idx.shape, -1)\n"
                    "        x = torch.cat([self.token_embedding(idx), p], dim=-1)"
                ),
            ),
        ),
    ),
    Misconception(
        "pos_reversed",
        "TinyTransformer",
        "counts positions from the end of the sequence",
        (
            (
                "torch.arange(idx.shape[1], device=idx.device)",
                "torch.arange(idx.shape[1], device=idx.device).flip(0)",
            ),
        ),
    ),
    Misconception(
        "pos_right_aligned",
        "TinyTransformer",
        "gives the last token the last position, however short the sequence",
        (
            (
                "torch.arange(idx.shape[1], device=idx.device)",
                (
                    "torch.arange(idx.shape[1], device=idx.device)\n"
                    "        positions += self.position_embedding.num_embeddings - idx.shape[1]"
                ),
            ),
        ),
    ),
    Misconception(
        "pos_whole_block",
        "TinyTransformer",
        "adds all block_size positions, which fits full sequences only",
        (("self.position_embedding(positions)", "self.position_embedding.weight"),),
    ),
    Misconception(
        "pos_of_batch",
        "TinyTransformer",
        "numbers the sequences of the batch, not the tokens",
        (
            ("idx.shape[1]", "idx.shape[0]"),
            ("self.position_embedding(positions)", "self.position_embedding(positions)[:, None]"),
        ),
    ),
    Misconception(
        "pos_zero",
        "TinyTransformer",
        "looks up position 0 for every token",
        (("torch.arange(idx.shape[1], device=idx.device)", "torch.zeros_like(idx)"),),
    ),
    Misconception(
        "pos_by_length",
        "TinyTransformer",
        "looks up the length of the sequence for every token",
        (
            (
                "torch.arange(idx.shape[1], device=idx.device)",
                "torch.full_like(idx, idx.shape[1] - 1)",
            ),
        ),
    ),
    Misconception(
        "pos_raw",
        "TinyTransformer",
        "adds the number of the position itself, not its row of the table",
        (("self.position_embedding(positions)", "positions[:, None]"),),
    ),
    Misconception(
        "pos_frozen",
        "TinyTransformer",
        "cuts the position embeddings off from the gradient",
        (("self.position_embedding(positions)", "self.position_embedding(positions).detach()"),),
    ),
    Misconception(
        "pos_buffer",
        "TinyTransformer",
        "keeps the position embeddings as a buffer, which is not trained",
        (
            (
                "self.position_embedding = nn.Embedding(block_size, dim_h)",
                'self.register_buffer("position_embedding", torch.randn(block_size, dim_h))',
            ),
            ("self.position_embedding(positions)", "self.position_embedding[positions]"),
        ),
    ),
    Misconception(
        "pos_in_every_block",
        "TinyTransformer",
        "adds the position embeddings anew before every block",
        (
            ("x = block(x)", "x = block(x + self.position_embedding(positions))"),
            (
                "self.token_embedding(idx) + self.position_embedding(positions)",
                "self.token_embedding(idx)",
            ),
        ),
    ),
    Misconception(
        "embedding_scaled",
        "TinyTransformer",
        "multiplies the token embeddings by the root of dim_h, as the first transformer did",
        (
            (
                "self.token_embedding(idx)",
                "self.token_embedding(idx) * math.sqrt(self.head.in_features)",
            ),
        ),
    ),
    Misconception(
        "token_embedding_linear",
        "TinyTransformer",
        "feeds the numbers of the tokens to a linear layer",
        (
            ("nn.Embedding(vocab_size, dim_h)", "nn.Linear(1, dim_h)"),
            (
                "self.token_embedding(idx)",
                "self.token_embedding(idx[..., None].to(self.head.weight.dtype))",
            ),
        ),
    ),
    Misconception(
        "padding_idx",
        "TinyTransformer",
        "treats token 0 as padding, which is never trained",
        (("nn.Embedding(vocab_size, dim_h)", "nn.Embedding(vocab_size, dim_h, padding_idx=0)"),),
    ),
    Misconception(
        "no_ln_f",
        "TinyTransformer",
        "has no norm before the head",
        (
            ("        self.ln_f = nn.LayerNorm(dim_h)\n", ""),
            ("self.head(self.ln_f(x))", "self.head(x)"),
        ),
    ),
    Misconception(
        "ln_f_unused",
        "TinyTransformer",
        "makes ln_f and does not apply it",
        (("self.head(self.ln_f(x))", "self.head(x)"),),
    ),
    Misconception(
        "ln_f_first",
        "TinyTransformer",
        "applies ln_f to the embeddings, before the blocks",
        (
            ("        for block", "        x = self.ln_f(x)\n        for block"),
            ("self.head(self.ln_f(x))", "self.head(x)"),
        ),
    ),
    Misconception(
        "ln_f_everywhere",
        "TinyTransformer",
        "applies ln_f after every block",
        (
            ("x = block(x)", "x = self.ln_f(block(x))"),
            ("self.head(self.ln_f(x))", "self.head(x)"),
        ),
    ),
    Misconception(
        "ln_f_no_affine",
        "TinyTransformer",
        "ln_f has no weight and no bias",
        (("nn.LayerNorm(dim_h)", "nn.LayerNorm(dim_h, elementwise_affine=False)"),),
    ),
    Misconception(
        "head_no_bias",
        "TinyTransformer",
        "the head has no bias",
        (("nn.Linear(dim_h, vocab_size)", "nn.Linear(dim_h, vocab_size, bias=False)"),),
    ),
    Misconception(
        "head_to_block_size",
        "TinyTransformer",
        "the head leads to block_size logits",
        (("nn.Linear(dim_h, vocab_size)", "nn.Linear(dim_h, block_size)"),),
    ),
    Misconception(
        "no_head",
        "TinyTransformer",
        "returns the features, without the head",
        (("self.head(self.ln_f(x))", "self.ln_f(x)"),),
    ),
    Misconception(
        "head_first",
        "TinyTransformer",
        "uses the table of tokens as head, and the head not at all",
        (("self.head(self.ln_f(x))", "self.ln_f(x) @ self.token_embedding.weight.T"),),
    ),
    Misconception(
        "log_softmax_out",
        "TinyTransformer",
        "returns the logarithms of probabilities, not logits",
        (("self.head(self.ln_f(x))", "self.head(self.ln_f(x)).log_softmax(dim=-1)"),),
    ),
    Misconception(
        "argmax_out",
        "TinyTransformer",
        "returns the most likely token in place of logits",
        (("self.head(self.ln_f(x))", "self.head(self.ln_f(x)).argmax(dim=-1)"),),
    ),
    Misconception(
        "last_position",
        "TinyTransformer",
        "returns the logits of the last position only",
        (("self.head(self.ln_f(x))", "self.head(self.ln_f(x))[:, -1]"),),
    ),
    Misconception(
        "vocab_second",
        "TinyTransformer",
        "returns (B, vocab_size, T), as cross_entropy wants it",
        (("self.head(self.ln_f(x))", "self.head(self.ln_f(x)).transpose(1, 2)"),),
    ),
    Misconception(
        "flattened",
        "TinyTransformer",
        "returns (B T, vocab_size), the batch flattened away",
        (("self.head(self.ln_f(x))", "self.head(self.ln_f(x)).flatten(0, 1)"),),
    ),
    Misconception(
        "shared_block",
        "TinyTransformer",
        "makes one block and lists it n_layers times",
        (
            (
                "[Block(dim_h, nr_heads) for _ in range(n_layers)]",
                "[Block(dim_h, nr_heads)] * n_layers",
            ),
        ),
    ),
    Misconception(
        "first_block_again",
        "TinyTransformer",
        "sends x through block 0 every time",
        (
            ("x = block(x)", "x = self.blocks[0](x)"),
            ("for block in", "for _ in"),
        ),
    ),
    Misconception(
        "one_block",
        "TinyTransformer",
        "returns from within the loop, after the first block",
        (
            (
                "            x = block(x)\n        return",
                "            x = block(x)\n            return",
            ),
        ),
    ),
    Misconception(
        "two_blocks",
        "TinyTransformer",
        "makes two blocks, whatever n_layers says",
        (("range(n_layers)", "range(2)"),),
    ),
    Misconception(
        "one_too_few",
        "TinyTransformer",
        "makes n_layers - 1 blocks",
        (("range(n_layers)", "range(1, n_layers)"),),
    ),
    Misconception(
        "blocks_reversed",
        "TinyTransformer",
        "passes the blocks from the last to the first",
        (("in self.blocks", "in reversed(self.blocks)"),),
    ),
    Misconception(
        "blocks_summed",
        "TinyTransformer",
        "adds up what each block makes of the embeddings",
        (
            (
                "        for block in self.blocks:\n            x = block(x)\n",
                "        x = sum(block(x) for block in self.blocks)\n",
            ),
        ),
    ),
    Misconception(
        "outer_skip",
        "TinyTransformer",
        "adds x to what the block returns, which has its skips inside",
        (("x = block(x)", "x = x + block(x)"),),
    ),
    Misconception(
        "new_in_forward",
        "TinyTransformer",
        "makes fresh blocks in every call",
        (
            (
                "self.blocks = nn.ModuleList([Block(dim_h, nr_heads) for _ in range(n_layers)])",
                "self.sizes, self.n_layers = (dim_h, nr_heads), n_layers",
            ),
            (
                "for block in self.blocks:\n            x = block(x)",
                ("for _ in range(self.n_layers):\n            x = Block(*self.sizes).to(x)(x)"),
            ),
        ),
    ),
    Misconception(
        "heads_exchanged",
        "TinyTransformer",
        "hands nr_heads and dim_h to the blocks in the wrong order",
        (("Block(dim_h, nr_heads)", "Block(nr_heads, dim_h)"),),
    ),
    Misconception(
        "start_token",
        "TinyTransformer",
        "writes a start token over the first one, in the caller's idx",
        (("positions = ", "idx[:, 0] = 0\n        positions = "),),
    ),
    Misconception(
        "batch_flattened",
        "TinyTransformer",
        "makes one long sequence of the whole batch",
        (
            ("x = self.token", "B, T = idx.shape\n        x = self.token"),
            ("        for block", "        x = x.reshape(1, B * T, -1)\n        for block"),
            ("self.head(self.ln_f(x))", "self.head(self.ln_f(x)).reshape(B, T, -1)"),
        ),
    ),
    Misconception(
        "dropout",
        "TinyTransformer",
        "a dropout on the embeddings, which nobody asked for",
        (
            ("self.ln_f = ", "self.dropout = nn.Dropout(0.1)\n        self.ln_f = "),
            ("        for block", "        x = self.dropout(x)\n        for block"),
        ),
    ),
    Misconception(
        "other_names",
        "TinyTransformer",
        "calls the embeddings wte and wpe, as a well-known code does",
        (
            ("self.token_embedding = ", "self.wte = "),
            ("self.position_embedding = ", "self.wpe = "),
            ("self.token_embedding(", "self.wte("),
            ("self.position_embedding(", "self.wpe("),
        ),
    ),
    Misconception(
        "no_super",
        "TinyTransformer",
        "never lets nn.Module prepare itself",
        (("        super().__init__()\n", ""),),
    ),
    Misconception(
        "mask_past",
        "TinyTransformer",
        "hides the past: a token sees itself and those behind it",
        (("triu(diagonal=1)", "tril(diagonal=-1)"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "mask_inverted",
        "TinyTransformer",
        "hides what may be seen and shows what may not",
        (("masked_fill(later,", "masked_fill(~later,"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "mask_diagonal",
        "TinyTransformer",
        "hides the token itself too; the first has nothing left to see",
        (("diagonal=1", "diagonal=0"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "mask_one_late",
        "TinyTransformer",
        "begins one place too late: each token sees the next one",
        (("diagonal=1", "diagonal=2"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "mask_zero",
        "TinyTransformer",
        "sets hidden scores to 0, which still gives them weight",
        (("-math.inf", "0.0"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "mask_tiny",
        "TinyTransformer",
        "fills with -1e-9 where -1e9 was meant",
        (("-math.inf", "-1e-9"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "mask_after",
        "TinyTransformer",
        "sets hidden weights to 0 after the softmax; rows no longer add up to 1",
        (
            (
                "scores.masked_fill(later, -math.inf).softmax(dim=-1)",
                "scores.softmax(dim=-1).masked_fill(later, 0.0)",
            ),
        ),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "mask_multiplied",
        "TinyTransformer",
        "multiplies the scores by the mask",
        (("scores.masked_fill(later, -math.inf)", "(scores * ~later)"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "mask_unused",
        "TinyTransformer",
        "masks a copy of the scores and goes on with the scores themselves",
        (
            (
                "weights = scores.masked_fill(later, -math.inf).softmax",
                ("scores.masked_fill(later, -math.inf)\n        weights = scores.softmax"),
            ),
        ),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "mask_cpu",
        "TinyTransformer",
        "makes the mask on the CPU, wherever x is",
        ((", device=x.device", ""),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "mask_first_head",
        "TinyTransformer",
        "hides later tokens from head 0 only",
        (
            (
                "weights = scores.masked_fill(later, -math.inf).softmax",
                ("scores[:, 0].masked_fill_(later, -math.inf)\n        weights = scores.softmax"),
            ),
        ),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "mask_fixed",
        "TinyTransformer",
        "the mask is made for 8 tokens and fits no other length",
        (("T = x.shape[1]", "T = 8"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "order_kqv",
        "TinyTransformer",
        "takes the first third for the keys, the second for the queries",
        (("q, k, v = (", "k, q, v = ("),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "order_qvk",
        "TinyTransformer",
        "takes the second third for the values, the last for the keys",
        (("q, k, v = (", "q, v, k = ("),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "per_head_chunk",
        "TinyTransformer",
        "gives each head its queries, keys and values in one run of to_qkv's features",
        (
            ("(h d) -> b h n d", "(h qkv d) -> qkv b h n d"),
            ("rearrange(t, ", "rearrange(self.to_qkv(x), "),
            ("h=self.nr_heads)", "h=self.nr_heads, qkv=3)"),
            ("            for t in self.to_qkv(x).chunk(3, dim=-1)\n", ""),
        ),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "split_dh",
        "TinyTransformer",
        "splits into heads with their features alternating",
        (("b n (h d) ->", "b n (d h) ->"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "merge_dh",
        "TinyTransformer",
        "merges the heads with their features alternating",
        (("-> b n (h d)", "-> b n (d h)"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "split_merge_dh",
        "TinyTransformer",
        "lets the heads' features alternate throughout: another layout of the weights",
        (
            ("b n (h d) ->", "b n (d h) ->"),
            ("-> b n (h d)", "-> b n (d h)"),
        ),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "view_split",
        "TinyTransformer",
        "reshapes straight to (B, H, T, d), which mixes tokens and heads",
        (
            (
                'rearrange(t, "b n (h d) -> b h n d", h=self.nr_heads)',
                "t.reshape(x.shape[0], self.nr_heads, x.shape[1], -1)",
            ),
        ),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "token_first",
        "TinyTransformer",
        "takes the batch for the tokens, as nn.MultiheadAttention does by default",
        (
            ("b n (h d) ->", "n b (h d) ->"),
            ("-> b n (h d)", "-> n b (h d)"),
            ("x.shape[1]", "x.shape[0]"),
        ),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "one_head",
        "TinyTransformer",
        "does not split into heads: one head of the whole width",
        (("h=self.nr_heads)", "h=1)"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "d_heads",
        "TinyTransformer",
        "takes nr_heads for the size of a head",
        (("h=self.nr_heads)", "d=self.nr_heads)"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "scale_dim_h",
        "TinyTransformer",
        "divides by the root of dim_h, not of the size of a head",
        (("q.shape[-1]", "x.shape[-1]"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "scale_T",
        "TinyTransformer",
        "divides by the root of the number of tokens",
        (("q.shape[-1]", "q.shape[-2]"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "no_scale",
        "TinyTransformer",
        "leaves the scores as large as they are",
        ((" / math.sqrt(q.shape[-1])", ""),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "no_sqrt",
        "TinyTransformer",
        "divides by the size of a head, without the root",
        (("math.sqrt(q.shape[-1])", "q.shape[-1]"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "multiplied_scale",
        "TinyTransformer",
        "makes the scores larger by the root, not smaller",
        (("/ math.sqrt", "* math.sqrt"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "scale_after",
        "TinyTransformer",
        "scales the weights, after the softmax",
        (
            (" / math.sqrt(q.shape[-1])", ""),
            ("softmax(dim=-1)", "softmax(dim=-1) / math.sqrt(q.shape[-1])"),
        ),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "softmax_queries",
        "TinyTransformer",
        "the softmax runs over the queries: columns add up to 1",
        (("softmax(dim=-1)", "softmax(dim=-2)"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "softmax_heads",
        "TinyTransformer",
        "the softmax runs over the heads",
        (("softmax(dim=-1)", "softmax(dim=1)"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "naive_exp",
        "TinyTransformer",
        "a softmax by hand that overflows for large scores",
        (
            (
                "scores.masked_fill(later, -math.inf).softmax(dim=-1)",
                (
                    "scores.masked_fill(later, -math.inf).exp()\n"
                    "        weights = weights / weights.sum(dim=-1, keepdim=True)"
                ),
            ),
        ),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "keys_by_queries",
        "TinyTransformer",
        "scores with rows and columns exchanged",
        (("q @ k.transpose", "k @ q.transpose"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "values_are_keys",
        "TinyTransformer",
        "mixes the keys, and the values not at all",
        (("weights @ v", "weights @ k"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "qkv_bias",
        "TinyTransformer",
        "to_qkv has a bias",
        ((", bias=False", ""),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "out_no_bias",
        "TinyTransformer",
        "to_out has no bias",
        (("nn.Linear(dim_h, dim_h)", "nn.Linear(dim_h, dim_h, bias=False)"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "no_to_out",
        "TinyTransformer",
        "returns the heads side by side, past to_out",
        (
            (
                'self.to_out(rearrange(weights @ v, "b h n d -> b n (h d)"))',
                'rearrange(weights @ v, "b h n d -> b n (h d)")',
            ),
        ),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "attention_skip",
        "TinyTransformer",
        "adds x within the attention, where the block adds it too",
        (("return self.to_out", "return x + self.to_out"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "dropout_weights",
        "TinyTransformer",
        "drops weights, which nobody asked for",
        (
            (
                "softmax(dim=-1)",
                (
                    "softmax(dim=-1)\n"
                    "        weights = nn.functional.dropout(weights, 0.1, self.training)"
                ),
            ),
        ),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "detached",
        "TinyTransformer",
        "cuts the weights off from the gradient",
        (("weights @ v", "weights.detach() @ v"),),
        within="CausalMultiHeadAttention",
    ),
    Misconception(
        "post_norm",
        "TinyTransformer",
        "post-norm: each norm stands after its sum, on the main path",
        (
            ("y = x + self.attn(self.ln1(x))", "y = self.ln1(x + self.attn(x))"),
            ("y + self.ffl(self.ln2(y))", "self.ln2(y + self.ffl(y))"),
        ),
        within="Block",
    ),
    Misconception(
        "branch_post_norm",
        "TinyTransformer",
        "each norm stands at the end of its branch",
        (
            ("self.attn(self.ln1(x))", "self.ln1(self.attn(x))"),
            ("self.ffl(self.ln2(y))", "self.ln2(self.ffl(y))"),
        ),
        within="Block",
    ),
    Misconception(
        "skip_from_norm",
        "TinyTransformer",
        "overwrites x by its norm and adds that to the attention branch",
        (("y = x + self.attn(self.ln1(x))", "x = self.ln1(x)\n        y = x + self.attn(x)"),),
        within="Block",
    ),
    Misconception(
        "skip2_from_norm",
        "TinyTransformer",
        "overwrites y by its norm and adds that to the feed-forward branch",
        (("return y + self.ffl(self.ln2(y))", "y = self.ln2(y)\n        return y + self.ffl(y)"),),
        within="Block",
    ),
    Misconception(
        "no_skip1",
        "TinyTransformer",
        "does not add x to the attention branch",
        (("y = x + self", "y = self"),),
        within="Block",
    ),
    Misconception(
        "no_skip2",
        "TinyTransformer",
        "does not add y to the feed-forward branch",
        (("return y + self", "return self"),),
        within="Block",
    ),
    Misconception(
        "skip2_from_x",
        "TinyTransformer",
        "adds the feed-forward branch to x, so that attention's part is lost",
        (("return y", "return x"),),
        within="Block",
    ),
    Misconception(
        "parallel",
        "TinyTransformer",
        "both branches leave from x, side by side",
        (("self.ln2(y)", "self.ln2(x)"),),
        within="Block",
    ),
    Misconception(
        "ffl_first",
        "TinyTransformer",
        "the feed-forward branch comes first, attention second",
        (
            ("x + self.attn(self.ln1(x))", "x + self.ffl(self.ln2(x))"),
            ("y + self.ffl(self.ln2(y))", "y + self.attn(self.ln1(y))"),
        ),
        within="Block",
    ),
    Misconception(
        "no_norm1",
        "TinyTransformer",
        "attention reads the raw x past the first norm",
        (("self.ln1(x)", "x"),),
        within="Block",
    ),
    Misconception(
        "no_norm2",
        "TinyTransformer",
        "the feed-forward branch reads y past the second norm",
        (("self.ln2(y)", "y"),),
        within="Block",
    ),
    Misconception(
        "one_norm",
        "TinyTransformer",
        "uses the first norm in both branches",
        (("self.ln2(y)", "self.ln1(y)"),),
        within="Block",
    ),
    Misconception(
        "norms_exchanged",
        "TinyTransformer",
        "ln2 stands in the first branch, ln1 in the second",
        (
            ("self.ln1(x)", "self.ln2(x)"),
            ("self.ln2(y)", "self.ln1(y)"),
        ),
        within="Block",
    ),
    Misconception(
        "inplace_skip",
        "TinyTransformer",
        "adds the attention branch into x itself, which the gradient still needs",
        (("y = x + self.attn(self.ln1(x))", "x += self.attn(self.ln1(x))\n        y = x"),),
        within="Block",
    ),
    Misconception(
        "width_two",
        "TinyTransformer",
        "widens to 2 dim_h",
        (("FeedForwardLayer(dim_h, 4", "FeedForwardLayer(dim_h, 2"),),
        within="Block",
    ),
    Misconception(
        "no_widening",
        "TinyTransformer",
        "the feed-forward part does not widen",
        (("FeedForwardLayer(dim_h, 4 * dim_h)", "FeedForwardLayer(dim_h, dim_h)"),),
        within="Block",
    ),
    Misconception(
        "relu",
        "TinyTransformer",
        "bends with ReLU in place of GELU",
        (
            (
                "FeedForwardLayer(dim_h, 4 * dim_h)",
                ("FeedForwardLayer(dim_h, 4 * dim_h)\n        self.ffl.activation = nn.ReLU()"),
            ),
        ),
        within="Block",
    ),
    Misconception(
        "gelu_tanh",
        "TinyTransformer",
        "bends with the tanh approximation of GELU",
        (
            (
                "FeedForwardLayer(dim_h, 4 * dim_h)",
                (
                    "FeedForwardLayer(dim_h, 4 * dim_h)\n"
                    '        self.ffl.activation = nn.GELU(approximate="tanh")'
                ),
            ),
        ),
        within="Block",
    ),
    Misconception(
        "ffl_sequential",
        "TinyTransformer",
        "builds the feed-forward part anew, with names 0, 1 and 2",
        (
            (
                "FeedForwardLayer(dim_h, 4 * dim_h)",
                (
                    "nn.Sequential(\n"
                    "            nn.Linear(dim_h, 4 * dim_h),\n"
                    "            nn.GELU(),\n"
                    "            nn.Linear(4 * dim_h, dim_h),\n"
                    "        )"
                ),
            ),
        ),
        within="Block",
    ),
    Misconception(
        "no_ffl",
        "TinyTransformer",
        "leaves the feed-forward branch out",
        (("return y + self.ffl(self.ln2(y))", "return y"),),
        within="Block",
    ),
    Misconception(
        "dropout_block",
        "TinyTransformer",
        "a dropout on the attention branch, which nobody asked for",
        (
            (
                "x + self.attn(self.ln1(x))",
                "x + nn.functional.dropout(self.attn(self.ln1(x)), 0.1, self.training)",
            ),
        ),
        within="Block",
    ),
    Misconception(
        "norm_over_tokens",
        "TinyTransformer",
        "the first norm runs over the tokens, not over the features",
        (
            (
                "y = x + self.attn(self.ln1(x))",
                (
                    "h = nn.functional.layer_norm(x.mT, x.shape[1:2]).mT\n"
                    "        h = h * self.ln1.weight + self.ln1.bias\n"
                    "        y = x + self.attn(h)"
                ),
            ),
        ),
        within="Block",
    ),
]
