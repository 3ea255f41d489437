"""The people of docs/FIRST-DAY.md on a production server that accepts only cash, seen from its machine. tests/deploy/package runs the
document's own commands, and these between them:

    commands NUMBER        prints that block of the document's six blocks of commands
    package                prints the document's name of the package
    texts FILE             stands in for the provider of text messages: accepts them at port 8099, and writes them to the file
    proxied STATUS         checks that the proxy answers with that status, over https
    page NAME              checks that the front page and the apps have that name
    invited LINK FILE      follows the link to become a super-admin, invites somebody to each desk, and sees the invitations as pending
    job TEXTS FILE         plays the first job: created by a customer, done by a mechanic, paid in cash

Everybody signs in by the code in a text message."""

import http.client
import json
import os
import re
import socket
import ssl
import sys
import textwrap
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import installed
from installed import HERE, call, remember, remembered, until

DOCUMENT = Path("docs/FIRST-DAY.md")
DOMAIN = "roadcall.example.com"
TEXTS_PORT = 8099
BLOCKS = 6
DESKS = ["dispatch", "money", "people", "settings"]
PASSWORD = "a password of five words"
CUSTOMER, MECHANIC = "+919876540011", "+919876540012"


def commands(number):
    found = re.findall(r"^( *)```sh\n(.*?)^ *```$", DOCUMENT.read_text(), flags=re.MULTILINE | re.DOTALL)
    if len(found) != BLOCKS:
        sys.exit(f"{DOCUMENT} has {len(found)} blocks of commands instead of {BLOCKS}: tests/deploy/package runs each of them")
    print(textwrap.dedent(found[int(number) - 1][1]), end="")


def package():
    [name] = set(re.findall(r"roadcall_[0-9.]+-[0-9]+_amd64\.deb", DOCUMENT.read_text()))
    print(name)


def texts(place):
    class Provider(BaseHTTPRequestHandler):
        def do_HEAD(self):
            self.answer()

        def do_POST(self):
            form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            with open(place, "a", encoding="utf-8") as file:
                print(json.dumps({"to": form["to"][0], "text": form["text"][0]}), file=file, flush=True)
            self.answer()

        def answer(self):
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    ThreadingHTTPServer(("127.0.0.1", TEXTS_PORT), Provider).serve_forever()


def over_https(path):
    """Sends a request by the domain, whose certificate is Caddy's own: `roadcall doctor` checks it like the system."""
    context = ssl.create_default_context(cafile=os.environ["ROADCALL_TEST_CA"])
    connection = http.client.HTTPConnection(DOMAIN, timeout=20)
    connection.sock = context.wrap_socket(socket.create_connection(("127.0.0.1", 443), timeout=20), server_hostname=DOMAIN)
    connection.request("GET", path, headers={"Accept": "text/html"})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def proxied(status):
    found, _ = over_https("/")
    if found != int(status):
        sys.exit(f"the proxy answers {found} instead of {status}")


def page(name):
    for path in ("/", "/customer/", "/mechanic/", "/console/"):
        status, text = over_https(path)
        if status != 200 or name not in text:
            sys.exit(f"{path} answers {status}, {'with' if name in text else 'without'} the name")


def invited(link, place):
    start = f"https://{DOMAIN}/console/invite#token="
    if not link.startswith(start):
        sys.exit(f"the link is {link}")
    invitation = link[len(start) :]
    email = call("POST", "/idp/accounts", body={"token": invitation, "password": PASSWORD})["email"]
    id_token = call("POST", "/idp/token", body={"email": email, "password": PASSWORD})["idToken"]
    boss = call("POST", "/auth/accept-invite", body={"token": invitation, "idpIdToken": id_token})["data"]["accessToken"]
    for desk in DESKS:
        call("POST", "/super-admin/invites", boss, {"email": f"{desk}@example.com", "role": "admin", "desks": [desk]})
    listed = call("GET", "/super-admin/invites?status=pending", boss)["data"]
    if sorted(each["desks"][0] for each in listed) != DESKS:
        sys.exit(f"the invitations are {listed}")
    remember(place, boss=boss)


def signed_in(place, phone, name):
    call("POST", "/auth/send-otp", body={"phone": phone})
    sent = [json.loads(line) for line in Path(place).read_text(encoding="utf-8").splitlines()]
    [*_, text] = [each["text"] for each in sent if each["to"] == phone]
    body = {"phone": phone, "otp": re.match(r"\d+", text)[0], "name": name}
    return call("POST", "/auth/verify-otp", body=body)["data"]["accessToken"]


def job(sent, place):
    boss = remembered(place)["boss"]
    customer, mechanic = signed_in(sent, CUSTOMER, "Asha Rao"), signed_in(sent, MECHANIC, "Ravi Kumar")
    category = installed.category_of(boss)
    document = installed.uploaded(mechanic, "document")["file_url"]
    made = installed.job_of(customer, installed.vehicle_of(customer), category)
    profile = installed.registered(mechanic, category, boss, document)
    call("PUT", "/mechanics/me/availability", mechanic, {"is_available": True, **HERE})
    installed.done(made, customer, mechanic, profile, boss)
    due = call("POST", "/payments/orders", mechanic, {"job_id": made, "method": "cash"})
    for side in (mechanic, customer):
        call("POST", f"/payments/{due['payment_id']}/cash-confirm", side, {"amount": due["amount"]})
    until("paid", lambda: call("GET", f"/jobs/{made}", customer)["status"])


COMMANDS = {
    "commands": commands,
    "package": package,
    "texts": texts,
    "proxied": proxied,
    "page": page,
    "invited": invited,
    "job": job,
}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
