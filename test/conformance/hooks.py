"""What valid requests need and no schema describes.

A cursor is good only if it was issued for the list it is sent to, and an idempotency key only for the request it was sent
with first. The key of every request is in `X-Api-Key`: a bearer token that is generated as well is another key. Without
this, good requests would be refused for reasons that are right.
"""

import re
import uuid

import schemathesis

#: Cursors are longer than anything that is made up.
ISSUED = re.compile(r"[\w-]{40,}")
IDEMPOTENCY_KEY = "Idempotency-Key"


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.query and not ISSUED.fullmatch(str(case.query.get("cursor", "")) or "-"):
        case.query.pop("cursor", None)
    if case.headers:
        case.headers.pop("Authorization", None)
    if case.headers and IDEMPOTENCY_KEY in case.headers:
        case.headers[IDEMPOTENCY_KEY] = str(uuid.uuid4())
