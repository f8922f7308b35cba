"""How a check talks to a submission and to the reference: stand-ins that speak data."""

from autograder.channel.answers import Called, Frame, Gradients, Problem
from autograder.channel.conversation import Conversation, Course, Module, Reply, Trouble
from autograder.channel.layout import Layout, layouts
from autograder.channel.sides import Loaded, ReferenceFailed, ReferenceSide, SubmissionSide, Text

__all__ = [
    "Called", "Conversation", "Course", "Frame", "Gradients", "Layout", "Loaded", "Module",
    "Problem", "ReferenceFailed", "ReferenceSide", "Reply", "SubmissionSide", "Text", "Trouble",
    "layouts",
]  # fmt: skip
