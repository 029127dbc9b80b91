"""An emulated grid as a platform of SimGrid: what `scripts/simulate` runs on, what `tombolo show` makes a platform file
of, and so what bounds are computed for."""

import math
from pathlib import Path

from files import write_whole
from ending import Refused

CORE_GFLOPS = 4  # of a core without a limit; a stated share gets that part of it
NO_LIMIT = "1000000000MBps"
LOOPBACK = 'bandwidth="4000MBps" latency="5us"'  # between processes of a host, whom no description says anything of


def write(description, path):
    """Writes the platform, and beside it the host file (.hosts), rank by rank as `scripts/grid run` places them.

    Rates are those of the line, headers included. Within a site latency_us is shared out evenly to the two hosts' own
    links, and what is between sites is that much shorter, so that all sums are as described. Refused where that is not
    possible."""
    path = Path(path)
    if path.suffix == ".hosts":
        raise Refused(f"'{path}' is the name of a host file", "end it with .xml; the host file is written beside it")
    try:
        write_whole(path, platform(description))
        write_whole(path.with_suffix(".hosts"), host_file(description))
    except OSError as error:
        raise Refused(f"cannot write {error.filename}: {error.strerror}", "name a file that may be written") from None


def host_file(description):
    return "".join(f"{host.name}:{host.processes}\n" if host.processes > 1 else f"{host.name}\n"
                   for host in description.hosts)


def platform(description):
    about = description.name.encode("ascii", "replace").decode().replace("-", " ")
    lines = ["<?xml version='1.0'?>", '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
             f"<!-- the emulated grid {about}; a whole core counts {CORE_GFLOPS} Gflop/s, which is ours -->",
             '<platform version="4.1">', ' <zone id="all.sites" routing="Full">']
    for number in range(len(description.sites)):
        lines += site_zone(description, number)
    lines += between_sites(description)
    return "\n".join([*lines, " </zone>", "</platform>", ""])


def zone_name(description, number):
    """Zones and hosts may not be called alike."""
    name = description.sites[number].name
    return f"site.{name}" if any(host.name == name for host in description.hosts) else name


def bandwidth(mbit):
    return f"{mbit / 8:.9g}MBps" if mbit > 0 else NO_LIMIT


def own_latency(lan):
    """Of one host's link, in us: a message passes two of them."""
    return lan.latency_us / 2


def cores_and_speed(host):
    """(cores, Gflop/s of each): a process uses one core at most, and all of a host's share its limit."""
    limit = host.processes if host.cpu is None else min(host.cpu, host.processes)
    cores = max(math.ceil(limit), 1)
    return cores, CORE_GFLOPS * limit / cores


def site_zone(description, number):
    lan, name = description.sites[number].lan, zone_name(description, number)
    hosts = [host for host in description.hosts if host.site == number]
    lines = [f'  <zone id="{name}" routing="Cluster">']
    for host in hosts:
        cores, speed = cores_and_speed(host)
        lines.append(f'   <host id="{host.name}" speed="{speed:.9g}Gf"' + (f' core="{cores}"/>' if cores > 1 else "/>"))
    lines.append(f'   <router id="{name}.router"/>')
    for host in hosts:
        for way in "up", "down":
            lines.append(f'   <link id="{host.name}.{way}" bandwidth="{bandwidth(lan.rate_mbit)}"'
                         f' latency="{own_latency(lan):.9g}us"/>')
        if host.processes > 1:
            lines.append(f'   <link id="{host.name}.inside" {LOOPBACK} sharing_policy="FATPIPE"/>')
    lines += [f'   <host_link id="{host.name}" up="{host.name}.up" down="{host.name}.down"/>' for host in hosts]
    lines += [f'   <route src="{host.name}" dst="{host.name}"><link_ctn id="{host.name}.inside"/></route>'
              for host in hosts if host.processes > 1]  # SimGrid wants these last
    return [*lines, "  </zone>"]


def between_sites(description):
    lines = []
    for number, site in enumerate(description.sites):
        for way, rate in ("out", site.up_mbit), ("in", site.down_mbit):
            if rate > 0:
                name = zone_name(description, number)
                lines.append(f'  <link id="{name}.{way}" bandwidth="{bandwidth(rate)}" latency="0us"/>')
    routes = []
    for (i, j), link in sorted(description.links.items()):
        here, there = description.sites[i], description.sites[j]
        delay = link.delay_ms * 1000 - own_latency(here.lan) - own_latency(there.lan)
        if delay < 0:
            raise Refused(f"{here.name} and {there.name} are nearer to each other ({link.delay_ms:g} ms) than their "
                          "own hosts are, which a platform of SimGrid cannot say", "give that link a longer delay_ms")
        one, other = zone_name(description, i), zone_name(description, j)
        wide = f"{one}.{other}"
        lines.append(f'  <link id="{wide}" bandwidth="{bandwidth(link.rate_mbit)}" latency="{delay:.9g}us"/>')
        passed = [f"{one}.out"] * (here.up_mbit > 0) + [wide] + [f"{other}.in"] * (there.down_mbit > 0)
        links = "".join(f'<link_ctn id="{each}"/>' for each in passed)
        routes.append(f'  <zoneRoute src="{one}" dst="{other}" gw_src="{one}.router" gw_dst="{other}.router"'
                      f' symmetrical="NO">{links}</zoneRoute>')
    return lines + routes
