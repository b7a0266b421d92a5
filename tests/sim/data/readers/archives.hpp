// Makes the files of arrays that NumPy and AnnData would make.
#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#include <zip.h>
#if KINESCOPE_HDF5
#include <hdf5.h>
#include <liblzf/lzf.h>
#endif

namespace kinescope::tests {

// An `.npy` array of float32 with this shape, such as "(3, 4)", and these values.
inline std::string npy_bytes(const std::string& shape, const std::vector<float>& values) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::string bytes("\x93NUMPY\x01\0", 8);
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  bytes += header;
  const std::size_t begin = bytes.size();
  bytes.resize(begin + values.size() * sizeof(float));
  if (!values.empty()) std::memcpy(bytes.data() + begin, values.data(), values.size() * sizeof(float));
  return bytes;
}

// Writes a ZIP archive with stored or deflated members; if `wide`, with 64-bit sizes, as NumPy writes them.
inline std::string write_zip(const std::string& path, const std::vector<std::pair<std::string, std::string>>& members,
                             bool deflated = false, bool wide = true) {
  const zipFile archive = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
  if (!archive) throw std::runtime_error("no archive");
  for (const auto& [name, bytes] : members) {
    zip_fileinfo info{};
    zipOpenNewFileInZip64(archive, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, deflated ? Z_DEFLATED : 0, 6,
                          wide);
    zipWriteInFileInZip(archive, bytes.data(), static_cast<unsigned>(bytes.size()));
    zipCloseFileInZip(archive);
  }
  zipClose(archive, nullptr);
  return path;
}

