# Verifies that a call of a webhook comes from Ledgerline. Needs nothing but Python 3.9.
import base64
import hashlib
import hmac
import time

# A recorded call is refused after this long.
AGE_SECONDS_MAX = 300


def verify(headers, body, secret, now=None):
    """Pass the bytes of the body as they arrived: JSON that was parsed and written again has other bytes.
    `headers` finds names in lower case, as those of the frameworks do; `secret` is the webhook's hmac_secret.
    Answer 401 when this is False."""
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > 12:
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > AGE_SECONDS_MAX:
        return False

    key = base64.b64decode(secret[len("whsec_") :]) if secret.startswith("whsec_") else secret.encode()
    if not key:
        raise ValueError("The secret is empty: any sender could sign with it.")
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())

    # Two signatures for 24 hours after the secret was changed: one with each secret.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(signature.encode(), expected) for signature in given)
