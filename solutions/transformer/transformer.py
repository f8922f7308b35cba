# ---
# order: 7
# hours: 3
# from: Radford et al. 2019
# ---

# %% [markdown]
# # A transformer that trains
#
# This is where the parts come together. A sequence of whole numbers goes in,
# and for every position of it comes out a guess which number is next. Models
# that write texts do the same; they are larger, and their numbers stand for
# pieces of words.
#
# There is one exercise, `TinyTransformer`, written in three classes: attention
# with several heads and a mask, a block around it, and the model around the
# blocks. At the end your model learns to sort digits, in less than a minute.
#
# Words used here: the **vocabulary** is the set of all tokens, numbered from 0
# to `vocab_size - 1`; `idx` of shape `(B, T)` holds such numbers (int64), one
# sequence in each row. **Logits** are scores, one for each token of the
# vocabulary: the higher, the more likely that token is next. Softmax would
# make probabilities of them.
#
# Axes: B batch, T tokens, H heads, d features of one head (d = dim_h / H).

# %%
import math
import sys

import torch
from einops import rearrange
from torch import Tensor, nn

from attention_layer import FeedForwardLayer  # your own, from that assignment

# %% [markdown]
# ## Exercise 1: TinyTransformer
#
# The way of a sequence through the model:
#
#     idx (B, T) ─ embeddings ─ block ─ block ─ ... ─ norm ─ head ─ logits
#
# The three classes follow. The grader asks the last one, and sees the other
# two through it. The names of all parts are prescribed, so that weights can be
# loaded into them. The rules of the assignment on one attention layer hold
# here too.
#
# ### Part 1: CausalMultiHeadAttention
#
# Attention with several heads, as you have written it before, and with a mask,
# since a model that predicts the next token must not see it. The attention is
# **causal**: the token at position t looks at positions 0 to t, and no
# further. Scores of later positions are set to minus infinity before the
# softmax, which makes their weights exactly 0.
#
#     weights = softmax(mask(q kᵀ / sqrt(d)))        d = dim_h / nr_heads
#     out     = to_out(weights v)                    heads side by side, (h d)
# <!-- $$
# \begin{aligned}
# \text{weights} &=
# \mathrm{softmax}\!\left(\mathrm{mask}\!\left(\frac{q k^\top}{\sqrt{d}}\right)\right)
# && d = \frac{\text{dim\_h}}{\text{nr\_heads}} \\
# \text{out} &= \text{to\_out}(\text{weights} \, v) && \text{heads side by side, (h d)}
# \end{aligned}
# $$ -->
#
# `to_qkv` is one linear layer from `dim_h` to `3 * dim_h`, **without bias**.
# Its output features are, in this order, all queries, all keys, all values;
# within each third the heads follow each other, the features of head 0 first,
# in einops' words `(h d)`. `to_out` is a linear layer with bias, from `dim_h`
# to `dim_h`. There is no dropout.
#
# Make the mask for the length of the sequence at hand, on the device of `x`
# (`device=x.device`). The scores are divided by the root of the size of one
# head, not of `dim_h`.
#
# Shapes: `x (B, T, dim_h)`; q, k, v `(B, H, T, d)`; weights `(B, H, T, T)`;
# out `(B, T, dim_h)`.
#
# To check by hand: dim_h = 4 and two heads, so d = 2. The tokens are
# `[2, 4, 1, 0]` and `[6, 8, 0, 1]`. Let the values be the tokens themselves
# and `to_out` change nothing. Token 0 sees only itself: `[2, 4, 1, 0]`.
# Token 1 sees both:
#
#                            head 0            head 1
#     its scores             0 and 0           0 and 1.5537
#     divided by sqrt(2)     0 and 0           0 and 1.0986 = log 3
#     its weights            1/2 and 1/2       1/4 and 3/4
#     the values             [2, 4], [6, 8]    [1, 0], [0, 1]
#     their average          [4, 6]            [0.25, 0.75]
#
# So the result for token 1 is `[4, 6, 0.25, 0.75]`.


