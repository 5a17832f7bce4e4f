"""Generate a JavaScript client from the OpenAPI and AsyncAPI documents, as an outsider would.

It knows JSON Schema, OpenAPI and AsyncAPI, and nothing about this program.
"""

import json
import re
from pathlib import Path
from typing import Any

KINDS = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean",
         "null": "null", "array": "unknown[]", "object": "Record<string, unknown>"}  # fmt: skip


def to_typescript(schema: Any) -> str:
    """Return a JSON schema as a TypeScript type."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    for how, joins in (("anyOf", " | "), ("allOf", " & ")):
        if how in schema:
            return joins.join(f"({to_typescript(part)})" for part in schema[how])
    if "properties" in schema or "required" in schema:
        return object_to_typescript(schema.get("properties", {}), schema.get("required", []))
    if "prefixItems" in schema:
        return f"[{', '.join(map(to_typescript, schema['prefixItems']))}]"
    if isinstance(schema.get("items"), dict):
        return f"({to_typescript(schema['items'])})[]"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"Record<string, {to_typescript(schema['additionalProperties'])}>"
    kinds = schema.get("type", [*KINDS])
    return " | ".join(KINDS[part] for part in ([kinds] if isinstance(kinds, str) else kinds))


def object_to_typescript(properties: dict[str, Any], required: list[str]) -> str:
    """Return an object's TypeScript type. A required property that isn't described may have any
    type."""
    types = {name: to_typescript(inner) for name, inner in properties.items()}
    types |= {name: "{}" for name in required if name not in properties}
    listed = (f"{json.dumps(n)}{'' if n in required else '?'}: {kind}" for n, kind in types.items())
    return f"{{{'; '.join(listed)}}}"


def write_client(openapi: Any, asyncapi: Any, folder: Path) -> None:
    """Write the types to ``wire.d.mts``, and a function for each HTTP operation to ``wire.mjs``."""
    schemas = {**openapi["components"]["schemas"], **asyncapi["components"]["schemas"]}
    types = [f"export type {name} = {to_typescript(schema)};" for name, schema in schemas.items()]
    calls = []
    for path, methods in openapi["paths"].items():
        for method, operation in methods.items():
            name = operation["operationId"]
            parts = ", ".join(f"{part}: string" for part in re.findall(r"{(\w+)}", path))
            answer = to_typescript(json_schema_of(next(iter(operation["responses"].values()))))
            body = (
                to_typescript(json_schema_of(operation["requestBody"]))
                if "requestBody" in operation
                else "null"
            )
            types.append(
                f"export function {name}(server: string, parts: {{{parts}}}, said: {body},"
                f" token?: string): Promise<{answer}>;"
            )
            calls.append(f"export const {name} = made({json.dumps(method)}, {json.dumps(path)});")
    messages = asyncapi["channels"]["socket"]["messages"]
    received = []
    sent = []
    for operation in asyncapi["operations"].values():
        message = find_message(messages, operation["messages"][0])
        handler = f"{message['name']}: (said: {to_typescript(message['payload'])}"
        if "reply" in operation:
            answer = find_message(messages, operation["reply"]["messages"][0])
            sent.append(
                f"{handler}, answer: (told: {to_typescript(answer['payload'])}) => void) => void"
            )
        else:
            (received if operation["action"] == "send" else sent).append(f"{handler}) => void")
    types += [f"export type Heard = {{{'; '.join(received)}}};",
              f"export type Said = {{{'; '.join(sent)}}};"]  # fmt: skip
    (folder / "wire.d.mts").write_text("\n".join(types) + "\n", "utf-8")
    (folder / "wire.mjs").write_text(CALL_FACTORY + "\n".join(calls) + "\n", "utf-8")


def json_schema_of(of: Any) -> Any:
    return of["content"]["application/json"]["schema"]


def find_message(messages: Any, ref: Any) -> Any:
    return messages[ref["$ref"].rpartition("/")[2]]


CALL_FACTORY = """
const made = (method, path) => async (server, parts, said, token) => {
  const where = path.replace(/{(\\w+)}/g, (_, name) => encodeURIComponent(parts[name]));
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const body = said === null ? undefined : JSON.stringify(said);
  const answer = await fetch(server + where, { method: method.toUpperCase(), headers, body });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error.text);
  return told;
};
"""
