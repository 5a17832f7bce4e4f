"""Prints the output of all commands, line by line.

Text from other people (a name, a title, another server's answer) is escaped. So it can't send
control characters to the terminal, nor add a line that looks like a line of the program.
"""

import os
import sys
import unicodedata

import click

LONGEST = 1000  # maximum length of a line; a longer line is cut and ends with an ellipsis


def escape_line(text: str) -> str:
    r"""Return the text as one line, with invisible characters escaped, such as ``\x1b``."""
    line = "".join(_escape(c) for c in text[: LONGEST + 1])
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


def _escape(character: str) -> str:
    """Return the character, escaped if it is invisible.

    Two kinds of characters are never escaped: unassigned characters, since a newer version of
    Unicode may define them, and the marks that isolate a name's text direction, since their effect
    ends with the line.
    """
    invisible = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
    invisible = invisible and character not in "\u2068\u2069"
    return character.encode("unicode_escape").decode() if invisible else character


def print_line(text: str, *, err: bool = False) -> None:
    """Print one line to stdout, or to stderr if ``err`` is true.

    Raise ``Failure`` if stdout can't be written to. Ignore errors of stderr.
    """
    try:
        click.echo(escape_line(text), err=err)
    except OSError as error:
        if err:
            return
        _give_up_stdout()
        raise Failure(f"Nothing can be printed on stdout: {error.strerror}") from error


def print_drawing(drawing: str) -> None:
    """Print lines with colours to stderr. They must not contain text from other people."""
    click.echo(drawing, err=True)  # click also translates colours for an old Windows console


def _give_up_stdout() -> None:
    """Discard the output that isn't printed yet. Otherwise it would raise an error when the program
    ends."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)


class Failure(click.ClickException):
    """Raised to print these lines and end the command with status 1."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(map(escape_line, lines)))
