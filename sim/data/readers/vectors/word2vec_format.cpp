// Word vectors in word2vec's binary form (T. Mikolov, code.google.com/p/word2vec): a line "WORDS VALUES", then each
// word, a blank, and its values as little-endian float32.
#include <algorithm>
#include <bit>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/records.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

struct WordVectorsHeader {
  std::uint64_t words = 0, values = 0;
  std::size_t bytes = 0;  // 0: it is not one
};

WordVectorsHeader word_vectors_header(std::string_view head) {
  WordVectorsHeader header;
  const std::size_t end = head.substr(0, 64).find('\n');
  if (end == std::string_view::npos) return header;
  const char* const stop = head.data() + end;
  const auto first = std::from_chars(head.data(), stop, header.words);
  if (first.ec != std::errc() || first.ptr == stop || *first.ptr != ' ') return header;
  const auto second = std::from_chars(first.ptr + 1, stop, header.values);
  if (second.ec == std::errc() && second.ptr == stop && header.words > 0 && header.values > 0) header.bytes = end + 1;
  return header;
}

// Text has no control characters; numbers in binary hardly ever lack them.
bool is_binary_word2vec(const InputFile& file) {
  const std::string_view head = file.head();
  const WordVectorsHeader header = word_vectors_header(head);
  if (header.bytes == 0 || header.values > maximum_columns) return false;
  const std::size_t blank = head.find(' ', header.bytes);
  if (blank == std::string_view::npos || blank == header.bytes) return false;
  const auto has_control = [](std::string_view text) {
    return std::ranges::any_of(text, [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return byte < ' ' && c != '\t' && c != '\r' && c != '\n';
    });
  };
  return has_control(head.substr(blank)) && !has_control(head.substr(header.bytes, blank - header.bytes));
}

// Columns `word`, c0, c1, … Throws Error (input) if the file is cut off; Error (run); Cancelled. O(bytes).
Table read_word2vec(const SourceFile& source) {
  InputFile& file = source.file;
  const WordVectorsHeader header = word_vectors_header(file.head());
  std::vector<char> start(header.bytes);
  file.read_exactly(start.data(), start.size(), "its header");
  require_table(file.path(), header.words, header.values);
  Table table;
  table.format = "word2vec, binary";
  table.rows = header.words;
  table.columns.resize(1 + header.values);
  table.columns[0].name = "word";
  table.columns[0].is_text = true;
  for (std::size_t k = 0; k < header.values; ++k) table.columns[k + 1].name = numbered_name(k);
  std::vector<char> vector(header.values * sizeof(float));
  constexpr std::size_t longest_word = 1 << 16;
  for (std::uint64_t row = 0; row < header.words; ++row) {
    std::string word;
    for (char c = 0;;) {
      file.read_exactly(&c, 1, "its data");
      if (c == ' ') break;
      if (c == '\n' && word.empty()) continue;
      word += c;
      if (word.size() > longest_word) throw file_error(file.path(), "damaged: a word of more than 64 KiB");
    }
    file.read_exactly(vector.data(), vector.size(), "its data");
    table.columns[0].texts.push_back(to_utf8(word));
    for (std::size_t k = 0; k < header.values; ++k)
      table.columns[k + 1].numbers.push_back(
          static_cast<float>(field_value({"", 'f', 4, 4 * k}, vector.data(), std::endian::native == std::endian::big)));
  }
  note_rest(file, "the words", table.remarks);
  return table;
}

}  // namespace

extern const FileFormat word2vec_format = {
    .name = "word2vec's binary word vectors",
    .endings = ".bin",
    .fit = [](InputFile& file) { return fit_if(is_binary_word2vec(file), Fit::certain); },
    .read = read_word2vec};

}  // namespace kinescope::sim
