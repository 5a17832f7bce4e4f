# Short names for common commands; each command documents itself.
.PHONY: test fast timed format lock audit serve demo soak

test:
	python3 tests

fast:
	python3 tests fast

timed:
	python3 tests timed

format:
	.venv/bin/ruff format .
	node_modules/.bin/biome format --write

lock:
	python3 tests lock

audit:
	python3 tests audit

MINUTES = 20

soak:
	.venv/bin/python -m tools.benchmarks.soak --minutes $(MINUTES)
	.venv/bin/python -m tests.rules.test_any_rules 1000
	COMPANION_TESTS_TIMES=10 .venv/bin/python -m pytest -q -n auto -m soak

serve: .venv/bin/companion
	.venv/bin/companion

demo: .venv/bin/companion
	.venv/bin/companion demo

.venv/bin/companion:
	python3 -m venv .venv
	.venv/bin/pip install -q uv==0.13.9
	.venv/bin/uv sync --frozen --inexact
