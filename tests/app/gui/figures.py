"""A figure for a paper: three actions; the file is as large as asked for, has text as text, and opens as what it shows."""
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree

from undoing import cloud_file
from window import Window

SVG = "{http://www.w3.org/2000/svg}"


def figure(program, folder):
    with Window(program, "k-means", "--data", cloud_file(folder), "--steps", "10") as window:
        window.wait_state("converged", "yes")
        window.key("ctrl+e")
        window.wait_id("figure-preview")
        window.click("figure-width")
        window.key("ctrl+a")
        window.tool("type", "--delay", "50", "85mm")
        window.wait_state("figure", "1004x753")
        window.key("ctrl+a")
        window.tool("type", "--delay", "50", "8 apples")
        window.wait_state("figure", "refused")
        window.key("ctrl+a")
        window.tool("type", "--delay", "50", "85mm")
        window.wait_state("figure", "1004x753")
        window.click("figure-save")
        window.wait(lambda: window.states.get("saved", "").endswith(".svg"), "the figure to be written")
        path = pathlib.Path(window.folder.name, window.states["saved"])
        tree = xml.etree.ElementTree.parse(path).getroot()
        assert tree.get("width") == "85.000mm" and tree.get("height") == "63.750mm", tree.attrib
        texts = [each.text for each in tree.iter(SVG + "text")]
        assert "cluster found" in texts, texts
        assert sum(1 for _ in tree.iter(SVG + "circle")) > 50
        state = next(each.text for each in tree.iter(SVG + "metadata"))
        assert '"simulation": "k-means"' in state and "/" not in re.sub(r"</", "", state), state
        if shutil.which("rsvg-convert"):
            subprocess.run(["rsvg-convert", path, "-o", str(path) + ".png"], check=True)
        # What is open has lost nothing, and the same state opens again from the file.
        window.key("ctrl+e")
        window.wait_id("figure-preview")
        window.key("Escape")
        window.open(str(path))
        window.wait(lambda: "holds k-means of" in window.states.get("banner", ""), "the question")


CASES = (figure,)
