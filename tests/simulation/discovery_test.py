"""On simulated platforms every figure is known: `tombolo discover` must find what their descriptions say."""

import itertools
import json
import random

import routes
import simulated

PLATFORMS = simulated.SOURCE / "lab/platforms"
# SimGrid leaves messages 97 % of a link's rate, as scripts/simulate asks it to, so rates are 3 % low.
LARGEST_ERROR = 0.05
# Groups of several clusters. Hosts are called after their clusters.
SITES = {
    "grid5000": [{"c21", "c22", "c23"}],
    "grid5000-cyclic": [{"c21", "c22", "c23"}],
    "mpichg2": [{"anlsp", "anlo2k"}],
    "ucd16": [],
    "uniform64": [],
    "icluster2": [],
}


def cluster_of(host):
    return host.rsplit("-", 1)[0] if "-" in host else ""


def described_groups(platform, sites):
    """What must be found, as routes.groups() has it."""
    members = {}
    for processor in platform["processors"]:
        members.setdefault(cluster_of(processor["host"]), set()).add(processor["rank"])
    if platform["levels"]["kind"] == "cluster":  # whatever its hosts are called
        members = {"": set().union(*members.values())}
    found = {("cluster", frozenset(ranks)) for ranks in members.values()}
    for site in sites:
        found.add(("group", frozenset().union(*(members[name] for name in site))))
    if len(members) > 1:
        found.add(("group", frozenset().union(*members.values())))
    return found


# Eight clusters of different sizes, in three sites and alone; latencies are ours.
SIZES = {"a1": 17, "a2": 12, "a3": 10, "b1": 8, "b2": 7, "c1": 5, "c2": 4, "d1": 3}
GENERATED_SITES = [{"a1", "a2", "a3"}, {"b1", "b2"}, {"c1", "c2"}]


def generated():
    """A description of 66 hosts in SimGrid's words, and their names."""
    text = ['<?xml version="1.0"?>', '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
            '<platform version="4.1">', '<zone id="all" routing="Full">']
    for number, (name, size) in enumerate(SIZES.items()):
        figures = f'speed="{2 + number}Gf" bw="{100 + 20 * number}MBps" lat="{20 + 5 * number}us"'
        text.append(f'<cluster id="{name}" prefix="{name}-" suffix="" radical="0-{size - 1}" {figures} '
                    f'router_id="{name}-router" sharing_policy="SPLITDUPLEX"/>')
    routes_between = []
    for one, other in itertools.combinations(SIZES, 2):
        apart = ord(other[0]) - ord(one[0])
        latency, rate = (4000 * apart, 40) if apart else (300 + 100 * (ord(one[0]) - ord("a")), 80)
        link = f"{one}_{other}"
        text.append(f'<link id="{link}" bandwidth="{rate}MBps" latency="{latency}us" sharing_policy="SPLITDUPLEX"/>')
        for source, target, way in ((one, other, "UP"), (other, one, "DOWN")):
            routes_between.append(f'<zoneRoute src="{source}" dst="{target}" gw_src="{source}-router" '
                                  f'gw_dst="{target}-router" symmetrical="NO"><link_ctn id="{link}" direction="{way}"/>'
                                  "</zoneRoute>")
    text += routes_between
    text.append("</zone></platform>\n")
    return "\n".join(text), [f"{name}-{host}" for name, size in SIZES.items() for host in range(size)]


