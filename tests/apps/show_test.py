"""`tombolo show`: platforms of both kinds for people, for programs, for SimGrid and as a picture."""

import json
import os
import re
import unittest
import xml.etree.ElementTree
from pathlib import Path

import tombolo

PLATFORMS = Path(os.environ["TOMBOLO_SOURCE"]) / "lab/platforms"
CLUSTERS = {
    "grid5000": ["c1", "c21", "c22", "c23", "c3", "c4"],
    "grid5000-cyclic": ["c1", "c21", "c22", "c23", "c3", "c4"],
    "icluster2": ["s0", "s1", "s2", "s3", "s4"],
    "mpichg2": ["sdsc", "anlsp", "anlo2k"],
    "ucd16": ["switch"],
    "uniform64": ["u"],
}


def described(name):
    return (PLATFORMS / f"{name}.xml", "--hosts", PLATFORMS / f"{name}.hosts")


class Show(tombolo.TestCase):
    def show(self, *arguments, ranks=0):
        return self.succeed("show", *arguments, ranks=ranks).out

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def test_no_name_moves_the_cursor(self):
        good = json.loads((PLATFORMS.parents[1] / "examples/platform.json").read_text())
        for name in ("a\x1b[2J", "a\a", "a\nb", "a\u009b"):
            with self.subTest(name=name):
                self.write("p.json", json.dumps(good).replace('"a1"', json.dumps(name)))
                self.fail_with(["p.json: host", "has a control character in its name"], "show", "p.json")
                self.write("p.json", json.dumps(good).replace('"orsay"', json.dumps(name)))
                self.fail_with(["p.json: cluster", "has a control character in its name"], "show", "p.json")
                self.write("x.hosts", f"t1-0\n\at1-1{name}\n")
                self.fail_with(["x.hosts, line 2: "], "show", PLATFORMS / "ucd16.xml", "--hosts", "x.hosts")
        self.write("p.json", json.dumps({**good, "origin": {"source": "\x1b[2J", "not_measured": ["\a"]}}))
        self.assertNotRegex(self.show("p.json"), "[\x1b\a]")
        for form in ("simgrid", "hosts"):
            self.assertNotRegex(self.show("p.json", "--format", form), "[\x1b\a]")

    def test_every_platform_as_text(self):
        for name, clusters in CLUSTERS.items():
            with self.subTest(platform=name):
                text = self.show(*described(name))
                hosts = len((PLATFORMS / f"{name}.hosts").read_text().split())
                self.assertIn(f"{hosts} ranks on {hosts} hosts in {len(clusters)} cluster", text)
                for cluster in clusters:
                    self.assertRegex(text, rf"(?m)^[|` -]*{cluster}: ")
                self.assertLess(len(text.splitlines()), 60)
                self.assertLess(max(map(len, text.splitlines())), 120)

    def test_figures_in_the_text(self):
        text = self.show(*described("icluster2"))
        self.assertIn("uplink 125 MB/s", text)
        self.assertIn("s0-0 ... s0-19: each 27 us, 12.5 MB/s, 3.2 Gflop/s", text)
        self.assertRegex(text, r"any two \(10 pairs\) +60 us +12.5 MB/s +125 MB/s by 20")

    def test_json_is_a_platform_file_that_shows_the_same(self):
        for name, clusters in CLUSTERS.items():
            with self.subTest(platform=name):
                platform = json.loads(self.show(*described(name), "--format", "json"))
                hosts = (PLATFORMS / f"{name}.hosts").read_text().split()
                self.assertEqual([processor["host"] for processor in platform["processors"]], hosts)
                self.assertEqual(len(platform.get("links", [])), len(clusters) * (len(clusters) - 1) // 2)
                self.show(*described(name), "--format", "json", "-o", "p.json")
                self.assertEqual(self.show("p.json"), self.show(*described(name)))

    def test_a_description_that_was_written_shows_the_same(self):
        for name in ("grid5000-cyclic", "icluster2"):
            with self.subTest(platform=name):
                self.show(*described(name), "--format", "simgrid", "-o", "copy.xml")
                self.show(*described(name), "--format", "hosts", "-o", "copy.hosts")
                copy = self.show("copy.xml", "--hosts", "copy.hosts").splitlines()
                self.assertEqual(copy[1:], self.show(*described(name)).splitlines()[1:])

    def test_the_heat_map_is_a_picture_with_names(self):
        for name in ("grid5000", "uniform64"):
            with self.subTest(platform=name):
                text = self.show(*described(name), "--format", "svg")
                picture = xml.etree.ElementTree.fromstring(text)
                self.assertTrue(picture.tag.endswith("svg"))
                words = {word.strip() for word in picture.itertext()}
                self.assertLessEqual(set(CLUSTERS[name]), words)
                times = [word for word in words if re.fullmatch(r"[\d.]+ (ns|us|ms|s)", word)]
                self.assertGreaterEqual(len(times), 2, "the colour bar has no numbers")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_names_that_are_special_elsewhere(self):
        name = "a'b&lt;&amp;{x}_%s$1"
        one = f"<cluster id=\"{name}\" prefix='n' suffix='' radical='0-1' speed='1Gf' bw='1MBps' lat='1us'/>"
        file = self.write("x.xml", f"<platform version='4.1'>{one}</platform>")
        picture = xml.etree.ElementTree.fromstring(self.show(file, "--format", "svg"))
        self.assertIn("a'b<&{x}_%s$1", {word.strip() for word in picture.itertext()})

    def test_a_thousand_hosts(self):
        def hosts(count):
            one = f"<cluster id='c' prefix='c-' suffix='' radical='0-{count - 1}' speed='1Gf' bw='1MBps' lat='1us'/>"
            return self.write("x.xml", f"<platform version='4.1'>{one}</platform>")

        self.assertIn("c-0 ... c-1023: each 1 us", self.show(hosts(1024)))
        self.assertIn("512 of them drawn", self.show(hosts(520), "--format", "svg"))

    def test_ranks_that_share_hosts(self):
        hosts = self.write("h", "u-3:4\nu-1:4\n")
        text = self.show(PLATFORMS / "uniform64.xml", "--hosts", hosts)
        self.assertIn("8 ranks on 2 hosts", text)
        self.assertIn("u-3, u-1: each 2 us, 1.25 GB/s, 4 ranks: ", text)

    def test_once_under_mpiexec(self):
        alone = self.show(PLATFORMS / "ucd16.xml")
        self.assertEqual(self.show(PLATFORMS / "ucd16.xml", ranks=2), alone)

    def test_one_rank(self):
        one = "<zone id='z' routing='None'><host id='h' speed='1Gf'/></zone>"
        file = self.write("x.xml", f"<platform version='4.1'>{one}</platform>")
        self.assertIn("1 rank on 1 host in 1 cluster", self.show(file))
        self.fail_with(["no latencies to draw"], "show", file, "--format", "svg")

    def test_mistakes(self):
        empty = self.write("empty", " \n")
        text = self.write("text", "hello\n")
        broken = self.write("broken.xml", "<platform version='4.1'>\n<zone")
        zone = "<zone id='z' routing='Full'>\n<trace id='t'/></zone>"
        trace = self.write("trace.xml", f"<platform version='4.1'>\n{zone}</platform>")
        hosts = self.write("hosts", "nobody\n")
        member = self.write("a.json", "{}")
        xml_file = PLATFORMS / "ucd16.xml"
        for words, arguments in [
            (["file is required"], []),
            (["missing.xml", "No such file"], ["missing.xml"]),
            (["a directory"], ["."]),
            (["neither"], [empty]),
            (["neither"], [text]),
            (["broken.xml, line 2"], [broken]),
            (["trace.xml, line 3, <trace>"], [trace]),
            (["a.json"], [member]),
            (["has no host \"nobody\""], [xml_file, "--hosts", hosts]),
            (["two, line 1"], [xml_file, "--hosts", self.write("two", "a b\n")]),
            (["--hosts", "platform file"], [member, "--hosts", hosts]),
            (["--format", "'png'"], [xml_file, "--format", "png"]),
            (["no/such"], [xml_file, "-o", "no/such/file"]),
        ]:
            with self.subTest(arguments=arguments):
                self.fail_with(words, "show", *arguments)

    def test_without_gnuplot(self):
        through = ("env", f"PATH={self.folder}")
        self.fail_with(["gnuplot", "install"], "show", PLATFORMS / "ucd16.xml", "--format", "svg", through=through)


if __name__ == "__main__":
    unittest.main()
