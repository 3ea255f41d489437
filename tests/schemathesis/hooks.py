"""Chooses the callers: each route is called by somebody who may call it. A person who was suspended, deleted or signed out on the way
is replaced by somebody new, so that a run does not end in 401 after the first such request."""

import random
import sys
import threading
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import people  # noqa: E402
import schemathesis  # noqa: E402
from schemathesis.generation.meta import TestPhase  # noqa: E402

ADMINS = ("/admin/", "/payments/{id}/refunds", "/wallet/upi/{upiAccountId}/approve", "/wallet/upi/{upiAccountId}/reject")
# These requests end the caller's own session or account, so somebody new makes them.
ENDS_CALLER = {("DELETE", "/users/me"), ("POST", "/auth/logout"), ("DELETE", "/auth/sessions/{id}")}


# A privacy notice cannot be withdrawn, and after it nobody would make a job. So an admin sends this request, and is refused.
REFUSED = {("POST", "/super-admin/privacy-notices")}
SIGN_UPS = 3


class Cast:
    """The tokens of the callers, by role."""

    def __init__(self):
        self.tokens = {}
        self.ids = {}
        # Several workers send requests; only one at a time signs anybody up.
        self.lock = threading.RLock()

    def token(self, role):
        with self.lock:
            if role == "leaver":
                return people.customer()
            if role not in self.tokens:
                self.tokens[role] = self.sign_up(role)
            return self.tokens[role]

    def sign_up(self, role):
        for attempt in range(SIGN_UPS):
            try:
                return self.sign_up_once(role)
            except people.Refused:
                # A request of the run interfered: it suspended somebody, or deleted something that was needed.
                if attempt + 1 == SIGN_UPS:
                    raise
                self.replace_the_gone()

    def sign_up_once(self, role):
        if role != "person":
            return people.admin(role)
        admin = self.token("admin")
        # A request of the run may have stopped new jobs.
        people.call("DELETE", "/admin/job-stop", admin)
        category_id = people.category(admin)
        token, profile_id = people.everyone(admin, category_id)
        people.seed(category_id, token, profile_id, admin)
        return token

    def admins(self):
        with self.lock:
            for role in {"admin", "super_admin"} - self.ids.keys():
                self.ids[role] = people.call("GET", "/users/me", self.token(role))["id"]
            return set(self.ids.values())

    def is_alive(self, role):
        try:
            people.call("GET", "/users/me", self.tokens[role])
            if role == "person":
                return people.call("GET", "/mechanics/me", self.tokens[role])["status"] == "verified"
            return True
        except people.Refused:
            return False

    def replace_the_gone(self):
        with self.lock:
            self.tokens = {role: token for role, token in self.tokens.items() if self.is_alive(role)}


CAST = Cast()


def role_of(method, path):
    path = path.removeprefix("/api/v1")
    if (method, path) in ENDS_CALLER:
        return "leaver"
    if (method, path) in REFUSED:
        return "admin"
    if path.startswith("/super-admin/"):
        return "super_admin"
    if path.startswith(ADMINS) or (path.startswith("/service-categories") and method != "GET"):
        return "admin"
    return "person"


