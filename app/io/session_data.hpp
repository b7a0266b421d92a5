// Where the data of a session lie: a session travels with its data, or without them.
#pragma once

#include <string>
#include <vector>

#include "app/io/session_file.hpp"

namespace kinescope::app {

// The file of a source: of data within an archive, "a.zip:in/b.csv", the archive.
std::string file_of(const std::string& source);
// The source without its folder: "a.zip:in/b.csv" of "/data/a.zip:in/b.csv".
std::string name_within(const std::string& source);

// Tells files apart: "SIZE-HASH", the hash of the first and the last 16 MB. "" if it is not a regular file. O(1).
std::string checksum_of(const std::string& path);

// Says, in a session that is about to be written to `path`, where its data lie as seen from there, and what they are.
void note_data(const std::string& path, SavedSession& session);

// Lets the session that was read from `path` have its data where they are now: beside it, or where they were. Files
// with the right checksum come first. `others`: more files that may be they, if their checksum is right. False if there
// are none.
bool find_data(const std::string& path, SavedSession& session, const std::vector<std::string>& others = {});
// Whether the data that were found are others than those that were saved.
bool has_changed(const SavedSession& session);

}  // namespace kinescope::app
