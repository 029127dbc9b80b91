"""Links between sites by the kernel's own netem, where it has that: each site's gateway is a router, whose way into a
site delays and shapes frames by where they come from."""

import json
import math
import os
import subprocess
from pathlib import Path

from emulation import kernel
from emulation.addresses import address, gateway, gateway_mac, mac, subnet
from emulation.build import bridge
from emulation.description import Link
from emulation.probes import inside
from emulation.processes import batch
from ending import Refused

NO_LIMIT, NO_BURST = "10gbit", 1000000  # more than one machine's cores carry, and no waiting for a timer
SPLITTING = "100gbit"  # what only splits must not wait for a timer either
LEAST = "8kbit"  # that a class has for itself; what it gets beyond is borrowed, so that all together keep to a limit
FRAME = 1514
ONE_FRAME = 1600  # a burst that splits what the kernel has joined, or a link would carry it in one lump
LEAST_QUEUE = 100  # frames
LAN_QUEUE_MS = 50


def rate(mbit):
    return f"{round(mbit * 1e6)}bit" if mbit > 0 else NO_LIMIT


def shared(mbit):
    """What several links have together; the burst makes up for timers that are late, mostly: htb is less exact
    than netem, and where timers are very late such a limit is up to a fifth lower than described."""
    burst = max(5 * FRAME, round(mbit * 250)) if mbit > 0 else NO_BURST
    return f"rate {rate(mbit)} quantum {ONE_FRAME} burst {burst} cburst {burst}"


def frames(link):
    """That are under way or wait, when the link is busy and its queue full: netem counts frames of whatever size."""
    bits = (link.rate_mbit or 1000) * 1e3 * (link.delay_ms + link.queue_ms)
    return max(math.ceil(bits / 8 / FRAME), LEAST_QUEUE)


