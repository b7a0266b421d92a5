#!/usr/bin/env python3
"""Lets single calls of the operating system fail in runs of the program (inject.cpp), and checks how each run ends: with
status 0 and the whole right result, or with status 1 or 2 and one line of error, each file the old one or the whole new
one; never by a signal, never too late, and without files or processes left behind.

    faults.py PROGRAM INJECTOR [--scenario PART] [--kind KIND] [--most N] [--seed S] [--jobs N]

For each scenario, kind and error the first 200 calls fail, each in a run of its own, and 200 others drawn at random; with
--most N, only N calls drawn at random. Exit status 1 if something was found.

On a machine with an NVIDIA GPU, calls of the CUDA run-time library fail in a program that is linked for it:

    LD_LIBRARY_PATH=bundle/lib python3 bundle/tests/faults/faults.py bundle/tests/kinescope_cuda_faults bundle/tests/inject --kind cuda
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parent / "data" / "samples"
sys.path[:0] = [str(HERE), str(HERE.parent / "hostile")]
from samples import png  # noqa: E402

LIMIT = 20  # seconds that a run may take
EVERY, DRAWN = 200, 200

# The errors that calls of a kind return. `short`: half of the bytes; `usual`: what the call returns most often.
KINDS = {
    "write": ("EIO", "ENOSPC", "EINTR", "short"), "fsync": ("EIO",), "close": ("EIO",), "rename": ("EIO", "ENOSPC"),
    "open": ("EMFILE", "EIO"), "read": ("EIO", "EINTR", "short"), "stat": ("EIO",), "allocation": ("ENOMEM",),
    "mapping": ("ENOMEM",), "fork": ("EAGAIN",), "thread": ("EAGAIN",), "socket": ("usual",), "cuda": ("usual",)}

# Libraries that crash or wait for ever when they get no memory or no thread, or when a call that they rely on was not
# made: such an end is counted apart.
FRAGILE = re.compile(r"libcuda\.so|libhiredis|swrast_dri|libgallium|libLLVM|libEGL|libGL|libglapi|libdrm|libarrow|libparquet|libhdf5|libstb")
GLIBC_SAYS = "Fatal glibc error: failed to register TLS destructor: out of memory"  # of any thread_local object
LIBRARIES_SAY = {"Failed to initialize OpenGL loader!"}
SHORT_OF = ("allocation", "mapping", "thread")
OF_THE_LANGUAGE = re.compile(r"lib(c|stdc\+\+|gcc_s|m|inject_preloaded)\.so|ld-linux")


class Scenario(NamedTuple):
    name: str
    words: list  # of the command line
    outputs: tuple = ()
    inputs: dict = {}  # names and bytes
    kinds: tuple = tuple(kind for kind in KINDS if kind not in ("cuda", "socket"))  # cuda: only if it is asked for
    folders: tuple = ()


def table():
    rng = random.Random(1)
    rows = [",".join(f"{rng.gauss(3 * (row % 3), 1):.3f}" for _ in range(4)) for row in range(60)]
    return ("a,b,c,d\n" + "\n".join(rows) + "\n").encode()


def graph():
    edges = [(node, (node * step + 1) % 40) for node in range(40) for step in (2, 3)]
    return b"".join(b"%d %d\n" % edge for edge in edges)


# What ffmpeg wrote before it failed is a video too, and keeps the name.
RECORDED_PART = "the file has the frames up to then"
FFMPEG = b"#!/bin/sh\nprintf '\\000\\000\\000\\010moof'\nexec cat\n"


def scenarios(redis):
    points, sums = {"points.csv": table()}, ("--data", "points.csv")
    yield Scenario("k-means", ["run", "k-means", *sums, "--set", "clusters=3", "--out", "labels.csv", "--centroids",
                               "centroids.csv", "--report", "report.json", "--trace", "trace.json"],
                   ("labels.csv", "centroids.csv", "report.json", "trace.json"), points)
    yield Scenario("glimmer", ["run", "glimmer", *sums, "--out", "layout.csv", "--report", "report.json"],
                   ("layout.csv", "report.json"), points)
    yield Scenario("graph", ["run", "glimmer", "--data", "graph.edges", "--out", "layout.npy"], ("layout.npy",),
                   {"graph.edges": graph()})
    for name in ("table.h5", "table.parquet"):
        yield Scenario(name, ["run", "glimmer", "--data", name, "--out", "layout.csv"], ("layout.csv",),
                       {name: (SAMPLES / name).read_bytes()})
    yield Scenario("mean-shift", ["run", "mean-shift", "--data", "picture.png", "--set", "bandwidth=9", "--out", "out.png"],
                   ("out.png",), {"picture.png": png()})
    yield Scenario("axon", ["run", "fitzhugh-nagumo", "--set", "nodes=50", "--out", "axon.csv"],
                   ("axon.csv",))
    small = ("terrain_size=5", "trees=2", "butterflies=2", "duration=0.5", "smoke_rate=20")
    yield Scenario("landscape", ["run", "landscape", *(word for each in small for word in ("--set", each)), "--out", "land.obj"],
                   ("land.obj",))
    yield Scenario("data", ["data", "points.csv"], (), points)
    yield Scenario("list", ["list", "k-means"])
    group = [*sums, "--set", "clusters=3", "--out", "labels.csv", "--centroids", "centroids.csv", "--workers", "2"]
    with_network = tuple(kind for kind in KINDS if kind != "cuda")
    yield Scenario("group", ["run", "k-means", *group, "--group", "group"], ("labels.csv", "centroids.csv"), points,
                   with_network, ("group",))
    if redis:
        yield Scenario("redis", ["run", "k-means", *group, "--group", f"{redis}/{{name}}"],
                       ("labels.csv", "centroids.csv"), points, with_network)
    view = ["view", "k-means", *sums, "--headless", "--steps", "1", "--frames", "5", "--size", "64x48"]
    yield Scenario("view", [*view, "--screenshot", "shot.png", "--timings", "timings.csv"], ("shot.png", "timings.csv"), points)
    yield Scenario("record", [*view, "--record", "film.mp4"], ("film.mp4",), {**points, "bin/ffmpeg": FFMPEG})


class Run(NamedTuple):
    """How a run ended, as inject.cpp tells it, and what it left."""
    told: dict  # status, signal, hung, calls, failed, left
    printed: str
    errors: str
    files: dict  # all files in its folder: names and bytes
    crash: str  # the stack, a frame a line; "" if it did not crash


OLD = b"what was here before\n"
counter = iter(range(10**9))


def run(arguments, scenario, kind, error="EIO", call=0):
    folder = pathlib.Path(arguments.folder, f"{scenario.name}-{kind}-{error}-{call}-{next(counter)}")
    work, beside = folder / "work", folder / "beside"
    for each in (work, beside, *(work / name for name in scenario.folders)):
        each.mkdir(parents=True)
    for name, data in {**scenario.inputs, **dict.fromkeys(scenario.outputs, OLD)}.items():
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_bytes(data)
    if (ffmpeg := work / "bin" / "ffmpeg").exists():
        ffmpeg.chmod(0o755)
    words = [word.format(name=folder.name) for word in scenario.words]
    report, crash = beside / "report", beside / "crash"
    environment = {
        **os.environ, "HOME": str(work), "XDG_CACHE_HOME": str(work), "TMPDIR": str(work), "PATH": f"{work}/bin:{os.environ['PATH']}",
        "KINESCOPE_CRASH": str(crash), "MESA_SHADER_CACHE_DISABLE": "1", "EGL_LOG_LEVEL": "fatal", "LC_ALL": "C.UTF-8"}
    environment.pop("DISPLAY", None)
    if kind == "cuda":
        words += ["--backend", "cuda"]
    else:
        environment["LIBGL_ALWAYS_SOFTWARE"] = "1"
    command = [arguments.injector, kind, error, str(call), str(LIMIT), str(report), arguments.program, *words]
    with open(beside / "out", "wb") as out, open(beside / "err", "wb") as err:
        subprocess.run(command, check=True, cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
    told = collections.defaultdict(list)
    for line in report.read_text(errors="replace").splitlines():
        name, _, value = line.partition(" ")
        told[name].append(value)
    files = {str(path.relative_to(work)): path.read_bytes() for path in sorted(work.rglob("*")) if path.is_file()}
    if f"{arguments.redis}/{folder.name}" in words:
        files.update(dict.fromkeys(keys(arguments.redis, folder.name), b""))
    files.update({f"{path.relative_to(work)}/": b"" for path in work.rglob("*") if path.is_dir()})
    result = Run(told, (beside / "out").read_text(errors="replace"), (beside / "err").read_text(errors="replace"), files,
                 crash.read_text(errors="replace") if crash.exists() else "")
    shutil.rmtree(folder)
    return result


def keys(redis, name):
    """The keys on the server with this in their names."""
    host, _, port = redis.rpartition("/")[2].partition(":")
    with socket.create_connection((host, int(port))) as server, server.makefile("rb") as answer:
        server.sendall(f"KEYS *{name}*\r\n".encode())
        count = int(answer.readline()[1:])
        return [answer.readline() and answer.readline().decode().strip() for _ in range(count)]


def masked(text):
    """What stays the same in every run: times do not."""
    return re.sub(r"\d[\d.,]*(e[-+]?\d+)?", "#", text)


class Undisturbed:
    """What the runs of a scenario leave if nothing fails."""

    def __init__(self, runs):
        for each in runs:
            if each.told["status"] != ["0"] or each.told["left"]:
                sys.exit(f"undisturbed, it failed: {dict(each.told)} {each.errors}")
        self.runs = runs
        self.lines = {masked(line) for each in runs for line in each.errors.splitlines()} | LIBRARIES_SAY

    def is_whole(self, name, data):
        if name == "trace.json":  # its spans are others in each run
            return is_json(data)
        known = self.runs[0].files[name]
        if name == "timings.csv":
            return masked(data.decode(errors="replace")) == masked(known.decode())
        return timeless(data) == timeless(known) if name == "report.json" else data == known

    def is_printed(self, text):
        return masked(text) == masked(self.runs[0].printed)

    def news(self, errors):
        return [line for line in errors.splitlines() if masked(line) not in self.lines]


def timeless(report):
    """A report without times and without the name of the processor, which it can do without."""
    return re.sub(rb'"\w*(seconds|device)": .*', b"", report)


def is_json(data):
    try:
        return bool(json.loads(data))
    except ValueError:
        return False


def crashed_in(stack):
    """The library or program in which it crashed, without those of the language."""
    for line in stack.splitlines():
        place = line.partition("(")[0]
        if place and not OF_THE_LANGUAGE.search(place):
            return os.path.basename(place)
    return "?"


def wrong_with(scenario, undisturbed, result):
    """What is wrong with how a run ended; "" if nothing is."""
    told = result.told
    if told["hung"]:
        return f"still running after {LIMIT} s in {crashed_in(result.crash)}"
    if told["signal"]:
        return f"crashed by signal {told['signal'][0]} in {crashed_in(result.crash)}"
    if told["left"]:
        return "left a process: " + told["left"][0]
    status, news = int(told["status"][0]), undisturbed.news(result.errors)
    left = result.files.keys() - undisturbed.runs[0].files.keys()
    if status == 2:  # whose first note it is, nobody knows if the server's answer to it was lost
        left = {name for name in left if not re.fullmatch(r"kinescope:.*:run.kinescope.json", name)}
    without_ffmpeg = status == 0 and "ffmpeg is not installed" in result.errors  # as it could not be found
    if without_ffmpeg and all(name.startswith("film/") for name in left):
        return ""
    if left:
        return f"left {', '.join(sorted(left))} (status {status})"
    without_font = status == 0 and any("/fonts/" in failed for failed in told["failed"])  # drawn with other letters
    for name in scenario.outputs:
        data = result.files.get(name, b"")
        if without_font and data:
            continue
        told_part = RECORDED_PART in result.errors and undisturbed.runs[0].files[name].startswith(data)
        if not undisturbed.is_whole(name, data) and (status == 0 or data != OLD and not told_part):
            return f"{name} is neither the old nor the new one, but has {len(data)} bytes (status {status})"
    if status == 0:
        return "" if undisturbed.is_printed(result.printed) else "status 0, but it printed something else"
    if status not in (1, 2):
        return f"status {status}: {result.errors.strip()}"
    if len(news) != 1 or not news[0].startswith("kinescope: error: "):
        return f"status {status} and {len(news)} lines of error: {' / '.join(news)}"
    return f"it says: {news[0]}" if "this is a bug" in news[0] else ""


def ended_by_hdf5(scenario, result):
    """libhdf5 damages the heap, ends the program itself, or calls itself until the stack ends."""
    return scenario.name == "table.h5" and (result.told["signal"] or result.told["status"] == ["255"])


def chosen_calls(count, most, rng):
    if most:
        return sorted(rng.sample(range(1, count + 1), min(most, count)))
    late = range(EVERY + 1, count + 1)
    return [*range(1, min(EVERY, count) + 1), *sorted(rng.sample(late, min(DRAWN, len(late))))]


class Tally:
    def __init__(self):
        self.calls = self.injected = self.well = self.refused = self.fragile = 0
        self.findings = []


def disturb(arguments, scenario, undisturbed, kind, error, call, tally):
    result = run(arguments, scenario, kind, error, call)
    if not result.told["failed"]:
        return  # this time there were fewer calls
    wrong = wrong_with(scenario, undisturbed, result)
    tally.injected += 1
    in_library = FRAGILE.search(crashed_in(result.crash)) or GLIBC_SAYS in result.errors or ended_by_hdf5(scenario, result)
    if wrong and kind in SHORT_OF and in_library:
        tally.fragile += 1
    elif wrong:
        tally.findings.append((error, call, result.told["failed"][0], wrong))
    elif result.told["status"] == ["0"]:
        tally.well += 1
    else:
        tally.refused += 1


class Redis:
    """A server on a free port, if one is installed. Debian's redis-tools has it under another name."""

    def __enter__(self):
        self.address, self.process = None, None
        program = shutil.which("redis-server") or shutil.which("redis-check-rdb")
        if program:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            self.address = f"redis://127.0.0.1:{port}"
            self.process = subprocess.Popen(["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""],
                                            executable=program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for _ in range(500):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.01)
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.kill()
            self.process.wait()


def alike(findings):
    """The findings of the same sort together: the calls, and what they were."""
    sorts = collections.defaultdict(list)
    for scenario, kind, error, call, failed, wrong in findings:
        sorts[scenario.name, kind, error, re.sub(r"\d\d+", "#", wrong)].append((call, failed))
    return sorts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("injector", type=os.path.abspath)
    parser.add_argument("--scenario", default="", help="only those with this in their name")
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--error")
    parser.add_argument("--call", type=int)
    parser.add_argument("--most", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    everything = []
    print("| scenario | kind | calls | failed | ended well | refused in one line | ended in a library | findings |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, Redis() as redis, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        arguments.folder, arguments.redis = folder, redis.address
        for scenario in scenarios(redis.address):
            if arguments.scenario not in scenario.name:
                continue
            kinds = [kind for kind in KINDS if arguments.kind == kind or not arguments.kind and kind in scenario.kinds]
            runs = list(pool.map(lambda kind: run(arguments, scenario, kind), [*kinds, kinds[0], kinds[0]]))
            undisturbed = Undisturbed(runs)
            for kind, seen in zip(kinds, runs):
                tally = Tally()
                tally.calls = int(seen.told["calls"][0])
                jobs = [(error, call) for error in KINDS[kind] if arguments.error in (None, error)
                        for call in ([arguments.call] if arguments.call else chosen_calls(tally.calls, arguments.most, rng))]
                list(pool.map(lambda job: disturb(arguments, scenario, undisturbed, kind, *job, tally), jobs))
                print(f"| {scenario.name} | {kind} | {tally.calls:,} | {tally.injected:,} | {tally.well:,} | {tally.refused:,} "
                      f"| {tally.fragile} | {len(tally.findings)} |", flush=True)
                everything += [(scenario, kind, *finding) for finding in tally.findings]
    for (scenario, kind, error, wrong), found in alike(everything).items():
        calls = [call for call, _ in found]
        print(f"{scenario}, {kind} {error}: {wrong}\n  first {found[0][1].strip()}; calls {', '.join(map(str, calls))}\n  faults.py "
              f"{arguments.program} {arguments.injector} --scenario {scenario} --kind {kind} --error {error} --call {calls[0]}")
    return 1 if everything else 0


if __name__ == "__main__":
    sys.exit(main())
