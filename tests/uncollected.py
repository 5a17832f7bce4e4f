"""The program without Python's collector: what is left in a circle stays, and weighs."""

import gc

from companion.__main__ import main

if __name__ == "__main__":
    gc.disable()
    main()
