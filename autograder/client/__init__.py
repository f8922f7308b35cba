"""How a check talks to a submission and to the reference: stand-ins that speak data."""

from autograder.client.answers import Called, Frame, Gradients, Kept, Problem, Registered
from autograder.client.conversation import (
    Conversation,
    Course,
    Input,
    Module,
    Reply,
    Step,
    Trouble,
)
from autograder.client.implementations import (
    SLOW,
    STOPS,
    Loaded,
    MistakenSide,
    SubmissionSide,
    Text,
)
from autograder.client.layout import SAME, Layout, layouts
from autograder.client.packing import Order, Packing
from autograder.client.questions import SEED, Asked
from autograder.client.reference_server import Answer, Consult, Consultation, Question
from autograder.client.references import RecordedSide, ReferenceFailed, ReferenceSide
from autograder.client.scripts import Script, Scripts
from autograder.client.sessions import Desk

__all__ = [
    "SAME", "SEED", "SLOW", "STOPS", "Answer", "Asked", "Called", "Consult", "Consultation",
    "Conversation", "Course", "Desk", "Frame", "Gradients", "Input", "Kept", "Layout", "Loaded",
    "MistakenSide", "Module", "Order", "Packing", "Problem", "Question", "RecordedSide",
    "ReferenceFailed", "ReferenceSide", "Registered", "Reply", "Script", "Scripts", "Step",
    "SubmissionSide", "Text", "Trouble", "layouts",
]  # fmt: skip
