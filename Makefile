PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv pip
NODE := PATH="$(CURDIR)/$(BIN):$$PATH" NODE_OPTIONS=--use-system-ca NPM_CONFIG_UPDATE_NOTIFIER=false
SITE_PACKAGES := node_modules/.build
PACKAGES := node_modules/.all
BESIDE := tests/server/under_load/beside
SITE := src/jamboree/server/site/index.html
WEB_SOURCES := $(shell find web src/jamboree/games/*/web src/jamboree/games/*/words/locale src/jamboree/bots/locale src/jamboree/core/palette.json -type f -not -path 'web/types/*' -not -path 'web/fixtures/*' 2>/dev/null)
TWIN_SOURCES := $(shell find src/jamboree/fast src/jamboree/core/twin src/jamboree/games/*/fast -name '*.py' 2>/dev/null)
WIRE_SOURCES := $(shell find src/jamboree -name '*.py' -o -name '*.toml')
LOCK := $(UV) compile --quiet --universal --generate-hashes --no-annotate \
	--custom-compile-command "make lock" --python-version 3.11
LOCK_FLAGS ?=
RUN_FLAGS ?=
RELEASE_FLAGS ?=
TWIN_STEPS ?= 1000000
TWINS := $(patsubst src/jamboree/games/%/fast,%,$(wildcard src/jamboree/games/*/fast))
MODULES := $(TWINS:%=src/jamboree/fast/modules/%.wasm)
SIDE_BY_SIDE := $(MAKE) --no-print-directory --jobs=$(shell nproc 2>/dev/null || echo 2) --output-sync=target

unexport PYTHONDONTWRITEBYTECODE # hundreds of programs are started, each of which would compile all modules anew
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export UV_PYTHON := $(BIN)/python
export UV_SYSTEM_CERTS ?= 1
ifeq ($(shell test -w "$$HOME" && echo yes),)
export UV_NO_CACHE := 1
endif

# An editable installation has the version of the commit at which it was made.
COMMIT := $(shell git rev-parse HEAD 2>/dev/null)
NEW_COMMIT := $(filter-out $(shell cat $(VENV)/.commit 2>/dev/null),$(COMMIT))

# A virtual environment does not survive being copied or moved: its stamp says where it was made.
MOVED := $(filter-out $(CURDIR),$(shell cat $(VENV)/.uv 2>/dev/null))

.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help run fast test lint types imports compiled modules unit web site static web-check web-test faults siege nodes simulate twins mutants load beside lag soak pictures frames bench docs golden report release lock lowest setup clean FORCE

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## open a server to play at; RUN_FLAGS="--host 0.0.0.0" lets in the whole house
	@$(MAKE) --no-print-directory --jobs=2 $(SITE) $(VENV)/.server
	@$(BIN)/python scripts/run.py $(RUN_FLAGS)

fast: $(VENV)/.fast ## install what the strong bots need; `make run` does so by itself once the server is up

test: ## every check, those that need only one core side by side; stops at the first that fails
	+@$(SIDE_BY_SIDE) lint types compiled web modules static imports
	@$(MAKE) --no-print-directory unit

web: web-check web-test site ## build and check the web client
	@$(NODE) npm run --silent budget

site: $(SITE) ## build the web client

static: static/index.html ## a folder for any static host, in which all games are played without a server

web-check: web/types/wire.ts ## the client's formatting and types
	@$(NODE) npm run --silent format
	@$(NODE) npm run --silent check

web-test: web/types/wire.ts web/fixtures/.made ## the client's component tests
	@$(NODE) npm run --silent test

lint: $(VENV)/.installed ## style and formatting
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/.installed ## static types
	$(BIN)/mypy

imports: $(VENV)/.installed ## who may import whom
	$(BIN)/lint-imports

compiled: $(addprefix compiled-,$(TWINS)) ## compile what the tests need of the games' fast twins
compiled-%: $(VENV)/.installed
	@$(BIN)/python -m tests.compiled $*

modules: $(MODULES) ## compile the games' fast twins to WebAssembly, for browsers
src/jamboree/fast/modules/%.wasm: $(VENV)/.installed $(TWIN_SOURCES)
	@$(BIN)/python -m jamboree.fast.wasm $(@D) $*
	@touch $@

unit: $(VENV)/.installed $(SITE) compiled modules static ## the tests
	$(BIN)/python -m pytest

