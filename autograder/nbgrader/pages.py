"""What of a student's HTML is shown in formgrader and on feedback pages: text, not behaviour.

nbconvert's own cleaning shows paragraphs and heads of tables as marks in the text, and nbgrader's
pages leave it out for markdown cells, so that scripts in them run in the instructor's browser.
"""

from __future__ import annotations

import re
from typing import Any

import bleach
from jinja2 import pass_context
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

TEXT = "a abbr b br code del em i img ins kbd mark s samp small span strong sub sup u var"
BLOCKS = "blockquote dd details div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre summary ul"
TABLES = "caption table tbody td tfoot th thead tr"
TAGS = frozenset(f"{TEXT} {BLOCKS} {TABLES}".split())
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
UNSEEN = re.compile(r"<(script|style)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL)


def cleaned(html: object) -> str:
    """HTML without what acts, looks like nbgrader's own or loads anything."""
    text = html.decode(errors="replace") if isinstance(html, bytes) else str(html)
    return bleach.clean(
        UNSEEN.sub("", text),
        tags=TAGS,
        attributes=_is_allowed,
        protocols={"http", "https", "mailto", "data"},
        strip=True,
    )


@pass_context
def from_markdown(context: Any, source: str) -> str:
    """The clean HTML of a markdown cell; formulas stay for MathJax to find."""
    attached = context.get("cell", {}).get("attachments", {})
    renderer = IPythonRenderer(escape=False, attachments=attached, exclude_anchor_links=True)
    return cleaned(MarkdownWithMath(renderer=renderer).render(source))


def _is_allowed(tag: str, name: str, value: str) -> bool:
    if name not in ATTRIBUTES.get(tag, ()):
        return False
    if name == "src":
        return PICTURE.match(value) is not None  # others would be loaded from a network
    return name != "href" or "data:" not in value.lower()
