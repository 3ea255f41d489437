"""An admin of the service that compose files have started, remembered in a file. tests/deploy/image runs it: in its network the domain leads
to Caddy, and people have addresses of their own.

`ready`, `redirects`, `invited LINK` (becomes an admin, and makes a category of jobs), `look` (the category exists, and can be read with
the earlier access token), `addresses SERVER` (only Caddy is believed about the client's address)."""

import http.client
import json
import os
import ssl
import sys
import time

from installed import CATEGORY, remember, remembered

DOMAIN = os.environ["ROADCALL_DOMAIN"]
PEOPLE = "198.51.100."
PASSWORD = "a password of five words"
LIMIT_S = 60


class Wrong(Exception):
    """A result differs from the expected one."""


def ask(method, path, token=None, body=None, source=2, headers=None, server=None):
    """Sends a request over https through Caddy, or directly to a server."""
    source = (f"{PEOPLE}{source}", 0)
    if server:
        connection = http.client.HTTPConnection(server, 8080, timeout=20, source_address=source)
    else:
        context = ssl.create_default_context(cafile=os.environ["ROADCALL_TEST_CA"])
        connection = http.client.HTTPSConnection(DOMAIN, timeout=20, source_address=source, context=context)
    headers = {"Host": DOMAIN, **(headers or {})}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if body is not None:
        headers["Content-Type"] = "application/json"
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content


def call(method, path, token=None, body=None):
    status, content = ask(method, path, token, body)
    if status >= 300:
        raise Wrong(f"{method} {path}: {status} {content.decode()}")
    return json.loads(content or b"null")


def until(look):
    end = time.monotonic() + LIMIT_S
    while True:
        try:
            return look()
        except (OSError, http.client.HTTPException, Wrong):
            if time.monotonic() > end:
                raise
        time.sleep(0.1)


def redirects():
    connection = http.client.HTTPConnection(DOMAIN, timeout=20)
    connection.request("GET", "/console/")
    answer = connection.getresponse()
    if (answer.status, answer.getheader("Location")) != (308, f"https://{DOMAIN}/console/"):
        raise Wrong(f"http leads elsewhere: {answer.status} {answer.getheader('Location')}")
    if ask("GET", "/console/")[0] != 200:
        raise Wrong("there is no console")


def invited(place, link):
    start = f"https://{DOMAIN}/console/invite#token="
    if not link.startswith(start):
        raise Wrong(f"the link is {link}")
    invitation = link[len(start) :]
    email = call("POST", "/idp/accounts", body={"token": invitation, "password": PASSWORD})["email"]
    id_token = call("POST", "/idp/token", body={"email": email, "password": PASSWORD})["idToken"]
    token = call("POST", "/auth/accept-invite", body={"token": invitation, "idpIdToken": id_token})["data"]["accessToken"]
    remember(place, token=token, category=call("POST", "/service-categories", token, CATEGORY)["id"])


def look(place):
    known = remembered(place)
    until(lambda: call("GET", "/users/me", known["token"]))
    categories = call("GET", "/service-categories", known["token"])
    if known["category"] not in json.dumps(categories):
        raise Wrong("the category is gone")


def addresses(server):
    """Checks that the service counts attempts to sign in by address, of which it accepts three a minute here."""

    def tries(source, says=None, **how):
        headers = {"X-Forwarded-For": says, "X-Real-Ip": says, "Forwarded": f"for={says}"} if says else None
        return ask("POST", "/auth/admin-login", body={"idpIdToken": "not.a.token"}, source=source, headers=headers, **how)[0]

    def expect(what, found, wanted):
        if found != wanted:
            raise Wrong(f"{what}: {found} instead of {wanted}")

    expect("the first tries of an address", [tries(3) for _ in range(3)], [401] * 3)
    expect("one more", tries(3), 429)
    expect("one more, with another address in a header", tries(3, f"{PEOPLE}77"), 429)
    expect("a try of another address", tries(4), 401)
    expect("a try of another, with the first one's address in a header", tries(5, f"{PEOPLE}3"), 401)
    straight = [tries(6, f"{PEOPLE}{100 + number}", server=server) for number in range(4)]
    expect("tries past Caddy, each with another address in a header", straight, [401] * 3 + [429])


def main():
    place, command, *rest = sys.argv[1:]
    if command == "ready":
        until(lambda: call("GET", "/health/ready"))
    elif command == "redirects":
        redirects()
    elif command == "invited":
        invited(place, *rest)
    elif command == "look":
        look(place)
    elif command == "addresses":
        addresses(*rest)
    else:
        raise Wrong(f"no such command: {command}")


try:
    main()
except (OSError, http.client.HTTPException, Wrong) as error:
    sys.exit(f"{' '.join(sys.argv[2:])}: {error}")
