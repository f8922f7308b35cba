# The front door. Each target is one line of work; the logic lives in autograder/.
PYTHON ?= python3
VENV ?= .venv
SUBMISSION ?= assignments
COMMA := ,
EXTRAS := notebook$(if $(wildcard solutions),$(COMMA)dev$(COMMA)nbgrader)
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY := $(VENV)/.ready
CONSTRAINTS := autograder/constraints.txt
USABLE := $(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 6))" 2>/dev/null
REFUSED := echo "$(PYTHON) is no Python 3 that runs. Name one: make setup PYTHON=python3.13" >&2
SETUP := { $(USABLE) || { $(REFUSED); exit 1; }; } && $(PYTHON) autograder/environment.py "$(VENV)" "$(EXTRAS)"
# A phony prerequisite where there is no Python in the virtual environment.
GONE := $(shell test -x "$(BIN)/python" || test -x "$(BIN)/python.exe" || echo .gone)
PARALLEL := -n auto --dist loadscope
# What is typed may be the name of a stranger's file. Make expands it nowhere; shells read it quoted.
TYPED := SUBMISSION EX HINTS KIT ASSIGNMENT STUDENT DRY PASTE CLASS JOBS NAME FUNCTION FILE MUTANT MUTANTS
$(foreach name,$(TYPED),$(eval override $(name) := $$(value $(name))))
export $(TYPED)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s%s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## make the virtual environment; the others do it too
	@$(SETUP)

grade: $(READY) ## grade work; EX=name, HINTS=0 to 3, PASTE=1, SUBMISSION=path
	@$(BIN)/python -m autograder grade --resident $${EX:+--exercise="$$EX"} $${HINTS:+--hints="$$HINTS"} $${PASTE:+--paste="$$PASTE"} -- "$${SUBMISSION:-assignments}"

watch: $(READY) ## see the verdict at each save; keys: n h l c x q
	@$(BIN)/python -m autograder watch $${HINTS:+--hints="$$HINTS"}

next: $(READY) ## what to do next, with its verdict
	@$(BIN)/python -m autograder watch --once

lab: $(READY) ## open the notebooks in JupyterLab
	@$(BIN)/python -c "import jupyterlab" 2>$(VENV)/lab.log || { echo "installing JupyterLab" && $(BIN)/python -m pip install --quiet --constraint $(CONSTRAINTS) jupyterlab; }
	@$(BIN)/python -m ipykernel install --sys-prefix --name python3 --display-name "Attention exercise kit" >/dev/null
	@$(BIN)/jupyter lab assignments

run: $(READY) ## run the last assignment that is a program; ASSIGNMENT=name
	@$(BIN)/python -m autograder run -- $${ASSIGNMENT:+"$$ASSIGNMENT"}

submit: $(READY) ## pack what you hand in, into hand-in/; ASSIGNMENT=name
	@$(BIN)/python -m autograder submit -- $${ASSIGNMENT:+"$$ASSIGNMENT"}

update: $(READY) ## take over a corrected kit and keep your work; KIT=path
	@$(BIN)/python -m autograder update -- "$$KIT"

doctor: $(READY) ## say whether this machine can lock in the code of others
	@$(BIN)/python -m autograder doctor

test: $(READY) ## test the kit itself
	$(BIN)/python -m pytest -m "not dear" $(if $(wildcard solutions),$(PARALLEL))

$(READY): pyproject.toml $(CONSTRAINTS) $(GONE)
	@$(SETUP)

.PHONY: help setup grade watch next lab run submit update doctor test .gone

