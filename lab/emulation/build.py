"""What `scripts/grid up` makes: namespaces, bridges, hosts' links, cgroups. Nothing of it is in the machine's own
network namespace."""

import math
from pathlib import Path

from emulation import quotas
from emulation import kernel
from emulation.addresses import MANAGER, NETWORK, address, gateway, gateway_mac, mac, management
from emulation.processes import batch
from ending import Refused

MOST_PORTS = 1000  # of a Linux bridge: 1023
FRAME = 1514  # bytes
SETTINGS = {  # of every namespace; what this kernel does not have, it does not need
    "ipv6/conf/default/disable_ipv6": "1",
    "ipv6/conf/all/disable_ipv6": "1",
    "ipv4/tcp_slow_start_after_idle": "0",
    "ipv4/tcp_no_metrics_save": "1",
}


def port(host):
    """A host's end in the fabric, and in the management's namespace."""
    return f"h{host.site}-{host.index}"


def bridge(site):
    return f"br{site}"


def prepare_namespace():
    """Called in a new one."""
    for name, value in SETTINGS.items():
        try:
            Path("/proc/sys/net", name).write_text(value)
        except FileNotFoundError:
            pass
    control = Path("/proc/sys/net/ipv4/tcp_congestion_control")
    try:
        control.write_text("cubic")
    except OSError:
        control.write_text("reno")  # always there; a namespace may not choose what its machine does not allow


def bytes_in(seconds, rate_mbit):
    return round(rate_mbit * 1e6 / 8 * seconds)


def burst(rate_mbit):
    """Bytes that a host's link lets through at once: what its rate carries while the kernel's timers are late."""
    return max(bytes_in(0.5e-3, rate_mbit), 3 * FRAME)


def segments(rate_mbit):
    """Frames that may travel as one."""
    return 44 if rate_mbit == 0 else min(max(bytes_in(136e-6, rate_mbit) // FRAME, 2), 44)


def segmentation(rate_mbit):
    count = segments(rate_mbit)
    size = 65536 if count == 44 else count * 1448 + 100
    return f"gso_max_size {size} gso_max_segs {count}"


def shaped(device, lan):
    if lan.rate_mbit == 0:
        return []
    rate = f"{round(lan.rate_mbit * 1e6)}bit"
    return [f"qdisc add dev {device} root tbf rate {rate} burst {burst(lan.rate_mbit)} "
            f"limit {math.ceil(lan.queue_kb * 1000)}"]


def make_network(grid, through_gateway):
    """Namespaces, bridges and hosts; through_gateway: sites within which frames take the gateway, too."""
    hosts, sites = grid.description.hosts, grid.description.sites
    if len(hosts) > MOST_PORTS:
        raise Refused(f"{len(hosts)} hosts", f"describe {MOST_PORTS} at most")
    for name in (grid.fabric, grid.manage, *map(grid.namespace, hosts)):
        try:
            kernel.make_namespace(name, prepare_namespace)
        except OSError as error:
            raise Refused(f"namespace {name}: {error.strerror}", "run it as root, outside of containers that forbid "
                          "namespaces") from None
    fabric, shapes, known, manage = ["link set lo up"], [], [], ["link set lo up", "link add manage type bridge",
                                                                 f"addr add {MANAGER}/16 dev manage",
                                                                 "link set manage up"]
    for site in range(len(sites)):
        fabric += [f"link add {bridge(site)} type bridge mcast_snooping 0", f"link set {bridge(site)} up"]
    for host in hosts:
        lan, end, inside = sites[host.site].lan, port(host), grid.namespace(host)
        fabric += [f"link add {end} type veth peer name eth0 address {mac(host)} netns {inside}",
                   f"link set {end} master {bridge(host.site)} {segmentation(lan.rate_mbit)} txqueuelen 1000 up"]
        shapes += shaped(end, lan)
        known.append(f"fdb replace {mac(host)} dev {end} master static")
        manage += [f"link add {end} type veth peer name manage netns {inside}", f"link set {end} master manage up"]
    batch("ip", grid.fabric, fabric)
    batch("tc", grid.fabric, shapes)
    batch("bridge", grid.fabric, known)
    batch("ip", grid.manage, manage)
    for host in hosts:
        make_host(grid, host, through_gateway)


def make_host(grid, host, through_gateway):
    lan, name = grid.description.sites[host.site].lan, grid.namespace(host)
    lines = ["link set lo up", f"addr add {address(host)}/24 dev eth0", f"addr add {management(host)}/16 dev manage",
             "link set manage up", f"link set eth0 {segmentation(lan.rate_mbit)} txqueuelen 1000 up",
             f"route add {NETWORK} via {gateway(host.site)} dev eth0"]
    near = [(gateway(host.site), gateway_mac(host.site))]
    for other in grid.description.hosts:
        if other.site == host.site and other != host:
            near.append((address(other), gateway_mac(host.site) if host.site in through_gateway else mac(other)))
    lines += [f"neigh replace {whose} lladdr {where} dev eth0 nud permanent" for whose, where in near]
    batch("ip", name, lines)
    batch("tc", name, shaped("eth0", lan))


# --- CPU shares ------------------------------------------------------------------------------------------------------


def period_us(share):
    """In which a host may use its share: 20 ms, or what makes the share the millisecond that Linux wants at least."""
    return 20000 if share is None else max(20000, math.ceil(quotas.LEAST_QUOTA_US / share))


def make_groups(grid):
    """A cgroup for every host. Returns a warning, or None; without cgroups a grid whose hosts have no limit does."""
    hosts = grid.description.hosts
    limited = [host for host in hosts if host.cpu is not None]
    try:
        version, parent = quotas.find_parent(f"tombolo-grid-{grid.name}-trial")
    except quotas.NoQuotas as why:
        if not limited:
            return None
        raise Refused(f"{grid.description.name} limits the CPU of hosts, and cgroups with a quota cannot be made here "
                      f"({why})", "leave out cpu, or run it where cgroups may be written") from None
    top = parent / f"tombolo-grid-{grid.name}"
    grid.keep(groups=str(top), groups_version=version)
    top.mkdir()
    quotas.share_cpu(version, top)
    for host in hosts:
        grid.group_of(host).mkdir()
        set_share(grid, host, host.cpu)
    total, most = sum(host.cpu for host in limited), quotas.cores(version, parent)
    if total > most + 1e-9:
        return f"hosts' shares add up to {total:g} cores, but here are {most:g}: not all can have theirs at once"
    return None


def set_share(grid, host, share):
    quotas.set_quota(grid.kept["groups_version"], grid.group_of(host), share, period_us(share))
