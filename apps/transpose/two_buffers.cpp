#include "transpose/two_buffers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <tombolo/framework/arrays/rank_move.hpp>
#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/move.hpp>

namespace tombolo::transposition {

namespace {

constexpr std::array phase_names{"pack", "alltoallv", "unpack"};
constexpr std::size_t pack_phase = 0;
constexpr std::size_t unpack_phase = 2;

template <Element T>
std::vector<std::int64_t> in_elements(std::vector<BytesPerSecond> speeds) {
  for (BytesPerSecond& speed : speeds) speed = std::max<std::int64_t>(speed / BytesPerSecond{sizeof(T)}, 1);
  return speeds;
}

RunReport with_phases_named(RunReport run) {
  for (std::size_t phase = 0; phase < phase_names.size(); ++phase) run.tasks[phase].name = phase_names[phase];
  return run;
}

}  // namespace

template <Element T>
TwoBuffers<T>::TwoBuffers(Session& session, const Options& options, const Layouts& layouts,
                          std::vector<BytesPerSecond> speeds)
    : program_(session, "transpose",
               {.collectives = options.run.collectives,
                .trace = options.trace,
                .speeds = {{"transpose", in_elements<T>(std::move(speeds))}}}),
      a_(array("A", layouts.a)),
      b_(array("B", layouts.b)) {
  program_.transpose(a_, b_, {.spends_source = true, .kernel = "transpose"});
}

template <Element T>
Array<T, 2> TwoBuffers<T>::array(const char* name, const Layout& layout) {
  return program_.array<T>(name, {layout.shape().rows, layout.shape().columns}, Distributed::as(Distribution(layout)));
}

template <Element T>
RunReport TwoBuffers<T>::predicted() {
  program_.plan();
  return with_phases_named(program_.predicted());
}

template <Element T>
void TwoBuffers<T>::hold(bool phantom) {
  if (phantom) program_.use_phantom_memory();
  program_.prepare();
}

template <Element T>
void TwoBuffers<T>::transpose(Result& result) {
  result.run = with_phases_named(program_.run());
  result.algorithm = "alltoallv";
  for (const MemberReport& member : result.run.members) result.moved.push_back(member.operations * sizeof(T));
  result.own_phases = {pack_phase, unpack_phase};
}

double bytes_of_two_buffers(const Layouts& layouts, Rank rank, Bytes element) {
  const RankMove moves(layouts.moves, rank, Source::spent);
  return (moves.is_view() ? 1 : 2) * static_cast<double>(moves.room()) * static_cast<double>(element);
}

#define TOMBOLO_FOR(T) template class TwoBuffers<T>;
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

}  // namespace tombolo::transposition
