"""On a simulated platform models can be held to what they claim: the multiport is right, the poly-model knows who is."""

import itertools
import json
import random

import simulated

OPTIONS = ("--ops", "bcast,gatherv", "--bytes", "64:64K:x16", "-o", "found.json", "--format", "json")

# MB/s of the hosts' cards, behind one switch.
CARDS = [12.5] * 3 + [37.5] * 2 + [125] * 7 + [312.5] * 2 + [1250] * 4


def mixed_cards():
    """A description in SimGrid's words of hosts with these cards, in no order; their names; the rank of a fast one."""
    cards = random.Random(1).sample(CARDS, len(CARDS))
    text = ['<?xml version="1.0"?>', '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
            '<platform version="4.1">', '<zone id="all" routing="Full">']
    for host, card in enumerate(cards):
        text.append(f'<host id="h{host}" speed="5Gf"/>')
        text += [f'<link id="{way}{host}" bandwidth="{card}MBps" latency="25us"/>' for way in ("up", "down")]
    for one, other in itertools.permutations(range(len(cards)), 2):
        text.append(f'<route src="h{one}" dst="h{other}" symmetrical="NO"><link_ctn id="up{one}"/>'
                    f'<link_ctn id="down{other}"/></route>')
    return "\n".join(text + ["</zone>", "</platform>"]), [f"h{host}" for host in range(len(cards))], cards.index(1250)


class Models(simulated.TestCase):
    def alone(self, *arguments):
        """The command outside of a simulation, with one rank on one host of the platform."""
        return self.succeed("ucd16", *arguments, options=("-n", 1))

    def test_the_best_model_is_found_and_used(self):
        done = self.simulate("ucd16", "models", *OPTIONS)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("timing collectives in", done.stderr)
        found = json.loads(done.stdout)
        errors = found["errors"]
        self.assertLess(errors["multiport"]["median"], 0.02)
        self.assertLess(errors["multiport"]["worst"], 0.2)
        self.assertLess(errors["poly"]["median"], 0.05)
        self.assertGreater(errors["hockney"]["median"], 0.1)  # else this would tell nothing
        self.assertEqual({(choice["op"], choice["bytes"]) for choice in found["choices"]},
                         {(op, size) for op in ("bcast", "gatherv") for size in (64, 1024, 16384)})

        plan = ("plan", "bcast", "--bytes", "1K", "--platform", "found.json", "--format", "json")
        (choice,) = [one for one in found["choices"] if (one["op"], one["bytes"]) == ("bcast", 1024)]
        planned = json.loads(self.alone(*plan))
        self.assertEqual(planned["ranks"], 16)
        # What is taken there may be in other segments.
        self.assertLessEqual(planned["predicted_s"], choice["predicted_s"] * 1.02)
        self.assertEqual(json.loads(self.alone(*plan, "--model", "plogp"))["model"], "plogp")
        self.assertEqual(json.loads(self.alone("models", "--platform", "found.json", *OPTIONS[:4], "--format", "json"))
                         ["choices"], found["choices"])

    def discover(self, platform, *arguments):
        done = self.simulate(platform, "discover", *arguments)
        self.assertEqual(done.returncode, 0, done)

    def measured_and_predicted(self, platform, op, algorithm, *options, size="128K"):
        done = self.simulate(platform, "bench", op, "--bytes", size, "--impl", "tombolo", "--algorithm", algorithm,
                             "--format", "csv", *options)
        self.assertEqual(done.returncode, 0, done)
        head, row = (line.split(",") for line in done.stdout.splitlines()[:2])
        times = dict(zip(head, row))
        return float(times["median_s"]), float(times["predicted_s"])

    def test_a_discovery_alone_predicts_hosts_of_unlike_cards(self):
        text, hosts, fast = mixed_cards()
        platform = self.folder / "mixed.xml"
        platform.write_text(text)
        (self.folder / "mixed.hosts").write_text("\n".join(hosts) + "\n")
        self.discover(platform, "-o", "mixed.json")
        for op, algorithm in (("reduce", "flat"), ("reduce", "best"), ("allgather", "ring"), ("allgather", "direct")):
            with self.subTest(op=op, algorithm=algorithm):
                measured, predicted = self.measured_and_predicted(platform, op, algorithm, "--root", fast,
                                                                  "--platform", "mixed.json")
                self.assertAlmostEqual(predicted / measured, 1, delta=0.05)

    def test_a_window_on_a_fast_network_costs_what_synchronous_messages_do(self):
        self.discover("uniform64", "--budget", "0.5", "-o", "quick.json")
        for segment in ("1K", "4K"):
            with self.subTest(segment=segment):
                measured, predicted = self.measured_and_predicted(
                    "uniform64", "bcast", "circulant", "--segment", segment, "--window", "3",
                    "--platform", "quick.json", size="16K")
                self.assertAlmostEqual(predicted / measured, 1, delta=0.06)

    def test_a_hurried_discovery_knows_that_messages_await_receives_on_long_links(self):
        self.discover("grid5000", "--budget", 1, "-o", "found.json")
        found = json.loads((self.folder / "found.json").read_text())
        classes = found["models"]["multiport"]["parameters"]["classes"]
        self.assertEqual(len(classes), 20)
        for entry in classes:
            with self.subTest(pairs=entry["pairs"]):
                self.assertAlmostEqual(entry["small_after_posting"], 1000, delta=50)
                self.assertAlmostEqual(entry["large_after_posting"], 3000, delta=100)


if __name__ == "__main__":
    simulated.unittest.main()
