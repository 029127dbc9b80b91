"""Descriptions of grids are read as docs/grid.md says, and what is wrong with one is said in one line."""

import unittest

import grids
from grids import ROOT, TWO_BY_TWO
from emulation import addresses, build, description
from emulation.description import Lan, Link, load, shipped
from ending import Refused

SITE = '[[site]]\nname = "a"\nhosts = 2\n'
OTHER = '[[site]]\nname = "b"\nhosts = 1\n'
LINK = '[[link]]\nbetween = ["a", "b"]\ndelay_ms = 1\n'


class Descriptions(grids.TestCase):
    def load(self, text):
        return load(self.describe("some.toml", text))

    def test_all_of_it(self):
        found = self.load("""
[lan]
rate_mbit = 100
queue_kb = 500
[[site]]
name = "a"
hosts = 2
cpu = 0.2
up_mbit = 10
lan = { latency_us = 50 }
[[site]]
name = "b-2"
hosts = 1
processes = 3
[[host]]
name = "a-1"
cpu = 0.4
processes = 2
[[link]]
from = "a"
to = "b-2"
delay_ms = 2.5
rate_mbit = 100
queue_ms = 60
[[link]]
from = "b-2"
to = "a"
delay_ms = 3
""")
        self.assertEqual(found.name, "some")
        self.assertEqual([site.lan for site in found.sites], [Lan(100, 50, 500), Lan(100, 0, 500)])
        self.assertEqual([(site.up_mbit, site.down_mbit) for site in found.sites], [(10, 0), (0, 0)])
        self.assertEqual([(host.name, host.site, host.index, host.processes, host.cpu) for host in found.hosts],
                         [("a-0", 0, 0, 1, 0.2), ("a-1", 0, 1, 2, 0.4), ("b-2-0", 1, 0, 3, None)])
        self.assertEqual(found.links, {(0, 1): Link(2.5, 100, 60), (1, 0): Link(3, 0, 100)})

    def test_one_line_says_what_is_wrong(self):
        for words, text in (
            ("0 sites", ""),
            ("not TOML", "[[site"),
            ("there is no name", "[[site]]\nhosts = 1\n"),
            ("there is no hosts", '[[site]]\nname = "a"\n'),
            ("host_count is not known", SITE + "host_count = 1\n"),
            ("colour is not known", "colour = 1\n" + SITE),
            ("name = 'A b'", SITE.replace('"a"', '"A b"')),
            ("name = 3", SITE.replace('"a"', "3")),
            ("hosts = 254", SITE.replace("2", "254")),
            ("hosts = 0", SITE.replace("2", "0")),
            ("hosts = True", SITE.replace("2", "true")),
            ("hosts = 1.5", SITE.replace("2", "1.5")),
            ("cpu = 0", SITE + "cpu = 0\n"),
            ("cpu = 2000", SITE + "cpu = 2000\n"),
            ("cpu = nan", SITE + "cpu = nan\n"),
            ("cpu = '1'", SITE + "cpu = '1'\n"),
            ("rate_mbit = -1", "[lan]\nrate_mbit = -1\n" + SITE),
            ("lan = 3", "lan = 3\n" + SITE),
            ("site is no list", 'site = "a"\n'),
            ("'a' is there twice", SITE + SITE),
            ("no link from 'a' to 'b'", SITE + OTHER),
            ("no link from 'b' to 'a'", SITE + OTHER + LINK.replace('between = ["a", "b"]', 'from = "a"\nto = "b"')),
            ("site 'c'", SITE + OTHER + LINK.replace('"b"', '"c"')),
            ("to itself", SITE + OTHER + LINK.replace('"b"', '"a"')),
            ("second link", SITE + OTHER + LINK + LINK),
            ("between = ['a']", SITE + OTHER + LINK.replace(', "b"', "")),
            ("there is no delay_ms", SITE + OTHER + LINK.replace("delay_ms = 1", "")),
            ("delay_ms = inf", SITE + OTHER + LINK.replace("= 1", "= inf")),
            ("queue_ms = 0", SITE + OTHER + LINK + "queue_ms = 0\n"),
            ("delay_ms = 1000", SITE + OTHER + LINK.replace("= 1", "= 1" + "0" * 400)),
            ("is not TOML", SITE + OTHER + LINK.replace("= 1", "= 1" + "0" * 5000)),
            ("too much to show", SITE + OTHER + LINK.replace("= 1", "= 0x1" + "0" * 5000)),
            ("hosts = 1000", SITE.replace("2", "1" + "0" * 400)),
            ("too deep inside each other", "a = " + "[" * 20_000 + "]" * 20_000),
            ("'a-2' belongs to no site", SITE + '[[host]]\nname = "a-2"\ncpu = 1\n'),
            ("'a-1' is there twice", SITE + 2 * '[[host]]\nname = "a-1"\ncpu = 1\n'),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(Refused, r"\A[^\n]+; [^\n]+\Z") as raised:
                self.load(text)
            self.assertIn(words, str(raised.exception))

    def test_files_that_are_not_there(self):
        for words, path in (("no grid 'nowhere'", "nowhere"), ("cannot read", "no/such.toml"), ("cannot read", "/")):
            with self.subTest(path=path), self.assertRaisesRegex(Refused, words):
                load(path)

    def test_what_is_shipped(self):
        self.assertIn("grid4x4", shipped())
        for name in shipped():
            with self.subTest(name=name):
                found = load(name)
                self.assertLessEqual(len(found.hosts), build.MOST_PORTS)
                self.assertTrue((ROOT / f"lab/grids/{name}.toml").read_text().startswith("# "))

    def test_the_links_of_grid4x4(self):
        """Figures that have been published were measured over them."""
        pairs = {(0, 1): (2.5, 100, 60), (0, 2): (5, 50, 80), (0, 3): (8.6, 20, 160), (1, 2): (4.3, 50, 80),
                 (1, 3): (7.1, 20, 160), (2, 3): (6.2, 30, 120)}
        both = {**pairs, **{(j, i): link for (i, j), link in pairs.items()}}
        for name, hosts in (("grid4x4", 16), ("grid4x4-unequal", 16), ("grid4x8", 32), ("grid4x22", 88)):
            found = load(name)
            self.assertEqual(found.links, {pair: Link(*link) for pair, link in both.items()})
            self.assertEqual(len(found.hosts), hosts)
        shares = [host.cpu for host in load("grid4x4-unequal").hosts]
        self.assertLess(sum(shares), 1.6)
        self.assertEqual({round(share / min(shares), 6) for share in shares}, {1, 2, 4})

    def test_addresses_differ(self):
        site = '[[site]]\nname = "s{}"\nhosts = 253\n'
        link = '[[link]]\nbetween = ["s0", "s1"]\ndelay_ms = 1\n'
        hosts = self.load(site.format(0) + site.format(1) + link).hosts
        gateways = [0, 1]
        for of_host, of_site in ((addresses.address, addresses.gateway), (addresses.mac, addresses.gateway_mac)):
            self.assertEqual(len({*map(of_host, hosts), *map(of_site, gateways)}), len(hosts) + 2)
        self.assertEqual((addresses.address(hosts[0]), addresses.address(hosts[-1])), ("10.77.0.1", "10.77.1.253"))

    def test_names_of_grids(self):
        for name in ("", "A", "a.b", "a/b", "-a", "a" * 33, "../x"):
            with self.subTest(name=name):
                done = grids.grid("status", f"--name={name}")
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stderr, r"\Ascripts/grid: [^\n]*; [^\n]*\n\Z")

    def test_command_lines(self):
        for words in (("up",), ("fly",), ("run",), ("link", "a"), ("cpu", "a", "-1"), ("cpu", "a", "nan"),
                      ("link", "a", "b", "--queue-ms", "0")):
            with self.subTest(words=words):
                done = grids.grid(*words)
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stderr, r"\Ascripts/grid: [^\n]*; see scripts/grid[^\n]*\n\Z")
        self.assertIn("grid5000", grids.grid("list").stdout)
        self.assertEqual(description.load("clouds").hosts[1].processes, 2)


if __name__ == "__main__":
    unittest.main()
