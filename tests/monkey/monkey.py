#!/usr/bin/env python3
"""Plays with the real window at random under Xvfb, one window for each scene, and checks that the program bears it.

    monkey.py PROGRAM [--scene NAME] [--actions 10000] [--seed N] [--patience SECONDS] [--megabytes MOST] [--keep FOLDER]

A finding is: the program ends, or reports a failure, a message from OpenGL or of a sanitizer; it takes no events while it
computes for longer than the patience, or for twenty times as long in all; its memory grows beyond a bound; it writes outside of the folder where it may. The last
actions before a finding are printed. Exit status: 1 after a finding, 77 where Xvfb or xdotool is missing.

An action depends on its number, the seed, and which controls there are: the same seed does the same, as far as the
program is as fast as before. --keep leaves all actions, what each window printed, and its files in FOLDER, and memory dumps where the system puts them.
"""

import argparse
import collections
import ctypes
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "app" / "gui"), str(HERE.parent / "hostile")]
import samples  # noqa: E402
from window import SKIP, Window, missing_tools  # noqa: E402
from x_server import CLIENT_MESSAGE, ClientMessage, Event, Xlib, drop, long  # noqa: E402

SCENES = {"glimmer": ["--data", "clusters.csv"], "mean-shift": ["--data", "clusters.csv"], "k-means": ["--data", "clusters.csv"],
          "fitzhugh-nagumo": [], "landscape": ["--set", "terrain_size=6", "--set", "trees=10"]}
BATCH = 10  # actions between two looks at the window
# Pictures that the window saved are data too, with a point for each pixel: four methods side by side keep up to 200
# distances of each point, twice.
MOST_KILOBYTES_A_POINT = 10
SCREEN = (1280, 720)

SETTINGS = {"ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=64:allocator_may_return_null=1",
            "UBSAN_OPTIONS": "print_stacktrace=1"}
FAILURES = ("unexpectedly", "OpenGL:", "runtime error:", "Sanitizer", "Assertion", "terminate called")

KEYS = ["space", "period", "r", "f", "bracketleft", "bracketright", "p", "l", "Tab", "F1", "1", "2", "3", "4", "5", "Up", "Down",
        "Left", "Right", "Return", "Escape", "ctrl+s", "ctrl+o", "F5", "F9", "F12", "shift+F12", "ctrl+a", "ctrl+c", "ctrl+v",
        "ctrl+x", "ctrl+z", "Delete", "Home", "End", "Prior", "Next", "shift+Tab", "alt+Tab", "ctrl+r", "F2", "F11", "minus"]
HELD = ["w", "a", "s", "d", "q", "e"]
MODIFIERS = [(), (), ("ctrl",), ("shift",), ("alt",), ("ctrl", "shift")]
TEXTS = ["0", "1", "-1", "7", "0.5", "1e9", "-1e38", "1e999", "nan", "inf", "4,5", "", "x", "--", "=1+1", "%s%n%d", "a,b,c",
         "\u00e9\u00df\u6f22", "999999999999999999999", "0x10", "1e-300", "synthetic:simplex,n=50", "synthetic:grid,n=-1",
         "A(1)", "{}", "[", "\\\\", "clusters"]
# Controls that leave the folder where the program may write.
FORBIDDEN = {"file-up"}


class Finding(Exception):
    pass


class Pulse:
    """Asks a window whether it takes events, as window managers do (_NET_WM_PING). It has then seen all earlier ones."""

    def __init__(self, display, window):
        self.lib, self.window, self.number = Xlib(display), window, 0
        self.ignore = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda *_: 0)
        self.lib.x.XSetErrorHandler(self.ignore)  # the window may be gone
        self.lib.x.XSelectInput.argtypes = [ctypes.c_void_p, ctypes.c_ulong, long]
        self.root = self.lib.x.XDefaultRootWindow(self.lib.display)
        substructure_notify = 1 << 19
        self.lib.x.XSelectInput(self.lib.display, self.root, substructure_notify)

    def beats(self, process, patience):
        """How long the window's thread computed until the answer, in seconds of the processor, since the machine may be
        busy; None if that was longer than the patience, or the answer did not come, or the program has ended."""
        self.number += 1
        data = (long * 5)(self.lib.atom("_NET_WM_PING"), self.number, self.window)
        ping = Event()
        ping.client = ClientMessage(CLIENT_MESSAGE, 0, 1, self.lib.display, self.window, self.lib.atom("WM_PROTOCOLS"), 32, data)
        self.lib.x.XSendEvent(self.lib.display, self.window, 0, 0, ctypes.byref(ping))
        self.lib.x.XFlush(self.lib.display)
        begin, computed = time.monotonic(), processor_seconds(process.pid)
        while process.poll() is None and time.monotonic() < begin + 20 * patience:
            took = processor_seconds(process.pid) - computed
            if took > patience:
                break
            while self.lib.x.XPending(self.lib.display):
                event = Event()
                self.lib.x.XNextEvent(self.lib.display, ctypes.byref(event))
                if event.type == CLIENT_MESSAGE and event.client.l[1] == self.number:
                    return took
            time.sleep(0.002)
        return None


