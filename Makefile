# `make run`: set up and build; then, in less than a minute, a tour: real endgames by self-play, solved; a deal of each game;
#             complete tables of few cards; a match of each game.
# `make findings`: what was found in 200,000 endgames of each game, the numbers that README begins with, in about a minute.
# `make test`: set up what is missing, and run the tests; those of the page, in Chromium and under node, are `make browser-test`.
# `make test-slow`: run the long tests, and those of hypothesis with ten times as many examples.
# `make audit`: compare millions of answers with each other for MINUTES, an hour by default (docs/correctness.md).
# `make mutants`: plant COUNT faults in the kernels, 50 by default, drawn by SEED, and list those that nothing finds (docs/correctness.md).
# `make test-checked`: run the tests in a build that checks its own memory, indices, shifts and divisions (Linux with gcc).
# `make test-threads`: run the tests with several threads in a build that finds data races (Linux with gcc).
# `make test-lowest`: run the tests with the lowest versions of all that pyproject.toml names (Python 3.10 or 3.11; later ones have no wheels of them).
# `make browser-test`: install what it needs, and test the page in Chromium (Debian, or one on the path) and under node.
# `make page`: make the page that needs no server, below build/page (docs/page.md).
# `make check-macos`: compile every kernel for both machines of macOS, by zig.
# `make test-arm`: run the tests of the kernels, of both games and of what they share on ARM64 Linux, imitated by qemu (Debian, as root).
# `make wheels`: build the wheels of a release, and try each in every Python found (CONTRIBUTING.md).
# `make docs`: make the site below build/docs, and check every link of it.
# `make lint`: run ruff, mypy, and the tests of the repository itself: links, wheels, imports.
# `make bench`: run the benchmarks. `make clean`: remove everything that was built.

PYTHON ?= python3
MINUTES ?= 60
COUNT ?= 50
SEED ?= 1
VENV ?= .venv
BIN = $(VENV)/bin
CHECKED = $(CURDIR)/build/checked/site
THREADS = $(CURDIR)/build/threads/site
LOWEST = build/lowest/bin
QUICK = -m "not slow" --ignore tests/repository --ignore tests/web/test_browser.py --ignore tests/web/test_page_without_server.py \
    --numprocesses auto --maxprocesses 8 --dist worksteal
SOURCES = $(shell find ext -name '*.p[xy][dxi]') setup.py pyproject.toml

# Where the environment forbids bytecode, each process of each run would compile the package and rewrite the tests again.
export PYTHONDONTWRITEBYTECODE =

.PHONY: run findings test test-slow test-checked test-threads test-lowest browser-test page audit mutants docs check-macos test-arm wheels lint bench clean

# What a user installs.
$(VENV)/.built: $(SOURCES)
	$(PYTHON) scripts/install.py $(VENV)
	touch $@

# Besides, what the tests need, and the kernels that answers are compared with.
$(VENV)/.tested: $(SOURCES)
	BACKTRICK_DEVELOPMENT=1 $(PYTHON) scripts/install.py $(VENV) test
	touch $@ $(VENV)/.built

run: $(VENV)/.built
	$(BIN)/python -u scripts/run.py

findings: $(VENV)/.built
	$(BIN)/python -u scripts/census/findings.py

# To prepare what asserts say takes each process of a fresh checkout six seconds: so it is said when those that failed run again.
test: $(VENV)/.tested
	$(BIN)/python -m pytest $(QUICK) --assert plain || { $(BIN)/python -m pytest $(QUICK) --last-failed --last-failed-no-failures none; false; }

test-slow: $(VENV)/.tested
	$(BIN)/python -m pytest -m "slow or hypothesis" --hypothesis-profile slow --timeout 3600

audit: $(VENV)/.tested
	mkdir -p build
	$(BIN)/python scripts/audit.py --minutes $(MINUTES) --report build/audit.json

