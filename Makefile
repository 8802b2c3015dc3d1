# Each target works as the first command in a fresh clone: it makes .venv and installs what requirements.lock names.
# Nothing is fetched again until pyproject.toml or requirements.lock changes.

VENV := .venv
PYTHON := $(VENV)/bin/python
STAMP := $(VENV)/.installed

# Programs are started many times: where the environment forbids to keep what Python compiles, each start would compile anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo test lint types tests fuzz bench casestudies docs format lock clean

help:
	@echo "make demo     the whole tour on a bundled example"
	@echo "make test     all checks: lint, types, tests"
	@echo "make lint     ruff: rules and formatting"
	@echo "make types    mypy, strict"
	@echo "make tests    pytest, the import contract and the documents' examples included"
	@echo "make fuzz     random programs, models and designs against gcc and brute force; with MINUTES=20, so long each"
	@echo "make bench    time and memory: the tables of docs/figures.md"
	@echo "make casestudies  three real programs, two versions each; how much of many others is understood"
	@echo "make docs     rewrite the generated parts of the documents"
	@echo "make format   let ruff mend formatting and what else it can"
	@echo "make lock     choose versions anew (needs uv)"
	@echo "make clean    remove everything that was built or cached"

demo: $(STAMP)
	@echo "== demo: $(VENV)/bin/stateglass demo"
	@$(VENV)/bin/stateglass demo

# All phases run even if one fails, so that one round shows everything.
test: $(STAMP)
	@failed=; \
	for phase in lint types tests; do $(MAKE) --no-print-directory $$phase || failed="$$failed $$phase"; done; \
	if [ -n "$$failed" ]; then echo "== failed:$$failed"; exit 1; fi; \
	echo "== all checks passed"

lint: $(STAMP)
	@echo "== lint: ruff check, ruff format --check"
	@$(PYTHON) -m ruff check .
	@$(PYTHON) -m ruff format --check .

types: $(STAMP)
	@echo "== types: mypy"
	@$(PYTHON) -m mypy

tests: $(STAMP)
	@echo "== tests: pytest -n 2"
	@$(PYTHON) -m pytest -q -n 2

fuzz: $(STAMP)
	@echo "== fuzz: our answers against gcc's, g++'s, brute force and evaluators of their own, on random programs"
	@$(PYTHON) -m tests.fuzz $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED))

bench: $(STAMP)
	@echo "== bench"
	@$(PYTHON) -m benchmarks.all

casestudies: $(STAMP)
	@echo "== casestudies: files of Debian's source packages, obtained now"
	@failed=; \
	$(PYTHON) -m casestudies.studies || failed=yes; \
	$(PYTHON) -m casestudies.reading --sources build/casestudies || failed=yes; \
	[ -z "$$failed" ]

docs: $(STAMP)
	@echo "== docs: the table in ARCHITECTURE.md, docs/reference"
	@$(PYTHON) -m scripts.docs

format: $(STAMP)
	@echo "== format: ruff check --fix, ruff format"
	@$(PYTHON) -m ruff check --fix .
	@$(PYTHON) -m ruff format .

lock:
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --no-emit-index-url --output-file requirements.lock

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml requirements.lock scripts/find_python.sh
	@python=$$(sh scripts/find_python.sh) || exit 1; \
	echo "== install: $(VENV) from requirements.lock, with $$python"; \
	"$$python" -m venv --clear $(VENV)
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-input --require-hashes -r requirements.lock
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-input --no-deps --no-build-isolation -e .
	@touch $(STAMP)
