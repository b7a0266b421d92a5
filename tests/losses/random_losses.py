#!/usr/bin/env python3
"""Runs k-means by several processes while its workers, its coordinator and its group's store are lost at random, and
checks that nothing hangs, that the files are those that one process writes, and that nothing is left behind.

    random_losses.py PROGRAM [--runs 100] [--seed N] [--jobs 2]

Run number i has the seed N + i; a finding says how to see it again. Exit status 1 if there is one, 77 if no run can have
workers here. Events that need what is missing (a Redis server, gloo, the right to mount) are left out, which it says.
"""

import argparse
import array
import collections
import concurrent.futures
import ctypes
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

LONGEST = 60  # seconds that a run may take, whatever happens
PATIENCE = 20  # seconds after which no process of an ended run may live
NOTICED = 1.5  # seconds after which a run has said that its notes are gone
SERVERS = ("/usr/bin/redis-server", "/usr/bin/redis-check-rdb")  # Debian's redis-tools has the server under this name
OUTPUTS = ("labels.csv", "centroids.csv", "report.json")
OTHERS = {"deep/file": b"mine", "secret": b"mine", "over": b"mine", "run.kinescope.json": b"mine"}
# What each report of the run has, whoever computed it; the rest says who did, and in what time.
RESULTS = ("points", "iterations", "inertia", "bic", "aic", "converged", "sizes", "empty_clusters", "restarts", "sweep")

