"""The library that lets waiting ranks sleep: busy loops wait in the kernel, all else is as it was. Python's poll and
epoll are those of libc, so it takes no MPI."""

import os
import subprocess
import sys
import unittest

LIBRARY = os.environ["TOMBOLO_WAIT_IN_KERNEL"]
SECONDS = 60
COMMON = """
import os, resource, select, sys, threading, time
reading, writing = os.pipe()
watched = select.epoll() if sys.argv[1] == "epoll" else select.poll()
watched.register(reading, select.POLLIN)
def waits(): return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
begun, used, waited = time.monotonic(), time.process_time(), waits()
"""
LOOP = "for _ in range(100): assert watched.poll(0) == []\n"
LOOKS_IN = """
for _ in range(100):
    until = time.monotonic() + 0.0002
    while time.monotonic() < until: pass
    assert watched.poll(0) == []
"""
EVENT = """
threading.Timer(0.1, lambda: os.write(writing, b"x")).start()
while not watched.poll(0): pass
assert [event for _, event in watched.poll(0)] == [select.POLLIN]
"""
BLOCKS = "assert watched.poll(0.05 if sys.argv[1] == 'epoll' else 50) == []\n"
REPORT = "print(time.monotonic() - begun, time.process_time() - used, waits() - waited)\n"


def run(kind, program):
    """Seconds that a loop took, of them on a processor, and how often it has given that away."""
    done = subprocess.run([sys.executable, "-c", COMMON + program + REPORT, kind], capture_output=True, text=True,
                          timeout=SECONDS, env=dict(os.environ, LD_PRELOAD=LIBRARY))
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return tuple(map(float, done.stdout.split()))


class WaitInKernel(unittest.TestCase):
    def each_kind(self):
        for kind in ("poll", "epoll"):
            with self.subTest(kind=kind):
                yield kind

    def test_a_busy_loop_waits(self):
        for kind in self.each_kind():
            # Of 98 waits. Who else runs may look like work between the calls, so the quietest of some runs counts.
            taken, used, waits = max((run(kind, LOOP) for _ in range(5)), key=lambda times: times[2])
            self.assertGreater(waits, 40)
            self.assertGreater(taken, waits * 0.0015)
            self.assertLess(used, taken / 2)

    def test_who_only_looks_in_does_not_wait(self):
        for kind in self.each_kind():
            _, _, waits = run(kind, LOOKS_IN)
            self.assertLess(waits, 10)

    def test_an_event_ends_the_wait(self):
        for kind in self.each_kind():
            taken, used, _ = run(kind, EVENT)
            self.assertGreater(taken, 0.099)
            self.assertLess(used, taken / 2)

    def test_calls_that_wait_by_themselves_are_untouched(self):
        for kind in self.each_kind():
            taken, _, _ = run(kind, BLOCKS)
            self.assertGreater(taken, 0.049)
