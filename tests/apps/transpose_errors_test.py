"""What a user of `tombolo transpose` can do wrong, or meet: one line says what it is and what to do, and nothing is left
behind."""

import subprocess

import numpy as np

import tombolo

# Changes one byte of what every native exchange brings.
WRONG_MPI = r"""
typedef long long count;
int PMPI_Alltoallv_c(const void*, const count*, const long*, int, void*, const count*, const long*, int, int);
int MPI_Alltoallv_c(const void* from, const count* sends, const long* at, int type, void* into, const count* receives,
                    const long* places, int into_type, int communicator) {
  int status = PMPI_Alltoallv_c(from, sends, at, type, into, receives, places, into_type, communicator);
  if (receives[0] > 0) ((char*)into)[5] ^= 1;
  return status;
}
"""


class TransposeErrors(tombolo.TestCase):
    def setUp(self):
        super().setUp()
        self.save("a.npy", np.ones((6, 4)))
        (self.folder / "folder").mkdir()

    def refuse(self, words, *arguments, ranks=3, through=()):
        with self.subTest(arguments=arguments):
            return self.fail_with(words, "transpose", *arguments, ranks=ranks, through=through)

    def refuse_a(self, words, name):
        return self.refuse(words, "--in", name, "--out", "b.npy", "--report", "r.json")

    def test_damaged_files(self):
        for name, words in self.save_damaged("a.npy"):
            self.refuse_a(words, name)

    def test_arrays_that_are_no_matrices(self):
        for name, array, words in [
            ("int.npy", np.ones((6, 4), np.int64), ["int.npy", "<i8", "astype('<f8')"]),
            ("big.npy", np.ones((6, 4), ">f8"), ["big.npy", ">f8", "astype('<f8')"]),
            ("cube.npy", np.ones((6, 4, 2)), ["cube.npy", "(6, 4, 2)", "reshape"]),
            ("vector.npy", np.ones(4), ["vector.npy", "(4,)", "reshape"]),
        ]:
            self.save(name, array)
            self.refuse_a(words, name)

    def test_files_that_are_missing_or_no_files(self):
        self.refuse_a(["none.npy", "No such file", "check the path"], "none.npy")
        self.refuse_a(["folder", "a directory", "regular file"], "folder")
        self.refuse_a(["two\\x0alines", "No such file"], "two\nlines")

    def test_hosts_that_do_not_see_the_same_files(self):
        # A rank in another folder is like one on another host, which MPICH is told that all of them are.
        apart = ("env", "MPIR_CVAR_NOLOCAL=1", "bash", "-c", '[[ ${PMI_RANK:-0} != 2 ]] || cd folder; exec "$@"', "bash")
        for arguments in (("--in", "a.npy"), ("--in", "a.npy", "--out", "b.npy")):
            self.refuse(["rank 2 on ", "does not see a.npy", "all hosts share"], *arguments, through=apart)
        self.refuse(["b.npy", "does not see", "all hosts share"], "--size", 5, "--out", "b.npy", through=apart)
        self.save("folder/a.npy", np.ones((6, 5)))
        self.refuse(["a.npy is 6 x 4, float64, on rank 0 and 6 x 5"], "--in", "a.npy", "--out", "b.npy", through=apart)

    def test_outputs_that_cannot_be_written(self):
        for option in ("--out", "--report"):
            small = ("--size", 5, option)
            self.refuse(["none/out", "does not exist", "mkdir -p none"], *small, "none/out")
            self.refuse(["folder", "directory", "name of a file"], *small, "folder")
            self.refuse([option, "''", "--help"], *small, "", ranks=0)
        self.refuse(["--out x", "--report ./x", "different names"], "--size", 5, "--out", "x", "--report", "./x")
        self.refuse(["--in a.npy", "--report ./a.npy", "different names"], "--in", "a.npy", "--report", "./a.npy")

    def test_sizes(self):
        for size in ("0", "-5", "abc", "1.5", "", str(2**64), "nan"):
            self.refuse(["--size", f"'{size}'", "whole number from 1"], "--size", size, ranks=0)
        self.refuse(["GB for its ranks and has", "take a smaller problem"], "--size", "1e6", ranks=1)
        self.refuse(["b.npy: it needs 8000000000000 bytes", "free some space"], "--size", "1e6", "--out", "b.npy")
        self.refuse(["GB for its ranks and has", "take a smaller problem"], "--size", "2e8")
        self.refuse(["GB for its ranks and has", "take a smaller problem"], "--m", 10**12, "--n", 1, "--dtype", "float32")
        for size in ("1e9", "4000000000", 2**62):
            self.refuse(["GB", "take a smaller problem"], "--size", size)
        self.refuse([" GB", "take a smaller problem"], "--m", 2**62, "--n", 1, "--out", "b.npy")

    def test_options_that_do_not_go_together(self):
        for words, arguments in [
            (["no matrix", "--in", "--size"], []),
            (["--in excludes --size", "--help"], ["--in", "a.npy", "--size", 3]),
            (["--in excludes --seed", "--help"], ["--in", "a.npy", "--seed", 3]),
            (["--n is missing", "--size"], ["--m", 3]),
            (["--threads", "--help"], ["--size", 5, "--threads", 1]),
            (["--seed", "'-1'"], ["--size", 5, "--seed", -1]),
            (["--dtype", "'int8'", "complex128, complex64, float32, float64"], ["--size", 5, "--dtype", "int8"]),
            (["--shares", "'1'", "equal, links, speed"], ["--size", 5, "--shares", 1]),
            (["--layout", "'cubes'", "blocks, columns, rows"], ["--size", 5, "--layout", "cubes"]),
            (["--to", "'1'", "blocks, columns, rows"], ["--size", 5, "--to", 1]),
            (["--relabel", "'yes'", "auto, never"], ["--size", 5, "--relabel", "yes"]),
            (["--collectives", "'mpi'", "native, tombolo"], ["--size", 5, "--collectives", "mpi"]),
            (["--phantom", "scripts/simulate"], ["--size", 5, "--phantom"]),
            (["--size", "--help"], ["--size"]),
            (["--no-such-option", "--help"], ["--no-such-option"]),
        ]:
            self.refuse(words, *arguments, ranks=0)

    def test_grids(self):
        blocks = ("--size", 9, "--layout", "blocks")
        self.refuse(["--grid", "PxQ"], *blocks, "--grid=", ranks=0)
        for grid in ("2", "x", "2x", "x3", "0x3", "-1x3", "2x3x4", "2 x 3", "99999999999x1"):
            self.refuse(["--grid", f"'{grid}'", "2x3"], *blocks, f"--grid={grid}", ranks=0)
        self.refuse(["--grid 2x3 has 6 places for 3 ranks", "give --grid 1x3", "start 6 ranks"], *blocks, "--grid", "2x3")
        self.refuse(["--to-grid 2x2 has 4 places", "--to-grid 1x3"], *blocks, "--to-grid", "2x2")
        self.refuse(["--grid 46341x46341 has 2147488281 places"], *blocks, "--grid", "46341x46341")
        self.refuse(["--grid 1x3", "by rows", "add --layout blocks"], "--size", 9, "--grid", "1x3")
        self.refuse(["--to-grid 1x3", "by rows", "add --to blocks"], *blocks, "--to", "rows", "--to-grid", "1x3")

    def test_a_file_that_cannot_be_written_in_the_end(self):
        # 8 MiB: more than MPI's own files, less than B.
        limited = ("bash", "-c", 'ulimit -f 8192 && exec "$@"', "bash")
        self.refuse(["b.npy", "File too large", "ulimit -f"], "--size", 1500, "--out", "b.npy", through=limited)

    def test_a_wrong_transpose_is_found_and_not_written(self):
        source, library = self.folder / "wrong.c", self.folder / "wrong.so"
        source.write_text(WRONG_MPI)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
        preload = ("bash", "-c", f'LD_PRELOAD="$LD_PRELOAD {library}" exec "$@"', "bash")
        for ranks in (2, 3):  # alone, a rank exchanges nothing
            with self.subTest(ranks=ranks):
                words = ("--size", 100, "--collectives", "native", "--out", "b.npy", "--report", "r.json")
                result = self.run_here("transpose", *words, ranks=ranks, through=preload)
                self.assertNotEqual(result.status, 0)
                self.assertRegex(result.err, r"\Atombolo: the transpose is wrong [^\n]+; [^\n]+\n\Z")
                self.assertIn("\nWRONG: ", result.out)
                self.assertIs(self.report("r.json")["verified"], False)
                left = {file.name for file in self.folder.iterdir()}
                self.assertEqual(left, {"a.npy", "folder", "wrong.c", "wrong.so", "r.json"})
