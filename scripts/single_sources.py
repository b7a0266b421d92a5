#!/usr/bin/env python3
"""Writes compile_commands.json in the form that clang's tools need: single_sources.py BUILD_FOLDER OUTPUT_FOLDER

Where several sources are compiled at a time (CMAKE_UNITY_BUILD), each gets a command of its own. Clang cannot read GCC's
precompiled headers: options that name them are left out.
"""
import json
import pathlib
import re
import sys

build, output = map(pathlib.Path, sys.argv[1:])
singles = []
for entry in json.loads((build / "compile_commands.json").read_text()):
    command = re.sub(r" -(include [^ ]*cmake_pch[^ ]*|Winvalid-pch|fpch-preprocess)", "", entry["command"])
    sources = [entry["file"]]
    if "/Unity/unity_" in entry["file"]:
        sources = re.findall(r'#include "(.*)"', pathlib.Path(entry["file"]).read_text())
    singles += [{**entry, "file": source, "command": command.replace(entry["file"], source)} for source in sources]
output.mkdir(parents=True, exist_ok=True)
(output / "compile_commands.json").write_text(json.dumps(singles, indent=1))
