"""Who has which address in an emulated grid: 10.77.SITE.(HOST+1) for what applications send, 172.30.SITE.(HOST+1) for
mpiexec and what it starts. All of them exist in namespaces of the grid only."""

NETWORK = "10.77.0.0/16"
MANAGEMENT = "172.30.0.0/16"
MANAGER = "172.30.255.1"  # where mpiexec runs


def address(host):
    return f"10.77.{host.site}.{host.index + 1}"


def management(host):
    return f"172.30.{host.site}.{host.index + 1}"


def mac(host):
    return f"02:4d:00:{host.site:02x}:{host.index + 1:02x}:01"


def gateway(site):
    return f"10.77.{site}.254"


def gateway_mac(site):
    return f"02:4d:00:{site:02x}:fe:01"


def subnet(site):
    return f"10.77.{site}.0/24"
