"""Tests for pages that are painted only when a test looks at their pixels or colours."""

import pytest

from tests.browser.faults import find_violations
from tests.panel.shots import OpenScenePage
from tests.support.painting import take_screenshot

pytestmark = pytest.mark.browser


def test_an_unpainted_page_is_painted_for_a_screenshot_and_for_its_colours(
    open_scene_page: OpenScenePage,
) -> None:
    page = open_scene_page((320, 568)).show("act-turn")
    assert take_screenshot(page) != page.screenshot(), "the second picture is empty"
    assert not find_violations(page)
    page.evaluate("document.querySelector('.now h1').style.color = '#888'")
    assert any(violation.startswith("color-contrast") for violation in find_violations(page))
