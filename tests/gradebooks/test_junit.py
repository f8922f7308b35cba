"""The JUnit report is as Jenkins's schema wants it, and says who is at fault."""

from __future__ import annotations

import importlib.util
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import NamedTuple

import junitparser
import pytest
from conftest import Command, copied_course
from json_documents import (
    HIDDEN,
    UNREADABLE,
    Json,
    broken,
    check,
    document,
    exercise,
    refused,
    scored,
    unclaimed,
)
from json_documents import submission as submitted

from autograder.gradebooks.formats import junit
from autograder.report.codes import FAILED, OK, USAGE


class Element(NamedTuple):
    required: set[str]
    optional: set[str]
    inside: set[str]


# Of junit-10.xsd, in Jenkins's xunit plugin: attributes, and elements inside.
RESULT = Element(set(), {"type", "message"}, set())
SCHEMA = {
    "testsuites": Element(set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": Element(
        {"name", "tests", "failures", "errors"},
        {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log"},
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
    ),
    "testcase": Element(
        {"name"},
        {"time", "classname", "group"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": RESULT,
    "error": RESULT,
    "skipped": RESULT,
}
TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]{0,3})?")  # SUREFIRE_TIME


def report(command: Command, folder: Path, *given: Json, code: int = OK) -> ElementTree.Element:
    out = folder / "report.xml"
    run = command("export", "junit", document(folder, *given), "--out", out)
    assert run.returncode == code, run.stderr
    found = ElementTree.fromstring(out.read_bytes())
    validate(found)
    return found


def validate(element: ElementTree.Element) -> None:
    rule = SCHEMA[element.tag]
    assert rule.required <= {*element.attrib} <= rule.required | rule.optional, element.attrib
    assert {one.tag for one in element} <= rule.inside
    assert TIME.fullmatch(element.get("time", "0"))
    for one in element:
        validate(one)


def outcomes(found: ElementTree.Element) -> dict[str, list[tuple[str, str, str]]]:
    return {
        case.attrib["name"]: [(r.tag, r.get("message", ""), r.text or "") for r in case]
        for case in found.iter("testcase")
    }


def test_each_outcome_is_what_a_ci_system_understands(command: Command, tmp_path: Path) -> None:
    checks = [
        check("right"),
        check("wrong", "failed", message="expected 1, got 2\nlook"),
        check("absent", "missing", message="There is no Head."),
        check("waits", "blocked", message="Waits for Norm."),
        check("secret", "failed", visible=False, message=HIDDEN),
    ]
    found = report(command, tmp_path, submitted("anna", exercise("Head", *checks)))
    assert outcomes(found) == {
        "anna Head right": [],
        "anna Head wrong": [("failure", "failed: Title of wrong", "expected 1, got 2\nlook")],
        "anna Head absent": [("failure", "missing: Title of absent", "There is no Head.")],
        "anna Head waits": [("skipped", "blocked: Title of waits", "Waits for Norm.")],
        "anna Head secret": [("failure", "failed: Title of secret (hidden)", HIDDEN)],
    }
    (suite,) = found
    assert suite.attrib["name"] == "anna attention_layer"
    counts = {name: suite.attrib[name] for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "5", "failures": "3", "errors": "0", "skipped": "1"}
    assert [found.attrib[name] for name in ("tests", "failures", "errors")] == ["5", "3", "0"]


def test_the_graders_fault_is_an_error(command: Command, tmp_path: Path) -> None:
    half = submitted("ben", exercise("Head", check("a"), check("b", "error", message="oh")))
    others = refused("carl"), unclaimed("dora")
    found = report(command, tmp_path, broken("anna"), half, *others, code=FAILED)
    assert outcomes(found) == {
        "anna": [("error", f"error: {junit.STAFF}", "The sandbox failed twice.")],
        "ben Head a": [],
        "ben Head b": [("error", "error: Title of b", "oh")],
        "carl Head c1": [("failure", "failed: Title of c1", UNREADABLE)],
        "carl Head c2": [("failure", "failed: Title of c2", UNREADABLE)],
        "dora": [("failure", f"unreadable: {junit.WHOLE}", UNREADABLE)],
    }
    assert (found.get("failures"), found.get("errors")) == ("3", "2")


def test_no_two_tests_have_one_name(command: Command, tmp_path: Path) -> None:
    both = exercise("Head", check("a"), check("b")), exercise("Norm", check("a"), check("b"))
    other = submitted("anna", exercise("Other", check("a")), assignment="multi_head")
    found = report(command, tmp_path, submitted("anna", *both), submitted("ben", *both), other)
    names = [case.attrib["name"] for case in found.iter("testcase")]
    assert len(names) == len({*names}) == 9


def test_another_reader_reads_it(command: Command, tmp_path: Path) -> None:
    report(command, tmp_path, scored("anna", 7), scored("ben", 10))
    read = junitparser.JUnitXml.fromfile(str(tmp_path / "report.xml"))
    assert [(suite.name, suite.failures) for suite in read] == [
        ("anna attention_layer", 1),
        ("ben attention_layer", 0),
    ]


def test_any_text_is_valid_xml(command: Command, tmp_path: Path) -> None:
    said = "]]> <a&b> \x00\x1b[31m\x0b \ufffe \u202e 𝕏 \n"
    given = submitted("anna", exercise("Head", check("a", "failed", message=said)))
    found = outcomes(report(command, tmp_path, given))
    assert "]]> <a&b>" in found["anna Head a"][0][2]
    assert "\x1b" not in found["anna Head a"][0][2]


def test_a_large_report_is_cut_and_that_is_said(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = submitted("anna", exercise("Head", check("a", "failed", message="x" * 1500)))
    path, out = document(tmp_path, given), tmp_path / "report.xml"
    assert command("export", "junit", path, "--out", out).stderr == ""
    for most, kept in ((1000, 200), (450, 0)):
        monkeypatch.setattr(junit, "MOST", most)
        run = command("export", "junit", path, "--out", out)
        assert (run.returncode, run.stderr.strip()) == (
            OK,
            f"The report would have more than {most} bytes, so each message was cut to {kept} "
            "characters.",
        )
        assert out.stat().st_size <= most
        assert out.read_text().count("x" * kept) >= 1
    before = out.read_bytes()
    monkeypatch.setattr(junit, "MOST", 100)
    run = command("export", "junit", path, "--out", out)
    assert (run.returncode, run.stderr.strip()) == (
        USAGE,
        "The report would have more than 100 bytes. Export fewer students at a time.",
    )
    assert out.read_bytes() == before


def test_the_largest_report_is_one_that_gitlab_takes() -> None:
    assert junit.MOST <= 30 * 1000 * 1000


def test_only_its_own_file_is_replaced(command: Command, tmp_path: Path) -> None:
    report(command, tmp_path, scored("anna", 7))
    report(command, tmp_path, scored("anna", 8))
    (tmp_path / "report.xml").write_text("<testsuites/>")
    path = document(tmp_path, scored("anna", 7))
    run = command("export", "junit", path, "--out", tmp_path / "report.xml")
    assert run.returncode == USAGE
    assert "would be lost" in run.stderr


def test_without_junitparser_it_says_what_to_install(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(junit, "find_spec", lambda name: None if "junit" in name else find(name))
    path = document(tmp_path, scored("anna", 7))
    run = command("export", "junit", path, "--out", tmp_path / "report.xml")
    assert (run.returncode, run.stderr.strip()) == (
        FAILED,
        "junit needs junitparser. Install it: .venv/bin/pip install '.[export]' in the kit's "
        "folder.",
    )


def test_a_report_has_the_title_of_its_course(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be written again."""
    copied_course(tmp_path, monkeypatch)
    for _ in range(2):
        assert report(command, tmp_path, submitted("anna")).attrib["name"] == "Means and powers"
