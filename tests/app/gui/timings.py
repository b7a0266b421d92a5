"""The tab of frames: it saves the times of the frames so far, and compares those that follow with them."""
import pathlib
import subprocess
import time

from window import Window


def frame_timings(program, folder):
    with Window(program, "fitzhugh-nagumo", "--set", "dimensions=2", "--set", "nodes=64", "--steps", "1") as window:
        window.wait_id("picture")
        window.click("frame-times")
        window.wait_id("frames.chart")
        time.sleep(8)
        window.click("frames.save")
        window.wait(lambda: window.states.get("saved", "").endswith(".timings.csv"), "the saved timings")
        saved = pathlib.Path(window.folder.name, window.states["saved"])
        rows = saved.read_text().splitlines()
        assert rows[0].startswith("frame,cpu_ms,") and len(rows) > 50, rows[:2]
        assert [row.split(",")[0] for row in rows[1:]] == [str(i) for i in range(len(rows) - 1)], "each frame has a row"
        summed_up = subprocess.run([program, "timings", saved], capture_output=True, text=True, check=True).stdout
        assert f"A: {saved}: " in summed_up and "Whole frame" in summed_up, summed_up
        window.click("frames.compare-saved")
        window.wait(lambda: "at least 100" in window.states.get("frames.told", ""), "too few frames since then")
        time.sleep(8)
        window.click("frames.compare-saved")
        window.wait(lambda: window.states["frames.told"].startswith(("Whole frames: ", "The present frames take ")), "the verdict")
        window.key("Escape")
        window.click("tab.View")
        window.wait(lambda: window.ids.get("frames.chart", (0, 0, 0, 0))[2] == 0, "Escape to close the tab")


CASES = (frame_timings,)
