"""Wrong solutions of normalization, as students write them."""

from autograder.misconceptions import Hint, Misconception

BATCH_STATS_IN_EVAL = Hint(
    look=(
        "Set training to False and give the layer three examples. Change only the last one and "
        "call it again. Do the outputs of the first two change?"
    ),
    think=(
        "In evaluation an example should get the same answer whatever company it is in. Which "
        "numbers has the layer kept for this?"
    ),
    nearly=(
        "Look at where evaluation gets its mean and its variance, each in turn. Does one of them, "
        "or do both, still come from x?"
    ),
)

NOT_ONE_ROOT = Hint(
    look=(
        "Normalise [[2., 4, 6], [4, 6, 2], [6, 2, 4]]: in every row and every column the variance "
        "is 4. How large is the largest number of the output, and how large should it be?"
    ),
    think=(
        "If the numbers are metres, a variance is in square metres, and one root leads back to "
        "metres. How many roots are there on the way to your divisor?"
    ),
    nearly=(
        "Look at what you divide by. `var` and `std` differ by a root: which of them do you call, "
        "and what do you do with it afterwards?"
    ),
)

AFFINE_UNUSED = Hint(
    look=(
        "Fill gamma with 10 and call the layer. Then fill beta with 1 and call it again. After "
        "which of these two changes does the output change?"
    ),
    think=(
        "With gamma and beta, training can give each feature another size and another place. "
        "Where does each of them come into the formula?"
    ),
    nearly=(
        "Compare the last step of your __call__ with the formula. Do both gamma and beta stand in "
        "what you return?"
    ),
)

RUNNING_VAR_OTHER = Hint(
    look=(
        "Give a layer with eps=0.5 and momentum=1.0 the column 2, 4, 6 and print running_var. The "
        "variance is 4. What do you get?"
    ),
    think=(
        "With momentum 1 only the new batch counts, so the variance should be kept as it is. "
        "Getting 2 means its root, 2.6667 the biased variance, 4.5 eps in it."
    ),
    nearly=(
        "Compare what goes into the update of running_var with the variance that you use to "
        "normalise. What has been done to one of them, and not to the other?"
    ),
)

PARAMS_NUMBER = Hint(
    look=(
        "Print len(layer.parameters()), and then its entries. Which of your layer's tensors is "
        "each one?"
    ),
    think=(
        "An optimiser changes everything in this list and nothing else. Which tensors should be "
        "found by training?"
    ),
    nearly=(
        "The statement says what `parameters()` returns. Compare it with your list: is something "
        "missing, or is there something too much?"
    ),
)

IN_PLACE = Hint(
    look=(
        "Keep a clone of x, call the layer on x, and compare x with the clone. Are they still "
        "equal?"
    ),
    think=(
        "x belongs to whoever called your layer and may be needed again, for example by another "
        "layer. May yours write into it?"
    ),
    nearly=(
        "Operators such as -=, assignments into a piece of x and methods whose names end in an "
        "underscore write into the tensor itself. Look for such a step. A new tensor should take "
        "the result."
    ),
)

DETACHED = Hint(
    look=(
        "Let x be [[2., 4, 6], [4, 6, 2], [6, 2, 4]] with requires_grad_(). Call backward on "
        "output[0, 0] and add up x.grad * x. Is the sum 0?"
    ),
    think=(
        "If you double x, its means and roots double too, and the output stays. So the gradient "
        "in that direction should be 0. By which paths does x reach the output?"
    ),
    nearly=(
        "x comes in three times: as itself, through the mean and through the variance. Look for "
        "something that cuts a path off, such as `detach` or `no_grad`."
    ),
)

BIASED = Hint(
    look=(
        "Normalise [[2., 4, 6], [4, 6, 2], [6, 2, 4]]: every row and every column holds 2, 4 and "
        "6. Which of the two lines for 2, 4, 6 in the statement do you get?"
    ),
    think=(
        "There are two kinds of variance of n numbers, and they differ in what the sum is divided "
        "by. Which kind does this kit use?"
    ),
    nearly=(
        "Look at the variance that you normalise with, and at what it divides by. For `var`, the "
        "argument `correction` decides that."
    ),
)

STD_PLUS_EPS = Hint(
    look=(
        "Make a layer with eps=0.5 and normalise [[2., 4, 6], [4, 6, 2], [6, 2, 4]], where every "
        "variance is 4. Work out the largest number by hand too. Do you agree?"
    ),
    think=(
        "The order matters: the root of 4.5 is not the root of 4, plus 0.5. Which of the two does "
        "the formula ask for?"
    ),
    nearly=(
        "Look at the place where your root ends. What stands inside it, and what comes only after "
        "it?"
    ),
)

EPS_HARD_CODED = Hint(
    look=(
        "Normalise the same small table with eps=1e-5 and with eps=0.5. Do the two outputs differ?"
    ),
    think=(
        "Whoever makes the layer chooses eps. How does this choice get from __init__ to the root "
        "in __call__?"
    ),
    nearly=(
        "Look at the small number that you add inside the root. Does it come from the layer's "
        "argument, or is it written down there?"
    ),
)

NO_EPS = Hint(
    look=(
        "Normalise a table with three rows and three columns in which every number is 3. What "
        "comes out?"
    ),
    think=(
        "Equal numbers have the variance 0. What is 0 divided by 0, and which part of the formula "
        "protects you from it?"
    ),
    nearly=(
        "eps is among the arguments and in the formula. Look for it at the place where you take "
        "the root."
    ),
)

EPS_AFTER = Hint(
    look=(
        "Normalise [[2., 4, 6], [4, 6, 2], [6, 2, 4]] with eps=0.5 and add up all numbers of the "
        "output. Is the sum 0?"
    ),
    think="eps is there to keep the divisor away from 0. Should it shift the results as well?",
    nearly=(
        "Division comes before addition unless brackets say otherwise. Look at what exactly you "
        "divide by, and at what is added when the division is already done."
    ),
)

EPS_DEFAULT = Hint(
    look=(
        "Make a layer without naming eps and another one with eps=1e-5. Give both a table of "
        "small numbers, between 0 and 0.1. Do they agree?"
    ),
    think=(
        "eps should be too small to matter beside a usual variance. How does yours compare with "
        "the variance of such small numbers?"
    ),
    nearly=(
        "Your formula is fine. Look at the head of __init__: which value stands there for eps, "
        "and which did the notebook give you?"
    ),
)

CLAMPED = Hint(
    look=(
        "Normalise [[2., 4, 6], [4, 6, 2], [6, 2, 4]], where every variance is 4, with eps=1e-5 "
        "and with eps=0.5. Do the two outputs differ?"
    ),
    think=(
        "In the formula eps is always a part of what stands under the root, not only when the "
        "variance is tiny. Is it so in your code?"
    ),
    nearly=(
        "Look at how you bring variance and eps together. The formula does not treat eps as a "
        "lower bound."
    ),
)

WRONG_DIRECTION = Hint(
    look=(
        "Normalise a small table of random numbers. Add up each row of the output, and then each "
        "column. Which of the sums are 0?"
    ),
    think=(
        "BatchNorm1d gives every feature, a column, the mean 0. LayerNorm1d does so for every "
        "example, a row. Which of them are you writing?"
    ),
    nearly=(
        "`dim` names the direction along which numbers are taken together. Look at it in your "
        "mean and in your variance."
    ),
)

WRONG_GROUPS = Hint(
    look=(
        "Take an x with 4 examples and 3 features, and print the shapes of your mean and of your "
        "variance. How many numbers does each of them hold?"
    ),
    think=(
        "In BatchNorm1d every feature has a mean and a variance of its own, in LayerNorm1d every "
        "example has. How many of each do you need?"
    ),
    nearly=(
        "Look at the direction in both calls, `mean` and `var`. Without one they take the whole "
        "table together, and both should describe the same numbers."
    ),
)

NO_CENTER = Hint(
    look="Normalise a table of positive numbers. Is there any negative number in the output?",
    think=(
        "Normalising does two things to numbers: it shifts them and it stretches them. Which of "
        "the two has your layer done?"
    ),
    nearly=(
        "Compare what stands above the fraction bar in the formula with what you divide in your "
        "code."
    ),
)

MOMENTUM_UNUSED = Hint(
    look=(
        "Give the same batch to two new layers, one with momentum=0.1 and one with momentum=0.5. "
        "Do their running means differ afterwards?"
    ),
    think=(
        "Whoever makes the layer chooses how fast it forgets. How does this choice reach your "
        "update?"
    ),
    nearly=(
        "Look at the weight that a new batch gets in the update. Where does this number come "
        "from, and where is momentum?"
    ),
)

