"""Files that are not notebooks, or have another format version."""

from __future__ import annotations

import io
import pickle
import zipfile

from damage.released import EVERY, LEAF, Book, Damage, answer, on_bytes, on_notebook, own, put

NONE = "cannot be read as a notebook"
MEGABYTE = "0123456789abcdef" * 62_500


def replaced(name: str, data: bytes, phrase: str = NONE) -> Damage:
    """Return a case in which the file contains other bytes and no notebook."""
    return on_bytes(name, phrase, False)(lambda _: data)


# Bytes


@on_bytes("the file is cut off", NONE, False)
def cut_off(data: bytes) -> bytes:
    return data[: len(data) // 2]


@on_bytes("a byte order mark stands in front")
def byte_order_mark(data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data


@on_bytes("the file is in Latin-1", "it is not UTF-8", False)
def latin_1(data: bytes) -> bytes:
    return data.replace(b"Hello", b"Gr\xfc\xdfe", 1)


@on_bytes("the file is in UTF-16")
def utf_16(data: bytes) -> bytes:
    return data.decode().encode("utf-16")


@on_bytes("lines of the file end as on Windows")
def windows_lines(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


@on_bytes("something follows behind the end")
def trailing(data: bytes) -> bytes:
    return data + b"\n}\n"


@on_bytes("the notebook is there twice in one file", "something follows its end", False)
def twice(data: bytes) -> bytes:
    return data + data


@on_bytes("marks of a merge", NONE, False)
def merge(data: bytes) -> bytes:
    head, tail = data.split(b"\n", 1)
    return head + b"\n<<<<<<< HEAD\n" + tail


@on_bytes("a key is there twice", "has a key twice", False)
def key_twice(data: bytes) -> bytes:
    return data.replace(b"{", b'{"cells": [],', 1)


@on_bytes("the file is a zip archive of the notebook", "is really a zip archive", False)
def zipped(data: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("attention_layer.ipynb", data)
    return target.getvalue()


@on_bytes("the metadata is nested without end", "it is nested too deeply", False)
def nested(data: bytes) -> bytes:
    return data.replace(b"{", b'{"more": ' + b"[" * 100_000 + b"]" * 100_000 + b",", 1)


@on_bytes("there are too many lists", "it has too many lists", False)
def lists(data: bytes) -> bytes:
    return data.replace(b"{", b'{"more": [' + b"[]," * 1_100_000 + b"[]],", 1)


empty = replaced("the file is empty", b"", "is empty: nothing was saved in it")
blank = replaced("the file is blank", b"\n  \n", "is empty: nothing was saved in it")
page = replaced(
    "the file is a page of the web",
    b"<!DOCTYPE html><html><body>Sign in</body></html>",
    "is a web page, not the file itself",
)
python = replaced(
    "the file is Python",
    b"import torch\n\nclass TestModule:\n    pass\n",
    "is Python text, not a notebook",
)
pickled = replaced("the file is a pickle", pickle.dumps({"cells": []}))
nuls = replaced("the file is all NULs", b"\0" * 10_000, "contains NUL bytes only")
a_list = replaced("the notebook is a list", b"[]")
null = replaced("the notebook is null", b"null")
number = replaced("the notebook is a number", b"4")
long_number = replaced("the notebook is a number without end", b"9" * 10_000)
nothing_in_it = replaced("the notebook is an empty object", b"{}")


# The notebook as a whole


@on_notebook("the cells are null", "no list of cells", False)
def cells_null(book: Book) -> None:
    book["cells"] = None


@on_notebook("there is no list of cells", "no list of cells", False)
def cells_gone(book: Book) -> None:
    del book["cells"]


@on_notebook("the cells are an object", "no list of cells", False)
def cells_object(book: Book) -> None:
    book["cells"] = dict(enumerate(book["cells"]))


@on_notebook("the format is version 3")
def version_3(book: Book) -> None:
    cells = book.pop("cells")
    for cell in cells:
        del cell["id"]
        if cell["cell_type"] == "code":
            cell["input"], cell["language"] = cell.pop("source"), "python"
            cell["prompt_number"] = cell.pop("execution_count")
    book.update(nbformat=3, nbformat_minor=0, worksheets=[{"cells": cells, "metadata": {}}])


def version(name: str, *numbers: object, phrase: str = "", graded: bool = True) -> Damage:
    """Return a case in which the notebook claims another version."""

    @on_notebook(name, phrase, graded)
    def other_version(book: Book) -> None:
        book["nbformat"], book["nbformat_minor"] = numbers

    return other_version


minor_0 = version("the format is version 4.0", 4, 0)
minor_99 = version("the format is version 4.99", 4, 99)
version_5 = version("the format is version 5", 5, 0, phrase="not version 4", graded=False)
version_2 = version("the format is version 2", 2, 0, phrase="not version 4", graded=False)
version_text = version("the format is a text", "4", 5)
minor_null = version("the minor version is null", 4, None)


@on_notebook("the format has no version")
def no_version(book: Book) -> None:
    del book["nbformat"], book["nbformat_minor"]


@on_notebook("the kernel is not said")
def no_kernel(book: Book) -> None:
    book["metadata"] = {}


@on_notebook("the kernel is another one")
def other_kernel(book: Book) -> None:
    book["metadata"]["kernelspec"] = {"display_name": "R", "language": "R", "name": "ir"}
    book["metadata"]["language_info"] = {"name": "R"}


@on_notebook("the kernel is one of the student's own")
def own_kernel(book: Book) -> None:
    book["metadata"]["kernelspec"] = {"display_name": "ml", "language": "python", "name": "../x"}


@on_notebook("the kernel is null")
def kernel_null(book: Book) -> None:
    book["metadata"]["kernelspec"] = None


@on_notebook("the notebook's metadata is a list")
def metadata_list(book: Book) -> None:
    book["metadata"] = [1]


@on_notebook("the notebook has no metadata")
def no_metadata(book: Book) -> None:
    del book["metadata"]


@on_notebook("there are NaN and Infinity in it")
def nan(book: Book) -> None:
    book["metadata"]["numbers"] = [float("nan"), float("inf"), 1e999]


@on_notebook("it is the notebook of another assignment", "Was another file meant?", lost=EVERY)
def other_assignment(book: Book) -> None:
    from damage.released import release

    book.clear()
    book.update(release("normalization").filled())


# Cells


@on_notebook("a cell is null")
def cell_null(book: Book) -> None:
    put(book, None, 2)  # type: ignore[arg-type]


@on_notebook("a cell is a text", "has no kind or no text", False)
def cell_text(book: Book) -> None:
    put(book, "x = 1", 2)  # type: ignore[arg-type]


@on_notebook("a cell has no kind")
def cell_without_kind(book: Book) -> None:
    del answer(book, LEAF)["cell_type"]


@on_notebook("a cell has no text", lost=(LEAF,))
def cell_without_text(book: Book) -> None:
    del answer(book, LEAF)["source"]


@on_notebook("the text of a cell is null", lost=(LEAF,))
def text_null(book: Book) -> None:
    answer(book, LEAF)["source"] = None


@on_notebook("the text of a cell is a list of numbers", "the source of cell", False)
def text_numbers(book: Book) -> None:
    answer(book, LEAF)["source"] = [1, 2]


@on_notebook("outputs are null, numbers, gone")
def odd_outputs(book: Book) -> None:
    put(book, own("x = 1", outputs=None, execution_count="one"))
    put(book, own("x = 1", outputs=5, execution_count=-1))
    put(book, own("x = 1", outputs=[None, {"output_type": "unknown"}, {"text": 5}]))
    del answer(book, LEAF)["outputs"], answer(book, LEAF)["execution_count"]


def with_output(name: str, megabytes: int) -> Damage:
    """Return a case in which a cell has printed so many megabytes."""

    @on_notebook(name)
    def printed(book: Book) -> None:
        text = [MEGABYTE] * megabytes
        put(book, own("x = 1", outputs=[{"output_type": "stream", "name": "stdout", "text": text}]))

    return printed


output_10 = with_output("there are 10 MB of output", 10)
output_30 = with_output("there are 30 MB of output", 30)
output_100 = with_output("there are 100 MB of output", 100)


@on_notebook("an output has markup and control characters")
def markup(book: Book) -> None:
    data = {"text/html": "<script>alert(1)</script>", "text/plain": "\x1b[2J\x1b]0;x\x07\ud800"}
    output = {"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": 1}
    put(book, own("x = 1", outputs=[output]))
