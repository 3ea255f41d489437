"""Whether each alert is whole, tested and explained, and whether the service has the metrics that it reads. tests/deploy/run runs it."""

import re
import sys
from pathlib import Path

import yaml

ALERTS = "deploy/alerts.yml"
TESTS = "tests/deploy/alerts_test.yml"
DOCUMENT = "docs/OPERATIONS.md"
# Prometheus makes these of a histogram.
OF_HISTOGRAM = re.compile(r"_(bucket|sum|count)$")


def read(path):
    return yaml.safe_load(Path(path).read_text())


def metrics_in_source():
    """The kind of each metric, by its name."""
    files = [file for folder in ("src", "actors/src") for file in Path(folder).rglob("*.rs")]
    found = re.findall(r'\b(counter|gauge|histogram)!\(\s*"(roadcall_\w+)"', "\n".join(file.read_text() for file in files))
    return {name: kind for kind, name in found}


def faults_of(rule, kinds):
    name = rule.get("alert", "?")
    if not name.startswith("Roadcall"):
        yield f"{name}: its name does not begin with Roadcall"
    for place, key in [(rule, "for"), (rule.get("labels", {}), "severity")]:
        if key not in place:
            yield f"{name} has no {key}"
    for key in ("summary", "description"):
        if not rule.get("annotations", {}).get(key):
            yield f"{name} has no {key}"
    for metric in sorted(set(re.findall(r"\broadcall_\w+", rule["expr"]))):
        histogram = OF_HISTOGRAM.sub("", metric)
        if metric not in kinds and kinds.get(histogram) != "histogram":
            yield f"{name} reads {metric}, which the service does not have"


def faults():
    rules = [rule for group in read(ALERTS)["groups"] for rule in group["rules"]]
    kinds = metrics_in_source()
    for rule in rules:
        yield from faults_of(rule, kinds)
    fires, keeps_quiet = set(), set()
    for test in read(TESTS)["tests"]:
        looks = test["alert_rule_test"]
        fired = {look["alertname"] for look in looks if look.get("exp_alerts")}
        fires |= fired
        keeps_quiet |= {look["alertname"] for look in looks} - fired
    names = {rule["alert"] for rule in rules}
    explained = set(re.findall(r"^\| `(Roadcall\w+)` \|", Path(DOCUMENT).read_text(), re.MULTILINE))
    for what, covered in [
        (f"{TESTS} has no test in which it fires", fires),
        (f"{TESTS} has no test in which it never fires", keeps_quiet),
        (f"{DOCUMENT} does not explain it", explained),
    ]:
        yield from (f"{name}: {what}" for name in sorted(names - covered))
    yield from (f"{DOCUMENT} explains {name}, which {ALERTS} does not have" for name in sorted(explained - names))


found = list(faults())
for fault in found:
    print(fault, file=sys.stderr)
sys.exit(bool(found))
