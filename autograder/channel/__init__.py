"""How a check talks to a submission and to the reference: stand-ins that speak data."""

from autograder.channel.ahead import Script, Scripts
from autograder.channel.answers import Called, Frame, Gradients, Kept, Problem, Registered
from autograder.channel.asked import SEED, Asked
from autograder.channel.conversation import (
    Conversation,
    Course,
    Input,
    Module,
    Reply,
    Step,
    Trouble,
)
from autograder.channel.desk import Desk
from autograder.channel.layout import SAME, Layout, layouts
from autograder.channel.oracle import Answer, Consult, Consultation, Question
from autograder.channel.packing import Order, Packing
from autograder.channel.reference import RecordedSide, ReferenceFailed, ReferenceSide
from autograder.channel.sides import (
    SLOW,
    STOPS,
    Loaded,
    MistakenSide,
    SubmissionSide,
    Text,
)

__all__ = [
    "SAME", "SEED", "SLOW", "STOPS", "Answer", "Asked", "Called", "Consult", "Consultation",
    "Conversation", "Course", "Desk", "Frame", "Gradients", "Input", "Kept", "Layout", "Loaded",
    "MistakenSide", "Module", "Order", "Packing", "Problem", "Question", "RecordedSide",
    "ReferenceFailed", "ReferenceSide", "Registered", "Reply", "Script", "Scripts", "Step",
    "SubmissionSide", "Text", "Trouble", "layouts",
]  # fmt: skip
