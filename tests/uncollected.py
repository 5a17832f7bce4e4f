"""The program without Python's collector: what is left in a circle stays, and weighs."""

import gc

from tests.promises.brisk import main

if __name__ == "__main__":
    gc.disable()
    main()
