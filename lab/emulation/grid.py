"""A grid that is up, by its name: where its things are, and what is kept about it.

Everything that belongs to the grid NAME carries that name: the folder /run/tombolo-grid/NAME, network namespaces
tombolo-NAME.HOST, tombolo-NAME.fabric (bridges and links), tombolo-NAME.manage (mpiexec), cgroups
tombolo-grid-NAME/HOST. No name has a dot, so no two grids can mean the same thing.
"""

import fcntl
import json
import os
import re
import shutil
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from emulation import quotas
from emulation import description, kernel
from ending import Refused
from places import GRID

FOLDER = Path("/run/tombolo-grid")
NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}")


@contextmanager
def only_one():
    """No other process makes or removes a grid meanwhile."""
    while True:
        FOLDER.mkdir(mode=0o755, exist_ok=True)
        try:
            held = os.open(FOLDER, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            continue
        fcntl.flock(held, fcntl.LOCK_EX)
        if FOLDER.exists() and os.stat(FOLDER).st_ino == os.fstat(held).st_ino:
            break
        os.close(held)  # who had it has removed it
    try:
        yield held
    finally:
        try:
            FOLDER.rmdir()
        except OSError:
            pass  # there are grids
        os.close(held)


def names_of_all():
    """Grids of which anything is left: state, or a namespace of which the state is gone."""
    found = {path.name for path in FOLDER.glob("*") if NAME.fullmatch(path.name)}
    for path in kernel.NAMESPACES.glob("tombolo-*"):
        found.update(re.findall(r"^tombolo-([a-z][a-z0-9_-]*)\.", path.name))
    return sorted(found)


def well_kept(kept):
    """Whether this is what a grid keeps, so that nothing of it is missing or of another kind."""
    kinds = {"name": str, "description": str, "path": str, "boot": str, "since": (int, float), "shaper": str,
             "links": dict, "cpu": dict, "up": bool}
    return (
        isinstance(kept, dict)
        and all(isinstance(kept.get(name), kind) for name, kind in kinds.items())
        and isinstance(kept.get("groups", ""), str)
        and isinstance(kept.get("programs", []), list)
        and all(isinstance(program, list) and len(program) == 2 and isinstance(program[0], int)
                for program in kept.get("programs", []))
        and all(share is None or isinstance(share, (int, float)) for share in kept["cpu"].values())
    )


class Grid:
    def __init__(self, name):
        if not NAME.fullmatch(name):
            raise Refused(f"--name '{name}' cannot name a grid", "use up to 32 small letters, digits, hyphens and "
                          "underscores, a letter first")
        self.name = name
        self.folder = FOLDER / name
        self.fabric = self.prefix + "fabric"
        self.manage = self.prefix + "manage"
        self.kept = {}  # what grid.json holds
        self.description = None

    @property
    def prefix(self):
        return f"tombolo-{self.name}."

    def namespace(self, host):
        return self.prefix + host.name

    def namespaces(self):
        """Those that are there, whatever a description says."""
        return sorted(path.name for path in kernel.NAMESPACES.glob(self.prefix + "*"))

    # --- what is kept ------------------------------------------------------------------------------------------------

    def keep(self, **changes):
        """Adds to grid.json, which is there at all times and whole."""
        self.kept.update(changes)
        beside = self.folder / "grid.json.new"
        beside.write_text(json.dumps(self.kept, indent=1) + "\n")
        beside.rename(self.folder / "grid.json")

    def load(self):
        """Reads what is kept; returns whether the grid is up and this is still the machine's same run."""
        try:
            kept = json.loads((self.folder / "grid.json").read_text())
            if not well_kept(kept):
                return False
            self.kept = kept
            self.description = description.load(self.folder / "description.toml")
            self.links()
        except (OSError, ValueError, TypeError, RecursionError, Refused):
            return False  # it was killed while it began, or somebody has written there
        self.description = replace(self.description, name=self.kept["description"])
        return self.kept.get("up", False) and self.kept["boot"] == kernel.boot_id()

    def require(self):
        """Loads a grid that must be up."""
        if not self.load():
            others = [name for name in names_of_all() if Grid(name).load()]
            remedy = f"--name one of {', '.join(others)}" if others else f"`{GRID} up grid4x4` makes one"
            stale = self.kept and self.kept.get("boot") != kernel.boot_id()
            why = "was up before this machine was started again" if stale else "is not up"
            raise Refused(f"the grid '{self.name}' {why}", remedy)
        return self

    def begin(self, loaded, path, shaper):
        """The first of what is kept, before anything else is made."""
        self.description = loaded
        self.folder.mkdir(parents=True)
        self.keep(name=self.name, description=loaded.name, path=str(path), boot=kernel.boot_id(), since=time.time(),
                  shaper=shaper, links={}, cpu={}, up=False)

    @property
    def going(self):
        """A file that is there from when the grid begins to be taken down."""
        return self.folder / "going"

    @property
    def cache(self):
        """Where Tombolo keeps what it discovers on this grid."""
        return self.folder / "cache"

    def forget_discoveries(self):
        """Called when what they found has been changed."""
        shutil.rmtree(self.cache, ignore_errors=True)

    # --- links and shares as they are now ----------------------------------------------------------------------------

    def links(self):
        """By pairs of sites: as described, but for what `scripts/grid link` has changed."""
        links = dict(self.description.links)
        for key, values in self.kept["links"].items():
            i, j = map(int, key.split("-"))
            links[i, j] = description.Link(**values)
        return links

    def keep_link(self, i, j, link):
        self.keep(links={**self.kept["links"], f"{i}-{j}": vars(link)})
        self.forget_discoveries()

    def share(self, host):
        return self.kept["cpu"].get(host.name, host.cpu)

    def keep_share(self, host, share):
        self.keep(cpu={**self.kept["cpu"], host.name: share})
        self.forget_discoveries()

    # --- cgroups -----------------------------------------------------------------------------------------------------

    def group_of(self, host):
        """The folder of a host's cgroup; None where there are no cgroups."""
        return Path(self.kept["groups"], host.name) if self.kept.get("groups") else None

    def group_folders(self):
        """Of all its cgroups, whatever a description says, the one that holds the others last."""
        name = f"tombolo-grid-{self.name}"
        tops = {Path(self.kept["groups"])} if self.kept.get("groups") else set()
        said = (Path("/proc/self", file).read_text() for file in ("mountinfo", "cgroup"))
        for _, top, folder in quotas.own_folders(*said):
            tops.update(parent / name for parent in (folder, *folder.parents) if parent.is_relative_to(top))
        return [folder for top in sorted(tops) if top.is_dir()
                for folder in (*(each for each in top.iterdir() if each.is_dir()), top)]

    # --- processes ---------------------------------------------------------------------------------------------------

    def processes(self):
        """Ids of the processes in its namespaces and cgroups."""
        inodes = {kernel.inode_of_namespace(name) for name in self.namespaces()} - {None}
        found = set(kernel.processes_in(inodes))
        for folder in self.group_folders():
            found.update(quotas.processes(folder))
        return found - {os.getpid()}

    def processes_by_host(self):
        """The processes of each host, by its name."""
        names = {kernel.inode_of_namespace(self.namespace(host)): host.name for host in self.description.hosts}
        found = {host.name: set() for host in self.description.hosts}
        for process, inode in kernel.processes_in(set(names) - {None}).items():
            found[names[inode]].add(process)
        for host in self.description.hosts:
            group = self.group_of(host)
            found[host.name].update(quotas.processes(group) if group else ())
        return found
