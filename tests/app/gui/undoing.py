"""What a person has changed is undone and done again: the window's state and its picture are those of before, to the pixel."""
import json
import os
import pathlib
import random
import shutil
import time

from choosing import table_file
from window import Window


class Acts:
    """Things that a person does, chosen at random; each is one step."""

    def __init__(self, window, folder, seed):
        self.window, self.random = window, random.Random(seed)
        self.tables = [table_file(folder, f"table{i}.csv", 60 + 30 * i) for i in range(3)]

    def drag_in_picture(self, button, keys=()):
        x, y, w, h = self.window.wait_id("picture")
        places = [(x + w * self.random.uniform(0.25, 0.75), y + h * self.random.uniform(0.25, 0.75)) for _ in range(2)]
        self.window.move(*places[0])
        for key in keys:
            self.window.tool("keydown", key)
        self.window.tool("mousedown", button)
        time.sleep(0.2)
        for part in (0.3, 0.6, 1):
            self.window.tool("mousemove", *(int(a + part * (b - a)) for a, b in zip(*places)))
            time.sleep(0.15)
        self.window.tool("mouseup", button)
        for key in keys:
            self.window.tool("keyup", key)

    def select(self):
        self.drag_in_picture(1, ["ctrl"])

    def turn_or_move(self):
        self.drag_in_picture(self.random.choice((1, 3)))

    def zoom(self):
        x, y, w, h = self.window.wait_id("picture")
        self.window.move(x + w / 2, y + h / 2)
        self.window.tool("click", self.random.choice((4, 5)))

    def hide_class(self):
        legend = [name for name, box in self.window.ids.items() if name.startswith("legend.") and box[2] > 0]
        if legend:
            self.window.click(self.random.choice(legend))

    def scene(self):
        self.window.key(self.random.choice("123"))

    def restart(self):
        self.window.key("r")

    def open(self):
        self.window.open(self.random.choice(self.tables))

    def parameter(self):
        sliders = [name for name, box in self.window.ids.items() if name.startswith("parameter.") and name.count(".") == 1 and box[2] > 0]
        x, y, w, h = self.window.ids[self.random.choice(sliders)]
        self.window.move(x + w * self.random.uniform(0.2, 0.8), y + h / 2)
        self.window.press()
        self.window.key("Escape")

    def one(self):
        self.random.choice((self.select, self.select, self.turn_or_move, self.zoom, self.hide_class, self.scene, self.restart, self.open,
                            self.parameter, self.parameter))()


def at_rest(window):
    """The state and the picture, once nothing computes or moves any more."""
    time.sleep(0.6)
    window.wait_state("opening", "none")
    window.wait_state("converged", "yes")
    window.move(3, 3)  # nothing is hovered over
    picture = window.still()
    time.sleep(0.4)
    return window.states["step.state"], pixels(window, picture)


def pixels(window, picture):
    x, y, w, h = window.ids["picture"]
    return b"".join(picture.bytes[row * picture.stride + 4 * x:row * picture.stride + 4 * (x + w)] for row in range(y, y + h))


def undo(program, folder):
    count = int(os.environ.get("KINESCOPE_UNDO_ACTIONS", "14"))
    seed = int(os.environ.get("KINESCOPE_UNDO_SEED", "5"))
    with Window(program, "glimmer", "--data", table_file(folder), "--steps", "20", screen="1280x1000") as window:
        acts = Acts(window, folder, seed)
        moments = {0: at_rest(window)}
        for _ in range(count):
            acts.one()
            seen = at_rest(window)
            moments[int(window.states["step"])] = seen
        last = int(window.states["step"])
        assert last >= count // 2, f"{last} steps of {count} actions"

        def compare(step, way):
            window.wait_state("step", str(step))
            state, picture = at_rest(window)
            if step not in moments:  # an action that was two steps
                return
            assert state == moments[step][0], f"{way} to {step}, {window.states['step.name']}: {state} is not {moments[step][0]}"
            differ = sum(a != b for a, b in zip(picture, moments[step][1]))
            assert picture == moments[step][1], f"{way} to {step}, {window.states['step.name']}: {differ} bytes of the picture differ"

        for step in range(last - 1, -1, -1):
            window.key("ctrl+z")
            compare(step, "undone")
        window.key("ctrl+z")
        assert window.states["step"] == "0"
        for step in range(1, last + 1):
            window.key("ctrl+shift+z")
            compare(step, "done again")


def saved_session(window):
    window.states.pop("saved", None)
    window.click("save-session")
    window.wait(lambda: window.states.get("saved", "").endswith(".kinescope.json"), "the session to be written")
    return pathlib.Path(window.states["saved"])


