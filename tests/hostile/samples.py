"""Small well-formed files of every format, and what is in them: the starting points of hostile files (hostile.py) and
of fuzzing (../fuzz/fuzz.py). Those that other programs had to write are in ../data/samples."""

import bz2
import gzip
import io
import json
import lzma
import pathlib
import struct
import zipfile
import zlib
from typing import NamedTuple

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "samples"
NUMBERS = [[1, 2, 3], [4, 5, 6], [7, 8, 10]]


class Sample(NamedTuple):
    name: str
    data: bytes
    rows: int = 3
    first: list = None  # the cells of the first rows as the program shows them; None: not compared
    text: bool = False  # lines of text, in any encoding


def shown(rows):
    """The cells as the program shows them: texts, and numbers of 32 bits."""
    def cell(value):
        return value if isinstance(value, str) else f"{struct.unpack('f', struct.pack('f', value))[0]:g}"
    return [[cell(each) for each in row] for row in rows]


def lines(*rows):
    return ("\n".join(rows) + "\n").encode()


def table(separator=",", rows=NUMBERS):
    return lines(*(separator.join(f"{each:g}" for each in row) for row in rows))


def npy(rows=NUMBERS, kind="<f4", shape=None, header=None):
    shape = shape or (len(rows), len(rows[0]))
    if header is None:
        header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape!r}, }}"
    padding = -(len(header) + 11) % 64
    text = header.encode() + b" " * padding + b"\n"
    values = [each for row in rows for each in row]
    letter = {"<f4": "f", "<f8": "d", "<i4": "i", "|u1": "B", "<i8": "q"}[kind]
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + struct.pack(f"<{len(values)}{letter}", *values)


def zipped(members, method=zipfile.ZIP_DEFLATED):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return packed.getvalue()


def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width=2, height=2, depth=8, colour=2, pixels=b"\x00\x01\x02\x03\x04\x05\x06\x00\x07\x08\x09\x0a\x0b\x0c"):
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + png_chunk(b"IDAT", zlib.compress(pixels))
            + png_chunk(b"IEND", b""))


def zstd(data):
    """A frame of one block that is stored as it is."""
    return b"\x28\xb5\x2f\xfd\x60" + struct.pack("<H", len(data) - 256) + struct.pack("<I", len(data) << 3 | 1)[:3] + data


def packed(data, name="inside"):
    """The same bytes in every packing, by the ending of its files; `name` of a file in an archive."""
    yield ".gz", gzip.compress(data, mtime=0)
    yield ".bz2", bz2.compress(data)
    yield ".xz", lzma.compress(data)
    yield ".zip", zipped([(name, data)])
    if 256 <= len(data) < 65_536 + 256:
        yield ".zst", zstd(data)


PIXELS = [[0, 0, 1, 2, 3], [1, 0, 4, 5, 6], [0, 1, 7, 8, 9], [1, 1, 10, 11, 12]]


def bmp(width=2, height=2, offset=54, bits=24):
    rows = b"\x09\x08\x07\x0c\x0b\x0a\0\0\x03\x02\x01\x06\x05\x04\0\0"
    return (b"BM" + struct.pack("<IHHI", 54 + len(rows), 0, 0, offset)
            + struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, 0, len(rows), 2835, 2835, 0, 0) + rows)


def tga(width=2, height=2, kind=2):
    return (struct.pack("<BBBHHBHHHHBB", 0, 0, kind, 0, 0, 0, 0, 0, width, height, 24, 32)
            + b"\x03\x02\x01\x06\x05\x04\x09\x08\x07\x0c\x0b\x0a")


def idx(sizes=(3, 3), kind=8, values=bytes(each for row in NUMBERS for each in row)):
    return bytes([0, 0, kind, len(sizes)]) + struct.pack(f">{len(sizes)}I", *sizes) + values


def fvecs(rows=NUMBERS):
    return b"".join(struct.pack(f"<i{len(row)}f", len(row), *row) for row in rows)


def word2vec(words=3, columns=3):
    return f"{words} {columns}\n".encode() + b"".join(
        f"word{i} ".encode() + struct.pack("<3f", *row) + b"\n" for i, row in enumerate(NUMBERS))


def ply(kind="ascii", count=3, extra=()):
    head = lines("ply", f"format {kind} 1.0", f"element vertex {count}", "property float x", "property float y",
                 "property float z", *extra, "end_header")
    if kind == "ascii":
        return head + table(" ")
    order = "<" if "little" in kind else ">"
    return head + b"".join(struct.pack(order + "3f", *row) for row in NUMBERS)


