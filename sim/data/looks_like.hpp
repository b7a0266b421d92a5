// What a table looks like that is read as rows of features, but may be something else; and rows that hide all others.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kinescope/table.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/findings.hpp"

namespace kinescope::sim {

// True for a square table of numbers that are not negative, 0 on the diagonal and equal across it.
bool looks_like_distances(const Chosen& chosen);

// True for two columns, both of whole numbers or both of texts, and perhaps a third one of positive lengths. Columns of
// texts, and tables with lengths, must be called source and target, or from and to.
bool looks_like_edges(const Table& table, const Findings& findings);

// True for a symmetric matrix of ones.
bool is_adjacency(const SparseRows& rows);

// True for features × samples: a first column of different names, and columns of numbers with names that measure the
// same. The names of features must be called so, or there must be very many rows (1,000, and 10 for each column) that
// rank alike in all columns, as counts and expressions do.
bool lies_on_its_side(const Table& table);

// Rows that hide all others: a few so far off that the rest of the table shrinks to a dot beside them.
struct ScaledColumn {
  const Column* column = nullptr;  // of numbers
  double low = 0, high = 0;        // its range
  double scale = 1;                // the factor by which its numbers are multiplied
};

// The far rows of the table, ascending: at most one in a hundred of `rows`, but at least one is allowed; none if there
// are fewer than 20 rows. Each is at least ten times as far from the columns' medians as every other row, and the
// farthest at least a hundred times. There are none if all others are in one place. `categories` is the number of
// further columns, those of categories; each adds 1 to the squared distance of every row. O(columns) if no column's
// range reaches far enough, else O(rows × columns).
std::vector<std::size_t> far_rows(std::span<const ScaledColumn> columns, std::size_t categories,
                                  const std::vector<std::size_t>& rows);

// A sentence without a full stop that names the lines of the `far` rows, and says how many of `rows` they are; "" if
// there are none.
std::string far_rows_sentence(const Table& table, std::size_t rows, const std::vector<std::size_t>& far);

}  // namespace kinescope::sim
