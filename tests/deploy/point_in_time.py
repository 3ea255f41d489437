"""People of the service at http://127.0.0.1:8080, remembered in a folder. tests/deploy/point_in_time runs it:

    begin     signs people up; one of them has photos, and a mechanic earns and is paid out
    write     makes and cancels jobs, and notes when each was requested and acknowledged, until the file `stop` exists
    forget    deletes a photo
    later     makes changes that are to be lost: a payout, a photo, refreshed sign-ins; and deletes the first photo
    compare T      checks that every change acknowledged before T (in seconds since 1970) exists, and none that was requested later
    sign_in        checks that sign-ins from before T go on, and that those from after it end without harm
    ask            requests a withdrawal of money that had been withdrawn after T
    waits, paid    checks that it waits, or is paid
    fetch          checks that the first photo exists
    photos         checks the same, that the photo from after T is unknown, and that another one can be uploaded
    photo, forgotten, unknown, lost    print the ids of the first photo, of the photo deleted before T, of the photo made after T, and
              of the withdrawal made after T
"""

import json
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import installed
from installed import HERE, PHOTO, admin, call, request_of

WRITERS = 3
place = Path(sys.argv[1])


def known():
    return json.loads((place / "people.json").read_text(encoding="utf-8"))


def remember(people):
    (place / "people.json").write_text(json.dumps(people), encoding="utf-8")


def status_of(method, path, token=None, body=None):
    """Returns the status, even one that `call` treats as a failure."""
    try:
        with urllib.request.urlopen(request_of(method, path, token, body), timeout=20) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def expect(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found} instead of {expected}")


def until(what, holds, seconds=20):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"in {seconds} s there was not {what}")
        time.sleep(0.2)


def tokens_of(person, signed_in):
    return {**person, "token": signed_in["accessToken"], "refresh": signed_in["refreshToken"]}


def sign_in(person):
    otp = call("POST", "/auth/send-otp", body={"phone": person["phone"]})["data"]["otp"]
    body = {"phone": person["phone"], "otp": otp, "name": person["name"]}
    return tokens_of(person, call("POST", "/auth/verify-otp", body=body)["data"])


def refreshed(person):
    return tokens_of(person, call("POST", "/auth/refresh", body={"refreshToken": person["refresh"]})["data"])


def customer(name, number):
    person = sign_in({"name": name, "phone": f"+9198{(int(time.time()) + number) % 100_000_000:08}"})
    return {**person, "vehicle": installed.vehicle_of(person["token"], f"KA01AB{1000 + number}")}


def job_of(person, category):
    return installed.job_of(person["token"], person["vehicle"], category)


def mechanic(boss, category):
    person = sign_in({"name": "Ravi Kumar", "phone": f"+9197{int(time.time()) % 100_000_000:08}"})
    profile = installed.registered(person["token"], category, boss, "https://files.example/id.jpg")
    call("POST", "/wallet/upi", person["token"], {"vpa": "ravi@okbank", "holder_name": "Ravi Kumar"})
    return {**person, "profile": profile}


def earn(person, client, category, boss):
    """Plays a job that is done and paid, and whose money can be withdrawn."""
    token = person["token"]
    call("PUT", "/mechanics/me/availability", token, {"is_available": True, **HERE})
    job = job_of(client, category)
    installed.done(job, client["token"], token, person["profile"], boss)
    installed.paid_online(job, client["token"])
    before = withdrawable(person)
    until("a job that is paid", lambda: call("GET", f"/jobs/{job}", client["token"])["status"] == "paid")
    until("money to withdraw", lambda: withdrawable(person) > before)
    # No mechanic has the jobs that `write` makes.
    call("PUT", "/mechanics/me/availability", token, {"is_available": False})
    return job


def withdrawable(person):
    return call("GET", "/wallet", person["token"])["withdrawable"]


def withdraw(person, amount):
    return call("POST", "/wallet/withdrawals", person["token"], {"amount": amount})["id"]


def state_of(person, withdrawal):
    return call("GET", f"/wallet/withdrawals/{withdrawal}", person["token"])["status"]


def until_paid(person, withdrawal):
    until("a withdrawal that is paid", lambda: state_of(person, withdrawal) == "processed", 30)


def upload(person, photo):
    return installed.uploaded(person["token"], photo=photo)["upload_id"]


def fetch(person, photo):
    link = call("GET", f"/uploads/{photo}/link", person["token"])["url"]
    with urllib.request.urlopen(link, timeout=20) as answer:
        return answer.read()


def begin():
    boss = admin()
    category = installed.category_of(boss)
    asha, usha = customer("Asha Rao", 0), customer("Usha Rao", 1)
    writers = [customer("Writer", 2 + number) for number in range(WRITERS)]
    ravi = mechanic(boss, category)
    earn(ravi, asha, category, boss)
    first = withdraw(ravi, 100)
    until_paid(ravi, first)
    photo, forgotten = upload(asha, PHOTO), upload(asha, PHOTO)
    # This makes a chain of some length.
    asha, usha = refreshed(refreshed(asha)), refreshed(usha)
    people = {"category": category, "asha": asha, "usha": usha, "ravi": ravi, "writers": writers}
    people = {**people, "photo": photo, "forgotten": forgotten}
    remember({**people, "withdrawal": first, "withdrawable": withdrawable(ravi)})