NEVER_UPDATED = Hint(
    look=(
        "Print running_mean and running_var of a new layer, give it a batch such as 2, 4, 6, and "
        "print them again. Which of the two have changed?"
    ),
    think=(
        "Evaluation will need both of them. Where must a number be kept so that it is still there "
        "when __call__ has ended?"
    ),
    nearly=(
        "Look at the updates of mean and variance in turn. Does the batch come into each, and "
        "does each result land in an attribute of the layer?"
    ),
)

GAMMA_START = Hint(
    look=(
        "Print gamma of a new layer. Then normalise 2, 4, 6 (as a column for BatchNorm1d, as a "
        "row for LayerNorm1d). Do you get -1, 0, 1?"
    ),
    think=(
        "Before any training, gamma should change nothing. By which number can you multiply so "
        "that everything stays as it is?"
    ),
    nearly=(
        "Look at what gamma is filled with in __init__. The statement names the starting values."
    ),
)

SIZES = Hint(
    look=(
        "Make a layer for 5 features and another one for 7, and print the shape of every tensor "
        "they hold. What changes from one to the other?"
    ),
    think=(
        "Each of these tensors needs one number for every feature. Who tells the layer how many "
        "features there are?"
    ),
    nearly=(
        "Look at the sizes that you hand to `torch.ones` and `torch.zeros` in __init__. Do they "
        "follow the argument `dim`?"
    ),
)

AFFINE_FIRST = Hint(
    look=(
        "Fill gamma with 10 and beta with 1 and call the layer in training. Does the output "
        "change, and should it?"
    ),
    think=(
        "Normalising takes away any shift and stretch that came before it. What becomes of gamma "
        "and beta in your order of steps?"
    ),
    nearly=(
        "Look at which numbers gamma and beta are applied to in your __call__: those that come "
        "in, or those that are normalised?"
    ),
)

AFFINE_SWAPPED = Hint(
    look=(
        "Call a new layer, in which gamma is all 1 and beta all 0, on two different tables. What "
        "do the outputs look like?"
    ),
    think=(
        "One of the two stretches, the other one shifts. Which of them starts with a number that "
        "changes nothing when you multiply by it?"
    ),
    nearly="Look at your last step: which of gamma and beta multiplies there, and which is added?",
)

BETA_FIRST = Hint(
    look=(
        "Fill gamma with 10 and beta with 1 and normalise [[2., 4, 6], [4, 6, 2], [6, 2, 4]]. "
        "What comes out for the 4s, whose normalised value is 0?"
    ),
    think="Stretching leaves a 0 where it is, and then it is shifted by beta. Where should it end?",
    nearly=(
        "Look at the brackets of your last step. What does gamma multiply, and should beta be "
        "part of it?"
    ),
)

CUT_OFF = Hint(
    look=(
        "Call layer.gamma.requires_grad_(), call the layer on a small table, and print "
        "requires_grad of the output. What does it say?"
    ),
    think=(
        "Training changes gamma and beta by gradients that flow back from the output. Is their "
        "path whole?"
    ),
    nearly=(
        "Look at your last step for something that leaves gradients behind, such as `detach`, "
        "`data` or `no_grad`, on gamma and beta or on the result."
    ),
)

PARAMS_COPIED = Hint(
    look=(
        "Go through layer.parameters() in a loop and print each entry, and whether it `is "
        "layer.gamma` or `is layer.beta`. What does the loop hand out?"
    ),
    think=(
        "An optimiser turns the knobs that it is handed. Are these the knobs that your layer "
        "computes with?"
    ),
    nearly=(
        "Look at what `parameters` returns. It should be a list, and its two entries the very "
        "tensors of the layer: neither copies of them nor their names."
    ),
)

SQUEEZED = Hint(
    look=(
        "Give the layer a table of shape (1, 5), for BatchNorm1d with training False. What is the "
        "shape of the output?"
    ),
    think=(
        "A table of shape (N, dim) must give one of shape (N, dim), for N = 1 too. Which "
        "operation makes dimensions of size 1 vanish?"
    ),
    nearly=(
        "Look for a `squeeze`, or for an index that takes a dimension away, first at the very "
        "end, when gamma and beta are done. Is that step needed?"
    ),
)

FLOAT32_OUT = Hint(
    look=(
        "Give the layer a table in float64, made with x.double(), and print the dtype of the "
        "output. Is it the one that went in?"
    ),
    think=(
        "Whoever calls the layer chooses how fine the numbers are. When float32 and float64 meet, "
        "PyTorch keeps the finer one, so where does it get lost?"
    ),
    nearly="Look for a step in your __call__ that names a dtype or converts numbers.",
)

AFFINE_TOO_EARLY = Hint(
    look=(
        "Fill beta with 1 and call the layer on numbers between 0 and 1, and on the same numbers "
        "times 100. By how much does beta shift the output each time?"
    ),
    think=(
        "beta is to shift what is normalised by the same amount, whatever the scale of the input "
        "was. What is done to it in your order of steps?"
    ),
    nearly=(
        "Look at which numbers gamma and beta meet in your __call__: has the division by the "
        "root already taken place there?"
    ),
)

MEAN_DISTANCE_AS_DIVISOR = Hint(
    look=(
        "Normalise [[2., 4, 6], [4, 6, 2], [6, 2, 4]]. The statement has -1, 0 and 1 for 2, 4, "
        "6; what are yours, and by which number have the distances from the mean been divided?"
    ),
    think=(
        "The distances from the mean are 2, 0 and 2. Their mean is one measure of spread, the "
        "root of the mean of their squares another. Which of the two has the formula?"
    ),
    nearly=(
        "Look at how your measure of spread makes the distances positive: is each one squared, "
        "and is there a root over their sum?"
    ),
)

RUNNING_IN_TRAINING = Hint(
    look=(
        "Give a new layer, in training, the column 2, 4, 6. What are the mean and the "
        "standard deviation of its output?"
    ),
    think=(
        "After one batch the running averages know little about the feature. Which mean "
        "and variance belong to training, and what are the running ones kept for?"
    ),
    nearly=(
        "In training the running averages are only written, for later. Look at which mean "
        "and which variance your normalisation uses there."
    ),
)

MOMENTUM_OF_THE_OLD = Hint(
    look=(
        "Give a new layer the column 2, 4, 6 once, in training, and print running_mean. By hand "
        "it goes from 0 to 0.4. How far does yours go?"
    ),
    think=(
        "momentum is the weight of the new batch, and 0.1 unless the caller says otherwise. "
        "Which weight did the new batch get from you?"
    ),
    nearly=(
        "Look at two places: the default of momentum in the head of __init__, and what is "
        "multiplied by it in your update: the old average, or the numbers of the new batch?"
    ),
)

MEAN_STARTS_ELSEWHERE = Hint(
    look=("Make a new layer, set training to False at once and give it zeros. What is the output?"),
    think=(
        "Before any batch, evaluation should leave its input nearly as it is. Which mean has "
        "to be taken away for that?"
    ),
    nearly=(
        "Look at the starting values of the two running averages in __init__. They are not "
        "the same."
    ),
)

EPS_SQUARED = Hint(
    look=(
        "Make a layer with eps=0.5 and normalise [[2., 4, 6], [4, 6, 2], [6, 2, 4]], where "
        "every variance is 4. What stands under your root?"
    ),
    think=("eps is added to the variance as it is. With 1e-5, what is left of it in your code?"),
    nearly=("The root covers both the variance and eps. Is there any power under it?"),
)

BETA_SIGN = Hint(
    look="Fill beta with 1 and call a new layer. By how much has every number of the output moved, "
    "and in which direction?",
    think="beta shifts what is normalised. Which sign does it have in the formula?",
    nearly="Look at your last step: gamma is as it should be. What is done with beta?",
)

BETA_START = Hint(
    look="Print beta of a new layer. Then normalise 2, 4, 6 (as a column for BatchNorm1d, as a row "
    "for LayerNorm1d). Do you get -1, 0, 1?",
    think="Before any training, beta should change nothing. Which number can you add so that "
    "everything stays as it is?",
    nearly="Look at what beta is filled with in __init__. The statement names the starting values.",
)

