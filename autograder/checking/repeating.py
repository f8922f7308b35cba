"""Laws about calls that are repeated: later, or after eval()."""

from __future__ import annotations

from autograder.checking.agreement import Wrong, assert_same_numbers, showing
from autograder.checking.laws import Law, is_close, pairs, rolled
from autograder.checking.tolerance import Operation
from autograder.client import Called, Module, Reply

AFTER_EVAL = "after eval()", "evaluation"  # when the second call is made, and the symptom


def is_the_same_in_evaluation(
    module: Module, operation: Operation, first: Reply[Called], of_function: bool = False
) -> Law:
    """Law: the same call after eval() gives the same result as in training. first: its reply.

    of_function: what is called has no eval(), and is only called again.
    """
    when, symptom = ("in a second call", "earlier call") if of_function else AFTER_EVAL
    again = module.eval()(*operation.inputs)
    module.train()
    yield
    for old, new in pairs(first, again):
        if old.shape != new.shape:
            text = f"The same input gives a result of another shape {when}."
            raise Wrong("wrong shape", text, symptom=symptom)
        if broken := int((~old.isfinite()).sum()):  # NaN never equals NaN
            text = f"{broken} of {old.numel()} numbers of the result are NaN or infinite."
            raise Wrong("not finite", text)
        with showing(symptom):
            assert_same_numbers(f"The same input {when}", new, old, operation, old.dtype)


def keeps_nothing_between_calls(module: Module, operation: Operation, first: Reply[Called]) -> Law:
    """Law: in evaluation, a call with other inputs of equal shapes does not affect the next one.

    first: the reply to the inputs of the operation.
    """
    module.eval()(*rolled(operation.inputs))
    again = module(*operation.inputs)
    module.train()
    yield
    for old, new in pairs(first, again):
        if not is_close(old, new, operation):
            text = (
                "An input gives another result if a call with other numbers came before it. Does "
                "a call store something that the next one uses?"
            )
            raise Wrong("another result", text, symptom="earlier call")
