"""Run the program with these arguments, and print its CPU time and memory as JSON.

The program runs in its own process, so that only its use is measured. Limits far above the expected
use keep a failing test from disturbing other tests.
"""

import json
import runpy

SECONDS = 15
BYTES = 1200 * 1024 * 1024


def main() -> None:
    import resource  # Windows doesn't have it

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    try:
        runpy.run_module("companion", run_name="__main__", alter_sys=True)
    finally:
        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = used.ru_utime + used.ru_stime
        print(json.dumps({"seconds": seconds, "megabytes": used.ru_maxrss / 1024}))


if __name__ == "__main__":
    main()
