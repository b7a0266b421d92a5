#!/usr/bin/env python3
"""Runs the harnesses of fuzz.cpp for some seconds in all, and prints what they found; started by test.sh --fuzz.

    fuzz.py BUILD SECONDS [HARNESS...] [--executions MOST]

The harnesses share the time; one that has made MOST executions leaves its time to the others.
BUILD/corpus keeps the inputs that reached something new, from run to run; BUILD/findings the inputs that made a harness
crash, take too long, or take too much memory. To see one again:

    KINESCOPE_FUZZ=HARNESS BUILD/fuzz FILE
"""

import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "hostile"))
import samples  # noqa: E402

MOST_FINDINGS = 5  # of a harness: more are mostly the same again
LIMITS = ["-rss_limit_mb=2048", "-malloc_limit_mb=1000000", "-entropic=0", "-print_final_stats=1"]
# A small quarantine, since what is freed counts as memory in use. Libraries in C expect that malloc fails; what is
# written in C++ has to ask before (sim/data/limits.hpp), since `new` then ends the harness. libhdf5 leaks when it fails.
SETTINGS = {"ASAN_OPTIONS": "quarantine_size_mb=16:allocator_may_return_null=1:malloc_context_size=4",
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "LSAN_OPTIONS": f"suppressions={HERE / 'leaks.supp'}:print_suppressions=0"}


def seeds(fuzz):
    """Pairs of a harness and an input for it."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for sample in samples.samples():
            files.append(pathlib.Path(folder, sample.name))
            files[-1].write_bytes(sample.data)
            yield "recognition", sample.data
            if sample.text:
                yield "packing", sample.data.decode().encode("utf-16")
            if sample.name == "table.arff":
                yield from (("packing", data) for _, data in samples.packed(sample.data))
        names = subprocess.run([fuzz, *files], check=True, capture_output=True, text=True).stdout.splitlines()
        for name, path in zip(names, files, strict=True):
            if name:
                yield name, path.read_bytes()
    for path in sorted(PROJECT.glob("assets/plants/*.json")):
        yield "plant", path.read_bytes()
    for path in sorted(PROJECT.glob("assets/presets/*.json")):
        yield "preset", path.read_bytes()
        yield "session", path.read_bytes()
    yield "session", (b'{"simulation": "glimmer", "data": {"source": "/a.csv", "label": "b", "columns": ["c", "d"], "missing": '
                      b'"mean", "header": "yes", "skip_rows": 1, "skip_lines": [3, 2], "separator": ";", "quotes": "none", "texts": '
                      b'["c"], "numbers": ["d"], "drop": ["e"], "categories": ["f"], "edges_are": "length", "components": '
                      b'"largest", "similarities": true, "metadata": "/m.csv", "by": "g"}, "parameters": {"near": 4}, '
                      b'"seed": 7, "pace": null, "view": {"zoom": 2.5}}')
    yield "preset", b'{"simulation": "k-means", "parameters": {"clusters": 4, "metric": "cosine"}}'
    yield "settings", b"recent /a.csv\nfolder /b\ntheme light\nleft_width 300\nright_width 250\nbottom_height 200\ntimeline_mb 64\n"
    yield "note", b"\x001 2 3 4 "
    yield "note", b"\x01" + struct.pack("<qqq2I", 200, 3, 128, 7, 9)
    yield "note", b"\x02" + struct.pack("<QqqIiqqQi64s96s4x", 5, 77, 3, 9, 1, 2, 2, 11, 0, b"host", b"device")
    yield "note", b"\x03-1 1 2 0 3 \n77 5 123456"
    yield "note", b"\x04generation-12"
    yield "message", (b"\x04" + struct.pack("<qqif4f", 100, 2, 3, 1, 1, 1, 0, 0)
                      + struct.pack("<iiiiqd6f", 3, 0, 1, 0, 5, 0.5, 1, 2, 3, 4, 5, 6))


def patience(name):
    """Seconds for one input. A library's child process may itself take ten for each operation (reader_process.hpp)."""
    return 30 if re.search("hdf5|anndata|biom-tables|loom|10x|arrow|parquet", name) else 10


