"""Detours on emulated grids with thin direct lines: real MPI, messages sent directly or over other sites."""

import json
import statistics

from figures.emulated import GRID, TOMBOLO, Emulated, command

GRIDS = ("triangle", "ring5")
BLOCKS = ("scatter", "gather", "allgather", "alltoall")
VECTORS = ("bcast", "reduce", "allreduce", "reduce_scatter")
CELLS = (*((each, size) for each in BLOCKS for size in (4 << 10, 64 << 10)),
         *((each, size) for each in VECTORS for size in (64 << 10, 1 << 20)))
REPEATED = ("--impl", "tombolo", "--least", 3, "--most", 5, "--precision", 0.05)


def links_of(grid):
    status = json.loads(command(GRID, "status", "--json", "--name", grid.name))
    return {(link["from"], link["to"]): link for link in status["links"]}


def thin_part(before, after):
    """The part of the bytes between sites that took a line of less than half the widest one's rate."""
    widest = max(link["rate_mbit"] for link in after.values())
    moved = {ends: link["bytes"] - before[ends]["bytes"] for ends, link in after.items()}
    thin = sum(number for ends, number in moved.items() if 2 * after[ends]["rate_mbit"] < widest)
    return thin / sum(moved.values())


def timed(grid, ranks, operation, size, *words):
    """What bench says, and the part of the traffic on thin lines, clocks and barriers of the measurement included."""
    before = links_of(grid)
    (row,) = grid.bench(ranks, operation, "--bytes", size, *REPEATED, *words)
    return row, thin_part(before, links_of(grid))


def detours(tables):
    """grid.md: real MPICH on grids with thin direct lines, messages sent directly or over other sites"""
    yield ("grid", "", "bytes", "direct, ms", "detours, ms", "direct / detours", "predicted / measured", "on thin lines, direct",
           "on thin lines, detours")
    for description in GRIDS:
        with Emulated(description, tables.scratch) as grid:
            ranks = grid.slots
            gains = []
            for operation, size in CELLS:
                direct, thin = timed(grid, ranks, operation, size, "--no-detours")
                routed, thin_routed = timed(grid, ranks, operation, size)
                seconds, least = float(direct["median_s"]), float(routed["median_s"])
                gains.append(seconds / least)
                yield (description, operation, f"{size:,}", f"{1e3 * seconds:.3g}", f"{1e3 * least:.3g}",
                       f"{gains[-1]:.2f}", f"{float(routed['predicted_s']) / least:.2f}", f"{thin:.1%}",
                       f"{thin_routed:.1%}")
            yield description, "all", "", "", "", f"{statistics.geometric_mean(gains):.2f}", "", "", ""
