"""The settings of this course. It is yours: building the course again leaves it as it is."""

from pathlib import Path

try:
    from autograder.nbgrader.configuration import configure
except ImportError as problem:  # nbgrader would go on without this file, and run any code
    raise SystemExit(
        f"{problem}: the kit is not installed where this nbgrader is. "
        "Start the nbgrader of the kit's own environment, .venv/bin/nbgrader."
    ) from None

c = get_config()
c.CourseDirectory.root = str(Path(__file__).resolve().parent)

# The course's name, and the folder through which students get and hand in notebooks. All of them
# must be able to write there; without a setting it is exchange/ beside this file.
# c.CourseDirectory.course_id = "attention"
# c.Exchange.root = "/srv/nbgrader/exchange"

# The gradebook; without a setting it is gradebook.db beside this file.
# c.CourseDirectory.db_url = "postgresql://user:password@host/gradebook"

configure(c)

# What you set below this line counts instead of what the kit sets.
