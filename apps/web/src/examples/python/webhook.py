# Verifies a webhook. The arguments are the headers webhook-id, webhook-timestamp, and
# webhook-signature: python3 webhook.py ID TIMESTAMP SIGNATURE < body.json
import base64
import hashlib
import hmac
import sys
import time

SECRET = base64.b64decode("whsec_YOUR_SECRET".removeprefix("whsec_"))


def is_valid(message_id, timestamp, signature, body):
    """body: the unmodified request body."""
    try:
        age = abs(time.time() - int(timestamp))
    except (ValueError, OverflowError):
        return False
    if age > 300:
        return False
    content = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(SECRET, content, hashlib.sha256).digest())
    # During a secret rotation, the header contains two signatures.
    return any(hmac.compare_digest(one.encode(), expected) for one in signature.split(" "))


if not is_valid(*sys.argv[1:], sys.stdin.buffer.read()):
    raise SystemExit("invalid signature, or too old")
print("valid")
