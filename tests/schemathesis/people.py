"""People of the running service, made like real ones: they sign up, and their days leave jobs, payments and disputes behind."""

import itertools
import os
import struct
import threading
import time
import uuid
import zlib

import requests

URL = os.environ["ROADCALL_URL"]
PASSWORD = os.environ["ROADCALL_TEST_PASSWORD"]
HERE = {"lat": 12.9716, "lng": 77.5946}
LIMIT_S = 20

# Ids of objects that have no list.
UNLISTED = {"/uploads": [], "/calls": []}

_phones = itertools.count(int(time.time()) % 10_000_000)
_http = requests.Session()
_lock = threading.Lock()


class Refused(Exception):
    """The service refused a request of the seeding."""


def call(method, path, token=None, body=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with _lock:
        answer = _http.request(method, URL + path, json=body, headers=headers, timeout=LIMIT_S)
    if answer.status_code >= 300:
        raise Refused(f"{method} {path}: {answer.status_code} {answer.text}")
    return answer.json() if answer.content else None


def customer():
    """Signs up a customer, and returns the token."""
    phone = f"+9197{next(_phones):08}"
    otp = call("POST", "/auth/send-otp", body={"phone": phone})["data"]["otp"]
    body = {"phone": phone, "otp": otp, "name": "Asha Rao"}
    return call("POST", "/auth/verify-otp", body=body)["data"]["accessToken"]


def admin(role):
    """Returns the token of the admin of that role, whom tests/schemathesis/run made."""
    body = {"email": f"{role}@roadcall.example", "password": PASSWORD}
    id_token = call("POST", "/idp/token", body=body)["idToken"]
    return call("POST", "/auth/admin-login", body={"idpIdToken": id_token})["data"]["accessToken"]


def category(admin_token):
    """Makes a category for the seeding: a request of the run may delete the others."""
    number = next(_phones)
    body = {
        "name": f"Chain {number}",
        "slug": f"chain-{number}",
        "vehicle_types": ["two_wheeler"],
        "base_price": 199.5,
        "per_km_price": 12,
        "estimated_duration_min": 30,
    }
    return call("POST", "/service-categories", admin_token, body)["id"]


def everyone(admin_token, category_id):
    """Makes a customer who is also a verified mechanic, and so may call the most routes with one token."""
    token = customer()
    profile = call(
        "POST",
        "/mechanics/register",
        token,
        {
            "vehicle_types": ["two_wheeler", "four_wheeler"],
            "service_category_ids": [category_id],
            "documents": [{"type": "photo_id", "file_url": "https://files.example/id.jpg"}],
            "service_radius_km": 12,
        },
    )
    call("POST", f"/admin/mechanics/{profile['id']}/verify", admin_token)
    return token, profile["id"]


def vehicle(token):
    body = {
        "vehicle_type": "two_wheeler",
        "make": "Hero",
        "model": "Splendor",
        "registration_number": f"KA{next(_phones):08}",
    }
    return call("POST", "/vehicles", token, body)["id"]


def job(token, category_id):
    body = {
        "vehicle_id": vehicle(token),
        "service_category_id": category_id,
        "pickup_address": "MG Road, opposite the park",
        "pickup_lat": HERE["lat"],
        "pickup_lng": HERE["lng"],
    }
    return call("POST", "/jobs", token, body)["id"]


def until(what, look):
    """Waits until `look` returns something, and returns it."""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.1)
    raise Refused(f"{what}: not within {LIMIT_S} s")


def talk(job_id, customer_token, mechanic_token):
    """Sends a message, and makes a call that is answered."""
    text = {"client_message_id": str(uuid.uuid4()), "type": "text", "body": "By the blue gate"}
    call("POST", f"/jobs/{job_id}/messages", customer_token, text)
    call_id = call("POST", f"/jobs/{job_id}/calls", customer_token)["id"]
    call("POST", f"/calls/{call_id}/accept", mechanic_token)
    UNLISTED["/calls"].append(call_id)