ROOT_ABOVE = Hint(
    look="Normalise a table of random numbers, and the same table times 10. Is the second output "
    "100 times the first?",
    think="Normalising brings numbers of any size to one size. Does your root make large numbers "
    "smaller, or larger still?",
    nearly="Compare your line with the formula: on which side of the fraction bar does the root "
    "stand?",
)

SUM_FOR_MEAN = Hint(
    look="Normalise 2, 4, 6 (as a column for BatchNorm1d, as a row for LayerNorm1d), and print the "
    "variance that you find. By hand it is 4.",
    think="A variance is a kind of average of squares. You add up the squares; what makes an "
    "average of a sum?",
    nearly="Look at your variance: the sum of the squares is there. By which number does the "
    "formula divide it?",
)

EXAMPLES_COUNTED = Hint(
    look="Normalise the row 2, 4, 6 alone, and then in a table of five such rows. Do you get the "
    "same?",
    think="In LayerNorm1d, a mean is taken over the features of one example. How many numbers go "
    "into it?",
    nearly="Print the number that you divide by, for 5 examples of 3 features. Which dimension of "
    "x does it come from?",
)

ARGUMENTS = Hint(
    look="Make a layer with two numbers after dim, without their names, and print its eps. Then "
    "make one with every argument by name. What goes wrong?",
    think="Whoever makes your layer knows the order and the names of the arguments from the "
    "statement. Does your __init__ keep to both?",
    nearly="Compare the first line of your __init__ with the one you were given, word by word.",
)

ONLY_CENTRED = Hint(
    look="Normalise the numbers 2, 4, 6 and then 20, 40, 60 (as a column for BatchNorm1d). Are the "
    "outputs of one size?",
    think="Normalising does two things: it shifts the numbers and it brings them to one size. "
    "Which of the two has your layer done?",
    nearly="Look at the formula: what stands below the fraction bar, and where is it in your code?",
)
GRAPH_KEPT = Hint(
    look=(
        "Give the layer a batch for which you have called requires_grad_(), and then print "
        "running_mean.requires_grad and running_var.requires_grad. What do they say?"
    ),
    think=(
        "The running averages are notes for later. What happens to the memory if each note stays "
        "tied to every batch it was made from?"
    ),
    nearly=(
        "Look at the lines that update running_mean and running_var. PyTorch can compute off the "
        "record, and the statement names two ways."
    ),
)

