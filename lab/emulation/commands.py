"""The commands of scripts/grid: each takes the arguments as parsed and returns an exit status."""

import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path

from files import same
from emulation import build, report, shapers, simgrid
from emulation.description import LEAST_SHARE, MOST_SHARE, load, path_of, shipped
from emulation.down import take_down
from emulation.grid import Grid
from emulation.mpis import LAUNCH
from emulation.processes import batch, end_all
from ending import Refused
from emulation.run import run
from emulation.up import bring_up, check_machine, say
from places import GRIDS


def up(arguments):
    grid = Grid(arguments.name)
    caretaker = bring_up(grid, arguments.description, arguments.shaper)
    try:
        described = grid.description
        say(f"'{grid.name}' is up: {described.name}, {len(described.sites)} sites, {len(described.hosts)} hosts, "
            f"links by {grid.kept['shaper']}")
        if arguments.check:
            report.print_check(grid)
    except BaseException:
        caretaker.end()
        raise
    caretaker.keep()
    return 0


def down(arguments):
    check_machine()
    there, ended = take_down(Grid(arguments.name))
    say(f"'{arguments.name}' was not up; nothing was left of it" if not there and not ended else
        f"'{arguments.name}' is down" + (f"; {ended} processes were running on it, and were ended" if ended else ""))
    return 0


def check(arguments):
    return 0 if report.print_check(working(arguments)) else 1


def opened(arguments):
    check_machine()
    return Grid(arguments.name).require()


def working(arguments):
    """A grid over whose links frames pass."""
    grid = opened(arguments)
    if not shapers.of(grid).running():
        raise Refused(f"the {grid.kept['shaper']} of '{grid.name}' has ended", "take the grid down and up again")
    return grid


def status(arguments):
    grid = opened(arguments)
    print(report.as_json(grid) if arguments.json else report.as_text(grid))
    return 0


def run_command(arguments):
    if arguments.on is None:
        return run(working(arguments), arguments)
    grid = Grid(f"on-{os.getpid()}")
    caretaker = bring_up(grid, arguments.on)
    try:
        return run(grid, arguments)
    finally:
        caretaker.end()


def shell(arguments):
    grid = opened(arguments)
    host = grid.description.host(arguments.host)
    words = arguments.program or [os.environ.get("SHELL", "/bin/sh"), "-i"]
    environment = dict(os.environ, TOMBOLO_GRID_FOLDER=str(grid.folder))
    sys.stdout.flush()
    os.execve(LAUNCH, [str(LAUNCH), host.name, f"exec {shlex.join(words)}"], environment)


def link(arguments):
    grid = working(arguments)
    i, j = (grid.description.site(name) for name in (arguments.site, arguments.other))
    if i == j:
        raise Refused(f"'{arguments.site}' has no link to itself", "name two sites")
    changes = {name: value for name in ("delay_ms", "rate_mbit", "queue_ms")
               if (value := getattr(arguments, name)) is not None}
    for pair in [(i, j)] if arguments.one_way else [(i, j), (j, i)]:
        now = grid.links()[pair]
        new = replace(now, **changes)
        if changes:
            shapers.of(grid).set_link(*pair, new)
            grid.keep_link(*pair, new)
        print(report.link_in_words(grid, pair, new))
    return 0


def cpu(arguments):
    grid = opened(arguments)
    host = grid.description.host(arguments.host)
    share = None if arguments.share == 0 else arguments.share
    if share is not None and not LEAST_SHARE <= share <= MOST_SHARE:
        raise Refused(f"a share of {share:g} cores", f"give {LEAST_SHARE:g} to {MOST_SHARE}, or 0 to lift the limit")
    if not grid.group_of(host):
        raise Refused("this grid has no cgroups, as this machine has no controller cpu", "run it where it has one")
    build.set_share(grid, host, share)
    grid.keep_share(host, share)
    return 0


def kill(arguments):
    """Cut off first, so that nobody hears of it from the host's own kernel."""
    grid = opened(arguments)
    host = grid.description.host(arguments.host)
    with open(grid.folder / "killed", "a") as file:
        file.write(f"{host.name}\n")
    batch("ip", grid.fabric, [f"link set {build.port(host)} down"])
    try:
        ended = end_all(lambda: grid.processes_by_host()[host.name])
    finally:
        batch("ip", grid.fabric, [f"link set {build.port(host)} up"])
    say(f"host {host.name}: {ended} processes ended")
    return 0


def list_shipped(arguments):
    for name in shipped():
        described = load(name)
        first = (GRIDS / f"{name}.toml").read_text().splitlines()[0].lstrip("# ")
        print(f"{name:16}  {len(described.sites):3} sites  {len(described.hosts):3} hosts  {first}")
    return 0


def platform(arguments):
    described = load(arguments.description)
    for path in arguments.output, os.path.splitext(arguments.output)[0] + ".hosts":
        if same(path_of(arguments.description), path):
            raise Refused(f"the description {arguments.description} and the output {path} are the same file",
                          "give them different names")
    simgrid.write(described, Path(arguments.output))
    return 0
