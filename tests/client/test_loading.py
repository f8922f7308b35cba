"""Recordings of a student's copy are parsed once, and again when their file changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder import course
from autograder.client.loading import DamagedRecording, recorded
from autograder.parsing import DamagedData


def test_a_recording_is_parsed_again_when_its_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.replies"
    monkeypatch.setattr(course, "recorded_file", lambda *_: path)
    parsed: list[bytes] = []

    def parse(data: bytes) -> bytes:
        if not data:
            raise DamagedData("it is empty")
        parsed.append(data)
        return data

    for data in (b"one", b"another"):
        path.write_bytes(data)
        assert [recorded("a", ".replies", parse) for _ in range(2)] == [data, data]
    assert parsed == [b"one", b"another"]
    path.write_bytes(b"")
    with pytest.raises(DamagedRecording, match="is damaged: it is empty"):
        recorded("a", ".replies", parse)
    path.unlink()
    with pytest.raises(DamagedRecording):
        recorded("a", ".replies", parse)
