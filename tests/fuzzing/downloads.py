"""What a website gave for nbgrader zip_collect: files, folders and archives of several students."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from hypothesis import strategies as st
from nbgrader.apps import ZipCollectApp

from autograder.nbgrader.downloads import Collector, Extractor
from autograder.nbgrader.intake import Folders
from autograder.nbgrader.places import places_of
from fuzzing.case import Case, said
from fuzzing.course import course
from fuzzing.names import CODE, NAME, contents, edited, is_name, names

PREFIXES = ("mallory_", "mallory_12_34_", "mallory_LATE_12_34_", "mallory_12_35_",
            "Mallory X_12_assignsubmission_file_", "mallory/", "mallory/", "mallory/")  # fmt: skip
OWN = (
    f"{NAME}.py", f"{NAME}.py", f"{NAME}.py", f"{NAME}.ipynb", f"{NAME}-1.py", f"{NAME}.py.txt",
    f"{NAME}.zip", "mine.zip", "mine.tar.gz", "mine.tgz", f"{NAME}.PY", "timestamp.txt",
    f"anna_{NAME}.py", f"work/{NAME}.py",
    f"{NAME}.py/{NAME}.py", f"{NAME}.zip/x", f"extracted/anna/{NAME}.py", "d/" * 30 + f"{NAME}.py",
)  # fmt: skip
owned = st.one_of(
    st.sampled_from(OWN),
    st.sampled_from(OWN),
    st.sampled_from(OWN),
    st.sampled_from(OWN).flatmap(edited),
    names,
)
KINDS = ("file", "file", "file", "file", "file", "link", "pipe", "folder", "secret")
HERS = (f"anna/{NAME}.py", f"anna_{NAME}.py")
PHRASES = (
    "cannot be read as an archive", "holds no submission", "holds several files", "is a link",
    "is a folder", "leads out", "same name", "in several folders", "is empty", "is really",
    "contains NUL", "cannot be read", "members that overlap", "too long", "packed in an unusual",
    "encrypted", "more than",
)  # fmt: skip


def downloading(case: Case) -> str:
    """Collect what was downloaded, and take in all that was collected."""
    places = places_of(course().coursedir)
    top = places.root / "downloaded" / NAME
    for folder in (top, places.submitted):
        shutil.rmtree(folder, ignore_errors=True)
    archive = top / "archive"
    hers = archive / case.draw(st.sampled_from(HERS))
    hers.parent.mkdir(parents=True)
    hers.write_text(CODE)
    prefixes = case.draw(st.lists(st.sampled_from(PREFIXES), min_size=1, max_size=2))
    for _ in range(case.draw(st.integers(1, 5))):
        _lay(case, archive, case.draw(st.sampled_from(prefixes)))
    app = ZipCollectApp(parent=course(), coursedir=course().coursedir)
    app.log.disabled = True
    app.extractor_plugin, app.collector_plugin, app.force = Extractor, Collector, True
    with case.timed():
        app.init_plugins()
        app.extract_archive_files()
        app.process_extracted_files()
        folders = Folders(places.submitted)
        jobs = {student: folders.job(student, NAME) for student in folders.students(NAME)}
    assert jobs["anna"].files == {f"{NAME}.py": CODE.encode()}, jobs["anna"]
    others = [job for student, job in jobs.items() if student != "anna"]
    for job in others:
        case.reaches("somebody else's was collected")
        if not job.refused:
            case.reaches("somebody else's was read")
    refused = sorted(job.refused for job in others if job.refused)
    if refused:
        return f"refused: {said(refused[0], PHRASES)}"
    return "read" if others else "passed over"


def _lay(case: Case, archive: Path, prefix: str) -> None:
    """Put something of mallory's, or of nobody's, beside the others'."""
    own = case.draw(owned)
    path = prefix + own
    if case.draw(st.integers(0, 9)) == 0:
        path = own
    parts = [part for part in path.split("/") if is_name(part)]
    kind, data = case.draw(st.sampled_from(KINDS)), case.draw(contents)
    link = case.draw(st.sampled_from(("/etc/passwd", "..", "../anna")))
    place = archive.joinpath(*parts)
    if not parts or parts[0].startswith("anna") or os.path.lexists(place):
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        match kind:
            case "link":
                place.symlink_to(link)
            case "pipe":
                os.mkfifo(place)
            case "folder":
                place.mkdir()
            case _:
                place.write_bytes(data)
    except (OSError, ValueError):  # two that cannot be beside each other
        return
    if kind == "secret":
        place.chmod(0)
