"""`scripts/grid up`: all of a grid, or nothing."""

import os
import shutil
import sys

from emulation.caretaker import Caretaker
from emulation import build, shapers
from emulation.addresses import MANAGER, address, management
from emulation.description import load, path_of
from emulation.down import remove, take_down
from emulation.grid import Grid, only_one
from ending import Refused
from places import GRID


def check_machine():
    if os.geteuid() != 0:
        raise Refused("only root may make namespaces", "run it with sudo")
    for tool in ("ip", "tc", "bridge", "nsenter", "unshare", "mount"):
        if not shutil.which(tool):
            raise Refused(f"there is no command {tool}", "install iproute2, util-linux and mount")


def say(text):
    print(f"{GRID}: {text}", file=sys.stderr)


def bring_up(grid, path, shaper=None):
    """Makes the grid that a description says; returns a Caretaker that takes it away again if it is not told to let it
    be."""
    check_machine()
    described = load(path)
    caretaker = None
    try:
        with only_one() as lock:
            if grid.load():
                raise Refused(f"the grid '{grid.name}' is up already, from {grid.kept['description']}",
                              f"`{GRID} down` it first, or give this one another --name")
            caretaker = Caretaker(lambda: take_down(Grid(grid.name)), not_held=lock)
            remove(grid)  # what was left when the machine, or everything, was killed
            grid.kept = {}
            grid.begin(described, path_of(path).resolve(), shaper or shapers.default())
            shutil.copyfile(path_of(path), grid.folder / "description.toml")
            make(grid)
            grid.keep(up=True)
    except BaseException:
        if caretaker:
            caretaker.end()
        raise
    return caretaker


def make(grid):
    shaper = shapers.of(grid)
    warning = build.make_groups(grid)
    build.make_network(grid, shaper.through_gateway())
    shaper.start()
    write_names(grid)
    if warning:
        say(f"warning: {warning}")


def write_names(grid):
    """/etc/hosts of all hosts, and what the launcher reads: of each name and address, the host and its cgroup."""
    hosts = grid.description.hosts
    lines = ["127.0.0.1 localhost", f"{MANAGER} manage", *(f"{address(host)} {host.name}" for host in hosts)]
    (grid.folder / "hosts").write_text("".join(f"{line}\n" for line in lines))
    (grid.folder / "sys").mkdir()  # where the launcher mounts a host's own
    (grid.folder / "runs").mkdir()  # where it says that it is there
    launch = grid.folder / "launch"
    launch.mkdir()
    for host in hosts:
        said = f"{host.name} {grid.group_of(host) or ''}\n"
        for name in (host.name, address(host), management(host)):
            (launch / name).write_text(said)
