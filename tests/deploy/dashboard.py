"""Executes every query of the dashboard on a Prometheus that scrapes a running server: dashboard.py PROMETHEUS_URL

A query must parse, name only metrics that the service has, and return something, unless a fresh server has nothing to return: NOTHING_YET
says why. The same Prometheus evaluates the alert rules."""

import json
import math
import os
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from metrics import is_metric, metrics_in, metrics_in_source

DASHBOARD = "deploy/grafana/dashboard"
JOB = "roadcall"
# Grafana replaces this by the range that fits the scrape interval.
RATE_INTERVAL = "1m"
SCRAPES = 4
PATIENCE_S = 60
WIDTH = 24
ALONE = "a server alone has no cluster"
# Panels for which a fresh server has no data, by title, with the reason.
NOTHING_YET = {
    "Which alerts fire": "nothing is wrong",
    "Until an offer is on the screen": "no offer was made",
    "Changes of jobs and payments that are written together": "there is no job",
    "How long changes of jobs and payments wait until they are written": "there is no job",
    "Refused because of too much work": "nothing was refused",
    "Messages of trackers that could not be used": "no mechanic has a tracker",
    "Age of the newest backup": "the settings want no backups",
    "Pushes": "nobody was notified",
    "Mails": "nothing was mailed",
    "Webhooks to partners": "there is no partner",
    "Traces": "no collector is set up",
    "Searches for places": "the sketch of the demo city asks nobody",
    "Whether the router answers": "no router is set up",
    "Requests to the router": "no router is set up",
    "How long the router takes": "no router is set up",
    "Servers that each hears of": ALONE,
    "Who leads": ALONE,
    "Who has NATS": ALONE,
    "Announcements that were missed or not believed": ALONE,
    "Messages that were lost": ALONE,
}


def fetch(url, body=None, token=None):
    request = urllib.request.Request(url, data=body and json.dumps(body).encode())
    request.add_header("content-type", "application/json")
    if token:
        request.add_header("authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return json.load(error)


def make_traffic(server, phone):
    """Makes requests that change the metrics of routes and text messages."""
    otp = fetch(f"{server}/auth/send-otp", {"phone": phone})["data"]["otp"]
    token = fetch(f"{server}/auth/verify-otp", {"phone": phone, "otp": otp})["data"]["accessToken"]
    for path in ("/users/me", "/nothing"):
        fetch(server + path, token=token)
    for path in ("/mechanics/me/location", "/payments/webhook"):
        fetch(server + path, {})


class Prometheus:
    def __init__(self, url):
        self.url = url

    def get(self, path, **parameters):
        return fetch(f"{self.url}/api/v1/{path}?{urllib.parse.urlencode(parameters)}")

    def query(self, expression):
        """Returns the present values of the expression; raises ValueError if it is invalid."""
        answer = self.get("query", query=expression)
        if answer["status"] != "success":
            raise ValueError(answer["error"])
        values = [float(sample["value"][1]) for sample in answer["data"]["result"]]
        return [value for value in values if not math.isnan(value)]

    def wait(self, expression, least):
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                if max(self.query(expression), default=0) >= least:
                    return
            except (urllib.error.URLError, ValueError):
                # It is still starting.
                pass
            if time.monotonic() > until:
                sys.exit(f"{expression} did not become {least} within {PATIENCE_S} s")
            time.sleep(0.2)


def panels():
    return json.loads(subprocess.run([DASHBOARD], check=True, stdout=subprocess.PIPE).stdout)["panels"]


def faults_of_layout(all_panels):
    ids, titles, taken = set(), set(), {}
    for panel in all_panels:
        title, place = panel["title"], panel["gridPos"]
        if panel["id"] in ids or title in titles:
            yield f"{title}: its id or its title is another panel's, too"
        ids.add(panel["id"])
        titles.add(title)
        if place["x"] + place["w"] > WIDTH:
            yield f"{title}: it is wider than the page"
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                other = taken.setdefault((x, y), title)
                if other != title:
                    yield f"{title}: it covers {other}"


def executable(expression):
    return expression.replace("$job", JOB).replace("$__rate_interval", RATE_INTERVAL)


def faults_of_queries(prometheus, all_panels):
    kinds = metrics_in_source()
    read = set()
    for panel in all_panels:
        if panel["type"] == "row":
            continue
        title, queries = panel["title"], [target["expr"] for target in panel["targets"]]
        returned = []
        for query in queries:
            for metric in sorted(metrics_in(query)):
                read.add(metric)
                if not is_metric(metric, kinds):
                    yield f"{title} reads {metric}, which the service does not have"
            if 'job="$job"' not in query:
                yield f"{title} does not ask for one installation: {query}"
            try:
                returned.append(bool(prometheus.query(executable(query))))
            except ValueError as why:
                yield f"{title}: {query}: {why}"
        if title in NOTHING_YET:
            if any(returned):
                yield f"{title} returns something: it does not belong into NOTHING_YET"
        else:
            yield from (f"{title} returns nothing: {query}" for query, some in zip(queries, returned) if not some)
    for title in NOTHING_YET.keys() - {panel["title"] for panel in all_panels}:
        yield f"NOTHING_YET has {title}, which is no panel"
    shown = {name for name in kinds for metric in read if metric == name or is_metric(metric, {name: "histogram"})}
    yield from (f"no panel shows {name}" for name in sorted(kinds.keys() - shown - NOT_SHOWN))


# The number of trips behind a correction, which the console shows.
NOT_SHOWN = {"roadcall_eta_learned_trips"}


def faults_of_rules(prometheus):
    groups = prometheus.get("rules")["data"]["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    if not rules:
        yield "Prometheus has loaded no rules"
    for rule in rules:
        if rule["health"] != "ok":
            yield f"{rule['name']} can't be evaluated: {rule.get('lastError') or rule['health']}"
        if rule["state"] == "firing":
            yield f"{rule['name']} fires on a fresh server"


def main():
    prometheus, all_panels = Prometheus(sys.argv[1]), panels()
    for scrapes, phone in ((SCRAPES, "+919845012345"), (2 * SCRAPES, "+919845012346")):
        # This is between two scrapes, so that there is a rate.
        make_traffic(os.environ["ROADCALL_URL"], phone)
        prometheus.wait(f'min(count_over_time(up{{job="{JOB}"}}[5m]))', scrapes)
    prometheus.wait("min(prometheus_rule_group_last_duration_seconds >= bool 0)", 1)
    faults = [*faults_of_layout(all_panels), *faults_of_queries(prometheus, all_panels), *faults_of_rules(prometheus)]
    for fault in faults:
        print(fault, file=sys.stderr)
    queries = sum(len(panel.get("targets", [])) for panel in all_panels)
    print(f"{queries} queries of {len(all_panels)} panels and rows were executed")
    sys.exit(bool(faults))


main()
