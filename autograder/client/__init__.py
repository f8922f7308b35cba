"""Clients through which a check asks a submission or the reference, as if it were local code."""

from autograder.client.answers import Called, Frame, Gradients, Problem, Registered, TensorState
from autograder.client.client import Client
from autograder.client.conversation import Conversation, Reply, StepFailed
from autograder.client.layout import SAME, Layout, layouts
from autograder.client.loaded import SLOW, STOPS, Edited, EditWanted, Loaded, Text, ValueWanted
from autograder.client.local_implementation import LocalImplementation
from autograder.client.module import Module
from autograder.client.packing import Arguments, Order, Packing
from autograder.client.reference_server import Consult, Consultation, RequestData, Response
from autograder.client.references import LiveReference, RecordedReference, ReferenceFailed
from autograder.client.scripts import Script, Scripts
from autograder.client.sessions import Session
from autograder.client.submission_implementation import SubmissionImplementation
from autograder.runtime.questions import NUMPY, Input

__all__ = [
    "NUMPY",
    "SAME",
    "SLOW",
    "STOPS",
    "Arguments",
    "Called",
    "Client",
    "Consult",
    "Consultation",
    "Conversation",
    "EditWanted",
    "Edited",
    "Frame",
    "Gradients",
    "Input",
    "Layout",
    "LiveReference",
    "Loaded",
    "LocalImplementation",
    "Module",
    "Order",
    "Packing",
    "Problem",
    "RecordedReference",
    "ReferenceFailed",
    "Registered",
    "Reply",
    "RequestData",
    "Response",
    "Script",
    "Scripts",
    "Session",
    "StepFailed",
    "SubmissionImplementation",
    "TensorState",
    "Text",
    "ValueWanted",
    "layouts",
]
