"""A process that outlives this one, however it ends, and then takes away what it made."""

import os
import signal

KEEP = b"k"


class Caretaker:
    """Starts one. `take_away` is called when this process ends or calls end(), unless it called keep(); `not_held` is a
    descriptor that only this process is to hold."""

    def __init__(self, take_away, not_held=None):
        watched, self.held = os.pipe()
        self.process = os.fork()
        if self.process:
            os.close(watched)
            return
        try:
            self.watch(take_away, watched, not_held)
        finally:
            os._exit(0)

    def watch(self, take_away, watched, not_held):
        """What the other process does, and nothing else of this program."""
        os.close(self.held)
        if not_held is not None:
            os.close(not_held)
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        if os.read(watched, 1) != KEEP:  # returns when nobody holds the other end any more
            take_away()

    def keep(self):
        os.write(self.held, KEEP)
        self.end()

    def end(self):
        """Returns when it is gone, or is to stay."""
        os.close(self.held)
        os.waitpid(self.process, 0)
