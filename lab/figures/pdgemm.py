"""ScaLAPACK's pdgemm beside Tombolo's products, on ranks of this machine."""

import os
import re
import subprocess

from places import MPIRUN, ROOT
from simulations import Refused

RANKS = {  # what starts them, and what multiply() is told of their shares
    "2, even": ((MPIRUN, "2"), ()),
    "4, even": ((MPIRUN, "4"), ()),
    "4, quotas of 0.8, 0.6, 0.4 and 0.2 cores": ((ROOT / "scripts/unequal", "--shares", "0.8,0.6,0.4,0.2", "--"),
                                                 ("--shares", "4,3,2,1")),
}
SIZES = (1000, 2500)


def times(start, cache, *words):
    """The first, the second and the later times of each contestant, in seconds."""
    command = [*start, ROOT / "build/release/bin/product_rivals", *words]
    done = subprocess.run(list(map(str, command)), env=dict(os.environ, TOMBOLO_CACHE=str(cache)), capture_output=True,
                          text=True)
    if done.returncode:
        raise Refused(f"product_rivals ended with {done.returncode}: {done.stderr.strip()}")
    found = re.findall(r"^(.+?)  +([\d.]+) +([\d.]+) +([\d.]+)$", done.stdout, re.MULTILINE)
    return {name: list(map(float, seconds)) for name, *seconds in found}


def pdgemm(tables):
    """products.md: ScaLAPACK's pdgemm beside products by Tombolo, on ranks of this machine"""
    yield "ranks", "size", "product", "first call, new hosts", "first call", "later calls", "pdgemm / this"
    for number, (ranks, (start, shares)) in enumerate(RANKS.items()):
        for size in SIZES:
            words = ("--size", size, "--repetitions", 7, *shares)
            cache = tables.scratch / f"pdgemm-{number}-{size}"
            new, known = times(start, cache, *words), times(start, cache, *words)
            for name, (first, _, later) in known.items():
                yield ranks, size, name, *(f"{s:.3f}" for s in (new[name][0], first, later)), f"{known['pdgemm'][2] / later:.2f}"
