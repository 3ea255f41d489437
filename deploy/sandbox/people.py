"""The people of a sandbox: an admin who makes an organisation with a key, and drivers who tell mechanics their start codes.

`people.py prepare` makes an organisation, a contract for every category and a key, and prints what a partner's program needs.
`people.py play FILE` writes the same to a file, lets the demo city play, and then speaks for the drivers, until it is ended. Both need a
development server on this machine, at ROADCALL_URL or else at port 8080, and only Python's standard library."""

import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("ROADCALL_URL", "http://127.0.0.1:8080")
SCOPES = ["read", "cases", "approvals", "webhooks", "keys", "offers"]
CONTRACT = "standard"
EVERY_S = 3


def ask(method, path, body=None, token=None):
    """Sends a request and returns the answer's JSON; a refusal is an `OSError`."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, content, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        raise OSError(f"{method} {path}: {error.code} {error.read().decode(errors='replace')}") from error


def admin_token():
    return ask("POST", "/demo/sign-in", {"as": "admin"})["data"]["accessToken"]


def prepare():
    """Makes a new organisation, and returns what its program needs."""
    admin = admin_token()
    name = f"Sandbox Assistance {uuid.uuid4().hex[:6]}"
    organisation = ask("POST", "/admin/organisations", {"name": name, "kind": "insurer"}, admin)
    categories = ask("GET", "/service-categories", token=admin)["data"]
    contract = {
        "reference": CONTRACT,
        "valid_from": time.strftime("%Y-%m-%dT00:00:00Z", time.gmtime()),
        "accepts_promises": True,
        "approval_minutes": 1,
        "approval_default": "approve",
        "terms": [{"service_category_id": category["id"], "pricing": "quoted"} for category in categories],
    }
    ask("POST", f"/admin/organisations/{organisation['id']}/contracts", contract, admin)
    key = {"name": "The first program", "scopes": SCOPES, "expires_in_days": 365}
    key = ask("POST", f"/admin/organisations/{organisation['id']}/keys", key, admin)
    return {
        "ROADCALL_URL": URL,
        "ROADCALL_KEY": key["secret"],
        "ROADCALL_CONTRACT": CONTRACT,
        "ROADCALL_ORGANISATION": organisation["id"],
        "ROADCALL_ADMIN_TOKEN": admin,
    }


def until_ready():
    while True:
        try:
            return ask("GET", "/health/ready")
        except OSError:
            time.sleep(1)


def tell_codes(key, told):
    """Tells mechanics who have arrived the start codes, which links to the jobs show. Mechanics of the city read them in the chat."""
    for case in ask("GET", "/partner/cases?status=open&limit=100", token=key)["data"]:
        if case["job_status"] == "arrived" and case["job_id"] not in told:
            path = "/shares/" + ask("POST", f"/partner/jobs/{case['job_id']}/shares", token=key)["token"]
            code = ask("GET", path)["start_code"]
            ask("POST", f"{path}/messages", {"client_message_id": str(uuid.uuid4()), "type": "text", "body": code})
            told.add(case["job_id"])


def known(file):
    """Returns what an earlier start has written, unless the server has forgotten it."""
    try:
        with open(file, encoding="utf-8") as earlier:
            access = dict(re.findall(r"^(\w+)=(.*)$", earlier.read(), flags=re.MULTILINE))
        ask("GET", "/partner", token=access["ROADCALL_KEY"])
        return access
    except (OSError, KeyError):
        return None


def lines(access):
    return "".join(f"{name}={value}\n" for name, value in access.items())


def play(file):
    until_ready()
    access = known(file)
    if not access:
        access = prepare()
        # The token of the admin soon ends; tests need it at once.
        del access["ROADCALL_ADMIN_TOKEN"]
        with open(file, "w", encoding="utf-8") as written:
            written.write(lines(access))
    print(f"{file} has a partner's key:\n{lines(access)}", flush=True)
    ask("POST", "/demo/play")
    told = set()
    while True:
        try:
            tell_codes(access["ROADCALL_KEY"], told)
        except OSError as error:
            print(f"trying again: {error}", flush=True)
        time.sleep(EVERY_S)


def main():
    match sys.argv[1:]:
        case ["prepare"]:
            print(lines(prepare()), end="")
        case ["play", file]:
            play(file)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
