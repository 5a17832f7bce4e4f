"""Tests for the sentences of errors."""

import pytest

from companion.service import errors
from tests.support.own_variants import load_own


@pytest.mark.parametrize(
    ("seconds", "wait"), [(0.2, "1 s"), (119, "119 s"), (119.5, "2 min"), (598.5, "10 min")]
)
def test_a_long_wait_is_said_in_minutes(seconds: float, wait: str) -> None:
    variant = load_own("quarantined")
    limited = errors.rate_limited(seconds)
    assert errors.fault(variant, limited, "en").text == f"That was too fast. Try again in {wait}."
    assert errors.fault(variant, limited, "it").text == f"Troppo in fretta. Riprova fra {wait}."
