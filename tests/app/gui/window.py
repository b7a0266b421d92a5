"""A real window of the program on a display of its own (Xvfb): driven with xdotool, and read through what --test-ids prints."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time

from x_server import drop, root_pixels

SKIP = 77  # ctest's SKIP_RETURN_CODE
ORANGE, BLUE = (230, 159, 0), (86, 180, 233)  # of Okabe and Ito's palette: the colours of the first two classes
PATIENCE = 60  # seconds: OpenGL draws in software, and the machine may be busy


# KINESCOPE_GUI_GPU=1: windows draw on an NVIDIA GPU instead of with software. Xvfb's own GLX then still needs Mesa.
DRAWN_BY = ({"__GLX_VENDOR_LIBRARY_NAME": "nvidia"} if os.environ.get("KINESCOPE_GUI_GPU") else
            {"LIBGL_ALWAYS_SOFTWARE": "1"})


def missing_tools():
    return [tool for tool in ("Xvfb", "xdotool") if not shutil.which(tool)]


class Display:
    def __init__(self, size="1280x720"):
        reading, writing = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-noreset", "-screen", "0", size + "x24"],
            pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as numbers:
            self.name = ":" + numbers.readline().strip()
        assert self.name != ":", "Xvfb did not start"

    def close(self):
        self.server.terminate()
        self.server.wait()


class Picture:
    """Pixels of the screen as (r, g, b)."""

    def __init__(self, display):
        self.width, self.height, self.stride, self.bytes = root_pixels(display)

    def pixel(self, x, y):
        at = y * self.stride + 4 * x
        blue, green, red = self.bytes[at:at + 3]
        return red, green, blue

    def colours(self, box):
        x, y, w, h = box
        counts = {}
        for row in range(max(0, y), min(self.height, y + h)):
            for column in range(max(0, x), min(self.width, x + w)):
                colour = self.pixel(column, row)
                counts[colour] = counts.get(colour, 0) + 1
        return counts


def count(picture, box, colour):
    return picture.colours(box).get(colour, 0)


class Window:
    def __init__(self, program, *arguments, state=None, screen="1280x720", prepare=None, variables=None):
        self.screen = screen
        self.display = Display(screen)
        if prepare:
            prepare(self.display.name)
        self.folder = tempfile.TemporaryDirectory()
        environment = dict(os.environ, DISPLAY=self.display.name, XDG_STATE_HOME=state or self.folder.name + "/state",
                           **DRAWN_BY, **(variables or {}))
        environment.pop("WAYLAND_DISPLAY", None)
        self.errors = open(self.folder.name + "/stderr", "w+")
        self.process = subprocess.Popen([program, "view", "--test-ids", *arguments], stdout=subprocess.PIPE, stderr=self.errors,
                                        cwd=self.folder.name, env=environment)
        self.ids, self.states, self.told, self.changed = {}, {}, [], threading.Condition()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.process.terminate()
        self.process.wait()
        self.display.close()
        self.errors.seek(0)
        told = self.errors.read()
        self.errors.close()
        self.folder.cleanup()
        assert kind or "OpenGL:" not in told, told

    def _read(self):
        """Reads what the program prints. Lines that arrive together are learned at once, because they belong to one frame."""
        rest = b""
        while arrived := os.read(self.process.stdout.fileno(), 1 << 16):
            *lines, rest = (rest + arrived).split(b"\n")
            with self.changed:
                for line in lines:
                    self._learn(line.decode())
                self.changed.notify_all()

    def _learn(self, line):
        self.told.append(line)
        kind, _, rest = line.partition(" ")
        if kind == "id":
            name, *numbers = rest.rsplit(" ", 4)
            self.ids[name] = tuple(map(int, numbers))
        elif kind == "state":
            key, _, value = rest.partition(" ")
            self.states[key] = value

    def wait(self, condition, what, patience=PATIENCE):
        """Waits until condition() holds; if it does not in time, fails and names what was waited for."""
        end = time.monotonic() + patience
        with self.changed:
            while not condition():
                left = end - time.monotonic()
                if left <= 0 or self.process.poll() is not None:
                    self.errors.flush()
                    told = pathlib.Path(self.folder.name + "/stderr").read_text()
                    raise AssertionError(f"waited for {what}; states: {self.states}; stderr: {told!r}")
                self.changed.wait(min(left, 0.2))

    def wait_state(self, key, value, patience=PATIENCE):
        self.wait(lambda: self.states.get(key) == value, f"{key} = {value}", patience)

    def wait_id(self, name):
        self.wait(lambda: name in self.ids and self.ids[name][2] > 0, f"widget {name}")
        return self.ids[name]

    def whole(self):
        return (0, 0, *map(int, self.screen.split("x")))

    def tool(self, *arguments):
        subprocess.run(["xdotool", *map(str, arguments)], check=True, env=dict(os.environ, DISPLAY=self.display.name))

    def move(self, x, y):
        self.tool("mousemove", int(x), int(y))
        time.sleep(0.4)

    def click(self, name, fraction=(0.5, 0.5), button=1):
        x, y, w, h = self.wait_id(name)
        self.move(x + fraction[0] * w, y + fraction[1] * h)
        self.press(button)

    def press(self, button=1):
        self.tool("mousedown", button)
        time.sleep(0.3)
        self.tool("mouseup", button)
        time.sleep(0.4)

    def double_click(self, condition, attempts=4):
        """Double-clicks until the condition holds: on a busy machine two clicks may fall into one frame, or too far apart."""
        for attempt in range(attempts):
            for _ in range(2):
                self.tool("mousedown", 1)
                time.sleep(0.06 + 0.03 * attempt)
                self.tool("mouseup", 1)
                time.sleep(0.06 + 0.03 * attempt)
            time.sleep(1)
            if condition():
                return

    def drag(self, name, begin, end):
        x, y, w, h = self.wait_id(name)
        self.move(x + begin * w, y + h / 2)
        self.tool("mousedown", 1)
        time.sleep(0.3)
        for step in range(1, 6):
            self.tool("mousemove", int(x + (begin + (end - begin) * step / 5) * w), int(y + h / 2))
            time.sleep(0.2)
        self.tool("mouseup", 1)
        time.sleep(0.4)

    def key(self, *keys):
        self.tool("key", "--delay", 120, *keys)
        time.sleep(0.3)

    def open(self, path, place=(600, 300)):
        """Drops a file on the window."""
        assert drop(self.display.name, self.window_id(), *place, [path]), "the drop was not finished"

    def picture(self):
        return Picture(self.display.name)

    def wait_picture(self, condition, what):
        """Waits until condition(picture) holds."""
        self.wait(lambda: condition(self.picture()), what)

    def still(self, name="picture"):
        """Returns the screen, once the pixels of the widget no longer change."""
        x, y, w, h = self.wait_id(name)
        before, same = None, 0
        for _ in range(4 * PATIENCE):
            seen = self.picture()
            now = b"".join(seen.bytes[row * seen.stride + 4 * x:row * seen.stride + 4 * (x + w)] for row in range(y, y + h))
            same = same + 1 if now == before else 0
            if same == 2:
                return seen
            before = now
            time.sleep(0.25)
        raise AssertionError(f"{name} does not come to rest")

    def window_id(self):
        found = subprocess.run(["xdotool", "search", "--name", "Kinescope"], check=True, capture_output=True, text=True,
                               env=dict(os.environ, DISPLAY=self.display.name)).stdout.split()
        return int(found[-1])
