"""What of a grid is measured, and how many at a time: no grid is made for it."""

import unittest
from itertools import combinations

import grids  # for the path of scripts/

from emulation import measured
from emulation.description import Description, Host, Lan, Link, Site


class Described:
    """As much of a grid as measuring asks for before it measures."""

    def __init__(self, hosts, lan=Lan(), link=Link(5, 50, 80), **changed):
        sites = [Site(f"s{number}", count, lan) for number, count in enumerate(hosts)]
        numbers = range(len(hosts))
        links = {(i, j): link for i in numbers for j in numbers if i != j}
        every = [Host(f"s{site}-{index}", site, index) for site, count in enumerate(hosts) for index in range(count)]
        self.description = Description("made up", sites, every, links | changed.get("links", {}))

    def links(self):
        return self.description.links


def pairs_of(ways):
    return {pair for pair in ways if pair[0] <= pair[1]}


class Measuring(unittest.TestCase):
    def test_all_pairs_of_four_sites_are_measured(self):
        ways = measured.ways_of(Described([4, 4, 4, 4]))
        self.assertEqual(len(ways), 16)
        self.assertEqual(measured.draw(ways, pairs_of(ways)), pairs_of(ways))

    def test_a_site_of_one_host_has_no_inside(self):
        for hosts in ([1], [1, 1], [1, 2, 1, 253]):
            ways = measured.ways_of(Described(hosts))
            self.assertEqual({pair for pair in ways if pair[0] == pair[1]},
                             {(site, site) for site, count in enumerate(hosts) if count > 1})
            self.assertEqual(measured.draw(ways, pairs_of(ways)) <= pairs_of(ways), True)

    def test_of_many_sites_some_pairs_are_drawn_the_same_every_time(self):
        ways = measured.ways_of(Described([2] * 60))
        drawn = measured.draw(ways, pairs_of(ways))
        self.assertTrue(4 <= len(drawn) < 100, drawn)
        self.assertEqual(drawn, measured.draw(ways, pairs_of(ways)))

    def test_at_least_one_pair_however_long_it_takes(self):
        ways = measured.ways_of(Described([1, 1, 1], link=Link(60000, 0.001, 100)))
        self.assertEqual(len(measured.draw(ways, pairs_of(ways))), 1)

    def test_batches_hold_every_pair_once_and_share_no_site(self):
        for rate in (1, 20, 100, 1000, 0):
            ways = measured.ways_of(Described([2, 3, 1, 5, 2], Lan(rate_mbit=10000), Link(3, rate, 80)))
            pairs = sorted(ways)
            batches = list(measured.batches(ways, pairs))
            self.assertEqual(sorted(pair for batch in batches for pair in batch), pairs)
            for batch in batches:
                for one, other in combinations(batch, 2):
                    self.assertFalse(set(one) & set(other))
                self.assertTrue(len(batch) == 1 or sum(ways[pair].rate for pair in batch) <= measured.TOGETHER)

    def test_the_least_limit_on_the_way_is_described(self):
        links = {(0, 1): Link(5, 0, 80)}
        ways = measured.ways_of(Described([2, 2], Lan(rate_mbit=300), links=links))
        self.assertEqual((ways[0, 1].rate, ways[1, 0].rate, ways[0, 0].rate), (300, 50, 300))
        self.assertEqual(measured.ways_of(Described([2, 2], Lan(rate_mbit=0), links=links))[0, 1].rate, 0)

    def test_what_is_off(self):
        way = measured.ways_of(Described([2, 2]))[0, 1]
        for milliseconds, ok in ((5, True), (5.69, True), (5.71, False), (4.31, True), (4.29, False),
                                 (float("inf"), False)):
            self.assertEqual(measured.delay_row(way, milliseconds / 1e3).ok, ok)
        for mbit, ok in ((47.8, True), (43.1, True), (43.0, False), (52.6, True), (52.7, False), (0, False)):
            self.assertEqual(measured.rate_row(way, mbit * 125e3).ok, ok)


if __name__ == "__main__":
    unittest.main()
