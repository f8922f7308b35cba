"""Diagnose mistakes: find the misconception that leaves the same trace as a submission."""
