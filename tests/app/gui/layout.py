"""Windows of several sizes and scales: no control that is needed is cut off, or covers another one."""
import os
import pathlib
import subprocess
import time

from x_server import set_resource
from window import Window

SCENES = {"glimmer": ["algorithm", "metric"],
          "mean-shift": ["kernel", "method", "bandwidth"],
          "k-means": ["start", "clusters", "iterations"],
          "fitzhugh-nagumo": ["dimensions", "scheme", "case", "a", "epsilon", "dt", "end_time"],
          "landscape": ["roughness", "sea_level"]}
TAKE_DATA = ("glimmer", "mean-shift", "k-means")
CONTAINERS = ("picture", "plot.", "curve", "split-", "panel.", "legend.", "figures", "about", "divider", "keys", "banner",
              "fact.colour")  # fact.colour: on the card under the mouse
BELOW = ("run", "step", "restart", "frame-all", "save-picture", "record", "pace", "save-result", "save-session", "unfold")


def inside(inner, outer):
    return (inner[0] >= outer[0] and inner[1] >= outer[1] and inner[0] + inner[2] <= outer[0] + outer[2]
            and inner[1] + inner[3] <= outer[1] + outer[3])


def overlap(a, b):
    return (min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0]) > 1) and (min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]) > 1)


def boxes(window):
    return {name: box for name, box in window.ids.items() if box[2] > 0 and not name.startswith(CONTAINERS)}


