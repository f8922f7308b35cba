"""Carry out the steps of a question on a module's classes, and answer with data.

The same interpreter runs the submission (in its child) and the reference (in the grader), so both
answer the same questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.runtime import calling, inspecting, questions
from autograder.runtime.objects import Objects
from autograder.runtime.questions import Calling, Inspecting, ObjectStep, Question, Step
from autograder.runtime.refused import StepRefused
from autograder.runtime.settings import kept, seed
from autograder.runtime.source import Source

MAKING = questions.Build, questions.Take, questions.Load  # steps whose object a failure spoils
StepAnswer = dict[str, Any]  # {"value": ...} or {"problem": ...}


class Interpreter:
    """Answer questions about the classes and functions of one loaded module."""

    def __init__(self, source: Source, objects: Objects | None = None) -> None:
        self.source = source
        self.objects = objects or Objects(source)
        self._not_made: dict[int, StepAnswer] = {}  # problems of objects, by number
        self._seed = 0  # of this question

    def answer(self, question: Question) -> list[StepAnswer]:
        """Return one answer per step.

        A step that needs an object which could not be built or loaded repeats that object's
        problem. After a timeout, all remaining steps repeat the timeout.
        """
        self._seed = question.seed
        seed(self._seed)
        answers: list[StepAnswer] = []
        late: StepAnswer | None = None
        for number, step in enumerate(question.steps, 1):
            not_made = self._not_made.get(step.of) if isinstance(step, ObjectStep) else None
            answer = late or not_made or self._answer(step, question.steps[number:])
            answers.append(answer)
            problem = answer.get("problem")
            if problem and isinstance(step, MAKING):
                self._not_made[step.of] = answer
            if problem and problem["kind"] == "timeout":
                late = answer
        return answers

    def forget(self) -> None:
        """Drop all objects before the next check begins, see Objects.forget."""
        self._not_made.clear()
        self.objects.forget()

    def _answer(self, step: Step, following: Sequence[Step]) -> StepAnswer:
        try:
            with kept():  # what one exercise sets must not cost another its points
                return {"value": self._value(step, following)}
        except StepRefused as refused:
            return {"problem": refused.problem}
        except BaseException as error:
            return {"problem": self.source.problem(error)}

    def _value(self, step: Step, following: Sequence[Step]) -> Any:
        """Carry out a step. following: the question's later steps."""
        match step:
            case questions.Build():
                return self.objects.build(step, self._seed, following)
            case questions.Seed():
                seed(step.number)
            case questions.Take():
                self.objects.take(step)
            case questions.Load():
                self.objects.load(step, following)
            case questions.HandOver():
                self.objects.hand_over(step, following)
            case questions.Train():
                self.objects.train(step)
            case _:
                return self._found(self.objects[step.of], step)
        return None

    def _found(self, made: Any, step: Calling | Inspecting) -> Any:
        """Carry out a step that calls or inspects the object `made`."""
        match step:
            case questions.Call():
                return calling.call(made, step, self._seed, self.objects.loaded(step.of))
            case questions.Descend():
                return calling.descend(made, step)
            case questions.Operations():
                return calling.operations(made, step)
            case questions.Products():
                return calling.products(made, step)
            case questions.Exponentials():
                return calling.exponentials(made, step)
            case questions.Held():
                return calling.held(made, step)
            case questions.Rounds():
                return calling.rounds(made, step)
            case questions.Hooked():
                return calling.hooked(made, step)
            case questions.Move():
                return calling.move(made, step)
            case questions.Parameters():
                return inspecting.parameters(made)
            case questions.Buffers():
                return inspecting.buffers(made)
            case questions.Values():
                return inspecting.values(made)
            case questions.State():
                return inspecting.state(made, step)
            case questions.Listed():
                return inspecting.listed(made)
            case questions.Lacking():
                return inspecting.lacking(made, step, self.source.namespace)
            case questions.Training():
                return inspecting.training(made)
            case questions.Differentiated():
                return inspecting.differentiated(made, step)
            case questions.Matrices():
                return inspecting.matrices(made)