# %%
class CausalMultiHeadAttention(nn.Module):
    """Self-attention with several heads; a token sees itself and those before it.

    x: (B, T, dim_h). Returns (B, T, dim_h). Vaswani et al. 2017, section 3.2.
    """

    def __init__(self, dim_h: int, nr_heads: int) -> None:
        super().__init__()
        # TODO: keep nr_heads; make to_qkv (no bias) and to_out.
        ### BEGIN SOLUTION
        self.nr_heads = nr_heads
        self.to_qkv = nn.Linear(dim_h, 3 * dim_h, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        # TODO: split into heads, score, hide later tokens, mix the values, put
        # the heads side by side, combine.
        ### BEGIN SOLUTION
        q, k, v = (
            rearrange(t, "b n (h d) -> b h n d", h=self.nr_heads)
            for t in self.to_qkv(x).chunk(3, dim=-1)
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (B, H, T, T)
        T = x.shape[1]
        later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(diagonal=1)
        weights = scores.masked_fill(later, -math.inf).softmax(dim=-1)
        return self.to_out(rearrange(weights @ v, "b h n d -> b n (h d)"))
        ### END SOLUTION


# %% tags=["active-ipynb"]
# attention = CausalMultiHeadAttention(4, 2)
# nn.init.eye_(attention.to_out.weight)
# nn.init.zeros_(attention.to_out.bias)
# nn.init.zeros_(attention.to_qkv.weight)
# queries, keys, values = attention.to_qkv.weight.data.chunk(3)
# queries[3, 2:], keys[3, 3], values[:] = 1.5537, 1, torch.eye(4)
# output = attention(torch.tensor([[[2.0, 4, 1, 0], [6, 8, 0, 1]]]))
# assert output.shape == (1, 2, 4), "expected (B, T, dim_h), here (1, 2, 4)"
# expected = torch.tensor([[2, 4, 1, 0], [4, 6, 0.25, 0.75]])
# assert torch.allclose(output[0, 0], expected[0], atol=1e-4), "expected [2, 4, 1, 0] for token 0"
# assert torch.allclose(output[0, 1], expected[1], atol=1e-4), "expected [4, 6, 0.25, 0.75] next"
# print("CausalMultiHeadAttention gives the numbers of the statement.")

# %% [markdown]
# ### Part 2: Block
#
# The layer that you know from the assignment on one attention layer, now with
# causal attention of several heads. Two branches leave the main path and are
# added back to it, each with its norm at the beginning (**pre-norm**):
#
#     y   = x + attn(ln1(x))
#     out = y + ffl(ln2(y))
# <!-- $$
# \begin{aligned}
# y &= x + \text{attn}(\text{ln1}(x)) \\
# \text{out} &= y + \text{ffl}(\text{ln2}(y))
# \end{aligned}
# $$ -->
#
# Names: `ln1` and `ln2` (`nn.LayerNorm(dim_h)`), `attn` (a
# CausalMultiHeadAttention), `ffl` (your own FeedForwardLayer, which widens the
# features to `4 * dim_h`).
#
# Shapes: `x (B, T, dim_h)` gives `(B, T, dim_h)`, and `x` itself stays as it
# is.
#
# To check by hand: when all parameters of `attn.to_out` and of
# `ffl.secondlayer` are 0, both branches give 0 and the block returns its input.


# %%
class Block(nn.Module):
    """A pre-norm decoder block: causal attention and feed-forward, each with a skip.

    x: (B, T, dim_h). Returns (B, T, dim_h).
    """

    def __init__(self, dim_h: int, nr_heads: int) -> None:
        super().__init__()
        # TODO: make ln1, attn, ln2 and ffl (of width 4 * dim_h).
        ### BEGIN SOLUTION
        self.ln1 = nn.LayerNorm(dim_h)
        self.attn = CausalMultiHeadAttention(dim_h, nr_heads)
        self.ln2 = nn.LayerNorm(dim_h)
        self.ffl = FeedForwardLayer(dim_h, 4 * dim_h)
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        # TODO: add the attention branch to x, then the feed-forward branch.
        ### BEGIN SOLUTION
        y = x + self.attn(self.ln1(x))
        return y + self.ffl(self.ln2(y))
        ### END SOLUTION


# %% tags=["active-ipynb"]
# block = Block(6, 2)
# x = torch.randn(3, 5, 6)
# before = x.clone()
# assert block(x).shape == (3, 5, 6), "expected the shape of x, (3, 5, 6)"
# assert torch.equal(x, before), "expected x to stay as it was"
# for linear in (block.attn.to_out, block.ffl.secondlayer):
#     nn.init.zeros_(linear.weight)
#     nn.init.zeros_(linear.bias)
# assert torch.allclose(block(x), x), "expected the input back when both branches are 0"
# print("Block gives its input back when both branches are 0.")

# %% [markdown]
# ### Part 3: the model
#
# The numbers of the tokens mean nothing by their size: token 7 is not more
# than token 3. So each token of the vocabulary gets a vector of `dim_h`
# features, which is learned: row i of the table `token_embedding` belongs to
# token i. `nn.Embedding(vocab_size, dim_h)` is such a table; called with
# `idx (B, T)` it looks up all rows and gives `(B, T, dim_h)`.
#
# Attention alone does not know where a token stands. A second table,
# `position_embedding`, has a row for each of the positions 0 to
# `block_size - 1`. Both rows are **added**:
#
#     x[b, t] = token_embedding[idx[b, t]] + position_embedding[t]
# <!-- $$ x_{b,t} = \text{token\_embedding}_{\text{idx}_{b,t}} + \text{position\_embedding}_t $$ -->
#
# A sequence may be shorter than `block_size` (then only the first T positions
# are used), but not longer. Make the positions on the device of `idx`
# (`device=idx.device`).
#
# Then come `n_layers` blocks one after the other, a last norm `ln_f`, and the
# `head`, a linear layer with bias from `dim_h` to `vocab_size`:
#
#     logits = head(ln_f(block_n(... block_1(x))))
# <!-- $$ \text{logits} = \text{head}(\text{ln\_f}(\text{block}_n(\dots \text{block}_1(x)))) $$ -->
#
# The logits are returned as they are. There is no softmax in the model: the
# loss function, `nn.functional.cross_entropy`, has it built in.
#
# Names: `token_embedding`, `position_embedding`, `blocks` (an `nn.ModuleList`
# or `nn.Sequential` of Block, each with weights of its own), `ln_f`
# (`nn.LayerNorm(dim_h)`), `head` (with weights of its own, not those of
# token_embedding).
#
# Shapes: `idx (B, T)` gives `(B, T, vocab_size)`; the logits at position t say
# what comes at position t + 1, and depend on positions 0 to t only.
#
# To check by hand: count the numbers in `TinyTransformer(5, 4, 2, 2, 3)`,
# which has 5 tokens, 4 positions, width 2, two heads and three blocks.
#
#     token_embedding     5 · 2                           10
#     position_embedding  4 · 2                            8
#     one block           ln1 4, to_qkv 12, to_out 6,
#                         ln2 4, ffl 24 + 18     68,  3 × 204
#     ln_f                2 + 2                            4
#     head                2 · 5 + 5                       15
#                                            together    241
#
# And if all numbers of `head` are 0, all tokens are equally likely, and the
# loss is log(vocab_size): 2.3979 for 11 tokens. A model that has not been
# trained is not far from that, about 2.6. A loss that begins at 10 is the sign
# of a mistake. From its start, a few steps of training change every part of the
# model.


# %%
class TinyTransformer(nn.Module):
    """A decoder-only transformer: logits of the next token at every position.

    idx: (B, T) of int64, T <= block_size. Returns logits (B, T, vocab_size).
    """

    def __init__(
        self, vocab_size: int, block_size: int, dim_h: int, nr_heads: int, n_layers: int
    ) -> None:
        super().__init__()
        # TODO: make token_embedding, position_embedding, blocks, ln_f and head.
        ### BEGIN SOLUTION
        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        self.blocks = nn.ModuleList([Block(dim_h, nr_heads) for _ in range(n_layers)])
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)
        ### END SOLUTION

    def forward(self, idx: Tensor) -> Tensor:
        # TODO: embed tokens and positions, pass the blocks, norm and head.
        ### BEGIN SOLUTION
        positions = torch.arange(idx.shape[1], device=idx.device)
        x = self.token_embedding(idx) + self.position_embedding(positions)  # (B, T, dim_h)
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln_f(x))
        ### END SOLUTION


