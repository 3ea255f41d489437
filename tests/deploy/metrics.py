"""Reads the metrics of the service from its source."""

import re
from pathlib import Path

# Prometheus derives these from a histogram.
OF_HISTOGRAM = re.compile(r"_(bucket|sum|count)$")


def metrics_in_source():
    """Returns the kind of each metric, by its name."""
    files = [file for folder in ("src", "actors/src", "crates") for file in Path(folder).rglob("*.rs")]
    source = "\n".join(file.read_text() for file in files)
    names = dict(re.findall(r'\bconst (\w+): &str = "(roadcall_\w+)"', source))
    found = re.findall(r'\b(counter|gauge|histogram)!\(\s*(?:"(roadcall_\w+)"|([A-Z_]+)\b)', source)
    return {name or names[constant]: kind for kind, name, constant in found if name or constant in names}


def metrics_in(text):
    """Returns the names of metrics in a text; those of a histogram's series become the histogram's."""
    return set(re.findall(r"\broadcall_\w+", text))


def is_metric(name, kinds):
    return name in kinds or kinds.get(OF_HISTOGRAM.sub("", name)) == "histogram"
