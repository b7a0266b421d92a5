// Tables that lie on their side: features (genes, OTUs) as rows, samples as columns.
#pragma once

#include <cstddef>
#include <optional>

#include "kinescope/data/load.hpp"
#include "kinescope/table.hpp"

namespace kinescope::sim {

// The column that names the rows: the first one of texts that annotates; else the first column, if it has texts, or
// different whole numbers and the name of an identifier (`#OTU ID`, `row`, `gene_id`); else the first one of texts.
std::optional<std::size_t> naming_column(const Table& table);

// The table with its rows as columns. Their names are those of naming_column, made different where they are not. The
// columns' names become the column `name`, which annotates, unless the columns have none but their numbers. Other
// columns of texts, empty ones and those that annotate are left out; a remark says so. Throws Error (input) for
// pictures, graphs, distances in a file, tables without numbers and those of too many rows; Error (run) if memory is
// too small; Cancelled. Takes the memory of the table once more. O(rows × columns).
Table transposed(Table table, LoadProgress* progress = nullptr);

}  // namespace kinescope::sim
