"""tombolo-relay between two network namespaces: delays, rates and drops as set, and what it says when it cannot."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import relaying
from relaying import RELAY, SECONDS, link

WHY_NOT = relaying.why_not()
if WHY_NOT:
    print(f"skipped: {WHY_NOT}", file=sys.stderr)  # where ctest and scripts/test find it
PAYLOAD = 1448 / 1514  # of a full frame


@unittest.skipIf(WHY_NOT, WHY_NOT)
class Relayed(unittest.TestCase):
    def relay(self, *links, **limits):
        relayed = relaying.Relayed(*links, **limits)
        self.addCleanup(relayed.close)
        self.assertEqual(relayed.said, "ready\n")
        return relayed

    def counts(self, relayed):
        said = relayed.ask({"statistics": True})
        return {(one["from"], one["to"]): one for one in said["links"]}, said

    def assert_reaches_its_rate(self, relayed, size, tries=8):
        """In one of up to so many transfers: other work on the machine disturbs the rest, whose times say nothing then."""
        reached = []
        while not reached or not 0.9 < reached[-1] < 1.02:
            self.assertLess(len(reached), tries, reached)
            reached.append(relayed.transfer(size) / (size * PAYLOAD))

    def test_delays_are_as_set_in_each_direction_and_can_change(self):
        relayed = self.relay(link(0, 1, 3000), link(1, 0, 7000))
        trips = relayed.round_trips(101)
        self.assertGreater(min(trips), 0.0098)
        self.assertLess(min(trips), 0.0110)  # other work on the machine delays most of them, not all
        self.assertEqual(relayed.ask({"set": link(0, 1, 500)}), {"ok": True})
        trips = relayed.round_trips(101)
        self.assertGreater(min(trips), 0.0074)
        self.assertLess(min(trips), 0.0085)
        links, said = self.counts(relayed)
        self.assertEqual(links[0, 1]["frames"], 202)
        self.assertEqual(links[0, 1]["bytes"], 202 * (64 + 42))
        self.assertEqual(links[1, 0]["dropped"], 0)
        self.assertEqual(said["frames_unknown"], 0)
        self.assertGreater(said["cpu_s"], 0)

    def test_rates_are_as_set(self):
        relayed = self.relay(link(0, 1, 1000, 100, 60), link(1, 0, 1000, 100, 60))
        for mbit in (100, 20):
            with self.subTest(mbit=mbit):
                relayed.ask({"set": link(0, 1, 1000, mbit, 60)})
                self.assert_reaches_its_rate(relayed, mbit * 125_000)  # a second's worth each

    def test_what_a_site_shares_is_a_limit_too(self):
        relayed = self.relay(link(0, 1), link(1, 0), up_mbit=40, down_mbit=50)
        self.assert_reaches_its_rate(relayed, 5_000_000)

    def test_a_full_queue_drops_and_tcp_gets_through(self):
        relayed = self.relay(link(0, 1, 2000, 50, 3), link(1, 0, 2000, 50, 3))
        relayed.transfer(3_000_000)
        links, _ = self.counts(relayed)
        self.assertGreater(links[0, 1]["dropped"], 0)

    def test_bad_requests_are_answered_and_do_no_harm(self):
        relayed = self.relay(link(0, 1, 1000), link(1, 0, 1000))
        for request in ("", "nonsense", {"set": link(0, 0)}, {"set": link(0, 1, -1)}, {"halt": True}):
            with self.subTest(request=request):
                self.assertIn("; ", relayed.ask(request)["error"])
        self.assertEqual(len(relayed.round_trips(3)), 3)

    def test_it_ends_when_asked_to_and_leaves_no_socket(self):
        relayed = self.relay(link(0, 1), link(1, 0))
        self.assertEqual(relayed.end(), (0, ""))
        self.assertFalse(relayed.control.exists())

    def test_it_ends_when_a_tap_is_removed(self):
        relayed = self.relay(link(0, 1), link(1, 0))
        relayed.hosts[1].run("ip", "link", "del", "wan1")
        self.assertEqual(relayed.process.wait(SECONDS), 1)
        self.assertIn("the TAP wan1 is gone; ", relayed.end()[1])


class Refusals(unittest.TestCase):
    def test_one_line_says_why(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "wrong.json").write_text('{"sites": []}')
            for settings, words in (("none.json", "No such file"), ("wrong.json", "sites"), (".", "directory")):
                with self.subTest(settings=settings):
                    done = subprocess.run([RELAY, folder / settings, "--control", folder / "control"],
                                          capture_output=True, text=True, timeout=SECONDS)
                    self.assertEqual((done.returncode, done.stdout), (1, ""))
                    self.assertRegex(done.stderr, rf"^tombolo-relay: [^\n]*{words}[^\n]*; [^\n]*\n$")
            self.assertEqual(sorted(path.name for path in folder.iterdir()), ["wrong.json"])

    def test_a_wrong_command_line_is_one_line(self):
        for words in ((), ("a",), ("a", "--control", "b", "--priority", "200")):
            with self.subTest(words=words):
                done = subprocess.run([RELAY, *words], capture_output=True, text=True, timeout=SECONDS)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertRegex(done.stderr, r"\Atombolo-relay: [^\n]*; see tombolo-relay --help\n\Z")

    def test_help_says_what_it_is(self):
        done = subprocess.run([RELAY, "--help"], capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual(done.returncode, 0)
        self.assertIn("--control", done.stdout)
