"""How each MPI library's mpiexec is told to start ranks on hosts of a grid: by its launcher hook, as if by ssh."""

from pathlib import Path

from emulation.addresses import MANAGEMENT, MANAGER, NETWORK, address

LAUNCH = Path(__file__).resolve().parent / "launch"


class Mpich:
    name = "MPICH"
    starter = "mpiexec.mpich"
    package = "mpich"

    @staticmethod
    def slots(host):
        return f"{host.name}:{host.processes}"

    @staticmethod
    def command(launch, hosts, ranks, variables):
        words = [Mpich.starter, "-launcher", "ssh", "-launcher-exec", str(launch), "-localhost", MANAGER, "-f",
                 str(hosts)]
        for name, value in variables.items():
            words += ["-genv", name, value]
        return [*words, "-n", str(ranks)]


class OpenMpi:
    name = "Open MPI"
    starter = "mpirun.openmpi"
    package = "openmpi-bin"

    @staticmethod
    def slots(host):
        return f"{address(host)} slots={host.processes}"

    @staticmethod
    def command(launch, hosts, ranks, variables):
        settings = {
            "plm_rsh_agent": launch,
            "plm_rsh_no_tree_spawn": 1,
            "oob_tcp_if_include": MANAGEMENT,
            "btl_tcp_if_include": NETWORK,
            "btl": "tcp,self",
            "pml": "ob1",
            "mpi_yield_when_idle": 1,
            "orte_base_help_aggregate": 0,
        }
        words = [OpenMpi.starter, "--allow-run-as-root", "--bind-to", "none", "--hostfile", str(hosts)]
        for name, value in settings.items():
            words += ["--mca", name, str(value)]
        for name, value in variables.items():
            words += ["-x", f"{name}={value}"]
        return [*words, "-n", str(ranks)]


KINDS = {"mpich": Mpich, "openmpi": OpenMpi}