def cloud_file(folder):
    numbers = random.Random(4)
    lines = ["a,b,c,d,kind"] + [",".join(f"{numbers.gauss(3 * (i % 2), 1):.3f}" for _ in range(4)) + f",{'xy'[i % 2]}" for i in range(300)]
    path = pathlib.Path(folder) / "cloud.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def session_travels(program, folder):
    """A session that moved with its data shows the same picture: the run, the selection, the camera; without them it says so."""
    here, there = folder + "/here", folder + "/there"
    os.mkdir(here)
    with Window(program, "glimmer", "--data", cloud_file(here), screen="1280x1000") as window:
        acts = Acts(window, folder, 3)
        at_rest(window)
        for act in (acts.select, acts.zoom, acts.turn_or_move, acts.select):
            act()
            before = at_rest(window)
        saved = saved_session(window)
    os.rename(here, there)
    text = json.loads((pathlib.Path(there) / saved.name).read_text())
    assert text["run"]["ended"] and text["run"]["iteration"] > 20 and text["data"]["beside"] == "cloud.csv", text
    assert text["view"]["selection"], text
    with Window(program, "--data", f"{there}/{saved.name}", screen="1280x1000") as window:
        state, picture = at_rest(window)
        meant = before[0].replace('"normalize": "auto"', '"normalize": "none"')  # a session says what was done
        assert state.replace(there, here) == meant, f"{state} is not {meant}"
        differ = [i for i, (a, b) in enumerate(zip(picture, before[1])) if a != b]
        width = 4 * window.ids["picture"][2]
        assert not differ, f"{len(differ)} bytes of the picture differ, {[divmod(i, width) for i in differ][:40]}"
    os.remove(f"{there}/cloud.csv")
    with Window(program, "glimmer", screen="1280x1000") as window:
        window.wait_state("converged", "yes")
        window.open(f"{there}/{saved.name}")
        window.wait(lambda: "neither there nor beside it" in window.states.get("banner", ""), "the window to say that the data are not there")


def strokes_travel(program, folder):
    """A sheet with strokes, saved while it is paused, is the same in another window, and so is the file that `run` writes."""
    with Window(program, "fitzhugh-nagumo", "--set", "dimensions=2", "--set", "end_time=2000", "--steps", "2", screen="1280x1000") as window:
        acts = Acts(window, folder, 3)
        window.wait_id("picture")
        time.sleep(1)
        for _ in range(2):
            acts.drag_in_picture(1)
            time.sleep(0.5)
        window.key("space")
        window.wait_state("running", "no")
        window.move(3, 3)
        before = pixels(window, window.still())
        saved = pathlib.Path(shutil.copy(saved_session(window), folder))
    run = json.loads(saved.read_text())["run"]
    assert len(run["events"]) >= 2 and all(len(event) == 7 for event in run["events"]), run
    with Window(program, "--data", str(saved), screen="1280x1000") as window:
        window.wait_state("opening", "none")
        window.wait_state("running", "no")
        window.wait_state("iteration", str(run["iteration"]))
        window.move(3, 3)
        after = pixels(window, window.still())
        differ = sum(a != b for a, b in zip(before, after))
        assert differ == 0, f"{differ} bytes of the picture differ"
        window.key("r")  # from its beginning, with the same parameters
        window.key("ctrl+z")
        window.wait_state("iteration", str(run["iteration"]))
        window.move(3, 3)
        assert pixels(window, window.still()) == before, "after undoing a restart"


def hasty_undo(program, folder):
    """Undo pressed faster than runs can follow ends where the list says, whatever was on its way, with nothing kept."""
    state = folder + "/state"
    os.makedirs(state + "/kinescope")
    pathlib.Path(state, "kinescope", "window").write_text("kept_mb=1\n")
    pressed = random.Random(3)
    with Window(program, "k-means", "--data", table_file(folder), state=state, screen="1280x1000") as window:
        window.wait_state("converged", "yes")
        window.key("1")  # Glimmer
        window.wait_state("scene", "glimmer")
        at_rest(window)
        window.key("3")
        window.wait_state("scene", "k-means")
        at_rest(window)
        assert window.states["step"] == "2", window.states["step"]
        scenes = {"0": "k-means", "1": "glimmer", "2": "k-means"}
        for _ in range(4):
            for _ in range(12):
                window.key(pressed.choice(("ctrl+z", "ctrl+z", "ctrl+shift+z")))
                time.sleep(pressed.choice((0.02, 0.05, 0.1, 0.2, 0.4)))
            at_rest(window)
            assert window.states["scene"] == scenes[window.states["step"]], window.states
