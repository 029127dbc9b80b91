#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tombolo {

/// JSON as text, which must be valid (parse_json says so). Numbers, escapes and the order of members stay as written.

/// Without the white space between its parts.
std::string compact_json(std::string_view json);

/// For people, on several lines: what holds no object stands on one line, however long its lists are, and ends in a
/// newline. Compacting undoes it.
///
///     {"levels":{"ranks":[0,1],"children":[{"ranks":[0]},{"ranks":[1]}]}}    {
///                                                                             "levels": {
///                                                                              "ranks": [0, 1],
///                                                                              "children": [
///                                                                               {"ranks": [0]},
///                                                                               {"ranks": [1]}
///                                                                              ]
///                                                                             }
///                                                                            }
std::string laid_out_json(std::string_view json);

/// The members of an object and their values, compact.
std::map<std::string, std::string> members_of_json(std::string_view json);

}  // namespace tombolo
