#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tombolo {

/// Functions on JSON text, which must be valid (parse_json checks it). Numbers, escapes and the order of members are
/// kept as written.

/// Returns true if the text is valid UTF-8, as JSON requires.
bool is_utf8(std::string_view text);

/// Formats JSON for people, on several lines, with a newline at the end. A value that contains no object stands on one
/// line, however long its lists are.
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

/// Returns the members of an object and their values as compact JSON.
std::map<std::string, std::string> members_of_json(std::string_view json);

}  // namespace tombolo
