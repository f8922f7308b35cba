"""Write the page of a class in HTML: where the class stands, and what to teach next.

The page has no script, needs no network and says nothing by colour alone.
"""

from __future__ import annotations

import re
from pathlib import Path

from markupsafe import Markup

from autograder.overview.standing import OUTCOMES, ExerciseStanding, Standing
from autograder.report import templates
from autograder.report.feedback import HINTS
from autograder.report.picture import svg

HERE = Path(__file__).parent
SHOWN = 10  # groups that are shown at once; the others are unfolded on demand
BARE = re.compile(r"[A-Za-z0-9_-]+")  # a key that TOML takes without quotes
WIDTH, HEIGHT = 240, 14  # of a bar, in pixels


def page(standing: Standing) -> str:
    """Return the page of an assignment."""
    groups = standing.groups
    several = [group for group in groups if len(group.students) > 1][:SHOWN]
    told = {
        "standing": standing,
        "several": several,
        "others": groups[len(several) :],
        "outcomes": [one for one in OUTCOMES if any(e.counts[one] for e in standing.exercises)],
        "points": templates.points,
        "number": lambda number: f"{number:.1f}",
        "percent": lambda share: f"{100 * share:.0f} %",
        "word": templates.word,
        "bar": bar,
        "labels": HINTS,
        "picture": lambda one, band: Markup(svg(one, band)),  # which escapes texts
        "key": lambda group: group.key if BARE.fullmatch(group.key) else f'"{group.key}"',
    }
    return templates.page("class.html", told, HERE, (HERE / "class.css").read_text("utf-8"))


def bar(exercise: ExerciseStanding) -> Markup:
    """Return a picture of the shares of outcomes; the numbers stand beside it."""
    count = sum(exercise.counts.values())
    parts, left = [], 0.0
    for outcome in OUTCOMES:
        width = WIDTH * exercise.counts[outcome] / max(count, 1)
        if width:
            parts.append(
                f'<rect class="{outcome}" x="{left:.1f}" width="{max(width - 1, 1):.1f}" '
                f'height="{HEIGHT}"/>'
            )
        left += width
    said = ", ".join(f"{exercise.counts[one]} {one}" for one in OUTCOMES if exercise.counts[one])
    return Markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="bar" role="img" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none"><title>{said}</title>'
        f"{''.join(parts)}</svg>"
    )
