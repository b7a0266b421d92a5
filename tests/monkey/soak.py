#!/usr/bin/env python3
"""Lets a window of each scene run side by side under Xvfb for a time, with everything on that a user may leave on
(recording, timings, trace, timeline), and checks that memory, open files and threads do not grow.

    soak.py PROGRAM [--minutes 60] [--csv FILE]

Prints for each scene the memory (RSS) after the first third and at the end, the slope of a line fitted in between,
files and threads, and the medians of frames. Exit status: 1 if something grows, 77 where Xvfb or xdotool is missing.
A run that has ended starts again every half minute. --csv keeps all samples. `nice -n 19` before it leaves the machine usable.
"""

import argparse
import contextlib
import csv
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "app" / "gui")]
from monkey import megabytes  # noqa: E402
from window import SKIP, Window, missing_tools  # noqa: E402

SCENES = {"glimmer": ["--data", "synthetic:gaussians,n=1000,k=3,clusters=6"], "mean-shift": ["--data", "synthetic:gaussians,n=1000,k=2,clusters=3"],
          "k-means": ["--data", "synthetic:gaussians,n=1000,k=2,clusters=6"], "fitzhugh-nagumo": ["--set", "dimensions=2", "--set", "nodes=64"],
          "landscape": ["--set", "terrain_size=6", "--set", "trees=10"]}
SAMPLE_SECONDS, RESTART_SECONDS = 10, 30
MOST_MEGABYTES_AN_HOUR = 5
TIMELINE_MEGABYTES = 16  # the least: it is full within the first third
# The film is not kept: an hour of it would fill the disk.
FFMPEG = '#!/bin/sh\ncat > /dev/null\nprintf "\\000\\000\\000\\010moof"\n'


def sample(window):
    process = window.process.pid
    return [megabytes(process), len(os.listdir(f"/proc/{process}/fd")), len(os.listdir(f"/proc/{process}/task"))]


def slope(times, values):
    """Of the line that fits best, an hour, and how far the values are from it (standard deviation)."""
    if len(times) < 3:
        return 0, 0
    fit = statistics.linear_regression(times, values)
    return 3600 * fit.slope, statistics.pstdev(value - fit.slope * at - fit.intercept for at, value in zip(times, values))


def frame_times(path):
    """How many frames there are, and the medians of the first and the last tenth."""
    with open(path, encoding="ascii") as file:
        times = [float(row["cpu_ms"]) + float(row["draw_ms"]) for row in csv.DictReader(file)]
    part = max(1, len(times) // 10)
    return len(times), statistics.median(times[:part]), statistics.median(times[-part:])


def judge(name, samples, folder):
    """Prints a row of the table; true if nothing grows."""
    kept = samples[len(samples) // 3:]
    first, last = kept[0], kept[-1]
    grows, off = slope([each[0] for each in kept], [each[1] for each in kept])
    frames, early, late = frame_times(folder / "times.csv")
    json.loads((folder / "trace.json").read_text())  # is whole
    flat = grows <= MOST_MEGABYTES_AN_HOUR and last[2] <= first[2] and last[3] <= first[3]
    print(f"| {name} | {first[1]:.1f} | {last[1]:.1f} | {grows:+.2f} ± {off:.2f} | {first[2]}, {last[2]} | {first[3]}, {last[3]} | {frames:,} | "
          f"{early:.1f}, {late:.1f} | {(folder / 'trace.json').stat().st_size / 1e6:.0f} | {'' if flat else 'GROWS'} |")
    return flat


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--csv")
    arguments = parser.parse_args()
    if missing := missing_tools():
        print("skipped: not installed:", ", ".join(missing))
        return SKIP
    program = str(pathlib.Path(arguments.program).resolve(strict=True))
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as windows:
        tool = pathlib.Path(folder, "ffmpeg")
        tool.write_text(FFMPEG)
        tool.chmod(0o755)
        opened, samples = {}, {}
        for name, options in SCENES.items():
            here = pathlib.Path(folder, name)
            (here / "state" / "kinescope").mkdir(parents=True)
            (here / "state" / "kinescope" / "window").write_text(f"timeline_mb={TIMELINE_MEGABYTES}\n")
            opened[name] = windows.enter_context(Window(
                program, name, *options, "--threads", "1", "--size", "640x400", "--timings", str(here / "times.csv"), "--trace",
                str(here / "trace.json"), "--record", str(here / "film.mp4"), state=str(here / "state"), screen="640x400",
                variables={"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(here), "XDG_CONFIG_HOME": str(here)}))
            opened[name].wait_id("picture")
            samples[name] = []
        rows = csv.writer(windows.enter_context(open(arguments.csv or os.devnull, "w", newline="", encoding="ascii", buffering=1)))
        rows.writerow(["scene", "seconds", "megabytes", "files", "threads"])
        begin, restarted = time.monotonic(), 0
        while (now := time.monotonic() - begin) < 60 * arguments.minutes:
            for name, window in opened.items():
                samples[name].append([now, *sample(window)])
                rows.writerow([name, *samples[name][-1]])
                if now >= restarted + RESTART_SECONDS and window.states.get("converged") == "yes":
                    window.tool("key", "r")
            if now >= restarted + RESTART_SECONDS:
                restarted = now
            time.sleep(max(0, begin + now + SAMPLE_SECONDS - time.monotonic()))
        for name, window in opened.items():
            window.process.terminate()
            assert window.process.wait(300) == 130, f"{name}: {window.process.returncode}"
        print("| scene | MB, first | MB, last | MB an hour | files | threads | frames | ms a frame, first, last | MB of trace | |\n"
              "|---|---|---|---|---|---|---|---|---|---|")
        flat = [judge(name, kept, pathlib.Path(folder, name)) for name, kept in samples.items()]
    return 0 if all(flat) else 1


if __name__ == "__main__":
    sys.exit(main())
