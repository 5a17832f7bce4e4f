"""Runs the program and says what it took: ``python measured.py ARGUMENTS``, as JSON on a line.

A process of its own: what the tests' one takes would count, too. Whoever takes far too much is
ended, so that a test that fails spoils nothing else.
"""

import json
import resource
import subprocess
import sys
import tempfile
import threading

SECONDS, BYTES = 15, 1200 * 1024 * 1024


def bounded() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def main() -> None:
    command = [sys.executable, "-m", "companion", *sys.argv[1:]]
    with (
        tempfile.TemporaryFile("w+") as said,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=said, text=True, preexec_fn=bounded
        ) as process,
    ):
        assert process.stdout
        late = threading.Timer(30, process.kill)
        late.start()
        first = process.stdout.readline()
        if first.startswith("Ready: "):
            process.terminate()
        out, _ = process.communicate()
        late.cancel()
        said.seek(0)
        err = said.read()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps({
        "status": process.returncode, "out": first + out, "err": err,
        "seconds": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss / 1024,
    }))  # fmt: skip


if __name__ == "__main__":
    main()
