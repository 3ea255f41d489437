"""Webhooks: the signatures of deliveries, which the library of Standard Webhooks verifies, and a receiver for trying them."""

import json
import queue
import threading
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

from .server import Server


class InvalidWebhook(Exception):
    """A delivery that the service did not sign, or that is too old."""


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Returns the signature of a delivery, as the header `webhook-signature` has it."""
    return Webhook(secret).sign(message_id, datetime.fromtimestamp(timestamp, UTC), body.decode())


def verify(secrets: str | Sequence[str], headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    """Returns the event of a delivery; raises `InvalidWebhook`. `body` has to be the bytes as they came."""
    cause: Exception | None = None
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        try:
            event: dict[str, Any] = Webhook(secret).verify(body, dict(headers))
            return event
        except (WebhookVerificationError, ValueError) as error:
            cause = error
    raise InvalidWebhook(str(cause or "there is no secret")) from cause


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
