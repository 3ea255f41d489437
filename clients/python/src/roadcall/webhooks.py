"""Webhooks: the signatures of deliveries, as Standard Webhooks describes them, and a receiver for trying them."""

import base64
import hashlib
import hmac
import json
import queue
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .server import Server

TOLERANCE_S = 300


class InvalidWebhook(Exception):
    """A delivery that the service did not sign, or that is too old."""


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Returns the signature of a delivery, as the header `webhook-signature` has it."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, b"%s.%d." % (message_id.encode(), timestamp) + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def verify(secrets: str | Sequence[str], headers: Mapping[str, str], body: bytes, now: float | None = None) -> dict[str, Any]:
    """Returns the event of a delivery; raises `InvalidWebhook`. `body` has to be the bytes as they came."""
    sent = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, timestamp = sent["webhook-id"], int(sent["webhook-timestamp"])
        signatures = sent["webhook-signature"].split(" ")
    except (KeyError, ValueError) as error:
        raise InvalidWebhook(f"a header is missing or malformed: {error}") from error
    if abs((time.time() if now is None else now) - timestamp) > TOLERANCE_S:
        raise InvalidWebhook("the delivery is too old, or its sender's clock is wrong")
    expected = [sign(secret, message_id, timestamp, body) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    is_signed = [hmac.compare_digest(one.encode(), other.encode()) for one in expected for other in signatures]
    if not any(is_signed):
        raise InvalidWebhook("no signature fits")
    event: dict[str, Any] = json.loads(body)
    return event


class Receiver:
    """A server on this machine that receives the deliveries of its subscription while a `with` lasts. A delivery that comes again is given
    once."""

    def __init__(self, port: int = 0, name: str | None = None):
        """`name` is the name by which the server reaches this machine, if it is not the same one. Others reach the receiver then, too."""
        self.secret = ""
        self._subscribed: tuple[Server, str] | None = None
        self._events: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._seen: set[str] = set()
        self._server = ThreadingHTTPServer(("0.0.0.0" if name else "127.0.0.1", port), _handler_of(self))
        self.url = f"http://{name or '127.0.0.1'}:{self._server.server_port}/"

    def __enter__(self) -> "Receiver":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._subscribed:
            partner, path = self._subscribed
            partner.ask("DELETE", path)
        self._server.shutdown()
        self._server.server_close()

    def subscribe(self, partner: Server, **options: Any) -> None:
        """Makes a subscription of this address, which lasts as long as the receiver, and verifies it."""
        subscription = partner.ask("POST", "/partner/subscriptions", {"url": self.url, **options})
        self.secret, path = subscription["secret"], f"/partner/subscriptions/{subscription['id']}"
        self._subscribed = (partner, path)
        partner.ask("POST", f"{path}/verify")

    def events(self, within_s: float = 60) -> Iterator[dict[str, Any]]:
        """Yields events as they come; raises `queue.Empty` if none comes in time."""
        while True:
            yield self._events.get(timeout=within_s)

    def take(self, headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
        """Takes a delivery and returns the answer's body."""
        event = verify(self.secret, headers, body)
        if event["type"] == "webhook.verify":
            return {"challenge": event["data"]["challenge"]}
        message_id = next(value for name, value in headers.items() if name.lower() == "webhook-id")
        if message_id not in self._seen:
            self._seen.add(message_id)
            self._events.put(event)
        return {}


def _handler_of(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            try:
                self._answer(200, receiver.take(dict(self.headers.items()), body))
            except InvalidWebhook as error:
                self._answer(400, {"error": str(error)})

        def _answer(self, status: int, body: dict[str, Any]) -> None:
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
