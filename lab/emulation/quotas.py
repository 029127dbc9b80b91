"""CPU quotas by cgroups of version 1 or 2, for scripts/unequal and scripts/grid."""

import os
import signal
import time
from pathlib import Path

LEAST_QUOTA_US = 1000  # Linux takes no less


class NoQuotas(Exception):
    """Groups with quotas cannot be made here, and why."""


def own_folders(mounts, groups):
    """(version, mount point, this process's folder) of each hierarchy that may have quotas, from /proc/self/mountinfo
    and /proc/self/cgroup; version 1 first, which is the one that has them where both are mounted."""
    paths = {}
    for line in groups.splitlines():
        _, controllers, path = line.split(":", 2)
        if "cpu" in controllers.split(","):
            paths[1] = path
        elif not controllers:
            paths[2] = path
    found = []
    for line in mounts.splitlines():
        before, after = line.split(" - ", 1)
        root, point = before.split()[3:5]
        kind, _, options = after.split(" ", 2)
        version = {"cgroup": 1, "cgroup2": 2}.get(kind)
        if version not in paths or (version == 1 and "cpu" not in options.split(",")):
            continue
        inside = os.path.relpath(paths[version], root)
        outside = ".." in Path(paths[version]).parts or inside.startswith("..")  # of what this container sees
        folder = Path(point) if outside else Path(point, inside)
        found.append((version, Path(point), folder))
    return sorted(found)


def share_cpu(version, folder):
    """Lets the groups in a folder have quotas; version 1 needs no leave."""
    subtree = folder / "cgroup.subtree_control"
    if version == 2 and "cpu" not in subtree.read_text().split():
        subtree.write_text("+cpu")


def find_parent(name):
    """(version, folder): the nearest folder above this process in which a group gets quotas; tries with one that is
    called `name`."""
    refused = "no cgroup hierarchy has the controller cpu"
    said = (Path("/proc/self", file).read_text() for file in ("mountinfo", "cgroup"))
    for version, top, folder in own_folders(*said):
        for parent in (folder, *folder.parents):
            trial = parent / name
            try:
                if parent == top:
                    share_cpu(version, parent)
                trial.mkdir()
                try:
                    if (trial / ("cpu.max" if version == 2 else "cpu.cfs_quota_us")).exists():
                        return version, parent
                finally:
                    trial.rmdir()
            except OSError as error:
                refused = f"{parent}: {error.strerror}"
            if parent == top:
                break
    raise NoQuotas(refused)


def read_limit(version, folder):
    """The cores that a cgroup may use, as far as it says so."""
    try:
        if version == 2:
            quota, period = (folder / "cpu.max").read_text().split()
        else:
            quota, period = ((folder / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
        return float("inf") if quota == "max" or int(quota) < 0 else int(quota) / int(period)
    except OSError:
        return float("inf")  # the root has no such file


def cores(version, parent):
    """What all groups in a folder together can have."""
    limits = [read_limit(version, folder) for folder in (parent, *parent.parents)]
    return min(len(os.sched_getaffinity(0)), *limits)


def set_quota(version, folder, value, period_us):
    """Gives a group this share of a core in each period; None lifts its limit."""
    quota = None if value is None else max(round(value * period_us), LEAST_QUOTA_US)
    if version == 2:
        (folder / "cpu.max").write_text(f"{'max' if quota is None else quota} {period_us}")
    else:
        (folder / "cpu.cfs_quota_us").write_text("-1")  # or a longer period might be refused
        (folder / "cpu.cfs_period_us").write_text(str(period_us))
        (folder / "cpu.cfs_quota_us").write_text(str(-1 if quota is None else quota))


def processes(folder):
    """Ids of the processes in a group; none where there is no such group."""
    try:
        return [int(process) for process in (folder / "cgroup.procs").read_text().split()]
    except OSError:
        return []


def remove(folder, patience=10):
    """Ends what is left in a group, and removes it; OSError if that takes more than so many seconds."""
    limit = time.monotonic() + patience
    while folder.exists():
        for process in processes(folder):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            folder.rmdir()
        except OSError:
            if time.monotonic() > limit:
                raise
            time.sleep(0.01)  # until the last of them is gone
