"""Show grades: to people at a terminal, and as JSON to programs."""
