# A fresh machine needs Python 3.11 or newer, pip and make. Everything else goes into .venv.
#
#   make demo     release a bundled table and print how good it is
#   make test     every check: format, lint, types, architecture, dependencies, tests
#   make bench    run the benchmark scripts
#   make docs     build the site into site/
#   make format   rewrite the sources in the house format
#   make lock     refresh requirements-dev.lock (needs uv)

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
JOBS   ?= 2

# Two threads a process: the tests run side by side, and the small sums gain nothing from more.
export OMP_NUM_THREADS ?= 2

.PHONY: help demo test check bench docs format lock clean python-is-new-enough
.DEFAULT_GOAL := help

help:
	@sed -n 's/^#   //p' Makefile

demo: $(VENV)/.demo
	@rm -rf demo-release
	$(BIN)/triplea demo --out demo-release

test: check
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --strict
	$(BIN)/lint-imports --no-cache
	$(BIN)/deptry src

bench: $(VENV)/.dev
	@set -e; for script in bench/*.py bench/mutants/run.py; do echo "== $$script"; $(BIN)/python "$$script"; done

docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock:
	uv pip compile --universal --python-version 3.11 --all-extras --group dev --upgrade \
	  --no-annotate --no-header pyproject.toml --output-file requirements-dev.lock

clean:
	rm -rf $(VENV) build dist site .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

python-is-new-enough:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "triplea needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1)." >&2; \
	  echo "Name another one with: make PYTHON=python3.12 <target>" >&2; exit 1; }

# Stamps: the environment is installed again only when what it is made from has changed.
$(BIN)/python: | python-is-new-enough
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml requirements-dev.lock | $(BIN)/python
	$(PIP) install --constraint requirements-dev.lock --editable '.[demo]'
	@touch $@

$(VENV)/.dev: pyproject.toml requirements-dev.lock | $(BIN)/python
	$(PIP) install --requirement requirements-dev.lock
	$(PIP) install --no-deps --editable .
	@touch $@ $(VENV)/.demo
