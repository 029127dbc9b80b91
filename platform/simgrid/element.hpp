#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include <tombolo/platform/units.hpp>

namespace tombolo::simgrid {

/// The text of a description and the name of its file, for messages.
struct Source {
  std::string_view text;
  std::string name;
};

/// An element of a description. Whatever is wrong with it becomes an Error that names its file, line and tag.
class Element {
 public:
  Element(pugi::xml_node node, const Source& source) : node_(node), source_(&source) {}

  std::string_view name() const { return node_.name(); }
  /// The elements inside, in order.
  std::vector<Element> children() const;

  /// Throws Error for attributes that are not among these.
  void allow(std::initializer_list<std::string_view> attributes) const;

  /// An attribute's value, empty where there is none.
  std::string_view text(const char* attribute) const { return node_.attribute(attribute).value(); }
  /// One that must be there, with a name of printable characters.
  std::string id(const char* attribute) const;
  /// One of the words; the first where the attribute is missing.
  std::string_view choice(const char* attribute, std::initializer_list<std::string_view> words) const;

  // Figures; those that must be there, and those that need not.
  BytesPerSecond bandwidth(const char* attribute) const;
  Picoseconds latency(const char* attribute) const;
  std::optional<BytesPerSecond> optional_bandwidth(const char* attribute) const;
  std::optional<Picoseconds> optional_latency(const char* attribute) const;
  /// The first of a list: the state in which SimGrid starts a host, or the one that pstate names.
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

/// "line 12", by the number of bytes that stand before it.
std::size_t line_at(std::string_view text, std::ptrdiff_t offset);

}  // namespace tombolo::simgrid
