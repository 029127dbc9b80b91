"""What a host's share of a core comes to: processes in its cgroup that only compute, for a moment."""

import math
import os
import struct
import time

from emulation import kernel

SECONDS = 0.3  # 15 periods of a quota
MOST_KINDS = 4  # of shares that are tried, one host of each


def hosts_to_try(grid):
    """The first host of each share."""
    kinds = {}
    for host in grid.description.hosts:
        share = grid.share(host)
        if share is not None and grid.group_of(host) and share <= (os.cpu_count() or 1):
            kinds.setdefault(share, host)
    return list(kinds.values())[:MOST_KINDS]


def used(grid, host):
    """Cores that a host's processes get, as many as could use its share up."""
    workers = [start_worker(grid.group_of(host)) for _ in range(math.ceil(grid.share(host)))]
    total = 0.0
    for child, said in workers:
        answer = os.read(said, 8)
        os.close(said)
        os.waitpid(child, 0)
        total += struct.unpack("d", answer)[0] if len(answer) == 8 else 0.0
    return total


def start_worker(group):
    """A child that moves to the group, and a pipe by which it says what part of the time it ran."""
    said, say = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            kernel.die_with_parent()
            os.close(said)
            (group / "cgroup.procs").write_text(str(os.getpid()))
            spin(SECONDS / 3)  # a quota that nobody has used yet is larger
            os.write(say, struct.pack("d", spin(SECONDS)))
        finally:
            os._exit(0)
    os.close(say)
    return child, said


def spin(seconds):
    """Computes for so long; returns processor seconds per second."""
    began, before = time.monotonic(), time.process_time()
    while (now := time.monotonic()) - began < seconds:
        pass
    return (time.process_time() - before) / (now - began)