@schemathesis.auth(refresh_interval=None)
class Bearer:
    def get(self, case, context):
        return CAST.token(role_of(case.method.upper(), context.operation.path))

    def set(self, case, data, context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {data}"


# Paths whose ids are in the list of another path.
LISTS = {
    "/mechanics": "/admin/mechanics",
    "/admin/callbacks": "/admin/jobs",
    "/offers": "/mechanics/me/offers",
    "/super-admin/users": "/admin/users",
    "/wallet/refunds": "/payments",
}
# The lists of ids that do not begin their path: further ids in a path, and ids in a body or a query.
FIELDS = {
    "item_id": "/jobs/{id}/line-items",
    "share_id": "/jobs/{id}/shares",
    "vehicle_id": "/vehicles",
    "service_category_id": "/service-categories",
    "service_category_ids": "/service-categories",
    "mechanic_profile_id": "/admin/mechanics",
    "mechanic_id": "/admin/mechanics",
    "job_id": "/jobs",
    "customer_id": "/admin/users",
}
NOBODY = "ffffffff-ffff-7fff-bfff-ffffffffffff"
# The number of requests with an id, out of ten, that name something that exists.
KNOWN_OF_TEN = 7
# The number of requests after which a list is read again.
READ_AGAIN = 10


KEY = "Idempotency-Key"


class SentKeys:
    """The keys of requests that were sent. Otherwise the document's example of a key would be sent with one body after another, and
    be refused as used before, which tests/api/repeats.rs tests."""

    def __init__(self):
        self.sent = set()
        self.lock = threading.Lock()

    def unused(self, key):
        """Returns `key`, or a new one if a request was sent with it."""
        with self.lock:
            if key in self.sent:
                return str(uuid.uuid4())
            self.sent.add(key)
            return key


SENT_KEYS = SentKeys()


class Known:
    """The ids of the caller's objects, by the list that they come from."""

    def __init__(self):
        self.lists = {}
        self.random = random.Random(1)
        self.lock = threading.Lock()

    def of_path(self, method, path):
        """Returns an id for the first place of a path."""
        prefix = path.removeprefix("/api/v1").split("/{")[0]
        role = role_of(method, path)
        list_path = LISTS.get(prefix, prefix)
        if list_path == "/wallet/upi" and role == "admin":
            list_path = "/admin/wallet/upi"
        return self.of_list(role, list_path)

    def of_list(self, role, list_path):
        with self.lock:
            if self.random.randrange(10) >= KNOWN_OF_TEN:
                return None
            ids, left = self.lists.get((role, list_path), ([], 0))
            if left == 0:
                ids, left = self.read(role, list_path), READ_AGAIN
            self.lists[role, list_path] = (ids, left - 1)
            return self.random.choice(ids) if ids else None

    def read(self, role, path):
        if path in people.UNLISTED:
            return people.UNLISTED[path]
        reader = "admin" if path.startswith("/admin/") and role != "super_admin" else role
        try:
            listed = people.call("GET", path, CAST.token(reader))
        except people.Refused:
            return []
        ids = [one["id"] for one in listed.get("data", []) if isinstance(one, dict) and "id" in one]
        # Admins of the run stay out of its requests: without them the run would end.
        return [id for id in ids if id not in CAST.admins()]


KNOWN = Known()


def is_id(value):
    try:
        uuid.UUID(str(value))
        return True
    except ValueError:
        return False


def name_the_known(role, fields, path_id):
    """Replaces ids among `fields` by ids of existing objects, if a list of them is known."""
    for name in fields.keys() & FIELDS.keys():
        list_path = FIELDS[name]
        if "{id}" in list_path:
            if not is_id(path_id):
                continue
            list_path = list_path.replace("{id}", str(path_id))
        value = fields[name]
        if isinstance(value, list) and value and all(is_id(one) for one in value):
            known = KNOWN.of_list(role, list_path)
            fields[name] = value if known is None else [known]
        elif is_id(value):
            known = KNOWN.of_list(role, list_path)
            fields[name] = value if known is None else known


@schemathesis.hook
def before_call(context, case, kwargs):
    """Names existing objects in most requests, since a random id only leads to 404, and sends no key twice."""
    method, path = case.method.upper(), case.operation.path
    role, in_path = role_of(method, path), case.path_parameters or {}
    if case.headers and KEY in case.headers:
        case.headers[KEY] = SENT_KEYS.unused(case.headers[KEY])
    # A link may have taken an id from an empty field, such as the mechanic of a job that nobody has yet.
    in_path.update({name: NOBODY for name, value in in_path.items() if value is None})
    names = [name for name, value in in_path.items() if is_id(value)]
    # If one request leads to the next, the next one's path stays as it is: the checks of that phase compare it with the objects that
    # were made and deleted on the way.
    follows = case.meta is not None and case.meta.phase.name == TestPhase.STATEFUL
    if follows:
        in_path = {}
    elif names and names[0] not in FIELDS:
        known = KNOWN.of_path(method, path)
        if known is not None:
            in_path[names[0]] = known
    path_id = in_path.get(names[0]) if names else None
    for fields in (in_path, case.query, case.body):
        if isinstance(fields, dict):
            name_the_known(role, fields, path_id)
    if method != "GET" and "/users/{id}" in path:
        # An ended admin can't be replaced by signing in again.
        admins = CAST.admins()
        for name, value in (case.path_parameters or {}).items():
            if value in admins:
                case.path_parameters[name] = NOBODY


@schemathesis.hook
def after_call(context, case, response):
    sent = response.request.headers.get("Authorization", "")
    is_ours = sent.removeprefix("Bearer ") in CAST.tokens.values()
    if is_ours and response.status_code in (401, 403):
        CAST.replace_the_gone()
