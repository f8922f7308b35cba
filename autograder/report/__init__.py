"""Show grades: to people at a terminal and as pages, to programs as JSON and CSV."""