class Netem:
    """The gateway of site s is the device wan<s>; its other end, gw<s>, is a port of the site's bridge."""

    def __init__(self, grid):
        self.grid = grid

    @staticmethod
    def available():
        """Tries in a namespace that is gone at once."""
        child = os.fork()
        if child == 0:
            status = 1
            try:
                kernel.check(kernel.libc.unshare(kernel.CLONE_NEWNET))
                lines = ["qdisc add dev lo root handle 1: htb", f"class add dev lo classid 1:1 htb rate {NO_LIMIT}",
                         "qdisc add dev lo parent 1:1 netem delay 1ms rate 1mbit",
                         "filter add dev lo parent 1: protocol ip u32 match ip src 10.77.0.0/24 classid 1:1"]
                done = subprocess.run(["tc", "-batch", "-"], input="\n".join(lines), text=True, capture_output=True,
                                      preexec_fn=kernel.die_with_parent)
                status = done.returncode
            except OSError:
                pass
            finally:
                os._exit(min(status, 1))
        return os.waitpid(child, 0)[1] == 0

    def through_gateway(self):
        """Sites within which frames take the gateway, too."""
        return {number for number, site in enumerate(self.grid.description.sites) if site.lan.latency_us > 0}

    def start(self):
        if not self.available():
            raise Refused("this kernel has no netem, htb or u32",
                          "use `--shaper relay`, or load sch_netem, sch_htb and cls_u32")
        sites = self.grid.description.sites
        with inside(self.grid.fabric):
            self.make_routers(sites)
        self.make_gateways(sites)
        links = self.grid.links()
        for there in range(len(sites)):
            lines = self.tree(there, sites[there].down_mbit)
            here = [i for i in range(len(sites)) if i != there or there in self.through_gateway()]
            for i in here:
                lines += self.entry(i, there, links[i, there] if i != there else self.inner(sites[i].lan))
            batch("tc", self.grid.fabric, lines)
        for number, site in enumerate(sites):
            if site.up_mbit > 0:
                batch("tc", self.grid.fabric, self.uplink(number, site.up_mbit, links))

    def make_routers(self, sites):
        """Called in the fabric's namespace, which hosts' addresses are not in."""
        settings = Path("/proc/sys/net/ipv4")
        for name in "all", "default":
            (settings / "conf" / name / "send_redirects").write_text("0")  # inside a site frames come back on their way
            (settings / "conf" / name / "rp_filter").write_text("0")
        (settings / "ip_forward").write_text("1")

    def make_gateways(self, sites):
        lines, known = [], []
        for number in range(len(sites)):
            lines += [f"link add gw{number} type veth peer name wan{number} address {gateway_mac(number)}",
                      f"link set gw{number} master {bridge(number)} txqueuelen 2000 up",
                      f"link set gw{number} type bridge_slave learning off flood off",
                      f"link set wan{number} txqueuelen 2000 up", f"addr add {gateway(number)}/24 dev wan{number}"]
            known.append(f"fdb replace {gateway_mac(number)} dev gw{number} master static")
        for host in self.grid.description.hosts:
            lines.append(f"neigh replace {address(host)} lladdr {mac(host)} dev wan{host.site} nud permanent")
        batch("ip", self.grid.fabric, lines)
        batch("bridge", self.grid.fabric, known)

    @staticmethod
    def inner(lan):
        return Link(lan.latency_us / 1000, 0, LAN_QUEUE_MS)

    @staticmethod
    def tree(site, down_mbit):
        """What all frames into a site share. Class 1:1 holds those of other sites, 1:2 those of its own."""
        device = f"wan{site}"
        return [f"qdisc add dev {device} root handle 1: htb",
                f"class add dev {device} parent 1: classid 1:1 htb {shared(down_mbit)}",
                f"class add dev {device} parent 1: classid 1:2 htb {shared(0)}"]

    @staticmethod
    def entry(here, there, link):
        """A class for frames from one site: in it what splits them, in that the link."""
        device, number, above = f"wan{there}", f"{here + 0x100:x}", 2 if here == there else 1
        return [f"class add dev {device} parent 1:{above} classid 1:{number} htb rate {LEAST} ceil {NO_LIMIT} "
                f"burst {ONE_FRAME} cburst {NO_BURST} quantum {ONE_FRAME}",
                f"qdisc add dev {device} parent 1:{number} handle {here + 0x1000:x}: tbf rate {SPLITTING} "
                f"burst {ONE_FRAME} limit 1000000",
                f"qdisc add dev {device} parent {here + 0x1000:x}:1 handle {here + 0x2000:x}: {netem(link)}",
                f"filter add dev {device} parent 1: protocol ip u32 match ip src {subnet(here)} classid 1:{number}"]

    @staticmethod
    def uplink(site, up_mbit, links):
        """What all frames out of a site share; those that come back into it take none of it."""
        device = f"gw{site}"
        queue_ms = max((link.queue_ms for (i, _), link in links.items() if i == site), default=LAN_QUEUE_MS)
        return [f"qdisc add dev {device} root handle 1: htb default 1",
                f"class add dev {device} parent 1: classid 1:1 htb {shared(up_mbit)}",
                f"qdisc add dev {device} parent 1:1 bfifo limit {max(round(up_mbit * queue_ms * 125), 2 * FRAME)}",
                f"class add dev {device} parent 1: classid 1:2 htb {shared(0)}",
                f"filter add dev {device} parent 1: protocol ip u32 match ip dst {subnet(site)} classid 1:2"]

    def set_link(self, i, j, link):
        line = f"qdisc change dev wan{j} parent {i + 0x1000:x}:1 handle {i + 0x2000:x}: {netem(link)}"
        batch("tc", self.grid.fabric, [line])

    def running(self):
        return kernel.inode_of_namespace(self.grid.fabric) is not None

    def statistics(self):
        """Of each link what the kernel counted, in the relay's words."""
        links = []
        for there in range(len(self.grid.description.sites)):
            command = ["tc", "-n", self.grid.fabric, "-s", "-j", "qdisc", "show", "dev", f"wan{there}"]
            for each in json.loads(subprocess.run(command, check=True, capture_output=True).stdout):
                if each["kind"] == "netem":
                    links.append({"from": int(each["handle"][:-1], 16) - 0x2000, "to": there,
                                  "frames": each["packets"], "bytes": each["bytes"], "dropped": each["drops"]})
        return {"links": sorted(links, key=lambda link: (link["from"], link["to"]))}

    def stop(self):
        """Goes with the namespace."""


def netem(link):
    shaped = f" rate {rate(link.rate_mbit)}" if link.rate_mbit > 0 else ""
    return f"netem delay {round(link.delay_ms * 1000)}us{shaped} limit {frames(link)}"