class Hand:
    """Carries out actions through one xdotool that reads its commands from a pipe."""

    def __init__(self, window, files):
        self.window, self.files, self.id = window, files, window.window_id()
        self.tool = subprocess.Popen(["xdotool", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                     env=dict(os.environ, DISPLAY=window.display.name))

    def do(self, *commands):
        self.tool.stdin.write("\n".join(commands) + "\n")

    def finish(self):
        """Waits until all commands have been carried out."""
        self.do("getmouselocation")
        self.tool.stdin.flush()
        self.tool.stdout.readline()

    def close(self):
        self.tool.stdin.close()
        self.tool.wait()

    def at(self, box, across, down):
        x, y, w, h = box
        place = (max(0, min(most - 1, int(at))) for most, at in zip(SCREEN, (x + across * w, y + down * h)))
        return "mousemove {} {}".format(*place)

    def with_modifiers(self, modifiers, *commands):
        self.do(*(f"keydown {each}" for each in modifiers), *commands, *(f"keyup {each}" for each in modifiers))

    def drag(self, box, begin, end, button=1, modifiers=()):
        middle = [(a + b) / 2 for a, b in zip(begin, end)]
        self.with_modifiers(modifiers, self.at(box, *begin), f"mousedown {button}", self.at(box, *middle), self.at(box, *end),
                            f"mouseup {button}")

    def act(self, seed, number):
        """Returns what was done, in words."""
        rng = random.Random(f"{seed} {number}")
        across, down, to_across, to_down = (rng.random() for _ in range(4))
        modifiers, button, key, text, kind = rng.choice(MODIFIERS), rng.choice((1, 1, 1, 2, 3)), rng.choice(KEYS), rng.choice(TEXTS), rng.random()
        path, size = rng.choice(self.files), rng.choice([(1280, 720), (1280, 720), (900, 600), (640, 400), (300, 200), (1, 1), (1280, 40)])
        ids = {name: box for name, box in dict(self.window.ids).items() if box[2] > 0 and name not in FORBIDDEN}
        dialog = "file-dialog" in ids
        controls = sorted(name for name in ids if not dialog or name.startswith("file"))
        # The choice changes little when a few controls come or go.
        name = min(controls, key=lambda each: zlib.crc32(f"{seed} {number} {each}".encode())) if controls else "the window"
        box = ids.get(name, (0, 0, *SCREEN))
        picture = ids.get("picture", (0, 0, *SCREEN))
        if dialog and 0.3 <= kind:  # of keys and places only those that do not leave the folder
            key = ("Escape", "Return", "Down", "Up", "Next")[int(5 * across)]
            self.do(f"key --delay 0 {key}")
            return f"{key} in the dialog"
        if len(controls) < 10 and across < 0.2 and not dialog:  # a small window, or one without panels, is soon dull
            self.do("key --delay 0 Escape" if key == "Tab" else "key --delay 0 Tab", f"windowsize {self.id} {SCREEN[0]} {SCREEN[1]}")
            return "the first size"
        if kind < 0.3:
            self.do(self.at(box, across, down), "click 1")
            return f"click on {name}"
        if kind < 0.4:
            self.drag(box, (across, 0.5), (to_across, 0.5))
            return f"drag on {name}"
        if kind < 0.42:
            self.drag(box, (across, down), (3 * to_across - 1, 3 * to_down - 1), button)
            return f"drag from {name}"
        if kind < 0.5:
            self.with_modifiers(("ctrl",), self.at(box, across, down), "click 1")
            self.do("key --delay 0 ctrl+a", *([f'type --delay 0 -- "{text}"'] if text else []), "key --delay 0 Return")
            return f"type {text!r} into {name}"
        if kind < 0.53:
            self.with_modifiers(modifiers, self.at(box, across, down), f"click {button}")
            return f"click {button} on {name} with {modifiers}"
        if kind < 0.55:
            self.do(self.at(box, across, down), "click 1", "click 1")
            return f"double-click on {name}"
        if kind < 0.72:
            self.do(f"key --delay 0 {key}")
            return f"key {key}"
        if kind < 0.75:
            held = HELD[int(across * len(HELD))]
            self.do(f"keydown {held}", self.at(picture, to_across, down), f"keyup {held}")
            return f"hold {held}"
        if kind < 0.82:
            self.do(self.at(box if down < 0.5 else picture, across, to_down), *[f"click {4 + int(2 * to_across)}"] * (1 + int(5 * down)))
            return "wheel"
        if kind < 0.92:
            self.drag(picture, (across, down), (to_across, to_down), button, modifiers)
            return f"drag {button} in the picture with {modifiers}"
        if kind < 0.96:
            self.with_modifiers(modifiers, self.at((0, 0, *SCREEN), across, down), f"click {button}")
            return f"click {button} anywhere with {modifiers}"
        if kind < 0.975:
            self.do(f"windowsize {self.id} {size[0]} {size[1]}")
            return f"size {size}"
        if kind < 0.985:
            self.drag(ids.get("timeline.slider", picture), (across, 0.5), (to_across, 0.5))
            return "drag on the timeline"
        if kind < 0.992:
            self.finish()
            drop(self.window.display.name, self.id, 5, 5, [path], patience=2)
            return f"drop {path}"
        self.do("key --delay 0 ctrl+o")
        self.finish()
        return "the dialog"


def sample_files(folder):
    """Writes files that the program can open, and some that it must refuse."""
    files = []
    for name, data in [*((each.name, each.data) for each in samples.samples()), ("empty.csv", b""), ("cut.npy", samples.npy()[:20]),
                       ("noise.png", bytes(range(256))), ("broken.kinescope.json", b'{"simulation": "glimmer", "data": 3}')]:
        (folder / name).write_bytes(data)
        files.append(str(folder / name))
    rng = random.Random(7)
    rows = [",".join([*(f"{12 * (i % 3) + rng.gauss(0, 1):.4f}" for _ in range(4)), "abc"[i % 3], f"n{i}"]) for i in range(300)]
    (folder / "clusters.csv").write_text("a,b,c,d,class,name\n" + "\n".join(rows) + "\n")
    return [*files, *[str(folder / "clusters.csv")] * (len(files) // 2)]


def processor_seconds(process):
    """Of the thread that draws."""
    try:
        with open(f"/proc/{process}/task/{process}/schedstat", encoding="ascii") as file:
            return 1e-9 * int(file.read().split()[0])
    except OSError:
        return 0


def megabytes(process):
    with open(f"/proc/{process}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def stack(process):
    """Where the window's thread is, if gdb is installed."""
    if not shutil.which("gdb"):
        return ""
    told = subprocess.run(["gdb", "-p", str(process), "-batch", "-ex", "bt 25"], capture_output=True, text=True, check=False).stdout
    return "\n".join(line for line in told.splitlines() if line.startswith("#"))


class Monkey:
    def __init__(self, program, scene, shaders, arguments):
        self.scene, self.shaders, self.arguments, self.done = scene, shaders, arguments, collections.deque(maxlen=3 * BATCH)
        self.count, self.slowest, self.most, self.points = 0, 0, 0, 0
        self.home = pathlib.Path(tempfile.mkdtemp(prefix=f"{scene}-", dir=arguments.keep))
        self.log = open(self.home / "actions", "w", buffering=1, encoding="utf-8")
        # A copy of the program: results are saved beside the data, and it comes with data.
        (self.home / "build").mkdir()
        for each in pathlib.Path(program).parent.glob("*kinescope*"):
            if each.is_file() and (each.name == pathlib.Path(program).name or each.suffix == ".so"):
                shutil.copy2(each, self.home / "build")
        shutil.copytree(HERE.parent.parent / "assets", self.home / "assets")
        for folder in ("files", "tmp"):
            (self.home / folder).mkdir()
        self.program = str(self.home / "build" / pathlib.Path(program).name)
        self.files = sample_files(self.home / "files")
        tempfile.tempdir = str(self.home / "tmp")  # of the window too

    def close(self):
        tempfile.tempdir = None
        self.log.close()
        if not self.arguments.keep:
            shutil.rmtree(self.home, ignore_errors=True)

    def play(self):
        places = {name: str(self.home / "home") for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
        (self.home / "home").mkdir()
        options = [str(self.home / "files" / each) if each.endswith(".csv") else each for each in SCENES[self.scene]]
        with Window(self.program, self.scene, *options, "--size", "1280x720", "--threads", "1", "--debug-opengl", state=str(self.home / "state"),
                    variables={**places, **SETTINGS, "TMPDIR": str(self.home / "tmp"), "MESA_SHADER_CACHE_DIR": self.shaders, "XDG_CURRENT_DESKTOP": ""}) as window:
            try:
                window.wait_id("picture")
                self.play_with(window)
            finally:
                window.errors.flush()
                self.errors = pathlib.Path(window.folder.name, "stderr").read_text(errors="replace")
                (self.home / "stderr").write_text(self.errors)
                (self.home / "stdout").write_text("\n".join(window.told))
                window.errors.truncate(0)  # it is judged here

    def play_with(self, window):
        hand, pulse = Hand(window, self.files), Pulse(window.display.name, window.window_id())
        seed = f"{self.arguments.seed} {self.scene}"
        try:
            for number in range(self.arguments.actions):
                did = f"{number}: {hand.act(seed, number)}"
                self.count = number + 1
                self.done.append(did)
                print(did, file=self.log)
                if (number + 1) % BATCH == 0 or "dialog" in did or "ctrl+o" in did or "click on open" in did:
                    hand.finish()
                    self.judge(window, pulse)
                if (number + 1) % 500 == 0:
                    self.sweep(window)
        finally:
            hand.close()
        window.process.terminate()
        try:
            status = window.process.wait(self.arguments.patience + 60)
        except subprocess.TimeoutExpired:
            raise Finding("it does not end after SIGTERM") from None
        self.judge_errors(window)
        if status != 130:
            raise Finding(f"it ended with {status} after SIGTERM")
        if left := [str(each) for each in self.home.rglob(".kinescope-*")]:
            raise Finding(f"it left {left}")

    def held_for_its_points(self, window, pulse):
        """The memory in MB. What a cancelled or just finished opening holds is gone soon, or belongs to points that the window tells of."""
        until = time.monotonic() + self.arguments.patience
        while True:
            held = megabytes(window.process.pid)
            self.points = max(self.points, int(window.states.get("points", 0)))
            opens = window.states.get("opening", "none") != "none"  # how many points it has is not known yet
            if opens or held <= self.arguments.megabytes + 1e-3 * MOST_KILOBYTES_A_POINT * self.points:
                return held
            if time.monotonic() > until:
                raise Finding(f"it takes {held:.0f} MB, with {self.points:,} points at most")
            time.sleep(0.5)
            pulse.beats(window.process, self.arguments.patience)

    def judge(self, window, pulse):
        waited = pulse.beats(window.process, self.arguments.patience)
        if window.process.poll() is not None:
            raise Finding(f"the program ended with {window.process.returncode}")
        if waited is None:
            raise Finding(f"it takes no events\n{stack(window.process.pid)}")
        held = self.held_for_its_points(window, pulse)
        print(f"answered after {waited:.2f} s, holds {held:.0f} MB, {window.states.get('points', 0)} points, opens {window.states.get('opening')}", file=self.log)
        self.slowest, self.most = max(self.slowest, waited), max(self.most, held)
        self.judge_errors(window)
        for state in ("saved", "file-folder"):
            place = window.states.get(state, "/")
            if place.startswith("/") and state in window.states and not place.startswith(str(self.home)):
                raise Finding(f"{state} {place} is outside of its folder")

    @staticmethod
    def judge_errors(window):
        told = pathlib.Path(window.folder.name, "stderr").read_text(errors="replace")
        if any(each in told for each in FAILURES):
            raise Finding("it reports a failure")

    def sweep(self, window):
        """Removes what was saved, so that the disk does not fill."""
        if window.states.get("recording") == "yes":
            return
        for each in [*self.home.rglob("kinescope-*")]:
            shutil.rmtree(each, ignore_errors=True) if each.is_dir() else each.unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--scene", choices=SCENES)
    parser.add_argument("--actions", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--patience", type=float, default=5)
    parser.add_argument("--megabytes", type=float, default=2000, help="the most memory, besides that for points; the address sanitizer doubles it")
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    if missing := missing_tools():
        print("skipped: not installed:", ", ".join(missing))
        return SKIP
    if arguments.keep:
        os.makedirs(arguments.keep, exist_ok=True)
    if not arguments.keep:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    findings = 0
    # Mesa takes seconds to compile the landscape's shaders in software; a user has them in the cache too.
    shaders = tempfile.TemporaryDirectory(prefix="monkey-shaders-")
    for scene in [arguments.scene] if arguments.scene else SCENES:
        monkey, begin = Monkey(str(pathlib.Path(arguments.program).resolve(strict=True)), scene, shaders.name, arguments), time.monotonic()
        try:
            monkey.play()
            result = "nothing found"
        except (Finding, AssertionError) as finding:
            findings += 1
            result = f"FINDING: {finding}\n  " + "\n  ".join([*monkey.done, *monkey.errors.splitlines()[:60]])
        finally:
            monkey.close()
        seconds = time.monotonic() - begin
        print(f"{scene}, seed {arguments.seed}: {monkey.count:,} actions in {seconds:.0f} s; the slowest answer took {monkey.slowest:.1f} s, "
              f"the most memory was {monkey.most:.0f} MB; {result}", flush=True)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
