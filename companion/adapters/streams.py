"""Prepares the standard streams when the program starts: replaces those that are closed, and makes
the others print any character."""

import io
import os
import sys
from contextlib import suppress

STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def open_missing() -> None:
    """Open the null device in place of each closed standard stream.

    Otherwise a database or a connection would get the stream's file number, and a library's output
    for the stream would be written into it.
    """
    for number, (name, mode) in enumerate(STREAMS):
        try:
            os.fstat(number)
        except OSError:
            # ``open`` takes the lowest free file number, which is the number of this stream
            os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(number, True)
        if getattr(sys, name) is None:
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def print_any_character() -> None:
    """Escape the characters that a stream's encoding lacks, such as names on a console with cp1252.

    Otherwise printing them would raise an error.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # The stream's file was replaced with something that isn't a text file.
            with suppress(OSError):
                stream.reconfigure(errors="backslashreplace")
