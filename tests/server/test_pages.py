"""Pages and their files, their security headers, and the headers of proxies."""

import gzip
import json
import re
import shutil
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urljoin

import pytest

from companion.web import pages
from tests.support.servers.server import ROOT, RealServer

PROXY = {
    "X-Forwarded-For": "203.0.113.7",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "play.example",
}


@pytest.mark.parametrize(
    "path",
    ["/", "/t/AAAAAA", "/healthz", "/api/variants", "/nothing", "/api/tables/AAAAAA/log"],
)
def test_every_answer_has_the_security_headers(server: RealServer, path: str) -> None:
    headers = server.get(path).headers
    policy = headers["Content-Security-Policy"]
    host = f"127.0.0.1:{server.port}"
    assert "default-src 'self'" in policy and f"connect-src 'self' ws://{host}" in policy
    assert "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"]
    assert "X-Frame-Options" not in headers
    assert "Strict-Transport-Security" not in headers


def test_the_pages_are_served(server: RealServer) -> None:
    for path in ("/", "/t/KXQF7H", "/t/kxq-f7h"):
        page = server.get(path)
        assert page.status == 200
        assert page.headers["Content-Type"].startswith("text/html")


def test_pages_and_files_that_have_not_changed_are_answered_with_304(server: RealServer) -> None:
    for path in ("/t/KXQF7H", "/static/js/table.js", "/static/text/en.json"):
        first = server.get(path)
        assert first.status == 200
        assert first.headers["Cache-Control"] == "no-cache"
        again = server.get(path, **{"If-None-Match": first.headers["ETag"]})
        assert again.status == 304 and again.body == b""


def test_texts_are_compressed_for_clients_that_accept_it(server: RealServer) -> None:
    for path in ("/t/KXQF7H", "/static/js/table.js", "/api/variants/quarantined"):
        uncompressed = server.get(path)
        assert "Content-Encoding" not in uncompressed.headers
        compressed = server.get(path, **{"Accept-Encoding": "gzip"})
        if len(uncompressed.body) < 1024:
            assert compressed.body == uncompressed.body
            continue
        assert compressed.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in compressed.headers["Vary"]
        assert gzip.decompress(compressed.body) == uncompressed.body
    path = "/static/js/table.js"
    tag = server.get(path, **{"Accept-Encoding": "gzip"}).headers["ETag"]
    again = server.get(path, **{"Accept-Encoding": "gzip", "If-None-Match": tag})
    assert (again.status, again.body) == (304, b"")


def test_a_page_loads_one_script_and_one_style_sheet_that_never_change(
    server: RealServer,
) -> None:
    for path in ("/", "/t/KXQF7H"):
        page = server.get(path).body.decode()
        links = re.findall(r'(?:src|href)="([^"]+\.(?:js|css))', page)
        files = [urljoin(path, link) for link in links]  # a proxy may serve the page under any path
        assert len(files) == 2 and all(file.startswith("/static/lean/") for file in files)
        assert not any(link.startswith("/") for link in links)
        for file in files:
            assert server.get(file).headers["Cache-Control"].endswith("immutable")


def test_the_bundle_is_outdated_after_a_module_changes(tmp_path: Path) -> None:
    static = tmp_path / "static"
    shutil.copytree(ROOT / "static", static)
    assert pages.bundles_are_current(static)
    module = static / "js/table.js"
    module.write_text(module.read_text() + "// changed\n")
    pages._check_stamp.cache_clear()
    assert not pages.bundles_are_current(static)


PERSON = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("typed", "expected_path"),
    [
        ("/t/KXQF7H/", "/t/KXQF7H"),
        ("/T/kxq-f7h", "/t/KXQF7H"),
        ("/kxqf7h", "/t/KXQF7H"),
        ("/KXQF7H/", "/t/KXQF7H"),
        ("/T/KXQF7H/Replay/3/", "/t/KXQF7H/replay/3"),
    ],
)
def test_other_spellings_of_a_tables_address_redirect_to_it(
    server: RealServer, typed: str, expected_path: str
) -> None:
    connection = HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", typed, headers=PERSON)
    answer = connection.getresponse()
    assert answer.status == 302
    assert urljoin(typed, answer.headers["Location"]) == expected_path
    connection.close()


@pytest.mark.parametrize("path", ["/nothing", "/t/", "/t/no/code/here", "/static/no.css"])
def test_an_unknown_path_is_answered_with_a_page_or_json_by_the_accept_header(
    server: RealServer, path: str
) -> None:
    page = server.get(path, **PERSON)
    assert page.status == 404
    assert page.headers["Content-Type"].startswith("text/html")
    for name in re.findall(r'(?:src|href)="([^"]+\.(?:js|css))', page.body.decode()):
        assert server.get(urljoin(path, name)).status == 200
    for program in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}):
        assert server.get(path, **program).error["code"] == "not_found"


def test_api_requests_are_answered_with_json_even_for_browsers(server: RealServer) -> None:
    assert server.get("/api/nothing", **PERSON).error["code"] == "not_found"
    assert server.get("/api/tables/AAAAAA", **PERSON).error["code"] == "not_found"


def test_a_browsers_bad_request_is_explained_in_plain_text(server: RealServer) -> None:
    answer = server.get("/", Host="evil.example", **PERSON)
    assert answer.status == 400 and b"--hosts" in answer.body
    assert answer.headers["Content-Type"].startswith("text/plain")


