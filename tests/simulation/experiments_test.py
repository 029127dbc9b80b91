"""On a simulated platform it is known what every experiment takes: the laboratory must measure that."""

import itertools
import os
import xml.etree.ElementTree
from pathlib import Path

import simulated

EXPERIMENTS = str(Path(os.environ["TOMBOLO_BIN"]) / "experiments")
DESCRIPTION = simulated.SOURCE / "lab/platforms" / "ucd16.xml"
# In the order of Experiment::Kind.
ROUND_TRIP, ONE_TO_TWO, SATURATION, SEND_OVERHEAD, RECEIVE_OVERHEAD, TRAIN, EXCHANGE, LATE_RECEIVE, LATE_ARRIVAL = range(9)

LARGEST_ERROR = 0.01
# What ranks tell each other between experiments may meet those of others.
LARGEST_DIFFERENCE = 0.005
# As scripts/simulate asks SimGrid to: what sending and receiving take a processor, what is left of a rate, from where on
# a message is a rendezvous of three crossings. An acknowledgement takes a twentieth of what it acknowledges.
OVERHEAD = 2e-6
USABLE = 0.97
RENDEZVOUS = 65521
BOTH_WAYS = 1.05


def experiment(kind, a, b, c=-1, there=0, back=0, count=1, delay=0.0):
    return (kind, a, b, c, there, back, count, round(delay * 1e12))


class Cluster:
    """What a message takes between the hosts of a cluster with one switch."""

    def __init__(self):
        links = {link.get("id"): link for link in xml.etree.ElementTree.parse(DESCRIPTION).iter("link")}
        hosts = DESCRIPTION.with_suffix(".hosts").read_text().split()
        ups = [links[f"{host}-up"] for host in hosts]
        self.latencies = [float(up.get("latency").removesuffix("us")) * 1e-6 for up in ups]
        self.rates = [float(up.get("bandwidth").removesuffix("MBps")) * 1e6 * USABLE for up in ups]

    def crossing(self, a, b):
        return self.latencies[a] + self.latencies[b]

    def flow(self, a, b, size):
        return size / min(self.rates[a], self.rates[b])

    def message(self, a, b, size):
        """Until it is there, where the receive has been posted."""
        return self.crossing(a, b) * (3 if size >= RENDEZVOUS else 1) + self.flow(a, b, size)

    def expected(self, kind, a, b, c, there, back, count, delay):
        late = delay * 1e-12
        both = 2 * OVERHEAD  # of the sender and the receiver
        if kind == ROUND_TRIP:
            return self.message(a, b, there) + self.message(b, a, back) + 2 * both
        if kind == ONE_TO_TWO:  # between equal hosts, or of empty messages
            slower = max((b, c), key=lambda other: self.crossing(a, other))
            shared = self.message(a, slower, there) + self.flow(a, b, there)
            return shared + self.message(slower, a, back) + self.flow(b, a, back) + 2 * both + OVERHEAD
        if kind == SATURATION:
            return count * (self.message(a, b, there) + OVERHEAD) + self.message(b, a, 0) + both
        if kind == SEND_OVERHEAD:
            return self.message(a, b, there) if there >= RENDEZVOUS else OVERHEAD
        if kind == RECEIVE_OVERHEAD:
            return OVERHEAD
        if kind == TRAIN:  # of messages that take longer than processors do
            return self.crossing(a, b) + count * self.flow(a, b, there) + self.message(b, a, 0) + 2 * both
        if kind == EXCHANGE:
            return self.message(a, b, there) + (BOTH_WAYS - 1) * self.flow(a, b, there) + both
        if kind == LATE_RECEIVE:
            return late + self.message(a, b, there) if there >= RENDEZVOUS else OVERHEAD
        return self.message(a, b, there) + OVERHEAD  # here messages leave for receives that are posted


def of_each_kind():
    sizes = (0, 20_000, 1_000_000)
    for a, b, there in itertools.product((0, 8, 10), (2, 15), sizes):
        for back in (0, 30_000):
            yield experiment(ROUND_TRIP, a, b, there=there, back=back)
        yield experiment(SATURATION, a, b, there=there, count=20)
        yield experiment(SEND_OVERHEAD, a, b, there=there)
        yield experiment(EXCHANGE, a, b, there=there)
        yield experiment(LATE_RECEIVE, a, b, there=there, delay=0.003)
        yield experiment(LATE_ARRIVAL, a, b, there=there, delay=0.003)
        yield experiment(RECEIVE_OVERHEAD, a, b, back=20_000)
        yield experiment(ONE_TO_TWO, a, b, 5)
        yield experiment(TRAIN, a, b, there=20_000, count=20)
    for there, back in ((20_000, 0), (0, 20_000), (1_000_000, 0)):
        yield experiment(ONE_TO_TWO, 2, 3, 4, there=there, back=back)


def design(ranks, size):
    """What takes the parameters of the LMO model: all pairs, and all triplets with each of their ranks at the root."""
    for there, (a, b) in itertools.product((0, size), itertools.combinations(range(ranks), 2)):
        yield experiment(ROUND_TRIP, a, b, there=there)
    for triplet in itertools.combinations(range(ranks), 3):
        for root in triplet:
            yield experiment(ONE_TO_TWO, root, *(rank for rank in triplet if rank != root), there=size)


class Experiments(simulated.TestCase):
    def measure(self, experiments, least, most, *options):
        """Measurements, messages and seconds that they cost, and their times in seconds."""
        file = self.folder / "experiments"
        file.write_text("".join(" ".join(map(str, one)) + "\n" for one in experiments))
        cost, *times = self.succeed("ucd16", file, least, most, *options, program=EXPERIMENTS).splitlines()
        self.assertEqual(len(times), len(experiments))
        measurements, messages, seconds = cost.split()
        return int(measurements), int(messages), float(seconds), [int(time) * 1e-12 for time in times]

    def test_every_kind_takes_what_the_description_says(self):
        cluster = Cluster()
        experiments = list(of_each_kind())
        for least, options in ((1, ()), (2, ()), (1, ("serial",))):
            measurements, _, _, times = self.measure(experiments, least, 100, *options)
            self.assertEqual(measurements, least * len(experiments))
            for one, time in zip(experiments, times):
                expected = cluster.expected(*one)
                self.assertLessEqual(abs(time / expected - 1), LARGEST_ERROR, one)

    def test_experiments_at_the_same_time_do_not_disturb_one_another(self):
        experiments = list(design(16, 8192))
        measurements, messages, parallel, together = self.measure(experiments, 1, 1)
        self.assertEqual(measurements, len(experiments))
        self.assertLess(messages, 6 * measurements)
        self.assertLess(parallel, 0.4)
        _, _, serial, alone = self.measure(experiments, 1, 1, "serial")
        self.assertGreater(serial, sum(alone))
        self.assertLess(serial, 1.5 * sum(alone))
        for one, time, undisturbed in zip(experiments, together, alone):
            self.assertLessEqual(abs(time / undisturbed - 1), LARGEST_DIFFERENCE, one)


if __name__ == "__main__":
    simulated.unittest.main()