# %% tags=["active-ipynb"]
# count = sum(p.numel() for p in TinyTransformer(5, 4, 2, 2, 3).parameters())
# assert count == 241, "expected 241 parameters"
# untrained = TinyTransformer(11, block_size=16, dim_h=64, nr_heads=4, n_layers=2)
# idx = torch.randint(11, (32, 16))
# logits = untrained(idx)
# assert logits.shape == (32, 16, 11), "expected 11 logits at each position, (32, 16, 11)"
# shorter = untrained(idx[:, :7])
# assert torch.allclose(shorter, logits[:, :7], atol=1e-4), "expected the same for 7 tokens alone"
# nn.init.zeros_(untrained.head.weight), nn.init.zeros_(untrained.head.bias)
# loss = nn.functional.cross_entropy(untrained(idx).flatten(0, 1), idx.flatten())
# assert abs(loss.item() - 2.3979) < 1e-4, "expected a loss of 2.3979 with a head of zeros"
# print("TinyTransformer: the visible checks of this cell pass")

# %% [markdown]
# ## It learns to sort
#
# From here on there is nothing to write. The task: the model reads eight
# digits and a separator, and writes the digits in sorted order.
#
#     7 2 9 0 2 5 5 1 > 0 1 2 2 5 5 7 9
#
# Nobody tells it how. It sees sequences made up on the spot, and at each
# position predicts the next token. Only the answer counts for the loss: the
# digits before the separator are random, nobody can predict them.
#
# There are 100 million ways to draw eight digits. Training shows 32,000 of
# them, so a model that only learns them by heart fails on new ones.


