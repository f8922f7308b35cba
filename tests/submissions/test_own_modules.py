"""A student's own modules, next to the assignments, can be imported by that student only."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
import unicodedata
import zipfile
from pathlib import Path

import nbformat
import pytest
import torch
from conftest import of, points, sampled, written
from own_files import BASE, OWN, ROOT, Files, Texts, as_notebook, has_all, in_form, put, using

from autograder.classroom.grading_jobs import submission
from autograder.client import Session
from autograder.course import skeleton
from autograder.grading.grade import Outcome
from autograder.grading.grader import Grader
from autograder.kit.hand_in import pack
from autograder.nbgrader.intake import Folders
from autograder.runtime.source import Source
from autograder.sandbox import Sandbox
from autograder.submissions import folders
from autograder.submissions.finding import find, find_each
from autograder.submissions.own_modules import RESERVED, too_many

OLD = "def root(Q):\n    raise ValueError('an old draft')\n"
APART = unicodedata.normalize("NFD", "lösung")  # as macOS may write names
WAYS: dict[str, tuple[str, str, Files]] = {
    "a name with an accent apart": ("from lösung import root", "root(Q)", {f"{APART}.py": OWN}),
    "a name with an accent apart in the code": (
        f"from {APART} import root",
        "root(Q)",
        {"lösung.py": OWN},
    ),
    "a module in a folder with an accent apart": (
        "from src.lösung import root",
        "root(Q)",
        {f"src/{APART}.py": OWN},
    ),
    "a folder with an accent apart in sys.path": (
        "import sys; sys.path.append('lösung')\nfrom my_helpers import root",
        "root(Q)",
        {f"{APART}/my_helpers.py": OWN},
    ),
    "a folder with an accent apart in the code": (
        f"import sys; sys.path.append('./{APART}')\nfrom my_helpers import root",
        "root(Q)",
        {"lösung/my_helpers.py": OWN},
    ),
    "a package with an accent apart": (
        "from lösung.masks import root",
        "root(Q)",
        {f"{APART}/__init__.py": "from .masks import root\n", f"{APART}/masks.py": OWN},
    ),
    "the file of a module with an accent apart": (
        "exec(open('lösung.py').read())",
        "root(Q)",
        {f"{APART}.py": OWN},
    ),
    "a name": ("from my_helpers import root", "root(Q)", {"my_helpers.py": OWN}),
    "all": ("from my_helpers import *", "root(Q)", {"my_helpers.py": OWN}),
    "by another name": ("import my_helpers as h", "h.root(Q)", {"my_helpers.py": OWN}),
    "late": ("", "__import__('my_helpers').root(Q)", {"my_helpers.py": OWN}),
    "one that imports another": (
        "import first",
        "first.root(Q)",
        {"first.py": "from second import root\n", "second.py": OWN},
    ),
    "a package": (
        "from helpers import root",
        "root(Q)",
        {"helpers/__init__.py": "from .masks import root\n", "helpers/masks.py": OWN},
    ),
    "a folder": ("from helpers.masks import root", "root(Q)", {"helpers/masks.py": OWN}),
    "folders": ("import a.b.c.masks", "a.b.c.masks.root(Q)", {"a/b/c/masks.py": OWN}),
    "a package with an empty __init__.py": (
        "from helpers.masks import root",
        "root(Q)",
        {"helpers/__init__.py": "", "helpers/masks.py": OWN},
    ),
    "a package beside an old module of its name": (
        "from my_helpers import root",
        "root(Q)",
        {"my_helpers/__init__.py": OWN, "my_helpers.py": OLD},
    ),
    "a module in a package, of the name of one outside": (
        "from helpers.first import root",
        "root(Q)",
        {
            "helpers/__init__.py": "",
            "helpers/first.py": "from .second import root\n",
            "helpers/second.py": OWN,
            "second.py": OLD,
        },
    ),
    "a folder put after the others in sys.path": (
        "import sys; sys.path.append('src')\nfrom my_helpers import root",
        "root(Q)",
        {"src/my_helpers.py": OLD, "my_helpers.py": OWN},
    ),
    "a folder in sys.path": (
        "import sys; sys.path.append('src')\nfrom my_helpers import root",
        "root(Q)",
        {"src/my_helpers.py": OWN},
    ),
    "a folder in sys.path in several steps": (
        "import os, sys\nsys.path.insert(0, os.path.abspath('./src/parts'))\nimport my_helpers",
        "my_helpers.root(Q)",
        {"src/parts/my_helpers.py": OWN},
    ),
    "a folder in sys.path on a line of its own": (
        "import os, sys\nsys.path.insert(\n    0,\n    os.path.join(\n        os.getcwd(),\n"
        "        'src',\n    ),\n)\nfrom my_helpers import root",
        "root(Q)",
        {"src/my_helpers.py": OWN},
    ),
    "a folder in sys.path by a variable": (
        "import os, sys\nhere = os.path.abspath(os.path.join('.', 'src'))\n"
        "if here not in sys.path:\n    sys.path.append(here)\nfrom my_helpers import root",
        "root(Q)",
        {"src/my_helpers.py": OWN},
    ),
    "a folder in sys.path by two variables, one of which is set twice": (
        "import os, sys\n# sys.path.append('old')\nlib = 'old'\nlib = 'lib'\n"
        "here = os.path.join('src', lib)\nsys.path.append(here)\nlib = 'old'\n"
        "from my_helpers import root",
        "root(Q)",
        {"src/lib/my_helpers.py": OWN},
    ),
    "a folder in sys.path beside a variable of the name of a function": (
        "import os, sys\npath = join = 'data'\n"
        "sys.path.append(os.path.join(os.getcwd(), 'src', 'lib'))\nfrom my_helpers import root",
        "root(Q)",
        {"src/lib/my_helpers.py": OWN},
    ),
    "folders in sys.path in a loop": (
        "import sys\nfor one in ('lib', 'src'):\n    sys.path.append(one)\n"
        "from my_helpers import root",
        "root(Q)",
        {"src/my_helpers.py": OWN},
    ),
    "a folder in sys.path where it is there": (
        "import os, sys\nif os.path.isdir('src') and not os.path.exists('lib'):\n"
        "    sys.path.insert(0, 'src')\nfrom my_helpers import root",
        "root(Q)",
        {"src/my_helpers.py": OWN, "my_helpers.py": OLD},
    ),
    "a folder in sys.path by pathlib": (
        "import sys\nfrom pathlib import Path\n"
        "sys.path.insert(0, str(Path('.').resolve() / 'src' / '..' / 'lib'))\nimport my_helpers",
        "my_helpers.root(Q)",
        {"lib/my_helpers.py": OWN, "my_helpers.py": OLD},
    ),
    "a folder with a space in its name in sys.path": (
        "import sys; sys.path.append('my lib')\nfrom my_helpers import root",
        "root(Q)",
        {"my lib/my_helpers.py": OWN},
    ),
    "a folder of another machine in sys.path": (
        "import sys; sys.path.insert(0, '/content/drive/MyDrive/hw6/src')\nimport my_helpers",
        "my_helpers.root(Q)",
        {"src/my_helpers.py": OWN, "my_helpers.py": OLD},
    ),
    "sys.path from another folder": (
        "import os, sys; os.chdir('src'); sys.path.insert(0, os.getcwd())\nimport my_helpers",
        "my_helpers.root(Q)",
        {"src/my_helpers.py": OWN, "my_helpers.py": OLD},
    ),
    "a name that is made at run time": (
        "import importlib; root = getattr(importlib.import_module('helpers.mas' + 'ks'), 'root')",
        "root(Q)",
        {"helpers/masks.py": OWN},
    ),
    "relative": ("from .my_helpers import root", "root(Q)", {"my_helpers.py": OWN}),
    "relative, the module itself": (
        "from . import my_helpers as h",
        "h.root(Q)",
        {"my_helpers.py": OWN},
    ),
    "relative in a package, from the folder around": (
        "from helpers.deep.first import root",
        "root(Q)",
        {"helpers/deep/first.py": "from ..masks import root\n", "helpers/masks.py": OWN},
    ),
    "a module in two folders of one name": (
        "import sys; sys.path.append('lib')\nfrom helpers.masks import root",
        "root(Q)",
        {"helpers/first.py": "x = 1\n", "lib/helpers/__init__.py": "", "lib/helpers/masks.py": OWN},
    ),
    "a module of a library's name in a package": (
        "from helpers.random import root",
        "root(Q)",
        {"helpers/random.py": OWN},
    ),
    "a module that code puts into sys.modules": (
        "import sys, types; made = types.ModuleType('made'); made.root = len\n"
        "sys.modules['made'] = made\nfrom made import root\nfrom my_helpers import root",
        "root(Q)",
        {"my_helpers.py": OWN},
    ),
    "a folder that is in sys.path for a while": (
        "import sys; sys.path.insert(0, 'src'); import my_helpers; sys.path.pop(0)",
        "__import__('my_helpers').root(Q)",
        {"src/my_helpers.py": OWN},
    ),
    "a module that ends where it raises": (
        "try:\n    from fast import root\nexcept ImportError:\n    from my_helpers import root",
        "root(Q)",
        {
            "fast.py": "import torch\nraise ImportError('no GPU')\ntorch.softmax = None\n",
            "my_helpers.py": OWN,
        },
    ),
    "a package of the name of another assignment": (
        "from normalization.layers import root\nfrom self_attention import one",
        "root(Q) + one - 1",
        {"normalization/layers.py": OWN, "self_attention/__init__.py": "one = 1\n"},
    ),
    "relative, of a library's name": ("from .types import root", "root(Q)", {"types.py": OWN}),
    "%run of a file in a folder": (
        "%run -n src/my-helpers.py --seed 1",
        "_root(Q)",
        {"src/my-helpers.py": OWN.replace("root", "_root")},
    ),
    "a folder that a command gives": (
        "import sys\nhere = %pwd\nsys.path.append(here + '/src')\nfrom my_helpers import root",
        "root(Q)",
        {"src/my_helpers.py": OWN},
    ),
    "%run of names that an import leaves out": (
        "%run my_helpers.py",
        "_root(Q)",
        {"my_helpers.py": f"__all__ = []\n{OWN.replace('root', '_root')}"},
    ),
    "%run of what a module does not do": (
        "%run my_helpers.py",
        "root(Q)",
        {"my_helpers.py": f"if __name__ == '__main__':\n{textwrap.indent(OWN, '    ')}"},
    ),
    "%run of a file that imports one beside it": (
        "%run src/first.py",
        "root(Q)",
        {"src/first.py": "from second import root\n", "src/second.py": OWN, "second.py": OLD},
    ),
    "%run of a file that ends itself": (
        "%run my_helpers.py",
        "root(Q)",
        {"my_helpers.py": f"{OWN}\nraise SystemExit(0)\n"},
    ),
    "%run with arguments": (
        "%run my_helpers.py 0.5",
        "root(Q)",
        {"my_helpers.py": "import sys\nhalf = float(sys.argv[1])\n" + OWN.replace("0.5", "half")},
    ),
    "%run with options that have values": (
        "%run -t -N 2 -l 3 my_helpers.py",
        "root(Q)",
        {"my_helpers.py": OWN},
    ),
    "%run once more, after a change": (
        "import my_helpers as h\nh.half = 3\n%run my_helpers.py\nroot.__globals__['half']",
        "root(Q)",
        {"my_helpers.py": f"half = 0.5\n{OWN.replace('0.5', 'half')}"},
    ),
    "%run of a name of several words": (
        "%run my-own-helpers.py",
        "root(Q)",
        {"my-own-helpers.py": OWN},
    ),
    "%run of a path of Windows": (
        "%run .\\src\\my_helpers.py a\\b",
        "root(Q)",
        {
            "my_helpers.py": OLD,
            "src/my_helpers.py": f"import sys\nassert sys.argv[1] == 'a\\\\b'\n{OWN}",
        },
    ),
    "%run of a notebook by a path of Windows": (
        "%run .\\my_helpers.ipynb",
        "root(Q)",
        {"my_helpers.ipynb": as_notebook(OWN)},
    ),
    "%run of a name with an escaped space": (
        "%run my\\ helpers.py",
        "root(Q)",
        {"my helpers.py": OWN},
    ),
    "%run -m": ("%run -m src.my_helpers", "root(Q)", {"src/my_helpers.py": OWN}),
    "%run of a folder in a variable": (
        "here = 'src'\n%run {here}/my_helpers",
        "root(Q)",
        {"src/my_helpers.py": OWN, "my_helpers.py": OLD},
    ),
    "%run of a notebook": (
        "%run my_helpers.ipynb  # my own",
        "root(Q)",
        {"my_helpers.ipynb": as_notebook(OWN)},
    ),
    "%run of a notebook by a variable": (
        "name = 'my_helpers'\nif True:\n    %run {name}.ipynb",
        "root(Q)",
        {"my_helpers.ipynb": as_notebook(OWN)},
    ),
    "%run of a notebook of several words that runs another": (
        '%run "./my helpers (1).ipynb"',
        "root(Q)",
        {
            "my helpers (1).ipynb": as_notebook("%run more.ipynb"),
            "more.ipynb": as_notebook(OWN),
        },
    ),
    "%run of a notebook whose functions use names of this one": (
        "%run my_helpers.ipynb\nhalf = 0.5",
        "root(Q)",
        {"my_helpers.ipynb": as_notebook(OWN.replace("0.5", "half"))},
    ),
    "%run of a notebook beside a module of its name": (
        "%run my_helpers.ipynb\nold = root\nfrom my_helpers import root\nassert old is not root",
        "root(Q)",
        {"my_helpers.py": OWN, "my_helpers.ipynb": as_notebook(OLD)},
    ),
    "%cd there and back": (
        "%cd src\n%cd -\nimport os\nassert not os.path.exists('x.py')\nfrom my_helpers import root",
        "root(Q)",
        {"my_helpers.py": OWN, "src/x.py": OLD},
    ),
    "a file that reads its arguments": (
        "from my_helpers import root",
        "root(Q)",
        {"my_helpers.py": f"import argparse; argparse.ArgumentParser().parse_args()\n{OWN}"},
    ),
    "%run": ("%run my_helpers.py", "root(Q)", {"my_helpers.py": OWN}),
    "%run without an ending": ("%run -n ./my_helpers", "root(Q)", {"my_helpers.py": OWN}),
}


@pytest.mark.dear
@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
@pytest.mark.parametrize("way", sampled(WAYS, each=2))
def test_own_modules_are_imported(
    way: str, suffix: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """Own modules are found in a folder, in an archive, and in what `make submit` packs."""
    imported, call, own = WAYS[way]
    work = in_form(suffix, using(solutions, imported, call))
    folder = put(tmp_path / "anna", {f"{BASE}{suffix}": work, **own})
    with zipfile.ZipFile(tmp_path / "ben.zip", "w") as archive:
        for path in folder.rglob("*.*"):
            archive.write(path, f"work/{path.relative_to(folder)}")
    others = {f"{name}.py": skeleton(name) for name in solutions if name != BASE}
    kit = put(shutil.copytree(folder, tmp_path / "kit"), others)
    [packed] = pack(kit, tmp_path / "packed", BASE).archives
    for place in (folder, tmp_path / "ben.zip", packed):
        [found] = find(place, BASE)
        assert has_all(grader.grade(found))


@pytest.mark.parametrize("folder", ["'src'", "os.path.join(os.path.dirname(__file__), 'src')"])
@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
def test_a_folder_put_before_all_others_in_sys_path_is_searched_first(
    suffix: str, folder: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    imported = f"import os, sys\nsys.path.insert( 0 , {folder})\nfrom my_helpers import root"
    text = using(solutions, imported, "root(Q)")
    has_file = suffix == ".py"
    work = in_form(
        suffix, text if has_file else text.replace("os.path.dirname(__file__)", "os.getcwd()")
    )
    own = {"src/my_helpers.py": OWN, "my_helpers.py": OLD}
    put(tmp_path / "class" / "anna", {f"{BASE}{suffix}": work, **own})
    [found] = find(tmp_path / "class", BASE)
    assert has_all(grader.grade(found))


WHOLLY_OWN: dict[str, tuple[str, str, Files]] = {  # where no file can be another's
    "a module that is made of a file by its path": (
        "import pathlib; from importlib import util\n"
        "there = pathlib.Path(__file__).parent / 'src' / 'my-helpers.py'\n"
        "spec = util.spec_from_file_location('my_helpers', there)\n"
        "h = util.module_from_spec(spec); spec.loader.exec_module(h)",
        "h.root(Q)",
        {"src/my-helpers.py": OWN, "my-helpers.py": OWN},
    ),
    "names that are made at run time": (
        "import importlib\nroot = [importlib.import_module(f'part{i}') for i in (1, 2)][1].root",
        "root(Q)",
        {"part1.py": "x = 1\n", "part2.py": OWN},
    ),
    "%run of a notebook in a folder": (
        "%run src/my_helpers.ipynb",
        "root(Q)",
        {"src/my_helpers.ipynb": as_notebook(OWN)},
    ),
    "relative, what the package defines": ("from . import root", "root(Q)", {"__init__.py": OWN}),
}


@pytest.mark.dear
@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
@pytest.mark.parametrize("way", WHOLLY_OWN)
def test_what_code_makes_a_name_for_is_imported(
    way: str, suffix: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """In a class's folder, and for nbgrader."""
    imported, call, own = WHOLLY_OWN[way]
    work = in_form(suffix, using(solutions, imported, call))
    for place in ("class/anna", f"submitted/anna/{BASE}"):
        put(tmp_path / place, {f"{BASE}{suffix}": work, **own})
    assert has_all(grader.grade(find(tmp_path / "class", BASE)[0]))
    job = Folders(tmp_path / "submitted").job("anna", BASE)
    assert has_all(grader.grade(submission(job)))


