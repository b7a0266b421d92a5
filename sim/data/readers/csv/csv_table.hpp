// The table that grows from the blocks of a CSV file. It makes the decisions that depend on all blocks: which columns
// are texts, whether record one is a header (as csv_header.hpp defines), which texts are dates.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/table.hpp"
#include "sim/data/readers/csv/csv_block.hpp"
#include "sim/data/readers/csv/csv_header.hpp"
#include "sim/data/readers/csv/csv_records.hpp"

namespace kinescope::sim {

class CsvTable {
 public:
  using Keeps = std::vector<CsvKeeps>;  // [columns]

  // `comment`: record one is a header that began with '#'. `names`: the columns' names, instead of record one; or
  // empty.
  CsvTable(CsvShape shape, bool comment, std::vector<std::string> names)
      : header_(comment || !names.empty() ? Header::yes : shape.format.header),
        comment_(comment),
        shape_(std::move(shape)),
        joined_(std::move(names)) {}

  // Takes record one, which begins in line `line`, and the records that follow. Record one is kept until these show
  // whether it is a header. Throws Error (input) if it is a title.
  void begin(std::vector<std::string> first, std::size_t line, const CsvRecords& following);
  bool begun() const { return !first_.empty(); }
  const CsvShape& shape() const { return shape_; }
  std::size_t columns() const { return columns_.size(); }

  // How blocks that are added must have kept their cells. Any thread may call it.
  std::shared_ptr<const Keeps> keeps() {
    const std::lock_guard lock(mutex_);
    return keeps_;
  }
  // Makes each column that has a text in `block` a column of texts. Returns true if there is one that was none before;
  // the block must then be read again, and keep the texts. Texts of the rows before are made from their numbers: a 1.50
  // becomes 1.5.
  bool decide_texts(const CsvBlock& block);
  // Adds the rows of `block`, and moves its texts out of it. Throws Error (input) for too many rows, or more than
  // memory holds.
  void add(CsvBlock& block);
  void add_comments(std::size_t lines) { comments_ += lines; }
  // Reserves memory for all rows, whose number it estimates from the part of the file that was read. Memory that stays
  // unused is never touched.
  void reserve(double part_read);

  // Returns the table, which is moved out of this object. If fewer than `few` rows follow record one, `all` holds their
  // text, which begins in line `line`: if record one is a row, its texts then also make their columns columns of texts.
  // Throws Error (input).
  Table finish(std::string_view all, std::size_t line, std::size_t few);

 private:
  void set_keeps(Keeps keeps) {
    const std::lock_guard lock(mutex_);
    keeps_ = std::make_shared<const Keeps>(std::move(keeps));
  }
  void refuse_title(CsvRecords following) const;
  void clean_header();
  void keep_as_asked();
  void add_cells(CsvColumn& growing, CsvBlock& block, std::size_t index);
  void decide_header();
  void put_first_row_in_front(std::string_view all, std::size_t line, std::size_t few);
  void put_in_front(std::size_t index);
  void find_dates();
  void turn_dates_into_days();
  void check_size() const;
  void name_columns();
  DecimalMark decimal_mark() const;
  void apply_format();
  void tell_comments(Table& table) const;

  std::vector<std::string> renamed_;  // columns whose name another one has
  // A column that the format names: as texts, as numbers, or to be dropped, in this order.
  struct Asked {
    std::size_t index;
    std::string name;
    std::string_view option;
  };

  Header header_;
  bool comment_;
  CsvShape shape_;
  std::vector<std::string> joined_;  // names made of several records
  std::vector<std::string> first_;   // the cells of record one
  std::size_t first_line_ = 0;
  ShortHeader short_header_ = ShortHeader::no;
  std::mutex mutex_;
  std::shared_ptr<const Keeps> keeps_;
  std::vector<Asked> asked_;
  std::vector<CsvColumn> columns_;
  std::vector<std::size_t> lines_;  // [rows]
  std::size_t cells_unchecked_ = 0, comments_ = 0, comments_among_ = 0, comments_below_ = 0;
  std::string reason_;
};

}  // namespace kinescope::sim