def pcd(kind="ascii", points=3, size=4):
    head = lines("# .PCD v0.7 - Point Cloud Data file format", "VERSION 0.7", "FIELDS x y z", f"SIZE {size} 4 4",
                 "TYPE F F F", "COUNT 1 1 1", f"WIDTH {points}", "HEIGHT 1", "VIEWPOINT 0 0 0 1 0 0 0",
                 f"POINTS {points}", f"DATA {kind}")
    return head + (table(" ") if kind == "ascii" else b"".join(struct.pack("<3f", *row) for row in NUMBERS))


def matrix_market(rows=3, columns=3, entries=4, kind="coordinate real general"):
    return lines(f"%%MatrixMarket matrix {kind}", f"{rows} {columns} {entries}", "1 1 1", "1 3 2", "2 2 3", "3 3 4")


def biom_json(shape=(3, 3), data=((0, 0, 1), (2, 0, 2), (1, 1, 3), (2, 2, 4))):
    return json.dumps({
        "id": None, "format": "Biological Observation Matrix 1.0.0", "format_url": "http://biom-format.org",
        "type": "OTU table", "rows": [{"id": f"o{i}", "metadata": None} for i in (1, 2, 3)],
        "columns": [{"id": f"s{i}", "metadata": None} for i in (1, 2, 3)], "matrix_type": "sparse",
        "matrix_element_type": "int", "shape": list(shape), "data": [list(each) for each in data]}).encode()


