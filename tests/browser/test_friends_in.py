"""Tests for letting friends in from the panel, with a real OpenSSH server as the service."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.web import ssh
from tests.browser.faults import find_violations
from tests.browser.people import Person
from tests.server.test_letting_in import read_key
from tests.support.chromium import TUNNELS_NAME
from tests.support.servers.server import RealServer
from tests.support.servers.sshd import TELLS_ADDRESS, Sshd, own_service, running_sshd

pytestmark = [pytest.mark.browser, pytest.mark.ssh]


@pytest.fixture
def sshd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sshd]:
    """Yield a running OpenSSH server that admits our own key and prints its address."""
    folder = tmp_path / "sshd"
    folder.mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with running_sshd(folder) as server:
        ssh.command(own_service(server.port), 1)  # called only because it creates the key
        key = Path(os.environ["XDG_DATA_HOME"]) / "companion" / "ssh" / "key"
        server.admit(key, TELLS_ADDRESS.format(port=server.port, name=TUNNELS_NAME))
        server.start()
        yield server


FETCH = """async ([path, token, body]) => (await fetch(path, {
  method: body ? "POST" : "GET", body,
  headers: {Authorization: `Bearer ${token}`, "Content-Type": "application/json"},
})).status"""


def test_202_the_host_lets_friends_in_from_the_panel_with_nothing_but_ssh(
    person: Callable[..., Person], serve: Callable[..., RealServer], sshd: Sshd
) -> None:
    server = serve("tests.support.servers.with_own_service", TEST_SSH_PORT=str(sshd.port))
    ana = person("Ana", server.url)
    ana.page.goto(server.url)
    # without the console's link, the page says who can open it, and how the host can change that
    closed = ana.page.locator(".friends[data-way=none]")
    expect(closed).to_contain_text("So far only this computer can open this page.")
    expect(ana.page.locator("[data-do=let-in]")).to_have_count(0)

    ana.page.goto("about:blank")
    ana.page.goto(f"{server.url}/#operator={read_key(server)}")
    expect(ana.page.locator("[data-do=let-in]")).to_be_visible()
    assert "operator" not in ana.page.url
    ana.page.locator("form.make [name=name]").fill("Ana")
    ana.page.locator("form.make button.main").click()
    ana.page.wait_for_url("**/t/*")
    code = ana._sit_down()

    # the page names the program and the service before the program runs
    ana.page.click("[data-do=let-in]")
    expect(ana.page.locator(".way", has=ana.page.locator(":checked"))).to_contain_text(
        "Runs ssh, which this computer already has. No account. All traffic goes through"
    )
    assert not find_violations(ana.page)
    ana.page.click("[data-do=open-way]")
    link = ana.page.locator(".invite .send .soft")
    expect(link).to_contain_text(TUNNELS_NAME, timeout=40_000)
    expect(ana.page.locator(".invite .qr")).to_be_attached()
    address = f"http://{link.text_content()}"
    assert address.endswith(f"/t/{code}")

    ben = person("Ben", address.partition("/t/")[0])
    ben.page.goto(address)
    ben.page.fill(".join [name=name]", "Ben")
    ben.page.click(".join .main")
    ben._sit_down()
    expect(ana.page.locator(".seats li")).to_contain_text(["Ana", "Ben"])

    # nobody who comes through the tunnel can open or close a way, not even with the token
    token = ana.page.evaluate("JSON.parse(localStorage.getItem('hiss.operator') ?? 'null')")
    assert token
    stored = "(token) => localStorage.setItem('hiss.operator', JSON.stringify(token))"
    ben.page.evaluate(stored, token)
    ben.page.goto(ben.url)
    expect(ben.page.locator("form.make")).to_be_visible()
    expect(ben.page.locator(".friends")).to_have_count(0)
    for path, body in (
        ("/api/access", None), ("/api/access", '{"way": "house"}'), ("/api/access/close", "{}"),
        ("/api/operator", '{"key": "x"}'),
    ):  # fmt: skip
        assert ben.page.evaluate(FETCH, [path, token, body]) == 403
    ben.complaints.clear()

    ana.page.click("[data-do=close-way]")
    expect(ana.page.locator("[data-do=let-in]")).to_be_visible()
    expect(ana.page.locator(".seats li")).to_contain_text(["Ana", "Ben"])


RENEW_TOKEN = """
const store = (token) => { localStorage["hiss.operator"] = JSON.stringify(token); };
store("an older server's token");
const { fetch } = window;
window.fetch = (path, ...rest) => {
  if (path.endsWith("/api/access")) store(%r);
  return fetch(path, ...rest);
};
"""
"""The page reads the token of a server that has ended. Before the page uses it, another window
stores the token of the running server."""


def test_202_an_old_page_of_the_host_uses_the_token_that_another_window_has_got(
    person: Callable[..., Person], serve: Callable[..., RealServer]
) -> None:
    server = serve()
    ana = person("Ana", server.url)
    ana.page.goto(f"{server.url}/#operator={read_key(server)}")
    expect(ana.page.locator("[data-do=let-in]")).to_be_visible()
    token = ana.page.evaluate("JSON.parse(localStorage['hiss.operator'])")
    old = ana.context.new_page()
    old.add_init_script(RENEW_TOKEN % token)
    old.goto(server.url)
    expect(old.locator("[data-do=let-in]")).to_be_visible()
    assert old.evaluate("JSON.parse(localStorage['hiss.operator'])") == token
