"""A grid as a file says it: sites, hosts, links (docs/grid.md has the format)."""

from dataclasses import dataclass
from pathlib import Path

from ending import Refused
from emulation.tables import Table, read_toml
from places import GRIDS

MOST_SITES = 200  # of which the addresses have room
MOST_HOSTS = 253  # of a site
LEAST_SHARE = 0.01  # of a core, of which Linux takes no less in the periods that are used
MOST_SHARE = 1024


@dataclass(frozen=True)
class Lan:
    rate_mbit: float = 1000  # of each host's link, either direction; 0: no limit
    latency_us: float = 0  # one way, added to what the machine itself takes
    queue_kb: float = 1000


@dataclass(frozen=True)
class Site:
    name: str
    hosts: int
    lan: Lan
    up_mbit: float = 0  # what its hosts share towards other sites; 0: no limit
    down_mbit: float = 0


@dataclass(frozen=True)
class Host:
    name: str
    site: int
    index: int  # within the site
    processes: int = 1
    cpu: float | None = None  # share of a core; None: no limit


@dataclass(frozen=True)
class Link:
    delay_ms: float  # one way
    rate_mbit: float = 0  # 0: no limit
    queue_ms: float = 100  # what would wait longer is dropped


@dataclass(frozen=True)
class Description:
    name: str
    sites: list[Site]
    hosts: list[Host]  # all, site by site
    links: dict[tuple[int, int], Link]  # from one site to another

    def site(self, name):
        for number, site in enumerate(self.sites):
            if site.name == name:
                return number
        raise Refused(f"there is no site '{name}' in {self.name}", "sites are " + names(self.sites))

    def host(self, name):
        for host in self.hosts:
            if host.name == name:
                return host
        raise Refused(f"there is no host '{name}' in {self.name}", "hosts are " + names(self.hosts))


def names(things, most=8):
    some = ", ".join(thing.name for thing in things[:most])
    return some + (f", ... {things[-1].name}" if len(things) > most else "")


def shipped():
    return sorted(path.stem for path in GRIDS.glob("*.toml"))


def path_of(path_or_name):
    text = str(path_or_name)
    if "/" in text or text.endswith(".toml") or Path(text).is_file():
        return Path(text)
    if text not in shipped():
        raise Refused(f"there is no grid '{text}'", f"choose one of {', '.join(shipped())}, or give a file's path")
    return GRIDS / f"{text}.toml"


def load(path_or_name):
    """The description in a file, or of that name among those that are shipped."""
    path = path_of(path_or_name)
    table = read_toml(path)
    lan = read_lan(table.table("lan"), Lan())
    sites, hosts = read_sites(table, lan)
    hosts = with_exceptions(table, hosts)
    links = read_links(table, sites)
    table.end()
    return Description(path.stem, sites, hosts, links)


def read_lan(table, default):
    lan = Lan(table.number("rate_mbit", default.rate_mbit), table.number("latency_us", default.latency_us),
              table.number("queue_kb", default.queue_kb, above=0))
    table.end()
    return lan


def read_sites(table, lan):
    sites, hosts = [], []
    for entry in table.tables("site"):
        name = entry.name("name")
        if name in [site.name for site in sites]:
            raise entry.wrong(f"site '{name}' is there twice", "give each a name of its own")
        site = Site(name, entry.integer("hosts", 1, MOST_HOSTS), read_lan(entry.table("lan"), lan),
                    entry.number("up_mbit", 0), entry.number("down_mbit", 0))
        processes, cpu = read_host(entry, 1, None)
        entry.end()
        hosts += [Host(f"{name}-{index}", len(sites), index, processes, cpu) for index in range(site.hosts)]
        sites.append(site)
    if not 1 <= len(sites) <= MOST_SITES:
        raise table.wrong(f"{len(sites)} sites", f"describe 1 to {MOST_SITES}, each as a [[site]]")
    return sites, hosts


def read_host(entry, processes, cpu):
    processes = entry.integer("processes", 1, 4096, default=processes)
    return processes, entry.number("cpu", cpu, least=LEAST_SHARE, most=MOST_SHARE)


def with_exceptions(table, hosts):
    changed = {host.name: host for host in hosts}
    seen = set()
    for entry in table.tables("host"):
        name = entry.name("name")
        if name not in changed or name in seen:
            why = "is there twice" if name in seen else "belongs to no site"
            raise entry.wrong(f"host '{name}' {why}", f"hosts are {names(hosts)}")
        seen.add(name)
        old = changed[name]
        changed[name] = Host(name, old.site, old.index, *read_host(entry, old.processes, old.cpu))
        entry.end()
    return list(changed.values())


def read_links(table, sites):
    numbers = {site.name: number for number, site in enumerate(sites)}
    links = {}
    for entry in table.tables("link"):
        between = entry.texts("between", 2)
        ends = between or [entry.text("from"), entry.text("to")]
        for end in ends:
            if end not in numbers:
                raise entry.wrong(f"link to site '{end}', which is not there", f"sites are {names(sites)}")
        link = Link(entry.number("delay_ms"), entry.number("rate_mbit", 0), entry.number("queue_ms", 100, above=0))
        entry.end()
        there = (numbers[ends[0]], numbers[ends[1]])
        if there[0] == there[1]:
            raise entry.wrong(f"link from '{ends[0]}' to itself", "what happens inside a site is said by its lan")
        for pair in [there, there[::-1]] if between else [there]:
            if pair in links:
                raise entry.wrong(f"a second link from '{ends[0]}' to '{ends[1]}'", "leave one of them out")
            links[pair] = link
    for i, j in ((i, j) for i in range(len(sites)) for j in range(len(sites)) if i != j):
        if (i, j) not in links:
            pair = f'"{sites[i].name}", "{sites[j].name}"'
            raise table.wrong(f"no link from '{sites[i].name}' to '{sites[j].name}'",
                              f"add [[link]] with between = [{pair}]")
    return links