def samples():
    numbers = shown(NUMBERS)
    kinds = shown([[1, 2, "a"], [4, 5, "b"], [7, 8, "a"]])
    stored = [["s1", "o1", "1,", "o3", "2"], ["s2", "o2", "3"], ["s3", "o3", "4"]]
    graph = {"rows": 3, "text": True}
    yield Sample("table.csv", b"a,b,c\n" + table(), first=numbers, text=True)
    yield Sample("plain.csv", table(), first=numbers, text=True)
    yield Sample("quoted.csv", b'a,b,"c, d"\n"1",2,"x ""y"""\n4,5,"z"\n7,8,z\n', text=True)
    yield Sample("kinds.tsv", b"x\ty\tkind\n1\t2\ta\n4\t5\tb\n7\t8\ta\n", first=kinds, text=True)
    yield Sample("dates.csv", b"day;value\n2024-01-31;1,5\n2024-02-29;2,5\n2024-03-31;4\n", text=True)
    yield Sample("distances.txt", b"0 1 2\n1 0 3\n2 3 0\n", first=shown([[0, 1, 2], [1, 0, 3], [2, 3, 0]]), text=True)
    yield Sample("objects.jsonl", lines('{"x":1,"y":2,"kind":"a"}', '{"x":4,"y":5,"kind":"b"}', '{"x":7,"y":8,"kind":"a"}'),
                 first=kinds, text=True)
    yield Sample("lists.jsonl", lines("[1,2,3]", "[4,5,6]", "[7,8,10]"), first=numbers, text=True)
    yield Sample("objects.json", b'[{"x":1,"y":2,"kind":"a"},\n{"x":4,"y":5,"kind":"b"},\n{"x":7,"y":8,"kind":"a"}]\n',
                 first=kinds, text=True)
    yield Sample("table.arff", lines("@relation t", "@attribute x numeric", "@attribute y numeric", "@attribute kind {a,b}",
                                     "@data", "1,2,a", "4,5,b", "7,8,a"), first=kinds, text=True)
    yield Sample("rows.svm", lines("1 1:1 2:2 3:3", "0 1:4 2:5 3:6", "1 1:7 2:8 3:10"), text=True)
    yield Sample("array.npy", npy(), first=numbers)
    yield Sample("doubles.npy", npy(kind="<f8"), first=numbers)
    yield Sample("bytes.npy", npy(kind="|u1"), first=numbers)
    yield Sample("arrays.npz", zipped([("x.npy", npy())]), first=numbers)
    yield Sample("csr.npz", zipped([
        ("data.npy", npy([[1, 2, 3, 4]], shape=(4,))), ("indices.npy", npy([[0, 2, 1, 2]], "<i4", (4,))),
        ("indptr.npy", npy([[0, 2, 3, 4]], "<i4", (4,))), ("shape.npy", npy([[3, 3]], "<i8", (2,))),
        ("format.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", 118)
         + b"{'descr': '|S3', 'fortran_order': False, 'shape': (), }".ljust(117) + b"\ncsr")]))
    yield Sample("images-idx2-ubyte", idx(), first=shown([[each / 255 for each in row] for row in NUMBERS]))
    yield Sample("vectors.fvecs", fvecs(), first=numbers)
    yield Sample("words.bin", word2vec(), first=[[f"word{i}", *row] for i, row in enumerate(numbers)])
    yield Sample("matrix.mtx", matrix_market(), text=True)
    yield Sample("dense.mtx", lines("%%MatrixMarket matrix array real general", "3 2", "1", "2", "3", "4", "5", "6"),
                 first=shown([[1, 4], [2, 5], [3, 6]]), text=True)
    yield Sample("sparse.biom", biom_json(), first=stored)
    yield Sample("cloud.ply", ply(), first=numbers, text=True)
    yield Sample("little.ply", ply("binary_little_endian"), first=numbers)
    yield Sample("big.ply", ply("binary_big_endian"), first=numbers)
    yield Sample("mesh.ply", lines("ply", "format ascii 1.0", "element vertex 3", "property float x", "property float y",
                                   "property float z", "element face 1", "property list uchar int vertex_indices",
                                   "end_header") + table(" ") + b"3 0 1 2\n", first=numbers, text=True)
    yield Sample("cloud.pcd", pcd(), first=numbers, text=True)
    yield Sample("binary.pcd", pcd("binary"), first=numbers)
    yield Sample("cloud.xyz", table(" "), first=numbers, text=True)
    yield Sample("atoms.xyz", lines("3", "water", "O 1 2 3", "H 4 5 6", "H 7 8 10"), text=True)
    yield Sample("scan.pts", b"3\n" + table(" "), first=numbers, text=True)
    yield Sample("places.tsp", lines("NAME: t", "TYPE: TSP", "DIMENSION: 3", "EDGE_WEIGHT_TYPE: EUC_2D",
                                     "NODE_COORD_SECTION", "1 1 2", "2 4 5", "3 7 8", "EOF"),
                 first=shown([[1, 2], [4, 5], [7, 8]]), text=True)
    yield Sample("graph.graphml", b"""<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="w" for="edge" attr.name="weight" attr.type="double"/>
<graph edgedefault="undirected"><node id="a"/><node id="b"/><node id="c"/>
<edge source="a" target="b"><data key="w">2</data></edge><edge source="b" target="c"/></graph></graphml>
""", **graph)
    yield Sample("graph.gexf", b"""<?xml version="1.0"?>
<gexf xmlns="http://gexf.net/1.3" version="1.3"><graph defaultedgetype="undirected">
<attributes class="node"><attribute id="0" title="size" type="float"/></attributes>
<nodes><node id="a" label="A"><attvalues><attvalue for="0" value="1.5"/></attvalues></node><node id="b"/><node id="c"/></nodes>
<edges><edge source="a" target="b" weight="2"/><edge source="b" target="c"/></edges></graph></gexf>
""", **graph)
    yield Sample("graph.gml", lines("graph [", "  directed 0", '  node [ id 1 label "a" ]', '  node [ id 2 label "b" ]',
                                    '  node [ id 3 label "c" ]', "  edge [ source 1 target 2 weight 2.5 ]",
                                    "  edge [ source 2 target 3 ]", "]"), **graph)
    yield Sample("graph.net", lines("*Vertices 3", '1 "a" 0.1 0.2', '2 "b"', '3 "c"', "*Edges", "1 2 2.5", "2 3"), **graph)
    yield Sample("graph.dot", lines("graph g {", '  a [label="A", size=2];', "  a -- b [weight=2.5];", "  subgraph s { b -- c }",
                                    "}"), **graph)
    yield Sample("graph.json", json.dumps({
        "directed": False, "multigraph": False, "graph": {}, "nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}],
        "links": [{"source": "a", "target": "b", "weight": 2}, {"source": "b", "target": "c"}]}).encode(), **graph)
    yield Sample("out.network", lines("% sym positive", "% 2 3 3", "1 2 3", "2 3 1"), **graph)
    yield Sample("network.edgelist", lines("a b {'weight': 2}", "b c {}"), **graph)
    yield Sample("picture.png", png(), 4, shown(PIXELS))
    yield Sample("picture.bmp", bmp(), 4, shown(PIXELS))
    yield Sample("picture.tga", tga(), 4, shown(PIXELS))
    for path in sorted(DATA.iterdir()):
        rows, first = {".jpg": (144, None), ".parquet": (3, kinds), ".feather": (3, kinds), ".arrows": (3, kinds),
                       ".biom": (3, stored)}.get(path.suffix, (3, numbers if path.name == "table.h5" else None))
        yield Sample(path.name, path.read_bytes(), rows, first)
