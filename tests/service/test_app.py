"""Tests for the answers to an unexpected error or a failing store: JSON without a traceback."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.app import create_app
from companion.service.tables import Tables
from companion.settings import Settings, default_variants
from companion.storage.database import Busy
from companion.storage.store import Store
from tests.support.own_variants import load_all_own


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    store = Store(f"sqlite:///{tmp_path / 'log.sqlite3'}")
    store.open()
    tables = Tables(store, load_all_own(), limit=10)
    yield tables
    tables.close()
    store.close()


@pytest.fixture
def client(tables: Tables) -> FlaskClient:
    settings = Settings(database="", variants_dir=default_variants())
    return create_app(settings, tables, "threading").test_client()


def fail_with(error: Exception) -> Any:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    return fail


def test_an_unexpected_error_is_answered_without_its_traceback(
    tables: Tables, client: FlaskClient, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    monkeypatch.setattr(tables, "create", fail_with(RuntimeError("the secret of the house")))
    answer = client.post("/api/tables", json={"name": "Ana"})
    assert answer.status_code == 500
    error = answer.get_json()["error"]
    assert error["code"] == "internal" and error["text"]
    assert "secret" not in answer.get_data(as_text=True)
    assert "the secret of the house" in caplog.text


def test_a_busy_store_is_503(
    tables: Tables, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "create", fail_with(Busy("database is locked")))
    answer = client.post("/api/tables", json={"name": "Ana"})
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (503, "busy")


def test_a_commit_stands_even_if_publishing_it_fails(
    tables: Tables, client: FlaskClient, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    created = client.post("/api/tables", json={"name": "Ana"}).get_json()
    with tables.at(created["table"]) as live:
        monkeypatch.setattr(
            live.publisher, "_publish", fail_with(RuntimeError("a view that can't be made"))
        )
    path = f"/api/tables/{created['table']}"
    assert client.post(f"{path}/seats", json={"name": "Ben"}).status_code == 201
    assert [seat["name"] for seat in client.get(path).get_json()["seats"]] == ["Ana", "Ben"]
    assert "a view that can't be made" in caplog.text