def write_data(folder):
    """Files for the runs that read one, which differ from row to row and have few distinct values."""
    rows = [(i % 127, i % 1009, i * i % 97) for i in range(20_000)]
    (folder / "data.csv").write_text("a,b,c\n" + "".join("%d,%d,%d\n" % row for row in rows))
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (20000, 3), }".ljust(117) + b"\n"
    values = array.array("f", (value for row in rows for value in row))
    (folder / "data.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + values.tobytes())


# What is computed, and in how many iterations; most take one to three seconds on two cores. Through the network an
# iteration takes longer, so that there are fewer of them.
CONFIGURATIONS = {
    "many clusters": ("synthetic:gaussians,n=10000,k=4,clusters=12", ["clusters=64", "start=random"], 2400),
    "k-means++": ("synthetic:gaussians,n=20000,k=3,clusters=5", ["clusters=20"], 2000),
    "table": ("data.csv", ["clusters=8", "start=random", "normalize=zscore"], 2400),
    "array": ("data.npy", ["clusters=30", "start=random"], 2000),
    "few rows": ("synthetic:gaussians,n=300,k=2", ["clusters=150", "start=random"], 4000),
    "restarts": ("data.csv", ["clusters=12", "start=random", "restarts=4"], 500),
    "sweep": ("data.npy", ["sweep=2:5", "start=random"], 120)}
BY_NETWORK = 6  # times fewer iterations


def words_of(name, by_network):
    data, settings, iterations = CONFIGURATIONS[name]
    settings = settings + ["stop=iterations", f"iterations={iterations // (BY_NETWORK if by_network else 1)}"]
    return ["run", "k-means", "--backend", "cpu", "--data", data, *(word for each in settings for word in ("--set", each))]


class Finding(Exception):
    pass


def text_of(path):
    return path.read_bytes() if path.exists() else b""


class Folder:
    """A group in a folder, on a file system of its own if one can be mounted."""

    def __init__(self, place, can_mount):
        self.place = place / "store"
        self.place.mkdir()
        self.mounted = can_mount
        if can_mount:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", self.place], check=True)
        self.group = self.place / "kinescope-group"
        self.address = str(self.place)
        self.kept = True  # the run can be resumed from what is there, once no fault holds
        self.lost_at = None  # when its notes were removed
        self.faults, self.healed_at = set(), 0
        self.mine = {f"others/{name}": data for name, data in OTHERS.items()}
        for name, data in self.mine.items():
            (self.place / name).parent.mkdir(parents=True, exist_ok=True)
            (self.place / name).write_bytes(data)
        self.moved = False

    def events(self):
        """Pairs of an event and what ends it, if something does."""
        pairs = [("removed", None), ("replaced", None), ("linked", None), ("read-only", "writable"),
                 ("notes removed", None), ("notes are pipes", None)]
        return pairs + [("full", "freed")] * (2 if self.mounted else 0)

    def happens(self, event, rng):
        if event == "freed":
            (self.place / "filler").unlink(missing_ok=True)
            self.heals("full")
        elif event == "full":
            self.faults.add(event)
            with open(self.place / "filler", "wb", 0) as file:
                try:
                    while file.write(bytes(4096)):
                        pass
                except OSError:
                    pass
        elif not self.group.is_dir() or self.group.is_symlink() or self.moved:
            return
        elif event in ("read-only", "writable"):
            self.group.chmod(0o500 if event == "read-only" else 0o700)
            (self.faults.add if event == "read-only" else self.heals)("read-only")
        elif event == "notes are pipes":
            self.kept = False
            names = [path.name for path in self.group.iterdir()]
            latest = max([int(name.split("-")[1]) for name in names if re.fullmatch(r"generation-\d+", name)], default=0)
            for name in rng.sample(sorted(names), min(2, len(names))) + [f"generation-{latest + 1}", "worker-6"]:
                self.changes(lambda name=name: ((self.group / name).unlink(missing_ok=True), os.mkfifo(self.group / name)))
        else:
            self.changes(lambda: self.group.chmod(0o700))
            self.heals("read-only")
            self.kept = False
            if event in ("replaced", "linked"):
                self.happens("freed", rng)  # the other folder takes room
                self.group.rename(self.place / "moved")
                self.moved = True
            if event == "replaced":
                self.group.mkdir(0o700)
                self.mine["kinescope-group/thesis.txt"] = b"mine"
                (self.group / "thesis.txt").write_bytes(b"mine")
            elif event == "linked":
                self.group.symlink_to(self.place / "others")
            else:
                for path in self.group.iterdir():
                    self.changes(path.unlink)
                if event == "removed":
                    self.changes(self.group.rmdir)
                self.lost_at = time.monotonic()

    def heals(self, fault):
        if fault in self.faults:
            self.faults.discard(fault)
            self.healed_at = time.monotonic()

    @staticmethod
    def changes(change):
        """The group may end, or replace its notes, at any time."""
        try:
            change()
        except OSError:
            pass

    def began(self):
        return (self.group / "coordinator").exists()

    def heal(self):
        self.happens("freed", None), self.happens("writable", None)

    def left(self, ended_well):
        """What is there that should not be, or the other way round; `ended_well`: the last run had this group."""
        found = {str(path.relative_to(self.place)): path.read_bytes() if path.is_file() else None
                 for path in self.place.rglob("*") if not path.is_dir() or path.is_symlink()}
        for path in ("kinescope-group", "moved"):  # a folder that is empty counts too
            if (self.place / path).is_dir() and not (self.place / path).is_symlink():
                found.setdefault(path + "/", None)
        expected = dict(self.mine)
        if self.moved:
            expected["moved/"] = None
        if self.moved and (self.place / "kinescope-group").is_symlink():
            expected["kinescope-group"] = None
        elif self.moved:
            expected["kinescope-group/"] = None
        wrong = [name for name in expected if name not in found or found[name] != expected[name]]
        more = [name for name in found if name not in expected] if ended_well else []
        return wrong + more

    def remove(self):
        if self.mounted:
            subprocess.run(["umount", "-l", self.place], check=True)


class Redis:
    """A group on a server of its own."""

    def __init__(self, place, server):
        self.place, self.server = place / "redis", server
        self.place.mkdir()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"redis://127.0.0.1:{self.port}/run"
        self.kept, self.lost_at, self.faults, self.process = True, None, set(), None
        self.healed_at = 0  # from when on the run can reach it again; one that does not answer is not asked for a while
        self.start()

    def start(self):
        words = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.place)]
        self.process = subprocess.Popen(words, executable=self.server, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while self.process.poll() is None and self.ask("PING") != b"+PONG\r\n":
            time.sleep(0.01)
        self.faults.clear()
        self.healed_at = time.monotonic() + 0.5

    def ask(self, command):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.sendall(command.encode() + b"\r\n")
                return connection.recv(1 << 16)
        except OSError:
            return b""

    def events(self):
        return [("killed", None), ("forgets", "starts"), ("stops", "starts"), ("paused", "goes on"), ("flushed", None),
                ("full", "freed")]

    def happens(self, event, _):
        alive = self.process is not None
        if event == "starts":
            if not alive:
                self.start()
        elif not alive:
            return
        elif event in ("killed", "forgets", "stops"):
            self.happens("goes on", None)
            (self.place / "dump.rdb").unlink(missing_ok=True)
            if event == "stops":
                self.ask("SAVE")
            else:
                self.kept = False
            self.faults.add("down")
            self.remove()
        elif event == "paused":
            self.faults.add(event)
            self.process.send_signal(signal.SIGSTOP)
        elif event == "goes on":
            if "paused" in self.faults:
                self.healed_at = time.monotonic() + 2.5
            self.faults.discard("paused")
            self.process.send_signal(signal.SIGCONT)
        elif "paused" in self.faults:
            return
        elif event == "flushed":
            self.ask("FLUSHALL")
            self.kept, self.lost_at = False, time.monotonic()
        else:
            self.ask(f"CONFIG SET maxmemory {1 if event == 'full' else 0}")
            (self.faults.add if event == "full" else self.faults.discard)("full")

    def began(self):
        return self.ask("EXISTS kinescope:run:coordinator") == b":1\r\n"

    def heal(self):
        for event in ("goes on", "freed"):
            self.happens(event, None)
        self.happens("starts", None)

    def left(self, ended_well):
        return [] if not ended_well or self.ask("KEYS *") == b"*0\r\n" else ["keys on the server"]

    def remove(self):
        if self.process is not None:
            self.process.kill(), self.process.wait()
            self.process = None


class Run:
    """One run with what happens to it."""

    def __init__(self, seed, place, means):
        self.rng = rng = random.Random(seed)
        self.place, self.means = place, means
        self.name = rng.choice(list(CONFIGURATIONS))
        self.drops = rng.random() < 0.15
        self.store = (Redis(place, means.server) if means.server and rng.random() < 0.5 else Folder(place, means.can_mount))
        self.way = ["--listen", "127.0.0.1"] if means.has_network and rng.random() < 0.5 else []
        self.result = (self.name, bool(self.way))
        self.command = [*words_of(*self.result), "--threads", "2", "--workers", str(rng.randint(2, 5)), "--group", self.store.address, "--timeout",
                        rng.choice(["0.3", "1", "1"]), *self.way, *(["--set", "on_loss=drop"] if self.drops else [])]
        # Most runs are disturbed only once they have a group; before that, a run may rightly refuse to begin.
        self.early = rng.random() < 0.1
        self.schedule = self.drawn()
        self.happened, self.processes, self.coordinators, self.stopped = [], [], [], {}
        self.tag = f"KINESCOPE_RANDOM_LOSSES={place}"

    def drawn(self):
        """What happens when: times in seconds, in order."""
        rng, schedule = self.rng, []
        processes = [("kill a worker", None), ("stop a worker", "continue a worker"), ("a worker joins", None),
                     ("kill the run", "resume the run"), ("stop the run", "continue the run")]
        for _ in range(rng.randint(1, 5)):
            begin, end = rng.choice(processes if rng.random() < 0.5 else self.store.events())
            when = rng.uniform(0, 2.5)
            schedule.append((when, begin))
            if end and rng.random() < 0.8:
                schedule.append((when + rng.uniform(0.05, 2.5), end))
        return sorted(schedule)

    # Processes

    def start(self, words):
        log = self.place / f"errors-{len(self.processes)}"
        with open(log, "wb") as errors:
            process = subprocess.Popen([self.means.program, *words], cwd=self.place / "out", stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=errors, env=self.environment())
        process.log, process.words = log, words
        self.processes.append(process)
        return process

    def environment(self):
        return {**os.environ, "TMPDIR": str(self.place / "tmp"), **dict([self.tag.split("=")])}

    def start_run(self, *more):
        outputs = ["--out", OUTPUTS[0], "--centroids", OUTPUTS[1], "--report", OUTPUTS[2]]
        run = self.start([*self.command, *outputs, *more])
        # It may refuse to begin if what it needs is not there, or goes away meanwhile.
        run.excused = bool(self.store.faults) or not self.store.kept or self.early
        self.coordinators.append(run)

    def living(self, kind=b""):
        """The processes of this run, in /proc."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if self.tag.encode() in (path / "environ").read_bytes() and kind in (path / "cmdline").read_bytes():
                    found.append(int(path.name))
            except OSError:
                pass
        return sorted(found)

    def send(self, process, number):
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass

    # Events

    def happens(self, event):
        run = self.coordinators[-1]
        self.happened.append((time.monotonic() - self.began, event))
        if event in ("kill a worker", "stop a worker"):
            workers = [each for each in self.living(b"\0work\0") if each not in self.stopped]
            if not workers:
                return
            chosen = self.rng.choice(workers)
            if event == "stop a worker":
                self.stopped[chosen] = True
            self.send(chosen, signal.SIGKILL if event == "kill a worker" else signal.SIGSTOP)
        elif event == "continue a worker":
            for worker in list(self.stopped)[:1]:
                self.send(worker, signal.SIGCONT)
                del self.stopped[worker]
        elif event == "a worker joins":
            self.start(["work", "--group", self.store.address, "--threads", "1", "--backend", "cpu", *self.way])
        elif event == "kill the run":
            run.kill(), run.wait()
        elif event == "resume the run":
            if run.poll() is not None and not self.is_over():
                self.start_run("--resume")
        elif event in ("stop the run", "continue the run"):
            if run.poll() is None:
                run.send_signal(signal.SIGSTOP if event == "stop the run" else signal.SIGCONT)
        else:
            self.store.happens(event, self.rng)
            if len(self.coordinators) > 1:
                run.excused = run.excused or bool(self.store.faults) or not self.store.kept

    def is_over(self):
        return self.coordinators[-1].poll() == 0

    def wait(self, until, most):
        end = time.monotonic() + most
        while time.monotonic() < end:
            if until():
                return True
            time.sleep(0.01)
        return False

    def go(self):
        for name in ("out", "tmp"):
            (self.place / name).mkdir()
        for name in ("data.csv", "data.npy"):
            os.link(self.means.data / name, self.place / "out" / name)
        self.start_run()
        self.began = time.monotonic()
        first = self.coordinators[0]
        if not self.early:
            self.wait(lambda: self.store.began() or first.poll() is not None, 10)
            self.began = time.monotonic()
        for when, event in self.schedule:
            self.wait(self.is_over, self.began + when - time.monotonic())
            if self.is_over():
                break
            self.happens(event)
        self.end()
        self.check()

    def end(self):
        """Waits for the end of the run. If it was killed and has not been resumed yet, resumes it once all faults are over."""
        run = self.coordinators[-1]
        for worker in self.stopped:  # some stay as they are
            if self.rng.random() < 0.5:
                self.send(worker, signal.SIGCONT)
        if run.poll() is None:
            run.send_signal(signal.SIGCONT)
        if not self.wait(lambda: run.poll() is not None, LONGEST):
            raise Finding(f"the run hangs: {self.where(run)}")
        self.ended = time.monotonic()
        if not self.is_over():
            self.store.heal()
            self.happened.append((time.monotonic() - self.began, "resume the run in the end"))
            self.start_run("--resume")
            run = self.coordinators[-1]
            if not self.wait(lambda: run.poll() is not None, LONGEST):
                raise Finding(f"the resumed run hangs: {self.where(run)}")
            self.ended = time.monotonic()
        for worker in self.stopped:
            self.send(worker, signal.SIGCONT)
        if not self.wait(lambda: not self.living(), PATIENCE):
            raise Finding(f"processes are left: {[self.where_is(each) for each in self.living()]}")

    def has_result(self):
        """A run that was killed while it ended has removed its group, but written its files before."""
        expected = self.means.alone(*self.result)
        try:
            return all(self.same(name, expected) for name in OUTPUTS)
        except ValueError:
            return False

    def where_is(self, process):
        try:
            return (pathlib.Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()[:60],
                    pathlib.Path(f"/proc/{process}/stat").read_text().split()[2])
        except OSError:
            return process

    def where(self, run):
        return f"{[self.where_is(each) for each in self.living()]}; it said {run.log.read_text()!r}"

    # Checks

    def same(self, name, expected):
        found = text_of(self.place / "out" / name)
        if name != "report.json":
            return found == expected[name]
        report, known = json.loads(found), json.loads(expected[name])
        return all(report.get(key) == known.get(key) for key in RESULTS)

    def check(self):
        last = self.coordinators[-1]
        for process in self.processes:
            process.wait()
            self.check_words(process)
        if last.returncode == 0:
            self.check_result()
        names = set(os.listdir(self.place / "out")) - {"data.csv", "data.npy"}
        if any(run.returncode == -signal.SIGKILL for run in self.coordinators):  # one may be killed while it writes
            names = {name for name in names if not name.startswith(".kinescope-")}
        if last.returncode == 0 and names != set(OUTPUTS) or names - set(OUTPUTS):
            raise Finding(f"the run left {sorted(names)}")
        if left := os.listdir(self.place / "tmp"):
            raise Finding(f"temporary files are left: {left}")
        # The notes are removed once the results are written; the process itself may be stopped after that.
        times = [os.stat(self.place / "out" / name).st_mtime for name in names & set(OUTPUTS)]
        written = max(times, default=0) - time.time() + time.monotonic()
        reached = not self.store.faults and self.store.healed_at < written
        if left := self.store.left(last.returncode == 0 and reached):
            raise Finding(f"not as it should be: {left}")

    def check_words(self, process):
        text = process.log.read_text()
        lines = text.splitlines()
        told = sum("store is lost" in line for line in lines)
        wrong = told > 1 or any(not line.startswith(("kinescope: ", "  ")) or "unexpectedly" in line for line in lines)
        if process.words[0] == "work":
            wrong = wrong or process.returncode not in (0, 1, 2, -signal.SIGKILL)
        elif process.returncode not in (0, -signal.SIGKILL):
            wrong = wrong or not process.excused and not self.has_result()
            wrong = wrong or not re.fullmatch(r"kinescope: error: (--group|--resume): .*\n", text)
        if process.words[0] == "work" and process.returncode in (1, 2):
            wrong = wrong or not re.fullmatch(r"kinescope: error: .*\n", text)
        if wrong:
            raise Finding(f"{process.words[0]} ended with {process.returncode} and said {text!r}")
        hidden = {"kill the run", "stop the run", "paused", "killed", "forgets", "stops"}
        if (process is self.coordinators[0] and told == 0 and self.store.lost_at and self.ended > self.store.lost_at + NOTICED
                and not hidden & {event for _, event in self.happened}):
            raise Finding(f"it did not say that its notes are gone, but {text!r}")

    def check_result(self):
        expected = self.means.alone(*self.result)
        report = json.loads(text_of(self.place / "out" / "report.json"))
        if self.drops and (report["lost"] or len(self.coordinators) > 1):
            # The result depends on when rows were left out, but each row has a label, and the sizes are those of the labels.
            labels = [line.split(b",")[0] for line in text_of(self.place / "out" / "labels.csv").splitlines()[1:]]
            sizes = sorted(collections.Counter(labels).values())
            if sizes != sorted(size for size in report["sizes"] if size > 0):
                raise Finding("the sizes are not those of the labels")
            return
        for name in OUTPUTS:
            if not self.same(name, expected):
                raise Finding(f"{name} is not that of one process")

    def remove(self):
        for process in self.living():
            self.send(process, signal.SIGKILL)
        for process in self.processes:
            process.wait()
        self.store.remove()


class Means:
    """What there is to run with, and the results of one process, each computed once."""

    def __init__(self, program, folder):
        self.program, self.data = os.path.abspath(program), folder
        self.server = next((path for path in SERVERS if os.path.exists(path)), None)
        refusal = self.refusal("redis://127.0.0.1:1/run", [])
        if "without hiredis" in refusal:
            self.server = None
        self.has_network = "without gloo" not in self.refusal("/nowhere", ["--listen", "127.0.0.1"])
        self.can_run = "kinescope: error: --group" in self.refusal("/nowhere", [])
        place = folder / "mount"
        place.mkdir()
        self.can_mount = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", place], capture_output=True).returncode == 0
        if self.can_mount:
            subprocess.run(["umount", place], check=True)
        self.known, self.lock = {}, threading.Lock()

    def refusal(self, group, more):
        return subprocess.run([self.program, "run", "k-means", "--workers", "1", "--group", group, *more],
                              capture_output=True, text=True).stderr

    def alone(self, *result):
        with self.lock:
            if result not in self.known:
                with tempfile.TemporaryDirectory(dir=self.data) as place:
                    for name in ("data.csv", "data.npy"):
                        os.link(self.data / name, pathlib.Path(place, name))
                    subprocess.run([self.program, *words_of(*result), "--out", OUTPUTS[0], "--centroids", OUTPUTS[1], "--report",
                                    OUTPUTS[2]], cwd=place, check=True, capture_output=True)
                    self.known[result] = {name: pathlib.Path(place, name).read_bytes() for name in OUTPUTS}
            return self.known[result]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    # Root may write into a folder that is read-only, unless it gives up the right to (CAP_DAC_OVERRIDE).
    ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="random-losses-") as name:
        folder = pathlib.Path(name)
        write_data(folder)
        means = Means(arguments.program, folder)
        if not means.can_run:
            print("no run can have workers here")
            return 77
        for there, what in ((means.server, "a Redis server"), (means.has_network, "gloo"), (means.can_mount, "the right to mount")):
            if not there:
                print(f"without {what}")

        events, seconds = collections.Counter(), []

        def one(seed):
            place = folder / f"run-{seed}"
            place.mkdir()
            run = Run(seed, place, means)
            begin = time.monotonic()
            try:
                run.go()
                wrong = ""
            except Finding as finding:
                wrong = str(finding)
            finally:
                run.remove()
            seconds.append(time.monotonic() - begin)
            events.update(event for _, event in run.happened)
            if not wrong:
                shutil.rmtree(place)
                return False
            print(f"seed {seed} ({run.name}): {wrong}\n  {shlex.join([arguments.program, *run.command])}")
            print("".join(f"  {when:6.2f} s {event}\n" for when, event in run.happened) +
                  f"  again: {sys.argv[0]} {arguments.program} --runs 1 --seed {seed}", flush=True)
            return True

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            findings = sum(pool.map(one, range(arguments.seed, arguments.seed + arguments.runs)))
    print(f"{arguments.runs} runs in {time.monotonic() - began:.0f} s, the longest {max(seconds):.1f} s; {findings} findings; "
          + ", ".join(f"{count} × {event}" for event, count in sorted(events.items())))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