# %%
DIGITS = 10
SEPARATOR = 10  # the token behind the digits, ">" in print


def sorting_batch(batch_size: int, n: int, generator: torch.Generator) -> Tensor:
    """Sequences of n random digits, the separator, and the digits in sorted order.

    Returns (batch_size, 2n + 1) of int64.
    """
    digits = torch.randint(DIGITS, (batch_size, n), generator=generator)
    separator = torch.full((batch_size, 1), SEPARATOR)
    return torch.cat([digits, separator, digits.sort(dim=1).values], dim=1)


def answer_loss(model: nn.Module, sequences: Tensor) -> Tensor:
    """Mean cross-entropy of the answer's tokens, each predicted from all before it.

    sequences: (B, 2n + 1), from sorting_batch.
    """
    n = sequences.shape[1] // 2
    logits = model(sequences[:, :-1])  # (B, 2n, vocab_size), for the tokens 1 to 2n
    predicted = logits[:, n:].flatten(0, 1)  # (B n, vocab_size)
    wanted = sequences[:, n + 1 :].flatten()  # (B n)
    return nn.functional.cross_entropy(predicted, wanted)


def train(
    model: nn.Module,
    n: int,
    steps: int = 500,
    batch_size: int = 64,
    learning_rate: float = 3e-3,
    seed: int = 0,
) -> list[float]:
    """Train the model to sort n digits. Returns the loss of each step."""
    from tqdm import tqdm

    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=steps)
    losses = []
    progress = tqdm(total=steps, file=sys.stdout, ascii=True, ncols=79, mininterval=1)
    for _ in range(steps):
        loss = answer_loss(model, sorting_batch(batch_size, n, generator))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        progress.set_postfix_str(f"loss {losses[-1]:.4f}", refresh=False)
        progress.update()
    progress.close()
    return losses


def completed(model: nn.Module, start: Tensor, count: int) -> Tensor:
    """Append the most likely next token, count times.

    start: (B, T). Returns (B, T + count).
    """
    sequences = start
    with torch.no_grad():
        for _ in range(count):
            following = model(sequences)[:, -1:].argmax(dim=-1)  # (B, 1)
            sequences = torch.cat([sequences, following], dim=1)
    return sequences


def accuracy(model: nn.Module, n: int, count: int = 2000, seed: int = 1) -> float:
    """The part of count new sequences that the model sorts without a mistake."""
    sequences = sorting_batch(count, n, torch.Generator().manual_seed(seed))
    written = completed(model, sequences[:, : n + 1], n)
    return (written == sequences).all(dim=1).double().mean().item()


def as_text(sequence: Tensor) -> str:
    """The tokens of one sequence in print."""
    return " ".join(">" if t == SEPARATOR else str(t) for t in sequence.tolist())


def print_examples(model: nn.Module, n: int, count: int = 5, seed: int = 2) -> None:
    """Print what the model writes for a few new sequences, and whether it is right."""
    sequences = sorting_batch(count, n, torch.Generator().manual_seed(seed))
    answers = completed(model, sequences[:, : n + 1], n)
    for answer, wanted in zip(answers, sequences, strict=True):
        print(as_text(answer), "  right" if answer.equal(wanted) else "  wrong")


