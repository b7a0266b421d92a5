#include "sim/data/readers/unreadable.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "kinescope/error.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view as_table = "save the data as a table, for example as CSV",
                           as_points = "save the points as PLY, PCD or text (CloudCompare and MeshLab do)",
                           as_picture = "save it as PNG", as_numpy = "save the arrays as .npy or .npz (NumPy)";

// A kind of file that people try. It is refused if its name ends so, if it has these bytes at this place, and if it is
// not text, or `text` says that it may be: a wrong refusal of a table is worse than a missed one.
struct Kind {
  std::string_view name;
  std::string_view endings;  // "": any
  std::string_view bytes;    // "": any
  std::string_view instead;
  std::size_t at = 0;
  bool text = false;
};

constexpr Kind kinds[] = {
    // Spreadsheets and documents
    {"an Excel workbook", ".xlsx .xlsm .xlsb", "PK", "save the sheet as CSV"},
    {"an OpenDocument spreadsheet", ".ods", "PK", "save the sheet as CSV"},
    {"a Numbers spreadsheet", ".numbers", "PK", "export the sheet as CSV"},
    {"an office document", ".docx .pptx .odt .odp .pages .key .epub", "PK", "save the table in it as CSV"},
    {"an old Excel workbook or office document", "", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "save the sheet as CSV"},
    {"an Excel workbook", ".xlsx .xlsm .xlsb .xls", "", "save the sheet as CSV"},
    {"an OpenDocument spreadsheet", ".ods", "", "save the sheet as CSV"},
    {"a PDF document", "", "%PDF-", "save the table in it as CSV", 0, true},
    {"a text document (RTF)", "", "{\\rtf", "save the table in it as CSV", 0, true},
    // Single columns of other programs
    {"a MATLAB file of version 7.3 (HDF5)", "", "MATLAB 7.3 MAT-file",
     "save the matrix with writematrix, or with h5write as .h5"},
    {"a MATLAB file", "", "MATLAB 5.0 MAT-file", "save the matrix with writematrix as CSV"},
    {"a MATLAB file", ".mat", "", "save the matrix with writematrix as CSV"},
    {"R data", "", "RDX2\n", "save it with write.csv"},
    {"R data", "", "RDX3\n", "save it with write.csv"},
    {"R data", ".rds .rdata .rda", "X\n\0\0\0"sv, "save it with write.csv"},
    {"R data", ".rds .rdata .rda", "", "save it with write.csv"},
    {"an SPSS file", "", "$FL2@(#)", "save it as CSV"},
    {"an SPSS file", "", "$FL3@(#)", "save it as CSV"},
    {"a Stata file", "", "<stata_dta>", "save it with export delimited"},
    {"a Stata file", ".dta", "", "save it with export delimited"},
    {"a SAS file", ".sas7bdat .xpt", "", "save it with PROC EXPORT as CSV"},
    {"a SAS transport file", "", "HEADER RECORD*******LIB", "save it with PROC EXPORT as CSV", 0, true},
    {"a Python pickle", ".pkl .pickle", "", "save a table with to_csv, an array with numpy.save"},
    {"a PyTorch file", ".pt .pth .ckpt", "", "save the tensor with numpy.save(tensor.numpy())"},
    {"a safetensors file", ".safetensors", "", as_numpy},
    {"an ONNX model", ".onnx", "", "models are not data: save the vectors with numpy.save"},
    {"a GGUF model", "", "GGUF", "models are not data: save the vectors with numpy.save"},
    {"a Keras model", ".keras", "", "models are not data: save the vectors with numpy.save"},
    {"an SQLite database", "", "SQLite format 3\0"sv, "save the table as CSV (sqlite3 -csv -header)"},
    {"a DuckDB database", "", "DUCK", "save the table as CSV or Parquet (COPY)", 8},
    {"an Access database", "", "\0\1\0\0Standard "sv, "save the table as CSV"},
    {"a ROOT file", "", "root\0"sv, "save the tree as CSV, or as .npz (uproot)"},
    {"an ORC file", "", "ORC\x03", as_table},
    {"an Avro file", "", "Obj\x01", as_table},
    // Grids of science
    {"a netCDF file of the classic format", "", "CDF\x01",
     "save the variable as .npy, or convert it to netCDF-4 (nccopy -k 4)"},
    {"a netCDF file of the classic format", "", "CDF\x02",
     "save the variable as .npy, or convert it to netCDF-4 (nccopy -k 4)"},
    {"a netCDF file of the classic format", "", "CDF\x05",
     "save the variable as .npy, or convert it to netCDF-4 (nccopy -k 4)"},
    {"a GRIB file", "", "GRIB\0"sv, "save the variable as .npy"},
    {"a GRIB file", ".grib .grb .grib2 .grb2", "", "save the variable as .npy"},
    {"a FITS file", "", "SIMPLE  =", "save the table or image as CSV or .npy (astropy)", 0, true},
    {"a NIfTI image", ".nii", "", "save the voxels as .npy (nibabel: numpy.save(get_fdata()))"},
    {"a DICOM image", "", "DICM", "save the pixels as PNG or .npy", 128},
    {"a DICOM image", ".dcm", "", "save the pixels as PNG or .npy"},
    {"an MRC map", ".mrc .map", "MAP ", "save the voxels as .npy", 208},
    {"an NRRD volume", "", "NRRD000", "save the voxels as .npy"},
    {"a VTK file", "", "# vtk DataFile", "save the points and their values as CSV (ParaView: Save Data)", 0, true},
    {"a VTK file", ".vtu .vtp .vti .vts .vtr .vtm .pvd", "<",
     "save the points and their values as CSV (ParaView: Save Data)", 0, true},
    // Surfaces and clouds
    {"a LAS or LAZ point cloud", "", "LASF", as_points},
    {"a LAS or LAZ point cloud", ".las .laz", "", as_points},
    {"an E57 point cloud", "", "ASTM-E57", as_points},
    {"an E57 point cloud", ".e57", "", as_points},
    {"a binary glTF scene", "", "glTF", as_points},
    {"an FBX scene", "", "Kaydara FBX Binary", as_points},
    {"a Blender scene", "", "BLENDER", as_points},
    {"a 3MF model", ".3mf", "", as_points},
    {"an STL surface", ".stl", "", as_points},
    // Maps
    {"a dBase table", ".dbf", "", "save it as CSV"},
    {"a shapefile", ".shp .shx", "", "save it as CSV with the coordinates as columns"},
    {"a GeoPackage", ".gpkg", "", "save it as CSV with the coordinates as columns"},
    {"a KMZ map", ".kmz", "", "save it as CSV with the coordinates as columns"},
    // Sound, film, pictures
    {"a GIF picture", "", "GIF87a", as_picture},
    {"a GIF picture", "", "GIF89a", as_picture},
    {"a WebP picture", "", "WEBP", as_picture, 8},
    {"a sound (WAV)", "", "WAVE", "save its features as a table", 8},
    {"a film (AVI)", "", "AVI ", "save a picture of it as PNG", 8},
    {"a TIFF picture", "", "II*\0"sv, as_picture},
    {"a TIFF picture", "", "MM\0*"sv, as_picture},
    {"a TIFF picture", "", "II+\0"sv, as_picture},
    {"a HEIC picture", "", "ftyphei", as_picture, 4},
    {"a HEIC picture", "", "ftypmif1", as_picture, 4},
    {"an AVIF picture", "", "ftypavif", as_picture, 4},
    {"a film or sound (MP4)", "", "ftyp", "save a picture of it as PNG", 4},
    {"a film (Matroska, WebM)", "", "\x1A\x45\xDF\xA3", "save a picture of it as PNG"},
    {"a sound (MP3)", "", "ID3\x03", "save its features as a table"},
    {"a sound (MP3)", "", "ID3\x04", "save its features as a table"},
    {"a sound (MP3)", ".mp3", "", "save its features as a table"},
    {"a sound (FLAC)", "", "fLaC", "save its features as a table"},
    {"a sound or film (Ogg)", "", "OggS\0"sv, "save its features as a table"},
    {"a JPEG 2000 picture", "", "\0\0\0\x0CjP  "sv, as_picture},
    {"a JPEG XL picture", "", "\0\0\0\x0CJXL "sv, as_picture},
    {"a Photoshop picture", "", "8BPS", as_picture},
    {"an OpenEXR picture", "", "\x76\x2F\x31\x01", as_picture},
    {"a damaged PNG picture", "", "\x89PNG", "save it again as PNG"},
    // Archives and programs
    {"a tar archive", "", "ustar", "unpack it, and open the file in it", 257},
    {"a 7z archive", "", "7z\xBC\xAF\x27\x1C", "unpack it, and open the file in it"},
    {"a RAR archive", "", "Rar!\x1A\x07", "unpack it, and open the file in it"},
    {"an archive (lz4)", "", "\x04\x22\x4D\x18", "unpack it, and open the file in it"},
    {"a zarr array", ".zarr", "PK", as_numpy},
    {"a ZIP archive", "", "PK\x03\x04", "unpack it, and open the file in it"},
    {"a program", "",
     "\x7F"
     "ELF",
     "give the data that it makes"},
    {"a program", "", "MZ\x90\0"sv, "give the data that it makes"},
    {"a program", "", "\xCF\xFA\xED\xFE", "give the data that it makes"},
    {"Java bytecode", "", "\xCA\xFE\xBA\xBE", "give the data that it makes"},
    {"a font", "", "wOF2", "give a table"},
    // Biology
    {"a BAM file", "", "BAM\x01", as_table},
    {"a BCF file", "", "BCF\x02", as_table},
    {"a Newick tree", ".nwk .newick .tree .tre", "(", "save the distances between its leaves as a table", 0, true},
    {"a NEXUS file", "", "#NEXUS", "save the matrix in it as CSV", 0, true},
    {"variants (VCF)", "", "##fileformat=VCF", "save the genotypes as a table", 0, true},
    {"macromolecules (mmCIF)", ".cif .mmcif", "data_", "save the atoms as XYZ", 0, true},
    {"sequences (FASTA)", ".fa .fasta .fna .faa .ffn", ">",
     "save distances between them, or their features, as a table", 0, true},
    {"sequences (FASTQ)", ".fq .fastq", "@", "save their features as a table", 0, true},
    {"sequences (GenBank)", ".gb .gbk .genbank", "LOCUS ", "save their features as a table", 0, true},
    {"an assembly graph (GFA)", ".gfa", "", "save its links as a table of two columns, and open it as a graph", 0,
     true},
    // Text that is no table
    {"a surface (OFF)", ".off", "OFF", as_points, 0, true},
    {"a surface (OFF)", ".off", "COFF", as_points, 0, true},
    {"an STL surface", ".stl", "solid", as_points, 0, true},
    {"an SVG drawing", ".svg", "", as_picture, 0, true},
    {"a PostScript drawing", "", "%!PS", as_picture, 0, true},
};

