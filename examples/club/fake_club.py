"""A motor club that exists only for tests: it asks garages for help by a protocol of its own, which adapter.py translates.

Garages ask for `GET /requests` and answer with `POST /requests/ID/answer`: `{"Response": "ACCEPT", "Minutes": 35}`,
`{"Response": "REJECT", "Code": "DISTANCE"}` or `{"Response": "CALL"}`. The club confirms the minutes or cancels the request; afterwards
`POST /requests/ID/progress` gets `{"Code": "EN_ROUTE"}` and the like."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Club:
    """The club, and its server on a free port of this machine until `stop`."""

    def __init__(self):
        self.requests = {}
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(self))
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()

    def ask(self, request_id, **fields):
        """Asks the garage for help."""
        request = {
            "Id": request_id,
            "State": "NEW",
            "SecondsToAnswer": 90,
            "Member": {"Name": "Asha Rao", "Mobile": "+919900000001"},
            "Car": {"Plate": "KA01AB1234", "Make": "Maruti", "Model": "Swift", "Class": "CAR"},
            "Trouble": "FLAT_TYRE",
            "Spot": {"Text": "MG Road, opposite the park", "Lat": 12.9716, "Lon": 77.5946},
            "Answers": [],
            "Progress": [],
        }
        with self._lock:
            self.requests[request_id] = request | fields

    def confirm(self, request_id):
        """Agrees to the minutes of the last answer."""
        self._set(request_id, "CONFIRMED")

    def cancel(self, request_id):
        self._set(request_id, "CANCELLED")

    def _set(self, request_id, state):
        with self._lock:
            self.requests[request_id]["State"] = state

    def open_requests(self):
        with self._lock:
            return [dict(request) for request in self.requests.values()]

    def take(self, request_id, what, body):
        """Takes a garage's answer or progress; returns whether the request exists."""
        with self._lock:
            request = self.requests.get(request_id)
            if request is None or what not in ("answer", "progress"):
                return False
            request["Answers" if what == "answer" else "Progress"].append(body)
            if what == "answer" and body["Response"] != "CALL":
                request["State"] = {"ACCEPT": "ACCEPTED", "REJECT": "REJECTED"}[body["Response"]]
            return True


def handler_of(club):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path == "/requests":
                self.answer(200, club.open_requests())
            else:
                self.answer(404, {})

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            parts = self.path.split("/")
            is_taken = len(parts) == 4 and parts[1] == "requests" and club.take(parts[2], parts[3], body)
            self.answer(200 if is_taken else 404, {})

        def answer(self, status, body):
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    return Handler
