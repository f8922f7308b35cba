"""A package that the grader does not have costs nothing until an exercise needs its result."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import of, sampled
from own_files import OWN, using

from autograder.checking.collect import Checks
from autograder.grading.grade import Grade
from autograder.grading.grader import Grader
from autograder.runtime.packages import LISTED
from autograder.runtime.source import Source
from autograder.runtime.standin import NotThere, StandIn, stand_in
from autograder.sandbox import Limits, Sandbox, open_sandbox
from autograder.submissions.finding import Submission

ROOMS = ["unlocked", "locked"]
IMPORT = "import torch\n"
RESULT = "        return weights @ V\n"  # of ScaledDotProduct


@pytest.fixture(scope="module")
def rooms() -> Iterator[dict[str, Sandbox]]:
    with open_sandbox(Limits(), locked=True) as locked, open_sandbox(Limits()) as unlocked:
        yield {"unlocked": unlocked, "locked": locked}


def graded(text: str, checks: Checks, sandbox: Sandbox, solutions: dict[str, str]) -> Grade:
    """Grade a text as attention_layer.py."""
    texts = {**solutions, "attention_layer": text}
    grader = Grader(checks, sandbox, frozenset())
    return grader.grade(Submission("anna", Path("attention_layer.py"), "attention_layer", texts))


def with_lines(solution: str, above: str, in_forward: str = RESULT, below: str = "") -> str:
    """Return the solution with more imports, another end of ScaledDotProduct and more lines."""
    assert IMPORT in solution and RESULT in solution
    text = solution.replace(IMPORT, f"{IMPORT}{above}\n", 1)
    return text.replace(RESULT, in_forward, 1) + below


# Common uses that cost nothing

FINE: dict[str, tuple[str, str, str]] = {
    "pictures": (
        "import matplotlib.pyplot as plt\nfrom mpl_toolkits.mplot3d import Axes3D",
        RESULT,
        "plt.rcParams['figure.dpi'] = 100\n"
        "figure, axes = plt.subplots(2, 2)\n"
        "for axis in axes.flat:\n    axis.plot(torch.ones(3))\n"
        "figure, (a, b) = plt.subplots(1, 2)\na.set_title('x')\n"
        "axes[0, 0].legend(loc='best')\nplt.show()\n",
    ),
    "pictures in forward": (
        "import matplotlib.pyplot as plt",
        "        figure, axis = plt.subplots()\n"
        "        with plt.ioff():\n            axis.matshow(weights)\n"
        f"        plt.close(figure)\n{RESULT}",
        "",
    ),
    "imports in forward": (
        "",
        "        import seaborn as sns\n        from tqdm import tqdm\n"
        "        sns.heatmap(weights)\n"
        "        for _ in tqdm(range(2), desc='twice'):\n            result = weights @ V\n"
        "        return result\n",
        "",
    ),
    "progress bars": (
        "from tqdm.auto import tqdm, trange\nfrom rich.progress import track",
        "        for i in tqdm(range(3), leave=False):\n            result = weights @ V\n"
        "        return result if i == 2 else None\n",
        "seen = [i for i in trange(3)] + list(tqdm(x for x in 'ab')) + [*track([4])]\n"
        "if seen != [0, 1, 2, 'a', 'b', 4] or len(tqdm([1, 2])) != 2: del ScaledDotProduct\n"
        "with tqdm(total=3) as bar:\n    bar.update(1)\n",
    ),
    "tables": (
        "import pandas as pd",
        RESULT,
        "table = pd.DataFrame({'a': [1]})\ntable['b'] = 2 * table.a + 1\n"
        "print(table.head(), f'{table.a.mean():.3f}')\n"
        "weights = torch.tensor(table.values)\nmore = weights + 1\n"
        "for _, row in table.iterrows():\n    print(row)\n"
        "if len(table) > 3:\n    print('long')\n",
    ),
    "Colab": (
        "from google.colab import drive\ndrive.mount('/content/drive')\n"
        "in_colab = 'google.colab' in str(get_ipython())",
        RESULT,
        "",
    ),
    "a notebook as a script": (
        "get_ipython().run_line_magic('matplotlib', 'inline')\n"
        "get_ipython().system('pip install einops')\nfrom IPython.display import display",
        RESULT,
        "display(1)\n"
        "get_ipython().run_cell_magic('time', '', 'class Timed(ScaledDotProduct):\\n    pass\\n')\n"
        "class ScaledDotProduct(Timed):\n    pass\n",
    ),
    "types that are checked": (
        "from jaxtyping import Float, jaxtyped\nfrom beartype import beartype\n"
        "from typeguard import typechecked, check_type\nfrom typing import Optional, Union",
        "        assert isinstance(V, Float[Tensor, '... s v'])\n"
        "        return check_type(weights @ V, Tensor)\n",
        "@typechecked\nclass Checked(ScaledDotProduct):\n"
        "    @jaxtyped(typechecker=beartype)\n"
        "    def forward(self, Q: Float[Tensor, 'l d'], K: Optional[Float[Tensor, 's d']],\n"
        "                V: Float[Tensor, 's v'] | None) -> Union[Float, None]:\n"
        "        return super().forward(Q, K, V)\n"
        "ScaledDotProduct = Checked\n",
    ),
    "decorators and logs": (
        "import numba, wandb, mlflow\nfrom line_profiler import profile\nfrom icecream import ic",
        "        wandb.log({'mean': weights.mean()})\n"
        "        with mlflow.start_run() as run:\n            mlflow.log_metric('x', 1)\n"
        "        return ic(weights @ V)\n",
        "class Profiled(ScaledDotProduct):\n    @staticmethod\n    @numba.njit\n"
        "    def twice(x):\n        return x + x\n    @profile\n"
        "    def forward(self, Q, K, V):\n        return self.twice(super().forward(Q, K, V) / 2)\n"
        "ScaledDotProduct = Profiled\nwandb.watch(ScaledDotProduct())\n",
    ),
    "base classes": (
        "import pytorch_lightning as pl\nfrom pydantic import BaseModel",
        RESULT,
        "class Config(BaseModel):\n    dim: int = 4\n"
        "class Net(pl.LightningModule):\n    def __init__(self):\n        super().__init__()\n"
        "config = Config(dim=3)\nnet = Net()\npl.Trainer(max_epochs=1).fit(net)\n",
    ),
    "data and models": (
        "from torchvision import datasets, transforms\nfrom transformers import AutoTokenizer\n"
        "from sklearn.model_selection import train_test_split\nfrom torchinfo import summary",
        RESULT,
        "data = datasets.MNIST('data', download=True, transform=transforms.ToTensor())\n"
        "for x, y in torch.utils.data.DataLoader(data, shuffle=True):\n    print(x.shape)\n"
        "a, b = train_test_split(torch.arange(4))\n"
        "ids = torch.tensor(AutoTokenizer.from_pretrained('gpt2').encode('hi'))\n"
        "summary(AttentionHead(4, 4), (1, 3, 4))\n",
    ),
    "another way where it is not there": (
        "try:\n    from flash_attn import flash_attn_func\n    fast = True\n"
        "except ImportError:\n    fast = False\n"
        "import importlib.util\nfrom contextlib import suppress\n"
        "found = importlib.util.find_spec('tqdm') is not None\n"
        "with suppress(ModuleNotFoundError):\n    import xformers\n    found = True",
        "        return flash_attn_func(Q, K, V) if fast or found else weights @ V\n",
        "",
    ),
    "lines that raise": (
        "W = torch.load('weights.pt')\nx = 1 / 0; y = 2\nimport torch.nothing\n"
        "if True:\n    z = open('data.txt')",
        RESULT,
        "ScaledDotProduct()(1, 2, 3)\ninput('How many? ')\nimport sys\nsys.exit()\n",
    ),
    "what the lock forbids": (
        "import subprocess, threading, logging\nlogging.basicConfig(filename='/nowhere/log.txt')",
        RESULT,
        "subprocess.run(['nvidia-smi'])\nthreading.Thread(target=print).start()\n"
        "torch.ones(2, device='cuda')\n",
    ),
    "NumPy and SymPy": (
        "import numpy as np\nimport sympy\nfrom einops.layers.torch import Rearrange",
        "        assert weights.is_meta or np.isclose(weights.detach().sum(-1), 1).all()\n"
        + RESULT,
        "if str(sympy.Symbol('x') + 1) != 'x + 1': del ScaledDotProduct\n",
    ),
    "TorchScript and its source": (
        "import inspect\n@torch.jit.script\n"
        "def scale(x: torch.Tensor, size: int) -> torch.Tensor:\n    return x / size ** 0.5",
        RESULT,
        "del ScaledDotProduct\nclass Scripted(nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n"
        "        self.inner = torch.jit.script(Inner())\n"
        "    def forward(self, Q, K, V):\n        return self.inner(Q, K, V)\n"
        "class Inner(nn.Module):\n"
        "    def forward(self, Q: Tensor, K: Tensor, V: Tensor) -> Tensor:\n"
        "        return torch.softmax(scale(Q @ K.transpose(-2, -1), Q.size(-1)), -1) @ V\n"
        "if 'scale(Q' in inspect.getsource(Inner):\n    ScaledDotProduct = Scripted\n",
    ),
    "torch.compile": (
        "",
        RESULT,
        "del ScaledDotProduct\n@torch.compile(mode='max-autotune', fullgraph=True)\n"
        "def attend(Q, K, V):\n"
        "    return torch.softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, -1) @ V\n"
        "class ScaledDotProduct(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.compile()\n"
        "    @torch.compile\n    def forward(self, Q, K, V):\n        return attend(Q, K, V)\n",
    ),
    "flex_attention": (
        "from torch.nn.attention.flex_attention import flex_attention\n"
        "fast = torch.compile(flex_attention)",
        "        parts = (t.reshape(-1, 1, *t.shape[-2:]) for t in (Q, K, V))\n"
        "        found = fast(*parts, score_mod=lambda score, b, h, i, j: score)\n"
        "        return found.reshape(*Q.shape[:-1], V.shape[-1])\n",
        "",
    ),
    "checkpoints": (
        "from torch.utils.checkpoint import checkpoint\n"
        "from torch.nn.attention import sdpa_kernel, SDPBackend",
        "        return checkpoint(torch.matmul, weights, V, use_reentrant=False)\n",
        "",
    ),
}


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("name", sampled(FINE, each=2))
@pytest.mark.dear
def test_what_is_not_there_costs_nothing(
    name: str, room: str, checks: Checks, rooms: dict[str, Sandbox], solutions: dict[str, str]
) -> None:
    text = with_lines(solutions["attention_layer"], *FINE[name])
    grade = graded(text, checks, rooms[room], solutions)
    assert grade.status == "graded"
    assert grade.points == grade.max_points, grade


@pytest.mark.dear
def test_one_sentence_says_what_is_not_there(
    checks: Checks, rooms: dict[str, Sandbox], solutions: dict[str, str]
) -> None:
    for room in rooms.values():
        text = with_lines(solutions["attention_layer"], *FINE["base classes"])
        assert graded(text, checks, room, solutions).message == (
            "The grader runs without pytorch_lightning and pydantic: a line that uses them does "
            "nothing, and costs points only where an exercise needs its result. Modules of your "
            "own count if they lie beside this file, in a folder of yours or in one .zip."
        )
        text = with_lines(solutions["attention_layer"], "import wandb", below="x = 1 / 0\n")
        said = graded(text, checks, room, solutions).message
        assert said.startswith("It raises ZeroDivisionError: division by zero (")
        assert "`x = 1 / 0`). All other lines were graded. The grader runs without wandb: " in said


# The top of a student's own module

TOPS: dict[str, tuple[str, str]] = {
    "PyTorch's module that needs it": (
        "from torch.utils.tensorboard import SummaryWriter\n"
        "SummaryWriter('runs').add_scalar('loss', 1.0)\n",
        "tensorboard",
    ),
    "PyTorch's module beside another": (
        "import torch\nfrom torch.utils import tensorboard, data\n"
        "assert issubclass(data.DataLoader, object) and torch.ones(1)\n",
        "tensorboard",
    ),
    "a module inside PyTorch's": (
        "import torch.utils.tensorboard.writer\nimport torch.utils.tensorboard.summary as s\n"
        "assert torch.ones(1)\ntorch.utils.tensorboard.writer.SummaryWriter()\n",
        "tensorboard",
    ),
    "einops' module that needs it": (
        "from einops.layers.tensorflow import Rearrange\nRearrange('a b -> b a')\n",
        "tensorflow",
    ),
    "import_module": (
        "import importlib\nimportlib.import_module('matplotlib.pyplot')\n"
        "plt = importlib.import_module('matplotlib.pyplot')\nplt.plot([1])\n",
        "matplotlib",
    ),
    "import_module of PyTorch's module": (
        "from importlib import import_module\nimport_module('torch.utils.tensorboard').x()\n",
        "tensorboard",
    ),
    "an error that is raised again": (
        "try:\n    import matplotlib.pyplot as plt\nexcept ImportError:\n    raise\n",
        "matplotlib",
    ),
    "an error that is raised as another": (
        "try:\n    import matplotlib\nexcept ImportError as error:\n"
        "    raise RuntimeError('pip install matplotlib') from error\n",
        "matplotlib",
    ),
}


@pytest.mark.dear
@pytest.mark.parametrize("name", TOPS)
def test_what_is_not_there_does_not_end_an_own_module(
    name: str, checks: Checks, sandbox: Sandbox, solutions: dict[str, str]
) -> None:
    text = using(solutions, "from my_helpers import root", "root(Q)")
    top, lacks = TOPS[name]
    grade = graded(text, checks, sandbox, {**solutions, "my_helpers.py": top + OWN})
    assert 0 < grade.points == grade.max_points
    assert grade.message.startswith(f"The grader runs without {lacks}: ")


ALTERNATIVES = {
    "PyTorch's module": "from torch.utils.tensorboard import SummaryWriter as root\n",
    "import_module": "from importlib import import_module\nroot = import_module('xformers').root\n",
    "an error that is raised again": (
        "try:\n    from xformers import root\nexcept ImportError as error:\n"
        "    raise ImportError('pip install xformers') from error\n"
    ),
}


@pytest.mark.dear
@pytest.mark.parametrize("name", ALTERNATIVES)
def test_the_alternative_counts_where_a_package_is_not_there(
    name: str, checks: Checks, sandbox: Sandbox, solutions: dict[str, str]
) -> None:
    fast, own = ALTERNATIVES[name], {"my_helpers.py": OWN}
    if "raise" in fast:  # in a module of one's own
        fast, own["fast.py"] = "from fast import root\n", fast
    lines = textwrap.indent(fast, "    ")
    tried = f"try:\n{lines}except ImportError:\n    from my_helpers import root"
    text = using(solutions, tried, "root(Q)")
    grade = graded(text, checks, sandbox, {**solutions, **own})
    assert (grade.message, grade.points) == ("", grade.max_points)


@pytest.mark.dear
def test_a_version_that_cannot_be_read_does_not_end_an_own_module(
    checks: Checks, rooms: dict[str, Sandbox], solutions: dict[str, str]
) -> None:
    top = "from importlib.metadata import version\nprint(version('torch'), version('tqdm'))\n"
    text = using(solutions, "from my_helpers import root", "root(Q)")
    grade = graded(text, checks, rooms["locked"], {**solutions, "my_helpers.py": top + OWN})
    assert 0 < grade.points == grade.max_points


# Uses that need the result of a missing package

NEEDED: dict[str, tuple[str, str, str]] = {
    "a result": (
        "import xformers.ops as xops",
        "        return xops.memory_efficient_attention(Q, K, V)\n",
        "xformers.ops.memory_efficient_attention",
    ),
    "a result of PyTorch's module that needs it": (
        "from torch.utils.tensorboard import SummaryWriter",
        "        return SummaryWriter()(Q, K, V)\n",
        "torch.utils.tensorboard.SummaryWriter",
    ),
    "in a list": ("import pandas", "        return [weights @ V, pandas.x]\n", "pandas.x"),
    "added": ("import pandas", "        return weights @ V + pandas.x\n", "pandas.x"),
    "added to": ("import pandas", "        return pandas.x * (weights @ V)\n", "pandas.x"),
    "an argument": ("import pandas", "        return torch.softmax(pandas.x, -1)\n", "pandas.x"),
    "a number": ("import pandas", "        return weights @ V * float(pandas.x)\n", "pandas.x"),
    "a tensor of it": ("import pandas", "        return torch.tensor(pandas.x)\n", "pandas.x"),
    "an array of it": (
        "import pandas, numpy",
        "        return torch.from_numpy(numpy.array(pandas.x))\n",
        "pandas.x",
    ),
    "a loop": (
        "from unknown_bars import bar",
        "        return torch.stack([w for w in bar(weights)]) @ V\n",
        "unknown_bars.bar",
    ),
    "is equal": (
        "import pandas",
        "        return weights @ V if pandas.x == pandas.y or pandas.x else pandas.x\n",
        "pandas.x",
    ),
    "a name that it would define": (
        "import pandas\nW = torch.tensor(pandas.read_csv('w.csv').values)\nW2 = W + 1",
        "        return weights @ V + W2\n",
        "pandas.read_csv.values",
    ),
}


@pytest.mark.dear
@pytest.mark.parametrize("name", sampled(NEEDED))
def test_what_an_exercise_needs_is_named(
    name: str, checks: Checks, rooms: dict[str, Sandbox], solutions: dict[str, str]
) -> None:
    above, in_forward, path = NEEDED[name]
    text = with_lines(solutions["attention_layer"], above, in_forward)
    for room in rooms.values():
        grade = graded(text, checks, room, solutions)
        wrong = of(grade, "ScaledDotProduct")
        assert wrong.points == 0
        said = wrong.checks[0].message
        assert re.match(rf"It uses {re.escape(path)}, which the grader does not have\b", said)
        assert said.endswith(". Write it with PyTorch.")
        assert of(grade, "FeedForwardLayer").points == of(grade, "FeedForwardLayer").max_points


# The stand-ins themselves


def test_the_list_has_nothing_that_draws() -> None:
    assert {"torch", "numpy", "einops", "math", "typing_extensions"} <= LISTED
    assert not {"matplotlib", "tqdm", "pandas", "IPython", "autograder", "pytest"} & LISTED


def loaded(text: str) -> tuple[Source, dict[str, Any] | None]:
    """Load a text as a submission's module in this process."""
    source = Source("work", {"work": text}, [])
    finders = list(sys.meta_path)
    try:
        return source, source.load(keep=True)
    finally:
        sys.meta_path[:] = finders
        sys.modules.pop("work", None)