// A file with one of these endings should be a picture; if it is not one that can be read, the error says so.
constexpr std::string_view picture_endings =
    ".png .jpg .jpeg .bmp .tga .gif .webp .tif .tiff .heic .avif .jp2 .jxl .svg";

Error not_readable(const std::string& path, std::string_view what, std::string_view instead = as_table) {
  return file_error(path, std::string(what) + " is not read: " + std::string(instead));
}

std::string_view after_blanks(std::string_view head) {
  head = without_mark(head);
  return head.substr(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
}

bool begins_with(std::string_view head, std::string_view word) {
  return equals_ignoring_case(head.substr(0, word.size()), word);
}

// True for a JSON object (after a byte order mark, too), and for a list of objects or lists.
bool is_json(std::string_view head) {
  const auto next = [&] {
    head = after_blanks(head);
    const char c = head.empty() ? '\0' : head.front();
    head.remove_prefix(head.empty() ? 0 : 1);
    return c;
  };
  const char first = next(), second = next();
  return (first == '{' && (second == '"' || second == '}')) || (first == '[' && (second == '{' || second == '['));
}

// Kinds of JSON that have a name.
std::string_view kind_of_json(std::string_view head) {
  const auto has = [&](std::string_view text) { return head.substr(0, 1 << 16).find(text) != std::string_view::npos; };
  if (has("\"FeatureCollection\"") || has("\"Topology\"")) return "a map (GeoJSON, TopoJSON)";
  if (has("\"nbformat\"") || (has("\"cells\"") && has("\"cell_type\""))) return "a Jupyter notebook";
  if (has("\"zarr_format\"")) return "a zarr array";
  return "";
}

// Whether it begins with an element that has attributes, or others in it: words and texts may look like one.
bool opens_an_element(std::string_view head) {
  if (head.size() < 2 || head[0] != '<' || !std::isalpha(static_cast<unsigned char>(head[1]))) return false;
  const std::string_view tag = head.substr(0, head.find_first_of("<>", 1));
  if (tag.size() == head.size() || head[tag.size()] == '<') return false;
  if (tag.find("=\"") != std::string_view::npos || tag.find("='") != std::string_view::npos) return true;
  return tag.find_first_of(",;\t") == std::string_view::npos &&
         after_blanks(head.substr(tag.size() + 1)).starts_with('<');
}

// XML by its first element; "" if it is none.
std::string kind_of_xml(std::string_view head) {
  head = after_blanks(head);
  static constexpr std::array<std::string_view, 4> pages = {"<!doctype html", "<html", "<table", "<head"};
  if (std::ranges::any_of(pages, [&](auto each) { return begins_with(head, each); })) return "html";
  const bool declared = begins_with(head, "<?xml") || begins_with(head, "<!--") || begins_with(head, "<!doctype");
  while (begins_with(head, "<?") || begins_with(head, "<!")) {
    const std::size_t end = head.find(begins_with(head, "<!--") ? "-->" : ">");
    if (end == std::string_view::npos) break;
    head = after_blanks(head.substr(head.find('>', end) + 1));
  }
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> elements = {
      {{"<svg", "an SVG drawing"},
       {"<kml", "a map (KML)"},
       {"<gpx", "a track (GPX)"},
       {"<VTKFile", "a VTK file"},
       {"<html", "html"},
       {"<COLLADA", "a surface (COLLADA)"},
       {"<x3d", "a surface (X3D)"},
       {"<plist", "an XML file"}}};
  for (const auto& [element, name] : elements)
    if (begins_with(head, element)) return std::string(name);
  return declared || opens_an_element(head) ? "an XML file" : "";
}

// Wavefront's surfaces: vertices and faces.
bool is_obj(const InputFile& file) {
  const std::string_view head = file.head();
  return has_ending(file.path(), ".obj") &&
         (head.starts_with("v ") || head.find("\nv ") != std::string_view::npos || head.starts_with("mtllib "));
}

// Atoms in the columns of the Protein Data Bank.
bool is_pdb(const InputFile& file) {
  const std::string_view head = file.head();
  return has_ending(file.path(), ".pdb .ent") &&
         (head.starts_with("HEADER") || head.starts_with("ATOM  ") || head.find("\nATOM  ") != std::string_view::npos ||
          head.find("\nHETATM") != std::string_view::npos);
}

bool is_binary(std::string_view head) {
  head = head.substr(0, head.find_last_not_of('\0') + 1);
  return head.find_first_of("\0\1\2\3\4\5\6\x0E\x0F\x10"sv) != std::string_view::npos;
}

bool is_of(const Kind& kind, const InputFile& file, bool binary) {
  const std::string_view head = file.head();
  if (!kind.endings.empty() && !has_ending(file.path(), kind.endings)) return false;
  if (!kind.bytes.empty() && (head.size() < kind.at || !head.substr(kind.at).starts_with(kind.bytes))) return false;
  constexpr std::size_t very_short = 16;
  return kind.text || binary || (head.size() < very_short && head.find('\n') == std::string_view::npos);
}

void refuse_markup(const std::string& path, std::string_view head) {
  const std::string xml = kind_of_xml(head);
  if (xml == "html")
    throw file_error(path, "this is a web page (HTML), not a table: save the table itself, for example as CSV");
  if (!xml.empty()) throw not_readable(path, xml, xml == "an SVG drawing" ? as_picture : as_table);
  if (!is_json(head)) return;
  if (const std::string_view kind = kind_of_json(head); !kind.empty()) throw not_readable(path, kind);
  throw file_error(path,
                   "of JSON, lines and lists of rows are read, not this object: save its rows as a list (pandas: "
                   "to_json(FILE, orient=\"records\")), or as CSV");
}

}  // namespace

