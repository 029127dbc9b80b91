#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace tombolo {

/// --help as people expect it: an option's type and default, and no lists of what excludes what; the parser says that
/// to whoever needs it.
class Help : public CLI::Formatter {
 public:
  Help() { column_width(34); }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    std::string text = " " + option->get_type_name();
    if (!option->get_default_str().empty()) text += " (" + option->get_default_str() + ")";
    if (option->get_required()) text += " (required)";
    return text;
  }
};

}  // namespace tombolo
