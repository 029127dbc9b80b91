"""`scripts/grid run`: a program on hosts of a grid, unchanged, started by MPICH's or Open MPI's own mpiexec."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from emulation import kernel, mpis, shapers
from emulation.processes import end_all
from ending import Refused
from emulation.up import say
from places import REPAIR
from emulation.waiting import waiting_library

MARK = "TOMBOLO_GRID_RUN"  # in the environment of all that belongs to a run
INSIDE = 'mount --bind "$1" /etc/hosts && shift && exec "$@"'
ARRIVAL = 20  # seconds in which every host must have been reached, as hydra itself waits for ever
PATIENCE = 1  # seconds that mpiexec gets to end by itself
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def chosen_hosts(grid, names):
    if names is None:
        return grid.description.hosts
    hosts = [grid.description.host(name) for name in names.split(",")]
    if len(set(hosts)) < len(hosts):
        raise Refused(f"--hosts {names} names a host twice", "name it once; `processes` says how many ranks it takes")
    return hosts


def hosts_in_use(hosts, ranks):
    """Those that the first slots belong to."""
    used = []
    for host in hosts:
        if ranks > 0:
            used.append(host)
        ranks -= host.processes
    return used


def library(program):
    path = waiting_library(program)
    if not path.exists():
        raise Refused("there is no libwait_in_kernel.so, with which ranks that share cores wait in the kernel",
                      f"{REPAIR}, or use --no-wait")
    return path


def settings(grid, arguments, preloaded, shared):
    """Variables of the ranks, what the caller says last; preloaded: a library, or None; shared: hosts have several
    ranks, which talk through memory."""
    said = {"TOMBOLO_CACHE": str(grid.cache),  # other grids have hosts of the same names
            "HWLOC_COMPONENTS": "-gl",  # which otherwise looks for X11 displays
            "OPENBLAS_NUM_THREADS": os.environ.get("OPENBLAS_NUM_THREADS", "1")}
    if arguments.mpi == "mpich":
        said |= {"UCX_TLS": "posix,sysv,cma,tcp,self" if shared else "tcp,self", "UCX_NET_DEVICES": "eth0"}
    if preloaded:
        before = os.environ.get("LD_PRELOAD")
        said["LD_PRELOAD"] = f"{preloaded}:{before}" if before else str(preloaded)
    for each in arguments.env:
        name, sign, value = each.partition("=")
        if not sign or not name:
            raise Refused(f"--env {each} sets nothing", "give NAME=VALUE")
        said[name] = value
    return said


def run(grid, arguments):
    """Returns the exit status of mpiexec, which is the program's."""
    program = shutil.which(arguments.program[0])
    if not program:
        raise Refused(f"there is no program {arguments.program[0]}", "build it, or give its path")
    hosts = chosen_hosts(grid, arguments.hosts)
    slots = sum(host.processes for host in hosts)
    ranks = slots if arguments.ranks is None else arguments.ranks
    if not 1 <= ranks <= slots:
        raise Refused(f"{ranks} ranks on {len(hosts)} hosts with {slots} slots", f"start 1 to {slots}, or raise "
                      "`processes` in the description")
    mpi = mpis.KINDS[arguments.mpi]
    if not shutil.which(mpi.starter):
        raise Refused(f"there is no {mpi.starter}", f"install {mpi.package}")
    waiting = library(program) if arguments.wait else None
    used = hosts_in_use(hosts, ranks)
    with kept_with(grid) as folder:
        launch, preloaded, file = folder / "launch", folder / "libwait_in_kernel.so", folder / "hosts"
        shared = any(host.processes > 1 for host in used)
        variables = settings(grid, arguments, preloaded if waiting else None, shared)
        launch.symlink_to(mpis.LAUNCH)
        if waiting:
            preloaded.symlink_to(waiting)
        file.write_text("".join(f"{mpi.slots(host)}\n" for host in hosts))
        if not arguments.quiet:
            how = "ranks wait in the kernel, not by polling" if waiting else "ranks wait as the library does"
            over = "TCP and shared memory" if shared and arguments.mpi == "mpich" else "TCP"
            say(f"{ranks} rank{'s' if ranks > 1 else ''} on {len(used)} of {len(grid.description.hosts)} hosts of "
                f"{grid.description.name} ('{grid.name}', {grid.kept['shaper']}), {mpi.name} over {over}; {how}")
        return watch(grid, used, [*mpi.command(launch, file, ranks, variables), *arguments.program])


