"""Measurements between hosts of a grid: one process with sockets in the hosts' namespaces, so one clock serves both
ends, and what sends never waits for what receives to get a core."""

import math
import os
import select
import socket
import statistics
import struct
import time
from contextlib import contextmanager
from dataclasses import dataclass, field

from emulation import kernel
from emulation.addresses import address

SO_SNDBUFFORCE = 32  # asm-generic/socket.h; without the limit of net.core.wmem_max
BLOCK = 1 << 18
FRAME = 1514
LEAST_SPAN, MOST_SPAN = 0.25, 2.0  # seconds in which bytes are counted
LEAST_FRAMES = 200  # in them, if there is time
PATIENCE = 2.0  # seconds that it may take longer until something is counted


@contextmanager
def inside(namespace):
    """What this thread opens meanwhile, it opens in that network namespace."""
    own = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    there = os.open(kernel.NAMESPACES / namespace, os.O_RDONLY)
    try:
        kernel.check(kernel.libc.setns(there, kernel.CLONE_NEWNET))
        yield
    finally:
        kernel.check(kernel.libc.setns(own, kernel.CLONE_NEWNET))
        os.close(there)
        os.close(own)


def open_socket(grid, host, kind):
    """A socket of that host, with an address."""
    with inside(grid.namespace(host)):
        opened = socket.socket(socket.AF_INET, kind)
    opened.bind((address(host), 0))
    return opened


def delays(grid, here, there, times, patience):
    """Median seconds of a small datagram, there and back; infinity where none arrives within `patience`.

    The first of each way is not counted."""
    with open_socket(grid, here, socket.SOCK_DGRAM) as one, open_socket(grid, there, socket.SOCK_DGRAM) as other:
        ways = ((one, other), (other, one))
        for source, target in ways:
            source.connect(target.getsockname())
            source.settimeout(patience)
        found = ([], [])
        for number in range(times + 1):
            for way, (source, target) in enumerate(ways):
                if math.inf in found[way]:
                    continue  # nothing gets through
                taken = one_way(source, target, number)
                if number > 0 or taken == math.inf:
                    found[way].append(taken)
    return tuple(statistics.median(each) for each in found)


def one_way(source, target, number):
    mark = b"%d" % number
    began = time.monotonic()
    try:
        source.send(mark)
        while target.recv(64) != mark:
            pass  # one that was believed lost
        return time.monotonic() - began
    except OSError:  # it takes too long, or there is no way at all
        return math.inf


@dataclass
class Stream:
    """One direction between two hosts, as described: bytes per second, seconds there and back, bytes that may queue."""

    here: object
    there: object
    rate: float
    round_trip: float
    queue: float
    sender: object = None
    receiver: object = None
    counted: list = field(default_factory=list)  # (when, bytes until then), of the span

    def span(self):
        return min(max(LEAST_SPAN, LEAST_FRAMES * FRAME / self.rate), MOST_SPAN)

    def begin(self):
        """Seconds in which TCP gets up to speed: it doubles what is under way each round trip."""
        return 0.05 + 8 * self.round_trip

    def connect(self, grid):
        with open_socket(grid, self.there, socket.SOCK_STREAM) as listening:
            listening.listen(1)
            self.sender = open_socket(grid, self.here, socket.SOCK_STREAM)
            # Enough to fill the link and half of its queue, so that nothing is lost; the kernel takes twice the number
            # for data with what it keeps about them.
            wanted = int(0.6 * (self.rate * self.round_trip + self.queue / 2))
            self.sender.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, max(wanted, 3 * FRAME))
            leave_nothing = struct.pack("ii", 1, 0)
            self.sender.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, leave_nothing)
            patience = 1.5 + 4 * self.round_trip  # of which the first second may be a lost frame's
            self.sender.settimeout(patience)
            self.sender.connect(listening.getsockname())
            listening.settimeout(patience)
            self.receiver = listening.accept()[0]
        self.sender.setblocking(False)
        self.receiver.setblocking(False)

    def close(self):
        for each in self.sender, self.receiver:
            if each is not None:
                each.close()

    def lacks(self):
        return len(self.counted) < 2

    def measured(self):
        """Bytes per second that arrived; 0 if next to none did."""
        if self.lacks():
            return 0
        (first, before), (last, after) = self.counted[0], self.counted[-1]
        return (after - before) / (last - first)


def rates(grid, streams):
    """Bytes per second that each stream carries while all of them do."""
    try:
        for stream in streams:
            try:
                stream.connect(grid)
            except OSError:
                pass  # nothing gets through
        pump([stream for stream in streams if stream.receiver is not None])
        return [stream.measured() for stream in streams]
    finally:
        for stream in streams:
            stream.close()


def pump(streams):
    """Sends as fast as it goes, and counts what arrives in each stream's span."""
    poll, began = select.epoll(), time.monotonic()
    received = dict.fromkeys(range(len(streams)), 0)
    ends = {}
    for number, stream in enumerate(streams):
        ends[stream.sender.fileno()] = ends[stream.receiver.fileno()] = (number, stream)
        poll.register(stream.sender, select.EPOLLOUT)
        poll.register(stream.receiver, select.EPOLLIN)
    zeros, space = bytes(BLOCK), bytearray(4 * BLOCK)
    over = began + max((stream.begin() + stream.span() for stream in streams), default=0)
    while (now := time.monotonic()) < over or (now < over + PATIENCE and any(map(Stream.lacks, streams))):
        for file, _ in poll.poll(max(over - now, 0.01)):
            number, stream = ends[file]
            try:
                if file == stream.sender.fileno():
                    stream.sender.send(zeros)
                    continue
                received[number] += stream.receiver.recv_into(space)
            except BlockingIOError:
                continue
            except OSError:
                poll.unregister(file)
                continue
            since = time.monotonic() - began - stream.begin()
            if 0 <= since <= stream.span() or (since > 0 and stream.lacks()):
                stream.counted.append((since, received[number]))
    poll.close()
