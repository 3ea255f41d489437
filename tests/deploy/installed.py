"""People of the service at http://127.0.0.1:8080, remembered in a file. tests/deploy/package and
tests/deploy/image run it, and tests/deploy/point_in_time uses parts of it:

    ready          the service is ready
    make           a customer signs up and creates a job with a photo
    look           the job exists, can be read with the earlier access token, and its photo has the same bytes
    finish         a mechanic does it, and it is paid
    withdraw       that mechanic asks for the money (needs settings without waiting times)
    waiting        the money is not on its way, even after some seconds
    withdrawn      the money is paid out
"""

import hashlib
import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

URL = "http://127.0.0.1:8080"
HERE = {"lat": 12.9716, "lng": 77.5946}
CATEGORY = {
    "name": "Chain",
    "slug": "chain",
    "vehicle_types": ["two_wheeler"],
    "base_price": 199.5,
    "per_km_price": 12,
    "estimated_duration_min": 30,
}
PHOTO = (
    b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x0b\x08\0\x01\0\x01\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0\x3f\0"
    + b"\7" * 2967
    + b"\xff\xd9"
)


def request_of(method, path, token=None, body=None):
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.Request(URL + path, data, headers, method=method)


def call(method, path, token=None, body=None):
    try:
        with urllib.request.urlopen(request_of(method, path, token, body), timeout=20) as answer:
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


def raw(request):
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.read()
    except OSError as error:
        sys.exit(f"{request.method} {request.full_url.partition('?')[0]}: {error}")


def remembered(place):
    with open(place, encoding="utf-8") as file:
        return json.load(file)


def remember(place, **known):
    with open(place, "w", encoding="utf-8") as file:
        json.dump(known, file)


def uploaded(token, purpose="job_photo", photo=PHOTO):
    announced = {"purpose": purpose, "content_type": "image/jpeg", "size_bytes": len(photo)}
    upload = call("POST", "/uploads/presign", token, announced)
    # By the machine's own address: the public one may be a proxy's.
    where = URL + urllib.parse.urlsplit(upload["url"])._replace(scheme="", netloc="").geturl()
    raw(urllib.request.Request(where, photo, upload["headers"], method=upload["method"]))
    call("POST", f"/uploads/{upload['upload_id']}/complete", token, {})
    return upload


def digest_of(photo, token):
    link = call("GET", f"/uploads/{photo}/link", token)["url"]
    return hashlib.sha256(raw(urllib.request.Request(link))).hexdigest()


def category_of(boss):
    listed = call("GET", "/service-categories", boss)["data"]
    known = [one["id"] for one in listed if one["slug"] == CATEGORY["slug"]]
    return known[0] if known else call("POST", "/service-categories", boss, CATEGORY)["id"]


def vehicle_of(token, plate="KA01AB1234"):
    vehicle = {"vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor", "registration_number": plate}
    return call("POST", "/vehicles", token, vehicle)["id"]


def job_of(token, vehicle, category, **more):
    job = {
        "vehicle_id": vehicle,
        "service_category_id": category,
        "pickup_address": "MG Road, opposite the park",
        "pickup_lat": HERE["lat"],
        "pickup_lng": HERE["lng"],
        **more,
    }
    return call("POST", "/jobs", token, job)["id"]


def registered(token, category, boss, document):
    """Registers a mechanic, whom the admin verifies; returns the profile's id."""
    profile = {
        "vehicle_types": ["two_wheeler"],
        "service_category_ids": [category],
        "documents": [{"type": "photo_id", "file_url": document}],
        "service_radius_km": 12,
    }
    profile = call("POST", "/mechanics/register", token, profile)["id"]
    call("POST", f"/admin/mechanics/{profile}/verify", boss)
    return profile


def done(job, customer, mechanic, profile, boss):
    """Plays a job from its assignment until the work is done."""
    call("POST", f"/admin/jobs/{job}/assign", boss, {"mechanic_profile_id": profile})
    call("POST", f"/jobs/{job}/en-route", mechanic, {})
    call("POST", f"/jobs/{job}/arrive", mechanic, {"override_reason": "there from the beginning"})
    code = call("GET", f"/jobs/{job}", customer)["start_code"]
    call("POST", f"/jobs/{job}/start", mechanic, {"start_code": code})
    call("POST", f"/jobs/{job}/complete", mechanic, {"outcome": "fixed"})


def paid_online(job, customer):
    order = call("POST", "/payments/orders", customer, {"job_id": job})["gateway_order_id"]
    call("POST", f"/sandbox/gateway/orders/{order}/pay", body={"outcome": "captured"})


def make(place):
    token = sign_up("Asha Rao", 0)
    category = category_of(admin())
    photo = uploaded(token)
    job = job_of(token, vehicle_of(token), category, photo_urls=[photo["file_url"]])
    photo = photo["upload_id"]
    remember(place, token=token, job=job, category=category, photo=photo, digest=digest_of(photo, token))


def look(place):
    known = remembered(place)
    job = call("GET", f"/jobs/{known['job']}", known["token"])
    if job["id"] != known["job"] or job["status"] not in ("created", "dispatching"):
        sys.exit(f"the job is {job['status']}")
    if digest_of(known["photo"], known["token"]) != known["digest"]:
        sys.exit("the photo has other bytes")


def finish(place):
    known = remembered(place)
    job, customer, mechanic, boss = known["job"], known["token"], sign_up("Ravi Kumar", 1), admin()
    profile = registered(mechanic, known["category"], boss, uploaded(mechanic, "document")["file_url"])
    call("PUT", "/mechanics/me/availability", mechanic, {"is_available": True, **HERE})
    done(job, customer, mechanic, profile, boss)
    paid_online(job, customer)
    until("paid", lambda: call("GET", f"/jobs/{job}", customer)["status"])
    remember(place, **known, mechanic=mechanic)


def until(wanted, look_at):
    end = time.monotonic() + 120
    while (status := look_at()) != wanted:
        if time.monotonic() > end:
            sys.exit(f"it is {status}, not {wanted}")
        time.sleep(0.1)


def withdraw(place):
    known = remembered(place)
    mechanic = known["mechanic"]
    if not call("GET", "/wallet/upi", mechanic)["data"]:
        account = {"vpa": "ravi@okbank", "holder_name": "Ravi Kumar"}
        account = call("POST", "/wallet/upi", mechanic, account)["id"]
        until("verified", lambda: call("GET", f"/wallet/upi/{account}", mechanic)["verification_status"])
    known["withdrawal"] = call("POST", "/wallet/withdrawals", mechanic, {"amount": 10})["id"]
    remember(place, **known)


def withdrawal(place):
    known = remembered(place)
    return call("GET", f"/wallet/withdrawals/{known['withdrawal']}", known["mechanic"])["status"]


def waiting(place):
    before = withdrawal(place)
    # Nothing signals that nothing happens; otherwise the payout would be requested at once.
    time.sleep(3)
    if {before, withdrawal(place)} != {"requested"}:
        sys.exit(f"the withdrawal is {withdrawal(place)}")


COMMANDS = {
    "ready": lambda _: call("GET", "/health/ready"),
    "make": make,
    "look": look,
    "finish": finish,
    "withdraw": withdraw,
    "waiting": waiting,
    "withdrawn": lambda place: until("processed", lambda: withdrawal(place)),
}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](sys.argv[2])
