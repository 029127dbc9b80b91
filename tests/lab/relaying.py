"""Two hosts of two sites with tombolo-relay between them, in network namespaces that go with the test: each site's TAP
is its only host's network card."""

import contextlib
import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

RELAY = Path(os.environ.get("TOMBOLO_BIN", Path(__file__).resolve().parents[2] / "build/release/bin")) / "tombolo-relay"
SECONDS = 60  # for anything that should never take so long
CLONE_NEWNET = 0x40000000
PORT = 5000


def why_not():
    """Why this machine has none of this, in one line; nothing where it has."""
    if os.geteuid() != 0:
        return "network namespaces and TAPs take root"
    try:
        os.close(os.open("/dev/net/tun", os.O_RDWR))
    except OSError as error:
        return f"no TUN here: {error}"
    try:
        done = subprocess.run(["unshare", "--net", "ip", "link", "set", "lo", "up"], capture_output=True, text=True)
    except OSError as error:
        return str(error)
    return f"no network namespaces here: {done.stderr.strip()}" if done.returncode else None


def address(site):
    return f"10.77.{site}.1"


def card(site):
    return f"02:4d:00:00:{site:02x}:01"


def gateway_card(site):
    return f"02:4d:00:00:{site:02x}:fe"


def link(origin, target, delay_us=0, rate_mbit=0, queue_ms=100):
    return {"from": origin, "to": target, "delay_us": delay_us, "rate_mbit": rate_mbit, "queue_ms": queue_ms}


class Namespace:
    """A network namespace, held by a process of its own that ends with this one."""

    def __init__(self):
        self.held = subprocess.Popen(["unshare", "--net", "cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        self.path = f"/proc/{self.held.pid}/ns/net"
        while os.readlink(self.path) == os.readlink("/proc/self/ns/net") and self.held.poll() is None:
            time.sleep(0.001)

    def command(self, *arguments):
        return ["nsenter", f"--net={self.path}", *map(str, arguments)]

    def run(self, *arguments):
        subprocess.run(self.command(*arguments), check=True, timeout=SECONDS)

    def do(self, what, *arguments):
        """In a thread of this process that is in the namespace; returns what it does."""
        results = []

        def enter():
            with open(self.path, "rb") as namespace:
                if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET) != 0:
                    raise OSError(ctypes.get_errno(), "setns")
            results.append(what(*arguments))

        thread = threading.Thread(target=enter)
        thread.start()
        thread.join()
        return results[0]

    def socket(self, kind):
        made = self.do(socket.socket, socket.AF_INET, kind)
        made.settimeout(SECONDS)
        return made

    def close(self):
        self.held.stdin.close()
        self.held.wait(SECONDS)


class Relayed:
    """The hosts are `hosts[0]` and `hosts[1]`."""

    def __init__(self, *links, up_mbit=0, down_mbit=0):
        self.stack = contextlib.ExitStack()
        with contextlib.ExitStack() as making:
            self.folder = Path(making.enter_context(tempfile.TemporaryDirectory()))
            self.control = self.folder / "control"
            self.fabric, *self.hosts = (making.enter_context(contextlib.closing(Namespace())) for _ in range(3))
            settings = {
                "sites": [{"tap": f"wan{site}", "mac": gateway_card(site), "up_mbit": up_mbit, "down_mbit": down_mbit}
                          for site in (0, 1)],
                "hosts": [{"site": site, "address": address(site), "mac": card(site)} for site in (0, 1)],
                "links": list(links),
            }
            (self.folder / "settings.json").write_text(json.dumps(settings))
            self.process = subprocess.Popen(
                self.fabric.command("setpriv", "--pdeathsig", "TERM", RELAY, self.folder / "settings.json", "--control",
                                    self.control),
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            making.callback(self.end)
            self.said = self.process.stdout.readline()
            for site in (0, 1):
                self.add_host(site)
            self.stack = making.pop_all()

    def add_host(self, site):
        host, tap = self.hosts[site], f"wan{site}"
        self.fabric.run("ip", "link", "set", tap, "netns", host.held.pid)
        host.run("sh", "-c", "echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6")
        host.run("ip", "link", "set", tap, "address", card(site), "up")
        host.run("ip", "addr", "add", f"{address(site)}/24", "dev", tap)
        host.run("ip", "route", "add", "10.77.0.0/16", "via", f"10.77.{site}.254")
        host.run("ip", "neigh", "replace", f"10.77.{site}.254", "lladdr", gateway_card(site), "dev", tap, "nud",
                 "permanent")

    def ask(self, request):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.control))
            connection.sendall((request if isinstance(request, str) else json.dumps(request)).encode() + b"\n")
            return json.loads(connection.makefile().readline())

    def end(self, number=signal.SIGTERM):
        """Returns the exit status and what it complained about."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        complaints = self.process.communicate(timeout=SECONDS)[1]
        return self.process.returncode, complaints

    def round_trips(self, times, bytes_each=64, pause=0.002):
        """Seconds of each, in order: a datagram there and back."""
        taken = []
        with self.hosts[0].socket(socket.SOCK_DGRAM) as asks, self.hosts[1].socket(socket.SOCK_DGRAM) as answers:
            answers.bind((address(1), PORT))
            asks.connect((address(1), PORT))
            for _ in range(times):
                begun = time.monotonic()
                asks.send(bytes(bytes_each))
                data, sender = answers.recvfrom(65536)
                answers.sendto(data, sender)
                asks.recv(65536)
                taken.append(time.monotonic() - begun)
                time.sleep(pause)
        return taken

    def transfer(self, size):
        """Bytes a second of a TCP stream of so many bytes, from when half a second of it has arrived or a quarter."""
        host_script = ("import socket,sys\ns=socket.create_connection((sys.argv[1],int(sys.argv[2])))\n"
                       "left=int(sys.argv[3])\nblock=bytes(1<<16)\n"
                       "while left:\n    left-=s.send(block[:left])\ns.shutdown(1)\ns.recv(1)")
        with self.hosts[1].socket(socket.SOCK_STREAM) as listening:
            listening.bind((address(1), PORT))
            listening.listen()
            sender = subprocess.Popen(
                self.hosts[0].command(sys.executable, "-c", host_script, address(1), PORT, size))
            connection = listening.accept()[0]
            with connection:
                connection.settimeout(SECONDS)
                got, counted, begun = 0, 0, None
                while True:
                    some = len(connection.recv(1 << 18))
                    if some == 0:
                        break
                    got += some
                    if begun is not None:
                        counted += some
                    elif got >= size // 4:
                        begun = time.monotonic()
                ended = time.monotonic()
            sender.wait(SECONDS)
        assert got == size, (got, size)
        return counted / (ended - begun)

    def close(self):
        self.stack.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
