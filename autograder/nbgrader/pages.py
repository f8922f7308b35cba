"""What of a student's HTML is shown in formgrader and on feedback pages: text, not behaviour.

nbconvert's own cleaning shows paragraphs and heads of tables as marks in the text, and nbgrader's
pages leave it out for markdown cells, so that scripts in them run in the instructor's browser.
"""

from __future__ import annotations

import re
from typing import Any

import nh3
from jinja2 import pass_context
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

TEXT = "a abbr b br code del em i img ins kbd mark s samp small span strong sub sup u var"
BLOCKS = "blockquote dd details div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre summary ul"
TABLES = "caption table tbody td tfoot th thead tr"
TAGS = set(f"{TEXT} {BLOCKS} {TABLES}".split())
ATTRIBUTES = {
    "a": {"href", "title"},
    "abbr": {"title"},
    "details": {"open"},
    "img": {"alt", "src"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
}  # no class and no id: by them formgrader finds its own elements
PICTURE = re.compile(r"data:image/(png|jpeg|gif);base64,")


def cleaned(html: object) -> str:
    """HTML without what acts, looks like nbgrader's own or loads anything."""
    text = html.decode(errors="replace") if isinstance(html, bytes) else str(html)
    return nh3.clean(
        text,
        tags=TAGS,
        clean_content_tags={"script", "style"},
        attributes=ATTRIBUTES,
        attribute_filter=_filtered,
        url_schemes={"http", "https", "mailto", "data"},
        link_rel=None,
    )


@pass_context
def from_markdown(context: Any, source: str) -> str:
    """The clean HTML of a markdown cell; formulas stay for MathJax to find."""
    attached = context.get("cell", {}).get("attachments", {})
    renderer = IPythonRenderer(escape=False, attachments=attached, exclude_anchor_links=True)
    return cleaned(MarkdownWithMath(renderer=renderer).render(source))


def _filtered(tag: str, name: str, value: str) -> str | None:
    """The value of an attribute, or None where it may not stay."""
    if name not in ATTRIBUTES.get(tag, ()):
        return None
    if name == "src":
        return value if PICTURE.match(value) else None  # others would be loaded from a network
    return None if name == "href" and "data:" in value.lower() else value
