"""A client of roadcall. `roadcall.generated` is generated from the OpenAPI document; this package adds refusals as exceptions, webhooks and the
socket."""

from .server import Refusal, Server

__all__ = ["Refusal", "Server"]
