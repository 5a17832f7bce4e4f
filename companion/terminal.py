"""Where every command prints, line by line, and nothing else does: what anybody else wrote, a name,
a title, another server's answer, can't steer the terminal, nor pass for our lines."""

import os
import sys
import unicodedata

import click

LONGEST = 1000  # characters of a line; what is longer is cut, and ends in dots


def plain(text: str) -> str:
    r"""The text as one line; what isn't to be seen is written out, as ``\x1b``."""
    written = "".join(_escape(c) for c in text[: LONGEST + 1])
    return written if len(written) <= LONGEST else f"{written[:LONGEST]}…"


def _escape(character: str) -> str:
    """Unassigned characters stand as they are: another Python may know them. So do the marks that
    isolate a name in our sentences: they reach no further than their line."""
    unseen = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
    unseen = unseen and character not in "\u2068\u2069"
    return character.encode("unicode_escape").decode() if unseen else character


def say(text: str, *, err: bool = False) -> None:
    """Prints one line; raises ``Failure`` where stdout takes none. Nobody could hear of stderr."""
    try:
        click.echo(plain(text), err=err)
    except OSError as error:
        if err:
            return
        _give_up_stdout()
        raise Failure(f"Nothing can be printed on stdout: {error.strerror}") from error


def _give_up_stdout() -> None:
    """Lets nothing that was not printed end the program with an error of its own."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)


class Failure(click.ClickException):
    """What ends a command with status 1, a sentence on each line."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(map(plain, lines)))
