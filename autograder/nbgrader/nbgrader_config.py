"""Settings of this course. The file is yours: building the course again does not change it."""

from pathlib import Path

try:
    from autograder.nbgrader.configuration import configure
except ImportError as problem:  # nbgrader would go on without this file, and run students' code
    raise SystemExit(
        f"{problem}: the kit is not installed where this nbgrader is. "
        "Use the nbgrader of the kit's own environment, .venv/bin/nbgrader."
    ) from None

c = get_config()
c.CourseDirectory.root = str(Path(__file__).resolve().parent)

# The course's name, and the folder through which students get and hand in notebooks. All of them
# must be able to write there. The default is exchange/ next to this file.
# c.CourseDirectory.course_id = "attention"
# c.Exchange.root = "/srv/nbgrader/exchange"

# The gradebook. The default is gradebook.db next to this file.
# c.CourseDirectory.db_url = "postgresql+psycopg2://user:password@host/gradebook"

configure(c)

# Settings below this line override those of the kit.
