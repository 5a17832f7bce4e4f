"""Parses hosts and origins into a normal form, so that they can be compared.

Two texts for the same host or origin get the same form, even if they differ in letter case, in the
scheme's default port, in a dot at the end of a name, or in the notation of an IPv6 address.
"""

import re
from ipaddress import ip_address
from typing import NamedTuple

PORTS = {"http": 80, "https": 443}
"""Default ports by scheme."""

NO_PAGES = ("file", "ftp", "ws", "wss")
"""Schemes that no page's origin can have. If a page comes from a file, browsers send ``null`` as
its origin."""

_NAME = re.compile(r"[\w.-]+", re.ASCII)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")
_BRACKETED = re.compile(r"\[([^\[\]]*)\](?::(.*))?")


class Host(NamedTuple):
    """A host's name or address, and its port if the text has one."""

    name: str
    port: int | None = None


class Origin(NamedTuple):
    """A page's origin. ``port`` is None if none is given and the scheme has no default port."""

    scheme: str
    name: str
    port: int | None

    def __str__(self) -> str:
        name = f"[{self.name}]" if ":" in self.name else self.name
        usual = self.port is None or self.port == PORTS.get(self.scheme)
        return f"{self.scheme}://{name}" + ("" if usual else f":{self.port}")


def parse_host(text: str) -> Host:
    """Parse a ``Host`` header. Raise ``ValueError`` if the header isn't valid."""
    if match := _BRACKETED.fullmatch(text):
        return Host(str(ip_address(match[1])), _parse_port(match[2]))
    name, _, port = text.partition(":")
    name = name.lower().removesuffix(".")
    if not _NAME.fullmatch(name) or ".." in name or name.startswith("."):
        raise ValueError(f"{text!r} can't be a host's name")
    return Host(name, _parse_port(port))


def parse_origin(text: str) -> Origin:
    """Parse an ``Origin`` header. Raise ``ValueError`` if no page can have this origin."""
    scheme, separator, rest = text.partition("://")
    scheme = scheme.lower()
    if not separator or not _SCHEME.fullmatch(scheme) or scheme in NO_PAGES:
        raise ValueError(f"{text!r} is no page's origin")
    name, port = parse_host(rest)
    return Origin(scheme, name, port or PORTS.get(scheme))


def read_hosts(text: str) -> tuple[str, ...]:
    """Parse a setting of host names, each ``*``, ``name``, or ``.name`` (the name and its
    subdomains).

    Raise ``ValueError`` with a message that shows how to write a name.
    """
    return tuple(_read_host(word) for word in _split_words(text))


def read_origins(text: str) -> tuple[str, ...]:
    """Parse a setting of origins. Raise ``ValueError`` like ``read_hosts``."""
    return tuple(_read_origin(word) for word in _split_words(text))


def _split_words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _read_host(word: str) -> str:
    if word == "*":
        return word
    if "/" in word:
        raise ValueError(f"{word!r} is more than a name: write it as kittens.example")
    if word.startswith("*."):
        raise ValueError(f"{word!r}: write {word[1:]!r}, which is that name and all below it")
    dot = "." if word.startswith(".") else ""
    name = word.removeprefix(".")
    try:
        return dot + _read_name(name)
    except ValueError:
        why = "can't be a host's name: write it as kittens.example, without quotes"
        raise ValueError(f"{word!r} {why}") from None


def _read_name(name: str) -> str:
    """Return a name in the form that browsers send. An IPv6 address needs no brackets here."""
    try:
        return str(ip_address(name))
    except ValueError:
        return parse_host(name if name.isascii() else name.encode("idna").decode()).name


def _read_origin(word: str) -> str:
    written = word.removesuffix("/")
    try:
        name = written.rpartition("://")[2]
        if not name.isascii():
            written = written.replace(name, name.encode("idna").decode())
        return str(parse_origin(written))
    except ValueError:
        why = "is no page's origin: write each as https://kittens.example"
        raise ValueError(f"{word!r} {why}") from None


def _parse_port(text: str | None) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and 0 < int(text[:6]) < 65536):
        raise ValueError(f"{text!r} can't be a port")
    return int(text)
