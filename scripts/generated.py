"""Platforms that are drawn by a fixed seed: descriptions for SimGrid, each with its host file."""

import random

SITES = 10  # platforms of sites around a core
OTHERS = 20  # of other kinds
HEAD = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
CARDS = (12.5, 125, 312.5, 1250)  # MB/s: 100 Mbit/s to 10 Gbit/s


def write(file, lines, hosts):
    """A description and its host file; returns the description."""
    body = "\n".join(lines)
    file.write_text(f'{HEAD}<platform version="4.1"><zone id="all" routing="Full">\n{body}\n</zone></platform>\n')
    file.with_suffix(".hosts").write_text("\n".join(hosts) + "\n")
    return file


def ranks_of(number):
    """From 3 to 600 ranks, in equal ratios."""
    return round(3 * 200 ** (number / (SITES - 1)))


def sites(number, folder):
    """A platform of sites around a core, whose hosts' cards and whose lines differ."""
    ranks = ranks_of(number)
    chance = random.Random(1000 + number)
    return write(folder / f"generated{number}.xml", *meshed(chance, ranks, min(ranks, 1 + number % 5 + ranks // 60),
                                                           number % 2 == 1))


def meshed(chance, ranks, sites, shuffled):
    """Sites of equal hosts with a line between any two: the lines of a description, and the hosts."""
    hosts, lines = [], []
    for site in range(sites):
        count = ranks // sites + (site < ranks % sites)
        rate = chance.choice((12.5, 125, 1250))
        latency = chance.uniform(5, 60)
        lines.append(
            f'<cluster id="s{site}" prefix="s{site}-" suffix="" radical="0-{count - 1}"'
            f' speed="{chance.uniform(1, 8):.2f}Gf" bw="{rate}MBps" lat="{latency:.2f}us" router_id="s{site}-router"'
            ' sharing_policy="SPLITDUPLEX"/>'
        )
        hosts += [f"s{site}-{host}" for host in range(count)]
    for a in range(sites):
        for b in range(a + 1, sites):
            rate = chance.choice((2.5, 12.5, 125, 1250))
            latency = 10 ** chance.uniform(1.5, 4.3)
            lines.append(
                f'<link id="l{a}_{b}" bandwidth="{rate}MBps" latency="{latency:.2f}us" sharing_policy="SPLITDUPLEX"/>'
            )
            for start, end, way in ((a, b, "UP"), (b, a, "DOWN")):
                lines.append(
                    f'<zoneRoute src="s{start}" dst="s{end}" gw_src="s{start}-router" gw_dst="s{end}-router"'
                    f' symmetrical="NO"><link_ctn id="l{a}_{b}" direction="{way}"/></zoneRoute>'
                )
    lines.sort(key=lambda line: ("<cluster", "<link", "<zoneRoute").index(line.split()[0]))
    if shuffled:
        chance.shuffle(hosts)
    return lines, hosts


class Tree:
    """Switches below switches, hosts at the ends. What is below a switch shares its line up."""

    def __init__(self):
        self.lines = []
        self.ways = {}  # of each host: its lines on the way up

    def line(self, name, rate, latency):
        self.lines.append(
            f'<link id="{name}" bandwidth="{rate:.4g}MBps" latency="{latency:.2f}us" sharing_policy="SPLITDUPLEX"/>'
        )
        return name

    def host(self, name, speed, rate, latency, above=()):
        self.lines.append(f'<host id="{name}" speed="{speed:.2f}Gf"/>')
        self.ways[name] = (self.line(f"{name}-card", rate, latency), *above)

    def described(self, chance, shuffled):
        """The lines of a description, and the hosts."""
        lines = sorted(self.lines, key=lambda line: ("<host", "<link").index(line.split()[0]))
        for start, up in self.ways.items():
            for end, down in self.ways.items():
                if start == end:
                    continue
                way = [(line, "UP") for line in up if line not in down]
                way += [(line, "DOWN") for line in reversed(down) if line not in up]
                crossed = "".join(f'<link_ctn id="{line}" direction="{which}"/>' for line, which in way)
                lines.append(f'<route src="{start}" dst="{end}" symmetrical="NO">{crossed}</route>')
        hosts = list(self.ways)
        if shuffled:
            chance.shuffle(hosts)
        return lines, hosts


def one_switch(chance):
    """Hosts with mixed cards behind one switch."""
    tree = Tree()
    cards = chance.sample(CARDS, chance.randint(2, 4))
    for host in range(chance.randint(8, 32)):
        tree.host(f"h{host}", chance.uniform(1, 8), chance.choice(cards), chance.uniform(5, 40))
    return tree


def add_rack(tree, chance, name, rate, up_latency, above=()):
    """Hosts with one kind of card that share a line up, which carries less than all of them."""
    count = chance.randint(3, 8)
    up = tree.line(f"{name}-up", rate * count / chance.uniform(1.5, 5), up_latency)
    latency = chance.uniform(5, 40)
    for host in range(count):
        tree.host(f"{name}-{host}", chance.uniform(1, 8), rate, latency, (up, *above))


def racks(chance):
    """Racks that share their lines up, of which some are only a few microseconds long."""
    tree = Tree()
    for rack in range(chance.randint(2, 6)):
        add_rack(tree, chance, f"r{rack}", chance.choice(CARDS[1:]), chance.choice((chance.uniform(1, 5), 40)))
    return tree


def levels(chance):
    """Racks at sites, with long lines between these."""
    tree = Tree()
    for site in range(chance.randint(2, 3)):
        line = tree.line(f"s{site}-line", chance.uniform(5, 100), 10 ** chance.uniform(2.5, 4))
        for rack in range(chance.randint(1, 3)):
            add_rack(tree, chance, f"s{site}r{rack}", chance.choice(CARDS[1:]), chance.uniform(2, 60), (line,))
    return tree


KINDS = {"switch": one_switch, "racks": racks, "sites": None, "levels": levels}


def other(number, folder):
    """A platform of 8 to 48 ranks of one of the KINDS, in turn; every second one of a kind has its ranks shuffled."""
    kind = list(KINDS)[number % len(KINDS)]
    chance = random.Random(2000 + number)
    shuffled = number // len(KINDS) % 2 == 1
    if KINDS[kind]:
        described = KINDS[kind](chance).described(chance, shuffled)
    else:
        described = meshed(chance, chance.randint(8, 32), chance.randint(2, 6), shuffled)
    return write(folder / f"{kind}{number // len(KINDS)}.xml", *described)
