"""Unmodified programs under tombolo-run: results as natively, whatever is planned; what passes through, and why."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import starting

SECONDS = 300
# What is done with a message is up to the ranks, how it is called to the MPI library: each of both is there, not each pair.
RANKS = {"mpich": (3, 8), "openmpi": (5,)}


class Unmodified(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def run_program(self, mpi, ranks, *options, hosts=True, program="unmodified", arguments=(), planned=True):
        """The exit status and output of the program, and its report."""
        report = self.folder / "report.json"
        words = starting.command(mpi, ranks, [starting.BIN / f"{program}_{mpi}", *arguments], self.folder / "cache",
                                 "--report", str(report), *options, planned=planned, hosts=hosts)
        done = subprocess.run(words, env=starting.environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=SECONDS)
        calls = []
        if report.exists():
            for communicator in json.loads(report.read_text())["communicators"]:
                calls += communicator["calls"]
        return done, calls

    def check(self, mpi, ranks, *options):
        done, calls = self.run_program(mpi, ranks, *options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("\n0 wrong\n", "\n" + done.stdout, done.stdout + done.stderr)
        return calls

    def test_planned_and_native_calls_in_turns_give_what_they_must(self):
        for mpi in starting.libraries("unmodified"):
            for ranks in RANKS[mpi]:
                with self.subTest(mpi=mpi, ranks=ranks):
                    calls = self.check(mpi, ranks, "--compare")
                    planned = {call["operation"] for call in calls if call["planned"] > 0}
                    self.assertEqual(planned, {"barrier", "bcast", "reduce", "allreduce", "scan", "exscan", "scatterv",
                                               "gatherv", "allgatherv", "reduce_scatter", "alltoallv"})

    def test_corners_are_as_natively(self):
        corners = ("exchanges", "bottom", "operations", "pairs", "groups", "errors", "leaving", "orders", "attributes",
                   "sessions", "many")
        for mpi in starting.libraries("corners"):
            # MPICH over UCX cannot spawn.
            arguments = [*corners, "spawn"] if mpi == "openmpi" else corners
            for ranks in (3, 5) if mpi == "mpich" else (3,):
                natively, _ = self.run_program(mpi, ranks, program="corners", arguments=arguments, planned=False)
                self.assertIn("\n0 wrong\n", "\n" + natively.stdout, natively.stderr)
                for options in (["--compare"], []) if ranks == 3 else (["--compare"],):
                    with self.subTest(mpi=mpi, ranks=ranks, options=options):
                        done, calls = self.run_program(mpi, ranks, *options, program="corners", arguments=arguments)
                        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                        self.assertEqual(done.stdout, natively.stdout)
                        planned = sum(call["planned"] for call in calls if call["operation"] == "alltoallv")
                        self.assertGreater(planned, 20 if options else 3)  # half of all; half of a round of turns

    def test_a_spawned_job_writes_a_report_of_its_own(self):
        if "openmpi" not in starting.libraries("corners"):
            self.skipTest("MPICH over UCX cannot spawn")
        children = (f"env TOMBOLO_LIBRARIES={starting.LIBRARIES} TOMBOLO_CACHE={self.folder} {starting.TOMBOLO_RUN} "
                    f"--report {self.folder}/report.json")
        os.environ["CHILDREN_BY"] = children
        self.addCleanup(os.environ.pop, "CHILDREN_BY")
        done, calls = self.run_program("openmpi", 2, "--report", f"{self.folder}/report.json", program="corners",
                                       arguments=["spawn"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(calls)
        self.assertEqual(len(list(self.folder.glob("report.spawned-*.json"))), 1, list(self.folder.iterdir()))

    def test_ranks_of_an_intercommunicator_are_those_of_both_groups(self):
        for mpi in starting.libraries("corners"):
            done, _ = self.run_program(mpi, 3, program="corners", arguments=["groups"])
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            reports = json.loads((self.folder / "report.json").read_text())["communicators"]
            self.assertEqual(sorted((each["ranks"], each["other_ranks"]) for each in reports if each["other_ranks"] > 0),
                             [(1, 2), (2, 1)])
            done, _ = self.run_program(mpi, 3, "--report", str(self.folder / "report.txt"), program="corners",
                                       arguments=["groups"])
            text = (self.folder / "report.txt").read_text()
            self.assertIn(", 1 rank and 2 of another group\n", text)
            self.assertIn(", 2 ranks and 1 of another group\n", text)

    def test_errors_of_pinned_reductions_are_those_of_native_ones(self):
        for mpi in starting.libraries("corners"):
            natively, _ = self.run_program(mpi, 3, program="corners", arguments=["errors", "orders"], planned=False)
            done, _ = self.run_program(mpi, 3, "--pinned-order", program="corners", arguments=["errors", "orders"])
            self.assertEqual((done.returncode, done.stdout), (0, natively.stdout), done.stderr)

    def test_counts_that_change_with_every_call_do_not_pile_up(self):
        done, calls = self.run_program("mpich", 3, program="corners", arguments=["uneven"])
        self.assertEqual((done.returncode, done.stdout), (0, "0 wrong\n"), done.stderr)
        gathers = [call for call in calls if call["operation"] == "allgatherv"]
        self.assertEqual(sum(call["planned"] + sum(call["passed"].values()) for call in gathers), 400)
        self.assertLess(len(gathers), 300)

    def test_communicators_without_end_are_put_together(self):
        done, calls = self.run_program("mpich", 3, program="corners", arguments=["many"])
        self.assertEqual((done.returncode, done.stdout), (0, "0 wrong\n"), done.stderr)
        reduced = [call for call in calls if call["operation"] == "allreduce"]
        self.assertEqual(sum(call["planned"] + sum(call["passed"].values()) for call in reduced), 2 * 1500)
        self.assertLess(len(reduced), 110)

    def test_orders_of_ranks_without_end_do_not_pile_up(self):
        done, _ = self.run_program("mpich", 8, program="corners", arguments=["reordered"])
        self.assertEqual((done.returncode, done.stdout), (0, "0 wrong\n"), done.stderr)

    def test_calls_that_have_to_progress_elsewhere_are_counted(self):
        for mpi in starting.libraries("corners"):
            done, calls = self.run_program(mpi, 3, "--compare", program="corners", arguments=["later"])
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("0 wrong\n", done.stdout)
            by_reason = {}
            for call in calls:
                for reason, times in call["passed"].items():
                    by_reason.setdefault(reason, {})[call["operation"]] = times
            # Each operation once, the forms with equal and with other counts being one; alltoallw beside them.
            self.assertEqual(by_reason["non-blocking"], {
                "barrier": 1, "bcast": 1, "reduce": 1, "allreduce": 1, "scan": 1, "exscan": 1, "scatterv": 2,
                "gatherv": 2, "allgatherv": 2, "alltoallv": 2, "reduce_scatter": 2})
            self.assertEqual(by_reason["datatypes"], {"alltoallv": 1})
            if mpi == "mpich":
                self.assertEqual(by_reason["persistent"], {"bcast": 1})

    def test_the_default_gives_what_it_must_too(self):
        calls = self.check("mpich", 5)
        self.assertGreater(sum(call["passed"].get("first calls", 0) for call in calls), 0)

    def test_ranks_that_come_late_do_not_count_and_turns_come_again(self):
        for mpi in starting.libraries("late"):
            # On a platform that is said to be slow, plans are sought at once.
            self.run_program(mpi, 4, program="late", arguments=["1"])
            measured, = (file for file in (self.folder / "cache").glob("*.json") if not file.name.endswith(".plans.json"))
            slow = json.loads(measured.read_text())
            measured.unlink()
            for host in slow["hosts"]:
                host["latency_ps"] = 10_000_000_000
            (self.folder / "slow.json").write_text(json.dumps(slow))
            platform = ("--platform", str(self.folder / "slow.json"))
            for calls in (20, 4000):
                with self.subTest(mpi=mpi, calls=calls):
                    done, rows = self.run_program(mpi, 4, *platform, program="late", arguments=[str(calls)])
                    self.assertEqual((done.returncode, done.stdout), (0, "0 wrong\n"), done.stderr)
                    row, = (each for each in rows if each["operation"] == "allreduce")
                    if calls == 20:
                        self.assertLess(max(row["planned_call_s"], row["native_call_s"]), 0.01)
                        self.assertGreater(row["planned_call_s"], 0)
                    else:
                        self.assertGreaterEqual(row["passed"]["native asked for"], 8)

    def test_reductions_pass_through_where_that_is_asked_for(self):
        for call in self.check("mpich", 3, "--compare", "--native-reductions"):
            if call["operation"] in ("reduce", "allreduce", "scan", "exscan", "reduce_scatter"):
                self.assertEqual(call["planned"], 0, call)

    def test_pinned_reductions_have_the_bits_of_the_order_of_ranks(self):
        for mpi in starting.libraries("pinned"):
            with self.subTest(mpi=mpi):
                done, _ = self.run_program(mpi, 5, program="pinned", planned=False)
                self.assertNotEqual(done.stdout, "0 with other bits\n", "natively another order should show")
            runs = ((3, ("--compare",), True), (5, (), False), (8, (), True))
            for ranks, options, hosts in runs if mpi == "mpich" else runs[:2]:
                with self.subTest(mpi=mpi, ranks=ranks):
                    done, calls = self.run_program(mpi, ranks, "--pinned-order", *options, hosts=hosts, program="pinned")
                    self.assertEqual((done.returncode, done.stdout), (0, "0 with other bits\n"), done.stderr)
                    # What moves data; reductions themselves only without any.
                    planned = {call["operation"] for call in calls if call["planned"] > 0}
                    if "--compare" in options:
                        self.assertEqual(planned, {"gatherv", "allgatherv", "alltoallv"})
                    for call in calls:
                        if call["operation"] not in ("gatherv", "allgatherv", "alltoallv"):
                            self.assertEqual(set(call["passed"]), {"no data" if hosts else "one host"}, call)

    def test_buffers_on_cuda_devices_are_planned_as_others_are(self):
        driver = starting.LIBRARIES / "fake_cuda" / "libcuda.so.1"
        for mpi in starting.libraries("devices"):
            for ranks in RANKS[mpi]:
                with self.subTest(mpi=mpi, ranks=ranks):
                    done, calls = self.run_program(mpi, ranks, "--compare", program="devices", arguments=[driver])
                    self.assertEqual((done.returncode, done.stdout), (0, "0 wrong\n"), done.stderr)
                    planned = {call["operation"] for call in calls if call["planned"] > 0}
                    self.assertEqual(planned, {"bcast", "reduce", "allreduce", "scan", "exscan", "scatterv",
                                               "gatherv", "allgatherv", "reduce_scatter", "alltoallv"})

    def test_tools_above_see_all_calls_and_those_below_the_rest(self):
        for mpi in starting.libraries("endings"):
            tool = starting.LIBRARIES / f"libtool_{mpi}.so"
            program = starting.BIN / f"endings_{mpi}"
            preload = f"{starting.LIBRARIES}/libwait_in_kernel.so:{starting.LIBRARIES}/libseveral_hosts_{mpi}.so"
            served = (f"env TOMBOLO_LIBRARIES={starting.LIBRARIES} TOMBOLO_CACHE={self.folder} {starting.TOMBOLO_RUN} "
                      f"--mpi {mpi}")
            for where, script in (("above", f'{served} sh -c \'LD_PRELOAD="{tool}:$LD_PRELOAD" exec {program}\''),
                                  ("below", f"LD_PRELOAD=$LD_PRELOAD:{tool} exec {served} {program}")):
                with self.subTest(mpi=mpi, where=where):
                    words = [*starting.launcher(mpi, 4), shutil.which("env"), f"LD_PRELOAD={preload}", "sh", "-c", script]
                    done = subprocess.run(words, env=starting.environment(), stdin=subprocess.DEVNULL, capture_output=True,
                                          text=True, timeout=SECONDS)
                    self.assertEqual((done.returncode, done.stderr.count("plans collectives")), (0, 1), done.stderr)
                    counted = "12 calls\nafter MPI_Finalize\n" if where == "above" else "after MPI_Finalize\n"
                    self.assertTrue(done.stdout.endswith(counted), done.stdout)

    def test_on_one_host_all_calls_pass_through(self):
        done, calls = self.run_program("mpich", 3, hosts=False)
        self.assertIn("passes all calls through: all ranks are on one host", done.stderr)
        self.assertTrue(calls)
        for call in calls:
            self.assertEqual(call["planned"], 0, call)
            self.assertLessEqual(set(call["passed"]), {"one host", "communicator"}, call)

    def test_what_cannot_be_kept_is_named_once(self):
        (self.folder / "cache").write_text("not a folder")
        done, _ = self.run_program("mpich", 3)
        self.assertEqual((done.returncode, done.stderr.count("tombolo: ")), (0, 1), done.stderr)
        self.assertIn(", not kept for later runs: cannot write ", done.stderr)
        self.assertIn(", not kept for later runs: ", json.loads((self.folder / "report.json").read_text())["platform"])
        (self.folder / "cache").unlink()
        self.run_program("mpich", 3)
        kept, = (file for file in (self.folder / "cache").glob("*.json") if not file.name.endswith(".plans.json"))
        plans = kept.with_suffix(".plans.json")
        plans.unlink(missing_ok=True)
        plans.mkdir()
        done, _ = self.run_program("mpich", 3, "--compare")
        self.assertEqual((done.returncode, done.stderr.count("tombolo: ")), (0, 2), done.stderr)
        self.assertIn("tombolo: the plans of this run are not kept for later ones: cannot write ", done.stderr)
        self.assertIn("; plans not kept ", json.loads((self.folder / "report.json").read_text())["platform"])

    def test_a_platform_that_cannot_be_read_is_named_and_calls_pass_through(self):
        done, calls = self.run_program("mpich", 3, "--quiet", f"--platform={self.folder / 'none.json'}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("none.json", done.stderr)
        for call in calls:
            self.assertLessEqual(set(call["passed"]), {"no platform", "communicator"}, call)


class Command(unittest.TestCase):
    def refusal(self, *words):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PMI_", "OMPI_"))}
        done = subprocess.run([starting.TOMBOLO_RUN, *words], env=environment, capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_mistakes_are_refused_in_one_line(self):
        self.assertIn("put tombolo-run behind it", self.refusal("mpiexec.mpich", "-n", "2", "true"))
        self.assertIn("cannot tell which MPI library", self.refusal("true"))
        self.assertIn("no program", self.refusal("--quiet"))
        self.assertIn("no option --plain", self.refusal("--plain", "true"))
        self.assertIn("--report without its value", self.refusal("--report"))
        self.assertIn("no program there-is-none", self.refusal("there-is-none"))
        self.assertIn("not executable; chmod +x", self.refusal(str(Path(__file__).with_name("CMakeLists.txt"))))
        self.assertIn("add --report FILE", self.refusal("--compare", "true"))
        self.assertIn("no folder there-is-none", self.refusal("--report", "there-is-none/report", "true"))
        self.assertIn("no MPI library lam", self.refusal("--mpi", "lam", "true"))
        self.assertIn("no MPI library lam", self.refusal("--mpi=lam", "true"))
        self.assertIn("leave the other out", self.refusal("--native-reductions", "--pinned-order", "true"))
        self.assertIn("is linked to libmpich.so.12; leave --mpi out",
                      self.refusal("--mpi=openmpi", str(starting.BIN / "unmodified_mpich")))

    def test_ranks_refuse_in_one_line_together(self):
        for mpi in starting.libraries("endings"):
            program = str(starting.BIN / f"endings_{mpi}")
            # The last is rank 0's alone.
            for words in (["there-is-none"], ["--plain", program], ["--report", "there-is-none/report", program]):
                with self.subTest(mpi=mpi, words=words):
                    done = subprocess.run([*starting.launcher(mpi, 3), starting.TOMBOLO_RUN, *words],
                                          env=starting.environment(), stdin=subprocess.DEVNULL, capture_output=True,
                                          text=True, timeout=60)
                    self.assertEqual(done.returncode, 2)
                    self.assertEqual(done.stderr.count("tombolo-run: "), 1, done.stderr)

    def test_a_refusal_to_a_process_that_a_rank_starts_does_not_end_the_run(self):
        for mpi in starting.libraries("endings"):
            words = [*starting.launcher(mpi, 3), starting.BIN / f"endings_{mpi}", "starts", f"{starting.TOMBOLO_RUN} --plain"]
            done = subprocess.run(list(map(str, words)), env=starting.environment(), stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (0, "after MPI_Finalize\n"), done.stderr)
            self.assertIn("no option --plain", done.stderr)

    def test_a_program_that_changes_its_folder_finds_and_leaves_files_in_the_first_one(self):
        for mpi in starting.libraries("endings"):
            with self.subTest(mpi=mpi), tempfile.TemporaryDirectory() as folder:
                words = starting.command(mpi, 3, [starting.BIN / f"endings_{mpi}", "moves"], "cache", "--report", "report")
                done = subprocess.run(words, env=starting.environment(), stdin=subprocess.DEVNULL, capture_output=True,
                                      text=True, timeout=SECONDS, cwd=folder)
                self.assertEqual((done.returncode, done.stdout), (0, "after MPI_Finalize\n"), done.stderr)
                self.assertTrue((Path(folder) / "report").exists())
                self.assertTrue(list((Path(folder) / "cache").glob("*.json")), done.stderr)

    def test_programs_with_the_address_sanitizer_run(self):
        for mpi in starting.libraries("sanitized"):
            for words in ([str(starting.BIN / f"sanitized_{mpi}")],
                          ["--mpi", mpi, "sh", "-c", f"{starting.BIN}/sanitized_{mpi}; exit $?"]):
                with self.subTest(mpi=mpi, words=words):
                    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", UCX_MEM_EVENTS="n",
                                       TOMBOLO_LIBRARIES=str(starting.LIBRARIES))
                    done = subprocess.run([starting.TOMBOLO_RUN, *words], env=environment, stdin=subprocess.DEVNULL,
                                          capture_output=True, text=True, timeout=SECONDS)
                    self.assertEqual((done.returncode, done.stdout), (0, "after MPI_Finalize\n"), done.stderr)

    def other_pairs(self):
        """A library and the launcher of the other one."""
        return (("mpich", "openmpi"), ("openmpi", "mpich")) if len(starting.libraries("endings")) == 2 else ()

    def run_one(self, launcher, *words, options=()):
        """One rank by a launcher, which has to have a report afterwards where its MPI library is served."""
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.txt"
            words = starting.command(launcher, 1, words, Path(folder) / "cache", "--report", str(report), *options,
                                     hosts=False)
            done = subprocess.run(words, env=starting.environment(), stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, timeout=SECONDS)
            return done, report.exists()

    def test_a_program_of_the_other_library_behind_a_shell_gets_its_own(self):
        for own, other in self.other_pairs():
            with self.subTest(program=own):
                program = f"{starting.BIN}/endings_{own} status 'a  b'; exit $?"
                done, reported = self.run_one(other, "sh", "-c", program)
                self.assertEqual((done.returncode, done.stdout, reported), (7, "after MPI_Finalize\n", True), done.stderr)

    def test_a_program_that_also_loads_the_other_library_keeps_its_own(self):
        for own, other in self.other_pairs():
            with self.subTest(program=own):
                loads = f'LD_PRELOAD="$LD_PRELOAD:{starting.LIBRARIES}/libloaded_{other}.so"'
                done, reported = self.run_one(own, "sh", "-c", f"{loads} exec {starting.BIN}/endings_{own} status")
                self.assertEqual((done.returncode, done.stdout, reported), (7, "after MPI_Finalize\n", True), done.stderr)

    def test_the_other_library_in_an_interpreter_is_refused_in_one_line(self):
        for own, other in self.other_pairs():
            with self.subTest(library=own):
                library = starting.LIBRARIES / f"libloaded_{own}.so"
                script = f"import ctypes; print(ctypes.CDLL('{library}').ranks_of_run())"
                done, _ = self.run_one(other, sys.executable, "-c", script)
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(done.stderr.count(f"say tombolo-run --mpi {own}"), 1, done.stderr)
                done, reported = self.run_one(other, sys.executable, "-c", script, options=["--mpi", own])
                self.assertEqual((done.returncode, done.stdout, reported), (0, "1\n", True), done.stderr)

    def test_processes_of_the_other_library_are_told_that_each_is_alone(self):
        for own, other in self.other_pairs():
            with self.subTest(program=own), tempfile.TemporaryDirectory() as folder:
                words = starting.command(other, 2, [starting.BIN / f"endings_{own}", "finalize"], Path(folder) / "cache",
                                         hosts=False)
                done = subprocess.run(words, env=starting.environment(), stdin=subprocess.DEVNULL, capture_output=True,
                                      text=True, timeout=SECONDS)
                self.assertEqual(done.stderr.count(f"each is alone; start it by mpiexec.{own}"), 1, done.stderr)
                self.assertEqual(done.stdout.replace("\n", ""), 2 * "after MPI_Finalize")  # mpiexec may cut lines

    def test_ranks_without_the_library_end_the_run_in_one_line(self):
        program = starting.BIN / "unmodified_mpich"
        served = f"env TOMBOLO_LIBRARIES={starting.LIBRARIES} {starting.TOMBOLO_RUN}"
        script = f'[ "$PMI_RANK" = 1 ] && exec {program}; exec {served} {program}'
        done = subprocess.run([*starting.launcher("mpich", 3), shutil.which("sh"), "-c", script], env=starting.environment(),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("not all ranks of MPI_COMM_WORLD run under tombolo-run"), 1, done.stderr)

    def test_words_of_the_environment_that_are_none_end_the_run_in_one_line(self):
        for variable, word in (("TOMBOLO_REDUCTIONS", "pined"), ("TOMBOLO_COMPARE", "yes")):
            with self.subTest(variable=variable), tempfile.TemporaryDirectory() as folder:
                words = starting.command("mpich", 2, [starting.BIN / "unmodified_mpich"], Path(folder) / "cache")
                done = subprocess.run(words, env={**starting.environment(), variable: word}, stdin=subprocess.DEVNULL,
                                      capture_output=True, text=True, timeout=SECONDS)
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stderr, rf"tombolo: {variable}: '{word}' is not one of ")


if __name__ == "__main__":
    unittest.main()