@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
def test_a_notebook_that_changes_its_folder_imports_from_there(
    suffix: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """A module goes on importing from its own folder, as Python does."""
    text = using(solutions, "import os; os.chdir('..')\nfrom my_helpers import root", "root(Q)")
    work = in_form(suffix, text)
    there = {"src/my_helpers.py": OLD, "my_helpers.py": OWN}
    own = there if suffix == ".ipynb" else {one: OWN if there[one] == OLD else OLD for one in there}
    put(tmp_path / "class" / "anna", {f"src/{BASE}{suffix}": work, **own})
    assert has_all(grader.grade(find(tmp_path / "class", BASE)[0]))


@pytest.mark.parametrize("command", ["%cd src", "cd src", "%cd nowhere\n%cd ./src/"])
def test_a_notebook_that_changes_its_folder_by_a_command(
    command: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    book = nbformat.reads(
        as_notebook(using(solutions, "from my_helpers import root", "root(Q)")), 4
    )
    book.cells.insert(0, nbformat.v4.new_code_cell(command))
    put(tmp_path, {f"anna/{BASE}.ipynb": nbformat.writes(book)})
    put(tmp_path, {"anna/src/my_helpers.py": OWN, "anna/my_helpers.py": OLD})
    assert has_all(grader.grade(find(tmp_path, BASE)[0]))


@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
@pytest.mark.parametrize(
    "lines",
    [
        "from IPython import get_ipython\n%run my_helpers.py",
        "from IPython.core.getipython import get_ipython\n"
        "shell = get_ipython()\nshell.run_line_magic('run', 'my_helpers.py')",
        "import IPython\nIPython.get_ipython().run_line_magic('run', 'my_helpers.py')",
    ],
)
def test_commands_run_beside_an_import_of_ipython(
    lines: str, suffix: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    work = in_form(suffix, using(solutions, lines, "root(Q)"))
    grade = grader.grade(
        find(put(tmp_path, {f"{BASE}{suffix}": work, "my_helpers.py": OWN}), BASE)[0]
    )
    assert grade.points == grade.max_points


@pytest.mark.parametrize(
    "condition",
    [
        "__name__ == '__main__'",
        "get_ipython()",
        "get_ipython().__class__.__name__ == 'ZMQInteractiveShell'",
        "'IPKernelApp' in get_ipython().config",
        "'ipykernel' in __import__('sys').modules",
    ],
)
def test_what_is_true_in_jupyter_is_true_here(
    condition: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    lines = f"if {condition}:\n    %run my_helpers.py"
    work = as_notebook(using(solutions, lines, "root(Q)"))
    [found] = find(put(tmp_path, {f"{BASE}.ipynb": work, "my_helpers.py": OWN}), BASE)
    assert has_all(grader.grade(found))


@pytest.mark.parametrize(
    "lines",
    [
        "get_ipython().user_ns.update({'half': 0.5})",
        "shell = get_ipython()\nshell.user_ns['half'] = 0.5",
        "shell = get_ipython()\nshell.ex('half = 0.5')",
        "get_ipython().ex('half = 0.5')",
        "get_ipython().run_cell('half = 0.5', store_history=False)",
    ],
)
def test_the_shell_gives_names_to_the_notebook(
    lines: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    work = as_notebook(using(solutions, lines, "Q.shape[-1] ** half"))
    [found] = find(put(tmp_path, {f"{BASE}.ipynb": work}), BASE)
    assert has_all(grader.grade(found))


def test_an_own_module_sees_where_it_lies(grader: Grader, tmp_path: Path, solutions: Texts) -> None:
    text = using(solutions, "from lib.my_helpers import root", "root(Q)")
    own = (
        "import os, sys\nhere = os.path.dirname(os.path.abspath(__file__))\n"
        "sys.path.append(os.path.join(here, 'inner'))\nfrom deepest import root\n"
    )
    inner = {"lib/my_helpers.py": own, "lib/inner/deepest.py": OWN}
    put(tmp_path / "anna", {f"{BASE}.py": text, **inner})
    assert has_all(grader.grade(find(tmp_path / "anna", BASE)[0]))


LATER = "multi_head"  # it imports from the other one
WITH_EARLIER: dict[str, tuple[str, Files]] = {  # the lines before it uses a helper, and the helpers
    "of one name": ("from my_helpers import root", {"multi_head/my_helpers.py": OWN}),
    "of an earlier assignment": ("from my_helpers import root", {f"{BASE}/my_helpers.py": OWN}),
    "by the folder": (
        f"import sys; sys.path.insert(0, '..')\nfrom {BASE}.my_helpers import root",
        {f"{BASE}/my_helpers.py": OWN},
    ),
    "the work by the folder": (
        f"import sys; sys.path.append('..')\nfrom {BASE}.{BASE} import AttentionHead as Head\n"
        f"assert Head is AttentionHead\nfrom my_helpers import root",
        {f"{BASE}/my_helpers.py": OWN},
    ),
}


@pytest.mark.dear
@pytest.mark.parametrize("way", WITH_EARLIER)
def test_earlier_work_keeps_its_own_folder(
    way: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """For a student's folder, and for nbgrader."""
    imported, own = WITH_EARLIER[way]
    text = solutions[LATER] + f"\n{imported}\nassert root(torch.ones(2, 4)) == 2\n"
    work = {f"{LATER}/{LATER}.py": text, f"{BASE}/{BASE}.py": solutions[BASE], **own}
    put(tmp_path / "anna", {f"{BASE}/my_helpers.py": OLD, **work})
    assert has_all(grader.grade(find(tmp_path / "anna", LATER)[0]))
    job = Folders(tmp_path).job("anna", LATER)
    assert has_all(grader.grade(submission(job)))


@pytest.mark.dear
@pytest.mark.parametrize("name", ["parts", "utils.parts", "package.parts"])
@pytest.mark.parametrize("ending", [".py", ".ipynb"])
def test_earlier_work_and_later_work_have_modules_of_one_name(
    name: str, ending: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """Each imports the one that lies beside it, though the earlier work runs in the middle."""
    files = {}
    for assignment in (BASE, LATER):
        text = f"from {name} import *\n"
        work = as_notebook(text) if ending == ".ipynb" else text
        files[f"{assignment}/{assignment}{ending}"] = work
        files[f"{assignment}/{name.replace('.', '/')}.py"] = solutions[assignment]
        if name.startswith("package"):
            files[f"{assignment}/package/__init__.py"] = ""
    put(tmp_path / "anna", files)
    for assignment in (BASE, LATER):
        assert has_all(grader.grade(find(tmp_path / "anna", assignment)[0]))
        assert has_all(grader.grade(submission(Folders(tmp_path).job("anna", assignment))))


@pytest.mark.dear
def test_earlier_work_runs_the_notebooks_beside_it(
    grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """Earlier work that only runs a notebook beside it counts, by itself and below later work."""
    parts = {f"{BASE}/parts.ipynb": as_notebook(written(solutions[BASE]))}
    own = {f"{BASE}/{BASE}.ipynb": as_notebook("%run parts.ipynb")}
    put(tmp_path / "anna", {f"{LATER}/{LATER}.py": solutions[LATER], **own, **parts})
    for assignment in (BASE, LATER):
        assert has_all(grader.grade(find(tmp_path / "anna", assignment)[0]))
        job = Folders(tmp_path).job("anna", assignment)
        assert has_all(grader.grade(submission(job)))


PLACES = [
    "my_helpers.py", '"my_helpers.py"', "'my_helpers.py'", "./my_helpers.py", "  my_helpers.py ",
    "/content/my_helpers.py", '"/content/drive/My Drive/my_helpers.py"', "C:\\x\\my_helpers.py",
]  # fmt: skip


@pytest.mark.dear
@pytest.mark.parametrize("magic", ["%%writefile", "%%file"])
@pytest.mark.parametrize("place", PLACES)
def test_a_module_that_the_notebook_writes_is_imported(
    place: str, magic: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """A module that a notebook writes comes before a file of its name, in a folder and a class."""
    book = nbformat.reads(
        as_notebook(using(solutions, "import my_helpers", "my_helpers.root(Q)")), 4
    )
    first, rest = OWN.split("return ")
    cells = [f"\n{magic} {place}\n{first}", f"{magic} -a {place}\n    return {rest}"]
    book.cells[:0] = map(nbformat.v4.new_code_cell, cells)
    put(tmp_path, {f"anna/{BASE}.ipynb": nbformat.writes(book), "ben.ipynb": nbformat.writes(book)})
    put(tmp_path, {"anna/my_helpers.py": "root = None\n"})
    anna, ben = find(tmp_path, BASE)
    assert has_all(grader.grade(anna))
    assert has_all(grader.grade(ben))


def test_a_notebook_writes_no_module_of_a_library_and_none_by_a_comment(
    tmp_path: Path, solutions: Texts
) -> None:
    book = nbformat.reads(as_notebook(written(solutions[BASE])), 4)
    for cell in (
        "%%writefile torch.py\nx = 1",
        "# %%writefile one.py\nx = 1",
        "%%writefile n.txt\n",
    ):
        book.cells.append(nbformat.v4.new_code_cell(cell))
    put(tmp_path, {f"{BASE}.ipynb": nbformat.writes(book)})
    assert [*find(tmp_path, None)[0].texts] == [BASE]


@pytest.mark.dear
def test_an_exercise_that_is_defined_in_an_own_module(
    grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """If an own module is wrong, exercises that need it are graded with a correct one."""
    text = written(solutions[BASE])
    begin, end = (text.index(f"class {name}(") for name in ("ScaledDotProduct", "AttentionHead"))
    own = "import math\n\nimport torch\nfrom torch import Tensor, nn\n\n\n" + text[begin:end]
    cut = text[:begin] + "from my_layers import ScaledDotProduct\n\n\n" + text[end:]
    anna = tmp_path / "anna"
    put(anna, {f"{BASE}.py": cut, "my_layers.py": own})
    assert has_all(grader.grade(find(tmp_path, BASE)[0]))
    put(anna, {"my_layers.py": own.replace(ROOT, "1")})
    grade = grader.grade(find(tmp_path, BASE)[0])
    assert of(grade, "ScaledDotProduct").outcome is Outcome.FAILED
    head = of(grade, "AttentionHead")
    assert (head.waits_for, head.points) == ("ScaledDotProduct", head.max_points)


def test_what_may_be_anothers_submission_is_not_imported(
    grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """Nobody wins points with the code beside it; in an archive, all is one person's."""
    put(tmp_path, {f"{BASE}.py": "from ben import *\n", "ben.py": solutions[BASE]})
    for place, assignment in ((f"{BASE}.py", BASE), (f"{BASE}.py", None), ("", None)):
        grade = grader.grade(find(tmp_path / place, assignment)[0])
        assert grade.points == 0
        assert "ben.py defines an exercise, so it may be another person's" in grade.message
    archive = shutil.make_archive(str(tmp_path.with_name("work")), "zip", tmp_path)
    assert has_all(grader.grade(find(Path(archive), BASE)[0]))


@pytest.mark.dear
@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
@pytest.mark.parametrize("way", sampled(WAYS, each=3))
def test_own_modules_beside_a_file_of_any_name_are_imported(
    way: str, suffix: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    imported, call, own = WAYS[way]
    work = in_form(suffix, using(solutions, imported, call))
    put(tmp_path, {f"my_solution{suffix}": work, **own})
    for assignment in (BASE, None):
        assert has_all(grader.grade(find(tmp_path / f"my_solution{suffix}", assignment)[0]))


@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
def test_a_file_that_names_itself_stays_what_it_is(
    suffix: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    text = f"# my_solution\n{written(solutions[BASE])}"
    work = in_form(suffix, text)
    put(tmp_path, {"my_solution.py": text, f"my_solution{suffix}": work})
    assert has_all(grader.grade(find(tmp_path / f"my_solution{suffix}", None)[0]))


@pytest.mark.parametrize("name", ["ben.py", f"{BASE}.py"])
@pytest.mark.parametrize("how", ["{}", "if True:\n{}", "try:\n{}\nfinally:\n    pass\n"])
def test_anothers_submission_beside_a_file_is_not_imported(
    how: str, name: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """However it is written; in a class, no file beside it is, and the message says what to do."""
    own = solutions[BASE] if how == "{}" else textwrap.indent(written(solutions[BASE]), "    ")
    put(tmp_path, {name: "from anna import *\n", "anna.py": how.replace("{}", own)})
    grade = grader.grade(find(tmp_path / name, BASE)[0])
    assert grade.points == 0
    assert "anna.py defines an exercise, so it may be another person's" in grade.message
    put(tmp_path, {"ben.py": "from anna import *\n", "anna.py": "x = 1\n"})
    [ben] = [one for one in find(tmp_path, BASE) if one.name == "ben"]
    assert [*ben.texts] == [BASE]
    said = grader.grade(ben).message
    assert said.startswith("The grader runs without anna: ")
    assert said.endswith(" beside this file, in a folder of yours or in one .zip.")


@pytest.mark.parametrize("name", sorted(RESERVED - {"autograder"}))
def test_a_module_of_a_reserved_name_is_told_to_be_renamed(
    name: str, grader: Grader, tmp_path: Path
) -> None:
    put(tmp_path / "anna", {f"{BASE}.py": f"from {name} import *\n", f"{name}.py": "x = 1\n"})
    said = grader.grade(find(tmp_path / "anna", None)[0]).message
    assert said.endswith(f"None can be called {name}: rename it.")


@pytest.mark.dear
def test_an_error_in_an_own_module_is_told_with_its_line(
    grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    text = using(solutions, "from my_helpers import root", "root(Q)")
    put(tmp_path, {f"{BASE}.py": text, "my_helpers.py": OWN.replace("q.shape", "p.shape")})
    grade = grader.grade(find(tmp_path, BASE)[0])
    said = [check.message for check in of(grade, "ScaledDotProduct").checks if check.message]
    assert "(my_helpers.py, line 5: `return p.shape[-1] ** 0.5`)" in said[0]
    put(tmp_path, {"my_helpers.py": "def root(q)\n    return 1\n"})
    grade = grader.grade(find(tmp_path, BASE)[0])
    assert "(my_helpers.py, line 1: `def root(q)`)" in grade.message


# Limits of own modules

EVIL = "raise SystemExit('shadowed')\n"


@pytest.mark.parametrize(
    "name", ["torch", "numpy", "einops", "math", "conftest", "autograder", "random", "typing"]
)
def test_nothing_takes_the_place_of_a_library(
    name: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    text = f"import {name if name != 'conftest' else 'torch'}\n{written(solutions[BASE])}"
    evil = {f"{name}.py": EVIL, f"{name}/__init__.py": EVIL}
    put(tmp_path, {f"{BASE}.py": text, **evil})
    [found] = find(tmp_path, None)
    assert [*found.texts] == [BASE]
    grade = grader.grade(found)
    assert grade.points == grade.max_points


def test_nobody_imports_what_another_student_has_written(
    grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """Another student's module is not imported, whether the class's folder or a file is graded."""
    put(tmp_path, {"anna.py": written(solutions[BASE]), "ben.py": "from anna import *\n"})
    put(tmp_path, {"cleo/attention_layer.py": "from anna import *\nfrom dora import *\n"})
    put(tmp_path, {"dora/attention_layer.py": written(solutions[BASE])})
    found = {one.name: one for one in find(tmp_path, BASE)}
    assert [*found["ben"].texts] == [*found["cleo"].texts] == [BASE]
    for one in (found["ben"], found["cleo"], find(tmp_path / "ben.py", BASE)[0]):
        assert grader.grade(one).points == 0
    assert grader.grade(found["anna"]).points == points(BASE)


@pytest.mark.dear
def test_a_module_in_the_folder_of_anothers_work_is_not_imported(
    grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """Though nothing in it is an exercise; in a folder with no work it may be one's own."""
    text = using(solutions, "import sys; sys.path.append('ben')\nimport tools", "tools.root(Q)")
    put(tmp_path, {f"{BASE}.py": text, "ben/tools.py": OWN})
    assert has_all(grader.grade(find(tmp_path / f"{BASE}.py", BASE)[0]))
    put(tmp_path, {"ben/work.ipynb": as_notebook(written(solutions[BASE]))})
    grade = grader.grade(find(tmp_path / f"{BASE}.py", BASE)[0])
    assert "ben/tools.py lies in a folder with what may be another person's" in grade.message
    assert grade.points < grade.max_points


@pytest.mark.parametrize("assignment", [BASE, None])
def test_of_several_paths_no_file_imports_what_lies_beside_it(
    assignment: str | None, tmp_path: Path, solutions: Texts
) -> None:
    """What lies there may be another's; alone, a file is taken with the modules beside it."""
    text = using(solutions, "from my_helpers import root", "root(Q)")
    put(tmp_path, {"anna.py": text, f"{BASE}.py": text, "my_helpers.py": OWN, "bob/work.py": ""})
    for name in ("anna.py", f"{BASE}.py"):
        first, *_ = find_each([tmp_path / name, tmp_path / "bob"], assignment)
        assert "my_helpers.py" not in first.texts
        [first] = find_each([tmp_path / name], assignment)
        assert "my_helpers.py" in first.texts


def test_of_several_paths_the_own_assignments_are_read_as_always(
    tmp_path: Path, solutions: Texts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "assignments_folder", lambda: tmp_path.resolve())
    text = using(solutions, "from my_helpers import root", "root(Q)")
    put(tmp_path, {f"{BASE}.py": text, "multi_head.py": "", "my_helpers.py": OWN})
    first, _ = find_each([tmp_path / f"{BASE}.py", tmp_path / "multi_head.py"], None)
    assert "my_helpers.py" in first.texts


AROUND = {  # what a file in an assignment's folder cannot import, for it may be another's
    "a folder": ("from anna.attention_layer import *", f"anna/{BASE}.py"),
    "a file": ("from anna import *", "anna.py"),
    "a file in that folder": ("from anna import *", "multi_head/anna.py"),
    "an earlier assignment": (f"from {BASE} import *", f"anna/{BASE}.py"),
}


@pytest.mark.parametrize("way", AROUND)
def test_a_file_in_an_assignments_folder_imports_nothing_of_others(
    way: str, tmp_path: Path, solutions: Texts
) -> None:
    """In a class, the files beside an assignment's folder may be those of other students.

    In submitted/, the folders of assignments are one person's.
    """
    imported, own = AROUND[way]
    work = {"multi_head/multi_head.py": f"{imported}\n", own: solutions[BASE]}
    for folder in ("class", "submitted/ben"):
        put(tmp_path / folder, work)
    [found] = find(tmp_path / "class" / "multi_head" / "multi_head.py", None)
    assert "class ScaledDotProduct" not in str(found.texts)
    [found] = find(tmp_path / "submitted" / "ben" / "multi_head" / "multi_head.py", None)
    assert ("class ScaledDotProduct" in str(found.texts)) is (way == "a file in that folder")


def test_a_file_in_an_assignments_folder_imports_its_persons_modules(
    tmp_path: Path, solutions: Texts
) -> None:
    own = {"helper.py": "a = 1\n", "multi_head/near.py": "b = 1\n"}
    text = f"import helper, near, {BASE}\n"
    put(tmp_path, {"multi_head/multi_head.py": text, f"{BASE}/{BASE}.py": solutions[BASE], **own})
    path = tmp_path / "multi_head" / "multi_head.py"
    [found] = find(path, None)
    assert {*found.texts} == {"multi_head", "helper.py", "multi_head/near.py", BASE}
    found, _ = find_each([path, tmp_path / BASE], None)
    assert {*found.texts} == {"multi_head", "multi_head/near.py", BASE}


def test_each_assignment_has_its_own_modules(
    grader: Grader, tmp_path: Path, solutions: Texts, sandbox: Sandbox
) -> None:
    """Also where one person's assignments are graded one after the other."""
    first = f"from my_helpers import *\n{solutions['running_averages']}"
    text = using(solutions, "from my_helpers import root", "root(Q)")
    put(tmp_path / "running_averages", {"running_averages.py": first, "my_helpers.py": "x = 1\n"})
    put(tmp_path / BASE, {f"{BASE}.py": text, "my_helpers.py": OWN})
    session = Session(sandbox)
    found = find(tmp_path, None)
    try:
        assert [has_all(grader.grade(one, session)) for one in found] == [True, True]
    finally:
        session.clear()


@pytest.mark.parametrize("folder", ["", "src/"])
@pytest.mark.parametrize("name", [BASE, "hw"])
def test_a_notebook_imports_the_module_of_its_name(
    name: str, folder: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """A module of the notebook's own name has helpers, or some of the exercises."""
    imported = f"import sys; sys.path.insert(0, './{folder}')\nfrom {name} import root"
    text = using(solutions, imported, "root(Q)")
    work = {f"{name}.ipynb": as_notebook(text), f"{folder}{name}.py": OWN}
    put(tmp_path / "class" / "anna", work)
    put(tmp_path / "submitted/anna" / BASE, work)
    job = Folders(tmp_path / "submitted").job("anna", BASE)
    for found in (find(tmp_path / "class", BASE)[0], submission(job)):
        grade = grader.grade(found)
        assert 0 < grade.points == grade.max_points


PACKED_APART: dict[str, tuple[str, Files]] = {  # the import in src/, and the helpers
    "an old module at the top": (
        "from my_helpers",
        {"src/my_helpers.py": OWN, "my_helpers.py": OLD},
    ),
    "by the folder": (
        "import sys; sys.path.append('..')\nfrom src.my_helpers",
        {"src/my_helpers.py": OWN, "x.py": ""},
    ),
    "a folder in it of the same name": (
        "from src.my_helpers",
        {"src/src/__init__.py": "", "src/src/my_helpers.py": OWN, "x.py": ""},
    ),
    "beside the folder": (
        "import os, sys; os.chdir('..'); sys.path.append('lib')\nfrom my_helpers",
        {"lib/my_helpers.py": OWN},
    ),
}


@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
@pytest.mark.parametrize("way", PACKED_APART)
def test_nbgrader_keeps_the_folders_of_a_submission(
    way: str, suffix: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    imported, own = PACKED_APART[way]
    text = using(solutions, f"{imported} import root", "root(Q)")
    work = in_form(suffix, text)
    put(tmp_path / "anna" / BASE, {f"src/{BASE}{suffix}": work, **own})
    assert has_all(grader.grade(submission(Folders(tmp_path).job("anna", BASE))))


@pytest.mark.dear
def test_a_file_for_each_class(grader: Grader, tmp_path: Path, solutions: Texts) -> None:
    """A wrong exercise is charged once also where its module has its name."""
    text = written(solutions[BASE])
    begin, end = (text.index(f"class {name}(") for name in ("ScaledDotProduct", "AttentionHead"))
    own = "import math\n\nimport torch\nfrom torch import Tensor, nn\n\n\n" + text[begin:end]
    used = text[end:].replace("ScaledDotProduct(", "ScaledDotProduct.ScaledDotProduct(")
    files = {
        f"{BASE}.py": f"{text[:begin]}from head import *\nfrom ScaledDotProduct import *\n",
        "head.py": f"{text[:begin]}import ScaledDotProduct\n\n\n{used}",
        "ScaledDotProduct.py": own,
    }
    put(tmp_path / "anna", files)
    assert has_all(grader.grade(find(tmp_path, BASE)[0]))
    put(tmp_path / "anna", {"ScaledDotProduct.py": own.replace(ROOT, "1")})
    head = of(grader.grade(find(tmp_path, BASE)[0]), "AttentionHead")
    assert (head.waits_for, head.points) == ("ScaledDotProduct", head.max_points)


@pytest.mark.dear
def test_a_link_is_not_followed(grader: Grader, tmp_path: Path, solutions: Texts) -> None:
    text = using(solutions, "from my_helpers import root\nimport helpers", "root(Q)")
    put(tmp_path, {f"anna/{BASE}.py": text, "ben/my_helpers.py": OWN})
    (tmp_path / "anna" / "my_helpers.py").symlink_to(tmp_path / "ben" / "my_helpers.py")
    (tmp_path / "anna" / "helpers").symlink_to(tmp_path / "ben")
    [found] = find(tmp_path / "anna", None)
    assert [*found.texts] == [BASE, "my_helpers.py"]
    grade = grader.grade(found)
    assert "is a link, not a file" in grade.message
    assert grade.points < points(BASE)


def test_a_child_keeps_its_libraries_whatever_it_is_sent() -> None:
    own = {"own": "import torch, first", "torch.py": EVIL, "first.py": "x = 1"}
    source = Source("own", own, [])
    assert source.load(keep=False) is None
    assert source.namespace["torch"] is torch
    assert "first" not in sys.modules


def test_a_notebook_is_no_module_to_import(tmp_path: Path, solutions: Texts) -> None:
    text = using(solutions, "from my_helpers import root", "root(Q)")
    put(tmp_path, {f"{BASE}.py": text, "my_helpers.ipynb": json.dumps({"cells": []})})
    assert [*find(tmp_path, None)[0].texts] == [BASE]


@pytest.mark.dear
def test_there_may_be_so_many(tmp_path: Path, solutions: Texts) -> None:
    many = {f"own_{i}.py": "x = 1\n" * 20_000 for i in range(60)}
    text = "".join(f"import own_{i}\n" for i in range(60)) + written(solutions[BASE])
    put(tmp_path, {f"{BASE}.py": text, **many})
    [found] = find(tmp_path / f"{BASE}.py", BASE)
    assert len(repr(found.texts)) < 1_000_000
    assert "there are too many modules" in repr(found.texts)


def test_what_says_that_there_are_too_many_can_be_run_whatever_the_name() -> None:
    [[label, text]] = too_many("a\"b'.py")
    with pytest.raises(ImportError, match="there are too many modules"):
        exec(compile(text, label, "exec"))


def test_what_is_not_imported_is_left_where_it_is(tmp_path: Path) -> None:
    own = {"one.py": "import two\n", "two.py": "y = 1\n", "x.py": "y = 1\n"}
    put(tmp_path, {f"{BASE}.py": "import one\n", **own})
    [found] = find(tmp_path, None)
    assert [*found.texts] == [BASE, "one.py", "two.py"]
