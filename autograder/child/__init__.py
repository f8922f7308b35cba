"""The process of a student's code: it starts, locks itself in, and works. It knows no answer."""
