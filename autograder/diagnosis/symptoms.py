"""Name a mistake by its symptom if no known misconception gives the same answers.

A symptom is named only if every failed check shows it or one that it implies. Symptoms are
observed, so that they are true of any code that shows them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from autograder.checking.collect import Collected
from autograder.course.misconceptions import Hint
from autograder.diagnosis.trace import OF_NUMBERS, OTHER_LAYOUT
from autograder.grading.grade import Diagnosis, Outcome
from autograder.grading.inquiry import Finding

# Categories of wrong results, for which Check.symptom applies. Errors may have another cause.
OF_RESULTS = OF_NUMBERS - {"wrong gradient", "raised an error"} | {"not finite"}


@dataclass(frozen=True)
class Symptom:
    """A visible effect of mistakes.

    id: for programs. mistake: a phrase that students read. implies: symptoms that always come with
    this one.
    """

    id: str
    mistake: str
    hint: Hint
    implies: frozenset[str] = frozenset()


def by_symptom(findings: Iterable[tuple[Collected, Finding]]) -> tuple[Diagnosis, ...]:
    """Return the one symptom that all failed checks of an exercise show, if there is one."""
    failed = [(c, f) for c, f in findings if f.outcome is Outcome.FAILED]
    # If weights could not be loaded, the check of the parameters says why.
    telling = [(c, f) for c, f in failed if not _is_of_names(f)] or failed
    shown = {_shown(collected, finding) for collected, finding in telling}
    known = [
        SYMPTOMS[key] for key in shown & SYMPTOMS.keys() if shown <= {key, *SYMPTOMS[key].implies}
    ]
    return tuple(map(_diagnosis, known[:1]))


def _diagnosis(symptom: Symptom) -> Diagnosis:
    hint = symptom.hint
    steps = (hint.look, hint.think, hint.nearly)
    return Diagnosis((symptom.id,), symptom.mistake, steps, seen=True)


def _shown(collected: Collected, finding: Finding) -> str:
    """Return the key of the finding's symptom: its own, the check's or its category."""
    if finding.symptom:
        return finding.symptom
    is_of_result = finding.category in OF_RESULTS or _is_of_names(finding)
    return collected.check.symptom if is_of_result else finding.category


def _is_of_names(finding: Finding) -> bool:
    """Return whether the reference's weights could not be loaded into the submission."""
    return finding.problem is not None and finding.problem.kind == "names"


