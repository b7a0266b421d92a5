#!/usr/bin/env python3
"""Doubles inputs of every format and measures what reading them costs: twice the input must cost at most 2.2 times the
processor time and the memory.

    doubling.py PROGRAM [PART OF A NAME]

Each input is first made large enough to take 0.3 s, then doubled twice. Prints a table; exit status 1 if a ratio is
larger. Start-up is subtracted. Inputs that need h5py, pyarrow or Pillow are left out where these are missing.
"""

import io
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
from typing import Callable, NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from samples import bmp, idx, lines, npy, packed, pcd, ply, png, zipped  # noqa: E402

LEAST_SECONDS = 0.3
LEAST_MEGABYTES = 8  # below this a ratio of memory says nothing
LARGEST = 150 << 20  # bytes of a file; inputs that are read faster than that are compared at this size
RATIO = 2.2
TURNS, MOST_TURNS = 3, 5


class Case(NamedTuple):
    name: str
    write: Callable  # n -> bytes, or (n, path) -> None if it writes the file itself
    first: int  # n to begin with
    file: str  # its name
    inside: str = ""  # what follows the file's name
    itself: bool = False
    most: int = 1 << 40  # a limit of n


def repeated(block, n):
    """`n` lines, of which `block` are different; making files in Python would take longer than reading them."""
    text = "".join(block)
    return (text * (n // len(block)) + "".join(block[:n % len(block)])).encode()


def rows_of(form, n):
    return repeated([form.format(i % 127, i % 1009 / 4, i * i % 997, i % 13) for i in range(min(n, 20_011))], n)


def wide(n, rows=3, separator=","):
    return lines(*(separator.join(f"{(i * 7 + row) % 1009}" for i in range(n)) for row in range(rows)))


def texts():
    numbers = "{},{},{},{}\n"
    yield Case("csv: rows", lambda n: rows_of(numbers, n), 200_000, "a.csv")
    yield Case("csv: columns", wide, 20_000, "a.csv", most=250_000)
    yield Case("csv: columns with names", lambda n: lines(",".join(f"name{i}" for i in range(n))) + wide(n), 20_000, "a.csv",
               most=250_000)
    yield Case("csv: blanks", lambda n: rows_of("{} {}  {} {}\n", n), 200_000, "a.txt")
    yield Case("csv: UTF-16", lambda n: ("\ufeff" + rows_of(numbers, n).decode()).encode("utf-16-le"), 200_000, "a.csv")
    yield Case("csv: quoted cells", lambda n: rows_of('"{}","{}","x, ""{}""","{}"\n', n), 100_000, "a.csv")
    yield Case("csv: distinct texts", lambda n: lines("a,b", *(f"text {i * 7919 % n},{i % 9}" for i in range(n))), 100_000, "a.csv")
    yield Case("csv: categories", lambda n: lines("a,b", *(f"kind {i % (n // 2)},{i % 9}" for i in range(n))), 100_000, "a.csv")
    yield Case("csv: long cells", lambda n: lines("a,b", *(f"{'x' * (n + i)},{i}" for i in range(20))), 500_000, "a.csv",
               most=15_000_000)
    yield Case("csv: long quoted cells", lambda n: lines("a,b", *(f'"{"y, " * (n // 3 + i)}",{i}' for i in range(20))), 500_000,
               "a.csv", most=15_000_000)
    yield Case("csv: lines in a cell", lambda n: b'a,b\n"' + b"line\n" * n + b'",2\nx,3\ny,4\n', 200_000, "a.csv", most=2_500_000)
    yield Case("csv: an open quote", lambda n: b'a,b\n"x,1\n' + rows_of("{},{}\n", n), 100_000, "a.csv")
    yield Case("csv: missing values", lambda n: rows_of("{},NA,{},{}\n{},2,,3\n", n // 2), 100_000, "a.csv")
    yield Case("csv: comments", lambda n: rows_of("# {} {}\n{},2,3\n", n // 2), 100_000, "a.csv")
    yield Case("csv: dates", lambda n: rows_of("2024-03-1{0!s:.1}T12:30:00Z,{1}\n", n), 100_000, "a.csv")
    yield Case("csv: a late text", lambda n: rows_of(numbers, n) + b"a,b,c,d\n", 200_000, "a.csv")
    yield Case("csv: large numbers", lambda n: rows_of("90071992547{0:05}993,{1}\n", n), 100_000, "a.csv")
    yield Case("csv: money", lambda n: rows_of('"$1,{0:03}.50",{1}\n', n), 100_000, "a.csv")
    yield Case("csv: equal names", lambda n: lines(",".join(["a"] * n)) + wide(n), 5_000, "a.csv", most=250_000)
    yield Case("csv: equal names and those they would get", lambda n: lines(",".join([f"a_{n + i}" for i in range(n)] + ["a"] * n)) + wide(2 * n),
               5_000, "a.csv", most=100_000)
    yield Case("csv: columns of texts", lambda n: lines(*(",".join(f"t{(i * 7 + row) % 50}" for i in range(n)) for row in range(9))),
               5_000, "a.csv", most=250_000)
    yield Case("distances: cells", lambda n: lines(*(" ".join(str(abs(i - j) % 97) for j in range(math.isqrt(n)))
                                                     for i in range(math.isqrt(n)))), 90_000, "a.txt", most=9_000_000)
    yield Case("jsonl: objects", lambda n: rows_of('{{"x":{},"y":{},"z":{},"kind":"k{}"}}\n', n), 100_000, "a.jsonl")
    yield Case("jsonl: lists", lambda n: rows_of("[{},{},{},{}]\n", n), 100_000, "a.jsonl")
    yield Case("jsonl: columns", lambda n: lines(*(json.dumps({f"c{i}": i * row % 97 for i in range(n)}) for row in range(3))), 10_000,
               "a.jsonl", most=250_000)
    yield Case("jsonl: columns in another order", lambda n: lines(*(json.dumps(
        {f"c{i * 7919 % n if row else i}": i * row % 97 for i in range(n)}) for row in range(3))), 10_000, "a.jsonl", most=250_000)
    yield Case("jsonl: a name of dots", lambda n: lines('{"x":1}', *['{"' + "." * n + '":1}'] * 2), 100_000, "a.jsonl", most=10_000_000)
    yield Case("jsonl: lists of lists", lambda n: lines('{"x":1}', *["{" + ",".join(f'"c{i}":1,"l{i}":[[1]]' for i in range(n)) + "}"] * 2), 5_000, "a.jsonl",
               most=250_000)
    yield Case("jsonl: objects in objects", lambda n: lines('{"x":1}', *['{"' + "x" * 60 + '":{"y":{' + ",".join(f'"a{i}":{i}' for i in range(n)) + "}}}"] * 2),
               10_000, "a.jsonl", most=250_000)
    yield Case("jsonl: long texts", lambda n: lines(*(json.dumps({"a": "x\n" * n, "b": i}) for i in range(20))), 200_000, "a.jsonl")
    yield Case("json: objects", lambda n: b"[" + rows_of('{{"x":{},"y":{},"z":{},"kind":"k{}"}},\n', n) + b'{"x":1,"y":2,"z":3,"kind":"k"}]',
               100_000, "a.json")
    head = lines("@relation t", "@attribute x numeric", "@attribute y numeric", "@attribute z numeric", "@attribute k numeric", "@data")
    yield Case("arff: rows", lambda n: head + rows_of(numbers, n), 100_000, "a.arff")
    yield Case("arff: attributes", lambda n: lines("@relation t", *(f"@attribute a{i} numeric" for i in range(n)), "@data") + wide(n),
               20_000, "a.arff", most=250_000)
    yield Case("arff: values of an attribute", lambda n: lines("@relation t", "@attribute x {" + ",".join(
        f"v{i}" for i in range(n)) + "}", "@attribute y numeric", "@data", *(f"v{i * 7919 % n},{i}" for i in range(n))), 50_000, "a.arff")
    yield Case("svmlight: rows", lambda n: rows_of("1 1:{} 2:{} 3:{} 7:{}\n", n), 100_000, "a.svm")
    yield Case("svmlight: columns", lambda n: lines(*("1 " + " ".join(f"{i + 1}:{i % 97 + 1}" for i in range(n)) for _ in range(3))),
               20_000, "a.svm", most=250_000)
    yield Case("Matrix Market: entries", lambda n: lines("%%MatrixMarket matrix coordinate real general", f"1000 5000 {n}") + lines(*(
        f"{i % 1000 + 1} {i // 1000 % 5000 + 1} {i % 97 + 1}" for i in range(n))), 100_000, "a.mtx", most=1_250_000)
    yield Case("Matrix Market: rows", lambda n: lines("%%MatrixMarket matrix coordinate real general", f"{n} 50 {n}") + lines(*(
        f"{i + 1} {i % 50 + 1} {i % 97 + 1}" for i in range(n))), 100_000, "a.mtx")
    yield Case("Matrix Market: array", lambda n: lines("%%MatrixMarket matrix array real general", f"{n} 4") + rows_of("{}\n{}\n{}\n{}\n", n),
               100_000, "a.mtx")
    yield Case("GloVe: words", lambda n: lines(*(f"word{i} 0.{i % 97} 1.{i % 31} {i % 7} 2" for i in range(n))), 100_000, "a.txt")
    yield Case("xyz: points", lambda n: rows_of("{} {} {}\n", n), 100_000, "a.xyz")
    yield Case("xyz: atoms", lambda n: lines(str(n), "water") + rows_of("O {} {} {}\n", n), 100_000, "a.xyz")
    yield Case("pts: points", lambda n: lines(str(n)) + rows_of("{} {} {}\n", n), 100_000, "a.pts")
    yield Case("ply: points", lambda n: ply(count=n)[:-len("1 2 3\n4 5 6\n7 8 10\n")] + rows_of("{} {} {}\n", n), 100_000, "a.ply")
    yield Case("ply: faces", lambda n: ply(extra=(f"element face {n}", "property list uchar int vertex_indices")) + rows_of(
        "3 0 1 2\n", n), 200_000, "a.ply")
    yield Case("ply: properties", lambda n: lines("ply", "format ascii 1.0", "element vertex 3", *(f"property float p{i}" for i in range(n)),
                                                  "end_header") + wide(n, separator=" "), 10_000, "a.ply", most=250_000)
    yield Case("pcd: points", lambda n: pcd(points=n)[:-len("1 2 3\n4 5 6\n7 8 10\n")] + rows_of("{} {} {}\n", n), 100_000, "a.pcd")
    yield Case("TSPLIB: places", lambda n: lines("NAME: t", "TYPE: TSP", f"DIMENSION: {n}", "EDGE_WEIGHT_TYPE: EUC_2D", "NODE_COORD_SECTION",
                                                 *(f"{i + 1} {i % 97} {i % 1009}" for i in range(n)), "EOF"), 100_000, "a.tsp")
    yield Case("biom 1: entries", lambda n: biom(n, 50), 50_000, "a.biom")
    yield Case("biom 1: columns", lambda n: biom(50, n), 50_000, "a.biom", most=250_000)


def biom(samples, observations):
    count = max(samples, observations)
    return json.dumps({
        "id": None, "format": "Biological Observation Matrix 1.0.0", "format_url": "http://biom-format.org", "type": "OTU table",
        "rows": [{"id": f"o{i}", "metadata": None} for i in range(observations)],
        "columns": [{"id": f"s{i}", "metadata": None} for i in range(samples)], "matrix_type": "sparse", "matrix_element_type": "int",
        "shape": [observations, samples], "data": [[i % observations, i % samples, i % 9 + 1] for i in range(count)]}).encode()


def numbers():
    def array(rows, columns):
        block = struct.pack("<997f", *range(997))
        return npy(shape=(rows, columns))[:128] + (block * (rows * columns // 997 + 1))[:4 * rows * columns]

    yield Case("npy: rows", lambda n: array(n, 8), 500_000, "a.npy")
    yield Case("npy: columns", lambda n: array(8, n), 50_000, "a.npy", most=250_000)
    yield Case("npz: rows", lambda n: zipped([("x.npy", array(n, 8))]), 200_000, "a.npz")
    yield Case("npz: members", lambda n: zipped([("x.npy", npy())] + [(f"m{i}.npy", npy(shape=(9,))) for i in range(n)]),
               2_000, "a.npz", ":x", most=15_000)
    yield Case("idx: rows", lambda n: idx((n, 28, 28), values=bytes(range(1, 197)) * (4 * n)), 10_000, "a-idx3-ubyte")
    yield Case("fvecs: rows", lambda n: struct.pack("<i8f", 8, *range(8)) * n, 200_000, "a.fvecs")
    yield Case("fvecs: columns", lambda n: (struct.pack("<i", n) + struct.pack("<f", 1.5) * n) * 8, 50_000, "a.fvecs", most=250_000)
    yield Case("word2vec: words", lambda n: f"{n} 8\n".encode() + b"".join(
        b"word%d " % i + struct.pack("<8f", *range(8)) + b"\n" for i in range(n)), 100_000, "a.bin")
    yield Case("ply: binary points", lambda n: ply("binary_little_endian", n)[:-36] + struct.pack("<3f", 1, 2, 3) * n, 300_000, "a.ply")
    yield Case("pcd: binary points", lambda n: pcd("binary", n)[:-36] + struct.pack("<3f", 1, 2, 3) * n, 300_000, "a.pcd")
    yield Case("png: pixels", lambda n: png(1000, n, pixels=(b"\0" + bytes(range(250)) * 12) * n), 500, "a.png", most=30_000)
    yield Case("bmp: pixels", lambda n: bmp(1000, n)[:54] + bytes(range(250)) * 12 * n, 500, "a.bmp", most=30_000)
    yield Case("tga: pixels", lambda n: struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, 1000, n, 24, 32) + bytes(range(250)) * 12 * n,
               500, "a.tga", most=30_000)


def archives():
    table = {}

    def text(n):
        if n not in table:
            table.clear()
            table[n] = rows_of("{},{},{},{}\n", n)
        return table[n]

    for ending, _ in packed(b"", ""):
        yield Case(f"{ending[1:]}: rows", lambda n, ending=ending: dict(packed(text(n)))[ending], 100_000, f"a.csv{ending}", most=2_000_000)
    yield Case("zip: members", lambda n: zipped([("x.csv", b"1,2\n3,4\n5,6\n")] + [(f"folder/m{i}.csv", b"1,2\n3,4\n") for i in range(n)]), 5_000,
               "a.zip", ":x.csv", most=15_000)


def graphs():
    def path(form, head="", tail="", node=""):
        """A path of n nodes, and a graph of about sqrt(n) nodes with n edges."""
        def text(count, edges):
            nodes = "".join(node.format(i) for i in range(count)) if node else ""
            return (head.format(count) + nodes + "".join(form.format(a, b) for a, b in edges) + tail).encode()
        return (lambda n: text(n, ((i, i + 1) for i in range(n - 1))),
                lambda n: text(count := int((4 * n) ** 0.5) + 2, ((i % count, (i % count + 1 + i // count) % count) for i in range(n))))

    kinds = {
        "graphml": path('<edge source="n{}" target="n{}"/>\n', '<graphml><graph edgedefault="undirected">\n', "</graph></graphml>", '<node id="n{}"/>\n'),
        "gexf": path('<edge source="n{}" target="n{}"/>\n', '<gexf><graph><nodes>\n', "</edges></graph></gexf>", '<node id="n{}"/>\n'),
        "gml": path("edge [ source {} target {} ]\n", "graph [\n", "]\n", "node [ id {} ]\n"),
        "net": path("{} {} 1\n", "*Vertices {}\n", "", ""),
        "dot": path("n{} -- n{};\n", "graph {{\n", "}\n", "n{};\n"),
        "network": path("{} {}\n", "% sym positive\n", "", ""),
        "edgelist": path("n{} n{} {{}}\n", "", "", "")}
    names = {"network": "out.a"}
    for kind, (nodes, edges) in kinds.items():
        def fixed(write, kind=kind):
            def bytes_of(n):
                text = write(n)
                if kind == "gexf":
                    text = text.replace(b"<edge ", b"</nodes><edges><edge ", 1)
                elif kind == "net":
                    begin = text.index(b"\n") + 1
                    text = text[:begin] + b"*Edges\n" + text[begin:].replace(b"\n0 ", b"\n1 ").replace(b" 0 1\n", b" 1 1\n")
                    text = text.replace(b"*Edges\n0 ", b"*Edges\n1 ")
                return text
            return bytes_of
        file = names.get(kind, f"a.{kind}")
        yield Case(f"{kind}: nodes", fixed(nodes), 20_000, file)
        yield Case(f"{kind}: edges", fixed(edges), 50_000, file)
    yield Case("json: nodes", lambda n: json.dumps({"nodes": [{"id": f"n{i}"} for i in range(n)], "links": [
        {"source": f"n{i}", "target": f"n{i + 1}"} for i in range(n - 1)]}).encode(), 20_000, "a.json")
    yield Case("json: edges", lambda n: json.dumps({"nodes": [{"id": f"n{i}"} for i in range(1000)], "links": [
        {"source": f"n{i % 1000}", "target": f"n{(i % 1000 + 1 + i // 1000) % 1000}"} for i in range(n)]}).encode(), 50_000, "a.json")
    long = 1000
    yield Case("gml: long names", lambda n: lines("graph [", *(f'node [ id {i} label "{"x" * long}{i}" ]' for i in range(n)), *(
        f"edge [ source {i} target {i + 1} ]" for i in range(n - 1)), "]"), 5_000, "a.gml")
    yield Case("dot: long names", lambda n: lines("graph {", *(f'"{"x" * long}{i}" -- "{"x" * long}{i + 1}";' for i in range(n)), "}"), 5_000, "a.dot")
    yield Case("graphml: long names", lambda n: lines("<graphml><graph>", *(f'<node id="{"x" * long}{i}"/>' for i in range(n)), *(
        f'<edge source="{"x" * long}{i}" target="{"x" * long}{i + 1}"/>' for i in range(n - 1)), "</graph></graphml>"), 5_000, "a.graphml")
    yield Case("edgelist: long names", lambda n: lines(*(f'{"x" * long}{i} {"x" * long}{i + 1} {{}}' for i in range(n))), 5_000, "a.edgelist")
    yield Case("gml: attributes", lambda n: lines("graph [", *("node [ id %d %s ]" % (node, " ".join(f"a{i} {i}" for i in range(n)))
                                                               for node in range(5)), "edge [ source 0 target 1 ]", "edge [ source 1 target 2 ]",
                                                  "edge [ source 2 target 3 ]", "edge [ source 3 target 4 ]", "]"), 2_000, "a.gml", most=250_000)
    yield Case("graphml: attributes", lambda n: lines(
        "<graphml>", *(f'<key id="k{i}" for="node" attr.name="a{i}" attr.type="double"/>' for i in range(n)), "<graph>", *(
            f'<node id="n{node}">' + "".join(f'<data key="k{i}">{i}</data>' for i in range(n)) + "</node>" for node in range(5)), *(
            f'<edge source="n{i}" target="n{i + 1}"/>' for i in range(4)), "</graph></graphml>"), 2_000, "a.graphml", most=250_000)
    yield Case("gexf: attributes", lambda n: lines(
        '<gexf><graph><attributes class="node">', *(f'<attribute id="{i}" title="a{i}" type="float"/>' for i in range(n)), "</attributes><nodes>", *(
            f'<node id="n{node}"><attvalues>' + "".join(f'<attvalue for="{i}" value="{i}"/>' for i in range(n)) + "</attvalues></node>"
            for node in range(5)), "</nodes><edges>", *(f'<edge source="n{i}" target="n{i + 1}"/>' for i in range(4)), "</edges></graph></gexf>"),
        2_000, "a.gexf", most=250_000)
    yield Case("dot: attributes", lambda n: lines("graph {", *("n%d [%s];" % (node, ", ".join(f"a{i}={i}" for i in range(n))) for node in range(5)),
                                                  "n0 -- n1 -- n2 -- n3 -- n4", "}"), 2_000, "a.dot", most=250_000)
    yield Case("json: attributes", lambda n: json.dumps({"nodes": [{"id": node, **{f"a{i}": i for i in range(n)}} for node in range(5)], "links": [
        {"source": i, "target": i + 1} for i in range(4)]}).encode(), 2_000, "a.json", most=250_000)
    yield Case("dot: subgraphs", lambda n: lines("graph {", *(f"subgraph s{i} {{ n{i} -- n{i + 1} }}" for i in range(n)), "}"), 20_000, "a.dot")
    yield Case("dot: subgraphs and defaults", lambda n: lines("graph {", "node [%s];" % " ".join(f"a{i}=1" for i in range(n)), "{}" * n, "a -- b", "}"),
               20_000, "a.dot")
    yield Case("dot: defaults of edges", lambda n: lines("graph {", "edge [%s];" % " ".join(f"a{i}=1" for i in range(n)), "a -- b;\n" * n, "}"),
               20_000, "a.dot")
    yield Case("dot: a growing subgraph", lambda n: lines("graph {", *(f"subgraph s {{ a{i} }} -- subgraph t" for i in range(n)), "}"), 20_000, "a.dot")
    yield Case("dot: a chain", lambda n: ("graph { " + " -- ".join(f"n{i}" for i in range(n)) + " }").encode(), 50_000, "a.dot")
    yield Case("gexf: nested nodes", lambda n: lines("<gexf><graph><nodes>", *(f'<node id="n{i}" pid="n{i // 2}"/>' for i in range(1, n)), "</nodes><edges>", *(
        f'<edge source="n{i}" target="n{i + 1}"/>' for i in range(1, n - 1)), "</edges></graph></gexf>"), 20_000, "a.gexf")
    yield Case("net: other sections", lambda n: lines("*Vertices 2", "1 a", "2 b", *(f"*F{i}" for i in range(n)), "*Edges", "1 2"), 20_000, "a.net")
    yield Case("json: lists of nodes", lambda n: json.dumps({"nodes": [{"id": 1, **{f"a{i}": [] for i in range(n)}}, {"id": 2}], "links": [
        {"source": 1, "target": 2}]}).encode(), 20_000, "a.json")
    yield Case("net: vertices", lambda n: lines(f"*Vertices {n}", *(f'{i + 1} "v{i}" 0.{i % 97} 0.5' for i in range(n)), "*Edges", *(
        f"{i + 1} {i + 2}" for i in range(n - 1))), 20_000, "a.net")


def hdf5():
    import h5py
    import numpy

    def written(fill):
        def write(n, path):
            with h5py.File(path, "w") as file:
                fill(file, n)
        return write

    def array(rows, columns):
        return (numpy.arange(rows * columns, dtype="f4") % 997).reshape(rows, columns)

    def datasets(file, n):
        file["x"] = array(5, 3)
        for i in range(n):
            file[f"d{i}"] = [1]

    def groups(file, n):
        file["x"] = array(5, 3)
        for i in range(n):
            file.create_group(f"g{i}")

    def annotated(file, cells, columns, kinds=5):
        file["X"] = array(cells, 5)
        obs = file.create_group("obs")
        obs.attrs["_index"], obs.attrs["encoding-type"], obs.attrs["column-order"] = "_index", "dataframe", []
        obs["_index"] = numpy.array([b"cell%d" % i for i in range(cells)])
        for i in range(columns):
            column = obs.create_group(f"k{i}")
            column.attrs["encoding-type"] = "categorical"
            column["codes"], column["categories"] = numpy.arange(cells) % kinds, numpy.array([b"kind%d" % k for k in range(kinds)])
        var = file.create_group("var")
        var.attrs["_index"], var.attrs["encoding-type"], var.attrs["column-order"] = "_index", "dataframe", []
        var["_index"] = numpy.array([b"gene%d" % i for i in range(5)])

    def tenx(file, cells):
        matrix = file.create_group("matrix")
        matrix["data"], matrix["indices"] = numpy.arange(1, 4 * cells + 1) % 97 + 1, numpy.tile([0, 7, 20, 33], cells)
        matrix["indptr"], matrix["shape"] = numpy.arange(0, 4 * cells + 1, 4), [50, cells]
        matrix["barcodes"] = numpy.array([b"cell%d" % i for i in range(cells)])
        features = matrix.create_group("features")
        features["id"] = features["name"] = numpy.array([b"gene%d" % i for i in range(50)])
        features["feature_type"] = numpy.array([b"Gene Expression"] * 50)

    def loom(file, cells):
        file["matrix"] = array(20, cells)
        file.create_group("row_attrs")["Gene"] = numpy.array([b"gene%d" % i for i in range(20)])
        file.create_group("col_attrs")["CellID"] = numpy.array([b"cell%d" % i for i in range(cells)])

    for name, fill, first, file, inside, most in (
            ("hdf5: rows", lambda f, n: f.create_dataset("x", data=array(n, 8)), 300_000, "a.h5", "", 1 << 40),
            ("hdf5: packed rows", lambda f, n: f.create_dataset("x", data=array(n, 8), compression="gzip"), 200_000, "a.h5", "", 1 << 40),
            ("hdf5: columns", lambda f, n: f.create_dataset("x", data=array(8, n)), 50_000, "a.h5", "", 250_000),
            ("hdf5: datasets", datasets, 2_000, "a.h5", ":/x", 50_000), ("hdf5: groups", groups, 2_000, "a.h5", "", 50_000),
            ("h5ad: cells", lambda f, n: annotated(f, n, 3), 50_000, "a.h5ad", "", 1 << 40),
            ("h5ad: columns of obs", lambda f, n: annotated(f, 100, n), 500, "a.h5ad", "", 20_000),
            ("h5ad: categories", lambda f, n: annotated(f, n, 2, n // 2), 50_000, "a.h5ad", "", 1 << 40),
            ("10x: cells", tenx, 50_000, "a.h5", "", 1 << 40), ("loom: cells", loom, 50_000, "a.loom", "", 1 << 40)):
        yield Case(name, written(fill), first, file, inside, True, most)


def arrow():
    import numpy
    import pyarrow
    import pyarrow.feather
    import pyarrow.parquet

    def numbers_of(n):
        return pyarrow.table({f"c{i}": numpy.arange(n) * (i + 1) % 997 for i in range(4)})

    def columns_of(n):
        return pyarrow.table({f"c{i}": [i % 97, 1, 2] for i in range(n)})

    def texts_of(n):
        return pyarrow.table({"a": [f"text{i}" for i in range(n)], "b": numpy.arange(n) % 9})

    def kinds_of(n):
        return pyarrow.table({"a": pyarrow.array([f"text{i % (n // 2)}" for i in range(n)]).dictionary_encode(), "b": numpy.arange(n) % 9})

    def stream(table, path):
        with pyarrow.ipc.new_stream(path, table.schema) as to:
            to.write_table(table, max_chunksize=1000)

    parquet, feather = pyarrow.parquet.write_table, pyarrow.feather.write_feather
    for name, table, write, first, file, most in (
            ("parquet: rows", numbers_of, parquet, 300_000, "a.parquet", 1 << 40), ("parquet: columns", columns_of, parquet, 3_000, "a.parquet", 100_000),
            ("parquet: distinct texts", texts_of, parquet, 100_000, "a.parquet", 1 << 40), ("parquet: categories", kinds_of, parquet, 100_000, "a.parquet", 1 << 40),
            ("parquet: row groups", numbers_of, lambda t, path: parquet(t, path, row_group_size=100), 50_000, "a.parquet", 1 << 40),
            ("feather: rows", numbers_of, feather, 300_000, "a.feather", 1 << 40), ("feather: columns", columns_of, feather, 3_000, "a.feather", 100_000),
            ("feather: categories", kinds_of, feather, 100_000, "a.feather", 1 << 40), ("arrows: batches", numbers_of, stream, 200_000, "a.arrows", 1 << 40)):
        yield Case(name, lambda n, path, table=table, write=write: write(table(n), path), first, file, "", True, most)


def pictures():
    from PIL import Image

    def jpeg(n):
        data = io.BytesIO()
        Image.frombytes("RGB", (1000, n), bytes(range(250)) * 12 * n).save(data, "jpeg")
        return data.getvalue()

    yield Case("jpeg: pixels", jpeg, 500, "a.jpg", most=15_000)


def cases():
    for family in (texts, numbers, archives, graphs, hdf5, arrow, pictures):
        try:
            yield from family()
        except ImportError as error:
            print(f"without {error.name}")


def cost(program, path):
    """Processor seconds and megabytes of reading `path`."""
    with open(os.devnull, "wb") as nowhere, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([program, "data", path], stdin=subprocess.DEVNULL, stdout=nowhere, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        if process.returncode != 0:
            raise RuntimeError(f"{errors.read().decode(errors='replace')[:200].strip()}")
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def best(program, path, start, turns):
    seconds, megabytes = zip(*(cost(program, path) for _ in range(turns)))
    return max(min(seconds) - start[0], 1e-3), max(min(megabytes) - start[1], 1e-3)


def measured(program, case, folder, start):
    """Three sizes, each with its cost."""
    def written(n):
        path = folder / f"{n}-{case.file}" if not case.file.startswith("out.") else folder / f"{case.file}-{n}"
        if case.itself:
            case.write(n, str(path))
        else:
            path.write_bytes(case.write(n))
        return path

    n, path = case.first, written(case.first)
    for _ in range(12):
        seconds = best(program, f"{path}{case.inside}", start, 1)[0]
        growth = 8 if seconds < LEAST_SECONDS / 8 else 2
        while growth > 1 and (n * growth > case.most or 4 * growth * path.stat().st_size > LARGEST):
            growth //= 2
        if seconds >= LEAST_SECONDS or growth == 1:
            break
        path.unlink()
        n *= growth
        path = written(n)
    sizes = [n, 2 * n, 4 * n]
    paths = [path, written(2 * n), written(4 * n)]
    least = [best(program, f"{each}{case.inside}", start, TURNS) for each in paths]
    for _ in range(MOST_TURNS):
        if not worst(least) > RATIO:
            break
        least = [tuple(map(min, old, best(program, f"{each}{case.inside}", start, 1))) for old, each in zip(least, paths)]
    for each in paths:
        each.unlink()
    return sizes, least


def ratios(least):
    return [[later[part] / before[part] for before, later in zip(least, least[1:])] for part in (0, 1)]


def worst(least):
    seconds, megabytes = ratios(least)
    return max(max(seconds), max(megabytes) if least[0][1] >= LEAST_MEGABYTES else 0)


def main():
    program, part = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    failed = count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "small.csv").write_bytes(b"1,2\n3,4\n5,6\n")
        start = best(program, str(folder / "small.csv"), (0, 0), 7)
        print(f"start-up: {start[0]:.3f} s, {start[1]:.0f} MB\n")
        print("| input | n | seconds | ratios | MB | ratios |\n|---|---|---|---|---|---|")
        for case in cases():
            if part not in case.name:
                continue
            count += 1
            try:
                sizes, least = measured(program, case, folder, start)
            except RuntimeError as error:
                failed += 1
                print(f"| {case.name} | refused: {error} |", flush=True)
                continue
            bad = worst(least) > RATIO
            failed += bad
            seconds, megabytes = ratios(least)
            print(f"| {case.name}{' **' if bad else ''} | {sizes[0]:,} | " + ", ".join(f"{each[0]:.2f}" for each in least) + " | "
                  + ", ".join(f"{each:.2f}" for each in seconds) + " | " + ", ".join(f"{each[1]:.0f}" for each in least) + " | "
                  + ", ".join(f"{each:.2f}" for each in megabytes) + " |", flush=True)
    print(f"\n{count} inputs, {failed} that cost more than {RATIO} times when doubled")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