mutants: $(VENV)/.tested
	$(call GROUPS,build)
	$(BIN)/python scripts/mutants/mutants.py --count $(COUNT) --seed $(SEED) --report build/mutants.json

# In a function without exceptions an index out of bounds is only reported. So every report is made an error.
test-checked: $(VENV)/.tested
	rm -rf $(CHECKED)
	BACKTRICK_CHECKED=1 BACKTRICK_DEVELOPMENT=1 $(BIN)/python -m pip install --quiet --no-deps --target $(CHECKED) .
	BACKTRICK_CHECKED=1 PYTHONPATH=$(CHECKED) ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 LD_PRELOAD=$$(gcc -print-file-name=libasan.so):$$(gcc -print-file-name=libstdc++.so) \
	    $(BIN)/pytest -m "not slow" --ignore tests/repository --timeout 1200 -W error::pytest.PytestUnraisableExceptionWarning tests

# Any report makes the exit code 66. Python and numpy are not watched, except their locks and what they copy.
test-threads: $(VENV)/.tested
	rm -rf $(THREADS)
	BACKTRICK_CHECKED=threads BACKTRICK_DEVELOPMENT=1 $(BIN)/python -m pip install --quiet --no-deps --target $(THREADS) .
	BACKTRICK_CHECKED=threads PYTHONPATH=$(THREADS) LD_PRELOAD=$$(gcc -print-file-name=libtsan.so) \
	    $(BIN)/pytest -m "threads and not slow" --timeout 1200 tests

# The kernels are those in solver/: they use nothing of numpy but its buffers.
test-lowest: $(VENV)/.tested
	$(PYTHON) -m venv build/lowest
	$(LOWEST)/python -m pip install --quiet uv
	$(LOWEST)/uv pip install --python $(LOWEST)/python --resolution lowest-direct --requirement pyproject.toml --group test
	PYTHONPATH="$(CURDIR)/solver" $(LOWEST)/python -m pytest $(QUICK)

browser-test: $(VENV)/.tested
	$(BIN)/python scripts/page/install_browser.py
	$(call GROUPS,page)
	$(BIN)/python -m pytest -m "not slow" tests/web/test_browser.py tests/web/test_page_without_server.py tests/repository/test_page.py

page: $(VENV)/.tested
	$(call GROUPS,page)
	$(BIN)/python scripts/page/make_page.py

check-macos: $(VENV)/.tested
	$(call GROUPS,machines)
	$(BIN)/python scripts/release/compile_for.py x86_64-macos aarch64-macos

test-arm: $(VENV)/.tested
	$(call GROUPS,machines)
	$(BIN)/python scripts/release/try_arm.py

wheels:
	$(PYTHON) scripts/release/try_wheels.py

# The requirements of dependency groups, by a pip of any age.
GROUPS = $(BIN)/python scripts/groups.py $(1) | $(BIN)/python -m pip install --quiet --no-compile --requirement /dev/stdin

docs: $(VENV)/.built
	$(call GROUPS,docs)
	$(BIN)/python scripts/docs/make_site.py

lint: $(VENV)/.tested
	$(BIN)/mypy & types=$$!; ($(call GROUPS,build lint) && $(BIN)/ruff check . && $(BIN)/python -m pytest -m "not slow" tests/repository); \
	    tests=$$?; wait $$types && exit $$tests

bench: $(VENV)/.tested
	$(BIN)/python benchmarks/face_to_face.py
	$(BIN)/python benchmarks/take_that.py
	$(BIN)/python benchmarks/deals.py --count 20 --ideas
	$(BIN)/python benchmarks/deals.py --game take_that --count 20 --ideas
	$(BIN)/python benchmarks/tables.py --quick
	$(BIN)/python benchmarks/calls.py --lines 1000000
	$(BIN)/python benchmarks/learn/learners.py

clean:
	rm -rf build dist $(VENV) solver/*.egg-info solver/backtrick_development
	find solver -name '*.so' -delete
