"""Programs that know nothing of Tombolo: how each is made, what it is given, and which of its lines are its result."""

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

SOURCES = Path(__file__).resolve().parent / "mpi"
PYTHON = "/usr/bin/python3"  # the one that Debian's packages are for


@dataclass
class Listed:
    mpi: str
    what: str
    needs: str  # Debian packages
    program: tuple  # words; one that names a file of mpi/ is compiled
    result: str  # a regular expression: lines that have to be equal in all runs
    flags: tuple = ()  # of the compiler
    files: dict = field(default_factory=dict)  # input by name, in the folder it runs in
    before: tuple = ()  # a command that makes input, by one process
    output: str = ""  # a file with the result; else stdout
    ranks: int | None = None  # the most it can use


MELT = """\
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 12 0 12 0 12
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
fix 1 all nve
thermo 1
run 100
"""
SILICON_ATOM = """\
 &input
   title='Si', zed=14., rel=1, config='[Ne] 3s2 3p2 3d-2', iswitch=3, dft='PZ'
 /
 &inputp
   pseudotype=1, file_pseudopw='Si.UPF', lloc=2, tm=.true., author='generated'
 /
3
3S 1 0 2.00 0.00 2.10 2.10
3P 2 1 2.00 0.00 2.10 2.10
3D 3 2 -2.00 0.10 2.10 2.10
"""
SILICON = """\
 &control
   calculation='scf', prefix='si', pseudo_dir='.', outdir='.', disk_io='none'
 /
 &system
   ibrav=2, celldm(1)=10.2, nat=2, ntyp=1, ecutwfc=8
 /
 &electrons
   conv_thr=1e-4
 /
ATOMIC_SPECIES
 Si 28.086 Si.UPF
ATOMIC_POSITIONS alat
 Si 0 0 0
 Si 0.25 0.25 0.25
K_POINTS automatic
 1 1 1 0 0 0
"""
HPCC = """\
HPLinpack benchmark input file

HPL.out output file name
8 device out
1 problems
{n} Ns
1 NBs
32 NBs
0 PMAP
1 grids
4 Ps
4 Qs
16.0 threshold
1 PFACTs
2 PFACT
1 NBMINs
4 NBMIN
1 NDIVs
2 NDIV
1 RFACTs
1 RFACT
1 BCASTs
1 BCAST
1 DEPTHs
1 DEPTH
2 SWAP
64 swapping threshold
0 L1
0 U
1 equilibration
8 alignment
##### separator
0 problem sizes for PTRANS
1200 values
0 blocking sizes for PTRANS
40 values
"""

PROGRAMS = {
    "conjugate_gradients": Listed("mpich", "conjugate gradients, C", "", ("conjugate_gradients.c", "128"), "iterations",
                                  flags=("-lm",)),
    "k_means": Listed("mpich", "k-means, Fortran", "", ("k_means.f90",), "labels"),
    "lammps": Listed("openmpi", "LAMMPS, melt of 6,912 atoms", "lammps", ("lmp", "-in", "melt.in", "-log", "none"),
                     r"^ +\d+( +-?[\d.]+){4,}", files={"melt.in": MELT}),
    "espresso": Listed("openmpi", "Quantum ESPRESSO, silicon", "quantum-espresso", ("pw.x", "-in", "si.in"),
                       "^!|estimated scf|has been achieved", files={"atom.in": SILICON_ATOM, "si.in": SILICON},
                       before=("ld1.x", "-in", "atom.in")),
    "poisson": Listed("openmpi", "PETSc, conjugate gradients", "petsc-dev", ("poisson.c", "-side", "192"), "iterations",
                      flags=("pkg-config PETSc",)),
    "transform": Listed("openmpi", "FFTW, two dimensions", "libfftw3-mpi-dev", ("transform.c", "512", "10"), "energy",
                        flags=("-lfftw3_mpi", "-lfftw3", "-lm")),
    "solve": Listed("openmpi", "ScaLAPACK, pdgesv", "libscalapack-openmpi-dev", ("solve.c", "512"), "pdgesv",
                    flags=("-lscalapack-openmpi", "-lm")),
    "regression": Listed("openmpi", "mpi4py, numpy and pickles", "python3-mpi4py python3-numpy",
                         (PYTHON, str(SOURCES / "regression.py"), "100", "20000"), "."),
    "hpcc": Listed("openmpi", "HPC Challenge", "hpcc", ("hpcc",), "^(.*PASSED|.*FAILED|Success|MPIRandomAccess_Err.*)",
                   files={"hpccinf.txt": HPCC.format(n=256)}, output="hpccoutf.txt", ranks=16),
}


def compiler(mpi, source):
    """None for what is no source."""
    return {".c": f"mpicc.{mpi}", ".f90": f"mpifort.{mpi}"}.get(Path(source).suffix)


def prepare(one, folder):
    """The words that start a program, in this folder; None where something is not installed."""
    first, *rest = one.program
    folder.mkdir(parents=True, exist_ok=True)
    if compiler(one.mpi, first):
        flags = []
        for flag in one.flags:
            words = ["pkg-config", "--cflags", "--libs", flag.split()[1]] if flag.startswith("pkg-config ") else None
            flags += subprocess.run(words, capture_output=True, text=True).stdout.split() if words else [flag]
        program = folder / Path(first).stem
        tool = shutil.which(compiler(one.mpi, first))
        made = tool and subprocess.run([tool, "-O2", SOURCES / first, "-o", program, *flags], capture_output=True, text=True)
        if not made or made.returncode != 0:
            return None
        first = str(program)
    elif not shutil.which(first):
        return None
    for name, text in one.files.items():
        (folder / name).write_text(text)
    if one.before:
        subprocess.run(one.before, cwd=folder, capture_output=True, check=True)
    return [first, *rest]


def result(one, folder, said):
    """The lines of a run that are its result."""
    text = (folder / one.output).read_text() if one.output else said
    return [line.rstrip() for line in text.splitlines() if re.search(one.result, line)]
