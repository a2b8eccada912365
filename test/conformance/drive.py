"""Calls operations with a generated client and prints the status of each.

Reads what to call from standard input. An answer must say the same as a model as it does as JSON.
"""

import base64
import importlib
import io
import json
import pathlib
import sys
import typing
from datetime import datetime

sys.path.insert(0, "")
from generated import AuthenticatedClient  # noqa: E402
from generated.types import File  # noqa: E402


def find_operation(name):
    [found] = pathlib.Path("generated/api").glob(f"*/{name}.py")
    return importlib.import_module(f"generated.api.{found.parent.name}.{name}")


def as_model(annotation, body):
    """The body as the model that the operation takes; of several the first that it fits."""
    if hasattr(annotation, "from_dict"):
        return annotation.from_dict(body)
    arguments = typing.get_args(annotation)
    if typing.get_origin(annotation) is list:
        return [as_model(arguments[0], item) for item in body]
    for argument in arguments:
        try:
            return as_model(argument, body)
        except KeyError:
            continue
    return body


def as_json(model):
    if isinstance(model, list):
        return [as_json(item) for item in model]
    return model.to_dict() if hasattr(model, "to_dict") else model


def is_same(one, other):
    """Whether two JSON values are equal; times may be written in different ways."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    if one == other:
        return True
    try:
        return datetime.fromisoformat(one) == datetime.fromisoformat(other)
    except (TypeError, ValueError):
        return False


def call(client, wanted):
    operation = find_operation(wanted["operation"]).sync_detailed
    arguments = dict(wanted["path"])
    if "body" in wanted:
        arguments["body"] = as_model(typing.get_type_hints(operation)["body"], wanted["body"])
    if "file" in wanted:
        file = wanted["file"]
        content = io.BytesIO(base64.b64decode(file["content"]))
        form = typing.get_type_hints(operation)["body"]
        arguments["body"] = form(file=File(payload=content, file_name=file["name"]))
    answer = operation(client=client, **arguments)
    if answer.status_code == 200:
        sent, read = json.loads(answer.content), as_json(answer.parsed)
        assert is_same(sent, read), f"{wanted['operation']}: {sent} was read as {read}"
    return answer.status_code


task = json.load(sys.stdin)
# The token goes into a header of its own, without a word before it.
key = {"token": task["key"], "prefix": "", "auth_header_name": "X-Api-Key"}
with AuthenticatedClient(base_url=task["url"], **key) as client:
    statuses = {one["operation"]: call(client, one) for one in task["calls"]}
print(json.dumps(statuses))