def fuzz_one(fuzz, folder, name, seconds, most):
    """Returns how many inputs were tried, and what was found: pairs of a summary and a file."""
    corpus, findings = folder / "corpus" / name, folder / "findings" / name
    corpus.mkdir(parents=True, exist_ok=True)
    findings.mkdir(parents=True, exist_ok=True)
    executions, found, end = 0, {}, time.monotonic() + seconds
    log = folder / "findings" / f"{name}.log"
    with open(log, "w", encoding="utf-8") as kept:
        while len(found) < MOST_FINDINGS and executions < most and (left := end - time.monotonic()) >= 1:
            run = subprocess.run(
                [fuzz, *LIMITS, f"-timeout={patience(name)}", f"-max_total_time={int(left)}", f"-runs={most - executions}",
                 f"-artifact_prefix={findings}/", corpus], check=False, capture_output=True, text=True, errors="replace",
                env={**os.environ, **SETTINGS, "KINESCOPE_FUZZ": name})
            kept.write(run.stderr)
            tried = re.findall(r"stat::number_of_executed_units: *(\d+)", run.stderr)
            left_out = re.findall(r"inputs left out: (\d+)", run.stderr)
            executions += (int(tried[-1]) if tried else 0) - (int(left_out[-1]) if left_out else 0)
            if run.returncode == 0:
                break
            what = re.findall(r"^(?:SUMMARY: |==\d+== ERROR: |.*runtime error: )(.*)", run.stderr, re.M) or ["it ended"]
            unit = re.findall(r"Test unit written to (.*)", run.stderr)
            found.setdefault(what[-1], unit[-1] if unit else log)
            if not tried and not unit:
                break  # it does not even start
    # Libraries that crash have a process of their own (sim/data/readers/reader_process.hpp), which leaves files too.
    for path in findings.iterdir():
        if str(path) not in found.values():
            path.unlink()
    return executions, list(found.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("seconds", type=float)
    parser.add_argument("harness", nargs="*")
    parser.add_argument("--executions", type=int, default=10**12)
    options = parser.parse_intermixed_args()
    folder, wanted = options.build.resolve(), options.harness
    fuzz = folder / "fuzz"
    names = subprocess.run([fuzz], check=True, capture_output=True, text=True).stdout.split()
    if unknown := [each for each in wanted if each not in names]:
        sys.exit(f"there is no harness {unknown[0]}; there are {', '.join(names)}")
    for name, data in seeds(fuzz):
        (folder / "corpus" / name).mkdir(parents=True, exist_ok=True)
        (folder / "corpus" / name / hashlib.sha1(data).hexdigest()).write_bytes(data)
    names = wanted or names
    jobs = min(os.cpu_count() or 1, len(names))
    print(f"{len(names)} harnesses, {jobs} at a time", file=sys.stderr)
    results, end = {}, time.monotonic() + options.seconds

    def fuzz_next(name):
        share = (end - time.monotonic()) * min(1, jobs / (len(names) - len(results)))
        results[name] = fuzz_one(fuzz, folder, name, share, options.executions)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(fuzz_next, names))
    print("| harness | executions | findings |\n|---|---|---|")
    for name in names:
        executions, found = results[name]
        print(f"| {name} | {executions:,} | {len(found)} |")
    everything = [(name, *each) for name in names for each in results[name][1]]
    print(f"| all | {sum(executions for executions, _ in results.values()):,} | {len(everything)} |")
    for name, what, path in everything:
        print(f"{name}: {what}\n  KINESCOPE_FUZZ={name} {fuzz} {path}")
    return 1 if everything else 0


if __name__ == "__main__":
    sys.exit(main())
