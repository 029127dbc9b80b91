#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tombolo {

// What the words after an option may be. Each says, on one line, what is wrong with others; pass whole numbers and
// sizes to option->transform().

/// A whole number from least to most, as 2000 or 2e3.
CLI::Validator whole_number(std::int64_t least, std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// A number from least to most, as 0.02 or 2e-2.
CLI::Validator number_within(double least, double most);

/// Bytes, at least so many, as 1000, 64K or 1MiB; K, M, G, T, P count in 1024s.
CLI::Validator size_in_bytes(std::int64_t least = 0);

/// One of the names; says which there are.
CLI::Validator one_of(std::vector<std::string> names);

/// "a, b, c"
template <class Names>
std::string listed(const Names& names) {
  std::string text;
  for (const auto& name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

/// Adds an option that takes one of the names and sets `value`, a T or an optional one, to what it stands for.
template <class T, class Value>
CLI::Option* add_choice(CLI::App& command, const std::string& option, Value& value,
                        const std::map<std::string, T>& named, const std::string& help) {
  const auto set = [option, &value, named](const std::string& word) {
    const auto found = named.find(word);
    if (found == named.end()) {
      std::string names;
      for (const auto& [name, meaning] : named) names += (names.empty() ? "" : ", ") + name;
      throw CLI::ValidationError(option, "'" + word + "' is not one of " + names);
    }
    value = found->second;
  };
  return command.add_option_function<std::string>(option, set, help);
}

}  // namespace tombolo
