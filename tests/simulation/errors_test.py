"""Errors inside a simulation end it with a status that is not 0 and one line, as outside, and its output comes at once."""

import subprocess

import simulated

WAITING = """
#include <mpi.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>
int main(int count, char** words) {
  MPI_Init(&count, &words);
  fprintf(stderr, "waiting\\n");
  int seen = 0;
  for (int tenths = 0; tenths < 300 && !seen; ++tenths) {
    poll(NULL, 0, 100);  // SimGrid takes sleeps for simulated ones
    seen = access("go-on", F_OK) == 0;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return seen ? 0 : 1;
}
"""


class Errors(simulated.TestCase):
    def test_of_the_command(self):
        for words, arguments in [
            (["no command"], ()),
            (["'abc'", "--help"], ("matmul", "--size", "abc")),
            (["--root 16", "15"], ("matmul", "--size", 10, "--root", 16)),
            (["missing.npy", "check the path"], ("matmul", "--a", "missing.npy", "--b", "missing.npy")),
            (["--c c.npy", "phantom"], ("matmul", "--size", 10, "--phantom", "--c", "c.npy")),
            (["nowhere"], ("matmul", "--size", 10, "--report", "nowhere/report.json")),
        ]:
            with self.subTest(arguments=arguments):
                self.fail_with(words, "ucd16", *arguments)

    def test_that_one_rank_meets_while_others_wait(self):
        # The root alone has all the counts, and finds that their sum is beyond an int.
        sizes = ("--m", 36000, "--k", 70000, "--n", 2, "--dtype", "float32")
        self.fail_with(["native collective"], "ucd16", "matmul", *sizes, "--algorithm", "rows", "--phantom",
                       "--collectives", "native")

    def test_of_the_wrapper(self):
        for words, platform, options in [
            (["no platform 'nosuch'", "grid5000"], "nosuch", ()),
            (["'--what'", "--help"], "ucd16", ("--what",)),
            (["no selector 'lam'", "mpich"], "ucd16", ("--selector", "lam")),
            (["'0'"], "ucd16", ("--ranks", "0")),
            (["no host file"], "ucd16", ("--hosts", "missing")),
            (["SimGrid says", "no/such"], "ucd16", ("--cfg", "no/such:1")),
        ]:
            with self.subTest(options=options):
                self.fail_with(words, platform, "matmul", "--size", 10, options=options)

    def test_of_the_platform(self):
        (self.folder / "bad.xml").write_text("<platform")
        (self.folder / "bad.hosts").write_text("t1-0\nnobody\n")
        self.fail_with(["SimGrid says"], self.folder / "bad.xml", "matmul", "--size", 10)
        (self.folder / "alone.xml").write_text("<platform")
        self.fail_with(["alone.hosts", "--hosts"], self.folder / "alone.xml", "matmul", "--size", 10)
        self.fail_with(["nobody"], "ucd16", "matmul", "--size", 10, options=("--hosts", "bad.hosts"))
        (self.folder / "empty.hosts").write_text("")
        self.fail_with(["is empty"], "ucd16", "matmul", "--size", 10, options=("--hosts", "empty.hosts"))

    def test_of_the_program(self):
        self.fail_with(["no program"], "ucd16", program="./nothing")
        self.fail_with(["not built for simulation", "smpicxx"], "ucd16", program="/bin/true")

    def test_a_program_that_is_started_without_a_simulation(self):
        done = subprocess.run([simulated.TOMBOLO, "--help"], capture_output=True, text=True, timeout=10)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"\Atombolo: [^\n]+; start it by scripts/simulate[^\n]+\n\Z")

    def test_arguments_arrive_as_they_are(self):
        self.fail_with(["no such  file*.npy"], "ucd16", "matmul", "--a", "no such  file*.npy", "--b", "b")
        self.assertIn("usage", self.succeed("ucd16", "matmul", "--help").lower())

    def test_that_a_program_speaks_while_it_runs(self):
        (self.folder / "waiting.c").write_text(WAITING)
        subprocess.run(("smpicc", "waiting.c", "-o", "waiting"), cwd=self.folder, check=True)
        words = [simulated.SOURCE / "scripts/simulate", "--ranks", "1", "ucd16", "--", "./waiting"]
        with subprocess.Popen(words, cwd=self.folder, stderr=subprocess.PIPE, text=True) as run:
            self.assertEqual(run.stderr.readline(), "waiting\n")
            (self.folder / "go-on").touch()
            self.assertEqual(run.stderr.read(), "")
        self.assertEqual(run.returncode, 0)



if __name__ == "__main__":
    simulated.unittest.main()
