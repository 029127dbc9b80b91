"""What cannot be resumed, and what a run that goes on finds wrong."""

import os
import signal
import subprocess
import time
import unittest

import resuming
import tombolo

NO_FALLOCATE = r"""
#include <errno.h>
#include <sys/types.h>
int fallocate(int file, int mode, off_t from, off_t bytes) { return errno = EOPNOTSUPP, -1; }
int fallocate64(int file, int mode, off_t from, off_t bytes) { return errno = EOPNOTSUPP, -1; }
"""


class ResumeErrors(resuming.TestCase):
    def test_what_an_earlier_run_has_left_is_not_lost(self):
        for command in (self.matmul(), self.transpose("--checkpoint-every", "0.001s")):
            with self.subTest(command=command[0]):
                self.disturb(command, 3, 2)
                at = command.index("--checkpoint-every")
                for words in (command, command[:at] + command[at + 2 :]):
                    self.fail_with(["c.npy.partial holds finished panels of an earlier run", "--resume", "remove c.npy.partial"],
                                   *words, ranks=2)
                (self.folder / "c.npy.partial").unlink()
                self.succeed(*command, ranks=2)
                self.check_result(command[0])

    def test_what_a_run_has_left_that_was_killed_before_its_first_panel_is_removed_with_a_line(self):
        run = self.start(self.matmul(every="1h"), 2, 0)
        while not (self.folder / "c.npy.partial.journal").exists() and run.poll() is None:
            time.sleep(0.001)
        os.kill(self.started[0], signal.SIGKILL)
        run.communicate(timeout=resuming.SECONDS)
        result = self.run_here("matmul", "--a", "a.npy", "--b", "b.npy", "--c", "c.npy", ranks=2)
        self.assertEqual((result.status, result.err),
                         (0, "tombolo: c.npy.partial of an earlier run held no finished panel and was removed\n"))
        self.check_result("matmul")

    def test_a_file_that_is_only_called_partial_is_kept(self):
        (self.folder / "c.npy.partial").write_bytes(b"mine")
        for command in (self.matmul(), (*self.matmul(), "--resume"), self.transpose(),
                        ("matmul", "--a", "a.npy", "--b", "b.npy", "--c", "c.npy")):
            with self.subTest(command=command):
                self.fail_with(["c.npy.partial is there, and no record of finished panels", "move it away"], *command, ranks=2)
        self.assertEqual((self.folder / "c.npy.partial").read_bytes(), b"mine")

    def test_other_input_is_refused(self):
        transpose = self.transpose("--resume")
        self.disturb(self.matmul(), 3, 2)
        resumed = (*self.matmul(), "--resume")
        self.fail_with(["c.npy.partial is of a run whose command is matmul, and here command is transpose"], *transpose,
                       ranks=2)
        kept = (self.folder / "a.npy").stat()
        os.utime(self.folder / "a.npy", ns=(0, kept.st_mtime_ns + 1))
        file = f"a.npy of {8 * resuming.M * resuming.K + 128} bytes, changed "
        self.fail_with(["c.npy.partial is of a run whose A is ", file, "remove c.npy.partial"], *resumed, ranks=2)
        os.utime(self.folder / "a.npy", ns=(0, kept.st_mtime_ns))
        first = (self.folder / "a.npy").read_bytes()
        (self.folder / "a.npy").write_bytes(first[:-8] + bytes(8))
        os.utime(self.folder / "a.npy", ns=(0, kept.st_mtime_ns))  # as a copy may have it
        self.fail_with(["c.npy.partial is of a run whose A is ", file, "samples"], *resumed, ranks=2)
        (self.folder / "a.npy").write_bytes(first)
        os.utime(self.folder / "a.npy", ns=(0, kept.st_mtime_ns))
        other = self.load("b.npy")[:, :-1]
        before = (self.folder / "b.npy").read_bytes()
        self.save("b.npy", other)
        self.fail_with(["c.npy.partial is of a run whose B is ", "remove c.npy.partial"], *resumed, ranks=2)
        (self.folder / "b.npy").write_bytes(before)
        self.fail_with(["whose B is "], *resumed, ranks=2)

    def test_a_damaged_journal(self):
        self.disturb(self.matmul(), 3, 3)
        journal = self.folder / "c.npy.partial.journal"
        whole = journal.read_bytes()
        lines = whole.splitlines(keepends=True)
        for content, words in (
            (whole.replace(b'"panel"', b'"banal"', 1), "the checksum of line 2 is not that of its content"),
            (b"text\n" * 3, "the checksum of line 1"),
            (b"".join(lines[1:]), "line 1"),
        ):
            journal.write_bytes(content)
            self.fail_with(["c.npy.partial.journal", words, "remove c.npy.partial"], *self.matmul(), "--resume", ranks=2)
        journal.write_bytes(whole[:-20])  # its writer was killed
        self.finish(self.matmul(), 2, len(lines) - 2)

    def test_a_file_that_is_not_what_was_written(self):
        how = ("--held", "distributed", "--algorithm", "rows", "--shares", "equal")
        for command, again, words in ((self.matmul(*how), self.matmul(*how, every="1h"), "C"),
                                      (self.transpose("--resume"), self.transpose("--resume"), "B")):
            with self.subTest(command=command[0]):
                recorded = self.disturb(command, 3, 3)
                with open(self.folder / "c.npy.partial", "r+b") as file:
                    file.seek(136)
                    file.write(b"\1")
                failed = self.run_here(*command, "--resume", ranks=2)
                self.assertNotEqual(failed.status, 0)
                self.assertRegex(failed.out, rf"\nWRONG: the file does not hold rows 0 to \d+ and columns 0 to \d+ of {words} "
                                             r"as rank 0 wrote them; --resume does their panel again\n")
                self.assertRegex(failed.err, r"\Atombolo: [^\n]+; [^\n]+\n\Z")
                self.assertFalse((self.folder / "c.npy").exists())
                self.assertGreaterEqual(self.recorded(), recorded - 1)
                panels = self.finish(again, 3, self.recorded())  # what is missing is one block, if blocks may take long
                self.assertEqual(panels["done"], 1)

    def test_a_wrong_block_is_named_and_not_recorded(self):
        through = self.preloading(tombolo.WRONG_BLAS)
        for held in ("root", "distributed"):
            with self.subTest(held=held):
                command = self.matmul("--held", held, "--algorithm", "rows", "--shares", "equal", "--root", 1)
                recorded = self.disturb(command, 3, 3)
                failed = self.run_here(*command, "--resume", ranks=3, through=through)
                self.assertNotEqual(failed.status, 0)
                self.assertRegex(failed.out, r"\nWRONG: row \d+ of C, from rank [0-2], is ")
                self.assertRegex(failed.err, r"\Atombolo: rows \d+ to \d+ and columns 0 to \d+ of C are wrong, so its file did not get its name; "
                                             r"--resume [^\n]+\n\Z")
                self.finish(command, 2, recorded)

    def test_two_runs_at_once(self):
        run = self.start(self.matmul(), 2, 2)
        os.kill(run.pid, signal.SIGSTOP)
        stopped = self.processes_of()
        try:
            for rank in stopped:
                os.kill(rank, signal.SIGSTOP)
            for more in ([], ["--resume"]):
                self.fail_with(["cannot write c.npy.partial: another run writes it"], *self.matmul(), *more, ranks=2)
        finally:
            for process in [*stopped, run.pid]:
                os.kill(process, signal.SIGCONT)
        self.assertEqual((run.communicate(timeout=resuming.SECONDS)[1], run.returncode), ("", 0))
        self.check_result("matmul")

    def test_a_full_disk(self):
        if os.geteuid() != 0:
            self.skipTest("only root mounts a small file system")
        through = self.preloading(NO_FALLOCATE)
        disk = self.folder / "disk"
        disk.mkdir()
        self.transpose()
        for command in (self.matmul(), self.transpose("--resume")):
            mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100M", "tmpfs", str(disk)], capture_output=True)
            if mounted.returncode != 0:
                self.skipTest(f"no file system can be mounted: {mounted.stderr.decode().strip()}")
            try:
                words = [word.replace("c.npy", "disk/c.npy") if isinstance(word, str) else word for word in command]
                run = self.start(words, 2, 2, through, "disk")
                tombolo.send(self.started, signal.SIGSTOP)
                with open(disk / "other", "wb", buffering=0) as other:  # fills what the file has not taken yet
                    try:
                        while True:
                            other.write(bytes(1 << 20))
                    except OSError:
                        pass
                tombolo.send(self.started, signal.SIGCONT)
                err = run.communicate(timeout=resuming.SECONDS)[1]
                self.assertNotEqual(run.returncode, 0)
                self.assertRegex(err, r"\Atombolo: cannot write disk/c.npy[^\n]*: No space left on device; [^\n]+\n\Z")
                self.assertFalse((disk / "c.npy").exists())
                recorded = self.recorded("disk")
                self.assertGreaterEqual(recorded, 2)
                (disk / "other").unlink()
                self.succeed(*words, "--resume", ranks=3)
                self.assertEqual(self.report("r.json")["panels"]["finished_before"], recorded)
                (disk / "c.npy").rename(disk / "done")
                (self.folder / "c.npy").write_bytes((disk / "done").read_bytes())
                self.assertEqual([file.name for file in disk.iterdir()], ["done"])
                self.check_result(command[0])
            finally:
                subprocess.run(["umount", str(disk)], check=True)

    def test_options_that_do_not_go_together(self):
        for words, more in (
            (["--resume without --c"], ("matmul", "--size", 10, "--resume")),
            (["--checkpoint-every without --c"], ("matmul", "--size", 10, "--checkpoint-every", "5m")),
            (["--resume and --reference"], (*self.matmul(), "--resume", "--reference")),
            (["--resume and --trace"], (*self.matmul(), "--resume", "--trace", "t.csv")),
            (['"5 passes" is no interval of time; state one such as 90s, 10m or 2h'], self.matmul(every="5 passes")),
            (["'soon' is no interval"], self.matmul(every="soon")),
            (["--resume without --in and --out"], ("transpose", "--size", 10, "--resume")),
            (["--resume and --in-place"], ("transpose", "--in", "a.npy", "--out", "c.npy", "--resume", "--in-place")),
        ):
            with self.subTest(words=words):
                self.fail_with(words if "soon" not in words[0] else ["soon"], *more, ranks=0)


if __name__ == "__main__":
    unittest.main()
