"""Recognize files that programs add, and those handed in by mistake instead of the work."""

from __future__ import annotations

import re

# Files and folders that programs add, in any folder.
IGNORED = re.compile(
    r"\..*|__MACOSX|__pycache__|node_modules|site-packages|venv|desktop\.ini|Thumbs\.db|.*\$RECYCLE.*",
    re.IGNORECASE,
)
START = 4096  # bytes that tell what a file is
SEARCHED = 1_000_000  # bytes in which lines of Python are looked for
CONFLICT = re.compile(rb"^<{7}(?= |\r?$).*", re.MULTILINE)
RESOLVE = (
    "Keep one of the versions, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>."
)
CONFLICT_END = re.compile(rb"^>{7}(?= |\r?$)", re.MULTILINE)
PAGE = re.compile(rb"<(!doctype\s+html|html|head|body)\b", re.IGNORECASE)
BEFORE_PAGE = ((b"<!--", b"-->"), (b"<?xml", b">"))  # begins and ends of what may precede it
SHORTCUT = re.compile(rb'"(doc_id|resource_key)"|"url"\s*:\s*"https?://(docs|drive|colab)\.')
PYTHON = re.compile(rb"^(import |from \w[\w.]* import |class \w+|def \w+)", re.MULTILINE)
UNFINISHED = (".crdownload", ".part", ".partial", ".download", ".opdownload", ".tmp")
OTHER_ARCHIVES = (".7z", ".rar", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".gz", ".bz2", ".xz")
PACKED = {b"7z\xbc\xaf\x27\x1c": "7z", b"Rar!": "RAR", b"\x1f\x8b": "gzip", b"BZh": "bzip2"}
STARTS = (*PACKED, b"PK\x03\x04", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"\x1f\x9d")  # of all archives
# What libraries and offices pack, which holds no work.
DATA = (".npz", ".pt", ".pth", ".ckpt", ".xlsx", ".pptx", ".odp", ".ods", ".whl")
UNSUPPORTED = "is an archive of an unsupported kind. Pack it as .zip."
LINK = "is a link. Hand in the file or the folder itself."
SAVE = "Save your work again, look into the file, and hand that in."


def mistaken(data: bytes, is_notebook: bool) -> str:
    """Say what is wrong with a file's content and what to do; "" if nothing is."""
    start = data[:START].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start and not data.strip(b"\xef\xbb\xbf \t\r\n"):
        return f"is empty: nothing was saved in it. {SAVE}"
    if not data.strip(b"\0"):
        return f"contains NUL bytes only: it was not saved completely. {SAVE}"
    if start.startswith(b"version https://git-lfs."):
        return "is only a pointer of Git LFS. Fetch the file with git lfs pull, and hand that in."
    if _is_page(start):
        return (
            "is a web page, not the file itself. Download the file (on GitHub: Download raw file; "
            "elsewhere sign in first), and hand that in."
        )
    if found := _binary(start, data):
        kind = "the notebook (.ipynb)" if is_notebook else "the module (.py)"
        return f"is really {found}. Hand in {kind} itself, or an archive named .zip."
    if line := _conflict(data):
        return f"has a merge conflict in it (line {line}). {RESOLVE}"
    return _no_notebook(start, data) if is_notebook else ""


def _is_page(start: bytes) -> bool:
    """Return whether a web page begins here, after any comments, in linear time."""
    start = start.lower()
    while end := next((end for begin, end in BEFORE_PAGE if start.startswith(begin)), None):
        start = start.partition(end)[2].lstrip()
    return bool(PAGE.match(start))


def unread(name: str) -> str:
    """Return why a file of this name is not read and what to do, to follow its name; else ""."""
    if said := unread_work(name):
        return said
    if is_document(name):
        return "is not what is graded. Hand in the notebook (.ipynb) or the module (.py) itself."
    return ""


def is_document(name: str) -> bool:
    """Return whether a file is a page or a document by its name, which holds no work."""
    return name.lower().endswith((".html", ".htm", ".pdf", ".docx", ".doc", ".odt", ".rtf"))


def unread_work(name: str) -> str:
    """Return the sentence of `unread` for a file that may hold a module or a notebook, else ""."""
    lower = name.lower()
    if lower.endswith(UNFINISHED):
        return "is not completely downloaded. Download it again, and hand that in."
    if lower.endswith((".gdoc", ".gsheet", ".url", ".webloc", ".lnk")):
        return "is only a shortcut. Download the notebook (.ipynb) itself, and hand that in."
    if lower.endswith(OTHER_ARCHIVES) and not lower.endswith(".tar.gz"):
        return UNSUPPORTED
    return ""


def packed_work(name: str, start: bytes) -> str:
    """Return why a file of another kind may be an archive with work, to follow its name; else "".

    start: its first bytes, which tell an archive whatever its name is.
    """
    if is_document(name) or name.lower().endswith(DATA):
        return ""
    is_tar = start[257:262] == b"ustar"
    return UNSUPPORTED if is_tar or start.startswith(STARTS) else ""


def _binary(start: bytes, data: bytes) -> str:
    if start.startswith(b"PK\x03\x04"):
        is_word = b"word/" in data[:100_000] or b"word/" in data[-100_000:]
        return "a Word document" if is_word else "a zip archive"
    if start.startswith(b"%PDF"):
        return "a PDF"
    if start.startswith(b"{\\rtf"):
        return "a text document (RTF)"
    packed = next((name for magic, name in PACKED.items() if start.startswith(magic)), "")
    return f"an archive ({packed})" if packed else ""


def _conflict(data: bytes) -> int:
    """Return the line where a merge conflict begins, or 0."""
    if b"<<<<<<<" not in data:  # much faster than the pattern, for a large notebook
        return 0
    found = CONFLICT.search(data)
    if not found or not CONFLICT_END.search(data, found.end()):
        return 0
    return data.count(b"\n", 0, found.start()) + 1


def _no_notebook(start: bytes, data: bytes) -> str:
    is_object = start.startswith(b"{") and len(data) < START and b'"cells"' not in start
    if is_object and SHORTCUT.search(start):
        return (
            "is only a shortcut to Google Drive. Download the notebook there (File, Download, "
            ".ipynb), and hand that in."
        )
    if not start.startswith((b"{", b"[")) and PYTHON.search(data, 0, SEARCHED):
        return "is Python text, not a notebook. Give it a name that ends in .py."
    return ""
