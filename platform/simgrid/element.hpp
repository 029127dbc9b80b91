#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include <tombolo/platform/units.hpp>

namespace tombolo::simgrid {

/// The text of a description and its file name, for messages.
struct Source {
  std::string_view text;
  std::string name;
};

/// An element of a description. Errors name the file, the line and the tag.
class Element {
 public:
  Element(pugi::xml_node node, const Source& source) : node_(node), source_(&source) {}

  std::string_view name() const { return node_.name(); }
  /// The child elements, in order.
  std::vector<Element> children() const;

  /// Throws Error for an attribute that is not listed.
  void allow(std::initializer_list<std::string_view> attributes) const;

  /// The value of an attribute, empty if it is missing.
  std::string_view text(const char* attribute) const { return node_.attribute(attribute).value(); }
  /// The value of a required attribute: a name of printable characters.
  std::string id(const char* attribute) const;
  /// The value of an attribute, one of `words`; the first word if the attribute is missing.
  std::string_view choice(const char* attribute, std::initializer_list<std::string_view> words) const;

  // Figures: required attributes without a default, optional ones with one.
  BytesPerSecond bandwidth(const char* attribute) const;
  Picoseconds latency(const char* attribute) const;
  std::optional<BytesPerSecond> optional_bandwidth(const char* attribute) const;
  std::optional<Picoseconds> optional_latency(const char* attribute) const;
  /// The speed from a list: the entry named by the attribute pstate, the first one by default.
  FlopsPerSecond speed() const;
  int cores() const;

  /// Throws Error("FILE, line 12, <host>: CAUSE; REMEDY").
  [[noreturn]] void fail(const std::string& cause, const std::string& remedy) const;

 private:
  std::string_view required(const char* attribute) const;
  [[noreturn]] void bad_figure(const char* attribute, const std::string& example) const;

  pugi::xml_node node_;
  const Source* source_;
};

/// Returns "line 12": the number of the line at a byte offset.
std::size_t line_at(std::string_view text, std::ptrdiff_t offset);

}  // namespace tombolo::simgrid