def write():
    people = known()
    stop, lines, lock = place / "stop", [], threading.Lock()

    def note(job, what, asked):
        with lock:
            lines.append({"job": job, "what": what, "asked": asked, "acknowledged": time.time()})

    def writes(person):
        while not stop.exists():
            asked = time.time()
            job = job_of(person, people["category"])
            note(job, "made", asked)
            asked = time.time()
            call("POST", f"/jobs/{job}/cancel", person["token"], {"reason_code": "changed_mind"})
            note(job, "cancelled", asked)
            # This stays below the limit of one person's requests in a minute.
            time.sleep(1.1)

    threads = [threading.Thread(target=writes, args=(person,)) for person in people["writers"]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (place / "written.json").write_text(json.dumps(lines), encoding="utf-8")


def forget():
    people = known()
    call("DELETE", f"/uploads/{people['forgotten']}", people["asha"]["token"])


def later():
    people = known()
    ravi = people["ravi"]
    until_paid(ravi, lost := withdraw(ravi, people["withdrawable"]))
    expect("what is left", withdrawable(ravi), 0)
    unknown = upload(people["usha"], PHOTO + b"\0")
    call("DELETE", f"/uploads/{people['photo']}", people["asha"]["token"])
    remember({**people, "usha": refreshed(people["usha"]), "stranger": customer("Late Rao", 9), "unknown": unknown, "lost": lost})


def compare(moment):
    people, lines = known(), json.loads((place / "written.json").read_text(encoding="utf-8"))
    moment = float(moment)
    shown = {}
    for person in people["writers"]:
        # Cursors are not needed: a page has room for what a writer makes in this time.
        for job in call("GET", "/jobs?limit=100", person["token"])["data"]:
            shown[job["id"]] = job["status"]
    counts = {"before": 0, "after": 0, "meanwhile": 0}
    for line in lines:
        is_there = line["job"] in shown and (line["what"] == "made" or shown[line["job"]] == "cancelled")
        if line["acknowledged"] < moment:
            counts["before"] += 1
            expect(f"{line} is there", is_there, True)
        elif line["asked"] > moment:
            counts["after"] += 1
            expect(f"{line} is there", is_there, False)
        else:
            counts["meanwhile"] += 1
    if not counts["before"] or not counts["after"]:
        sys.exit(f"nothing was compared: {counts}")
    print(f"      {counts['before']} changes acknowledged before, {counts['after']} asked for after, {counts['meanwhile']} meanwhile")


def sign_ins():
    people = known()
    asha, usha = people["asha"], people["usha"]
    expect("the access token from before", status_of("GET", "/jobs", asha["token"]), 200)
    asha = refreshed(refreshed(asha))
    expect("the refreshed one", status_of("GET", "/jobs", asha["token"]), 200)
    body = {"refreshToken": usha["refresh"]}
    expect("a refresh token from after", status_of("POST", "/auth/refresh", body=body), 401)
    expect("the access token of the same session", status_of("GET", "/jobs", usha["token"]), 200)
    expect("the access token of somebody unknown", status_of("GET", "/jobs", people["stranger"]["token"]), 401)
    remember({**people, "asha": asha, "usha": sign_in(usha)})


def ask():
    people = known()
    ravi = people["ravi"]
    expect("the withdrawal from before", state_of(ravi, people["withdrawal"]), "processed")
    expect("the withdrawal from after", status_of("GET", f"/wallet/withdrawals/{people['lost']}", ravi["token"]), 404)
    if "asked" not in people:
        expect("its money, which seems to be there", withdrawable(ravi), people["withdrawable"])
    remember({**people, "asked": withdraw(ravi, 5)})


def waits():
    people = known()
    time.sleep(8)
    expect("the withdrawal", state_of(people["ravi"], people["asked"]), "requested")


def paid():
    people = known()
    until_paid(people["ravi"], people["asked"])


def fetches():
    people = known()
    expect("the photo", fetch(people["asha"], people["photo"]), PHOTO)


def photos():
    fetches()
    people = known()
    expect("what is unknown", status_of("GET", f"/uploads/{people['unknown']}", people["usha"]["token"]), 404)
    again = upload(people["usha"], PHOTO)
    expect("a new photo", fetch(people["usha"], again), PHOTO)


def main():
    does = {
        "begin": begin,
        "write": write,
        "forget": forget,
        "later": later,
        "compare": compare,
        "sign_in": sign_ins,
        "ask": ask,
        "waits": waits,
        "paid": paid,
        "fetch": fetches,
        "photos": photos,
    }
    command = sys.argv[2]
    if command in does:
        does[command](*sys.argv[3:])
    else:
        print(known()[command])


main()
