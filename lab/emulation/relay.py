"""Links between sites by our own relay in user space (grid/): a TAP on each site's bridge, and a program that holds
frames back."""

import json
import os
import select
import socket
import subprocess
import time
from pathlib import Path

from emulation import kernel
from emulation.addresses import address, gateway_mac, mac
from emulation.build import bridge
from emulation.description import Link
from emulation.processes import batch
from ending import Refused
from places import MANUAL, RELAY, REPAIR

TUN = Path("/dev/net/tun")
PATIENCE = 10  # seconds
LAN_QUEUE_MS = 50  # a site's inner latency needs no queue, as hosts' own links have one


def program():
    """The relay that TOMBOLO_RELAY names, else the one that belongs to these scripts."""
    path = Path(os.environ.get("TOMBOLO_RELAY") or RELAY)
    if path.is_file() and os.access(path, os.X_OK):
        return path.resolve()
    raise Refused(f"there is no tombolo-relay at {path}", REPAIR)


def delayed_inside(description):
    """Sites whose LAN has a latency of its own."""
    return {number for number, site in enumerate(description.sites) if site.lan.latency_us > 0}


def in_relays_words(i, j, link):
    return {"from": i, "to": j, "delay_us": link.delay_ms * 1000, "rate_mbit": link.rate_mbit,
            "queue_ms": link.queue_ms}


class Relay:
    def __init__(self, grid):
        self.grid = grid

    @property
    def control(self):
        return self.grid.folder / "relay.sock"

    def through_gateway(self):
        """Sites within which frames take the gateway, too."""
        return delayed_inside(self.grid.description)

    def settings(self):
        described = self.grid.description
        sites = [{"tap": f"wan{number}", "mac": gateway_mac(number), "up_mbit": site.up_mbit,
                  "down_mbit": site.down_mbit} for number, site in enumerate(described.sites)]
        hosts = [{"site": host.site, "address": address(host), "mac": mac(host)} for host in described.hosts]
        links = [in_relays_words(*pair, link) for pair, link in self.grid.links().items()]
        for site in sorted(delayed_inside(described)):
            inner = Link(described.sites[site].lan.latency_us / 1000, 0, LAN_QUEUE_MS)
            links.append(in_relays_words(site, site, inner))
        return {"sites": sites, "hosts": hosts, "links": links}

    def start(self):
        if not TUN.exists():
            raise Refused(f"there is no {TUN}", "load the module tun, or use `--shaper netem`")
        relay = program()
        sites = range(len(self.grid.description.sites))
        taps = []
        for site in sites:
            taps += [f"tuntap add dev wan{site} mode tap",
                     f"link set wan{site} master {bridge(site)} txqueuelen 2000 up",
                     f"link set wan{site} type bridge_slave learning off flood off"]
        batch("ip", self.grid.fabric, taps)
        batch("bridge", self.grid.fabric,
              [f"fdb replace {gateway_mac(site)} dev wan{site} master static" for site in sites])
        settings = self.grid.folder / "relay.json"
        settings.write_text(json.dumps(self.settings()))
        with open(self.grid.folder / "relay.log", "wb") as log:
            started = subprocess.Popen([relay, settings, "--control", self.control], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=log, start_new_session=True, cwd="/",
                                       preexec_fn=lambda: kernel.enter(self.grid.fabric))
        self.grid.keep(programs=[[started.pid, kernel.start_time(started.pid)]])
        self.wait_for(started)

    def wait_for(self, started):
        ready, _, _ = select.select([started.stdout], [], [], PATIENCE)
        line = started.stdout.readline() if ready else b""
        if line.strip() != b"ready":
            started.kill()
            said = (self.grid.folder / "relay.log").read_text(errors="replace").strip().splitlines()
            raise Refused(f"the relay does not start{': ' + said[0] if said else ''}", f"see {MANUAL}")

    def running(self):
        return any(kernel.start_time(process) == began for process, began in self.grid.kept.get("programs", []))

    def ask(self, question):
        """One line to the relay, one back."""
        try:
            with socket.socket(socket.AF_UNIX) as line:
                line.settimeout(PATIENCE)
                line.connect(str(self.control))
                line.sendall(json.dumps(question).encode() + b"\n")
                answer = json.loads(line.makefile().readline() or "{}")
        except (OSError, json.JSONDecodeError) as error:
            raise Refused(f"the relay of '{self.grid.name}' does not answer ({error})",
                          "take the grid down and up again") from None
        if "error" in answer:
            raise Refused(f"the relay says '{answer['error']}'", f"see {MANUAL}")
        return answer

    def set_link(self, i, j, link):
        self.ask({"set": in_relays_words(i, j, link)})

    def statistics(self):
        return self.ask({"statistics": True})

    def stop(self):
        """Asks it to end; what does not is ended with the grid."""
        for process, began in self.grid.kept.get("programs", []):
            if kernel.start_time(process) == began:
                os.kill(process, 15)
                limit = time.monotonic() + PATIENCE
                while kernel.start_time(process) == began and time.monotonic() < limit:
                    time.sleep(0.01)
