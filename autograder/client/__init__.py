"""Clients through which a check asks a submission or the reference, as if it were local code."""

from autograder.client.answers import Called, Frame, Gradients, Kept, Problem, Registered
from autograder.client.conversation import (
    Client,
    Conversation,
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
    LocalImplementation,
    SubmissionImplementation,
    Text,
)
from autograder.client.layout import SAME, Layout, layouts
from autograder.client.packing import Order, Packing
from autograder.client.questions import SEED, Asked
from autograder.client.reference_server import Answer, Consult, Consultation, Question
from autograder.client.references import LiveReference, RecordedReference, ReferenceFailed
from autograder.client.scripts import Script, Scripts
from autograder.client.sessions import Session

__all__ = [
    "SAME",
    "SEED",
    "SLOW",
    "STOPS",
    "Answer",
    "Asked",
    "Called",
    "Client",
    "Consult",
    "Consultation",
    "Conversation",
    "Frame",
    "Gradients",
    "Input",
    "Kept",
    "Layout",
    "LiveReference",
    "Loaded",
    "LocalImplementation",
    "Module",
    "Order",
    "Packing",
    "Problem",
    "Question",
    "RecordedReference",
    "ReferenceFailed",
    "Registered",
    "Reply",
    "Script",
    "Scripts",
    "Session",
    "Step",
    "SubmissionImplementation",
    "Text",
    "Trouble",
    "layouts",
]
