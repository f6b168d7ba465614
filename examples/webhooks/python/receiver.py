# Receives webhooks: UPREZ_WEBHOOK_SECRET=whsec_... python3 receiver.py
# Each event is stored in the folder "events" before the response. Another program can process the files.
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from uprez import WebhookVerificationError, verify_webhook

# During a rotation, set the new and the old secret, separated by a space.
SECRETS = os.environ.get("UPREZ_WEBHOOK_SECRET", "").split()
FOLDER = Path(os.environ.get("EVENTS_DIR", "events"))
PORT = int(os.environ.get("PORT", "8080"))
MAX_BYTES = 256 * 1024


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        # After any status other than 2xx, the event is sent again later.
        self.send_response(self.receive())
        self.end_headers()

    def receive(self) -> int:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BYTES:
            return 413
        # The signature covers the unmodified bytes.
        body = self.rfile.read(int(length))
        try:
            event = verify_webhook(body, self.headers, SECRETS)
        except WebhookVerificationError:
            return 400
        # An event can arrive more than once. Its ID names the file, so it is stored once.
        (FOLDER / f"{event['id']}.json").write_bytes(body)
        return 204


if not SECRETS:
    raise SystemExit("Set UPREZ_WEBHOOK_SECRET to the secret of the endpoint.")
FOLDER.mkdir(parents=True, exist_ok=True)
ThreadingHTTPServer(("", PORT), Receiver).serve_forever()
