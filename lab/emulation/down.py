"""Takes a grid away, all that is left of it, however it came to be left."""

import shutil

from emulation import quotas
from emulation import kernel
from emulation.grid import only_one
from emulation.processes import end, end_all
from ending import Refused


def take_down(grid):
    """Removes whatever there is; returns (whether there was anything, how many processes it ended)."""
    with only_one():
        return remove(grid)


def remove(grid):
    """The same, by who holds the lock."""
    grid.load()  # as far as it goes; names are enough
    there = grid.folder.exists()
    if there:
        grid.going.touch()
    if grid.kept.get("boot") == kernel.boot_id():
        end(grid.kept.get("programs", []))
    ended = end_all(grid.processes)
    for folder in grid.group_folders():
        there = True
        remove_group(folder)
    for name in grid.namespaces():
        there |= kernel.remove_namespace(name)
    try:
        kernel.NAMESPACES.rmdir()
    except OSError:
        pass  # others have namespaces, or ip has mounted it
    for left in [each for each in grid.folder.glob("*") if each != grid.going]:
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink(missing_ok=True)
    shutil.rmtree(grid.folder, ignore_errors=True)  # at last what tells runs that the grid is going
    return there, ended


def remove_group(folder):
    try:
        quotas.remove(folder)
    except OSError as error:
        raise Refused(f"cannot remove {folder}: {error.strerror}", "see what is in it, and try again") from None
