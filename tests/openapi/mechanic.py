"""A mechanic beside the pickup of examples/partner: takes the next job there and completes it, as quickly as the service allows. Needs a
development server, ROADCALL_ADMIN_TOKEN, and ROADCALL_KEY to read the start code as the driver does."""

import os
import sys
import time
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../deploy/sandbox"))
from people import ask  # noqa: E402

HERE = {"lat": 12.9757, "lng": 77.6069}
# The way there: so many positions, at this interval.
POSITIONS, EVERY_S = 14, 1
LIMIT_S = 100


def signed_in():
    phone = f"+9196{uuid.uuid4().int % 10**8:08}"
    otp = ask("POST", "/auth/send-otp", {"phone": phone})["data"]["otp"]
    return ask("POST", "/auth/verify-otp", {"phone": phone, "otp": otp, "name": "Ravi Kumar"})["data"]["accessToken"]


def verified(token):
    category = next(one for one in ask("GET", "/service-categories", token=token)["data"] if one["slug"] == "flat-tyre")
    registration = {"vehicle_types": ["four_wheeler"], "service_category_ids": [category["id"]], "service_radius_km": 10, "documents": []}
    profile = ask("POST", "/mechanics/register", registration, token)
    ask("POST", f"/admin/mechanics/{profile['id']}/verify", {}, os.environ["ROADCALL_ADMIN_TOKEN"])


def until(what, look):
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.5)
    raise SystemExit(f"{what}: not within {LIMIT_S} s")


def start_code(job):
    """Returns the code that a link to the job shows."""
    link = ask("POST", f"/partner/jobs/{job}/shares", token=os.environ["ROADCALL_KEY"])
    return ask("GET", f"/shares/{link['token']}")["start_code"]


def drive(token):
    """Comes from 200 m in the north at the speed of a car, so that a partner sees it."""
    for left in reversed(range(POSITIONS)):
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + f".{time.time_ns() // 10**6 % 1000:03}Z"
        point = {"seq": POSITIONS - left, "lat": HERE["lat"] + left * 0.000135, "lng": HERE["lng"], "recorded_at": at}
        ask("POST", "/mechanics/me/location", {"points": [point]}, token)
        time.sleep(EVERY_S)


def main():
    token = signed_in()
    verified(token)
    is_here = {"is_available": True, **HERE}

    def offered():
        # A mechanic whose position is old gets no offers.
        ask("PUT", "/mechanics/me/availability", is_here, token)
        return ask("GET", "/mechanics/me/offers", token=token)["data"]

    offer = until("an offer", offered)[0]
    job = offer["job_id"]
    ask("POST", f"/offers/{offer['id']}/accept", token=token)
    ask("POST", f"/jobs/{job}/en-route", token=token)
    drive(token)
    for verb, body in [("arrive", {}), ("start", {"start_code": start_code(job)}), ("complete", {"outcome": "fixed"})]:
        ask("POST", f"/jobs/{job}/{verb}", body, token)
    ask("PUT", "/mechanics/me/availability", {"is_available": False}, token)


main()
