"""Grade a class on all cores, and keep each result as soon as it is there."""
