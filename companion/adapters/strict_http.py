"""Reads a request's header lines and body strictly and within limits, for both servers.

RFC 9112 allows a server to be lenient: it may accept a bare line feed as the end of a line, a
header continued on the next line, or ``0x`` before a chunk's size. If a server is lenient and the
proxy in front of it isn't, they disagree about where a request ends. The libraries are lenient, and
read some lines without a limit.
"""

import re
from email.message import Message
from typing import Protocol

HEAD_BYTES = 65536  # limit for all header lines of one request together
CHUNKS = 8192  # maximum number of chunks in a body, since even a small chunk takes time

REQUEST_LINE = re.compile(rb"[^\r\n\0]*\r\n")
HEADER_LINE = re.compile(rb"(?:[!#$%&'*+.^`|~\w-]+:[^\r\n\0]*)?\r\n")
SIZE_LINE = re.compile(rb"[0-9A-Fa-f]{1,16}\r\n")
SIZE_BYTES = 18  # maximum length of a line with a chunk's size

_WHY = b'{"error":{"code":"bad_request","text":"It is not clear where this request ends."}}'
UNCLEAR = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(_WHY), _WHY)
)


class Malformed(ValueError):
    """Raised for a body that isn't in valid chunks."""


class Source(Protocol):
    """A buffered file of a connection, as ``socket.makefile`` returns it."""

    def read(self, size: int = -1, /) -> bytes: ...

    def readline(self, size: int = -1, /) -> bytes: ...


class HeaderLines:
    """Reads header lines for the library, and notes whether a line was malformed."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._size = 0
        self.malformed = False

    def readline(self, size: int = -1) -> bytes:
        """Return the next line, or an empty line if the headers exceed their limit."""
        line = self._source.readline(size)
        self._size += len(line)
        if self._size > HEAD_BYTES:
            self.malformed = True
            return b""
        if not HEADER_LINE.fullmatch(line):
            self.malformed = True
        return line


def has_clear_end(request_line: bytes, lines: HeaderLines, headers: Message, version: str) -> bool:
    """Return True if no proxy could disagree with this server about where the request ends."""
    lengths = headers.get_all("content-length", [])
    codings = headers.get_all("transfer-encoding", [])
    ends = [
        *(length.isascii() and length.isdecimal() for length in lengths),
        *(coding.lower() == "chunked" and version == "HTTP/1.1" for coding in codings),
    ]
    well_formed = REQUEST_LINE.fullmatch(request_line) is not None and not lines.malformed
    return well_formed and ends in ([], [True])


class ChunkedBody:
    """A body that arrives in chunks. Extensions and trailers are refused, because no client needs
    them."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._left = 0  # unread bytes of the current chunk
        self._chunks = 0
        self._malformed = False
        self.ended = False

    def read(self, size: int) -> bytes:
        """Return the next ``size`` bytes, or fewer at the end of the body.

        If the body is malformed, raise ``Malformed``, at this call and at each later one.
        """
        pieces = []
        while size > 0 and not self.ended:
            if self._left == 0:
                self._begin_chunk()
                continue
            piece = self._source.read(min(size, self._left))
            if not piece:
                raise self._fault("it ends in the middle")
            pieces.append(piece)
            size -= len(piece)
            self._left -= len(piece)
            if self._left == 0:
                self._expect_line_end()
        return b"".join(pieces)

    def _begin_chunk(self) -> None:
        if self._malformed:
            raise self._fault("it is malformed")
        self._chunks += 1
        line = self._source.readline(SIZE_BYTES)
        if not SIZE_LINE.fullmatch(line):
            raise self._fault("a chunk's size is not one")
        if self._chunks > CHUNKS:
            raise self._fault("it has too many chunks")
        self._left = int(line, 16)
        if self._left == 0:
            self._expect_line_end()
            self.ended = True

    def _expect_line_end(self) -> None:
        if self._source.read(2) != b"\r\n":
            raise self._fault("a chunk does not end where it should")

    def _fault(self, why: str) -> Malformed:
        self._malformed = True
        self._left = 0
        return Malformed(why)
