"""Shows where a class stands: what it got wrong together, and what the checks tell of it."""