def test_a_module_has_every_name_whose_line_did_not_raise() -> None:
    source, problem = loaded(
        "from __future__ import annotations\na = 1\nb = 1 / 0\nc: Missing = a\n"
        "def f(x: Nowhere) -> Never: return 2\n@undefined\ndef g(): pass\nfor d in [3]: e = d / 0\n"
        "with open('/nowhere') as h: i = 1\nj = b\nimport tqdn\nk = tqdn.tqdm\n"
    )
    assert problem is not None
    assert (problem["type"], problem["frames"][0]["line"]) == ("ZeroDivisionError", 3)
    names = {name for name in source.namespace if not name.startswith("__")}
    assert names == {"annotations", "a", "c", "f", "d", "tqdn", "k"}
    assert {name: type(why).__name__ for name, why in source.lost.items()} == {
        "b": "ZeroDivisionError",
        "g": "NameError",
        "e": "ZeroDivisionError",
        "h": "FileNotFoundError",
        "i": "FileNotFoundError",
        "j": "ZeroDivisionError",
    }
    assert source.imports is not None
    assert source.imports.missing == ["tqdn"]


def test_no_line_is_run_twice() -> None:
    source, _ = loaded("runs = []\nruns.append(1)\n1 / 0\nruns.append(2)\n2 / 0\nruns.append(3)\n")
    assert source.namespace["runs"] == [1, 2, 3]


VALUES: dict[str, Callable[[Any], object]] = {
    "a float": float,
    "a list": list,
    "compared": lambda thing: thing < 1,
    "added to a tensor": lambda thing: torch.ones(2) + thing,
    "an index": lambda thing: torch.ones(2)[thing],
    "among tensors": lambda thing: torch.stack([thing]),
    "a size": lambda thing: torch.zeros(thing),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_stand_in_has_no_value(name: str) -> None:
    with pytest.raises((NotThere, TypeError), match=r"some\.thing"):
        VALUES[name](stand_in("some.thing"))


def test_a_stand_in_is_nothing_else() -> None:
    thing: Any = stand_in("some.thing")
    assert isinstance(thing.a(1)["b"] + 2, StandIn)
    assert not isinstance(torch.ones(1), thing.Tensor)
    assert thing not in (0, 1, None, True)
    assert not thing


def test_what_is_decorated_stays() -> None:
    thing: Any = stand_in("some.thing")

    def function() -> int:
        return 1

    assert thing(function) is function
    assert thing.of(a=1)(function) is function
    assert thing(int) is int
    assert isinstance(thing(lambda: 1), StandIn)
    assert isinstance(thing(function, 1), StandIn)
