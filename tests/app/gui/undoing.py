"""What a person has changed is undone and done again: the window's state and its picture are those of before, to the pixel."""
import os
import random
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