class Discovery(simulated.TestCase):
    def discover(self, platform, name="found.json", *options):
        done = self.simulate(platform, "discover", "-o", name, *options)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done)
        return json.loads((self.folder / name).read_text())

    def described(self, xml):
        """What Tombolo reads in the description; a program for simulations cannot start without one."""
        words = ("show", xml, "--hosts", xml.with_suffix(".hosts"), "--format", "json")
        return json.loads(self.succeed(xml, *words, options=("-n", 1)))

    def check(self, found, described, sites):
        groups = routes.groups(found["levels"])
        self.assertEqual(set(groups), described_groups(described, sites))
        self.assertEqual(len(groups), len(set(groups)))
        errors = routes.largest_errors(found, described)
        for figure, (error, *ranks) in errors.items():
            self.assertLessEqual(error, LARGEST_ERROR, f"{figure} of ranks {ranks}")

    def check_platform(self, name, hosts=None):
        """On its first hosts, if so many are given."""
        platform = PLATFORMS / f"{name}.xml"
        names = platform.with_suffix(".hosts").read_text().split()[:hosts]
        some = self.written(platform.name, platform.read_text(), names)
        found = self.discover(some)
        self.check(found, self.described(some), SITES[name])
        self.assertIs(found["origin"]["simulated"], True)
        self.assertNotIn("backbone_bytes_per_s", json.dumps(found["levels"]))
        return found

    def test_grid5000(self):
        for name, hosts in (("grid5000", None), ("grid5000-cyclic", 32)):
            with self.subTest(platform=name):
                found = self.check_platform(name, hosts)
                self.assertEqual({cluster["name"] for cluster in routes.leaves(found["levels"])},
                                 {"c1", "c21", "c22", "c23", "c3", "c4"})
                self.assertEqual(len(found["levels"]["children"]), 4)

    def test_two_sites_of_three_machines(self):
        found = self.check_platform("mpichg2")
        self.assertEqual(len(found["levels"]["children"]), 2)

    def test_unequal_hosts_behind_one_switch(self):
        self.check_platform("ucd16")

    def test_equal_hosts_behind_one_switch(self):
        self.check_platform("uniform64")

    def test_switches_that_share_their_uplinks(self):
        # Latencies hardly show them: only when all send at once it can be seen that they share.
        found = self.check_platform("icluster2", 60)  # of three switches
        for switch in routes.leaves(found["levels"]):
            self.assertLessEqual(routes.error(switch["uplink_bytes_per_s"], 125e6), LARGEST_ERROR, switch["name"])

    def test_a_line_so_thin_that_empty_messages_of_many_pairs_wait_there(self):
        text = '''<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
            <platform version="4.1"><zone id="all" routing="Full">
            <cluster id="a" prefix="a-" suffix="" radical="0-15" speed="5Gf" bw="1250MBps" lat="23us" router_id="a-r"/>
            <cluster id="b" prefix="b-" suffix="" radical="0-14" speed="7Gf" bw="12.5MBps" lat="53us" router_id="b-r"/>
            <link id="line" bandwidth="1.5MBps" latency="65us"/>
            <zoneRoute src="a" dst="b" gw_src="a-r" gw_dst="b-r"><link_ctn id="line"/></zoneRoute>
            </zone></platform>'''
        hosts = [f"a-{number}" for number in range(16)] + [f"b-{number}" for number in range(15)]
        found = self.discover(self.written("thin.xml", text, hosts))
        self.assertEqual(sorted(len(each["ranks"]) for each in routes.leaves(found["levels"])), [15, 16])
        header = found["models"]["multiport"]["parameters"]["header"]
        self.assertAlmostEqual(header, 16, delta=4)  # bytes that SimGrid adds to each message

    def test_backbones_that_all_messages_of_a_cluster_or_between_clusters_share(self):
        rates = {"a": 400, "b": 250, "c": 2000}  # MB/s; hosts of c are the limit themselves
        clusters = "".join(
            f'<cluster id="{name}" prefix="{name}-" suffix="" radical="0-8" speed="5Gf" bw="125MBps" lat="24us" '
            f'bb_bw="{rate}MBps" bb_lat="0" router_id="{name}-r"/>' for name, rate in rates.items())
        between = "".join(
            f'<zoneRoute src="{one}" dst="{other}" gw_src="{one}-r" gw_dst="{other}-r"><link_ctn id="core"/></zoneRoute>'
            for one, other in itertools.combinations(rates, 2))
        text = f'''<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
            <platform version="4.1"><zone id="all" routing="Full">{clusters}
            <link id="core" bandwidth="180MBps" latency="100us" sharing_policy="SHARED"/>{between}</zone></platform>'''
        xml = self.written("backbones.xml", text, [f"{name}-{host}" for host in range(9) for name in rates])
        found = self.discover(xml)
        self.check(found, self.described(xml), [])
        self.assertLessEqual(routes.error(found["levels"]["backbone_bytes_per_s"], 180e6), 2 * LARGEST_ERROR)
        for cluster in routes.leaves(found["levels"]):
            rate = 1e6 * rates[cluster["name"]]
            if rate > 9 / 2 * 125e6:
                self.assertNotIn("backbone_bytes_per_s", cluster)
            else:
                self.assertLessEqual(routes.error(cluster["backbone_bytes_per_s"], rate), 2 * LARGEST_ERROR)

    def test_what_leaves_a_cluster_over_short_and_long_links_is_what_its_uplink_carries(self):
        # Short messages are over while long ones have all of it.
        found = self.discover(PLATFORMS / "clouds.xml")
        uplinks = {cluster["name"]: cluster.get("uplink_bytes_per_s", 0) for cluster in routes.leaves(found["levels"])}
        for name, rate in {"w0": 20e6, "w1": 15e6}.items():
            self.assertLessEqual(routes.error(uplinks[name], rate), LARGEST_ERROR)

    def test_lines_that_links_share_round_a_ring_are_found(self):
        # Messages that are measured at the same time are in each other's way.
        rates = [40, 25, 60, 15, 50, 30]  # MB/s of the line from each site to the next
        sites = len(rates)

        def way(one, other):
            step = 1 if (other - one) % sites <= sites // 2 and not (other < one and one - other == sites // 2) else -1
            return [(at % sites, "UP") if step == 1 else ((at - 1) % sites, "DOWN")
                    for at in range(one, one + step * ((other - one) * step % sites), step)]

        text = ['<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
                '<platform version="4.1"><zone id="ring" routing="Full">']
        for site, rate in enumerate(rates):
            text.append(f'<cluster id="r{site}" prefix="r{site}-" suffix="" radical="0-{2 + site % 2}" speed="3Gf" '
                        f'bw="125MBps" lat="30us" router_id="r{site}-r" sharing_policy="SPLITDUPLEX"/>'
                        f'<link id="line{site}" bandwidth="{rate}MBps" latency="{800 + 500 * site}us" '
                        'sharing_policy="SPLITDUPLEX"/>')
        for one, other in itertools.permutations(range(sites), 2):
            links = "".join(f'<link_ctn id="line{line}" direction="{direction}"/>' for line, direction in way(one, other))
            text.append(f'<zoneRoute src="r{one}" dst="r{other}" gw_src="r{one}-r" gw_dst="r{other}-r" '
                        f'symmetrical="NO">{links}</zoneRoute>')
        hosts = [f"r{site}-{number}" for site in range(sites) for number in range(3 + site % 2)]
        description = self.written("ring.xml", "\n".join([*text, "</zone></platform>"]), hosts)
        expected = {}  # pairs by the thinnest line on their way
        for one, other in itertools.combinations(range(sites), 2):
            thinnest = min(rates[line] for line, _ in way(one, other))
            expected.setdefault(thinnest, set()).add(frozenset({f"r{one}", f"r{other}"}))
        for budget in ("0.5", "40"):
            with self.subTest(budget=budget):
                found = self.discover(description, f"ring-{budget}.json", "--budget", budget)
                lines = {frozenset(frozenset(pair) for pair in line["between"]): line["rate_bytes_per_s"]
                         for line in found["lines"]}
                for rate in (15, 25, 30):
                    self.assertIn(frozenset(expected[rate]), lines)
                    self.assertLessEqual(routes.error(lines[frozenset(expected[rate])], rate * 1e6), 2 * LARGEST_ERROR)
                for link in found["links"]:
                    rate = min(rates[line] for line, _ in way(*(int(name[1:]) for name in link["between"])))
                    self.assertLessEqual(routes.error(link["rate_bytes_per_s"], rate * 1e6), 0.1)

    def test_a_quick_look_at_a_fast_switch_takes_no_queue_for_distance(self):
        # Handling an empty message takes longer than its way.
        text = '''<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
            <platform version="4.1"><cluster id="c" prefix="c-" suffix="" radical="0-31" speed="100Gf" bw="100Gbps"
            lat="0.5us"/></platform>'''
        found = self.discover(self.written("fast.xml", text, [f"c-{number}" for number in range(32)]), "fast.json",
                              "--budget", "0.5")
        self.assertEqual(found["levels"]["kind"], "cluster")
        self.assertLess(found["models"]["multiport"]["parameters"]["synchronous_receive"], 50)  # none in SimGrid

    def test_a_quick_look_tells_lines_that_are_one_both_ways(self):
        text = '''<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
            <platform version="4.1"><zone id="all" routing="Full">
            <cluster id="a" prefix="a-" suffix="" radical="0-3" speed="5Gf" bw="125MBps" lat="50us" router_id="a-r"/>
            <cluster id="b" prefix="b-" suffix="" radical="0-4" speed="5Gf" bw="125MBps" lat="40us" router_id="b-r"
            sharing_policy="SHARED"/>
            <link id="line" bandwidth="50MBps" latency="4ms" sharing_policy="{policy}"/>
            <zoneRoute src="a" dst="b" gw_src="a-r" gw_dst="b-r" symmetrical="NO"><link_ctn id="line"{up}/></zoneRoute>
            <zoneRoute src="b" dst="a" gw_src="b-r" gw_dst="a-r" symmetrical="NO"><link_ctn id="line"{down}/></zoneRoute>
            </zone></platform>'''
        hosts = [f"a-{number}" for number in range(4)] + [f"b-{number}" for number in range(5)]
        for policy, up, down in (("SHARED", "", ""), ("SPLITDUPLEX", ' direction="UP"', ' direction="DOWN"')):
            with self.subTest(policy=policy):
                found = self.discover(self.written(f"{policy}.xml", text.format(policy=policy, up=up, down=down), hosts),
                                      f"{policy}.json", "--budget", "0.5")["models"]["multiport"]["parameters"]
                self.assertEqual(found.get("link_back"), [1000] if policy == "SHARED" else None)
                self.assertAlmostEqual(found["back"][0], 50, delta=3)
                self.assertEqual(found["back"][1], 1000)

    def test_a_quick_look_tells_a_backbone_from_slow_hosts(self):
        text = '''<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
            <platform version="4.1"><cluster id="all" prefix="h-" suffix="" radical="0-11" speed="5Gf" bw="125MBps"
            lat="24us" bb_bw="250MBps" bb_lat="0"/></platform>'''
        found = self.discover(self.written("backbone.xml", text, [f"h-{host}" for host in range(12)]), "b.json", "--budget", 0.5)
        for host in found["hosts"]:
            self.assertLess(routes.error(host["rate_bytes_per_s"], 125e6), 0.1, host["name"])
        self.assertLess(routes.error(found["levels"]["backbone_bytes_per_s"], 250e6), 0.1)

    def test_a_line_in_the_middle_of_a_row_of_sites(self):
        # Pairs of sites that are measured at the same time share the line.
        sizes = {"p": 3, "q": 5, "r": 6, "s": 4}
        clusters = "".join(f'<cluster id="{name}" prefix="{name}-" suffix="" radical="0-{size - 1}" speed="5Gf" bw="125MBps" '
                           f'lat="{20 + size}us" router_id="{name}-r"/>' for name, size in sizes.items())
        lines = (("pq", 50, 2500), ("qr", 8, 700), ("rs", 90, 6000))
        links = "".join(f'<link id="{name}" bandwidth="{rate}MBps" latency="{latency}us" sharing_policy="SPLITDUPLEX"/>'
                        for name, rate, latency in lines)
        sites = list(sizes)
        between = "".join(
            f'<zoneRoute src="{sites[a]}" dst="{sites[b]}" gw_src="{sites[a]}-r" gw_dst="{sites[b]}-r">'
            + "".join(f'<link_ctn id="{lines[line][0]}" direction="UP"/>' for line in range(a, b)) + "</zoneRoute>"
            for a, b in itertools.combinations(range(4), 2))
        text = f'''<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
            <platform version="4.1"><zone id="all" routing="Full">{clusters}{links}{between}</zone></platform>'''
        # Ranks by turns, so that the sites of a group are not neighbours by number.
        hosts = [f"{name}-{host}" for host in range(6) for name in "rpsq" if host < sizes[name]]
        xml = self.written("row.xml", text, hosts)
        found = self.discover(xml)
        self.check(found, self.described(xml), [{"p", "q"}, {"r", "s"}])
        for half in found["levels"]["children"]:
            self.assertLessEqual(routes.error(half["uplink_bytes_per_s"], 8e6), 2 * LARGEST_ERROR)

    def test_a_link_that_is_slower_one_way(self):
        clusters = "".join(f'<cluster id="{name}" prefix="{name}-" suffix="" radical="0-4" speed="5Gf" bw="125MBps" '
                           f'lat="20us" router_id="{name}-r"/>' for name in "ab")
        for there, back in ((40, 8), (8, 40)):
            with self.subTest(there=there, back=back):
                links = "".join(f'<link id="{name}" bandwidth="{rate}MBps" latency="2ms"/>'
                                for name, rate in (("there", there), ("back", back)))
                routes_between = "".join(
                    f'<zoneRoute src="{one}" dst="{other}" gw_src="{one}-r" gw_dst="{other}-r" symmetrical="NO">'
                    f'<link_ctn id="{link}"/></zoneRoute>' for one, other, link in (("a", "b", "there"), ("b", "a", "back")))
                text = f'''<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
                    <platform version="4.1"><zone id="all" routing="Full">{clusters}{links}{routes_between}</zone></platform>'''
                found = self.discover(self.written("uneven.xml", text, [f"{name}-{host}" for name in "ab" for host in range(5)]))
                (link,) = found["links"]
                for figure in ("rate_bytes_per_s", "total_bytes_per_s"):
                    self.assertLessEqual(routes.error(link[figure], 8e6), LARGEST_ERROR, figure)
                self.assertRegex(" ".join(found["origin"]["not_measured"]), "the faster direction between a and b ")

    def test_a_thin_uplink_of_a_site_is_none_of_its_clusters(self):
        found = self.discover("three")
        stated = {cluster["name"]: cluster["uplink_bytes_per_s"]
                  for cluster in routes.leaves(self.described(PLATFORMS / "three.xml")["levels"])}
        for cluster in routes.leaves(found["levels"]):
            rate = cluster.get("uplink_bytes_per_s", stated[cluster["name"]])  # not found where it hardly matters
            self.assertGreater(rate, 0.75 * stated[cluster["name"]], cluster["name"])

    def test_a_quick_look_tells_a_line_that_clusters_share_from_links_of_their_own(self):
        shared = self.discover("three", "three.json", "--budget", 0.5)
        north = next(site for site in shared["levels"]["children"] if 0 in site["ranks"])
        # Its line of 40 MB/s, or that of 25 beyond.
        self.assertLess(min(routes.error(north["uplink_bytes_per_s"], rate) for rate in (40e6, 25e6)), 0.1)
        self.assertNotIn("uplink_bytes_per_s", json.dumps(self.discover("triangle", "own.json", "--budget", 0.5)["levels"]))

    def written(self, name, text, hosts):
        xml = self.folder / name
        xml.write_text(text)
        xml.with_suffix(".hosts").write_text("\n".join(hosts) + "\n")
        return xml

    def test_a_backbone_is_no_sign_of_clusters_inside(self):
        # Under load its hosts are in each other's way, as if parts of them were behind links of their own.
        clusters = {"a": (12, 1250, 5000), "b": (12, 1250, 3125), "c": (4, 1250, 0), "d": (10, 1250, 0), "e": (3, 60, 0)}
        rates = {"ab": (125, 200), "ac": (60, 3000), "bc": (60, 1000), "ad": (125, 1000), "bd": (250, 3000), "cd": (60, 200),
                 "ae": (250, 200), "be": (60, 3000), "ce": (60, 200), "de": (250, 3000)}
        text = ['<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
                '<platform version="4.1"><zone id="all" routing="Full">']
        for name, (hosts, rate, backbone) in clusters.items():
            shared = f'bb_bw="{backbone}MBps" bb_lat="10us"' if backbone else ""
            text.append(f'<cluster id="{name}" prefix="{name}-" suffix="" radical="0-{hosts - 1}" speed="4Gf" '
                        f'bw="{rate}MBps" lat="{20 if name == "c" else 30}us" router_id="{name}-router" {shared}/>')
        for (a, b), (rate, latency) in rates.items():
            text.append(f'<link id="{a}{b}" bandwidth="{rate}MBps" latency="{latency}us" sharing_policy="SPLITDUPLEX"/>')
        for a, b in rates:
            for source, target, way in ((b, a, "UP"), (a, b, "DOWN")):
                text.append(f'<zoneRoute src="{source}" dst="{target}" gw_src="{source}-router" gw_dst="{target}-router" '
                            f'symmetrical="NO"><link_ctn id="{a}{b}" direction="{way}"/></zoneRoute>')
        hosts = [f"{name}-{host}" for name, (count, *_) in clusters.items() for host in range(count)]
        found = self.discover(self.written("backbones.xml", "\n".join([*text, "</zone></platform>"]), hosts))
        leaves = {cluster["name"]: cluster for cluster in routes.leaves(found["levels"])}
        self.assertEqual({name: len(cluster["ranks"]) for name, cluster in leaves.items()},
                         {name: count for name, (count, *_) in clusters.items()})
        self.assertLess(routes.error(leaves["a"]["backbone_bytes_per_s"], 5e9), 0.1)

    def star(self, name, rates, *options, loopback=None):
        """Hosts with cards of these MB/s behind one switch, whose own messages share a loopback of so many."""
        text = ['<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
                '<platform version="4.1"><zone id="z" routing="Full">']
        for host in range(len(rates)):
            text.append(f'<host id="h-{host}" speed="4Gf" core="4"/>')
        for host, rate in enumerate(rates):
            text.append(f'<link id="c-{host}" bandwidth="{rate}MBps" latency="10us" sharing_policy="SPLITDUPLEX"/>')
            if loopback:
                text.append(f'<link id="l-{host}" bandwidth="{loopback}MBps" latency="1us" sharing_policy="SHARED"/>')
        for one, other in itertools.permutations(range(len(rates)), 2):
            text.append(f'<route src="h-{one}" dst="h-{other}" symmetrical="NO"><link_ctn id="c-{one}" direction="UP"/>'
                        f'<link_ctn id="c-{other}" direction="DOWN"/></route>')
        for host in range(len(rates) if loopback else 0):
            text.append(f'<route src="h-{host}" dst="h-{host}" symmetrical="NO"><link_ctn id="l-{host}"/></route>')
        hosts = [f"h-{host}" for host in range(len(rates)) for _ in range(4 if loopback else 1)]
        return self.discover(self.written(name, "\n".join([*text, "</zone></platform>"]), hosts), name + ".json", *options)

    def test_a_quick_look_tells_fast_hosts_among_slow_ones(self):
        # In two rounds some of them meet slow ones only.
        rates = [12.5] * 5 + [250] * 4 + [12.5] * 5
        for host, rate in zip(self.star("cards.xml", rates, "--budget", "0.5")["hosts"], rates):
            self.assertLess(routes.error(host["rate_bytes_per_s"], rate * 1e6), 0.1, host["name"])

    def test_a_host_that_is_faster_than_all_others(self):
        for rates in ([125] * 5 + [1250] + [125] * 8, [125, 125, 250]):  # three are too few for a backbone
            for host, rate in zip(self.star(f"server{len(rates)}.xml", rates)["hosts"], rates):
                self.assertLess(routes.error(host["rate_bytes_per_s"], rate * 1e6), 0.05, (len(rates), host["name"]))

    def test_a_host_that_has_met_no_faster_one(self):
        found = self.star("few.xml", [125, *[12.5] * 20, 125, *[12.5] * 8])
        for host in found["hosts"]:
            rate = 125e6 if host["name"] in ("h-0", "h-21") else 12.5e6
            self.assertLess(routes.error(host["rate_bytes_per_s"], rate), 0.05, host["name"])

    def test_what_messages_of_all_ranks_of_a_host_share(self):
        for host in self.star("shared.xml", [1250] * 3, loopback=500)["hosts"]:
            self.assertLess(routes.error(host["exchange_bytes_per_s"], 500e6), 0.1, host["name"])

    def test_more_hosts_than_pairs_are_measured_of_in_so_little_time(self):
        text, hosts = generated()
        random.Random(5).shuffle(hosts)
        xml = self.written("generated.xml", text, hosts)
        # Two runs are alike in which landmarks, in which order, when; the names are of one length, as all ranks are told them.
        first, again = (self.discover(xml, name, "--budget", 4) for name in ("first", "again"))
        self.assertEqual(first, again)
        self.assertIn("landmarks", " ".join(first["origin"]["not_measured"]))
        self.check(first, self.described(xml), GENERATED_SITES)

    def test_more_hosts_than_pairs_are_ever_measured_of(self):
        text = '''<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
            <platform version="4.1"><cluster id="all" prefix="h-" suffix="" radical="0-128" speed="5Gf" bw="125MBps"
            lat="24us"/></platform>'''
        xml = self.written("many.xml", text, [f"h-{host}" for host in range(129)])
        found = self.discover(xml)
        self.assertIn("landmarks", " ".join(found["origin"]["not_measured"]))
        self.check(found, self.described(xml), [])


if __name__ == "__main__":
    simulated.unittest.main()
