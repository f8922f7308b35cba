"""Wrong solutions of normalization, as students write them."""

from autograder.misconceptions import Misconception

MISCONCEPTIONS: list[Misconception] = [
    Misconception(
        "momentum_reversed",
        "BatchNorm1d",
        "takes momentum for the weight of what is old",
        (("new = self.momentum", "new = 1 - self.momentum"),),
    ),
    Misconception(
        "update_in_eval",
        "BatchNorm1d",
        "updates the running averages in evaluation too",
        (("if self.training:", "if True:"), ("else:", "if not self.training:")),
    ),
    Misconception(
        "batch_stats_in_eval",
        "BatchNorm1d",
        "normalises with the batch's mean and variance in evaluation too",
        (
            ("mean = self.running_mean", "mean = x.mean(dim=0)"),
            ("var = self.running_var", "var = x.var(dim=0)"),
        ),
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
    ),
    Misconception(
        "var_not_sqrt",
        "BatchNorm1d",
        "divides by the variance, without the root",
        (("torch.sqrt(var + self.eps)", "(var + self.eps)"),),
    ),
    Misconception(
        "no_affine",
        "BatchNorm1d",
        "makes gamma and beta and does not use them",
        (("return self.gamma * normalised + self.beta", "return normalised"),),
    ),
    Misconception(
        "stores_std",
        "BatchNorm1d",
        "averages the standard deviation in running_var",
        (("new * var", "new * var.sqrt()"),),
    ),
    Misconception(
        "graph_kept",
        "BatchNorm1d",
        "updates the running averages with gradients",
        (
            (
                "            with torch.no_grad():\n                self.running_mean",
                "            self.running_mean",
            ),
            ("                self.running_var = (1", "            self.running_var = (1"),
        ),
    ),
    Misconception(
        "momentum_default",
        "BatchNorm1d",
        "the usual momentum is 0.9",
        (("momentum: float = 0.1", "momentum: float = 0.9"),),
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
    ),
    Misconception(
        "in_place",
        "BatchNorm1d",
        "subtracts the mean from the caller's tensor",
        (("normalised = (x - mean)", "x -= mean\n        normalised = x"),),
    ),
    Misconception(
        "detached_stats",
        "BatchNorm1d",
        "cuts the batch's mean and variance off from the gradient",
        (("= x.mean(dim=0)", "= x.detach().mean(dim=0)"), ("x.var(", "x.detach().var(")),
    ),
    Misconception(
        "detached_var",
        "BatchNorm1d",
        "lets gradients flow through the mean, but not through the variance",
        (("x.var(", "x.detach().var("),),
    ),
    Misconception(
        "detached_mean",
        "BatchNorm1d",
        "lets gradients flow through the variance, but not through the mean",
        (("= x.mean(dim=0)", "= x.detach().mean(dim=0)"),),
    ),
    Misconception(
        "biased",
        "BatchNorm1d",
        "divides by N in the variance, everywhere",
        (("x.var(dim=0)", "x.var(dim=0, correction=0)"),),
    ),
    Misconception(
        "as_pytorch",
        "BatchNorm1d",
        "normalises with the biased variance and keeps the unbiased one, as nn.BatchNorm1d",
        (("x.var(dim=0)", "x.var(dim=0, correction=0)"), ("new * var", "new * x.var(dim=0)")),
    ),
    Misconception(
        "biased_running",
        "BatchNorm1d",
        "keeps the biased variance, though it normalises with the unbiased one",
        (("new * var", "new * x.var(dim=0, correction=0)"),),
    ),
    Misconception(
        "std_plus_eps",
        "BatchNorm1d",
        "adds eps to the root",
        (("torch.sqrt(var + self.eps)", "(torch.sqrt(var) + self.eps)"),),
    ),
    Misconception(
        "eps_hard_coded",
        "BatchNorm1d",
        "adds 1e-5 whatever eps is given",
        (("var + self.eps", "var + 1e-5"),),
    ),
    Misconception(
        "no_eps",
        "BatchNorm1d",
        "leaves eps out, so that a feature that never changes gives NaN",
        (("var + self.eps", "var"),),
    ),
    Misconception(
        "eps_after",
        "BatchNorm1d",
        "adds eps to the quotient",
        (("torch.sqrt(var + self.eps)", "torch.sqrt(var) + self.eps"),),
    ),
    Misconception(
        "eps_squared",
        "BatchNorm1d",
        "squares eps before adding it to the variance",
        (("var + self.eps", "var + self.eps**2"),),
    ),
    Misconception(
        "eps_default",
        "BatchNorm1d",
        "the usual eps is 1e-3",
        (("eps: float = 1e-5", "eps: float = 1e-3"),),
    ),
    Misconception(
        "eps_stored",
        "BatchNorm1d",
        "averages the variance with eps already in it, and adds it again in evaluation",
        (("new * var", "new * (var + self.eps)"),),
    ),
    Misconception(
        "eps_in_train_only",
        "BatchNorm1d",
        "leaves eps out in evaluation",
        (("var + self.eps", "var + self.eps * self.training"),),
    ),
    Misconception(
        "clamped",
        "BatchNorm1d",
        "takes eps for the least variance that is allowed",
        (("var + self.eps", "var.clamp(min=self.eps)"),),
    ),
    Misconception(
        "sqrt_std",
        "BatchNorm1d",
        "takes the root of the standard deviation",
        (("x.var(", "x.std("),),
    ),
    Misconception(
        "rows",
        "BatchNorm1d",
        "normalises each example over its features, as LayerNorm does",
        (
            ("= x.mean(dim=0)", "= x.mean(dim=1, keepdim=True)"),
            ("x.var(dim=0)", "x.var(dim=1, keepdim=True)"),
        ),
    ),
    Misconception(
        "all_dims",
        "BatchNorm1d",
        "one mean and one variance for all features together",
        (("= x.mean(dim=0)", "= x.mean()"), ("x.var(dim=0)", "x.var()")),
    ),
    Misconception(
        "one_variance",
        "BatchNorm1d",
        "every feature has its mean, but all have one variance",
        (("x.var(dim=0)", "x.var()"),),
    ),
    Misconception(
        "no_center",
        "BatchNorm1d",
        "does not subtract the mean",
        (("(x - mean)", "x"),),
    ),
    Misconception(
        "centered_in_train_only",
        "BatchNorm1d",
        "subtracts the mean of the batch at hand in evaluation too",
        (("mean = self.running_mean", "mean = x.mean(dim=0)"),),
    ),
    Misconception(
        "batch_var_in_eval",
        "BatchNorm1d",
        "divides by the root of the variance of the batch at hand in evaluation too",
        (("var = self.running_var", "var = x.var(dim=0)"),),
    ),
    Misconception(
        "adds_up",
        "BatchNorm1d",
        "adds to the running averages and never lets the old ones fade",
        (
            ("(1 - new) * self.running_mean", "self.running_mean"),
            ("(1 - new) * self.running_var", "self.running_var"),
        ),
    ),
    Misconception(
        "last_batch",
        "BatchNorm1d",
        "remembers the last batch only",
        (("new = self.momentum", "new = 1.0"),),
    ),
    Misconception(
        "momentum_hard_coded",
        "BatchNorm1d",
        "uses 0.1 whatever momentum is given",
        (("new = self.momentum", "new = 0.1"),),
    ),
    Misconception(
        "mean_of_batches",
        "BatchNorm1d",
        "averages over all batches alike, without momentum",
        (
            ("new = self.momentum", "self.seen += 1\n            new = 1 / self.seen"),
            ("self.training = True", "self.training = True\n        self.seen = 0"),
        ),
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
    ),
    Misconception(
        "var_never_updated",
        "BatchNorm1d",
        "updates the running mean and forgets the running variance",
        (("(1 - new) * self.running_var + new * var", "self.running_var"),),
    ),
    Misconception(
        "never_updated",
        "BatchNorm1d",
        "computes the running averages and does not keep them",
        (
            ("self.running_mean = (1", "running_mean = (1"),
            ("self.running_var = (1", "running_var = (1"),
        ),
    ),
    Misconception(
        "var_about_running",
        "BatchNorm1d",
        "keeps the squared distances from the running mean, not from the batch's",
        (("new * var", "new * ((x - self.running_mean) ** 2).sum(dim=0) / (len(x) - 1)"),),
    ),
    Misconception(
        "output_averaged",
        "BatchNorm1d",
        "keeps the mean and variance of what it has already normalised",
        (
            ("new * mean", "new * ((x - mean) / torch.sqrt(var + self.eps)).mean(dim=0)"),
            ("new * var", "new * ((x - mean) / torch.sqrt(var + self.eps)).var(dim=0)"),
        ),
    ),
    Misconception(
        "always_training",
        "BatchNorm1d",
        "never looks at training",
        (("if self.training:", "if True:"),),
    ),
    Misconception(
        "mode_inverted",
        "BatchNorm1d",
        "takes the batch's numbers when training is False",
        (("if self.training:", "if not self.training:"),),
    ),
    Misconception(
        "starts_in_eval",
        "BatchNorm1d",
        "training is False at first",
        (("self.training = True", "self.training = False"),),
    ),
    Misconception(
        "var_starts_at_zero",
        "BatchNorm1d",
        "the running variance starts as zeros",
        (("self.running_var = torch.ones(dim)", "self.running_var = torch.zeros(dim)"),),
    ),
    Misconception(
        "gamma_random",
        "BatchNorm1d",
        "gamma starts as random numbers",
        (("self.gamma = torch.ones(dim)", "self.gamma = torch.rand(dim)"),),
    ),
    Misconception(
        "gamma_zeros",
        "BatchNorm1d",
        "gamma starts as zeros, so that everything becomes 0",
        (("self.gamma = torch.ones(dim)", "self.gamma = torch.zeros(dim)"),),
    ),
    Misconception(
        "scalar_affine",
        "BatchNorm1d",
        "one gamma and one beta for all features",
        (
            ("self.gamma = torch.ones(dim)", "self.gamma = torch.ones(1)"),
            ("self.beta = torch.zeros(dim)", "self.beta = torch.zeros(1)"),
        ),
    ),
    Misconception(
        "hard_coded",
        "BatchNorm1d",
        "takes the 100 features of the example for granted",
        (
            ("self.gamma = torch.ones(dim)", "self.gamma = torch.ones(100)"),
            ("self.beta = torch.zeros(dim)", "self.beta = torch.zeros(100)"),
            ("self.running_mean = torch.zeros(dim)", "self.running_mean = torch.zeros(100)"),
            ("self.running_var = torch.ones(dim)", "self.running_var = torch.ones(100)"),
        ),
    ),
    Misconception(
        "affine_first",
        "BatchNorm1d",
        "applies gamma and beta before normalising, in training and in evaluation",
        (
            ("if self.training:", "x = self.gamma * x + self.beta\n        if self.training:"),
            ("return self.gamma * normalised + self.beta", "return normalised"),
        ),
    ),
    Misconception(
        "affine_swapped",
        "BatchNorm1d",
        "multiplies by beta and adds gamma",
        (("self.gamma * normalised + self.beta", "self.beta * normalised + self.gamma"),),
    ),
    Misconception(
        "beta_first",
        "BatchNorm1d",
        "adds beta before it multiplies by gamma",
        (("self.gamma * normalised + self.beta", "self.gamma * (normalised + self.beta)"),),
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
    ),
    Misconception(
        "affine_data",
        "BatchNorm1d",
        "computes with the bare data of gamma and beta, which no gradient reaches",
        (
            (
                "self.gamma * normalised + self.beta",
                "self.gamma.data * normalised + self.beta.data",
            ),
        ),
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
    ),
    Misconception(
        "params_copied",
        "BatchNorm1d",
        "lists copies of gamma and beta",
        (("[self.gamma, self.beta]", "[self.gamma.clone(), self.beta.clone()]"),),
    ),
    Misconception(
        "params_incomplete",
        "BatchNorm1d",
        "lists gamma only",
        (("[self.gamma, self.beta]", "[self.gamma]"),),
    ),
    Misconception(
        "squeezed",
        "BatchNorm1d",
        "squeezes the result, so that dimensions of size 1 get lost",
        (
            (
                "return self.gamma * normalised + self.beta",
                "return (self.gamma * normalised + self.beta).squeeze()",
            ),
        ),
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
    ),
    Misconception(
        "dim0",
        "LayerNorm1d",
        "normalises each feature over the examples, as BatchNorm does",
        (("x.mean(dim=1", "x.mean(dim=0"), ("x.var(dim=1", "x.var(dim=0")),
    ),
    Misconception(
        "all_dims",
        "LayerNorm1d",
        "one mean and one variance for all examples together",
        (("x.mean(dim=1, keepdim=True)", "x.mean()"), ("x.var(dim=1, keepdim=True)", "x.var()")),
    ),
    Misconception(
        "one_variance",
        "LayerNorm1d",
        "every example has its mean, but all have one variance",
        (("x.var(dim=1, keepdim=True)", "x.var()"),),
    ),
    Misconception(
        "variance_of_columns",
        "LayerNorm1d",
        "the mean runs along the rows, the variance down the columns",
        (("x.var(dim=1", "x.var(dim=0"),),
    ),
    Misconception(
        "biased",
        "LayerNorm1d",
        "divides by dim in the variance, as nn.LayerNorm does",
        (("x.var(dim=1", "x.var(correction=0, dim=1"),),
    ),
    Misconception(
        "std_plus_eps",
        "LayerNorm1d",
        "adds eps to the root",
        (("torch.sqrt(var + self.eps)", "(torch.sqrt(var) + self.eps)"),),
    ),
    Misconception(
        "sqrt_std",
        "LayerNorm1d",
        "takes the root of the standard deviation",
        (("x.var(", "x.std("),),
    ),
    Misconception(
        "var_not_sqrt",
        "LayerNorm1d",
        "divides by the variance, without the root",
        (("torch.sqrt(var + self.eps)", "(var + self.eps)"),),
    ),
    Misconception(
        "no_affine",
        "LayerNorm1d",
        "makes gamma and beta and does not use them",
        (("return self.gamma * normalised + self.beta", "return normalised"),),
    ),
    Misconception(
        "no_beta",
        "LayerNorm1d",
        "makes beta and does not add it",
        (("self.gamma * normalised + self.beta", "self.gamma * normalised"),),
    ),
    Misconception(
        "affine_first",
        "LayerNorm1d",
        "applies gamma and beta before normalising",
        (
            ("mean = x.mean", "x = self.gamma * x + self.beta\n        mean = x.mean"),
            ("return self.gamma * normalised + self.beta", "return normalised"),
        ),
    ),
    Misconception(
        "affine_swapped",
        "LayerNorm1d",
        "multiplies by beta and adds gamma",
        (("self.gamma * normalised + self.beta", "self.beta * normalised + self.gamma"),),
    ),
    Misconception(
        "beta_first",
        "LayerNorm1d",
        "adds beta before it multiplies by gamma",
        (("self.gamma * normalised + self.beta", "self.gamma * (normalised + self.beta)"),),
    ),
    Misconception(
        "gamma_as_offset",
        "LayerNorm1d",
        "scales by 1 + gamma, as if gamma started as zeros",
        (("self.gamma * normalised", "(1 + self.gamma) * normalised"),),
    ),
    Misconception(
        "no_center",
        "LayerNorm1d",
        "does not subtract the mean",
        (("(x - mean)", "x"),),
    ),
    Misconception(
        "only_centers",
        "LayerNorm1d",
        "subtracts the mean and does not divide",
        (("(x - mean) / torch.sqrt(var + self.eps)", "x - mean"),),
    ),
    Misconception(
        "root_mean_square",
        "LayerNorm1d",
        "averages the squares of the numbers themselves, not of their distances from the mean",
        (("x.var(dim=1, keepdim=True)", "(x**2).mean(dim=1, keepdim=True)"),),
    ),
    Misconception(
        "mean_distance",
        "LayerNorm1d",
        "averages the distances from the mean where they should be squared",
        (("x.var(dim=1, keepdim=True)", "(x - mean).abs().mean(dim=1, keepdim=True)"),),
    ),
    Misconception(
        "range",
        "LayerNorm1d",
        "divides by the range of the row",
        (("torch.sqrt(var + self.eps)", "(x.amax(1, True) - x.amin(1, True) + self.eps)"),),
    ),
    Misconception(
        "in_place",
        "LayerNorm1d",
        "subtracts the mean from the caller's tensor",
        (("normalised = (x - mean)", "x -= mean\n        normalised = x"),),
    ),
    Misconception(
        "detached",
        "LayerNorm1d",
        "cuts mean and variance off from the gradient",
        (("x.mean(", "x.detach().mean("), ("x.var(", "x.detach().var(")),
    ),
    Misconception(
        "detached_var",
        "LayerNorm1d",
        "lets gradients flow through the mean, but not through the variance",
        (("x.var(", "x.detach().var("),),
    ),
    Misconception(
        "affine_data",
        "LayerNorm1d",
        "computes with the bare data of gamma and beta, which no gradient reaches",
        (
            (
                "self.gamma * normalised + self.beta",
                "self.gamma.data * normalised + self.beta.data",
            ),
        ),
    ),
    Misconception(
        "no_keepdim",
        "LayerNorm1d",
        "lays the means of the rows along the features; N must equal dim to get through",
        (
            ("x.mean(dim=1, keepdim=True)", "x.mean(dim=1)"),
            ("x.var(dim=1, keepdim=True)", "x.var(dim=1)"),
        ),
    ),
    Misconception(
        "first_row",
        "LayerNorm1d",
        "uses the mean and the variance of row 0 for every row",
        (("x.mean(", "x[:1].mean("), ("x.var(", "x[:1].var(")),
    ),
    Misconception(
        "eps_hard_coded",
        "LayerNorm1d",
        "adds 1e-5 whatever eps is given",
        (("var + self.eps", "var + 1e-5"),),
    ),
    Misconception(
        "no_eps",
        "LayerNorm1d",
        "leaves eps out, so that a row of equal numbers gives NaN",
        (("var + self.eps", "var"),),
    ),
    Misconception(
        "eps_after",
        "LayerNorm1d",
        "adds eps to the quotient",
        (("torch.sqrt(var + self.eps)", "torch.sqrt(var) + self.eps"),),
    ),
    Misconception(
        "eps_default",
        "LayerNorm1d",
        "the usual eps is 1e-3",
        (("eps: float = 1e-5", "eps: float = 1e-3"),),
    ),
    Misconception(
        "clamped",
        "LayerNorm1d",
        "takes eps for the least variance that is allowed",
        (("var + self.eps", "var.clamp(min=self.eps)"),),
    ),
    Misconception(
        "scalar_affine",
        "LayerNorm1d",
        "one gamma and one beta for all features",
        (
            ("self.gamma = torch.ones(dim)", "self.gamma = torch.ones(1)"),
            ("self.beta = torch.zeros(dim)", "self.beta = torch.zeros(1)"),
        ),
    ),
    Misconception(
        "gamma_random",
        "LayerNorm1d",
        "gamma starts as random numbers",
        (("self.gamma = torch.ones(dim)", "self.gamma = torch.rand(dim)"),),
    ),
    Misconception(
        "hard_coded",
        "LayerNorm1d",
        "takes the 100 features of the example for granted",
        (
            ("self.gamma = torch.ones(dim)", "self.gamma = torch.ones(100)"),
            ("self.beta = torch.zeros(dim)", "self.beta = torch.zeros(100)"),
        ),
    ),
    Misconception(
        "params_copied",
        "LayerNorm1d",
        "lists copies of gamma and beta",
        (("[self.gamma, self.beta]", "[self.gamma.clone(), self.beta.clone()]"),),
    ),
    Misconception(
        "params_incomplete",
        "LayerNorm1d",
        "lists gamma only",
        (("[self.gamma, self.beta]", "[self.gamma]"),),
    ),
    Misconception(
        "squeezed",
        "LayerNorm1d",
        "squeezes the result, so that a single example loses its dimension",
        (
            (
                "return self.gamma * normalised + self.beta",
                "return (self.gamma * normalised + self.beta).squeeze()",
            ),
        ),
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
    ),
]
