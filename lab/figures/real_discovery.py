"""What discovery finds on an emulated grid, beside the description."""

import json
import time

from figures.emulated import TOMBOLO, Emulated
from emulation.description import load
from emulation.measured import PAYLOAD

HEADER = ("grid", "ranks", "seconds", "clusters_as_described", "sites", "latency_described_ms", "latency_measured_ms")
HEADER += ("rate_described_mb", "rate_measured_mb")


def clusters(level):
    """Sets of ranks of the logical clusters."""
    if level["kind"] == "cluster" or not level["children"]:
        return {frozenset(level["ranks"])}
    return set().union(*map(clusters, level["children"]))


def path(level, rank):
    """Names of the levels that hold a rank, from the top."""
    inside = [name for child in level["children"] if rank in child["ranks"] for name in path(child, rank)]
    return [level["name"], *inside]


def between(platform, first, second):
    """(latency in ms, MB/s) of a message between ranks of two sites."""
    ours, theirs = (path(platform["levels"], rank) for rank in (first, second))
    for link in platform["links"]:
        a, b = link["between"]
        if (a in ours and b in theirs) or (a in theirs and b in ours):
            ends = [host.get("latency_ps", 0) for host in platform["hosts"] if host["name"] in (ours[-1], theirs[-1])]
            return (link["latency_ps"] + sum(ends)) * 1e-9, link.get("rate_bytes_per_s", float("nan")) * 1e-6
    return float("nan"), float("nan")


def discovery(figures, description, ranks):
    """Of so many ranks, one a host."""
    stated = load(description)
    members = {}
    for rank, host in enumerate(stated.hosts[:ranks]):
        members.setdefault(host.site, []).append(rank)
    with Emulated(description, figures.scratch) as grid:
        file = figures.scratch / "found.json"
        grid.say(f"discovering on {ranks} ranks")
        began = time.monotonic()
        grid.run(ranks, TOMBOLO, "discover", "-o", file)
        seconds = time.monotonic() - began
    found = json.loads(file.read_text())
    alike = clusters(found["levels"]) == set(map(frozenset, members.values()))
    lines = []
    for (first, second), link in sorted(stated.links.items()):
        if first < second and first in members and second in members:
            latency, rate = between(found, members[first][0], members[second][0])
            sites = f"{stated.sites[first].name}-{stated.sites[second].name}"
            numbers = (link.delay_ms, latency, link.rate_mbit / 8 * PAYLOAD, rate)
            lines.append((description, ranks, f"{seconds:.1f}", "yes" if alike else "no", sites, *(f"{n:.4g}" for n in numbers)))
    figures.table(f"real-{description}-discovery-{ranks}", HEADER, lines)
    for line in lines:
        print(*line, sep="\t")