def check_apart(window, what):
    """Visible widgets do not overlap one another or the picture."""
    seen = boxes(window)
    whole = window.whole()
    panels = [window.ids[name] for name in ("panel.left", "panel.right") if window.ids.get(name, (0,) * 4)[2] > 0]
    shown = {}
    for name, box in seen.items():
        home = next((panel for panel in panels if panel[0] <= box[0] + box[2] // 2 < panel[0] + panel[2] and name not in BELOW), None)
        if home is None:
            assert inside(box, whole), f"{what}: {name} {box} is cut by the window {whole}"
            shown[name] = box
        elif inside(box, home):
            shown[name] = box  # widgets below the fold of a panel are not visible
        else:
            assert box[0] >= home[0] and box[0] + box[2] <= home[0] + home[2], f"{what}: {name} {box} is cut by its panel {home}"
    names = sorted(shown)
    for i, a in enumerate(names):
        for b in names[i + 1:]:
            assert not overlap(shown[a], shown[b]), f"{what}: {a} {shown[a]} lies over {b} {shown[b]}"
        if a not in ("dismiss", "remedy", "remedy.2"):
            assert not overlap(shown[a], window.ids["picture"]), f"{what}: {a} lies over the picture"
    return shown


def check_scenes(window, what, folded):
    for key, (scene, parameters) in enumerate(SCENES.items(), 1):
        window.key(str(key))
        window.wait_state("scene", scene)
        time.sleep(1.5)
        shown = check_apart(window, f"{what}, {scene}")
        needed = ["run", "step", "restart", "frame-all", "save-picture", "record", "pace", "save-result", "save-session"]
        if not folded:
            needed += [f"scene.{name}" for name in SCENES] + ["open-path", "tab.Parameters", "tab.View"]
            needed += [f"parameter.{name}" for name in parameters if f"parameter.{name}" in window.states]
            if scene in TAKE_DATA:
                needed += ["colour-by", "columns"] if "columns" in boxes(window) else ["colour-by"]
        for name in needed:
            found = [each for each in shown if each == name or each.startswith(name + ".")]
            assert found, f"{what}, {scene}: {name} is not to be seen without scrolling"
    cut = [line for line in window.told if line.startswith("cut ")]
    assert folded or not cut, f"{what}: shortened: {cut}"


def of_size(size, scale=1):
    def case(program, _folder):
        width, height = map(int, size.split("x"))
        prepare = (lambda display: set_resource(display, f"Xft.dpi: {96 * scale}")) if scale != 1 else None
        # GLFW makes the window larger with the scale.
        with Window(program, "glimmer", "--data", "synthetic:swissroll,n=500", "--size", f"{width // scale}x{height // scale}",
                    screen=size, prepare=prepare) as window:
            window.wait_id("picture")
            folded = width // scale < 1000
            time.sleep(1)
            assert ("panel.left" in window.ids) != folded, "the side panels fold by themselves below 1,000 pixels"
            check_scenes(window, size, folded)
            window.key("1")
            window.wait_state("scene", "glimmer")
            window.key("F1")
            assert inside(window.wait_id("keys"), window.whole())
            window.key("Escape")
            window.open("/nowhere/" + "a-long-name-" * 12 + ".csv", (width // 2, height // 3))
            window.wait(lambda: window.states.get("banner", "none") != "none", "the error")
            time.sleep(0.5)
            check_apart(window, size + ", an error")
            window.key("Escape")
            if folded:
                window.key("Tab")
                window.wait(lambda: "panel.left" in window.ids, "the side panels after Tab")
                window.key("Tab")
                window.wait_state("panels", "hidden")
                window.key("Tab")
                window.wait_state("panels", "shown")
                window.click("unfold")
                window.wait_id("panel.left")
                window.wait_id("panel.right")
                time.sleep(0.5)
                check_apart(window, size + ", unfolded")
            else:
                window.click("tab.View")
                window.wait_id("theme.Light")
                check_apart(window, size + ", the view's controls")
    return case


layout_small, layout_usual, layout_large, layout_scaled = (of_size("800x600"), of_size("1280x720"), of_size("1600x1000"),
                                                           of_size("2560x1440", 2))
for name, function in (("layout_small", layout_small), ("layout_usual", layout_usual), ("layout_large", layout_large),
                       ("layout_scaled", layout_scaled)):
    function.__name__ = name


def told_by_xdotool(window, *arguments):
    return subprocess.run(["xdotool", *arguments, str(window.window_id())], check=True, capture_output=True, text=True,
                          env=dict(os.environ, DISPLAY=window.display.name)).stdout.strip()


def size_of(window):
    told = dict(line.split("=") for line in told_by_xdotool(window, "getwindowgeometry", "--shell").splitlines())
    return int(told["WIDTH"]), int(told["HEIGHT"])


def scale_option(program, folder):
    """--scale 2 is the layout of a window of half the size; without --size, scale and size come back."""
    def boxes_of(*arguments, screen):
        with Window(program, "glimmer", "--data", "synthetic:swissroll,n=500", *arguments, state=folder, screen=screen) as window:
            window.wait_id("picture")
            window.wait_id("parameter.metric")
            time.sleep(1)
            title = told_by_xdotool(window, "getwindowname")
            assert title == "swissroll,n=500 – Glimmer layout – Kinescope", title
            return {name: window.ids[name] for name in ("picture", "panel.left", "panel.right", "run", "open-file", "parameter.metric")}
    usual = boxes_of("--size", "1280x720", "--scale", "1", screen="2560x1440")
    double = boxes_of("--size", "2560x1440", "--scale", "2", screen="2560x1440")
    for name, box in usual.items():
        for once, twice in zip(box, double[name]):
            assert abs(2 * once - twice) <= 4, f"{name}: {box} became {double[name]}"
    with Window(program, "glimmer", "--data", "synthetic:swissroll,n=500", state=folder, screen="2560x1440") as window:
        window.wait_id("picture")
        assert size_of(window) == (1280, 720), "a size that --size gave is not remembered"
        window.tool("windowsize", window.window_id(), 2400, 1300)
        window.wait(lambda: size_of(window) == (2400, 1300), "the new size")
        settings = pathlib.Path(folder, "kinescope", "window")
        end = time.monotonic() + 30
        while "window_width=2400" not in settings.read_text() and time.monotonic() < end:
            time.sleep(0.2)
    again = boxes_of(screen="2560x1440")
    assert again["run"][2] == double["run"][2], "the scale is remembered"
    assert again["panel.right"][0] + again["panel.right"][2] == 2400, "the size is remembered"