faults: $(VENV)/.installed static ## the tests of kills, power cuts, drops, deadlines and nonsense at full length
	JAMBOREE_KILLS=200 JAMBOREE_POWER_CUTS=500 JAMBOREE_FUZZ=1000000 JAMBOREE_HTTP_FUZZ=100000 \
		JAMBOREE_BROWSER_KILLS=20 JAMBOREE_INTERLEAVINGS=1000 JAMBOREE_DROPS=1000 JAMBOREE_RESTARTS=50 JAMBOREE_LONGEST_TEST=7200 \
		$(BIN)/python -m pytest tests/server/live/test_clock.py tests/server/http/test_fuzz.py \
		tests/server/http/test_http_fuzz.py tests/server/store/test_kill.py tests/server/store/test_powercut.py \
		tests/server/store/test_lost_database.py \
		tests/browser/test_alone.py tests/client/test_drops.py

siege: $(VENV)/.installed $(SITE) ## attack a server in every way we know, and see how a bystander fares
	$(BIN)/python -m tests.siege $(SIEGE)

nodes: $(VENV)/.installed ## several servers on one PostgreSQL, one of which is killed, stopped, cut off from the database or from the other, drained or joined; NODES="--times 5" for less
	$(BIN)/python -m tests.nodes $(NODES)

SEEDS ?= 1000
simulate: $(VENV)/.installed ## the whole server under every fault at once, on virtual time; SEEDS=10000 for longer, KIND=--nodes for several servers
	$(BIN)/python -m tests.simulation $(KIND) --seeds $(SEEDS)

twins: $(VENV)/.installed ## a million steps of every set-up in the reference and in its fast twin; TWIN_STEPS=… for fewer
	$(BIN)/python -m tests.fast.twins $(TWIN_STEPS)

mutants: $(VENV)/.installed ## break the rules in every small way and name what no test notices; MUTANTS="--sample 100" for fewer
	$(BIN)/python -m tests.mutation $(MUTANTS)

load: $(VENV)/.installed ## how the server bears a thousand tables and 300 moves a second; LOAD="1000 500" for more
	$(BIN)/python -m tests.server.under_load.weight
	$(BIN)/python -m tests.server.under_load.memory
	$(BIN)/python -m tests.server.under_load.load $(LOAD)

beside: $(BESIDE)/node_modules/.package-lock.json ## the load of fifty tables on the server of boardgame.io, then on ours; BESIDE_LOAD="1000 300 3000" for more
	@$(NODE) NODE_ENV=production $(BIN)/python -m tests.server.under_load.compare $(BESIDE_LOAD)

soak: $(VENV)/.installed ## tables of bots come and go for half an hour: whether the server's memory and descriptors stay flat; SOAK="--minutes 10 --tables 50" for less
	$(BIN)/python -m tests.server.under_load.soak $(SOAK)

lag: $(VENV)/.installed ## how long the worst requests, and thousands who watch, hold the server up
	$(BIN)/python -m tests.server.under_load.lag
	$(BIN)/python -m tests.server.under_load.watching

pictures: $(SITE) ## take the README's pictures
	$(BIN)/python -m tests.browser.pictures docs/pictures

frames: $(SITE) ## measure frames and long tasks of the web client on a slow machine
	$(BIN)/python -m tests.browser.frames

bench: $(VENV)/.bench ## measure speed
	$(BIN)/jamboree bench

docs: $(VENV)/.installed ## write the tables of HTTP routes in docs/protocol.md
	@$(BIN)/python scripts/http_table.py

golden: $(VENV)/.installed ## write the golden playthroughs anew
	$(BIN)/python -m tests.golden.make

report: $(VENV)/.installed ## play thousands of games between bots and describe them in docs/games; GAME=… says which game
	$(BIN)/python -m jamboree.lab.report $(GAME)

release: $(VENV)/.installed $(SITE) $(MODULES) ## packages, SBOM, licences and checksums in dist/; RELEASE_FLAGS=--draft tries it out
	@$(NODE) npm run --silent build -- --logLevel warn
	@$(BIN)/python scripts/release.py dist $(RELEASE_FLAGS)

lock: $(VENV)/.uv ## pin the dependencies anew; LOCK_FLAGS=--upgrade moves to the newest versions
	echo uv | $(LOCK) $(LOCK_FLAGS) - --output-file requirements-uv.lock >/dev/null
	$(LOCK) $(LOCK_FLAGS) pyproject.toml --extra test --output-file requirements-test.lock >/dev/null
	$(LOCK) pyproject.toml --extra server --constraints requirements-test.lock --output-file requirements.lock >/dev/null
	for extra in bench build fast telemetry; do \
		$(LOCK) pyproject.toml --extra $$extra --constraints requirements-test.lock \
			--output-file requirements-$$extra.lock >/dev/null || exit; \
	done

lowest: $(VENV)/.build $(SITE) ## try the oldest dependencies that pyproject.toml allows
	$(BIN)/python scripts/lowest.py

