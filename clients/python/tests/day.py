"""Plays a customer's day with the client that openapi-python-client generates from the document: a job from its creation until it
is paid, and the upload of a picture. Every answer passes through the generated models."""

import base64
import io
import os
import time
import uuid
from urllib.parse import parse_qs, urlsplit

from roadcall.generated import AuthenticatedClient, Client, models
from roadcall.generated.api.admin_dispatch import assign_job
from roadcall.generated.api.admin_people import verify_mechanic
from roadcall.generated.api.auth import admin_login, issue_id_token, send_otp, verify_otp
from roadcall.generated.api.jobs import add_line_item, approve_line_item, arrive, complete_work, create_job, get_job, list_jobs, start_driving, start_work
from roadcall.generated.api.mechanics import register_mechanic, set_my_availability
from roadcall.generated.api.payments import create_order
from roadcall.generated.api.sandbox import pay_order
from roadcall.generated.api.service_categories import list_service_categories
from roadcall.generated.api.uploads import complete_upload, presign_upload, send_upload_content
from roadcall.generated.api.vehicles import create_vehicle
from roadcall.generated.types import File

URL = os.environ["ROADCALL_URL"]
PASSWORD = os.environ["ROADCALL_TEST_PASSWORD"]
PICTURE = base64.b64decode(os.environ["ROADCALL_PICTURE"])
HERE = {"lat": 12.9716, "lng": 77.5946}
LIMIT_S = 20

nobody = Client(URL)


def got(operation, *args, **kwargs):
    """Returns the answer as its model; any refusal ends the run."""
    answer = operation.sync_detailed(*args, **kwargs)
    if answer.status_code >= 300 or isinstance(answer.parsed, models.ErrorBody):
        raise SystemExit(f"{operation.__name__}: {answer.status_code} {answer.content[:500]!r}")
    return answer.parsed


def customer(number):
    phone = f"+9199{(int(time.time()) + number) % 10**8:08}"
    sent = got(send_otp, client=nobody, body=models.SendOtp(phone=phone))
    body = models.VerifyOtp(phone=phone, otp=sent.data.otp, name="Asha Rao")
    return AuthenticatedClient(URL, got(verify_otp, client=nobody, body=body).data.access_token)


def desk():
    body = models.PasswordLogin(email="admin@roadcall.example", password=PASSWORD)
    token = got(issue_id_token, client=nobody, body=body).id_token
    signed_in = got(admin_login, client=nobody, body=models.AdminLogin(idp_id_token=token))
    return AuthenticatedClient(URL, signed_in.data.access_token)


def until(what, look):
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        if look():
            return
        time.sleep(0.1)
    raise SystemExit(f"{what}: not within {LIMIT_S} s")


asha, ravi, meera = customer(0), customer(1), desk()
two_wheeler = models.VehicleType.TWO_WHEELER
category = got(list_service_categories, client=asha, vehicle_type=two_wheeler).data[0]
registration = models.Registration(
    vehicle_types=[two_wheeler], service_category_ids=[category.id], documents=[], service_radius_km=12
)
profile = got(register_mechanic, client=ravi, body=registration)
got(verify_mechanic, profile.id, client=meera, body=models.MechanicVerification())
got(set_my_availability, client=ravi, body=models.AvailabilityWish(is_available=True, **HERE))

plate = f"KA{uuid.uuid4().hex[:8].upper()}"
new = models.NewVehicle(vehicle_type=two_wheeler, make="Hero", model="Splendor", registration_number=plate)
vehicle = got(create_vehicle, client=asha, body=new)
new = models.NewJob(
    vehicle_id=vehicle.id,
    service_category_id=category.id,
    pickup_address="MG Road, opposite the park",
    pickup_lat=HERE["lat"],
    pickup_lng=HERE["lng"],
)
job = got(create_job, client=asha, body=new, idempotency_key=str(uuid.uuid4())).id


def shown():
    return got(get_job, job, client=asha)


until("the job waits", lambda: shown().status == models.JobStatus.DISPATCHING)
assign = models.Assign(mechanic_profile_id=profile.id, override_reason="the only one")
got(assign_job, job, client=meera, body=assign)
got(start_driving, job, client=ravi)
got(arrive, job, client=ravi, body=models.Arrive(override_reason="beside the park"))
got(start_work, job, client=ravi, body=models.StartWork(start_code=shown().start_code))
item = models.NewLineItem(type_=models.LineItemType.PART, description="Valve", quantity=1, unit_price=251.39)
item = got(add_line_item, job, client=ravi, body=item)
got(approve_line_item, job, item.id, client=asha, body=models.DecideLineItem(version=item.version))
got(complete_work, job, client=ravi, body=models.CompleteWork(outcome=models.Outcome.FIXED))

order = got(create_order, client=asha, body=models.NewOrder(job_id=job))
pay = models.PayOrder(outcome=models.PayOutcome.CAPTURED)
got(pay_order, order.gateway_order_id, client=nobody, body=pay)
until("the job is paid", lambda: shown().status == models.JobStatus.PAID)
# This client sends several values of one parameter.
paid = got(list_jobs, client=asha, status=[models.JobStatus.PAID, models.JobStatus.RESOLVED], limit=5)
if [one.id for one in paid.data] != [job]:
    raise SystemExit(f"not listed as paid: {paid}")

new = models.NewUpload(purpose=models.UploadPurpose.JOB_PHOTO, content_type=models.FileKind.IMAGEPNG, size_bytes=len(PICTURE))
link = got(presign_upload, client=asha, body=new)
asked = parse_qs(urlsplit(link.url).query)
signed = {"expires": int(asked["expires"][0]), "signature": asked["signature"][0]}
got(send_upload_content, link.upload_id, client=nobody, body=File(payload=io.BytesIO(PICTURE)), **signed)
upload = got(complete_upload, link.upload_id, client=asha)
if upload.status != models.UploadStatus.COMPLETE:
    raise SystemExit(f"the upload is {upload.status}")

print(f"openapi-python-client: job {job} paid, upload {upload.id} complete")
