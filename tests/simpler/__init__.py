"""Graders of ten lines, as careful teachers write them, to compare the kit with."""
