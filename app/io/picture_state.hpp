// A picture carries the state of the window that it shows: a session, as text, in the metadata of a PNG, SVG or PDF.
#pragma once

#include <optional>
#include <string>

#include "app/io/session_file.hpp"

namespace kinescope::app {

// The session as text that may be given to anybody: files are their names and checksums, never paths.
std::string portable_text(SavedSession session);

// The session of such a text; paths that somebody else has put there become names. `name`: where the text is from, for
// messages. Throws Error (input).
SavedSession portable_session(const std::string& name, const std::string& state);

// What a state would load and compute, in a few words: "glimmer of cars.csv, 177 iterations".
std::string description_of(const SavedSession& session);

// The PNG's bytes with that text (iTXt, the keyword "kinescope"); "": as they are. O(bytes).
std::string with_state(const std::string& png, const std::string& state);
// The state as one line of ASCII, for the keywords of a PDF.
std::string state_keywords(const std::string& state);
// The state that a PNG, an SVG (<metadata id="kinescope">) or a PDF (its keywords) carries; none if the file is none of
// these, or carries none. O(bytes of a PNG's chunks that come before), else O(bytes), up to 256 MB.
std::optional<std::string> state_of_picture(const std::string& path);

}  // namespace kinescope::app
