"""The graders: for each assignment, pytest functions that tell right from wrong."""
