// What a table looks like that is read as rows of features, but may be something else.
#pragma once

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

}  // namespace kinescope::sim
