import json
import time
import unittest
import urllib.error
import urllib.request

from roadcall.webhooks import InvalidWebhook, Receiver, sign, verify

# The example of the documentation of Standard Webhooks.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ID, AT, BODY = "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
OTHER = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"


def headers(*secrets, late_s=0):
    at = int(time.time()) - late_s
    signatures = " ".join(sign(secret, ID, at, BODY) for secret in secrets)
    return {"Webhook-Id": ID, "Webhook-Timestamp": str(at), "Webhook-Signature": signatures}


class VerifyTest(unittest.TestCase):
    def test_a_signature_is_the_one_that_the_standard_shows(self):
        self.assertEqual(sign(SECRET, ID, AT, BODY), SIGNATURE)

    def test_a_delivery_that_one_of_the_secrets_signed_is_read(self):
        for secrets in (SECRET, [OTHER, SECRET]):
            self.assertEqual(verify(secrets, headers("whsec_" + "B" * 32, SECRET), BODY), {"test": 2432232314})

    def test_a_delivery_that_was_changed_or_is_old_is_refused(self):
        cases = [
            (SECRET, headers(SECRET), BODY + b" "),
            (OTHER, headers(SECRET), BODY),
            ([], headers(SECRET), BODY),
            (SECRET, headers(SECRET) | {"Webhook-Signature": "v1,AAAA v2"}, BODY),
            (SECRET, headers(SECRET) | {"Webhook-Id": "msg_other"}, BODY),
            (SECRET, headers(SECRET) | {"Webhook-Timestamp": "soon"}, BODY),
            (SECRET, headers(SECRET, late_s=400), BODY),
            (SECRET, headers(SECRET, late_s=-400), BODY),
            (SECRET, {}, BODY),
        ]
        for secret, sent, body in cases:
            with self.assertRaises(InvalidWebhook):
                verify(secret, sent, body)


class ReceiverTest(unittest.TestCase):
    def setUp(self):
        self.receiver = self.enterContext(Receiver())
        self.receiver.secret = SECRET

    def deliver(self, message_id, event, secret=SECRET):
        at, body = int(time.time()), json.dumps(event).encode()
        signed = {"webhook-id": message_id, "webhook-timestamp": str(at), "webhook-signature": sign(secret, message_id, at, body)}
        with urllib.request.urlopen(urllib.request.Request(self.receiver.url, body, signed), timeout=20) as answer:
            return json.load(answer)

    def test_a_challenge_is_answered_and_is_no_event(self):
        challenge = {"type": "webhook.verify", "data": {"challenge": "open sesame"}}
        self.assertEqual(self.deliver("1", challenge), {"challenge": "open sesame"})

    def test_a_delivery_that_comes_twice_is_given_once(self):
        for message_id, kind in [("1", "case.created"), ("1", "case.created"), ("2", "job.created")]:
            self.deliver(message_id, {"type": kind})
        events = self.receiver.events(within_s=5)
        self.assertEqual([next(events)["type"], next(events)["type"]], ["case.created", "job.created"])

    def test_a_delivery_of_somebody_else_is_refused(self):
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.deliver("1", {"type": "case.created"}, secret=OTHER)
        self.assertEqual(refused.exception.code, 400)


if __name__ == "__main__":
    unittest.main()
