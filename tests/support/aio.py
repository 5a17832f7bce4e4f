"""Run coroutines from tests that may share a process with a browser's tests."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_coroutine(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in an event loop of its own, in another thread, and return its result.

    Playwright keeps an event loop running in the main thread while a browser is open, and
    ``asyncio.run`` refuses to start another one beside it.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