#if KINESCOPE_HDF5
// Writes groups, arrays and attributes into an HDF5 file.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::string& path)
      : path_(path), file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  ~Hdf5Writer() { H5Fclose(file_); }
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  void group(const std::string& name) {
    H5Gclose(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }

  // Writes numbers as float64 or int32. If chunk_rows is not 0, they are in deflated chunks of that many rows.
  void numbers(const std::string& name, const std::vector<hsize_t>& sizes, const std::vector<double>& values,
               bool integers = false, hsize_t chunk_rows = 0) {
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    if (chunk_rows > 0) {
      std::vector<hsize_t> chunk = sizes;
      chunk[0] = chunk_rows;
      H5Pset_chunk(how, static_cast<int>(chunk.size()), chunk.data());
      H5Pset_deflate(how, 6);
    }
    const hid_t space = H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr);
    write(name, integers ? H5T_STD_I32LE : H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space, how, values.data());
    H5Pclose(how);
  }
  // A list that is a view of the list `source` in another file; of each value apart if `apart`.
  void view(const std::string& name, hsize_t size, const std::string& file, const std::string& source,
            bool apart = false) {
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &size, nullptr);
    const hsize_t parts = apart ? size : 1, count = size / parts;
    for (hsize_t part = 0; part < parts; ++part) {
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &part, nullptr, &count, nullptr);
      H5Pset_virtual(how, space, file.c_str(), source.c_str(), space);
    }
    H5Dclose(H5Dcreate2(file_, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(how);
  }
  // A list that grows with the growing list that it shows.
  void growing_view(const std::string& name, hsize_t size, const std::string& file, const std::string& source) {
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t endless = H5S_UNLIMITED, begin = 0, one = 1;
    const hid_t space = H5Screate_simple(1, &size, &endless);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &begin, nullptr, &endless, &one);
    H5Pset_virtual(how, space, file.c_str(), source.c_str(), space);
    H5Dclose(H5Dcreate2(file_, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(how);
  }
  // A list that grows by three with each file.
  void blocks(const std::string& name, const std::string& files, const std::string& source) {
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t none = 0, endless = H5S_UNLIMITED, size = 3, begin = 0, one = 1;
    const hid_t space = H5Screate_simple(1, &none, &endless), block = H5Screate_simple(1, &size, nullptr);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &begin, &size, &endless, &size);
    H5Sselect_hyperslab(block, H5S_SELECT_SET, &begin, nullptr, &one, &size);
    H5Pset_virtual(how, space, files.c_str(), source.c_str(), block);
    H5Dclose(H5Dcreate2(file_, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT));
    H5Sclose(block);
    H5Sclose(space);
    H5Pclose(how);
  }
  // A list whose values are the bytes of another file.
  void values_in(const std::string& file, const std::string& name, hsize_t size) {
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &size, nullptr);
    H5Pset_external(how, file.c_str(), 0, H5F_UNLIMITED);
    H5Dclose(H5Dcreate2(file_, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(how);
  }
  void link(const std::string& name, const std::string& file, const std::string& to) {
    H5Lcreate_external(file.c_str(), to.c_str(), file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  }
  void texts(const std::string& name, const std::vector<std::string>& values) {
    std::vector<const char*> pointers;
    for (const std::string& value : values) pointers.push_back(value.c_str());
    const hsize_t count = values.size();
    const hid_t type = text_type();
    write(name, type, type, H5Screate_simple(1, &count, nullptr), H5P_DEFAULT, pointers.data());
    H5Tclose(type);
  }
  // The matrix of float64 as h5py's LZF filter would pack it, in one chunk.
  void lzf_numbers(const std::string& name, const std::vector<hsize_t>& sizes, const std::vector<double>& values) {
    const unsigned bytes = static_cast<unsigned>(values.size() * sizeof(double)), parameters[3] = {4, 0x105, bytes};
    std::string packed(bytes, '\0');
    packed.resize(lzf_compress(values.data(), bytes, packed.data(), bytes - 1));
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(how, static_cast<int>(sizes.size()), sizes.data());
    // The library names a filter in a file only while it has one of that number.
    const auto none = [](unsigned, std::size_t, const unsigned*, std::size_t, std::size_t*, void**) {
      return std::size_t{0};
    };
    const H5Z_class2_t lzf = {H5Z_CLASS_T_VERS, 32000, 1, 1, "lzf", nullptr, nullptr, none};
    H5Zregister(&lzf);
    H5Pset_filter(how, 32000, H5Z_FLAG_OPTIONAL, 3, parameters);
    const hid_t space = H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr);
    const hid_t array = H5Dcreate2(file_, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    const hsize_t begin[] = {0, 0};
    H5Dwrite_chunk(array, H5P_DEFAULT, 0, begin, packed.size(), packed.data());
    H5Dclose(array);
    H5Sclose(space);
    H5Pclose(how);
    H5Zunregister(32000);
  }
  void half_numbers(const std::string& name, const std::vector<hsize_t>& sizes, const std::vector<double>& values) {
    const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
    H5Tset_fields(type, 15, 10, 5, 0, 10);
    H5Tset_size(type, 2);
    H5Tset_ebias(type, 15);
    write(name, type, H5T_NATIVE_DOUBLE, H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
          H5P_DEFAULT, values.data());
    H5Tclose(type);
  }
  void booleans(const std::string& name, const std::vector<signed char>& values) {
    const hid_t type = H5Tenum_create(H5T_NATIVE_SCHAR);
    for (const signed char value : {0, 1}) H5Tenum_insert(type, value ? "TRUE" : "FALSE", &value);
    const hsize_t count = values.size();
    write(name, type, type, H5Screate_simple(1, &count, nullptr), H5P_DEFAULT, values.data());
    H5Tclose(type);
  }
  // A list of records as AnnData 0.5 and 0.6 wrote them: texts of fixed length in `index`, small integers in `codes`,
  // and, if `layout`, a field X_umap of two numbers.
  void records(const std::string& name, const std::vector<std::string>& index, const std::string& codes_name,
               const std::vector<signed char>& codes, const std::vector<double>& layout = {}) {
    struct Record {
      char index[8];
      signed char code;
      double layout[2];
    };
    std::vector<Record> records(index.size());
    for (std::size_t i = 0; i < index.size(); ++i) {
      index[i].copy(records[i].index, sizeof(Record::index));
      records[i].code = codes.empty() ? static_cast<signed char>(0) : codes[i];
      if (!layout.empty()) records[i].layout[0] = layout[2 * i], records[i].layout[1] = layout[2 * i + 1];
    }
    const hsize_t two = 2, count = records.size();
    const hid_t text = H5Tcopy(H5T_C_S1), pair = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &two);
    H5Tset_size(text, sizeof(Record::index));
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Record));
    if (layout.empty()) H5Tinsert(type, "index", offsetof(Record, index), text);
    if (!codes.empty()) H5Tinsert(type, codes_name.c_str(), offsetof(Record, code), H5T_NATIVE_SCHAR);
    if (!layout.empty()) H5Tinsert(type, "X_umap", offsetof(Record, layout), pair);
    write(name, type, type, H5Screate_simple(1, &count, nullptr), H5P_DEFAULT, records.data());
    H5Tclose(type);
    H5Tclose(pair);
    H5Tclose(text);
  }
  void attribute(const std::string& object, const char* name, bool flag) {
    const signed char value = flag;
    write_attribute(object, name, H5T_STD_I8LE, H5T_NATIVE_SCHAR, H5Screate(H5S_SCALAR), &value);
  }
  void texts_attribute(const std::string& object, const char* name, const std::vector<std::string>& texts) {
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    const hid_t type = text_type();
    const hsize_t count = texts.size();
    write_attribute(object, name, type, type, H5Screate_simple(1, &count, nullptr), pointers.data());
    H5Tclose(type);
  }
  void attribute(const std::string& object, const char* name, const char* text) {
    attribute(object, name, std::string(text));
  }
  void attribute(const std::string& object, const char* name, const std::string& text) {
    const hid_t type = text_type();
    const char* const pointer = text.c_str();
    write_attribute(object, name, type, type, H5Screate(H5S_SCALAR), &pointer);
    H5Tclose(type);
  }
  void attribute(const std::string& object, const char* name, const std::vector<long long>& sizes) {
    const hsize_t count = sizes.size();
    write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_LLONG, H5Screate_simple(1, &count, nullptr), sizes.data());
  }

 private:
  static hid_t text_type() {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
  }
  void write(const std::string& name, hid_t type, hid_t memory, hid_t space, hid_t how, const void* values) {
    const hid_t array = H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Dwrite(array, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(array);
    H5Sclose(space);
  }
  void write_attribute(const std::string& object, const char* name, hid_t type, hid_t memory, hid_t space,
                       const void* values) {
    const hid_t attribute =
        H5Acreate_by_name(file_, object.c_str(), name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, memory, values);
    H5Aclose(attribute);
    H5Sclose(space);
  }

  std::string path_;
  hid_t file_;
};

