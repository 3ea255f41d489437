"""Runs the adapter between the fake club and a roadcall server; a dispatcher answers. tests/openapi/run runs it, with
ROADCALL_URL, ROADCALL_KEY (scopes read, cases and offers), ROADCALL_CONTRACT and ROADCALL_ADMIN_TOKEN."""

import os
import unittest
import uuid

from adapter import Adapter, Refused, ask
from fake_club import Club

URL = os.environ["ROADCALL_URL"]
DISPATCHER = os.environ["ROADCALL_ADMIN_TOKEN"]


class ClubTest(unittest.TestCase):
    def setUp(self):
        self.club = Club()
        self.addCleanup(self.club.stop)
        key, contract = os.environ["ROADCALL_KEY"], os.environ["ROADCALL_CONTRACT"]
        self.adapter = Adapter(URL, key, self.club.url, contract)
        self.id = f"club-{uuid.uuid4().hex[:12]}"
        # A vehicle has one open job, so each test breaks down with another.
        car = {"Plate": f"KA{uuid.uuid4().hex[:8].upper()}", "Make": "Maruti", "Model": "Swift", "Class": "CAR"}
        self.club.ask(self.id, Car=car)
        self.adapter.step()
        self.case = self.adapter.offers[self.id]

    def decide(self, verb, body=None):
        ask(f"{URL}/admin/partner-cases/{self.case}/{verb}", "POST", body, DISPATCHER)
        self.adapter.step()

    def answers(self):
        return self.club.requests[self.id]["Answers"]

    def shown(self):
        return self.adapter.call("GET", f"/partner/offers/{self.case}")

    def test_a_request_of_the_club_waits_for_a_dispatcher(self):
        shown = self.shown()
        self.assertEqual((shown["status"], shown["offer"]["stage"]), ("offered", "waiting"))
        self.adapter.step()
        self.assertEqual(self.answers(), [])

    def test_a_confirmed_time_makes_a_job_which_the_club_follows(self):
        self.decide("accept", {"eta_min": 35})
        self.assertEqual(self.answers(), [{"Response": "ACCEPT", "Minutes": 35}])
        self.assertEqual(self.shown()["jobs"], [])
        self.club.confirm(self.id)
        self.adapter.step()
        [job] = self.shown()["jobs"]
        self.assertEqual(job["promise"]["state"], "accepted")
        self.adapter.step()
        self.assertEqual([one["id"] for one in self.shown()["jobs"]], [job["id"]])
        self.club.cancel(self.id)
        self.adapter.step()
        self.assertEqual(self.shown()["jobs"][0]["status"], "cancelled")
        self.assertEqual(self.club.requests[self.id]["Progress"][-1], {"Code": "CANCELLED"})

    def test_a_refusal_tells_the_club_its_reason_in_the_clubs_words(self):
        self.decide("refuse", {"reason": "outside_area"})
        self.assertEqual(self.answers(), [{"Response": "REJECT", "Code": "DISTANCE"}])
        self.assertEqual(self.shown()["status"], "refused")

    def test_a_club_that_was_asked_to_call_can_still_be_accepted(self):
        self.decide("ask-for-call")
        self.decide("accept", {"eta_min": 50})
        self.assertEqual(self.answers(), [{"Response": "CALL"}, {"Response": "ACCEPT", "Minutes": 50}])

    def test_a_cancelled_request_is_withdrawn_and_can_no_longer_be_accepted(self):
        self.club.cancel(self.id)
        self.adapter.step()
        self.assertEqual(self.shown()["status"], "withdrawn")
        with self.assertRaises(Refused) as refused:
            self.decide("accept", {"eta_min": 20})
        self.assertEqual(refused.exception.status, 409)

    def test_an_adapter_that_starts_again_finds_the_same_offer(self):
        again = Adapter(URL, self.adapter.key, self.club.url, self.adapter.contract)
        again.step()
        self.assertEqual(again.offers[self.id], self.case)


if __name__ == "__main__":
    unittest.main()
