"""What a simulated platform is made of is what Tombolo measures there; a platform may be anything SimGrid can read."""

import xml.etree.ElementTree as xml

import simulated

TWO_SITES = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
 <zone id="all" routing="Full">
  <host id="strong" speed="2Gf" core="4"/>
  <host id="fast" speed="6Gf"/>
  <host id="slow" speed="1Gf"/>
  <link id="near" bandwidth="1GBps" latency="10us"/>
  <link id="far" bandwidth="10MBps" latency="20ms"/>
  <route src="strong" dst="fast"><link_ctn id="near"/></route>
  <route src="strong" dst="slow"><link_ctn id="far"/></route>
  <route src="fast" dst="slow"><link_ctn id="far"/></route>
 </zone>
</platform>
"""


class Platforms(simulated.TestCase):
    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def test_speeds_are_measured_and_shares_follow(self):
        hosts = {host.get("id"): float(host.get("speed")[:-2]) * 1e9
                 for host in xml.parse(simulated.SOURCE / "lab/platforms/ucd16.xml").iter("host")}
        report = self.report("ucd16", "matmul", "--size", 6000, "--phantom", "--shares", "speed", "--panels", 1)
        self.assertEqual({on["host"] for on in report["processors"]}, set(hosts))
        total = sum(hosts.values())
        for on in report["processors"]:
            self.assertAlmostEqual(on["speed_flops"] / hosts[on["host"]], 1, delta=1e-6)
            self.assertAlmostEqual(on["rows"], 6000 * hosts[on["host"]] / total, delta=1)
        computing = [on["seconds"]["compute"] for on in report["processors"]]
        self.assertLess(max(computing), 1.03 * min(computing))

    def test_equal_shares_wait_for_the_slowest(self):
        words = ("--algorithm", "rows", "--shares", "equal", "--panels", 1, "--collectives", "native")
        report = self.report("ucd16", "matmul", "--size", 1000, "--phantom", *words)
        computing = [on["seconds"]["compute"] for on in report["processors"]]
        self.assertGreater(max(computing), 1.8 * min(computing))  # 5.6 to 3.0 Gflop/s

    def test_cores_and_ranks_of_a_host_of_ones_own(self):
        platform = self.write("two sites.xml", TWO_SITES)
        hosts = self.write("some.hosts", "strong\nstrong\nfast\nslow\nslow\n")
        report = self.report(platform, "matmul", "--size", 600, options=("--hosts", hosts))
        self.assertTrue(report["verified"])
        self.assertEqual([on["host"] for on in report["processors"]], ["strong", "strong", "fast", "slow", "slow"])
        self.assertEqual([on["threads"] for on in report["processors"]], [2, 2, 1, 1, 1])
        speeds = [on["speed_flops"] / 1e9 for on in report["processors"]]
        for speed, expected in zip(speeds, [4, 4, 6, 0.5, 0.5]):
            self.assertAlmostEqual(speed, expected, delta=0.05)  # ranks of a core may not quite begin together

    def test_the_host_file_beside_the_platform_is_taken_and_ranks_are_counted(self):
        platform = self.write("sites.xml", TWO_SITES)
        self.write("sites.hosts", "fast\nslow\n")
        self.assertEqual(self.report(platform, "matmul", "--size", 50)["ranks"], 2)
        self.assertEqual(self.report(platform, "matmul", "--size", 50, options=("-n", 1))["ranks"], 1)
        self.assertEqual(self.report(platform, "matmul", "--size", 50, options=("-n", 5))["ranks"], 5)

    def test_without_a_host_file_each_host_has_a_rank(self):
        platform = self.write("no hosts.xml", TWO_SITES)
        report = self.report(platform, "matmul", "--size", 50)
        self.assertEqual([on["host"] for on in report["processors"]], ["strong", "fast", "slow"])

    def test_hosts_that_no_route_leads_back_to(self):
        arguments = ("matmul", "--size", 600, "--algorithm", "rows", "--panels", 3, "--shares", "equal")
        torus = self.write("torus.xml", """<?xml version='1.0'?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
            <platform version="4.1"><cluster id="c" prefix="c-" suffix="" radical="0-11" speed="1Gf" bw="1GBps" lat="1us"
            topology="TORUS" topo_parameters="3,2,2"/></platform>""")
        for platform in ("sites", torus):
            self.assertTrue(self.report(platform, *arguments)["verified"])

    def test_any_number_of_ranks_on_each_host(self):
        for ranks in (1, 2, 3, 6):
            hosts = self.write("several.hosts", f"u-0:{ranks}\nu-1:{ranks}\nu-2:{ranks}\n")
            words = ("bench", "bcast,alltoall", "--bytes", "64K", "--impl", "native", "--format", "csv")
            done = self.simulate("uniform64", *words, options=("--hosts", hosts))
            self.assertEqual((done.returncode, done.stdout.count("native,native")), (0, 2), done)

    def test_every_platform_that_comes_along(self):
        for file in sorted((simulated.SOURCE / "lab/platforms").glob("*.xml")):
            with self.subTest(platform=file.stem):
                hosts = len(file.with_suffix(".hosts").read_text().split())
                if hosts > 40 and file.stem != "grid5000":  # discovery_test.py runs more on them
                    self.assertIn(f"{hosts} ranks", self.succeed(file.stem, "show", file, "--hosts", file.with_suffix(".hosts")))
                    continue
                collectives = "native" if hosts > 40 else "tombolo"
                report = self.report(file.stem, "matmul", "--size", 50, "--collectives", collectives)
                self.assertEqual(report["ranks"], hosts)
                self.assertTrue(report["verified"])


if __name__ == "__main__":
    simulated.unittest.main()