MISCONCEPTIONS: list[Misconception] = [
    Misconception(
        "momentum_reversed",
        "BatchNorm1d",
        "takes momentum for the weight of what is old",
        (("new = self.momentum", "new = 1 - self.momentum"),),
        hint=MOMENTUM_OF_THE_OLD,
    ),
    Misconception(
        "update_in_eval",
        "BatchNorm1d",
        "updates the running averages in evaluation too",
        (("if self.training:", "if True:"), ("else:", "if not self.training:")),
        hint=Hint(
            look=(
                "Set training to False and print running_mean. Give the layer a batch of three "
                "examples and print running_mean again. Is it still the same?"
            ),
            think=(
                "Evaluation is like an exam: the layer uses what it has learned. Should a "
                "question in the exam change what it knows?"
            ),
            nearly=(
                "Find the lines that update the running averages. In which of the two modes do "
                "they run now?"
            ),
        ),
    ),
    Misconception(
        "batch_stats_in_eval",
        "BatchNorm1d",
        "normalises with the batch's mean and variance in evaluation too",
        (
            ("mean = self.running_mean", "mean = x.mean(dim=0)"),
            ("var = self.running_var", "var = x.var(dim=0)"),
        ),
        hint=BATCH_STATS_IN_EVAL,
    ),
    Misconception(
        "running_in_train",
        "BatchNorm1d",
        "updates the running averages and normalises with them in training",
        (
            (
                "(x - mean) / torch.sqrt(var",
                "(x - self.running_mean) / torch.sqrt(self.running_var",
            ),
        ),
        hint=RUNNING_IN_TRAINING,
    ),
    Misconception(
        "old_running_in_train",
        "BatchNorm1d",
        "normalises with the running averages in training, before it updates them",
        (
            (
                (
                    "            mean = x.mean(dim=0)\n            var = x.var(dim=0)  # divides "
                    "by N - 1\n"
                ),
                "            mean, var = self.running_mean, self.running_var\n",
            ),
            ("new * mean", "new * x.mean(dim=0)"),
            ("new * var", "new * x.var(dim=0)"),
        ),
        hint=RUNNING_IN_TRAINING,
    ),
    Misconception(
        "var_not_sqrt",
        "BatchNorm1d",
        "divides by the variance, not by its root",
        (("torch.sqrt(var + self.eps)", "(var + self.eps)"),),
        hint=NOT_ONE_ROOT,
    ),
    Misconception(
        "mean_distance_divides",
        "BatchNorm1d",
        "divides by the mean distance from the mean, without squares and root",
        (
            ("x.var(dim=0)", "(x - mean).abs().mean(dim=0)"),
            ("torch.sqrt(var + self.eps)", "(var + self.eps)"),
        ),
        hint=MEAN_DISTANCE_AS_DIVISOR,
    ),
    Misconception(
        "no_affine",
        "BatchNorm1d",
        "gamma and beta have no effect on the output",
        (("return self.gamma * normalised + self.beta", "return normalised"),),
        hint=AFFINE_UNUSED,
    ),
    Misconception(
        "no_gamma",
        "BatchNorm1d",
        "gamma has no effect on the output",
        (("self.gamma * normalised + self.beta", "normalised + self.beta"),),
        hint=AFFINE_UNUSED,
    ),
    Misconception(
        "no_beta",
        "BatchNorm1d",
        "beta has no effect on the output",
        (("self.gamma * normalised + self.beta", "self.gamma * normalised"),),
        hint=AFFINE_UNUSED,
    ),
    Misconception(
        "stores_std",
        "BatchNorm1d",
        "averages the standard deviation in running_var",
        (("new * var", "new * var.sqrt()"),),
        hint=RUNNING_VAR_OTHER,
    ),
    Misconception(
        "graph_kept",
        "BatchNorm1d",
        "the running averages stay tied to a graph of gradients",
        (
            (
                "            with torch.no_grad():\n                self.running_mean",
                "            self.running_mean",
            ),
            ("                self.running_var = (1", "            self.running_var = (1"),
        ),
        hint=GRAPH_KEPT,
    ),
    Misconception(
        "momentum_default",
        "BatchNorm1d",
        "the usual momentum is 0.9",
        (("momentum: float = 0.1", "momentum: float = 0.9"),),
        hint=MOMENTUM_OF_THE_OLD,
    ),
    Misconception(
        "params_all",
        "BatchNorm1d",
        "lists the running averages among the parameters",
        (
            (
                "return [self.gamma, self.beta]",
                "return [self.gamma, self.beta, self.running_mean, self.running_var]",
            ),
        ),
        hint=PARAMS_NUMBER,
    ),
    Misconception(
        "params_all_detached",
        "BatchNorm1d",
        "lists the running averages among the parameters",
        (
            (
                "return [self.gamma, self.beta]",
                "return [self.gamma, self.beta, self.running_mean, self.running_var]",
            ),
            (
                "            with torch.no_grad():\n"
                "                self.running_mean = (1 - new) * self.running_mean + new * mean",
                "            self.running_mean = (1 - new) * self.running_mean + new * "
                "mean.detach()",
            ),
            (
                "                self.running_var = (1 - new) * self.running_var + new * var",
                "            self.running_var = (1 - new) * self.running_var + new * var.detach()",
            ),
        ),
        hint=PARAMS_NUMBER,
    ),
    Misconception(
        "in_place",
        "BatchNorm1d",
        "changes the tensor that it is given",
        (("normalised = (x - mean)", "x -= mean\n        normalised = x"),),
        hint=IN_PLACE,
    ),
    Misconception(
        "detached_stats",
        "BatchNorm1d",
        "cuts the batch's mean and variance off from the gradient",
        (("= x.mean(dim=0)", "= x.detach().mean(dim=0)"), ("x.var(", "x.detach().var(")),
        hint=DETACHED,
    ),
    Misconception(
        "detached_var",
        "BatchNorm1d",
        "lets gradients flow through the mean, but not through the variance",
        (("x.var(", "x.detach().var("),),
        hint=DETACHED,
    ),
    Misconception(
        "detached_mean",
        "BatchNorm1d",
        "lets gradients flow through the variance, but not through the mean",
        (("= x.mean(dim=0)", "= x.detach().mean(dim=0)"),),
        hint=DETACHED,
    ),
    Misconception(
        "biased",
        "BatchNorm1d",
        "divides by N in the variance, everywhere",
        (("x.var(dim=0)", "x.var(dim=0, correction=0)"),),
        hint=BIASED,
    ),
    Misconception(
        "as_pytorch",
        "BatchNorm1d",
        "normalises with the biased variance and keeps the unbiased one, as nn.BatchNorm1d",
        (("x.var(dim=0)", "x.var(dim=0, correction=0)"), ("new * var", "new * x.var(dim=0)")),
        hint=BIASED,
    ),
    Misconception(
        "biased_running",
        "BatchNorm1d",
        "keeps the biased variance, though it normalises with the unbiased one",
        (("new * var", "new * x.var(dim=0, correction=0)"),),
        hint=RUNNING_VAR_OTHER,
    ),
    Misconception(
        "std_plus_eps",
        "BatchNorm1d",
        "adds eps to the root, not under it",
        (("torch.sqrt(var + self.eps)", "(torch.sqrt(var) + self.eps)"),),
        hint=STD_PLUS_EPS,
    ),
    Misconception(
        "eps_hard_coded",
        "BatchNorm1d",
        "adds 1e-5 whatever eps is given",
        (("var + self.eps", "var + 1e-5"),),
        hint=EPS_HARD_CODED,
    ),
    Misconception(
        "no_eps",
        "BatchNorm1d",
        "leaves eps out, so that a feature that never changes gives NaN",
        (("var + self.eps", "var"),),
        hint=NO_EPS,
    ),
    Misconception(
        "eps_after",
        "BatchNorm1d",
        "adds eps to the quotient, not under the root",
        (("torch.sqrt(var + self.eps)", "torch.sqrt(var) + self.eps"),),
        hint=EPS_AFTER,
    ),
    Misconception(
        "eps_squared",
        "BatchNorm1d",
        "squares eps before adding it to the variance",
        (("var + self.eps", "var + self.eps**2"),),
        hint=Hint(
            look=(
                "Normalise the column 2, 4, 6 with eps=0.5. Divide 2 by the largest number of the "
                "output and square the result: this stood under your root. What is it?"
            ),
            think=(
                "4 of it is the variance, so the rest came from eps, which was 0.5. What has your "
                "code done to eps?"
            ),
            nearly=(
                "Look at eps inside the root. The formula adds it in the size in which it was "
                "given."
            ),
        ),
    ),
    Misconception(
        "eps_default",
        "BatchNorm1d",
        "the usual eps is 1e-3",
        (("eps: float = 1e-5", "eps: float = 1e-3"),),
        hint=EPS_DEFAULT,
    ),
    Misconception(
        "eps_stored",
        "BatchNorm1d",
        "averages the variance with eps already in it, and adds it again in evaluation",
        (("new * var", "new * (var + self.eps)"),),
        hint=RUNNING_VAR_OTHER,
    ),
    Misconception(
        "eps_in_train_only",
        "BatchNorm1d",
        "leaves eps out in evaluation",
        (("var + self.eps", "var + self.eps * self.training"),),
        hint=Hint(
            look=(
                "Make a new layer with eps=0.5, set training to False and give it the single "
                "number 3. Its running mean is 0, its running variance 1. What does the formula "
                "give, and what does your layer?"
            ),
            think=(
                "Both modes use one formula, with other means and variances. Why might a running "
                "variance need eps too?"
            ),
            nearly=(
                "Look at the root as it is taken when training is False. What is left of eps there?"
            ),
        ),
    ),
    Misconception(
        "clamped",
        "BatchNorm1d",
        "takes eps for the least variance that is allowed",
        (("var + self.eps", "var.clamp(min=self.eps)"),),
        hint=CLAMPED,
    ),
    Misconception(
        "sqrt_std",
        "BatchNorm1d",
        "takes the root of the standard deviation",
        (("x.var(", "x.std("),),
        hint=NOT_ONE_ROOT,
    ),
    Misconception(
        "rows",
        "BatchNorm1d",
        "normalises each example over its features, as LayerNorm does",
        (
            ("= x.mean(dim=0)", "= x.mean(dim=1, keepdim=True)"),
            ("x.var(dim=0)", "x.var(dim=1, keepdim=True)"),
        ),
        hint=WRONG_DIRECTION,
    ),
    Misconception(
        "all_dims",
        "BatchNorm1d",
        "one mean and one variance for all features together",
        (("= x.mean(dim=0)", "= x.mean()"), ("x.var(dim=0)", "x.var()")),
        hint=WRONG_GROUPS,
    ),
    Misconception(
        "one_variance",
        "BatchNorm1d",
        "every feature has its mean, but all have one variance",
        (("x.var(dim=0)", "x.var()"),),
        hint=WRONG_GROUPS,
    ),
    Misconception(
        "no_center",
        "BatchNorm1d",
        "does not subtract the mean",
        (("(x - mean)", "x"),),
        hint=NO_CENTER,
    ),
    Misconception(
        "centered_in_train_only",
        "BatchNorm1d",
        "subtracts the mean of the batch at hand in evaluation too",
        (("mean = self.running_mean", "mean = x.mean(dim=0)"),),
        hint=BATCH_STATS_IN_EVAL,
    ),
    Misconception(
        "batch_var_in_eval",
        "BatchNorm1d",
        "divides by the root of the variance of the batch at hand in evaluation too",
        (("var = self.running_var", "var = x.var(dim=0)"),),
        hint=BATCH_STATS_IN_EVAL,
    ),
    Misconception(
        "adds_up",
        "BatchNorm1d",
        "adds to the running averages and never lets the old ones fade",
        (
            ("(1 - new) * self.running_mean", "self.running_mean"),
            ("(1 - new) * self.running_var", "self.running_var"),
        ),
        hint=Hint(
            look=(
                "Give the layer the same batch 50 times, with the column 2, 4, 6, and print "
                "running_mean now and then. Does it come to rest at 4?"
            ),
            think=(
                "An average never leaves the range of the numbers it is made of. When something "
                "new comes in with a weight, what must happen to the old?"
            ),
            nearly=(
                "In the update two weights must add up to 1. Which weight has the old running "
                "average in your code?"
            ),
        ),
    ),
    Misconception(
        "last_batch",
        "BatchNorm1d",
        "remembers the last batch only",
        (("new = self.momentum", "new = 1.0"),),
        hint=MOMENTUM_UNUSED,
    ),
    Misconception(
        "momentum_hard_coded",
        "BatchNorm1d",
        "uses 0.1 whatever momentum is given",
        (("new = self.momentum", "new = 0.1"),),
        hint=MOMENTUM_UNUSED,
    ),
    Misconception(
        "mean_of_batches",
        "BatchNorm1d",
        "averages over all batches alike, without momentum",
        (
            ("new = self.momentum", "self.seen += 1\n            new = 1 / self.seen"),
            ("self.training = True", "self.training = True\n        self.seen = 0"),
        ),
        hint=MOMENTUM_UNUSED,
    ),
    Misconception(
        "first_batch_as_start",
        "BatchNorm1d",
        "lets the first batch set the running averages outright",
        (
            (
                "new = self.momentum",
                "new = 1.0 if self.first else self.momentum\n            self.first = False",
            ),
            ("self.training = True", "self.training = True\n        self.first = True"),
        ),
        hint=Hint(
            look=(
                "Give a new layer with momentum=0.1 the column 2, 4, 6, and then 12, 14, 16. How "
                "far does running_mean move each time, and is it the same part of the way?"
            ),
            think=(
                "The running averages have fixed starting values, and every batch pulls at them "
                "with the same weight. Is the first batch a batch like any other for your layer?"
            ),
            nearly=(
                "Look for a step that treats the first call in a special way. The rule in the "
                "statement knows no such case."
            ),
        ),
    ),
    Misconception(
        "var_never_updated",
        "BatchNorm1d",
        "updates the running mean, but not the running variance",
        (("(1 - new) * self.running_var + new * var", "self.running_var"),),
        hint=NEVER_UPDATED,
    ),
    Misconception(
        "never_updated",
        "BatchNorm1d",
        "the running averages never change",
        (
            ("self.running_mean = (1", "running_mean = (1"),
            ("self.running_var = (1", "running_var = (1"),
        ),
        hint=NEVER_UPDATED,
    ),
    Misconception(
        "var_about_running",
        "BatchNorm1d",
        "keeps the squared distances from the running mean, not from the batch's",
        (("new * var", "new * ((x - self.running_mean) ** 2).sum(dim=0) / (len(x) - 1)"),),
        hint=Hint(
            look=(
                "Give one new layer the column 2, 4, 6 and another new layer the column 102, 104, "
                "106. The variance is 4 both times. Do their running variances agree?"
            ),
            think=(
                "A variance measures how far numbers lie from their own mean. From which mean do "
                "you measure?"
            ),
            nearly=(
                "Look at the variance that goes into the update. You have already computed one "
                "for this batch in order to normalise it."
            ),
        ),
    ),
    Misconception(
        "output_averaged",
        "BatchNorm1d",
        "keeps the mean and variance of what it has already normalised",
        (
            ("new * mean", "new * ((x - mean) / torch.sqrt(var + self.eps)).mean(dim=0)"),
            ("new * var", "new * ((x - mean) / torch.sqrt(var + self.eps)).var(dim=0)"),
        ),
        hint=Hint(
            look=(
                "Give a new layer some batches of numbers around 100, and print running_mean "
                "after each. Does it move towards 100?"
            ),
            think=(
                "In evaluation the layer must shift and stretch raw numbers. Does it help to "
                "remember that normalised numbers have mean 0 and variance 1?"
            ),
            nearly=(
                "Look at what you average into the running mean and variance. Is it taken from x "
                "as it came in, or from what you have made of x?"
            ),
        ),
    ),
    Misconception(
        "always_training",
        "BatchNorm1d",
        "works as in training, whatever training says",
        (("if self.training:", "if True:"),),
        hint=Hint(
            look=(
                "Give a layer the same batch twice, with training True and with training False. "
                "Do the outputs differ? Then give it a single example with training False."
            ),
            think=(
                "A single example has no variance, and still it should get an answer. Where can "
                "mean and variance come from then?"
            ),
            nearly=(
                "There should be two ways through your __call__. Look at what decides between "
                "them: does it ask the attribute `training`?"
            ),
        ),
    ),
    Misconception(
        "mode_inverted",
        "BatchNorm1d",
        "takes the batch's numbers when training is False, the running ones when it is True",
        (("if self.training:", "if not self.training:"),),
        hint=Hint(
            look=(
                "Give a new layer the column 2, 4, 6, with training True and then with training "
                "False. In which of the two is the mean of the output 0?"
            ),
            think=(
                "In one mode the layer looks at the batch, in the other it relies on its memory. "
                "Which is which?"
            ),
            nearly=(
                "The two ways through your code are fine. Look at the condition that chooses "
                "between them."
            ),
        ),
    ),
    Misconception(
        "starts_in_eval",
        "BatchNorm1d",
        "training is False at first",
        (("self.training = True", "self.training = False"),),
        hint=Hint(
            look=(
                "Call a new layer on the column 2, 4, 6 without setting anything. Is the mean of "
                "the output 0? Print layer.training too."
            ),
            think=(
                "A new layer has seen nothing, so its running averages know nothing yet. In which "
                "mode can it work at first?"
            ),
            nearly=(
                "Look at the attributes that you make in __init__. Which value does the one for "
                "the mode get?"
            ),
        ),
    ),
    Misconception(
        "var_starts_at_zero",
        "BatchNorm1d",
        "the running variance starts as zeros",
        (("self.running_var = torch.ones(dim)", "self.running_var = torch.zeros(dim)"),),
        hint=Hint(
            look=(
                "Make a new layer, set training to False at once and give it the single number 3. "
                "How large is the output?"
            ),
            think=(
                "Before the first batch, evaluation should leave numbers almost as they are. "
                "Dividing by the root of which variance changes nothing?"
            ),
            nearly=(
                "Look at the starting values of the two running averages in __init__. They are "
                "not the same."
            ),
        ),
    ),
    Misconception(
        "gamma_random",
        "BatchNorm1d",
        "gamma starts as random numbers",
        (("self.gamma = torch.ones(dim)", "self.gamma = torch.rand(dim)"),),
        hint=GAMMA_START,
    ),
    Misconception(
        "gamma_zeros",
        "BatchNorm1d",
        "gamma starts as zeros",
        (("self.gamma = torch.ones(dim)", "self.gamma = torch.zeros(dim)"),),
        hint=GAMMA_START,
    ),
    Misconception(
        "scalar_affine",
        "BatchNorm1d",
        "one gamma and one beta for all features",
        (
            ("self.gamma = torch.ones(dim)", "self.gamma = torch.ones(1)"),
            ("self.beta = torch.zeros(dim)", "self.beta = torch.zeros(1)"),
        ),
        hint=SIZES,
    ),
    Misconception(
        "hard_coded",
        "BatchNorm1d",
        "takes a fixed number of features for granted, such as the example's 100",
        (
            ("self.gamma = torch.ones(dim)", "self.gamma = torch.ones(100)"),
            ("self.beta = torch.zeros(dim)", "self.beta = torch.zeros(100)"),
            ("self.running_mean = torch.zeros(dim)", "self.running_mean = torch.zeros(100)"),
            ("self.running_var = torch.ones(dim)", "self.running_var = torch.ones(100)"),
        ),
        hint=SIZES,
    ),
    Misconception(
        "affine_first",
        "BatchNorm1d",
        "applies gamma and beta before normalising, in training and in evaluation",
        (
            ("if self.training:", "x = self.gamma * x + self.beta\n        if self.training:"),
            ("return self.gamma * normalised + self.beta", "return normalised"),
        ),
        hint=AFFINE_FIRST,
    ),
    Misconception(
        "affine_before_division",
        "BatchNorm1d",
        "applies gamma and beta between subtracting the mean and dividing",
        (
            ("(x - mean) / torch.sqrt", "(self.gamma * (x - mean) + self.beta) / torch.sqrt"),
            ("return self.gamma * normalised + self.beta", "return normalised"),
        ),
        hint=AFFINE_TOO_EARLY,
    ),
    Misconception(
        "affine_swapped",
        "BatchNorm1d",
        "multiplies by beta and adds gamma",
        (("self.gamma * normalised + self.beta", "self.beta * normalised + self.gamma"),),
        hint=AFFINE_SWAPPED,
    ),
    Misconception(
        "beta_first",
        "BatchNorm1d",
        "adds beta before it multiplies by gamma",
        (("self.gamma * normalised + self.beta", "self.gamma * (normalised + self.beta)"),),
        hint=BETA_FIRST,
    ),
    Misconception(
        "no_affine_in_eval",
        "BatchNorm1d",
        "applies gamma and beta in training only",
        (
            (
                "return self.gamma * normalised + self.beta",
                "return self.gamma * normalised + self.beta if self.training else normalised",
            ),
        ),
        hint=Hint(
            look=(
                "Call the layer in training and in evaluation, before and after you fill gamma "
                "with 10. In which of the modes does the output become ten times as large?"
            ),
            think=(
                "Training has chosen gamma and beta with care, and what comes next relies on "
                "them. Would evaluation do well without them?"
            ),
            nearly=(
                "The modes differ only in where mean and variance come from. Look at what you "
                "return in each of them."
            ),
        ),
    ),
    Misconception(
        "affine_data",
        "BatchNorm1d",
        "cuts gamma and beta off from the gradient",
        (
            (
                "self.gamma * normalised + self.beta",
                "self.gamma.data * normalised + self.beta.data",
            ),
        ),
        hint=CUT_OFF,
    ),
    Misconception(
        "output_detached",
        "BatchNorm1d",
        "returns a result that is cut off from the gradient",
        (
            (
                "return self.gamma * normalised + self.beta",
                "return (self.gamma * normalised + self.beta).detach()",
            ),
        ),
        hint=CUT_OFF,
    ),
    Misconception(
        "params_copied",
        "BatchNorm1d",
        "parameters() lists other things than gamma and beta themselves",
        (("[self.gamma, self.beta]", "[self.gamma.clone(), self.beta.clone()]"),),
        hint=PARAMS_COPIED,
    ),
    Misconception(
        "params_dict",
        "BatchNorm1d",
        "parameters() lists other things than gamma and beta themselves",
        (("[self.gamma, self.beta]", '{"gamma": self.gamma, "beta": self.beta}'),),
        hint=PARAMS_COPIED,
    ),
    Misconception(
        "params_incomplete",
        "BatchNorm1d",
        "lists gamma only",
        (("[self.gamma, self.beta]", "[self.gamma]"),),
        hint=PARAMS_NUMBER,
    ),
    Misconception(
        "squeezed",
        "BatchNorm1d",
        "drops dimensions of size 1 from the result",
        (
            (
                "return self.gamma * normalised + self.beta",
                "return (self.gamma * normalised + self.beta).squeeze()",
            ),
        ),
        hint=SQUEEZED,
    ),
    Misconception(
        "float32_out",
        "BatchNorm1d",
        "returns float32 whatever it is given (float32 only)",
        (
            (
                "return self.gamma * normalised + self.beta",
                "return (self.gamma * normalised + self.beta).float()",
            ),
        ),
        hint=FLOAT32_OUT,
    ),
    Misconception(
        "mean_starts_at_one",
        "BatchNorm1d",
        "the running mean starts as ones",
        (("self.running_mean = torch.zeros(dim)", "self.running_mean = torch.ones(dim)"),),
        hint=MEAN_STARTS_ELSEWHERE,
    ),
    Misconception(
        "arguments_swapped",
        "BatchNorm1d",
        "takes momentum before eps",
        (("eps: float = 1e-5, momentum: float = 0.1", "momentum: float = 0.1, eps: float = 1e-5"),),
        hint=ARGUMENTS,
    ),
    Misconception(
        "momentum_renamed",
        "BatchNorm1d",
        "gives the argument momentum another name",
        (
            ("momentum: float", "alpha: float"),
            ("self.momentum = momentum", "self.momentum = alpha"),
        ),
        hint=ARGUMENTS,
    ),
    Misconception(
        "momentum_reversed_mean",
        "BatchNorm1d",
        "takes momentum for the weight of the old mean, not of the old variance",
        (
            (
                "self.running_mean = (1 - new) * self.running_mean + new * mean",
                "self.running_mean = new * self.running_mean + (1 - new) * mean",
            ),
        ),
        hint=MOMENTUM_OF_THE_OLD,
    ),
    Misconception(
        "momentum_reversed_var",
        "BatchNorm1d",
        "takes momentum for the weight of the old variance, not of the old mean",
        (
            (
                "self.running_var = (1 - new) * self.running_var + new * var",
                "self.running_var = new * self.running_var + (1 - new) * var",
            ),
        ),
        hint=MOMENTUM_OF_THE_OLD,
    ),
    Misconception(
        "eps_in_eval_only",
        "BatchNorm1d",
        "leaves eps out in training",
        (("var + self.eps", "var + self.eps * (not self.training)"),),
        hint=NO_EPS,
    ),
    Misconception(
        "rows_in_training",
        "BatchNorm1d",
        "normalises each example over its features in training, and keeps averages of the features",
        (
            ("mean = x.mean(dim=0)", "mean = x.mean(dim=1, keepdim=True)"),
            ("var = x.var(dim=0)", "var = x.var(dim=1, keepdim=True)"),
            ("new * mean", "new * x.mean(dim=0)"),
            ("new * var", "new * x.var(dim=0)"),
        ),
        hint=WRONG_DIRECTION,
    ),
    Misconception(
        "batch_stats_in_eval_of_many",
        "BatchNorm1d",
        "normalises several examples with their own mean and variance in evaluation too",
        (
            (
                "        else:\n",
                "        elif len(x) > 1:\n"
                "            mean, var = x.mean(dim=0), x.var(dim=0)\n"
                "        else:\n",
            ),
        ),
        hint=BATCH_STATS_IN_EVAL,
    ),
    Misconception(
        "graph_kept_mean",
        "BatchNorm1d",
        "the running mean stays tied to the graph of the batch",
        (
            (
                "            with torch.no_grad():\n"
                "                self.running_mean = (1 - new) * self.running_mean + "
                "new * mean\n"
                "                self.running_var = (1 - new) * self.running_var + "
                "new * var",
                "            self.running_mean = (1 - new) * self.running_mean + new "
                "* mean\n"
                "            with torch.no_grad():\n"
                "                self.running_var = (1 - new) * self.running_var + "
                "new * var",
            ),
        ),
        hint=GRAPH_KEPT,
    ),
    Misconception(
        "graph_kept_var",
        "BatchNorm1d",
        "the running variance stays tied to the graph of the batch",
        (
            (
                "                self.running_var = (1 - new) * self.running_var + new * var",
                "            self.running_var = (1 - new) * self.running_var + new * var",
            ),
        ),
        hint=GRAPH_KEPT,
    ),
    Misconception(
        "only_centers",
        "BatchNorm1d",
        "subtracts the mean and does not divide",
        (("(x - mean) / torch.sqrt(var + self.eps)", "x - mean"),),
        hint=ONLY_CENTRED,
    ),
    Misconception(
        "sum_of_squares",
        "BatchNorm1d",
        "takes the sum of the squared distances for the variance",
        (("x.var(dim=0)", "((x - mean) ** 2).sum(dim=0)"),),
        hint=SUM_FOR_MEAN,
    ),
    Misconception(
        "beta_subtracted",
        "BatchNorm1d",
        "subtracts beta",
        (("normalised + self.beta", "normalised - self.beta"),),
        hint=BETA_SIGN,
    ),
    Misconception(
        "in_place_no_grad",
        "BatchNorm1d",
        "changes the tensor that it is given",
        (
            (
                "normalised = (x - mean) / torch.sqrt(var + self.eps)",
                "with torch.no_grad():\n"
                "            x -= mean\n"
                "        normalised = x / torch.sqrt(var + self.eps)",
            ),
        ),
        hint=IN_PLACE,
    ),
    Misconception(
        "multiplied_by_root",
        "BatchNorm1d",
        "multiplies by the root where it should divide",
        (("(x - mean) / torch", "(x - mean) * torch"),),
        hint=ROOT_ABOVE,
    ),
    Misconception(
        "gamma_first",
        "BatchNorm1d",
        "multiplies by gamma before normalising",
        (
            ("if self.training:", "x = self.gamma * x\n        if self.training:"),
            ("return self.gamma * normalised + self.beta", "return normalised + self.beta"),
        ),
        hint=AFFINE_FIRST,
    ),
    Misconception(
        "beta_ones",
        "BatchNorm1d",
        "beta starts as ones",
        (("self.beta = torch.zeros(dim)", "self.beta = torch.ones(dim)"),),
        hint=BETA_START,
    ),
    Misconception(
        "eps_renamed",
        "BatchNorm1d",
        "gives the argument eps another name",
        (
            ("eps: float", "epsilon: float"),
            ("self.eps = eps", "self.eps = epsilon"),
        ),
        hint=ARGUMENTS,
    ),
    Misconception(
        "eps_default_six",
        "BatchNorm1d",
        "the usual eps is 1e-6",
        (("eps: float = 1e-5", "eps: float = 1e-6"),),
        hint=EPS_DEFAULT,
    ),
    Misconception(
        "eps_default_eight",
        "BatchNorm1d",
        "the usual eps is 1e-8",
        (("eps: float = 1e-5", "eps: float = 1e-8"),),
        hint=EPS_DEFAULT,
    ),
    Misconception(
        "eps_default_twelve",
        "BatchNorm1d",
        "the usual eps is far below 1e-5, such as 1e-12",
        (("eps: float = 1e-5", "eps: float = 1e-12"),),
        hint=EPS_DEFAULT,
    ),
    Misconception(
        "dim0",
        "LayerNorm1d",
        "normalises each feature over the examples, as BatchNorm does",
        (("x.mean(dim=1", "x.mean(dim=0"), ("x.var(dim=1", "x.var(dim=0")),
        hint=WRONG_DIRECTION,
    ),
    Misconception(
        "all_dims",
        "LayerNorm1d",
        "one mean and one variance for all examples together",
        (("x.mean(dim=1, keepdim=True)", "x.mean()"), ("x.var(dim=1, keepdim=True)", "x.var()")),
        hint=WRONG_GROUPS,
    ),
    Misconception(
        "one_variance",
        "LayerNorm1d",
        "every example has its mean, but all have one variance",
        (("x.var(dim=1, keepdim=True)", "x.var()"),),
        hint=WRONG_GROUPS,
    ),
    Misconception(
        "variance_of_columns",
        "LayerNorm1d",
        "the mean runs along the rows, the variance down the columns",
        (("x.var(dim=1", "x.var(dim=0"),),
        hint=WRONG_GROUPS,
    ),
    Misconception(
        "biased",
        "LayerNorm1d",
        "divides by dim in the variance, as nn.LayerNorm does",
        (("x.var(dim=1", "x.var(correction=0, dim=1"),),
        hint=BIASED,
    ),
    Misconception(
        "std_plus_eps",
        "LayerNorm1d",
        "adds eps to the root, not under it",
        (("torch.sqrt(var + self.eps)", "(torch.sqrt(var) + self.eps)"),),
        hint=STD_PLUS_EPS,
    ),
    Misconception(
        "sqrt_std",
        "LayerNorm1d",
        "takes the root of the standard deviation",
        (("x.var(", "x.std("),),
        hint=NOT_ONE_ROOT,
    ),
    Misconception(
        "var_not_sqrt",
        "LayerNorm1d",
        "divides by the variance, not by its root",
        (("torch.sqrt(var + self.eps)", "(var + self.eps)"),),
        hint=NOT_ONE_ROOT,
    ),
    Misconception(
        "no_affine",
        "LayerNorm1d",
        "gamma and beta have no effect on the output",
        (("return self.gamma * normalised + self.beta", "return normalised"),),
        hint=AFFINE_UNUSED,
    ),
    Misconception(
        "no_gamma",
        "LayerNorm1d",
        "gamma has no effect on the output",
        (("self.gamma * normalised + self.beta", "normalised + self.beta"),),
        hint=AFFINE_UNUSED,
    ),
    Misconception(
        "no_beta",
        "LayerNorm1d",
        "beta has no effect on the output",
        (("self.gamma * normalised + self.beta", "self.gamma * normalised"),),
        hint=AFFINE_UNUSED,
    ),
    Misconception(
        "affine_first",
        "LayerNorm1d",
        "applies gamma and beta before normalising",
        (
            ("mean = x.mean", "x = self.gamma * x + self.beta\n        mean = x.mean"),
            ("return self.gamma * normalised + self.beta", "return normalised"),
        ),
        hint=AFFINE_FIRST,
    ),
    Misconception(
        "affine_before_division",
        "LayerNorm1d",
        "applies gamma and beta between subtracting the mean and dividing",
        (
            ("(x - mean) / torch.sqrt", "(self.gamma * (x - mean) + self.beta) / torch.sqrt"),
            ("return self.gamma * normalised + self.beta", "return normalised"),
        ),
        hint=AFFINE_TOO_EARLY,
    ),
    Misconception(
        "affine_swapped",
        "LayerNorm1d",
        "multiplies by beta and adds gamma",
        (("self.gamma * normalised + self.beta", "self.beta * normalised + self.gamma"),),
        hint=AFFINE_SWAPPED,
    ),
    Misconception(
        "beta_first",
        "LayerNorm1d",
        "adds beta before it multiplies by gamma",
        (("self.gamma * normalised + self.beta", "self.gamma * (normalised + self.beta)"),),
        hint=BETA_FIRST,
    ),
    Misconception(
        "gamma_as_offset",
        "LayerNorm1d",
        "scales by 1 + gamma, as if gamma started as zeros",
        (("self.gamma * normalised", "(1 + self.gamma) * normalised"),),
        hint=Hint(
            look=(
                "Print gamma of a new layer. Then normalise the row 2, 4, 6 with it. How large is "
                "the last number, and how large should it be?"
            ),
            think=(
                "In some programs gamma starts at 0, and in others at 1. By which number is a row "
                "multiplied in the end if it starts as yours does?"
            ),
            nearly="Look at the factor in your last step. Is it gamma alone, as in the formula?",
        ),
    ),
    Misconception(
        "no_center",
        "LayerNorm1d",
        "does not subtract the mean",
        (("(x - mean)", "x"),),
        hint=NO_CENTER,
    ),
    Misconception(
        "only_centers",
        "LayerNorm1d",
        "subtracts the mean and does not divide",
        (("(x - mean) / torch.sqrt(var + self.eps)", "x - mean"),),
        hint=ONLY_CENTRED,
    ),
    Misconception(
        "root_mean_square",
        "LayerNorm1d",
        "averages the squares of the numbers themselves, not of their distances from the mean",
        (("x.var(dim=1, keepdim=True)", "(x**2).mean(dim=1, keepdim=True)"),),
        hint=Hint(
            look="Normalise the row 2, 4, 6 and then the row 102, 104, 106. Do you get the same?",
            think=(
                "Both rows are spread in the same way, only their place differs. A variance "
                "squares distances: from where to where?"
            ),
            nearly=(
                "Look at what you square for your variance. And then look at what the sum is "
                "divided by."
            ),
        ),
    ),
    Misconception(
        "mean_distance",
        "LayerNorm1d",
        "averages the distances from the mean where they should be squared",
        (("x.var(dim=1, keepdim=True)", "(x - mean).abs().mean(dim=1, keepdim=True)"),),
        hint=Hint(
            look="Normalise the row 2, 4, 6 and then the row 200, 400, 600. Do you get the same?",
            think=(
                "It should not matter whether you measure in metres or in centimetres. The root "
                "at the end undoes something: what must have been done to the distances before?"
            ),
            nearly=(
                "Look at how your variance makes the distances from the mean positive. And then "
                "look at what the sum is divided by."
            ),
        ),
    ),
    Misconception(
        "mean_distance_divides",
        "LayerNorm1d",
        "divides by the mean distance from the mean, without squares and root",
        (
            (
                "torch.sqrt(var + self.eps)",
                "((x - mean).abs().mean(dim=1, keepdim=True) + self.eps)",
            ),
        ),
        hint=MEAN_DISTANCE_AS_DIVISOR,
    ),
    Misconception(
        "range",
        "LayerNorm1d",
        "divides by the range of the row",
        (("torch.sqrt(var + self.eps)", "(x.amax(1, True) - x.amin(1, True) + self.eps)"),),
        hint=Hint(
            look=(
                "Normalise the row 0, 0, 0, 8, whose mean is 2 and whose variance is 16. Which "
                "last number do you get by hand, and which from your layer?"
            ),
            think=(
                "The range of a row knows only its smallest and its largest number. Which measure "
                "of spread listens to all of them?"
            ),
            nearly=(
                "Look at what you divide by, and compare it with what stands below the fraction "
                "bar in the formula."
            ),
        ),
    ),
    Misconception(
        "in_place",
        "LayerNorm1d",
        "changes the tensor that it is given",
        (("normalised = (x - mean)", "x -= mean\n        normalised = x"),),
        hint=IN_PLACE,
    ),
    Misconception(
        "detached",
        "LayerNorm1d",
        "cuts mean and variance off from the gradient",
        (("x.mean(", "x.detach().mean("), ("x.var(", "x.detach().var(")),
        hint=DETACHED,
    ),
    Misconception(
        "detached_var",
        "LayerNorm1d",
        "lets gradients flow through the mean, but not through the variance",
        (("x.var(", "x.detach().var("),),
        hint=DETACHED,
    ),
    Misconception(
        "affine_data",
        "LayerNorm1d",
        "cuts gamma and beta off from the gradient",
        (
            (
                "self.gamma * normalised + self.beta",
                "self.gamma.data * normalised + self.beta.data",
            ),
        ),
        hint=CUT_OFF,
    ),
    Misconception(
        "no_keepdim",
        "LayerNorm1d",
        "lays the means of the rows along the features; N must equal dim to get through",
        (
            ("x.mean(dim=1, keepdim=True)", "x.mean(dim=1)"),
            ("x.var(dim=1, keepdim=True)", "x.var(dim=1)"),
        ),
        hint=Hint(
            look=(
                "Print the shape of your mean for an x with 4 examples and 3 features. Then "
                "normalise a random table with as many rows as columns: does each row of the "
                "output add up to 0?"
            ),
            think=(
                "PyTorch lays a plain list of numbers along the columns. How must the means stand "
                "so that each row loses its own?"
            ),
            nearly=(
                "Look at your calls of `mean` and `var`: the direction that you average over "
                "disappears. The statement names an option that keeps it."
            ),
        ),
    ),
    Misconception(
        "first_row",
        "LayerNorm1d",
        "uses the mean and the variance of row 0 for every row",
        (("x.mean(", "x[:1].mean("), ("x.var(", "x[:1].var(")),
        hint=Hint(
            look=(
                "Normalise a table of two different rows, and then its second row alone. Does "
                "this row get the same output both times?"
            ),
            think=(
                "No example needs another one. Whose mean is taken away from the second row in "
                "your code?"
            ),
            nearly=(
                "Look at the part of x that goes into your mean and your variance. Are all rows "
                "in it?"
            ),
        ),
    ),
    Misconception(
        "eps_hard_coded",
        "LayerNorm1d",
        "adds 1e-5 whatever eps is given",
        (("var + self.eps", "var + 1e-5"),),
        hint=EPS_HARD_CODED,
    ),
    Misconception(
        "no_eps",
        "LayerNorm1d",
        "leaves eps out, so that a row of equal numbers gives NaN",
        (("var + self.eps", "var"),),
        hint=NO_EPS,
    ),
    Misconception(
        "eps_after",
        "LayerNorm1d",
        "adds eps to the quotient, not under the root",
        (("torch.sqrt(var + self.eps)", "torch.sqrt(var) + self.eps"),),
        hint=EPS_AFTER,
    ),
    Misconception(
        "eps_default",
        "LayerNorm1d",
        "the usual eps is 1e-3",
        (("eps: float = 1e-5", "eps: float = 1e-3"),),
        hint=EPS_DEFAULT,
    ),
    Misconception(
        "clamped",
        "LayerNorm1d",
        "takes eps for the least variance that is allowed",
        (("var + self.eps", "var.clamp(min=self.eps)"),),
        hint=CLAMPED,
    ),
    Misconception(
        "scalar_affine",
        "LayerNorm1d",
        "one gamma and one beta for all features",
        (
            ("self.gamma = torch.ones(dim)", "self.gamma = torch.ones(1)"),
            ("self.beta = torch.zeros(dim)", "self.beta = torch.zeros(1)"),
        ),
        hint=SIZES,
    ),
    Misconception(
        "gamma_random",
        "LayerNorm1d",
        "gamma starts as random numbers",
        (("self.gamma = torch.ones(dim)", "self.gamma = torch.rand(dim)"),),
        hint=GAMMA_START,
    ),
    Misconception(
        "hard_coded",
        "LayerNorm1d",
        "takes a fixed number of features for granted, such as the example's 100",
        (
            ("self.gamma = torch.ones(dim)", "self.gamma = torch.ones(100)"),
            ("self.beta = torch.zeros(dim)", "self.beta = torch.zeros(100)"),
        ),
        hint=SIZES,
    ),
    Misconception(
        "params_copied",
        "LayerNorm1d",
        "parameters() lists other things than gamma and beta themselves",
        (("[self.gamma, self.beta]", "[self.gamma.clone(), self.beta.clone()]"),),
        hint=PARAMS_COPIED,
    ),
    Misconception(
        "params_dict",
        "LayerNorm1d",
        "parameters() lists other things than gamma and beta themselves",
        (("[self.gamma, self.beta]", '{"gamma": self.gamma, "beta": self.beta}'),),
        hint=PARAMS_COPIED,
    ),
    Misconception(
        "params_incomplete",
        "LayerNorm1d",
        "lists gamma only",
        (("[self.gamma, self.beta]", "[self.gamma]"),),
        hint=PARAMS_NUMBER,
    ),
    Misconception(
        "squeezed",
        "LayerNorm1d",
        "drops dimensions of size 1: a single example loses its own",
        (
            (
                "return self.gamma * normalised + self.beta",
                "return (self.gamma * normalised + self.beta).squeeze()",
            ),
        ),
        hint=SQUEEZED,
    ),
    Misconception(
        "float32_out",
        "LayerNorm1d",
        "returns float32 whatever it is given (float32 only)",
        (
            (
                "return self.gamma * normalised + self.beta",
                "return (self.gamma * normalised + self.beta).float()",
            ),
        ),
        hint=FLOAT32_OUT,
    ),
    Misconception(
        "eps_squared",
        "LayerNorm1d",
        "squares eps under the root",
        (("var + self.eps)", "var + self.eps**2)"),),
        hint=EPS_SQUARED,
    ),
    Misconception(
        "sum_of_squares",
        "LayerNorm1d",
        "takes the sum of the squared distances for the variance",
        (("x.var(dim=1, keepdim=True)", "((x - mean) ** 2).sum(dim=1, keepdim=True)"),),
        hint=SUM_FOR_MEAN,
    ),
    Misconception(
        "counts_examples",
        "LayerNorm1d",
        "divides by the number of examples in the mean, by one less in the variance",
        (
            ("x.mean(dim=1, keepdim=True)", "x.sum(dim=1, keepdim=True) / len(x)"),
            (
                "x.var(dim=1, keepdim=True)",
                "((x - mean) ** 2).sum(dim=1, keepdim=True) / (len(x) - 1)",
            ),
        ),
        hint=EXAMPLES_COUNTED,
    ),
    Misconception(
        "variance_counts_examples",
        "LayerNorm1d",
        "divides by the number of examples less one in the variance",
        (
            (
                "x.var(dim=1, keepdim=True)",
                "((x - mean) ** 2).sum(dim=1, keepdim=True) / (len(x) - 1)",
            ),
        ),
        hint=EXAMPLES_COUNTED,
    ),
    Misconception(
        "mean_of_columns",
        "LayerNorm1d",
        "the mean runs down the columns, the variance along the rows",
        (("x.mean(dim=1", "x.mean(dim=0"),),
        hint=WRONG_GROUPS,
    ),
    Misconception(
        "one_mean",
        "LayerNorm1d",
        "every example has its variance, but all have one mean",
        (("x.mean(dim=1, keepdim=True)", "x.mean()"),),
        hint=WRONG_GROUPS,
    ),
    Misconception(
        "detached_mean",
        "LayerNorm1d",
        "lets gradients flow through the variance, but not through the mean",
        (("x.mean(", "x.detach().mean("),),
        hint=DETACHED,
    ),
    Misconception(
        "output_detached",
        "LayerNorm1d",
        "returns a result that is cut off from the gradient",
        (
            (
                "return self.gamma * normalised + self.beta",
                "return (self.gamma * normalised + self.beta).detach()",
            ),
        ),
        hint=CUT_OFF,
    ),
    Misconception(
        "gamma_zeros",
        "LayerNorm1d",
        "gamma starts as zeros",
        (("self.gamma = torch.ones(dim)", "self.gamma = torch.zeros(dim)"),),
        hint=GAMMA_START,
    ),
    Misconception(
        "beta_subtracted",
        "LayerNorm1d",
        "subtracts beta",
        (("normalised + self.beta", "normalised - self.beta"),),
        hint=BETA_SIGN,
    ),
    Misconception(
        "in_place_no_grad",
        "LayerNorm1d",
        "changes the tensor that it is given",
        (
            (
                "normalised = (x - mean) / torch.sqrt(var + self.eps)",
                "with torch.no_grad():\n"
                "            x -= mean\n"
                "        normalised = x / torch.sqrt(var + self.eps)",
            ),
        ),
        hint=IN_PLACE,
    ),
    Misconception(
        "multiplied_by_root",
        "LayerNorm1d",
        "multiplies by the root where it should divide",
        (("(x - mean) / torch", "(x - mean) * torch"),),
        hint=ROOT_ABOVE,
    ),
    Misconception(
        "gamma_first",
        "LayerNorm1d",
        "multiplies by gamma before normalising",
        (
            ("mean = x.mean", "x = self.gamma * x\n        mean = x.mean"),
            ("return self.gamma * normalised + self.beta", "return normalised + self.beta"),
        ),
        hint=AFFINE_FIRST,
    ),
    Misconception(
        "beta_ones",
        "LayerNorm1d",
        "beta starts as ones",
        (("self.beta = torch.zeros(dim)", "self.beta = torch.ones(dim)"),),
        hint=BETA_START,
    ),
    Misconception(
        "eps_renamed",
        "LayerNorm1d",
        "gives the argument eps another name",
        (
            ("eps: float", "epsilon: float"),
            ("self.eps = eps", "self.eps = epsilon"),
        ),
        hint=ARGUMENTS,
    ),
    Misconception(
        "eps_default_six",
        "LayerNorm1d",
        "the usual eps is 1e-6",
        (("eps: float = 1e-5", "eps: float = 1e-6"),),
        hint=EPS_DEFAULT,
    ),
    Misconception(
        "eps_default_eight",
        "LayerNorm1d",
        "the usual eps is 1e-8",
        (("eps: float = 1e-5", "eps: float = 1e-8"),),
        hint=EPS_DEFAULT,
    ),
    Misconception(
        "eps_default_twelve",
        "LayerNorm1d",
        "the usual eps is far below 1e-5, such as 1e-12",
        (("eps: float = 1e-5", "eps: float = 1e-12"),),
        hint=EPS_DEFAULT,
    ),
]
