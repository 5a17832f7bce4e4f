"""Run the program without Python's garbage collector, so that reference cycles stay in memory."""

import gc

from tests.guarantees.brisk import main

if __name__ == "__main__":
    gc.disable()
    main()