def served(category_id, customer_token, mechanic_token, profile_id, admin_token, is_paid=True):
    """Plays a job from its creation to its end, with a line item and, maybe, its payment."""
    call("PUT", "/mechanics/me/availability", mechanic_token, {"is_available": True, **HERE})
    job_id = job(customer_token, category_id)
    until("the job waits", lambda: call("GET", f"/jobs/{job_id}", customer_token)["status"] == "dispatching")
    call("POST", f"/admin/jobs/{job_id}/assign", admin_token, {"mechanic_profile_id": profile_id})
    talk(job_id, customer_token, mechanic_token)
    call("POST", f"/jobs/{job_id}/en-route", mechanic_token, {})
    call("POST", f"/jobs/{job_id}/arrive", mechanic_token, {"override_reason": "there from the beginning"})
    code = call("GET", f"/jobs/{job_id}", customer_token)["start_code"]
    call("POST", f"/jobs/{job_id}/start", mechanic_token, {"start_code": code})
    item = {"type": "part", "description": "Valve", "quantity": 1, "unit_price": 120}
    item = call("POST", f"/jobs/{job_id}/line-items", mechanic_token, item)
    shown = {"version": item["version"]}
    call("POST", f"/jobs/{job_id}/line-items/{item['id']}/approve", customer_token, shown)
    call("POST", f"/jobs/{job_id}/complete", mechanic_token, {"outcome": "fixed"})
    if is_paid:
        order = call("POST", "/payments/orders", customer_token, {"job_id": job_id})
        call("POST", f"/sandbox/gateway/orders/{order['gateway_order_id']}/pay", body={"outcome": "captured"})
        until("the job is paid", lambda: call("GET", f"/jobs/{job_id}", customer_token)["status"] == "paid")
    return job_id


def png():
    """Returns a picture of one pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")


def upload(token):
    """Sends and completes a picture, and returns it."""
    picture = png()
    body = {"purpose": "job_photo", "content_type": "image/png", "size_bytes": len(picture)}
    link = call("POST", "/uploads/presign", token, body)
    sent = requests.put(link["url"], data=picture, headers=link["headers"], timeout=LIMIT_S)
    if sent.status_code >= 300:
        raise Refused(f"PUT {link['url']}: {sent.status_code} {sent.text}")
    call("POST", f"/uploads/{link['upload_id']}/complete", token, {})
    UNLISTED["/uploads"].append(link["upload_id"])


def seed(category_id, person, profile_id, admin_token):
    """Plays days that leave something of every kind in the person's lists, and in the admins'."""
    other, other_profile = everyone(admin_token, category_id)
    # Nobody else gets offers of these jobs: each is assigned by hand.
    rated = served(category_id, person, other, other_profile, admin_token)
    call("POST", f"/jobs/{rated}/rating", person, {"score": 5})
    call("POST", f"/jobs/{rated}/rating", other, {"score": 4})
    served(category_id, person, other, other_profile, admin_token, is_paid=False)
    disputed = served(category_id, other, person, profile_id, admin_token)
    dispute = {"reason_code": "poor_work", "description": "Flat again", "evidence_urls": []}
    call("POST", f"/jobs/{disputed}/dispute", other, dispute)
    served(category_id, other, person, profile_id, admin_token)
    call("POST", "/wallet/upi", person, {"vpa": "asha@okbank", "holder_name": "Asha Rao"})
    call("POST", "/notifications/push-tokens", person, {"token": f"t{next(_phones)}", "platform": "android", "device_id": "d1"})
    upload(person)
    open_job = job(person, category_id)
    call("POST", f"/jobs/{open_job}/shares", person, {})
    call("POST", f"/jobs/{open_job}/callback", person, {})
    for kind in ("access", "other"):
        call("POST", "/users/me/grievances", person, {"kind": kind, "text": "What do you know about me?"})