# For instructors
lint: $(READY) ## check style and types
	$(BIN)/ruff format --check . && $(BIN)/ruff check . && MYPYPATH=$$(printf '%s:' solutions/*/) $(BIN)/mypy

test-all: $(READY) ## run all tests, those too that take long
	$(BIN)/python -m pytest $(PARALLEL) --junitxml build/tests.xml

matrix: $(READY) ## grade known work with each Python and PyTorch found
	@$(BIN)/nox --noxfile tests/portability/noxfile.py

proof: $(READY) ## test-all and audit, unless they passed on these files
	@PARALLEL="$(PARALLEL)" $(BIN)/python tests/proof.py

assignments: $(READY) ## write assignments/ again from solutions/
	@$(BIN)/python -m autograder assignments

# PyTorch and what it brings is left out: its builds differ between machines.
constraints: $(READY) ## pin the versions of all packages to the newest
	@$(BIN)/uv pip compile pyproject.toml --quiet --universal --all-extras --python-version 3.10 \
		--upgrade --no-annotate --no-header --no-emit-index-url --no-emit-find-links \
		--output-file $(CONSTRAINTS)
	@sed -i.old -E '/^(torch|triton|cuda|nvidia|setuptools)[=-]/d' $(CONSTRAINTS) && rm $(CONSTRAINTS).old

documents: $(READY) ## run the examples in the documents, and write what they print
	@$(BIN)/python tests/documents.py

release: $(READY) ## build the copy for students, build/student-kit
	@$(BIN)/python -m autograder release

secret: $(READY) ## write a course secret of your own, .course-secret
	@$(BIN)/python -m autograder secret

course: $(READY) ## build the course for nbgrader, build/course
	@$(BIN)/python -m autograder nbgrader course

autograde: $(READY) ## autograde that course; ASSIGNMENT=name, STUDENT=id, JOBS=n
	@$(BIN)/python -m autograder nbgrader autograde $${STUDENT:+--student="$$STUDENT"} $${JOBS:+--jobs="$$JOBS"} -- $${ASSIGNMENT:+"$$ASSIGNMENT"}

regrade: $(READY) ## grade again after a check was fixed; ASSIGNMENT=name, DRY=1
	@$(BIN)/python -m autograder nbgrader regrade $${DRY:+--dry} $${JOBS:+--jobs="$$JOBS"} -- $${ASSIGNMENT:+"$$ASSIGNMENT"}

class: $(READY) ## show where a class stands; ASSIGNMENT=name, CLASS=folder
	@$(BIN)/python -m autograder class $${ASSIGNMENT:+--assignment="$$ASSIGNMENT"} -- $${CLASS:+"$$CLASS"}

undo: $(READY) ## undo the last regrade
	@$(BIN)/python -m autograder nbgrader undo

exercise: $(READY) ## begin an exercise; NAME=name, ASSIGNMENT=name, FUNCTION=1
	@$(BIN)/python -m autograder exercise $${FUNCTION:+--function} --assignment="$$ASSIGNMENT" -- "$$NAME"

mistake: $(READY) ## record a mistake; EX=name, FILE=path or MUTANT=id
	@$(BIN)/python -m autograder mistake --exercise="$$EX" $${MUTANT:+--mutant="$$MUTANT"} -- $${FILE:+"$$FILE"}

audit: $(READY) ## list what is missing, or prove all; EX=name, MUTANTS=1
	@$(BIN)/python -m autograder audit $${MUTANTS:+--mutants} $${EX:+--exercise="$$EX"}

compare: $(READY) ## show what simpler graders let through
	@PYTHONPATH=tests $(BIN)/python -m simpler

attacks: $(READY) ## grade hostile submissions, locked and less so
	@PYTHONPATH=tests $(BIN)/python -m attacks.run

fuzz: $(READY) ## try 150,000 hostile replies, files, names and pages
	@PYTHONPATH=tests $(BIN)/python -m fuzzing

bench: $(READY) ## measure what grading costs
	@$(BIN)/python tests/benchmarks/grading.py && $(BIN)/python tests/benchmarks/diagnosis.py
	@PYTHONPATH=tests $(BIN)/python tests/benchmarks/autograding.py
	@PYTHONPATH=tests $(BIN)/python tests/benchmarks/locking.py
	@PYTHONPATH=tests $(BIN)/python tests/benchmarks/memory.py
	@failed=0; for each in waiting lines; do \
		PYTHONPATH=tests $(BIN)/python tests/benchmarks/$$each.py || failed=1; \
	done; exit $$failed

.PHONY: lint test-all matrix proof assignments constraints documents release secret course autograde regrade class undo exercise mistake audit compare attacks fuzz bench