@contextmanager
def kept_with(grid):
    """A folder for the time of a run, in the grid's: its path has no blank, which LD_PRELOAD and Open MPI would take
    for its end, and the grid takes it along if this process is killed."""
    folder = Path(tempfile.mkdtemp(dir=grid.folder / "runs"))
    try:
        folder.chmod(0o755)  # programs may give up being root
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def watch(grid, hosts, words):
    mark = f"{os.getpid()}-{time.time_ns()}"
    arrivals = grid.folder / "runs" / mark
    arrivals.mkdir()
    environment = dict(os.environ, TOMBOLO_GRID_FOLDER=str(grid.folder), HWLOC_COMPONENTS="-gl", **{MARK: mark})
    environment.pop("LD_PRELOAD", None)  # is for the ranks
    received = []
    for number in SIGNALS:
        signal.signal(number, lambda which, _: received.append(which))

    def inside():
        kernel.die_with_parent()
        kernel.enter(grid.manage)

    killed_before = len(read_killed(grid))
    started = subprocess.Popen(["unshare", "--mount", "/bin/sh", "-c", INSIDE, "sh", grid.folder / "hosts", *words],
                               env=environment, preexec_fn=inside)

    def trouble():
        """What has befallen the grid since this run began."""
        ended = not shaper.running()  # asked first: a grid that is taken down says so before its shaper ends
        if grid.going.exists() or not grid.folder.exists():
            return f"the grid '{grid.name}' was taken down"
        if ended:
            return f"the {grid.kept['shaper']} of '{grid.name}' has ended, so nothing passes between sites"
        names = {host.name for host in hosts}
        dead = [name for name in read_killed(grid)[killed_before:] if name in names]
        if dead:
            return f"host {', '.join(dead)} was killed"
        missing = [host.name for host in hosts if not (arrivals / host.name).exists()]
        if missing and time.monotonic() > latest:
            return f"host {', '.join(missing[:4])} did not answer"
        return None

    shaper = shapers.of(grid)
    latest = time.monotonic() + ARRIVAL
    status = None
    try:
        while status is None and not received and not trouble():
            status = poll(started)
        if received:
            started.terminate()
        if status is None:
            status = finish(started)
        if received:
            return 128 + received[0]
        if why := trouble():
            say(f"{why}; all ranks were ended")
            return 1
        return status if status >= 0 else 128 - status
    finally:
        end_all(lambda: marked(grid, mark))
        shutil.rmtree(arrivals, ignore_errors=True)


def poll(started):
    try:
        return started.wait(0.1)
    except subprocess.TimeoutExpired:
        return None


def finish(started):
    """Lets mpiexec end by itself for a while, then ends it."""
    for patience, stop in ((PATIENCE, started.terminate), (1, started.kill)):
        try:
            return started.wait(patience)
        except subprocess.TimeoutExpired:
            stop()
    return started.wait()


def read_killed(grid):
    """Names of the hosts that `scripts/grid kill` has cut off, in order."""
    try:
        return (grid.folder / "killed").read_text().split()
    except OSError:
        return []


def marked(grid, mark):
    """Those of the grid's processes that belong to a run."""
    wanted = f"{MARK}={mark}".encode()
    found = set()
    for process in grid.processes():
        try:
            if wanted in Path(f"/proc/{process}/environ").read_bytes().split(b"\0"):
                found.add(process)
        except OSError:
            pass  # it has ended
    return found