setup: $(VENV)/.installed ## install everything the other targets need

clean: ## remove everything that was built or installed
	rm -rf $(VENV) build dist node_modules web/types web/fixtures src/jamboree/server/site src/jamboree/fast/modules .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.uv: requirements-uv.lock scripts/make-venv $(if $(MOVED),FORCE)
	@scripts/make-venv $(PYTHON) $(VENV)
	@echo "$(CURDIR)" > $@

# The environment grows by steps: what builds, what a server needs, what strong bots need, what tests need.
$(VENV)/.commit: $(VENV)/.uv $(if $(NEW_COMMIT),FORCE)
	@echo "$(COMMIT)" > $@

$(VENV)/.build: $(VENV)/.uv requirements-build.lock
	@echo "Installing the build tools"
	@$(UV) install --quiet --require-hashes --requirements requirements-build.lock
	@touch $@

# The last line compiles the modules, so that the first start of the server does not wait for that.
$(VENV)/.server: $(VENV)/.build $(VENV)/.commit requirements.lock pyproject.toml
	@echo "Installing the server"
	@$(UV) install --quiet --require-hashes --requirements requirements.lock
	@$(UV) install --quiet --no-deps --no-build-isolation --editable .
	@$(BIN)/python -c "import jamboree.cli.app, jamboree.server.serve"
	@touch $@

$(VENV)/.fast: $(VENV)/.server requirements-fast.lock
	@$(UV) install --quiet --require-hashes --requirements requirements-fast.lock
	@touch $@

$(VENV)/.installed: $(VENV)/.fast requirements-test.lock
	@echo "Installing what the tests need"
	@$(UV) install --quiet --require-hashes --requirements requirements-test.lock
	@touch $@

# Not `npm ci`: the lock may lack the compiled parts for other machines, which are then found by their pinned version.
# What only checks and tests need is left out, unless it is there already.
$(SITE_PACKAGES): $(VENV)/.build package.json package-lock.json .npmrc
	@echo "Installing the packages that build the web client"
	@$(NODE) npm install $(if $(wildcard $(PACKAGES)),,--omit=dev) --no-save --silent --no-progress
	@touch $@

$(PACKAGES): $(SITE_PACKAGES)
	@echo "Installing the packages that test the web client"
	@$(NODE) npm install --no-save --silent --no-progress
	@touch $@

$(BESIDE)/node_modules/.package-lock.json: $(VENV)/.installed $(BESIDE)/package-lock.json
	@cd $(BESIDE) && $(NODE) npm ci --silent --no-progress

web/types/wire.ts: $(VENV)/.server $(PACKAGES) web/scripts/types.mjs $(WIRE_SOURCES)
	@$(BIN)/jamboree schema | $(NODE) npm run --silent types

web/fixtures/.made: $(VENV)/.installed tests/browser/fixtures.py $(WIRE_SOURCES)
	@$(BIN)/python -m tests.browser.fixtures web/fixtures
	@touch $@

$(SITE): $(SITE_PACKAGES) $(WEB_SOURCES) vite.config.ts
	@echo "Building the web client"
	@$(NODE) BROTLI_QUALITY=5 node node_modules/vite/bin/vite.js build --logLevel warn
	@touch $@

# A wheel for Pyodide, which uv does not know as a platform yet.
build/msgspec/.downloaded: $(VENV)/.build requirements-page.lock
	@rm -rf $(@D)
	@$(BIN)/uv tool run --quiet pip==25.3 download --quiet --require-hashes --no-deps --only-binary :all: \
		--python-version 3.14 --implementation cp --abi cp314 --platform pyemscripten_2026_0_wasm32 \
		--dest $(@D) --requirement requirements-page.lock
	@touch $@

build/tables/files.json: $(PACKAGES) build/msgspec/.downloaded $(MODULES) $(WIRE_SOURCES) $(wildcard web/scripts/page/*)
	@echo "Packing the tables for a page without a server"
	@$(NODE) node web/scripts/page/pack.mjs build/msgspec "$$($(BIN)/python -c 'import jamboree; print(jamboree.__version__)')" build/tables

static/index.html: build/tables/files.json $(WEB_SOURCES) vite.config.ts
	@echo "Building a page that needs no server"
	@$(NODE) JAMBOREE_TABLES=build/tables node node_modules/vite/bin/vite.js build --outDir "$(CURDIR)/static" --logLevel warn
	@touch $@

$(VENV)/.bench: $(VENV)/.installed requirements-bench.lock
	@$(UV) install --quiet --require-hashes --requirements requirements-bench.lock
	@touch $@