SYMPTOMS = {
    "long": Symptom(
        "wrong_for_long_sequences",
        "is right for short sequences and wrong for long ones",
        Hint(
            look=(
                "Make random input of 10, 100 and 300 tokens. Cut the long ones to their first 10 "
                "tokens and compare: from which length on do the results differ?"
            ),
            think=(
                "Nothing in the formula knows how long a sequence is. Where does your code know a "
                "length that does not come from the input?"
            ),
            nearly=(
                "Look for a number that is written in the code: the size of a mask or table, a "
                "window, a slice, a chunk. Take the length from the shape of the input."
            ),
        ),
    ),
    "other inputs": Symptom(
        "wrong_for_other_inputs",
        "is right for some sizes and numbers, and wrong for others",
        Hint(
            look=(
                "Try it with sizes that all differ, then with some that are equal, then with a "
                "single head, layer or example, then with other numbers. What goes wrong?"
            ),
            think=(
                "Where two sizes are equal, code that confuses them still works. And does "
                "any branch of yours run for some sizes or numbers only?"
            ),
            nearly=(
                "Look for numbers written in the code, for a size that is read from the wrong axis "
                "or argument, for limits, and for an if that depends on a size."
            ),
        ),
    ),
    "extreme numbers": Symptom(
        "wrong_for_extreme_numbers",
        "is right for ordinary numbers, and wrong where some are very large, very low or 0",
        Hint(
            look=(
                "Multiply your input by 100, and put a token of zeros into it. Are there NaN "
                "among the weights, rows that do not add up to 1, or weights where none may be?"
            ),
            think=(
                "The exponential of 1000 is too large for any float, and a masked score has to be "
                "below every other one. Which step of yours does not expect such numbers?"
            ),
            nearly=(
                "Look at how the exponentials are kept small, whether anything is clamped, and how "
                "scores are masked: with which number, and in which step."
            ),
        ),
    ),
    "float32": Symptom(
        "wrong_in_float32",
        "is right for small numbers and wrong for large ones in float32",
        Hint(
            look=(
                "Call it on the same input as float32 and as float64, once with small numbers and "
                "once with large ones. How far apart are the results?"
            ),
            think=(
                "float32 keeps seven digits and ends at 3e38. What is lost when two large numbers "
                "that are nearly equal are subtracted, or a large one is exponentiated?"
            ),
            nearly=(
                "Look for a difference of squares, for an exponential of what may be large, and "
                "for a division by what may have become 0. Shift the numbers first."
            ),
        ),
    ),
    "evaluation": Symptom(
        "another_result_after_eval",
        "gives another result when it is called again after eval()",
        Hint(
            look=(
                "Build it, call it, call eval() on it and call it again with the same input. Which "
                "parts of the result changed?"
            ),
            think=(
                "The exercise computes the same in training and in evaluation, and in every "
                "call. What in your code depends on the mode, or may differ from call to call?"
            ),
            nearly=(
                "Look for self.training, for a dropout that is not in the statement, for other "
                "random numbers, and for anything that a call writes to self."
            ),
        ),
    ),
    "earlier call": Symptom(
        "remembers_an_earlier_call",
        "keeps something from one call for the next",
        Hint(
            look=(
                "Call it on one input, then on another of the same shape, then on the first again. "
                "Do the first and the third result agree?"
            ),
            think=(
                "A result depends on the input and the parameters only. What else does your code "
                "read, and what wrote it?"
            ),
            nearly=(
                "Look at every assignment to self, to a global name or to a default argument "
                "during a call, and at what is read from it the next time."
            ),
        ),
    ),
    "options": Symptom(
        "option_not_as_asked",
        "does not treat an argument of __init__ as stated",
        Hint(
            look=(
                "Build it once without all optional arguments, and once with another value for "
                "each of them. Which of them changes nothing, or the wrong thing?"
            ),
            think=(
                "An argument has a default and an effect, and the statement names both. Which one "
                "of yours differs?"
            ),
            nearly=(
                "Compare the first line of __init__ with the statement, then follow each argument "
                "to the place where it is used."
            ),
        ),
    ),
    "start": Symptom(
        "begins_with_other_numbers",
        "starts with other numbers than stated after torch.manual_seed",
        Hint(
            look=(
                "Call torch.manual_seed with the statement's number, build it, and compare its "
                "parameters with those of layers that you make by hand in the stated order."
            ),
            think=(
                "After a seed, random numbers come in a fixed order, and the first draw gets the "
                "first ones. Which part is made first in yours, and by which function?"
            ),
            nearly=(
                "Compare the order in which __init__ makes the parameters, and how each is filled, "
                "with the statement. Nothing else may draw before or after."
            ),
        ),
    ),
    "same start": Symptom(
        "begins_with_the_same_numbers",
        "starts with the same numbers each time it is built",
        Hint(
            look="Build two, one after the other, and compare their parameters.",
            think="Each draws the next random numbers. What restarts them?",
            nearly=(
                "Look for a seed in __init__, for numbers that are made only once, and for "
                "numbers that are not random."
            ),
        ),
        implies=frozenset({"changed a setting"}),
    ),
    "training": Symptom(
        "learns_otherwise",
        "gives right results but learns differently in a short training",
        Hint(
            look=(
                "Train it for a few steps on the same batch, twice from the same weights. Are the "
                "losses the same both times, and does each parameter change?"
            ),
            think=(
                "A training calls it again and again, in training mode and with gradients. What "
                "in your code is different then?"
            ),
            nearly=(
                "Look for self.training, for random numbers, for anything that is kept from one "
                "call to the next, and for rows or parameters that never change."
            ),
        ),
    ),
    OTHER_LAYOUT: Symptom(
        "other_weight_layout",
        "is right except for its weight layout, which is not the stated one",
        Hint(
            look="Read what differs: the check of the layout says so.",
            think=(
                "Weights are loaded by name and position. Which matrices, rows or columns of yours "
                "mean something else than in the statement?"
            ),
            nearly=(
                "Compare with the statement what you compute with each weight, how you split the "
                "output of a layer, and how you merge the heads."
            ),
        ),
    ),
    "wrong start values": Symptom(
        "other_start_values",
        "starts with other numbers than stated",
        Hint(
            look=(
                "Build it and print its parameters and other attributes before anything is trained "
                "or loaded."
            ),
            think=(
                "The statement says how each one starts, or leaves it to PyTorch. Which of yours "
                "starts differently, or so that it can never change?"
            ),
            nearly=(
                "Look at the line of __init__ that makes what is named above, and at all later "
                "lines that fill or scale it."
            ),
        ),
    ),
    "no gradient": Symptom(
        "no_gradient",
        "gives right results, but a gradient is missing",
        Hint(
            look=(
                "Call backward on the sum of the result and print the gradient of what is named "
                "above. Is it None?"
            ),
            think=(
                "A gradient follows the operations on tensors backwards. Where on the way does a "
                "tensor become a plain number, a copy, or something new?"
            ),
            nearly=(
                "Look for detach, data, item, numpy, no_grad and for tensors that are made from "
                "the numbers of others."
            ),
        ),
        implies=frozenset({"training"}),
    ),
    "wrong gradient": Symptom(
        "wrong_gradient",
        "gives right results, but a gradient is wrong",
        Hint(
            look=(
                "Print the gradient of what is named above, for your code and for the formula "
                "written out step by step. Is yours smaller or larger, or 0 in places?"
            ),
            think=(
                "A number that is used in two places gets a gradient from both. Is one of the "
                "paths from it to the result cut off, or different from the formula?"
            ),
            nearly=(
                "Look for detach, data, item, numpy or no_grad on a part of the path, even one "
                "that only scales, shifts or normalises."
            ),
        ),
        implies=frozenset({"training"}),
    ),
    "changed its argument": Symptom(
        "changes_its_argument",
        "changes the tensor that it is given",
        Hint(
            look="Keep a clone of the input, call it, and compare the input with the clone.",
            think=(
                "The caller may still need the input. Which of your operations writes into a "
                "tensor instead of making a new one?"
            ),
            nearly=(
                "Look for operators like += and *=, for methods whose names end with an "
                "underscore, and for assignments to a slice, even of a view of the input."
            ),
        ),
    ),
    "changed a setting": Symptom(
        "changes_a_setting",
        "changes a setting of PyTorch for the whole program",
        Hint(
            look="Print the setting that is named above before and after a call.",
            think="Other code in the same program uses PyTorch. Does it need the old setting?",
            nearly=(
                "Look for torch.manual_seed and functions that begin with torch.set_, and leave "
                "them to the caller of your code."
            ),
        ),
    ),
    "keeps a graph": Symptom(
        "keeps_a_graph",
        "has running averages that need a gradient, or keep the graph of past batches",
        Hint(
            look="After a call in training, print requires_grad and grad_fn of its averages.",
            think=(
                "A running average is a number to remember, not to train. What does it still refer "
                "to after a hundred batches?"
            ),
            nearly=(
                "Look at the lines that make it and that update it: nothing there needs a gradient."
            ),
        ),
    ),
    "learns in evaluation": Symptom(
        "learns_in_evaluation",
        "changes its state in evaluation",
        Hint(
            look=(
                "Print the running averages, and the attribute training, before and after a call "
                "in evaluation."
            ),
            think="In evaluation, the averages are used unchanged. What changes there in yours?",
            nearly=(
                "Look at which lines run in training only, and at everything that a call writes to "
                "self."
            ),
        ),
    ),
    "stays behind when moved": Symptom(
        "stays_on_the_cpu",
        "keeps or makes a tensor on the CPU",
        Hint(
            look=(
                "Call to('meta') on the module, or move a function's input there, and call it. "
                "Which line of yours complains of two devices?"
            ),
            think=(
                "Moving a module moves its parameters, buffers and submodules. Where are your "
                "other tensors, and those that a call makes?"
            ),
            nearly=(
                "Look for tensors kept as plain attributes or in lists, and for torch.zeros, ones, "
                "arange or tensor without a device."
            ),
        ),
    ),
    "loops over tokens": Symptom(
        "loops_over_tokens",
        "takes more operations for more tokens",
        Hint(
            look=(
                "Measure the time for 100 tokens and for 1000, or count how often each line runs."
            ),
            think="One matrix product handles all pairs of tokens at once. Of which matrices?",
            nearly=(
                "Look for a loop or a function that calls itself, even where a table is filled. "
                "Write its inputs as the rows of a matrix: then one line computes all of it."
            ),
        ),
    ),
    "not one product": Symptom(
        "not_one_product",
        "does not do its work in exactly one matrix product",
        Hint(
            look="Count the matrix products in your code for a batch of three sequences.",
            think="One table of weights serves every sequence. How often must it be applied?",
            nearly="Make the table of weights once, and apply it to the whole batch in one go.",
        ),
    ),
    "no softmax": Symptom(
        "no_softmax",
        "computes its result without a softmax",
        Hint(
            look="Print the scores from which your weights are made. Are there any?",
            think="Which scores turn into equal weights, and which one into a weight of 0?",
            nearly="Start with scores of 0, mask them, and make the weights with a softmax.",
        ),
    ),
    "no buffer": Symptom(
        "plain_mask",
        "keeps a matrix as a plain attribute, not as a buffer or parameter",
        Hint(
            look=(
                "Print the names in state_dict() and in named_buffers(). Is what is named above "
                "among them?"
            ),
            think="What belongs to a module moves with it and is saved with it. What does not?",
            nearly=(
                "Look at how it is assigned to self: a module has a method for tensors that are "
                "no parameters."
            ),
        ),
        implies=frozenset({"stays behind when moved"}),
    ),
    "wrong mask": Symptom(
        "small_mask",
        "keeps a mask that is smaller than the longest sequence",
        Hint(
            look="Build it for a long context and print the shape of its mask.",
            think="Which argument says how many tokens there may be?",
            nearly="Look at the sizes with which the mask is made in __init__.",
        ),
    ),
    "parameters are not independent": Symptom(
        "numbers_not_kept",
        "has a parameter that does not keep the numbers put into it",
        Hint(
            look=(
                "Build two, load the state_dict of the first into the second, and compare each "
                "parameter of the two by its name."
            ),
            think=(
                "Loading fills one parameter after the other. Do two of yours share memory, or "
                "does something write to one again?"
            ),
            nearly=(
                "Look at how the parameters are made: several from one tensor, or one layer under "
                "two names? And does a call write to one?"
            ),
        ),
    ),
    "not called through PyTorch": Symptom(
        "past_the_call",
        "does not run a forward hook once per call, as nn.Module does",
        Hint(
            look="Register a forward hook and call the module. How often does the hook run?",
            think="nn.Module has its own __call__. Which method does it expect you to write?",
            nearly=(
                "Look at the base class, at the name of the method that does the work, and at "
                "what it calls."
            ),
        ),
    ),
    "wrong parts": Symptom(
        "parts_missing",
        "lacks a part that the statement names, or has one of another class",
        Hint(
            look="Print the module: its parts are listed by name, with their classes.",
            think="Which part of the statement is missing there, or is of another class?",
            nearly="Compare names and classes in __init__ with the statement, one by one.",
        ),
    ),
    "missing parameter": Symptom(
        "parameter_missing",
        "has no parameter with a name from the statement",
        Hint(
            look="Print the names in named_parameters().",
            think="A parameter is known by the path of attributes to it. Which path is stated?",
            nearly="Compare the attribute, and whether it is a Parameter or a layer around one.",
        ),
    ),
    "extra parameter": Symptom(
        "parameter_too_many",
        "has a parameter that is not in the statement",
        Hint(
            look="Print the names in named_parameters(), and find the one that is named above.",
            think="Which layer creates it, and is it in the formula of the statement?",
            nearly="Look for a bias that the statement does not have, and for unused layers.",
        ),
    ),
    "other shape": Symptom(
        "parameter_of_another_shape",
        "has a parameter of another shape",
        Hint(
            look="Print the shape of each parameter, with sizes that all differ.",
            think="A matrix that multiplies from the right has its axes in which order?",
            nearly="Compare the sizes with which the parameter is made with the statement.",
        ),
    ),
    "untrained parameter": Symptom(
        "parameter_not_trained",
        "has a parameter that is not trained",
        Hint(
            look="Print requires_grad of each parameter.",
            think="A parameter without a gradient never changes. Is that intended?",
            nearly="Look for requires_grad=False, requires_grad_ and freezing loops.",
        ),
        implies=frozenset({"no gradient", "training"}),
    ),
    "listed otherwise": Symptom(
        "parameters_listed_otherwise",
        "lists something else than gamma and beta as its parameters",
        Hint(
            look="Print what parameters() returns, and whether it is gamma and beta themselves.",
            think="Training changes what is listed, and nothing else. What belongs there?",
            nearly="Look at the list, dict or copies that the method makes.",
        ),
        implies=frozenset({"no gradient", "training"}),
    ),
    "nothing dropped": Symptom(
        "drops_nothing",
        "drops nothing in training",
        Hint(
            look="Build it with a dropout of 0.5 and count the weights that are 0 in training.",
            think="A dropout has to be built, and to be called on the weights.",
            nearly="Look at whether the probability arrives, and where the dropout is called.",
        ),
    ),
    "other things dropped": Symptom(
        "drops_otherwise",
        "does something else in training than dropping weights and dividing the rest by 1 - p",
        Hint(
            look=(
                "Build it with a dropout of 0.5 and values that are the identity, and print the "
                "result in training: it is a table of weights, each of which should be 0 or "
                "doubled."
            ),
            think="Where in the formula is your dropout, and what does it apply to?",
            nearly=(
                "It belongs between the softmax and the product with the values. Weights that "
                "remain are divided by 1 - p, and nothing is normalised again."
            ),
        ),
    ),
    "sequences dropped alike": Symptom(
        "one_dropout_for_all",
        "drops the same weights in all sequences, or none in any",
        Hint(
            look="Print which weights are 0 in training, for two sequences of a batch.",
            think="Each weight is dropped by a coin of its own. How many coins do you toss?",
            nearly="Look at the shape of what is dropped, and for a seed that is set in a call.",
        ),
    ),
    "heads dropped alike": Symptom(
        "one_dropout_for_all_heads",
        "drops the same weights in all heads",
        Hint(
            look="Print which weights are 0 in training, for two heads of one sequence.",
            think="Each weight is dropped by a coin of its own. How many coins do you toss?",
            nearly="Look at the shape of what is dropped: has it an axis for the heads?",
        ),
    ),
    "calls dropped alike": Symptom(
        "one_dropout_for_all_calls",
        "drops the same weights again in the next call",
        Hint(
            look="In training, call the module twice on one input and print both outputs.",
            think="Every call draws which weights to drop. When does yours draw?",
            nearly="Look for numbers drawn in `__init__`, kept from the first call, or drawn "
            "after a fixed seed.",
        ),
    ),
    "queries dropped": Symptom(
        "drops_whole_queries",
        "drops all weights of a query or none",
        Hint(
            look="Print which weights are 0 in training. Do they fill whole rows?",
            think="Each weight is dropped by a coin of its own. What is a coin tossed for here?",
            nearly="Look at the shape of what your dropout is called on, or multiplied with.",
        ),
    ),
    "keys dropped": Symptom(
        "drops_whole_keys",
        "drops the same keys for all queries",
        Hint(
            look="Print which weights are 0 in training. Do they fill whole columns?",
            think="Each weight is dropped by a coin of its own. What is a coin tossed for here?",
            nearly="Look at the shape of what your dropout is called on, or multiplied with.",
        ),
    ),
    "dropout in evaluation": Symptom(
        "dropout_in_evaluation",
        "with a dropout set, is wrong after eval()",
        Hint(
            look="Build it with a dropout of 0.5, call eval() on it, and call it twice.",
            think="In evaluation, all weights are used unchanged. What drops or scales them?",
            nearly=(
                "Look at how the dropout knows the mode: eval() sets it in submodules, but a "
                "function needs it as an argument."
            ),
        ),
    ),
    "other share dropped": Symptom(
        "drops_another_share",
        "drops another share of the weights than stated",
        Hint(
            look="Count the share of weights that are 0 in training, for a dropout of 0.2.",
            think="A dropout of p drops p and keeps 1 - p. Which one did you take?",
            nearly="Look at the number with which the dropout is made, or compared.",
        ),
    ),
    "printed once": Symptom(
        "prints_not_each_time",
        "does not print the same each time it is called",
        Hint(
            look="Call it three times, then once after eval(). What is printed each time?",
            think="Each call should do the same. What does yours remember or depend on?",
            nearly="Look for an if around the print, and at its condition.",
        ),
    ),
    "returned too": Symptom(
        "prints_and_returns",
        "prints, and returns something as well",
        Hint(
            look="Assign the result of a call to a name and print that. Is it None?",
            think="Printing and returning are two things. Which one does the statement want?",
            nearly="Look at the last line of the method.",
        ),
    ),
    "printed something else": Symptom(
        "prints_other_text",
        "prints other text than stated, or at another time",
        Hint(
            look=(
                "Build it in one cell and call it in the next. Compare what is printed under "
                "each with the statement, letter by letter, to the line's end."
            ),
            think=(
                "Capitals, commas, spaces and the end of the line count. So do the time of "
                "printing and the stream: stdout, not stderr."
            ),
            nearly=(
                "Look at the text, at every argument of the print, and at what else prints, also "
                "in __init__."
            ),
        ),
    ),
}