void refuse_unreadable(const InputFile& file) {
  const std::string& path = file.path();
  const std::string_view head = file.head();
  if (head.starts_with("version https://git-lfs.github.com/spec/"))
    throw file_error(path, "this is a pointer of Git LFS, not the file itself: `git lfs pull` fetches it");
  if (head.starts_with("\xFF\xFE\0\0"sv) || head.starts_with("\0\0\xFE\xFF"sv))
    throw file_error(path, "text in UTF-32 is not supported: save it as UTF-8");
  const bool binary = is_binary(head);
  for (const Kind& kind : kinds)
    if (is_of(kind, file, binary)) throw not_readable(path, kind.name, kind.instead);
  if (is_obj(file)) throw not_readable(path, "a surface (Wavefront OBJ)", as_points);
  if (is_pdb(file)) throw not_readable(path, "molecules (PDB)", "save the atoms as XYZ");
  if (has_ending(path, picture_endings))
    throw file_error(path, "not a PNG, JPEG, BMP or TGA picture; other pictures are not supported");
  refuse_markup(path, head);
}

void require_text(const InputFile& file) {
  std::string_view head = file.head();
  head = head.substr(0, head.find_last_not_of('\0') + 1);  // zero bytes at the end are left out
  if (head.find('\0') != std::string_view::npos)
    throw not_readable(file.path(), "a file that is neither text nor a picture");
}

}  // namespace kinescope::sim
