"""Plain requests and the socket, against the server at ROADCALL_URL."""

import os
import unittest
import uuid

from roadcall import Refusal, Server
from roadcall.socket import FrameRefused, Socket

URL = os.environ["ROADCALL_URL"]


def signed_in():
    """Returns the access token of a new customer."""
    nobody = Server(URL)
    phone = f"+9197{uuid.uuid4().int % 10**8:08}"
    otp = nobody.ask("POST", "/auth/send-otp", {"phone": phone})["data"]["otp"]
    body = {"phone": phone, "otp": otp, "name": "Asha Rao"}
    return nobody.ask("POST", "/auth/verify-otp", body)["data"]["accessToken"]


class ServerTest(unittest.TestCase):
    def setUp(self):
        self.token = signed_in()
        self.asha = Server(URL, self.token)

    def job(self):
        vehicle = {"vehicle_type": "two_wheeler", "make": "Hero", "model": "Splendor", "registration_number": f"KA{uuid.uuid4().hex[:8].upper()}"}
        category = self.asha.ask("GET", "/service-categories", vehicle_type="two_wheeler")["data"][0]
        new = {
            "vehicle_id": self.asha.ask("POST", "/vehicles", vehicle)["id"],
            "service_category_id": category["id"],
            "pickup_address": "Far from everybody",
            "pickup_lat": 8.0,
            "pickup_lng": 92.9,
        }
        key = str(uuid.uuid4())
        jobs = [self.asha.ask("POST", "/jobs", new, key=key)["id"] for _ in range(2)]
        self.assertEqual(jobs[0], jobs[1], "a repeat under the same key is the same job")
        return jobs[0]

    def test_a_refusal_has_its_code_and_its_fields(self):
        with self.assertRaises(Refusal) as refused:
            self.asha.ask("POST", "/vehicles", {"make": ""})
        refusal = refused.exception
        self.assertEqual((refusal.status, refusal.code), (422, "VALIDATION_FAILED"))
        self.assertIn("vehicle_type", refusal.errors)

    def test_a_key_that_is_none_is_refused(self):
        with self.assertRaises(Refusal) as refused:
            Server(URL, "rck_test_nothing").ask("GET", "/partner")
        self.assertEqual(refused.exception.status, 401)

    def test_a_socket_follows_a_job_until_it_is_cancelled(self):
        job = self.job()
        with Socket(URL, self.token) as socket:
            self.assertGreaterEqual(socket.subscribe(job), 1)
            self.asha.ask("POST", f"/jobs/{job}/cancel", {"reason_code": "changed_mind"})
            last = next(frame for frame in socket.frames(20) if frame["type"] == "job.updated" and frame["data"]["status"] == "cancelled")
            self.assertEqual(last["job_id"], job)

    def test_a_refused_frame_is_an_exception_with_its_code(self):
        with Socket(URL, self.token) as socket, self.assertRaises(FrameRefused) as refused:
            socket.subscribe(str(uuid.uuid4()))
        self.assertEqual(refused.exception.code, "NOT_FOUND")


if __name__ == "__main__":
    unittest.main()
