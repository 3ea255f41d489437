"""Requests with plain JSON, for programs that need no models."""

from typing import Any

import httpx


class Refusal(Exception):
    """An answer that is not a success."""

    def __init__(self, answer: httpx.Response):
        try:
            error = answer.json()["error"]
        except (ValueError, KeyError, TypeError):
            error = {}
        self.status = answer.status_code
        self.code: str | None = error.get("code")
        self.errors: dict[str, list[str]] = error.get("errors") or {}
        retry_after = answer.headers.get("retry-after", "")
        self.retry_after_s = int(retry_after) if retry_after.isdigit() else None
        request = answer.request
        message = error.get("message") or answer.text[:500]
        super().__init__(f"{request.method} {request.url.path}: {self.status} {self.code or ''} {message} {self.errors or ''}".rstrip())


class Server(httpx.Client):
    """A server, asked with a credential: a partner's key or a person's access token."""

    def __init__(self, url: str, credential: str | None = None, *, organisation: str | None = None, **options: Any):
        """`organisation` is the id of the organisation for which an agency acts."""
        headers = {"Authorization": f"Bearer {credential}"} if credential else {}
        if organisation:
            headers["Roadcall-Organisation"] = organisation
        super().__init__(base_url=url, headers=headers, **{"timeout": 20, **options})

    def ask(self, method: str, path: str, body: Any = None, *, key: str | None = None, **params: Any) -> Any:
        """Returns the JSON of an answer; raises a `Refusal`. `key` is the `Idempotency-Key`, `params` are those of the query."""
        headers = {"Idempotency-Key": key} if key else {}
        answer = self.request(method, path, json=body, params=params, headers=headers)
        if not answer.is_success:
            raise Refusal(answer)
        return answer.json() if answer.content else None
