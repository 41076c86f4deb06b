# Needs make and Python 3.11 or newer, no root, and no network beyond the package index.
# Everything is installed into .venv; .venv/.<group> says that the group is complete. All paths
# are relative, so a project folder with blanks in its name is fine.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo test slow peers property zoo fuzz lint format bench scale docs build lock clean FORCE

VENV := .venv
PY := $(VENV)/bin/python
# To choose another interpreter: make test PYTHON=/path/to/python3.13
PYTHON ?=
CANDIDATES := $(if $(PYTHON),"$(PYTHON)",python3 python3.14 python3.13 python3.12 python3.11)
# More arguments for pytest: make test ARGS="-k layers"
ARGS ?=
UV := $(VENV)/bin/uv
# Seconds: make fuzz FUZZ=60
FUZZ ?= 600

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

# "yes" unless the environment is missing, was broken off half-way, or was made in another folder
# (its scripts hold absolute paths, so it does not survive a move).
USABLE := $(shell [ -x $(PY) ] && [ -x $(UV) ] && [ ! -e $(VENV)/.busy ] && \
	[ "$$(cat $(VENV)/.home 2>/dev/null)" = "$$(pwd -P)" ] && echo yes)

help: ## say what can be made
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/make \1\t\2/p' Makefile | expand -t 16

demo: $(VENV)/.cli ## see the whole thing run, from a model to a reply read back
	@$(VENV)/bin/structured-response demo

test: $(VENV)/.dev ## run the tests, as many at once as there are processors
	@PYTHONDONTWRITEBYTECODE= $(PY) -m pytest -n auto --dist worksteal $(ARGS)

slow: $(VENV)/.dev ## run the tests that take long: walks through corpora, killed processes, browsers, type checkers
	@PYTHONDONTWRITEBYTECODE= $(PY) -m pytest -n auto --dist worksteal tests/slow $(ARGS)

peers: $(VENV)/.peers ## run the tests of what needs packages that go with no others
	@$(VENV)/peers/bin/python -m pytest -m peers -W default tests/world $(shell grep -l mark.peers tests/slow/*.py) $(ARGS)

property: $(VENV)/.dev ## run the property tests with 10,000 examples each
	@$(PY) -m pytest -n auto -m hypothesis --hypothesis-profile=property $(ARGS)

zoo: $(VENV)/.dev ## walk every model of the packages that the tests take a sample of
	@$(PY) -m pytest --zoo=full tests/slow/test_zoo.py $(ARGS)

fuzz: $(VENV)/.fuzz ## try to break the reader for FUZZ seconds
	@$(PY) -m tests.fuzz $(FUZZ)

lint: $(VENV)/.dev ## check style, format and types
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check
	@$(PY) -m mypy

format: $(VENV)/.dev ## mend what the linter can mend by itself
	@$(PY) -m ruff check --fix
	@$(PY) -m ruff format

bench: $(VENV)/.bench $(VENV)/.peers ## measure, side by side with the alternatives
	@$(PY) -m benchmarks.run $(ARGS)
	@$(PY) -m benchmarks.prompt_size

scale: $(VENV)/.dev ## measure a million replies and many questions, with processes killed; takes an hour
	@$(PY) -m benchmarks.scale.files $(ARGS)
	@$(PY) -m benchmarks.scale.many
	@$(PY) -m benchmarks.scale.columns

docs: $(VENV)/.docs ## build the site of the documentation in .site/, and check it
	@rm -rf .pages && mkdir .pages && cp -R docs examples [CLRS]*.md LICENSE .pages
	@$(VENV)/bin/zensical build --clean --strict
	@cp -R llms.txt .pages/. .site # so that the links of llms.txt hold there too
	@$(PY) docs/check_site.py .site

build: $(VENV)/.dev ## make wheel and sdist in dist/
	@rm -rf dist
	@$(PY) -m build

lock: $(VENV)/.home ## write down the releases that make installs, in uv.lock
	@$(UV) lock $(ARGS)

clean: ## remove everything that was made
	@rm -rf $(VENV) .cache .pages .site dist .fuzz .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find structured_response tests benchmarks examples .ci -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# While .busy exists the environment counts as unfinished, whatever else lies in it.
define install
	@echo "installing what 'make $(MAKECMDGOALS)' needs into $(VENV) ..."
	@touch $(VENV)/.busy
	@UV_PROJECT_ENVIRONMENT=$(VENV) $(UV) sync --quiet --frozen --inexact $(1)
	@rm $(VENV)/.busy
	@touch $@
endef

$(VENV)/.cli: pyproject.toml uv.lock $(VENV)/.home
	$(call install,--extra cli)

$(VENV)/.dev: pyproject.toml uv.lock $(VENV)/.home
	$(call install,--group dev --extra all)
	@touch $(VENV)/.cli

$(VENV)/.docs: pyproject.toml uv.lock $(VENV)/.home
	$(call install,--group docs)

$(VENV)/.bench: pyproject.toml uv.lock $(VENV)/.home
	$(call install,--group bench --extra playground --extra testing)

$(VENV)/.fuzz: pyproject.toml uv.lock $(VENV)/.home
	$(call install,--group fuzz)

# Packages that cannot be installed beside the others, in an environment inside the environment.
$(VENV)/.peers: pyproject.toml uv.lock $(VENV)/.home
	@echo "installing what wants an environment of its own into $(VENV)/peers ..."
	@UV_PROJECT_ENVIRONMENT=$(VENV)/peers $(UV) sync --quiet --frozen --python $(PY) \
		--group peers --extra cli --extra dspy --extra litellm --extra mcp --extra ray --extra spark
	@touch $@

$(VENV)/.home: $(if $(USABLE),,FORCE)
	@for python in $(CANDIDATES); do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			rm -rf $(VENV) && "$$python" -m venv $(VENV) && \
				$(PY) -m pip install --quiet uv && pwd -P > $@; \
			exit; \
		fi; \
		seen="$$seen  $$python: $$(command -v "$$python" >/dev/null && "$$python" --version 2>&1 || echo not found)\n"; \
	done; \
	printf "Python 3.11 or newer is needed. Looked at:\n$$seen" >&2; \
	printf 'If it is elsewhere, name it: make %s PYTHON=/path/to/python3.12\n' '$(MAKECMDGOALS)' >&2; \
	exit 1
