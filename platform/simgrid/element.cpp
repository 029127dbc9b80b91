#include <algorithm>
#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/simgrid/element.hpp>
#include <tombolo/platform/simgrid/figures.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo::simgrid {

namespace {

bool is_name(std::string_view text) {
  constexpr std::size_t longest = 1000;
  return !text.empty() && text.size() <= longest &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::optional<int> whole(std::string_view text, int most) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || at != end || value < 0 || value > most) return std::nullopt;
  return value;
}

}  // namespace

std::vector<Element> Element::children() const {
  std::vector<Element> found;
  for (const pugi::xml_node child : node_.children()) {
    if (child.type() == pugi::node_element) found.emplace_back(child, *source_);
  }
  return found;
}

void Element::allow(std::initializer_list<std::string_view> attributes) const {
  for (const pugi::xml_attribute attribute : node_.attributes()) {
    const std::string_view given = attribute.name();
    if (std::find(attributes.begin(), attributes.end(), given) != attributes.end()) continue;
    fail(fmt::format("the attribute {} has no meaning here", tombolo::quoted(given)),
         "describe the platform without it");
  }
}

std::string_view Element::required(const char* attribute) const {
  const pugi::xml_attribute found = node_.attribute(attribute);
  if (found.empty()) fail(fmt::format("no {}", attribute), fmt::format("add {}=\"...\"", attribute));
  return found.value();
}

std::string Element::id(const char* attribute) const {
  const std::string_view found = required(attribute);
  if (!is_name(found)) {
    fail(fmt::format("{} {} is not a name", attribute, tombolo::quoted(found)),
         "give it some printable ASCII characters");
  }
  return std::string(found);
}

std::string_view Element::choice(const char* attribute, std::initializer_list<std::string_view> words) const {
  const std::string_view found = text(attribute);
  if (found.empty()) return *words.begin();
  for (const std::string_view word : words) {
    if (word == found) return word;
  }
  std::string known;
  for (const std::string_view word : words) known += (known.empty() ? "" : ", ") + std::string(word);
  fail(fmt::format("{} {} is not one that can be planned for", attribute, tombolo::quoted(found)),
       "use one of " + known);
}

void Element::bad_figure(const char* attribute, const std::string& example) const {
  fail(fmt::format("{} {} is not a figure that a machine can have", attribute, tombolo::quoted(text(attribute))),
       fmt::format("write it as {}", example));
}

BytesPerSecond Element::bandwidth(const char* attribute) const {
  const auto value = simgrid::bandwidth(required(attribute));
  if (!value) bad_figure(attribute, "125MBps");
  return *value;
}

Picoseconds Element::latency(const char* attribute) const {
  const auto value = simgrid::latency(required(attribute));
  if (!value) bad_figure(attribute, "50us, at most 1000s");
  return *value;
}

std::optional<BytesPerSecond> Element::optional_bandwidth(const char* attribute) const {
  if (node_.attribute(attribute).empty()) return std::nullopt;
  return bandwidth(attribute);
}

std::optional<Picoseconds> Element::optional_latency(const char* attribute) const {
  if (node_.attribute(attribute).empty()) return std::nullopt;
  return latency(attribute);
}

FlopsPerSecond Element::speed() const {
  std::string_view list = required("speed");
  int state = 0;
  if (!text("pstate").empty()) {
    constexpr int most = 1000;
    const auto given = whole(text("pstate"), most);
    if (!given) bad_figure("pstate", "a number from 0");
    state = *given;
  }
  for (; state > 0; --state) {
    const auto comma = list.find(',');
    if (comma == list.npos) bad_figure("pstate", "the place of a speed in the list, from 0");
    list.remove_prefix(comma + 1);
  }
  const auto value = simgrid::speed(list.substr(0, list.find(',')));
  if (!value) bad_figure("speed", "4.0Gf");
  return *value;
}

int Element::cores() const {
  constexpr int most = 1 << 20;
  if (node_.attribute("core").empty()) return 1;
  const auto value = whole(text("core"), most);
  if (!value || *value == 0) bad_figure("core", fmt::format("a number from 1 to {}", most));
  return *value;
}

void Element::fail(const std::string& cause, const std::string& remedy) const {
  throw Error(fmt::format("{}, line {}, <{}>: {}", source_->name, line_at(source_->text, node_.offset_debug()),
                          printable(std::string(name())), cause),
              remedy);
}

std::size_t line_at(std::string_view text, std::ptrdiff_t offset) {
  const auto before = std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(text.size()));
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + before, '\n'));
}

}  // namespace tombolo::simgrid
