"""A customer of the service at http://127.0.0.1:8080, remembered in a file: `ready`, `make` (signs up and creates a job) or `look` (the
job is there, and can be read with the access token of before). tests/deploy/package runs it."""

import json
import sys
import time
import urllib.error
import urllib.request

URL = "http://127.0.0.1:8080"


def call(method, path, token=None, body=None):
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path}: {error.code} {error.read().decode()}")
    except OSError as error:
        sys.exit(f"{method} {path}: {error}")


def make(place):
    phone = f"+9198{int(time.time()) % 100_000_000:08}"
    otp = call("POST", "/auth/send-otp", body={"phone": phone})["data"]["otp"]
    body = {"phone": phone, "otp": otp, "name": "Asha Rao"}
    token = call("POST", "/auth/verify-otp", body=body)["data"]["accessToken"]
    admin = {"email": "admin@roadcall.example", "password": "a password of five words"}
    admin = call("POST", "/idp/token", body=admin)["idToken"]
    admin = call("POST", "/auth/admin-login", body={"idpIdToken": admin})["data"]["accessToken"]
    category = {
        "name": "Chain",
        "slug": "chain",
        "vehicle_types": ["two_wheeler"],
        "base_price": 199.5,
        "per_km_price": 12,
        "estimated_duration_min": 30,
    }
    category = call("POST", "/service-categories", admin, category)["id"]
    vehicle = {"vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor", "registration_number": "KA01AB1234"}
    vehicle = call("POST", "/vehicles", token, vehicle)["id"]
    job = {
        "vehicle_id": vehicle,
        "service_category_id": category,
        "pickup_address": "MG Road, opposite the park",
        "pickup_lat": 12.9716,
        "pickup_lng": 77.5946,
    }
    job = call("POST", "/jobs", token, job)["id"]
    with open(place, "w", encoding="utf-8") as file:
        json.dump({"token": token, "job": job}, file)


def look(place):
    with open(place, encoding="utf-8") as file:
        known = json.load(file)
    job = call("GET", f"/jobs/{known['job']}", known["token"])
    if job["id"] != known["job"] or job["status"] not in ("created", "dispatching"):
        sys.exit(f"the job is {job['status']}")


def main():
    command, place = sys.argv[1:]
    if command == "ready":
        call("GET", "/health/ready")
    elif command == "make":
        make(place)
    elif command == "look":
        look(place)
    else:
        sys.exit(f"no such command: {command}")


main()
