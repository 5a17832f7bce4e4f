"""The folders of the project that tests read."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"  # recorded logs, replays and answers
VARIANTS = ROOT / "variants"
