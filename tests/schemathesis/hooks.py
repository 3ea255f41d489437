"""Who calls: each route is asked by somebody who may call it. Whoever was suspended, deleted or signed out on the way is
replaced by somebody new, so that a run does not end in 401 after the first such request."""

import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import people  # noqa: E402
import schemathesis  # noqa: E402

ADMINS = ("/admin/", "/payments/{id}/refunds", "/wallet/upi/{upiAccountId}/")
# These end the caller's own session or account, so somebody new makes them.
ENDS_CALLER = {("DELETE", "/users/me"), ("POST", "/auth/logout"), ("DELETE", "/auth/sessions/{id}")}


SIGN_UPS = 3


class Cast:
    """The tokens of those who call, by role."""

    def __init__(self):
        self.tokens = {}
        # Several workers ask; one at a time signs anybody up.
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
                # A request of the run came between: it suspended somebody, or deleted what was needed.
                if attempt + 1 == SIGN_UPS:
                    raise
                self.replace_the_gone()

    def sign_up_once(self, role):
        if role != "person":
            return people.admin(role)
        admin = self.token("admin")
        category_id = people.category(admin)
        token, profile_id = people.everyone(admin, category_id)
        people.seed(category_id, token, profile_id, admin)
        return token

    def is_alive(self, role):
        try:
            people.call("GET", "/users/me", self.tokens[role])
            if role == "person":
                people.call("GET", "/mechanics/me", self.tokens[role])
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


@schemathesis.hook
def after_call(context, case, response):
    sent = response.request.headers.get("Authorization", "")
    is_ours = sent.removeprefix("Bearer ") in CAST.tokens.values()
    if is_ours and response.status_code in (401, 403):
        CAST.replace_the_gone()
