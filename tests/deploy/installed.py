"""A customer of the service at http://127.0.0.1:8080, remembered in a file: `ready`, `make` (signs up and creates a job), `look` (the job
is there, and can be read with the access token of before) or `finish` (a mechanic does it, and it is paid). tests/deploy/package and
tests/deploy/image run it."""

import json
import sys
import time
import urllib.error
import urllib.request

URL = "http://127.0.0.1:8080"
HERE = {"lat": 12.9716, "lng": 77.5946}


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


def sign_up(name, number):
    phone = f"+9198{(int(time.time()) + number) % 100_000_000:08}"
    otp = call("POST", "/auth/send-otp", body={"phone": phone})["data"]["otp"]
    body = {"phone": phone, "otp": otp, "name": name}
    return call("POST", "/auth/verify-otp", body=body)["data"]["accessToken"]


def admin():
    body = {"email": "admin@roadcall.example", "password": "a password of five words"}
    id_token = call("POST", "/idp/token", body=body)["idToken"]
    return call("POST", "/auth/admin-login", body={"idpIdToken": id_token})["data"]["accessToken"]


def make(place):
    token = sign_up("Asha Rao", 0)
    category = {
        "name": "Chain",
        "slug": "chain",
        "vehicle_types": ["two_wheeler"],
        "base_price": 199.5,
        "per_km_price": 12,
        "estimated_duration_min": 30,
    }
    category = call("POST", "/service-categories", admin(), category)["id"]
    vehicle = {"vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor", "registration_number": "KA01AB1234"}
    vehicle = call("POST", "/vehicles", token, vehicle)["id"]
    job = {
        "vehicle_id": vehicle,
        "service_category_id": category,
        "pickup_address": "MG Road, opposite the park",
        "pickup_lat": HERE["lat"],
        "pickup_lng": HERE["lng"],
    }
    job = call("POST", "/jobs", token, job)["id"]
    with open(place, "w", encoding="utf-8") as file:
        json.dump({"token": token, "job": job, "category": category}, file)


def look(place):
    with open(place, encoding="utf-8") as file:
        known = json.load(file)
    job = call("GET", f"/jobs/{known['job']}", known["token"])
    if job["id"] != known["job"] or job["status"] not in ("created", "dispatching"):
        sys.exit(f"the job is {job['status']}")


def finish(place):
    with open(place, encoding="utf-8") as file:
        known = json.load(file)
    job, customer, mechanic, boss = known["job"], known["token"], sign_up("Ravi Kumar", 1), admin()
    profile = {
        "vehicle_types": ["two_wheeler"],
        "service_category_ids": [known["category"]],
        "documents": [{"type": "photo_id", "file_url": "https://files.example/id.jpg"}],
        "service_radius_km": 12,
    }
    profile = call("POST", "/mechanics/register", mechanic, profile)["id"]
    call("POST", f"/admin/mechanics/{profile}/verify", boss)
    call("PUT", "/mechanics/me/availability", mechanic, {"is_available": True, **HERE})
    call("POST", f"/admin/jobs/{job}/assign", boss, {"mechanic_profile_id": profile})
    call("POST", f"/jobs/{job}/en-route", mechanic, {})
    call("POST", f"/jobs/{job}/arrive", mechanic, {"override_reason": "there from the beginning"})
    code = call("GET", f"/jobs/{job}", customer)["start_code"]
    call("POST", f"/jobs/{job}/start", mechanic, {"start_code": code})
    call("POST", f"/jobs/{job}/complete", mechanic, {"outcome": "fixed"})
    order = call("POST", "/payments/orders", customer, {"job_id": job})["gateway_order_id"]
    call("POST", f"/sandbox/gateway/orders/{order}/pay", body={"outcome": "captured"})
    end = time.monotonic() + 20
    while (status := call("GET", f"/jobs/{job}", customer)["status"]) != "paid":
        if time.monotonic() > end:
            sys.exit(f"the job is {status}")
        time.sleep(0.1)


def main():
    command, place = sys.argv[1:]
    if command == "ready":
        call("GET", "/health/ready")
    elif command == "make":
        make(place)
    elif command == "look":
        look(place)
    elif command == "finish":
        finish(place)
    else:
        sys.exit(f"no such command: {command}")


main()
