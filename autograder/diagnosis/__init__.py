"""Say which mistake it is: the misconception that leaves the same trace as a submission."""
