"""Tests that the setup with several processes in docs/running.md matches the program."""

import json
import re
from types import SimpleNamespace as Namespace
from typing import Any

import yaml

from companion.cli import serve
from companion.web.metrics import Metrics
from tests.support.paths import ROOT
from tests.support.servers.server import RealServer

SINGLE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
COMPOSE = yaml.safe_load((ROOT / "deploy/compose.fleet.yaml").read_text("utf-8"))
FLEET = ("companion-1", "companion-2", "postgres", "redis", "caddy")

PROMETHEUS_OWN = {"up"}


def list_queries(board: Any) -> list[str]:
    """Return the expressions of a dashboard's panels."""
    panels = [panel for panel in board["panels"] if panel["type"] != "row"]
    return [target["expr"] for panel in panels for target in panel["targets"]]


def render_bus_metrics() -> str:
    """Return the metrics of a process that shares its tables with others over a message bus."""

    class Live(list[Any]):
        damages = ()

    metrics = Metrics()
    peers = Namespace(any=True, lag=0, conflicts=0, caught_up=0, seconds_connected=lambda: 0)
    robots = Namespace(posts=())
    sync = Namespace(clock_off=0)
    tables: Any = Namespace(live=Live(), robots=robots, peers=peers, sync=sync)
    metrics.add_gauges(tables, ())
    return metrics.text().decode()


def test_the_dashboard_uses_only_existing_metrics(server: RealServer) -> None:
    party = server.create_table("Ana")
    assert party.host.try_command("prepare")["error"]["code"] == "refused"
    figures = server.get("/metrics").body.decode() + render_bus_metrics()
    existing = {*re.findall(r"(?m)^(companion_\w+)", figures)} | PROMETHEUS_OWN
    expressions = list_queries(json.loads((ROOT / "deploy" / "grafana.json").read_text("utf-8")))
    names = {
        name
        for expression in expressions
        for name in re.findall(r"\b(?:companion_\w+|up)\b", expression)
    }
    assert names <= existing, names - existing
    assert names > {*re.findall(r"(?m)^(companion_(?:bus|clock|conflicts|caught)\w+)", figures)}
    labels = {*re.findall(r"(\w+)=~?\"", figures)} | {"job"}
    assert {
        label for expression in expressions for label in re.findall(r"[{,](\w+)=~?\"", expression)
    } <= labels


def test_composes_services_use_existing_settings_and_check_readyz() -> None:
    variables = {name for option in serve.params if (names := option.envvar)
             for name in ([names] if isinstance(names, str) else names)}  # fmt: skip
    services = COMPOSE["services"]
    for service in (SINGLE["services"]["companion"], services["companion-1"]):
        assert {*service["environment"]} <= variables
    assert [*SINGLE["services"]] == ["companion"] and {*services} == {*FLEET}
    for name in FLEET:
        service = services[name]
        assert service["read_only"] and service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert {*service.get("depends_on", {})} <= {*FLEET}
    volumes = [one.split(":")[0] for each in services.values() for one in each.get("volumes", [])]
    assert {one for one in volumes if not one.startswith("./")} == {*COMPOSE["volumes"]}
    for name in ("companion-1", "companion-2"):
        assert "/readyz" in " ".join(services[name]["healthcheck"]["test"])
        assert services[name]["environment"]["COMPANION_TRUST_PROXY"] == "1"


def test_159_every_container_and_service_has_a_bound_to_its_memory_and_time_to_end() -> None:
    for name, service in (SINGLE["services"] | COMPOSE["services"]).items():
        assert re.fullmatch(r"\d+[mg]", service["mem_limit"]), name
        if name.startswith("companion"):
            assert service["stop_grace_period"] == "15s"
    unit = (ROOT / "deploy" / "companion.service").read_text("utf-8")
    assert re.search(r"(?m)^MemoryMax=\d+[MG]$", unit) and "TimeoutStopSec=15" in unit


def test_159_no_password_has_a_default() -> None:
    text = (ROOT / "deploy/compose.fleet.yaml").read_text("utf-8")
    assert len(re.findall(r"\$\{POSTGRES_PASSWORD:\?[^}]+\}", text)) == 2
    for file in ("compose.yaml", "deploy/compose.fleet.yaml"):
        content = (ROOT / file).read_text("utf-8")
        assert not re.search(r"PASSWORD(?!:\?)[^\n]*:-\w", content), file


def test_caddy_leads_to_the_processes_that_compose_starts() -> None:
    text = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")
    (upstreams,) = re.findall(r"\{\$COMPANIONS:([^}]*)\}", text)
    assert upstreams.split() == ["companion-1:8000", "companion-2:8000"]
    assert "health_uri /readyz" in text and "lb_policy query table {" in text
    assert "./Caddyfile:/etc/caddy/Caddyfile:ro" in COMPOSE["services"]["caddy"]["volumes"]
    assert {*re.findall(r"\{\$(\w+)", text)} >= {*COMPOSE["services"]["caddy"]["environment"]}
