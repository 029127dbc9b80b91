"""Other programs, and the processes of a grid."""

import os
import signal
import subprocess
import time

from emulation import kernel
from ending import Refused


def batch(tool, namespace, lines):
    """Hands lines to ip, tc or bridge at once, in a namespace; an error names the line."""
    if not lines:
        return
    command = [tool, "-n", namespace, "-batch", "-"]
    done = subprocess.run(command, input="".join(f"{line}\n" for line in lines), text=True, capture_output=True,
                          preexec_fn=kernel.die_with_parent)
    if done.returncode != 0:
        said = (done.stderr.strip() or f"status {done.returncode}").splitlines()
        where = next((line for line in said if line.startswith("Command failed -:")), "")
        number = where.rpartition(":")[2]
        line = f", in '{lines[int(number) - 1]}'" if number.isdigit() and int(number) <= len(lines) else ""
        raise Refused(f"{tool} says '{said[0]}'{line}", "see whether this kernel has veth, bridge, TUN and tbf")


def end(processes, seconds=5.0):
    """Ends processes, pairs of an id and its start time, and waits until they are gone; returns how many there were."""
    left = [each for each in processes if kernel.start_time(each[0]) == each[1] and each[1] is not None]
    count = len(left)
    for process, _ in left:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    limit = time.monotonic() + seconds
    while left and time.monotonic() < limit:
        left = [each for each in left if kernel.start_time(each[0]) == each[1]]
        if left:
            time.sleep(0.005)
    return count


def end_all(find, rounds=20):
    """Ends what find() finds until it finds nothing, for what is ended may have started more; returns how many."""
    count = 0
    for _ in range(rounds):
        found = [(process, kernel.start_time(process)) for process in find()]
        if not any(began is not None for _, began in found):
            break
        count += end(found)
    return count
