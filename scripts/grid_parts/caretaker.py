"""A process that outlives this one, however it ends, and takes the grid down if it was not told to let it be."""

import os
import signal

from grid_parts.down import take_down
from grid_parts.grid import Grid

KEEP = b"k"


class Caretaker:
    """Starts one for a grid; without keep() the grid goes when this process does, or calls end()."""

    def __init__(self, grid, locked=None):
        watched, self.held = os.pipe()
        self.process = os.fork()
        if self.process:
            os.close(watched)
            return
        try:
            self.watch(grid, watched, locked)
        finally:
            os._exit(0)

    def watch(self, grid, watched, locked):
        """What the other process does, and nothing else of this program."""
        os.close(self.held)
        if locked is not None:
            os.close(locked)  # what only the one that makes the grid holds
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        if os.read(watched, 1) != KEEP:  # returns when nobody holds the other end any more
            take_down(Grid(grid.name))

    def keep(self):
        os.write(self.held, KEEP)
        self.end()

    def end(self):
        """Returns when the grid is gone, or is to stay."""
        os.close(self.held)
        os.waitpid(self.process, 0)
