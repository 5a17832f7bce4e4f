"""Hosts and origins are compared by their meaning, not by their spelling."""

from collections.abc import Callable

import pytest

from companion.settings import Settings, default_variants
from companion.web.address import PublicAddress
from companion.web.origins import parse_origin, read_hosts, read_origins
from companion.web.request_guards import RequestGuards
from tests.server.test_cli import companion
from tests.server.test_hosters import send_handshake
from tests.support.servers.server import RealServer

Serve = Callable[..., RealServer]


def make_guards(**settings: object) -> RequestGuards:
    values = {"database": "", "variants_dir": default_variants(), **settings}
    return RequestGuards(Settings(**values), PublicAddress())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("origin", "scheme", "host"),
    [
        ("https://kittens.example", "https", "kittens.example:443"),
        ("http://kittens.example", "http", "kittens.example:80"),
        ("https://kittens.example:8443", "https", "Kittens.Example:8443"),
        ("https://kittens.example", "https", "KITTENS.example"),
        ("https://kittens.example", "https", "kittens.example."),
        ("https://kittens.example.", "https", "kittens.example"),
        ("https://[2001:db8::1]", "https", "[2001:DB8:0::1]:443"),
    ],
)
def test_156_the_servers_own_origin_is_accepted_in_any_spelling(
    origin: str, scheme: str, host: str
) -> None:
    environ = {"wsgi.url_scheme": scheme, "HTTP_HOST": host}
    assert make_guards().is_own_origin(origin, environ)


@pytest.mark.parametrize(
    ("origin", "scheme", "host"),
    [
        ("http://kittens.example", "https", "kittens.example"),
        ("https://kittens.example:8443", "https", "kittens.example"),
        ("https://kittens.example", "https", "kittens.example:80"),
        ("https://kittens.example", "https", "kittens.example:0443x"),
        ("https://kittens.example,https://evil.example", "https", "kittens.example"),
        ("https://kittens.example@evil.example", "https", "kittens.example"),
        ("null", "https", "kittens.example"),
        ("null", "https", "null"),
        ("", "https", ""),
        (None, "https", "kittens.example"),
    ],
)
def test_156_other_origins_are_refused(origin: str | None, scheme: str, host: str) -> None:
    environ = {"wsgi.url_scheme": scheme, "HTTP_HOST": host}
    assert not make_guards().is_own_origin(origin, environ)


@pytest.mark.parametrize(
    "written",
    [
        "https://friends.example/", "https://friends.example:443", "HTTPS://Friends.Example",
        "https://friends.example.", "https://a.example,https://friends.example",
    ],
)  # fmt: skip
def test_156_a_configured_origin_is_accepted_in_any_spelling(written: str) -> None:
    guards = make_guards(origins=read_origins(written))
    environ = {"wsgi.url_scheme": "http", "HTTP_HOST": "127.0.0.1:8000", "REQUEST_METHOD": "POST"}
    assert guards.is_own_origin("https://friends.example", environ)
    assert guards.is_from_own_page(environ | {"HTTP_ORIGIN": "https://friends.example"})
    assert not guards.is_own_origin("http://friends.example", environ)


@pytest.mark.parametrize(
    ("written", "requested"),
    [
        ("Kittens.Example", "kittens.example:8000"),
        ("kittens.example", "KITTENS.EXAMPLE"),
        ("kittens.example.", "kittens.example"),
        ("kittens.example:443", "kittens.example"),
        (".example", "a.kittens.example"),
        (".kittens.example", "kittens.example"),
        ("2001:DB8::1", "[2001:db8:0::1]:80"),
        ("[2001:db8::1]", "[2001:db8::1]"),
        ("käfer.example", "xn--kfer-loa.example"),
    ],
)
def test_156_a_configured_host_name_is_accepted_in_any_spelling(
    written: str, requested: str
) -> None:
    guards = make_guards(hosts=read_hosts(written))
    assert guards.has_own_host({"HTTP_HOST": requested})
    for other in ("evil.test", "kittens.example.evil.test", "evilkittens.test", "[2001:db8::2]"):
        assert not guards.has_own_host({"HTTP_HOST": other}), other


def test_156_an_invalid_host_is_refused_under_any_setting() -> None:
    for guards in (make_guards(hosts=("*",)), make_guards()):
        for host in ("a;script-src *", "a b", "a/b", "a@b", "[::1", "a:b", "a:99999", ""):
            assert not guards.has_own_host({"HTTP_HOST": host}), host


@pytest.mark.parametrize(
    ("option", "text", "instead"),
    [
        ("--hosts", "https://kittens.example", "write it as kittens.example"),
        ("--hosts", "*.kittens.example", "write '.kittens.example'"),
        ("--hosts", '"kittens.example"', "without quotes"),
        ("--hosts", "kittens..example", "can't be a host's name"),
        ("--hosts", ".", "can't be a host's name"),
        ("--origins", "*", "write each as https://kittens.example"),
        ("--origins", "friends.example", "write each as https://kittens.example"),
        ("--origins", "https://friends.example/page", "write each as"),
        ("--origins", "wss://friends.example", "write each as"),
        ("--origins", "'https://friends.example'", "write each as"),
        ("--origins", "https://friends.example:99999", "write each as"),
        ("--origins", "null", "write each as"),
    ],
)
def test_156_a_host_name_or_origin_that_can_never_match_is_reported_at_the_start(
    option: str, text: str, instead: str
) -> None:
    result = companion("serve", option, text)
    assert result.returncode == 2 and " ".join(result.stderr.split()).count(instead) == 1
    assert "Traceback" not in result.stderr and "Ready" not in result.stdout


def test_156_an_origin_with_a_programs_own_scheme_is_accepted() -> None:
    assert str(parse_origin("capacitor://localhost")) == "capacitor://localhost"
    assert read_origins("chrome-extension://abcdef") == ("chrome-extension://abcdef",)


@pytest.mark.parametrize("scheme", ["wss", "https", "HTTPS"])
def test_156_a_proxy_may_call_a_sockets_scheme_wss(serve: Serve, scheme: str) -> None:
    server = serve(COMPANION_TRUST_PROXY="1")
    headers = {"X-Forwarded-Proto": scheme, "Host": "Kittens.Example:443"}
    assert send_handshake(server, headers | {"Origin": "https://kittens.example"}) == 101
    assert send_handshake(server, headers | {"Origin": "http://kittens.example"}) == 400
    assert "Strict-Transport-Security" in server.get("/", **headers).headers
    unknown_scheme = headers | {"X-Forwarded-Proto": "gopher"}
    assert "Strict-Transport-Security" not in server.get("/", **unknown_scheme).headers
