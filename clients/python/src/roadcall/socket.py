"""The socket of a person who is signed in; docs/REALTIME.md describes its frames. Needs `roadcall-client[socket]`."""

import itertools
import json
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from websockets.sync.client import connect


class FrameRefused(Exception):
    """A frame that the server refused."""

    def __init__(self, frame: dict[str, Any]):
        self.code: str = frame["error"]["code"]
        self.retry_after_s: int | None = frame.get("retry_after_s")
        super().__init__(f"{self.code} {frame['error']['message']}")


class Socket:
    """An open socket, for one thread. After a cut, open another one and subscribe with the `seq` of the last frame."""

    def __init__(self, url: str, access_token: str):
        self._stack = ExitStack()
        self._waiting: deque[dict[str, Any]] = deque()
        self._refs = itertools.count(1)
        address = "ws" + url.removeprefix("http").rstrip("/") + "/ws"
        headers = {"Authorization": f"Bearer {access_token}"}
        # The server negotiates no extension.
        self._connection = self._stack.enter_context(connect(address, additional_headers=headers, compression=None))

    def __enter__(self) -> "Socket":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def send(self, kind: str, data: dict[str, Any], within_s: float = 20) -> Any:
        """Sends a frame and returns the data of its ack; raises `FrameRefused`. Other frames wait for `frames`."""
        ref = str(next(self._refs))
        self._connection.send(json.dumps({"type": kind, "ref": ref, "data": data}))
        while True:
            frame = self._read(within_s)
            if frame.get("ref") != ref:
                self._waiting.append(frame)
            elif frame["type"] == "error":
                raise FrameRefused(frame)
            else:
                return frame["data"]

    def subscribe(self, job_id: str, since_seq: int | None = None) -> int:
        """Follows a job; returns the `seq` of its last event. With `since_seq`, the events after that one follow."""
        since = {} if since_seq is None else {"since_seq": since_seq}
        seq: int = self.send("job.subscribe", {"job_id": job_id, **since})["seq"]
        return seq

    def frames(self, within_s: float = 60) -> Iterator[dict[str, Any]]:
        """Yields frames as they come; raises `TimeoutError` if none comes in time."""
        while True:
            yield self._waiting.popleft() if self._waiting else self._read(within_s)

    def _read(self, within_s: float) -> dict[str, Any]:
        frame: dict[str, Any] = json.loads(self._connection.recv(timeout=within_s))
        return frame
