"""Checks that the service can be used through a proxy, after tests/deploy/proxies has started both."""

import base64
import hashlib
import hmac
import json
import os
import socket
import ssl
import sys
import time

from installed import CATEGORY, HERE

NAME, PORT, HTTP_PORT, NUMBER = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
HOST = f"localhost:{PORT}"
LIMIT_S = 15
# Longer than the proxies wait for anything else that is silent: see tests/deploy/proxies.
SILENCE_S = 4
MIB = 1024 * 1024


class Wrong(Exception):
    """A result differs from the expected one."""


class Connection:
    """A connection over TLS, from an address of the loopback network."""

    def __init__(self, source="127.0.0.1"):
        plain = socket.create_connection(("127.0.0.1", PORT), timeout=LIMIT_S, source_address=(source, 0))
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["http/1.1"])
        self.socket = context.wrap_socket(plain, server_hostname="localhost")
        self.buffer = b""

    def send(self, method, path, headers=None, body=b""):
        lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items() if name.lower() != "content-length"]
        if body or method in ("POST", "PUT"):
            lines.append(f"Content-Length: {len(body)}")
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        try:
            self.socket.sendall(body)
        except OSError:
            # An answer may come before the whole body was sent.
            pass

    def more(self):
        piece = self.socket.recv(65536)
        if not piece:
            raise Wrong("the connection was closed")
        self.buffer += piece

    def until(self, end):
        while end not in self.buffer:
            self.more()
        found, self.buffer = self.buffer.split(end, 1)
        return found

    def exactly(self, length):
        while len(self.buffer) < length:
            self.more()
        found, self.buffer = self.buffer[:length], self.buffer[length:]
        return found

    def head(self):
        first, *lines = self.until(b"\r\n\r\n").decode().split("\r\n")
        headers = {}
        for line in lines:
            name, value = line.split(":", 1)
            headers.setdefault(name.lower(), []).append(value.strip())
        return int(first.split()[1]), headers

    def answer(self):
        status, headers = self.head()
        if status == 100:
            status, headers = self.head()
        if "chunked" in headers.get("transfer-encoding", []):
            body = b""
            while length := int(self.until(b"\r\n"), 16):
                body += self.exactly(length)
                self.exactly(2)
            self.exactly(2)
        else:
            body = self.exactly(int(headers.get("content-length", ["0"])[0]))
        return status, headers, body


def request(method, path, headers=None, body=None, source="127.0.0.1"):
    connection = Connection(source)
    headers = dict(headers or {})
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    connection.send(method, path, headers, body or b"")
    return connection.answer()


def call(method, path, token=None, body=None):
    status, _, content = request(method, path, {"Authorization": f"Bearer {token}"} if token else None, body)
    if status >= 300:
        raise Wrong(f"{method} {path}: {status} {content.decode()}")
    return json.loads(content) if content else None


def expect(what, found, wanted):
    if found != wanted:
        raise Wrong(f"{what}: {found!r} instead of {wanted!r}")


def until(what, look):
    end = time.monotonic() + LIMIT_S
    while True:
        try:
            if found := look():
                return found
            why = "nothing"
        except (OSError, Wrong) as error:
            why = error
        if time.monotonic() > end:
            raise Wrong(f"{what}: {why}")
        time.sleep(0.05)


def sign_in(headers=None):
    phone = f"+9198{int(time.time()) % 1_000_000:06}{NUMBER:01}{len(phones)}"
    phones.append(phone)
    otp = call("POST", "/auth/send-otp", body={"phone": phone})["data"]["otp"]
    body = {"phone": phone, "otp": otp, "name": "Asha Rao"}
    return request("POST", "/auth/verify-otp", headers, body)


phones = []


def admin():
    body = {"email": "admin@roadcall.example", "password": os.environ["ROADCALL_TEST_PASSWORD"]}
    id_token = call("POST", "/idp/token", body=body)["idToken"]
    return call("POST", "/auth/admin-login", body={"idpIdToken": id_token})["data"]["accessToken"]


def a_job(token):
    slug = f"chain-{NAME}-{int(time.time())}"
    category = call("POST", "/service-categories", admin(), {**CATEGORY, "name": slug, "slug": slug})
    vehicle = {"vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor", "registration_number": f"KA01{NUMBER}234"}
    vehicle = call("POST", "/vehicles", token, vehicle)
    job = {
        "vehicle_id": vehicle["id"],
        "service_category_id": category["id"],
        "pickup_address": "MG Road, opposite the park",
        "pickup_lat": HERE["lat"],
        "pickup_lng": HERE["lng"],
    }
    return call("POST", "/jobs", token, job)["id"]


