"""Platform files by pairs of ranks, and how far a discovered one is from a description."""

import itertools


def leaves(level):
    """The logical clusters below a level."""
    if level["kind"] == "cluster":
        return [level]
    return [cluster for child in level["children"] for cluster in leaves(child)]


class Routes:
    """What a message meets between two ranks that are each alone on their hosts."""

    def __init__(self, platform):
        hosts = {host["name"]: host for host in platform["hosts"]}
        self.names = [processor["host"] for processor in sorted(platform["processors"], key=lambda on: on["rank"])]
        self.hosts = [hosts[name] for name in self.names]
        self.clusters = leaves(platform["levels"])
        self.cluster_of = {rank: cluster for cluster in self.clusters for rank in cluster["ranks"]}
        self.links = {frozenset(link["between"]): link for link in platform.get("links", [])}

    def between(self, a, b):
        """The cluster that holds both ranks, or the link between theirs."""
        one, other = self.cluster_of[a], self.cluster_of[b]
        return one if one is other else self.links[frozenset((one["name"], other["name"]))]

    def latency(self, a, b):
        return sum(part.get("latency_ps", 0) for part in (self.hosts[a], self.between(a, b), self.hosts[b]))

    def rate(self, a, b):
        """None where nothing is known of it."""
        inside = self.cluster_of[a] is self.cluster_of[b]
        parts = [self.hosts[a], self.hosts[b]] + ([] if inside else [self.between(a, b)])
        return min((part["rate_bytes_per_s"] for part in parts if "rate_bytes_per_s" in part), default=None)

    def pairs(self):
        return itertools.combinations(range(len(self.hosts)), 2)


def error(found, described):
    return abs(found / described - 1)


def largest_errors(found, described):
    """The largest relative errors of latency, rate and speed, each with the ranks that have it."""
    one, other = Routes(found), Routes(described)
    assert one.names == other.names, "different hosts, or in a different order"
    latencies, rates, speeds = [], [], []
    for a, b in one.pairs():
        latencies.append((error(one.latency(a, b), other.latency(a, b)), a, b))
        rate = one.rate(a, b)
        rates.append((error(rate, other.rate(a, b)) if rate else 1, a, b))
    for on, as_described in zip(found["processors"], described["processors"]):
        assert on["rank"] == as_described["rank"]
        speeds.append((error(on["speed_flops"], as_described["speed_flops"]), on["rank"]))
    return {"latency": max(latencies), "rate": max(rates), "speed": max(speeds)}


def groups(level):
    """All groups and clusters, each as the set of its ranks."""
    below = [] if level["kind"] == "cluster" else [one for child in level["children"] for one in groups(child)]
    return [(level["kind"], frozenset(level["ranks"])), *below]
