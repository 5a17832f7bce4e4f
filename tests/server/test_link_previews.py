"""Tests for the tags and the picture that chat programs show as the preview of a link."""

import struct
from collections.abc import Callable
from html.parser import HTMLParser
from http.client import HTTPConnection
from urllib.parse import urlsplit

from tests.support.servers.server import RealServer

PROXY = {
    "X-Forwarded-For": "203.0.113.7",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "play.example",
    "X-Forwarded-Prefix": "/hiss",
}


class MetaTags(HTMLParser):
    """Collects the meta tags of a page by their name or property."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        name = named.get("property") or named.get("name")
        if tag == "meta" and name and not named.get("media"):
            assert name not in self.found, name
            self.found[name] = named.get("content") or ""


def read_tags(server: RealServer, path: str, **headers: str) -> dict[str, str]:
    return MetaTags(server.get(path, **headers).body).found


def test_each_page_has_a_title_a_description_and_a_picture_for_chats(server: RealServer) -> None:
    table = server.post("/api/tables", {"name": "Ana"}).json["table"]
    titles = set()
    for path in ("/", f"/t/{table}", f"/t/{table}/replay/1"):
        tags = read_tags(server, path)
        assert "Exploding Kittens" in tags["og:title"]
        assert tags["og:description"] == tags["description"]
        assert tags["og:image"] == f"{server.url}/static/preview.png"
        assert tags["twitter:card"] == "summary_large_image"
        titles.add(tags["og:title"])
    assert len(titles) == 3


def test_a_preview_is_in_the_language_that_is_requested(server: RealServer) -> None:
    tags = read_tags(server, "/t/KXQF7H", **{"Accept-Language": "it-IT,it;q=0.9"})
    assert tags["og:title"] == "Vieni a giocare a Exploding Kittens"
    assert "account" in tags["og:description"]


def test_a_preview_says_the_same_of_every_table_and_nothing_about_one(server: RealServer) -> None:
    table = server.post("/api/tables", {"name": "Dana Secret"}).json["table"]
    there, nowhere = server.get(f"/t/{table}"), server.get("/t/AAAAAA")
    assert (there.status, nowhere.status) == (200, 200)
    assert there.body == nowhere.body
    assert b"Dana" not in there.body and table.encode() not in there.body
    assert "og:url" not in MetaTags(there.body).found  # it would replace the sent link


def test_pages_and_their_picture_answer_head_like_get_without_a_body(server: RealServer) -> None:
    for path in ("/", "/t/KXQF7H", "/t/KXQF7H/replay/1", "/static/preview.png"):
        expected = server.get(path)
        connection = HTTPConnection("127.0.0.1", server.port)
        connection.request("HEAD", path, headers={"User-Agent": "WhatsApp/2.23"})
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (200, b""), path
        for name in ("Content-Type", "Content-Length", "ETag"):
            assert answer.headers[name] == expected.headers[name], (path, name)
        connection.close()


def test_the_picture_is_a_small_png_of_the_size_that_chats_ask_for(server: RealServer) -> None:
    tags = read_tags(server, "/")
    picture = server.get(urlsplit(tags["og:image"]).path)
    assert picture.headers["Content-Type"] == "image/png" == tags["og:image:type"]
    assert picture.body.startswith(b"\x89PNG")
    size = struct.unpack(">II", picture.body[16:24])
    assert size == (int(tags["og:image:width"]), int(tags["og:image:height"])) == (1200, 630)
    assert len(picture.body) < 60_000


def test_a_preview_names_the_address_that_a_trusted_proxy_reports(
    serve: Callable[..., RealServer],
) -> None:
    server = serve(COMPANION_TRUST_PROXY="1")
    tags = read_tags(server, "/t/KXQF7H", **PROXY)
    assert tags["og:image"] == "https://play.example/hiss/static/preview.png"
