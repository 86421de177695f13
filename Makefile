# `make run`: set up, build, sample real endgames by self-play, solve them, print a summary.
# `make test`: set up what is missing and run the tests.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
SOURCES = $(shell find ext -name '*.pyx' -o -name '*.pxd') setup.py pyproject.toml

.PHONY: run test test-slow lint bench clean

$(VENV)/.built: $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@

run: $(VENV)/.built
	$(BIN)/python scripts/run_endgames.py

test: $(VENV)/.built
	$(BIN)/python -m pytest -m "not slow"

test-slow: $(VENV)/.built
	$(BIN)/python -m pytest -m slow

lint: $(VENV)/.built
	$(BIN)/python -m pip install --quiet '.[lint]'
	$(BIN)/ruff check .

bench: $(VENV)/.built
	$(BIN)/python benchmarks/face_to_face.py

clean:
	rm -rf build dist $(VENV) *.egg-info
	find solver -name '*.so' -delete
