"""What a person does without thinking: fast keys and clicks, opening other data, mistakes and their correction."""
import os
import pathlib
import random
import signal
import time

from window import Window

BACKGROUND = (0x11, 0x13, 0x18)


def points_file(folder, name, scale, offset):
    path = pathlib.Path(folder) / name
    numbers = random.Random(5)
    rows = "\n".join(f"{offset + scale * numbers.gauss(0, 1):.6g},{offset + scale * numbers.gauss(0, 1):.6g}" for _ in range(400))
    path.write_text("x,y\n" + rows + "\n")
    return str(path)


def inked(picture, box):
    """Counts the pixels that are not background, away from the picture's edges, where axes and legends are."""
    x, y, w, h = box
    middle = (x + w // 4, y + h // 4, w // 2, h // 2)
    return sum(n for colour, n in picture.colours(middle).items() if max(abs(a - b) for a, b in zip(colour, BACKGROUND)) > 24)


class Asleep:
    """Stops the program (SIGSTOP) meanwhile: all input then reaches it at once, as between two slow frames."""

    def __init__(self, window):
        self.window = window

    def __enter__(self):
        os.kill(self.window.process.pid, signal.SIGSTOP)

    def __exit__(self, *_):
        os.kill(self.window.process.pid, signal.SIGCONT)


def fast_hands(program, folder):
    """Keys and clicks that begin and end within one frame all count, at the position where they were made."""
    with Window(program, "glimmer", "--data", "synthetic:simplex,n=50") as window:
        window.wait_state("converged", "yes")
        window.wait_id("picture")
        time.sleep(1)
        with Asleep(window):
            window.tool("key", "--delay", 5, *["ctrl+s"] * 8)
        window.wait(lambda: len(list(pathlib.Path(window.folder.name).glob("*.kinescope.json"))) == 8, "eight sessions of eight")
        x, y, w, h = window.wait_id("run")
        with Asleep(window):  # Run again, then one step, then the mouse moves away
            window.tool("mousemove", x + w // 2, y + h // 2, "click", 1)
            x, y, w, h = window.ids["step"]
            window.tool("mousemove", x + w // 2, y + h // 2, "click", 1, "mousemove", 640, 300)
        window.wait_state("running", "no")
        x, y, w, h = window.wait_id("parameter.landmarks")
        with Asleep(window):  # a value is typed before its field is drawn
            window.tool("mousemove", x + w // 2, y - 16, "keydown", "ctrl", "click", 1, "keyup", "ctrl", "key", "--delay", 5, "3", "0", "0", "Return")
        window.wait_state("parameter.landmarks", "300")
        window.key("space")  # while the new run is being made
        window.wait_state("converged", "yes")
        x, y, w, h = window.wait_id("picture")
        with Asleep(window):  # a frame around all points
            window.tool("mousemove", x + 60, y + 40, "keydown", "ctrl", "mousedown", 1, "mousemove", x + w - 10, y + h - 30, "mouseup", 1,
                        "keyup", "ctrl")
        window.wait(lambda: int(window.states["selected"]) > 25, "a selection")
        with Asleep(window):
            window.tool("key", "--delay", 5, "Tab", "Tab", "Tab")
        window.wait_state("panels", "hidden")


def other_scale(program, folder):
    """Data of another scale and place are to be seen at once."""
    near, far = points_file(folder, "near.csv", 1, 0), points_file(folder, "far.csv", 1e-4, 5e3)
    with Window(program, "mean-shift", "--data", near) as window:
        window.wait_state("points", "400")
        box = window.wait_id("picture")
        window.wait_picture(lambda picture: inked(picture, box) > 200, "the points")
        window.open(far)
        window.wait_state("data", far)
        assert inked(window.still(), box) > 200, "the picture is blank"


def new_data_run(program, folder):
    """A pause belongs to the run that was paused, and the heading says so. Other data run at once; a restart of the same stays paused."""
    with Window(program, "glimmer", "--data", "synthetic:grid,n=3000,h=8", "--set", "algorithm=glimmer-2007") as window:
        window.wait_state("running", "yes")
        window.wait_id("picture")
        window.key("space")
        window.wait_state("running", "no")
        window.wait(lambda: window.states.get("heading", "").startswith("Paused · "), "the pause in the heading")
        window.click("restart")
        window.wait_state("iteration", "0")
        assert window.states["heading"].startswith("Paused · "), window.states["heading"]
        window.open(points_file(folder, "other.csv", 1, 0))
        window.wait_state("points", "400")
        window.wait_state("running", "yes")
        window.wait(lambda: "Paused" not in window.states["heading"] and not window.states["heading"].endswith("iteration 0"), "the new run to go on")


def banner_goes(program, folder):
    """An error stays in the banner until something else has been opened."""
    good = points_file(folder, "good.csv", 1, 0)
    with Window(program, "glimmer", "--data", "synthetic:simplex,n=50") as window:
        window.wait_state("points", "50")
        for then in (lambda: window.open(good), lambda: window.key("3")):
            window.open("/nowhere/at-all.csv")
            window.wait(lambda: "at-all.csv" in window.states.get("banner", ""), "the error")
            then()
            window.wait_state("banner", "none")


def only_saving_says_so(program, folder):
    """Dragging the bandwidth saves nothing, and the window does not say that it is saving."""
    with Window(program, "mean-shift", "--data", "synthetic:gaussians,n=20000,k=2,clusters=3") as window:
        window.wait_state("converged", "yes")
        window.told.clear()
        window.drag("parameter.bandwidth", 0.2, 0.6)
        assert "state saving yes" not in window.told, "nothing is being saved"
        window.click("save-result")
        window.wait(lambda: "saved" in window.states, "the file")
        assert pathlib.Path(window.states["saved"]).is_absolute(), window.states["saved"]


def beside_the_data(program, folder):
    """Files are saved beside the data, or in the current folder if the data's folder is not writable; a message says where."""
    path = points_file(folder, "mine.csv", 1, 0)
    with Window(program, "k-means", "--data", path) as window:
        window.wait_state("points", "400")
        window.wait_id("picture")
        window.key("F12")
        window.wait(lambda: window.states.get("saved", "").endswith(".png"), "the picture")
        assert os.path.dirname(window.states["saved"]) == os.path.realpath(folder), window.states["saved"]


def stroke(program, folder):
    """A mouse that is faster than frames draws a line on the sheet, not dots."""
    with Window(program, "fitzhugh-nagumo", "--set", "dimensions=2", "--set", "nodes=128", "--set", "case=rest") as window:
        window.wait_state("running", "yes")
        x, y, w, h = window.wait_id("picture")
        window.click("run")
        window.wait_state("running", "no")
        middle, size = (x + (w - 144) // 2, y + h // 2), min(w - 144, h)
        left, right = middle[0] - size // 4, middle[0] + size // 4
        before = window.still()
        window.move(left, middle[1])
        window.tool("mousedown", 1, "mousemove", right, middle[1], "mouseup", 1)
        time.sleep(0.5)
        window.move(middle[0], y + 10)
        after = window.still()
        for part in range(9):
            place = (left + (right - left) * part // 8, middle[1])
            assert before.pixel(*place) != after.pixel(*place), f"nothing painted at {part}/8 of the way"


def bandwidth_down(program, folder):
    """Mean shift: what a large bandwidth has merged separates again with a small one."""
    with Window(program, "mean-shift", "--data", "synthetic:gaussians,n=2000,k=2,clusters=3", "--set", "bandwidth=20") as window:
        window.wait_state("converged", "yes")
        window.wait_state("groups", "1")
        window.drag("parameter.bandwidth", 0.9, 0.25)
        window.wait_state("converged", "yes")
        window.wait(lambda: window.states["groups"] not in ("none", "1"), "more than one cluster again")


def by_keyboard(program, folder):
    """Parameters can be reached and changed without a mouse. Esc leaves them, and clears a selection."""
    with Window(program, "k-means", "--data", "synthetic:gaussians,n=500,k=2,clusters=3", "--set", "clusters=3") as window:
        window.wait_state("converged", "yes")
        for _ in range(30):
            if window.states.get("focus") == "parameter.clusters":
                break
            window.key("Down")
        window.wait_state("focus", "parameter.clusters")
        window.key("Right")
        window.wait(lambda: int(window.states["parameter.clusters"]) > 3, "another K by an arrow")
        window.key("Return")
        window.tool("type", "--delay", 120, "7")
        window.key("Return")
        window.wait_state("parameter.clusters", "7")
        window.key("Escape")
        x, y, w, h = window.wait_id("picture")
        window.move(x + 60, y + 40)
        window.tool("keydown", "ctrl", "mousedown", 1)
        time.sleep(0.4)
        window.tool("mousemove", x + w - 10, y + h - 30)
        time.sleep(0.4)
        window.tool("mouseup", 1, "keyup", "ctrl")
        window.wait(lambda: int(window.states["selected"]) > 100, "a selection")
        window.wait_id("save-selection")  # its tab comes by itself
        window.key("Escape")
        window.wait_state("selected", "0")


def only_what_has_an_effect(program, folder):
    """Parameters without effect are not shown; those that few people change are behind a button."""
    with Window(program, "mean-shift", "--data", "synthetic:gaussians,n=500,k=2,clusters=3") as window:
        window.wait_id("parameter.bandwidth")
        window.click("more-parameters")
        window.wait_id("parameter.error_bound")
        for name in ("tile_width", "features", "space_bandwidth"):
            assert window.ids.get("parameter." + name, (0,) * 4)[2] == 0, name
    with Window(program, "fitzhugh-nagumo") as window:
        window.wait_id("parameter.scheme")
        window.click("parameter.dimensions.2")
        window.wait(lambda: window.ids["parameter.scheme"][2] == 0, "the scheme to go: a sheet is always explicit")


def endless_landscape(program, folder):
    """`duration` ends `run`; a window goes on."""
    with Window(program, "landscape", "--set", "duration=0.3", "--set", "terrain_size=6", "--set", "trees=10",
                "--size", "640x400") as window:
        window.wait_state("scene", "landscape")
        time.sleep(6)
        assert window.states["converged"] == "no", window.states


def help_explains(program, folder):
    """Each scene says what it shows; F1 says what its figures mean."""
    with Window(program, "glimmer", "--data", "synthetic:simplex,n=50") as window:
        for key in "12345":
            window.key(key)
            window.wait_id("about")
            assert window.ids["about"][3] >= 14
            window.key("F1")
            assert window.wait_id("figures")[3] > 40
            window.key("Escape")
            window.wait_state("keys", "hidden")
