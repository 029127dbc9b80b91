#include <catch2/catch.hpp>

#include <tombolo/collectives/algorithms/common/placed_blocks.hpp>

using namespace tombolo;

TEST_CASE("blocks of places lie where those of their ranks do, in as few pieces as possible") {
  const Blocks counts({3, 0, 5, 2});

  const RankOrder straight(4, 0);
  const PlacedBlocks blocks(counts, straight);
  CHECK(blocks.blocks({0, 4}, Buffer::output) == BufferRanges{{Buffer::output, 0, 10}});
  CHECK(blocks.blocks({2, 3}, Buffer::output) == BufferRanges{{Buffer::output, 3, 7}, {Buffer::output, 0, 3}});
  CHECK(blocks.elements({2, 3}) == 10);
  CHECK(blocks.most() == 5);

  const RankOrder mapped(4, 0, {0, 3, 1, 2});
  const PlacedBlocks others(counts, mapped);
  CHECK(others.block(1, Buffer::input) == BufferRange{Buffer::input, 8, 2});
  CHECK(others.blocks({1, 3}, Buffer::input) == BufferRanges{{Buffer::input, 8, 2}, {Buffer::input, 3, 5}});
}

TEST_CASE("even shares follow the order of places, the first ones get one more") {
  const RankOrder rank_order(4, 2);
  const PlacedBlocks shares = PlacedBlocks::even(10, rank_order);
  CHECK(shares.rank(0) == 2);
  CHECK(shares.block(1, Buffer::output) == BufferRange{Buffer::output, 3, 3});
  CHECK(shares.block(3, Buffer::output) == BufferRange{Buffer::output, 8, 2});
  CHECK(shares.blocks({1, 3}, Buffer::output) == BufferRanges{{Buffer::output, 3, 7}});
}

TEST_CASE("the blocks of a group are those of its places, from any root and in any order") {
  const Blocks counts({3, 0, 5, 2, 0, 1, 4});
  for (Rank root = 0; root < 7; ++root) {
    std::vector<Rank> backwards;
    for (int place = 0; place < 7; ++place) backwards.push_back((root + 7 - place) % 7);
    for (const RankOrder& order : {RankOrder(7, root), RankOrder(7, root, backwards)}) {
      for (const PlacedBlocks& blocks : {PlacedBlocks(counts, order), PlacedBlocks::even(17, order)}) {
        for (int first = 0; first < 7; ++first) {
          for (int size = 0; size <= 7; ++size) {
            std::int64_t sum = 0;
            BufferRanges pieces;
            for (int i = 0; i < size; ++i) {
              const BufferRange next = blocks.block((first + i) % 7, Buffer::input);
              sum += next.count;
              if (next.count == 0) continue;
              if (!pieces.empty() && pieces.back().end() == next.offset) {
                pieces.back().count += next.count;
              } else {
                pieces.push_back(next);
              }
            }
            CHECK(blocks.elements({first, size}) == sum);
            CHECK(blocks.blocks({first, size}, Buffer::input) == pieces);
          }
        }
      }
    }
  }
}