def plain_http_leads_to_https():
    with socket.create_connection(("127.0.0.1", HTTP_PORT), timeout=LIMIT_S) as plain:
        plain.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        head = plain.recv(65536).decode().lower()
    expect("the status over http", head.split()[1][:2], "30")
    if "location: https://localhost" not in head:
        raise Wrong(f"http leads elsewhere: {head}")


def request_ids_go_both_ways():
    given = f"through-{NAME}-0001"
    status, headers, _ = request("GET", "/health", {"X-Request-Id": given})
    expect("the status", status, 200)
    expect("the request id", headers.get("x-request-id"), [given])
    status, headers, _ = request("GET", "/jobs", {"X-Request-Id": f"{given}-log"})
    expect("the status without a token", status, 401)
    until("the request id in the log", lambda: f"{given}-log" in open(os.environ["ROADCALL_SERVER_LOG"]).read())


def addresses_are_the_clients():
    """Checks that the service counts attempts to sign in by address, and refuses only the address that made too many, whatever a header says."""
    first, second, third = (f"127.0.{NUMBER}.{host}" for host in (2, 3, 4))

    def tries(source, headers=None):
        return request("POST", "/auth/admin-login", headers, {"idpIdToken": "not.a.token"}, source)[0]

    def says(address):
        return {"X-Forwarded-For": address, "X-Real-Ip": address, "Forwarded": f"for={address}"}

    expect("the first tries of an address", {tries(first) for _ in range(3)}, {401})
    expect("one more", tries(first), 429)
    expect("one more, with another address in a header", tries(first, says(third)), 429)
    expect("a try of another address", tries(second), 401)
    expect("a try of another, with the first one's address in a header", tries(third, says(first)), 401)
    expect("one more, as the loopback", tries(first, says("127.0.0.1")), 429)


def cookies_are_unaltered():
    status, headers, body = sign_in({"X-Session": "cookie/customer", "Origin": f"https://{HOST}"})
    expect("the status of a sign-in", status, 200)
    cookies = [cookie for cookie in headers.get("set-cookie", []) if cookie.startswith("__Host-roadcall_session_customer=")]
    expect("cookies of the session", len(cookies), 1)
    attributes = {attribute.strip().lower() for attribute in cookies[0].split(";")[1:]}
    for attribute in ("secure", "httponly", "samesite=strict", "path=/"):
        if attribute not in attributes:
            raise Wrong(f"the cookie has no {attribute}: {attributes}")
    if any(attribute.startswith("domain") for attribute in attributes):
        raise Wrong("the cookie has a domain")
    cookie = cookies[0].split(";")[0]
    sent = {"Cookie": cookie, "X-Session": "cookie/customer", "Origin": f"https://{HOST}"}
    expect("a refresh by the cookie", request("POST", "/auth/refresh", sent)[0], 200)


class Socket(Connection):
    def __init__(self, token):
        super().__init__()
        key = base64.b64encode(os.urandom(16)).decode()
        ticket = call("POST", "/ws/ticket", token)["ticket"]
        upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key}
        self.send("GET", f"/ws?ticket={ticket}", upgrade)
        status, headers = self.head()
        expect("the status of a socket", status, 101)
        digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        expect("the socket's key", headers["sec-websocket-accept"], [base64.b64encode(digest).decode()])

    def say(self, frame):
        payload = json.dumps(frame).encode()
        assert len(payload) < 126
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
        self.socket.sendall(bytes([0x81, 0x80 | len(payload)]) + mask + masked)

    def hear(self):
        opcode, length = self.exactly(2)
        if length == 126:
            length = int.from_bytes(self.exactly(2), "big")
        elif length == 127:
            length = int.from_bytes(self.exactly(8), "big")
        return opcode & 0x0F, self.exactly(length)

    def answer_to(self, ref):
        while True:
            opcode, payload = self.hear()
            if opcode == 8:
                raise Wrong(f"the socket was closed: {payload!r}")
            if opcode == 1 and json.loads(payload).get("ref") == ref:
                return json.loads(payload)


