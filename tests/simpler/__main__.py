"""Print what simpler graders let through: `make compare`."""

from __future__ import annotations

from textwrap import wrap

from autograder.audit.corpus import Kind, cases
from autograder.checking.collect import collect
from simpler.graders import SIMPLER, SimplerGraders

WIDTH = 80


def main() -> None:
    """Put all misconceptions and right solutions of the course to the simpler graders."""
    checks = collect()
    accepted = dict.fromkeys(SIMPLER, 0)  # misconceptions
    rejected = dict.fromkeys(SIMPLER, 0)  # right solutions
    wrong = right = 0
    for home in checks.assignments:
        for exercise in checks.exercises(home):
            graders = SimplerGraders(checks, exercise)
            for case in cases(home, exercise.name):
                is_wrong = case.kind is Kind.MISCONCEPTION
                if not is_wrong and case.kind not in (Kind.REFERENCE, Kind.EQUIVALENT):
                    continue
                accepting = graders.accepting(case.text)
                wrong, right = wrong + is_wrong, right + (not is_wrong)
                for name in SIMPLER:
                    accepted[name] += is_wrong and name in accepting
                    rejected[name] += not is_wrong and name not in accepting
    print("Misconceptions that simpler graders accept, and right solutions that they reject:")
    for name, what in SIMPLER.items():
        share = f"{100 * accepted[name] // wrong} %"
        print(f"  {name:<12} {accepted[name]:>5}/{wrong} {share:>5} {rejected[name]:>5}/{right}")
        print("\n".join(wrap(what, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6)))


if __name__ == "__main__":
    main()