// Four cells of three genes as AnnData writes them: X dense, or sparse by rows (csr_matrix) or columns (csc_matrix);
// a cell type, a count, the cells' names, and a layout.
inline void write_cells(const std::string& path, const std::string& format) {
  Hdf5Writer file(path);
  file.attribute("/", "encoding-type", "anndata");
  if (format == "dense") {
    file.numbers("/X", {4, 3}, {1, 0, 2, 0, 0, 3, 4, 5, 6, 0, 0, 0}, false, 2);
  } else {
    file.group("/X");
    file.attribute("/X", "encoding-type", format);
    file.attribute("/X", "shape", std::vector<long long>{4, 3});
    const bool rows = format == "csr_matrix";
    file.numbers("/X/indptr", {rows ? 5u : 4u},
                 rows ? std::vector<double>{0, 2, 3, 6, 6} : std::vector<double>{0, 2, 3, 6}, true);
    // Within a row the indices need not ascend.
    file.numbers("/X/indices", {6},
                 rows ? std::vector<double>{2, 0, 2, 0, 1, 2} : std::vector<double>{0, 2, 2, 0, 1, 2}, true);
    file.numbers("/X/data", {6}, rows ? std::vector<double>{2, 1, 3, 4, 5, 6} : std::vector<double>{1, 4, 5, 2, 3, 6});
  }
  file.group("/obs");
  file.attribute("/obs", "_index", "_index");
  file.texts("/obs/_index", {"AAAC-1", "AAAG-1", "AACT-1", "AAGT-1"});
  file.group("/obs/cell_type");
  file.attribute("/obs/cell_type", "encoding-type", "categorical");
  file.numbers("/obs/cell_type/codes", {4}, {1, 0, 1, -1}, true);
  file.texts("/obs/cell_type/categories", {"B", "T"});
  file.numbers("/obs/n_counts", {4}, {3, 3, 15, 0});
  file.group("/var");
  file.attribute("/var", "_index", "gene");
  file.texts("/var/gene", {"CD3E", "MS4A1", "NKG7"});
  file.group("/obsm");
  file.numbers("/obsm/X_umap", {4, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
}
#endif

}  // namespace kinescope::tests
