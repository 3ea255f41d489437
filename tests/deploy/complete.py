"""Checks that each alert is complete, tested and explained in the runbook, that the service has the metrics that alerts and the runbook name,
and that the documents explain each metric. tests/deploy/run runs it."""

import re
import sys
from pathlib import Path

import yaml

from metrics import is_metric, metrics_in, metrics_in_source

ALERTS = "deploy/alerts.yml"
TESTS = "tests/deploy/alerts"
RUNBOOK = "docs/RUNBOOK.md"
# The parts of a section of the runbook, in this order.
PARTS = ["For people", "First look", "What to do", "Wake somebody"]
# The documents that explain metrics.
REFERENCES = ["docs/LOGGING.md", "docs/CLUSTER.md"]


def read(path):
    return yaml.safe_load(Path(path).read_text())


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
    expected = f"{RUNBOOK}#{name.lower()}"
    if rule.get("annotations", {}).get("runbook") != expected:
        yield f"{name} has another runbook than {expected}"
    for metric in sorted(metrics_in(rule["expr"])):
        if not is_metric(metric, kinds):
            yield f"{name} reads {metric}, which the service does not have"


def sections_of(runbook):
    """Returns the text of each section about an alert, by its heading."""
    parts = re.split(r"^(#+) (.*)$", runbook, flags=re.MULTILINE)
    return {heading: text for heading, text in zip(parts[2::3], parts[3::3]) if heading.startswith("Roadcall")}


def faults_of_runbook(names, kinds):
    runbook = Path(RUNBOOK).read_text()
    sections = sections_of(runbook)
    yield from (f"{RUNBOOK} has no section {name}" for name in sorted(names - sections.keys()))
    yield from (f"{RUNBOOK} has a section {name}, which is no alert of {ALERTS}" for name in sorted(sections.keys() - names))
    for name, text in sections.items():
        parts = re.findall(r"^- \*\*(.+?)\*\*: \S", text, flags=re.MULTILINE)
        if parts != PARTS:
            yield f"{RUNBOOK}: {name} must say, in this order: {', '.join(PARTS)}"
    for metric in sorted(set(re.findall(r"`(roadcall_\w+)", runbook))):
        if not is_metric(metric, kinds):
            yield f"{RUNBOOK} names {metric}, which the service does not have"


def faults_of_references(kinds):
    explained = set(re.findall(r"`(roadcall_\w+)`", "\n".join(Path(file).read_text() for file in REFERENCES)))
    yield from (f"neither {' nor '.join(REFERENCES)} explains {name}" for name in sorted(kinds.keys() - explained))


def faults():
    rules = [rule for group in read(ALERTS)["groups"] for rule in group["rules"]]
    kinds = metrics_in_source()
    for rule in rules:
        yield from faults_of(rule, kinds)
    fires, keeps_quiet = set(), set()
    for test in (test for file in Path(TESTS).glob("*.yml") for test in read(file)["tests"]):
        looks = test["alert_rule_test"]
        fired = {look["alertname"] for look in looks if look.get("exp_alerts")}
        fires |= fired
        keeps_quiet |= {look["alertname"] for look in looks} - fired
    names = {rule["alert"] for rule in rules}
    for what, covered in [
        (f"{TESTS} has no test in which it fires", fires),
        (f"{TESTS} has no test in which it never fires", keeps_quiet),
    ]:
        yield from (f"{name}: {what}" for name in sorted(names - covered))
    yield from faults_of_runbook(names, kinds)
    yield from faults_of_references(kinds)


found = list(faults())
for fault in found:
    print(fault, file=sys.stderr)
sys.exit(bool(found))
