"""A partner in twenty lines: a key makes a case with a job, follows the mechanic live, and ends with the last webhook."""
import os
import uuid
from roadcall import Server
from roadcall.webhooks import Receiver

partner = Server(os.environ["ROADCALL_URL"], os.environ["ROADCALL_KEY"])
with Receiver(name=os.environ.get("RECEIVER_NAME")) as receiver:
    receiver.subscribe(partner, positions_every_s=5)
    case = partner.ask("POST", "/partner/cases", {
        "contract_reference": os.environ["ROADCALL_CONTRACT"], "partner_reference": f"claim-{uuid.uuid4().hex[:8]}",
        "beneficiary": {"name": "Asha Rao", "phone": "+919900000001"}, "place": {"location_type": "roadside"},
        "vehicle": {"registration_number": f"KA{uuid.uuid4().hex[:8].upper()}", "make": "Maruti", "model": "Swift", "vehicle_type": "four_wheeler"},
        "job": {"service_category_slug": "flat-tyre", "pickup_address": "MG Road", "pickup_lat": 12.9755, "pickup_lng": 77.6068},
    })
    for event in receiver.events(within_s=600):
        kind, data = event["type"], event["data"]
        print(kind, (data["lat"], data["lng"]) if kind == "job.position" else data["case"]["status"], flush=True)
        if kind in ("job.outcome", "job.no_mechanic_found") and data["case"]["id"] == case["id"]:
            break
