"""What a grid does, beside what its description says."""

import random
from typing import NamedTuple

from emulation import probes, shares

PAYLOAD = 1448 / 1514  # of a frame, with TCP's timestamps
LEAST_TIMES, TIMES = 3, 9  # datagrams each way
SECONDS = 9.0  # that all pairs may take one by one; together it is about half. Of more pairs some are drawn
TOGETHER = 250  # Mbit/s that are measured at a time, as more would take the cores that the links need
PART_OFF, MS_OFF, CORES_OFF = 0.10, 0.2, 0.02  # what may be off: of the figure, and besides that of delays and shares


class Row(NamedTuple):
    what: str
    described: float
    measured: float  # infinity or 0 where nothing got through
    unit: str
    ok: bool


class Way(NamedTuple):
    """From one site to another, or within one: hosts, and what is described of messages between them."""

    here: object
    there: object
    name: str
    delay: float  # seconds
    rate: float  # Mbit/s of the line; 0: no limit
    queue: float  # bytes


def compare(grid):
    """Rows on delays and TCP rates from site to site and inside each, and on a host of each share of a core, measured
    one or some at a time; nothing else should run meanwhile. Of many sites some pairs are drawn, and the last row says
    how many."""
    ways = ways_of(grid)
    pairs = {pair for pair in ways if pair[0] <= pair[1]}
    drawn = draw(ways, pairs)
    rows = []
    for pair in sorted(drawn):
        there, back = ways[pair], ways[pair[::-1]]
        round_trip = there.delay + back.delay
        times = min(max(round(1 / (round_trip + 0.01)), LEAST_TIMES), TIMES)
        taken = probes.delays(grid, there.here, there.there, times, 1 + 4 * round_trip)
        both = zip((there, back), taken) if pair[0] != pair[1] else [(there, mean(taken))]
        rows += [delay_row(way, seconds) for way, seconds in both]
    limited = [pair for pair in ways if (min(pair), max(pair)) in drawn and ways[pair].rate > 0]
    for batch in batches(ways, limited):
        streams = [stream(ways, pair) for pair in batch]
        rows += [rate_row(ways[pair], carried) for pair, carried in zip(batch, probes.rates(grid, streams))]
    rows += [share_row(host, grid.share(host), shares.used(grid, host)) for host in shares.hosts_to_try(grid)]
    if len(drawn) < len(pairs):
        rows.append(Row("pairs of sites that were measured, drawn by chance", len(pairs), len(drawn), "", True))
    return rows


def ways_of(grid):
    """By pair of sites, and by each site with itself where it has two hosts."""
    sites, links = grid.description.sites, grid.links()
    hosts = [[host for host in grid.description.hosts if host.site == number] for number in range(len(sites))]
    ways = {}
    for number, site in enumerate(sites):
        if site.hosts > 1:
            ways[number, number] = Way(hosts[number][0], hosts[number][1], f"inside {site.name}",
                                       site.lan.latency_us * 1e-6, site.lan.rate_mbit, site.lan.queue_kb * 1e3)
    for (i, j), link in links.items():
        here, there = sites[i], sites[j]
        rate = least(here.lan.rate_mbit, here.up_mbit, link.rate_mbit, there.down_mbit, there.lan.rate_mbit)
        queue = min([lan.queue_kb * 1e3 for lan in (here.lan, there.lan)]
                    + [link.queue_ms * 125 * rate] * (rate > 0))
        ways[i, j] = Way(hosts[i][0], hosts[j][-1], f"{here.name} to {there.name}", link.delay_ms * 1e-3, rate, queue)
    return ways


def least(*rates):
    """Of those that are limits."""
    return min((rate for rate in rates if rate > 0), default=0)


def mean(taken):
    return sum(taken) / len(taken)


def draw(ways, pairs):
    """As many pairs as there is time for, every site among them if possible."""
    chance = random.Random(1)
    order = sorted(pairs, key=lambda pair: ((pair[1] - pair[0] != 1) + (pair[0] == pair[1]), chance.random()))
    drawn, left = set(), SECONDS
    for pair in order:
        seconds = 2 * (TIMES + 1) * ways[pair].delay
        if ways[pair].rate > 0 or ways[pair[::-1]].rate > 0:
            for way in {pair, pair[::-1]}:
                needed = stream(ways, way)
                seconds += (needed.begin() + needed.span()) * min(1, 2 / TOGETHER * ways[way].rate + 0.5)
        if drawn and seconds > left:
            break
        drawn.add(pair)
        left -= seconds
    return drawn


def stream(ways, pair):
    way, back = ways[pair], ways[pair[::-1]]
    return probes.Stream(way.here, way.there, max(way.rate, 0.01) * 125e3, way.delay + back.delay, way.queue)


def batches(ways, pairs):
    """The pairs, those together which have no site in common and which are not too much for this machine."""
    left = sorted(pairs, key=lambda pair: ways[pair].delay)  # those that take equally long together
    while left:
        batch, busy, rate = [], set(), 0
        for pair in left:
            if not busy & set(pair) and (not batch or rate + ways[pair].rate <= TOGETHER):
                batch.append(pair)
                busy |= set(pair)
                rate += ways[pair].rate
        left = [pair for pair in left if pair not in batch]
        yield batch


def delay_row(way, seconds):
    described, measured = way.delay * 1e3, seconds * 1e3
    ok = abs(measured - described) <= PART_OFF * described + MS_OFF
    return Row(f"delay {way.name}", described, measured, "ms", ok)


def rate_row(way, carried):
    described, measured = way.rate * PAYLOAD, carried / 125e3
    ok = abs(measured - described) <= PART_OFF * described
    return Row(f"TCP rate {way.name}", described, measured, "Mbit/s", ok)


def share_row(host, described, cores):
    ok = abs(cores - described) <= PART_OFF * described + CORES_OFF
    return Row(f"share of {host.name}", described, cores, "cores", ok)
