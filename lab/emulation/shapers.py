"""What delays and shapes frames between sites: the relay, or the kernel's netem."""

from emulation.netem import Netem
from ending import Refused
from emulation.relay import TUN, Relay

NAMES = ("relay", "netem")


def default():
    if TUN.exists():
        return "relay"
    if Netem.available():
        return "netem"
    raise Refused(f"there is neither {TUN} nor netem in this kernel", "load the module tun or sch_netem")


def of(grid):
    """The shaper of a grid, by the name that is kept."""
    return {"relay": Relay, "netem": Netem}[grid.kept["shaper"]](grid)