def test_a_page_contains_its_first_texts_in_the_requested_language(server: RealServer) -> None:
    for asked, language in (("it-CH,it;q=0.9,en;q=0.8", "it"), ("xx", "en"), ("*", "en")):
        for path, late in (("/", True), ("/t/KXQF7H", False)):
            page = server.get(path, **{"Accept-Language": asked})
            assert "Accept-Language" in page.headers["Vary"]
            [data] = re.findall(r'id="words">(.*?)</script>', page.body.decode())
            texts = json.loads(data)
            assert texts[""] == server.get(f"/static/text/{language}.json").json
            assert ("late/" in texts) is late


@pytest.mark.parametrize("path", ["/", "/t/KXQF7H", "/t/KXQF7H/replay/1", "/offline", "/no/page"])
def test_every_page_turns_off_browser_translation(server: RealServer, path: str) -> None:
    """A translation would replace text that the panel has to update later."""
    for language in ("en", "it"):
        page = server.get(path, **PERSON, **{"Accept-Language": language}).body.decode()
        [html] = re.findall("<html[^>]*>", page)
        assert 'translate="no"' in html
        assert '<meta name="google" content="notranslate">' in page


@pytest.mark.parametrize(
    "typed", ["{}.", "({})", "<{}>", "\u200b{}\ufeff", " {}\u2069", "{},", "“{}”", "_{}_"]
)
def test_a_pasted_code_is_found_despite_stray_characters(server: RealServer, typed: str) -> None:
    code = server.post("/api/tables", {"name": "Ana"}).json["table"]
    for form in (code, code.lower(), f"{code[:3]}‑{code[3:]}", f"{code[:2]}\u200b{code[2:]}"):
        pasted = quote(typed.format(form), safe="")
        assert server.get(f"/api/tables/{pasted}").json["table"] == code
        found = server.get(f"/{pasted}", **PERSON)
        assert found.status == 200 and b'id="says"' in found.body  # the table's page
    assert server.connect_client(typed.format(code)).view["table"] == code


@pytest.mark.parametrize("typed", ["{}A", "A.{}", "{}/t", "......", "{:.3}.{:.3}"])
def test_a_non_code_is_rejected(server: RealServer, typed: str) -> None:
    code = server.post("/api/tables", {"name": "Ana"}).json["table"]
    assert server.get(f"/api/tables/{quote(typed.format(code, code))}").status == 404


def test_vendored_files_contain_their_licences(server: RealServer) -> None:
    vendored = "/static/vendor/lit-html/lit-html.js"
    assert b"@license" in server.get(vendored).body


def test_answers_about_a_table_are_not_cached(server: RealServer) -> None:
    table = server.post("/api/tables", {"name": "Ana"}).json["table"]
    assert server.get(f"/api/tables/{table}").headers["Cache-Control"] == "no-store"


def test_a_qr_code_is_black_on_white_with_a_quiet_zone(server: RealServer) -> None:
    code = server.get("/t/KXQF7H/qr.svg")
    assert code.headers["Content-Type"].startswith("image/svg+xml")
    assert b"#fff" in code.body and b"#000" in code.body
    claim = server.get("/t/KXQF7H/qr.svg?claim=" + "x" * 43)
    assert len(claim.body) > len(code.body)
    assert server.get("/t/KXQF7H/qr.svg?claim=%3Cb%3E").body == code.body
    assert server.get("/t/no/qr.svg").error["code"] == "not_found"


def test_a_foreign_page_may_not_connect(server: RealServer) -> None:
    path = "/socket.io/?EIO=4&transport=polling"
    assert server.get(path).status == 200
    assert server.get(path, Origin=server.url).status == 200
    assert server.get(path, Origin="https://evil.example").status == 400
    assert server.get(path, Origin=server.url.replace("http:", "https:")).status == 400
    assert server.get(path, Origin="null").status == 400


def test_proxy_headers_are_ignored_without_a_trusted_proxy(server: RealServer) -> None:
    answer = server.get("/", **PROXY)
    assert "play.example" not in answer.headers["Content-Security-Policy"]
    assert "Strict-Transport-Security" not in answer.headers


def test_settings_allow_origins_proxies_and_frames(serve: Callable[..., RealServer]) -> None:
    server = serve(
        COMPANION_ORIGINS="https://a.example https://b.example",
        COMPANION_TRUST_PROXY="1",
        COMPANION_FRAME_ANCESTORS="https://zoom.us",
    )
    path = "/socket.io/?EIO=4&transport=polling"
    assert server.get(path, Origin="https://b.example").status == 200
    assert server.get(path, Origin="https://c.example").status == 400
    assert server.get(path, Origin="https://play.example", **PROXY).status == 200
    headers = server.get("/", **PROXY).headers
    assert "wss://play.example" in headers["Content-Security-Policy"]
    assert "frame-ancestors https://zoom.us" in headers["Content-Security-Policy"]
    assert headers["Strict-Transport-Security"]
    created = server.post("/api/tables", {"name": "Ana"}, **PROXY)
    assert "Secure" in created.headers["Set-Cookie"]
    claim = f"/api/tables/{created.json['table']}/seats/{created.json['seat']}/claim"
    bearer = f"Bearer {created.json['token']}"
    url = server.post(claim, Authorization=bearer, **PROXY).json["url"]
    assert url.startswith("https://play.example/t/")
