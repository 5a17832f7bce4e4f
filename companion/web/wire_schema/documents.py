"""Generates the two documents: OpenAPI 3.1 for HTTP calls, AsyncAPI 3 for socket messages."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from msgspec import Struct

from companion import __version__
from companion.rules.variants.form import Form
from companion.service.replays.finished import Remark
from companion.service.requests import Robot, Seated
from companion.web.api import NewRobot, NewRoom, NewSeat, NewTable, Practice, StandIn
from companion.web.connection import Auth
from companion.web.letting_in import Key, Way
from companion.web.wire_schema import calls, views
from companion.web.wire_schema.schemas import (
    Schema,
    Schemas,
    all_components,
    any_of,
    make_ref,
    referenced_names,
)

Names = tuple[str, ...]
"""Names of alternative schemas. A value has to match one of them."""

VIEW = ("GridView", "PileView")
VARIANT = ("GridVariant", "PileVariant")
ENTRY = ("GridEntry", "PileEntry")
PATCH = ("GridPatch", "PilePatch")

TOKEN = {"token": list[str]()}
COOKIE = {"cookie": list[str]()}
WHO = {
    "anyone": [{}],
    "seat": [TOKEN, COOKIE],
    "viewer": [TOKEN, COOKIE, {}],
    "operator": [TOKEN],
}
"""Maps a kind of caller to the credentials that it can use. Each entry of a list is an alternative,
and ``{}`` stands for no credentials."""


class Call(NamedTuple):
    """An HTTP call. ``asked`` is its method and path. If ``many`` is true, the answer is a list."""

    name: str
    asked: str
    does: str
    answer: type[Struct] | Names
    body: type[Struct] | None = None
    who: Literal["anyone", "seat", "viewer", "operator"] = "anyone"
    many: bool = False
    query: Names = ()


CALLS = [
    Call("makeTable", "post /api/tables", "Make a table with the caller as its host.",
         Seated, NewTable),
    Call("enterRoom", "post /api/rooms", "Take a seat at the table of a launcher's word.",
         Seated, NewRoom),
    Call("takeSeat", "post /api/tables/{code}/seats", "Take a seat before a game begins.",
         Seated, NewSeat),
    Call("askPlace", "post /api/tables/{code}/waiting", "Ask for a seat in the next game.",
         Seated, NewSeat),
    Call("watch", "get /api/tables/{code}", "The spectator's view.", VIEW, who="viewer"),
    Call("readLog", "get /api/tables/{code}/log", "The table's events, oldest first.",
         ENTRY, who="viewer", many=True),
    Call("readEvening", "get /api/tables/{code}/evening", "The finished games.",
         calls.Evening, who="viewer"),
    Call("readTablesVariant", "get /api/tables/{code}/variant", "The variant that the table plays.",
         VARIANT, query=("language", "brief", "game")),
    Call("readGame", "get /api/tables/{code}/games/{number}", "A finished game as a file.",
         calls.GameFile, who="viewer"),
    Call("readMoments", "get /api/tables/{code}/games/{number}/moments",
         "A finished game, moment by moment.", calls.Moments, who="viewer"),
    Call("readRemarks", "get /api/tables/{code}/games/{number}/remarks",
         "The players' remarks on a game.", calls.Left, who="viewer", many=True),
    Call("leaveRemark", "post /api/tables/{code}/games/{number}/remarks", "Leave a remark.",
         calls.Left, Remark, "seat", many=True),
    Call("openGame", "post /api/replays", "The game in a file, moment by moment.",
         calls.Moments, calls.GameFile),
    Call("makeClaim", "post /api/tables/{code}/seats/{seat}/claim",
         "A link that opens the seat on another device.", calls.ClaimLink, who="seat"),
    Call("useClaim", "post /api/claims/{claim}", "Move the seat to this device.", Seated),
    Call("describeServer", "get /api/server", "The server: robots, address, limits.", calls.Server),
    Call("countRobots", "get /api/robots", "The robots that the server offers.", calls.Robots),
    Call("practise", "post /api/practice", "Make a table with two robots.", Seated, Practice),
    Call("addRobot", "post /api/tables/{code}/robots", "Seat a robot at the table, by its host.",
         Robot, NewRobot, "seat"),
    Call("lendSeat", "post /api/tables/{code}/seats/{seat}/robot", "Lend the seat to a robot.",
         calls.Lent, StandIn, "seat"),
    Call("listVariants", "get /api/variants", "All variants; the first is the default.",
         calls.InShort, many=True),
    Call("readVariant", "get /api/variants/{id}", "One variant, whole.", VARIANT),
    Call("readAddress", "get /api/address", "The server's public address.", calls.Origin),
    Call("becomeOperator", "post /api/operator", "Exchange the console's key for a token.",
         calls.OperatorToken, Key),
    Call("readAccess", "get /api/access", "The way in that is open.", calls.WayIn, who="operator"),
    Call("openAccess", "post /api/access", "Open a way in.", calls.WayIn, Way, "operator"),
    Call("closeAccess", "post /api/access/close", "Close the way in.", calls.WayIn, who="operator"),
    Call("readHealth", "get /healthz", "Health of the process.", calls.Health),
    Call("readReadiness", "get /readyz", "Readiness for new connections.", calls.Readiness),
]  # fmt: skip


class Message(NamedTuple):
    """A socket message, and the types of its acknowledgement."""

    name: str
    says: str
    payload: type[Struct] | Names
    answers: Names = ()


SENT = [
    Message("command", "A seat sends a command; docs/steps.md lists who may send which, when.",
            ("Command",), ("Accepted", "Denied")),
    Message("sync", "Requests the view, or only its head if the client has the newest.",
            calls.Known, (*VIEW, "Head", "Denied")),
    Message("sign", "Sends a gesture to all, or notifies a seat that somebody checks its camera "
            "picture. The server doesn't store it.",
            calls.Signs, ("Accepted", "Denied")),
    Message("replay", "Moves all viewers of a shared replay to a moment.",
            calls.Step, ("Stepped", "Denied")),
]  # fmt: skip

HEARD = [
    Message("view", "The whole view: on connecting, and after every change.", VIEW),
    Message("patch", "The changes, for clients that asked for patches.", PATCH),
    Message("head", "The newest version, every 5 s.", views.Head),
    Message("presence", "The connected seats and spectators.", views.Presence),
    Message("superseded", "The seat was opened elsewhere; this connection ends.", calls.Empty),
    Message("moving", "The process is about to stop: connect again.", calls.Empty),
    Message(
        "sign",
        "Somebody at the table sent a gesture, for everyone or for this seat.",
        calls.Sign,
    ),
    Message("replay", "Somebody moved the shared replay.", calls.At),
]


def schemas() -> Schemas:
    """Return every schema of the contract, by name."""
    kinds = [x for call in CALLS for x in (call.answer, call.body) if isinstance(x, type)]
    kinds += [m.payload for m in (*SENT, *HEARD) if isinstance(m.payload, type)]
    kinds += [calls.Failure, calls.Accepted, calls.Denied, calls.Stepped, Auth]
    found = all_components(*kinds, Form)
    for name in VARIANT:
        found[name]["properties"]["house"] = make_ref("Form")
    commands = any_of(["GridSaid", "PileSaid"])
    found["Command"] = {"allOf": [commands, {"required": ["id"]}]}
    properties = found["Moments"]["properties"]
    properties["view"] = any_of(VIEW)
    properties["moments"]["items"] = any_of(PATCH)
    return found


def openapi() -> str:
    """Return the OpenAPI document of the HTTP calls."""
    paths: dict[str, Schema] = {}
    for call in CALLS:
        method, path = call.asked.split()
        paths.setdefault(path, {})[method] = _operation(call, path)
    document: Schema = {
        "openapi": "3.1.0",
        "info": _info("over HTTP"),
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "seat-{code}"},
            },
        },
    }
    return _to_json(document)


def _operation(call: Call, path: str) -> Schema:
    """Return the description of a call: its parameters, body and answers."""
    named = [*re.findall(r"{(\w+)}", path)]
    parameters = [_parameter(name, "path") for name in named]
    parameters += [_parameter(name, "query") for name in call.query]
    answer = _ref_or_choice(call.answer)
    if call.many:
        answer = {"type": "array", "items": answer}
    made = call.asked.startswith("post") and call.answer is not calls.Moments
    operation: Schema = {
        "operationId": call.name,
        "summary": call.does,
        "security": WHO[call.who],
        "parameters": parameters,
        "responses": {
            "201" if made else "200": {"description": call.does, "content": _json(answer)},
            "default": {"description": "An error.", "content": _json(make_ref("Failure"))},
        },
    }
    if call.name == "readReadiness":
        operation["responses"]["503"] = operation["responses"]["200"]
    if made:
        parameters.append(_parameter("Idempotency-Key", "header"))
    if call.body:
        operation["requestBody"] = {"required": True, "content": _json(_ref_or_choice(call.body))}
    return operation


def _parameter(name: str, place: str) -> Schema:
    return {
        "name": name, "in": place, "required": place == "path", "schema": {"type": "string"},
    }  # fmt: skip


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


def _ref_or_choice(kind: type[Struct] | Names) -> Schema:
    """Return a reference to one schema, or to a choice between several schemas."""
    if isinstance(kind, type):
        return make_ref(kind.__name__)
    return make_ref(kind[0]) if len(kind) == 1 else any_of(kind)


def asyncapi() -> str:
    """Return the AsyncAPI document of the socket messages."""
    messages = dict[str, Schema]()
    operations = dict[str, Schema]()
    channel = {"$ref": "#/channels/socket"}
    for action, listed in (("receive", SENT), ("send", HEARD)):
        for message in listed:
            key = f"{message.name}{'Said' if action == 'receive' else ''}"
            messages[key] = _message(message.name, message.says, _ref_or_choice(message.payload))
            operations[f"{action}{key.title()}"] = operation = {
                "action": action,
                "channel": channel,
                "messages": [{"$ref": f"#/channels/socket/messages/{key}"}],
            }
            if message.answers:
                answer = f"{message.name}Answer"
                messages[answer] = _message(
                    "(acknowledgement)", "", _ref_or_choice(message.answers)
                )
                reply = {"$ref": f"#/channels/socket/messages/{answer}"}
                operation["reply"] = {"channel": channel, "messages": [reply]}
    document: Schema = {
        "asyncapi": "3.0.0",
        "info": _info("over Socket.IO (protocol 5)"),
        "channels": {
            "socket": {
                "address": "/socket.io/",
                "description": "A client connects with `auth`: see the schema Auth.",
                "messages": messages,
            },
        },
        "operations": operations,
        "components": {"schemas": {"Auth": make_ref("Auth")}},
    }
    return _to_json(document)


def _message(name: str, says: str, payload: Schema) -> Schema:
    return {"name": name, "summary": says, "payload": payload}


def _info(how: str) -> Schema:
    return {
        "title": f"Hiss, the draw-grid companion, {how}",
        "version": __version__,
        "license": {"name": "MIT"},
        "description": "docs/protocol.md explains it. Times are ms since the epoch.",
    }


def _to_json(document: Schema) -> str:
    """Add the schemas that a document refers to, and return the document as JSON."""
    found = schemas()
    wanted = dict[str, Schema]()
    names = referenced_names(document)
    while names:
        name = names.pop()
        if name not in wanted:
            wanted[name] = found[name]
            names |= referenced_names(found[name])
    document["components"]["schemas"] = {name: wanted[name] for name in sorted(wanted)}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


DOCUMENTS: Mapping[str, Callable[[], str]] = {"openapi.json": openapi, "asyncapi.json": asyncapi}
"""The functions that generate the documents, by the document's name."""
