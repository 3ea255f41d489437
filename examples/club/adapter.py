"""Connects a club's protocol (fake_club.py) to roadcall: each request of the club becomes an offer that dispatchers see,
and the club gets their answers and the job's progress.

    ROADCALL_URL=… ROADCALL_KEY=rck_… CLUB_URL=… CONTRACT=… python3 adapter.py

The key needs the scopes read, cases and offers. The adapter keeps nothing on a disk: the club's id is the `partner_reference`, and an
offer that is sent again is the same offer."""

import json
import os
import time
import urllib.error
import urllib.request

CATEGORIES = {"FLAT_TYRE": "flat-tyre", "BATTERY": "battery-jump-start", "LOCKED_OUT": "lockout", "TOW": "towing"}
VEHICLE_TYPES = {"CAR": "four_wheeler", "MOTORCYCLE": "two_wheeler"}
REFUSALS = {
    "outside_area": "DISTANCE",
    "no_mechanic_free": "CAPACITY",
    "no_equipment": "EQUIPMENT",
    "vehicle_too_heavy": "EQUIPMENT",
    "terms": "RATE",
    "other": "OTHER",
}
PROGRESS = {
    "accepted": "ASSIGNED",
    "en_route": "EN_ROUTE",
    "arrived": "ON_SITE",
    "in_progress": "ON_SITE",
    "completed": "DONE",
    "paid": "DONE",
    "cancelled": "CANCELLED",
    "no_mechanic_found": "FAILED",
}
# A request that the club can still change.
OPEN = ("NEW", "ACCEPTED", "CONFIRMED", "CANCELLED")
EVERY_S = 2


class Refused(Exception):
    """A server refused a request."""

    def __init__(self, status, body):
        super().__init__(f"{status} {body}")
        self.status = status


def ask(url, method="GET", body=None, token=None):
    """Sends a request and returns the answer's JSON."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, content, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        raise Refused(error.code, error.read().decode(errors="replace")) from error


def offer_of(request, contract):
    """Translates a request of the club."""
    car, spot, member = request["Car"], request["Spot"], request["Member"]
    return {
        "contract_reference": contract,
        "partner_reference": request["Id"],
        "answer_within_s": request["SecondsToAnswer"],
        "beneficiary": {"name": member["Name"], "phone": member["Mobile"]},
        "vehicle": {
            "registration_number": car["Plate"],
            "make": car["Make"],
            "model": car["Model"],
            "vehicle_type": VEHICLE_TYPES[car["Class"]],
        },
        "place": {"location_type": "roadside"},
        "job": {
            "service_category_slug": CATEGORIES[request["Trouble"]],
            "pickup_address": spot["Text"],
            "pickup_lat": spot["Lat"],
            "pickup_lng": spot["Lon"],
        },
    }


def answer_of(offer):
    """Translates the answer to an offer; None if there is nothing to tell the club."""
    match offer["stage"]:
        case "accepted":
            return {"Response": "ACCEPT", "Minutes": offer["eta_min"]}
        case "refused":
            return {"Response": "REJECT", "Code": REFUSALS.get(offer["refusal_reason"], "OTHER")}
        case "expired":
            return {"Response": "REJECT", "Code": "TIMEOUT"}
        case "call_asked":
            return {"Response": "CALL"}
        case _:
            return None


def progress_of(case):
    """Translates how the job goes on; None before there is a job, or before anything happened."""
    return PROGRESS.get(case["jobs"][0]["status"]) if case["jobs"] else None


class Adapter:
    def __init__(self, roadcall, key, club, contract):
        self.roadcall, self.key, self.club, self.contract = roadcall, key, club, contract
        # What the club was told last, and the ids of offers, by the club's id.
        self.told, self.offers = {}, {}

    def step(self):
        """Brings both sides up to date once."""
        for request in ask(f"{self.club}/requests"):
            if request["State"] in OPEN:
                self.handle(request)

    def handle(self, request):
        # After a restart, the same offer is found again by its reference.
        if request["Id"] not in self.offers:
            self.offers[request["Id"]] = self.call("POST", "/partner/offers", offer_of(request, self.contract))["id"]
        path = f"/partner/offers/{self.offers[request['Id']]}"
        case = self.call("GET", path)
        if request["State"] == "CANCELLED":
            case = self.cancel(path, case)
        elif request["State"] == "CONFIRMED" and case["offer"]["stage"] == "accepted":
            case = self.call("POST", f"{path}/confirm", {"eta_min": case["offer"]["eta_min"]})
        self.tell(request, case)

    def cancel(self, path, case):
        if case["status"] == "offered":
            return self.call("POST", f"{path}/withdraw")
        # A job for which a mechanic is still sought has no progress yet, and is cancelled as well.
        if case["jobs"] and progress_of(case) not in ("DONE", "CANCELLED"):
            self.call("POST", f"/partner/jobs/{case['jobs'][0]['id']}/cancel", {"reason": "The club has cancelled it."})
        return self.call("GET", path)

    def tell(self, request, case):
        """Tells the club what is new: the answer, or how the job goes on."""
        what, news = "answer", answer_of(case["offer"])
        if case["jobs"]:
            code = progress_of(case)
            what, news = "progress", code and {"Code": code}
        if news and self.told.get(request["Id"]) != news:
            ask(f"{self.club}/requests/{request['Id']}/{what}", "POST", news)
            self.told[request["Id"]] = news

    def call(self, method, path, body=None):
        return ask(self.roadcall + path, method, body, self.key)


def main():
    names = ("ROADCALL_URL", "ROADCALL_KEY", "CLUB_URL", "CONTRACT")
    adapter = Adapter(*(os.environ[name] for name in names))
    while True:
        try:
            adapter.step()
        except (OSError, Refused) as error:
            print(f"trying again: {error}", flush=True)
        time.sleep(EVERY_S)


if __name__ == "__main__":
    main()
