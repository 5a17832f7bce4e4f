"""Python's collector of garbage. Borrowed from gc: that what is frozen is not looked through."""

import gc


def collect_seldom() -> None:
    """States hold no cycles, so hardly anything waits for Python's collector: it took a tenth.

    What the program itself is made of stays as long as it runs and isn't looked through at all.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
