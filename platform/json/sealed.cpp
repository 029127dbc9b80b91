#include <map>
#include <utility>

#include <fmt/format.h>

#include <tombolo/platform/json/sealed.hpp>
#include <tombolo/platform/json/text.hpp>
#include <tombolo/platform/stable_hash.hpp>

namespace tombolo {

std::string sealed_json(std::string_view content) {
  return laid_out_json(fmt::format(R"({{"checksum":"{}","content":{}}})", text_hash(content), content));
}

JsonDocument parse_sealed(std::string_view text, std::string name, std::string remedy) {
  JsonDocument document = parse_json(text, std::move(name), std::move(remedy));
  const JsonNode root(document);
  (void)root.member("content");
  if (root.member("checksum").text() != text_hash(members_of_json(text).at("content"))) {
    root.refuse("its checksum is not that of its content");
  }
  return document;
}

}  // namespace tombolo
