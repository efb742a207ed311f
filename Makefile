# `make run` and `make test` do everything on a fresh machine. The rest is for contributors.
SHELL := /bin/sh
.DEFAULT_GOAL := help
UV := ./scripts/uv.sh
PYTHON ?= python3
BIN := .venv/bin
WORKERS ?= 4 # twice the cores of a small machine: tests wait for browsers, servers and processes
# Tests start many processes, which should share compiled files.
unexport PYTHONDONTWRITEBYTECODE

# Temporary files of the tests: in memory if there is room, because thousands of small databases wait for the disk.
TEST_FILES = $(shell test -w /dev/shm && df -Pk /dev/shm | awk 'END { exit $$4 < 3000000 }' && echo /dev/shm || echo $${TMPDIR:-/tmp})

NPM := ./scripts/npm.sh --silent
PORT ?= 8000
PAGES := src/upcard/web/index.html
WEB := $(shell find web/src web/public web/cards web/index.html web/package.json web/*.ts web/*.js -type f 2>/dev/null)

# Runs independent steps side by side; where make can, the output of each step stays in one piece.
SYNC = $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
TOGETHER = $(MAKE) --no-print-directory -j 3 $(SYNC)

.PHONY: help run web types test test-python test-checks test-web collected check check-code check-types check-web kernels format soak bench lock docs golden tampering pictures clean setup

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: .venv/ready ## set up the environment in .venv (the other commands do this themselves)

.venv/ready: requirements.lock pyproject.toml scripts/uv.sh
	@test -x $(BIN)/python || $(UV) venv --quiet --python $(PYTHON) .venv
	@$(UV) pip sync --quiet --compile-bytecode --require-hashes --python $(BIN)/python requirements.lock
	@$(UV) pip install --quiet --no-deps --no-build-isolation --python $(BIN)/python --editable .
	@touch $@

run: setup web ## run a demo of the five games in the browser, at http://localhost:8000
	@$(BIN)/upcard serve --demo --port $(PORT)

web: $(PAGES) ## build the web pages, if they have changed

$(PAGES): web/node_modules/ready $(WEB)
	@$(NPM) run build -- --logLevel warn

web/node_modules/ready: web/package-lock.json .venv/ready
	@$(NPM) ci --no-audit --no-fund
	@touch $@

types: setup web/node_modules/ready ## regenerate the TypeScript types from the API's schema
	@$(BIN)/python scripts/api_schema.py
	@$(NPM) run types

# The checks run beside the tests, which often wait for browsers and processes.
test: setup web/node_modules/ready ## run every check and every test
	@$(MAKE) --no-print-directory --keep-going -j 3 test-python test-checks

test-python: kernels collected web
	@TMPDIR=$(TEST_FILES) UPCARD_CHROMIUM=$$(./scripts/chromium.sh) $(BIN)/pytest -n $(WORKERS) --dist worksteal

test-checks:
	@$(MAKE) --no-print-directory --keep-going $(SYNC) check-types check-web test-web check-code

check: setup web/node_modules/ready ## check format, lint, types and imports
	@$(TOGETHER) check-types check-web check-code

check-code:
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/lint-imports

check-types:
	@$(BIN)/mypy

check-web:
	@$(NPM) run check

test-web:
	@$(NPM) test

# Compiles the test files once, so that the workers do not all do it.
collected: | .venv/ready
	@$(BIN)/pytest --collect-only --quiet >/dev/null || true # the tests themselves will say what is wrong

# Compiles the solver and the simulator once, for the same reason.
kernels:
	@$(BIN)/upcard odds main --game 002 --sd --json >/dev/null
	@PYTHONPATH=tests $(BIN)/python tests/support/compile_kernels.py
	@$(BIN)/upcard simulate 002 --rounds 70000 --json >/dev/null

format: setup web/node_modules/ready ## format the code with ruff and prettier
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(NPM) run format

soak: setup ## run the tests longer, with more random cases
	@TMPDIR=$(TEST_FILES) UPCARD_SOAK=1 $(BIN)/pytest -n $(WORKERS) --dist worksteal

bench: setup web ## measure the speed promises
	@$(BIN)/python bench/odds.py
	@$(BIN)/python bench/engine.py
	@$(BIN)/python bench/main_game.py
	@$(BIN)/python bench/simulate.py
	@$(BIN)/python bench/ledger.py
	@$(BIN)/python bench/api.py --runs 10
	@$(BIN)/python bench/abuse.py
	@$(BIN)/python bench/service.py
	@$(BIN)/python bench/scaling.py
	@$(MAKE) --no-print-directory web
	@UPCARD_CHROMIUM=$$(./scripts/chromium.sh) $(BIN)/python bench/felt.py
	@UPCARD_CHROMIUM=$$(./scripts/chromium.sh) $(BIN)/python bench/floor.py

lock: ## update requirements.lock from pyproject.toml
	@$(UV) pip compile --quiet --universal --generate-hashes --upgrade --python-version 3.11 \
		--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
		--group dev --output-file requirements.lock pyproject.toml

docs: setup ## regenerate the terminal pictures, schemas and pages in docs/
	@$(BIN)/python scripts/docs.py

golden: setup ## write the golden book of today's format, for tests/upgrades
	@$(BIN)/python tests/upgrades/write_golden.py

tampering: setup ## try every tampering with a book and write docs/tampering.md
	@$(BIN)/python tests/service/tamper_matrix.py

pictures: setup web ## retake the screenshots in docs/
	@UPCARD_CHROMIUM=$$(./scripts/chromium.sh) PYTHONPATH=tests $(BIN)/python tests/browser/pictures.py

clean: ## remove everything that the other commands created
	@rm -rf web/node_modules src/upcard/web web/schema.json .venv .tools .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist build
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