def draw_losses(losses: list[float], file: str) -> None:
    """Draw the loss of each step, and save the picture; a notebook also shows it."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 3), layout="constrained")
    axes.plot(losses, color="#0072B2", label="loss of the model")
    guess = math.log(SEPARATOR + 1)
    axes.axhline(guess, color="black", ls="--", label=f"guessing: log 11 = {guess:.2f}")
    axes.set(xlabel="Step of training", ylabel="Loss of the answer")
    axes.set(title="Learning to sort", yscale="log", xlim=(0, len(losses)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(file, dpi=150)


# %% [markdown]
# Train it. This takes less than half a minute. In a
# notebook run the next cell; in a terminal call `make run`, which leaves the
# picture in `transformer_loss.png`, beside your file.
#
# What to see: at the first step the loss is near the dashed line, that of
# guessing among 11 tokens. Then it falls, and the curve is drawn on a
# logarithmic scale: each mark is a tenth of the one above. A loss of 0.001
# means that the right token has a probability of about 0.999.

# %%
if __name__ == "__main__":
    torch.manual_seed(0)
    torch.set_num_threads(1)  # in so small a model several would wait for each other
    n = 8
    model = TinyTransformer(SEPARATOR + 1, 2 * n, dim_h=64, nr_heads=4, n_layers=2)
    print(f"Before training {accuracy(model, n):.2%} of 2000 new sequences are sorted.")
    losses = train(model, n)
    print_examples(model, n)
    print(f"After training {accuracy(model, n):.2%} of 2000 new sequences are sorted.")
    draw_losses(losses, "transformer_loss.png")

# %% [markdown]
# ## What it looks at
#
# How does it sort? The weights of a head show where it looks. They can be read
# off without a look into your code: replace the value of token j by a vector
# that is 1 in place j and 0 elsewhere. The average of such values, taken with
# the weights of a query, is the row of weights itself.
#
# The picture shows one head: the one, of all in the model, that looks most at
# the digit that is to be written next. The lower half of the rows is the
# writing of the answer, and their labels say which digit comes next. Where
# that digit stands among the eight, the cell has a frame.
#
# What to see: the upper triangle is empty, for nobody looks ahead. In the
# lower half most of the weight lies in the frames: this head looks for the
# digit that comes next. It is one of eight heads, so it need not be right in
# every row.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
#
#
# def attention_weights(block, nr_heads, idx):
#     """The weights (H, T, T) of a block's heads, for one sequence (1, T)."""
#     attention, T = block.attn, idx.shape[1]
#     dim_h = attention.to_out.in_features
#     d = dim_h // nr_heads
#     assert d >= T, "a head needs as many features as there are tokens"
#     mixed = []
#
#     def name_the_values(layer, arguments, packed):
#         names = torch.eye(T, d).repeat(1, nr_heads)  # unit vector j for token j
#         return torch.cat([packed[..., : 2 * dim_h], names[None]], dim=-1)
#
#     def keep(layer, arguments):
#         mixed.append(arguments[0])
#
#     hooks = [
#         attention.to_qkv.register_forward_hook(name_the_values),
#         attention.to_out.register_forward_pre_hook(keep),
#     ]
#     with torch.no_grad():
#         model(idx)
#     for hook in hooks:
#         hook.remove()
#     return mixed[0][0].unflatten(1, (nr_heads, d)).transpose(0, 1)[..., :T]
#
#
# digits = torch.tensor([7, 2, 9, 0, 3, 5, 1, 6])
# sequence = torch.cat([digits, torch.tensor([SEPARATOR]), digits.sort().values])
# idx = sequence[None, :-1]
# heads = torch.cat([attention_weights(block, 4, idx) for block in model.blocks])
# is_next = torch.zeros(2 * n, 2 * n, dtype=torch.bool)
# is_next[n:, :n] = sequence[n + 1 :, None] == digits
# best = (heads * is_next).sum(dim=(1, 2)).argmax().item()
# weights = heads[best]
#
# tokens = as_text(sequence).split()
# rows = tokens[:n] + [f"{tokens[i]}  (next: {tokens[i + 1]})" for i in range(n, 2 * n)]
# figure, axes = plt.subplots(figsize=(7.5, 6), layout="constrained")
# image = axes.imshow(weights, cmap="cividis", vmin=0, vmax=1)
# for i, j in (weights >= 0.1).nonzero().tolist():
#     color = "white" if weights[i, j] < 0.5 else "black"
#     text = f"{weights[i, j]:.1f}"
#     axes.text(j, i, text, ha="center", va="center", fontsize=9, color=color)
# for i, j in is_next.nonzero().tolist():
#     corner = (j - 0.45, i - 0.45)
#     axes.add_patch(plt.Rectangle(corner, 0.9, 0.9, fill=False, color="white", lw=1.5))
# axes.set_xticks(range(2 * n), tokens[:-1])
# axes.set_yticks(range(2 * n), rows)
# axes.set_xlabel("Key: the token that is looked at")
# axes.set_ylabel("Query: the token that looks")
# axes.set_title(f"Attention weights of block {best // 4}, head {best % 4}")
# figure.colorbar(image, label="Weight", shrink=0.8)
# plt.show()
