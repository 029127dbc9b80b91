#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <tombolo/units.hpp>

namespace tombolo {

// Validators of the words after an option. Each says on one line what is wrong with a word; pass those of whole numbers
// and sizes to option->transform().

/// A whole number from least to most, as 2000 or 2e3.
CLI::Validator whole_number(std::int64_t least, std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// A number from least to most, as 0.02 or 2e-2.
CLI::Validator number_within(double least, double most);

/// Bytes, at least so many, as 1000, 64K or 1MiB; K, M, G, T, P count in 1024s.
CLI::Validator size_in_bytes(std::int64_t least = 0);

/// Takes one of the names, and lists them for any other word.
CLI::Validator one_of(std::vector<std::string> names);

/// Takes the words that `read` takes, and says what it throws as Error for others.
CLI::Validator taken_by(std::function<void(const std::string&)> read);

/// The words between such characters, one more than there are of these.
std::vector<std::string> split(const std::string& words, char between);

/// Sizes, as in 64:4M:x4 (64, 256, ..., 4194304), 1K:64K (doubling), 8K, or several of these: 1K,64K,1M. Ascending,
/// each once. Throws Error for words that are none.
std::vector<Bytes> sizes_in(const std::string& words);

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

// The names of the validators by which when_chosen() knows which files a command reads and writes.
inline constexpr const char* read_file = "input file";
inline constexpr const char* written_file = "output file";

/// The format of a command's results.
enum class Format { text, csv, json };

/// The options of one group in the --help of a command. Options that several commands have stand here once.
class OptionGroup {
 public:
  explicit OptionGroup(CLI::App& command, std::string name = "Options") : command_(command), name_(std::move(name)) {}

  /// A path of a file that is read or of one, or a folder of files, that is written; never the empty string, which an
  /// unset variable of a script leaves.
  CLI::Option* input(const std::string& name, std::string& path, const std::string& help,
                     const std::string& type = "FILE");
  CLI::Option* output(const std::string& name, std::string& path, const std::string& help,
                      const std::string& type = "FILE");
  template <class Value>
  CLI::Option* value(const std::string& name, Value& value, const std::string& help, const std::string& type) {
    return command_.add_option(name, value, help)->type_name(type)->group(name_);
  }
  /// Calls `set` with the value.
  template <class Value, class Set>
  CLI::Option* function(const std::string& name, Set set, const std::string& help, const std::string& type) {
    return command_.add_option_function<Value>(name, set, help)->type_name(type)->group(name_);
  }
  /// A whole number; its default is not told where another text does.
  template <class Value>
  CLI::Option* integer(const std::string& name, Value& value, const std::string& help, std::int64_t least,
                       std::int64_t most = std::numeric_limits<Value>::max(), const std::string& type = "INT") {
    return this->value(name, value, help, type)->transform(whole_number(least, most));
  }
  CLI::Option* flag(const std::string& name, bool& value, const std::string& help) {
    return command_.add_flag(name, value, help)->group(name_);
  }
  /// One of the names, of which `type` says in which order people should read them; sets `value`, a T or an optional
  /// one, to what it stands for.
  template <class T, class Value>
  CLI::Option* choice(const std::string& option, Value& value, const std::map<std::string, T>& named,
                      const std::string& help, const std::string& type) {
    const auto set = [option, &value, named](const std::string& word) {
      const auto found = named.find(word);
      if (found == named.end()) {
        std::vector<std::string> names;
        for (const auto& [name, meaning] : named) names.push_back(name);
        throw CLI::ValidationError(option, "'" + word + "' is not one of " + listed(names));
      }
      value = found->second;
    };
    return function<std::string>(option, set, help, type);
  }

  /// --bytes, a range of sizes.
  CLI::Option* sizes(std::string& bytes, const std::string& help);
  /// --platform, of a command that measures where there is none.
  CLI::Option* platform(std::string& path, const std::string& purpose);
  CLI::Option* model(std::string& name, const std::string& otherwise);
  CLI::Option* tuning(std::string& path);
  CLI::Option* threads(int& threads);
  CLI::Option* seed(std::uint64_t& seed, const std::string& help) {
    return integer("--seed", seed, help, 0, std::numeric_limits<std::int64_t>::max())->capture_default_str();
  }
  /// --format; `help` says what is in csv and json.
  CLI::Option* format(Format& format, const std::string& help = "For people (text, the default) or for programs");

 private:
  CLI::App& command_;
  std::string name_;
};

}  // namespace tombolo
