"""From submissions to grades: run the checks, decide outcomes, count points."""