def sockets_and_streams_may_be_silent(token, job_id):
    watching = Socket(token)
    watching.say({"type": "job.subscribe", "ref": "before", "data": {"job_id": job_id}})
    expect("the first answer", watching.answer_to("before")["type"], "ack")
    stream = Connection()
    stream.send("GET", f"/jobs/{job_id}/stream", {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"})
    status, headers = stream.head()
    expect("the stream's status", status, 200)
    expect("the stream's type", headers["content-type"][0].split(";")[0], "text/event-stream")
    first = stream.until(b"\n\n")
    if b"event: job.snapshot" not in first and b"event: job.snapshot" not in stream.until(b"\n\n"):
        raise Wrong(f"the stream does not begin with the job: {first!r}")
    # Nothing is sent: the test is about the silence itself.
    time.sleep(SILENCE_S)
    watching.say({"type": "job.unsubscribe", "ref": "after", "data": {"job_id": job_id}})
    expect("the answer after a silence", watching.answer_to("after")["type"], "ack")
    call("POST", f"/jobs/{job_id}/cancel", token, {"reason_code": "found_other_help"})
    # A response that a proxy held back would not come before its limit or the connection's.
    while b"cancelled" not in stream.until(b"\n\n"):
        pass


def webhooks_come_under_razorpays_names():
    body = json.dumps({"event": f"of.{NAME}", "payload": {}}).encode()
    signature = hmac.new(os.environ["ROADCALL__GATEWAY__WEBHOOK_SECRET"].encode(), body, hashlib.sha256).hexdigest()
    headers = {
        "X-Razorpay-Signature": signature,
        "X-Razorpay-Event-Id": f"evt_{NAME}",
        "Content-Type": "application/json",
    }

    def sent(headers):
        status, _, answer = request("POST", "/payments/webhook", headers, body)
        return status, json.loads(answer).get("status")

    if NAME == "traefik":
        # The proxy's file says this.
        expect("a webhook that nobody renames", sent(headers)[0], 401)
        return
    expect("a webhook", sent(headers), (200, "ignored"))
    expect("the same event again", sent(headers), (200, "duplicate"))
    under_our_names = {"X-Gateway-Signature": signature, "X-Gateway-Event-Id": f"evt_{NAME}", "Content-Type": "application/json"}
    expect("the same event under the service's names", sent(under_our_names), (200, "duplicate"))
    expect("a wrong signature", sent({**headers, "X-Razorpay-Signature": "0" * 64})[0], 401)


def pdf(size):
    return b"%PDF-1.7\n" + bytes(size - 15) + b"\n%%EOF"


def files_of_20_mib_pass(token):
    size = 20 * MIB
    wanted = {"purpose": "document", "content_type": "application/pdf", "size_bytes": size}

    def link():
        return call("POST", "/uploads/presign", token, wanted)

    def put(link, body):
        path = link["url"].split(HOST, 1)[1]
        return request("PUT", path, link["headers"], body)

    announced = link()
    status, _, body = put(announced, pdf(size))
    expect("the status of 20 MiB", (status, body[:200] if status >= 300 else b""), (status, b""))
    call("POST", f"/uploads/{announced['upload_id']}/complete", token, {})
    status, headers, body = put(link(), pdf(size + MIB))
    # The service itself answers, as without a proxy.
    code = json.loads(body)["error"]["code"] if headers["content-type"][0].startswith("application/json") else body[:80]
    expect("the answer to 21 MiB", (status, code), (422, "VALIDATION_FAILED"))


def main():
    until("the proxy and the service", lambda: request("GET", "/health")[0] == 200)
    _, _, body = sign_in()
    token = json.loads(body)["data"]["accessToken"]
    job_id = a_job(token)
    for what, check in [
        ("http leads to https", plain_http_leads_to_https),
        ("request ids go both ways", request_ids_go_both_ways),
        ("addresses are the clients', whatever they say", addresses_are_the_clients),
        ("the session's cookie is unaltered", cookies_are_unaltered),
        (f"sockets and streams are unbuffered, and open after {SILENCE_S} s of silence",
         lambda: sockets_and_streams_may_be_silent(token, job_id)),
        ("webhooks can't be renamed" if NAME == "traefik" else "webhooks come under Razorpay's names", webhooks_come_under_razorpays_names),
        ("20 MiB pass, 21 MiB are refused by the service", lambda: files_of_20_mib_pass(token)),
    ]:
        began = time.monotonic()
        check()
        print(f"   ok  {what} ({time.monotonic() - began:.1f} s)", flush=True)


try:
    main()
except (Wrong, OSError) as error:
    print(f"   FAILED  {NAME}: {error}", file=sys.stderr)
    sys.exit(1)
