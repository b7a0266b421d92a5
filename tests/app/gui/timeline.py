"""The timeline: earlier moments of a run are shown, played and saved, and the live one comes back."""
import pathlib
import random
import time

from window import Window


def far_clusters(folder, points=400):
    path = pathlib.Path(folder) / "far.csv"
    numbers = random.Random(11)
    rows = [",".join(f"{12 * (i % 3 == k) + numbers.gauss(0, 1):.4f}" for k in range(5)) for i in range(points)]
    path.write_text("a,b,c,d,e\n" + "\n".join(rows) + "\n")
    return str(path)


def picture_of(window):
    """The picture's pixels, once they no longer change; the mouse is moved away, so that no card covers them."""
    left, top, *_ = window.wait_id("panel.left")
    window.move(left + 4, top + 4)
    x, y, w, h = window.wait_id("picture")
    seen = window.still()
    return b"".join(seen.bytes[row * seen.stride + 4 * x:row * seen.stride + 4 * (x + w)] for row in range(y, y + h))


def shown(window):
    return int(window.states["shown"])


def timeline(program, folder):
    path = far_clusters(folder)
    with Window(program, "glimmer", "--data", path, "--steps", "2") as window:
        window.wait_state("converged", "yes")
        end = window.states["iteration"]
        window.wait(lambda: window.states.get("kept.latest") == end, "the last moment to be kept")
        assert int(window.states["kept"]) > 5, window.states["kept"]
        assert window.states["shown"] == "live"
        live = picture_of(window)

        window.click("timeline.slider", (0.1, 0.5))
        window.wait(lambda: window.states["shown"] != "live" and 0 < shown(window) < int(end) / 2, "an early moment")
        early, at = picture_of(window), shown(window)
        assert early != live, "an early moment looks like the last one"

        # From moment to moment, by buttons and by keys.
        window.click("timeline.forward")
        window.wait(lambda: shown(window) > at, "the next moment")
        window.key("bracketleft")
        window.wait_state("shown", str(at))
        window.click("timeline.back")
        window.wait(lambda: shown(window) < at, "the moment before")
        window.key("bracketright")
        window.wait_state("shown", str(at))
        assert picture_of(window) == early, "the same moment looks the same again"

        # The result of the moment shown, and of the live one.
        window.click("save-result")
        window.wait(lambda: window.states.get("saved", "").endswith(".csv"), "the result of that moment")
        first = pathlib.Path(window.states["saved"])
        window.click("timeline.live")
        window.wait_state("shown", "live")
        assert picture_of(window) == live, "Live brings the live picture back"
        window.click("save-result")
        window.wait(lambda: window.states["saved"] not in ("failed", str(first)), "the live result")
        texts = [pathlib.Path(window.states["saved"]).read_text(), first.read_text()]
        assert [len(text.splitlines()) for text in texts] == [401, 401] and texts[0] != texts[1]

        # It plays to the end, at the chosen speed, and stays there.
        window.click("timeline.speed")
        window.click("timeline.speed.8")
        window.click("timeline.play")
        window.wait_state("playing", "yes")
        window.wait_state("playing", "no")
        window.wait_state("shown", end)
        window.click("timeline.loop")
        window.key("p")
        window.wait_state("playing", "yes")
        window.wait(lambda: shown(window) > int(end) / 2, "the second half")
        window.wait(lambda: shown(window) < int(end) / 2, "the beginning anew")
        window.key("p")
        window.wait_state("playing", "no")

        # An action on the run shows the live run again.
        window.key("r")
        window.wait_state("shown", "live")
        window.wait_state("converged", "yes")

        # The view's options have the memory of the timeline.
        window.click("tab.View")
        window.wait_id("timeline-memory")

        # k-means has no results of earlier moments: none is saved. A landscape has no timeline.
        saved = window.states["saved"]
        window.key("3")
        window.wait_state("scene", "k-means")
        window.wait_state("converged", "yes")
        window.key("bracketleft")
        window.wait(lambda: window.states["shown"] != "live", "an earlier moment")
        window.click("save-result")
        time.sleep(1)
        assert window.states["saved"] == saved, window.states["saved"]
        window.key("5")
        window.wait_state("scene", "landscape")
        window.wait(lambda: window.ids["timeline.live"][2] == 0, "the timeline to be gone")


def numbers_of(path):
    rows = pathlib.Path(path).read_text().splitlines()[1:]
    return [float(cell) for row in rows for cell in row.split(",")[:2]]


def unlike(one, other):
    """The largest difference between two layouts, relative to their extent."""
    assert len(one) == len(other)
    return max(abs(a - b) for a, b in zip(one, other)) / (max(one) - min(one))


def rewind(program, folder):
    path = far_clusters(folder)
    with Window(program, "glimmer", "--data", path, "--steps", "2", "--set", "algorithm=stochastic-force") as window:
        saved = []

        def save():
            window.click("save-result")
            window.wait(lambda: window.states.get("saved", "").endswith(".csv") and window.states["saved"] not in saved,
                        "the result")
            saved.append(window.states["saved"])
            return numbers_of(saved[-1])

        def ended(after=0):
            window.wait_state("converged", "yes")
            window.wait(lambda: after < int(window.states.get("iteration", 0)) == int(window.states.get("kept.latest", 0)),
                        "the last moment to be kept")
            return window.states["iteration"]

        end = ended()
        last = save()
        window.click("timeline.slider", (0.3, 0.5))
        window.wait(lambda: window.states["shown"] != "live", "an earlier moment")
        at, then = window.states["shown"], save()

        # The run goes back, and what came after is forgotten.
        window.click("timeline.rewind")
        window.wait_state("shown", "live")
        window.wait_state("converged", "no")
        window.wait_state("iteration", at)
        window.wait_state("running", "no")
        window.wait_state("kept.latest", at)
        assert unlike(save(), then) < 1e-4, "the run is not what it was at that moment"

        # Unchanged, the run goes where it went before; with another parameter it goes elsewhere.
        window.key("space")
        assert ended(int(at)) == end and save() == last
        window.click("timeline.slider", (0.3, 0.5))
        window.wait(lambda: window.states["shown"] != "live", "an earlier moment")
        at = window.states["shown"]
        window.click("timeline.rewind")
        window.wait_state("iteration", at)
        before = window.states["parameter.step"]
        window.click("parameter.step", (0.9, 0.5))
        window.wait(lambda: window.states["parameter.step"] != before, "another step")
        changed = window.states["parameter.step"]
        window.key("space")
        ended(int(at))
        assert unlike(save(), last) > 1e-4, "another step changes nothing"

        # Before the change the parameter has the value that it had; after it the other.
        window.click("timeline.slider", (0.9, 0.5))
        window.wait(lambda: window.states["shown"] != "live" and shown(window) > int(at), "a moment after the change")
        window.click("timeline.rewind")
        window.wait_state("shown", "live")
        window.wait_state("converged", "no")
        assert window.states["parameter.step"] == changed
        window.click("timeline.slider", (0.1, 0.5))
        window.wait(lambda: window.states["shown"] != "live" and shown(window) < int(at), "a moment before it")
        window.click("timeline.rewind")
        window.wait_state("parameter.step", before)


CASES = (timeline, rewind)
